"""Speed of the exact Markov quilt mechanism beside a straightforward loop over nodes and quilts, in one process.

    python benchmarks/pufferfish_speed.py [--quick] [--json FILE]

The loop computes every power of the matrix once and then, as the algorithm is written, tries every quilt of every
node, with NumPy for the maximum over pairs of states. It runs on series as long as it can do in a second or so, the
same series are given to the table, and the ratio is between the two; a longer series costs the table nothing. Every
figure is processor time on one core (on a quiet machine the time on the wall), the median of repetitions with the range
of the middle half. Two kinds of chains: one that forgets within a few moves (random rows), and one that is slow (a
band: from level to neighbouring level, like a household's power).
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import asdict, dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from time import thread_time  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from lmdk_widgets.pufferfish import MarkovChain, QuiltTable  # noqa: E402

EPSILON = 1.0
LENGTH = 1_000_000
TARGETS_MS = {2: 0.3, 51: 40.0, 100: 200.0}
"""What the table may take at LENGTH, for each number of states; a move of epsilon may take 0.05 ms."""
LOOP_LENGTHS = {2: 60, 51: 16, 100: 10}


@dataclass(frozen=True)
class Spread:
    """Milliseconds: the median and the middle half of the repetitions."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.3g} ms ({self.low:.3g} to {self.high:.3g})"


def timed(function: Callable[[], Any], repetitions: int) -> Spread:
    """Run a function that many times."""
    taken = []
    for _ in range(repetitions):
        start = thread_time()
        function()
        taken.append((thread_time() - start) * 1e3)
    low, median, high = np.percentile(taken, (25, 50, 75))
    return Spread(float(median), float(low), float(high))


def chain(kind: str, n_states: int) -> MarkovChain:
    """A stationary chain: "quick" has random rows, "slow" moves among neighbouring levels."""
    if kind == "quick":
        return MarkovChain.stationary(np.random.default_rng(n_states).dirichlet(np.ones(n_states), n_states))
    if n_states == 2:
        return MarkovChain.stationary([[0.9, 0.1], [0.1, 0.9]])
    level = np.arange(n_states)
    weights = np.exp(-np.abs(level[:, None] - level) / (n_states / 12)) + 1e-3
    return MarkovChain.stationary(weights / weights.sum(axis=1, keepdims=True))


def loop_scale(theta: MarkovChain, length: int, epsilon: float) -> float:
    """The mechanism as it is written: all nodes, all quilts, all pairs of states."""
    p, m = theta.transition, theta.n_states
    powers = [np.eye(m)]
    for _ in range(length):
        powers.append(powers[-1] @ p)
    marginals = [theta.initial @ power for power in powers]

    def side(logs: np.ndarray) -> np.ndarray:
        return (logs[:, None, :] - logs[None, :, :]).max(axis=2)

    worst = 0.0
    for node in range(length):
        here = np.log(marginals[node])
        odds = here[None, :] - here[:, None]
        best = length / epsilon
        future = {b: side(np.log(powers[b])) for b in range(1, length - node)}
        for a in range(node + 1):
            past = side(np.log(powers[a]).T) + odds if a else np.zeros((m, m))
            near = a - 1 if a else node
            for b in range(length - node):
                if not a and not b:
                    continue
                e = (past + future[b]).max() if b else past.max()
                card = near + 1 + (b - 1 if b else length - 1 - node)
                if e < epsilon:
                    best = min(best, card / (epsilon - e))
        worst = max(worst, best)
    return worst


def compare(kind: str, n_states: int, repetitions: int) -> dict[str, Any]:
    """The figures of one chain."""
    theta, short = chain(kind, n_states), LOOP_LENGTHS[n_states]
    often = repetitions * (50 if n_states == 2 else 1)  # what takes a fraction of a millisecond needs many
    table = QuiltTable(theta)
    found = table.scale(EPSILON, LENGTH)
    steps = iter(np.linspace(1.0, 1.5, 50 * repetitions))
    slow, fast = loop_scale(theta, short, EPSILON), QuiltTable(theta).scale(EPSILON, short).scale
    if abs(slow / fast - 1) > 1e-9:
        raise SystemExit(f"{kind}, {n_states} states: the loop says {slow}, the table {fast}")
    loop = timed(lambda: loop_scale(theta, short, EPSILON), max(3, repetitions // 4))
    same = timed(lambda: QuiltTable(theta).scale(EPSILON, short), often)
    return {
        "chain": kind,
        "states": n_states,
        "scale": found.scale,
        "table": asdict(timed(lambda: QuiltTable(theta).scale(EPSILON, LENGTH), often)),
        "move": asdict(timed(lambda: table.scale(float(next(steps)), LENGTH), 50 * repetitions)),
        "loop_length": short,
        "loop": asdict(loop),
        "table_at_loop_length": asdict(same),
        "ratio": loop.median / same.median,
        "target_ms": TARGETS_MS[n_states],
    }


def shown(row: dict[str, Any]) -> str:
    """One chain in three lines."""
    spread = {name: Spread(**row[name]) for name in ("table", "move", "loop", "table_at_loop_length")}
    met = "met" if spread["table"].median <= row["target_ms"] else "missed"
    moved = "met" if spread["move"].median <= 0.05 else "missed"
    return (
        f"{row['chain']} chain, {row['states']} states, T = {LENGTH:,}, sigma = {row['scale']:.4f}\n"
        f"  table {spread['table']}, target {row['target_ms']:g} ms {met}; "
        f"epsilon move {spread['move']}, target 0.05 ms {moved}\n"
        f"  T = {row['loop_length']}: loop {spread['loop']}, table {spread['table_at_loop_length']}: "
        f"{row['ratio']:.0f} times"
    )


def main() -> int:
    """Measure, print, and write the figures."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help="few repetitions")
    made.add_argument("--json", type=Path, metavar="FILE")
    options = made.parse_args()
    rows = []
    for n_states in TARGETS_MS:
        for kind in ("quick", "slow"):
            rows.append(compare(kind, n_states, 5 if options.quick else 21))
            print(shown(rows[-1]), flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"pufferfish": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())

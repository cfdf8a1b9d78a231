"""Speed of the exact Markov quilt mechanism, against a straightforward loop over nodes and quilts, in one process.

    python benchmarks/pufferfish_speed.py [--quick] [--repeats K] [--json FILE] [--figures FIGURES.md]

The loop computes every power of the matrix once and then, following the algorithm as published, tries every quilt of every
node, with NumPy for the maximum over pairs of states. It runs on series as long as it can handle in a few seconds; the table
gets the same series, in turn with it, and the ratio is computed round by round. A longer series costs the table
nothing: its promises are for a million timestamps. Every figure is processor time on one core (on a quiet machine,
wall-clock time), the median of repetitions with the lowest and the highest. There are two kinds of chains: one that forgets
within a few moves (random rows), and a slow one (a band, which moves from level to neighbouring level, like a household's
power). Every result is first checked against the loop.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from measured import asked, milliseconds, spread, write  # noqa: E402
from pufferfish_table import markdown  # noqa: E402

from lmdk_widgets.pufferfish import MarkovChain, QuiltTable  # noqa: E402

EPSILON = 1.0
LENGTH = 1_000_000
TARGETS_MS = {2: 0.3, 51: 40.0, 100: 200.0}
"""The time allowed for the table at LENGTH, for each number of states."""
LOOP_LENGTHS = {2: 100, 51: 100, 100: 40}
ROUNDS = 3
"""The number of rounds with loop and table in turn."""


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
    """The mechanism as published: all nodes, all quilts, all pairs of states."""
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


def compare(kind: str, n_states: int, repeats: int, rounds: int) -> dict[str, Any]:
    """The figures for one chain."""
    theta, short = chain(kind, n_states), LOOP_LENGTHS[n_states]
    often = repeats * (50 if n_states == 2 else 1)  # calls of a fraction of a millisecond need many repetitions
    kept = QuiltTable(theta)
    found = kept.scale(EPSILON, LENGTH)
    looped: list[float] = []
    loops, tables = [], []
    for _ in range(rounds):
        loops.append(milliseconds(lambda: looped.append(loop_scale(theta, short, EPSILON))))
        agree(theta, short, looped[-1])
        many = max(1, often // 5)
        tables.append(np.median([milliseconds(lambda: QuiltTable(theta).scale(EPSILON, short)) for _ in range(many)]))
    steps = np.linspace(1.0, 1.5, 50 * repeats).tolist()
    return {
        "chain": kind,
        "states": n_states,
        "length": LENGTH,
        "scale": found.scale,
        "table": spread(milliseconds(lambda: QuiltTable(theta).scale(EPSILON, LENGTH)) for _ in range(often)),
        "move": spread(1e3 * milliseconds(lambda e=e: kept.scale(e, LENGTH)) for e in steps),  # type: ignore[misc]
        "loop_length": short,
        "loop": spread(loops),
        "table_at_loop_length": spread(tables),
        "ratio": spread(loop / table for loop, table in zip(loops, tables, strict=True)),
        "target_ms": TARGETS_MS[n_states],
    }


def agree(theta: MarkovChain, length: int, slow: float) -> None:
    """Stop if the results differ: the speed of a wrong answer is of no interest."""
    fast = QuiltTable(theta).scale(EPSILON, length).scale
    if abs(slow / fast - 1) > 1e-9:
        raise SystemExit(f"{theta.n_states} states, T = {length}: the loop says {slow}, the table {fast}")


def main() -> int:
    """Measure, print, and write the figures."""
    options = asked(
        __doc__, repeats=21, of="of every table", quick="few repetitions, one round of the loop"
    ).parse_args()
    repeats, rounds = (5, 1) if options.quick else (max(1, options.repeats), ROUNDS)
    load, rows = os.getloadavg()[0], []
    for n_states in TARGETS_MS:
        for kind in ("quick", "slow"):
            rows.append(compare(kind, n_states, repeats, rounds))
            print(f"{kind} chain, {n_states} states: sigma = {rows[-1]['scale']:.6f}", flush=True)
    found = {"load": [load, os.getloadavg()[0]], "chains": rows}
    print(f"\n{markdown(found)}")
    write(options, "pufferfish", {"pufferfish": found}, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

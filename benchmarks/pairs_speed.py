"""Speed of the temporal loss pair by pair, against HiGHS on the same linear programmes.

    python benchmarks/pairs_speed.py [--quick] [--json FILE] [--figures FILE]

In the long run, one side: the recursion B = D + Lam[B] with eps = 0.2 at 200 m on a square grid of places 200 m apart, from D
until nothing changes. HiGHS solves a sample of the pairs in the first step, and its time is multiplied by pairs and steps; it
has no tree to start from. Every answer from HiGHS is first compared. The figures are processor time on one core, the median
of repetitions with the lowest and the highest; as the machine may be busy, the ratios say more than the milliseconds.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import math  # noqa: E402
import sys  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from scipy.optimize import linprog  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from measured import asked, milliseconds, spread, write  # noqa: E402

from lmdk_widgets.leakage import pairwise_loss  # noqa: E402
from lmdk_widgets.leakage.markov import smoothed_identity  # noqa: E402
from lmdk_widgets.leakage.pair_step import PairStep  # noqa: E402
from lmdk_widgets.leakage.pairwise import limit  # noqa: E402
from lmdk_widgets.linear import compiling  # noqa: E402

STATES = (9, 25, 49)
EPSILON, RADIUS_M, SIDE_M = 0.2, 200.0, 200.0
SAMPLE = 12
CHANGING = 5, 10_000


def chains(places: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """The kinds of chains to measure."""
    m = len(places)
    yield "stay or move anywhere", smoothed_identity(m, 0.1)
    weights = np.exp(-places / SIDE_M)
    yield "walk on a grid", weights / weights.sum(axis=1, keepdims=True)
    yield "dense random", np.random.default_rng(m).dirichlet(np.ones(m), m)


def programme(p: np.ndarray, q: np.ndarray, bound: np.ndarray) -> float:
    """max p.g with q.g = 1 and g(u) <= e^M(u,v) g(v)."""
    m = len(p)
    u, v = np.nonzero(~np.eye(m, dtype=bool))
    rows = np.zeros((len(u), m))
    rows[np.arange(len(u)), u], rows[np.arange(len(u)), v] = 1.0, -np.exp(bound[u, v])
    found = linprog(-p, A_ub=rows, b_ub=np.zeros(len(u)), A_eq=q[None], b_eq=[1.0])
    return math.log(-found.fun)


def measured(name: str, p: np.ndarray, places: np.ndarray, repeats: int) -> dict[str, Any]:
    """One chain: the library's time to its limit, and the time HiGHS would need."""
    m, bound = len(p), EPSILON * places / RADIUS_M
    found = PairStep(p)(bound)
    rng = np.random.default_rng(0)
    pairs = [tuple(rng.choice(m, 2, replace=False)) for _ in range(SAMPLE)]
    for x, y in pairs:
        if abs(programme(p[x], p[y], bound) - found[x, y]) > 1e-6:
            raise SystemExit(f"{name}, {m} states: HiGHS has a different value for {x}, {y}")
    steps = sum(1 for _ in limit(bound, PairStep(p)))
    ours = spread(milliseconds(lambda: list(limit(bound, PairStep(p)))) for _ in range(repeats))
    once = spread(milliseconds(lambda: [programme(p[x], p[y], bound) for x, y in pairs]) for _ in range(3))
    theirs = once["median"] / SAMPLE * m * (m - 1) * steps
    return {
        "chain": name,
        "states": m,
        "steps": steps,
        "ours": ours,
        "highs_ms": theirs,
        "ratio": theirs / ours["median"],
    }


def changing(repeats: int) -> dict[str, float]:
    """All budgets different, both sides."""
    m, n = CHANGING
    rng = np.random.default_rng(1)
    p, places, budgets = (
        rng.dirichlet(np.ones(m), m),
        SIDE_M * np.abs(np.subtract.outer(range(m), range(m))),
        rng.random(n),
    )
    return spread(milliseconds(lambda: pairwise_loss(p, p, budgets, places, RADIUS_M, at=[0])) for _ in range(repeats))


def written(value: float) -> str:
    """Three digits, and no powers of ten."""
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


def markdown(rows: list[dict[str, Any]], series: dict[str, float]) -> str:
    """The table."""
    lines = ["| in the long run, one side | places | steps | ms | HiGHS / ours |", "|---|--:|--:|--:|--:|"]
    for row in rows:
        median, low, high = (written(row["ours"][name]) for name in ("median", "low", "high"))
        times = f"{median} ({low} to {high})"
        lines.append(f"| {row['chain']} | {row['states']} | {row['steps']} | {times} | {written(row['ratio'])}× |")
    m, n = CHANGING
    note = f"All budgets different, both sides, {m} states and {n:,} timestamps: {written(series['median'])} ms."
    return "\n".join([*lines, "", note])


def main() -> int:
    """Measure, print and write."""
    options = asked(__doc__).parse_args()
    if not compiling.ready(wait=True):
        raise SystemExit(compiling.notice())
    rows, repeats = [], 2 if options.quick else 5
    for m in STATES[:2] if options.quick else STATES:
        side = math.isqrt(m)
        at = SIDE_M * np.stack(np.divmod(np.arange(m), side), axis=1)
        places = np.hypot(*np.moveaxis(at[:, None] - at, 2, 0))
        rows += [measured(name, p, places, repeats) for name, p in chains(places)]
    series = changing(repeats)
    table = markdown(rows, series)
    print(table)
    write(options, "pairs", {"rows": rows, "changing": series}, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())

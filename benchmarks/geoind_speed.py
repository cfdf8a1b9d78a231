"""Measures the optimal geo-indistinguishable mechanism on grids beside scipy's HiGHS, direct and lazily constrained.

    python benchmarks/geoind_speed.py [--json FILE] [--sizes 7 10] [--repeats K] [--highs SECONDS] [--large]

Unit steps, epsilon 1, gap 1e-6, one core, one process: a cold solve, the next slider position, and the time to the first
picture with a proven gap of 1e-3. HiGHS gets a limit of time: where it hits it, its ratio is a lower bound, marked ">".
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import argparse  # noqa: E402
import json  # noqa: E402
import resource  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

sys.path.insert(1, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402

from lmdk_widgets.geoind import Solver  # noqa: E402

TARGETS_S = {7: {"cold": 0.4, "next": 0.1}, 10: {"cold": 2.0, "next_1e-3": 0.5}, 20: {"cold": 60.0}}
PRIORS = ("uniform", "two hot spots", "spiky")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the JSON."""
    options = parser().parse_args(arguments)
    sizes = [*options.sizes, *([20] if options.large else [])]
    found = [measure(side, kind, options) for side in sizes for kind in (PRIORS if side < 20 else PRIORS[:1])]
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"numpy": np.__version__, "geoind": found}, indent=1) + "\n")
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    made.add_argument("--sizes", type=int, nargs="*", default=[7, 10], metavar="SIDE", help="sides of the grids")
    made.add_argument("--repeats", type=int, default=3, metavar="K", help="solves of each kind (default 3)")
    made.add_argument(
        "--highs", type=float, default=120.0, metavar="SECONDS", help="limit of each HiGHS solve; 0: none"
    )
    made.add_argument("--large", action="store_true", help="20 x 20 with the uniform prior as well")
    return made


def measure(side: int, kind: str, options: argparse.Namespace) -> dict[str, Any]:
    """Our times with their spread, those of HiGHS, and the ratios of the medians."""
    places = np.array([(x, y) for x in range(side) for y in range(side)], float)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    chosen = prior(places, kind)
    times: dict[str, list[float]] = {"cold": [], "cold_1e-3": [], "next": [], "next_1e-3": []}
    losses, gaps = [], []
    for _ in range(options.repeats if side < 20 else 1):
        solver = Solver(apart)
        for label, epsilon in (("cold", 1.0), ("next", 1.05)):
            begun, early = time.perf_counter(), None
            for state in solver.improve(chosen, epsilon):
                if early is None and state.gap <= 1e-3:
                    early = time.perf_counter() - begun
            times[label].append(time.perf_counter() - begun)
            times[f"{label}_1e-3"].append(early if early is not None else times[label][-1])
            gaps.append(state.gap)
            if label == "cold":
                losses.append(state.channel.quality_loss)
    row: dict[str, Any] = {"side": side, "prior": kind, "loss": losses[0], "gap": max(gaps)}
    row |= {label: spread(values) for label, values in times.items()}
    # read before HiGHS runs, in the order of the sizes: the peak of the process so far
    row["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{side} x {side}, {kind}: loss {row['loss']:.8f}, largest gap {row['gap']:.1e}")
    for label in times:
        aim = TARGETS_S.get(side, {}).get(label)
        verdict = "" if aim is None else f"   target {aim} s: {'met' if row[label]['median'] <= aim else 'NOT MET'}"
        print(
            f"  {label:10} {row[label]['median']:8.3f} s ({row[label]['low']:.3f} to {row[label]['high']:.3f}){verdict}"
        )
    if options.highs > 0 and side < 20:
        for label, way in (("direct", direct), ("lazy", lazy)):
            row[label] = against(way, solver, chosen, options.highs, row)
            print(f"  HiGHS {label:6} {row[label]['said']}")
    sys.stdout.flush()
    return row


def against(way: Callable[..., float | None], solver: Solver, chosen: np.ndarray, limit: float, row: dict) -> dict:
    """One solve by HiGHS; the ratio is to our cold median, and a lower bound when the limit was hit."""
    begun = time.perf_counter()
    loss = way(solver, chosen, limit)
    took = time.perf_counter() - begun
    ratio, more = took / row["cold"]["median"], "" if loss is not None else ">"
    off = "" if loss is None else f", loss off ours by {row['loss'] - loss:.1e}"
    said = f"{more}{took:8.3f} s, {more}{ratio:.1f} times ours{off}"
    return {"seconds": took, "ratio": ratio, "finished": loss is not None, "said": said}


def direct(solver: Solver, chosen: np.ndarray, limit: float) -> float | None:
    """All constraints at once."""
    program = solver.program(chosen, 1.0)
    solved = highs(program.cost, program.pairs, np.exp(-program.lengths), None, limit)
    return None if solved is None else float((program.cost * solved).sum())


def lazy(solver: Solver, chosen: np.ndarray, limit: float) -> float | None:
    """Short pairs first, then each round those that the solution violates."""
    program, end = solver.program(chosen, 1.0), time.perf_counter() + limit
    weight = np.exp(-program.lengths)
    active = np.tile(program.lengths[:, None] < 2.3, (1, len(program.cost)))
    while (left := end - time.perf_counter()) > 0:
        solved = highs(program.cost, program.pairs, weight, active, left)
        if solved is None:
            return None
        first, second = program.pairs.T
        broken = (weight[:, None] * solved[first] - solved[second] > 1e-9) & ~active
        if not broken.any():
            return float((program.cost * solved).sum())
        active |= broken
    return None


def highs(cost: np.ndarray, pairs: np.ndarray, weight: np.ndarray, active: np.ndarray | None, limit: float) -> Any:
    """The mechanism that HiGHS finds with the active constraints, or None at the limit of time."""
    from scipy import sparse
    from scipy.optimize import linprog

    n = len(cost)
    pair, report = np.nonzero(np.ones((len(pairs), n), bool) if active is None else active)
    rows = np.tile(np.arange(len(pair)), 2)
    columns = np.concatenate([pairs[pair, 0] * n + report, pairs[pair, 1] * n + report])
    values = np.concatenate([weight[pair], -np.ones(len(pair))])
    limits = sparse.csr_array((values, (rows, columns)), shape=(len(pair), n * n))
    sums = sparse.csr_array((np.ones(n * n), (np.repeat(np.arange(n), n), np.arange(n * n))), shape=(n, n * n))
    found = linprog(
        cost.ravel(),
        A_ub=limits,
        b_ub=np.zeros(len(pair)),
        A_eq=sums,
        b_eq=np.ones(n),
        method="highs",
        options={"time_limit": limit},
    )
    return found.x.reshape(n, n) if found.status == 0 else None


def prior(places: np.ndarray, kind: str) -> np.ndarray:
    """Uniform; two Gaussian hot spots on a low floor; or a few places with nearly all of the mass.

    Examples
    --------
    >>> prior(np.zeros((4, 2)), "uniform").tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    side = places.max()
    if kind == "uniform":
        mass = np.ones(len(places))
    elif kind == "spiky":
        mass = np.random.default_rng(0).random(len(places)) ** 8
    else:
        spots = [[1, 1], [side - 1, side - 2]]
        mass = 1e-3 + sum(np.exp(-((places - spot) ** 2).sum(axis=1) / 2) for spot in np.array(spots))
    return mass / mass.sum()


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


if __name__ == "__main__":
    sys.exit(main())

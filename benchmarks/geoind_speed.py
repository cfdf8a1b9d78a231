"""Measures the optimal geo-indistinguishable mechanism on grids, against HiGHS with all constraints and by row generation.

    python benchmarks/geoind_speed.py [--json FILE] [--figures FIGURES.md] [--sizes 6 7 10] [--repeats K] [--highs SECONDS]
                                      [--large] [--qif PYTHON]

Unit steps, epsilon 1, gap 1e-6, one core: a cold solve, the next slider position (epsilon 1.05), and for both the first
incumbent with a proven gap of 1e-3. Every figure is processor time (on a quiet machine, wall-clock time). HiGHS and
qif have a wall-clock limit: if it is reached, the ratio is a lower bound, marked ">".

qif is not a dependency: `python -m venv q && q/bin/pip install qif numpy`, then `--qif q/bin/python`; its loss and the
epsilon of its matrix are compared with ours.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import argparse  # noqa: E402
import json  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Iterator, Sequence  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402
from geoind_table import TARGETS_S, markdown  # noqa: E402
from measured import spread, write  # noqa: E402

from lmdk_widgets.geoind import (  # noqa: E402
    Solver,
    reference,
    smallest_epsilon,
)
from lmdk_widgets.linear import compiling  # noqa: E402

PRIORS = ("uniform", "two hot spots", "spiky")
QIF = """
import json, sys, time
import numpy, qif
task = json.load(sys.stdin)
apart, prior = numpy.array(task["apart"]), numpy.array(task["prior"])
metric, begun = (lambda x, y: float(apart[x, y])), time.process_time()
found = qif.mechanism.d_privacy.min_loss_given_d(prior, len(prior), metric, metric)
print(json.dumps({"seconds": time.process_time() - begun, "matrix": numpy.array(found).tolist()}))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write the figures."""
    options = parser().parse_args(arguments)
    if options.quick:
        options.sizes, options.repeats, options.highs = [6], 1, 10.0
    load, found, beats = os.getloadavg()[0], [], [beat()]
    if not compiling.ready(wait=True):
        raise SystemExit(compiling.notice())
    for side in [*options.sizes, *([20] if options.large else [])]:
        for kind in PRIORS if side < 20 else PRIORS[:1]:
            found.append(measure(side, kind, options))
            beats.append(beat())
    figures = {"numpy": np.__version__, "geoind": found, "limit_s": options.highs}
    figures |= {"noise": max(beats) / min(beats), "load": [load, os.getloadavg()[0]]}
    print(f"\n{markdown(figures)}")
    write(options, "geoind", figures, markdown(figures))
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md", help="write the table between its markers")
    made.add_argument("--sizes", type=int, nargs="*", default=[6, 7, 10], metavar="SIDE", help="sides of the grids")
    made.add_argument("--repeats", type=int, default=5, metavar="K", help="solves of each kind (default 5)")
    made.add_argument(
        "--highs", type=float, default=150.0, metavar="SECONDS", help="limit of each HiGHS or qif solve; 0: none"
    )
    made.add_argument("--quick", action="store_true", help="6 x 6 once, 10 s for each HiGHS solve")
    made.add_argument("--large", action="store_true", help="20 x 20 with the uniform prior as well")
    made.add_argument("--qif", metavar="PYTHON", help="an interpreter that has qif")
    return made


def distances(side: int) -> tuple[np.ndarray, np.ndarray]:
    """The places of a grid with unit steps, and the distances between them."""
    places = np.array([(x, y) for x in range(side) for y in range(side)], float)
    return places, np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))


def measure(side: int, kind: str, options: argparse.Namespace) -> dict[str, Any]:
    """Our times with their spread, those of the others, and the ratios to the median of our cold solve."""
    places, apart = distances(side)
    chosen = prior(places, kind)
    row: dict[str, Any] = {"side": side, "prior": kind}
    row |= ours(apart, chosen, options.repeats if side < 20 else min(options.repeats, 3))
    say(row)
    if options.highs > 0 and side < 20:
        solver, ways = Solver(apart), {"direct": direct, "lazy": lazy}
        for label, way in ways.items():
            row[label] = against(way, solver, chosen, options.highs, row)
            print(f"  HiGHS {label:6} {row[label]['said']}", flush=True)
    if options.qif and side < 20:
        row["qif"] = by_qif(options.qif, apart, chosen, options.highs or None, row)
        print(f"  qif {row['qif']['said']}", flush=True)
    return row


def say(row: dict[str, Any]) -> None:
    print(f"\n{row['side']} x {row['side']}, {row['prior']}: loss {row['loss']:.8f}, largest gap {row['gap']:.1e}")
    for label in ("cold_1e-3", "cold", "next_1e-3", "next"):
        aim, it = TARGETS_S.get(row["side"], {}).get(label), row[label]
        verdict = "" if aim is None else f"   target {aim} s: {'met' if it['median'] <= aim else 'NOT MET'}"
        print(f"  {label:10} {it['median']:8.4f} s ({it['low']:.4f} to {it['high']:.4f}){verdict}", flush=True)


def ours(apart: np.ndarray, chosen: np.ndarray, repeats: int) -> dict[str, Any]:
    """A cold solve and the next slider position, repeated: seconds to the end and to a gap of 1e-3."""
    times: dict[str, list[float]] = {"cold": [], "cold_1e-3": [], "next": [], "next_1e-3": []}
    losses, gaps = [], []
    for _ in range(repeats):
        solver = Solver(apart)
        for label, epsilon in (("cold", 1.0), ("next", 1.05)):
            begun, early = time.process_time(), None
            for state in solver.improve(chosen, epsilon):
                if early is None and state.gap <= 1e-3:
                    early = time.process_time() - begun
            times[label].append(time.process_time() - begun)
            times[f"{label}_1e-3"].append(early if early is not None else times[label][-1])
            gaps.append(state.gap)
            losses.append(state.channel.quality_loss)
    return {"loss": losses[0], "gap": max(gaps)} | {label: spread(values) for label, values in times.items()}


def beat() -> float:
    """Seconds for a small calculation that is always the same, to show how steady the machine is."""
    matrix, begun = np.eye(100) + 0.01, time.perf_counter()
    for _ in range(200):
        np.linalg.inv(matrix)
    return time.perf_counter() - begun


def against(way: Callable[..., float | None], solver: Solver, chosen: np.ndarray, limit: float, row: dict) -> dict:
    """One solve by HiGHS; the ratio is to our cold median, and a lower bound if the limit was reached."""
    begun = time.process_time()
    loss = way(solver, chosen, limit)
    return compared(time.process_time() - begun, loss, row)


def by_qif(python: str, apart: np.ndarray, chosen: np.ndarray, limit: float | None, row: dict) -> dict:
    """The same with qif in its own environment, with the epsilon of its matrix."""
    task = json.dumps({"apart": apart.tolist(), "prior": chosen.tolist()})
    try:
        ended = subprocess.run(
            [python, "-c", QIF], input=task, capture_output=True, text=True, timeout=limit, check=True
        )
    except subprocess.TimeoutExpired:
        return compared(limit or 0.0, None, row)
    found = json.loads(ended.stdout.splitlines()[-1])
    matrix = np.clip(np.array(found["matrix"]), 0, None)
    matrix /= matrix.sum(axis=1, keepdims=True)
    result = compared(found["seconds"], float(chosen @ (matrix * apart).sum(axis=1)), row)
    result["epsilon"] = smallest_epsilon(matrix, apart)
    return result | {"said": f"{result['said']}, its epsilon {result['epsilon']:.9g}"}


def compared(took: float, loss: float | None, row: dict) -> dict:
    ratio, more = took / row["cold"]["median"], "" if loss is not None else ">"
    off = "" if loss is None else f", loss differs from ours by {row['loss'] - loss:.1e}"
    said = f"{more}{took:8.3f} s, {more}{ratio:.1f} times ours{off}"
    return {"seconds": took, "ratio": ratio, "finished": loss is not None, "said": said}


def direct(solver: Solver, chosen: np.ndarray, limit: float) -> float | None:
    """All constraints at once."""
    program = solver.program(chosen, 1.0)
    return within(reference.generated(program, np.ones(len(program.pairs), bool)), program.cost, limit)


def lazy(solver: Solver, chosen: np.ndarray, limit: float) -> float | None:
    """The constraints of a sparse graph first, then in each round those that the solution violates."""
    cost = chosen[:, None] * solver.distances
    return within(reference.solve_by_rows(cost, solver._lengths), cost, limit)


def within(steps: Iterator[reference.Solution | None], cost: np.ndarray, limit: float) -> float | None:
    """The loss of the solution that HiGHS finds within a time limit in seconds."""
    end = time.perf_counter() + limit
    for found in steps:
        if found is not None and found.finished:
            return float((cost * found.matrix).sum())
        if time.perf_counter() > end:
            return None
    return None


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


if __name__ == "__main__":
    sys.exit(main())

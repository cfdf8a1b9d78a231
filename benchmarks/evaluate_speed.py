"""Measures `evaluate(scenario, trajectory)` on one core, for every scheme and length, against the targets.

    python benchmarks/evaluate_speed.py [--json FILE] [--repeats K] [--quick] [--correlation NAME]

Each evaluation has a different epsilon, as when the slider moves. The rounds go through all schemes in turn, so a drift
of the machine affects all equally; the first evaluation of a scheme in each round is counted separately, as "first".
"CPU" is processor time: on a busy machine it says more than wall-clock time, on a quiet one the same.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE / "pages")]

import numpy as np  # noqa: E402
from figures import machine, short, shown, spread  # noqa: E402
from targets import SIZES, target  # noqa: E402
from track import columns  # noqa: E402

BLOCK = 20
"""The number of counted evaluations of a scheme in one round."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the JSON; 1 if `evaluate` is missing."""
    options = parser().parse_args(arguments)
    try:
        import lmdk_widgets.scenario  # noqa: F401
    except ImportError as reason:
        print(f"evaluate is missing: {reason}")
        return 1
    found_on = machine()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rounds = options.repeats or (1 if options.quick else 5)
    found = {str(n): measure(n, rounds, options.correlation) for n in SIZES}
    print(text_table(found))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        settings = {"rounds": rounds, "block": BLOCK, "correlation": options.correlation}
        results = {"machine": found_on, "evaluate_settings": settings, "evaluate": found}
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    made.add_argument("--repeats", type=int, metavar="K", help="rounds (default 5)")
    made.add_argument("--quick", action="store_true", help="one round")
    made.add_argument("--correlation", default="moderate", help="none, weak, moderate (default), strong or estimated")
    return made


def measure(n: int, rounds: int, correlation: str) -> dict[str, dict[str, Any]]:
    """The figures for each scheme; see `figures_of`."""
    from lmdk_widgets.scenario import SCHEMES, Scenario, evaluate
    from lmdk_widgets.trajectory.model import Trajectory

    latitude, longitude, moments, landmark = columns(n)
    trajectory = Trajectory(latitude, longitude, moments)
    common = {"track": "", "landmarks": tuple(np.flatnonzero(landmark).tolist()), "correlation": correlation}
    wall, cpu = ({scheme: np.zeros((rounds, BLOCK + 1)) for scheme in SCHEMES} for _ in range(2))
    for r in range(rounds):
        for scheme in SCHEMES:
            for k, epsilon in enumerate(epsilons(BLOCK + 1)):
                scenario = Scenario(scheme=scheme, epsilon=epsilon, **common)
                start = time.perf_counter(), time.process_time()
                evaluate(scenario, trajectory)
                end = time.perf_counter(), time.process_time()
                wall[scheme][r, k], cpu[scheme][r, k] = ((e - s) * 1e3 for s, e in zip(start, end, strict=True))
    return {scheme: figures_of(wall[scheme], cpu[scheme]) for scheme in SCHEMES}


def figures_of(wall_ms: np.ndarray, cpu_ms: np.ndarray) -> dict[str, Any]:
    """The spread of the counted evaluations and of the first ones; the median over the rounds for the slowest epsilon.

    Times are (rounds, epsilons). One slow slider value is noticeable, although a median over all values hides it.

    Examples
    --------
    >>> found = figures_of(np.array([[9.0, 1.0, 3.0], [8.0, 1.0, 5.0]]), np.zeros((2, 3)))
    >>> found["slowest_ms"], found["ms"]["median"], found["first_ms"]["max"]
    (4.0, 2.0, 9.0)
    """
    by_epsilon = np.median(wall_ms[:, 1:], axis=0)
    return {
        "ms": spread(wall_ms[:, 1:].ravel().tolist()),
        "slowest_ms": float(by_epsilon.max()),
        "slowest_epsilon": epsilons(wall_ms.shape[1])[1 + int(by_epsilon.argmax())],
        "cpu_ms": spread(cpu_ms[:, 1:].ravel().tolist()),
        "first_ms": spread(wall_ms[:, 0].tolist()),
    }


def epsilons(count: int) -> list[float]:
    """Values of the log slider from 0.01 to 10, each far from the one before.

    Examples
    --------
    >>> [round(e, 3) for e in epsilons(3)]
    [0.715, 0.051, 3.65]
    """
    return [10 ** (-2 + 3 * (k * 0.6180339887498949 % 1.0)) for k in range(1, count + 1)]


def text_table(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """One line per scheme; the target applies to the slowest scheme at its slowest epsilon."""
    lines = []
    for n in (int(key) for key in found):
        aim = target("evaluate_ms", n)
        worst = max(figures["slowest_ms"] for figures in found[str(n)].values())
        verdict = "" if aim is None else f"   target {aim} ms: {'met' if aim.met(worst) else 'NOT MET'}"
        lines.append(f"n = {n:,}, ms{verdict}")
        for scheme, figures in found[str(n)].items():
            slowest = f"slowest {short(figures['slowest_ms'])} at epsilon {figures['slowest_epsilon']:.2f}"
            rest = f"CPU {shown(figures['cpu_ms']):24} first {shown(figures['first_ms'])}"
            lines.append(f"  {scheme:20} {shown(figures['ms']):24} {slowest:32} {rest}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

"""Measures `evaluate(scenario, trajectory)` on one core, for every scheme and length, beside the targets.

    python benchmarks/evaluate_speed.py [--json FILE] [--repeats K] [--quick] [--correlation NAME]

Each evaluation has another epsilon, as when the slider moves. The rounds go through all schemes in turn, so that a
drift of the machine hits all alike; the first evaluation of a scheme in each round is counted apart, as "first".
"CPU" is the processor's time: on a busy machine it says more than the time on the wall, on a quiet one the same.
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
from figures import machine, shown, spread  # noqa: E402
from targets import SIZES, target  # noqa: E402
from track import columns  # noqa: E402

BLOCK = 10
"""Counted evaluations of a scheme in one round."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the JSON; 1 when `evaluate` is not there."""
    options = parser().parse_args(arguments)
    try:
        import lmdk_widgets.scenario  # noqa: F401
    except ImportError as reason:
        print(f"evaluate is not there: {reason}")
        return 1
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rounds = options.repeats or (1 if options.quick else 5)
    found = {str(n): measure(n, rounds, options.correlation) for n in SIZES}
    print(text_table(found))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        settings = {"rounds": rounds, "block": BLOCK, "correlation": options.correlation}
        results = {"machine": machine(), "evaluate_settings": settings, "evaluate": found}
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
    """For each scheme the spread in ms of the counted evaluations, wall and processor, and of the first in a round."""
    from lmdk_widgets.scenario import SCHEMES, Scenario, evaluate
    from lmdk_widgets.trajectory.model import Trajectory

    latitude, longitude, moments, landmark = columns(n)
    trajectory = Trajectory(latitude, longitude, moments)
    landmarks = tuple(np.flatnonzero(landmark).tolist())
    found: dict[str, dict[str, list[float]]] = {s: {"ms": [], "cpu_ms": [], "first_ms": []} for s in SCHEMES}
    for _ in range(rounds):
        for scheme in SCHEMES:
            for k, epsilon in enumerate(epsilons(BLOCK + 1)):
                scenario = Scenario(
                    track="", scheme=scheme, landmarks=landmarks, epsilon=epsilon, correlation=correlation
                )
                wall, cpu = time.perf_counter(), time.process_time()
                evaluate(scenario, trajectory)
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                found[scheme]["ms" if k else "first_ms"].append(wall * 1e3)
                if k:
                    found[scheme]["cpu_ms"].append(cpu * 1e3)
    return {scheme: {name: spread(times) for name, times in of.items()} for scheme, of in found.items()}


def epsilons(count: int) -> list[float]:
    """Values of the log slider from 0.01 to 10, each far from the one before.

    Examples
    --------
    >>> [round(e, 3) for e in epsilons(3)]
    [0.715, 0.051, 3.65]
    """
    return [10 ** (-2 + 3 * (k * 0.6180339887498949 % 1.0)) for k in range(1, count + 1)]


def text_table(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    lines = []
    for n in (int(key) for key in found):
        aim = target("evaluate_ms", n)
        worst = max(figures["ms"]["median"] for figures in found[str(n)].values())
        verdict = "" if aim is None else f"   target {aim} ms: {'met' if aim.met(worst) else 'NOT MET'}"
        lines.append(f"n = {n:,}, ms{verdict}")
        for scheme, figures in found[str(n)].items():
            cells = (f"{label} {shown(figures[name])}" for name, label in (("cpu_ms", "CPU"), ("first_ms", "first")))
            lines.append(f"  {scheme:20} {shown(figures['ms']):24} " + " ".join(cell.ljust(28) for cell in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

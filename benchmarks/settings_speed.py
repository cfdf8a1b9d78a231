"""Measures the table of many settings against a loop over `evaluate`, on one core, at 288 timestamps.

    python benchmarks/settings_speed.py [--json FILE] [--figures FIGURES.md] [--repeats K]

The figures are the processor time of whole tables, and of the same rows one by one: `evaluate`, and 20 releases if no
formula gives the error. Promised: 500 settings a second.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE / "pages")]

import numpy as np  # noqa: E402
from measured import asked, milliseconds, spread, write  # noqa: E402
from track import columns  # noqa: E402

from lmdk_widgets.scenario import SCHEMES, Scenario, evaluate  # noqa: E402
from lmdk_widgets.scenario.evaluation import drawn_errors  # noqa: E402
from lmdk_widgets.sweep.many_settings import Asked, settings  # noqa: E402
from lmdk_widgets.sweep.rows import DRAWS, Row, expected_error_m  # noqa: E402
from lmdk_widgets.trajectory.model import Trajectory  # noqa: E402

PROMISED = 500
TABLES = {
    "7 epsilons, 7 radii, the page's default": Asked(),
    "20 epsilons, 20 radii": Asked(epsilons="0.1 to 10 in 20", radii_m="50 to 5000 in 20"),
    "50 epsilons, one radius": Asked(epsilons="0.1 to 10 in 50", radii_m="200"),
}
LOOPED = 40
"""The number of rows that the loop evaluates, spread evenly over each table."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write the figures."""
    options = asked(__doc__, repeats=5, of="rounds", quick="one round").parse_args(arguments)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    latitude, longitude, moments, landmark = columns(288)
    track = Trajectory(latitude, longitude, moments)
    scenario = Scenario(track="", landmarks=tuple(np.flatnonzero(landmark).tolist()))
    rounds = 1 if options.quick else options.repeats
    found = [measure(name, asked, scenario, track, rounds) for name, asked in TABLES.items()]
    table = markdown(found, os.getloadavg()[0])
    print(table)
    write(options, "settings", found, table)
    return 0


def measure(name: str, asked: Asked, scenario: Scenario, track: Trajectory, rounds: int) -> dict:
    """Settings a second for the table and for the loop, in turn; the loop's rows must equal the table's."""
    rows: list[Row] = []

    def whole() -> None:
        rows[:] = [row for some in settings(scenario, track, *asked.rows) for row in some]

    whole()  # so that everything that tables share is cached
    picked = [rows[k] for k in np.linspace(0, len(rows) - 1, LOOPED).astype(int)]
    table, loop, ratio = [], [], []
    for _ in range(rounds):
        table.append(len(rows) / milliseconds(whole) * 1e3)
        loop.append(LOOPED / milliseconds(lambda: [alone(scenario, track, row) for row in picked]) * 1e3)
        ratio.append(table[-1] / loop[-1])
    print(f"{name:45} {np.median(table):.0f} a second", flush=True)
    return {
        "table": name,
        "settings": len(rows),
        "a_second": spread(table),
        "loop": spread(loop),
        "ratio": spread(ratio),
    }


def alone(scenario: Scenario, track: Trajectory, row: Row) -> None:
    """One row computed the long way, and compared with the table's."""
    each = scenario.with_changes(scheme=row.scheme, epsilon=row.epsilon, target=row.epsilon, radius_m=row.radius_m)
    one = evaluate(each, track)
    expected = expected_error_m(one)
    error_m = float(np.nanmean(drawn_errors(each, track, DRAWS), axis=1).mean()) if expected is None else expected
    numbers = error_m, float(one.total.max()), float(one.landmark.max()), float(one.totals.max())
    names = "error_m", "largest_total_loss", "landmark_loss", "theorem_sum"
    assert np.allclose(numbers, [row[name] for name in names], rtol=1e-9), row


def markdown(found: list[dict], load: float) -> str:
    """The table of the figures."""
    lines = [
        f"{len(SCHEMES)} schemes, 288 timestamps, 8 landmarks, one core, promised {PROMISED} settings a second; load "
        f"average when written {load:.1f}.",
        "",
        "| Table to choose from | settings | per second (lowest to highest) | `evaluate` in a loop | table / loop | |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in found:
        fast, loop, ratio = (row[name] for name in ("a_second", "loop", "ratio"))
        verdict = "met" if fast["median"] >= PROMISED else "NOT MET"
        times = f"{fast['median']:,.0f} ({fast['low']:,.0f} to {fast['high']:,.0f})"
        lines.append(
            f"| {row['table']} | {row['settings']:,} | {times} | {loop['median']:,.0f} | "
            f"{ratio['median']:.1f}× ({ratio['low']:.1f} to {ratio['high']:.1f}) | {verdict} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

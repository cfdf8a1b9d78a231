"""Settings that suit a track or a series: defaults are adapted, and what makes no sense is left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.scenario import attacker_levels, by_hand, hidden
from lmdk_widgets.scenario.correlation import cells_visited, levels_visited
from lmdk_widgets.scenario.evaluation import MAX_AVERAGED
from lmdk_widgets.scenario.model import CELL_RANGE_M, MAX_STATES, PLACE_RANGE_M, Scenario
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.samples import data_name

FIRST_MATRIX = ((0.8, 0.2), (0.2, 0.8))
"""What the field contains when a matrix is chosen and none was given."""

_FEW_LEVELS = 12


def brought(data: Trajectory) -> dict[str, Any]:
    """The choices of a scenario that come with a track or a series when it is opened; lengths are in its own unit."""
    found = {"track": data_name(data), "region": (), "landmarks": data.landmarks, "budgets": (), **hidden.UNDRAWN}
    if not isinstance(data, Series):
        return found
    known = {"lower": 0.0, "upper": 1.0}
    if data.lower is not None and data.upper is not None:
        known = {"lower": data.lower, "upper": data.upper}
    width = {} if data.is_answers else {"level_width": round_width(float(np.ptp(data.values)) / _FEW_LEVELS)}
    return found | {"bounds": "known"} | known | width


def round_width(least: float) -> float:
    """A round width of levels, 1, 2 or 5 with zeros, of at least `least`.

    Examples
    --------
    >>> round_width(0.43), round_width(13.0), round_width(0.0)
    (0.5, 20.0, 1.0)
    """
    if not least > 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(f"{next(k for k in (1, 2, 5, 10) if k * power >= least * (1 - 1e-12)) * power:.6g}")


def fitting(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """A scenario that fits the track: a shorter window, larger cells, no average of many points, a first matrix, and no
    budgets by hand from another track."""
    if scenario.window > len(trajectory):
        scenario = scenario.with_changes(window=len(trajectory))
    scenario = by_hand.settled(hidden.settled(scenario, len(trajectory)), len(trajectory))
    if scenario.correlation == "matrix" and not scenario.matrix:
        scenario = scenario.with_changes(matrix=FIRST_MATRIX)
    if scenario.average and len(trajectory) > MAX_AVERAGED:
        scenario = scenario.with_changes(average=False)
    if isinstance(trajectory, Series):
        return _for_series(scenario, trajectory)
    estimated, most_m = scenario.correlation == "estimated", CELL_RANGE_M[1]
    while estimated and scenario.cell_m < most_m and cells_visited(trajectory, scenario.cell_m) > MAX_STATES:
        scenario = scenario.with_changes(cell_m=min(2 * scenario.cell_m, most_m))
    return _with_places(scenario, trajectory)


def _with_places(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """Places of a size that the region, or the track, allows; planar Laplace where there is none."""
    if scenario.mechanism == "planar":
        return scenario
    from lmdk_widgets.scenario import reportable_cells

    while step := reportable_cells.misfit(scenario, trajectory):
        place_m = reportable_cells.fitting_place_m(scenario, trajectory) or scenario.place_m * 2.0**step
        if not PLACE_RANGE_M[0] <= place_m <= PLACE_RANGE_M[1] or place_m == scenario.place_m:
            return scenario.with_changes(mechanism="planar")
        scenario = scenario.with_changes(place_m=place_m)
    return scenario


def _for_series(scenario: Scenario, series: Series) -> Scenario:
    """What needs places is off, and levels are wide enough for their moves to be estimated."""
    scenario = scenario.with_changes(mechanism="planar")
    while scenario.correlation == "estimated" and levels_visited(series, scenario.level_width) > MAX_STATES:
        scenario = scenario.with_changes(level_width=2 * scenario.level_width)
    return scenario


def with_levels(scenario: Scenario, series: Series) -> Scenario:
    """Levels wide enough for an adversary who distinguishes them; unchanged for a series that is too long."""
    if series.is_answers:
        return scenario
    most = attacker_levels.most_levels(len(series))
    while most and attacker_levels.how_many(scenario, series) > most:
        scenario = scenario.with_changes(level_width=2 * scenario.level_width)
    return scenario

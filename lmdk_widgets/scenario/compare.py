"""Outcomes side by side: every scheme on the same track, and what moving one landmark by one timestamp changes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import NamedTuple

from lmdk_widgets.io import NOTE
from lmdk_widgets.leakage import landmark_loss
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.model import SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import Row, measured, row_of, served, some
from lmdk_widgets.scenario.sweep import compared_schemes as compared_schemes
from lmdk_widgets.trajectory.model import Trajectory

COMPARISON_NOTE = f"{NOTE}; the errors are computed from the true track: never publish them"

MOST_MOVED = 12
"""Landmarks that are moved, at most: the first ones."""


COMPARED = some("largest_total_loss", "supremum", "landmark_loss", "landmark_bound", "mean_error_m")
"""What is computed of each scheme."""


class Moved(NamedTuple):
    """A landmark moved by one timestamp to a regular one: the largest landmark loss afterwards."""

    landmark: int
    to: int
    landmark_loss: float


def compare_schemes(scenario: Scenario, trajectory: Trajectory) -> Iterator[Row]:
    """Every scheme under the scenario's other choices, one after the other in the order of `compared_schemes`.

    Raises
    ------
    InputError : as `evaluate`, but that a plan which cannot be had is a row of NaN.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> rows = compare_schemes(Scenario(landmarks=(0, 2, 4, 7), correlation="none"), sample("bob"))
    >>> [(row.scheme, round(row["landmark_loss"], 6)) for row in rows if row.scheme in ("event", "user", "uniform")]
    [('event', 5.0), ('user', 0.625), ('uniform', 1.0)]
    """
    for scheme in compared_schemes(scenario):
        find = row_of if SPREADS[scheme].plans else measured  # a chain that hardly forgets leaves no plan
        yield find(scenario.with_changes(**served(scenario, scheme), average=False), trajectory, COMPARED)


def improve(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with every scheme beside it, row by row, and at last with its landmarks moved."""
    outcome = outcome.improved(compared=(), moved=None)
    for row in compare_schemes(outcome.scenario, outcome.trajectory):
        outcome = outcome.improved(compared=(*outcome.compared, row))
        yield outcome
    yield outcome.improved(moved=move_landmarks(outcome))


def comparison_csv(outcome: Outcome) -> str:
    """Every scheme that was compared, a row each, with a note."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = "scheme", "mechanism", "largest_total_loss", "supremum", "landmark_loss", "landmark_loss_bound", "error_m"
    writer.writerow([*names, "note"])
    for row in outcome.compared:
        note = noted(COMPARISON_NOTE, outcome.scenario.with_changes(scheme=row.scheme, mechanism=row.mechanism))
        cells = [f"{value:.7g}" if math.isfinite(value) else "" for value in row.numbers.values()]
        writer.writerow([row.scheme, row.mechanism, *cells, note])
    return text.getvalue()


def move_landmarks(outcome: Outcome) -> tuple[Moved, ...]:
    """Each landmark moved to the regular timestamp before it and after it, under the same budgets.

    The budgets stay, so that what changes is the place of the landmark alone: how near it lies to the next landmark and
    how many regular releases lie between.
    """
    known, marked = outcome.correlation, set(outcome.protected)
    moves = [(i, j) for i in outcome.scenario.landmarks[:MOST_MOVED] for j in (i - 1, i + 1) if 0 <= j < len(outcome)]
    return tuple(
        Moved(i, j, float(landmark_loss(known.backward, known.forward, outcome.budgets, marked - {i} | {j}).max()))
        for i, j in moves
        if j not in marked
    )

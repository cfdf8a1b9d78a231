"""Outcomes side by side: every scheme on the same track, and what moving one landmark by one timestamp changes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import landmark_loss
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import ALL_SCHEMES, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

MOST_MOVED = 12
"""Landmarks that are moved, at most: the first ones."""


@dataclass(frozen=True)
class Compared:
    """One scheme beside the others.

    Attributes
    ----------
    scheme : key of `ALL_SCHEMES`.
    largest_loss : the largest total loss of a timestamp.
    supremum : what it stays below for ever when every timestamp spends the scheme's largest budget; inf: no bound.
    landmark_loss : the largest landmark loss, by the authors' count.
    landmark_bound : the largest bound on it; NaN where it would take too long.
    mean_error_m : metres; NaN when nothing is released.
    mechanism : key of `MECHANISMS`; "planar" where the scenario's cannot serve the scheme.
    """

    scheme: str
    largest_loss: float
    supremum: float
    landmark_loss: float
    landmark_bound: float
    mean_error_m: float
    mechanism: str = "planar"


class Moved(NamedTuple):
    """A landmark moved by one timestamp to a regular one: the largest landmark loss afterwards."""

    landmark: int
    to: int
    landmark_loss: float


def compared_schemes(scenario: Scenario) -> tuple[str, ...]:
    """The schemes that are compared: all that spread epsilon, and budgets by hand where there are any.

    Examples
    --------
    >>> compared_schemes(Scenario(scheme="given"))[-2:], compared_schemes(Scenario())[-1:]
    (('planned', 'given'), ('planned',))
    """
    return tuple(ALL_SCHEMES if scenario.spread.by_hand else SCHEMES)


def compare_schemes(scenario: Scenario, trajectory: Trajectory) -> Iterator[Compared]:
    """Every scheme under the scenario's other choices, one after the other in the order of `compared_schemes`.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> rows = compare_schemes(Scenario(landmarks=(0, 2, 4, 7), correlation="none"), sample("bob"))
    >>> [(row.scheme, round(row.landmark_loss, 6)) for row in rows if row.scheme in ("event", "user", "uniform")]
    [('event', 5.0), ('user', 0.625), ('uniform', 1.0)]
    """
    for name in compared_schemes(scenario):
        mechanism = "planar" if SPREADS[name].online else scenario.mechanism
        try:
            one = evaluate(scenario.with_changes(scheme=name, mechanism=mechanism, average=False), trajectory)
        except InputError:
            if not SPREADS[name].plans:  # a chain that hardly forgets leaves no plan
                raise
            yield Compared(name, math.nan, math.nan, math.nan, math.nan, math.nan, mechanism)
        else:
            largest, counted, most = (float(loss.max()) for loss in (one.total, one.landmark, one.landmark_bound))
            yield Compared(name, largest, one.supremum, counted, most, one.mean_error_m, mechanism)


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

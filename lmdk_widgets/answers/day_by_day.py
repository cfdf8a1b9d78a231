"""What an adversary who follows a track has found out after each day: where the nights and the working days are spent."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.adversary import evidence_of
from lmdk_widgets.answers.prior_moves import Cells
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import home_and_work, track_posterior
from lmdk_widgets.scenario.attacker_levels import Levels
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.scenario.grid import points_in
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.outcome import Outcome


class Evening(NamedTuple):
    """What the attacker believes to be home and work at the end of a day.

    Attributes
    ----------
    days : how many days' releases the attacker has, from the first day of the track.
    home_m, work_m : metres from the centre of the cell in which the attacker believes the nights, or the working days, are
        mostly spent to where they mostly are spent, over the whole track; NaN while no such time was released, or where
        the track has none.
    """

    days: int
    home_m: float
    work_m: float


def day_by_day(outcome: Outcome, knowledge: Knowledge | None = None) -> tuple[Evening, ...]:
    """Home and work as the attacker believes them to be after one day, two days, and so on to the end of the track.

    After each day the attacker infers again from all releases until then, with what is known beforehand; days are calendar
    days in the track's zone, nights and working days those of `home_and_work`. "Where they mostly are spent" is the median
    of the true places in the cell of the largest share: in the right cell the attacker is still off by up to its width.

    Raises
    ------
    InputError : a track that is too long.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> found = day_by_day(evaluate(Scenario(scheme="event"), sample("bob")))
    >>> len(found), found[-1].days, found[-1].work_m > 0
    (1, 1, True)
    """
    trajectory = outcome.trajectory
    area, truth, seen, parts = evidence_of(outcome, knowledge or Knowledge())
    time = clock_times(trajectory, trajectory.zone or "UTC")
    points_m = trajectory.points_m if isinstance(area, Levels) else points_in(area.frame, trajectory)
    true = home_and_work(np.eye(len(area))[truth], time)
    home, work = (_place(points_m, truth, cell) for cell in (true.home, true.work))
    found = []
    for day, end in enumerate(_ends(time), 1):
        begun = [part for part in parts if part.span.start < end]
        seen_of = [seen[part.span.start : min(part.span.stop, end)] for part in begun]
        known = [track_posterior(part.prior, part.moves, some) for part, some in zip(begun, seen_of, strict=True)]
        believed = home_and_work(np.concatenate([each.smoothed for each in known]), time[:end])
        found.append(Evening(day, _off(area.points_m, believed.home, home), _off(area.points_m, believed.work, work)))
    return tuple(found)


def _ends(time: NDArray[np.datetime64]) -> list[int]:
    """The index after the last timestamp of each day."""
    date = time.astype("datetime64[D]")
    return [*(np.flatnonzero(date[1:] != date[:-1]) + 1).tolist(), len(date)]


def _place(points_m: Floats, truth: Cells, cell: int | None) -> Floats | None:
    """Where in a cell the track mostly is, metres."""
    return None if cell is None else np.asarray(np.median(points_m[truth == cell], axis=0), float)


def _off(centres_m: Floats, cell: int | None, place_m: Floats | None) -> float:
    return math.nan if cell is None or place_m is None else float(np.hypot(*(centres_m[cell] - place_m)))

"""Where an adversary who follows the track takes its nights and working days to be spent, beside where they are."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lmdk_widgets.inference import home_and_work
from lmdk_widgets.scenario.adversary import Inferred
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series


class Haunt(NamedTuple):
    """A cell in which she takes the nights, or the working days, mostly to be spent. off_m : metres from
    the true one, the nearest where several share the most."""

    when: str
    days: int
    cell: int
    off_m: float


@lru_cache(maxsize=4)
def haunts(trajectory: Trajectory, found: Inferred) -> tuple[Haunt, ...]:
    """That of the nights and that of the working days, as far as the track has timestamps then.

    The hours are those of `home_and_work`, by the clock of the track's zone where it is known, and UTC otherwise.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate, infer
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(track="commuter", scheme="event"), sample("commuter"))
    >>> [(haunt.when, haunt.days, haunt.off_m) for haunt in haunts(outcome.trajectory, infer(outcome))]
    [('at night', 8, 0.0), ('on working days', 5, 0.0)]
    """
    if isinstance(trajectory, Series):  # it has no places
        return ()
    time = clock_times(trajectory, trajectory.zone or "UTC")
    hers, true = home_and_work(found.belief, time), home_and_work(np.eye(len(found.area))[found.truth], time)
    said = []
    for when, days, cell, right in (
        ("at night", hers.nights, hers.home, true.night),
        ("on working days", hers.days, hers.work, true.day),
    ):
        if cell is not None and right is not None:
            most = right >= right.max() * (1 - 1e-9)
            said.append(Haunt(when, days, cell, float(found.area.distances_m[cell, most].min())))
    return tuple(said)

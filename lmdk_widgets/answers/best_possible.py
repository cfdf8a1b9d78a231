"""How near any mechanism with the same budgets could bring a reader of a track, whatever it reports."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.largest_spent import most_of
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import estimate, reading_of, useful_of
from lmdk_widgets.cache import cached
from lmdk_widgets.page.amounts import bound_metres, count, metres
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.reading import WidePlaceReading
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.stays import stay_points


class BestPossible(NamedTuple):
    """The least error of any mechanism with these budgets.

    Attributes
    ----------
    least_m : no reader of any such mechanism is nearer on average over the timestamps, metres. stays : in how many stays the
    track was cut; 0 for one that stays nowhere, which is one piece. spread_m : how far places lie from the middle on average.
    """

    least_m: float
    stays: int
    spread_m: float


def best_possible(outcome: Outcome) -> BestPossible | None:
    """How near any mechanism that keeps the budgets of an outcome could bring any reader; None where nothing is proven.

    Parameters
    ----------
    outcome : of `evaluate`, for a track in one plane, under planar Laplace, whose promise is about any two places.

    Notes
    -----
    The track is cut where each stay but the first begins, and each piece moved as a whole by a vector of its own, drawn with
    the density of `geoind.least_error` and a mean length of `spread_m`. The reader may know all the rest: the shape of each
    piece, and the other vectors. Two vectors d apart change the odds by at most e^(B d / r), where the timestamps of the
    piece can spend B together, so the error is at least ``2 / (B / r + 2 / spread_m)`` at each of its timestamps.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> found = best_possible(evaluate(Scenario(scheme="event"), sample("bob")))
    >>> found.stays, round(found.least_m)
    (0, 48)
    """
    scenario = outcome.scenario
    if not outcome.kind.placed or outcome.trajectory.name == RELEASE_NAME or scenario.mechanism != "planar":
        return None
    reading = reading_of(outcome)
    if isinstance(reading, WidePlaceReading) or not reading.spread > 0:
        return None
    starts = stays(outcome.trajectory)
    # what comes before the first stay goes with it
    piece = np.searchsorted(starts[1:], np.arange(len(outcome)), side="right")
    errors = [_least(outcome, piece == k, reading.spread) for k in np.unique(piece)]
    sizes = np.unique(piece, return_counts=True)[1]
    least = math.fsum(float(n) * error for n, error in zip(sizes, errors, strict=True)) / len(outcome)
    return BestPossible(least, len(starts), reading.spread)


def _least(outcome: Outcome, members: NDArray[np.bool_], spread_m: float) -> float:
    from lmdk_widgets.geoind import least_error  # late: a page opens without it

    return least_error(most_of(outcome, members) / outcome.scenario.radius_m, spread_m)


@cached("visitor", entries=4, what="where the stays of a track begin")
def stays(trajectory: Trajectory) -> tuple[int, ...]:
    """The first timestamps of the stays of a track: 20 minutes or more within 200 m."""
    return tuple(stay.first for stay in stay_points(trajectory))


def best_possible_sentence(outcome: Outcome) -> str:
    """How near any mechanism with these budgets could bring a reader, beside how near this one does, once that is known; ""
    where nothing is proven, or where this reader is nearer on these data than that mean."""
    found = useful_of(outcome)
    best = None if found is None else best_possible(outcome)
    if found is None or best is None or not 0 < best.least_m <= found.reader:
        return ""
    what: str = "your track"
    if best.stays > 1:
        parts = "each of the {n_parts} of your track (a new part begins with every stay after the first)"
        what = sentence(parts, n_parts=count(best.stays, "part"))
    return sentence(
        "No mechanism with these budgets lets any reader come nearer than {least_possible_error} on average, whatever it "
        "reports; yours lets this reader come within {own_error}. The limit is for a reader who may know the shape of "
        "{what}, but not where it lies: it may have been moved as a whole in any direction, by {spread_error} on average, as "
        "far as your places lie from their middle.",
        least_possible_error=bound_metres(best.least_m, up=False),
        own_error=estimate(outcome, found.shown),
        what=what,
        spread_error=metres(best.spread_m),
    )

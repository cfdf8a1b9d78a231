"""What silence reveals: a place that is left out of a release lies between the reports before and after each silence.

Whoever knows which silences belong to one place takes the geometric median of these reports. Even without noise it lies
near the place, since people arrive from everywhere and leave to everywhere: no epsilon moves it farther away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.noise import planar_laplace
from lmdk_widgets.trajectory.model import Trajectory

DRAWS = 20
"""Releases behind the distance."""

LEAST_SILENCE_S, LEAST_INTERVALS = 900.0, 3
"""A shorter silence, in seconds or in median intervals, is not seen as one."""

NINE_TENTHS = 0.9


@dataclass(frozen=True)
class Silence:
    """What the silences about a place give away.

    Attributes
    ----------
    error_m : metres from the place to the geometric median of the ends, weighted by their budgets: the median of `DRAWS`
        releases; infinite where there is no end.
    most_m : the same in about nine of ten releases.
    limit_m : the same without noise, which no epsilon moves.
    ends : how many reports stand beside the silences.
    """

    error_m: float
    most_m: float
    limit_m: float
    ends: int


def silence(trajectory: Trajectory, members: NDArray[np.bool_], spent: Floats, radius_m: float, seed: int) -> Silence:
    """What an attacker who knows which silences belong to a place learns where it is.

    The ends are the last report before, and the first after, every stretch of at least 15 minutes and three median
    intervals in which the place is left out.

    Parameters
    ----------
    trajectory : the true track, n timestamps.
    members : (n,) bool, the timestamps at the place that are left out.
    spent : (n,) epsilon of each timestamp's own report under planar Laplace; 0 where there is none.
    radius_m : the protection radius, metres. seed : of the draws.

    Returns
    -------
    Silence

    Notes
    -----
    Guarantee: none, this is an attack, computed from the true track. The silences show when one is at the place.

    Examples
    --------
    >>> from lmdk_widgets.inference import main_place
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> home = main_place(commuter.latitude, commuter.longitude)[2]
    >>> found = silence(commuter, home, np.where(home, 0.0, 1.0), 200.0, 1)
    >>> found.ends, round(found.limit_m)
    (20, 364)
    """
    return _silence(trajectory, members.tobytes(), np.ascontiguousarray(spent, float).tobytes(), radius_m, seed)


@cached("visitor", entries=32, what="how far off one is who averages the reports around a place's silences")
def _silence(trajectory: Trajectory, members: bytes, budgets: bytes, radius_m: float, seed: int) -> Silence:
    there, spent = np.frombuffer(members, bool), np.frombuffer(budgets)
    ends = silence_ends(trajectory, there, spent > 0)
    if not len(ends):
        return Silence(np.inf, np.inf, np.inf, 0)
    points, weights = trajectory.points_m[ends], spent[ends]
    place = trajectory.frame.to_metres(*_middle(trajectory, there))
    drawn = errors_beside(points - place, weights, radius_m, seed)
    limit = np.hypot(*geometric_median(points - place, weights))
    return Silence(float(np.median(drawn)), float(np.quantile(drawn, NINE_TENTHS)), float(limit), len(ends))


def errors_beside(ends_m: Floats, weights: Floats, radius_m: float, seed: int) -> Floats:
    """(`DRAWS`,) how far off someone is who averages the reports beside the silences of a place, metres, in each draw.

    Parameters
    ----------
    ends_m : (k, 2) where they were made, metres from the place. weights : (k,) their budgets, above 0.
    """
    rng = np.random.default_rng(seed)
    return np.array(
        [np.hypot(*geometric_median(planar_laplace(ends_m, weights / radius_m, rng), weights)) for _ in range(DRAWS)]
    )


def _middle(trajectory: Trajectory, there: NDArray[np.bool_]) -> tuple[float, float]:
    """Of the lasting place that has just these timestamps, else of the main place among them, degrees."""
    for place in lasting_places_of(trajectory):
        if (place.members == there).all():
            return place.latitude, place.longitude
    latitude, longitude, _ = main_place(trajectory.latitude[there], trajectory.longitude[there])
    return latitude, longitude


def shortest_silence_s(trajectory: Trajectory) -> float:
    """Seconds without a report from which on this is seen as a silence: 15 minutes, or three median intervals.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> shortest_silence_s(sample("runner")), shortest_silence_s(sample("bob"))
    (900.0, 8460.0)
    """
    usual = float(np.median(np.diff(_seconds(trajectory)))) if len(trajectory) > 1 else 0.0
    return max(LEAST_SILENCE_S, LEAST_INTERVALS * usual)


def _seconds(trajectory: Trajectory) -> Floats:
    return np.asarray(trajectory.time.astype("datetime64[ms]").astype(np.int64) / 1e3, float)


def silence_ends(trajectory: Trajectory, members: NDArray[np.bool_], reported: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(k,) the timestamps with a report beside the long silences of a place; one between two silences counts once.

    Parameters
    ----------
    members : (n,) at the place. reported : (n,) with a report of their own; those of the place are ignored.
    """
    seconds, least = _seconds(trajectory), shortest_silence_s(trajectory)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], members.astype(np.int8), [0]))))
    heard = np.flatnonzero(reported & ~members)
    found: set[int] = set()
    for first, after in edges.reshape(-1, 2).tolist():
        at = int(np.searchsorted(heard, first))
        sides = [int(heard[at - 1])] if at else []
        sides += [int(heard[at])] if at < len(heard) else []
        start, end = (sides[0] if at else first), (sides[-1] if at < len(heard) else after - 1)
        if seconds[end] - seconds[start] >= least:
            found.update(sides)
    return np.array(sorted(found), np.intp)

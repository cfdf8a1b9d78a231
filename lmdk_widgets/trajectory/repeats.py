"""Times that come more than once: the first of their points, the last, or the mean of all, and what each would change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import Offer
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.words import counted

CHOICES = ("first", "last", "average")
"""What can be done about them, beside refusing them."""

Rows = NDArray[np.intp]


class Kept(NamedTuple):
    """What stays of points in order of time, of which some have the same time: m of them, one for each time.

    Attributes
    ----------
    rows : (m,) the points that stay. latitude, longitude : (m,) degrees.
    moved_m : (m,) how far the place is from that of the first point of its time, metres.
    """

    rows: Rows
    latitude: Floats
    longitude: Floats
    moved_m: Floats


def resolve(raw: RawPoints, rows: Rows, repeated: NDArray[np.bool_], how: str) -> Kept:
    """One point for each time.

    Parameters
    ----------
    rows : (n,) points in order of time, of equal times in that of the file.
    repeated : (n,) whether a point has the time of the one before it.
    how : one of `CHOICES`.

    Returns
    -------
    Kept
        "average" is the mean of the degrees, counted from the first point of each time, so that it is right across the
        antimeridian too.
    """
    starts = np.flatnonzero(~repeated)
    first = rows[starts]
    north, east = raw.latitude[first], raw.longitude[first]
    if how == "last":
        kept = rows[np.r_[starts[1:], len(rows)] - 1]
        latitude, longitude = raw.latitude[kept], raw.longitude[kept]
    elif how == "average":
        kept, group, size = first, np.cumsum(~repeated) - 1, np.diff(np.r_[starts, len(rows)])
        latitude = north + np.bincount(group, raw.latitude[rows] - north[group], len(starts)) / size
        beside = (raw.longitude[rows] - east[group] + 180) % 360 - 180
        longitude = (east + np.bincount(group, beside, len(starts)) / size + 180) % 360 - 180
        longitude[size == 1] = east[size == 1]  # to the last bit
    else:
        kept, latitude, longitude = first, north, east
    return Kept(kept, latitude, longitude, distance_m(north, east, latitude, longitude))


def offers(raw: RawPoints, rows: Rows, repeated: NDArray[np.bool_]) -> list[Offer]:
    """What can be chosen for repeated times, each with what it changes; distances, and never a place."""
    fewer = int(repeated.sum())
    left_out = counted(fewer, raw.noun)
    said: list[Offer] = []
    for how in CHOICES:
        farthest_m = float(resolve(raw, rows, repeated, how).moved_m.max())
        moves = f"up to {_metres(farthest_m)} from the first"
        text = {
            "first": f"Keep the first: leaves out {left_out}",
            "last": f"Keep the last: leaves out {left_out}, {moves}",
            "average": f"Average: {left_out} fewer, places {moves}",
        }[how]
        said.append((text, {"on_repeat": how}))
    return said


def notice(raw: RawPoints, kept: Kept, repeated: NDArray[np.bool_], how: str) -> str:
    """What was done to repeated times."""
    group = np.cumsum(~repeated) - 1
    times = len(set(group[repeated].tolist()))
    often = counted(times, "time comes", "times come")
    if how == "average":
        farthest = _metres(float(kept.moved_m.max()))
        return f"{often} more than once: each has the mean of its places now, up to {farthest} from the first."
    return f"{often} more than once: the {how} {raw.noun} of each stays, {counted(int(repeated.sum()), raw.noun)} left out."


def any_flag(flags: NDArray[np.bool_] | None, rows: Rows, repeated: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Whether any of the points of each time has a flag, (m,); None where there are no flags."""
    return None if flags is None else np.logical_or.reduceat(flags[rows], np.flatnonzero(~repeated))


def _metres(distance: float) -> str:
    """A distance in words.

    Examples
    --------
    >>> _metres(0.2), _metres(340.2), _metres(12_345)
    ('0 m', '340 m', '12.3 km')
    """
    return f"{distance:,.0f} m" if distance < 1_000 else f"{distance / 1_000:,.1f} km"

"""What people do today before they publish a track: zones, ends cut off, rounding, approximate location, thinning.

None of it carries a guarantee: the attacks of this package say what each leaves open on the data at hand. Every function
returns the track as published, in the same frame of time, and leaves the given one as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, numbers, positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import METRES_PER_DEGREE, Floats, wrapped
from lmdk_widgets.practice.pieces import pieces
from lmdk_widgets.trajectory.model import Trajectory

GRID_M, OFFSET_M = 2_000.0, 500.0
"""Approximate location on a phone: the side of its cells, and the standard deviation of its offset on each axis, metres."""

RENEWED, EVERY_S = 0.03, 3_600.0
"""The share of the offset that is drawn anew, and after how many seconds: it forgets in 93 days."""

MOST_DECIMALS = 6
"""Of degrees: the last one is 11 cm."""

_POLE = 1e-6
"""The smallest cosine of a latitude: cells at the poles stay finite."""


def zone(
    trajectory: Trajectory,
    centres: Iterable[tuple[float, float]],
    radius_m: float,
    *,
    offset_m: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Trajectory:
    """The track without the points in privacy zones: those with ``|p - c| <= radius_m`` for a centre c.

    Parameters
    ----------
    trajectory : n timestamps.
    centres : latitude and longitude of each zone, degrees; at least one.
    radius_m : metres, above 0.
    offset_m : each centre is moved once, uniformly within a disc of this radius, metres. rng : draws the offsets; needed
        for them.

    Returns
    -------
    The published track, with the landmarks and labels of the timestamps that are left.

    Raises
    ------
    InputError : a place or a length out of range, an offset without `rng`, or a zone that leaves nothing to publish.

    Notes
    -----
    Guarantee: none. `find_zone` finds most homes to within tens of metres.
    Hassan, Hussain and Bates (USENIX Security 2018): 16.5 % of 21 million activities' users had zones.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = sample("bob")
    >>> len(bob), len(zone(bob, [(bob.latitude[0], bob.longitude[0])], 400.0))
    (8, 7)
    """
    radius_m, offset_m = positive(radius_m, "radius_m"), positive(offset_m, "offset_m", zero=True)
    places = numbers(list(centres), "centres")
    if places.ndim != 2 or places.shape[1] != 2 or not len(places) or not (np.abs(places) <= (90, 180)).all():
        raise InputError("centres must be pairs of a latitude and a longitude in degrees, at least one")
    middles = trajectory.frame.to_metres(*places.T)
    if offset_m:
        if rng is None:
            raise refused("rng", "given, to move the centres", rng)
        middles = moved_centres(middles, offset_m, rng)
    keep = np.ones(len(trajectory), bool)
    for middle in middles:
        keep &= np.hypot(*(trajectory.points_m - middle).T) > radius_m
    return _only(trajectory, keep, "the zones")


def moved_centres(centres_m: Floats, offset_m: float, rng: np.random.Generator) -> Floats:
    """Where `zone` moves its centres to: (k, 2) metres in the track's frame, each uniform within offset_m of its own."""
    draw = generator(rng)
    angle, far = draw.uniform(0, 2 * math.pi, len(centres_m)), offset_m * np.sqrt(draw.random(len(centres_m)))
    return centres_m + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def cut_ends(trajectory: Trajectory, metres: float | None = None, *, minutes: float | None = None) -> Trajectory:
    """The track without the first and the last part of every piece, a run of points without a long silence.

    Parameters
    ----------
    trajectory : n timestamps. metres : along the way, above 0; minutes : or in time. One of the two.

    Returns
    -------
    The published track. A piece that is shorter than twice what is cut off is not published at all.

    Raises
    ------
    InputError : both or neither, one out of range, or nothing that is left to publish.

    Notes
    -----
    Guarantee: none; `find_cut_ends` guesses the place at which pieces start and end.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> taxi = sample("taxi")
    >>> len(taxi) > len(cut_ends(taxi, 500.0)) > len(cut_ends(taxi, 2000.0))
    True
    """
    if (metres is None) == (minutes is None):
        raise InputError("Give either metres or minutes", value="both" if metres is not None else "neither")
    size = positive(minutes, "minutes") * 60 if metres is None else positive(metres, "metres")
    keep = np.zeros(len(trajectory), bool)
    for first, last in pieces(trajectory.time):
        part = slice(first, last + 1)
        steps = np.hypot(*np.diff(trajectory.points_m[part], axis=0).T)
        if metres is None:
            steps = np.diff(trajectory.time[part]) / np.timedelta64(1, "s")
        along = np.concatenate([[0.0], np.cumsum(steps)])
        keep[part] = (along >= size) & (along[-1] - along >= size)
    return _only(trajectory, keep, "the ends that are cut off")


def rounded(trajectory: Trajectory, *, decimals: int | None = None, cell_m: float | None = None) -> Trajectory:
    """The track with each place moved to the middle of its cell: coordinates with few digits, or squares.

    Parameters
    ----------
    trajectory : n timestamps.
    decimals : of degrees, 0 to 6; cell_m : or the side of the squares of a global grid, metres, above 0. One of the two.

    Returns
    -------
    The published track, n timestamps.

    Raises
    ------
    InputError : both or neither, or one out of range.

    Notes
    -----
    Guarantee: none. A place lies in its cell, on average .3826 of a square's side from the middle; `find_rounded` uses a
    receiver's noise, which reaches a border now and then.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> rounded(sample("bob"), decimals=2).latitude[:2].tolist()
    [48.87, 48.87]
    """
    high, wide = cell_degrees(trajectory.latitude, decimals=decimals, cell_m=cell_m)
    if decimals is not None:  # exact, also halfway between two numbers
        return _moved(trajectory, np.round(trajectory.latitude, decimals), np.round(trajectory.longitude, decimals))
    return _moved(trajectory, *_snapped(trajectory.latitude, trajectory.longitude, high, wide))


def cell_degrees(
    latitude: ArrayLike, *, decimals: int | None = None, cell_m: float | None = None
) -> tuple[Floats, Floats]:
    """The height and the width of the cell to whose middle a place at each latitude is rounded.

    A square is as wide as at the middle of its row, so that it depends on nothing but the row, and a published place has
    the cell of the true one.

    Parameters
    ----------
    latitude : (n,) degrees. decimals, cell_m : as for `rounded`.

    Returns
    -------
    high, wide : (n,) degrees each.

    Examples
    --------
    >>> high, wide = cell_degrees([48.8], cell_m=1000.0)
    >>> round(float(high[0]), 5), round(float(wide[0]), 4)
    (0.00899, 0.0137)
    """
    if (decimals is None) == (cell_m is None):
        raise InputError("Give either decimals or cell_m", value="both" if cell_m is not None else "neither")
    at = numbers(latitude, "latitude")
    if decimals is not None:
        side = 10.0 ** -whole(decimals, "decimals", least=0, most=MOST_DECIMALS)
        return np.full_like(at, side), np.full_like(at, side)
    side = positive(cell_m, "cell_m") / METRES_PER_DEGREE
    return np.full_like(at, side), side / np.maximum(np.cos(np.radians(np.round(at / side) * side)), _POLE)


def approximate(trajectory: Trajectory, *, rng: np.random.Generator) -> Trajectory:
    """The track as a phone's "approximate location" reports it: moved by a slowly changing offset, then snapped to 2 km.

    On each axis the offset o is normal with a standard deviation of a quarter of the grid, 500 m; every hour it becomes
    ``sqrt(1 - .03**2) o + .03 new``. So do the public sources of Android.

    Parameters
    ----------
    trajectory : n timestamps. rng : draws the offsets.

    Returns
    -------
    The published track, n timestamps.

    Raises
    ------
    InputError : no `rng`.

    Notes
    -----
    Guarantee: none. `find_approximate` is the exact filter over the place and the offset.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> len(approximate(sample("bob"), rng=np.random.default_rng(1)))
    8
    """
    offsets = offsets_m(trajectory.time, generator(rng))
    cosine = np.maximum(np.cos(np.radians(trajectory.latitude)), _POLE)
    latitude = np.clip(trajectory.latitude + offsets[:, 1] / METRES_PER_DEGREE, -90, 90)
    longitude = wrapped(trajectory.longitude + np.clip(offsets[:, 0] / (METRES_PER_DEGREE * cosine), -360, 360))
    return _moved(trajectory, *_snapped(latitude, longitude, *cell_degrees(latitude, cell_m=GRID_M)))


def renewals(time: NDArray[np.datetime64]) -> NDArray[np.int64]:
    """(n,) how often the offset of approximate location was renewed since the first timestamp."""
    return ((time - time[0]) / np.timedelta64(1, "s") / EVERY_S).astype(np.int64)


def offsets_m(time: NDArray[np.datetime64], rng: np.random.Generator) -> Floats:
    """(n, 2) the offset of approximate location at each time, metres to the east and to the north.

    The first is drawn from the stationary distribution; several renewals at once are one draw.
    """
    which, at = np.unique(renewals(time), return_inverse=True)
    kept = (1 - RENEWED**2) ** (np.diff(which) / 2)
    offsets = rng.normal(0, OFFSET_M, (len(which), 2))
    for k, keep in enumerate(kept, start=1):
        offsets[k] = keep * offsets[k - 1] + math.sqrt(1 - keep**2) * offsets[k]
    found: Floats = offsets[at.ravel()]
    return found


def thinned(trajectory: Trajectory, minutes: float) -> Trajectory:
    """The track with one point in some minutes: the first, and each that is at least so much later than the last one kept.

    Parameters
    ----------
    trajectory : n timestamps. minutes : above 0.

    Returns
    -------
    The published track, with the landmarks and labels of the timestamps that are left.

    Raises
    ------
    InputError : minutes out of range.

    Notes
    -----
    Guarantee: none. The places that are left are true, and `lmdk_widgets.inference.main_place` finds the main one.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> len(sample("commuter")), len(thinned(sample("commuter"), 60.0))
    (2016, 168)
    """
    between = np.timedelta64(round(min(positive(minutes, "minutes"), 1e8) * 60e9), "ns")
    keep = np.zeros(len(trajectory), bool)
    at = 0
    while at < len(trajectory):
        keep[at] = True
        at = int(np.searchsorted(trajectory.time, trajectory.time[at] + between))
    return _only(trajectory, keep, "thinning")


def _only(trajectory: Trajectory, keep: NDArray[np.bool_], what: str) -> Trajectory:
    """The timestamps that are kept."""
    if not keep.any():
        raise InputError(f"Nothing is left to publish: {what} cover the whole track", remedy="Choose a smaller size")
    return trajectory[keep]


def _snapped(latitude: Floats, longitude: Floats, high: Floats, wide: Floats) -> tuple[Floats, Floats]:
    """The middles of the cells, (n,) each; of cells beyond a pole the pole."""
    return np.clip(np.round(latitude / high) * high, -90, 90), wrapped(np.round(longitude / wide) * wide)


def _moved(trajectory: Trajectory, latitude: Floats, longitude: Floats) -> Trajectory:
    return replace(trajectory, latitude=latitude, longitude=longitude)

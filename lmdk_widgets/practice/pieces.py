"""Pieces of a published track, between long silences, their ends, and how far from each end the person may have been."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.model import Trajectory

SILENCE_S, INTERVALS = 60.0, 5.0
"""A silence ends a piece if it is longer than this, and than this number of median intervals."""

BESIDE, QUANTILE, NOISE_M = 10, 0.9, 15.0
"""The intervals beside an end that tell how far its next point would have been, their quantile, and a receiver's noise,
metres."""

_WINDOWS = 200
"""The most lengths of way that are compared with their chords, a piece each."""


def pieces(time: NDArray[np.datetime64]) -> list[tuple[int, int]]:
    """The first and the last timestamp of each run without a silence above max(60 s, five median intervals).

    Parameters
    ----------
    time : (n,) increasing, n at least 1.

    Examples
    --------
    >>> pieces(np.array([0, 5, 10, 300, 305], "datetime64[s]"))
    [(0, 2), (3, 4)]
    """
    intervals = np.diff(time) / np.timedelta64(1, "s")
    if not len(intervals):
        return [(0, 0)]
    ends = np.flatnonzero(intervals > max(SILENCE_S, INTERVALS * float(np.median(intervals)))).tolist()
    return list(zip([0, *(end + 1 for end in ends)], [*ends, len(time) - 1], strict=True))


def ends_of(published: Trajectory) -> tuple[NDArray[np.int64], Floats]:
    """The ends of pieces, and the step of each: how far from it the point that is missing may lie.

    The step is the 90 % quantile of the ten speeds beside the end, times that of the ten intervals, plus 15 m. A piece of
    one point has no speed and no end.

    Returns
    -------
    ends : (k,) timestamps, two of each piece. steps : (k,) metres.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> ends, steps = ends_of(sample("bob"))
    >>> ends.tolist(), round(float(steps[0]))
    ([0, 4, 5, 7], 9050)
    """
    ends, steps = [], []
    for first, last in pieces(published.time):
        for end in (first, last) if last > first else ():
            speeds, seconds = _beside(published, first, last, end)
            ends.append(end)
            steps.append(float(np.quantile(speeds, QUANTILE) * np.quantile(seconds, QUANTILE)) + NOISE_M)
    return np.array(ends, np.int64), np.array(steps)


def usual_speed(published: Trajectory, ends: NDArray[np.int64]) -> Floats:
    """(k,) the 90 % quantile of the ten speeds beside each end, m/s."""
    of = {end: (first, last) for first, last in pieces(published.time) for end in (first, last)}
    speeds = [np.quantile(_beside(published, *of[end], end)[0], QUANTILE) for end in ends.tolist()]
    return np.array(speeds, float)


def straightness(published: Trajectory, ends: NDArray[np.int64], lengths: Floats) -> Floats:
    """How straight the way is at each end's piece: the 10 % and the 90 % quantile of chord by length.

    Parameters
    ----------
    ends : (k,) timestamps, the first or last of a piece. lengths : (k,) metres along the way.

    Returns
    -------
    (k, 2) between 0 and 1; of a shorter piece, that of all of it.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = sample("bob")
    >>> bool((straightness(bob, np.array([0]), np.array([1.0])) > 0.99).all())
    True
    """
    of = {end: (first, last) for first, last in pieces(published.time) for end in (first, last)}
    found = []
    for end, length in zip(ends.tolist(), lengths.tolist(), strict=True):
        first, last = of[end]
        points = published.points_m[first : last + 1]
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        size = min(length, float(along[-1]))
        if size <= 0:
            found.append((0.0, 1.0))  # nobody moved
            continue
        starts = np.linspace(0, along[-1] - size, min(len(points), _WINDOWS))
        a, b = (np.stack([np.interp(at, along, axis) for axis in points.T], axis=1) for at in (starts, starts + size))
        low, high = np.quantile(np.hypot(*(b - a).T) / size, (1 - QUANTILE, QUANTILE))
        found.append((min(float(low), 1.0), min(float(high), 1.0)))
    return np.array(found).reshape(-1, 2)


def _beside(published: Trajectory, first: int, last: int, end: int) -> tuple[Floats, Floats]:
    """The speeds, m/s, and the intervals, s, of up to ten steps of a piece beside one of its ends."""
    part = slice(first, min(first + BESIDE, last) + 1) if end == first else slice(max(last - BESIDE, first), last + 1)
    seconds = np.diff(published.time[part]) / np.timedelta64(1, "s")
    return np.hypot(*np.diff(published.points_m[part], axis=0).T) / seconds, seconds

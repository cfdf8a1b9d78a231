"""Stay points: where a person spent time, proposed as landmarks.

The track is scanned one anchor at a time. Done naively, every anchor checks every point near it, which on a
slow track is the whole track each time. Two observations make it fast. A stay that starts at an anchor must contain all
points up to the first one `duration_s` later, so a single one of these that is too far rules out the anchor; and the
point that ruled out one anchor usually rules out the next, so it is tried first, and chosen late so that it lasts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import positive
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame
from lmdk_widgets.trajectory.model import Trajectory

_LONGEST_S = 2e10  # longer than any track, and an integer of nanoseconds
_CHUNK = 64  # points checked together at first; doubled while all of them are near


@dataclass(frozen=True)
class StayPoint:
    """A place where time was spent; its repr shows no coordinate.

    Attributes
    ----------
    first, last : its first and last timestamps (indices from 0), both included.
    latitude, longitude : the mean place, degrees WGS84.
    arrival, departure : the times of `first` and `last`, datetime64[ns] UTC.
    timestamp : index of the point nearest to the mean place, proposed as a landmark.
    """

    first: int
    last: int
    latitude: float = field(repr=False)
    longitude: float = field(repr=False)
    arrival: np.datetime64
    departure: np.datetime64
    timestamp: int


def stay_points(
    trajectory: Trajectory, *, distance_m: float = 200.0, duration_s: float = 1200.0
) -> tuple[StayPoint, ...]:
    """The stay points of a track, in time order; they do not overlap.

    A stay is a maximal run of points first..last with dist(point_i, point_first) <= distance_m for all of them and
    time_last - time_first >= duration_s; the scan continues after it. Distances are great-circle distances.

    Parameters
    ----------
    trajectory : the track, n points.
    distance_m : radius around the first point, metres, above 0.
    duration_s : shortest stay, seconds, above 0.

    Returns
    -------
    tuple of StayPoint

    Raises
    ------
    InputError for thresholds that are not positive numbers.

    Notes
    -----
    No privacy: stay points are computed from the true places and are as sensitive as they are.

    Distances are compared as chords of the unit sphere, |u_i - u_j| <= 2 sin(distance_m / 2R): no trigonometry per
    pair, correct at the poles and across the antimeridian, and, as differences of nearby vectors, exact to about
    1e-9 m; the angle from their dot product would be wrong by up to 0.1 m.

    Li et al., Mining User Similarity Based on Location History, GIS 2008, section 3; Zheng et al., Mining Interesting
    Locations and Travel Sequences from GPS Trajectories, WWW 2009. There, the duration is measured to the first point
    outside; here, to the last one inside: a gap in the recording is not a stay.

    Examples
    --------
    >>> time = np.datetime64("2026-01-26T08:00", "s") + np.arange(0, 3600, 300)
    >>> longitude = [2.30, 2.31, 2.32] + [2.33] * 6 + [2.34, 2.35, 2.36]
    >>> stay_points(Trajectory([48.85] * 12, longitude, time))[0].timestamp
    3
    """
    distance_m, duration_s = positive(distance_m, "distance_m"), positive(duration_s, "duration_s")
    phi, lam = np.radians(trajectory.latitude), np.radians(trajectory.longitude)
    # by coordinate (3, n), so slices are contiguous in memory
    unit_vectors = np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    # wraps around: correct up to 584 years
    age_ns = trajectory.time.view(np.uint64) - trajectory.time[:1].view(np.uint64)
    chord = 2 * math.sin(min(distance_m / EARTH_RADIUS_M, math.pi) / 2)
    duration_ns = math.ceil(min(duration_s, _LONGEST_S) * 1e9)
    runs = _runs(unit_vectors, age_ns, chord**2, duration_ns)
    return tuple(_stay(trajectory, first, last) for first, last in runs)


def _runs(vectors: Floats, age_ns: NDArray[np.uint64], limit: float, duration_ns: int) -> Iterator[tuple[int, int]]:
    """First and last index of every stay; `age_ns` counts from the first point, `limit` is the squared chord."""
    n, latest = len(age_ns), int(age_ns[-1]) - duration_ns
    if latest < 0:
        return
    # A stay from a later anchor would outlast the track; `enough` is the first point that is late enough.
    anchors = int(np.searchsorted(age_ns, np.uint64(latest), side="right"))
    enough = np.searchsorted(age_ns, age_ns[:anchors] + np.uint64(duration_ns)).tolist()
    x, y, z = (vector.tolist() for vector in vectors)  # for single pairs, plain floats are ten times as fast
    anchor, far = 0, 0
    while anchor < anchors:
        if far > anchor and (x[far] - x[anchor]) ** 2 + (y[far] - y[anchor]) ** 2 + (z[far] - z[anchor]) ** 2 > limit:
            anchor += 1
            continue
        far, end = _scan(vectors, anchor, enough[anchor] + 1, limit)
        if far < 0:  # all of them are near: a stay, which may continue
            _, end = _scan(vectors, anchor, n, limit)
            yield anchor, end - 1
            anchor = end
        else:
            anchor += 1


def _scan(vectors: Floats, anchor: int, stop: int, limit: float) -> tuple[int, int]:
    """A late point before `stop` that is too far from the anchor, or -1; and the first such point."""
    start, size = anchor + 1, _CHUNK
    while start < stop:
        chunk = vectors[:, start : min(start + size, stop)]
        away = ((chunk - vectors[:, anchor, None]) ** 2).sum(axis=0) > limit
        if away.any():
            return start + len(away) - 1 - int(np.argmax(away[::-1])), start + int(np.argmax(away))
        start, size = start + size, size * 2
    return -1, stop


def _stay(trajectory: Trajectory, first: int, last: int) -> StayPoint:
    """The stay for a run; its mean is computed in a frame around its first point, so the antimeridian does not matter."""
    latitude, longitude = trajectory.latitude[first : last + 1], trajectory.longitude[first : last + 1]
    frame = LocalFrame(float(latitude[0]), float(longitude[0]))
    points_m = frame.to_metres(latitude, longitude)
    mean_m = points_m.mean(axis=0)
    mean_latitude, mean_longitude = frame.to_degrees(mean_m)
    nearest = first + int(np.argmin(np.hypot(*(points_m - mean_m).T)))
    place = float(mean_latitude), float(mean_longitude)
    return StayPoint(first, last, *place, trajectory.time[first], trajectory.time[last], nearest)

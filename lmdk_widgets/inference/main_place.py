"""The place where most timestamps are, and how accurately averaging the reports there finds it.

Someone who knows when you are at one place needs no chain: all reports of that place are around the same point. For
planar Laplace with rate ``b / r``, the Fisher information of a report is ``(b / r)^2 / 2`` per coordinate, so N reports
give a standard deviation of ``sqrt(2) r / B`` per coordinate, ``B = sqrt(sum b^2)``. The geometric median attains it.

Counting all neighbours of all timestamps would take n^2 pairs. Cubes on the sphere bound the counts from both sides, so
only the timestamps in a few cubes are counted, and smaller cells there leave only pairs near the circle.
"""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import not_negative, number, numbers, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame

_FINE = 9
"""Number of small cells along the side of a cube, whose diagonal is the radius."""

_AT_ONCE = 4_000_000
"""How many pairs of points are compared at a time."""

_REACH = list(product((-2, -1, 0, 1, 2), repeat=3))
"""Offsets of the cubes that can contain a point within the radius of one in the middle cube; the radius is its diagonal."""


def main_place(
    latitude: ArrayLike, longitude: ArrayLike, *, radius_m: float = 200.0
) -> tuple[float, float, NDArray[np.bool_]]:
    """The place around which most timestamps are.

    Finds the timestamp with the most timestamps within the radius, the first of ties; the place is their mean.

    Parameters
    ----------
    latitude, longitude : (n,) degrees WGS84, n at least 1.
    radius_m : metres on the ground, above 0.

    Returns
    -------
    latitude, longitude : of the place, degrees.
    members : (n,) bool, the timestamps within the radius of the place.

    Raises
    ------
    InputError : no place, invalid degrees, different lengths, a radius that is not above 0.

    Notes
    -----
    Guarantee: none. It is computed from the true places and is as sensitive as they are.
    Numerics: distances are compared as chords of the sphere, exact to about 1e-9 m, even at the poles and across the
    antimeridian. About ``n`` numbers are stored at a time, never ``n x n``.

    Examples
    --------
    >>> latitude, longitude, members = main_place([48.85, 48.8501, 48.87], [2.35, 2.35, 2.35])
    >>> round(latitude, 5), members.tolist()
    (48.85005, [True, True, False])
    """
    latitude, longitude = _degrees(latitude, longitude)
    radius_m = positive(radius_m, "radius_m")
    phi, lam = np.radians(latitude), np.radians(longitude)
    vectors = EARTH_RADIUS_M * np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=1)
    chord = 2 * EARTH_RADIUS_M * math.sin(min(radius_m / EARTH_RADIUS_M, math.pi) / 2)
    fullest = _fullest(vectors, chord)
    near = _within(vectors, vectors[fullest], chord)
    frame = LocalFrame(float(latitude[fullest]), float(longitude[fullest]))
    mean_m = frame.to_metres(latitude[near], longitude[near]).mean(axis=0)
    centre = [float(degrees) for degrees in frame.to_degrees(mean_m)]
    phi, lam = np.radians(centre)
    there = EARTH_RADIUS_M * np.array([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    return centre[0], centre[1], _within(vectors, there, chord)


def found_within(budgets: ArrayLike, radius_m: float, share: float = 0.5) -> float:
    """Metres within which averaging finds a place, with a chance of `share`: ``sqrt(2) r / B sqrt(-2 log(1 - share))``.

    Parameters
    ----------
    budgets : (k,) epsilon of each report published at the place; a repeated report counts once.
    radius_m : the protection radius r to which the budgets refer, metres, above 0.
    share : of all releases, above 0 and below 1; 0.5 gives the median, 1.6651 r / B.

    Returns
    -------
    metres; infinite if no budget was spent.

    Raises
    ------
    InputError : budgets below 0, a radius or a share out of range.

    Notes
    -----
    Guarantee: none. This is the accuracy of a known attack, within 5 to 18 % in draws on real tracks; with fewer than five
    reports it is 5 to 12 % too small. The attack needs no chain and no prior, only the times at which someone is there.

    Examples
    --------
    >>> round(found_within([0.2], 200)), round(found_within([0.1] * 100, 200), 1), round(found_within([1], 1, 0.9), 4)
    (1665, 333.0, 3.0349)
    """
    together, radius_m = _together(budgets), positive(radius_m, "radius_m")
    share = number(share, "share", 1e-9, 1 - 1e-9)
    return math.sqrt(2) * radius_m / together * math.sqrt(-2 * math.log1p(-share)) if together else math.inf


def guesses_right(budgets: ArrayLike) -> float:
    """How often averaging distinguishes the place of these reports from one a protection radius away: ``Phi(B / (2 sqrt
    2))``.

    Parameters
    ----------
    budgets : as in `found_within`.

    Returns
    -------
    A probability from 0.5, pure chance, to 1.

    Raises
    ------
    InputError : budgets below 0.

    Notes
    -----
    Guarantee: none. Both places are assumed to be equally likely beforehand.

    Examples
    --------
    >>> round(guesses_right([0.2]), 4), guesses_right([])
    (0.5282, 0.5)
    """
    return 0.5 * (1 + math.erf(_together(budgets) / 4))


def _degrees(latitude: ArrayLike, longitude: ArrayLike) -> tuple[Floats, Floats]:
    found = numbers(latitude, "latitude"), numbers(longitude, "longitude")
    if found[0].ndim != 1 or found[0].shape != found[1].shape or not len(found[0]):
        shapes = f"shapes {found[0].shape} and {found[1].shape}"
        raise InputError("latitude and longitude must contain at least one place, shape (n,) each", value=shapes)
    wrong = (np.abs(found[0]) > 90) | (np.abs(found[1]) > 180)
    if wrong.any():  # no value: it may be a true coordinate
        raise InputError(
            f"Place {int(wrong.argmax()):,} must have a latitude between -90 and 90 and a longitude between -180 and 180"
        )
    return found


def _together(budgets: ArrayLike) -> float:
    """B, the root of the sum of squares."""
    spent = not_negative(numbers(budgets, "budgets"), "budgets")
    return float(np.linalg.norm(spent.ravel()))


def _within(vectors: Floats, centre: Floats, chord: float) -> NDArray[np.bool_]:
    """Which points are within a chord of the centre."""
    near: NDArray[np.bool_] = ((vectors - centre) ** 2).sum(axis=1) <= chord**2
    return near


class _Cells(NamedTuple):
    """All points by small cells, sorted once. at : (k, 3) their numbers along each axis; side : metres; counts : (k,) points
    in each; points : of all cells, one after another, ascending in each; start : (k + 1,) where each cell's begin."""

    at: NDArray[np.int64]
    side: float
    counts: NDArray[np.int64]
    points: NDArray[np.intp]
    start: NDArray[np.int64]

    def of(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """The points in some cells."""
        return np.concatenate([self.points[self.start[c] : self.start[c + 1]] for c in cells.tolist()])


def _fullest(vectors: Floats, chord: float) -> int:
    """The index of the point with the most points within the chord, the first of ties."""
    side = chord / math.sqrt(3) / _FINE  # a cube has _FINE cells along its side
    at, cell, counts = np.unique(
        np.floor(vectors / side).astype(np.int64), axis=0, return_inverse=True, return_counts=True
    )
    start = np.concatenate([[0], np.cumsum(counts)])
    cells = _Cells(at, side, counts, np.argsort(cell.ravel(), kind="stable"), start)
    cubes, cube = np.unique(at // _FINE, axis=0, return_inverse=True)  # all points of a cube are within the chord
    cube = cube.ravel()
    inside = np.bincount(cube, counts).astype(np.int64)
    number_of = {tuple(key): k for k, key in enumerate(cubes.tolist())}
    by_cube = np.split(np.argsort(cube, kind="stable"), np.cumsum(np.bincount(cube))[:-1])
    most_possible = _around(cubes, inside)
    best, first = 0, len(vectors)
    for k in np.argsort(-most_possible, kind="stable").tolist():
        if most_possible[k] < max(best, inside.max()):
            break
        a, b, c = cubes[k].tolist()
        beside = [number_of[key] for x, y, z in _REACH if (key := (a + x, b + y, c + z)) in number_of]
        near = np.concatenate([by_cube[j] for j in beside])
        best, first = _best_of(vectors, cells, by_cube[k], near, chord, best, first)
    return first


def _around(cubes: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many points are in a cube and the cubes it can reach: none of its points has more within the chord."""
    low = cubes.min(axis=0) - 2
    size = (cubes.max(axis=0) - low + 3).tolist()
    keys = np.ravel_multi_index(tuple((cubes - low).T), size)  # sorted, as the cubes are
    up_to = np.concatenate([[0], np.cumsum(counts)])
    total = np.zeros(len(cubes), np.int64)
    for x, y in product(range(-2, 3), repeat=2):  # along the last axis the cubes within reach follow one another
        middle = keys + (x * size[1] + y) * size[2]
        total += up_to[np.searchsorted(keys, middle + 2, "right")] - up_to[np.searchsorted(keys, middle - 2)]
    return total


def _best_of(
    vectors: Floats,
    cells: _Cells,
    own: NDArray[np.intp],
    near: NDArray[np.intp],
    chord: float,
    best: int,
    first: int,
) -> tuple[int, int]:
    """The best count so far and its first point, including the points of one cube's cells, whose neighbours are in `near`."""
    # two points' distance differs from that of their cells' middles by at most one diagonal
    apart = cells.side * np.sqrt(sum((cells.at[own, k][:, None] - cells.at[near, k]) ** 2 for k in range(3)))
    slack = math.sqrt(3) * cells.side * (1 + 1e-9)
    inside, perhaps = apart + slack <= chord, np.abs(apart - chord) < slack
    counts = cells.counts[near].astype(float)  # whole numbers, which this adds up fast
    sure, most = inside @ counts, (inside | perhaps) @ counts
    for j in np.argsort(-most, kind="stable").tolist():
        if most[j] < best:
            break
        points = cells.of(own[j : j + 1])
        if most[j] == best and points[0] > first:
            continue
        found = np.full(len(points), int(sure[j]))
        edge = near[perhaps[j]]
        if len(edge):
            found += _counted(vectors[points], vectors[cells.of(edge)], chord)
        top = int(found.max())
        at = int(points[found == top].min())
        if top > best or (top == best and at < first):
            best, first = top, at
    return best, first


def _counted(points: Floats, others: Floats, chord: float) -> NDArray[np.int64]:
    """For each point, how many of the others are within the chord."""
    found = np.zeros(len(points), np.int64)
    rows = max(_AT_ONCE // max(len(others), 1), 1)
    for start in range(0, len(points), rows):
        away = ((points[start : start + rows, None] - others[None]) ** 2).sum(axis=2)
        found[start : start + rows] = (away <= chord**2).sum(axis=1)
    return found

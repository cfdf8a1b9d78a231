"""What is done today before one place is shared: rounded coordinates, or the larger square round it, and what that tells.

A rounded report is the same for every place of its group. It has no guarantee: whoever sees it rules out all other places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import distribution, numbers, points, refused, whole
from lmdk_widgets.geo import Floats

Groups = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MergedReport:
    """What a report tells that is the same for every place of a group.

    Attributes
    ----------
    reported : (n,) the place that is reported from each place: the one nearest to the middle of its group.
    loss : the expected distance from the true place to the report, ``sum_x pi_x d(x, r(x))``.
    error : of an attacker with the prior, ``sum_G min_g sum_{x in G} pi_x d(x, g)``.
    hit : the chance that the likeliest place of the group is the true one.
    left : how many places a report leaves possible, on average.
    groups : how many reports there are.
    """

    reported: NDArray[np.intp]
    loss: float
    error: float
    hit: float
    left: float
    groups: int


def square_groups(squares: ArrayLike, side: int) -> Groups:
    """Cells merged to larger squares: the number of the square of `side` by `side` cells in which each one lies.

    Parameters
    ----------
    squares : (n, 2) column and row of each cell, whole numbers. side : cells along the side of a larger square, at least 1.

    Returns
    -------
    (n,) numbers from 0. Squares are counted from column 0 and row 0, so some at an edge may hold fewer cells.

    Raises
    ------
    InputError : no whole numbers of shape (n, 2), or a side below 1.

    Examples
    --------
    >>> square_groups([[0, 0], [1, 0], [2, 0], [0, 1]], 2).tolist()
    [0, 0, 1, 0]
    """
    cells = points(squares, "squares", least=1)
    if (cells != np.round(cells)).any():
        raise refused("squares", "whole numbers, column and row of each cell", "other numbers")
    return _numbered(np.floor(cells / whole(side, "side")))


def decimal_groups(latitude: ArrayLike, longitude: ArrayLike, decimals: int) -> Groups:
    """Places merged by rounding their coordinates to so many decimals of a degree.

    Parameters
    ----------
    latitude, longitude : (n,) degrees. decimals : 0 to 6.

    Returns
    -------
    (n,) numbers from 0: places with the same number have the same rounded coordinates.

    Raises
    ------
    InputError : coordinates of different lengths, or decimals out of range.

    Examples
    --------
    >>> decimal_groups([48.861, 48.862, 48.871], [2.331, 2.332, 2.331], 2).tolist()
    [0, 0, 1]
    """
    north, east = numbers(latitude, "latitude"), numbers(longitude, "longitude")
    if north.ndim != 1 or north.shape != east.shape:
        raise refused("longitude", f"as long as latitude, {north.size:,}", east.size)
    k = whole(decimals, "decimals", least=0, most=6)
    return _numbered(np.round(np.stack([north, east], axis=1), k))


def merged_report(
    places_m: ArrayLike, groups: ArrayLike, prior: ArrayLike, loss: ArrayLike, error: ArrayLike | None = None
) -> MergedReport:
    """What an attacker with a prior infers from a report that is the same for every place of a group.

    Parameters
    ----------
    places_m : (n, 2) metres. groups : (n,) the number of the group of each place, as `square_groups` returns it.
    prior : (n,) probabilities. loss : (n, n) what a report costs, from the true place (row) to the reported one.
    error : (n, n) how far off a guess is; None for the same distances.

    Returns
    -------
    MergedReport : loss and error in the unit of these distances.

    Raises
    ------
    InputError : arrays that do not fit together, or a prior that does not add up to 1.

    Notes
    -----
    No guarantee: a report makes every place outside its group impossible, so no epsilon bounds how odds change.

    Examples
    --------
    >>> places, apart = [[0, 0], [1, 0], [5, 0]], [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
    >>> found = merged_report(places, [0, 0, 1], [0.2, 0.3, 0.5], apart)
    >>> found.reported.tolist(), round(found.loss, 9), round(found.error, 9), round(found.left, 9)
    ([0, 0, 2], 0.3, 0.2, 1.5)
    """
    at = points(places_m, "places_m", least=1)
    n = len(at)
    group = _numbered(np.asarray(groups)[:, None]) if np.shape(groups) == (n,) else None
    if group is None:
        raise refused("groups", f"one number for each of {n:,} places", f"shape {np.shape(groups)}")
    before = distribution(prior, "prior", n)
    cost, off = (numbers(each, name) for each, name in ((loss, "loss"), (loss if error is None else error, "error")))
    for table, name in ((cost, "loss"), (off, "error")):
        if table.shape != (n, n):
            raise refused(name, f"a matrix of shape ({n:,}, {n:,})", f"shape {table.shape}")
    member = group == np.arange(int(group.max()) + 1)[:, None]  # (groups, n)
    reported = np.array([_middle(at, np.flatnonzero(each)) for each in member])[group]
    guesses = (member * before) @ off
    possible = (member & (before > 0)).sum(axis=1)
    return MergedReport(
        reported,
        float(before @ cost[np.arange(n), reported]),
        float(guesses.min(axis=1).sum()),
        float((member * before).max(axis=1).sum()),
        float((member @ before) @ possible),
        len(member),
    )


def _middle(places_m: Floats, members: NDArray[np.intp]) -> int:
    """The member nearest to the middle of the group's extent; the first of several."""
    own = places_m[members]
    middle = (own.min(axis=0) + own.max(axis=0)) / 2
    far = np.hypot(*(own - middle).T)
    return int(members[int(np.argmax(far <= far.min() * (1 + 1e-9) + 1e-9))])


def _numbered(rows: NDArray) -> Groups:
    """The number of each row among the different ones, in the order in which they first occur."""
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    return np.asarray(order[inverse.ravel()])

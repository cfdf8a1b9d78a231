"""Following: an attack on a place by someone who does not know when you are there, from beliefs about a whole track."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import not_negative, numbers
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.averaging import geometric_median

BELIEVED = 0.5
"""A report is assigned to the place if the chance that it belongs there is above this."""


class Followed(NamedTuple):
    """An attacker's estimate of the most visited place.

    Attributes
    ----------
    cell : the cell with the largest expected share. share : the expected share of time spent there, 0 to 1.
    reports : (n,) bool, the reports that were averaged. place_m : (2,) metres, their median, or the middle of the cell if
        there are none.
    """

    cell: int
    share: float
    reports: NDArray[np.bool_]
    place_m: Floats


def following_attack(
    belief: ArrayLike, squares: ArrayLike, cells_m: ArrayLike, reports_m: ArrayLike, budgets: ArrayLike
) -> Followed:
    """Where most time is spent, from the belief about each timestamp and from the reports.

    The cell with the largest expected share ``mean_t post_t(c)``; then the median, weighted by budgets, of the reports that
    are in it or in a neighbouring cell with a probability of more than a half.

    Parameters
    ----------
    belief : (n, m) a distribution over m cells at each timestamp, such as the smoothed posterior of a reader.
    squares : (m, 2) column and row of each cell. cells_m : (m, 2) their middles, metres.
    reports_m : (n, 2) metres in the same frame, NaN where there is none. budgets : (n,) epsilon spent on each, 0 for a
        repeated report.

    Returns
    -------
    Followed

    Raises
    ------
    InputError : arrays with shapes that do not match, budgets below 0.

    Notes
    -----
    Guarantee: none, this is an attack, and it only uses public knowledge. Its precision is limited by the size of the cells:
    it is useful for cells of up to 1 km.

    Examples
    --------
    >>> belief = [[0.9, 0.1, 0.0], [0.8, 0.2, 0.0], [0.0, 0.1, 0.9]]
    >>> cells = [[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0]]
    >>> found = following_attack(belief, [[0, 0], [1, 0], [2, 0]], cells, [[10, 0], [30, 0], [1900, 0]], [1.0, 0.5, 1.0])
    >>> found.cell, round(found.share, 3), found.reports.tolist(), found.place_m.round(3).tolist()
    (0, 0.567, [True, True, False], [10.0, 0.0])
    """
    post, squares, middles, reports, spent = _together(belief, squares, cells_m, reports_m, budgets)
    shares = post.mean(axis=0)
    cell = int(shares.argmax())
    near = (np.abs(squares - squares[cell]) <= 1).all(axis=1)
    believed = (post[:, near].sum(axis=1) > BELIEVED) & (spent > 0) & np.isfinite(reports).all(axis=1)
    place = geometric_median(reports[believed], spent[believed]) if believed.any() else middles[cell]
    return Followed(cell, float(shares[cell]), believed, place)


def _together(*given: ArrayLike) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """The arguments as arrays with matching shapes."""
    post, squares, cells, reports = (np.asarray(each, float) for each in given[:4])
    spent = not_negative(numbers(given[4], "budgets"), "budgets")
    n, m = post.shape if post.ndim == 2 else (-1, -1)
    shapes = post.shape, squares.shape, cells.shape, reports.shape, spent.shape
    if shapes != ((n, m), (m, 2), (m, 2), (n, 2), (n,)) or not n * m:
        what = (
            "belief (n, m), squares (m, 2), cells_m (m, 2), reports_m (n, 2) and budgets (n,) must have matching shapes"
        )
        raise InputError(what, value=f"shapes {', '.join(map(str, shapes))}")
    return post, squares, cells, reports, spent

"""What a vector of budgets adds up to, for the sets of timestamps that the guarantees speak of."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import indices, whole
from lmdk_widgets.geo import Floats


def landmark_totals(budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """What landmark privacy bounds: ``sum of budgets over L and {t}``, for every t.

    Parameters
    ----------
    budgets : (n,) budgets, 0 or more.
    landmarks : L, indices from 0 to n - 1.

    Returns
    -------
    (n,) totals: the sum over the landmarks, plus the own budget where t is regular.

    Raises
    ------
    InputError : budgets that are not finite numbers of 0 or more, a landmark that is no timestamp.

    Notes
    -----
    Guarantee: if the totals are at most epsilon and the noises independent, the release satisfies landmark privacy with
    epsilon (Katsomallos et al., "Landmark privacy", CODASPY 2022, the theorem). Numerics: O(n), and exact for budgets
    made by this package, see `quanta`.

    Examples
    --------
    >>> landmark_totals([0.25, 0.25, 0.5, 0.125], [0, 2]).tolist()
    [0.75, 1.0, 0.75, 0.875]
    """
    spent = checked_budgets(budgets)
    marked = indices(landmarks, "landmarks", len(spent))
    own = spent.copy()
    own[marked] = 0.0
    return spent[marked].sum() + own


def window_totals(budgets: ArrayLike, window: int) -> Floats:
    """What w-event privacy bounds: ``sum of the last w budgets``, for the window that ends at every t.

    Parameters
    ----------
    budgets : (n,) budgets, 0 or more.
    window : w from 1 to n; windows are shorter at the start.

    Returns
    -------
    (n,) totals.

    Raises
    ------
    InputError : budgets that are not finite numbers of 0 or more, a window out of range.

    Notes
    -----
    Guarantee: totals of at most epsilon with independent noises give w-event epsilon-privacy (Kellaris, Papadopoulos,
    Xiao, Papadias, "Differentially private event sequences over infinite streams", VLDB 2014). Numerics: a difference
    of two running sums would carry the rounding errors of all timestamps before; here every total adds only its own
    budgets, the tail of one block of w and the head of the next, in O(n).

    Examples
    --------
    >>> window_totals([1, 2, 4, 8, 16], 3).tolist()
    [1.0, 3.0, 7.0, 14.0, 28.0]
    """
    spent = checked_budgets(budgets)
    n, w = len(spent), whole(window, "window", most=len(spent))
    blocks = np.zeros((-(-(n + w - 1) // w), w))  # w - 1 zeros in front, so that window t begins at position t
    blocks.ravel()[w - 1 : w - 1 + n] = spent
    heads = blocks.cumsum(axis=1).ravel()
    tails = blocks[:, ::-1].cumsum(axis=1)[:, ::-1].ravel()
    begin = np.arange(n)
    return tails[begin] + np.where(begin % w == 0, 0.0, heads[begin + w - 1])

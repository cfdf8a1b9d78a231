"""What budgets add up to over the sets of timestamps that guarantees are about, and how to scale budgets to fit."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets.quanta import quantum
from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import indices, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats


def landmark_totals(budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """What landmark privacy bounds: ``sum of budgets over L and {t}``, for every t.

    Parameters
    ----------
    budgets : (n,) budgets, 0 or more.
    landmarks : L, indices from 0 to n - 1.

    Returns
    -------
    (n,) totals: the sum over the landmarks, plus the budget at t itself if t is regular.

    Raises
    ------
    InputError : budgets that are not finite numbers, 0 or more; a landmark that is not a timestamp.

    Notes
    -----
    Guarantee: if the totals are at most epsilon and the noise is independent, the release satisfies landmark privacy
    with epsilon (Katsomallos et al., "Landmark privacy", CODASPY 2022, the theorem). Numerics: O(n), and exact for
    budgets made by this package, see `quanta`.

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
    InputError : budgets that are not finite numbers, 0 or more; a window out of range.

    Notes
    -----
    Guarantee: totals of at most epsilon with independent noise give w-event epsilon-privacy (Kellaris, Papadopoulos,
    Xiao, Papadias, "Differentially private event sequences over infinite streams", VLDB 2014). Numerics: a difference
    of two running sums would accumulate the rounding errors of all earlier timestamps; here each total adds only its
    own budgets, the tail of one block of w and the head of the next, in O(n).

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


def largest_factor(budgets: ArrayLike, landmarks: Iterable[int], epsilon: float) -> float:
    """The largest factor by which budgets can be scaled under landmark privacy: ``epsilon / max over t of sum over L
    and {t}``.

    Parameters
    ----------
    budgets : (n,) budgets, 0 or more.
    landmarks : L, indices from 0 to n - 1.
    epsilon : total budget, above 0 and finite.

    Returns
    -------
    A number above 0: below 1 the budgets exceed epsilon, above 1 they leave some of it unused; infinite if all are 0.

    Raises
    ------
    InputError : budgets that are not finite numbers, 0 or more; a landmark that is not a timestamp; an epsilon out of
        range.

    Notes
    -----
    The Theorem bounds one sum for each timestamp (Katsomallos et al., "Landmark privacy", CODASPY 2022). Each of them
    is proportional to the factor, so the largest sum decides.

    Examples
    --------
    >>> largest_factor([0.25, 0.2, 0.25, 0.2, 0.25, 0.2, 0.2, 0.25], [0, 2, 4, 7], 1.2)
    1.0
    >>> largest_factor([0.125, 0.5, 0.125, 0.5, 0.125, 0.5, 0.5, 0.125], [0, 2, 4, 7], 2.0)
    2.0
    """
    total = positive(epsilon, "epsilon")
    most = float(landmark_totals(budgets, landmarks).max())
    return total / most if most > 0 else math.inf


def scaled_to_fit(budgets: ArrayLike, landmarks: Iterable[int], epsilon: float) -> Floats:
    """Budgets times their `largest_factor`, rounded down to whole quanta.

    Parameters
    ----------
    budgets, landmarks, epsilon : see `largest_factor`.

    Returns
    -------
    (n,) budgets whose largest sum is epsilon, less at most a quantum per timestamp.

    Raises
    ------
    InputError : see `largest_factor`; budgets that are all 0, which no factor can scale to epsilon.

    Notes
    -----
    Guarantee: releases with these budgets and independent noise satisfy landmark privacy, ``sum of L and {t} <=
    epsilon`` for every t, exactly and without tolerance (see `quanta`). Numerics: the factor itself is rounded, so the
    sums may at first exceed epsilon by a few quanta; the factor is lowered by its last digit until they do not.

    Examples
    --------
    >>> scaled_to_fit([0.25, 0.2, 0.25, 0.2], [0, 2], 1.0).round(6).tolist()
    [0.357143, 0.285714, 0.357143, 0.285714]
    """
    spent, marked = checked_budgets(budgets), list(landmarks)
    factor, unit = largest_factor(spent, marked, epsilon), quantum(epsilon)
    if math.isinf(factor):
        raise InputError("Budgets to be scaled must not all be 0", remedy="Set one of them first")
    while True:
        scaled = np.floor(spent * factor / unit) * unit
        if float(landmark_totals(scaled, marked).max()) <= epsilon:
            return scaled
        factor *= 1 - 2**-52

"""Budgets that keep to a given temporal privacy loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.landmark import landmark_loss, landmark_loss_bound
from lmdk_widgets.leakage.markov import is_sequence_of_matrices
from lmdk_widgets.leakage.recursion import Carrier, Carriers, carriers

CLOSE = 1e-14
"""Relative tolerance of the factor in a search over the bound, which is slower to compute."""


def plan_budgets(p_backward: Any, p_forward: Any, alpha: float, n: int | None = None) -> float | Floats:
    """Cao's plan: budgets under which every timestamp has exactly the total temporal loss alpha.

    If s is the constant backward loss, then eps = s - L_B(s) and the constant forward loss is alpha - L_B(s); s is where
    both sides give the same budget: s + L_F(alpha - L_B(s)) = alpha.

    Parameters
    ----------
    p_backward, p_forward : None (no propagation), a matrix (m, m) or its `LossFunction`; if n is given, also a sequence
        of n - 1 of them.
    alpha : total loss, 0 or more, finite.
    n : number of timestamps, or None for an unlimited number.

    Returns
    -------
    n given: (n,) budgets (s, eps, ..., eps, alpha - L_B(s)) whose total loss is alpha at every timestamp (if eps is 0,
    between the ends only at most alpha, as nothing is released there). None: the constant budget eps that is safe forever,
    as a float; 0 if no positive budget is (the identity on one side).

    Raises
    ------
    InputError : alpha or n out of range, an invalid matrix, or a chain that changes so much over time that the
        same loss everywhere would need a negative budget.

    Notes
    -----
    It is safe and constant between the ends, but has neither the largest budgets nor the least error: user level,
    alpha / n at each timestamp, also loses at most alpha, and has a smaller error if the correlation is strong and n small;
    the error of `best_plan` is no larger than either.
    Cao et al., ICDE 2017, Algorithms 2 and 3 (which solve eps_B = eps_F; alpha - L_B(s) - L_F(...) = s - L_B(s)
    is the same equation). a - L(a) increases with slope between 0 and 1, so bisection finds the only root, and returns the
    safe end of the bracket.

    Examples
    --------
    >>> a = [[0.8, 0.2], [0, 1]]
    >>> round(plan_budgets(a, a, 1.0), 10), plan_budgets(a, a, 1.0, n=4).round(10).tolist()
    (0.0876229029, [0.5438114514, 0.0876229029, 0.0876229029, 0.5438114514])
    >>> from lmdk_widgets.leakage.markov import smoothed_identity
    >>> strong = smoothed_identity(5, 0.01)  # user level has a mean of 1 / eps of 8
    >>> round(float((1 / plan_budgets(strong, strong, 1.0, n=8)).mean()), 4)
    35.0752
    """
    alpha, length = positive(alpha, "alpha", zero=True), None if n is None else whole(n, "n")
    if length is None and (is_sequence_of_matrices(p_backward) or is_sequence_of_matrices(p_forward)):
        raise InputError(
            "p_backward and p_forward must each be None, one matrix or one LossFunction if n is None",
            value="a chain that changes over time",
            remedy="Give the number of timestamps n",
        )
    before, after = carriers(p_backward, p_forward, length or 2)
    if isinstance(before, list) or isinstance(after, list):
        return _changing(before, after, alpha, length or 2)
    if length is not None and (length == 1 or (before.is_identity and after.is_identity)):
        return np.full(length, alpha / length)  # the total is the plain sum, however the budget is spread
    held = _held(before, after, alpha)
    carried = before(held)
    epsilon = min(before.headroom(held), after.headroom(max(alpha - carried, 0.0)))
    if length is None:
        return epsilon
    budgets = np.full(length, epsilon)
    budgets[0], budgets[-1] = held, alpha - carried
    return budgets


def effective_epsilon(
    p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int], epsilon: float
) -> float:
    """The largest factor on the budgets at which the landmarks, with any one timestamp, still lose at most epsilon.

    The largest c with ``max_t landmark_loss(c * budgets)_t <= epsilon``; if the budgets share an epsilon of 1, c is the
    epsilon that remains of it against the adversary.

    Parameters
    ----------
    p_backward, p_forward : None (no propagation), a matrix (m, m), its `LossFunction`, or a sequence of n - 1 of them.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more, at least one above 0. landmarks : indices from 0.
    epsilon : the loss to keep, unitless, above 0.

    Returns
    -------
    A factor above 0, without unit: 1 if the budgets lose exactly epsilon, below 1 if they lose more. Budgets of 0 stay 0.

    Raises
    ------
    InputError : as for `landmark_loss`, only budgets of 0, or an epsilon that is not above 0.

    Notes
    -----
    Guarantee: only that of `landmark_loss`, which is the authors' count and not an upper bound; `effective_epsilon_bound`
    uses `landmark_loss_bound` instead. Every loss increases with the budgets, so bisection finds the only root, and returns
    the safe end of the bracket. Budgets that depend on releases (Adaptive, Budget Distribution, Budget
    Absorption) have no such factor: give the largest ones the scheme can spend.

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> round(effective_epsilon(c, c, [0.2] * 8, [0, 2, 4, 7], 1.0), 10)
    0.5815708987
    """
    eps, chosen = checked_budgets(budgets), list(landmarks)
    sides = carriers(p_backward, p_forward, len(eps))  # made once, as the bisection needs dozens of losses
    return _largest_factor(lambda factor: landmark_loss(*sides, factor * eps, chosen), eps, epsilon)


def effective_epsilon_bound(
    p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int], epsilon: float, *, start: str = "stationary"
) -> float:
    """The largest factor on the budgets at which the landmarks, with any one timestamp, provably lose at most epsilon.

    The largest c with ``max_t landmark_loss_bound(c * budgets)_t <= epsilon``; `effective_epsilon` uses the
    authors' count, for which there is no proof.

    Parameters
    ----------
    p_forward : None (timestamps are independent) or the (m, m) transition matrix.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more, at least one above 0. landmarks : indices from 0.
    epsilon : the loss to keep, unitless, above 0. start : "stationary" or "any", as for `landmark_loss_bound`.

    Returns
    -------
    A factor above 0, without unit: 1 if the bound is exactly epsilon. Budgets of 0 stay 0.

    Raises
    ------
    InputError : as for `landmark_loss_bound`, only budgets of 0, or an epsilon that is not above 0.

    Notes
    -----
    Guarantee: that of `landmark_loss_bound`, so no release under the budgets times the factor reveals more. The bound
    increases with the budgets; the safe end of the bracket is returned.

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> factor = effective_epsilon_bound(c, [0.2] * 8, [0, 2, 4, 7], 1.0)
    >>> round(factor, 8), round(float(landmark_loss_bound(c, [factor * 0.2] * 8, [0, 2, 4, 7]).max()), 8)
    (0.64751992, 1.0)
    """
    eps, chosen = checked_budgets(budgets), list(landmarks)
    return _largest_factor(
        lambda factor: landmark_loss_bound(p_forward, factor * eps, chosen, start=start), eps, epsilon, CLOSE
    )


def _largest_factor(lost: Callable[[float], Floats], budgets: Floats, epsilon: float, close: float = 0.0) -> float:
    """The largest factor at which the losses are at most epsilon, to a relative tolerance of `close`."""
    kept = positive(epsilon, "epsilon")
    if not budgets.any():
        raise InputError("At least one budget must be above 0", value="only zeros")
    high = kept / float(budgets.max())  # a single timestamp loses at least its own budget
    return largest_factor(lambda factor: lost(factor).max() <= kept, high, close)


def largest_factor(safe: Callable[[float], bool], high: float, close: float = 0.0) -> float:
    """The largest safe number up to `high`, given that all smaller ones are safe: bisection, safe end of the bracket."""
    if safe(high):
        return high
    low = 0.0
    while high - low > close * high and low < (middle := low + (high - low) / 2) < high:
        low, high = (middle, high) if safe(middle) else (low, middle)
    return low


def _changing(before: Carriers, after: Carriers, alpha: float, length: int) -> Floats:
    """The same equation for every move, at which the two losses meet: eps_t = s_t - L_B(s_{t-1})."""
    sides = (side if isinstance(side, list) else [side] * (length - 1) for side in (before, after))
    known: dict[tuple[int, int], tuple[float, float]] = {}
    held, carried = np.full(length, alpha), np.zeros(length)
    for k, (b, f) in enumerate(zip(*sides, strict=True)):
        if (id(b), id(f)) not in known:
            s = _held(b, f, alpha)
            known[id(b), id(f)] = s, b(s)
        held[k], carried[k + 1] = known[id(b), id(f)]
    budgets = held - carried
    if budgets.min() < 0:
        raise InputError(
            "the matrices must change less over time: the same loss everywhere would need a negative budget",
            value=f"{budgets.min():.6g} at timestamp {int(budgets.argmin())}",
            remedy="Plan for each matrix alone with n=None, and use the smallest budget",
        )
    return budgets


def _held(before: Carrier, after: Carrier, alpha: float) -> float:
    """The largest s (up to rounding) at which the past needs no more than the future leaves."""
    return largest_factor(lambda s: before.headroom(s) <= after.headroom(max(alpha - before(s), 0.0)), alpha)

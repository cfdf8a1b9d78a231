"""Averaging: the attack on a place whose reports are known to belong together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import floats, not_negative, numbers
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame

_MOST_STEPS = 10_000
_EXACT = 1e-9
"""The search ends when a step is below this share of the spread of the reports."""

_PATIENCE, _TRIED = 8, 4
"""From this step on, a power of two, so many of the nearest points are tried."""

_BENT = 1e-9
"""Reports that are closer to a line than this have no Newton step."""


def averaging_attack(
    latitude: ArrayLike, longitude: ArrayLike, mask: ArrayLike, *, budgets: ArrayLike | None = None
) -> tuple[float, float]:
    """The place inferred by someone who knows that these reports belong to one place: their geometric median.

    The point with the smallest sum of ``b_t |x - z_t|``: the likeliest place under planar Laplace. Their mean would need far
    more reports, as a few distant ones move it.

    Parameters
    ----------
    latitude, longitude : (n,) degrees, the release; NaN where there is none.
    mask : (n,) bool, the timestamps at the place.
    budgets : (n,) epsilon spent at each timestamp, its weight; equal if left out. A release that repeats an earlier
        one counts once, with the largest of its budgets.

    Returns
    -------
    latitude, longitude : degrees.

    Raises
    ------
    InputError : arrays of different lengths, budgets below 0, a mask without a report that counts.

    Notes
    -----
    Guarantee: none, this is an attack. It takes Weiszfeld's steps in the metres of a frame around the reports, and continues
    if it hits a report (Vardi, Zhang, "The multivariate L1-median and associated data depth", PNAS 2000).

    Examples
    --------
    >>> latitude, longitude = averaging_attack([48.85, 48.85, 48.85, 49.5], [2.34, 2.35, 2.36, 2.35], [True] * 4)
    >>> abs(latitude - 48.85) < 0.01 and abs(longitude - 2.35) < 1e-6
    True
    """
    where, weights = _reports(latitude, longitude, mask, budgets)
    frame = LocalFrame.around(where[:, 0], where[:, 1])
    found = geometric_median(frame.to_metres(where[:, 0], where[:, 1]), weights)
    at = frame.to_degrees(found)
    return float(at[0]), float(at[1])


def _reports(
    latitude: ArrayLike, longitude: ArrayLike, mask: ArrayLike, budgets: ArrayLike | None
) -> tuple[Floats, NDArray]:
    """The distinct reports (k, 2) at the place, degrees, and their weights."""
    where = np.stack([floats(latitude, "latitude"), floats(longitude, "longitude")], axis=-1)
    at = np.asarray(mask, bool)
    spent = np.ones(len(where)) if budgets is None else not_negative(numbers(budgets, "budgets"), "budgets")
    if where.ndim != 2 or not at.shape == spent.shape == where.shape[:1]:
        shapes = f"shapes {where.shape[:1]}, {at.shape} and {spent.shape}"
        raise InputError("latitude, longitude, mask and budgets must have one entry per timestamp", value=shapes)
    at = at & np.isfinite(where).all(axis=1) & (spent > 0)
    if not at.any():
        raise InputError("mask must have at least one timestamp with a report and a budget", value="none")
    points, same = np.unique(where[at] @ [1, 1j], return_inverse=True)
    weights = np.zeros(len(points))
    np.maximum.at(weights, same, spent[at])
    return np.stack((points.real, points.imag), axis=-1), weights


def geometric_median(points: Floats, weights: Floats) -> Floats:
    """The point (2,) with the smallest weighted sum of distances to points (k, 2).

    Each step is Newton's, except at one of the points and where Newton's led to a larger sum: there it is Weiszfeld's, which
    never does. It takes thousands of steps towards a median that is one of the points, so the nearest points are tried too:
    the median is one that outweighs the pull of all others.
    """
    where = points @ [1, 1j]
    median = complex(weights @ where) / float(weights.sum())
    size = float(np.abs(points - [median.real, median.imag]).max())
    least, sure = np.inf, median
    for number in range(_MOST_STEPS):
        if number >= _PATIENCE and not number & (number - 1):
            near = where[np.argsort(np.abs(where - median))[:_TRIED]]
            if (found := next((point for point in near if _is_median(where, weights, point)), None)) is not None:
                return np.array([found.real, found.imag])
        away = where - median
        length = np.abs(away)
        total = float(weights @ length)
        if total > least:
            median, least = sure, np.inf
            continue
        kept, held = weights, 0.0
        if length.min() <= _EXACT * size:
            met = length <= _EXACT * size
            held = float(weights[met].sum())
            away, length, kept = away[~met], length[~met], weights[~met]
        if not len(length):
            break
        pull = kept / length
        force, stiff = complex(pull @ away), float(pull.sum())
        step = force / stiff
        if held:  # a report is here: it slows the point down, or stops it if it outweighs the pull of all others
            step *= max(0.0, 1 - held / abs(force)) if force else 0.0
        least, sure = total, median + step
        across = complex(pull @ (away / length) ** 2)
        bent = stiff**2 - abs(across) ** 2
        if held or bent <= _BENT * stiff**2 or abs(step) <= _EXACT * size:
            median = sure
        else:
            median += 2 * (stiff * force + across * force.conjugate()) / bent
        if abs(step) <= _EXACT * size:
            break
    return np.array([median.real, median.imag])


def _is_median(where: NDArray[np.inexact], weights: Floats, point: complex) -> bool:
    """Whether one of the points outweighs the pull of all others."""
    away = where - point
    others = away != 0
    pull = (weights * others) @ (away / np.where(others, np.abs(away), 1.0))
    return bool(abs(pull) <= weights[~others].sum())

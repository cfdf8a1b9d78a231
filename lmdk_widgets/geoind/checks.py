"""What the functions of this room accept as distances, priors, channels and points, each refusal a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

SUM_TOLERANCE = 1e-6
"""How far a prior or a row of a channel may be from 1 and still count as rounding; it is then scaled to 1."""


def numbers(values: ArrayLike, where: str) -> Floats:
    """`values` as a float array without missing or infinite entries."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError("these are not numbers", where=where, allowed="an array of finite numbers") from None
    if not np.isfinite(array).all():
        raise InputError("a value is missing or infinite", where=where, allowed="finite numbers")
    return array


def positive(value: Any, where: str, *, zero: bool = False) -> float:
    """`value` as one finite number above 0 (or from 0 when `zero`)."""
    allowed = "one finite number, 0 or more" if zero else "one finite number above 0"
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError("this is not a number", where=where, value=value, allowed=allowed) from None
    if isinstance(value, bool | np.bool_) or not (0 < number < np.inf or (zero and number == 0)):
        raise InputError("the number is not usable", where=where, value=number, allowed=allowed)
    return number


def square(values: ArrayLike, where: str, n: int | None = None) -> Floats:
    """`values` as an (n, n) matrix of finite numbers, 0 or more."""
    array = numbers(values, where)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) == 0 or n not in (None, len(array)):
        wanted = "(n, n), n >= 1" if n is None else f"({n}, {n})"
        raise InputError(
            "this is not a square matrix of the right size", where=where, value=array.shape, allowed=wanted
        )
    if (array < 0).any():
        raise InputError("a distance is negative", where=where, value=float(array.min()), allowed="0 or more")
    return array


def metric(values: ArrayLike, where: str = "distances", n: int | None = None) -> Floats:
    """`values` as symmetric distances with zeros on the diagonal; the triangle inequality is not asked for."""
    array = square(values, where, n)
    if np.diagonal(array).any():
        raise InputError("a place is at a distance from itself", where=where, allowed="zeros on the diagonal")
    if not np.allclose(array, array.T, rtol=1e-9, atol=0):
        raise InputError(
            "the distance there is not the distance back", where=where, allowed="a symmetric matrix", kind="symmetry"
        )
    return np.minimum(array, array.T)


def distribution(values: ArrayLike, n: int, where: str = "prior") -> Floats:
    """`values` as n probabilities that sum to 1."""
    array = numbers(values, where)
    if array.shape != (n,):
        raise InputError(
            "there is not one probability for each place", where=where, value=array.shape, allowed=f"({n},)"
        )
    if (array < 0).any():
        raise InputError("a probability is negative", where=where, value=float(array.min()), allowed="0 or more")
    total = float(array.sum())
    if abs(total - 1) > SUM_TOLERANCE:
        raise InputError(
            "the probabilities do not add up to 1", where=where, value=total, remedy="Divide them by their sum"
        )
    return array / total


def channel_matrix(values: ArrayLike, where: str = "matrix") -> Floats:
    """`values` as a channel (n, m): a row for each true place, each row a distribution over what is reported."""
    array = numbers(values, where)
    if array.ndim != 2 or 0 in array.shape:
        raise InputError("this is not a channel", where=where, value=array.shape, allowed="a matrix (n, m)")
    if (array < 0).any():
        raise InputError("a probability is negative", where=where, value=float(array.min()), allowed="0 or more")
    sums = array.sum(1)
    worst = int(np.abs(sums - 1).argmax())
    if abs(sums[worst] - 1) > SUM_TOLERANCE:
        raise InputError(
            "the row does not add up to 1", where=f"row {worst} of the {where}", value=float(sums[worst]), allowed="1"
        )
    return array


def points(values: ArrayLike, where: str = "points_m") -> Floats:
    """`values` as points in a plane, (n, 2) metres."""
    array = numbers(values, where)
    if array.ndim != 2 or array.shape[1] != 2 or len(array) == 0:
        raise InputError(
            "these are not points",
            where=where,
            value=array.shape,
            allowed="an array (n, 2), metres to the east and to the north",
            remedy="Project degrees first, e.g. with lmdk_widgets.geo.LocalFrame",
        )
    return array

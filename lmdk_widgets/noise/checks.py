"""What the mechanisms ask of their arguments, each refusal a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

SMALLEST = float(np.finfo(float).tiny)
"""The smallest positive number with full precision, 2.2e-308: below it a budget has too few digits to be divided."""


def positive(value: Any, where: str) -> float:
    """`value` as a float if it is one finite number above 0, otherwise an InputError that names `where`."""
    allowed = "one finite number above 0"
    if isinstance(value, bool | np.bool_ | str | bytes) or np.ndim(value) != 0:
        raise InputError("this is not a number", where=where, value=value, allowed=allowed)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError("this is not a number", where=where, value=value, allowed=allowed) from None
    if not SMALLEST <= number < np.inf:
        raise InputError("the number is not usable", where=where, value=number, allowed=allowed)
    return number


def positives(values: Any, where: str) -> Floats:
    """`values` as a float array of any shape, all finite and above 0, otherwise an InputError."""
    array = numbers(values, where, hide=False)
    bad = ~(array >= SMALLEST)
    if bad.any():
        raise InputError(
            "a number is not above 0", where=where, value=float(array[bad].flat[0]), allowed="finite numbers above 0"
        )
    return array


def numbers(values: Any, where: str, *, hide: bool = True) -> Floats:
    """`values` as a float array, all finite; `hide` keeps the offending value, perhaps private, out of the message."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError("these are not numbers", where=where, allowed="an array of finite numbers") from None
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(
            "a value is missing or infinite",
            where=f"{where}, index {index[0] if len(index) == 1 else index}" if index else where,
            value=None if hide else float(array[index]),
            allowed="finite numbers",
            remedy="Drop the timestamps that have no value" if hide else "",
        )
    return array


def points(values: Any, where: str) -> Floats:
    """`values` as points in metres, (n, 2)."""
    array = numbers(values, where)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(
            "these are not points",
            where=where,
            value=f"shape {array.shape}",
            allowed="an array of shape (n, 2), metres to the east and to the north",
            remedy="Project degrees first, e.g. with lmdk_widgets.geo.LocalFrame",
        )
    return array


def probabilities(values: Any, where: str) -> Floats:
    """`values` as a float array within [0, 1]."""
    array = np.asarray(values, float)
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        raise InputError(
            "this is not a probability", where=where, value=float(array[bad].flat[0]), allowed="numbers from 0 to 1"
        )
    return array


def generator(rng: Any) -> np.random.Generator:
    """`rng` if it is a numpy Generator; a bare seed is refused, so that two calls never share noise by accident."""
    if not isinstance(rng, np.random.Generator):
        raise InputError(
            "this is not a source of random numbers",
            where="rng",
            value=type(rng).__name__,
            allowed="a numpy.random.Generator",
            remedy="Pass numpy.random.default_rng(seed)",
        )
    return rng

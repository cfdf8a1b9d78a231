"""What the schemes ask of their arguments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError

Indices = NDArray[np.intp]


def indices(chosen: Iterable[int], n: int, where: str) -> Indices:
    """Indices of timestamps in ascending order, each once; anything that is not one is refused by name."""
    allowed = f"indices from 0 to {n - 1}"
    if isinstance(chosen, np.ndarray | list | tuple | range):
        array = np.asarray(chosen)
    elif isinstance(chosen, Iterable) and not isinstance(chosen, str | bytes):
        array = np.array(list(chosen))
    else:
        raise InputError("these are not indices", where=where, value=chosen, allowed=f"a sequence of {allowed}")
    if not array.size:
        return np.empty(0, np.intp)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            "these are not indices",
            where=where,
            value=f"{array.dtype} of shape {array.shape}",
            allowed=f"a sequence of {allowed}",
            remedy="Turn a mask into indices with numpy.flatnonzero" if array.dtype == bool else "",
        )
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= n:
        raise InputError("there is no such timestamp", where=where, value=low if low < 0 else high, allowed=allowed)
    marked = np.zeros(n, bool)
    marked[array] = True
    return np.flatnonzero(marked)


def count(value: Any, where: str, *, most: int | None = None) -> int:
    """A whole number from 1, at most `most`."""
    allowed = "a whole number from 1" + (f" to {most}, the number of timestamps" if most is not None else "")
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise InputError("this is not a whole number", where=where, value=value, allowed=allowed)
    if value < 1 or (most is not None and value > most):
        raise InputError("the number is out of range", where=where, value=int(value), allowed=allowed)
    return int(value)


def length_of_window(window: Any, n: int, scheme: str) -> int:
    """The window of a scheme that needs one."""
    if window is None:
        raise InputError(f"the scheme {scheme!r} needs a window", where="window", allowed=f"1 to {n} timestamps")
    return count(window, "window", most=n)


def one_of(value: Any, names: Collection[str], where: str, remedy: str = "") -> str:
    """A name out of a list."""
    if not isinstance(value, str) or value not in names:
        listed = ", ".join(repr(name) for name in names)
        raise InputError("there is no such name", where=where, value=value, allowed=listed, remedy=remedy)
    return value


def known(options: Mapping[str, Any], allowed: Collection[str], what: str) -> None:
    """Refuse an option that nobody would read."""
    for name in options:
        if name not in allowed:
            listed = ", ".join(sorted(allowed)) or "none"
            raise InputError(f"there is no such option for {what}", where="options", value=name, allowed=listed)


def fraction(value: Any, where: str) -> float:
    """A number strictly between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < 1:
        raise InputError("the number is out of range", where=where, value=value, allowed="strictly between 0 and 1")
    return float(value)


def given_budgets(budgets: Any, n: int) -> NDArray[np.float64]:
    """A copy of (n,) budgets, finite and none below 0."""
    try:
        found = np.array(budgets, float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (n,) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(
            "they are no budgets of the timestamps",
            where="budgets",
            value=f"shape {found.shape}",
            allowed=f"{n} finite numbers, none below 0",
        )
    return found

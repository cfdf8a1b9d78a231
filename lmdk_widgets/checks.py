"""Checks of arguments that are one thing: a number, a name, a source of random numbers.

Each returns the checked value, or raises an `InputError` that names the argument and says what it must be. The checks of
arrays are in `checks_arrays`.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from math import inf, nan
from numbers import Number
from typing import Any, TypeVar

import numpy as np

from lmdk_widgets.errors import InputError

Name = TypeVar("Name", bound=str)

SMALLEST = float(np.finfo(float).tiny)
"""The smallest positive number with full precision, 2.2e-308: below it a budget has too few digits to be divided."""


def number(value: Any, name: str, low: float = -inf, high: float = inf) -> float:
    """One number from `low` to `high`, both included; infinite only where a limit is.

    Examples
    --------
    >>> number(3, "epsilon", 0, 10)
    3.0
    >>> number(-3, "epsilon", 1e-9, 1_000_000)
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Epsilon must be a number between 1e-9 and 1,000,000; got -3.
    """
    found = real(value)
    if not low <= found <= high:
        raise refused(name, f"a number{within(low, high)}", value)
    return found


def positive(value: Any, name: str, *, zero: bool = False) -> float:
    """One finite number above 0, or from 0 where `zero`.

    Examples
    --------
    >>> positive(0, "smoothing", zero=True)
    0.0
    >>> positive(0, "epsilon")
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Epsilon must be a finite number above 0; got 0.
    """
    found = real(value)
    if not (0 if zero else SMALLEST) <= found < inf:
        tiny = f"Below {SMALLEST:.2g} a number has too few digits" if 0 < found < SMALLEST else ""
        raise refused(name, f"a finite number{', 0 or more' if zero else ' above 0'}", value, remedy=tiny)
    return found


def fraction(value: Any, name: str, *, inside: bool = False) -> float:
    """One number from 0 to 1, such as a probability; `inside` leaves out 0 and 1 themselves."""
    found = real(value)
    if not 0 <= found <= 1 or (inside and found in (0, 1)):
        raise refused(name, f"a number {'strictly ' if inside else ''}between 0 and 1", value)
    return found


def whole(value: Any, name: str, *, least: int = 1, most: int | None = None) -> int:
    """One whole number from `least` to `most`, of Python or NumPy; True and 2.0 are none.

    Examples
    --------
    >>> whole(9, "window", most=8)
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Window must be a whole number between 1 and 8; got 9.
    """
    try:
        found = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        found = None
    if found is None or found < least or (most is not None and found > most):
        limits = within(least, inf if most is None else most)
        raise refused(name, written(least) if least == most else f"a whole number{limits}", value)
    return found


def one_of(value: Any, name: str, names: Collection[Name], *, remedy: str = "") -> Name:
    """One of several names.

    Examples
    --------
    >>> one_of("some", "support", ("definition", "all"))
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Support must be "definition" or "all"; got some.
    """
    for known in names:
        if isinstance(value, str) and known == value:
            return known
    raise refused(name, either(names), value, remedy=remedy)


def options(given: Iterable[str], what: str, known: Collection[str]) -> None:
    """Refuse an option that nobody would read; `what` has the options ("the scheme 'event'")."""
    for name in given:
        if name not in known:
            allowed = (
                f"The options of {what} must be {either(sorted(known))}" if known else f"{what} must have no options"
            )
            raise InputError(allowed, value=name)


def generator(rng: Any) -> np.random.Generator:
    """A numpy Generator; a bare seed is refused, so that two calls never share noise by accident."""
    if not isinstance(rng, np.random.Generator):
        remedy = "Pass numpy.random.default_rng(seed)"
        raise refused("rng", "a numpy.random.Generator", kind_of(rng), remedy=remedy)
    return rng


def real(value: Any) -> float:
    """`value` as a float, and nan where it is not one number."""
    try:
        if isinstance(value, bool | np.bool_ | str | bytes) or np.ndim(value) != 0:
            return nan
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def refused(name: str, what: str, value: Any, *, remedy: str = "", kind: str = "") -> InputError:
    """The error of an argument that must be something else."""
    return InputError(f"{name} must be {what}", value=seen(value), remedy=remedy, kind=kind)


def seen(value: Any) -> Any:
    """What a message shows of a value: a number or a word, but only the kind of what may hold many private values."""
    if isinstance(value, str):
        return value if value and value.isprintable() else repr(value)
    if isinstance(value, np.number):
        return value.item()
    if isinstance(value, bool | np.bool_) or (isinstance(value, Number) and not isinstance(value, int | float)):
        return str(value)
    return value if isinstance(value, int | float) else kind_of(value)


def kind_of(value: Any) -> str:
    """What kind of thing a value is, in words.

    Examples
    --------
    >>> kind_of(None), kind_of([48.85, 2.35]), kind_of(np.zeros((3, 2))), kind_of(7)
    ('None', 'a list', 'an array of shape (3, 2)', 'an int')
    """
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}" if value.shape else f"an array of {value.dtype} without a shape"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def within(low: float, high: float) -> str:
    """The limits of a number as they follow a noun: " between 1 and 8", ", 1 or more"."""
    if low == high:
        return f" equal to {written(low)}"
    if high == inf:
        return f", {written(low)} or more" if low > -inf else ""
    return f" between {written(low)} and {written(high)}" if low > -inf else f", {written(high)} or less"


def written(limit: float) -> str:
    """A limit as people write it.

    Examples
    --------
    >>> written(1e6), written(1e-9), written(0.25)
    ('1,000,000', '1e-9', '0.25')
    """
    return f"{limit:,.0f}" if abs(limit) < 1e16 and limit == int(limit) else f"{limit:g}".replace("e-0", "e-")


def either(names: Iterable[str]) -> str:
    """Names as a choice.

    Examples
    --------
    >>> print(either(["event", "user", "window"]))
    "event", "user" or "window"
    """
    return joined((f'"{name}"' for name in names), "or")


def joined(words: Iterable[str], link: str) -> str:
    """Words with commas, and `link` before the last."""
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last

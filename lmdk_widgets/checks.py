"""Argument checks: first for single values (a number, a name, a source of random numbers), then for arrays.

Each returns the checked value, or raises an `InputError` that names the argument and says what it must be. Values,
points and states may be private: a message says where an array is wrong, but never quotes the private value.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from math import inf, nan
from numbers import Number
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

Indices = NDArray[np.intp]
Name = TypeVar("Name", bound=str)

SMALLEST = float(np.finfo(float).tiny)
"""The smallest positive number with full precision, 2.2e-308: a smaller budget has too few digits to be divided."""

SUM_TOLERANCE = 1e-6
"""How far the sum of probabilities may be from 1 and still count as rounding."""


def number(value: Any, name: str, low: float = -inf, high: float = inf) -> float:
    """One number from `low` to `high`, both included; it may be infinite only if a limit is.

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
    """One finite number above 0; with `zero`, 0 is allowed too.

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
    """One number from 0 to 1, such as a probability; `inside` excludes 0 and 1 themselves."""
    found = real(value)
    if not 0 <= found <= 1 or (inside and found in (0, 1)):
        raise refused(name, f"a number {'strictly ' if inside else ''}between 0 and 1", value)
    return found


def whole(value: Any, name: str, *, least: int = 1, most: int | None = None) -> int:
    """One whole number from `least` to `most`, of a Python or NumPy integer type; True and 2.0 are refused.

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
    """Refuse an unknown option; `what` names the thing with the options ("the scheme 'event'")."""
    for name in given:
        if name not in known:
            allowed = (
                f"The options of {what} must be {either(sorted(known))}" if known else f"{what} must have no options"
            )
            raise InputError(allowed, value=name)


def generator(rng: Any) -> np.random.Generator:
    """A NumPy generator. A bare seed is refused, so that two calls never share noise by accident."""
    if not isinstance(rng, np.random.Generator):
        remedy = "Pass numpy.random.default_rng(seed)"
        raise refused("rng", "a numpy.random.Generator", kind_of(rng), remedy=remedy)
    return rng


def numbers(values: ArrayLike, name: str, *, remedy: str = "") -> Floats:
    """Finite numbers as a float array of any shape; a float array is returned as it is.

    Examples
    --------
    >>> numbers([1, float("nan")], "values")
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Values must contain finite numbers; got nan at index 1.
    """
    array = floats(values, name)
    _refuse(array, ~np.isfinite(array), f"{name} must contain finite numbers", remedy)
    return array


def floats(values: ArrayLike, name: str, what: str = "finite numbers") -> Floats:
    """A float array of any shape, in which values may be missing or infinite; `what` is for the error message."""
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError) as error:
        uneven = "inhomogeneous" in str(error)
        kind = "rows of different lengths" if uneven else "something that is not a number"
        raise InputError(f"{name} must contain {what}", value=kind) from None


def positives(values: ArrayLike, name: str) -> Floats:
    """Finite numbers above 0, as an array of any shape."""
    if _is_one(values):
        return np.array(positive(values, name))
    array = numbers(values, name)
    _refuse(array, array < SMALLEST, f"{name} must contain finite numbers above 0")
    return array


def probabilities(values: ArrayLike, name: str) -> Floats:
    """Numbers from 0 to 1, as an array of any shape."""
    if _is_one(values):
        return np.array(fraction(values, name))
    array = floats(values, name, "numbers between 0 and 1")
    _refuse(array, ~((array >= 0) & (array <= 1)), f"{name} must contain numbers between 0 and 1")
    return array


def series(values: ArrayLike, name: str, *, remedy: str = "") -> Floats:
    """One or more finite numbers, (n,); `remedy` says what to do about another shape."""
    array = numbers(values, name)
    if array.ndim != 1 or not array.size:
        raise InputError(
            f"{name} must contain at least one number, shape (n,)", value=f"shape {array.shape}", remedy=remedy
        )
    return array


def not_negative(array: Floats, name: str) -> Floats:
    """An array of finite numbers, none of them below 0."""
    _refuse(array, array < 0, f"{name} must not be negative")
    return array


def points(values: ArrayLike, name: str = "points_m", *, least: int = 0) -> Floats:
    """At least `least` points in metres, (n, 2)."""
    array = numbers(values, name, remedy="Leave out the points without coordinates")
    if array.ndim != 2 or array.shape[1] != 2 or len(array) < least:
        number = "points" if not least else "at least one point" if least == 1 else f"at least {least:,} points"
        raise InputError(
            f"{name} must contain {number} in metres to the east and to the north, shape (n, 2)",
            value=f"shape {array.shape}",
            remedy="Project degrees first, for example with lmdk_widgets.geo.LocalFrame",
        )
    return array


def distribution(values: ArrayLike, name: str, n: int, *, tolerance: float = SUM_TOLERANCE) -> Floats:
    """A new array of n probabilities that sum to 1, scaled if the sum is off by at most `tolerance`."""
    array = numbers(values, name)
    if array.shape != (n,):
        raise InputError(f"{name} must contain {n:,} probabilities, shape ({n},)", value=f"shape {array.shape}")
    total = float(not_negative(array, name).sum())
    if not abs(total - 1) <= tolerance:
        raise InputError(f"{name} must sum to 1", value=f"{total:.12g}", remedy="Divide it by its sum")
    return array / total


def square(values: ArrayLike, name: str, n: int | None = None) -> Floats:
    """A square matrix of finite numbers, 0 or more, with n rows if n is given."""
    array = numbers(values, name)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) == 0 or n not in (None, len(array)):
        what = "a square matrix, shape (n, n)" if n is None else f"a square matrix of shape ({n}, {n})"
        raise refused(name, what, f"shape {array.shape}")
    return not_negative(array, name)


def metric(values: ArrayLike, name: str = "distances", n: int | None = None) -> Floats:
    """Symmetric distances with zeros on the diagonal; the triangle inequality is not required."""
    array = square(values, name, n)
    own = np.diagonal(array)
    if own.any():
        k = int(np.flatnonzero(own)[0])
        raise InputError(f"{name} must be 0 from each place to itself", value=f"{own[k]:g} at index ({k}, {k})")
    if not np.allclose(array, array.T, rtol=1e-9, atol=0):
        x, y = (int(i) for i in np.argwhere(~np.isclose(array, array.T, rtol=1e-9, atol=0))[0])
        unequal = f"{array[x, y]:g} at index ({x}, {y}) and {array[y, x]:g} at ({y}, {x})"
        raise refused(name, "symmetric", unequal, kind="symmetry")
    return np.minimum(array, array.T)


def channel_matrix(values: ArrayLike, name: str = "matrix") -> Floats:
    """A channel (n, m): a row for each true place, each row a distribution over what is reported."""
    array = numbers(values, name)
    if array.ndim != 2 or 0 in array.shape:
        raise refused(name, "a matrix of shape (n, m)", f"shape {array.shape}")
    sums = not_negative(array, name).sum(1)
    worst = int(np.abs(sums - 1).argmax())
    if abs(sums[worst] - 1) > SUM_TOLERANCE:
        raise InputError(f"row {worst} of {name} must sum to 1", value=f"{sums[worst]:.12g}")
    return array


def indices(chosen: Iterable[int], name: str, n: int) -> Indices:
    """Indices from 0 to n - 1 in ascending order, each once; a mask of n Booleans chooses those that are true.

    Examples
    --------
    >>> indices([4, 0, 4], "landmarks", 8).tolist()
    [0, 4]
    >>> indices([8], "landmarks", 8)
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Landmarks must be indices between 0 and 7; got 8.
    """
    what = f"indices{within(0, n - 1)}"
    if isinstance(chosen, np.ndarray | list | tuple | range):
        array = _as_given(chosen)
    elif isinstance(chosen, Iterable) and not isinstance(chosen, str | bytes):
        array = _as_given(list(chosen))
    else:
        raise refused(name, f"a sequence of {what}", chosen)
    if not array.size:
        return np.empty(0, np.intp)
    if array.dtype == bool and array.shape == (n,):
        return np.flatnonzero(array)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        held = f"{array.dtype} values of shape {array.shape}" if array.dtype != object else "something else"
        remedy = f"A mask must have {n:,} values" if array.dtype == bool else ""
        raise refused(name, f"a sequence of {what}", held, remedy=remedy)
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= n:
        raise refused(name, what, low if low < 0 else high)
    marked = np.zeros(n, bool)
    marked[array] = True
    return np.flatnonzero(marked)


def states(values: ArrayLike, name: str, n_states: int, *, least: int = 0) -> NDArray[np.int64]:
    """A series of at least `least` states, whole numbers from 0 to n_states - 1; a message never shows them."""
    array = _as_given(values)
    what = f"whole numbers{within(0, n_states - 1)}"
    with np.errstate(invalid="ignore"):  # nan and infinity are not states, whatever number they become
        found = array.astype(np.int64) if array.dtype.kind in "iufb" else np.zeros(array.shape, np.int64)
    if array.ndim != 1 or len(array) < least:
        raise refused(name, f"a series of {what}, shape (n,)", f"shape {array.shape}")
    if array.size and array.dtype.kind not in "iufb":
        raise InputError(f"{name} must be {what}", value="something that is not a number")
    wrong = (found < 0) | (found >= n_states) | (found != array if array.size else False)
    if wrong.any():
        raise InputError(f"{name} must be {what}", value=f"another number at index {int(np.argmax(wrong))}")
    return found


def budgets(values: Any, name: str = "budgets", n: int | None = None) -> Floats:
    """Budgets (n,), n >= 1, finite and 0 or more, as a contiguous array: the given one if it is contiguous.

    Examples
    --------
    >>> budgets([0.5, -1])
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Budgets must contain finite numbers, 0 or more; got -1.0 at timestamp 1.
    """
    array = floats(values, name, "finite numbers, 0 or more")
    if array.ndim != 1 or not array.size or n not in (None, len(array)):
        shape = "(n,)" if n is None else f"({n},)"
        raise InputError(
            f"{name} must contain one number for each timestamp, shape {shape}", value=f"shape {array.shape}"
        )
    if not (array.min() >= 0 and array.max() < np.inf):
        t = int(np.argmin(np.isfinite(array) & (array >= 0)))
        raise InputError(f"{name} must contain finite numbers, 0 or more", value=f"{array[t]} at timestamp {t}")
    return np.ascontiguousarray(array)


def real(value: Any) -> float:
    """`value` as a float, or nan if it is not one number."""
    try:
        if isinstance(value, bool | np.bool_ | str | bytes) or np.ndim(value) != 0:
            return nan
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def refused(name: str, what: str, value: Any, *, remedy: str = "", kind: str = "") -> InputError:
    """The error for an argument that must be something else."""
    return InputError(f"{name} must be {what}", value=seen(value), remedy=remedy, kind=kind)


def seen(value: Any) -> Any:
    """What a message shows of a value: a number or a word, but only the kind of a collection, which may be private."""
    if isinstance(value, str):
        return value if value and value.isprintable() else repr(value)
    if isinstance(value, np.number):
        return value.item()
    if isinstance(value, bool | np.bool_) or (isinstance(value, Number) and not isinstance(value, int | float)):
        return str(value)
    return value if isinstance(value, int | float) else kind_of(value)


def kind_of(value: Any) -> str:
    """The kind of a value, in words.

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
    """The limits of a number, to be put after a noun: " between 1 and 8", ", 1 or more"."""
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
    """Words separated by commas, with `link` before the last."""
    *others, last = words
    return f"{', '.join(others)} {link} {last}" if others else last


def _is_one(values: Any) -> bool:
    return not isinstance(values, list | tuple | range) and np.ndim(values) == 0  # lists may be ragged


def _as_given(values: Any) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except ValueError:  # rows of different lengths
        return np.array(None)


def _refuse(array: Floats, wrong: NDArray[np.bool_], what: str, remedy: str = "") -> None:
    """Raise an error for the first wrong number, with its index unless the array is a single number."""
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        shown = seen(float(array[index]))
        at = f"{shown} at index {index[0] if len(index) == 1 else index}" if index else shown
        raise InputError(what, value=at, remedy=remedy)

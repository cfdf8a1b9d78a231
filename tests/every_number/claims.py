"""A number as it is printed, held against a value that was computed apart from the page.

A hole says where a number comes from and, behind "at most", "up to", "never more than" and "at least", to which side it may
be rounded. `named` holds the numbers of sentences; here are those of arrays and fields, by their paths.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import wraps
from typing import Any

import numpy as np

SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
INFINITE, MISSING = ("no bound", "without bound"), ("none",)
TINY = {"below 1 mm": 1e-3, "less than 1 mm": 1e-3, "less than 0.00000001 %": 1e-10}
NUMBER = (
    r"(?>below 1 mm|less than 1 mm|less than 0\.00000001 %|no bound|without bound|none|"
    r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?:st|nd|rd|th)?(?: (?:mm|m|km|%)(?![\w]))?)"
)
COUNT = rf"(?>{'|'.join(word.capitalize() + '|' + word for word in SMALL)}|\d+(?:,\d{{3}})*)"
LEFT_OVER = re.compile(
    rf"\d|[⁰¹²³⁴-⁹]|\b(?:{'|'.join(SMALL[2:])})\b|no bound|without bound|below 1 mm|e\^", re.IGNORECASE
)
"""What must not be left of a text: digits, numbers in words, infinite amounts."""

BOUNDING = re.compile(
    r"(?:at most|never more than|no more than|(?:by|tells) more than|(?<!add )[Uu]p to)(?: a factor of)?"
    r"[ (]*(?:e\^\(?|ε = )?$"
)
FLOOR = re.compile(r"(?:at least|less than)[ (]*$")
REQUIRED = re.compile(r"must be at (?:most|least)[ (]*$")
"""A limit that something has to keep is rounded inward: whoever keeps to what is said keeps to the limit."""

UNITS = {"": 1.0, "mm": 1e-3, "m": 1.0, "km": 1e3, "%": 0.01}
ROUNDING = 2e-9
"""By so much a bound may be passed: the error of the arithmetic."""


WITHIN, DIGITS = 2, 3
"""A number within a unit of its last digit; and one that may have few digits: 0.02 for 0.023."""


@dataclass(frozen=True)
class Hole:
    """Where a number comes from. `side`: 1 never below it, -1 never above it, 0 right to its digits."""

    find: Callable[[Any], Any] | str
    side: int = 0
    slack: float = 1e-6
    size: float | Callable[[Any], float] = 0.0

    def at(self, truth: Any) -> Hole:
        """The same with its size as a number."""
        return replace(self, size=self.size(truth)) if callable(self.size) else self

    def value(self, truth: Any) -> Any:
        return getattr(truth, self.find) if isinstance(self.find, str) else self.find(truth)


def near(find: Callable[[Any], Any] | str, slack: float = 1e-6, size: float | Callable[[Any], float] = 0.0) -> Hole:
    """A number that is right to its printed digits, of one of the values if there are several.

    `slack` and `size` are the error of the recomputation, relative and absolute.
    """
    return Hole(find, 0, slack, size)


def most(find: Callable[[Any], Any] | str, slack: float = ROUNDING, size: float | Callable[[Any], float] = 0.0) -> Hole:
    """A number that is never below the value."""
    return Hole(find, 1, slack, size)


def least(
    find: Callable[[Any], Any] | str, slack: float = ROUNDING, size: float | Callable[[Any], float] = 0.0
) -> Hole:
    """A number that is never above the value."""
    return Hole(find, -1, slack, size)


class Wrong(AssertionError):
    """A number that is not what it should be, or that nothing recomputes."""


@dataclass(frozen=True)
class Printed:
    """A number as it was read: its value, and one unit of its last digit."""

    value: float
    unit: float
    below: float = 0.0


def read(text: str) -> Printed:
    """The number in a text such as "1.7 km", "12,346", "3.1e-9", "12 %" or "four"."""
    if text in TINY:
        return Printed(0.0, 0.0, TINY[text])
    if text in INFINITE or text in MISSING:
        return Printed(math.inf if text in INFINITE else math.nan, 0.0)
    if text.lower() in SMALL:
        return Printed(float(SMALL.index(text.lower())), 0.0)
    digits, _, unit = re.sub(r"(st|nd|rd|th)$", "", text).replace(",", "").replace("−", "-").partition(" ")
    mantissa, _, power = digits.partition("e")
    scale = UNITS[unit] * 10.0 ** int(power or 0)
    whole, _, decimals = mantissa.partition(".")
    last = 10.0 ** -len(decimals)
    if not decimals and "," in text and len(whole.lstrip("-")) > 5:
        last = 10.0 ** (len(whole.lstrip("-")) - 4)  # four digits, as single precision holds no more than seven
    return Printed(float(mantissa) * scale, last * scale)


def agrees(hole: Hole, text: str, value: Any) -> bool:
    """Whether a number as it is printed says what it should of a value."""
    if isinstance(value, str):
        return text == value
    if isinstance(value, tuple):
        return any(agrees(hole, text, each) for each in value)
    found, value = read(text), float(value)
    if found.below:
        return hole.side in (0, DIGITS) and 0 < value < found.below
    if not (math.isfinite(found.value) and math.isfinite(value)):
        return found.value == value or (math.isnan(found.value) and math.isnan(value))
    error, unit = hole.slack * abs(value) + hole.size, found.unit * (1 + 1e-6)
    if hole.side not in (WITHIN, DIGITS) and re.fullmatch(r"[1-9]", text):
        unit = 0.01 * (1 + 1e-6)  # decimals that are all 0 are left out
    off = found.value - value
    if hole.side == WITHIN:
        return abs(off) <= unit + error
    if hole.side == DIGITS:
        return abs(off) <= unit / 2 + error
    if hole.side:
        return -error <= hole.side * off <= unit + error
    return abs(off) <= unit / 2 + error and (abs(off) <= 0.0513 * abs(value) + error or found.unit == 0)


def once(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a truth that computes each of its values only once; lists are taken as what they contain."""

    @wraps(method)
    def known(self: Any, *asked: Any) -> Any:
        memory = self.__dict__.setdefault("known_once", {})
        key = (method.__name__, *(tuple(each) if isinstance(each, list) else each for each in asked))
        if key not in memory:
            memory[key] = method(self, *asked)
        return memory[key]

    return known


Taken = Callable[[str], Iterable[tuple[int, int]]]


class Claims:
    """A page's arrays by name, and its numbers in figures and controls by their path."""

    def __init__(self, values: Mapping[str, Callable[[Any, str], Any]], structure: Iterable[str] = ()) -> None:
        self.values, self.structure = values, tuple(structure)
        self.used: dict[str, int] = dict.fromkeys(values, 0)
        self._known: dict[str, str | None] = {}

    def hold(self, shown: Iterable[tuple[str, Any]], truth: Any, taken: Taken = lambda text: ()) -> int:
        """Checks everything that is shown; how many things were. `taken`: the parts of a text that were checked."""
        count = 0
        for path, value in shown:
            if path not in self._known:
                every = (*self.structure, *self.values)
                self._known[path] = next((pattern for pattern in every if fnmatchcase(path, pattern)), None)
            known = self._known[path]
            if known in self.structure:
                continue
            count += 1
            if known is not None:
                self.used[known] += 1
                same(path, value, self.values[known](truth, path))
            elif isinstance(value, str):
                self._text(path, value, taken)
            else:
                raise Wrong(f"nothing recomputes {path}: {value!r}")
        return count

    def _text(self, path: str, text: str, taken: Taken) -> None:
        left = text
        if len(text) < 40 and not LEFT_OVER.search(text):
            return
        for start, end in taken(text):
            left = left[:start] + "·" * (end - start) + left[end:]
        found = LEFT_OVER.search(left)
        if found:
            raise Wrong(f"nothing recomputes “{text[max(0, found.start() - 30) : found.end() + 20]}” of {path}: {text}")

    def unused(self) -> list[str]:
        return [name for name, times in self.used.items() if not times]


def same(path: str, shown: Any, expected: Any) -> None:
    """That an array, a list or a number is the expected one, to single precision; what is a text exactly."""
    if isinstance(expected, Tolerant):
        slack, size, expected = expected.slack, expected.size, expected.value
    else:
        slack, size = 1e-7, 1e-12
    if isinstance(expected, str | bool | type(None)) or (isinstance(expected, list) and isinstance(shown, list)):
        flat = not isinstance(expected, list) or not any(isinstance(v, float) for v in expected)
        if flat:
            if shown != expected:
                raise Wrong(f"{path} is {shown!r}, and should be {expected!r}")
            return
    one, two = np.asarray(shown, float), np.asarray(expected, float)
    if one.shape != two.shape or not np.allclose(one, two, rtol=slack, atol=size, equal_nan=True):
        raise Wrong(f"{path} is {one.tolist()}, and should be {two.tolist()}")


@dataclass(frozen=True)
class Tolerant:
    """A value that is recomputed less exactly than to seven digits."""

    value: Any
    slack: float
    size: float = 1e-12


def shown_by(page: Any, outcome: Any) -> Iterator[tuple[str, Any]]:
    """Every text, number and array that a page is sent of an outcome, by its path."""
    yield from leaves("text", page._text(outcome))
    for drawing in page._drawings(outcome):
        yield from leaves(drawing.name, drawing.described)
        for name, array in drawing.arrays.items():
            yield f"{drawing.name}.arrays.{name}", array


def leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The texts and numbers in nested messages; a list of numbers is one of them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(f"{path}.{name}", inner)
    elif isinstance(value, list | tuple):
        if value and all(isinstance(v, int | float | type(None)) and not isinstance(v, bool) for v in value):
            yield path, list(value)
        else:
            for k, inner in enumerate(value):
                yield from leaves(f"{path}.{k}", inner)
    elif value is not None and not isinstance(value, bool):
        yield path, value

"""A number for each timestamp, kept as runs of equal numbers: 10,000 budgets of two kinds are a line in a link.

A run is a pair: the number, and how many timestamps in a row have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import refused, within
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.fields import KIND, Kind, Number

Runs = tuple[tuple[float, int], ...]


def runs_of(values: ArrayLike) -> Runs:
    """The runs of a series of numbers.

    Examples
    --------
    >>> runs_of([0.5, 0.5, 0.125, 0.5])
    ((0.5, 2), (0.125, 1), (0.5, 1))
    """
    array = np.asarray(values, float)
    first = np.flatnonzero(np.append(True, array[1:] != array[:-1])) if len(array) else np.zeros(0, int)
    lengths = np.diff(np.append(first, len(array)))
    return tuple(zip(array[first].tolist(), lengths.tolist(), strict=True))


def expanded(runs: Runs) -> Floats:
    """The series of numbers with these runs.

    Examples
    --------
    >>> expanded(((0.5, 2), (0.125, 1))).tolist()
    [0.5, 0.5, 0.125]
    """
    return np.repeat([value for value, _ in runs], [length for _, length in runs]).astype(float)


def to_text(runs: Runs) -> str:
    """Runs in a link: the different numbers, then of each run the position of its number and, with an x, its length.

    Examples
    --------
    >>> to_text(((0.5, 2), (0.125, 1), (0.5, 1)))
    '0.5,0.125;0x2.1.0'
    """
    different = list(dict.fromkeys(value for value, _ in runs))
    at = {value: k for k, value in enumerate(different)}
    listed = (f"{at[value]}x{length}" if length > 1 else f"{at[value]}" for value, length in runs)
    return f"{','.join(map(repr, different))};{'.'.join(listed)}"


def from_text(text: str) -> list[tuple[float, int]]:
    """The runs of a text made by `to_text`, not checked yet. Raises ValueError for another text.

    Examples
    --------
    >>> from_text("0.5,0.125;0x2.1.0")
    [(0.5, 2), (0.125, 1), (0.5, 1)]
    """
    numbers, _, listed = text.partition(";")
    different = [float(number) for number in numbers.split(",") if number]
    found = []
    for part in filter(None, listed.split(".")):
        position, _, length = part.partition("x")
        if not (position.isdecimal() and int(position) < len(different)):
            raise ValueError("a run must name one of the numbers before it")
        found.append((different[int(position)], int(length or 1)))
    return found


@dataclass(frozen=True, kw_only=True)
class RunLengths(Kind):
    """A number for each of up to `most` timestamps, 0 or from `low` to `high`: as runs, or one by one."""

    low: float
    high: float
    most: int

    def check(self, value: Any) -> Runs:
        """Numbers and pairs of a number and a length, in any mixture; neighbours with the same number become one run."""
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise refused(self.subject, "a list", value)
        pairs = [self._pair(entry) for entry in value]
        n = sum(length for _, length in pairs)
        if n > self.most:
            raise InputError(f"{self.subject} must be of at most {self.most:,} timestamps", value=n)
        same = groupby(pairs, key=lambda pair: pair[0])
        return tuple((number, sum(length for _, length in run)) for number, run in same)

    def _pair(self, entry: Any) -> tuple[float, int]:
        number, length = entry if isinstance(entry, tuple | list) and len(entry) == 2 else (entry, 1)
        if type(length) is not int or length < 1:
            raise refused(f"The length of a run of {self.subject.lower()}", "a whole number, 1 or more", length)
        return self.one(number), length

    def one(self, value: Any) -> float:
        """One of the numbers, checked."""
        if type(value) is float and (value == 0 or self.low <= value <= self.high):
            return abs(value)  # 0 may have a sign
        each = Number(label=f"Each of the {self.subject.lower()}", low=0, high=self.high)
        found = float(each.check(value))
        if 0 < found < self.low:
            raise refused(each.label, f"0, or{within(self.low, self.high)}", value)
        return found

    def plain(self, value: Runs) -> list[list[Any]]:
        return [list(run) for run in value]

    def to_text(self, value: Runs) -> str:
        return to_text(value)

    def from_text(self, text: str) -> list[tuple[float, int]]:
        return from_text(text)


def run_lengths(limits: tuple[float, float], label: str, **options: Any) -> Any:
    """Declares a number for each timestamp, 0 or within limits; none to begin with."""
    return field(default=(), metadata={KIND: RunLengths(label=label, low=limits[0], high=limits[1], **options)})

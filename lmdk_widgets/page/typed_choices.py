"""Kinds of choices that are typed or ticked in one field: a list or a range of numbers, and one or more of several names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.fields import KIND, Kind, Numbers, titled

MOST_IN_RANGE = 200
"""The most numbers in a range."""

_NUMBER = r"\d+(?:[.,]\d*)?(?:e[+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s+to\s+({_NUMBER})\s+in\s+(\d+)", re.IGNORECASE)
_EXAMPLE = "numbers with spaces between them, such as 0.1 0.5 1, or a range, such as 0.1 to 10 in 9"


def typed_numbers(text: str, subject: str) -> list[float]:
    """The numbers of a list or of a range, whose numbers are evenly spread in their logarithm, to four digits.

    Raises
    ------
    InputError : a text that is neither, or a range of one number or of too many.

    Examples
    --------
    >>> typed_numbers("0,1 0.5; 2", "Epsilons"), typed_numbers("0.1 to 10 in 3", "Epsilons")
    ([0.1, 0.5, 2.0], [0.1, 1.0, 10.0])
    """
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        parts = [part for part in re.split(r"[\s;]+|,\s+", text.strip()) if part]
        # 1,000 is a thousand to some and one to others
        unclear = any(not re.fullmatch(_NUMBER, part, re.IGNORECASE) or re.search(r",\d{3}$", part) for part in parts)
        if unclear:
            raise refused(subject, _EXAMPLE, text)
        return [_read(part) for part in parts]
    low, high, count = _read(found[1]), _read(found[2]), int(found[3])
    if not (0 < low < high < math.inf and 2 <= count <= MOST_IN_RANGE):
        what = f"a range from a number above 0 to a larger one, of 2 to {MOST_IN_RANGE} numbers"
        raise refused(subject, what, text)
    return [float(f"{value:.4g}") for value in np.geomspace(low, high, count)]


def _read(text: str) -> float:
    return float(text.replace(",", "."))


@dataclass(frozen=True, kw_only=True)
class Typed(Numbers):
    """Increasing numbers, given as a list or typed as a text; each counts once."""

    def check(self, value: Any) -> tuple[float, ...]:
        values = typed_numbers(value, self.label) if isinstance(value, str) else value
        return tuple(sorted(set(super().check(values))))

    def to_text(self, value: tuple[float, ...]) -> str:
        return " ".join(f"{number!r}".removesuffix(".0") for number in value)

    def from_text(self, text: str) -> list[float]:
        return [float(number) for number in text.split()]


@dataclass(frozen=True, kw_only=True)
class Several(Kind):
    """One or more of several names, in the order of their meanings."""

    meanings: Mapping[str, str]

    def check(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, Iterable):
            raise refused(self.label, "a list of names", value)
        given = value.split() if isinstance(value, str) else list(value)
        for name in given:
            one_of(name, self.subject, self.meanings)
        if not given:
            raise InputError(f"{self.label} must have at least one name", value="none")
        return tuple(name for name in self.meanings if name in given)

    def to_text(self, value: tuple[str, ...]) -> str:
        return " ".join(value)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"choices": titled(self.meanings)}

    def from_text(self, text: str) -> str:
        return text


def several(default: tuple[str, ...], meanings: Mapping[str, str], label: str, *, subject: str) -> Any:
    """Declares a choice of one or more of several names."""
    return field(default=default, metadata={KIND: Several(label=label, subject=subject, meanings=meanings)})

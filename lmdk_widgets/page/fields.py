"""The kinds of choices: a number, one of several names, a list. Each choice is declared once, in a class of `Choices`.

The check of a value, its form in JSON and in a link, and the control on the page follow from it.

    epsilon: float = number(1.0, (1e-9, 1e6), "Epsilon", slider=Slider(0.01, 10, log=True))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from lmdk_widgets.checks import one_of, real, refused, seen, within
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.leakage.markov import transition_matrix
from lmdk_widgets.page import index_runs

KIND = "kind"
"""The key of a field's metadata that holds its `Kind`."""


@dataclass(frozen=True)
class Slider:
    """How far a slider reaches, which may be less than what is allowed, and what its ends mean.

    Attributes
    ----------
    low, high : of the slider. log : moves by factors instead of steps. step : between positions, None: 1 for whole numbers,
    else 0.01, of the decimal logarithm when `log`. ends : words at the left and at the right end. backwards : the largest
    value is on the left. The right is always more accurate, stronger, or more of what the label says.
    """

    low: float
    high: float
    log: bool = False
    step: float | None = None
    ends: tuple[str, str] = ("", "")
    backwards: bool = False


NO_LIMIT = "none"
"""A limit that is not set, in a link."""

PRIVACY = ("more private", "more accurate")
"""The ends of a slider that trades privacy for accuracy."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What a choice can be. `label` names it on the page, `help` explains it, `group` is its heading, and `subject` names
    it in sentences where the label does not fit them."""

    label: str
    help: str = ""
    group: str = ""
    subject: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "subject", self.subject or self.label)

    def check(self, value: Any) -> Any:
        """The value as it is stored; raises `InputError` for what is not allowed."""
        raise NotImplementedError

    def plain(self, value: Any) -> Any:
        """The value for JSON."""
        return list(value) if isinstance(value, tuple) else value

    def to_text(self, value: Any) -> str:
        """The value for a link."""
        return json.dumps(self.plain(value))

    def from_text(self, text: str) -> Any:
        """A value from a link, not checked yet. Raises ValueError for what cannot be read."""
        return json.loads(text)

    def fits_link(self, value: Any) -> bool:
        """Whether `from_text` can read it back, however long the link."""
        return True

    def describe(self) -> dict[str, Any]:
        """What the page needs to draw the control."""
        return {"kind": type(self).__name__.lower(), "label": self.label, "help": self.help}


@dataclass(frozen=True, kw_only=True)
class Number(Kind):
    """A number in [low, high], with its unit; on the page it counts from `origin` where Python counts from 0."""

    low: float
    high: float
    unit: str = ""
    whole: bool = False
    origin: int = 0
    slider: Slider | None = None

    def check(self, value: Any) -> Any:
        if isinstance(value, str):  # typed on the page, and not a number, or perhaps two: "1,000"
            raise refused(self.subject, "a number such as 1000, 0.5 or 0,5", value)
        found = value if type(value) in (int, float) else real(value)
        if not self.low <= found <= self.high or (self.whole and found != int(found)):  # NaN is not in any range
            raise self._refusal(value)
        return int(found) if self.whole else float(found)

    def _refusal(self, value: Any) -> InputError:
        """What is allowed and what was given, both as the page counts them."""
        limits = within(self.low + self.origin, self.high + self.origin)
        what = f"a whole number{limits}" if self.whole else f"{limits.strip()} {self.unit}".rstrip()
        given = seen(value)
        shown = given if isinstance(given, str) else given + self.origin
        python = f"{within(self.low, self.high).strip()}, as Python counts from 0" if self.origin else ""
        return InputError(f"{self.subject} must be {what}", value=shown, argument=python)

    def describe(self) -> dict[str, Any]:
        shown = {"unit": self.unit, "whole": self.whole, "origin": self.origin}
        return super().describe() | shown | {"slider": None if self.slider is None else asdict(self.slider)}


@dataclass(frozen=True, kw_only=True)
class Limit(Number):
    """A number that is kept to, or None: no limit, which is an empty field, in which `empty` stands. `preset`: a word for a
    number that follows from other choices."""

    preset: str = ""
    empty: str = ""

    def check(self, value: Any) -> Any:
        if value is None or value in ("", NO_LIMIT):
            return None
        return value if self.preset and value == self.preset else super().check(value)

    def to_text(self, value: Any) -> str:
        return NO_LIMIT if value is None else value if value == self.preset else super().to_text(value)

    def from_text(self, text: str) -> Any:
        return text if text in (NO_LIMIT, self.preset) else super().from_text(text)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"kind": "number", "preset": self.preset, "empty": self.empty}


@dataclass(frozen=True, kw_only=True)
class Word(Kind):
    """A text that is written in a link as it is."""

    def to_text(self, value: str) -> str:
        return value

    def from_text(self, text: str) -> str:
        return text


@dataclass(frozen=True, kw_only=True)
class Choice(Word):
    """One of several names, each with its meaning: "Uniform: the landmarks share one budget." is a title and a meaning."""

    meanings: Mapping[str, str]

    def check(self, value: Any) -> str:
        return one_of(value, self.subject, self.meanings)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"choices": titled(self.meanings)}


@dataclass(frozen=True, kw_only=True)
class Text(Word):
    """A name of at most 60 characters; `known` returns those that the page offers, with titles and meanings."""

    most: int = 60
    known: Callable[[], list[dict[str, str]]] | None = None

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.most:
            raise refused(self.subject, f"a text of at most {self.most} characters", value)
        return value

    def describe(self) -> dict[str, Any]:
        known = {} if self.known is None else {"kind": "choice", "choices": self.known()}
        return super().describe() | known


@dataclass(frozen=True, kw_only=True)
class Flag(Kind):
    """Yes or no; 1 and 0 in a link."""

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise refused(f"“{self.label}”", "true or false", value)
        return value

    def to_text(self, value: bool) -> str:
        return str(int(value))

    def from_text(self, text: str) -> Any:
        value = json.loads(text)
        return bool(value) if value in (0, 1) else value


@dataclass(frozen=True, kw_only=True)
class Numbers(Kind):
    """A list of `least` to `most` numbers in [low, high]."""

    low: float
    high: float
    most: int
    least: int = 0

    def check(self, value: Any) -> tuple[float, ...]:
        values = _listed(self.label, value, self.most, self.least)
        each = Number(label=f"Each of the {self.label.lower()}", low=self.low, high=self.high)
        return tuple(each.check(v) for v in values)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"most": self.most, "least": self.least}


@dataclass(frozen=True, kw_only=True)
class Box(Kind):
    """South, west, north and east of a public region, degrees; empty: none chosen."""

    def check(self, value: Any) -> tuple[float, ...]:
        limits = _listed(self.subject, value.limits if isinstance(value, Region) else value, 4)
        if not limits:
            return ()
        if len(limits) != 4:
            raise refused(self.subject, "south, west, north and east in degrees, or empty", limits)
        each = Number(label=f"Each limit of {self.subject[:1].lower()}{self.subject[1:]}", low=-180, high=180)
        return Region(*(each.check(limit) for limit in limits)).limits

    def to_text(self, value: tuple[float, ...]) -> str:
        return ",".join(f"{limit:.10g}" for limit in value)

    def from_text(self, text: str) -> list[float]:
        return [float(limit) for limit in text.split(",") if limit]


def _is_time(value: Any) -> bool:
    """Whether it is a text such as 2026-01-26T15:57."""
    return isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value) is not None


@dataclass(frozen=True, kw_only=True)
class Indices(Kind):
    """Increasing indices from 0, below `most`; runs in a link: 0-2.7 for 0, 1, 2, 7."""

    most: int

    def check(self, value: Any) -> tuple[int, ...]:
        values = _listed(self.label, value, self.most)
        if values and all(isinstance(v, bool | np.bool_) for v in values):
            values = np.flatnonzero(values).tolist()
        if values and (isinstance(values[0], date | np.datetime64) or _is_time(values[0])):
            remedy = "Times are found in a track: replace(track, landmarks=times).landmarks are their indices"
            raise refused(self.label, "indices or a mask", "times", remedy=remedy)
        if not all(type(v) is int and 0 <= v < self.most for v in values):  # rare, and slower
            each = Number(label=f"Each of the {self.label.lower()}", low=0, high=self.most - 1, whole=True)
            values = [each.check(v) for v in values]
        return tuple(sorted(set(values)))

    def to_text(self, value: tuple[int, ...]) -> str:
        return index_runs.to_text(value)

    def from_text(self, text: str) -> list[int]:
        return index_runs.from_text(text, min(self.most, index_runs.MOST_IN_LINK))

    def fits_link(self, value: tuple[int, ...]) -> bool:
        return len(value) <= index_runs.MOST_IN_LINK


@dataclass(frozen=True, kw_only=True)
class Matrix(Kind):
    """Transition probabilities, up to `most` states: rows of equal length that sum to 1; empty: none."""

    most: int

    def check(self, value: Any) -> tuple[tuple[float, ...], ...]:
        rows = _listed(self.label, value, self.most)
        return tuple(tuple(row) for row in transition_matrix(rows).tolist()) if rows else ()

    def plain(self, value: tuple[tuple[float, ...], ...]) -> list[list[float]]:
        return [list(row) for row in value]

    def to_text(self, value: tuple[tuple[float, ...], ...]) -> str:
        return ";".join(",".join(map(repr, row)) for row in value)

    def from_text(self, text: str) -> list[list[float]]:
        return [[float(cell) for cell in row.split(",")] for row in text.split(";") if row]


@dataclass(frozen=True, kw_only=True)
class RunLengths(Kind):
    """A number for each of up to `most` timestamps, 0 or from `low` to `high`: as runs, or one by one."""

    low: float
    high: float
    most: int

    def check(self, value: Any) -> index_runs.Runs:
        """Numbers, and pairs of a number and a length, in any mix; neighbours with the same number become one run."""
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise refused(self.subject, "a list", value)
        pairs = [self._pair(entry) for entry in value]
        n = sum(length for _, length in pairs)
        if n > self.most:
            raise InputError(f"{self.subject} must have at most {self.most:,} timestamps", value=n)
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

    def plain(self, value: index_runs.Runs) -> list[list[Any]]:
        return [list(run) for run in value]

    def to_text(self, value: index_runs.Runs) -> str:
        return index_runs.lengths_to_text(value)

    def from_text(self, text: str) -> list[tuple[float, int]]:
        return index_runs.lengths_from_text(text)


def titled(meanings: Mapping[str, str]) -> list[dict[str, str]]:
    """Names with their titles and meanings, for the page.

    Examples
    --------
    >>> titled({"user": "User level: the whole track shares one budget."})
    [{'name': 'user', 'title': 'User level', 'meaning': 'The whole track shares one budget.'}]
    """
    parts = ((name, *text.partition(": ")[::2]) for name, text in meanings.items())
    return [{"name": n, "title": t.rstrip("."), "meaning": said[:1].upper() + said[1:]} for n, t, said in parts]


def _listed(label: str, value: Any, most: int, least: int = 0) -> list[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise refused(label, "a list", value)
    values = list(value)
    if not least <= len(values) <= most:
        raise InputError(f"{label} must have{within(least, most)} entries", value=len(values))
    return values


def _declared(kind: type[Kind], default: Any, label: str, group: str = "", **options: Any) -> Any:
    return field(default=default, metadata={KIND: kind(label=label, group=group, **options)})


def number(default: float, limits: tuple[float, float], label: str, group: str = "", **options: Any) -> Any:
    """Declares a number within limits, called `label`, under the heading `group`; options as in `Number`."""
    return _declared(Number, default, label, group, low=limits[0], high=limits[1], **options)


def limit(default: Any, limits: tuple[float, float], label: str, **options: Any) -> Any:
    """Declares a number within limits, or None for no limit."""
    return _declared(Limit, default, label, low=limits[0], high=limits[1], **options)


def numbers(default: tuple[float, ...], limits: tuple[float, float], label: str, **options: Any) -> Any:
    """Declares a list of numbers within limits."""
    return _declared(Numbers, default, label, low=limits[0], high=limits[1], **options)


def choice(default: str, meanings: Mapping[str, str], label: str, group: str = "", **options: Any) -> Any:
    """Declares one of several names."""
    return _declared(Choice, default, label, group, meanings=meanings, **options)


def run_lengths(limits: tuple[float, float], label: str, **options: Any) -> Any:
    """Declares a number for each timestamp, 0 or within limits; initially none."""
    return _declared(RunLengths, (), label, low=limits[0], high=limits[1], **options)


whole = partial(number, whole=True)
"""Declares a whole number within limits."""

text, flag = partial(_declared, Text), partial(_declared, Flag)
"""Declare a short text, and a yes or no: the default, the label, the group."""

box = partial(_declared, Box, ())
"""Declares a public region, initially empty: the label, the group."""

indices, matrix = partial(_declared, Indices, ()), partial(_declared, Matrix, ())
"""Declare a list of timestamps, and a transition matrix, both initially empty: the label, the group."""

"""Check-in files: how often people are in each cell of a square area, as a list of numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

CELL_M = 100.0
"""Side of the cells of a check-in file, metres; the file itself does not say."""

MOST_NUMBERS = 1_000_000
_MOST_BYTES = 32 << 20
_WHERE = "check-in file"
_ALLOWED = "numbers of 0 or more, separated by commas, as many as a square has cells (10,000 for 100 by 100)"
_SHOWN = 50
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")


@dataclass(frozen=True, eq=False)
class Checkins:
    """Shares of check-ins over a square of side by side cells of 100 m.

    Attributes
    ----------
    shares : (side, side), sum to 1; ``shares[column, row]``, columns from the west and rows from the south.
    """

    shares: Floats

    @property
    def side(self) -> int:
        """Cells along a side of the square."""
        return len(self.shares)

    def points_m(self) -> Floats:
        """The centres of the cells around the centre of the square, (side * side, 2) metres, in the file's order."""
        steps = (np.arange(self.side) - (self.side - 1) / 2) * CELL_M
        x, y = np.meshgrid(steps, steps, indexing="ij")
        return np.stack([x.ravel(), y.ravel()], axis=1)


def read_checkins(data: bytes) -> Checkins:
    """A check-in file: k * k numbers, column by column from the west, each column from the south to the north.

    Parameters
    ----------
    data : text in UTF-8, numbers separated by commas, semicolons, spaces or lines; shares or counts, which are divided
    by their sum. This is the order of the Paris priors that libqif ships (one line of 10,000 numbers for 100 by 100
    cells), found by laying its hot spots over the stations and sights of the city; nothing in the file says it.

    Raises
    ------
    InputError : with the line numbers of what is not a number, is negative, or when the count is not a square's.

    Examples
    --------
    >>> read_checkins(b"0,1,0,3").shares.tolist()
    [[0.0, 0.25], [0.0, 0.75]]
    """
    if len(data) > _MOST_BYTES:
        raise InputError("the file is too large", where=_WHERE, allowed=f"at most {_MOST_BYTES >> 20} MB")
    numbers: list[float] = []
    problems: list[tuple[int, str]] = []
    for line, text in enumerate(_decoded(data).splitlines(), 1):
        _read_line(text, line, numbers, problems)
        if len(problems) > _SHOWN or len(numbers) > MOST_NUMBERS:
            break
    if problems:
        line, reason = problems[0]
        raise InputError(reason, where=f"{_WHERE}, line {line}", allowed=_ALLOWED, rows=problems)
    side = math.isqrt(len(numbers))
    if side * side != len(numbers) or side < 2 or len(numbers) > MOST_NUMBERS:
        raise InputError(
            "the count is not a square's", where=_WHERE, value=f"{len(numbers):,} numbers", allowed=_ALLOWED
        )
    shares = np.array(numbers) / max(max(numbers), 1e-300)  # so that the sum cannot overflow
    if not shares.sum() > 0:
        raise InputError("nobody checked in anywhere", where=_WHERE, allowed=_ALLOWED)
    return Checkins((shares / shares.sum()).reshape(side, side))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("this is not text", where=f"{_WHERE}, line {line}", allowed=_ALLOWED) from None


def _read_line(text: str, line: int, numbers: list[float], problems: list[tuple[int, str]]) -> None:
    """Adds the numbers of a line, or what is wrong with it; the value is not said, it may be a coordinate of a track."""
    for place, word in enumerate(_SEPARATOR.split(text.strip().rstrip(",;")) if text.strip() else (), 1):
        try:
            value = float(word)
        except ValueError:
            problems.append((line, f"number {place} is not a number" if word else f"number {place} is missing"))
            return
        if not 0 <= value < math.inf:
            problems.append((line, f"number {place} is {'negative' if value < 0 else 'not finite'}"))
            return
        numbers.append(value)

"""Check-in files: one line per check-in, or a list of numbers for how often people are in each cell of a square area."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.geoind.visits import SHOWN_PROBLEMS, Visits, find_heading, read_visits, refuse

CELL_M = 100.0
"""Side of the cells of a check-in file, metres; the file itself does not state it."""

MOST_NUMBERS = 1_000_000
_MOST_BYTES = 64 << 20
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")


@dataclass(frozen=True, eq=False)
class Checkins:
    """Shares of check-ins over a square of adjacent 100 m cells.

    Attributes
    ----------
    shares : (side, side), sum to 1; ``shares[column, row]``, columns from the west and rows from the south.
    """

    shares: Floats

    @property
    def side(self) -> int:
        """Cells along a side of the square."""
        return len(self.shares)

    def located(self, _frame: LocalFrame) -> tuple[Floats, Floats]:
        """The centres of the cells around the middle of a frame, (side², 2) metres, and their shares, (side²,)."""
        steps = (np.arange(self.side) - (self.side - 1) / 2) * CELL_M
        x, y = np.meshgrid(steps, steps, indexing="ij")
        return np.stack([x.ravel(), y.ravel()], axis=1), self.shares.ravel()


def read_checkins(data: bytes) -> Checkins | Visits:
    """A check-in file: a table with one line per check-in, or k * k numbers for the cells of a square.

    Parameters
    ----------
    data : text in UTF-8. A table has a heading that names latitude and longitude, with commas, semicolons or tabs between
    columns; a column named count says how many check-ins a line represents, and other columns are ignored. Without such a
    heading, the file contains numbers separated by commas, semicolons, spaces or line breaks: shares or counts, column by
    column from the west, each column from south to north. They are divided by their sum. This is the order of the Paris
    priors that libqif ships (one line of 10,000 numbers for 100 by 100 cells). The file does not state it; it was found by
    matching the hot spots with the city's stations and sights.

    Raises
    ------
    InputError : a value that is not a number or is negative, with its line number; a count that is not a square number.

    Examples
    --------
    >>> read_checkins(b"0,1,0,3").shares.tolist()
    [[0.0, 0.25], [0.0, 0.75]]
    >>> read_checkins(b"user,lat,lon\\n7,48.86,2.33\\n7,48.87,2.34")
    Visits(2 check-ins)
    >>> read_checkins(b"lat,lon,count\\n48.86,2.33,40\\n48.87,2.34,2")
    Visits(42 check-ins)
    """
    if len(data) > _MOST_BYTES:
        raise InputError(f"A check-in file must have at most {_MOST_BYTES >> 20} MB", value="more")
    lines = _decoded(data).splitlines()
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    heading = find_heading(lines[first]) if lines else None
    if heading is None and lines and lines[first].strip()[:1].isalpha():
        what = "be a heading that names latitude and longitude, or contain numbers"
        raise InputError(f"Line {first + 1:,} of the check-in file must {what}", value="other words")
    return _read_square(lines) if heading is None else read_visits(lines, heading, first + 1)


def _read_square(lines: Sequence[str]) -> Checkins:
    numbers: list[float] = []
    problems: list[tuple[int, str]] = []
    for line, text in enumerate(lines, 1):
        _read_line(text, line, numbers, problems)
        if len(problems) > SHOWN_PROBLEMS or len(numbers) > MOST_NUMBERS:
            break
    refuse(problems, "contain finite numbers, 0 or more")
    side = math.isqrt(len(numbers))
    if side * side != len(numbers) or side < 2 or len(numbers) > MOST_NUMBERS:
        raise InputError(
            "A check-in file must have as many numbers as a square has cells, between 2 by 2 and 1,000 by 1,000",
            value=len(numbers) if len(numbers) <= MOST_NUMBERS else "more",
        )
    shares = np.array(numbers) / max(max(numbers), 1e-300)  # so that the sum cannot overflow
    if not shares.sum() > 0:
        raise InputError("A check-in file must have a number above 0", value="only zeros")
    return Checkins((shares / shares.sum()).reshape(side, side))


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"Line {line:,} of the check-in file must be text in UTF-8", remedy="Save it as UTF-8"
        ) from None


def _read_line(text: str, line: int, numbers: list[float], problems: list[tuple[int, str]]) -> None:
    """Adds the numbers of a line, or what is wrong with it, without the value: it may be a coordinate of a track."""
    for place, word in enumerate(_SEPARATOR.split(text.strip().rstrip(",;")) if text.strip() else (), 1):
        try:
            value = float(word)
        except ValueError:
            problems.append((line, f"{'text' if word else 'nothing'} as number {place}"))
            return
        if not 0 <= value < math.inf:
            what = "a negative" if value < 0 else "an infinite or missing"
            problems.append((line, f"{what} value as number {place}"))
            return
        numbers.append(value)

"""What the columns of a table without headings look like: dates, times of day, degrees, metres."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lmdk_widgets.trajectory.times import CLOCK_ONLY, DATE, shape_of

NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?$")


def farthest(cells: Iterable[str]) -> float:
    """The largest absolute value of the numbers; 0 if there is none."""
    return max((abs(float(cell.replace(",", "."))) for cell in cells if NUMBER.match(cell)), default=0.0)


def columns_by_content(rows: Sequence[Sequence[str]], width: int) -> dict[str, int]:
    """What the cells look like: dates, times of day, and numbers that may be degrees or metres, the first of each."""
    found: dict[str, int] = {}
    for column in range(width):
        cells = [row[column] for row in rows if row[column]]
        for name in _looks(cells):
            if name not in found and column not in found.values():
                found[name] = column
    return found


def _looks(cells: Sequence[str]) -> Iterator[str]:
    """What a column may be, judging by its cells, the likeliest first."""
    shapes = [shape_of(cell) for cell in cells]
    if not cells:
        return
    if all(map(DATE.match, shapes)):
        yield "time" if any(":" in cell for cell in cells) else "date"
    elif all(map(CLOCK_ONLY.match, shapes)):
        yield "clock"
    elif all(map(NUMBER.match, cells)) and any("." in cell or "," in cell for cell in cells):
        most = farthest(cells)
        yield from ("latitude", "longitude") if most <= 90 else ("longitude",) if most <= 180 else ("x", "y")


def sound(columns: dict[str, int]) -> dict[str, int]:
    """Remove contradictions: a date as well as a time, degrees as well as metres, a second meaning for a column."""
    without = {"date", "clock"} if "time" in columns else {"clock"} if "date" not in columns else set()
    without |= {"x", "y"} if {"latitude", "longitude"} & columns.keys() else set()
    taken: set[int] = set()
    sound = {}
    for name, column in columns.items():
        if name not in without and column not in taken:
            sound[name] = column
            taken.add(column)
    return sound

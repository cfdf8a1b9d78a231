"""The values of a table, read by one proposal: numbers, units, the differences of a counter, and the gaps between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.table import Grid, Style, is_missing, read_numbers, style_of
from lmdk_widgets.trajectory.words import counted, quoted

VALUES, STEPS, DAILY = "values", "differences of a counter", "differences of a counter that starts again each day"
UNITS = {"kwh": ("Wh", 1e3), "wh": ("Wh", 1.0), "mwh": ("Wh", 1e6), "kw": ("W", 1e3), "w": ("W", 1.0), "mw": ("W", 1e6)}
"""Units that are converted into each other: what each is a multiple of."""
WRITTEN = {
    "kwh": "kWh",
    "wh": "Wh",
    "mwh": "MWh",
    "kw": "kW",
    "w": "W",
    "mw": "MW",
    "watts": "W",
    "watt": "W",
    "bpm": "bpm",
}
_LONGER, _TOTAL = 3.0, 20.0
"""Intervals this many times the usual are gaps, for a counter, and those of totals, for a row."""


@dataclass(frozen=True)
class Proposal:
    """One way to read a table.

    Attributes
    ----------
    time, end : the columns of the start of an interval, and of its end, as a date, or a date and a clock time; () for none.
    value : the columns of the values; several are added.
    at_end : whether the only time is the end of an interval.
    how : whether the values are those written, or differences of a counter.
    unit : of the values. unit_column : says the unit of each row. factor : multiplies each row; -1 for none.
    mark : what a mark means that could be a decimal one or separate thousands: "decimal", "thousands"; "" where it is clear.
    register, kept : the column that tells several registers apart, and the one that is read; -1 and "" for none.
    words : what is read, for a person.
    """

    time: tuple[int, ...]
    value: tuple[int, ...]
    end: tuple[int, ...] = ()
    at_end: bool = False
    how: str = VALUES
    unit: str = ""
    unit_column: int = -1
    factor: int = -1
    register: int = -1
    kept: str = ""
    mark: str = ""
    words: str = ""


class Measured(NamedTuple):
    """Some rows of a table, by index, in the order of the file: their times (UTC), values, and notices.

    `gaps` counts the rows without a value, which are left out.
    """

    rows: np.ndarray
    utc: np.ndarray
    values: Floats
    gaps: int = 0
    notices: tuple[str, ...] = ()


def unit_in(heading: str) -> str:
    """The unit of energy, power or heart beats that a heading names among other words, or "".

    Examples
    --------
    >>> [unit_in(heading) for heading in ("KWH/hh (per half hour)", "Active energy Wh (A)", "energy_kWh", "Power")]
    ['kWh', 'Wh', 'kWh', '']
    """
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", heading)]
    if "beats per minute" in " ".join(words):
        return "bpm"
    return next((WRITTEN[word] for word in words if word in WRITTEN and (len(word) > 1 or len(words) > 1)), "")


def numbers_style(grid: Grid, column: int, *, mark: str = "") -> Style:
    """How the numbers of a column are written; a file with decimal commas writes no other ones."""
    if mark:
        commas = any("," in cell for cell in grid.columns[column])
        return Style("," if commas else ".") if mark == "decimal" else Style(*(".," if commas else ",."))
    own = style_of(grid.columns[column], grid.separator)
    if own == Style() and any("." in cell for cell in grid.columns[column][:400]):
        beside = [
            style_of(cells[:400], grid.separator) for k, cells in enumerate(grid.columns) if grid.kinds[k] == "number"
        ]
        points = all(
            re.fullmatch(r"[+-]?[1-9]\d{0,2}(\.\d{3})+|\d{1,3}", cell)
            for cell in grid.columns[column]
            if not is_missing(cell)
        )
        if points and any(style.decimal == "," for style in beside):
            return Style(",", ".")
    return own


def values_of(grid: Grid, one: Proposal) -> tuple[Floats, dict[int, str]]:
    """(n,) values in the unit of a proposal, NaN where none was measured, and the problems by row."""
    total, problems = np.zeros(len(grid)), dict(grid.wrong)
    for column in one.value:
        cells = grid.columns[column]
        numbers, bad = read_numbers(cells, numbers_style(grid, column, mark=one.mark))
        texts = ((row, quoted(cells[row]).lstrip()) for row in bad)
        problems |= {row: f"{text} is not a number" if text else "it has no number" for row, text in texts}
        total += numbers
    if one.factor >= 0:
        factors, bad = read_numbers(grid.columns[one.factor], numbers_style(grid, one.factor))
        problems |= {row: "it has no factor" for row in bad}
        total *= factors
    if one.unit_column >= 0 and one.factor < 0:
        total *= _scales(grid.columns[one.unit_column], one.unit)
    return total, problems


def _scales(cells: Sequence[str], unit: str) -> Floats:
    """What each row is multiplied by, so that all are in one unit.

    Raises
    ------
    InputError : two units that cannot be converted into each other.
    """
    found = Counter(cell.lower() for cell in cells if cell)
    if len(found) < 2:
        return np.ones(len(cells))
    base, size = UNITS.get(unit.lower(), ("", 1.0))
    if any(UNITS.get(each, ("?",))[0] != base for each in found):
        remedy = "Keep the rows of one unit, or convert them"
        raise InputError("the values of a series must be in one unit", value=", ".join(sorted(found)), remedy=remedy)
    return np.array([UNITS[cell.lower()][1] / size if cell else 1.0 for cell in cells])


def unfold(grid: Grid, wide: Sequence[tuple[int, int]], date: int) -> Grid:
    """A table with one row a day as one with a row for each of its values; `wide` are columns, and the minutes they start.

    Examples
    --------
    >>> from lmdk_widgets.trajectory.table import find_grid
    >>> grid = unfold(find_grid("day,00:00,12:00\\n2024-05-01,1,2\\n2024-05-02,3,4\\n"), [(1, 0), (2, 720)], 0)
    >>> grid.columns
    (['2024-05-01 00:00', '2024-05-01 12:00', '2024-05-02 00:00', '2024-05-02 12:00'], ['1', '2', '3', '4'])
    """
    clocks = [f"{minute // 60:02d}:{minute % 60:02d}" for _, minute in wide]
    times = [f"{day} {clock}" for day in grid.columns[date] for clock in clocks]
    values = [grid.columns[column][row] for row in range(len(grid)) for column, _ in wide]
    head = unit_in(" ".join(" ".join(row) for row in grid.titles))
    wrong = {row * len(wide) + k: why for row, why in grid.wrong.items() for k in range(len(wide))}
    heads = (grid.heads[date] or "date", head or "value")
    return Grid(
        heads, (times, values), np.repeat(grid.lines, len(wide)), wrong, grid.titles, grid.below, grid.separator
    )


def apply(
    grid: Grid, one: Proposal, utc: np.ndarray, ends: np.ndarray | None, day: np.ndarray
) -> tuple[Measured, dict[int, str]]:
    """All rows of a table read by one proposal, and the problems of rows.

    Parameters
    ----------
    utc, day : (n,) times, NaT where there is none, and by the clock of the file. ends : (n,) ends of intervals, or None.
    """
    values, problems = values_of(grid, one)
    chosen = np.ones(len(grid), bool)
    notices: list[str] = []
    if one.register >= 0 and one.kept:
        chosen = np.array([cell == one.kept for cell in grid.columns[one.register]], bool)
        notices.append(
            f"Only {int(chosen.sum()):,} of {counted(len(grid), 'row')} read, those of one register or kind."
        )
    if ends is not None:
        chosen &= ~(total := _totals(utc, ends))
        if total.any():
            notices.append(f"{counted(int(total.sum()), 'row with a total was', 'rows with totals were')} left out.")
    known = np.array([row not in problems for row in range(len(grid))], bool) & ~np.isnat(utc)
    bad = np.flatnonzero(chosen & ~known)
    good = np.flatnonzero(chosen & known)
    if one.how in (STEPS, DAILY):
        kept, numbers, said = _steps(good, utc, values, day, _decimals(grid, one), daily=one.how == DAILY)
        notices += said
        gaps = 0
    else:
        kept, numbers = good[~np.isnan(values[good])], values[good][~np.isnan(values[good])]
        gaps = len(good) - len(kept)
    values = np.full(len(grid), np.nan)
    values[kept] = numbers
    time = _starts(kept, utc) if one.at_end else utc
    rows = np.sort(np.r_[kept, bad])
    return Measured(rows, time[rows], values[rows], gaps, tuple(notices)), problems


def _totals(utc: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The rows whose interval is over 20 times the usual one: (n,) bool."""
    known = ~np.isnat(utc) & ~np.isnat(ends)
    length = np.where(known, ends - utc, np.timedelta64(0)).astype(np.int64)
    usual = np.median(length[known]) if known.any() else 0
    return known & (length > _TOTAL * usual) if usual > 0 else np.zeros(len(utc), bool)


def _decimals(grid: Grid, one: Proposal) -> int:
    """How many decimals the values have at most: differences are rounded to these."""
    most = 0
    for column in (*one.value, *((one.factor,) if one.factor >= 0 else ())):
        mark = numbers_style(grid, column, mark=one.mark).decimal
        longest = max(
            (len(cell.rpartition(mark)[2]) for cell in grid.columns[column][:2_000] if mark in cell), default=0
        )
        most = most + longest if column == one.factor else max(most, longest)
    return min(most, 12)


def _steps(
    rows: np.ndarray, utc: np.ndarray, values: Floats, clock: np.ndarray, decimals: int, *, daily: bool
) -> tuple[np.ndarray, Floats, list[str]]:
    """What a counter counted from each row to the next: the rows kept, in the order of the file, their values, notices.

    A step beside a missing reading, over a gap, or down, is a gap; with `daily`, one over a midnight of `clock`.
    """
    order = rows[np.argsort(utc[rows], kind="stable")]
    order = order[np.r_[True, np.diff(utc[order]).astype(np.int64) > 0]] if len(order) else order
    step = np.diff(values[order])
    # where the clocks go back, a file that ignores it has a gap of an hour in UTC only
    length = np.minimum(np.diff(utc[order]), np.abs(np.diff(clock[order]))).astype(np.int64)
    usual = np.median(length) if len(length) else 0
    regular = len(length) > 0 and np.mean(length == usual) > 0.9
    over = length > _LONGER * usual if regular else np.zeros(len(length), bool)
    day = clock[order].astype("datetime64[D]")
    same = (day[1:] == day[:-1]) | (not daily)
    with np.errstate(invalid="ignore"):
        good = (step >= 0) & ~over & same
        falls = int(((step < 0) & same & ~over).sum())
    kept = order[:-1][good]
    said = []
    if falls:
        times, meter = counted(falls, "time", "times"), "its meter was changed, or it was reset"
        said.append(f"The counter falls {times}, as if {meter}: {counted(falls, 'step is a gap', 'steps are gaps')}.")
    if other := len(step) - int(good.sum()) - falls:
        what = counted(other, "step of the counter is", "steps of the counter are")
        said.append(f"{what} left out, over a gap or midnight.")
    place = np.argsort(kept)
    return kept[place], np.round(step[good], decimals)[place], said


def _starts(rows: np.ndarray, utc: np.ndarray) -> np.ndarray:
    """The starts of intervals whose ends are known: the end before, or where that is far, the usual length earlier."""
    ends = np.unique(utc[rows])
    starts = utc.copy()
    if len(ends) < 2:
        return starts
    length = np.diff(ends)
    usual = np.median(length.astype(np.int64)).astype(np.int64).astype("timedelta64[ns]")
    before = np.r_[ends[:1] - usual, np.where(length > 1.5 * usual, ends[1:] - usual, ends[:-1])]
    starts[rows] = before[np.searchsorted(ends, utc[rows])]
    return starts

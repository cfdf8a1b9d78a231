"""A table with a heading in an uploaded file, read as states or as power without a unit: what its columns contain.

A table whose content shows a series of numbers is read by `trajectory.series_content`, as everywhere else.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, WHOSE, find_columns, plain
from lmdk_widgets.trajectory.crowd import is_several
from lmdk_widgets.trajectory.series_content import NO_START, WANTED, chosen_columns, is_scans, of_person, scans
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import Grid, find_grid, grid_of
from lmdk_widgets.trajectory.words import printable, quoted


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text.lower()))


_TIMES = _words(
    "time times date dates datetime timestamp timestamps clock hour hours minute minutes second seconds day days when datum "
    "zeit uhrzeit heure temps index id no nr row t"
)
"""Words in a heading for when a reading was taken, or for a line number."""
_HOURS = _words("hour hours heure heures stunde stunden")
_POWERS = _words(
    "power watt watts w kw kilowatt kilowatts consumption load usage demand activepower puissance leistung"
)
_STATES = _words(
    "state states activity activities label labels class level mode place room location status mood category"
)
_VALUES = frozenset(["value", "values", "reading", "readings", "x", "y"])
_HOLDS = {"number": "numbers", "text": "names", "time": "times", "state": "states", "other": "something else"}
_MISSING = frozenset({"", "?", "nan", "na", "null"})
_BESIDE = frozenset((*LANDMARK, "note", "notes", "comment"))
"""Headings, in the form of `plain`, of columns other than the values."""
_TIME = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}:\d\d")


@dataclass(frozen=True, eq=False)
class Table:
    """Cells in columns under a heading.

    Attributes
    ----------
    heads : the name of each column.
    rows : (line, cells) for every line that is not empty.
    separator : the separator between cells.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    separator: str

    def words(self, k: int) -> frozenset[str]:
        """The words in a column's name: {"power", "kw"} for "Power (kW)"."""
        return _words(self.heads[k])

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What each column contains: "time", "power", "state" or "other" by its name,
        otherwise "time", "number" or "text" by its cells."""
        return tuple(self._kind(k) for k in range(len(self.heads)))

    @cached_property
    def timed(self) -> tuple[int, ...]:
        """The columns of times, including one of hours next to one of dates, but not one of mere line numbers."""
        found = [k for k, kind in enumerate(self.kinds) if kind == "time" and _most(self._filled(k), is_time)]
        return (*found, *([self.hour] if self.hour >= 0 else []))

    @cached_property
    def hour(self) -> int:
        """The column of whole hours, 0 to 23, if the only other column of times contains dates; otherwise -1."""
        kinds = [(k, self._filled(k)) for k, kind in enumerate(self.kinds) if kind == "time"]
        dates = [k for k, cells in kinds if _most(cells, is_time)]
        hours = [k for k, cells in kinds if self.words(k) & _HOURS and _most(cells, is_hour)]
        alone = len(dates) == len(hours) == 1 and not _most(self._filled(dates[0]), lambda cell: ":" in cell)
        return hours[0] if alone else -1

    def _filled(self, k: int) -> list[str]:
        return [row[k] for _, row in self.rows if k < len(row)]

    def times(self, rows: Sequence[tuple[int, tuple[str, ...]]] | None = None) -> list[str]:
        """The time of each row, or of some rows, unchanged; "" if a row lacks one of its columns."""
        last, end = max(self.timed), ":00" if self.hour >= 0 else ""
        return [
            " ".join(row[k] for k in self.timed) + end if len(row) > last else ""
            for _, row in (self.rows if rows is None else rows)
        ]

    def _kind(self, k: int) -> str:
        words, cells = self.words(k), [row[k] for _, row in self.rows if k < len(row) and not is_missing(row[k])]
        if "reactive" in words:
            return "other"
        if words & _STATES:
            return "state"
        if words & _POWERS and any(self.number(cell) is not None for cell in cells):
            return "power"
        counted = _most(cells, lambda cell: any(map(str.isdigit, cell)))
        if _most(cells, is_time) or (counted and (words & _TIMES or not self.heads[k])):  # "day" may also be a state
            return "time"
        return "number" if _most(cells, lambda cell: self.number(cell) is not None) else "text"

    def number(self, cell: str) -> float | None:
        """A cell as a number, with a decimal comma if commas are not separators; None if it is not a number."""
        try:
            return float(cell.replace(",", ".") if self.separator != "," else cell)
        except ValueError:
            return None

    def value_column(self) -> tuple[int, bool]:
        """The one column of values, and whether they are numbers rather than states; times and line numbers do not count.

        Raises
        ------
        InputError : no possible column, or more than one.
        """
        kinds = self.kinds
        of = {
            kind: [k for k, found in enumerate(kinds) if found == kind] for kind in ("power", "state", "number", "text")
        }
        if of["number"]:  # what has one state in all rows, such as the kind of an activity, is no series
            of["state"] = [k for k in of["state"] if len({*self._filled(k)}) != 1]
        active = [k for k in of["power"] if any("active" in word for word in self.words(k))]
        valued = [k for k in of["number"] if self.words(k) & _VALUES]
        for found, numeric in ((active, True), (of["power"], True), (of["state"], False), (valued, True)):
            if len(found) == 1:
                return found[0], numeric
        others = of["number"] + of["text"]
        if not of["power"] and not of["state"] and len(others) == 1:
            return others[0], bool(of["number"])
        heads = zip(self.heads, kinds, strict=True)
        seen = ", ".join(f"{head or 'no name'}: {_HOLDS.get(kind, kind)}" for head, kind in heads)
        remedy = "Keep only the times and the one column you need, or rename that column"
        raise InputError(f"The file must have {WANTED}", value=printable(seen), remedy=remedy, kind="columns")

    def wrong_row(self, row: Sequence[str], column: int) -> str:
        """What is wrong with a line of this table; "" if it is well formed."""
        expected = len(self.heads)
        if len(row) <= max(column, *self.timed, 0):
            return f"a column is missing: it has {len(row)} of {expected}"
        if len(row) > expected:
            return f"it has {len(row)} columns, but the heading has {expected}"
        for k in self.timed:
            if not (is_hour if k == self.hour else is_time)(row[k]):
                return f"there is no time{quoted(row[k])} in the column {self.heads[k] or k + 1}"
        return ""


def find_table(lines: Sequence[str]) -> Table | None:
    """The table in the lines of a file; None for a list of states.

    A heading has a name for every column, none of them a number or a time. What distinguishes a table from a list of states
    is a name that says what the column contains, or a column of times or numbers under it.

    Raises
    ------
    InputError : columns of times without a heading, or separated by blanks.

    Examples
    --------
    >>> table = find_table(["time,power", "2020-01-01 00:00,100", "2020-01-01 00:01,120"])
    >>> table.heads, table.kinds
    (('time', 'power'), ('time', 'power'))
    >>> find_table(["home,home,work", "home,work,home"]) is None
    True
    """
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if len(filled) < 2:
        return None
    (first, heading), rest = filled[0], filled[1:]
    separator = next((mark for mark in (";", "\t", ",", "|") if mark in heading), "")
    if separator and heading.rstrip().endswith(separator):  # every line ends with one
        heading = heading.rstrip()[:-1]
        rest = [(number, line.rstrip().removesuffix(separator)) for number, line in rest]
    heads = split_line(heading.lstrip("# "), separator)
    if any(is_time(cell) for cell in heads):
        if separator or " " in heading.strip():
            what = f"Line {first:,} must be a heading that names {WANTED}"
            raise InputError(what, value="a time", remedy="Add a first line such as time,power or time,state")
        return None
    if len(heads) == 1 and not _words(heading) & (_POWERS | _TIMES):
        return None
    table = Table(heads, tuple((number, split_line(line, separator)) for number, line in rest), separator)
    if any(table.number(head) is not None for head in heads) or not all(heads[1:]):
        return None
    if len(heads) == 1:
        return _one_column(table, heading)
    alike = sum(len(row) == len(heads) for _, row in table.rows)
    told = "power" in table.kinds or ({"time", "number"} & set(table.kinds) and 2 * alike >= len(rest))
    return table if told and len(set(heads)) == len(heads) else None


def _one_column(table: Table, heading: str) -> Table | None:
    words = heading.lower().split()
    if len(words) > 1 and words[0] in _TIMES and any(is_time(row[0]) for _, row in table.rows):
        what = "A table must have commas between its columns, such as time,power"
        raise InputError(what, value=printable(heading.strip()), remedy="Save it as CSV")
    return table if table.kinds == ("power",) else None


def is_missing(cell: str) -> bool:
    """Whether nothing was measured: an empty cell, "?", "NaN"."""
    return cell.lower() in _MISSING


def is_time(cell: str) -> bool:
    """Whether a cell contains a date or a time of day.

    Examples
    --------
    >>> [is_time(cell) for cell in ("2020-01-01", "1/2/2007 08:00", "8:15", "12.5", "abc")]
    [True, True, True, False, False]
    """
    return _TIME.search(cell) is not None


def is_hour(cell: str) -> bool:
    """Whether a cell is a whole hour of a day.

    Examples
    --------
    >>> [is_hour(cell) for cell in ("0", "07", "23", "24", "7:00", "")]
    [True, True, True, False, False, False]
    """
    return cell.isdecimal() and len(cell) <= 2 and int(cell) < 24


def are_undated(times: Sequence[str]) -> bool:
    """Whether these are times of a day without a date.

    Examples
    --------
    >>> are_undated(["8:00", "8:15"]), are_undated(["2020-01-01 8:00"])
    (True, False)
    """
    return all(":" in text and not any(mark in text for mark in "-/.") for text in times)


def _most(cells: Sequence[str], holds: Callable[[str], bool]) -> bool:
    return 2 * sum(map(holds, cells)) > len(cells)


def split_line(line: str, separator: str) -> tuple[str, ...]:
    """The cells of a line, without surrounding blanks and quotation marks."""
    try:
        cells = next(csv.reader([line], delimiter=separator)) if separator else [line]
    except csv.Error:  # an unclosed quotation mark, or a cell of a hundred thousand letters
        cells = line.split(separator)
    return tuple(cell.strip().strip('"') for cell in cells)


class Found(NamedTuple):
    """A table with one series, the column of its values, and notices about how it was read."""

    table: Table
    column: int
    notices: tuple[str, ...] = ()


def find_series(file: Contents, options: Mapping[str, Any]) -> Found | None:
    """One person's table, and its column of values or states; None for a list of states.

    Parameters
    ----------
    options : "person", "columns" and "headings", as for `load_series`; others are ignored.

    Raises
    ------
    InputError : it cannot be read, or the user has to choose whose series it is.
    """
    person = options.get("person")
    if columns := options.get("columns"):
        grid, at = chosen_columns(file, columns, headings=options.get("headings", True))
        grid, told = of_person(grid, person)
        hours = "clock" in at and all(map(is_hour, grid.columns[at["clock"]]))
        clock = "hour" if hours else "time"
        heads = tuple(clock if k == at.get("clock") else head for k, head in enumerate(grid.heads))
        return Found(_table_of(replace(grid, heads=heads)), at["value"], tuple(told))
    lines = file.text().splitlines()
    named = find_columns(re.split(r"[,;\t|]", next((line for line in lines if line.strip()), "").lstrip("# ")))
    table = None if max(named.latitude, named.longitude) >= 0 else find_table(lines)
    if table is None:
        return None
    undated = find_grid(file.text(), dated=False)
    if undated is not None and is_scans(undated):
        return Found(_table_of(scans(undated, person)), 1, (NO_START,))
    named_people = [k for k, head in enumerate(table.heads) if plain(head) in WHOSE]
    whose = next((k for k in named_people if is_several(cells_of(table, k))), -1)
    column = _column(table, whose)[0]
    if whose < 0 and person is None:
        return Found(table, column)
    kept, told = of_person(
        grid_of([(line, list(row)) for line, row in table.rows], table.heads, table.separator), person
    )
    return Found(_table_of(kept), column, tuple(told))


def _table_of(grid: Grid) -> Table:
    """A table by rows; one with a fault in its form is short."""
    rows = zip(grid.lines.tolist(), zip(*grid.columns, strict=True), strict=True)
    kept = tuple((line, cells[:1] if k in grid.wrong else cells) for k, (line, cells) in enumerate(rows))
    return Table(grid.heads, kept, grid.separator)


def _column(table: Table, whose: int) -> tuple[int, bool]:
    """The column of values, which is not a column of labels or one that names people."""
    beside = [k for k, head in enumerate(table.heads) if plain(head) in _BESIDE or k == whose]
    labels = [k for k, head in enumerate(table.heads) if plain(head) in LABEL]
    try:
        return _without(table, [*beside, *labels])
    except InputError:
        return _without(table, beside)


def _without(table: Table, some: Sequence[int]) -> tuple[int, bool]:
    """A table's column of values, ignoring some of its columns."""
    kept = [k for k in range(len(table.heads)) if k not in some]
    rows = tuple((line, tuple(row[k] for k in kept if k < len(row))) for line, row in table.rows)
    column, numeric = Table(tuple(table.heads[k] for k in kept), rows, table.separator).value_column()
    return kept[column], numeric


def cells_of(table: Table, column: int) -> list[str]:
    """The cells of a column, "" where a row lacks it."""
    return [row[column] if column < len(row) else "" for _, row in table.rows]

"""Reading CSV: any of the usual separators and headings, in any order, with decimal points or commas."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter

import numpy as np

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import (
    PREVIEWED,
    Chosen,
    Columns,
    add_columns,
    find_columns,
    in_degrees,
    project,
    times_in,
)
from lmdk_widgets.trajectory.crowd import Repeated
from lmdk_widgets.trajectory.place_columns import columns_by_content, said_of
from lmdk_widgets.trajectory.raw import RawPoints, limit, read_places
from lmdk_widgets.trajectory.source import Contents, Format, OtherKind
from lmdk_widgets.trajectory.table import Grid, find_grid, find_separator
from lmdk_widgets.trajectory.words import printable, quoted

SEPARATORS = (",", ";", "\t", "|")
_AT_ONCE = 65_536  # rows buffered before they are moved to their columns
_MOST_TITLES = 40  # lines in which the heading is looked for
_LONGEST_LINE = 100_000  # characters; a longer line is not a row of a table


def read(file: Contents) -> RawPoints:
    """The points in a CSV file; its first non-empty line must name the columns.

    Raises
    ------
    InputError if a column is missing, the quotation marks do not match or the file is too long.
    """
    lines, chosen = lines_of(file), file.chosen
    above = 0 if chosen is None else _titles(file, chosen)
    heading, first_line, rows = _heading_line(lines, above, titled=chosen is None)
    if chosen is None:
        separator, headings = _split_heading(heading)
        columns = find_columns(headings)
        if columns.score < 3:
            if (proposed := proposed_columns(file)) is None or not file.accepts:
                raise no_columns(headings, columns)
            points = read(replace(file, chosen=proposed))
            points.notices.append(f"Read as {said_of(proposed.columns)}.")
            return points
    else:
        start = list(islice(rows, PREVIEWED))
        separator = find_separator("".join([heading, *start]))
        headings = _cells(heading, separator)
        columns, rows = chosen.found_in(headings), chain(start, rows)
        if not chosen.headings:
            rows, first_line = chain([heading], rows), first_line - 1
            headings = [""] * len(headings)
    wanted = list(dict.fromkeys((*columns.needed, *columns.identities)))
    others = Repeated(columns.others(headings))
    cells, numbers, problems = read_rows(rows, separator, len(headings), wanted, first_line, others)
    by_column = dict(zip(wanted, cells, strict=True))
    times = times_in(columns, by_column.__getitem__)
    points = table_points(by_column[columns.latitude], by_column[columns.longitude], times, numbers, problems)
    points.is_table = True
    points.latitude, points.longitude = in_degrees(points.latitude, points.longitude, headings, columns)
    if chosen is not None and chosen.epsg is not None:
        project(points, chosen.epsg)
    add_columns(points, columns, headings, by_column.__getitem__, "column", others.columns)
    return points


def proposed_columns(file: Contents) -> Chosen | None:
    """The columns of a time and a place, judging by the contents of a table's first rows; None if it does not have both."""
    grid = _beginning(file)
    found = columns_by_content(grid) if grid is not None else {}
    if grid is None or not {"latitude", "longitude"} <= found.keys() or not {"time", "date"} & found.keys():
        return None
    return Chosen(found, grid.has_headings)


def _beginning(file: Contents) -> Grid | None:
    try:
        return find_grid("".join(islice(lines_of(file), 10 * PREVIEWED)))
    except InputError:
        return None


def _titles(file: Contents, chosen: Chosen) -> int:
    """How many lines stand above the heading, or the first row, of a table whose columns were chosen by their numbers."""
    if any(isinstance(column, str) for column in chosen.columns.values()):
        return 0
    grid = _beginning(file)
    return 0 if grid is None or not grid.titles else int(grid.lines[0]) - 1 - (chosen.headings and grid.has_headings)


def _cells(line: str, separator: str) -> list[str]:
    row = next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    return [cell.strip() for cell in row]


def table_points(
    latitude: Sequence[str],
    longitude: Sequence[str],
    times: Sequence[str],
    numbers: Sequence[int],
    problems: dict[int, str],
) -> RawPoints:
    """Points from the texts in a table, with the line numbers and problems of its rows."""
    north, east, unread = read_places(latitude, longitude)
    return RawPoints(north, east, times, np.array(numbers, np.int64), "line", unread | problems)


def read_rows(
    lines: Iterable[str],
    separator: str,
    width: int,
    wanted: Sequence[int],
    first_line: int,
    others: Repeated | None = None,
) -> tuple[list[list[str]], Sequence[int], dict[int, str]]:
    """The cells of the wanted columns, column by column, the line of each row, and problems with the form of rows.

    Parameters
    ----------
    lines : the lines below the heading; `first_line` (from 1) is the number of the first.
    width : the number of columns in the heading.
    others : further columns, which a row may lack, and which are filled.
    """
    others = others or Repeated(())
    picked_columns = (*wanted, *others.columns)
    pick, blank, needed = itemgetter(*picked_columns), ("",) * len(picked_columns), max(wanted)
    columns: list[list[str]] = [[] for _ in wanted]
    picked: list[tuple[str, ...]] = []
    numbers = array("q")
    problems: dict[int, str] = {}
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    above = first_line - 1
    line = first_line
    try:
        for row in reader:
            line, above = above + 1, first_line - 1 + reader.line_num
            if not any(map(str.strip, row)):
                continue  # spreadsheets leave empty rows behind
            limit(len(numbers) + 1)
            if len(row) != width and any(row[width:]):
                problems[len(numbers)] = f"the row has {len(row)} fields, the heading has {width}"
            try:
                picked.append(pick(row))
            except IndexError:
                if len(row) <= needed:
                    problems[len(numbers)] = f"the row has {len(row)} fields, the heading has {width}"
                picked.append(blank if len(row) <= needed else pick([*row, *("",) * (width - len(row))]))
            numbers.append(line)
            if len(picked) == _AT_ONCE:
                _move(picked, columns, others)
    except csv.Error:
        raise _broken_quotes(above + 1) from None
    _move(picked, columns, others)
    return columns, numbers, problems


def _move(rows: list[tuple[str, ...]], columns: Sequence[list[str]], others: Repeated) -> None:
    """Move the cells of some rows to their columns, as rows of cells take twice as much memory."""
    cells = list(zip(*rows, strict=True))
    for column, some in zip(columns, cells, strict=False):
        column.extend(some)
    if rows:
        others.add([list(map(str.strip, some)) for some in cells[len(columns) :]])
    rows.clear()


def _broken_quotes(line: int) -> InputError:
    return InputError(
        f"line {line:,} must have quotation marks only in pairs, around whole fields",
        remedy="Correct that line, or export the file again",
    )


def lines_of(file: Contents) -> Iterator[str]:
    """The lines of a file with their line ends; InputError for text that is not UTF-8, and for a line too long for a table.

    They are decoded as they are read: the whole text in memory would take several times the file's size.
    """
    file.text()
    for number, line in enumerate(io.TextIOWrapper(io.BytesIO(file.data), "utf-8-sig", newline=""), 1):
        if len(line) > _LONGEST_LINE:
            raise InputError(f"line {number:,} must have at most {_LONGEST_LINE:,} characters", value=len(line))
        yield line


def _heading_line(lines: Iterator[str], above: int, *, titled: bool) -> tuple[str, int, Iterable[str]]:
    """The heading, the number of the line below it, and the lines from there.

    Title lines may stand above it, `above` of them or, if `titled`, any number, and "sep=;", which Excel writes.
    """
    start = list(islice(lines, max(_MOST_TITLES, above + 1)))
    filled = [k for k, line in enumerate(start) if line.strip() and not line.lower().startswith("sep=") and k >= above]
    if not filled:
        raise OtherKind("an empty file")
    named = (k for k in filled if titled and find_columns(_split_heading(start[k])[1]).score == 3)
    at = next(named, filled[0])
    return start[at], at + 2, chain(start[at + 1 :], lines)


def _split_heading(heading: str) -> tuple[str, list[str]]:
    """The separator with which the heading names most of the needed columns, and the names."""
    splits = []
    for separator in SEPARATORS:
        try:
            row = next(csv.reader([heading], delimiter=separator, skipinitialspace=True))
        except (csv.Error, StopIteration):
            continue
        splits.append((find_columns(row).score, len(row), separator, row))
    if not splits:
        raise _broken_quotes(1)
    _, _, separator, row = max(splits, key=itemgetter(0, 1))
    return separator, [name.strip() for name in row]


def no_columns(headings: Sequence[str], columns: Columns) -> InputError:
    """An error that names what the heading lacks; a line of data in its place is not repeated."""
    if columns.score == 0 and (len(headings) < 2 or max(map(len, headings)) > 40):
        raise OtherKind("text of another kind")
    names = ("latitude (such as lat)", "longitude (such as lon)", "time (such as timestamp)")
    found = (columns.latitude, columns.longitude, columns.time)
    missing = [name for name, column in zip(names, found, strict=True) if column < 0]
    data = any(re.match(r"[+-]?[\d.,]+$", name) for name in headings)
    seen = [printable(name, 30) for name in headings[:8] if quoted(name)]
    return InputError(
        f"the first line must have a heading for {joined(missing, 'and')}",
        value="data" if data else ", ".join(seen) or None,
        remedy="Write a line of headings above the data" if data else "Rename the columns in the first line",
        argument='columns={"time": 0, "latitude": 1, "longitude": 2}' + (", headings=False" if data else ""),
        kind="columns",
    )


def _head(file: Contents) -> list[list[str]]:
    given = (line for line in lines_of(file) if line.strip() and not line.lower().startswith("sep="))
    lines = list(islice(given, PREVIEWED + 1))
    separator = find_separator("".join(lines))
    return [
        [cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator, skipinitialspace=True) if row
    ]


FORMAT = Format(
    "CSV",
    (".csv", ".txt", ".tsv"),
    lambda _: True,  # its reader refuses whatever is not a table
    read,
    "with headings for latitude, longitude and time",
    head=_head,
    turn=2,
    written_by="spreadsheets, databases, loggers; any table with these columns",
)

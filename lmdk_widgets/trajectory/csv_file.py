"""Reading CSV: any of the usual separators and headings, in any order, with a decimal point or comma."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import numpy as np

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import Columns, add_columns, find_columns, times_in
from lmdk_widgets.trajectory.formats import no_track
from lmdk_widgets.trajectory.model import MAX_TIMESTAMPS, too_many
from lmdk_widgets.trajectory.raw import RawPoints, read_degrees
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.words import printable, quoted

SEPARATORS = (",", ";", "\t", "|")
_LONGEST_LINE = 100_000  # characters; a longer line is no row of a table


def recognises(_: Contents) -> bool:
    """Always: what no other format recognises is read as a table, which says so where it is none."""
    return True


def read(file: Contents) -> RawPoints:
    """The points of a CSV file; its first line that is not empty must name the columns.

    Raises
    ------
    InputError where a column is missing, the quotation marks do not match or the file is too long.
    """
    lines = lines_of(file.text())
    heading, first_line = _heading_line(lines)
    separator, headings = _split_heading(heading)
    columns = find_columns(headings)
    if columns.score < 3:
        raise _no_columns(headings, columns)
    needed = [columns.latitude, columns.longitude, columns.time]
    optional = [column for column in (columns.date, columns.landmark, columns.label) if column >= 0]
    wanted = [*needed, *optional, *columns.identities]
    cells, numbers, problems = read_rows(lines, separator, len(headings), wanted, first_line)
    by_column = dict(zip(wanted, cells, strict=True))
    times = times_in(columns, by_column.__getitem__)
    points = table_points("CSV", by_column[columns.latitude], by_column[columns.longitude], times, numbers)
    points.problems |= problems
    add_columns(points, columns, headings, by_column.__getitem__, "column")
    return points


def table_points(
    format: str, latitude: Sequence[str], longitude: Sequence[str], times: Sequence[str], numbers: Sequence[int]
) -> RawPoints:
    """Points from the texts of a table."""
    degrees_north, problems = read_degrees(latitude, "latitude")
    degrees_east, more = read_degrees(longitude, "longitude")
    return RawPoints(format, degrees_north, degrees_east, times, np.array(numbers, np.int64), problems=more | problems)


def read_rows(
    lines: Iterable[str], separator: str, width: int, wanted: Sequence[int], first_line: int
) -> tuple[list[list[str]], list[int], dict[int, str]]:
    """The cells of the wanted columns, column by column, the line of each row, and problems of the rows' form.

    Parameters
    ----------
    lines : the lines below the heading, `first_line` (from 1) the first of them.
    width : how many columns the heading has.
    """
    pick, blank = itemgetter(*wanted), ("",) * len(wanted)
    picked: list[tuple[str, ...]] = []
    numbers: list[int] = []
    problems: dict[int, str] = {}
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    above = first_line - 1
    line = first_line
    try:
        for row in reader:
            line, above = above + 1, first_line - 1 + reader.line_num
            if not any(map(str.strip, row)):
                continue  # spreadsheets leave rows of nothing behind
            if len(picked) == MAX_TIMESTAMPS:
                raise too_many("more")
            if len(row) != width and any(row[width:]):
                problems[len(picked)] = f"the row has {len(row)} fields, the heading has {width}"
            try:
                picked.append(pick(row))
            except IndexError:
                problems[len(picked)] = f"the row has {len(row)} fields, the heading has {width}"
                picked.append(blank)
            numbers.append(line)
    except csv.Error:
        raise _broken_quotes(above + 1) from None
    return [list(column) for column in zip(*picked, strict=True)] or [[] for _ in wanted], numbers, problems


def _broken_quotes(line: int) -> InputError:
    return InputError(
        f"line {line:,} must have quotation marks only in pairs, around whole fields",
        remedy="Mend that line, or export the file again",
    )


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends; InputError at one that is too long for a table."""
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > _LONGEST_LINE:
            raise InputError(f"line {number:,} must have at most {_LONGEST_LINE:,} characters", value=len(line))
        yield line


def _heading_line(lines: Iterator[str]) -> tuple[str, int]:
    """The heading, and the number of the line below it; "sep=;" is a line that Excel writes above it."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lower().startswith("sep="):
            return line, number + 1
    raise no_track("an empty file")


def _split_heading(heading: str) -> tuple[str, list[str]]:
    """The separator with which the heading names most of what is needed, and the names."""
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


def _no_columns(headings: Sequence[str], columns: Columns) -> InputError:
    """What is missing from the heading; a line of data in its place is not repeated."""
    if columns.score == 0 and (len(headings) < 2 or max(map(len, headings)) > 40):
        return no_track("text of another kind")
    names = ("latitude (such as lat)", "longitude (such as lon)", "time (such as timestamp)")
    found = (columns.latitude, columns.longitude, columns.time)
    missing = [name for name, column in zip(names, found, strict=True) if column < 0]
    data = any(re.match(r"[+-]?[\d.,]+$", name) for name in headings)
    seen = [printable(name, 30) for name in headings[:8] if quoted(name)]
    return InputError(
        f"the first line must have a heading for {joined(missing, 'and')}",
        value="data" if data else ", ".join(seen) or None,
        remedy="Write a line of headings above the data" if data else "Rename the columns in the first line",
    )

"""A table in a text file, found by its body: the kinds of its last rows say where rows begin, and headings stand above.

Exports have title lines, headings of several lines, footers and totals. So the rows are looked for first: most rows of a
table have the same number of cells, and a time in the same columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.columns import find_columns
from lmdk_widgets.trajectory.times import CLOCK_ONLY, DATE, shape_of

Row = tuple[int, list[str]]
"""The number of a line, and its cells."""

MISSING = frozenset(
    ("", "?", "-", "--", "nan", "na", "n/a", "null", "none", "unavailable", "unknown", "no consumption", "missing")
)
"""What stands where nothing was measured, in lower case."""
SEPARATORS = ("\t", "|", ";", ",")
_SAMPLED = 200
"""Rows at each end of a table by which it is judged."""
_MOST_HEADINGS, _MOST_COLUMNS, _MOST_BELOW = 4, 2_000, 5
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,'’\u00a0\u202f]*|[.,]\d+)(?:[eE][+-]?\d+)?$")
_WITH_UNIT = re.compile(r"([^a-zA-Z]*?\d)(\s?(?:[kM]?Wh|[kM]W|bpm)|\sW)$", re.IGNORECASE)
_ONE_GROUP = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}$")
_THOUSANDS = re.compile(r"(?m)^[+-]?[1-9]\d{0,2}(?:,\d{3})+$")


class Style(NamedTuple):
    """How numbers are written."""

    decimal: str = "."
    thousands: str = ""


@dataclass(frozen=True, eq=False)
class Grid:
    """The n rows of a table by column, and what stands around them.

    Attributes
    ----------
    heads : the heading of each column, of up to four lines; "" where there is none.
    columns : the n cells of each column.
    lines : (n,) the line of each row.
    wrong : what is wrong with the form of a row, by row.
    titles : the cells of the lines above the headings. below : how many lines below the last row were left out.
    separator : what stands between two cells.
    """

    heads: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: np.ndarray
    wrong: dict[int, str]
    titles: tuple[tuple[str, ...], ...] = ()
    below: int = 0
    separator: str = ","

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What most cells of each column are: "time" (with a clock), "date", "clock", "number", "text" or ""."""
        ends = np.r_[0 : min(len(self), _SAMPLED), max(len(self) - _SAMPLED, _SAMPLED) : len(self)].tolist()
        return tuple(_kind(cells[k] for k in ends) for cells in self.columns)

    @property
    def has_headings(self) -> bool:
        """Whether any column has a heading."""
        return any(self.heads)

    def only(self, rows: np.ndarray) -> Grid:
        """Some of the rows, by index."""
        place = {row: k for k, row in enumerate(rows.tolist())}
        return replace(
            self,
            columns=tuple([cells[row] for row in place] for cells in self.columns),
            lines=self.lines[rows],
            wrong={place[row]: why for row, why in self.wrong.items() if row in place},
        )


def is_missing(cell: str) -> bool:
    """Whether nothing was measured: an empty cell, "?", "NaN", "unavailable"."""
    return cell.lower() in MISSING


def kind_of_cell(cell: str) -> str:
    """What a cell is.

    Examples
    --------
    >>> [kind_of_cell(cell) for cell in ("2024-05-04 06:00", "4/5/2024", "06:00", "1.234,5", "Home", "unavailable")]
    ['time', 'date', 'clock', 'number', 'text', '']
    """
    if is_missing(cell):
        return ""
    if _NUMBER.match(cell) and not (cell.count(".") == 2 and DATE.match(shape_of(cell))):
        return "number"
    shape = shape_of(cell)
    if found := DATE.match(shape):
        return "time" if found["hour"] or found["hour3"] else "date"
    return "clock" if CLOCK_ONLY.match(shape) else "text"


def _kind(cells: Iterable[str]) -> str:
    counts = Counter(map(kind_of_cell, cells))
    del counts[""]
    if not counts:
        return ""
    if counts["time"] and counts["time"] + counts["date"] > 0.6 * counts.total():
        return "time"  # midnight is often written without its clock
    kind, count = counts.most_common(1)[0]
    return kind if count > 0.6 * counts.total() else "text"


def find_grid(text: str, *, dated: bool = True) -> Grid | None:
    """The table in a text; None if it has no rows with a date.

    With `dated=False`, one without dates, whose first line names its columns, and that has rows of equal length.

    Raises
    ------
    InputError : the quotation marks do not match.

    Examples
    --------
    >>> grid = find_grid("Meter 7\\n\\nFrom;To;kWh\\n1.5.2024;2.5.2024;0,3\\n2.5.2024;3.5.2024;1,2\\nTotal;;1,5\\n")
    >>> grid.heads, grid.kinds, grid.lines.tolist(), grid.below
    (('From', 'To', 'kWh'), ('date', 'date', 'number'), [4, 5], 1)
    >>> find_grid("time;bpm\\n8:00;61\\n8:15;60\\n", dated=False).kinds
    ('clock', 'number')
    """
    rows = split_rows(text, separator := find_separator(text))
    sample = rows if len(rows) <= 2 * _SAMPLED else rows[:_SAMPLED] + rows[-_SAMPLED:]
    widths = Counter(len(row) for _, row in sample if any(row))
    width = max(widths, key=lambda wide: (widths[wide], wide), default=0)
    if not (1 + dated) <= width <= _MOST_COLUMNS:
        return None
    typical = [row for _, row in sample if len(row) == width]
    typical = [row for row in typical if any(kind_of_cell(cell) not in ("text", "") for cell in row)] or typical
    kinds = [_kind(row[k] for row in typical) for k in range(width)]
    dates = [k for k, kind in enumerate(kinds) if kind in ("time", "date")]
    if not dates and (stamps := _epochs(typical, width)) is not None:
        dates = [stamps]
    if not dated or not dates:
        return None if dated or dates else _undated(rows, separator)
    first = next((k for k, (_, row) in enumerate(rows) if _is_row(row, width, kinds, dates[0])), len(rows))
    end = next((k for k in range(len(rows) - 1, first - 1, -1) if _has_time(rows[k][1], kinds, dates[0])), -1)
    if end < 0:
        return None
    last = end if len(rows) - 1 - end <= max(_MOST_BELOW, len(rows) // 50) else len(rows) - 1
    heads, titles = _above(rows[:first], width, kinds)
    grid = grid_of(rows[first : last + 1], heads, separator)
    heads, columns = _without_units(heads, grid.columns)
    below = sum(any(row) for _, row in rows[last + 1 :])
    return replace(grid, heads=heads, columns=columns, titles=titles, below=below)


def grid_of(rows: Sequence[Row], heads: Sequence[str], separator: str, needed: int = 2) -> Grid:
    """Rows under headings as a table; one with fewer than `needed` cells, and fewer than the heading, is wrong."""
    body, width = [(line, row) for line, row in rows if any(row)], len(heads)
    wrong, cells = dict[int, str](), list[list[str]]()
    for k, (_, row) in enumerate(body):
        if len(row) == width:
            cells.append(row)
            continue
        if len(row) < width and len(row) < needed:
            wrong[k] = f"a column is missing: it has {len(row)} of {width}"
        elif any(row[width:]):
            wrong[k] = f"it has {len(row)} columns, but the heading has {width}"
        cells.append([*row[:width], *[""] * (width - len(row))])
    columns = tuple(zip(*cells, strict=True)) if cells else ((),) * width
    return Grid(tuple(heads), columns, np.array([line for line, _ in body], np.int64), wrong, separator=separator)


def _undated(rows: Sequence[Row], separator: str) -> Grid | None:
    filled = [(line, row) for line, row in rows if any(row)]
    if len(filled) < 2:
        return None
    heads = [head.lstrip("# ") for head in filled[0][1]]
    heads = heads[:-1] if len(heads) > 1 and not heads[-1] else heads
    alike = sum(len(row) == len(filled[0][1]) for _, row in filled[1:])
    named = all(heads[1:]) and len(set(heads)) == len(heads)
    if not named or 2 * alike < len(filled) - 1 or any(kind_of_cell(head) not in ("text", "") for head in heads):
        return None
    return grid_of(filled[1:], heads, separator, len(heads))


def split_unit(cell: str) -> tuple[str, str]:
    """The number in a cell that has a unit of energy, power or heart beats after it, and the unit; otherwise two empty texts.

    Examples
    --------
    >>> [split_unit(cell) for cell in ("195.2 kWh", "0,2kwh", "11.5W", "Room 5 W")]
    [('195.2', 'kWh'), ('0,2', 'kwh'), ('', ''), ('', '')]
    """
    found = _WITH_UNIT.match(cell)
    return (found[1], found[2].strip()) if found and _NUMBER.match(found[1]) else ("", "")


def _without_units(
    heads: tuple[str, ...], columns: tuple[Sequence[str], ...]
) -> tuple[tuple[str, ...], tuple[Sequence[str], ...]]:
    """Headings and columns, with a unit that stands in each cell of a column in its heading instead."""
    made_heads, made = list(heads), list(columns)
    for k, cells in enumerate(columns):
        if not any(split_unit(cell)[0] for cell in cells[:_SAMPLED]):
            continue
        parts = [split_unit(cell) for cell in cells]
        units = {unit.lower() for number, unit in parts if number}
        bare = any(
            not number and kind_of_cell(cell) == "number" for cell, (number, _) in zip(cells, parts, strict=True)
        )
        named = {word for word in re.findall(r"[^\W\d_]+", heads[k].lower()) if _WITH_UNIT.match(f"1 {word}")}
        if len(units) == 1 and not bare and named <= units:
            made[k] = [number or cell for cell, (number, _) in zip(cells, parts, strict=True)]
            unit = next(unit for number, unit in parts if number)
            made_heads[k] = heads[k] if named else f"{heads[k]} ({unit})".strip()
    return tuple(made_heads), tuple(made)


def find_separator(text: str) -> str:
    """What separates the cells of most lines, judging by both ends of a text: where cells are times and numbers.

    Examples
    --------
    >>> find_separator("a;b\\n26.10.2024 00:00;0,2\\n26.10.2024 00:15;0,3"), find_separator("t,v\\n8:00,1\\n")
    (';', ',')
    """
    lines = [line for line in text[:40_000].split("\n") if line.strip()][:_SAMPLED]
    lines += [line for line in text[-40_000:].split("\n")[1:] if line.strip()][-_SAMPLED:] if len(text) > 40_000 else []
    best, found = 0.0, ","
    for separator in SEPARATORS:
        try:
            rows = [row for row in csv.reader(lines, delimiter=separator, skipinitialspace=True) if row]
        except csv.Error:
            continue
        widths = Counter(map(len, rows))
        width = max(widths, key=lambda wide: (widths[wide], wide), default=0)
        if width < 2:
            continue
        typical = [row for row in rows if len(row) == width]
        known = sum(kind_of_cell(_plain(cell)) not in ("text", "") for row in typical for cell in row)
        share = len(typical) / len(rows) * (0.01 + known / (len(typical) * width))
        score = share * max(min(known / len(typical), 2), 1e-3)
        if score > best + 1e-12:
            best, found = score, separator
    return found


def _plain(cell: str) -> str:
    """A cell without blanks, and without the signs by which a spreadsheet is told that it is text: ="0123"."""
    cell = cell.strip()
    return cell[2:-1] if cell.startswith('="') and cell.endswith('"') else cell


def split_rows(text: str, separator: str) -> list[Row]:
    """The lines of a text as cells, each with its number.

    Raises
    ------
    InputError : the quotation marks do not match.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    rows, line, bare = list[Row](), 1, str.strip if '="' not in text else _plain
    try:
        for row in reader:
            rows.append((line, list(map(bare, row))))
            line = reader.line_num + 1
    except csv.Error:
        raise InputError(
            f"line {line:,} must have quotation marks only in pairs, around whole fields",
            remedy="Correct that line, or export the file again",
        ) from None
    return rows


def _is_row(row: Sequence[str], width: int, kinds: Sequence[str], date: int) -> bool:
    """Whether a line is a row of the body: its width, a date, and nothing but numbers where there are numbers."""
    if len(row) != width or not _has_time(row, kinds, date):
        return False
    numbers = [row[k] for k, kind in enumerate(kinds) if kind == "number"]
    return not numbers or any(kind_of_cell(cell) in ("number", "") for cell in numbers)


def _has_time(row: Sequence[str], kinds: Sequence[str], date: int) -> bool:
    return len(row) > date and kind_of_cell(row[date]) in (("number",) if kinds[date] == "number" else ("time", "date"))


def _epochs(rows: Sequence[Sequence[str]], width: int) -> int | None:
    """The first column of whole numbers that are seconds to nanoseconds since 1970, from 2001 to 2033, in order."""
    for k in range(width):
        filled = [row[k] for row in rows if row[k]]
        cells = [cell for cell in filled if re.fullmatch(r"1\d{9}(?:\d{3}){0,3}(?:\.\d+)?", cell)]
        if len(cells) > 0.6 * len(filled):
            sizes = {len(cell.partition(".")[0]) for cell in cells}
            order = np.diff([float(cell) for cell in cells])
            if len(sizes) == 1 and ((order >= 0).all() or (order <= 0).all()) and order.any():
                return k
    return None


def _above(
    rows: Sequence[Row], width: int, kinds: Sequence[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The headings in the lines above the body, joined column by column, and the lines above them."""
    parts = list[list[str]]()
    for _, row in reversed(rows):
        filled = sum(map(bool, row))
        fits = len(row) == width or (len(row) == width + 1 and not row[-1]) or (2 <= len(row) < width and not parts)
        fits |= len(row) > width and not parts and 0 <= find_columns(row).time < width  # rows lack their last cells
        data = any(
            kind_of_cell(cell) in ("time", "date", "number") and kinds[k] != "number"
            for k, cell in enumerate(row[:width])
        )
        most = filled >= (2 if parts else 1) and (not parts or 2 * filled >= width)
        if not filled and not parts:
            continue
        if len(parts) == _MOST_HEADINGS or not (filled and fits and most) or (data and parts):
            break
        parts.append([*row[:width], *[""] * (width - len(row))])
    used = len(parts)
    heads = tuple(" ".join(filter(None, (part[k] for part in reversed(parts)))) for k in range(width))
    heads = tuple(head.lstrip("# ") for head in heads)
    kept = [tuple(row) for _, row in rows if any(row)]
    return heads, tuple(kept[: len(kept) - used])


def style_of(cells: Sequence[str], separator: str) -> Style:
    """How the numbers of a column are written; where that can be read in two ways, as the separator suggests.

    Examples
    --------
    >>> style_of(["0,2", "1,345"], ";"), style_of(["1,234", "2,345"], ","), style_of(["1.234,5"], ";")
    (Style(decimal=',', thousands=''), Style(decimal='.', thousands=','), Style(decimal=',', thousands='.'))
    """
    text = "\n".join(cells)
    if re.search(r"\d['’\u00a0\u202f]\d{3}", text):
        return Style("," if "," in text else ".", "'")
    if "," not in text:
        return Style(",", ".") if re.search(r"\d\.\d{3}\.\d{3}", text) else Style()
    if "." in text:
        return Style(",", ".") if re.search(r"\d\.\d{3},\d", text) else Style(".", ",")
    commas = [cell for cell in cells if "," in cell]
    grouped = all(_THOUSANDS.match(cell) for cell in commas)
    several = any(cell.count(",") > 1 for cell in commas)
    return Style(".", ",") if grouped and (separator == "," or several) else Style(",", "")


def is_ambiguous(cells: Sequence[str], separator: str, date: str) -> bool:
    """Whether the mark in each number could be a decimal one, or separate thousands: a comma between commas, a point where
    dates have points."""
    mark, other = (",", ".") if separator == "," else (".", ",")
    marked = [cell for cell in cells if mark in cell]
    foreign = mark == "," or re.match(r"\d+\.\d+\.", date) is not None
    return foreign and bool(marked) and all(map(_ONE_GROUP.match, marked)) and not any(other in cell for cell in cells)


def read_numbers(cells: Sequence[str], style: Style) -> tuple[Floats, list[int]]:
    """(n,) numbers, NaN where none was measured, and the rows whose cell is no number.

    Examples
    --------
    >>> values, bad = read_numbers(["1,5", "?", "abc"], Style(","))
    >>> values.tolist(), bad
    ([1.5, nan, nan], [2])
    """
    marks = {"'": "'’\u00a0\u202f"}.get(style.thousands, style.thousands)
    table = {ord(mark): None for mark in marks} | ({ord(","): "."} if style.decimal == "," else {})
    texts = (
        "\n".join(cells).translate(table).split("\n") if cells and not any("\n" in cell for cell in cells) else cells
    )
    try:
        values = np.array(list(map(float, texts)), float)
        if np.isfinite(values).all():
            return values, []
    except ValueError:
        pass
    values, bad = np.full(len(cells), np.nan), list[int]()
    for row, cell in enumerate(cells):
        if is_missing(cell):
            continue
        try:
            value = float(cell.translate(table)) if "_" not in cell else np.nan
        except ValueError:
            value = np.nan
        if np.isfinite(value):
            values[row] = value
        else:
            bad.append(row)
    return values, bad

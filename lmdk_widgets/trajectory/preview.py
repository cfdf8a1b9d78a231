"""What a page asks about a file: all questions at once, and the first rows of a table with what its columns contain."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, Offer
from lmdk_widgets.trajectory.columns import MEANINGS, WHOSE, WIDEST, Chosen, Columns, find_columns, plain
from lmdk_widgets.trajectory.formats import FORMATS
from lmdk_widgets.trajectory.opened import open_source
from lmdk_widgets.trajectory.place_columns import columns_by_content, farthest, is_place
from lmdk_widgets.trajectory.proposal import find_times, rated
from lmdk_widgets.trajectory.rows_drawn import draw_rows
from lmdk_widgets.trajectory.table import Grid, kind_of_cell
from lmdk_widgets.trajectory.words import counted, printable, quoted

ASKED = {
    "timezone": "Time zone of the times",
    "day-order": "Dates such as 1/2/2026",
    "people": "Whose rows",
    "which": "Read as",
    "rows": "Rows that cannot be used",
}
"""The kinds of errors that are questions with a proposed answer, and what each asks."""
LARGEST = 4_000_000
"""Bytes of a file that is read once for each of its questions; of a larger table, the beginning and the end are."""
_ENDS = 500_000
_OF_ALL_ROWS = ("people", "rows")
"""Questions whose answers only the whole file can list."""
_STAND_IN = {"timezone": "UTC"}
_STATE = re.compile(r"state|activit|label|class|level|mode|room|status|mood|categor", re.IGNORECASE)
_LONGEST = 40  # characters shown of a cell


def preview(data: bytes, *, asks: bool = True, series: bool = True) -> dict[str, Any] | None:
    """What is needed to choose a table's columns; None if it is not a table. Contains the data: only for its owner's page.

    Parameters
    ----------
    data : the bytes of the file. asks : whether the user still has to be asked about its columns.
    series : whether it may contain values instead of places.

    Returns
    -------
    dict
        "lines" (its first rows, including any headings, as lists of texts of equal length), "headings" (whether
        the first line seems to name the columns), "fixed" (whether that is certain), "columns" (maps a meaning to the number
        of a column, as far as it seems clear), "question" (asks whether these are right, if they are enough for a track,
        otherwise ""; it contains no data), "meanings" (names and titles) and "drawn" (the rows with these columns, as
        `draw_rows` returns them).

    Examples
    --------
    >>> shown = preview(b"26/1/2026;10:00;48,86;2,34\\n26/1/2026;10:05;48,87;2,35\\n")
    >>> shown["headings"], shown["columns"]
    (False, {'date': 0, 'clock': 1, 'latitude': 2, 'longitude': 3})
    >>> shown["question"][:76]
    'Is this right? Judging by their contents, column 1 is date, column 2 is time'
    """
    try:
        file = open_source(data)
    except InputError:
        return None
    format = next(format for format in FORMATS if format.head and format.recognises(file))
    try:
        lines = format.head(file) if format.head else []
    except (InputError, csv.Error):
        return None
    width = max(map(len, lines), default=0)
    if not 2 <= width <= WIDEST:
        return None
    lines = [[printable(cell, _LONGEST) for cell in [*line, *[""] * (width - len(line))]] for line in lines]
    headings = format.names_columns or all(kind_of_cell(cell) in ("text", "") for cell in lines[0])
    rows = lines[1:] if headings else lines
    heads = lines[0] if headings else [""] * width
    cells = tuple(zip(*rows, strict=True)) if rows else ((),) * width
    grid = Grid(tuple(heads), cells, np.arange(len(rows)), {})
    found = _in_plane(_by_heading(find_columns(heads)), rows)
    nowhere = headings and not found.keys() & {"latitude", "longitude", "x", "y"}
    valued = _of_series(grid) if series and nowhere and not is_place(grid) else {}
    columns = sound(found | valued if valued else columns_by_content(grid) | found if len(found) < 3 else found)
    return {
        "lines": lines,
        "headings": headings,
        "fixed": format.names_columns,
        "columns": columns,
        "question": _question(columns, lines[0] if headings else []) if asks and _complete(columns) else "",
        "meanings": [list(meaning) for meaning in MEANINGS if series or meaning.name != "value"],
        "drawn": draw_rows(rows, columns),
    }


def drawn_again(shown: Mapping[str, Any], columns: Any, headings: Any) -> dict[str, Any] | None:
    """The rows of a preview, drawn with columns that a person has chosen; None if they are none of its columns."""
    width = len(shown["lines"][0])
    if not isinstance(columns, Mapping) or not all(type(k) is int and 0 <= k < width for k in columns.values()):
        return None
    return draw_rows(shown["lines"][1:] if headings else shown["lines"], columns)


def _question(columns: dict[str, int], heads: Sequence[str]) -> str:
    """The question whether columns contain what they seem to, for a person to answer."""
    titles = dict(MEANINGS)
    told = [
        f"{(quoted(heads[column]).strip() if heads else '') or f'column {column + 1}'} is {titles[name]}"
        for name, column in sorted(columns.items(), key=lambda found: found[1])
    ]
    return f"Is this right? Judging by their contents, {', '.join(told)}."


def _complete(columns: dict[str, int]) -> bool:
    """Whether the columns are enough for a track or a series; x and y are not, as their system cannot be guessed."""
    try:
        Chosen(columns)
    except InputError:
        return False
    return True


def sound(columns: dict[str, int]) -> dict[str, int]:
    """Remove contradictions: a date as well as a time, degrees as well as metres, a second meaning for a column."""
    without = {"date", "clock"} if "time" in columns else {"clock"} if "date" not in columns else set()
    without |= {"x", "y"} if {"latitude", "longitude"} & columns.keys() else set()
    kept = {name: column for name, column in columns.items() if name not in without}
    return {name: column for name, column in kept.items() if name == next(n for n, k in kept.items() if k == column)}


def _by_heading(columns: Columns) -> dict[str, int]:
    when = {"date": columns.date, "clock": columns.time} if columns.date >= 0 else {"time": columns.time}
    rest = {
        "latitude": columns.latitude,
        "longitude": columns.longitude,
        "landmark": columns.landmark,
        "label": columns.label,
    }
    people = {"person": columns.identities[0]} if columns.identities else {}
    return {name: column for name, column in (when | rest | people).items() if column >= 0}


def _of_series(grid: Grid) -> dict[str, int]:
    """The columns of a series whose headings mention values: the times, the person, and the likeliest value column."""
    clocks = [k for k, kind in enumerate(grid.kinds) if kind == "clock"]
    time = find_times(grid)[0] or tuple(clocks[:1])
    whose = next((k for k, head in enumerate(grid.heads) if plain(head) in WHOSE), -1)
    found = [(-rate, k) for rate, k in rated(grid, {*time, whose}) if rate > 2]
    states = [k for k, head in enumerate(grid.heads) if grid.kinds[k] == "text" and _STATE.search(head)]
    value = min(found)[1] if found else next(iter(states), -1)
    if value < 0:
        return {}
    times = dict(zip(("date", "clock") if len(time) == 2 else ("time",), time, strict=False))
    return {name: k for name, k in {**times, "value": value, "person": whose}.items() if k >= 0}


def _in_plane(columns: dict[str, int], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """The columns, with x and y for a longitude and a latitude that are not degrees: the headings x and y can mean both."""
    other = {"latitude": "y", "longitude": "x"}
    far = any(name in columns and farthest(row[columns[name]] for row in rows) > 180 for name in other)
    return {other.get(name, name) if far else name: column for name, column in columns.items()}


def ends_of(data: bytes) -> bytes | None:
    """A file, or whole lines from the beginning and the end of a large table; None for a large file of another kind.

    Examples
    --------
    >>> ends_of(b"a,b\\n"), len(ends_of(b"2024-05-04,1\\n" * 400_000)) < 2 * _ENDS
    (b'a,b\\n', True)
    """
    if len(data) <= LARGEST:
        return data
    if data.lstrip()[:1] in (b"<", b"{", b"[") or b"\0" in data[:_ENDS]:
        return None
    return data[: data.rfind(b"\n", 0, _ENDS) + 1] + data[data.find(b"\n", len(data) - _ENDS) + 1 :]


def collect(read: Callable[..., Any], error: InputError, *, is_part: bool = False) -> dict[str, Any] | None:
    """The questions about a file; None if there are fewer than two, or no answers with which the file can be read.

    Parameters
    ----------
    read : reads the file with further options. error : how it was refused without any.
    is_part : whether `read` only reads its beginning and its end; what only the whole file can tell is then asked later.

    Returns
    -------
    dict
        "questions": for each its kind, label, a sentence (or ""), and [text, options] of its answers, none for a time zone,
        which the page offers; and "table": the first rows with what their columns contain, or None.
    """
    found, given, table = list[dict[str, Any]](), dict[str, Any](), error.table
    while error.kind in ASKED and error.kind not in [one["kind"] for one in found]:
        if is_part and found and error.kind in _OF_ALL_ROWS:
            break
        answers = _answers(error)
        if not answers and error.kind != "timezone":
            return None
        found.append({"kind": error.kind, "label": ASKED[error.kind], "answers": [list(one) for one in answers]})
        found[-1]["said"] = error.sentence if error.kind == "rows" else ""
        given |= answers[0][1] if answers else _STAND_IN
        try:
            read(**given)
        except InputError as next_error:
            error, table = next_error, table or next_error.table
        else:
            break
    else:
        return None
    return {"questions": found, "table": table} if len(found) > 1 else None


def _answers(error: InputError) -> list[Offer]:
    """The answers to a question, the proposed one first."""
    if error.kind == "rows" and not error.offers:
        return [(f"leave out {counted(len(error.rows), error.row_name)}", {"on_problem": "drop"})]
    offers = [(text.removeprefix("Yes: "), choice) for text, choice in error.offers]
    return sorted(offers, key=lambda one: "on_several" in one[1])  # several people are not joined by default

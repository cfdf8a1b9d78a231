"""Reading a series from a table by its content: find the body, propose what its columns are, apply that to all rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, WHOSE, find_columns, join_dates, plain, says_utc
from lmdk_widgets.trajectory.crowd import is_several
from lmdk_widgets.trajectory.measure import VALUES, Measured, Proposal, apply, unfold
from lmdk_widgets.trajectory.proposal import days_in_rows, find_times, kinds_said, pick, proposals, question
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_rows import YES, answers_of, ask_whose, make_series
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import Grid, find_grid, is_missing
from lmdk_widgets.trajectory.times import Times, parse_times
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.zones import find_zone, to_local

_MOST_NESTED, _MOST_KEYS = 64, 50
_AXES = ({"n", "e"}, {"x", "y"}, {"rechts", "hoch"})
_LOOKED_AT = 100_000  # characters in which places are looked for before the whole table is read


def load_by_content(file: Contents, how: Mapping[str, Any]) -> Series | None:
    """The series in a table whose rows have dates; None if the content does not show that there is one.

    Parameters
    ----------
    how : options of `load_series`.

    Raises
    ------
    InputError : with the kind of what only a person can say, or of the rows that cannot be used.

    Examples
    --------
    >>> text = b"Meter 7\\n\\nFrom;To;kWh\\n1.5.2024;2.5.2024;0,3\\n2.5.2024;3.5.2024;1,2\\nTotal;;1,5\\n"
    >>> found = load_by_content(Contents(text), {"timezone": "UTC"})
    >>> found.values.tolist(), found.unit, found.notices[-1]
    ([0.3, 1.2], 'kWh', '1 line below the table was left out.')
    """
    grid = _grid_in(file)
    if grid is None or _is_place(grid) or (not grid.has_headings and not (how.get("accept") or how.get("reading"))):
        return None
    grid, told = _of_person(grid, how.get("person"))
    time, end = find_times(grid)
    if not time:
        return None
    if wide := days_in_rows(grid, {*time, *end}):
        told.append(f"Each row is a day with {len(wide)} values.")
        grid, time, end = unfold(grid, wide, time[0]), (0,), ()
    answered = _answered(grid, {*time, *end})
    if answered < 0 and not _has_numbers(grid, {*time, *end}):
        return None
    named = any(says_utc(grid.heads[k]) for k in time)
    zone = "UTC" if named else how.get("timezone")
    times = _times(grid, time, how, zone)
    if named and times.without_zone:
        told.append("Times without a zone were read as UTC, as the heading says.")
    ends, local = _times(grid, end, how, zone).utc if end else None, _local(times, zone)
    if answered >= 0:
        one, answers = Proposal(time, (answered,)), answers_of(grid.columns[answered])
        values, problems = _answers(grid, answered)
        measured = Measured(np.arange(len(grid)), times.utc, values)
    else:
        one, answers = _chosen(grid, time, end, times, local, how)
        measured, problems = apply(grid, one, times.utc, ends, local)
    found = _made(file, grid, one, measured, times.problems | problems, times, answers, told, how)
    return replace(found, zone="UTC") if named and not found.zone else found


def _made(
    file: Contents,
    grid: Grid,
    one: Proposal,
    measured: Measured,
    problems: dict[int, str],
    times: Times,
    answers: tuple[str, str] | None,
    told: Sequence[str],
    how: Mapping[str, Any],
) -> Series:
    """The series of the rows that were measured."""
    marks, labels = (_first(grid, names) for names in (LANDMARK, LABEL))
    place = {row: k for k, row in enumerate(measured.rows.tolist())}
    below = counted(grid.below, "line below the table was", "lines below the table were")
    return make_series(
        file,
        grid.lines[measured.rows],
        replace(times.only(measured.rows), utc=measured.utc),
        measured.values,
        {place[row]: why for row, why in problems.items() if row in place},
        how,
        marks=None if marks < 0 else [grid.columns[marks][row] for row in place],
        labels=[] if labels in (-1, *one.value) else [grid.columns[labels][row] for row in place],
        unit=one.unit,
        answers=answers,
        told=(*_understood(one), *told, *measured.notices),
        after=(*kinds_said(grid, one), *([f"{below} left out."] if grid.below else [])),
        gaps=measured.gaps,
    )


def _understood(one: Proposal) -> list[str]:
    """How the table was read, where that is more than one column as it is written."""
    as_written = one.how == VALUES and not one.at_end and not one.kept and len(one.value) == 1 and one.factor < 0
    return [] if as_written else [f"Read as {one.words}."]


def _has_numbers(grid: Grid, timed: set[int]) -> bool:
    columns = [k for k, kind in enumerate(grid.kinds) if kind == "number" and k not in timed]
    return any(plain(grid.heads[k]) not in WHOSE for k in columns)


def _chosen(
    grid: Grid, time: tuple[int, ...], end: tuple[int, ...], times: Times, local: np.ndarray, how: Mapping[str, Any]
) -> tuple[Proposal, tuple[str, str] | None]:
    """The proposal that is taken, and what no and yes are called if its values are answers."""
    found, asks = proposals(grid, time, end, times.utc, local, own_clock=times.without_zone > 0)
    if reading := how.get("reading"):
        one = pick(found, reading)
    elif asks and not how.get("accept"):
        raise question(grid, found)
    else:
        one = found[0]
    return one, answers_of(grid.columns[one.value[0]]) if len(one.value) == 1 and one.how == VALUES else None


def _grid_in(file: Contents) -> Grid | None:
    if file.beginning[:1] in (b"{", b"["):
        return _json_grid(file)
    if file.beginning[:1] == b"<" or b"\0" in file.data[:4096]:
        return None
    try:
        text = file.text()
        start = text if len(text) <= _LOOKED_AT else text[: text.rfind("\n", 0, _LOOKED_AT) + 1]
        look = find_grid(start)
        return look if look is None or _is_place(look) or start is text else find_grid(text)
    except InputError:
        return None


def _json_grid(file: Contents) -> Grid | None:
    """The longest list of records in a JSON file, as a table; what stands beside it are its titles."""
    try:
        root = json.loads(file.text())
    except (ValueError, RecursionError):
        return None
    found, titles = list[dict[str, Any]](), list[tuple[str, ...]]()
    stack: list[tuple[Any, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > _MOST_NESTED:
            continue
        if isinstance(node, list) and len(node) > len(found) and all(isinstance(one, dict) for one in node):
            found = node
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        if isinstance(node, dict) and node not in found[:1]:
            titles += [(key, each) for key, each in node.items() if isinstance(each, str) and len(titles) < _MOST_KEYS]
        stack += [(one, depth + 1) for one in inner if isinstance(one, (dict, list))]
    keys = list(
        dict.fromkeys(key for one in found[:400] for key, each in one.items() if not isinstance(each, (dict, list)))
    )
    if len(keys) < 2 or len(keys) > _MOST_KEYS:
        return None
    columns = tuple([_written(one.get(key)) for one in found] for key in keys)
    grid = Grid(tuple(keys), columns, np.arange(1, len(found) + 1), {}, tuple(titles))
    return grid if {"time", "date"} & {*grid.kinds} or find_times(grid)[0] else None


def _written(value: Any) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()


def _is_place(grid: Grid) -> bool:
    """Whether a table has places: by its headings, or as two smooth neighbours have four decimals; two if their headings are
    n and e, or x and y."""
    found = find_columns(grid.heads)
    if max(found.latitude, found.longitude) >= 0:
        return True
    numbers = [k for k, kind in enumerate(grid.kinds) if kind == "number"]
    return any(b == a + 1 and _are_smooth(grid, a, b) for a, b in pairwise(numbers))


def _are_smooth(grid: Grid, a: int, b: int) -> bool:
    named = {grid.heads[k].strip().lower() for k in (a, b)}
    if named != {""} and named not in _AXES:
        return False
    return all(_is_smooth(grid, k, 4 if named == {""} else 2) for k in (a, b))


def _is_smooth(grid: Grid, column: int, decimals: int) -> bool:
    cells = [cell.replace(",", ".") for cell in grid.columns[column][:400] if not is_missing(cell)]
    exact = sum(len(cell.rpartition(".")[2]) >= decimals for cell in cells if "." in cell)
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:
        return False
    if len(values) < 2 or 2 * exact < len(values) or np.abs(values).max() > 180:
        return False
    return bool(np.abs(np.diff(values)).max() < 1)


def _of_person(grid: Grid, person: str | None) -> tuple[Grid, list[str]]:
    """The rows of one person; asks which one if there are several."""
    named = [k for k, head in enumerate(grid.heads) if plain(head) in WHOSE]
    whose = next((k for k in named if is_several(grid.columns[k])), -1)
    if whose < 0:
        if person is not None:
            raise InputError("person must be left out if no column distinguishes people")
        return grid, []
    cells = grid.columns[whose]
    ask_whose(f'the column "{printable(grid.heads[whose])}" names', Counter(filter(None, cells)), person)
    rows = np.array([row for row, cell in enumerate(cells) if cell == person], np.intp)
    return grid.only(rows), [f"Only {len(rows):,} of {counted(len(cells), 'row')} read, those of one person or device."]


def _times(grid: Grid, columns: Sequence[int], how: Mapping[str, Any], zone: str | None) -> Times:
    texts = list(grid.columns[columns[0]])
    if len(columns) > 1:
        texts = join_dates(texts, grid.columns[columns[1]])
    return parse_times(texts, timezone=zone, day_first=how.get("day_first"), accept=bool(how.get("accept")))


def _local(times: Times, zone: str | None) -> np.ndarray:
    """The times by the clock of the file."""
    known = ~np.isnat(times.utc)
    local = times.utc.copy()
    if zone and known.any():
        local[known] = to_local(times.utc[known], find_zone(zone))
    return local


def _first(grid: Grid, names: Sequence[str]) -> int:
    return next((k for k, head in enumerate(grid.heads) if plain(head) in names), -1)


def _answered(grid: Grid, timed: set[int]) -> int:
    """The only column of yes and no; -1 if there is none."""
    beside = (*LANDMARK, *LABEL, "note", "notes", "comment")
    texts = [
        k
        for k, kind in enumerate(grid.kinds)
        if kind == "text" and k not in timed and plain(grid.heads[k]) not in beside
    ]
    return texts[0] if len(texts) == 1 and answers_of(grid.columns[texts[0]]) is not None else -1


def _answers(grid: Grid, column: int) -> tuple[np.ndarray, dict[int, str]]:
    cells = grid.columns[column]
    values = np.array([np.nan if is_missing(cell) else float(cell.lower() in YES) for cell in cells])
    return values, dict(grid.wrong) | {
        row: f"it has no answer{quoted(cell)}"
        for row, cell in enumerate(cells)
        if answers_of([cell]) is None and not is_missing(cell)
    }

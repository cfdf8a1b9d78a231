"""Reading a series from a table by its content: find the body, propose what its columns are, apply that to all rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, WHOSE, Chosen, find_columns, join_dates, plain, says_utc
from lmdk_widgets.trajectory.crowd import is_several
from lmdk_widgets.trajectory.measure import VALUES, Measured, Proposal, apply, unfold
from lmdk_widgets.trajectory.place_columns import is_place
from lmdk_widgets.trajectory.proposal import (
    days_in_rows,
    find_times,
    pick,
    proposals,
    question,
    rated,
    understood,
    written_in,
)
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_rows import YES, answers_of, make_series
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import Grid, find_grid, find_separator, grid_of, is_missing, split_rows
from lmdk_widgets.trajectory.times import Times, parse_times
from lmdk_widgets.trajectory.whose import check_one
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.zones import find_zone, to_local

WANTED = (
    "a column of times, and one column of power (power, watts, Global_active_power, value) or of states (state, activity, "
    "label)"
)
"""What a table of a series must have."""
NO_DATES = "The file has no dates: its timestamps are counted from midnight, a minute apart unless it says otherwise."
NO_START = "The times count seconds from the start of the study: its first day is shown as 1 January 2000."
_START, _MINUTE = np.datetime64("2000-01-01T00:00", "ns"), np.timedelta64(60, "s")
_SCANS = ("timestamp", "usera", "userb", "rssi")
"""Headings of Bluetooth scans as the Copenhagen Networks Study publishes them (Sapiezynski et al., 2019)."""
_BESIDE = (*LANDMARK, *LABEL, "note", "notes", "comment")
_MOST_NESTED, _MOST_KEYS = 64, 50
_LOOKED_AT = 100_000  # characters in which places are looked for before the whole table is read


class _Table(NamedTuple):
    """A table of one person's series: the columns of its times, and of its values, -1 if these are to be proposed."""

    grid: Grid
    time: tuple[int, ...]
    end: tuple[int, ...] = ()
    value: int = -1
    told: Sequence[str] = ()


def load_by_content(file: Contents, how: Mapping[str, Any]) -> Series | None:
    """The series in a table; None if neither its content nor a person says that there is one.

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
    table = _as_chosen(file, how) if how.get("columns") else _as_found(file, how)
    return None if table is None else _read(file, table, how)


def _as_chosen(file: Contents, how: Mapping[str, Any]) -> _Table:
    """The table with the columns chosen by the user."""
    grid, at = chosen_columns(file, how["columns"], headings=how.get("headings", True))
    grid, told = of_person(grid, how.get("person"))
    time = tuple(at[name] for name in ("date", "time", "clock") if name in at)
    return _Table(grid, time, value=at["value"], told=told)


def _as_found(file: Contents, how: Mapping[str, Any]) -> _Table | None:
    grid = _grid_in(file)
    if grid is None:
        return None
    if is_scans(grid):
        return _Table(scans(grid, how.get("person")), (0,), value=1, told=[NO_START])
    if is_place(grid) or not (grid.has_headings or how.get("accept") or how.get("reading")):
        return None
    time, end = find_times(grid)
    if dated := bool(time):
        value = _answered(grid, {*time, *end})
    else:
        time = tuple(k for k, kind in enumerate(grid.kinds) if kind == "clock")[:1]
        value = _undated_value(grid, {*time})
    if value < 0 and not (dated and rated(grid, {*time, *end}) and (len(grid) > 1 or not _texts(grid, {*time, *end}))):
        return None
    grid, told = of_person(grid, how.get("person"))
    time, end = find_times(grid) if dated else (time, end)
    if wide := days_in_rows(grid, {*time, *end}):
        told.append(f"Each row is a day with {len(wide)} values.")
        grid, time, end = unfold(grid, wide, time[0]), (0,), ()
    return _Table(grid, time, end, value, told)


def _read(file: Contents, table: _Table, how: Mapping[str, Any]) -> Series:
    grid, time, end, value, told = table
    named = any(says_utc(grid.heads[k]) for k in time)
    zone = "UTC" if named else how.get("timezone")
    times = _times(grid, time, how, zone)
    if named and times.without_zone:
        told = [*told, "Times without a zone were read as UTC, as the heading says."]
    ends, local = _times(grid, end, how, zone).utc if end else None, _local(times, zone)
    answers = answers_of(grid.columns[value]) if value >= 0 else None
    if answers is not None:
        one = Proposal(time, (value,))
        values, problems = _answers(grid, value)
        measured = Measured(np.arange(len(grid)), times.utc, values)
    else:
        one = _chosen(grid, time, end, times, local, how) if value < 0 else written_in(grid, time, value)
        answers = answers_of(grid.columns[one.value[0]]) if len(one.value) == 1 and one.how == VALUES else None
        measured, problems = apply(grid, one, times.utc, ends, local)
    told = [*(understood(grid, one) if value < 0 else ()), *told]
    found = _made(file, grid, one, measured, times.problems | problems, times, answers, told, how)
    found = replace(found, notices=(*found.notices, NO_DATES)) if _are_undated(grid, time) else found
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
        told=(*told, *measured.notices),
        after=[f"{below} left out."] if grid.below else [],
        gaps=measured.gaps,
    )


def _chosen(
    grid: Grid, time: tuple[int, ...], end: tuple[int, ...], times: Times, local: np.ndarray, how: Mapping[str, Any]
) -> Proposal:
    """The proposal that is taken."""
    found, asks = proposals(grid, time, end, times.utc, local, own_clock=times.without_zone > 0)
    if reading := how.get("reading"):
        return pick(found, reading)
    if asks and not how.get("accept"):
        raise question(grid, found)
    return found[0]


def chosen_columns(
    file: Contents, columns: Mapping[str, int | str], *, headings: bool = True
) -> tuple[Grid, dict[str, int]]:
    """The table of the columns chosen by the user, under their meanings, and the number of each meaning's column.

    Examples
    --------
    >>> grid, at = chosen_columns(Contents(b"when;a\\nsoon;1\\n"), {"time": 0, "value": "a"})
    >>> grid.heads, grid.columns, at
    (('time', 'a'), (('soon',), ('1',)), {'time': 0, 'value': 1})
    """
    chosen, text = Chosen(columns, headings), file.text()
    separator = find_separator(text)
    rows = [(line, row) for line, row in split_rows(text, separator) if any(row)]
    rows = rows[1:] if rows and rows[0][1][0].lower().startswith("sep=") else rows
    heads = rows[0][1] if rows else [""]
    at = {name: chosen.number_of(name, heads) for name in chosen.columns}
    own = {
        name
        for name, k in at.items()
        if headings and (name == "value" or (name == "person" and plain(heads[k]) in WHOSE))
    }
    named = [heads[k] if name in own else name for name, k in at.items()]
    wanted, most = list(at.values()), max(at.values())
    whole = wanted == list(range(max(map(len, (row for _, row in rows)), default=0)))
    kept = rows if whole else [(n, [row[k] for k in wanted] if most < len(row) else row[:1]) for n, row in rows]
    return grid_of(kept[headings:], named, separator, len(at)), {name: k for k, name in enumerate(at)}


def _grid_in(file: Contents) -> Grid | None:
    if file.beginning[:1] in (b"{", b"["):
        return _json_grid(file)
    if file.beginning[:1] == b"<" or b"\0" in file.data[:4096]:
        return None
    try:
        text = file.text()
        start = text if len(text) <= _LOOKED_AT else text[: text.rfind("\n", 0, _LOOKED_AT) + 1]
        look = find_grid(start) or find_grid(start, dated=False)
        if look is None or is_place(look) or start is text:
            return look
        return find_grid(text) or find_grid(text, dated=False)
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


def of_person(grid: Grid, person: str | None) -> tuple[Grid, list[str]]:
    """The rows of one person; asks which one if there are several."""
    named = [k for k, head in enumerate(grid.heads) if plain(head) in WHOSE]
    whose = next((k for k in named if is_several(grid.columns[k])), -1)
    if whose < 0:
        if person is not None:
            raise InputError("person must be left out if no column distinguishes people")
        return grid, []
    cells = grid.columns[whose]
    check_one(f'the column "{printable(grid.heads[whose])}" has', Counter(filter(None, cells)), person)
    rows = np.array([row for row, cell in enumerate(cells) if cell == person], np.intp)
    return grid.only(rows), [f"Only {len(rows):,} of {counted(len(cells), 'row')} read, those of one person or device."]


def is_scans(grid: Grid) -> bool:
    """Whether a table is one of Bluetooth scans."""
    return tuple(map(plain, grid.heads)) == _SCANS


def scans(grid: Grid, person: str | None) -> Grid:
    """Whether each scan of one device saw another device in the study: -1 is an empty scan, -2 a device from outside."""
    rows = list(zip(*grid.columns[:3], strict=True))
    seen_by = Counter(name for row in rows for name in row[1:] if name.isdecimal())
    check_one("the scans name", seen_by, person, values="device")
    seen = dict[str, tuple[int, bool]]()
    for line, (second, *pair) in zip(grid.lines.tolist(), rows, strict=True):
        if person in pair:
            first, met = seen.get(second, (line, False))
            seen[second] = first, met or all(map(str.isdecimal, pair))
    cells = tuple(map(_since_start, seen)), tuple("yes" if met else "no" for _, met in seen.values())
    return Grid(("time", "contact"), cells, np.array([line for line, _ in seen.values()], np.int64), {})


def _since_start(second: str) -> str:
    """The time of a scan; whatever is not a number is unchanged, to be refused."""
    whole = second.isdecimal() and len(second) < 10
    return f"{_START + np.timedelta64(int(second), 's')}"[:19] + "Z" if whole else second


def _times(grid: Grid, columns: Sequence[int], how: Mapping[str, Any], zone: str | None) -> Times:
    apart = Times(_START + np.arange(len(grid)) * _MINUTE)
    if not columns:
        return apart
    texts = list(grid.columns[columns[0]])
    if _are_undated(grid, columns):
        clock = parse_times([f"2000-01-01 {text}" for text in texts], timezone="UTC")
        return clock if not clock.problems and (clock.utc[1:] > clock.utc[:-1]).all() else apart
    if len(columns) > 1:
        texts = join_dates(texts, grid.columns[columns[1]])
    return parse_times(texts, timezone=zone, day_first=how.get("day_first"), accept=bool(how.get("accept")))


def _are_undated(grid: Grid, time: Sequence[int]) -> bool:
    return all(grid.kinds[k] == "clock" for k in time)


def _local(times: Times, zone: str | None) -> np.ndarray:
    """The times by the clock of the file."""
    known = ~np.isnat(times.utc)
    local = times.utc.copy()
    if zone and known.any():
        local[known] = to_local(times.utc[known], find_zone(zone))
    return local


def _first(grid: Grid, names: Sequence[str]) -> int:
    return next((k for k, head in enumerate(grid.heads) if plain(head) in names), -1)


def _texts(grid: Grid, timed: set[int]) -> list[int]:
    """The columns of words that are no remarks."""
    kinds = enumerate(grid.kinds)
    beside = (*_BESIDE, *WHOSE)
    return [k for k, kind in kinds if kind == "text" and k not in timed and plain(grid.heads[k]) not in beside]


def _answered(grid: Grid, timed: set[int]) -> int:
    """The only column of yes and no, if no other is named as values; -1 if there is none."""
    texts = _texts(grid, timed)
    measured = any(rate > 2 for rate, _ in rated(grid, timed))
    return texts[0] if len(texts) == 1 and not measured and answers_of(grid.columns[texts[0]]) is not None else -1


def _undated_value(grid: Grid, timed: set[int]) -> int:
    """The only column of a table without dates that can contain values, or answers; -1 if there is none."""
    counted = find_columns(grid.heads).time
    found = [(rate, k) for rate, k in rated(grid, timed) if rate and k != counted]
    best = max((rate for rate, _ in found), default=0)
    likely = [k for rate, k in found if rate == best]
    if len(likely) == 1 and (best > 2 or (len(grid.heads) > 1 and not _texts(grid, timed))):
        return likely[0]
    return -1 if found else _answered(grid, timed)


def _answers(grid: Grid, column: int) -> tuple[np.ndarray, dict[int, str]]:
    cells = grid.columns[column]
    values = np.array([np.nan if is_missing(cell) else float(cell.lower() in YES) for cell in cells])
    return values, dict(grid.wrong) | {
        row: f"it has no answer{quoted(cell)}"
        for row, cell in enumerate(cells)
        if answers_of([cell]) is None and not is_missing(cell)
    }

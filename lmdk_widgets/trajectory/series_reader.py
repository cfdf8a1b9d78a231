"""Reading a series of numbers or of answers from a table: its column, its unit, its times and its landmarks."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, PREVIEWED, WHOSE, Chosen, find_columns, plain
from lmdk_widgets.trajectory.crowd import is_several
from lmdk_widgets.trajectory.data_frame import as_frame, is_frame
from lmdk_widgets.trajectory.formats.csv import said_of, split_first, without_headings
from lmdk_widgets.trajectory.load import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.opened import open_source
from lmdk_widgets.trajectory.proposal import unit_of
from lmdk_widgets.trajectory.samples import find_track, only_of_files, sample_names, sample_series, series_names
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_content import load_by_content
from lmdk_widgets.trajectory.series_rows import YES, answers_of, ask_whose, make_series
from lmdk_widgets.trajectory.series_table import WANTED, Table, are_undated, find_table, is_hour, is_missing, split_line
from lmdk_widgets.trajectory.source import Contents, Source
from lmdk_widgets.trajectory.times import Times, parse_times
from lmdk_widgets.trajectory.words import counted, printable, quoted

_BESIDE = frozenset((*LANDMARK, "note", "notes", "comment"))
"""Headings, in the form of `plain`, of columns other than the values."""
_START, _MINUTE = np.datetime64("2000-01-01T00:00", "ns"), np.timedelta64(60, "s")
NO_DATES = "The file has no dates: its timestamps are counted from midnight, a minute apart unless it says otherwise."


OPTIONS = frozenset(
    ("timezone", "day_first", "on_problem", "on_repeat", "person", "columns", "headings", "accept", "reading")
)
"""What can be chosen for the file of a series; the other options of `load_trajectory` are only for tracks."""
_SCANS = ("timestamp", "usera", "userb", "rssi")
"""Headings of Bluetooth scans as the Copenhagen Networks Study publishes them (Sapiezynski et al., 2019)."""
NO_START = "The times count seconds from the start of the study: its first day is shown as 1 January 2000."


def load_data(source: Source | Any, **options: Any) -> Trajectory:
    """The track or series of values in a file, or in a table in memory, as its content determines.

    Options as for `load_trajectory`; of a table in memory `timezone` and `person`, see `Trajectory.from_frame`.

    Raises
    ------
    InputError : as for `load_trajectory` and `load_series`.

    Examples
    --------
    >>> type(load_data(b"time,kwh\\n2026-01-26T08:00Z,0.3\\n2026-01-26T09:00Z,0.2\\n")).__name__
    'Series'
    """
    if is_frame(source):
        return load_frame(source, **options)
    file = open_source(source)
    how = {name: value for name, value in options.items() if name in OPTIONS}
    table = options.keys() <= OPTIONS | {"on_several"}
    if table and file.beginning[:1] not in (b"{", b"[") and (series := _by_content(file, how)) is not None:
        return _said(file, series)
    found = find_series(file, options) if table else None
    if found is None:
        try:
            return load_trajectory(file, **options)
        except InputError as error:
            if table and not error.kind and (series := _by_content(file, how)) is not None:
                return _said(file, series)
            raise (_neither(error, file) if error.kind == "columns" and _is_nowhere(file, options) else error) from None
    return _said(file, _series(file, found, **how))


def _said(file: Contents, series: Series) -> Series:
    """A series, with what is known about the file from which its table was taken."""
    return replace(series, notices=(*file.notices, *series.notices), format=file.format)


def _by_content(file: Contents, how: Mapping[str, Any]) -> Series | None:
    """The series in a table whose columns neither a person nor the format has named, by its content."""
    return None if how.get("columns") or file.format else load_by_content(file, how)


def _is_nowhere(file: Contents, options: Mapping[str, Any]) -> bool:
    """Whether a table's heading names no place, and nobody has said what its columns contain."""
    if b"\0" in file.data[:4096]:
        return False
    heading = next((line for line in file.text().splitlines() if line.strip()), "")
    named = find_columns(re.split(r"[,;\t|]", heading))
    return max(named.latitude, named.longitude) < 0 and not options.get("columns")


def _neither(error: InputError, file: Contents) -> InputError:
    """The error for a table that may contain a series or a track."""
    if error.value == "data" and (found := without_headings(file)) is not None:
        clock = {"time": found.time} if found.date < 0 else {"date": found.date, "clock": found.time}
        other = clock | {"latitude": found.longitude, "longitude": found.latitude}
        return InputError(
            "the first line must name the columns of a track or a series",
            value="data",
            remedy=f"Is this right? It is read as {said_of(found)}",
            argument=f"accept=True for that, or columns={json.dumps(other)}, headings=False",
            kind="columns",
        )
    return InputError(
        "the first line must name the columns of a track (latitude, longitude and time) or of a series (time and value)",
        value=error.value,
        remedy="Say what each column contains",
        argument='columns={"time": 0, "value": 1}',
        kind="columns",
    )


def load_frame(what: Any, *, timezone: str | None = None, person: object = None, **options: Any) -> Trajectory:
    """The track in a table in memory, or the series if it has no places; any other option is refused."""
    options.pop("accept", None)  # nothing is proposed
    if options:
        raise InputError(f"{joined(options, 'and')} must come with a file", value="a table in memory")
    frame, _ = as_frame(what)
    named = find_columns([str(name) for name in frame.columns])
    kind = Trajectory if max(named.latitude, named.longitude) >= 0 else Series
    return kind.from_frame(what, timezone=timezone, person=person)


def find_data(what: object, *, timezone: str | None = None, **options: Any) -> Trajectory:
    """The track or series that is meant: itself, the name of a sample, or the path of a file.

    Further options say how to read a file, as for `load_data`.

    Raises
    ------
    InputError : it is none of these, the file cannot be read, or there are options but no file.

    Examples
    --------
    >>> len(find_data("bob")), len(find_data("household"))
    (8, 336)
    """
    if isinstance(what, str) and what in series_names():
        only_of_files(options, what)
        return sample_series(what)
    if is_frame(what) or (isinstance(what, (str, os.PathLike)) and what not in sample_names() and os.path.isfile(what)):
        return load_data(what, timezone=timezone, **options)
    return find_track(what, timezone=timezone, **options)


def load_series(
    source: Source,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str | None = None,
    on_repeat: str | None = None,
    person: str | None = None,
    columns: Mapping[str, int | str] | None = None,
    headings: bool = True,
    accept: bool = False,
    reading: str | None = None,
) -> Series:
    """Read a series from a table with a heading: a column of times, and one of numbers or of yes and no.

    The time may be in two columns, a date and a time of day or a whole hour. A column `landmark` (1 or 0) proposes
    landmarks, a column `label` names timestamps. A timestamp without a value is
    left out: a gap stays a gap. A unit is taken from the heading,
    such as "power (kW)" or "energy_kWh". A file never says which bounds are public. Bluetooth scans (timestamp, user_a,
    user_b, rssi) are read as answers: whether one person's device saw another device in the study at each scan.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object.
    timezone, day_first, on_problem, on_repeat : as for `load_trajectory`; the average of answers is that of the majority.
    person : whose series to read, if the file contains several.
    columns : what each column contains: maps "value" and, if present, "time", or "date" and "clock", "person",
        "landmark" and "label" to a heading or a number from 0. None: determined by the headings.
    headings : whether the first line names the columns; only with `columns`.
    accept : whether to take the proposed answer to every question but the time zone and the person.
    reading : one of the ways to read a table that the error of kind "which" offers.

    Raises
    ------
    InputError : no possible column, or more than one; with `kind` "timezone", "day-order", "people", "columns" or
    "rows" if there is something to choose. No message contains a value of the series.

    Examples
    --------
    >>> found = load_series(b"time;near\\n2026-01-26T08:00Z;yes\\n2026-01-26T08:10Z;no\\n2026-01-26T08:20Z;yes\\n")
    >>> found.kind, found.values.tolist(), found.answers
    ('answers', [1.0, 0.0, 1.0], ('no', 'yes'))
    """
    file = open_source(source)
    chosen: dict[str, Any] = {
        "timezone": timezone,
        "day_first": day_first,
        "on_problem": on_problem,
        "on_repeat": on_repeat,
    }
    chosen |= {"accept": accept, "reading": reading}
    parts = {"person": person, "columns": columns, "headings": headings}
    series = _by_content(file, chosen | parts)
    if series is not None:
        return _said(file, series)
    found = find_series(file, parts)
    if found is None:
        raise InputError(
            f"The file must have {WANTED}, with at most two different states", value="another kind of file"
        )
    return _said(file, _series(file, found, **chosen))


class Found(NamedTuple):
    """A table with one series, the column of its values, and notices about how it was read."""

    table: Table
    column: int
    notices: tuple[str, ...] = ()


def find_series(file: Contents, options: Mapping[str, Any], *, states: bool = False) -> Found | None:
    """One person's table, and its column of values; None if the file contains no series.

    Parameters
    ----------
    options : "person", "columns" and "headings", as for `load_series`; others are ignored.
    states : whether names of any number of states also count as values; a table that cannot be read is then refused.

    Raises
    ------
    InputError : the user has to choose whose series it is, or the chosen columns are not those of a series.
    """
    if file.beginning[:1] in (b"<", b"{") or b"\0" in file.data[:4096]:
        return None
    if columns := options.get("columns"):
        return _chosen(file, columns, options) if isinstance(columns, Mapping) and "value" in columns else None
    try:
        lines = file.text().splitlines()
        heading = next((line for line in lines if line.strip()), "").lstrip("# ")
        heads = re.split(r"[,;\t|]", heading)
        named = find_columns(heads)
        table = None if max(named.latitude, named.longitude) >= 0 else find_table(lines)
        if table is None:
            return None
        whose = -1 if (scans := tuple(map(plain, heads)) == _SCANS) else _whose(table)
        column = 1 if scans else _column(table, whose)[0]
        if not (scans or states or _column(table, whose)[1] or answers_of(_cells(table, column)) is not None):
            return None
    except InputError:
        if states:
            raise
        return None
    if scans:
        return Found(_scans(table, options.get("person")), 1, (NO_START,))
    return _of_person(table, column, whose, options.get("person"))


def _whose(table: Table) -> int:
    """The column that distinguishes several series; -1 if there is none, or only one series."""
    named = [k for k, head in enumerate(table.heads) if plain(head) in WHOSE]
    return next((k for k in named if is_several(_cells(table, k))), -1)


def _of_person(table: Table, column: int, whose: int, person: str | None) -> Found:
    """The rows of one person; raises an error that asks which one if there are several."""
    if whose < 0:
        if person is not None:
            raise InputError("person must be left out if no column distinguishes people")
        return Found(table, column)
    cells = _cells(table, whose)
    counts = Counter(cell for cell in cells if cell)
    if len(counts) < 2 and person is None:
        return Found(table, column)
    ask_whose(f'the column "{printable(table.heads[whose])}" names', counts, person)
    rows = tuple(row for row, cell in zip(table.rows, cells, strict=True) if cell == person)
    said = f"Only {len(rows):,} of {counted(len(cells), 'row')} read, those of one person or device."
    return Found(Table(table.heads, rows, table.separator), column, (said,))


def _scans(table: Table, person: str | None) -> Table:
    """Whether each scan of one device saw another device in the study: -1 is an empty scan, -2 a device from outside."""
    counts = Counter(name for _, row in table.rows for name in row[1:3] if len(row) > 2 and is_study_device(name))
    ask_whose("the scans name", counts, person)
    seen = dict[str, tuple[int, bool]]()
    for line, row in table.rows:
        if len(row) > 2 and person in row[1:3]:
            first, met = seen.get(row[0], (line, False))
            seen[row[0]] = first, met or all(map(is_study_device, row[1:3]))
    rows = tuple((line, (_since_start(second), "yes" if met else "no")) for second, (line, met) in seen.items())
    return Table(("time", "contact"), rows, ",")


def is_study_device(name: str) -> bool:
    """Whether a number in a scan identifies a device in the study.

    Examples
    --------
    >>> [is_study_device(name) for name in ("12", "0", "-1", "")]
    [True, True, False, False]
    """
    return name.isdecimal()


def _since_start(second: str) -> str:
    """The time of a scan; whatever is not a number is unchanged, to be refused."""
    whole = second.isdecimal() and len(second) < 10
    return f"{_START + np.timedelta64(int(second), 's')}"[:19] + "Z" if whole else second


def _chosen(file: Contents, columns: Mapping[str, Any], options: Mapping[str, Any]) -> Found:
    """The table with the columns chosen by the user, under headings that name their meaning."""
    headings = options.get("headings", True)
    chosen = Chosen(columns, headings)
    lines = [(k, line) for k, line in enumerate(file.text().splitlines(), 1) if line.strip()]
    separator, heads = split_first([line for _, line in lines[: PREVIEWED + 1]] or [""])
    at = {name: chosen.number_of(name, heads) for name in chosen.columns}
    cells = [(k, split_line(line, separator)) for k, line in (lines[1:] if headings else lines)]
    hours = "clock" in at and all(is_hour(row[at["clock"]]) for _, row in cells if at["clock"] < len(row))
    called = {"clock": "hour" if hours else "time", "value": heads[at["value"]] if headings else "value"}
    wide = max(at.values())
    rows = tuple((k, tuple(row[j] for j in at.values()) if wide < len(row) else ()) for k, row in cells)
    table = Table(tuple(called.get(name, name) for name in at), rows, separator)
    names = list(at)
    whose = names.index("person") if "person" in at else -1
    return _of_person(table, names.index("value"), whose, options.get("person"))


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


def _cells(table: Table, column: int) -> list[str]:
    return [row[column] if column < len(row) else "" for _, row in table.rows]


def _series(file: Contents, found: Found, **how: Any) -> Series:
    """The series in a column of a table; `how` are `OPTIONS`."""
    table, column, told = found
    cells = _cells(table, column)
    answers = answers_of(cells)
    values, problems = _values(table, cells, answers is not None)
    problems |= {k: why for k, (_, row) in enumerate(table.rows) if (why := table.wrong_row(row, column))}
    columns = find_columns(table.heads)
    labels = _cells(table, columns.label) if columns.label not in (-1, column) else []
    return make_series(
        file,
        np.array([line for line, _ in table.rows], np.int64),
        _times(table, how.get("timezone"), how.get("day_first")),
        values,
        problems,
        how,
        marks=_cells(table, columns.landmark) if columns.landmark >= 0 else None,
        labels=labels,
        unit=unit_of(table.heads[column]),
        answers=answers,
        told=told,
        after=[] if table.timed and not _undated(table) else [NO_DATES],
    )


def _values(table: Table, cells: Sequence[str], answers: bool) -> tuple[np.ndarray, dict[int, str]]:
    """(n,) values, NaN where one is missing, and the problems by row."""
    values, problems = np.full(len(cells), np.nan), dict[int, str]()
    for k, cell in enumerate(cells):
        if is_missing(cell):
            continue
        value = float(cell.lower() in YES) if answers else table.number(cell)
        if value is None or not np.isfinite(value):
            problems[k] = f"it has no {'answer' if answers else 'number'}{quoted(cell)}"
        else:
            values[k] = value
    return values, problems


def _times(table: Table, timezone: str | None, day_first: bool | None) -> Times:
    n = len(table.rows)
    apart = Times(_START + np.arange(n) * _MINUTE)
    if not table.timed:
        return apart
    texts = table.times()
    if not _undated(table):
        return parse_times(texts, timezone=timezone, day_first=day_first)
    clock = parse_times([f"2000-01-01 {text}" for text in texts], timezone="UTC")
    rising = not clock.problems and (clock.utc[1:] > clock.utc[:-1]).all()
    return clock if rising else apart


def _undated(table: Table) -> bool:
    whole = [row for row in table.rows[:100] if len(row[1]) > max(table.timed)]
    return are_undated(table.times(whole))

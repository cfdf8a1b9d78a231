"""Reading a series of numbers or of answers from a table: its column, its unit, its times and its landmarks."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.clean import clean
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, find_columns, plain
from lmdk_widgets.trajectory.load import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.raw import RawPoints, read_flags
from lmdk_widgets.trajectory.samples import find_track, only_of_files, sample_names, sample_series, series_names
from lmdk_widgets.trajectory.series import ANSWERS, NUMBERS, Series
from lmdk_widgets.trajectory.series_table import WANTED, Table, are_undated, find_table, is_missing
from lmdk_widgets.trajectory.source import Contents, Source, read_source
from lmdk_widgets.trajectory.times import Times, parse_times
from lmdk_widgets.trajectory.words import counted, printable, quoted

YES = frozenset(("yes", "y", "true", "t", "1", "on", "positive", "present", "ja", "oui", "si", "sí"))
NO = frozenset(("no", "n", "false", "f", "0", "off", "negative", "absent", "nein", "non"))
_BESIDE = frozenset((*LANDMARK, "note", "notes", "comment"))
"""Headings, as `plain` has them, of columns beside the values."""
_UNIT = re.compile(
    r"[\[(]([^\W\d_][^\])]{0,11})[\])]|[\s_](kwh|wh|kw|w|bpm|mmhg|mg|g|kg|m|km|s|min|h|°?[cf])$", re.IGNORECASE
)
_UNITS = {"kwh": "kWh", "wh": "Wh", "kw": "kW", "w": "W", "watts": "W", "bpm": "bpm"}
_START, _MINUTE = np.datetime64("2000-01-01T00:00", "ns"), np.timedelta64(60, "s")
_OFFERS = {"first": "Keep the first of each time", "last": "Keep the last of each time", "average": "Average each time"}
_MOVED = re.compile(r"the mean of its places now, up to .+? from the first")
FILLED = ("missing value repeats", "missing values repeat")
"""What is said of missing values: each stands twice then."""
NO_DATES = "The file has no dates: its timestamps are counted from midnight, a minute apart unless it says otherwise."


OPTIONS = frozenset(("timezone", "day_first", "on_problem", "on_repeat"))
"""What can be chosen for the file of a series; the other options of `load_trajectory` are for tracks alone."""


def load_data(source: Source, **options: Any) -> Trajectory:
    """The track, or the series of values, in a file: what it is its content tells. Options as for `load_trajectory`.

    Raises
    ------
    InputError : as `load_trajectory` and `load_series`.

    Examples
    --------
    >>> type(load_data(b"time,kwh\\n2026-01-26T08:00Z,0.3\\n2026-01-26T09:00Z,0.2\\n")).__name__
    'Series'
    """
    file = read_source(source)
    found = _found(file) if options.keys() <= OPTIONS | {"on_several"} else None
    if found is None:
        return load_trajectory(source if isinstance(source, (str, bytes, os.PathLike)) else file.data, **options)
    return _series(file, *found, **{name: value for name, value in options.items() if name in OPTIONS})


def find_data(what: object, *, timezone: str | None = None, **options: Any) -> Trajectory:
    """The track or the series that somebody means: itself, the name of a sample, or the path of a file.

    Further options say how a file is read, as for `load_data`.

    Raises
    ------
    InputError : it is none of these, the file cannot be read, or there is none for the options.

    Examples
    --------
    >>> len(find_data("bob")), len(find_data("household"))
    (8, 336)
    """
    if isinstance(what, str) and what in series_names():
        only_of_files(options, what)
        return sample_series(what)
    if isinstance(what, (str, os.PathLike)) and what not in sample_names() and os.path.isfile(what):
        return load_data(what, timezone=timezone, **options)
    return find_track(what, timezone=timezone, **options)


def load_series(
    source: Source,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str = "stop",
    on_repeat: str | None = None,
) -> Series:
    """Read a series from a table with a heading: a column of times, and one of numbers or of yes and no.

    A column `landmark` (1 or 0) proposes landmarks, a column `label` names timestamps. A missing number repeats the one
    before. A unit is taken from the heading, such as "power (kW)" or "energy_kWh". A file never says which bounds are public.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object.
    timezone, day_first, on_problem, on_repeat : as for `load_trajectory`; an average of answers is what most of them are.

    Raises
    ------
    InputError : no column, or more than one, that it could be; with `kind` "timezone", "day-order" or "rows" where there is
    something to choose. No message holds a value of the series.

    Examples
    --------
    >>> found = load_series(b"time;near\\n2026-01-26T08:00Z;yes\\n2026-01-26T08:10Z;no\\n2026-01-26T08:20Z;yes\\n")
    >>> found.kind, found.values.tolist(), found.answers
    ('answers', [1.0, 0.0, 1.0], ('no', 'yes'))
    """
    file = read_source(source)
    found = _found(file)
    if found is None:
        raise InputError(
            f"The file must have {WANTED}, with at most two different states", value="another kind of file"
        )
    chosen = {"timezone": timezone, "day_first": day_first, "on_problem": on_problem, "on_repeat": on_repeat}
    return _series(file, *found, **dict[str, Any](chosen))


def _found(file: Contents) -> tuple[Table, int, bool] | None:
    """The table with the column of its values and whether they are numbers; None where the file holds no series."""
    if file.beginning[:1] in (b"<", b"{") or b"\0" in file.data[:4096]:
        return None
    with suppress(InputError):
        lines = file.text().splitlines()
        heading = next((line for line in lines if line.strip()), "")
        named = find_columns(re.split(r"[,;\t|]", heading))
        table = None if max(named.latitude, named.longitude) >= 0 else find_table(lines)
        if table is None:
            return None
        column, numeric = _column(table)
        if numeric or _answers(_cells(table, column)) is not None:
            return table, column, numeric
    return None


def _column(table: Table) -> tuple[int, bool]:
    """The column of values; one of labels beside it is none."""
    beside = [k for k, head in enumerate(table.heads) if plain(head) in _BESIDE]
    labels = [k for k, head in enumerate(table.heads) if plain(head) in LABEL]
    try:
        return _without(table, [*beside, *labels])
    except InputError:
        return _without(table, beside)


def _without(table: Table, some: Sequence[int]) -> tuple[int, bool]:
    """The column of values of a table without some of its columns."""
    kept = [k for k in range(len(table.heads)) if k not in some]
    rows = tuple((line, tuple(row[k] for k in kept if k < len(row))) for line, row in table.rows)
    column, numeric = Table(tuple(table.heads[k] for k in kept), rows, table.separator).value_column()
    return kept[column], numeric


def _cells(table: Table, column: int) -> list[str]:
    return [row[column] if column < len(row) else "" for _, row in table.rows]


def _answers(cells: Sequence[str]) -> tuple[str, str] | None:
    """What no and yes are called in the cells; None where they are no answers."""
    words = {cell.lower(): cell for cell in cells if not is_missing(cell)}
    no, yes = ([word for word in words if word in known] for known in (NO, YES))
    if len(no) > 1 or len(yes) > 1 or len(no) + len(yes) < len(words) or not words:
        return None
    said = [printable(words[found[0]], 20) if found else "" for found in (no, yes)]
    return ("no", "yes") if not all(said) or said[0] == "0" else (said[0], said[1])


def _series(file: Contents, table: Table, column: int, numeric: bool, **how: Any) -> Series:
    """The series in a column of a table; `how` are `OPTIONS`."""
    cells = _cells(table, column)
    answers = _answers(cells)
    values, problems = _values(table, cells, answers is not None)
    problems |= {k: why for k, (_, row) in enumerate(table.rows) if (why := table.wrong_row(row, column))}
    times = _times(table, how.get("timezone"), how.get("day_first"))
    columns = find_columns(table.heads)
    marks = _cells(table, columns.landmark) if columns.landmark >= 0 else None
    timed = _timed(file, [line for line, _ in table.rows], times, problems, marks, how)
    if how.get("on_repeat") == "average":
        values = _averaged(values, times, problems, answers is not None)
    rows = [int(label) for label in timed.labels]
    labels = _cells(table, columns.label) if columns.label not in (-1, column) else []
    filled, said = _filled(values[rows])
    undated = [] if table.timed and not _undated(table) else [NO_DATES]
    notices = [_MOVED.sub("the mean of its values now", text) for text in timed.notices]
    return Series(
        timed.time,
        timed.landmarks,
        tuple(printable(labels[k]) for k in rows) if labels else (),
        name=timed.name,
        notices=(*notices, *said, *undated),
        zone=timed.zone,
        values=filled,
        kind=NUMBERS if answers is None else ANSWERS,
        unit="" if answers is not None else unit_of(table.heads[column]),
        answers=answers or ("no", "yes"),
    )


def _timed(
    file: Contents,
    lines: list[int],
    times: Times,
    problems: dict[int, str],
    marks: Sequence[str] | None,
    how: Mapping[str, Any],
) -> Trajectory:
    """The rows that stay, in order of time, as a track that is nowhere; its labels are their numbers."""
    nowhere = np.zeros(len(lines))
    raw = RawPoints(nowhere, nowhere, [], np.array(lines), "line", problems)
    if marks is not None:
        raw.is_landmark, unclear = read_flags(marks)
        raw.add_problems(unclear)
    raw.labels = [str(k) for k in range(len(lines))]
    drop, repeat = how.get("on_problem") == "drop", how.get("on_repeat")
    try:
        return clean(raw, times, drop=drop, name=file.name, zone=how.get("timezone") or "", on_repeat=repeat)
    except InputError as error:  # its offers speak of places that would move
        error.offers = tuple((_OFFERS.get(str(other.get("on_repeat")), text), other) for text, other in error.offers)
        raise


def _values(table: Table, cells: Sequence[str], answers: bool) -> tuple[np.ndarray, dict[int, str]]:
    """(n,) values, NaN where one is missing, and the problems by row."""
    values, problems = np.full(len(cells), np.nan), dict[int, str]()
    for k, cell in enumerate(cells):
        if is_missing(cell):
            continue
        value = float(cell.lower() in YES) if answers else table.number(cell)
        if value is None or not np.isfinite(value):
            problems[k] = f"there is no {'answer' if answers else 'number'} in it{quoted(cell)}"
        else:
            values[k] = value
    return values, problems


def _averaged(values: np.ndarray, times: Times, problems: Collection[int], answers: bool) -> np.ndarray:
    """Values of which each is the mean of those with its time; of answers what most are, and yes where they are even."""
    usable = ~np.isnan(values) & ~np.isnat(times.utc)
    usable[list(problems)] = False
    _, group = np.unique(times.utc, return_inverse=True)
    count = np.bincount(group, usable)
    total = np.bincount(group, np.where(usable, values, 0.0))
    mean = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)[group]
    return np.where(np.isnan(mean), mean, mean >= 0.5) if answers else mean


def _filled(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Values in order of time without gaps, and what is said of those: each repeats the one before, the first the next."""
    known = np.flatnonzero(~np.isnan(values))
    missing = len(values) - len(known)
    if not missing:
        return values, []
    if not len(known):
        raise InputError("The file must have at least one value", value="none")
    before = np.searchsorted(known, np.arange(len(values)), side="right") - 1
    return values[known[np.maximum(before, 0)]], [f"{counted(missing, *FILLED)} the one before."]


def unit_of(heading: str) -> str:
    """The unit that a heading names, or "".

    Examples
    --------
    >>> [unit_of(heading) for heading in ("power (kW)", "energy_kwh", "bpm", "value", "Global_active_power")]
    ['kW', 'kWh', 'bpm', '', '']
    """
    whole = heading.strip().lower()
    if whole in _UNITS:
        return _UNITS[whole]
    found = _UNIT.search(heading.strip())
    unit = printable((found[1] or found[2]) if found else "", 12)
    return _UNITS.get(unit.lower(), unit)


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

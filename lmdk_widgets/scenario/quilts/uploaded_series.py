"""The series in a table with a heading: the column to read, its unit, and the clock of the times beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.quilts.own_data import OwnData, refuse_lines, states_of
from lmdk_widgets.scenario.quilts.uploaded_table import WANTED, Table, is_missing, is_time
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.words import printable, quoted

Rows = list[tuple[int, tuple[str, ...]]]
"""Lines with their numbers and cells."""
_VALUES = frozenset(["value", "values", "reading", "readings", "x", "y"])
_KILOWATTS = frozenset(("kw", "kilowatt", "kilowatts"))
_WATTS = frozenset(("w", "watt", "watts"))
_MOST_W = 100_000.0
_SURELY_WATTS = 50.0
"""Without a unit in the heading, readings that go beyond this are watts, others kilowatts; the page says so."""
_TIMES_READ = 20_000
"""So many times tell how far apart the readings are."""
_UNEVEN = "The times are not evenly spaced: readings are taken one after another, and no clock is shown."


def read_table(table: Table, name: str) -> OwnData:
    """The power readings, or the states, of a table.

    Raises
    ------
    InputError : no column, or more than one, that it could be; lines that cannot be read, with their numbers.

    Examples
    --------
    >>> from lmdk_widgets.scenario.quilts.uploaded_table import find_table
    >>> own = read_table(find_table(["time;room", "8:00;kitchen", "8:15;kitchen", "8:30;bath"]), "day.csv")
    >>> own.labels, own.states.tolist(), own.minutes, own.start_minute
    (('bath', 'kitchen'), [1, 1, 0], 15.0, 480.0)
    """
    column, power = _column(table)
    good: Rows = []
    bad: list[tuple[int, str]] = []
    for number, row in table.rows:
        if why := _row_wrong(table, row, column):
            bad.append((number, why))
        else:
            good.append((number, row))
    if power:
        return _power(table, column, good, bad, name)
    if not bad:
        states, labels = states_of([(number, row[column]) for number, row in good], _allowed(table))
        minutes, start, notices = _clock(table, good)
        return OwnData(name, states=states, labels=labels, notices=notices, minutes=minutes, start_minute=start)
    bad += [(number, "a state is missing") for number, row in good if not row[column]]
    raise _refused(table, bad, len(good))


def _column(table: Table) -> tuple[int, bool]:
    """The column that is read, and whether as power."""
    kinds = table.kinds
    of = {kind: [k for k, found in enumerate(kinds) if found == kind] for kind in ("power", "state", "number", "text")}
    active = [k for k in of["power"] if any("active" in word for word in table.words(k))]
    valued = [k for k in of["number"] if table.words(k) & _VALUES]
    for found, power in ((active, True), (of["power"], True), (of["state"], False), (valued, True)):
        if len(found) == 1:
            return found[0], power
    others = of["number"] + of["text"]
    if not of["power"] and not of["state"] and len(others) == 1:
        return others[0], bool(of["number"])
    holds = {"number": "numbers", "text": "names", "time": "times", "state": "states", "other": "something else"}
    seen = ", ".join(
        f"{head or 'no name'}: {holds.get(kind, kind)}" for head, kind in zip(table.heads, kinds, strict=True)
    )
    raise InputError(
        f"The file must have {WANTED}",
        value=printable(seen),
        remedy="Leave only the times and the one column to look at, or rename that column",
    )


def _row_wrong(table: Table, row: Sequence[str], column: int) -> str:
    """What is wrong with a line as a line of this table; nothing when it is well formed."""
    expected = len(table.heads)
    if len(row) <= max(column, *table.timed, 0):
        return f"a column is missing: it has {len(row)} of {expected}"
    if len(row) > expected:
        return f"it has {len(row)} columns, the heading has {expected}"
    for k in table.timed:
        if not is_time(row[k]):
            return f"there is no time{quoted(row[k])} in the column {table.heads[k] or k + 1}"
    return ""


def _power(table: Table, column: int, good: Rows, bad: list[tuple[int, str]], name: str) -> OwnData:
    read: list[float] = []
    numbers: list[int] = []
    missing = 0
    for number, row in good:
        value = read[-1] if (lost := is_missing(row[column]) and bool(read)) else table.number(row[column])
        if value is None or not 0 <= value <= _MOST_W:
            bad.append((number, f"there is no power from 0 to 100 kW in it{quoted(row[column])}"))
            continue
        missing += lost
        read.append(value)
        numbers.append(number)
    unit_w, notices = _unit(table, column, read)
    bad += [
        (number, "there is no power from 0 to 100 kW in it")
        for number, value in zip(numbers, read, strict=True)
        if unit_w * value > _MOST_W
    ]
    if bad or len(read) < 2:
        raise _refused(table, bad, len(read))
    minutes, start, told = _clock(table, good)
    if missing:
        notices.append(f"{missing:,} missing readings repeat the one before.")
    watts = unit_w * np.array(read)
    return OwnData(name, watts=watts, notices=(*notices, *told), minutes=minutes, start_minute=start)


def _allowed(table: Table) -> str:
    columns = table.separator.join(head or "number" for head in table.heads)
    return f"one reading on each line, with the columns {printable(columns)}"


def _refused(table: Table, bad: list[tuple[int, str]], readings: int) -> InputError:
    try:
        refuse_lines(sorted(bad), _allowed(table), readings)
    except InputError as error:
        return error
    raise AssertionError("there was nothing to refuse")


def _unit(table: Table, column: int, read: Sequence[float]) -> tuple[float, list[str]]:
    """Watts in one unit of the column, and what is said where the heading leaves it open."""
    words, head = table.words(column), table.heads[column]
    if words & _WATTS:
        return 1.0, []
    if words & _KILOWATTS or "active" in words:  # a household's usual file is in kilowatts
        return 1000.0, []
    unit_w = 1.0 if max(read, default=0.0) > _SURELY_WATTS else 1000.0
    unit = "watts" if unit_w == 1.0 else "kilowatts"
    return unit_w, [
        f"The column “{printable(head)}” was read as power in {unit}, judging by its size; a heading such as power_W, "
        "power_kW or, if they are states, state says which."
    ]


def _clock(table: Table, rows: Rows) -> tuple[float | None, float, tuple[str, ...]]:
    """Minutes between two readings, the minute of its day of the first one, and what is said of uneven times."""
    if not table.timed:
        return None, 0.0, ()
    texts = [" ".join(row[k] for k in table.timed) for _, row in rows[:_TIMES_READ]]
    if all(":" in text and not any(mark in text for mark in "-/.") for text in texts):  # times of a day without a date
        texts = [f"2000-01-01 {text}" for text in texts]
    found = [_spacing(texts, day_first) for day_first in (True, False)]
    known = [clock for clock in found if clock is not None]
    if not known:
        return None, 0.0, (_UNEVEN,)
    minutes, start = min(known)
    return minutes, start, ()


def _spacing(texts: Sequence[str], day_first: bool) -> tuple[float, float] | None:
    """(minutes between readings, minute of the first), None where they are not even, so read."""
    try:
        times = parse_times(texts, timezone="UTC", day_first=day_first).utc
    except InputError:
        return None
    if len(times) < 2 or np.isnat(times).any():
        return None
    steps_s = np.diff(times).astype("timedelta64[s]").astype(float)
    step_s = float(np.median(steps_s))
    if step_s <= 0 or np.mean(np.abs(steps_s - step_s) <= 0.05 * step_s) < 0.9:
        return None
    start = (times[0] - times[0].astype("datetime64[D]")) / np.timedelta64(1, "m")
    return step_s / 60, float(start)

"""An uploaded series once it has been read, and how it is read from a table: column, unit, and clock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.series.uploaded_table import Found, Table, are_undated, is_missing
from lmdk_widgets.trajectory import Trajectory
from lmdk_widgets.trajectory.card import span
from lmdk_widgets.trajectory.measure import unit_in
from lmdk_widgets.trajectory.proposal import unit_of
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.words import printable, quoted

MOST_READINGS = 1_000_000
MOST_LABELS = 1_000
"""More different values than this are not states; how many states the page accepts is decided later."""
_LONGEST_LABEL = 40

Rows = list[tuple[int, tuple[str, ...]]]
"""Lines with their numbers and cells."""
_KILOWATTS = frozenset(("kw", "kilowatt", "kilowatts"))
_WATTS = frozenset(("w", "watt", "watts"))
_MOST_W = 100_000.0
_MOST_VALUE = 1e9
_ENERGY = frozenset(("Wh", "kWh", "MWh", "W", "kW", "MW"))
_SURELY_OTHER = frozenset(("bpm", "g", "gal", "kg", "kVA", "l", "m3", "m³", "VA"))
"""Units that contradict a heading's word for power, such as usage."""
_MEASURES = {"heart": "bpm", "pulse": "bpm", "bpm": "bpm", "temperature": "", "steps": "", "measure": ""}
"""What a heading without a unit measures that is not power, and in which unit."""
_SURELY_WATTS = 50.0
"""Without a unit in the heading, readings that exceed this are in watts, others in kilowatts; the page says so."""
JUDGED = "judging by its size"
"""How a unit is known that neither a heading nor the content says."""
_TIMES_READ = 20_000
"""The number of times that are read to find how far apart the readings are."""
_UNEVEN = "The times are not evenly spaced: readings are taken one after another, and no clock is shown."


@dataclass(frozen=True, eq=False)
class OwnData:
    """What was uploaded; one of `watts`, `trajectory` and `states` is set.

    Attributes
    ----------
    name : of the file.
    watts : (n,) readings of power, or of what has another unit.
    unit : of these readings: "W" for power; "" for what has no unit.
    trajectory : a track.
    states, labels : (n,) numbers from 0, and what each stands for.
    notices : what was done to the file.
    when : from when to when, in words; empty if the file has no dates, or leaves open which number is the day.
    minutes, start_minute : between two readings, None if no clock is known; of the first reading, in its day.
    """

    name: str
    watts: Floats | None = None
    trajectory: Trajectory | None = None
    states: NDArray[np.int64] | None = None
    labels: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    when: str = ""
    minutes: float | None = None
    start_minute: float = 0.0
    unit: str = "W"

    def __len__(self) -> int:
        for found in (self.watts, self.trajectory, self.states):
            if found is not None:
                return len(found)
        return 0


def is_whole(cell: str) -> bool:
    """Whether a cell is a whole number.

    Examples
    --------
    >>> [is_whole(cell) for cell in ("-3", "3.0", "")]
    [True, False, False]
    """
    return cell.removeprefix("-").isdecimal() and len(cell) <= 18


def states_of(cells: Sequence[tuple[int, str]], allowed: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """(states, labels) of cells with their line numbers: whole numbers if most are, otherwise names.

    Parameters
    ----------
    cells : (line, text) of every timestamp.
    allowed : what the file must have, for the refusal.

    Raises
    ------
    InputError : with the lines that contain no state, or for more than `MOST_LABELS` different ones.

    Examples
    --------
    >>> states_of([(1, "10"), (2, "9"), (3, "10")], "whole numbers")
    (array([1, 0, 1]), ('9', '10'))
    """
    numeric = 2 * sum(is_whole(cell) for _, cell in cells) > len(cells)
    refuse_lines([(number, why) for number, cell in cells if (why := _wrong(cell, numeric))], allowed, len(cells))
    values = [str(int(cell)) if numeric else cell for _, cell in cells]
    labels = sorted(set(values), key=(lambda v: (int(v), v)) if numeric else None)
    if len(labels) > MOST_LABELS:
        remedy = "Put them into classes first; power readings want a heading such as time,power"
        raise InputError(
            f"The file must have at most {MOST_LABELS:,} different states", value=len(labels), remedy=remedy
        )
    number_of = {label: k for k, label in enumerate(labels)}
    return np.array([number_of[v] for v in values], np.int64), tuple(labels)


def _wrong(cell: str, numeric: bool) -> str:
    if not cell:
        return "a state is missing"
    if numeric and not is_whole(cell):
        return "it is not a whole number, as the other states are"
    if len(cell) > _LONGEST_LABEL or not cell.isprintable():
        return f"it is not a name of at most {_LONGEST_LABEL} letters"
    return ""


def refuse_lines(bad: Sequence[tuple[int, str]], allowed: str, readings: int) -> None:
    """Raises `InputError` for bad lines, each with its reason, and for a series too short or too long."""
    if bad:
        lines = len({number for number, _ in bad})
        which = "lines that cannot be read, the first is" if lines > 1 else "line that cannot be read,"
        value, remedy = f"{lines:,} {which} line {bad[0][0]:,}", "Correct the lines, and upload the file again"
        raise InputError(f"The file must have {allowed}", value=value, remedy=remedy, rows=bad)
    if not 2 <= readings <= MOST_READINGS:
        raise InputError(f"The file must have between 2 and {MOST_READINGS:,} readings", value=readings)


def read_table(found: Found, name: str) -> OwnData:
    """The power readings, or the states, of a table.

    Raises
    ------
    InputError : lines that cannot be read, with their numbers.

    Examples
    --------
    >>> from lmdk_widgets.pages.series.uploaded_table import find_table
    >>> table = find_table(["time;room", "8:00;kitchen", "8:15;kitchen", "8:30;bath"])
    >>> own = read_table(Found(table, 1), "day.csv")
    >>> own.labels, own.states.tolist(), own.minutes, own.start_minute
    (('bath', 'kitchen'), [1, 1, 0], 15.0, 480.0)
    """
    table, column, told = found
    wrong = [(number, table.wrong_row(row, column)) for number, row in table.rows]
    bad = [(number, why) for number, why in wrong if why]
    good: Rows = [line for line, (_, why) in zip(table.rows, wrong, strict=True) if not why]
    if table.kinds[column] in ("power", "number"):
        return replace(own := _power(table, column, good, bad, name), notices=(*told, *own.notices))
    if bad:
        bad += [(number, "a state is missing") for number, row in good if not row[column]]
        refuse_lines(sorted(bad), _allowed(table), len(good))
    states, labels = states_of([(number, row[column]) for number, row in good], _allowed(table))
    minutes, start, notices = _clock(table, good)
    when = _when(table, good)
    return OwnData(name, None, None, states, labels, (*told, *notices), when, minutes, start)


def _power(table: Table, column: int, good: Rows, bad: list[tuple[int, str]], name: str) -> OwnData:
    read: list[float] = []
    numbers: list[int] = []
    unit = _other_unit(table.heads[column], is_power=table.kinds[column] == "power")
    least, most = (0.0, _MOST_W) if unit is None else (-_MOST_VALUE, _MOST_VALUE)
    missing, none = 0, "there is no power from 0 to 100 kW in it" if unit is None else "there is no number in it"
    for number, row in good:
        value = read[-1] if (lost := is_missing(row[column]) and bool(read)) else table.number(row[column])
        if value is None or not least <= value <= most:
            bad.append((number, none + quoted(row[column])))
            continue
        missing += lost
        read.append(value)
        numbers.append(number)
    minutes, start, even = _clock(table, good)
    unit_w, notices = _unit(table, column, read, minutes) if unit is None else (1.0, [])
    bad += [(number, none) for number, value in zip(numbers, read, strict=True) if unit_w * value > most]
    if bad or len(read) < 2:
        refuse_lines(sorted(bad), _allowed(table), len(read))
    if missing:
        notices.append(
            "One missing reading repeats the one before."
            if missing == 1
            else sentence("{missing} missing readings repeat the one before.", missing=whole(missing))
        )
    when = _when(table, good)
    values = unit_w * np.array(read)
    shown = "W" if unit is None else unit
    return OwnData(name, values, notices=(*notices, *even), when=when, minutes=minutes, start_minute=start, unit=shown)


def _other_unit(heading: str, *, is_power: bool) -> str | None:
    """The unit of what a heading says is no power, "" for none; None for power, and where the heading leaves it open."""
    if unit := unit_in(heading) or unit_of(heading):
        return None if unit in _ENERGY or (is_power and unit not in _SURELY_OTHER) else unit
    words = re.findall(r"[^\W\d_]+", heading.lower())
    return next((_MEASURES[word] for word in words if word in _MEASURES), None)


def _allowed(table: Table) -> str:
    columns = table.separator.join(head or "number" for head in table.heads)
    return f"one reading on each line, with the columns {printable(columns)}"


def _unit(table: Table, column: int, read: Sequence[float], minutes: float | None) -> tuple[float, list[str]]:
    """Watts in one unit of the column, and a remark if the heading leaves it open; `minutes` between two readings."""
    words, head = table.words(column), table.heads[column]
    if energy := words & {"kwh", "wh"}:
        one_w = 1000.0 if "kwh" in energy else 1.0
        return one_w * 60 / (minutes or 60), [said_of_energy(minutes)]
    if words & _WATTS:
        return 1.0, []
    if words & _KILOWATTS or "active" in words:  # a household's usual file is in kilowatts
        return 1000.0, []
    unit_w = 1.0 if max(read, default=0.0) > _SURELY_WATTS else 1000.0
    unit = "watts" if unit_w == 1.0 else "kilowatts"
    return unit_w, [
        f"The column “{printable(head)}” was read as power in {unit}, {JUDGED}; a heading such as power_W, "
        "power_kW or, if they are states, state would say which."
    ]


def lasting(minutes: float) -> str:
    """How long it is from one reading to the next, in words.

    Examples
    --------
    >>> lasting(15.0), lasting(60.0), lasting(1440.0), lasting(43_200.0)
    ('15 min', '60 min', '1 day', '30 days')
    """
    days = minutes / 1440
    return f"{minutes:.3g} min" if days < 1 else f"{days:.3g} day{'' if days == 1 else 's'}"


def said_of_energy(minutes: float | None) -> str:
    """How energy was read as power, with `minutes` between two readings."""
    each = "an hour" if minutes is None or minutes == 60 else lasting(minutes).replace(" min", " minutes")
    return f"Energy was read as the mean power over {each}, the time that each reading covers."


def _clock(table: Table, rows: Rows) -> tuple[float | None, float, tuple[str, ...]]:
    """Minutes between two readings, the minute of its day of the first one, and what is said of uneven times."""
    if not table.timed:
        return None, 0.0, ()
    texts = table.times(rows[:_TIMES_READ])
    if are_undated(texts):
        texts = [f"2000-01-01 {text}" for text in texts]
    found = [_spacing(texts, day_first) for day_first in (True, False)]
    known = [clock for clock in found if clock is not None]
    return (*min(known), ()) if known else (None, 0.0, (_UNEVEN,))


def _when(table: Table, rows: Rows) -> str:
    """From when to when the readings go."""
    texts = table.times([rows[0], rows[-1]]) if table.timed and rows else []
    if not texts or are_undated(texts):
        return ""
    try:
        found = parse_times(texts, timezone="UTC")
    except InputError:  # 1/2/2026: the user was not asked which one is the day
        return ""
    if np.isnat(found.utc).any():
        return ""
    return f"{span(found.utc)} ({'as in the file' if found.without_zone else 'UTC'})"


def _spacing(texts: Sequence[str], day_first: bool) -> tuple[float, float] | None:
    """(minutes between readings, minute of the first), None if they are not evenly spaced when read this way."""
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

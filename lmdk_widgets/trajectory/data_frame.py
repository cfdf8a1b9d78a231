"""Tracks from pandas DataFrames, of one person each. pandas is imported only when a frame is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.columns import IDENTITY, WHOSE, plain
from lmdk_widgets.trajectory.crowd import MOST_COLUMNS, find_crowd, is_several, may_name_people
from lmdk_widgets.trajectory.raw import RawPoints, limit, read_degrees, written
from lmdk_widgets.trajectory.times import FIRST_YEAR, LAST_YEAR, Times, parse_times
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.zones import find_zone

if TYPE_CHECKING:
    from pandas import DataFrame, Series

COLUMNS = ("time", "latitude", "longitude")
SHOWN = 3
"""How many people a message about a frame names."""
_ALLOWED = "a pandas DataFrame with the columns time, latitude and longitude"


def frame_rows(frame: DataFrame, timezone: str | None = None, person: object = None) -> tuple[RawPoints, Times, str]:
    """The rows of a frame with the columns time, latitude and longitude, and its zone; see `Trajectory.from_frame`."""
    if timezone is not None:
        find_zone(timezone)
    pandas = library("pandas", "A data frame")

    if not isinstance(frame, pandas.DataFrame):
        raise InputError(f"A track must be {_ALLOWED}", value=type(frame).__name__)
    _check_columns(list(frame.columns))
    limit(len(frame), len(frame))
    times = _times(frame["time"], timezone)
    latitude, problems = _degrees(frame["latitude"], "latitude")
    longitude, more = _degrees(frame["longitude"], "longitude")
    rows = np.arange(len(frame))
    raw = RawPoints(latitude, longitude, (), rows, "row", problems=more | problems, strict=True)
    called = _named_people(frame, IDENTITY)
    if not called:
        others = _other_columns(frame)
        found = find_crowd([values for _, values in others], latitude, longitude, times.utc)
        called = () if found is None else others[found.column]
    rows, notices = person_rows(called, person, len(frame), "track")
    if len(rows) < len(frame):
        raw, times = raw.only(rows), times.only(rows)
    raw.notices += notices
    return raw, times, timezone or _zone(frame["time"])


def person_rows(
    called: tuple[str, Sequence[str]] | tuple[()], person: object, count: int, what: str
) -> tuple[NDArray[np.intp], list[str]]:
    """The rows of one person by position, of all `count` rows if nothing tells people apart, and a notice about them.

    Parameters
    ----------
    called : the heading of a column that names several people, and its values; () for none.
    person : one of its values. what : "track" or "series".

    Raises
    ------
    InputError of kind "people" : there are several people and no `person`, or none of that name.
    """
    if not called:
        if person is not None:
            raise InputError("person must be left out if no column of the DataFrame tells several people apart")
        return np.arange(count), []
    heading, values = called
    counts = Counter(value for value in values if value)
    if person is None:
        first = printable(next(iter(counts)), 40)
        named = f'the column "{printable(heading, 40)}" names {len(counts):,} ({_some(list(counts))})'
        raise InputError(
            f"A DataFrame of a {what} must contain one person; {named}",
            remedy=f'Choose one, as in person="{first}"; if they are one person, drop the column',
            kind="people",
        )
    rows = np.array([row for row, value in enumerate(values) if value == _text(person)], np.intp)
    if not len(rows):
        raise InputError(
            f'person must be one of the {len(counts):,} in the column "{printable(heading, 40)}"',
            value=printable(_text(person), 40),
            remedy=f"They are {_some(list(counts))}",
            kind="people",
        )
    return rows, [f"Only {len(rows):,} of {counted(count, 'row')} read, those of one person or device."]


def frame_people(frame: DataFrame) -> tuple[str, Sequence[str]] | tuple[()]:
    """The column of a frame whose heading says that it names people or households, if it names several, and its values."""
    return _named_people(frame, WHOSE)


def _some(names: Sequence[str]) -> str:
    shown = [printable(name, 20) for name in names[:SHOWN]]
    return ", ".join(shown) + (", …" if len(names) > SHOWN else "")


def _named_people(frame: DataFrame, headings: Sequence[str]) -> tuple[str, Sequence[str]] | tuple[()]:
    """The first column, or level of the index, with one of the headings and several people, and its values."""
    named = {plain(heading): (heading, column) for heading, column in reversed(_besides(frame))}
    for key in headings:
        if key in named and is_several(values := _values(named[key][1])):
            return named[key][0], values
    return ()


def _besides(frame: DataFrame) -> list[tuple[str, Any]]:
    """The columns besides those of a track, and the named levels of the index, with their headings."""
    levels = [
        (str(name), frame.index.get_level_values(k)) for k, name in enumerate(frame.index.names) if name is not None
    ]
    columns = [(str(name), frame.iloc[:, k]) for k, name in enumerate(frame.columns) if name not in COLUMNS]
    return columns + levels


def _other_columns(frame: DataFrame) -> list[tuple[str, Sequence[str]]]:
    """The columns that may name people: of texts or whole numbers, of which at least half repeat."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype

    found: list[tuple[str, Sequence[str]]] = []
    for heading, column in _besides(frame):
        if len(found) == MOST_COLUMNS or not may_name_people(heading):
            continue
        if is_bool_dtype(column.dtype) or is_datetime64_any_dtype(column.dtype):
            continue
        try:
            kinds = column.nunique()
        except TypeError:  # lists and dicts
            continue
        if 1 < kinds <= len(frame) // 2:
            found.append((heading, _values(column)))
    return found


def _values(column: Any) -> list[str]:
    return ["" if missing else _text(value) for value, missing in zip(column.tolist(), column.isna(), strict=True)]


def _check_columns(names: Sequence[object]) -> None:
    seen = ", ".join(printable(str(name), 30) for name in names[:8] if quoted(str(name))) or None
    missing = ", ".join(name for name in COLUMNS if name not in names)
    if missing:
        raise InputError(
            f"A DataFrame of a track must have columns named {missing}",
            value=seen,
            remedy="Rename the columns with frame.rename(columns=...); frame.reset_index() turns an index into columns",
        )
    if twice := [name for name in COLUMNS if names.count(name) > 1]:
        raise InputError(f"A DataFrame of a track must have one column named {twice[0]}", value="two")


def _degrees(column: Series, which: str) -> tuple[Floats, dict[int, str]]:
    """A column of numbers, or of texts that are numbers."""
    from pandas.api.types import is_float_dtype, is_integer_dtype

    if is_float_dtype(column.dtype) or is_integer_dtype(column.dtype):
        return column.to_numpy(dtype=float, na_value=np.nan), {}
    return read_degrees(_texts(column), which)


def _times(column: Series, timezone: str | None) -> Times:
    """The times in UTC. Texts are read as in files, but the order of day and month is never guessed."""
    from pandas.api.types import is_datetime64_any_dtype

    if is_datetime64_any_dtype(column.dtype) and (timezone is None or column.dt.tz is not None):
        return _datetimes(column)
    try:
        return parse_times(_texts(column), timezone=timezone or "UTC", day_first=None)
    except InputError as error:
        raise InputError(
            "Column time of the DataFrame must contain datetimes, or texts such as 2026-01-26T15:57:02Z",
            value=error.value,
            remedy="Convert the column with pandas.to_datetime, with dayfirst=True or False",
        ) from None


def _datetimes(column: Series) -> Times:
    naive = column.dt.tz_convert("UTC").dt.tz_localize(None) if column.dt.tz is not None else column
    time = naive.to_numpy()  # in any unit: compared before converting, as a conversion overflows silently
    within = (time >= np.datetime64(f"{FIRST_YEAR}-01-01")) & (time < np.datetime64(f"{LAST_YEAR + 1}-01-01"))
    missing = np.isnat(time)
    utc = np.where(within, time, np.datetime64("NaT")).astype("datetime64[ns]")
    problems = {row: "the time is missing" for row in np.flatnonzero(missing).tolist()}
    problems |= {
        row: f"the time is not in the years {FIRST_YEAR} to {LAST_YEAR}"
        for row in np.flatnonzero(~within & ~missing).tolist()
    }
    return Times(utc, problems)


def _zone(column: Series) -> str:
    """The IANA name of the datetimes' zone, or ""."""
    return str(getattr(getattr(column.dtype, "tz", None), "key", ""))


def _text(value: Any) -> str:
    """A value that may name a person, as text: 17.0 and 17 are the same."""
    own = value.item() if isinstance(value, np.generic) else value
    return (written(own) if isinstance(own, (str, int, float)) else str(own)).strip()


def _texts(column: Series) -> list[str]:
    texts = (value.isoformat() if hasattr(value, "isoformat") else str(value) for value in column.tolist())
    return ["" if missing else text for text, missing in zip(texts, column.isna(), strict=True)]

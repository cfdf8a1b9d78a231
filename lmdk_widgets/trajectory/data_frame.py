"""Tracks from pandas DataFrames. pandas is imported only when a frame is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.raw import RawPoints, limit, read_degrees
from lmdk_widgets.trajectory.times import FIRST_YEAR, LAST_YEAR, Times, parse_times
from lmdk_widgets.trajectory.words import printable, quoted

if TYPE_CHECKING:
    from pandas import DataFrame, Series

COLUMNS = ("time", "latitude", "longitude")
_ALLOWED = "a pandas DataFrame with the columns time, latitude and longitude"


def frame_rows(frame: DataFrame) -> tuple[RawPoints, Times, str]:
    """The rows of a frame with the columns time, latitude and longitude, and its zone; see `Trajectory.from_frame`."""
    pandas = library("pandas", "A data frame")

    if not isinstance(frame, pandas.DataFrame):
        raise InputError(f"A track must be {_ALLOWED}", value=type(frame).__name__)
    _check_columns(list(frame.columns))
    limit(len(frame), len(frame))
    times = _times(frame["time"])
    latitude, problems = _degrees(frame["latitude"], "latitude")
    longitude, more = _degrees(frame["longitude"], "longitude")
    rows = np.arange(len(frame))
    raw = RawPoints(latitude, longitude, (), rows, "row", problems=more | problems, strict=True)
    return raw, times, _zone(frame["time"])


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


def _times(column: Series) -> Times:
    """The times in UTC. Texts are read as in files, but the order of day and month is never guessed."""
    from pandas.api.types import is_datetime64_any_dtype

    if is_datetime64_any_dtype(column.dtype):
        return _datetimes(column)
    try:
        return parse_times(_texts(column), timezone="UTC", day_first=None)
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


def _texts(column: Series) -> list[str]:
    texts = (value.isoformat() if hasattr(value, "isoformat") else str(value) for value in column.tolist())
    return ["" if missing else text for text, missing in zip(texts, column.isna(), strict=True)]

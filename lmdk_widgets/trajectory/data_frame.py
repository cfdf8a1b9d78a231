"""Tracks from tables in memory, of one person each. pandas is imported only when one is read, and no other library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.checks import kind_of
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.clean import TrackFields, clean
from lmdk_widgets.trajectory.columns import (
    IDENTITY,
    LABEL,
    LANDMARK,
    WHOSE,
    Columns,
    add_columns,
    find_columns,
    in_degrees,
    plain,
    times_in,
)
from lmdk_widgets.trajectory.crowd import is_several
from lmdk_widgets.trajectory.raw import RawPoints, limit, read_degrees, written
from lmdk_widgets.trajectory.source import read_source
from lmdk_widgets.trajectory.times import FIRST_YEAR, LAST_YEAR, Times, change_sentences, parse_times, to_zone
from lmdk_widgets.trajectory.whose import check_one, one_track
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.zones import find_zone

if TYPE_CHECKING:
    from pandas import DataFrame, Series

COLUMNS = ("time", "latitude", "longitude")
ATTRIBUTES = "lmdk_widgets"
"""The key in a frame's `attrs` of what belongs to a track besides its rows."""
_SHOWN = 3
_ALLOWED = "a table of pandas, GeoPandas, movingpandas or polars, or a list of dicts"
_TRACE = "trajectory_id"


def is_frame(what: object) -> bool:
    """Whether something is a table in memory, of any kind that can be read; no library is imported to find out."""
    if isinstance(what, (list, tuple)):
        return bool(what) and all(isinstance(row, Mapping) for row in what[:_SHOWN])
    return isinstance(what, Mapping) or any(
        hasattr(what, name) for name in ("to_pandas", "iloc", "to_point_gdf", "collect_schema")
    )


def as_frame(what: Any) -> tuple[DataFrame, str]:
    """A table in memory as a pandas DataFrame, its index as columns if it says something, and the zone that it names, or "".

    Raises
    ------
    InputError : it is no such table; geometries that are not Points, or without a coordinate reference system.
    """
    pandas = library("pandas", "A data frame")
    if not is_frame(what):
        raise InputError(f"A track in memory must be {_ALLOWED}", value=kind_of(what))
    zone = ""
    if hasattr(what, "to_point_gdf"):  # movingpandas: a trajectory, or a collection of them
        one = getattr(what, "trajectories", [what])
        zone = str(getattr(one[0], "df_orig_tz", None) or "") if one else ""
        identity = what.get_traj_id_col()
        what = what.to_point_gdf()
        what = what if plain(identity) in IDENTITY else what.rename(columns={identity: _TRACE})
    elif hasattr(what, "collect_schema"):  # polars
        what = what.collect() if hasattr(what, "collect") else what
        what = pandas.DataFrame({column.name: _from_polars(pandas, column) for column in what.iter_columns()})
    elif hasattr(what, "to_pandas"):
        what = what.to_pandas()
    elif hasattr(what, "to_frame") and not hasattr(what, "columns"):  # one column
        what = what.to_frame(what.name or "value")
    try:
        frame = what if isinstance(what, pandas.DataFrame) else pandas.DataFrame(what)
    except (ValueError, TypeError):
        raise InputError(f"A track in memory must be {_ALLOWED}", value="columns of different lengths") from None
    frame = _places(frame)
    names = list(frame.index.names)
    is_time = [str(frame.index.get_level_values(k).dtype).startswith("datetime64") for k in range(len(names))]
    named = ["time" if name is None and timed else name for name, timed in zip(names, is_time, strict=True)]
    kept = [name for name in named if name is not None and name not in frame.columns]
    attributes = frame.attrs
    frame = frame.rename_axis(index=named).reset_index(kept) if kept else frame
    frame = frame.reset_index(drop=True)
    frame.attrs = attributes
    return frame, zone


def as_csv(what: Any) -> tuple[bytes, str]:
    """The content and the name of a file, or of a table in memory as CSV."""
    if hasattr(type(what), "from_frame"):  # a track or series of ours
        unit = getattr(what, "unit", "")
        what = what.to_frame().rename(columns={"value": f"value ({unit})"} if unit else {})
    if is_frame(what):
        return as_frame(what)[0].to_csv(index=False).encode(), "table"
    file = read_source(what)
    return file.data, PurePath(what).name if isinstance(what, (str, PathLike)) else file.name


def _from_polars(pandas: Any, column: Any) -> Any:
    zone = getattr(column.dtype, "time_zone", None)
    values = column.to_numpy()
    return pandas.DatetimeIndex(values).tz_localize("UTC").tz_convert(zone) if zone else values


def _places(frame: Any) -> DataFrame:
    """A GeoDataFrame as a frame with latitude and longitude; any other as it is."""
    geometry: Any = getattr(frame, "geometry", None)
    if not hasattr(geometry, "to_crs"):
        return frame
    kinds = set(geometry.geom_type[~(geometry.isna() | geometry.is_empty)]) - {"Point"}
    if kinds:
        remedy = "Keep its Points, or one Point for each time"
        raise InputError("The geometry of a GeoDataFrame must be Points", value=", ".join(sorted(kinds)), remedy=remedy)
    if geometry.crs is None:
        raise InputError(
            "A GeoDataFrame must name its coordinate reference system",
            value="none",
            remedy='If its geometry is in degrees, call frame.set_crs("EPSG:4326")',
        )
    points = geometry.to_crs(4326)
    table = library("pandas", "A data frame").DataFrame(frame.drop(columns=geometry.name))
    return table.assign(latitude=points.y, longitude=points.x)


def as_track(
    what: Any, timezone: str | None = None, person: object = None, day_first: bool | None = None
) -> TrackFields:
    """The fields of the track in a table in memory; see `Trajectory.from_frame`."""
    whole, read, zone = _rows(what, timezone, day_first)
    raw, times = one_track(whole, lambda part: read if part is whole else read.only(part.numbers), _named(person))
    return clean(raw, times, drop=False, zone=zone)


def _named(person: object) -> str | None:
    return None if person is None else text_of(person)


def _rows(what: Any, timezone: str | None, day_first: bool | None) -> tuple[RawPoints, Times, str]:
    """The rows of a table in memory, their times, and its zone."""
    if timezone is not None:
        find_zone(timezone)
    frame, zone = as_frame(what)
    headings = [str(name) for name in frame.columns]
    columns = _find(headings)
    limit(len(frame), len(frame))
    own = _attributes(frame)
    latitude, problems = degrees_of(frame.iloc[:, columns.latitude], "latitude")
    longitude, more = degrees_of(frame.iloc[:, columns.longitude], "longitude")
    latitude, longitude = in_degrees(latitude, longitude, headings, columns)
    raw = RawPoints(latitude, longitude, (), np.arange(len(frame)), "row", problems=more | problems, strict=True)
    add_columns(raw, columns, headings, lambda k: _values(frame.iloc[:, k]), "column", _others(frame, columns))
    times = times_of(frame, columns, "UTC" if raw.fixed_zone else timezone or zone or None, day_first)
    _add_attributes(raw, times, own)
    return raw, times, timezone or (zone if zone not in ("", "UTC") else zone_named(frame, columns.time) or zone)


def framed(track: Any, **columns: Any) -> DataFrame:
    """The times of a track and other columns as a frame, whose `attrs` have the track's landmarks and labels, by their times
    in nanoseconds since 1970, its name, its zone, and what is known about the values of a series."""
    pandas = library("pandas", "A data frame")
    utc = track.time.astype(np.int64)
    frame = pandas.DataFrame({"time": pandas.DatetimeIndex(track.time).tz_localize("UTC"), **columns})
    own = {"landmarks": utc[list(track.landmarks)].tolist(), "name": track.name, "zone": track.zone}
    own["labels"] = dict(zip(map(str, utc.tolist()), track.labels, strict=False))
    own |= {name: getattr(track, name, None) for name in ("unit", "lower", "upper")}
    own["answers"] = list(getattr(track, "answers", ()))
    frame.attrs = {ATTRIBUTES: {name: value for name, value in own.items() if value not in (None, "", [], {})}}
    return frame


def _attributes(frame: DataFrame) -> Mapping[str, Any]:
    own = frame.attrs.get(ATTRIBUTES)
    return own if isinstance(own, Mapping) else {}


def _add_attributes(raw: RawPoints, times: Times, own: Mapping[str, Any]) -> None:
    """Add the landmarks, labels and name that `framed` has put into a frame's attributes."""
    utc = times.utc.astype(np.int64)
    marked, labels = own.get("landmarks"), own.get("labels")
    if isinstance(marked, list) and marked:
        raw.is_landmark = np.isin(utc, [moment for moment in marked if type(moment) is int])
    if isinstance(labels, Mapping) and labels:
        raw.labels = [printable(str(labels.get(str(moment), ""))) for moment in utc.tolist()]
    raw.name = printable(str(own.get("name", "")))


def _find(headings: Sequence[str]) -> Columns:
    """The columns of a track: by the names that `to_frame` gives them, otherwise by usual ones."""
    if twice := [name for name in COLUMNS if headings.count(name) > 1]:
        raise InputError(f"A DataFrame of a track must have one column named {twice[0]}", value="two")
    found = find_columns(headings)
    exact = {name: headings.index(name) if name in headings else getattr(found, name) for name in COLUMNS}
    date = found.date if exact["time"] == found.time else -1
    found = replace(found, time=exact["time"], latitude=exact["latitude"], longitude=exact["longitude"], date=date)
    missing = ", ".join(name for name in COLUMNS if getattr(found, name) < 0)
    if missing:
        raise InputError(
            f"A DataFrame of a track must have columns named {missing}",
            value=", ".join(printable(name, 30) for name in headings[:8] if quoted(name)) or None,
            remedy="Rename the columns with frame.rename(columns=...)",
        )
    return found


def _of_series(frame: DataFrame) -> tuple[int, list[int]]:
    """The column of the times of a series, -1 if there is none, and those that may be its values."""
    headings = [str(name) for name in frame.columns]
    time = headings.index("time") if "time" in headings else find_columns(headings).time
    numbers = [
        k
        for k, heading in enumerate(headings)
        if k != time and frame.dtypes.iloc[k].kind in "biuf" and plain(heading) not in (*WHOSE, *LANDMARK)
    ]
    return time, [headings.index("value")] if "value" in headings else numbers


def has_several(frame: DataFrame) -> bool:
    """Whether more than one column of a table with times may be the values of a series."""
    time, values = _of_series(frame)
    return time >= 0 and len(values) > 1


def series_columns(frame: DataFrame) -> tuple[int, int]:
    """The columns of the times and values of a series, by number.

    Raises
    ------
    InputError : there is no column of times, or none or several that may be the values.
    """
    time, values = _of_series(frame)
    value = values[0] if len(values) == 1 else -1
    if min(time, value) < 0:
        raise InputError(
            "A DataFrame of a series must have the columns time and value",
            value=f"no {'time' if time < 0 else 'value'}",
            remedy="Rename the columns with frame.rename(columns=...)",
        )
    return time, value


def as_series(what: Any, timezone: str | None, person: object, day_first: bool | None = None) -> dict[str, Any]:
    """The fields of the series in a table in memory; see `Series.from_frame`."""
    frame, _ = as_frame(what)
    time, value = series_columns(frame)
    named = {plain(str(name)): k for k, name in enumerate(frame.columns) if k != time}
    people = ((str(frame.columns[named[key]]), _values(frame.iloc[:, named[key]])) for key in WHOSE if key in named)
    kept, notices = frame, tuple[str, ...]()
    if found := next((one for one in people if is_several(one[1])), None):
        check_one(f'the column "{printable(found[0], 40)}" has', Counter(filter(None, found[1])), _named(person))
        kept = frame[[name == _named(person) for name in found[1]]]
        notices = (f"Only {len(kept):,} of {counted(len(frame), 'row')} read, those of one person or device.",)
    elif person is not None:
        raise InputError("person must be left out if no column of the DataFrame tells several people apart")
    marks = [k for k, name in enumerate(frame.columns) if plain(str(name)) in (*LANDMARK, *LABEL)]
    timed = kept.iloc[:, [time, *(k for k in marks if k not in (time, value))]].assign(latitude=0.0, longitude=0.0)
    timed.attrs = frame.attrs
    raw, times, zone = _rows(timed, timezone, day_first)
    fields: dict[str, Any] = {**clean(raw, times, drop=False, zone=zone), "notices": notices}
    fields = {name: found for name, found in fields.items() if name not in ("latitude", "longitude")}
    own, column = _attributes(frame), kept.iloc[:, value]
    fields |= {name: own[name] for name in ("unit", "lower", "upper") if name in own}
    fields |= {"answers": tuple(own["answers"])} if "answers" in own else {}
    kind = "answers" if column.dtype == bool else "numbers"
    return {**fields, "values": column.to_numpy(dtype=float, na_value=np.nan), "kind": kind}


def _others(frame: DataFrame, columns: Columns) -> dict[int, Sequence[str]]:
    """The columns that may name people: of texts or whole numbers, of which at least half repeat."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype

    found = dict[int, Sequence[str]]()
    for k in columns.others([str(name) for name in frame.columns]):
        column = frame.iloc[:, k]
        if is_bool_dtype(column.dtype) or is_datetime64_any_dtype(column.dtype):
            continue
        with suppress(TypeError):  # lists and dicts
            if 1 < column.nunique() <= len(column) // 2:
                found[k] = _values(column)
    return found


def _values(column: Any) -> list[str]:
    return ["" if missing else text_of(value) for value, missing in zip(column.tolist(), column.isna(), strict=True)]


def degrees_of(column: Series, which: str) -> tuple[Floats, dict[int, str]]:
    """A column of numbers, or of texts that are numbers."""
    from pandas.api.types import is_float_dtype, is_integer_dtype

    if is_float_dtype(column.dtype) or is_integer_dtype(column.dtype):
        return column.to_numpy(dtype=float, na_value=np.nan), {}
    return read_degrees(_texts(column), which)


def times_of(
    frame: DataFrame, columns: Columns, timezone: str | None, day_first: bool | None, *, several: bool = False
) -> Times:
    """The times in UTC. Texts are read as in files; `several`: see `parse_times`."""
    from pandas.api.types import is_datetime64_any_dtype

    column = frame.iloc[:, columns.time]
    if is_datetime64_any_dtype(column.dtype) and columns.date < 0:
        if column.dt.tz is not None:
            return _datetimes(column.dt.tz_convert("UTC").dt.tz_localize(None))
        clock = _datetimes(column)
        known = np.flatnonzero(~np.isnat(clock.utc))
        if not len(known):
            return clock
        clock.utc[known], twice, second, never = to_zone(clock.utc[known], timezone, several=several)
        changes = (twice, never) if several else (0, 0)
        said = [] if several else change_sentences(twice, second, never, timezone)
        return replace(clock, notices=tuple(said), without_zone=len(known), changes=changes)
    texts = times_in(columns, lambda k: _texts(frame.iloc[:, k]))
    return parse_times(texts, timezone=timezone, day_first=day_first, several=several)


def _datetimes(column: Series) -> Times:
    """Datetimes without a zone; those in other years than `FIRST_YEAR` to `LAST_YEAR` are problems."""
    time = column.to_numpy()  # in any unit: compared before converting, as a conversion overflows silently
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


def zone_named(frame: DataFrame, time: int) -> str:
    """The zone that a frame names, IANA name or "": in its attributes, otherwise that of its column of datetimes."""
    named = _zone(frame.iloc[:, time])
    return named if named not in ("", "UTC") else str(_attributes(frame).get("zone", named))


def text_of(value: Any) -> str:
    """A value that may name a person, as text: 17.0 and 17 are the same."""
    own = value.item() if isinstance(value, np.generic) else value
    return (written(own) if isinstance(own, (str, int, float)) else str(own)).strip()


def _texts(column: Series) -> list[str]:
    texts = (value.isoformat() if hasattr(value, "isoformat") else str(value) for value in column.tolist())
    return ["" if missing else text for text, missing in zip(texts, column.isna(), strict=True)]

"""Reading Parquet and GeoParquet with pyarrow: a table with headings, or Points with times in another column."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.columns import (
    PREVIEWED,
    WIDEST,
    Chosen,
    Columns,
    add_columns,
    find_columns,
    in_degrees,
    project,
    times_in,
)
from lmdk_widgets.trajectory.formats.csv import no_columns
from lmdk_widgets.trajectory.raw import RawPoints, is_wgs84, limit, read_degrees, written
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import printable

_AT_ONCE = 65_536
_POINT = 21
"""Bytes of a point in well-known binary: byte order, kind, x and y."""


def read(file: Contents) -> RawPoints:
    """The points in a Parquet file, numbered from 1 in the order of its rows.

    GeoParquet stores places as Points in its geometry column; any other file has columns for them, which are
    found as in CSV, or were chosen.

    Raises
    ------
    InputError if a column is missing, for other geometries and coordinates, for a damaged file, and if pyarrow is
    not installed.
    """
    table = Table(file.data)
    geometry = table.geometry() if file.chosen is None else ""
    place = table.headings.index(geometry) if geometry else -1
    columns = _columns(table, file.chosen, geometry)
    if geometry:
        longitude, latitude = table.points(geometry)
        problems = dict.fromkeys(
            np.flatnonzero(np.isnan(latitude)).tolist(), "it is not a Point with longitude and latitude"
        )
    else:
        latitude, problems = table.numbers(columns.latitude, "latitude")
        longitude, more = table.numbers(columns.longitude, "longitude")
        latitude, longitude = in_degrees(latitude, longitude, table.headings, columns)
        problems = more | problems
    raw = RawPoints(latitude, longitude, times_in(columns, table.texts), unit="row", problems=problems)
    raw.is_table = not geometry
    epsg = table.epsg if file.chosen is None else file.chosen.epsg
    if epsg is not None:
        project(raw, epsg)
    kept = {column: table.repeated(column) for column in columns.others(table.headings) if column != place}
    others = {column: texts for column, texts in kept.items() if texts is not None}
    add_columns(raw, columns, table.headings, table.texts, "column", others)
    return raw


def _columns(table: Table, chosen: Chosen | None, geometry: str) -> Columns:
    """The needed columns; those for the place are not needed if there is a geometry."""
    if chosen is not None:
        return chosen.found_in(table.headings)
    columns = find_columns(table.headings)
    if geometry and columns.time < 0:
        raise InputError(
            "GeoParquet must have a column of times, such as timestamp", value="none", remedy="Export it with times"
        )
    if not geometry and columns.score < 3:
        raise no_columns(table.headings, columns)
    return columns


class Table:
    """A Parquet file, whose columns are read when needed.

    Attributes
    ----------
    headings : of its columns. count : the number of rows.
    """

    def __init__(self, data: bytes) -> None:
        self._parquet, self._arrow = (
            library(name, "Parquet", extra="formats") for name in ("pyarrow.parquet", "pyarrow")
        )
        try:
            self._file = self._parquet.ParquetFile(BytesIO(data))
        except (self._arrow.ArrowException, OSError, ValueError):
            raise _damaged() from None
        self.headings: list[str] = list(self._file.schema_arrow.names)
        self.count: int = self._file.metadata.num_rows
        self.epsg: int | None = None
        limit(self.count, self.count)

    def column(self, heading: str) -> Any:
        """A column as a pyarrow array."""
        try:
            found = self._file.read(columns=[heading], use_threads=False)
        except (self._arrow.ArrowException, OSError, ValueError):
            raise _damaged() from None
        if heading not in found.column_names or len(found) != self.count:
            raise _damaged()
        return found.column(heading).combine_chunks()

    def head(self, count: int) -> list[list[str]]:
        """The first rows as texts."""
        try:
            batch = next(self._file.iter_batches(batch_size=count, use_threads=False), None)
        except (self._arrow.ArrowException, OSError, ValueError):
            raise _damaged() from None
        columns = [] if batch is None else [self._texts(values) for values in batch.columns]
        return [list(row) for row in zip(*columns, strict=True)]

    def texts(self, column: int) -> list[str]:
        """The values of a column as texts for the readers of times, flags and labels."""
        return self._texts(self.column(self.headings[column]))

    def repeated(self, column: int) -> list[str] | None:
        """The values of a column as texts, each stored once; None if most differ, or if they are of another kind."""
        values, types = self.column(self.headings[column]), self._arrow.types
        if types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if not any(
            check(values.type)
            for check in (types.is_integer, types.is_floating, types.is_string, types.is_large_string)
        ):
            return None
        encoded = values.dictionary_encode()
        if 2 * len(encoded.dictionary) > self.count:
            return None
        texts = [written(value).strip() for value in encoded.dictionary.to_pylist()]
        return ["" if at is None else texts[at] for at in encoded.indices.to_pylist()]

    def _texts(self, values: Any) -> list[str]:
        types = self._arrow.types
        if types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if types.is_timestamp(values.type):
            times = np.array(values.cast(self._arrow.timestamp(values.type.unit)).to_numpy(zero_copy_only=False))
            parts = np.array_split(times, max(1, len(times) // _AT_ONCE))  # numpy's texts take four bytes per character
            texts = (text for part in parts for text in np.datetime_as_string(part).tolist())
            zone = "Z" if values.type.tz else ""
            return ["" if text == "NaT" else text + zone for text in texts]
        return list(map(written, values.to_pylist()))

    def numbers(self, column: int, which: str) -> tuple[Floats, dict[int, str]]:
        """The values of a column as degrees, NaN where there is none, and the problems."""
        values = self.column(self.headings[column])
        types = self._arrow.types
        if types.is_floating(values.type) or types.is_integer(values.type):
            return np.array(values.to_numpy(zero_copy_only=False), float), {}
        return read_degrees(self.texts(column), which)

    def geometry(self) -> str:
        """GeoParquet's geometry column, or "".

        Raises
        ------
        InputError if its coordinates are not degrees of WGS84, and have no EPSG number, which is then stored.
        """
        try:
            described = json.loads((self._file.schema_arrow.metadata or {}).get(b"geo", b"null"))
            name = described["primary_column"]
            about = described["columns"][name]
        except (ValueError, TypeError, KeyError):
            return ""
        system = about.get("crs", "OGC:CRS84") if isinstance(about, dict) else None
        identity = system.get("id") if isinstance(system, dict) else None
        if isinstance(identity, dict) and identity.get("authority") == "EPSG" and type(identity.get("code")) is int:
            self.epsg = identity["code"] if identity["code"] != 4326 else None
        elif system is not None and not is_wgs84(json.dumps(_without_bases(system))):
            raise InputError(
                "the coordinates of GeoParquet must be degrees of WGS84",
                value=printable(str(system.get("name", "others"))) if isinstance(system, dict) else "others",
                remedy="Reproject the file to EPSG:4326",
            )
        return name if isinstance(name, str) and name in self.headings else ""

    def points(self, heading: str) -> tuple[Floats, Floats]:
        """Longitude and latitude (n,) of the Points in a column, NaN where there is none."""
        values = self.column(heading)
        if self._arrow.types.is_struct(values.type):
            return tuple(np.array(values.field(name).to_numpy(zero_copy_only=False), float) for name in "xy")  # type: ignore[return-value]
        places = [
            place_in_binary(value) if isinstance(value, bytes) else (np.nan, np.nan) for value in values.to_pylist()
        ]
        longitude, latitude = np.array(places, float).reshape(-1, 2).T
        return longitude, latitude


def _without_bases(system: Any) -> Any:
    """What identifies a coordinate reference system, without its base system."""
    return {key: system.get(key) for key in ("name", "id")} if isinstance(system, dict) else system


def place_in_binary(binary: bytes) -> NDArray[np.float64] | tuple[float, float]:
    """Longitude and latitude of a Point in well-known binary; NaN for any other geometry."""
    if len(binary) < _POINT or binary[0] > 1:
        return np.nan, np.nan
    order = "<" if binary[0] else ">"
    kind = int(np.frombuffer(binary, f"{order}u4", 1, 1)[0])
    if kind & 0x1FFFFFFF not in (
        1,
        1001,
        2001,
        3001,
    ):  # with height, with a measure, with both; higher bits: PostGIS flags
        return np.nan, np.nan
    start = 9 if kind & 0x20000000 else 5  # PostGIS may write the reference system before the place
    return np.frombuffer(binary, f"{order}f8", 2, start) if len(binary) >= start + 16 else (np.nan, np.nan)


def _damaged() -> InputError:
    return InputError("The Parquet file must be complete and undamaged", remedy="Export or copy it again")


def _head(file: Contents) -> list[list[str]]:
    table = Table(file.data)
    return [table.headings, *table.head(PREVIEWED)] if len(table.headings) <= WIDEST else []


FORMAT = Format(
    "Parquet",
    (".parquet", ".geoparquet"),
    lambda file: file.data.startswith(b"PAR1"),
    read,
    is_binary=True,
    head=_head,
    names_columns=True,
    written_by="data tools; GeoParquet too",
    library="pyarrow",
)

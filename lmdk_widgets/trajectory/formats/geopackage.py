"""Reading GeoPackage: a layer of Points with times, in any coordinate reference system. SQLite only reads it, from memory."""

from __future__ import annotations

from time import monotonic
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.columns import Columns, add_columns, find_columns, project, times_in
from lmdk_widgets.trajectory.formats.parquet import place_in_binary
from lmdk_widgets.trajectory.raw import RawPoints, limit, written
from lmdk_widgets.trajectory.source import Contents, Format, OtherKind

_LONGEST_S = 8.0
_STEPS = 100_000  # of SQLite's machine between two looks at the clock
_ENVELOPE = (0, 32, 48, 48, 64)
"""Bytes of the extent that stands before a geometry, by its code."""
_DEGREES = 4326


def read(file: Contents) -> RawPoints:
    """The points of the layer with times that has most of them, numbered from 1 in the order of its rows.

    Raises
    ------
    InputError for a damaged file, without a layer of Points with times, or with coordinates that cannot be converted.
    """
    sqlite = library("sqlite3", "GeoPackage")
    connection = sqlite.connect(":memory:")
    try:
        connection.deserialize(file.data)
        return _points(connection)
    except (sqlite.Error, MemoryError, OverflowError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("The GeoPackage must be complete and undamaged", remedy="Export or copy it again") from None
    finally:
        connection.close()


def _points(connection: Any) -> RawPoints:
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    end = monotonic() + _LONGEST_S
    connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")

    def rows(query: str, *values: Any) -> list[tuple[Any, ...]]:
        return connection.execute(query, values).fetchall()

    tables = {
        name for name, made in rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") if _is_plain(made)
    }
    if not {"gpkg_geometry_columns", "gpkg_spatial_ref_sys"} <= tables:
        raise OtherKind("a database", "Export the track as GPX or GeoJSON")
    layers: list[tuple[int, str, str, int, list[str], Columns]] = []
    for table, geometry, system in rows("SELECT table_name, column_name, srs_id FROM gpkg_geometry_columns"):
        if table in tables:
            headings = [str(about[1]) for about in rows(f"PRAGMA table_info({_quoted(table)})")]
            columns = find_columns(headings)
            if columns.time >= 0 and geometry in headings:
                count = rows(f"SELECT count(*) FROM {_quoted(table)}")[0][0]
                layers.append((count, table, geometry, system, headings, columns))
    if not layers:
        raise InputError(
            "GeoPackage must have a layer of Points with times", value="none", remedy="Export it with times"
        )
    count, table, geometry, system, headings, columns = max(layers, key=lambda layer: layer[0])
    limit(count, count)
    cells = rows(f"SELECT {', '.join(map(_quoted, headings))} FROM {_quoted(table)}")
    places = np.array([_place(row[headings.index(geometry)]) for row in cells], float).reshape(-1, 2)
    wrong = dict.fromkeys(np.flatnonzero(np.isnan(places[:, 0])).tolist(), "it is not a Point with a place")

    def texts(column: int) -> list[str]:
        return [written(row[column]) for row in cells]

    raw = RawPoints(places[:, 1], places[:, 0], times_in(columns, texts), unit="row", problems=wrong)
    if system not in (_DEGREES, 0):
        query = "SELECT organization, organization_coordsys_id FROM gpkg_spatial_ref_sys WHERE srs_id = ?"
        named = rows(query, system)
        if not named or str(named[0][0]).upper() != "EPSG" or not isinstance(named[0][1], int):
            raise InputError(
                "GeoPackage must name its coordinate reference system by EPSG", remedy="Export it as EPSG:4326"
            )
        project(raw, named[0][1])
    others = [column for column in columns.others(headings) if headings[column] != geometry]
    add_columns(raw, columns, headings, texts, "column", {column: texts(column) for column in others})
    raw.note_left_out(len(layers) - 1, "other layer was", "other layers were")
    return raw


def _is_plain(made: object) -> bool:
    """Whether a table has rows of its own: no view, and nothing that a module computes."""
    return isinstance(made, str) and made.upper().startswith("CREATE TABLE")


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def _place(blob: object) -> Any:
    """Longitude and latitude, or x and y, of a geometry; NaN for any that is no Point."""
    if not isinstance(blob, bytes) or blob[:2] != b"GP" or len(blob) < 8 or blob[3] >> 1 & 7 > 4:
        return np.nan, np.nan
    return place_in_binary(blob[8 + _ENVELOPE[blob[3] >> 1 & 7] :])


FORMAT = Format(
    "GeoPackage",
    (".gpkg",),
    lambda file: file.data.startswith(b"SQLite format 3\0"),
    read,
    is_binary=True,
    written_by="QGIS, GeoPandas and other programs with maps",
)

"""GeoPackage, made with SQLite alone, and by GeoPandas where that is installed."""

from __future__ import annotations

import random
import sqlite3
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from tests.trajectory.test_load_fuzz import mutated, survives

TIMES = [f"2024-05-04T06:{5 * k:02}:00Z" for k in range(6)]
PLACES = [(11.5 + 0.003 * k, 48.2 + 0.002 * k) for k in range(6)]
METRES = [(4_321_000 + 10 * k, 3_210_000 + 10 * k) for k in range(6)]  # EPSG:3035


def blob(x: float, y: float, system: int = 4326, *, envelope: bool = False, kind: int = 1) -> bytes:
    extent = struct.pack("<4d", x, x, y, y) if envelope else b""
    return (
        b"GP\0"
        + bytes([3 if envelope else 1])
        + struct.pack("<i", system)
        + extent
        + struct.pack("<BIdd", 1, kind, x, y)
    )


def geopackage(points: Any = PLACES, system: int = 4326, *, times: Any = TIMES, sql: str = "", **how: Any) -> bytes:
    made = sqlite3.connect(":memory:")
    made.executescript(
        f"""CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('x', {system}, 'EPSG', {system});
        CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id);
        INSERT INTO gpkg_geometry_columns VALUES ('my"walk', 'geom', 'POINT', {system}), ('gone', 'geom', 'POINT', 4326);
        CREATE TABLE "my""walk" (fid INTEGER PRIMARY KEY, geom BLOB, timestamp TEXT, speed REAL); {sql}"""
    )
    blobs = [blob(*point, system, envelope=k % 2 == 1, **how) for k, point in enumerate(points)]
    made.executemany(
        'INSERT INTO "my""walk" (geom, timestamp, speed) VALUES (?, ?, 1.5)', zip(blobs, times, strict=True)
    )
    made.commit()
    return made.serialize()


def test_points_with_times() -> None:
    track = load(geopackage())
    assert track.format == "GeoPackage" and track.notices == ()
    assert track.time.astype("datetime64[s]").astype(str).tolist() == [time[:-1] for time in TIMES]
    assert [*zip(track.longitude.tolist(), track.latitude.tolist(), strict=True)] == PLACES


def test_another_coordinate_reference_system() -> None:
    pytest.importorskip("pyproj")
    track = load(geopackage(METRES, 3035))
    assert (
        np.allclose([track.latitude[0], track.longitude[0]], [52.0, 10.0], atol=0.2) and "EPSG:3035" in track.notices[0]
    )


def test_made_by_geopandas(tmp_path: Path) -> None:
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("pyogrio")
    import pandas as pd

    points = geopandas.points_from_xy(*zip(*PLACES, strict=True))
    table = geopandas.GeoDataFrame({"t": pd.to_datetime(TIMES)}, geometry=points, crs=4326)
    table.to_file(tmp_path / "walk.gpkg")
    table.to_crs(3857).to_parquet(tmp_path / "metres.parquet")
    table.to_parquet(tmp_path / "walk.parquet")
    for name in ("walk.gpkg", "walk.parquet", "metres.parquet"):
        track = load(tmp_path / name)
        assert np.allclose(track.latitude, [y for _, y in PLACES]) and len(track) == 6
    assert "EPSG:3857" in load(tmp_path / "metres.parquet").notices[0]


VIEW = "CREATE VIEW late AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
VIEW += "SELECT x AS geom, x AS time FROM n; INSERT INTO gpkg_geometry_columns VALUES ('late', 'geom', 'POINT', 4326);"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (geopackage(kind=2), "it is not a Point with a place"),
        (geopackage(system=999_999), "EPSG"),
        (geopackage().replace(b"timestamp", b"timezzamp"), "a layer of Points with times; got none"),
        (geopackage().replace(b"gpkg_geometry_columns", b"gpkg_geometry_colxmns"), "a database"),
        (geopackage()[:2_000], "complete and undamaged"),
        (b"SQLite format 3\0" + b"\0" * 100, "complete and undamaged"),
        (geopackage(times=["soon", *TIMES[1:]]), 'the time "soon" cannot be read'),
    ],
)
def test_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(data)
    assert sentence in str(caught.value)


def test_no_view_is_computed() -> None:
    assert len(load(geopackage(sql=VIEW))) == 6


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.nightly)])
def test_damaged_files_get_a_sentence(count: int) -> None:
    rng, data = random.Random(count), geopackage()
    for _ in range(count):
        survives(mutated(data, rng), rng)

"""Parquet as pyarrow writes it, and GeoParquet by its specification. No file of another GeoParquet writer could be had."""

from __future__ import annotations

import contextlib
import io
import json
import random
import struct
import sys
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Trajectory, load_trajectory
from lmdk_widgets.trajectory.series_reader import load_data

LATITUDE, LONGITUDE = [48.853, 48.8534, 48.8538], [2.3499, 2.3492, 2.3485]
TIMES = np.array(["2026-03-01T08:00", "2026-03-01T08:02", "2026-03-01T08:04"], "datetime64[us]")


def parquet(columns: dict[str, Any], geo: Any = None) -> bytes:
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table(columns)
    if geo is not None:
        table = table.replace_schema_metadata({"geo": json.dumps(geo)})
    written = io.BytesIO()
    files.write_table(table, written)
    return written.getvalue()


def zoned() -> Any:
    arrow = pytest.importorskip("pyarrow")
    return arrow.array(TIMES).cast(arrow.timestamp("us", "UTC"))


def wkb(x: float, y: float, order: str = "<", kind: int = 1, rest: bytes = b"") -> bytes:
    return struct.pack(f"{order}BIdd", order == "<", kind, x, y) + rest


def geo(crs: Any = ..., encoding: str = "WKB") -> dict[str, Any]:
    about: dict[str, Any] = {"encoding": encoding, "geometry_types": ["Point"]}
    if crs is not ...:
        about["crs"] = crs
    return {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": about}}


def refused(data: bytes, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        load_trajectory(data, **options)
    return caught.value


def same(track: Trajectory) -> bool:
    return (
        track.latitude.tolist() == LATITUDE
        and track.longitude.tolist() == LONGITUDE
        and track.time.astype("datetime64[us]").tolist() == TIMES.tolist()
    )


def test_a_table_with_times_of_every_kind() -> None:
    for times in (zoned(), [f"{time}Z" for time in TIMES], TIMES.astype("datetime64[s]").astype(int)):
        data = parquet(
            {"lat": LATITUDE, "lon": LONGITUDE, "timestamp": times, "landmark": [True, False, True], "speed": [1, 2, 3]}
        )
        track = load_trajectory(data)
        assert same(track) and track.landmarks == (0, 2)
    assert refused(parquet({"lat": LATITUDE, "lon": LONGITUDE, "timestamp": TIMES})).kind == "timezone"
    paris = load_trajectory(parquet({"lat": LATITUDE, "lon": LONGITUDE, "timestamp": TIMES}), timezone="Europe/Paris")
    assert (paris.time == TIMES - np.timedelta64(1, "h")).all()


def test_geoparquet() -> None:
    crs84 = {"type": "GeographicCRS", "name": "WGS 84 (CRS84)", "id": {"authority": "OGC", "code": "CRS84"}}
    for crs in (..., None, crs84):
        points = [wkb(x, y) for x, y in zip(LONGITUDE, LATITUDE, strict=True)]
        assert same(load_trajectory(parquet({"geometry": points, "time": zoned()}, geo(crs))))
    forms = [
        wkb(LONGITUDE[0], LATITUDE[0], ">"),
        wkb(LONGITUDE[1], LATITUDE[1], kind=1001, rest=struct.pack("<d", 35.0)),
        struct.pack("<BII", 1, 0x20000001, 4326) + struct.pack("<dd", LONGITUDE[2], LATITUDE[2]),
    ]
    assert same(load_trajectory(parquet({"geometry": forms, "time": zoned()}, geo())))
    struct_points = [{"x": x, "y": y} for x, y in zip(LONGITUDE, LATITUDE, strict=True)]
    assert same(load_trajectory(parquet({"geometry": struct_points, "time": zoned()}, geo(encoding="point"))))


def test_geometries_and_systems_that_are_others() -> None:
    points = [wkb(2.0, 48.0), wkb(2.0, 48.0, kind=2), None]
    error = refused(parquet({"geometry": points, "time": zoned()}, geo()))
    assert dict(error.rows) == dict.fromkeys((2, 3), "it is not a Point with longitude and latitude")
    plane = {
        "type": "ProjectedCRS",
        "name": "RGF93 v1 / Lambert-93",
        "base_crs": {"name": "WGS 84"},
        "id": {"code": 2154},
    }
    assert "got RGF93 v1 / Lambert-93" in str(refused(parquet({"geometry": points, "time": zoned()}, geo(plane))))
    assert "must have a column of times" in str(refused(parquet({"geometry": points}, geo())))


def test_columns_that_must_be_chosen() -> None:
    data = parquet({"north": LATITUDE, "east": LONGITUDE, "moment": zoned()})
    assert refused(data).kind == "columns"
    with pytest.raises(InputError, match="heading"):
        load_data(data)
    assert same(load_trajectory(data, columns={"latitude": "north", "longitude": 1, "time": "Moment"}))


def test_damage_and_a_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    data, rng = parquet({"lat": LATITUDE, "lon": LONGITUDE, "timestamp": zoned()}), random.Random(3)
    for _ in range(60):
        changed = bytearray(data)
        changed[rng.randrange(4, len(data))] ^= 1 << rng.randrange(8)
        with contextlib.suppress(InputError):
            assert len(load_trajectory(bytes(changed), timezone="UTC", on_problem="drop", day_first=True)) <= 3
    assert "undamaged" in str(refused(data[:-9]))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert "needs the library pyarrow, which is not installed" in str(refused(data))

"""CSV and GeoJSON: what is written is read again, every timestamp keeps its row, the note cannot be lost or misread."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import KINDS, NOTE, export_name, release_csv, release_geojson
from lmdk_widgets.trajectory import load_trajectory

HOURS = np.datetime64("2026-01-26T08:00", "ns") + np.arange(4) * np.timedelta64(1, "h")
LATITUDE = np.array([np.nan, 48.8566140001, -0.0000001, -90.0])
LONGITUDE = np.array([np.nan, 2.3522219, -179.99999999, 180.0])

places = st.one_of(st.none(), st.tuples(st.floats(-90, 90), st.floats(-180, 180)))
releases = st.lists(st.tuples(st.integers(-(10**18), 10**18), places), max_size=20)


def arrays(release: list) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    places = [(np.nan, np.nan) if place is None else place for _, place in release]
    degrees = np.array(places, float).reshape(-1, 2)
    return np.array([ns for ns, _ in release], np.int64).view("datetime64[ns]"), degrees[:, 0], degrees[:, 1]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_as_it_stands() -> None:
    lines = release_csv(HOURS, LATITUDE, LONGITUDE, note=NOTE).split("\n")
    assert lines == [
        "time,latitude,longitude,note",
        '2026-01-26T08:00:00Z,,,"simulation, not a private release"',
        '2026-01-26T09:00:00Z,48.856614,2.352222,"simulation, not a private release"',
        '2026-01-26T10:00:00Z,0.000000,-180.000000,"simulation, not a private release"',
        '2026-01-26T11:00:00Z,-90.000000,180.000000,"simulation, not a private release"',
        "",
    ]


def test_geojson_as_it_stands() -> None:
    content = json.loads(release_geojson(HOURS, LATITUDE, LONGITUDE, note=NOTE))
    assert content["type"] == "FeatureCollection"
    assert content["note"] == NOTE
    assert [feature["geometry"] for feature in content["features"]] == [
        None,
        {"type": "Point", "coordinates": [2.352222, 48.856614]},
        {"type": "Point", "coordinates": [-180.0, 0.0]},
        {"type": "Point", "coordinates": [180.0, -90.0]},
    ]
    assert content["features"][1]["properties"] == {"time": "2026-01-26T09:00:00Z"}
    assert {feature["type"] for feature in content["features"]} == {"Feature"}


@given(releases)
def test_csv_and_geojson_hold_every_timestamp(release: list) -> None:
    time, latitude, longitude = arrays(release)
    rows = rows_of(release_csv(time, latitude, longitude, note=NOTE))
    features = json.loads(release_geojson(time, latitude, longitude, note=NOTE))["features"]
    assert len(rows) == len(features) == len(time)
    for i, (row, feature) in enumerate(zip(rows, features, strict=True)):
        assert row["note"] == NOTE
        assert np.datetime64(row["time"].removesuffix("Z"), "ns") == time[i]
        assert feature["properties"]["time"] == row["time"]
        if np.isnan(latitude[i]):
            assert row["latitude"] == row["longitude"] == "" and feature["geometry"] is None
            continue
        written = float(row["longitude"]), float(row["latitude"])
        assert list(written) == feature["geometry"]["coordinates"]
        assert abs(written[0]) <= 180 and abs(written[1]) <= 90
        assert written == pytest.approx((longitude[i], latitude[i]), abs=0.50001e-6)


@pytest.mark.parametrize("write", [release_csv, release_geojson])
def test_a_complete_release_is_a_track_again(write) -> None:
    time = HOURS + np.arange(4) * np.timedelta64(1_500, "us")
    latitude, longitude = np.array([48.85, 48.9, -16.5, 0.0]), np.array([2.35, 179.9, -179.9, 0.000001])
    track = load_trajectory(write(time, latitude, longitude, note=NOTE).encode())
    assert (track.time == time).all()
    assert (track.latitude == latitude).all() and (track.longitude == longitude).all()


def test_a_row_without_a_release_is_asked_about() -> None:
    data = release_csv(HOURS, LATITUDE, LONGITUDE, note=NOTE).encode()
    with pytest.raises(InputError) as refusal:
        load_trajectory(data)
    assert refusal.value.kind == "rows"
    assert len(load_trajectory(data, on_problem="drop")) == 3


@pytest.mark.parametrize(
    ("step", "first"),
    [
        (np.timedelta64(1, "s"), "2026-01-26T08:00:00Z"),
        (np.timedelta64(250, "ms"), "2026-01-26T08:00:00.000Z"),
        (np.timedelta64(5, "us"), "2026-01-26T08:00:00.000000Z"),
        (np.timedelta64(7, "ns"), "2026-01-26T08:00:00.000000000Z"),
    ],
)
def test_times_are_exact_and_no_longer_than_needed(step, first) -> None:
    time = HOURS[0] + np.arange(3) * step
    rows = rows_of(release_csv(time, np.zeros(3), np.zeros(3), note=NOTE))
    assert rows[0]["time"] == first
    assert [np.datetime64(row["time"][:-1], "ns") for row in rows] == time.tolist() or (
        [np.datetime64(row["time"][:-1], "ns") for row in rows] == list(time)
    )


def test_more_properties() -> None:
    more = {
        "budget": [0.2, np.inf, np.nan, 0.0],
        "published": np.array([False, True, True, False]),
        "name": list("abcd"),
    }
    features = json.loads(release_geojson(HOURS, LATITUDE, LONGITUDE, note=NOTE, properties=more))["features"]
    assert features[1]["properties"] == {
        "time": "2026-01-26T09:00:00Z", "budget": None, "published": True, "name": "b"
    }  # fmt: skip
    for bad in ({"time": [1, 2, 3, 4]}, {"budget": [1, 2]}, {"budget": [None] * 4}, {1: [1, 2, 3, 4]}):
        with pytest.raises(InputError, match="Property"):
            release_geojson(HOURS, LATITUDE, LONGITUDE, note=NOTE, properties=bad)


def test_an_empty_release() -> None:
    nothing = np.array([], "datetime64[ns]")
    assert release_csv(nothing, [], [], note=NOTE) == "time,latitude,longitude,note\n"
    assert json.loads(release_geojson(nothing, [], [], note=NOTE))["features"] == []


@pytest.mark.parametrize("write", [release_csv, release_geojson])
@pytest.mark.parametrize(
    ("time", "latitude", "longitude", "said"),
    [
        (HOURS[:3], LATITUDE, LONGITUDE, "must have the same length; got"),
        (HOURS, LATITUDE, [np.nan, 1, 2], "must have the same length; got"),
        (HOURS, [np.nan] * 4, [1.0] * 4, "Timestamp 0 must have both coordinates"),
        (HOURS, [0, 0, 90.5, 0], [0] * 4, "Timestamp 2 must have a latitude between -90 and 90"),
        (HOURS, [0] * 4, [0, 0, 0, 359.0], "Timestamp 3 must have a longitude between -180 and 180"),
        (HOURS, [0] * 4, [0, np.inf, 0, 0], "Timestamp 1 must have a longitude between -180 and 180"),
        (np.array([*HOURS[:3], "NaT"], "datetime64[ns]"), LATITUDE, LONGITUDE, "Timestamp 3 must have a time"),
        (["soon"] * 4, LATITUDE, LONGITUDE, "Time must be an array of datetime64"),
        (HOURS.reshape(2, 2), LATITUDE, LONGITUDE, "Time must be an array of shape"),
        (HOURS, ["north"] * 4, LONGITUDE, "Latitude must contain degrees"),
    ],
)
def test_refusals(write, time, latitude, longitude, said) -> None:
    with pytest.raises(InputError, match=said):
        write(time, latitude, longitude, note=NOTE)


def test_a_refusal_tells_no_coordinate() -> None:
    with pytest.raises(InputError) as refusal:
        release_csv(HOURS, [48.123456, 1, 2, 3], [359.654321, 1, 2, 3], note=NOTE)
    assert "654321" not in str(refusal.value) and "123456" not in str(refusal.value)


@pytest.mark.parametrize("note", ["", "=1+1", "@x", "-a", "+a", "two\nlines", "tab\t", "x" * 501, None])
def test_notes_that_a_table_would_misread(note) -> None:
    with pytest.raises(InputError, match="Note must be"):
        release_csv(HOURS, LATITUDE, LONGITUDE, note=note)
    with pytest.raises(InputError, match="Note must be"):
        release_geojson(HOURS, LATITUDE, LONGITUDE, note=note)


def test_a_note_with_quotation_marks() -> None:
    note = 'a "simulation", <b>not</b> a release'
    assert {row["note"] for row in rows_of(release_csv(HOURS, LATITUDE, LONGITUDE, note=note))} == {note}
    assert json.loads(release_geojson(HOURS, LATITUDE, LONGITUDE, note=note))["note"] == note


def test_names() -> None:
    assert export_name("geojson") == "simulation-not-a-private-release.geojson"
    assert len({export_name(kind) for kind in KINDS}) == len(KINDS)
    with pytest.raises(InputError, match="got exe"):
        export_name("exe")

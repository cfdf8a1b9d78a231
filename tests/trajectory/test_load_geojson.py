"""Reading GeoJSON: Points with times, lines with coordTimes, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory, raw
from lmdk_widgets.trajectory.formats import markup

TIMES = [f"2026-01-26T10:00:0{i}Z" for i in range(4)]
PLACES = [[2.0, 48.0], [2.1, 48.1, 35.0], [2.2, 48.2], [2.3, 48.3]]


def feature(coordinates: Any, kind: str = "Point", **properties: Any) -> dict[str, Any]:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features: Any, **members: Any) -> dict[str, Any]:
    return {"type": "FeatureCollection", "features": list(features), **members}


def load(document: Any, **options: Any):
    return load_trajectory(json.dumps(document).encode(), **options)


def refused(document: Any, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        load(document, **options)
    return caught.value


POINTS = collection(*(feature(p, time=t) for p, t in zip(PLACES, TIMES, strict=True)))
LINE = feature(PLACES, "LineString", coordTimes=TIMES, name="Walk")


@pytest.mark.parametrize(
    "document",
    [
        POINTS,
        LINE,
        collection(LINE),
        feature(PLACES, "LineString", times=TIMES),
        feature(PLACES, "LineString", coordinateProperties={"times": TIMES, "heart": [1, 2, 3, 4]}),
        feature([PLACES[:2], PLACES[2:]], "MultiLineString", coordTimes=[TIMES[:2], TIMES[2:]]),
        feature([PLACES[:2], PLACES[2:]], "MultiLineString", coordinateProperties={"times": TIMES}),
        collection(
            feature(PLACES[:1], "LineString", coordTimes=TIMES[:1]),
            feature(PLACES[1:], "LineString", coordTimes=TIMES[1:]),
        ),
        collection(*(feature(p, timestamp=1769421600 + i) for i, p in enumerate(PLACES))),
        collection(*(feature(p, timestamp=1769421600000.0 + 1000 * i) for i, p in enumerate(PLACES))),
        collection(*(feature(p, date="2026-01-26", time=t[11:]) for p, t in zip(PLACES, TIMES, strict=True))),
        collection(*POINTS["features"], crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}),
    ],
)
def test_forms_of_one_track(document: Any) -> None:
    track = load(document, on_several="join")
    assert track.latitude.tolist() == [p[1] for p in PLACES]
    assert track.longitude.tolist() == [p[0] for p in PLACES]
    assert [str(t)[:19] + "Z" for t in track.time] == TIMES
    assert (
        load_trajectory(b"\xef\xbb\xbf \n" + json.dumps(document, indent=1).encode(), on_several="join").time.tolist()
        == track.time.tolist()
    )


def test_one_point_and_name() -> None:
    assert len(load(feature(PLACES[0], time=TIMES[0]))) == 1
    assert load(LINE).name == "Walk"
    two = collection(LINE, feature([[0, 0]], "LineString", coordTimes=["2026-01-26T10:00:09Z"]))
    assert "Several tracks" in str(refused(two))
    assert "The file contains 2 lines; they were joined in time order." in load(two, on_several="join").notices
    other = LINE | {"properties": LINE["properties"] | {"name": "Other"}}
    assert load_trajectory(json.dumps(collection(LINE, other)).encode(), person="Other").name == "Other"


def test_features_beside_the_track_are_said() -> None:
    track = load(collection(LINE, feature(PLACES[0]), feature([[PLACES]], "Polygon"), {"geometry": None}, 5))
    assert len(track) == 4
    assert "2 features outside the track left out." in track.notices


@pytest.mark.parametrize("key", ["landmark", "is_landmark", "lmdk"])
def test_landmarks(key: str) -> None:
    flags = [True, "no", 1, None]
    rows = zip(PLACES, TIMES, flags, strict=True)
    assert load(collection(*(feature(p, time=t, **{key: f}) for p, t, f in rows))).landmarks == (0, 2)
    assert load(collection(*POINTS["features"][1:], feature(PLACES[0], time=TIMES[0], **{key: "yes"}))).landmarks == (
        0,
    )


def test_bad_points_are_listed() -> None:
    positions = [[1, 2], [1], None, ["1", "2"], [float("nan"), 1], [True, 2], [10**400, 2], [-30, 120], {"0": 1}]
    rows = [feature(p, time=f"2026-01-26T10:00:0{i}Z") for i, p in enumerate(positions)]
    rows += [feature([1, 2]), feature([1, 2], time="soon"), feature([1, 2], time={}), feature([1, 2], time=TIMES[0])]
    error = refused(collection(*rows), on_problem="stop")
    assert (error.kind, error.row_name) == ("rows", "point")
    assert dict(error.rows) == {
        **{number: "it has no longitude and latitude" for number in (2, 3, 4, 5, 6, 7, 9)},
        8: "latitude and longitude look swapped",
        10: "the time is missing",
        11: 'the time "soon" cannot be read',
        12: 'the time "?" cannot be read',
        13: "it has the same time as point 1",
    }
    assert "12 of 13 points cannot be used (points 2, 3, 4, 5 and 3 more: it has no longitude" in str(error)
    assert len(load(collection(*rows), on_problem="drop")) == 1


def test_times_without_zone_ask() -> None:
    document = feature(PLACES[:1], "LineString", coordTimes=["2026-07-26T10:00:00"])
    assert refused(document).kind == "timezone"
    assert str(load(document, timezone="Europe/Paris").time[0])[:19] == "2026-07-26T08:00:00"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (collection(), '"coordTimes"; got neither'),
        ({"type": "FeatureCollection"}, '"coordTimes"; got neither'),
        ({"type": "FeatureCollection", "features": 3}, '"coordTimes"; got neither'),
        (feature([[PLACES]], "Polygon"), '"coordTimes"; got Polygon'),
        (feature(PLACES, "LineString"), "got lines without times"),
        ({"type": "LineString", "coordinates": PLACES}, "got lines without times"),
        (feature(PLACES[0]), "got Points without times"),
        ({"type": "Point", "coordinates": PLACES[0]}, "got Points without times"),
        (feature(PLACES, "LineString", coordTimes=TIMES[:3]), "got 4 positions and 3 times"),
        (feature(3, "LineString", coordTimes=[]), "must have at least one point"),
        (feature([], "LineString", coordTimes=[]), "must have at least one point"),
        ({"places": [{"latitude": 48.8}]}, "got JSON without places and times"),
        ([1, 2, 3], "got JSON without places and times"),
        (
            collection(crs={"type": "name", "properties": {"name": "WGS 84 / Pseudo-Mercator"}}),
            "must be degrees of WGS84 (EPSG:4326), as RFC 7946 requires",
        ),
        (
            collection(crs={"type": "name", "properties": {"name": "EPSG:3857"}}),
            "must be degrees of WGS84 (EPSG:4326), as RFC 7946 requires; got EPSG:3857",
        ),
    ],
)
def test_refused(document: Any, sentence: str) -> None:
    error = refused(document)
    assert sentence in str(error)
    assert "488566" not in str(error)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[" * 200_000, "must not be nested this deeply"),
        (b'{"a":' * 200_000, "must not be nested this deeply"),
        (
            b'{"type": "FeatureCollection",\n "features": [',
            "valid JSON to its end; got an error at line 2, column 15",
        ),
        (b"{", "must be valid JSON"),
        (b'{"type": ' + b"9" * 5000 + b"}", "must have fewer digits"),
        (b"[" + b"1," * 10, "must be valid JSON"),
    ],
)
def test_damaged(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load_trajectory(data)
    assert sentence in str(caught.value)


def test_the_longest_track(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 4)
    assert len(load(POINTS)) == len(load(LINE)) == 4
    monkeypatch.setattr(raw, "MAX_TIMESTAMPS", 3)
    for document in (POINTS, LINE):
        assert "at most 3 points" in str(refused(document))
    monkeypatch.setattr(markup, "_MOST", 10)  # refused before the JSON is read
    assert "at most 3 points" in str(refused(POINTS))


def test_several_tracks_are_noticed() -> None:
    rows = [feature(p, time=t, user_id=i % 2) for i, (p, t) in enumerate(zip(PLACES, TIMES, strict=True))]
    assert any('"user_id" has 2 values' in notice for notice in load(collection(*rows), on_several="join").notices)

"""JSON of other programs: their own structures, with made-up places. A place takes the time that is nearest in the tree."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Trajectory
from tests.trajectory.test_load_fuzz import mutated, survives

TIMES = [f"2024-05-04T06:{5 * k:02}:00Z" for k in range(12)]
SECONDS = [1714802400 + 300 * k for k in range(12)]
NORTH, EAST = [48.2 + 0.002 * k for k in range(12)], [11.5 + 0.003 * k for k in range(12)]
EACH = list(zip(SECONDS, TIMES, NORTH, EAST, strict=True))


def google(north: float, east: float) -> dict[str, int]:
    return {"latE7": round(north * 1e7), "lngE7": round(east * 1e7)}


def point(north: float, east: float) -> dict[str, Any]:
    return {"type": "Point", "coordinates": [east, north, 500]}


def owntracks(second: int, north: float, east: float) -> dict[str, Any]:
    return {"_type": "location", "lat": north, "lon": east, "tst": second, "tid": "t1", "t": "u", "created_at": 9}


REC = "\n".join(
    f"{time}\t*                 \t{json.dumps(owntracks(second, north, east))}"
    + (f'\n{time}\tlwt\t{{"_type": "lwt", "tst": {second}}}' if second % 900 == 0 else "")
    for second, time, north, east in EACH
)
LINES = "\r\n".join(json.dumps({"lat": north, "lng": east, "time": time}) for _, time, north, east in EACH)

SHAPES: dict[str, Any] = {
    "OwnTracks .rec": REC,
    "JSON Lines": LINES,
    "OwnTracks": {
        "count": 13,
        "data": [*(owntracks(s, n, e) for s, _, n, e in EACH), {"_type": "card", "lat": 1, "lon": 2}],
    },
    "Overland": {
        "locations": [
            {"type": "Feature", "geometry": point(n, e), "properties": {"timestamp": t, "speed": 1, "device_id": "x"}}
            for _, t, n, e in EACH
        ]
    },
    "Traccar": [
        {
            "id": k,
            "deviceId": 4,
            "serverTime": "2024-05-04T09:00:00Z",
            "fixTime": t,
            "latitude": n,
            "longitude": e,
            "attributes": {},
        }
        for k, (_, t, n, e) in enumerate(EACH)
    ],
    "Polarsteps": {"locations": [{"lat": n, "lon": e, "time": s + 0.25} for s, _, n, e in EACH]},
    "steps of a trip": {
        "id": 7,
        "all_steps": [
            {"location": {"lat": n, "lon": e, "name": "x"}, "start_time": float(s), "end_time": None}
            for s, _, n, e in EACH
        ],
    },
    "Google's edits": {
        "timelineEdits": [
            {
                "deviceId": "7",
                "rawSignal": {"signal": {"position": {"point": google(n, e), "timestamp": t}}},
            }
            for _, t, n, e in EACH
        ]
    },
    "Google's raw signals": {
        "semanticSegments": [],
        "rawSignals": [{"position": {"LatLng": f"{n:.7f}°, {e:.7f}°", "timestamp": t}} for _, t, n, e in EACH],
    },
    "MF-JSON": {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "temporalGeometry": {
                    "type": "MovingPoint",
                    "datetimes": TIMES,
                    "coordinates": [[e, n] for *_, n, e in EACH],
                },
                "properties": {"trajectory_id": 1},
            }
        ],
    },
    "kepler.gl": {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"vendor": "A"},
                "geometry": {"type": "LineString", "coordinates": [[e, n, 0, s] for s, _, n, e in EACH]},
            }
        ],
    },
    "texts": {
        "track": {"points": [{"gps": {"lat": f"{n}", "lon": f"{e}"}, "when": {"utc": t}} for _, t, n, e in EACH]}
    },
    "GeoJSON whose type is last": {
        "features": [{"geometry": point(n, e), "properties": {"time": t}, "type": "Feature"} for _, t, n, e in EACH],
        "type": "FeatureCollection",
    },
}


def as_bytes(document: Any) -> bytes:
    return document.encode() if isinstance(document, str) else json.dumps(document).encode()


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_gives_the_same_track(name: str) -> None:
    track = load(as_bytes(SHAPES[name]))
    assert type(track) is Trajectory and track.time.astype("datetime64[s]").astype(int).tolist() == SECONDS
    assert np.allclose(track.latitude, NORTH, atol=6e-8) and np.allclose(track.longitude, EAST, atol=6e-8)


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("OwnTracks .rec", "OwnTracks"),
        ("Overland", "Overland"),
        ("Traccar", "JSON"),
        ("MF-JSON", "MF-JSON"),
        ("kepler.gl", "GeoJSON"),
        ("Google's edits", "Google's Timeline"),
        ("GeoJSON whose type is last", "GeoJSON"),
    ],
)
def test_what_it_is_is_said(name: str, format: str) -> None:
    assert load(as_bytes(SHAPES[name])).format == format


def at(*minutes: int) -> list[int]:
    return [SECONDS[0] + 60 * minute for minute in minutes]


def clock(minute: int) -> str:
    return f"2024-05-04T{6 + minute // 60:02}:{minute % 60:02}:00.000Z"


def visit(begin: int, end: int, place: str, level: int | str = 0) -> dict[str, Any]:
    held = {"hierarchyLevel": level, "topCandidate": {"placeLocation": {"latLng": place}}}
    return {"startTime": clock(begin), "endTime": clock(end), "visit": held}


def test_a_timeline_keeps_one_entry_of_an_instant() -> None:
    path = [{"point": "48.1°, 11.1°", "time": clock(0)}, {"point": "48.2°, 11.2°", "time": clock(10)}]
    ends = {"start": {"latLng": "48.9°, 11.9°"}, "end": {"latLng": "48.5°, 11.5°"}}
    document = {
        "semanticSegments": [
            {"startTime": clock(30), "endTime": clock(45), "activity": ends},
            visit(10, 30, "48.3°, 11.3°"),
            visit(12, 20, "48.4°, 11.4°", 1),
            {"startTime": clock(0), "endTime": clock(60), "timelinePath": path},
            {"startTime": clock(50), "endTime": clock(60), "timelineMemory": {"trip": {}}},
        ],
        "rawSignals": [{"position": {"LatLng": "1°, 1°", "timestamp": clock(5)}}],
        "userLocationProfile": {"frequentPlaces": [{"placeLocation": "48.7°, 11.7°"}]},
    }
    track = load(as_bytes(document))
    assert "1 visit within another was left out." in track.notices
    assert "1 entry without a place was left out." in track.notices  # the memory
    assert track.time.astype("datetime64[s]").astype(int).tolist() == at(0, 10, 30, 45)
    assert track.latitude.tolist() == [48.1, 48.2, 48.3, 48.5]  # measured, then the visit, then the journey's end
    assert track.notices[0] == "2 entries for instants that others have were left out."
    assert "1 place without a time was left out." in track.notices


def test_only_start_and_end_take_their_own_times() -> None:
    old = {
        "timelineObjects": [
            {
                "activitySegment": {
                    "startLocation": {"latitudeE7": 481000000, "longitudeE7": 111000000},
                    "endLocation": {"latitudeE7": 482000000, "longitudeE7": 112000000},
                    "duration": {"startTimestamp": clock(0), "endTimestamp": clock(20)},
                    "waypointPath": {"waypoints": [{"latE7": 487000000, "lngE7": 117000000}]},
                    "simplifiedRawPath": {"points": [{"latE7": 481500000, "lngE7": 111500000, "timestamp": clock(10)}]},
                }
            },
            {
                "placeVisit": {
                    "location": {"latitudeE7": 483000000, "longitudeE7": 4294967296 - 113000000},
                    "otherCandidateLocations": [{"latitudeE7": 1, "longitudeE7": 1}],
                    "duration": {"startTimestamp": clock(25), "endTimestamp": clock(60)},
                }
            },
        ]
    }
    track = load(as_bytes(old))
    assert track.time.astype("datetime64[s]").astype(int).tolist() == at(0, 10, 20, 25, 60)
    assert track.latitude.tolist() == [48.1, 48.15, 48.2, 48.3, 48.3] and track.longitude[-1] == -11.3
    assert "2 places without a time were left out." in track.notices


def test_a_time_does_not_cross_a_list() -> None:
    document = {"time": TIMES[0], "places": [{"lat": 48.0, "lon": 11.0}, {"lat": 48.1, "lon": 11.1}]}
    with pytest.raises(InputError, match="JSON must contain places with times; got 2 places without"):
        load(as_bytes(document))


def test_several_devices_are_asked_about() -> None:
    document = [
        {"deviceId": device, "fixTime": time, "latitude": north + device, "longitude": east}
        for device in (1, 2)
        for _, time, north, east in EACH
    ]
    with pytest.raises(InputError) as caught:
        load(as_bytes(document))
    assert caught.value.kind == "people" and "deviceId" in str(caught.value)
    assert load(as_bytes(document), person="2").latitude[0] == 50.2


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"locations": []}, "JSON without places and times"),
        ({"a": [{"x": 1714802400, "y": 3}]}, "JSON without places and times"),
        ({"semanticSegments": [{"timelinePath": []}]}, "Google's Timeline must contain places with times; got none"),
        ([{"lat": 1, "lon": 2, "time": 5}], "JSON must contain places with times; got 1 place without"),
        ({"type": "MovingPoint", "coordinates": [[1, 2]], "datetimes": []}, "one time for each position"),
        ([{"lat": None, "lon": 2, "time": TIMES[0]}], "JSON without places"),
        ([{"lat": "x", "lon": 2, "time": TIMES[0]}], "it has no longitude and latitude"),
        ("[" * 5000, "nested this deeply"),
        ('{"a":' * 150 + "1" + "}" * 150, "nested this deeply"),
        ('{"lat": 1}\n{"lat": ', "valid JSON"),
    ],
)
def test_refused(document: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(as_bytes(document))
    assert sentence in str(caught.value)


NAMES = ("OwnTracks .rec", "Overland", "MF-JSON", "Google's edits", "kepler.gl", "steps of a trip")


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=pytest.mark.nightly)])
def test_damaged_files_get_a_sentence(count: int) -> None:
    rng = random.Random(count)
    loaded = sum(survives(mutated(as_bytes(SHAPES[rng.choice(NAMES)]), rng), rng) for _ in range(count))
    assert 0.02 * count < loaded < 0.9 * count

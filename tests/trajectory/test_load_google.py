"""Google's location history. No real person's file could be had: these have the form of the exports, and made-up places."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Trajectory, load_trajectory

RECORDS: dict[str, Any] = {
    "locations": [
        {
            "latitudeE7": 488530000,
            "longitudeE7": 23499000,
            "accuracy": 24,
            "activity": [{"activity": [{"type": "STILL", "confidence": 97}], "timestamp": "2022-01-12T17:18:20.000Z"}],
            "source": "WIFI",
            "deviceTag": -1577941824,
            "timestamp": "2022-01-12T17:18:24.190Z",
        },
        {"latitudeE7": 488534000, "longitudeE7": 4294967295, "timestampMs": "1642007964190", "deviceTag": -1577941824},
        {"timestamp": "2022-01-12T17:20:24.190Z", "source": "CELL"},
    ]
}
ANDROID: dict[str, Any] = {
    "semanticSegments": [
        {
            "startTime": "2024-05-01T08:00:00.000+02:00",
            "endTime": "2024-05-01T10:00:00.000+02:00",
            "timelinePath": [
                {"point": "48.8530°, 2.3499°", "time": "2024-05-01T08:12:00.000+02:00"},
                {"point": "48.8534°, -2.3492°", "time": "2024-05-01T08:14:00.000+02:00"},
            ],
        },
        {
            "startTime": "2024-05-01T08:14:30.000+02:00",
            "endTime": "2024-05-01T09:30:00.000+02:00",
            "startTimeTimezoneUtcOffsetMinutes": 120,
            "visit": {
                "hierarchyLevel": 0,
                "probability": 0.9,
                "topCandidate": {"semanticType": "WORK", "placeLocation": {"latLng": "48.8538°, 2.3485°"}},
            },
        },
        {
            "startTime": "2024-05-01T08:20:00.000+02:00",
            "endTime": "2024-05-01T08:40:00.000+02:00",
            "visit": {"hierarchyLevel": 1, "topCandidate": {"placeLocation": {"latLng": "1°, 1°"}}},
        },
        {
            "startTime": "2024-05-01T09:30:00.000+02:00",
            "endTime": "2024-05-01T09:45:00.000+02:00",
            "activity": {"start": {"latLng": "48.8539°, 2.3485°"}, "end": {"latLng": "48.8550°, 2.3464°"}},
        },
        {
            "startTime": "2024-05-01T10:00:00.000+02:00",
            "endTime": "2024-05-01T11:00:00.000+02:00",
            "timelineMemory": {},
        },
    ],
    "rawSignals": [
        {
            "position": {
                "LatLng": "47.0°, 1.0°",
                "accuracyMeters": 12,
                "source": "WIFI",
                "timestamp": "2024-05-01T08:00:30.000+02:00",
            }
        },
        {"wifiScan": {"deliveryTime": "2024-05-01T08:00:30.000+02:00"}},
    ],
    "userLocationProfile": {},
}
IOS: list[dict[str, Any]] = [
    {
        "endTime": "2024-05-01T09:30:00.000+02:00",
        "startTime": "2024-05-01T08:14:30.000+02:00",
        "visit": {
            "hierarchyLevel": "0",
            "probability": "0.9",
            "topCandidate": {"placeLocation": "geo:48.853800,2.348500"},
        },
    },
    {
        "endTime": "2024-05-01T10:00:00.000+02:00",
        "startTime": "2024-05-01T08:00:00.000+02:00",
        "timelinePath": [
            {"point": "geo:48.853000,2.349900", "durationMinutesOffsetFromStartTime": "12"},
            {"point": "geo:48.853400,-2.349200", "durationMinutesOffsetFromStartTime": "14"},
        ],
    },
    {
        "endTime": "2024-05-01T09:45:00.000+02:00",
        "startTime": "2024-05-01T09:30:00.000+02:00",
        "activity": {"start": "geo:48.853900,2.348500", "end": "geo:48.855000,2.346400", "distanceMeters": "300.0"},
    },
]
MONTH: dict[str, Any] = {
    "timelineObjects": [
        {
            "activitySegment": {
                "startLocation": {"latitudeE7": 488530000, "longitudeE7": 23499000},
                "endLocation": {"latitudeE7": 488538000, "longitudeE7": 23485000},
                "duration": {"startTimestamp": "2020-05-01T08:12:00Z", "endTimestamp": "2020-05-01T08:16:00Z"},
                "simplifiedRawPath": {
                    "points": [{"latE7": 488534000, "lngE7": 23492000, "timestamp": "2020-05-01T08:14:00Z"}]
                },
            }
        },
        {
            "placeVisit": {
                "location": {"latitudeE7": 488538000, "longitudeE7": 23485000, "name": "Home"},
                "duration": {"startTimestampMs": "1588320960000", "endTimestampMs": "1588324560000"},
            }
        },
    ]
}


def load(document: Any, **options: Any) -> Trajectory:
    return load_trajectory(json.dumps(document, indent=1, ensure_ascii=False).encode(), **options)


def minutes(track: Trajectory) -> list[str]:
    return track.time.astype("datetime64[m]").astype(str).tolist()


def test_records() -> None:
    track = load(RECORDS)
    assert track.latitude.tolist() == [48.853, 48.8534]
    assert track.longitude.tolist() == [2.3499, -1e-7]  # a record of before 2015, whose sign was lost
    assert minutes(track) == ["2022-01-12T17:18", "2022-01-12T17:19"]
    assert "1 entry without a place was left out." in track.notices


def test_records_of_several_devices_are_one_track_or_that_of_one() -> None:
    places = [dict(RECORDS["locations"][0], timestamp=f"2022-01-12T17:{k}:00Z", deviceTag=k % 2) for k in range(10, 20)]
    document = {"locations": places}
    assert any('"deviceTag" has 2 values' in notice for notice in load(document, on_several="join").notices)
    assert len(load(document, person="1")) == 5


@pytest.mark.parametrize("document", [ANDROID, IOS], ids=["android", "ios"])
def test_a_timeline_of_a_phone(document: Any) -> None:
    track = load(document)
    assert minutes(track) == [f"2024-05-01T{time}" for time in ("06:12", "06:14", "06:14", "07:30", "07:45")]
    assert track.latitude.tolist() == [48.853, 48.8534, 48.8538, 48.8538, 48.855]
    assert track.longitude.tolist() == [2.3499, -2.3492, 2.3485, 2.3485, 2.3464]


def test_raw_signals_are_read_where_there_is_nothing_else() -> None:
    track = load(ANDROID | {"semanticSegments": []})
    assert (track.latitude.tolist(), minutes(track)) == ([47.0], ["2024-05-01T06:00"])


def test_a_month_of_before() -> None:
    track = load(MONTH)
    assert minutes(track) == [f"2020-05-01T08:{minute}" for minute in ("12", "14", "16")] + ["2020-05-01T09:16"]
    assert track.latitude.tolist() == [48.853, 48.8534, 48.8538, 48.8538]


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"locations": [{"timestamp": "2022-01-12T17:18:24Z"}, 5]}, "got JSON without places and times"),
        (
            {"semanticSegments": [{"timelinePath": [{"point": "here"}]}]},
            "Timeline must contain places with times; got none",
        ),
        (
            [{"startTime": "2022-01-12T17:18:24Z", "visit": {"topCandidate": {}}}],
            "Timeline must contain places with times",
        ),
    ],
)
def test_refused(document: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(document)
    assert sentence in str(caught.value)


def test_whatever_stands_there_is_a_track_or_a_refusal() -> None:
    rng = random.Random(5)
    strange = [None, "", 5, -1e300, [], {}, "°, °", "geo:1,2", "9" * 400, {"latLng": 3}, True, 10**30]

    def changed(value: Any) -> Any:
        if rng.random() < 0.08:
            return rng.choice(strange)
        if isinstance(value, dict):
            return {key: changed(one) for key, one in value.items()}
        return [changed(one) for one in value] if isinstance(value, list) else value

    read = 0
    for _ in range(400):
        try:
            load(changed(rng.choice([RECORDS, ANDROID, IOS, MONTH])), timezone="UTC", on_problem="drop", day_first=True)
            read += 1
        except InputError:
            pass
    assert 100 < read < 390

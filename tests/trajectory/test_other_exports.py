"""Exports of programs and devices, with made up values: each is right, asked about or refused, and never wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NamedTuple

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import read_own
from lmdk_widgets.trajectory import Series
from tests.trajectory.test_real_shapes import answered, table

START = datetime(2024, 5, 4, 6, tzinfo=UTC)
PLACES = [(48.2 + 0.0021 * k, 11.5 - 0.0013 * k) for k in range(24)]


def times(minutes: int, count: int = 24, start: datetime = START) -> list[datetime]:
    return [start + timedelta(minutes=minutes * k) for k in range(count)]


def rows(write: Callable[[int, datetime], str], minutes: int = 5, count: int = 24) -> list[str]:
    return [write(k, time) for k, time in enumerate(times(minutes, count))]


def walk(write: Callable[[int, datetime, float, float], str]) -> list[str]:
    return [write(k, time, *place) for k, (time, place) in enumerate(zip(times(5), PLACES, strict=True))]


def _strava() -> bytes:
    heads = "Activity ID,Activity Date,Activity Type,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Filename"
    each = '{},"{:%b %d, %Y, %I:%M:%S %p}",Run,{},{:.2f},{},{},activities/{}.fit.gz'
    return table(
        heads,
        *rows(
            lambda k, t: each.format(
                11_000 + 97 * k, t, 1800 + 37 * k % 600, 5 + k % 7 / 10, 160 + k % 9, 30 + k % 9, k
            )
        ),
    )


def _esb(kinds: Iterable[str] = ("Import", "Export")) -> bytes:
    return table(
        "MPRN,Meter Serial Number,Read Value,Read Type,Read Date and End Time",
        *(
            f"10012345678,12345678,{0.25 if kind == 'Import' else 4},Active {kind} Interval (kW),{time:%d-%m-%Y %H:%M}"
            for time in reversed(times(30, 96, datetime(2024, 5, 4, 0, 30)))
            for kind in kinds
        ),
    )


def _life360() -> bytes:
    each = [
        {
            "latitude": f"{north:.6f}",
            "longitude": f"{east:.6f}",
            "startTimestamp": time.timestamp() - 240,
            "endTimestamp": str(int(time.timestamp())),
            "timestamp": str(int(time.timestamp())),
            "battery": "95",
        }
        for time, (north, east) in zip(times(5), PLACES, strict=True)
    ]
    return json.dumps({"locations": each}).encode()


def _tibber() -> bytes:
    nodes = [
        {"from": f"{t:%Y-%m-%dT%H:00:00.000+00:00}", "to": f"{t + timedelta(hours=1):%Y-%m-%dT%H:00:00.000+00:00}"}
        | {"cost": 0.1, "unitPrice": 0.3 + k / 1000, "consumption": 0.5, "consumptionUnit": "kWh"}
        for k, t in enumerate(times(60))
    ]
    return json.dumps({"data": {"viewer": {"homes": [{"consumption": {"nodes": nodes}}]}}}).encode()


def _phone() -> bytes:
    path = [
        {"point": f"{north:.7f}°, {east:.7f}°", "time": time.isoformat(timespec="milliseconds")}
        for time, (north, east) in zip(times(5), PLACES, strict=True)
    ]
    home = {"placeId": "x", "placeLocation": {"latLng": "48.2600000°, 11.4700000°"}}
    visit = {"startTime": "2024-05-04T10:00:00.000+02:00", "endTime": "2024-05-04T12:00:00.000+02:00"}
    segments = [
        {"startTime": "2024-05-04T08:00:00.000+02:00", "endTime": visit["startTime"], "timelinePath": path},
        visit | {"visit": {"hierarchyLevel": 0, "probability": 0.8, "topCandidate": home}},
        {
            "startTime": visit["endTime"],
            "endTime": "2024-05-04T13:00:00.000+02:00",
            "timelineMemory": {"trip": {"distanceFromOriginKms": 12}},
        },
    ]
    signal = {"position": {"LatLng": "1.3000000°, 2.4000000°", "timestamp": "2024-05-04T12:40:00.000+02:00"}}
    profile = {"frequentPlaces": [{"placeId": "x", "placeLocation": "48.9000000°, 11.9000000°", "label": "HOME"}]}
    whole = {"semanticSegments": segments, "rawSignals": [signal], "userLocationProfile": profile}
    return json.dumps(whole, ensure_ascii=False).encode()


def _samsung() -> bytes:
    one = "com.samsung.health.heart_rate"
    heads = ["source", *(f"{one}.{name}" for name in ("heart_beat_count", "start_time", "max", "min", "heart_rate"))]
    return table(
        "com.samsung.shealth.tracker.heart_rate,6217001,4",
        ",".join(heads),
        *rows(lambda k, t: f",1,{t:%Y-%m-%d %H:%M:%S}.000,{80 + k % 9}.0,{60 + k % 7}.0,{70 + k % 8}.0,"),
    )


def _linky() -> bytes:
    about = (
        "Identifiant PRM;Type de donnees;Date de debut;Date de fin;Grandeur physique;Etape metier;Unite;Pas en minutes"
    )
    local = timezone(timedelta(hours=2))
    return table(
        about,
        "12345678901234;Courbe de charge;04/05/2024;06/05/2024;Energie active;Comptage Brut;W;",
        "Horodate;Valeur",
        *rows(lambda k, t: f"{t.astimezone(local).isoformat()};{300 + k % 5}", 30),
    )


def _apple() -> bytes:
    points = walk(lambda k, t, a, b: f'<trkpt lon="{b}" lat="{a}"><time>{t:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>')
    head = '<gpx version="1.1" creator="Apple Health Export"><metadata><time>2024-06-01T10:00:00Z</time></metadata>'
    return f"{head}<trk><name>Route</name><trkseg>{''.join(points)}</trkseg></trk></gpx>".encode()


class Export(NamedTuple):
    """A file: its bytes, rows, sum of the values and their unit; None for a track; what may be asked."""

    made: Callable[[], bytes]
    count: int
    total: float | None
    unit: str = ""
    asked: frozenset[str] = frozenset()


def _asked(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


SEMICIRCLE = 2**31 / 180
EXPORTS = {
    "Strava, activities.csv": Export(
        _strava, 24, sum(1800 + 37 * k % 600 for k in range(24)), "", _asked("timezone", "which")
    ),
    "FIT as CSV, in semicircles": Export(
        lambda: table(
            "timestamp,position_lat,position_long,heart_rate",
            *walk(
                lambda k, t, a, b: f"{t:%Y-%m-%dT%H:%M:%SZ},{round(a * SEMICIRCLE)},{round(b * SEMICIRCLE)},{120 + k}"
            ),
        ),
        24,
        None,
    ),
    "Fitbit, heart rate as CSV": Export(
        lambda: table("timestamp,beats per minute", *rows(lambda k, t: f"{t:%Y-%m-%dT%H:%M:%SZ},{60 + k}")),
        24,
        1716,
        "bpm",
    ),
    "Google's Timeline on a phone": Export(_phone, 26, None),
    "Apple Health, a route": Export(_apple, 24, None),
    "Life360": Export(_life360, 24, None),
    "Traccar, a route": Export(
        lambda: table(
            "Valid,Time,Latitude,Longitude,Altitude,Speed,Address",
            *walk(
                lambda k, t, a, b: (
                    f'TRUE,{t:%Y-%m-%d %H:%M:%S},{a:.6f}°,{b:.6f}°,520.0 m,{k}.00 kn,"A street {k}, Town"'
                )
            ),
        ),
        24,
        None,
        "",
        _asked("timezone"),
    ),
    "Home Assistant, three sensors": Export(
        lambda: table(
            "entity_id,state,last_changed",
            *(
                f"{name},{100 + k % 5}.5,{t + timedelta(seconds=late):%Y-%m-%dT%H:%M:%S}.000Z"
                for late, name in enumerate(("sensor.power", "sensor.phone", "sensor.energy"))
                for k, t in enumerate(times(5))
            ),
        ),
        24,
        sum(100.5 + k % 5 for k in range(24)),
        "",
        _asked("which"),
    ),
    "Shelly Pro 3EM": Export(
        lambda: table(
            "timestamp,a_total_act_energy,a_total_act_ret_energy,a_max_act_power,a_min_act_power,b_total_act_energy",
            *rows(lambda k, t: f"{t.timestamp():.0f},2.5,0.0{k % 3},{150 + k}.1,{100 + k}.2,{1 + k % 3 / 10}", 1),
        ).replace(b",2.5,", b",2.25,", 1),
        24,
        59.75,
        "",
        _asked("which"),
    ),
    "Shelly EM": Export(
        lambda: table(
            "Date/time UTC,Active energy Wh,Returned energy Wh,Min V,Max V",
            *rows(lambda k, t: f"{t:%Y-%m-%d %H:%M},{20 + k % 3},0.0,{228 + k % 3}.1,{233 + k % 4}.0"),
        ),
        24,
        504,
        "Wh",
    ),
    "Tibber": Export(_tibber, 24, 12, "kWh"),
    "Enphase, by the day": Export(
        lambda: table(
            "Date/Time,Energy Produced (Wh)",
            *rows(lambda k, t: f'{t:%m/%d/%Y},"{10 + k % 5},317"', 1440),
            'Total,"290,608"',
        ),
        24,
        sum(10_317 + 1_000 * (k % 5) for k in range(24)),
        "Wh",
        _asked("timezone", "which"),
    ),
    "Octopus": Export(
        lambda: table(
            "Consumption (kwh), Estimated Cost Inc. Tax (p), Start, End",
            *rows(lambda k, t: f"0.25, {3 + k % 7}.1, {t.isoformat()}, {(t + timedelta(minutes=30)).isoformat()}", 30),
        ),
        24,
        6,
        "kWh",
    ),
    "Enedis, a load curve": Export(_linky, 24, sum(300 + k % 5 for k in range(24)), "W"),
    "Fronius": Export(
        lambda: table(
            "Datum und Uhrzeit,Direktverbrauch,Energie in Batterie,Energie ins Netz,Verbrauch",
            "[dd.MM.yyyy HH:mm],[Wh],[Wh],[Wh],[Wh]",
            *rows(lambda k, t: f"{t:%d.%m.%Y %H:%M},{k % 3}.5,0,{k % 7}.3,{20 + k % 5}.9"),
        ),
        24,
        36,
        "Wh",
        _asked("timezone", "which"),
    ),
    "ESB, import and export": Export(_esb, 96, 24, "kW", _asked("timezone", "which", "day-order")),
    "ESB, import": Export(lambda: _esb(["Import"]), 96, 24, "kW", _asked("timezone", "which", "day-order")),
    "Duke, a row a day": Export(
        lambda: table(
            f"Meter,Date,{','.join(f'Hour {hour}' for hour in range(1, 25))}",
            *rows(lambda k, t: f"123,{t:%m/%d/%Y},{','.join(['0.25', '0.5', '0.3'] * 8)}", 1440),
        ),
        576,
        201.6,
        "",
        _asked("timezone"),
    ),
    "Samsung Health": Export(_samsung, 24, 70 * 24 + 28 * 3, "", _asked("timezone")),
    "Swarm": Export(
        lambda: json.dumps(
            {
                "items": [
                    {"createdAt": f"{t:%Y-%m-%d %H:%M:%S}.000000", "lat": a, "lng": b, "venue": {"name": "Cafe"}}
                    for t, (a, b) in zip(times(5), PLACES, strict=True)
                ]
            }
        ).encode(),
        24,
        None,
        "",
        _asked("timezone"),
    ),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_is_right_or_asked_about(name: str) -> None:
    made, count, total, unit, may = EXPORTS[name]
    for accept in (True, False):
        found, asked = answered(made(), "UTC", accept=accept)
        assert asked <= (may & {"timezone", "people"} if accept else may) and len(found) == count
        assert isinstance(found, Series) == (total is not None)
        if total is not None:
            assert (found.values.sum(), found.unit) == (pytest.approx(total), unit)
        elif "phone" not in name:
            assert np.allclose([found.latitude, found.longitude], np.array(PLACES).T, atol=1e-6)
            assert found.time[1] - found.time[0] == np.timedelta64(5, "m")


@pytest.mark.parametrize(
    "data",
    [
        table(
            "entity_id,type,unit,2024-05-04T06:00:00.000Z,2024-05-04T07:00:00.000Z", "sensor.grid,import,kWh,0.2,0.3"
        ),
        table(
            "City,Request Time,Begin Trip Lat,Begin Trip Lng,Dropoff Lat,Dropoff Lng,Fare",
            *walk(lambda k, t, a, b: f"Town,{t:%Y-%m-%d %H:%M:%S} +0000 UTC,{a},{b},{a + 1},{b + 1},{k}.3"),
        ),
        table("Time (s),Latitude (°),Longitude (°)", *walk(lambda k, t, a, b: f"{5.0 * k:.6E},{a:.7E},{b:.7E}")),
    ],
    ids=["times in the heading", "two places in a row", "seconds since a start"],
)
def test_what_cannot_be_known_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(InputError) as refused:
        load(data, timezone="UTC", accept=True)
    assert refused.value.kind and refused.value.sentence.endswith(".")


@pytest.mark.parametrize(
    ("name", "mean", "unit", "asked"),
    [
        ("ESB, import and export", 250, "W", ["day-order", "which"]),  # never both in one series
        ("Duke, a row a day", 0.35, "", []),  # and not the number of the meter
        ("Samsung Health", 73.5, "", []),
        ("Enphase, by the day", sum(10_317 + 1_000 * (k % 5) for k in range(24)) / 24 / 24, "W", ["which"]),
    ],
)
def test_series_reads_the_same(name: str, mean: float, unit: str, asked: list[str]) -> None:
    given: dict[str, Any] = {}
    seen = []
    while True:
        try:
            own = read_own(EXPORTS[name].made(), **given)
            break
        except InputError as error:
            seen.append(error.kind)
            given |= error.offers[0][1]
    assert own.watts is not None and (own.watts.mean(), own.unit, seen) == (pytest.approx(mean), unit, asked)


def test_steps_of_fitbit_are_no_power() -> None:
    steps = json.dumps(
        [{"dateTime": f"{t:%m/%d/%y %H:%M:%S}", "value": f"{40 * k % 90}"} for k, t in enumerate(times(5))]
    )
    own = read_own(steps.encode(), "steps.json")
    assert own.watts is not None and (own.unit, own.watts[1], own.notices) == ("", 40, ())


def test_a_list_of_activities_is_no_series_of_one_state() -> None:
    data = table(
        "Activity Type,Date,Distance,Calories",
        *rows(lambda k, t: f"Running,{t:%Y-%m-%d %H:%M:%S},5.{k % 4},{400 + k}", 1440),
    )
    with pytest.raises(InputError) as asked:
        read_own(data)
    assert asked.value.kind == "which" and '"Distance"' in asked.value.offers[0][0]

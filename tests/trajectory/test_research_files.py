"""Files as papers on location privacy and smart meters used them, generated in their shapes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series.own import read_own
from lmdk_widgets.trajectory import load_series, load_trajectory
from lmdk_widgets.trajectory.preview import preview
from lmdk_widgets.trajectory.series_reader import load_data

RNG = np.random.default_rng(36)


def lines(*rows: str) -> bytes:
    return "\n".join(rows).encode() + b"\n"


T_DRIVE = lines(*(f"7,2008-02-02 15:{m:02d}:08,116.4{m:02d}72,39.92{m:02d}" for m in range(0, 60, 5)))
CABSPOTTING = lines(*(f"37.75{k:02d} -122.39{k:02d} {k % 2} {1213084687 - 60 * k}" for k in range(12)))
GOWALLA = lines(
    *(
        f"{user}\t2010-10-{19 - k}T23:55:27Z\t30.2359{k}91\t-97.79{k}5139\t{22847 + k}"
        for user in (0, 1)
        for k in range(6)
    )
)
HUE = lines("date,hour,energy_kWh", *(f"2015-02-{21 + h // 24},{h % 24},{h / 100:.2f}" for h in range(48)))
SCANS = lines(
    "# timestamp,user_a,user_b,rssi",
    *(
        "0,0,-1,0",
        "0,1,2,-70",
        "300,0,1,-60",
        "300,1,-2,-80",
        "600,2,0,-90",
        "600,1,-1,0",
        "900,0,-2,-55",
        "900,2,-1,0",
    ),
)


def test_t_drive_needs_its_zone_alone() -> None:
    with pytest.raises(InputError) as asked:
        load_data(T_DRIVE)
    assert asked.value.kind == "timezone"
    track = load_data(T_DRIVE, timezone="Asia/Shanghai")
    assert (track.latitude[1], track.longitude[1]) == (39.9205, 116.40572)
    assert str(track.time[0])[:19] == "2008-02-02T07:00:08"


def test_cabspotting_is_read_from_its_end() -> None:
    track = load_data(CABSPOTTING)
    assert (track.latitude[-1], track.longitude[-1]) == (37.75, -122.39)
    assert track.time[-1].astype("datetime64[s]").astype(int) == 1213084687
    assert np.all(np.diff(track.time) == np.timedelta64(60, "s"))


def test_gowalla_asks_whose_check_ins() -> None:
    with pytest.raises(InputError) as asked:
        load_data(GOWALLA, on_several="stop")
    assert asked.value.kind == "people" and {"person": "1"} in [choice for _, choice in asked.value.offers]
    track = load_data(GOWALLA, person="1")
    assert len(track) == 6 and str(track.time[-1])[:19] == "2010-10-19T23:55:27"


@pytest.mark.parametrize("data", [T_DRIVE, CABSPOTTING])
def test_a_line_of_another_shape_is_named_or_the_columns_are_asked(data: bytes) -> None:
    bad = data + b"neither this nor that\n"
    with pytest.raises(InputError) as refused:
        load_trajectory(bad, timezone="UTC", on_problem="stop")
    assert refused.value.rows or "one" in str(refused.value)
    with pytest.raises(InputError) as refused:
        load_data(b"1;2;3\n" + data, timezone="UTC")
    assert refused.value.kind == "columns"


def test_a_household_of_hue() -> None:
    series = load_data(HUE, timezone="America/Vancouver", accept=True)  # its rising values could be a counter
    assert (series.kind, series.unit, len(series)) == ("numbers", "kWh", 48)
    assert series.values.tolist() == [h / 100 for h in range(48)]
    assert np.all(np.diff(series.time) == np.timedelta64(1, "h")) and str(series.time[0])[:13] == "2015-02-21T08"
    own = read_own(HUE, "1.csv")
    assert own.watts is not None and own.watts.tolist() == pytest.approx([10.0 * h for h in range(48)])
    assert (own.minutes, own.start_minute) == (60.0, 0.0)
    assert "Energy was read as the mean power over an hour, the time that each reading covers." in own.notices


def test_energy_of_half_an_hour_is_twice_as_much_power() -> None:
    own = read_own(lines("time,kWh", *(f"2026-01-01 {h:02d}:{m},0.25" for h in range(5) for m in ("00", "30"))))
    assert own.watts is not None and set(own.watts.tolist()) == {500.0}


@pytest.mark.parametrize("bad", ["2015-02-21,24,1", "2015-02-21,x,1", "soon,3,1"])
def test_an_hour_that_is_none_is_named(bad: str) -> None:
    data = HUE + bad.encode() + b"\n2015-02-23,0,1\n"
    with pytest.raises(InputError) as refused:
        load_data(data, timezone="UTC", accept=True, on_problem="stop")
    assert [line for line, _ in refused.value.rows] == [50]
    series = load_data(data, timezone="UTC", accept=True, on_problem=None)
    assert len(series) == 49 and any("left out" in said for said in series.notices)


def _seen(device: int) -> dict[int, bool]:
    """What a device saw at each of its scans, row by row."""
    found: dict[int, bool] = {}
    for row in SCANS.decode().splitlines()[1:]:
        second, a, b, _ = map(int, row.split(","))
        if device in (a, b):
            found[second] = found.get(second, False) or (a >= 0 and b >= 0)
    return found


@pytest.mark.parametrize("device", [0, 1, 2])
def test_contacts_of_one_device(device: int) -> None:
    with pytest.raises(InputError) as asked:
        load_data(SCANS, on_several="stop")
    assert asked.value.kind == "people" and len(asked.value.offers) == 3
    series = load_data(SCANS, on_several="stop", person=str(device))
    seen = _seen(device)
    assert series.is_answers and series.values.tolist() == [float(seen[second]) for second in sorted(seen)]
    start = np.datetime64("2000-01-01", "ns")
    assert ((series.time - start) / np.timedelta64(1, "s")).tolist() == sorted(seen)
    own = read_own(SCANS, "bt.csv", person=str(device))
    assert own.states is not None and [own.labels[k] == "yes" for k in own.states] == [seen[s] for s in sorted(seen)]


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(InputError, match="Person must be one of those in the data; got 9. The scans name 3 devices"):
        load_series(SCANS, person="9")


METERS = lines(
    "LCLid,tstp,energy(kWh/hh)", *(f"MAC{m},2013-01-01 00:{h},0.{m}{h}" for m in (1, 2) for h in ("00", "30"))
)


def test_meters_of_several_homes_are_read_one_at_a_time() -> None:
    with pytest.raises(InputError) as asked:
        load_data(METERS, timezone="Europe/London")
    assert asked.value.kind == "people"
    series = load_data(METERS, timezone="Europe/London", person="MAC2")
    assert series.values.tolist() == [0.2, 0.23]


@pytest.mark.long
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])
def test_every_hour_of_a_meter_in_the_year_stands_once(zone: str) -> None:
    start = datetime(2025, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(minutes=30 * k) for k in range(2 * 24 * 365)]
    clocks = [moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M") for moment in moments]
    series = load_series(lines("time,kwh", *(f"{clock},{k % 7}" for k, clock in enumerate(clocks))), timezone=zone)
    assert series.time.astype("datetime64[s]").tolist() == [moment.replace(tzinfo=None) for moment in moments]


TWO = lines("when,indoors,outdoors", "2026-01-01 08:00,19.5,2.1", "2026-01-01 09:00,19.9,3.4")


def test_a_table_without_places_is_never_refused_for_lacking_them() -> None:
    with pytest.raises(InputError) as asked:
        load_data(TWO, timezone="UTC")
    assert asked.value.kind == "which" and [text for text, _ in asked.value.offers] == ['Yes: "indoors"', '"outdoors"']
    assert load_data(TWO, timezone="UTC", accept=True).values.tolist() == [19.5, 19.9]
    assert load_data(TWO, timezone="UTC", **asked.value.offers[1][1]).values.tolist() == [2.1, 3.4]
    series = load_data(TWO, timezone="UTC", columns={"time": 0, "value": "outdoors"})
    assert series.values.tolist() == [2.1, 3.4]
    headless = lines("1/2/2026;7;ja", "1/2/2026;8;nein")
    given = {"columns": {"date": 0, "clock": 1, "value": 2}, "headings": False, "day_first": True, "timezone": "UTC"}
    answers = load_data(headless, **given)
    assert answers.answers == ("nein", "ja") and answers.values.tolist() == [1.0, 0.0]
    assert str(answers.time[0])[:16] == "2026-02-01T07:00"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"value": 1, "latitude": 2}, "a value, or a place, not both"),
        ({"value": 1, "clock": 0}, "a column with date and time"),
        ({"value": 1, "time": 1}, "each column at most once"),
        ({"value": 9}, "numbers from 0 to 2"),
        ({"value": "indoor"}, 'a column named "indoor"'),
    ],
)
def test_columns_that_are_none_of_a_series(columns: dict[str, int | str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        load_data(TWO, timezone="UTC", columns=columns)
    with pytest.raises(InputError):
        load_trajectory(TWO, timezone="UTC", columns=columns)


@pytest.mark.parametrize(
    ("head", "row", "columns"),
    [
        ("LCLid,tstp,energy(kWh/hh),temperature", "A,2013-01-01 00:00,0.1,2", {"time": 1, "value": 2, "person": 0}),
        ("when,power,voltage", "2013-01-01 00:00,0.123,230.12", {"time": 0, "value": 1}),
        ("date;hour;kwh;temp", "2013-01-01;0;0,1;2,3", {"date": 0, "clock": 1, "value": 2}),
        ("when,n,e", "2013-01-01 00:00,40.123,23.12", {"time": 0, "latitude": 1, "longitude": 2}),
    ],
)
def test_what_the_columns_seem_to_hold(head: str, row: str, columns: dict[str, int]) -> None:
    shown = preview(lines(head, row, row))
    assert shown is not None and shown["columns"] == columns and shown["question"]
    shown = preview(lines(head, row, row), series=False)
    assert shown is not None and "value" not in shown["columns"] and "value" not in dict(shown["meanings"])

"""Small files in the shapes that people's exports have, and what each must become once the proposals are accepted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import read_own
from lmdk_widgets.trajectory import Series
from lmdk_widgets.trajectory.preview import collect
from tests.trajectory.test_load_files import DATA

REAL = DATA / "real"
SHAPES: list[tuple[str, int, str, float | None, str, set[str]]] = [
    # file, rows, first time (UTC), sum, unit, what may be asked without `accept`
    ("01_few_times.gpx", 3, "2024-05-04T06:00", None, "", {"rows"}),
    ("03_same_second.gpx", 4, "2024-05-04T06:00", None, "", {"rows"}),
    ("16_semantic_old.json", 3, "2024-05-04T06:00", None, "", set()),
    ("24_several_animals.csv", 6, "", None, "", {"timezone", "people"}),
    ("26_two_time_columns.csv", 12, "", None, "", {"timezone", "day-order"}),
    ("30_excel_fr.csv", 12, "", None, "", {"timezone", "day-order"}),
    ("41_enedis.csv", 150, "2024-10-25T22:30", 46504, "W", {"which"}),
    ("43_octopus.csv", 149, "2024-10-25T22:30", 14.916554, "kWh", {"which"}),
    ("44_home_assistant.csv", 188, "2024-10-26T00:00", 57292.8, "", {"which"}),
    ("46_meter_counter.csv", 99, "2024-10-25T22:00", 7.95, "kWh", {"timezone", "which"}),
    ("49_london_lcl.csv", 144, "2024-10-25T23:00", 29.188, "kWh", {"timezone"}),
    ("51_bt_symmetric.csv", 40, "", None, "", {"people"}),
    ("60_range_columns.csv", 96, "2024-10-25T22:00", 20.383, "kWh", {"timezone"}),
    ("61_from_date_from_time.csv", 95, "2024-10-25T22:00", 20.135, "kWh", {"timezone", "which"}),
    ("62_wide_day.csv", 480, "2024-10-25T22:00", 101.313, "", {"timezone", "which"}),
    ("63_preamble.csv", 96, "2024-10-25T22:00", 20.383, "kWh", {"timezone", "which"}),
    ("64_sep_line.csv", 288, "2024-10-25T22:00", None, "W", {"timezone", "which"}),
    ("65_counter_newest_first.csv", 59, "", 297, "", {"timezone", "which"}),
    ("66_unit_in_heading.csv", 144, "2024-10-26T00:00", 4746, "Wh", {"which"}),
    ("67_quoted_iso.csv", 24, "2024-10-25T22:00", 5.829, "kWh", {"which"}),
    ("68_monthly.csv", 24, "", 13560, "kWh", {"timezone", "which"}),
    ("69_nested.json", 91, "", 3708.5, "Wh", {"timezone", "which"}),
    ("70_e7.csv", 12, "2024-05-04T06:00", None, "", set()),
    ("71_suffix.csv", 12, "2024-05-04T04:00", None, "", {"timezone", "day-order"}),
    ("75_longitude_first_no_heading.csv", 12, "2024-05-04T06:00", None, "", {"columns"}),
    ("76_factor.csv", 95, "2024-10-25T22:00", 20.199, "kWh", {"timezone", "which"}),
    ("77_total_row_and_footer.csv", 30, "", 525, "kWh", {"timezone"}),
    ("78_repeated_hour.csv", 24, "2024-10-26T22:00", 5.829, "kWh", {"timezone"}),
    ("79_counter_reset.csv", 118, "2024-10-25T22:00", 11.8, "kWh", {"timezone", "which"}),
    ("80_today_restarts.csv", 69, "2024-10-25T22:00", 34.5, "kWh", {"timezone", "which"}),
    ("81_thousands.csv", 30, "", 66465, "", {"timezone"}),
    ("82_two_people_in_a_row.csv", 12, "", None, "", {"people"}),
    ("83_unit_changes.csv", 72, "2024-10-26T00:00", 18285, "Wh", {"which"}),
]


def answered(source: Any, zone: str = "Europe/Berlin", *, accept: bool = True) -> tuple[Any, set[str]]:
    """What a file becomes when every question gets its first answer, and the kinds of these questions."""
    given: dict[str, Any] = {"accept": True} if accept else {}
    asked: set[str] = set()
    for _ in range(6):
        try:
            return load(source, **given), asked
        except InputError as error:
            if error.kind in asked or not error.kind:
                raise
            asked.add(error.kind)
            people = [choice for _, choice in error.offers if "person" in choice]
            given |= {
                "timezone": {"timezone": zone},
                "day-order": {"day_first": True},
                "people": people[0] if people else {},
                "which": dict(error.offers[0][1]) if error.offers else {},
            }.get(error.kind, {"accept": True})
    raise AssertionError(asked)


@pytest.mark.parametrize(("name", "rows", "first", "total", "unit", "may"), SHAPES, ids=[shape[0] for shape in SHAPES])
def test_a_shape_becomes_what_it_must(
    name: str, rows: int, first: str, total: float | None, unit: str, may: set[str]
) -> None:
    if not (REAL / name).exists():
        pytest.skip(f"the shared data are absent: real/{name}")
    zone = "Europe/London" if "london" in name else "Europe/Berlin"
    for accept in (True, False):
        data, asked = answered(REAL / name, zone, accept=accept)
        assert asked <= (may & {"timezone", "people"} if accept else may)
        assert len(data) == rows and str(data.time[0]).startswith(first)
        assert isinstance(data, Series) == (total is not None or name[:2] in ("51", "64"))
        if total is not None:
            assert data.values.sum() == pytest.approx(total, rel=1e-9) and data.unit == unit


def table(*lines: str) -> bytes:
    return "\n".join((*lines, "")).encode()


DAY = np.datetime64("2024-10-21T00:00") + 15 * np.arange(96) * np.timedelta64(1, "m")


def rows(write: Any, values: Any, separator: str = ";") -> list[str]:
    return [separator.join((*write(time), value)) for time, value in zip(DAY, values, strict=True)]


def german(time: np.datetime64) -> tuple[str]:
    return (time.item().strftime("%d.%m.%Y %H:%M"),)


def test_body_first_and_headings_above_of_several_lines_with_a_footer() -> None:
    kwh = [f"0,{200 + k}" for k in range(96)]
    kwh[5] = "0,150"
    data = table(
        "Meter 17;A PERSON", "", "Zeit;Energie", "Anfang;kWh", *rows(german, kwh), "Summe;23,8", "made by a portal"
    )
    series, asked = answered(data, accept=False)
    assert (len(series), series.unit, asked) == (96, "kWh", {"timezone"})
    assert series.values[:2].tolist() == [0.2, 0.201] and str(series.time[0])[:16] == "2024-10-20T22:00"
    assert "2 lines below the table were left out." in series.notices


def test_a_counter_is_asked_and_its_other_readings_can_be_taken() -> None:
    data = table("time;meter reading kWh", *rows(german, [f"{5000 + k / 10:.1f}".replace(".", ",") for k in range(96)]))
    with pytest.raises(InputError, match="Is this right") as asked:
        load(data, timezone="UTC")
    assert asked.value.kind == "which" and [set(choice) for _, choice in asked.value.offers] == [{"reading"}] * 2
    assert str(asked.value).endswith("""accept=True for that, or reading='"meter reading kWh" in kWh'.""")
    steps = load(data, timezone="UTC", accept=True)
    assert len(steps) == 95 and set(steps.values.tolist()) == {0.1} and steps.notices[0].startswith("Read as ")
    values = load(data, timezone="UTC", **asked.value.offers[1][1])
    assert len(values) == 96 and values.values[0] == 5000
    with pytest.raises(
        InputError, match='must be one of the ways to read this table.*reading=\'"meter reading kWh" in'
    ):
        load(data, timezone="UTC", reading="another")
    with pytest.raises(InputError, match="it is for series"):
        load(b"time,lat,lon\n2024-01-01T00:00Z,1,2\n", reading="another")


def test_a_rising_temperature_is_asked_and_proposed_as_it_is() -> None:
    data = table("time;temperature", *rows(german, [f"{k / 10:.1f}" for k in range(96)]))
    with pytest.raises(InputError) as asked:
        load(data, timezone="UTC")
    assert asked.value.kind == "which" and load(data, timezone="UTC", accept=True).values[-1] == 9.5


def test_a_gap_stays_a_gap_and_is_said() -> None:
    cells = ["1.5"] * 96
    cells[3:6] = ["unavailable", "", "unknown"]
    series = load(table("time;W", *rows(german, cells)), timezone="UTC")
    assert len(series) == 93 and np.diff(series.time).max() == np.timedelta64(60, "m")
    assert "3 rows have no value: these timestamps are left out." in series.notices


@pytest.mark.parametrize(("count", "bad", "quiet"), [(400, 7, True), (400, 8, False), (31, 3, True), (30, 3, False)])
def test_few_bad_rows_are_left_out_and_named_and_more_are_asked(count: int, bad: int, quiet: bool) -> None:
    cells = [str(k % 7) for k in range(count)]
    cells[10 : 10 + bad] = ["broken"] * bad
    start = np.datetime64("2024-05-01T00:00")
    data = table("time,value,landmark", *(f"{start + k}Z,{cell},{int(k == 10)}" for k, cell in enumerate(cells)))
    if not quiet:
        with pytest.raises(InputError) as refused:
            load(data)
        assert refused.value.kind == "rows" and [line for line, _ in refused.value.rows] == list(range(12, 12 + bad))
    series = load(data, accept=not quiet)
    assert len(series) == count - bad
    said = next(text for text in series.notices if "left out" in text)
    assert "1 of them marked as landmarks" in said and (("line 12" in said) == quiet)
    with pytest.raises(InputError):
        load(data, on_problem="stop")


def test_rows_that_only_repeat_another_are_no_loss() -> None:
    lines = [f"2024-05-04T06:{k:02d}:00Z,48.{k:02d},11.5" for k in range(5)]
    track = load(table("time,lat,lon", *lines, *lines))
    assert len(track) == 5 and track.notices[0] == "5 rows that repeat another one were left out."


def test_registers_that_alternate_are_one_series_and_both_at_once_are_asked() -> None:
    both = [f"{time}Z;{name};{k % 3}" for k, time in enumerate(DAY) for name in ("Gas", "Water")]
    with pytest.raises(InputError) as asked:
        load(table("time;type;value", *both))
    assert asked.value.kind == "which" and any("Water" in text for text, _ in asked.value.offers)
    assert len(load(table("time;type;value", *both), accept=True)) == 96
    turns = [f"{time}Z;{'Day' if 28 <= k < 88 else 'Night'};{k % 3}" for k, time in enumerate(DAY)]
    series = load(table("time;register;value", *turns))
    assert len(series) == 96 and any("alternate" in said for said in series.notices)


def test_numbers_with_their_unit_in_the_cell_are_read() -> None:
    times = [f"2024-05-04T{k:02d}:00:00Z" for k in range(6)]
    values = (195.2, 5, 15.5, 7, 3, 9)
    data = table(
        "time;energy",
        *(f"{time};{str(value).replace('.', ',')} kWh" for time, value in zip(times, values, strict=True)),
    )
    found = load(data)
    assert isinstance(found, Series) and found.unit == "kWh" and found.values.tolist() == list(values)
    own = read_own(data, "e.csv")
    assert own.watts is not None and own.watts.tolist() == [1000 * value for value in values]
    with pytest.raises(InputError):  # a heading with another unit, cells with several, and numbers without one
        load(data.replace(b"energy", b"energy Wh"))
    for wrong in (data.replace(b"15,5 kWh", b"15,5 Wh"), data.replace(b"15,5 kWh", b"15,5")):
        with pytest.raises(InputError):
            load(wrong)


def test_a_unit_that_changes_is_converted_or_refused() -> None:
    lines = [f"{time}Z,{'.25,kWh' if k == 7 else '250,Wh'}" for k, time in enumerate(DAY)]
    assert set(load(table("time,value,unit", *lines), accept=True).values.tolist()) == {250.0}
    lines[7] = lines[7].replace("kWh", "kW")
    with pytest.raises(InputError, match="must be in one unit; got kw, wh"):
        load(table("time,value,unit", *lines), accept=True)


def test_tracks_below_titles_in_utf_16_with_umlauts_in_headings() -> None:
    text = "Fahrtenbuch\n\nZeitpunkt;Breite;Länge\n" + "".join(
        f"04.05.2024 06:{k:02d};48,2{k:02d};11,5{k:02d}\n" for k in range(30)
    )
    track = load(text.encode("utf-16"), timezone="Europe/Berlin")
    assert (track.latitude[1], track.longitude[1]) == (48.201, 11.501) and str(track.time[0])[:16] == "2024-05-04T04:00"


def test_without_headings_places_are_never_a_series() -> None:
    data = table(*(f"2024-05-04T06:{k:02d}:00Z;11.{5000 + k};48.{2000 + k}" for k in range(20)))
    with pytest.raises(InputError) as asked:
        load(data)
    assert asked.value.kind == "columns" and not isinstance(load(data, accept=True), Series)
    assert "It is read as time in column 1, latitude in column 3 and longitude in column 2" in str(asked.value)
    other = 'columns={"time": 0, "latitude": 1, "longitude": 2}, headings=False'
    assert str(asked.value).endswith(f"accept=True for that, or {other}.")
    assert load(data, accept=True).notices == (
        "Read as time in column 1, latitude in column 3 and longitude in column 2.",
    )
    assert load(data, columns={"time": 0, "latitude": 2, "longitude": 1}, headings=False).latitude[0] == 48.2


def test_all_questions_about_a_file_are_collected_with_what_is_proposed() -> None:
    data = table(
        "who;time;counter", *(f"{who};0{1 + k // 9}/0{1 + k % 9}/2024;{9000 + k}" for who in "ab" for k in range(27))
    )
    with pytest.raises(InputError) as refused:
        load(data)
    form = collect(lambda **more: load(data, **more), refused.value)
    assert form is not None and [one["kind"] for one in form["questions"]] == ["day-order", "timezone", "which"]
    assert form["questions"][1]["answers"] == [] and form["table"]["marks"] == {
        "1": "time",
        "2": "value",
        "0": "register",
    }
    chosen = {
        name: given for one in form["questions"] for _, answer in one["answers"][:1] for name, given in answer.items()
    }
    assert len(load(data, timezone="UTC", **chosen)) == len(load(data, timezone="UTC", accept=True))
    one = table("time;value", *(f"2024-01-0{k} 00:00;{k % 2}.5" for k in range(1, 9)))
    with pytest.raises(InputError) as refused:
        load(one)
    assert collect(lambda **more: load(one, **more), refused.value) is None  # a single question has its own buttons


@pytest.mark.parametrize(
    ("head", "cells", "separator", "asked", "first"),
    [
        ("Schritte", ["1.200", "2.400"], ";", False, 1200),
        ("Steps", ["1,200", "2,400"], ",", False, 1200),
        ("kWh", ["1.200", "2.400"], ";", True, 1.2),
        ("kWh", ["1,200", "2,400"], ",", True, 1.2),
        ("kWh", ["0.200", "2.400"], ";", False, 0.2),
    ],
)
def test_a_mark_that_could_be_either_is_asked(
    head: str, cells: list[str], separator: str, asked: bool, first: float
) -> None:
    lines = [f'{german(time)[0]}{separator}"{cells[k % 2]}"' for k, time in enumerate(DAY)]
    data = table(f"Zeit{separator}{head}", *lines)
    if asked:
        with pytest.raises(InputError) as caught:
            load(data, timezone="UTC")
        assert caught.value.kind == "which"
        other = load(data, timezone="UTC", **caught.value.offers[1][1])
        assert other.values[0] == 1000 * first
    assert load(data, timezone="UTC", accept=asked).values[0] == pytest.approx(first)


def test_midnight_at_the_end_of_a_day_and_months_as_words() -> None:
    ends = [f"04.05.2024 {k + 1:02d}:00;{k % 3}" for k in range(24)]
    series = load(table("Zeit;kWh", *ends), timezone="UTC", accept=True)
    assert len(series) == 24 and str(series.time[0])[:16] == "2024-05-04T00:00"  # each time was an end
    assert (
        len(load(table("time;bpm", *(f"{k}. Mai 2024 06:00;{60 + k % 2}" for k in range(1, 9))), timezone="UTC")) == 8
    )


def test_text_of_windows_is_read_and_xml_keeps_its_own_encoding() -> None:
    text = "Zeit;Außen (°C)\n" + "".join(f"{german(time)[0]};{k % 9},5\n" for k, time in enumerate(DAY))
    assert load(text.encode("cp1252"), timezone="UTC").values[0] == 0.5


@pytest.mark.parametrize(("bad", "ends"), [(20, True), (10, False), (30, False)])
def test_a_row_left_out_that_ends_a_stay_is_named(bad: int, ends: bool) -> None:
    places = [48.2 if k <= 20 else 48.2 + 0.01 * (k - 20) for k in range(40)]
    lines = [f"2024-05-04T06:{k:02d}:00Z,{places[k]},{'x' if k == bad else 11.5}" for k in range(40)]
    track = load(table("time,lat,lon", *lines))
    said = next(text for text in track.notices if "left out" in text)
    assert f"line {bad + 2}" in said and ("it may end a stay" in said) == ends

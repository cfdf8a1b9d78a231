"""Uploaded tables with a heading: which column is read, in which unit, by which clock, and which lines are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series import SeriesChoices, evaluate, read_own
from lmdk_widgets.pages.series.own import describe_file
from lmdk_widgets.pages.series.series import fitting_level_w, series_of, unit_of_levels
from lmdk_widgets.trajectory import load_series
from lmdk_widgets.trajectory.data_frame import as_csv


def read(text: str):
    return read_own(text.encode(), "f.csv")


def table(heading: str, *cells: object, step_s: int = 60, mark: str = ",") -> str:
    times = (f"2020-01-01 {8 + k * step_s // 3600:02d}:{k * step_s // 60 % 60:02d}" for k in range(len(cells)))
    return heading + "\n" + "".join(f"{time}{mark}{cell}\n" for time, cell in zip(times, cells, strict=True))


@pytest.mark.long
def test_six_hundred_lines_of_time_and_power() -> None:
    own = read(table("time,power", *(100 + 7 * (k % 90) for k in range(600))))
    assert own.watts is not None and len(own) == 600 and own.watts.max() == 723
    assert (own.minutes, own.start_minute) == (1.0, 480.0)
    outcome = evaluate(SeriesChoices().with_source("own", level_w=100.0), own)
    assert outcome.series.labels[0] == "100–200 W" and outcome.series.clock(61) == "day 1, 09:01"


def test_bad_rows_are_listed_with_their_lines() -> None:
    rows = "2020-01-01 00:00,100\n2020-01-01 00:01,abc\n2020-01-01 00:02\n\n2020-01-01 00:04,1,2\nnoon,5\n"
    with pytest.raises(InputError) as refused:
        read("time,power\n" + rows + "2020-01-01 00:05,-4\n2020-01-01 00:06,7\n")
    assert [line for line, _ in refused.value.rows] == [3, 4, 6, 7, 8]
    assert "got 5 lines that cannot be read, the first is line 3" in str(refused.value)
    assert '"abc"' in refused.value.rows[0][1] and "time" in refused.value.rows[3][1]


@pytest.mark.parametrize("row", ["2020-01-01 00:00,100\n2020-01-01 00:01,abc\n", "2020-01-01 00:00,100\nabc\n"])
def test_even_of_two_rows_a_bad_one_is_seen(row: str) -> None:
    with pytest.raises(InputError, match="line 3"):
        read("time,power\n" + row)


@pytest.mark.parametrize(
    ("text", "watts", "minutes"),
    [
        (table("time;Power (kW)", "0,5", "1,25", mark=";"), [500, 1250], 1.0),
        (table("when\twatts", 3, 4, mark="\t", step_s=600), [3, 4], 10.0),
        (table("timestamp,Global_active_power", "0.3", "?", "1"), [300, 300, 1000], 1.0),
        (table('"time","value"', '"100"', '"200"'), [100, 200], 1.0),
        (table("time,value", 0.25, 7), [250, 7000], 1.0),
        (table("time,of the house", 100, 200), [100, 200], 1.0),
        (",power\n0,100\n1,200\n", [100, 200], None),
        ("power\n100.5\n300\n", [100.5, 300], None),
        ("Date;Time;power_W\n1/2/2020;00:10;5\n1/2/2020;00:15;6\n", [5, 6], 5.0),
        ("date,watts\n1/2/2020,5\n2/2/2020,6\n3/2/2020,6\n", [5, 6, 6], 1440.0),
    ],
)
def test_power_by_its_name_its_unit_and_its_times(text: str, watts: list[float], minutes: float | None) -> None:
    own = read(text)
    assert own.watts is not None and own.watts.tolist() == watts
    assert own.minutes == minutes


def test_a_guessed_unit_and_uneven_times_are_said() -> None:
    assert any("in kilowatts" in notice for notice in read(table("time,value", 0.25, 7)).notices)
    assert any("in watts" in notice for notice in read(table("time,value", 25, 700)).notices)
    assert not read(table("time,watts", 25, 70)).notices
    uneven = "time,watts\n08:00,1\n08:01,2\n09:00,3\n09:50,1\n"
    assert read(uneven).minutes is None and "not evenly spaced" in read(uneven).notices[0]


@pytest.mark.parametrize("heading", ["time,state", "time,room", "when,mode of travel"])
def test_a_column_of_names_is_states_with_a_clock(heading: str) -> None:
    own = read(table(heading, "home", "work", "home", step_s=900))
    assert own.labels == ("home", "work") and own.states is not None and own.states.tolist() == [0, 1, 0]
    series = series_of(SeriesChoices().with_source("own", every=2), own)
    assert series.minutes == 30.0 and series.clock(1) == "day 1, 08:30"


def test_numbered_states_are_states_where_the_heading_says_so() -> None:
    own = read(table("time,state", 3, 1, 3))
    assert own.labels == ("1", "3") and own.watts is None
    with pytest.raises(InputError, match="line 3"):
        read(table("time,state", "home", "", "home"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fruit,score\napple,3\npear,4\n", "got fruit: names, score: numbers"),
        (table("", 100, 200).strip(), "Line 1 must be a heading that names .*; got a time"),
        (
            "time power\n2020-01-01 00:00 100\n2020-01-01 00:01 90\n",
            "commas between its columns, such as time,power; got time power",
        ),
        ("100.5\n300.25\n", "got numbers with decimals"),
        ("2020-01-01\n2020-01-02\n", "got dates or times"),
    ],
)
def test_what_is_not_recognised_is_refused_and_what_is_expected_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        read(text)
    assert "power" in str(refused.value)


def test_of_two_columns_of_numbers_it_is_asked_which() -> None:
    text = table("time,a,b", "1,2", "3,4")
    with pytest.raises(InputError, match="read in several ways") as asked:
        read(text)
    assert asked.value.kind == "which" and [text for text, _ in asked.value.offers] == ['Yes: "a"', '"b"']
    own = read_own(text.encode(), **asked.value.offers[1][1])
    assert own.watts is not None and own.watts.tolist() == [2, 4]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("day,night\nnight,day\n", ("day", "night")),
        ("load,unload\nload,load\n", ("load", "unload")),
        ("late,plate\nlate,late\n", ("late", "plate")),
        ("on the way\nat home\nat home\n", ("at home", "on the way")),
        ("1 2 1\n2 2 1\n", ("1", "2")),
        ("home work home", ("home", "work")),
        ("1\t2\n1\t1\n", ("1", "2")),
    ],
)
def test_lists_of_states_stay_lists(text: str, labels: tuple[str, ...]) -> None:
    own = read(text)
    assert own.labels == labels and own.minutes is None


def test_many_states_say_what_a_table_of_power_looks_like() -> None:
    own = read("\n".join(f"s{k}" for k in range(605)))
    with pytest.raises(InputError, match="time,power"):
        series_of(SeriesChoices().with_source("own"), own)


def test_energy_between_starts_and_ends_is_over_the_interval_it_covers() -> None:
    hours = [f"2024-05-04T{k // 2:02d}:{k % 2 * 30:02d}:00Z" for k in range(13)]
    rows = "".join(f"{0.1 + k % 4 / 10:.1f},{hours[k]},{hours[k + 1]}\n" for k in range(12))
    own = read("Consumption (kWh),Start,End\n" + rows)
    assert own.watts is not None and own.minutes == 30 and own.watts[:2] == pytest.approx([200, 400])
    assert own.notices == ("Energy was read as the mean power over 30 minutes, the time that each reading covers.",)


def test_power_below_title_lines_is_no_list_of_states() -> None:
    own = read("Meter;Unit\n7;W\n" + table("Time;Value", *(100 + k % 5 for k in range(30)), step_s=600, mark=";"))
    assert own.watts is not None and own.minutes == 10 and own.watts[1] == 101


@pytest.mark.parametrize(
    ("heading", "cells", "unit", "first"),
    [
        ("from,to,register,energy kWh", ("Day,0.25", "Night,0.5", "Day,0.75"), "W", 250.0),
        ("time,kWh,status", ("0.25,Read", "0.5,Read", "0.75,Estimated"), "W", 250.0),
        ("time,value,unit", ("250,Wh", ".25,kWh", "251,Wh"), "W", 250.0),
        ("time,steps", ('"2,201"', '"3,202"', '"1,203"'), "", 2201.0),
        ("time,state", ("20.5", "unavailable", "21.5"), "", 20.5),
    ],
)
def test_numbers_are_no_states_and_have_their_unit(
    heading: str, cells: tuple[str, ...], unit: str, first: float
) -> None:
    hours = [f"2024-05-04T{k:02d}:00:00Z" for k in range(19)]
    ends = [f",{hour}" if heading.startswith("from") else "" for hour in hours[1:]]
    own = read(heading + "\n" + "".join(f"{hours[k]}{ends[k]},{cells[k % 3]}\n" for k in range(18)))
    assert own.watts is not None and own.unit == unit and own.watts[0] == first
    assert not any("judging by its size" in notice for notice in own.notices)
    if "unit" in heading:
        assert own.watts[1] == 250


@pytest.mark.parametrize(("unit", "shown", "first"), [("bpm", "bpm", 60.0), ("kWh", "W", 60_000.0)])
def test_a_series_keeps_its_unit_on_its_way_to_the_page(unit: str, shown: str, first: float) -> None:
    pytest.importorskip("pandas")
    rows = "".join(f"2024-05-04T{k:02d}:00:00Z,{60 + k % 5}\n" for k in range(24))
    own = read_own(*as_csv(load_series(f"time,reading ({unit})\n{rows}".encode())))
    assert own.watts is not None and (own.unit, own.watts[0]) == (shown, first)


def test_days_between_readings_are_said_in_days() -> None:
    own = read("time,kWh\n" + "".join(f"2024-05-{k:02d},{24 + k % 3}\n" for k in range(1, 20)))
    assert own.notices == ("Energy was read as the mean power over 1 day, the time that each reading covers.",)
    assert describe_file(own).endswith(", every 1 day.")


def test_a_series_in_json_is_read() -> None:
    hours = ", ".join(f'{{"time": "2024-05-04T{k:02d}:00:00Z", "energy_kWh": {k % 3}}}' for k in range(12))
    own = read(f'{{"data": [{hours}]}}')
    assert own.watts is not None and own.watts[:3].tolist() == [0, 1000, 2000] and own.minutes == 60


def test_levels_fit_what_was_uploaded() -> None:
    small = read(table("time,watts", 5, 300, 120)).watts
    assert small is not None and fitting_level_w(small, 500.0) == 50.0
    assert fitting_level_w(1000 * small, 1000.0) == 5000.0
    assert fitting_level_w(small, 20.0) == 20.0


@pytest.mark.parametrize(
    ("heading", "label", "nouns", "said"),
    [
        ("heart rate (bpm)", "60–65 bpm", "heart rates", "3 readings in bpm, "),
        ("heart rate", "60–65 bpm", "heart rates", "3 readings in bpm, "),
        ("gas usage (m³)", "60–65 m³", "levels", "3 readings in m³, "),
        ("steps", "60–65", "levels", "3 readings, "),
        ("power (kW)", "60000–65000 W", "power levels", "3 readings of power, "),
        ("power (total)", "60–65 W", "power levels", "3 readings of power, "),
    ],
)
def test_a_series_has_the_unit_of_its_heading(heading: str, label: str, nouns: str, said: str) -> None:
    own = read(table(f"time,{heading}", 60, 64, 74.5))
    assert own.watts is not None and said in describe_file(own)
    assert any("read as power" in notice for notice in own.notices) == (heading == "power (total)")
    choices = SeriesChoices().with_source("own", level_w=5000.0 if heading == "power (kW)" else 5.0, every=1)
    series = series_of(choices, own)
    assert series.labels[0] == label and series.nouns == nouns
    assert unit_of_levels(choices, own) == own.unit and unit_of_levels(SeriesChoices(), own) == "W"
    assert fitting_level_w(own.watts, 500.0, own.unit) == {"W": 500.0 if "kW" in heading else 50.0}.get(own.unit, 2.0)


def test_readings_that_are_no_power_may_be_below_0_and_have_few_levels() -> None:
    own = read(table("time,temperature", -3, 2.5, 4, step_s=600))
    assert series_of(SeriesChoices().with_source("own", level_w=5.0, every=1), own).labels == ("-5–0", "0–5")
    wide = read(table("time,steps", 0, 1e9, step_s=600))
    with pytest.raises(InputError, match="at most .* states; got 1,000,000,001. Choose wider levels"):
        series_of(SeriesChoices().with_source("own", level_w=1.0, every=1), wide)


_PIECES = st.sampled_from(
    ["time", "power", "state", ",", ";", "\t", "\n", " ", '"', "1", "-2.5", "8:15", "2020-01-01", "é", "?", "|"]
)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=40))
def test_any_text_is_read_or_refused_in_a_sentence(pieces: list[str]) -> None:
    try:
        own = read("".join(pieces))
    except InputError as refused:
        assert str(refused).endswith(".")
    else:
        assert len(own) >= 2


def test_a_cell_without_end_is_refused() -> None:
    with pytest.raises(InputError):
        read("time,power\n8:00,1\n8:01," + "x" * 200_000 + "\n")

"""What a reader proposes, asks and says: places without headings, columns that were chosen, dates in frames, large files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.session import Session
from lmdk_widgets.pages.series import read_own
from lmdk_widgets.trajectory import Series, Trajectory, load_series, preview, sample, sample_series
from lmdk_widgets.trajectory.preview import LARGEST

DAY = np.datetime64("2024-05-04T00:00") + 15 * np.arange(96) * np.timedelta64(1, "m")


def table(*lines: str) -> bytes:
    return "\n".join((*lines, "")).encode()


def rows(*columns: Any, separator: str = ",") -> list[str]:
    return [separator.join((f"{time}Z", *map(str, cells))) for time, *cells in zip(DAY, *columns, strict=False)]


def walk(north: float, east: float, count: int = 20) -> list[tuple[str, str]]:
    return [(f"{north + 0.0021 * k:.5f}", f"{east - 0.0013 * k:.5f}") for k in range(count)]


CITIES = [
    (48.2, 11.5),
    (51.5, -0.1),
    (40.4, -3.7),
    (41.0, 29.0),
    (-23.5, -46.6),
    (28.6, 77.2),
    (-1.3, 36.8),
    (40.7, -74.0),
]


@pytest.mark.parametrize("city", CITIES)
@pytest.mark.parametrize("swapped", [False, True])
def test_the_likelier_order_of_two_columns_of_degrees_is_proposed_and_the_other_offered(
    city: tuple[float, float], swapped: bool
) -> None:
    north, east = zip(*walk(*city), strict=True)
    data = table(*rows(*((east, north) if swapped else (north, east)), separator=";"))
    with pytest.raises(InputError) as asked:
        load(data)
    first, second = asked.value.offers
    assert asked.value.kind == "columns" and first[0].startswith("Yes: ")
    track = load(data, accept=True)
    assert (track.latitude[0], track.longitude[0]) == city and track.notices[0].startswith("Read as time in column 1, ")
    assert load(data, **first[1]).latitude[0] == city[0]
    assert load(data, **second[1]).latitude[0] == city[1]
    shown = preview.preview(data)
    assert shown is not None and shown["columns"] == first[1]["columns"] and shown["question"]


@pytest.mark.parametrize("heads", ["p,q", "coord 1,coord 2", "Punkt,Punkt2"])
def test_two_columns_under_unknown_names_that_could_be_a_place_are_asked(heads: str) -> None:
    north, east = zip(*walk(48.2, 11.5), strict=True)
    data = table(f"time,{heads}", *rows(north, east))
    with pytest.raises(InputError, match="Is this right") as asked:
        load(data)
    assert asked.value.kind == "columns" and len(asked.value.offers) == 2
    track = load(data, accept=True)
    assert not isinstance(track, Series) and (track.latitude[0], track.longitude[0]) == (48.2, 11.5)
    values = load(data, columns={"time": 0, "value": 1})
    assert isinstance(values, Series) and values.values[0] == 48.2


def test_columns_called_north_and_east_are_never_values() -> None:
    for heads, row in (("north;east", "48,5;2,5"), ("Ost;Nord", "2,5;48,5")):
        data = table(f"when;{heads}", f"2026-01-26 10:00;{row}")
        with pytest.raises(InputError) as asked:
            load(data, timezone="UTC")
        assert asked.value.kind == "columns" and load(data, timezone="UTC", accept=True).latitude[0] == 48.5


def test_metres_under_the_names_of_axes_are_never_values() -> None:
    for heads, row in (("e,n", "652000.5,6862000.2"), ("Rechtswert,Hochwert", "4468000.5,5333000.2")):
        data = table(f"t,{heads}", *(f"2026-01-26 10:0{k}Z,{row}" for k in range(3)))
        with pytest.raises(InputError) as asked:
            load(data)
        shown = preview.preview(data)
        assert asked.value.kind == "columns" and shown is not None and shown["columns"] == {"time": 0, "x": 1, "y": 2}


def test_a_damaged_row_below_the_heading_of_a_track_does_not_make_it_a_series() -> None:
    data = table("lat;lon;date;time", "48,5;26;10:00", "48,5;2,5;13/2/2026;9:00:00")
    assert not isinstance(load(data, timezone="UTC", accept=True), Series)


def test_rows_may_lack_their_last_cells() -> None:
    series = load(
        table("Date;Time;power;spare;spare 2", "1.2.2031;00:00:00;0.5", "1.2.2031;00:01:00;1.25"), timezone="UTC"
    )
    assert series.values.tolist() == [0.5, 1.25]


@pytest.mark.parametrize("heads", ["indoor temperature,outdoor temperature", "Voltage,Current", "power,energy"])
def test_measured_columns_are_never_taken_for_a_place(heads: str) -> None:
    a, b = zip(*walk(20.1, 11.5), strict=True)
    with pytest.raises(InputError) as asked:
        load(table(f"time,{heads}", *rows(a, b)))
    assert asked.value.kind == "which"


def test_a_place_below_title_lines_is_read_by_the_numbers_of_its_columns() -> None:
    north, east = zip(*walk(48.2, 11.5), strict=True)
    data = table("Trip 7;by A PERSON", "", "t0;p;q", *rows(north, east, separator=";"))
    track = load(data, accept=True)
    assert len(track) == 20 and track.latitude[0] == 48.2
    assert len(load(data, columns={"time": 0, "latitude": 1, "longitude": 2})) == 20


def test_values_in_kwh_beside_a_column_of_yes_and_no_are_the_values() -> None:
    values = [f"0.{200 + k}" for k in range(96)]
    series = load(table("time,kWh,estimated", *rows(values, ["no", "yes"] * 48)), accept=True)
    assert series.kind == "numbers" and series.values[0] == 0.2


SAID = {
    "above": (
        table("Meter;Unit", "7;W", "Horodate;Valeur", *rows([300 + k % 7 for k in range(96)], separator=";")),
        'The values are those of "Valeur" in W, the unit named beside the values.',
    ),
    "columns": (
        table("time,Active energy Wh (A),Returned energy Wh (A)", *rows([30 + k % 7 for k in range(96)], [0] * 96)),
        'The values are those of "Active energy Wh (A)" in Wh; "Returned energy Wh (A)" is left out.',
    ),
    "marks": (
        table("time,Steps", *rows([f'"{1 + k % 3},20{k % 7}"' for k in range(96)])),
        "The mark in numbers such as 1,234 was read as separating thousands.",
    ),
    "units": (
        table("time,value,unit", *rows([*[250] * 7, 0.25, *[251] * 88], [*["Wh"] * 7, "kWh", *["Wh"] * 88])),
        "1 row in kWh converted to Wh.",
    ),
    "named": (
        table("time,value,unit", *rows([250 + k % 9 for k in range(96)], ["Wh"] * 96)),
        'The values are those of "value" in Wh, the unit of most rows.',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_was_chosen_is_said(name: str) -> None:
    data, said = SAID[name]
    assert said in load(data, accept=True).notices


def test_what_needed_no_choice_is_not_said() -> None:
    assert load(table("time,power (W)", *rows([300 + k % 7 for k in range(96)]))).notices == ()


def test_a_factor_is_never_offered_as_the_values() -> None:
    counter = [35_000_000 + 200 * k for k in range(96)]
    with pytest.raises(InputError) as asked:
        load(table("time,value,factor", *rows(counter, [0.001] * 96)))
    assert asked.value.kind == "which" and not any(text.startswith('"factor"') for text, _ in asked.value.offers)
    assert any('times "factor"' in text for text, _ in asked.value.offers)


def test_one_row_a_day_is_read_on_the_page_of_series() -> None:
    heads = [f"{k // 4:02d}:{15 * (k % 4):02d}-{(k + 1) // 4:02d}:{15 * ((k + 1) % 4):02d}" for k in range(96)]
    days = [f"0{day}/05/2024;" + ";".join(f"{k % 7},{200 + k}" for k in range(96)) for day in range(4, 9)]
    data = table("Giorno;" + ";".join(heads), *days)
    own = read_own(data, "wide.csv", day_first=True)
    assert own.watts is not None and len(own) == 480 and own.minutes == 15 and own.watts[1] == pytest.approx(1.201)


def frame(**columns: Any) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def test_whole_numbers_of_ten_millionths_of_degrees_in_a_frame() -> None:
    times = [f"{time}Z" for time in DAY[:3]]
    track = load(frame(timestamp=times, latitudeE7=[482000000, 482010000, 482020000], longitudeE7=[115000000] * 3))
    assert track.latitude.tolist() == [48.2, 48.201, 48.202] and track.longitude[0] == 11.5
    with pytest.raises(InputError):
        load(frame(timestamp=times, latitude=[482000000] * 3, longitude=[115000000] * 3))


def test_dates_in_a_frame_that_can_be_read_both_ways_are_asked() -> None:
    places = {"lat": [48.2, 48.3], "lon": [11.5, 11.6]}
    dates = ["1/2/2024 06:00", "1/2/2024 07:00"]
    for kind, held in ((Trajectory, places), (Series, {"value": [1.5, 2.5]})):
        track = frame(time=dates, **held)
        with pytest.raises(InputError) as asked:
            load(track, timezone="UTC")
        assert asked.value.kind == "day-order" and len(asked.value.offers) == 2
        for day_first, month in ((True, 2), (False, 1)):
            found = load(track, timezone="UTC", day_first=day_first)
            assert type(found) is kind and found.time[0] == np.datetime64(f"2024-0{month}-0{3 - month}T06:00")
            assert kind.from_frame(track, timezone="UTC", day_first=day_first).time[0] == found.time[0]
        assert load(track, timezone="UTC", accept=True).time[0] == np.datetime64("2024-02-01T06:00")


def test_a_frame_with_several_columns_of_numbers_is_asked_about_like_a_file() -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.DatetimeIndex(DAY[:6]).tz_localize("Europe/Berlin")
    table = pandas.DataFrame(
        {"indoors": [19.5, 20.1, 0.1 + 0.2, 21, 20, 19], "outdoors": [3, 1, 4, 1, 5, 9]}, index=times
    )
    with pytest.raises(InputError) as asked:
        load(table)
    assert asked.value.kind == "which" and [text for text, _ in asked.value.offers] == ['Yes: "indoors"', '"outdoors"']
    series = load(table, accept=True)
    assert isinstance(series, Series) and series.values.tolist() == table.indoors.tolist()
    assert series.time[0] == np.datetime64("2024-05-03T22:00")
    assert load(table, **asked.value.offers[1][1]).values.tolist() == [3, 1, 4, 1, 5, 9]
    assert load(table, columns={"time": "time", "value": "outdoors"}).values.tolist() == [3, 1, 4, 1, 5, 9]
    with pytest.raises(InputError, match="no value"):
        Series.from_frame(table)
    with pytest.raises(InputError, match="Epsg must come with a file"):
        load(table, epsg=25832)


@pytest.mark.long
def test_a_large_table_is_asked_about_in_one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reader(Session):
        def read(self, data: bytes, name: str = "", **options: Any) -> Any:
            sizes.append(len(data))
            return load(data, **options)

    sizes: list[int] = []
    count = LARGEST // 24
    day = np.datetime64("2024-05-04T00:00") + np.arange(count) * np.timedelta64(1, "s")
    text = np.char.replace(np.datetime_as_string(day), "T", " ")
    monkeypatch.setattr(Reader, "__init__", lambda self: None)
    reader = Reader()
    data = table("time,meter reading kWh", *(f"{time},{9000 + k}" for k, time in enumerate(text.tolist())))
    assert len(data) > LARGEST
    with pytest.raises(InputError) as asked:
        reader.read_file(data, "large.csv")
    assert asked.value.form is not None
    assert [one["kind"] for one in asked.value.form["questions"]] == ["timezone", "which"]
    assert sizes[0] == len(data) and max(sizes[1:]) < LARGEST


def test_a_track_and_a_series_open_on_the_explorer() -> None:
    for data in (sample("bob"), sample_series("household")):
        explorer = data.explore(epsilon=0.5)
        assert explorer.trajectory is data and explorer.scenario.epsilon == 0.5
        explorer.close()


def test_a_series_of_its_own_columns_is_read_by_the_same_path() -> None:
    data = table("when;a;b", *rows([f"{k},5" for k in range(6)], ["x"] * 6, separator=";"))
    assert load_series(data, columns={"time": 0, "value": "a"}).values.tolist() == [k + 0.5 for k in range(6)]

"""Series of values in place of a track: what they hold, the bundled ones, and how they are read from tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Series, Trajectory, load_series, sample, sample_series, series_names
from lmdk_widgets.trajectory.samples import data_choices, data_name, sample_data
from lmdk_widgets.trajectory.series_reader import find_data, load_data

OFFERED = ("Keep the first of", "Keep the last of", "Average")
HOURS = np.datetime64("2026-01-26T08:00") + np.arange(4) * np.timedelta64(1, "h")


def test_a_series_is_in_the_place_of_a_track_and_has_no_places() -> None:
    power = Series(HOURS, (3, 1), ("a", "b", "c", "d"), values=[1, 2, 3, 4], unit="kWh", lower=0, upper=6, name="home")
    assert isinstance(power, Trajectory) and power.landmarks == (1, 3) and len(power) == 4
    assert not power.values.flags.writeable and power.places == () and power.stretch == 1.0
    assert replace(power, name="x").values.tolist() == [1.0, 2.0, 3.0, 4.0] and "2" not in repr(
        replace(power, name="x")
    )
    for asked in ("frame", "points_m"):
        with pytest.raises(InputError, match="A track of places is needed here"):
            getattr(power, asked)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"values": [1, 2]}, "Values and time must have the same length; got 2 and 4"),
        ({"values": [1, 2, 3, np.nan]}, "Values must contain finite numbers"),
        ({"values": [0, 1, 2, 0], "kind": "answers"}, "the one at timestamp 2 is neither"),
        ({"values": [1, 2, 3, 4], "kind": "states"}, "Kind must be"),
        (
            {"values": [1, 2, 3, 4], "lower": 3, "upper": 1},
            "The upper bound must be above the lower bound of 3; got 1.0",
        ),
        ({"values": [1, 2, 3, 4], "lower": 0, "upper": np.inf}, "The upper bound must be a number"),
    ],
)
def test_what_is_no_series_is_refused(given: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Series(HOURS, **given)


def test_frames_go_both_ways() -> None:
    pandas = pytest.importorskip("pandas")
    power = Series(HOURS, values=[0.1, 1 / 3, 3.0, 4.0])
    again = Series.from_frame(power.to_frame())
    assert (again.values == power.values).all() and (again.time == power.time).all() and again.kind == "numbers"
    near = Series.from_frame(
        Series(HOURS, values=[0, 1, 1, 0], kind="answers").to_frame().assign(landmark=[0, 0, 1, 0])
    )
    assert near.is_answers and near.values.tolist() == [0, 1, 1, 0] and near.landmarks == (2,)
    with pytest.raises(InputError, match="must have the columns time and value; got no value"):
        Series.from_frame(pandas.DataFrame({"time": HOURS}))


def test_the_samples() -> None:
    sizes = {"household": (336, 6), "contacts": (1008, 6), "heart": (1440, 3)}
    assert series_names() == tuple(sizes)
    for name, (n, landmarks) in sizes.items():
        found = sample_series(name)
        assert (len(found), len(found.landmarks), len(found.labels)) == (n, landmarks, n)
        assert sample_series(name) is found and data_name(found) == name and sample_data(name) is found
        assert len(set(np.diff(found.time).tolist())) == 1
        if not found.is_answers:
            assert found.lower is not None and found.upper is not None and found.unit
            assert found.lower <= found.values.min() and found.values.max() <= found.upper
    assert 0.2 < sample_series("contacts").values.mean() < 0.4
    assert data_name(sample("bob")) == "bob" and data_name(replace(sample_series("heart"), unit="x")) == ""
    assert all(0 < len(choice["meaning"]) < 120 for choice in data_choices())


def test_a_table_with_unit_landmarks_and_labels_is_read() -> None:
    rows = ("2026-03-01 09:00;1,5;0;usual", "2026-03-01 08:00;0,5;1;guests", "2026-03-01 10:00;?;0;x")
    text = "\n".join(("time;energy (kWh);landmark;label", *rows))
    with pytest.raises(InputError) as refused:
        load_series(text.encode())
    assert refused.value.kind == "timezone"
    found = load_series(text.encode(), timezone="Europe/Paris")
    assert (found.kind, found.unit, found.zone) == ("numbers", "kWh", "Europe/Paris")
    assert found.values.tolist() == [0.5, 1.5] and found.landmarks == (0,) and found.labels == ("guests", "usual")
    assert found.time[0] == np.datetime64("2026-03-01T07:00") and found.lower is None
    assert "2 of 2 rows came newest first" in " ".join(found.notices)
    assert "1 row has no value: this timestamp is left out." in found.notices


@pytest.mark.parametrize(
    ("text", "answers", "values"),
    [
        ("time,near\n2026-03-01T08:00Z,yes\n2026-03-01T08:10Z,no\n", ("no", "yes"), [1, 0]),
        ("time,near\n2026-03-01T08:00Z,1\n2026-03-01T08:10Z,0\n", ("no", "yes"), [1, 0]),
        ("time,state\n2026-03-01T08:00Z,Off\n2026-03-01T08:10Z,On\n2026-03-01T08:20Z,On\n", ("Off", "On"), [0, 1, 1]),
    ],
)
def test_answers_are_told_from_numbers(text: str, answers: tuple[str, str], values: list[int]) -> None:
    found = load_series(text.encode())
    assert (found.kind, found.answers, found.values.tolist()) == ("answers", answers, values)


def test_lines_that_cannot_be_used_are_listed_without_their_values_and_can_be_dropped() -> None:
    text = b"time,power_W\n2026-03-01T08:00Z,100\n2026-03-01T08:00Z,712\n2026-03-01T09:00Z,abc\n2026-03-01T10:00Z,300\n"
    with pytest.raises(InputError) as refused:
        load_series(text)
    assert refused.value.kind == "rows" and [line for line, _ in refused.value.rows] == [3, 4]
    assert "712" not in str(refused.value)
    assert load_series(text, on_problem="drop").values.tolist() == [100, 300]
    with pytest.raises(InputError) as asked:
        load_series(text, on_problem="drop", on_repeat="stop")
    assert [text for text, _ in asked.value.offers] == [f"{how} each time" for how in OFFERED]
    chosen = {
        how: load_series(text, on_problem="drop", on_repeat=how).values.tolist() for how in ("first", "last", "average")
    }
    assert chosen == {"first": [100, 300], "last": [712, 300], "average": [406, 300]}


def test_tables_without_dates_are_counted_from_midnight() -> None:
    clock = load_series(b"time,bpm\n08:00,61\n08:15,60\n08:30,77\n")
    assert clock.unit == "bpm" and (np.diff(clock.time) == np.timedelta64(15, "m")).all()
    assert any("no dates" in said for said in clock.notices)
    plain = load_series(b"power\n120\n130\n90\n")
    assert (np.diff(plain.time) == np.timedelta64(1, "m")).all() and plain.values.tolist() == [120, 130, 90]


def test_what_is_a_track_is_read_as_one_and_what_is_neither_says_what_a_track_needs(tmp_path: Path) -> None:
    track = b"time,lat,lon\n2026-03-01T08:00Z,48.8,2.3\n2026-03-01T08:10Z,48.8,2.3\n"
    assert not isinstance(load_data(track), Series) and len(find_data("bob")) == 8
    path = tmp_path / "heart.csv"
    path.write_bytes(b"time,bpm\n2026-03-01T08:00Z,61\n2026-03-01T08:01Z,62\n")
    assert isinstance(find_data(str(path)), Series) and find_data(str(path)).name == "heart"
    for text in (b"time,lat\n2026-03-01T08:00Z,48.8\n", b"hello world\n", b"%PDF-1.4 x"):
        with pytest.raises(InputError) as refused:
            load_data(text)
        with pytest.raises(InputError) as said:
            from lmdk_widgets.trajectory import load_trajectory

            load_trajectory(text)
        assert str(refused.value) == str(said.value)
    with pytest.raises(InputError, match="at most two different states"):
        load_series(b"time,room\n2026-03-01T08:00Z,bath\n2026-03-01T08:01Z,hall\n2026-03-01T08:02Z,bed\n")

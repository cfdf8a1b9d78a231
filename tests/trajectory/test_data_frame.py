"""Tracks from and to pandas DataFrames."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import MAX_TIMESTAMPS, Trajectory, sample, sample_names

TIMES = ["2026-03-28T23:30", "2026-03-29T01:30", "2026-03-29T05:00"]


def frame(time: Any = TIMES, latitude: Any = (48.5, 48.6, 48.7), longitude: Any = (2.5, 2.6, 2.7)) -> pd.DataFrame:
    return pd.DataFrame({"time": time, "latitude": latitude, "longitude": longitude})


def refused(table: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        Trajectory.from_frame(table)
    return caught.value


def minutes(track: Trajectory) -> list[str]:
    return track.time.astype("datetime64[m]").astype(str).tolist()


@pytest.mark.parametrize("name", sample_names())
def test_samples_come_back_as_they_were(name: str) -> None:
    track = sample(name)
    table = track.to_frame()
    assert list(table.columns) == ["time", "latitude", "longitude"]
    back = Trajectory.from_frame(table)
    for field in ("time", "latitude", "longitude"):
        assert np.array_equal(getattr(back, field), getattr(track, field))
    assert (back.landmarks, back.notices) == ((), ())


ranges = {"allow_nan": False, "allow_infinity": False}
points = st.tuples(st.floats(-90, 90, **ranges), st.floats(-180, 180, **ranges), st.integers(-(2**62), 2**62))


@given(st.lists(points, min_size=1, max_size=20, unique_by=lambda point: point[2]))
def test_every_bit_comes_back(points: list[tuple[float, float, int]]) -> None:
    latitude, longitude, time = zip(*sorted(points, key=lambda point: point[2]), strict=True)
    track = Trajectory(np.array(latitude), np.array(longitude), np.array(time, "datetime64[ns]"))
    back = Trajectory.from_frame(track.to_frame())
    for field in ("time", "latitude", "longitude"):
        assert getattr(back, field).tobytes() == getattr(track, field).tobytes()


def test_the_frame_is_ones_own() -> None:
    track = sample("bob")
    before = track.latitude.copy()
    table = track.to_frame()
    table.loc[:, "latitude"] = 0.0
    assert np.array_equal(track.latitude, before)


PARIS = ["2026-03-28T22:30", "2026-03-29T00:30", "2026-03-29T03:00"]
"""The three times as clocks of Paris, one hour and from 1:00 UTC on two hours ahead, in UTC."""


@pytest.mark.parametrize(
    ("time", "utc"),
    [
        (pd.to_datetime(TIMES), TIMES),
        (pd.to_datetime(TIMES).astype("datetime64[s]"), TIMES),
        (pd.to_datetime(TIMES).tz_localize("UTC"), TIMES),
        (pd.to_datetime(TIMES).tz_localize("Europe/Paris"), PARIS),
        (pd.to_datetime(TIMES).tz_localize(timezone(timedelta(hours=5, minutes=30))).astype("datetime64[ms, UTC+05:30]"),
         ["2026-03-28T18:00", "2026-03-28T20:00", "2026-03-28T23:30"]),
        (TIMES, TIMES),
        (["2026-03-28T23:30Z", "2026-03-29T02:30+01:00", "2026-03-29 05:00:00"], TIMES),
        ([datetime(2026, 3, 28, 23, 30), datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
          datetime(2026, 3, 29, 7, 0, tzinfo=timezone(timedelta(hours=2)))], TIMES),
        ([pd.Timestamp(t, tz="Europe/Paris") if i else pd.Timestamp(t) for i, t in enumerate(TIMES)],
         ["2026-03-28T23:30", *PARIS[1:]]),
    ],
)  # fmt: skip
def test_times(time: Any, utc: list[str]) -> None:
    assert minutes(Trajectory.from_frame(frame(time))) == utc


def test_the_hour_that_comes_twice_keeps_its_order() -> None:
    time = pd.date_range("2026-10-25T00:30Z", periods=3, freq="h").tz_convert("Europe/Paris")
    assert minutes(Trajectory.from_frame(frame(time))) == ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"]


def test_nanoseconds_stay() -> None:
    time = pd.to_datetime(["2026-01-26T10:00:00.123456789Z", "2026-01-26T10:00:00.123456790Z"])
    for column in (time, list(time)):
        track = Trajectory.from_frame(frame(column, (1.0, 1.0), (2.0, 2.0)))
        assert str(track.time[0]).endswith(".123456789") and np.diff(track.time) == np.timedelta64(1, "ns")


def test_other_columns_and_the_index_are_ignored() -> None:
    table = frame().assign(landmark=True, speed="?", extra=None).set_index([["x", "x", "y"]])
    track = Trajectory.from_frame(table[["speed", "longitude", "extra", "latitude", "time", "landmark"]])
    assert track.latitude.tolist() == [48.5, 48.6, 48.7] and track.landmarks == ()


@pytest.mark.parametrize(
    "latitude",
    [
        pd.array([48, 49, 50], dtype="Int64"),
        pd.array([48, 49, 50], dtype="Float64"),
        np.array([48, 49, 50], "f4"),
        ["48", "49,0", " 50.0 "],
        np.array([48, 49.0, "50"], object),
    ],
)
def test_numbers_of_any_kind(latitude: Any) -> None:
    assert Trajectory.from_frame(frame(latitude=latitude)).latitude.tolist() == [48.0, 49.0, 50.0]


NAN = float("nan")
LATE = ["2026-01-26T10:00", "2026-01-26T12:00", "2026-01-26T11:00"]


@pytest.mark.parametrize(
    ("table", "sentence", "rows"),
    [
        (frame(latitude=(48.5, NAN, 48.7)), "the latitude is not a number", [1]),
        (frame(longitude=(NAN, 2.6, float("inf"))), "rows 0, 2: the longitude is not a number", [0, 2]),
        (frame(latitude=pd.array([48.5, None, 48.7], dtype="Float64")), "the latitude is not a number", [1]),
        (frame(latitude=["48.5", None, "48.7"]), "the latitude is missing", [1]),
        (frame(latitude=["48.5", "here", "48.7"]), 'row 1: the latitude "here" is not a number', [1]),
        (frame(latitude=np.array([48, 49, 50j])), "the latitude is not a number", [0, 1, 2]),
        (frame(latitude=(48.5, 148.6, 48.7)), "latitude and longitude look swapped", [1]),
        (frame(longitude=(2.5, 2.6, 180.1)), "row 2: the longitude is outside -180 to 180", [2]),
        (frame(pd.to_datetime([TIMES[0], None, TIMES[2]])), "row 1: the time is missing", [1]),
        (frame([TIMES[0], TIMES[1], None]), "row 2: the time is missing", [2]),
        (frame([TIMES[0], "soon", TIMES[2]]), 'row 1: the time "soon" cannot be read', [1]),
        (frame(np.array(["1500-01-01", "2026-01-01", "3000-01-01"], "M8[s]")), "in the years 1678 to 2261", [0, 2]),
        (frame(pd.to_datetime([TIMES[0]] * 2 + TIMES[2:])), "row 1: it has the same time as row 0", [1]),
        (frame(pd.to_datetime(LATE)), "row 2: its time is before that of row 1", [2]),
        (frame(LATE[::-1]), "row 2: its time is before that of row 1", [2]),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_used(table: pd.DataFrame, sentence: str, rows: list[int]) -> None:
    error = refused(table)
    assert str(error).startswith(f"Every row must be valid; {len(rows)} of 3 rows cannot be used (")
    assert sentence in str(error)
    assert [row for row, _ in error.rows] == rows and (error.kind, error.row_name) == ("rows", "row")
    assert "on_problem" not in str(error)
    assert not any(place in str(error) for place in ("48", "2.5", "180.1"))


def test_order_is_asked_for() -> None:
    assert "Sort the frame by its times" in str(refused(frame(LATE)))
    table = frame(LATE).sort_values("time")
    assert Trajectory.from_frame(table).latitude.tolist() == [48.5, 48.7, 48.6]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (frame().drop(columns="time"), "columns named time; got latitude, longitude."),
        (
            frame().rename(columns={"latitude": "lat", "longitude": "lon"}),
            "columns named latitude, longitude; got time",
        ),
        (frame().set_index("time"), "reset_index"),
        (pd.DataFrame(), "columns named time, latitude, longitude."),
        (pd.concat([frame(), frame()], axis=1), "one column named time; got two"),
        (frame().iloc[:0], "at least one point"),
        (
            frame().to_dict(),
            "A track must be a pandas DataFrame with the columns time, latitude and longitude; got dict",
        ),
        (frame(["1/2/2026 10:00", "2/2/2026", "3/2/2026"]), "dayfirst=True"),
        (pd.DataFrame({48.85: [1.0], 2.35: [2.0]}), "columns named time, latitude, longitude."),
    ],
)
def test_refused(table: Any, sentence: str) -> None:
    assert sentence in str(refused(table))


def test_too_long_is_said_first() -> None:
    table = pd.DataFrame({"time": np.zeros(MAX_TIMESTAMPS + 1, "M8[ns]"), "latitude": 0.0, "longitude": 0.0})
    assert "at most 1,000,000 points" in str(refused(table))

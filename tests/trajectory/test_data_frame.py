"""Tracks from and to pandas DataFrames."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import MAX_TIMESTAMPS, Series, Trajectory, sample, sample_names, sample_series

TIMES = ["2026-03-28T23:30", "2026-03-29T01:30", "2026-03-29T05:00"]


def frame(time: Any = TIMES, latitude: Any = (48.5, 48.6, 48.7), longitude: Any = (2.5, 2.6, 2.7)) -> pd.DataFrame:
    return pd.DataFrame({"time": time, "latitude": latitude, "longitude": longitude})


def refused(table: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        Trajectory.from_frame(table, timezone="UTC")
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
    for field in ("landmarks", "labels", "name", "zone"):
        assert getattr(back, field) == getattr(track, field)
    assert back.notices == ()


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
    assert minutes(Trajectory.from_frame(frame(time), timezone="UTC")) == utc


def test_the_hour_that_comes_twice_keeps_its_order() -> None:
    time = pd.date_range("2026-10-25T00:30Z", periods=3, freq="h").tz_convert("Europe/Paris")
    assert minutes(Trajectory.from_frame(frame(time))) == ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"]


def test_nanoseconds_stay() -> None:
    time = pd.to_datetime(["2026-01-26T10:00:00.123456789Z", "2026-01-26T10:00:00.123456790Z"])
    for column in (time, list(time)):
        track = Trajectory.from_frame(frame(column, (1.0, 1.0), (2.0, 2.0)))
        assert str(track.time[0]).endswith(".123456789") and np.diff(track.time) == np.timedelta64(1, "ns")


def test_other_columns_and_the_index_are_ignored() -> None:
    table = frame().assign(landmark=[True, False, True], label=["a", "b", None], speed="?", extra=None)
    table = table.set_index([["x", "x", "y"]])[["speed", "longitude", "extra", "latitude", "time", "landmark", "label"]]
    track = Trajectory.from_frame(table, timezone="UTC")
    assert track.latitude.tolist() == [48.5, 48.6, 48.7] and track.landmarks == (0, 2)
    assert track.labels == ("a", "b", "")


def test_part_of_a_frame_keeps_its_own_landmarks_and_labels() -> None:
    bob = sample("bob")
    table = bob.to_frame()
    part = Trajectory.from_frame(table[table.time > table.time[2]])
    assert len(part) == 5 and part.landmarks == tuple(k - 3 for k in bob.landmarks if k > 2)
    assert part.labels == bob.labels[3:] and (part.name, part.zone) == (bob.name, bob.zone)
    for junk in (None, 3, {"landmarks": "x", "labels": 3, "zone": 4}, {"landmarks": [[1]], "labels": {1: 2}}):
        table.attrs = {"lmdk_widgets": junk}
        assert len(Trajectory.from_frame(table)) == 8


def test_times_without_a_zone_are_refused() -> None:
    for table in (frame(), frame(pd.to_datetime(TIMES)), [dict(lat=1, lon=2, t="2026-01-01T10:00")]):
        with pytest.raises(InputError, match='timezone="Europe/Paris"') as caught:
            Trajectory.from_frame(table)
        assert caught.value.kind == "timezone"
    twice = ["2026-10-25T02:30", "2026-10-25T02:45", "2026-10-25T02:15"]  # the third is in the hour that comes again
    track = Trajectory.from_frame(frame(pd.to_datetime(twice)), timezone="Europe/Paris")
    assert minutes(track) == ["2026-10-25T00:30", "2026-10-25T00:45", "2026-10-25T01:15"]
    assert track.zone == "Europe/Paris" and "twice in Europe/Paris" in track.notices[0]


AWARE = pd.to_datetime(TIMES).tz_localize("UTC")


@pytest.mark.parametrize(
    "table",
    [
        frame(AWARE),
        frame(AWARE).rename(columns={"latitude": "lat", "longitude": "lon", "time": "t"}),
        frame(AWARE).rename(columns={"latitude": "Lat (deg)", "longitude": "lng", "time": "timestamp"}),
        frame(AWARE).assign(timestamp=0),  # the contract's own names come first
        frame(AWARE).set_index("time"),
        frame(AWARE).set_index("time").rename_axis(None),
        frame(AWARE).assign(step=range(3)).set_index(["step", "time"]),
        frame(AWARE).to_dict("records"),
        frame([text + "Z" for text in TIMES]).to_dict("list"),
        frame(["2026-03-28", "2026-03-29", "2026-03-29"]).rename(columns={"time": "date"}).assign(
            time=["23:30Z", "01:30Z", "05:00Z"]
        ),
    ],
)  # fmt: skip
def test_usual_names_and_an_index(table: Any) -> None:
    track = Trajectory.from_frame(table)
    assert minutes(track) == TIMES and track.latitude.tolist() == [48.5, 48.6, 48.7]
    loaded = load(table, accept=True)
    assert type(loaded) is Trajectory and np.array_equal(loaded.time, track.time)


def geo(crs: Any = 4326, who: Any = "a") -> Any:
    geopandas = pytest.importorskip("geopandas")
    points = geopandas.points_from_xy([2.5, 2.6, 2.7], [48.5, 48.6, 48.7])
    table = geopandas.GeoDataFrame({"t": AWARE, "who": who}, geometry=points, crs=4326)
    return table if crs == 4326 else table.to_crs(crs) if crs else table.set_crs(None, allow_override=True)


@pytest.mark.parametrize("crs", [4326, 3857, 2154, 25832])
def test_geodataframes_of_any_system(crs: int) -> None:
    track = load(geo(crs))
    assert minutes(track) == TIMES
    assert np.allclose(track.latitude, [48.5, 48.6, 48.7], atol=1e-9, rtol=0)
    assert np.allclose(track.longitude, [2.5, 2.6, 2.7], atol=1e-9, rtol=0)
    missing = geo(crs)
    missing.loc[1, "geometry"] = None
    assert [row for row, _ in refused(missing).rows] == [1]


def test_geodataframes_that_are_refused() -> None:
    assert "name its coordinate reference system" in str(refused(geo(None)))
    assert "must be Points; got Polygon" in str(refused(geo(3857).assign(geometry=lambda g: g.buffer(1))))


@pytest.mark.filterwarnings("ignore")
def test_movingpandas() -> None:
    mpd = pytest.importorskip("movingpandas")
    one = mpd.Trajectory(geo().set_index("t"), 7)  # it drops the zone, and remembers it
    assert minutes(load(one)) == TIMES
    assert minutes(Trajectory.from_frame(mpd.Trajectory(geo(3857).set_index("t"), 7))) == TIMES
    naive = geo().assign(t=AWARE.tz_localize(None)).set_index("t")
    with pytest.raises(InputError, match="time zone"):
        load(mpd.Trajectory(naive, 7))
    assert minutes(load(mpd.Trajectory(naive, 7), timezone="UTC")) == TIMES
    both = pd.concat([geo(), geo(who="b")])
    several = mpd.TrajectoryCollection(both.set_index("t"), "who")
    with pytest.raises(InputError, match='person="a"') as caught:
        load(several)
    assert caught.value.kind == "people"
    assert minutes(load(several, person="b")) == TIMES
    assert len(load(mpd.TrajectoryCollection(geo().set_index("t"), "who"))) == 3


@pytest.mark.parametrize("zone", ["UTC", "Europe/Paris"])
def test_polars(zone: str) -> None:
    polars = pytest.importorskip("polars")
    columns = {"lat": [48.5, 48.6, 48.7], "lon": [2.5, 2.6, 2.7], "time": [time.to_pydatetime() for time in AWARE]}
    table = polars.DataFrame(columns).with_columns(polars.col("time").dt.convert_time_zone(zone))
    for kind in (table, table.lazy()):
        track = load(kind)
        assert minutes(track) == TIMES and track.zone == ("" if zone == "UTC" else zone)
    naive = table.with_columns(polars.col("time").dt.replace_time_zone(None))
    assert minutes(load(naive, timezone=zone)) == TIMES
    with pytest.raises(InputError, match="time zone"):
        load(naive)


def test_a_series_from_any_table() -> None:
    household = sample_series("household")
    table = household.to_frame()
    for what in (
        table,
        table.set_index("time"),
        table.rename(columns={"value": "power"}),
        table.set_index("time").value,
    ):
        back = load(what)
        assert isinstance(back, Series) and np.array_equal(back.values, household.values)
        assert np.array_equal(back.time, household.time)
        if "lmdk_widgets" in what.attrs:
            for field in ("landmarks", "labels", "unit", "lower", "upper", "kind", "name", "zone"):
                assert getattr(back, field) == getattr(household, field)
    part = load(table[5:20])
    assert part.landmarks == tuple(k - 5 for k in household.landmarks if 5 <= k < 20)
    with pytest.raises(InputError, match="no value"):
        Series.from_frame(table.assign(other=1.0).rename(columns={"value": "power"}))
    with pytest.raises(InputError, match="time zone"):
        Series.from_frame(table.assign(time=table.time.dt.tz_localize(None)))


@pytest.mark.parametrize("what", [3, None, object(), [], [3], {}, {"lat": [1, 2], "lon": [1]}, np.zeros(3)])
def test_what_is_no_table(what: Any) -> None:
    for reader in (Trajectory.from_frame, load):
        with pytest.raises(InputError):
            reader(what)


def test_landmarks_as_indices_mask_or_times() -> None:
    bob = sample("bob")
    mask = np.zeros(8, bool)
    mask[[0, 2]] = True
    day = bob.time[[0, 2]].astype("datetime64[s]").astype(datetime)
    local = pd.DatetimeIndex(bob.time[[2, 0]]).tz_localize("UTC").tz_convert("Europe/Paris")
    texts = [str(moment.tz_localize(None)) for moment in local]  # by the clock of the track's zone
    for chosen in (
        *([0, 2], (2, 0), mask, mask.tolist(), bob.time[[0, 2]], list(bob.time[[0, 2]]), local, texts),
        [moment.replace(tzinfo=UTC) for moment in day],
    ):
        assert replace(bob, landmarks=chosen).landmarks == (0, 2)
    for bad in (mask[:7], bob.time[[0]] + np.timedelta64(1, "s"), ["soon"], [9], 3, "x", [1.5]):
        with pytest.raises(InputError):
            replace(bob, landmarks=bad)


def test_part_of_a_track() -> None:
    for whole in (sample("commuter"), sample_series("household")):
        part = whole[10:100]
        assert type(part) is type(whole) and len(part) == 90 and np.array_equal(part.time, whole.time[10:100])
        assert part.landmarks == tuple(k - 10 for k in whole.landmarks if 10 <= k < 100)
        assert part.labels == whole.labels[10:100] and part.zone == whole.zone
        half = whole[whole.time > whole.time[49]]
        assert len(half) == len(whole) - 50 and len(whole[[3, 1]]) == 2 and len(whole[::2]) == (len(whole) + 1) // 2
        for bad in (slice(5, 5), slice(None, None, -1), 3, "x", [], [True], [len(whole)]):
            with pytest.raises(InputError):
                whole[bad]


def test_between() -> None:
    hours = np.datetime64("2026-03-28T22:00") + np.arange(48) * np.timedelta64(1, "h")
    track = Trajectory(np.zeros(48), np.zeros(48), hours, zone="Europe/Paris", landmarks=(3,))
    day = track.between("2026-03-29", "2026-03-29")  # clocks go forward: 23 hours
    assert (len(day), day.time[0], day.landmarks) == (23, np.datetime64("2026-03-28T23:00"), (2,))
    assert len(track.between("2026-03-29 08:00", "2026-03-29 10:00")) == 3
    assert len(track.between(datetime(2026, 3, 29, 6, tzinfo=UTC), "2026-03-29 10:00")) == 3
    assert len(track.between(hours[1], hours[4])) == 4 and len(track.between(end=hours[4])) == 5
    assert len(track.between(pd.Timestamp("2026-03-29 08:00"))) == len(track.between(date(2026, 3, 29))) - 7
    for bad in (("2027-01-01", None), ("soon", None), (3, None)):
        with pytest.raises(InputError):
            track.between(*bad)


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
    assert Trajectory.from_frame(frame(latitude=latitude), timezone="UTC").latitude.tolist() == [48.0, 49.0, 50.0]


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
        (frame(pd.Series(np.array(["1500-01-01", "2026-01-01", "3000-01-01"], "M8[s]")).dt.tz_localize("UTC")),
         "in the years 1678 to 2261", [0, 2]),
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
    assert Trajectory.from_frame(table, timezone="UTC").latitude.tolist() == [48.5, 48.7, 48.6]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (frame().drop(columns="time"), "columns named time; got latitude, longitude."),
        (
            frame().rename(columns={"latitude": "north", "longitude": "east"}),
            "columns named latitude, longitude; got time",
        ),
        (pd.DataFrame(), "columns named time, latitude, longitude."),
        (pd.concat([frame(), frame()], axis=1), "one column named time; got two"),
        (frame().iloc[:0], "at least one point"),
        (
            frame().to_numpy(),
            "A track in memory must be a table of pandas, GeoPandas, movingpandas or polars, or a list",
        ),
        (frame(["1/2/2026 10:00", "2/2/2026", "3/2/2026"]), "day_first=True"),
        (pd.DataFrame({48.85: [1.0], 2.35: [2.0]}), "columns named time, latitude, longitude."),
    ],
)
def test_refused(table: Any, sentence: str) -> None:
    assert sentence in str(refused(table))


def test_too_long_is_said_first() -> None:
    table = pd.DataFrame({"time": np.zeros(MAX_TIMESTAMPS + 1, "M8[ns]"), "latitude": 0.0, "longitude": 0.0})
    assert "at most 1,000,000 points" in str(refused(table))

"""Several people in one table: which column tells them apart, and that nobody is joined with anybody without being asked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.trajectory import Series, Trajectory, load_series, load_trajectory
from lmdk_widgets.trajectory.crowd import find_crowd, is_several, may_name_people
from lmdk_widgets.trajectory.formats import read
from lmdk_widgets.trajectory.source import read_source

HOMES = {"u1": (48.85, 2.30), "u2": (48.95, 2.50), "u3": (48.70, 2.10)}
NAMES = list(HOMES)


def crowd(heading: str, rows: int = 60, *, seed: int = 1) -> pd.DataFrame:
    """Rows of three people who walk near their homes, one row a minute, with columns of other things."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, 3, rows)
    homes = np.array(list(HOMES.values()))[who] + np.cumsum(rng.normal(0, 3e-4, (rows, 2)), axis=0)
    time = pd.date_range("2026-01-26 08:00", periods=rows, freq="min", tz="UTC")
    table = {"time": time, "latitude": homes[:, 0], "longitude": homes[:, 1], heading: np.array(NAMES)[who]}
    return pd.DataFrame(table | {"speed": rng.integers(0, 5, rows), "sent": rng.integers(0, 4, rows), "n": range(rows)})


def as_csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def refused(call: Any, *arguments: Any, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return caught.value


@pytest.mark.parametrize("heading", ["caid", "maid", "tid", "agent_id", "driver", "user_id", "qz", "Ébauche", ""])
def test_several_people_are_refused_whatever_their_column_is_called(heading: str) -> None:
    table = crowd(heading)
    error = refused(load_trajectory, as_csv(table))
    assert error.kind == "people" and f'the column "{heading or 4}" has 3 values' in str(error)
    named = [f'"{chosen["person"]}"' for _, chosen in error.offers[1:]]
    said = f"In Python: person={named[0]}, {named[1]} or {named[2]}, or on_several="
    assert said + '"join" for all as one track.' in str(error)
    assert error.offers[0] == ("All as one track", {"on_several": "join"})
    for _, chosen in error.offers[1:]:
        one = table[table[heading] == chosen["person"]]
        track = load_trajectory(as_csv(table), **chosen)
        assert np.array_equal(track.latitude, one.latitude) and np.array_equal(
            track.time, one.time.dt.tz_localize(None)
        )
    joined = load_trajectory(as_csv(table), on_several="join")
    assert len(joined) == 60 and any("read as one" in notice for notice in joined.notices)


def test_a_parquet_and_a_geojson_file_of_several_people_are_refused(tmp_path: Any) -> None:
    pytest.importorskip("pyarrow")
    table = crowd("caid")
    table.to_parquet(path := tmp_path / "a.parquet")
    table.assign(caid=table.caid.astype("category")).to_parquet(other := tmp_path / "b.parquet")
    places = zip(table.longitude, table.latitude, table.time.astype(str), table.caid, strict=True)
    point = '{{"geometry":{{"type":"Point","coordinates":[{},{}]}},"properties":{{"time":"{}","caid":"{}"}}}}'
    features = ",".join(point.format(*place) for place in places)
    for source in (path, other, f'{{"type":"FeatureCollection","features":[{features}]}}'.encode()):
        assert "caid" in str(refused(load_trajectory, source))
        assert len(load_trajectory(source, person="u2")) == (table.caid == "u2").sum()


def test_one_person_is_not_asked_about() -> None:
    one = crowd("caid").query("caid == 'u1'").assign(caid="u1", leg=lambda t: np.arange(len(t)) // 5)
    assert load_trajectory(as_csv(one)).notices == ()
    assert Trajectory.from_frame(one).notices == ()
    with_time = one.assign(hour=one.time.dt.hour, place=np.array(["home", "work"])[np.arange(len(one)) % 2])
    with_time.loc[with_time.place == "work", "latitude"] += (
        1  # home and work, in turns: the column of places names nobody
    )
    assert load_trajectory(as_csv(with_time)).notices == ()


def test_a_column_that_differs_in_every_row_is_an_index() -> None:
    for heading in ("user_id", "caid"):
        table = crowd("who").query("who == 'u1'").drop(columns="who")
        table[heading] = [f"r{k}" for k in range(len(table))]
        assert len(load_trajectory(as_csv(table))) == len(Trajectory.from_frame(table)) == len(table)
    assert is_several(["a", "b", "c", "a"]) and not is_several(["a", "b", "c"])  # of a known heading
    assert is_several(["a", "b"]), "two rows of two people"
    rows = "".join(f"2026-01-26T08:{k:02d}Z,0.{k},{person}\n" for k, person in enumerate("abcdea"))
    assert refused(load_series, f"time,kwh,household\n{rows}".encode()).kind == "people"


@pytest.mark.parametrize("seed", range(5))
def test_the_paths_by_hand(seed: int) -> None:
    """The rule once more, one row at a time."""
    rng = np.random.default_rng(seed)
    table = crowd("caid", 40, seed=seed)
    far = rng.uniform(0, 0.05)
    table.latitude += far * table.caid.map({"u1": 0, "u2": 1, "u3": -1})
    for squeeze in (1.0, 0.05, 0.01, 0.005):
        middle = table.latitude.mean(), table.longitude.mean()
        own = table.groupby("caid")[["latitude", "longitude"]].transform("mean")
        latitude = table.latitude + (squeeze - 1) * (own.latitude - middle[0])
        longitude = table.longitude + (squeeze - 1) * (own.longitude - middle[1])
        rows = list(zip(latitude, longitude, table.caid, strict=True))
        step = lambda a, b: float(distance_m(a[0], a[1], b[0], b[1]))  # noqa: E731
        together = sum(step(a, b) for a, b in pairwise(rows))
        apart = sum(step(a, b) for name in NAMES for a, b in pairwise([row for row in rows if row[2] == name]))
        shuffled = rng.permutation(40)
        places = (latitude.to_numpy()[shuffled], longitude.to_numpy()[shuffled])
        found = find_crowd(
            [table.caid.to_numpy()[shuffled]], *places, table.time.dt.tz_localize(None).to_numpy()[shuffled]
        )
        assert (found is not None) == (apart < 0.3 * together)
        assert found is None or found.share == pytest.approx(apart / together, abs=6e-5)


def test_of_several_columns_the_one_of_people_is_asked_about() -> None:
    table = crowd("caid")
    table["ride"] = table.caid + "-" + (np.arange(60) // 20).astype(str)  # three rides each
    table["system"] = np.where(table.caid == "u1", "i", "a")  # two people have the same
    assert '"caid" has 3 values' in str(refused(load_trajectory, as_csv(table)))


@given(st.text(max_size=12))
def test_any_heading_is_judged(heading: str) -> None:
    assert isinstance(may_name_people(heading), bool)


def test_a_row_without_its_last_cells_is_read_as_before() -> None:
    text = "lat,lon,time,note,who\n48,2,2026-01-26T08:00Z\n"
    text += "48.1,2,2026-01-26T08:01Z,x,y\n48.2,2,2026-01-26T08:02Z,,y\n48.2,2,2026-01-26T08:03Z,,z\n"
    raw = read(read_source(text.encode()))
    assert not raw.problems and dict(raw.others) == {'the column "who"': ["", "y", "y", "z"]}
    assert len(load_trajectory(text.encode())) == 4


def test_a_frame_of_several_people_names_its_column_and_some_of_them() -> None:
    for heading in ("caid", "user_id", "tid"):
        table = crowd(heading)
        error = refused(Trajectory.from_frame, table)
        assert error.kind == "people"
        for part in (f'the column "{heading}" has 3 values', "u1", "u2", "u3", 'person="u'):
            assert part in str(error)
        one = table[table[heading] == "u2"]
        track = Trajectory.from_frame(table, person="u2")
        assert np.array_equal(track.latitude, one.latitude)
        assert track.notices == (f"Only {len(one)} of 60 rows read, those of one person or device.",)
        assert f'got u9. The column "{heading}" has 3 values' in str(refused(Trajectory.from_frame, table, person="u9"))
        assert refused(Trajectory.from_frame, table.set_index(heading)).kind == "people"
    numbered = crowd("caid").assign(caid=lambda t: t.caid.str[1:].astype(int))
    assert len(Trajectory.from_frame(numbered, person=2)) == len(Trajectory.from_frame(numbered, person=np.int64(2)))
    assert "must be left out" in str(refused(Trajectory.from_frame, numbered.drop(columns="caid"), person=2))


def test_many_people_are_counted_and_a_few_named() -> None:
    table = crowd("user_id", 90)
    table["user_id"] = [f"p{k % 30}" for k in range(90)]
    error = refused(Trajectory.from_frame, table)
    assert "has 30 values" in str(error) and 'person="p0", "p1", "p2", "p3" or "p4" (or one of 25 more)' in str(error)
    assert len(error.offers) == 30 and len(Trajectory.from_frame(table, **error.offers[0][1])) == 3


def test_the_rows_of_one_person_keep_their_numbers_and_reasons() -> None:
    table = crowd("caid")
    rows = np.flatnonzero(table.caid == "u2")
    table.loc[rows[3], "latitude"] = np.nan
    table.loc[rows[5], "time"] = pd.NaT
    assert [number for number, _ in refused(Trajectory.from_frame, table, person="u2").rows] == [rows[3], rows[5]]
    assert len(Trajectory.from_frame(table, person="u1")) == (table.caid == "u1").sum()


def test_the_zone_of_a_frame() -> None:
    table = crowd("caid").query("caid == 'u1'")
    naive = table.assign(time=table.time.dt.tz_localize(None))
    paris = Trajectory.from_frame(naive, timezone="Europe/Paris")
    assert (paris.time == naive.time.to_numpy() - np.timedelta64(1, "h")).all() and paris.zone == "Europe/Paris"
    texts = Trajectory.from_frame(naive.assign(time=naive.time.astype(str)), timezone="Europe/Paris")
    assert np.array_equal(texts.time, paris.time)
    aware = Trajectory.from_frame(table, timezone="Europe/Paris")  # times with a zone keep it
    assert np.array_equal(aware.time, Trajectory.from_frame(table).time) and aware.zone == "Europe/Paris"
    assert "Perhaps it is Europe/Paris" in str(refused(Trajectory.from_frame, table, timezone="Paris"))


def test_a_frame_of_several_series() -> None:
    time = pd.date_range("2026-01-26 08:00", periods=8, freq="h", tz="UTC")
    table = pd.DataFrame(
        {"time": time, "value": range(8), "household": list("abab" * 2), "landmark": [True, *[False] * 7]}
    )
    error = refused(Series.from_frame, table)
    assert (
        error.kind == "people" and 'the column "household" has 2 values.' in str(error) and 'person="a"' in str(error)
    )
    series = Series.from_frame(table, person="b")
    assert series.values.tolist() == [1, 3, 5, 7] and series.landmarks == ()
    assert Series.from_frame(table, person="a").landmarks == (0,)
    assert Series.from_frame(table.assign(household="a")).notices == ()
    hour = Series.from_frame(table.assign(household="a", time=time.tz_localize(None)), timezone="Europe/Paris").time[0]
    assert str(hour)[:13] == "2026-01-26T07"

"""Choices beside the rows that cannot be used: repeated times, people, days, and the columns of a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.trajectory import Trajectory, load_trajectory
from lmdk_widgets.trajectory.preview import preview

REPEATED = (
    "lat,lon,time,landmark,label\n"
    "48.0,2.0,2026-01-26T10:00Z,0,a\n"
    "48.2,2.4,2026-01-26T10:01Z,0,b\n"
    "48.1,2.2,2026-01-26T10:00Z,1,c\n"
    "48.2,2.1,2026-01-26T10:00Z,0,d\n"
)
PEOPLE = "time,lat,lon,user_id\n" + "".join(
    f"2026-01-{day}T{10 + k}:00Z,48.{k},2.{k},{'ab'[k % 2]}\n" for day in (26, 27, 28) for k in range(4)
)
BARE = "26/1/2026;10:00;48,86;2,34\n26/1/2026;10:05;48,87;2,35\n"


def load(text: str, **options: Any) -> Trajectory:
    return load_trajectory(text.encode(), **options)


def refused(text: str, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        load(text, **options)
    return caught.value


@pytest.mark.parametrize(
    ("how", "place", "label"),
    [("first", (48.0, 2.0), "a"), ("last", (48.2, 2.1), "d"), ("average", (48.1, 2.1), "a")],
)
def test_repeated_times(how: str, place: tuple[float, float], label: str) -> None:
    track = load(REPEATED, on_repeat=how)
    assert track.latitude[0] == pytest.approx(place[0]) and track.longitude[0] == pytest.approx(place[1])
    assert (track.latitude[1], track.longitude[1]) == (48.2, 2.4)
    assert (len(track), track.landmarks, track.labels) == (2, (0,), (label, "b"))  # nobody loses a landmark


def test_what_is_offered_for_repeated_times_says_what_it_changes() -> None:
    error = refused(REPEATED)
    assert (error.kind, [number for number, _ in error.rows]) == ("rows", [4, 5])
    last_km = distance_m(48.0, 2.0, 48.2, 2.1) / 1000
    mean_km = distance_m(48.0, 2.0, 48.1, 2.1) / 1000
    assert [text for text, _ in error.offers] == [
        "Keep the first: leaves out 2 rows",
        f"Keep the last: leaves out 2 rows, up to {last_km:.1f} km from the first",
        f"Average: 2 rows fewer, places up to {mean_km:.1f} km from the first",
    ]
    assert [options for _, options in error.offers] == [{"on_repeat": how} for how in ("first", "last", "average")]
    for (_, options), said in zip(
        error.offers,
        (
            "the first row of each is kept, 2 rows left out",
            "the last row of each is kept",
            f"mean of its places, up to {mean_km:.1f} km",
        ),
        strict=True,
    ):
        assert any("1 time comes more than once" in text and said in text for text in load(REPEATED, **options).notices)


def test_rows_that_cannot_be_used_come_before_repeated_times() -> None:
    text = REPEATED + "x,2.1,2026-01-26T10:03Z,0,e\n"
    (offer,) = refused(text).offers
    assert offer == ("Drop these rows and load", {"on_problem": "drop", "on_repeat": "stop"})
    again = refused(text, **offer[1])
    assert [number for number, _ in again.rows] == [4, 5] and len(again.offers) == 3
    assert len(load(text, on_problem="drop", on_repeat="last")) == 2
    assert len(load(text, on_problem="drop")) == 2  # as it always was: the first stays
    assert refused(text, on_repeat="last").offers == ()  # then only the row that cannot be used is in the way


def test_the_mean_across_the_antimeridian() -> None:
    text = "lat,lon,time\n0,179.9,2026-01-26T10:00Z\n0,-179.7,2026-01-26T10:00Z\n"
    track = load(text, on_repeat="average")
    assert track.longitude[0] == pytest.approx(-179.9)


@pytest.mark.long
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=30))
def test_repeated_times_by_hand(rows: list[tuple[int, int, int]]) -> None:
    text = "lat,lon,time\n" + "".join(f"{a},{o},2026-01-26T10:0{m}Z\n" for m, a, o in rows)
    groups = {m: [(a, o) for minute, a, o in rows if minute == m] for m in sorted({m for m, _, _ in rows})}
    for how, one in (("first", lambda g: g[0]), ("last", lambda g: g[-1]), ("average", lambda g: np.mean(g, axis=0))):
        track = load(text, on_repeat=how)
        wanted = np.array([one(group) for group in groups.values()], float)
        assert np.allclose(np.stack([track.latitude, track.longitude], axis=1), wanted)


def test_people() -> None:
    assert any('"user_id" has 2 values' in notice for notice in load(PEOPLE, on_several="join").notices)
    error = refused(PEOPLE)
    assert error.kind == "people"
    assert error.offers == (
        ("All as one track", {"on_several": "join"}),
        ("a (6 rows)", {"person": "a"}),
        ("b (6 rows)", {"person": "b"}),
    )
    track = load(PEOPLE, person="b")
    assert (len(track), set(track.latitude.tolist())) == (6, {48.1, 48.3})
    assert track.notices == ("Only 6 of 12 rows read, those of one person or device.",)
    assert (
        'must be one of those in the data; got c. The column "user_id" has 2 values. In Python: person="a" or "b".'
        in str(refused(PEOPLE, person="c"))
    )
    assert "must be left out" in str(refused(REPEATED, person="a"))
    broken = PEOPLE.replace("48.1", "x", 1)
    assert dict(refused(broken, person="b").rows) == {3: 'the latitude "x" is not a number'}
    assert len(load(broken, person="a")) == 6


def in_gpx(*tracks: tuple[str, int]) -> str:
    """A file of tracks, each with its name and so many points, one after the other in time."""
    minutes = iter(range(60))
    said = (
        (f"<name>{name}</name>" if name else "", "".join(placed(next(minutes)) for _ in range(count)))
        for name, count in tracks
    )
    body = "".join(f"<trk>{name}<trkseg>{points}</trkseg></trk>" for name, points in said)
    return f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">{body}</gpx>'


def placed(minute: int) -> str:
    return f'<trkpt lat="48" lon="2.{minute:02d}"><time>2026-01-26T10:{minute:02d}:00Z</time></trkpt>'


def test_one_track_of_several() -> None:
    text = in_gpx(("Anna", 2), ("Run", 3), ("", 1), ("Run", 2))
    joined = "The file contains 4 tracks; they were joined in time order."
    assert load(text, on_several="join").notices == (joined,)
    error = refused(text)
    assert error.kind == "people" and "Several tracks" in str(error) and "the file has 4 tracks" in str(error)
    assert error.offers == (
        ("All as one track", {"on_several": "join"}),
        ("Run of 26 Jan (3 points)", {"person": "Run of 26 Jan"}),
        ("Anna (2 points)", {"person": "Anna"}),
        ("Run of 26 Jan (4) (2 points)", {"person": "Run of 26 Jan (4)"}),
        ("Track of 26 Jan (1 point)", {"person": "Track of 26 Jan"}),
    )
    track = load(text, person="Run of 26 Jan (4)")
    assert track.longitude.tolist() == [2.06, 2.07]
    assert track.notices == ("Only 2 of 8 points read, those of one track.",)
    assert "Person must be one of those in the data; got Otto. The file has 4 tracks" in str(
        refused(text, person="Otto")
    )
    same_minute = text.replace("10:07", "10:00")
    assert "if they belong to several people, read one of them" in str(refused(same_minute, on_several="join"))
    assert len(load(same_minute, person="Anna")) == 2
    assert len(load(in_gpx(("Anna", 2)))) == 2


def test_several_runs_are_told_apart_by_day_and_joined_under_the_name_of_the_file(tmp_path: Path) -> None:
    text = in_gpx(("Run", 2), ("Run", 3)).replace("26T10:02", "27T10:02").replace("26T10:03", "27T10:03")
    text = text.replace("26T10:04", "27T10:04")
    assert [offer for offer, _ in refused(text).offers[1:]] == ["Run of 27 Jan (3 points)", "Run of 26 Jan (2 points)"]
    assert load(text, person="Run of 27 Jan").name == "Run of 27 Jan"
    assert load(text, on_several="join").name == "Run"  # all of them are called so
    (path := tmp_path / "january.gpx").write_text(in_gpx(("Run 1", 2), ("Run 2", 3)))
    assert load_trajectory(path, on_several="join").name == "january"
    assert load_trajectory(path, person="Run 1").name == "Run 1"


def test_days_by_the_clock_of_the_zone() -> None:
    track = load(PEOPLE, days=("2026-01-26", "2026-01-27"), on_several="join")
    assert len(track) == 8
    assert track.notices[0] == "Only 8 of 12 rows read, those from 2026-01-26 to 2026-01-27."
    # 10:00 to 13:00 UTC are the 26th from 23:00 to the 27th at 2:00 in Auckland, summer time
    assert len(load(PEOPLE, days=["2026-01-26", "2026-01-26"], timezone="Pacific/Auckland", on_several="join")) == 1
    for days in (("2026-01-27", "2026-01-26"), ("2026-01-27",), "2026", ("x", "y"), 5):
        assert "must be the first and the last day" in str(refused(PEOPLE, days=days))
    assert refused(PEOPLE, days=("2030-01-01", "2030-01-02"), on_several="join").kind == "days"


def test_a_table_without_headings() -> None:
    assert refused(BARE).kind == "columns"
    columns = {"date": 0, "clock": 1, "latitude": 2, "longitude": 3}
    track = load(BARE, columns=columns, headings=False, timezone="UTC")
    assert track.latitude.tolist() == [48.86, 48.87]
    assert track.time.astype("datetime64[m]").astype(str).tolist() == ["2026-01-26T10:00", "2026-01-26T10:05"]
    broken = refused(BARE.replace("48,87", "x"), columns=columns, headings=False, timezone="UTC")
    assert [number for number, _ in broken.rows] == [2]


def test_unknown_headings_and_columns_by_name() -> None:
    text = "sep=;\nwann;Hoch;Rechts;wer\n2026-01-26T10:00Z;48,5;2,5;x\n2026-01-26T10:01Z;48,6;2,6;y\n"
    columns = {"time": "wann", "latitude": "hoch", "longitude": 2, "person": "wer"}
    assert refused(text, columns=columns).kind == "people"
    assert len(load(text, columns=columns, on_several="join")) == 2
    assert load(text, columns=columns, person="y").latitude.tolist() == [48.6]


def test_projected_coordinates() -> None:
    pyproj = pytest.importorskip("pyproj")
    text = "when,x,y\n2026-01-26T10:00Z,652000.5,6862000.25\n2026-01-26T10:01Z,652100,6862100\n"
    assert refused(text).kind == "columns"  # x and y are known names, but these are no degrees
    columns = {"time": 0, "x": 1, "y": 2}
    track = load(text, columns=columns, epsg=2154)
    east, north = pyproj.Proj("EPSG:2154")(652000.5, 6862000.25, inverse=True)
    assert (track.longitude[0], track.latitude[0]) == (pytest.approx(east), pytest.approx(north))
    assert any("from EPSG:2154 (RGF93 v1 / Lambert-93) to degrees" in notice for notice in track.notices)
    assert "must come with the EPSG number" in str(refused(text, columns=columns))
    for number in (1, 999_999):
        assert refused(text, columns=columns, epsg=number).kind == "columns"
    nowhere = refused(text.replace("652100", "1e30"), columns=columns, epsg=2154)
    assert dict(nowhere.rows) == {3: "x and y are not a place in EPSG:2154"}


def test_without_pyproj_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyproj", None)
    error = refused("a,b,c\n2026-01-26T10:00Z,1,2\n", columns={"time": 0, "x": 1, "y": 2}, epsg=2154)
    assert "needs the library pyproj, which is not installed" in str(error)


@pytest.mark.parametrize(
    "columns",
    [
        {},
        [],
        {"place": 0},
        {"time": 0},
        {"latitude": 1, "longitude": 2},
        {"clock": 0, "latitude": 1, "longitude": 2},
        {"time": 0, "date": 3, "latitude": 1, "longitude": 2},
        {"time": 0, "latitude": 1, "y": 2},
        {"time": 0, "latitude": 1, "longitude": 1},
        {"time": 0, "latitude": 1, "longitude": 9},
        {"time": 0, "latitude": 1, "longitude": -1},
        {"time": 0, "latitude": 1, "longitude": True},
        {"time": 0, "latitude": 1, "longitude": "nowhere"},
    ],
)
def test_columns_that_do_not_do(columns: Any) -> None:
    assert "olumn" in str(refused(BARE, columns=columns, headings=False))


@pytest.mark.parametrize(
    "options",
    [
        {"on_repeat": "mean"},
        {"on_several": "ask"},
        {"headings": None},
        {"epsg": 1.5, "columns": {"time": 0, "x": 1, "y": 2}},
    ],
)
def test_other_options_that_do_not_do(options: Any) -> None:
    assert "must be" in str(refused(BARE, **options))


@pytest.mark.parametrize(
    ("text", "headings", "columns"),
    [
        (BARE, False, {"date": 0, "clock": 1, "latitude": 2, "longitude": 3}),
        ("when;north;east\n2026-01-26 10:00;48,5;2,5\n", True, {"time": 0, "latitude": 1, "longitude": 2}),
        ("id,t,e,n\n1,2026-01-26 10:00,652000.5,6862000.2\n", True, {"time": 1, "x": 2, "y": 3}),
        ("lat,lon,date,time\n1,2,2026-01-26,10:00\n", True, {"latitude": 0, "longitude": 1, "date": 2, "clock": 3}),
        ("y,x,time\n6862000.2,652000.5,2026-01-26 10:00\n", True, {"y": 0, "x": 1, "time": 2}),
        ("a\tb\n1\t2\n", True, {}),
    ],
)
def test_what_columns_seem_to_hold(text: str, headings: bool, columns: dict[str, int]) -> None:
    shown = preview(text.encode())
    assert shown is not None
    assert (shown["headings"], shown["columns"]) == (headings, columns)
    assert len({len(line) for line in shown["lines"]}) == 1


@pytest.mark.parametrize("data", [b"", b"x", b"\xff\xfe", b"\n\n", b"one\ntwo\n", b'"a,b\n1,2\n', b"PAR1", b"1," * 100])
def test_what_is_no_table_has_no_preview(data: bytes) -> None:
    assert preview(data) is None


def test_a_preview_holds_twenty_rows() -> None:
    shown = preview(b"a,b\n" + b"1,2\n" * 100)
    assert shown is not None and len(shown["lines"]) == 21

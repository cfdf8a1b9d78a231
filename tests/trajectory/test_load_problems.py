"""What becomes of rows that cannot be used, that are out of order or repeated, and what the messages give away."""

from __future__ import annotations

import random
import traceback

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.trajectory import load_trajectory
from lmdk_widgets.trajectory.model import Trajectory


def load(rows: list[str], heading: str = "lat,lon,time", **options: object) -> Trajectory:
    return load_trajectory("\n".join([heading, *rows]).encode(), **options)  # type: ignore[arg-type]


def refused(rows: list[str], heading: str = "lat,lon,time", **options: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load(rows, heading, **options)
    return caught.value


def clock(second: int) -> str:
    return f"2026-01-26T10:{second // 60:02d}:{second % 60:02d}Z"


def test_one_point() -> None:
    track = load([f"48.5,2.5,{clock(0)}"])
    assert len(track) == 1
    assert track.notices == ()


@pytest.mark.parametrize(
    ("seconds", "notice"),
    [
        ([0, 1, 2, 3], None),
        ([3, 2, 1, 0], "4 of 4 rows came newest first; sorted."),
        ([1, 0], "2 of 2 rows came newest first; sorted."),
        ([0, 2, 1, 3], "1 of 4 rows came after a later one; sorted."),
        ([3, 0, 1, 2], "3 of 4 rows came after a later one; sorted."),
        ([2, 3, 0, 1], "2 of 4 rows came after a later one; sorted."),
    ],
)
def test_order(seconds: list[int], notice: str | None) -> None:
    track = load([f"{s},9,{clock(s)}" for s in seconds])
    assert track.latitude.tolist() == sorted(seconds)
    assert track.notices == ((notice,) if notice else ())


def test_the_first_of_repeated_times_stays_even_out_of_order() -> None:
    rows = [f"1,0,{clock(5)}", f"2,0,{clock(1)}", f"3,0,{clock(5)}", f"4,0,{clock(1)}", f"5,0,{clock(5)}"]
    error = refused(rows)
    assert error.row_name == "line"
    assert error.rows == (
        (4, "it has the same time as line 2"),
        (5, "it has the same time as line 3"),
        (6, "it has the same time as line 2"),
    )
    track = load(rows, on_problem="drop")
    assert track.latitude.tolist() == [2.0, 1.0]
    assert track.notices[0] == "3 rows that could not be used were left out."


def test_a_bad_row_does_not_claim_a_time() -> None:
    """Of two rows with one time, the first has no place: the second stays and is no repeat."""
    rows = [f"abc,0,{clock(0)}", f"1,0,{clock(0)}"]
    assert refused(rows).rows == ((2, 'the latitude "abc" is not a number'),)
    assert load(rows, on_problem="drop").latitude.tolist() == [1.0]


def test_repeated_times_are_found_in_any_zone() -> None:
    rows = ["1,0,2026-01-26T10:00:00Z", "2,0,2026-01-26T11:00:00+01:00", "3,0,2026-01-26 10:00:00"]
    assert [line for line, _ in refused(rows, timezone="UTC").rows] == [3, 4]


def test_an_hour_that_begins_again_is_the_second() -> None:
    rows = [f"{i},0,2026-10-25 02:{m:02d}" for i, m in enumerate([0, 30, 0, 30])]
    for order in (rows, rows[::-1]):
        track = load(order, timezone="Europe/Paris")
        assert np.diff(track.time).tolist() == [1_800_000_000_000] * 3
    assert (
        "4 times exist twice in Europe/Paris, when the clocks go back: 2 read as the second, "
        "judging by the order of the rows." in (load(rows, timezone="Europe/Paris").notices)
    )


@pytest.mark.parametrize("minutes", [[0, 0, 0], [0, 30, 0, 30, 0]])
def test_an_hour_that_begins_again_and_again_is_no_clock_change(minutes: list[int]) -> None:
    rows = [f"{i},0,2026-10-25 02:{m:02d}" for i, m in enumerate(minutes)]
    assert refused(rows, timezone="Europe/Paris").kind == "rows"


def test_nothing_left() -> None:
    for on_problem in ("stop", "drop"):
        error = refused(["1,2,soon", "abc,2,2026"], on_problem=on_problem)
        assert "2 of 2 rows cannot be used" in str(error)
        assert "drop" not in str(error)  # dropping would leave nothing
        assert "2026-01-26T15:57:02Z" in str(error)  # how times are written


def test_the_message_names_the_first_and_counts_the_rest() -> None:
    rows = [f"1,2,{clock(i)}" for i in range(20)] + ["1,2,"] * 30 + [f"1,2,{word}" for word in "abcdef"]
    error = refused(rows)
    assert error.row_name == "line"
    assert len(error.rows) == 36
    assert str(error) == (
        "Every row must be valid; 36 of 56 rows cannot be used (lines 22, 23, 24, 25 and 26 more: the time is missing; "
        'line 52: the time "a" cannot be read; line 53: the time "b" cannot be read; '
        'line 54: the time "c" cannot be read; and 3 more). Correct '
        "them, or leave them out. Times are written as 2026-01-26T15:57:02Z, 2026-01-26 15:57:02, "
        '26/1/2026 15:57, or seconds or milliseconds since 1970. In Python: on_problem="drop".'
    )


@pytest.mark.parametrize(
    ("latitude", "longitude", "reason"),
    [
        ("999", "2.5", "the latitude 999 is outside -90 to 90"),
        ("-9999", "2.5", "the latitude -9999 is outside -90 to 90"),
        ("48.5", "999", "the longitude 999 is outside -180 to 180"),
        ("139.6917", "35.6895", "latitude and longitude look swapped"),
        ("-139.6917", "-35.6895", "latitude and longitude look swapped"),
        ("90.0001", "135", "the latitude is outside -90 to 90"),
        ("488566140", "23522219", "the latitude is outside -90 to 90"),
        ("48.5", "181", "the longitude is outside -180 to 180"),
        ("48°51'24\"N", "2.5", "the latitude is not a number"),
        ("N 48 51.400", "2.5", "the latitude is not a number"),
        ("unknown", "2.5", 'the latitude "unknown" is not a number'),
        ("nan", "2.5", "the latitude is not a number"),
        ("48.5", "", "the longitude is missing"),
    ],
)
def test_coordinates(latitude: str, longitude: str, reason: str) -> None:
    cells = [f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in (latitude, longitude, clock(0))]
    assert refused([",".join(cells)]).rows == ((2, reason),)


@pytest.mark.parametrize(
    ("latitude", "longitude"), [(90, 0), (-90, 180), (0, 180), (0, -180), (89.999999, -179.999999)]
)
def test_edges_of_the_world(latitude: float, longitude: float) -> None:
    track = load([f"{latitude},{longitude},{clock(0)}", f"{latitude},{-longitude},{clock(1)}"])
    assert track.latitude[0] == latitude and track.longitude[0] == longitude
    assert np.isfinite(track.points_m).all()


def test_across_the_antimeridian() -> None:
    track = load([f"10,179.999,{clock(0)}", f"10,-179.999,{clock(1)}"])
    apart = np.hypot(*np.diff(track.points_m, axis=0)[0])
    assert apart == pytest.approx(distance_m(10, 179.999, 10, -179.999), rel=1e-4)
    assert apart < 250


def test_zero_zero_is_noticed() -> None:
    track = load([f"48.5,2.5,{clock(0)}", f"0,0,{clock(1)}"])
    assert "1 point is at latitude 0, longitude 0" in track.notices[0]
    assert load([f"0,0,{clock(0)}"]).notices == ()


def test_landmarks_follow_their_rows() -> None:
    rows = [f"1,0,{clock(3)},1", f"2,0,{clock(2)},0", f"3,0,{clock(2)},1", f"4,0,{clock(1)},TRUE", f"5,0,{clock(0)},"]
    track = load(rows, "lat,lon,time,landmark", on_problem="drop")
    assert track.latitude[list(track.landmarks)].tolist() == [4.0, 1.0]
    assert "1 row that could not be used was left out, 1 of them marked as landmarks." in track.notices
    error = refused([f"1,0,{clock(3)},maybe", f"1,0,{clock(4)},2.34567"], "lat,lon,time,lmdk")
    assert error.rows[0] == (2, 'the landmark flag "maybe" is neither yes nor no')
    assert error.rows[1] == (3, "the landmark flag is neither yes nor no")


@pytest.mark.parametrize("word", ["1", "true", "True", "YES", "y", "t", "1.0", " yes "])
def test_words_for_landmarks(word: str) -> None:
    assert load([f"1,0,{clock(0)},{word}"], "lat,lon,time,landmark").landmarks == (0,)


@pytest.mark.parametrize("word", ["0", "false", "No", "n", "", "0.0", "nan", "f"])
def test_words_for_no_landmark(word: str) -> None:
    assert load([f"1,0,{clock(0)},{word}"], "lat,lon,time,landmark").landmarks == ()


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_message_gives_a_place_away(seed: int) -> None:
    """Rows are shifted, cut, joined and miswritten; no message, notice or traceback holds digits of a coordinate."""
    rng = random.Random(seed)
    place = f"{rng.uniform(40, 60):.6f}", f"{rng.uniform(100, 170):.6f}"  # decimals only a coordinate here has
    secrets = [text[: text.index(".") + 5] for text in place] + [text.split(".")[1] for text in place]
    mutations = [
        lambda a, b, t: f"{b},{a},{t}",
        lambda a, b, t: f"{t},{a},{b}",
        lambda a, b, t: f"{a},{t},{b}",
        lambda a, b, t: f"{a} {b},{t}",
        lambda a, b, t: f'"{a},{b}",{b},{t}',
        lambda a, b, t: f"{a}N,{b}E,{t}",
        lambda a, b, t: f"{a},{b},{a} {t}",
        lambda a, b, t: f"{a},{b},{t} {b}",
        lambda a, b, t: f"{a},{b},{b}:{a}",
        lambda a, b, t: f"{a.replace('.', '')},{b.replace('.', '')},{t}",
        lambda a, b, t: f"{a},{b},POINT({b} {a})",
        lambda a, b, t: f"{a},{b},{t},{a}",
        lambda a, b, t: f'{a},{b},"{t}',
    ]
    rows = [rng.choice(mutations)(*place, clock(i)) for i in range(rng.randint(1, 6))]
    heading = rng.choice(
        ["lat,lon,time", "time,lon,lat", "lat,lon,time,landmark", "lat;lon;time", place[0] + "," + place[1]]
    )
    try:
        said = "\n".join(load(rows, heading, on_problem=rng.choice(["stop", "drop"]), timezone="UTC").notices)
    except InputError as error:
        said = "\n".join([str(error), repr(error.rows), "".join(traceback.format_exception(error))])
    assert not [secret for secret in secrets if secret in said], said

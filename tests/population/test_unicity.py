"""Names removed: against sets by brute force, against the belief of `home_and_work`, and by simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import home_and_work as home_and_work_of_one
from lmdk_widgets.population import People
from lmdk_widgets.population.unicity import (
    NIGHT,
    WORK,
    KnownPoints,
    cell_codes,
    home_and_work,
    hour_codes,
    unicity,
    usual_cells,
)

Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


def some_rows(seed: int) -> Rows:
    """A small population; codes may be negative, and people have from one row on."""
    rng = np.random.default_rng((55, seed))
    n = int(rng.integers(1, 200))
    people, cells, hours = (int(rng.integers(1, most)) for most in (30, 12, 9))
    person, cell, hour = rng.integers(0, people, n) * 7, rng.integers(0, cells, n) - 3, rng.integers(0, hours, n) - 5
    return person, cell, hour


def sets_of(rows: Rows) -> dict[int, set[tuple[int, int]]]:
    """The points of each person."""
    found: dict[int, set[tuple[int, int]]] = {}
    for who, where, when in zip(*(each.tolist() for each in rows), strict=True):
        found.setdefault(who, set()).add((where, when))
    return found


def alone_by_sets(rows: Rows, known: dict[int, set[tuple[int, int]]]) -> list[bool]:
    """Whether nobody else has all of the points that are known of each person."""
    points = sets_of(rows)
    return [not any(known[who] <= points[other] for other in points if other != who) for who in sorted(points)]


def named(rows: Rows, drawn: np.ndarray) -> dict[int, set[tuple[int, int]]]:
    """The drawn points of each person as cells and hours: points are numbered in the order of cell and hour."""
    points = sorted({point for own in sets_of(rows).values() for point in own})
    people = sorted(sets_of(rows))
    return {who: {points[k] for k in row if k >= 0} for who, row in zip(people, drawn.tolist(), strict=True)}


@pytest.mark.parametrize("seed", range(40))
def test_who_is_singled_out_is_what_sets_say(seed: int) -> None:
    rows = some_rows(seed)
    points = KnownPoints(*rows)
    assert (points.people, points.points) == (len(sets_of(rows)), sum(map(len, sets_of(rows).values())))
    for k in (1, 2, 3, 4, 7):
        drawn = points.drawn(k, np.random.default_rng(seed))
        known = named(rows, drawn)
        own = sets_of(rows)
        assert all(known[who] <= own[who] and len(known[who]) == min(k, len(own[who])) for who in own)
        assert points.singled_out(drawn).tolist() == alone_by_sets(rows, known)


def test_blocks_of_people_and_steps_of_candidates_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    rows = tuple(rng.integers(0, most, 3_000) for most in (300, 9, 6))  # each point is had by 55 people or so
    points = KnownPoints(*rows)
    drawn = points.drawn(4, rng)
    whole = points.singled_out(drawn)
    monkeypatch.setattr("lmdk_widgets.population.unicity._BLOCK", 100)
    assert whole.tolist() == points.singled_out(drawn).tolist() == alone_by_sets(rows, named(rows, drawn))
    assert 0 < whole.mean() < 1


def test_shares_agree_with_all_ways_to_draw() -> None:
    rows = some_rows(5)
    points, own = KnownPoints(*rows), sets_of(rows)
    for k in (1, 2, 3):
        shares = []
        for who in own:
            ways = [set(way) for way in combinations(sorted(own[who]), min(k, len(own[who])))]
            shares.append(np.mean([not any(way <= own[other] for other in own if other != who) for way in ways]))
        draws = [points.unicity(k, rng=np.random.default_rng((k, draw))) for draw in range(400)]
        assert abs(np.mean(draws) - np.mean(shares)) < 0.02


def test_points_are_drawn_with_equal_chances() -> None:
    points = KnownPoints(np.zeros(5, int), np.arange(5), np.zeros(5, int))
    rng = np.random.default_rng(1)
    pairs = [tuple(sorted(points.drawn(2, rng)[0].tolist())) for _ in range(4_000)]
    assert {pairs.count(pair) > 320 for pair in combinations(range(5), 2)} == {True}  # 400 expected


def test_unicity_of_nobody_and_what_is_refused() -> None:
    rng = np.random.default_rng(1)
    nothing = np.zeros(0, int)
    assert unicity(nothing, nothing, nothing, 2, rng=rng) == 0.0
    assert unicity([4], [1], [1], 20, rng=rng) == 1.0
    for k in (0, 21, 1.0):
        with pytest.raises(InputError, match="K must be a whole number"):
            unicity([4], [1], [1], k, rng=rng)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="as many values as each other"):
        unicity([4, 5], [1], [1], 1, rng=rng)
    with pytest.raises(InputError, match="Cell must be one row of whole numbers"):
        unicity([4], [1.5], [1], 1, rng=rng)


def test_cells_are_squares_in_metres_and_bins_start_at_midnight() -> None:
    rng = np.random.default_rng(2)
    latitude, longitude = 48.85 + 0.05 * rng.random(300), 2.30 + 0.08 * rng.random(300)
    for side in (100.0, 700.0):
        cell = cell_codes(latitude, longitude, side)
        for code in np.unique(cell):
            inside = cell == code
            assert np.ptp(latitude[inside]) * 111_195 <= side
            assert np.ptp(longitude[inside]) * 111_195 * np.cos(np.radians(48.85)) <= side * 1.001
        assert len(np.unique(cell)) > min(200, 5_600 * 5_900 / side**2 / 2)
    assert cell_codes([], [], 100.0).tolist() == []
    time = np.datetime64("2026-03-02T00:00:00") + np.array([0, 7_199, 7_200, 86_399]).astype("timedelta64[s]")
    assert np.diff(hour_codes(time, 2)).tolist() == [0, 1, 10]
    assert np.diff(hour_codes(time, 0.5)).tolist() == [3, 1, 43]
    with pytest.raises(InputError, match="Cell_m must be"):
        cell_codes([1.0], [1.0], 0)


def test_cells_are_squares_all_over_the_earth() -> None:
    """A plane tears apart what is near its middle's antipode, and stretches what is near it."""
    rng = np.random.default_rng(4)
    many = np.full(400, 10.0), np.full(400, 20.0)
    far = -10.0 + 0.05 * rng.standard_normal(600), -160.0 + 0.05 * rng.standard_normal(600)
    latitude, longitude = np.concatenate([many[0], far[0]]), np.concatenate([many[1], far[1]])
    cell = cell_codes(latitude, longitude, 1_000.0)
    for code in np.unique(cell):
        inside = cell == code
        assert np.ptp(latitude[inside]) * 111_195 <= 1_000.0
        assert np.ptp(longitude[inside]) * 111_195 * np.cos(np.radians(10.0)) <= 1_010.0
    assert len(np.unique(cell[400:])) < 600  # of a plane's squares, each of these places has one of its own
    ends = cell_codes([60.0, 60.0, 60.0, -60.0, 90.0, 90.0], [180.0, -180.0, 179.99, 0.0, 3.0, 170.0], 2_000.0)
    assert ends[0] == ends[1] != ends[2] and ends[4] == ends[5]


@pytest.mark.parametrize(("cell_m", "hours"), [("1 km", 1.0), (1e-9, 1.0), (np.nan, 1.0), (500.0, 1e-5), (500.0, "1")])
def test_cells_and_bins_that_are_none_are_refused(cell_m: float, hours: float) -> None:
    row = {"person": "a", "time": "2026-03-02T12:00Z", "latitude": 48.86, "longitude": 2.34}
    with pytest.raises(InputError, match=r"(Cell_m|Hours) must be a number, .* or more"):
        People([row]).unicity(1, cell_m=cell_m, hours=hours, rng=np.random.default_rng(1))


@pytest.mark.parametrize("seed", range(20))
def test_usual_cells_are_those_of_a_belief_that_is_certain(seed: int) -> None:
    rng = np.random.default_rng((9, seed))
    n, people = int(rng.integers(2, 150)), 4
    person, cell = rng.integers(0, people, n), rng.integers(0, 4, n)
    clock = np.sort(np.datetime64("2026-03-06T00:00") + rng.integers(0, 6 * 1440, n).astype("timedelta64[m]"))
    found = [usual_cells(person, cell, clock.astype("datetime64[s]"), window, people) for window in (NIGHT, WORK)]
    for who in range(people):
        mine = person == who
        if not mine.any():
            assert [each[who] for each in found] == [-1, -1]
            continue
        belief = home_and_work_of_one(np.eye(4)[cell[mine]], clock[mine])
        for each, share in zip(found, (belief.night, belief.day), strict=True):
            if share is None:
                assert each[who] == -1
            else:
                assert each[who] >= 0 and share[each[who]] == pytest.approx(share.max())


def test_home_and_work_by_sets() -> None:
    rng = np.random.default_rng(4)
    people, cells = 60, 6
    home, work = rng.integers(0, cells, people), rng.integers(0, cells, people)
    times = np.array(["2026-03-02T23:00", "2026-03-03T03:00", "2026-03-03T12:00", "2026-03-07T12:00"], "datetime64[m]")
    person = np.repeat(np.arange(people), 4)
    cell = np.stack([home, home, work, (work + 1) % cells], axis=1).ravel()  # Saturdays are no working days
    found = home_and_work(person, cell, np.tile(times, people))
    pairs = list(zip(home.tolist(), work.tolist(), strict=True))
    assert (found.alone, found.people) == (sum(pairs.count(pair) == 1 for pair in pairs), people)
    assert found.share == found.alone / people and 0 < found.share < 1
    assert found.home_share == np.mean([home.tolist().count(each) == 1 for each in home.tolist()])
    only_nights = home_and_work([1, 2], [3, 4], times[[0, 0]])
    assert (only_nights.people, only_nights.home_share) == (0, 1.0) and np.isnan(only_nights.share)


def test_people_answer_by_the_clock_of_their_zone() -> None:
    """At two in the morning in New York, people in Greenwich have had breakfast."""
    nights, days = (f"2026-03-0{day}T{clock}" for day, clock in ((4, "07:00:00Z"), (2, "17:00:00Z")))
    homes, works = [2.30, 2.30, 2.34], [2.38, 2.42, 2.38]
    rows = [
        {"person": name, "time": time, "latitude": 48.86, "longitude": east}
        for name, home, work in zip("abc", homes, works, strict=True)
        for time, east in ((nights, home), (days, work))
    ]
    people = People(pandas.DataFrame(rows), rule="none", timezone="America/New_York")
    assert people.home_and_work(500.0) == 1.0
    assert people.home_and_work(20_000.0) == 0.0
    rng = np.random.default_rng(1)
    assert people.unicity(2, cell_m=500.0, hours=1, rng=rng) == 1.0
    assert people.unicity(2, cell_m=20_000.0, hours=24, rng=rng) == 0.0
    shares = [people.unicity(1, cell_m=500.0, hours=1, rng=np.random.default_rng(draw)) for draw in range(300)]
    assert abs(np.mean(shares) - 1 / 3) < 0.05  # of each one's two points, one is alone, but for person a's home

"""The sample city: the same rows for the same seed, on the streets, and stored where the user's caches are."""

from __future__ import annotations

import hashlib
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.population import People, city, streets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(city, "_cache_folder", lambda: tmp_path / "city")
    return tmp_path / "city"


@pytest.fixture
def square(monkeypatch: pytest.MonkeyPatch) -> streets.Streets:
    """Ten by ten crossings, 200 m apart, instead of a whole city."""
    n = 10
    nodes = np.array([(200.0 * x, 200.0 * y) for x in range(n) for y in range(n)])
    walls = [(i, i + 1) for i in range(n * n) if i % n < n - 1] + [(i, i + n) for i in range(n * (n - 1))]
    roads: list[list[tuple[int, int]]] = [[] for _ in nodes]
    for road, (a, b) in enumerate(walls):
        roads[a].append((b, road))
        roads[b].append((a, road))
    length = np.full(len(walls), 200.0)
    middle = np.array([(nodes[a] + nodes[b]) / 2 for a, b in walls])
    made = streets.Streets(nodes, roads, length, middle, np.ones(len(walls), int), {"A": 0, "B": 55}, np.zeros(n * n))
    monkeypatch.setattr(city, "_streets", lambda: made)
    return made


def digest(reports: city.Reports) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in reports)).hexdigest()


def test_the_same_seed_gives_the_same_rows_and_they_are_stored(square: streets.Streets, folder: Path) -> None:
    first = city.city_reports(40, 7, 3)
    (file,) = folder.iterdir()
    assert file.name.startswith("40-7-3-") and file.stat().st_size < 400_000
    before = file.stat().st_mtime_ns
    assert digest(city.city_reports(40, 7, 3)) == digest(first) and file.stat().st_mtime_ns == before
    file.write_bytes(b"damaged")
    assert digest(city.city_reports(40, 7, 3)) == digest(first) and file.stat().st_size > 1_000
    assert digest(city.city_reports(40, 7, 4)) != digest(first)


def test_the_file_of_another_version_is_replaced(square: streets.Streets, folder: Path) -> None:
    city.city_reports(5, 1, 3)
    (file,) = folder.iterdir()
    old, other = folder / "5-1-3-0123456789abcdef.npz", folder / "5-1-33-0123456789abcdef.npz"
    file.rename(old)
    other.write_bytes(b"")
    city.city_reports(5, 1, 3)
    assert sorted(folder.iterdir()) == sorted([file, other])


def test_a_user_without_a_folder_for_caches_gets_the_same_city(
    square: streets.Streets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(city, "_cache_folder", lambda: tmp_path / "file" / "city")
    assert len(city.city_reports(3, 2, 1).time) > 10


def test_rows_are_by_person_and_time_in_whole_seconds_within_the_days(square: streets.Streets, folder: Path) -> None:
    reports = city.city_reports(60, 7, 1)
    assert np.unique(reports.person).tolist() == list(range(60))
    key = reports.person.astype(np.int64) * 10**9 + (reports.time - city._START).astype(np.int64)
    assert (np.diff(key) > 0).all()
    assert reports.time.dtype == "datetime64[s]"
    assert (reports.time >= city._START).all() and (reports.time < city._START + np.timedelta64(7, "D")).all()
    assert np.array_equal(reports.latitude, reports.latitude.round(6))
    counts = np.bincount(reports.person)
    assert 100 < counts.mean() < 200 and counts.max() > 3 * np.median(counts) / 1.5


def test_people_move_along_the_streets_and_sleep_at_home(square: streets.Streets, folder: Path) -> None:
    reports = city.city_reports(60, 7, 1)
    points = streets.FRAME.to_metres(reports.latitude, reports.longitude)
    # every road lies on a line with a coordinate that is a multiple of 200 m; doors are up to 14 m beside one
    off = np.abs((points + 100) % 200 - 100).min(axis=1)
    assert np.quantile(off, 0.95) < 14 + 2.5 * city._NOISE_M
    made = city.City(1, 60)
    seconds = (reports.time - city._START).astype(np.int64)
    at_night = seconds % 86_400 < 4 * 3_600
    home = np.array(made.home_doors)[reports.person]
    near = np.hypot(*(points - home).T) < 60
    assert near[at_night].mean() > 0.85 > 0.75 > near[~at_night].mean()


def test_ways_are_the_shortest(square: streets.Streets) -> None:
    tree = city.shortest_ways(square, 37)
    for start in range(100):
        way = tree.way(start)
        x, y = abs(square.nodes[start] - square.nodes[37])
        assert way[0] == start and way[-1] == 37 and (len(way) - 1) * 200 == x + y
        assert all(math.dist(square.nodes[a], square.nodes[b]) == 200 for a, b in pairwise(way))


def test_a_longer_way_over_more_crossings_may_be_shorter(square: streets.Streets) -> None:
    square.length[:] = np.random.RandomState(3).uniform(50, 900, len(square.length))
    best = np.full(100, math.inf)
    best[37] = 0
    for _ in range(100):  # Bellman and Ford
        for here, leaving in enumerate(square.roads):
            best[here] = min([best[here], *(best[there] + square.length[road] for there, road in leaving)])
    tree = city.shortest_ways(square, 37)
    for start in range(100):
        roads = [dict(square.roads[a])[b] for a, b in pairwise(tree.way(start))]
        assert math.isclose(square.length[roads].sum(), best[start], abs_tol=1e-6)


def test_a_way_between_two_homes_never_turns_back(square: streets.Streets) -> None:
    made = city.City(2, 30)
    for start in made.homes:
        for end in made.homes:
            way = made.way(start, end)
            assert way[0] == start and way[-1] == end and len(set(way)) == len(way)


@pytest.mark.parametrize(("given", "said"), [((0,), "People"), ((5, 32), "Days"), ((5, 1, -1), "Seed")])
def test_numbers_out_of_range_are_refused(given: tuple[int, ...], said: str) -> None:
    with pytest.raises(InputError, match=f"{said} must be a whole number between"):
        city.city_reports(*given)


def test_the_table_names_people_and_its_zone(square: streets.Streets, folder: Path) -> None:
    frame = city.sample_city(12, 2, 1)
    assert list(frame.columns) == ["person", "time", "latitude", "longitude"]
    assert str(frame["time"].dtype) == "datetime64[ns, UTC]"
    assert sorted(frame["person"].unique()) == [f"p{n:05d}" for n in range(1, 13)]
    assert People(frame, rule="none").rows.zone == "Europe/Paris"


@pytest.mark.long
def test_the_city_is_made_of_these_bytes(folder: Path) -> None:
    """Every number comes from `RandomState`, whose stream never changes: only a change of the generator changes this."""
    reports = city.city_reports(200)
    assert digest(reports) == "ac71ee34d1c730e8d943230eb6017c677426a330fae27dc08c67daf43dbe54c3"
    assert 290 < len(reports.time) / 200 < 340

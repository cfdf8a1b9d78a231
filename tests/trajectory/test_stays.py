"""Stay points against a brute-force reading of the definition, and against what they must not be."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.trajectory import load_trajectory, stays
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.stays import StayPoint, stay_points

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
START = np.datetime64("2026-01-26T08:00", "ns")
Runs = list[tuple[int, int]]


def track(points_m: object, seconds: object, centre: tuple[float, float] = (48.85, 2.35)) -> Trajectory:
    latitude, longitude = LocalFrame(*centre).to_degrees(points_m)
    time = START + (np.asarray(seconds, float) * 1e9).astype("timedelta64[ns]")
    return Trajectory(latitude, longitude, time)


def brute_force(trajectory: Trajectory, distance: float, duration: float) -> Runs:
    """The definition, one pair of points after another, with haversine distances."""
    seconds = (trajectory.time - trajectory.time[0]) / np.timedelta64(1, "s")
    place = list(zip(trajectory.latitude, trajectory.longitude, strict=True))
    runs, first = [], 0
    while first < len(place):
        last = first
        while last + 1 < len(place) and distance_m(*place[first], *place[last + 1]) <= distance:
            last += 1
        if seconds[last] - seconds[first] >= duration:
            runs.append((first, last))
            first = last + 1
        else:
            first += 1
    return runs


def runs_of(trajectory: Trajectory, distance: float = 200.0, duration: float = 1200.0) -> Runs:
    found = stay_points(trajectory, distance_m=distance, duration_s=duration)
    return [(stay.first, stay.last) for stay in found]


def wander(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rests and walks of random lengths, with jumps and gaps."""
    pace = np.repeat(rng.choice([0.0, 3.0, 80.0], 1 + n // 10), 10)[:n, None]
    steps = rng.normal(0, 1, (n, 2)) * pace
    steps[rng.random(n) < 0.03] += rng.normal(0, 500, 2)
    seconds = np.cumsum(rng.choice([1.0, 30.0, 60.0, 2000.0], n, p=[0.3, 0.4, 0.28, 0.02]))
    return np.cumsum(steps, axis=0), seconds


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    n=st.integers(1, 150),
    distance=st.sampled_from([1.0, 40.0, 200.0, 1000.0, 1e8]),
    duration=st.sampled_from([1e-9, 1.0, 120.0, 1200.0, 7200.0]),
    centre=st.sampled_from([(48.85, 2.35), (0.0, 180.0), (-60.0, -179.9999), (90.0, 0.0), (-89.999, 45.0)]),
    chunk=st.sampled_from([1, 2, 3, 64]),
)
def test_agrees_with_brute_force(seed, n, distance, duration, centre, chunk) -> None:
    trajectory = track(*wander(np.random.default_rng(seed), n), centre)
    normal, stays._CHUNK = stays._CHUNK, chunk  # small chunks, so that short tracks have many
    try:
        assert runs_of(trajectory, distance, duration) == brute_force(trajectory, distance, duration)
    finally:
        stays._CHUNK = normal


def test_agrees_with_brute_force_on_a_long_track() -> None:
    trajectory = track(*wander(np.random.default_rng(7), 3000))
    expected = brute_force(trajectory, 200.0, 1200.0)
    assert len(expected) > 10
    assert runs_of(trajectory) == expected


def test_by_hand() -> None:
    """Home until 8:25, a walk, work from 8:40 with one step to the window."""
    x = [*(0, 10, -10, 5, 0, 0), *(300, 600, 900), *(2000, 2150, 2000, 2100)]
    seconds = [*(0, 300, 600, 900, 1200, 1500), *(1800, 2100, 2400), *(2700, 3300, 3600, 3900)]
    found = stay_points(track(np.column_stack([x, np.zeros(13)]), seconds))
    assert [(s.first, s.last, s.timestamp) for s in found] == [(0, 5, 0), (9, 12, 12)]  # mean x: 0.8 m and 2062.5 m
    assert found[0].arrival == START
    assert found[0].departure == START + np.timedelta64(1500, "s")
    mean = LocalFrame(48.85, 2.35).to_metres(found[1].latitude, found[1].longitude)
    assert mean == pytest.approx([2062.5, 0], abs=1e-3)


def test_thresholds_are_included() -> None:
    still = track(np.zeros((3, 2)), [0, 600, 1200])
    assert runs_of(still, duration=1200.0) == [(0, 2)]
    assert runs_of(still, duration=np.nextafter(1200.0, 2000.0)) == []
    assert runs_of(still, duration=1200.001) == []
    apart = Trajectory([0.0, 0.0], [0.0, 0.001], START + np.array([0, 1200], "timedelta64[s]"))
    exact = float(distance_m(0, 0, 0, 0.001))
    assert runs_of(apart, distance=exact * (1 + 1e-9)) == [(0, 1)]
    assert runs_of(apart, distance=exact * (1 - 1e-9)) == []


def test_a_gap_in_the_recording_is_no_stay() -> None:
    """Off at home for two hours and on again somewhere else: the time counts to the last point inside."""
    assert runs_of(track([[0, 0], [5000, 0]], [0, 7200])) == []
    assert runs_of(track([[0, 0], [5, 0]], [0, 7200])) == [(0, 1)]


@pytest.mark.parametrize("centre", [(0.0, 180.0), (70.0, -180.0), (90.0, 0.0), (-90.0, 0.0)])
def test_seams_of_the_map(centre: tuple[float, float]) -> None:
    """A rest across the antimeridian or around a pole has its mean there, not on the other side of the Earth."""
    around = [[50, 0], [-50, 0], [0, 50], [0, -50], [0, 1]]
    (stay,) = stay_points(track(around, [0, 600, 1200, 1800, 2400], centre))
    assert distance_m(stay.latitude, stay.longitude, *centre) < 0.5
    assert stay.timestamp == 4


def test_a_whole_earth_of_distance() -> None:
    trajectory = Trajectory([0.0, 0.0, 90.0], [0.0, 180.0, 0.0], START + np.array([0, 600, 1200], "timedelta64[s]"))
    assert runs_of(trajectory, distance=3e7) == [(0, 2)]
    assert runs_of(trajectory, distance=1.9e7) == []


def test_one_point_and_extreme_thresholds() -> None:
    assert stay_points(track([[0, 0]], [0])) == ()
    assert stay_points(track([[0, 0], [1, 1]], [0, 5]), duration_s=1e300) == ()
    assert runs_of(track([[0, 0], [1, 1]], [0, 5]), distance=1e300, duration=1e-300) == [(0, 1)]
    ages = np.array(["1678-01-01", "1900-01-01", "2261-12-31"], "datetime64[ns]")  # farther apart than an int64 of ns
    assert runs_of(Trajectory([0.0] * 3, [0.0] * 3, ages), duration=1e10) == [(0, 2)]


@pytest.mark.parametrize("name", ["distance_m", "duration_s"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, -math.inf, None, "200", True, [200.0]])
def test_wrong_thresholds(name: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{name.capitalize()} must be a finite number above 0; got") as caught:
        stay_points(track([[0, 0]], [0]), **{name: value})  # type: ignore[arg-type]
    assert "above 0" in str(caught.value)


def test_representation_hides_the_place() -> None:
    (stay,) = stay_points(track(np.zeros((2, 2)), [0, 1200]))
    assert isinstance(stay, StayPoint)
    assert "48.8" not in repr(stay) and "first=0, last=1" in repr(stay)
    with pytest.raises(AttributeError):
        stay.first = 5  # type: ignore[misc]


def test_a_real_phone_track() -> None:
    if not DATA.exists():
        pytest.skip("the shared data are absent")
    for name in ("csv/google-location-excerpt.csv", "csv/phone-track-posmo.csv"):
        trajectory = load_trajectory(DATA / name, timezone="Europe/Zurich", on_problem="drop")
        for distance, duration in ((200.0, 1200.0), (50.0, 120.0)):
            assert runs_of(trajectory, distance, duration) == brute_force(trajectory, distance, duration)
    assert len(stay_points(load_trajectory(DATA / "csv/google-location-excerpt.csv"))) >= 2


# Deliberate bugs. Each must give other stays than the definition on the tracks of these tests.


def _runs(
    trajectory: Trajectory, near: Callable[[int, int], bool], long: Callable[[int, int], bool], skip: bool
) -> Runs:
    runs, first, n = [], 0, len(trajectory)
    while first < n:
        last = first
        while last + 1 < n and near(first, last + 1):
            last += 1
        if long(first, last):
            runs.append((first, last))
        first = last + 1 if skip or long(first, last) else first + 1
    return runs


def _away(t: Trajectory, i: int, j: int) -> float:
    return float(distance_m(t.latitude[i], t.longitude[i], t.latitude[j], t.longitude[j]))


def _flat(t: Trajectory, i: int, j: int) -> float:
    return 111_195 * math.hypot(t.latitude[i] - t.latitude[j], t.longitude[i] - t.longitude[j])


def _lasts(t: Trajectory, i: int, j: int) -> bool:
    return bool(t.time[min(j, len(t) - 1)] - t.time[i] >= np.timedelta64(1200, "s"))


MUTANTS: dict[str, Callable[[Trajectory], Runs]] = {
    "longitude not scaled": lambda t: _runs(t, lambda i, j: _flat(t, i, j) <= 200, lambda i, j: _lasts(t, i, j), False),
    "near the previous point": lambda t: _runs(
        t, lambda i, j: _away(t, j - 1, j) <= 200, lambda i, j: _lasts(t, i, j), False
    ),
    "until the first point outside": lambda t: _runs(
        t, lambda i, j: _away(t, i, j) <= 200, lambda i, j: _lasts(t, i, j + 1), False
    ),
    "behind every run": lambda t: _runs(t, lambda i, j: _away(t, i, j) <= 200, lambda i, j: _lasts(t, i, j), True),
    "distance doubled": lambda t: _runs(t, lambda i, j: _away(t, i, j) <= 400, lambda i, j: _lasts(t, i, j), False),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutants_are_told_apart(name: str) -> None:
    trajectory = track(*wander(np.random.default_rng(7), 1000))
    right = _runs(
        trajectory, lambda i, j: _away(trajectory, i, j) <= 200, lambda i, j: _lasts(trajectory, i, j), skip=False
    )
    assert right == runs_of(trajectory)
    assert MUTANTS[name](trajectory) != right

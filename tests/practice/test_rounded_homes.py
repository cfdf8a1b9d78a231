"""Rounded coordinates of people who come and go: the area in which the attacker looks has the home in it as often as it
says, on simulated outings and on the samples moved to anywhere in a cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.geo import METRES_PER_DEGREE, distance_m
from lmdk_widgets.practice import PlaceFound
from lmdk_widgets.practice.chosen_practice import practice_of
from lmdk_widgets.practice.place_attacks import at_rest
from lmdk_widgets.practice.practised import Target, practised, target_of
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.model import Trajectory
from tests.practice.by_hand import resting
from tests.practice.made_outings import HOME, life


def in_area(found: PlaceFound, home: tuple[float, float]) -> bool:
    """Whether home is in one of the cells."""
    north = np.abs(found.cells[:, 0] - home[0]) * METRES_PER_DEGREE
    east = np.abs(found.cells[:, 1] - home[1]) * METRES_PER_DEGREE * np.cos(np.radians(home[0]))
    return bool(((east <= found.cell_m[0] / 2 + 0.01) & (north <= found.cell_m[1] / 2 + 0.01)).any())


def outings(rng: np.random.Generator) -> tuple[Trajectory, tuple[float, float]]:
    return life(rng, outings=10), HOME


def moved(name: str) -> Callable[[np.random.Generator], tuple[Trajectory, tuple[float, float]]]:
    """A sample, and where its labels say that home is."""
    track = sample(name)
    at = [k for k, label in enumerate(track.labels) if label == "home"]
    home = float(np.median(track.latitude[at])), float(np.median(track.longitude[at]))
    return lambda rng: (track, home)


def homes(
    make: Callable[[np.random.Generator], tuple[Trajectory, tuple[float, float]]], decimals: int, n: int, *, knows: bool
) -> tuple[float, float, float]:
    """Of n homes anywhere in a cell: the share in the area, how far off the guess is and is expected to be, metres."""
    seen = []
    for seed in range(n):
        rng = np.random.default_rng([17, seed])
        track, (latitude, longitude) = make(rng)
        north, east = rng.uniform(-0.05, 0.05, 2)
        track = replace(track, latitude=track.latitude + north, longitude=track.longitude + east)
        home = latitude + north, longitude + east
        there = distance_m(*home, track.latitude, track.longitude) <= 200
        target = Target(*home, there, "your home")
        one = practised(practice_of(f"rounding {decimals}"), track, knows=knows, seed=0, target=target)
        assert isinstance(one.looked, PlaceFound)
        seen.append((in_area(one.looked, home), one.found_m, one.looked.expected_m))
    share, off, expected = np.mean(seen, axis=0)
    return float(share), float(off), float(expected)


@pytest.mark.long
@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize(("decimals", "low", "high"), [(2, 0.84, 0.96), (3, 0.8, 0.93), (4, 0.97, 1.0)])
def test_a_hundred_homes_are_in_the_area_nine_times_of_ten(decimals: int, low: float, high: float, knows: bool) -> None:
    """Outings with pauses, lost signals and one-way trips. At four decimals, cells of 11 m, the middle of a place is less
    exact than the model of 10 m allows for, so nearly all are in it."""
    share, off, expected = homes(outings, decimals, 100, knows=knows)
    assert low <= share <= high
    assert decimals == 4 or 0.85 < expected / off < 1.15


@pytest.mark.long
@pytest.mark.parametrize(("name", "low"), [("runner", 0.83), ("commuter", 0.83), ("taxi", 0.87)])
def test_samples_anywhere_in_a_cell_are_in_the_area(name: str, low: float) -> None:
    """A hundred places of each sample's track in a cell of two decimals, twenty of three."""
    share, off, expected = homes(moved(name), 2, 100, knows=True)
    assert low <= share and 0.8 < expected / off < 1.15
    assert homes(moved(name), 3, 20, knows=True)[0] >= 0.9


def test_a_border_that_is_crossed_on_the_way_is_not_near_home() -> None:
    """The runner's home is 330 m from the middle of its cell, and the way crosses a border within 200 m of home."""
    track = sample("runner")
    found = practised(practice_of("rounding 2"), track, knows=True, seed=0)
    assert isinstance(found.looked, PlaceFound)
    home = target_of(track)
    assert found.looked.area_m2 > 600_000 and in_area(found.looked, (home.latitude, home.longitude))


def test_who_rests_is_who_starts_ends_or_stays() -> None:
    for seed in range(4):
        track = life(np.random.default_rng([23, seed]), outings=4)
        there = np.flatnonzero(distance_m(*HOME, track.latitude, track.longitude) <= 200)
        assert at_rest(track, there).tolist() == resting(track, set(there.tolist()))
    commuter = sample("commuter")
    there = target_of(commuter).members
    resting_there = at_rest(commuter, np.flatnonzero(there)).tolist()
    assert resting_there == resting(commuter, set(np.flatnonzero(there).tolist())) and len(resting_there) > 900


def test_the_place_is_where_one_rests() -> None:
    """Near home the runner's way leads to one side, so that the mean of the points there is 58 m from the door."""
    for name in ("runner", "commuter", "taxi"):
        home = moved(name)(np.random.default_rng(1))[1]
        target = target_of(sample(name))
        assert distance_m(*home, target.latitude, target.longitude) < 2

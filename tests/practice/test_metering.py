"""A meter's practices and the attack on them, against slow loops, a simulated household and the generated samples."""

from __future__ import annotations

import csv
import math
from statistics import fmean

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.series.generated import household_watts
from lmdk_widgets.practice.metering import Routine, cut_values, find_routine, merged_values, routine_told, two_levels
from tests.practice.meter_oracles import DAY, slow_merged, slow_routine, slow_threshold
from tests.server import ROOT


def lived(
    days: int, minutes: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, dict[int, tuple[int, int]]]:
    """A household whose hours are known: readings, whether somebody is at home and awake, when each night begins and ends."""
    n = days * DAY
    base = 120 + 60 * (np.arange(n) // 30 % 2)  # a refrigerator
    up = [int(rng.normal(7 * 60, 30)) for _ in range(days)]
    down = [int(rng.normal(23 * 60, 30)) for _ in range(days)]
    awake = np.zeros(n, bool)
    for day in range(days):
        leaves, returns = (int(rng.normal(hour * 60, 20)) for hour in (9, 17.5))
        awake[day * DAY + up[day] : day * DAY + leaves] = True
        awake[day * DAY + returns : day * DAY + down[day]] = True
    heater = rng.random(n // 10).repeat(10) < 0.5
    watts = base + awake * (350 + 900 * heater + 1500 * (rng.random(n) < 0.05))
    watts = watts * np.exp(rng.normal(0, 0.05, n))
    nights = {day: ((day - 1) * DAY + down[day - 1], day * DAY + up[day]) for day in range(1, days)}
    return watts.reshape(-1, minutes).mean(axis=1), awake.reshape(-1, minutes).mean(axis=1) > 0.5, nights


@pytest.mark.parametrize("seed", range(12))
def test_merging_and_levels_are_those_of_plain_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, minutes = int(rng.integers(2, 200)), float(rng.choice([1, 5, 10, 30, 60, 7]))
    start = float(rng.integers(0, 1440))
    values = rng.gamma(0.8, 300, n)
    values[rng.random(n) < 0.1] = 0.0
    values[0] = 5.0
    every = float(rng.choice([15, 60, 360, DAY, 30 * DAY]))
    assert merged_values(values, minutes, every, start_minute=start) == pytest.approx(
        slow_merged(values.tolist(), minutes, every, start)
    )
    assert two_levels(values) == pytest.approx(slow_threshold(values.tolist()))
    found, (active, nights) = (
        find_routine(values, minutes, start_minute=start),
        slow_routine(values.tolist(), minutes, start),
    )
    assert found.active is not None and found.active.tolist() == active
    assert sorted(found.nights) == sorted(nights)
    assert all(found.nights[k] == pytest.approx(ends) for k, ends in nights.items())


@pytest.mark.parametrize("minutes", [1, 10])
def test_the_attack_finds_a_household_whose_hours_are_known(minutes: int) -> None:
    right, off, hourly, hours_off = [], [], [], []
    for seed in range(20):
        watts, awake, nights = lived(8, minutes, np.random.default_rng(seed))
        for every, share, ends in ((None, right, off), (60.0, hourly, hours_off)):
            given = watts if every is None else merged_values(watts, minutes, every)
            read = find_routine(given, minutes, every_minutes=every)
            assert read.active is not None and set(nights) <= set(read.nights)
            share.append(float((read.active == awake).mean()))
            ends += [abs(a - b) for k, known in nights.items() for a, b in zip(known, read.nights[k], strict=True)]
    assert fmean(right) > 0.97 and fmean(off) < 10
    assert 0.93 < fmean(hourly) < fmean(right) and fmean(off) < fmean(hours_off) < 35


def test_longer_intervals_tell_no_hours_and_every_day_exactly() -> None:
    watts, _, _ = lived(6, 10, np.random.default_rng(1))
    known = watts.reshape(6, -1).mean(axis=1)
    days = merged_values(watts, 10, DAY)
    read = find_routine(days, 10, every_minutes=DAY)
    assert read.active is None and not read.nights
    assert list(read.days.values()) == pytest.approx(known.tolist())
    told = routine_told(watts, days, 10, every_minutes=DAY)
    assert told.right is None and told.nights_found == 0 and told.nights >= 5 and told.day_off < 1e-9
    assert told.day_most == pytest.approx(known.max())


def test_a_month_bounds_a_day_and_no_better() -> None:
    watts, _, _ = lived(6, 10, np.random.default_rng(2))
    known = watts.reshape(6, -1).mean(axis=1)
    told = routine_told(watts, merged_values(watts, 10, 30 * DAY), 10, every_minutes=30 * DAY)
    assert told.day_off == pytest.approx(np.abs(known - known.mean()).mean())
    assert told.day_most == pytest.approx(known.sum())  # all of it on one day, by the values alone
    moved = watts.copy()
    moved[: 5 * 144] = 0
    moved[5 * 144 :] = watts.sum() / 144
    assert merged_values(moved, 10, 30 * DAY) == pytest.approx(merged_values(watts, 10, 30 * DAY))
    assert find_routine(moved, 10).days[5] == pytest.approx(told.day_most)


def test_what_is_cut_off_hides_sizes_and_not_hours() -> None:
    watts, _, _ = lived(6, 10, np.random.default_rng(3))
    cut = cut_values(watts, 0.05)
    low, high = sorted(watts.tolist())[43], sorted(watts.tolist())[-44]
    assert cut.min() == pytest.approx(low, rel=0.02) and cut.max() == pytest.approx(high, rel=0.02)
    assert ((watts >= cut.min()) & (watts <= cut.max())).sum() == (cut == watts).sum()
    told = routine_told(watts, cut, 10)
    assert told.right is not None and told.right > 0.99 and told.nights_found == told.nights
    assert 0 < told.day_off == pytest.approx(np.abs((watts - cut).reshape(6, -1).mean(axis=1)).mean())


def test_the_generated_days_are_read_as_they_were_made() -> None:
    """Somebody gets up at 6:25 and goes to bed at 23:20, give or take; heating goes on and off within minutes."""
    read = find_routine(household_watts(), 1.0)
    assert set(read.nights) == {0, 1}
    begins, ends = read.nights[1]
    assert 22 * 60 < begins < DAY and DAY + 6 * 60 < ends < DAY + 7.5 * 60
    assert abs(read.nights[0][1] - 385) < 45


def test_two_weeks_of_a_household_whose_absence_is_known() -> None:
    with (ROOT / "data" / "household.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    kwh, label = np.array([float(row["kwh"]) for row in rows]), [row["label"] for row in rows]
    read = find_routine(kwh, 60.0)
    assert read.active is not None
    away = np.array([what == "away" for what in label])
    asleep = np.array([what == "asleep" for what in label])
    assert away.sum() == 44 and not read.active[away].any()
    assert read.active[asleep].mean() < 0.02
    assert read.active[np.array([what in ("guests", "sauna", "oven", "laundry") for what in label])].all()
    told = routine_told(kwh, merged_values(kwh, 60.0, DAY), 60.0, every_minutes=DAY)
    quietest = min(read.days, key=read.days.__getitem__)
    assert away[quietest * 24 : quietest * 24 + 24].all() and told.day_off < 1e-12


def test_ends_of_the_readings_are_no_ends_of_a_night() -> None:
    day = [80.0] * 7 + [900.0] * 15 + [80.0] * 2
    assert find_routine(day, 60.0).nights == {0: (0.0, 420.0)}  # two hours are no rest
    told = routine_told(day, merged_values(day, 60.0, 120.0), 60.0, every_minutes=120.0)
    assert told.rest_off == 60.0, "the rest ends at seven; pairs of hours say six or eight"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: merged_values([1.0, float("nan")], 60.0, 120.0), "Values must contain finite numbers"),
        (lambda: merged_values([1.0], 0.0, 60.0), "Minutes must be a finite number above 0; got 0"),
        (lambda: merged_values([1.0], 60.0, -1.0), "Every_minutes must be a finite number above 0"),
        (lambda: cut_values([1.0], 0.5), "Share must be below 0.5; got 0.5"),
        (lambda: routine_told([1.0, 2.0], [1.0], 60.0), "Published must be as long as values, 2; got 1"),
        (lambda: find_routine([1.0], 60.0, start_minute=-5.0), "Start_minute must be"),
        (lambda: two_levels([]), "at least one number"),
    ],
)
def test_bad_input_gets_one_sentence(call: object, said: str) -> None:
    with pytest.raises(InputError, match=said.replace(".", r"\.")):
        call()  # type: ignore[operator]


def test_one_level_is_quiet() -> None:
    assert two_levels([3.0, 3.0]) == math.inf
    read = find_routine([3.0] * 48, 60.0)
    assert isinstance(read, Routine) and read.active is not None and not read.active.any()
    assert two_levels([-4.0, -3.0, 8.0, 9.0]) == 2.5, "of values below zero no logarithm is taken"


def test_how_often_it_is_right_is_counted_against_the_same_attack_on_every_reading() -> None:
    day = np.full(144, 80.0)
    day[42:54], day[100:131] = 900.0, 700.0
    day[70:72] = 1500.0  # twenty minutes, which an hour blurs
    values = np.tile(day, 3)
    merged = merged_values(values, 10.0, 60.0)
    told = routine_told(values, merged, 10.0, every_minutes=60.0)
    known, read = find_routine(values, 10.0), find_routine(merged, 10.0, every_minutes=60.0)
    same = [bool(a) == bool(b) for a, b in zip(known.active, read.active, strict=True)]
    assert told.right == sum(same) / len(same) and 0.5 < told.right < 1

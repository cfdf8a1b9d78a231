"""Counts instead of tracks: what people add, the cut, the noise and the expected error, against slow loops and simulation."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.population.contributions import STAYED_H, WHAT, Contributions, Counting, stays_of
from lmdk_widgets.population.counts_of_people import (
    LEVELS,
    Accuracy,
    Protection,
    counts,
    discrete_laplace,
    expected_errors,
    kept,
    mean_noise,
    simulated,
)
from lmdk_widgets.population.people_places import track_of
from lmdk_widgets.population.together import Rows, bring_together
from lmdk_widgets.trajectory.stays import stay_points
from tests.population.crowds import crowd
from tests.sweeps import generators

REGION = Region(48.75, 2.25, 49.0, 2.5)
START, UNTIL = "2026-01-05", "2026-01-19"


def counting(**changes) -> Counting:
    chosen = {"cell_m": 4_000.0, "hours": 6, "zone": "Europe/Paris"} | changes
    return Counting(REGION, chosen.pop("cell_m"), START, UNTIL, **chosen)


def any_counting(rng: np.random.Generator) -> Counting:
    hours = int(rng.choice([1, 6, 24, 168]))
    return counting(
        cell_m=float(rng.choice([4_000.0, 8_000.0])),
        hours=hours,
        weekly=bool(rng.integers(2)),
        what=str(rng.choice(list(WHAT))),
    )


def any_rows(rng: np.random.Generator, people: int | None = None) -> Rows:
    return bring_together(crowd(people or int(rng.integers(2, 6)), most=60, seed=int(rng.integers(1_000))))


def made_up(rng: np.random.Generator, people: int, kinds: int = 3, *, weekly: bool = False) -> Contributions:
    """Contributions without places: of few people, to few counts; three weeks of one slot are one count if weekly."""
    made = Counting(REGION, 9_000.0, START, "2026-02-02" if weekly else UNTIL, 168 if weekly else 84, weekly)
    of = {(p, int(rng.integers(made.bins)), int(rng.integers(kinds))) for p in range(people) for _ in range(5)}
    person, at, kind = np.array(sorted(of)).T
    return Contributions(made, np.array([f"p{k}" for k in range(people)]), person, kind, at)


def by_hand(rows: Rows, made: Counting) -> set[tuple[str, int, int]]:
    """Who adds to which kind in which slot, row by row and stay by stay."""
    low, high = (pd.Timestamp(str(each)) for each in (made.start, made.until))

    def slot(utc) -> int | None:
        local = pd.Timestamp(utc).tz_localize("UTC").tz_convert(made.zone).tz_localize(None)
        return int((local - low) / pd.Timedelta(hours=made.hours)) if low <= local < high else None

    def cell(latitude: float, longitude: float) -> int | None:
        point = REGION.frame.to_metres([latitude], [longitude])[0]
        away = np.abs(made.area.points_m - point).max(axis=1)
        return int(away.argmin()) if away.min() <= made.cell_m / 2 else None

    found: set[tuple[str, int, int]] = set()
    for k, name in enumerate(rows.names.tolist()):
        track = track_of(rows, k)
        if made.what == "presence":
            for at, y, x in zip(track.time, track.latitude, track.longitude, strict=True):
                if (where := cell(y, x)) is not None and (when := slot(at)) is not None:
                    found.add((name, where, when))
            continue
        before: int | None = None
        for stay in stay_points(track):
            where, when = cell(stay.latitude, stay.longitude), slot(stay.arrival)
            if made.what == "dwell" and where is not None and when is not None:
                hours = (stay.departure - stay.arrival) / np.timedelta64(1, "h")
                lasts = max(i for i, begin in enumerate(STAYED_H) if hours >= begin)
                found.add((name, where * len(STAYED_H) + lasts, when))
            if made.what == "trips" and None not in (before, where, when) and before != where:
                pairs = [(a, b) for a in range(len(made.area)) for b in range(len(made.area)) if a != b]
                found.add((name, pairs.index((before, where)), when))
            before = where
    return found


@pytest.mark.long
def test_contributions_are_those_of_a_loop_over_rows_and_stays() -> None:
    some = set()
    for rng in generators(581, 50):
        rows, made = any_rows(rng), any_counting(rng)
        found = Contributions.of(rows, made)
        told = {
            (str(rows.names[p]), int(k), int(b)) for p, k, b in zip(found.person, found.kind, found.bin, strict=True)
        }
        assert told == by_hand(rows, made) and len(told) == len(found)
        true = np.zeros(len(made), int)
        for _, kind, at in told:
            begins = pd.Timestamp(str(made.start)) + at * pd.Timedelta(hours=made.hours)
            slot = (24 * begins.day_of_week + begins.hour) // made.hours if made.weekly else at
            true[slot * made.kinds + kind] += 1
        assert (found.true == true).all()
        some |= {made.what} if len(found) else set()
    assert some


def test_stays_are_those_of_each_track() -> None:
    rows = bring_together(crowd(6, most=90, seed=3))
    found = stays_of(rows)
    for k in range(6):
        stays, mine = stay_points(track_of(rows, k)), found.person == k
        assert [(s.arrival, s.departure) for s in stays] == list(
            zip(found.arrival[mine], found.departure[mine], strict=True)
        )
        assert np.allclose([s.latitude for s in stays], found.latitude[mine], atol=1e-7)
        assert np.allclose([s.longitude for s in stays], found.longitude[mine], atol=1e-7)
    assert len(found.person)


def test_a_trip_has_the_number_of_its_two_cells() -> None:
    made = counting(cell_m=8_000.0, what="trips")
    kinds = np.arange(made.kinds)
    start, end = made.ends_of(kinds)
    assert (start != end).all() and (made.trip(start, end) == kinds).all()
    assert len({*zip(start.tolist(), end.tolist(), strict=True)}) == made.kinds


def enumerated_error(found: Contributions, protection: Protection, count: int) -> float:
    """The mean distance of a noisy count from the truth: over every way to cut, and every value of the noise."""
    limit, group = protection.share(found)
    lost: dict[int, float] = {0: 1.0}  # the distribution of how much is cut
    groups = [] if group is None else [np.flatnonzero(group == g) for g in np.unique(group)]
    for members in groups:
        ways = list(itertools.combinations(members.tolist(), min(int(limit[0]), len(members))))
        here: dict[int, float] = {}
        for way in ways:
            cut = sum(1 for k in members.tolist() if k not in way and found.count[k] == count)
            here[cut] = here.get(cut, 0.0) + 1 / len(ways)
        lost = {
            a + b: sum(p * q for x, p in lost.items() for y, q in here.items() if x + y == a + b)
            for a in lost
            for b in here
        }
    rate, q = float(protection.rate), math.exp(-float(protection.rate))
    most = int(40 / rate) + 10
    return sum(
        chance * (1 - q) / (1 + q) * q ** abs(k) * abs(k - cut)
        for cut, chance in lost.items()
        for k in range(-most, most + 1)
    )


def test_the_expected_error_is_that_of_every_cut_and_every_noise() -> None:
    for rng in generators(582, 50):
        found = made_up(rng, int(rng.integers(1, 4)), weekly=bool(rng.integers(2)))
        level = str(rng.choice(list(LEVELS)))
        protection = Protection(level, float(rng.uniform(0.3, 2)), int(rng.integers(1, 6)), int(rng.integers(1, 4)))
        errors = expected_errors(found, protection)
        for count in {*rng.choice(len(errors), 2).tolist(), int(found.count[0])}:
            assert errors[count] == pytest.approx(enumerated_error(found, protection, count), rel=1e-9)


@pytest.mark.long
def test_noise_cut_and_error_are_those_of_simulation() -> None:
    for rng in generators(583, 50):
        rows = any_rows(rng)
        found = Contributions.of(rows, any_counting(rng))
        level = str(rng.choice(list(LEVELS)))
        protection = Protection(level, float(rng.uniform(0.3, 2)), int(rng.integers(1, 9)), int(rng.integers(1, 9)))
        exact, draws = Accuracy.of(found, protection), 100
        made = [simulated(found, protection, rng).values - found.true for _ in range(draws)]
        sizes = np.array([np.abs(one).mean() for one in made])
        assert abs(sizes.mean() - exact.error) < 6 * max(sizes.std(), 1e-9) / math.sqrt(draws)
        noise = np.abs(discrete_laplace(float(protection.rate), (draws, 500), rng)).mean(axis=1)
        assert abs(noise.mean() - exact.expected_noise) < 6 * noise.std() / math.sqrt(draws)
        cut = len(found) - int(kept(found, protection, rng.random(len(found))).sum())
        assert cut == exact.cut and exact.zeros == found.true.mean()
        if level == "user":
            assert cut == sum(max(n - protection.most, 0) for n in found.each.tolist())


def test_the_scale_of_the_noise_is_that_of_the_level() -> None:
    """Spec T.3: event level 1 / eps, w-event w / eps, user level m / eps; replacing a person: twice, by twice the change."""
    assert Protection("event", 0.5).rate == Fraction(1, 2)
    assert Protection("window", 0.5, window=8).rate == Fraction(1, 16)
    assert Protection("user", 0.5, most=20).rate == Fraction(1, 40)
    assert mean_noise(0.001) == pytest.approx(1_000, rel=1e-6)


def person_order(names: np.ndarray, found: Contributions, seed: int) -> np.ndarray:
    """An order in which each person's contributions are drawn alone, from that person's name."""
    order = np.empty(len(found))
    for p in np.unique(found.person).tolist():
        mine = found.person == p
        told = {
            (int(b), int(k)): np.random.default_rng([seed, int(str(names[p])[1:]), int(b), int(k)]).random()
            for b, k in zip(found.bin[mine], found.kind[mine], strict=True)
        }
        order[mine] = [told[int(b), int(k)] for b, k in zip(found.bin[mine], found.kind[mine], strict=True)]
    return order


def without(found: Contributions, gone: np.ndarray) -> Contributions:
    left = ~gone
    return Contributions(found.counting, found.names, found.person[left], found.kind[left], found.bin[left])


def test_nothing_that_is_protected_changes_the_counts_by_more_than_the_noise_is_for() -> None:
    """Every person, every window of a person and every contribution is taken away; in some case the bound is met."""
    met = dict.fromkeys(LEVELS, 0)
    for rng in generators(584, 50):
        found = made_up(rng, 3, kinds=3, weekly=bool(rng.integers(2)))
        order = person_order(found.names, found, int(rng.integers(99)))
        for level in LEVELS:
            protection = Protection(level, 1.0, int(rng.integers(1, 4)), int(rng.integers(1, 4)))
            noisy = found.added(kept(found, protection, order))
            person, at = found.person, found.bin
            taken = {
                "event": [np.arange(len(found)) == k for k in range(len(found))],
                "window": [
                    (person == p) & (at >= first) & (at < first + protection.window)
                    for p in range(3)
                    for first in range(-2, found.counting.bins)
                ],
                "user": [person == p for p in range(3)],
            }[level]
            for gone in taken:
                left = without(found, gone)
                other = left.added(kept(left, protection, order[~gone]))
                change = int(np.abs(noisy - other).sum())
                assert change <= protection.sensitivity
                assert change * protection.rate <= Fraction(protection.epsilon)
                met[level] += change == protection.sensitivity
    assert all(met.values())


def test_one_person_more_changes_the_counts_of_no_other_person() -> None:
    rng = np.random.default_rng(5)
    found = made_up(rng, 4)
    order, protection = person_order(found.names, found, 7), Protection("user", 1.0, 2)
    which = kept(found, protection, order)
    fewer = without(found, found.person == 3)
    assert (which[found.person < 3] == kept(fewer, protection, order[found.person < 3])).all()


def test_what_is_cut_is_drawn_evenly_among_a_persons_own() -> None:
    rng = np.random.default_rng(6)
    found, protection = made_up(rng, 2), Protection("user", 1.0, 2)
    times = np.mean([kept(found, protection, rng.random(len(found))) for _ in range(4_000)], axis=0)
    assert np.allclose(times, np.minimum(1, 2 / found.each[found.person]), atol=0.05)


def test_zeros_everywhere_are_off_by_the_counts() -> None:
    found = made_up(np.random.default_rng(7), 3)
    here = Accuracy.of(found, Protection("user", 1.0, 50))
    assert here.zeros == pytest.approx(np.abs(found.true - 0).mean()) and here.useless
    assert not Accuracy.of(found, Protection("event", 50.0)).useless
    assert Accuracy.of(found, Protection("event", 50.0)).survives.sum() == (here.by_kind[1] > 0).sum()
    assert not here.survives.any()


@pytest.mark.long
def test_the_sample_city_at_user_level() -> None:
    """With cells of 1 km and hours every m is worse than zeros; 4 km by hour of the week is better at m = 50."""
    from lmdk_widgets.pages.people.tables import _city_rows

    box = Region(48.81, 2.25, 48.91, 2.42)
    fine = Counting(box, 1_000.0, "2026-03-02", "2026-03-16", 1, zone="Europe/Paris")
    coarse = Counting(box, 4_000.0, "2026-03-02", "2026-03-16", 1, weekly=True, zone="Europe/Paris")
    weeks = Counting(box, 4_000.0, "2026-03-02", "2026-03-16", 168, zone="Europe/Paris")
    errors = {}
    for made, tried in ((fine, (1, 5, 20, 50)), (coarse, (1, 5, 20, 50)), (weeks, (1, 5, 20, 50))):
        found = Contributions.of(_city_rows(), made)
        errors[made.cell_m, made.hours] = [Accuracy.of(found, Protection("user", 1.0, m)).error for m in tried]
        errors[made.cell_m, made.hours].append(len(found) / len(made))
    assert [round(each, 2) for each in errors[1_000.0, 1]] == [4.38, 7.05, 20.74, 50.24, 4.04]
    assert min(errors[1_000.0, 1]) == errors[1_000.0, 1][-1]
    assert [round(each, 1) for each in errors[4_000.0, 1]] == [117.7, 115.5, 108.4, 102.8, 118.3]
    assert [round(each) for each in errors[4_000.0, 168]] == [384, 166, 20, 50, 439]


def test_the_function_says_how_far_off_it_is() -> None:
    table = crowd(5, most=60, seed=2)
    found = counts(table, cell_m=8_000.0, hours=24, epsilon=2.0, most=3, rng=np.random.default_rng(1))
    assert len(found.values) == len(found.errors) == len(found.found.counting) == len(found.frame())
    again = counts(table, cell_m=8_000.0, hours=24, epsilon=2.0, most=3, rng=np.random.default_rng(1))
    assert (found.values == again.values).all()
    assert "p0" not in repr(found.found)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hours": 5}, "The period must be a whole number of time slots of 5 h"),
        ({"hours": 48, "weekly": True}, "A time slot of a week must be"),
        ({"what": "cars"}, "presence"),
        ({"cell_m": 60_000.0}, "The region must be larger than a cell"),
        ({"cell_m": 20_000.0, "what": "trips"}, "Trips must have at least two cells"),
        ({"cell_m": 1_000.0, "what": "trips", "hours": 1}, "at most 2,000,000 counts"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_words(changes, said) -> None:
    with pytest.raises(InputError, match=said):
        counting(**changes)


def test_a_protection_out_of_range_is_refused() -> None:
    for changes in ({"level": "street"}, {"epsilon": 0.0}, {"most": 0}, {"window": 0}):
        with pytest.raises(InputError):
            Protection(**changes)

"""Clustering and velocity-aware noise: their definitions by loops, what they tell at rest, and the attack on repeats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.practice import clustered, find_clustered, velocity_aware, velocity_budgets
from lmdk_widgets.practice.chosen_practice import Practice, practice_of
from lmdk_widgets.practice.over_draws import draws_of
from lmdk_widgets.practice.practised import practised, target_of
from lmdk_widgets.practice.trace_noise import LEVEL, repeats, reports_at_rest
from lmdk_widgets.trajectory import Trajectory, sample

START = np.datetime64("2026-02-02T08:00", "ns")


def track_of(points: np.ndarray, seconds: np.ndarray | None = None) -> Trajectory:
    latitude, longitude = LocalFrame(48.85, 2.35).to_degrees(points)
    at = 60.0 * np.arange(len(points)) if seconds is None else seconds
    return Trajectory(latitude, longitude, START + (at * 1e9).astype("m8[ns]"))


def walk(rng: np.random.Generator, n: int = 60) -> Trajectory:
    """Stays and moves, at uneven times."""
    steps = rng.normal(0, 1, (n, 2)) * rng.choice([0.0, 20.0, 400.0], (n, 1))
    return track_of(steps.cumsum(axis=0), np.cumsum(rng.choice([10.0, 60.0, 600.0], n)))


@pytest.mark.parametrize("seed", range(5))
def test_a_report_is_repeated_exactly_while_the_place_is_within_the_radius_of_it(seed: int) -> None:
    rng = np.random.default_rng([81, seed])
    track, radius = walk(rng), float(rng.uniform(100, 1000))
    found = clustered(track, radius, 1.4 / radius, rng=np.random.default_rng(seed))
    again = repeats(found)
    assert not again[0] and len(found) == len(track) and (found.time == track.time).all()
    for t in range(1, len(track)):
        off = float(distance_m(track.latitude[t], track.longitude[t], found.latitude[t - 1], found.longitude[t - 1]))
        assert again[t] == (off <= radius) or abs(off - radius) < 0.01 * radius
    assert 0 < again.sum() < len(track) - 1


def test_somebody_at_rest_makes_two_or_three_reports_however_long() -> None:
    """A geometric number with mean 2.479, and noise that is planar Laplace's: its mean is 2 r / ln 4 at the first report."""
    still, radius = track_of(np.zeros((40, 2))), 200.0
    drawn = [clustered(still, radius, LEVEL / radius, rng=np.random.default_rng(k)) for k in range(800)]
    many = [int((~repeats(one)).sum()) for one in drawn]
    assert np.mean(many) == pytest.approx(reports_at_rest(LEVEL), abs=4 * np.std(many) / 800**0.5)
    off = [float(distance_m(one.latitude[0], one.longitude[0], 48.85, 2.35)) for one in drawn]
    assert np.mean(off) == pytest.approx(2 * radius / LEVEL, abs=4 * np.std(off) / 800**0.5)
    assert reports_at_rest(LEVEL) == pytest.approx(1 / (1 - (1 + math.log(4)) / 4))


def chance_by_definition(usual: list[float], value: float) -> float:
    """The distribution function of Gaussian kernels, without the largest tenth, one kernel after the other."""
    known = [one for one in usual if one <= np.percentile(usual, 90)]
    width = len(known) ** (-1 / 5)
    return sum(0.5 * (1 + math.erf((value - one) / width / math.sqrt(2))) for one in known) / len(known)


@pytest.mark.parametrize("seed", range(4))
def test_the_noise_follows_speed_and_interval_as_the_authors_define_it(seed: int) -> None:
    rng = np.random.default_rng([82, seed])
    track, usual = walk(rng), walk(rng, 80)
    factor, epsilon = float(rng.uniform(1, 4)), 0.004
    for trained in (None, usual):
        before = track if trained is None else trained
        moves = []
        for one in (before, track):
            hours = [float(s) / 3600 for s in np.diff(one.time) / np.timedelta64(1, "s")]
            far = [math.dist(a, b) / 1000 for a, b in zip(one.points_m[1:], one.points_m, strict=False)]
            moves.append(([d / h for d, h in zip(far, hours, strict=True)], [1 / h for h in hours]))
        (fast, often), own = moves
        found = velocity_budgets(track, epsilon, factor, trained_on=trained)
        assert found[0] == epsilon
        for t, (speed, reports) in enumerate(zip(*own, strict=True), start=1):
            share = (chance_by_definition(fast, speed) + 1 - chance_by_definition(often, reports)) / 2
            assert found[t] == pytest.approx(epsilon / factor * factor ** (2 * share), rel=1e-7)
        assert (found >= epsilon / factor * (1 - 1e-12)).all() and (found <= epsilon * factor * (1 + 1e-12)).all()


def test_its_reports_have_the_noise_of_their_own_epsilon() -> None:
    track = walk(np.random.default_rng(83))
    budgets = velocity_budgets(track, 0.005)
    assert budgets.max() > 1.3 * budgets.min()
    off = []
    for k in range(300):
        found = velocity_aware(track, 0.005, rng=np.random.default_rng(k))
        off.append(distance_m(found.latitude, found.longitude, track.latitude, track.longitude) * budgets)
    assert np.mean(off, axis=0) == pytest.approx(np.full(len(track), 2.0), abs=5 * 2**0.5 / 300**0.5)


@pytest.mark.parametrize("seed", range(4))
def test_repeats_tell_where_one_rests_as_a_search_over_all_places_does(seed: int) -> None:
    """Five visits to one place: the guess keeps within the radius of every repeated report, as brute force does."""
    rng, radius = np.random.default_rng([84, seed]), 300.0
    points = np.concatenate([np.tile(one, (12, 1)) for _ in range(5) for one in ([0.0, 0.0], [9000.0, 0.0])])
    track = track_of(points)
    found = clustered(track, radius, LEVEL / radius, rng=rng)
    there = np.flatnonzero(points[:, 0] == 0)
    latitude, longitude = find_clustered(found, radius, LEVEL / radius, timestamps=there.tolist())
    guess = found.frame.to_metres(latitude, longitude).ravel()
    kept = [found.points_m[t] for t in there if repeats(found)[t]]
    assert all(math.dist(guess, one) <= radius * 1.05 for one in kept)
    fresh = [found.points_m[t] for t in there if not repeats(found)[t]]
    home = found.frame.to_metres(48.85, 2.35).ravel()
    x = np.arange(-2 * radius, 2 * radius, 25.0)
    weight, mean = 0.0, np.zeros(2)
    for place in (home + (a, b) for a in x for b in x):
        if all(math.dist(place, one) <= radius for one in kept):
            likely = math.exp(-LEVEL / radius * sum(math.dist(place, one) - math.dist(home, one) for one in fresh))
            weight, mean = weight + likely, mean + likely * place
    assert math.dist(guess, mean / weight) < 15
    assert math.dist(guess, home) < radius


def test_as_practices_they_are_attacked_in_draws_and_promise_nothing() -> None:
    track = sample("commuter")
    for code in ("clustering 200", "velocity 200"):
        practice = practice_of(code)
        assert practice.code == code and draws_of(practice, len(track)) == 11
        one = practised(practice, track, knows=True, seed=3)
        assert one.found_m < 200 and not one.hides(200.0) and one.left_out == 0 and 50 < one.reader_m < 600
        assert "does not hide your home" in one.sentence(200.0)
    both = practice_of("velocity 300, thinning 10")
    assert both.what == "One point in 10 min, then velocity-aware noise with a radius of 300 m"
    assert practised(both, track, knows=False, seed=1).found_m < 500
    assert Practice("clustering", 200.0).what == "Clustering with a radius of 200 m"
    zone = practised(practice_of("zone 400, clustering 200"), track, knows=True, seed=1)
    assert zone.published is not None and math.isfinite(zone.found_m)


def test_the_repeats_alone_find_more_than_the_average_of_reports() -> None:
    """The attack on repeats is what finds the place: without it, the median of few reports is farther off."""
    track = sample("commuter")
    place = target_of(track)
    off = []
    for k in range(12):
        found = clustered(track, 500.0, LEVEL / 500.0, rng=np.random.default_rng(k))
        guess = find_clustered(found, 500.0, LEVEL / 500.0, timestamps=np.flatnonzero(place.members))
        off.append(float(distance_m(*guess, place.latitude, place.longitude)))
    assert np.median(off) < 250


def test_what_cannot_be_is_refused() -> None:
    track = sample("bob")
    with pytest.raises(InputError, match="Radius_m must be"):
        clustered(track, 0.0, 0.01, rng=np.random.default_rng(1))
    with pytest.raises(InputError, match="Factor must be"):
        velocity_budgets(track, 0.01, 0.5)
    with pytest.raises(InputError, match="at least one timestamp"):
        find_clustered(track, 100.0, 0.01, timestamps=[])
    assert velocity_budgets(track[:1], 0.01).tolist() == [0.01]

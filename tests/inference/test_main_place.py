"""The main place and averaging: against slow oracles, spec values of the samples, and draws of planar Laplace."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.inference import averaging, averaging_attack, found_within, guesses_right, main_place
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample


def slow_place(latitude, longitude, radius_m):
    """The definition, all pairs of it."""
    places = list(zip(latitude.tolist(), longitude.tolist(), strict=True))
    apart = [[float(distance_m(*one, *other)) for other in places] for one in places]
    counts = [sum(d <= radius_m for d in row) for row in apart]
    fullest = counts.index(max(counts))
    near = [d <= radius_m for d in apart[fullest]]
    # the mean of what is near, on the sphere
    phi, lam = np.radians(latitude[near]), np.radians(longitude[near])
    x, y, z = (v.mean() for v in (np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)))
    centre = math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))
    return *centre, [float(distance_m(*centre, *place)) <= radius_m for place in places]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60))
def test_the_main_place_is_the_one_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    n, spread = int(rng.integers(1, 120)), float(rng.choice([1e-4, 1e-3, 4e-3, 3e-2]))
    middle = float(rng.choice([0.0, 48.0, -89.99, 89.0])), float(rng.choice([2.0, 179.9999, -180.0]))
    latitude = np.clip(middle[0] + rng.normal(0, spread, n), -90, 90)
    longitude = (middle[1] + rng.normal(0, spread, n) + 180) % 360 - 180
    radius_m = float(rng.choice([50.0, 200.0, 900.0]))
    *centre, members = main_place(latitude, longitude, radius_m=radius_m)
    *slow, there = slow_place(latitude, longitude, radius_m)
    assert members.tolist() == there
    assert float(distance_m(*centre, *slow)) < 0.01


def test_the_first_of_ties_is_taken():
    two = [48.0, 49.0, 49.0, 48.0]
    assert main_place(two, [2.0] * 4)[2].tolist() == [True, False, False, True]
    assert main_place(two[1:], [2.0] * 3)[2].tolist() == [True, True, False]


def test_many_timestamps_need_no_table_of_all_pairs():
    """40,000 points, of which 1.6 billion pairs would be 13 GB; a count by sorting along one axis agrees."""
    rng = np.random.default_rng(1)
    east = np.concatenate([rng.normal(0, 60, 30_000), rng.uniform(-5000, 5000, 10_000)])
    latitude, longitude = LocalFrame(0.0, 0.0).to_degrees(np.stack([east, np.zeros(len(east))], axis=1))
    _, centre, members = main_place(latitude, longitude)
    ordered = np.sort(east)
    counts = np.searchsorted(ordered, east + 200) - np.searchsorted(ordered, east - 200)
    around = east[np.abs(east - east[counts.argmax()]) <= 200].mean()
    assert centre * 111_195.08 == pytest.approx(around, abs=0.01)
    assert members.sum() == (np.abs(east - around) <= 200).sum()


def test_lengths_are_those_of_the_normal_approximation():
    assert found_within([1.0], 1.0) == pytest.approx(1.6651092223)
    assert found_within([1.0], 1.0, 0.9) == pytest.approx(3.0348542587)
    assert found_within([0.3, 0.4], 200) == pytest.approx(1.6651092223 * 200 / 0.5)
    assert found_within([], 200) == found_within([0.0], 200) == math.inf
    for together in (0.0, 0.2, 3.5901, 40.0):
        assert guesses_right([together]) == pytest.approx(norm.cdf(together / (2 * math.sqrt(2))))


TABLE = {
    # track: timestamps there, B, X, guessed right, second place: timestamps, X
    "bob": (1, 0.2, 1665.1, 0.5282, 1, 1665.1),
    "commuter": (1044, 3.5901, 92.8, 0.8978, 539, 129.1),
    "taxi": (2172, 3.5850, 92.9, 0.8975, 417, 212.0),
}


def at_place(track, **changes):
    data = sample(track)
    outcome = evaluate(Scenario(track=track, landmarks=data.landmarks, **changes), data)
    latitude, longitude, members = main_place(data.latitude, data.longitude)
    far = distance_m(latitude, longitude, data.latitude, data.longitude) > 400
    return outcome, members, far


@pytest.mark.parametrize("track", TABLE)
def test_the_main_places_of_the_samples(track):
    n, together, within, right, second, second_within = TABLE[track]
    outcome, members, far = at_place(track)
    there = outcome.budgets[members & outcome.published]
    assert members.sum() == n
    assert math.sqrt(math.fsum(b * b for b in there)) == pytest.approx(together, abs=5e-5)
    assert found_within(there, 200) == pytest.approx(within, abs=0.05)
    assert guesses_right(there) == pytest.approx(right, abs=5e-5)
    data = sample(track)
    *_, others = main_place(data.latitude[far], data.longitude[far])
    assert others.sum() == second
    assert found_within(outcome.budgets[far][others], 200) == pytest.approx(second_within, abs=0.05)


@pytest.mark.parametrize(
    ("scheme", "lengths"),
    [("event", (103.1, 34.4, 10.3, 3.4, 1.0)), ("uniform", (927.6, 309.2, 92.8, 30.9, 9.3))],
)
def test_more_budget_finds_the_commuter_sooner(scheme, lengths):
    for epsilon, within in zip((0.1, 0.3, 1, 3, 10), lengths, strict=True):
        outcome, members, _ = at_place("commuter", scheme=scheme, epsilon=epsilon)
        assert found_within(outcome.budgets[members], 200) == pytest.approx(within, abs=0.05)


def test_the_commuter_under_user_level_and_skip():
    outcome, members, _ = at_place("commuter", scheme="user")
    assert found_within(outcome.budgets[members], 200) == pytest.approx(20_778, abs=1)
    assert guesses_right(outcome.budgets[members]) == pytest.approx(0.5023, abs=5e-5)
    outcome, members, _ = at_place("commuter", scheme="skip")
    there = members & outcome.published
    assert there.sum() == 1043 and found_within(outcome.budgets[there], 200) == pytest.approx(10.3, abs=0.05)


@pytest.mark.parametrize("seed", range(12))
def test_the_attack_finds_the_least_sum_of_distances(seed):
    rng = np.random.default_rng(seed)
    n, frame = int(rng.integers(1, 30)), LocalFrame(48.8, 2.3)
    points, weights = rng.standard_cauchy((n, 2)).clip(-30, 30) * 300, rng.uniform(0.1, 2, n)
    latitude, longitude = frame.to_degrees(points)
    found = averaging_attack(latitude, longitude, np.ones(n, bool), budgets=weights)
    at = LocalFrame.around(latitude, longitude)
    where = at.to_metres(latitude, longitude)

    def total(x):
        return float(weights @ np.hypot(*(where - x).T))

    best = min(
        (minimize(total, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}).fun for start in where),
        default=math.inf,
    )
    assert total(at.to_metres(*([each] for each in found))[0]) <= min(best, *map(total, where)) * (1 + 1e-6) + 1e-6


def test_a_report_that_outweighs_all_others_is_the_median():
    at = averaging_attack([48.0, 48.1, 48.0], [2.0, 2.0, 2.1], [True] * 3, budgets=[5.0, 1.0, 1.0])
    assert at == pytest.approx((48.0, 2.0), abs=1e-9)


def test_a_repeat_counts_once_and_nothing_counts_outside():
    latitude, longitude = [48.0] * 5 + [48.2, 48.1, math.nan], [2.0] * 5 + [2.0, 2.2, math.nan]
    once = averaging_attack(*np.array([(48.0, 2.0), (48.2, 2.0), (48.1, 2.2)]).T, [True] * 3)
    assert averaging_attack(latitude, longitude, [True] * 8) == pytest.approx(once, abs=1e-9)
    left = averaging_attack([48.0, 60.0, 50.0], [2.0, 2.0, 2.0], [True, False, True], budgets=[1.0, 9.0, 0.0])
    assert left == pytest.approx((48.0, 2.0), abs=1e-9)


@pytest.mark.parametrize(("reports", "budget", "low", "high"), [(400, 0.1, 0.8, 1.2), (25, 1.0, 0.85, 1.25)])
def test_draws_are_found_about_as_well_as_is_said(reports, budget, low, high):
    """The median of how far the attack is off, over 120 releases at one place, beside the formula."""
    rng, frame = np.random.default_rng(5), LocalFrame(48.8, 2.3)
    truth, mechanism, off = frame.to_degrees(np.zeros((1, 2))), PlanarLaplace(radius_m=200), []
    for _ in range(120):
        noise = mechanism.scale(budget) * mechanism.standard_noise(reports, rng)
        latitude, longitude = frame.to_degrees(noise)
        found = averaging_attack(latitude, longitude, np.ones(reports, bool))
        off.append(float(distance_m(*found, truth[0][0], truth[1][0])))
    within = found_within([budget] * reports, 200)
    assert low < np.median(off) / within < high
    assert low < np.quantile(off, 0.9) / found_within([budget] * reports, 200, 0.9) < high + 0.1


def test_bad_input_is_refused_without_a_coordinate():
    for call, said in (
        (lambda: main_place([], []), "at least one place"),
        (lambda: main_place([48.0], [2.0, 3.0]), "at least one place"),
        (lambda: main_place([48.0, 91.5], [2.0, 2.0]), "Place 1 must have a latitude"),
        (lambda: main_place([48.0], [2.0], radius_m=0), "Radius_m"),
        (lambda: found_within([-1.0], 200), "must not be negative"),
        (lambda: found_within([1.0], 200, 1.0), "Share"),
        (lambda: averaging_attack([48.0], [2.0], [False]), "at least one timestamp"),
        (lambda: averaging_attack([48.0], [2.0], [True, False]), "one entry per timestamp"),
    ):
        with pytest.raises(InputError, match=said) as refusal:
            call()
        assert "91.5" not in str(refusal.value)


@pytest.mark.parametrize("patience", [8, 10**9])
def test_a_report_that_outweighs_the_others_is_the_median(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean lies on it from the beginning, and the pull of the others, 1, is less than its weight."""
    monkeypatch.setattr(averaging, "_PATIENCE", patience)
    longitude, spent = np.array([0.0, 0.02, -0.01]), np.array([10.0, 1.0, 2.0])
    found = averaging_attack(np.zeros(3), longitude, np.ones(3, bool), budgets=spent)
    assert found == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_a_median_that_is_one_of_few_reports_is_found_at_once(seed, monkeypatch):
    """Steps towards it alone take thousands: the fourth point lies in the triangle of the others, and is their median."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0.6, 1.4, (3, 1)) * np.array([(np.cos(a), np.sin(a)) for a in (0.3, 2.3, 4.4)])
    points = np.concatenate([1_000 * corners, rng.normal(0, 20, (1, 2))])
    monkeypatch.setattr(averaging, "_MOST_STEPS", 12)
    assert averaging.geometric_median(points, np.ones(4)).tolist() == points[3].tolist()


@pytest.mark.parametrize(("degrees", "median"), [(119.0, False), (121.0, True)])
def test_a_corner_is_the_median_from_120_degrees_on(degrees, median):
    """Fermat's point of a triangle; a report at the corner twice counts twice."""
    others = np.exp(1j * np.radians([0.0, degrees]))
    assert averaging._is_median(np.array([0.0, *others]), np.ones(3), 0.0) == median
    assert averaging._is_median(np.array([0.0, 0.0, *others]), np.ones(4) / [2, 2, 1, 1], 0.0) == median

"""What a user does who knows the truth and believes no word of the page: the attacks by a program of their own, on releases
that are drawn again, beside the first answers."""

import math
import re
from statistics import NormalDist

import numpy as np
import pytest

from lmdk_widgets.answers.exposure import first_answers
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import sample_series

EARTH_M = 6_371_008.8
DRAWS = 80


def in_metres(latitude, longitude):
    """A track on a plane that touches the Earth at its mean."""
    north, east = np.radians(latitude - latitude.mean()), np.radians(longitude - longitude.mean())
    return np.stack([east * np.cos(np.radians(latitude.mean())), north], axis=1) * EARTH_M


def usual_place(points):
    """The timestamps within 200 m of the mean of those around the busiest one."""
    busiest = max(range(len(points)), key=lambda i: (np.hypot(*(points - points[i]).T) <= 200).sum())
    middle = points[np.hypot(*(points - points[busiest]).T) <= 200].mean(axis=0)
    return np.hypot(*(points - middle).T) <= 200


def nearest_to_all(points):
    """The geometric median, by Weiszfeld's steps."""
    at = np.median(points, axis=0)
    for _ in range(80):
        pull = 1 / np.maximum(np.hypot(*(points - at).T), 1e-9)
        at = pull @ points / pull.sum()
    return at


def noisy(points, budget, rng):
    """Planar Laplace: a radius from the gamma distribution, and any direction."""
    radius, turn = rng.gamma(2, 200 / budget, len(points)), rng.uniform(0, 2 * math.pi, len(points))
    return points + radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def uniform(data):
    """What each timestamp spends under Uniform with epsilon 1."""
    return 1 / (len(data.landmarks) + (len(data.landmarks) < len(data)))


def answers_of(name, data):
    found, promised = first_answers(evaluate(Scenario(track=name, landmarks=data.landmarks), data))
    return found, promised


def metres(text):
    number, unit = re.fullmatch(r"([\d.,]+) (m|km)", text).groups()
    return float(number.replace(",", "")) * {"m": 1, "km": 1000}[unit]


@pytest.mark.long
@pytest.mark.parametrize("name", ["commuter", "taxi"])
def test_the_usual_place_is_found_as_near_as_is_said(name):
    data, rng = sample(name), np.random.default_rng(1)
    some = slice(None, None, 1 if len(data) < 3000 else 4)  # the busiest of many: enough to find where it is
    points = in_metres(data.latitude, data.longitude)
    middle = points[some][usual_place(points[some])].mean(axis=0)
    there = np.hypot(*(points - middle).T) <= 200
    true, off = nearest_to_all(points[there]), []
    for _ in range(DRAWS):
        off.append(math.dist(nearest_to_all(noisy(points[there], uniform(data), rng)), true))
    found, _ = answers_of(name, data)
    assert np.median(off) == pytest.approx(metres(found.value), rel=0.18)
    hours = re.search(r"\((\d+) h of (\d+)\)", found.line)
    assert int(hours[1]) / int(hours[2]) == pytest.approx(there.mean(), abs=0.02)


def test_each_of_bobs_places_is_found_no_better_than_is_said():
    bob, rng = sample("bob"), np.random.default_rng(2)
    points = in_metres(bob.latitude, bob.longitude)
    off = [np.hypot(*(noisy(points, uniform(bob), rng) - points).T) for _ in range(400)]
    found, _ = answers_of("bob", bob)
    assert np.median(off) == pytest.approx(metres(found.value), rel=0.05)
    assert "No place has five reports" in found.line


def test_the_usual_level_of_the_household_is_found_as_near_as_is_said():
    data, rng = sample_series("household"), np.random.default_rng(3)
    found, _ = answers_of("household", data)
    values, width = np.clip(data.values, data.lower, data.upper), Scenario().level_width
    start = max(sorted(set(values.tolist())), key=lambda low: ((values >= low) & (values <= low + width)).sum())
    level = values[(values >= start) & (values <= start + width)]
    scale = (data.upper - data.lower) / uniform(data)
    off = [abs(np.median(level + rng.laplace(0, scale, len(level))) - np.median(level)) for _ in range(4000)]
    assert np.median(off) == pytest.approx(float(found.value.removesuffix(" kWh")), rel=0.1)


@pytest.mark.parametrize("name", ["bob", "commuter", "taxi", "household"])
def test_nobody_guesses_one_moment_better_than_is_promised(name):
    """The likelier of two values that budgets are counted between, from one report of one of them, all else being known."""
    data = sample_series(name) if name == "household" else sample(name)
    budget, rng = uniform(data), np.random.default_rng(4)
    if name == "household":
        noise = rng.laplace(0, 1 / budget, 200_000)
        right = np.mean(abs(noise) < abs(noise - 1)) + np.mean(abs(noise) == abs(noise - 1)) / 2
    else:
        here = noisy(np.zeros((200_000, 2)), budget, rng)
        right = np.mean(np.hypot(*here.T) < np.hypot(*(here - (200.0, 0.0)).T))
    _, promised = answers_of(name, data)
    most = int(re.match(r"(\d+) of 100", promised.value)[1])
    assert 50 < 100 * right < most and most <= 100 / (1 + math.exp(-budget)) + 1
    together = int(re.search(r"; (\d+) about the", promised.line)[1])
    assert together == math.ceil(100 / (1 + math.exp(-1)))


def test_all_moments_at_home_are_guessed_as_often_as_is_said():
    data, rng, right = sample("commuter"), np.random.default_rng(5), 0
    points, budget = in_metres(data.latitude, data.longitude), uniform(data)
    n = int(usual_place(points).sum())
    for _ in range(1500):
        here = noisy(np.zeros((n, 2)), budget, rng)
        right += np.hypot(*here.T).sum() < np.hypot(*(here - (200.0, 0.0)).T).sum()
    assert right / 1500 == pytest.approx(NormalDist().cdf(budget * math.sqrt(n) / math.sqrt(8)), abs=0.03)
    assert right / 1500 == pytest.approx(0.8978, abs=0.03)

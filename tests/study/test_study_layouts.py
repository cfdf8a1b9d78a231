"""Layouts: landmarks are drawn as from an urn, a larger share only adds some, and shapes are what they are called."""

from __future__ import annotations

from itertools import permutations
from math import floor, prod

import numpy as np
import pytest

from lmdk_widgets.leakage.layouts import mean_distance
from lmdk_widgets.study.layouts import CENTRES, LAYOUTS, WIDTH, draw_landmarks, log_weights


def densities(layout: str, n: int) -> list[float]:
    """Weights by the formula in words: the normal density at the middle of each timestamp, summed over the gatherings."""
    if layout == "uniform":
        return [1.0] * n
    normal = [[np.exp(-0.5 * (((t + 0.5) / n - c) / WIDTH) ** 2) for t in range(n)] for c in CENTRES[layout]]
    return [float(sum(of)) for of in zip(*normal, strict=True)]


def chance_of(first: tuple[int, ...], weights: list[float]) -> float:
    """The chance to draw these one after the other, in this order, without replacement."""
    left = [sum(weights) - sum(weights[i] for i in first[:k]) for k in range(len(first))]
    return prod(weights[i] / rest for i, rest in zip(first, left, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sets_come_as_often_as_draws_from_an_urn_say(layout: str) -> None:
    n, count, draws = 5, 2, 20_000
    weights = densities(layout, n)
    expected: dict[tuple[int, ...], float] = {}
    for first in permutations(range(n), count):
        chosen = tuple(sorted(first))
        expected[chosen] = expected.get(chosen, 0.0) + chance_of(first, weights)
    rng = np.random.default_rng(7)
    seen = dict.fromkeys(expected, 0)
    for _ in range(draws):
        seen[draw_landmarks(layout, n, count / n, rng=rng)] += 1
    for chosen, chance in expected.items():
        assert abs(seen[chosen] / draws - chance) < 5 * np.sqrt(chance * (1 - chance) / draws) + 1e-4, chosen


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_larger_share_only_adds_landmarks(layout: str) -> None:
    n, before = 37, set[int]()
    for percent in range(101):
        found = draw_landmarks(layout, n, percent / 100, rng=np.random.default_rng(3))
        assert len(found) == floor(percent / 100 * n + 0.5) and list(found) == sorted(set(found))
        assert before <= set(found)
        before = set(found)
    assert before == set(range(n))


def test_weights_stay_finite_on_the_longest_track() -> None:
    for layout in LAYOUTS:
        weights = log_weights(layout, 1_000_000)
        assert np.isfinite(weights).all()
        assert np.allclose(np.exp(log_weights(layout, 50)), densities(layout, 50), rtol=1e-12)


def test_shapes_differ_as_their_names_say() -> None:
    n, share = 400, 0.2

    def many(layout: str) -> list[tuple[int, ...]]:
        return [draw_landmarks(layout, n, share, rng=np.random.default_rng(k)) for k in range(30)]

    middle = {layout: np.mean([np.mean(found) for found in many(layout)]) / n for layout in LAYOUTS}
    assert middle["skewed"] < 0.35 and all(
        abs(middle[name] - 0.5) < 0.03 for name in ("uniform", "symmetric", "bimodal")
    )
    distance = {layout: np.mean([mean_distance(n, found) for found in many(layout)]) for layout in LAYOUTS}
    assert distance["uniform"] < distance["bimodal"] < distance["symmetric"] < distance["skewed"]


def test_the_distance_to_the_nearest_landmark_is_that_of_a_look_at_all() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = int(rng.integers(2, 30))
        marked = rng.choice(n, int(rng.integers(1, n)), replace=False)
        regular = [t for t in range(n) if t not in marked]
        slow = np.mean([min(abs(t - m) for m in marked) for t in regular])
        assert mean_distance(n, marked) == pytest.approx(slow, rel=1e-12)

"""How surely the noise of Uniform tells the number of landmarks: by draws, by enumeration and by numerical integration."""

from __future__ import annotations

from itertools import product
from math import exp, factorial

import numpy as np
import pytest

from lmdk_widgets.budgets import allocate, landmark_sets_told_apart
from lmdk_widgets.errors import InputError


def by_integration(n: int, k: int, other: int, per: int) -> float:
    """(1 + total variation) / 2 of two Gamma densities of shape n * per, by the trapezium rule."""
    shape, rates = n * per, [1 / min(each + 1, n) for each in (k, other)]
    x = np.linspace(0, 12 * shape / min(rates), 400_001)
    densities = [rate**shape * x ** (shape - 1) * np.exp(-rate * x) / factorial(shape - 1) for rate in rates]
    return 0.5 + float(np.trapezoid(np.abs(densities[0] - densities[1]), x)) / 4


@pytest.mark.parametrize(("n", "k", "other"), [(8, 4, 3), (8, 8, 0), (1, 0, 1), (3, 1, 2), (8, 7, 8), (12, 0, 1)])
def test_points_and_numbers_by_integration(n: int, k: int, other: int) -> None:
    for kind, per in (("points", 2), ("numbers", 1)):
        found = landmark_sets_told_apart(n, k, other, kind=kind)
        assert found == pytest.approx(by_integration(n, k, other, per), abs=1e-6)
        swapped = landmark_sets_told_apart(n, other, k, 50.0, kind=kind)
        assert found == pytest.approx(swapped)  # epsilon cancels, and the order does not matter


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 6.0])
def test_answers_by_all_patterns(epsilon: float) -> None:
    n, k, other = 5, 2, 4
    chances = []
    for landmarks in (k, other):
        false = 1 / (1 + np.exp(allocate("uniform", n, range(landmarks), epsilon)))
        chances.append(
            [
                np.prod([f if wrong else 1 - f for f, wrong in zip(false, which, strict=True)])
                for which in product((0, 1), repeat=n)
            ]
        )
    best = sum(max(pair) for pair in zip(*chances, strict=True)) / 2
    assert landmark_sets_told_apart(n, k, other, epsilon, kind="answers") == pytest.approx(best)


def test_the_best_guess_by_draws() -> None:
    """Bob with four landmarks or three: the likelier of the two is right as often as is said."""
    rng, draws = np.random.default_rng(594), 40_000
    budgets = [allocate("uniform", 8, range(k), 1.0)[0] for k in (4, 3)]
    right = 0
    for which, rate in enumerate(budgets):
        total = rng.gamma(2, 1 / rate, (draws, 8)).sum(axis=1)
        logs = [16 * np.log(each) - each * total for each in budgets]
        right += int((np.argmax(logs, axis=0) == which).sum())
    exact = landmark_sets_told_apart(8, 4, 3)
    assert right / (2 * draws) == pytest.approx(exact, abs=4 * (exact * (1 - exact) / (2 * draws)) ** 0.5)


def test_equal_budgets_tell_nothing_and_long_series_everything() -> None:
    assert landmark_sets_told_apart(8, 3, 3) == 0.5
    assert landmark_sets_told_apart(8, 8, 7) == 0.5  # an eighth of epsilon each, both times
    assert landmark_sets_told_apart(10_000, 12, 11) == pytest.approx(1, abs=1e-6)
    assert landmark_sets_told_apart(2_000, 400, 399, kind="answers") == pytest.approx(0.5, abs=1e-3)


def test_the_ratio_of_densities_has_no_bound() -> None:
    """With larger and larger noise the odds of the two sets pass every e^epsilon."""
    b, other = 1 / 5, 1 / 4
    ratios = [exp(8 * 2 * np.log(b / other) + (other - b) * total) for total in (0, 100, 1_000)]
    assert ratios[0] < 1 < exp(1) < ratios[1] < 1e9 < ratios[2]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: landmark_sets_told_apart(0, 0, 0), "N must be"),
        (lambda: landmark_sets_told_apart(3, 4, 0), "number of landmarks must be at most 3.*; got 4"),
        (lambda: landmark_sets_told_apart(3, -1, 0), "number of landmarks must be"),
        (lambda: landmark_sets_told_apart(3, 1, 0, 0), "Epsilon must be"),
        (lambda: landmark_sets_told_apart(3, 1, 0, kind="places"), "Kind must be"),
    ],
)
def test_bad_input_is_told(call, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=words):
        call()

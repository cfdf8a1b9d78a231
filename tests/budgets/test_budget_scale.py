"""The factor with which budgets by hand fit: by exact fractions over every set of the Theorem."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.budgets import RELEASE_SCHEMES, allocate, landmark_totals, largest_factor, scaled_to_fit
from lmdk_widgets.budgets.allocation import FIXED_SCHEMES
from lmdk_widgets.errors import InputError

BOB = (0, 2, 4, 7)

budget = st.one_of(st.just(0.0), st.floats(1e-6, 1e3))
drawn = st.lists(budget, min_size=1, max_size=9).flatmap(
    lambda budgets: st.tuples(
        st.just(budgets), st.sets(st.integers(0, len(budgets) - 1)), st.floats(1e-6, 1e3, allow_subnormal=False)
    )
)


def sums(budgets: list[float], landmarks: set[int]) -> list[Fraction]:
    """What the Theorem bounds, without a rounding."""
    return [sum((Fraction(budgets[i]) for i in landmarks | {t}), Fraction(0)) for t in range(len(budgets))]


def slow_factor(budgets: list[float], landmarks: set[int], epsilon: float) -> Fraction | None:
    """The smallest of what each timestamp allows; None: all of them allow any factor."""
    return min((Fraction(epsilon) / each for each in sums(budgets, landmarks) if each), default=None)


def test_the_exact_values() -> None:
    thrifty = [0.125 if i in BOB else 0.5 for i in range(8)]
    assert landmark_totals(thrifty, BOB).tolist() == [0.5, 1, 0.5, 1, 0.5, 1, 1, 0.5]
    assert largest_factor(thrifty, BOB, 1.0) == 1
    greedy = [0.25 if i in BOB else 0.2 for i in range(8)]
    assert landmark_totals(greedy, BOB).max() == 1.2
    assert largest_factor(greedy, BOB, 1.0) == pytest.approx(5 / 6, rel=1e-15)
    np.testing.assert_allclose(scaled_to_fit(greedy, BOB, 1.0)[:2], [0.25 * 5 / 6, 0.2 * 5 / 6], rtol=1e-14)


@given(drawn)
def test_the_factor_is_what_the_tightest_sum_allows(one: tuple[list[float], set[int], float]) -> None:
    budgets, landmarks, epsilon = one
    slow = slow_factor(budgets, landmarks, epsilon)
    found = largest_factor(budgets, landmarks, epsilon)
    assert math.isinf(found) if slow is None else found == pytest.approx(float(slow), rel=1e-12)


@given(drawn)
def test_scaled_budgets_fit_without_a_tolerance_and_leave_next_to_nothing(
    one: tuple[list[float], set[int], float],
) -> None:
    budgets, landmarks, epsilon = one
    if not any(budgets):
        with pytest.raises(InputError, match="must not all be 0"):
            scaled_to_fit(budgets, landmarks, epsilon)
        return
    scaled = scaled_to_fit(budgets, landmarks, epsilon).tolist()
    most = max(sums(scaled, landmarks))
    assert most <= Fraction(epsilon)
    assert float(most) >= epsilon * (1 - 1e-12)
    factor = slow_factor(budgets, landmarks, epsilon)
    np.testing.assert_allclose(scaled, np.array(budgets) * float(factor or 1), rtol=1e-12, atol=epsilon * 1e-15)


@pytest.mark.parametrize("k", [1, 7, 999, 9_999])
def test_many_landmarks_fit_exactly(k: int) -> None:
    rng = np.random.default_rng(k)
    budgets, landmarks = rng.random(10_000), rng.choice(10_000, k, replace=False)
    scaled = scaled_to_fit(budgets, landmarks, 0.7)
    assert 0.7 * (1 - 1e-11) <= landmark_totals(scaled, landmarks).max() <= 0.7


@pytest.mark.parametrize("scheme", [name for name in FIXED_SCHEMES if name in RELEASE_SCHEMES])
def test_what_a_scheme_gives_fits_already_where_it_keeps_the_theorem(scheme: str) -> None:
    budgets = allocate(scheme, 8, BOB, 0.3, window=3)
    factor = largest_factor(budgets, BOB, 0.3)
    expected = {"event": 1 / 5, "window": 3 / 5, "user": 8 / 5}.get(scheme, 1.0)
    assert factor == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    "wrong",
    [{"budgets": [-1, 1]}, {"budgets": [math.nan, 1]}, {"landmarks": [2]}, {"epsilon": 0}, {"epsilon": math.inf}],
)
def test_bad_input_is_refused(wrong: dict) -> None:
    arguments = {"budgets": [1, 1], "landmarks": [0], "epsilon": 1.0} | wrong
    for function in (largest_factor, scaled_to_fit):
        with pytest.raises(InputError):
            function(**arguments)

"""Numbers and counts that are meant: what OpenDP certifies, and the law of what it draws."""

from __future__ import annotations

import math
import re
import sys
import traceback
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import allocate
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure import numbers, release_counts, release_numbers


def test_without_opendp_the_refusal_says_what_to_install(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "opendp", None)
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(InputError, match=re.escape('pip install "lmdk-widgets[secure]"')):
        release_numbers([1.0], 1.0, low=0, high=2)


@pytest.mark.parametrize(
    ("values", "epsilon", "low", "high", "said"),
    [
        ([1.0, math.nan], 1.0, 0, 2, "Values"),
        ([1.0], 0, 0, 2, "Epsilon must be a finite number above 0; got 0."),
        ([1.0], [1.0, 1.0], 0, 2, "Epsilon must be one number or 1 numbers"),
        ([1.0], 1.0, 2, 2, "High must be a finite number above low; got 2."),
        ([1.0], 1.0, 0, math.inf, "High must be"),
        ([1.0], 1.0, 0, 1e308, "High must be a number between -1e+100 and 1e+100; got 1e+308."),
        (
            [1.0],
            1e-90,
            0,
            1e99,
            "The scale of the noise must be at most 1e+100; got a larger one. Use narrower bounds",
        ),
    ],
)
def test_what_cannot_be_released_is_refused(values: Any, epsilon: Any, low: float, high: float, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        release_numbers(values, epsilon, low=low, high=high)


def test_a_count_is_a_whole_number() -> None:
    with pytest.raises(InputError, match="Counts must be whole numbers of at most"):
        release_counts([1.5], 1.0)
    with pytest.raises(InputError, match="Sensitivity must be a whole number"):
        release_counts([1], 1.0, sensitivity=0)


def test_counts_without_a_useful_noise_are_refused() -> None:
    with pytest.raises(InputError, match=r"Sensitivity must be a whole number between 1 and 9,007,199,254,740,992"):
        release_counts([1], 1.0, sensitivity=2**53 + 1)
    with pytest.raises(InputError, match="The scale of the noise must be at most"):
        release_counts([1], 1e-9, sensitivity=2**40)


def test_what_opendp_says_of_a_value_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(values: list[int]) -> list[int]:
        raise ValueError(f"{values[0]} is not representable")

    monkeypatch.setattr(numbers, "_mechanism", lambda *_: (draw, 1.0))
    with pytest.raises(InputError) as error:
        release_counts([31415926535], 1.0)
    told = "".join(traceback.format_exception(error.value))
    assert "must be numbers to which OpenDP can add noise" in told and "31415926535 is" not in told


class TestWithOpenDP:
    @pytest.fixture(autouse=True)
    def _needed(self) -> None:
        pytest.importorskip("opendp")

    def test_numbers_are_clamped_and_off_as_laplace(self) -> None:
        made = release_numbers(np.full(4000, 9.0), 0.5, low=0, high=5)
        off = np.abs(made.values - 5)
        assert off.mean() == pytest.approx(10, rel=0.1), "sensitivity / epsilon, around the bound"
        assert made.epsilon.max() <= 0.5 and made.spent == pytest.approx(2000)
        assert "from OpenDP" in made.words()[0] and "e^0.5" in made.words()[0]

    @pytest.mark.parametrize("epsilon", [1 / 3, 1e-6, 0.1, 2.7182818, 37.3])
    def test_no_budget_is_passed_by_the_last_digit(self, epsilon: float) -> None:
        for made in (release_numbers([1.0], epsilon, low=0, high=7), release_counts([1], epsilon, sensitivity=3)):
            assert epsilon * (1 - 1e-9) <= made.epsilon[0] <= epsilon

    def test_the_width_of_the_bounds_is_never_rounded_down(self) -> None:
        for low, high in ((0.1, 0.3), (-1e-17, 1.0), (0.1, 0.7), (-0.3, 0.1)):
            made = release_numbers([0.1], 1.0, low=low, high=high)
            assert Fraction(made.sensitivity) >= Fraction(high) - Fraction(low)

    def test_counts_follow_the_discrete_laplace_law(self) -> None:
        made = release_counts(np.zeros(20_000, int), 1.0)
        assert made.values.dtype == np.int64
        t = math.exp(-1)
        for k in range(4):
            share = float(np.mean(np.abs(made.values) == k))
            expected = (1 - t) / (1 + t) * t**k * (2 if k else 1)
            assert abs(share - expected) < 6 * math.sqrt(expected * (1 - expected) / 20_000)

    def test_counts_above_two_billion_are_released(self) -> None:
        largest = [2**31, 2**40, 2**53, -(2**53)]
        made = release_counts(largest, 5.0, sensitivity=2**33)
        assert np.abs(made.values - np.array(largest)).max() < 2**33 * 20
        assert made.epsilon.max() <= 5.0 and made.sensitivity == 2**33

    def test_numbers_at_huge_bounds_stay_finite(self) -> None:
        made = release_numbers([1e100, -1e300], 2.0, low=-1e100, high=1e100)
        assert np.isfinite(made.values).all()

    def test_budgets_of_a_scheme_go_to_their_timestamps(self) -> None:
        budgets = allocate("weighted", 2000, range(40), 100.0)
        made = release_numbers(np.zeros(2000), budgets, low=0, high=1)
        assert (made.epsilon <= budgets).all() and made.epsilon == pytest.approx(budgets)
        assert np.abs(made.values[:40]).mean() > 2 * np.abs(made.values[40:]).mean(), "landmarks get more noise"

"""Randomised response: budgets, estimates unbiased by exact computation, and the design that is not private."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import TRUTHFULLY_OR_YES, TWO_COINS, ResponseDesign, randomized_response, warner

probabilities = st.floats(0.01, 0.99).filter(lambda p: abs(p - 0.5) > 0.01)


def rng(seed=1):
    return np.random.default_rng(seed)


@given(probabilities, st.floats(0, 1))
def test_warner(p, share):
    assert warner(p).epsilon == pytest.approx(abs(math.log(p / (1 - p))))
    assert warner(p).estimate(share) == pytest.approx((share - (1 - p)) / (2 * p - 1), abs=1e-12)


def test_two_coins_and_truthfully_or_yes():
    assert TWO_COINS.epsilon == pytest.approx(math.log(3))
    assert TWO_COINS.estimate(0.4) == pytest.approx(2 * 0.4 - 0.5)
    assert TRUTHFULLY_OR_YES.estimate(0.7) == pytest.approx(2 * 0.7 - 1)
    assert TRUTHFULLY_OR_YES.epsilon == math.inf
    assert "not differentially private" in TRUTHFULLY_OR_YES.name


@pytest.mark.parametrize("design", [warner(0.7), warner(0.1), TWO_COINS, TRUTHFULLY_OR_YES], ids=lambda d: d.name)
def test_estimates_are_unbiased(design):
    """The expectation of the estimate over all answers, by the exact law, is the true share."""
    for true_share in (0.0, 0.2, 0.5, 1.0):
        expected_share = true_share * design.yes_if_yes + (1 - true_share) * design.yes_if_no
        assert design.estimate(expected_share) == pytest.approx(true_share, abs=1e-12)


def test_nearly_even_warner_keeps_its_digits():
    assert warner(0.5 + 1e-12).epsilon == pytest.approx(4e-12, rel=1e-3)  # 1e-12 itself is rounded to 1e-4 beside 0.5


def test_a_no_to_truthfully_or_yes_is_true():
    truth = rng().random(5000) < 0.5
    assert not truth[~TRUTHFULLY_OR_YES.perturb(truth, rng(2))].any()


def test_what_is_said_has_the_probabilities_of_the_design():
    said = TWO_COINS.perturb([True] * 20_000 + [False] * 20_000, rng(3)).reshape(2, -1).mean(axis=1)
    assert said == pytest.approx([0.75, 0.25], abs=0.01)


@pytest.mark.parametrize(("design", "p"), [("warner", 0.8), ("two-coin", None), ("truthfully-or-yes", None)])
def test_surveys(design, p):
    truth = np.arange(30_000) % 10 < 3
    survey = randomized_response(truth, rng(4), design=design, probability=p)
    assert survey.reported.shape == truth.shape and survey.share == survey.reported.mean()
    assert abs(survey.estimate - 0.3) < 4 * survey.standard_error
    assert survey.epsilon == survey.design.epsilon


@pytest.mark.parametrize("design", [warner(0.8), warner(0.2), warner(1.0), TWO_COINS, TRUTHFULLY_OR_YES])
@pytest.mark.parametrize("n", [1, 3, 200])
def test_the_standard_error_is_not_0_where_all_say_the_same(design, n):
    """It is that of the nearest share that can be expected: the truth may be 0 or 1, the coins fell as they fell."""
    low, high = sorted((design.yes_if_yes, design.yes_if_no))
    for said in (0.0, 1.0):
        share = min(max(said, low), high)
        if share in (0.0, 1.0):  # the truth alone is told: half an answer from it
            share = abs(share - 0.5 / n)
        elif n == 1:
            share = min(max(0.5, low), high)
        error = math.sqrt(share * (1 - share) / n) / (high - low)
        assert design.standard_error(said, n) == pytest.approx(error) and error > 0
    if low > 0 and high < 1:
        seed = next(k for k in range(10_000) if len(set(design.perturb([1] * 3, rng(k)).tolist())) == 1)
        assert randomized_response([1] * 3, rng(seed), design=design).standard_error > 0


def test_standard_error_is_that_of_repeated_surveys():
    surveys = [randomized_response([1, 0, 0, 0] * 100, rng(seed), design=TWO_COINS) for seed in range(400)]
    spread = np.std([s.estimate for s in surveys])
    # the answers of given people vary less than those of people drawn again, for whom the standard error is
    assert 0.9 * spread < np.mean([s.standard_error for s in surveys]) < 1.3 * spread


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: warner(0.5), "nothing can be estimated"),
        (lambda: warner(1.5), "probability"),
        (lambda: ResponseDesign("mine", math.nan, 0.5), "yes_if_yes .* between 0 and 1"),
        (lambda: randomized_response([True], rng(), design="warner"), "probability"),
        (lambda: randomized_response([True], rng(), design="two-coin", probability=0.7), "only Warner"),
        (lambda: randomized_response([True], rng(), design="three-coin"), '"two-coin"'),
        (lambda: randomized_response([], rng()), "answer"),
        (lambda: randomized_response([0, 2], rng()), "True or False"),
        (lambda: randomized_response([True], 5), "rng"),
    ],
)
def test_refusals(call, word):
    with pytest.raises(InputError, match=f"(?i){word}"):
        call()

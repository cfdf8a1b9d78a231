"""Randomised response with m answers: the channel, estimates and variances by exact enumeration, and draws."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import (
    estimated_shares,
    randomized_response_channel,
    randomized_responses,
    response_variances,
    share_variances,
    warner,
)

ALPHA = 1e-6


@given(st.integers(2, 12), st.floats(1e-6, 30))
def test_the_channel(m, epsilon):
    channel = randomized_response_channel(m, epsilon)
    assert channel.shape == (m, m) and channel.sum(axis=1) == pytest.approx(np.ones(m))
    odds = math.exp(epsilon)
    assert channel[0, 0] == pytest.approx(odds / (odds + m - 1)) and channel[0, 1] == pytest.approx(1 / (odds + m - 1))
    ratios = np.log(channel[:, None, :] / channel[None, :, :])
    assert ratios.max() == pytest.approx(epsilon, abs=1e-12)


def test_published_values():
    assert randomized_response_channel(5, math.log(3))[2, 2] == pytest.approx(3 / 7)
    coins = randomized_response_channel(2, math.log(3))
    assert coins == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]))
    assert estimated_shares([0.4, 0.6], math.log(3)) == pytest.approx([0.3, 0.7])
    assert share_variances([0.4, 0.6], 100, math.log(3)) == pytest.approx([0.0096, 0.0096], abs=1e-15)
    assert math.sqrt(0.0096) == pytest.approx(warner(0.75).standard_error(0.4, 100))


def test_extreme_budgets():
    last = randomized_response_channel(3, 700)
    assert last.min() > 0 and np.log(last[0, 0] / last[1, 0]) == pytest.approx(700, rel=1e-15)
    tiny = randomized_response_channel(3, 1e-12)
    assert (tiny > 0).all() and estimated_shares([1 / 3] * 3, 1e-12).sum() == pytest.approx(1)
    # the gap between keeping and changing, which the estimate divides by, has all its digits
    assert share_variances([0.5, 0.5], 1, 1e-9)[0] == pytest.approx(0.25 / (math.tanh(0.5e-9)) ** 2, rel=1e-12)


@pytest.mark.parametrize(("m", "n", "epsilon"), [(2, 3, 1.1), (3, 3, 0.7), (4, 2, 2.0)])
def test_estimates_and_variances_by_enumeration(m, n, epsilon):
    """Over all that n given people can say, the mean of the estimates is the truth; over all people too."""
    channel = randomized_response_channel(m, epsilon)
    truth = np.arange(n) % m

    def moments(rows):
        mean, square = np.zeros(m), np.zeros(m)
        for said in itertools.product(range(m), repeat=n):
            chance = math.prod(row[y] for row, y in zip(rows, said, strict=True))
            found = estimated_shares(np.bincount(said, minlength=m) / n, epsilon)
            mean += chance * found
            square += chance * found**2
        return mean, square - mean**2

    shares = np.bincount(truth, minlength=m) / n
    mean, variance = moments(channel[truth])
    assert mean == pytest.approx(shares) and variance == pytest.approx(response_variances(shares, n, epsilon))
    law = shares @ channel  # what a person drawn at random says
    mean, variance = moments([law] * n)
    assert mean == pytest.approx(shares) and variance == pytest.approx(share_variances(law, n, epsilon))
    assert (response_variances(shares, n, epsilon) <= share_variances(law, n, epsilon) + 1e-15).all()


@pytest.mark.parametrize(("m", "epsilon"), [(2, 0.5), (5, math.log(3)), (9, 3.0)])
def test_draws_follow_the_channel(m, epsilon):
    n = 30_000
    found = randomized_responses(np.repeat(np.arange(m), n), m, epsilon, np.random.default_rng(1))
    counts = np.array([np.bincount(row, minlength=m) for row in found.reported.reshape(m, n)])
    expected = n * randomized_response_channel(m, epsilon)
    assert stats.chisquare(counts, expected, axis=1).pvalue.min() > ALPHA / m
    wrong = n * randomized_response_channel(m, 1.25 * epsilon)
    assert stats.chisquare(counts, wrong, axis=1).pvalue.min() < ALPHA  # the test sees a wrong epsilon
    assert found.estimates.sum() == pytest.approx(1) and found.epsilon == epsilon
    score = (found.estimates - 1 / m) / np.sqrt(response_variances(np.full(m, 1 / m), n * m, epsilon))
    assert np.abs(score).max() < stats.norm.isf(ALPHA / (2 * m))
    assert found.variances == pytest.approx(share_variances(found.shares, n * m, epsilon))


@pytest.mark.parametrize(("m", "n", "epsilon"), [(2, 1, 1.0), (2, 9, 0.5), (5, 12, 2.0), (3, 40, 50.0)])
def test_no_variance_is_0_where_all_answers_agree(m, n, epsilon):
    """A share that nobody or everybody reported has the variance of one that can be expected."""
    shares, channel = np.eye(m)[0], randomized_response_channel(m, epsilon)
    found = share_variances(shares, n, epsilon)
    apart = channel[0, 0] - channel[0, 1]
    never = max(channel[0, 1], min(0.5 / n, channel[0, 0]))  # half an answer, or what the coins alone lead to
    always = min(channel[0, 0], max(1 - 0.5 / n, channel[0, 1]))
    assert found[0] == pytest.approx(always * (1 - always) / n / apart**2) and (found > 0).all()
    assert found[1:] == pytest.approx(np.full(m - 1, never * (1 - never) / n / apart**2))
    said = randomized_responses(np.zeros(n, int), m, epsilon, np.random.default_rng(1))
    assert (said.variances > 0).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: randomized_response_channel(1, 1.0), "M must be a whole number, 2 or more; got 1."),
        (lambda: randomized_response_channel(2.5, 1.0), "M must be a whole number"),
        (lambda: randomized_response_channel(3, 0), "Epsilon must be a finite number above 0; got 0."),
        (lambda: randomized_response_channel(3, 700.5), "Epsilon must be at most 700, beyond which"),
        (lambda: randomized_response_channel(3, 1e4), "is too small a number; got 10,000"),
        (lambda: randomized_responses([0, 1], 3, 701, np.random.default_rng(1)), "Epsilon must be at most 700"),
        (lambda: randomized_responses([0, 3], 3, 1.0, np.random.default_rng(1)), "Answers must be whole numbers"),
        (lambda: randomized_responses([], 3, 1.0, np.random.default_rng(1)), "Answers must be a series"),
        (lambda: randomized_responses([0], 3, 1.0, 5), "Rng must be a numpy.random.Generator"),
        (lambda: estimated_shares([1.0], 1.0), "Shares must be one share for each of two answers or more"),
        (lambda: estimated_shares([0.5, 1.5], 1.0), "Shares must contain numbers between 0 and 1"),
        (lambda: share_variances([0.5, 0.5], 0, 1.0), "N must be a whole number"),
    ],
)
def test_refusals(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in caught.value.sentence

"""The exponential mechanism: published values, the privacy it claims, and epsilons that overflow a naive form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import exponential_mechanism


def test_values_of_the_specification():
    # e^(u/2) / (1 + e^(1/2) + e); elsewhere .3071958884 and .5064803883, off in the ninth digit
    expected = [0.1863237232, 0.3071958857, 0.5064803911]
    assert exponential_mechanism([0, 1, 2], 1, 1) == pytest.approx(expected, abs=5e-11)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.floats(0.01, 10), st.floats(0.01, 3), st.data())
def test_neighbouring_scores_are_told_apart_by_at_most_epsilon(scores, epsilon, sensitivity, data):
    moves = data.draw(st.lists(st.floats(-1, 1), min_size=len(scores), max_size=len(scores)))
    p = exponential_mechanism(scores, epsilon, sensitivity)
    q = exponential_mechanism(np.array(scores) + sensitivity * np.array(moves), epsilon, sensitivity)
    assert p.sum() == pytest.approx(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.abs(np.log(p) - np.log(q))
    assert (ratio[(p > 1e-290) & (q > 1e-290)] <= epsilon * (1 + 1e-9) + 1e-12).all()


def test_equality_of_the_guarantee_is_reached():
    """One option among very many moves up by the sensitivity, all others down: the loss comes close to epsilon."""
    scores = np.zeros(100_000)
    moved = scores - 1.0
    moved[0] = 1.0
    p, q = exponential_mechanism(scores, 1.0, 1.0), exponential_mechanism(moved, 1.0, 1.0)
    assert 0.999 < np.log(q[0] / p[0]) <= 1.0


def test_any_epsilon_and_any_scores():
    assert exponential_mechanism([0, 1, 2], 1e308, 1e-10).tolist() == [0, 0, 1]
    assert exponential_mechanism([1e308, -1e308, 1e308], 1e300, 1).tolist() == [0.5, 0, 0.5]
    assert exponential_mechanism([7, 7], 1e-300, 1).tolist() == [0.5, 0.5]
    assert exponential_mechanism([0, 1, 2], 1e308, 1e-10, np.random.default_rng(1)) == 2
    assert exponential_mechanism([1e5, 1e5 + 1], 2, 1) == pytest.approx(exponential_mechanism([0, 1], 2, 1))


def test_draws_follow_the_probabilities():
    rng = np.random.default_rng(1)
    drawn = [exponential_mechanism([0, 1, 2, 0.5], 1.5, 1, rng) for _ in range(10_000)]
    assert all(type(i) is int for i in drawn[:10])
    expected = exponential_mechanism([0, 1, 2, 0.5], 1.5, 1) * len(drawn)
    assert stats.chisquare(np.bincount(drawn), expected).pvalue > 0.01


@pytest.mark.parametrize(
    ("scores", "epsilon", "sensitivity", "word"),
    [
        ([], 1, 1, "score"),
        ([[1, 2]], 1, 1, "score"),
        ([1, np.nan], 1, 1, "scores"),
        ([1, np.inf], 1, 1, "scores"),
        ([1, 2], 0, 1, "epsilon"),
        ([1, 2], np.nan, 1, "epsilon"),
        ([1, 2], True, 1, "epsilon"),
        ([1, 2], 1, 0, "sensitivity"),
        ([1, 2], 1, "1", "sensitivity"),
    ],
)
def test_refusals(scores, epsilon, sensitivity, word):
    with pytest.raises(InputError, match=f"(?i){word}"):
        exponential_mechanism(scores, epsilon, sensitivity)

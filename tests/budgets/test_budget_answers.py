"""Releases of yes/no answers by randomised response, against transcriptions of the schemes that look at one at a time."""

import math

import numpy as np
import pytest

from lmdk_widgets.budgets import (
    RELEASE_SCHEMES,
    adaptive_budgets,
    landmark_totals,
    release,
    release_many,
    window_totals,
)
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import RandomizedResponse, randomized_response_channel, warner

LANDMARKS, N = [2, 5, 11], 40
ANSWERS = (np.random.default_rng(4).random(N) < 0.4).astype(float)


def told(scheme, epsilon=1.0, seed=1, values=ANSWERS, **how):
    made = RandomizedResponse()
    return release(values, scheme, LANDMARKS, epsilon, made, rng=np.random.default_rng(seed), window=6, **how)


@pytest.mark.parametrize("epsilon", [0.01, math.log(3), 2.0, 20.0])
def test_the_chance_of_a_wrong_answer_is_that_of_warner_and_of_the_channel(epsilon):
    wrong = float(RandomizedResponse().wrong(epsilon))
    assert wrong == pytest.approx(randomized_response_channel(2, epsilon)[0, 1], rel=1e-12)
    assert math.log((1 - wrong) / wrong) == pytest.approx(epsilon)
    assert warner(1 - wrong).epsilon == pytest.approx(epsilon)


@pytest.mark.parametrize("scheme", ["event", "user", "uniform", "weighted", "skip"])
def test_answers_are_wrong_as_often_as_their_budget_says(scheme):
    errors = release_many(
        ANSWERS, scheme, LANDMARKS, 1.0, RandomizedResponse(), rng=np.random.default_rng(2), draws=20_000
    )
    out = told(scheme)
    measured = np.flatnonzero(out.published)
    expected = 1 / (1 + np.exp(out.budgets[measured]))
    assert errors[:, measured].mean(axis=0) == pytest.approx(expected, abs=0.015)
    assert set(np.unique(errors[np.isfinite(errors)])) == {0.0, 1.0}


def test_many_draws_are_successive_releases():
    rng = np.random.default_rng(7)
    made = [release(ANSWERS, "adaptive", LANDMARKS, 2.0, RandomizedResponse(), rng=rng).outputs for _ in range(5)]
    how = {"rng": np.random.default_rng(7), "draws": 5}
    many = release_many(ANSWERS, "adaptive", LANDMARKS, 2.0, RandomizedResponse(), **how)
    np.testing.assert_array_equal(many, np.abs(np.array(made) - ANSWERS))


def test_a_larger_epsilon_only_takes_wrong_answers_away():
    wrong = [np.flatnonzero(told("event", epsilon).outputs != ANSWERS) for epsilon in (0.1, 1.0, 3.0)]
    assert set(wrong[2]) < set(wrong[1]) < set(wrong[0])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("epsilon", [0.3, 4.0])
def test_adaptive_follows_whether_answers_differ(seed, epsilon):
    """The scheme as spec A has it, with its own loop: the rate falls while two answers are alike, and rises otherwise."""
    out, rng = told("adaptive", epsilon, seed), np.random.default_rng(seed)
    turns, coins = rng.random(N), rng.random(N)
    budget, rate, last, before = epsilon / (len(LANDMARKS) + 1), 1.0, math.nan, None
    skipped = []
    for t in range(N):
        assert out.rate[t] == pytest.approx(rate)
        if coins[t] < rate:
            said = 1 - ANSWERS[t] if turns[t] < 1 / (1 + math.exp(budget)) else ANSWERS[t]
            if before is not None:
                rate = rate - 0.3 * rate if said == before else rate + 0.3 * (1 - rate)
            last = before = said
        else:
            skipped.append(t)
            if t in LANDMARKS:
                budget += budget / (sum(landmark > t for landmark in LANDMARKS) + 1)
        assert out.outputs[t] == last
    assert out.budgets == pytest.approx(adaptive_budgets(N, LANDMARKS, epsilon, skipped))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scheme", ["budget-distribution", "budget-absorption", "predictive"])
def test_budget_schemes_publish_where_the_last_answer_seems_worse_than_a_new_one(scheme, seed):
    epsilon, w = 30.0, 6
    out, rng = told(scheme, epsilon, seed), np.random.default_rng(seed)
    turns, jitter = rng.random(N), rng.laplace(size=N) * 2 * w / epsilon
    spent, last, blocked = [0.0] * N, None, -1
    for t in range(N):
        if scheme == "budget-distribution":
            budget = (epsilon / 2 - sum(spent[max(0, t - w + 1) : t])) / 2
        elif scheme == "predictive":  # one fresh report in six timestamps
            budget = 0.0 if any(spent[max(0, t - w + 1) : t]) else epsilon / 2
        else:
            budget = 0.0 if t <= blocked else epsilon / (2 * w) * min(t - blocked, w)
        differs = math.inf if last is None else abs(last - ANSWERS[t]) + jitter[t]
        if budget > 0 and differs > 1 / (1 + math.exp(budget)):
            last = 1 - ANSWERS[t] if turns[t] < 1 / (1 + math.exp(budget)) else ANSWERS[t]
            spent[t] = budget
            blocked = t + round(budget * 2 * w / epsilon) - 1
        assert out.outputs[t] == last
    assert out.budgets - out.comparison_budget == pytest.approx(np.array(spent), abs=1e-9)


@pytest.mark.parametrize("scheme", [*RELEASE_SCHEMES, "given"])
def test_every_scheme_keeps_its_sums(scheme):
    how = {"budgets": np.full(N, 0.2)} if scheme == "given" else {}
    out = told(scheme, **how)
    if scheme in ("user", "uniform", "weighted", "skip", "adaptive"):
        assert landmark_totals(out.budgets, LANDMARKS).max() <= 1.0
    if scheme in ("window", "budget-distribution", "budget-absorption", "predictive"):
        assert window_totals(out.budgets, 6).max() <= 1.0
    assert np.isin(out.outputs[np.isfinite(out.outputs)], (0, 1)).all()


@pytest.mark.parametrize("values", [[0.5, 1.0], [0, 1, math.nan], [], [[0, 1]], ["yes"]])
def test_what_is_no_answer_is_refused(values):
    with pytest.raises(InputError, match=r"^Values must contain"):
        told("event", values=values)

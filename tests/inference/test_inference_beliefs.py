"""What beliefs are worth, by their definitions; that nothing learned exceeds the temporal loss; nights and days."""

import itertools
import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import (
    best_guesses,
    chance_right,
    credible_region,
    error_at,
    expected_error,
    hits,
    home_and_work,
    learned,
    track_posterior,
)
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import reverse

from .inference_oracles import STATIONARY, AllPaths, P, random_chain


def _beliefs(rng, n, m):
    return rng.dirichlet(np.full(m, 10 ** rng.uniform(-1, 1)), n)


def test_guesses_and_errors_by_their_definition():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n, m, k = rng.integers(1, 6, size=3).tolist()
        belief, apart = _beliefs(rng, n, m), rng.random((m, k)) * 1000
        losses = [[sum(belief[t, x] * apart[x, g] for x in range(m)) for g in range(k)] for t in range(n)]
        assert expected_error(belief, apart) == pytest.approx([min(row) for row in losses])
        assert best_guesses(belief, apart).tolist() == [int(np.argmin(row)) for row in losses]
        truth = rng.integers(k, size=n)
        assert error_at(belief, apart, truth) == pytest.approx([losses[t][truth[t]] for t in range(n)])
        states = rng.integers(m, size=n)
        assert hits(belief, states).tolist() == [belief[t, states[t]] for t in range(n)]
        assert chance_right(belief).tolist() == [max(row) for row in belief.tolist()]


def test_the_region_is_the_smallest_one():
    rng = np.random.default_rng(1)
    for _ in range(200):
        m, share = int(rng.integers(1, 7)), float(rng.choice([0.0, 0.5, 0.95, 1.0, rng.random()]))
        belief = _beliefs(rng, 1, m)
        if rng.random() < 0.3:
            belief = np.full((1, m), 1 / m)
        region = credible_region(belief, share)[0]
        sums = {
            size: max(belief[0, list(c)].sum() for c in itertools.combinations(range(m), size)) for size in range(m + 1)
        }
        assert belief[0, region].sum() >= share - 1e-9
        assert region.sum() == min(size for size, most in sums.items() if most >= share - 1e-12)
        assert not region.any() or region.all() or belief[0, region].min() >= belief[0, ~region].max()


def _response_logs(m, budgets):
    """(n, m, m) log of m-ary randomised response at every timestamp: state, answer."""
    found = []
    for budget in budgets:
        keep = math.exp(budget) / (math.exp(budget) + m - 1)
        channel = np.full((m, m), (1 - keep) / (m - 1))
        np.fill_diagonal(channel, keep)
        found.append(np.log(channel))
    return np.array(found)


def _learned_most(prior, p, budgets):
    """The most that any series of answers tells about each timestamp: all releases, the past, the future, one alone."""
    m, n, logs = len(p), len(budgets), _response_logs(len(p), budgets)
    most = np.zeros((4, n))
    for answers in itertools.product(range(m), repeat=n):
        found = track_posterior(prior, p, np.array([logs[t, :, y] for t, y in enumerate(answers)]))
        after = (found.log_smoothed, found.log_filtered, found.log_predicted, found.log_alone)
        most = np.maximum(most, [learned(belief, found.log_marginal) for belief in after])
    return most


def test_the_loss_bound_of_the_specification_is_nearly_reached():
    budgets = [0.5] * 4
    most = _learned_most(STATIONARY, P, budgets)
    assert most[0] == pytest.approx([1.4249959024, 1.5761310922, 1.5761310922, 1.4249959024], abs=1e-9)
    bound = temporal_loss(reverse(P), P, budgets)
    assert bound.total[:2] == pytest.approx([1.43360743, 1.57832128], abs=1e-8)
    assert (most[0] <= bound.total).all() and (most[0] >= 0.98 * bound.total).all()


def test_nothing_learned_exceeds_the_temporal_loss():
    rng = np.random.default_rng(2)
    for _ in range(60):
        m, n = int(rng.integers(2, 4)), int(rng.integers(1, 5))
        prior, p = random_chain(rng, m)
        budgets = rng.random(n) * 10 ** rng.uniform(-2, 0.7) + 1e-3
        most = _learned_most(prior, p, budgets)
        bound = temporal_loss(reverse([p] * (n - 1), prior), p if n > 1 else None, budgets)
        limits = np.array([bound.total, bound.backward, bound.forward, budgets])
        assert (most <= limits * (1 + 1e-9) + 1e-12).all()


def test_learned_against_every_path():
    rng = np.random.default_rng(3)
    for _ in range(50):
        m, n = int(rng.integers(2, 4)), int(rng.integers(1, 5))
        (prior, p), likelihood = random_chain(rng, m), -rng.random((n, m)) * 2000
        every = AllPaths(prior, p, likelihood)
        after, before = every.belief(lambda t, n=n: range(n)), every.belief(lambda t: [])
        found = track_posterior(prior, p, likelihood)
        for t, told in enumerate(learned(found.log_smoothed, found.log_marginal)):
            odds = [after[t, x] - before[t, x] for x in range(m) if before[t, x] > -np.inf]
            assert told == pytest.approx(max(odds) - min(odds), rel=1e-9, abs=1e-9)


def test_a_state_that_is_ruled_out_is_learned_without_bound():
    likelihood = np.array([[0.0, -np.inf, 0.0], [0.0, 0.0, 0.0]])
    found = track_posterior(STATIONARY, P, likelihood)
    told = learned(found.log_smoothed, found.log_marginal)
    assert told[0] == math.inf and math.isfinite(told[1])
    impossible = track_posterior([0.5, 0.5, 0], P, likelihood)
    assert learned(impossible.log_smoothed, impossible.log_marginal)[0] == math.inf


def test_impossible_before_does_not_count():
    assert learned([[-np.inf, np.log(0.5), np.log(0.5)]], [[-np.inf, np.log(0.25), np.log(0.75)]]).tolist() == (
        pytest.approx([math.log(3)])
    )


DAYS = np.datetime64("2026-01-24T00:00") + np.arange(0, 5 * 24 * 60, 30)  # from a Saturday to the Wednesday after it


def _shares(time, belief, chosen, label):
    """The mean belief of a window: within each of its days, then over the days."""
    groups = {}
    for t in range(len(time)):
        if chosen(time[t]):
            groups.setdefault(label(time[t]), []).append(belief[t])
    return np.mean([np.mean(rows, axis=0) for rows in groups.values()], axis=0), len(groups)


def test_home_and_work_by_their_definition():
    rng = np.random.default_rng(4)
    time = np.sort(rng.choice(DAYS, 200, replace=False)).astype("datetime64[ns]")
    belief = _beliefs(rng, 200, 5)
    found = home_and_work(belief, time)
    moments = [m.astype("datetime64[s]").item() for m in time]
    night, nights = _shares(
        moments, belief, lambda m: m.hour >= 22 or m.hour < 6, lambda m: m.toordinal() - (m.hour < 12)
    )
    day, days = _shares(moments, belief, lambda m: m.weekday() < 5 and 9 <= m.hour < 17, lambda m: m.toordinal())
    assert found.night == pytest.approx(night) and found.day == pytest.approx(day)
    assert (found.nights, found.days) == (nights, days) == (6, 3)
    assert found.home == night.argmax() and found.work == day.argmax()
    lunch = home_and_work(belief, time, day=(12.5, 13.5))
    expected, _ = _shares(
        moments,
        belief,
        lambda m: m.weekday() < 5 and 12.5 <= m.hour + m.minute / 60 < 13.5,
        lambda m: m.toordinal(),
    )
    assert lunch.day == pytest.approx(expected)
    whole = home_and_work(belief, time, night=(0, 24))
    assert whole.nights == 5


def test_a_track_without_a_night_has_no_home():
    time = np.datetime64("2026-01-26T10:00") + np.arange(3)
    found = home_and_work(np.full((3, 2), 0.5), time)
    assert found.home is None and found.night is None and found.nights == 0 and found.work == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda b, d: best_guesses(b * 2, d), "Row 0 of posterior must sum to 1; got 2."),
        (lambda b, d: best_guesses(b[0], d), "Posterior must be a matrix of shape (n, m); got shape (3,)."),
        (
            lambda b, d: best_guesses(b, d[:2]),
            "Distances must be a matrix with a row for each of 3 states; got shape (2, 3).",
        ),
        (lambda b, d: expected_error(b, -d), "Distances must not be negative; got -1.0 at index (0, 1)."),
        (lambda b, d: error_at(b, d, [0]), "Truth must be one state for each of 2 timestamps; got shape (1,)."),
        (lambda b, d: hits(b, [0, 3]), "Truth must be whole numbers between 0 and 2; got another number at index 1."),
        (lambda b, d: credible_region(b, 1.5), "Share must be a number between 0 and 1; got 1.5."),
        (
            lambda b, d: learned(b, b[:1]),
            "Log_after and log_before must be of equal shape; got shapes (2, 3) and (1, 3).",
        ),
        (
            lambda b, d: learned(np.log(b), np.full((2, 3), -np.inf)),
            "Log_before must be logarithms of probabilities, at least one of them finite at each timestamp; "
            "got other numbers.",
        ),
        (
            lambda b, d: learned([[0.0, 0.0]], [[0.0, -np.inf]]),
            "Log_after must be -inf where log_before is; got a possible state at index (0, 1).",
        ),
        (
            lambda b, d: home_and_work(b, [1, 2]),
            "Local_time must be datetime64 values, shape (2,); got int64 of shape (2,).",
        ),
        (
            lambda b, d: home_and_work(b, np.array(["2026-01-01", "NaT"], "datetime64[s]")),
            "Local_time must be known everywhere; got none at index 1.",
        ),
        (
            lambda b, d: home_and_work(b, DAYS[:2], night=(22, 30)),
            "The hours of night must be a number between 0 and 24; got 30.",
        ),
        (lambda b, d: home_and_work(b, DAYS[:2], day=(9, 9)), "Day must be two different hours; got 9 twice."),
        (
            lambda b, d: home_and_work(b, DAYS[:2], day=(9,)),
            "Day must be two hours, the start and the end; got 1 values.",
        ),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    belief = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    with pytest.raises(InputError) as error:
        call(belief, np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))))
    assert str(error.value).startswith(sentence)

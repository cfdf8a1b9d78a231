"""Geometric noise and the pan-private counter: their laws, and the guarantees by exact enumeration of what is seen."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import PanPrivateCounter, geometric, geometric_probability, pan_private_loss

ALPHA = 1e-6
N = 200_000
Z = np.arange(-60, 61)


def rng(seed=1):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.1, 1), (math.log(2), 1), (1.0, 3), (5.0, 1), (50.0, 1)])
def test_the_law(epsilon, sensitivity):
    reach = np.arange(-3000, 3001)
    chances = geometric_probability(reach, epsilon, sensitivity=sensitivity)
    assert chances.sum() == pytest.approx(1) and (chances[:-1] > 0).any()
    a = math.exp(-epsilon / sensitivity)
    assert chances @ reach**2 == pytest.approx(2 * a / (1 - a) ** 2)
    near = np.abs(reach) * epsilon <= 600
    ratios = np.diff(np.log(chances[near]))
    assert np.abs(ratios) == pytest.approx(np.full(len(ratios), epsilon / sensitivity))  # a count that differs by 1


def chi_square(noise, epsilon):
    """Against the law, tails put together so that each cell expects 20 or more."""
    chances = geometric_probability(Z, epsilon)
    inside = len(noise) * chances >= 20
    counts = np.array([(noise == z).sum() for z in Z[inside]])
    seen = np.append(counts, len(noise) - counts.sum())
    expected = np.append(len(noise) * chances[inside], len(noise) * (1 - chances[inside].sum()))
    keep = expected > 1e-9
    return stats.chisquare(seen[keep], expected[keep] / expected[keep].sum() * seen[keep].sum()).pvalue


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_draws(epsilon):
    noise = geometric(np.full(N, 7), epsilon, rng()) - 7
    assert noise.dtype == np.int64 and chi_square(noise, epsilon) > ALPHA
    assert chi_square(noise, 1.25 * epsilon) < ALPHA  # the test sees a wrong epsilon
    assert chi_square(geometric(np.zeros(N), epsilon, rng(), sensitivity=2), epsilon) < ALPHA


def test_it_is_the_rounded_counterpart_of_a_known_law():
    noise = geometric(np.zeros(N), 0.7, rng(3))
    counts = np.bincount(noise + 60, minlength=121)[40:81]
    expected = stats.dlaplace(0.7).pmf(Z[40:81])
    assert stats.chisquare(counts, expected / expected.sum() * counts.sum()).pvalue > ALPHA


def test_shapes_and_small_budgets():
    assert geometric(5, 1.0, rng()).shape == () and geometric([[1, 2]], 1.0, rng()).shape == (1, 2)
    assert np.abs(geometric(np.zeros(1000), 1e-9, rng())).max() > 1e8
    assert geometric([True, False], 1e3, rng()).tolist() == [1, 0]


# --- the counter -----------------------------------------------------------------------------------------------------

GRID = np.arange(-12, 13)


def log_laplace(x, epsilon=1.0):
    return -epsilon * np.abs(x)  # up to a constant, which cancels in every ratio


def worst_ratio(events, epsilon, renewed):
    """The largest |log ratio| of the joint density of intruders' views and output, with the events and without them.

    What is seen next is the last view, plus what was counted, plus new noise if any: a chain, so the density is a product.
    Without new noise the next view is certain, and a person with events makes another certain one: infinite.
    """
    counted = np.array(events)
    stretches = len(counted)
    noisy = [True] + [renewed] * (stretches - 2) + [True] if stretches > 1 else [True]
    if any(not noise and count for noise, count in zip(noisy, counted, strict=True)):
        return math.inf
    worst = 0.0
    for steps in itertools.product(GRID / 2, repeat=stretches):
        with_events = sum(
            log_laplace(s - c, epsilon) for s, c, noise in zip(steps, counted, noisy, strict=True) if noise
        )
        without = sum(log_laplace(s, epsilon) for s, noise in zip(steps, noisy, strict=True) if noise)
        worst = max(worst, abs(with_events - without))
    return worst


@pytest.mark.parametrize("events", [[1, 0], [0, 1], [1, 1], [2, 0], [0, 3], [1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 2]])
@pytest.mark.parametrize("renewed", [True, False])
def test_what_a_counter_tells_is_reached_and_never_passed(events, renewed):
    epsilon = 0.5
    found = pan_private_loss(epsilon, events, renewed=renewed)
    assert found == pytest.approx(worst_ratio(events, epsilon, renewed))


def test_published_losses():
    assert pan_private_loss(1.0, [1, 0], renewed=False) == 1  # the event falls before the intrusion
    assert pan_private_loss(1.0, [0, 1], renewed=False) == 1  # or after it
    assert pan_private_loss(1.0, [1, 1], renewed=False) == 2  # a person with events on both sides
    assert pan_private_loss(1.0, [0, 1], fresh=False, renewed=False) == math.inf
    assert pan_private_loss(1.0, [1, 0], fresh=False, renewed=False) == 1
    assert pan_private_loss(1.0, [0, 1], fresh=False) == 1  # an announced intrusion renews the noise of the state
    assert pan_private_loss(1.0, [3]) == 3 and pan_private_loss(1.0, [1], fresh=False, renewed=False) == 1


def views(events, announced, seed_count, epsilon=0.5):
    """State at each intrusion and the output, for many counters."""
    source, rows = rng(5), []
    for _ in range(seed_count):
        counter = PanPrivateCounter(epsilon, source)
        counter.count(events[0])
        seen = []
        for count in events[1:]:
            seen.append(counter.intrude(announced=announced))
            counter.count(count)
        rows.append([*seen, counter.output()])
    return np.array(rows), counter


@pytest.mark.parametrize("announced", [True, False])
def test_the_laws_of_state_and_output(announced):
    rows, counter = views([3, 2, 4], announced, 4000)
    scale = 1 / 0.5
    assert stats.kstest(rows[:, 0] - 3, stats.laplace(scale=scale).cdf).pvalue > ALPHA
    between = rows[:, 1] - rows[:, 0] - 2
    if announced:
        assert stats.kstest(between, stats.laplace(scale=scale).cdf).pvalue > ALPHA
    else:
        assert np.abs(between).max() < 1e-9  # what was counted between is known exactly
    fresh = rows[:, 2] - rows[:, 1] - 4
    law = stats.laplace(scale=scale)
    if announced:  # the renewal and the output's own noise
        other = law.rvs(4000, random_state=1) + law.rvs(4000, random_state=2)
        assert stats.ks_2samp(fresh, other).pvalue > ALPHA
    else:
        assert stats.kstest(fresh, law.cdf).pvalue > ALPHA
    assert counter.intrusions == (announced, announced)
    assert counter.noise_variance == (32.0 if announced else 16.0)
    total = rows[:, 2] - 9
    assert abs(total.mean()) < 6 * math.sqrt(counter.noise_variance / 4000)
    assert total.var() == pytest.approx(counter.noise_variance, rel=0.25)


def test_a_counter_ends_with_its_output():
    counter = PanPrivateCounter(1.0, rng())
    counter.count()
    before = counter.output()
    assert counter.intrude() != before
    with pytest.raises(InputError, match="before the output"):
        counter.count()
    with pytest.raises(InputError, match="read only once"):
        counter.output()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: geometric([0.5], 1.0, rng()),
            "Values must contain whole numbers of at most 2^53; got another number.",
        ),
        (lambda: geometric([math.nan], 1.0, rng()), "Values must contain finite numbers"),
        (lambda: geometric([1], 0, rng()), "Epsilon must be a finite number above 0; got 0."),
        (lambda: geometric([1], 1e-12, rng()), "Epsilon over the sensitivity must be a number, 1e-9 or more"),
        (lambda: geometric([1], 1.0, rng(), sensitivity=0), "Sensitivity must be a whole number, 1 or more; got 0."),
        (lambda: geometric([1], 1.0, 5), "Rng must be"),
        (lambda: pan_private_loss(1.0, [-1]), "Events must not be negative"),
        (lambda: pan_private_loss(1.0, [0.5]), "Events must contain whole numbers"),
        (lambda: pan_private_loss(1.0, []), "Events must be one number for each period"),
        (lambda: PanPrivateCounter(-1, rng()), "Epsilon must be"),
        (lambda: PanPrivateCounter(1, None), "Rng must be"),
        (lambda: PanPrivateCounter(1, rng()).count(-1), "Events must be a whole number, 0 or more; got -1."),
    ],
)
def test_refusals(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in caught.value.sentence

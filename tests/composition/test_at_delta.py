"""Epsilon at a delta: published values, enumeration, direct convolution, dp-accounting, closed forms, and bad input."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets import composition
from lmdk_widgets.composition import (
    laplace_delta,
    laplace_epsilon,
    planar_laplace_delta,
    planar_laplace_epsilon,
    response_delta,
    response_epsilon,
    rounded_up,
)
from lmdk_widgets.errors import InputError
from tests.composition.composition_truth import BELOW, between, planar_below, response_enumerated, response_exact

EPSILONS = {"laplace": laplace_epsilon, "response": response_epsilon, "planar_laplace": planar_laplace_epsilon}
DELTAS = {"laplace": laplace_delta, "response": response_delta, "planar_laplace": planar_laplace_delta}
KINDS = list(EPSILONS)


@pytest.mark.parametrize(
    ("n", "budget", "delta", "numbers", "answers", "points"),
    [
        (288, 0.1, 1e-6, 8.7768, 8.9480, 5.99),
        (30, 0.3, 1e-5, 6.89695, 7.1757, 4.930),
        (8, 0.2, 1e-3, 1.40404, 1.4725, 0.975),
    ],
)
def test_published_values(n, budget, delta, numbers, answers, points):
    assert laplace_epsilon([budget] * n, delta) == pytest.approx(numbers, abs=6e-5)
    assert response_epsilon([budget] * n, delta) == pytest.approx(answers, abs=6e-5)
    assert planar_laplace_epsilon([budget] * n, delta) == pytest.approx(points, rel=2.5e-3)


def test_a_week_of_numbers():
    assert laplace_epsilon([0.05] * 2016, 1e-6) == pytest.approx(12.510, abs=6e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("budget", [1e-6, 0.01, 0.5, 3.0, 50.0])
def test_one_release_in_closed_form(kind, budget):
    """delta = P(L > e) - e^e Q(L > e), where Q is P seen from the other side."""
    for share in (0.0, 0.3, 0.5, 0.9, 0.999):
        epsilon = share * budget
        if kind == "laplace":
            exact = -math.expm1((epsilon - budget) / 2)
        elif kind == "response":
            exact = -math.expm1(epsilon - budget) / (1 + math.exp(-budget))
        elif budget < 0.01:
            continue  # `test_points_of_hardly_any_budget`
        else:
            exact = 1 - planar_below(epsilon, budget) - math.exp(epsilon) * planar_below(-epsilon, budget)
        found = DELTAS[kind]([budget], epsilon)
        most = exact * 1.002 + (1e-11 if share < 0.99 else 1e-3 * budget)  # within the last cell of the lattice
        assert exact * (1 - 1e-9) - 1e-11 <= found <= most, (share, found, exact)


def test_points_of_hardly_any_budget():
    """delta(0) is the difference of the two noises, and the mean of |cos phi| is 2/pi."""
    assert planar_laplace_delta([1e-6], 0) == pytest.approx(1e-6 / math.pi, rel=1e-4)


@pytest.mark.parametrize(("n", "budget"), [(1, 0.4), (7, 0.2), (100, 0.05), (2016, 0.05), (10_000, 1e-4), (40, 8.0)])
def test_equal_answers_are_exact(n, budget):
    for share in (0.001, 0.02, 0.1, 0.5, 0.95):
        exact = response_exact(n, budget, share * n * budget)
        assert response_delta([budget] * n, share * n * budget) == pytest.approx(exact, rel=1e-7)
        assert response_delta([budget] * n, share * n * budget) >= exact * (1 - 1e-11)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(1e-3, 3), min_size=1, max_size=9), st.floats(0, 1))
def test_answers_by_enumeration(budgets, share):
    epsilon = share * sum(budgets)
    exact = response_enumerated(budgets, epsilon)
    found = response_delta(budgets, epsilon)
    assert exact * (1 - 1e-9) - 1e-14 <= found
    loosely = response_enumerated([b * 1.002 for b in budgets], epsilon * 0.998)
    assert found <= loosely * 1.002 + 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_direct_convolution_encloses_what_is_found(kind):
    rng = np.random.default_rng(5)
    step = 0.02 if kind == "planar_laplace" else 0.002
    for n in (2, 3, 5):
        budgets = [round(b, 2) for b in rng.uniform(0.1, 1.2, n).tolist()]
        for share in (0.05, 0.3, 0.7):
            epsilon = share * sum(budgets)
            low, high = between(BELOW[kind], budgets, epsilon, step)
            found = DELTAS[kind](budgets, epsilon)
            assert low * (1 - 1e-9) <= found <= high * (1 + 3e-4), (budgets, share)


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=12)
@given(budgets=st.lists(st.floats(1e-6, 50), min_size=1, max_size=20), power=st.floats(-30, -0.4))
def test_epsilon_and_delta_are_inverse(kind, budgets, power):
    delta = 10**power
    epsilon = EPSILONS[kind](budgets, delta)
    assert 0 <= epsilon <= math.fsum(budgets)
    assert DELTAS[kind](budgets, epsilon) <= delta * 1.001  # each with its own tilt: both above the truth
    if epsilon > 1e-9:
        assert DELTAS[kind](budgets, epsilon * 0.995) >= delta * 0.98


@pytest.mark.long
@settings(deadline=None, max_examples=12)
@given(st.lists(st.floats(1e-3, 5), min_size=1, max_size=15), st.sampled_from([1e-2, 1e-6, 1e-15]))
def test_the_order_of_mechanisms(budgets, delta):
    """Points lose less than numbers, numbers less than answers, and all less than the sum; more budget loses more."""
    points, numbers, answers = (f(budgets, delta) for f in (planar_laplace_epsilon, laplace_epsilon, response_epsilon))
    near = 1 + 2e-3
    assert points <= numbers * near and numbers <= answers * near and answers <= math.fsum(budgets)
    for f in EPSILONS.values():
        assert f(budgets, delta) <= f([*budgets[1:], budgets[0] * 1.3], delta) * near
        assert f(budgets, delta) <= f([*budgets, 0.5], delta) * near
        assert f([*budgets, 0.0], delta) == f(budgets, delta)


@pytest.mark.parametrize("kind", ["laplace", "planar_laplace"])
def test_nearer_places_are_dominated_at_every_distance(kind):
    """Inputs at a share of the distance are a smaller budget at the whole: less delta at every epsilon, so in every sum."""
    for budget in (0.05, 0.3, 1.0, 4.0, 20.0):
        for epsilon in np.linspace(0, budget, 9)[:-1]:
            deltas = [DELTAS[kind]([budget * share], epsilon) for share in (1.0, 0.95, 0.8, 0.5, 0.2, 0.05)]
            assert all(a >= b * (1 - 2e-3) - 1e-14 for a, b in itertools.pairwise(deltas)), (budget, epsilon)


@pytest.mark.parametrize(("small", "large"), [(0.2, 0.3), (1.0, 1.1), (0.5, 2.0)])
def test_a_smaller_budget_is_post_processing_of_a_larger_one(small, large):
    """The transform of larger planar Laplace noise over that of smaller noise has a Lévy density of 0 or more."""
    s1, s2 = 1 / large, 1 / small
    t = np.logspace(-6, 3, 400) * s2**2
    levy = np.exp(-t / s2**2) - np.exp(-t / s1**2)
    assert (levy >= 0).all()
    for frequency in (0.1 / s2, 1 / s2, 5 / s2):
        made = math.exp(-1.5 * np.trapezoid(-np.expm1(-t * frequency**2) * levy, np.log(t)))
        assert made == pytest.approx(((1 + (s1 * frequency) ** 2) / (1 + (s2 * frequency) ** 2)) ** 1.5, rel=1e-3)


ACCOUNTED = [
    ([0.1] * 288, 1e-6),
    ([0.3] * 30, 1e-5),
    ([0.2] * 8, 1e-3),
    ([0.05, 0.1, 0.2, 0.4] * 6, 1e-6),
    ([2.0] * 3, 1e-4),
]


@pytest.mark.parametrize(("budgets", "delta"), ACCOUNTED)
def test_dp_accounting_encloses_what_is_found(budgets, delta):
    pld = pytest.importorskip(
        "dp_accounting.pld.privacy_loss_distribution",
        reason="dp-accounting is not installed: `pip install dp-accounting`",
    )

    def both(made):
        found = []
        for pessimistic in (False, True):
            ones = [made(b, pessimistic).self_compose(budgets.count(b)) for b in sorted(set(budgets))]
            found.append(functools.reduce(lambda a, b: a.compose(b), ones).get_epsilon_for_delta(delta))
        return found

    kept = {"value_discretization_interval": 1e-3 if max(budgets) > 0.5 else 1e-4}
    low, high = both(lambda b, p: pld.from_laplace_mechanism(1 / b, pessimistic_estimate=p, **kept))
    assert low - 1e-6 <= laplace_epsilon(budgets, delta) <= high * (1 + 1e-4)
    low, high = both(
        lambda b, p: pld.from_randomized_response(2 / (1 + math.exp(b)), 2, pessimistic_estimate=p, **kept)
    )
    assert low - 1e-6 <= response_epsilon(budgets, delta) <= high * (1 + 1e-4)


def test_ends():
    for f in EPSILONS.values():
        assert f([0.5, 0.25], 0) == 0.75
        assert f([0.5, 0.25], 1) == 0
        assert f([0.0], 1e-6) == 0
        assert f([0.5], 1e-300) == pytest.approx(0.5)
    for f in DELTAS.values():
        assert f([0.5, 0.25], 0.75) == 0
        assert f([0.5, 0.25], 3) == 0
        assert f([0.0], 0) == 0
        assert 0 < f([0.5, 0.25], 0.7) < f([0.5, 0.25], 0.0) < 1


@pytest.mark.long
def test_many_releases_of_all_sizes():
    rng = np.random.default_rng(2)
    budgets = 10 ** rng.uniform(-6, 1.69, 100)
    for kind in KINDS[:1]:
        epsilon = EPSILONS[kind](budgets, 1e-6)
        assert 0.5 * budgets.sum() < epsilon < budgets.sum()
        assert 0.5e-6 < DELTAS[kind](budgets, epsilon) <= 1.001e-6


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: laplace_epsilon([], 1e-6), "Epsilons must contain at least one number"),
        (lambda: laplace_epsilon([-1.0], 1e-6), "Epsilons must not be negative"),
        (lambda: response_epsilon([0.1], 1.5), "Delta must be a number between 0 and 1"),
        (lambda: planar_laplace_delta([0.1], -1), "Epsilon must be a finite number, 0 or more"),
        (lambda: response_delta([float("inf")], 1), "Epsilons must contain finite numbers"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_all_names_are_offered():
    assert {f.__name__ for f in (*EPSILONS.values(), *DELTAS.values())} <= set(composition.__all__)


@pytest.mark.parametrize("seed", range(12))
def test_budgets_rounded_up_are_never_smaller_and_lose_little(seed):
    rng = np.random.default_rng(seed)
    budgets = np.round(rng.uniform(0, 1, 60) ** 3, 3)
    for most in (1, 2, 5, 24, 100):
        raised = rounded_up(budgets, most)
        assert (raised >= budgets).all() and ((raised == 0) == (budgets == 0)).all()
        assert len(set(raised[raised > 0])) <= most and set(raised) <= set(budgets)
    assert rounded_up(budgets, 100).tolist() == budgets.tolist()
    two = min(  # the best of two levels, by trying all
        np.where(budgets <= level, np.where(budgets > 0, level, 0), budgets.max()).sum()
        for level in budgets[budgets > 0]
    )
    assert rounded_up(budgets, 2).sum() == pytest.approx(two)
    for epsilon_of in (laplace_epsilon, response_epsilon, planar_laplace_epsilon):
        exact, raised = epsilon_of(budgets, 1e-4), epsilon_of(rounded_up(budgets, 24), 1e-4)
        assert exact * (1 - 1e-6) <= raised <= 1.05 * exact


def test_budgets_that_cannot_be_rounded_up():
    assert rounded_up([0.0, 0.0], 3).tolist() == [0.0, 0.0]
    assert rounded_up([0.3, 0.3], 1).tolist() == [0.3, 0.3]
    with pytest.raises(InputError, match="Most must be a whole number"):
        rounded_up([0.1, 0.2], 0)
    with pytest.raises(InputError, match="Epsilons must"):
        rounded_up([-0.1], 3)


@pytest.mark.parametrize(("n", "budget", "delta"), [(8, 0.2, 1e-3), (30, 0.3, 1e-5), (288, 0.1, 1e-6)])
def test_points_lie_between_losses_rounded_down_and_up(n, budget, delta):
    """A rigorous bracket from the distribution function: every loss on a fine lattice, down and up, summed by one FFT."""
    cells = 1000
    step = budget / cells
    below = np.array([planar_below(k * step, budget) for k in range(-cells, cells + 1)])
    chances = np.diff([0.0, *below])
    size = 2 ** math.ceil(math.log2(len(chances) * n))
    total = np.maximum(np.fft.irfft(np.fft.rfft(chances, size) ** n, size), 0)
    found = planar_laplace_epsilon([budget] * n, delta)
    for up in (True, False):
        losses = (np.arange(size) - n * cells - (0 if up else n)) * step
        above = losses > found
        at_found = float((total[above] * -np.expm1(found - losses[above])).sum())
        assert (at_found >= delta * (1 - 1e-6)) if up else (at_found <= delta)

"""Gaussian noise and trade-off curves: published values, closed forms, the line that each (epsilon, delta) draws below."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.optimize import linprog

from lmdk_widgets.composition import (
    gaussian_delta,
    gaussian_epsilon,
    laplace_delta,
    response_delta,
    trade_off,
    trade_off_between,
)
from lmdk_widgets.errors import InputError
from tests.composition.composition_truth import gaussian_exact


@pytest.mark.parametrize(
    ("epsilon", "mu", "delta"),
    [(1, 1, 0.1269367375), (1, 0.5, 0.0068295950), (2, 1, 0.0209236358), (1, 0.25 * math.sqrt(10), 0.0605854367)],
)
def test_published_values(epsilon, mu, delta):
    assert gaussian_delta(epsilon, mu) == pytest.approx(delta, abs=5e-11)


@pytest.mark.parametrize("mu", [1e-4, 0.01, 0.3, 0.99, 1.0, 1.1, 3.0, 10.0, 100.0])
def test_the_closed_form_in_80_digits(mu):
    for epsilon in (0, 1e-6, 0.01, 1, 5, 50, 1000):
        exact = gaussian_exact(epsilon, mu)
        if exact > 1e-290:
            assert gaussian_delta(epsilon, mu) == pytest.approx(exact, rel=1e-12)
        assert gaussian_delta(epsilon, mu) > 0


def test_epsilon_is_the_inverse_of_delta_from_above():
    for mu in (0.05, 0.5, 2.0, 20.0):
        for delta in (1e-12, 1e-6, 1e-2, 0.3):
            epsilon = gaussian_epsilon(delta, mu)
            assert gaussian_delta(epsilon, mu) <= delta
            assert epsilon == 0 or gaussian_delta(epsilon * (1 - 1e-6), mu) > delta
    assert gaussian_epsilon(0.9, 0.1) == 0


def test_curves_in_closed_form():
    alpha, missed = trade_off("gaussian", mu=1.5, points=41)
    exact = [NormalDist().cdf(NormalDist().inv_cdf(1 - a) - 1.5) for a in alpha[1:-1]]
    assert missed[1:-1] == pytest.approx(exact) and missed[0] == 1 and missed[-1] == 0
    alpha, missed = trade_off("laplace", epsilons=[1.0], points=41)
    e = math.e
    exact = np.where(
        alpha < 1 / (2 * e),
        1 - e * alpha,
        np.where(alpha > 0.5, (1 - alpha) / e, 1 / (4 * e * np.maximum(alpha, 0.01))),
    )
    assert (missed <= exact + 1e-12).all() and missed == pytest.approx(exact, abs=2e-4)
    for kind in ("response", "pure"):
        alpha, missed = trade_off(kind, epsilons=[1.0], points=41)
        exact = np.maximum(np.maximum(1 - e * alpha, (1 - alpha) / e), 0)
        assert missed == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(("kind", "delta"), [("laplace", laplace_delta), ("response", response_delta)])
@pytest.mark.parametrize("epsilons", [[0.1] * 50, [0.3, 1.0, 0.2], [2.0]])
def test_every_delta_is_a_line_that_touches_the_curve(kind, delta, epsilons):
    alpha, missed = trade_off(kind, epsilons=epsilons, points=2001)
    for epsilon in np.linspace(0, 0.9 * sum(epsilons), 7):
        gap = missed - (1 - delta(epsilons, epsilon) - math.exp(epsilon) * alpha)
        assert gap.min() >= -2e-3 and gap.min() < 5e-3


@pytest.mark.parametrize("seed", range(20))
def test_no_set_of_outputs_and_no_coin_beats_the_curve_between_two_inputs(seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.dirichlet(np.ones(6)) * [1, *(rng.random(5) < 0.7)] for _ in range(2))
    first, second = first / first.sum(), second / second.sum()
    alpha, missed = trade_off_between(first, second, points=401)
    for k in (0, 40, 100, 200, 360, 400):  # what to say first for, coins included: a linear programme
        best = linprog(-first, A_ub=[second], b_ub=[alpha[k]], bounds=[(0, 1)] * 6)
        assert 1 + best.fun == pytest.approx(missed[k], abs=1e-9)


def test_randomised_response_between_its_inputs_and_outputs_that_only_one_input_has():
    truth = 1 / (1 + math.exp(-1.2))
    between = trade_off_between([truth, 1 - truth], [1 - truth, truth])[1]
    assert between == pytest.approx(trade_off("response", epsilons=[1.2])[1], abs=1e-9)
    assert trade_off_between([0.5, 0.5, 0], [0, 0.5, 0.5], points=3)[1].tolist() == [0.5, 0, 0]
    assert trade_off_between([1, 0], [0, 1], points=3)[1].tolist() == [0, 0, 0]


def test_orders_and_symmetry():
    for kind in ("laplace", "response", "planar_laplace"):
        alpha, missed = trade_off(kind, epsilons=[0.2] * 20, points=501)
        pure = trade_off("pure", epsilons=[0.2] * 20, points=501)[1]
        assert (missed >= pure).all() and (missed <= 1 - alpha + 1e-12).all() and (np.diff(missed) <= 1e-12).all()
        assert (np.diff(missed, 2) >= -1e-9).all()  # convex
        assert np.interp(missed[::-1], alpha, missed)[::-1] == pytest.approx(alpha, abs=2e-2)
    assert trade_off("laplace", epsilons=[0.0, 0.0], points=3)[1].tolist() == [1, 0.5, 0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: gaussian_delta(1, 0), "Mu must be a finite number above 0"),
        (lambda: gaussian_epsilon(0, 1), "Delta must be a number strictly between 0 and 1"),
        (lambda: trade_off("normal", mu=1), "Kind must be"),
        (lambda: trade_off("gaussian"), "Mu must be given"),
        (lambda: trade_off("laplace", epsilons=[1], mu=1), "Mu must be None"),
        (lambda: trade_off("pure", epsilons=[1], points=1), "Points must be a whole number"),
        (lambda: trade_off_between([0.5, 0.5], [1.0]), "Second must"),
        (lambda: trade_off_between([0.5, 0.6], [0.5, 0.5]), "First must"),
        (lambda: trade_off_between([1], [1], points=1), "Points must be a whole number"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(InputError, match=said):
        call()

"""Planned budgets give the loss that was asked for: exactly where the end is known, never more where it is not."""

import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import (
    LossFunction,
    effective_epsilon,
    effective_epsilon_bound,
    landmark_loss,
    landmark_loss_bound,
    plan_budgets,
    reverse,
    temporal_loss,
)
from lmdk_widgets.leakage.markov import smoothed_identity
from tests.sweeps import size

from .oracles import EQUAL_ROWS, A, C, M, random_matrix


def test_values_of_the_specification():
    assert plan_budgets(A, A, 1.0) == pytest.approx(0.0876229029, abs=1e-9)
    finite = plan_budgets(A, A, 1.0, n=5)
    assert finite[[0, 4]] == pytest.approx(0.5438114514, abs=1e-9)
    assert finite[1:4] == pytest.approx(0.0876229029, abs=1e-9)


@pytest.mark.long
def test_total_loss_is_alpha_at_every_timestamp():
    rng = np.random.default_rng(0)
    for _ in range(300):
        sides = [random_matrix(rng, int(rng.integers(2, 5))) if rng.random() < 0.9 else None for _ in range(2)]
        alpha, n = float(10 ** rng.uniform(-4, 1.5)), int(rng.choice([1, 2, 3, 10, 200]))
        budgets = plan_budgets(*sides, alpha, n)
        assert budgets.shape == (n,) and (budgets >= 0).all()
        total = temporal_loss(*sides, budgets).total
        assert (total <= alpha * (1 + 2e-12)).all()
        if budgets.all():  # otherwise timestamps between the ends are silent
            assert total == pytest.approx(np.full(n, alpha), rel=2e-12)


def test_without_end_the_loss_never_exceeds_alpha_and_comes_close():
    rng = np.random.default_rng(1)
    for _ in range(100):
        sides = [random_matrix(rng, int(rng.integers(2, 5))) if rng.random() < 0.9 else None for _ in range(2)]
        alpha = float(10 ** rng.uniform(-4, 1.5))
        epsilon = plan_budgets(*sides, alpha)
        assert isinstance(epsilon, float)
        suprema = [epsilon if p is None else LossFunction(p).supremum(epsilon) for p in sides]
        identity = any(p is not None and LossFunction(p).is_identity for p in sides)
        assert (temporal_loss(*sides, np.full(3000, epsilon)).total <= alpha * (1 + 1e-12)).all()
        assert epsilon == 0 if identity else sum(suprema) - epsilon == pytest.approx(alpha, rel=1e-6)


def test_one_sided_and_degenerate():
    assert plan_budgets(None, None, 0.7) == 0.7 and plan_budgets(None, None, 0.7, 3).tolist() == [0.7] * 3
    assert plan_budgets(EQUAL_ROWS, EQUAL_ROWS, 0.7) == 0.7
    assert plan_budgets(np.eye(2), np.eye(2), 1.0) == 0
    assert plan_budgets(np.eye(2), np.eye(2), 1.0, 4).tolist() == [0.25] * 4
    assert plan_budgets(np.eye(2), A, 1.0) == 0
    assert plan_budgets(A, A, 0.0, 3).tolist() == [0, 0, 0] and plan_budgets(A, A, 0) == 0
    assert plan_budgets(A, C, 2.0, 1).tolist() == [2.0]
    assert plan_budgets(A, None, 1.0) == pytest.approx(LossFunction(A).headroom(1.0))
    assert plan_budgets(M, M, 1000.0) > 900


def test_a_larger_alpha_or_a_weaker_correlation_gives_more():
    budgets = [plan_budgets(M, M, alpha) for alpha in np.linspace(0.1, 5, 30)]
    assert (np.diff(budgets) > 0).all()
    strengths = [plan_budgets(p := smoothed_identity(4, s), p, 1.0) for s in (1e-4, 1e-2, 1, 100)]
    assert (np.diff(strengths) > 0).all()


def test_a_chain_that_changes_with_time():
    forward = [[[0.9, 0.1], [0.2, 0.8]], [[0.8, 0.2], [0.3, 0.7]], [[0.85, 0.15], [0.25, 0.75]]]
    backward = reverse(forward, [0.5, 0.5])
    budgets = plan_budgets(backward, forward, 1.0, 4)
    assert temporal_loss(backward, forward, budgets).total == pytest.approx(np.ones(4), rel=1e-12)
    assert plan_budgets([A] * 3, [A] * 3, 1.0, 4) == pytest.approx(plan_budgets(A, A, 1.0, 4), rel=1e-12)
    with pytest.raises(InputError, match="negative budget"):
        plan_budgets([np.eye(2), None], [None, np.eye(2)], 1.0, 3)
    with pytest.raises(InputError, match="one matrix .* if n is None; got a chain that changes"):
        plan_budgets([A, C], None, 1.0)


@pytest.mark.parametrize("alpha", [-1, math.nan, math.inf, "1"])
def test_what_is_no_loss_is_refused(alpha):
    with pytest.raises(InputError, match="Alpha must be a finite number, 0 or more; got"):
        plan_budgets(A, A, alpha)


@pytest.mark.parametrize("n", [0, -2, 1.5])
def test_what_is_no_length_is_refused(n):
    with pytest.raises(InputError, match="N must be a whole number, 1 or more; got"):
        plan_budgets(A, A, 1.0, n)


def test_the_effective_epsilon_of_the_specification():
    assert effective_epsilon(C, C, [0.2] * 8, [0, 2, 4, 7], 1.0) == pytest.approx(0.5815708987, abs=1e-9)


@pytest.mark.long
def test_the_effective_epsilon_is_the_largest_factor_that_keeps_the_loss():
    rng = np.random.default_rng(7)
    for _ in range(60):
        n = int(rng.integers(1, 12))
        sides = [random_matrix(rng, int(rng.integers(2, 5))) if rng.random() < 0.8 else None for _ in range(2)]
        budgets = rng.exponential(1, n) * (rng.random(n) < 0.8)
        landmarks = np.flatnonzero(rng.random(n) < 0.4)
        epsilon = float(10 ** rng.uniform(-3, 1))
        if not budgets.any():
            continue
        factor = effective_epsilon(*sides, budgets, landmarks, epsilon)
        assert landmark_loss(*sides, factor * budgets, landmarks).max() <= epsilon * (1 + 1e-12)
        assert landmark_loss(*sides, factor * (1 + 1e-9) * budgets, landmarks).max() > epsilon * (1 - 1e-12)


@pytest.mark.long
def test_the_effective_epsilon_of_the_bound_is_the_largest_factor_that_keeps_it():
    rng = np.random.default_rng(8)
    for k in range(size(80)):
        n = int(rng.integers(1, 9))
        p = random_matrix(rng, int(rng.integers(2, 4))) if rng.random() < 0.8 else None
        budgets, landmarks = rng.exponential(1, n) + 0.01, np.flatnonzero(rng.random(n) < 0.4)
        wanted, start = float(10 ** rng.uniform(-2, 1)), ("stationary", "any")[k % 2]
        factor = effective_epsilon_bound(p, budgets, landmarks, wanted, start=start)
        assert landmark_loss_bound(p, factor * budgets, landmarks, start=start).max() <= wanted * (1 + 1e-12)
        assert landmark_loss_bound(p, factor * (1 + 3e-9) * budgets, landmarks, start=start).max() > wanted * (
            1 - 1e-12
        )
    with pytest.raises(InputError, match="At least one budget must be above 0"):
        effective_epsilon_bound(C, [0.0, 0.0], [0], 1.0)
    for wrong in (0.0, float("nan")):
        with pytest.raises(InputError, match="psilon"):
            effective_epsilon_bound(C, [0.1, 0.1], [0], wrong)
    with pytest.raises(InputError, match="Start"):
        effective_epsilon_bound(C, [0.1, 0.1], [0], 1.0, start="uniform")


def test_without_correlation_the_effective_epsilon_is_what_the_sums_leave():
    assert effective_epsilon(None, None, [0.25, 0.2, 0.25], [0, 2], 1.0) == pytest.approx(1 / 0.7)


def test_an_effective_epsilon_needs_a_budget_and_a_loss_to_keep():
    with pytest.raises(InputError, match="At least one budget must be above 0"):
        effective_epsilon(C, C, [0.0, 0.0], [0], 1.0)
    with pytest.raises(InputError, match="psilon"):
        effective_epsilon(C, C, [0.1, 0.1], [0], 0.0)

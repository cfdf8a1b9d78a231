"""The loss over all starts against starts one by one, and against the priors that reach it."""

import itertools
from math import exp, log, sqrt

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import (
    AnyStart,
    LossFunction,
    backward_loss,
    landmark_loss,
    landmark_loss_bound,
    plan_budgets,
    temporal_loss,
    window_loss,
)
from lmdk_widgets.leakage.markov import reverse, stationary, transient_states
from tests.sweeps import size

from .oracles import CYCLE, EQUAL_ROWS, A, C, M, brute_force, literal_landmark_loss, random_matrix


def _positive(rng, m):
    return rng.dirichlet(np.full(m, rng.choice([0.3, 1.0, 5.0])), m) * 0.999 + 0.001 / m


def test_a_uniform_start_of_the_one_way_chain_loses_what_the_long_run_never_shows():
    assert backward_loss(reverse(A), [1.0] * 8) == pytest.approx(np.ones(8))
    uniform = backward_loss(reverse([A] * 7, [0.5, 0.5]), [1.0] * 8)
    assert uniform[-1] == pytest.approx(7.52, abs=5e-3)
    assert backward_loss(AnyStart(A), [1.0] * 8) == pytest.approx(np.arange(1.0, 9.0))


def test_transient_states():
    assert transient_states(A).tolist() == [0]
    assert [transient_states(p).tolist() for p in (C, M, CYCLE, EQUAL_ROWS, np.eye(3))] == [[]] * 5
    assert transient_states([[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1], [0, 0, 1, 0]]).tolist() == [0, 1]
    rng = np.random.default_rng(0)
    for _ in range(100):
        p = random_matrix(rng, 4) * (rng.random((4, 4)) < 0.5)
        p[p.sum(axis=1) == 0, 0] = 1
        p /= p.sum(axis=1, keepdims=True)
        assert (np.flatnonzero(stationary(p) == 0) == transient_states(p)).all()


def _reversed(p, prior):
    """(m, m) rows P(before | now) by Bayes' rule, for the states that can occur."""
    joint = (prior[:, None] * p).T
    return joint[joint.sum(axis=1) > 0] / joint.sum(axis=1, keepdims=True)[joint.sum(axis=1) > 0]


def test_the_most_over_priors_of_one_timestamp():
    rng = np.random.default_rng(1)
    for _ in range(60):
        p = _positive(rng, 3)
        alphas = [0.01, 0.5, 2.0, 9.0]
        found = AnyStart(p)(np.array(alphas))
        assert found == pytest.approx([AnyStart(p)(a) for a in alphas], rel=1e-12)
        best = np.zeros(4)
        for k, alpha in enumerate(alphas):
            for y, z in itertools.permutations(range(3), 2):
                for x, w in itertools.permutations(range(3), 2):
                    ratio = p[y, x] * p[z, w] / (p[z, x] * p[y, w])
                    odds = 1 / sqrt(ratio * exp(alpha)) / (p[y, w] / p[z, w])  # of y against z
                    prior = np.full(3, 1e-15)
                    prior[y], prior[z] = odds / (1 + odds), 1 / (1 + odds)
                    best[k] = max(best[k], brute_force(_reversed(p, prior), [alpha])[0])
        assert best == pytest.approx(found, rel=1e-6)
        for prior in rng.dirichlet(np.full(3, 0.3), 20):
            assert (brute_force(_reversed(p, prior), alphas) <= found * (1 + 1e-9)).all()


@pytest.mark.long
def test_starts_one_by_one_never_pass_and_sometimes_reach_it():
    rng, near = np.random.default_rng(2), 0
    for _ in range(size(150)):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 6))
        p, eps = _positive(rng, m), rng.random(n) * 10 ** rng.uniform(-1, 0.5)
        bound = backward_loss(AnyStart(p), eps)
        most = np.zeros(n)
        for start in [*rng.dirichlet(np.full(m, 0.2), 40), np.full(m, 1 / m), stationary(p)]:
            start = (start + 1e-12) / (1 + m * 1e-12)
            most = np.maximum(most, backward_loss(reverse([p] * (n - 1), start), eps))
        assert (most <= bound * (1 + 1e-9)).all()
        near += bool((most[1:] > bound[1:] * 0.99).any())
    assert near >= size(150) // 5


def test_the_machinery_serves_it():
    rng = np.random.default_rng(3)
    for p in (C, M, _positive(rng, 4)):
        loss, forward = AnyStart(p), LossFunction(p)
        eps, landmarks = rng.random(40) * 0.4, [4, 9, 30]
        literal = [eps[0]]
        for epsilon in eps[1:]:
            literal.append(loss(literal[-1]) + epsilon)
        found = temporal_loss(loss, forward, eps)
        assert found.backward == pytest.approx(np.array(literal), rel=1e-12)
        assert found.forward == pytest.approx(temporal_loss(None, forward, eps).forward)
        expected = literal_landmark_loss(loss, forward, list(eps), landmarks)
        assert landmark_loss(loss, forward, eps, landmarks) == pytest.approx(expected, rel=1e-11)
        assert window_loss(loss, forward, eps, 40)[-1] == pytest.approx(eps.sum())
        assert backward_loss(loss, np.full(4000, 0.1))[-1] == pytest.approx(loss.supremum(0.1), rel=1e-9)
        planned = plan_budgets(loss, forward, 1.0, n=12)
        assert temporal_loss(loss, forward, planned).total == pytest.approx(np.ones(12), abs=1e-9)
        assert loss.headroom(0.7) == pytest.approx(0.7 - loss(0.7), rel=1e-12)


def test_limits():
    assert AnyStart(EQUAL_ROWS).is_zero
    assert AnyStart(EQUAL_ROWS)(3.0) == 0
    for p in (A, CYCLE, np.eye(2)):
        assert AnyStart(p).is_identity
        assert AnyStart(p).supremum(0.1) == np.inf
        assert AnyStart(p).largest_bounded_epsilon() == 0
    assert AnyStart([[0.5, 0.5, 0], [0.1, 0.9, 0], [0.3, 0.7, 0]]).diameter == pytest.approx(log(9))
    assert AnyStart([[1 - 1e-300, 1e-300], [0.5, 0.5]])(5.0) == pytest.approx(5.0)
    with pytest.raises(InputError):
        AnyStart([[0.5, 0.4], [0, 1]])


def test_never_less_than_the_long_run():
    rng = np.random.default_rng(4)
    for _ in range(50):
        p = _positive(rng, 4)
        alphas = 10 ** rng.uniform(-3, 2, 8)
        assert (AnyStart(p)(alphas) >= LossFunction(reverse(p))(alphas) * (1 - 1e-12)).all()
        eps = rng.random(15)
        any_start = landmark_loss_bound(p, eps, [3, 8], start="any")
        assert (any_start >= landmark_loss_bound(p, eps, [3, 8]) * (1 - 1e-12)).all()
    with pytest.raises(InputError, match="Start"):
        landmark_loss_bound(C, [1.0], [0], start="uniform")


def test_landmarks_over_all_starts_by_enumeration():
    from .test_leakage_landmark_bound import largest_leak

    rng = np.random.default_rng(5)
    for _ in range(40):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        p = _positive(rng, m) if rng.random() < 0.5 else random_matrix(rng, m)
        eps = rng.random(n) * 2
        landmarks = np.flatnonzero(rng.random(n) < 0.5).tolist()
        bound = landmark_loss_bound(p, eps, landmarks, start="any")
        for t in range(n):
            start = rng.dirichlet(np.full(m, 0.5)) + 1e-9
            leak = largest_leak(p, eps, sorted({*landmarks, t}), rng, tries=10, start=start / start.sum())
            assert leak <= bound[t] * (1 + 1e-9) + 1e-12


def test_the_slope_is_the_derivative() -> None:
    loss, h = AnyStart([[0.8, 0.2], [0.2, 0.8]]), 1e-5
    for a in (0.1, 1.0, 5.0):
        assert loss.slope(a) == pytest.approx((loss(a + h) - loss(a - h)) / (2 * h), abs=1e-8)
    assert loss.slope(np.array([0.1, 5.0])) == pytest.approx([loss.slope(0.1), loss.slope(5.0)], rel=1e-12)

"""Backward, forward, total and window loss against the literal recursion, in every regime."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import LossFunction, backward_loss, forward_loss, reverse, temporal_loss, window_loss
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.leakage.recursion import run

from .oracles import EQUAL_ROWS, A, C, M, literal_loss, normalised, random_matrix

TENTHS = [0.1] * 10
BPL_A = [0.1, 0.1807840339, 0.2471477411, 0.3023648491, 0.3487675061]
BPL_A += [0.3880737760, 0.4215839752, 0.4503042547, 0.4750275770, 0.4963885968]
TPL_A = [0.4963885968, 0.5558116109, 0.5974519957, 0.6239488243, 0.6368412821]


def test_values_of_the_specification():
    a = temporal_loss(A, A, TENTHS)
    assert a.backward == pytest.approx(BPL_A, abs=1e-9) and a.forward == pytest.approx(BPL_A[::-1], abs=1e-9)
    assert a.total == pytest.approx(TPL_A + TPL_A[::-1], abs=1e-9)
    c = temporal_loss(C, C, TENTHS)
    assert c.backward[9] == pytest.approx(0.2473828908, abs=1e-9)
    assert c.total[[0, 4]] == pytest.approx([0.2473828908, 0.3676666473], abs=1e-9)
    identity = temporal_loss(np.eye(2), np.eye(2), TENTHS)
    assert identity.backward == pytest.approx(0.1 * np.arange(1, 11)) and identity.total == pytest.approx(np.ones(10))
    for none in (EQUAL_ROWS, None):
        assert temporal_loss(none, none, TENTHS).total.tolist() == TENTHS


@pytest.mark.long
def test_literal_recursion_on_random_matrices():
    rng = np.random.default_rng(0)
    for _ in range(300):
        p_backward, p_forward = (random_matrix(rng, int(rng.integers(2, 6))) for _ in range(2))
        n = int(rng.integers(1, 25))
        eps = rng.random(n) * 10 ** rng.uniform(-3, 0.5) * (rng.random(n) < 0.8)
        loss = temporal_loss(p_backward, p_forward, eps)
        assert loss.backward == pytest.approx(literal_loss(p_backward, eps), rel=1e-9, abs=1e-13)
        assert loss.forward == pytest.approx(literal_loss(p_forward, eps[::-1])[::-1], rel=1e-9, abs=1e-13)
        assert loss.total == pytest.approx(loss.backward + loss.forward - eps)
        assert (backward_loss(p_backward, eps) == loss.backward).all()
        assert (forward_loss(p_forward, eps) == loss.forward).all()


def test_tiny_budgets_keep_their_digits():
    eps = np.array([3e-13, 1e-12, 0.0, 2e-13])
    d, g = 0.2, 0.6  # C: near 0 the loss carries q - d of what was there; of two moves, g^2
    expected = [eps[0]]
    for e in eps[1:]:
        expected.append(expected[-1] * g + e)
    assert backward_loss(C, eps) == pytest.approx(expected, rel=1e-11)
    assert d < g


def _step_by_step(loss, eps):
    """One call of L a timestamp."""
    losses = [eps[0]]
    for e in eps[1:]:
        losses.append(loss(losses[-1]) + e)
    return np.array(losses)


def _chains(rng):
    yield LossFunction(A)
    yield LossFunction(M)
    yield LossFunction(smoothed_identity(5, 0.001))
    yield LossFunction(rng.dirichlet(np.ones(30), 30))
    yield LossFunction(normalised(rng.dirichlet(np.full(12, 0.05), 12) + 1e-4))
    yield LossFunction([[0.9, 0.1, 0, 0], [0.05, 0.9, 0.05, 0], [0.3, 0.3, 0.4, 0], [0.1, 0.1, 0.1, 0.7]])


@pytest.mark.parametrize("kind", ["steady", "few values", "varying", "with zeros", "bursts"])
@pytest.mark.parametrize("n", [1, 2, 300, 9000])
def test_long_series_are_the_recursion_step_by_step(kind, n):
    rng = np.random.default_rng(n)
    eps = {
        "steady": np.full(n, 0.1),
        "few values": np.repeat([0.1, 0.0, 0.7, 0.1], -(-n // 4))[:n],
        "varying": rng.random(n) * 0.4,
        "with zeros": rng.random(n) * (rng.random(n) < 0.3),
        "bursts": np.where(rng.random(n) < 0.01, 30.0, 0.01),
    }[kind]
    for loss in _chains(rng):
        assert_allclose(run(eps, loss), _step_by_step(loss, eps), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("eps", [0.5, 3.0, 100.0, 350.0, 5e3])
def test_losses_beyond_the_reach_of_the_exponential(eps):
    budgets = np.full(2000, eps)
    budgets[1000:1500] = 0.0
    for p in (A, M, smoothed_identity(3, 1e-6)):
        loss = LossFunction(p)
        assert_allclose(run(budgets, loss), _step_by_step(loss, budgets), rtol=1e-12)
    assert np.isfinite(temporal_loss(A, A, budgets).total).all()


def test_a_chain_that_changes_with_time():
    rng = np.random.default_rng(2)
    n = 12
    matrices = [random_matrix(rng, 3) for _ in range(n - 1)]
    eps = rng.random(n)
    loss = temporal_loss(matrices, matrices, eps)
    back, front = [eps[0]], [eps[-1]]
    for t in range(1, n):
        back.append(LossFunction(matrices[t - 1])(back[-1]) + eps[t])
        front.append(LossFunction(matrices[n - 1 - t])(front[-1]) + eps[n - 1 - t])
    assert loss.backward == pytest.approx(back) and loss.forward == pytest.approx(front[::-1])
    assert temporal_loss([A] * (n - 1), None, eps).backward == pytest.approx(backward_loss(A, eps), rel=1e-12)
    assert backward_loss(np.stack(matrices), eps) == pytest.approx(loss.backward)
    some = [None if t % 2 else LossFunction(A) for t in range(n - 1)]
    assert backward_loss(some, eps)[2] == eps[2]
    assert backward_loss([], [0.5]).tolist() == [0.5]


def test_the_future_changes_the_forward_loss_only():
    shorter, longer = temporal_loss(A, A, TENTHS), temporal_loss(A, A, [*TENTHS, 0.1])
    assert (shorter.backward == longer.backward[:10]).all() and (shorter.forward < longer.forward[:10]).all()


def test_the_reverse_of_a_chain_is_what_the_backward_loss_takes():
    p = np.array([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5], [0.6, 0.0, 0.4]])
    loss = temporal_loss(reverse(p), p, TENTHS)
    assert not np.allclose(loss.backward, loss.forward[::-1])


def test_supremum_is_the_limit():
    for p in (A, C, M):
        assert backward_loss(p, [0.1] * 4000)[-1] == pytest.approx(LossFunction(p).supremum(0.1), rel=1e-12)


def test_windows():
    rng = np.random.default_rng(3)
    n, eps = 9, rng.random(9)
    loss = temporal_loss(A, M, eps)
    for w in (1, 2, 3, 5, n, n + 4):
        found = window_loss(A, M, eps, w)
        for last in range(n):
            first = max(0, last - w + 1)
            expected = loss.backward[first] + loss.forward[last] + eps[first + 1 : last].sum()
            assert found[last] == pytest.approx(loss.total[last] if first == last else expected, rel=1e-13)
    assert window_loss(A, M, eps, n)[-1] == pytest.approx(eps.sum(), rel=1e-14)
    assert (window_loss(A, M, eps, 1) == loss.total).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: backward_loss(A, []), "budgets"),
        (lambda: backward_loss(A, [[0.1]]), "budgets"),
        (lambda: backward_loss(A, ["x"]), "budgets"),
        (lambda: backward_loss(A, [0.1, -1]), "timestamp 1"),
        (lambda: backward_loss(A, [math.nan]), "timestamp 0"),
        (lambda: backward_loss(A, [0.1, math.inf]), "timestamp 1"),
        (lambda: backward_loss([A, A], [0.1, 0.1]), "2 matrices"),
        (lambda: backward_loss([A, [[1, 0], [0.5, 0.4]]], TENTHS[:3]), r"row 1 of p_backward\[1\] .*0\.9"),
        (lambda: forward_loss([[1.0]] * 2, [0.1]), "p_forward"),
        (lambda: temporal_loss(A, "C", [0.1, 0.1]), "p_forward"),
        (lambda: window_loss(A, A, TENTHS, 0), "window"),
        (lambda: window_loss(A, A, TENTHS, 1.5), "window"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(InputError, match=f"(?i){words}"):
        call()

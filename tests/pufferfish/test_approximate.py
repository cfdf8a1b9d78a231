"""MQMApprox against its published value, a plain loop, and the exact scale it must never undercut."""

from __future__ import annotations

from math import ceil, exp, inf, log, tanh

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish import (
    MarkovChain,
    approximate_quilt_scale,
    max_influence,
    mixing_constants,
    mixing_influence,
    quilt_scale,
)

from .oracles import quilts


def loop(length, epsilon, rarest, gap, past=2.0, future=1.0, card=0):
    """The mechanism word for word; `past` and `future` are the factors of the two sides."""

    def bound(distance):
        d = exp(-gap * distance / 2) / rarest
        return log((1 + d) / (1 - d)) if d < 1 else inf

    worst = 0.0
    for node in range(length):
        best = inf
        for left, right, size in quilts(length, node):
            e = 0.0 if left is None else past * bound(node - left)
            e += 0.0 if right is None else future * bound(right - node)
            best = min(best, (size + card) / (epsilon - e)) if e < epsilon else best
        worst = max(worst, best)
    return worst


def test_published_value():
    found = approximate_quilt_scale(length=100, epsilon=1.0, minimum_probability=0.2, gap=1.0)
    assert found.scale == pytest.approx(23.5059552232, abs=5e-11)
    assert (found.node - found.quilt[0], found.quilt[1] - found.node, found.chain) == (11, 10, None)


def test_against_the_loop():
    rng = np.random.default_rng(1)
    for _ in range(25):
        length, epsilon = int(rng.integers(1, 30)), float(np.exp(rng.uniform(-1, 2)))
        rarest, gap = float(rng.uniform(0.02, 0.5)), float(rng.uniform(0.1, 2))
        found = approximate_quilt_scale(length=length, epsilon=epsilon, minimum_probability=rarest, gap=gap)
        assert found.scale == pytest.approx(loop(length, epsilon, rarest, gap), rel=1e-9)


@pytest.mark.parametrize("mistake", [{"past": 1.0, "future": 1.0}, {"future": 2.0}, {"card": -1}, {"card": 1}])
def test_mutants_of_the_scale_are_caught(mistake):
    right = approximate_quilt_scale(length=22, epsilon=3.0, minimum_probability=0.2, gap=1.0).scale
    assert loop(22, 3.0, 0.2, 1.0) == pytest.approx(right, rel=1e-12)
    assert loop(22, 3.0, 0.2, 1.0, **mistake) != pytest.approx(right, rel=1e-3)


@pytest.mark.parametrize("mistake", [{"past": 1.0, "future": 2.0}, {"past": 1.0}, {"card": -1}, {"card": 1}])
def test_mutants_are_caught(mistake):
    """With the factor 2 on the wrong side sigma is the same, as the series can be read backward: the quilt tells."""
    wide = approximate_quilt_scale(length=100, epsilon=1.0, minimum_probability=0.2, gap=1.0)
    a, b = wide.node - wide.quilt[0], wide.quilt[1] - wide.node
    e = mistake.get("past", 2) * mixing_influence(a, 0.2, 1.0) + mistake.get("future", 1) * mixing_influence(b, 0.2, 1)
    assert (a + b - 1 + mistake.get("card", 0)) / (1 - e) != pytest.approx(wide.scale, rel=1e-6)


@pytest.mark.long
def test_the_bound_is_one_whatever_the_start():
    """2 f(a) + f(b) is at least the exact influence, at every node, for every quilt."""
    rng = np.random.default_rng(2)
    for _ in range(12):
        m = int(rng.integers(2, 4))
        p = rng.dirichlet(np.full(m, 2.0), m)
        chain = MarkovChain(rng.dirichlet(np.full(m, 0.3)), p)
        rarest, gap = mixing_constants(chain)
        for node in range(9):
            for left, right, _ in quilts(9, node):
                f = [
                    0.0 if side is None else float(mixing_influence(abs(node - side), rarest, gap))
                    for side in (left, right)
                ]
                e = max_influence(chain, 9, node, left, right)
                assert e <= 2 * f[0] + f[1] + 1e-9
        for epsilon in (0.5, 2.0):
            sigma = approximate_quilt_scale(chain, length=60, epsilon=epsilon).scale
            assert sigma >= quilt_scale(chain, 60, epsilon).scale * (1 - 1e-9)


def test_constants_by_eigenvalues():
    rng = np.random.default_rng(3)
    for _ in range(20):
        p = rng.dirichlet(np.ones(4), 4)
        pi = MarkovChain.stationary(p).initial
        both = p @ (pi[None, :] * p.T / pi[:, None])
        second = np.sort(np.abs(np.linalg.eigvals(both)))[-2]
        assert mixing_constants(MarkovChain.stationary(p)) == pytest.approx((pi.min(), 1 - second), rel=1e-9)
    two = MarkovChain.stationary([[0.9, 0.1], [0.4, 0.6]])
    other = MarkovChain.stationary([[0.8, 0.2], [0.2, 0.8]])
    assert mixing_constants([two, other], reversible=True) == pytest.approx((0.2, 2 * (1 - 0.6)))
    with pytest.raises(InputError, match="Chain 0 must be reversible"):
        mixing_constants(MarkovChain.stationary([[0, 0.9, 0.1], [0.1, 0, 0.9], [0.9, 0.1, 0]]), reversible=True)


CIRCLE = [[0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.7, 0.1, 0.2]]
"""A chain that goes round: at its long run it is another one backwards."""


def test_the_larger_gap_is_taken_where_every_chain_is_reversible():
    two = MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]])  # lambda_2 = 0.5, pi = (0.8, 0.2)
    assert approximate_quilt_scale(two, length=100, epsilon=1.0).scale == pytest.approx(23.5059552232, abs=5e-11)
    walk = MarkovChain(
        [0, 1, 0], [[0.5, 0.5, 0], [0.25, 0.5, 0.25], [0, 0.5, 0.5]]
    )  # lambda_2 = 0.5, pi = (1, 2, 1) / 4
    lazy = MarkovChain([1, 0, 0], 0.5 * (np.eye(3) + walk.transition))  # lambda_2 = 0.75, the same pi
    circle = MarkovChain.stationary(CIRCLE)
    assert mixing_constants(circle, reversible=None) == pytest.approx(mixing_constants(circle))
    for chains, rarest, gap in (
        ([walk], 0.25, 2 * (1 - 0.5)),
        ([walk, lazy], 0.25, 2 * (1 - 0.75)),
        ([walk, circle], 0.25, min(1 - 0.5**2, mixing_constants(circle)[1])),
        ([circle, lazy], 0.25, min(1 - 0.75**2, mixing_constants(circle)[1])),
    ):
        found = approximate_quilt_scale(chains, length=22, epsilon=3.0)
        assert mixing_constants(chains, reversible=None) == pytest.approx((rarest, gap))
        assert found.scale == pytest.approx(loop(22, 3.0, rarest, gap), rel=1e-9)


def test_the_bound_of_reversible_chains_is_one_whatever_the_start():
    rng = np.random.default_rng(4)
    for _ in range(12):
        m = int(rng.integers(2, 5))
        weights = rng.random((m, m)) ** 2 + 0.05
        weights += weights.T  # a walk on weighted edges is reversible, and each reversible chain is one
        chain = MarkovChain(rng.dirichlet(np.full(m, 0.3)), weights / weights.sum(axis=1, keepdims=True))
        rarest, gap = mixing_constants(chain, reversible=None)
        assert gap == pytest.approx(mixing_constants(chain, reversible=True)[1])
        for node in range(7):
            for left, right, _ in quilts(7, node):
                f = [
                    0.0 if side is None else float(mixing_influence(abs(node - side), rarest, gap))
                    for side in (left, right)
                ]
                assert max_influence(chain, 7, node, left, right) <= 2 * f[0] + f[1] + 1e-9
        sigma = approximate_quilt_scale(chain, length=40, epsilon=1.0).scale
        assert sigma >= quilt_scale(chain, 40, 1.0).scale * (1 - 1e-9)


def test_where_nothing_is_known_the_whole_series_is_hidden():
    for chain in (MarkovChain.stationary(np.eye(2)), MarkovChain.stationary([[0, 1], [1, 0]])):
        assert approximate_quilt_scale(chain, length=30, epsilon=2.0).scale == 15
    assert approximate_quilt_scale(length=30, epsilon=2.0, minimum_probability=0, gap=1).scale == 15


def test_a_million_timestamps():
    found = approximate_quilt_scale(length=10**6, epsilon=0.1, minimum_probability=0.01, gap=0.001)
    assert found.scale < 10**6 / 0.1
    a, b = found.node - found.quilt[0], found.quilt[1] - found.node
    assert a + b <= 4 * 2 * ceil(-log(tanh(0.1 / 12) * 0.01) / 0.001), "4 a*, by the paper"


def test_bad_input_is_told():
    with pytest.raises(InputError, match="either chains alone, or .* together; got none"):
        approximate_quilt_scale(length=10, epsilon=1.0)
    with pytest.raises(InputError, match="either chains alone, or .* together; got minimum_probability"):
        approximate_quilt_scale(length=10, epsilon=1.0, minimum_probability=0.1)
    with pytest.raises(InputError, match="Minimum_probability .* between 0 and 1; got 2"):
        approximate_quilt_scale(length=10, epsilon=1.0, minimum_probability=2, gap=1)
    with pytest.raises(InputError, match="Gap .* 0 or more; got -1"):
        approximate_quilt_scale(length=10, epsilon=1.0, minimum_probability=0.2, gap=-1)

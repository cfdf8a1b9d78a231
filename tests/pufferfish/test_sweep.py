"""The sweep over all nodes beside a loop over every quilt of every node, written from the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.pufferfish import MarkovChain, QuiltTable, max_influence
from lmdk_widgets.pufferfish.nodes import sweep


def looped(past: np.ndarray, future: np.ndarray, length: int, epsilon: float) -> list[float]:
    """The smallest score of every node: two sides, one, none."""
    best = []
    for node in range(length):
        before, after = node, length - 1 - node
        scores = [length / epsilon]
        for a in range(1, before + 2):
            for b in range(1, after + 2):
                left = past[a - 1] if a <= before else np.zeros(past.shape[1])
                right = future[b - 1] if b <= after else np.zeros(past.shape[1])
                e = max(0.0, float((left + right).max()))
                if e < epsilon:
                    scores.append((a + b - 1) / (epsilon - e))
        best.append(min(scores))
    return best


@settings(max_examples=60)
@given(st.integers(1, 12), st.integers(1, 4), st.floats(0.05, 6.0), st.integers(0, 2**32 - 1))
def test_every_node_has_its_best_quilt(length: int, pairs: int, epsilon: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    past, future = (np.sort(rng.exponential(size=(length - 1, pairs)), axis=0)[::-1] for _ in range(2))
    found = sweep(past, future, length, epsilon)
    assert 1 / found.rate == pytest.approx(looped(past, future, length, epsilon), rel=1e-12)
    for node, (a, b) in enumerate(found.sides):  # the quilt that is named has that score
        left = past[a - 1] if a <= node else np.zeros(pairs)
        right = future[b - 1] if b <= length - 1 - node else np.zeros(pairs)
        e = max(0.0, float((left + right).max()))
        near = min(a, node + 1) + min(b, length - node) - 1
        assert near / (epsilon - e) == pytest.approx(1 / found.rate[node], rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_a_slow_chain_in_a_long_series(epsilon: float) -> None:
    """A branch-and-bound search agrees."""
    level = np.arange(9)
    p = np.exp(-np.abs(level[:, None] - level) * 1.5) + 1e-3
    chain = MarkovChain.stationary(p / p.sum(axis=1, keepdims=True))
    nodes = QuiltTable(chain).node_scales(epsilon, 300)
    searched = QuiltTable(chain)._nodes[0]
    searched.prepare(300)
    for node in (0, 1, 40, 150, 298, 299):
        assert nodes.scale[node] == pytest.approx(searched.best(node, 300, epsilon).score, rel=1e-9)
    assert QuiltTable(chain).scale(epsilon, 300).scale == pytest.approx(nodes.scale.max(), rel=1e-12)


def test_influence_by_distance_is_max_influence() -> None:
    chain = MarkovChain.stationary([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4]])
    past, future = QuiltTable(chain).influence_by_distance([1, 3, 10])
    for k, distance in enumerate((1, 3, 10)):
        assert past[k] == pytest.approx(max_influence(chain, 50, 20, 20 - distance), rel=1e-9)
        assert future[k] == pytest.approx(max_influence(chain, 50, 20, None, 20 + distance), rel=1e-9)

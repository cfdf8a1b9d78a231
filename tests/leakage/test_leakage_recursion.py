"""Constant budgets, which are followed to their fixed point, have the digits of one timestamp after the other."""

import numpy as np
import pytest

from lmdk_widgets.leakage import LossFunction, recursion, temporal_loss
from lmdk_widgets.leakage.markov import smoothed_identity

from .oracles import A, C, M, normalised

pytestmark = pytest.mark.long


def _chains(rng):
    yield "unbounded", LossFunction(A)
    yield "forgets", LossFunction(C)
    yield "three vertices", LossFunction(M)
    yield "remembers", LossFunction(smoothed_identity(5, 1e-5))
    yield "dense", LossFunction(rng.dirichlet(np.ones(60), 60))
    yield "peaked", LossFunction(normalised(rng.dirichlet(np.full(40, 0.05), 40) + 1e-5))
    sparse = rng.random((20, 20)) * (rng.random((20, 20)) < 0.4)
    sparse[:, 3] += 0.05
    yield "sparse", LossFunction(normalised(sparse))
    yield "nearly equal rows", LossFunction(normalised(1 + 1e-7 * rng.standard_normal((6, 6))))
    yield "reducible", LossFunction([[0.9, 0.1, 0, 0], [0.05, 0.9, 0.05, 0], [0.3, 0.3, 0.4, 0], [0.1, 0.1, 0.1, 0.7]])


def _budgets(rng, n):
    yield "varied", rng.random(n) * 0.2
    yield "small", rng.random(n) * 1e-3
    yield "tiny", rng.random(n) * 1e-200
    yield "zero", np.zeros(n)
    yield "constant", np.full(n, 0.1)
    yield "few values", np.repeat([0.3, 0.0, 0.05, 0.3], -(-n // 4))[:n]
    yield "two values in turn", np.where(np.arange(n) % 2, 0.3, 0.01)
    yield "with zeros", rng.random(n) * (rng.random(n) < 0.2)
    yield "bursts", np.where(rng.random(n) < 0.01, 30.0, 0.01)
    yield "huge", rng.random(n) * 330 * (rng.random(n) < 0.5)


CASES = [(c, b) for c, _ in _chains(np.random.default_rng(0)) for b, _ in _budgets(np.random.default_rng(0), 1)]


def _case(names, n):
    rng = np.random.default_rng(0)
    chain, budgets = names
    return dict(_chains(rng))[chain], dict(_budgets(rng, n))[budgets]


@pytest.mark.parametrize("names", CASES, ids=" ".join)
def test_every_series_has_the_digits_of_one_by_one(names, monkeypatch):
    for n in (1, 700, 13_001):
        loss, budgets = _case(names, n)
        found = temporal_loss(loss, loss, budgets)
        with monkeypatch.context() as patch:
            patch.setattr(recursion, "_steady", recursion._one_by_one)
            by_definition = temporal_loss(loss, loss, budgets)
        for side in ("backward", "forward", "total"):
            assert np.array_equal(getattr(found, side), getattr(by_definition, side))

"""The Lipschitz constant of any query: by pairs of series that differ in one state, and for sums by their weights."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish import (
    MarkovChain,
    additive_lipschitz,
    histogram,
    quilt_scale,
    relative_histogram,
    smallest_lipschitz,
    state_fraction,
)
from tests.sweeps import generators

from .oracles import sequences


def by_pairs(query, length, m):
    """The definition: all pairs of series that differ in exactly one state."""
    found = 0.0
    for one, other in itertools.product(itertools.product(range(m), repeat=length), repeat=2):
        if sum(x != y for x, y in zip(one, other, strict=True)) == 1:
            found = max(found, float(np.abs(np.subtract(query(np.array(one)), query(np.array(other)))).sum()))
    return found


QUERIES = {
    "changes": lambda s: np.count_nonzero(np.diff(s)),
    "longest run": lambda s: max(len(list(run)) for _, run in itertools.groupby(s)),
    "last": lambda s: s[-1] ** 2,
    "two answers": lambda s: [s.max(), s.sum() / 3],
    "constant": lambda s: 7.0,
}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize(("length", "m"), [(1, 3), (3, 3), (5, 2)])
def test_any_query_is_tried_on_all_pairs(name, length, m):
    assert smallest_lipschitz(QUERIES[name], length, m) == pytest.approx(by_pairs(QUERIES[name], length, m))


def test_the_queries_of_the_package_have_their_constants():
    for n, m in ((4, 3), (6, 2)):
        assert smallest_lipschitz(lambda s, m=m: histogram(s, m), n, m) == 2
        assert smallest_lipschitz(lambda s, m=m: relative_histogram(s, m), n, m) == pytest.approx(2 / n)
        assert smallest_lipschitz(lambda s: state_fraction(s, 0), n, m) == pytest.approx(1 / n)
        assert additive_lipschitz(np.eye(m)) == 2 and additive_lipschitz(np.eye(m) / n) == pytest.approx(2 / n)
    assert smallest_lipschitz(QUERIES["changes"], 8, 2) == 2 and smallest_lipschitz(QUERIES["longest run"], 7, 2) == 4
    assert smallest_lipschitz(lambda s: 1.0, 3, 1) == 0


def test_sums_have_the_constant_of_their_weights():
    for rng in generators(594_1, 48):
        n, m, d = (int(k) for k in rng.integers(1, 4, 3))
        weights = rng.normal(size=(n, m, d))

        def total(series, weights=weights):
            return sum(weights[t, x] for t, x in enumerate(series))

        assert additive_lipschitz(weights) == pytest.approx(smallest_lipschitz(total, n, m))
    assert additive_lipschitz([[0, 0], [3, -1], [3, 1]]) == 4 and additive_lipschitz([2, 2]) == 0


def test_a_query_of_ones_own_keeps_the_guarantee():
    """A sum with its constant: densities given two states stay within epsilon, and not with the constant of a count."""
    chain, length, epsilon = MarkovChain([0.5, 0.5], [[0.98, 0.02], [0.02, 0.98]]), 6, 1.0
    power = np.array([0.0, 3.0])
    scale = quilt_scale(chain, length, epsilon).scale

    def loss(scale):
        grid, worst = np.arange(-2, 3 * length + 3), 0.0
        for node in range(length):
            given = np.zeros((2, len(grid)))
            weight = np.zeros(2)
            for states, chance in sequences(chain.initial.tolist(), chain.transition.tolist(), length):
                given[states[node]] += chance * np.exp(-np.abs(grid - power[list(states)].sum()) / scale)
                weight[states[node]] += chance
            ratio = np.log(given[0] / weight[0]) - np.log(given[1] / weight[1])
            worst = max(worst, float(np.abs(ratio).max()))
        return worst

    assert loss(scale * additive_lipschitz(power)) <= epsilon < loss(scale)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: smallest_lipschitz(len, 18, 2), "tried on at most 200,000 series; got 2 to the power of 18"),
        (lambda: smallest_lipschitz(lambda s: np.nan, 2, 2), "answers of the query"),
        (lambda: smallest_lipschitz(len, 0, 2), "Length must be"),
        (lambda: additive_lipschitz([]), "Weights must be of shape|Weights must"),
        (lambda: additive_lipschitz(np.zeros((1, 1, 1, 1))), "Weights must be of shape"),
    ],
)
def test_bad_input_is_told(call, words):
    with pytest.raises(InputError, match=words):
        call()

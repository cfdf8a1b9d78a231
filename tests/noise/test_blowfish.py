"""Blowfish: sensitivities and losses of random policies, by tables that differ along one pair and by paths."""

from __future__ import annotations

import itertools
from math import exp, inf

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import policy_loss, policy_sensitivity
from tests.sweeps import generators


def by_tables(contributions, pairs, people=2):
    """The answers of all tables of a few people: how far apart they are if one person's value moves along a pair."""
    m, found = len(contributions), 0.0
    for table in itertools.product(range(m), repeat=people):
        for person, (a, b) in itertools.product(range(people), pairs):
            for here, there in ((a, b), (b, a)):
                if table[person] == here:
                    moved = [*table[:person], there, *table[person + 1 :]]
                    before, after = (sum(contributions[x] for x in each) for each in (table, moved))
                    found = max(found, float(np.abs(after - before).sum()))
    return found


def by_paths(pairs, m):
    """The least number of pairs from each value to each, by walking outwards."""
    found = np.full((m, m), inf)
    for start in range(m):
        seen, edge, steps = {start}, {start}, 0
        while edge:
            found[start, list(edge)] = steps
            edge = {y for a, b in pairs for x, y in ((a, b), (b, a)) if x in edge} - seen
            seen |= edge
            steps += 1
    return found


def test_random_policies_are_those_of_tables_and_paths() -> None:
    for rng in generators(594_2, 64):
        m, d = int(rng.integers(1, 6)), int(rng.integers(1, 3))
        every = list(itertools.product(range(m), repeat=2))
        pairs = [every[k] for k in rng.choice(len(every), int(rng.integers(0, len(every) + 1)), replace=False)]
        table = rng.normal(size=(m, d))
        assert policy_sensitivity(table, pairs) == pytest.approx(by_tables(table, pairs))
        assert policy_loss(0.5, pairs, m).tolist() == (0.5 * by_paths(pairs, m)).tolist()


def test_the_papers_cumulative_counts() -> None:
    """How many people have at most each value: one along the line of values, up to m - 1 where any two must be hidden."""
    for m in (2, 5, 12):
        cumulative = np.array([[float(x <= y) for y in range(m)] for x in range(m)])
        line, all_pairs = [(k, k + 1) for k in range(m - 1)], list(itertools.combinations(range(m), 2))
        assert policy_sensitivity(cumulative, line) == 1 and policy_sensitivity(cumulative, all_pairs) == m - 1
        assert policy_sensitivity(np.eye(m), line) == 2  # a histogram gains nothing
        assert policy_loss(1, line, m)[0].tolist() == list(range(m)) and policy_loss(1, all_pairs, m).max() == 1


def test_laplace_noise_of_that_scale_keeps_the_policy() -> None:
    """Odds along a pair stay within epsilon, for values two pairs away within twice epsilon, and both are reached."""
    epsilon, contributions = 0.7, np.array([0.0, 1.0, 2.5])
    pairs = [(0, 1), (1, 2)]
    scale = policy_sensitivity(contributions, pairs) / epsilon
    outputs = np.linspace(-20, 20, 4001)
    density = np.exp(-np.abs(outputs - contributions[:, None]) / scale)
    odds = np.abs(np.log(density[:, None] / density)).max(axis=2)
    assert (odds <= policy_loss(epsilon, pairs, 3) + 1e-9).all()
    assert odds[1, 2] == pytest.approx(epsilon) and exp(odds[0, 2]) < exp(2 * epsilon)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: policy_loss(0, [], 2), "Epsilon must be"),
        (lambda: policy_loss(1, [(0, 2)], 2), "A pair must have values from 0 to 1; got 0 and 2"),
        (lambda: policy_loss(1, [(0, 1, 2)], 3), "A pair must be two values"),
        (lambda: policy_sensitivity([], []), "Contributions must"),
        (lambda: policy_sensitivity(np.zeros((1, 1, 1)), []), "Contributions must be of shape"),
        (lambda: policy_sensitivity([1, 2], [(-1, 0)]), "A pair must have values from 0 to 1; got -1 and 0"),
    ],
)
def test_bad_input_is_told(call, words) -> None:
    with pytest.raises(InputError, match=words):
        call()

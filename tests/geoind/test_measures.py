"""Loss, adversary, posterior and certificate against their definitions, written out."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import (
    Channel,
    adversary_error,
    best_remap,
    posterior,
    quality_loss,
    smallest_epsilon,
)
from lmdk_widgets.geoind.channel import certify
from tests.geoind.places import distances, grid, slow_epsilon

seeds = st.integers(0, 2**32 - 1)


def a_channel(seed: int, sharp: float = 1.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    matrix = rng.random((n, n)) ** sharp
    prior = rng.random(n) * (rng.random(n) < 0.7)
    prior[0] += 0.1
    return matrix / matrix.sum(1, keepdims=True), prior / prior.sum(), distances(rng.random((n, 2)))


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_loss_error_and_remap_are_their_definitions(seed: int) -> None:
    matrix, prior, apart = a_channel(seed)
    n = len(prior)
    loss = sum(prior[x] * matrix[x, z] * apart[x, z] for x in range(n) for z in range(n))
    assert quality_loss(matrix, prior, apart) == pytest.approx(loss, rel=1e-12)
    guesses = [[sum(prior[x] * matrix[x, z] * apart[x, g] for x in range(n)) for g in range(n)] for z in range(n)]
    assert adversary_error(matrix, prior, apart) == pytest.approx(sum(map(min, guesses)), rel=1e-12)
    remap = best_remap(matrix, prior, apart)
    assert [guesses[z][remap[z]] for z in range(n)] == pytest.approx([min(row) for row in guesses], rel=1e-12)
    assert adversary_error(matrix, prior, apart) <= quality_loss(matrix, prior, apart) + 1e-15


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_posterior_is_bayes(seed: int) -> None:
    matrix, prior, _ = a_channel(seed)
    belief = posterior(matrix, prior)
    reported = prior @ matrix
    assert belief.sum(0) == pytest.approx(np.ones(len(prior)))
    assert belief * reported == pytest.approx(prior[:, None] * matrix, abs=1e-15)


def test_posterior_of_what_never_happens_is_the_prior() -> None:
    assert posterior([[1, 0], [1, 0]], [0.3, 0.7])[:, 1].tolist() == [0.3, 0.7]
    tiny = posterior([[1, 1e-320], [1, 1e-320]], [0.25, 0.75])[:, 1]
    assert tiny == pytest.approx([0.25, 0.75], rel=1e-2)


@given(seeds, st.sampled_from([1.0, 8.0]))
@settings(max_examples=60, deadline=None)
def test_smallest_epsilon_is_its_definition(seed: int, sharp: float) -> None:
    matrix, _, apart = a_channel(seed, sharp)
    assert smallest_epsilon(matrix, apart) == pytest.approx(slow_epsilon(matrix, apart), rel=1e-12)


def test_smallest_epsilon_at_the_edges() -> None:
    apart = [[0, 2], [2, 0]]
    assert smallest_epsilon([[1, 0], [1, 0]], apart) == 0  # a report impossible everywhere teaches nothing
    assert smallest_epsilon([[1, 0], [0.5, 0.5]], apart) == math.inf
    assert smallest_epsilon([[0.6, 0.4], [0.5, 0.5]], [[0, 0], [0, 0]]) == math.inf
    assert smallest_epsilon([[0.5, 0.5], [0.5, 0.5]], [[0, 0], [0, 0]]) == 0
    far = [[1, 1e-300], [1e-300, 1]]
    assert smallest_epsilon(far, [[0, 1000], [1000, 0]]) == pytest.approx(math.log(10) * 0.3)


def only_neighbours(matrix, apart) -> float:
    """A mutant: adjacent rows only."""
    pairs = pairwise(range(len(matrix)))
    return max(np.abs(np.log(matrix[a] / matrix[b])).max() / apart[a, b] for a, b in pairs)


def not_divided(matrix, apart) -> float:
    """A mutant: the largest log-ratio, not per distance."""
    logs = np.log(matrix)
    return float(np.abs(logs[:, None] - logs[None]).max())


def one_sided(matrix, apart) -> float:
    """A mutant: of two places only the ratio of the one with the smaller index over the other."""
    logs, n = np.log(matrix), len(matrix)
    return max((logs[x] - logs[y]).max() / apart[x, y] for x in range(n) for y in range(x + 1, n))


def ratio_not_log(matrix, apart) -> float:
    """A mutant: forgets the logarithm."""
    n = len(matrix)
    return max((matrix[x] / matrix[y]).max() / apart[x, y] for x in range(n) for y in range(n) if x != y)


@pytest.mark.parametrize("mutant", [only_neighbours, not_divided, one_sided, ratio_not_log])
def test_mutants_of_smallest_epsilon_are_caught(mutant) -> None:
    cases = [a_channel(seed) for seed in range(20)]
    assert any(mutant(m, d) != pytest.approx(slow_epsilon(m, d), rel=1e-6) for m, _, d in cases)


@given(seeds, st.floats(0.05, 3))
@settings(max_examples=60, deadline=None)
def test_certify_keeps_the_request(seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    apart = distances(grid(3))
    matrix = np.exp(-epsilon * apart) * (1 + rng.normal(0, 1e-9, apart.shape)) - 1e-12 * rng.random(apart.shape)
    # rows of a column that is private: the same factor for all rows but for rounding
    matrix = np.column_stack([matrix, matrix.sum(1).max() * 1.5 - matrix.sum(1)])
    sure = certify(matrix / matrix.sum(1, keepdims=True), apart, 2 * epsilon)
    assert slow_epsilon(sure.matrix, apart) <= 2 * epsilon
    assert sure.epsilon <= 2 * epsilon
    assert sure.matrix.sum(1) == pytest.approx(np.ones(9), abs=1e-14)


@pytest.mark.parametrize("short", [1.01, 1.5, 5.0])
def test_certify_mends_what_is_far_from_the_request(short: float) -> None:
    apart = distances(grid(2))
    matrix = np.exp(-short * apart)
    sure = certify(matrix / matrix.sum(1, keepdims=True), apart, 1.0)
    assert slow_epsilon(sure.matrix, apart) <= 1.0 and 0 < sure.mixed < 1
    assert sure.epsilon == pytest.approx(slow_epsilon(sure.matrix, apart))


def test_certify_mends_a_zero_and_says_by_how_much() -> None:
    apart = np.array([[0.0, 1], [1, 0]])
    sure = certify(np.array([[1 + 1e-9, -1e-9], [0.2, 0.8]]), apart, 1.0)
    assert sure.clipped == pytest.approx(1e-9) and 0 < sure.mixed < 1
    assert smallest_epsilon(sure.matrix, apart) == sure.epsilon <= 1.0


def test_a_channel_is_frozen_and_says_little() -> None:
    channel = Channel(np.eye(2), 0.0, math.inf, 0.0)
    with pytest.raises(ValueError):
        channel.matrix[0, 0] = 0.5
    with pytest.raises(AttributeError):
        channel.gap = 1.0  # type: ignore[misc]
    assert "2 places" in repr(channel)


def test_reports_are_drawn_from_the_rows() -> None:
    channel = Channel([[0.2, 0.8, 0.0], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], 0.0, math.inf, 0.0)
    rng = np.random.default_rng(4)
    drawn = channel.report(np.repeat([0, 1, 2], 20_000), rng).reshape(3, -1)
    shares = np.array([np.bincount(row, minlength=3) for row in drawn]) / 20_000
    assert shares == pytest.approx(channel.matrix, abs=0.02)
    assert (shares[channel.matrix == 0] == 0).all()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: quality_loss([[0.5, 0.6]], [1], [[0, 1]]), "Row 0 of matrix must sum to 1; got 1.1"),
        (lambda: quality_loss([[0.5, 0.5]], [0.9], [[0, 1]]), "Prior must sum to 1; got 0.9"),
        (
            lambda: quality_loss([[0.5, 0.5]], [1], [[0, 1], [1, 0]]),
            r"shape \(1, 2\), a row for each place of the channel; got shape \(2, 2\)",
        ),
        (lambda: quality_loss([[0.5, 0.5]], [1], [[0, -1]]), "Distances must not be negative; got -1"),
        (lambda: smallest_epsilon([[1, 0], [1, 0]], [[0, 1], [2, 0]]), "symmetric"),
        (lambda: smallest_epsilon([[1, 0], [1, 0]], [[1, 1], [1, 0]]), "must be 0 from each place to itself; got 1 at"),
        (lambda: smallest_epsilon([[1, 0], [1, 0]], [[0]]), r"shape \(2, 2\); got shape \(1, 1\)"),
        (lambda: posterior([[1, 0], [float("nan"), 0]], [0.5, 0.5]), "finite numbers; got nan"),
        (lambda: posterior("what", [0.5, 0.5]), "finite numbers; got something that is not a number"),
    ],
)
def test_bad_input_is_a_sentence(call, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()

"""Transition matrices, their long run and their reverse, and the chain of a track."""

from itertools import pairwise

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage.markov import (
    distribution,
    estimate_transitions,
    grid_states,
    reverse,
    smoothed_identity,
    stationary,
    transition_matrix,
)


def _random(rng, m, share=1.0):
    weights = rng.random((m, m)) ** 4 * (rng.random((m, m)) < share)
    weights[np.arange(m), rng.integers(m, size=m)] += 0.1
    return weights / weights.sum(axis=1, keepdims=True)


def _run_long(p, start):
    """The mean of start P^k over many k, by repeated squaring of the averaging step."""
    step, mean = p.copy(), (np.eye(len(p)) + p) / 2
    for _ in range(40):
        step = step @ step
        mean = (mean + mean @ step) / 2
        step, mean = (x / x.sum(axis=1, keepdims=True) for x in (step, mean))
    return start @ mean


def test_rounding_is_mended_and_the_rest_is_kept():
    off = [[0.5 + 3e-10, 0.5], [0.25, 0.75]]
    found = transition_matrix(off)
    assert found[0].sum() == pytest.approx(1, abs=1e-15) and found[1].tolist() == [0.25, 0.75]
    assert off[0][0] == 0.5 + 3e-10
    row = [0.1, 0.2, 0.7]  # sums to 1 - 1.1e-16
    assert transition_matrix([row] * 3)[0].tolist() == row


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1, 0]], "must be a square table"),
        ([1.0], "must be a square table"),
        ([], "must be a square table"),
        ([[1, 0], [1]], "numbers"),
        ([["a"]], "numbers"),
        ([[1, 0], [-0.5, 1.5]], r"Entry 0 in row 1 .*-0\.5"),
        ([[np.nan, 1], [0, 1]], "Entry 0 in row 0"),
        ([[1, 0], [0, np.inf]], "Entry 1 in row 1"),
        ([[1, 0], [0.3, 0.6]], r"Row 1 .*sum to 1; got 0\.9"),
        ([[1, 0], [0.5, 0.5 + 2e-9]], r"Row 1 .*sum to 1; got 1\.000000002"),
    ],
)
def test_what_is_no_transition_matrix_is_named(matrix, words):
    with pytest.raises(InputError, match=words):
        transition_matrix(matrix)


def test_normalising_is_only_on_demand_and_needs_something_to_normalise():
    assert transition_matrix([[2, 2], [0, 5]], normalize=True).tolist() == [[0.5, 0.5], [0, 1]]
    with pytest.raises(InputError, match=r"Row 1 .*sum above 0; got 0"):
        transition_matrix([[1, 1], [0, 0]], normalize=True)


def test_smoothed_identity_follows_the_formula():
    for m, s in ((1, 0.3), (2, 0.0), (5, 0.01), (4, 1e6)):
        p = smoothed_identity(m, s)
        literal = [[((i == j) + s) / sum((i == k) + s for k in range(m)) for j in range(m)] for i in range(m)]
        assert p == pytest.approx(np.array(literal), rel=1e-14)
    for m, s in ((0, 1.0), (2.5, 1.0), (2, -1.0), (2, np.inf)):
        with pytest.raises(InputError):
            smoothed_identity(m, s)


def test_stationary_is_fixed_and_is_where_time_is_spent():
    rng = np.random.default_rng(0)
    for share in (1.0, 0.4, 0.15):
        for _ in range(60):
            m = int(rng.integers(1, 9))
            p = _random(rng, m, share)
            pi = stationary(p)
            assert pi.sum() == pytest.approx(1) and (pi >= 0).all() and pi @ p == pytest.approx(pi, abs=1e-13)
            assert pi == pytest.approx(_run_long(p, np.full(m, 1 / m)), abs=1e-6)


def test_stationary_of_chains_that_eigenvectors_are_bad_at():
    tiny = 1e-14
    assert stationary([[1 - tiny, tiny], [0.5, 0.5]])[1] == pytest.approx(2 * tiny / (1 + 2 * tiny), rel=1e-12)
    assert stationary([[0, 1], [1, 0]]).tolist() == [0.5, 0.5]
    assert stationary(np.eye(3)) == pytest.approx(np.full(3, 1 / 3))
    assert stationary([[1.0]]).tolist() == [1.0]
    # two closed classes, a transient state between them that mostly stays where it is
    between = [[1, 0, 0], [tiny, 1 - 2 * tiny, tiny], [0, 0, 1]]
    assert stationary(between) == pytest.approx([0.5, 0, 0.5])


def test_reverse_is_bayes():
    rng = np.random.default_rng(1)
    for _ in range(50):
        m = int(rng.integers(2, 7))
        p, prior = _random(rng, m), rng.dirichlet(np.ones(m))
        found, now = reverse(p, prior), prior @ p
        literal = [[prior[y] * p[y, x] / now[x] for y in range(m)] for x in range(m)]
        assert found == pytest.approx(np.array(literal), rel=1e-12)
        pi = stationary(p)
        assert reverse(p) == pytest.approx(p.T * pi / pi[:, None], rel=1e-9)
        assert reverse(reverse(p)) == pytest.approx(p, rel=1e-9)


def test_a_state_that_is_never_reached_adds_no_row_of_its_own():
    p, prior = np.array([[0.5, 0.5, 0.0], [0.9, 0.1, 0.0], [0.3, 0.7, 0.0]]), np.array([0.2, 0.5, 0.3])
    found = reverse(p, prior)
    assert found[2] == pytest.approx(prior) and found.sum(axis=1) == pytest.approx(np.ones(3))
    assert prior == pytest.approx((prior @ p) @ found)


def test_reverse_of_a_chain_that_changes_with_time():
    rng = np.random.default_rng(2)
    chain, prior = [_random(rng, 3) for _ in range(4)], np.array([0.7, 0.2, 0.1])
    now = prior
    for forward, backward in zip(chain, reverse(chain, prior), strict=True):
        assert backward == pytest.approx(reverse(forward, now))
        now = now @ forward
    assert reverse(np.stack(chain), prior)[3] == pytest.approx(reverse(chain, prior)[3])
    with pytest.raises(InputError, match="Prior"):
        reverse(chain)
    with pytest.raises(InputError, match="transition matrix 1 must"):
        reverse([chain[0], [[1.0, 1.0], [0.0, 1.0]]], prior)


@pytest.mark.parametrize("prior", [[0.5], [0.5, 0.6], [-0.5, 1.5], [np.nan, 1]])
def test_what_is_no_prior_is_refused(prior):
    with pytest.raises(InputError, match="Prior"):
        distribution(prior, 2)


def test_estimates_count_moves():
    rng = np.random.default_rng(3)
    m, states = 4, rng.integers(4, size=300)
    counts = np.zeros((m, m))
    for a, b in pairwise(states):
        counts[a, b] += 1
    assert estimate_transitions(states, m) == pytest.approx(counts / counts.sum(axis=1, keepdims=True))
    smoothed = (counts + 0.5) / (counts.sum(axis=1, keepdims=True) + m * 0.5)
    assert estimate_transitions(states.tolist(), m, smoothing=0.5) == pytest.approx(smoothed)
    assert estimate_transitions(states, m + 1)[m] == pytest.approx(np.full(m + 1, 1 / (m + 1)))


def test_estimates_from_several_sequences_make_no_move_between_them():
    several = estimate_transitions([[0, 1, 1], [0, 0], [1], []], 2)
    assert several.tolist() == [[0.5, 0.5], [0, 1]]
    assert estimate_transitions(np.array([[0, 1], [1, 0]]), 2).tolist() == [[0, 1], [1, 0]]
    assert estimate_transitions([], 2).tolist() == [[0.5, 0.5]] * 2


@pytest.mark.parametrize("states", [[0, 3], [-1, 0], [0.5, 1], ["a", "b"], [[0, 1], [1, 7]]])
def test_what_is_no_state_is_refused(states):
    with pytest.raises(InputError, match="tates must be"):
        estimate_transitions(states, 3)
    with pytest.raises(InputError, match="Smoothing must be a finite number, 0 or more; got -1"):
        estimate_transitions([0, 1], 3, smoothing=-1)


def test_grid_leaves_empty_cells_out_and_keeps_every_point_in_its_cell():
    rng = np.random.default_rng(4)
    points = rng.normal(size=(500, 2)) * 800
    states, centres = grid_states(points, 150.0)
    assert (np.abs(points - centres[states]) <= 75 + 1e-9).all()
    assert sorted(set(states.tolist())) == list(range(len(centres)))
    assert len(np.unique(np.floor(points / 150), axis=0)) == len(centres)
    for bad_points, cell in (([[0.0, np.nan]], 1.0), ([1.0, 2.0], 1.0), ([[0, 0]], 0.0), ([[0, 0]], np.inf)):
        with pytest.raises(InputError):
            grid_states(bad_points, cell)

"""Moves and a jump are the matrix that they stand for, however they are made."""

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import Moves, likeliest_path, track_posterior
from lmdk_widgets.inference.chain_step import Dense, Sparse, pushed
from lmdk_widgets.leakage.markov import estimate_transitions, smoothed_identity

from .inference_oracles import log_sum, logs_of, random_chain, walk


def test_every_constructor_gives_the_matrix():
    rng = np.random.default_rng(0)
    for _ in range(50):
        m, s = int(rng.integers(1, 9)), float(rng.choice([0.0, 1e-6, 0.01, 3.0]))
        _, p = random_chain(rng, m)
        assert Moves.from_matrix(p).matrix() == pytest.approx(p, rel=1e-14, abs=1e-300)
        states = rng.integers(m, size=int(rng.integers(1, 30)))
        expected = estimate_transitions(states, m, smoothing=s)
        assert Moves.estimated(states, m, smoothing=s).matrix() == pytest.approx(expected, rel=1e-13)
        assert Moves.sticky(m, s).matrix() == pytest.approx(smoothed_identity(m, s), rel=1e-13)
        assert Moves.from_matrix(p).matrix().sum(axis=1) == pytest.approx(np.ones(m))


def test_what_is_constant_is_kept_as_a_constant():
    states = np.random.default_rng(1).integers(5, size=100)
    seen = estimate_transitions(states, 40, smoothing=0.01)
    assert (
        len(Moves.from_matrix(seen).probabilities)
        == len(Moves.estimated(states, 40, smoothing=0.01).probabilities)
        == 25
    )
    assert len(Moves.from_matrix(smoothed_identity(30, 0.1)).probabilities) == 30
    assert repr(Moves.sticky(30, 0.1)) == "Moves(30 states, 30 moves)"


def test_moves_named_twice_are_added():
    moves = Moves([1, 0, 1, 1], [0, 1, 0, 1], [0.2, 1.0, 0.3, 0.5], 0.0, 2)
    assert moves.matrix() == pytest.approx(np.array([[0, 1], [0.5, 0.5]]))
    assert len(moves.probabilities) == 3


def test_one_timestamp_in_both_directions_and_both_ways_of_adding():
    rng = np.random.default_rng(2)
    for _ in range(100):
        m = int(rng.integers(1, 7))
        _, p = random_chain(rng, m)
        logs = -rng.random(m) * 10.0 ** rng.uniform(-2, 4)
        logs[rng.random(m) < 0.2] = -np.inf
        logs[rng.integers(m)] = 0.0
        moves = Moves.from_matrix(p)
        for a, push in ((p.T, moves.forward()), (p, moves.backward()), (p.T, Dense(p.T.copy())), (p, Dense(p))):
            terms = logs_of(a) + logs
            expected = log_sum(terms, axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                for found in (pushed(push, logs), push.log_sums(logs)):
                    assert ((found == -np.inf) == (expected == -np.inf)).all()
                    known = expected > -np.inf
                    assert found[known] == pytest.approx(expected[known], rel=1e-12, abs=1e-12)
            assert push.largest(logs) == pytest.approx(terms.max(axis=1), rel=1e-12, abs=1e-12)
            for x in np.flatnonzero(known):
                assert terms[x, push.origin(logs, x)] == pytest.approx(terms[x].max(), rel=1e-12, abs=1e-12)


def test_the_same_beliefs_and_path_as_by_the_matrix():
    rng = np.random.default_rng(3)
    sources, targets, weights, squares = walk(12, jump=0.01)
    moves, m = Moves(sources, targets, weights, 0.01, 144), 144
    prior, likelihood = np.full(m, 1 / m), -rng.random((200, m)) * 5
    one, other = (track_posterior(prior, chain, likelihood) for chain in (moves, moves.matrix()))
    assert one.log_smoothed == pytest.approx(other.log_smoothed, abs=1e-11)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-14)
    assert (likeliest_path(prior, moves, likelihood) == likeliest_path(prior, moves.matrix(), likelihood)).all()
    assert len(squares) == m and isinstance(moves.forward(), Sparse)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"n_states": 0}, "N_states must be a whole number, 1 or more; got 0."),
        ({"sources": [0, 2]}, "Sources must be whole numbers between 0 and 1; got another number at index 1."),
        (
            {"targets": [0]},
            "Sources, targets and probabilities must be of equal length; got shapes (2,), (1,) and (2,).",
        ),
        ({"probabilities": [0.5, -0.1]}, "Probabilities must contain numbers between 0 and 1; got -0.1 at index 1."),
        ({"probabilities": [0.5, 0.9]}, "The moves and the jump from state 0 must sum to 1; got 0.7."),
        ({"jump": [0.2, 0.2, 0.2]}, "Jump must be one number, or one for each state, shape (2,); got shape (3,)."),
        ({"jump": -1}, "Jump must be a number between 0 and 1; got -1."),
    ],
)
def test_bad_input_is_one_sentence(change, sentence):
    given = {"sources": [0, 1], "targets": [0, 1], "probabilities": [0.8, 0.8], "jump": 0.2, "n_states": 2} | change
    with pytest.raises(InputError) as error:
        Moves(**given)
    assert str(error.value) == sentence


def test_estimating_refuses_states_that_are_none():
    with pytest.raises(InputError, match="States must be whole numbers between 0 and 1; got another number at index 2"):
        Moves.estimated([0, 1, 2], 2)
    with pytest.raises(InputError, match="Smoothing must be a finite number, 0 or more; got -1"):
        Moves.estimated([0, 1], 2, smoothing=-1)

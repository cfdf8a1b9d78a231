"""Beliefs and paths against every path written out, a dense recursion in logarithms, and the published example."""

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import (
    Moves,
    best_guesses,
    error_at,
    likeliest_path,
    log_likelihoods,
    marginals,
    track_posterior,
)
from lmdk_widgets.noise import PlanarLaplace

from .inference_oracles import (
    STATIONARY,
    AllPaths,
    P,
    draw_states,
    log_sum,
    path_score,
    random_chain,
    random_likelihood,
    reference,
    walk,
)

CENTRES = np.array([[0.0, 0.0], [1000.0, 0.0], [2000.0, 0.0]])
SEEN = np.array([[150.0, -80.0], [900.0, 300.0], [700.0, 100.0], [2300.0, -500.0]])


class Seen:
    """A release of which everything was published."""

    def __init__(self, outputs, budgets, published=None, comparison_budget=0.0):
        self.outputs, self.budgets = np.asarray(outputs, float), np.asarray(budgets, float)
        self.published = np.ones(len(self.budgets), bool) if published is None else np.asarray(published)
        self.comparison_budget = comparison_budget


def test_values_of_the_specification():
    likelihood = log_likelihoods(Seen(SEEN, [1, 0.2, 0.2, 1]), CENTRES, PlanarLaplace(200.0))
    apart = np.abs(np.subtract.outer(CENTRES[:, 0], CENTRES[:, 0]))
    for transitions in (P, Moves.from_matrix(P)):
        found = track_posterior(STATIONARY, transitions, likelihood)
        assert found.smoothed[1] == pytest.approx([0.46476233163, 0.42335741443, 0.11188025394], abs=1e-11)
        assert found.alone[1] == pytest.approx([0.21509695434, 0.60729187083, 0.17761117482], abs=1e-11)
        assert found.log_likelihood == pytest.approx(-64.7135273221, abs=1e-10)
        assert likeliest_path(STATIONARY, transitions, likelihood).tolist() == [0, 1, 1, 2]
        errors = [error_at(b, apart, [0, 0, 1, 2]).mean() for b in (found.smoothed, found.alone, found.marginal)]
        assert errors == pytest.approx([342.2488, 361.7622, 892.8571], abs=5e-5)
        assert best_guesses(found, apart).tolist() == best_guesses(found.smoothed, apart).tolist() == [0, 1, 1, 2]


def _close(found, expected):
    """Equal logarithms of probabilities: the same states are impossible, the others agree to rounding."""
    assert ((found == -np.inf) == (expected == -np.inf)).all()
    known = expected > -np.inf
    assert found[known] == pytest.approx(expected[known], rel=1e-11, abs=1e-9)


def _moves(rng, p):
    """The chain of a matrix as moves and a jump, its moves in any order and some of them in two halves."""
    m, least = len(p), p.min(axis=1) * rng.choice([0, 0.5, 1])
    x, y = np.nonzero(p - least[:, None])
    weights = (p - least[:, None])[x, y]
    half = rng.random(len(x)) < 0.3
    x, y, weights = np.append(x, x[half]), np.append(y, y[half]), np.append(weights, weights[half])
    weights[: len(half)][half] /= 2
    weights[len(half) :] /= 2
    order = rng.permutation(len(x))
    return Moves(x[order], y[order], weights[order], least * m, m)


@pytest.mark.parametrize("seed", range(8))
def test_every_path_written_out(seed):
    rng = np.random.default_rng(seed)
    possible = 0
    for _ in range(60):
        m, n = int(rng.integers(2, 5)), int(rng.integers(1, 7))
        (prior, p), likelihood = random_chain(rng, m), random_likelihood(rng, n, m)
        every = AllPaths(prior, p, likelihood)
        weights = every.weights(range(n))
        for transitions in (p, _moves(rng, p)):
            if weights.max() == -np.inf:
                for function in (track_posterior, likeliest_path):
                    with pytest.raises(InputError, match="must be possible for some track"):
                        function(prior, transitions, likelihood)
                continue
            possible += 1
            found = track_posterior(prior, transitions, likelihood)
            _close(found.log_smoothed, every.belief(lambda t, n=n: range(n)))
            _close(found.log_filtered, every.belief(lambda t: range(t + 1)))
            _close(found.log_predicted, every.belief(lambda t, n=n: range(t, n)))
            _close(found.log_alone, every.belief(lambda t: [t]))
            _close(found.log_marginal, every.belief(lambda t: []))
            assert found.log_likelihood == pytest.approx(log_sum(weights), rel=1e-12, abs=1e-10)
            path = likeliest_path(prior, transitions, likelihood)
            assert path_score(path, prior, p, likelihood) == pytest.approx(weights.max(), rel=1e-12, abs=1e-10)
            assert (np.exp(found.log_smoothed) == found.smoothed).all()
            assert marginals(prior, transitions, n) == pytest.approx(found.marginal, abs=1e-12)
    assert possible > 60


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 100.0])
@pytest.mark.parametrize("jump", [0.0, 1e-300, 0.02])
def test_many_cells_against_plain_recursion_in_logarithms(epsilon, jump):
    rng = np.random.default_rng(5)
    sources, targets, weights, squares = walk(7, jump=jump)
    moves, m = Moves(sources, targets, weights, jump, 49), 49
    p, prior = moves.matrix(), rng.dirichlet(np.ones(m))
    places = 500.0 * squares
    seen = places[draw_states(rng, prior, p, 120)] + rng.standard_normal((120, 2)) * 4000
    likelihood = log_likelihoods(Seen(seen, np.full(120, epsilon)), places, PlanarLaplace(200.0))
    likelihood[rng.random(120) < 0.2] = 0.0
    expected, total = reference(prior, p, likelihood)
    for transitions in (moves, p):
        found = track_posterior(prior, transitions, likelihood)
        _close(found.log_smoothed, expected)
        assert found.log_likelihood == pytest.approx(total, rel=1e-12)
        path = likeliest_path(prior, transitions, likelihood)
        assert path_score(path, prior, p, likelihood) == pytest.approx(_best_score(prior, p, likelihood), rel=1e-12)


def _best_score(prior, p, likelihood):
    with np.errstate(divide="ignore"):
        best = np.log(prior) + likelihood[0]
        for row in likelihood[1:]:
            best = (best[:, None] + np.log(p)).max(axis=0) + row
    return best.max()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "kind", "epsilon"),
    [(100_000, "jump", 100.0), (20_000, "matrix", 1e-6), (20_000, "neighbours only", 100.0)]
    + [
        pytest.param(n, kind, epsilon, marks=pytest.mark.nightly)
        for n, kind, epsilon in ((100_000, "jump", 1e-6), (20_000, "matrix", 100.0), (20_000, "neighbours only", 1e-6))
    ],
)
def test_very_long_tracks_stay_in_range(n, kind, epsilon):
    rng = np.random.default_rng(1)
    sources, targets, weights, squares = walk(3, jump=0.0 if kind == "neighbours only" else 1e-3)
    moves = Moves(sources, targets, weights, 1.0 - np.bincount(sources, weights), 9)
    seen = 5000.0 * squares[rng.integers(9, size=n)] + rng.standard_normal((n, 2)) * 1000  # nobody walks like this
    likelihood = log_likelihoods(Seen(seen, np.full(n, epsilon)), 5000.0 * squares, PlanarLaplace(200.0))
    transitions = moves.matrix() if kind == "matrix" else moves
    found = track_posterior(np.full(9, 1 / 9), transitions, likelihood)
    for name in ("smoothed", "filtered", "predicted", "alone", "marginal"):
        assert np.isfinite(getattr(found, f"log_{name}")).all(), name
        assert getattr(found, name).sum(axis=1) == pytest.approx(np.ones(n), abs=1e-9)
    if kind == "neighbours only":
        expected, total = reference(np.full(9, 1 / 9), moves.matrix(), likelihood)
        _close(found.log_smoothed, expected)
        assert found.log_likelihood == pytest.approx(total, rel=1e-12)
    path = likeliest_path(np.full(9, 1 / 9), transitions, likelihood)
    score = path_score(path, np.full(9, 1 / 9), moves.matrix(), likelihood)
    assert score <= found.log_likelihood and np.isfinite(score)


def test_far_tails_keep_their_digits_where_the_future_decides_for_them():
    """The first release rules out the second state by e^-2000, the last one the first state by e^-5000: it is right."""
    p = np.array([[1.0, 0.0], [0.0, 1.0]])
    likelihood = np.array([[0.0, -2000.0], [0.0, 0.0], [-5000.0, 0.0]])
    found = track_posterior([0.5, 0.5], p, likelihood)
    assert found.log_smoothed[:, 0] == pytest.approx([-3000.0] * 3) and found.smoothed[:, 1].tolist() == [1.0] * 3
    assert found.log_filtered[0, 1] == pytest.approx(-2000.0)
    assert likeliest_path([0.5, 0.5], p, likelihood).tolist() == [1, 1, 1]


def test_a_constant_added_to_a_row_changes_the_total_alone():
    rng = np.random.default_rng(3)
    likelihood, added = rng.standard_normal((20, 3)), rng.standard_normal(20) * 1e4
    one, other = (track_posterior(STATIONARY, P, found) for found in (likelihood, likelihood + added[:, None]))
    assert other.smoothed == pytest.approx(one.smoothed, rel=1e-8)
    assert other.log_likelihood - added.sum() == pytest.approx(one.log_likelihood, rel=1e-8)


def test_nothing_measured_leaves_what_was_known():
    found = track_posterior([1, 0, 0], P, np.zeros((5, 3)))
    power = np.array([np.linalg.matrix_power(P, t)[0] for t in range(5)])
    for name in ("smoothed", "filtered", "predicted", "alone", "marginal"):
        assert getattr(found, name) == pytest.approx(power, abs=1e-14), name
    assert found.log_likelihood == pytest.approx(0, abs=1e-14)


def test_the_future_is_the_past_of_the_reversed_chain():
    rng = np.random.default_rng(4)
    likelihood = rng.standard_normal((9, 3)) * 3
    backward = STATIONARY * P.T / STATIONARY[:, None]
    found, mirrored = (
        track_posterior(STATIONARY, P, likelihood),
        track_posterior(STATIONARY, backward, likelihood[::-1]),
    )
    assert found.predicted == pytest.approx(mirrored.filtered[::-1], abs=1e-13)
    assert found.smoothed == pytest.approx(mirrored.smoothed[::-1], abs=1e-13)


def test_arrays_cannot_be_written_to_and_the_input_stays():
    likelihood = np.zeros((3, 3))
    found = track_posterior(STATIONARY, P, likelihood)
    for name in ("smoothed", "filtered", "predicted", "alone", "marginal"):
        for array in (getattr(found, name), getattr(found, f"log_{name}")):
            with pytest.raises(ValueError):
                array[0, 0] = 1.0
    assert (likelihood == 0).all() and likelihood.flags.writeable


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"prior": [0.5, 0.5]}, "Prior must contain 3 probabilities, shape (3,); got shape (2,)."),
        ({"prior": [0.5, 0.5, 0.5]}, "Prior must sum to 1; got 1.5. Divide it by its sum."),
        ({"transitions": P[:2]}, "Transitions must be a square table of numbers; got shape (2, 3)."),
        ({"transitions": P * 2}, "Row 0 of transitions must sum to 1; got 2. Correct the row."),
        (
            {"log_likelihood": np.zeros((4, 2))},
            "Log_likelihood must be a row for each timestamp and a column for each state, shape (n, 3); got shape (4, 2).",
        ),
        (
            {"log_likelihood": np.zeros((0, 3))},
            "Log_likelihood must be a row for each timestamp and a column for each state, shape (n, 3); got shape (0, 3).",
        ),
        (
            {"log_likelihood": [[0, 0, np.nan]]},
            "Log_likelihood must contain finite numbers, or -inf where a state is impossible; got nan at index (0, 2).",
        ),
        (
            {"log_likelihood": [[0, 0, 0], [0, np.inf, 0]]},
            "Log_likelihood must contain finite numbers, or -inf where a state is impossible; got inf at index (1, 1).",
        ),
        (
            {"log_likelihood": "abc"},
            "Log_likelihood must contain numbers, or -inf where a state is impossible; got something that is not a number.",
        ),
        (
            {"log_likelihood": [[0, 0, 0], [-np.inf] * 3]},
            "The release at timestamp 1 must be possible for some track; got none that produces it.",
        ),
    ],
)
def test_bad_input_is_one_sentence(change, sentence):
    given = {"prior": STATIONARY, "transitions": P, "log_likelihood": np.zeros((2, 3))} | change
    for function in (track_posterior, likeliest_path):
        with pytest.raises(InputError) as error:
            function(**given)
        assert str(error.value).startswith(sentence)


def test_marginals_refuse_no_timestamps():
    with pytest.raises(InputError, match="N must be a whole number, 1 or more; got 0"):
        marginals(STATIONARY, P, 0)

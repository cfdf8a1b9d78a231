"""Deliberate bugs, each put into the real code: the short check below, values and every path, must notice every one."""

import numpy as np
import pytest

from lmdk_widgets.budgets import Release
from lmdk_widgets.inference import (
    Moves,
    beliefs,
    chain_step,
    learned,
    likeliest_path,
    likelihood,
    log_likelihoods,
    moves,
    track,
    track_posterior,
)
from lmdk_widgets.noise import PlanarLaplace

from .inference_oracles import AllPaths, P, path_score

PRIOR = np.array([0.7, 0.2, 0.1])
CENTRES = np.array([[0.0, 0.0], [1000.0, 200.0], [2000.0, 0.0]])
OUTPUTS = np.array([[150.0, -80.0], [900.0, 300.0], [900.0, 300.0], [2300.0, -500.0]])
BUDGETS, PUBLISHED = np.array([1.1, 0.4, 0.1, 1.1]), np.array([True, True, False, True])
UNLIKE = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.2, 0.0, 0.8]])


def check():
    """Fails where any number of the package is wrong."""
    released = Release(OUTPUTS, BUDGETS, PUBLISHED, np.array([2]), comparison_budget=0.1)
    seen = log_likelihoods(released, CENTRES, PlanarLaplace(200.0))
    apart = np.hypot(*(OUTPUTS[:, None] - CENTRES).transpose(2, 0, 1))
    e = ((BUDGETS - 0.1) / 200)[:, None]
    with np.errstate(divide="ignore"):
        density = np.log(e**2 / (2 * np.pi)) - e * apart
    assert seen == pytest.approx(np.where(PUBLISHED[:, None], density, 0.0))
    far = np.array([[0.0, -900.0, -900.0], [-900.0, 0.0, -2000.0], [0.0, 0.0, 0.0], [-3000.0, -900.0, 0.0]])
    for p, likelihoods in ((P, seen), (UNLIKE, seen), (UNLIKE, far)):
        every = AllPaths(PRIOR, p, likelihoods)
        for transitions in (p, Moves.from_matrix(p)):
            found = track_posterior(PRIOR, transitions, likelihoods)
            for name, known in (
                ("smoothed", lambda t: range(4)),
                ("filtered", lambda t: range(t + 1)),
                ("predicted", lambda t: range(t, 4)),
                ("alone", lambda t: [t]),
                ("marginal", lambda t: []),
            ):
                expected = every.belief(known)
                possible = expected > -np.inf
                logs = getattr(found, f"log_{name}")
                assert ((logs > -np.inf) == possible).all()
                assert logs[possible] == pytest.approx(expected[possible], abs=1e-8)
            best = path_score(likeliest_path(PRIOR, transitions, likelihoods), PRIOR, p, likelihoods)
            assert best == pytest.approx(every.weights(range(4)).max())
    assert likeliest_path([0.1, 0.2, 0.7], P, np.zeros((1, 3))).tolist() == [2]
    assert learned(np.log([[0.2, 0.3, 0.5]]), np.log([[0.5, 0.3, 0.2]])) == pytest.approx(2 * np.log(2.5))
    assert beliefs.credible_region([[0.5, 0.3, 0.2]], 0.6).tolist() == [[True, True, False]]


def _transposed(patch):
    for kind in (moves.Moves, moves.MatrixMoves):
        forward, backward = kind.forward, kind.backward
        patch.setattr(kind, "forward", backward)
        patch.setattr(kind, "backward", forward)


def _backward_is_forward(patch):
    for kind in (moves.Moves, moves.MatrixMoves):
        patch.setattr(kind, "backward", kind.forward)


def _never_in_logarithms(patch):
    patch.setattr(chain_step, "_lossy", lambda push, logs: False)


def _likelihood_of_the_wrong_timestamp(patch):
    right = track.joined
    patch.setattr(track, "joined", lambda before, seen, t: right(before, seen[::-1], t))


def _budget_times_a_quarter_more(patch):
    right = likelihood._noise
    patch.setattr(likelihood, "_noise", lambda o, c, mechanism, spent: right(o, c, mechanism, 1.25 * spent))


def _no_constant(patch):
    right = likelihood._noise
    patch.setattr(likelihood, "_noise", lambda *given: right(*given) + 1.0)


def _repeats_count_again(patch):
    right = likelihood._read

    def all_published(released):
        outputs, _, _ = right(released)
        return outputs, np.arange(len(outputs)), released.budgets - released.comparison_budget + 1e-9

    patch.setattr(likelihood, "_read", all_published)


def _comparison_counted_in(patch):
    right = likelihood._read

    def all_spent(released):
        outputs, when, _ = right(released)
        return outputs, when, released.budgets[when]

    patch.setattr(likelihood, "_read", all_spent)


def _jump_forgotten(patch):
    right = chain_step.Sparse.sums
    patch.setattr(
        chain_step.Sparse, "sums", lambda self, v: right(self, v) - self.given * (v @ self.taken)[..., None] * 0.5
    )


def _first_source(patch):
    for kind in (chain_step.Sparse, chain_step.Dense):
        patch.setattr(kind, "origin", lambda self, logs, x: int(logs.argmax()))


def _marginal_stays_the_prior(patch):
    patch.setattr(track, "STILL", 10.0)


def _path_without_prior(patch):
    right = track.checked

    def flat(*given):
        found, start, seen = right(*given)
        return found, np.zeros_like(start), seen

    patch.setattr(track, "checked", flat)


def _future_left_out(patch):
    patch.setattr(track, "_backward", lambda push, seen: np.zeros_like(seen))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_check_passes():
    check()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "mutant",
    [
        _transposed,
        _backward_is_forward,
        _never_in_logarithms,
        _likelihood_of_the_wrong_timestamp,
        _budget_times_a_quarter_more,
        _no_constant,
        _repeats_count_again,
        _comparison_counted_in,
        _jump_forgotten,
        _first_source,
        _marginal_stays_the_prior,
        _path_without_prior,
        _future_left_out,
    ],
)
def test_every_mutant_is_noticed(mutant, monkeypatch):
    mutant(monkeypatch)
    with pytest.raises((AssertionError, ValueError)):
        check()

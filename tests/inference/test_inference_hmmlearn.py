"""The same beliefs and paths as another library's, on chains too large to write out."""

import numpy as np
import pytest

from lmdk_widgets.inference import Moves, likeliest_path, track_posterior

from .inference_oracles import STATIONARY, P, path_score, walk

pytest.importorskip("hmmlearn", reason="the extra `test` installs it where it has a wheel")

from hmmlearn.base import BaseHMM


class Given(BaseHMM):
    """A hidden Markov model whose observations are the log likelihoods themselves."""

    def _compute_log_likelihood(self, likelihood):
        return likelihood


def other(prior, p, likelihood):
    """Log likelihood, posteriors and likeliest path, with its logarithm, by hmmlearn."""
    model = Given(n_components=len(prior))
    model.startprob_, model.transmat_ = np.asarray(prior), np.asarray(p)
    total, smoothed = model.score_samples(likelihood)
    score, path = model.decode(likelihood, algorithm="viterbi")
    return total, smoothed, score, path


@pytest.mark.parametrize("kind", ["small", "walk", "walk without jump", "random"])
@pytest.mark.parametrize("size", [0.01, 1.0, 30.0])
def test_the_same_as_hmmlearn(kind, size):
    rng = np.random.default_rng(1)
    jump = 0.0 if kind.endswith("jump") else 0.02
    if kind == "small":
        prior, transitions = STATIONARY, P
    elif kind == "random":
        prior, transitions = rng.dirichlet(np.ones(60)), rng.dirichlet(np.full(60, 0.2), 60)
    else:
        sources, targets, weights, _ = walk(10, jump=jump)
        prior, transitions = rng.dirichlet(np.ones(100)), Moves(sources, targets, weights, jump, 100)
    p = transitions.matrix() if isinstance(transitions, Moves) else transitions
    likelihood = -rng.random((500, len(prior))) * size
    total, smoothed, score, path = other(prior, p, likelihood)
    found = track_posterior(prior, transitions, likelihood)
    assert found.smoothed == pytest.approx(smoothed, abs=1e-9)
    assert found.log_likelihood == pytest.approx(total, rel=1e-10)
    ours = likeliest_path(prior, transitions, likelihood)
    assert path_score(ours, prior, p, likelihood) == pytest.approx(score, rel=1e-12)
    assert (ours == path).all() or path_score(path, prior, p, likelihood) == pytest.approx(score, rel=1e-12)

"""Beliefs are worth what they say: of the cells believed at about 10 %, one in ten is true, over 2,000 draws of the model.

Tracks are drawn from prior and moves, releases by a sampler of this file, so that neither comes from what is tested. One
timestamp of each draw counts, so that draws are independent; the cells of one draw exclude each other, which makes sums vary
less than independent ones: the binomial spread is an upper bound.
"""

from functools import cache

import numpy as np
import pytest

from lmdk_widgets.budgets import Release
from lmdk_widgets.inference import Moves, credible_region, log_likelihoods, track_posterior
from lmdk_widgets.noise import PlanarLaplace

from .inference_oracles import draw_states, walk

SIDE, CELL_M, RADIUS_M, DRAWS = 5, 300.0, 200.0, 2000
BUDGETS = np.array([1.2, 2.0, 0.0, 1.0, 1.5])
"""Nothing new is published at the third timestamp."""

BELIEVED = ((0.05, 0.15), (0.45, 0.55))
SHARES = (0.5, 0.95)
CLOSE = 3.5
"""Standard deviations; each of some ten numbers is farther off in one of 2,000 sets of draws."""

STAY, JUMP = 0.3, 0.6
"""Moves that leave something to learn from each release."""

LOOKS = ("smoothed", "filtered", "predicted", "alone")


def released(rng, points):
    """Planar Laplace around points (n, 2): the distance is a gamma variable of shape 2, the direction is uniform."""
    published = BUDGETS > 0
    far = rng.gamma(2.0, RADIUS_M / np.where(published, BUDGETS, 1.0))
    turn = rng.uniform(0, 2 * np.pi, len(points))
    return Release(points + (far * [np.cos(turn), np.sin(turn)]).T, BUDGETS, published, np.zeros(0, np.int64))


@cache
def believed(factor=1.0, look="smoothed"):
    """(draws, m) the belief at one timestamp of each draw, where budgets are taken `factor` times; (draws,) the truth."""
    rng = np.random.default_rng(7)
    sources, targets, weights, squares = walk(SIDE, stay=STAY, jump=JUMP)
    moves = Moves(sources, targets, weights, JUMP, SIDE * SIDE)
    matrix, centres = moves.matrix(), CELL_M * squares
    prior = rng.dirichlet(np.ones(SIDE * SIDE))
    beliefs, truth = [], []
    for draw in range(DRAWS):
        states, t = draw_states(rng, prior, matrix, len(BUDGETS)), draw % len(BUDGETS)
        out = released(rng, centres[states])
        taken = Release(out.outputs, out.budgets * factor, out.published, out.landmarks)
        found = track_posterior(prior, moves, log_likelihoods(taken, centres, PlanarLaplace(RADIUS_M)))
        beliefs.append(getattr(found, look)[t])
        truth.append(states[t])
    return np.array(beliefs), np.array(truth)


def spreads(belief, truth):
    """By how many standard deviations what came true differs from what was believed, of each bin and each region."""
    came = np.arange(belief.shape[1]) == truth[:, None]
    chosen = [(belief >= low) & (belief < high) for low, high in BELIEVED]
    found = []
    for some in chosen:
        assert some.sum() > 150, "too few cells to say anything"
        p = belief[some]
        found.append((came[some].sum() - p.sum()) / np.sqrt((p * (1 - p)).sum()))
    for share in SHARES:
        region = credible_region(belief, share)
        held, mass = (came & region).any(axis=1), (belief * region).sum(axis=1)
        assert mass.min() >= share * (1 - 1e-9)
        found.append((held.sum() - mass.sum()) / np.sqrt((mass * (1 - mass)).sum()))
    return np.array(found)


@pytest.mark.nightly
@pytest.mark.parametrize("look", LOOKS)
def test_what_is_believed_comes_true_as_often(look):
    belief, truth = believed(look=look)
    assert abs(spreads(belief, truth)).max() < CLOSE
    for share in SHARES:
        held = credible_region(belief, share)[np.arange(DRAWS), truth].mean()
        assert held > share - CLOSE * np.sqrt(share * (1 - share) / DRAWS)


@pytest.mark.long
@pytest.mark.parametrize("factor", [0.75, 1.25])
def test_a_budget_that_is_off_by_a_quarter_is_noticed(factor):
    assert abs(spreads(*believed(factor))).max() > 1.5 * CLOSE

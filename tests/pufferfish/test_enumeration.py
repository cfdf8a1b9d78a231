"""Every sequence of small chains: the released value never tells more than e^epsilon, and mutants would."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.pufferfish import MarkovChain, gk16, group_privacy, histogram, local_influence_scale, quilt_scale
from lmdk_widgets.pufferfish.approximate import approximate_quilt_scale

from .oracles import density_loss, loop_influence, quilts

TWO = [
    ([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]]),
    ([1.0, 0.0], [[0.9, 0.1], [0.4, 0.6]]),
    ([0.3, 0.7], [[0.0, 1.0], [0.5, 0.5]]),
    ([0.5, 0.5], [[1.0, 0.0], [0.0, 1.0]]),
]
THREE = [
    ([0.2, 0.3, 0.5], [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]),
    ([1.0, 0.0, 0.0], [[0.8, 0.2, 0.0], [0.0, 0.8, 0.2], [0.2, 0.0, 0.8]]),
]


def worst_loss(chain, length, epsilon, sigma, query, lipschitz):
    q, p = chain
    return max(density_loss(q, p, length, query, sigma * lipschitz, node) for node in range(length))


def fraction_in_0(states):
    return states.count(0) / len(states)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize(("chain", "length"), [*((c, 8) for c in TWO), *((c, 6) for c in THREE)])
def test_density_ratio_stays_below_e_to_the_epsilon(chain, length, epsilon):
    sigma = quilt_scale(MarkovChain(*chain), length, epsilon).scale
    assert worst_loss(chain, length, epsilon, sigma, fraction_in_0, 1 / length) <= epsilon * (1 + 1e-9)


@pytest.mark.long
@pytest.mark.parametrize("chain", [*TWO, *THREE])
def test_density_ratio_with_eight_timestamps_and_every_epsilon(chain):
    rng = np.random.default_rng(1)
    for epsilon in np.exp(rng.uniform(-2, 2, 6)):
        sigma = quilt_scale(MarkovChain(*chain), 8, epsilon).scale
        weights = rng.integers(-3, 4, len(chain[0]))
        query, lipschitz = (lambda states, w=weights: float(sum(w[x] for x in states))), float(np.ptp(weights)) or 1.0
        assert worst_loss(chain, 8, epsilon, sigma, query, lipschitz) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_the_bound_comes_close(epsilon):
    """Tight where nothing correlates and where everything does, and above three fifths for a sticky chain."""
    equal, stuck = ([0.5, 0.5], [[0.5, 0.5]] * 2), TWO[3]
    for chain, least in ((stuck, 1.0), (TWO[0], 0.6)):
        sigma = quilt_scale(MarkovChain(*chain), 8, epsilon).scale
        loss = worst_loss(chain, 8, epsilon, sigma, fraction_in_0, 1 / 8)
        assert least * epsilon * (1 - 1e-9) <= loss <= epsilon * (1 + 1e-9)
    sigma = quilt_scale(MarkovChain(*equal), 1, epsilon).scale
    assert worst_loss(equal, 1, epsilon, sigma, fraction_in_0, 1.0) == pytest.approx(epsilon)


def test_less_noise_breaks_the_guarantee():
    """A mutant that adds a tenth less noise, and entry-level privacy, are seen by this very test."""
    chain, epsilon = TWO[3], 1.0
    sigma = quilt_scale(MarkovChain(*chain), 8, epsilon).scale
    assert worst_loss(chain, 8, epsilon, sigma * 0.9, fraction_in_0, 1 / 8) > epsilon * 1.05
    assert worst_loss(TWO[0], 8, epsilon, 1 / epsilon, fraction_in_0, 1 / 8) > epsilon * 2


def test_a_histogram_of_two_states_needs_lipschitz_two():
    """Both counts move: as (k, T - k) the L1 distance is twice that of k: L = 2."""
    chain, epsilon, length = TWO[0], 1.0, 6
    sigma = quilt_scale(MarkovChain(*chain), length, epsilon).scale
    twice = worst_loss(chain, length, epsilon, sigma, lambda s: 2.0 * s.count(0), 2.0)
    assert twice <= epsilon * (1 + 1e-9)
    assert histogram([0] * 6, 2).tolist() == [6, 0]


@pytest.mark.parametrize("chain", [([0.5, 0.5], [[0.6, 0.4], [0.4, 0.6]]), ([0.3, 0.7], [[0.55, 0.45], [0.4, 0.6]])])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_baselines_that_protect(chain, epsilon):
    theta = MarkovChain(*chain)
    for baseline in (local_influence_scale(theta, 8, epsilon), gk16(theta, 8, epsilon), group_privacy(8, epsilon)):
        sigma = baseline.scale
        assert worst_loss(chain, 8, epsilon, sigma, fraction_in_0, 1 / 8) <= epsilon * (1 + 1e-9)
    sigma = approximate_quilt_scale(theta, length=8, epsilon=epsilon).scale
    assert sigma >= quilt_scale(theta, 8, epsilon).scale * (1 - 1e-12)


def mutant_scale(chain, length, epsilon, *, card=0, sides="right", maxima="together", strict=True):
    """The loop over nodes and quilts with one deliberate mistake."""
    q, p = chain
    worst = 0.0
    for node in range(length):
        best = np.inf
        for left, right, size in quilts(length, node):
            e = loop_influence(q, p, node, left, right)
            if maxima == "apart":
                e = sum(loop_influence(q, p, node, *side) for side in ((left, None), (None, right)))
            if e < epsilon or (not strict and e == epsilon):
                best = min(best, max(size + card, 0) / (epsilon - e))
        worst = max(worst, best)
    return worst


@pytest.mark.parametrize("mistake", [{"card": -1}, {"card": 1}, {"maxima": "apart"}])
def test_mutants_of_the_exact_scale_are_caught(mistake):
    """Theta 1 of the published values, shortened: each mistake gives another number."""
    chain = ([0.05, 0.35, 0.6], [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    right = quilt_scale(MarkovChain(*chain), 14, 3.0).scale
    assert mutant_scale(chain, 14, 3.0) == pytest.approx(right, rel=1e-9)
    assert mutant_scale(chain, 14, 3.0, **mistake) != pytest.approx(right, rel=1e-3)

"""Queries, their constants, the release, Theta from data, the interval of binary chains, the baselines."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish import (
    MarkovChain,
    binary_interval_gk16,
    binary_interval_scale,
    bootstrap_chains,
    chain_from_data,
    entry_privacy,
    gk16,
    group_privacy,
    histogram,
    lipschitz_constant,
    local_influence,
    local_influence_scale,
    quilt_mechanism,
    quilt_scale,
    relative_histogram,
    state_fraction,
)


@pytest.mark.parametrize(
    ("name", "query"),
    [("histogram", histogram), ("relative_histogram", relative_histogram), ("state_fraction", None)],
)
def test_constants_are_reached_and_never_exceeded(name, query):
    m, length = 3, 4
    ask = (lambda s: state_fraction(s, 1)) if query is None else (lambda s: query(s, m))
    most = 0.0
    for states in itertools.product(range(m), repeat=length):
        for k, x in itertools.product(range(length), range(m)):
            other = [*states[:k], x, *states[k + 1 :]]
            most = max(most, float(np.abs(np.asarray(ask(list(states))) - np.asarray(ask(other))).sum()))
    assert most == pytest.approx(lipschitz_constant(name, length))


def test_the_release_has_the_noise_it_should():
    states = np.array([0, 1, 1, 2, 2, 2])
    truth = histogram(states, 3)
    rng = np.random.default_rng(3)
    many = np.array([quilt_mechanism(states, lambda s: histogram(s, 3), 2.0, 1.5, rng) for _ in range(8000)])
    assert many.shape == (8000, 3)
    assert np.abs(many.mean(axis=0) - truth).max() < 0.2
    assert np.abs(many - truth).mean(axis=0) == pytest.approx([3.0] * 3, rel=0.06)
    assert abs(np.corrcoef(many.T)[0, 1]) < 0.05
    one = quilt_mechanism(states, lambda s: state_fraction(s, 1), 1 / 6, 1.5, rng)
    assert np.ndim(one) == 0


def test_bootstrap_and_people():
    rng = np.random.default_rng(1)
    true = MarkovChain.stationary([[0.9, 0.1], [0.4, 0.6]])
    series = [true.sample(400, rng) for _ in range(5)]
    estimate = chain_from_data(series, 2)
    theta = bootstrap_chains(series, 2, 40, rng)
    assert theta[0].transition.tolist() == estimate.transition.tolist() and len(theta) == 40
    spread = np.array([chain.transition[0, 0] for chain in theta])
    assert spread.std() == pytest.approx(np.sqrt(0.09 / 1600), rel=0.4)
    scales = [quilt_scale(t, 400, 1.0).scale for t in (estimate, theta, true)]
    assert scales[1] >= scales[0]
    never_left = bootstrap_chains([0, 1], 3, 3, rng)
    assert all(chain.n_states == 3 for chain in never_left)


@pytest.mark.long
@pytest.mark.parametrize("alpha", [0.15, 0.3, 0.45, 0.5])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_interval_covers_every_chain_in_it(alpha, epsilon):
    found = binary_interval_scale(alpha, 40, epsilon)
    assert found.at_least <= found.scale <= found.at_least * (1 + 1e-4) * (1 + 1e-12)
    assert quilt_scale(found.chain, 40, epsilon).scale == pytest.approx(found.at_least, rel=1e-9)
    rng = np.random.default_rng(5)
    tried = [*itertools.product((alpha, 1 - alpha), repeat=2), *rng.uniform(alpha, 1 - alpha, (25, 2))]
    for p, q in tried:
        chain = MarkovChain.stationary([[p, 1 - p], [1 - q, q]])
        assert quilt_scale(chain, 40, epsilon).scale <= found.scale * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.37, 0.4, 0.46, 0.5])
@pytest.mark.parametrize("length", [1, 2, 3, 30])
def test_no_chain_of_the_interval_needs_more_of_gk16_than_its_corner(alpha, length):
    """A dense grid; every local influence is largest at the corner, and so the scale, or whether there is one."""
    corner = binary_interval_gk16(alpha, length, 1.0)
    worst = local_influence(MarkovChain.stationary([[alpha, 1 - alpha], [1 - alpha, alpha]]), length)
    steps = np.linspace(alpha, 1 - alpha, 15)
    for p, q in itertools.product(steps, repeat=2):
        chain = MarkovChain.stationary([[p, 1 - p], [1 - q, q]])
        assert (local_influence(chain, length) <= worst + 1e-12).all()
        found = gk16(chain, length, 1.0).scale
        assert corner.scale is None or found <= corner.scale * (1 + 1e-12)
    far = MarkovChain.stationary([[1 - alpha, alpha], [alpha, 1 - alpha]])
    assert gk16(far, length, 1.0).scale == (None if corner.scale is None else pytest.approx(corner.scale))


def test_baselines():
    weak = MarkovChain.stationary([[0.55, 0.45], [0.45, 0.55]])
    strong = MarkovChain.stationary([[0.9, 0.1], [0.1, 0.9]])
    assert not entry_privacy(2.0).protects and entry_privacy(2.0).scale == 0.5
    assert group_privacy(10, 2.0).scale == 5
    assert gk16([weak, strong], 50, 1.0).scale is None and gk16(strong, 50, 1.0).scale is None
    assert "Not applicable" in gk16(MarkovChain.stationary([[0, 1], [0.5, 0.5]]), 50, 1.0).note
    assert gk16(MarkovChain.stationary(np.full((3, 3), 1 / 3)), 50, 2.0).scale == pytest.approx(1.0)
    assert gk16(weak, 10**6, 1.0).scale == pytest.approx(gk16(weak, 400, 1.0).scale, rel=1e-9)
    assert gk16(weak, 1, 1.0).scale == 2
    assert local_influence_scale(weak, 1, 1.0).scale == 1
    published = MarkovChain.stationary([[0.6, 0.4], [0.4, 0.6]])
    assert gk16(published, 100, 1.0).scale == pytest.approx(3.8873, abs=5e-5)
    assert local_influence_scale(published, 100, 1.0).scale == pytest.approx(1.9437, abs=5e-5)


def test_entry_level_privacy_protects_independent_timestamps_only():
    alike = MarkovChain.stationary([[0.3, 0.7], [0.3, 0.7]])
    assert entry_privacy(2.0, alike).protects
    assert quilt_scale(alike, 20, 2.0).scale == pytest.approx(entry_privacy(2.0, alike).scale)
    other = MarkovChain.stationary([[0.3, 0.7], [0.31, 0.69]])
    assert not entry_privacy(2.0, other).protects
    assert not entry_privacy(2.0, [alike, other]).protects


@pytest.mark.parametrize("transition", ([[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 1], [0.5, 0.5]]))
def test_entry_level_privacy_protects_where_there_is_no_secret_and_only_there(transition):
    certain, unknown = MarkovChain([1, 0], transition), MarkovChain([0.5, 0.5], transition)
    secret = transition[1] == [0.5, 0.5]  # from the third timestamp on both states can occur
    assert entry_privacy(2.0, certain).protects is not secret
    assert (gk16(certain, 20, 2.0).scale == 1.0) is not secret
    assert not entry_privacy(2.0, unknown).protects and gk16(unknown, 20, 2.0).scale is None


def test_timestamps_that_are_independent_have_no_local_influence_though_a_move_is_impossible():
    chain = MarkovChain([0.5, 0.5], [[1, 0], [1, 0]])
    assert entry_privacy(2.0, chain).protects
    assert local_influence_scale(chain, 20, 2.0).scale == quilt_scale(chain, 20, 2.0).scale == 0.5


def test_local_influence_by_enumeration():
    rng = np.random.default_rng(2)
    chain = MarkovChain(rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3))
    q, p, n = chain.initial, chain.transition, 4
    joint = np.einsum("a,ab,bc,cd->abcd", q, p, p, p)
    gamma = local_influence(chain, n)
    for i, j in itertools.permutations(range(n), 2):
        log = np.log(joint / joint.sum(axis=i, keepdims=True))
        assert gamma[i, j] == pytest.approx(np.ptp(log, axis=j).max() / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: histogram([0, 3], 3), "States must be whole numbers between 0 and 2; got another number at index 1"),
        (lambda: histogram([], 3), "States must be a series"),
        (
            lambda: lipschitz_constant("mean", 3),
            'Query must be "histogram", "relative_histogram" or',
        ),
        (
            lambda: quilt_mechanism([0], lambda s: np.nan, 1, 1, np.random.default_rng()),
            "The answers of the query must",
        ),
        (
            lambda: quilt_mechanism([0], lambda s: 1.0, 0, 1, np.random.default_rng()),
            "Lipschitz must be a finite",
        ),
        (lambda: quilt_mechanism([0], lambda s: 1.0, 1, 1, 7), "Rng must be a numpy.random.Generator; got an int"),
        (lambda: binary_interval_scale(0, 10, 1.0), "Alpha must be a number above 0 and at most 1/2; got 0"),
        (lambda: binary_interval_gk16(0.6, 10, 1.0), "Alpha must be a number above 0 and at most 1/2; got 0.6"),
    ],
)
def test_bad_input_is_told(call, words):
    with pytest.raises(InputError) as raised:
        call()
    assert str(raised.value).startswith(words)

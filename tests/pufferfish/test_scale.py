"""The exact scale against the published values, the loop over everything, and what must hold for any chain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish import MarkovChain, QuiltTable, max_influence, quilt_scale
from lmdk_widgets.pufferfish.influence import contrast
from lmdk_widgets.pufferfish.nodes import ChainNodes

from .oracles import enumerated_influence, loop_influence, loop_node_scale, loop_scale, quilts

THETA_1 = MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]])
THETA_2 = MarkovChain([0.9, 0.1], [[0.8, 0.2], [0.3, 0.7]])
STATIONARY_1 = MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]])
CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("chains", "support", "scale", "node", "quilt"),
    [
        (THETA_1, "definition", 12.9340510862, 7, (0, 12)),
        (THETA_1, "all", 13.0219234962, 7, (2, 12)),
        (THETA_2, "definition", 10.6401929816, 5, (None, 9)),
        (THETA_2, "all", 10.6401929816, 5, (None, 9)),
        ([THETA_1, THETA_2], "definition", 12.9340510862, 7, (0, 12)),
        ([THETA_2, THETA_1], "all", 13.0219234962, 7, (2, 12)),
    ],
)
def test_published_values(chains, support, scale, node, quilt):
    found = quilt_scale(chains, 100, 1.0, support=support)
    assert found.scale == pytest.approx(scale, abs=5e-11)
    assert (found.node, found.quilt) == (node, quilt)


@pytest.mark.parametrize("length", [100, 101, 5000, 1_000_000])
def test_the_stationary_value_at_any_length(length):
    assert quilt_scale(STATIONARY_1, length, 1.0).scale == pytest.approx(12.8399642312, abs=5e-11)


@pytest.mark.parametrize("length", [1, 2, 7, 1000, 10**6])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
def test_extremes(length, epsilon):
    equal = MarkovChain.stationary(np.full((3, 3), 1 / 3))
    assert quilt_scale(equal, length, epsilon).scale == pytest.approx(1 / epsilon, rel=1e-9)
    rows = MarkovChain([0.5, 0.2, 0.3], [[0.2, 0.3, 0.5]] * 3)
    assert quilt_scale(rows, length, epsilon).scale == pytest.approx(1 / epsilon, rel=1e-9)
    for stuck in (np.eye(3), CYCLE):
        found = quilt_scale(MarkovChain(np.full(3, 1 / 3), stuck), length, epsilon)
        assert found.scale == pytest.approx(length / epsilon)
        assert length == 1 or found.quilt == (None, None)


def test_a_cycle_whose_start_is_known_has_no_secret():
    assert quilt_scale(MarkovChain([1, 0, 0], CYCLE), 20, 2.0).scale == 0.5


def test_stuck_but_not_stationary():
    assert quilt_scale(MarkovChain([0.5, 0.3, 0.2], CYCLE), 50, 2.0).scale == 25
    assert quilt_scale(MarkovChain([0.5, 0.3, 0.2], np.eye(3)), 50, 2.0).scale == 25


def random_chain(rng, m, kind):
    p = rng.dirichlet(np.full(m, rng.choice([0.3, 1, 5])), m)
    if kind == "zeros":
        p = p * (rng.random((m, m)) < 0.6)
        p[p.sum(1) == 0] = 1
        p /= p.sum(1, keepdims=True)
    if kind == "stationary":
        return MarkovChain.stationary(p)
    q = rng.dirichlet(np.full(m, 1.0))
    if kind == "zeros" and rng.random() < 0.7:
        q = np.eye(m)[rng.integers(m)]
    return MarkovChain(q, p) if rng.random() < 0.8 else MarkovChain.stationary(p)


@pytest.mark.parametrize("kind", ["any", "stationary", "zeros"])
@pytest.mark.parametrize("support", ["definition", "all"])
def test_against_the_loop(kind, support):
    rng = np.random.default_rng([len(kind), len(support)])
    for _ in range(14):
        m, length = int(rng.integers(2, 5)), int(rng.integers(1, 11))
        chain, epsilon = random_chain(rng, m, kind), float(np.exp(rng.uniform(-2, 2)))
        slow = loop_scale(chain.initial, chain.transition, length, epsilon, support)
        fast = quilt_scale(chain, length, epsilon, support=support)
        assert fast.scale == pytest.approx(slow, rel=1e-9)
        score, _ = loop_node_scale(chain.initial, chain.transition, length, fast.node, epsilon, support)
        assert score == pytest.approx(fast.scale, rel=1e-9), "the node named needs that scale"
        e = max_influence(chain, length, fast.node, *fast.quilt, support=support)
        assert fast.nearby / (epsilon - e) == pytest.approx(fast.scale, rel=1e-9), "the quilt named has that score"
        assert e == pytest.approx(fast.influence, abs=1e-9)


def test_every_node_against_the_loop():
    rng = np.random.default_rng(4)
    for kind in ("any", "stationary", "zeros"):
        chain, epsilon, length = random_chain(rng, 3, kind), 1.3, 12
        scales = QuiltTable(chain).node_scales(epsilon, length)
        for node in range(length):
            score, _ = loop_node_scale(chain.initial, chain.transition, length, node, epsilon)
            assert scales.scale[node] == pytest.approx(score, rel=1e-9)
        assert scales.scale.max() == pytest.approx(quilt_scale(chain, length, epsilon).scale, rel=1e-12)


@pytest.mark.long
def test_long_series_where_the_loop_cannot_go():
    """The node far from both ends, the sweep and the search by bounds agree on long series: three ways to one number."""
    rng = np.random.default_rng(8)
    for m in (2, 3, 6):
        p = rng.dirichlet(np.ones(m), m)
        chain = MarkovChain.stationary(p)
        near = MarkovChain(chain.initial * (1 + 1e-9 * rng.standard_normal(m)), p)
        for length, epsilon in ((60, 0.2), (400, 1.0), (20_000, 0.3)):
            one, table = quilt_scale(chain, length, epsilon), QuiltTable(chain)
            table._nodes[0].alike = False
            two = table.scale(epsilon, length)
            assert one.scale == pytest.approx(two.scale, rel=1e-9)
            assert quilt_scale(near, length, epsilon).scale == pytest.approx(one.scale, rel=1e-5)
            scales = QuiltTable(chain).node_scales(epsilon, min(length, 400))
            assert scales.scale.max() <= one.scale * (1 + 1e-9)


@pytest.mark.long
@pytest.mark.parametrize("support", ["definition", "all"])
def test_the_nodes_left_out_are_never_the_worst(support):
    """Any start, long series: the nodes that differ give what all nodes give."""
    rng = np.random.default_rng(12)
    left_out = 0
    for kind in ("any", "zeros") * 6:
        chain, epsilon = random_chain(rng, 3, kind), float(np.exp(rng.uniform(-1, 1)))
        nodes, length = ChainNodes(chain, support), 250
        scores, _ = nodes.every(length, epsilon)
        each = [nodes.best(node, length, epsilon).score for node in range(length)]
        assert scores.max() == pytest.approx(max(each), rel=1e-11)
        left_out += nodes.middle(length, epsilon)[0] < length - 1
    assert left_out > 3


def test_a_very_slow_chain():
    slow = MarkovChain.stationary([[0.999, 0.001], [0.001, 0.999]])
    found = quilt_scale(slow, 10**6, 0.2)
    assert 5_000 < found.scale < 10**6 / 0.2
    card = np.arange(2, 20_000)
    mu = 0.998 ** (card / 2)  # a symmetric chain: the best split is even, e = 2 log((1 + mu) / (1 - mu))
    half = card - 1
    e = 2 * np.log1p(2 * mu / (1 - mu))
    even = (half / (0.2 - e))[(card % 2 == 0) & (e < 0.2)].min()
    assert found.scale <= even * (1 + 1e-9)
    assert found.scale == pytest.approx(even, rel=1e-4)


@pytest.mark.parametrize("kind", ["band", "tridiagonal", "sticky", "one way round"])
def test_many_states_that_mix_slowly(kind):
    """One node far from both ends, or the search among those near them, gives what all nodes give."""
    rng = np.random.default_rng(9)
    i = np.arange(14)
    far = np.abs(i[:, None] - i)
    weights = {
        "band": np.exp(-far / 2) + 1e-3,
        "tridiagonal": (far <= 1) * rng.uniform(0.5, 1, (14, 14)),
        "sticky": np.eye(14) * 20 + rng.dirichlet(np.full(14, 0.2), 14) + 1e-4,
        "one way round": ((i - i[:, None]) % 14 <= 1) * rng.uniform(0.2, 1, (14, 14)),
    }[kind]
    chain = MarkovChain.stationary(weights / weights.sum(axis=1, keepdims=True))
    table, nodes = QuiltTable(chain), ChainNodes(chain, "definition")
    for length, epsilon in ((10**6, 1.0), (10**6, 0.4), (120, 1.0), (40, 3.0)):
        some = range(length) if length < 1000 else (length // 2, length // 3)
        most = max(nodes.best(node, length, epsilon).score for node in some)
        assert table.scale(epsilon, length).scale == pytest.approx(most, rel=1e-12)


@pytest.mark.long
def test_one_table_serves_every_epsilon_and_length():
    rng = np.random.default_rng(3)
    chains = [MarkovChain.stationary(rng.dirichlet(np.ones(4), 4)), random_chain(rng, 4, "any")]
    table = QuiltTable(chains)
    for epsilon in (5.0, 0.2, 1.0, 0.05):
        for length in (300, 10, 45, 1, 5_000):
            assert table.scale(epsilon, length) == quilt_scale(chains, length, epsilon)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["any", "stationary", "zeros"]), st.integers(1, 60))
@pytest.mark.long
def test_monotone(seed, kind, length):
    rng = np.random.default_rng(seed)
    chains = [random_chain(rng, 3, kind) for _ in range(2)]
    low, high = sorted(np.exp(rng.uniform(-2, 2, 2)))
    table = QuiltTable(chains)
    one, two = table.scale(low, length).scale, table.scale(high, length).scale
    assert one >= two * (1 - 1e-12)
    assert 1 / high * (1 - 1e-12) <= two <= length / high * (1 + 1e-12)
    alone = [quilt_scale(chain, length, high).scale for chain in chains]
    assert two == max(alone), "Theta is as hard as its hardest chain"
    everywhere = quilt_scale(chains, length, high, support="all").scale
    assert everywhere >= two * (1 - 1e-12)


def test_influence_by_enumeration():
    rng = np.random.default_rng(5)
    for _ in range(12):
        chain, length = random_chain(rng, int(rng.integers(2, 4)), "zeros"), 5
        q, p = chain.initial.tolist(), chain.transition.tolist()
        for node in range(length):
            for left, right, _ in quilts(length, node):
                seen = [k for k in (left, right) if k is not None]
                slow = enumerated_influence(q, p, length, node, seen)
                assert max_influence(chain, length, node, left, right) == pytest.approx(slow, rel=1e-9, abs=1e-12)
                every = loop_influence(q, p, node, left, right, "all")
                assert max_influence(chain, length, node, left, right, support="all") == pytest.approx(
                    every, rel=1e-9, abs=1e-12
                )


def test_influence_never_grows_with_distance():
    rng = np.random.default_rng(6)
    for kind in ("any", "zeros"):
        chain = random_chain(rng, 4, kind)
        e = [[max_influence(chain, 21, 10, 10 - a, 10 + b) for b in range(1, 11)] for a in range(1, 11)]
        with np.errstate(invalid="ignore"):
            for axis in (0, 1):
                assert not (np.diff(e, axis=axis) > 1e-12).any()


def test_impossible_stays_impossible_when_probabilities_underflow():
    """A state that is left for good: 300 moves later its probability is 0 to a computer, not to the definition."""
    fading = MarkovChain([0.5, 0.5], [[1e-5, 1 - 1e-5], [0, 1]])
    assert max_influence(fading, 400, 200, 100, None) > 500
    assert max_influence(fading, 400, 200, None, 300) == np.inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: quilt_scale([], 10, 1.0), "Chains must be a MarkovChain or a sequence of them; got an empty sequence"),
        (lambda: quilt_scale(THETA_1, 0, 1.0), "Length must be a whole number, 1 or more; got 0"),
        (lambda: quilt_scale(THETA_1, 10, 0.0), "Epsilon must be a finite number above 0; got 0.0"),
        (lambda: quilt_scale(THETA_1, 10, 1.0, support="some"), 'Support must be "definition" or "all"; got some'),
        (
            lambda: quilt_scale([THETA_1, MarkovChain([1], [[1]])], 10, 1.0),
            "Chain 1 must have 2 states, like chain 0",
        ),
        (lambda: quilt_scale("abc", 10, 1.0), "Chains must be a MarkovChain or a sequence of them; got a str"),
        (lambda: max_influence(THETA_1, 10, 10), "Node must be a whole number between 0 and 9; got 10"),
        (lambda: max_influence(THETA_1, 10, 3, 3), "Left must be a timestamp before the node, 3, or None; got 3"),
        (
            lambda: max_influence(THETA_1, 10, 3, None, 10),
            "Right must be a timestamp after the node, 3, and below 10",
        ),
        (lambda: MarkovChain([1, 0], [[0.5, 0.4], [0, 1]]), "Row 0 of the transition matrix must sum to 1; got 0.9"),
        (lambda: MarkovChain([1, 1], np.eye(2)), "The initial distribution must sum to 1; got 2"),
    ],
)
def test_bad_input_is_told(call, words):
    with pytest.raises(InputError) as raised:
        call()
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize("states", [3, 45])
def test_a_contrast_is_the_largest_over_observations(states):
    logs = np.log(np.random.default_rng(0).dirichlet(np.ones(states), size=states))
    found = contrast(logs)
    for x, other in [(0, 1), (2, 0), (states - 1, 1), (1, states - 1)]:
        assert found[x, other] == pytest.approx(max(logs[x, s] - logs[other, s] for s in range(states)))


@pytest.mark.parametrize("length", [258, 300, 411])
def test_no_node_of_a_slow_chain_in_a_longer_series_needs_more(length):
    """Too long for all quilts at once, and too short for a node that is far from both ends."""
    chain = MarkovChain.stationary([[0.985, 0.015], [0.02, 0.98]])
    _, found = ChainNodes(chain, "definition").worst(length, 1.0)
    scale = quilt_scale(chain, length, 1.0)
    assert scale.scale == pytest.approx(found.score, rel=1e-9)
    assert scale.scale == pytest.approx(QuiltTable(chain).node_scales(1.0, length).scale.max(), rel=1e-9)
    assert scale.scale == pytest.approx(217.1, abs=0.05)

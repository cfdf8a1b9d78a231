"""Chains of the user's own: the published pair, and every part of the page against slow oracles."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.pages.series import composition as together
from lmdk_widgets.pages.series import describe, evaluate
from lmdk_widgets.pages.series.belief import long_run
from lmdk_widgets.pages.series.chains import chain_sentences
from lmdk_widgets.pages.series.evaluate import place_segments
from lmdk_widgets.pages.series.mechanisms import mechanisms_table
from lmdk_widgets.pages.series.timeline import influence_summary
from lmdk_widgets.pufferfish import MarkovChain, approximate_quilt_scale, compose_parallel, local_influence_scale
from tests.pages.series.chains import THETA_1, THETA_2, own
from tests.pufferfish.oracles import density_loss, loop_influence, loop_node_scale, loop_scale, sequences


@pytest.mark.parametrize(
    ("chains", "support", "sigma", "node", "quilt"),
    [
        ([THETA_1], "definition", 12.9340510862, 7, (0, 12)),
        ([THETA_1], "all", 13.0219234962, 7, (2, 12)),
        ([THETA_2], "definition", 10.6401929816, 5, (None, 9)),
        ([THETA_2], "all", 10.6401929816, 5, (None, 9)),
        ([THETA_1, THETA_2], "definition", 12.9340510862, 7, (0, 12)),
        ([THETA_2, THETA_1], "all", 13.0219234962, 7, (2, 12)),
        ([([], THETA_1[1])], "definition", 12.8399642312, None, None),
    ],
)
def test_the_values_of_the_pair(chains: list, support: str, sigma: float, node: int | None, quilt: Any) -> None:
    outcome = evaluate(own(*chains, support=support))
    assert outcome.scale.scale == pytest.approx(sigma, abs=1e-9)
    assert outcome.method("exact").scale == outcome.scale.scale == max(found.scale for found in outcome.alone)
    if node is not None:
        assert (outcome.scale.node, outcome.scale.quilt) == (node, quilt) == (outcome.node, outcome.quilt)
        assert outcome.scale.chain == chains.index(THETA_1 if sigma > 12 else THETA_2)


def test_the_page_says_which_chain_needs_the_noise_and_what_the_other_count_gives() -> None:
    both = evaluate(own(THETA_1, THETA_2))
    assert [round(found.scale, 4) for found in both.alone] == [12.9341, 10.6402]
    text = " ".join(chain_sentences(both))
    assert (
        "chain 1 by itself needs σ = 12.9341 (timestamp 8), chain 2 by itself needs σ = 10.6402 (timestamp 6)" in text
    )
    assert "the largest, 12.9341: chain 1 needs it" in text and "it gives σ = 13.0219; both protect" in text
    assert "Of the chains, chain 1 needs it." in describe(both).paragraph
    other = evaluate(own(THETA_2, THETA_1, support="all"))
    assert "chain 2 needs it" in describe(other).paragraph
    assert "which gives σ = 12.9341" in " ".join(chain_sentences(other))
    assert "over every state, possible there or not" in describe(other).assumption
    assert "chains 1 and 2 need it equally" in describe(evaluate(own(THETA_2, THETA_2))).paragraph
    assert "the same σ" in " ".join(chain_sentences(evaluate(own(([0, 1], [[0.5, 0.5], [0.5, 0.5]])))))
    assert evaluate(own(THETA_2)).scale_otherwise is None


def test_a_state_that_is_left_for_ever_makes_the_two_counts_differ() -> None:
    chain = ([0.31, 0.58, 0.11], [[0, 0.07, 0.93], [0, 0.51, 0.49], [0, 0.48, 0.52]])
    settings = {"length": 35, "epsilon": 0.17027429392357235}
    by_definition, everything = (loop_scale(*chain, *settings.values(), support) for support in ("definition", "all"))
    assert everything > by_definition * 1.01
    outcome = evaluate(own(chain, **settings))
    assert (outcome.scale.scale, outcome.scale_otherwise) == pytest.approx((by_definition, everything), rel=1e-9)
    assert "Every state can occur" not in " ".join(chain_sentences(outcome))
    assert "Every state can occur at every timestamp" in " ".join(chain_sentences(evaluate(own(THETA_2))))


def test_beyond_both_ends_of_the_series_nothing_falls_below_epsilon() -> None:
    frozen = ([0.5, 0.5], [[1, 0], [0, 1]])
    for node in (0, 3, 7):
        outcome = evaluate(own(frozen, THETA_1, length=8, node=node))
        assert outcome.belief.first_below(1.0, node) is None
        assert influence_summary(outcome).endswith("At no distance do both sides together fall below ε.")


def test_states_that_take_turns_for_certain_are_no_secret() -> None:
    outcome = evaluate(own(([1, 0], [[0, 1], [1, 0]]), length=9))
    assert "only one state can occur at each timestamp: there is no secret" in " ".join(describe(outcome).warnings)


def random_chain(rng: np.random.Generator, m: int) -> tuple[list[float], list[list[float]]]:
    """A chain with a start that leaves states out, and sometimes moves that cannot happen."""
    p = rng.dirichlet(np.full(m, rng.choice([0.5, 3.0])), m)
    if rng.random() < 0.4:
        p[rng.random((m, m)) < 0.25] = 0
        p[p.sum(axis=1) == 0] = 1
        p /= p.sum(axis=1, keepdims=True)
    q = rng.dirichlet(np.ones(m))
    if rng.random() < 0.5:
        q = np.eye(m)[rng.integers(m)]
    return (q / q.sum()).tolist(), p.tolist()


def cases(n: int, *, longest: int = 9) -> Any:
    rng = np.random.default_rng(5)
    for _ in range(n):
        m, length = int(rng.integers(2, 4)), int(rng.integers(2, longest + 1))
        chains = [random_chain(rng, m) for _ in range(int(rng.integers(1, 4)))]
        yield own(
            *chains,
            length=length,
            epsilon=float(np.exp(rng.uniform(-1, 2)).round(3)),
            support=str(rng.choice(["definition", "all"])),
            node=int(rng.integers(-1, length)),
            a_first=int(rng.integers(0, length)),
            a_length=int(rng.integers(1, 4)),
            b_length=int(rng.integers(1, 4)),
            gap=int(rng.integers(1, 5)),
        )


@pytest.mark.long
def test_every_scale_and_influence_is_that_of_a_loop_over_nodes_and_quilts() -> None:
    for choices in cases(60):
        outcome, n, e, support = evaluate(choices), choices.length, choices.epsilon, choices.support
        chains = [(chain.initial, chain.transition) for chain in outcome.belief.chains]
        alone = [loop_scale(*chain, n, e, support) for chain in chains]
        assert [found.scale for found in outcome.alone] == pytest.approx(alone, rel=1e-9)
        assert outcome.scale.scale == pytest.approx(max(alone), rel=1e-9)
        nodes = [max(loop_node_scale(*chain, n, i, e, support)[0] for chain in chains) for i in range(n)]
        assert outcome.nodes.scale == pytest.approx(nodes, rel=1e-9)
        if outcome.scale_otherwise is not None:
            other = "all" if support == "definition" else "definition"
            assert outcome.scale_otherwise == pytest.approx(max(loop_scale(*c, n, e, other) for c in chains), rel=1e-9)
        past, future = outcome.belief.influence(outcome.node)
        if outcome.belief.alike:
            continue
        for k, d in enumerate(outcome.belief.distances.tolist()):
            for side, left, right in ((past, outcome.node - d, None), (future, None, outcome.node + d)):
                inside = (left is None or left >= 0) and (right is None or right < n)
                if not inside:
                    assert np.isnan(side[k])
                    continue
                expected = max(loop_influence(*chain, outcome.node, left, right, support) for chain in chains)
                assert side[k] == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.long
def test_segments_are_composed_where_they_lie() -> None:
    seen_later = 0
    for choices in cases(60, longest=14):
        outcome, n = evaluate(choices.with_changes(a_length=2, b_length=2)), choices.length
        chains, segments = outcome.belief.chains, outcome.segments
        assert segments is not None
        one, two = choices.epsilon_a, choices.epsilon_b
        t, s = segments.a[1], segments.b[0]
        assert segments.epsilon == pytest.approx(compose_parallel(one, two, chains, t, s), rel=1e-9)
        if segments.gap > 1:
            between = compose_parallel(one, two, chains, t, s, between=True)
            assert segments.between == pytest.approx(between, rel=1e-9)
        for gap, guarantee in zip(segments.gaps.astype(int).tolist(), segments.guarantee, strict=True):
            placed = place_segments(n, choices.a_first, 2, gap, 2)
            assert placed is not None
            (_, end), (start, _) = placed
            assert guarantee == pytest.approx(compose_parallel(one, two, chains, end, start), rel=1e-9)
            stationary = [MarkovChain.stationary(chain.transition) for chain in chains]
            seen_later += abs(guarantee - compose_parallel(one, two, stationary, end, start)) > 1e-3
    assert seen_later > 20, "the start makes a difference"


def given_secret(chain: MarkovChain, length: int, node: int, channel: Any) -> dict[int, np.ndarray]:
    found: dict[int, Any] = {}
    weight: dict[int, float] = {}
    for states, chance in sequences(chain.initial.tolist(), chain.transition.tolist(), length):
        x = states[node]
        found[x] = found.get(x, 0.0) + chance * channel(states)
        weight[x] = weight.get(x, 0.0) + chance
    return {x: found[x] / weight[x] for x in found}


def loss(chain: MarkovChain, length: int, nodes: Any, channel: Any) -> float:
    worst = 0.0
    for node in nodes:
        given = given_secret(chain, length, node, channel)
        for x, y in itertools.permutations(given, 2):
            worst = max(worst, float(np.log(given[x] / given[y]).max()))
    return worst


def test_the_guarantee_of_two_segments_holds_for_random_mechanisms() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        chain = random_chain(rng, 2)
        tables = rng.dirichlet(np.full(3, 0.3), (2, 2)) + 1e-9
        theta = MarkovChain(*chain)
        a_first, gap = int(rng.integers(0, 3)), int(rng.integers(1, 4))
        length = a_first + gap + 1
        ends = a_first, a_first + gap

        def told(states: Any, k: int, tables: Any = tables, ends: Any = ends) -> Any:
            return tables[k][states[ends[k]]]

        one, two = (max(loss(theta, length, [ends[k]], partial(told, k=k)), 0.01) for k in (0, 1))
        both = loss(theta, length, ends, lambda states, told=told: np.multiply.outer(told(states, 0), told(states, 1)))
        if max(one, two) > 50:
            continue
        choices = own(
            chain, length=length, a_first=a_first, a_length=1, b_length=1, gap=gap, epsilon_a=one, epsilon_b=two
        )
        segments = evaluate(choices).segments
        assert segments is not None and (segments.a[0], segments.b[0]) == ends
        assert both <= segments.epsilon + 1e-9


def count_of_zeros(states: tuple[int, ...]) -> int:
    return states.count(0)


@pytest.mark.long
def test_every_mechanism_that_is_said_to_protect_does_for_any_start() -> None:
    """Laplace noise on the count of one state: the largest log ratio of densities at any secret stays below epsilon."""
    rng, weak, tried = np.random.default_rng(8), 0, 0
    for _ in range(40):
        m, length, epsilon = int(rng.integers(2, 4)), 5, float(np.exp(rng.uniform(-1, 1)).round(3))
        even = np.full((m, m), 1 / m)
        p = (
            (0.7 * even + 0.3 * rng.dirichlet(np.full(m, 5.0), m))
            if rng.random() < 0.6
            else rng.dirichlet(np.ones(m), m)
        )
        q = np.eye(m)[rng.integers(m)] if rng.random() < 0.5 else rng.dirichlet(np.ones(m))
        outcome = evaluate(
            own((q.tolist(), (p / p.sum(axis=1, keepdims=True)).tolist()), length=length, epsilon=epsilon)
        )
        chain = outcome.belief.chains[0]
        for method in outcome.methods:
            if method.scale is None or not method.protects:
                continue
            tried += 1
            weak += method.name in ("gk16", "local")
            for node in range(length):
                found = density_loss(chain.initial, chain.transition, length, count_of_zeros, method.scale, node)
                assert found <= epsilon + 1e-9, method.name
    assert weak > 10 and tried > 100


def test_the_local_influences_count_the_start() -> None:
    away = evaluate(own(([0.999, 0.001], [[0.55, 0.45], [0.45, 0.55]]), length=6)).method("local")
    usual = evaluate(own(([], [[0.55, 0.45], [0.45, 0.55]]), length=6)).method("local")
    assert away.scale is not None and usual.scale is not None and away.scale >= usual.scale
    chain = MarkovChain([0.999, 0.001], [[0.55, 0.45], [0.45, 0.55]])
    assert away.scale == pytest.approx(local_influence_scale(chain, 6, 1.0).scale)


@pytest.mark.long
def test_the_approximate_mechanism_bounds_the_exact_one_from_any_start() -> None:
    for choices in cases(80):
        outcome = evaluate(choices.with_changes(support="definition"))
        exact, approximate = outcome.method("exact").scale, outcome.method("approximate").scale
        assert exact is not None and approximate is not None
        assert exact <= approximate * (1 + 1e-9)
        if outcome.belief.mixes and choices.length > 2:
            engine = approximate_quilt_scale(outcome.belief.chains, length=choices.length, epsilon=choices.epsilon)
            assert approximate == pytest.approx(engine.scale, rel=1e-9)


def test_the_series_is_a_run_of_the_first_chain() -> None:
    cycle = ([0, 1, 0], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    outcome = evaluate(own(cycle, ([1, 0, 0], cycle[1]), length=7))
    assert outcome.series.states.tolist() == [1, 2, 0, 1, 2, 0, 1]
    assert any("no secret" in warning for warning in describe(outcome).warnings)
    assert evaluate(own(THETA_1)).series.states[0] == 0
    started = evaluate(own(THETA_1))
    assert started.belief.possible == 2 and not any("no secret" in w for w in describe(started).warnings)


def test_the_long_run_is_that_of_the_start() -> None:
    apart = evaluate(own(([0.3, 0.7], [[1, 0], [0, 1]])))
    assert long_run(apart.belief.chains[0]).tolist() == [0.3, 0.7]
    absorbed = MarkovChain([0, 0, 1], [[1, 0, 0], [0, 1, 0], [0.2, 0.6, 0.2]])
    assert long_run(absorbed) == pytest.approx([0.25, 0.75, 0])
    assert long_run(MarkovChain(*THETA_1)) == pytest.approx([0.8, 0.2])
    assert "80 % of the timestamps are in state 1" in " ".join(chain_sentences(evaluate(own(THETA_1))))


def test_only_where_the_chains_start_in_the_long_run_it_is_said() -> None:
    usual, away = evaluate(own(([], THETA_1[1]))), evaluate(own(THETA_1))
    assert "already in its long-run distribution at the start" in describe(usual).assumption
    assert "with its own start" in describe(away).assumption and "already" not in describe(away).assumption
    assert "counted where they lie" in together.segments_sentences(away)[0]
    assert "counted where they lie" not in together.segments_sentences(usual)[0]
    assert (
        "holds for every start" in mechanisms_table(away).notes[1] and "start" not in mechanisms_table(usual).notes[1]
    )
    assert "matters neither to it nor to MQMApprox" in together.far_sentence(away)
    assert "One timestamp from timestamp 8 the past tells at most" in influence_summary(away)
    first = evaluate(own(THETA_1, node=0))
    assert "there is no past, the future" in influence_summary(first)
    assert not any("itself" in w for w in describe(evaluate(own(THETA_1, theta="bootstrap"))).warnings)
    assert evaluate(own(THETA_1, theta="bootstrap")).belief.chains == evaluate(own(THETA_1)).belief.chains

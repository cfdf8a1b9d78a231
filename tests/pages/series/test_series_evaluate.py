"""What follows from the choices, beside the engine asked directly; and sentences that are true of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.pages.series import SeriesChoices, describe, evaluate
from lmdk_widgets.pages.series import composition as together
from lmdk_widgets.pages.series.chains import believed, chain_sentences
from lmdk_widgets.pages.series.evaluate import parallel_by_gap, place_segments
from lmdk_widgets.pages.series.mechanisms import histogram_summary, mechanisms_table, methods_summary
from lmdk_widgets.pages.series.own_chains import PUBLISHED
from lmdk_widgets.pages.series.page import quilt_charts
from lmdk_widgets.pages.series.practices import practices_table
from lmdk_widgets.pages.series.timeline import influence_summary, nodes_summary, timeline_summary
from lmdk_widgets.pufferfish import (
    QuiltTable,
    approximate_quilt_scale,
    compose_parallel,
    gk16,
    max_influence,
    mixing_constants,
    quilt_scale,
)

BINARY = SeriesChoices(epsilon=1.0).with_source("binary")
OWN = SeriesChoices(epsilon=1.0).with_source("chains", own_chains=PUBLISHED)
THREE = ([0, 0, 1], [[0.6, 0.4, 0], [0, 0.5, 0.5], [0.3, 0, 0.7]])
EVERYTHING = [
    SeriesChoices(),
    SeriesChoices(smoothing=0.0, query="counts", mechanism="group"),
    SeriesChoices(theta="bootstrap", chains=3, mechanism="entry"),
    SeriesChoices().with_source("activities", epsilon=0.3, theta="bootstrap", chains=2),
    SeriesChoices().with_source("track", mechanism="approximate"),
    SeriesChoices().with_source("track", track="bob", every=1),
    BINARY,
    BINARY.with_changes(stay_one=1.0, stay_two=1.0, mechanism="gk16"),
    BINARY.with_changes(stay_one=0.0, stay_two=0.0, mechanism="approximate"),
    BINARY.with_changes(stay_one=1.0, stay_two=0.5),
    BINARY.with_changes(stay_one=0.5, stay_two=0.5),
    BINARY.with_changes(length=2, releases=(2.0,)),
    BINARY.with_changes(length=3, theta="bootstrap", node=70),
    OWN,
    OWN.with_changes(theta="bootstrap", node=0, length=2),
    OWN.with_changes(node=99, mechanism="gk16", smoothing=0.0),
    OWN.with_changes(own_chains=[THREE], length=20, mechanism="approximate"),
    OWN.with_changes(own_chains=[([1, 0], [[0, 1], [1, 0]])]),
    OWN.with_changes(own_chains=[([0.3, 0.7], [[1, 0], [0, 1]]), ([1, 0], [[0.5, 0.5], [0, 1]])], length=30, node=3),
    OWN.with_changes(own_chains=[([], THREE[1]), THREE], length=40, epsilon=3.0),
]


@pytest.mark.parametrize("choices", EVERYTHING)
def test_sigma_is_the_engine_s_and_the_quilt_has_its_score(choices: SeriesChoices) -> None:
    outcome = evaluate(choices)
    chains, n = outcome.belief.chains, len(outcome)
    assert outcome.scale.scale == pytest.approx(quilt_scale(chains, n, choices.epsilon).scale, rel=1e-9)
    assert outcome.nodes.scale.max() == pytest.approx(outcome.scale.scale, rel=1e-9)
    first, last = outcome.nearby
    assert 0 <= first <= outcome.node <= last < n
    chain = chains[int(outcome.nodes.chain[outcome.node])]
    e = max_influence(chain, n, outcome.node, *outcome.quilt)
    assert e == pytest.approx(outcome.influence, abs=1e-8)
    score = (last - first + 1) / (choices.epsilon - e)
    assert score == pytest.approx(float(outcome.nodes.scale[outcome.node]), rel=1e-7)


@pytest.mark.parametrize("choices", EVERYTHING)
def test_the_methods_are_the_engine_s(choices: SeriesChoices) -> None:
    outcome = evaluate(choices)
    chains, n, epsilon = list(outcome.belief.chains), len(outcome), choices.epsilon
    approximate = outcome.method("approximate").scale
    rarest, gap = mixing_constants(chains, reversible=None)
    engine = approximate_quilt_scale(length=n, epsilon=epsilon, minimum_probability=rarest, gap=gap)
    assert approximate == pytest.approx(engine.scale, rel=1e-9)
    weak = gk16(chains, n, epsilon).scale
    assert outcome.method("gk16").scale == (None if weak is None else pytest.approx(weak))
    assert outcome.method("group").scale == pytest.approx(n / epsilon)
    independent = all(tells_nothing(chain) for chain in chains)
    assert outcome.method("entry").scale == 1 / epsilon
    assert outcome.method("entry").protects == independent
    exact = outcome.method("exact").scale
    assert exact is not None and approximate is not None and exact <= approximate * (1 + 1e-9)


def tells_nothing(chain) -> bool:
    """Whether all states that can occur at one of its timestamps go on in the same way, at each of a hundred of them."""
    now = chain.initial
    for _ in range(100):
        rows = chain.transition[now > 0]
        if any(abs(row - rows[0]).max() > 1e-12 for row in rows):
            return False
        now = now @ chain.transition
    return True


@pytest.mark.parametrize("choices", EVERYTHING)
def test_every_sentence_can_be_said(choices: SeriesChoices) -> None:
    outcome = evaluate(choices)
    words = describe(outcome)
    told = [words.paragraph, words.assumption, *words.warnings, timeline_summary(outcome)]
    told += [influence_summary(outcome), nodes_summary(outcome), histogram_summary(outcome)]
    told += [methods_summary(outcome), together.stack_summary(outcome), *together.segments_sentences(outcome)]
    for sentence in told:
        assert sentence.endswith(".") and "nan" not in sentence and "None" not in sentence, sentence
    assert mechanisms_table(outcome).texts()[0][0] == "Markov quilt, exact"


def test_the_published_stationary_value_and_its_words() -> None:
    outcome = evaluate(BINARY)
    assert outcome.scale.scale == pytest.approx(12.8399642312, abs=1e-9)
    words = describe(outcome)
    assert "σ = 12.8, 7.8 times less" in words.paragraph and "factor of at most 2.72" in words.paragraph
    assert words.warnings == ()
    assert "the two-state chain of the sliders" in chain_sentences(outcome)[0]


def test_warnings_where_the_guarantee_ends_or_costs_all() -> None:
    frozen = describe(evaluate(BINARY.with_changes(stay_one=1.0, stay_two=1.0)))
    assert any("σ = T / ε" in warning for warning in frozen.warnings)
    lonely = describe(evaluate(BINARY.with_changes(stay_one=1.0, stay_two=0.5)))
    assert any("no secret" in warning for warning in lonely.warnings)
    entry = describe(evaluate(BINARY.with_changes(mechanism="entry")))
    assert any("does not protect here" in warning for warning in entry.warnings)
    own = describe(evaluate(SeriesChoices(smoothing=0.0)))
    assert any("depends on the series itself" in warning for warning in own.warnings)
    assert any("impossible" in warning for warning in own.warnings)
    other = describe(evaluate(SeriesChoices().with_source("activities")))
    assert not any("itself" in warning for warning in other.warnings)
    assert "sixty other people" in chain_sentences(evaluate(SeriesChoices().with_source("activities")))[0]


def test_the_noise_is_seeded_shared_by_the_methods_and_in_proportion() -> None:
    one, again, other = (evaluate(BINARY.with_changes(seed=seed)) for seed in (1, 1, 2))
    assert (one.histogram.released == again.histogram.released).all()
    assert (one.histogram.released != other.histogram.released).any()
    exact, group = one.method("exact"), one.method("group")
    assert exact.noise == pytest.approx(one.scale.scale * 2 / 100)
    assert group.error / exact.error == pytest.approx(group.scale / exact.scale)
    expected = 2 * exact.noise  # E|Lap(b)| = b for each of the two bars
    assert exact.error == pytest.approx(expected, rel=0.25)
    assert exact.error_low < exact.error < exact.error_high
    counts = evaluate(BINARY.with_changes(query="counts"))
    assert counts.histogram.true.sum() == 100
    assert counts.method("exact").noise == pytest.approx(2 * one.scale.scale)


def test_what_is_not_applicable_is_not_released() -> None:
    outcome = evaluate(BINARY.with_changes(mechanism="gk16"))
    assert outcome.histogram.released is None and outcome.method("gk16").noise is None
    assert "nothing is released" in histogram_summary(outcome)


@pytest.mark.parametrize("gap", [1, 2, 5, 17])
def test_segments_are_composed_as_the_engine_does(gap: int) -> None:
    choices = BINARY.with_changes(a_length=10, b_length=20, a_first=5, gap=gap, theta="bootstrap", chains=3)
    outcome = evaluate(choices)
    segments = outcome.segments
    assert segments is not None and segments.gap == gap and segments.a == (5, 14)
    chains = outcome.belief.chains
    expected = compose_parallel(1.0, 0.5, chains, 14, 14 + gap)
    assert segments.epsilon == pytest.approx(expected, rel=1e-9)
    if segments.between is not None:
        between = compose_parallel(1.0, 0.5, chains, 14, 14 + gap, between=True)
        assert segments.between == pytest.approx(between, rel=1e-9)
    curve = parallel_by_gap(outcome.belief, 1.0, 0.5, [gap])
    assert curve[0] == pytest.approx(expected, rel=1e-9)


def test_far_apart_the_guarantee_falls_to_the_larger() -> None:
    near, far = (evaluate(BINARY.with_changes(length=2000, gap=gap, a_length=60, b_length=60)) for gap in (1, 400))
    assert near.segments is not None and far.segments is not None
    assert near.segments.epsilon == pytest.approx(1.5) and near.segments.far.epsilon is None
    assert far.segments.epsilon == pytest.approx(1.0) and far.segments.far.epsilon == 1.0
    assert together.segments_sentences(near)[1].endswith("Move the segments apart.")
    assert (
        "the full sum" in together.segments_sentences(near)[1]
        and "tells nothing" in together.segments_sentences(far)[1]
    )
    frozen = evaluate(BINARY.with_changes(stay_one=1.0, stay_two=1.0))
    assert together.segments_sentences(frozen)[1].endswith("No gap that fits into the series helps.")
    assert "larger of the two" in together.segments_sentences(far)[1]
    assert "applies and gives the same" in together.far_sentence(far) and all(
        held for _, held in together.far_conditions(far)
    )
    assert (np.diff(far.segments.guarantee) <= 1e-12).all()


@settings(max_examples=200)
@given(st.integers(2, 200), st.integers(0, 300), st.integers(1, 300), st.integers(1, 300), st.integers(1, 300))
def test_segments_always_lie_within_the_series(n: int, first: int, a: int, gap: int, b: int) -> None:
    placed = place_segments(n, first, a, gap, b)
    assert placed is not None
    (a1, a2), (b1, b2) = placed
    assert 0 <= a1 <= a2 < b1 <= b2 < n
    if first + a + gap - 1 + b <= n and max(a, b) <= 2 * n // 5:
        assert placed == ((first, first + a - 1), (first + a - 1 + gap, first + a + gap + b - 2))


def test_stacked_releases_and_the_story() -> None:
    outcome = evaluate(SeriesChoices(releases=(0.5, 1.0, 0.25), truth_percent=90))
    assert outcome.stacked == 1.75 and outcome.stacked_older == 3.0
    assert outcome.story.ratio_both == outcome.story.ratio_both.limit_denominator(10**9)
    assert outcome.story.breaks_composition
    assert math.isclose(outcome.story.epsilon_both, math.log(26722 / 1909))


def test_sigma_falls_with_epsilon_and_grows_with_theta() -> None:
    scales = [evaluate(SeriesChoices(epsilon=e)).scale.scale for e in (0.5, 1.0, 2.0, 4.0)]
    assert scales == sorted(scales, reverse=True)
    one, several = (evaluate(SeriesChoices(theta=theta)).scale.scale for theta in ("one", "bootstrap"))
    assert several >= one
    assert QuiltTable(evaluate(SeriesChoices()).belief.chains).scale(2.0, 288).scale == pytest.approx(one)


def test_one_verdict_with_its_reason_and_the_stricter_theorem_beside_it() -> None:
    far = evaluate(SeriesChoices(gap=5000))
    assert together.widest_gap(far) == 169 and far.segments is not None and far.segments.gap == 169
    placed, verdict = together.segments_sentences(far)
    assert "the gap is 169 instead of 5,000, the start of A is 1 instead of 31" in placed
    assert "as good as the larger of the two" in verdict
    assert together.far_sentence(far).startswith("It is not needed") and together.far_conditions(far) == []
    near = evaluate(BINARY)
    assert "a correction of at most 0.15" in together.segments_sentences(near)[1]
    assert together.far_sentence(near).startswith("It is not applicable here, so the line above applies")
    conditions = together.far_conditions(near)
    assert len(conditions) == 2 and not any(holds for _, holds in conditions)
    for outcome in map(evaluate, (SeriesChoices(), BINARY.with_changes(epsilon_a=3.0, epsilon_b=3.0, gap=20))):
        assert outcome.segments is not None
        holds = all(held for _, held in together.far_conditions(outcome))
        assert holds == (outcome.segments.far.epsilon is not None)


def test_the_share_of_epsilon_that_a_quilt_leaves_adds_up() -> None:
    text = describe(evaluate(SeriesChoices())).paragraph
    assert "2.00 − 0.41 = 1.59 of ε is left for the noise: 25 / 1.59 gives σ = 15.7" in text
    fair = describe(evaluate(BINARY.with_changes(stay_one=0.5, stay_two=0.5))).paragraph
    assert "tells nothing about it (below rounding)" in fair and "e-1" not in fair


@pytest.mark.parametrize("choices", EVERYTHING)
def test_the_chain_and_the_belief_are_said(choices: SeriesChoices) -> None:
    outcome = evaluate(choices)
    sentences = chain_sentences(outcome)
    assert (len(sentences) > 3) == (choices.source == "chains")
    assert all(sentence.endswith(".") and "nan" not in sentence for sentence in sentences)
    assert ("shows the first of them" in sentences[0]) == (len(outcome.belief.chains) > 1)
    assert believed(outcome).startswith("Now: ")


def test_a_state_is_half_forgotten_when_it_is_said_to_be() -> None:
    outcome = evaluate(SeriesChoices())
    assert "within three moves" in chain_sentences(outcome)[2]
    chain = outcome.belief.chains[0]
    root = np.sqrt(chain.initial)
    walk = root[:, None] * chain.transition / root - np.outer(root, root)
    assert np.linalg.norm(np.linalg.matrix_power(walk, 3), 2) <= 0.5


def test_every_mechanism_says_what_it_is_and_why_it_is_not_applicable() -> None:
    notes = mechanisms_table(evaluate(SeriesChoices())).notes
    assert [
        name in note
        for name, note in zip(("MQMExact", "MQMApprox", "Ghosh", "derived", "Group DP"), notes, strict=False)
    ] == [True] * 5
    assert "Not applicable here: neighbouring timestamps tell too much about each other" in notes[2]
    weak = evaluate(BINARY.with_changes(stay_one=0.55, stay_two=0.55))
    assert weak.method("gk16").scale is not None and "Not applicable" not in mechanisms_table(weak).notes[2]


@pytest.mark.long
@pytest.mark.parametrize("choices", EVERYTHING)
@pytest.mark.parametrize("epsilon", [0.05, 2.0])
def test_the_axis_holds_or_marks_every_influence(choices: SeriesChoices, epsilon: float) -> None:
    outcome = evaluate(choices.with_changes(epsilon=epsilon))
    figure = quilt_charts(outcome)[0].figure
    top = figure["layout"]["yaxis"]["range"][1]
    marked = {text for trace in figure["data"] if trace["name"] == "higher" for text in trace["hovertext"]}
    for side in outcome.belief.influence(outcome.node):
        assert all(value <= top or f"{value:.3g}" in marked for value in side if np.isfinite(value))


def test_no_practice_on_readings_is_a_guarantee() -> None:
    rows = practices_table(evaluate(SeriesChoices().with_source("power"))).rows
    assert [row[-1] for row in rows[:5]] == ["no guarantee"] * 5 and "of 100 if equally likely" in rows[5][-1]

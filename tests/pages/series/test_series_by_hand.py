"""Each number in the sentences of the series page, computed again from chains that are not the same both ways."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.pages.series import SeriesChoices, SeriesOutcome, describe, evaluate
from lmdk_widgets.pages.series import composition as together
from lmdk_widgets.pages.series.chains import chain_sentences
from lmdk_widgets.pages.series.experiments import synthetic_experiment
from lmdk_widgets.pages.series.own import read_own
from lmdk_widgets.pages.series.page import quilt_charts
from lmdk_widgets.pages.series.timeline import influence_summary
from lmdk_widgets.pufferfish import compose_parallel, max_influence

NUMBER = r"([\d,]+(?:\.\d+)?(?:e-?\d+)?)"
BINARY = SeriesChoices(source="binary", length=100, epsilon=1.0)


def value(text: str) -> float:
    return float(text.rstrip(".").replace(",", ""))


@cache
def one_way() -> Any:
    """A series that goes round 0, 1, 2: what comes after a state tells something else than what came before."""
    rng, state, states = np.random.default_rng(4), 0, []
    for _ in range(400):
        states.append(state)
        state = int(rng.choice(3, p=np.roll([0.25, 0.6, 0.15] if state else [0.7, 0.28, 0.02], state)))
    return read_own("\n".join(map(str, states)).encode(), "states.csv")


@cache
def around(**changes: Any) -> SeriesOutcome:
    choices = SeriesChoices(source="own", every=1, smoothing=0.1, epsilon=1.0, a_length=20, b_length=30, a_first=9)
    return evaluate(choices.with_changes(**changes), one_way())


@pytest.mark.parametrize("gap", [1, 2, 3, 6])
@pytest.mark.parametrize(("one", "two"), [(1.0, 0.5), (0.3, 0.9), (0.8, 0.8)])
def test_two_segments_of_a_chain_that_is_not_reversible(gap: int, one: float, two: float) -> None:
    outcome = around(gap=gap, epsilon_a=one, epsilon_b=two)
    (chain,), segments = outcome.belief.chains, outcome.segments
    assert segments is not None and segments.gap == gap
    end, start = segments.a[1], segments.b[0]
    ahead, back = (
        max_influence(chain, start + 1, end, None, start),
        max_influence(chain, start + 1, start, end, None),
    )
    assert gap > 3 or abs(ahead - back) > 0.01
    assert (segments.forward, segments.backward) == pytest.approx((ahead, back))
    both = max(one + min(two, ahead), two + min(one, back))
    assert segments.epsilon == pytest.approx(both)
    if gap > 1:
        assert segments.between == pytest.approx(compose_parallel(one, two, chain, end, start, between=True))
    text = " ".join(together.segments_sentences(outcome))
    for pattern, truth in (("B's first state tells at most", ahead), ("A's last one at most", back)):
        for found in re.findall(rf"{pattern} {NUMBER}", text):
            assert truth * (1 - 1e-9) <= value(found) <= 1.02 * truth + 1e-9
    for found in re.findall(rf"a correction of at most {NUMBER}", text):
        assert value(found) == pytest.approx(both - max(one, two), rel=0.12)
    dearer = segments.between is not None and segments.between > both * 1.001
    assert ("If the states between them are secrets too" in text) == dearer


def test_the_segments_of_the_other_cases_are_met() -> None:
    outcomes = [around(gap=g, epsilon_a=a, epsilon_b=b) for g in (2, 3, 6) for a, b in ((1.0, 0.5), (0.3, 0.9))]
    texts = [" ".join(together.segments_sentences(outcome)) for outcome in outcomes]
    assert any("a correction of at most" in text for text in texts)
    assert any("secrets too" in text for text in texts) and any("tells at most" in text for text in texts)


def test_the_worst_of_several_beliefs_is_said() -> None:
    outcome = evaluate(BINARY.with_changes(theta="bootstrap", chains=4, stay_one=0.8, stay_two=0.7))
    past, future = outcome.belief.influence(outcome.node)
    for k, distance in enumerate(outcome.belief.distances[:5].tolist()):
        each = [
            (max_influence(c, 60, 30, 30 - distance, None), max_influence(c, 60, 30, None, 30 + distance))
            for c in outcome.belief.chains
        ]
        assert (past[k], future[k]) == pytest.approx(tuple(max(side) for side in zip(*each, strict=True)))


def test_when_both_sides_together_tell_less_than_epsilon() -> None:
    for epsilon in (0.2, 0.7, 1.5):
        outcome = around(epsilon=epsilon)
        past, future = outcome.belief.influence(outcome.node)
        pairs = zip(outcome.belief.distances.tolist(), past, future, strict=True)
        first = next(d for d, one, two in pairs if one + two < epsilon)
        assert influence_summary(outcome).endswith(f"fall below ε = {epsilon:.2f} at distance {first}.")


def test_the_quilt_the_nearby_set_and_the_factor_that_are_said() -> None:
    for outcome in (evaluate(BINARY), around(), around(epsilon=2.5, node=200)):
        text = describe(outcome).paragraph
        left, right = outcome.quilt
        assert left is not None and right is not None
        found = re.search(rf"For timestamp {NUMBER}.*?, the quilt is timestamps {NUMBER} and {NUMBER}:", text)
        assert found and [value(x) for x in found.groups()] == [outcome.node + 1, left + 1, right + 1]
        near = right - left - 1
        words = [
            "no",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
        assert f"the nearby set of {words[near] if near <= 12 else near} timestamp" in text
        chain = outcome.belief.chains[0]
        e = max_influence(chain, len(outcome), outcome.node, left, right)
        assert outcome.influence == pytest.approx(e, abs=1e-9)
        assert float(outcome.nodes.scale[outcome.node]) == pytest.approx(near / (outcome.choices.epsilon - e))
        factor, truth = re.search(rf"by a factor of at most {NUMBER}\.", text), math.exp(outcome.choices.epsilon)
        assert factor and truth * (1 - 1e-9) <= value(factor[1]) <= truth + (0.0101 if truth < 10 else 1.0)
        found = re.search(rf"noise of σ = {NUMBER}, {NUMBER} times less than .* \({NUMBER}\)", text)
        assert found
        sigma, times, group = (value(x) for x in found.groups())
        assert group == pytest.approx(len(outcome) / outcome.choices.epsilon, rel=0.005)
        assert times == pytest.approx(group / sigma, rel=0.06) and times > 1


def test_bars_and_whiskers_hold_the_middle_nine_tenths() -> None:
    for query in ("shares", "counts"):
        outcome = evaluate(BINARY.with_changes(query=query, seed=3))
        one = 2 / 100 if query == "shares" else 2
        noise = outcome.scale.scale * one * np.random.default_rng(3).laplace(size=(100, 2))
        true = np.bincount(outcome.series.states, minlength=2) / (100 if query == "shares" else 1)
        found = outcome.histogram
        assert found.true == pytest.approx(true) and found.released == pytest.approx(true + noise[0])
        drawn = np.sort(true + noise, axis=0)
        assert found.low == pytest.approx(drawn[4] + 0.95 * (drawn[5] - drawn[4]))
        assert found.high == pytest.approx(drawn[94] + 0.05 * (drawn[95] - drawn[94]))
        errors = np.sort(np.abs(noise).sum(axis=1))
        exact = outcome.method("exact")
        assert exact.error == pytest.approx(errors.mean())
        assert exact.error_low == pytest.approx(errors[4] + 0.95 * (errors[5] - errors[4]))
        assert exact.error_high == pytest.approx(errors[94] + 0.05 * (errors[95] - errors[94]))


def test_noise_that_drowns_the_bars_is_said_to() -> None:
    for epsilon in (0.05, 0.3, 1.0, 5.0):
        for query, whole in (("shares", 1), ("counts", 100)):
            outcome = evaluate(BINARY.with_changes(epsilon=epsilon, query=query))
            drowned = outcome.method("exact").error > whole
            assert any("drowns" in w for w in describe(outcome).warnings) == drowned
    assert any("drowns" in w for w in describe(evaluate(BINARY.with_changes(epsilon=0.05))).warnings)


def test_states_are_as_frequent_and_as_sticky_as_is_said() -> None:
    sentences = chain_sentences(evaluate(BINARY))  # 0.9 and 0.6 stay; the long run is 0.8 and 0.2
    assert "stays the same with probability 0.60 to 0.90" in sentences[1]
    assert "80 % of the timestamps are in state 1, the most frequent, and 20 % in state 2, the rarest" in sentences[1]
    assert "at least halves with every move" in sentences[2]  # 1 - 0.1 - 0.4 is 0.5


def test_clocks_and_levels_of_power() -> None:
    outcome = evaluate(SeriesChoices(every=10, level_w=500.0))
    assert outcome.when(0) == "timestamp 1 (day 1, 00:00)"
    assert outcome.when(99) == "timestamp 100 (day 1, 16:30)"
    assert outcome.when(144 + 139) == "timestamp 284 (day 2, 23:10)"
    assert outcome.series.labels[0] == "0–500 W" and outcome.series.labels[1] == "500–1000 W"


def test_figures_mark_what_they_name() -> None:
    outcome = around(gap=3)
    figures = {chart.name: chart.figure for chart in quilt_charts(outcome)}
    segments = outcome.segments
    assert segments is not None
    levels = {trace["name"].split()[0]: trace["y"] for trace in figures["gap"]["data"] if "name" in trace}
    assert (levels["sum"], levels["larger"]) == ([1.5, 1.5], [1.0, 1.0]) and levels["present"] == [segments.epsilon]
    (marked,) = [trace for trace in figures["influence"]["data"] if trace["name"] == "the quilt"]
    (left, right), node, chain = outcome.quilt, outcome.node, outcome.belief.chains[0]
    assert left is not None and right is not None
    expected = [max_influence(chain, 400, node, left, None), max_influence(chain, 400, node, None, right)]
    assert marked["x"] == [node - left, right - node] and marked["y"] == pytest.approx(expected)
    assert not math.isclose(*expected, rel_tol=1e-3) or node - left != right - node


def test_the_lesson_s_shares_have_the_noise_of_a_share() -> None:
    rows = synthetic_experiment([0.4], np.random.default_rng(1), length=50, draws=4000)
    for row in rows:
        assert row.scale is not None and row.error == pytest.approx(row.scale / 50, rel=0.08)

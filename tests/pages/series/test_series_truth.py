"""What the series page and its lesson say of their numbers is true, and adds up."""

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.pages.series import SeriesChoices, describe, evaluate, read_own
from lmdk_widgets.pages.series import composition as together
from lmdk_widgets.pages.series.chains import chain_sentences
from lmdk_widgets.pages.series.experiments import synthetic_experiment
from lmdk_widgets.pages.series.mechanisms import method_note, methods_summary, short
from lmdk_widgets.pages.series.own_chains import OwnChain
from lmdk_widgets.pages.series.page import quilt_charts
from lmdk_widgets.pages.series.timeline import influence_summary, nodes_summary
from lmdk_widgets.pufferfish import compose_with_divergence, counterexample, joint_divergence

BINARY = SeriesChoices(source="binary", length=100, epsilon=1.0)
LESSON = Path(__file__).parents[3] / "notebooks" / "states.ipynb"
NUMBER = r"([\d,]+(?:\.\d+)?(?:e-?\d+)?)"


def _value(text):
    return float(text.replace(",", ""))


def test_two_states_have_the_gap_of_reversible_chains():
    outcome = evaluate(BINARY.with_changes(stay_one=0.9, stay_two=0.6))
    assert outcome.method("approximate").scale == pytest.approx(23.5059552232, abs=1e-9)
    assert outcome.belief.kept == pytest.approx(0.5)


def test_gk16_is_the_authors_constant_and_the_derived_one_has_its_own_name():
    outcome = evaluate(BINARY.with_changes(stay_one=0.6, stay_two=0.6))
    assert outcome.method("gk16").scale == pytest.approx(3.8873, abs=5e-5)
    assert outcome.method("local").scale == pytest.approx(1.9437, abs=5e-5)
    assert "derived" in method_note(outcome.method("local"))


def test_entry_level_privacy_protects_where_timestamps_are_independent():
    fair = evaluate(BINARY.with_changes(stay_one=0.3, stay_two=0.7, mechanism="entry"))
    assert fair.method("entry").protects
    assert not any("does not protect" in w for w in describe(fair).warnings)
    assert "protects here" in methods_summary(fair)
    other = evaluate(BINARY.with_changes(mechanism="entry"))
    assert any("does not protect here" in w for w in describe(other).warnings)
    assert "does not protect here" in methods_summary(other)


def test_chains_resampled_from_the_protected_series_get_a_warning():
    assert any("resampled chains" in w for w in describe(evaluate(BINARY.with_changes(theta="bootstrap"))).warnings)
    assert not any("itself" in w for w in describe(evaluate(BINARY)).warnings)
    others = evaluate(SeriesChoices(source="activities", theta="bootstrap"))
    assert others.series.learned_from
    assert not any("itself" in w for w in describe(others).warnings)


def test_the_story_has_the_bound_that_does_hold():
    story = counterexample()
    assert story.divergence == pytest.approx(1.66480472, abs=5e-9)
    assert story.epsilon_bound == pytest.approx(3.35649011, abs=5e-9)
    assert story.epsilon_both == pytest.approx(2.63890765, abs=5e-9)
    expected = compose_with_divergence(story.epsilon_alice, story.epsilon_bob, story.divergence)
    assert story.epsilon_bound == pytest.approx(expected)
    third, truth, most = 1 / 3, 0.9, 0.0
    told = {s: np.array([truth * (o == s) + (1 - truth) * third for o in range(3)]) for s in range(3)}
    move = np.array(story.transition, float)
    for i in (0, 1):
        for x in range(3):
            joint = np.zeros((3, 3))
            for day in np.ndindex(3, 3):
                if day[i] == x:
                    joint += 3 * third * move[day] * np.outer(told[sum(day) % 3], told[(day[0] + 2 * day[1]) % 3])
            assert np.array(story.given[i, x], float) == pytest.approx(joint)
            most = max(most, joint_divergence(joint))
    assert story.divergence == pytest.approx(most)


def test_the_story_tells_definition_and_theorem_and_its_numbers_add_up():
    *_, definition, theorem = counterexample().story()
    assert "Definition III.5" in definition and definition.endswith("E = 1.66480472.")
    assert "Theorem III.6" in theorem and "= 3.35649011." in theorem and "together, 2.63890765, is less" in theorem
    for share in range(100):
        some = counterexample(f"{share}/100")
        assert some.epsilon_both <= some.epsilon_bound * (1 + 1e-12)
        *_, theorem = some.story()
        (one, two, apart, whole) = re.findall(rf"{NUMBER} \+ {NUMBER} \+ 2 × {NUMBER} = {NUMBER}\.", theorem)[0]
        total = Decimal(one) + Decimal(two) + 2 * Decimal(apart)
        assert total.quantize(Decimal("1e-8"), ROUND_HALF_UP) == Decimal(whole)
        assert _value(whole) == pytest.approx(some.epsilon_bound, abs=5.1e-9)
        assert ("exactly that" in theorem) == (share == 0)


def test_the_first_distance_below_epsilon_is_found_between_those_that_are_drawn():
    choices = BINARY.with_changes(stay_one=0.913, stay_two=0.913, length=70)
    belief = evaluate(choices).belief
    assert 23 not in belief.distances
    before, there = (sum(float(side[0]) for side in belief.sides([d])[0]) for d in (22, 23))
    outcome = evaluate(choices.with_changes(epsilon=(before + there) / 2))
    assert influence_summary(outcome).endswith("at distance 23.")


def test_the_widest_gap_is_among_those_that_are_tried():
    settings = {"a_length": 3, "b_length": 10, "length": 35, "gap": 5, "epsilon_b": 0.1}
    outcome = evaluate(BINARY.with_changes(stay_one=0.96, stay_two=0.96, **settings))
    assert together.widest_gap(outcome) == outcome.segments.gaps[-1] == 23 and 23 not in outcome.belief.distances
    ahead = float(outcome.belief.sides([23])[0][1][0])
    only_there = evaluate(outcome.choices.with_changes(epsilon_b=ahead * 1.03))
    assert together.segments_sentences(only_there)[1].endswith("Move the segments apart.")


def test_all_of_the_time_is_a_hundred_percent():
    for stay_two in (0.4, 0.998):
        outcome = evaluate(
            BINARY.with_changes(stay_one=1.0 if stay_two == 0.4 else 0.99999, stay_two=stay_two, length=20)
        )
        assert "In the long run, 100 % of the timestamps" in chain_sentences(outcome)[1]


def test_the_mark_of_the_quilt_and_what_is_higher_are_not_below_their_values():
    outcome = evaluate(
        BINARY.with_changes(stay_one=0.944, stay_two=0.967, length=70, epsilon=0.42725660568579577, node=0)
    )
    traces = {trace["name"]: trace for trace in quilt_charts(outcome)[0].figure["data"]}
    (left, right), mark = outcome.quilt, traces["the quilt"]
    assert left is None
    assert mark["y"] == pytest.approx([outcome.belief.sides([right])[0][1][0]])
    steep = evaluate(BINARY.with_changes(stay_one=0.81, stay_two=0.918, length=70, epsilon=0.17))
    texts = [t["text"][-1] for t in quilt_charts(steep)[0].figure["data"] if t["name"] == "higher"]
    assert texts
    assert all(float(text.split()[-1]) >= max(steep.belief.influence(steep.node)[0]) * (1 - 1e-9) for text in texts)


def test_fifty_three_by_a_tenth_is_not_497():
    text = describe(evaluate(BINARY.with_changes(epsilon=0.125))).paragraph
    (near, left, score) = re.findall(rf"{NUMBER} / {NUMBER} gives σ = {NUMBER}", text)[0]
    assert short(_value(near) / _value(left)) == score


def test_stacked_releases_add_up_for_a_reader_who_adds():
    rng, third = np.random.default_rng(4), (0.333, 0.333, 0.333)
    for releases in (third, *(np.exp(rng.uniform(-4, 3, rng.integers(2, 9))).round(4).tolist() for _ in range(60))):
        text = together.stack_summary(evaluate(BINARY.with_changes(releases=releases)))
        terms, whole = re.search(rf"cost ε = ((?:{NUMBER} \+ )+{NUMBER}) = {NUMBER} together", text).group(1, 4)
        assert sum(map(_value, terms.split(" + "))) == pytest.approx(_value(whole), abs=1e-9), text
        assert _value(whole) == pytest.approx(sum(releases), rel=0.006)
        times, most, older = re.search(rf"gives {NUMBER} × {NUMBER} = {NUMBER}\.", text).groups()
        assert _value(times) * _value(most) == pytest.approx(_value(older), abs=1e-9), text
    assert "0.333 + 0.333 + 0.333 = 0.999" in together.stack_summary(evaluate(BINARY.with_changes(releases=third)))


def test_stacked_releases_with_long_tails_add_up_to_the_digits_of_the_sum():
    text = together.stack_summary(
        evaluate(BINARY.with_changes(releases=(1.527322745828236, 0.6126702697924177, 1 / 3)))
    )
    assert "= 1.527 + 0.613 + 0.333 = 2.473 together" in text and "gives 3 × 1.527 = 4.58." in text


def test_the_correction_of_two_segments_adds_up():
    counted = 0
    for gap in range(1, 40):
        for epsilon in (0.13, 1.0, 2.345):
            outcome = evaluate(BINARY.with_changes(gap=gap, a_length=10, b_length=10, epsilon_a=epsilon))
            text = together.segments_sentences(outcome)[1]
            found = re.search(
                rf"ε = {NUMBER}, the larger of the two, {NUMBER}, plus a correction of at most {NUMBER} ", text
            )
            if found:
                whole, low, extra = map(_value, found.groups())
                assert whole == pytest.approx(low + extra, abs=1e-9), text
                assert whole >= outcome.segments.epsilon * (1 - 1e-9)
                counted += 1
    assert counted > 10


def test_shown_is_said_only_of_what_was_shown():
    said_plainly, said_nearly = 0, 0
    for gap in range(1, 80, 2):
        outcome = evaluate(BINARY.with_changes(gap=gap, a_length=5, b_length=5))
        text, least = together.far_sentence(outcome), max(outcome.choices.epsilon_a, outcome.choices.epsilon_b)
        more = outcome.segments.epsilon / least - 1
        found = re.search(rf"has shown it to within {NUMBER} %", text)
        if found:
            said_nearly += 1
            assert 1e-9 < more <= _value(found[1]) / 100
        elif "has shown it" in text:
            said_plainly += 1
            assert more <= 1e-9
        else:
            assert more > 1e-3
    assert said_plainly and said_nearly


@pytest.mark.parametrize("source", ["binary", "power", "track", "own"])
def test_a_belief_resampled_from_what_is_protected_is_warned_of(source):
    own = read_own(b"home\nhome\nwork\nhome\nwork\nwork\n" * 9) if source == "own" else None
    outcome = evaluate(SeriesChoices().with_source(source, theta="bootstrap", chains=3), own)
    assert any("on the series itself; the papers take it from other data" in w for w in describe(outcome).warnings)


@pytest.mark.long
def test_the_lesson_says_what_its_tables_show():
    text = "".join("".join(cell["source"]) for cell in json.loads(LESSON.read_text("utf-8"))["cells"])
    assert "The order is the same at every α" not in text
    assert "quilts are far below group privacy" not in text
    alphas = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
    sigma = {
        (epsilon, alpha, row.mechanism): row.scale
        for epsilon in (0.2, 1.0, 5.0)
        for alpha in alphas
        for row in synthetic_experiment([alpha], np.random.default_rng(1), epsilon=epsilon, draws=2)
    }
    exact, approximate, gk16, group = (
        {key[:2]: value for key, value in sigma.items() if key[2] == name}
        for name in ("MQMExact", "MQMApprox", "GK16", "GroupDP")
    )
    assert all(exact[k] < min(approximate[k], group[k]) for k in exact)
    assert group[0.2, 0.1] / exact[0.2, 0.1] == pytest.approx(2, abs=0.2)
    assert group[1.0, 0.4] / exact[1.0, 0.4] == pytest.approx(28, abs=1)
    costs = [approximate[k] / exact[k] for k in exact]
    assert f"costs a factor of {min(costs):.1f} to {max(costs):.0f}; at ε = 0.2" in text
    assert f"saves only {100 * (1 - approximate[0.2, 0.1] / group[0.2, 0.1]):.0f} % of group privacy" in text
    known = [k for k in gk16 if gk16[k] is not None]
    assert {alpha for _, alpha in known} == {0.35, 0.4}
    least = {k for k in known if gk16[k] < exact[k]}
    most = {k for k in known if gk16[k] > approximate[k]}
    assert (least, most) == ({(0.2, 0.4)}, {(5.0, 0.35)})


def test_two_scales_that_are_written_alike_are_not_said_to_span_a_range():
    outcome = evaluate(SeriesChoices(source="binary", stay_one=0.5001, stay_two=0.5001, length=20, epsilon=1.0))
    assert outcome.nodes.scale.max() > outcome.nodes.scale.min() * (1 + 1e-9)
    assert "would need σ of about 1; the largest, at timestamp 11, decides" in nodes_summary(outcome)
    for stay in (0.5, 0.50001, 0.501, 0.51, 0.6, 0.8):
        found = evaluate(SeriesChoices(source="binary", stay_one=stay, stay_two=0.5, length=20, epsilon=1.0))
        assert not re.search(r"from (\S+) to \1;", nodes_summary(found))


def test_without_a_secret_no_mechanism_is_said_to_fail():
    still = OwnChain((1.0, 0.0), ((1.0, 0.0), (0.0, 1.0)))
    outcome = evaluate(SeriesChoices(source="chains", own_chains=(still,), length=20, mechanism="entry"))
    words = " ".join((*describe(outcome).warnings, methods_summary(outcome)))
    assert "there is no secret to hide" in words and "does not protect" not in words

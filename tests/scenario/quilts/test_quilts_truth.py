"""What the quilts page and its lesson say of their numbers is true, and adds up."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.pufferfish import counterexample
from lmdk_widgets.scenario.quilts import QuiltChoices, describe, evaluate
from lmdk_widgets.scenario.quilts import compose_words as together
from lmdk_widgets.scenario.quilts import words as said
from lmdk_widgets.scenario.quilts.experiments import synthetic_experiment

BINARY = QuiltChoices(source="binary", length=100, epsilon=1.0)
LESSON = Path(__file__).parents[3] / "notebooks" / "quilts.ipynb"
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
    assert "derived" in said.method_note(outcome.method("local"))


def test_entry_level_privacy_protects_where_timestamps_are_independent():
    fair = evaluate(BINARY.with_changes(stay_one=0.3, stay_two=0.7, mechanism="entry"))
    assert fair.method("entry").protects
    assert not any("does not protect" in w for w in describe(fair).warnings)
    assert "protects here" in said.methods_summary(fair)
    other = evaluate(BINARY.with_changes(mechanism="entry"))
    assert any("does not protect here" in w for w in describe(other).warnings)
    assert "does not protect here" in said.methods_summary(other)


def test_chains_resampled_from_the_protected_series_get_a_warning():
    assert any("resampled chains" in w for w in describe(evaluate(BINARY.with_changes(theta="bootstrap"))).warnings)
    assert not any("itself" in w for w in describe(evaluate(BINARY)).warnings)
    others = evaluate(QuiltChoices(source="activities", theta="bootstrap"))
    assert others.series.learned_from
    assert not any("itself" in w for w in describe(others).warnings)


def test_the_story_has_the_bound_that_does_hold():
    story = counterexample()
    assert story.divergence == pytest.approx(1.66480472, abs=5e-9)
    assert story.epsilon_bound == pytest.approx(3.35649011, abs=5e-9)
    assert story.epsilon_both == pytest.approx(2.63890765, abs=5e-9)
    assert story.epsilon_bound == pytest.approx(story.epsilon_alice + 2 * story.divergence)
    third, truth, most = 1 / 3, 0.9, 0.0
    told = {s: np.array([truth * (o == s) + (1 - truth) * third for o in range(3)]) for s in range(3)}
    move = np.array(story.transition, float)
    for i in (0, 1):
        for x in range(3):
            joint = np.zeros((3, 3))
            for day in np.ndindex(3, 3):
                if day[i] == x:
                    joint += 3 * third * move[day] * np.outer(told[sum(day) % 3], told[(day[0] + 2 * day[1]) % 3])
            apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
            most = max(most, float(np.abs(np.log(joint / apart)).max()))
    assert story.divergence == pytest.approx(most)
    *_, last = story.story()
    assert "E = 1.6649" in last
    assert "3.3565" in last
    for share in range(0, 99, 7):
        some = counterexample(f"{share}/100")
        assert some.epsilon_both <= some.epsilon_bound * (1 + 1e-12)


def _anything(rng):
    return QuiltChoices(
        source="binary",
        length=int(rng.integers(20, 200)),
        stay_one=round(rng.uniform(0.02, 0.98), 2),
        stay_two=round(rng.uniform(0.02, 0.98), 2),
        epsilon=float(np.exp(rng.uniform(-2.5, 2)).round(3)),
        epsilon_a=float(np.exp(rng.uniform(-2, 1)).round(2)),
        epsilon_b=float(np.exp(rng.uniform(-2, 1)).round(2)),
        gap=int(rng.integers(1, 40)),
        a_length=int(rng.integers(1, 30)),
        b_length=int(rng.integers(1, 30)),
        theta=str(rng.choice(["one", "bootstrap"])),
        chains=3,
        seed=int(rng.integers(100)),
    )


def test_what_is_said_adds_up_and_bounds_are_bounds():
    rng, counted = np.random.default_rng(0), dict.fromkeys(("adds", "odds", "tells", "together", "between", "extra"), 0)
    for _ in range(250):
        outcome = evaluate(_anything(rng))
        c, text = outcome.choices, describe(outcome).paragraph
        for near, left, score in re.findall(rf"{NUMBER} / {NUMBER} gives σ = {NUMBER}", text):
            counted["adds"] += 1
            assert said._scale(_value(near) / _value(left)) == score, text
        for whole, part, left in re.findall(rf"{NUMBER} − {NUMBER} = {NUMBER} of ε", text):
            assert _value(whole) - _value(part) == pytest.approx(_value(left), abs=1e-9)
        factor = re.search(rf"at most a factor of {NUMBER},", text)
        assert math.exp(c.epsilon) <= _value(factor[1]) * (1 + 2e-9) <= math.exp(c.epsilon) * 1.02
        counted["odds"] += 1
        past, future = outcome.belief.influence()
        summary = said.influence_summary(outcome)
        for pattern, value in (("the past tells at most", past[0]), ("the future at most", future[0])):
            for found in re.findall(rf"{pattern} {NUMBER}", summary):
                counted["tells"] += 1
                assert value <= _value(found.rstrip(".")) * (1 + 2e-9) <= value * 1.12
        segments, sentences = outcome.segments, " ".join(together.segments_sentences(outcome))
        limits = {
            "together": (r"Together they guarantee ε = ", segments.epsilon),
            "between": (r"are secrets too, it is at most ", segments.between),
            "extra": (r"a correction of at most ", segments.epsilon - max(c.epsilon_a, c.epsilon_b)),
        }
        for name, (pattern, value) in limits.items():
            for found in re.findall(pattern + NUMBER, sentences):
                counted[name] += 1
                assert value * (1 - 2e-9) <= _value(found.rstrip(".")) <= value * 1.12
        if "the line above has shown it." in together.far_sentence(outcome):
            assert segments.epsilon <= max(c.epsilon_a, c.epsilon_b) * (1 + 1e-9)
    assert min(counted.values()) >= 10, counted


def test_fifty_three_by_a_tenth_is_not_497():
    text = describe(evaluate(BINARY.with_changes(epsilon=0.125))).paragraph
    (near, left, score) = re.findall(rf"{NUMBER} / {NUMBER} gives σ = {NUMBER}", text)[0]
    assert said._scale(_value(near) / _value(left)) == score


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
    assert (min(costs) > 1.7, max(costs) < 10.5) == (True, True)
    assert 0.85 < approximate[0.2, 0.1] / group[0.2, 0.1] < 0.95
    known = [k for k in gk16 if gk16[k] is not None]
    assert {alpha for _, alpha in known} == {0.35, 0.4}
    least = {k for k in known if gk16[k] < exact[k]}
    most = {k for k in known if gk16[k] > approximate[k]}
    assert (least, most) == ({(0.2, 0.4)}, {(5.0, 0.35)})

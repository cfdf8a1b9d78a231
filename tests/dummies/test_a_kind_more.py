"""A kind of data more is a ground, its words and three lines: one is added to a copy, evaluated and described."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dummies.copied import Copy

GROUND = '''@dataclass(frozen=True, eq=False)
class Scores(Numbers):
    """Whole numbers between public bounds: a release is rounded, which costs no budget."""

    def shown(self, outputs: Floats) -> Shown:
        return super().shown(np.rint(outputs))

    def errors(self, outputs: Floats) -> Floats:
        return super().errors(np.rint(outputs))

    def many_errors(self, outputs: NDArray) -> Floats:
        return super().many_errors(np.rint(outputs))

    def expected(self, budgets: Floats) -> Floats:
        """The mean of |rounded noise|: ``e^(-1 / 2s) / (1 - e^(-1 / s))`` at scale s."""
        rate = budgets / self.mechanism.sensitivity
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(-rate / 2) / -np.expm1(-rate))


'''
GROUND_OF = """    if trajectory.kind == "scores":
        assert trajectory.lower is not None and trajectory.upper is not None
        return Scores(trajectory, trajectory.lower, trajectory.upper)
"""
KIND = '''class ScoresKind(NumbersKind):
    """Whole numbers at times, between bounds."""

    value, a_value, values = "score", "a score", "scores"
    points, moves = "scores", "scores"
    reported, reported_one = "the released scores", "the one released score"
    least_error = "the least expected error of scores; landmarks get {more_noise} times the noise of Uniform."
    guessed = "any two equally likely scores"
    off, unseen = "the true score", "the true scores"


'''
KIND_OF = """    if data.kind == "scores":
        return SCORES
"""
EXAMPLE = """    "scores": Series(HOURS, (0, 2), values=[1, 4, 2, 9, 3, 3, 8, 5], kind="scores", lower=0.0, upper=10.0),
"""
FALSE = """    "scores": (*METRES, "andomised response", "answer", "cell", "released values", "kWh"),
"""
WALK = """
import sys

import numpy as np

import lmdk_widgets
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from tests.landmark_choices import page_of
from tests.scenario.kinds_said import DATA, choices_in

assert lmdk_widgets.__file__.startswith(sys.argv[1])
data = DATA["scores"]
choices = choices_in(data, {"scheme": "uniform", "correlation": "none", "epsilon": 20.0})
outcome = evaluate(choices.scenario, data)
assert outcome.kind.value == "score" and (outcome.values == np.rint(outcome.values)).all()
mean = float(drawn_errors(choices.scenario, data, 4000).mean())
assert abs(mean / outcome.ground.expected(outcome.budgets).mean() - 1) < 0.03, mean
assert "half of the released scores are" in describe(outcome).paragraph
page = page_of(choices, data)
assert page._text(page.outcome) and list(page._drawings(page.outcome))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_a_kind_more_is_a_ground_its_words_and_three_lines(tmp_path: Path) -> None:
    copy, scenario = Copy(tmp_path), "lmdk_widgets/scenario"
    copy.insert(
        "lmdk_widgets/trajectory/series.py", ', "scores": "a whole number at each timestamp"', "}\n\n\n@dataclass"
    )
    copy.insert(f"{scenario}/ground.py", GROUND, "@dataclass(frozen=True, eq=False)\nclass Answers(")
    copy.insert(f"{scenario}/ground.py", GROUND_OF, "    stated = {")
    copy.insert(f"{scenario}/data_kinds.py", KIND, "class AnswersKind(")
    copy.insert(f"{scenario}/data_kinds.py", "SCORES = ScoresKind()\n\n", "KINDS: Sequence")
    copy.insert(f"{scenario}/data_kinds.py", ", SCORES", ')\n"""Every kind of data."""')
    copy.insert(f"{scenario}/data_kinds.py", KIND_OF, "    return ANSWERS if data.is_answers")
    copy.insert("lmdk_widgets/answers/exposure.py", "ScoresKind, ", "TrackKind\n")
    copy.insert("lmdk_widgets/answers/exposure.py", ", ScoresKind: FoundLevel", '}\n"""What averaging finds')
    copy.insert("tests/scenario/kinds_said.py", EXAMPLE, '}\n"""One of each kind."""')
    copy.insert("tests/scenario/kinds_said.py", FALSE, '}\n"""What would be false')
    copy.follows("Add a kind of data", "scores", most=5)
    copy.run("-c", WALK, str(tmp_path))
    copy.run(
        "-m",
        "pytest",
        "-q",
        "tests/scenario/test_landmarks_kinds.py",
        "-k",
        "every_word or own_sentences or false_of_it",
    )

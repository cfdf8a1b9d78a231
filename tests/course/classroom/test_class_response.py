"""Randomised response in a class: its numbers against simple arithmetic, and sentences that fit them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course.classroom import Response, activity, stored
from lmdk_widgets.course.classroom.response import NORMAL_95
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import randomized_responses, warner

TWO = Response("Did you ever copy?")
FIVE = Response("Which one?", tuple("ABCDE"), 1.5)


def test_two_coins() -> None:
    assert TWO.honest == pytest.approx(0.5) and TWO.chances == pytest.approx((0.75, 0.25))
    assert warner(TWO.chances[0]).epsilon == pytest.approx(math.log(3))


def test_the_coin_of_a_phone_is_the_channel_of_the_package() -> None:
    """A phone sends its answer with chance honest, else any of m: the same chances as m-ary randomised response."""
    for question in (TWO, FIVE):
        m, keep = len(question.answers), math.exp(question.epsilon)
        assert question.honest + (1 - question.honest) / m == pytest.approx(keep / (keep + m - 1))
        assert (1 - question.honest) / m == pytest.approx(1 / (keep + m - 1))


def test_estimates_against_simple_arithmetic() -> None:
    (yes, no) = TWO.estimates([0] * 14 + [1] * 10)
    assert (yes.sent, yes.share) == (14, 14 / 24)
    assert yes.estimate == pytest.approx(2 * 14 / 24 - 0.5) and no.estimate == pytest.approx(1 - yes.estimate)
    # each answer has variance 3/16 whatever the truth, and the estimate is twice the share
    assert yes.error == pytest.approx(2 * math.sqrt(3 / 16 / 24))
    assert TWO.half_width(0.3, 24) == pytest.approx(NORMAL_95 * 2 * math.sqrt(3 / 16 / 24))


@pytest.mark.nightly
@pytest.mark.parametrize("question", [TWO, FIVE], ids=["two", "five"])
def test_the_estimate_is_unbiased_and_its_error_true_for_given_people(question: Response) -> None:
    rng, m, n, classes = np.random.default_rng(7), len(question.answers), 60, 1_000
    truth = np.sort(np.arange(n) % m)
    sent = [randomized_responses(truth, m, question.epsilon, rng).reported for _ in range(classes)]
    firsts = np.array([question.estimates(one.tolist())[0].estimate for one in sent])
    share = float((truth == 0).mean())
    deviation = question.half_width(share, n) / NORMAL_95
    assert firsts.mean() == pytest.approx(share, abs=4 * deviation / math.sqrt(classes))
    assert firsts.std() == pytest.approx(deviation, rel=0.1)


def test_the_board_says_what_it_draws() -> None:
    view = TWO.board([0] * 14 + [1] * 10, shown=False)
    assert view["summary"].startswith("14 of 24 sent “Yes”: 58 %.") and "is 67 %" in view["summary"]
    assert [bar["sent"] for bar in view["bars"]] == [14, 10]
    marked = [row for row in view["others"]["rows"] if "this one" in row[0]]
    assert len(marked) == 1 and marked[0][1:] == ["75 %", "a factor of 3", "± 35 points"]
    assert [row[0] for row in view["many"]["rows"]] == ["2 (this one)", "3", "5", "10"]
    assert TWO.board([], shown=False)["bars"] == [] and "No answer yet" in TWO.board([], shown=False)["summary"]


def test_other_numbers_of_answers_and_other_epsilons_against_arithmetic() -> None:
    f, n = 0.3, 50
    for m in (2, 3, 5, 10):
        for epsilon in (0.5, 2.0):
            keep = math.exp(epsilon) / (math.exp(epsilon) + m - 1)
            other = 1 / (math.exp(epsilon) + m - 1)
            variance = (f * keep * (1 - keep) + (1 - f) * other * (1 - other)) / (n * (keep - other) ** 2)
            assert TWO.half_width(f, n, epsilon=epsilon, m=m) == pytest.approx(NORMAL_95 * math.sqrt(variance))


def test_a_phone_is_told_how_deniable_its_answer_is_whatever_the_truth() -> None:
    asked = TWO.asked(1)
    assert "with chance 75 %, one whose true answer is “No” with chance 25 %" in asked["sent"][0]
    assert "a chance of 50 % for you, and now gives it 75 %: so you can deny it" in asked["sent"][0]
    assert "spend ε again" in asked["kept"] and "10 × 1.10 = 11 " in asked["kept"] and len(asked["before"]) == 2
    assert "hardly" in Response("x?", epsilon=6).asked(1)["sent"][0]
    assert "another true answer" in FIVE.asked(1)["sent"][3]


def test_a_question_that_is_put_again_adds_up() -> None:
    assert TWO.asked(3)["before"][2].endswith("3 × 1.10 = 3.30 together.")
    assert "the 3rd time" in TWO.asked(3)["before"][2]


def test_odd_classes_are_said_to_be_odd() -> None:
    notes = Response("x?", epsilon=0.2).board([0] * 300, shown=False)["notes"]
    assert any("without the coin" in note for note in notes) and any("above 100 %" in note for note in notes)


def test_it_survives_its_file() -> None:
    for question in (TWO, FIVE):
        assert stored("response", question.to_dict()) == question


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"text": ""},
        {"text": 7},
        {"text": "x" * 301},
        {"text": "a\x00b"},
        {"text": "x?", "answers": ["Yes"]},
        {"text": "x?", "answers": ["Yes", "Yes "]},
        {"text": "x?", "answers": "Yes"},
        {"text": "x?", "answers": [1, 2]},
        {"text": "x?", "answers": list("ABCDEFG")},
        {"text": "x?", "epsilon": 0},
        {"text": "x?", "epsilon": "1"},
        {"text": "x?", "epsilon": math.nan},
        {"text": "x?", "epsilon": True},
        {"text": "x?", "more": 1},
    ],
)
def test_settings_that_cannot_be_used_get_a_sentence(settings: dict) -> None:
    with pytest.raises(InputError):
        activity("response", settings)


@pytest.mark.parametrize("given", [None, True, -1, 2, 0.0, "0", [0], {"a": 1}, 10**400])
def test_answers_that_are_none_get_a_sentence(given: Any) -> None:
    with pytest.raises(InputError):
        TWO.read(given)


@pytest.mark.parametrize("kind", [None, "", "nothing", ["response"], "activity"])
def test_kinds_that_do_not_exist_get_a_sentence(kind: Any) -> None:
    with pytest.raises(InputError):
        activity(kind, {})


def test_an_estimate_that_only_rounding_makes_negative_is_no_estimate_below_zero() -> None:
    """Two coins with ε written as 1.0986, not ln 3: one Yes of four is a quarter, all of which the coins explain."""
    found = Response("x?", epsilon=1.0986).estimates([0, 1, 1, 1])[0]
    assert -1e-4 < found.estimate < 0
    view = Response("x?", epsilon=1.0986).board([0, 1, 1, 1], shown=False)
    assert "these 4 people is 0 %, and" in view["summary"] and "estimate 0 %, 95 %" in view["bars"][0]["said"]
    assert "−" not in json.dumps(view, ensure_ascii=False).replace("± ", "") and "No share is" not in view["summary"]
    assert not any("below 0 %" in note for note in view["notes"])


def test_an_estimate_that_no_share_can_be_is_said_to_be_one() -> None:
    below, above = TWO.board([0] + [1] * 19, shown=False), TWO.board([1] + [0] * 19, shown=False)
    estimate = 2 * 1 / 20 - 0.5
    said = f"among these 20 people is −{-100 * estimate:.0f} %, and the 95 % interval for it 0 % to"
    assert said in below["summary"]
    assert below["summary"].endswith(
        "No share is below 0 %: by chance, the coins drew this answer fewer times than average."
    )
    assert above["summary"].endswith(
        "No share is above 100 %: by chance, the coins drew this answer more times than average."
    )
    for view in (below, above):
        assert any("where no share can be" in note for note in view["notes"])
        assert all(0 <= bar["low"] <= bar["high"] <= 1 for bar in view["bars"])
    assert "No share is" not in TWO.board([0] * 14 + [1] * 10, shown=False)["summary"]

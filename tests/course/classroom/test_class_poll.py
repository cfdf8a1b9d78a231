"""Polls: every question of the course, put to a class, answered rightly, wrongly and by nonsense."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.classroom import Poll, activity, stored
from lmdk_widgets.course.classroom.activity import offers
from lmdk_widgets.course.classroom.poll import any_answer
from lmdk_widgets.errors import InputError

NAMES = [ask.name for lesson in LESSONS for ask in questions(lesson)]


def right(poll: Poll) -> Any:
    """The right answer in the form in which it is given."""
    return poll.computed[0] if poll.ask.kind == "point" else poll.computed


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_question_of_the_course_from_put_to_shown(name: str) -> None:
    poll = activity("poll", {"name": name})
    assert isinstance(poll, Poll) and stored("poll", poll.to_dict()) == poll
    wrong = any_answer(poll.told_of_it)
    answers = [poll.read(json.loads(json.dumps(answer))) for answer in (right(poll), right(poll), wrong)]
    asked = json.dumps(poll.asked(1))
    open_board, shown_board = poll.board(answers, False), poll.board(answers, True)
    json.dumps([open_board, shown_board], allow_nan=False)
    assert open_board["summary"] == "3 answers so far." and "right" not in json.dumps(open_board["summary"])
    verdicts = [poll.ask.judge(answer) for answer in answers]
    count = sum(verdict.right for verdict in verdicts)
    assert count >= 2 and shown_board["summary"].startswith(f"{count} of 3 are right")
    assert poll.explained in shown_board["summary"] and poll.explained not in asked
    assert poll.explained and "Your" not in poll.explained and not poll.explained.startswith("Right")
    assert poll.told(wrong)["words"] == verdicts[2].in_full and not poll.told(wrong)["solution"]
    assert poll.told(None)["answer"] == poll.computed
    assert (
        poll.board([], False)["summary"] == "No answer yet." and "Nobody answered." in poll.board([], True)["summary"]
    )


def test_a_phone_is_told_of_its_number_first_and_then_of_the_right_one() -> None:
    words = Poll("noise/yes").told(0.5)["words"]
    assert words.startswith("No. 0.5 is the first coin alone. After tails, the second coin may say Yes too. The right ")
    assert "The right answer is 0.75. Half of the time" in words and "It is 0.75" not in words


@pytest.mark.parametrize("name", NAMES)
def test_an_open_board_does_not_tell_the_answer(name: str) -> None:
    poll = Poll(name)
    view = poll.board([any_answer(poll.told_of_it)] * 3, False)
    assert "right" not in view and not any(row.get("right") for row in view.get("bars", ()))


def test_bars_count_choices_and_orders() -> None:
    choose = Poll("moments/neighbours")
    view = choose.board([0, 1, 1, 0, 1], True)
    assert [row["sent"] for row in view["bars"]][:2] == [2, 3] and view["bars"][1]["share"] == 3 / 5
    assert [bool(row.get("right")) for row in view["bars"]].index(True) == choose.computed
    order = Poll("moments/levels")
    given = [[0, 1, 2, 3]] * 2 + [[1, 0, 2, 3]]
    assert [row["sent"] for row in order.board(given, False)["bars"]] == [2, 1]


def test_numbers_have_an_axis_that_holds_all_and_curves_a_median() -> None:
    number = Poll("moments/share")
    view = number.board([0.1, 0.2, 0.9], True)
    low, high = view["axis"]
    assert low <= 0.1 and high >= 0.9 and low <= view["right"] <= high and "0.20" in view["notes"][0]
    assert number.board([0.001, 1.0], False)["log"]
    curve = Poll("moments/sums")
    n, low = len(curve.told_of_it["x"]), curve.told_of_it["low"]
    given = [[low] * n, [low + 1e-3] * n, curve.told(None)["answer"]]
    assert curve.board(given, False)["middle"] == pytest.approx(np.median(np.array(given), axis=0).tolist())


NONSENSE: list[Any] = [None, True, "x", "<b>", {}, [], [[]], -1, 10**400, [10**400], [None], ["a"] * 3, [[1, 2]], 1e300]


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_gets_a_sentence(name: str) -> None:
    for given in NONSENSE:
        with pytest.raises(InputError):
            pytest.fail(f"{given!r:.50} was read as {Poll(name).read(given)}")


@pytest.mark.parametrize(
    "settings", [{}, {"name": ""}, {"name": 7}, {"name": "moments/none"}, {"name": "x/y"}, {"name": "../x"}]
)
def test_questions_that_do_not_exist_get_a_sentence(settings: dict) -> None:
    with pytest.raises(InputError):
        activity("poll", settings)


def test_the_board_offers_every_question() -> None:
    offered = [name for lesson in offers()["poll"].values() for name, _ in lesson["questions"]]
    assert offered == NAMES

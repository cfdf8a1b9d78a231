"""The widget of a question: it judges what a browser gives, refuses in sentences, and shows what follows only then."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Any

import pytest
from ipywidgets import Widget

from lmdk_widgets import Answers, FigureView, Question
from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import STATIC


@pytest.fixture(autouse=True)
def no_comm_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


class Asked(Question):
    """Keeps what it sends."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.sent: list[dict] = []
        super().__init__(*arguments, **options)

    def send(self, content: Any, buffers: Any = None) -> None:
        self.sent.append(content)

    def receive(self, message: Any) -> None:
        self._handle_custom_msg(message, [])


def figure() -> FigureView:
    return FigureView({"data": [{"y": [1]}]}, summary="A point.")


def test_a_verdict_goes_to_the_view_that_asked() -> None:
    view = Asked("moments/share")
    assert view.asked == question("moments/share").asked() and (STATIC / view._module).is_file()
    view.receive({"type": "judge", "given": 0.2, "id": 3, "view": "v"})
    (answer,) = view.sent
    assert (answer["type"], answer["id"], answer["view"]) == ("verdict", 3, "v")
    assert (
        answer["verdict"] == view.ask.judge(0.2).to_dict() and view.verdict == view.ask.judge(0.2) and view.given == 0.2
    )


@pytest.mark.parametrize("given", [None, "0.2", [0.2], float("nan"), 1e9])
def test_a_refusal_is_a_sentence_and_shows_nothing(given: Any) -> None:
    view = Asked("moments/share", then=figure)
    view.receive({"type": "judge", "given": given, "id": 1, "view": "v"})
    (answer,) = view.sent
    assert answer["type"] == "refused" and answer["text"].startswith(
        "Your answer must be a number between 0 and 10; got"
    )
    assert view._then == "" and view.verdict is None


@pytest.mark.parametrize("message", [None, 3, "judge", {}, {"type": "else"}, {"type": ["judge"]}])
def test_other_messages_are_none_of_its_business(message: Any) -> None:
    view = Asked("moments/share")
    view.receive(message)
    assert view.sent == []


def test_what_follows_is_made_once_when_there_is_an_answer() -> None:
    made: list[FigureView] = []
    view = Asked("moments/share", then=lambda: made.append(figure()) or made[0])
    assert view._follows and view._then == "" and not made
    assert not view.judge(3.0).right
    assert view._then == f"anywidget:{made[0].model_id}"
    assert view.judge(0.2).right and len(made) == 1
    there = figure()
    second = Asked(question("moments/share"), then=there)
    assert second._then == ""
    second.judge(1)
    assert second._then == f"anywidget:{there.model_id}"
    assert not Asked("moments/share")._follows and not Asked("moments/share")._text_waits
    assert Asked("moments/share", text_waits=True)._text_waits


def test_what_is_no_question_or_cannot_follow_is_refused() -> None:
    for wrong in ("moments/nothing", "share", 3, None):
        with pytest.raises(InputError):
            Question(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Question("moments/share", then="text")  # type: ignore[arg-type]


def test_answers_know_the_questions_of_their_lesson_and_no_answer() -> None:
    view = Answers("moments")
    assert [about["name"] for about in view._questions] == [ask.name for ask in questions("moments")]
    assert set(view._questions[0]) == {"name", "stamp", "text"} and (STATIC / view._module).is_file()
    with pytest.raises(InputError):
        Answers("nothing")


def test_answers_name_the_next_lesson_and_nothing_after_the_last() -> None:
    for name, following in pairwise(LESSONS):
        told = Answers(name)._next
        said = f"Next lesson: {LESSONS[following].title}"
        assert told == {"said": said, "name": following}
        end = "" if said.endswith("?") else "."
        assert f"<p>{escape(said)}{end}</p>" in Answers(name).reading()
    last = Answers([*LESSONS][-1])
    assert last._next == {"said": "This was the last lesson."} and "This was the last lesson." in last.reading()

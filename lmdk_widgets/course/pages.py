"""The course as plain pages: the tiles of its lessons, a question, and the answers to a lesson that a browser keeps.

The browser draws a question and keeps the answer; the page judges it on request, and keeps only the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Ask, Verdict
from lmdk_widgets.page import glossary, reading
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.messages import Handler, Messenger, Send

ABOUT = (
    "One story: Bob's day in Paris, then a commuter's week, then a household. Each lesson asks before it explains; your "
    "answers are kept only in this browser."
)


class LessonsPage(Messenger):
    """A tile for each lesson, with what it teaches and how much of it is answered.

    The browser opens a lesson by its address on the same server, and counts the answers that it has kept.

    Examples
    --------
    >>> [lesson["name"] for lesson in LessonsPage().about()["lessons"]][:1]
    ['start']
    """

    MODULE = "lessons.js"

    def about(self) -> Message:
        entries = [[list(names), meaning] for names, meaning in glossary.message()]
        return {"about": ABOUT, "lessons": [_tile(name) for name in LESSONS], "glossary": entries}

    def static_copy(self) -> reading.StaticCopy:
        return reading.StaticCopy([ABOUT], [reading.bullets(lesson.title for lesson in LESSONS.values())])


class QuestionPage(Messenger):
    """A question of a lesson.

    Parameters
    ----------
    ask : a question, or the name of one in the course, "lesson/short-name".
    send : sends the browser a message and its buffers; None if nobody listens. judged : called after each verdict.

    Attributes
    ----------
    ask : the question.
    given, verdict : the last answer and its verdict; None before there is one.

    Raises
    ------
    InputError : `ask` is not a question.
    """

    MODULE = "question.js"

    def __init__(self, ask: Ask | str, *, send: Send | None = None, judged: Callable[[], None] = lambda: None) -> None:
        super().__init__(send=send)
        self.ask = question(ask) if isinstance(ask, str) else ask
        if not isinstance(self.ask, Ask):
            raise refused("ask", "a question or the name of one", kind_of(ask))
        self.given: Any = None
        self.verdict: Verdict | None = None
        self._judged = judged

    def about(self) -> Message:
        return {"asked": self.ask.asked()}

    def judge(self, given: Any) -> Verdict:
        """The verdict on an answer.

        Raises
        ------
        InputError : not an answer to this kind of question.
        """
        verdict = self.ask.judge(given)
        self.given, self.verdict = given, verdict
        self._judged()
        return verdict

    def static_copy(self, *following: str) -> reading.StaticCopy:
        """The question and its choices; its answer is not revealed. following : more parts, as HTML."""
        asked = self.ask.asked()
        choices = reading.bullets(asked.get("choices") or asked.get("items") or ())
        return reading.StaticCopy(
            [f"Question: {asked['text']}"], [choices, reading.place("question", asked["name"]), *following]
        )

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {"judge": self._answer, "solve": self._solve}

    def _answer(self, message: Message, _buffers: list[Any]) -> None:
        self._send_verdict(self.judge(message.get("given")).to_dict(), message)

    def _solve(self, message: Message, _buffers: list[Any]) -> None:
        given = self.ask.right_answer()
        self._send_verdict({"given": given, **self.judge(given).to_dict()}, message)

    def _send_verdict(self, verdict: dict[str, Any], message: Message) -> None:
        self.send({"type": "verdict", "verdict": verdict, "id": message.get("id"), "view": message.get("view")})


class AnswersPage(Messenger):
    """How many of a lesson's questions are answered in this browser, a file with the answers, and a link to the next lesson.

    Parameters
    ----------
    lesson : a lesson of the course. send : sends the browser a message and its buffers; None if nobody listens.

    Raises
    ------
    InputError : there is no such lesson.
    """

    MODULE = "answers.js"

    def __init__(self, lesson: str, *, send: Send | None = None) -> None:
        super().__init__(send=send)
        self.lesson = one_of(lesson, "lesson", LESSONS)

    def about(self) -> Message:
        asked = [{part: told[part] for part in ("name", "stamp", "text")} for told in _asked(self.lesson)]
        title = LESSONS[self.lesson].title
        return {"lesson": self.lesson, "title": title, "questions": asked, "next": self._following()}

    def static_copy(self) -> reading.StaticCopy:
        said = f"Your answers to the {len(_asked(self.lesson))} questions of this lesson."
        onward = self._following()["said"]
        onward += "" if onward.endswith((".", "?")) else "."
        return reading.StaticCopy([said, onward], [reading.place("answers", self.lesson)])

    def _following(self) -> dict[str, str]:
        """The next lesson of the course in words, with its link for the browser; only words after the last one."""
        after = [*LESSONS][[*LESSONS].index(self.lesson) + 1 :]
        if not after:
            return {"said": "This was the last lesson."}
        return {"said": f"Next lesson: {LESSONS[after[0]].title}", "name": after[0]}


def _asked(lesson: str) -> list[dict[str, Any]]:
    """The questions of a lesson, as a page gets them."""
    return [ask.asked() for ask in questions(lesson)]


def _tile(name: str) -> dict[str, Any]:
    """What a tile shows of a lesson; of its questions, only what is needed to find their answers in the browser."""
    lesson = LESSONS[name]
    asked = [{part: told[part] for part in ("name", "stamp")} for told in _asked(name)]
    about = {"name": name, "title": lesson.title, "minutes": list(lesson.minutes), "goals": list(lesson.goals)}
    return about | {"questions": asked}

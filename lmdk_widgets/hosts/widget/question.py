"""A question of a lesson as a widget, and what a student has answered so far.

The browser draws the question and keeps the answer; the kernel judges it, whenever it is asked, and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets

from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Ask, Verdict
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.page import reading
from lmdk_widgets.page.messages import attempt


class Question(BundledWidget):
    """A question to answer by mouse, finger or keys; the verdict says why.

    Parameters
    ----------
    ask : a question, or the name of one of the course, "lesson/short-name".
    then : what follows, hidden until there is an answer: a widget of this package, or a function that makes one when it
        is first needed.
    text_waits : where the lesson is a page, its text up to the next heading or output is hidden until then as well.

    Attributes
    ----------
    ask : the question.
    given, verdict : the last answer and what was said of it; None before there is one.

    Raises
    ------
    InputError : no question, or something that cannot follow one.

    Examples
    --------
    >>> view = Question("moments/share")
    >>> view.judge(0.2).right
    True
    """

    asked = traitlets.Dict().tag(sync=True)
    _follows = traitlets.Bool(False).tag(sync=True)
    _then = traitlets.Unicode("").tag(sync=True)
    _text_waits = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        ask: Ask | str,
        then: BundledWidget | Callable[[], BundledWidget] | None = None,
        *,
        text_waits: bool = False,
        **traits: Any,
    ) -> None:
        self.ask = question(ask) if isinstance(ask, str) else ask
        if not isinstance(self.ask, Ask):
            raise refused("ask", "a question or the name of one", kind_of(ask))
        if not (then is None or isinstance(then, BundledWidget) or callable(then)):
            raise refused("then", "a widget of this package, or a function that makes one", kind_of(then))
        self.given: Any = None
        self.verdict: Verdict | None = None
        self._next = then
        told = {"asked": self.ask.asked(), "_follows": then is not None, "_text_waits": text_waits}
        super().__init__(_module="question.js", **told, **traits)
        self.on_msg(self._on_message)

    def judge(self, given: Any) -> Verdict:
        """The verdict on an answer; what follows the question can be seen from then on.

        Raises
        ------
        InputError : nothing that this question can be answered with.
        """
        verdict = self.ask.judge(given)
        self.given, self.verdict = given, verdict
        if not self._then and self._next is not None:
            widget = self._next if isinstance(self._next, BundledWidget) else self._next()
            self._next, self._then = widget, f"anywidget:{widget.model_id}"
        return verdict

    def reading(self) -> str:
        """The question and what can be chosen; what follows it is folded, and its answer is not told."""
        parts = [reading.bullets(self.asked.get("choices") or self.asked.get("items") or ())]
        if self._next is not None:
            following = self._next if isinstance(self._next, BundledWidget) else self._next()
            parts.append(reading.fold("What follows an answer", following.reading()))
        return reading.sentences([f"Question: {self.asked['text']}"], *parts)

    def _on_message(self, _widget: Any, message: Any, _buffers: Any) -> None:
        if not isinstance(message, dict) or message.get("type") != "judge":
            return
        to = {"id": message.get("id"), "view": message.get("view")}
        said: list[Verdict] = []
        refusal = attempt(lambda: said.append(self.judge(message.get("given"))))
        self.send({**refusal, **to} if refusal else {"type": "verdict", "verdict": said[0].to_dict(), **to})


class Answers(BundledWidget):
    """How many questions of a lesson are answered in this browser, a file with the answers, and the way to the next lesson.

    Parameters
    ----------
    lesson : a lesson of the course.

    Raises
    ------
    InputError : there is no such lesson.

    Examples
    --------
    >>> Answers("moments").lesson
    'moments'
    """

    lesson = traitlets.Unicode().tag(sync=True)
    _title = traitlets.Unicode().tag(sync=True)
    _questions: traitlets.List = traitlets.List().tag(sync=True)
    _next = traitlets.Dict().tag(sync=True)

    def __init__(self, lesson: str, **traits: Any) -> None:
        known = LESSONS[one_of(lesson, "lesson", LESSONS)]
        asked = [ask.asked() for ask in questions(lesson)]
        told = [{name: about[name] for name in ("name", "stamp", "text")} for about in asked]
        super().__init__(_module="answers.js", lesson=lesson, _title=known.title, _questions=told, **traits)
        self._next = self._following()

    def _following(self) -> dict[str, str]:
        """The next lesson of the course, which the browser links to; nothing after the last one."""
        after = [*LESSONS][[*LESSONS].index(self.lesson) + 1 :]
        if not after:
            return {}
        return {"name": after[0], "title": LESSONS[after[0]].title, "notebook": LESSONS[after[0]].notebook}

    def reading(self) -> str:
        after = f"Next lesson: {self._next['title']}." if self._next else "This was the last lesson."
        return reading.sentences([f"Your answers to the {len(self._questions)} questions of this lesson.", after])

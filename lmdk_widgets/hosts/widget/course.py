"""The course as widgets: its lessons to choose from, a question, and the answers so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import traitlets

from lmdk_widgets.checks import kind_of, refused
from lmdk_widgets.course.ask import Ask, Verdict
from lmdk_widgets.course.pages import AnswersPage, LessonsPage, QuestionPage
from lmdk_widgets.hosts.widget.bundle import BundledWidget, PageWidget, WidgetTraits
from lmdk_widgets.page import reading


class Lessons(PageWidget):
    """The lessons of the course, to choose from.

    Parameters
    ----------
    query : ignored; this page takes nothing from an address.

    Examples
    --------
    >>> [lesson["name"] for lesson in Lessons()._lessons][:1]
    ['start']
    """

    _about = traitlets.Unicode().tag(sync=True)
    _lessons: traitlets.List = traitlets.List().tag(sync=True)
    _glossary: traitlets.List = traitlets.List().tag(sync=True)

    def __init__(self, *, query: str = "", **traits: Unpack[WidgetTraits]) -> None:
        page = LessonsPage(send=self.tell)
        told = {f"_{name}": value for name, value in page.about().items()}
        super().__init__(_module=page.MODULE, **told, **traits)
        self.carry(page)


class Question(PageWidget):
    """A question to answer by mouse, touch or keyboard; the verdict says why.

    Parameters
    ----------
    ask : a question, or the name of one in the course, "lesson/short-name".
    then : what follows, hidden until there is an answer: a widget of this package, or a function that makes one when it
        is first needed.
    text_waits : if the lesson is a page, whether its text up to the next heading or output is hidden until then as well.

    Attributes
    ----------
    ask : the question.
    given, verdict : the last answer and its verdict; None before there is one.

    Raises
    ------
    InputError : `ask` is not a question, or `then` cannot follow one.

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

    page: QuestionPage

    def __init__(
        self,
        ask: Ask | str,
        then: BundledWidget | Callable[[], BundledWidget] | None = None,
        *,
        text_waits: bool = False,
        **traits: Unpack[WidgetTraits],
    ) -> None:
        page = QuestionPage(ask, send=self.tell, judged=self._show_next)
        if not (then is None or isinstance(then, BundledWidget) or callable(then)):
            raise refused("then", "a widget of this package, or a function that makes one", kind_of(then))
        self._next = then
        told = {"_follows": then is not None, "_text_waits": text_waits, **page.about()}
        super().__init__(_module=page.MODULE, **told, **traits)
        self.carry(page)

    @property
    def ask(self) -> Ask:
        """The question."""
        return self.page.ask

    @property
    def given(self) -> Any:
        """The last answer; None before there is one."""
        return self.page.given

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the last answer."""
        return self.page.verdict

    def judge(self, given: Any) -> Verdict:
        """The verdict on an answer; what follows the question is visible from then on.

        Raises
        ------
        InputError : not an answer to this kind of question.
        """
        return self.page.judge(given)

    def static_copy(self) -> reading.StaticCopy:
        """The question and its choices; its answer is not revealed."""
        return self.page.static_copy()

    def reading(self) -> str:
        """The question and its choices; what follows it is folded, and its answer is not revealed."""
        more = [reading.WAITS] if self._text_waits else []
        if self._next is not None:
            following = self._next if isinstance(self._next, BundledWidget) else self._next()
            more.append(reading.fold("What follows an answer", following.reading()))
        return self.page.static_copy(*more).html()

    def _show_next(self) -> None:
        if not self._then and self._next is not None:
            widget = self._next if isinstance(self._next, BundledWidget) else self._next()
            self._next, self._then = widget, f"anywidget:{widget.model_id}"


class Answers(PageWidget):
    """How many of a lesson's questions are answered in this browser, a file with the answers, and a link to the next lesson.

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

    def __init__(self, lesson: str, **traits: Unpack[WidgetTraits]) -> None:
        page = AnswersPage(lesson, send=self.tell)
        about = page.about()
        told = {f"_{name}": about[name] for name in ("title", "questions", "next")}
        super().__init__(_module=page.MODULE, lesson=lesson, **told, **traits)
        self.carry(page)

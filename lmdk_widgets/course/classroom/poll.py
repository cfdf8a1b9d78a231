"""A poll: a question of a lesson, answered by a class."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from lmdk_widgets.course import question
from lmdk_widgets.course.ask import Ask, Curve, Point, Verdict
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.classroom import poll_words
from lmdk_widgets.course.classroom.activity import known

MOST_KEPT = 5_000
"""Verdicts that are kept."""


@dataclass(frozen=True)
class Poll:
    """A question of a lesson, put to a class.

    Attributes
    ----------
    name : of the question, "lesson/short-name".

    Raises
    ------
    InputError : there is no such question.

    Examples
    --------
    >>> Poll("moments/share").asked(1)["ask"]["kind"]
    'number'
    """

    name: str

    kind: ClassVar[str] = "poll"
    changeable: ClassVar[bool] = True
    outcome: ClassVar[bool] = True

    def __post_init__(self) -> None:
        question(self.name)

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Poll:
        """The question that a teacher's settings name."""
        known(settings, ("name",))
        return cls(settings.get("name", ""))

    from_dict = put

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"name": self.name}

    @property
    def ask(self) -> Ask:
        """The question itself."""
        return question(self.name)

    @cached_property
    def told_of_it(self) -> dict[str, Any]:
        """What a browser needs to ask it; nothing in it tells the right answer."""
        return self.ask.asked()

    @property
    def text(self) -> str:
        """The question in words."""
        return str(self.told_of_it["text"])

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone needs to ask it."""
        return {"kind": self.kind, "text": self.text, "ask": self.told_of_it}

    def read(self, given: Any) -> Any:
        """The answer, if the question can be answered with it."""
        self.judged(given)
        return given

    @cached_property
    def _verdicts(self) -> dict[str, Verdict]:
        return {}

    def judged(self, answer: Any) -> Verdict:
        """The verdict on an answer, judged once: when the outcome is shown all phones ask at the same moment."""
        name = json.dumps(answer)
        if name not in self._verdicts:
            verdict = self.ask.judge(answer)
            if len(self._verdicts) >= MOST_KEPT:
                return verdict
            self._verdicts[name] = verdict
        return self._verdicts[name]

    def prepare(self) -> None:
        """Compute the right answer, which may take some seconds the first time."""
        _ = self.explained

    @cached_property
    def computed(self) -> Any:
        """The right answer in the form of an answer; of several right places all."""
        return self.ask.judge(any_answer(self.told_of_it)).answer

    @cached_property
    def explained(self) -> str:
        """Why the computed answer is right."""
        ask = self.ask
        if isinstance(ask, Curve | Point):
            return said(ask.why)
        words = ask.judge(self.computed).words
        return words.removeprefix("Right. ").replace("Right: it", "It", 1)

    def told(self, answer: Any) -> dict[str, Any]:
        """The verdict on one student's answer with the right one; where there is none, the computed answer and why.

        It is shown when the question is over: there is no second try to wait for.
        """
        if answer is None:
            return {"words": self.explained, "answer": self.computed}
        verdict = self.judged(answer)
        return {**verdict.to_dict(), "words": verdict.in_full, "solution": ""}

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """The answers as they come; when shown, how many are right and the computed answer."""
        return poll_words.board(self, answers, shown)


def any_answer(asked: Mapping[str, Any]) -> Any:
    """Something with which a question can be answered, right or wrong.

    Examples
    --------
    >>> any_answer(Poll("moments/levels").told_of_it)
    [0, 1, 2, 3]
    """
    match asked["kind"]:
        case "choose":
            return 0
        case "order":
            return list(range(len(asked["items"])))
        case "number":
            return asked["high"]
        case "curve":
            return [asked["high"]] * len(asked["x"])
    return asked["edges"][:2]

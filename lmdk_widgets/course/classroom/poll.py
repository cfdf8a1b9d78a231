"""A poll: a lesson's question, answered by a class; its answers in sentences, and as a board draws them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Ask, Curve, Number, Point, Verdict
from lmdk_widgets.course.ask.number import plainly
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.classroom.activity import Plain, known
from lmdk_widgets.course.classroom.scenes import scene, slider
from lmdk_widgets.page.amounts import amount, percent, whole
from lmdk_widgets.page.blocks import block_messages
from lmdk_widgets.page.sentences import sentence

MOST_KEPT = 5_000
"""The number of verdicts that are kept."""
EXAMPLE = 2.8
"""A number that is no question's answer."""
MOST_ORDERS = 6
"""How many of the most frequent orders a board lists."""


@dataclass(frozen=True)
class Poll(Plain):
    """A lesson's question, put to a class.

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

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: the questions of each lesson, by name with their texts."""
        asked = {name: [[ask.name, _listed(ask)] for ask in questions(name)] for name in LESSONS}
        return {name: {"title": LESSONS[name].title, "questions": asked[name]} for name in LESSONS if asked[name]}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"name": self.name}

    @property
    def title(self) -> str:
        """Its name and number, as in the teacher's guide."""
        return f"{super().title} {self.name} ({_number(self.ask)})"

    @property
    def ask(self) -> Ask:
        """The question itself."""
        return question(self.name)

    @cached_property
    def told_of_it(self) -> dict[str, Any]:
        """What a browser needs to ask it; nothing in it reveals the right answer."""
        asked = self.ask.asked()
        return asked | {"hint": _hint(self.ask)} if isinstance(self.ask, Number) else asked

    @cached_property
    def scene(self) -> list[Any]:
        """What the question refers to, for the board and the phones."""
        return block_messages(scene(self.name))

    @property
    def text(self) -> str:
        """The question in words."""
        return str(self.told_of_it["text"])

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone needs to ask it."""
        return {"kind": self.kind, "text": self.text, "ask": self.told_of_it, "about": self.scene}

    def read(self, given: Any) -> Any:
        """The answer, if it is one to this kind of question."""
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
        _ = self.explained, slider(self.name)

    @cached_property
    def computed(self) -> Any:
        """The right answer in the form of an answer; all of them if several places are right."""
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
        """The verdict on one student's answer with the right one; without an answer, the computed one and why.

        It is shown when the question is over, as there is no second try.
        """
        if answer is None:
            return {"words": self.explained, "answer": self.computed}
        verdict = self.judged(answer)
        return {**verdict.to_dict(), "words": verdict.in_full, "solution": ""}

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """The answers as they come; when shown, how many are right, the computed answer, and the figure of the lesson."""
        kind = self.told_of_it["kind"]
        drawn = _DRAWN[kind](self, answers, shown)
        figure = slider(self.name) if shown else None
        found = {"draw": kind, "about": self.scene, "summary": _summary(self, answers, shown), **drawn}
        return found | ({"figure": figure} if figure else {})


def _number(ask: Ask) -> int:
    """The number of the question in its lesson, from 1."""
    return questions(ask.name.partition("/")[0]).index(ask) + 1


def _listed(ask: Ask) -> str:
    """A question as a teacher's list shows it: its number, its name and its text."""
    return f"{_number(ask)}. {ask.name.partition('/')[2]}: {said(ask.text)}"


def _hint(ask: Number) -> str:
    """How to type a number, with its unit; the example is not the answer to any question."""
    if ask.high == 1:
        return "A probability from 0 to 1, such as 0.35, 7/20 or 35 %."
    unit = f" {ask.unit}" if ask.unit and not ask.unit.startswith("of ") else ""
    return f"A number from {plainly(ask.low)} to {plainly(ask.high)}{unit}, such as {EXAMPLE} or 14/5."


def any_answer(asked: Mapping[str, Any]) -> Any:
    """Some answer to a question, right or wrong.

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


def _summary(poll: Poll, answers: Sequence[Any], shown: bool) -> str:
    n = len(answers)
    if not shown:
        noun = "answer" if n == 1 else "answers"
        return sentence("{answers} {noun} so far.", answers=whole(n), noun=noun) if n else "No answer yet."
    right = sum(poll.judged(answer).right for answer in answers)
    head = (
        sentence(
            "{right} of {n_answers} {are} right, {right_share}.",
            right=whole(right),
            n_answers=whole(n),
            are="is" if right == 1 else "are",
            right_share=percent(right / n),
        )
        if n
        else "Nobody answered."
    )
    return f"{head} {poll.explained}"


def _choices(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    names, counts = poll.told_of_it["choices"], Counter(answers)
    rows = [_row(name, counts[k], len(answers)) for k, name in enumerate(names)]
    if shown:
        rows[poll.computed]["right"] = True
    return {"bars": rows}


def _orders(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    items, counts = poll.told_of_it["items"], Counter(tuple(answer) for answer in answers)
    kept = counts.most_common(MOST_ORDERS)
    rows = [_row(" → ".join(items[k] for k in order), count, len(answers)) for order, count in kept]
    for row, (order, _) in zip(rows, kept, strict=True):
        row["right"] = shown and poll.judged(list(order)).right
    rest = len(answers) - sum(count for _, count in kept)
    return {
        "bars": rows,
        "notes": [sentence("{answers} answers have other orders.", answers=whole(rest))] if rest else [],
    }


def _row(name: str, count: int, n: int) -> dict[str, Any]:
    share = count / n if n else 0.0
    return {
        "name": name,
        "sent": count,
        "share": share,
        "said": sentence("{sent}, {sent_share}", sent=whole(count), sent_share=percent(share)),
    }


def _numbers(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    """Numbers on an axis that contains all of them; a logarithmic one if they span more than a factor of a hundred."""
    found = sorted(float(answer) for answer in answers)
    known = [*found, float(poll.computed)] if shown else found
    if not known:
        return {"values": [], "axis": [0.0, 1.0], "log": False}
    log = min(known) > 0 and max(known) > 100 * min(known)
    low, high = (min(known) / 1.5, max(known) * 1.5) if log else _room(min(known), max(known))
    median = (
        [sentence("The median of the answers is {median}.", median=amount(float(np.median(found))))] if found else []
    )
    extra = {"right": float(poll.computed)} if shown else {}
    unit = poll.told_of_it["unit"]
    return {"values": found, "axis": [low, high], "log": log, "unit": unit, "notes": median, **extra}


def _room(low: float, high: float) -> tuple[float, float]:
    free = 0.05 * (high - low) or 0.5 * abs(high) or 1.0
    return low - free, high + free


def _places(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    extra = {"right": poll.computed} if shown else {}
    return {
        "scene": {name: poll.told_of_it[name] for name in ("edges", "dots", "line", "places")},
        "values": answers,
        **extra,
    }


def _curves(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    axes = {
        name: poll.told_of_it[name] for name in ("x", "labels", "x_title", "y_title", "low", "high", "log", "log_x")
    }
    middle = {"middle": np.median(np.array(answers, float), axis=0).tolist()} if answers else {}
    extra = {"right": poll.computed} if shown else {}
    return {"axes": axes, "values": answers, **middle, **extra}


_DRAWN = {"choose": _choices, "order": _orders, "number": _numbers, "point": _places, "curve": _curves}
"""What the board draws, by the kind of the question."""

"""A question whose answer is a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

from lmdk_widgets.checks import number
from lmdk_widgets.course.ask.verdict import ANSWER, CLOSE, Ask, Said, Verdict, nearness, off_by, sentences
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.sentences import sentence

SAME = 0.01
"""Two numbers that differ by at most this share are the same number, rounded by hand."""


class Trap(NamedTuple):
    """A wrong number that is the result of a known mistake.

    Attributes
    ----------
    value : computes it.
    why : what it is and what is wrong with it: a sentence without its subject, which is the number ("is the first coin
        alone."), and more sentences where needed. It does not reveal the right number.
    """

    value: Callable[[], float]
    why: str


@dataclass(frozen=True, kw_only=True)
class Number(Ask):
    """A question for a number, judged by its ratio to the right one, or by the difference.

    Attributes
    ----------
    right : computes the right number; above 0 if `scale` is "ratio".
    low, high : the range of answers, from 0 if `low` is left out; anything outside is refused.
    why : why the right number is right.
    scale : "ratio" for epsilon, budgets, losses and metres, "difference" for probabilities and counts.
    tolerance : what counts as right: a share ("ratio"), or a distance ("difference").
    unit : shown after the field ("m"), and in sentences after a number that `written` gives no unit.
    written : formats numbers of this kind in sentences.
    traps : wrong numbers, each with what is wrong with it.

    Examples
    --------
    >>> question = Number(
    ...     name="example/noise",
    ...     text="What is the mean noise of a count with a budget of 0.2?",
    ...     right=lambda: 1 / 0.2,
    ...     high=1000.0,
    ...     why="It is the sensitivity over the budget.",
    ... )
    >>> verdict = question.judge(4.4)
    >>> verdict.words, verdict.solution
    ('Close. 4.4 is a little too low.', 'The right answer is 5. It is the sensitivity over the budget.')
    """

    kind: ClassVar[str] = "number"

    right: Callable[[], float]
    high: float
    low: float = 0.0
    why: Said = ""
    scale: Literal["ratio", "difference"] = "ratio"
    tolerance: float = 0.05
    unit: str = ""
    written: Callable[[float], str] = amount
    traps: tuple[Trap, ...] = ()

    def _told(self) -> dict[str, Any]:
        return {"unit": self.unit, "low": self.low, "high": self.high}

    def right_answer(self) -> float:
        return float(self.right())

    def judge(self, given: Any) -> Verdict:
        """The verdict on the number; `solution` has the right one, which is shown after a second try."""
        value, right = number(given, ANSWER, self.low, self.high), self.right_answer()
        distance = self._distance(value, right)
        closeness = nearness(distance, 1.0)
        if distance <= 1:
            yours = ""
            if self.written(value) != self.written(right):
                yours = f", and yours is {self._far(value, right)}"
            head = sentence("Right: it is {right_value}{yours}.", right_value=self.written(right), yours=yours)
            return Verdict(True, closeness, sentences(head, self.why), right)
        near = distance <= CLOSE
        way = f"is {'a little ' if near else ''}too {'low' if value < right else 'high'}."
        words = f"{'Close' if near else 'No'}. {plainly(value)} {self._trapped(value) or way}"
        return Verdict(
            False, closeness, words, right, sentences(f"The right answer is {self._written(right)}.", self.why)
        )

    def _distance(self, value: float, right: float) -> float:
        """How far apart two numbers are, in tolerances."""
        if self.scale == "difference":
            return abs(value - right) / self.tolerance
        return abs(math.log(value / right)) / math.log1p(self.tolerance) if value > 0 else math.inf

    def _far(self, value: float, right: float) -> str:
        if self.scale == "difference":
            return sentence(
                "{difference} too {low_or_high}",
                difference=self.written(abs(value - right)),
                low_or_high="low" if value < right else "high",
            )
        return off_by(max(value, 0.0) / right)

    def _trapped(self, value: float) -> str:
        """What to say after a number that comes from a known mistake; "" for any other."""
        near = [(self._distance(value, trap.value()), trap) for trap in self.traps]
        distance, trap = min(near, key=lambda found: found[0], default=(math.inf, None))
        if trap is None or distance > 1:
            return ""
        meant = trap.value()
        if math.isclose(value, meant, rel_tol=SAME):
            return trap.why
        return sentence("is nearly {trap_value}, which {why}", trap_value=self.written(meant), why=trap.why)

    def _written(self, value: float) -> str:
        text = self.written(value)
        return text if text[-1:].isalpha() else f"{text} {self.unit}".strip()


probability = partial(Number, high=1.0, scale="difference", tolerance=0.01)
"""A question for a probability; an answer within 0.01 is right."""


def plainly(value: float) -> str:
    """A number as a student typed it, to six digits.

    Examples
    --------
    >>> plainly(0.5), plainly(1 / 3), plainly(72.0), plainly(123456.0), plainly(-2.50)
    ('0.5', '0.333333', '72', '123,456', '−2.5')
    """
    return (f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}").replace("-", "−")

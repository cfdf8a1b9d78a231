"""A question that is answered with a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from lmdk_widgets.checks import number
from lmdk_widgets.course.ask.verdict import ANSWER, CLOSE, Ask, Said, Verdict, nearness, off_by, sentences
from lmdk_widgets.scenario.base.amounts import amount


class Trap(NamedTuple):
    """A wrong number that one arrives at by a known mistake: how it is computed, and the sentence that says what is wrong."""

    value: Callable[[], float]
    why: Said


@dataclass(frozen=True, kw_only=True)
class Number(Ask):
    """A number, judged by the distance that fits it.

    Attributes
    ----------
    right : computes the right number; above 0 where `scale` is "ratio".
    low, high : what can be given; more is refused.
    why : said with every verdict.
    scale : "ratio" for epsilon, budgets, losses and metres, "difference" for probabilities and counts.
    tolerance : what counts as right: a share ("ratio"), or a distance ("difference").
    unit : stands behind the field ("m").
    written : how numbers of this kind are written in sentences.
    traps : wrong numbers with what is wrong about them.

    Examples
    --------
    >>> question = Number(
    ...     name="example/noise",
    ...     text="What is the mean noise of a count with a budget of 0.2?",
    ...     right=lambda: 1 / 0.2,
    ...     low=0.0,
    ...     high=1000.0,
    ...     why="It is the sensitivity over the budget.",
    ... )
    >>> question.judge(4.4).words
    'Close: your answer is 12 % too low. It is 5.00. It is the sensitivity over the budget.'
    """

    kind: ClassVar[str] = "number"

    right: Callable[[], float]
    low: float
    high: float
    why: Said = ""
    scale: Literal["ratio", "difference"] = "ratio"
    tolerance: float = 0.05
    unit: str = ""
    written: Callable[[float], str] = amount
    traps: tuple[Trap, ...] = ()

    def _told(self) -> dict[str, Any]:
        return {"unit": self.unit, "low": self.low, "high": self.high}

    def judge(self, given: Any) -> Verdict:
        """The verdict, with how far the number is from the right one and in which direction."""
        value, right = number(given, ANSWER, self.low, self.high), float(self.right())
        distance = self._distance(value, right)
        its = f"It is {self.written(right)}."
        if distance <= 1:
            exact = self.written(value) == self.written(right)
            head = f"Right: it is {self.written(right)}{'' if exact else f', and yours is {self._far(value, right)}'}."
        elif distance <= CLOSE:
            head = f"Close: your answer is {self._far(value, right)}. {its}"
        else:
            head = f"No: your answer is {self._far(value, right)}. {its}"
        trap = "" if distance <= 1 else self._trap(value)
        return Verdict(distance <= 1, nearness(distance, 1.0), sentences(head, trap, self.why), right)

    def _distance(self, value: float, right: float) -> float:
        """How far two numbers are apart, in tolerances."""
        if self.scale == "difference":
            return abs(value - right) / self.tolerance
        return abs(math.log(value / right)) / math.log1p(self.tolerance) if value > 0 else math.inf

    def _far(self, value: float, right: float) -> str:
        if self.scale == "difference":
            return f"{self.written(abs(value - right))} too {'low' if value < right else 'high'}"
        return off_by(max(value, 0.0) / right)

    def _trap(self, value: float) -> Said:
        """What is wrong about a number, if it is a known mistake."""
        near = ((self._distance(value, trap.value()), trap.why) for trap in self.traps)
        distance, why = min(near, key=lambda found: found[0], default=(math.inf, ""))
        return why if distance <= 1 else ""

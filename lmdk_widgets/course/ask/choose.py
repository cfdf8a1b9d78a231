"""Questions that are answered from what they show: choose one, or put all in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.checks import refused, whole
from lmdk_widgets.course.ask.verdict import ANSWER, Ask, Said, Verdict, entries, said, sentences, shuffled


class Choice(NamedTuple):
    """Something that can be chosen, and the sentence that says why it is right, or why it is not."""

    text: str
    why: Said


@dataclass(frozen=True, kw_only=True)
class Choose(Ask):
    """Choose one. It is answered with an index into the choices as `asked` lists them.

    Attributes
    ----------
    choices : at least two, in any order: `asked` lists them in one that says nothing.
    right : computes the index of the right one in `choices`.

    Examples
    --------
    >>> budgets = [0.2] * 8
    >>> question = Choose(
    ...     name="example/sum",
    ...     text="Eight releases with a budget of 0.2 each: what do they spend together?",
    ...     choices=(Choice("1.6", "Budgets add up."), Choice("0.2", "Only one of them spends 0.2.")),
    ...     right=lambda: 0 if sum(budgets) > 0.2 else 1,
    ... )
    >>> told = question.asked()
    >>> question.judge(told["choices"].index("0.2")).words
    'No. Only one of them spends 0.2.'
    """

    kind: ClassVar[str] = "choose"

    choices: tuple[Choice, ...]
    right: Callable[[], int]

    def _order(self) -> list[int]:
        return shuffled(self.name, [choice.text for choice in self.choices])

    def _told(self) -> dict[str, Any]:
        return {"choices": [self.choices[k].text for k in self._order()]}

    def right_answer(self) -> int:
        return self._order().index(int(self.right()))

    def judge(self, given: Any) -> Verdict:
        """The verdict, with the sentence of the chosen one."""
        order, answer = self._order(), self.right_answer()
        chosen = whole(given, ANSWER, least=0, most=len(order) - 1)
        words = sentences("Right." if chosen == answer else "No.", self.choices[order[chosen]].why)
        return Verdict(chosen == answer, None, words, answer)


class Item(NamedTuple):
    """Something that has a place in an order, and the sentence that says why it has it."""

    text: str
    why: Said


@dataclass(frozen=True, kw_only=True)
class Order(Ask):
    """Put items in order. It is answered with their indices, as `asked` lists them, the first one first.

    Attributes
    ----------
    items : at least two, in any order: `asked` lists them in one that says nothing.
    ends : what stands at the first and at the last place ("least noise", "most noise").
    keys : computes a number for each of `items`; they go up. Items with equal numbers may stand either way.
    why : said when all is right.

    Examples
    --------
    >>> question = Order(
    ...     name="example/noise",
    ...     text="Which has less noise?",
    ...     items=(Item("budget 1", "The noise of budget 1 is 1."), Item("budget 0.2", "That of budget 0.2 is 5.")),
    ...     ends=("least noise", "most noise"),
    ...     keys=lambda: [1 / 1, 1 / 0.2],
    ... )
    >>> items = question.asked()["items"]
    >>> question.judge([items.index("budget 0.2"), items.index("budget 1")]).words
    'Not yet: “budget 0.2” stands before “budget 1”. That of budget 0.2 is 5. The noise of budget 1 is 1.'
    """

    kind: ClassVar[str] = "order"

    items: tuple[Item, ...]
    ends: tuple[str, str]
    keys: Callable[[], Sequence[float]]
    why: Said = ""

    def _order(self) -> list[int]:
        return shuffled(self.name, [item.text for item in self.items])

    def _told(self) -> dict[str, Any]:
        return {"items": [self.items[k].text for k in self._order()], "ends": list(self.ends)}

    def right_answer(self) -> list[int]:
        keys = [float(key) for key in self.keys()]
        order = self._order()
        return sorted(range(len(order)), key=lambda place: keys[order[place]])

    def judge(self, given: Any) -> Verdict:
        """The verdict, with the first two that stand the wrong way round; closeness is the share of right pairs."""
        order, n = self._order(), len(self.items)
        places = [whole(place, ANSWER, least=0, most=n - 1) for place in entries(given, n, "places, each once")]
        if len(set(places)) < n:
            raise refused(ANSWER, f"a list of {n} places, each once", "a place that is named twice")
        keys = [float(key) for key in self.keys()]
        told = [order[place] for place in places]
        pairs = list(combinations(told, 2))
        closeness = sum(not _above(keys[a], keys[b]) for a, b in pairs) / len(pairs)
        wrong = next(((a, b) for a, b in pairwise(told) if _above(keys[a], keys[b])), None)
        answer = self.right_answer()
        if wrong is None:
            return Verdict(True, 1.0, sentences("Right.", self.why), answer)
        first, second = (self.items[k] for k in wrong)
        words = f"Not yet: “{first.text}” stands before “{second.text}”."
        return Verdict(False, closeness, sentences(words, said(first.why), said(second.why)), answer)


def _above(a: float, b: float) -> bool:
    """Whether a is above b by more than the error of the arithmetic."""
    return a > b and not math.isclose(a, b, rel_tol=1e-9)

"""Questions that list the possible answers: choose one, or put them all in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.checks import refused, whole
from lmdk_widgets.course.ask.verdict import ANSWER, Ask, Said, Verdict, entries, said, sentences, shuffled


class Choice(NamedTuple):
    """A choice, and the sentence that says why it is right or wrong."""

    text: str
    why: Said


@dataclass(frozen=True, kw_only=True)
class Choose(Ask):
    """Choose one. The answer is an index into the choices as `asked` lists them.

    Attributes
    ----------
    choices : at least two, in any order: `asked` lists them in one that reveals nothing.
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
        """The verdict, with the sentence of the choice."""
        order, answer = self._order(), self.right_answer()
        chosen = whole(given, ANSWER, least=0, most=len(order) - 1)
        words = sentences("Right." if chosen == answer else "No.", self.choices[order[chosen]].why)
        return Verdict(chosen == answer, None, words, answer)


class Item(NamedTuple):
    """An item to put in order, and the sentence that says why its place is what it is."""

    text: str
    why: Said


@dataclass(frozen=True, kw_only=True)
class Order(Ask):
    """Put items in order. The answer is a list of their indices as `asked` lists them, first item first.

    Attributes
    ----------
    items : at least two, in any order: `asked` lists them in one that reveals nothing.
    ends : labels of the first and the last place ("least noise", "most noise").
    keys : computes a number for each of `items`, which increases in the right order; equal numbers may go either way.
    why : said when the order is right.

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
    'Not yet: you put “budget 0.2” before “budget 1”. That of budget 0.2 is 5. The noise of budget 1 is 1.'
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
        """The verdict, with the first two the wrong way round; closeness is the share of pairs in the right order."""
        order, n = self._order(), len(self.items)
        places = [whole(place, ANSWER, least=0, most=n - 1) for place in entries(given, n, "places, each once")]
        if len(set(places)) < n:
            raise refused(ANSWER, f"a list of {n} places, each once", "a place named twice")
        keys = [float(key) for key in self.keys()]
        told = [order[place] for place in places]
        pairs = list(combinations(told, 2))
        closeness = sum(not _above(keys[a], keys[b]) for a, b in pairs) / len(pairs)
        wrong = next(((a, b) for a, b in pairwise(told) if _above(keys[a], keys[b])), None)
        answer = self.right_answer()
        if wrong is None:
            return Verdict(True, 1.0, sentences("Right.", self.why), answer)
        first, second = (self.items[k] for k in wrong)
        words = f"Not yet: you put “{first.text}” before “{second.text}”."
        return Verdict(False, closeness, sentences(words, said(first.why), said(second.why)), answer)


def _above(a: float, b: float) -> bool:
    """Whether a is above b by more than rounding error."""
    return a > b and not math.isclose(a, b, rel_tol=1e-9)

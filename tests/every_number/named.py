"""The numbers in a page's sentences, held by their names against values that were computed apart from the page.

A sentence is a template with named values, so its words do not matter here: "epsilon" is the budget in whatever sentence it
stands. Behind "at most", "up to" and "at least" the words decide to which side a number may be rounded. What is left of a
shown text without its sentences must contain no number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any

from lmdk_widgets.page.sentences import Sentence, Written
from tests.every_number.claims import (
    BOUNDING,
    COUNT,
    FLOOR,
    LEFT_OVER,
    NUMBER,
    REQUIRED,
    Claims,
    Hole,
    Wrong,
    agrees,
    near,
)

NEW_WORD = r"(?<![\w.,])"
ENOUGH = 10
"""A template with so many letters is found within a longer text."""


@dataclass(frozen=True)
class Given:
    """Where a number comes from that depends on the other values of its sentence: `find(truth, values)`."""

    find: Callable[[Any, Mapping[str, str]], Any]
    hole: Hole = field(default_factory=lambda: near(""))


class Whole(Given):
    """A text that is recomputed as a whole, also where it is a sentence with numbers of its own."""


def guesses(name: str, find: Callable[[Any], float]) -> Given:
    """So many of 100 guesses, never fewer than are right, or in words where nearly all are."""
    nearly = {"over 99": 99 - 1e-6, "all": 100 - 2e-7}

    def said(truth: Any, values: Mapping[str, str]) -> Any:
        value, text = find(truth), str(values[name])
        return text if value > nearly.get(text, math.inf) else value

    return Given(said, Hole("", 1, 1e-7))


class Unnamed(Wrong):
    """A number of a sentence that no name recomputes: it may still be a part of another one."""


Truths = Mapping[str, Hole | Given | Callable[[Any], Any] | str]


class Named:
    """Where each name's number comes from; `apart` claims what is no sentence: arrays and fields by their paths.

    `as_written`: words with a number that is the same for all settings: "of 100", "two coins"; `alone`: such texts that
    stand by themselves. `true_when`: for some words of a template, when a sentence with them may be shown.
    """

    def __init__(
        self,
        truths: Truths,
        apart: Claims | None = None,
        *,
        as_written: Iterable[str] = (),
        true_when: Mapping[str, Callable[[Any], bool]] | None = None,
        alone: Iterable[str] = (),
    ) -> None:
        self.truths = {k: t if isinstance(t, Hole | Given) else near(t) for k, t in truths.items()}
        self.apart = apart or Claims({})
        self.alone = frozenset(alone)
        self.as_written = sorted(as_written, key=len, reverse=True)
        self.true_when = true_when or {}
        self.used = dict.fromkeys((*self.truths, *self.as_written, *self.true_when, *self.alone), 0)

    def hold(self, shown: Iterable[tuple[str, Any]], made: Iterable[Sentence], truth: Any) -> int:
        """Checks everything that is shown; how many things were. `made`: the sentences made for it."""
        known: dict[str, list[Sentence]] = {}
        for each in made:
            known.setdefault(str(each), []).append(each)
        longest = sorted(
            (
                said
                for said in known
                if LEFT_OVER.search(said) or not self.truths.keys().isdisjoint(known[said][0].values)
            ),
            key=len,
            reverse=True,
        )
        conditions = [(said, words) for said in known for words in self.true_when if words in known[said][0].template]
        checked: dict[str, str] = {}

        def taken(text: str) -> Iterator[tuple[int, int]]:
            if text in self.alone:
                self.used[text] += 1
                yield 0, len(text)
            for said, words in conditions:
                if said in text:
                    self.used[words] += 1
                    if not self.true_when[words](truth):
                        raise Wrong(f"“{said}” is said, and is not true")
            whole: list[tuple[int, int]] = []  # a part of a sentence is checked with it
            for said in longest:
                if said not in text or (said != text and not any(map(is_long, known[said]))):
                    continue
                found = re.finditer(rf"{NEW_WORD if said[0].isalnum() else ''}{re.escape(said)}(?![\w%]|[.,]\d)", text)
                places = [
                    (a, z) for a, z in (at.span() for at in found) if not any(s <= a and z <= e for s, e in whole)
                ]
                if places and said not in checked:
                    checked[said] = self._any(known[said], truth)
                if places and not checked[said]:
                    whole += places
                    yield from places
            for words in self.as_written:
                for at in re.finditer(rf"{NEW_WORD}{re.escape(words)}(?!\w)", text):
                    self.used[words] += 1
                    yield at.span()

        try:
            return self.apart.hold(shown, truth, taken)
        except Wrong as wrong:
            why = "".join(f"\n{reason}" for said, reason in checked.items() if reason and said in str(wrong))
            raise Wrong(f"{wrong}{why}") from wrong

    def _any(self, same: list[Sentence], truth: Any) -> str:
        """That one of the sentences with one text is right: a kept one may have been made for other settings.

        "", or what no name recomputes.
        """
        wrong, unnamed = None, ""
        for each in same:
            try:
                self._check(each, truth)
                return ""
            except Unnamed as found:
                unnamed = str(found)
            except Wrong as found:
                wrong = found
        if wrong is not None and not unnamed:
            raise wrong
        return unnamed

    def _check(self, sentence: Sentence, truth: Any, inside: tuple[str, ...] = ()) -> None:
        before = ""
        for words, name, _, _ in Formatter().parse(sentence.template):
            if LEFT_OVER.search(self._without_constants(words)):
                raise Unnamed(f"a number without a name in “{sentence.template}”")
            before += words
            if name is None:
                continue
            said = sentence.values[name]
            if isinstance(said, Sentence) and not isinstance(self.truths.get(name), Whole):
                self._check(said, truth, (*inside, name))
            elif isinstance(said, Written) or self._named(name, inside) in self.truths:
                self._number(self._named(name, inside), said, before, sentence, truth)
            elif LEFT_OVER.search(self._without_constants(said)):
                raise Unnamed(f"{name} of “{sentence.template}” is a text with a number: {said}")
            before += said

    def _named(self, name: str, inside: tuple[str, ...]) -> str:
        """A name, or "outer.name" where that is another number within a part called `outer`."""
        within = (f"{outer}.{name}" for outer in reversed(inside))
        return next((each for each in within if each in self.truths), name)

    def _without_constants(self, words: str) -> str:
        for constant in self.as_written if LEFT_OVER.search(words) else ():
            if constant in words:
                self.used[constant] += 1
                words = words.replace(constant, "·")
        return words

    def _number(self, name: str, said: str, before: str, sentence: Sentence, truth: Any) -> None:
        found = self.truths.get(name)
        if not said:  # a part that is left out
            return
        if found is None:
            raise Unnamed(f"nothing recomputes {name}: {said} in “{sentence}”")
        self.used[name] += 1
        if isinstance(found, Given):
            value, hole = found.find(truth, sentence.values), found.hole.at(truth)
        else:
            value, hole = found.value(truth), found.at(truth)
        side = 1 if BOUNDING.search(before) else -1 if FLOOR.search(before) else 0
        side = -side if REQUIRED.search(before) else side
        if side and side != hole.side and not isinstance(value, str):
            hole = replace(hole, side=side, slack=min(hole.slack, 1e-6))
        if said.startswith("e^") and not isinstance(value, str):
            said, value = said[2:], math.log(value)
        if isinstance(value, str) and value[:1].islower():
            said = said[:1].lower() + said[1:]  # at the beginning of a sentence
        number = said if isinstance(value, str) else number_in(said)
        if not agrees(hole, number, value):
            raise Wrong(f"{name} is said to be {said}, and is {value!r} (side {hole.side}): {sentence}")

    def unused(self) -> list[str]:
        """Names that no sentence used, and what nothing shown was claimed by."""
        return [name for name, times in self.used.items() if not times] + self.apart.unused()


def is_long(sentence: Sentence) -> bool:
    """Whether its words tell it from others: "at most 0.80" may be part of any sentence."""
    return _letters(sentence) >= ENOUGH


def _letters(sentence: Sentence) -> int:
    own = len(re.findall(r"\w", re.sub(r"\{\w+\}", "", sentence.template)))
    parts = (value for value in sentence.values.values() if not isinstance(value, Written))
    return own + sum(_letters(part) if isinstance(part, Sentence) else len(part) for part in parts)


def number_in(said: str) -> str:
    """The number of a value as it is written: "three" of "all three timestamps"."""
    if said.startswith(("both ", "Both ")):
        return "two"
    for kind in (COUNT, NUMBER):
        found = re.match(rf"(?:[Aa]ll |up to )?({kind})(?![\w.,%])(?! (?:mm|m|km|%)(?!\w))", said)
        if found:
            return found[1]
    raise Wrong(f"no number in “{said}”")

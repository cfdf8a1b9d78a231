"""What comes first on a page: three answers as numbers, each with a line that says what it means.

Every page states what it guarantees as a number of guesses: of 100 guesses between two equally likely possibilities, 50 are
right by chance. A release multiplies odds by at most e^loss, whatever anyone knows; how many guesses are right depends on
what was known. So a number of guesses always says that both possibilities were equally likely, or whose belief it counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.sentences import Written

WAITS = "\N{HORIZONTAL ELLIPSIS}"
"""The value of an answer that is still being computed."""

NOTHING = 0.99
"""From this chance of a right guess on, nothing is promised: rounded up, all of 100 guesses may be right."""

NO_PROMISE = "no promise"
"""The value of a promise that promises nothing."""


class Answer(NamedTuple):
    """An answer as a number. name : a word. value : with its unit. line : what it means. look : its colour, or "". short :
    that line in a few words for a narrow page; brief : in a sentence or two, for a first screen on which the whole line has
    no room; "" for the line itself."""

    name: str
    value: str
    line: str
    look: str = ""
    short: str = ""
    brief: str = ""

    def sentence(self) -> str:
        """All of it in a line of text.

        Examples
        --------
        >>> Answer("Found", "6 of 6", "people's status follows.").sentence(), Answer("Useful", WAITS, "Unsolved.").sentence()
        ("Found: 6 of 6 people's status follows.", 'Useful. Unsolved.')
        """
        if self.value == WAITS:
            return f"{self.name}. {self.line}"
        goes_on = self.line[:1].islower()
        return f"{self.name}: {self.value}{' ' if goes_on else '. '}{self.line}".rstrip()


def answers_message(answers: Sequence[Answer]) -> list[Message]:
    """For the page."""
    return [answer._asdict() for answer in answers]


def guesses(loss: float, believed: float = 0.5) -> float:
    """The largest chance of a right guess between two possibilities after a release with this loss.

    ``p e^loss / (p e^loss + 1 - p)``, where p is the chance of the likelier one beforehand, at least 1/2: the release
    multiplies its odds by at most e^loss.

    Examples
    --------
    >>> guesses(0.0), round(guesses(1.0), 4), guesses(1e6)
    (0.5, 0.7311, 1.0)
    >>> guesses(0.0, 0.9), round(guesses(1.0, 0.9), 4), guesses(1.0, 1.0)
    (0.9, 0.9607, 1.0)
    """
    return believed / (believed + (1 - believed) * math.exp(-min(loss, 700.0)))


def promised(chance: float) -> tuple[str, str]:
    """The value of a promise, and its look, by the largest chance of a right guess between equally likely possibilities.

    Examples
    --------
    >>> [promised(chance) for chance in (0.7311, 0.8808, 0.93, 0.9999)]
    [('74 of 100', ''), ('89 of 100', 'amber'), ('93 of 100', 'red'), ('no promise', 'red')]
    """
    if chance >= NOTHING:
        return NO_PROMISE, "red"
    return out_of_100(chance), look_of(chance)


def if_equal(value: str) -> str:
    """The value of a promise where no line says for which possibilities it holds: "74 of 100 if equally likely".

    Examples
    --------
    >>> if_equal(promised(0.7311)[0]), if_equal(NO_PROMISE)
    ('74 of 100 if equally likely', 'no promise')
    """
    return value if value == NO_PROMISE else f"{value} if equally likely"


def up_to(chance: float, before: str = "up to ") -> Written:
    """The most right guesses out of 100 by some belief, which may be nearly all; `before` a number above that of chance.

    Examples
    --------
    >>> up_to(0.9054), up_to(0.5), up_to(0.9951), up_to(1.0)
    ('up to 91', '50', 'over 99', 'all')
    """
    if chance >= 1 - 1e-9:
        return Written("all", 100 * chance)
    if chance > NOTHING:
        return Written("over 99", 100 * chance, -1)
    return Written(f"{before if chance > 0.5 + 1e-9 else ''}{of_100(chance)}", 100 * chance, 1)


def look_of(chance: float) -> str:
    """The colour of a promise by the largest chance of a right guess: "red" above 90 of 100, "amber" above 75, else "".

    Examples
    --------
    >>> look_of(0.53), look_of(0.8), look_of(0.95)
    ('', 'amber', 'red')
    """
    return "red" if chance > 0.9 else "amber" if chance > 0.75 else ""


def of_100(chance: float) -> Written:
    """The most right guesses out of 100, rounded up.

    Examples
    --------
    >>> of_100(0.5277), of_100(0.5), of_100(0.53), of_100(0.9999)
    ('53', '50', '53', '100')
    """
    return Written(f"{math.ceil(100 * chance - 1e-7)}", 100 * chance, 1)


def out_of_100(chance: float) -> Written:
    """The same as a value that stands alone: "53 of 100"."""
    return Written(f"{of_100(chance)} of 100", 100 * chance, 1)

"""What comes first on a page: three answers as numbers, each with a line that says what it means.

Every page states what it guarantees as a number of guesses: of 100 guesses between two possibilities, 50 are right by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lmdk_widgets.page.drawing import Message

WAITS = "\N{HORIZONTAL ELLIPSIS}"
"""The value of an answer that is still being computed."""

NOTHING = 0.99
"""From this chance of a right guess on, nothing is promised: rounded up, all of 100 guesses may be right."""


class Answer(NamedTuple):
    """An answer as a number. name : a word. value : with its unit. line : what it means. look : its colour, or "". short :
    that line in a few words for a narrow page; "" for the line itself."""

    name: str
    value: str
    line: str
    look: str = ""
    short: str = ""

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


def guesses(loss: float) -> float:
    """The largest chance of a right guess between two possibilities with this loss: ``1 / (1 + e^-loss)``.

    Examples
    --------
    >>> guesses(0.0), round(guesses(1.0), 4), guesses(1e6)
    (0.5, 0.7311, 1.0)
    """
    return 1 / (1 + math.exp(-min(loss, 700.0)))


def of_100(chance: float) -> str:
    """The most right guesses out of 100, rounded up.

    Examples
    --------
    >>> of_100(0.5277), of_100(0.5), of_100(0.53), of_100(0.9999)
    ('53', '50', '53', '100')
    """
    return f"{math.ceil(100 * chance - 1e-7)}"

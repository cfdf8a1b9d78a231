"""What every question has: a name, a text, what a browser is told of it, and a verdict on what was given.

    asked() --> a browser draws it --> given --> judge(given) --> Verdict

Nothing in `asked` tells the right answer, which is computed when a given answer is judged.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from lmdk_widgets.checks import kind_of, refused
from lmdk_widgets.page.amounts import percent

Said = str | Callable[[], str]
"""A sentence, or what makes it when it is needed: a sentence with a computed number."""

ANSWER = "your answer"
"""How messages call what was given."""

CLOSE = 4.0
"""Up to so many times the tolerance an answer is close."""

_NAME = re.compile(r"[a-z]+/[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Verdict:
    """What is said of a given answer.

    Attributes
    ----------
    right : whether it counts as right.
    closeness : from 0 to 1: 1 where exact, 1/2 where it is just right, less beyond; None where nothing is near another.
    words : why, in sentences; the first word says how it went ("Right", "Close", "Not yet", "No").
    answer : the right answer in the form in which answers are given, made of numbers and lists.
    solution : the right answer and why, in sentences, where a student may try once more before it is told; otherwise "".
    """

    right: bool
    closeness: float | None
    words: str
    answer: Any
    solution: str = ""

    @property
    def in_full(self) -> str:
        """All that is to be said where there is no second try."""
        return sentences(self.words, self.solution)

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON knows it."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Ask(ABC):
    """A question.

    Attributes
    ----------
    name : "lesson/short-name", one of its kind: saved answers are found by it.
    text : the question, in plain words.
    """

    kind: ClassVar[str]

    name: str
    text: Said

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise refused("the name of a question", 'like "lesson/short-name"', self.name)

    def asked(self) -> dict[str, Any]:
        """What a browser needs to ask it, as JSON knows it; `stamp` changes when the question does."""
        told = {"kind": self.kind, "text": said(self.text), **self._told()}
        stamp = hashlib.sha256(json.dumps(told, sort_keys=True, allow_nan=False).encode()).hexdigest()
        return {"name": self.name, **told, "stamp": stamp[:12]}

    @abstractmethod
    def judge(self, given: Any) -> Verdict:
        """What is to be said of an answer, in the form in which a browser gives it.

        Raises
        ------
        InputError : nothing that this question can be answered with.
        """

    @abstractmethod
    def right_answer(self) -> Any:
        """An answer that is right, in the form in which a browser gives it."""

    @abstractmethod
    def _told(self) -> dict[str, Any]:
        """What `asked` says beside the text."""


def said(text: Said) -> str:
    """A sentence, made now where it has to be."""
    return text if isinstance(text, str) else text()


def sentences(*texts: Said) -> str:
    """Sentences behind each other, without the empty ones."""
    return " ".join(filter(None, map(said, texts)))


def shuffled(name: str, texts: Sequence[str]) -> list[int]:
    """An order of texts that says nothing about them, the same for everybody and every time.

    Examples
    --------
    >>> shuffled("lesson/question", ["a", "b", "c"]) == shuffled("lesson/question", ["a", "b", "c"])
    True
    """
    return sorted(range(len(texts)), key=lambda k: hashlib.sha256(f"{name}\n{texts[k]}".encode()).digest())


def nearness(distance: float, tolerance: float) -> float:
    """How near, from 1 at no distance over 1/2 at the tolerance towards 0.

    Examples
    --------
    >>> nearness(0, 100), nearness(100, 100), nearness(200, 100), nearness(math.inf, 100)
    (1.0, 0.5, 0.25, 0.0)
    """
    return 0.5 ** (distance / tolerance)


def entries(given: Any, count: int, what: str) -> list[Any]:
    """The entries of an answer that is a list of this length.

    Raises
    ------
    InputError : another length, or no list.
    """
    if not isinstance(given, list | tuple) or len(given) != count:
        got = f"a list of {len(given):,}" if isinstance(given, list | tuple) else kind_of(given)
        raise refused(ANSWER, f"a list of {count} {what}", got)
    return list(given)


def off_by(factor: float) -> str:
    """How far a positive number is from the right one, by their ratio.

    Examples
    --------
    >>> off_by(0.88), off_by(1.12), off_by(3.0), off_by(0.2), off_by(0.0)
    ('12 % too low', '12 % too high', 'too high by a factor of 3', 'too low by a factor of 5', 'infinitely too low')
    """
    way = "low" if factor < 1 else "high"
    if not 0 < factor < math.inf:
        return f"infinitely too {way}"
    if 0.5 < factor < 2:
        return f"{percent(abs(factor - 1))} too {way}"
    return f"too {way} by a factor of {max(factor, 1 / factor):.3g}"

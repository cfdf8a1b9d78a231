"""What every question has: a name, a text, what a browser is told about it, and a verdict on the answer given.

    asked() --> a browser draws it --> given --> judge(given) --> Verdict

Nothing in `asked` reveals the right answer, which is computed when an answer is judged.
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
from lmdk_widgets.page.sentences import Written, sentence

Said = str | Callable[[], str]
"""A sentence, or a function that makes it when needed, such as a sentence with a computed number."""

ANSWER = "your answer"
"""What messages call the answer given."""

CLOSE = 4.0
"""An answer within this many tolerances is close."""

_NAME = re.compile(r"[a-z]+/[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Verdict:
    """What a student is told about an answer.

    Attributes
    ----------
    right : whether it counts as right.
    closeness : from 0 to 1: 1 if exact, 1/2 if only just right, less beyond that; None if answers have no distance.
    words : why, in sentences; the first word says how it went ("Right", "Close", "Not yet", "No").
    answer : the right answer, in the same form as answers are given: numbers and lists.
    solution : the right answer and why, in sentences, if a student may try again before seeing it; otherwise "".
    """

    right: bool
    closeness: float | None
    words: str
    answer: Any
    solution: str = ""

    @property
    def in_full(self) -> str:
        """All the words, where there is no second try."""
        return sentences(self.words, self.solution)

    def to_dict(self) -> dict[str, Any]:
        """The verdict in the types of JSON."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Ask(ABC):
    """A question.

    Attributes
    ----------
    name : "lesson/short-name"; unique, because it identifies saved answers.
    text : the question, in plain words.
    """

    kind: ClassVar[str]

    name: str
    text: Said

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise refused("the name of a question", 'like "lesson/short-name"', self.name)

    def asked(self) -> dict[str, Any]:
        """What a browser needs to ask it, in the types of JSON; `stamp` changes when the question does."""
        told = {"kind": self.kind, "text": said(self.text), **self._told()}
        stamp = hashlib.sha256(json.dumps(told, sort_keys=True, allow_nan=False).encode()).hexdigest()
        return {"name": self.name, **told, "stamp": stamp[:12]}

    @abstractmethod
    def judge(self, given: Any) -> Verdict:
        """The verdict on an answer, in the form in which a browser sends it.

        Raises
        ------
        InputError : not an answer to this kind of question.
        """

    @abstractmethod
    def right_answer(self) -> Any:
        """A right answer, in the form in which a browser sends it."""

    @abstractmethod
    def _told(self) -> dict[str, Any]:
        """What `asked` contains besides the text."""


def said(text: Said) -> str:
    """The sentence; a function is called to make it."""
    return text if isinstance(text, str) else text()


def sentences(*texts: Said) -> str:
    """The sentences joined by spaces, without empty ones."""
    return " ".join(filter(None, map(said, texts)))


def shuffled(name: str, texts: Sequence[str]) -> list[int]:
    """An order of the texts that reveals nothing about them and is always the same, for everyone.

    Examples
    --------
    >>> shuffled("lesson/question", ["a", "b", "c"]) == shuffled("lesson/question", ["a", "b", "c"])
    True
    """
    return sorted(range(len(texts)), key=lambda k: hashlib.sha256(f"{name}\n{texts[k]}".encode()).digest())


def nearness(distance: float, tolerance: float) -> float:
    """How near: 1 at no distance, 1/2 at the tolerance, and towards 0 beyond it.

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
    InputError : not a list, or not of this length.
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
        return sentence("{difference} too {way}", difference=percent(abs(factor - 1)), way=way)
    apart = max(factor, 1 / factor)
    return sentence("too {way} by a factor of {factor}", way=way, factor=Written(f"{apart:.3g}", apart))

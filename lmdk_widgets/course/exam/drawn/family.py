"""A number question of a lesson, asked with other data: what may be drawn for it, and the question that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from lmdk_widgets.course.ask import Number
from lmdk_widgets.course.ask.number import plainly
from lmdk_widgets.page.sentences import Sentence, Written, join, sentence

Grid = Sequence[Any] | Callable[[Random], Any]
"""What may be drawn: one of some values, or what a function draws."""

Posed = Mapping[str, Any]
"""A question without its name: what `Number` takes."""

CLOSE = 0.02
"""An answer within this share of the right one is right: three digits are enough."""
MOST = 1e9


@dataclass(frozen=True)
class Family:
    """A number question of a lesson with data that are drawn.

    Attributes
    ----------
    name : of the lesson's question, "lesson/short-name".
    pose : makes the question from its data.
    grids : for each of the data, what may be drawn.
    lesson : the data of the lesson, with which `pose` asks what the lesson asks and which are not drawn; None if the lesson
        computes from data that do not fit on paper, so that the question here has data of another kind.
    """

    name: str
    pose: Callable[..., Posed]
    grids: Mapping[str, Grid]
    lesson: Mapping[str, Any] | None

    def drawn(self, draw: Random) -> dict[str, Any]:
        """Data that are not the lesson's."""
        while True:
            data = {name: grid(draw) if callable(grid) else draw.choice(grid) for name, grid in self.grids.items()}
            if data != self.lesson:
                return data

    def question(self, **data: Any) -> Number:
        """The question with these data."""
        return Number(name=self.name, **{"high": MOST, "tolerance": CLOSE, **self.pose(**data)})


def family(
    name: str, lesson: Mapping[str, Any] | None = None, /, **grids: Grid
) -> Callable[[Callable[..., Posed]], Family]:
    """Makes a family of the function that poses its question."""

    def made(pose: Callable[..., Posed]) -> Family:
        return Family(name, pose, grids, lesson)

    return made


def chance(**posed: Any) -> Posed:
    """A question for a probability; an answer within 0.01 is right."""
    return {"high": 1.0, "scale": "difference", "tolerance": 0.01, **posed}


def how_many(**posed: Any) -> Posed:
    """A question for a number of things, which is whole."""
    return {"scale": "difference", "tolerance": 0.5, **posed}


def tenths(first: int, last: int) -> tuple[float, ...]:
    """The tenths from first/10 to last/10."""
    return tuple(k / 10 for k in range(first, last + 1))


def twentieths(first: int, last: int) -> tuple[float, ...]:
    """The twentieths from first/20 to last/20."""
    return tuple(5 * k / 100 for k in range(first, last + 1))


def given(value: float) -> Written:
    """A number of the data, as it is: data have few digits."""
    return Written(plainly(value), value)


def shown(value: float) -> Written:
    """A computed number that is given in a text, to four decimals."""
    return given(round(value, 4))


def in_a_row(values: Iterable[float]) -> Sentence:
    """Several numbers of the data: "0.1, 0.2, 0.5"."""
    return join(given(value) for value in values)


def timestamps(indices: Iterable[int]) -> Sentence:
    """Timestamps as a text names them: "p1, p3, p5"."""
    return join(sentence("p{number}", number=given(index + 1)) for index in indices)

"""A question answered by drawing a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import number
from lmdk_widgets.course.ask.verdict import ANSWER, Ask, Said, Verdict, entries, nearness, off_by, sentences
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, percent
from lmdk_widgets.page.sentences import Written, sentence

FLAT = 0.05
"""A curve that moves by less than this share of the axis is flat."""

SLIP = 0.2
"""A reversal shorter than this share of the whole range is a slip of the hand."""

_NAMES = {(): "flat", (1,): "rises", (-1,): "falls", (1, -1): "peak", (-1, 1): "valley"}

ONE_WAY = 0.9
"""If the mean deviation is at least this share of the mean distance, the curve as a whole is too low or too high."""

NEARLY = 0.01
"""Below this mean distance, the verdict does not say where a curve is too low or too high."""

IN_STEP = 0.5
"""Two curves with a correlation above this go up and down together."""

OTHER_SHAPE = 1 / 16
"""A curve with the wrong shape keeps this share of its closeness."""


@dataclass(frozen=True, kw_only=True)
class Curve(Ask):
    """A curve, drawn over given places on the x axis. The answer is a height for each of them.

    Attributes
    ----------
    x : the places, increasing.
    right : computes the right heights, one for each place, within `low` and `high`.
    low, high : the ends of the y axis; `low` is 0 if left out, which a logarithmic axis does not allow.
    x_title, y_title : of the axes, with their units.
    labels : returns a name for each place ("13:10"); if left out, places are numbered.
    log : whether the y axis is logarithmic. Distances are then ratios, as for errors against epsilon; otherwise they are
        shares of the right curve's mean height.
    log_x : whether the x axis is logarithmic.
    tolerance : the largest mean distance at which a curve of the right shape is right.
    written : formats heights in sentences.
    why : said with every verdict.

    Examples
    --------
    >>> question = Curve(
    ...     name="example/user-level",
    ...     text="One budget of 1 for n counts: draw the mean error of each.",
    ...     x=(1, 2, 3, 4),
    ...     right=lambda: [1, 2, 3, 4],
    ...     high=5.0,
    ...     x_title="counts",
    ...     y_title="mean error",
    ... )
    >>> question.judge([1, 1.8, 2.7, 3]).words
    'Right: it rises. Your curve is on average 15 % too low, and furthest off at 4: 3 instead of 4.'
    """

    kind: ClassVar[str] = "curve"

    x: tuple[float, ...]
    right: Callable[[], ArrayLike]
    high: float
    x_title: str
    y_title: str
    low: float = 0.0
    labels: Callable[[], Sequence[str]] | None = None
    log: bool = False
    log_x: bool = False
    tolerance: float = 0.25
    written: Callable[[float], str] = amount
    why: Said = ""

    def _labels(self) -> list[str]:
        return [f"{x:g}" for x in self.x] if self.labels is None else [str(label) for label in self.labels()]

    def _told(self) -> dict[str, Any]:
        return {
            "x": [float(x) for x in self.x],
            "labels": self._labels(),
            "x_title": self.x_title,
            "y_title": self.y_title,
            "low": float(self.low),
            "high": float(self.high),
            "log": self.log,
            "log_x": self.log_x,
        }

    def right_answer(self) -> list[float]:
        return np.asarray(self.right(), dtype=float).tolist()

    def judge(self, given: Any) -> Verdict:
        """The verdict: whether the shape is right, how far off the curve is on average, and where it is furthest off."""
        labels = self._labels()
        drawn = np.array(
            [
                number(height, f"{ANSWER} at {label}", self.low, self.high)
                for label, height in zip(labels, entries(given, len(labels), "heights"), strict=True)
            ]
        )
        right = np.array(self.right_answer())
        apart = self._apart(drawn, right)
        distance, most = float(np.abs(apart).mean()), math.log1p(self.tolerance) if self.log else self.tolerance
        shape, meant = shape_of(self._share(drawn)), shape_of(self._share(right))
        alike = shape.like(meant, len(right)) and (meant.name != "waves" or _in_step(drawn, right))
        good = alike and distance <= most
        head = f"Right: it {meant.said(labels)}." if good else f"The shape is right: it {meant.said(labels)}."
        if not alike:
            elsewhere = " elsewhere" if shape.name == meant.name else ""
            mine = f"your curve {shape.said(labels)}{elsewhere}"
            head = f"Not the right shape: {mine}; the computed one {meant.said(labels)}."
        words = sentences(head, self._far(apart, drawn, right, labels), self.why)
        return Verdict(good, nearness(distance, most) * (1.0 if alike else OTHER_SHAPE), words, right.tolist())

    def _share(self, heights: Floats) -> Floats:
        """Heights as shares of the axis."""
        if self.log:
            return np.log(heights / self.low) / math.log(self.high / self.low)
        return (heights - self.low) / (self.high - self.low)

    def _apart(self, drawn: Floats, right: Floats) -> Floats:
        """How far too high each place is drawn: the logarithm of a ratio, or a share of the mean height."""
        if self.log:
            return np.log(drawn / right)
        scale = float(np.abs(right).mean())
        return (drawn - right) / (scale if scale > 0 else self.high - self.low)

    def _far(self, apart: Floats, drawn: Floats, right: Floats, labels: list[str]) -> str:
        mean, size = float(apart.mean()), float(np.abs(apart).mean())
        if size < 1e-9:
            return "Your curve is exactly the computed one."
        if size < NEARLY:
            return sentence(
                "Your curve differs from the computed one by {mean_difference} on average.",
                mean_difference=percent(size),
            )
        if abs(mean) < ONE_WAY * size:
            factor = math.exp(size) if self.log else 1 + size
            by = (
                sentence("off by a factor of {factor}", factor=Written(f"{factor:.2g}", factor))
                if self.log and factor >= 2
                else sentence("{difference} off", difference=percent(factor - 1))
            )
            far = f"{by}, too low at some places and too high at others"
        else:
            far = (
                off_by(math.exp(mean))
                if self.log
                else sentence(
                    "{difference} too {low_or_high}",
                    difference=percent(abs(mean)),
                    low_or_high="low" if mean < 0 else "high",
                )
            )
        worst = int(np.abs(apart).argmax())
        drawn_value, right_value = (self.written(values[worst]) for values in (drawn, right))
        values = sentence(": {drawn_value} instead of {right_value}", drawn_value=drawn_value, right_value=right_value)
        shown = "" if drawn_value == right_value else values  # their difference needs more digits
        return f"Your curve is on average {far}, and furthest off at {labels[worst]}{shown}."


def _in_step(a: Floats, b: Floats) -> bool:
    """Whether two curves that go up and down do so at the same places."""
    return float(np.corrcoef(a, b)[0, 1]) > IN_STEP


@dataclass(frozen=True)
class Shape:
    """A shape.

    Attributes
    ----------
    name : "flat", "rises", "falls", "peak", "valley" or "waves".
    turn : index of the highest or lowest point of a peak or a valley; otherwise -1.
    """

    name: str
    turn: int = -1

    def like(self, other: Shape, n: int) -> bool:
        """Whether two curves of n points look alike: their peaks may be up to an eighth of the curve apart."""
        return self.name == other.name and abs(self.turn - other.turn) <= max(1, n // 8)

    def said(self, labels: Sequence[str]) -> str:
        """What the curve does: "rises to a peak at 13:10 and falls"."""
        at = labels[self.turn]
        return {
            "flat": "is flat",
            "rises": "rises",
            "falls": "falls",
            "peak": f"rises to a peak at {at} and falls",
            "valley": f"falls to its lowest at {at} and rises",
            "waves": "goes up and down",
        }[self.name]


def shape_of(heights: ArrayLike) -> Shape:
    """The shape of a curve.

    Parameters
    ----------
    heights : (n,) heights as shares of the axis.

    Examples
    --------
    >>> shape_of([0.1, 0.18, 0.16, 0.5]), shape_of([0.5, 0.52, 0.5]), shape_of([0.1, 0.4, 0.6, 0.3])
    (Shape(name='rises', turn=-1), Shape(name='flat', turn=-1), Shape(name='peak', turn=2))
    """
    y = np.asarray(heights, dtype=float)
    legs, turns = _zigzag(y, max(FLAT, SLIP * float(np.ptp(y))))
    name = _NAMES.get(tuple(legs), "waves")
    return Shape(name, turns[0]) if name in ("peak", "valley") else Shape(name)


def _zigzag(y: np.ndarray, least: float) -> tuple[list[int], list[int]]:
    """The directions of the legs that are at least this long, and the indices at which one leg follows another."""
    legs: list[int] = []
    turns: list[int] = []
    low = high = way = 0
    for k in range(len(y)):
        high = k if way >= 0 and y[k] > y[high] else high
        low = k if way <= 0 and y[k] < y[low] else low
        down = way >= 0 and y[high] - y[k] >= least
        up = way <= 0 and y[k] - y[low] >= least
        if not (down or up):
            continue
        if legs:
            turns.append(high if down else low)
        way = -1 if down else 1
        legs.append(way)
        low = high = k
    return legs, turns

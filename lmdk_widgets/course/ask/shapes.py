"""The shape of a curve as one sees it: flat, rising, falling, with a peak or a valley, or up and down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

FLAT = 0.05
"""What moves by less than this share of the axis is flat."""

SLIP = 0.2
"""A way back that is shorter than this share of the whole range is a slip of the hand."""

_NAMES = {(): "flat", (1,): "rises", (-1,): "falls", (1, -1): "peak", (-1, 1): "valley"}


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
        """Whether two curves of n points look alike: a peak may be beside the other by an eighth of the curve."""
        return self.name == other.name and abs(self.turn - other.turn) <= max(1, n // 8)

    def said(self, labels: Sequence[str]) -> str:
        """The shape behind "it": "rises to a peak at 13:10 and falls"."""
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
    """The directions of the legs that are at least so long, and the indices at which one leg follows another."""
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

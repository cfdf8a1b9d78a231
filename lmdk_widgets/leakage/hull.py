"""The upper-left convex hull of points (d, g), found so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Indices = NDArray[np.intp]

ROUNDING = 16 * np.finfo(float).eps
"""A relative excess below this is a tie: sums of the same numbers in another order."""


@dataclass
class Hull:
    """An upper-left hull by increasing d; for each vertex the pair (a number) and the ratio D/Q its prefix ends at."""

    d: Floats
    g: Floats
    pair: Indices
    ratio: Floats

    @classmethod
    def empty(cls) -> Hull:
        """Only the origin: the empty subset."""
        return cls(np.zeros(1), np.zeros(1), np.full(1, -1), np.zeros(1))

    def add(self, d: Floats, g: Floats, pair: Indices, ratio: Floats) -> None:
        """Take the points in that lie above it."""
        above = g > np.interp(d, self.d, self.g) * (1 + ROUNDING)
        if not above.any():
            return
        d, g = np.concatenate((self.d, d[above])), np.concatenate((self.g, g[above]))
        pair, ratio = np.concatenate((self.pair, pair[above])), np.concatenate((self.ratio, ratio[above]))
        keep = chain(d, g)
        self.d, self.g, self.pair, self.ratio = d[keep], g[keep], pair[keep], ratio[keep]


def chain(d: Floats, g: Floats) -> Indices:
    """Which points are the upper-left hull, by increasing d (Andrew's monotone chain on the rising part)."""
    order = np.lexsort((-g, d))
    rising = g[order]
    order = order[np.concatenate(([True], rising[1:] > np.maximum.accumulate(rising)[:-1]))]
    xs, ys = d[order].tolist(), g[order].tolist()
    kept: list[int] = []
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (ys[b] - ys[a]) / (xs[b] - xs[a]) > (y - ys[a]) / (x - xs[a]) * (1 + ROUNDING):
                break
            kept.pop()
        kept.append(i)
    return order[kept]

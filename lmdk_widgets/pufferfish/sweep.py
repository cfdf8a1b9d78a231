"""The best quilt of every node of a series, in one pass over the distances to the past.

Node i of T timestamps may use a two-sided quilt (a, b) with a <= i and b <= T - 1 - i, one side alone, or none. While a
grows, the best rate 1 / score = (epsilon - e(a, b)) / (a + b - 1) of all distances so far is kept for every bound on b;
node i reads it when a reaches i. That needs one row of influences at a time instead of all of them at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats


class Swept(NamedTuple):
    """1 / score of every node, (T,), and its quilt by distance, (T, 2); a side without one reaches past the end."""

    rate: Floats
    sides: NDArray[np.int64]


def sweep(past: Floats, future: Floats, length: int, epsilon: float) -> Swept:
    """max over the quilts of each node of (epsilon - e) / card(nearby), exact.

    Parameters
    ----------
    past, future : (length - 1, pairs) influence by distance, from 1; e(a, b) = max over pairs of past[a] + future[b].
    length : T, 1 or more.
    epsilon : above 0.

    Notes
    -----
    O(T^2 pairs) at worst. e(a, b) is at least the larger of its two sides, and a row is computed only where that bound
    could beat what is known: of slow chains that leaves a few percent.
    """
    nodes = np.arange(length)
    sides = np.stack((nodes + 1, length - nodes), axis=1)  # no quilt at all
    found = Swept(np.full(length, epsilon / length), sides)
    if length == 1:
        return found
    past_only, future_only = (np.maximum(side.max(axis=1), 0.0) for side in (past, future))
    _one_sided(past_only, epsilon, found, 0)
    _one_sided(future_only, epsilon, found, 1)
    _two_sided(past, future, past_only, future_only, epsilon, found)
    return found


def _one_sided(influence: Floats, epsilon: float, found: Swept, side: int) -> None:
    """Quilts to the past only (side 0): the nearby set of {i - a} is T - i + a - 1; to the future (1) the mirror."""
    n = len(influence)
    rate, sides = found.rate, found.sides
    if side:  # seen from the end of the series
        rate, sides = rate[::-1], sides[::-1]
    for a in np.flatnonzero(influence < epsilon) + 1:
        here = slice(a, n + 1)  # nodes with a timestamps before them
        one = (epsilon - influence[a - 1]) / np.arange(n, a - 1, -1)
        better = one > rate[here]
        if better.any():
            rate[here][better] = one[better]
            sides[here, side][better] = a
            sides[here, 1 - side][better] = np.arange(n + 1 - a, 0, -1)[better]


def _two_sided(
    past: Floats, future: Floats, past_only: Floats, future_only: Floats, epsilon: float, found: Swept
) -> None:
    n = len(past)
    best = np.full(n, epsilon / (n + 1))  # by the largest b that is allowed, from 1
    a_of, b_of = np.zeros(n, np.int64), np.zeros(n, np.int64)
    distance = np.arange(1, n + 1)
    for a in range(1, n):
        if past_only[a - 1] < epsilon:
            allowed = n - a
            bound = (epsilon - np.maximum(past_only[a - 1], future_only[:allowed])) / distance[a - 1 : n - 1]
            open_ = np.flatnonzero(bound > best[:allowed])
            if len(open_):
                e = np.maximum((past[a - 1] + future[open_]).max(axis=1), 0.0)
                rate = (epsilon - e) / (open_ + a)
                better = rate > best[open_]
                if better.any():
                    at = open_[better]
                    best[at], a_of[at], b_of[at] = rate[better], a, at + 1
                    _carry(best, a_of, b_of)
        i = n - a - 1
        if best[i] > found.rate[a]:
            found.rate[a], found.sides[a] = best[i], (a_of[i], b_of[i])


def _carry(best: Floats, a_of: NDArray[np.int64], b_of: NDArray[np.int64]) -> None:
    """A quilt that is allowed for one b is allowed for every larger one."""
    running = np.maximum.accumulate(best)
    source = np.maximum.accumulate(np.where(best >= running, np.arange(len(best)), 0))
    best[:], a_of[:], b_of[:] = running, a_of[source], b_of[source]

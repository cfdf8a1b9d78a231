"""The earth mover's distance from each class to the whole table, for three distances between sensitive values.

Each function takes a tally whose codes are places of a domain, and gives one distance a class, (K,). All take time
proportional to the pairs of a class and a value that occur together, not to classes times values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.tally import Tally
from lmdk_widgets.geo import Floats


def equal_distance(tally: Tally) -> Floats:
    """All values equally far apart: ``sum_v |p_v - q_v| / 2``, which is the sum of the gains ``max(p_v - q_v, 0)``."""
    return tally.sums(np.maximum(tally.share - tally.overall[tally.value], 0))


def ordered_distance(tally: Tally) -> Floats:
    """Neighbours ``1 / (m - 1)`` apart: ``sum_i |sum_{j <= i} (p_j - q_j)| / (m - 1)``, places in the domain's order.

    The sum over j <= i of p_j is a step that changes only at the values of the class. Between two of them it is some c,
    while Q_i, the sum for the table, grows: the terms are c - Q_i up to the place where Q passes c, and Q_i - c after it,
    so that prefix sums of Q give each stretch at once.
    """
    m = len(tally.total)
    if m == 1:
        return np.zeros(len(tally.size))
    rows = int(tally.total.sum())
    below = np.cumsum(tally.total) / rows
    prefix = np.concatenate([[0.0], np.cumsum(below)])
    reached = np.cumsum(tally.times)
    before_class = np.concatenate([[0], reached[tally.start[1:] - 1]])
    level = (reached - before_class[tally.group]) / tally.size[tally.group]
    end = np.empty(len(level), np.int64)
    end[:-1] = tally.value[1:]
    end[np.append(tally.start[1:] - 1, len(end) - 1)] = m
    cross = np.clip(np.searchsorted(below, level), tally.value, end)
    above = level * (cross - tally.value) - (prefix[cross] - prefix[tally.value])
    under = (prefix[end] - prefix[cross]) - level * (end - cross)
    first = prefix[tally.value[tally.start]]  # up to the first value of the class its own sum is 0
    return np.maximum(first + tally.sums(above + under), 0) / (m - 1)


def hierarchical_distance(tally: Tally, levels: list[NDArray[np.int64]]) -> Floats:
    """Height of the lowest common ancestor over the tree's height H: the mean of the equal distances at heights below H.

    `levels[h]` (m,) is the number of the most general category above each value whose height is at most h, h below H.
    Two values at a common height a differ at the heights 0 .. a - 1, so a/H is the mean over the heights of "they differ";
    a tree's best plan moves what can stay below a node before anything leaves it, which is best at all heights at once.
    """
    if not levels:
        return np.zeros(len(tally.size))
    return np.mean([equal_distance(tally.by(level, int(level.max()) + 1)) for level in levels], axis=0)

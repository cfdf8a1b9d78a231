"""How often each sensitive value occurs in each class: the basis of all measures of diversity and closeness.

Only pairs of a class and a value that occur together are stored, so a million rows with thousands of classes and
thousands of values take no more memory than the rows.

The module also computes the earth mover's distance from each class to the whole table, for three distances between
sensitive values. Each function takes a tally whose codes are positions in a domain, and returns one distance per class,
(K,), in time proportional to the number of pairs, not to classes times values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import Codes, Column, Groups, coded, few, grouped
from lmdk_widgets.geo import Floats

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Tally:
    """Pairs of a class and a value, sorted by class and then by value.

    Attributes
    ----------
    group, value, times : (P,) a class, a code of the sensitive column, and how many rows have both; times > 0.
    start : (K,) the first pair of each class.
    size : (K,) the number of rows in each class.
    total : (m,) the number of rows with each value in the whole table; may be 0.
    """

    group: Codes
    value: Codes
    times: Codes
    start: NDArray[np.intp]
    size: Codes
    total: Codes

    def sums(self, of_pair: NDArray[Any]) -> NDArray[Any]:
        """Sums over each class's pairs, (K,)."""
        return np.add.reduceat(of_pair, self.start)

    @property
    def share(self) -> Floats:
        """The share of the value in its class, (P,)."""
        return self.times / self.size[self.group]

    @property
    def overall(self) -> Floats:
        """The share of each value in the whole table, (m,)."""
        return self.total / self.total.sum()

    def by(self, place: Codes, count: int) -> Tally:
        """The same tally with value v recoded as `place[v]`, one of `count`: an order, or coarser values."""
        key = self.group * count + place[self.value]
        order = np.argsort(key, kind="stable")
        total = np.zeros(count, np.int64)
        np.add.at(total, place, self.total)
        return _tally(key[order], self.times[order], count, self.size, total)


def tallied(table: pd.DataFrame, quasi_identifiers: list[Any], sensitive: Any) -> tuple[Tally, Column]:
    """The tally of a table, and its sensitive column as codes."""
    groups, column = grouped(table, quasi_identifiers), coded(table, sensitive)
    return tally(groups, column), column


def tally(groups: Groups, column: Column) -> Tally:
    """The tally of classes and a column."""
    joint, size = groups.of_row * column.count + column.code, len(groups.size) * column.count
    if size <= few(len(joint)):
        counts = np.bincount(joint, minlength=size)
        key = np.flatnonzero(counts)
        times = counts[key]
    else:
        key, times = np.unique(joint, return_counts=True)
    total = np.bincount(column.code, minlength=column.count)
    return _tally(key, times, column.count, groups.size, total)


def _tally(key: Codes, times: Codes, count: int, size: Codes, total: Codes) -> Tally:
    """The tally of sorted keys `group * count + value`; equal keys are merged."""
    first = np.flatnonzero(np.diff(key, prepend=-1))
    if len(first) < len(key):
        key, times = key[first], np.add.reduceat(times, first)
    group, value = np.divmod(key, count)
    start = np.flatnonzero(np.diff(group, prepend=-1))
    return Tally(group, value, times, start, size, total)


def equal_distance(tally: Tally) -> Floats:
    """All values equally far apart: ``sum_v |p_v - q_v| / 2``, which is the sum of the gains ``max(p_v - q_v, 0)``."""
    return tally.sums(np.maximum(tally.share - tally.overall[tally.value], 0))


def ordered_distance(tally: Tally) -> Floats:
    """Adjacent values ``1 / (m - 1)`` apart: ``sum_i |sum_{j <= i} (p_j - q_j)| / (m - 1)``, in the domain's order.

    The sum of p_j over j <= i is a step function that changes only at the values of the class. Between two of these it
    is a constant c, while Q_i, the sum for the table, grows: the terms are c - Q_i until Q passes c, and Q_i - c
    afterwards, so prefix sums of Q give the total over each interval directly.
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
    first = prefix[tally.value[tally.start]]  # before the first value of the class, its own sum is 0
    return np.maximum(first + tally.sums(above + under), 0) / (m - 1)


def hierarchical_distance(tally: Tally, levels: list[NDArray[np.int64]]) -> Floats:
    """Height of the lowest common ancestor over the tree's height H: the mean of the equal distances at heights below
    H.

    `levels[h]` (m,), for h below H, is the number of the most general category above each value whose height is at most
    h. Two values whose lowest common ancestor has height a differ at the heights 0 to a - 1, so a/H is the share of the
    heights at which they differ. The best transport plan on a tree moves everything it can within a node before
    anything leaves it, so it is best at all heights.
    """
    if not levels:
        return np.zeros(len(tally.size))
    return np.mean([equal_distance(tally.by(level, int(level.max()) + 1)) for level in levels], axis=0)

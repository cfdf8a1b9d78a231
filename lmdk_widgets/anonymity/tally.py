"""How often each sensitive value occurs in each class: what every measure of diversity and closeness is made of.

Only pairs of a class and a value that occur together are held, so that a million rows with thousands of classes and
thousands of values take no more room than the rows.
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
    group, value, times : (P,) a class, a value of the sensitive column as a code, how many rows have both; times > 0.
    start : (K,) the first pair of each class.
    size : (K,) rows of each class.
    total : (m,) rows with each value in the whole table; may be 0.
    """

    group: Codes
    value: Codes
    times: Codes
    start: NDArray[np.intp]
    size: Codes
    total: Codes

    def sums(self, of_pair: NDArray[Any]) -> NDArray[Any]:
        """Sums over the pairs of each class, (K,)."""
        return np.add.reduceat(of_pair, self.start)

    @property
    def share(self) -> Floats:
        """Share of the value in its class, (P,)."""
        return self.times / self.size[self.group]

    @property
    def overall(self) -> Floats:
        """Share of each value in the whole table, (m,)."""
        return self.total / self.total.sum()

    def by(self, place: Codes, count: int) -> Tally:
        """The same with value v counted as `place[v]`, of `count` places: an order, or coarser values."""
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
    """Of sorted keys `group * count + value`; equal ones are put together."""
    first = np.flatnonzero(np.diff(key, prepend=-1))
    if len(first) < len(key):
        key, times = key[first], np.add.reduceat(times, first)
    group, value = np.divmod(key, count)
    start = np.flatnonzero(np.diff(group, prepend=-1))
    return Tally(group, value, times, start, size, total)

"""How coarse the columns of a table are published by default, and how much of their detail is left.

The detail that a published value keeps of a column is one minus the share of the column's other values that it may also
stand for: 1 if it is exact, 0 if everybody is alike or the person is left out (the loss metric of Iyengar, KDD 2002, over
the values that occur). The levels of the columns are those that keep the most of it, on average over people and columns,
when every class below k is left out: full-domain generalisation with suppression, as in Samarati, TKDE 2001. None of this
looks at the sensitive column.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pages.table.levels import coarser, titles
from lmdk_widgets.pages.table.table import Table

Levels = tuple[int, ...]

MOST_WORK = 4_000_000
"""All combinations of levels are tried if their number times that of different people is at most this."""
MOST_COLUMNS = 12
"""The most columns that are coarsened automatically."""
TIE = 1e-12
"""Shares of detail that differ by less are equal up to rounding."""


@dataclass(frozen=True, eq=False)
class _Tried:
    """Some levels of the columns, with the sizes of their classes in order; for the sizes from each on, their people and
    the sum of the detail that they keep."""

    levels: Levels
    sizes: NDArray[np.int64]
    people: Floats
    detail: Floats

    def kept(self, least: int) -> tuple[float, float]:
        """The detail and the people of all classes that are large enough."""
        at = np.searchsorted(self.sizes, least)
        return float(self.detail[at]), float(self.people[at])


@dataclass(frozen=True, eq=False)
class Search:
    """The levels that were tried for a table. every: whether these are all there are."""

    tried: tuple[_Tried, ...]
    every: bool


def levels_for(table: Table, quasi: Levels, least: int) -> Levels:
    """The levels of the columns up to the last one of `quasi` that keep the most detail.

    Among equals, those that keep the most people, and among these the first, column by column.

    Raises
    ------
    InputError : more than `MOST_COLUMNS` columns and a least class above 1.

    Examples
    --------
    >>> from lmdk_widgets.pages.table.table import example
    >>> [levels_for(example("t1"), (0, 1), least) for least in (1, 2, 3)]
    [(0, 0), (4, 1), (4, 2)]
    """
    found = (0,) * len(quasi)
    if least > 1:
        best, most = -1.0, 0.0
        for one in search(table, quasi).tried:
            detail, people = one.kept(least)
            more = detail - best > TIE * len(table)
            if more or (best - detail <= TIE * len(table) and people > most):
                found, best, most = one.levels, detail, people
    place = dict(zip(quasi, found, strict=True))
    return tuple(place.get(column, 0) for column in range(max(quasi) + 1))


@cached("visitor", entries=8)
def search(table: Table, quasi: Levels) -> Search:
    """Every combination of levels, or those reached by repeatedly coarsening the column with the most values."""
    if len(quasi) > MOST_COLUMNS:
        what = f"At most {MOST_COLUMNS} columns can be coarsened automatically"
        raise InputError(what, value=f"{len(quasi)}", remedy="Choose how coarse each of them is, or take some out")
    rows, people = _different(table, quasi)
    tops = [len(titles(table, column)) for column in quasi]
    every = prod(tops) * len(rows) <= MOST_WORK
    ways = product(*map(range, tops)) if every else _steps(table, quasi, tops)
    return Search(tuple(_try(table, quasi, levels, rows, people) for levels in ways), every)


def _different(table: Table, quasi: Levels) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One row of each group of people who are equal in all columns, and the size of the group."""
    key = np.zeros(len(table), np.int64)
    for column in quasi:
        held = table.coded[column]
        key = np.unique(key * held.count + held.code, return_inverse=True)[1]
    _, rows, people = np.unique(key, return_index=True, return_counts=True)
    return rows, people


def _steps(table: Table, quasi: Levels, tops: list[int]) -> list[Levels]:
    levels, found = [0] * len(quasi), [(0,) * len(quasi)]
    while any(level < top - 1 for level, top in zip(levels, tops, strict=True)):
        open_ = [k for k, level in enumerate(levels) if level < tops[k] - 1]
        values = [len(coarser(table, quasi[k], levels[k]).values) for k in open_]
        levels[open_[int(np.argmax(values))]] += 1
        found.append(tuple(levels))
    return found


def _try(table: Table, quasi: Levels, levels: Levels, rows: NDArray[np.int64], people: NDArray[np.int64]) -> _Tried:
    key, detail = np.zeros(len(rows), np.int64), np.zeros(len(rows))
    for column, level in zip(quasi, levels, strict=True):
        held = coarser(table, column, level)
        key = np.unique(key * held.count + held.code[rows], return_inverse=True)[1]
        detail += detail_of(table, column, level)[held.code[rows]] / len(quasi)
    size = np.bincount(key, weights=people).astype(np.int64)
    kept = np.bincount(key, weights=people * detail)
    sizes, place = np.unique(size, return_inverse=True)
    together = (np.bincount(place, weights=each) for each in (size.astype(float), kept))
    return _Tried(levels, sizes, *map(_from_each_on, together))


def _from_each_on(values: NDArray[Any]) -> Floats:
    """The sum of each value and all after it, and 0 after the last."""
    return np.append(np.cumsum(values[::-1])[::-1], 0.0)


@cached("visitor", entries=256)
def detail_of(table: Table, column: int, level: int) -> Floats:
    """The detail that each published value of a column keeps, by its code: ``1 - (covered - 1) / (values - 1)``, in [0, 1].

    Examples
    --------
    >>> from lmdk_widgets.pages.table.table import example
    >>> detail_of(example("t1"), 1, 1).tolist()  # two of five places are in the centre, three in the north
    [0.75, 0.5]
    """
    held, exact = coarser(table, column, level), table.coded[column]
    pairs = np.unique(held.code * exact.count + exact.code)
    covered = np.bincount(pairs // exact.count, minlength=held.count)
    values = len(pairs)  # each exact value lies under one published value
    return np.ones(held.count) if values == 1 else 1 - (covered - 1) / (values - 1)


def detail_left(table: Table, quasi: Levels, levels: Levels) -> Floats:
    """(n,) the detail that is left for each person, averaged over the columns, if nobody is left out."""
    found = np.zeros(len(table))
    for column in quasi:
        level = levels[column] if column < len(levels) else 0
        found += detail_of(table, column, level)[coarser(table, column, level).code] / len(quasi)
    return found

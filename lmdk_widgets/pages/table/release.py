"""A table as it is published: classes of people who look alike, without the small ones, and how well they hide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import Column, Groups
from lmdk_widgets.anonymity.measures import entropy_l, recursive_l
from lmdk_widgets.anonymity.tally import Tally, equal_distance, ordered_distance, tally
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table.levels import coarser
from lmdk_widgets.pages.table.table import Table


@dataclass(frozen=True)
class Publishing:
    """What is published of a table: columns that an attacker knows with their levels, the hidden one, the least class."""

    quasi: tuple[int, ...]
    sensitive: int
    levels: tuple[int, ...]
    least: int = 1

    def level(self, column: int) -> int:
        """How coarse a column is; 0 for exact."""
        return self.levels[column] if column < len(self.levels) else 0


@dataclass(frozen=True)
class Measures:
    """How well the classes of a release hide: the measures of `lmdk_widgets.anonymity`, of the people who are left.

    Attributes
    ----------
    k : people in the smallest class. distinct, entropy, recursive : l of each kind. closeness : t, all values equally far
    apart. ordered : t with values in their order, None for words.
    """

    k: int
    distinct: int
    entropy: float
    recursive: int
    closeness: float
    ordered: float | None


@dataclass(frozen=True, eq=False)
class Release:
    """A published table.

    Attributes
    ----------
    table, publishing : what it was made from.
    of_row : (n,) class of each row of the table, from 0, the largest class first; -1 for those who were left out.
    size : (K,) people in each class.
    first : (K,) a row of each class.
    tally : how often each value of the sensitive column occurs in each class.
    """

    table: Table
    publishing: Publishing
    of_row: NDArray[np.int64]
    size: NDArray[np.int64]
    first: NDArray[np.int64]
    tally: Tally | None

    def __len__(self) -> int:
        return len(self.size)

    @property
    def kept(self) -> int:
        """How many people are left."""
        return int(self.size.sum())

    @property
    def lost(self) -> int:
        """How many people were left out."""
        return len(self.table) - self.kept

    def published(self, row: int) -> tuple[str, ...]:
        """What is published of a person in the columns that an attacker knows."""
        found = []
        for column in self.publishing.quasi:
            held = coarser(self.table, column, self.publishing.level(column))
            code = int(held.code[row])
            found.append(str(held.values[code]) if code < len(held.values) else "no value")
        return tuple(found)

    @cached_property
    def missing(self) -> int:
        """People whose class depends on a missing value."""
        lacks = np.zeros(len(self.table), bool)
        for column in self.publishing.quasi:
            held = coarser(self.table, column, self.publishing.level(column))
            lacks |= held.code >= len(held.values)
        return int((lacks & (self.of_row >= 0)).sum())

    def measures(self, c: float) -> Measures | None:
        """The measures, with c of recursive diversity; None if nobody is left."""
        if self.tally is None:
            return None
        found, sensitive = self.tally, self.publishing.sensitive
        distinct = np.diff(np.append(found.start, len(found.times)))
        column = self.table.coded[sensitive]
        in_order = self.table.numeric[sensitive] and not column.missing
        return Measures(
            int(self.size.min()),
            int(distinct.min()),
            float(entropy_l(found).min()),
            int(recursive_l(found, c).min()),
            float(equal_distance(found).max()),
            float(ordered_distance(_present(found)).max()) if in_order else None,
        )


def publish(table: Table, publishing: Publishing) -> Release:
    """The release of a table.

    Raises
    ------
    InputError : no quasi-identifier, columns that the table lacks, a sensitive column that is a quasi-identifier too.
    """
    _check(table, publishing)
    key = np.zeros(len(table), np.int64)
    for column in publishing.quasi:
        held = coarser(table, column, publishing.level(column))
        _, key = np.unique(key * held.count + held.code, return_inverse=True)
    sizes = np.bincount(key)
    order = np.lexsort((np.unique(key, return_index=True)[1], -sizes))  # the largest first, then in their order
    kept = order[sizes[order] >= publishing.least]
    number = np.full(len(sizes), -1)
    number[kept] = np.arange(len(kept))
    of_row = number[key]
    inside = of_row >= 0
    first = np.unique(of_row[inside], return_index=True)[1]
    rows = np.flatnonzero(inside)
    counted = None
    if len(kept):
        hidden = table.coded[publishing.sensitive]
        part = Column(hidden.code[inside], hidden.values, hidden.missing)
        counted = tally(Groups(of_row[inside], sizes[kept]), part)
    return Release(table, publishing, of_row, sizes[kept], rows[first], counted)


def _check(table: Table, publishing: Publishing) -> None:
    most = len(table.heads)
    if not publishing.quasi:
        remedy = "With none of them everybody is alike, and nobody can be looked up"
        raise InputError("At least one column must be a quasi-identifier", value="none", remedy=remedy)
    if max(*publishing.quasi, publishing.sensitive) >= most:
        raise InputError(f"Columns must be among the {most} of this table", value="another one")
    if publishing.sensitive in publishing.quasi:
        what = "The sensitive column must not be a quasi-identifier"
        remedy = "What an attacker knows already cannot be hidden: choose another column, or take it out first"
        raise InputError(what, value=table.heads[publishing.sensitive], remedy=remedy)


def _present(found: Tally) -> Tally:
    """The tally of the values that occur among those who are left, in their order."""
    place = np.cumsum(found.total > 0) - 1
    return found.by(np.maximum(place, 0), int((found.total > 0).sum()))

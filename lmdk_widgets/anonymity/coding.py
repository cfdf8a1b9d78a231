"""A table as whole numbers: a code for each value of a column, and a class number for each row.

Two rows are in one class if they agree in every quasi-identifier. All measures are counts over classes, so a table is
turned into codes once and never looped over in Python. A missing value, however it is written (None, nan, NaT, NA), is
a separate value in each column: rows without an age agree in their age.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import either, kind_of, refused, seen
from lmdk_widgets.errors import InputError, library

if TYPE_CHECKING:
    import pandas as pd

Codes = NDArray[np.int64]

LARGEST_KEY = 2**62
"""Codes of several columns are combined into one number below this; if need be, they are renumbered first."""


MANY_KEYS = 200_000
"""Up to this many keys are numbered by sorting; more are numbered by hashing, for which pandas is imported."""

SAMPLE = 4096
"""Rows inspected to see whether a column of words contains only a few objects."""


@dataclass(frozen=True, eq=False)
class Plain:
    """A table as one list per column; a value is a number, a word, or None if it is missing.

    Examples
    --------
    >>> table = Plain({"age": [30, None, 62], "ill": ["flu", "flu", "cold"]})
    >>> len(table), table.rows([2, 0]).held["age"], table.groups(["ill"])
    (3, [62, 30], {('flu',): [0, 1], ('cold',): [2]})
    """

    held: Mapping[Hashable, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.held.values()), ()))

    def rows(self, places: Sequence[int]) -> Plain:
        """The rows at these places, in this order."""
        return Plain({name: [column[k] for k in places] for name, column in self.held.items()})

    def without(self, name: Hashable) -> Plain:
        """All columns but one."""
        return Plain({other: column for other, column in self.held.items() if other != name})

    def groups(self, names: Sequence[Hashable]) -> dict[tuple[Any, ...], list[int]]:
        """The rows that agree in some columns, by the values there, in order of first occurrence."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for row, key in enumerate(zip(*(self.held[name] for name in names), strict=True)):
            found.setdefault(key, []).append(row)
        return found


def beneath(first: Any, second: Any, names: Sequence[Hashable]) -> Any:
    """The rows of two tables of the same kind, the second below the first, in the columns `names`."""
    if isinstance(first, Plain):
        return Plain({name: [*first.held[name], *second.held[name]] for name in names})
    pd = library("pandas", "A table")

    return pd.concat([first[list(names)].astype(object), second[list(names)].astype(object)], ignore_index=True)


@dataclass(frozen=True, eq=False)
class Column:
    """A column as codes: `code` (n,) from 0, and `values`, where code i is the i-th; a missing value is last.

    A code need not occur: whole numbers are coded by their distance from the smallest.
    """

    code: Codes
    values: Any
    missing: bool

    @property
    def count(self) -> int:
        """The number of codes, including the one for a missing value."""
        return len(self.values) + self.missing


@dataclass(frozen=True, eq=False)
class Groups:
    """The classes of a table: `of_row` (n,) is the class of each row, `size` (K,) the size of each class, at least 1."""

    of_row: Codes
    size: Codes


def checked_table(table: Any, name: str = "table") -> pd.DataFrame:
    """A DataFrame with at least one row, or a plain table, which needs no check: it never comes from a user."""
    if isinstance(table, Plain):
        return cast("pd.DataFrame", table)
    pd = library("pandas", "A table")

    if not isinstance(table, pd.DataFrame):
        raise refused(name, "a pandas DataFrame", kind_of(table))
    if not len(table):
        raise refused(name, "a table with at least one row", "no rows")
    return table


def checked_columns(table: pd.DataFrame, names: Any, what: str = "quasi_identifiers") -> list[Any]:
    """One or more columns of the table, each named once; a single name is accepted too."""
    single = isinstance(names, str) or not isinstance(names, Iterable)
    chosen = [names] if single else list(names)
    if not chosen:
        raise refused(what, "at least one column of the table", "none")
    for k, name in enumerate(chosen):
        checked_column(table, name, f"{what}")
        if name in chosen[:k]:
            raise InputError(f"{what} must name each column once", value=f"{seen(name)} twice")
    return chosen


def checked_column(table: pd.DataFrame, name: Any, what: str) -> Any:
    """The name of a column that occurs exactly once in the table."""
    if isinstance(table, Plain) and name in table.held:
        return name
    try:
        times = int((table.columns == name).sum())
    except (TypeError, ValueError):  # an array, or something else that is not a name
        times = 0
    if times == 0:
        raise refused(what, f"a column of the table, {either(map(str, table.columns))}", name)
    if times > 1:
        remedy = "Rename the columns so that each has a different name"
        raise InputError(f"{what} must name one column", value=f"{times} columns called {seen(name)}", remedy=remedy)
    return name


def checked_sensitive(table: pd.DataFrame, name: Any, quasi_identifiers: list[Any]) -> Any:
    """A column of the table that is not a quasi-identifier."""
    checked_column(table, name, "sensitive")
    if name in quasi_identifiers:
        remedy = "What an attacker already knows cannot be what the table must hide: choose another column"
        raise InputError("sensitive must not be one of the quasi-identifiers", value=seen(name), remedy=remedy)
    return name


def coded(table: pd.DataFrame, name: Any) -> Column:
    """A column as codes, in time proportional to its rows."""
    if isinstance(table, Plain):
        return _of_list(table.held[name])
    pd = library("pandas", "A table")

    column = table[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _with_missing(column.cat.codes.to_numpy().astype(np.int64), column.cat.categories)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iub":
        found = _by_distance(column.to_numpy())
        if found is not None:
            return found
    objects = column.dtype == object or getattr(column.dtype, "storage", "") == "python"
    try:
        code, values = _of_objects(column.to_numpy(object)) if objects else pd.factorize(column)
    except TypeError:
        what = f"column {seen(name)} must contain single values, such as words and numbers"
        raise InputError(what, value="lists or other collections") from None
    return _with_missing(code.astype(np.int64, copy=False), values)


def grouped(table: pd.DataFrame, quasi_identifiers: list[Any]) -> Groups:
    """The classes of a table."""
    key, size = np.zeros(len(table), np.int64), 1
    for name in quasi_identifiers:
        column = coded(table, name)
        if size * column.count > LARGEST_KEY:
            found = numbered(key, size)
            key, size = found.of_row, len(found.size)
        key, size = (key * column.count + column.code if size > 1 else column.code), size * column.count
    return numbered(key, size)


def numbered(key: Codes, size: int) -> Groups:
    """Keys below `size` renumbered without gaps, and how often each occurs."""
    if size <= few(len(key)):
        times = np.bincount(key, minlength=size)
        number = np.cumsum(times > 0) - 1
        return Groups(number[key], times[times > 0])
    if len(key) <= MANY_KEYS:
        _, code, times = np.unique(key, return_inverse=True, return_counts=True)
        return Groups(code, times)
    pd = library("pandas", "A table")

    code, _ = pd.factorize(key)
    return Groups(code.astype(np.int64, copy=False), np.bincount(code))


def few(n: int) -> int:
    """The number of counters that cost no more than counting the n rows."""
    return 4 * n + 65_536


def _of_list(values: Sequence[Any]) -> Column:
    """Codes of plain values in order of first occurrence; None is last."""
    known = dict.fromkeys(value for value in values if value is not None)
    place = {value: k for k, value in enumerate(known)} | {None: len(known)}
    return Column(np.fromiter(map(place.__getitem__, values), np.int64, len(values)), list(known), None in set(values))


def _by_distance(values: NDArray[Any]) -> Column | None:
    """Whole numbers coded by their distance from the smallest, if they are close together; None otherwise."""
    low, high = int(values.min()), int(values.max())
    if high - low >= few(len(values)):
        return None
    if values.dtype.kind == "b":
        return Column(values.astype(np.int64), np.array([False, True]), False)
    return Column((values - values.dtype.type(low)).astype(np.int64), np.arange(low, high + 1), False)


def _of_objects(objects: NDArray[Any]) -> tuple[Codes, Any]:
    """Codes and values of Python objects, such as words.

    A column that was read from a file or mapped repeats the same few objects. Then their addresses are compared first,
    which is ten times as fast as comparing words, and afterwards the words at those few addresses.
    """
    pd = library("pandas", "A table")

    start = np.frombuffer(objects[:SAMPLE].copy(), np.intp)
    if len(objects) <= SAMPLE or len(np.unique(start)) > SAMPLE // 8:
        return pd.factorize(objects)
    kept = np.ascontiguousarray(objects)  # the addresses are valid for as long as this array exists
    code, addresses = pd.factorize(np.frombuffer(kept, np.intp))
    first = np.empty(len(addresses), np.intp)
    first[code[::-1]] = np.arange(len(kept))[::-1]
    again, values = pd.factorize(kept[first])
    return again[code], values


def _with_missing(code: Codes, values: Any) -> Column:
    lacks = code < 0
    missing = bool(lacks.any())
    return Column(np.where(lacks, len(values), code) if missing else code, values, missing)

"""The equivalence classes of a table, and what is lost if the small ones are suppressed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import Groups, checked_columns, checked_table, grouped
from lmdk_widgets.checks import whole

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Classes:
    """The equivalence classes of a table, in order of first occurrence.

    Attributes
    ----------
    values : a DataFrame of K rows, the quasi-identifiers of each class.
    size : (K,) the number of rows in each class, 1 or more.
    of_row : (n,) the class of each row of the table.
    holds_missing : (K,) bool, whether a quasi-identifier of the class is missing. Rows without a value agree in it.
    """

    values: pd.DataFrame
    size: NDArray[np.int64]
    of_row: NDArray[np.int64]
    holds_missing: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.size)

    def rows(self, number: int) -> tuple[int, ...]:
        """The rows of a class, as positions in the table counted from 0."""
        return tuple(np.flatnonzero(self.of_row == whole(number, "number", least=0, most=len(self) - 1)).tolist())


def classes(table: pd.DataFrame, quasi_identifiers: Sequence[Hashable]) -> Classes:
    """The classes of rows that agree in all quasi-identifiers, and their sizes.

    Parameters
    ----------
    table, quasi_identifiers : as for `k_anonymity`.

    Returns
    -------
    Classes : their values, sizes and rows, and which of them involve missing values.

    Raises
    ------
    InputError : as for `k_anonymity`.

    Examples
    --------
    >>> import pandas as pd
    >>> found = classes(pd.DataFrame({"age": [30, None, 30, None, 40]}), ["age"])
    >>> found.size.tolist(), found.of_row.tolist(), found.holds_missing.tolist()
    ([2, 2, 1], [0, 1, 0, 1, 2], [False, True, False])
    """
    frame = checked_table(table)
    names = checked_columns(frame, quasi_identifiers)
    groups = grouped(frame, names)
    first = _first_rows(groups)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    values = frame.iloc[first[order]][names].reset_index(drop=True)
    return Classes(values, groups.size[order], number[groups.of_row], values.isna().any(axis=1).to_numpy())


@dataclass(frozen=True, eq=False)
class Suppression:
    """A table without its small classes.

    Attributes
    ----------
    table : the rows that are left, with their index; a new DataFrame, which may be empty.
    lost : how many rows were removed.
    lost_share : the share of all rows that were removed, from 0 to 1.
    rows : the removed rows, as positions in the given table counted from 0.
    """

    table: pd.DataFrame
    lost: int
    lost_share: float
    rows: tuple[int, ...]


def suppress(table: pd.DataFrame, quasi_identifiers: Sequence[Hashable], k: int) -> Suppression:
    """Remove the rows of all classes with fewer than k rows: the result is k-anonymous, or empty.

    Parameters
    ----------
    table, quasi_identifiers : as for `k_anonymity`; the table itself is not changed.
    k : the fewest rows that a class may have and stay, a whole number, 1 or more.

    Returns
    -------
    Suppression : the rows that are left, and which and how many were removed.

    Raises
    ------
    InputError : as for `k_anonymity`; k not a whole number, or below 1.

    Notes
    -----
    Who is missing may be informative too: presence in the table then shows that a person is not rare.

    Examples
    --------
    >>> import pandas as pd
    >>> done = suppress(pd.DataFrame({"age": [30, 31, 30, 30]}), ["age"], 2)
    >>> len(done.table), done.lost, done.lost_share, done.rows
    (3, 1, 0.25, (1,))
    """
    least = whole(k, "k")
    frame = checked_table(table)
    groups = grouped(frame, checked_columns(frame, quasi_identifiers))
    keep = groups.size[groups.of_row] >= least
    lost = int((~keep).sum())
    return Suppression(frame[keep].copy(), lost, lost / len(frame), tuple(np.flatnonzero(~keep).tolist()))


def _first_rows(groups: Groups) -> NDArray[Any]:
    """The first row of each class."""
    first = np.empty(len(groups.size), np.intp)
    n = len(groups.of_row)
    first[groups.of_row[::-1]] = np.arange(n)[::-1]  # written from the last row to the first, so the first row remains
    return first

"""A table as plain lists: attacks read it as they read a DataFrame, and pandas is not imported for it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.errors import library


@dataclass(frozen=True, eq=False)
class Plain:
    """A table as one list a column; a value is a number, a word, or None where there is none.

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
        """Some rows, in this order."""
        return Plain({name: [column[k] for k in places] for name, column in self.held.items()})

    def without(self, name: Hashable) -> Plain:
        """All columns but one."""
        return Plain({other: column for other, column in self.held.items() if other != name})

    def groups(self, names: Sequence[Hashable]) -> dict[tuple[Any, ...], list[int]]:
        """The rows that agree in some columns, by their values, in the order in which they first occur."""
        found: dict[tuple[Any, ...], list[int]] = {}
        for row, key in enumerate(zip(*(self.held[name] for name in names), strict=True)):
            found.setdefault(key, []).append(row)
        return found


def beneath(first: Any, second: Any, names: Sequence[Hashable]) -> Any:
    """The rows of two tables of one kind one beneath the other, in the columns `names`."""
    if isinstance(first, Plain):
        return Plain({name: [*first.held[name], *second.held[name]] for name in names})
    pd = library("pandas", "A table")

    return pd.concat([first[list(names)].astype(object), second[list(names)].astype(object)], ignore_index=True)

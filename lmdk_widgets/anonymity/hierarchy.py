"""Hierarchies of categories: a mapping from each category to the more general one that holds it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from lmdk_widgets.checks import kind_of, refused
from lmdk_widgets.errors import InputError


class Hierarchy:
    """A tree, or several, of categories.

    Parameters
    ----------
    parents : {category: the next more general category}, such as {"Montmartre": "Paris", "Paris": "France"}; what is no
        key is the most general.

    Raises
    ------
    InputError : not a mapping, empty, or a category that would hold itself.

    Examples
    --------
    >>> tree = Hierarchy({"Montmartre": "Paris", "Opéra": "Paris", "Paris": "France", "Berlin": "Germany"})
    >>> tree.above("Montmartre", 1), tree.above("Montmartre", 9), tree.height("France"), tree.roots
    ('Paris', 'France', 2, ('France', 'Germany'))
    """

    def __init__(self, parents: Mapping[Hashable, Hashable], name: str = "hierarchy") -> None:
        if not isinstance(parents, Mapping) or not parents:
            got = "an empty mapping" if isinstance(parents, Mapping) else kind_of(parents)
            raise refused(name, "a mapping from each category to the more general one above it", got)
        self._parents = dict(parents)
        self._heights: dict[Any, int] = {}
        for start in self._parents:
            for steps, node in enumerate(self.path(start)):
                if steps > len(self._parents):
                    raise InputError(f"{name} must lead from each category upwards", value="a category above itself")
                self._heights[node] = max(self._heights.get(node, 0), steps)

    def __contains__(self, value: Any) -> bool:
        return value in self._heights

    def path(self, value: Any) -> Any:
        """A category and those above it, one after the other, the most general last."""
        yield value
        while value in self._parents:
            value = self._parents[value]
            yield value

    def above(self, value: Any, level: int) -> Any:
        """The category `level` steps above a value, or the most general one where there are fewer."""
        for _ in range(level):
            value = self._parents.get(value, value)
        return value

    def height(self, value: Any) -> int:
        """The longest way down from a category to one that holds no other; 0 for such a one."""
        return self._heights[value]

    def at_height(self, value: Any, height: int) -> Any:
        """The most general category above a value whose height is at most `height`."""
        return max((node for node in self.path(value) if self.height(node) <= height), key=self.height)

    @property
    def roots(self) -> tuple[Any, ...]:
        """The categories with none above them, in the order they came up."""
        return tuple(node for node in self._heights if node not in self._parents)

    def related(self, a: Any, b: Any) -> bool:
        """Whether two categories are equal or one holds the other: then one person may be described by both."""
        return a in self.path(b) or b in self.path(a)

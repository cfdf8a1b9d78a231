"""Which records of two releases may be one person, when every earlier record has a later one of its own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import checked_column, coded
from lmdk_widgets.anonymity.hierarchy import Hierarchy
from lmdk_widgets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1000
"""Rows of the later release; the search takes time proportional to the cube."""

Allowed = NDArray[np.bool_]


def may_correspond(
    earlier: pd.DataFrame,
    later: pd.DataFrame,
    names: tuple[list[Any], list[Any]],
    sensitive: Hashable,
    hierarchies: Mapping[Hashable, Mapping[Hashable, Hashable]],
) -> Allowed:
    """(n, n') whether a record of the earlier and one of the later release may be the same person's."""
    if len(later) > MOST_ROWS:
        raise InputError(f"later must have at most {MOST_ROWS:,} rows for this attack", value=f"{len(later):,} rows")
    for frame, what in ((earlier, "sensitive"), (later, "sensitive")):
        checked_column(frame, sensitive, what)
    allowed = np.ones((len(earlier), len(later)), bool)
    for name in [sensitive, *(name for name in names[0] if name in names[1])]:
        tree = Hierarchy(hierarchies[name], "hierarchies") if name in hierarchies else None
        one, two = coded(earlier, name), coded(later, name)
        first, second = [*list(one.values), None], [*list(two.values), None]
        fits = np.array([[a == b or bool(tree and tree.related(a, b)) for b in second] for a in first], bool)
        allowed &= fits[np.ix_(one.code, two.code)]
    return allowed


def partners(allowed: Allowed) -> Allowed:
    """(n, n') whether some assignment of all earlier records to different later ones takes i to j.

    One such assignment is found by augmenting paths. Another one takes i to j exactly when, with i at j, the record that
    was there can move on along allowed places to a free one, or to the place that i left.
    """
    place = _assign(allowed)
    n, m = allowed.shape
    holder = np.full(m, -1)
    holder[place] = np.arange(n)
    step = np.zeros((m, m), bool)
    step[place] = allowed  # whoever is at j may move to the places of row j
    reach = _closure(step)
    can_be_left = np.array((reach & (holder < 0)).any(axis=1))
    possible: Allowed = allowed & (can_be_left[None, :] | reach[:, place].T)
    possible[np.arange(n), place] = True
    return possible


def _closure(step: Allowed) -> Allowed:
    """Which places can be reached from each in any number of steps, none included."""
    reach = step.copy()
    np.fill_diagonal(reach, True)
    while True:
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return reach
        reach = further


def _assign(allowed: Allowed) -> NDArray[np.intp]:
    """A different later record for each earlier one, (n,)."""
    n, m = allowed.shape
    place, holder = np.full(n, -1), np.full(m, -1)
    for start in range(n):
        came_from, todo, end = np.full(m, -1), [start], -1
        while todo and end < 0:
            one = todo.pop()
            for j in np.flatnonzero(allowed[one] & (came_from < 0)).tolist():
                came_from[j] = one
                if holder[j] < 0:
                    end = j
                    break
                todo.append(int(holder[j]))
        if end < 0:
            remedy = "Every earlier record needs a later one of its own that may be the same person's"
            raise InputError("later must hold everybody of earlier", value="a record without one", remedy=remedy)
        while end >= 0:
            one = int(came_from[end])
            left = int(place[one])
            place[one], holder[end] = end, one
            end = left
    return place

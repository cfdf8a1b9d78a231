"""What releases leave possible: which values each person may have, if a person's value does not change; and which
records of two releases may belong to the same person, if every earlier record has its own later one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import (
    Plain,
    checked_column,
    checked_columns,
    checked_sensitive,
    checked_table,
    coded,
    grouped,
)
from lmdk_widgets.anonymity.generalise import Hierarchy
from lmdk_widgets.checks import refused, seen
from lmdk_widgets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 1000
"""Rows of the later release; the search takes time proportional to the cube of this number."""

Allowed = NDArray[np.bool_]

MOST_PEOPLE = 200
MOST_STEPS = 300_000
"""Values tried for people, over all worlds; above this, the releases are too large to search."""


@dataclass(frozen=True, eq=False)
class Known:
    """The knowledge of an attacker who can find everyone's class in every release.

    Attributes
    ----------
    people : (n,) their names, in order of first occurrence.
    values : (m,) the sensitive values, None for a missing one.
    groups : for each class of each release: the release, the people in it and how often each value occurs in it.
    truth : (n,) the value of each person as an index, which shows whose data an attack reveals.
    """

    people: tuple[Any, ...]
    values: tuple[Any, ...]
    groups: tuple[tuple[int, tuple[int, ...], Counter[int]], ...]
    truth: tuple[int, ...]

    def of(self, person: int) -> list[tuple[int, tuple[int, ...], Counter[int]]]:
        """The classes of a person, one for each release that includes them."""
        return [group for group in self.groups if person in group[1]]


def known(releases: Sequence[Any], person: Hashable, quasi_identifiers: Sequence[Any], sensitive: Hashable) -> Known:
    """Releases as read by an attacker who knows everyone's quasi-identifiers in each.

    `person` is the column that identifies people; it is never published, and represents that knowledge.
    `quasi_identifiers` lists the columns of each release.
    """
    if not isinstance(releases, Sequence) or isinstance(releases, str) or len(releases) < 2:
        raise refused("releases", "a list of two tables or more", releases)
    if len(quasi_identifiers) != len(releases) or isinstance(quasi_identifiers, str):
        raise refused("quasi_identifiers", "a list of columns for each release", f"{len(quasi_identifiers)} lists")
    people: dict[Any, int] = {}
    values: dict[Any, int] = {}
    truth: dict[int, int] = {}
    groups = []
    for number, (table, names) in enumerate(zip(releases, quasi_identifiers, strict=True)):
        frame = checked_table(table, f"release {number}")
        columns = checked_columns(frame, names)
        checked_sensitive(frame, sensitive, columns)
        who = [people.setdefault(name, len(people)) for name in _names(frame, person, number)]
        column = coded(frame, sensitive)
        held = [*list(column.values), None]
        what = [values.setdefault(held[code], len(values)) for code in column.code.tolist()]
        for one, value in zip(who, what, strict=True):
            if truth.setdefault(one, value) != value:
                raise InputError("a person must have the same sensitive value in all releases", value="another value")
        rows: dict[int, list[int]] = {}
        for row, group in enumerate(grouped(frame, columns).of_row.tolist()):
            rows.setdefault(group, []).append(row)
        groups += [(number, tuple(who[r] for r in group), Counter(what[r] for r in group)) for group in rows.values()]
    return Known(tuple(people), tuple(values), tuple(groups), tuple(truth[i] for i in range(len(people))))


def _names(frame: Any, person: Hashable, number: int) -> list[Any]:
    if isinstance(frame, Plain):
        return list(frame.held[person])
    if (frame.columns == person).sum() != 1:
        raise refused("person", f"one column of release {number}", person)
    names = frame[person].tolist()
    if frame[person].isna().any() or len(set(names)) < len(names):
        raise InputError(f"column {seen(person)} of release {number} must name each person once")
    return names


def worlds(found: Known) -> list[tuple[int, ...]]:
    """Every assignment of values to people that all releases allow, (w, n) indices of values; one is the truth."""
    if len(found.people) > MOST_PEOPLE:
        raise InputError(f"releases must have at most {MOST_PEOPLE} people for this attack", value=len(found.people))
    left = [Counter(counts) for _, _, counts in found.groups]
    member: list[list[int]] = [[] for _ in found.people]
    for number, (_, who, _) in enumerate(found.groups):
        for one in who:
            member[one].append(number)
    order = _beside_each_other(member, [who for _, who, _ in found.groups])
    made: list[tuple[int, ...]] = []
    world = [0] * len(order)
    steps = 0

    def place(k: int) -> None:
        nonlocal steps
        if steps > MOST_STEPS:
            remedy = "Use fewer people, or smaller classes"
            raise InputError("releases must leave few worlds possible", value=f"over {MOST_STEPS:,}", remedy=remedy)
        if k == len(order):
            made.append(tuple(world))
            return
        groups = member[order[k]]
        steps += len(left[groups[0]])
        for value in [v for v in left[groups[0]] if all(left[g][v] > 0 for g in groups)]:
            world[order[k]] = value
            for g in groups:
                left[g][value] -= 1
            place(k + 1)
            for g in groups:
                left[g][value] += 1

    place(0)
    return made


def _beside_each_other(member: list[list[int]], groups: list[tuple[int, ...]]) -> list[int]:
    """People ordered so that those who share a class follow each other: contradictions then appear early."""
    order: dict[int, None] = {}
    for start in range(len(member)):
        todo = [start]
        while todo:
            one = todo.pop()
            if one not in order:
                order[one] = None
                todo += [other for g in member[one] for other in groups[g] if other not in order]
    return list(order)


def may_correspond(
    earlier: pd.DataFrame,
    later: pd.DataFrame,
    names: tuple[list[Any], list[Any]],
    sensitive: Hashable,
    hierarchies: Mapping[Hashable, Mapping[Hashable, Hashable]],
) -> Allowed:
    """(n, n') whether a record of the earlier release and one of the later may belong to the same person."""
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
    """(n, n') whether some assignment of all earlier records to different later ones maps i to j.

    One assignment is found by augmenting paths. Another maps i to j exactly if, with i at j, the record that was at j
    can move along allowed places to a free one, or to the place that i left.
    """
    place = _assign(allowed)
    n, m = allowed.shape
    holder = np.full(m, -1)
    holder[place] = np.arange(n)
    step = np.zeros((m, m), bool)
    step[place] = allowed  # the record at j may move to the places of row j
    reach = _closure(step)
    can_be_left = np.array((reach & (holder < 0)).any(axis=1))
    possible: Allowed = allowed & (can_be_left[None, :] | reach[:, place].T)
    possible[np.arange(n), place] = True
    return possible


def _closure(step: Allowed) -> Allowed:
    """Which places can be reached from each in any number of steps, including none."""
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
            remedy = "Every earlier record needs its own later record that may belong to the same person"
            raise InputError("later must include everyone in earlier", value="a record without a match", remedy=remedy)
        while end >= 0:
            one = int(came_from[end])
            left = int(place[one])
            place[one], holder[end] = end, one
            end = left
    return place

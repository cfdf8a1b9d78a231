"""All that releases leave possible: who may have which value, when a value belongs to a person and does not change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.anonymity.coding import checked_columns, checked_sensitive, checked_table, coded, grouped
from lmdk_widgets.anonymity.plain import Plain
from lmdk_widgets.checks import refused, seen
from lmdk_widgets.errors import InputError

MOST_PEOPLE = 200
MOST_STEPS = 300_000
"""Values tried for a person, over all worlds; beyond it the releases are too large to go through."""


@dataclass(frozen=True, eq=False)
class Known:
    """What an attacker knows who can find everybody's class in every release.

    Attributes
    ----------
    people : (n,) their names, in the order in which they first occur.
    values : (m,) the sensitive values, None for a missing one.
    groups : for each class of each release the release, the people in it and how often each value occurs in it.
    truth : (n,) the value of each person as an index, for saying whom an attack hits.
    """

    people: tuple[Any, ...]
    values: tuple[Any, ...]
    groups: tuple[tuple[int, tuple[int, ...], Counter[int]], ...]
    truth: tuple[int, ...]

    def of(self, person: int) -> list[tuple[int, tuple[int, ...], Counter[int]]]:
        """The classes that hold a person, one for each release with that person."""
        return [group for group in self.groups if person in group[1]]


def known(releases: Sequence[Any], person: Hashable, quasi_identifiers: Sequence[Any], sensitive: Hashable) -> Known:
    """Releases as an attacker reads them who knows everybody's quasi-identifiers in each.

    `person` is the column that tells people apart; it is never published, and stands for that knowledge.
    `quasi_identifiers` has the columns of each release.
    """
    if not isinstance(releases, Sequence) or isinstance(releases, str) or len(releases) < 2:
        raise refused("releases", "a list of two tables or more", releases)
    if len(quasi_identifiers) != len(releases) or isinstance(quasi_identifiers, str):
        raise refused("quasi_identifiers", "a list of columns for each release", f"{len(quasi_identifiers)} of them")
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
    """Every way to give each person a value that all releases allow, (w, n) indices of values; the truth is one."""
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
            remedy = "Take fewer people, or smaller classes"
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
    """People so that those who share a class follow each other: a contradiction is then met early."""
    order: dict[int, None] = {}
    for start in range(len(member)):
        todo = [start]
        while todo:
            one = todo.pop()
            if one not in order:
                order[one] = None
                todo += [other for g in member[one] for other in groups[g] if other not in order]
    return list(order)

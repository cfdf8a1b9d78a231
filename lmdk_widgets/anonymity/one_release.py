"""Attacks on one release: the attacker finds a person's class by the quasi-identifiers and looks at its contents."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import beneath, checked_columns, checked_sensitive, checked_table, coded, grouped
from lmdk_widgets.anonymity.facts import (
    ANONYMITY,
    CLOSENESS,
    DISCLOSURE,
    DISTINCT,
    DOMAIN,
    Attack,
    Findings,
    Hit,
    Prevention,
)
from lmdk_widgets.anonymity.generalise import Hierarchy
from lmdk_widgets.anonymity.measures import TIE
from lmdk_widgets.anonymity.tally import Tally, equal_distance, tally
from lmdk_widgets.checks import fraction, number
from lmdk_widgets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Names = Sequence[Hashable]

CERTAIN = 0.9
"""The default probability above which information counts as disclosed."""


@dataclass(frozen=True, eq=False)
class _Release:
    """A release as the attacker reads it: the rows of each class, and how often each value occurs in it."""

    known: tuple[Any, ...]
    column: Hashable
    of_row: NDArray[np.int64]
    tally: Tally
    values: list[Any]

    @property
    def different(self) -> NDArray[np.int64]:
        """How many values occur in each class, (K,)."""
        return np.diff(np.append(self.tally.start, len(self.tally.times)))

    def hits(self, pairs: NDArray[np.intp]) -> Iterator[Hit]:
        """A hit for everyone in the class of each pair, with the pair's value."""
        rows, overall = rows_of(self.of_row, len(self.tally.size)), self.tally.overall
        for pair in pairs.tolist():
            group, code = int(self.tally.group[pair]), int(self.tally.value[pair])
            before, after = float(overall[code]), float(self.tally.share[pair])
            for row in rows[group]:
                yield Hit(row, self.column, self.values[code], before, after, rows[group], rows[group])

    def findings(self, pairs: NDArray[np.intp], prevention: Prevention) -> Findings:
        """The hits of some pairs, by row."""
        hits = tuple(sorted(self.hits(pairs), key=lambda hit: hit.row))
        return Findings(self.known, len(self.of_row), hits, prevention)


def _read(table: Any, quasi_identifiers: Any, sensitive: Hashable) -> _Release:
    frame = checked_table(table)
    known = checked_columns(frame, quasi_identifiers)
    column = coded(frame, checked_sensitive(frame, sensitive, known))
    groups = grouped(frame, known)
    values = [*list(column.values), None]  # None is a missing value
    return _Release(tuple(known), sensitive, groups.of_row, tally(groups, column), values)


def rows_of(of_row: NDArray[np.int64], n_classes: int) -> list[tuple[int, ...]]:
    """The rows of each class."""
    order = np.argsort(of_row, kind="stable")
    ends = np.cumsum(np.bincount(of_row, minlength=n_classes))[:-1]
    return [tuple(rows.tolist()) for rows in np.split(order, ends)]


def homogeneity(table: pd.DataFrame, quasi_identifiers: Names, sensitive: Hashable) -> Findings:
    """Homogeneity: a class with a single sensitive value gives it away for everyone in the class, however large it is.

    Machanavajjhala et al., ICDE 2006. `value`, `before` and `after` of a hit are that value, its share in the table,
    and 1.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": ["<=20", "<=20", ">20", ">20"], "status": ["running", "running", "at work", "dining"]})
    >>> found = homogeneity(table, ["age"], "status")
    >>> found.rows, found.hits[0].value, found.hits[0].before, found.prevention.found
    ((0, 1), 'running', 0.5, 1.0)
    """
    read = _read(table, quasi_identifiers, sensitive)
    prevention = Prevention(DISTINCT, float(read.different.min()), 2.0)
    return read.findings(read.tally.start[read.different == 1], prevention)


def skewness(
    table: pd.DataFrame, quasi_identifiers: Names, sensitive: Hashable, *, value: Any = None, factor: float = 2.0
) -> Findings:
    """Skewness: a value is much more frequent in a class than in the table, which diversity does not notice.

    A hit contains the value, its share in the table (before) and its share in the class (after), which is above
    `factor` times the share before (`factor` 1 or more). With `value` None, the value whose share grows most is used
    for each class. Prevention needs a t for which no share can grow by the factor: ``t <= (factor - 1) q``, where q is
    the smallest share in the table of a value whose share grew. Li, Li, Venkatasubramanian, ICDE 2007.
    """
    times = number(factor, "factor", 1)
    read = _read(table, quasi_identifiers, sensitive)
    pairs = read.tally
    before = pairs.overall[pairs.value]
    raised = pairs.share > times * before * (1 + TIE)
    if value is not None:
        raised &= np.array([known == value for known in read.values], bool)[pairs.value]
    gain = np.where(raised, pairs.share - before, -1)
    chosen = np.flatnonzero(raised & (gain == np.maximum.reduceat(gain, pairs.start)[pairs.group]))
    chosen = chosen[np.diff(pairs.group[chosen], prepend=-1) > 0]  # one value of each class
    needed = (times - 1) * float(before[chosen].min()) if len(chosen) else 1.0
    found = float(equal_distance(pairs).max())
    return read.findings(chosen, Prevention(CLOSENESS, found, needed, at_least=False))


def similarity(
    table: pd.DataFrame, quasi_identifiers: Names, sensitive: Hashable, meaning: Mapping[Hashable, Hashable]
) -> Findings:
    """Similarity: the values in a class differ but mean the same, so the class gives their meaning away.

    `meaning` is {value: what it means} for every value. A hit contains the meaning, its share in the table, and 1.
    Prevention needs two meanings in each class. Li, Li, Venkatasubramanian, ICDE 2007.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": ["<=20", "<=20", ">20", ">20"], "ill": ["ulcer", "gastritis", "flu", "ulcer"]})
    >>> found = similarity(table, ["age"], "ill", {"ulcer": "stomach", "gastritis": "stomach", "flu": "lung"})
    >>> found.rows, found.hits[0].value, found.hits[0].before
    ((0, 1), 'stomach', 0.75)
    """
    read, tree = _read(table, quasi_identifiers, sensitive), Hierarchy(meaning, "meaning")
    present = np.flatnonzero(read.tally.total).tolist()
    lost = sum(read.values[code] is not None and read.values[code] not in tree for code in present)
    if lost:
        raise InputError("meaning must contain every value of the sensitive column", value=f"{lost:,} without one")
    names: dict[Any, int] = {}
    place = np.zeros(len(read.tally.total), np.int64)
    for code in present:
        place[code] = names.setdefault(tree.above(read.values[code], 1), len(names))
    alike = replace(read, tally=read.tally.by(place, len(names)), values=list(names))
    chosen = alike.tally.start[(alike.different == 1) & (read.different > 1)]
    return alike.findings(chosen, Prevention(f"{DISTINCT} of what the values mean", float(alike.different.min()), 2.0))


def presence(
    release: pd.DataFrame, population: pd.DataFrame, quasi_identifiers: Names, *, threshold: float = CERTAIN
) -> Findings:
    """Presence disclosure: whether a person is in the release, ``|class in release| / |class in population|``.

    The attacker knows the quasi-identifiers, as written in the release, of everyone in a population that includes
    everyone in the release. The attack hits people (rows of the population) if their presence or absence is more
    probable than `threshold`. `before` is the share of the population that is in the release, or its complement.
    Nergiz, Atzori, Clifton, SIGMOD 2007.
    """
    least, few, many = fraction(threshold, "threshold"), checked_table(release, "release"), checked_table(population)
    names = checked_columns(few, quasi_identifiers)
    checked_columns(many, names)
    groups = grouped(beneath(few, many, names), names)
    inside = np.bincount(groups.of_row[: len(few)], minlength=len(groups.size))
    all_of_it = groups.size - inside
    if (inside > all_of_it).any():
        raise InputError(
            "population must include everyone in the release", value="a class with more people in the release"
        )
    share, hits = len(few) / len(many), []
    rows = rows_of(groups.of_row[len(few) :], len(groups.size))
    for group in np.flatnonzero(all_of_it).tolist():
        chance = inside[group] / all_of_it[group]
        there = bool(chance >= 0.5)
        after = float(chance if there else 1 - chance)
        if after > least:
            before = share if there else 1 - share
            hits += [Hit(row, None, there, before, after, rows[group], rows[group]) for row in rows[group]]
    worst = float(np.max(np.maximum(inside, all_of_it - inside)[all_of_it > 0] / all_of_it[all_of_it > 0]))
    prevention = Prevention("delta-presence", worst, least, at_least=False)
    return Findings(tuple(names), len(many), tuple(sorted(hits, key=lambda hit: hit.row)), prevention)


def identity(table: pd.DataFrame, quasi_identifiers: Names, *, threshold: float = CERTAIN) -> Findings:
    """Identity disclosure: a record is a person's with probability ``1 / |class|``, above `threshold`. Sweeney 2002.

    Examples
    --------
    >>> import pandas as pd
    >>> found = identity(pd.DataFrame({"age": [30, 30, 62]}), ["age"])
    >>> found.rows, found.hits[0].after, found.prevention.found, found.prevention.needed
    ((2,), 1.0, 1.0, 2.0)
    """
    least = fraction(threshold, "threshold")
    frame = checked_table(table)
    names = checked_columns(frame, quasi_identifiers)
    found = grouped(frame, names)
    n, rows = len(found.of_row), rows_of(found.of_row, len(found.size))
    everybody = tuple(range(n))
    hits = [
        Hit(row, None, row, 1 / n, 1 / len(rows[group]), everybody, rows[group])
        for row, group in enumerate(found.of_row.tolist())
        if 1 / len(rows[group]) > least
    ]
    needed = next((size for size in range(1, n + 1) if 1 / size <= least), inf)
    prevention = Prevention(ANONYMITY, float(found.size.min()), float(needed))
    return Findings(tuple(names), n, tuple(hits), prevention)


def attribute(
    table: pd.DataFrame, quasi_identifiers: Names, sensitive: Hashable, *, threshold: float = CERTAIN
) -> Findings:
    """Attribute disclosure: a value has a share above `threshold` in a class, so the attacker believes everyone there
    has it.

    `before` is its share in the table. Prevention needs a table in which no value has a larger share in any class.
    """
    least = fraction(threshold, "threshold")
    read = _read(table, quasi_identifiers, sensitive)
    chosen = np.flatnonzero(read.tally.share > least)
    worst = float(read.tally.share.max())
    return read.findings(chosen, Prevention("the largest share of a value in a class", worst, least, False))


ATTACKS = (
    Attack(
        "homogeneity",
        DOMAIN,
        "The quasi-identifiers of a person, and so the person's class.",
        "Everyone in the class has the same sensitive value, so the person has it too.",
        "Distinct l-diversity with two values or more in each class.",
        "attribute",
        "Machanavajjhala et al., ICDE 2006",
        homogeneity,
    ),
    Attack(
        "skewness",
        DOMAIN,
        "The person's class, and how frequent each sensitive value is among all people.",
        "A value is much more frequent in the class than overall, so the attacker is more confident that the person has it.",
        "t-closeness: the values of each class are distributed like those of the table.",
        "attribute",
        "Li, Li, Venkatasubramanian, ICDE 2007",
        skewness,
    ),
    Attack(
        "similarity",
        DOMAIN,
        "The person's class, and what the sensitive values mean.",
        "The values in the class differ but all mean the same, so the person's value means that too.",
        "t-closeness with a hierarchical distance, or l-diversity of what the values mean.",
        "attribute",
        "Li, Li, Venkatasubramanian, ICDE 2007",
        similarity,
    ),
)
"""Attacks that use the sensitive values of a class."""

DISCLOSURES = (
    Attack(
        "presence",
        DISCLOSURE,
        "The quasi-identifiers of everyone in a population that includes the people in the release.",
        "All people like this person are in the release, or none are: the attacker knows whether the person took part.",
        "delta-presence: neither presence nor absence is too probable for anyone.",
        "presence",
        "Nergiz, Atzori, Clifton, SIGMOD 2007",
        presence,
    ),
    Attack(
        "identity",
        DISCLOSURE,
        "The quasi-identifiers of a person who is in the release.",
        "So few records match that the attacker can tell which one is the person's.",
        "k-anonymity.",
        "identity",
        "Sweeney, IJUFKS 2002",
        identity,
    ),
    Attack(
        "attribute",
        DISCLOSURE,
        "The quasi-identifiers of a person who is in the release.",
        "Most records in the class have the same sensitive value, so the attacker believes that the person has it.",
        "l-diversity and t-closeness.",
        "attribute",
        "Machanavajjhala et al., ICDE 2006",
        attribute,
    ),
)
"""What the attacks disclose."""

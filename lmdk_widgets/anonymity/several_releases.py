"""Attacks on several releases of the same people: each release is safe by itself, but together they are not."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.anonymity.coding import Codes, Groups, beneath, checked_columns, checked_table, grouped
from lmdk_widgets.anonymity.facts import ANONYMITY, COMPLEMENTARY, DISTINCT, Attack, Findings, Hit, Prevention
from lmdk_widgets.anonymity.one_release import rows_of
from lmdk_widgets.anonymity.worlds import Known, known, may_correspond, partners, worlds
from lmdk_widgets.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Names = Sequence[Hashable]


def unsorted_matching(first: pd.DataFrame, second: pd.DataFrame, known_first: Names, known_second: Names) -> Findings:
    """Unsorted matching: two releases with the same row order, so that row i of both is the same person. Sweeney 2002.

    `known_first` and `known_second` are the quasi-identifiers of each. The attack hits people who are left with fewer
    candidates than both releases promise; `before` and `after` are the probabilities of finding their record.

    Examples
    --------
    >>> import pandas as pd
    >>> ages = pd.DataFrame({"age": ["<=20", ">20", "<=20", ">20"]})
    >>> places = pd.DataFrame({"place": ["A", "A", "A", "B"]})
    >>> found = unsorted_matching(ages, places, ["age"], ["place"])
    >>> found.prevention.found, found.prevention.needed  # `places` alone is only 1-anonymous
    (1.0, 1.0)
    """
    one, two = checked_table(first, "first"), checked_table(second, "second")
    if len(one) != len(two):
        raise InputError("both releases must have the same rows", value=f"{len(one):,} and {len(two):,} of them")
    names = checked_columns(one, known_first, "known_first"), checked_columns(two, known_second, "known_second")
    rows = np.arange(len(one))
    groups = grouped(one, names[0]), grouped(two, names[1])
    return _together(groups, (rows, rows), (*names[0], *names[1]), f"{ANONYMITY} of both releases, row by row")


def join(first: pd.DataFrame, second: pd.DataFrame, known_first: Names, known_second: Names, on: Names) -> Findings:
    """Join (complementary release): rows of two releases with equal values in the columns `on` may be the same person.

    The attacker links a row of each release if no other row has the same values in `on`. The candidates for such a
    person (a row of the first release) are the records in their class of the first release that have equal values with
    a record in their class of the second, and vice versa. The attack hits people with fewer candidates, on either side,
    than both releases promise. `linked` is their row in the second release. Wang, Fung, KDD 2006.
    """
    one, two = checked_table(first, "first"), checked_table(second, "second")
    names = checked_columns(one, known_first, "known_first"), checked_columns(two, known_second, "known_second")
    checked_columns(two, checked_columns(one, on, "on"), "on")
    code = grouped(beneath(one, two, on), list(on)).of_row
    of_one, of_two = code[: len(one)], code[len(one) :]
    groups = grouped(one, names[0]), grouped(two, names[1])
    return _together(groups, (of_one, of_two), (*names[0], *names[1]), f"{ANONYMITY} of the join")


def _together(
    groups: tuple[Groups, Groups], codes: tuple[Codes, Codes], names: tuple[Any, ...], measure: str
) -> Findings:
    """What two releases still promise if equal codes may mean one person, and unique ones certainly do."""
    (a, b), (of_one, of_two) = groups, codes
    promised, count = int(min(a.size.min(), b.size.min())), int(max(of_one.max(), of_two.max())) + 1
    alone = (np.bincount(of_one, minlength=count) == 1) & (np.bincount(of_two, minlength=count) == 1)
    place = dict(zip(of_two.tolist(), range(len(of_two)), strict=True))
    one, two = _by_code(a, of_one), _by_code(b, of_two)
    of_a, of_b = rows_of(a.of_row, len(a.size)), rows_of(b.of_row, len(b.size))
    found, hits = promised, []
    known: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for row in np.flatnonzero(alone[of_one]).tolist():
        other = place[int(of_one[row])]
        k, j = int(a.of_row[row]), int(b.of_row[other])
        if (k, j) not in known:
            shared = one[k].keys() & two[j].keys()
            known[k, j] = [tuple(sorted(r for code in shared for r in side[code])) for side in (one[k], two[j])]
        left, others = known[k, j]
        few = min(len(left), len(others))
        found = min(found, few)
        if few < promised:
            before = 1 / min(len(of_a[k]), len(of_b[j]))
            hits.append(Hit(row, None, row, before, 1 / few, of_a[k], left, (other,)))
    return Findings(names, len(a.of_row), tuple(hits), Prevention(measure, float(found), float(promised)))


def _by_code(groups: Groups, codes: Codes) -> list[dict[int, list[int]]]:
    """For each class, the rows with each code."""
    found: list[dict[int, list[int]]] = [{} for _ in groups.size]
    for row, (group, code) in enumerate(zip(groups.of_row.tolist(), codes.tolist(), strict=True)):
        found[group].setdefault(code, []).append(row)
    return found


def tuple_correspondence(
    earlier: pd.DataFrame,
    later: pd.DataFrame,
    known_earlier: Names,
    known_later: Names,
    sensitive: Hashable,
    *,
    hierarchies: Mapping[Hashable, Mapping[Hashable, Hashable]] | None = None,
) -> Findings:
    """Tuple correspondence: everyone in the earlier release is in the later one, so each record has its own match
    there.

    Row i of `later` is the person in row i of `earlier`; new people follow. The attacker does not know that order, only
    that some assignment of all earlier records to different later ones exists, between records that may be the same
    person: their sensitive values are equal, and in each column that both releases show, their values are equal or, by
    `hierarchies` ({column: {category: more general one}}), one is above the other. A record in the victim's class is
    excluded if no assignment maps it to the victim's class in the later release. The attack hits people who are left
    with fewer candidates than both releases promise: `candidates` in the earlier release, `linked` in the later one;
    `after` is 1 divided by the smaller number of these. Fung, Wang, Fu, Pei, EDBT 2008 (their forward and cross attacks
    are the two sides).
    """
    one, two = checked_table(earlier, "earlier"), checked_table(later, "later")
    if len(two) < len(one):
        remedy = "The later release contains everyone in the earlier one, in the same order, followed by new people"
        raise InputError("later must have at least as many rows as earlier", value=f"{len(two):,}", remedy=remedy)
    names = checked_columns(one, known_earlier, "known_earlier"), checked_columns(two, known_later, "known_later")
    allowed = may_correspond(one, two, names, sensitive, hierarchies or {})
    possible = partners(allowed)
    a, b = grouped(one, names[0]), grouped(two, names[1])
    of_a, of_b = rows_of(a.of_row, len(a.size)), rows_of(b.of_row, len(b.size))
    promised, fewest, hits = int(min(a.size.min(), b.size.min())), len(two), []
    for row in range(len(one)):
        mine, theirs = np.array(of_a[a.of_row[row]]), np.array(of_b[b.of_row[row]])
        block = possible[np.ix_(mine, theirs)]
        left, linked = mine[block.any(axis=1)], theirs[block.any(axis=0)]
        few = min(len(left), len(linked))
        fewest = min(fewest, few)
        if few < promised:
            before, after = 1 / min(len(mine), len(theirs)), 1 / few
            people = tuple(mine.tolist()), tuple(left.tolist()), tuple(linked.tolist())
            hits.append(Hit(row, None, row, before, after, *people))
    prevention = Prevention(f"{ANONYMITY} after all correspondences", float(fewest), float(promised))
    return Findings((*names[0], *names[1]), len(one), tuple(hits), prevention)


def unknown_releases(
    releases: Sequence[pd.DataFrame], person: Hashable, quasi_identifiers: Sequence[Names], sensitive: Hashable
) -> Findings:
    """Unknown releases: each was made as if there were no other, and together they leave fewer values possible.

    `person` names the column that identifies people, which is never published: the attacker knows who is in which
    class. `quasi_identifiers` lists the columns of each release. A person's value does not change. The attack hits
    people (in order of first occurrence) who are left with fewer values than each release promises. `before` and
    `after` are the probabilities that a guess among the possible values, all equally likely, is right; `value` is the
    only one left, or None. Shmueli, Tassa, "Privacy by diversity in sequential releases of databases", Information
    Sciences 2015.
    """
    found = known(releases, person, quasi_identifiers, sensitive)
    promised = min(len(counts) for _, _, counts in found.groups)
    hits, fewest = [], promised
    for one in range(len(found.people)):
        sets = [set(counts) for _, _, counts in found.of(one)]
        left = set.intersection(*sets)
        fewest = min(fewest, len(left))
        if len(left) < promised:
            value = found.values[next(iter(left))] if len(left) == 1 else None
            before = 1 / min(len(values) for values in sets)
            people = tuple(sorted(found.of(one)[0][1]))
            hits.append(Hit(one, sensitive, value, before, 1 / len(left), people, people))
    names = tuple(dict.fromkeys(name for columns in quasi_identifiers for name in columns))
    prevention = Prevention(f"{DISTINCT} over all releases", float(fewest), float(promised))
    return Findings(names, len(found.people), tuple(hits), prevention)


def tuple_equivalence(
    releases: Sequence[pd.DataFrame], person: Hashable, quasi_identifiers: Sequence[Names], sensitive: Hashable
) -> Findings:
    """Tuple equivalence: two people have the same value in every world that the releases allow, whatever it is.

    The arguments are those of `unknown_releases`. Anyone who learns one person's value also learns the other's, although
    each has as many possible values as before. There is a hit for each person of such a pair, with the other as
    `linked`; `before` is the probability that the two values are equal given only the first release that shows each of
    them, and `after` is 1. Pairs whose value is certain are left to `unknown_releases`. All worlds are enumerated, so
    this is for small tables. He, Barman, Naughton, ICDE 2011.
    """
    found = known(releases, person, quasi_identifiers, sensitive)
    table = np.array(worlds(found))
    open_ = [one for one in range(len(found.people)) if (table[:, one] != table[0, one]).any()]
    pairs = [(a, b) for a, b in combinations(open_, 2) if (table[:, a] == table[:, b]).all()]
    hits = []
    for a, b in pairs:
        before = _chance_of_equal(found, a, b)
        for one, other in ((a, b), (b, a)):
            people = tuple(sorted(found.of(one)[0][1]))
            hits.append(Hit(one, sensitive, None, before, 1.0, people, people, (other,)))
    names = tuple(dict.fromkeys(name for columns in quasi_identifiers for name in columns))
    prevention = Prevention(
        "the number of pairs of people whose values must be equal", float(len(pairs)), 0.0, at_least=False
    )
    hits.sort(key=lambda hit: (hit.row, hit.linked))
    return Findings(names, len(found.people), tuple(hits), prevention)


def _chance_of_equal(found: Known, a: int, b: int) -> float:
    """The probability that two people have equal values, given only the first class of each."""
    (_, who, counts), (_, others, other_counts) = found.of(a)[0], found.of(b)[0]
    if b in who:
        return sum(t * (t - 1) for t in counts.values()) / (len(who) * (len(who) - 1))
    return sum(t * other_counts[v] for v, t in counts.items()) / (len(who) * len(others))


ATTACKS = (
    Attack(
        "unsorted matching",
        COMPLEMENTARY,
        "Two releases of the same people whose rows are in the same order.",
        "Rows in the same position belong to one person, who is therefore in both classes: fewer people are.",
        "A different row order in each release.",
        "identity",
        "Sweeney, IJUFKS 2002",
        unsorted_matching,
    ),
    Attack(
        "join",
        COMPLEMENTARY,
        "Two releases of the same people that have columns in common.",
        "Rows with the same rare values in these columns belong to one person, who is therefore in both classes.",
        "k-anonymity of the join: columns of earlier releases count as quasi-identifiers.",
        "identity",
        "Wang, Fung, KDD 2006",
        join,
    ),
    Attack(
        "tuple correspondence",
        COMPLEMENTARY,
        "An earlier and a later release, where everyone in the earlier one is also in the later one.",
        "Each earlier record has its own later one; a match that leaves another record without one is ruled out.",
        "k-anonymity that still holds when all correspondences are taken into account.",
        "identity",
        "Fung, Wang, Fu, Pei, EDBT 2008",
        tuple_correspondence,
    ),
    Attack(
        "tuple equivalence",
        COMPLEMENTARY,
        "Who is in which class of several releases, between which people joined and left.",
        "Two people must have the same sensitive value, whatever it is: learning one reveals the other.",
        "Classes that never tie people to the same value over all releases.",
        "attribute",
        "He, Barman, Naughton, ICDE 2011",
        tuple_equivalence,
    ),
    Attack(
        "unknown releases",
        COMPLEMENTARY,
        "The person's class in two releases, each of which was made as if there were no other.",
        "Only values in both classes are possible, which are fewer than in either class.",
        "l-diversity over all releases together.",
        "attribute",
        "Shmueli, Tassa, Information Sciences 2015",
        unknown_releases,
    ),
)

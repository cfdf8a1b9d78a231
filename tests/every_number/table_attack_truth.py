"""Each attack on a published table computed by hand: who is hit, what is learned, and what would have prevented it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES
from tests.every_number.claims import SMALL
from tests.every_number.table_published_truth import Cell, TableTruth, distances, exact, shown

FEW_PEOPLE, FEW_WORLDS = 200, 7
MOVING = ("driving", "running", "walking", "biking", "sightseeing")


class AttackedTable(TableTruth):
    """A published table and the attack that is played on it."""

    def marked(self, step: int) -> list[int]:
        """The people whom a step of the attack is about."""
        a = self.attack
        if a.name == "data correlation":
            return [[0, 3], [0, 3], [0], []][step] if self.held.people else []
        struck = [row for row in a.struck if row >= 0]
        if step >= 2:
            return struck
        first = a.struck[0] if a.hits else a.rows[0]
        if step == 0:
            return [first]
        if not a.hits:
            return []
        return a.rows if a.name == "identity" else next(rows for rows in a.groups(self.quasi).values() if first in rows)

    def played(self, attack: str) -> AttackedTable:
        """The same release with an attack on it; what is known of the release is kept."""
        found = AttackedTable(self.held, self.c.with_changes(attack=attack))
        known = {name: value for name, value in vars(self).items() if name not in vars(found)}
        vars(found).update({name: value for name, value in known.items() if name != "attack"})
        return found

    @cached_property
    def attack(self) -> Attacked | None:
        return None if self.c.attack == "none" else Attacked(self)


@dataclass
class Guess:
    """What is learned of a person: of what, from which chance to which one."""

    value: Any
    before: Fraction
    after: Fraction
    with_whom: int | None = None


NEWCOMER = "someone new"


class Attacked:
    """An attack on a release: who is hit, what is learned of them, and the measure that would have prevented it."""

    def __init__(self, t: TableTruth) -> None:
        self.t, self.name = t, t.c.attack
        self.told = {**ATTACKS, **DISCLOSURES}[self.name]
        few = self.name in ("tuple correspondence", "unknown releases")
        self.rows = t.kept[:FEW_PEOPLE] if few else t.kept
        self.hits: dict[int, Guess] = {}
        self.setting, self.why_not = "", ""
        self.columns = list(t.quasi)
        self.measure, self.found, self.needed, self.at_least = "", 0.0, 0.0, True
        if self.name == "data correlation":
            return
        if not self.rows:
            self.why_not = "Nobody is left in the release: there is nothing to attack."
            return
        getattr(self, "_" + self.name.replace(" ", "_"))()

    @property
    def met(self) -> bool:
        return self.found >= self.needed if self.at_least else self.found <= self.needed

    def person(self, row: int) -> str:
        return NEWCOMER if row < 0 else self.t.person(row)

    @property
    def struck(self) -> list[int]:
        """Whom it hits, a person who came last."""
        return sorted(self.hits, key=lambda row: (row < 0, row))

    @property
    def first(self) -> Guess | None:
        return self.hits[self.struck[0]] if self.hits else None

    # -- what several attacks need ------------------------------------------------------------------------------------

    def groups(self, columns: Sequence[int], finer: int = 0, rows: Sequence[int] | None = None) -> dict[Any, list[int]]:
        """Rows that are published alike in some columns."""
        coarse = {k: self.t.coarse(k, max(0, self.t.level(k) - finer)) for k in columns}
        found: dict[Any, list[int]] = {}
        for row in self.rows if rows is None else rows:
            found.setdefault(tuple(coarse[k][row] for k in columns), []).append(row)
        return found

    def prevented(self, measure: str, found: float, needed: float, at_least: bool = True) -> None:
        self.measure, self.found, self.needed, self.at_least = measure, float(found), float(needed), at_least

    @cached_property
    def everybody(self) -> Counter[Cell]:
        return self.t.times(self.rows)

    @property
    def seen(self) -> list[Cell]:
        """Values in the order in which they first occur; no value is the last."""
        there = list(dict.fromkeys(self.t.hidden[row] for row in self.rows))
        return [v for v in there if v is not None] + [v for v in there if v is None]

    # -- one release --------------------------------------------------------------------------------------------------

    def _homogeneity(self) -> None:
        fewest = []
        for rows in self.groups(self.t.quasi).values():
            times = self.t.times(rows)
            fewest.append(len(times))
            if len(times) == 1:
                (value,) = times
                self.hits |= {
                    r: Guess(value, Fraction(self.everybody[value], len(self.rows)), Fraction(1)) for r in rows
                }
        self.prevented("distinct l-diversity", min(fewest), 2)

    def _skewness(self) -> None:
        overall = {v: Fraction(times, len(self.rows)) for v, times in self.everybody.items()}
        worst, smallest = 0.0, []
        for rows in self.groups(self.t.quasi).values():
            times = self.t.times(rows)
            worst = max(worst, distances(times, self.everybody))
            share = {v: Fraction(times[v], len(rows)) for v in times}
            raised = [v for v in self.seen if v in share and share[v] > 2 * overall[v]]
            if not raised:
                continue
            value = max(raised, key=lambda v: share[v] - overall[v])
            smallest.append(overall[value])
            self.hits |= {row: Guess(value, overall[value], share[value]) for row in rows}
        self.prevented("t-closeness", worst, min(smallest, default=1), False)

    def _meanings(self) -> dict[Cell, str] | None:
        t, head = self.t, self.t.hides
        trees = t.trees(t.sensitive)
        values = [v for v in dict.fromkeys(t.hidden) if v is not None]
        if trees:
            return {v: category for v, category in trees[0][1].items() if v in values}
        if not t.numeric[t.sensitive]:
            known = t.c.table in ("t1", "t2") and head == "status"
            return {v: "on the move" if v in MOVING else "staying" for v in values} if known else None
        middle = sorted(values)[(len(values) - 1) // 2]
        return {v: f"{'up to' if v <= middle else 'above'} {shown(exact(middle))}" for v in values}

    def _similarity(self) -> None:
        meaning = self._meanings()
        if meaning is None:
            self.why_not = (
                "The page does not know what these words mean: choose a sensitive column of numbers, or an example."
            )
            return
        self.meaning = meaning
        overall = Counter(meaning.get(self.t.hidden[row]) for row in self.rows)
        fewest = []
        for rows in self.groups(self.t.quasi).values():
            alike = {meaning.get(self.t.hidden[row]) for row in rows}
            fewest.append(len(alike))
            if len(alike) == 1 and len(self.t.times(rows)) > 1:
                (value,) = alike
                self.hits |= {r: Guess(value, Fraction(overall[value], len(self.rows)), Fraction(1)) for r in rows}
        self.prevented("distinct l-diversity of what the values mean", min(fewest), 2)

    def _presence(self) -> None:
        inside = set(self.rows[::2])
        share, worst = Fraction(len(inside), len(self.rows)), Fraction(0)
        for rows in self.groups(self.t.quasi).values():
            chance = Fraction(len(inside & set(rows)), len(rows))
            worst = max(worst, chance, 1 - chance)
            if max(chance, 1 - chance) > Fraction(9, 10):
                there = chance >= Fraction(1, 2)
                before = share if there else 1 - share
                self.hits |= {row: Guess(there, before, max(chance, 1 - chance)) for row in rows}
        self.prevented("delta-presence", worst, 0.9, False)

    def _identity(self) -> None:
        groups = self.groups(self.t.quasi).values()
        for rows in groups:
            if len(rows) == 1:  # one of two is half a chance, and not beyond nine tenths
                self.hits[rows[0]] = Guess(None, Fraction(1, len(self.rows)), Fraction(1))
        alone = len(self.rows) == 1  # whom else it could be: nobody, so that no class is large enough
        self.prevented("k-anonymity", min(map(len, groups)), math.inf if alone else 2)

    def _attribute(self) -> None:
        worst = Fraction(0)
        for rows in self.groups(self.t.quasi).values():
            for value, times in self.t.times(rows).items():
                share = Fraction(times, len(rows))
                worst = max(worst, share)
                if share > Fraction(9, 10):
                    before = Fraction(self.everybody[value], len(self.rows))
                    self.hits |= {row: Guess(value, before, share) for row in rows}
        self.prevented("the largest share of a value in a class", worst, 0.9, False)

    # -- two releases -------------------------------------------------------------------------------------------------

    def _second(self) -> bool:
        """Whether a second release can be made: the first column left out, the others a level finer."""
        self.others = list(self.t.quasi[1:])
        if not self.others:
            self.why_not = (
                "This needs two releases that differ in what they show: choose two or more quasi-identifiers."
            )
            return False
        self.a = self.groups(self.t.quasi)
        self.b = self.groups(self.others, finer=1)
        self.in_a = {row: rows for rows in self.a.values() for row in rows}
        self.in_b = {row: rows for rows in self.b.values() for row in rows}
        self.promised = min(min(map(len, self.a.values())), min(map(len, self.b.values())))
        return True

    def before(self, row: int) -> Fraction:
        return Fraction(1, min(len(self.in_a[row]), len(self.in_b[row])))

    def _unsorted_matching(self) -> None:
        if not self._second():
            return
        fewest = self.promised
        both = Counter((self.in_a[row][0], self.in_b[row][0]) for row in self.rows)  # classes by their first rows
        for row in self.rows:
            left = both[self.in_a[row][0], self.in_b[row][0]]
            fewest = min(fewest, left)
            if left < self.promised:
                self.hits[row] = Guess(None, self.before(row), Fraction(1, left))
        self.prevented("k-anonymity of both releases, row by row", fewest, self.promised)

    def _join(self) -> None:
        """Who has a value alone is linked; left are the records of both classes that may then be the same person's."""
        if not self._second():
            return
        fewest, hidden = self.promised, self.t.hidden
        for row in self.rows:
            if self.everybody[hidden[row]] > 1:
                continue
            mine = {hidden[other] for other in self.in_a[row]}
            theirs = {hidden[other] for other in self.in_b[row]}
            left = min(
                sum(hidden[other] in theirs for other in self.in_a[row]),
                sum(hidden[other] in mine for other in self.in_b[row]),
            )
            fewest = min(fewest, left)
            if left < self.promised:
                self.hits[row] = Guess(None, self.before(row), Fraction(1, left))
        self.prevented("k-anonymity of the join", fewest, self.promised)

    def _unknown_releases(self) -> None:
        if not self._second():
            return
        values = {row: [{self.t.hidden[o] for o in of[row]} for of in (self.in_a, self.in_b)] for row in self.rows}
        promised = min(len(one) for sets in values.values() for one in sets)
        fewest = promised
        for row, (one, two) in values.items():
            left = one & two
            fewest = min(fewest, len(left))
            if len(left) < promised:
                value = next(iter(left)) if len(left) == 1 else None
                self.hits[row] = Guess(value, Fraction(1, min(len(one), len(two))), Fraction(1, len(left)))
        self.prevented("distinct l-diversity over all releases", fewest, promised)

    def _tuple_correspondence(self) -> None:
        """By trying each pair: with it taken out, the others still have places, all of them."""
        if not self._second():
            return
        t, n = self.t, len(self.rows)
        least = min(map(len, self.a.values()))
        self.came = sum(max(0, least - len(rows)) for rows in self.b.values())
        first = {k: t.coarse(k, t.level(k)) for k in self.others}
        second = {k: t.coarse(k, max(0, t.level(k) - 1)) for k in self.others}
        later = [(tuple(second[k][row] for k in self.others), t.hidden[row]) for row in self.rows]
        for key, rows in self.b.items():
            later += [(key, NEWCOMER)] * max(0, least - len(rows))
        above = [dict(zip(second[k], first[k], strict=True)) for k in self.others]
        allowed = np.array(
            [
                [
                    t.hidden[row] == value
                    and all(
                        first[k][row] in (cell, tree[cell])
                        for k, cell, tree in zip(self.others, key, above, strict=True)
                    )
                    for key, value in later
                ]
                for row in self.rows
            ]
        )
        possible = pairs_of_assignments(allowed)
        of_b: dict[Any, list[int]] = {}
        for j, (key, _) in enumerate(later):
            of_b.setdefault(key, []).append(j)
        place = {row: i for i, row in enumerate(self.rows)}
        promised = min(least, min(map(len, of_b.values())))
        fewest = len(later)
        for i, row in enumerate(self.rows):
            mine, theirs = [place[r] for r in self.in_a[row]], of_b[later[i][0]]
            block = possible[np.ix_(mine, theirs)]
            left = int(min(block.any(axis=1).sum(), block.any(axis=0).sum()))
            fewest = min(fewest, left)
            if left < promised:
                self.hits[row] = Guess(None, Fraction(1, min(len(mine), len(theirs))), Fraction(1, left))
        assert n == len(place)
        self.prevented("k-anonymity after all correspondences", fewest, promised)

    def _tuple_equivalence(self) -> None:
        """One of a class leaves, someone comes, and the same values are published again: every way to "
        "give them out."""
        groups = self.groups(self.t.quasi).values()
        fits = [r for r in groups if 2 <= len(r) <= FEW_WORLDS and len(self.t.times(r)) > 1]
        if not fits:
            self.why_not = (
                f"This needs a class of two to {SMALL[FEW_WORLDS]} people with different values, and there is none. "
                "Publish coarser or finer values."
            )
            return
        size = min(map(len, fits))
        # pandas has classes in the order in which they first occur
        rows = next(r for r in fits if len(r) == size)
        self.rows, values = rows, [self.t.hidden[row] for row in rows]
        people_ = [*rows, -1]
        worlds = set()
        ways = set(permutations(values))  # of the first in the class, and of the others
        for before, after in product(ways, repeat=2) if len(ways) < 100 else ((w, w) for w in ways):
            if before[1:] == after[1:]:  # then the values that are left are equal too
                worlds.add((*before, after[0]))
        open_ = [i for i in range(len(people_)) if len({w[i] for w in worlds}) > 1]
        pairs = [(i, j) for i in open_ for j in open_ if i < j and all(w[i] == w[j] for w in worlds)]
        n, times = len(rows), Counter(values)
        for i, j in pairs:
            a, b = people_[i], people_[j]
            if b == -1:  # each in a class of their own
                before = Fraction(sum(x * x for x in times.values()), n * n)
            else:
                before = Fraction(sum(x * (x - 1) for x in times.values()), n * (n - 1))
            for one, other in ((a, b), (b, a)):
                self.hits.setdefault(one, Guess(None, before, Fraction(1), other))
        self.gone = rows[0]
        self.prevented("the number of pairs of people whose values must be equal", len(pairs), 0, False)


def pairs_of_assignments(allowed: np.ndarray) -> np.ndarray:
    """Which pairs occur in some assignment of all rows to different columns: each pair, taken out, leaves the others theirs.

    Rows that are allowed the same columns are alike, and columns too: one pair of each kind is tried.
    """
    n, m = allowed.shape
    of_rows, of_columns = {}, {}
    for i in range(n):
        of_rows.setdefault(allowed[i].tobytes(), []).append(i)
    for j in range(m):
        of_columns.setdefault(allowed[:, j].tobytes(), []).append(j)
    possible = np.zeros_like(allowed)
    for rows, columns in product(of_rows.values(), of_columns.values()):
        i, j = rows[0], columns[0]
        if allowed[i, j]:
            rest = csr_array(np.delete(np.delete(allowed, i, 0), j, 1).astype(np.int8))
            matched = (maximum_bipartite_matching(rest, perm_type="column") >= 0).sum() if n > 1 else 0
            possible[np.ix_(rows, columns)] = matched == n - 1
    return possible


def nearly(t: AttackedTable) -> bool:
    """Whether a chance is so large that it would be rounded to certainty."""
    return bool(t.attack and t.attack.hits) and 0.995 <= t.attack.first.after < 1

"""The attacks played on the table that the page shows. pandas is imported here, when the first one is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.anonymity.attacks import ATTACKS, DISCLOSURES
from lmdk_widgets.anonymity.correlation import Correlation, data_correlation
from lmdk_widgets.anonymity.facts import Findings
from lmdk_widgets.noise import TWO_COINS
from lmdk_widgets.scenario.foundations.levels import coarser
from lmdk_widgets.scenario.foundations.release import Publishing, Release, publish
from lmdk_widgets.scenario.foundations.table import Table

if TYPE_CHECKING:
    import pandas as pd

PERSON = 0
"""The column that tells people apart, for attackers who know who is in which class; the others are called by their names."""

MOST_PEOPLE = 200
"""Attacks that go through what may belong together are played on so many people, the first ones of the table."""
MOST_WORLDS = 7
"""People of a class whose values are shuffled in every possible way."""

NEWCOMER = "somebody new"

JOINT = ((0.45, 0.05), (0.1, 0.4))
"""Donald is at work with chance 1/2; Dewey is at home with chance 9/10 then, and 1/5 otherwise."""


@dataclass(frozen=True, eq=False)
class Scene:
    """An attack that was played.

    Attributes
    ----------
    name : of the attack.
    rows : rows of the table that took part; a position in the findings is a position in it.
    setting : what else was published or known, a sentence, or "".
    found : whom it hits; None where it cannot be played. why_not : the reason then.
    people : names of positions that are no row of the table.
    correlation : what two answers told, for data correlation alone.
    """

    name: str
    rows: tuple[int, ...] = ()
    setting: str = ""
    found: Findings | None = None
    why_not: str = ""
    people: tuple[str, ...] = ()
    correlation: Correlation | None = None


@dataclass(frozen=True, eq=False)
class _Stage:
    """A release as tables that attacks read: the columns that were published, and the rows that are left."""

    release: Release
    rows: tuple[int, ...]

    @property
    def quasi(self) -> list[str]:
        return [self.release.table.heads[k] for k in self.release.publishing.quasi]

    @property
    def hidden(self) -> str:
        return self.release.table.heads[self.release.publishing.sensitive]

    def frame(self, finer: int = 0) -> pd.DataFrame:
        """The release, or one whose columns are so many levels finer, with the hidden column and the person."""
        import pandas as pd

        table, publishing = self.release.table, self.release.publishing
        rows, found = np.array(self.rows, np.intp), {}
        for column in publishing.quasi:
            held = coarser(table, column, max(0, publishing.level(column) - finer))
            words = np.array([*held.values, None], object)
            found[table.heads[column]] = words[held.code[rows]]
        found[self.hidden] = np.array([*table.coded[publishing.sensitive].values, None], object)[
            table.coded[publishing.sensitive].code[rows]
        ]
        frame = pd.DataFrame(found, dtype=object)
        frame[PERSON] = list(self.rows)
        return frame

    def second(self) -> pd.DataFrame:
        """Another release of the same people: the first column all alike, each other one a level finer."""
        return self.frame(finer=1).drop(columns=self.quasi[0])


@lru_cache(maxsize=8)
def play(table: Table, publishing: Publishing, name: str) -> Scene:
    """An attack or a disclosure on the release of a table."""
    if name == "data correlation":
        return _correlation()
    release = publish(table, publishing)
    rows = np.flatnonzero(release.of_row >= 0).tolist()
    if not rows:
        return Scene(name, why_not="Nobody is left in the release: there is nothing to attack.")
    few = tuple(rows[:MOST_PEOPLE]) if name in _FEW else tuple(rows)
    return _SCENES[name](name, _Stage(release, few))


def _alone(name: str, stage: _Stage) -> Scene:
    """Attacks that take the release and its hidden column."""
    find = {**ATTACKS, **DISCLOSURES}[name].find
    return Scene(name, stage.rows, found=find(stage.frame(), stage.quasi, stage.hidden))


def _identity(name: str, stage: _Stage) -> Scene:
    return Scene(name, stage.rows, found=DISCLOSURES[name].find(stage.frame(), stage.quasi))


def _similarity(name: str, stage: _Stage) -> Scene:
    meaning = stage.release.table.meaning(stage.release.publishing.sensitive)
    if meaning is None:
        why = "The page does not know what these words mean: take a column of numbers as the sensitive one, or an example."
        return Scene(name, stage.rows, why_not=why)
    groups: dict[Any, list[str]] = {}
    for value, means in meaning.items():
        groups.setdefault(means, []).append(str(value))
    said = "; ".join(f"“{means}”: {_some(values)}" for means, values in groups.items())
    found = ATTACKS[name].find(stage.frame(), stage.quasi, stage.hidden, meaning)
    return Scene(name, stage.rows, f"The values mean: {said}.", found)


def _presence(name: str, stage: _Stage) -> Scene:
    frame = stage.frame()
    said = "Let every second person alone, from the first on, be in the release, while everybody knows the whole table."
    return Scene(name, stage.rows, said, DISCLOSURES[name].find(frame.iloc[::2], frame, stage.quasi))


def _two_releases(name: str, stage: _Stage) -> Scene:
    """Attacks that take a second release of the same people."""
    lacks = _needs_two(name, stage)
    if lacks:
        return lacks
    first, second, others = stage.frame(), stage.second(), stage.quasi[1:]
    said = _second_said(stage)
    if name == "unsorted matching":
        found = ATTACKS[name].find(first, second, stage.quasi, others)
        said += " Both have their rows in the same order."
    elif name == "join":
        mixed = second.iloc[::-1].reset_index(drop=True)
        found = ATTACKS[name].find(first, mixed, stage.quasi, others, [stage.hidden])
        said += f" Its rows are in another order, and both show {stage.hidden}."
    else:
        found = ATTACKS[name].find([first, second], PERSON, [stage.quasi, others], stage.hidden)
    return Scene(name, stage.rows, said + _cut(stage), found)


def _correspondence(name: str, stage: _Stage) -> Scene:
    lacks = _needs_two(name, stage)
    if lacks:
        return lacks
    import pandas as pd

    first, second, others = stage.frame(), stage.second(), stage.quasi[1:]
    trees = {head: {b: a for a, b in zip(first[head], second[head], strict=True) if a != b} for head in others}
    sizes = second.groupby(others, dropna=False, sort=False).size()
    promised = int(first.groupby(stage.quasi, dropna=False, sort=False).size().min())
    lack = [key if isinstance(key, tuple) else (key,) for key, n in sizes.items() for _ in range(promised - n)]
    new = pd.DataFrame([[*key, NEWCOMER] for key in lack], columns=[*others, stage.hidden])
    later = pd.concat([second[[*others, stage.hidden]], new], ignore_index=True) if len(new) else second
    known = {head: tree for head, tree in trees.items() if tree}
    found = ATTACKS[name].find(first, later, stage.quasi, others, stage.hidden, hierarchies=known)
    who = "one new person" if len(new) == 1 else f"{len(new)} new people"
    came = f" With {who} its classes are as large as those of the first." if len(new) else ""
    return Scene(name, stage.rows, _second_said(stage) + came + _cut(stage), found)


def _equivalence(name: str, stage: _Stage) -> Scene:
    frame = stage.frame()
    classes = [part for _, part in frame.groupby(stage.quasi, dropna=False, sort=False)]
    mixed = [part for part in classes if 2 <= len(part) <= MOST_WORLDS and part[stage.hidden].nunique(dropna=False) > 1]
    if not mixed:
        why = f"It takes a class of two to {MOST_WORLDS} people with different values, and there is none."
        return Scene(name, stage.rows, why_not=f"{why} Publish coarser, or finer.")
    first = min(mixed, key=len).reset_index(drop=True)
    second = first.copy()
    second.loc[0, PERSON] = -1
    table, gone = stage.release.table, int(first.loc[0, PERSON])
    said = f"{table.person(gone)} leaves, {NEWCOMER} comes, and the same values are published of the class again."
    found = ATTACKS[name].find([first, second], PERSON, [stage.quasi, stage.quasi], stage.hidden)
    return Scene(name, tuple(map(int, first[PERSON])), said[:1].upper() + said[1:], found, people=(NEWCOMER,))


def _correlation() -> Scene:
    design = TWO_COINS
    coins = [[design.yes_if_yes, 1 - design.yes_if_yes], [design.yes_if_no, 1 - design.yes_if_no]]
    return Scene("data correlation", correlation=data_correlation(JOINT, coins, coins, 0, 0))


def _needs_two(name: str, stage: _Stage) -> Scene | None:
    if len(stage.quasi) > 1:
        return None
    why = "It takes two releases that differ in what they show: choose two quasi-identifiers or more."
    return Scene(name, stage.rows, why_not=why)


def _second_said(stage: _Stage) -> str:
    publishing = stage.release.publishing
    finer = [head for head, k in zip(stage.quasi[1:], publishing.quasi[1:], strict=True) if publishing.level(k) > 0]
    more = f" and shows {_some(finer)} one level finer" if finer else ""
    return f"A second release of the same people leaves {stage.quasi[0]} out{more}."


def _cut(stage: _Stage) -> str:
    kept = stage.release.kept
    return f" Played on the first {len(stage.rows)} of {kept:,} people." if len(stage.rows) < kept else ""


def _some(words: list[str], most: int = 4) -> str:
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more} more" if more > 0 else "")


_FEW = frozenset({"tuple correspondence", "unknown releases"})
_SCENES: dict[str, Callable[[str, _Stage], Scene]] = {
    "homogeneity": _alone,
    "skewness": _alone,
    "similarity": _similarity,
    "unsorted matching": _two_releases,
    "join": _two_releases,
    "tuple correspondence": _correspondence,
    "tuple equivalence": _equivalence,
    "unknown releases": _two_releases,
    "presence": _presence,
    "identity": _identity,
    "attribute": _alone,
}

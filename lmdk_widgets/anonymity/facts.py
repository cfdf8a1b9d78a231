"""What an attack on a table found, as facts: rows, values and probabilities. Other modules turn them into sentences.

People are positions in the table, counted from 0. No fact contains more of a table than the attacker ends up knowing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from inspect import Parameter, signature
from math import inf
from typing import Any

DISTINCT = "distinct l-diversity"
CLOSENESS = "t-closeness"
ANONYMITY = "k-anonymity"

DOMAIN = "knowledge of the sensitive values"
COMPLEMENTARY = "complementary releases"
CORRELATION = "data correlation"
DISCLOSURE = "disclosure"


@dataclass(frozen=True)
class Hit:
    """What the attacker learns about one person.

    Attributes
    ----------
    row : the person.
    column : the column that the attacker learns about; None if it is which record is theirs, or whether they have one.
    value : the attacker's likeliest belief: a value of the column or its meaning; True or False for presence.
    before, after : the probability of `value` before and after the attack, in [0, 1]; of the right record if `column`
        is None.
    candidates_before, candidates : rows of the release that may be the person's, before and after.
    linked : rows of another release that may be the person's, or other people who must have the same value.
    """

    row: int
    column: Hashable
    value: Any
    before: float
    after: float
    candidates_before: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    linked: tuple[int, ...] = ()

    @property
    def gain(self) -> float:
        """How many times as likely `value` has become: ``after / before``."""
        return self.after / self.before if self.before else inf

    @property
    def odds_factor(self) -> float:
        """The factor on the odds: ``after / (1 - after)`` over ``before / (1 - before)``; infinite when certain."""
        against = (1 - self.after) * self.before
        return self.after * (1 - self.before) / against if against else inf


@dataclass(frozen=True)
class Prevention:
    """The measure that would have prevented the attack: its name, its value here, and the value it would need.

    `at_least` is False where the measure must be `needed` or less.
    """

    measure: str
    found: float
    needed: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the release meets the requirement."""
        return self.found >= self.needed if self.at_least else self.found <= self.needed


@dataclass(frozen=True)
class Findings:
    """What one attack found.

    Attributes
    ----------
    known : the columns whose values the attacker knows.
    people : how many people were attacked.
    hits : the people it hits, by row.
    prevention : the measure that would have prevented it.
    """

    known: tuple[Hashable, ...]
    people: int
    hits: tuple[Hit, ...]
    prevention: Prevention

    @property
    def rows(self) -> tuple[int, ...]:
        """The people who are hit, each once."""
        return tuple(sorted({hit.row for hit in self.hits}))


@dataclass(frozen=True)
class Attack:
    """An attack or a disclosure: a description without numbers, and the function that carries it out.

    Attributes
    ----------
    name, family : its name and its kind.
    knows : what the attacker knows.
    follows : what follows from that.
    prevented_by : the measure that would have prevented it.
    discloses : "presence", "identity" or "attribute".
    source : the paper.
    find : the function.
    arguments : the names of the function's arguments without a default, in order.
    """

    name: str
    family: str
    knows: str
    follows: str
    prevented_by: str
    discloses: str
    source: str
    find: Callable[..., Any]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that must be given."""
        return tuple(n for n, p in signature(self.find).parameters.items() if p.default is Parameter.empty)

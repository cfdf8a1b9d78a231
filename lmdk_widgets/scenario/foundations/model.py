"""What a user of the foundations page chooses, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.anonymity.attacks import ATTACKS, DISCLOSURES
from lmdk_widgets.scenario.base.choices import Choices
from lmdk_widgets.scenario.base.fields import Slider, choice, indices, number, numbers, whole
from lmdk_widgets.scenario.foundations.table import MAX_COLUMNS

PARTS: dict[str, str] = {
    "table": "A table: people who look alike in what is published, and how attacks get behind it.",
}
"""The parts of the page, in order."""

TABLES: dict[str, str] = {
    "t1": "Six people at t1: where each of them is, and what they do.",
    "t2": "Six people at t2: the same people a moment later.",
    "adults": "4,000 adults: invented people with the columns of a census.",
    "own": "A table of your own: a CSV file that you upload.",
}
"""Tables that can be published."""

NO_ATTACK = "none"
PLAYS: dict[str, str] = {
    NO_ATTACK: "No attack: the release alone.",
    **{name: f"{name.capitalize()}: {attack.follows}" for name, attack in {**ATTACKS, **DISCLOSURES}.items()},
}
"""What is played on the release: the attacks, and the disclosures that they lead to."""

DEFAULT = -1
"""As the sensitive column: the one that suits the table."""

OF_TABLE = ("quasi", "sensitive", "levels")
"""Choices that are about the columns of one table; with another one they and the least class begin anew."""

_LEAST = Slider(1, 20, step=1, ends=("keep everybody", "large classes only"))
_C = Slider(0.5, 5, step=0.1, ends=("an even mixture", "any mixture"), backwards=False)


@dataclass(frozen=True)
class Foundations(Choices):
    """Everything that can be chosen on the page. Immutable; `with_changes` gives the next one.

    Attributes
    ----------
    part : what is shown, a key of `PARTS`.
    table : what is published, a key of `TABLES`.
    quasi : columns that an attacker knows, from 0; empty: those that suit the table.
    sensitive : the column to be hidden, from 0; -1: the one that suits the table.
    levels : how coarse each column is published, 0 for exact; columns beyond the end are exact.
    least : classes with fewer people are left out.
    recursive_c : c of recursive diversity.
    attack : what is played on the release, a key of `PLAYS`.

    Examples
    --------
    >>> choices = Foundations(table="adults", least=5)
    >>> Foundations(**choices.to_dict()) == choices
    True
    """

    PAGE: ClassVar[str] = "foundations"

    part: str = choice("table", PARTS, "Part", "Part")
    table: str = choice("t1", TABLES, "Table", "Table")
    least: int = whole(
        1, (1, 1_000), "Leave out classes below", "Table", subject="The least class", unit="people", slider=_LEAST
    )
    recursive_c: float = number(2.0, (0.1, 100.0), "c of recursive diversity", "Table", subject="c", slider=_C)
    quasi: tuple[int, ...] = indices("Quasi-identifiers", most=MAX_COLUMNS)
    sensitive: int = whole(DEFAULT, (DEFAULT, MAX_COLUMNS - 1), "Sensitive column")
    levels: tuple[float, ...] = numbers((), (0, 9), "Levels", most=MAX_COLUMNS)
    attack: str = choice(NO_ATTACK, PLAYS, "Attack")

    def with_table(self, table: str) -> Foundations:
        """Another table, with the columns that suit it."""
        start = self.defaults()
        return self.with_changes(table=table, **{name: start[name] for name in (*OF_TABLE, "least")})

    def told(self) -> Mapping[str, Any]:
        """Nothing that is about the columns of a table of the user's own."""
        found = dict(super().told())
        return {n: v for n, v in found.items() if self.table != "own" or n not in OF_TABLE}

    def visible(self) -> list[str]:
        groups = {"Part", "Table"}
        return [name for name, kind in self.kinds().items() if kind.group in groups]

"""An attack in four steps: what the attacker knew, what follows, whom it hits, which measure would have prevented it."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, isfinite, isinf
from typing import NamedTuple

from lmdk_widgets.anonymity.attacks import ATTACKS, DISCLOSURES
from lmdk_widgets.anonymity.facts import Findings, Hit
from lmdk_widgets.checks import joined
from lmdk_widgets.scenario.base.amounts import amount, bound, percent
from lmdk_widgets.scenario.foundations.scenes import Scene
from lmdk_widgets.scenario.foundations.table import Table

Namer = Callable[[int], str]
"""What the person at a position of the findings is called."""

NAMED = 6
"""So many people who are hit are named; of more their number is said."""


class Step(NamedTuple):
    """A step of an attack: its heading, what is said, and the rows of the table that the picture marks."""

    title: str
    text: str
    rows: tuple[int, ...]


def steps(table: Table, scene: Scene) -> list[Step]:
    """The four steps of an attack, or of the reason why it cannot be played."""
    attack = {**ATTACKS, **DISCLOSURES}[scene.name]
    if scene.correlation is not None:
        return _correlated(scene, *((0,), (3,)) if table.people else ((), ()))
    if scene.found is None:
        knew = Step("What the attacker knew", attack.knows, ())
        return [knew, Step("Why it does not work here", scene.why_not, ())]
    found, name = scene.found, _namer(table, scene)
    hit = next(iter(found.hits), None)
    victim = hit.row if hit is not None else 0
    hits = tuple(scene.rows[row] for row in found.rows if row < len(scene.rows))
    columns = joined(dict.fromkeys(map(str, found.known)), "and")
    before = hit.candidates_before if hit is not None else ()
    looked_at = tuple(scene.rows[row] for row in before if row < len(scene.rows))
    return [
        Step(
            "What the attacker knew",
            f"{attack.knows} Here: {columns} of {name(victim)}. {scene.setting}".rstrip(),
            (scene.rows[victim],),
        ),
        Step("What follows", _follows(attack.follows, found, hit, name), looked_at),
        Step("Whom it hits", _whom(found, name), hits),
        Step("What would have prevented it", _prevented(attack.prevented_by, found), hits),
    ]


def _namer(table: Table, scene: Scene) -> Namer:
    def name(position: int) -> str:
        inside = position < len(scene.rows)
        return table.person(scene.rows[position]) if inside else scene.people[position - len(scene.rows)]

    return name


def _follows(follows: str, found: Findings, hit: Hit | None, name: Namer) -> str:
    if hit is None:
        alone = found.prevention.needed <= 1 and found.prevention.at_least
        return f"{follows} {'Here each release gives that away by itself.' if alone else 'Here nobody is hit.'}"
    after = percent(hit.after) if hit.after == 1 or hit.after < 0.995 else "more than 99 %"  # which is not certain
    chance = f"from {percent(hit.before)} to {after}"
    if hit.linked and found.prevention.measure.startswith("pairs"):
        said = f"{_upper(name(hit.row))} and {name(hit.linked[0])} are known to be equal: that chance goes {chance}."
    elif hit.column is None and isinstance(hit.value, bool):
        there = "is" if hit.value else "is not"
        said = f"The chance that {name(hit.row)} {there} in the release goes {chance}."
    elif hit.column is None:
        said = f"The chance to pick the record of {name(hit.row)} goes {chance}."
    elif hit.value is None and hit.after < 1:
        said = f"The chance to guess what {name(hit.row)} has goes {chance}."
    else:
        value = "no value" if hit.value is None else f"“{hit.value}”"
        said = f"The chance that {name(hit.row)} has {value} goes {chance}.{_grown(hit)}"
    return f"{follows} {said}"


def _grown(hit: Hit) -> str:
    if not isfinite(hit.odds_factor) or hit.odds_factor <= 1:
        return ""
    return f" The share grows {amount(hit.gain)} times, the odds {amount(hit.odds_factor)} times."


def _whom(found: Findings, name: Namer) -> str:
    rows = found.rows
    if not rows:
        return f"Nobody of {_people(found.people)}."
    people = _people(found.people)
    if len(rows) <= NAMED:
        return f"{len(rows)} of {people}: {joined([name(row) for row in rows], 'and')}."
    return f"{len(rows):,} of {people}, {name(rows[0])} and {name(rows[1])} among them."


def _people(number: int) -> str:
    return "one person" if number == 1 else f"{number:,} people"


def _prevented(prevented_by: str, found: Findings) -> str:
    needed = found.prevention
    limit = "at least" if needed.at_least else "at most"
    wanted = f"{limit} {_number(needed.needed, up=needed.at_least)}"
    # to the side of the limit on which it lies, so that what is said shows whether it is met
    have = f"Here {needed.measure} is {_number(needed.found, up=needed.met == needed.at_least)} and must be {wanted}"
    return f"{prevented_by} {have}: it is {'met' if needed.met else 'not met'}."


def _number(value: float, up: bool) -> str:
    """A number, rounded up or down: a limit so that whatever keeps to what is said keeps to it."""
    if isinf(value):
        return "more than so few people can have"
    if value == round(value):
        return f"{value:,.0f}"
    return bound(value, up)


def _correlated(scene: Scene, donald: tuple[int, ...], dewey: tuple[int, ...]) -> list[Step]:
    found, attack = scene.correlation, ATTACKS[scene.name]
    assert found is not None
    own, both = found.after_own[0], found.after_both[0]
    story = (
        "Donald is at work half of the time; then Dewey is at home with chance 90 %, otherwise with 20 %. Both answer by "
        "two coins, Donald “at work” and Dewey “at home”: each answer alone is ε = ln 3 private."
    )
    return [
        Step("What the attacker knew", f"{attack.knows} {story}", (*donald, *dewey)),
        Step(
            "What follows",
            f"{attack.follows} That Donald is at work goes from {percent(found.prior[0])} to {percent(own)} by his own "
            f"answer, and to {percent(both)} (6/7) by Dewey's too.",
            (*donald, *dewey),
        ),
        Step(
            "Whom it hits",
            f"Donald: his own answer changes the odds by at most 3, his budget. Both together change them by 6 here, and by "
            f"up to {bound(exp(found.most_both))} if both say no.",
            donald,
        ),
        Step("What would have prevented it", f"{attack.prevented_by} No measure of the table above sees it.", ()),
    ]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]

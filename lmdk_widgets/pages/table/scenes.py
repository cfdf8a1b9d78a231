"""The attacks played on the table that the page shows, as plain lists: pandas would take a third of a kernel's memory.

Each is told in four steps: what the attacker knew, what follows, whom it hits, which measure would have prevented it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, isfinite, isinf
from typing import Any, NamedTuple

from lmdk_widgets.anonymity.all_attacks import ATTACKS, PLAYABLE
from lmdk_widgets.anonymity.coding import Plain
from lmdk_widgets.anonymity.correlation import Correlation, data_correlation
from lmdk_widgets.anonymity.facts import Findings, Hit
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import joined
from lmdk_widgets.noise import TWO_COINS
from lmdk_widgets.page.amounts import amount, bound, numeral, percent, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.levels import coarser
from lmdk_widgets.pages.table.release import Publishing, Release, publish
from lmdk_widgets.pages.table.table import Table

PERSON = 0
"""The key of the column that identifies people, for attackers who know who is in which class; others have their names."""

MOST_PEOPLE = 200
"""Attacks that enumerate possible matches are played on this many people, the first ones of the table."""
MOST_WORLDS = 7
"""The most people in a class whose values are permuted in every possible way."""

NEWCOMER = "someone new"

JOINT = ((0.45, 0.05), (0.1, 0.4))
"""Donald is at work with chance 1/2; Dewey is at home with chance 9/10 then, and 1/5 otherwise."""
Namer = Callable[[int], str]
"""The name of the person at a position of the findings."""

NAMED = 6
"""Up to this many people who are hit are named; with more, their number is given."""


@dataclass(frozen=True, eq=False)
class Scene:
    """An attack that was played.

    Attributes
    ----------
    name : of the attack.
    rows : rows of the table that took part; a position in the findings is a position in it.
    setting : what else was published or known, a sentence, or "".
    found : whom it hits; None if it cannot be played. why_not : the reason, then.
    people : names of positions that are not rows of the table.
    correlation : what two answers told, only for data correlation.
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

    def frame(self, finer: int = 0) -> Plain:
        """The release, or one whose columns are this many levels finer, with the hidden column and the person."""
        table, publishing = self.release.table, self.release.publishing
        columns = {table.heads[k]: coarser(table, k, max(0, publishing.level(k) - finer)) for k in publishing.quasi}
        columns[self.hidden] = table.coded[publishing.sensitive]
        found: dict[Any, list[Any]] = {}
        for head, held in columns.items():
            words = [*held.values, None]
            found[head] = [words[code] for code in held.code[list(self.rows)].tolist()]
        return Plain(found | {PERSON: list(self.rows)})

    def second(self) -> Plain:
        """Another release of the same people: without the first column, each other one a level finer."""
        return self.frame(finer=1).without(self.quasi[0])


@cached("visitor", entries=8)
def play(table: Table, publishing: Publishing, name: str) -> Scene:
    """An attack or a disclosure on the release of a table."""
    if name == "data correlation":
        return _correlation()
    release = publish(table, publishing)
    rows = [row for row, group in enumerate(release.of_row.tolist()) if group >= 0]
    if not rows:
        return Scene(name, why_not="Nobody is left in the release: there is nothing to attack.")
    few = tuple(rows[:MOST_PEOPLE]) if name in _FEW else tuple(rows)
    several = {"second", "releases"} & set(PLAYABLE[name].arguments)
    return _SCENES.get(name, _two_releases if several else _one_release)(name, _Stage(release, few))


def _one_release(name: str, stage: _Stage) -> Scene:
    """An attack that uses what was published, and perhaps the hidden column."""
    given = {"table": stage.frame(), "quasi_identifiers": stage.quasi, "sensitive": stage.hidden}
    return Scene(name, stage.rows, found=_found(name, given))


def _found(name: str, given: Mapping[str, Any]) -> Findings:
    """What an attack finds, given at least the arguments that it takes."""
    return PLAYABLE[name].find(**{argument: given[argument] for argument in PLAYABLE[name].arguments})


def _similarity(name: str, stage: _Stage) -> Scene:
    meaning = stage.release.table.meaning(stage.release.publishing.sensitive)
    if meaning is None:
        why = "The page does not know what these words mean: choose a sensitive column of numbers, or an example."
        return Scene(name, stage.rows, why_not=why)
    groups: dict[Any, list[str]] = {}
    for value, means in meaning.items():
        groups.setdefault(means, []).append(str(value))
    said = "; ".join(f"“{means}”: {_some(values)}" for means, values in groups.items())
    found = PLAYABLE[name].find(stage.frame(), stage.quasi, stage.hidden, meaning)
    return Scene(name, stage.rows, sentence("The values mean: {values}.", values=said), found)


def _presence(name: str, stage: _Stage) -> Scene:
    frame = stage.frame()
    said = (
        "Suppose only every second person, from the first on, is in the release, and everybody knows the whole table."
    )
    return Scene(name, stage.rows, said, PLAYABLE[name].find(frame.rows(range(0, len(frame), 2)), frame, stage.quasi))


def _two_releases(name: str, stage: _Stage) -> Scene:
    """Attacks that use a second release of the same people."""
    lacks = _needs_two(name, stage)
    if lacks:
        return lacks
    first, second, others = stage.frame(), stage.second(), stage.quasi[1:]
    order = ""
    if name == "unsorted matching":
        order = " Both have their rows in the same order."
    elif name == "join":
        second = second.rows(range(len(second))[::-1])
        order = sentence(" Its rows are in another order, and both show {hidden}.", hidden=stage.hidden)
    setting = sentence("{second}{order}{cut}", second=_second_said(stage), order=order, cut=_cut(stage))
    given = {
        "first": first,
        "second": second,
        "known_first": stage.quasi,
        "known_second": others,
        "on": [stage.hidden],
        "releases": [first, second],
        "person": PERSON,
        "quasi_identifiers": [stage.quasi, others],
        "sensitive": stage.hidden,
    }
    return Scene(name, stage.rows, setting, _found(name, given))


def _correspondence(name: str, stage: _Stage) -> Scene:
    lacks = _needs_two(name, stage)
    if lacks:
        return lacks
    first, second, others = stage.frame(), stage.second(), stage.quasi[1:]
    pairs = {head: zip(first.held[head], second.held[head], strict=True) for head in others}
    trees = {head: {b: a for a, b in found if a != b} for head, found in pairs.items()}
    promised = min(map(len, first.groups(stage.quasi).values()))
    new = [key for key, rows in second.groups(others).items() for _ in range(promised - len(rows))]
    came_with = {head: [key[k] for key in new] for k, head in enumerate(others)} | {stage.hidden: [NEWCOMER] * len(new)}
    later = Plain({head: [*second.held[head], *added] for head, added in came_with.items()})
    known = {head: tree for head, tree in trees.items() if tree}
    found = PLAYABLE[name].find(first, later, stage.quasi, others, stage.hidden, hierarchies=known)
    who = "one new person" if len(new) == 1 else sentence("{came} new people", came=whole(len(new)))
    came = sentence(" With {who}, its classes are as large as those of the first.", who=who) if len(new) else ""
    return Scene(
        name, stage.rows, sentence("{second}{came}{cut}", second=_second_said(stage), came=came, cut=_cut(stage)), found
    )


def _equivalence(name: str, stage: _Stage) -> Scene:
    frame = stage.frame()
    hidden = frame.held[stage.hidden]
    classes = frame.groups(stage.quasi).values()
    mixed = [rows for rows in classes if 2 <= len(rows) <= MOST_WORLDS and len({hidden[row] for row in rows}) > 1]
    if not mixed:
        why = sentence(
            "This needs a class of two to {most_in_class} people with different values, and there is none. Publish "
            "coarser or finer values.",
            most_in_class=numeral(MOST_WORLDS),
        )
        return Scene(name, stage.rows, why_not=why)
    first = frame.rows(min(mixed, key=len))
    gone, *others = first.held[PERSON]
    second = Plain({**first.held, PERSON: [-1, *others]})
    table = stage.release.table
    left = _upper(table.person(gone))
    said = sentence(
        "{left_first} leaves, {newcomer} comes, and the same values are published for the class again.",
        left_first=left,
        newcomer=NEWCOMER,
    )
    found = PLAYABLE[name].find([first, second], PERSON, [stage.quasi, stage.quasi], stage.hidden)
    return Scene(name, tuple(first.held[PERSON]), said, found, people=(NEWCOMER,))


def _correlation() -> Scene:
    design = TWO_COINS
    coins = [[design.yes_if_yes, 1 - design.yes_if_yes], [design.yes_if_no, 1 - design.yes_if_no]]
    return Scene("data correlation", correlation=data_correlation(JOINT, coins, coins, 0, 0))


def _needs_two(name: str, stage: _Stage) -> Scene | None:
    if len(stage.quasi) > 1:
        return None
    why = "This needs two releases that differ in what they show: choose two or more quasi-identifiers."
    return Scene(name, stage.rows, why_not=why)


def _second_said(stage: _Stage) -> str:
    publishing = stage.release.publishing
    finer = [head for head, k in zip(stage.quasi[1:], publishing.quasi[1:], strict=True) if publishing.level(k) > 0]
    more = sentence(" and shows {finer} one level finer", finer=_some(finer)) if finer else ""
    return sentence(
        "A second release of the same people leaves {without} out{more}.", without=stage.quasi[0], more=more
    )


def _cut(stage: _Stage) -> str:
    kept = stage.release.kept
    return (
        sentence(
            " Played on the first {played_on} of {kept} people.", played_on=whole(len(stage.rows)), kept=whole(kept)
        )
        if len(stage.rows) < kept
        else ""
    )


def _some(words: list[str], most: int = 4) -> str:
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more} more" if more > 0 else "")


_FEW = frozenset({"tuple correspondence", "unknown releases"})
_SCENES: dict[str, Callable[[str, _Stage], Scene]] = {
    "similarity": _similarity,
    "tuple correspondence": _correspondence,
    "tuple equivalence": _equivalence,
    "presence": _presence,
}
"""Attacks with a setting of their own; the others get a release, or two, by the names of their arguments."""


class Step(NamedTuple):
    """A step of an attack: its heading, what is said, and the rows of the table that the picture marks."""

    title: str
    text: str
    rows: tuple[int, ...]


def steps(table: Table, scene: Scene) -> list[Step]:
    """The four steps of an attack, or of the reason why it cannot be played."""
    attack = PLAYABLE[scene.name]
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
            sentence(
                "{knows} Here: {known_here} of {victim}.{space}{setting}",
                knows=attack.knows,
                known_here=columns,
                victim=name(victim),
                space=scene.setting and " ",
                setting=scene.setting,
            ),
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
        nobody = "Here each release gives that away by itself." if alone else "Here nobody is hit."
        return sentence("{follows} {nobody}", follows=follows, nobody=nobody)
    after = percent(hit.after)
    if 0.995 <= hit.after < 1:  # which is not certain
        after = Written("more than 99 %", hit.after, -1)
    goes = sentence("from {chance_before} to {chance_after}", chance_before=percent(hit.before), chance_after=after)
    said: str
    if hit.linked and "pairs" in found.prevention.measure:
        said = sentence(
            "{hit_first} and {linked} are known to be equal: that chance goes {goes}.",
            hit_first=_upper(name(hit.row)),
            linked=name(hit.linked[0]),
            goes=goes,
        )
    elif hit.column is None and isinstance(hit.value, bool):
        there = "is" if hit.value else "is not"
        said = sentence(
            "The chance that {hit} {there} in the release goes {goes}.", hit=name(hit.row), there=there, goes=goes
        )
    elif hit.column is None:
        said = sentence("The chance of picking the record of {hit} goes {goes}.", hit=name(hit.row), goes=goes)
    elif hit.value is None and hit.after < 1:
        said = sentence("The chance of guessing what {hit} has goes {goes}.", hit=name(hit.row), goes=goes)
    else:
        value = "no value" if hit.value is None else f"“{hit.value}”"
        said = sentence(
            "The chance that {hit} has {value} goes {goes}.{grown}",
            hit=name(hit.row),
            value=value,
            goes=goes,
            grown=_grown(hit),
        )
    return sentence("{follows} {said}", follows=follows, said=said)


def _grown(hit: Hit) -> str:
    if not isfinite(hit.odds_factor) or hit.odds_factor <= 1:
        return ""
    return sentence(
        " The share grows {share_gain} times, the odds {odds_gain} times.",
        share_gain=amount(hit.gain),
        odds_gain=amount(hit.odds_factor),
    )


def _whom(found: Findings, name: Namer) -> str:
    rows = found.rows
    if not rows:
        return sentence("None of {people}.", people=headcount(found.people))
    people = headcount(found.people)
    if len(rows) <= NAMED:
        return sentence(
            "{n_hit} of {people}: {names}.",
            n_hit=whole(len(rows)),
            people=people,
            names=joined([name(row) for row in rows], "and"),
        )
    return sentence(
        "{n_hit} of {people}, including {hit} and {hit_next}.",
        n_hit=whole(len(rows)),
        people=people,
        hit=name(rows[0]),
        hit_next=name(rows[1]),
    )


def headcount(number: int) -> Written:
    """ "One person", "2,016 people"."""
    return Written("one person" if number == 1 else f"{number:,} people", number)


def every_person(number: int) -> Written:
    """All of two people or more."""
    return Written("both people" if number == 2 else f"all {number:,} people", number)


def capital(number: Written) -> Written:
    """A number that begins a sentence."""
    return Written(_upper(number), number.value)


def _prevented(prevented_by: str, found: Findings) -> str:
    needed = found.prevention
    limit = "at least" if needed.at_least else "at most"
    # rounded towards its own side of the limit, so that the number shows whether it is met
    have = _number(needed.found, up=needed.met == needed.at_least)
    return sentence(
        "{prevented_by} Here {measure} is {measured} and must be {limit} {needed}: it is {met}.",
        prevented_by=prevented_by,
        measure=needed.measure,
        measured=have,
        limit=limit,
        needed=_number(needed.needed, up=needed.at_least),
        met="met" if needed.met else "not met",
    )


def _number(value: float, up: bool) -> str:
    """A number, rounded up or down: for a limit, so that whatever meets the stated one meets the true one."""
    if isinf(value):
        return "more than this few people can have"
    if value == round(value):
        return whole(round(value))
    return bound(value, up)


def _correlated(scene: Scene, donald: tuple[int, ...], dewey: tuple[int, ...]) -> list[Step]:
    found, attack = scene.correlation, ATTACKS[scene.name]
    assert found is not None
    own, both = found.after_own[0], found.after_both[0]
    (both_true, only_own), (only_other, neither) = JOINT
    story = sentence(
        "Donald is at work half of the time; then Dewey is at home with chance {home_if_work}, otherwise with "
        "{home_if_not}. Both answer with two coins, Donald “at work” and Dewey “at home”: each answer alone is ε = ln 3 "
        "private.",
        home_if_work=percent(both_true / (both_true + only_own)),
        home_if_not=percent(only_other / (only_other + neither)),
    )
    return [
        Step("What the attacker knew", sentence("{knows} {story}", knows=attack.knows, story=story), (*donald, *dewey)),
        Step(
            "What follows",
            sentence(
                "{follows} The belief that Donald is at work goes from {belief_before} to {belief_after_own} by his own "
                "answer, and to {belief_after_both} (6/7) by Dewey's too.",
                follows=attack.follows,
                belief_before=percent(found.prior[0]),
                belief_after_own=percent(own),
                belief_after_both=percent(both),
            ),
            (*donald, *dewey),
        ),
        Step(
            "Whom it hits",
            sentence(
                "Donald: his own answer changes the odds by at most {most_own_odds}, his budget. Both together change them "
                "by {odds_here} here, and by up to {most_both_odds} if both say no.",
                most_own_odds=bound(exp(found.most_own)),
                odds_here=amount(both / (1 - both)),
                most_both_odds=bound(exp(found.most_both)),
            ),
            donald,
        ),
        Step("What would have prevented it", f"{attack.prevented_by} No measure in the table above detects it.", ()),
    ]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]

"""The sentences of a table and its attacks with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.pages.table import TableChoices
from tests.every_number import table_answers as answered
from tests.every_number.claims import WITHIN, Claims, Hole, Pattern, least, most
from tests.every_number.landmarks_words import told_unless
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_published_truth import NO_VALUE, listed, people
from tests.every_number.table_truth import AddingTruth


def large(text: str) -> str:
    return text[:1].upper() + text[1:]


def how_published(t: AttackedTable) -> str:
    return listed([f"{t.held.heads[k]} ({t.titles(k)[t.level(k)]})" for k in t.quasi])


def when(find: Any, holds: Any) -> Any:
    """A number that may be said only where something holds."""
    return lambda t: find(t) if holds(t) else "NOT TRUE HERE"


def several(t: AttackedTable) -> bool:
    return len(t.classes) > 1


HOW = {"how": how_published}
TABLE = [
    Pattern("finds the record with a chance of at most one in {k#}.", k=lambda t: t.k if t.k > 1 else -1),
    Pattern(
        "Published with {how*}, {n#} people form {k#} classes of people who",
        n=lambda t: len(t.kept),
        k=lambda t: len(t.classes),
        **HOW,
    ),
    Pattern(
        "Published with {how*}, {all*} look alike: there is one class.",
        all=lambda t: (
            "NOT TRUE HERE" if several(t) else "both people" if len(t.kept) == 2 else f"all {len(t.kept):,} people"
        ),
        **HOW,
    ),
    Pattern(
        "Published with {how*}, no class is large enough: everybody is left out, {who*}.",
        who=lambda t: people(t.n) if not t.kept else "NOT TRUE HERE",
        **HOW,
    ),
    Pattern("Published with {how*}, there is one person.", how=when(how_published, lambda t: len(t.kept) == 1)),
    Pattern(
        " {lost*} ({share}) <is|are> left out.",
        lost=lambda t: people(t.lost).capitalize(),
        share=lambda t: t.lost / t.n,
    ),
    Pattern(
        "Of all {n#} combinations of levels, these keep the most detail.",
        n=lambda t: len(t.every_way) if not t.c.levels and t.c.least > 1 and t.kept else -1,
    ),
    Pattern("k = {k#}: the smallest class has {people*}.", k="k", people=lambda t: people(t.k)),
    Pattern("l = {l#}: some class has no more than {l#} value<|s> of {hides*};", l="distinct", hides="hides"),
    Pattern(
        "l = {l#}: some class has no more than one value of {hides*};",
        l=lambda t: t.distinct if t.distinct == 1 else -1,
        hides="hides",
    ),
    Pattern(
        "by entropy l = {l}, and it is recursively ({c}, {r#})-diverse.",
        l=least("entropy", slack=2e-9),
        c=lambda t: t.c.recursive_c,
        r=lambda t: t.recursive or -1,
    ),
    Pattern(
        "by entropy l = {l}, and it is not even recursively ({c}, 1)-diverse.",
        l=least("entropy", slack=2e-9),
        c=lambda t: -1 if t.recursive else t.c.recursive_c,
    ),
    Pattern(" t = {t}: at most this far is the mixture", t=most("closeness", slack=2e-9)),
    Pattern(
        "at most this far is the mixture of a class from that of the table, or {t} with the values in their order.",
        t=most("ordered", slack=2e-9, size=1e-12),
    ),
    Pattern("which is one of at least {k#} that look alike", k=lambda t: t.k if t.k > 1 else -1),
    Pattern("{who*} <is|are> alone in a class", who=lambda t: people(t.alone).capitalize()),
    Pattern(
        "{who*} <lacks|lack> a value of {known*}: a missing",
        who=lambda t: people(t.lacking).capitalize(),
        known="known",
    ),
    # the picture
    Pattern(
        "One class, the largest of {a*}, the smallest of {a*}.",
        a=lambda t: people(len(t.kept)) if not several(t) else "NOT TRUE HERE",
    ),
    Pattern(
        "{k#} classes, the largest of {a*}, the smallest of {b*}.",
        k=lambda t: len(t.classes) if several(t) else -1,
        a=lambda t: people(len(t.classes[0])),
        b=lambda t: people(t.k),
    ),
    # what the attacks say of themselves
    Pattern("Two releases of the same people <whose rows are in the same order|that have columns in common>."),
    Pattern("Distinct l-diversity with two values or more in each class."),
    Pattern("The person's class in two releases, each of which"),
    Pattern("How the secrets of two people depend on each other"),
    Pattern("Two people must have the same sensitive value, whatever it is"),
]


def victim(t: AttackedTable) -> str:
    a = t.attack
    return a.person(a.struck[0]) if a.hits else a.person(a.rows[0])


def named(t: AttackedTable, large_letter: bool = False) -> str:
    who = t.attack.person(t.attack.struck[0]) if t.attack and t.attack.hits else "NOT TRUE HERE"
    return large(who) if large_letter else who


def value(t: AttackedTable) -> str:
    found = t.attack.first
    return NO_VALUE if found.value is None else f"“{found.value}”"


def meanings(t: AttackedTable) -> str:
    """Each meaning with up to four of the values that have it."""
    groups: dict[str, list[str]] = {}
    order = list(t.attack.meaning)
    for one in sorted(order) if t.numeric[t.sensitive] else order:
        groups.setdefault(t.attack.meaning[one], []).append(str(one))

    def some(words: list[str]) -> str:
        return ", ".join(words[:4]) + (f" and {len(words) - 4} more" if len(words) > 4 else "")

    return "; ".join(f"“{means}”: {some(words)}" for means, words in groups.items())


def people_of(t: AttackedTable) -> str:
    """How many the attack was on: who left and who came are both of them."""
    return people(len(t.attack.rows) + (t.attack.name == "tuple equivalence"))


def whom(t: AttackedTable) -> str:
    a = t.attack
    if a is None:
        return "NOT TRUE HERE"
    names = [a.person(row) for row in a.struck]
    if not names:
        return f"None of {people_of(t)}."
    if len(names) <= 6:
        return f"{len(names)} of {people_of(t)}: {listed(names)}."
    return f"{len(names):,} of {people_of(t)}, including {names[0]} and {names[1]}."


def finer(t: AttackedTable) -> str:
    heads = [t.held.heads[k] for k in t.attack.others if t.level(k) > 0]
    more = (
        f" and shows {', '.join(heads[:4])}{f' and {len(heads) - 4} more' if len(heads) > 4 else ''} one level finer"
        if heads
        else ""
    )
    return f"{t.held.heads[t.quasi[0]]} out{more}"


def part(t: AttackedTable) -> int:
    return len(t.attack.rows) if t.attack and len(t.attack.rows) < len(t.kept) else -1


def learned(t: AttackedTable, name: str) -> float:
    return float(getattr(t.attack.first, name))


def odds_of(chance: float) -> float:
    return chance / (1 - chance) if chance < 1 else math.inf


def nearly(t: AttackedTable) -> bool:
    """Whether a chance is so large that it would be rounded to certainty."""
    return bool(t.attack and t.attack.hits) and 0.995 <= t.attack.first.after < 1


CHANCES = {
    "before": lambda t: learned(t, "before"),
    "after": lambda t: 0.99 if nearly(t) else learned(t, "after"),
}
GROWN = {
    "share": lambda t: learned(t, "after") / learned(t, "before"),
    "odds": lambda t: odds_of(learned(t, "after")) / odds_of(learned(t, "before")),
}

ATTACKED = [
    Pattern(" Here: {known*} of {who*}.", known="known", who=victim),
    Pattern("The values mean: {what*}.", what=meanings),
    Pattern("A second release of the same people leaves {what*}.", what=finer),
    Pattern(" Played on the first {n#} of {kept#} people.", n=part, kept=lambda t: len(t.kept)),
    Pattern(
        " With {n#} new people, its classes are as large as those of the first.",
        n=lambda t: t.attack.came if t.attack.came > 1 else -1,
    ),
    Pattern(
        "{who*} leaves, someone new comes, and the same values are published for the class again.",
        who=lambda t: large(t.attack.person(t.attack.gone)),
    ),
    Pattern(
        "The chance that {who*} has {value*} goes from {before} to <more than |>{after}.",
        who=named,
        value=value,
        **CHANCES,
    ),
    Pattern(
        "The chance that {who*} {is*} in the release goes from {before} to <more than |>{after}.",
        who=named,
        **{"is": lambda t: "is" if t.attack.first.value else "is not"},
        **CHANCES,
    ),
    Pattern(
        "The chance of picking the record of {who*} goes from {before} to <more than |>{after}.", who=named, **CHANCES
    ),
    Pattern("The chance of guessing what {who*} has goes from {before} to <more than |>{after}.", who=named, **CHANCES),
    Pattern(
        "{who*} and {other*} are known to be equal: that chance goes from {before} to <more than |>{after}.",
        who=lambda t: named(t, True),
        other=lambda t: t.attack.person(t.attack.first.with_whom),
        **CHANCES,
    ),
    Pattern(" The share grows {share} times, the odds {odds} times.", **GROWN),
    Pattern("{whom*}", alone=True, whom=whom),
    Pattern("This needs a class of two to {n#} people with different values, and there is none.", n=lambda t: 7),
    Pattern("This needs two releases that differ in what they show: choose two or more quasi-identifiers."),
    Pattern("The page does not know what these words mean: choose a sensitive column of numbers"),
]


def requirement(name: str, at_least: bool) -> list[Pattern]:
    """What was found, and what is needed: whoever keeps to the limit that is said keeps to the limit."""
    side = "at least" if at_least else "at most"
    holds = {
        "name": lambda t: name if t.attack.measure == name and t.attack.at_least == at_least else "NOT TRUE HERE",
        "found": Hole(lambda t: t.attack.found, WITHIN),
        "met": lambda t: "met" if t.attack.met else "not met",
    }
    hole = Hole(lambda t: t.attack.needed, 1 if at_least else -1)
    found = [
        Pattern(f"Here {{name*}} is {{found}} and must be {side} {{needed}}: it is {{met*}}.", needed=hole, **holds)
    ]
    if name == "k-anonymity":  # of one person alone
        never = told_unless("more than this few people can have", lambda t: math.isinf(t.attack.needed))
        found.append(Pattern("Here {name*} is {found} and must be at least {how*}: it is {met*}.", **never, **holds))
    return found


EVERY_REQUIREMENT = [
    *requirement("distinct l-diversity", True),
    *requirement("t-closeness", False),
    *requirement("distinct l-diversity of what the values mean", True),
    *requirement("k-anonymity of both releases, row by row", True),
    *requirement("k-anonymity of the join", True),
    *requirement("k-anonymity after all correspondences", True),
    *requirement("the number of pairs of people whose values must be equal", False),
    *requirement("distinct l-diversity over all releases", True),
    *requirement("delta-presence", False),
    *requirement("k-anonymity", True),
    *requirement("the largest share of a value in a class", False),
]

TWO = AddingTruth(TableChoices(part="adding", correlated=True))
"""Two coins on answers that depend on each other."""
SIX_SEVENTHS = Pattern(
    "{both} (6/7) ", both=lambda t: TWO.belief(0, 0) if abs(TWO.belief(0, 0) - 6 / 7) < 1e-12 else math.nan
)
COINED = [
    Pattern(
        "Donald is at work half of the time; then Dewey is at home with chance {one}, otherwise with {other}.",
        one=lambda t: TWO.joint[True, True] / TWO.belief(None, None),
        other=lambda t: TWO.joint[False, True] / (1 - TWO.belief(None, None)),
    ),
    Pattern("Both answer with two coins, Donald “at work” and Dewey “at home”: each answer alone is ε = ln 3 private."),
    Pattern(
        "The belief that Donald is at work goes from {prior} to {own} by his own answer, and to ",
        prior=lambda t: TWO.belief(None, None),
        own=lambda t: TWO.belief(0, None),
    ),
    SIX_SEVENTHS,
    Pattern(
        "his own answer changes the odds by at most {own}, his budget. Both together change them by "
        "{here} here, and by up to "
        "{both} if both say no.",
        own=most(lambda t: TWO.odds(both=False)),
        here=lambda t: TWO.belief(0, 0) / (1 - TWO.belief(0, 0)),
        both=most(lambda t: TWO.belief(None, None) and (1 - TWO.belief(1, 1)) / TWO.belief(1, 1)),
    ),
]


def place(path: str, name: str) -> int:
    """The number behind a name in a path."""
    parts_ = path.split(".")
    return int(parts_[parts_.index(name) + 1])


def marks(t: AttackedTable, path: str) -> list[int]:
    """The people, or the classes of a large table, that the picture marks at a step."""
    rows, step = t.marked(place(path, "steps")), place(path, "steps")
    assert rows, (path, step)
    return rows if t.n <= 60 else sorted({min(t.of_row[row], 300) for row in rows if t.of_row[row] >= 0})


TABLE_VALUES = {
    "text.told.columns.*.name": lambda t, path: t.held.heads[place(path, "columns")],
    "text.told.columns.*.level": lambda t, path: t.level(place(path, "columns")),
    "text.told.columns.*.levels.*": lambda t, path: t.titles(place(path, "columns"))[place(path, "levels")],
    "text.told.columns.*.values": lambda t, path: t.different(place(path, "columns")),
    "text.told.steps.*.marks": marks,
    "draw.drawn.classes.*.*": lambda t, path: t.labels(place(path, "classes"))[int(path.rsplit(".", 1)[1])],
    "draw.drawn.legend.*": lambda t, path: t.legend[place(path, "legend")],
    "draw.drawn.people.*.0": lambda t, path: t.person(place(path, "people")),
    "draw.drawn.people.*.1": lambda t, path: t.legend[t.look[place(path, "people")]],
    "draw.arrays.sizes": lambda t, _: t.sizes,
    "text.told.known": lambda t, _: answered.some_columns(t),
    "draw.arrays.of_row": lambda t, _: t.of_row if t.n <= 60 else [],
    "draw.arrays.member": lambda t, _: t.of_row if t.n <= 5000 else [],
    "draw.arrays.found": lambda t, _: answered.states(t) if t.n <= 5000 else [],
    "draw.arrays.finding": lambda t, _: [] if t.n <= 5000 else answered.finding(t),
    "draw.arrays.counts": lambda t, _: [] if t.n <= 60 else t.mixed,
    "draw.arrays.looks": lambda t, _: t.look if t.n <= 60 else [],
}
TABLE_STRUCTURE = [
    "text.told.table.rows.*",
    "text.told.table.marked",
    "text.told.attacks.*",
    "text.told.attack",
    "text.told.own",
    "text.told.by_itself",
    "text.answers.*",
    "draw.drawn.scene.*",
    "draw.drawn.figures.*",
]


def table_claims() -> Claims:
    return Claims([*TABLE, *ATTACKED, *EVERY_REQUIREMENT, *COINED], TABLE_VALUES, TABLE_STRUCTURE)

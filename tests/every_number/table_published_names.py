"""What each name in the sentences of a published table and its attacks is, computed apart from the page."""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.pages.table import TableChoices
from tests.every_number import table_answers as answered
from tests.every_number.claims import WITHIN, Claims, Hole, least, most, near
from tests.every_number.named import Named, Truths
from tests.every_number.table_attack_truth import AttackedTable, nearly
from tests.every_number.table_names import NEVER, place, words
from tests.every_number.table_published_truth import NO_VALUE, listed
from tests.every_number.table_truth import StackedTruth


def attacked(t: AttackedTable) -> int:
    """How many people an attack may hit, with the one whose presence is asked; all without one."""
    return t.n if t.attack is None else len(t.attack.rows) + (t.attack.name == "tuple equivalence")


def large(text: str) -> str:
    return text[:1].upper() + text[1:]


def how_published(t: AttackedTable) -> str:
    return listed([f"{t.held.heads[k]} ({t.titles(k)[t.level(k)]})" for k in t.quasi])


def victim(t: AttackedTable) -> str:
    a = t.attack
    return a.person(a.struck[0]) if a.hits else a.person(a.rows[0])


def hit(t: AttackedTable) -> str:
    return t.attack.person(t.attack.struck[0]) if t.attack and t.attack.hits else NEVER


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


def finer(t: AttackedTable) -> str:
    heads = [t.held.heads[k] for k in t.attack.others if t.level(k) > 0]
    return ", ".join(heads[:4]) + (f" and {len(heads) - 4} more" if len(heads) > 4 else "")


def learned(t: AttackedTable, name: str) -> float:
    return float(getattr(t.attack.first, name))


def odds_of(chance: float) -> float:
    return chance / (1 - chance) if chance < 1 else math.inf


def after(t: AttackedTable) -> Any:
    return "more than 99 %" if nearly(t) else learned(t, "after")


def people_of(t: AttackedTable) -> int:
    """How many the attack was on: who left and who came are both of them."""
    return len(t.attack.rows) + (t.attack.name == "tuple equivalence")


def needed(t: AttackedTable) -> Any:
    return "more than this few people can have" if math.isinf(t.attack.needed) else t.attack.needed


def disclosed(t: AttackedTable) -> str:
    return {"attribute": f"their {t.hides}", "identity": "their record", "presence": "their presence"}[
        t.attack.told.discloses
    ]


def shares(t: AttackedTable, which: int, last: bool = False) -> float:
    """The detail that is left, and the share of people who are found, at the ends of the chart."""
    return t.at(min(20, t.n) if last else 1)[which]


def several(t: AttackedTable) -> bool:
    return len(t.classes) > 1


TWO = StackedTruth(TableChoices(part="adding", correlated=True))
"""Two coins on answers that depend on each other."""
DONALD, DEWEY_TOO = TWO.belief(0, None), TWO.belief(0, 0)

PUBLISHED: Truths = {
    "known": "known",
    "known_few": answered.some_columns,
    "known_here": "known",
    "n_known": lambda t: len(t.quasi),
    "hidden": "hides",
    "how": how_published,
    "k": "k",
    "everybody": "n",
    "kept": lambda t: len(t.kept),
    "n_classes": lambda t: len(t.classes),
    "lost": "lost",
    "n_lost": "lost",
    "lost_are": words(("nobody is", lambda t: t.lost == 0), ("one person is", lambda t: t.lost == 1)),
    "lost_share": lambda t: t.lost / t.n,
    "tried": lambda t: len(t.every_way),
    "smallest_class": "k",
    "largest_class": lambda t: len(t.classes[0]),
    "distinct": "distinct",
    "different": words(("one value", lambda t: t.distinct == 1)),
    "least_entropy": least("entropy", slack=2e-9),
    "c": lambda t: t.c.recursive_c,
    "recursive": lambda t: t.recursive,
    "most_closeness": most("closeness", slack=2e-9),
    "most_ordered": most("ordered", slack=2e-9, size=1e-12),
    "alone": "alone",
    "n_alone": "alone",
    "alone_are": words(("nobody is", lambda t: t.alone == 0), ("one is", lambda t: t.alone == 1)),
    "lacking": "lacking",
    "n_people": "n",
    "n_attacked": attacked,
    "first_k": lambda t: 1,
    "last_k": lambda t: min(20, t.n),
    "detail_first": lambda t: shares(t, 0),
    "detail_last": lambda t: shares(t, 0, True),
    "found_first": lambda t: shares(t, 1),
    "found_last": lambda t: shares(t, 1, True),
}
ATTACKED: Truths = {
    "disclosed": disclosed,
    "values": meanings,
    "without": lambda t: t.held.heads[t.quasi[0]],
    "finer": finer,
    "came": lambda t: t.attack.came,
    "left_first": lambda t: large(t.attack.person(t.attack.gone)),
    "most_in_class": lambda t: 7,
    "played_on": lambda t: len(t.attack.rows),
    "victim": victim,
    "hit": hit,
    "hit_first": lambda t: large(hit(t)),
    "hit_next": lambda t: t.attack.person(t.attack.struck[1]),
    "names": lambda t: listed([t.attack.person(row) for row in t.attack.struck]),
    "linked": lambda t: t.attack.person(t.attack.first.with_whom),
    "there": lambda t: "is" if t.attack.first.value else "is not",
    "value": value,
    "n_hit": lambda t: len(t.attack.struck),
    "people": people_of,
    "chance_before": lambda t: learned(t, "before"),
    "chance_after": after,
    "share_gain": lambda t: learned(t, "after") / learned(t, "before"),
    "odds_gain": lambda t: odds_of(learned(t, "after")) / odds_of(learned(t, "before")),
    "measure": lambda t: t.attack.measure,
    "measured": Hole(lambda t: t.attack.found, WITHIN),
    "needed": near(needed),
    "met": lambda t: "met" if t.attack.met else "not met",
    "limit": lambda t: "at least" if t.attack.at_least else "at most",
    # two coins on answers that depend on each other
    "home_if_work": lambda t: TWO.joint[True, True] / TWO.belief(None, None),
    "home_if_not": lambda t: TWO.joint[False, True] / (1 - TWO.belief(None, None)),
    "belief_before": lambda t: TWO.belief(None, None),
    "belief_after_own": lambda t: DONALD,
    "belief_after_both": lambda t: DEWEY_TOO,
    "most_own_odds": most(lambda t: TWO.odds(both=False)),
    "odds_here": lambda t: DEWEY_TOO / (1 - DEWEY_TOO),
    "most_both_odds": most(lambda t: (1 - TWO.belief(1, 1)) / TWO.belief(1, 1)),
}


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
    *(f"text.answers.*.{part}" for part in ("value", "name", "look", "short", "brief")),
    "draw.drawn.scene.*",
    "draw.drawn.figures.*.figure.*",
    "draw.drawn.figures.*.title",
]


def published_names() -> Named:
    return Named(
        {**PUBLISHED, **ATTACKED},
        Claims(TABLE_VALUES, TABLE_STRUCTURE),
        as_written=(
            "Two releases of the same people whose rows are in the same order",
            "Two releases of the same people that have columns in common",
            "with two values or more in each class",
            "The person's class in two releases",
            "How the secrets of two people depend on each other",
            "Two people must have the same sensitive value",
            "This needs two releases",
            "choose two or more quasi-identifiers",
            *("a class of two to", "Both answer with two coins", "every second person", "(6/7)"),
            "ε = ln 3",
            ", 1)-diverse",
        ),
        true_when={
            "with a chance of at most one in": lambda t: t.k > 1,
            "which is one of at least": lambda t: t.k > 1,
            "no class is large enough": lambda t: not t.kept,
            "there is one person.": lambda t: len(t.kept) == 1,
            "look alike: there is one class.": lambda t: len(t.kept) > 1 and not several(t),
            "classes of people who look alike": several,
            "these keep the most detail": lambda t: not t.c.levels and t.c.least > 1 and bool(t.kept),
            "it is recursively": lambda t: t.recursive > 0,
            "it is not even recursively": lambda t: not t.recursive,
            "Played on the first": lambda t: len(t.attack.rows) < len(t.kept),
            "None of {people}": lambda t: not t.attack.struck,
            "including {hit}": lambda t: len(t.attack.struck) > 6,
        },
    )

"""Questions of the lesson on tables: k-anonymity, l-diversity, t-closeness, and the attacks that defeat each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from lmdk_widgets.anonymity import l_diversity, t_closeness
from lmdk_widgets.anonymity.facts import Hit
from lmdk_widgets.anonymity.one_release import skewness
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Trap
from lmdk_widgets.errors import library
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.levels import titles
from lmdk_widgets.pages.table.release import Measures, Publishing, publish
from lmdk_widgets.pages.table.scenes import play
from lmdk_widgets.pages.table.table import example
from lmdk_widgets.population.unicity import KnownPoints

AGE, PLACE, STATUS = 0, 1, 2
"""Columns of the table of six people."""
BY_HALVES, PART, CITY = 4, 1, 2
"""Levels: ages up to 20 and above; places as the part of the city, and the city."""

COARSE = Publishing((AGE, PLACE), STATUS, (BY_HALVES, CITY))
"""The release of the lesson: two ages, one city, and what each person does."""
PLACES_HIDDEN = Publishing((AGE,), PLACE, (BY_HALVES,))
"""The other release: two ages, and where each person is, which is the secret here."""

SALARIES = tuple(range(3, 12))
"""Of nine people, in thousands."""
CLASSES = {"3, 4 and 5": (3, 4, 5), "6, 8 and 11": (6, 8, 11), "7, 9 and 10": (7, 9, 10)}

Ways = dict[str, tuple[frozenset[str], str]]
"""Choices of people, each with who they are and the sentence about it."""

MIXED = 10
"""People in a class with two values."""


def alone(columns: tuple[int, ...]) -> int:
    """How many of the six records an attacker who knows these columns exactly finds for certain at t1."""
    hidden = next(k for k in (STATUS, PLACE) if k not in columns)
    return int((publish(example("t1"), Publishing(columns, hidden, ())).size == 1).sum())


def measures(time: str, publishing: Publishing) -> Measures:
    """The measures of a release of the six people."""
    found = publish(example(time), publishing).measures(2.0)
    assert found is not None  # nobody is left out
    return found


def k_by_ages() -> list[int]:
    """The k of t1 with the city as the place, for each level of age."""
    levels = range(len(titles(example("t1"), AGE)))
    return [measures("t1", Publishing((AGE, PLACE), STATUS, (level, CITY))).k for level in levels]


def hit(time: str, publishing: Publishing, attack: str) -> frozenset[str]:
    """The names of the people an attack on a release hits."""
    found = play(example(time), publishing, attack).found
    return frozenset() if found is None else frozenset(example(time).person(row) for row in found.rows)


def entropy_l(first: int) -> float:
    """Entropy l of a class of ten people, of whom `first` have the first of two values and the others the second."""
    pd = library("pandas", "A table")

    values = ["at home"] * first + ["out"] * (MIXED - first)
    return l_diversity(pd.DataFrame({"city": "Paris", "status": values}), ["city"], "status", kind="entropy")


def closeness(salaries: tuple[int, ...]) -> float:
    """How far a class of three salaries is from all nine, by the ordered distance."""
    pd = library("pandas", "A table")

    table = pd.DataFrame({"class": [salary in salaries for salary in SALARIES], "salary": SALARIES})
    return t_closeness(table, ["class"], "salary", distance="ordered")


def daisy() -> Hit:
    """What her class of ten, five of them in hospital, reveals about Daisy, if ten of a thousand people are in hospital."""
    pd = library("pandas", "A table")

    ill = [True] * 5 + [False] * 5 + [True] * 5 + [False] * 985
    table = pd.DataFrame({"class": ["hers"] * 10 + ["others"] * 990, "in hospital": ill})
    return skewness(table, ["class"], "in hospital", value=True).hits[0]


def left_for(name: str) -> set[str]:
    """The statuses left for a person once the others in the class have told theirs, in the release of t1."""
    table, of_row = example("t1"), publish(example("t1"), COARSE).of_row
    one = table.people.index(name)
    others = [row for row in range(len(table)) if of_row[row] == of_row[one] and row != one]
    statuses = table.columns[STATUS]
    return {statuses[row] for row in (one, *others)} - {statuses[row] for row in others}


def followed(moments: tuple[str, ...], level: int = PART) -> frozenset[str]:
    """Whose tracks fit nobody else, for an attacker who knows where in the city people were at these moments."""
    classes = [publish(example(time), Publishing((PLACE,), STATUS, (0, level))).of_row for time in moments]
    n, names = len(moments), example(moments[0]).people
    points = KnownPoints(
        np.tile(np.arange(len(names)), n), np.concatenate(classes), np.repeat(np.arange(n), len(names))
    )
    alone = points.singled_out(points.drawn(n, np.random.default_rng(0)))
    return frozenset(name for name, single in zip(names, alone, strict=True) if single)


def _whom(name: str, text: str, time: str, publishing: Publishing, attack: str, ways: Ways) -> Choose:
    """Whom an attack hits: each choice is a set of people, with the sentence about it."""
    return Choose(
        name=name,
        text=text,
        choices=tuple(Choice(said, why) for said, (_, why) in ways.items()),
        right=lambda: [who for who, _ in ways.values()].index(hit(time, publishing, attack)),
    )


def _homogeneity() -> Choose:
    young, older = frozenset({"Huey", "Dewey", "Louie"}), frozenset({"Donald", "Daisy", "Quackmore"})
    ways: Ways = {
        "Nobody's: three records fit each of them": (
            frozenset(),
            "k counts records, not values. If all three records say the same, Bob need not know which is whose.",
        ),
        "Those of Huey, Dewey and Louie": (
            young,
            "Their class has the Latin Quarter twice and Opéra once. Bob has a good guess, but he is not certain.",
        ),
        "Those of Donald, Daisy and Quackmore": (
            older,
            "All three records of their class say Montmartre, so it does not matter which is whose. This is homogeneity.",
        ),
        "Those of all six": (young | older, "Not all: the class of the young has two different places."),
    }
    text = (
        "At t2 the secret is the place. The release shows each person's age, “up to 20” or “above 20”, and place, in mixed "
        "order; k = 3. Bob knows everyone's age. Whose place does he now know for certain?"
    )
    return _whom("tables/homogeneity", text, "t2", PLACES_HIDDEN, "homogeneity", ways)


def _matching() -> Choose:
    ways: Ways = {
        "Nobody's: each list hides everyone in a crowd": (
            frozenset(),
            "Each list does, by itself. Together they show both the age and the part of the city for each line, and two "
            "lines have a combination that no other line has.",
        ),
        "Those of Donald and Louie": (
            frozenset({"Donald", "Louie"}),
            "Line 1 is the only one “above 20” in the centre, and line 5 the only one “up to 20” there.",
        ),
        "Those of Huey and Dewey": (
            frozenset({"Huey", "Dewey"}),
            "Lines 3 and 4 both say “up to 20” and north: these two still hide each other.",
        ),
        "That of Quackmore": (
            frozenset({"Quackmore"}),
            "Line 6 says “above 20” and north, and so does line 2, which is Daisy's.",
        ),
    }
    text = (
        "Both lists are published with the six people in the same order of lines. Bob knows everyone's age and place at "
        "t1. Whose lines does he find for certain?"
    )
    return _whom("tables/matching", text, "t1", COARSE, "unsorted matching", ways)


def _moments() -> Choose:
    ways: Ways = {
        "Nobody's: at each moment there are at least two people in each part": (
            frozenset(),
            "At each moment, yes. But the number says which two parts belong together.",
        ),
        "Only that of Louie": (frozenset({"Louie"}), "Louie is the only one in the centre both times. Others moved."),
        "Those of Donald, Huey and Louie": (
            frozenset({"Donald", "Huey", "Louie"}),
            "Donald went north, Huey came to the centre, and Louie stayed there. The three others were north both times. The "
            "share of people whom a few known moments single out is called unicity.",
        ),
        "Those of all six": (
            frozenset(example("t1").people),
            "Their districts would do that. The part of the city leaves three who were north both times.",
        ),
    }
    return Choose(
        name="tables/moments",
        text="Each person gets a number in place of name and age. The table shows for each number the part of the city at t1 "
        "and at t2: the centre (Le Marais, Latin Quarter) or the north. Bob knows in which part each of his friends was, "
        "both times. Whose numbers does he find for certain?",
        choices=tuple(Choice(said, why) for said, (_, why) in ways.items()),
        right=lambda: [who for who, _ in ways.values()].index(followed(("t1", "t2"))),
    )


def _promise() -> Choose:
    held: dict[str, tuple[Callable[[], bool], str]] = {
        "An attacker who knows only a person's age and place finds at least three records that may be theirs": (
            lambda: measures("t1", COARSE).k >= 3,
            "That is k = 3, and all it says: about this one release, against an attacker who knows just these columns.",
        ),
        "Nobody finds out what Huey did, even if Dewey and Louie tell what they did": (
            lambda: len(left_for("Huey")) > 1,
            "The class has three records. Take away those of Dewey and Louie, and the one that is left is Huey's.",
        ),
        "The next list of the same people cannot harm it, if that list has k = 2 or more": (
            lambda: not hit("t1", COARSE, "unsorted matching"),
            "You have just seen the opposite: Donald and Louie were alone in the two lists together.",
        ),
        "Whatever secret is published with these two ages, each class will contain three different values": (
            lambda: measures("t2", PLACES_HIDDEN).distinct >= 3,
            "The places at t2 were published with the same two ages, and one class contained a single value.",
        ),
    }
    return Choose(
        name="tables/promise",
        text="The release of t1 has k = 3 and l = 3. Which of these sentences is true?",
        choices=tuple(Choice(text, why) for text, (_, why) in held.items()),
        right=lambda: [holds() for holds, _ in held.values()].index(True),
    )


def _away(said: str) -> str:
    return sentence("The class of {said} is {closeness} away.", said=said, closeness=amount(closeness(CLASSES[said])))


def _plainly(number: float) -> str:
    return f"{number:.0f}"


QUESTIONS = (
    Number(
        name="tables/alone",
        text="The names are gone. Bob knows how old each of his friends is, and in which district each of them was. For "
        "how many of the six does he find the record for certain?",
        right=lambda: alone((AGE, PLACE)),
        high=6.0,
        scale="difference",
        tolerance=0.5,
        unit="of 6",
        written=_plainly,
        traps=(
            Trap(lambda: 0.0, "would be right if nothing in the records told people apart."),
            Trap(
                lambda: alone((PLACE,)),
                "is how many are alone in their district. The two others are both at Montmartre, but one is 12 and "
                "one is 11.",
            ),
        ),
        why="Ages alone would do: no two of the six are the same age.",
    ),
    Curve(
        name="tables/bands",
        text="Everyone's place is published as “Paris”, and the age more and more coarsely: exactly; in bands of 5, 10 and "
        "20 years, starting at 1; in two halves, up to 20 and above; not at all. The ages are 10, 11, 12, 25, 27 and 62. "
        "Draw k, the size of the smallest class.",
        x=tuple(range(1, 7)),
        labels=lambda: ("exact", "5", "10", "20", "halves", "hidden"),
        right=k_by_ages,
        high=6.5,
        x_title="how the age is published",
        y_title="k",
        tolerance=0.2,
        written=_plainly,
        why="Quackmore, who is 62, is alone in every band until “above 20” takes in Donald and Daisy. k looks at the "
        "smallest class only: one unusual person decides for everyone.",
    ),
    _homogeneity(),
    Curve(
        name="tables/mixture",
        text="A class has ten people; some were at home, the others out. Draw entropy l against the number at home.",
        x=tuple(range(MIXED + 1)),
        right=lambda: [entropy_l(first) for first in range(MIXED + 1)],
        high=3.0,
        x_title="at home, of ten people",
        y_title="entropy l",
        tolerance=0.12,
        why=lambda: sentence(
            "Distinct l is 2 everywhere between the ends. Entropy l is 2 only for five and five; nine and one count "
            "as {entropy_l} values, hardly more than one.",
            entropy_l=amount(entropy_l(9)),
        ),
    ),
    Number(
        name="tables/odds",
        text="One in a hundred people was in hospital. In Daisy's class it was five in ten. By what factor do the odds that "
        "Daisy was in hospital grow, for an attacker who finds her class?",
        right=lambda: daisy().odds_factor,
        written=_plainly,
        high=10_000.0,
        traps=(
            Trap(
                lambda: daisy().gain,
                "is the factor by which the share grows. Write down the odds before and after: they grow by more.",
            ),
            Trap(lambda: 1.0, "would be right if the share in her class were the same as among everyone."),
        ),
        why="That class has l = 2, which did not help.",
    ),
    Order(
        name="tables/closeness",
        text="Nine people earn 3, 4, 5, 6, 7, 8, 9, 10 and 11 thousand. A release puts them into three classes of three. "
        "Order the classes from the closest to the whole table to the farthest; distances follow the order of the "
        "salaries.",
        items=tuple(Item(said, partial(_away, said)) for said in CLASSES),
        ends=("closest to the table", "farthest"),
        keys=lambda: [closeness(salaries) for salaries in CLASSES.values()],
        why=lambda: sentence(
            "Their distances are {distances}; t is the last one, that of the farthest class. Each class has three "
            "different values; but who is in the class of 3, 4 and 5 earns little, which is the similarity attack.",
            distances=", ".join(amount(far) for far in sorted(map(closeness, CLASSES.values()))),
        ),
    ),
    _matching(),
    _moments(),
    _promise(),
)

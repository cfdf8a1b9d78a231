"""What a city could publish of its 1,000 people, and the number by which each of four roles judges it.

The limits are invented for the lesson: the law names no number. What the numbers need of the sample city's rows is stored,
see `data/city_figures.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, pi
from typing import Any

from lmdk_widgets.cache import cached
from lmdk_widgets.course import city
from lmdk_widgets.page.amounts import amount, percent
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.people.tables import CITY_REGION
from lmdk_widgets.population.counts_of_people import mean_noise
from lmdk_widgets.population.exposure_of_people import shares_found
from lmdk_widgets.trajectory.samples import data_folder

EPSILON, MOST, NEAR_M = 1.0, 20, 200.0
ASKED = (2_000, 168)
"""What the mayor wants to know: how many people are in each square of 2 km in each week."""

WHOLE = 1.0
"""The share that stands for everybody, or for certain."""


@cached("everybody", what="what is stored of the counts of the sample city")
def stored() -> dict[str, Any]:
    """What the file of counts holds."""
    return json.loads((data_folder() / "city_counts.json").read_text(encoding="utf-8"))


def linked(side_m: int) -> tuple[int, int]:
    """How many of the people home and work, known to a square, link in two weeks: rightly, and with another person."""
    right, wrong = city.stored()["linked"][str(side_m)]
    return right, wrong


def counted(side_m: int = ASKED[0], hours: int = ASKED[1]) -> dict[str, Any]:
    """How far off counts of squares and slots are, for each limit on a person: a row of the file."""
    return dict(stored()["settings"][f"{side_m} {hours}"])


def limits() -> list[int]:
    """The limits on what a person may add."""
    return [int(limit) for limit in stored()["limits"]]


def error(side_m: int = ASKED[0], hours: int = ASKED[1], most: int = MOST) -> float:
    """The mean error of such a count that protects a whole person with epsilon 1."""
    return float(counted(side_m, hours)["errors"][limits().index(most)])


def zeros(side_m: int = ASKED[0], hours: int = ASKED[1]) -> float:
    """How far off a zero is that is written everywhere: the mean count."""
    return float(counted(side_m, hours)["zeros"])


def guess_in_square(side_m: float) -> float:
    """How often a guess lies within 200 m of a home that is somewhere in a known square, evenly."""
    return pi * NEAR_M**2 / side_m**2


def guess_anywhere() -> float:
    """The same for a home that may be anywhere in the city."""
    east, north = CITY_REGION.size_m
    return pi * NEAR_M**2 / (east * north)


def at_most(epsilon: float) -> float:
    """The most to which that chance may grow where counts protect somebody with epsilon.

    Another home is other data of the same person: they are replaced, which counts twice. So the odds grow by at most
    e^(2 epsilon), whatever anybody knows of the others.
    """
    before = guess_anywhere()
    grown = before * exp(2 * epsilon)
    return grown / (1 - before + grown)


def most_exposed() -> float:
    """In which share of releases under Uniform the most exposed person is found nearer than 200 m."""
    return float(shares_found(city.found_m("uniform", EPSILON), NEAR_M).max())


SAID: dict[str, str] = {
    "The table as it is": "each row with its name",
    "Names removed": "a number for each person, squares of 1 km, hours",
    "Squares of 4 km": "a number for each person, squares of 4 km, hours",
    "Tracks with noise": "a number for each person, Uniform with ε = 1",
    "Counts, a visit protected": "ε = 1 for one person in one square in one week",
    "Counts, a person protected": "ε = 1 for a whole person, of whom 20 visits count",
    "Nothing": "no file",
}
"""What could be published, from everything to nothing."""


@dataclass(frozen=True)
class Way:
    """Something that could be published.

    Attributes
    ----------
    name : a key of `SAID`. off : how far off a count is that the mayor takes from it. linked : people whose two weeks it
    links. singled : people whom it singles out. exposed : the chance, or the most that it may be, with which the home of the
    most exposed resident is found to within 200 m.
    """

    name: str
    off: float
    linked: int
    singled: float
    exposed: float


@dataclass(frozen=True)
class Role:
    """Somebody at the table. name, card : what the role is and wants. number : of a way. limit : the most that is accepted.
    asks : what the number is. written : formats it."""

    name: str
    card: str
    asks: str
    number: Callable[[Way], float]
    limit: Callable[[], float]
    written: Callable[[float], Written]

    def accepts(self, way: Way) -> bool:
        """Whether the number is within the limit."""
        return self.number(way) <= self.limit()


@cached("everybody")
def ways() -> tuple[Way, ...]:
    """What could be published, with its numbers.

    Examples
    --------
    >>> [way.name for way in ways() if all(role.accepts(way) for role in ROLES)]
    ['Counts, a person protected']
    """
    people = city.people()
    squares, uniform = stored()["squares"], stored()["uniform"]
    visits = EPSILON * counted()["most_added"]
    found = city.expected("uniform", EPSILON, NEAR_M)
    numbers = (
        (0.0, people, people, WHOLE),
        (squares["1000"], linked(1_000)[0], people * city.unicity(1_000)[-1], guess_in_square(1_000.0)),
        (squares["4000"], linked(4_000)[0], people * city.unicity(4_000)[-1], guess_in_square(4_000.0)),
        (uniform["off"], uniform["linked"][0], found, most_exposed()),
        (mean_noise(EPSILON), 0, 0.0, at_most(visits)),
        (error(), 0, 0.0, at_most(EPSILON)),
        (zeros(), 0, 0.0, guess_anywhere()),
    )
    return tuple(Way(name, *each) for name, each in zip(SAID, numbers, strict=True))


HALF, FEW, RARE = 0.5, 0.05, 0.05
"""The limits of the lesson: half of what zeros are off, and 5 of 100."""


def few() -> float:
    """How many of the city's people are 5 of 100."""
    return FEW * city.people()


def _people(number: float) -> Written:
    return Written(f"{number:,.0f}", number) if number >= 1 or not number else amount(number)


ROLES: tuple[Role, ...] = (
    Role(
        "mayor",
        "You need to know how many people are in each square of 2 km in each week, for the buses. Publish something that "
        "tells it.",
        "how far off is a count?",
        lambda way: way.off,
        lambda: HALF * zeros(),
        amount,
    ),
    Role(
        "operator",
        "Your phones recorded it, and you publish such a file every week. Nobody should be able to tell which number of last "
        "week is which number of this week.",
        "how many people do home and work link in two weeks?",
        lambda way: way.linked,
        few,
        _people,
    ),
    Role(
        "regulator",
        "You ask whether people can be singled out in the file by means that somebody is reasonably likely to use.",
        "how many people are singled out?",
        lambda way: way.singled,
        few,
        _people,
    ),
    Role(
        "resident",
        "You are at home more than anybody else. You do not want to be the one who is found.",
        "how likely is the home of the most exposed resident found to within 200 m?",
        lambda way: way.exposed,
        lambda: RARE,
        percent,
    ),
)
"""Who decides, in the order in which they speak."""


def all_accept(way: Way) -> bool:
    """Whether the number of each role is within its limit."""
    return all(role.accepts(way) for role in ROLES)


def table(*, judged: bool = True) -> Table:
    """The ways with the number of each role; judged: a sign for those that all accept, and a star at each number too many."""
    rows = []
    for way in ways():
        told = [role.written(role.number(way)) for role in ROLES]
        marks = [
            f"{one} ✗" if judged and not role.accepts(way) else str(one) for one, role in zip(told, ROLES, strict=True)
        ]
        rows.append([way.name, *marks])
    rows.append(["at most", *(str(role.written(role.limit())) for role in ROLES)])
    heads = ("", "mayor: a count is off by", "operator: linked", "regulator: singled out", "resident: found to 200 m")
    return Table.of_texts("The table", heads, rows)


def refused_by(way: Way) -> str:
    """Who does not accept a way, with their numbers; "" if all accept it."""
    told = [
        sentence("the {role} ({number})", role=role.name, number=role.written(role.number(way)))
        for role in ROLES
        if not role.accepts(way)
    ]
    if not told:
        return ""
    return sentence("Refused by {refused}.", refused=", ".join(told))

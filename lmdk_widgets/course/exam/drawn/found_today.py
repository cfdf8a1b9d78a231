"""The number questions of the lessons on zones, tables, the city and the law with other data, which are few enough for "
"paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import asinh, exp, log2, pi, sqrt
from random import Random

import numpy as np

from lmdk_widgets.course.ask import Trap
from lmdk_widgets.course.exam.drawn.family import Posed, family, given, how_many, in_a_row
from lmdk_widgets.page.sentences import Sentence, join, sentence
from lmdk_widgets.population.exposure_of_people import epsilon_for_share

DISTRICTS = ("Montmartre", "Bastille", "Belleville")
Pair = tuple[object, object]


def _people(draw: Random) -> tuple[tuple[int, str], ...]:
    """Eight people, each with an age and a district; some share both."""
    return tuple((draw.randint(11, 15), draw.choice(DISTRICTS)) for _ in range(draw.randint(7, 10)))


def _homes(draw: Random) -> tuple[tuple[str, str], ...]:
    """The squares of home and work of some people; some share both."""
    return tuple((draw.choice("ABC"), draw.choice("PQRS")) for _ in range(draw.randint(8, 12)))


def _shares(draw: Random) -> tuple[float, ...]:
    return tuple(draw.randint(2, 95) / 100 for _ in range(draw.randint(5, 8)))


def alone(pairs: Iterable[Pair]) -> int:
    """How many are the only ones with their pair."""
    return sum(1 for times in Counter(pairs).values() if times == 1)


def _pairs(pairs: Iterable[Pair]) -> Sentence:
    return join((f"({first},\u00a0{second})" for first, second in pairs), "; ")


@family("zones/wide", None, radius=(200, 300, 400, 500, 600, 800), left=tuple(k / 100 for k in range(12, 60)))
def zone(radius: int, left: float) -> Posed:
    return {
        "text": sentence(
            "A privacy zone with a radius of {radius} m is cut out of several outings. The votes of their ends leave {left} "
            "hectares in which the home may be. Which share of the zone is that, in per cent? (A hectare is 10,000 m².)",
            radius=given(radius),
            left=given(left),
        ),
        "right": lambda: 100 * left * 1e4 / (pi * radius**2),
        "unit": "%",
        "traps": (Trap(lambda: left * 1e4 / (pi * radius**2), "is the share itself. Give it in per cent."),),
        "why": sentence("100 · {left} · 10,000 / (π · {radius}²).", left=given(left), radius=given(radius)),
    }


@family("zones/square", {"side": 1000}, side=(*range(200, 1000, 50), *range(1100, 4100, 100)))
def square(side: int) -> Posed:
    return {
        "text": sentence(
            "A phone reports the middle of the square of {side} m in which Mia lives, every night. How many metres is her "
            "home from it on average, if it may be anywhere in the square? (In a square with a side of 1, a place is 0.3826 "
            "from the middle on average.)",
            side=given(side),
        ),
        "right": lambda: side * (sqrt(2) + asinh(1.0)) / 6,
        "unit": "m",
        "traps": (
            Trap(lambda: side / 2, "is how far the middle of a side is. Most places are nearer."),
            Trap(lambda: side / sqrt(2), "is how far a corner is. Nothing is farther."),
        ),
        "why": sentence("0.3826 · {side}, after one night as after a thousand.", side=given(side)),
    }


@family("tables/alone", None, people=_people)
def records(people: tuple[tuple[int, str], ...]) -> Posed:
    return how_many(
        text=sentence(
            "A table without names has these records of age and district: {records}. Bob knows the age and the district of "
            "each person in it. For how many of them does he find the record for certain?",
            records=_pairs(people),
        ),
        right=lambda: float(alone(people)),
        why="Count the records whose age and district no other record has.",
        high=float(len(people)),
    )


@family(
    "tables/odds",
    {"before": 0.01, "hit": 5, "size": 10},
    before=(0.01, 0.02, 0.03, 0.04, 0.05, 0.08, 0.1),
    hit=range(2, 8),
    size=(8, 9, 10, 12, 15, 20),
)
def class_odds(before: float, hit: int, size: int) -> Posed:
    return {
        "text": sentence(
            "Of all people, the share {before} was in hospital. In Daisy's class of the published table it was {hit} of "
            "{size}. By what factor do the odds that Daisy was in hospital grow, for an attacker who finds her class?",
            before=given(before),
            hit=given(hit),
            size=given(size),
        ),
        "right": lambda: (hit / (size - hit)) / (before / (1 - before)),
        "traps": (Trap(lambda: hit / size / before, "is the factor by which the share grows. The odds grow by more."),),
        "why": sentence(
            "The odds are {hit} to {others} instead of {before} to {rest}: ({hit} / {others}) / ({before} / {rest}).",
            hit=given(hit),
            others=given(size - hit),
            before=given(before),
            rest=given(round(1 - before, 2)),
        ),
    }


@family("city/home", None, people=_homes)
def home_and_work(people: tuple[tuple[str, str], ...]) -> Posed:
    return how_many(
        text=sentence(
            "These are the squares of home and of work of some people whose names were removed: {squares}. Somebody knows in "
            "which square each of them lives, and in which they work. How many are the only ones with their pair?",
            squares=_pairs(people),
        ),
        right=lambda: float(alone(people)),
        traps=(
            Trap(
                lambda: float(len(set(people))),
                "is how many different pairs there are. Some of them belong to several people.",
            ),
        ),
        why="Count the pairs that stand there once.",
        high=float(len(people)),
    )


@family("city/found", None, shares=_shares)
def found(shares: tuple[float, ...]) -> Posed:
    return {
        "text": sentence(
            "Some people's tracks are published with noise. They are found nearer than 200 m in these shares of all "
            "releases: {shares}. In a single release, how many of them are expected to be found nearer than 200 m?",
            shares=in_a_row(shares),
        ),
        "right": lambda: float(np.sum(shares)),
        "traps": (
            Trap(
                lambda: float(sum(share >= 0.5 for share in shares)),
                "is the number who are found in at least half of all releases. Others are found too, only less often.",
            ),
        ),
        "why": sentence("Expected numbers add up, one for each person: the sum of {shares}.", shares=in_a_row(shares)),
    }


@family(
    "city/protect", None, median=range(200, 1000, 50), near=(100, 150, 200, 300), safe=(80, 85, 90, 92, 95, 96, 98, 99)
)
def protect(median: int, near: int, safe: int) -> Posed:
    return {
        "text": sentence(
            "At ε = 1, each person of a city is found to within {median} m in half of all releases; this distance m is "
            "inversely proportional to ε. Somebody is found nearer than d in a share of 1 − 2^(−(d/m)²) of all releases. At "
            "which ε are {safe} of 100 people expected not to be found nearer than {near} m?",
            median=given(median),
            safe=given(safe),
            near=given(near),
        ),
        "right": lambda: epsilon_for_share(np.array([float(median)]), 1 - safe / 100, float(near)),
        "traps": (
            Trap(
                lambda: median / near, "is where everyone is found nearer in half of all releases. That is too often."
            ),
        ),
        "why": sentence(
            "2^(−({near} ε / {median})²) has to be {share}, so ε = ({median} / {near}) · √(−log₂ {share}), where −log₂ "
            "{share} is {bits}.",
            near=given(near),
            median=given(median),
            share=given(safe / 100),
            bits=given(round(-log2(safe / 100), 5)),
        ),
    }


@family(
    "law/homes",
    None,
    radius=(200, 300, 400, 500, 600, 800),
    left=tuple(k / 100 for k in range(12, 60)),
    homes=(10, 15, 20, 25, 30, 40, 50),
)
def homes_left(radius: int, left: float, homes: int) -> Posed:
    return {
        "text": sentence(
            "Round a home, points within {radius} m are left out of some outings. There are {homes} homes on a hectare of "
            "10,000 m², and the ends of the outings leave {left} hectares in which the home may be. Among how many homes "
            "does an attacker still have to look, on average?",
            radius=given(radius),
            homes=given(homes),
            left=given(left),
        ),
        "right": lambda: homes * left,
        "traps": (Trap(lambda: homes * pi * radius**2 / 1e4, "is how many homes the whole zone contains."),),
        "why": sentence("{homes} homes on a hectare, times {left} hectares.", homes=given(homes), left=given(left)),
    }


@family(
    "law/zeros",
    None,
    mean=tuple(k / 2 for k in range(3, 60)),
    most=(5, 10, 20, 40, 50),
    epsilon=(0.2, 0.4, 0.5, 1.0, 2.0),
)
def zeros(mean: float, most: int, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "A count of people in a square is {mean} on average. At most {most} contributions of a person count, and a whole "
            "person is protected with ε = {epsilon}, so that the noise of a count has a mean size of {most} / ε. How many "
            "times as far off as a zero is a count with this noise?",
            mean=given(mean),
            most=given(most),
            epsilon=given(epsilon),
        ),
        "right": lambda: most / epsilon / mean,
        "traps": (
            Trap(lambda: most / epsilon, "is the mean size of the noise. A zero is off by the mean count."),
            Trap(
                lambda: 1 / (epsilon * mean), "would be right for a single contribution. Each person has more of them."
            ),
        ),
        "why": sentence(
            "The noise is {most} / {epsilon} on average, and a zero is off by {mean}.",
            most=given(most),
            epsilon=given(epsilon),
            mean=given(mean),
        ),
    }


@family("law/promise", None, epsilon=tuple(k / 10 for k in (*range(2, 10), *range(11, 31))))
def promised(epsilon: float) -> Posed:
    return {
        "text": sentence(
            "Somebody thinks it as likely that Mia is in a table as that she is not. Counts of the table are published that "
            "protect a whole person with ε = {epsilon}. Of 100 such guesses, how many at most are right then, on average?",
            epsilon=given(epsilon),
        ),
        "right": lambda: 100 / (1 + exp(-epsilon)),
        "high": 100.0,
        "scale": "difference",
        "tolerance": 0.5,
        "traps": (Trap(lambda: 50.0, "would be the number if the counts told nothing at all."),),
        "why": sentence("The odds are at most e^{epsilon} to 1: 100 / (1 + e^(−{epsilon})).", epsilon=given(epsilon)),
    }


FAMILIES = (zone, square, records, class_odds, home_and_work, found, protect, homes_left, zeros, promised)

"""Questions of the lesson on what the law asks: three cases, a zone, names removed and counts, and a decision.

The law's words are in the lesson's text. What is judged here are the numbers that an answer to its questions needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp, pi

from lmdk_widgets.course import city, zones
from lmdk_widgets.course.ask import Choice, Choose, Curve, Number, Trap
from lmdk_widgets.course.ask.verdict import Said
from lmdk_widgets.course.law_ways import (
    ASKED,
    EPSILON,
    SAID,
    all_accept,
    counted,
    error,
    limits,
    linked,
    refused_by,
    ways,
)
from lmdk_widgets.course.law_ways import zeros as zeros_off
from lmdk_widgets.page.amounts import amount, percent, whole
from lmdk_widgets.page.sentences import sentence

HOMES_PER_HA = 40
"""Homes on a hectare of the made-up quarter in which Mia lives."""

SIDES = (250, 500, 1_000, 2_000, 4_000)
SIDE = 1_000
SMALL = (1_000, 1)
"""Counts in squares of 1 km, by the hour."""

HALF = 0.5
"""Counts are of use where they are off by at most this share of what zeros are off."""


def homes_left() -> float:
    """How many homes the attacker on a zone has to look at, on average."""
    return HOMES_PER_HA * zones.area_ha()


def homes_in_zone() -> float:
    """How many homes the zone contains."""
    return HOMES_PER_HA * pi * zones.RADIUS_M**2 / zones.HECTARE_M2


def alone_with_pair() -> int:
    """How many of the city's people are the only ones with their squares of home and work."""
    return round(city.home_and_work(SIDE)["pair"] * city.people())


def times_zeros() -> float:
    """How many times as far off a noisy count of 1 km and an hour is as a zero."""
    return error(*SMALL) / zeros_off(*SMALL)


def surest(epsilon: float = EPSILON) -> float:
    """Of 100 guesses between two possibilities that are equally likely beforehand, how many may be right."""
    return 100 / (1 + exp(-epsilon))


def _key() -> Choose:
    def after(number: int) -> str:
        return sentence("As many as before: {number}", number=whole(number))

    pair = alone_with_pair()
    home = round(city.home_and_work(SIDE)["home"] * city.people())
    return Choose(
        name="law/key",
        text="The city keeps a list of who has which number, and burns it. How many of the 1,000 people do the squares of "
        "home and of work, 1 km wide, still single out?",
        choices=(
            Choice(after(pair), "Nobody needs the list who knows where somebody lives and works."),
            Choice(
                "None, as no number leads to a name any more",
                "Home and work lead to the number, and the number to the rest.",
            ),
            Choice(
                sentence("As many as live alone in their square: {home}", home=whole(home)),
                "The square of the home alone singles out hardly anybody. Home and work together do.",
            ),
            Choice("All 1,000, as every track has another number", "Some share both squares with somebody else."),
        ),
        right=lambda: 0,
    )


def _decide() -> Choose:
    def why(name: str) -> str:
        way = next(way for way in ways() if way.name == name)
        return refused_by(way) or "Each of the four numbers is within its limit."

    return Choose(
        name="law/decide",
        text="Four people decide, and agreed on limits beforehand. The mayor: a count of people in a square of 2 km in a "
        "week is off by at most half of what a zero is off. The operator: at most 50 of 1,000 people are linked from week to "
        "week. The regulator: at most 50 are singled out. The resident: at most 5 of 100 guesses at the most exposed "
        "home are right to within 200 m. What do all four accept?",
        choices=tuple(Choice(f"{name}: {said}", partial(why, name)) for name, said in SAID.items()),
        right=lambda: [all_accept(way) for way in ways()].index(True),
    )


def _file() -> Choose:
    facts: tuple[tuple[str, Said, Callable[[], bool]], ...] = (
        (
            sentence(
                "With names removed, four known moments single out {four} of the people, for somebody who knows squares of "
                "1 km and hours; lmdk people computes it again",
                four=percent(city.unicity(SIDE)[-1]),
            ),
            "A number, what it assumes, and how to compute it again. Whoever decides can weigh it.",
            lambda: True,
        ),
        (
            "With names removed, nobody is singled out",
            lambda: sentence("Home and work single out {pair} people.", pair=whole(alone_with_pair())),
            lambda: alone_with_pair() == 0,
        ),
        (
            sentence("The zone hides a home among {homes} homes", homes=amount(homes_in_zone())),
            lambda: sentence("Three outings leave {homes} of them to look at.", homes=amount(homes_left())),
            lambda: homes_left() >= homes_in_zone(),
        ),
        (
            "Counts in squares of 1 km by the hour protect a person with ε = 1, and are of use",
            lambda: sentence(
                "They are off by {off}, and a zero by {zeros}.",
                off=amount(error(*SMALL)),
                zeros=amount(zeros_off(*SMALL)),
            ),
            lambda: error(*SMALL) <= HALF * zeros_off(*SMALL),
        ),
    )
    return Choose(
        name="law/file",
        text="The city writes down why it published what it did. Which sentence may stand in that file?",
        choices=tuple(Choice(text, why) for text, why, _ in facts),
        right=lambda: [true() for _, _, true in facts].index(True),
    )


STEPS = (
    Number(
        name="law/homes",
        text="An app publishes runs without the points in a zone of 400 m around the home. In that quarter there are 20 "
        "homes on a hectare, so about 2,000 in the zone. Three outings are published. Among how many homes does an attacker "
        "who knows the radius still have to look, on average?",
        right=homes_left,
        high=5_000.0,
        unit="homes",
        tolerance=0.3,
        traps=(
            Trap(
                homes_in_zone, "is how many homes the zone contains. The ends of the outings tell where its middle is."
            ),
        ),
        why="Each outing ends at the edge of the zone, so the home is 400 m from every end. That leaves a fifth of a "
        "hectare.",
    ),
    _key(),
    Curve(
        name="law/linked",
        text="The city publishes each week by itself, with new numbers for all. Somebody looks up home and work in both "
        "weeks, and links those who alone have their pair of squares. Draw how many of the 1,000 people are rightly "
        "linked, against the side of the squares.",
        x=SIDES,
        right=lambda: [linked(side)[0] for side in SIDES],
        high=1_000.0,
        log_x=True,
        x_title="side of a square, m",
        y_title="people linked",
        why="New numbers hide nobody who goes on living and working at the same places. Large squares do, and say little.",
    ),
    Number(
        name="law/zeros",
        text=lambda: sentence(
            "Now counts: how many people are in each square of 1 km in each hour? On average {mean} are. A whole person is "
            "protected with ε = 1, and at most 20 contributions of a person count. How many times as far off as a zero is "
            "such a count?",
            mean=amount(zeros_off(*SMALL)),
        ),
        right=times_zeros,
        high=1_000.0,
        tolerance=0.15,
        traps=(
            Trap(lambda: error(*SMALL), "is how many people a count is off. A zero is off by the count itself."),
            Trap(lambda: 1 / times_zeros(), "is how many times as far off a zero is as a count."),
        ),
        why="The noise has a mean size of about 20 / ε = 20 people, and a zero is off by the mean count.",
    ),
    Curve(
        name="law/limit",
        text=lambda: sentence(
            "Larger squares and longer times: people in each square of 2 km in each week, {mean} on average. ε = 1 protects "
            "a whole person. Draw how far off a count is, against the limit on the contributions of a person.",
            mean=amount(zeros_off(*ASKED)),
        ),
        x=tuple(limits()),
        right=lambda: counted()["errors"],
        low=10.0,
        high=500.0,
        log=True,
        log_x=True,
        tolerance=0.5,
        x_title="contributions that count",
        y_title="a count is off by",
        why="A low limit cuts off most of what people do. A high one needs noise for somebody who does that much.",
    ),
    Number(
        name="law/promise",
        text="Somebody thinks it as likely that Mia is among the 1,000 people as that she is not. The counts protect a whole "
        "person with ε = 1. Of 100 such guesses, how many at most are right after the counts are known?",
        right=surest,
        high=100.0,
        scale="difference",
        tolerance=2.0,
        traps=(
            Trap(lambda: 50.0, "would be the number if the counts told nothing at all."),
            Trap(
                lambda: surest(2 * EPSILON),
                "would be the number if her data were replaced by others, which counts twice.",
            ),
        ),
        why="The odds grow by a factor of e at most, from 1 to 1 to 2.72 to 1.",
    ),
    _decide(),
)

TEST = (
    Choose(
        name="law/whose",
        text="An operator removes the names, keeps the list of numbers, and gives the table to a city. The city decides by "
        "itself to publish it, and what for; a host stores the file. Who answers for the publication as its controller, and "
        "is the table still about people who can be identified?",
        choices=(
            Choice(
                sentence(
                    "The city; and it is: home and work single out {pair} of 1,000", pair=whole(alone_with_pair())
                ),
                "Whoever decides why and how is the controller. What others can reasonably be expected to know counts too.",
            ),
            Choice(
                "The operator; and it is, but only for those who have the list",
                "The operator answers for what it did itself, and home and work need no list.",
            ),
            Choice(
                "The city; and it is not, as the city has no list",
                "What somebody else has counts as well, and nobody needs the list who knows home and work.",
            ),
            Choice(
                "The host; and it is not, as a host reads no file",
                "A host stores the file for the city, and decides neither why nor how.",
            ),
        ),
        right=lambda: 0,
    ),
    _file(),
)

QUESTIONS = (*STEPS, *TEST)

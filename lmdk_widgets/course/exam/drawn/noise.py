"""The number questions of the lesson on noise with other data."""

from __future__ import annotations

from math import exp, log
from random import Random

import numpy as np

from lmdk_widgets.anonymity.correlation import data_correlation
from lmdk_widgets.composition import sequential
from lmdk_widgets.course.ask import Trap
from lmdk_widgets.course.exam.drawn.family import (
    Posed,
    chance,
    family,
    given,
    how_many,
    in_a_row,
    tenths,
    twentieths,
)
from lmdk_widgets.noise import ResponseDesign, exponential_mechanism
from lmdk_widgets.page.sentences import Sentence, sentence
from lmdk_widgets.pages.table.neighbours import most_believed


def _coins(truth: float, yes: float) -> ResponseDesign:
    return ResponseDesign("coins", truth + (1 - truth) * yes, (1 - truth) * yes)


def _way(truth: float, yes: float) -> Sentence:
    """How people answer."""
    return sentence(
        "A first coin asks for the truth with probability {truth}. Otherwise a second coin says Yes with probability {yes}, "
        "and else No.",
        truth=given(truth),
        yes=given(yes),
    )


@family("noise/yes", {"truth": 0.5, "yes": 0.5}, truth=twentieths(4, 16), yes=twentieths(4, 16))
def says_yes(truth: float, yes: float) -> Posed:
    return chance(
        text=sentence(
            "Bob did ride without a ticket, and is asked whether he did. {way} What is the chance that he says Yes? Give a "
            "probability.",
            way=_way(truth, yes),
        ),
        right=lambda: _coins(truth, yes).yes_if_yes,
        traps=(Trap(lambda: truth, "is the first coin alone. The second coin may say Yes too."),),
        why=sentence("{truth} + (1 − {truth}) · {yes}.", truth=given(truth), yes=given(yes)),
    )


@family(
    "noise/told",
    {"prior": 0.3, "truth": 0.5, "yes": 0.5},
    prior=twentieths(2, 12),
    truth=twentieths(6, 15),
    yes=twentieths(6, 14),
)
def told(prior: float, truth: float, yes: float) -> Posed:
    design = _coins(truth, yes)
    return chance(
        text=sentence(
            "Of all people, the share {prior} rides without a ticket, and nothing else is known about Bob. {way} Bob says "
            "Yes. How likely is it now that he rides without a ticket?",
            prior=given(prior),
            way=_way(truth, yes),
        ),
        right=lambda: most_believed(prior, log(design.yes_if_yes / design.yes_if_no)),
        traps=(
            Trap(
                lambda: design.yes_if_yes,
                "is the chance that he says Yes if he does. The question is the other way round.",
            ),
            Trap(lambda: prior, "is what was known before. His answer does reveal something."),
        ),
        why=sentence(
            "He says Yes with {if_yes} if he does, and with {if_no} if not: {prior} · {if_yes} / ({prior} · {if_yes} + "
            "{rest} · {if_no}).",
            prior=given(prior),
            rest=given(round(1 - prior, 2)),
            if_yes=given(round(design.yes_if_yes, 4)),
            if_no=given(round(design.yes_if_no, 4)),
        ),
    )


@family(
    "noise/estimate",
    {"asked": 1000, "share": 0.3, "truth": 0.5, "yes": 0.5},
    asked=(400, 500, 800, 1000, 1200, 2000),
    share=tuple(k / 100 for k in range(8, 70)),
    truth=twentieths(6, 15),
    yes=twentieths(6, 14),
)
def estimate(asked: int, share: float, truth: float, yes: float) -> Posed:
    design = _coins(truth, yes)
    said = round(asked * (design.yes_if_no + share * truth))
    return chance(
        text=sentence(
            "{asked} people answer whether they ride without a ticket. {way} {said} of them say Yes. What is the best "
            "estimate of the share who do? Give a probability.",
            asked=given(asked),
            way=_way(truth, yes),
            said=given(said),
        ),
        right=lambda: design.estimate(said / asked),
        traps=(
            Trap(lambda: said / asked, "is the share of those who say Yes. Some say it only because of the coins."),
            Trap(
                lambda: said / asked - design.yes_if_no,
                "is what is left without the coins' Yes. But only some people told the truth, so what is left counts more.",
            ),
        ),
        why=sentence(
            "({said} / {asked} − (1 − {truth}) · {yes}) / {truth}.",
            said=given(said),
            asked=given(asked),
            truth=given(truth),
            yes=given(yes),
        ),
    )


@family(
    "noise/moved",
    {"counts": 5, "most": 1, "replaced": True},
    counts=range(8, 30),
    most=range(1, 5),
    replaced=(True, False),
)
def moved(counts: int, most: int, replaced: bool) -> Posed:
    change = "one person's visits are at other places" if replaced else "one person is added or removed"
    return how_many(
        text=sentence(
            "Bob publishes {counts} counts together. A person is in at most {most} of them, once in each. Neighbours are two "
            "tables in which {change}. By how much do all counts together change between neighbours, at most?",
            counts=given(counts),
            most=given(most),
            change=change,
        ),
        right=lambda: float(2 * most if replaced else most),
        traps=(
            Trap(lambda: float(counts), "is the number of counts. But one person cannot change all of them."),
            Trap(lambda: float(most if replaced else 2 * most), "belongs to the other notion of neighbours."),
        ),
        why=sentence("Up to {most} counts fall by 1, and as many others rise by 1.", most=given(most))
        if replaced
        else sentence("Up to {most} counts change by 1.", most=given(most)),
    )


def _visited(draw: Random) -> tuple[int, ...]:
    return (draw.randint(3, 9), *(draw.randint(0, 4) for _ in range(4)))


@family("noise/district", {"counts": (2, 1, 1, 1, 1), "epsilon": 1.0}, counts=_visited, epsilon=tenths(2, 15))
def district(counts: tuple[int, ...], epsilon: float) -> Posed:
    first, *others = counts

    def named(level: float) -> float:
        return float(np.asarray(exponential_mechanism(list(counts), level, 1))[0])

    return chance(
        text=sentence(
            "So many people are in five districts: {first} at Montmartre, and {others} in the others. With ε = {epsilon}, "
            "how likely is the exponential mechanism to name Montmartre as the most visited one? One person changes a count "
            "by 1, and neighbours add or remove a person. Give a probability.",
            first=given(first),
            others=in_a_row(others),
            epsilon=given(epsilon),
        ),
        right=lambda: named(epsilon),
        traps=(
            Trap(lambda: named(2 * epsilon), "comes from the weights e^(ε u). The mechanism uses e^(ε u / 2)."),
            Trap(lambda: first / sum(counts), "is Montmartre's share of the people."),
        ),
        why=sentence(
            "Its weight is e^({epsilon} · {first} / 2), over the sum of e^({epsilon} u / 2) for u = {counts}.",
            epsilon=given(epsilon),
            first=given(first),
            counts=in_a_row(counts),
        ),
    )


@family("noise/twice", {"factor": 3, "days": 2}, factor=(1.2, 1.5, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5), days=(2, 3, 4, 5))
def twice(factor: float, days: int) -> Posed:
    return {
        "text": sentence(
            "Bob answers by randomised response, where one answer changes odds by a factor of {factor} at most. He is asked "
            "the same on {days} days, and tosses new coins each time. By what factor, at most, can all answers together "
            "change the odds?",
            factor=given(factor),
            days=given(days),
        ),
        "right": lambda: exp(sequential([log(factor)] * days)),
        "traps": (
            Trap(lambda: factor, "is the factor of one answer. Each further answer reveals something new."),
            Trap(lambda: factor * days, "adds the factors. But epsilons add up, so their factors multiply."),
        ),
        "why": sentence("{factor}^{days}.", factor=given(factor), days=given(days)),
    }


@family(
    "noise/friends",
    {"work": 0.5, "home": 0.9, "else_home": 0.2},
    work=twentieths(4, 14),
    home=twentieths(13, 18),
    else_home=twentieths(2, 7),
)
def friends(work: float, home: float, else_home: float) -> Posed:
    joint = ((work * home, work * (1 - home)), ((1 - work) * else_home, (1 - work) * (1 - else_home)))
    coins = ((0.75, 0.25), (0.25, 0.75))
    return chance(
        text=sentence(
            "Donald is at work with chance {work}. When he is, Dewey is at home with chance {home}, and otherwise with "
            "{else_home}. Each answers by two coins, which say what is true with probability 3/4 and the opposite with 1/4. "
            "Donald says “at work” and Dewey says “at home”. How likely is it now that Donald is at work?",
            work=given(work),
            home=given(home),
            else_home=given(else_home),
        ),
        right=lambda: float(data_correlation(joint, coins, coins, 0, 0).after_both[0]),
        traps=(
            Trap(
                lambda: float(data_correlation(joint, coins, coins, 0, 0).after_own[0]),
                "is what Donald's own answer reveals. Dewey's answer says something about Donald as well.",
            ),
        ),
        why=sentence(
            "At work: {work} · 3/4 · ({home} · 3/4 + (1 − {home}) · 1/4). Not: (1 − {work}) · 1/4 · ({else_home} · 3/4 + (1 "
            "− {else_home}) · 1/4). The first over the sum of both.",
            work=given(work),
            home=given(home),
            else_home=given(else_home),
        ),
    )


FAMILIES = (says_yes, told, estimate, moved, district, twice, friends)

"""Questions of the first lesson: twelve predictions from a coin to an epsilon for Bob, and ten questions of a test."""

from __future__ import annotations

from math import exp, lgamma, log, pi, sqrt

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.composition import sequential
from lmdk_widgets.course.ask import Choice, Choose, Curve, Number, Trap, probability
from lmdk_widgets.course.moments import neighbouring
from lmdk_widgets.course.tables import measures
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.noise import TWO_COINS, Laplace, PlanarLaplace
from lmdk_widgets.page.amounts import amount, metres, numeral, percent, whole
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.neighbours import TRUE_SHARE, most_believed
from lmdk_widgets.pages.table.release import Publishing
from lmdk_widgets.trajectory import sample

COUNT_EPSILON = 0.5
HOURS = tuple(range(1, 9))
HOUR_EPSILON = 0.25
NIGHTS = (1, 4, 9, 16, 25, 36)
RADIUS_M = 200.0
LEVELS = {"event": "Event level", "landmark": "Landmark privacy", "user": "User level"}
SURE = 0.75
"""What nobody should believe more firmly of Bob, who was believed to be there with one half."""
RADII_M = (100.0, 200.0, 400.0)
LEVEL_RADIUS_M = 100.0
STAYS = (0.5, 0.7, 0.9, 1.0)
RELEASES, RELEASE_EPSILON = 10, 0.1


def off_by_nights(epsilon: float = 1.0) -> Floats:
    """How far the average of so many reports of one bed is off on average, metres, for each of `NIGHTS`.

    Of n reports by planar Laplace with mean distance 2 R from the bed it is ``3 sqrt(pi)/2 R G((3n+1)/2) / G(3n/2+1)``, G
    the gamma function: a report has the characteristic function (1 + (R t)^2)^(-3/2), an average its power, and the mean
    length of a vector whose characteristic function f depends on t alone is the integral of (1 - f(t)) / t^2 over t > 0.
    """
    one = PlanarLaplace(RADIUS_M).mean_displacement(epsilon)
    return np.array([one * 0.75 * sqrt(pi) * exp(lgamma((3 * n + 1) / 2) - lgamma(1.5 * n + 1)) for n in NIGHTS])


def factor(level: float, distance_m: float) -> float:
    """By what factor the chances of a report of two places may differ, with a level within `LEVEL_RADIUS_M`."""
    return exp(level * distance_m / LEVEL_RADIUS_M)


def lost(stay: float) -> float:
    """The largest total loss of ten releases, where one stays in either of two places with this chance."""
    moves = np.array([[stay, 1 - stay], [1 - stay, stay]])
    return float(temporal_loss(moves, moves, [RELEASE_EPSILON] * RELEASES).total.max())


def share(scheme: FixedSchemeName, epsilon: float = 1.0) -> float:
    """The budget of a landmark on Bob's day."""
    bob = sample("bob")
    return float(allocate(scheme, len(bob), bob.landmarks, epsilon)[bob.landmarks[0]])


def surest() -> float:
    """The largest epsilon with which a belief of one half never passes `SURE`."""
    return log(SURE / (1 - SURE))


def noisy(epsilon: float, people: int) -> float:
    """The mean error of a count by Laplace noise, as a share of so many people."""
    return Laplace(sensitivity=1.0).mean_displacement(epsilon) / people


def _only(name: str, text: str, choices: dict[str, tuple[bool, str]]) -> Choose:
    """A question of which one choice is so, as was computed."""
    return Choose(
        name=name,
        text=text,
        choices=tuple(Choice(said, why) for said, (_, why) in choices.items()),
        right=lambda: [so for so, _ in choices.values()].index(True),
    )


def _level(name: str, text: str, changed: tuple[int, ...], least: str) -> Choose:
    """Which is the weakest level that hides a change of Bob's day."""
    why = {
        "event": "Event level hides what differs at one timestamp.",
        "landmark": "Landmark privacy hides what differs at the landmarks and at one other timestamp.",
        "user": "User level hides whatever differs, on the whole day, and so it needs the most noise.",
    }

    def right() -> int:
        return [neighbouring(level, changed) for level in LEVELS].index(True)

    choices = tuple(Choice(title, f"{why[level]} {least}") for level, title in LEVELS.items())
    return Choose(name=name, text=text, choices=choices, right=right)


STEPS = (
    probability(
        name="start/coin",
        text="Bob never rode without a ticket. He tosses the coins as told. With what probability does he say Yes all the "
        "same? Give a number, such as 0.4.",
        right=lambda: TWO_COINS.yes_if_no,
        traps=(
            Trap(
                lambda: 0.5,
                "is the chance of each coin. He says Yes only if the first shows tails and the second heads.",
            ),
            Trap(lambda: 0.0, "would mean that he always tells the truth. After tails the second coin decides."),
        ),
        why="Both coins have to fall one way: half of one half.",
    ),
    probability(
        name="start/odds",
        text="You think it as likely as not that Bob did it: odds of 1 to 1. A release multiplies odds by at most e^ε, here "
        "by 3. How firmly can you believe it afterwards, at most? Give a probability.",
        right=lambda: most_believed(0.5, log(3)),
        traps=(
            Trap(lambda: 0.5, "is the belief before. A release may change it."),
            Trap(lambda: 1.0, "would be certainty, which odds multiplied by 3 never reach."),
            Trap(lambda: 1 / 3, "is 1 part of 3. Odds of 3 to 1 are 3 parts of 4."),
        ),
        why="Odds of 3 to 1 are three parts of four.",
    ),
    Number(
        name="start/noise",
        text="An operator counts the people in a square, and adds Laplace noise. One person changes the count by 1, so the "
        f"noise is 1/ε people on average. How many people is the published count off on average, with ε = {COUNT_EPSILON}?",
        right=lambda: Laplace(sensitivity=1.0).mean_displacement(COUNT_EPSILON),
        high=1000.0,
        unit="people",
        traps=(Trap(lambda: COUNT_EPSILON, "is ε itself. The smaller ε is, the larger the noise."),),
        why="1/0.5 is 2. It is the same for ten people in the square and for ten thousand.",
    ),
    Curve(
        name="start/sum",
        text=f"Bob's place is released every hour, each time with ε = {HOUR_EPSILON} and new noise. Draw the ε of all "
        "releases together against their number.",
        x=HOURS,
        right=lambda: [sequential([HOUR_EPSILON] * n) for n in HOURS],
        high=3.0,
        x_title="releases",
        y_title="ε of all together",
        tolerance=0.1,
        why="Each release may multiply the odds again. Factors multiply, so their epsilons add up.",
    ),
    _level(
        "start/neighbours",
        "Bob's landmarks are p1, p3, p5 and p8. His day must look like a day on which he is elsewhere at p1, p3 and p6. "
        "Which is the weakest level that promises this?",
        (0, 2, 5),
        "Here two landmarks and one other timestamp differ.",
    ),
    Number(
        name="start/landmarks",
        text="Bob's four landmarks and any one other timestamp share ε = 1 equally, the scheme Uniform. What may each of the "
        "eight timestamps spend?",
        right=lambda: share("uniform"),
        high=10.0,
        traps=(
            Trap(lambda: share("user"), "is ε shared by all eight timestamps, which is user level."),
            Trap(lambda: 1 / 4, "is ε shared by the landmarks alone. Nothing is left for the other timestamp."),
            Trap(lambda: share("event"), "is all of ε. The landmarks together would spend four times as much."),
        ),
        why="Four landmarks and one other are five shares.",
    ),
    Curve(
        name="start/nights",
        text=sentence(
            "Each night Bob's bed is reported with new noise, {mean_noise} off on average. An attacker takes the "
            "average of all reports. Draw how far it is off, against the number of nights.",
            mean_noise=metres(PlanarLaplace(RADIUS_M).mean_displacement(1.0)),
        ),
        x=NIGHTS,
        right=off_by_nights,
        high=500.0,
        x_title="nights",
        y_title="average off by, m",
        written=metres,
        tolerance=0.3,
        why="After four nights about half, after nine about a third: it is divided by the square root of their number.",
    ),
    Number(
        name="start/distance",
        text="Planar Laplace noise protects by distance: two places 100 m apart may be told apart by a factor of 2. By what "
        "factor two places 300 m apart?",
        right=lambda: factor(log(2), 300.0),
        high=1000.0,
        traps=(
            Trap(lambda: 2.0, "is the factor for 100 m. Places farther apart are told apart more easily."),
            Trap(lambda: 6.0, "is 3 times 2. But every 100 m multiplies the factor."),
        ),
        why="2 for each 100 m: 2 times 2 times 2. So the street is hidden, but not the city.",
    ),
    _only(
        "start/post",
        "A private release says that −1.3 people are in the square. What can be done with it at no further cost in ε?",
        {
            "Write 0 in its place": (
                True,
                "What is computed from the release alone is just as private: post-processing is free.",
            ),
            "Look at the true count, and add less noise if the release is far off": (
                False,
                "This looks at the secret again, so it reveals more about it.",
            ),
            "Release again until the number is not below 0": (
                False,
                "Each try looks at the secret again. If only the last is published, it costs up to 2ε; if the number of "
                "tries is known too, every try costs ε.",
            ),
        },
    ),
    Number(
        name="start/memory",
        text=f"A person never moves, and everyone knows it. The place is released {RELEASES} times, each time with "
        f"ε = {RELEASE_EPSILON}. What is the ε of all that the releases tell about the place at one timestamp?",
        right=lambda: lost(1.0),
        high=10.0,
        traps=(
            Trap(lambda: lost(0.5), "is the ε of one release. The others are about the same place, as nobody moved."),
        ),
        why="All ten are about one place, so they add up. For someone who moves at random, each tells about its own "
        "timestamp only.",
    ),
    _only(
        "start/trust",
        "A city wants to know how many people are in a square. Which way suits Bob if nobody else may see whether "
        "he is there?",
        {
            "Each phone adds noise before it answers": (
                True,
                "This is the local model: Bob trusts only his own phone, and the count is noisier.",
            ),
            "The operator counts, and adds noise to the count": (
                False,
                "This is the central model: there is less noise, but the operator sees who is there.",
            ),
            "The operator publishes the count only if it is at least 100": (
                False,
                "The operator sees who is there. And a count that appears when it reaches 100 reveals one person.",
            ),
        },
    ),
    Number(
        name="start/choice",
        text=sentence(
            "Bob is at one of two nearby places, and an attacker thinks both equally likely. After all releases the "
            "attacker should be at most {most_sure} sure. How large may the ε of his landmarks and one other "
            "timestamp together be? (ln 2 = {ln_2}, ln 3 = {ln_3}, ln 4 = {ln_4}.)",
            most_sure=percent(SURE),
            ln_2=amount(log(2)),
            ln_3=amount(log(3)),
            ln_4=amount(log(4)),
        ),
        right=surest,
        high=20.0,
        traps=(
            Trap(
                lambda: 3.0,
                "is the factor by which the odds may change. Its ε is ln of the factor.",
            ),
            Trap(
                lambda: SURE,
                "is the belief itself. Compare its odds, 3 to 1, with those before, 1 to 1.",
            ),
        ),
        why=lambda: sentence(
            "Odds of 3 to 1 are a factor of 3, and ε = ln 3. With Uniform each timestamp spends {uniform_budget} of "
            "it.",
            uniform_budget=amount(share("uniform", surest())),
        ),
    ),
)
"""The twelve steps."""


def _both_ways() -> Choose:
    forth, back = TWO_COINS.yes_if_yes, most_believed(TRUE_SHARE, TWO_COINS.epsilon)
    pairs = {
        (forth, back): "The coins give the first number; the second depends on how many did it.",
        (forth, forth): "The second is the other direction: a Yes turns odds of 3 to 7 into 9 to 7.",
        (0.5, back): "After tails the second coin may say Yes too.",
        (forth, TRUE_SHARE): "An answer does change the belief.",
    }
    return _only(
        "start/both-ways",
        "Everyone tosses two coins, as in step 1, and three of ten people did it. How likely is a Yes from someone who did "
        "it? And how likely is it that someone who said Yes did it?",
        {
            sentence("{yes_if_did} and {did_if_yes}", yes_if_did=amount(one), did_if_yes=amount(other)): (
                (one, other) == (forth, back),
                why,
            )
            for (one, other), why in pairs.items()
        },
    )


def _radii() -> Choose:
    right = tuple(factor(log(2), radius) for radius in RADII_M)
    found = {
        right: "The factor is 2 for each 100 m, and factors multiply.",
        tuple(
            2.0 * radius / LEVEL_RADIUS_M for radius in RADII_M
        ): "Every 100 m multiplies the factor by 2; it does not add 2.",
        (2.0,) * len(RADII_M): "That would be one promise for all distances; no report could then be near the truth.",
    }
    return _only(
        "start/radii",
        "Places have ε = ln 2 at 100 m. By what factors may two places be told apart that are 100, 200 and 400 m apart?",
        {", ".join(f"{value:g}" for value in values): (values == right, why) for values, why in found.items()},
    )


def _classes() -> Choose:
    second = measures("t2", Publishing((0,), 1, (4,)))
    return _only(
        "start/class",
        sentence(
            "A table is {k}-anonymous. All {k_in_words} records of Bob's class say Montmartre. What follows?",
            k=whole(second.k),
            k_in_words=numeral(second.k),
        ),
        {
            "Everyone who knows Bob's class knows his place": (
                second.distinct == 1,
                "k is a number of records, and all three may say the same.",
            ),
            f"His place is known with chance 1/{second.k}": (
                second.distinct == second.k,
                "That would need a different place in each record.",
            ),
            "Nothing: nobody knows which record is his": (
                False,
                "There is no need to know the record if all say the same.",
            ),
        },
    )


TEST = (
    _only(
        "start/meaning",
        "A release has ε = ln 2. What is promised?",
        {
            "The odds of two neighbours change by at most a factor of 2": (
                exp(log(2)) <= 2,
                "The factor is e^ε, whatever was believed before.",
            ),
            "Nobody is surer than one half": (
                most_believed(0.5, log(2)) <= 0.5,
                "A belief of one half may become two thirds, and what was believed before may be more.",
            ),
            "The release is wrong with chance one half": (
                False,
                "ε bounds odds. It does not say how often a release is wrong.",
            ),
        },
    ),
    Number(
        name="start/composition",
        text="Three releases about Bob have ε = 0.2, 0.3 and 0.5, with new noise each time. What is the ε of all together?",
        right=lambda: sequential([0.2, 0.3, 0.5]),
        high=10.0,
        traps=(Trap(lambda: 0.5, "is the largest of them. That counts for releases about different people."),),
        why="Epsilons add up.",
    ),
    _level(
        "start/levels",
        "Bob's landmarks are p1, p3, p5 and p8. Which is the weakest level that hides a day with p2 and p6 elsewhere?",
        (1, 5),
        "Here two timestamps differ that are not landmarks.",
    ),
    Number(
        name="start/averaging",
        text="Bob's bed is reported 16 times with new noise. About how many times nearer to the bed is the average of all "
        "reports than one report?",
        right=lambda: (
            TWO_COINS.standard_error(TWO_COINS.yes_if_no, 1) / TWO_COINS.standard_error(TWO_COINS.yes_if_no, 16)
        ),
        high=100.0,
        tolerance=0.09,
        traps=(Trap(lambda: 16.0, "is the number of reports. Errors in different directions cancel only in part."),),
        why="It is the square root of the number. After 100 nights the error is about a tenth.",
    ),
    _classes(),
    _radii(),
    _both_ways(),
    _only(
        "start/processing",
        "Which of these costs no further ε?",
        {
            "Drawing a smooth line through the released places": (True, "It uses the release alone."),
            "Moving released places onto the street where Bob really walked": (False, "It uses the true street."),
            "Leaving out released places that are far from the truth": (
                False,
                "What is left out reveals something about the truth.",
            ),
        },
    ),
    _only(
        "start/people",
        "With Laplace noise a count of 100 people is 2 % off on average. How far off is a count of 10,000 people with the "
        "same ε?",
        {
            "0.02 %": (
                np.isclose(noisy(COUNT_EPSILON, 10_000), 0.0002).item(),
                "The noise is two people in both counts, and two of 10,000 are 0.02 %.",
            ),
            "2 %": (
                np.isclose(noisy(COUNT_EPSILON, 10_000), 0.02).item(),
                "That would be 200 people. The noise does not grow with the count.",
            ),
            "0.2 %": (
                np.isclose(noisy(COUNT_EPSILON, 10_000), 0.002).item(),
                "That is the square root, as where each person adds noise to their own answer.",
            ),
        },
    ),
    _only(
        "start/whom",
        "Laplace noise is added to a count by the operator. Whom must Bob trust?",
        {
            "The operator, who sees the truth": (
                True,
                "Noise protects only against those who see the published count.",
            ),
            "Everyone who reads the count": (False, "The noise protects against them, whatever they know."),
            "Nobody": (False, "That is so where Bob adds the noise himself."),
        },
    ),
)
"""The ten questions of the test, which the teacher's guide asks too."""

QUESTIONS = (*STEPS, *TEST)

"""The number questions of the first lesson with other data."""

from __future__ import annotations

from math import exp, log

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.composition import sequential
from lmdk_widgets.course.ask import Trap
from lmdk_widgets.course.exam.drawn.family import Posed, chance, family, given, in_a_row, tenths, twentieths
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.noise import TWO_COINS, Laplace, ResponseDesign
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.neighbours import most_believed


@family("start/coin", {"truth": 0.5, "yes": 0.5}, truth=twentieths(4, 16), yes=twentieths(4, 16))
def coin(truth: float, yes: float) -> Posed:
    design = ResponseDesign("coins", truth + (1 - truth) * yes, (1 - truth) * yes)
    return chance(
        text=sentence(
            "Bob never rode without a ticket, and is asked whether he did. A first coin tells him to say the truth with "
            "probability {truth}. Otherwise a second coin says Yes for him with probability {yes}, and else No. With what "
            "probability does he say Yes?",
            truth=given(truth),
            yes=given(yes),
        ),
        right=lambda: design.yes_if_no,
        traps=(
            Trap(lambda: yes, "is the second coin alone. It is tossed only if the first does not ask for the truth."),
        ),
        why=sentence(
            "The second coin has to be tossed, and say Yes: (1 − {truth}) · {yes}.", truth=given(truth), yes=given(yes)
        ),
    )


@family("start/odds", {"prior": 0.5, "factor": 3}, prior=twentieths(2, 14), factor=(2, 3, 4, 5, 6, 8))
def odds(prior: float, factor: int) -> Posed:
    return chance(
        text=sentence(
            "You believe with probability {prior} that Bob did it. A release multiplies odds by at most e^ε, here by "
            "{factor}. How firmly can you believe it afterwards, at most? Give a probability.",
            prior=given(prior),
            factor=given(factor),
        ),
        right=lambda: most_believed(prior, log(factor)),
        traps=(Trap(lambda: prior, "is the belief before. A release may change it."),),
        why=sentence(
            "The odds of {prior} to {rest} become {factor} · {prior} to {rest}: {factor} · {prior} / ({factor} · {prior} + "
            "{rest}).",
            prior=given(prior),
            rest=given(round(1 - prior, 2)),
            factor=given(factor),
        ),
    )


@family(
    "start/noise", {"most": 1, "epsilon": 0.5}, most=range(2, 8), epsilon=(0.1, 0.2, 0.25, 0.4, 0.5, 0.8, 1.25, 2.0)
)
def noise(most: int, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "A museum counts its visits in a week, and adds Laplace noise with ε = {epsilon}. One person is counted up to "
            "{most} times, so the noise is {most}/ε on average. How many visits is the published count off on average?",
            most=given(most),
            epsilon=given(epsilon),
        ),
        "right": lambda: Laplace(sensitivity=float(most)).mean_displacement(epsilon),
        "unit": "visits",
        "traps": (
            Trap(lambda: most * epsilon, "is a product. The smaller ε is, the larger the noise: divide by it."),
            Trap(lambda: 1 / epsilon, "covers one visit of a person. Cover all of them."),
        ),
        "why": sentence("{most} / {epsilon}.", most=given(most), epsilon=given(epsilon)),
    }


@family(
    "start/landmarks",
    {"landmarks": 4, "timestamps": 8, "epsilon": 1.0},
    landmarks=range(2, 9),
    timestamps=range(10, 25),
    epsilon=tenths(5, 30),
)
def landmarks(landmarks: int, timestamps: int, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "Donald's {landmarks} landmarks and any one other timestamp share ε = {epsilon} equally, the scheme Uniform. His "
            "day has {timestamps} timestamps. What may each of them spend?",
            landmarks=given(landmarks),
            timestamps=given(timestamps),
            epsilon=given(epsilon),
        ),
        "right": lambda: float(allocate("uniform", timestamps, range(landmarks), epsilon)[0]),
        "traps": (
            Trap(lambda: epsilon / timestamps, "is ε shared by all timestamps, which is user level."),
            Trap(
                lambda: epsilon / landmarks,
                "is ε shared by the landmarks alone. Nothing is left for the other timestamp.",
            ),
        ),
        "why": sentence(
            "{landmarks} landmarks and one other: {epsilon} / ({landmarks} + 1).",
            landmarks=given(landmarks),
            epsilon=given(epsilon),
        ),
    }


@family(
    "start/distance",
    {"near": 100, "factor": 2, "far": 300},
    near=(100, 150, 200, 250),
    factor=(1.5, 2, 2.5, 3, 4),
    far=(300, 350, 400, 450, 500, 550),
)
def distance(near: int, factor: float, far: int) -> Posed:
    return {
        "text": sentence(
            "Planar Laplace noise protects by distance: two places {near} m apart may be told apart by a factor of {factor}. "
            "By what factor two places {far} m apart?",
            near=given(near),
            factor=given(factor),
            far=given(far),
        ),
        "right": lambda: exp(log(factor) * far / near),
        "traps": (
            Trap(
                lambda: factor * far / near,
                "multiplies the factor by the distance. But each step of distance multiplies it.",
            ),
        ),
        "why": sentence("{factor}^({far}/{near}).", factor=given(factor), far=given(far), near=given(near)),
    }


@family(
    "start/memory", {"releases": 10, "epsilon": 0.1}, releases=range(4, 30), epsilon=(0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
)
def memory(releases: int, epsilon: float) -> Posed:
    return {
        "text": sentence(
            "A person never moves, and everyone knows it. The place is released {releases} times, each time with "
            "ε = {epsilon}. What is the ε of all that the releases tell about the place at one timestamp?",
            releases=given(releases),
            epsilon=given(epsilon),
        ),
        "right": lambda: float(temporal_loss(np.eye(2), np.eye(2), [epsilon] * releases).total.max()),
        "traps": (Trap(lambda: epsilon, "is the ε of one release. The others are about the same place."),),
        "why": sentence(
            "All are about one place: {releases} · {epsilon}.", releases=given(releases), epsilon=given(epsilon)
        ),
    }


@family("start/choice", {"sure": 0.75}, sure=tuple(k / 100 for k in range(55, 96)))
def choice(sure: float) -> Posed:
    return {
        "text": sentence(
            "Bob is at one of two nearby places, and an attacker thinks both equally likely. After all releases the attacker "
            "should believe in one of them with probability {sure} at most. How large may the ε of his landmarks and one "
            "other timestamp together be?",
            sure=given(sure),
        ),
        "right": lambda: log(sure / (1 - sure)),
        "traps": (
            Trap(lambda: sure / (1 - sure), "is the factor by which the odds may change. Its ε is ln of the factor."),
        ),
        "why": sentence(
            "The odds may become {sure} to {rest}: ln({sure} / {rest}).",
            sure=given(sure),
            rest=given(round(1 - sure, 2)),
        ),
    }


@family(
    "start/composition",
    {"first": 0.2, "second": 0.3, "third": 0.5},
    first=twentieths(1, 12),
    second=twentieths(5, 20),
    third=twentieths(3, 30),
)
def composition(first: float, second: float, third: float) -> Posed:
    three = (first, second, third)
    return {
        "text": sentence(
            "Three releases about Bob have the epsilons {epsilons}, with new noise each time. What is the ε of all together?",
            epsilons=in_a_row(three),
        ),
        "right": lambda: sequential(list(three)),
        "traps": (
            Trap(lambda: max(three), "is the largest of them. That counts for releases about different people."),
        ),
        "why": sentence(
            "Epsilons add up: {first} + {second} + {third}.",
            first=given(first),
            second=given(second),
            third=given(third),
        ),
    }


@family("start/averaging", {"reports": 16}, reports=range(20, 401))
def averaging(reports: int) -> Posed:
    error = TWO_COINS.standard_error
    return {
        "text": sentence(
            "Bob's bed is reported {reports} times with new noise. About how many times nearer to the bed is the average of "
            "all reports than one report?",
            reports=given(reports),
        ),
        "right": lambda: error(TWO_COINS.yes_if_no, 1) / error(TWO_COINS.yes_if_no, reports),
        "traps": (
            Trap(
                lambda: float(reports), "is the number of reports. Errors in different directions cancel only in part."
            ),
        ),
        "why": sentence("√{reports}: errors average out with the square root of their number.", reports=given(reports)),
        "tolerance": 0.05,
    }


FAMILIES = (coin, odds, noise, landmarks, distance, memory, choice, composition, averaging)

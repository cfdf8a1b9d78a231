"""The number questions of the lessons on moments, streams, and adaptive and hidden landmarks with other data."""

from __future__ import annotations

from math import comb, sqrt
from random import Random
from typing import Any

import numpy as np

from lmdk_widgets.budgets import adaptive_budgets, allocate, dummy_posterior, landmark_totals, window_totals
from lmdk_widgets.composition import discounted, sequential
from lmdk_widgets.course.ask import Trap
from lmdk_widgets.course.exam.drawn.family import (
    Posed,
    chance,
    family,
    given,
    how_many,
    in_a_row,
    tenths,
    timestamps,
    twentieths,
)
from lmdk_widgets.noise import PanPrivateCounter
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.neighbours import most_believed
from lmdk_widgets.pages.table.stream import deviation_of


@family("moments/belief", {"epsilon": 1.0}, epsilon=twentieths(4, 60))
def belief(epsilon: float) -> Posed:
    return chance(
        text=sentence(
            "An attacker is sure that Bob's day was one of two neighbours, and thinks both equally likely. After a release "
            "that is landmark private with ε = {epsilon}, how sure of one can they be at most? Give a probability.",
            epsilon=given(epsilon),
        ),
        right=lambda: most_believed(0.5, epsilon),
        traps=(Trap(lambda: 0.5, "is what they believed before."),),
        why=sentence(
            "The odds of 1 to 1 become at most e^{epsilon} to 1: e^{epsilon} / (1 + e^{epsilon}).",
            epsilon=given(epsilon),
        ),
    )


@family(
    "moments/share",
    {"epsilon": 1.0, "landmarks": 4, "n": 8},
    epsilon=tenths(4, 40),
    landmarks=range(2, 10),
    n=range(12, 31),
)
def share(epsilon: float, landmarks: int, n: int) -> Posed:
    return {
        "text": sentence(
            "Uniform gives all timestamps the same budget. With ε = {epsilon} and {landmarks} landmarks among {n} "
            "timestamps, how much is it?",
            epsilon=given(epsilon),
            landmarks=given(landmarks),
            n=given(n),
        ),
        "right": lambda: float(allocate("uniform", n, range(landmarks), epsilon)[0]),
        "traps": (
            Trap(
                lambda: epsilon / landmarks,
                "is ε shared by the landmarks alone. Nothing is left for one other timestamp.",
            ),
            Trap(lambda: epsilon / n, "is ε shared by all timestamps, which is user level."),
        ),
        "why": sentence(
            "{landmarks} landmarks and one other timestamp share it: {epsilon} / ({landmarks} + 1).",
            landmarks=given(landmarks),
            epsilon=given(epsilon),
        ),
    }


@family("moments/overspent", {"landmarks": 4, "epsilon": 1.0}, landmarks=range(2, 10), epsilon=tenths(5, 30))
def overspent(landmarks: int, epsilon: float) -> Posed:
    def most() -> float:
        budgets = np.full(landmarks + 2, epsilon / (landmarks + 1))
        budgets[:landmarks] = epsilon / landmarks
        return float(np.max(landmark_totals(budgets, range(landmarks))))

    return {
        "text": sentence(
            "There are {landmarks} landmarks. A student understands Uniform as follows: landmarks get ε/{landmarks}, the "
            "others ε/{shares}. With ε = {epsilon}, what do the landmarks and one regular timestamp spend together?",
            landmarks=given(landmarks),
            shares=given(landmarks + 1),
            epsilon=given(epsilon),
        ),
        "right": most,
        "traps": (Trap(lambda: epsilon, "is what the landmarks spend. Add the regular timestamp."),),
        "why": sentence(
            "The landmarks spend all of {epsilon}, and one other {epsilon} / {shares} more.",
            epsilon=given(epsilon),
            shares=given(landmarks + 1),
        ),
    }


@family("streams/all-day", {"epsilon": 0.5, "hours": 24}, epsilon=twentieths(1, 20), hours=range(6, 25))
def all_day(epsilon: float, hours: int) -> Posed:
    return {
        "text": sentence(
            "Each hour's count is published with ε = {epsilon}. Daisy is counted in {hours} hours. How much do the counts "
            "spend on her together?",
            epsilon=given(epsilon),
            hours=given(hours),
        ),
        "right": lambda: sequential([epsilon] * hours),
        "traps": (Trap(lambda: epsilon, "is the budget of one count, but Daisy is in all of them."),),
        "why": sentence(
            "The same person is in every count: {hours} · {epsilon}.", hours=given(hours), epsilon=given(epsilon)
        ),
    }


@family(
    "streams/stay",
    {"window": 3, "epsilon": 1.0, "hours": 5},
    window=range(2, 7),
    epsilon=tenths(5, 20),
    hours=range(7, 15),
)
def stay(window: int, epsilon: float, hours: int) -> Posed:
    return {
        "text": sentence(
            "A stream is w-event private with w = {window} and ε = {epsilon}: each hour has the share 1/w of it. Dewey stays "
            "for {hours} hours in a row. How much do the counts spend on him?",
            window=given(window),
            epsilon=given(epsilon),
            hours=given(hours),
        ),
        "right": lambda: float(window_totals(allocate("window", 24, (), epsilon, window=window), hours).max()),
        "traps": (
            Trap(lambda: epsilon, "is the most that one window may cost. He stays longer than that."),
            Trap(lambda: hours * epsilon, "is what he would cost with all of ε in each hour."),
        ),
        "why": sentence(
            "{hours} · {epsilon} / {window}.", hours=given(hours), epsilon=given(epsilon), window=given(window)
        ),
    }


def _hours(draw: Random) -> tuple[float, ...]:
    return tuple(draw.randint(1, 30) / 100 for _ in range(5))


@family(
    "streams/age",
    {"budgets": tuple(round(0.01 * k, 2) for k in range(1, 11)), "gamma": 0.9},
    budgets=_hours,
    gamma=twentieths(10, 19),
)
def age(budgets: tuple[float, ...], gamma: float) -> Posed:
    return {
        "text": sentence(
            "Hours in a row spend {budgets}; the last number is the newest hour. With γ = {gamma}, what is the discounted "
            "sum?",
            budgets=in_a_row(budgets),
            gamma=given(gamma),
        ),
        "right": lambda: discounted(list(budgets), gamma=gamma),
        "traps": (
            Trap(lambda: discounted(list(budgets[::-1]), gamma=gamma), "counts the oldest hour in full."),
            Trap(lambda: sequential(list(budgets)), "is the plain sum, γ = 1."),
        ),
        "why": sentence(
            "From the newest hour back, with the factors 1, {gamma}, {gamma}² and so on: {budgets}.",
            gamma=given(gamma),
            budgets=in_a_row(budgets[::-1]),
        ),
    }


@family("streams/total", {"counts": 24, "epsilon": 1.0}, counts=range(6, 200, 2), epsilon=tenths(2, 20))
def total(counts: int, epsilon: float) -> Posed:
    def ratio() -> float:
        summed = np.sqrt(counts) * deviation_of(allocate("event", counts, (), epsilon))
        return float(summed / np.sqrt(PanPrivateCounter(epsilon, np.random.default_rng(0)).noise_variance))

    return {
        "text": sentence(
            "ε = {epsilon}. To count all visits, one can add up {counts} counts at event level, or use a pan-private "
            "counter, which adds noise of the same scale to its state and to its output. How many times larger than the "
            "counter's is the sum's standard deviation?",
            counts=given(counts),
            epsilon=given(epsilon),
        ),
        "right": ratio,
        "traps": (
            Trap(lambda: counts / 2, "comes from adding deviations. But variances add up."),
            Trap(lambda: float(np.sqrt(counts)), "would be right if the counter had noise once. It has noise twice."),
        ),
        "why": sentence(
            "Variances add up: {counts} against 2, so √({counts} / 2), whatever ε is.", counts=given(counts)
        ),
    }


@family("streams/root", {"before": 24, "after": 96}, before=range(10, 40, 2), after=range(48, 200, 4))
def root(before: int, after: int) -> Posed:
    return {
        "text": sentence(
            "A stream of {before} hours achieves (1, δ) at user level with Gaussian noise in each hour. How many times as "
            "large is an hour's noise in a stream of {after} hours, with the same ε and δ?",
            before=given(before),
            after=given(after),
        ),
        "right": lambda: sqrt(after / before),
        "traps": (Trap(lambda: after / before, "is Laplace noise, whose epsilons add up."),),
        "why": sentence("√({after} / {before}).", after=given(after), before=given(before)),
    }


@family(
    "streams/risk",
    {"people": 10_000, "one_in": 1_000},
    people=range(2_000, 60_000, 1_000),
    one_in=(200, 250, 400, 500, 1_000, 2_000),
)
def risk(people: int, one_in: int) -> Posed:
    return {
        "text": sentence(
            "For each of {people} people, a machine publishes the whole day as it is with chance 1/{one_in}, and otherwise "
            "nothing. How many people's days are published, on average?",
            people=given(people),
            one_in=given(one_in),
        ),
        "right": lambda: people / one_in,
        "traps": (Trap(lambda: 1 / one_in, "is the chance for one person."),),
        "why": sentence("{people} / {one_in}, though ε = 0.", people=given(people), one_in=given(one_in)),
    }


def _landmarks(draw: Random) -> tuple[tuple[int, ...], int, int, int]:
    """Landmarks, how many timestamps, the landmark that is not measured, and the timestamp after it that is asked for."""
    n = draw.randint(9, 16)
    marked = tuple(sorted(draw.sample(range(n - 1), draw.randint(4, 6))))
    skipped = draw.choice(marked[1:-2])
    return marked, n, skipped, draw.randint(skipped + 1, n - 1)


@family("adaptive/share", {"day": ((0, 2, 4, 7), 8, 2, 3), "epsilon": 1.0}, day=_landmarks, epsilon=tenths(5, 30))
def adaptive_share(day: tuple[tuple[int, ...], int, int, int], epsilon: float) -> Posed:
    marked, n, skipped, asked = day
    base, later = epsilon / (len(marked) + 1), sum(index > skipped for index in marked)
    values: Any = {
        "landmarks": timestamps(marked),
        "n": given(n),
        "epsilon": given(epsilon),
        "skipped": timestamps([skipped]),
        "asked": timestamps([asked]),
    }
    return {
        "text": sentence(
            "Donald's landmarks are {landmarks} of p1 to p{n}, and ε = {epsilon}. Adaptive measures every timestamp except "
            "{skipped}. What may {asked} spend?",
            **values,
        ),
        "right": lambda: float(adaptive_budgets(n, marked, epsilon, (skipped,))[asked]),
        "traps": (
            Trap(lambda: base, "is what it had before. What a landmark did not spend is not lost."),
            Trap(
                lambda: 2 * base,
                "adds all of the landmark's budget. It is shared by the later landmarks and one other.",
            ),
            Trap(
                lambda: base + base / later,
                "shares it between the later landmarks alone. One other is in their sum too.",
            ),
        ),
        "why": sentence(
            "Each timestamp has b = {epsilon} / {shares}. After {skipped}, the sum can still have {later} landmarks and one "
            "other, so each later timestamp gets b + b / ({later} + 1).",
            epsilon=given(epsilon),
            shares=given(len(marked) + 1),
            skipped=timestamps([skipped]),
            later=given(later),
        ),
    }


@family("adaptive/silence", {"landmarks": 4, "n": 8, "at": 3}, landmarks=range(3, 12), n=range(14, 31), at=range(3, 12))
def silence(landmarks: int, n: int, at: int) -> Posed:
    return chance(
        text=sentence(
            "Of Bob's {n} timestamps {landmarks} are landmarks, but nobody knows which; any of them may be. Under Skip, a "
            "repeat would prove a landmark. Under Adaptive, whose rate ignores landmarks, the first repeat is at p{at}. How "
            "likely is it that p{at} is a landmark?",
            n=given(n),
            landmarks=given(landmarks),
            at=given(at),
        ),
        right=lambda: landmarks / n,
        traps=(Trap(lambda: 1.0, "is right for Skip, which repeats at landmarks and nowhere else."),),
        why=sentence("As likely as before: {landmarks} / {n}.", landmarks=given(landmarks), n=given(n)),
    )


@family(
    "adaptive/price",
    {"dummies": 2, "landmarks": 4, "epsilon": 1.0},
    dummies=range(2, 12),
    landmarks=range(2, 9),
    epsilon=tenths(5, 30),
)
def price(dummies: int, landmarks: int, epsilon: float) -> Posed:
    every = dummies + landmarks
    return {
        "text": sentence(
            "{dummies} dummies join Bob's {landmarks} landmarks, and Uniform with ε = {epsilon} protects all of them. What "
            "may each timestamp spend?",
            dummies=given(dummies),
            landmarks=given(landmarks),
            epsilon=given(epsilon),
        ),
        "right": lambda: float(allocate("uniform", every + 1, range(every), epsilon)[0]),
        "traps": (
            Trap(lambda: epsilon / every, "leaves nothing for the one other timestamp."),
            Trap(lambda: epsilon / (landmarks + 1), "is the share without dummies. They are protected like landmarks."),
        ),
        "why": sentence(
            "{epsilon} / ({landmarks} + {dummies} + 1).",
            epsilon=given(epsilon),
            landmarks=given(landmarks),
            dummies=given(dummies),
        ),
    }


@family("adaptive/greedy", None, protected=range(8, 31), landmarks=range(2, 6))
def sets(protected: int, landmarks: int) -> Posed:
    return how_many(
        text=sentence(
            "An attacker knows that {landmarks} of {protected} protected timestamps are landmarks, and that the dummies were "
            "computed from the landmarks. So the method is tried on every set of {landmarks} of them. How many sets are "
            "there to try?",
            landmarks=given(landmarks),
            protected=given(protected),
        ),
        right=lambda: float(comb(protected, landmarks)),
        traps=(
            Trap(lambda: float(protected**landmarks), "counts a timestamp twice, and each set in every order."),
            Trap(lambda: float(protected), "is the number of protected timestamps. A set has more than one."),
        ),
        why=sentence(
            "{protected} over {landmarks}. So few are tried in no time, and often only the true one is left.",
            protected=given(protected),
            landmarks=given(landmarks),
        ),
    )


@family("adaptive/random", None, protected=range(8, 25), landmarks=range(2, 8), n=range(30, 50))
def at_random(protected: int, landmarks: int, n: int) -> Posed:
    return chance(
        text=sentence(
            "Each of the regular timestamps joins the landmarks as a dummy independently, with the same chance. Of {n} "
            "timestamps {protected} are protected, and everyone knows that {landmarks} are landmarks. How likely is each "
            "protected one to be a landmark?",
            n=given(n),
            protected=given(protected),
            landmarks=given(landmarks),
        ),
        right=lambda: float(dummy_posterior(range(protected), n, landmarks)[0]),
        traps=(Trap(lambda: landmarks / n, "was the chance before. Those that are not protected are no landmarks."),),
        why=sentence(
            "All protected timestamps are alike: {landmarks} / {protected}.",
            landmarks=given(landmarks),
            protected=given(protected),
        ),
    )


FAMILIES = (
    *(belief, share, overspent),
    *(all_day, stay, age, total, root, risk),
    *(adaptive_share, silence, price, sets, at_random),
)

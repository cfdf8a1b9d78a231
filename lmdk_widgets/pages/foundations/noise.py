"""The part on noise: what two neighbouring inputs make likely, how far one output can move a belief, and what it costs.

First the numbers, then the sentences.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from math import ceil, exp, inf, isfinite, log, log10, sinh, sqrt

import numpy as np

from lmdk_widgets.anonymity.examples import DISTRICTS, WHERE
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import (
    TRUTHFULLY_OR_YES,
    TWO_COINS,
    ResponseDesign,
    exponential_mechanism,
    geometric,
    geometric_probability,
    laplace,
    randomized_response_channel,
    share_variances,
    warner,
)
from lmdk_widgets.page.amounts import amount, bound, bound_odds, bound_percent, percent
from lmdk_widgets.page.words import Words
from lmdk_widgets.pages.foundations.model import SURVEYS, Foundations

TRUE_SHARE = 0.3
"""The true share of Yes in the survey, or of the first answer; other answers share the rest alike."""

POINTS = 401
"""Places at which a density is drawn."""
TALLEST = 1e6
"""Ratios are drawn up to this."""
SIMULATION = "This page is a simulation with a known seed, not a private release."


@dataclass(frozen=True, eq=False)
class Noise:
    """A mechanism between two neighbouring inputs.

    Attributes
    ----------
    names : of the two inputs. outputs : (x,) numbers, or positions of `labels`.
    labels : names of the outputs, empty for numbers. smooth : whether there are outputs between those drawn.
    first, second : (x,) probability of each output, or its density, for the two inputs.
    epsilon : of the whole release; infinite where it is not differentially private.
    up, down : the largest log ratios for and against the first input, by the whole release.
    sensitivity : how much the release can change between neighbours; 0 where there is no such number.
    scale : of the noise, 0 where none is added.
    largest, where : the largest ratio of the two in the chart, and where it is, in words.
    deviation : standard deviation of one output as a share of one person, or of an estimated share.
    needed : people for the wanted error; None where no number suffices.
    drawn : one output for the first input. after : the belief in the first input after it.
    """

    names: tuple[str, str]
    outputs: Floats
    labels: tuple[str, ...]
    smooth: bool
    first: Floats
    second: Floats
    epsilon: float
    up: float
    down: float
    sensitivity: int
    scale: float
    largest: float
    where: str
    deviation: float
    needed: int | None
    drawn: float
    after: float


def noise_of(choices: Foundations) -> Noise:
    """The chosen mechanism between two neighbouring inputs.

    Examples
    --------
    >>> found = noise_of(Foundations(part="noise", mechanism="two-coin"))
    >>> round(found.largest, 10), round(most_believed(0.5, found.epsilon), 10)
    (3.0, 0.75)
    """
    if choices.mechanism in ("laplace", "geometric"):
        return _of_counts(choices)
    return _exponential(choices) if choices.mechanism == "exponential" else _survey(choices)


def most_believed(prior: float, epsilon: float) -> float:
    """The most that a belief can become: ``e^eps p / (e^eps p + 1 - p)``.

    Examples
    --------
    >>> [round(most_believed(0.5, epsilon), 4) for epsilon in (0.01, 0.1, log(2), log(3), 1)]
    [0.5025, 0.525, 0.6667, 0.75, 0.7311]
    """
    return 1.0 if epsilon == inf else prior / (prior + (1 - prior) * exp(-epsilon))


def counts() -> list[int]:
    """How many people are in each district at t1."""
    times = Counter(place for place, _ in WHERE["t1"])
    return [times[district] for district in DISTRICTS]


def _of_counts(choices: Foundations) -> Noise:
    """One bar of a histogram, or one count: Montmartre with Huey and without."""
    both = choices.counted == "histogram" and choices.neighbours == "replace"
    sensitivity = 2 if both else 1
    epsilon, scale = choices.epsilon, sensitivity / choices.epsilon
    with_huey = counts()[DISTRICTS.index("Montmartre")]
    rng = np.random.default_rng(choices.seed)
    reach = max(3.0, min(6 * scale, 400))
    means = with_huey, with_huey - 1
    smooth = choices.mechanism == "laplace"
    if smooth:
        around = np.linspace(with_huey - 0.5 - reach, with_huey - 0.5 + reach, POINTS)
        outputs = np.unique(np.append(around, means))
        first, second = (np.exp(-np.abs(outputs - mean) / scale) / (2 * scale) for mean in means)
        drawn = float(laplace(np.array([float(with_huey)]), scale, rng)[0])
    else:
        outputs = np.arange(with_huey - 1 - ceil(reach), with_huey + ceil(reach) + 1, dtype=float)
        chances = partial(geometric_probability, epsilon=epsilon, sensitivity=sensitivity)
        first, second = (np.asarray(chances(outputs - mean)) for mean in means)
        drawn = float(geometric([with_huey], epsilon, rng, sensitivity=sensitivity)[0])
    deviation = sqrt(2) * scale if smooth else sqrt(2) / (2 * sinh(1 / scale / 2))
    odds = (abs(drawn - with_huey + 1) - abs(drawn - with_huey)) / scale
    return Noise(
        _inputs(choices),
        outputs,
        (),
        smooth,
        first,
        second,
        epsilon,
        epsilon,
        epsilon,
        sensitivity,
        scale,
        exp(1 / scale),
        f"from {with_huey} upwards, and the other way round from {with_huey - 1} downwards",
        deviation,
        ceil(deviation / choices.wanted),
        drawn,
        most_believed(choices.prior, odds),
    )


def _inputs(choices: Foundations) -> tuple[str, str]:
    other = "Huey is not there" if choices.neighbours == "add" else "Huey is at Opéra instead"
    return "Huey is at Montmartre", other


def _exponential(choices: Foundations) -> Noise:
    """The most visited district, with Huey at Montmartre and without."""
    scores, at = counts(), DISTRICTS.index("Montmartre")
    others = list(scores)
    others[at] -= 1
    if choices.neighbours == "replace":
        others[DISTRICTS.index("Opéra")] += 1
    first, second = (np.asarray(exponential_mechanism(u, choices.epsilon, 1)) for u in (scores, others))
    with np.errstate(divide="ignore"):
        ratios = np.abs(np.log(first) - np.log(second))
    worst = _first_largest(ratios)
    drawn = int(exponential_mechanism(scores, choices.epsilon, 1, np.random.default_rng(choices.seed)))
    wrong = choices.wanted
    gap, rivals = 1 / sum(scores), len(scores) - 1  # shares of people: the best district is ahead by one of them all
    needed = max(1, ceil(2 / (choices.epsilon * gap) * max(0.0, log(rivals * (1 - wrong) / wrong))))
    return Noise(
        _inputs(choices),
        np.arange(len(scores), dtype=float),
        DISTRICTS,
        False,
        first,
        second,
        choices.epsilon,
        choices.epsilon,
        choices.epsilon,
        1,
        0.0,
        exp(ratios[worst]),
        f"at {DISTRICTS[worst]}",
        float(1 - first[at]),
        needed,
        float(drawn),
        most_believed(choices.prior, float(np.log(first[drawn]) - np.log(second[drawn]))),
    )


def _first_largest(ratios: Floats) -> int:
    """The first of those that are the largest but for rounding: which one is said must not hang on it."""
    return int(np.argmax(ratios >= ratios.max() * (1 - 1e-12)))


def design_of(choices: Foundations) -> ResponseDesign:
    """How people answer Yes or No."""
    if choices.mechanism == "warner":
        if choices.truth in (0.0, 0.5, 1.0):
            what = "The probability p must be between 0 and 1, and neither of them nor 1/2"
            remedy = "At 1/2 an answer says nothing, at 0 and 1 it says everything"
            raise InputError(what, value=choices.truth, remedy=remedy)
        return warner(choices.truth)
    return TWO_COINS if choices.mechanism == "two-coin" else TRUTHFULLY_OR_YES


def _survey(choices: Foundations) -> Noise:
    """A person's own answer: the true one is the first, or it is the second."""
    wanted = choices.wanted
    if choices.mechanism == "many":
        m = choices.answers
        channel, epsilon = randomized_response_channel(m, choices.epsilon), choices.epsilon
        labels = tuple(f"answer {k + 1}" for k in range(m))
        shares = np.array([TRUE_SHARE, *[(1 - TRUE_SHARE) / (m - 1)] * (m - 1)])
        variance = float(share_variances(shares @ channel, 1, epsilon)[0])
    else:
        design = design_of(choices)
        labels, epsilon = ("Yes", "No"), design.epsilon
        yes = np.array([design.yes_if_yes, design.yes_if_no])
        channel = np.column_stack([yes, 1 - yes])
        share = TRUE_SHARE * yes[0] + (1 - TRUE_SHARE) * yes[1]
        variance = design.standard_error(share, 1) ** 2
    first, second = channel[0], channel[1]
    with np.errstate(divide="ignore"):
        ratios = np.log(first) - np.log(second)
    worst = _first_largest(np.abs(ratios))
    drawn = int(np.random.default_rng(choices.seed).choice(len(first), p=first / first.sum()))
    return Noise(
        (f"the truth is {labels[0]}", f"the truth is {labels[1]}"),
        np.arange(len(labels), dtype=float),
        labels,
        False,
        first,
        second,
        epsilon,
        float(ratios.max()),
        float(-ratios.min()),
        0,
        0.0,
        exp(abs(ratios[worst])) if np.isfinite(ratios[worst]) else inf,
        f"at {labels[worst]}",
        sqrt(variance),
        ceil(variance / wanted**2 * (1 - 1e-12)),
        float(drawn),
        most_believed(choices.prior, float(ratios[drawn])),
    )


def drawn_ratios(found: Noise) -> tuple[Floats, tuple[float, float] | None]:
    """The ratio of the two chances at each output, at most `TALLEST`; e^eps and e^-eps, None where they are beyond it.

    Examples
    --------
    >>> drawn_ratios(noise_of(Foundations(part="noise", mechanism="two-coin")))[0].round(10).tolist()
    [3.0, 0.3333333333]
    """
    with np.errstate(divide="ignore", over="ignore"):
        logs = np.log(found.first) - np.log(found.second)
    ratios = np.exp(np.clip(logs, -np.log(TALLEST), np.log(TALLEST)))
    limited = isfinite(found.epsilon) and exp(found.epsilon) < TALLEST
    return ratios, (exp(found.epsilon), exp(-found.epsilon)) if limited else None


def drawn_beliefs(found: Noise) -> tuple[list[float], list[float], list[float]]:
    """Beliefs from 0 to 1 in the first input, and the most and the least that an output can make of each."""
    before: list[float] = np.linspace(0, 1, 101).tolist()
    most = [most_believed(p, found.up) if p else 0.0 for p in before]
    least = [1 - most_believed(1 - p, found.down) if p < 1 else 1.0 for p in before]
    return before, most, least


def drawn_errors(choices: Foundations, found: Noise) -> tuple[Floats, Floats]:
    """Numbers of people, beyond those needed, and the error with each: a share, or the chance of another district."""
    n = np.logspace(0, max(2.0, log10(found.needed or 1) + 0.7), 80)
    if choices.mechanism == "exponential":
        scores = counts()
        wrong = (len(scores) - 1) * np.exp(-choices.epsilon * n / (2 * sum(scores)))
        return n, wrong / (1 + wrong)
    return n, found.deviation / (np.sqrt(n) if choices.mechanism in SURVEYS else n)


def noise_words(choices: Foundations, found: Noise) -> Words:
    """What the mechanism does, whom it protects, and where it does not."""
    sentences = (_belief(choices, found), _what(choices, found), _told_apart(choices, found), _cost(choices, found))
    paragraph = " ".join(sentences)
    return Words(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _what(choices: Foundations, found: Noise) -> str:
    epsilon = amount(choices.epsilon)
    if choices.mechanism in ("laplace", "geometric"):
        what = "each of five counts" if choices.counted == "histogram" else "the count"
        how = "replaced" if choices.neighbours == "replace" else "added or removed"
        kind = "Laplace" if choices.mechanism == "laplace" else "Two-sided geometric"
        moved = "a count by 1" if found.sensitivity == 1 else "two counts by 1 each"
        return (
            f"Where one person is {how}, the release changes by at most {found.sensitivity} ({moved}): that is its "
            f"sensitivity. {kind} noise of scale {found.sensitivity} / {epsilon} = "
            f"{amount(found.scale)} is added to {what}.{_rounded(choices, found)}"
        )
    if choices.mechanism == "exponential":
        chance = percent(float(found.first.max()))
        return (
            f"Each district is named with chance proportional to e^(ε u / 2), u the people there, which one person changes "
            f"by at most 1: Montmartre, with two people, with chance {chance}."
        )
    if choices.mechanism == "many":
        chance = percent(float(found.first[0]))
        return f"With ε = {epsilon} the true one of {choices.answers} answers is given with chance {chance}."
    design = design_of(choices)
    return (
        f"Who would truly say Yes says it with chance {percent(design.yes_if_yes)}, who would truly say No with "
        f"{percent(design.yes_if_no)}{'' if found.epsilon == inf else f': ε = {amount(found.epsilon)}'}."
    )


def _rounded(choices: Foundations, found: Noise) -> str:
    if choices.mechanism != "laplace":
        return ""
    right, below = 1 - exp(-0.5 / found.scale), exp(-2 / found.scale) / 2
    return f" The noisy 2 rounds to 2 with chance {percent(right)} and is below 0 with {percent(below)}."


def _told_apart(choices: Foundations, found: Noise) -> str:
    if not isfinite(found.largest):
        return f"The two inputs differ without bound {found.where}: that answer proves the truth."
    one = " in this bar" if found.sensitivity == 2 else ""
    times = f"up to {factor_of(found.largest)} times{one}"
    text = f"An output is {times} likelier for one of the two inputs than for the other, {found.where}."
    if found.sensitivity == 2:
        text += (
            f" The bar of Opéra changes as well, and both together tell up to e^ε = {bound_odds(found.epsilon)} times."
        )
    return text


def factor_of(ratio: float) -> str:
    """A ratio behind "up to"."""
    return bound_odds(log(ratio)) if ratio >= 1e5 else bound(ratio)


def _belief(choices: Foundations, found: Noise) -> str:
    before, most = percent(choices.prior), most_believed(choices.prior, found.up)
    if found.epsilon == inf:
        return f"After a No nobody doubts any more; after a Yes a belief of {before} in a true Yes becomes {percent(most)}."
    return f"A belief of {before} that {found.names[0]} becomes at most {bound_percent(most)}."


def _cost(choices: Foundations, found: Noise) -> str:
    wanted = percent(choices.wanted)
    if choices.mechanism == "exponential":
        return (
            f"The choice is wrong with chance {percent(found.deviation)}. With the same shares of people {found.needed:,} of "
            f"them make a wrong choice no likelier than {wanted}."
        )
    if choices.mechanism in SURVEYS:
        what = "Yes" if choices.mechanism != "many" else "the first answer"
        return (
            f"Where {percent(TRUE_SHARE)} would truly say {what}, the estimate from 100 people has a standard error of "
            f"{percent(found.deviation / 10)}; one of {wanted} takes {found.needed:,} people."
        )
    return (
        f"The noise has a standard deviation of {amount(found.deviation)} people; as a share of everybody that is {wanted} "
        f"or less from {found.needed:,} people on."
    )


def _guarantee(choices: Foundations, found: Noise) -> str:
    if found.epsilon == inf:
        return (
            "What is protected: nothing of those who say No, as their answer is certainly true; a Yes leaves doubt. This is "
            "not differentially private, whatever the coin. " + SIMULATION
        )
    if choices.mechanism in SURVEYS:
        what, who = "the answer of each person", "everybody, the one who asks among them (the local model)"
        need = "each answers once, and nobody's true answer depends on another's"
    else:
        there = "whether one person is in the table" if choices.neighbours == "add" else "where one person is"
        what, who = there, "everybody who sees the release, whatever else they know"
        need = "a person is in one district, one release is made, and nobody's place depends on another's"
    return (
        f"What is protected: {what}, with ε = {bound(found.epsilon)}. Against whom: {who}. Under which assumption: {need}. "
        f"{SIMULATION}"
    )


def _warnings(choices: Foundations, found: Noise) -> list[str]:
    said = []
    if choices.mechanism == "truthfully-or-yes":
        said.append(
            "Not differentially private: a No is never said by who would truly say Yes, so a No is certainly true."
        )
    if choices.neighbours == "replace" and choices.mechanism not in SURVEYS:
        said.append(
            "The number of people counts as known: replacing hides where somebody is, not that somebody is there."
        )
    return said


def noise_rows(choices: Foundations, found: Noise) -> list[list[str]]:
    """The mechanism in numbers: name, value, meaning."""
    rows = [
        [
            "ε of the release",
            "no bound" if found.epsilon == inf else amount(found.epsilon),
            "e^ε bounds every ratio of chances",
        ]
    ]
    if found.sensitivity:
        kept = "replacing one person" if choices.neighbours == "replace" else "adding or removing one person"
        rows.append(["sensitivity", str(found.sensitivity), f"the most that {kept} changes"])
    if found.scale:
        rows.append(["scale of the noise", amount(found.scale), "sensitivity / ε"])
    largest = "no bound" if found.largest == inf else amount(found.largest)
    rows.append(["largest ratio drawn", largest, found.where])
    rows.append(
        [
            "belief, at most",
            bound_percent(most_believed(choices.prior, found.up)),
            f"from {percent(choices.prior)}",
        ]
    )
    rows.append(["after the output drawn", percent(found.after), f"output: {drawn_said(found)}"])
    return rows


def drawn_said(found: Noise) -> str:
    """The output that was drawn for the first input."""
    if found.labels:
        return found.labels[int(found.drawn)]
    return amount(found.drawn) if found.smooth else f"{found.drawn:,.0f}"


def chart_summaries(choices: Foundations, found: Noise) -> dict[str, str]:
    """The charts in words."""
    kind = "density" if found.smooth else "chance"
    ratio = "without bound" if found.largest == inf else f"{amount(found.largest)}, {found.where}"
    most = most_believed(choices.prior, found.up)
    needed = "" if found.needed is None else f"{found.needed:,} people reach {percent(choices.wanted)}."
    error = "The chance of a wrong choice" if choices.mechanism == "exponential" else "The standard error of a share"
    return {
        "outputs": f"The {kind} of each output for two neighbouring inputs; the diamond is one draw, {drawn_said(found)}"
        f"{'' if found.outputs[0] <= found.drawn <= found.outputs[-1] else ', beyond the end of the chart'}.",
        "ratio": f"How many times likelier an output is for one of them, on a log scale. The largest ratio is {ratio}.",
        "belief": f"What a belief becomes at most and at least: {percent(choices.prior)}, at most {bound_percent(most)}.",
        "people": f"{error} falls with the number of people; {needed}",
    }

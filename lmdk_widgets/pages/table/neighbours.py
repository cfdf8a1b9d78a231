"""A mechanism between two neighbouring inputs: what each makes likely, how far one output moves a belief, what it costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import ceil, erfc, exp, inf, isfinite, log, log10, pi, sinh, sqrt

import numpy as np

from lmdk_widgets.anonymity.examples import DISTRICTS, WHERE
from lmdk_widgets.checks import SMALLEST
from lmdk_widgets.composition import gaussian_delta, laplace_delta, response_delta, trade_off, trade_off_between
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.every_prior import bayes_capacity, bayes_security
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
from lmdk_widgets.pages.table.model import NOISES, SURVEYS, TableChoices

TRUE_SHARE = 0.3
"""The true share of Yes in the survey, or of the first answer; other answers share the rest equally."""

POINTS = 401
"""Places at which a density is drawn."""
ALARMS = 101
"""Shares of false alarms at which a test is drawn."""

TALLEST = 1e6
"""Ratios are drawn up to this."""


@dataclass(frozen=True, eq=False)
class Noise:
    """A mechanism between two neighbouring inputs.

    Attributes
    ----------
    names : of the two inputs. outputs : (x,) numbers, or positions of `labels`.
    labels : names of the outputs, empty for numbers. smooth : whether there are outputs between those drawn.
    first, second : (x,) probability of each output, or its density, for the two inputs.
    epsilon : of the whole release, at `delta`; infinite if it is not differentially private.
    up, down : the largest log ratios for and against the first input, by the whole release.
    sensitivity : how much the release can change between neighbours; 0 if there is no such number. For Gaussian noise, a
        distance, so the square root of 2 if two counts change.
    scale : of the noise, 0 if none is added.
    largest, where : the largest ratio of the two in the chart, and where it is, in words.
    deviation : standard deviation of one output as a share of one person, or of an estimated share.
    needed : people for the wanted error; None if no number suffices.
    drawn : one output for the first input. after : the belief in the first input after it.
    delta : at epsilon, 0 for all but Gaussian noise.
    mu : for Gaussian noise, how many standard deviations the two inputs are apart; 0 for all others.
    beyond : the chance that the true input makes a release more than e^epsilon times likelier.
    channel : (n, x) a row for each answer that may be the true one, in a survey; None: there are the two inputs.
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
    sensitivity: float
    scale: float
    largest: float
    where: str
    deviation: float
    needed: int | None
    drawn: float
    after: float
    delta: float = 0.0
    mu: float = 0.0
    beyond: float = 0.0
    channel: Floats | None = None

    @cached_property
    def variation(self) -> float:
        """The total variation between what the two inputs make likely, of the whole release; rounded up if composed."""
        if self.mu:
            return gaussian_delta(0, self.mu)
        if self.scale:  # this many counts change by 1 each; whole-number noise loses as an answer does
            each = [self.epsilon / self.sensitivity] * int(self.sensitivity)
            return laplace_delta(each, 0) if self.smooth else response_delta(each, 0)
        return float(np.abs(self.first - self.second).sum() / 2)

    @property
    def capacity(self) -> float:
        """How many times likelier the output makes a right guess at most, whatever is believed (Bayes capacity)."""
        return 1 + self.variation if self.channel is None else bayes_capacity(self.channel)

    @property
    def security(self) -> float:
        """The share of wrong guesses that stay wrong at least, whatever is believed (Bayes security)."""
        return 1 - self.variation if self.channel is None else bayes_security(self.channel)


def noise_of(choices: TableChoices) -> Noise:
    """The chosen mechanism between two neighbouring inputs.

    Examples
    --------
    >>> found = noise_of(TableChoices(part="noise", mechanism="two-coin"))
    >>> round(found.largest, 10), round(most_believed(0.5, found.epsilon), 10)
    (3.0, 0.75)
    """
    if choices.mechanism in NOISES:
        return _gaussian(choices) if choices.mechanism == "gaussian" else _of_counts(choices)
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


def _of_counts(choices: TableChoices) -> Noise:
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


def _gaussian(choices: TableChoices) -> Noise:
    """The same with normal noise: sigma is chosen, and delta follows from it and from epsilon."""
    counted, sigma = _of_counts(choices), choices.sigma
    sensitivity = sqrt(counted.sensitivity)
    mu = sensitivity / sigma
    with_huey = counts()[DISTRICTS.index("Montmartre")]
    means, reach = (with_huey, with_huey - 1), 0.5 + 4 * sigma
    outputs = np.unique(np.append(np.linspace(with_huey - 0.5 - reach, with_huey - 0.5 + reach, POINTS), means))
    first, second = (np.exp(-(((outputs - mean) / sigma) ** 2) / 2) / (sigma * sqrt(2 * pi)) for mean in means)
    drawn = float(np.random.default_rng(choices.seed).normal(with_huey, sigma))
    return replace(
        counted,
        outputs=outputs,
        smooth=True,
        first=first,
        second=second,
        up=inf,
        down=inf,
        sensitivity=sensitivity,
        scale=sigma,
        largest=inf,
        where="grows with the distance from both counts",
        deviation=sigma,
        needed=ceil(sigma / choices.wanted),
        drawn=drawn,
        after=most_believed(choices.prior, (drawn - with_huey + 0.5) / sigma**2),
        delta=gaussian_delta(choices.epsilon, mu),
        mu=mu,
        beyond=max(erfc((choices.epsilon / mu - mu / 2) / sqrt(2)) / 2, SMALLEST),
    )


def _inputs(choices: TableChoices) -> tuple[str, str]:
    other = "Huey is not there" if choices.neighbours == "add" else "Huey is at Opéra instead"
    return "Huey is at Montmartre", other


def _exponential(choices: TableChoices) -> Noise:
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
    gap, rivals = 1 / sum(scores), len(scores) - 1  # shares of people: the best district is ahead by one person
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
    """The first of those that are the largest up to rounding, which must not decide which one is named."""
    return int(np.argmax(ratios >= ratios.max() * (1 - 1e-12)))


def design_of(choices: TableChoices) -> ResponseDesign:
    """How people answer Yes or No."""
    if choices.mechanism == "warner":
        if choices.truth in (0.0, 0.5, 1.0):
            what = "The probability p must be between 0 and 1, but not 0, 1 or 1/2"
            remedy = "At 1/2 an answer says nothing, at 0 and 1 it says everything"
            raise InputError(what, value=choices.truth, remedy=remedy)
        return warner(choices.truth)
    return TWO_COINS if choices.mechanism == "two-coin" else TRUTHFULLY_OR_YES


def _survey(choices: TableChoices) -> Noise:
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
        channel=channel,
    )


def drawn_ratios(found: Noise) -> tuple[Floats, tuple[float, float] | None]:
    """The ratio of the two chances at each output, at most `TALLEST`; e^eps and e^-eps, None if they are beyond it.

    Examples
    --------
    >>> drawn_ratios(noise_of(TableChoices(part="noise", mechanism="two-coin")))[0].round(10).tolist()
    [3.0, 0.3333333333]
    """
    with np.errstate(divide="ignore", over="ignore"):
        logs = np.log(found.first) - np.log(found.second)
    ratios = np.exp(np.clip(logs, -np.log(TALLEST), np.log(TALLEST)))
    limited = isfinite(found.epsilon) and exp(found.epsilon) < TALLEST
    return ratios, (exp(found.epsilon), exp(-found.epsilon)) if limited else None


def drawn_beliefs(found: Noise) -> tuple[list[float], list[float], list[float]]:
    """Beliefs from 0 to 1 in the first input, and the most and the least that an output can make of each.

    For Gaussian noise, whose outputs can change a belief without limit, only those that change the odds by at most e^epsilon.
    """
    up, down = (found.epsilon, found.epsilon) if found.mu else (found.up, found.down)
    before: list[float] = np.linspace(0, 1, 101).tolist()
    most = [most_believed(p, up) if p else 0.0 for p in before]
    least = [1 - most_believed(1 - p, down) if p < 1 else 1.0 for p in before]
    return before, most, least


def drawn_errors(choices: TableChoices, found: Noise) -> tuple[Floats, Floats]:
    """Numbers of people, beyond those needed, and the error with each: a share, or the chance of another district."""
    n = np.logspace(0, max(2.0, log10(found.needed or 1) + 0.7), 80)
    if choices.mechanism == "exponential":
        scores = counts()
        wrong = (len(scores) - 1) * np.exp(-choices.epsilon * n / (2 * sum(scores)))
        return n, wrong / (1 + wrong)
    return n, found.deviation / (np.sqrt(n) if choices.mechanism in SURVEYS else n)


def drawn_test(found: Noise) -> tuple[Floats, Floats, Floats | None]:
    """Shares of false alarms, what the best test of the whole release misses at each, and what epsilon and delta allow.

    Examples
    --------
    >>> alarms, missed, allowed = drawn_test(noise_of(TableChoices(part="noise", mechanism="two-coin")))
    >>> [round(float(share[25]), 10) for share in (alarms, missed, allowed)]
    [0.25, 0.25, 0.25]
    """
    if found.mu:
        alarms, missed = trade_off("gaussian", mu=found.mu, points=ALARMS)
    elif found.scale:  # this many counts change by 1 each; whole-number noise loses as an answer does
        each = [found.epsilon / found.sensitivity] * int(found.sensitivity)
        alarms, missed = trade_off("laplace" if found.smooth else "response", epsilons=each, points=ALARMS)
    else:
        alarms, missed = trade_off_between(found.first, found.second, points=ALARMS)
    if found.epsilon == inf:
        return alarms, missed, None
    e, left = exp(-found.epsilon), 1 - found.delta
    return alarms, missed, np.maximum(np.maximum(left - alarms / e, e * (left - alarms)), 0)

"""The part on a stream: the count of a district in each hour, under every level of protection, and a pan-private counter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf, sqrt

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.composition import discounted, sequential
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import PanPrivateCounter, laplace, pan_private_loss
from lmdk_widgets.scenario.foundations.model import HOURS, Foundations

COUNTS = (3, 2, 1, 1, 1, 2, 4, 9, 14, 16, 15, 17, 21, 19, 16, 15, 17, 22, 27, 29, 24, 17, 10, 6)
"""Invented: how many people are at Montmartre in each hour of a day."""


@dataclass(frozen=True, eq=False)
class Counter:
    """The pan-private counter of the day.

    Attributes
    ----------
    readings : what each intrusion saw. output : the count at the end of the day.
    deviation : standard deviation of the noise in the output.
    one : the epsilon of somebody with one event. twice : of somebody with an event before the first intrusion and one
    after the last, None where no hour comes after it. always : of somebody with an event in every hour.
    """

    readings: tuple[float, ...]
    output: float
    deviation: float
    one: float
    twice: float | None
    always: float


@dataclass(frozen=True, eq=False)
class Stream:
    """The stream under every level.

    Attributes
    ----------
    budgets : (24,) epsilon of each hour, by level; the pan-private counter has none.
    released : (24,) what the drawn level publishes; None where that is the pan-private counter.
    counter : the pan-private counter.
    """

    budgets: Mapping[str, Floats]
    released: Floats | None
    counter: Counter

    def whole_day(self, level: str) -> float:
        """The epsilon of somebody who is there in every hour, for a level with budgets."""
        return sequential(self.budgets[level])


def stream_of(choices: Foundations) -> Stream:
    """The stream under every level, with the chosen one drawn.

    Examples
    --------
    >>> found = stream_of(Foundations(part="stream", window=4))
    >>> float(found.budgets["window"][0]), round(found.counter.deviation, 6)
    (0.25, 2.0)
    """
    budgets = level_budgets(choices)
    rng = np.random.default_rng(choices.seed)
    unit = laplace(np.zeros(HOURS), 1.0, rng)
    drawn = budgets.get(choices.level)
    return Stream(budgets, None if drawn is None else np.array(COUNTS) + unit / drawn, counter_of(choices))


def level_budgets(choices: Foundations) -> dict[str, Floats]:
    """The budget of each hour under every level but the pan-private one."""
    epsilon, marks = choices.epsilon, choices.landmarks
    weights = discounted(np.ones(HOURS), gamma=choices.discount)
    return {
        "event": allocate("event", HOURS, marks, epsilon),
        "user": allocate("user", HOURS, marks, epsilon),
        "window": allocate("window", HOURS, marks, epsilon, window=choices.window),
        "landmark": allocate("uniform", HOURS, marks, epsilon),
        "discounted": np.full(HOURS, epsilon / weights),
    }


def stretches(choices: Foundations) -> list[int]:
    """How many hours lie before the first intrusion, between each two, and after the last."""
    return [b - a for a, b in pairwise([-1, *choices.intrusions, HOURS - 1])]


def counter_of(choices: Foundations) -> Counter:
    """The pan-private counter with the intrusions that were placed."""
    epsilon, rng = choices.epsilon, np.random.default_rng(choices.seed)
    counter = PanPrivateCounter(epsilon, rng)
    readings = []
    for hour, people in enumerate(COUNTS):
        counter.count(people)
        if hour in choices.intrusions:
            readings.append(counter.intrude(announced=choices.announced))
    # without noise of its own the output is what one more reader of the memory would see
    deviation = sqrt(counter.noise_variance - (0 if choices.fresh else 2 / epsilon**2))
    output = counter.output() if choices.fresh else counter.intrude()
    hours = stretches(choices)
    n = len(hours)

    def loss(events: list[int]) -> float:
        return pan_private_loss(epsilon, events, fresh=choices.fresh, renewed=choices.announced)

    one = max(loss([int(k == where) for k in range(n)]) for where in range(n) if hours[where])
    twice = loss([int(k in (0, n - 1)) for k in range(n)]) if n > 1 and hours[-1] else None
    return Counter(tuple(readings), output, deviation, one, twice, loss(hours))


def deviation_of(budgets: Floats) -> float:
    """The mean standard deviation of the noise of a count, in people: ``sqrt(2) / eps``, over the hours."""
    return float(np.mean(np.divide(sqrt(2), budgets, out=np.full(len(budgets), inf), where=budgets > 0)))

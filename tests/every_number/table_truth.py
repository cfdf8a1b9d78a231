"""Noise, a stream and releases that add up, computed apart from the page: by sums, by loops and by their definitions."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise, product
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from scipy.special import erfcinv

from tests.composition.composition_truth import gaussian_exact
from tests.every_number.claims import SMALL, once
from tests.every_number.stacked_truth import epsilon_at, missed_at, two_counts_apart

DISTRICTS = ["Le Marais", "Belleville", "Montmartre", "Latin Quarter", "Opéra"]
THERE = [1, 1, 2, 1, 1]
"""People of t1 in each district."""
DAY = [3, 2, 1, 1, 1, 2, 4, 9, 14, 16, 15, 17, 21, 19, 16, 15, 17, 22, 27, 29, 24, 17, 10, 6]
COINS = ((0.75, 0.25), (0.25, 0.75))
"""What two coins say, Yes and No, of a true and of a false statement."""
TIED = {(True, True): 0.45, (True, False): 0.05, (False, True): 0.1, (False, False): 0.4}
APART = dict.fromkeys(product((True, False), repeat=2), 0.25)
"""How likely Donald is at work and Dewey at home."""


def after(prior: float, times: float) -> float:
    """A belief after its odds were multiplied."""
    if prior in (0, 1):
        return prior
    return 1.0 if math.isinf(times) else prior * times / (prior * times + 1 - prior)


class NoiseTruth:
    """A mechanism between two neighbouring inputs."""

    def __init__(self, choices: Any) -> None:
        self.c = choices
        self.normal = choices.mechanism == "gaussian"
        self.counts = self.normal or choices.mechanism in ("laplace", "geometric")
        self.survey = not self.counts and choices.mechanism != "exponential"

    # -- what is likely -----------------------------------------------------------------------------------------------

    @property
    def sensitivity(self) -> int:
        """Replacing one person takes one from a count and adds one to another, of all five that are released."""
        return 2 if self.c.counted == "histogram" and self.c.neighbours == "replace" else 1

    @property
    def scale(self) -> float:
        if self.normal:
            return float(self.c.sigma)
        return self.sensitivity / self.c.epsilon

    @cached_property
    def chances(self) -> tuple[list[float], list[float]]:
        """Of each output, where there are finitely many, for the one input and for the other."""
        c = self.c
        if c.mechanism == "exponential":
            other = list(THERE)
            other[2] -= 1
            other[4] += c.neighbours == "replace"
            weights = [[math.exp(c.epsilon * (u - max(us)) / 2) for u in us] for us in (THERE, other)]
            one, two = ([w / sum(ws) for w in ws] for ws in weights)
            return one, two
        if c.mechanism == "many":
            odd = math.exp(-c.epsilon)
            keep = 1 / (1 + (c.answers - 1) * odd)
            return ([keep] + [keep * odd] * (c.answers - 1), [keep * odd, keep] + [keep * odd] * (c.answers - 2))
        yes, no = {"warner": (c.truth, 1 - c.truth), "two-coin": (0.75, 0.25), "truthfully-or-yes": (1.0, 0.5)}[
            c.mechanism
        ]
        return [yes, 1 - yes], [no, 1 - no]

    def of_output(self, x: float, mean: int) -> float:
        """Density of Laplace or normal noise, or the chance of geometric noise."""
        if self.normal:
            return NormalDist(mean, self.scale).pdf(x)
        if self.c.mechanism == "laplace":
            return math.exp(-abs(x - mean) / self.scale) / (2 * self.scale)
        a = math.exp(-1 / self.scale)
        return (1 - a) / (1 + a) * math.exp(-abs(x - mean) / self.scale)

    @cached_property
    def ratios(self) -> list[float]:
        return [math.inf if b == 0 else a / b for a, b in zip(*self.chances, strict=True)]

    @property
    def epsilon(self) -> float:
        """Of the whole release."""
        if self.counts or self.c.mechanism == "exponential":
            return float(self.c.epsilon)
        if self.c.mechanism == "many":
            return float(self.c.epsilon)
        return max(math.inf if r == 0 else abs(math.log(r)) for r in self.ratios)

    @property
    def mu(self) -> float:
        """Two counts that change by 1 each are as far apart as the corners of a square."""
        return math.hypot(*[1.0] * self.sensitivity) / self.scale

    @cached_property
    def delta(self) -> float:
        """Of Gaussian noise at epsilon; never said to be less than a double can hold."""
        return max(gaussian_exact(self.c.epsilon, self.mu), sys.float_info.min)

    @cached_property
    def beyond(self) -> float:
        """The chance of a log ratio above epsilon: it is normal about mu^2 / 2, with a deviation of mu."""
        z = (self.c.epsilon - self.mu**2 / 2) / self.mu
        return max(math.erfc(z / math.sqrt(2)) / 2, sys.float_info.min)

    @once
    def missed(self, alarms: Sequence[float]) -> list[float]:
        """What the best test of the whole release misses, whose losses are those of so many counts or of an answer."""
        if self.normal:
            best = lambda a: math.erfc((self.mu - math.sqrt(2) * float(erfcinv(2 * a))) / math.sqrt(2)) / 2  # noqa: E731
            return [1.0 if a == 0 else 0.0 if a == 1 else best(a) for a in alarms]
        if self.counts:
            kind = "numbers" if self.c.mechanism == "laplace" else "answers"
            return list(missed_at(kind, [1 / self.scale] * self.sensitivity, np.array(alarms)))
        return [self._missed(alarm) for alarm in alarms]

    @cached_property
    def rows(self) -> list[list[float]]:
        """What each true answer, or each input, makes likely, where there are finitely many outputs."""
        if self.c.mechanism == "many":
            keep, other, m = self.chances[0][0], self.chances[1][0], self.c.answers
            return [[keep if k == x else other for k in range(m)] for x in range(m)]
        return [list(row) for row in self.chances]

    @cached_property
    def told_apart(self) -> float:
        """The total variation: what the two inputs make likelier than each other, added up over the outputs."""
        if self.normal:
            return math.erf(self.mu / math.sqrt(8))
        if self.c.mechanism == "geometric":  # of two counts that speak for different inputs, nothing is left
            return math.tanh(1 / self.scale / 2)
        if self.c.mechanism == "laplace":
            return two_counts_apart(1 / self.scale) if self.sensitivity == 2 else -math.expm1(-1 / self.scale / 2)
        return math.fsum(abs(a - b) for a, b in zip(*self.chances, strict=True)) / 2

    @property
    def capacity(self) -> float:
        if self.counts:
            return 1 + self.told_apart
        return math.fsum(map(max, zip(*self.rows, strict=True)))

    @property
    def security(self) -> float:
        return 1 - self.told_apart

    def _missed(self, alarm: float) -> float:
        """Of finitely many outputs: all of those that speak most for the first input, as long as the alarms last."""
        found, left = 1.0, alarm
        for one, two in sorted(zip(*self.chances, strict=True), key=lambda p: -math.inf if p[1] == 0 else -p[0] / p[1]):
            share = 1.0 if two <= left else left / two
            found, left = found - one * share, left - two * share
        return max(found, 0.0)

    def allowed(self, alarms: Sequence[float]) -> list[float]:
        """What epsilon and delta let a test miss at least, with either input as the false alarm."""
        e, delta = math.exp(self.epsilon), self.delta if self.normal else 0.0
        return [max(0.0, 1 - delta - e * a, (1 - delta - a) / e) for a in alarms]

    @property
    def largest(self) -> float:
        """How many times likelier an output is for one of the two, at most; of one bar where two change."""
        if self.normal:
            return math.inf
        if self.counts:
            return math.exp(1 / self.scale)
        return max(math.inf if r == 0 else max(r, 1 / r) for r in self.ratios)

    # -- beliefs ------------------------------------------------------------------------------------------------------

    @property
    def up(self) -> float:
        """The factor by which the odds of the first input grow at most."""
        return max(self.ratios) if self.survey else math.exp(self.epsilon)

    @property
    def down(self) -> float:
        """The factor by which they fall at least."""
        return min(self.ratios) if self.survey else math.exp(-self.epsilon)

    def at_most(self, prior: float) -> float:
        return after(prior, self.up)

    def at_least(self, prior: float) -> float:
        return after(prior, self.down)

    @property
    def certain(self) -> float:
        """What a belief can become: everything by Gaussian noise."""
        return 1.0 if self.normal else self.at_most(self.c.prior)

    @cached_property
    def drawn(self) -> float:
        """One output for the first input, with the seed's random numbers."""
        rng = np.random.default_rng(self.c.seed)
        if self.c.mechanism == "laplace":
            return 2 + self.scale * float(rng.laplace())
        if self.normal:
            return 2 + self.scale * float(rng.normal())
        if self.c.mechanism == "geometric":
            chance = -math.expm1(-1 / self.scale)
            return float(2 + rng.geometric(chance) - rng.geometric(chance))
        if self.c.mechanism == "exponential":  # the largest of the scores with Gumbel noise
            return float(np.argmax(np.array(THERE) * self.c.epsilon / 2 + rng.gumbel(size=5)))
        one = self.chances[0]
        return float(rng.choice(len(one), p=np.array(one) / math.fsum(one)))

    @property
    def said(self) -> str:
        """The output that was drawn, where it has a name."""
        return self.labels[int(self.drawn)] if self.labels else ""

    @property
    def labels(self) -> list[str]:
        if self.counts:
            return []
        if self.c.mechanism == "exponential":
            return DISTRICTS
        return [f"answer {k + 1}" for k in range(self.c.answers)] if self.c.mechanism == "many" else ["Yes", "No"]

    @property
    def after(self) -> float:
        """The belief in the first input after the output that was drawn."""
        if self.normal:
            return after(self.c.prior, math.exp(min((2 * self.drawn - 3) / (2 * self.scale**2), 700)))
        if self.counts:
            return after(self.c.prior, math.exp((abs(self.drawn - 1) - abs(self.drawn - 2)) / self.scale))
        return after(self.c.prior, self.ratios[int(self.drawn)])

    # -- what it costs ------------------------------------------------------------------------------------------------

    @cached_property
    def deviation(self) -> float:
        """Of the noise of a count; of an estimated share from one person; the chance of a wrong choice."""
        c = self.c
        if c.mechanism == "laplace":
            return math.sqrt(2) * self.scale
        if self.normal:
            return self.scale
        if c.mechanism == "geometric":
            z = np.arange(-20_000, 20_001) if self.scale > 5 else np.arange(-2_000, 2_001)
            p = np.exp(-np.abs(z) / self.scale)
            return float(np.sqrt((p * z * z).sum() / p.sum()))
        if c.mechanism == "exponential":
            return 1 - self.chances[0][2]
        if c.mechanism == "many":
            first = math.fsum(
                0.3 * self.chances[0][0] if k == 0 else 0.7 / (c.answers - 1) * self.chances[1][0]
                for k in range(c.answers)
            )
            honest = -math.expm1(-c.epsilon) * self.chances[0][0]
        else:
            first, honest = 0.3 * self.chances[0][0] + 0.7 * self.chances[1][0], self.chances[0][0] - self.chances[1][0]
        return math.sqrt(first * (1 - first)) / abs(honest)

    def error(self, n: float) -> float:
        """What is wrong with n people: a share, or the chance of a wrong choice."""
        if self.c.mechanism == "exponential":
            wrong = 4 * math.exp(
                -self.c.epsilon * n / 6 / 2
            )  # Montmartre has n / 6 people more than each other district
            return wrong / (1 + wrong)
        return self.deviation / (math.sqrt(n) if self.survey else n)

    @property
    def needed(self) -> int | str:
        """The fewest people with the wanted error, by halving; exactly as long as floating point tells them apart."""
        low, high = 0, 1
        while self.error(high) > self.c.wanted * (1 + 1e-11):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.error(middle) <= self.c.wanted * (1 + 1e-11)
            low, high = (low, middle) if enough else (middle, high)
        return f"{high:,}" if 12 < high < 10**9 else high


class StreamTruth:
    """The count of a district under every level, and the pan-private counter."""

    def __init__(self, choices: Any) -> None:
        self.c = choices

    @cached_property
    def budgets(self) -> dict[str, float]:
        """What each hour gets: from what must be shared."""
        c = self.c
        marks = len(c.landmarks)
        ages = math.fsum(c.discount**age if age else 1.0 for age in range(24))
        return {
            "event": c.epsilon,
            "user": c.epsilon / 24,
            "window": c.epsilon / c.window,
            "landmark": c.epsilon / min(marks + 1, 24),
            "discounted": c.epsilon / ages,
        }

    def day(self, level: str) -> float:
        return 24 * self.budgets[level]

    def error(self, level: str) -> float:
        return math.sqrt(2) / self.budgets[level]

    @cached_property
    def noise(self) -> np.ndarray:
        return np.random.default_rng(self.c.seed).laplace(size=24)

    @cached_property
    def counter(self) -> tuple[list[float], float]:
        """What each intrusion read, and the output."""
        rng = np.random.default_rng(self.c.seed)
        more = lambda: float(rng.laplace(scale=1 / self.c.epsilon))  # noqa: E731
        state, readings = more(), []
        for hour, people in enumerate(DAY):
            state += people
            if hour in self.c.intrusions:
                readings.append(state)
                state += more() if self.c.announced else 0
        return readings, state + (more() if self.c.fresh else 0)

    @property
    def deviation(self) -> float:
        """Of the noise in the output: that of the start, of each renewal and its own."""
        sources = 1 + (len(self.c.intrusions) if self.c.announced else 0) + self.c.fresh
        return math.sqrt(2 * sources) / self.c.epsilon

    def loss(self, hours: Sequence[int]) -> float:
        """What a visit in each of some hours costs, once, where some noise hides it.

        What is seen are the state at each intrusion and the output. The first of them hides behind the noise of the start,
        the difference between one and the next behind the noise that came in between; without any it tells all.
        """
        ends = [*self.c.intrusions, 24]
        visits = [sum(1 for hour in hours if low < hour <= high) for low, high in pairwise([-1, *ends])]
        hidden = [True] * len(visits)
        for k in range(1, len(visits)):
            last = k == len(visits) - 1
            hidden[k] = self.c.announced or (last and self.c.fresh)
        if any(count and not behind for count, behind in zip(visits, hidden, strict=True)):
            return math.inf
        return self.c.epsilon * sum(visits)

    @property
    def one(self) -> float:
        return max(self.loss([hour]) for hour in range(24))

    @property
    def twice(self) -> float | None:
        """A visit before the first intrusion and one after the last."""
        marks = self.c.intrusions
        return self.loss([0, 23]) if marks and marks[-1] < 23 else None

    @property
    def always(self) -> float:
        return self.loss(range(24))


class StackedTruth:
    """Releases together."""

    def __init__(self, choices: Any) -> None:
        self.c = choices
        self.stack = [(float(e), int(s)) for e, s in zip(choices.releases, choices.sources, strict=True)]

    def of(self, source: int) -> float:
        return math.fsum(e for e, s in self.stack if s == source)

    @property
    def everybody(self) -> float:
        return self.of(0)

    @property
    def parts(self) -> list[float]:
        return [self.of(part) for part in (1, 2, 3)]

    @property
    def largest(self) -> float:
        return max(self.parts)

    @property
    def together(self) -> float:
        """What the person pays who pays most."""
        return max(self.everybody + part for part in self.parts)

    HOW: ClassVar[dict[str, str]] = {
        "numbers": "Laplace noise",
        "answers": "randomised response, or any mechanism",
        "points": "planar Laplace noise",
    }

    def of_person(self, part: int) -> list[float]:
        return [e for e, s in self.stack if s in (0, part)] * self.c.repeats

    @property
    def repeated(self) -> float:
        return self.together * self.c.repeats

    @once
    def at_delta(self, what: str) -> float:
        spent = [self.of_person(part) for part in (1, 2, 3)]
        return max((epsilon_at(what, some, self.c.delta) for some in spent if sum(some)), default=0.0)

    @once
    def missed(self, name: str, false_alarm: list[float]) -> np.ndarray:
        """What the best test misses: of guessing, of any mechanism, or of one, by the chances of its losses."""
        alpha = np.array(false_alarm)
        if name == "guessing" or self.together == 0:
            return 1 - alpha
        if name == "any, by the sum":
            least = 1 - np.exp(np.minimum(self.repeated, 700)) * alpha
            return np.maximum(np.maximum(least, np.exp(-self.repeated) * (1 - alpha)), 0)
        return missed_at(name, max((self.of_person(part) for part in (1, 2, 3)), key=math.fsum), alpha)

    def start(self, k: int) -> float:
        """Where a release begins on the budget: behind those before it, the parts behind what everybody pays."""
        source = self.stack[k][1]
        before = math.fsum(e for e, s in self.stack[:k] if s == source)
        return before + (self.everybody if source else 0)

    @property
    def left(self) -> float:
        return max(0.0, self.c.budget - self.together)

    @property
    def two_alike(self) -> float:
        return 2 * self.everybody

    @property
    def family(self) -> float:
        return math.fsum(self.parts)

    @property
    def joint(self) -> dict[tuple[bool, bool], float]:
        return TIED if self.c.correlated else APART

    def belief(self, own: int | None, other: int | None) -> float:
        """That Donald is at work, after his answer and Dewey's, each 0 for Yes, 1 for No or None for not seen."""
        chance = dict.fromkeys((True, False), 0.0)
        for (donald, dewey), p in self.joint.items():
            his = 1.0 if own is None else COINS[not donald][own]
            hers = 1.0 if other is None else COINS[not dewey][other]
            chance[donald] += p * his * hers
        return chance[True] / sum(chance.values())

    def odds(self, *, both: bool) -> float:
        """The factor by which answers change the odds of Donald's secret, at most."""
        before = self.belief(None, None)
        found = []
        for own, other in product((0, 1), (0, 1) if both else (None,)):
            now = self.belief(own, other)
            times = now / (1 - now) / (before / (1 - before))
            found.append(max(times, 1 / times))
        return max(found)


# -- how it is said ---------------------------------------------------------------------------------------------------


def counted(number: int, noun: str) -> str:
    said = SMALL[number] if number < len(SMALL) else str(number)
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"


def where(t: NoiseTruth) -> str:
    """Where the largest ratio is."""
    if t.normal:
        return "grows with the distance from both counts"
    if t.counts:
        return "from 2 upwards, and the other way round from 1 downwards"
    k = next(j for j, r in enumerate(t.ratios) if (max(r, 1 / r) if r else math.inf) >= t.largest * (1 - 1e-9))
    return f"at {t.labels[k]}"


TITLES = ["Event", "User", "w-event", "Landmark", "Discounted", "Pan-private"]
LEVELS = ["event", "user", "window", "landmark", "discounted"]


def whom_it_protects(t: StreamTruth, level: str) -> str:
    return {
        "event": "anyone's presence in one hour",
        "user": "anyone, in however many hours",
        "window": f"anyone's presence in any {counted(t.c.window, 'hour')} in a row",
        "landmark": "anyone's presence in the landmarks and one more hour",
        "discounted": "one hour with its own budget, not the day: old hours count less in its sum",
    }.get(level, "NOT TRUE HERE")

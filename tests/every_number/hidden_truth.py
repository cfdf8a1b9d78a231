"""What hidden landmarks show to someone who knows the method: Bayes' rule over sets that are looked at one by one, and the
draws of random dummies."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from zlib import crc32

import numpy as np

from lmdk_widgets.budgets.hidden import chain_of


@dataclass
class Attacked:
    """Sets that are left, of how many; the timestamps that are in each; the largest chance of a timestamp."""

    left: int
    of: int
    certain: int
    top: float


def attacked(t: Any) -> Attacked:
    """Of the protected timestamps of a truth, taking each of their subsets as the landmarks in turn."""
    protected, k, n, s = t.marks, len(t.s.landmarks), t.n, t.s
    of, weights = math.comb(len(protected), k), {}
    assert of <= 10_000, "the page says that it did not compute it"
    for marked in combinations(protected, k):
        weight = probability(protected, marked, n, s)
        if weight > -math.inf:
            weights[marked] = weight
    top = max(weights.values())
    each = {marked: math.exp(weight - top) for marked, weight in weights.items()}
    chances = [sum(w for marked, w in each.items() if t in marked) / sum(each.values()) for t in protected]
    certain = sum(all(t in marked for marked in each) for t in protected)
    return Attacked(len(weights), of, certain, max(chances))


def probability(protected: tuple[int, ...], marked: tuple[int, ...], n: int, s: Any) -> float:
    """Logarithm of the probability that the method makes this protected set of these landmarks."""
    chain = chain_of(n, list(marked), s.hide_method, s.hide_most, np.random.default_rng(7))
    more = len(protected) - len(marked)
    if more >= len(chain.distances):
        return -math.inf
    dummies, extra = chain.dummies[:more].tolist(), sorted(set(protected) - set(marked))
    apart, ways = (n - 1) / 2 or 0.5, 0.0
    if s.hide_method == "histogram":
        bins, apart = round(n**0.5), math.sqrt(2)
        taken, had = (Counter(i * bins // n for i in some) for some in (dummies, extra))
        if taken != had:
            return -math.inf
        free = Counter(i * bins // n for i in range(n) if i not in marked)
        ways = sum(math.log(math.comb(free[j], taken[j])) for j in taken)
    elif sorted(dummies) != extra:
        return -math.inf
    exponents = [-s.hide_epsilon * float(d) / (2 * apart) for d in chain.distances]
    return exponents[more] - math.log(sum(math.exp(e) for e in exponents)) - ways


@dataclass
class Drawn:
    """Random dummies: the chance to join, the sets of all draws, what is expected and how likely no dummy is."""

    chance: float
    sets: list[set[int]]
    mean: float
    alone: float

    @property
    def left(self) -> int:
        """Timestamps in every draw."""
        return len(set.intersection(*self.sets))

    @property
    def grown(self) -> float:
        return math.prod([1 / self.chance] * len(self.sets))


def drawn(t: Any) -> Drawn:
    """Each draw once more, timestamp by timestamp."""
    s, n, real = t.s, t.n, set(t.s.landmarks)
    others = n - len(real)
    chance = s.hide_chance
    if s.hide_joining == "proposed":  # 3 k timestamps on average
        chance = min(0.5, (3 * len(real) - len(real)) / others) if others else 0.5
    sets = []
    for draw in range(1, s.hide_draw + 1):
        numbers = np.random.default_rng([s.hide_seed, 2, draw, n, crc32(s.track.encode())])
        sets.append({i for i in range(n) if numbers.random() < chance or i in real})
    return Drawn(chance, sets, len(real) + others * chance, (1 - chance) ** others)

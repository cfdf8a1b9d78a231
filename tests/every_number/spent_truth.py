"""What a scheme may spend in any draw, recomputed by going through the ways to publish."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from typing import Any

from lmdk_widgets.budgets import ONLINE_SCHEMES, SCHEMES, WINDOW_SCHEMES

ONLINE, WINDOWED = frozenset(ONLINE_SCHEMES), frozenset(WINDOW_SCHEMES)
COMPARING = frozenset(name for name, scheme in SCHEMES.items() if scheme.compares)

DEAREST: Mapping[str, Callable[[float, int], float]] = {
    "budget-distribution": lambda e, w: e / 4 + e / (2 * w),
    "budget-absorption": lambda e, w: e / 2 + e / (2 * w),
    "predictive": lambda e, w: e / 2 / max(1, w // 4) + e / (2 * w),
}
"""The most that one moment spends in any draw, by the papers; under another scheme that decides as it goes all of
epsilon, if the data are long enough."""


def dearest(scheme: str, epsilon: float, window: int, here: float) -> float:
    """The most that a moment of data of any length spends in any draw; `here` where budgets are known beforehand."""
    return DEAREST.get(scheme, lambda e, _: e)(epsilon, window) if scheme in ONLINE else here


class SpentTruth:
    """Of a track; `o`, `s`, `n`, `spent`, `marks` and so on come from the class that takes this one."""

    o: Any
    s: Any
    n: int
    w: int
    k: int
    epsilon: float
    radius: float
    scheme: str
    marks: Any
    spent: list[float]
    top: float
    weakened: float
    responds: bool
    overrun: float

    @property
    def counted(self) -> float:
        """How often a budget counts between two places a radius apart, or two neighbouring cells."""
        cells = self.o.reports is not None and not self.responds
        flat = self.weakened <= 1 + 1e-4
        return (1 if flat else self.weakened) * (self.s.place_m / self.radius if cells else 1)

    @property
    def most_of_one(self) -> float:
        """The largest budget of a moment of these data, in any draw."""
        if self.scheme in ONLINE and self.scheme not in WINDOWED:
            return max(map(self.cap, range(self.n)))
        return dearest(self.scheme, self.epsilon, self.w, max(self.spent))

    @property
    def dearest(self) -> float:
        """The most that one moment spends in any draw."""
        return self.most_of_one * self.counted

    @property
    def landmarks_and_one(self) -> float:
        """The most that the landmarks and one other spend in any draw."""
        if self.scheme not in ONLINE:
            return self.top * self.counted
        if self.scheme not in WINDOWED:
            return self.epsilon * self.counted
        if self.n <= 12 and self.scheme in COMPARING:
            marks = set(self.marks)
            sums = (
                math.fsum(row[i] for i in marks) + max((row[i] for i in range(self.n) if i not in marks), default=0.0)
                for row in self.ways
            )
            return max(sums) * self.counted
        more = int(self.k < self.n)
        windows, end = more, -1
        for i in sorted(self.marks):
            if i > end:
                windows, end = windows + 1, i + self.w - 1
        return min(windows * self.epsilon * self.counted, (self.k + more) * self.dearest, self.everything)

    @property
    def everything(self) -> float:
        """The most that all moments spend in any draw."""
        if self.scheme not in ONLINE:
            return math.fsum(self.spent) * self.counted
        each = self.epsilon * self.counted
        if self.scheme not in WINDOWED:
            return self.capped(list(range(self.n))) * self.counted
        if self.n <= 12 and self.scheme in COMPARING:
            return max(math.fsum(row) for row in self.ways) * self.counted
        return min(math.ceil(self.n / self.w) * each, self.n * self.dearest)

    def cap(self, i: int) -> float:
        """The most that one without a window spends at a timestamp: what is left if every landmark before was skipped."""
        most = self.epsilon / min(self.k + 1, self.n)
        for left in sorted((sum(j > mark for j in self.marks) for mark in self.marks if mark < i), reverse=True):
            most += most / (left + 1)
        return most

    def capped(self, members: list[int]) -> float:
        """The same of several: its landmarks spend at most epsilon together."""
        landmarks = min(math.fsum(self.cap(i) for i in members if i in set(self.marks)), self.epsilon)
        return landmarks + math.fsum(self.cap(i) for i in members if i not in set(self.marks))

    @property
    def over_in_any_draw(self) -> float:
        """How many times what is allowed the landmarks and one other may spend."""
        return self.landmarks_and_one / self.counted / self.epsilon if self.scheme in ONLINE else self.overrun

    @cached_property
    def ways(self) -> list[list[float]]:
        """What the timestamps spend in each way to publish, by the pseudo-code of the schemes that compare."""
        half, w = self.epsilon / 2, min(self.w, self.n)
        return [
            [b + half / w for b in self.published_so(pattern, half, w)]
            for pattern in product((True, False), repeat=self.n - 1)
        ]

    def published_so(self, pattern: tuple[bool, ...], half: float, w: int) -> list[float]:
        """The budgets of the reports if comparisons after the first timestamp come out so."""
        spent: list[float] = []
        free = 0  # the first timestamp whose unit is not spent in advance, under Budget Absorption
        for t, far in enumerate((True, *pattern)):
            window, here = spent[max(0, t - w + 1) :], 0.0
            if self.scheme == "budget-distribution":
                here = (half - math.fsum(window)) / 2 if far else 0.0
            elif self.scheme == "predictive":
                allowed = max(1, w // 4)
                here = half / allowed if far and sum(b > 0 for b in window) < allowed else 0.0
            elif far and t >= free:
                units = min(t - free + 1, w)
                here, free = units * half / w, t + units
            spent.append(here)
        return spent

    def guesses(self, loss: float) -> int:
        """At most so many of 100 are right."""
        return math.ceil(100 / (1 + math.exp(-min(loss, 700.0))) - 1e-7)

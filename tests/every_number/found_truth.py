"""What averaging finds and what is promised, recomputed pair by pair and draw by draw."""

from __future__ import annotations

import math
from datetime import UTC, date, timedelta
from functools import cached_property
from statistics import NormalDist, median
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from scipy.optimize import minimize

from lmdk_widgets.budgets import release
from lmdk_widgets.geo import LocalFrame
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.scenario.exposure import found_circle
from tests.every_number.claims import Wrong
from tests.every_number.landmarks_errors_truth import on_the_sphere

EXACT = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}

ONLINE = ("adaptive", "budget-distribution", "budget-absorption", "predictive")


class FoundTruth:
    """Of a track; `o`, `s`, `track`, `n`, `radius`, `spent`, `marks` and so on come from the class that takes this one."""

    o: Any
    s: Any
    track: Any
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
    region_km: tuple[float, float]

    @cached_property
    def places(self) -> list[list[int]]:
        """Up to ten: the timestamps within 200 m of the mean of those around the one that has most; then the same of all
        that are farther than 400 m from those before."""
        points = list(zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True))
        left, found = list(range(self.n)), []
        while left and len(found) < 10:
            near = [[i for i in left if on_the_sphere(points[j], points[i]) <= 200] for j in left]
            most = max(near, key=len)  # the first of ties
            middle = _middle([points[i] for i in most])
            found.append([i for i in left if on_the_sphere(middle, points[i]) <= 200])
            left = [i for i in left if on_the_sphere(middle, points[i]) > 400]
        return found

    @property
    def there(self) -> list[int]:
        return self.places[0]

    @property
    def few_nights(self) -> float:
        """Nights with an hour or more in the track's zone, from 22:00 to 6:00, where at least 60 % of their timestamps are at
        the main place and there are fewer than three; else NaN."""
        nights: dict[date, list[int]] = {}
        for i, time in enumerate(self.track.time.astype("datetime64[s]").tolist() if self.track.zone else []):
            at = time.replace(tzinfo=UTC).astimezone(ZoneInfo(self.track.zone)).replace(tzinfo=None)
            if not 6 <= at.hour < 22:
                nights.setdefault((at - timedelta(hours=22)).date(), []).append(i)
        long = [
            each
            for each in nights.values()
            if self.track.time[each[-1]] - self.track.time[each[0]] >= np.timedelta64(1, "h")
        ]
        inside = [i in self.there for each in long for i in each]
        return len(long) if 0 < len(long) < 3 and sum(inside) >= 0.6 * len(inside) else math.nan

    @property
    def compared(self) -> float:
        """What is spent on comparing with the last release."""
        return self.epsilon / (2 * self.w) if self.scheme.startswith(("budget-", "predictive")) else 0.0

    @property
    def own(self) -> list[float]:
        """What each timestamp spent on a report of its own in this draw."""
        return [b - self.compared if p else 0.0 for b, p in zip(self.spent, self.o.published, strict=True)]

    @cached_property
    def owns(self) -> list[list[float]]:
        """The same of twenty draws where budgets depend on releases."""
        if self.scheme not in ONLINE:
            return [self.own]
        rng, how = np.random.default_rng(self.s.seed), {"window": self.w}
        if self.scheme == "adaptive":
            how = {"increase": self.s.increase, "decrease": self.s.decrease}
        drawn = [
            release(
                self.track.points_m, self.scheme, self.marks, self.epsilon, PlanarLaplace(self.radius), rng=rng, **how
            )
            for _ in range(20)
        ]
        return [
            [b - self.compared if p else 0.0 for b, p in zip(each.budgets.tolist(), each.published, strict=True)]
            for each in drawn
        ]

    def together(self, members: list[int]) -> float:
        """B: the median of the roots of the sums of squares."""
        return median(math.sqrt(math.fsum(own[i] ** 2 for i in members)) for own in self.owns)

    @cached_property
    def b(self) -> float:
        """That of the main place; where no place has five timestamps at least that of the best report."""
        most = self.together(self.there)
        return max(most, median(max(own) for own in self.owns)) if len(self.there) < 5 else most

    def within(self, together: float, times: float = math.sqrt(2 * math.log(2))) -> float:
        return math.sqrt(2) * self.radius / together * times if together else math.inf

    @property
    def averaged(self) -> float:
        """Metres within which averaging finds the main place in half of all releases; below 20 m it is 20 m."""
        return max(self.within(self.b), 20.0)

    @property
    def nine(self) -> float:
        return max(self.within(self.b, math.sqrt(2 * math.log(10))), 20.0)

    @property
    def second(self) -> float:
        return max(self.within(self.together(self.places[1])), 20.0)

    @property
    def near(self) -> int:
        return sum(self.within(self.together(place)) <= self.radius * (1 + 1e-12) for place in self.places)

    @property
    def half_region(self) -> float:
        """Half the smaller side of the region, metres."""
        return min(self.region_km) * 1000 / 2

    @property
    def is_found(self) -> bool:
        return self.within(self.b) <= self.half_region

    @property
    def tile(self) -> str:
        """The number of what is found, as it is written."""
        if self.o.reports is not None:
            return "not computed"
        if not self.is_found:
            return "not found"
        within = self.within(self.b)
        return metres(within) if within >= 20 else "20 m or less"

    @property
    def listed(self) -> str:
        """The same in a list of settings."""
        return self.tile

    @property
    def look(self) -> str:
        if self.o.reports is not None or not self.is_found or self.within(self.b) > 5 * self.radius:
            return "grey" if self.o.reports is None else ""
        return "red" if self.within(self.b) <= self.radius else "amber"

    @property
    def right(self) -> float:
        """Guesses of 100 between the main place and one a radius away."""
        return 100 * NormalDist().cdf(self.b / (2 * math.sqrt(2)))

    @property
    def reports(self) -> int:
        """How many of the main place are published; of draws the median."""
        return int(median(sum(own[i] > 0 for i in self.there) for own in self.owns))

    @property
    def circle(self) -> list[float]:
        """Latitude, longitude and radius on the map: the point with the least weighted sum of distances to the reports."""
        at = [i for i in self.there if self.own[i] > 0]
        assert self.o.reports is None and len(self.there) >= 5 and self.is_found and at
        frame = LocalFrame(self.o.latitude[at[0]], self.o.longitude[at[0]])
        points, weights = frame.to_metres(self.o.latitude[at], self.o.longitude[at]), [self.own[i] for i in at]

        def total(x: Any) -> float:
            return float(weights @ np.hypot(*(points - x).T))

        starts = [np.median(points, axis=0), *points[np.argsort([total(p) for p in points])[:2]]]
        best = min(
            (minimize(total, start, method="Nelder-Mead", options=EXACT) for start in starts), key=lambda r: r.fun
        )
        shown = found_circle(self.o)
        said = frame.to_metres(shown.latitude, shown.longitude)
        if total(said) > best.fun * (1 + 1e-9) + 1e-3 * sum(weights):
            raise Wrong(f"{said} is not where the reports are nearest: {best.x}")
        return [shown.latitude, shown.longitude, self.averaged, float(self.look != "grey")]

    # -- promised -----------------------------------------------------------------------------------------------------

    @property
    def counted(self) -> float:
        """How often a budget counts between two places a radius apart, or two neighbouring cells."""
        cells = self.o.reports is not None and not self.responds
        flat = self.weakened <= 1 + 1e-4
        return (1 if flat else self.weakened) * (self.s.place_m / self.radius if cells else 1)

    @property
    def dearest(self) -> float:
        """The most that one moment spends in any draw."""
        e, w = self.epsilon, self.w
        some = {"adaptive": e, "budget-distribution": e / 4 + e / (2 * w), "budget-absorption": e / 2 + e / (2 * w)}
        some["predictive"] = e / 2 / max(1, w // 4) + e / (2 * w)
        return some.get(self.scheme, max(self.spent)) * self.counted

    @property
    def landmarks_and_one(self) -> float:
        """The most that the landmarks and one other spend in any draw."""
        if self.scheme not in ONLINE:
            return self.top * self.counted
        if self.scheme == "adaptive":
            return self.epsilon * self.counted
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
        if self.scheme == "adaptive":
            return max(self.n - self.k, 1) * each
        return min(math.ceil(self.n / self.w) * each, self.n * self.dearest)

    def guesses(self, loss: float) -> int:
        """At most so many of 100 are right."""
        return math.ceil(100 / (1 + math.exp(-min(loss, 700.0))) - 1e-7)


def _middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    x, y, z = (
        math.fsum(f(*map(math.radians, point)) for point in points)
        for f in (
            lambda a, b: math.cos(a) * math.cos(b),
            lambda a, b: math.cos(a) * math.sin(b),
            lambda a, b: math.sin(a),
        )
    )
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))

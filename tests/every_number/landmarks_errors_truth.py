"""What the track page says of errors and stays, recomputed on the sphere."""

from __future__ import annotations

import math
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from lmdk_widgets.noise import PlanarLaplace
from tests.every_number.spent_truth import COMPARING

EARTH_M = 6_371_008.8
HALF_EARTH_M = 20_015_000.0
RADIUS95 = 4.743864518390612
"""In units of r / eps: 1 - (1 + x) e^-x = 0.95."""


def on_the_sphere(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Metres between two points in degrees: the angle between two vectors."""
    (a, b), (c, d) = (map(math.radians, p) for p in (one, other))
    u, v = ((math.cos(x) * math.cos(y), math.cos(x) * math.sin(y), math.sin(x)) for x, y in ((a, b), (c, d)))
    return EARTH_M * 2 * math.atan2(math.dist(u, v), math.sqrt(sum((p + q) ** 2 for p, q in zip(u, v, strict=True))))


class ErrorsTruth:
    """The part of `LandmarkTruth` that measures distances: errors of the release, and stays."""

    o: Any
    s: Any
    track: Any
    choices: Any
    n: int
    marks: tuple[int, ...]
    radius: float
    spent: list[float]
    target: float
    scheme: str
    responds: Any
    response: Any
    level_error: Any
    cell_reports: Any
    of_track: Any
    flat: Any
    framed: Any

    @cached_property
    def error_m(self) -> list[float]:
        """Metres on the ground between release and truth of a single draw."""
        o, t = self.o, self.track
        return [
            math.nan
            if math.isnan(o.latitude[i])
            else on_the_sphere((o.latitude[i], o.longitude[i]), (t.latitude[i], t.longitude[i]))
            for i in range(self.n)
        ]

    @property
    def errors(self) -> list[float]:
        """The errors that there are: of the draw on the map, or the means of a hundred draws as they are drawn."""
        return [e for e in (self.o.error_m.tolist() if self.s.average else self.error_m) if not math.isnan(e)]

    @property
    def mean(self) -> float:
        return math.fsum(self.errors) / len(self.errors) if self.errors else math.nan

    @property
    def median(self) -> float:
        some = sorted(self.errors)
        return (some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2 if some else math.nan

    @property
    def plan_errors(self) -> tuple[float, float]:
        """The expected errors of user level at the target and of the plan, where the first is less; else none."""
        at = (lambda t, b: self.response(t, b)[0]) if self.responds else (lambda _, b: self.planar_error(b))
        user = self.level_error(self.target / self.n)
        plan = math.fsum(at(t, b) for t, b in enumerate(self.spent)) / self.n
        return (user, plan) if self.scheme == "planned" and user < plan else (math.nan, math.nan)

    @property
    def searched_errors(self) -> tuple[float, float, float]:
        """The expected errors of a plan that was searched for, of Cao's plan and of user level at its target; else none."""
        if self.scheme != "best-plan":
            return math.nan, math.nan, math.nan
        at = (lambda t, b: self.response(t, b)[0]) if self.responds else (lambda _, b: self.planar_error(b))
        mine = math.fsum(at(t, b) for t, b in enumerate(self.spent)) / self.n
        cao = math.nan
        if self.cao is not None and not self.responds:
            cao = math.fsum(map(self.planar_error, self.cao)) / self.n
        return mine, cao, self.level_error(self.target / self.n)

    def planar_error(self, budget: float) -> float:
        return min(2 * self.radius / budget, HALF_EARTH_M)

    @cached_property
    def stretch(self) -> float:
        """x / sin x of the farthest point, x its angle from the centre of the frame."""
        centre = (self.track.frame.latitude, self.track.frame.longitude)
        points = zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True)
        x = max(on_the_sphere(centre, p) for p in points) / EARTH_M
        if (
            self.o.reports is not None and not self.of_track
        ):  # then of the region's frame, at the farthest corner or point
            half = self.s.place_m / 2
            corners = [(x + a * half, y + b * half) for x, y in self.flat for a in (-1, 1) for b in (-1, 1)]
            x = max(math.hypot(*at) for at in (*self.framed, *corners)) / EARTH_M
        return x / math.sin(x) if x > 0 else 1.0

    @property
    def weakened(self) -> float:
        """By how much more than in the frame distances count on the ground; no more than once around the Earth."""
        if self.responds:
            return 1.0
        return 2 * math.pi * EARTH_M / self.radius if self.torn else self.stretch

    @property
    def torn(self) -> bool:
        return self.stretch > math.pi / 2

    @cached_property
    def radius95_m(self) -> list[float]:
        compared = self.epsilon / (2 * self.w) if self.scheme in COMPARING else 0.0
        if self.o.reports is not None:
            return [math.nan if found is None else found[1] for found in self.cell_reports]
        return [
            min(RADIUS95 * self.radius / (b - compared), HALF_EARTH_M) if p else math.nan
            for b, p in zip(self.spent, self.o.published, strict=True)
        ]

    @cached_property
    def planar_error_m(self) -> list[float]:
        """What planar Laplace with the same seed would have been off by, at the budgets that were spent."""
        noise = PlanarLaplace(radius_m=self.radius).standard_noise(self.n, np.random.default_rng(self.s.seed))
        found, last = [], None
        for t in range(self.n):
            if self.o.published[t]:
                last = self.track.points_m[t] + noise[t] * self.radius / self.spent[t]
            if last is None:
                found.append(math.nan)
                continue
            latitude, longitude = self.track.frame.to_degrees(last[None])
            truth = float(self.track.latitude[t]), float(self.track.longitude[t])
            found.append(on_the_sphere((float(latitude[0]), float(longitude[0])), truth))
        return found

    # -- stays --------------------------------------------------------------------------------------------------------

    @cached_property
    def stays(self) -> list[range]:
        """Runs of points near their first one, long enough, one behind the other; or the first and the last of each day."""
        if self.choices.stays.by == "ends":
            seconds = self.track.time.astype("datetime64[s]").astype(int).tolist()
            days = [datetime.fromtimestamp(at, ZoneInfo(self.track.zone or "UTC")).date() for at in seconds]
            return [range(i, i + 1) for i, day in enumerate(days) if day not in days[:i] or day not in days[i + 1 :]]
        points = list(zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True))
        found, first = [], 0
        while first < self.n:
            end = first + 1
            while end < self.n and on_the_sphere(points[first], points[end]) <= self.choices.stays.within_m * (
                1 + 1e-9
            ):
                end += 1
            lasts = (self.track.time[end - 1] - self.track.time[first]) / np.timedelta64(1, "s")
            if lasts >= self.choices.stays.at_least_minutes * 60:
                found.append(range(first, end))
                first = end
            else:
                first += 1
        return found

    @property
    def stays_one(self) -> int:
        """Timestamps to mark, one of each stay: the one nearest to the mean of its places."""
        return sum(self._middle(stay) not in self.marks for stay in self.stays)

    def _middle(self, stay: range) -> int:
        inner = self.track.points_m[stay.start : stay.stop]
        away = np.hypot(*(inner - inner.mean(axis=0)).T)
        nearest = stay.start + np.flatnonzero(away <= away.min() * 1.001 + 1e-3)
        return next(int(i) for i in nearest if any(int(i) == found.timestamp for found in self.o.found("stays")))

    @property
    def stays_whole(self) -> int:
        return len({t for stay in self.stays for t in stay} - set(self.marks))

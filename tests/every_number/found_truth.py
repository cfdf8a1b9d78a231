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

from lmdk_widgets.answers.exposure import found_circles
from lmdk_widgets.budgets import release
from lmdk_widgets.geo import LocalFrame
from lmdk_widgets.inference import KnownHours, known_hours
from lmdk_widgets.noise import PlanarLaplace, planar_laplace
from lmdk_widgets.page.amounts import factor, metres
from tests.every_number.claims import SMALL, Wrong
from tests.every_number.found_parts import Lasting, Quiet, Secret
from tests.every_number.landmarks_errors_truth import on_the_sphere
from tests.every_number.spent_truth import COMPARING, ONLINE, WINDOWED, SpentTruth

EXACT = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}


class FoundTruth(SpentTruth):
    """Of a track; `o`, `s`, `track`, `n`, `radius`, `spent`, `marks` and so on come from the class that takes this one."""

    track: Any
    region_km: tuple[float, float]

    @property
    def places(self) -> list[list[int]]:
        """The timestamps of each of up to ten places."""
        return [members for members, _ in self.located]

    @cached_property
    def located(self) -> list[tuple[list[int], tuple[float, float]]]:
        """Up to ten: the timestamps within 200 m of the mean of those around the one that has most, and that mean; then the
        same of all that are farther than 400 m from those before."""
        points = list(zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True))
        left, found = list(range(self.n)), []
        while left and len(found) < 10:
            near = [[i for i in left if on_the_sphere(points[j], points[i]) <= 200] for j in left]
            most = max(near, key=len)  # the first of ties
            middle = _middle([points[i] for i in most])
            found.append(([i for i in left if on_the_sphere(middle, points[i]) <= 200], middle))
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
        return self.epsilon / (2 * self.w) if self.scheme in COMPARING else 0.0

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

    @property
    def few(self) -> bool:
        """Whether no place lasts for five timestamps."""
        return len(self.there) < 5

    @cached_property
    def b(self) -> float:
        """That of the nearest lasting place; where none lasts at least that of the best report."""
        if self.few:
            return max(self.together(self.there), median(max(own) for own in self.owns))
        return self.together(self.places[self.lasting[0].k])

    def within(self, together: float, times: float = math.sqrt(2 * math.log(2))) -> float:
        return math.sqrt(2) * self.radius / together * times if together else math.inf

    @cached_property
    def lasting(self) -> list[Lasting]:
        """The places with five timestamps or more, nearest found first."""
        found = []
        for k, (members, middle) in enumerate(self.located):
            if len(members) >= 5:
                by_reports = self.within(self.together(members))
                quiet = self.silence([i for i in members if self.own[i] <= 0], members, middle)
                by_silence = quiet is not None and quiet.half < by_reports
                best = quiet.half if quiet is not None and by_silence else by_reports
                found.append(Lasting(k, members, best, quiet if by_silence else None))
        return sorted(found, key=lambda place: place.found)

    def silence(self, left_out: list[int], members: list[int], middle: tuple[float, float]) -> Quiet | None:
        """What the reports beside the silences of a place give away, in the twenty draws of its seed."""
        if self.scheme in ONLINE or not left_out:
            return None
        seconds = (self.track.time - self.track.time[0]) / np.timedelta64(1, "s")
        least = max(900.0, 3 * float(np.median(np.diff(seconds))))
        ends, runs = set(), [[left_out[0]]]
        for i in left_out[1:]:
            if i == runs[-1][-1] + 1:
                runs[-1].append(i)
            else:
                runs.append([i])
        heard = [i for i in range(self.n) if self.own[i] > 0 and i not in left_out]
        for run in runs:
            before = [i for i in heard if i < run[0]][-1:]
            after = [i for i in heard if i > run[-1]][:1]
            first, last = (before or run[:1])[0], (after or run[-1:])[0]
            if seconds[last] - seconds[first] >= least:
                ends |= {*before, *after}
        if not ends:
            return None
        if left_out != members:  # a part of the place: the mean around its own fullest point
            points = [(float(self.track.latitude[i]), float(self.track.longitude[i])) for i in left_out]
            near = [[p for p in points if on_the_sphere(q, p) <= 200] for q in points]
            middle = _middle(max(near, key=len))
        at, weights = self.track.points_m[sorted(ends)], np.array([self.own[i] for i in sorted(ends)])
        place, rng = self.track.frame.to_metres(*middle), np.random.default_rng(self.s.seed)
        off = [math.dist(_median(planar_laplace(at, weights / self.radius, rng), weights), place) for _ in range(20)]
        return Quiet(
            median(off),
            float(np.quantile(off, 0.9)),
            math.dist(_median(at, weights), place),
            len(ends),
            tuple(sorted(ends)),
        )

    @property
    def averaged(self) -> float:
        """Metres within which half of all releases put the nearest place; below 20 m it is 20 m."""
        return max(self.within(self.b) if self.few else self.lasting[0].found, 20.0)

    @property
    def nine(self) -> float:
        if not self.few and (quiet := self.lasting[0].quiet) is not None:
            return quiet.nine
        return self.within(self.b, math.sqrt(2 * math.log(10)))

    @property
    def second(self) -> float:
        return self.lasting[1].found

    @property
    def near(self) -> int:
        return sum(place.found <= self.radius * (1 + 1e-12) for place in self.lasting)

    @property
    def leaving_title(self) -> str:
        """What can be left out: the places that are found nearer than the radius."""
        near = [self.place_named(place) for place in self.lasting if place.found < self.radius]
        if not near or self.o.reports is not None:
            return ""
        *first, last = [*near[:3], f"{len(near) - 3} more"] if len(near) > 3 else near
        return f"Leave out {', '.join(first)} and {last}" if first else f"Leave out {last}"

    def place_named(self, place: Lasting) -> str:
        """What a lasting place of a short track is called in a sentence."""
        return "your main place" if place.k == 0 else f"place {place.k + 1}"

    def distance(self, found: float, limit: float | None = None) -> str:
        """How a distance is written."""
        return "not found" if found > self.half_region else self.in_two_digits(found, limit)

    def in_two_digits(self, found: float, limit: float | None = None) -> str:
        """A distance with two digits, and more where two would put it on the other side of the limit, or the radius."""
        two, limit = float(f"{found:.1e}"), limit or self.radius
        return "20 m or less" if found < 20 else metres(two if (two < limit) == (found < limit) else found)

    # -- what lasts -----------------------------------------------------------------------------------------------------

    @cached_property
    def secrets(self) -> list[Secret]:
        """The stay that spends most and the main place, each of more than one moment."""
        if self.o.reports is not None:
            return []
        found, mean = [], np.median(np.array(self.owns), axis=0)
        if stays := self.stays_by_hand():
            best = max(stays, key=lambda run: (round(float(mean[run[0] : run[1] + 1].sum()), 12), -run[0]))
            members = list(range(best[0], best[1] + 1))
            hours = float((self.track.time[best[1]] - self.track.time[best[0]]) / np.timedelta64(1, "h"))
            length = _counted(len(members), "timestamp")
            if hours >= 1:
                length = f"{hours:.0f} h" if hours >= 20 or math.isclose(hours, round(hours)) else f"{hours:.1f} h"
            found.append(Secret("your longest stay", length, members, self.known_at(members)))
        if not self.few and (not found or found[0].members != self.there):
            length = f"{len(self.there)} of {self.n} timestamps"
            found.append(Secret("your main place", length, self.there, self.known_at(self.there)))
        return found

    def stays_by_hand(self) -> list[tuple[int, int]]:
        """Runs within 200 m of their first point that last twenty minutes, the first ones first, of two points or more.

        None goes on after a silence: fifteen minutes, or three usual intervals, without a point.
        """
        gaps = [float(gap / np.timedelta64(1, "s")) for gap in np.diff(self.track.time)]
        silence = max(900.0, 3 * median(gaps)) if gaps else 900.0
        points, start, found = (
            list(zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True)),
            0,
            [],
        )
        while start < self.n:
            end = start
            while end + 1 < self.n and gaps[end] < silence and on_the_sphere(points[start], points[end + 1]) <= 200:
                end += 1
            if self.track.time[end] - self.track.time[start] >= np.timedelta64(20, "m"):
                found.append((start, end))
                start = end + 1
            else:
                start += 1
        return found

    def known_at(self, members: list[int]) -> KnownHours:
        """What their reports reveal, of draws the medians, and the most that any draw may spend on them."""
        stretch = self.counted
        rows = [known_hours([own[i] for i in members], stretch) for own in self.owns]
        if self.scheme not in ONLINE:
            return rows[0]
        most = len(members) * self.dearest / stretch
        if self.scheme not in WINDOWED:
            most = self.capped(members)
        elif self.n <= 12 and self.scheme in COMPARING:
            most = max(math.fsum(row[i] for i in members) for row in self.ways)
        else:
            windows, end = 0, -1
            for i in members:
                if i > end:
                    windows, end = windows + 1, i + self.w - 1
            most = min(most, windows * self.epsilon)
        half, tenth, right = (median(getattr(row, name) for row in rows) for name in ("half", "tenth", "right"))
        return KnownHours(most * stretch, half, tenth, right, 0)

    def said_times(self, loss: float) -> str:
        """e to a loss in two digits, "over 1,000,000" beyond."""
        if loss > math.log(1e6):
            return "over 1,000,000"
        value = math.exp(max(loss, 0.0))
        if value < 9.95:
            return "1" if round(value, 2) <= 1 else f"{value:.2f}" if value < 1.095 else f"{value:.1f}"
        step = 10 ** max(math.floor(math.log10(value)) - 1, 0)
        return f"{round(value / step) * step:,}"

    def factor_said(self, loss: float) -> str:
        """e to a loss, rounded up."""
        return factor(loss)

    @property
    def half_region(self) -> float:
        """Half the smaller side of the region, metres."""
        return min(self.region_km) * 1000 / 2

    @property
    def is_found(self) -> bool:
        return (self.within(self.b) if self.few else self.lasting[0].found) <= self.half_region

    @property
    def found_m(self) -> float:
        """Metres within which half of all releases put the nearest place, or a place where none lasts."""
        return self.within(self.b) if self.few else self.lasting[0].found

    @property
    def found_now(self) -> str:
        """What the curves and the proposed landmarks say of it."""
        if self.few:
            of = f"finds each report to within {self.tile}" if self.is_found else "does not find any report now"
        else:
            place = self.place_named(self.lasting[0])
            of = f"finds {place} to within {self.tile}" if self.is_found else f"does not find {place} now"
        return f"Averaging {'now ' * self.is_found}{of}."

    @property
    def tile(self) -> str:
        """The number of what is found, as it is written."""
        if self.o.reports is not None:
            return "not computed"
        return self.distance(self.within(self.b) if self.few else self.lasting[0].found)

    @property
    def listed(self) -> str:
        """The same in a list of settings."""
        return self.tile

    @property
    def look(self) -> str:
        found = self.within(self.b) if self.few else self.lasting[0].found
        if self.o.reports is not None or not self.is_found or found > 5 * self.radius:
            return "grey" if self.o.reports is None else ""
        return "red" if found <= self.radius else "amber"

    @property
    def right(self) -> float:
        """Guesses of 100 between the main place and one a radius away."""
        return 100 * NormalDist().cdf(self.b / (2 * math.sqrt(2)))

    @property
    def reports(self) -> int:
        """How many of the nearest place are published; of draws the median."""
        members = self.there if self.few else self.lasting[0].members
        return int(median(sum(own[i] > 0 for i in members) for own in self.owns))

    def circle(self, k: int) -> list[Any]:
        """Latitude, longitude, radius, whether that is near, name and distance on the map of the k-th place that is
        found: the point with the least weighted sum of distances to its reports, or to those beside its silences."""
        place = self.lasting[k]
        at = [i for i in place.members if self.own[i] > 0] if place.quiet is None else list(place.quiet.at)
        assert self.o.reports is None and place.found <= self.half_region and at and k < 3
        frame = LocalFrame(self.o.latitude[at[0]], self.o.longitude[at[0]])
        points, weights = frame.to_metres(self.o.latitude[at], self.o.longitude[at]), [self.own[i] for i in at]

        def total(x: Any) -> float:
            return float(weights @ np.hypot(*(points - x).T))

        starts = [np.median(points, axis=0), *points[np.argsort([total(p) for p in points])[:2]]]
        best = min(
            (minimize(total, start, method="Nelder-Mead", options=EXACT) for start in starts), key=lambda r: r.fun
        )
        shown = found_circles(self.o)[k]
        said = frame.to_metres(shown.latitude, shown.longitude)
        if total(said) > best.fun * (1 + 1e-9) + 1e-3 * sum(weights):
            raise Wrong(f"{said} is not where the reports are nearest: {best.x}")
        near = float(place.found <= 5 * self.radius * (1 + 1e-12))
        return [shown.latitude, shown.longitude, max(place.found, 20.0), near, shown.name, self.distance(place.found)]


def _counted(number: int, noun: str) -> str:
    return f"{SMALL[number] if number <= 12 else number} {noun}{'s' * (number != 1)}"


def _median(points: Any, weights: Any) -> tuple[float, float]:
    """The point with the least weighted sum of distances, by a search from every point and from their mean."""

    def total(x: Any) -> float:
        return float(weights @ np.hypot(*(points - x).T))

    starts = [np.average(points, axis=0, weights=weights), *points[np.argsort([total(p) for p in points])[:2]]]
    best = min((minimize(total, start, method="Nelder-Mead", options=EXACT) for start in starts), key=lambda r: r.fun)
    return float(best.x[0]), float(best.x[1])


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

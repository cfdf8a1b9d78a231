"""What a reader makes of a release, recomputed timestamp by timestamp with a dense chain."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from statistics import median
from typing import Any

import numpy as np
from scipy.optimize import minimize

from lmdk_widgets.answers.largest_spent import most_of
from lmdk_widgets.answers.usefulness import releases
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.scenario.region import region_of
from tests.every_number.claims import Wrong, least, near
from tests.every_number.landmarks_errors_truth import on_the_sphere

WORDS = (
    "Useless: the middle of the region is as good",
    "Shows the area, not the route",
    "Shows the route",
    "Shows the route well",
    "Shows the route in detail",
)
WORSE = "Worse than nothing: the middle of the region is nearer"

READ_AGAIN = 50
"""One in so many seeds is read again from its releases; of the others the words are held against the numbers."""

FAR_M = 100_000.0
"""Farther reports have no place in degrees that says where they lie in the plane."""


def rounded(value: float, slack: float, digits: int = 2) -> tuple[float, ...]:
    """What a value that is known so well may be with so many digits."""
    return tuple(float(f"{x:.{digits - 1}e}") for x in (value, value * (1 - slack), value * (1 + slack)))


def doubted(apart: list[float], noise: list[float], expected: list[float]) -> list[float]:
    """How often its own expectation each estimate is off, from how far reports lie from estimates, group by group."""
    order = sorted(range(len(apart)), key=lambda t: expected[t])
    count = min(10, max(1, len(order) // 100))
    found, first = [1.0] * len(apart), 0
    for k in range(count):
        size = len(order) // count + (k < len(order) % count)
        group, first = order[first : first + size], first + size
        if not group:
            continue
        trust = sum(noise[t] ** -4 for t in group)
        left = sum((apart[t] ** 2 - 1.5 * noise[t] ** 2) / noise[t] ** 4 for t in group) / trust
        left -= 84**0.5 / 4 / trust**0.5
        own = sum(expected[t] ** 2 / noise[t] ** 4 for t in group) / trust
        for t in group:
            found[t] = max(1.0, (max(left, 0.0) * np.pi / 4 / own) ** 0.5)
    return found


class UsefulTruth:
    """Of a track; `o`, `s`, `track` and so on come from the class that takes this one."""

    o: Any
    s: Any
    track: Any
    n: int
    first_errors: list[float] | None = None

    @cached_property
    def useful(self) -> Any:
        return self.o.found("useful")

    @cached_property
    def public(self) -> Any:
        return region_of(self.s, self.track)

    @cached_property
    def near_home(self) -> bool:
        """Whether the flat maps of track and region agree."""
        middle = (self.public.south + self.public.north) / 2, (self.public.west + self.public.east) / 2
        points = zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True)
        return max(on_the_sphere(middle, p) for p in points) < FAR_M / 2 and max(self.public.size_m) < FAR_M

    @cached_property
    def without(self) -> float:
        """The mean distance from the middle of the region."""
        if not self.near_home:
            return float(self.useful.nothing)
        middle = (self.public.south + self.public.north) / 2, (self.public.west + self.public.east) / 2
        points = zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True)
        return float(np.mean([on_the_sphere(middle, p) for p in points]))

    @cached_property
    def over(self) -> float:
        """The mean distance of all places of the region from its middle, by a fine grid."""
        wide, high = self.public.size_m
        x, y = (side * ((np.arange(400) + 0.5) / 400 - 0.5) for side in (wide, high))
        return float(np.hypot(x[:, None], y).mean())

    @cached_property
    def to_centre(self) -> float:
        """The least mean distance to any one point."""
        if not self.near_home:
            return float(self.useful.spread)
        points = self.public.frame.to_metres(self.track.latitude, self.track.longitude)

        def off(at: Any) -> float:
            return float(np.hypot(*(points - at).T).mean())

        starts = [points.mean(axis=0), *np.unique(points, axis=0)]
        best = min(starts, key=off)
        return float(min(off(best), minimize(off, best, method="Nelder-Mead", options={"xatol": 0.01}).fun))

    @cached_property
    def read(self) -> tuple[float, float, float]:
        """The mean error of the reader, what that is expected to be, and that of the reports: medians of the draws."""
        found = self.useful
        shown = found.reader, found.expected, found.noise
        if self.s.seed % READ_AGAIN or self.o.reports is not None or not self.near_home:
            return shown
        draws = [each for each, _ in zip(releases(self.o), range(found.draws), strict=False)]
        if any(np.nanmax(np.abs(each.outputs), initial=0.0) > FAR_M for each in draws):
            return shown
        each = [self._one(one) for one in draws]
        self.first_errors = each[0][0]
        off, expected = (median(float(np.mean(one[k])) for one in each) for k in (0, 1))
        if abs(off - shown[0]) > 0.02 * off + 10 or abs(expected - shown[1]) > 0.02 * expected + 10:
            raise Wrong(f"the reader is {shown[0]} off and expects {shown[1]}, and should be {off} and {expected}")
        return shown

    @cached_property
    def _chains(self) -> tuple[Any, Any, list[Any]]:
        area = self.public.reading_area()
        cells, side = area.points_m, area.cell_m
        far = np.hypot(*(cells[:, None] - cells).transpose(2, 0, 1))
        seconds = np.diff(self.track.time) / np.timedelta64(1, "s")
        usual, chains = np.median(seconds) if self.n > 1 else 1.0, []
        for gap in usual * 2.0 ** np.round(np.log2(seconds / usual)):
            kernel = np.exp(-far / max(side, min(5 * gap, 2000)))
            np.fill_diagonal(kernel, 0)
            chain = (1 - np.exp(-gap / (1.8 * side))) * kernel / kernel.sum(axis=1).max()
            chain[np.diag_indices(len(cells))] = 1 - chain.sum(axis=1)
            chains.append(0.999 * chain + 0.001 / len(cells))
        return area, far, chains

    def _one(self, released: Any) -> tuple[list[float], list[float]]:
        """The reader's errors in one release, and what is expected."""
        area, far, chains = self._chains
        cells, own = area.points_m, 0.3826 * area.cell_m
        there = self.public.frame.to_metres(*self.track.frame.to_degrees(released.outputs))
        truth = self.public.frame.to_metres(self.track.latitude, self.track.longitude)
        likely = np.ones((self.n, len(cells)))
        for t in np.flatnonzero(released.published):
            rate = (released.budgets[t] - released.comparison_budget) / self.s.radius_m
            logs = -rate * np.hypot(*(there[t] - cells).T)
            likely[t] = np.exp(logs - logs.max())
        ahead, back = [likely[0] / likely[0].sum()], [np.ones(len(cells))]
        for t in range(1, self.n):
            on = ahead[-1] @ chains[t - 1] * likely[t]
            before = chains[self.n - 1 - t] @ (back[-1] * likely[self.n - t])
            ahead.append(on / on.sum())
            back.append(before / before.sum())
        guesses, expected, noise = [], [], []
        for t in range(self.n):
            post = ahead[t] * back[self.n - 1 - t]
            losses = far @ (post / post.sum())
            spent = released.budgets[t] - released.comparison_budget
            noise.append(2 * self.s.radius_m / spent if released.published[t] else np.inf)
            guesses.append(cells[losses.argmin()])
            expected.append(np.hypot(losses.min(), own))
        reports = [self.public.clip(each) for each in there]
        heard = [t for t in range(self.n) if noise[t] < np.inf]
        far_off = [float(np.hypot(*(reports[t] - guesses[t]))) for t in heard]
        for t, times in zip(
            heard, doubted(far_off, *([of[t] for t in heard] for of in (noise, expected))), strict=True
        ):
            expected[t] *= times
        keep = [noise[t] < expected[t] for t in range(self.n)]
        off = [np.hypot(*((reports if keep[t] else guesses)[t] - truth[t])) for t in range(self.n)]
        return off, [min(each) for each in zip(noise, expected, strict=True)]

    @property
    def reader_errors(self) -> Any:
        """Of each timestamp in the release that is shown."""
        assert self.read
        return self.useful.error_m if self.first_errors is None else self.first_errors

    @property
    def useful_words(self) -> str:
        reader, expected, _ = self.read
        if reader > self.without * (1 + 1e-9):
            return WORSE
        if reader >= 0.9 * self.without or expected >= 0.9 * self.over:
            return WORDS[0]
        return WORDS[1 + sum(reader < self.to_centre / k for k in (1, 2, 4))]

    @property
    def reader_shown(self) -> float:
        """Two digits."""
        return rounded(self.read[0], 0)[0]

    @property
    def useful_tile(self) -> str:
        """Nothing stands there until it is computed."""
        return "\N{HORIZONTAL ELLIPSIS}" if self.useful is None else metres(self.reader_shown)

    @property
    def scale(self) -> list[float]:
        """The reader's error, spread and nothing as shares of the largest, which stands a little before the end."""
        each = [self.read[0], self.to_centre, self.without]
        longest = 1.08 * max(each)
        return [level / longest if longest else 0.0 for level in each]

    @property
    def useful_look(self) -> str:
        return "grey" if self.useful is not None and self.useful_words in (WORSE, WORDS[0]) else ""

    @cached_property
    def staying(self) -> list[int]:
        """The first timestamps of stays: 20 minutes or more within 200 m of where one begins, point by point."""
        places = list(zip(self.track.latitude.tolist(), self.track.longitude.tolist(), strict=True))
        found, at = [], 0
        while at < self.n:
            last = at
            while last + 1 < self.n and on_the_sphere(places[at], places[last + 1]) <= 200:
                last += 1
            if (self.track.time[last] - self.track.time[at]) / np.timedelta64(1, "s") >= 1200:
                found.append(at)
                at = last
            at += 1
        return found

    @cached_property
    def least_possible(self) -> float:
        """The mean of 2 / (B / r + 2 / spread) over the timestamps, B what the piece of each can spend together."""
        ends, total = [*self.staying[1:], self.n], 0.0
        for first, end in zip([0, *ends[:-1]], ends, strict=True):
            members = np.zeros(self.n, bool)
            members[first:end] = True
            spend = most_of(self.o, members) if self.s.spread.online else sum(self.o.budgets[first:end].tolist())
            total += (end - first) * 2 / (spend / self.s.radius_m + 2 / self.to_centre)
        return total / self.n


SLACK = 2e-3
"""The flat map of the region is the ground to less than this."""

USEFUL: Mapping[str, Any] = {
    "reader_error": "reader_shown",
    "worth": "useful_words",
    "one_known_error": near(lambda t: rounded(t.to_centre, SLACK)),
    "blind_error": near(lambda t: rounded(t.without, SLACK)),
    "area_error": near(lambda t: rounded(t.over, SLACK)),
    "least_possible_error": least("least_possible", slack=SLACK),
    "n_parts": lambda t: len(t.staying),
    "spread_error": near(lambda t: t.to_centre, SLACK),
    "own_error": "reader_shown",
    "noise_error": near(lambda t: rounded(t.read[2], 0)),
    "low_error": near(lambda t: rounded(t.useful.interval[0], 0)),
    "high_error": near(lambda t: rounded(t.useful.interval[1], 0)),
}
"""Each number by its name."""

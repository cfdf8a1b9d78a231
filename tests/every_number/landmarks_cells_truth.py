"""Reports of cells, recomputed: randomised response over a grid, and channels over the cells of a track."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from tests.every_number.programme import least_loss, spanner_edges
from tests.every_number.region_truth import in_frame, reached
from tests.geoind.places import slow_epsilon


class CellsTruth:
    """The part of `LandmarkTruth` that reports cells."""

    o: Any
    s: Any
    track: Any
    n: int
    radius: float
    spent: list[float]
    planar_error: Any

    box: Any
    framed: Any
    moved: Any

    @property
    def of_track(self) -> bool:
        """Whether the cells are those of the track."""
        return bool(self.s.cells == "track")

    @cached_property
    def cells(self) -> list[tuple[int, int]]:
        """The cell of each timestamp; of one outside the region that of the place to which it is moved."""
        side_m = self.s.place_m
        if self.of_track:
            return [(math.floor(x / side_m), math.floor(y / side_m)) for x, y in self.track.points_m.tolist()]
        (a, b), (c, d) = self.ends
        found = []
        for x, y in self.moved:
            at = (math.floor((east + move) / side_m) for east, move in zip((x, y), self.shift, strict=True))
            column, row = at
            found.append((min(max(column, a), b), min(max(row, c), d)))
        return found

    @property
    def shift(self) -> tuple[float, float]:
        """Where the middle of the region lies on the global grid, metres from longitude 0 at its latitude and the equator."""
        south, west, north, east = self.box
        middle = (south + north) / 2
        return 111_195 * math.cos(math.radians(middle)) * (west + east) / 2, 111_195 * middle

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """First and last column and row whose centre is in the region."""
        south, west, north, east = self.box
        narrow = math.cos(math.radians((south + north) / 2))
        found = []
        for low, high in ((west * narrow, east * narrow), (south, north)):
            first, last = (end * 111_195 / self.s.place_m - 0.5 for end in (low, high))
            found.append((math.ceil(first), math.ceil(last) - 1))
        return found[0], found[1]

    @property
    def paid(self) -> list[tuple[float, bool]]:
        """Of each timestamp what was spent, and whether it was measured."""
        return list(zip(self.spent, self.o.published.tolist(), strict=True))

    @property
    def responds(self) -> bool:
        return self.s.mechanism == "randomised"

    @cached_property
    def grid(self) -> list[tuple[int, int]]:
        """The cells of the region, or of randomised response on the track with a margin, row by row."""
        if not self.of_track:
            (a, b), (c, d) = self.ends
            return [(column, row) for row in range(c, d + 1) for column in range(a, b + 1)]
        points = np.array(self.track.points_m)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = max(0.15 * max(high - low), 200.0)
        (a, b), (c, d) = (((end / self.s.place_m) // 1).astype(int).tolist() for end in (low - margin, high + margin))
        return [(column, row) for row in range(b, d + 1) for column in range(a, c + 1)]

    def keep(self, budget: float) -> float:
        """The chance of the true cell: e^b / (e^b + m - 1)."""
        return 1 / (1 + (len(self.grid) - 1) * math.exp(-budget))

    @property
    def keeps(self) -> list[float]:
        return [self.keep(b) for b, p in self.paid if p]

    def level_error(self, budget: float) -> float:
        """What is expected at event or user level: of planar Laplace, or of randomised response."""
        if not self.responds:
            return self.planar_error(budget)
        return math.fsum(self.response(t, budget)[0] for t in range(self.n)) / self.n

    def response(self, t: int, budget: float) -> tuple[float, float]:
        """(expected distance, distance that holds 95 %) of randomised response at a timestamp."""
        m, keep, point = len(self.grid), self.keep(budget), self.track.points_m[t].tolist()
        own, held, reach, total = self.cells[t], 0.0, 0.0, 0.0
        for away, chance in sorted(
            (math.dist(point, centre), keep if cell == own else (1 - keep) / (m - 1))
            for cell, centre in zip(self.grid, self.centres, strict=True)
        ):
            total += away * chance
            if held < 0.95 * (1 - 1e-12):
                held, reach = held + chance, away
        return total, reach

    @property
    def sites(self) -> list[tuple[int, int]]:
        """The cells that can be reported, in the order of the channels."""
        return self.grid if self.responds or not self.of_track else sorted(set(self.cells))

    @cached_property
    def flat(self) -> list[tuple[float, float]]:
        """Their centres, in the plane in which their distances count."""
        side_m, (east, north) = self.s.place_m, (0.0, 0.0) if self.of_track else self.shift
        return [((c + 0.5) * side_m - east, (r + 0.5) * side_m - north) for c, r in self.sites]

    @cached_property
    def centres(self) -> list[tuple[float, float]]:
        """The same in the frame of the track: from the region's frame to the ground, and from there."""
        if self.of_track:
            return self.flat
        south, west, north, east = self.box
        middle, frame = ((south + north) / 2, (west + east) / 2), self.track.frame
        return [in_frame((frame.latitude, frame.longitude), *reached(middle, *at)) for at in self.flat]

    @cached_property
    def cell_reports(self) -> list[tuple[float, float] | None]:
        """(expected distance, distance that holds 95 % of the reports) of each measured timestamp."""
        if self.responds:
            return [self.response(t, b) if p else None for t, (b, p) in enumerate(self.paid)]
        number = {cell: k for k, cell in enumerate(self.sites)}
        found: list[tuple[float, float] | None] = []
        for t, point in enumerate(self.track.points_m.tolist()):
            if not self.o.published[t]:
                found.append(None)
                continue
            level = min(self.o.reports.channels, key=lambda b: abs(b - self.spent[t]))
            row = self.o.reports.channels[level].matrix[number[self.cells[t]]].tolist()
            away = [math.dist(point, centre) for centre in self.centres]
            held, reach = 0.0, 0.0
            for distance, chance in sorted(zip(away, row, strict=True)):
                held, reach = held + chance, distance
                if held >= 0.95 * (1 - 1e-12):
                    break
            found.append((math.fsum(a * c for a, c in zip(away, row, strict=True)), reach))
        return found

    @property
    def expected(self) -> float:
        some = [found[0] for found in self.cell_reports if found is not None]
        return math.fsum(some) / len(some) if some else math.nan

    @property
    def saving(self) -> float:
        some = [2 * self.radius / self.spent[t] for t, found in enumerate(self.cell_reports) if found is not None]
        return math.fsum(some) / len(some) - self.expected

    @cached_property
    def apart(self) -> np.ndarray:
        return np.array([[math.dist(a, b) for b in self.flat] for a in self.flat])

    @property
    def certified(self) -> float:
        """The share of its budget that a report tells, over all pairs of cells and all reports."""
        channels = self.o.reports.channels
        apart = self.apart.tolist()
        told = [slow_epsilon(c.matrix.tolist(), apart) * self.radius / b for b, c in channels.items()]
        return max(told, default=0.0)

    @cached_property
    def gap(self) -> float:
        """How far the expected errors of the channels are above the least ones, in errors of a blind guess."""
        m = len(self.sites)
        prior = np.array([self.cells.count(cell) / self.n if self.of_track else 1 / m for cell in self.sites])
        blind = float((prior @ self.apart).min())
        edges, reached = spanner_edges(self.apart, 1.1) if self.s.mechanism == "spanner" else (None, 1.0)
        worst = 0.0
        for b, channel in self.o.reports.channels.items():
            loss = float((prior[:, None] * channel.matrix * self.apart).sum())
            worst = max(worst, loss - least_loss(self.apart, prior, b / self.radius / reached, edges))
        return worst / blind

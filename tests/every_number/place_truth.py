"""What the place page says, recomputed from the cells, the priors and the channels of an outcome."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse.csgraph import shortest_path

from tests.every_number.landmarks_errors_truth import EARTH_M
from tests.every_number.programme import least_loss, spanner_edges
from tests.geoind.places import slow_epsilon

LEAST = ("optimal", "spanner")


class PlacesTruth:
    """Everything that the page may say of an outcome, each value from its definition."""

    def __init__(self, outcome: Any, track: Any = None, visits: Any = None, raw: Any = None) -> None:
        self.raw = raw
        self.o, self.c, self.track, self.visits = outcome, outcome.places, track, visits
        self.level, self.radius, self.mechanism = self.c.level, self.c.radius_m, self.c.mechanism
        self.prior, self.other = outcome.instance.prior, outcome.instance.other
        self.n = len(self.squares)
        self.present = outcome.assessed.get(self.mechanism)
        self.plain = outcome.assessed.get("planar")

    @property
    def box(self) -> tuple[float, ...]:
        """South, west, north and east of the region, degrees; that of every sample is Paris."""
        return tuple(self.c.region) or (48.75, 2.25, 49.0, 2.5)

    # -- what is done today --------------------------------------------------------------------------------------------

    def grouped(self, key: Callable[[int], Any]) -> tuple[float, float, float, float]:
        """Loss, attacker's error, chance of an exact guess and cells left, if cells with one key have one report: the cell
        nearest to the middle of their extent."""
        groups: dict[Any, list[int]] = {}
        for x in range(self.n):
            groups.setdefault(key(x), []).append(x)
        loss = error = hit = left = 0.0
        for own in groups.values():
            ends = [(min(v), max(v)) for v in zip(*(self.squares[x] for x in own), strict=True)]
            middle = [sum(pair) / 2 for pair in ends]
            far = {x: math.dist(self.squares[x], middle) for x in own}
            report = next(x for x in own if far[x] <= min(far.values()) + 1e-9)
            loss += math.fsum(self.prior[x] * self.quality[x, report] for x in own)
            error += min(math.fsum(self.prior[x] * self.off[x, g] for x in own) for g in range(self.n))
            hit += max(self.prior[x] for x in own)
            left += math.fsum(self.prior[x] for x in own) * sum(self.prior[x] > 0 for x in own)
        return loss, error, float(hit), left

    def merged(self, side: int) -> tuple[float, float, float, float]:
        """Of squares of so many cells, counted from the south-west."""
        low = [min(v) for v in zip(*self.squares, strict=True)]
        return self.grouped(lambda x: tuple((v - a) // side for v, a in zip(self.squares[x], low, strict=True)))

    def rounded(self, decimals: int) -> tuple[float, float, float, float]:
        """Of coordinates with so many decimals."""
        at = np.array(self.degrees(((0, 0),)))
        scaled = at * 10.0**decimals
        if (np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6).any():  # halfway, a last digit decides: that of the page
            at = np.array(self.o.area.frame.to_degrees(self.o.area.points_m))
        north, east = np.round(at, decimals).tolist()
        return self.grouped(lambda x: (north[x], east[x]))

    # -- cells and priors ---------------------------------------------------------------------------------------------

    @cached_property
    def squares(self) -> list[tuple[int, int]]:
        """(column, row) of every cell, from the south-west."""
        if self.c.area == "grid":
            return [(c, r) for r in range(self.c.rows) for c in range(self.c.columns)]
        if self.c.area == "region":
            south, west, north, east = self.box
            narrow = math.cos(math.radians((south + north) / 2))
            ends = [(west * narrow, east * narrow), (south, north)]
            counts = []
            for low, high in ends:
                first, last = (math.ceil(end * 111_195 / self.c.cell_m - 0.5) for end in (low, high))
                counts.append(last - first)
            return [(c, r) for r in range(counts[1]) for c in range(counts[0])]
        points = self.track.points_m.tolist()
        cells = sorted({(math.floor(x / self.c.cell_m), math.floor(y / self.c.cell_m)) for x, y in points})
        low = min(c for c, _ in cells), min(r for _, r in cells)
        return [(c - low[0], r - low[1]) for c, r in cells]

    @cached_property
    def apart(self) -> np.ndarray:
        side = self.c.cell_m
        return np.array([[side * math.dist(a, b) for b in self.squares] for a in self.squares])

    def apart_by(self, name: str) -> np.ndarray:
        """How far cells are apart, by the name of a distance."""
        if name == "manhattan":
            return np.array(
                [[self.c.cell_m * (abs(a[0] - b[0]) + abs(a[1] - b[1])) for b in self.squares] for a in self.squares]
            )
        if name == "squared":
            return self.apart * self.apart / self.radius
        if name == "matrix":
            return self.c.unit_m * np.array(shortest_path(np.minimum(self.raw, self.raw.T)))
        return self.apart

    @cached_property
    def privacy(self) -> np.ndarray:
        return np.array(shortest_path(self.apart_by(self.c.privacy_by)))

    @cached_property
    def quality(self) -> np.ndarray:
        return self.apart_by(self.c.quality_by)

    @cached_property
    def off(self) -> np.ndarray:
        return self.apart_by(self.c.error_by)

    @cached_property
    def scale(self) -> float:
        """The loss of the best report that is the same everywhere."""
        return min(math.fsum(self.prior[x] * self.quality[x, z] for x in range(self.n)) for z in range(self.n))

    @cached_property
    def by_cell(self) -> list[float]:
        """How far off the report, or the best guess after it, is from each true cell."""
        if self.c.layer == "reader":
            return [math.fsum(self.own[x, z] * self.quality[x, z] for z in range(self.n)) for x in range(self.n)]
        guesses = self.present.remap.tolist()
        for z, guess in enumerate(guesses):
            if self.chance_of(z) > 1e-300:
                after = [math.fsum(self.column(z)[x] * self.off[x, g] for x in range(self.n)) for g in range(self.n)]
                assert after[guess] <= min(after) * (1 + 1e-9) + 1e-9, "not the best guess"
        return [math.fsum(self.own[x, z] * self.off[x, g] for z, g in enumerate(guesses)) for x in range(self.n)]

    @property
    def names(self) -> list[str]:
        return [f"{chr(65 + c)}{r + 1}" for c, r in self.squares]

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Degrees of the corners."""
        return self.degrees(((-1, -1), (1, -1), (1, 1), (-1, 1)))

    def degrees(self, steps: tuple[tuple[int, int], ...]) -> tuple[np.ndarray, np.ndarray]:
        """Degrees of points so many half sides from the middle of each cell, by going there on the sphere."""
        frame, side = self.o.area.frame, self.c.cell_m
        latitudes, longitudes = [], []
        for x, y in self.o.area.points_m.tolist():
            for i, j in steps:
                east, north = x + i * side / 2, y + j * side / 2
                far, way = math.hypot(east, north) / EARTH_M, math.atan2(east, north)
                phi = math.radians(frame.latitude)
                up = math.asin(math.sin(phi) * math.cos(far) + math.cos(phi) * math.sin(far) * math.cos(way))
                turn = math.atan2(
                    math.sin(way) * math.sin(far) * math.cos(phi), math.cos(far) - math.sin(phi) * math.sin(up)
                )
                latitudes.append(math.degrees(up))
                longitudes.append(frame.longitude + math.degrees(turn))
        return np.array(latitudes), np.array(longitudes)

    @cached_property
    def expected_prior(self) -> Any:
        """The prior where it is plainly counted; of the made-up city what it is."""
        if self.c.prior == "uniform":
            return [1 / self.n] * self.n
        if self.c.prior == "painted":
            weights = self.c.painted or [1.0] * self.n
            return [w / math.fsum(weights) for w in weights]
        if self.c.prior == "counts" and self.c.area == "track":
            cells = [
                (math.floor(x / self.c.cell_m), math.floor(y / self.c.cell_m)) for x, y in self.track.points_m.tolist()
            ]
            return [cells.count(cell) / len(cells) for cell in sorted(set(cells))]
        return self.prior

    @property
    def inside(self) -> int:
        """Check-ins in the grid, one by one."""
        points = self.o.area.frame.to_metres(self.visits.latitude, self.visits.longitude).tolist()
        wide, high = self.c.columns * self.c.cell_m / 2, self.c.rows * self.c.cell_m / 2
        return sum(-wide <= x < wide and -high <= y < high for x, y in points)

    # -- channels -----------------------------------------------------------------------------------------------------

    def loss(self, matrix: np.ndarray, prior: np.ndarray | None = None) -> float:
        prior = self.prior if prior is None else prior
        return math.fsum(prior[x] * matrix[x, z] * self.quality[x, z] for x in range(self.n) for z in range(self.n))

    def error(self, matrix: np.ndarray, prior: np.ndarray | None = None) -> float:
        """sum over reports of the least expected distance of a guess."""
        prior = self.prior if prior is None else prior
        return math.fsum(
            min(math.fsum(prior[x] * matrix[x, z] * self.off[x, g] for x in range(self.n)) for g in range(self.n))
            for z in range(self.n)
        )

    def hit(self, matrix: np.ndarray) -> float:
        return math.fsum(max(self.prior[x] * matrix[x, z] for x in range(self.n)) for z in range(self.n))

    @cached_property
    def capacity(self) -> float:
        """The largest chance of each report, from the place that gives it most often, added up."""
        return math.fsum(max(self.own[:, z].tolist()) for z in range(self.n)) + self.n * self.present.channel.error

    @cached_property
    def security(self) -> float:
        """How often a guess between two equally likely cells is wrong, twice, for the two that are easiest to tell apart."""
        rows = self.own.tolist()
        wrong = [math.fsum(map(min, one, two)) for k, one in enumerate(rows) for two in rows[:k]]
        return max(0.0, min(wrong, default=1.0) - self.n * self.present.channel.error)

    @property
    def own(self) -> np.ndarray:
        return self.present.channel.matrix

    @property
    def blind(self) -> float:
        return min(math.fsum(self.prior[x] * self.off[x, g] for x in range(self.n)) for g in range(self.n))

    @property
    def blind_other(self) -> float:
        return min(math.fsum(self.other[x] * self.off[x, g] for x in range(self.n)) for g in range(self.n))

    @cached_property
    def epsilon(self) -> float:
        """The privacy of the channel that is shown, over all pairs and reports."""
        return slow_epsilon(self.own.tolist(), self.privacy.tolist())

    @property
    def written_epsilon(self) -> float:
        """The bound on it that is written: none below 1e-9 within the radius, but for a channel that tells nothing."""
        return max(self.epsilon, 1e-9 / self.radius) if self.epsilon else 0.0

    @cached_property
    def edges(self) -> tuple[list[tuple[int, int]], float]:
        return spanner_edges(self.privacy, self.c.dilation)

    @cached_property
    def binding(self) -> list[bool]:
        """Edges whose two chances of a report are as far apart as they may be: of the report clicked, otherwise of any."""
        edges, reached = self.edges
        if self.present is None:
            return [False] * len(edges)
        epsilon = self.present.channel.requested_epsilon / reached
        reports = [self.o.shown.selected] if self.c.click == "report" else range(self.n)
        return [any(self._binds(x, y, z, epsilon * self.privacy[x, y]) for z in reports) for x, y in edges]

    def _binds(self, x: int, y: int, z: int, most: float) -> bool:
        one, other = self.own[x, z], self.own[y, z]
        return min(one, other) > 1e-12 and abs(math.log(one / other)) >= most * (1 - 1e-6)

    @property
    def allowed(self) -> float:
        """The loss that OptPriv may have; nothing while the optimal mechanism's is not known."""
        best = self.o.assessed.get("optimal")
        if best is None or abs(best.channel.requested_epsilon * self.radius / self.level - 1) > 1e-9:
            return math.nan
        return self.c.loss_percent / 100 * self.loss(best.channel.matrix)

    def least(self, mechanism: str) -> float:
        """The least loss at the privacy for which the channel was made."""
        asked = self.o.assessed[mechanism].channel.requested_epsilon
        if mechanism == "spanner":
            edges, reached = self.edges
            return least_loss(self.privacy, self.prior, asked / reached, edges, self.quality)
        return least_loss(self.privacy, self.prior, asked, None, self.quality)

    @cached_property
    def any_report(self) -> float:
        """No mechanism is nearer, whatever it reports: from the least loss on cells."""
        best, side = self.least("optimal"), self.c.cell_m
        wide, high = (max(v) + 1 for v in zip(*self.squares, strict=True))
        return max(best - 0.1771244 * side, best / 2**0.5) if wide * high == self.n else best / 2

    def above(self, mechanism: str) -> float:
        best = self.least(mechanism)  # of which the linear programme knows nothing where it is next to nothing
        return (
            max(0.0, self.loss(self.o.assessed[mechanism].channel.matrix) / best - 1)
            if best > 1e-8 * self.scale
            else 0.0
        )

    @property
    def stale(self) -> bool:
        asked = self.present.channel.requested_epsilon
        return not math.isnan(asked) and abs(asked * self.radius / self.level - 1) > 1e-9

    @property
    def saved(self) -> float:
        return 1 - self.loss(self.own) / self.loss(self.plain.channel.matrix)

    def column(self, z: int) -> np.ndarray:
        """What the adversary believes after a report."""
        joint = self.prior * self.own[:, z]
        return joint / joint.sum()

    def chance_of(self, z: int) -> float:
        return math.fsum(self.prior[x] * self.own[x, z] for x in range(self.n))

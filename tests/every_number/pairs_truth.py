"""What a chain would tell of places in two cells by their distance, recomputed: of a chain that stays or goes anywhere by
the report that tells most, the place itself each time; of any other, as long as the page has no better, by one number at
the largest distance."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from scipy.special import logsumexp

from lmdk_widgets.leakage import AnyStart, pairwise_step, reverse
from tests.every_number import losses
from tests.every_number.claims import Hole, most, near

MILLION = math.log(1e6)


class PairsTruth:
    """The part of `LandmarkTruth` that says what is told by distance."""

    o: Any
    s: Any
    n: int
    track: Any
    radius: float
    spent: list[float]
    most_of_one: float
    epsilon: float
    w: int
    matrix: np.ndarray | None
    sides: tuple[Any, Any]
    weakened: float
    responds: bool
    modelled: bool
    cells: Any
    ends: Any
    of_track: bool
    many = False
    """Whether it is one of many settings, for each of which pairs may take some time."""

    @property
    def per_m(self) -> float:
        """What a metre counts at a budget of 1."""
        return (self.weakened if self.weakened > 1.0001 else 1.0) / self.radius

    @cached_property
    def starred(self) -> bool:
        """Whether reports at the place itself tell most."""
        assert self.matrix is not None
        p, away = self.matrix, ~np.eye(len(self.matrix), dtype=bool)
        alike = len(p) > 1 and np.ptp(np.diag(p)) == np.ptp(p[away]) == 0 and p[0, 0] >= p[0, 1]
        return bool(alike and self.s.adversary != "any")

    @cached_property
    def counted_budgets(self) -> list[float]:
        """The budgets, or the largest for all: of a scheme that chooses as it goes, and where too many differ."""
        top = max(self.spent)
        if self.s.spread.online:
            return [self.most_of_one] * self.n
        m = len(self.matrix) if self.matrix is not None else 0
        too_many = self.n > 20_000 or self.n * m * m > 4e6 or (not self.starred and self.n * m**3 > 300_000)
        return [top] * self.n if len(set(self.spent)) > 1 and too_many else self.spent

    @cached_property
    def squares(self) -> tuple[list[tuple[int, int]], float]:
        """The cells that the states are taken for, by column and row, and their side."""
        assert self.matrix is not None
        m, side = len(self.matrix), self.s.cell_m
        if self.o.reports is not None and self.s.correlation != "estimated":
            (a, b), (c, d) = self.ends
            every = [(column, row) for row in range(c, d + 1) for column in range(a, b + 1)]
            seen = Counter(self.cells)
            every = sorted(seen) if self.of_track else every
            return sorted(every, key=lambda cell: -seen[cell])[:m], self.s.place_m
        where = [(math.floor(x / side), math.floor(y / side)) for x, y in self.track.points_m.tolist()]
        times = Counter(where)
        if len(times) == m:
            return sorted(times), side
        order = sorted(times, key=lambda cell: (-times[cell], cell))[:m]
        around = itertools.count(1)
        while len(order) < m:
            k, (column, row) = next(around), order[0]
            ring = [(column + i, row + j) for j in range(-k, k + 1) for i in range(-k, k + 1)]
            ring.sort(key=lambda cell: (cell[0] - column) ** 2 + (cell[1] - row) ** 2)
            order += [cell for cell in ring if cell not in order][: m - len(order)]
        return order, side

    @property
    def few_cells(self) -> bool:
        """Whether fewer cells can be reported than the chain has states."""
        few = self.o.reports is not None and self.s.correlation != "estimated"
        return few and len(self.squares[0]) < len(self.matrix)  # type: ignore[arg-type]

    @cached_property
    def largest_m(self) -> float:
        """No two places are farther apart."""
        if self.s.correlation == "matrix" or self.few_cells:
            points = self.track.points_m
            return max(math.dist(points.min(axis=0), points.max(axis=0)), self.radius)
        squares, side = self.squares
        return max(
            side * math.hypot(abs(a - c) + 1, abs(b - d) + 1) for (a, b), (c, d) in itertools.product(squares, repeat=2)
        )

    @cached_property
    def one_number(self) -> list[float]:
        """The loss of Cao et al. at the largest distance, and that of two places one radius apart from it."""
        times = self.largest_m / self.radius
        spent = [b * times for b in self.counted_budgets]
        back, ahead = losses.run(self.sides[0], spent), losses.run(self.sides[1], spent[::-1])[::-1]
        own = self.radius * self.per_m
        return [b + f - 2 * e + own * s for b, f, e, s in zip(back, ahead, spent, self.counted_budgets, strict=True)]

    @property
    def blind(self) -> bool:
        """Whether nothing says where the states lie."""
        return not self.responds and (self.s.correlation == "matrix" or self.few_cells)

    @property
    def by_one(self) -> bool:
        """Whether one number stands for all pairs: of many states, and where nobody waited for better."""
        assert self.matrix is not None
        most = 25 if self.s.adversary == "any" else 50
        if self.many:
            return not self.starred and self.n * len(self.matrix) ** 3 > 25_000
        return not self.starred and (len(self.matrix) > most or self.o.found("pairs") is None)

    @cached_property
    def between_states(self) -> np.ndarray:
        """(m, m) what a release tells of two states at a budget of 1."""
        assert self.matrix is not None
        other = 1.0 - np.eye(len(self.matrix))
        if self.responds or self.blind:
            return other * (1.0 if self.responds else self.largest_m / self.radius)
        squares, side = self.squares
        where = np.array(squares, float) * side
        apart = np.sqrt(((where[:, None] - where) ** 2).sum(axis=-1))
        if self.o.reports is not None and self.s.correlation == "estimated":
            return (apart + math.sqrt(2) * self.s.place_m) * self.per_m * other
        return apart * self.unit_per_m

    def _move(self, past: bool, moves: int) -> Any:
        """What some moves carry over: by the report at the place itself, else by `pairwise_step`, which has its oracles."""
        assert self.matrix is not None
        p = np.linalg.matrix_power(self.matrix, moves)
        if self.starred:
            stay, away = math.log(max(p[0, 0] - p[0, 1], 1e-300)), math.log(max(p[0, 1], 1e-300))

            def told(bound: np.ndarray) -> np.ndarray:
                # ln of the likelihood of all reports at x so far, were the place v, but for the last report
                log = np.logaddexp(stay - bound, away + logsumexp(-bound, axis=1, keepdims=True))
                return np.diag(log)[:, None] - log

            return told
        if past and self.s.adversary == "any":
            return partial(pairwise_step, AnyStart(p))
        return partial(pairwise_step, np.linalg.matrix_power(reverse(self.matrix), moves) if past else p)

    @cached_property
    def by_side(self) -> tuple[np.ndarray, np.ndarray]:
        """What the past, and what the future tells of each two states besides the release of the moment, (n, m, m) each."""
        unit, who, runs = self.between_states, self.s.adversary, []
        for spent, looks, past in (
            (self.counted_budgets, who != "future", True),
            (self.counted_budgets[::-1], who != "past", False),
        ):
            move, told, before, earlier = lru_cache(partial(self._move, past)), np.zeros_like(unit), math.nan, math.nan
            more, report = [np.zeros_like(unit)], -1
            for k, b in enumerate(spent):
                if k and looks and report >= 0:
                    still = (
                        before == earlier
                        and len(more) > 2
                        and before > 0
                        and np.abs(more[-1] - more[-2]).max() < 1e-13 * min(1.0, told.max())
                    )
                    more.append(more[-1] if still else move(k - report)(told))
                elif k:
                    more.append(more[-1])
                earlier, before = before, b
                if b > 0:
                    report, told = k, b * unit + more[-1]
            runs.append(more)
        return np.array(runs[0]), np.array(runs[1][::-1])

    @property
    def by_moves(self) -> tuple[np.ndarray, np.ndarray]:
        """Budgets (n,), and what the past and the future together tell of each two states besides, (n, m, m)."""
        past, future = self.by_side
        return np.array(self.counted_budgets), past + future

    @property
    def unit_per_m(self) -> float:
        """In the frame of the noise a distance is what it is; between reported cells it counts as on the ground."""
        return self.per_m if self.o.reports is not None else 1 / self.radius

    def told_at(self, metres: float) -> np.ndarray | None:
        """(n,) of two places so far apart, at most, or of neighbouring reported cells; None where there are none."""
        if metres not in self._told_at:
            self._told_at[metres] = self._of_places(metres)
        return self._told_at[metres]

    @cached_property
    def _told_at(self) -> dict[float, np.ndarray | None]:
        return {}

    def _of_places(self, metres: float) -> np.ndarray | None:
        budgets, carried = self.by_moves
        holds, own = self._apart(metres)
        return (budgets[:, None] * own[holds] + carried[:, holds]).max(axis=1) if holds.any() else None

    def _apart(self, metres: float) -> tuple[np.ndarray, np.ndarray]:
        """(m, m) which states hold two places so far apart, or are neighbours, and what a budget of 1 tells of these."""
        squares, side = self.squares
        x, y = (np.abs(np.subtract.outer(each, each)) * side for each in np.array(squares, float).T)
        if self.o.reports is not None:
            step = self.s.place_m
            metres = step if metres == self.radius else metres
            holds = (np.abs(np.hypot(x, y) - metres) <= step / 2) & (x + y > 0)
            own = self.between_states
        else:
            nearest = np.hypot(np.maximum(x - side, 0), np.maximum(y - side, 0))
            holds = (nearest * (1 + 1e-12) < metres * self.per_m * self.radius) & (
                metres <= np.hypot(x + side, y + side)
            )
            holds &= x + y > 0  # a chain says nothing of two places in one cell
            own = np.full_like(x, metres * self.per_m)
        return holds, own

    @cached_property
    def near_m(self) -> float:
        """How far apart the places are that `told_near` is about: as near to one radius as those of two cells can be."""
        cells = self.o.reports is not None
        step = self.s.place_m if cells and not (self.by_one or self.blind) else self.radius
        if self.by_one or self.blind or self._apart(step)[0].any():
            return step
        squares, side = self.squares
        found = []
        for (a, b), (c, d) in itertools.combinations(squares, 2):
            x, y = abs(a - c), abs(b - d)
            if cells:
                found.append(side * math.hypot(x, y))
            else:
                low, high = math.hypot(max(x - 1, 0), max(y - 1, 0)), math.hypot(x + 1, y + 1)
                found.append(min(max(step, side * low / (self.per_m * self.radius)), side * high))
        return min(found, key=lambda each: abs(each - step))

    @property
    def inside_m(self) -> float:
        """The same a little within the range of two cells, where rounding decides nothing."""
        return self.near_m * (1 + 1e-9 * ((self.near_m > self.radius) - (self.near_m < self.radius)))

    @property
    def elsewhere_m(self) -> float:
        """The same where it is not one radius, or one cell."""
        cells = self.o.reports is not None and not (self.by_one or self.blind)
        return math.nan if self.near_m == (self.s.place_m if cells else self.radius) else self.near_m

    @cached_property
    def told_in_a_row(self) -> float:
        """What the timestamps that share a budget tell together of two ways: their own distances, and what is carried over to
        the first from before, and to the last from behind."""
        spent = self.counted_budgets
        if self.by_one:
            times = self.largest_m / self.radius if not self.responds and self.o.kind.placed else 1.0
            counted = [b * times for b in spent]
            back, ahead = losses.run(self.sides[0], counted), losses.run(self.sides[1], counted[::-1])[::-1]
            past, future = ([a - b for a, b in zip(side, counted, strict=True)] for side in (back, ahead))
            own = self.radius * self.per_m if self.o.kind.placed and not self.responds else 1.0
        else:
            if self.responds:
                holds, each = self.between_states > 0, self.between_states
            elif self.blind:  # whatever is carried over, between two places that are as near as that
                holds = self.between_states > 0
                each = np.full_like(self.between_states, self.radius * self.per_m)
            else:
                holds, each = self._apart(self.inside_m)
            past, future = ([float(one[holds].max()) for one in side] for side in self.by_side)
            own = float(each[holds].max())
        most = self.epsilon * (1 + 1e-12)
        return max(
            past[max(t - self.w + 1, 0)] + min(math.fsum(spent[max(t - self.w + 1, 0) : t + 1]), most) * own + future[t]
            for t in range(self.n)
        )

    @cached_property
    def told_near(self) -> list[float]:
        """(n,) of two places one radius apart, or of neighbouring reported cells."""
        if self.by_one:
            return self.one_number
        budgets, carried = self.by_moves
        if self.blind:
            away = self.between_states > 0
            return (budgets * self.radius * self.per_m + (carried[:, away].max(axis=1) if away.any() else 0)).tolist()
        found = self.told_at(self.inside_m)
        assert found is not None
        return found.tolist()

    @cached_property
    def told_of_cells(self) -> list[float]:
        """(n,) of any two cells that are told apart alike."""
        if self.by_one:
            spent = self.counted_budgets
            back, ahead = losses.run(self.sides[0], spent), losses.run(self.sides[1], spent[::-1])[::-1]
            return [b + f - e for b, f, e in zip(back, ahead, spent, strict=True)]
        budgets, carried = self.by_moves
        return (budgets + carried[:, self.between_states > 0].max(axis=1)).tolist()

    @cached_property
    def told_anywhere(self) -> float:
        """Of the two places that are farthest apart of any two cells."""
        budgets, carried = self.by_moves
        squares, side = self.squares
        x, y = (np.abs(np.subtract.outer(each, each)) * side for each in np.array(squares, float).T)
        own = np.hypot(x + side, y + side) / self.radius if self.o.reports is None else self.between_states
        away = ~np.eye(len(squares), dtype=bool)
        return float((budgets[:, None] * own[away] + carried[:, away]).max())

    def told_on_ways(self, metres: float) -> float:
        """Of two paths that are always so far apart: each report by its own, whatever is known of moves."""
        return math.fsum(self.spent) * metres * self.per_m


def times(find: Any) -> Hole:
    """A factor that is never below e^loss."""
    return most(lambda t: math.exp(min(find(t), 700)), slack=1e-7)


PAIRS: Mapping[str, Any] = {
    "square_side": lambda t: t.squares[1],
    "most_near_factor": times(lambda t: max(t.told_near)),
    "most_far_factor": times(lambda t: float(t.told_at(1000.0).max())),
    "most_any_factor": times(lambda t: t.told_anywhere),
    "most_cells_factor": times(lambda t: max(t.told_of_cells)),
    "most_row_factor": times(lambda t: t.told_in_a_row),
    "most_paths_factor": times(lambda t: t.told_on_ways(t.radius)),
    "most_far_paths_factor": times(lambda t: t.told_on_ways(1000)),
    "most_cell_paths_factor": times(lambda t: t.told_on_ways(t.s.place_m)),
    "far_apart": lambda t: 1000.0,
    "near_states": near("near_m"),
    "step_apart": lambda t: t.s.place_m if t.o.reports is not None and not (t.by_one or t.blind) else t.radius,
    "most_apart": most("largest_m"),
}
"""Each number by its name."""


def told(t: Any) -> float:
    return max(t.told_of_cells if t.responds else t.told_near)


PAIRS_WHEN: Mapping[str, Callable[[Any], bool]] = {
    "none are nearer to {step_apart}": lambda t: not math.isnan(t.elsewhere_m),
    "{places}{step_apart} apart": lambda t: math.isnan(t.elsewhere_m),
    "Then{how} {nothing}": lambda t: told(t) > MILLION,
    "at each of them, {drawn_anew}": lambda t: t.w > 1,
    "{text}: {nothing}": lambda t: t.told_in_a_row > MILLION,
}
"""When words are true."""

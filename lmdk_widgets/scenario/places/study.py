"""The charts: every mechanism over a range of privacy levels, and the price of dilation, point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from lmdk_widgets.geoind import Solver, spanner
from lmdk_widgets.scenario.places.mechanisms import Ground
from lmdk_widgets.scenario.places.model import MECHANISMS
from lmdk_widgets.scenario.places.solve import Bench

LEVELS = (1.0, 2.5, 7.0, 4.0, 1.5, 0.7, 0.4, 0.1, 0.2)
"""Privacy levels within the radius at which the curves are computed: the shape first, then what lies between."""

DILATIONS = (1.0, 1.05, 1.1, 1.2, 1.3)
"""Dilations that are always compared, 1 for all pairs; the chosen one is added."""

TOLERANCE = 1e-3
"""The gap of the curves: less than the width of a line."""

MOST_BY_ITSELF = 64
"""Most cells for which the charts are computed without being asked for."""


@dataclass(frozen=True)
class Point:
    """One mechanism at one privacy level: losses and adversary errors in metres, as in `mechanisms.Judged`."""

    mechanism: str
    level: float
    loss_m: float
    error_m: float
    other_loss_m: float
    other_error_m: float


@dataclass(frozen=True)
class Price:
    """What one dilation costs and saves.

    Attributes
    ----------
    dilation, reached : asked for, and reached by the greedy spanner. edges : of the spanner. constraints : inequalities
    of the linear program. seconds : of the solve, cold, on this machine. loss_m : quality loss, metres. gap : proven.
    """

    dilation: float
    reached: float
    edges: int
    constraints: int
    seconds: float
    loss_m: float
    gap: float


def price_of(
    ground: Ground, epsilon_per_m: float, dilation: float, *, tolerance: float = 1e-4
) -> Iterator[Price | None]:
    """Solves once with a spanner of this dilation (1: all pairs), slice by slice; yields None until the last, the price.

    The spanner has two inequalities for each edge and report, all pairs ``n^2 (n - 1)``.

    Examples
    --------
    >>> from lmdk_widgets.scenario.places.evaluate import evaluate, Places
    >>> ground = evaluate(Places(rows=3, columns=3, prior="uniform")).ground
    >>> *_, price = price_of(ground, 0.001, 1.1)
    >>> price.edges, price.constraints, round(price.reached, 4)
    (20, 360, 1.0797)
    """
    n = len(ground)
    begun = perf_counter()
    solver = Solver(ground.distances_m, dilation=dilation, divide_by_reached=True)
    edges = n * (n - 1) // 2 if dilation == 1 else len(spanner(ground.distances_m, dilation).edges)
    seconds = perf_counter() - begun
    yield None
    steps = solver.improve(ground.prior, epsilon_per_m, tolerance=tolerance)
    while True:
        begun = perf_counter()
        state = next(steps)
        seconds += perf_counter() - begun
        if state.finished:
            break
        yield None
    channel = state.channel
    yield Price(dilation, solver.dilation, edges, 2 * n * edges, seconds, channel.quality_loss, channel.gap)


class Study:
    """The curves and prices of one ground, filled by `work`; what was computed stays when the work is interrupted.

    Parameters
    ----------
    ground : distances and priors. radius_m : a level l means l / radius_m per metre. dilation : of the spanner's curve, and
    compared with `DILATIONS`.
    level : at which the dilations are compared.
    """

    def __init__(self, ground: Ground, radius_m: float, dilation: float, level: float) -> None:
        self.ground, self.radius_m, self.dilation, self.level = ground, radius_m, dilation, level
        self.dilations = sorted({*DILATIONS, dilation})
        self.points: list[Point] = []
        self.prices: list[Price] = []
        self.begun = self.finished = False

    def fits(self, ground: Ground, radius_m: float, dilation: float) -> bool:
        """Whether its curves are those of these priors and this privacy."""
        same = self.ground.key == ground.key and np.array_equal(self.ground.other, ground.other)
        return same and (self.radius_m, self.dilation) == (radius_m, dilation)

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        done = len(self.points) + 2 * len(self.prices)
        return done / (len(LEVELS) * len(MECHANISMS) + 2 * len(self.dilations))

    def work(self) -> Iterator[bool]:
        """Does a little and yields whether there is something new to draw."""
        self.begun = True
        bench = Bench(TOLERANCE)
        for number, level in enumerate(LEVELS):
            yield from self._level(bench, level)
            if number == 2:
                yield from self._prices()
        self.finished = True
        yield True

    def _level(self, bench: Bench, level: float) -> Iterator[bool]:
        for mechanism in ("planar", "remapped", "spanner", "optimal", "private"):
            for step in bench.pictures(mechanism, self.ground, level / self.radius_m, self.dilation):
                judged = step.judged
                done = step.finished and step.mechanism == mechanism and judged is not None
                if done and judged is not None:
                    losses = judged.loss_m, judged.error_m, judged.other_loss_m, judged.other_error_m
                    self.points.append(Point(mechanism, level, *losses))
                yield done

    def _prices(self) -> Iterator[bool]:
        for dilation in reversed(self.dilations):
            for price in price_of(self.ground, self.level / self.radius_m, dilation):
                if price is not None:
                    self.prices.insert(0, price)
                yield price is not None

"""The charts: every mechanism over a range of privacy levels, and the cost of dilation, point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from lmdk_widgets.geoind import Solver, spanner
from lmdk_widgets.geoind.private import MOST_PLACES
from lmdk_widgets.scenario.places.mechanisms import Instance
from lmdk_widgets.scenario.places.solve import Solvers

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
    """One mechanism at one privacy level: losses and adversary errors in metres, as in `mechanisms.Assessment`."""

    mechanism: str
    level: float
    loss_m: float
    error_m: float
    other_loss_m: float
    other_error_m: float


@dataclass(frozen=True)
class DilationCost:
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


def dilation_cost(
    instance: Instance, epsilon_per_m: float, dilation: float, *, tolerance: float = 1e-4
) -> Iterator[DilationCost | None]:
    """Solves once with a spanner of this dilation (1: all pairs), slice by slice; yields None until the last, the cost.

    The spanner has two inequalities for each edge and report, all pairs ``n^2 (n - 1)``.

    Examples
    --------
    >>> from lmdk_widgets.scenario.places.evaluate import evaluate, Places
    >>> instance = evaluate(Places(rows=3, columns=3, prior="uniform")).instance
    >>> *_, cost = dilation_cost(instance, 0.001, 1.1)
    >>> cost.edges, cost.constraints, round(cost.reached, 4)
    (20, 360, 1.0797)
    """
    n = len(instance)
    begun = perf_counter()
    solver = Solver(instance.distances_m, dilation=dilation, divide_by_reached=True)
    edges = n * (n - 1) // 2 if dilation == 1 else len(spanner(instance.distances_m, dilation).edges)
    seconds = perf_counter() - begun
    yield None
    steps = solver.improve(instance.prior, epsilon_per_m, tolerance=tolerance)
    while True:
        begun = perf_counter()
        state = next(steps)
        seconds += perf_counter() - begun
        if state.finished:
            break
        yield None
    channel = state.channel
    yield DilationCost(dilation, solver.dilation, edges, 2 * n * edges, seconds, channel.quality_loss, channel.gap)


@dataclass(frozen=True, eq=False)
class Charts:
    """The curves and costs of one problem, as far as they are computed.

    Attributes
    ----------
    instance : distances and priors. radius_m : a level l means l / radius_m per metre. dilation : of the spanner's curve, and
    compared with `DILATIONS`. level : at which the dilations are compared. points, costs : computed so far. begun : whether
    anything was.
    """

    instance: Instance
    radius_m: float
    dilation: float
    level: float
    points: tuple[Point, ...] = ()
    costs: tuple[DilationCost, ...] = ()
    begun: bool = False

    def fits(self, instance: Instance, radius_m: float, dilation: float) -> bool:
        """Whether these are the curves of these priors and this privacy."""
        same = self.instance.key == instance.key and np.array_equal(self.instance.other, instance.other)
        return same and (self.radius_m, self.dilation) == (radius_m, dilation)

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """Those that have a curve; for OptPriv the programme of many cells is too large."""
        last = ("private",) if len(self.instance) <= MOST_PLACES else ()
        return ("planar", "remapped", "spanner", "optimal", *last)

    @property
    def dilations(self) -> list[float]:
        """The dilations that are compared."""
        return sorted({*DILATIONS, self.dilation})

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        done = len(self.points) + 2 * len(self.costs)
        return done / (len(LEVELS) * len(self.mechanisms) + 2 * len(self.dilations))

    @property
    def finished(self) -> bool:
        """Whether everything is computed."""
        return self.share >= 1


def complete(charts: Charts) -> Iterator[Charts]:
    """The charts with one more point or cost each time, until they are finished; yields them unchanged between.

    Examples
    --------
    >>> from lmdk_widgets.scenario.places.evaluate import evaluate, Places
    >>> instance = evaluate(Places(rows=2, columns=2, prior="uniform")).instance
    >>> *_, last = complete(Charts(instance, 1000.0, 1.1, 1.0))
    >>> last.finished, len(last.points), len(last.costs)
    (True, 45, 5)
    """
    charts = replace(charts, begun=True)
    solvers = Solvers(TOLERANCE)
    for number, level in enumerate(LEVELS):
        for mechanism in charts.mechanisms:
            for point in _point(solvers, charts, mechanism, level):
                if point is not None:
                    charts = replace(charts, points=(*charts.points, point))
                yield charts
        missing = set(charts.dilations) - {cost.dilation for cost in charts.costs} if number == 2 else set()
        for dilation in sorted(missing, reverse=True):
            for cost in dilation_cost(charts.instance, charts.level / charts.radius_m, dilation):
                if cost is not None:
                    charts = replace(charts, costs=(cost, *charts.costs))
                yield charts


def _point(solvers: Solvers, charts: Charts, mechanism: str, level: float) -> Iterator[Point | None]:
    """One point of a curve, slice by slice; nothing when it is there already."""
    if any((point.mechanism, point.level) == (mechanism, level) for point in charts.points):
        return
    for step in solvers.incumbents(mechanism, charts.instance, level / charts.radius_m, charts.dilation):
        a = step.assessed
        if a is not None and step.finished and step.mechanism == mechanism:
            yield Point(mechanism, level, a.loss_m, a.error_m, a.other_loss_m, a.other_error_m)
        else:
            yield None

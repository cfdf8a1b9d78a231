"""The curves: every mechanism over a range of privacy levels, point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.mechanisms import Instance
from lmdk_widgets.geoind.private import can_solve
from lmdk_widgets.geoind.solvers import Solvers

LEVELS = (1.0, 2.5, 7.0, 4.0, 1.5, 0.7, 0.4, 0.1, 0.2)
"""Privacy levels within the radius at which the curves are computed: the shape first, then the points in between."""

TOLERANCE = 1e-3
"""The gap of the curves: less than the width of a line."""

MOST_BY_ITSELF = 64
"""The most cells for which the charts are computed without being requested."""


@dataclass(frozen=True)
class Point:
    """One mechanism at one privacy level: losses and adversary errors in metres, as in `mechanisms.Assessment`."""

    mechanism: str
    level: float
    loss_m: float
    error_m: float
    other_loss_m: float
    other_error_m: float


@dataclass(frozen=True, eq=False)
class Charts:
    """The curves of one problem, as far as they are computed.

    Attributes
    ----------
    instance : distances and priors. radius_m : a level l means l / radius_m per metre. dilation : of the spanner's curve.
    points : computed so far. begun : whether the work has begun. without : mechanisms and levels that cannot be computed
    here. reason : why the first of them cannot, a sentence; "" if all can.
    """

    instance: Instance
    radius_m: float
    dilation: float
    points: tuple[Point, ...] = ()
    begun: bool = False
    without: tuple[tuple[str, float], ...] = ()
    reason: str = ""

    def fits(self, instance: Instance, radius_m: float, dilation: float) -> bool:
        """Whether these are the curves of these priors and this privacy."""
        same = self.instance.key == instance.key and np.array_equal(self.instance.other, instance.other)
        return same and (self.radius_m, self.dilation) == (radius_m, dilation)

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms that have a curve; with many cells, OptPriv's programme is too large."""
        last = ("private",) if can_solve(len(self.instance)) else ()
        return ("planar", "remapped", "spanner", "optimal", *last)

    @property
    def share(self) -> float:
        """The share of the work that is done, 0 to 1."""
        return (len(self.points) + len(self.without)) / (len(LEVELS) * len(self.mechanisms))

    @property
    def finished(self) -> bool:
        """Whether everything is computed."""
        return self.share >= 1


def complete(charts: Charts) -> Iterator[Charts]:
    """The charts with one more point each time, until they are finished; yields them unchanged in between.

    Examples
    --------
    >>> from lmdk_widgets.pages.place.evaluate import evaluate, PlaceChoices
    >>> instance = evaluate(PlaceChoices(rows=2, columns=2, prior="uniform")).instance
    >>> *_, last = complete(Charts(instance, 1000.0, 1.1))
    >>> last.finished, len(last.points)
    (True, 45)
    """
    charts = replace(charts, begun=True)
    solvers = Solvers(TOLERANCE)
    for level in LEVELS:
        for mechanism in charts.mechanisms:
            try:
                for point in _point(solvers, charts, mechanism, level):
                    if point is not None:
                        charts = replace(charts, points=(*charts.points, point))
                    yield charts
            except InputError as error:  # the other points are still computed
                without, reason = (*charts.without, (mechanism, level)), charts.reason or error.sentence
                charts = replace(charts, without=without, reason=reason)
                yield charts


def _point(solvers: Solvers, charts: Charts, mechanism: str, level: float) -> Iterator[Point | None]:
    """One point of a curve, slice by slice; nothing if it exists already."""
    if (mechanism, level) in (*((point.mechanism, point.level) for point in charts.points), *charts.without):
        return
    for step in solvers.incumbents(mechanism, charts.instance, level / charts.radius_m, charts.dilation):
        a = step.assessed
        if a is not None and step.finished and step.mechanism == mechanism:
            yield Point(mechanism, level, a.loss_m, a.error_m, a.other_loss_m, a.other_error_m)
        else:
            yield None

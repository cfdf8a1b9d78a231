"""One solve of `Solver`: what is asked, where it stands, and what it leaves to the next."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.generation import Generation, stiffness
from lmdk_widgets.geoind.machine.machine import Machine
from lmdk_widgets.geoind.master import mix
from lmdk_widgets.geoind.simplex import Optimum
from lmdk_widgets.geoind.spanner import spanner
from lmdk_widgets.geoind.symmetry import Symmetry
from lmdk_widgets.geoind.trees import Forest

_NEAR = 0.1
"""Stiffness around the prices of the slider's position before."""


@dataclass(frozen=True, eq=False)
class Progress:
    """Where a solve stands.

    Attributes
    ----------
    round : rounds of column generation so far, 0 where simplex moves did without. seconds : since the solve began.
    gap : the proven gap of `channel`, as a share of the loss of the best constant report. estimate : the gap that the
    model expects to close still. channel : the last good picture, certified; replaced by a better one at 1e-2, 1e-3,
    1e-5, ... and at the end.
    """

    round: int
    seconds: float
    gap: float
    estimate: float
    channel: Channel
    finished: bool = False


@dataclass(frozen=True, eq=False)
class Task:
    """One solve: cost (k, n) from k distinct places to n reports, and the loss of the best constant report."""

    prior: Floats
    epsilon: float
    cost: Floats
    scale: float
    symmetry: Symmetry

    @property
    def least(self) -> float:
        """What no mechanism can go below, whatever its privacy; with one place, the best constant report."""
        return float(self.cost.sum(axis=0).min() if len(self.cost) == 1 else self.cost.min(axis=1).sum())


@dataclass(frozen=True, eq=False)
class Known:
    """What one solve leaves to the next: rays and trees, which hold for any prior; for its cost prices, useful reports
    and, where the simplex method came to an end, the basis."""

    epsilon: float
    heights: Floats
    forest: Forest
    cost: Floats
    prices: Floats
    useful: NDArray[np.bool_]
    basis: Basis | Machine | None

    def continues(self, epsilon: float, cost: Floats) -> bool:
        """Whether a solve is for the same cost, and an epsilon near the one of then."""
        return 0.5 < epsilon / self.epsilon < 2 and np.array_equal(self.cost, cost)


def forest_at(lengths: Floats, group: NDArray[np.intp], known: Known | None, epsilon: float) -> Forest:
    """Trees at this epsilon, those of the last solve where there was one."""
    forest = Forest(epsilon * lengths, group)
    if known is not None:
        forest.parent, forest.sign = known.forest.parent.copy(), known.forest.sign.copy()
        forest.height = known.forest.height * (epsilon / known.epsilon)
    return forest


def near(known: Known, heights: Floats, forest: Forest, symmetry: Symmetry) -> Generation:
    """From rays at this epsilon, among them those of the slider's position before, and prices near those of then."""
    columns = np.exp(heights.T)
    stiff = stiffness(known.prices, symmetry.sizes, _NEAR)
    cheapest = (known.cost @ columns).min(axis=0)
    mixture = mix(symmetry.fold(columns), cheapest, 1e-4, symmetry.sizes, known.prices, stiff)
    run = Generation(known.cost, forest, symmetry, heights, mixture.prices, known.useful, _NEAR, fresh=False)
    run.last = mixture.weights
    return run


def restated(picture: Channel, bound: float, scale: float) -> Channel:
    """The same matrix with the gap to a bound that has risen since."""
    bound = max(bound, picture.bound)
    return replace(picture, bound=bound, gap=max(0.0, picture.quality_loss - bound) / scale)


def constraint_lengths(apart: Floats, dilation: float, divide_by_reached: bool) -> tuple[Floats, float]:
    """d, divided by the dilation, on the pairs that get a constraint, infinite elsewhere; and the dilation reached."""
    if dilation == 1:
        return apart, 1.0
    graph = spanner(apart, dilation)
    lengths = np.full_like(apart, np.inf)
    np.fill_diagonal(lengths, 0.0)
    first, second = graph.edges.T
    divisor = graph.dilation if divide_by_reached else dilation
    lengths[first, second] = lengths[second, first] = apart[first, second] / divisor
    return lengths, graph.dilation


def exhausted(steps: Generator[object, None, Optimum]) -> Optimum:
    """What a generator returns, without what it yields."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            found: Optimum = ended.value
            return found

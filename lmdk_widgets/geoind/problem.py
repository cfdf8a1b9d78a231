"""What is asked of `Solver`, and where a solve stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.spanner import spanner
from lmdk_widgets.geoind.symmetry import Symmetry


@dataclass(frozen=True, eq=False)
class Progress:
    """Where a solve stands.

    Attributes
    ----------
    seconds : since the solve began. gap : the proven gap of `channel`, as a share of the loss of the best constant report.
    channel : the incumbent, certified. finished : whether this is the end. notice : which solver answers, where it is not
    the fast one.
    """

    seconds: float
    gap: float
    channel: Channel
    finished: bool = False
    notice: str = ""


@dataclass(frozen=True, eq=False)
class Problem:
    """Cost (k, n) from k distinct places to n reports, and the loss of the best constant report, `scale`."""

    prior: Floats
    epsilon: float
    cost: Floats
    scale: float
    symmetry: Symmetry

    @property
    def least(self) -> float:
        """What no mechanism can go below, whatever its privacy; with one place, the best constant report."""
        return float(self.cost.sum(axis=0).min() if len(self.cost) == 1 else self.cost.min(axis=1).sum())


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


def groups(distances: Floats) -> NDArray[np.intp]:
    """A number for each place, the same for places joined by distances of 0."""
    number = np.arange(len(distances))
    while True:
        lowest = np.where(distances == 0, number, len(number)).min(axis=1)
        if (lowest == number).all():
            return number
        number = lowest

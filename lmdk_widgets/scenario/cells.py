"""A track released through a channel over cells, instead of noise around the true places.

The budgets and the timestamps that are measured come from the scheme, as for planar Laplace; a measured timestamp
reports a cell, drawn from the row of the true cell in a channel that is private at that budget.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.budgets.sources import repeated
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.geoind import Channel
from lmdk_widgets.geoind.mechanisms import Instance
from lmdk_widgets.geoind.solvers import Solvers
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.scenario.ground import mean_known
from lmdk_widgets.scenario.model import MECHANISMS, Scenario
from lmdk_widgets.scenario.reportable_cells import reported_cells
from lmdk_widgets.trajectory.model import Trajectory

TOLERANCE = 1e-3
"""The gap of the channels: a thousandth of the loss of the best constant report."""

DILATION = 1.1
"""The spanner's dilation, as in the comparison of Bordenabe et al. (CCS 2014)."""

MOST_BUDGETS = 8
"""Most different budgets in a release: each needs its own channel."""

REMEDY = "Choose planar Laplace, or another scheme"


@dataclass(frozen=True, eq=False)
class CellReports:
    """A release of n timestamps as cells.

    Attributes
    ----------
    outputs : (n, 2) metres, centres of the reported cells; NaN where there is no release yet.
    expected_m : (n,) expected distance of a measured timestamp's report from the truth, metres; NaN elsewhere.
    planar_m : (n,) the same for planar Laplace at the same budgets.
    radius95_m : (n,) metres around the truth that contain 95 % of a measured timestamp's reports; NaN elsewhere.
    area : the cells. channels : by the budget that each serves; none for randomised response.
    chances : (n,) chance that a measured timestamp reports its true cell, under randomised response; otherwise None.
    stretch : the factor by which the frame of the cells stretches lengths at the farthest of them, and of the timestamps.
    """

    outputs: Floats
    expected_m: Floats
    planar_m: Floats
    radius95_m: Floats
    area: Area
    channels: dict[float, Channel]
    stretch: float
    chances: Floats | None = None

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.area)

    @property
    def cell_m(self) -> float:
        """The side of a cell, metres."""
        return self.area.cell_m

    @property
    def beside_planar(self) -> bool:
        """Whether planar Laplace at the same budgets promises the same; randomised response ignores distances."""
        return self.chances is None

    @property
    def mean_expected_m(self) -> float:
        """Mean of `expected_m` over the measured timestamps, metres; NaN when there are none."""
        return mean_known(self.expected_m)

    @property
    def saving_m(self) -> float:
        """Metres by which planar Laplace is expected to be farther from the truth at the measured timestamps."""
        return mean_known(self.planar_m) - self.mean_expected_m


class Reporter:
    """Reports cells at the budgets of a release.

    Raises
    ------
    InputError : a scheme that sets budgets as it releases, more than 49 cells or fewer than 2, too many budgets.

    Notes
    -----
    Guarantee: a report with budget b is (b / r)-geo-indistinguishable on the cells' centres, certified over all pairs
    (`Channel.epsilon`). Places in one cell are not told apart; one outside the region counts as its nearest point,
    which makes no distance larger. The cells and the prior are assumed to be public: those of the region are, those of
    the track come from it.
    """

    def __init__(self, scenario: Scenario, trajectory: Trajectory, released: Release) -> None:
        check_scheme(scenario)
        self.trajectory, self.released, self.radius_m = trajectory, released, scenario.radius_m
        self.known = reported_cells(scenario, trajectory)
        self.when = np.flatnonzero(released.published)
        levels, self.level = _levels(released.budgets[self.when])
        per_m = [level / scenario.radius_m for level in levels]
        instance = _instance(self.known.area, self.known.prior.tobytes())
        found = [_channel(instance, scenario.mechanism, each) for each in per_m]
        self.channels = dict(zip(levels, found, strict=True))
        self._rows = [np.cumsum(channel.matrix, axis=1) for channel in found]

    def outputs(self, rng: np.random.Generator) -> Floats:
        """One release, (n, 2) metres; a timestamp's random number depends only on the generator."""
        n = len(self.trajectory)
        draws, cell = rng.random(n)[self.when], self.known.cell[self.when]
        reported = np.zeros(len(self.when), np.int64)
        for k, rows in enumerate(self._rows):
            here = self.level == k
            table = rows[cell[here]]
            reported[here] = (table <= draws[here, None] * table[:, -1:]).sum(axis=1)
        return np.asarray(repeated(self.known.centres_m[reported], self.when, n, None), float)

    def reports(self, rng: np.random.Generator) -> CellReports:
        """One release, with its expected errors."""
        n = len(self.trajectory)
        expected, planar, radius = (np.full(n, np.nan) for _ in range(3))
        expected[self.when], radius[self.when] = self._expected()
        planar[self.when] = 2 * self.radius_m / self.released.budgets[self.when]
        said = self.known.area, self.channels, self.known.stretch
        return CellReports(self.outputs(rng), expected, planar, radius, *said)

    def mean_displacement(self, epsilon: float) -> float:
        """The expected error of planar Laplace with this budget, metres, to compare the reports with."""
        return PlanarLaplace(self.radius_m).mean_displacement(epsilon)

    def _expected(self) -> tuple[Floats, Floats]:
        """Expected distance and 95 % radius of the reports of each measured timestamp; cell by cell, to save memory."""
        points, cell = self.trajectory.points_m[self.when], self.known.cell[self.when]
        mean, radius = np.empty(len(points)), np.empty(len(points))
        for k, channel in enumerate(self.channels.values()):
            for c in np.unique(cell[self.level == k]):
                at = np.flatnonzero((cell == c) & (self.level == k))
                apart = np.hypot(*np.moveaxis(points[at, None] - self.known.centres_m, -1, 0))
                mean[at] = apart @ channel.matrix[c]
                order = np.argsort(apart, axis=1)
                within = np.cumsum(channel.matrix[c][order], axis=1) >= 0.95 * (1 - 1e-12)
                nearest = np.take_along_axis(order, within.argmax(axis=1)[:, None], axis=1)
                radius[at] = np.take_along_axis(apart, nearest, axis=1)[:, 0]
        return mean, radius


def check_scheme(scenario: Scenario) -> None:
    """Refuses a scheme whose budgets are not known before the release."""
    if scenario.spread.online:
        what = "The mechanism must be planar Laplace for a scheme that sets its budgets as it releases"
        raise InputError(what, value=MECHANISMS[scenario.mechanism].partition(":")[0], remedy=REMEDY)


@cached("visitor", entries=8)
def _instance(area: Area, prior: bytes) -> Instance:
    """What a mechanism is made for: the same for all tracks with these cells and this prior."""
    known = np.frombuffer(prior)
    return Instance(area.points_m, area.distances_m, known, known)


@cached("visitor", entries=32, what="the mechanism of some cells")
def _channel(instance: Instance, mechanism: str, epsilon_per_m: float) -> Channel:
    """Solved from scratch, so it depends only on its arguments: a link gives the same release again."""
    return Solvers(TOLERANCE).best(mechanism, instance, epsilon_per_m, DILATION).channel


def _levels(budgets: Floats) -> tuple[list[float], NDArray[np.intp]]:
    """The different budgets, each with all that exceed it only by rounding, and the index of each timestamp's
    budget."""
    values, which = np.unique(budgets, return_inverse=True)
    first = np.append(True, values[1:] > values[:-1] * (1 + 1e-9)) if len(values) else np.zeros(0, bool)
    levels = values[first].tolist()
    if len(levels) > MOST_BUDGETS:
        what = f"at most {MOST_BUDGETS} different budgets, as each needs its own channel"
        raise InputError(f"A release of cells must have {what}", value=len(levels), remedy=REMEDY)
    return levels, (np.cumsum(first) - 1)[which]

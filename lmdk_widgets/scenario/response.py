"""A track released by randomised response on cells: the true cell, or by chance any other one, all equally likely.

The budgets and the timestamps that are measured come from the scheme, as for every mechanism. All expectations have a
closed form, so neither many budgets nor many cells cost more than computing the distances once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lmdk_widgets.budgets import Release
from lmdk_widgets.budgets.sources import repeated
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind import Channel
from lmdk_widgets.noise.response import response_chances
from lmdk_widgets.scenario.cells import CellReports, check_scheme
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.reportable_cells import ReportedCells, reported_cells
from lmdk_widgets.trajectory.model import Trajectory

_AT_ONCE = 200_000


class Responder:
    """Answers with a cell at the budgets of a release.

    Raises
    ------
    InputError : a scheme that sets budgets as it releases, or too many cells, or fewer than 2.

    Notes
    -----
    Guarantee: a report with budget b is b-differentially private over the cells: any two of them, however far apart,
    give it with chances within a factor of e^b. Places in one cell are not told apart. The cells are assumed to be
    public: those of the region are; a grid over the track depends on how far it reaches. Kairouz, Oh, Viswanath,
    "Extremal mechanisms for local differential privacy", NIPS 2014: m-ary randomised response.
    """

    def __init__(self, scenario: Scenario, trajectory: Trajectory, released: Release) -> None:
        check_scheme(scenario)
        self.trajectory, self.released = trajectory, released
        self.known = reported_cells(scenario, trajectory)
        self.area = self.known.area
        self.when = np.flatnonzero(released.published)
        self.truth = self.known.cell[self.when]
        self.keep, self.other, self.honesty = self._chances(released.budgets[self.when])

    def _chances(self, budgets: Floats) -> tuple[Floats, Floats, Floats]:
        return response_chances(len(self.area), budgets)

    def outputs(self, rng: np.random.Generator) -> Floats:
        """One release, (n, 2) metres; a timestamp's random numbers depend only on the generator.

        With the chance `honesty` the truth, otherwise any of the m cells with equal chance, including the true one.
        """
        n, m = len(self.trajectory), len(self.area)
        draws, anywhere = rng.random(n)[self.when], rng.integers(m, size=n)[self.when]
        reported = np.where(draws < self.honesty, self.truth, anywhere)
        return np.asarray(repeated(self.known.centres_m[reported], self.when, n, None), float)

    def reports(self, rng: np.random.Generator) -> CellReports:
        """One release, with its expected errors."""
        n = len(self.trajectory)
        expected, planar, radius, chances = (np.full(n, np.nan) for _ in range(4))
        own, total = (sums[self.when] for sums in _sums(self.known, self.trajectory))
        expected[self.when] = self.keep * own + self.other * (total - own)
        radius[self.when] = self._radius95_m()
        chances[self.when] = self.keep
        of_cells = expected, planar, radius, self.area, dict[float, Channel](), self.known.stretch
        return CellReports(self.outputs(rng), *of_cells, chances=chances)

    def mean_displacement(self, epsilon: float) -> float:
        """The expected distance of a report with this budget from the truth, metres, over all timestamps."""
        keep, other, _ = self._chances(np.array(epsilon))
        own, total = _sums(self.known, self.trajectory)
        return float((keep * own + other * (total - own)).mean())

    def _radius95_m(self) -> Floats:
        """Metres within which 95 % of the reports of each measured timestamp lie.

        The true cell is the nearest one, even for a place that was moved into the region, so the number of cells needed
        follows from the budget alone.
        """
        with np.errstate(divide="ignore"):
            more = np.ceil((0.95 * (1 - 1e-12) - self.keep) / self.other)
        needed = np.clip(more, 0, len(self.area) - 1).astype(np.int64)
        found = np.empty(len(self.when))
        for rows, apart in _distances(self.trajectory.points_m[self.when], self.known.centres_m):
            which = needed[rows]
            apart.partition(np.unique(which), axis=1)
            found[rows] = np.take_along_axis(apart, which[:, None], axis=1)[:, 0]
        return found


@cached("visitor", entries=4)
def _sums(known: ReportedCells, trajectory: Trajectory) -> tuple[Floats, Floats]:
    """The distance of each timestamp from the centre of its own cell, and the sum of those from all centres, metres."""
    own = np.hypot(*(trajectory.points_m - known.centres_m[known.cell]).T)
    total = np.empty(len(trajectory))
    for rows, apart in _distances(trajectory.points_m, known.centres_m):
        total[rows] = apart.sum(axis=1)
    return own, total


def _distances(points_m: Floats, centres_m: Floats) -> Iterator[tuple[slice, Floats]]:
    """(k, m) from some points to all centres, metres, as many points at a time as fit in the processor's cache."""
    rows = max(1, _AT_ONCE // len(centres_m))
    for first in range(0, len(points_m), rows):
        some = slice(first, first + rows)
        east, north = (np.subtract.outer(points_m[some, k], centres_m[:, k]) for k in (0, 1))
        yield some, np.hypot(east, north)

"""A track released by randomised response on cells: the true cell of a grid, or by chance any other one alike.

The budgets and the timestamps that are measured come from the scheme, as for every mechanism. All that is expected has a
closed form, so that neither the number of budgets nor that of cells costs more than looking at the distances once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from lmdk_widgets.budgets import Release
from lmdk_widgets.budgets.sources import repeated
from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise.response import response_chances
from lmdk_widgets.pages.places import Area
from lmdk_widgets.scenario.cells import CellReports, check_scheme
from lmdk_widgets.scenario.grid import grid_cells, grid_of
from lmdk_widgets.scenario.model import MOST_CELLS, Scenario
from lmdk_widgets.trajectory.model import Trajectory

MOST_NUMBERS = 4_000_000
"""Timestamps times cells: their distances are looked at within a fifth of a second."""

FEW_CELLS = 20
"""So many cells the longest track may have all the same."""

_AT_ONCE = 200_000


class Responder:
    """Answers with the cell of a grid at the budgets of a release.

    Raises
    ------
    InputError : a scheme that sets budgets while it releases, or a grid of too many cells or fewer than 2.

    Notes
    -----
    Guarantee: a report with budget b is b-differentially private over the cells: any two of them, however far apart, lead to
    it with chances within a factor of e^b. Places in one cell are not told apart. The grid is taken as known to everybody;
    it depends on how far the track reaches, and on nothing else of it. Kairouz, Oh, Viswanath, "Extremal mechanisms for
    local differential privacy", NIPS 2014: m-ary randomised response.
    """

    def __init__(self, scenario: Scenario, trajectory: Trajectory, released: Release) -> None:
        check_scheme(scenario)
        self.trajectory, self.released = trajectory, released
        self.area = _grid(trajectory, scenario.place_m)
        self.when = np.flatnonzero(released.published)
        self.truth = self.area.cell_of(trajectory.points_m)[self.when]
        self.keep, self.other, self.honesty = self._chances(released.budgets[self.when])

    def _chances(self, budgets: Floats) -> tuple[Floats, Floats, Floats]:
        return response_chances(len(self.area), budgets)

    def outputs(self, rng: np.random.Generator) -> Floats:
        """One release, (n, 2) metres; the random numbers of a timestamp depend on the generator alone.

        With the chance `honesty` the truth, else any of the m cells alike, the true one among them.
        """
        n, m = len(self.trajectory), len(self.area)
        draws, anywhere = rng.random(n)[self.when], rng.integers(m, size=n)[self.when]
        reported = np.where(draws < self.honesty, self.truth, anywhere)
        return np.asarray(repeated(self.area.points_m[reported], self.when, n, None), float)

    def reports(self, rng: np.random.Generator) -> CellReports:
        """One release with what is expected of it."""
        n = len(self.trajectory)
        expected, planar, radius, chances = (np.full(n, np.nan) for _ in range(4))
        own, total = (sums[self.when] for sums in _sums(self.trajectory, self.area.cell_m))
        expected[self.when] = self.keep * own + self.other * (total - own)
        radius[self.when] = self._radius95_m()
        chances[self.when] = self.keep
        return CellReports(
            self.outputs(rng), expected, planar, radius, len(self.area), self.area.cell_m, {}, chances=chances
        )

    def mean_displacement(self, epsilon: float) -> float:
        """The expected distance of a report with this budget from the truth, metres, over all timestamps."""
        keep, other, _ = self._chances(np.array(epsilon))
        own, total = _sums(self.trajectory, self.area.cell_m)
        return float((keep * own + other * (total - own)).mean())

    def _radius95_m(self) -> Floats:
        """Metres within which 95 % of the reports of each measured timestamp lie.

        The true cell is the nearest one, so that how many cells are needed follows from the budget alone.
        """
        with np.errstate(divide="ignore"):
            more = np.ceil((0.95 * (1 - 1e-12) - self.keep) / self.other)
        needed = np.clip(more, 0, len(self.area) - 1).astype(np.int64)
        found = np.empty(len(self.when))
        for rows, apart in _distances(self.trajectory.points_m[self.when], self.area):
            which = needed[rows]
            apart.partition(np.unique(which), axis=1)
            found[rows] = np.take_along_axis(apart, which[:, None], axis=1)[:, 0]
        return found


def most_cells(n: int) -> int:
    """How many cells the grid of a track of n timestamps may have.

    Examples
    --------
    >>> most_cells(288), most_cells(20_000), most_cells(1_000_000)
    (400, 200, 20)
    """
    return min(MOST_CELLS, max(MOST_NUMBERS // n, FEW_CELLS))


def fits(trajectory: Trajectory, place_m: float) -> int:
    """How cells of this side suit a track: 0 fine, 1 too many of them, -1 too few."""
    cells = grid_cells(trajectory, place_m)
    return (cells > most_cells(len(trajectory))) - (cells < 2)


def _grid(trajectory: Trajectory, place_m: float) -> Area:
    misfit, cells = fits(trajectory, place_m), grid_cells(trajectory, place_m)
    if misfit:
        raise InputError(
            f"The grid over the track must have between 2 and {most_cells(len(trajectory))} cells",
            value=f"{cells:,} cell{'' if cells == 1 else 's'} of {written(place_m)} m",
            remedy="Choose larger places" if misfit > 0 else "Choose smaller places",
        )
    return grid_of(trajectory, place_m)


@lru_cache(maxsize=4)
def _sums(trajectory: Trajectory, place_m: float) -> tuple[Floats, Floats]:
    """The distance of each timestamp from the centre of its own cell, and the sum of those from all centres, metres."""
    area = grid_of(trajectory, place_m)
    own = np.hypot(*(trajectory.points_m - area.points_m[area.cell_of(trajectory.points_m)]).T)
    total = np.empty(len(trajectory))
    for rows, apart in _distances(trajectory.points_m, area):
        total[rows] = apart.sum(axis=1)
    return own, total


def _distances(points_m: Floats, area: Area) -> Iterator[tuple[slice, Floats]]:
    """(k, m) from some points to all centres, metres, as many points at a time as stay near the processor."""
    rows = max(1, _AT_ONCE // len(area))
    for first in range(0, len(points_m), rows):
        some = slice(first, first + rows)
        east, north = (np.subtract.outer(points_m[some, k], area.points_m[:, k]) for k in (0, 1))
        yield some, np.hypot(east, north)

"""The cells that a mechanism can report: those of a fixed grid in the public region or, if chosen, the track's own.

Cells of the region depend only on the region and their size: two tracks in one region have the same cells, and moving a
timestamp changes none of them. Cells of the track come from the data that they protect, and a warning says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats, Region
from lmdk_widgets.geoind.cells import track_area
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.grid import SIDES, cells_of, grid_cells, grid_of
from lmdk_widgets.scenario.model import MOST_CELLS, PLACE_RANGE_M, Scenario
from lmdk_widgets.scenario.people import people_prior
from lmdk_widgets.scenario.region import points_inside, region_of
from lmdk_widgets.trajectory.model import Trajectory

MAX_CELLS = 49
"""Most cells of a channel: it is found within half a second."""

MOST_NUMBERS = 4_000_000
"""The most timestamps times cells: their distances are processed within a fifth of a second."""

FEW_CELLS = 20
"""The most cells that even the longest track may have."""

ROUND_SIDES_M = tuple(
    side
    for side in (digit * 10.0**power for power in range(1, 7) for digit in SIDES)
    if PLACE_RANGE_M[0] <= side <= PLACE_RANGE_M[1]
)


@dataclass(frozen=True, eq=False)
class ReportedCells:
    """The m cells that can be reported on a track of n timestamps.

    Attributes
    ----------
    area : the cells, in their own frame. prior : (m,) what a mechanism is made for.
    cell : (n,) the cell of each timestamp; outside the region, that of the region's nearest point.
    centres_m : (m, 2) centres of the cells, metres in the frame of the track.
    stretch : the factor by which the frame of the cells stretches lengths at the farthest cell or timestamp.
    """

    area: Area
    prior: Floats
    cell: NDArray[np.int64]
    centres_m: Floats
    stretch: float


def reported_area(scenario: Scenario, trajectory: Trajectory) -> Area:
    """The cells that can be reported; the same object for equal settings.

    Raises
    ------
    InputError : too many cells, or fewer than 2; it names a size that fits.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> reported_area(Scenario(mechanism="optimal"), sample("bob"))
    Area(35 cells of 4000 m)
    """
    if misfit(scenario, trajectory):
        cells, most = cell_count(scenario, trajectory), _most(scenario, trajectory)
        fits = fitting_place_m(scenario, trajectory)
        size = "larger" if cells > most else "smaller"
        remedy: str = f"Choose {size} places"
        if fits is not None:
            remedy = sentence("{remedy}, of {fitting_side} m", remedy=remedy, fitting_side=written(fits))
        noun, side = "cell" if cells == 1 else "cells", written(scenario.place_m)
        value = sentence("{cells} {noun} of {cell_side} m", cells=f"{cells:,}", noun=noun, cell_side=side)
        raise InputError(f"{_where(scenario)} must have between 2 and {most} cells", value=value, remedy=remedy)
    if scenario.cells != "track":
        return _of_region(region_of(scenario, trajectory), scenario.place_m)
    return _of_track(scenario)(trajectory, scenario.place_m)


def most_cells(n: int) -> int:
    """How many cells a track of n timestamps may have.

    Examples
    --------
    >>> most_cells(288), most_cells(20_000), most_cells(1_000_000)
    (400, 200, 20)
    """
    return min(MOST_CELLS, max(MOST_NUMBERS // n, FEW_CELLS))


def cell_count(scenario: Scenario, trajectory: Trajectory) -> int:
    """How many cells could be reported."""
    if scenario.cells != "track":
        return region_of(scenario, trajectory).cell_count(scenario.place_m)
    if scenario.mechanism == "randomised":
        return grid_cells(trajectory, scenario.place_m)
    return len(grid_states(trajectory.points_m, scenario.place_m)[1])


def misfit(scenario: Scenario, trajectory: Trajectory) -> int:
    """How the size of the cells fits: 0 fine, 1 too many of them, -1 too few."""
    cells = cell_count(scenario, trajectory)
    return (cells > _most(scenario, trajectory)) - (cells < 2)


def _most(scenario: Scenario, trajectory: Trajectory) -> int:
    return most_cells(len(trajectory)) if scenario.mechanism == "randomised" else MAX_CELLS


def place_size_m(region: Region, most: int = MAX_CELLS) -> float | None:
    """The smallest round side of cells, metres, of which the region has at most `most` and at least 2; None: there is
    none.

    Examples
    --------
    >>> place_size_m(Region(48.75, 2.25, 49.0, 2.5)), place_size_m(Region(48.75, 2.25, 49.0, 2.5), 400)
    (4000.0, 1200.0)
    """
    return next((side for side in ROUND_SIDES_M if 2 <= region.cell_count(side) <= most), None)


def fitting_place_m(scenario: Scenario, trajectory: Trajectory) -> float | None:
    """The same for the present cells, and for those of a region that may have more; None for a track's own."""
    if scenario.cells == "track":
        return None
    return place_size_m(region_of(scenario, trajectory), min(_most(scenario, trajectory), MAX_CELLS))


@cached("visitor", entries=8)
def reported_cells(scenario: Scenario, trajectory: Trajectory) -> ReportedCells:
    """The cells that can be reported with the track in them.

    Raises
    ------
    InputError : as `reported_area`.
    """
    return _placed(reported_area(scenario, trajectory), _region(scenario, trajectory), scenario.cells, trajectory)


@cached("visitor", entries=8, what="the cells that can be reported, and those of a track")
def _placed(area: Area, region: Region | None, cells: str, trajectory: Trajectory) -> ReportedCells:
    if region is None:
        cell = cells_of(area, trajectory)
        prior = np.bincount(cell, minlength=len(area)) / len(trajectory)
        return ReportedCells(area, prior, cell, area.points_m, trajectory.stretch)
    cell = area.nearest(points_inside(region, trajectory))
    prior = people_prior(area, trajectory) if cells == "people" else np.full(len(area), 1 / len(area))
    true = area.frame.to_metres(trajectory.latitude, trajectory.longitude)
    farthest = np.concatenate([true, *(area.points_m + area.cell_m / 2 * np.array(to) for to in _CORNERS)])
    centres = trajectory.frame.to_metres(*area.frame.to_degrees(area.points_m))
    return ReportedCells(area, prior, cell, centres, area.frame.stretch(farthest))


_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _region(scenario: Scenario, trajectory: Trajectory) -> Region | None:
    return None if scenario.cells == "track" else region_of(scenario, trajectory)


def _of_track(scenario: Scenario) -> Callable[[Trajectory, float], Area]:
    return grid_of if scenario.mechanism == "randomised" else _visited


def _where(scenario: Scenario) -> str:
    if scenario.cells != "track":
        return "The region"
    return "The grid over the track" if scenario.mechanism == "randomised" else "The track"


@cached("settings", entries=8, what="the cells of a region")
def _of_region(region: Region, side_m: float) -> Area:
    return region.grid(side_m)


_visited = cached("visitor", entries=8, what="the cells that a track visits")(track_area)

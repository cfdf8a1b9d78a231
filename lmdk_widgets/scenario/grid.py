"""A grid over a track: square cells that cover it and what lies around it, whether it visits them or not.

Which cells there are does not depend on budgets or noise, but it does on the track.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Area, Floats, LocalFrame
from lmdk_widgets.trajectory.model import Trajectory

SIDES = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
"""Sides of cells, times a power of ten, metres."""

MARGIN, LEAST_MARGIN_M = 0.15, 200.0
"""How far the cells reach beyond the track: a share of its extent, and at least this many metres."""


def grid_over(trajectory: Trajectory, most: int) -> Area:
    """Square cells of the smallest round side of which at most `most` (from 4 on) cover the track with a margin.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> area = grid_over(sample("bob"), 225)
    >>> len(area), area.cell_m, int(area.cell_of(sample("bob").points_m).min()) >= 0
    (189, 300.0, True)
    """
    return grid_of(trajectory, _side_over(trajectory, most))


@cached("visitor", entries=8, what="the side at which a track's cells are few enough")
def _side_over(trajectory: Trajectory, most: int) -> float:
    for side in (digit * 10.0**power for power in range(1, 9) for digit in SIDES):
        if grid_cells(trajectory, side) <= most:
            break
    return side


@cached("visitor", entries=8)
def grid_of(trajectory: Trajectory, side_m: float) -> Area:
    """Square cells of this side that cover the track with a margin, row by row from the south-west.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> grid_of(sample("bob"), 300.0) is grid_over(sample("bob"), 225)
    True
    """
    first, columns, rows = _extent(trajectory, side_m)
    squares = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) + first
    return Area(trajectory.frame, side_m, squares, np.full(2, side_m / 2))


@cached("visitor", entries=8)
def cells_of(area: Area, trajectory: Trajectory) -> NDArray[np.int64]:
    """(n,) the cell of each timestamp; outside the cells, the nearest one.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> cells_of(grid_of(sample("bob"), 2000.0), sample("bob")).tolist()
    [5, 5, 2, 6, 6, 6, 7, 7]
    """
    return area.nearest(points_in(area.frame, trajectory))


def points_in(frame: LocalFrame, trajectory: Trajectory) -> Floats:
    """(n, 2) the track in metres of a frame."""
    same = frame == trajectory.frame
    return trajectory.points_m if same else frame.to_metres(trajectory.latitude, trajectory.longitude)


def grid_cells(trajectory: Trajectory, side_m: float) -> int:
    """How many cells `grid_of` has."""
    _, columns, rows = _extent(trajectory, side_m)
    return columns * rows


def _extent(trajectory: Trajectory, side_m: float) -> tuple[np.ndarray, int, int]:
    """The column and row of the south-western cell, and how many columns and rows there are."""
    low, high = trajectory.points_m.min(axis=0), trajectory.points_m.max(axis=0)
    margin = max(MARGIN * float((high - low).max()), LEAST_MARGIN_M)
    first, last = (np.floor(end / side_m).astype(np.int64) for end in (low - margin, high + margin))
    columns, rows = (last - first + 1).tolist()
    return first, columns, rows

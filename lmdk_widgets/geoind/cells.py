"""Cells that a mechanism reports: those of a grid, of a track or of a region."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, LocalFrame, Region
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.trajectory import Trajectory

SIDE_RANGE = (2, 15)
MAX_CELLS = SIDE_RANGE[1] ** 2
"""Rows or columns of a grid; the most cells for which mechanisms are made."""
CENTRE = (48.8607, 2.3355)
"""Centre of the grid unless it is moved: Paris, next to the Louvre, degrees."""


def grid_area(rows: int, columns: int, cell_m: float, centre: tuple[float, float] = CENTRE) -> Area:
    """A grid: n = rows * columns square cells around a centre, row by row from the south-west.

    Parameters
    ----------
    cell_m : side of a cell, metres. centre : latitude and longitude, degrees.

    Examples
    --------
    >>> area = grid_area(2, 3, 500)
    >>> area.names
    ('A1', 'B1', 'C1', 'A2', 'B2', 'C2')
    >>> area.points_m[0].tolist()
    [-500.0, -250.0]
    """
    east, north = np.meshgrid(np.arange(columns), np.arange(rows))
    squares = np.stack([east.ravel(), north.ravel()], axis=1)
    origin = -cell_m / 2 * np.array([columns - 1, rows - 1], float)
    return Area(LocalFrame(*centre), cell_m, squares, origin)


def track_area(track: Trajectory, cell_m: float) -> Area:
    """The cells of a track: the squares of its frame that contain at least one of its points.

    Raises
    ------
    InputError : more than 225 cells, or fewer than two.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> len(track_area(sample("commuter"), 1000.0))
    34
    """
    _, centres = grid_states(track.points_m, cell_m)
    if not 2 <= len(centres) <= MAX_CELLS:
        few = len(centres) < 2
        raise InputError(
            f"The track must visit between 2 and {MAX_CELLS} cells",
            value=f"{len(centres):,} cell{'' if few else 's'} of {written(cell_m)} m",
            remedy="Choose smaller cells" if few else "Choose larger cells",
        )
    squares = np.floor(centres / cell_m).astype(np.int64)
    return Area(track.frame, cell_m, squares, np.full(2, cell_m / 2))


def region_area(region: Region, cell_m: float) -> Area:
    """The cells of the fixed global grid in a region.

    Raises
    ------
    InputError : more than 225 cells, or fewer than two; the message names a size that fits.

    Examples
    --------
    >>> len(region_area(Region(48.75, 2.25, 49.0, 2.5), 4000.0))
    35
    """
    cells = region.cell_count(cell_m)
    if not 2 <= cells <= MAX_CELLS:
        raise InputError(
            f"The region must have between 2 and {MAX_CELLS} cells",
            value=f"{cells:,} cell{'' if cells == 1 else 's'} of {written(cell_m)} m",
            remedy=f"Choose cells of {written(region.fitting_cell_m(MAX_CELLS))} m",
        )
    return region.grid(cell_m)

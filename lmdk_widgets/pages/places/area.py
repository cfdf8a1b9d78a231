"""The places themselves: cells of a grid or of a track, in metres for the mathematics and in degrees for the map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.leakage.markov import grid_states
from lmdk_widgets.pages.places.model import MAX_CELLS, Places
from lmdk_widgets.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class Area:
    """n square cells.

    Attributes
    ----------
    frame : the metric frame. cell_m : side of a cell, metres.
    squares : (n, 2) column and row of each cell, whole numbers; the cell [c, r] is centred on (c, r) * cell_m + origin.
    origin_m : (2,) metres in the frame.
    """

    frame: LocalFrame
    cell_m: float
    squares: NDArray[np.int64]
    origin_m: Floats

    def __len__(self) -> int:
        return len(self.squares)

    def __repr__(self) -> str:
        return f"Area({len(self)} cells of {self.cell_m:g} m)"  # no coordinate: they may be those of a track

    @cached_property
    def points_m(self) -> Floats:
        """The centres of the cells in metres in the frame, (n, 2)."""
        return self.squares * self.cell_m + self.origin_m

    @cached_property
    def distances_m(self) -> Floats:
        """(n, n) straight distances between the centres, metres; exact multiples on a grid, whatever its origin."""
        apart = self.squares[:, None] - self.squares[None]
        return np.asarray(self.cell_m * np.hypot(apart[..., 0], apart[..., 1]), float)

    @cached_property
    def corners(self) -> tuple[Floats, Floats]:
        """Latitudes and longitudes of the corners, each (n, 4) degrees, from the south-west counterclockwise."""
        steps = self.cell_m / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        latitude, longitude = self.frame.to_degrees((self.points_m[:, None] + steps).reshape(-1, 2))
        return latitude.reshape(-1, 4), longitude.reshape(-1, 4)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A short name for each cell, as on a chessboard: letters for columns from the west, rows from the south."""
        columns, rows = (self.squares - self.squares.min(axis=0)).T.tolist()
        return tuple(f"{_letters(c)}{r + 1}" for c, r in zip(columns, rows, strict=True))

    def cell_of(self, points_m: Floats) -> NDArray[np.int64]:
        """The cell that holds each point (k, 2) of the frame, -1 where none does."""
        low = self.squares.min(axis=0)
        side = self.squares.max(axis=0) - low + 1
        table = np.full(side, -1, np.int64)
        table[tuple((self.squares - low).T)] = np.arange(len(self))
        at = np.floor((points_m - self.origin_m) / self.cell_m + 0.5).astype(np.int64) - low
        inside = ((at >= 0) & (at < side)).all(axis=1)
        return np.where(inside, table[tuple(np.where(inside[:, None], at, 0).T)], -1)


def grid_area(places: Places, centre: tuple[float, float] | None = None) -> Area:
    """The grid that the choices name: row by row from the south-west, n = rows * columns cells around the centre.

    `centre`: latitude and longitude in degrees, in place of those of the choices.

    Examples
    --------
    >>> area = grid_area(Places(rows=2, columns=3, cell_m=500))
    >>> area.names
    ('A1', 'B1', 'C1', 'A2', 'B2', 'C2')
    >>> area.points_m[0].tolist()
    [-500.0, -250.0]
    """
    columns, rows = np.meshgrid(np.arange(places.columns), np.arange(places.rows))
    squares = np.stack([columns.ravel(), rows.ravel()], axis=1)
    origin = -places.cell_m / 2 * np.array([places.columns - 1, places.rows - 1], float)
    return Area(LocalFrame(*(centre or (places.latitude, places.longitude))), places.cell_m, squares, origin)


def track_area(track: Trajectory, cell_m: float) -> Area:
    """The cells of a track: the squares of its frame that hold one of its points.

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


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ...: columns as in a spreadsheet."""
    before, digit = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(65 + digit)

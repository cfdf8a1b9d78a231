"""What an adversary believes of cells, as a drawing for a report: an SVG that says nothing of where on Earth they are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.io.report_map import TALLEST, WIDTH, svg

LARGEST = 40.0
"""Side of a cell at most, in units of the drawing."""

CLASS, MOST, HALF = 7, 8, 16
"""Of the byte of a cell: the class of its colour, and whether it is in the region of 95 % and in that of a half."""

_SIDES = (((0, -1), 2, 3), ((1, 0), 1, 2), ((0, 1), 0, 1), ((-1, 0), 3, 0))
"""To the neighbour: column and row, rows counted from the south; and the two corners, from the north-west clockwise."""


def belief_svg(squares: ArrayLike, marks: ArrayLike, guess: int, label: str) -> str:
    """Cells in the colour of their class, the regions that hold half and 95 % of the belief, and the best guess as a star.

    Parameters
    ----------
    squares : (m, 2) column and row of each cell, whole numbers, rows from the south.
    marks : (m,) bytes, as `Inferred.marked` gives them: the class from 0 to 6, + 8 in the 95 % region, + 16 in the half.
    guess : the cell of the best guess. label : what is seen, for a screen reader.

    Examples
    --------
    >>> drawn = belief_svg([[0, 0], [1, 0]], [30, 9], 0, "Two cells")
    >>> drawn.count('class="b6"'), drawn.count('class="region most"'), drawn.count('class="guess"')
    (1, 1, 1)
    """
    at = np.asarray(squares, np.int64)
    at = at - at.min(axis=0)
    bits = np.asarray(marks, np.int64)
    columns, rows = (int(k) for k in at.max(axis=0) + 1)
    side = min(WIDTH / columns, TALLEST / rows, LARGEST)
    corner = np.stack([at[:, 0], rows - 1 - at[:, 1]], axis=1)  # the north-west one, in sides of a cell
    shown = [np.flatnonzero(bits & CLASS == level) for level in range(CLASS)]
    parts = [_cells(corner[some], side, level) for level, some in enumerate(shown) if len(some)]
    parts = [f'<g class="believed">{"".join(parts)}</g>']
    for bit, kind in ((MOST, "region most"), (HALF, "region")):
        parts.append(f'<path class="{kind}" d="{_outline(at, corner, bits & bit > 0, side)}"/>')
    column, row = corner[guess].tolist()
    parts.append(_star(side * (column + 0.5), side * (row + 0.5), max(0.55 * side, 9.0)))
    moved = f'<g transform="translate({(WIDTH - side * columns) / 2:.1f} 0)">{"".join(parts)}</g>'
    return svg(label, WIDTH, side * rows, [moved])


def _cells(corner: NDArray[np.int64], side: float, level: int) -> str:
    """All cells of a class as one path."""
    each = f"h{side:.1f}v{side:.1f}h-{side:.1f}z"
    return f'<path class="b{level}" d="{"".join(f"M{x:.1f} {y:.1f}{each}" for x, y in (side * corner).tolist())}"/>'


def _outline(at: NDArray[np.int64], corner: NDArray[np.int64], region: NDArray[np.bool_], side: float) -> str:
    """The sides of a region's cells that have no other cell of the region beyond them."""
    inside = {tuple(square) for square in at[region].tolist()}
    drawn = []
    for (column, row), (x, y) in zip(at[region].tolist(), corner[region].tolist(), strict=True):
        ends = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for (right, up), a, b in _SIDES:
            if (column + right, row + up) not in inside:
                (x0, y0), (x1, y1) = ends[a], ends[b]
                drawn.append(f"M{side * x0:.1f} {side * y0:.1f}L{side * x1:.1f} {side * y1:.1f}")
    return "".join(drawn)


def _star(x: float, y: float, radius: float) -> str:
    corners = []
    for k in range(10):
        far, turn = radius * (0.45 if k % 2 else 1.0), k * math.pi / 5 - math.pi / 2
        corners.append(f"{x + far * math.cos(turn):.1f} {y + far * math.sin(turn):.1f}")
    return f'<path class="guess" d="M{"L".join(corners)}z"/>'

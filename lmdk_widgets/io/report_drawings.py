"""Drawings for a report, each an SVG that needs no program and prints sharply.

A released track, a released series, and what an adversary believes of cells, which does not say where on Earth they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.io.graticule import Box, frame, in_one_piece, lines
from lmdk_widgets.trajectory.words import printable

MOST_POINTS = 20_000
"""Released points that a report draws at most; more of them would be one blot, and a file of many megabytes."""

WIDTH, TALLEST = 680.0, 560.0
_CROWD = 300  # so many points are drawn smaller
_LETTER, _LINE = 11.0, 20.0  # pixels of a name, as large as it is on a narrow page
_TENTHS = 10  # positions are kept to a tenth of a pixel

HEIGHT = 240.0
_LEFT, _RIGHT, _TOP, _FOOT = 70.0, 12.0, 12.0, 26.0  # room for what is written
_MOST_DOTS = 120  # up to so many released values are drawn as points too

LARGEST = 40.0
"""Side of a cell at most, in units of the drawing."""

CLASS, MOST, HALF = 7, 8, 16
"""Of the byte of a cell: the class of its colour, and whether it is in the region of 95 % and in that of a half."""

_SIDES = (((0, -1), 2, 3), ((1, 0), 1, 2), ((0, 1), 0, 1), ((-1, 0), 3, 0))
"""To the neighbour: column and row, rows counted from the south; and the two corners, from the north-west clockwise."""

Place = tuple[float, float, str]


def release_svg(latitude: ArrayLike, longitude: ArrayLike, places: Sequence[Place] = ()) -> str:
    """The released points in order of time over lines of latitude and longitude.

    Parameters
    ----------
    latitude, longitude : (n,) released degrees, NaN where there is no release. Never pass true places.
    places : (latitude, longitude, text) of public places to label.

    Returns
    -------
    str : SVG for an HTML page; "" for more points than `MOST_POINTS`, or where nothing is released.

    Examples
    --------
    >>> release_svg([48.85, np.nan, 48.86], [2.35, np.nan, 2.36]).count('class="points"')
    1
    >>> release_svg([np.nan], [np.nan])
    ''
    """
    north, east = np.asarray(latitude, float), np.asarray(longitude, float)
    there = np.isfinite(north)
    if not there.any() or there.sum() > MOST_POINTS:
        return ""
    north, east = north[there], in_one_piece(np.round(east[there], 6))
    box = frame(north, east)
    view = _View(box)
    parts = [*_graticule(box, view)]
    path = [f"{x / _TENTHS:g} {y / _TENTHS:g}" for x, y in view.tenths(north, east)]
    parts.append(f'<path class="path" d="M{"L".join(path)}"/>')
    # a line of no length with round ends is a point: shorter than an element for each
    points = f'<path class="points" d="{"".join(f"M{at}h0" for at in dict.fromkeys(path))}"/>'
    parts.append(f'<g class="crowd">{points}</g>' if len(path) > _CROWD else points)
    parts += _places(places, view)
    return svg("Map of the released points", view.width, view.height, parts)


def series_svg(values: ArrayLike, at: ArrayLike, n: int, *, names: Sequence[str], ends: tuple[str, str]) -> str:
    """Released values in order of time, with a line for the least and the greatest of them.

    Parameters
    ----------
    values : (k,) released values, NaN where there is no release. Never pass true ones. at : (k,) their timestamps.
    n : timestamps of the series. names : what the least and the greatest value are called. ends : the first and last time.

    Returns
    -------
    str : SVG for an HTML page; "" where nothing is released.

    Examples
    --------
    >>> drawn = series_svg([1.0, np.nan, 3.0], [0, 1, 2], 3, names=("1 kWh", "3 kWh"), ends=("08:00", "10:00"))
    >>> drawn.count('class="path"'), drawn.count('class="points"'), "3 kWh" in drawn
    (1, 1, True)
    >>> series_svg([np.nan], [0], 1, names=("", ""), ends=("", ""))
    ''
    """
    y, when = np.asarray(values, float), np.asarray(at, float)
    there = np.isfinite(y)
    if not there.any():
        return ""
    low, high = float(y[there].min()), float(y[there].max())
    foot = HEIGHT - _FOOT
    x = _LEFT + (when + 0.5) / n * (WIDTH - _LEFT - _RIGHT)
    height = foot - _TOP
    drawn = np.where(there, foot - (y - low) / (high - low) * height if high > low else (foot + _TOP) / 2, np.nan)
    parts = []
    for name, line in zip(names, (foot, _TOP) if high > low else ((foot + _TOP) / 2,), strict=False):
        parts.append(f'<path class="grid" d="M{_LEFT:.1f} {line:.1f}L{WIDTH - _RIGHT:.1f} {line:.1f}"/>')
        parts.append(
            f'<text class="degrees" x="{_LEFT - 6:.1f}" y="{line + 4:.1f}" text-anchor="end">{escape(name)}</text>'
        )
    pairs = [f"{a:.1f} {b:.1f}" for a, b in zip(x[there].tolist(), drawn[there].tolist(), strict=True)]
    parts.append(f'<path class="path" d="M{"L".join(pairs)}"/>')
    if len(pairs) <= _MOST_DOTS:
        parts.append(f'<path class="points" d="{"".join(f"M{pair}h0" for pair in pairs)}"/>')
    for text, left, side in ((ends[0], _LEFT, "start"), (ends[1], WIDTH - _RIGHT, "end")):
        parts.append(
            f'<text class="degrees" x="{left:.1f}" y="{HEIGHT - 6:.1f}" text-anchor="{side}">{escape(text)}</text>'
        )
    return svg("Chart of the released values", WIDTH, HEIGHT, parts)


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
    at, columns, rows, side = _grid(squares, LARGEST)
    bits = np.asarray(marks, np.int64)
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


def _grid(squares: ArrayLike, largest: float) -> tuple[NDArray[np.int64], int, int, float]:
    """Squares counted from 0, how many columns and rows they take, and the side of a cell."""
    at = np.asarray(squares, np.int64)
    at = at - at.min(axis=0)
    columns, rows = (int(k) for k in at.max(axis=0) + 1)
    return at, columns, rows, min(WIDTH / columns, TALLEST / rows, largest)


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


class _View:
    """From degrees to the drawing: Mercator, as on the page's map, with room around the box."""

    def __init__(self, box: Box) -> None:
        self.west, self.top = box.west, _mercator(np.array(box.north))
        wide, high = box.east - box.west, float(self.top - _mercator(np.array(box.south)))
        self.scale = min(WIDTH / wide, TALLEST / high)
        self.width, self.height = WIDTH, self.scale * high
        self.left = (WIDTH - self.scale * wide) / 2

    def xy(self, latitude: Floats, longitude: Floats) -> tuple[Floats, Floats]:
        return self.left + self.scale * (longitude - self.west), self.scale * (self.top - _mercator(latitude))

    def tenths(self, latitude: Floats, longitude: Floats) -> list[tuple[int, int]]:
        x, y = (np.rint(_TENTHS * values).astype(int).tolist() for values in self.xy(latitude, longitude))
        return list(zip(x, y, strict=True))


def _mercator(latitude: Floats) -> Floats:
    """The height of a latitude on a Mercator map, in degrees of longitude at the equator."""
    return np.degrees(np.arctanh(np.sin(np.radians(np.clip(latitude, -85.0, 85.0)))))


def _graticule(box: Box, view: _View) -> list[str]:
    drawn = []
    for line in lines(box):
        ends = np.array(line.ends)
        x, y = view.xy(ends[:, 1], ends[:, 0])
        drawn.append(f'<path class="grid" d="M{x[0]:.1f} {y[0]:.1f}L{x[1]:.1f} {y[1]:.1f}"/>')
        if line.label_at:
            upright = math.isclose(line.ends[0][0], line.ends[1][0])
            (at_x,), (at_y,) = view.xy(np.array([line.label_at[1]]), np.array([line.label_at[0]]))
            left, foot = (at_x + 3, view.height - 5) if upright else (4.0, at_y - 4)
            drawn.append(f'<text class="degrees" x="{left:.1f}" y="{foot:.1f}">{escape(line.label)}</text>')
    return drawn


def _places(places: Sequence[Place], view: _View) -> list[str]:
    drawn: list[str] = []
    taken: list[tuple[float, float, float]] = []  # the left end, the right end and the height of each name
    for latitude, longitude, text in places:
        (x,), (y,) = view.xy(np.array([latitude]), np.array([longitude]))
        if not (0 <= x <= view.width and 0 <= y <= view.height):
            continue
        drawn.append(f'<circle class="place" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        end = ' text-anchor="end"' if x > 0.7 * view.width else ""
        wide = _LETTER * len(text)
        left, right = (x - wide, x) if end else (x, x + wide)
        if any(left < b and a < right and abs(y - height) < _LINE for a, b, height in taken):
            continue  # another name is in its way
        taken.append((left, right, y))
        name = escape(printable(text, len(text)))
        drawn.append(f'<text class="placename" x="{x + (-7 if end else 7):.1f}" y="{y + 4:.1f}"{end}>{name}</text>')
    return drawn


def svg(label: str, width: float, height: float, parts: Sequence[str]) -> str:
    """A drawing of these elements as SVG for an HTML page; label: what is seen, for a screen reader."""
    head = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(label)}">'
    return f"{head}{''.join(parts)}</svg>"

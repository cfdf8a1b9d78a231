"""A release as a drawing for a report: an SVG that needs no program and prints sharply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.geo import Floats
from lmdk_widgets.io.graticule import Box, frame, in_one_piece, lines
from lmdk_widgets.trajectory.words import printable

MOST_POINTS = 20_000
"""Released points that a report draws at most; more of them would be one blot, and a file of many megabytes."""

WIDTH, TALLEST = 680.0, 560.0
_CROWD = 300  # so many points are drawn smaller
_LETTER, _LINE = 11.0, 20.0  # pixels of a name, as large as it is on a narrow page
_TENTHS = 10  # positions are kept to a tenth of a pixel

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

"""Orientation on a map without tiles: the lines of latitude and longitude around a release, and an uncut view of it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from lmdk_widgets.geo import Floats

_MICRO = 1_000_000
_TURN = 360 * _MICRO
_EDGE = 85.0  # degrees; a Mercator map ends there
_LINES = 6  # about this many lines across the box
_SMALLEST = 0.01  # degrees; a single point is shown with about a kilometre around it
_AROUND = 3  # the lines continue for this many widths of the box beyond it


class Box(NamedTuple):
    """A part of the map, degrees; `west` and `east` may be beyond 180."""

    south: float
    west: float
    north: float
    east: float


class Line(NamedTuple):
    """One line of latitude or longitude: its two ends and the place of its label, each (longitude, latitude)."""

    ends: tuple[tuple[float, float], tuple[float, float]]
    label_at: tuple[float, float] | None
    label: str


def in_one_piece(longitude: Floats) -> Floats:
    """Longitudes in degrees moved by full turns into the shortest arc that contains them all, its middle in [-180, 180).

    The circle is cut in the widest gap between longitudes, so a release across the antimeridian is drawn in one piece.
    Following the release point by point would wind one with noise as large as the Earth around the map again and again.
    Numerics: whole millionths of a degree, as the remainder of a float by 360 can be 360.

    Examples
    --------
    >>> in_one_piece(np.array([179.9, -179.9, 178.0])).tolist()
    [179.9, 180.1, 178.0]
    """
    if not len(longitude):
        return longitude
    micro = np.rint(longitude * _MICRO).astype(np.int64)
    around = np.sort(micro)
    gaps = np.diff(around, append=around[:1] + _TURN)
    widest = int(np.argmax(gaps))
    west = int(around[(widest + 1) % len(around)])
    middle = west + (_TURN - int(gaps[widest])) // 2
    turns = (middle + _TURN // 2) // _TURN
    return (west + (micro - west) % _TURN - turns * _TURN) / _MICRO


def frame(latitude: Floats, longitude: Floats) -> Box:
    """The box that a map shows initially: all points with a margin, never flat; the world if there are none."""
    if not len(latitude):
        return Box(-60.0, -180.0, 75.0, 180.0)
    south, north = (float(v) for v in np.clip([latitude.min(), latitude.max()], -_EDGE, _EDGE))
    west, east = float(longitude.min()), float(longitude.max())
    width = max(north - south, east - west, _SMALLEST)
    room_y, room_x = (max(width / 2 - side, 0.0) / 2 + width / 20 for side in (north - south, east - west))
    return Box(max(south - room_y, -_EDGE), west - room_x, min(north + room_y, _EDGE), east + room_x)


def lines(box: Box) -> list[Line]:
    """The lines of latitude and longitude in and around a box, labelled along its lower and left sides."""
    width = max(box.north - box.south, box.east - box.west)
    step, digits = _step(width / _LINES)
    south, north = max(box.south - _AROUND * width, -_EDGE), min(box.north + _AROUND * width, _EDGE)
    west, east = box.west - _AROUND * width, box.east + _AROUND * width
    low = box.south + (box.north - box.south) / 20  # clear of the labels along the lower side
    found = []
    for value in _multiples(step, west, east):
        at = (value, box.south) if box.west <= value <= box.east else None
        found.append(Line(((value, south), (value, north)), at, _named((value + 180) % 360 - 180, "EW", digits)))
    for value in _multiples(step, south, north):
        at = (box.west, value) if low <= value <= box.north else None
        found.append(Line(((west, value), (east, value)), at, _named(value, "NS", digits)))
    return found


def _step(rough: float) -> tuple[float, int]:
    """The smallest step of at least `rough`, and the number of decimals of its multiples."""
    whole = next((step for step in (1, 2, 5, 10, 15, 30, 60, 90) if step >= rough), 90)
    if rough > 0.5:
        return float(whole), 0
    power = math.floor(math.log10(rough))
    factor = next(k for k in (1, 2, 5, 10) if k * 10.0**power >= rough * (1 - 1e-9))
    return factor * 10.0**power, -power - (factor == 10)


def _multiples(step: float, low: float, high: float) -> list[float]:
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _named(value: float, sides: str, digits: int) -> str:
    """Degrees as on a map: "2.35° E"."""
    size = f"{abs(value):.{digits}f}"
    side = "" if float(size) in (0.0, 180.0) else " " + sides[value < 0]
    return f"{size}°{side}"

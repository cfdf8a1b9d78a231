"""A made-up file of streets that meet, and a track along them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from lmdk_widgets.trajectory import Trajectory
from tests.basemaps import EXTENT, around, layer, write

ZOOM, STEP = 14, 1024
PLACE = 2.345, 48.85
"""Longitude and latitude in the middle of the streets."""


def crossings() -> bytes:
    """A vector tile with a grid of streets, each with a vertex at every crossing."""
    at = range(0, EXTENT + 1, STEP)
    ways = [[(x, y) for x in at] for y in at] + [[(x, y) for y in at] for x in at]
    return layer("roads", [(2, way, {"kind": "minor_road"}) for way in ways])


def written(folder: Path, place: tuple[float, float] = PLACE, content: bytes | None = None, reach: int = 3) -> Path:
    """The file, with such streets up to some tiles around a place."""
    return write(folder / "grid.pmtiles", around(*place, [ZOOM], reach), content or crossings())


def walked(n: int, seed: int, *, stride: float = 0.15, minutes: int = 1) -> Trajectory:
    """A track along these streets, which turns at random and never back; a stride is a share of a block."""
    rng, side = np.random.default_rng(seed), (1 << ZOOM) * EXTENT // STEP
    column = round((PLACE[0] + 180) / 360 * side)
    row = round((1 - math.asinh(math.tan(math.radians(PLACE[1]))) / math.pi) / 2 * side)
    start = here = np.array([column, row])
    way, left, places = np.array([1, 0]), 0.0, []
    for _ in range(n):
        places.append((here + way * left) / side)
        left += stride
        if left >= 1:
            left, here = left - 1, here + way
            turns = [np.array(to) for to in ((1, 0), (-1, 0), (0, 1), (0, -1)) if to != tuple(-way)]
            near = [turn for turn in turns if np.abs(here + turn - start).max() <= 3]
            way = near[rng.integers(len(near))]
    x, y = np.transpose(places)
    latitude = np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * y))))
    time = np.datetime64("2024-05-01T08:00", "s") + np.arange(n) * np.timedelta64(60 * minutes, "s")
    return Trajectory(latitude, x * 360 - 180, time)

"""Private releases, as they are published: many timestamps at one place or value, against as many at a neighbouring one.

A whole release is made, with ledger and files, and its file is read. Its timestamps are independent, so that each is a draw.
The noise is the operating system's: no seed repeats it.
"""

from __future__ import annotations

import csv
import math
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from lmdk_widgets.audit.evidence import least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame
from lmdk_widgets.secure import release_points
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory

Rng = np.random.Generator

ORIGIN = (0.0, 10.0)
"""On the equator, where the ground is shortest for a metre of the frame."""

EAST, NORTH = 6_378_137.0 / EARTH_RADIUS_M, 6_335_439.327 / EARTH_RADIUS_M
"""Metres of the WGS84 ellipsoid for a metre of the frame near `ORIGIN`."""


def releases() -> list[Subject]:
    """A subject for each kind of data; numbers and counts where OpenDP is installed."""
    found = [
        Subject("private release of points", "two neighbouring points of the lattice", _points),
        Subject("private release of a track", "true places a radius apart, on a fine lattice", _fine),
        Subject("private release of a track, pair 2", "true places that a coarse lattice moves apart", _coarse),
    ]
    if find_spec("opendp") is not None:
        found += [
            Subject("private release of numbers", "the lower bound and the upper bound", _numbers),
            Subject("private release of counts", "two counts that differ by 1", _counts),
        ]
    return found


def _points(epsilon: float, _rng: Rng, draws: int) -> float:
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    found = [release_points(np.tile(place, (draws, 1)), epsilon, step_m=1.0).points_m for place in places]
    return least_epsilon(*(nearer(points, *places) for points in found))


def _fine(epsilon: float, _rng: Rng, draws: int) -> float:
    radius = 1000.0
    places = np.array([[0.0, 0.0], [0.0, radius / NORTH]])
    return _track(epsilon, draws, places, Settings(radius_m=radius, step_m=radius / 1000))


def _coarse(epsilon: float, _rng: Rng, draws: int) -> float:
    """Each place lies just within a cell of the lattice, on the side of the other: they are moved apart by a diagonal."""
    step = 70.0
    places = step * np.array([[0.499, 0.499], [1.501, 1.501]])
    radius = math.hypot(*(places[1] - places[0]) * (EAST, NORTH))
    return _track(epsilon, draws, places, Settings(radius_m=radius, step_m=step))


def _track(epsilon: float, draws: int, places: Floats, how: Settings) -> float:
    frame = LocalFrame(*ORIGIN)
    time = np.datetime64("2026-01-01T00:00:00") + np.arange(draws)
    found = []
    for latitude, longitude in zip(*frame.to_degrees(places), strict=True):
        track = Trajectory(np.full(draws, latitude), np.full(draws, longitude), time)
        settings = Settings(scheme="event", epsilon=epsilon, radius_m=how.radius_m, step_m=how.step_m, origin=ORIGIN)
        with TemporaryDirectory() as folder:
            release_track(track, settings, Path(folder) / "out", Ledger(Path(folder) / "ledger"))
            found.append(frame.to_metres(*_columns(Path(folder), "latitude", "longitude")))
    snapped = np.rint(places / how.step) * how.step
    return least_epsilon(*(nearer(points, *snapped) for points in found))


def _numbers(epsilon: float, _rng: Rng, draws: int) -> float:
    return _series(draws, SeriesSettings(scheme="event", epsilon=epsilon, low=0.0, high=1.0))


def _counts(epsilon: float, _rng: Rng, draws: int) -> float:
    return _series(draws, SeriesSettings(scheme="event", epsilon=epsilon, sensitivity=1))


def _series(draws: int, settings: SeriesSettings) -> float:
    time = np.datetime64("2026-01-01T00:00:00") + np.arange(draws)
    found = []
    for value in (0.0, 1.0):
        with TemporaryDirectory() as folder:
            series = Series(time, values=np.full(draws, value))
            release_series(series, settings, Path(folder) / "out", Ledger(Path(folder) / "ledger"))
            found.append(_columns(Path(folder), "value")[0])
    return least_epsilon(*(np.abs(values) - np.abs(values - 1) for values in found[::-1]))


def _columns(folder: Path, *names: str) -> Floats:
    """(k, n) columns of the release in a folder."""
    with open(folder / "out" / "release.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for row in rows] for name in names])


def nearer(found: Floats, one: Floats, other: Floats) -> Floats:
    """(n,) by how much each point is nearer to the first place."""
    return np.linalg.norm(found - other, axis=1) - np.linalg.norm(found - one, axis=1)

"""Private releases, as they are published: many timestamps at one place or value, against as many at a neighbouring one.

A whole release is made, with ledger and files, and its file is read. Its timestamps are independent, so that each is a draw.
The noise is the operating system's: no seed repeats it.
"""

from __future__ import annotations

import csv
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lmdk_widgets.audit.evidence import least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.secure import release_points
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.mechanisms import MECHANISMS
from lmdk_widgets.trajectory import Series, Trajectory

Rng = np.random.Generator


def releases() -> list[Subject]:
    """A subject for each pair of each mechanism whose library is installed, and one for points alone."""
    found = [Subject("private release of points", "two neighbouring points of the lattice", _points)]
    for mechanism in MECHANISMS.values():
        for number, pair in enumerate(mechanism.pairs if _is_here(mechanism) else (), 1):
            name = f"private release of {mechanism.releases}" + (f", pair {number}" if number > 1 else "")
            measure = _track if mechanism.data == "a track" else _series
            found.append(Subject(name, pair.claim, partial(measure, mechanism, pair)))
    return found


def _is_here(mechanism: Mechanism) -> bool:
    return not mechanism.library or find_spec(mechanism.library) is not None


def _points(epsilon: float, _rng: Rng, draws: int) -> float:
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    found = [release_points(np.tile(place, (draws, 1)), epsilon, step_m=1.0).points_m for place in places]
    return least_epsilon(*(nearer(points, *places) for points in found))


def _track(mechanism: Mechanism, pair: Pair, epsilon: float, _rng: Rng, draws: int) -> float:
    frame, places = LocalFrame(*pair.settings["origin"]), np.array(pair.inputs)
    found = []
    for latitude, longitude in zip(*frame.to_degrees(places), strict=True):
        track = Trajectory(np.full(draws, latitude), np.full(draws, longitude), _seconds(draws))
        found.append(frame.to_metres(*_released(mechanism, pair, epsilon, track, "latitude", "longitude")))
    step = pair.settings["step_m"]
    snapped = np.rint(places / step) * step
    return least_epsilon(*(nearer(points, *snapped) for points in found))


def _series(mechanism: Mechanism, pair: Pair, epsilon: float, _rng: Rng, draws: int) -> float:
    one, other = pair.inputs
    found = []
    for value in pair.inputs:
        series = Series(_seconds(draws), values=np.full(draws, value))
        (values,) = _released(mechanism, pair, epsilon, series, "value")
        found.append(np.abs(values - one) - np.abs(values - other))
    return least_epsilon(*found[::-1])


def _seconds(draws: int) -> np.ndarray:
    return np.datetime64("2026-01-01T00:00:00") + np.arange(draws)


def _released(mechanism: Mechanism, pair: Pair, epsilon: float, data: Any, *names: str) -> Floats:
    """(k, n) columns of a release of the data, each timestamp with all of epsilon."""
    asked = {"scheme": "event", "epsilon": epsilon, **pair.settings}
    with TemporaryDirectory() as folder:
        mechanism.release(data, asked, Path(folder) / "out", Ledger(Path(folder) / "ledger"))
        return _columns(Path(folder), *names)


def _columns(folder: Path, *names: str) -> Floats:
    """(k, n) columns of the release in a folder."""
    with open(folder / "out" / "release.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for row in rows] for name in names])


def nearer(found: Floats, one: Floats, other: Floats) -> Floats:
    """(n,) by how much each point is nearer to the first place."""
    return np.linalg.norm(found - other, axis=1) - np.linalg.norm(found - one, axis=1)

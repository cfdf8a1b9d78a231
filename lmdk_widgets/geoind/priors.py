"""How likely each cell is: a made-up city, weights, the time that a track stays, or check-ins counted into cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.geoind.visits import Visits
from lmdk_widgets.trajectory import Trajectory

LONGEST_GAP = 20.0
"""A gap in a track counts as at most this many usual intervals: a phone that was off says little about where it was."""

_QUARTERS = np.array([[0.0, 0.0], [-0.55, 0.35], [0.5, 0.45], [0.35, -0.6], [-0.45, -0.5], [0.75, -0.05]])
_SHARES = np.array([1.0, 0.55, 0.5, 0.4, 0.3, 0.2])
_WIDTH = 0.16


def city_prior(area: Area) -> Floats:
    """A made-up city over the area: a centre, a few quarters, and a little everywhere; (n,), sums to 1.

    Deterministic. The quarters are placed relative to the extent of the area, so all of them appear at any size; the
    weights are multiplied by a fixed pattern of busy and quiet cells, as real counts are never smooth.

    Examples
    --------
    >>> from lmdk_widgets.geoind.cells import grid_area
    >>> prior = city_prior(grid_area(5, 5, 1000))
    >>> int(prior.argmax()), round(float(prior.sum()), 12)
    (12, 1.0)
    """
    low, high = area.points_m.min(axis=0), area.points_m.max(axis=0)
    half = max(float((high - low).max()) / 2, area.cell_m / 2)
    at = (area.points_m - (low + high) / 2) / half
    away = ((at[:, None] - _QUARTERS) ** 2).sum(axis=2)
    smooth = np.exp(-away / (2 * _WIDTH**2)) @ _SHARES + 0.04
    c, r = (area.squares - area.squares.min(axis=0)).T
    busy = 0.5 + ((7 * c + 13 * r + 3 * c * r) % 11) / 10
    weights = smooth * np.where(away.min(axis=1) < 1e-9, 1.5, busy)
    return weights / weights.sum()


def painted_prior(weights: tuple[float, ...], n: int) -> Floats:
    """Weights of cells as probabilities; without any, all cells are equally likely."""
    if not weights:
        return np.full(n, 1 / n)
    if len(weights) != n:
        raise InputError(f"Painted weights must have one number for each of the {n:,} cells", value=len(weights))
    total = float(sum(weights))
    if not total > 0:
        raise InputError("Painted weights must be above 0 in at least one cell", value="only zeros")
    return np.array(weights) / total


def stay_weights(track: Trajectory) -> Floats:
    """Seconds that each timestamp represents, (n,): until the next, at most 20 usual intervals; last: one such interval.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> stay_weights(sample("commuter"))[:2].tolist()
    [300.0, 300.0]
    """
    if len(track) == 1:
        return np.ones(1)
    seconds = np.diff(track.time) / np.timedelta64(1, "s")
    usual = float(np.median(seconds))
    return np.append(np.minimum(seconds, LONGEST_GAP * usual), usual)


def before_noon(track: Trajectory) -> NDArray[np.bool_]:
    """Which timestamps are before noon in solar time at the middle of the track, (n,); this needs no time zone."""
    seconds = (track.time - track.time.astype("datetime64[D]")) / np.timedelta64(1, "s")
    solar = (seconds + 240.0 * track.frame.longitude) % 86_400
    return np.asarray(solar < 43_200)


def count_inside(visits: Visits, area: Area) -> int:
    """How many check-ins lie in the cells."""
    points_m, weights = visits.located(area.frame)
    return int(weights[area.cell_of(points_m) >= 0].sum())


def shares_of(area: Area, points_m: Floats, weights: Floats, name: str) -> Floats:
    """The weights of points summed by cell; points outside all cells are ignored."""
    cell = area.cell_of(points_m)
    inside = cell >= 0
    total = np.bincount(cell[inside], weights[inside], len(area))
    if not total.sum() > 0:
        remedy = "Choose larger cells, more cells, or another prior"
        raise InputError(f"The {name} must have points in these cells", value="none", remedy=remedy)
    return total / total.sum()

"""Two ways to add noise to a whole track from the literature, which adapt it to where somebody is: the noise of one report is
geo-indistinguishable, what is done between reports is not.

Both follow their authors' program (Cunha, Duarte, Andrade, Mendes and Vilela, "Privkit", CODASPY 2024).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import generator, indices, number, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, wrapped
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.noise.samplers import standard_planar_laplace
from lmdk_widgets.trajectory.model import Trajectory

LEVEL = math.log(4)
"""The privacy level within the radius where only a radius is chosen: the example of Andres et al. 2013."""

FACTOR = 2.0
"""By how much velocity-aware noise may be weaker or stronger where nothing else is chosen."""

COMMON = 90.0
"""Faster moves, and faster reports, than so many of 100 are left out of the distributions."""

FAR = 9.0
"""Widths of a kernel beyond which nothing of it is left."""

_AT = np.linspace(-FAR, FAR, 18_001)
_BELOW = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in _AT.tolist()])
"""The normal distribution function at so many places; in between it is straight to 4e-8."""

ACROSS = 50
"""Steps of the attack over a diameter."""


def clustered(trajectory: Trajectory, radius_m: float, epsilon_per_m: float, *, rng: np.random.Generator) -> Trajectory:
    """Clustering geo-indistinguishability: the last report is repeated while the true place is within a radius of it.

    Parameters
    ----------
    trajectory : n timestamps. radius_m : r, above 0. epsilon_per_m : of planar Laplace for a new report, 1/m, above 0; the
        authors take l / r. rng : of the noise.

    Returns
    -------
    The published track, with n timestamps.

    Raises
    ------
    InputError : a radius or an epsilon that is not above 0.

    Notes
    -----
    Guarantee: none for the track. A new report alone is epsilon d-private. Whether there is one depends on the true place:
    a repeat says for certain that it is within r of the report, a new report that it is not within r of the last one, and
    no epsilon bounds that. Of someone at rest, a report is drawn until one falls within r, which takes 1 / P reports on
    average, P = 1 - (1 + epsilon r) e^(-epsilon r), however long the rest.
    Cunha, Mendes and Vilela, "Clustering geo-indistinguishability for privacy of continuous location traces", ICCCS 2019.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = clustered(sample("commuter"), 200.0, LEVEL / 200.0, rng=np.random.default_rng(1))
    >>> len(found), len(np.unique(found.latitude)) < 1000
    (2016, True)
    """
    radius, rate = positive(radius_m, "radius_m"), positive(epsilon_per_m, "epsilon_per_m")
    points, moved = trajectory.points_m, standard_planar_laplace(len(trajectory), generator(rng)) / rate
    found = np.empty_like(points)
    for t, point in enumerate(points):
        stays = t > 0 and math.dist(point, found[t - 1]) <= radius
        found[t] = found[t - 1] if stays else point + moved[t]
    return _at(trajectory, found)


def repeats(published: Trajectory) -> NDArray[np.bool_]:
    """(n,) which reports of a clustered track repeat the one before."""
    places = np.stack([published.latitude, published.longitude], axis=1)
    return np.append(False, (places[1:] == places[:-1]).all(axis=1))


def find_clustered(
    published: Trajectory, radius_m: float, epsilon_per_m: float, *, timestamps: Sequence[int] | NDArray[np.intp]
) -> tuple[float, float]:
    """Where somebody rests, from a clustered track: within the radius of every repeated report, near the new ones.

    Parameters
    ----------
    published : as `clustered` returns it. radius_m, epsilon_per_m : of it, which are public. timestamps : when somebody
        rests there.

    Returns
    -------
    latitude and longitude, degrees.

    Raises
    ------
    InputError : no timestamp.

    Notes
    -----
    Guarantee: none, this is an attack. Every repeat votes for the places within the radius of its report; of those with
    most votes, the mean by the likelihood of the new reports.
    """
    radius, rate = positive(radius_m, "radius_m"), positive(epsilon_per_m, "epsilon_per_m")
    at = indices(timestamps, "timestamps", len(published))
    if not len(at):
        raise InputError("timestamps must contain at least one timestamp of the track", value="none")
    points, again = published.points_m[at], repeats(published)[at]
    if not again.any():
        return _degrees(published, geometric_median(points, np.ones(len(points))))
    kept, many = np.unique(points[again], axis=0, return_counts=True)
    step = 2 * radius / ACROSS
    middle = kept[many.argmax()]  # the place is within the radius of it, if any votes are right
    axis = np.arange(-ACROSS // 2, ACROSS // 2 + 1) * step
    places = middle + np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    votes = np.zeros(len(places))
    for place, count in zip(kept, many, strict=True):
        votes += count * (np.hypot(*(places - place).T) <= radius)
    best = places[votes == votes.max()]
    logs = np.zeros(len(best))
    for place in points[~again]:
        logs -= rate * np.hypot(*(best - place).T)
    weights = np.exp(logs - logs.max())
    return _degrees(published, weights @ best / weights.sum())


def reports_at_rest(level: float) -> float:
    """How many reports clustering makes on average of somebody at rest, with epsilon = level / r: ``1 / P``.

    Examples
    --------
    >>> round(reports_at_rest(LEVEL), 4)
    2.4788
    """
    return 1 / (1 - (1 + level) * math.exp(-level))


def velocity_budgets(
    trajectory: Trajectory, epsilon_per_m: float, factor: float = FACTOR, *, trained_on: Trajectory | None = None
) -> Floats:
    """The epsilon of each report of `velocity_aware`, from ``epsilon / factor`` to ``epsilon factor``.

    Parameters
    ----------
    trajectory, epsilon_per_m, factor, trained_on : as for `velocity_aware`.

    Returns
    -------
    (n,) 1/m; the first is epsilon.

    Raises
    ------
    InputError : an epsilon that is not above 0, or a factor below 1.
    """
    rate, most = positive(epsilon_per_m, "epsilon_per_m"), number(factor, "factor", 1.0)
    found = np.full(len(trajectory), rate)
    before = trajectory if trained_on is None else trained_on
    if len(trajectory) > 1 and len(before) > 1:
        fast, often = _moves(before)
        own_fast, own_often = _moves(trajectory)
        share = (_chance(fast, own_fast) + 1 - _chance(often, own_often)) / 2
        found[1:] = rate / most * most ** (2 * share)
    return found


def velocity_aware(
    trajectory: Trajectory,
    epsilon_per_m: float,
    factor: float = FACTOR,
    *,
    rng: np.random.Generator,
    trained_on: Trajectory | None = None,
) -> Trajectory:
    """Velocity-aware geo-indistinguishability: less noise where somebody moves fast and reports seldom.

    Parameters
    ----------
    trajectory : n timestamps. epsilon_per_m : of planar Laplace in the middle and of the first report, 1/m, above 0.
    factor : m, 1 or more. rng : of the noise. trained_on : a track whose speeds and intervals are the usual ones;
        None: the same track.

    Returns
    -------
    The published track, with n timestamps.

    Raises
    ------
    InputError : an epsilon that is not above 0, or a factor below 1.

    Notes
    -----
    The epsilon of a report is ``epsilon / m m^(F(v) + 1 - G(w))``, where v is the speed since the last timestamp in km/h, w
    the reports an hour, and F and G the distribution functions of the usual ones by Gaussian kernels, without the fastest
    tenth, of width n^(-1/5), as in the authors' program; it takes every other move, here all count.
    Guarantee: none for the track, and none for the speed. If the speeds are public, each report keeps its own epsilon d,
    and reports of one place add up. They are not: the noise depends on them, and two tracks with different speeds give a
    far report with chances whose ratio no epsilon bounds.
    Mendes, Cunha and Vilela, "Velocity-aware geo-indistinguishability", CODASPY 2023.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> budgets = velocity_budgets(sample("commuter"), 0.005)
    >>> bool(0.0025 <= budgets.min() < budgets.max() <= 0.01)
    True
    """
    budgets = velocity_budgets(trajectory, epsilon_per_m, factor, trained_on=trained_on)
    noise = standard_planar_laplace(len(trajectory), generator(rng)) / budgets[:, None]
    return _at(trajectory, trajectory.points_m + noise)


def _moves(trajectory: Trajectory) -> tuple[Floats, Floats]:
    """(n - 1,) the speed of each move, km/h, and how many such moves fit into an hour."""
    hours = np.diff(trajectory.time) / np.timedelta64(1, "s") / 3600
    far_km = np.hypot(*np.diff(trajectory.points_m, axis=0).T) / 1000
    return far_km / hours, 1 / hours


def _chance(usual: Floats, own: Floats) -> Floats:
    """The distribution function of the usual values at one's own."""
    known = np.sort(usual[usual <= np.percentile(usual, COMMON)])
    width = len(known) ** -0.2
    values, at = np.unique(own, return_inverse=True)
    below, near = (np.searchsorted(known, values + side * FAR * width) for side in (-1, 1))
    each = [
        low + np.interp((value - known[low:high]) / width, _AT, _BELOW).sum()
        for value, low, high in zip(values, below, near, strict=True)
    ]
    return np.asarray(np.array(each)[at.ravel()] / len(known))


def _degrees(trajectory: Trajectory, point: Floats) -> tuple[float, float]:
    latitude, longitude = trajectory.frame.to_degrees(point)
    return float(latitude), float(longitude)


def _at(trajectory: Trajectory, points_m: Floats) -> Trajectory:
    latitude, longitude = trajectory.frame.to_degrees(points_m)
    return replace(trajectory, latitude=np.clip(latitude, -90, 90), longitude=wrapped(longitude))

"""Where a place lies whose reports were rounded, or come from a phone's approximate location.

Both practices snap each axis to a grid by itself, so the exact posterior is a product of two, one for each axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import indices, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import METRES_PER_DEGREE, Floats, wrapped
from lmdk_widgets.practice.pieces import pieces
from lmdk_widgets.practice.publishing import GRID_M, OFFSET_M, RENEWED, cell_degrees, renewals
from lmdk_widgets.trajectory.model import Trajectory

SHARE = 0.9
"""The attacker looks in the smallest area that contains the place with this chance."""

RECEIVER_M = 10.0
"""The standard deviation of a receiver's noise on each axis, metres."""

NOISES_M = (1.0, 2.0, 4.0, 8.0, 16.0)
"""What the receiver's noise may be on each axis, metres, each as likely, where nobody says it."""

ASTRAY = {0.0: 6.0} | dict.fromkeys((0.003, 0.01, 0.03, 0.1, 0.3, 0.9), 1.0)
"""Shares of the reports that are made elsewhere, and the weight of each before: in one case of two there are none."""

ASTRAY_M = 100.0
"""The standard deviation of these on each axis, metres, as of reports anywhere within 200 m of the place."""

MIDDLE_M = 10.0
"""How far the place at which reports rest may be from the middle of the place, on each axis, metres."""

ABOUT_M, LEAVING_S = 200.0, 200.0
"""Reports within this distance are at a place; and whoever is there for so long before and after does not move."""

_POINTS = 4_000
"""The most points on an axis."""

_STEP_M = 2.0
"""The step of an axis whose noise nobody says, metres."""

_LOOKED = 60
"""Cells on each side of the area in which the attacker looks."""

_PLACE_STEP_M, _OFFSET_STEP_M, _REACH = 40.0, 15.0, 4.0
"""Steps of the grids of the filter, and how many standard deviations an offset has."""

_MOST_BESIDE = 20
"""The most diagonals on each side for which a transition matrix is kept as its diagonals."""

_NEVER = 1e-12
"""The chance of a report that the model excludes, so that one wrong report does not end the filter."""


@dataclass(frozen=True, eq=False)
class PlaceFound:
    """Where an attacker looks for a place. It is a guess, never a proof.

    Attributes
    ----------
    latitude, longitude : the mean of the posterior, degrees.
    expected_m : the distance that the attacker expects between the guess and the place, metres.
    area_m2 : the smallest area that contains the place with a chance of .9, by the posterior. Simulated tracks have their
        place in it in .84 to 1 of all cases (rounding), as the tests check.
    reports : how many were used.
    cells : (k, 2) latitude and longitude of the middles of that area's cells, degrees. cell_m : their sides, metres to the
        east and to the north.
    """

    latitude: float
    longitude: float
    expected_m: float
    area_m2: float
    reports: int
    cells: Floats
    cell_m: tuple[float, float]

    def __repr__(self) -> str:  # no coordinate
        return f"PlaceFound({self.reports} reports, within {self.expected_m:.3g} m, {self.area_m2 / 10_000:.3g} ha)"


@dataclass(frozen=True, eq=False)
class _Axis:
    """A posterior on one axis: evenly spaced points, metres, and their chances."""

    points: Floats
    chance: Floats

    @property
    def mean(self) -> float:
        return float(self.points @ self.chance)


def find_rounded(
    published: Trajectory,
    *,
    decimals: int | None = None,
    cell_m: float | None = None,
    noise_m: float | None = RECEIVER_M,
    timestamps: Iterable[int] | None = None,
) -> PlaceFound:
    """Where a place lies whose reports were rounded: ``prod_t P(cell of t | x)``, with every place x equally likely before.

    A report is the true place plus a receiver's noise, normal on each axis, and then rounded. Where the noise reaches a
    border of the cell, the shares on both sides tell how far away it is; elsewhere more reports add nothing.

    Parameters
    ----------
    published : the rounded track.
    decimals, cell_m : as for `rounded`.
    noise_m : the standard deviation of the receiver's noise on each axis, metres, 0 or more, if the reports are made at the
        place. None: they are those of someone who comes and goes, see the notes.
    timestamps : those at the place, or within 200 m of it; None: those in the cell with most reports, or with most time.

    Returns
    -------
    PlaceFound

    Raises
    ------
    InputError : no timestamp, both sizes or neither, or one out of range.

    Notes
    -----
    Guarantee: none, this is an attack. Without noise the guess is the middle of the cell, .3826 of a square's side from the
    place on average. Each axis has up to 4,000 points, a quarter of the noise apart where that is fewer.

    Someone who comes and goes is at the place where a trip starts or ends, and in a long stay: only these reports count
    (`at_rest`), as the way crosses borders that may be far from the place. A share a of them is made elsewhere within 200 m
    all the same, as where a signal is lost near home: ``prod_t ((1 - a) P(cell of t | x, s) + a P(cell of t | x, 100 m))``,
    summed over what the noise s and the share a may be; and the middle of the place may be 10 m from where reports rest.
    Without `timestamps` they are guessed by where most time passes.

    Examples
    --------
    >>> from lmdk_widgets.practice import rounded
    >>> from lmdk_widgets.trajectory import sample
    >>> found = find_rounded(rounded(sample("bob"), cell_m=1000.0), cell_m=1000.0, noise_m=0.0)
    >>> round(found.expected_m, -1)
    380.0
    """
    high, wide = cell_degrees(published.latitude, decimals=decimals, cell_m=cell_m)
    if noise_m is None:
        there = _likely_there(published, high, wide) if timestamps is None else at_rest(published, timestamps)
    else:
        there, noise_m = _used(published, timestamps), positive(noise_m, "noise_m", zero=True)
    around, low, most = _borders(published, there, high, wide)
    cells = [(low[:, k], most[:, k]) for k in (0, 1)]
    axes = [_moving_axis(*each) if noise_m is None else _rounded_axis(*each, noise_m) for each in cells]
    return _found(axes, around, len(there))


def at_rest(published: Trajectory, timestamps: Iterable[int]) -> NDArray[np.intp]:
    """The timestamps at a place at which nobody is on the way: where trips start or end, and in long stays.

    Parameters
    ----------
    published : a track. timestamps : those at the place, or within 200 m of it; at least one.

    Returns
    -------
    Ascending indices: of the given timestamps, the ends of pieces, and those that have been there for 200 s and are for
    200 s more; without any of these, the middle of each run of given timestamps.

    Raises
    ------
    InputError : no timestamp, or one out of range.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> at_rest(sample("taxi"), range(10)).tolist()  # a trip starts
    [0]
    """
    there = np.unique(_used(published, timestamps))
    seconds = (published.time - published.time[0]) / np.timedelta64(1, "s")
    first, last = np.array(pieces(published.time)).T
    apart = (np.diff(there) > 1) | np.isin(there[1:], first)
    run = np.cumsum(np.append(0, apart))
    begin, end = np.append(0, np.flatnonzero(apart) + 1), np.append(np.flatnonzero(apart), len(there) - 1)
    came = np.where(np.isin(there[begin], first), -np.inf, seconds[there[begin]] + LEAVING_S)
    left = np.where(np.isin(there[end], last), np.inf, seconds[there[end]] - LEAVING_S)
    stays = (seconds[there] >= came[run]) & (seconds[there] <= left[run])
    found = there[stays | np.isin(there, first) | np.isin(there, last)]
    return found if len(found) else there[(begin + end) // 2]


def _likely_there(published: Trajectory, high: Floats, wide: Floats) -> NDArray[np.intp]:
    """The reports of the place at which most time passes between two reports, silences included: within 200 m of it, or one
    of its cell where that is wider, as the reports beside it are not known to be of the place."""
    points = published.points_m
    sides = _metres(np.stack([wide, high], axis=1), float(published.latitude[0]))
    stayed = np.hypot(*np.diff(points, axis=0).T) <= np.hypot(*sides[1:].T) + 3 * RECEIVER_M
    _, first, which = np.unique(points, axis=0, return_index=True, return_inverse=True)
    long = np.where(stayed, np.diff(published.time) / np.timedelta64(1, "s"), 0.0)
    spent = sum(np.bincount(which.ravel()[part], long, len(first)) for part in (slice(-1), slice(1, None)))
    longest = int(first[spent == np.max(spent)].min())
    if sides[longest].max() > ABOUT_M:
        return np.array([longest])
    return at_rest(published, np.flatnonzero(np.hypot(*(points - points[longest]).T) <= ABOUT_M))


def find_approximate(published: Trajectory, *, timestamps: Iterable[int] | None = None) -> PlaceFound:
    """Where a place lies from a phone's approximate locations: an exact filter over (place, offset), an axis at a time.

    The place stays, the offset is renewed every hour as in `approximate`; a report says in which cell their sum is. This is
    more than an intersection of what single nights allow.

    Parameters
    ----------
    published : by `approximate`, all its timestamps.
    timestamps : those at the place, if the attacker knows them; None: those in the cell with most reports.

    Returns
    -------
    PlaceFound

    Raises
    ------
    InputError : no timestamp.

    Notes
    -----
    Guarantee: none, this is an attack. Every place is equally likely before. Reports of one hour share their offset, so the
    most frequent of them is used. The grids have steps of 40 m for the place and of 15 m for the offset, as much as an hour
    moves it; a report counts by the share of its cell that they have in common.

    Examples
    --------
    >>> from lmdk_widgets.practice import approximate
    >>> from lmdk_widgets.trajectory import sample
    >>> found = find_approximate(approximate(sample("bob"), rng=np.random.default_rng(1)), timestamps=[0])
    >>> found.reports, 800 < found.expected_m < 1000
    (1, True)
    """
    high, wide = cell_degrees(published.latitude, cell_m=GRID_M)
    there = _hourly(published, _used(published, timestamps))
    around, low, most = _borders(published, there, high, wide)
    hours = renewals(published.time)[there]
    axes = [_followed(low[:, k], most[:, k], hours) for k in (0, 1)]
    return _found(axes, around, len(there))


def _used(published: Trajectory, timestamps: Iterable[int] | None) -> NDArray[np.intp]:
    """The timestamps of the place; by default those at the most frequent published place, the first of ties."""
    if timestamps is not None:
        there = indices(timestamps, "timestamps", len(published))
        if not len(there):
            raise InputError("timestamps must contain at least one timestamp at the place", value="none")
        return there
    places = np.stack([published.latitude, published.longitude], axis=1)
    _, first, which, many = np.unique(places, axis=0, return_index=True, return_inverse=True, return_counts=True)
    fullest = min(np.flatnonzero(many == many.max()), key=lambda k: first[k])
    return np.flatnonzero(which.ravel() == fullest)


def _hourly(published: Trajectory, there: NDArray[np.intp]) -> NDArray[np.intp]:
    """One timestamp for each hour: one at its most frequent place."""
    hours = renewals(published.time)[there]
    kept = []
    for hour in np.unique(hours):
        some = there[hours == hour]
        places = np.stack([published.latitude[some], published.longitude[some]], axis=1)
        _, first, many = np.unique(places, axis=0, return_index=True, return_counts=True)
        kept.append(int(some[first[many.argmax()]]))
    return np.array(kept, np.intp)


def _borders(
    published: Trajectory, there: NDArray[np.intp], high: Floats, wide: Floats
) -> tuple[tuple[float, float], Floats, Floats]:
    """A point in degrees, and (k, 2) the lowest and the highest x and y of each report's cell in metres from it."""
    latitude, longitude = published.latitude[there], published.longitude[there]
    around = float(latitude[0]), float(longitude[0])
    east = (longitude - around[1] + 180.0) % 360.0 - 180.0  # across the date line
    middle = _metres(np.stack([east, latitude - around[0]], axis=1), around[0])
    half = _metres(np.stack([wide[there], high[there]], axis=1), around[0]) / 2
    return around, middle - half, middle + half


def _metres(degrees: Floats, latitude: float) -> Floats:
    """(k, 2) degrees of longitude and latitude as metres at a latitude."""
    return degrees * METRES_PER_DEGREE * (max(math.cos(math.radians(latitude)), 1e-6), 1.0)


def _rounded_axis(low: Floats, high: Floats, noise_m: float) -> _Axis:
    """The posterior on one axis of reports in cells from `low` to `high`, (k,) metres."""
    bounds, many = np.unique(np.stack([low, high], axis=1).round(6), axis=0, return_counts=True)
    beyond = 4 * noise_m
    first, last = float(bounds.min()) - beyond, float(bounds.max()) + beyond
    fine = min(float((high - low).min()) / 200, noise_m / 4 or math.inf)
    n = min(max(math.ceil((last - first) / fine), 200), _POINTS)
    points = first + (np.arange(n) + 0.5) * (last - first) / n
    logs = np.zeros(n)
    for (a, b), count in zip(bounds.tolist(), many.tolist(), strict=True):
        logs += count * np.log(np.maximum(_between(points, a, b, noise_m), _NEVER))
    return _Axis(points, _normal(np.exp(logs - logs.max())))


def _moving_axis(low: Floats, high: Floats) -> _Axis:
    """The same of somebody who comes and goes: over what the noise and the share of reports made elsewhere may be."""
    if (high - low).max() < _STEP_M:  # cells that the points do not resolve
        low = np.floor((low + high) / 2 / _STEP_M) * _STEP_M
        high = low + _STEP_M
    bounds, many = np.unique(np.stack([low, high], axis=1).round(6), axis=0, return_counts=True)
    beyond = 4 * ASTRAY_M
    first, last = float(bounds.min()) - beyond, float(bounds.max()) + beyond
    n = min(max(math.ceil((last - first) / _STEP_M), 200), _POINTS)
    points = first + (np.arange(n) + 0.5) * (last - first) / n
    astray, likely = np.array([*ASTRAY])[:, None], np.array([*ASTRAY.values()])[:, None]
    logs = np.zeros((len(NOISES_M), len(astray), n))
    for (a, b), count in zip(bounds.tolist(), many.tolist(), strict=True):
        far = astray * _between(points, a, b, ASTRAY_M)
        for k, noise_m in enumerate(NOISES_M):
            logs[k] += count * np.log(np.maximum((1 - astray) * _between(points, a, b, noise_m) + far, _NEVER))
    return _blurred(_Axis(points, _normal((likely * np.exp(logs - logs.max())).sum(axis=(0, 1)))), MIDDLE_M)


def _blurred(axis: _Axis, spread_m: float) -> _Axis:
    """The posterior of something normal around what an axis is about."""
    step = float(axis.points[1] - axis.points[0])
    more = math.ceil(4 * spread_m / step)
    kernel = np.exp(-0.5 * (np.arange(-more, more + 1) * step / spread_m) ** 2)
    around = np.arange(-more, len(axis.points) + more)
    return _Axis(axis.points[0] + around * step, _normal(np.convolve(axis.chance, kernel)))


def _followed(low: Floats, high: Floats, hours: NDArray[np.int64]) -> _Axis:
    """The posterior on one axis of the place, of one report an hour whose place plus offset is from `low` to `high`."""
    reach = _REACH * OFFSET_M
    offsets = np.arange(-reach, reach + _OFFSET_STEP_M / 2, _OFFSET_STEP_M)
    points = np.arange(float(low.min()) - reach, float(high.max()) + reach + _PLACE_STEP_M, _PLACE_STEP_M)
    sums = points[:, None] + offsets[None]
    beliefs = np.repeat(_normal(np.exp(-0.5 * (offsets / OFFSET_M) ** 2))[None], len(points), axis=0)
    moves: dict[int, Floats | list[tuple[int, Floats]]] = {}
    width = math.hypot(_PLACE_STEP_M, _OFFSET_STEP_M)
    for k, gap in enumerate(np.diff(hours, prepend=hours[0]).tolist()):
        if gap:
            if gap not in moves:
                moves[gap] = _renewed(offsets, gap)
            beliefs = _moved_on(beliefs, moves[gap])
        inside = np.clip((sums - low[k]) / width + 0.5, 0, 1) - np.clip((sums - high[k]) / width + 0.5, 0, 1)
        beliefs = _normal(beliefs * np.maximum(inside, _NEVER))
    return _Axis(points, beliefs.sum(axis=1))


def _renewed(offsets: Floats, times: int) -> Floats | list[tuple[int, Floats]]:
    """The transition matrix of an offset that is renewed so many times, rows in, columns out; of a few times its diagonals,
    each with its number, as the others are 0 but for 1e-6."""
    kept = (1 - RENEWED**2) ** (times / 2)
    away = (offsets[None] - kept * offsets[:, None]) / (OFFSET_M * math.sqrt(1 - kept**2))
    moves = np.exp(-0.5 * away**2)
    moves /= moves.sum(axis=1, keepdims=True)
    beside = math.ceil(5 * OFFSET_M * math.sqrt(1 - kept**2) / _OFFSET_STEP_M) + 1
    if beside > _MOST_BESIDE:
        return moves
    return [(k, np.diagonal(moves, k).copy()) for k in range(-beside, beside + 1)]


def _moved_on(beliefs: Floats, moves: Floats | list[tuple[int, Floats]]) -> Floats:
    """Beliefs, a row for each place, after offsets have moved."""
    if not isinstance(moves, list):
        return beliefs @ moves
    found, n = np.zeros_like(beliefs), beliefs.shape[1]
    for k, chances in moves:
        from_, to = slice(max(-k, 0), n - max(k, 0)), slice(max(k, 0), n - max(-k, 0))
        found[:, to] += beliefs[:, from_] * chances
    return found


def _between(points: Floats, low: float, high: float, noise_m: float) -> Floats:
    """The chance that each point plus noise is from `low` to `high`."""
    if noise_m == 0:
        return ((points > low) & (points < high)).astype(float)
    # from the side that is nearer, so that small chances keep their digits
    a, b = (low - points) / noise_m, (high - points) / noise_m
    flip = a > 0
    a, b = np.where(flip, -b, a), np.where(flip, -a, b)
    return np.maximum(_below(b) - _below(a), 0)


def _below(z: Floats) -> Floats:
    """The standard normal distribution function."""
    return np.array([0.5 * math.erfc(-one / math.sqrt(2)) for one in z.tolist()])


def _normal(chance: Floats) -> Floats:
    found: Floats = chance / chance.sum()
    return found


def _found(axes: list[_Axis], around: tuple[float, float], reports: int) -> PlaceFound:
    """The guess, and the area in which the attacker looks, of the posteriors to the east and to the north."""
    (x, px), (y, py) = (_coarse(axis) for axis in axes)
    guess = axes[0].mean, axes[1].mean
    both = px[:, None] * py[None]
    expected = float((np.hypot((x - guess[0])[:, None], (y - guess[1])[None]) * both).sum())
    likeliest = np.argsort(-both.ravel(), kind="stable")
    total = np.cumsum(both.ravel()[likeliest])
    looked = likeliest[: int(np.searchsorted(total, SHARE * total[-1])) + 1]
    sides = float(x[1] - x[0]), float(y[1] - y[0])
    at = np.stack(np.unravel_index(looked, both.shape), axis=1)
    middles = np.stack([x[at[:, 0]], y[at[:, 1]]], axis=1)
    latitude, longitude = _degrees(np.concatenate([[guess], middles]), around)
    area = len(looked) * sides[0] * sides[1]
    cells = np.stack([latitude[1:], longitude[1:]], axis=1)
    return PlaceFound(float(latitude[0]), float(longitude[0]), expected, area, reports, cells, sides)


def _coarse(axis: _Axis) -> tuple[Floats, Floats]:
    """About `_LOOKED` cells over what is likely of an axis: their middles and their chances."""
    total = np.cumsum(axis.chance)
    first, last = np.searchsorted(total, (1e-4, 1 - 1e-4)).tolist()
    step = float(axis.points[1] - axis.points[0])
    width = max((last - first + 1) * step / _LOOKED, step)
    low = float(axis.points[first]) - step / 2
    n = math.ceil((last - first + 1) * step / width - 1e-9)
    edges = low + width * np.arange(max(n, 2) + 1)
    below = np.interp(edges, np.concatenate([axis.points[:1] - step / 2, axis.points + step / 2]), [0.0, *total])
    return (edges[1:] + edges[:-1]) / 2, np.diff(below)


def _degrees(places: Floats, around: tuple[float, float]) -> tuple[Floats, Floats]:
    """(k, 2) metres from a point as latitude and longitude, (k,) each."""
    x, y = (places / _metres(np.ones((1, 2)), around[0])).T
    return np.clip(around[0] + y, -90, 90), wrapped(np.clip(around[1] + x, -540, 540))

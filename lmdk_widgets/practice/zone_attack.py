"""Finding the centre of a privacy zone, or a home whose ends were cut off: each end of a piece votes for a ring of places.

Hassan, Hussain and Bates (USENIX Security 2018) located 95 % of the moderately active people with such zones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import indices, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.practice.pieces import NOISE_M, ends_of, straightness, usual_speed
from lmdk_widgets.trajectory.model import Trajectory

OFFERED_M = (200.0, 400.0, 600.0, 800.0, 1_000.0, 1_200.0, 1_400.0, 1_600.0)
"""The radii that people can choose."""

FINEST_M, RINGS, ACROSS = 10.0, 40, 100
"""Places are cells of this size, or of this fraction of the radius; or of this fraction of how far three in four ends vote,
so that sparse points do not ask for millions of cells."""

MOST_REACH = 400
"""An end that votes for places farther than so many cells is left out: its vote excludes next to nothing."""

MOST_VOTES = 20_000_000
"""About the most cells for which all ends vote together; of more ends the cells are larger."""

MOST_SEPARATED = 20_000
"""The most equal cells that are joined to places; beyond that each counts."""

NEARLY = 0.85
"""A place with this share of the most votes is among those where the attacker looks."""

_TILE = 256
"""Cells on the side of a tile in which votes are counted."""

_AT_ONCE = 2_000_000
"""How many pairs of places and points are compared at a time."""


@dataclass(frozen=True, eq=False)
class ZoneFound:
    """Where an attacker looks for the centre of a zone. It is a guess, never a proof.

    Attributes
    ----------
    latitude, longitude : the guess, degrees.
    radius_m : of the zone, given or found. offset_m : how far the place may be from the zone's centre.
    area_m2 : the area in which the attacker looks: cells with at least .85 of the most votes, and with an offset all cells
        within it of these.
    ends : the ends of pieces that could vote. votes : the most that agree.
    equal_places : separate places with as many votes as the guess, the guess included.
    cells : (k, 2) latitude and longitude of the middles of the cells with these votes, degrees. cell_m : their side, metres.
    voters : timestamps of the published track at the ends that voted for the guess.
    step_m : how far from a typical end the next point would have been, metres.
    """

    latitude: float
    longitude: float
    radius_m: float
    offset_m: float
    area_m2: float
    ends: int
    votes: int
    equal_places: int
    cells: Floats
    cell_m: float
    voters: tuple[int, ...]
    step_m: float

    @property
    def too_far_apart(self) -> bool:
        """Whether the points are too far apart for this attack: a typical step is above half the radius."""
        return self.step_m > self.radius_m / 2

    def __repr__(self) -> str:  # no coordinate
        hectares = self.area_m2 / 10_000
        return (
            f"ZoneFound({self.votes} of {self.ends} ends agree on {hectares:.3g} ha, {self.equal_places} such places)"
        )


@dataclass(frozen=True, eq=False)
class _Voting:
    """What ends vote for: (k,) timestamps of ends, (k, 2) where they are, and (k,) the rings' radii, all metres; `struck_m`:
    a place with a published point nearer than this is impossible."""

    ends: NDArray[np.int64]
    points: Floats
    low: Floats
    high: Floats
    steps: Floats
    radius_m: float
    cell_m: float
    struck_m: float


def find_zone(
    published: Trajectory,
    radius_m: float | None = None,
    *,
    silences: Iterable[int] | None = None,
    offset_m: float = 0.0,
    noise_m: float = NOISE_M,
) -> ZoneFound:
    """Guesses the centre of a privacy zone from a published track, by votes.

    On a grid of max(10 m, r / 40), coarser where points are far apart, an end e of a piece votes for the places c with
    ``r - 15 m < |e - c| <= r + s``, where s is the end's step. A place with a published point nearer than r - 15 m is struck
    out. The guess is the cell with the most votes that is nearest to their mean. The 15 m are half a cell's diagonal where
    that is more, so that a place in the corner of a cell has its votes. An end whose step is longer than hundreds of cells
    has no vote.

    Parameters
    ----------
    published : the track without the points in the zone.
    radius_m : of the zone, metres, above 0; None: the offered radius with the most votes.
    silences : timestamps of the published track beside the zone's silences, if the attacker knows which these are
        (`zone_silences`); None: the ends of all pieces vote.
    offset_m : how far the zone's centre may have been moved from the place, metres.
    noise_m : how far a published point may be from the true one, metres, at least 15: half a diagonal where points are
        rounded.

    Returns
    -------
    ZoneFound

    Raises
    ------
    InputError : a length or a timestamp out of range; no end that can vote; every place has a published point in its zone.

    Notes
    -----
    Guarantee: none, this is an attack. It is weak where points are far apart: see `ZoneFound.too_far_apart`.
    Hassan, Hussain and Bates, "Analysis of privacy protections in fitness tracking social networks" (USENIX Security 2018).

    Examples
    --------
    >>> from lmdk_widgets.practice import zone
    >>> from lmdk_widgets.trajectory import sample
    >>> taxi = sample("taxi")
    >>> published = zone(taxi, [(taxi.latitude[0], taxi.longitude[0])], 400.0)
    >>> found = find_zone(published, 400.0)
    >>> found.votes > 2, found.too_far_apart
    (True, False)
    """
    offset_m = positive(offset_m, "offset_m", zero=True)
    radii = OFFERED_M if radius_m is None else (positive(radius_m, "radius_m"),)
    ends, steps = _voters(published, silences)
    more = max(positive(noise_m, "noise_m") - NOISE_M, 0.0)
    return _best(published, ends, steps + more, radii, offset_m, NOISE_M + more)


def find_zones(
    published: Trajectory, radius_m: float | None = None, *, most: int = 3, offset_m: float = 0.0
) -> list[ZoneFound]:
    """Guesses the centres of several zones, the one with the most votes first: each follows without the ends that voted.

    Parameters
    ----------
    published, radius_m, offset_m : as for `find_zone`, which all ends of pieces ask. most : zones, at least 1.

    Returns
    -------
    At most `most` guesses, each with two votes or more; the first in any case. One radius is found for all of them.

    Raises
    ------
    InputError : as `find_zone`.

    Examples
    --------
    >>> from lmdk_widgets.practice import zone
    >>> from lmdk_widgets.trajectory import sample
    >>> taxi = sample("taxi")
    >>> published = zone(taxi, [(taxi.latitude[0], taxi.longitude[0])], 400.0)
    >>> [found.votes for found in find_zones(published, 400.0, most=2)][0] == find_zone(published, 400.0).votes
    True
    """
    most, offset_m = whole(most, "most"), positive(offset_m, "offset_m", zero=True)
    found = [find_zone(published, radius_m, offset_m=offset_m)]
    ends, steps = _voters(published, None)
    while len(found) < most:
        left = ~np.isin(ends, found[-1].voters)
        ends, steps = ends[left], steps[left]
        try:
            then = _best(published, ends, steps, (found[0].radius_m,), offset_m)
        except InputError:
            break
        if then.votes < 2:
            break
        found.append(then)
    return found


def find_cut_ends(
    published: Trajectory,
    metres: float | None = None,
    *,
    minutes: float | None = None,
    ends: Iterable[int] | None = None,
    noise_m: float = NOISE_M,
) -> ZoneFound:
    """Guesses a place from a track whose pieces have lost their first and last part: the votes of `find_zone` for rings with
    the length along the way, as straight as the way was.

    Straightness is the distance between two points of the same piece, that far apart along the way, divided by that length;
    the ring reaches from its 10 % to its 90 % quantile.

    Parameters
    ----------
    published : the track without its ends.
    metres : what was cut off, along the way; minutes : or the time, which is turned into a length by the 90 % quantile of
        the speeds beside the end. One of the two.
    ends : timestamps at which a piece starts or ends at the place, if the attacker knows these; None: all ends vote.
    noise_m : as for `find_zone`.

    Returns
    -------
    ZoneFound
        `radius_m` is the length along the way (a typical one where minutes were cut).

    Raises
    ------
    InputError : both lengths or neither, one out of range, or no end that can vote.

    Notes
    -----
    Guarantee: none, this is an attack. A published point may be near the place, so none strikes it out.

    Examples
    --------
    >>> from lmdk_widgets.practice import cut_ends
    >>> from lmdk_widgets.trajectory import sample
    >>> find_cut_ends(cut_ends(sample("taxi"), 300.0), 300.0).radius_m
    300.0
    """
    if (metres is None) == (minutes is None):
        raise InputError("Give either metres or minutes", value="both" if metres is not None else "neither")
    at, steps = _voters(published, ends)
    if metres is not None:
        lengths = np.full(len(at), positive(metres, "metres"))
    else:
        lengths = usual_speed(published, at) * positive(minutes, "minutes") * 60
    bent = straightness(published, at, lengths)
    more = max(positive(noise_m, "noise_m") - NOISE_M, 0.0)
    steps, length = steps + more, float(np.median(lengths))
    high = lengths * bent[:, 1] + steps
    near, cell = _near(high, cell_side_m(length, steps))
    at, steps, high, lengths, bent = at[near], steps[near], high[near], lengths[near], bent[near]
    slack = max(NOISE_M + more, cell / math.sqrt(2))
    low = np.maximum(lengths * bent[:, 0] - slack, 0)
    voting = _Voting(at, published.points_m[at], low, high, steps, length, cell, 0.0)
    found = _voted(published, voting)
    if found is None:
        raise InputError("The ends of the published track allow no place")
    return found


def zone_silences(trajectory: Trajectory, published: Trajectory) -> tuple[int, ...]:
    """The timestamps of a published track beside which points were left out: for someone who recognises these silences.

    Parameters
    ----------
    trajectory : the true track. published : some of its timestamps.

    Returns
    -------
    Indices into the published track, ascending.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = sample("bob")
    >>> zone_silences(bob, bob[[0, 1, 4, 5]])
    (1, 2, 3)
    """
    kept = np.searchsorted(trajectory.time, published.time)
    skipped = np.diff(kept, prepend=-1, append=len(trajectory)) > 1
    return tuple(np.flatnonzero(skipped[:-1] | skipped[1:]).tolist())


def cell_side_m(radius_m: float, steps: Floats) -> float:
    """The side of the cells in which ends with these steps (k,) vote, metres.

    Examples
    --------
    >>> cell_side_m(400.0, np.array([30.0])), cell_side_m(800.0, np.array([30.0])), cell_side_m(400.0, np.array([9_600.0]))
    (10.0, 20.0, 100.0)
    """
    return max(FINEST_M, radius_m / RINGS, (radius_m + float(np.quantile(steps, 0.75))) / ACROSS)


def _near(high: Floats, cell_m: float) -> tuple[NDArray[np.bool_], float]:
    """Which ends vote, of those that vote up to `high` (k,) metres away, and the side of the cells in which they do."""
    near = high <= max(MOST_REACH * cell_m, float(high.min()))
    return near, max(cell_m, 2 * float(np.sqrt((high[near] ** 2).sum() / MOST_VOTES)))


def _voters(published: Trajectory, known: Iterable[int] | None) -> tuple[NDArray[np.int64], Floats]:
    """The ends that vote, (k,) timestamps and (k,) steps in metres."""
    ends, steps = ends_of(published)
    if known is not None:
        voting = np.isin(ends, indices(known, "silences", len(published)))
        ends, steps = ends[voting], steps[voting]
    if not len(ends):
        raise InputError("No piece of the published track ends at a silence: there is nothing to vote with")
    return ends, steps


def _best(
    published: Trajectory,
    ends: NDArray[np.int64],
    steps: Floats,
    radii: Iterable[float],
    offset_m: float,
    noise_m: float = NOISE_M,
) -> ZoneFound:
    """The guess at the radius with the most votes, the smallest of ties."""
    found = []
    for radius in radii if len(ends) else ():
        near, cell = _near(radius + steps, cell_side_m(radius, steps))
        voters, step = ends[near], steps[near]
        low = max(radius - max(noise_m, cell / math.sqrt(2)), 0.0)  # the place may be in the corner of its cell
        rings = np.full(len(voters), low), radius + step
        voting = _Voting(voters, published.points_m[voters], *rings, step, radius, cell, low)
        if (voted := _voted(published, voting, offset_m)) is not None:
            found.append(voted)
    if not found:
        raise InputError("Every place that the ends allow has a published point in its zone: this radius is not theirs")
    return max(found, key=lambda each: each.votes)


def _voted(published: Trajectory, voting: _Voting, offset_m: float = 0.0) -> ZoneFound | None:
    """The guess of these votes; None: published points strike out every place."""
    cell = voting.cell_m
    keys, votes = ballot(voting.points, voting.low, voting.high, cell)
    points: Floats = published.points_m[np.argsort(published.points_m[:, 0])]
    most, best = 0, keys[:0]
    for level in range(int(votes.max(initial=0)), 0, -1):
        some = keys[votes == level]
        best = some[~_struck_out(_middles(some, cell), points, voting.struck_m)]
        if len(best):
            most = level
            break
    if not most:
        return None
    enough = keys[(votes >= min(math.ceil(NEARLY * most - 1e-9), max(most - 1, 1))) & (votes < most)]
    enough = np.concatenate([best, enough[~_struck_out(_middles(enough, cell), points, voting.struck_m)]])
    middles = _middles(best, cell)
    guess = middles[np.hypot(*(middles - middles.mean(axis=0)).T).argmin()]
    far = np.hypot(*(voting.points - guess).T)
    latitude, longitude = published.frame.to_degrees(np.concatenate([guess[None], _middles(enough, cell)]))
    return ZoneFound(
        float(latitude[0]),
        float(longitude[0]),
        voting.radius_m,
        offset_m,
        float(_spread(enough, offset_m / cell) * cell**2),
        len(voting.ends),
        most,
        separate(best),
        np.stack([latitude[1:], longitude[1:]], axis=1),
        cell,
        tuple(voting.ends[(far > voting.low) & (far <= voting.high)].tolist()),
        float(np.median(voting.steps)),
    )


def ballot(ends_m: Floats, low: Floats, high: Floats, cell_m: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The votes of ends for cells: each for the cells whose middles are farther than `low` and at most `high` from it.

    Parameters
    ----------
    ends_m : (k, 2) metres. low, high : (k,) metres, 0 or more. cell_m : the side of the cells, whose middles are multiples.

    Returns
    -------
    keys : (m, 2) column and row of the cells with a vote. votes : (m,) at least 1.

    Examples
    --------
    >>> keys, votes = ballot(np.array([[0.0, 0.0], [20.0, 0.0]]), np.full(2, 5.0), np.full(2, 10.0), 10.0)
    >>> keys[votes == 2].tolist()
    [[1, 0]]
    """
    tiles: dict[tuple[int, int], NDArray[np.int32]] = {}
    for end, least, most in zip(ends_m, low, high, strict=True):
        first, last = np.ceil((end - most) / cell_m).astype(int), np.floor((end + most) / cell_m).astype(int)
        for left in range(int(first[0]) // _TILE, int(last[0]) // _TILE + 1):
            x = np.arange(left * _TILE, (left + 1) * _TILE) * cell_m - end[0]
            for lower in range(int(first[1]) // _TILE, int(last[1]) // _TILE + 1):
                y = np.arange(lower * _TILE, (lower + 1) * _TILE) * cell_m - end[1]
                square = (x**2)[:, None] + (y**2)[None]
                counted = tiles.setdefault((left, lower), np.zeros((_TILE, _TILE), np.int32))
                counted += (square > least**2) & (square <= most**2)
    keys, votes = [np.empty((0, 2), np.int64)], [np.empty(0, np.int64)]
    for tile, counted in sorted(tiles.items()):
        at = np.argwhere(counted)
        keys.append(at + np.array(tile) * _TILE)
        votes.append(counted[counted > 0].astype(np.int64))
    return np.concatenate(keys), np.concatenate(votes)


def separate(cells: NDArray[np.int64]) -> int:
    """How many pieces cells (k, 2) form in which each touches another one, at a side or a corner.

    Examples
    --------
    >>> separate(np.array([[0, 0], [1, 1], [5, 5]]))
    2
    """
    if len(cells) > MOST_SEPARATED:
        return len(cells)
    left = set(map(tuple, cells.tolist()))
    count = 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            column, row = edge.pop()
            beside = {(column + a, row + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} & left
            left -= beside
            edge += beside
    return count


def _spread(cells: NDArray[np.int64], reach: float) -> int:
    """How many cells are within `reach`, in sides of a cell, of some of these."""
    if reach < 1:
        return len(cells)
    ordered = cells[np.lexsort((cells[:, 1], cells[:, 0]))]
    apart = np.flatnonzero((np.diff(ordered[:, 0]) != 0) | (np.diff(ordered[:, 1]) != 1))
    first, last = ordered[np.append(0, apart + 1)], ordered[np.append(apart, len(ordered) - 1)]  # of runs of cells
    columns = np.arange(-math.floor(reach), math.floor(reach) + 1)
    wide = np.floor(np.sqrt(reach**2 - columns**2)).astype(np.int64)
    column = (first[:, :1] + columns).ravel()
    low, high = (first[:, 1:] - wide).ravel(), (last[:, 1:] + wide).ravel()
    span = (column - column.min()) * (int(high.max()) - int(low.min()) + 2)  # one line, a column after the other
    low, high = low + span, high + span
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    covered = np.append(low[0] - 1, np.maximum.accumulate(high)[:-1])
    return int(np.maximum(high - np.maximum(low - 1, covered), 0).sum())


def _middles(keys: NDArray[np.int64], cell_m: float) -> Floats:
    """The middles of cells, (k, 2) metres."""
    return keys.astype(float) * cell_m


def _struck_out(places: Floats, points: Floats, nearer_m: float) -> NDArray[np.bool_]:
    """Which places (k, 2) have a point nearer than this; points are in the order of x."""
    out = np.zeros(len(places), bool)
    if nearer_m <= 0:
        return out
    first = np.searchsorted(points[:, 0], places[:, 0] - nearer_m)
    last = np.searchsorted(points[:, 0], places[:, 0] + nearer_m)
    few = points[:: max(len(points) // 200, 1)]
    if int((last - first).sum()) > len(few) * len(places):  # any of many points strikes out most places
        for start in range(0, len(places), max(_AT_ONCE // len(few), 1)):
            some = slice(start, start + max(_AT_ONCE // len(few), 1))
            out[some] = (((places[some, None] - few[None]) ** 2).sum(axis=2) < nearer_m**2).any(axis=1)
    left = np.flatnonzero(~out)
    first, last = first[left], last[left]
    beside = last > first
    left, first, many = left[beside], first[beside], (last - first)[beside]
    total = np.cumsum(many)
    start = 0
    while start < len(left):  # pairs of places and the points with nearly their x, some at a time
        before = int(total[start - 1]) if start else 0
        stop = max(int(np.searchsorted(total, before + _AT_ONCE)), start + 1)
        which, number = np.repeat(left[start:stop], many[start:stop]), total[start:stop] - many[start:stop] - before
        at = np.arange(len(which)) + np.repeat(first[start:stop] - number, many[start:stop])
        near = ((points[at] - places[which]) ** 2).sum(axis=1) < nearer_m**2
        out[which[near]] = True
        start = stop
    return out

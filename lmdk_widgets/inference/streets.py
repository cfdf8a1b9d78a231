"""A network of streets: where lines meet, how long routes along them are, and a reader's model of movement along them.

Map matching assigns reports to streets by a hidden Markov model (Newson and Krumm, "Hidden Markov map matching through noise
and sparseness", SIGSPATIAL 2009). Theirs are states on streets, moves that follow routes and avoid detours, and the
likeliest path (`likeliest_path` finds it here too). Not theirs: they take the candidates near each report, Gaussian noise
of some metres, and compare a route with the distance between two *reports*, which noise of hundreds of metres makes
meaningless. Here the states are points at equal intervals on all streets, the likelihood is the exact one of the noise,
a detour is measured from the distance between two *states*, and the estimate has the smallest expected error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

TOLERANCE_M = 1.0
"""Vertices no farther apart are one, and a line that ends as near to another one joins it."""

SLICE = 50_000_000
"""Numbers that are processed before routes let others have a turn: about a tenth of a second."""


@dataclass(frozen=True, eq=False)
class StreetNetwork:
    """Streets between junctions, which are crossings and dead ends.

    Attributes
    ----------
    ends : (e, 2) the junctions at which each street begins and ends. ways : e arrays (k, 2), metres, the points of each.
    lengths : (e,) metres. junctions : how many there are.
    """

    ends: NDArray[np.intp]
    ways: tuple[Floats, ...]
    lengths: Floats
    junctions: int

    @property
    def total_m(self) -> float:
        """The length of all streets, metres."""
        return float(self.lengths.sum())


@dataclass(frozen=True, eq=False)
class StreetPoints:
    """m points at equal intervals along the streets of a network, taken as one after the other.

    Attributes
    ----------
    places : (m, 2) metres. street : (m,) the street of each. along : (m,) metres from where it begins.
    every_m : metres of street for which each stands.
    """

    places: Floats
    street: NDArray[np.intp]
    along: Floats
    every_m: float


def network(lines: Sequence[Floats], tolerance_m: float = TOLERANCE_M) -> StreetNetwork:
    """The network of these lines: they meet where they share a vertex, and where one ends on another.

    Parameters
    ----------
    lines : arrays (k, 2), metres. tolerance_m : vertices no farther apart are one, above 0.

    Raises
    ------
    InputError : no line of any length, a tolerance that is not above 0.

    Notes
    -----
    Lines that cross without a common vertex, as at a bridge, do not meet. Chains of near vertices become one: A with B and
    B with C makes A, B and C one vertex.

    Examples
    --------
    >>> cross = network([np.array([[0.0, 0], [100, 0], [200, 0]]), np.array([[100.0, -50], [100, 0.5], [100, 80]])])
    >>> cross.junctions, sorted(cross.lengths.round(1).tolist())
    (5, [50.0, 80.0, 100.0, 100.0])
    """
    tolerance = positive(tolerance_m, "tolerance_m")
    lines = _joined([np.asarray(line, float) for line in lines if len(line) > 1], tolerance)
    points = np.concatenate(lines) if lines else np.empty((0, 2))
    named = _merged(points, tolerance)
    place = {name: points[k] for k, name in reversed(list(enumerate(named)))}
    near: dict[int, set[int]] = {}
    first = 0
    for line in lines:
        for a, b in pairwise(named[first : first + len(line)]):
            if a != b:
                near.setdefault(a, set()).add(b)
                near.setdefault(b, set()).add(a)
        first += len(line)
    if not near:
        raise InputError("Streets must contain a line of some length", value="none")
    chains = list(_chains({name: sorted(others) for name, others in near.items()}))
    number = {name: k for k, name in enumerate(sorted({end for chain in chains for end in (chain[0], chain[-1])}))}
    ways = tuple(np.array([place[name] for name in chain]) for chain in chains)
    lengths = np.array([np.hypot(*np.diff(way, axis=0).T).sum() for way in ways])
    ends = np.array([(number[chain[0]], number[chain[-1]]) for chain in chains])
    return StreetNetwork(ends, ways, lengths, len(number))


def _joined(lines: list[Floats], tolerance: float) -> list[Floats]:
    """The lines with a vertex wherever the end of a line lies on them."""
    if not lines:
        return []
    start, end = (np.concatenate([line[some] for line in lines]) for some in (slice(None, -1), slice(1, None)))
    step = end - start
    squared = np.maximum((step**2).sum(axis=1), 1e-12)
    cuts: dict[int, list[tuple[float, Floats]]] = {}
    for point in np.unique(np.concatenate([line[[0, -1]] for line in lines]), axis=0):
        share = ((point - start) * step).sum(axis=1) / squared
        off = np.hypot(*(start + np.clip(share, 0, 1)[:, None] * step - point).T)
        inner = np.minimum(share, 1 - share) * np.sqrt(squared) > tolerance
        for k in np.flatnonzero((off <= tolerance) & inner).tolist():
            cuts.setdefault(k, []).append((float(share[k]), point))
    found, first = [], 0
    for line in lines:
        pieces = []
        for k in range(len(line) - 1):
            pieces += [line[k], *(point for _, point in sorted(cuts.get(first + k, []), key=lambda cut: cut[0]))]
        found.append(np.array([*pieces, line[-1]]))
        first += len(line) - 1
    return found


def _merged(points: Floats, tolerance: float) -> list[int]:
    """For each point the first one of those that are one vertex with it."""
    first = list(range(len(points)))

    def root(k: int) -> int:
        while first[k] != k:
            first[k] = first[first[k]]
            k = first[k]
        return k

    boxes: dict[tuple[int, int], list[int]] = {}
    spots = points.tolist()
    for k, (x, y) in enumerate(spots):
        column, row = int(x // tolerance), int(y // tolerance)
        for side in range(9):
            for other in boxes.get((column + side % 3 - 1, row + side // 3 - 1), ()):
                if math.dist(spots[other], (x, y)) <= tolerance:
                    a, b = sorted((root(k), root(other)))
                    first[b] = a
        boxes.setdefault((column, row), []).append(k)
    return [root(k) for k in range(len(points))]


def _chains(near: dict[int, list[int]]) -> Iterator[list[int]]:
    """The vertices of each street, from junction to junction; a closed loop begins at its first vertex."""
    gone: set[tuple[int, int]] = set()
    for start in [*(name for name in near if len(near[name]) != 2), *near]:
        for then in near[start]:
            if (start, then) in gone:
                continue
            chain = [start, then]
            gone |= {(start, then), (then, start)}
            while len(near[chain[-1]]) == 2 and chain[-1] != start:
                before, here = chain[-2:]
                chain.append(next(name for name in near[here] if name != before))
                gone |= {(here, chain[-1]), (chain[-1], here)}
            yield chain


def points_along(streets: StreetNetwork, most: int, least_m: float) -> StreetPoints:
    """Points at equal intervals along all streets: every `least_m` metres, or as many as are allowed.

    Parameters
    ----------
    most : the most points, 1 or more. least_m : metres between two, at least.

    Examples
    --------
    >>> way = network([np.array([[0.0, 0], [100, 0]])])
    >>> points_along(way, 4, 10.0).places[:, 0].tolist()
    [12.5, 37.5, 62.5, 87.5]
    """
    count = max(1, min(most, round(streets.total_m / least_m)))
    every = streets.total_m / count
    whole = np.cumsum(streets.lengths)
    at = every * (np.arange(count) + 0.5)
    street = np.minimum(np.searchsorted(whole, at, side="right"), len(whole) - 1)
    along = np.clip(at - (whole - streets.lengths)[street], 0.0, streets.lengths[street])
    places = np.empty((count, 2))
    for k in np.unique(street).tolist():
        way, here = streets.ways[k], street == k
        passed = np.append(0.0, np.cumsum(np.hypot(*np.diff(way, axis=0).T)))
        for axis in (0, 1):
            places[here, axis] = np.interp(along[here], passed, way[:, axis])
    return StreetPoints(places, street, along, every)


def route_steps(streets: StreetNetwork, points: StreetPoints) -> Iterator[Floats | None]:
    """The length of the shortest route between every two points, (m, m) metres, infinite where none leads from one to
    the other; None while it is computed.

    Notes
    -----
    Floyd and Warshall's algorithm between the junctions, in time of the cube of their number; a route leaves a street at
    one of its two ends, unless both points are on the same street.

    Examples
    --------
    >>> ring = network([np.array([[0.0, 0], [100, 0], [100, 100], [0, 100], [0, 0]])])
    >>> *_, routes = route_steps(ring, points_along(ring, 4, 10.0))
    >>> routes[0].tolist()
    [0.0, 100.0, 200.0, 100.0]
    """
    apart = np.full((streets.junctions, streets.junctions), np.inf)
    np.fill_diagonal(apart, 0.0)
    for (a, b), length in zip(streets.ends.tolist(), streets.lengths.tolist(), strict=True):
        apart[a, b] = apart[b, a] = min(apart[a, b], length)
    by_way, pause = np.empty_like(apart), max(1, SLICE // apart.size)
    for k in range(len(apart)):
        np.add(apart[:, k, None], apart[k], out=by_way)
        np.minimum(apart, by_way, out=apart)
        if not (k + 1) % pause:
            yield None
    ends = streets.ends[points.street]
    to_end = np.stack([points.along, streets.lengths[points.street] - points.along], axis=1)
    same = points.street[:, None] == points.street
    routes = np.where(same, np.abs(np.subtract.outer(points.along, points.along)), np.inf)
    for p in (0, 1):
        for q in (0, 1):
            through = apart[np.ix_(ends[:, p], ends[:, q])] + to_end[:, p, None] + to_end[:, q]
            np.minimum(routes, through, out=routes)
    yield routes


def with_detours(routes: Floats, direct: Floats, detour: float) -> Floats:
    """How far a move counts, metres: its route, and so many times how much longer than the direct way that is.

    Newson and Krumm's finding: who goes from one place to another takes a route that is hardly longer than it must be.

    Examples
    --------
    >>> with_detours(np.array([[0.0, 700.0]]), np.array([[0.0, 500.0]]), 1.0).tolist()
    [[0.0, 900.0]]
    """
    return np.asarray(routes + detour * np.maximum(routes - direct, 0.0))

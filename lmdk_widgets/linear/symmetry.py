"""Symmetries of the places, their metric and the cost: reports that a symmetry maps onto each other are priced once.

The optimum is invariant under averaging over a group, so prices can be assumed equal along each orbit of places, and
one report represents each orbit of reports. A square grid with a uniform prior has eight symmetries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

_MOST = 64
"""The most candidates tried; if there are more, as for places all equally far apart, no symmetry is used."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A group of permutations that leave the distances and the cost unchanged.

    Attributes
    ----------
    maps : (g, n), the identity first; ``maps[i, x]`` is the image of x. orbit : (n,) the number of each place's orbit.
    reports : one report of each orbit. stands : (m,) for each report, the index in `reports` of its representative.
    """

    maps: NDArray[np.intp]
    orbit: NDArray[np.intp]
    reports: NDArray[np.intp]
    stands: NDArray[np.intp]

    @property
    def sizes(self) -> Floats:
        """The number of places in each orbit, as floats."""
        return np.bincount(self.orbit).astype(float)

    def least(self, values: Floats) -> Floats:
        """The smallest of the values (n,) in each orbit, (orbits,)."""
        found = np.full(int(self.orbit.max()) + 1, np.inf)
        np.minimum.at(found, self.orbit, values)
        return found

    def spread(self, matrix: Floats) -> Floats:
        """The average of a mechanism (n, n) over the group."""
        if len(self.maps) == 1:
            return matrix
        whole = np.zeros_like(matrix)
        for image in self.maps:
            whole[image[:, None], image] += matrix
        return whole / len(self.maps)


def none(places: int, reports: int) -> Symmetry:
    """The identity alone."""
    return Symmetry(np.arange(places)[None], np.arange(places), np.arange(reports), np.arange(reports))


def symmetries(distances: Floats, cost: Floats) -> Symmetry:
    """All permutations that preserve distances and cost, both (n, n), to the last bit.

    Examples
    --------
    >>> line = abs(np.subtract.outer([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]))
    >>> symmetries(line, line).maps.tolist(), symmetries(line, line).reports.tolist()
    ([[0, 1, 2], [2, 1, 0]], [0, 1])
    """
    n = len(distances)
    marks = np.concatenate([np.sort(distances, axis=1), np.sort(cost, axis=1), np.sort(cost.T, axis=1)], axis=1)
    _, kind = np.unique(marks, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    base = _base(distances, kind)
    found = [np.arange(n)]
    order = np.lexsort(_keys(distances, kind, base))
    images = [[int(x)] for x in np.flatnonzero(kind == kind[base[0]])]
    for at in range(1, len(base)):
        known = base[:at]
        images = [
            [*image, int(x)]
            for image in images
            for x in np.flatnonzero(
                (kind == kind[base[at]]) & (distances[image] == distances[known, base[at]][:, None]).all(axis=0)
            )
        ]
        if len(images) > _MOST:
            return none(n, n)
    if len(images) > _MOST:
        return none(n, n)
    for image in images:
        to = np.empty(n, np.intp)
        to[order] = np.lexsort(_keys(distances, kind, image))
        if image == base or len(np.unique(to)) < n:
            continue
        around = np.ix_(to, to)
        if (distances[around] == distances).all() and (cost[around] == cost).all():
            found.append(to)
    maps = np.array(found)
    _, reports, orbit = np.unique(maps.min(axis=0), return_index=True, return_inverse=True)
    orbit = orbit.reshape(-1)
    return Symmetry(maps, orbit, reports, orbit)


def _base(distances: Floats, kind: NDArray[np.intp]) -> list[int]:
    """Places whose distances, together with the kinds, identify every place."""
    base = [int(np.bincount(kind)[kind].argmin())]
    while True:
        keys = np.stack(_keys(distances, kind, base), axis=1)
        _, group, many = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        crowded = many[group.reshape(-1)]
        if crowded.max() == 1:
            return base
        base.append(int(crowded.argmax()))


def _keys(distances: Floats, kind: NDArray[np.intp], base: list[int]) -> list[Floats]:
    return [kind.astype(float), *distances[base]]

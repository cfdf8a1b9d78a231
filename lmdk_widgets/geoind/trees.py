"""Extreme rays of the cone of private columns, and the simplex over spanning trees that prices them.

A column of an epsilon d-private channel lies in ``C = {k >= 0 : k_x <= e^{L(x, x')} k_x'}``, L = epsilon d. An extreme
ray is ``k = e^u`` with u fixed by a spanning tree of tight pairs. For prices y, the cheapest ray for report z minimises
``r . k`` over C with k_z = 1, ``r = c_z - y``. A move takes an edge whose subtree has the wrong sign, scales the
subtree until another pair gets tight, and exchanges the two.

Anti-cycling: the lengths are shortened by different tiny shares (below 2e-9), so that no two pairs get tight at once
and every move gains; the rays are then private with a little room, which the later rounding needs. The proven bound
does not rest on any of this: it is taken from the flows along the tree, with the true lengths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.pivots import Batch

SHORTENED = 1e-9
"""Each length is shortened by between 0.5 and 1.5 of this share."""
_STEEP = 300.0
"""Height above its root from which a tree is not worth being adopted: its ray can hardly be written."""
_ROOM = 2_000_000
"""Bytes for the subtrees of the trees that are priced at once."""
_NUMBERS = 500_000
"""Pairs of places, of several rays, that are looked at at once."""


@dataclass(frozen=True, eq=False)
class Priced:
    """What one pricing of B reports found.

    Attributes
    ----------
    rays : (K, n) of negative value, met on the way or at the end. values : (B,) r . k of the cheapest ray of each report.
    left : (B, n), r less what the flows along the tree explain.
    """

    rays: Floats
    values: Floats
    left: Floats


class Forest:
    """One spanning tree for each report, kept from one pricing to the next.

    Parameters
    ----------
    lengths : (n, n) epsilon d (dilation divided out), infinite where there is no constraint. roots : (m,) the place of
    each report, at which its ray is 1.
    """

    def __init__(self, lengths: Floats, roots: NDArray[np.intp]) -> None:
        self.true = np.where(np.isfinite(lengths), np.minimum(lengths, 200.0), np.inf)
        n = len(lengths)
        noise = np.random.default_rng(20141103).random((n, n))
        self.short = self.true * (1 - SHORTENED * (0.5 + np.triu(noise) + np.triu(noise, 1).T))
        np.fill_diagonal(self.short, 0.0)
        self.distance, parent = shortest_paths(self.short)
        self.roots = roots
        self.parent = parent[roots]
        self.sign = -np.ones((len(roots), n))
        self.height = -self.distance[roots]
        self.moves = 0

    def price(self, reports: NDArray[np.intp], residual: Floats, tolerance: float, keep: int = 8) -> Priced:
        """The cheapest ray of each report (B,) for residuals (B, n), and up to `keep` met on the way to each."""
        many = max(1, _ROOM // len(self.short) ** 2)
        parts = [slice(at, at + many) for at in range(0, len(reports), many)]
        found = [self._price(reports[part], residual[part], tolerance, keep) for part in parts]
        return Priced(*(np.concatenate(each) for each in zip(*found, strict=True)))

    def adopt(self, reports: NDArray[np.intp], donors: NDArray[np.intp]) -> None:
        """Gives each report the tree of the donor whose place is nearest, hung up at the place of the report."""
        nearest = donors[self.true[np.ix_(self.roots[reports], self.roots[donors])].argmin(axis=1)]
        for report, donor in zip(reports.tolist(), nearest.tolist(), strict=True):
            place = int(self.roots[report])
            height = self.height[donor] - self.height[donor, place]
            if height.max() > _STEEP:
                continue
            parent, sign = self.parent[donor].copy(), self.sign[donor].copy()
            parent[place], sign[place], child = place, -1.0, place
            while (above := int(self.parent[donor, child])) != child:  # the way to the donor's root is turned round
                parent[above], sign[above] = child, -self.sign[donor, child]
                child = above
            self.parent[report], self.sign[report], self.height[report] = parent, sign, height

    def _price(
        self, reports: NDArray[np.intp], residual: Floats, tolerance: float, keep: int
    ) -> tuple[Floats, Floats, Floats]:
        roots = self.roots[reports]
        parent, sign, height = self.parent[reports], self.sign[reports], self.height[reports]
        batch = Batch(self.short, roots, parent, sign, height, residual, keep)
        batch.optimise(tolerance)
        sums = batch.finish()
        self.parent[reports], self.sign[reports], self.height[reports] = parent, sign, height
        self.moves += int(batch.moves.sum())
        rays = np.concatenate([batch.met, batch.k[:, None]], axis=1)
        cheap = (rays @ residual[:, :, None])[:, :, 0] < -tolerance
        values = sums[np.arange(len(roots)), roots]
        return rays[cheap & (rays.max(axis=2) > 0)], values, self._left(batch)

    def _left(self, batch: Batch) -> Floats:
        """``r - A^T f`` for the flows f >= 0 along the trees: what of r they leave unexplained, with true lengths."""
        many, n = batch.k.shape
        tree, child = np.nonzero(np.arange(n) != batch.roots[:, None])
        parent, up, k = batch.parent[tree, child], batch.sign[tree, child] > 0, batch.k[tree, child]
        flow = np.divide(batch.sums[tree, child], k, out=np.zeros(len(child)), where=k > 0)
        flow = np.maximum(np.where(up, -flow, flow), 0.0)
        length = self.true[child, parent]
        slip = np.exp(self.short[child, parent] - length)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            high = np.nan_to_num(flow * k / batch.k[tree, parent], posinf=0.0)
        # a flow that cannot be written is left out on both sides
        own = np.where(up, np.where(high == 0, 0.0, flow * slip), -flow)
        other = np.where(up, -high, flow * np.exp(-length))
        left = batch.residual.copy()
        left[tree, child] += own
        left += np.bincount(tree * n + parent, other, many * n).reshape(many, n)
        return left


def shortest_paths(lengths: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """All distances along the pairs, and the last place before x on the way from z, both (n, n) indexed [z, x]."""
    n = len(lengths)
    distance = lengths.copy()
    parent = np.tile(np.arange(n)[:, None], (1, n))
    for middle in range(n):
        through = distance[:, middle, None] + distance[middle]
        shorter = through < distance
        np.copyto(distance, through, where=shorter)
        np.copyto(parent, np.broadcast_to(parent[middle], (n, n)), where=shorter)
    return distance, parent


def spanning(heights: Floats, short: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Trees of the tightest pairs of rays (J, n), with the heights that the trees say: parent, sign, height, all (J, n)."""
    many = max(1, _NUMBERS // short.size)
    if len(heights) > many:
        parts = [spanning(heights[at : at + many], short) for at in range(0, len(heights), many)]
        parent, sign, found = (np.concatenate(each) for each in zip(*parts, strict=True))
        return parent, sign, found
    slack = short + heights[:, None, :] - heights[:, :, None]  # of k_x <= e^L k_x'
    loose = np.minimum(slack, slack.swapaxes(1, 2))
    row, root = np.arange(len(heights)), heights.argmax(axis=1)
    parent, sign, found = np.tile(root[:, None], (1, len(short))), -np.ones(heights.shape), heights.copy()
    near, done = loose[row, root], np.zeros(heights.shape, bool)
    done[row, root] = True
    for _ in range(len(short) - 1):
        place = np.where(done, np.inf, near).argmin(axis=1)
        above = parent[row, place]
        up = slack[row, place, above] <= slack[row, above, place]
        sign[row, place] = np.where(up, 1.0, -1.0)
        found[row, place] = found[row, above] + sign[row, place] * short[place, above]
        done[row, place] = True
        closer = (loose[row, place] < near) & ~done
        parent[closer] = np.broadcast_to(place[:, None], closer.shape)[closer]
        near = np.where(closer, loose[row, place], near)
    return parent, sign, found


def simple_rays(lengths: Floats) -> Floats:
    """Heights of the constant ray and, around some places (Z, n), cones: steep, less steep, cut off above and below."""
    middle = float(np.median(np.where(lengths > 0, lengths, np.inf).min(axis=1)))
    cones = [-lengths, -lengths / 2, -0.75 * lengths, middle - np.maximum(lengths, middle)]
    cut = [-np.minimum(lengths, step * middle) for step in (1, 2, 3)]
    return np.concatenate([np.zeros((1, lengths.shape[1])), *cones, *cut])


def groups(distances: Floats) -> NDArray[np.intp]:
    """A number for each place, the same for places joined by distances of 0."""
    number = np.arange(len(distances))
    while True:
        lowest = np.where(distances == 0, number, len(number)).min(axis=1)
        if (lowest == number).all():
            return number
        number = lowest

"""Simplex moves on many spanning trees at once: one tree, and one column of prices, for each report of a batch.

A move takes an edge whose subtree has the wrong sign, scales the subtree until another pair gets tight, and exchanges
the two. The trees of a batch have nothing to do with each other; they move together because NumPy is as slow on one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

_Indices = NDArray[np.intp]
_CAP = 2000
"""Moves of one tree in one pricing; a pricing that ends here still gives a ray and a bound."""


class Batch:
    """Trees (B, n) hung up at their roots, with the rays they stand for and the sums of ``r k`` over their subtrees.

    Parameters
    ----------
    short : (n, n) lengths, infinite where there is no constraint. roots : (B,). parent, sign, height : (B, n), changed
    in place. residual : (B, n), r = c - y of each report. keep : how many of the last rays met are remembered.
    """

    def __init__(
        self,
        short: Floats,
        roots: _Indices,
        parent: _Indices,
        sign: Floats,
        height: Floats,
        residual: Floats,
        keep: int,
    ) -> None:
        self.short, self.roots, self.residual = short, roots, residual
        self.parent, self.sign, self.height = parent, sign, height
        self.below = _descendants(parent, roots)
        self.k = np.exp(height)
        self.sums = self._sums(np.arange(len(roots)), residual * self.k)
        self.met = np.zeros((len(roots), keep, len(short)))
        self.moves = np.zeros(len(roots), np.intp)

    def optimise(self, tolerance: float) -> None:
        """Moves every tree until no subtree has the wrong sign by more than the tolerance, or than rounding."""
        alive = np.arange(len(self.roots))
        while len(alive):
            wrong = self.sign[alive] * self.sums[alive]
            row = np.arange(len(alive))
            wrong[row, self.roots[alive]] = 0.0
            child = wrong.argmax(axis=1)
            fine = np.flatnonzero(wrong[row, child] <= tolerance)
            if len(fine):
                child[fine] = self._far(alive[fine])
                going = (child >= 0) & (self.moves[alive] < _CAP)
                alive, child = alive[going], child[going]
            if len(alive):
                self._move(alive, child)

    def finish(self) -> Floats:
        """The sums once more, (B, n), from the heights alone: what rounding the moves gathered is gone."""
        self.k = np.exp(self.height)
        self.sums = self._sums(np.arange(len(self.roots)), self.residual * self.k)
        return self.sums

    def _sums(self, which: _Indices, values: Floats) -> Floats:
        return (self.below[which].astype(float) @ values[:, :, None])[:, :, 0]

    def _far(self, which: _Indices) -> _Indices:
        """The edge to exchange where all sums are small, or -1 where there is none.

        Far from the root k is tiny: what is small there in ``r k`` may still be large in the flows.
        """
        k, rk = self.k[which], self.residual[which] * self.k[which]
        below = self.below[which].astype(float)
        sums, sizes = np.moveaxis(below @ np.stack([rk, np.abs(rk)], axis=2), 2, 0)
        self.sums[which] = sums
        wrong = self.sign[which] * sums - 1e-11 * k - 1e-15 * sizes
        row = np.arange(len(which))
        wrong[row, self.roots[which]] = 0.0
        child = np.divide(wrong, k, out=np.zeros_like(wrong), where=k > 1e-290).argmax(axis=1)
        return np.where((wrong[row, child] > 0) & (k[row, child] > 1e-290), child, -1)

    def _move(self, which: _Indices, child: _Indices) -> None:
        """Scales the subtree of each child until another pair gets tight, and hangs it up there."""
        if self.met.shape[1]:
            self.met[which, self.moves[which] % self.met.shape[1]] = self.k[which]
        self.moves[which] += 1
        subtree = self.below[which, child]
        grow = self.sign[which, child] < 0
        step, inner, outer = self._tightest(which, subtree, grow)
        step = np.where(grow, step, -step)
        self.height[which] += step[:, None] * subtree
        growth = np.exp(step)
        scale = np.where(subtree, growth[:, None], 1.0)
        self.k[which] *= scale
        # nodes above the child lose the subtree, nodes above its new place gain it, the way from the one to the other
        # is turned round
        lost, won = self.below[which, :, child] & ~subtree, self.below[which, :, outer]
        row = np.arange(len(which))
        way = self.below[which, :, inner] & subtree
        way[row, child] = False
        at, node = np.nonzero(way)
        tree = which[at]
        above = self.parent[tree, node]
        total = self.sums[which, child]
        turned = growth[at] * (total[at] - self.sums[tree, node])
        self.sums[which] = self.sums[which] * scale + (growth * total)[:, None] * won - total[:, None] * lost
        self.sums[tree, above] = turned
        self.sums[which, inner] = growth * total
        rest = subtree[at] & ~self.below[tree, node]
        self.below[tree, above] = rest
        self.below[which, inner] = subtree
        at, changed = np.nonzero(lost ^ won)
        self.below[which[at], changed] ^= subtree[at]
        signs = -self.sign[tree, node]
        self.parent[tree, above], self.sign[tree, above] = node, signs
        self.parent[which, inner], self.sign[which, inner] = outer, np.where(grow, 1.0, -1.0)

    def _tightest(
        self, which: _Indices, subtree: NDArray[np.bool_], grow: NDArray[np.bool_]
    ) -> tuple[Floats, _Indices, _Indices]:
        """How far each subtree can be scaled, and the pair, within and without, that gets tight there."""
        most = subtree.sum(axis=1) > subtree.shape[1] / 2
        few = subtree ^ most[:, None]  # the smaller side, row by row against all of the other
        at, node = np.nonzero(few)
        height = np.where(grow ^ most, 1.0, -1.0)[:, None] * self.height[which]
        slack = self.short[node]
        slack += np.where(few, np.inf, height)[at]
        other = slack.argmin(axis=1)
        least = slack[np.arange(len(at)), other] - height[at, node]
        starts = np.searchsorted(at, np.arange(len(which)))
        step = np.minimum.reduceat(least, starts)
        tight = np.flatnonzero(least == step[at])[::-1]
        first = np.zeros(len(which), np.intp)
        first[at[tight]] = tight  # the first of each tree is written last
        return step, np.where(most, other[first], node[first]), np.where(most, node[first], other[first])


def _descendants(parent: _Indices, roots: _Indices) -> NDArray[np.bool_]:
    """(B, n, n): whether the column is in the subtree of the row."""
    many, n = parent.shape
    below = np.zeros((many, n, n), bool)
    below[:, np.arange(n), np.arange(n)] = True
    tree, node = np.divmod(np.arange(many * n), n)
    place = node
    for _ in range(n):
        place = parent[tree, place]
        below[tree, place, node] = True
        on = place != roots[tree]
        if not on.any():
            break
        tree, node, place = tree[on], node[on], place[on]
    return below

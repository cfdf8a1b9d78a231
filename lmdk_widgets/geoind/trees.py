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

SHORTENED = 1e-9
"""Each length is shortened by between 0.5 and 1.5 of this share."""

_CAP = 2000
"""Moves in one pricing; a pricing that ends here still gives a ray and a bound."""


@dataclass(frozen=True, eq=False)
class Priced:
    """What one pricing found: rays (k, n), the value r . k of the last of them, and r less what the flows explain."""

    rays: Floats
    value: float
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
        distance, parent = shortest_paths(self.short)
        self.roots = roots
        self.parent = parent[roots]
        self.sign = -np.ones((len(roots), n))
        self.height = -distance[roots]
        self.moves = 0

    def price(self, z: int, residual: Floats, tolerance: float, keep: int = 8) -> Priced:
        """The cheapest ray for report z, and up to `keep` rays of negative value met on the way."""
        parent, sign, u = self.parent[z], self.sign[z], self.height[z]
        root = int(self.roots[z])
        below = _descendants(parent, root)
        k = np.exp(u)
        path: list[Floats] = []
        for _ in range(_CAP):
            sums = below @ (residual * k)
            wrong = sign * sums
            wrong[root] = 0.0
            c = int(wrong.argmax())
            if wrong[c] <= tolerance:
                # far from the root k is tiny: what is small there in r . k may still be large in the flows
                wrong -= 1e-11 * k + 1e-15 * (below @ np.abs(residual * k))
                wrong[root] = 0.0
                c = int(np.divide(wrong, k, out=wrong, where=k > 1e-290).argmax())
                if wrong[c] <= 0 or k[c] <= 1e-290:
                    break
            path.append(k.copy())
            self._move(parent, sign, u, below, c, k)
            self.moves += 1
        sums = below @ (residual * k)
        met = [ray for ray in path[-keep:] if residual @ ray < -tolerance] if keep else []
        return Priced(np.array([*met, k]), float(sums[root]), self._left(z, residual, k, sums))

    def _move(self, parent: NDArray[np.intp], sign: Floats, u: Floats, below: Floats, c: int, k: Floats) -> None:
        """Scales the subtree of c until another pair gets tight, and hangs the subtree there."""
        whole = below[c].copy()
        inside, outside = np.flatnonzero(whole), np.flatnonzero(whole == 0)
        grow = sign[c] < 0
        apart = self.short[inside[:, None], outside]
        gap = u[outside] - u[inside, None]
        slack = apart + gap if grow else apart - gap
        at = int(slack.argmin())
        x, new = int(inside[at // len(outside)]), int(outside[at % len(outside)])
        u[inside] += slack.flat[at] if grow else -slack.flat[at]
        k[inside] = np.exp(u[inside])
        above = below[:, c] > 0
        above[c] = False
        below[above] -= whole
        q, up, turned, last = x, (1.0 if grow else -1.0), new, None
        while True:  # the path from x to c is turned round
            after, before_sign, own = parent[q], sign[q], below[q].copy()
            parent[q], sign[q] = turned, up
            below[q] = whole if last is None else whole - last
            if q == c:
                break
            turned, up, last, q = q, -before_sign, own, after
        below[below[:, new] > 0] += whole

    def _left(self, z: int, residual: Floats, k: Floats, sums: Floats) -> Floats:
        """``r - A^T f`` for the flows f >= 0 along the tree: what of r they leave unexplained, with true lengths."""
        child = np.flatnonzero(np.arange(len(k)) != self.roots[z])
        parent, sign = self.parent[z][child], self.sign[z][child]
        flow = np.divide(sums[child], k[child], out=np.zeros(len(child)), where=k[child] > 0)
        flow = np.maximum(-sign * flow, 0.0)
        up = sign > 0
        slip = np.exp(self.short[child, parent] - self.true[child, parent])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            high = np.nan_to_num(flow * k[child] / k[parent], posinf=0.0)
        left = residual.copy()
        left[child] += np.where(up, flow * slip, -flow)
        # a flow that cannot be written is left out on both sides
        lost = up & (high == 0) & (flow > 0)
        left[child[lost]] -= (flow * slip)[lost]
        np.add.at(left, parent, np.where(up, -high, flow * np.exp(-self.true[child, parent])))
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


def _descendants(parent: NDArray[np.intp], root: int) -> Floats:
    """(n, n): 1 where the column is in the subtree of the row."""
    n = len(parent)
    below = np.eye(n)
    place, columns = parent, np.arange(n)
    for _ in range(n):
        below[place, columns] = 1.0
        if (place == root).all():
            break
        place = parent[place]
    return below

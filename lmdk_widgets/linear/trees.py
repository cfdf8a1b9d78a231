"""Extreme rays of the cone of private columns, and the lower bound they prove.

A column of an epsilon d-private channel lies in ``C = {k >= 0 : k_x <= e^{L(x, x')} k_x'}``, L = epsilon d. An extreme
ray is ``k = e^u``, where the heights u are fixed by a spanning tree of tight pairs. For dual values y, the cheapest ray
for report z minimises ``r . k`` over C with k_z = 1, ``r = c_z - y``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.linear.symmetry import Symmetry

SHORTENED = 1e-9
"""Each length is shortened by between 0.5 and 1.5 times this share."""
LONGEST = 200.0
"""Lengths above this imply no more than k >= 0: e^-200 is 0 to within rounding."""
ROUNDED = 2.0**-52
"""Twice what one rounding can change, as a share: bounds are rounded down by more than all of theirs."""
ROUNDINGS = 16
"""More than the roundings of one term, besides the additions."""


class Lengths:
    """epsilon d of the pairs with a constraint, true and perturbed.

    Perturbation: the lengths are shortened by different tiny shares (below 2e-9), so that no two pairs become tight
    together and no pivot is degenerate; this also leaves the rays a little slack in privacy, which later rounding
    needs. The proven bound does not depend on it, as it uses the true lengths.

    Parameters
    ----------
    lengths : (n, n) epsilon d (divided by the dilation), infinite where there is no constraint.
    """

    def __init__(self, lengths: Floats) -> None:
        self.true = np.where(np.isfinite(lengths), np.minimum(lengths, LONGEST), np.inf)
        n = len(lengths)
        noise = np.random.default_rng(20141103).random((n, n))
        self.short = self.true * (1 - SHORTENED * (0.5 + np.triu(noise) + np.triu(noise, 1).T))
        np.fill_diagonal(self.short, 0.0)

    def shortest_path_trees(self, roots: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats, Floats]:
        """Parent, sign and height, all (m, n), of the rays that decrease as fast as allowed from the roots (m,)."""
        n = len(self.short)
        distance = self.short.copy()
        parent = np.tile(np.arange(n)[:, None], (1, n))
        for middle in range(n):
            through = distance[:, middle, None] + distance[middle]
            shorter = through < distance
            np.copyto(distance, through, where=shorter)
            np.copyto(parent, np.broadcast_to(parent[middle], (n, n)), where=shorter)
        return parent[roots], -np.ones((len(roots), n)), -distance[roots]


def dual_bound(
    lengths: Lengths,
    roots: NDArray[np.intp],
    parent: NDArray[np.intp],
    sign: Floats,
    height: Floats,
    cost: Floats,
    duals: Floats,
    symmetry: Symmetry,
) -> float:
    """A lower bound for all mechanisms: the dual values, less the part of the reduced costs that the trees do not
    explain.

    Weak duality: for any trees (m, n) and duals (rows,) this is a bound; with the cheapest trees at the optimum, it is
    the optimum. It does not rely on anything that the simplex computed, and is rounded down by more than all roundings
    on the way can add up to, so it holds in exact arithmetic for these costs and lengths.
    """
    n = len(symmetry.orbit)
    left, size = unexplained(lengths, roots, parent, sign, height, cost, duals[symmetry.orbit])
    sure = left - ROUNDED * (n + ROUNDINGS) * size
    floor = np.minimum(symmetry.least(sure.min(axis=0)), 0.0)
    rounded = ROUNDED * (n + ROUNDINGS) * float(symmetry.sizes @ (np.abs(duals) + np.abs(floor)))
    return float(symmetry.sizes @ (duals + floor)) - rounded


def shrunk(lengths: Floats) -> Floats:
    """e^-length, rounded down; 0 from `LONGEST` on, which uses no more than k >= 0.

    Examples
    --------
    >>> shrunk(np.array([0.0, 1.0, 200.0])).round(12).tolist()
    [1.0, 0.367879441171, 0.0]
    """
    near = lengths < LONGEST
    short = np.where(near, lengths, 0.0)
    return np.where(near, np.exp(-short) * (1 - ROUNDED * (short + ROUNDINGS)), 0.0)


def unexplained(
    lengths: Lengths,
    roots: NDArray[np.intp],
    parent: NDArray[np.intp],
    sign: Floats,
    height: Floats,
    cost: Floats,
    priced: Floats,
) -> tuple[Floats, Floats]:
    """``r - A^T f`` (m, n) for the flows f >= 0 along trees, r = cost (m, n) - priced (n,): the part of r left unexplained,
    with the true lengths; and the sum of the sizes of its terms, of which its rounding is a small share."""
    (many, n), residual = parent.shape, cost - priced
    with np.errstate(over="ignore", invalid="ignore"):
        k = np.exp(height)
        sums = _subtree_sums(parent, residual * k)
    tree, child = np.nonzero(np.arange(n) != roots[:, None])
    above, up, ray = parent[tree, child], sign[tree, child] > 0, k[tree, child]
    sums = sums[tree, child]
    known = (ray > 0) & np.isfinite(ray) & np.isfinite(sums)
    flow = np.divide(sums, ray, out=np.zeros(len(child)), where=known)
    flow = np.maximum(np.where(up, -flow, flow), 0.0)
    less = shrunk(lengths.true[child, above])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        high = np.nan_to_num(flow * ray / k[tree, above], posinf=0.0)
    # a flow that is not representable is left out on both sides
    own, other = np.where(up, high * less, -flow), np.where(up, -high, flow * less)
    left, size = residual.copy(), np.abs(cost) + np.abs(priced)
    left[tree, child] += own
    size[tree, child] += np.abs(own)
    at = tree * n + above
    left += np.bincount(at, other, many * n).reshape(many, n)
    size += np.bincount(at, np.abs(other), many * n).reshape(many, n)
    return left, size


def _subtree_sums(parent: NDArray[np.intp], values: Floats) -> Floats:
    """Sums of the values (m, n) over the subtrees of trees (m, n), from the deepest places upwards."""
    many, n = parent.shape
    at, depth = parent, (parent != np.arange(n)).astype(np.intp)
    while (moved := (above := np.take_along_axis(parent, at, axis=1)) != at).any():
        at = above
        depth += moved
    sums = values.copy()
    flat, order = sums.reshape(-1), np.argsort(-depth, axis=None, kind="stable")
    target = (np.arange(many)[:, None] * n + parent).reshape(-1)
    ends = np.cumsum(np.bincount(depth.reshape(-1))[::-1])
    first = 0
    for end in ends[:-1].tolist():  # the last are the roots
        level = order[first:end]
        np.add.at(flat, target[level], flat[level])
        first = end
    return sums

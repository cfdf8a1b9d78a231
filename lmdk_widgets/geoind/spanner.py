"""The greedy spanner: few pairs whose paths preserve all distances up to a factor, so few constraints are needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import metric, real, refused
from lmdk_widgets.geo import Floats


@dataclass(frozen=True, eq=False)
class Spanner:
    """A graph on n places.

    Attributes
    ----------
    edges : (k, 2) pairs of indices, the smaller first, in the order in which they were added.
    dilation : the dilation reached: the largest ratio of the distance along the graph to the distance, 1 or more; never
        above the one requested.
    path_lengths : (n, n) distances along the graph.
    """

    edges: NDArray[np.intp]
    dilation: float
    path_lengths: Floats

    @property
    def constraints(self) -> int:
        """The number of inequalities in the linear programme: two for each edge and report."""
        return 2 * len(self.edges) * len(self.path_lengths)


def spanner(distances: ArrayLike, dilation: float) -> Spanner:
    """The greedy spanner: pairs in order of distance, with an edge if the graph's path is longer than dilation times d.

    Parameters
    ----------
    distances : (n, n) symmetric, any unit. dilation : 1 or more; 1 keeps every pair that no path implies.

    Returns
    -------
    Spanner, with the dilation reached.

    Raises
    ------
    InputError : distances that are not symmetric, a dilation below 1.

    Notes
    -----
    Guarantee: a channel with ``K_xz <= e^{(epsilon / dilation) d(x, x')} K_x'z`` on the edges is epsilon d-private for
    all pairs, because ratios multiply along a path; the dilation reached is enough. Without the division, only
    dilation * epsilon is guaranteed.
    Numerics: a path within 1e-12 of the allowed length counts as short enough, so that rounding alone does not keep the
    direct edge between collinear points of a grid.
    Paper: Althoefer et al. 1993; Bordenabe et al. 2014, section 3.2.

    Examples
    --------
    >>> line = abs(np.subtract.outer([0, 1, 3], [0, 1, 3]))
    >>> spanner(line, 1).edges.tolist()
    [[0, 1], [1, 2]]
    """
    table = metric(distances)
    allowed = checked_dilation(dilation)
    n = len(table)
    first, second = np.triu_indices(n, 1)
    order = np.argsort(table[first, second], kind="stable")
    paths = np.full((n, n), np.inf)
    np.fill_diagonal(paths, 0.0)
    edges = []
    for x, y in zip(first[order].tolist(), second[order].tolist(), strict=True):
        length = table[x, y]
        if paths[x, y] > allowed * length * (1 + 1e-12):
            edges.append((x, y))
            # the new edge is the only change, so any path that gets shorter crosses it once
            np.minimum(paths, paths[:, x, None] + (length + paths[y]), out=paths)
            np.minimum(paths, paths[:, y, None] + (length + paths[x]), out=paths)
    apart = table > 0
    reached = float(np.max(paths[apart] / table[apart], initial=1.0))
    return Spanner(np.array(edges, np.intp).reshape(-1, 2), reached, paths)


def checked_dilation(dilation: Any) -> float:
    """A dilation as a number: no path is shorter than the distance."""
    found = real(dilation)
    if not 1 <= found < np.inf:
        raise refused("dilation", "a finite number, 1 or more", dilation)
    return found

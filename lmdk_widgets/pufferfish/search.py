"""One node's best quilt, and the worst node, found by bounds instead of by trying everything.

Quilts are given by distance: (a, b) is {i - a, i + b}. A node with l timestamps before it and r after it has
a = 1 .. l + 1 and b = 1 .. r + 1, where a = l + 1 and b = r + 1 stand for a side without a quilt: its influence is 0
and its nearby set reaches the end of the series. All four kinds of quilts then have the same formula,

    nearby set: a + b - 1 timestamps,    e(a, b) = max over pairs of (left(a) + right(b)),

and e never grows with a or b: X_{i+b+1} is a noisy copy of X_{i+b}, so it cannot reveal more about X_i. So
in a block of quilts [a1, a2] x [b1, b2], no score is below (a1 + b1 - 1) / (eps - e(a2, b2)), and whole blocks can be
discarded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Rows = Callable[[NDArray[np.int64]], Floats]
"""Maps distances (k,) to influences (k, pairs)."""

_CHUNK = 1 << 21


class Found(NamedTuple):
    """A node's smallest score and the quilt that attains it, by distance."""

    score: float
    a: int
    b: int


def best_quilt(left: Rows, right: Rows, before: int, after: int, epsilon: float) -> Found:
    """min over quilts of (a + b - 1) / (epsilon - e(a, b)) over e < epsilon, for one node; exact.

    Parameters
    ----------
    left, right : influence by distance, for distances 1 to before + 1 and 1 to after + 1, the last of each all 0.
    before, after : l and r, timestamps on either side of the node.
    epsilon : above 0.
    """
    best = Found((before + after + 1) / epsilon, before + 1, after + 1)
    best = _probe(left, right, before, after, epsilon, best)
    reach = int(min(best.score * epsilon, before + after + 1)) + 1
    # blocks [1, 1], [2, 3], [4, 7], ... on both axes
    edges = [
        [(1 << k, min((2 << k) - 1, most)) for k in range(most.bit_length())]
        for most in (min(before + 1, reach), min(after + 1, reach))
    ]
    blocks = np.array([(*x, *y) for x in edges[0] for y in edges[1]], np.int64)
    while len(blocks):
        blocks = blocks[(blocks[:, 0] + blocks[:, 2] - 1) < best.score * epsilon]
        if not len(blocks):
            break
        e = _influence(left, right, blocks[:, 1], blocks[:, 3])
        with np.errstate(divide="ignore"):
            room = 1 / np.maximum(epsilon - e, 0.0)
        score = (blocks[:, 1] + blocks[:, 3] - 1) * room
        k = int(score.argmin())
        if score[k] < best.score:
            best = Found(float(score[k]), int(blocks[k, 1]), int(blocks[k, 3]))
        single = (blocks[:, 0] == blocks[:, 1]) & (blocks[:, 2] == blocks[:, 3])
        blocks = _split(blocks[~single & ((blocks[:, 0] + blocks[:, 2] - 1) * room < best.score)])
    return best


def remembered(one: Callable[[int], Floats], available: int, pairs: int) -> Rows:
    """Rows computed by `one`, a distance at a time and only once each; 0 beyond the available distances."""
    kept: dict[int, Floats] = {}

    def rows(distances: NDArray[np.int64]) -> Floats:
        out = np.zeros((len(distances), pairs))
        for k, distance in enumerate(distances.tolist()):
            if distance <= available:
                if distance not in kept:
                    kept[distance] = one(distance)
                out[k] = kept[distance]
        return out

    return rows


def _probe(left: Rows, right: Rows, before: int, after: int, epsilon: float, best: Found) -> Found:
    """A good quilt to start from: the best of a = b = 1, 2, 4, ..., with each side stopping at its end."""
    distance = 1
    while 2 * distance - 1 < best.score * epsilon and distance <= max(before, after):
        a, b = min(distance, before + 1), min(distance, after + 1)
        e = float(_influence(left, right, np.array([a]), np.array([b]))[0])
        if e < epsilon and (a + b - 1) / (epsilon - e) < best.score:
            best = Found((a + b - 1) / (epsilon - e), a, b)
        distance *= 2
    return best


def _split(blocks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every block split in two along each side with more than one distance."""
    for low, high in ((0, 1), (2, 3)):
        middle = (blocks[:, low] + blocks[:, high]) // 2
        first, second = blocks.copy(), blocks[blocks[:, low] < blocks[:, high]]
        first[:, high] = middle
        second[:, low] = middle[blocks[:, low] < blocks[:, high]] + 1
        blocks = np.concatenate((first, second))
    return blocks


def _influence(left: Rows, right: Rows, a: NDArray[np.int64], b: NDArray[np.int64]) -> Floats:
    """e of the quilts (a[k], b[k])."""
    a_values, a_of = np.unique(a, return_inverse=True)
    b_values, b_of = np.unique(b, return_inverse=True)
    rows, columns = left(a_values), right(b_values)
    out = np.empty(len(a))
    step = max(1, _CHUNK // rows.shape[1])
    for first in range(0, len(a), step):
        part = slice(first, first + step)
        out[part] = (rows[a_of[part]] + columns[b_of[part]]).max(axis=1)
    return np.maximum(out, 0.0)


def worst_node(
    n_nodes: int,
    exact: Callable[[int], Found],
    bound: Callable[[NDArray[np.int64], int, int], Floats],
    start: int,
) -> tuple[int, Found]:
    """The node whose smallest score is the largest, and its best quilt.

    Parameters
    ----------
    n_nodes : nodes are numbered 0 to n_nodes - 1.
    exact : returns a node's best quilt.
    bound : for some nodes (k,) and a quilt (a, b), its score at each, (k,), with sides stopping at the ends of the series.
    start : the node to start with.

    Notes
    -----
    A quilt's score at a node is never below that node's best, so every quilt found bounds all nodes. The node
    with the largest bound is solved next; nodes whose bound is not above the worst solved so far are discarded.
    """
    nodes = np.arange(n_nodes)
    ceiling = np.full(n_nodes, np.inf)
    worst, node = (start, exact(start)), start
    found = worst[1]
    while True:
        ceiling = np.minimum(ceiling, bound(nodes, found.a, found.b))
        open_ = (ceiling > worst[1].score) & (nodes != node)
        nodes, ceiling = nodes[open_], ceiling[open_]
        if not len(nodes):
            return worst
        node = int(nodes[ceiling.argmax()])
        found = exact(node)
        if found.score > worst[1].score:
            worst = node, found


def worst_alike(past: Rows, future: Rows, length: int, epsilon: float) -> tuple[int, Found]:
    """`worst_node` for a series whose nodes differ only by their distances to the ends.

    Parameters
    ----------
    past, future : influence of each side by distance, as far as the series goes.
    """

    def bound(nodes: NDArray[np.int64], a: int, b: int) -> Floats:
        one, two = past(np.array([a])), future(np.array([b]))
        ahead = nodes + b < length
        e = np.where(nodes >= a, np.where(ahead, (one + two).max(), one.max()), np.where(ahead, two.max(), 0.0))
        nearby = np.minimum(a, nodes + 1) + np.minimum(b, length - nodes) - 1
        with np.errstate(divide="ignore"):
            return nearby / np.maximum(epsilon - np.maximum(e, 0.0), 0.0)

    middle = length // 2
    found = best_alike(past, future, middle, length, epsilon)
    if min(middle, length - 1 - middle) >= found.score * epsilon:
        return middle, found  # far from both ends: no node is worse
    return worst_node(length, lambda node: best_alike(past, future, node, length, epsilon), bound, middle)


def best_alike(past: Rows, future: Rows, node: int, length: int, epsilon: float) -> Found:
    """`best_quilt` for one node of such a series."""

    def ending(rows: Rows, available: int) -> Rows:
        return lambda distances: np.where((distances > available)[:, None], 0.0, rows(distances))

    before, after = node, length - 1 - node
    return best_quilt(ending(past, before), ending(future, after), before, after, epsilon)

"""The simplex moves as machine code: the extra `fast` (`pip install "lmdk-widgets[fast]"`, Numba).

The moves are those of `basis` and `simplex`, in loops over places and pieces; where NumPy spends half a millisecond on
a move, this takes some 20 microseconds. So a cold solve does without column generation: it begins with the constant
report, whose places are a piece each, and lets in the report that offers most until none offers anything.

The functions below are plain Python as well: a slow oracle of themselves. Numba is imported in the background when the
first solve comes; until the machine code is there, NumPy solves. It is kept on disk, like that of `leakage.compiled`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from functools import cache
from importlib.util import find_spec
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.simplex import Optimum, Stuck, prove
from lmdk_widgets.geoind.symmetry import Symmetry, none
from lmdk_widgets.geoind.trees import Forest

_Indices = NDArray[np.int64]
LOST, GOING, DONE = -1, 0, 1
"""How a slice of moves ended."""
RAISED, FITS, WORTH, ROUNDING, FLAT, STEEP = 1e-6, 1e-12, 1e-9, 1e-9, 1e-12, 1e-9
"""As in `simplex`."""
TALL = 1.0
"""Height from which a piece is scaled: tolerances are for heights near 0."""
SCANNED = 8
"""Reports that would do better, among which the best is let in."""
MOVES_OF_A_TREE = 4
"""Moves, in multiples of the places, of one tree at one time."""
SLICE, TURNS = 200, 10
"""Moves between two fresh inverses; turns of moving and proving."""
MOVES, MOVES_AFRESH = 40, 500
"""Most moves, in multiples of the rows, from a basis that is near and from the constant report."""


class State(NamedTuple):
    """What the functions work on: n places, m reports, N rows, S = N + 1 slots and pieces."""

    short: Floats  # (n, n)
    cost: Floats  # (m, n)
    orbit: _Indices  # (n,)
    tree_parent: _Indices  # (m, n), the best single tree known of each report
    tree_sign: Floats
    tree_height: Floats
    report: _Indices  # (S,) of each slot
    parent: _Indices  # (S, n), roots are their own
    sign: Floats
    height: Floats
    ray: Floats  # e^height
    paid: Floats
    order: _Indices  # (S, n), each place after its parent
    piece: _Indices  # (S, n)
    slot: _Indices  # (S,) of each piece
    weight: Floats  # (S,)
    value: Floats
    move: Floats
    inverse: Floats  # (N, S), by row and piece
    ratio: Floats  # (S, S), weight[a] <= ratio[a, b] weight[b]
    inner: _Indices  # (S, S), the pair of places where that is tight
    outer: _Indices
    prices: Floats  # (N,)
    row: Floats  # (N,)
    used: _Indices  # (2,), slots taken, the report that is asked next
    first: _Indices  # (n,), scratch, as all below
    following: _Indices
    starts: _Indices  # (S + 1,)
    members: _Indices  # (S,)
    marked: NDArray[np.bool_]  # (n,)
    sums: Floats  # (n,)
    helps: Floats
    prices_of_edges: Floats  # (S + m, n)
    helps_of_edges: Floats
    raised: Floats  # (m,)
    tree_ray: Floats  # (m, n)
    row_up: Floats  # (S,)
    row_down: Floats


def set_order(s: State, parent: _Indices, order: _Indices) -> None:  # pragma: no cover
    """The places of a forest, each after its parent."""
    n, top = len(parent), 0
    s.first[:] = -1
    for x in range(n):
        p = parent[x]
        if p == x:
            order[top] = x
            top += 1
        else:
            s.following[x] = s.first[p]
            s.first[p] = x
    at = 0
    while at < top:
        child = s.first[order[at]]
        while child >= 0:
            order[top] = child
            top += 1
            child = s.following[child]
        at += 1


def hang(parent: _Indices, sign: Floats, inner: int, outer: int, upward: float) -> None:  # pragma: no cover
    """Turns the way from a place to the root of its tree round, and hangs it up at another place."""
    x, above = inner, outer
    while True:
        on, onward = parent[x], sign[x]
        parent[x], sign[x] = above, upward
        if on == x:
            return
        x, above, upward = on, x, -onward


def bound(s: State, u: int, a: int) -> None:  # pragma: no cover
    """How far one piece of a slot may differ from all the others, and they from it."""
    n, count = len(s.orbit), len(s.slot)
    height, piece, up, down = s.height[u], s.piece[u], s.row_up, s.row_down
    up[:], down[:] = np.inf, np.inf
    for x in range(n):
        if piece[x] != a:
            continue
        own = height[x]
        for y in range(n):
            q = piece[y]
            if q != a:
                length, apart = s.short[x, y], height[y] - own
                if length + apart < up[q]:
                    up[q] = length + apart
                    s.inner[a, q], s.outer[a, q] = x, y
                if length - apart < down[q]:
                    down[q] = length - apart
                    s.inner[q, a], s.outer[q, a] = y, x
    for q in range(count):
        if up[q] < np.inf or down[q] < np.inf:
            s.ratio[a, q], s.ratio[q, a] = np.exp(up[q]), np.exp(down[q])
        elif s.slot[q] == u:
            s.ratio[a, q] = s.ratio[q, a] = np.inf


def set_values(s: State, u: int) -> None:  # pragma: no cover
    """What the pieces of a slot cost."""
    for x in range(len(s.orbit)):
        s.value[s.piece[u, x]] = 0.0
    for x in range(len(s.orbit)):
        s.value[s.piece[u, x]] += s.paid[u, x] * s.ray[u, x]


def answer(s: State, u: int) -> None:  # pragma: no cover
    """How the weights make up for one more of the piece that is added."""
    last = len(s.row)
    s.row[:] = 0.0
    for x in range(len(s.orbit)):
        if s.piece[u, x] == last:
            s.row[s.orbit[x]] += s.ray[u, x]
    s.move[:] = 0.0
    for j in range(last):
        if s.row[j] != 0.0:
            for q in range(last):
                s.move[q] -= s.row[j] * s.inverse[j, q]


def cut(s: State, u: int, e: int) -> None:  # pragma: no cover
    """Cuts the edge above a place; `move` is how the weights move as that of the subtree grows by 1."""
    n, last, whole = len(s.orbit), len(s.row), s.piece[u, e]
    s.piece[u, e] = last
    few, many = 1, 0
    for i in range(n):
        x = s.order[u, i]
        if s.parent[u, x] != x and s.piece[u, s.parent[u, x]] == last:
            s.piece[u, x] = last
            few += 1
        elif s.piece[u, x] == whole:
            many += 1
    s.parent[u, e], s.sign[u, e] = e, 0.0
    answer(s, u)
    s.move[last] = 1.0 + s.move[whole]
    s.slot[last], s.weight[last] = u, s.weight[whole]
    for j in range(last):
        s.inverse[j, last] = s.inverse[j, whole]
    small, large = (last, whole) if few <= many else (whole, last)
    again = False
    for q in range(last):  # the larger part keeps the pairs that are its own
        if q != whole and s.slot[q] == u:
            again = again or s.piece[u, s.inner[whole, q]] == small or s.piece[u, s.outer[q, whole]] == small
            if large == last:
                s.ratio[last, q], s.inner[last, q], s.outer[last, q] = (
                    s.ratio[whole, q],
                    s.inner[whole, q],
                    s.outer[whole, q],
                )
                s.ratio[q, last], s.inner[q, last], s.outer[q, last] = (
                    s.ratio[q, whole],
                    s.inner[q, whole],
                    s.outer[q, whole],
                )
    bound(s, u, small)
    if again:
        bound(s, u, large)


def enter(s: State, z: int) -> int:  # pragma: no cover
    """Takes the tree of a report, of weight 0 so far, into a slot; `move` as in `cut`."""
    last, u = len(s.row), s.used[0]
    s.used[0] = u + 1
    top = s.tree_height[z].max()
    s.report[u] = z
    for x in range(len(s.orbit)):
        s.parent[u, x], s.sign[u, x], s.paid[u, x] = s.tree_parent[z, x], s.tree_sign[z, x], s.cost[z, x]
        s.height[u, x] = s.tree_height[z, x] - top
        s.ray[u, x], s.piece[u, x] = np.exp(s.height[u, x]), last
        if s.parent[u, x] == x:
            s.sign[u, x] = 0.0
    set_order(s, s.parent[u], s.order[u])
    answer(s, u)
    s.move[last], s.slot[last], s.weight[last] = 1.0, u, 0.0
    s.inverse[:, last] = 0.0
    return u


def tie(s: State, far: float, a: int, b: int, x: int, y: int) -> None:  # pragma: no cover
    """Follows `move` to where piece a is tied to b at places x and y, or, if they are the same, where it is 0."""
    n, last, u = len(s.orbit), len(s.row), s.slot[a]
    ratio = 2.0 if a == b else np.exp(s.short[x, y] + s.height[u, y] - s.height[u, x])
    divisor = ratio * s.move[b] - s.move[a]
    for q in range(last + 1):
        s.weight[q] += far * s.move[q]
    for j in range(last):
        f = s.row[j] = (s.inverse[j, a] - ratio * s.inverse[j, b]) / divisor
        if f != 0.0:
            for q in range(last + 1):
                s.inverse[j, q] += f * s.move[q]
    if a != b:
        join(s, u, a, b, x, y, ratio)
    else:
        close(s, u)
    if a == last:
        return
    v = s.slot[last]  # the piece that was added takes the number of the one that is gone
    for i in range(n):
        if s.piece[v, i] == last:
            s.piece[v, i] = a
    s.slot[a], s.weight[a] = v, s.weight[last]
    for j in range(last):
        s.inverse[j, a] = s.inverse[j, last]
    for q in range(last):
        if s.slot[q] == v and q != a:
            s.ratio[a, q], s.inner[a, q], s.outer[a, q] = s.ratio[last, q], s.inner[last, q], s.outer[last, q]
            s.ratio[q, a], s.inner[q, a], s.outer[q, a] = s.ratio[q, last], s.inner[q, last], s.outer[q, last]


def join(s: State, u: int, a: int, b: int, x: int, y: int, ratio: float) -> None:  # pragma: no cover
    """Makes one piece of two; what bounded either bounds both."""
    lift, top = s.short[x, y] + s.height[u, y] - s.height[u, x], -np.inf
    hang(s.parent[u], s.sign[u], x, y, 1.0)
    for i in range(len(s.orbit)):
        if s.piece[u, i] == a:
            s.height[u, i] += lift
            s.ray[u, i], s.piece[u, i] = np.exp(s.height[u, i]), b
            top = max(top, s.height[u, i])
    set_order(s, s.parent[u], s.order[u])
    for q in range(len(s.slot)):
        if q != a and q != b and s.slot[q] == u:
            if s.ratio[a, q] / ratio < s.ratio[b, q]:
                s.ratio[b, q], s.inner[b, q], s.outer[b, q] = s.ratio[a, q] / ratio, s.inner[a, q], s.outer[a, q]
            if s.ratio[q, a] * ratio < s.ratio[q, b]:
                s.ratio[q, b], s.inner[q, b], s.outer[q, b] = s.ratio[q, a] * ratio, s.inner[q, a], s.outer[q, a]
    if top > TALL:
        lower(s, u, b, top)


def lower(s: State, u: int, b: int, top: float) -> None:  # pragma: no cover
    """The same piece with its heights lowered and its weight raised."""
    factor = np.exp(top)
    for i in range(len(s.orbit)):
        if s.piece[u, i] == b:
            s.height[u, i] -= top
            s.ray[u, i] = np.exp(s.height[u, i])
    s.weight[b] *= factor
    for j in range(len(s.row)):
        s.inverse[j, b] *= factor
    for q in range(len(s.slot)):
        if q != b and s.slot[q] == u:
            s.ratio[b, q] *= factor
            s.ratio[q, b] /= factor


def close(s: State, u: int) -> None:  # pragma: no cover
    """Gives a slot up; its tree is what is known best of its report."""
    z, last = s.report[u], s.used[0] - 1
    for x in range(len(s.orbit)):
        s.tree_parent[z, x], s.tree_sign[z, x], s.tree_height[z, x] = s.parent[u, x], s.sign[u, x], s.height[u, x]
        s.tree_ray[z, x] = s.ray[u, x]
        s.parent[u, x], s.sign[u, x], s.height[u, x] = s.parent[last, x], s.sign[last, x], s.height[last, x]
        s.ray[u, x], s.paid[u, x] = s.ray[last, x], s.paid[last, x]
        s.order[u, x], s.piece[u, x] = s.order[last, x], s.piece[last, x]
    s.report[u], s.used[0] = s.report[last], last
    for q in range(len(s.slot)):
        if s.slot[q] == last:
            s.slot[q] = u


def set_sums(s: State, u: int, out: Floats) -> None:  # pragma: no cover
    """What the subtrees of a slot cost beyond the prices."""
    for x in range(len(out)):
        out[x] = (s.paid[u, x] - s.prices[s.orbit[x]]) * s.ray[u, x]
    add_up(s.parent[u], s.order[u], out)


def beyond(s: State, u: int) -> float:  # pragma: no cover
    """What a slot costs beyond the prices."""
    total = 0.0
    for x in range(len(s.orbit)):
        total += (s.paid[u, x] - s.prices[s.orbit[x]]) * s.ray[u, x]
    return total


def add_up(parent: _Indices, order: _Indices, out: Floats) -> None:  # pragma: no cover
    for i in range(len(order) - 1, -1, -1):
        x = order[i]
        p = parent[x]
        if p != x:
            out[p] += out[x]


def set_members(s: State, pieces: int) -> None:  # pragma: no cover
    """The pieces in the order of their slots: those of slot u are `members` from `starts[u]` to `starts[u + 1]`."""
    s.starts[:] = 0
    for q in range(pieces):
        s.starts[s.slot[q] + 1] += 1
    for u in range(len(s.slot)):
        s.starts[u + 1] += s.starts[u]
    for q in range(pieces):
        u = s.slot[q]
        s.members[s.starts[u]] = q
        s.starts[u] += 1
    for u in range(len(s.slot), 0, -1):
        s.starts[u] = s.starts[u - 1]
    s.starts[0] = 0


def nearest(s: State, way: float) -> tuple[float, int, int]:  # pragma: no cover
    """How far one may follow `move`, or go back, and the pieces that are tied there; -1 if without end."""
    far, one, other, best = 1e300, -1, -1, 0.0
    set_members(s, len(s.slot))
    for u in range(s.used[0]):
        start, end = s.starts[u], s.starts[u + 1]
        for i in range(start, end):
            a = s.members[i]
            weight, move = s.weight[a], way * s.move[a]
            for j in range(start, end):
                b = s.members[j]
                if i == j and end > start + 1:
                    continue
                ratio = 2.0 if i == j else s.ratio[a, b]
                closing, room = move - way * ratio * s.move[b], max(ratio * s.weight[b] - weight, 0.0)
                # hardly ever; of two that are as near but for rounding, the one that closes faster
                if (
                    room - FITS < far * closing
                    and closing > FLAT * (1 + ratio)
                    and (room + FITS < far * closing or closing > best)
                ):
                    best, far, one, other = closing, room / closing, a, b
    return far, one, other


def best_tree(s: State, z: int) -> float:  # pragma: no cover
    """Moves the tree of a report to the best one at the prices; its value, for a ray that is 1 at the top."""
    n = len(s.orbit)
    parent, sign, height = s.tree_parent[z], s.tree_sign[z], s.tree_height[z]
    ray, out, order = s.helps, s.sums, s.order[len(s.row)]
    height -= height.max()
    for x in range(n):
        ray[x] = np.exp(height[x])
        if parent[x] == x:
            sign[x] = 0.0
    set_order(s, parent, order)
    for _ in range(MOVES_OF_A_TREE * n):
        for x in range(n):
            out[x] = (s.cost[z, x] - s.prices[s.orbit[x]]) * ray[x]
        add_up(parent, order, out)
        child, most = -1, FITS
        for x in range(n):
            if sign[x] * out[x] > most:
                child, most = x, sign[x] * out[x]
        if child < 0:
            return out[order[0]]
        s.marked[:] = False
        s.marked[child] = True
        inside = 1
        for i in range(n):
            x = order[i]
            if parent[x] != x and s.marked[parent[x]] and not s.marked[x]:
                s.marked[x] = True
                inside += 1
        grow, fewer = -sign[child], 2 * inside <= n
        step, inner, outer = np.inf, -1, -1
        # the smaller side, place by place, against all of the other
        side = grow if fewer else -grow
        for y in range(n):
            out[y] = np.inf if s.marked[y] == fewer else side * height[y]
        for x in range(n):
            if s.marked[x] == fewer:
                own = side * height[x]
                for y in range(n):
                    slack = s.short[x, y] + out[y]
                    if slack - own < step:
                        step, inner, outer = slack - own, x, y
        if not fewer:
            inner, outer = outer, inner
        growth = np.exp(grow * step)
        for x in range(n):
            if s.marked[x]:
                height[x] += grow * step
                ray[x] *= growth
        parent[child], sign[child] = child, 0.0
        hang(parent, sign, inner, outer, grow)
        set_order(s, parent, order)
    return 0.0


def in_use(s: State, z: int) -> bool:  # pragma: no cover
    found = False
    for u in range(s.used[0]):
        found = found or s.report[u] == z
    return found


def settle(s: State, roots: _Indices) -> None:  # pragma: no cover
    """Moves the single trees of the reports in use to the best as well, and hangs all up at the place of the report."""
    for z in range(len(s.cost)):
        if in_use(s, z):
            best_tree(s, z)
        root = roots[z]
        hang(s.tree_parent[z], s.tree_sign[z], root, root, -1.0)
        s.tree_height[z] -= s.tree_height[z, root]


def primal(s: State, most: int, moves: _Indices) -> int:  # pragma: no cover
    """Up to so many moves that lower the loss, counted in `moves`; how it ended."""
    n, m = len(s.orbit), len(s.cost)
    for _ in range(most):
        best, u, e, gain, way = WORTH, -1, -1, 0.0, 1.0
        for v in range(s.used[0]):
            set_sums(s, v, s.sums)
            for x in range(n):
                up = s.sign[v, x]
                if up == 0.0 and s.parent[v, x] != x:  # two places that are only held together to begin with
                    up = 1.0 if s.sums[x] > 0 else -1.0
                worth = up * s.sums[x] * s.weight[s.piece[v, x]]
                if worth > best:
                    best, u, e, gain, way = worth, v, x, s.sums[x], -up
        if u >= 0:
            cut(s, u, e)
        else:
            least, found, z = -WORTH, 0, -1
            for _asked in range(m):
                ask = s.used[1]
                s.used[1] = (ask + 1) % m
                if in_use(s, ask):  # its edges have been asked
                    continue
                value = best_tree(s, ask)
                if value < -WORTH:
                    found += 1
                    if value < least:
                        least, z = value, ask
                    if found == SCANNED:
                        break
            if z < 0:
                return DONE
            u = enter(s, z)
            gain = beyond(s, u)
        far, a, b = nearest(s, way)
        if a < 0:
            return LOST
        v = s.slot[a]
        tie(s, way * far, a, b, s.inner[a, b], s.outer[a, b])
        for j in range(len(s.row)):
            s.prices[j] += gain * s.row[j]
        moves[0] += 1
        if a == b and u == s.used[0]:  # the slot that came in last has moved to where one went
            u = v
        if u < s.used[0]:
            set_values(s, u)
        if v < s.used[0]:
            set_values(s, v)
    return GOING


def raise_costs(s: State, u: int) -> None:  # pragma: no cover
    """Changes what a slot pays so far that none of its edges is worth cutting."""
    set_sums(s, u, s.sums)
    for x in range(len(s.orbit)):
        price = -s.sign[u, x] * s.sums[x]
        if s.sign[u, x] != 0.0 and price < 0.25 * RAISED:
            more = -s.sign[u, x] * (RAISED * (1 + 0.5 * np.sin(x)) - price)
            s.paid[u, x] += more / s.ray[u, x]
            s.paid[u, s.parent[u, x]] -= more / s.ray[u, s.parent[u, x]]


def begin(s: State) -> None:  # pragma: no cover
    """Orders, slots and ratios of the forests."""
    for u in range(s.used[0]):
        set_order(s, s.parent[u], s.order[u])
        for i in range(len(s.orbit)):
            s.slot[s.piece[u, i]] = u
    for q in range(len(s.row)):
        bound(s, s.slot[q], q)


def fits(s: State) -> bool:  # pragma: no cover
    """Whether no weight misses what it has to be by more than rounding."""
    set_members(s, len(s.row))
    for u in range(s.used[0]):
        start, end = s.starts[u], s.starts[u + 1]
        for i in range(start, end):
            a = s.members[i]
            for j in range(start, end):
                b = s.members[j]
                ratio = 2.0 if i == j else s.ratio[a, b]
                if ratio * s.weight[b] - s.weight[a] < -ROUNDING * (1 + ratio):
                    return False
    return True


def begin_dual(s: State) -> None:  # pragma: no cover
    """Raises the costs of the slots, and of the trees that may come in."""
    for u in range(s.used[0]):
        raise_costs(s, u)
    for z in range(len(s.cost)):
        s.tree_height[z] -= s.tree_height[z].max()
        excess = 0.0
        for x in range(len(s.orbit)):
            s.tree_ray[z, x] = np.exp(s.tree_height[z, x])
            excess += (s.cost[z, x] - s.prices[s.orbit[x]]) * s.tree_ray[z, x]
        s.raised[z] = max(0.0, RAISED - excess)


def dual(s: State, most: int, moves: _Indices) -> int:  # pragma: no cover
    """Up to so many moves that make the weights fit; how it ended."""
    n, last, m = len(s.orbit), len(s.row), len(s.cost)
    for _ in range(most):
        set_members(s, last)
        worst, first, second = 0.0, -1, -1
        for u in range(s.used[0]):
            start, end = s.starts[u], s.starts[u + 1]
            for i in range(start, end):
                a = s.members[i]
                for k in range(start, end):
                    b = s.members[k]
                    if i == k and end > start + 1:
                        continue
                    ratio = 2.0 if i == k else s.ratio[a, b]
                    room = ratio * s.weight[b] - s.weight[a]
                    if room < -FITS * (1 + ratio):
                        length = 0.0
                        for j in range(last):
                            length += (ratio * s.inverse[j, b] - s.inverse[j, a]) ** 2
                        if room * room / length > worst:
                            worst, first, second = room * room / length, a, b
        if first < 0:
            return DONE
        u, drop = s.slot[first], first == second
        x, y = s.inner[first, second], s.outer[first, second]
        ratio = 2.0 if drop else s.ratio[first, second]
        for j in range(last):
            s.row[j] = s.inverse[j, first] - ratio * s.inverse[j, second]
        slots = s.used[0]
        for v in range(slots + m):
            price, help = s.prices_of_edges[v], s.helps_of_edges[v]
            if v < slots:
                set_sums(s, v, price)
                for i in range(n):
                    help[i] = s.row[s.orbit[i]] * s.ray[v, i]
                if v == u and not drop:
                    help[x] -= 1.0
                    help[y] += ratio
                add_up(s.parent[v], s.order[v], help)
                for i in range(n):
                    price[i] = max(-s.sign[v, i] * price[i], 0.0)
                    help[i] = 0.0 if drop and v == u else -s.sign[v, i] * help[i]
            else:
                z = v - slots
                price[:], help[:] = 0.0, 0.0
                for i in range(n):
                    price[0] += (s.cost[z, i] - s.prices[s.orbit[i]]) * s.tree_ray[z, i]
                    help[0] += s.row[s.orbit[i]] * s.tree_ray[z, i]
                price[0] = max(price[0] + s.raised[z], 0.0)
        least = np.inf
        for v in range(slots + m):
            for i in range(n):
                if s.helps_of_edges[v, i] > STEEP:
                    least = min(least, (s.prices_of_edges[v, i] + ROUNDING) / s.helps_of_edges[v, i])
        chosen, e, best = -1, -1, 0.0
        for v in range(slots + m):
            for i in range(n):
                help_here = s.helps_of_edges[v, i]
                if help_here > max(STEEP, best) and s.prices_of_edges[v, i] <= least * help_here:
                    chosen, e, best = v, i, help_here
        if chosen < 0:
            return LOST
        came = chosen >= slots
        if came:
            chosen = enter(s, chosen - slots)
            root, z = s.order[chosen, 0], s.report[chosen]
            s.paid[chosen, root] += s.raised[z] / s.ray[chosen, root]
            gain = beyond(s, chosen)
        else:
            set_sums(s, chosen, s.sums)
            gain = s.sums[e]
            cut(s, chosen, e)
        if not drop:  # the pair may belong to other pieces now
            first, second = s.piece[u, x], s.piece[u, y]
            ratio = np.exp(s.short[x, y] + s.height[u, y] - s.height[u, x])
        far = (s.weight[first] - ratio * s.weight[second]) / (ratio * s.move[second] - s.move[first])
        tie(s, far, first, second, x, y)
        for j in range(last):
            s.prices[j] += gain * s.row[j]
        moves[0] += 1
        if drop and chosen == s.used[0]:
            chosen = u
        if came:
            raise_costs(s, chosen)
        if chosen < s.used[0]:
            set_values(s, chosen)
        if u < s.used[0]:
            set_values(s, u)
    return GOING


class Machine:
    """A basic mechanism that moves in machine code: what `Basis` is to `simplex`, with the same trees and pieces.

    Parameters
    ----------
    forest : trees at one epsilon. cost : (m, n) by report. symmetry : of the cost. basis : where to begin; None: with the
    best constant report, whose places are a piece each, or held together by the symmetry.
    """

    def __init__(self, forest: Forest, cost: Floats, symmetry: Symmetry, basis: Basis | None = None) -> None:
        self.symmetry, self.cost = symmetry, cost
        n, m, rows = len(forest.short), len(symmetry.reports), len(symmetry.sizes)
        slots = rows + 1
        shapes = {
            **dict.fromkeys(("tree_parent", "tree_sign", "tree_height", "tree_ray"), (m, n)),
            **dict.fromkeys(("parent", "sign", "height", "ray", "paid", "order", "piece"), (slots, n)),
            **dict.fromkeys(("report", "slot", "weight", "value", "move", "row_up", "row_down"), (slots,)),
            **dict.fromkeys(("ratio", "inner", "outer"), (slots, slots)),
            **dict.fromkeys(("prices", "row"), (rows,)),
            **dict.fromkeys(("first", "following", "marked", "sums", "helps"), (n,)),
            **dict.fromkeys(("prices_of_edges", "helps_of_edges"), (slots + m, n)),
            "inverse": (rows, slots),
            "starts": (slots + 1,),
            "members": (slots,),
            "used": (2,),
            "raised": (m,),
        }
        whole = {
            "tree_parent",
            "parent",
            "order",
            "piece",
            "report",
            "slot",
            "inner",
            "outer",
            "first",
            "following",
            "starts",
            "members",
            "used",
        }
        kinds: dict[str, Any] = dict.fromkeys(whole, np.int64) | {"marked": np.bool_}
        self.state = s = State(
            short=forest.short,
            cost=np.ascontiguousarray(cost[symmetry.reports]),
            orbit=np.ascontiguousarray(symmetry.orbit, np.int64),
            **{name: np.zeros(shape, kinds.get(name, float)) for name, shape in shapes.items()},
        )
        s.ratio[:] = np.inf
        if basis is None:
            s.used[0], s.report[0] = 1, s.cost.sum(axis=1).argmin()
            s.parent[0], s.piece[0] = symmetry.orbit_heads[s.orbit], s.orbit
            self.most = MOVES_AFRESH * rows
        else:
            self.most = MOVES * rows
            s.used[0] = used = basis.used
            s.report[:used] = np.searchsorted(symmetry.reports, basis.report[:used])
            for name in ("parent", "sign", "height", "piece"):
                getattr(s, name)[:used] = getattr(basis, name)[:used]
        self._begin()

    @property
    def loss(self) -> float:
        return float(self.state.value[:-1] @ self.state.weight[:-1])

    def reports(self) -> NDArray[np.intp]:
        """(slots taken,): of each slot."""
        return self.symmetry.reports[self.state.report[: self.state.used[0]]]

    def columns(self) -> Floats:
        """(slots taken, n): what each forest says of its report."""
        used = self.state.used[0]
        return self.state.ray[:used] * self.state.weight[self.state.piece[:used]]

    def rescale(self, short: Floats, ratio: float) -> None:
        """The same forests at `ratio` times epsilon."""
        self.state.height[: self.state.used[0]] *= ratio
        self.state, self.most = self.state._replace(short=short), MOVES * len(self.state.row)
        self._begin()

    def optimise(self, forest: Forest, aim: float, bound: float = -np.inf) -> Generator[None, None, Optimum]:
        """As `simplex.optimise`, slice by slice; the trees of the forest are moved along.

        Raises
        ------
        Stuck : the aim was not reached.
        """
        reports, moves = self.symmetry.reports, np.zeros(1, np.int64)
        s, roots = self.state, np.ascontiguousarray(forest.roots[reports], np.int64)
        s.tree_parent[:], s.tree_sign[:] = forest.parent[reports], forest.sign[reports]
        s.tree_height[:] = forest.height[reports]
        for _ in range(TURNS):
            if not self.fits():
                code().begin_dual(s)
                yield from self._run(code().dual, moves, raised=True)
                self.refresh()
            yield from self._run(code().primal, moves)
            code().settle(s, roots)
            forest.parent[reports], forest.sign[reports] = s.tree_parent, s.tree_sign
            forest.height[reports] = s.tree_height
            prices = s.prices.copy()
            bound = max(bound, prove(forest, self.cost, self.symmetry, prices)[0])
            if self.fits() and self.loss - bound <= aim:
                return Optimum(prices, bound)
        raise Stuck

    def _run(self, kind: Any, moves: _Indices, raised: bool = False) -> Iterator[None]:
        ended = GOING
        while ended == GOING:
            ended = kind(self.state, SLICE, moves)
            if ended == LOST or moves[0] > self.most:
                raise Stuck
            self.refresh(raised)
            yield

    def refresh(self, raised: bool = False) -> None:
        """Weights, prices and the inverse from the forests alone; at the true cost, or at the raised one."""
        s, used = self.state, self.state.used[0]
        if not raised:
            s.paid[:used] = s.cost[s.report[:used]]
        s.ray[:used] = np.exp(s.height[:used])
        rows = len(s.row)
        place = s.orbit * rows + s.piece[:used]
        matrix = np.bincount(place.ravel(), s.ray[:used].ravel(), rows * rows).reshape(rows, rows)
        value = np.bincount(s.piece[:used].ravel(), (s.paid[:used] * s.ray[:used]).ravel(), rows)
        if not (np.isfinite(matrix).all() and np.isfinite(value).all()):
            raise Stuck
        try:
            inverse = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            raise Stuck from None
        s.inverse[:, :-1], s.value[:-1] = inverse.T, value
        s.weight[:-1], s.prices[:] = inverse @ self.symmetry.sizes, value @ inverse

    def fits(self) -> bool:
        """Whether the mechanism is private, but for rounding."""
        return bool(code().fits(self.state))

    def _begin(self) -> None:
        self.refresh()
        code().begin(self.state)


class Code(NamedTuple):
    """The functions that are called from outside."""

    begin: Any
    fits: Any
    begin_dual: Any
    dual: Any
    primal: Any
    settle: Any


_INNER = (
    *("set_order", "hang", "bound", "set_values", "answer", "cut", "enter", "lower", "join", "close", "tie", "add_up"),
    *("set_sums", "beyond", "set_members", "nearest", "best_tree", "in_use", "raise_costs"),
)


def plain() -> Code:
    """The functions as they stand here."""
    return Code(begin, fits, begin_dual, dual, primal, settle)


@cache
def code() -> Code:
    """The functions, compiled: half a minute the first time in an installation, a second from the disk.

    Raises
    ------
    ImportError : Numba is not installed or does not go with this NumPy.
    """
    from numba import njit
    from numba.extending import register_jitable

    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    for name in _INNER:
        register_jitable(**options)(globals()[name])
    try:
        return Code(*(njit(cache=True, **options)(each) for each in plain()))
    except RuntimeError:  # no folder for the cache can be written
        return Code(*(njit(**options)(each) for each in plain()))


_begun: list[Future[None]] = []


def ready(wait: bool = False) -> bool:
    """Whether the machine code is there. It is compiled or read in the background when this is first asked.

    Never where the environment says ``LMDK_MACHINE_CODE=no``: Numba and the code take 140 MB of each kernel.
    """
    if os.environ.get("LMDK_MACHINE_CODE") == "no":
        return False
    if not _begun:
        if find_spec("numba") is None:
            return False
        _begun.append(Future())
        Thread(target=_prepare, args=(_begun[0],), daemon=True).start()
    if wait:
        wait_for(_begun)
    return _begun[0].done() and _begun[0].exception() is None


def _prepare(done: Future[None]) -> None:
    """Solves for three places, at two epsilons: every function is then compiled."""
    try:
        line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
        cost, alone = line * [[0.5], [0.3], [0.2]], none(3, 3)
        forest = Forest(line, np.arange(3))
        machine = Machine(forest, cost.T / cost.sum(axis=0).min(), alone)
        list(machine.optimise(forest, 1e-6))
        code().begin_dual(machine.state)
        code().dual(machine.state, 0, np.zeros(1, np.int64))
        done.set_result(None)
    except BaseException as reason:
        done.set_exception(reason)

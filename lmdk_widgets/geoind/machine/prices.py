"""What forests and single trees are worth at the prices, and how far one may go before a pair gets tight."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.machine.forests import hang, set_order
from lmdk_widgets.geoind.machine.state import FITS, FLAT, MOVES_OF_A_TREE, Indices, State


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


def add_up(parent: Indices, order: Indices, out: Floats) -> None:  # pragma: no cover
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


def settle(s: State, roots: Indices) -> None:  # pragma: no cover
    """Moves the single trees of the reports in use to the best as well, and hangs all up at the place of the report."""
    for z in range(len(s.cost)):
        if in_use(s, z):
            best_tree(s, z)
        root = roots[z]
        hang(s.tree_parent[z], s.tree_sign[z], root, root, -1.0)
        s.tree_height[z] -= s.tree_height[z, root]

"""What forests and single trees are worth at the prices, and how far one may go before a pair gets tight."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.machine.forests import hang, largest, set_order
from lmdk_widgets.geoind.machine.state import (
    FAR,
    FARTHEST,
    FITS,
    FLAT,
    INFINITE,
    LOWEST,
    MOVES_OF_A_TREE,
    SHIFT,
    SMALLEST,
    WORTH,
    Indices,
    State,
)


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


def promising(s: State) -> int:  # pragma: no cover
    """The slot whose best edge is worth most.

    Asked are those that were best when they were asked last; all, before it is said that none is worth anything.
    """
    heaviest, price, all_asked = largest(s.weight[: len(s.row)]), s.helps, False
    for x in range(len(s.orbit)):
        price[x] = s.prices[s.orbit[x]]
    while True:
        u = 0
        for v in range(s.used[0]):
            if s.worth[v] > s.worth[u]:
                u = v
        if not s.fresh[u]:
            look(s, u, heaviest, price)
        elif s.worth[u] > WORTH or all_asked:
            return u
        else:
            all_asked = True
            for v in range(s.used[0]):
                if not s.fresh[v]:
                    s.worth[v] = np.inf


def look(s: State, u: int, heaviest: float, price: Floats) -> None:  # pragma: no cover
    """The edge of a slot that is worth most."""
    worth, sums = 0.0, s.sums
    for x in range(len(s.orbit)):
        sums[x] = (s.paid[u, x] - price[x]) * s.ray[u, x]
    for i in range(len(s.orbit) - 1, -1, -1):
        x = s.order[u, i]
        above, up, beyond_here = s.parent[u, x], s.sign[u, x], sums[x]
        if above == x:
            continue
        sums[above] += beyond_here
        if up == 0.0:  # two places that are only held together to begin with
            up = 1.0 if beyond_here > 0 else -1.0
        if up * beyond_here * heaviest > worth:
            here = up * beyond_here * s.weight[s.piece[u, x]]
            if here > worth:
                worth, s.edge[u], s.gain[u], s.way[u] = here, x, beyond_here, -up
    s.worth[u], s.fresh[u] = worth, True


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
    far, one, other, best = FARTHEST, -1, -1, 0.0
    there = s.row_down  # what the members of a slot weigh so far along
    set_members(s, len(s.slot))
    for u in range(s.used[0]):
        start, end = s.starts[u], s.starts[u + 1]
        for j in range(start, end):
            b = s.members[j]
            there[j] = s.weight[b] + far * way * s.move[b]
        for i in range(start, end):
            a = s.members[i]
            weight, move = s.weight[a], way * s.move[a]
            most = weight + far * move + FITS
            if end == start + 1:
                s.ratio[a, a] = 2.0
            for j in range(start, end):
                b = s.members[j]
                ratio = s.ratio[a, b]
                if ratio * there[j] >= most:  # nearly always: not tight there
                    continue
                closing, room = move - way * ratio * s.move[b], max(ratio * s.weight[b] - weight, 0.0)
                # of two that are as near but for rounding, the one that closes faster
                if closing > FLAT * (1 + ratio) and (room + FITS < far * closing or closing > best):
                    best, far, one, other = closing, room / closing, a, b
                    most = weight + far * move + FITS
                    for k in range(start, end):
                        there[k] = s.weight[s.members[k]] + far * way * s.move[s.members[k]]
            s.ratio[a, a] = np.inf
    return far, one, other


def best_tree(s: State, z: int, far: bool) -> float:  # pragma: no cover
    """Moves the tree of a report, hung up at its place, to the best one at the prices; its value, for a ray of at most 1.

    far : also by what is worth nothing as the ray is next to 0 there, but which a proof has to explain.
    """
    n = len(s.orbit)
    parent, sign, height, ray = s.tree_parent[z], s.tree_sign[z], s.tree_height[z], s.tree_ray[z]
    out, order, room = s.sums, s.order[len(s.row)], s.helps
    as_numbers = room.view(np.int64)  # of what is above 0 the order is the same, and whole numbers are compared at once
    top = largest(height)
    for x in range(n):
        height[x] -= top
        ray[x] = np.exp(height[x])
    hang(parent, sign, s.root[z], s.root[z], 0.0)
    set_order(s, parent, order)
    for _ in range(MOVES_OF_A_TREE * n):
        for x in range(n):
            out[x] = (s.cost[z, x] - s.prices[s.orbit[x]]) * ray[x]
        add_up(parent, order, out)
        child, worst = -1, FITS
        for x in range(n):
            if sign[x] * out[x] > worst:
                child, worst = x, sign[x] * out[x]
        if child < 0 and far:
            for x in range(n):
                room[x] = abs(s.cost[z, x] - s.prices[s.orbit[x]]) * ray[x]
            add_up(parent, order, room)
            worst = 0.0
            for x in range(n):
                wrong = sign[x] * out[x] - FAR * ray[x] - SMALLEST * room[x]
                if ray[x] > LOWEST and wrong > worst * ray[x]:
                    child, worst = x, wrong / ray[x]
        if child < 0:
            return out[order[0]] / largest(ray)
        s.marked[:] = False
        s.marked[child] = True
        inside = 1
        for i in range(n):
            x = order[i]
            if parent[x] != x and s.marked[parent[x]] and not s.marked[x]:
                s.marked[x] = True
                inside += 1
        grow, fewer = -sign[child], 2 * inside <= n
        step, least, inner, outer = np.inf, INFINITE, -1, -1
        # the smaller side, place by place, against all of the other
        side = grow if fewer else -grow
        for y in range(n):
            out[y] = np.inf if s.marked[y] == fewer else side * height[y] + SHIFT
        for x in range(n):
            if s.marked[x] == fewer:
                own, low = side * height[x], INFINITE
                for y in range(n):
                    room[y] = s.short[x, y] + out[y] - own
                for y in range(n):
                    low = min(low, as_numbers[y])
                if low < least:
                    least = low
                    for y in range(n):
                        if as_numbers[y] == low:
                            step, inner, outer = room[y] - SHIFT, x, y
        if inner < 0:  # nothing is near enough to be tied to
            break
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
    return beyond_tree(s, z, z) / largest(ray)


def beyond_tree(s: State, z: int, w: int) -> float:  # pragma: no cover
    """What a report costs beyond the prices by the tree of another."""
    total = 0.0
    for x in range(len(s.orbit)):
        total += (s.cost[z, x] - s.prices[s.orbit[x]]) * s.tree_ray[w, x]
    return total


def offer(s: State) -> int:  # pragma: no cover
    """A report that would do better with its best tree; -1 if none would.

    First is asked what would do best with its present tree. A report begins with the tree of one that was asked before it
    where that is better than its own.
    """
    for z in range(len(s.cost)):
        s.offers[z] = beyond_tree(s, z, z) / largest(s.tree_ray[z])
    for u in range(s.used[0]):  # their edges have been asked
        s.offers[s.report[u]] = np.inf
    while True:
        z, most = -1, np.inf
        for w in range(len(s.cost)):
            if s.offers[w] < most:
                z, most = w, s.offers[w]
        if z < 0:
            return -1
        # rays are compared as they are 1 at the place of the report, which best_tree leaves as it is
        donor, least = z, beyond_tree(s, z, z) / s.tree_ray[z, s.root[z]]
        for w in range(len(s.cost)):
            if s.offers[w] == np.inf and s.tree_ray[w, s.root[z]] > LOWEST:
                value = beyond_tree(s, z, w) / s.tree_ray[w, s.root[z]]
                if value < least:
                    donor, least = w, value
        if donor != z:
            for x in range(len(s.orbit)):
                s.tree_parent[z, x], s.tree_sign[z, x] = s.tree_parent[donor, x], s.tree_sign[donor, x]
                s.tree_height[z, x] = s.tree_height[donor, x]
        if best_tree(s, z, False) < -WORTH:
            return z
        s.offers[z] = np.inf


def settle(s: State, z: int) -> None:  # pragma: no cover
    """Moves the single tree of a report to the best, also far from the place of the report."""
    best_tree(s, z, True)
    s.tree_sign[z, s.root[z]] = -1.0
    own = s.tree_height[z, s.root[z]]
    for x in range(len(s.orbit)):
        s.tree_height[z, x] -= own

"""Operations on blocks: order their places, cut an edge, merge two components, add and drop a block."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.linear.cone import turn
from lmdk_widgets.linear.jit import compiled
from lmdk_widgets.linear.state import LARGE, SMALL, TALLEST, Indices, State

reroot = compiled(turn)


@compiled
def set_order(s: State, parent: Indices, order: Indices) -> None:
    """Order the places of a block, each after its parent."""
    n, top = len(parent), 0
    s.first[:] = n
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
        while child < n:
            order[top] = child
            top += 1
            child = s.following[child]
        at += 1


@compiled
def add_up(parent: Indices, order: Indices, out: Floats) -> None:
    """Turn the values of places into sums over their subtrees."""
    for i in range(len(order) - 1, -1, -1):
        x = order[i]
        p = parent[x]
        if p != x:
            out[p] += out[x]


@compiled
def largest(values: Floats) -> float:
    most = -np.inf
    for value in values:
        most = max(most, value)
    return most


@compiled
def set_limits(s: State, u: int, a: int, mark: int) -> None:
    """Set the limits between one component of a block and all the others with the mark, in both directions."""
    n, few, many = len(s.orbit), 0, 0
    component, within, without = s.component[u], s.first, s.following
    for x in range(n):
        q = component[x]
        if q == a:
            within[few] = x
            few += 1
        elif s.mark[q] & mark:
            s.row_up[q], s.row_down[q] = np.inf, np.inf
            without[many] = x
            many += 1
    set_slacks(s, u, few, many)
    height, up, down, low, high = s.height[u], s.row_up, s.row_down, s.low, s.high
    for i in range(many):
        y = without[i]
        q = component[y]
        if low[y] + height[y] < up[q]:
            up[q], s.outer[a, q] = low[y] + height[y], y
        if high[y] - height[y] < down[q]:
            down[q], s.inner[q, a] = high[y] - height[y], y
    for i in range(many):
        y = without[i]
        if s.parent[u, y] == y:  # once for each component
            q = component[y]
            s.limit[a, q], s.limit[q, a] = np.exp(up[q]), np.exp(down[q])
            y, z = s.outer[a, q], s.inner[q, a]
            for k in range(few):
                x = within[k]
                if s.short[x, y] - height[x] == low[y]:
                    s.inner[a, q] = x
                if s.short[x, z] + height[x] == high[z]:
                    s.outer[q, a] = x


@compiled
def set_slacks(s: State, u: int, few: int, many: int) -> None:
    """For each place outside, set how far the places inside are from being tight with it: `low` below, `high` above."""
    n, height, low, high = len(s.orbit), s.height[u], s.low, s.high
    within, without = s.first, s.following
    low[:], high[:] = np.inf, np.inf
    if 4 * many > n:
        for k in range(few):
            own, length = height[within[k]], s.short[within[k]]
            for y in range(n):  # includes places that are not needed: a loop without branches runs in vectors
                low[y], high[y] = min(low[y], length[y] - own), min(high[y], length[y] + own)
        return
    for i in range(many):
        y = without[i]
        length, least, most = s.short[y], np.inf, np.inf
        for k in range(few):
            own = height[within[k]]
            least, most = min(least, length[within[k]] - own), min(most, length[within[k]] + own)
        low[y], high[y] = least, most


@compiled
def set_values(s: State, u: int) -> None:
    """Set the cost of a unit of each component of a block."""
    for x in range(len(s.orbit)):
        s.value[s.component[u, x]] = 0.0
    for x in range(len(s.orbit)):
        s.value[s.component[u, x]] += s.charged[u, x] * s.ray[u, x]


@compiled
def set_direction(s: State, u: int) -> None:
    """Set how the other weights compensate for a unit of the entering component: minus the inverse times its column."""
    last = len(s.row)
    s.row[:] = 0.0
    for x in range(len(s.orbit)):
        if s.component[u, x] == last:
            s.row[s.orbit[x]] += s.ray[u, x]
    s.direction[:] = 0.0
    for j in range(last):
        if s.row[j] != 0.0:
            for q in range(last):
                s.direction[q] -= s.row[j] * s.inverse[j, q]


@compiled
def cut(s: State, u: int, e: int) -> None:
    """Cut the edge above a place: its subtree becomes the entering component, and gets a direction."""
    n, last, whole = len(s.orbit), len(s.row), s.component[u, e]
    s.component[u, e] = last
    few, many = 1, 0
    for i in range(n):
        x = s.order[u, i]
        if s.parent[u, x] != x and s.component[u, s.parent[u, x]] == last:
            s.component[u, x] = last
            few += 1
        elif s.component[u, x] == whole:
            many += 1
    s.parent[u, e], s.sign[u, e] = e, 0.0
    set_direction(s, u)
    s.direction[last] = 1.0 + s.direction[whole]
    s.block[last], s.weight[last] = u, s.weight[whole]
    for j in range(last):
        s.inverse[j, last] = s.inverse[j, whole]
    split_limits(s, u, whole, few <= many)


@compiled
def split_limits(s: State, u: int, whole: int, subtree_is_small: bool) -> None:
    """Set the limits of both parts of a cut component: each part keeps those that are tight at one of its places."""
    last = len(s.row)
    small, large = (last, whole) if subtree_is_small else (whole, last)
    for q in range(last):
        if q != whole and s.block[q] == u:
            up = s.component[u, s.inner[whole, q]] == small
            down = s.component[u, s.outer[q, whole]] == small
            s.mark[q] = (0 if up and down else SMALL) | (LARGE if up or down else 0)
            s.limit[last, q], s.limit[q, last] = s.limit[whole, q], s.limit[q, whole]
            s.inner[last, q], s.outer[last, q] = s.inner[whole, q], s.outer[whole, q]
            s.inner[q, last], s.outer[q, last] = s.inner[q, whole], s.outer[q, whole]
    s.mark[large] = SMALL
    set_limits(s, u, small, SMALL)
    s.mark[small] = 0
    set_limits(s, u, large, LARGE)


@compiled
def add_tree(s: State, z: int) -> int:
    """Make the cheapest tree of a report a new block with weight 0: it is the entering component."""
    last, u = len(s.row), s.used[0]
    s.used[0] = u + 1
    top = largest(s.tree_height[z])
    s.report[u] = z
    for x in range(len(s.orbit)):
        s.parent[u, x], s.sign[u, x], s.charged[u, x] = s.tree_parent[z, x], s.tree_sign[z, x], s.cost[z, x]
        s.height[u, x] = s.tree_height[z, x] - top
        s.ray[u, x], s.component[u, x] = np.exp(s.height[u, x]), last
        if s.parent[u, x] == x:
            s.sign[u, x] = 0.0
    set_order(s, s.parent[u], s.order[u])
    set_direction(s, u)
    s.direction[last], s.block[last], s.weight[last] = 1.0, u, 0.0
    s.inverse[:, last] = 0.0
    return u


@compiled
def merge(s: State, u: int, a: int, b: int, x: int, y: int, ratio: float) -> None:
    """Make component a part of component b, tight at places x and y; whatever limited either now limits both."""
    lift, top = s.short[x, y] + s.height[u, y] - s.height[u, x], -np.inf
    reroot(s.parent[u], s.sign[u], x, y, 1.0)
    for i in range(len(s.orbit)):
        if s.component[u, i] == a:
            s.height[u, i] += lift
            s.ray[u, i], s.component[u, i] = np.exp(s.height[u, i]), b
            top = max(top, s.height[u, i])
    set_order(s, s.parent[u], s.order[u])
    for q in range(len(s.block)):
        if q != a and q != b and s.block[q] == u:
            if s.limit[a, q] / ratio < s.limit[b, q]:
                s.limit[b, q], s.inner[b, q], s.outer[b, q] = s.limit[a, q] / ratio, s.inner[a, q], s.outer[a, q]
            if s.limit[q, a] * ratio < s.limit[q, b]:
                s.limit[q, b], s.inner[q, b], s.outer[q, b] = s.limit[q, a] * ratio, s.inner[q, a], s.outer[q, a]
    if top > TALLEST:
        rescale(s, u, b, top)


@compiled
def rescale(s: State, u: int, b: int, top: float) -> None:
    """Lower the heights of a component and raise its weight to match."""
    factor = np.exp(top)
    for i in range(len(s.orbit)):
        if s.component[u, i] == b:
            s.height[u, i] -= top
            s.ray[u, i] = np.exp(s.height[u, i])
    s.weight[b] *= factor
    for j in range(len(s.row)):
        s.inverse[j, b] *= factor
    for q in range(len(s.block)):
        if q != b and s.block[q] == u:
            s.limit[b, q] *= factor
            s.limit[q, b] /= factor


@compiled
def drop_block(s: State, u: int) -> None:
    """Drop a block of one component whose weight is 0; its tree is kept as the cheapest known tree of its report."""
    z, last = s.report[u], s.used[0] - 1
    for x in range(len(s.orbit)):
        s.tree_parent[z, x], s.tree_sign[z, x], s.tree_height[z, x] = s.parent[u, x], s.sign[u, x], s.height[u, x]
        s.tree_ray[z, x] = s.ray[u, x]
        s.parent[u, x], s.sign[u, x], s.height[u, x] = s.parent[last, x], s.sign[last, x], s.height[last, x]
        s.ray[u, x], s.charged[u, x] = s.ray[last, x], s.charged[last, x]
        s.order[u, x], s.component[u, x] = s.order[last, x], s.component[last, x]
    s.report[u], s.used[0] = s.report[last], last
    for q in range(len(s.block)):
        if s.block[q] == last:
            s.block[q] = u

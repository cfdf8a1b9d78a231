"""Forests of tight pairs in slots: how they are cut, tied, taken in and given up. See `geoind.basis`."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.machine.state import LARGE, SMALL, TALL, Indices, State


def set_order(s: State, parent: Indices, order: Indices) -> None:  # pragma: no cover
    """The places of a forest, each after its parent."""
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


def largest(values: Floats) -> float:  # pragma: no cover
    most = -np.inf
    for value in values:
        most = max(most, value)
    return most


def hang(parent: Indices, sign: Floats, inner: int, outer: int, upward: float) -> None:  # pragma: no cover
    """Turns the way from a place to the root of its tree round, and hangs it up at another place."""
    x, above = inner, outer
    while True:
        on, onward = parent[x], sign[x]
        parent[x], sign[x] = above, upward
        if on == x:
            return
        x, above, upward = on, x, -onward


def bound(s: State, u: int, a: int, mark: int) -> None:  # pragma: no cover
    """How far one piece of a slot may differ from all the others that have the mark, and they from it."""
    n, few, many = len(s.orbit), 0, 0
    height, piece, up, down, low, high = s.height[u], s.piece[u], s.row_up, s.row_down, s.low, s.high
    within, without = s.first, s.following
    for x in range(n):
        q = piece[x]
        if q == a:
            within[few] = x
            few += 1
        elif s.mark[q] & mark:
            up[q], down[q] = np.inf, np.inf
            without[many] = x
            many += 1
    low[:], high[:] = np.inf, np.inf
    if 4 * many > n:
        for k in range(few):
            own, length = height[within[k]], s.short[within[k]]
            for y in range(n):  # also those without the mark: with nothing to decide, a loop is quick
                low[y], high[y] = min(low[y], length[y] - own), min(high[y], length[y] + own)
    else:
        for i in range(many):
            y = without[i]
            length, least, most = s.short[y], np.inf, np.inf
            for k in range(few):
                own = height[within[k]]
                least, most = min(least, length[within[k]] - own), min(most, length[within[k]] + own)
            low[y], high[y] = least, most
    for i in range(many):
        y = without[i]
        q = piece[y]
        if low[y] + height[y] < up[q]:
            up[q], s.outer[a, q] = low[y] + height[y], y
        if high[y] - height[y] < down[q]:
            down[q], s.inner[q, a] = high[y] - height[y], y
    for i in range(many):
        y = without[i]
        if s.parent[u, y] == y:
            q = piece[y]
            s.ratio[a, q], s.ratio[q, a] = np.exp(up[q]), np.exp(down[q])
            y, z = s.outer[a, q], s.inner[q, a]
            for k in range(few):
                x = within[k]
                if s.short[x, y] - height[x] == low[y]:
                    s.inner[a, q] = x
                if s.short[x, z] + height[x] == high[z]:
                    s.outer[q, a] = x


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
    for q in range(last):  # a part keeps the pairs that are its own
        if q != whole and s.slot[q] == u:
            up, down = s.piece[u, s.inner[whole, q]] == small, s.piece[u, s.outer[q, whole]] == small
            s.mark[q] = (0 if up and down else SMALL) | (LARGE if up or down else 0)
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
    s.mark[large] = SMALL
    bound(s, u, small, SMALL)
    s.mark[small] = 0
    bound(s, u, large, LARGE)


def enter(s: State, z: int) -> int:  # pragma: no cover
    """Takes the tree of a report, of weight 0 so far, into a slot; `move` as in `cut`."""
    last, u = len(s.row), s.used[0]
    s.used[0] = u + 1
    top = largest(s.tree_height[z])
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

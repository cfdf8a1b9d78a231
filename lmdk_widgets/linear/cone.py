"""The largest ratio of two expectations over a cone of private columns, pair by pair of distributions.

    max ln (p . g / q . g)   over   g > 0,   g(u) <= e^{M(u, v)} g(v) for all u, v

The ratio has no interior maximum, so an extreme ray attains it: g = e^h, with the heights h fixed by a spanning tree of
tight constraints. Cut an edge u -> v (g(u) is as large as g(v) allows): the upper side, u's, may move down relative to
the lower one, and the ratio grows if the lower side's own p . g / q . g is larger than the upper side's. It moves down
until another constraint is tight, which is the entering edge. If no edge is worth cutting, all the tree's dual values
have the right sign, which proves optimality. Ratios of sums of positive terms are compared, as logarithms, and never
differences: a set of mass 1e-14 may carry a factor of e^13.

Nothing here imports Numba. Plain Python runs these functions; `jit.machine_code` compiles the same ones.
"""

from __future__ import annotations

from math import exp, expm1, inf, log, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Nodes = NDArray[np.int32]

SMALL_HEIGHTS = 1.0
"""Below this, the ratio is computed from differences, so that a loss of 1e-12 keeps its digits."""


class Cone(NamedTuple):
    """The constraints, and workspace.

    Attributes
    ----------
    bound : (m, m) M. apart : (m, m) M with ties separated, so that no pivot is degenerate. tolerance : the least
    difference between the logarithms of two ratios. order, first, following : the nodes of a tree from its root on.
    height, in_p,
    in_q : (m,) h, and the logarithms of the subtree's sums. part : (m,) which part of a cut a node is in.
    """

    bound: Floats
    apart: Floats
    tolerance: float
    order: Nodes
    first: Nodes
    following: Nodes
    height: Floats
    in_p: Floats
    in_q: Floats
    part: Nodes


def cone(bound: Floats, apart: Floats, tolerance: float) -> Cone:
    """A cone with its workspace."""
    m = len(bound)
    nodes, numbers = (np.zeros((4, m), np.int32), np.zeros((3, m)))
    return Cone(bound, apart, tolerance, nodes[0], nodes[1], nodes[2], numbers[0], numbers[1], numbers[2], nodes[3])


def log_add(a: float, b: float) -> float:
    """ln(e^a + e^b)."""
    if a < b:
        a, b = b, a
    return a if b == -inf else a + log1p(exp(b - a))


def turn(parent, sign, inner, outer, upward):  # type: ignore[no-untyped-def]
    """Reverse the path from a node to the root of its tree, and make another node its parent."""
    x, above = inner, outer
    while True:
        on, onward = parent[x], sign[x]
        parent[x], sign[x] = above, upward
        if on == x:
            return
        x, above, upward = on, x, -onward


def set_heights(c, parent, sign, lengths):  # type: ignore[no-untyped-def]
    """Set the order of a tree from its root on, and the heights at which all its edges are tight."""
    m, top = len(parent), 0
    c.first[:] = -1
    for x in range(m):
        p = parent[x]
        if p == x:
            c.order[0], c.height[x], top = x, 0.0, 1
        else:
            c.following[x] = c.first[p]
            c.first[p] = x
    at = 0
    while at < top:
        p = c.order[at]
        x = c.first[p]
        while x >= 0:
            c.height[x] = c.height[p] + (lengths[x, p] if sign[x] > 0 else -lengths[p, x])
            c.order[top] = x
            top += 1
            x = c.following[x]
        at += 1


def heaviest(c, log_p):  # type: ignore[no-untyped-def]
    """The node with the largest term of p . g: the part of a cut without it has no sum that rounds to the total."""
    found, most = 0, -inf
    for x in range(len(log_p)):
        if log_p[x] + c.height[x] > most:
            found, most = x, log_p[x] + c.height[x]
    return found


def set_sums(c, parent, log_p, log_q):  # type: ignore[no-untyped-def]
    """Set the logarithms of p . g and q . g over each subtree."""
    m = len(log_p)
    for x in range(m):
        c.in_p[x] = log_p[x] + c.height[x]
        c.in_q[x] = log_q[x] + c.height[x]
    for i in range(m - 1, 0, -1):
        x = c.order[i]
        p = parent[x]
        c.in_p[p] = log_add(c.in_p[p], c.in_p[x])
        c.in_q[p] = log_add(c.in_q[p], c.in_q[x])


def leaving(c, sign):  # type: ignore[no-untyped-def]
    """The node whose edge to its parent is most worth cutting; -1 if none is."""
    root = c.order[0]
    whole_p, whole_q = c.in_p[root], c.in_q[root]
    chosen, best = -1, -inf
    for i in range(1, len(sign)):
        x = c.order[i]
        a, b = c.in_p[x] - whole_p, c.in_q[x] - whole_q
        if (a == -inf and b == -inf) or sign[x] * (a - b) >= -c.tolerance:
            continue  # no mass, or the upper side has the larger ratio
        worth = max(a, b) + log(-expm1(-abs(a - b)))
        if worth > best:
            chosen, best = x, worth
    return chosen


def enter(c, parent, sign, cut):  # type: ignore[no-untyped-def]
    """Cut the edge above a node, and join both parts by the first constraint to become tight."""
    m = len(parent)
    below = sign[cut] < 0  # the subtree is the lower side
    for i in range(m):
        x = c.order[i]
        c.part[x] = 1 if x == cut or (i > 0 and c.part[parent[x]] == 1) else 0
    least, inner, outer = inf, -1, -1
    for x in range(m):
        if c.part[x] == 1:
            for y in range(m):
                if c.part[y] == 0:
                    h = c.height[x] - c.height[y]
                    slack = c.apart[x, y] - h if below else c.apart[y, x] + h
                    if slack < least:
                        least, inner, outer = slack, x, y
    parent[cut] = cut  # the reversed path ends here
    turn(parent, sign, inner, outer, 1 if below else -1)


def feasible(c):  # type: ignore[no-untyped-def]
    """Whether the heights satisfy all constraints, up to rounding."""
    m = len(c.height)
    for x in range(m):
        for y in range(m):
            if c.height[x] - c.height[y] > c.apart[x, y] + 0.1 * c.tolerance:
                return False
    return True


def lower(c, parent, sign):  # type: ignore[no-untyped-def]
    """Lower each node just enough for all constraints to hold, and keep the tight edges: a forest of stars."""
    m = len(parent)
    for x in range(m):
        c.in_p[x] = c.height[x]
        parent[x] = x
        for y in range(m):
            if c.height[y] + c.apart[x, y] < c.in_p[x]:
                c.in_p[x] = c.height[y] + c.apart[x, y]
                parent[x] = y
        sign[x] = 0 if parent[x] == x else 1
    for x in range(m):
        c.height[x] = c.in_p[x]
        top = x
        while parent[top] != top:
            top = parent[top]
        c.part[x] = top


def side_sums(c, log_p, log_q, part):  # type: ignore[no-untyped-def]
    """ln(p . g / q . g) of one part and of all nodes; a part without mass gets the value of all."""
    in_p, in_q, all_p, all_q = -inf, -inf, -inf, -inf
    for x in range(len(log_p)):
        a, b = log_p[x] + c.height[x], log_q[x] + c.height[x]
        all_p, all_q = log_add(all_p, a), log_add(all_q, b)
        if c.part[x] == part:
            in_p, in_q = log_add(in_p, a), log_add(in_q, b)
    whole = all_p - all_q
    return whole if in_p == -inf and in_q == -inf else in_p - in_q, whole


def join(c, parent, sign, log_p, log_q, part):  # type: ignore[no-untyped-def]
    """Move one part of a forest up or down, whichever is better, until a constraint to another part is tight."""
    m = len(parent)
    own, whole = side_sums(c, log_p, log_q, part)
    up = own > whole
    least, inner, outer = inf, -1, -1
    for x in range(m):
        if c.part[x] == part:
            for y in range(m):
                if c.part[y] != part:
                    h = c.height[x] - c.height[y]
                    slack = c.apart[x, y] - h if up else c.apart[y, x] + h
                    if slack < least:
                        least, inner, outer = slack, x, y
    turn(parent, sign, inner, outer, 1 if up else -1)
    other = c.part[outer]
    for x in range(m):
        if c.part[x] == part:
            c.height[x] += least if up else -least
            c.part[x] = other


def repair(c, parent, sign, log_p, log_q):  # type: ignore[no-untyped-def]
    """From the heights of a tree that violates a constraint, build a tree that satisfies all and is about as good."""
    lower(c, parent, sign)
    main = c.part[heaviest(c, log_p)]
    for x in range(len(parent)):
        while c.part[x] != main:
            join(c, parent, sign, log_p, log_q, c.part[x])


def ratio(c, p, q, log_p, log_q):  # type: ignore[no-untyped-def]
    """ln(p . g / q . g) at the current heights."""
    top, low = -inf, inf
    for h in c.height:
        top, low = max(top, h), min(low, h)
    if top - low < SMALL_HEIGHTS:
        more, whole = 0.0, 0.0
        for x in range(len(p)):
            more += (p[x] - q[x]) * expm1(c.height[x] - low)
            whole += q[x] * exp(c.height[x] - low)
        return log1p(more / whole)
    a, b = -inf, -inf
    for x in range(len(p)):
        a, b = log_add(a, log_p[x] + c.height[x]), log_add(b, log_q[x] + c.height[x])
    return a - b


def best(c, parent, sign, p, q, log_p, log_q, most):  # type: ignore[no-untyped-def]
    """Pivot from a tree to the best one, in place; returns its ratio, or nan if `most` pivots were not enough."""
    set_heights(c, parent, sign, c.apart)
    if not feasible(c):
        repair(c, parent, sign, log_p, log_q)
    for _ in range(most):
        set_heights(c, parent, sign, c.apart)
        root = heaviest(c, log_p)
        turn(parent, sign, root, root, 0)
        set_heights(c, parent, sign, c.apart)
        set_sums(c, parent, log_p, log_q)
        cut = leaving(c, sign)
        if cut < 0:
            set_heights(c, parent, sign, c.bound)
            return ratio(c, p, q, log_p, log_q)
        enter(c, parent, sign, cut)
    return np.nan


def solve(c, rows, logs, pairs, parent, sign, found, most):  # type: ignore[no-untyped-def]
    """The ratio of each pair of rows, starting from the tree stored for it."""
    for k in range(len(pairs)):
        x, y = pairs[k, 0], pairs[k, 1]
        found[k] = best(c, parent[x, y], sign[x, y], rows[x], rows[y], logs[x], logs[y], most)


COMPILED = (
    log_add,
    turn,
    set_heights,
    heaviest,
    set_sums,
    leaving,
    enter,
    feasible,
    lower,
    side_sums,
    join,
    repair,
    ratio,
    best,
)
"""The functions that `solve` calls, each after those that it calls itself."""

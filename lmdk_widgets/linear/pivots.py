"""Pivots of the primal and of the dual simplex, in slices.

The next primal pivot is the one that gains most as a subtree grows in proportion; the next dual pivot is the one with
the largest violation for its length (Forrest and Goldfarb, "Steepest-edge simplex algorithms", Math. Programming 57
(1992)). Among near ties, the largest pivot is chosen (Harris, Math. Programming 5 (1973)).
"""

from __future__ import annotations

import numpy as np

from lmdk_widgets.linear.blocks import (
    add_tree,
    cut,
    drop_block,
    merge,
    set_limits,
    set_order,
    set_values,
)
from lmdk_widgets.linear.jit import compiled, entry
from lmdk_widgets.linear.pricing import best_block, best_report, optimise_tree, reduced_cost
from lmdk_widgets.linear.state import (
    DONE,
    FAILED,
    FEASIBLE,
    GOING,
    LONGEST,
    OPTIMAL,
    REPRICE,
    ROUNDING,
    SLOPE,
    SMALL,
    State,
)


@entry
def begin(s: State) -> None:
    """Set the orders, components and limits of the existing blocks."""
    for u in range(s.used[0]):
        set_order(s, s.parent[u], s.order[u])
        for i in range(len(s.orbit)):
            s.block[s.component[u, i]] = u
    s.mark[:] = SMALL
    for q in range(len(s.row)):
        set_limits(s, s.block[q], q, SMALL)


@entry
def is_feasible(s: State) -> bool:
    """Whether no weight violates a limit by more than rounding: the mechanism is private."""
    set_members(s, len(s.row))
    for u in range(s.used[0]):
        start, end = s.starts[u], s.starts[u + 1]
        for i in range(start, end):
            a = s.members[i]
            for j in range(start, end):
                b = s.members[j]
                limit = 2.0 if i == j else s.limit[a, b]
                if limit * s.weight[b] - s.weight[a] < -ROUNDING * (1 + limit):
                    return False
    return True


@entry
def price_trees(s: State, first: int, end: int) -> None:
    """Find the cheapest trees of some reports, for a proof: also where rays are almost 0; height 0 at the report."""
    for z in range(first, end):
        optimise_tree(s, z, True)
        s.tree_sign[z, s.root[z]] = -1.0
        own = s.tree_height[z, s.root[z]]
        for x in range(len(s.orbit)):
            s.tree_height[z, x] -= own


@entry
def primal(s: State, most: int) -> int:
    """Make up to `most` pivots that lower the loss; returns how it ended."""
    s.gain[:], s.priced[:] = np.inf, False
    for _ in range(most):
        u = best_block(s)
        if s.gain[u] > OPTIMAL:
            reduced, sense = s.reduced[u], s.sense[u]
            cut(s, u, s.edge[u])
        else:
            z = best_report(s)
            if z < 0:
                return DONE
            u = add_tree(s, z)
            reduced, sense = reduced_cost(s, u), 1.0
        step, a, b = ratio_test(s, sense)
        if a < 0:
            return FAILED
        v = s.block[a]
        pivot(s, sense * step, a, b, s.inner[a, b], s.outer[a, b])
        for j in range(len(s.row)):
            s.dual[j] += reduced * s.row[j]
        s.pivots[0] += 1
        if a == b and u == s.used[0]:  # the block added last has taken the number of the dropped one
            u = v
        s.priced[:] = False
        s.gain[u] = s.gain[v] = np.inf
        if s.pivots[0] % REPRICE == 0:
            s.gain[:] = np.inf
        if u < s.used[0]:
            set_values(s, u)
        if v < s.used[0]:
            set_values(s, v)
    return GOING


@compiled
def set_members(s: State, components: int) -> None:
    """List the components in the order of their blocks: those of block u are `members[starts[u]:starts[u + 1]]`."""
    s.starts[:] = 0
    for q in range(components):
        s.starts[s.block[q] + 1] += 1
    for u in range(len(s.block)):
        s.starts[u + 1] += s.starts[u]
    for q in range(components):
        u = s.block[q]
        s.members[s.starts[u]] = q
        s.starts[u] += 1
    for u in range(len(s.block), 0, -1):
        s.starts[u] = s.starts[u - 1]
    s.starts[0] = 0


@compiled
def ratio_test(s: State, sense: float) -> tuple[float, int, int]:
    """The longest step along or against the direction, and the components whose limit ends it; -1 if there is none."""
    step, one, other, steepest = LONGEST, -1, -1, 0.0
    there = s.row_down  # the weights of the members at the end of the step so far
    set_members(s, len(s.block))
    for u in range(s.used[0]):
        start, end = s.starts[u], s.starts[u + 1]
        for j in range(start, end):
            there[j] = s.weight[s.members[j]] + step * sense * s.direction[s.members[j]]
        for i in range(start, end):
            a = s.members[i]
            weight, change = s.weight[a], sense * s.direction[a]
            most = weight + step * change + FEASIBLE
            if end == start + 1:  # the only component of its block: 2 w - w >= 0 means that its weight is not negative
                s.limit[a, a] = 2.0
            for j in range(start, end):
                b = s.members[j]
                limit = s.limit[a, b]
                if limit * there[j] >= most:  # almost always: not reached within the step
                    continue
                closing, room = change - sense * limit * s.direction[b], max(limit * s.weight[b] - weight, 0.0)
                # of two limits reached together, up to rounding, the one that approaches faster: the larger pivot
                if closing > SLOPE * (1 + limit) and (room + FEASIBLE < step * closing or closing > steepest):
                    steepest, step, one, other = closing, room / closing, a, b
                    most = weight + step * change + FEASIBLE
                    for k in range(start, end):
                        there[k] = s.weight[s.members[k]] + step * sense * s.direction[s.members[k]]
            s.limit[a, a] = np.inf
    return step, one, other


@compiled
def pivot(s: State, step: float, a: int, b: int, x: int, y: int) -> None:
    """Take a step along the direction, to where component a is tight with b at places x and y; if a and b are the same,
    to where its weight is 0. The entering component then takes its place in the basis."""
    n, last, u = len(s.orbit), len(s.row), s.block[a]
    limit = 2.0 if a == b else np.exp(s.short[x, y] + s.height[u, y] - s.height[u, x])
    divisor = limit * s.direction[b] - s.direction[a]
    for q in range(last + 1):
        s.weight[q] += step * s.direction[q]
    for j in range(last):
        f = s.row[j] = (s.inverse[j, a] - limit * s.inverse[j, b]) / divisor
        if f != 0.0:
            for q in range(last + 1):
                s.inverse[j, q] += f * s.direction[q]
    if a != b:
        merge(s, u, a, b, x, y, limit)
    else:
        drop_block(s, u)
    if a == last:
        return
    v = s.block[last]  # the entering component takes the number of the one that has left
    for i in range(n):
        if s.component[v, i] == last:
            s.component[v, i] = a
    s.block[a], s.weight[a] = v, s.weight[last]
    for j in range(last):
        s.inverse[j, a] = s.inverse[j, last]
    for q in range(last):
        if s.block[q] == v and q != a:
            s.limit[a, q], s.inner[a, q], s.outer[a, q] = s.limit[last, q], s.inner[last, q], s.outer[last, q]
            s.limit[q, a], s.inner[q, a], s.outer[q, a] = s.limit[q, last], s.inner[q, last], s.outer[q, last]

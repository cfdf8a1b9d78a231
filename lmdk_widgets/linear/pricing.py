"""Pricing: the edge of the basis, and the report's tree, with the most negative reduced cost at the dual values."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.linear.blocks import add_up, largest, reroot, set_order
from lmdk_widgets.linear.jit import compiled
from lmdk_widgets.linear.state import (
    FEASIBLE,
    INFINITE,
    LEAST_RAY,
    OFFSET,
    OPTIMAL,
    RELATIVE,
    TREE_PIVOTS,
    UNEXPLAINED,
    Indices,
    State,
)


@compiled
def set_sums(s: State, u: int, out: Floats) -> None:
    """The reduced costs of the subtrees of a block."""
    for x in range(len(out)):
        out[x] = (s.charged[u, x] - s.dual[s.orbit[x]]) * s.ray[u, x]
    add_up(s.parent[u], s.order[u], out)


@compiled
def reduced_cost(s: State, u: int) -> float:
    """The reduced cost of a whole block."""
    total = 0.0
    for x in range(len(s.orbit)):
        total += (s.charged[u, x] - s.dual[s.orbit[x]]) * s.ray[u, x]
    return total


@compiled
def tree_reduced_cost(s: State, z: int, w: int) -> float:
    """The reduced cost of report z with the tree of report w."""
    total = 0.0
    for x in range(len(s.orbit)):
        total += (s.cost[z, x] - s.dual[s.orbit[x]]) * s.tree_ray[w, x]
    return total


@compiled
def best_block(s: State) -> int:
    """The block with the edge that gains most.

    Partial pricing: only blocks that look best by their last prices are priced again, and all blocks before concluding
    that there is nothing to gain.
    """
    heaviest, dual, all_asked = largest(s.weight[: len(s.row)]), s.slack, False
    for x in range(len(s.orbit)):
        dual[x] = s.dual[s.orbit[x]]
    while True:
        u = 0
        for v in range(s.used[0]):
            if s.gain[v] > s.gain[u]:
                u = v
        if not s.priced[u]:
            price_edges(s, u, heaviest, dual)
        elif s.gain[u] > OPTIMAL or all_asked:
            return u
        else:
            all_asked = True
            for v in range(s.used[0]):
                if not s.priced[v]:
                    s.gain[v] = np.inf


@compiled
def price_edges(s: State, u: int, heaviest: float, dual: Floats) -> None:
    """Find the edge of a block that gains most as its subtree grows, or shrinks, in proportion."""
    most, sums = 0.0, s.sums
    for x in range(len(s.orbit)):
        sums[x] = (s.charged[u, x] - dual[x]) * s.ray[u, x]
    for i in range(len(s.orbit) - 1, -1, -1):
        x = s.order[u, i]
        above, up, cost = s.parent[u, x], s.sign[u, x], sums[x]
        if above == x:
            continue
        sums[above] += cost
        if up == 0.0:  # two places that are only initially held together may move either way
            up = 1.0 if cost > 0 else -1.0
        if up * cost * heaviest > most:  # the weight is looked up only where it can matter
            here = up * cost * s.weight[s.component[u, x]]
            if here > most:
                most, s.edge[u], s.reduced[u], s.sense[u] = here, x, cost, -up
    s.gain[u], s.priced[u] = most, True


@compiled
def best_report(s: State) -> int:
    """A report whose tree of least reduced cost would reduce the loss; -1 if there is none.

    A report's own simplex starts from the tree of a report priced earlier if that is cheaper than its own.
    """
    for z in range(len(s.cost)):
        s.bids[z] = tree_reduced_cost(s, z, z) / largest(s.tree_ray[z])
    for u in range(s.used[0]):  # their edges have been priced
        s.bids[s.report[u]] = np.inf
    while True:
        z, most = -1, np.inf
        for w in range(len(s.cost)):
            if s.bids[w] < most:
                z, most = w, s.bids[w]
        if z < 0:
            return -1
        # rays are compared by their value 1 at the report's place, which the simplex on a tree does not change
        donor, least = z, tree_reduced_cost(s, z, z) / s.tree_ray[z, s.root[z]]
        for w in range(len(s.cost)):
            if s.bids[w] == np.inf and s.tree_ray[w, s.root[z]] > LEAST_RAY:
                value = tree_reduced_cost(s, z, w) / s.tree_ray[w, s.root[z]]
                if value < least:
                    donor, least = w, value
        if donor != z:
            s.tree_parent[z], s.tree_sign[z] = s.tree_parent[donor], s.tree_sign[donor]
            s.tree_height[z] = s.tree_height[donor]
        if optimise_tree(s, z, False) < -OPTIMAL:
            return z
        s.bids[z] = np.inf


@compiled
def optimise_tree(s: State, z: int, everywhere: bool) -> float:
    """The simplex on one report's tree, rooted at its place; returns the best tree's reduced cost, for a ray of at most
    1.

    everywhere : also remove what costs almost nothing because the ray is almost 0 there, but must be explained by a
        proof.
    """
    n = len(s.orbit)
    parent, sign, height, ray = s.tree_parent[z], s.tree_sign[z], s.tree_height[z], s.tree_ray[z]
    order = s.order[len(s.row)]
    top = largest(height)
    for x in range(n):
        height[x] -= top
        ray[x] = np.exp(height[x])
    reroot(parent, sign, s.root[z], s.root[z], 0.0)
    set_order(s, parent, order)
    for _ in range(TREE_PIVOTS * n):
        child = leaving_edge(s, z, order, everywhere)
        if child < 0:
            return s.sums[order[0]] / largest(ray)
        grow = -sign[child]
        fewer = mark_subtree(s, parent, order, child)
        step, inner, outer = nearest_pair(s, height, grow if fewer else -grow, fewer)
        if inner < 0:  # no pair is near enough to become tight
            break
        if not fewer:
            inner, outer = outer, inner
        growth = np.exp(grow * step)
        for x in range(n):
            if s.marked[x]:
                height[x] += grow * step
                ray[x] *= growth
        parent[child], sign[child] = child, 0.0
        reroot(parent, sign, inner, outer, grow)
        set_order(s, parent, order)
    return tree_reduced_cost(s, z, z) / largest(ray)


@compiled
def leaving_edge(s: State, z: int, order: Indices, everywhere: bool) -> int:
    """The edge of a tree, named by the place below it, whose subtree's sign is most wrong; -1 if there is none."""
    n, sums, sizes = len(s.orbit), s.sums, s.slack
    parent, sign, ray = s.tree_parent[z], s.tree_sign[z], s.tree_ray[z]
    for x in range(n):
        sums[x] = (s.cost[z, x] - s.dual[s.orbit[x]]) * ray[x]
    add_up(parent, order, sums)
    child, worst = -1, FEASIBLE
    for x in range(n):
        if sign[x] * sums[x] > worst:
            child, worst = x, sign[x] * sums[x]
    if child >= 0 or not everywhere:
        return child
    for x in range(n):
        sizes[x] = abs(s.cost[z, x] - s.dual[s.orbit[x]]) * ray[x]
    add_up(parent, order, sizes)
    worst = 0.0
    for x in range(n):
        wrong = sign[x] * sums[x] - UNEXPLAINED * ray[x] - RELATIVE * sizes[x]
        if ray[x] > LEAST_RAY and wrong > worst * ray[x]:
            child, worst = x, wrong / ray[x]
    return child


@compiled
def mark_subtree(s: State, parent: Indices, order: Indices, child: int) -> bool:
    """Mark the places of a subtree; returns whether they are at most half of all."""
    s.marked[:] = False
    s.marked[child] = True
    inside = 1
    for i in range(len(order)):
        x = order[i]
        if parent[x] != x and s.marked[parent[x]] and not s.marked[x]:
            s.marked[x] = True
            inside += 1
    return 2 * inside <= len(order)


@compiled
def nearest_pair(s: State, height: Floats, side: float, fewer: bool) -> tuple[float, int, int]:
    """How far the marked places (or, unless `fewer`, the others) can move until a pair is tight, and that pair.

    The loop goes through the smaller side place by place; the inner loop over the other side has no branches, so it
    runs in vectors.
    """
    n, out, slack = len(s.orbit), s.sums, s.slack
    as_numbers = slack.view(np.int64)  # the bits of floats above 0 have the same order, and compare faster
    step, least, inner, outer = np.inf, INFINITE, -1, -1
    for y in range(n):
        out[y] = np.inf if s.marked[y] == fewer else side * height[y] + OFFSET
    for x in range(n):
        if s.marked[x] == fewer:
            own, low = side * height[x], INFINITE
            for y in range(n):
                slack[y] = s.short[x, y] + out[y] - own
            for y in range(n):
                low = min(low, as_numbers[y])
            if low < least:
                least = low
                for y in range(n):
                    if as_numbers[y] == low:
                        step, inner, outer = slack[y] - OFFSET, x, y
    return step, inner, outer

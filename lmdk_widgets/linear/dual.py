"""The dual simplex: when epsilon has changed, the basis is nearly optimal but no longer feasible.

Costs are first shifted just enough to make all reduced costs positive. Then each pivot restores the most violated
limit, by the edge, or the report's tree, that costs least. The primal simplex follows at the true costs.
"""

from __future__ import annotations

import numpy as np

from lmdk_widgets.linear.blocks import add_tree, add_up, cut, largest, set_values
from lmdk_widgets.linear.jit import compiled, entry
from lmdk_widgets.linear.pivots import pivot, set_members
from lmdk_widgets.linear.pricing import reduced_cost, set_sums
from lmdk_widgets.linear.state import DONE, FAILED, FEASIBLE, GOING, PIVOT, ROUNDING, SHIFT, State


@entry
def shift_costs(s: State) -> None:
    """Shift the costs of the blocks, and of the trees that may enter, so that all reduced costs are positive."""
    for u in range(s.used[0]):
        shift_block(s, u)
    for z in range(len(s.cost)):
        top, excess = largest(s.tree_height[z]), 0.0
        for x in range(len(s.orbit)):
            s.tree_height[z, x] -= top
            s.tree_ray[z, x] = np.exp(s.tree_height[z, x])
            excess += (s.cost[z, x] - s.dual[s.orbit[x]]) * s.tree_ray[z, x]
        s.shifted[z] = max(0.0, SHIFT - excess)


@compiled
def shift_block(s: State, u: int) -> None:
    """Move cost between the ends of edges, each by a different amount, so that no edge would be cut."""
    set_sums(s, u, s.sums)
    for x in range(len(s.orbit)):
        reduced = -s.sign[u, x] * s.sums[x]
        if s.sign[u, x] != 0.0 and reduced < 0.25 * SHIFT:
            more = -s.sign[u, x] * (SHIFT * (1 + 0.5 * np.sin(x)) - reduced)
            s.charged[u, x] += more / s.ray[u, x]
            s.charged[u, s.parent[u, x]] -= more / s.ray[u, s.parent[u, x]]


@entry
def dual(s: State, most: int) -> int:
    """Make up to `most` pivots towards feasible weights; returns how it ended."""
    last = len(s.row)
    for _ in range(most):
        first, second = most_violated(s)
        if first < 0:
            return DONE
        u, drop, slots = s.block[first], first == second, s.used[0]
        x, y = s.inner[first, second], s.outer[first, second]
        set_pivot_row(s, first, second, x, y)
        chosen, e = entering(s)
        if chosen < 0:
            return FAILED
        came = chosen >= slots
        if came:
            chosen = add_tree(s, chosen - slots)
            root = s.order[chosen, 0]
            s.charged[chosen, root] += s.shifted[s.report[chosen]] / s.ray[chosen, root]
            reduced = reduced_cost(s, chosen)
        else:
            set_sums(s, chosen, s.sums)
            reduced = s.sums[e]
            cut(s, chosen, e)
        if not drop:  # the pair may belong to other components now
            first, second = s.component[u, x], s.component[u, y]
        pivot(s, step_to(s, u, first, second, x, y), first, second, x, y)
        for j in range(last):
            s.dual[j] += reduced * s.row[j]
        s.pivots[0] += 1
        if drop and chosen == s.used[0]:  # it has taken the number of the dropped block
            chosen = u
        if came:
            shift_block(s, chosen)
        if chosen < s.used[0]:
            set_values(s, chosen)
        if u < s.used[0]:
            set_values(s, u)
    return GOING


@compiled
def step_to(s: State, u: int, a: int, b: int, x: int, y: int) -> float:
    """The step along the direction at which a's limit by b is tight; if a and b are equal, its weight is 0 there."""
    limit = 2.0 if a == b else np.exp(s.short[x, y] + s.height[u, y] - s.height[u, x])
    return (s.weight[a] - limit * s.weight[b]) / (limit * s.direction[b] - s.direction[a])


@compiled
def most_violated(s: State) -> tuple[int, int]:
    """The two components of the limit with the largest violation for the length of its row; -1 if there is none."""
    last = len(s.row)
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
                limit = 2.0 if i == k else s.limit[a, b]
                room = limit * s.weight[b] - s.weight[a]
                if room < -FEASIBLE * (1 + limit):
                    length = 0.0
                    for j in range(last):
                        length += (limit * s.inverse[j, b] - s.inverse[j, a]) ** 2
                    if room * room / length > worst:
                        worst, first, second = room * room / length, a, b
    return first, second


@compiled
def set_pivot_row(s: State, first: int, second: int, x: int, y: int) -> None:
    """Set the reduced costs of all edges, and of all trees that may enter, and how much they help the violated limit."""
    n, slots, drop = len(s.orbit), s.used[0], first == second
    limit = 2.0 if drop else s.limit[first, second]
    for j in range(len(s.row)):
        s.row[j] = s.inverse[j, first] - limit * s.inverse[j, second]
    for v in range(slots):
        reduced, helps = s.reduced_costs[v], s.pivot_row[v]
        own = v == s.block[first]
        set_sums(s, v, reduced)
        for i in range(n):
            helps[i] = s.row[s.orbit[i]] * s.ray[v, i]
        if own and not drop:
            helps[x] -= 1.0
            helps[y] += limit
        add_up(s.parent[v], s.order[v], helps)
        for i in range(n):
            reduced[i] = max(-s.sign[v, i] * reduced[i], 0.0)
            helps[i] = 0.0 if drop and own else -s.sign[v, i] * helps[i]
    for z in range(len(s.cost)):
        reduced, helps = s.reduced_costs[slots + z], s.pivot_row[slots + z]
        reduced[:], helps[:] = 0.0, 0.0
        for i in range(n):
            reduced[0] += (s.cost[z, i] - s.dual[s.orbit[i]]) * s.tree_ray[z, i]
            helps[0] += s.row[s.orbit[i]] * s.tree_ray[z, i]
        reduced[0] = max(reduced[0] + s.shifted[z], 0.0)


@compiled
def entering(s: State) -> tuple[int, int]:
    """The dual ratio test: the edge or tree that helps most for its cost; among near ties, the one that helps most."""
    n, all_ = len(s.orbit), s.used[0] + len(s.cost)
    least = np.inf
    for v in range(all_):
        for i in range(n):
            if s.pivot_row[v, i] > PIVOT:
                least = min(least, (s.reduced_costs[v, i] + ROUNDING) / s.pivot_row[v, i])
    chosen, e, best = -1, -1, PIVOT
    for v in range(all_):
        for i in range(n):
            helps = s.pivot_row[v, i]
            if helps > best and s.reduced_costs[v, i] <= least * helps:
                chosen, e, best = v, i, helps
    return chosen, e

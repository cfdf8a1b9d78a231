"""Primal and dual moves in slices. See `geoind.simplex`."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geoind.machine.forests import bound, cut, enter, largest, set_order, set_values, tie
from lmdk_widgets.geoind.machine.prices import add_up, beyond, nearest, offer, promising, set_members, set_sums, settle
from lmdk_widgets.geoind.machine.state import (
    AFRESH,
    DONE,
    FITS,
    GOING,
    LOST,
    RAISED,
    ROUNDING,
    SMALL,
    STEEP,
    WORTH,
    Act,
    State,
)


def act(which: int, s: State, most: int) -> int:  # pragma: no cover
    """What is called from outside: does one thing, at most so many moves; how it ended, or whether it fits.

    most : moves; to settle, which report.
    """
    if which == Act.BEGIN:
        begin(s)
    elif which == Act.FITS:
        return DONE if fits(s) else LOST
    elif which == Act.BEGIN_DUAL:
        begin_dual(s)
    elif which == Act.DUAL:
        return dual(s, most)
    elif which == Act.PRIMAL:
        return primal(s, most)
    else:
        settle(s, most)
    return DONE


def begin(s: State) -> None:  # pragma: no cover
    """Orders, slots and ratios of the forests."""
    for u in range(s.used[0]):
        set_order(s, s.parent[u], s.order[u])
        for i in range(len(s.orbit)):
            s.slot[s.piece[u, i]] = u
    s.mark[:] = SMALL
    for q in range(len(s.row)):
        bound(s, s.slot[q], q, SMALL)


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


def primal(s: State, most: int) -> int:  # pragma: no cover
    """Up to so many moves that lower the loss; how it ended."""
    s.worth[:], s.fresh[:] = np.inf, False
    for _ in range(most):
        u = promising(s)
        if s.worth[u] > WORTH:
            gain, way = s.gain[u], s.way[u]
            cut(s, u, s.edge[u])
        else:
            z = offer(s)
            if z < 0:
                return DONE
            u = enter(s, z)
            gain, way = beyond(s, u), 1.0
        far, a, b = nearest(s, way)
        if a < 0:
            return LOST
        v = s.slot[a]
        tie(s, way * far, a, b, s.inner[a, b], s.outer[a, b])
        for j in range(len(s.row)):
            s.prices[j] += gain * s.row[j]
        s.moves[0] += 1
        if a == b and u == s.used[0]:  # the slot that came in last has moved to where one went
            u = v
        s.fresh[:] = False
        s.worth[u] = s.worth[v] = np.inf
        if s.moves[0] % AFRESH == 0:
            s.worth[:] = np.inf
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


def begin_dual(s: State) -> None:  # pragma: no cover
    """Raises the costs of the slots, and of the trees that may come in."""
    for u in range(s.used[0]):
        raise_costs(s, u)
    for z in range(len(s.cost)):
        top, excess = largest(s.tree_height[z]), 0.0
        for x in range(len(s.orbit)):
            s.tree_height[z, x] -= top
            s.tree_ray[z, x] = np.exp(s.tree_height[z, x])
            excess += (s.cost[z, x] - s.prices[s.orbit[x]]) * s.tree_ray[z, x]
        s.raised[z] = max(0.0, RAISED - excess)


def dual(s: State, most: int) -> int:  # pragma: no cover
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
        s.moves[0] += 1
        if drop and chosen == s.used[0]:
            chosen = u
        if came:
            raise_costs(s, chosen)
        if chosen < s.used[0]:
            set_values(s, chosen)
        if u < s.used[0]:
            set_values(s, u)
    return GOING

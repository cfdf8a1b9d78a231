"""The arrays that the simplex works on, and its tolerances.

A basic solution contains, for each report in use, a *block*: a graph of tight pairs of places, without cycles. Within
one connected part of it, a *component*, all probabilities are fixed up to one factor, its *weight*. There are as many
components as rows (the sums that must be 1), so the rows determine the weights: the matrix of components is the basis.
The costs of the components determine the dual values of the rows.
"""

from __future__ import annotations

from typing import NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Indices = NDArray[np.uint32]
"""Unsigned: for signed indices, machine code would check each time whether they count from the end."""
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]
FAILED, GOING, DONE = -1, 0, 1
"""How a slice of pivots ended: no pivot is possible, there may be more, none are left."""
SHIFT = 1e-6
"""The least reduced cost that the dual simplex gives to a column, so that no two pivots cost the same."""
FEASIBLE, ROUNDING = 1e-12, 1e-9
"""How much a weight may violate a limit when a pivot is chosen; and at the end."""
OPTIMAL = 1e-10
"""The reduced cost below which nothing is gained: over 400 places it adds up to a gap of less than 1e-7."""
PIVOT, SLOPE = 1e-9, 1e-12
"""The smallest pivot; the least rate at which a ratio test treats a constraint as approaching."""
TALLEST = 1.0
"""The height above which a component is rescaled: the tolerances are for heights near 0."""
LONGEST = 1e100
"""The longest step."""
UNEXPLAINED, RELATIVE, LEAST_RAY = 1e-11, 1e-15, 1e-290
"""What a tree's flow may miss, absolutely and as a share of its terms; and the least ray for which this is checked."""
OFFSET = 1.0
"""Added to slacks that are 0 up to rounding, so that they are above 0."""
INFINITE = np.float64(np.inf).view(np.int64)
"""The bits of infinity."""
REPRICE = 20
"""Pivots after which all edges are priced again."""
SMALL, LARGE = 1, 2
"""Marks for the components whose limits against the smaller or the larger part of a cut component are needed."""
TREE_PIVOTS = 8
"""The most pivots on one tree in one pricing, as a multiple of the places."""


class State(NamedTuple):
    """n places, m reports, N rows, S = N + 1 blocks and components; the last component is the entering one."""

    short: Floats  # (n, n) epsilon d of the pairs with a constraint, slightly perturbed; infinite for the others
    cost: Floats  # (m, n)
    orbit: Indices  # (n,) the row that each place belongs to
    root: Indices  # (m,) the place of each report
    tree_parent: Indices  # (m, n) the cheapest known single tree of each report
    tree_sign: Floats
    tree_height: Floats
    tree_ray: Floats
    report: Indices  # (S,) of each block
    parent: Indices  # (S, n) roots are their own parents
    sign: Floats  # height = height of the parent + sign * length
    height: Floats
    ray: Floats  # e^height: probabilities, up to the weight
    charged: Floats  # the cost in use: the true one, or the one shifted by the dual simplex
    order: Indices  # (S, n) each place after its parent
    component: Indices  # (S, n) of each place
    block: Indices  # (S,) of each component
    weight: Floats  # (S,)
    value: Floats  # (S,) the cost of a unit of each component
    direction: Floats  # (S,) how the weights change along the step
    inverse: Floats  # (N, S) of the basis, by row and component
    limit: Floats  # (S, S) weight[a] <= limit[a, b] weight[b]
    inner: Indices  # (S, S) the pair of places where this limit is tight, in a and in b
    outer: Indices
    dual: Floats  # (N,) of the rows
    row: Floats  # (N,) the row of the inverse that a pivot replaces
    used: Counts  # (1,) blocks in use
    pivots: Counts  # (1,) so far
    gain: Floats  # (S,) rate of the best known edge of each block; infinite: unknown
    edge: Indices  # (S,) that edge, named by the place below it
    reduced: Floats  # (S,) the reduced cost of its subtree
    sense: Floats  # (S,) 1 if its subtree should weigh more, -1 if less
    priced: Flags  # (S,) whether these are for the current dual values
    first: Indices  # (n,) scratch, like all below
    following: Indices
    starts: Indices  # (S + 1,)
    members: Indices  # (S,)
    mark: Indices  # (S,)
    marked: Flags  # (n,)
    sums: Floats  # (n,)
    low: Floats
    high: Floats
    slack: Floats
    reduced_costs: Floats  # (S + m, n) of the edges, and of the trees that may enter
    pivot_row: Floats
    shifted: Floats  # (m,)
    bids: Floats
    row_up: Floats  # (S,)
    row_down: Floats


_KINDS = {
    name: {Floats: np.float64, Indices: np.uint32, Counts: np.int64, Flags: np.bool_}[kind]
    for name, kind in get_type_hints(State).items()
}


def empty(short: Floats, cost: Floats, orbit: NDArray[np.intp], root: NDArray[np.intp], rows: int) -> State:
    """A state with no blocks, in which no pair is tight."""
    m, n, slots = len(cost), len(orbit), rows + 1
    per_component = (
        *("report", "block", "weight", "value", "direction", "mark", "row_up", "row_down", "members"),
        *("gain", "edge", "reduced", "sense", "priced"),
    )
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("tree_parent", "tree_sign", "tree_height", "tree_ray"), (m, n)),
        **dict.fromkeys(("parent", "sign", "height", "ray", "charged", "order", "component"), (slots, n)),
        **dict.fromkeys(per_component, (slots,)),
        **dict.fromkeys(("limit", "inner", "outer"), (slots, slots)),
        **dict.fromkeys(("dual", "row"), (rows,)),
        **dict.fromkeys(("first", "following", "marked", "sums", "slack", "low", "high"), (n,)),
        **dict.fromkeys(("reduced_costs", "pivot_row"), (slots + m, n)),
        **dict.fromkeys(("used", "pivots"), (1,)),
        **dict.fromkeys(("shifted", "bids"), (m,)),
        "inverse": (rows, slots),
        "starts": (slots + 1,),
    }
    given = {"short": short, "cost": cost, "orbit": orbit, "root": root}
    s = State(
        **{name: np.ascontiguousarray(array, _KINDS[name]) for name, array in given.items()},
        **{name: np.zeros(shape, _KINDS[name]) for name, shape in shapes.items()},
    )
    s.limit[:] = np.inf
    return s

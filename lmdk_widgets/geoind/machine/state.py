"""What the functions of this room work on, and their numbers."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Indices = NDArray[np.uint32]
"""Without a sign: of an index that may be below 0, counting from the end, machine code would ask each time."""
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]
LOST, GOING, DONE = -1, 0, 1
"""How a slice of moves ended."""
RAISED, FITS, ROUNDING, FLAT, STEEP = 1e-6, 1e-12, 1e-9, 1e-12, 1e-9
"""As in `simplex`."""
WORTH = 1e-10
"""What an edge, or a report, has to be worth: less than in `simplex`, as what 400 places leave adds up."""
TALL = 1.0
"""Height from which a piece is scaled: tolerances are for heights near 0."""
FARTHEST = 1e100
"""Beyond how far one may go."""
FAR, SMALLEST, LOWEST = 1e-11, 1e-15, 1e-290
"""As in `pivots`: what a flow, and what rounding, may miss; the least that a ray can say."""
SHIFT = 1.0
"""Added to what is 0 but for rounding, so that it is above 0."""
INFINITE = np.float64(np.inf).view(np.int64)
"""The bits of infinity."""
AFRESH = 20
"""Moves after which no edge is known any more."""
SMALL, LARGE = 1, 2
"""Marks of the pieces whose tightest pairs with a part of another are to be found."""
MOVES_OF_A_TREE = 8
"""Moves, in multiples of the places, of one tree at one time."""


class Act(IntEnum):
    """What is called from outside."""

    BEGIN = 0
    FITS = 1
    BEGIN_DUAL = 2
    DUAL = 3
    PRIMAL = 4
    SETTLE = 5


class State(NamedTuple):
    """What the functions work on: n places, m reports, N rows, S = N + 1 slots and pieces."""

    short: Floats  # (n, n)
    cost: Floats  # (m, n)
    orbit: Indices  # (n,)
    root: Indices  # (m,), the places of the reports
    tree_parent: Indices  # (m, n), the best single tree known of each report
    tree_sign: Floats
    tree_height: Floats
    report: Indices  # (S,) of each slot
    parent: Indices  # (S, n), roots are their own
    sign: Floats
    height: Floats
    ray: Floats  # e^height
    paid: Floats
    order: Indices  # (S, n), each place after its parent
    piece: Indices  # (S, n)
    slot: Indices  # (S,) of each piece
    weight: Floats  # (S,)
    value: Floats
    move: Floats
    inverse: Floats  # (N, S), by row and piece
    ratio: Floats  # (S, S), weight[a] <= ratio[a, b] weight[b]
    inner: Indices  # (S, S), the pair of places where that is tight
    outer: Indices
    prices: Floats  # (N,)
    row: Floats  # (N,)
    used: Counts  # (1,), slots taken
    moves: Counts  # (1,), moves so far
    worth: Floats  # (S,), what the best edge of each slot is worth, as far as known; infinite: unknown
    edge: Indices  # (S,), that edge, by the place below it
    gain: Floats  # (S,), what its subtree costs beyond the prices
    way: Floats  # (S,), 1 if its subtree is to weigh more, -1 if less
    fresh: Flags  # (S,), whether that is so at the present prices
    first: Indices  # (n,), scratch, as all below
    following: Indices
    starts: Indices  # (S + 1,)
    members: Indices  # (S,)
    mark: Indices  # (S,)
    marked: Flags  # (n,)
    sums: Floats  # (n,)
    low: Floats
    high: Floats
    helps: Floats
    prices_of_edges: Floats  # (S + m, n)
    helps_of_edges: Floats
    raised: Floats  # (m,)
    offers: Floats
    tree_ray: Floats  # (m, n)
    row_up: Floats  # (S,)
    row_down: Floats


_KINDS = {
    name: {Floats: np.float64, Indices: np.uint32, Counts: np.int64, Flags: np.bool_}[kind]
    for name, kind in get_type_hints(State).items()
}


def empty(short: Floats, cost: Floats, orbit: NDArray[np.intp], root: NDArray[np.intp], rows: int) -> State:
    """A state in which no slot is taken and no pair tight."""
    m, n, slots = len(cost), len(orbit), rows + 1
    shapes = {
        **dict.fromkeys(("tree_parent", "tree_sign", "tree_height", "tree_ray"), (m, n)),
        **dict.fromkeys(("parent", "sign", "height", "ray", "paid", "order", "piece"), (slots, n)),
        **dict.fromkeys(
            ("report", "slot", "weight", "value", "move", "mark", "row_up", "row_down", "members"), (slots,)
        ),
        **dict.fromkeys(("worth", "edge", "gain", "way", "fresh"), (slots,)),
        **dict.fromkeys(("ratio", "inner", "outer"), (slots, slots)),
        **dict.fromkeys(("prices", "row"), (rows,)),
        **dict.fromkeys(("first", "following", "marked", "sums", "helps", "low", "high"), (n,)),
        **dict.fromkeys(("prices_of_edges", "helps_of_edges"), (slots + m, n)),
        "inverse": (rows, slots),
        "starts": (slots + 1,),
        **dict.fromkeys(("used", "moves"), (1,)),
        **dict.fromkeys(("raised", "offers"), (m,)),
    }
    given = {"short": short, "cost": cost, "orbit": orbit, "root": root}
    s = State(
        **{name: np.ascontiguousarray(array, _KINDS[name]) for name, array in given.items()},
        **{name: np.zeros(shape, _KINDS[name]) for name, shape in shapes.items()},
    )
    s.ratio[:] = np.inf
    return s

"""Simplex moves from a basic mechanism that is nearly optimal to one that is.

`dual` comes first where epsilon has changed: it makes the weights fit again, at costs that are raised just so far that
the prices are right. `primal` then goes down at the true costs. `optimise` asks all reports whether they would do better:
that is where the bound comes from, which rests on none of this.

The next dual move is the one that goes farthest for its length (Forrest and Goldfarb, "Steepest-edge simplex
algorithms", Math. Programming 57 (1992)), the next primal move the one that gains most as a subtree grows by a share of
itself; near ties are settled by the largest pivot (Harris, Math. Programming 5 (1973)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.symmetry import Symmetry
from lmdk_widgets.geoind.trees import Forest, spanning

_AFRESH = 50
"""Moves after which the inverse is computed afresh."""
_MOVES = 20
"""Moves of each kind, in multiples of the rows, after which the other method is the quicker."""
_TURNS = 40
"""Turns of moving and asking all reports."""
_RAISED = 1e-6
"""What a dual move is to cost at least, so that no two cost the same."""
_FITS = 1e-12
"""What a weight may miss: the mechanism has to be private to the last digits."""
_WORTH = 1e-9
"""What cutting an edge must gain at least, as a share of the loss of the best constant report."""
_ROUNDING = 1e-9
_FLAT = 1e-12
_STEEP = 1e-9
_DEEP = -500.0
"""Height below which a ray cannot be written."""
_HEAVIEST = 4
"""Rays, in multiples of the rows, among which the first basis is looked for."""
_SPARE = 1e-4
"""What counts as the weight of the rays that make up for missing ones."""
_TIGHT = 1e-9


class Stuck(Exception):
    """The moves led nowhere: too many of them, or too much rounding."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """Prices by orbit, and the bound that they prove."""

    prices: Floats
    bound: float


def first_basis(forest: Forest, cost: Floats, symmetry: Symmetry, heights: Floats, weights: Floats) -> Basis:
    """A basis of rays (J, n) that carry much weight (J,) in a mixture; where they do not suffice, of the forest's.

    Raises
    ------
    Stuck : no spanning trees among them fix all weights.
    """
    heavy = np.argsort(-weights, kind="stable")[: _HEAVIEST * len(symmetry.sizes)]
    heights = np.concatenate([heights[heavy], forest.height[symmetry.reports]])
    weights = np.concatenate([np.maximum(weights[heavy], 0.0), np.full(len(symmetry.reports), _SPARE)])
    rays = np.exp((heights - heights.max(axis=1, keepdims=True)).T)
    columns = symmetry.fold(rays) * np.where(heights.min(axis=1) > _DEEP, weights, 0.0)
    while True:
        chosen = _independent(columns)
        parent, sign, height = spanning(heights[chosen], forest.short)
        tree = np.abs(height - heights[chosen]).max(axis=1) <= _TIGHT * (1 - heights[chosen].min(axis=1))
        if tree.all():
            break
        columns[:, chosen[~tree]] = 0.0
    report = symmetry.reports[(cost[symmetry.reports] @ rays[:, chosen]).argmin(axis=0)]
    try:
        return Basis(forest.short, cost, symmetry, report, parent, sign, height)
    except np.linalg.LinAlgError:
        raise Stuck from None


def _independent(columns: Floats) -> NDArray[np.intp]:
    """As many of the columns as there are rows, by elimination with the largest pivot that is left."""
    left, chosen, least = columns.copy(), [], _FLAT * np.abs(columns).max(initial=0.0)
    for _ in range(min(left.shape)):
        row, column = divmod(int(np.abs(left).argmax()), left.shape[1])
        if np.abs(left[row, column]) <= least:
            break
        chosen.append(column)
        left -= (left[:, column] / left[row, column])[:, None] * left[row]
        left[row], left[:, column] = 0.0, 0.0
    if len(chosen) < len(columns):
        raise Stuck
    return np.array(chosen)


def optimise(basis: Basis, forest: Forest, aim: float, bound: float = -np.inf) -> Optimum:
    """Moves until the loss is within the aim of the bound that pricing proves, or no report offers any better.

    Raises
    ------
    Stuck : neither was reached.
    """
    most, symmetry = _MOVES * basis.rows, basis.symmetry
    try:
        with np.errstate(all="ignore"):
            for _ in range(_TURNS):
                if not fits(basis):
                    most -= dual(basis, forest, most)
                most -= primal(basis, most)
                basis.refresh()
                prices = basis.prices
                proven, values = prove(forest, basis.cost, symmetry, prices)
                bound = max(bound, proven)
                if not fits(basis):
                    continue
                if basis.loss - bound <= aim:
                    return Optimum(prices, bound)
                cheapest = int(values.argmin())
                if not values[cheapest] < -_FITS:
                    break
                follow(basis, _enter(basis, forest, int(symmetry.reports[cheapest])))
    except np.linalg.LinAlgError:
        pass
    raise Stuck


def prove(forest: Forest, cost: Floats, symmetry: Symmetry, prices: Floats) -> tuple[float, Floats]:
    """The bound that prices prove, and what the best ray of each report is worth at them."""
    found = forest.price(symmetry.reports, cost[symmetry.reports] - prices[symmetry.orbit], 1e-13)
    floor = np.minimum(symmetry.least(found.left.min(axis=0)), 0.0)
    return float(symmetry.sizes @ (prices + floor)), found.values


def primal(basis: Basis, most: int) -> int:
    """Moves until no edge is worth cutting; how many they were."""
    for moves in range(most):
        if moves % _AFRESH == _AFRESH - 1:
            basis.refresh()
        used = slice(basis.used)
        gain = basis.sign[used] * (basis.sums[used] - basis.worth(basis.prices)) * basis.weights[basis.piece[used]]
        slot, child = divmod(int(gain.argmax()), basis.n)
        if gain[slot, child] <= _WORTH:
            return moves
        way = -float(basis.sign[slot, child])
        follow(basis, basis.cut(slot, child), way)
    raise Stuck


def follow(basis: Basis, move: Floats, way: float = 1.0) -> None:
    """Goes along a line, or back, to where the first pair gets tight."""
    first, second, ratio = basis.first, basis.second, basis.ratio
    room = np.maximum(ratio * basis.weights[second] - basis.weights[first], 0.0)
    closing = way * (move[first] - ratio * move[second])
    near = (closing > _FLAT * (1 + ratio)).nonzero()[0]
    if not len(near):
        raise Stuck
    room, closing = room[near], closing[near]
    most = ((room + _FITS) / closing).min()
    at = int(np.where(room <= most * closing, closing, 0.0).argmax())
    tied = int(first[near[at]]), int(second[near[at]])
    basis.tie(move, way * float(room[at] / closing[at]), *tied, basis.tightest(*tied))


def fits(basis: Basis) -> bool:
    """Whether all weights are what they have to be, but for rounding."""
    room = basis.ratio * basis.weights[basis.second] - basis.weights[basis.first]
    return bool((room >= -_ROUNDING * (1 + basis.ratio)).all())


def dual(basis: Basis, forest: Forest, most: int) -> int:
    """Moves until all weights fit; how many they were. The trees of the forest may come in."""
    others = _Others(basis, forest)
    for slot in range(basis.used):
        _raise(basis, slot)
    for moves in range(most):
        if moves % _AFRESH == _AFRESH - 1:
            basis.refresh()
        first, second, ratio = basis.first, basis.second, basis.ratio
        room = ratio * basis.weights[second] - basis.weights[first]
        missing = (room < -_FITS * (1 + ratio)).nonzero()[0]
        if not len(missing):
            basis.charge()
            return moves
        first, second = first[missing], second[missing]
        row = ratio[missing, None] * basis.inverse[second] - basis.inverse[first]
        at = int((room[missing] ** 2 / np.einsum("ij,ij->i", row, row)).argmax())
        _mend(basis, others, int(first[at]), int(second[at]), -row[at])
    raise Stuck


class _Others:
    """The trees of a forest as they may come into a basis: what they give (Z, rows) and cost (Z,), and are counted with."""

    def __init__(self, basis: Basis, forest: Forest) -> None:
        self.forest, self.reports = forest, basis.symmetry.reports
        height = forest.height[self.reports]
        rays = np.exp(height - height.max(axis=1, keepdims=True))
        self.gives = np.ascontiguousarray(basis.symmetry.fold(rays.T).T)
        true = (basis.cost[self.reports] * rays).sum(axis=1)
        self.cost = np.maximum(true, self.gives @ basis.prices + _RAISED)
        self.raised = self.cost - true

    def enter(self, basis: Basis, which: int) -> Floats:
        """Lets one of them in at the cost that it is counted with; how the weights move."""
        move = _enter(basis, self.forest, int(self.reports[which]))
        slot = int(basis.slot[-1])
        root = int((basis.sign[slot] == 0).nonzero()[0][0])
        basis.paid[slot, root] += self.raised[which] / np.exp(basis.height[slot, root])
        basis.sums[slot, root] += self.raised[which]
        basis.values[-1] += self.raised[which]
        return move


def _mend(basis: Basis, others: _Others, first: int, second: int, row: Floats) -> None:
    """One dual move: ties two pieces whose weights do not fit (or drops one), and cuts what costs least for it."""
    slot, pair, prices = int(basis.slot[first]), basis.tightest(first, second), basis.prices
    worth = basis.worth(np.stack([prices, row], axis=1))
    price, help = basis.sums[: basis.used] - worth[:, :, 0], worth[:, :, 1]
    if first == second:  # a report that goes takes its edges with it
        help[slot] = 0.0
    else:
        ratio = _ratio(basis, slot, pair)
        help[slot] += ratio * basis.below[slot, :, pair[1]] - basis.below[slot, :, pair[0]]
    sign = -basis.sign[: basis.used]
    price = np.concatenate([(sign * price).ravel(), others.cost - others.gives @ prices])
    help = np.concatenate([(sign * help).ravel(), others.gives @ row])
    chosen = _cheapest(np.maximum(price, 0.0), help)
    edges = basis.used * basis.n
    move = basis.cut(*divmod(chosen, basis.n)) if chosen < edges else others.enter(basis, chosen - edges)
    ratio = 2.0
    if first != second:  # the pair may belong to other pieces now
        first, second = int(basis.piece[slot, pair[0]]), int(basis.piece[slot, pair[1]])
        ratio = _ratio(basis, slot, pair)
    far = (basis.weights[first] - ratio * basis.weights[second]) / (ratio * move[second] - move[first])
    basis.tie(move, far, first, second, pair)
    if chosen >= edges:
        _raise(basis, int(basis.slot[first]))  # the piece that came in has the number of the one that went


def _ratio(basis: Basis, slot: int, pair: tuple[int, int]) -> float:
    height = basis.height[slot]
    return float(np.exp(basis.short[pair] + height[pair[1]] - height[pair[0]]))


def _cheapest(price: Floats, help: Floats) -> int:
    """The largest help among those that cost least for it, but for rounding."""
    able = (help > _STEEP).nonzero()[0]
    if not len(able):
        raise Stuck
    price, help = price[able], help[able]
    most = ((price + _ROUNDING) / help).min()
    return int(able[np.where(price <= most * help, help, 0.0).argmax()])


def _enter(basis: Basis, forest: Forest, report: int) -> Floats:
    return basis.enter(report, forest.parent[report], forest.sign[report], forest.height[report])


def _raise(basis: Basis, slot: int) -> None:
    """Changes what a forest pays so far that none of its edges is worth cutting."""
    price = -basis.sign[slot] * (basis.sums[slot] - basis.vectors[slot] @ basis.prices)
    cheap = ((basis.sign[slot] != 0) & (price < 0.25 * _RAISED)).nonzero()[0]
    if len(cheap):
        wanted = _RAISED * (1 + 0.5 * np.sin(cheap))  # different for all
        more = -basis.sign[slot, cheap] * (wanted - price[cheap])
        basis.sums[slot, cheap] += more
        parent, k = basis.parent[slot, cheap], np.exp(basis.height[slot])
        basis.paid[slot, cheap] += more / k[cheap]
        np.add.at(basis.paid[slot], parent, -more / k[parent])

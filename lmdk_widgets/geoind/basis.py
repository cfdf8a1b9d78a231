"""A basic solution of the linear program in full: for each report in use a forest of tight pairs.

The probabilities of the places of one tree of a forest, a *piece*, are fixed up to one weight. There are as many pieces
in all as rows, so that the rows fix the weights, and the costs of the pieces fix the prices. A simplex move cuts an
edge, by which a piece falls into two whose weights may differ, and follows the line that opens until another pair of
places gets tight and ties two pieces, or a report is given no more. Few reports are of use in an optimum, and few edges
differ between neighbouring epsilons, so a move of a slider is some dozen moves of the simplex.

A report may be held by several forests at once: the sum of what they say is as private.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.symmetry import Symmetry

_Indices = NDArray[np.intp]
_ALONE = 2.0
"""On the diagonal of `ratios`: what a piece pays for being the only one, ``2 w - w >= 0``."""


class Basis:
    """Forests in slots, pieces by number; the last number, `rows`, is the piece that a move adds.

    Parameters
    ----------
    short : (n, n) lengths. cost : (m, n) by report. symmetry : what is folded. reports : (rows,). parent, sign, height :
    (rows, n), spanning trees to begin with: ``k_x = e^(sign length) k_parent``, roots are their own parents.

    Attributes
    ----------
    used : slots taken. report : (slots,). paid : (slots, n) the cost that is counted, `cost` or what `dual` makes of it.
    piece : (slots, n). vectors : (slots, n, rows) what the subtree of each place gives to the rows, `sums` what it costs.
    weights, values : of the pieces, what they weigh and cost. inverse : (rows + 1, rows) of the matrix of pieces.
    first, second, ratio : the pairs of pieces with ``weight[first] <= ratio weight[second]``.

    Raises
    ------
    numpy.linalg.LinAlgError : the trees do not fix the weights.
    """

    def __init__(
        self,
        short: Floats,
        cost: Floats,
        symmetry: Symmetry,
        reports: _Indices,
        parent: _Indices,
        sign: Floats,
        height: Floats,
    ) -> None:
        self.short, self.cost, self.symmetry = short, cost, symmetry
        self.rows, self.n = parent.shape
        self.folded = len(symmetry.maps) > 1
        slots, n = self.rows + 1, self.n
        self.used = 0
        self.report, self.slot = np.zeros(slots, np.intp), np.zeros(slots, np.intp)
        self.parent, self.piece = np.zeros((slots, n), np.intp), np.zeros((slots, n), np.intp)
        self.sign, self.height, self.paid = np.zeros((slots, n)), np.zeros((slots, n)), np.zeros((slots, n))
        self.below = np.zeros((slots, n, n), bool)
        self.vectors, self.sums = np.zeros((slots, n, self.rows)), np.zeros((slots, n))
        self.weights, self.values = np.zeros(slots), np.zeros(slots)
        self.inverse = np.zeros((slots, self.rows))
        self.ratios = np.full((slots, slots), np.inf)
        for number, report in enumerate(reports.tolist()):
            self._open(report, parent[number], sign[number], height[number], number)
        self.refresh()

    def rescale(self, short: Floats, ratio: float) -> None:
        """The same forests at `ratio` times epsilon."""
        self.short = short
        self.height *= ratio
        self.charge()

    def charge(self) -> None:
        """Counts the true cost again."""
        self.paid[: self.used] = self.cost[self.report[: self.used]]
        self.refresh()

    def refresh(self) -> None:
        """Everything from the forests alone, without the rounding that moves gathered."""
        top = np.full(len(self.weights), -np.inf)
        np.maximum.at(top, self.piece[: self.used], self.height[: self.used])
        self.height[: self.used] -= top[self.piece[: self.used]]
        for slot in range(self.used):
            self._count(slot)
        roots = np.nonzero(self.sign[: self.used] == 0)
        matrix = np.empty((self.rows, self.rows))
        matrix[self.piece[roots]] = self.vectors[roots]
        self.inverse[:-1] = np.linalg.inv(matrix.T)
        self.weights[:-1] = self.inverse[:-1] @ self.symmetry.sizes
        self._list()

    @property
    def prices(self) -> Floats:
        """(rows,): what makes every piece worth its cost."""
        return np.asarray(self.values[:-1] @ self.inverse[:-1])

    @property
    def loss(self) -> float:
        return float(self.values[:-1] @ self.weights[:-1])

    def worth(self, prices: Floats) -> Floats:
        """(used, n, ...): what the subtrees of all places are worth at prices (rows, ...)."""
        flat = self.vectors[: self.used].reshape(-1, self.rows) @ prices
        return flat.reshape(self.used, self.n, *prices.shape[1:])

    def reports(self) -> _Indices:
        """(used,): of each slot."""
        return self.report[: self.used]

    def columns(self) -> Floats:
        """(used, n): what each forest says of its report."""
        return np.exp(self.height[: self.used]) * self.weights[self.piece[: self.used]]

    def cut(self, slot: int, child: int) -> Floats:
        """Cuts the edge above a place; how the weights move, (rows + 1,), as that of the subtree grows by 1."""
        whole, subtree = int(self.piece[slot, child]), self.below[slot, child].copy()
        move = self._answer(self.vectors[slot, child])
        move[-1] = 1 + move[whole]
        above = self.below[slot, :, child] & ~subtree
        self.below[slot, above] &= ~subtree
        self.parent[slot, child], self.sign[slot, child] = child, 0.0
        self.piece[slot, subtree], self.slot[-1] = self.rows, slot
        self.weights[-1], self.inverse[-1] = self.weights[whole], self.inverse[whole]
        self._count(slot)
        self._list()
        return move

    def enter(self, report: int, parent: _Indices, sign: Floats, height: Floats) -> Floats:
        """Takes a spanning tree, of weight 0 so far; how the weights move as its weight grows by 1."""
        slot = self._open(report, parent, sign, height, self.rows)
        move = self._answer(self.vectors[slot, self.sign[slot] == 0][0])
        move[-1] = 1.0
        self.weights[-1], self.inverse[-1] = 0.0, 0.0
        self._list()
        return move

    def tightest(self, first: int, second: int) -> tuple[int, int]:
        """The places, of two pieces of one forest, that get tight as the first grows; any, of one piece."""
        slot = int(self.slot[first])
        inner = (self.piece[slot] == first).nonzero()[0]
        outer = (self.piece[slot] == second).nonzero()[0]
        height = self.height[slot]
        slack = self.short[inner[:, None], outer] + height[outer] - height[inner, None]
        at = divmod(int(slack.argmin()), len(outer))
        return int(inner[at[0]]), int(outer[at[1]])

    def tie(self, move: Floats, far: float, first: int, second: int, pair: tuple[int, int]) -> None:
        """Follows a line as far as given, to where the first piece is tied to the second at a pair of places.

        Where both are the same piece, its report is given no more.
        """
        slot, last = int(self.slot[first]), self.rows
        self.weights += far * move
        lift = float(self.short[pair] + self.height[slot, pair[1]] - self.height[slot, pair[0]])
        ratio = _ALONE if first == second else np.exp(lift)
        row = (self.inverse[first] - ratio * self.inverse[second]) / (ratio * move[second] - move[first])
        self.inverse += move[:, None] * row
        if first == second:
            self._close(slot)
        else:
            self._attach(slot, *pair, lift)
        if first != last:  # the piece that was added takes the number of the one that is gone
            own = self.piece[self.slot[last]]
            own[own == last] = first
            for values in (self.slot, self.weights, self.values, self.inverse, self.ratios):
                values[first] = values[last]
            self.ratios[:, first] = self.ratios[:, last]
        self.ratios[last] = self.ratios[:, last] = np.inf
        if first != second:
            self._count(slot)
        self._list()

    def _answer(self, vector: Floats) -> Floats:
        """How the weights make up for one more of a vector (rows,)."""
        move = np.zeros(self.rows + 1)
        np.negative(self.inverse[:-1] @ vector, out=move[:-1])
        return move

    def _open(self, report: int, parent: _Indices, sign: Floats, height: Floats, piece: int) -> int:
        slot = self.used
        self.used += 1
        self.report[slot], self.parent[slot], self.paid[slot] = report, parent, self.cost[report]
        self.sign[slot] = np.where(parent == np.arange(self.n), 0.0, sign)
        self.height[slot] = height - height.max()
        self.below[slot] = _descendants(parent)
        self.piece[slot], self.slot[piece] = piece, slot
        self._count(slot)
        return slot

    def _close(self, slot: int) -> None:
        self.used = last = self.used - 1
        if slot == last:
            return
        for values in (
            self.report,
            self.parent,
            self.sign,
            self.height,
            self.paid,
            self.below,
            self.piece,
            self.vectors,
            self.sums,
        ):
            values[slot] = values[last]
        self.slot[self.slot == last] = slot

    def _attach(self, slot: int, inner: int, outer: int, lift: float) -> None:
        """Hangs the piece of one place up at another, with that place on top."""
        below, parent, sign, piece = self.below[slot], self.parent[slot], self.sign[slot], self.piece[slot]
        part = piece == piece[inner]
        above = below[:, outer].copy()
        child, upward = inner, -1.0  # the way to the root of the piece is turned round, from below
        under, way = below[inner].copy(), outer
        below[inner] = part
        while True:
            on, onward = int(parent[child]), sign[child]
            parent[child], sign[child] = way, -upward
            if on == child:
                break
            way, upward, child = child, onward, on
            before = below[child].copy()
            below[child] = part & ~under
            under = before
        below[above] |= part
        self.height[slot, part] += lift
        piece[part] = piece[outer]

    def _count(self, slot: int) -> None:
        """What a forest gives, costs, and how far its pieces may differ."""
        height, piece = self.height[slot], self.piece[slot]
        given = self.below[slot] * np.exp(height)
        self.vectors[slot] = self.symmetry.fold(given.T).T if self.folded else given
        self.sums[slot] = given @ self.paid[slot]
        roots = (self.sign[slot] == 0).nonzero()[0]
        self.values[piece[roots]] = self.sums[slot, roots]
        if len(roots) == 1:
            self.ratios[piece[0], piece[0]] = _ALONE
            return
        order = piece.argsort(kind="stable")
        label = piece[order]
        starts = np.concatenate([[0], (label[1:] != label[:-1]).nonzero()[0] + 1])
        slack = self.short + height - height[:, None]
        least = np.minimum.reduceat(slack[order], starts, axis=0)
        least = np.exp(np.minimum.reduceat(least[:, order], starts, axis=1))
        least.flat[:: len(roots) + 1] = np.inf
        pieces = label[starts]
        self.ratios[pieces[:, None], pieces] = least

    def _list(self) -> None:
        self.first, self.second = (self.ratios < np.inf).nonzero()
        self.ratio = self.ratios[self.first, self.second]


def _descendants(parent: _Indices) -> NDArray[np.bool_]:
    """(n, n): whether the column is in the subtree of the row."""
    below = np.eye(len(parent), dtype=bool)
    node = np.arange(len(parent))
    place = parent
    while not below[place, node].all():
        below[place, node] = True
        place = parent[place]
    return below

"""Column generation for one prior and one epsilon: rounds of mixing and pricing around the best prices known.

The prices of a round pay for leaving the best ones, by the square of their relative change: a proximal bundle method
(Lemarechal; Kiwiel; Frangioni, "Generalized bundle methods", SIAM J. Optimization 13 (2002)). How much is learnt: less
after a round that raised the bound, more after one that did not. A round prices only the reports that have ever been
of use; `verify` prices the others, and only then is the bound proven.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.master import Mixture, mix, settle
from lmdk_widgets.geoind.symmetry import Symmetry
from lmdk_widgets.geoind.trees import Forest

_CROWDED = 11
"""Columns in the pool, in multiples of n, from which the dearest are dropped."""
_FEWEST = 250
_SMALL = 3e-2
"""Share of the mean price below which a price is free to move by as much as one of that size."""
_EVERY = 8
"""Rounds after which better prices are verified at the latest."""
_HEAVY = 3
"""Columns, in multiples of n, of the largest weights that survive a thinning: in the last mixture, which hold the centre
where it is, and in the last mechanism. An interior point gives some weight to all of them."""
_EXACT = 1e-12
"""What a row of a mechanism may miss before its rows are scaled to 1."""
_TIGHT = 1e-13


class Generation:
    """The state of one solve; everything is counted in shares of the loss of the best constant report.

    Parameters
    ----------
    cost : (m, n) by report, ``cost[z, x]``, divided by the scale. forest : of this epsilon. symmetry : of the cost.
    heights : (J, n) of the rays known, u of k = e^u. prices : (orbits,) to begin with. useful : (reports,) bool, the
    reports, among those that the symmetry keeps, that are priced in every round. stiff : of the first round. fresh :
    the forest has no trees of an earlier solve.

    Attributes
    ----------
    bound : proven. estimate : what the model still hopes to gain. rounds : so far. kept : (J,) bool, what no thinning takes.
    """

    def __init__(
        self,
        cost: Floats,
        forest: Forest,
        symmetry: Symmetry,
        heights: Floats,
        prices: Floats,
        useful: NDArray[np.bool_],
        stiff: float = 1.0,
        fresh: bool = True,
    ) -> None:
        self.cost, self.forest, self.symmetry, self.sizes = cost, forest, symmetry, symmetry.sizes
        self.useful = useful.copy()
        self.heights = np.zeros((0, cost.shape[1]))
        self.columns = np.zeros((len(self.sizes), 0))
        self.prices_of_columns = np.zeros(0)
        self.kept = np.zeros(0, bool)
        self._add(heights)
        self.kept[0] = True
        self.bound, self.estimate, self.rounds, self.stiff = -np.inf, 1.0, 0, stiff
        self.centre, self.care = prices, 1.0
        self.hoped, self.floor, _ = self._price(self.useful, prices)
        self.verified, self.last = False, np.zeros(0)
        if fresh and self.useful.any():
            forest.adopt(symmetry.reports[~self.useful], symmetry.reports[self.useful])
        self.verify()

    def _add(self, heights: Floats) -> None:
        heights = heights - heights.max(axis=1, keepdims=True)
        columns = np.exp(heights.T)
        self.heights = np.concatenate([self.heights, heights])
        self.columns = np.concatenate([self.columns, self.symmetry.fold(columns)], axis=1)
        self.kept = np.concatenate([self.kept, np.zeros(len(heights), bool)])
        self.prices_of_columns = np.concatenate([self.prices_of_columns, (self.cost @ columns).min(axis=0)])

    def _price(self, which: NDArray[np.bool_], prices: Floats) -> tuple[float, Floats, Floats]:
        """Prices some reports and adds the rays found: their bound, what is left at each place, their values."""
        if not which.any():
            return float(self.sizes @ prices), np.zeros(len(prices)), np.zeros(0)
        reports = self.symmetry.reports[which]
        found = self.forest.price(reports, self.cost[reports] - prices[self.symmetry.orbit], _TIGHT)
        if len(found.rays):
            with np.errstate(divide="ignore"):
                self._add(np.maximum(np.log(found.rays), -700.0))
        floor = np.minimum(self.symmetry.least(found.left.min(axis=0)), 0.0)
        return float(self.sizes @ (prices + floor)), floor, found.values

    def verify(self) -> None:
        """Prices the reports that were not of use so far; those that are cheap now will be from here on."""
        if self.verified:
            return
        others = ~self.useful
        _, floor, values = self._price(others, self.centre)
        self.floor = np.minimum(self.floor, floor)
        proven = float(self.sizes @ (self.centre + self.floor))
        self.estimate += self.hoped - proven
        self.hoped, self.verified = proven, True
        self.useful[np.flatnonzero(others)[values < -1e-10]] = True
        self.bound = max(self.bound, proven)

    def round(self, tolerance: float) -> None:
        """One round: mix around the best prices, then price."""
        stiff = stiffness(self.centre, self.sizes, self.stiff)
        sharp = self.care * float(np.clip(0.3 * self.estimate, 0.02 * tolerance, 1e-2))
        known = self.columns.shape[1]
        mixture = mix(self.columns, self.prices_of_columns, sharp, self.sizes, self.centre, stiff)
        prices, self.last = mixture.prices, mixture.weights
        missed = np.abs(stiff * (prices - self.centre)) @ np.abs(self.centre)
        bound, floor, _ = self._price(self.useful, prices)
        better = bound > self.hoped
        if better:
            self.centre, self.hoped, self.floor, self.verified = prices, bound, floor, False
        if better or self.columns.shape[1] > known:
            self.stiff, self.care = (0.4 if better else 1.3) * self.stiff, 1.0
        else:  # the model was right and its mixture too coarse
            self.stiff, self.care = 0.1 * self.stiff, max(0.1 * self.care, 1e-4)
        self.rounds += 1
        self.estimate = max(float(self.sizes @ prices) + float(missed) - self.hoped, 0.0)
        if self.rounds % _EVERY == 0 or self.estimate < tolerance:
            self.verify()
        if self.columns.shape[1] > max(_CROWDED * len(self.sizes), 2 * _FEWEST):
            self._thin(mixture)

    def _thin(self, mixture: Mixture) -> None:
        """Of the columns of the mixture, keeps those with the least reduced cost; the constant and new ones always."""
        old = len(mixture.weights)
        reduced = self.prices_of_columns[:old] - self.columns[:, :old].T @ mixture.prices
        reduced[0] = -np.inf
        reduced[_largest(mixture.weights, _HEAVY * len(self.sizes))] = -np.inf
        many = max(_CROWDED * len(self.sizes) // 2, _FEWEST)
        kept = np.union1d(np.argsort(reduced, kind="stable")[:many], np.flatnonzero(self.kept[:old]))
        keep = np.concatenate([kept, np.arange(old, self.columns.shape[1])])
        self.heights, self.columns = self.heights[keep], self.columns[:, keep]
        self.prices_of_columns = self.prices_of_columns[keep]
        self.kept, self.last = self.kept[keep], self.last[kept]

    def _settled(self, weights: Floats) -> Floats:
        """The weights with every row exact, as far as moving them can do it."""
        return settle(self.columns, np.clip(weights, 0, None), self.sizes)

    def matrix(self, tolerance: float, enough: float = 0.0) -> Floats:
        """A mechanism of the rays known, (n, m), rows for true places, which sum to 1 to the last digits.

        The cheapest to a tolerance; or that of the last round, settled, where it is within `enough` of the bound.
        """
        weights = np.zeros(self.columns.shape[1])
        if len(self.last):
            weights[: len(self.last)] = self.last
            weights = self._settled(weights)
        missed = float(np.abs(self.columns @ weights - self.sizes).max())
        if not (missed < _EXACT and self.prices_of_columns @ weights - self.bound <= enough):
            weights = self._settled(mix(self.columns, self.prices_of_columns, tolerance, self.sizes).weights)
        self.kept = np.zeros(len(weights), bool)
        self.kept[_largest(weights, _HEAVY * len(self.sizes))] = True
        self.kept[0] = True
        return mechanism(self.cost, self.heights, weights, self.symmetry)


def _largest(values: Floats, many: int) -> NDArray[np.intp]:
    return np.argsort(values, kind="stable")[-many:]


def stiffness(centre: Floats, sizes: Floats, much: float) -> Floats:
    """What it costs to leave prices, (orbits,): by their relative change, as small ones are as uncertain as large."""
    scale = np.maximum(np.abs(centre), _SMALL * float(np.abs(centre).mean()) + 1e-12)
    return 0.1 * much * sizes / (scale**2 * sizes.sum())


def mechanism(cost: Floats, heights: Floats, weights: Floats, symmetry: Symmetry) -> Floats:
    """The rays (J, n) with their weights, each at its cheapest report, (n, m)."""
    taken = weights > 0
    columns = np.exp(heights[taken].T)
    report = (cost @ columns).argmin(axis=0)
    found = np.zeros(cost.shape)
    np.add.at(found, report, weights[taken, None] * columns.T)
    return symmetry.spread(found.T)

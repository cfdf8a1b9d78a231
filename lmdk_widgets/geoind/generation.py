"""Column generation for one prior and one epsilon: rounds of pricing and mixing around the best prices known.

The prices of a round may leave the best ones, those with the highest proven bound, only by a radius that grows where
the model proves right and shrinks where it proves wrong (du Merle et al., "Stabilized column generation", Discrete
Mathematics 194 (1999)). The radius is paid for by columns that fill or empty a single row; a mixture that uses none of
them is a mechanism.
"""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.master import Mixture, mix, settle
from lmdk_widgets.geoind.trees import Forest

_CROWDED = 14
"""Columns in the pool, in multiples of n, from which the dearest are dropped."""


class Generation:
    """The state of one solve; everything is counted in shares of the loss of the best constant report.

    Parameters
    ----------
    cost : (m, n) by report, ``cost[z, x]``, divided by the scale. forest : of this epsilon. heights : (J, n) of the
    rays known, u of k = e^u. prices : (n,) to begin with. radius : how far prices may go at first, as a share of 1 / n.
    """

    def __init__(self, cost: Floats, forest: Forest, heights: Floats, prices: Floats, radius: float) -> None:
        self.cost, self.forest, self.n = cost, forest, cost.shape[1]
        self.heights = np.zeros((0, self.n))
        self.columns = np.zeros((self.n, 0))
        self.prices_of_columns = np.zeros(0)
        self._add(heights)
        self.best, self.bound = prices, -np.inf
        self.radius = radius / self.n
        self.estimate = 1.0
        self.rounds = 0
        self._explore(prices)

    def _add(self, heights: Floats) -> None:
        heights = heights - heights.max(axis=1, keepdims=True)
        columns = np.exp(heights.T)
        self.heights = np.concatenate([self.heights, heights])
        self.columns = np.concatenate([self.columns, columns], axis=1)
        self.prices_of_columns = np.concatenate([self.prices_of_columns, (self.cost @ columns).min(axis=0)])

    def _explore(self, prices: Floats) -> float:
        """Prices every report, adds the rays found, and returns the proven bound, kept if it is the best so far."""
        found = self.forest.price(np.arange(len(self.cost)), self.cost - prices, 1e-13)
        bound = float((prices + np.minimum(found.left.min(axis=0), 0.0)).sum())
        if len(found.rays):
            with np.errstate(divide="ignore"):
                self._add(np.maximum(np.log(found.rays), -700.0))
        if bound > self.bound:
            self.bound, self.best = bound, prices
        return bound

    def round(self, tolerance: float) -> None:
        """One round: mix within the radius, then price; `estimate` is what the model still hopes to gain."""
        eye = np.eye(self.n)
        columns = np.concatenate([self.columns, eye, -eye], axis=1)
        cost = np.concatenate([self.prices_of_columns, self.best + self.radius, self.radius - self.best])
        mixture = mix(columns, cost, float(np.clip(0.1 * self.estimate, 0.02 * tolerance, 1e-2)))
        filled = float(mixture.weights[-2 * self.n :].sum())
        hoped = max(mixture.loss - self.bound, 0.0)
        before = self.bound
        gained = self._explore(mixture.prices) - before
        self.rounds += 1
        self.estimate = max(mixture.loss - self.bound, 0.0)
        if gained > 0.5 * hoped:
            self.radius *= 2
        elif gained < -0.5 * hoped:
            self.radius *= 0.5
        if self.estimate < tolerance or (filled * self.radius > 0.3 * hoped and hoped < 1e-3):
            self.radius *= 3
        if self.columns.shape[1] > _CROWDED * self.n:
            self._thin(mixture)

    def _thin(self, mixture: Mixture) -> None:
        """Keeps the columns with the least reduced cost at the last prices; the first, the constant, always."""
        reduced = self.prices_of_columns - self.columns.T @ mixture.prices
        reduced[0] = -np.inf
        keep = np.sort(np.argsort(reduced, kind="stable")[: _CROWDED * self.n // 2])
        self.heights, self.columns = self.heights[keep], self.columns[:, keep]
        self.prices_of_columns = self.prices_of_columns[keep]

    def matrix(self, tolerance: float) -> Floats:
        """The cheapest mechanism of the rays known, (n, m), rows for true places, which sum to 1 to the last digits."""
        mixture = mix(self.columns, self.prices_of_columns, tolerance)
        weights = settle(self.columns, np.clip(mixture.weights, 0, None))
        report = (self.cost @ self.columns).argmin(axis=0)
        found = np.zeros(self.cost.shape)
        np.add.at(found, report, weights[:, None] * self.columns.T)
        return found.T

"""Good prices to begin with: an interior point method on a program with few reports and few pairs, stopped early.

Column generation wanders when its first prices are poor. Mixing rays around single places tells which reports are of
any use; with those alone, and the pairs of a sparse graph at their true lengths, the program is small, and its prices
are near the true ones. Each report is a block of n unknowns, so a step inverts a matrix of n rows for each. Near the
optimum these become singular, which is why this is only a beginning. What it finds is proven by pricing, not here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.blocks import inverse
from lmdk_widgets.geoind.symmetry import Symmetry

_ROUNDS = 30
_SLOW = 3
"""Steps without much progress after which rounding has won."""
_CORRECTIONS = 2
_WIDTH = 0.1
_CHUNK = 1_000_000
"""Numbers in the matrices that are inverted at once."""
MOST = 10_000_000
"""Numbers in all matrices, from which the method is not worth its memory."""


def few_pairs(lengths: Floats, detour: float = 0.05) -> NDArray[np.bool_]:
    """(n, n): the pairs that no third place explains with a detour of at most that share; all if some are missing."""
    keep = lengths > 0
    if np.isinf(lengths).any():
        return keep & np.isfinite(lengths)
    for middle in range(len(lengths)):
        explained = lengths[:, middle, None] + lengths[middle] <= lengths * (1 + detour)
        explained[middle] = explained[:, middle] = False
        keep &= ~explained
    return keep


class Central:
    """Primal k (n, Z) by place and report, multipliers of the constraints (pairs, Z), and prices by orbit.

    Parameters
    ----------
    cost : (n, Z) of the reports taken. pairs : (n, n) those that get a constraint. lengths : (n, n).
    """

    def __init__(self, cost: Floats, pairs: NDArray[np.bool_], lengths: Floats, symmetry: Symmetry) -> None:
        n, many = cost.shape
        self.n, self.cost, self.symmetry, self.sizes = n, cost, symmetry, symmetry.sizes
        # k at `second` is at least a k at `first`
        self.second, self.first = np.nonzero(pairs)
        number = np.zeros((n, n), np.intp)
        number[self.second, self.first] = np.arange(len(self.first))
        self.back = number[self.first, self.second]
        self.starts = np.searchsorted(self.second, np.arange(n))
        self.lengths = lengths
        self.a = np.exp(-lengths[self.second, self.first])[:, None]
        self.k = np.full((n, many), 1 / many)
        self.slack = self._slack(self.k)
        self.flow = float(cost.sum(axis=0).min()) / self.slack.size / self.slack
        self.reduced = cost - self._push(self.flow)
        self.prices = symmetry.fold(self.reduced.mean(axis=1)) / self.sizes
        self.best, self.best_prices = -np.inf, symmetry.least(cost.min(axis=1))

    def run(self, gap: float) -> Iterator[float]:
        """Steps until the gap of this program is reached, or the method breaks down; yields the gap."""
        before, slow = np.inf, 0
        for _ in range(_ROUNDS):
            now = self._measure()
            slow = slow + 1 if now > 0.95 * before else 0
            before = now
            if not now > gap or slow == _SLOW:
                return
            yield before
            try:
                self._step()
            except np.linalg.LinAlgError:
                return

    # Never around a `yield`: a generator may be closed in another context, where numpy cannot restore its settings.
    @np.errstate(all="ignore")
    def _measure(self) -> float:
        """The gap at the present prices, keeping the best of them; nan when the method broke down."""
        self.reduced = self.cost - self._push(self.flow)
        floor = self.symmetry.least(self.reduced.min(axis=1))
        bound, loss = float(self.sizes @ floor), float((self.cost * self.k).sum())
        if not np.isfinite(bound):
            return float("nan")
        if bound > self.best:
            self.best, self.best_prices = bound, floor
        return loss - self.best

    def heights(self) -> Floats:
        """(Z, n) logarithms of columns that keep every pair: those found, to a power a little below 1."""
        if not np.isfinite(self.k).all() or self.k.min() <= 0:
            return np.zeros((0, self.n))
        heights = np.log(self.k.T)
        worst = 1.0
        per_length = np.divide(1, self.lengths, out=np.zeros_like(self.lengths), where=self.lengths > 0)
        for height in heights:
            worst = max(worst, float(((height[:, None] - height) * per_length).max()))
        return heights / worst * (1 - 1e-8)

    def _slack(self, k: Floats) -> Floats:
        return k[self.second] - self.a * k[self.first]

    def _push(self, flow: Floats) -> Floats:
        """A^T f, by place."""
        return np.asarray(np.add.reduceat(flow - self.a * flow[self.back], self.starts, axis=0))

    @np.errstate(all="ignore")
    def _step(self) -> None:
        slack, flow, symmetry = self.slack, self.flow, self.symmetry
        dual = self.reduced - self.prices[symmetry.orbit][:, None]
        primal = self.sizes - symmetry.fold(self.k.sum(axis=1))
        inverse, scale, schur = self._inverses(flow / slack)

        def apply(g: Floats) -> Floats:
            return np.matmul(inverse, (scale * g).T[:, :, None].astype(inverse.dtype))[:, :, 0].T * scale

        def direction(complement: Floats) -> tuple[Floats, Floats, Floats, Floats]:
            g = self._push(complement / slack) - dual
            dy = np.asarray(np.linalg.solve(schur, primal - symmetry.fold(apply(g).sum(axis=1))), float)
            dk = apply(g + dy[symmetry.orbit][:, None])
            ds = self._slack(dk)
            return dk, ds, (complement - flow * ds) / slack, dy

        mu = float((slack * flow).mean())
        dk, ds, df, dy = direction(-flow * slack)
        ahead = float(((slack + _reach(slack, ds) * ds) * (flow + _reach(flow, df) * df)).mean())
        target = max((ahead / mu) ** 3, 1e-6) * mu
        complement = target - flow * slack - ds * df
        dk, ds, df, dy = direction(complement)
        far, high = _reach(slack, ds), _reach(flow, df)
        for _ in range(_CORRECTIONS):  # Gondzio's corrections bring stray products back to the centre
            trial = (slack + min(1, 1.5 * far + 0.1) * ds) * (flow + min(1, 1.5 * high + 0.1) * df)
            back = np.maximum(np.clip(trial, _WIDTH * target, target / _WIDTH) - trial, -target / _WIDTH)
            other = direction(complement + back)
            farther, higher = _reach(slack, other[1]), _reach(flow, other[2])
            if farther + higher < 1.02 * (far + high):
                break
            complement = complement + back
            (dk, ds, df, dy), far, high = other, farther, higher
        self.k = self.k + 0.99 * far * dk
        self.slack = slack + 0.99 * far * ds
        self.flow = flow + 0.99 * high * df
        self.prices = self.prices + 0.99 * high * dy

    def _inverses(self, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """The inverses (Z, n, n) of the blocks A^T diag(f / s) A scaled to a unit diagonal, the scales, and the sum."""
        n, many = self.k.shape
        diagonal = np.add.reduceat(weight + self.a**2 * weight[self.back], self.starts, axis=0)
        scale = 1 / np.sqrt(diagonal)
        off = -(self.a * (weight + weight[self.back])) * scale[self.first] * scale[self.second]
        exact = many * n * n <= _CHUNK
        inverses = np.empty((many, n, n), float if exact else np.float32)
        total, whole = np.zeros((n, n)), np.arange(n)
        for part in (slice(at, at + max(1, _CHUNK // n**2)) for at in range(0, many, max(1, _CHUNK // n**2))):
            block = np.zeros((len(range(*part.indices(many))), n, n))
            block[:, self.second, self.first] = off[:, part].T
            block[:, whole, whole] = 1 + 1e-14
            block = inverse(block)
            inverses[part] = block
            block *= scale.T[part, :, None]
            block *= scale.T[part, None, :]
            total += block.sum(axis=0)
        fold = self.symmetry.fold
        return inverses, scale, fold(fold(total).T)


def _reach(values: Floats, move: Floats) -> float:
    lowest = float((move / values).min())
    return 1.0 if lowest >= -1 else -1 / lowest

"""Good prices to begin with: an interior point method on the program with few pairs, stopped early.

Column generation wanders when its first prices are poor. The program with the pairs of a spanner alone, its lengths not
divided, is a relaxation: its prices are near the true ones, and far cheaper. Each report is a block of n unknowns, so a
step inverts n matrices of n rows at once. Near the optimum these become singular, which is why this is only a
beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

_ROUNDS = 40
_CORRECTIONS = 2
_WIDTH = 0.1


def central_prices(cost: Floats, pairs: NDArray[np.intp], lengths: Floats, start: Floats, gap: float) -> Floats:
    """Prices (n,) of the relaxation to about a relative gap; the best found if it breaks down.

    Parameters
    ----------
    cost : (n, n) by report, ``cost[z, x]``. pairs, lengths : the constraints kept. start : (n, n) a mechanism by
    report, strictly within the constraints, its rows (over reports) summing to 1.
    """
    blocks = _Blocks(cost, pairs, lengths, start)
    best, prices = -np.inf, cost.min(axis=0)
    with np.errstate(all="ignore"):
        for _ in range(_ROUNDS):
            bound, loss, floor = blocks.bounds()
            if not np.isfinite(bound):
                break
            if bound > best:
                best, prices = bound, floor
            if loss - best <= gap * blocks.scale:
                break
            try:
                blocks.step()
            except np.linalg.LinAlgError:
                break
    return prices


class _Blocks:
    """Primal k (n, n) by report, multipliers of the constraints, prices."""

    def __init__(self, cost: Floats, pairs: NDArray[np.intp], lengths: Floats, start: Floats) -> None:
        n = len(cost)
        self.n, self.cost, self.k = n, cost, start.copy()
        shift = np.arange(n)[:, None]
        first, second = pairs.T
        self.first, self.second = (shift * n + first).ravel(), (shift * n + second).ravel()
        self.entry = (shift * n * n + first * n + second).ravel()
        self.a = np.tile(np.exp(-lengths), n)
        self.scale = float(cost.sum(axis=1).min())
        self.slack = self._slack(self.k)
        self.flow = self.scale / len(self.a) / self.slack
        self.prices = self._reduced().min(axis=0)

    def _slack(self, k: Floats) -> Floats:
        flat = k.ravel()
        return flat[self.second] - self.a * flat[self.first]

    def _push(self, flow: Floats) -> Floats:
        """A^T f, by report."""
        n = self.n
        into, out = np.bincount(self.second, flow, n * n), np.bincount(self.first, self.a * flow, n * n)
        return np.asarray(into - out, float).reshape(n, n)

    def _reduced(self) -> Floats:
        return self.cost - self._push(self.flow)

    def bounds(self) -> tuple[float, float, Floats]:
        floor = self._reduced().min(axis=0)
        return float(floor.sum()), float((self.cost * self.k).sum()), floor

    def step(self) -> None:
        slack, flow, n = self.slack, self.flow, self.n
        dual, primal = self._reduced() - self.prices, 1 - self.k.sum(axis=0)
        inverse, scale = self._inverses(flow / slack)
        schur = np.einsum("zi,zij,zj->ij", scale, inverse, scale, optimize=True)

        def apply(g: Floats) -> Floats:
            return (inverse @ (scale * g)[:, :, None])[:, :, 0] * scale

        def direction(complement: Floats) -> tuple[Floats, Floats, Floats, Floats]:
            g = self._push(complement / slack) - dual
            dy = np.linalg.solve(schur, primal - apply(g).sum(axis=0))
            dk = apply(g + dy)
            ds = self._slack(dk)
            return dk, ds, (complement - flow * ds) / slack, dy

        mu = float(slack @ flow) / len(slack)
        dk, ds, df, dy = direction(-flow * slack)
        ahead = (slack + _reach(slack, ds) * ds) @ (flow + _reach(flow, df) * df) / len(slack)
        target = max(float(ahead / mu) ** 3, 1e-6) * mu
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
        if not np.isfinite(n * self.prices).all():
            raise np.linalg.LinAlgError("the prices overflowed")

    def _inverses(self, weight: Floats) -> tuple[Floats, Floats]:
        """The inverses of the blocks A^T diag(f / s) A scaled to a unit diagonal, and the scales."""
        n = self.n
        hessian = -np.bincount(self.entry, self.a * weight, n**3).reshape(n, n, n)
        hessian += hessian.transpose(0, 2, 1).copy()
        into, out = np.bincount(self.second, weight, n * n), np.bincount(self.first, self.a**2 * weight, n * n)
        diagonal = (into + out).reshape(n, n)
        scale = 1 / np.sqrt(diagonal)
        hessian *= scale[:, :, None]
        hessian *= scale[:, None, :]
        hessian[:, np.arange(n), np.arange(n)] = 1.0
        return np.linalg.inv(hessian), scale


def _reach(values: Floats, move: Floats) -> float:
    lowest = float((move / values).min())
    return 1.0 if lowest >= -1 else -1 / lowest

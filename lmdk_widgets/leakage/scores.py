"""Hockey-stick divergences of many pairs of rows at once: score(sigma) = sum_j max(sigma Q_j - D_j, 0)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

ALMOST_ALL = 0.3
"""Share of the pairs from which on it is faster to treat all of them."""


@dataclass
class Bounds:
    """Upper bounds of the scores of some pairs at one sigma, at most `slack` too large; no slack: the scores."""

    sigma: float
    scores: Floats
    slack: float = 0.0

    def of(self, which: NDArray[Any]) -> Bounds:
        """Those of some of the pairs."""
        return Bounds(self.sigma, self.scores[which], self.slack)


class Scores:
    """The scores of the pairs of rows of a matrix.

    Pair number f is the rows x = f mod m and y = x + 1 + f div m (mod m): with the matrix written twice below itself,
    all pairs of one distance are two blocks of memory. Row sums are taken by einsum and not by a product with ones:
    products start the threads of the linear algebra library, which then wait for more work at full speed and slow down
    a busy machine.
    """

    def __init__(self, p: Floats) -> None:
        self.p, self.m, self.states = p, *p.shape

    def almost_all(self, pairs: Indices) -> bool:
        """Whether it is faster to treat all pairs than these."""
        return len(pairs) > ALMOST_ALL * self.m**2

    def rough(self, sigma: float) -> Bounds:
        """All pairs in single precision, by sum max(sigma Q - D, 0) = sum max(sigma Q, D) - 1."""
        blocks = self._by_distance(np.float32)
        scaled, out = np.float32(sigma) * blocks[0], np.empty((self.m - 1, self.m), dtype=np.float32)
        both = self.m // 2 + 1 if sigma == 1 else self.m  # at 1 the two orders of a pair have the same score
        buffer = np.empty((max(1, 40_000 // blocks[0].size), *blocks[0].shape), dtype=np.float32)
        for k in range(1, both, len(buffer)):
            some = buffer[: both - k]
            np.maximum(scaled, blocks[k : k + len(some)], out=some)
            np.einsum("kij->ki", some, out=out[k - 1 : k - 1 + len(some)])
        for k in range(both, self.m):
            out[k - 1, : self.m - k], out[k - 1, self.m - k :] = out[self.m - k - 1, k:], out[self.m - k - 1, :k]
        # rounded inputs and a sum in any order
        error = (1 + sigma) * 6e-8 * (4 + self.states)
        return Bounds(sigma, out.ravel().astype(float) + (error - 1), 2 * error)

    def exact(self, sigma: float, pairs: Indices) -> Bounds:
        """Some pairs in double precision, whichever way is the fastest."""
        if not self.almost_all(pairs):
            return Bounds(sigma, self._some(sigma, pairs))
        scaled = sigma * self.p
        positive = self.p < scaled.max(axis=0)
        if positive.mean() < 0.3 - 25 / self.m:
            x, y = self.rows(pairs)
            return Bounds(sigma, self._by_state(scaled, positive)[y, x])
        return Bounds(sigma, self._all(scaled)[pairs])

    def _by_state(self, scaled: Floats, positive: NDArray[np.bool_]) -> Floats:
        """For small sigma, all pairs [y, x]: of row y only the states where some row can exceed it."""
        out, by_state = np.empty((self.m, self.m)), np.ascontiguousarray(scaled.T)
        buffer, zeros = np.empty_like(by_state), np.zeros_like(by_state)
        for y in range(self.m):
            states = np.flatnonzero(positive[y])
            some = buffer[: len(states)]
            np.take(by_state, states, axis=0, out=some, mode="clip")
            some -= self.p[y, states, None]
            np.maximum(some, zeros[: len(states)], out=some)
            np.einsum("ij->j", some, out=out[y])
        return out

    def _all(self, scaled: Floats) -> Floats:
        blocks = self._by_distance(np.float64)
        buffer, zeros, out = np.empty_like(scaled), np.zeros_like(scaled), np.empty((self.m - 1, self.m))
        for k in range(1, self.m):
            np.subtract(scaled, blocks[k], out=buffer)
            np.maximum(buffer, zeros, out=buffer)  # an array of zeros is several times as fast as a scalar
            np.einsum("ij->i", buffer, out=out[k - 1])
        return out.ravel()

    def _by_distance(self, kind: type) -> NDArray:
        """(m, m, states): block k has row (x + k) mod m at x, each one block of memory of the matrix written twice."""
        twice: NDArray[Any] = np.concatenate((self.p, self.p)).astype(kind)
        return sliding_window_view(twice, self.m, axis=0)[:-1].swapaxes(1, 2)

    def rows(self, pairs: Indices) -> tuple[Indices, Indices]:
        """The rows Q and D of pairs."""
        further, x = np.divmod(pairs, self.m)
        return x, (x + 1 + further) % self.m

    def _some(self, sigma: float, pairs: Indices) -> Floats:
        out, scaled, block = np.empty(len(pairs)), sigma * self.p, max(1, 20_000 // self.states)
        zeros = np.zeros((block, self.states))
        for i in range(0, len(pairs), block):
            x, y = self.rows(pairs[i : i + block])
            positive = scaled[x]
            positive -= self.p[y]
            np.maximum(positive, zeros[: len(x)], out=positive)
            np.einsum("ij->i", positive, out=out[i : i + block])
        return out

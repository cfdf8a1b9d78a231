"""One timestamp of a chain: sums over the previous (or next) state, and the largest term instead of the sum.

The vectors are logarithms whose largest is 0, as the likelihoods of a long track leave the range of floating point. The
sums themselves use e^vector, which is many times as fast as sums in logarithms. This is correct to rounding if
no result is tiny: terms below e^-745, which round to 0, would have been added to something many powers of ten larger. If a
result is tiny, which requires a chain with impossible moves and very different likelihoods, sums are taken in logarithms.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

SAFE = 1e-250
"""A sum at least this large has lost nothing: at most m times the smallest normal number, 2e-308, was rounded away."""

LOW = -690.0
"""Products of e^vector and a probability that are at least e^LOW are normal numbers, with all their digits."""


class Sparse:
    """``(A v)[x] = sum_y w[x, y] v[y] + given[x] sum_y taken[y] v[y]`` for moves and a jump.

    Parameters
    ----------
    here, there : (k,) row x and column y of each weight, each pair at most once.
    weights : (k,) w, 0 or more.
    given, taken : (m,) the two factors of the jump, 0 or more.
    """

    def __init__(
        self, here: NDArray[np.intp], there: NDArray[np.intp], weights: Floats, given: Floats, taken: Floats
    ) -> None:
        # a weight of 0 from each state to itself if it has none: so no row is empty, and reduceat can process all
        every = np.arange(len(given))
        alone = np.setdiff1d(every, here[here == there], assume_unique=True)
        here, there = np.append(here, alone), np.append(there, alone)
        order = np.lexsort((there, here))
        self.there = there[order]
        self.weights = np.append(weights, np.zeros(len(alone)))[order]
        self.starts = np.searchsorted(here[order], every)
        self.ends = np.append(self.starts[1:], len(order))
        self.given, self.taken = given, taken
        self._here = here[order]

    @cached_property
    def least(self) -> float:
        """Logarithm of the smallest factor above 0."""
        jumps = self.given[self.given > 0].min(initial=1.0) * self.taken[self.taken > 0].min(initial=1.0)
        return float(np.log(min(self.weights[self.weights > 0].min(initial=1.0), jumps)))

    @cached_property
    def _log_weights(self) -> Floats:
        return log_of(self.weights)

    @cached_property
    def _log_given(self) -> Floats:
        return log_of(self.given)

    @cached_property
    def _log_taken(self) -> Floats:
        return log_of(self.taken)

    @cached_property
    def _log_total(self) -> Floats:
        """Logarithm of the full entry, (k,): the weight plus the jump."""
        return log_of(self.weights + self.given[self._here] * self.taken[self.there])

    @cached_property
    def floor(self) -> float:
        """A lower bound of all entries."""
        return float(self.given.min() * self.taken.min())

    def sums(self, vectors: Floats) -> Floats:
        """A v for one vector (m,), or for each row (d, m), with the same results to the last bit."""
        if len(self.weights) == vectors.shape[-1]:  # each state only moves to itself
            moved = self.weights * vectors
        else:  # bincount takes a third of the time of add.reduceat
            rows = vectors.reshape(-1, vectors.shape[-1])
            sums = [np.bincount(self._here, self.weights * row.take(self.there), len(row)) for row in rows]
            moved = np.reshape(sums, vectors.shape)
        if self._alike:
            moved += vectors.sum(axis=-1, keepdims=True) * self.floor
        else:
            moved += self.given * (self.taken * vectors).sum(axis=-1, keepdims=True)
        return moved

    @cached_property
    def _alike(self) -> bool:
        """Whether every jump has the same chance."""
        return bool((self.given == self.given[0]).all() and (self.taken == self.taken[0]).all())

    def log_sums(self, logs: Floats) -> Floats:
        """log(A e^logs), every sum relative to its own largest term."""
        terms = self._log_weights + logs[self.there]
        top = np.maximum.reduceat(terms, self.starts)
        top[top == -np.inf] = 0.0
        terms -= np.repeat(top, self.ends - self.starts)
        moved = np.log(np.add.reduceat(np.exp(terms), self.starts)) + top
        anywhere = self._log_taken + logs
        most = anywhere.max()
        if most == -np.inf:
            return moved
        jumped = np.log(np.exp(anywhere - most).sum()) + most
        return np.logaddexp(moved, self._log_given + jumped)

    def largest(self, logs: Floats) -> Floats:
        """max over y of log A[x, y] + logs[y], for every x."""
        moved = np.maximum.reduceat(self._log_total + logs[self.there], self.starts)
        return np.maximum(moved, self._log_given + (self._log_taken + logs).max())

    def origin(self, logs: Floats, x: int) -> int:
        """The y of the largest log A[x, y] + logs[y]."""
        span = slice(self.starts[x], self.ends[x])
        moved = self._log_total[span] + logs[self.there[span]]
        k, jumped = int(moved.argmax()), self._log_taken + logs
        y = int(jumped.argmax())
        return y if jumped[y] + self._log_given[x] > moved[k] else int(self.there[span][k])


class Dense:
    """``A v`` for a matrix A (m, m)."""

    def __init__(self, matrix: Floats) -> None:
        self._matrix = matrix

    @cached_property
    def _logs(self) -> Floats:
        return log_of(self._matrix)

    @cached_property
    def _sparse(self) -> Sparse:
        """The entries above 0: sums in logarithms are needed when many entries are 0."""
        none = np.zeros(len(self._matrix))
        x, y = np.nonzero(self._matrix)
        return Sparse(x, y, self._matrix[x, y], none, none)

    @cached_property
    def least(self) -> float:
        """Logarithm of the smallest entry above 0."""
        return float(np.log(self._matrix[self._matrix > 0].min()))

    @cached_property
    def floor(self) -> float:
        """The smallest entry."""
        return float(self._matrix.min())

    def sums(self, vectors: Floats) -> Floats:
        """A v for one vector (m,), or for each row (d, m), with the same results to the last bit."""
        return np.reshape([self._matrix @ row for row in vectors.reshape(-1, vectors.shape[-1])], vectors.shape)

    def log_sums(self, logs: Floats) -> Floats:
        """log(A e^logs), every sum relative to its own largest term."""
        return self._sparse.log_sums(logs)

    def largest(self, logs: Floats) -> Floats:
        """max over y of log A[x, y] + logs[y], for every x."""
        found: Floats = (self._logs + logs).max(axis=1)
        return found

    def origin(self, logs: Floats, x: int) -> int:
        """The y of the largest log A[x, y] + logs[y]."""
        return int((self._logs[x] + logs).argmax())


Push = Sparse | Dense


def pushed(push: Push, logs: Floats) -> Floats:
    """log(A e^logs) for logarithms whose largest is 0, with -inf where a sum has no term."""
    found = push.sums(np.exp(logs))
    if found.min() < SAFE and _lossy(push, logs):
        return push.log_sums(logs)
    return np.log(found, out=found)


def _lossy(push: Push, logs: Floats) -> bool:
    """Whether a term above 0 may have been rounded to 0; otherwise a sum of 0 has no term at all."""
    return float(logs[logs > -np.inf].min()) + push.least < LOW


def log_of(values: Floats) -> Floats:
    """Logarithms of probabilities, -inf where they are 0."""
    with np.errstate(divide="ignore"):
        return np.log(values)

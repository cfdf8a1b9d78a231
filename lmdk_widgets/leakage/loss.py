"""L(alpha): how much of a privacy loss at one timestamp a Markov chain carries over to the next."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from math import exp, expm1, inf, log, log1p
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import floats, number, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import markov
from lmdk_widgets.leakage.envelope import vertices

FAR = 700.0
"""Above this, e^alpha is close to overflow, and e^-alpha is negligible next to any probability above 1e-280."""

MOST = 1e147
"""The largest supported theta = e^alpha - 1, about e^340: even with one more budget it cannot overflow."""


class LossFunction:
    """The temporal privacy loss function of a transition matrix, computed once for all alpha.

    L(alpha) = max over pairs of rows (Q, D) and subsets S of log (1 + q theta) / (1 + d theta), theta = e^alpha - 1,
    q = sum_S Q_j, d = sum_S D_j. L(0) = 0, L is increasing, 0 <= L(alpha) <= alpha, and alpha - L(alpha) is increasing
    too. Called with the backward matrix it carries the backward loss, with the forward matrix the forward loss.

    The object is immutable, hashable by identity and picklable. `over` returns the loss function of several moves.

    Parameters
    ----------
    transition_matrix : (m, m) row-stochastic.
    normalize : divide every row by its sum instead of refusing rows that do not sum to 1.

    Attributes
    ----------
    vertices : (k, 2) the pairs (q, d) that are the best for some alpha, from small alpha to large.
    breakpoints : (k - 1,) the alpha at which each vertex gives way to the next.
    rows : (k, 2) the rows (Q, D) of the matrix that each vertex comes from.
    matrix : (m, m) the matrix, read-only. n_states : m.

    Raises
    ------
    InputError : the matrix is not a transition matrix; the message names the row and its sum.

    Notes
    -----
    Cao, Yoshikawa, Xiao, Xiong, "Quantifying differential privacy under temporal correlations", ICDE 2017, section IV;
    their Algorithm 1 finds the same maximum for one alpha and one pair of rows at a time. `envelope` explains how the
    table is computed. The textbook form of the logarithm overflows from alpha = 710 and loses every digit at 1e-12; here
    it is log1p((q - d) / (d + 1 / expm1(alpha))) with q - d summed from differences.

    Examples
    --------
    >>> loss = LossFunction([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]])
    >>> round(loss(1.0), 10), loss(np.array([1.0, 2.0])).round(10).tolist()
    (0.4943335145, [0.4943335145, 0.9397521224])
    >>> loss.vertices.round(12).tolist()
    [[0.8, 0.3], [0.7, 0.2], [0.5, 0.1]]
    """

    def __init__(self, transition_matrix: ArrayLike, *, normalize: bool = False) -> None:
        p = markov.transition_matrix(transition_matrix, normalize=normalize)
        found = vertices(p)
        self.matrix, self.n_states = _frozen(p), len(p)
        self.vertices = _frozen(np.stack((found.d + found.g, found.d), axis=1))
        self.rows = _frozen(found.rows)
        self.breakpoints, self.theta_breaks = (_frozen(a) for a in _breaks(found.d, found.g))
        self.d, self.g, self.rest = _frozen(found.d), _frozen(found.g), _frozen(found.rest)
        self._breakpoints = self.breakpoints.tolist()
        self._table = list(zip(found.d.tolist(), found.g.tolist(), found.rest.tolist(), strict=True))
        below = [theta for theta in self.theta_breaks.tolist() if theta < MOST]
        self.pieces = [0.0, *below, MOST], found.d.tolist(), found.g.tolist()
        self._over: dict[int, LossFunction] = {1: self}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_over": {1: self}}  # the others are computed again where they are needed

    def __repr__(self) -> str:
        return f"LossFunction({self.n_states} states, {len(self.d)} vertices)"

    @property
    def is_zero(self) -> bool:
        """Whether L is 0 everywhere: all rows are equal."""
        return len(self.g) == 1 and self._table[0][1] == 0.0

    @property
    def is_identity(self) -> bool:
        """Whether L(alpha) = alpha everywhere: two rows have disjoint supports."""
        return self._table[-1][0] == 0.0 and self._table[-1][2] == 0.0

    def __call__(self, alpha: Any) -> Any:
        """L at alpha >= 0 (a number gives a float, an array an array); L(inf) is the limit."""
        if isinstance(alpha, int | float):
            if not alpha >= 0:
                raise _bad_alpha(alpha)
            return self._at(float(alpha))
        a = floats(alpha, "alpha", "numbers, 0 or more")
        if not (a >= 0).all():
            raise _bad_alpha(a[~(a >= 0)].flat[0])
        return self._at_many(a) if a.ndim else self._at(float(a))

    def _at(self, a: float) -> float:
        d, g, rest = self._table[bisect_right(self._breakpoints, a)]
        if a == 0 or g == 0:
            return 0.0
        if a < FAR:
            return min(a, log1p(g / (d + 1 / expm1(a))) if d > 0 else log1p(g * expm1(a)))
        if d > 0:
            return log1p(g / (d + exp(-a)))
        return a + log(g + rest * exp(-a))

    def _at_many(self, a: Floats) -> Floats:
        if self.is_zero:
            return np.zeros(a.shape)
        index = np.searchsorted(self.breakpoints, a, side="right")
        d, g, rest = self.d[index], self.g[index], self.rest[index]
        near = np.minimum(a, FAR)
        with np.errstate(divide="ignore", over="ignore"):
            value = np.log1p(g / (d + np.where(a < FAR, 1 / np.expm1(near), np.exp(-a))))
            beyond = (a >= FAR) & (d == 0) & (g > 0)
            if beyond.any():
                value[beyond] = (a + np.log(g + rest * np.exp(-a)))[beyond]
        return np.minimum(value, a)

    def over(self, moves: int) -> LossFunction:
        """The loss function of this many moves, of P^k: between two reports without another one in between.

        It is never above L applied k times, as whatever k single moves allow includes what P^k allows.

        Examples
        --------
        >>> loss = LossFunction([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])  # somebody who always leaves
        >>> round(loss(loss(5.0)), 4), round(loss.over(2)(5.0), 4)
        (3.6337, 0.6799)
        """
        moves = min(moves, self.settling) if moves > 1 else 1
        if moves not in self._over:
            self._over[moves] = LossFunction(markov.power(self.matrix, moves))
        return self._over[moves]

    @cached_property
    def settling(self) -> int:
        """After this many moves nothing is carried over any more, up to rounding."""
        return markov.settling(self.matrix)

    def headroom(self, alpha: float) -> float:
        """alpha - L(alpha), the budget that keeps a loss of alpha at alpha: increasing, without cancellation."""
        if not alpha >= 0:
            raise _bad_alpha(alpha)
        d, g, rest = self._table[bisect_right(self._breakpoints, alpha)]
        if alpha == 0 or g == 0:
            return float(alpha)
        if d > 0 and alpha > 30:
            return alpha - self._at(alpha)
        w = 1 / expm1(alpha) if alpha < FAR else exp(-alpha)
        return log1p((rest + d * exp(alpha) if d > 0 else rest) / (w + d + g))

    def slope(self, alpha: Any) -> Any:
        """The derivative of L at alpha, 0 to 1: how much of a small change carries over to the next timestamp.

        It is (1 + theta) (q - d) / ((1 + q theta) (1 + d theta)) at the vertex that is best at alpha. A number gives a
        float, an array an array.
        """
        if isinstance(alpha, int | float):
            d, g, _ = self._table[bisect_right(self._breakpoints, alpha)]
            theta = expm1(min(alpha, FAR))
            return (g + g * theta) / (1 + (d + g) * theta) / (1 + d * theta)
        at = np.searchsorted(self.breakpoints, alpha, side="right")
        d, g, theta = self.d[at], self.g[at], np.expm1(np.minimum(alpha, FAR))
        return (g + g * theta) / (1 + (d + g) * theta) / (1 + d * theta)

    def supremum(self, epsilon: float) -> float:
        """The least upper bound of the loss if every timestamp spends epsilon: the fixed point of a = L(a) + epsilon.

        sup = max over the vertices of log(1 + x), x the positive root of d x^2 + (1 - q + d - q E) x - E = 0 with
        E = e^epsilon - 1; unbounded if d = 0 and epsilon >= log(1/q).

        The vertices are enough: at the fixed point the best vertex v has L_v(a) = L(a), so a is also the fixed point
        of v alone, which is unique because a - L_v(a) increases; every other vertex has L_v <= L and so its fixed
        point is below. No particular vertex always wins: the one that is best at small alpha may be far below.

        Parameters
        ----------
        epsilon : budget of every timestamp, 0 or more.

        Returns
        -------
        float, at least epsilon; inf if there is no bound, and if epsilon equals the limit up to rounding.

        Notes
        -----
        Cao et al., ICDE 2017, Theorem 5, whose closed form cancels if the root is small, and overflows.

        Examples
        --------
        >>> loss = LossFunction([[0.8, 0.2], [0, 1]])
        >>> round(loss.supremum(0.1), 10), loss.supremum(0.25)
        (0.6459066161, inf)
        """
        epsilon = number(epsilon, "epsilon", 0)
        if epsilon == 0 or self.is_zero:
            return float(epsilon)
        if epsilon >= self.largest_bounded_epsilon() * (1 - 4e-16):
            return inf
        w = 1 / expm1(epsilon) if epsilon < FAR else exp(-epsilon)
        d, q = self.d, self.d + self.g
        b = (self.rest + d) * w - q
        # x / E, by the form of the root that does not cancel
        root = np.hypot(b, 2 * np.sqrt(d * w))
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = float(np.where(b > 0, 2 * w / (b + root), (root - b) / (2 * d)).max())
        return log1p(scaled / w) if epsilon < FAR / 2 else epsilon + log(scaled)

    def largest_bounded_epsilon(self) -> float:
        """The epsilon below which `supremum` is finite: log(1/q) of the vertex with d = 0, inf if there is none.

        Examples
        --------
        >>> round(LossFunction([[0.8, 0.2], [0, 1]]).largest_bounded_epsilon(), 10)  # log 1.25
        0.2231435513
        >>> LossFunction([[0.8, 0.2], [0.2, 0.8]]).largest_bounded_epsilon()
        inf
        """
        d, g, rest = self._table[-1]
        if d > 0 or g == 0:
            return inf
        return -log1p(-rest) if rest < 0.5 else -log(g)


def largest_bounded_epsilon(loss: LossFunction | None) -> float:
    """The budget per timestamp below which the loss stays bounded forever: 0 for the identity, inf if it always does.

    Examples
    --------
    >>> largest_bounded_epsilon(LossFunction([[1, 0], [0, 1]])), largest_bounded_epsilon(None)
    (0.0, inf)
    """
    return inf if loss is None else loss.largest_bounded_epsilon()


def _breaks(d: Floats, g: Floats) -> tuple[Floats, Floats]:
    """The alpha, and the theta = e^alpha - 1, at which each vertex gives way to the next.

    The edge between two vertices has slope tau = c - 1 in the (d, g) plane; there theta = tau / (g - tau d).
    """
    if len(d) < 2:
        return np.zeros(0), np.zeros(0)
    tau = np.diff(g) / np.diff(d)
    score = g[1:] - tau * d[1:]
    with np.errstate(over="ignore", divide="ignore"):
        theta = tau / score
        alpha = np.where(np.isfinite(theta), np.log1p(theta), np.log(tau) - np.log(score))
    return np.maximum.accumulate(alpha), np.maximum.accumulate(theta)


def _frozen(array: NDArray[Any]) -> Any:
    array.flags.writeable = False
    return array


def _bad_alpha(alpha: Any) -> InputError:
    return refused("alpha", "a number, 0 or more", alpha)

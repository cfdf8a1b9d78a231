"""How much of the loss between two states is carried over to the next timestamp, for each ordered pair of states.

    Lam[P; M](x, x') = max { ln (P_x g / P_x' g) : g > 0, g(u) <= e^M(u,v) g(v) for all u, v }

The likelihoods of all earlier releases are such a g when M bounds their log-ratios. The operator is the multiplicative
Kantorovich metric of Chatzikokolakis, Gebler, Palamidessi and Xu ("Generalized bisimulation metrics", CONCUR 2014).

For most pairs the maximum is at a *star*, g(v) = e^-M(u,v) with u where P_x / P_x' is largest. It is optimal if and only
if no other state's ratio exceeds its value; all stars together are one matrix product, P e^(-M^T). The other
pairs are solved by the trees of `linear.cone`.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import square
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.markov import stays, transition_matrix

if TYPE_CHECKING:
    from lmdk_widgets.linear import cone

LARGE = 300.0
"""Above it stars are summed in logarithms: e^-M is too small to be multiplied by small probabilities."""
GAP = 1e-13
"""Ties between constraints are broken by gaps of this share of the largest; the value itself is computed without them."""
SAME = 1e-13
"""Two logarithms that differ by less count as equal."""
MOST = 100
"""The most pivots for one pair, as a multiple of the number of states. A pair that needs more gets the largest entry of M."""
PATIENCE_S = 0.2
"""Seconds of plain Python after which machine code is compiled; once ready, it continues where plain Python has got to."""


def pairwise_step(transition_matrix: ArrayLike | AnyStart, bound: ArrayLike) -> Floats:
    """Lam[P; M](x, x') = max { ln (P_x g / P_x' g) : g > 0, g(u) <= e^M(u,v) g(v) }: what one move carries over.

    Parameters
    ----------
    transition_matrix : (m, m) P, rows summing to 1; or the ordinary matrix as `AnyStart`, for the backward loss over all
        starts, Lam = max_{u,v} 4 artanh(tanh(M(u,v)/4) tanh(ln(P[u,x] P[v,x'] / (P[v,x] P[u,x']))/4)).
    bound : (m, m) M, finite, 0 or more, 0 on the diagonal, not necessarily symmetric: bounds on the log-ratios of
        likelihoods. If the triangle inequality does not hold, M is replaced by its shortest paths, which it implies;
        but not over all starts, as the bound of a state without moves to it is 0, which implies nothing about the others.

    Returns
    -------
    (m, m) for ordered pairs, 0 or more, at most the largest entry of M, 0 on the diagonal. It satisfies the triangle
    inequality; over all starts, only between states that moves lead to. If M is constant off the diagonal, the largest
    entry is that of `LossFunction`.

    Raises
    ------
    InputError : an invalid transition matrix, or bounds that have another shape or are below 0.

    Notes
    -----
    Exact except for rounding: the dual values show that each pair's basis is optimal, to a relative 1e-12.
    For the past, P is the reversed chain; for the future, the ordinary one. Theorem and proofs: `docs/pairs.md`.

    Examples
    --------
    >>> p = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]]
    >>> pairwise_step(p, [[0, 1, 2], [1, 0, 1], [2, 1, 0]]).round(6).tolist()
    [[0.0, 0.356697, 0.73339], [0.548812, 0.0, 0.376693], [0.865301, 0.316489, 0.0]]
    """
    step = pair_step(transition_matrix, "the transition matrix")
    given = bounds(bound, "bound", step.n_states)
    return step(given if isinstance(step, AnyStartStep) else closed(given))


def bounds(values: ArrayLike, name: str, n_states: int | None = None) -> Floats:
    """Bounds on log-ratios, (m, m): finite, 0 or more, 0 on the diagonal."""
    array = square(values, name, n_states)
    own = np.diagonal(array)
    if own.any():
        k = int(np.flatnonzero(own)[0])
        raise InputError(f"{name} must be 0 from each state to itself", value=f"{own[k]:g} at index ({k}, {k})")
    return array


def closed(bound: Floats) -> Floats:
    """The shortest paths: everything that bounds on log-ratios imply."""
    found = bound.copy()
    for middle in range(len(found)):
        np.minimum(found, found[:, middle, None] + found[middle], out=found)
    return found


def pair_step(given: ArrayLike | AnyStart, name: str) -> PairStep | StayStep | AnyStartStep:
    """The operator that carries bounds over one move; it keeps the trees it has found for the next move."""
    if isinstance(given, AnyStart):
        return AnyStartStep(given.matrix)
    p = transition_matrix(given, name=name)
    return StayStep(p) if stays(p) else PairStep(p)


class StayStep:
    """Lam[P; .] of a chain that stays or moves uniformly, P = a I + b J: the star at x is optimal for every (x, x').

        Lam(x, x') = ln ((a + b S) / (a g(x') + b S)),    g(v) = e^-M(x,v), S = sum_v g(v)

    Parameters
    ----------
    p : (m, m) a checked transition matrix for which `markov.stays` is true.

    Attributes
    ----------
    matrix : (m, m) p.
    forgets : whether every state can be reached: then Lam is at most ln((a + b) / b), and no bound grows forever.
    """

    def __init__(self, p: Floats) -> None:
        self.matrix, self.n_states, self._else = p, len(p), float(p[0, 1])
        self._more = float(p[0, 0]) - self._else
        self.forgets = self._else > 0
        with np.errstate(divide="ignore"):
            self.logs = np.log(p)

    def __call__(self, bound: Floats) -> Floats:
        """(m, m) from bounds (m, m)."""
        if self._else == 0.0:  # nobody moves: everything is carried over, even where g would underflow
            return bound.copy()
        less = -np.expm1(-bound)  # 1 - g, exact where a bound is small
        below = self._more * (1 - less) + self._else * (self.n_states - less.sum(axis=1, keepdims=True))
        return np.asarray(np.log1p(self._more * less / below))


class PairStep:
    """Lam[P; .] of one transition matrix. Each pair starts with the tree that was optimal for it before.

    Parameters
    ----------
    p : (m, m) a checked transition matrix, `matrix` of the object.
    like : the step of another power of the same matrix: both continue with the trees that either of them has found.
    """

    def __init__(self, p: Floats, like: PairStep | None = None) -> None:
        self.matrix, self.n_states = np.array(p, order="C"), len(p)
        with np.errstate(divide="ignore"):
            self.logs = np.log(self.matrix)
        self._top, self._second = _ratios(p, self.logs)
        self._trees: list[tuple[cone.Nodes, np.ndarray]] = [] if like is None else like._trees
        self._gaps = np.random.default_rng(32).random(p.shape) + 1.0
        np.fill_diagonal(self._gaps, 0.0)
        self._plain_s = 0.0

    def __call__(self, bound: Floats) -> Floats:
        """(m, m) from bounds (m, m) that satisfy the triangle inequality."""
        if not bound.any():
            return np.zeros_like(bound)
        found = self._stars(bound)
        hard = np.argwhere(self._second > found + SAME)
        if len(hard):
            found[hard[:, 0], hard[:, 1]] = self._by_trees(bound, hard.astype(np.int32, order="C"))
        np.fill_diagonal(found, 0.0)
        return np.maximum(found, 0.0)

    def _stars(self, bound: Floats) -> Floats:
        """The value of the star at the state where the ratio of the two rows is largest."""
        x, y = np.indices(bound.shape)
        if bound.max() > LARGE:
            logs = np.array([np.logaddexp.reduce(row - bound, axis=1) for row in self.logs])
            return logs[x, self._top] - logs[y, self._top]
        whole, less = self.matrix @ np.exp(-bound.T), self.matrix @ np.expm1(-bound.T)
        mine, others = whole[x, self._top], whole[y, self._top]
        near = others > 0.5
        share = np.divide(less[x, self._top] - less[y, self._top], others, out=np.zeros_like(others), where=near)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(near, np.log1p(share), np.log(mine) - np.log(others))

    def _by_trees(self, bound: Floats, pairs: cone.Nodes) -> Floats:
        """The value of each pair, (k,), by pivoting from its previous tree, at first a star."""
        from lmdk_widgets.linear import (
            compiling,
            cone,  # late: a page without correlation does not need it
        )

        m, found = self.n_states, np.empty(len(pairs))
        if not self._trees:
            sign = np.where(np.arange(m) == self._top[:, :, None], 0, -1).astype(np.int8)
            self._trees.append((np.repeat(self._top[:, :, None], m, axis=2).astype(np.int32), sign))
        parent, sign = self._trees[0]
        largest = float(bound.max())
        bound = np.array(bound, order="C")  # machine code is compiled for one memory layout
        room = cone.cone(bound, bound + GAP * largest * self._gaps, SAME + 1e-15 * largest)
        done = 0
        while done < len(pairs):
            begun = perf_counter()
            fast = compiling.loaded()
            some = slice(done, None if fast else done + 1)
            engine = _machine_code() if fast else cone.solve
            engine(room, self.matrix, self.logs, pairs[some], parent, sign, found[some], MOST * m)
            done = len(pairs) if fast else done + 1
            self._plain_s += 0.0 if fast else perf_counter() - begun
            if not fast and self._plain_s > PATIENCE_S:
                compiling.start()
        return np.where(np.isnan(found), largest, found)


def _machine_code():  # type: ignore[no-untyped-def]
    from lmdk_widgets.linear import cone, jit

    return jit.machine_code(cone)


def _ratios(p: Floats, logs: Floats) -> tuple[np.ndarray, Floats]:
    """For each pair of rows, the state with the largest ratio, and the logarithm of the second-largest ratio."""
    m = len(p)
    top, second = np.zeros((m, m), np.intp), np.full((m, m), -np.inf)
    for x in range(m):
        with np.errstate(invalid="ignore"):
            ratio = logs[x] - logs
        ratio[np.isnan(ratio)] = -np.inf  # neither row moves there
        top[x] = ratio.argmax(axis=1)
        if m > 1:
            second[x] = np.partition(ratio, m - 2, axis=1)[:, m - 2]
    return top, second


class AnyStartStep:
    """The same over all priors of the previous state.

    Two states u, v are decisive: with likelihood ratio g(u)/g(v) = e^M(u,v) and R = P[u,x] P[v,x'] / (P[v,x] P[u,x']),
    the maximum over the odds of u to v is 4 artanh(tanh(M/4) tanh(ln(R)/4)), as in `AnyStart`.

    Parameters
    ----------
    p : (m, m) the ordinary transition matrix, `matrix` of the object.
    """

    def __init__(self, p: Floats) -> None:
        self.matrix, self.n_states = p, len(p)
        with np.errstate(divide="ignore"):
            self.logs = np.log(p)

    def __call__(self, bound: Floats) -> Floats:
        """(m, m) from bounds (m, m)."""
        found, half = np.zeros_like(bound), bound / 4
        for x in range(self.n_states):
            for y in range(self.n_states):
                if x != y:
                    found[x, y] = self._most(bound, half, self.logs[:, x], self.logs[:, y])
        return found

    def _most(self, bound: Floats, quarter: Floats, to_x: Floats, to_y: Floats) -> float:
        there = ~(np.isneginf(to_x) & np.isneginf(to_y))  # the others cannot precede either state
        with np.errstate(invalid="ignore"):
            c = to_x[there] - to_y[there]
            cross = c[:, None] - c
        cross = np.maximum(np.where(np.isnan(cross), 0.0, cross), 0.0)
        part = np.ix_(there, there)
        small = np.tanh(quarter[part]) * np.tanh(cross / 4)
        near = 4 * np.arctanh(np.minimum(small, 1 - 1e-9))
        a, r = bound[part] / 2, cross / 2  # the same in logarithms, for where artanh has no digits left
        far = 2 * (np.minimum(a, r) + np.log1p(np.exp(-a - r)) - np.log1p(np.exp(-np.abs(a - r))))
        return float(np.where(small < 1 - 1e-6, near, far).max(initial=0.0))

"""Transitions of a Markov chain for the adversary's recursions: a matrix, or a few moves and a uniform jump.

A chain over many cells usually has only a few moves from each of them (stay, go to a neighbour) and a small chance for
every other cell. `Moves` stores just that, so the cost per timestamp is the number of moves and states, and
not the square of the number of states.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.chain_step import Dense, Sparse
from lmdk_widgets.leakage.markov import transition_matrix
from lmdk_widgets.leakage.markov.matrices import ROW_SUM_TOLERANCE


class Moves:
    """Sparse moves and a uniform jump: ``P[x, y] = (sum of the moves from x to y) + jump[x] / m``.

    Parameters
    ----------
    sources, targets : (k,) states from 0 to m - 1, in any order; moves listed twice are added.
    probabilities : (k,) numbers from 0 to 1.
    jump : (m,) or one number: the probability of a jump to a uniformly random state.
    n_states : m >= 1.

    Attributes
    ----------
    sources, targets, probabilities : the moves, each pair of states once, sorted by source, then by target.
    jump : (m,). n_states : m.

    Raises
    ------
    InputError : an invalid state, a probability outside 0 to 1, a row that does not sum to 1 within 1e-9.

    Examples
    --------
    >>> Moves([0, 1, 1], [0, 1, 0], [0.8, 0.5, 0.1], [0.2, 0.4], 2).matrix().round(12).tolist()
    [[0.9, 0.1], [0.3, 0.7]]
    """

    def __init__(
        self, sources: ArrayLike, targets: ArrayLike, probabilities: ArrayLike, jump: ArrayLike, n_states: int
    ) -> None:
        m = whole(n_states, "n_states")
        x, y = (checks.states(s, name, m) for s, name in ((sources, "sources"), (targets, "targets")))
        p = checks.probabilities(probabilities, "probabilities")
        if not x.shape == y.shape == p.shape:
            shapes = f"shapes {x.shape}, {y.shape} and {p.shape}"
            raise refused("sources, targets and probabilities", "of equal length", shapes)
        anywhere = checks.probabilities(jump, "jump")
        if anywhere.shape not in ((), (m,)):
            raise refused("jump", f"one number, or one for each state, shape ({m},)", f"shape {anywhere.shape}")
        pairs, which = np.unique(x * m + y, return_inverse=True)
        self.n_states, (self.sources, self.targets) = m, np.divmod(pairs, m)
        self.probabilities: Floats = np.bincount(which, p, len(pairs)).astype(float)
        self.jump: Floats = np.broadcast_to(anywhere, m).copy()
        self._scale_rows()

    def _scale_rows(self) -> None:
        """Refuse rows that do not sum to 1; rescale those that are off by more than rounding, as `transition_matrix` does."""
        sums = np.bincount(self.sources, self.probabilities, self.n_states) + self.jump
        off = np.abs(sums - 1)
        if off.max() > ROW_SUM_TOLERANCE:
            x = int(off.argmax())
            raise InputError(f"the moves and the jump from state {x} must sum to 1", value=f"{sums[x]:.12g}")
        sums[off <= 4 * self.n_states * np.finfo(float).eps] = 1.0
        self.probabilities /= sums[self.sources]
        self.jump /= sums

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Moves:
        """From a matrix (m, m): the smallest entry of each row becomes the jump, and what exceeds it the moves.

        This is worthwhile if most entries of a row are equal, as in a near-identity matrix or one estimated from data with
        smoothing.

        Raises
        ------
        InputError : an invalid transition matrix.

        Examples
        --------
        >>> chain = Moves.from_matrix([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
        >>> chain.targets.tolist(), chain.jump.round(12).tolist()
        ([0, 1, 2], [0.3, 0.3, 0.3])
        """
        p = transition_matrix(matrix)
        least = p.min(axis=1)
        x, y = np.nonzero(p > least[:, None])
        return cls(x, y, p[x, y] - least[x], np.minimum(least * len(p), 1.0), len(p))

    @classmethod
    def estimated(cls, states: Any, n_states: int, *, smoothing: float = 0.0) -> Moves:
        """`markov.estimate_transitions` without the matrix: ``p[x, y] = (moves x to y + s) / (moves from x + m s)``.

        Parameters
        ----------
        states : (n,) states from 0. n_states : m >= 1. smoothing : s >= 0, added to the count of every pair.

        Raises
        ------
        InputError : a state out of range, a negative smoothing.

        Examples
        --------
        >>> from lmdk_widgets.leakage.markov import estimate_transitions
        >>> track = [0, 0, 1, 0, 1, 1, 2]
        >>> seen = Moves.estimated(track, 4, smoothing=0.1).matrix()
        >>> bool(np.allclose(seen, estimate_transitions(track, 4, smoothing=0.1), rtol=1e-14))
        True
        """
        m, added = whole(n_states, "n_states"), positive(smoothing, "smoothing", zero=True)
        s = checks.states(states, "states", m)
        left = np.bincount(s[:-1], minlength=m)
        total = left + m * added
        jump = np.divide(m * added, total, out=np.ones(m), where=total > 0)
        pairs, counts = np.unique(s[:-1] * m + s[1:], return_counts=True)
        x, y = np.divmod(pairs, m)
        return cls(x, y, counts / total[x], jump, m)

    @classmethod
    def sticky(cls, n_states: int, smoothing: float) -> Moves:
        """`markov.smoothed_identity` without the matrix: stay with 1 / (1 + m s), otherwise jump anywhere.

        Raises
        ------
        InputError : a parameter out of range.

        Examples
        --------
        >>> Moves.sticky(2, 0.5).matrix().tolist()
        [[0.75, 0.25], [0.25, 0.75]]
        """
        m, s = whole(n_states, "n_states"), positive(smoothing, "smoothing", zero=True)
        every = np.arange(m)
        return cls(every, every, np.full(m, 1 / (1 + m * s)), m * s / (1 + m * s), m)

    def __repr__(self) -> str:
        return f"Moves({self.n_states} states, {len(self.probabilities)} moves)"

    def matrix(self) -> Floats:
        """The transition matrix, (m, m)."""
        p = np.repeat(self.jump[:, None] / self.n_states, self.n_states, axis=1)
        p[self.sources, self.targets] += self.probabilities
        return p

    @cached_property
    def symmetric(self) -> bool:
        """Whether every move is as likely as its reverse."""
        there = np.lexsort((self.sources, self.targets))
        back = np.stack((self.targets, self.sources, self.probabilities))[:, there]
        forth = np.stack((self.sources, self.targets, self.probabilities))
        return bool((self.jump == self.jump[0]).all() and (back == forth).all())

    def forward(self) -> Sparse:
        """The operator that carries a distribution to the next timestamp: ``v P``."""
        share = np.full(self.n_states, 1 / self.n_states)
        return Sparse(self.targets, self.sources, self.probabilities, given=share, taken=self.jump)

    def backward(self) -> Sparse:
        """The operator that carries a likelihood to the previous timestamp: ``P v``."""
        share = np.full(self.n_states, 1 / self.n_states)
        return Sparse(self.sources, self.targets, self.probabilities, given=self.jump, taken=share)


class MatrixMoves:
    """The transitions given by a matrix (m, m), used as it is."""

    def __init__(self, matrix: Floats) -> None:
        self.n_states, self._matrix = len(matrix), matrix

    @cached_property
    def symmetric(self) -> bool:
        """Whether every move is as likely as its reverse."""
        return bool((self._matrix == self._matrix.T).all())

    def forward(self) -> Dense:
        """The operator that carries a distribution to the next timestamp: ``v P``."""
        return Dense(np.ascontiguousarray(self._matrix.T))

    def backward(self) -> Dense:
        """The operator that carries a likelihood to the previous timestamp: ``P v``."""
        return Dense(self._matrix)


def moves_of(transitions: Any) -> Moves | MatrixMoves:
    """The transitions as given: `Moves` themselves, or a checked matrix (m, m)."""
    if isinstance(transitions, Moves):
        return transitions
    return MatrixMoves(transition_matrix(transitions, name="transitions"))

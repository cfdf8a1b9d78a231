"""The backward loss over all starts: what a chain can carry over when no prior over the places is assumed.

Inferring the past uses Bayes' rule, and therefore a prior. Let the previous loss be alpha: given the earlier states, the
releases so far have likelihoods within e^alpha of each other. Two distributions of the earlier state, the prior and the prior
weighted by these likelihoods, are mapped by the same transition matrix P; the remaining loss is how much the results differ,
as a log-ratio of odds. Over all priors, this is the contraction of Hilbert's projective metric by a positive matrix. It is
determined by two columns and two rows of P with cross ratio R: over the odds of the two rows, the maximum is

    log (1 + sqrt(R E))^2 / (sqrt R + sqrt E)^2 = 4 artanh(tanh(alpha / 4) tanh(log(R) / 4)),    E = e^alpha,

attained at the odds at which both differ equally from even. With r = sqrt R, this is twice the loss function of the
two-state matrix [[r, 1], [1, r]] / (1 + r) at alpha / 2, so everything known about loss functions applies here too.
"""

from __future__ import annotations

from functools import cached_property
from math import exp, inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import markov
from lmdk_widgets.leakage.loss import LossFunction


class AnyStart:
    """A chain's backward loss function over all starts; accepted wherever a backward matrix or its loss function is.

    L(alpha) = 4 artanh(tanh(alpha / 4) tanh(D / 4)), D the largest log cross ratio P[y, x] P[z, w] / (P[z, x] P[y, w]).
    0 <= L(alpha) <= alpha, and never less than the loss function of the chain reversed with any prior.

    Parameters
    ----------
    p_forward : (m, m) the ordinary transition matrix, not the reversed one.

    Attributes
    ----------
    matrix : (m, m) the matrix.
    diameter : D, 0 if all rows are equal and infinite if a move is impossible from one state but possible from another.
    half : the two-state loss function with L(alpha) = 2 half(alpha / 2).

    Raises
    ------
    InputError : the matrix is not a transition matrix.

    Notes
    -----
    Guarantee: BPL with this function bounds the backward loss to anyone who knows the chain, whatever their prior about the
    first timestamp. The maximum over priors is taken at every timestamp, so it may exceed the loss for any single start. The
    forward loss never depends on the start. The contraction is due to Birkhoff (1957) and Bushell (1973).

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> round(AnyStart(c)(1.0), 10), round(LossFunction(c)(1.0), 10)
    (0.592091619, 0.569445196)
    >>> AnyStart([[0.8, 0.2], [0, 1]])(1.0)  # nothing is forgotten for every start
    1.0
    """

    def __init__(self, p_forward: ArrayLike) -> None:
        p = markov.transition_matrix(p_forward, name="p_forward")
        p.flags.writeable = False
        self.matrix, self.n_states = p, len(p)
        self.diameter = _diameter(p)
        much, less = 1 / (1 + exp(-self.diameter / 2)), 1 / (1 + exp(min(self.diameter / 2, 700.0)))
        if self.diameter == inf:
            much, less = 1.0, 0.0
        self.half = LossFunction([[much, less], [less, much]], normalize=True)
        self._over: dict[int, AnyStart] = {1: self}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_over": {1: self}}  # the others are computed again where they are needed

    def __repr__(self) -> str:
        return f"AnyStart({self.n_states} states, diameter {self.diameter:.4g})"

    @property
    def is_zero(self) -> bool:
        """Whether L is 0 everywhere: all rows are equal."""
        return self.half.is_zero

    @property
    def is_identity(self) -> bool:
        """Whether L(alpha) = alpha everywhere: a move is impossible from one state but possible from another."""
        return self.half.is_identity

    def __call__(self, alpha: Any) -> Any:
        """L at alpha >= 0 (a number gives a float, an array an array)."""
        return 2 * self.half(alpha / 2 if isinstance(alpha, int | float) else np.asarray(alpha, dtype=float) / 2)

    def over(self, moves: int) -> AnyStart:
        """The loss function of this many moves, of P^k: between two reports without another one in between.

        Examples
        --------
        >>> leaves = AnyStart([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
        >>> leaves(leaves(1.0)), round(leaves.over(2)(1.0), 4)
        (1.0, 0.3273)
        """
        moves = min(moves, self.settling) if moves > 1 else 1
        if moves not in self._over:
            self._over[moves] = AnyStart(markov.power(self.matrix, moves))
        return self._over[moves]

    @cached_property
    def settling(self) -> int:
        """After this many moves nothing is carried over any more, up to rounding."""
        return markov.settling(self.matrix)

    def headroom(self, alpha: float) -> float:
        """alpha - L(alpha), the budget that keeps a loss of alpha at alpha."""
        return 2 * self.half.headroom(alpha / 2)

    def slope(self, alpha: Any) -> Any:
        """The derivative of L at alpha, 0 to 1; a number gives a float, an array an array."""
        return self.half.slope(alpha / 2 if isinstance(alpha, int | float) else np.asarray(alpha, dtype=float) / 2)

    def supremum(self, epsilon: float) -> float:
        """The least upper bound of the loss if every timestamp spends epsilon; infinite if the diameter is infinite.

        Examples
        --------
        >>> round(AnyStart([[0.8, 0.2], [0.2, 0.8]]).supremum(0.1), 10)
        0.2496888884
        """
        return 2 * self.half.supremum(epsilon / 2)

    def largest_bounded_epsilon(self) -> float:
        """The budget per timestamp below which the loss stays bounded forever: 0 or infinite."""
        return 2 * self.half.largest_bounded_epsilon()


def _diameter(p: Floats) -> float:
    """The largest log cross ratio of two rows and two columns, over columns that some state can move to."""
    p = p[:, p.max(axis=0) > 0]
    if (p == 0).any():
        return inf
    logs, most = np.log(p), 0.0
    for row in logs:
        most = max(most, float(np.ptp(logs - row, axis=1).max()))
    return most

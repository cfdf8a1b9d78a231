"""The backward loss over all starts: what a chain can carry over when nobody says how likely each place was before.

The past is read with Bayes' rule, and so with a prior. Let the loss before be alpha: given the earlier states, the releases
so far have likelihoods within e^alpha of each other. Two priors of the earlier timestamp, one weighted by these
likelihoods, go through the same transition matrix P; the loss that is left is how much their images differ, as a
log-ratio of log-ratios. Over all priors that is the contraction of Hilbert's projective metric by a positive matrix. It is
decided by two columns and two rows of P, of cross ratio R: over the odds of the two rows the most is

    log (1 + sqrt(R E))^2 / (sqrt R + sqrt E)^2 = 4 artanh(tanh(alpha / 4) tanh(log(R) / 4)),    E = e^alpha,

reached at the odds at which both differ alike from even. With r = sqrt R the same is twice the loss function of the
two-state matrix [[r, 1], [1, r]] / (1 + r) at alpha / 2, so that everything known of loss functions serves here too.
"""

from __future__ import annotations

from math import exp, inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import markov
from lmdk_widgets.leakage.loss import LossFunction


class AnyStart:
    """The backward loss function of a chain over all starts; stands where a backward matrix or its loss function does.

    L(alpha) = 4 artanh(tanh(alpha / 4) tanh(D / 4)), D the largest log cross ratio P[y, x] P[z, w] / (P[z, x] P[y, w]).
    0 <= L(alpha) <= alpha, and never less than the loss function of the chain reversed with any prior.

    Parameters
    ----------
    p_forward : (m, m) the ordinary transition matrix, not the reversed one.

    Attributes
    ----------
    matrix : (m, m) the matrix.
    diameter : D, 0 when all rows are equal and infinite when a move is impossible from one state and possible from another.
    half : the two-state loss function with L(alpha) = 2 half(alpha / 2).

    Raises
    ------
    InputError : when the matrix is not a transition matrix.

    Notes
    -----
    Guarantee: BPL by this function bounds the backward loss of whoever knows the chain, whatever prior they hold about the
    first timestamp; the prior is taken again at every timestamp, so that it may be more than any single start gives. The
    forward loss never depends on the start. The contraction is by Birkhoff (1957) and Bushell (1973).

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> round(AnyStart(c)(1.0), 10), round(LossFunction(c)(1.0), 10)
    (0.592091619, 0.569445196)
    >>> AnyStart([[0.8, 0.2], [0, 1]])(1.0)  # nothing is forgotten by everybody
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

    def __repr__(self) -> str:
        return f"AnyStart({self.n_states} states, diameter {self.diameter:.4g})"

    @property
    def is_zero(self) -> bool:
        """Whether L is 0 everywhere: all rows are equal."""
        return self.half.is_zero

    @property
    def is_identity(self) -> bool:
        """Whether L(alpha) = alpha everywhere: a move is impossible from one state and possible from another."""
        return self.half.is_identity

    def __call__(self, alpha: Any) -> Any:
        """L at alpha >= 0 (a number gives a float, an array an array)."""
        return 2 * self.half(alpha / 2 if isinstance(alpha, int | float) else np.asarray(alpha, dtype=float) / 2)

    def headroom(self, alpha: float) -> float:
        """alpha - L(alpha), the budget that keeps a loss of alpha at alpha."""
        return 2 * self.half.headroom(alpha / 2)

    def slope(self, alpha: Any) -> Any:
        """The derivative of L at alpha, 0 to 1; a number gives a float, an array an array."""
        return self.half.slope(alpha / 2 if isinstance(alpha, int | float) else np.asarray(alpha, dtype=float) / 2)

    def supremum(self, epsilon: float) -> float:
        """The least upper bound of the loss when every timestamp spends epsilon; infinite where the diameter is.

        Examples
        --------
        >>> round(AnyStart([[0.8, 0.2], [0.2, 0.8]]).supremum(0.1), 10)
        0.2496888884
        """
        return 2 * self.half.supremum(epsilon / 2)

    def largest_bounded_epsilon(self) -> float:
        """The budget per timestamp below which the loss stays bounded for ever: 0 or infinite."""
        return 2 * self.half.largest_bounded_epsilon()


def _diameter(p: Floats) -> float:
    """The largest log cross ratio of two rows and two columns that some state can move to."""
    p = p[:, p.max(axis=0) > 0]
    if (p == 0).any():
        return inf
    logs, most = np.log(p), 0.0
    for row in logs:
        most = max(most, float(np.ptp(logs - row, axis=1).max()))
    return most

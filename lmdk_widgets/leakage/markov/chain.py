"""A Markov chain's long run, and the reversed chain."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov.matrices import distribution, is_sequence_of_matrices, transition_matrix


def stationary(matrix: ArrayLike, start: ArrayLike | None = None) -> Floats:
    """The stationary distribution pi = pi P, (m,), computed without subtraction (Grassmann, Taksar, Heyman 1985).

    If the chain is reducible and pi is not unique, this is the share of time spent in each state if the start is drawn
    uniformly: every closed class gets the probability of ending there. Periodic chains need no special treatment.

    Parameters
    ----------
    matrix : (m, m) transition matrix.
    start : (m,) distribution of the first state, instead of the uniform one; it only matters if pi is not unique.

    Raises
    ------
    InputError : the matrix is not a transition matrix, or the start is not a distribution over its states.

    Notes
    -----
    An eigenvector routine loses the small entries of pi, and mixes closed classes arbitrarily; state reduction only adds,
    multiplies and divides positive numbers, so every entry has a small relative error.

    Examples
    --------
    >>> stationary([[0.9, 0.1], [0.4, 0.6]]).round(12).tolist()
    [0.8, 0.2]
    >>> stationary([[0.8, 0.2], [0, 1]]).tolist()
    [0.0, 1.0]
    >>> stationary([[1, 0], [0, 1]], [0.3, 0.7]).tolist()
    [0.3, 0.7]
    """
    p = transition_matrix(matrix)
    classes, transient = _classes(p)
    mass = np.full(len(p), 1 / len(p)) if start is None else distribution(start, len(p), name="start")
    left = p.copy()
    for k in transient:
        # Whatever leaves k is passed on to the other states in proportion; k is then gone from every path.
        onward = left[k].copy()
        onward[k] = 0
        onward /= onward.sum()
        mass += mass[k] * onward
        left += np.outer(left[:, k], onward)
        mass[k], left[:, k] = 0, 0
    pi = np.zeros(len(p))
    for members in classes:
        pi[members] = mass[members].sum() * _irreducible_stationary(p[np.ix_(members, members)])
    return pi / pi.sum()


def transient_states(matrix: ArrayLike) -> NDArray[np.intp]:
    """The states that the chain eventually leaves forever: in the long run they never occur.

    An analysis that assumes that the chain starts at its stationary distribution says nothing about them.

    Raises
    ------
    InputError : the matrix is not a transition matrix.

    Examples
    --------
    >>> transient_states([[0.8, 0.2], [0, 1]]).tolist(), transient_states([[0.8, 0.2], [0.2, 0.8]]).tolist()
    ([0], [])
    """
    return _classes(transition_matrix(matrix))[1]


def has_one_long_run(matrix: ArrayLike) -> bool:
    """Whether the long run is the same for every start: there is one closed class of states.

    Raises
    ------
    InputError : the matrix is not a transition matrix.

    Examples
    --------
    >>> has_one_long_run([[0.8, 0.2], [0, 1]]), has_one_long_run([[0, 1], [1, 0]]), has_one_long_run([[1, 0], [0, 1]])
    (True, True, False)
    """
    return len(_classes(transition_matrix(matrix))[0]) == 1


def _classes(p: Floats) -> tuple[list[NDArray[np.intp]], NDArray[np.intp]]:
    """The closed communicating classes, and the transient states."""
    reach = ((p > 0) | np.eye(len(p), dtype=bool)).astype(np.float32)
    for _ in range(max(1, len(p) - 1).bit_length()):
        reach = (reach @ reach > 0).astype(np.float32)
    there = reach > 0
    mutual = there & there.T
    closed = ~(there & ~mutual).any(axis=1)
    label = mutual.argmax(axis=1)
    return [np.flatnonzero(label == k) for k in np.unique(label[closed])], np.flatnonzero(~closed)


def _irreducible_stationary(p: Floats) -> Floats:
    a = p.copy()
    for k in range(len(a) - 1, 0, -1):
        a[:k, k] /= a[k, :k].sum()
        a[:k, :k] += np.outer(a[:k, k], a[k, :k])
    pi = np.ones(len(a))
    for k in range(1, len(a)):
        pi[k] = pi[:k] @ a[:k, k]
    return pi / pi.sum()


def reverse(p_forward: Any, prior: ArrayLike | None = None) -> Any:
    """The backward matrix, about the past: p_backward[x, y] = Pr(before = y | now = x) = prior[y] p_forward[y, x] / sum.

    Parameters
    ----------
    p_forward : (m, m) ordinary transition matrix, or a sequence of n - 1 of them (a chain that changes over time).
    prior : (m,) distribution at the earlier timestamp (for a sequence, at timestamp 0); None: the stationary one,
        only for a single matrix.

    Returns
    -------
    (m, m), or for a sequence the list of n - 1 backward matrices, the k-th for the move from timestamp k to k + 1.
    A state that can never be reached has no past: its row is the prior itself, a mixture of the other
    rows, so it never adds to a privacy loss.

    Raises
    ------
    InputError : not transition matrices, or a sequence without a prior.

    Notes
    -----
    A chain started at a prior that is not stationary has a different backward matrix at every timestamp: pass
    `[p_forward] * (n - 1)` with that prior. Cao et al., ICDE 2017, section III.

    Examples
    --------
    >>> reverse([[0.8, 0.2], [0.6, 0.4]]).round(12).tolist()  # two states are always reversible
    [[0.8, 0.2], [0.6, 0.4]]
    >>> reverse([[0.8, 0.2], [0, 1]], [0.5, 0.5]).round(12).tolist()
    [[1.0, 0.0], [0.166666666667, 0.833333333333]]
    """
    if not is_sequence_of_matrices(p_forward):
        p = transition_matrix(p_forward)
        return _reverse(p, stationary(p) if prior is None else distribution(prior, len(p)))
    if prior is None:
        raise refused("prior", "the distribution at the first timestamp, as the chain changes over time", None)
    backward, now = [], None
    for k, matrix in enumerate(p_forward):
        p = transition_matrix(matrix, name=f"transition matrix {k}")
        now = distribution(prior if now is None else now, len(p))
        backward.append(_reverse(p, now))
        now = now @ p
    return backward


def _reverse(p: Floats, prior: Floats) -> Floats:
    joint = (prior[:, None] * p).T
    total = joint.sum(axis=1, keepdims=True)
    return np.divide(joint, total, out=np.tile(prior, (len(p), 1)), where=total > 0)

"""Transition matrices: what is one, a common model of one, and how a sequence of them is told from one."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

ROW_SUM_TOLERANCE = 1e-9
"""How far the sum of a row may be from 1 before the matrix is refused."""


def transition_matrix(matrix: ArrayLike, *, normalize: bool = False, where: str = "transition matrix") -> Floats:
    """A checked copy of a transition matrix: square, finite, not negative, rows summing to 1.

    Parameters
    ----------
    matrix : (m, m), m >= 1.
    normalize : divide every row by its sum instead of refusing sums that are not 1.
    where : what to call the matrix in a message.

    Returns
    -------
    (m, m) float64. A row whose sum is off by less than 1e-9 but by more than rounding is rescaled; the others are
    returned as they came, so that differences between nearly equal rows keep all their digits.

    Raises
    ------
    InputError : naming the row and its sum, or the row and the entry that is not a probability.

    Examples
    --------
    >>> transition_matrix([[0.8, 0.2], [0, 1]]).tolist()
    [[0.8, 0.2], [0.0, 1.0]]
    >>> transition_matrix([[4, 1], [0, 3]], normalize=True).tolist()
    [[0.8, 0.2], [0.0, 1.0]]
    >>> transition_matrix([[0.8, 0.1], [0, 1]])
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: row 0 of the transition matrix: the row sums to 0.9. Allowed: a sum within 1e-09 \
of 1. Correct the row, or pass normalize=True to divide every row by its sum.
    """
    found = _square(matrix, where)
    bad = ~(np.isfinite(found) & (found >= 0))
    if bad.any():
        x, y = (int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"entry {y} is not a probability",
            where=f"row {x} of the {where}",
            value=float(found[x, y]),
            allowed="finite numbers, none below 0",
        )
    sums = found.sum(axis=1)
    off = np.abs(sums - 1)
    wrong = ~((sums > 0) & np.isfinite(sums)) if normalize else off > ROW_SUM_TOLERANCE
    if wrong.any():
        x = int(np.argmax(wrong))
        raise InputError(
            f"the row sums to {sums[x]:.12g}",
            where=f"row {x} of the {where}",
            allowed="a sum above 0" if normalize else f"a sum within {ROW_SUM_TOLERANCE:g} of 1",
            remedy="Give the row a positive entry"
            if normalize
            else "Correct the row, or pass normalize=True to divide every row by its sum",
            kind="" if normalize else "row-sums",
        )
    rescale = off > 4 * len(found) * np.finfo(float).eps
    found[rescale] /= sums[rescale, None]
    return found


def _square(matrix: ArrayLike, where: str) -> Floats:
    try:
        found = np.array(matrix, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(
            "it is not a table of numbers", where=where, allowed="as many rows as columns, numbers only"
        ) from error
    if found.ndim != 2 or found.shape[0] != found.shape[1] or found.shape[0] == 0:
        raise InputError(
            "it is not square", where=where, value=f"shape {found.shape}", allowed="as many rows as columns, at least 1"
        )
    return found


def distribution(prior: ArrayLike, n_states: int, *, where: str = "prior") -> Floats:
    """A checked copy of a probability distribution over the states, (n_states,), summing to 1 within 1e-9.

    Raises
    ------
    InputError : wrong length, an entry that is no probability, or a sum that is not 1.

    Examples
    --------
    >>> distribution([0.25, 0.75], 2).tolist()
    [0.25, 0.75]
    """
    found = np.array(prior, dtype=float)
    if found.shape != (n_states,):
        raise InputError("it has the wrong shape", where=where, value=found.shape, allowed=f"({n_states},)")
    if not (np.isfinite(found) & (found >= 0)).all():
        raise InputError("an entry is not a probability", where=where, allowed="finite numbers, none below 0")
    if abs(total := float(found.sum()) - 1) > ROW_SUM_TOLERANCE:
        raise InputError("it does not sum to 1", where=where, value=total + 1, allowed="a sum within 1e-9 of 1")
    return found / found.sum()


def smoothed_identity(n_states: int, smoothing: float) -> Floats:
    """The near-identity matrix p[i, j] = ([i = j] + s) / (1 + m s): the smaller s, the stronger the correlation.

    Parameters
    ----------
    n_states : m >= 1.
    smoothing : s >= 0; 0 is the identity (a person who never moves), infinity is approached by equal rows.

    Raises
    ------
    InputError : when a parameter is out of range.

    Notes
    -----
    The correlation model of Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, section 5, after Cao et al., ICDE 2017.

    Examples
    --------
    >>> smoothed_identity(2, 0.5).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    m = count(n_states, "n_states")
    if not (np.isfinite(smoothing) and smoothing >= 0):
        raise InputError("it is out of range", where="smoothing", value=smoothing, allowed="a finite number, 0 or more")
    return (np.eye(m) + smoothing) / (1 + m * smoothing)


def is_sequence_of_matrices(matrices: Any) -> bool:
    """Whether the argument is a sequence of matrices (or of what stands for one) rather than one matrix."""
    if isinstance(matrices, np.ndarray):
        return matrices.ndim == 3
    if not isinstance(matrices, Sequence):
        return False
    return len(matrices) == 0 or not isinstance(matrices[0], Sequence | np.ndarray) or np.ndim(matrices[0]) == 2


def count(value: Any, where: str) -> int:
    """A checked number of states, 1 or more."""
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise InputError("it is not a number of states", where=where, value=value, allowed="a whole number, 1 or more")
    return number

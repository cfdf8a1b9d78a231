"""Transition matrices: a check, a common model, powers, and how to tell a sequence of them from a single one."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, expm1, log, log1p
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

ROW_SUM_TOLERANCE = 1e-9
"""How far the sum of a row may be from 1 before the matrix is refused."""

SETTLED = 16 * np.finfo(float).eps
"""If no column of a matrix varies by more than this share of its largest entry, its rows count as equal."""

LONGEST = 2**40
"""The most moves for which it is checked whether the rows have become equal."""


def transition_matrix(
    matrix: ArrayLike, *, normalize: bool = False, name: str = "the transition matrix", origin: int = 0
) -> Floats:
    """A checked copy of a transition matrix: square, finite, non-negative, rows summing to 1.

    Parameters
    ----------
    matrix : (m, m), m >= 1.
    normalize : divide every row by its sum instead of refusing sums that are not 1.
    name : what to call the matrix in a message.
    origin : the number that messages use for the first row and entry: 1 on a page.

    Returns
    -------
    (m, m) float64. A row whose sum is off by less than 1e-9 but by more than rounding is rescaled; the others are
    returned unchanged, so differences between nearly equal rows keep all their digits.

    Raises
    ------
    InputError : names the row and its sum, or the row and the entry that is not a probability.

    Examples
    --------
    >>> transition_matrix([[0.8, 0.2], [0, 1]]).tolist()
    [[0.8, 0.2], [0.0, 1.0]]
    >>> transition_matrix([[4, 1], [0, 3]], normalize=True).tolist()
    [[0.8, 0.2], [0.0, 1.0]]
    >>> transition_matrix([[0.8, 0.1], [0, 1]])
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Row 0 of the transition matrix must sum to 1; got 0.9. Correct the row. In Python: \
normalize=True to divide every row by its sum.
    """
    found = checks.floats(matrix, name, "a square table of numbers").copy()
    if found.ndim != 2 or found.shape[0] != found.shape[1] or found.shape[0] == 0:
        raise refused(name, "a square table of numbers", f"shape {found.shape}")
    bad = ~(np.isfinite(found) & (found >= 0))
    if bad.any():
        x, y = (int(i) for i in np.argwhere(bad)[0])
        raise refused(
            f"entry {y + origin} in row {x + origin} of {name}", "a finite number, 0 or more", float(found[x, y])
        )
    sums = found.sum(axis=1)
    off = np.abs(sums - 1)
    wrong = ~((sums > 0) & np.isfinite(sums)) if normalize else off > ROW_SUM_TOLERANCE
    if wrong.any():
        x = int(np.argmax(wrong))
        raise InputError(
            f"row {x + origin} of {name} must {'have a sum above 0' if normalize else 'sum to 1'}",
            value=f"{sums[x]:.12g}",
            remedy="Give the row a positive entry" if normalize else "Correct the row",
            argument="" if normalize else "normalize=True to divide every row by its sum",
            kind="" if normalize else "row-sums",
        )
    rescale = off > 4 * len(found) * np.finfo(float).eps
    found[rescale] /= sums[rescale, None]
    return found


def distribution(prior: ArrayLike, n_states: int, *, name: str = "prior") -> Floats:
    """A checked copy of a probability distribution over the states, (n_states,), summing to 1 within 1e-9.

    Raises
    ------
    InputError : wrong length, an entry that is not a probability, or a sum that is not 1.

    Examples
    --------
    >>> distribution([0.25, 0.75], 2).tolist()
    [0.25, 0.75]
    """
    return checks.distribution(prior, name, n_states, tolerance=ROW_SUM_TOLERANCE)


NAMED_SMOOTHING = {"weak": 1.0, "moderate": 0.1, "strong": 0.01}
"""Smoothing s of the near-identity matrix behind each named correlation, see `smoothed_identity`."""


def smoothed_identity(n_states: int, smoothing: float) -> Floats:
    """The near-identity matrix p[i, j] = ([i = j] + s) / (1 + m s): the smaller s, the stronger the correlation.

    Parameters
    ----------
    n_states : m >= 1.
    smoothing : s >= 0; 0 gives the identity (a person who never moves), and the rows become equal as s grows.

    Raises
    ------
    InputError : a parameter is out of range.

    Notes
    -----
    The correlation model of Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, section 5, after Cao et al., ICDE 2017.

    Examples
    --------
    >>> smoothed_identity(2, 0.5).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    m, s = whole(n_states, "n_states"), positive(smoothing, "smoothing", zero=True)
    return (np.eye(m) + s) / (1 + m * s)


def is_sequence_of_matrices(matrices: Any) -> bool:
    """Whether the argument is a sequence of matrices, or of objects in their place, rather than one matrix."""
    if isinstance(matrices, np.ndarray):
        return matrices.ndim == 3
    if not isinstance(matrices, Sequence):
        return False
    return len(matrices) == 0 or not isinstance(matrices[0], Sequence | np.ndarray) or np.ndim(matrices[0]) == 2


def stays(p: Floats) -> bool:
    """Whether a chain either stays or moves to a uniform state: P = a I + b J with a >= 0, J the matrix of ones."""
    if len(p) < 2:
        return False
    own, others = np.diagonal(p), p[~np.eye(len(p), dtype=bool)]
    return bool((own == own[0]).all() and (others == others[0]).all() and own[0] >= others[0])


def power(p: Floats, moves: int) -> Floats:
    """P^k, the transition matrix of k moves, (m, m), for a checked transition matrix P and k >= 1.

    Sums of products of probabilities only, so every entry keeps its relative precision. For a chain that stays or moves
    uniformly, P^k = a^k I + (1 - a^k) / m J, which is again exactly of this form.

    Examples
    --------
    >>> power(np.array([[0.8, 0.2], [0.0, 1.0]]), 3).round(12).tolist()
    [[0.512, 0.488], [0.0, 1.0]]
    """
    if moves == 1:
        return p
    if stays(p):
        return _power_of_staying(p, moves)
    found, doubled = None, p
    while moves:
        if moves & 1:
            found = doubled if found is None else product(found, doubled)
        moves >>= 1
        if moves:
            doubled = product(doubled, doubled)
    assert found is not None
    return found


def product(first: Floats, second: Floats) -> Floats:
    """(m, m) the matrix of two moves, with rows that sum to 1."""
    both = first @ second
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def is_settled(p: Floats) -> bool:
    """Whether all rows are equal up to rounding: nothing is remembered after these moves."""
    return bool((np.ptp(p, axis=0) <= SETTLED * p.max(axis=0)).all())


def settling(p: Floats) -> int:
    """The first power of two after which the rows count as equal; `LONGEST` if they never do."""
    moves, now = 1, p
    while moves < LONGEST and not is_settled(now):
        moves, now = 2 * moves, power(now, 2)
    return moves


def _power_of_staying(p: Floats, moves: int) -> Floats:
    m, other = len(p), float(p[0, 1])
    kept = float(p[0, 0]) - other
    log_kept = log1p(-m * other) if m * other < 0.5 else log(kept) if kept > 0 else -np.inf
    found = np.full((m, m), -expm1(moves * log_kept) / m)
    found[np.diag_indices(m)] += exp(moves * log_kept)
    return found

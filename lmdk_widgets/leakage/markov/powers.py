"""Several moves of a Markov chain as one: the powers of its transition matrix."""

from __future__ import annotations

from math import exp, expm1, log, log1p

import numpy as np

from lmdk_widgets.geo import Floats

SETTLED = 16 * np.finfo(float).eps
"""If no column of a matrix varies by more than this share of its largest entry, its rows count as equal."""

LONGEST = 2**40
"""The most moves for which it is checked whether the rows have become equal."""


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

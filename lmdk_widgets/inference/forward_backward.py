"""Forward and backward along a chain, for several releases together, if every move has a chance that is not tiny.

Then, whatever was observed before, every state can be reached: the values carried to a timestamp are at least `LEAST` times
the largest, so sums of plain numbers are correct to rounding, and likelihoods that round to 0 never matter. Releases with the
same chain are carried together: a product of two matrices takes a third of the time of the same number of matrix-vector
products, and half of that if the matrix is the same when both axes are reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lmdk_widgets.geo import Floats

LEAST = 1e-12
"""The smallest chance of a move for which this is correct to rounding."""

SCALED = 8
"""How many timestamps pass before vectors are rescaled: each shrinks them by at most `LEAST`, so they stay above 1e-308."""

Carry = Callable[[Floats], Floats]
"""Carries rows (d, m) by one timestamp: ``v -> v P`` forward, ``v -> P v`` backward."""


def passes(onward: Sequence[Carry], back: Sequence[Carry], weights: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For i from 1 to k - 1, (d, m) each: the belief about timestamp i from all earlier observations, and the likelihood of
    all later observations at timestamp k - 1 - i.

    Parameters
    ----------
    onward : k - 1, from each timestamp to the next. back : k - 1, from each timestamp's successor to it.
    weights : (k, d, m) likelihoods of the observations, each row relative to its largest; the first are the belief about
        the first timestamp after its observation.

    Notes
    -----
    Where both passes are carried in the same way, one product carries them. Every row is scaled separately, and the next
    step overwrites it.
    """
    k, d, _ = weights.shape
    rows = np.concatenate((weights[0], weights[-1]))
    for i in range(1, k):
        one, other = onward[i - 1], back[k - 1 - i]
        rows = one(rows) if one == other else np.concatenate((one(rows[:d]), other(rows[d:])))
        yield rows[:d], rows[d:]
        rows[:d] *= weights[i]
        rows[d:] *= weights[k - 1 - i]
        if not i % SCALED:
            rows /= rows.max(axis=1, keepdims=True)


def beliefs(onward: Sequence[Carry], back: Sequence[Carry], weights: Floats, look: str = "smoothed") -> Floats:
    """The belief about each timestamp, (k, d, m), each row a distribution.

    Parameters
    ----------
    onward, back, weights : as for `passes`. look : "smoothed"; "filtered", which ignores later observations; or
        "predicted", which ignores earlier ones.
    """
    found = np.array(weights)
    for i, (before, after) in enumerate(passes(onward, back, weights), start=1):
        if look != "predicted":
            found[i] *= before
        if look != "filtered":
            found[-1 - i] *= after
    found /= found.sum(axis=2, keepdims=True)
    return found


def product(matrix: Floats) -> Carry:
    """Rows (d, m) times a matrix (m, m): ``v -> v A``.

    If A is the same with both axes reversed, A[x, y] = A[m-1-x, m-1-y], as for the cells of a rectangle row by row or for
    levels, the even and the odd part of v do not mix: two products with matrices of half the size are enough.

    Examples
    --------
    >>> levels = np.arange(5.0)
    >>> apart = np.abs(np.subtract.outer(levels, levels))
    >>> bool((product(apart)(np.eye(5)) == apart).all())
    True
    """
    m, half = len(matrix), len(matrix) // 2
    if m < 2 or not np.allclose(matrix, matrix[::-1, ::-1], rtol=1e-14, atol=0.0):
        return lambda rows: rows @ matrix
    near, far = matrix[: m - half, : m - half] / 2, matrix[: m - half, ::-1][:, : m - half] / 2
    even, odd = near + far, (near - far)[:half, :half]
    if m % 2:
        even[half] /= 2  # the middle is its own mirror image, and is in both

    def times(rows: Floats) -> Floats:
        mirrored, found = rows[:, ::-1], np.empty(rows.shape)
        evens = (rows[:, : m - half] + mirrored[:, : m - half]) @ even
        odds = (rows[:, :half] - mirrored[:, :half]) @ odd
        np.add(evens[:, :half], odds, out=found[:, :half])
        np.subtract(evens[:, :half], odds, out=found[:, ::-1][:, :half])
        if m % 2:
            found[:, half] = evens[:, half]
        return found

    return times

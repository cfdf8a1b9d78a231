"""Forward and backward along a chain, for several releases at once, where every move has a chance that is not tiny.

Then whatever was seen before, no state is out of reach: what is carried to a timestamp lies within `LEAST` of its largest, so
that sums of plain numbers are right to rounding, and what a likelihood rounds to 0 counts nowhere. Releases that follow one
chain are carried together: a product of two matrices takes a third of the time of as many of a matrix and a vector, and one
with a matrix that is the same from its other end half of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lmdk_widgets.geo import Floats

LEAST = 1e-12
"""The least chance of a move with which this is right to rounding."""

SCALED = 8
"""Timestamps after which vectors are scaled again: each makes them smaller by `LEAST` at most, far from 1e-308."""

Carry = Callable[[Floats], Floats]
"""Carries rows (d, m) by one timestamp: ``v -> v P`` onward, ``v -> P v`` back."""


def passes(onward: Sequence[Carry], back: Sequence[Carry], weights: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For i from 1 to k - 1, (d, m) each: the belief about timestamp i by all that was seen before, and the likelihood, at
    timestamp k - 1 - i, of all that is seen later.

    Parameters
    ----------
    onward : k - 1, from each timestamp to the next. back : k - 1, from the timestamp after to each.
    weights : (k, d, m) likelihoods of what is seen, each row relative to its largest; the first are what is believed of the
        first timestamp once it is seen.

    Notes
    -----
    Both passes are carried in one product where they are carried alike. Every row is in a unit of its own, and is written
    over by the next.
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
    """What is believed of each timestamp, (k, d, m), each row a distribution.

    Parameters
    ----------
    onward, back, weights : as for `passes`. look : "smoothed"; "filtered", without what is seen later; or "predicted",
        without what is seen before.
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

    Where A is the same from its other end, A[x, y] = A[m-1-x, m-1-y], as of the cells of a rectangle row by row or of levels,
    what is even and what is odd of v do not mix: two products with matrices of half the size.

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
        even[half] /= 2  # the middle is its own mirror image, and stands in both

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

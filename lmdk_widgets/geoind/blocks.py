"""Inverses of symmetric positive definite matrices, many at once, by halves: nearly all of it is products of matrices.

``numpy.linalg.inv`` solves for the identity, one matrix after the other, and makes no use of the symmetry.
"""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats

_LEAF = 16
"""Rows up to which LAPACK is quicker."""


def inverse(matrix: Floats, leaf: int = _LEAF) -> Floats:
    """The inverses of matrices (..., n, n), symmetric and positive definite, by the Schur complement of one half.

    Examples
    --------
    >>> inverse(np.array([[2.0, 1.0], [1.0, 2.0]]), leaf=1).round(6).tolist()
    [[0.666667, -0.333333], [-0.333333, 0.666667]]
    """
    n = matrix.shape[-1]
    if n <= leaf:
        return np.asarray(np.linalg.inv(matrix), matrix.dtype)
    half = n // 2
    first, across = inverse(matrix[..., :half, :half], leaf), matrix[..., :half, half:]
    way = first @ across
    second = inverse(matrix[..., half:, half:] - across.swapaxes(-1, -2) @ way, leaf)
    back = way @ second
    whole = np.empty_like(matrix)
    whole[..., :half, :half] = first + back @ way.swapaxes(-1, -2)
    whole[..., :half, half:] = -back
    whole[..., half:, :half] = -back.swapaxes(-1, -2)
    whole[..., half:, half:] = second
    return whole

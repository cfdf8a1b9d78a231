"""Layouts of landmarks over time, how far away they are, and what a regular timestamp between them loses by itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.temporal import temporal_loss


def landmark_layouts(n: int, count: int) -> dict[str, tuple[int, ...]]:
    """The same number of landmarks in four layouts: evenly spread, two clusters, one in the middle, one at the start.

    Parameters
    ----------
    n : number of timestamps.
    count : number of landmarks, 2 to n / 2: two clusters are around the first and third quarters of the time.

    Returns
    -------
    "uniform", "bimodal", "symmetric", "skewed": indices from 0, increasing.

    Raises
    ------
    InputError : a number of landmarks out of range.

    Notes
    -----
    Extreme cases of the distributions from which Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, draw landmarks.

    Examples
    --------
    >>> landmark_layouts(16, 4)
    {'uniform': (2, 6, 10, 14), 'bimodal': (3, 4, 11, 12), 'symmetric': (6, 7, 8, 9), 'skewed': (0, 1, 2, 3)}
    """
    count = whole(count, "the number of landmarks", least=2, most=n // 2)
    half = count // 2

    def bunch(centre: float, size: int) -> range:
        first = round(centre - size / 2)
        return range(first, first + size)

    even = ((2 * np.arange(count) + 1) * n) // (2 * count)
    return {
        "uniform": tuple(even.tolist()),
        "bimodal": (*bunch(n / 4, half), *bunch(3 * n / 4, count - half)),
        "symmetric": tuple(bunch(n / 2, count)),
        "skewed": tuple(range(count)),
    }


def mean_distance(n: int, landmarks: Iterable[int]) -> float:
    """The average distance of the regular timestamps to their nearest landmark, in timestamps.

    Raises
    ------
    InputError : no landmark, or no regular timestamp.

    Examples
    --------
    >>> mean_distance(5, [0]), mean_distance(5, [2])
    (2.5, 1.5)
    """
    marked = np.unique(list(landmarks))
    regular = np.setdiff1d(np.arange(n), marked)
    if not (len(marked) and len(regular)):
        raise InputError("landmarks must be some of the timestamps, but not all", value=len(marked))
    after = np.searchsorted(marked, regular)  # distances to the previous landmark and the next one, if there is one
    before, behind = marked[np.maximum(after - 1, 0)], marked[np.minimum(after, len(marked) - 1)]
    return float(np.minimum(np.abs(regular - before), np.abs(regular - behind)).mean())


def own_losses(p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """What each regular timestamp loses by itself between the landmarks next to it: alpha_t = BPL_t + FPL_t - eps_t.

    This is the term of the landmark loss at t that belongs to t; the others belong to the landmarks. The landmarks next
    to t stop the chain, so it is the total loss of the regular timestamps between two landmarks.

    Parameters
    ----------
    p_backward, p_forward : None, a matrix (m, m) or its `LossFunction`; see `temporal_loss`.
    budgets : (n,) epsilon of every timestamp.
    landmarks : indices from 0.

    Returns
    -------
    (n,) losses; NaN at landmarks.

    Raises
    ------
    InputError : as `temporal_loss`.

    Notes
    -----
    Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, section on temporal correlation.

    Examples
    --------
    >>> own_losses([[0.8, 0.2], [0, 1]], None, [0.1] * 5, [1]).round(10).tolist()
    [0.1, nan, 0.1, 0.1807840339, 0.2471477411]
    """
    eps = np.asarray(budgets, dtype=float)
    losses = np.full(len(eps), np.nan)
    ends = [-1, *sorted(set(landmarks)), len(eps)]
    for before, after in pairwise(ends):
        if after - before > 1:
            between = slice(before + 1, after)
            losses[between] = temporal_loss(p_backward, p_forward, eps[between]).total
    return losses

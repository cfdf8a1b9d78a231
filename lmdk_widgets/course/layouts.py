"""Places for landmarks in time, with what `leakage.regular` measures of them."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.checks import whole
from lmdk_widgets.leakage.regular import mean_distance, own_losses

__all__ = ["landmark_layouts", "mean_distance", "own_losses"]


def landmark_layouts(n: int, count: int) -> dict[str, tuple[int, ...]]:
    """The same number of landmarks in four places: spread evenly, two bunches, one in the middle, one at the start.

    Parameters
    ----------
    n : number of timestamps.
    count : number of landmarks, 2 to n / 2: two bunches are around the quarters of the time.

    Returns
    -------
    "uniform", "bimodal", "symmetric", "skewed": indices from 0, increasing.

    Raises
    ------
    InputError : a number of landmarks out of range.

    Notes
    -----
    The extreme cases of the distributions that Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, draw landmarks from.

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

"""Layouts: how a study's landmarks are spread over time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import fraction, generator, one_of, whole
from lmdk_widgets.geo import Floats

LAYOUTS: dict[str, str] = {
    "uniform": "Uniform: every timestamp is equally likely to be a landmark.",
    "skewed": "Skewed: most landmarks are around the first quarter of the time.",
    "symmetric": "Symmetric: most landmarks are around the middle of the time.",
    "bimodal": "Bimodal: half of the landmarks are around the first quarter, half around the last.",
}
"""How landmarks are spread over time, with the meaning of each layout in one line."""

CENTRES: dict[str, tuple[float, ...]] = {"skewed": (0.25,), "symmetric": (0.5,), "bimodal": (0.25, 0.75)}
"""Where a layout's landmarks cluster, as fractions of the time."""

WIDTH = 0.1
"""Standard deviation of each cluster, as a fraction of the time."""


def draw_landmarks(layout: str, n: int, share: float, *, rng: np.random.Generator) -> tuple[int, ...]:
    """Draws landmarks one after another, without replacement, with probabilities proportional to the layout's weights.

    Parameters
    ----------
    layout : one of `LAYOUTS`. n : number of timestamps, at least 1.
    share : share of the timestamps that become landmarks, 0 to 1; their number is ``share n``, rounded half up.
    rng : source of random numbers. The same state gives nested sets: a larger share only adds landmarks.

    Returns
    -------
    Indices from 0, increasing.

    Raises
    ------
    InputError : an unknown layout, a number out of range.

    Notes
    -----
    Weights: 1 for "uniform", otherwise a normal density over the time (for "bimodal" the sum of two), cut off at both
    ends. Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, draw landmarks from distributions of these four shapes. The
    paper does not give their parameters, so `CENTRES` and `WIDTH` are ours. The k largest of ``log weight + Gumbel
    noise`` are k draws without replacement (Efraimidis, Spirakis 2006; Vieira 2014), and logarithms do not underflow.

    Examples
    --------
    >>> draw_landmarks("symmetric", 20, 0.3, rng=np.random.default_rng(1))
    (7, 8, 9, 10, 11, 12)
    >>> draw_landmarks("skewed", 20, 0, rng=np.random.default_rng(1))
    ()
    """
    share = fraction(share, "share")
    return first_of(order_of_landmarks(one_of(layout, "layout", LAYOUTS), whole(n, "n"), generator(rng)), share)


def order_of_landmarks(layout: str, n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """(n,) all timestamps in the order in which they become landmarks."""
    return np.argsort(-(log_weights(layout, n) + rng.gumbel(size=n)), kind="stable")


def first_of(order: NDArray[np.intp], share: float) -> tuple[int, ...]:
    """The landmarks for a share: the first timestamps in this order, sorted by time."""
    count = math.floor(share * len(order) + 0.5)
    return tuple(np.sort(order[:count]).tolist())


def log_weights(layout: str, n: int) -> Floats:
    """(n,) log weights with which timestamps become landmarks, up to a constant."""
    when = (np.arange(n) + 0.5) / n
    found = np.zeros(n) if layout not in CENTRES else np.full(n, -np.inf)
    for centre in CENTRES.get(layout, ()):
        found = np.logaddexp(found, -((when - centre) ** 2) / (2 * WIDTH**2))
    return found

"""Dummies that hide landmarks: each regular timestamp joins independently with the same chance, so enumeration is
useless.

For t in the protected set S, the probability of S is 1/p times as large if t is a landmark as if it is not, whatever is
known about the other timestamps: "being a landmark" is protected by ln(1/p). A timestamp outside S is certainly not a
landmark. So this is one-sided differential privacy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import Indices, fraction, whole
from lmdk_widgets.errors import InputError

MOST_PROPOSED = 0.5
"""The largest proposed chance."""


def proposed_chance(n: int, k: int) -> float:
    """The chance that protects 3 k timestamps on average: ``p = min(1/2, 2 k / (n - k))``.

    Parameters
    ----------
    n : number of timestamps, at least 1. k : number of landmarks, 0 to n.

    Returns
    -------
    The probability that a regular timestamp joins, 0 to 1/2; 0 if there is no landmark to hide.

    Raises
    ------
    InputError : a number out of range.

    Notes
    -----
    It is computed from k, so someone who knows that p is the proposed chance can derive k. To keep k secret, choose p
    without looking at the landmarks.

    Examples
    --------
    >>> proposed_chance(8, 4), proposed_chance(2016, 8) == 16 / 2008
    (0.5, True)
    """
    length = whole(n, "n")
    marked = whole(k, "k", least=0, most=length)
    return MOST_PROPOSED if marked == length else min(MOST_PROPOSED, 2 * marked / (length - marked))


def odds_factor(n: int, k: int, protected: int) -> float:
    """The factor by which a protected timestamp's odds of being a landmark grow, given k: ``(n - k) / (|S| - k)``.

    Beforehand, every set of k timestamps is equally likely; afterwards, each t in S is a landmark with probability k /
    |S|.

    Parameters
    ----------
    n : number of timestamps. k : number of landmarks, 1 to n. protected : |S|, k to n.

    Returns
    -------
    The factor, at least 1; inf if there are no dummies. If all timestamps are protected, nothing is learned.

    Raises
    ------
    InputError : a number out of range.

    Examples
    --------
    >>> odds_factor(8, 4, 5), odds_factor(8, 4, 4), odds_factor(8, 4, 8)  # Bob
    (4.0, inf, 1.0)
    """
    length = whole(n, "n")
    marked = whole(k, "k", most=length)
    size = whole(protected, "protected", least=marked, most=length)
    if size == length:
        return 1.0
    return (length - marked) / (size - marked) if size > marked else math.inf


def checked_chance(chance: float | None, n: int, k: int) -> float:
    """The chance to use: the given one, above 0 and at most 1, or the proposed one for None."""
    if chance is None:
        return proposed_chance(n, k)
    found = fraction(chance, "chance")
    if found == 0:
        raise InputError("Chance must be above 0", value=0, remedy="Without dummies the landmarks are not hidden")
    return found


def with_random_dummies(n: int, landmarks: NDArray[np.intp], chance: float, rng: np.random.Generator) -> Indices:
    """The landmarks and every other timestamp t whose number ``u_t``, drawn from [0, 1), is below the chance.

    A number is drawn for landmarks too: with the same generator state, a larger chance only adds dummies, and an
    additional landmark does not change the other timestamps' numbers.
    """
    joins = rng.random(n) < chance
    joins[landmarks] = True
    return np.flatnonzero(joins)

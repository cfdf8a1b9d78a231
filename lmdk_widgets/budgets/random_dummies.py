"""Dummies that hide: each regular timestamp joins the landmarks by itself, with one chance, and nothing can be enumerated.

For t in the protected set S the probability of S is 1/p times as large if t is a landmark as if it is none, whatever is known
of the other timestamps: "being a landmark" is protected by ln(1/p). For t outside S it is certain that it is none. So this
is one-sided differential privacy.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import Indices, fraction, whole
from lmdk_widgets.errors import InputError

MOST_PROPOSED = 0.5
"""The largest chance that is proposed."""


def proposed_chance(n: int, k: int) -> float:
    """The chance with which 3 k timestamps are protected on average: ``p = min(1/2, 2 k / (n - k))``.

    Parameters
    ----------
    n : number of timestamps, at least 1. k : number of landmarks, 0 to n.

    Returns
    -------
    The probability that a regular timestamp joins, 0 to 1/2; 0 where there is no landmark to hide.

    Raises
    ------
    InputError : a number out of range.

    Notes
    -----
    It follows from k, so someone who knows that p was proposed knows k. One who must not learn k gets a p that was chosen
    without a look at the landmarks.

    Examples
    --------
    >>> proposed_chance(8, 4), proposed_chance(2016, 8) == 16 / 2008
    (0.5, True)
    """
    length = whole(n, "n")
    marked = whole(k, "k", least=0, most=length)
    return MOST_PROPOSED if marked == length else min(MOST_PROPOSED, 2 * marked / (length - marked))


def odds_factor(n: int, k: int, protected: int) -> float:
    """How much the odds of a protected timestamp to be a landmark grow for someone who knows k: ``(n - k) / (|S| - k)``.

    Before, every set of k timestamps was equally likely; afterwards each t in S is a landmark with probability k / |S|.

    Parameters
    ----------
    n : number of timestamps. k : number of landmarks, 1 to n. protected : |S|, k to n.

    Returns
    -------
    At least 1; inf where there is no dummy. Nothing is learned where all timestamps are protected.

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
    """The chance that is used: the given one, above 0 and at most 1, or the proposed one for None."""
    if chance is None:
        return proposed_chance(n, k)
    found = fraction(chance, "chance")
    if found == 0:
        raise InputError("Chance must be above 0", value=0, remedy="Without a dummy there is nothing to hide among")
    return found


def with_random_dummies(n: int, landmarks: NDArray[np.intp], chance: float, rng: np.random.Generator) -> Indices:
    """The landmarks and each other timestamp t whose number ``u_t``, drawn from [0, 1), is below the chance.

    A number is drawn for landmarks too: with the same state a larger chance only adds dummies, and another landmark leaves
    those of the other timestamps as they are.
    """
    joins = rng.random(n) < chance
    joins[landmarks] = True
    return np.flatnonzero(joins)

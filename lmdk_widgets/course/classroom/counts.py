"""How many of n given people truly have an answer, from the number of phones that sent it: exact for any number of people.

Each of the T people with the answer sends it with chance `keep`, each of the others with chance `other`, independently. So
the number R of those who sent it is the sum of two binomial variables. Only the coins are random; the people are given.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from lmdk_widgets.checks import fraction, refused, whole
from lmdk_widgets.geo import Floats

MOST_PEOPLE = 5_000
"""Beyond this many people the exact interval would keep a server busy."""


class TrueCounts(NamedTuple):
    """The true counts consistent with a reported one: from `low` to `high`, or none (`possible` is false)."""

    low: int
    high: int
    possible: bool


def true_counts(reported: int, n: int, keep: float, other: float, error: float = 0.05) -> TrueCounts:
    """The exact interval for the true count T of n people: all T with ``P_T(R >= r)`` and ``P_T(R <= r)`` at least error / 2.

    Parameters
    ----------
    reported : r, from 0 to n, how many sent the answer. n : people, 1 to 5,000.
    keep, other : the chance of sending the answer if it is true and if it is not, 0 to 1, `keep` the larger.
    error : the chance that such an interval misses the true count is at most this, whatever that count is.

    Returns
    -------
    TrueCounts; if even the nearest count is inconsistent with the report, that count and `possible` False: then someone
    answered without the coin, or something very unlikely happened.

    Raises
    ------
    InputError : counts or chances out of range, or `keep` not above `other`.

    Notes
    -----
    Each tail is monotone in T, as R is stochastically increasing in T, so each end is found by bisection.
    The interval inverts two exact tests at error / 2 each (Clopper, Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", Biometrika 1934, for this sum of two binomials): without a normal approximation,
    it holds even for a class of one.

    Examples
    --------
    >>> true_counts(14, 24, 0.75, 0.25)
    TrueCounts(low=7, high=24, possible=True)
    >>> true_counts(1, 1, 0.75, 0.25)  # one answer says next to nothing
    TrueCounts(low=0, high=1, possible=True)
    """
    people, sent = whole(n, "n", most=MOST_PEOPLE), whole(reported, "reported", least=0, most=n)
    if not fraction(other, "other") < fraction(keep, "keep"):
        raise refused("keep", "a chance above `other`", keep)
    tail = fraction(error, "error", inside=True) / 2

    def at_least(true: int) -> bool:  # grows with the true count
        return _tail(true, people, sent, keep, other, above=True) >= tail

    def at_most(true: int) -> bool:  # falls with the true count
        return _tail(true, people, sent, keep, other, above=False) >= tail

    counts = range(people + 1)
    low, high = (
        bisect_left(counts, True, key=at_least),
        bisect_left(counts, True, key=lambda true: not at_most(true)) - 1,
    )
    if low > high:  # nothing fits: the nearest end
        nearest = min(max(low, 0), people) if high >= 0 else 0
        return TrueCounts(nearest, nearest, False)
    return TrueCounts(low, high, True)


def _tail(true: int, n: int, sent: int, keep: float, other: float, *, above: bool) -> float:
    """P(R >= sent) or P(R <= sent), each summed from its own end, so that no digits are lost."""
    chances = np.convolve(_binomial(true, keep), _binomial(n - true, other))
    return float(chances[sent:].sum() if above else chances[: sent + 1].sum())


def _binomial(n: int, p: float) -> Floats:
    """The chances of 0 to n successes of n."""
    if p in (0.0, 1.0):
        found = np.zeros(n + 1)
        found[n if p else 0] = 1.0
        return found
    k = np.arange(n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    return np.exp(logs[n] - logs - logs[::-1] + k * np.log(p) + (n - k) * np.log1p(-p))

"""A lower bound on epsilon that holds for any mechanism: from samples for two inputs, or from a whole channel."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import fraction, refused, series, whole
from lmdk_widgets.geo import Floats

CANDIDATES = 64
"""Thresholds tried on the first half of the samples."""

ERROR = 1e-6
"""The chance of a false alarm, at most."""

REACH = 14
"""Standard deviations beyond which the terms of a binomial sum no longer count: below e^-90 of it."""


class Tested(NamedTuple):
    """What one test of a pair of inputs found.

    Attributes
    ----------
    epsilon : a lower bound on the mechanism's epsilon, at least 0.
    chance, other : how often the event that was chosen occurred for the two inputs, in the draws that chose it.
    draws : for each input, those on which the event was tested; 0 for a bound that needs none. delta : of the claim.
    """

    epsilon: float
    chance: float = 1.0
    other: float = 0.0
    draws: int = 0
    delta: float = 0.0


def least_epsilon(one: ArrayLike, other: ArrayLike, *, error: float = ERROR, delta: float = 0.0) -> float:
    """A lower bound on a mechanism's epsilon, from scores of its outputs for two neighbouring inputs.

    An event is chosen on the first half of the samples: "the score is above t", or below it, for the most promising t.
    Its probabilities are then bounded on the second half, which played no part in the choice: ``ln((lowest chance for
    one - delta) / highest chance for the other)``, each by Clopper and Pearson at error / 2.

    Parameters
    ----------
    one, other : (n,) scores of independent outputs for the two inputs, n at least 4. Any score gives a valid bound; the
        log ratio of densities gives the best.
    error : an upper limit on the probability that the bound is above the true epsilon.
    delta : of an (epsilon, delta) claim, 0 or more and below 1; the bound is on the epsilon at this delta.

    Returns
    -------
    the bound, at least 0.

    Raises
    ------
    InputError : samples that are missing or differ in number.

    Notes
    -----
    Clopper, Pearson, Biometrika 1934; samples as evidence against a claim: Ding, Wang, Wang, Zhang, Kifer, CCS 2018.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> found = least_epsilon(1 + rng.laplace(size=40_000), rng.laplace(size=40_000))
    >>> 0.8 < found <= 1
    True
    """
    return tested(one, other, error=error, delta=delta).epsilon


def tested(one: ArrayLike, other: ArrayLike, *, error: float = ERROR, delta: float = 0.0) -> Tested:
    """`least_epsilon`, with the event that it tested."""
    a, b = series(one, "one"), series(other, "other")
    delta = fraction(delta, "delta")
    if len(a) != len(b) or len(a) < 4:
        raise refused("other", f"as many scores as `one`, at least 4, so {len(a)}", len(b))
    half = len(a) // 2
    tail = fraction(error, "error", inside=True) / 2
    event = promising(a[:half], b[:half], tail, delta)
    return test_of(event, a[half:], b[half:], tail, delta)


class Event(NamedTuple):
    """An event: "the score is above the threshold", or not above it.

    Attributes
    ----------
    promise : about the factor by which it should change the odds. chance, other : how often it occurred.
    """

    promise: float
    threshold: float
    above: bool
    chance: float
    other: float


def test_of(event: Event, a: Floats, b: Floats, tail: float, delta: float = 0.0) -> Tested:
    """The bound that an event gives on fresh scores of both inputs, (n,) each."""
    counts = [int(((scores > event.threshold) == event.above).sum()) for scores in (a, b)]
    low, high = clopper_pearson(counts[0], len(a), tail)[0], clopper_pearson(counts[1], len(b), tail)[1]
    return Tested(_bounded(low, high, delta), event.chance, event.other, len(a), delta)


def _bounded(low: float, high: float, delta: float) -> float:
    return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0


def promising(a: Floats, b: Floats, tail: float, delta: float = 0.0) -> Event:
    """The event with the largest bound by the normal approximation, from scores of both inputs; one that never occurs if
    none is likelier for the first."""
    best = Event(-np.inf, np.inf, True, 0.0, 0.0)
    thresholds = np.unique(np.quantile(np.concatenate([a, b]), np.linspace(0, 1, CANDIDATES + 2)[1:-1]))
    above = [1 - np.searchsorted(np.sort(scores), thresholds, side="right") / len(scores) for scores in (a, b)]
    for threshold, p, q in zip(thresholds.tolist(), *(shares.tolist() for shares in above), strict=True):
        for is_above, here, there in ((True, p, q), (False, 1 - p, 1 - q)):
            if here > there:
                promise = (_bound(here, len(a), -1, tail) - delta) / _bound(there, len(b), 1, tail)
                best = max(best, Event(promise, threshold, is_above, here, there))
    return best


def _bound(p: float, n: int, side: int, tail: float) -> float:
    wide = math.sqrt(-2 * math.log(tail))  # of a normal variable, a little more than its quantile
    return min(1.0, max(1e-12, p + side * wide * math.sqrt(max(p * (1 - p), 1 / n) / n)))


def clopper_pearson(count: int, n: int, tail: float) -> tuple[float, float]:
    """The lowest and the highest probability compatible with a count out of n, each at `tail`.

    Examples
    --------
    >>> low, high = clopper_pearson(5, 10, 0.025)
    >>> round(low, 4), round(high, 4)
    (0.1871, 0.8129)
    """
    n, count = whole(n, "n"), whole(count, "count", least=0, most=n)
    fraction(tail, "tail", inside=True)
    low = _edge(count, n, tail) if count else 0.0
    high = 1.0 - _edge(n - count, n, tail) if count < n else 1.0
    return low, high


def _edge(count: int, n: int, tail: float) -> float:
    """The largest p for which ``Pr(at least count of n)`` is at most `tail`, rounded down by bisection."""
    last = min(n, count + 64 + math.ceil(REACH * math.sqrt(count * (n - count) / n)))
    k = np.arange(count, last + 1)
    ways = log_ways(n)[count : last + 1]
    low, high = 0.0, count / n
    for _ in range(60):
        p = (low + high) / 2
        terms = ways + k * math.log(p) + (n - k) * math.log1p(-p) if p < 1 else np.array([0.0])
        top = float(terms.max())
        if top + math.log(float(np.exp(terms - top).sum())) <= math.log(tail):
            low = p
        else:
            high = p
    return low


@cached("settings", entries=4)
def log_ways(n: int) -> Floats:
    """(n + 1,) logarithms of n over k."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    return logs[n] - logs - logs[::-1]


def largest_ratio(channel: ArrayLike, distances: ArrayLike | None = None) -> float:
    """The epsilon of a channel over all pairs of inputs and all outputs: ``max |ln K[x, z] - ln K[y, z]| / d(x, y)``.

    Parameters
    ----------
    channel : (n, m), rows are distributions. distances : (n, n), above 0 off the diagonal; None: all are 1.

    Returns
    -------
    epsilon, in the inverse of the unit of the distances; inf if an output is possible for one input but not for
    another.

    Examples
    --------
    >>> round(largest_ratio([[0.75, 0.25], [0.25, 0.75]]), 6) == round(float(np.log(3)), 6)
    True
    """
    k = np.asarray(channel, dtype=float)
    largest = 0.0
    for x in range(len(k)):
        for y in range(len(k)):
            apart = 1.0 if distances is None else float(np.asarray(distances)[x, y])
            for z in range(k.shape[1]) if x != y else ():
                if k[x, z] != k[y, z]:
                    ratio = math.inf if k[x, z] == 0 or k[y, z] == 0 else abs(math.log(k[x, z]) - math.log(k[y, z]))
                    largest = max(largest, ratio / apart)
    return largest

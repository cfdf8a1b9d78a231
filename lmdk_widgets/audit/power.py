"""How often the audit's test finds a fault of a given size, and the smallest fault that it finds nearly always."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from lmdk_widgets.audit.evidence import ERROR, REACH, clopper_pearson, log_ways
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import fraction, positive, refused, whole
from lmdk_widgets.geo import Floats

USUAL = 0.9
"""The share of audits that find the smallest fault of which a report speaks."""

NODES = 128
"""Counts for which the test is computed exactly; between two of them, a straight line is rounded."""

LARGEST = 40.0
"""No fault is sought beyond this epsilon."""


def power(
    chance: float, other: float, draws: int, claimed: float, *, error: float = ERROR, delta: float = 0.0
) -> float:
    """The probability that the test of an event contradicts a claim.

    Parameters
    ----------
    chance, other : probabilities of the event for the two inputs. draws : on which it is tested, for each input.
    claimed : epsilon, above 0. error, delta : as for `least_epsilon`.

    Returns
    -------
    the probability that ``ln((lowest chance - delta) / highest chance for the other) > claimed``: the sum over what can be
    counted for the other input, ``sum_k Pr(K' = k) Pr(K >= needed(k))``, as both counts are binomial and independent.

    Raises
    ------
    InputError : a probability outside 0 to 1, draws below 1, a claim not above 0.

    Examples
    --------
    >>> round(power(0.5, 0.5 * np.exp(-1.1), 100_000, 1.0), 3), round(power(0.5, 0.5 * np.exp(-1.0), 100_000, 1.0), 6)
    (1.0, 0.0)
    """
    for name, value in (("chance", chance), ("other", other)):
        if not 0 <= value <= 1:
            raise refused(name, "between 0 and 1", value)
    n = whole(draws, "draws")
    needed = _Needed.of(n, positive(claimed, "claimed"), fraction(error, "error", inside=True) / 2, delta)
    return needed.reached(chance, other)


def smallest_fault(
    chance: float,
    draws: int,
    claimed: float,
    *,
    share: float = USUAL,
    error: float = ERROR,
    delta: float = 0.0,
) -> float:
    """The smallest epsilon above a claim that this share of audits finds.

    It is that of an event with this chance for one input and e^-epsilon times as much for the other: a fault that shows in
    an event as likely as the one that was tested. A rarer event must change the odds by more.

    Parameters
    ----------
    chance : of the event. draws, claimed, error, delta : as for `power`. share : in (0, 1).

    Returns
    -------
    epsilon; inf where these draws would find no fault in such an event, however large.

    Examples
    --------
    >>> round(smallest_fault(0.5, 100_000, 1.0), 3), smallest_fault(0.5, 10, 1.0)
    (1.059, inf)
    """
    n, aim = whole(draws, "draws"), fraction(share, "share", inside=True)
    needed = _Needed.of(n, positive(claimed, "claimed"), fraction(error, "error", inside=True) / 2, delta)
    low, high = claimed, claimed + LARGEST

    def reached(epsilon: float) -> float:
        return needed.reached(chance, max(0.0, chance - delta) * math.exp(-epsilon))

    if reached(high) < aim:
        return math.inf
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) >= aim else (middle, high)
    return high


class _Needed(NamedTuple):
    """What must be counted for one input, for each count of the other: (n + 1,), n + 1 where nothing is enough."""

    counts: Floats

    @classmethod
    def of(cls, n: int, claimed: float, tail: float, delta: float) -> _Needed:
        return cls(_needed(n, claimed, tail, delta))

    def reached(self, chance: float, other: float) -> float:
        """The probability that as much is counted as is needed."""
        n = len(self.counts) - 1
        start, weights = _binomial(n, other)
        first, terms = _binomial(n, chance)
        at_least = np.append(np.cumsum(terms[::-1])[::-1], 0.0)  # from `first` on
        wanted = self.counts[start : start + len(weights)].astype(np.int64) - first
        found = float(weights @ at_least[np.clip(wanted, 0, len(terms))])
        return min(1.0, found)


@cached("settings", entries=16)
def _needed(n: int, claimed: float, tail: float, delta: float) -> Floats:
    """The counts of `_Needed`."""
    most = math.ceil(n * math.exp(-claimed))  # above it, no count of the other input is enough
    nodes = np.unique(np.rint(most * np.linspace(0, 1, min(most + 1, NODES)) ** 2).astype(int))
    found = [_first_above(delta + math.exp(claimed) * clopper_pearson(each, n, tail)[1], n, tail) for each in nodes]
    needed = np.full(n + 1, n + 1.0)
    needed[: most + 1] = np.rint(np.interp(np.arange(most + 1), nodes, found))
    return needed


def _first_above(aim: float, n: int, tail: float) -> int:
    """The least count whose lowest probability is above `aim`: with that probability, so much has a chance below `tail`."""
    if aim >= 1:
        return n + 1
    first, chances = _binomial(n, aim)
    at_least = np.cumsum(chances[::-1])[::-1]
    return first + int(np.count_nonzero(at_least > tail))


def _binomial(n: int, p: float) -> tuple[int, Floats]:
    """The probabilities of the counts from a first one on; what is left out is below e^-90."""
    if p in (0, 1):
        return int(n * p), np.ones(1)
    wide = 64 + REACH * math.sqrt(n * p * (1 - p))
    k = np.arange(max(0, math.floor(n * p - wide)), min(n, math.ceil(n * p + wide)) + 1)
    chances: Floats = np.exp(log_ways(n)[k] + k * math.log(p) + (n - k) * math.log1p(-p))
    return int(k[0]), chances

"""For how many people a release is useful: the same measure as for one track, on a random sample of people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.model import Trajectory

BETTER_THAN = 0.5
"""A release is useful to a reader whose error is at most this share of that without a release."""

_Z = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 %."""


@dataclass(frozen=True, eq=False)
class UsefulShare:
    """For how many people a release is useful, from a random sample.

    Attributes
    ----------
    share : of the sample whose reader's error is at most half of that without a release. low, high : Wilson's interval of
        95 % for the share of all people; the share itself if all people are in the sample.
    median_m : median over the sample of the reader's mean error, metres. median_low_m, median_high_m : a distribution-free
        interval of at least 95 % for the median of all people, from order statistics; infinite where the sample is too
        small for one.
    people : how many people are in the sample. of : how many there are.
    nothing_m : median over the sample of the reader's mean error without a release, metres.
    """

    share: float
    low: float
    high: float
    median_m: float
    median_low_m: float
    median_high_m: float
    people: int
    of: int
    nothing_m: float = math.nan


def worth_of(track: Trajectory, settings: Mapping[str, Any], draws: int | None = None) -> tuple[float, float]:
    """A reader's mean error with releases of one person's track, and without one, metres.

    Parameters
    ----------
    track : with its own landmarks. settings : of a `Scenario`. draws : releases to draw; as `answers.useful` if left out.
    """
    fitted = {**settings, "window": min(settings.get("window", Scenario.defaults()["window"]), len(track))}
    one = useful(evaluate(Scenario(**{"track": track.name, "landmarks": track.landmarks, **fitted}), track), draws)
    return one.reader, one.nothing


def useful_share(worth: Sequence[tuple[float, float]], of: int) -> UsefulShare:
    """For how many people releases are useful.

    Parameters
    ----------
    worth : `worth_of` each person in the sample. of : how many people there are.
    """
    readers, nothing = np.array(worth).T
    n, count = len(worth), int((readers <= BETTER_THAN * nothing).sum())
    low, high = wilson(count, n) if n < of else (count / n, count / n)
    median_low, median_high = median_interval(readers) if n < of else (float(np.median(readers)),) * 2
    middle_m, nothing_m = float(np.median(readers)), float(np.median(nothing))
    return UsefulShare(count / n, low, high, middle_m, median_low, median_high, n, of, nothing_m)


def wilson(count: int, n: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share, of which `count` of `n` were seen.

    Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
    Association 22 (1927); recommended for small n by Brown, Cai and DasGupta, "Interval estimation for a binomial
    proportion", Statistical Science 16 (2001).

    Examples
    --------
    >>> [round(limit, 4) for limit in wilson(0, 10)], [round(limit, 4) for limit in wilson(81, 263)]
    ([0.0, 0.2775], [0.2553, 0.3662])
    """
    middle, square = (count + _Z**2 / 2) / (n + _Z**2), _Z**2
    half = _Z / (n + square) * math.sqrt(count * (n - count) / n + square / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def median_interval(values: Floats) -> tuple[float, float]:
    """A distribution-free interval for the median with a confidence of at least 95 %: two order statistics.

    The k-th smallest and the k-th largest of n values enclose the median with a chance of ``1 - 2 P(Bin(n, 1/2) < k)``; k is
    the largest that gives 95 % (David and Nagaraja, "Order Statistics", 2003, section 7.1). Infinite for fewer than six
    values, where no k does.

    Examples
    --------
    >>> median_interval(np.arange(1.0, 7.0)), median_interval(np.arange(1.0, 101.0))
    ((1.0, 6.0), (40.0, 61.0))
    """
    n, below, k = len(values), 0, 0
    while 2 * (below + math.comb(n, k)) <= 0.05 * 2**n:
        below += math.comb(n, k)
        k += 1
    if not k:
        return -math.inf, math.inf
    ordered = np.sort(values)
    return float(ordered[k - 1]), float(ordered[n - k])

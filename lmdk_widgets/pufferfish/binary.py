"""All binary chains whose probabilities are in an interval: the worst of them is computed, not sampled."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import number, positive, real, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.baselines import Baseline, gk16
from lmdk_widgets.pufferfish.chain import MarkovChain
from lmdk_widgets.pufferfish.search import Rows, worst_alike

_MOST_INTERVALS = 20_000


@dataclass(frozen=True)
class IntervalScale:
    """The noise scale that is enough for every chain in the interval.

    Attributes
    ----------
    scale : proven to be enough for all of them: release with this.
    at_least : the scale that `chain` needs; scale <= at_least (1 + tolerance).
    chain : the hardest chain found.
    """

    scale: float
    at_least: float
    chain: MarkovChain


def binary_interval_scale(alpha: float, length: int, epsilon: float, *, tolerance: float = 1e-4) -> IntervalScale:
    """sup of `quilt_scale` over stationary binary chains with P(0 -> 0) and P(1 -> 1) both in [alpha, 1 - alpha].

    Parameters
    ----------
    alpha : in (0, 1/2]; the smaller, the stronger the correlation that is covered.
    length, epsilon : T and epsilon.
    tolerance : relative, how far the result may be above the true supremum.

    Raises
    ------
    InputError : alpha outside (0, 1/2], a tolerance below 1e-9 or one not reached with 20,000 intervals.

    Notes
    -----
    With u = P(0 -> 1), v = P(1 -> 0), lambda = 1 - u - v and rho = pi_1 / pi_0 = u / v, the influence at distance t on
    the pair (0, 1) is log (1 + |lambda|^t rho) / (1 - |lambda|^t) if lambda^t > 0 and
    log (1 + |lambda|^t) / (1 - |lambda|^t / rho) if lambda^t < 0; rho becomes 1 / rho for the pair (1, 0), and past and
    future are equal, as chains with two states are always reversible. All grow with |lambda| for fixed rho. Scaling (u, v)
    keeps rho and changes |lambda|, so the worst chain is on an edge: the smaller of u and v is alpha if lambda >= 0, the
    larger is 1 - alpha if lambda < 0; by symmetry, u = alpha or v = 1 - alpha. Along an edge, intervals are bounded
    by the largest |lambda|, rho and 1 / rho in them, and split where the bound is largest, until the result is proven. The
    symmetric chain at the corner u = v = alpha was the worst in every case tried, but this is not assumed.
    Song, Wang, Chaudhuri, SIGMOD 2017, section 5.2.

    Examples
    --------
    >>> found = binary_interval_scale(0.3, 100, 1.0)
    >>> round(found.at_least, 3), found.scale <= found.at_least * (1 + 1e-4)
    (6.724, True)
    """
    n, e = whole(length, "length"), positive(epsilon, "epsilon")
    low = _smallest(alpha)
    tolerance = number(tolerance, "tolerance", 1e-9)
    high = 1 - low
    best, chain = 0.0, None
    intervals: list[tuple[float, bool, float, float]] = []

    def scale_of(negative: bool, start: float, end: float) -> float:
        rows = _rows(low, negative, start, end)
        return worst_alike(rows, rows, n, e)[1].score

    def add(negative: bool, start: float, end: float) -> None:
        nonlocal best, chain
        middle = (start + end) / 2
        for at in (start, middle):
            scale = scale_of(negative, at, at)
            if scale > best:
                u, v = (at, high) if negative else (low, at)
                best, chain = scale, MarkovChain([v / (u + v), u / (u + v)], [[1 - u, u], [v, 1 - v]])
        heapq.heappush(intervals, (-scale_of(negative, start, end), negative, start, end))

    add(False, low, high)
    add(True, low, high)
    for _ in range(_MOST_INTERVALS):
        upper, negative, start, end = intervals[0]
        if -upper <= best * (1 + tolerance):
            assert chain is not None
            return IntervalScale(max(-upper, best), best, chain)
        heapq.heappop(intervals)
        add(negative, start, (start + end) / 2)
        add(negative, (start + end) / 2, end)
    raise InputError("tolerance must be larger for this alpha, length and epsilon", value=tolerance)


def binary_interval_gk16(alpha: float, length: int, epsilon: float) -> Baseline:
    """sup of `gk16` over stationary binary chains with P(0 -> 0) and P(1 -> 1) both in [alpha, 1 - alpha].

    Parameters
    ----------
    alpha : in (0, 1/2].
    length, epsilon : T and epsilon.

    Returns
    -------
    Baseline : with scale None if one chain in the interval has local influences that are too strong.

    Raises
    ------
    InputError : alpha outside (0, 1/2].

    Notes
    -----
    It is the scale of one chain, P(0 -> 0) = P(1 -> 1) = alpha. Derivation: Gamma's entries are non-negative, so its
    norm and Phi = I + Gamma + Gamma^2 + ... grow with each of them; it is enough that each entry of Gamma is largest
    there. Let p = P(0 -> 0), q = P(1 -> 1), k = (1 - p)(1 - q), F = p (q^2 + k) / (k (p + q)) and
    G = p (p + q) / (p^2 + k), F' and G' the same with p and q exchanged. Changing one neighbour of an inner timestamp
    changes the probability of its state by a factor of F, F', G or G', or the reciprocal of one. F >= G and F' >= G', as
    (q^2 + k)(p^2 + k) - k (p + q)^2 = (p q - k)^2.
    (1) p + q >= 1: the entry is log max(F, F') / 2, and F grows with p, 1/p > 1/(p + q) and
    1/(1 - p) >= (1 - q)/(q^2 + k), and with q, 1/(1 - q) > 1/(p + q) and 2 q - 1 + p >= 0: largest at p = q = 1 - alpha.
    (2) p + q <= 1: the entry is -log min(G, G') / 2, and G grows with q, and with p as 1 - q - p^2 >= 0: largest at
    p = q = alpha. There 1 / G is F at p = q = 1 - alpha.
    (3) At the ends of the series, the factors are p / (1 - q) and q / (1 - p), or their reciprocals: the same.

    Examples
    --------
    >>> round(binary_interval_gk16(0.4, 100, 1.0).scale, 4), binary_interval_gk16(0.1, 100, 1.0).scale
    (3.8873, None)
    """
    low = _smallest(alpha)
    return gk16(MarkovChain([0.5, 0.5], [[low, 1 - low], [1 - low, low]]), length, epsilon)


def _smallest(alpha: float) -> float:
    found = real(alpha)
    if not 0 < found <= 0.5:
        raise refused("alpha", "a number above 0 and at most 1/2", alpha)
    return found


def _rows(alpha: float, negative: bool, start: float, end: float) -> Rows:
    """An upper bound on the influence of every chain in an interval, by distance, on the pairs (0, 1) and (1, 0)."""
    if negative:  # v = 1 - alpha, u from start to end
        size, ratio, inverse = max(0.0, end - alpha), end / (1 - alpha), (1 - alpha) / start
    else:  # u = alpha, v from start to end
        size, ratio, inverse = max(0.0, 1 - alpha - start), alpha / start, end / alpha

    def rows(distances: NDArray[np.int64]) -> Floats:
        power = size**distances
        odd = (distances % 2 == 1) & negative
        with np.errstate(divide="ignore", invalid="ignore"):
            alike = np.stack([np.log1p(power * r) - np.log1p(-power) for r in (ratio, inverse)], axis=1)
            shares = [np.minimum(power * r, 1.0) for r in (inverse, ratio)]
            apart = np.stack([np.log1p(power) - np.log1p(-share) for share in shares], axis=1)
        return np.where(odd[:, None], apart, alike)

    return rows

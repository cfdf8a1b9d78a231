"""How far planar Laplace noise reaches: the quantile of the displacement, exact to the last digits at both ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import positives, probabilities
from lmdk_widgets.geo import Floats

_SERIES_BELOW = 1e-4
"""Below this t = sqrt(2 L) the series at the branch point is exact to the last digit (next term t^6 / 17010)."""


def planar_laplace_radius(probability: ArrayLike, epsilon_per_m: ArrayLike) -> Floats:
    """The radius in metres within which planar Laplace noise falls with a probability: its quantile function.

    The r that solves ``1 - (1 + eps r) exp(-eps r) = p``, which is ``-(W_-1((p - 1)/e) + 1) / eps``.

    Parameters
    ----------
    probability : p in [0, 1], a number or an array; 0 gives 0 and 1 gives infinity.
    epsilon_per_m : eps in 1/m, above 0, a number or an array that broadcasts with `probability`.

    Returns
    -------
    metres, of the broadcast shape; a float for two numbers.

    Raises
    ------
    InputError : a probability outside [0, 1], or an epsilon that is not above 0 and finite.

    Notes
    -----
    Guarantee: none, this describes the noise and depends on no data.
    Numerics: within 4 units in the last place for every p from 5e-324 to 1 - 1.1e-16. With ``L = -log(1 - p)`` the
    equation is ``x - log(1 + x) = L``, for which Newton's method converges from above for any L, whereas the Lambert
    function is evaluated beside its branch point -1/e and loses half of the digits at p = 1e-12, all at p = 1e-17.
    Paper: Andres, Bordenabe, Chatzikokolakis, Palamidessi, "Geo-indistinguishability", CCS 2013, section 4.

    Examples
    --------
    >>> round(float(planar_laplace_radius(0.95, np.log(4) / 200)), 3)  # log 4 within 200 m
    684.395
    >>> planar_laplace_radius([0, 0.5, 1], 1).round(10).tolist()
    [0.0, 1.67834699, inf]
    """
    p = probabilities(probability, "probability")
    with np.errstate(divide="ignore"):
        loss = -np.log1p(-p)
    # + 0.0 turns the -0.0 of p = 0 into 0.0; [()] makes a float of an array without dimensions
    return (_solve(np.atleast_1d(loss)).reshape(p.shape) / positives(epsilon_per_m, "epsilon_per_m") + 0.0)[()]


def _solve(loss: Floats) -> Floats:
    """x >= 0 with x - log(1 + x) = loss, elementwise; infinity for infinity."""
    t = np.sqrt(2 * loss)
    series = t * (1 + t / 3 * (1 + t / 12 * (1 - t * 2 / 15 * (1 - t / 16))))
    todo = (t >= _SERIES_BELOW) & np.isfinite(loss)
    x, target = series[todo], loss[todo]
    # Below a loss of 1 the series is a good start; above it, iterating x = loss + log(1 + x) twice is.
    far = target + np.log1p(target + np.log1p(2 * target + 2))
    x = np.where(target < 1, x, far)
    for _ in range(4):  # the relative error goes 1e-2, 1e-4, 1e-8, 1e-16, as h is convex
        x -= (_gap(x) - target) * (1 + x) / x
    series[todo] = x
    return series


def _gap(x: Floats) -> Floats:
    """h(x) = x - log(1 + x) for x > 0 without cancellation.

    log(1 + x) = 2 atanh(s) with s = x / (2 + x), and x - 2 s = x s, so that the leading terms cancel on paper.
    """
    s = x / (2 + x)
    square = np.minimum(s * s, 1 / 9)  # the sum is used for x <= 1 only, where s <= 1/3
    tail = np.zeros_like(x)
    for k in range(37, 1, -2):
        tail = tail * square + 1 / k
    return np.where(x <= 1, x * s - 2 * s * square * tail, x - np.log1p(x))

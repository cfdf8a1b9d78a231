"""Gaussian noise: a delta for every epsilon, but no pure epsilon.

With noise of standard deviation sigma and ``mu = sensitivity / sigma``, an attacker compares two normal distributions
that are mu standard deviations apart. The privacy loss is normal too, with mean ``mu^2 / 2`` and variance ``mu^2``: it
is unbounded, so no finite epsilon has delta 0. Several releases are equivalent to one with ``mu = sqrt(sum mu_i^2)``.
"""

from __future__ import annotations

from math import erfc, exp, log, pi, sqrt

import numpy as np

from lmdk_widgets.checks import SMALLEST, fraction, positive

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
PANELS = 48
"""Panels of the quadrature, each with these nodes."""

DEPTH = 45.0
"""The integrand is ignored where it is below e^-45 of its peak."""


def gaussian_delta(epsilon: float, mu: float) -> float:
    """``Phi(-epsilon/mu + mu/2) - e^epsilon Phi(-epsilon/mu - mu/2)``: the delta of Gaussian noise at an epsilon.

    Parameters
    ----------
    epsilon : 0 or more. mu : ``sensitivity / sigma``, above 0; for several releases ``sqrt(sum mu_i^2)``.

    Returns
    -------
    A delta above 0 and below 1, to 12 digits. As it is never 0, anything below 2.2e-308 is returned as that number.

    Raises
    ------
    InputError : a number outside its range.

    Notes
    -----
    Guarantee: (epsilon, delta)-differential privacy for real-valued noise. Numerics: if mu is small, the two terms
    agree in all digits, and e^epsilon can overflow. With a = epsilon/mu - mu/2, delta is ``int_0^inf phi(a + t) (1 -
    e^(-mu t)) dt``, which has only positive terms. Paper: Balle, Wang, "Improving the Gaussian mechanism for
    differential privacy", ICML 2018.

    Examples
    --------
    >>> round(gaussian_delta(1, 1), 10), round(gaussian_delta(1, 0.25 * 10**0.5), 10)
    (0.1269367375, 0.0605854367)
    """
    positive(epsilon, "epsilon", zero=True)
    positive(mu, "mu")
    a = epsilon / mu - mu / 2
    if a > 40:
        return SMALLEST
    height = exp(-a * a / 2) / sqrt(2 * pi)
    if mu >= 1:
        return max(erfc(a / sqrt(2)) / 2 - height * _mills(a + mu), SMALLEST)
    first = max(0.0, -a - 10)
    t, weight = _nodes(first, sqrt(max(a, 0) ** 2 + 2 * DEPTH) - a)
    found = np.sum(weight * np.exp(-((a + t) ** 2) / 2) * -np.expm1(-mu * t)) / sqrt(2 * pi)
    return max(float(found), SMALLEST)


def gaussian_epsilon(delta: float, mu: float) -> float:
    """The epsilon of Gaussian noise at a delta: the smallest with ``gaussian_delta(epsilon, mu) <= delta``, rounded up.

    Parameters
    ----------
    delta : strictly between 0 and 1: at delta 0, Gaussian noise has no epsilon. mu : as for `gaussian_delta`.

    Returns
    -------
    The epsilon, 0 or more.

    Raises
    ------
    InputError : a number outside its range.

    Examples
    --------
    >>> round(gaussian_epsilon(0.1269367375, 1), 9)
    1.0
    """
    fraction(delta, "delta", inside=True)
    positive(mu, "mu")
    if gaussian_delta(0, mu) <= delta:
        return 0.0
    low, high = 0.0, mu * mu / 2 + mu * sqrt(-2 * log(delta))
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_delta(middle, mu) <= delta else (middle, high)
    return high


def _mills(x: float) -> float:
    """``Phi(-x) / phi(x) = int_0^inf e^(-x t - t^2 / 2) dt``, x above 0."""
    t, weight = _nodes(0.0, sqrt(x * x + 2 * DEPTH) - x)
    return float(np.sum(weight * np.exp(-x * t - t * t / 2)))


def _nodes(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of the quadrature from low to high."""
    edges = np.linspace(low, high, PANELS + 1)
    half = (high - low) / PANELS / 2
    return ((edges[:-1, None] + half) + half * NODES).ravel(), np.tile(half * WEIGHTS, PANELS)

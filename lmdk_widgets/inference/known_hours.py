"""What the reports of one place, level or answer reveal to someone who knows at which timestamps they were made.

Each report changes the log odds of the true value against another one. No chain is needed: given the hours, the reports
are independent, so log odds add up. For planar Laplace the sum is exact in ellipses around the two places: with
``a = u / 2`` and the modified Bessel functions I and K, a report at ``u`` budgets of distance has the mean
``2 a^2 (K0 I2 + K1 I1)`` and the second moment ``4 a^4 (K0 (I1 / a - 3 I2 / a^2) + K1 / a (I0 - I1 / a))``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import not_negative, numbers, one_of, positive
from lmdk_widgets.geo import Floats

TENTH = NormalDist().inv_cdf(0.9)
"""How many standard deviations above the mean one release in ten is."""

FEW_REPORTS = 5.0
"""With fewer reports, weighted by their variance, shares follow from the exact distribution of the sum, otherwise from the
normal one."""

MOST_DIFFERENT = 64
"""The most different budgets whose exact distributions are convolved."""

_NODES = 240
"""Points of a trapezoidal rule for a Bessel function: its integrand is smooth and ends at less than e^-45."""

_FLAT = 1e4
"""Beyond this many budgets of distance, mean and variance are their limits to about 1e-4."""

_BINS = 27_720
"""Bins of half the range of a sum of log odds; a multiple of 1 to 12, so that sums of so many equal ones fall into one."""


@dataclass(frozen=True)
class KnownHours:
    """What reports reveal together, for someone who knows when they were made. Log odds are natural logarithms.

    Attributes
    ----------
    most : the log odds of the true value against the other one change by at most this, in any release.
    half : in half of all releases they change by at least this in favour of the true value.
    tenth : the same in one release of ten.
    right : the share of right guesses between the two, equally likely beforehand, 0.5 to 1.
    reports : how many reports there are.
    """

    most: float
    half: float
    tenth: float
    right: float
    reports: int


def known_hours(budgets: ArrayLike, distance: float, radius: float = 1.0, *, kind: str = "planar") -> KnownHours:
    """What reports of one value reveal about it against another value, to someone who knows when they were made.

    With ``u = b d / r`` for each report: at most ``sum u``; in half of all releases ``A = sum m(u)``; in one of ten
    ``A + 1.2816 sqrt V``, ``V = sum v(u)``; guesses right ``Phi(A / sqrt V)``. Below five reports, where this is too far off,
    the exact distribution of the sum is used.

    Parameters
    ----------
    budgets : (k,) epsilon of each report; a repeated report counts once.
    distance : between the two values, in the unit of the radius, above 0.
    radius : the distance at which a budget counts once: the protection radius, or the range of a series.
    kind : "planar" (planar Laplace), "numbers" (Laplace on a line), or "answers" (randomised response on two answers, which
        ignores both lengths).

    Returns
    -------
    KnownHours

    Raises
    ------
    InputError : budgets below 0, a length that is not above 0, another kind.

    Notes
    -----
    Guarantee: `most` bounds every release. The others describe typical releases and promise nothing.

    Examples
    --------
    >>> home = known_hours([1 / 9] * 1044, 200, 200)
    >>> round(math.exp(home.half)), round(home.most), round(home.right, 3)
    (25, 116, 0.898)
    >>> one = known_hours([1.0], 1.0, kind="answers")
    >>> round(one.half, 4), round(one.right, 4)
    (1.0, 0.7311)
    """
    kind = one_of(kind, "kind", tuple(_MOMENTS))
    spent = not_negative(numbers(budgets, "budgets"), "budgets").ravel()
    ratio = 1.0 if kind == "answers" else positive(distance, "distance") / positive(radius, "radius")
    u, times = np.unique(spent[spent > 0] * ratio, return_counts=True)
    if not len(u):
        return KnownHours(0.0, 0.0, 0.0, 0.5, 0)
    most = float(u @ times)
    mean, variance = _MOMENTS[kind](u)
    middle, spread = float(mean @ times), float(variance @ times)
    if spread**2 < FEW_REPORTS * float(variance**2 @ times) and len(u) <= MOST_DIFFERENT:
        return KnownHours(most, *_by_quadrature(u, times, kind), int(times.sum()))
    tenth = min(middle + TENTH * math.sqrt(spread), most)
    right = NormalDist().cdf(middle / math.sqrt(spread)) if spread else 1.0
    return KnownHours(most, middle, tenth, right, int(times.sum()))


def planar_moments(u: Floats) -> tuple[Floats, Floats]:
    """(k,) mean and variance of ``|z - u| - |z|``, z planar Laplace of rate 1, for distances u above 0.

    Examples
    --------
    >>> [[float(f"{x:.5f}") for x in moments] for moments in planar_moments(np.array([0.5, 1.0, 10.0]))]
    [[0.06052, 0.22834, 8.15216], [0.11925, 0.43219, 4.31497]]
    """
    a = np.minimum(u, _FLAT)[:, None] / 2
    i0, i1, i2 = (_scaled_i(order, a) for order in range(3))
    k0, k1 = (_scaled_k(order, a) for order in range(2))
    a = a[:, 0]
    mean = 2 * a**2 * (k0 * i2 + k1 * i1)
    square = 4 * a**4 * (k0 * (i1 / a - 3 * i2 / a**2) + k1 / a * (i0 - i1 / a))
    far = u > _FLAT
    return np.where(far, u - 2, mean), np.where(far, 5.0, square - mean**2)


def _scaled_i(order: int, a: Floats) -> Floats:
    """e^-a times the modified Bessel function I, as the mean of ``e^(a (cos - 1)) cos(order ..)``."""
    end = 2 * np.arcsin(np.sqrt(np.minimum(45 / (2 * a), 1)))  # beyond it the integrand is below e^-45
    angle = end * np.linspace(0, 1, _NODES)
    values = np.exp(-2 * a * np.sin(angle / 2) ** 2) * np.cos(order * angle)
    return _trapezoid(values) * end[:, 0] / math.pi


def _scaled_k(order: int, a: Floats) -> Floats:
    """e^a times the modified Bessel function K, the integral of ``e^(a (1 - cosh)) cosh(order ..)``."""
    end = 2 * np.arcsinh(np.sqrt((45 + 2 * order * np.log1p(1 / a)) / (2 * a)))
    angle = end * np.linspace(0, 1, _NODES)
    values = np.exp(-2 * a * np.sinh(angle / 2) ** 2) * np.cosh(order * angle)
    return _trapezoid(values) * end[:, 0]


def _trapezoid(values: Floats) -> Floats:
    """(k,) over [0, 1], by equally spaced values (k, nodes)."""
    return np.asarray((values.sum(axis=1) - (values[:, 0] + values[:, -1]) / 2) / (values.shape[1] - 1))


def _number_moments(u: Floats) -> tuple[Floats, Floats]:
    """The same for Laplace on a line: ``u - 1 + e^-u``; series where differences would lose digits."""
    small = np.minimum(u, 0.02)
    mean = np.where(u < 0.02, small**2 / 2 - small**3 / 6 + small**4 / 24 - small**5 / 120, u + np.expm1(-u))
    near = small**2 - small**3 / 3 + small**4 / 6 - small**5 / 20 + small**6 / 90
    square = np.where(u < 0.02, near, (u - 1) ** 2 + 3 - (2 * u + 4) * np.exp(-np.minimum(u, 700)))
    return mean, square - mean**2


def _answer_moments(u: Floats) -> tuple[Floats, Floats]:
    """The same for randomised response: plus or minus b."""
    mean = u * np.tanh(u / 2)
    return mean, (u / np.cosh(np.minimum(u / 2, 350))) ** 2


_MOMENTS: dict[str, Callable[[Floats], tuple[Floats, Floats]]] = {
    "planar": planar_moments,
    "numbers": _number_moments,
    "answers": _answer_moments,
}


def _by_quadrature(u: Floats, times: np.ndarray, kind: str) -> tuple[float, float, float]:
    """Half, tenth and right by the distribution of the sum, on `_BINS` bins for each side of 0."""
    most = float(u @ times)
    step = most / _BINS
    size = 4 * _BINS
    transform = np.ones(size // 2 + 1, dtype=complex)
    for one, many in zip(u.tolist(), times.tolist(), strict=True):
        places, masses = _DISTRIBUTIONS[kind](one)
        transform *= np.fft.rfft(_binned(places / step, masses, size)) ** many
    found = np.clip(np.fft.irfft(transform, size), 0, None)
    found = np.concatenate((found[-_BINS:], found[: _BINS + 1]))  # from -most to most
    found /= found.sum()
    middle = float(found[_BINS])
    above = np.cumsum(found[::-1])[::-1]  # the chance to be at least as high as each bin
    half, tenth = ((int((above >= share - 1e-9).sum()) - 1 - _BINS) * step for share in (0.5, 0.1))
    return half, min(tenth, most), float(above[_BINS + 1]) + middle / 2


def _binned(at: Floats, masses: Floats, size: int) -> Floats:
    """Masses at places counted in bins, each shared by the two bins beside it, so that means are exact; negative places
    wrap around."""
    low = np.floor(at + 1e-9)
    share = np.clip(at - low, 0, 1)
    first = low.astype(np.int64) % size
    shared = np.bincount(first, masses * (1 - share), size) + np.bincount((first + 1) % size, masses * share, size)
    return np.asarray(shared, float)


def _planar_distribution(u: float) -> tuple[Floats, Floats]:
    """Log odds of one planar report and their masses: ``u cos v`` with weight ``e^(a cos v) (K0 sin^2 v + K1 / a)``."""
    a = np.array([[u / 2]])
    angle = (np.arange(8192) + 0.5) * math.pi / 8192
    k0, k1 = float(_scaled_k(0, a)[0]), float(_scaled_k(1, a)[0])
    masses = np.exp(u / 2 * (np.cos(angle) - 1)) * (k0 * np.sin(angle) ** 2 + k1 / (u / 2))
    return u * np.cos(angle), masses / masses.sum()


def _number_distribution(u: float) -> tuple[Floats, Floats]:
    """The same for Laplace on a line: u with half the mass, -u with ``e^-u / 2``, ``u - 2 z`` between."""
    z = (np.arange(8192) + 0.5) / 8192 * u
    between = np.exp(-z)
    between *= -math.expm1(-u) / 2 / between.sum()
    return np.concatenate(([u, -u], u - 2 * z)), np.concatenate(([0.5, math.exp(-u) / 2], between))


def _answer_distribution(u: float) -> tuple[Floats, Floats]:
    """The same for randomised response."""
    right = 1 / (1 + math.exp(-u))
    return np.array([u, -u]), np.array([right, 1 - right])


_DISTRIBUTIONS: dict[str, Callable[[float], tuple[Floats, Floats]]] = {
    "planar": _planar_distribution,
    "numbers": _number_distribution,
    "answers": _answer_distribution,
}

"""Mechanisms as objects: everything about a mechanism that does not depend on the data.

A mechanism adds noise of a fixed shape whose scale is inversely proportional to the budget, so it is determined by the noise
at scale 1, which is drawn for every timestamp before anything is decided: with the same seed, a larger epsilon shrinks the
same displacements (common random numbers), and a slider shows only its own effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import floats, positive, positives, probabilities
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise.samplers import standard_planar_laplace

_SERIES_BELOW = 1e-4
"""Below this t = sqrt(2 L), the series at the branch point is exact to the last digit (next term t^6 / 17010)."""


class Mechanism(Protocol):
    """What a release needs from a mechanism: ``output = value + scale(epsilon) noise``, with scale inverse to epsilon."""

    @property
    def dimension(self) -> int:
        """Numbers in a value: 1 for a series (n,), 2 for points (n, 2)."""

    def scale(self, epsilon: float) -> float:
        """The factor on the standard noise, proportional to 1 / epsilon; infinite at 0."""

    def standard_noise(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent noise at scale 1 for n timestamps."""

    def mean_displacement(self, epsilon: float) -> float:
        """Expected distance between an output and its value."""

    def radius(self, probability: ArrayLike, epsilon: float) -> Floats:
        """The distance within which an output falls with a given probability."""


@dataclass(frozen=True)
class Laplace:
    """Laplace mechanism for a series of numbers: noise of scale ``sensitivity / epsilon``.

    Attributes
    ----------
    sensitivity : the most that one person can change one value, in the unit of the values; above 0.

    Notes
    -----
    Guarantee: an output with budget epsilon is epsilon-differentially private (Dwork et al., TCC 2006).

    Examples
    --------
    >>> mechanism = Laplace(sensitivity=1.0)
    >>> mechanism.scale(0.2), mechanism.mean_displacement(0.2), mechanism.scale(0)
    (5.0, 5.0, inf)
    >>> round(float(mechanism.radius(0.95, 0.2)), 3)
    14.979
    """

    sensitivity: float = 1.0
    dimension: ClassVar[int] = 1

    def __post_init__(self) -> None:
        positive(self.sensitivity, "sensitivity")

    def scale(self, epsilon: float) -> float:
        """``sensitivity / epsilon`` in the unit of the values; infinite at epsilon 0."""
        return _over(self.sensitivity, epsilon)

    def standard_noise(self, n: int, rng: np.random.Generator) -> Floats:
        """Laplace noise at scale 1, (n,)."""
        return rng.laplace(size=n)

    def mean_displacement(self, epsilon: float) -> float:
        """``sensitivity / epsilon``, the mean of the absolute noise."""
        return self.scale(epsilon)

    def radius(self, probability: ArrayLike, epsilon: float) -> Floats:
        """Quantile of the absolute noise, ``-log(1 - p) sensitivity / epsilon``; infinite at epsilon 0."""
        p = probabilities(probability, "probability")
        if epsilon == 0:
            return np.full(p.shape, np.inf)[()]
        with np.errstate(divide="ignore"):
            return (-np.log1p(-p) * self.scale(epsilon) + 0.0)[()]


@dataclass(frozen=True)
class PlanarLaplace:
    """Planar Laplace mechanism for points in metres: ``epsilon`` is the loss allowed between places `radius_m` apart.

    Attributes
    ----------
    radius_m : the protection radius r in metres, above 0; a budget epsilon means epsilon / r per metre.

    Notes
    -----
    Guarantee: an output with budget epsilon is (epsilon / r)-geo-indistinguishable: the loss between places d metres
    apart is at most epsilon d / r, which is at most epsilon within the protection radius and more beyond it. It is
    not epsilon-differential privacy over all places (Andres et al., CCS 2013, sections 3 and 4).

    Examples
    --------
    >>> mechanism = PlanarLaplace(radius_m=200.0)
    >>> round(float(mechanism.mean_displacement(np.log(4))), 3)
    288.539
    >>> mechanism.radius([0.5, 0.95], np.log(4)).round(3).tolist()
    [242.134, 684.395]
    >>> mechanism.scale(0)
    inf
    """

    radius_m: float = 200.0
    dimension: ClassVar[int] = 2

    def __post_init__(self) -> None:
        positive(self.radius_m, "radius_m")

    def scale(self, epsilon: float) -> float:
        """``radius_m / epsilon`` metres, the inverse of the epsilon per metre; infinite at epsilon 0."""
        return _over(self.radius_m, epsilon)

    def standard_noise(self, n: int, rng: np.random.Generator) -> Floats:
        """Planar Laplace noise at one per metre, (n, 2)."""
        return standard_planar_laplace(n, rng)

    def mean_displacement(self, epsilon: float) -> float:
        """``2 radius_m / epsilon`` metres."""
        return 2 * self.scale(epsilon)

    def radius(self, probability: ArrayLike, epsilon: float) -> Floats:
        """Quantile of the displacement in metres, see `planar_laplace_radius`; infinite at epsilon 0."""
        if epsilon == 0:
            return np.full(probabilities(probability, "probability").shape, np.inf)[()]
        return planar_laplace_radius(probability, 1.0) * self.scale(epsilon)


@dataclass(frozen=True)
class RandomizedResponse:
    """Warner's randomised response: an answer is kept with chance ``e^b / (e^b + 1)`` at budget b, otherwise flipped.

    The counterpart of `Laplace` and `PlanarLaplace` for answers; its noise has no scale, so it is not a `Mechanism`.

    Notes
    -----
    Guarantee: an answer with budget b is b-differentially private (Warner, "Randomized response", JASA 1965).
    Numerics: computed as ``1 / (1 + e^b)``, which loses no digits; if e^b overflows to infinity, the chance is 0.

    Examples
    --------
    >>> RandomizedResponse().wrong([0.0, np.log(3), np.inf]).round(9).tolist()
    [0.5, 0.25, 0.0]
    """

    def wrong(self, budgets: ArrayLike) -> Floats:
        """The chance of a wrong answer at each budget, which is the expected error: 1/2 at 0, and 0 at infinity."""
        spent = np.asarray(budgets, float)
        with np.errstate(over="ignore"):
            chance: Floats = 1 / (1 + np.exp(spent))
        return chance


def checked_answers(values: ArrayLike, name: str) -> Floats:
    """Answers as (n,) numbers, each 0 or 1.

    Raises
    ------
    InputError : no answers, or one that is neither 0 nor 1.
    """
    answers = floats(values, name, "answers, 0 or 1")
    if answers.ndim != 1 or not len(answers):
        what = f"{name} must contain one answer for each timestamp, shape (n,)"
        raise InputError(what, value=f"shape {answers.shape}")
    bad = ~((answers == 0) | (answers == 1))
    if bad.any():
        raise InputError(
            f"{name} must contain answers, 0 or 1", value=f"another number at timestamp {int(np.argmax(bad)):,}"
        )
    return answers


def planar_laplace_radius(probability: ArrayLike, epsilon_per_m: ArrayLike) -> Floats:
    """The radius in metres within which planar Laplace noise falls with a given probability: its quantile function.

    The r that solves ``1 - (1 + eps r) exp(-eps r) = p``, which is ``-(W_-1((p - 1)/e) + 1) / eps``.

    Parameters
    ----------
    probability : p in [0, 1], a number or an array; 0 gives 0 and 1 gives infinity.
    epsilon_per_m : eps in 1/m, above 0, a number or an array that broadcasts with `probability`.

    Returns
    -------
    metres, with the broadcast shape; a float for two numbers.

    Raises
    ------
    InputError : a probability outside [0, 1], or an epsilon that is not above 0 and finite.

    Notes
    -----
    Guarantee: none, this describes the noise and does not depend on any data.
    Numerics: within 4 units in the last place for every p from 5e-324 to 1 - 1.1e-16. With ``L = -log(1 - p)``, the
    equation is ``x - log(1 + x) = L``, for which Newton's method converges from above for any L. The Lambert function
    would be evaluated near its branch point -1/e, where it loses half of the digits at p = 1e-12, and all at p = 1e-17.
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
    # Below a loss of 1 the series is a good starting point; above it, x = loss + log(1 + x) iterated twice is.
    far = target + np.log1p(target + np.log1p(2 * target + 2))
    x = np.where(target < 1, x, far)
    for _ in range(4):  # the relative error goes 1e-2, 1e-4, 1e-8, 1e-16, as h is convex
        x -= (_gap(x) - target) * (1 + x) / x
    series[todo] = x
    return series


def _gap(x: Floats) -> Floats:
    """h(x) = x - log(1 + x) for x > 0 without cancellation.

    log(1 + x) = 2 atanh(s) with s = x / (2 + x), and x - 2 s = x s, so the leading terms cancel analytically.
    """
    s = x / (2 + x)
    square = np.minimum(s * s, 1 / 9)  # the sum is only used for x <= 1, where s <= 1/3
    tail = np.zeros_like(x)
    for k in range(37, 1, -2):
        tail = tail * square + 1 / k
    return np.where(x <= 1, x * s - 2 * s * square * tail, x - np.log1p(x))


def _over(size: float, epsilon: float) -> float:
    budget = positive(epsilon, "epsilon", zero=True)
    return size / budget if budget > 0 else float("inf")

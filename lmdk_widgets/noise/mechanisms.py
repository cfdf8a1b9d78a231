"""Mechanisms as objects: everything about a mechanism that does not depend on the data.

A mechanism adds noise of one shape whose size is inverse to the budget, so all of it follows from the noise at scale 1,
which is drawn for every timestamp before anything is decided: with the same seed, a larger epsilon shrinks the same
displacements (common random numbers), and what a slider shows is the effect of the slider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import positive, probabilities
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise.radius import planar_laplace_radius
from lmdk_widgets.noise.samplers import standard_planar_laplace


class Mechanism(Protocol):
    """What a release asks of a mechanism: ``output = value + scale(epsilon) noise``, the scale inverse to epsilon."""

    @property
    def dimension(self) -> int:
        """Numbers in a value: 1 for a series (n,), 2 for points (n, 2)."""

    def scale(self, epsilon: float) -> float:
        """The factor on the standard noise, proportional to 1 / epsilon; infinite at 0."""

    def standard_noise(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent noise at scale 1 for n timestamps."""

    def mean_displacement(self, epsilon: float) -> float:
        """Expected distance of an output from its value."""

    def radius(self, probability: ArrayLike, epsilon: float) -> Floats:
        """The distance within which an output falls with a probability."""


@dataclass(frozen=True)
class Laplace:
    """Laplace mechanism for a series of numbers: noise of scale ``sensitivity / epsilon``.

    Attributes
    ----------
    sensitivity : the most that one person changes one value, in the unit of the values; above 0.

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
    Guarantee: an output with budget epsilon is (epsilon / r)-geo-indistinguishable: places d metres apart are told
    apart with a loss of at most epsilon d / r, which is epsilon within the protection radius and more beyond it. It is
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


def _over(size: float, epsilon: float) -> float:
    budget = positive(epsilon, "epsilon", zero=True)
    return size / budget if budget > 0 else float("inf")

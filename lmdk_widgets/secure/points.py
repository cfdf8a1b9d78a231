"""A private release of points: planar Laplace on a lattice, exact, with noise of the operating system."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import points as checked_points
from lmdk_widgets.checks import positive, positives, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.exact import system_entropy
from lmdk_widgets.secure.lattice import Integers, lattice_laplace

SMALLEST_RATE = Fraction(1, 2**40)
"""Epsilon per step of the lattice, at least."""

AHEAD = 64
"""Noise that is drawn at a time, where points are reported one after the other."""

FARTHEST_STEPS = 2**53
"""Steps from the origin, at most: a larger whole number is no float any more."""


@dataclass(frozen=True)
class Guarantee:
    """What a release of points promises.

    Attributes
    ----------
    points : how many. step_m : of the lattice, metres; it is public, as the lattice is.
    least_epsilon_per_m, most_epsilon_per_m : of one point. total_epsilon_per_m : of all points together, never too small.
    snapped_m : how far a true point is at most from its point of the lattice, metres.
    compared : whether it was decided by comparisons which points are reported: they spend besides.
    """

    points: int
    step_m: float
    least_epsilon_per_m: float
    most_epsilon_per_m: float
    total_epsilon_per_m: float
    snapped_m: float
    compared: bool = False

    def words(self) -> list[str]:
        """The guarantee as sentences."""
        same = self.least_epsilon_per_m == self.most_epsilon_per_m
        each = f"{self.most_epsilon_per_m:.6g}"
        each = each if same else f"between {self.least_epsilon_per_m:.6g} and {each}"
        whole = "All points together"
        if self.compared:
            whole = "The reports alone, without the comparisons that decided when they were made"
        return [
            f"Each point is first moved to the nearest point of a public lattice with a step of {self.step_m:.6g} m, by at "
            f"most {self.snapped_m:.6g} m.",
            f"Each reported point is drawn on that lattice with epsilon {each} per metre: of two true points of the lattice "
            "that are d metres apart, no report changes the odds by a factor of more than e^(epsilon d).",
            f"Two true places d metres apart count as at most d + {2 * self.snapped_m:.6g} m, as both are moved first.",
            f"{whole}: if each of them may be another one, d metres away, by a factor of at most "
            f"e^({self.total_epsilon_per_m:.6g} d). Another release of the same data adds its own epsilon.",
            "The noise comes from the operating system's entropy, and whole numbers decide every draw: no rounding of "
            "floating point weakens this. How long the computation takes is not protected.",
            "Not protected: how many points there are, and what follows from how places hang together in time.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """The guarantee for JSON."""
        return {
            "mechanism": "planar Laplace on a lattice, exact",
            "points": self.points,
            "lattice_step_m": self.step_m,
            "moved_to_the_lattice_by_at_most_m": self.snapped_m,
            "epsilon_per_m_of_a_point": [self.least_epsilon_per_m, self.most_epsilon_per_m],
            f"epsilon_per_m_of_all_{'reports_alone' if self.compared else 'points_together'}": self.total_epsilon_per_m,
            "entropy": "operating system",
            "words": self.words(),
        }


@dataclass(frozen=True, eq=False)
class SecureRelease:
    """Points that may be published, with what was spent on them.

    Attributes
    ----------
    points_m : (n, 2) metres, on the lattice. lattice : (n, 2) the same in whole steps.
    guarantee : what they promise. spent : epsilon per metre of all of them together.
    """

    points_m: Floats
    lattice: Integers
    guarantee: Guarantee

    @property
    def spent(self) -> float:
        return self.guarantee.total_epsilon_per_m


def release_points(points_m: ArrayLike, epsilon_per_m: ArrayLike, *, step_m: float) -> SecureRelease:
    """Points reported on a lattice, ``Pr[z] proportional to exp(-epsilon_per_m |z - x|)`` exactly, to be published.

    Parameters
    ----------
    points_m : (n, 2) true points in metres in a frame that is public, n at least 1.
    epsilon_per_m : of each point, 1/m, above 0: one number, or (n,). A float is taken as the fraction that it is.
    step_m : step u of the lattice, metres, above 0; epsilon_per_m u is at least 2^-40.

    Returns
    -------
    SecureRelease : `.points_m`, `.guarantee` and `.spent`.

    Raises
    ------
    InputError : points that are not finite, an epsilon or a step not above 0, a lattice too fine for the noise, or a point
        more than 2^53 steps from the origin.

    Notes
    -----
    Guarantee: each report is ``epsilon_per_m d``-private for two points of the lattice that are d apart: over the whole
    lattice the normalising constant is the same for both, and the triangle inequality does the rest. Moving a point to the
    lattice takes it u / sqrt(2) away at most. n reports together spend the sum. It is no differential privacy of the number
    of points, and says nothing of correlation.
    Numerics: nothing is decided by floating point. Chance comes from the operating system and is compared with bounds in
    whole numbers, see `exact` and `lattice`; floating-point samplers are broken by their lowest digits (Mironov, "On
    significance of the least significant bits for differential privacy", CCS 2012). 100,000 points take a second or two.
    Papers: Andrés, Bordenabe, Chatzikokolakis, Palamidessi, "Geo-indistinguishability", CCS 2013; Canonne, Kamath, Steinke,
    "The discrete Gaussian for differential privacy", NeurIPS 2020, whose decisions by exact bounds these are.

    Examples
    --------
    >>> release = release_points([[0.0, 0.0], [120.0, 75.0]], 0.005, step_m=10)
    >>> release.points_m.shape, release.spent, round(release.guarantee.snapped_m, 4)
    ((2, 2), 0.01, 7.0711)
    """
    true, step = checked_points(points_m, least=1), Fraction(positive(step_m, "step_m"))
    given = np.asarray(epsilon_per_m)
    each = np.full(len(true), positive(epsilon_per_m, "epsilon_per_m")) if given.ndim == 0 else _each(given, len(true))
    rates = {value: Fraction(value) * step for value in np.unique(each).tolist()}
    _checked_rate(min(rates.values()))
    lattice = snapped(true, step)
    for value, rate in rates.items():
        of = np.flatnonzero(each == value)
        lattice[of] += lattice_laplace(len(of), rate, system_entropy)
    return SecureRelease(np.asarray(lattice * float(step), np.float64), lattice, guarantee_of(each, float(step)))


class Reporter:
    """Points reported one after the other, each with the law of `release_points`.

    Noise is drawn ahead of need: it knows no point.

    Parameters
    ----------
    step_m : step of the lattice, metres, above 0.
    """

    def __init__(self, step_m: float) -> None:
        self.step = Fraction(positive(step_m, "step_m"))
        self.ahead: dict[float, list[Integers]] = {}

    def report(self, point_m: Floats, epsilon_per_m: float) -> Floats:
        """(2,) metres on the lattice, of a true point (2,) at epsilon_per_m, 1/m."""
        rate = _checked_rate(Fraction(positive(epsilon_per_m, "epsilon_per_m")) * self.step)
        ahead = self.ahead.setdefault(epsilon_per_m, [])
        if not ahead:
            ahead.extend(lattice_laplace(AHEAD, rate, system_entropy))
        (cell,) = snapped(checked_points([point_m]), self.step)
        return np.asarray((cell + ahead.pop()) * float(self.step), np.float64)


def _checked_rate(rate: Fraction) -> Fraction:
    if rate < SMALLEST_RATE:
        what, least = "Epsilon per step of the lattice must be at least 2^-40", f"{float(rate):.3g}"
        raise InputError(what, value=least, remedy="Choose a longer step")
    return rate


def _each(given: Any, n: int) -> Floats:
    each = positives(given, "epsilon_per_m")
    if each.shape != (n,):
        raise refused("epsilon_per_m", f"one number or {n:,} numbers", each)
    return each


def snapped(points_m: Floats, step: Fraction) -> Integers:
    """The nearest point of the lattice of each point, in whole steps, (n, 2); exact, halves upwards."""
    if float(np.abs(points_m).max()) / float(step) > FARTHEST_STEPS:
        what = "The points must be at most 2^53 steps of the lattice from the origin"
        raise InputError(what, remedy="Choose a longer step, or a frame nearer to them")
    top, below = step.denominator, step.numerator
    found = []
    for value in points_m.ravel().tolist():
        over, under = value.as_integer_ratio()
        found.append((2 * over * top + under * below) // (2 * under * below))
    return np.array(found, np.int64).reshape(points_m.shape)


def guarantee_of(each: Floats, step_m: float, *, compared: bool = False) -> Guarantee:
    """What points promise that were reported at these epsilons, (n,) 1/m."""
    total = sum((Fraction(value) for value in each.tolist()), Fraction(0))
    least, most = float(each.min()), float(each.max())
    moved = math.nextafter(step_m / math.sqrt(2), math.inf)
    return Guarantee(len(each), step_m, least, most, _up(total), moved, compared)


def _up(value: Fraction) -> float:
    """A float that is not below a fraction."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)

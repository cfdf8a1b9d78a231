"""A private release of points: exact planar Laplace on a lattice, with noise from the operating system."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
"""The smallest epsilon per lattice step."""

AHEAD = 64
"""How many noise values are drawn at a time when points are reported one after another."""

FARTHEST_STEPS = 2**53
"""The most steps from the origin: larger integers are no longer exact as floats."""


@dataclass(frozen=True)
class Guarantee:
    """What a release of points promises.

    Attributes
    ----------
    points : how many. step_m : lattice step, metres; it is public, as the lattice is.
    least_epsilon_per_m, most_epsilon_per_m : for one point. total_epsilon_per_m : for all points together, never too small.
    compared : whether comparisons, which also spend budget, decided which points are reported.
    """

    points: int
    step_m: float
    least_epsilon_per_m: float
    most_epsilon_per_m: float
    total_epsilon_per_m: float
    compared: bool = False

    @property
    def snapped_m(self) -> float:
        """The most that a true point can be from its lattice point, metres."""
        return math.nextafter(self.step_m / math.sqrt(2), math.inf)

    @classmethod
    def stated(cls, told: Mapping[str, Any], *, compared: bool) -> Guarantee:
        """What a guarantee states, as written by `to_dict`."""
        least, most = told["epsilon_per_m_of_a_point"]
        return cls(told["points"], told["lattice_step_m"], least, most, told[_total(compared)], compared)

    def words(self) -> list[str]:
        """The guarantee as sentences."""
        same = self.least_epsilon_per_m == self.most_epsilon_per_m
        each = f"{self.most_epsilon_per_m:.6g}"
        each = each if same else f"between {self.least_epsilon_per_m:.6g} and {each}"
        whole = "All points together"
        if self.compared:
            whole = "The reports alone, without the comparisons that decided when to report"
        return [
            f"Each point is first moved to the nearest point of a public lattice with a step of {self.step_m:.6g} m, by at "
            f"most {self.snapped_m:.6g} m.",
            f"Each reported point is drawn on that lattice with epsilon {each} per metre: for two true lattice points "
            "d metres apart, no report changes the odds by a factor of more than e^(epsilon d).",
            f"Two true places d metres apart count as at most d + {2 * self.snapped_m:.6g} m apart, as both are moved first.",
            f"{whole}: if each of them may be a different one, d metres away, the factor is at most "
            f"e^({self.total_epsilon_per_m:.6g} d). Another release of the same data adds its own epsilon.",
            "The noise comes from the operating system's entropy, and every draw is decided in integers: "
            "floating-point rounding does not weaken this. How long the computation takes is not protected.",
            "Not protected: how many points there are, and what the correlation between timestamps reveals.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """The guarantee for JSON."""
        return {
            "mechanism": "planar Laplace on a lattice, exact",
            "points": self.points,
            "lattice_step_m": self.step_m,
            "moved_to_the_lattice_by_at_most_m": self.snapped_m,
            "epsilon_per_m_of_a_point": [self.least_epsilon_per_m, self.most_epsilon_per_m],
            _total(self.compared): self.total_epsilon_per_m,
            "entropy": "operating system",
            "words": self.words(),
        }


def _total(compared: bool) -> str:
    """The name of the total in a guarantee."""
    return f"epsilon_per_m_of_all_{'reports_alone' if compared else 'points_together'}"


@dataclass(frozen=True, eq=False)
class SecureRelease:
    """Points that may be published, and what was spent on them.

    Attributes
    ----------
    points_m : (n, 2) metres, on the lattice. lattice : (n, 2) the same in whole steps.
    guarantee : the guarantee of the release. spent : epsilon per metre of all points together.
    """

    points_m: Floats
    lattice: Integers
    guarantee: Guarantee

    @property
    def spent(self) -> float:
        return self.guarantee.total_epsilon_per_m


def release_points(points_m: ArrayLike, epsilon_per_m: ArrayLike, *, step_m: float) -> SecureRelease:
    """Points to publish, reported on a lattice with ``Pr[z]`` exactly proportional to ``exp(-epsilon_per_m |z - x|)``.

    Parameters
    ----------
    points_m : (n, 2) true points in metres in a public frame, n at least 1.
    epsilon_per_m : for each point, 1/m, above 0: one number, or (n,). A float stands for its exact fraction.
    step_m : lattice step u, metres, above 0; epsilon_per_m u is at least 2^-40.

    Returns
    -------
    SecureRelease : `.points_m`, `.guarantee` and `.spent`.

    Raises
    ------
    InputError : points that are not finite, an epsilon or a step not above 0, a lattice too fine for the noise, or a
        point more than 2^53 steps from the origin.

    Notes
    -----
    Guarantee: each report is ``epsilon_per_m d``-private for two lattice points that are d apart: over the whole
    lattice the normalising constant is the same for both, and the rest follows from the triangle inequality. Moving a point
    to the lattice moves it by at most u / sqrt(2). n reports together spend the sum. The guarantee does not protect the
    number of points, and does not account for correlation.
    Numerics: floating point decides nothing. Random words come from the operating system and are compared with integer
    bounds, see `exact` and `lattice`; the lowest digits of floating-point samplers break privacy (Mironov, "On
    significance of the least significant bits for differential privacy", CCS 2012). 100,000 points take a second or two.
    Papers: Andrés, Bordenabe, Chatzikokolakis, Palamidessi, "Geo-indistinguishability", CCS 2013; Canonne, Kamath, Steinke,
    "The discrete Gaussian for differential privacy", NeurIPS 2020, from which the decisions by exact bounds are taken.

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
    """Points reported one after another, each with the same distribution as in `release_points`.

    Noise is drawn in advance: it does not depend on the points.

    Parameters
    ----------
    step_m : lattice step, metres, above 0.
    """

    def __init__(self, step_m: float) -> None:
        self.step = Fraction(positive(step_m, "step_m"))
        self.ahead: dict[float, list[Integers]] = {}

    def report(self, point_m: Floats, epsilon_per_m: float) -> Floats:
        """(2,) the report of a true point (2,), metres on the lattice, at epsilon_per_m, 1/m."""
        rate = _checked_rate(Fraction(positive(epsilon_per_m, "epsilon_per_m")) * self.step)
        ahead = self.ahead.setdefault(epsilon_per_m, [])
        if not ahead:
            ahead.extend(lattice_laplace(AHEAD, rate, system_entropy))
        (cell,) = snapped(checked_points([point_m]), self.step)
        return np.asarray((cell + ahead.pop()) * float(self.step), np.float64)


def _checked_rate(rate: Fraction) -> Fraction:
    if rate < SMALLEST_RATE:
        what, least = "Epsilon per lattice step must be at least 2^-40", f"{float(rate):.3g}"
        raise InputError(what, value=least, remedy="Choose a longer step")
    return rate


def _each(given: Any, n: int) -> Floats:
    each = positives(given, "epsilon_per_m")
    if each.shape != (n,):
        raise refused("epsilon_per_m", f"one number or {n:,} numbers", each)
    return each


def snapped(points_m: Floats, step: Fraction) -> Integers:
    """(n, 2) the lattice point nearest to each point, in whole steps; exact, with halves rounded up."""
    if float(np.abs(points_m).max()) / float(step) > FARTHEST_STEPS:
        what = "The points must be at most 2^53 lattice steps from the origin"
        raise InputError(what, remedy="Choose a longer step, or a frame closer to them")
    top, below = step.denominator, step.numerator
    found = []
    for value in points_m.ravel().tolist():
        over, under = value.as_integer_ratio()
        found.append((2 * over * top + under * below) // (2 * under * below))
    return np.array(found, np.int64).reshape(points_m.shape)


def guarantee_of(each: Floats, step_m: float, *, compared: bool = False) -> Guarantee:
    """The guarantee of points reported at these epsilons, (n,) 1/m."""
    total = sum((Fraction(value) for value in each.tolist()), Fraction(0))
    least, most = float(each.min()), float(each.max())
    return Guarantee(len(each), step_m, least, most, _up(total), compared)


def _up(value: Fraction) -> float:
    """The float of a fraction, never below it."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)

"""Private releases of numbers and counts: OpenDP's Laplace mechanisms, whose samplers are exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import number, positive, positives, refused, series, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats

LARGEST: dict[type, float] = {int: 2.0**53, float: 1e100}
"""The most that bounds, sensitivity and noise scale can be; what is published then fits into a machine number."""

TRIES = 60
"""The most steps by which the noise is enlarged until OpenDP certifies the budget: OpenDP rounds conservatively."""


@dataclass(frozen=True, eq=False)
class SecureNumbers:
    """Numbers that may be published.

    Attributes
    ----------
    values : (n,) noisy values; whole numbers for counts.
    epsilon : (n,) what each of them spends, as certified by OpenDP; never above the given budget.
    sensitivity : the most that one timestamp's data can change its number.
    compared : whether comparisons, which also spend budget, decided which timestamps have a number.
    """

    values: NDArray[Any]
    epsilon: Floats
    sensitivity: float
    compared: bool = False

    @property
    def spent(self) -> float:
        """Epsilon of all numbers together."""
        return math.nextafter(math.fsum(self.epsilon), math.inf)

    def words(self) -> list[str]:
        """The guarantee of numbers with noise from OpenDP as sentences."""
        most = float(self.epsilon.max())
        return number_words(self.sensitivity, most, len(self.values), self.spent, compared=self.compared)


def number_words(
    sensitivity: float, most: float, n: int, spent: float, *, compared: bool, noise: str = "Laplace noise from OpenDP"
) -> list[str]:
    """The guarantee of n numbers as sentences; `most` is the largest epsilon of one, `spent` that of all together; `noise`
    says what was added to each."""
    besides = ", in addition to the comparisons that decided when to measure" if compared else ""
    return [
        f"Each number has {noise}: if the true number at its timestamp differed by at most "
        f"{sensitivity:.6g}, the odds would change by a factor of at most e^{most:.6g}.",
        f"{_every(n)} {spent:.6g}{besides}. Another release of the same data adds its own epsilon.",
        "The noise comes from the operating system's entropy. What the correlation between timestamps reveals is not "
        "protected.",
    ]


def _every(n: int) -> str:
    """Who spends the budgets: the subject and verb of a sentence."""
    return {1: "The number spends", 2: "Both numbers together spend"}.get(n, f"All {n:,} numbers together spend")


def release_numbers(values: ArrayLike, epsilon: ArrayLike, *, low: float, high: float) -> SecureNumbers:
    """Numbers with Laplace noise for the sensitivity ``high - low``, to be published.

    Parameters
    ----------
    values : (n,) finite numbers; those beyond the bounds are clipped.
    epsilon : of each number, above 0: one number, or (n,), such as the budgets from `allocate`.
    low, high : public bounds from -1e100 to 1e100, low below high. Bounds taken from the data reveal something about them.

    Returns
    -------
    SecureNumbers.

    Raises
    ------
    InputError : values that are not finite, an epsilon not above 0, invalid bounds; or OpenDP is not installed.

    Notes
    -----
    Guarantee: each released number is epsilon-differentially private with respect to its own true value. OpenDP's sampler
    is exact, and its privacy map certifies the budget; the noise is enlarged if the map gives more than that. Source:
    OpenDP, https://docs.opendp.org, `make_laplace`.

    Examples
    --------
    >>> release_numbers([0.4, 2.5], 1.0, low=0, high=5).values.shape  # doctest: +SKIP
    (2,)
    """
    given = series(values, "values")
    bottom = number(low, "low", -LARGEST[float], LARGEST[float])
    top = number(high, "high", -LARGEST[float], LARGEST[float])
    if not bottom < top:
        raise refused("high", "a finite number above low", high)
    clamped = np.clip(given, bottom, top)
    return _released(clamped, epsilon, width_of(bottom, top), float)


def width_of(low: float, high: float) -> float:
    """How far the bounds are apart, never too small: noise for less would be too little."""
    width = high - low
    return math.nextafter(width, math.inf) if Fraction(width) < Fraction(high) - Fraction(low) else width


def release_counts(counts: ArrayLike, epsilon: ArrayLike, *, sensitivity: int = 1) -> SecureNumbers:
    """Whole numbers with discrete Laplace noise, to be published; guarantee and errors as for `release_numbers`.

    Parameters
    ----------
    counts : (n,) whole numbers. epsilon : of each, above 0: one number, or (n,).
    sensitivity : the most that one person can change a count, from 1 to 2^53: 1 if a person is added or removed.
    """
    given = series(counts, "counts")
    if (given != np.round(given)).any() or float(np.abs(given).max()) > 2**53:
        raise refused("counts", "whole numbers of at most 2^53", given)
    return _released(given.astype(np.int64), epsilon, whole(sensitivity, "sensitivity", most=2**53), int)


def _released(values: NDArray[Any], epsilon: ArrayLike, sensitivity: float, kind: type) -> SecureNumbers:
    given = np.asarray(epsilon)
    each = np.full(len(values), positive(epsilon, "epsilon")) if given.ndim == 0 else positives(epsilon, "epsilon")
    if each.shape != values.shape:
        raise refused("epsilon", f"one number or {len(values):,} numbers", each)
    made, spent = np.empty(len(values), values.dtype), np.empty(len(values))
    for budget in np.unique(each).tolist():
        of = np.flatnonzero(each == budget)
        if sensitivity / budget > LARGEST[kind]:
            remedy = "Use narrower bounds or a larger epsilon"
            raise refused("the scale of the noise", f"at most {LARGEST[kind]:.3g}", "a larger one", remedy=remedy)
        draw, certified = _mechanism(budget, sensitivity, kind)
        made[of], spent[of] = _drawn(draw, values[of].tolist()), certified
    return SecureNumbers(made, spent, float(sensitivity))


def _drawn(draw: Callable[[list[Any]], list[Any]], values: list[Any]) -> list[Any]:
    """Values with noise; as OpenDP's errors would repeat true values, none of their text is passed on."""
    try:
        return draw(values)
    except Exception:
        pass
    remedy = "Look for one that is far too large"
    raise InputError("The values must be numbers to which OpenDP can add noise", remedy=remedy)


def _mechanism(budget: float, sensitivity: float, kind: type) -> tuple[Callable[[list[Any]], list[Any]], float]:
    """A function that adds noise to a list of numbers, and the epsilon that it spends on each: at most the budget."""
    dp = library("opendp.prelude", "A release of numbers or counts")
    dp.enable_features("contrib")
    return _made(dp, budget, sensitivity, kind)


@cached("settings", entries=64)
def _made(dp: Any, budget: float, sensitivity: float, kind: type) -> tuple[Callable[[list[Any]], list[Any]], float]:
    """`_mechanism` with the library loaded; a scheme that decides as it goes needs the same one over and over."""
    atom = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T="i64")  # int is 32 bits in OpenDP
    distance = dp.l1_distance(T=float if kind is float else "i64")
    scale = sensitivity / budget
    for _ in range(TRIES):
        made = dp.m.make_laplace(dp.vector_domain(atom), distance, scale=scale)
        certified = float(made.map(kind(sensitivity)))
        if certified <= budget:
            return made, certified
        scale = math.nextafter(scale, math.inf)
    raise InputError("The budget must be one that OpenDP certifies", value=budget, remedy="Use a rounder number")

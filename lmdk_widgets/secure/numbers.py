"""Numbers and counts that are meant to be published: the Laplace mechanisms of OpenDP, whose samplers are exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import number, positive, positives, refused, series, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats

LARGEST: dict[type, float] = {int: 2.0**53, float: 1e100}
"""Bounds, sensitivity and scale of the noise are at most this; what is published then fits into a number of the machine."""

TRIES = 60
"""Steps by which the noise is enlarged at most, until OpenDP certifies the budget: it rounds against the publisher."""


@dataclass(frozen=True, eq=False)
class SecureNumbers:
    """Numbers that may be published.

    Attributes
    ----------
    values : (n,) with noise; whole numbers for counts.
    epsilon : (n,) what each of them spends, as OpenDP certifies it; never above what was asked for.
    sensitivity : the most that the data of one timestamp change its number.
    compared : whether it was decided by comparisons which timestamps have a number: they spend besides.
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
        """The guarantee as sentences."""
        besides = ", besides the comparisons that decided when they were made" if self.compared else ""
        return [
            f"Each number has Laplace noise by OpenDP: another number at its timestamp, which differs by at most "
            f"{self.sensitivity:.6g}, changes the odds by a factor of at most e^{float(self.epsilon.max()):.6g}.",
            f"{_every(len(self.values))} {self.spent:.6g}{besides}. Another release of the same data adds its own.",
            "The noise comes from the operating system's entropy. What follows from how numbers hang together in time is not "
            "protected.",
        ]


def _every(n: int) -> str:
    """What spends the budgets: the subject and its verb."""
    return {1: "The number spends", 2: "Both numbers together spend"}.get(n, f"All {n:,} numbers together spend")


def release_numbers(values: ArrayLike, epsilon: ArrayLike, *, low: float, high: float) -> SecureNumbers:
    """Numbers with Laplace noise of sensitivity ``high - low``, to be published.

    Parameters
    ----------
    values : (n,) finite numbers; those beyond the bounds are moved to them.
    epsilon : of each number, above 0: one number, or (n,), such as the budgets of `allocate`.
    low, high : public bounds from -1e100 to 1e100, low below high. Bounds that are taken from the data tell of them.

    Returns
    -------
    SecureNumbers.

    Raises
    ------
    InputError : values that are not finite, an epsilon not above 0, bounds that are none; or OpenDP is not installed.

    Notes
    -----
    Guarantee: each number is epsilon-differentially private with respect to itself. OpenDP's sampler does not compute with
    rounding, and certifies the budget by its privacy map; the noise is enlarged where that says more than was asked for.
    Source: OpenDP, https://docs.opendp.org, `make_laplace`.

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
    width = top - bottom
    if Fraction(width) < Fraction(top) - Fraction(bottom):  # rounded down: noise for it would be too small
        width = math.nextafter(width, math.inf)
    return _released(clamped, epsilon, width, float)


def release_counts(counts: ArrayLike, epsilon: ArrayLike, *, sensitivity: int = 1) -> SecureNumbers:
    """Whole numbers with discrete Laplace noise, to be published; parameters, guarantee and errors as `release_numbers`.

    Parameters
    ----------
    counts : (n,) whole numbers. epsilon : of each, above 0: one number, or (n,).
    sensitivity : the most that one person changes a count, from 1 to 2^53: 1 where a person is added or removed.
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
            remedy = "Take narrower bounds or a larger epsilon"
            raise refused("the scale of the noise", f"at most {LARGEST[kind]:.3g}", "a larger one", remedy=remedy)
        draw, certified = _mechanism(budget, sensitivity, kind)
        made[of], spent[of] = _drawn(draw, values[of].tolist()), certified
    return SecureNumbers(made, spent, float(sensitivity))


def _drawn(draw: Callable[[list[Any]], list[Any]], values: list[Any]) -> list[Any]:
    """Values with noise; an error of OpenDP would repeat true values, so none of its words is passed on."""
    try:
        return draw(values)
    except Exception:
        pass
    remedy = "Look for one that is far too large"
    raise InputError("The values must be numbers to which OpenDP adds noise", remedy=remedy)


def _mechanism(budget: float, sensitivity: float, kind: type) -> tuple[Callable[[list[Any]], list[Any]], float]:
    """Noise for a list of numbers, and the epsilon that it spends on each: at most the budget."""
    dp = library("opendp.prelude", "A release of numbers or counts")
    dp.enable_features("contrib")
    return _made(dp, budget, sensitivity, kind)


@lru_cache(maxsize=64)
def _made(dp: Any, budget: float, sensitivity: float, kind: type) -> tuple[Callable[[list[Any]], list[Any]], float]:
    """`_mechanism` by a library that is there; a scheme that decides as it goes asks for the same one over and over."""
    atom = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T="i64")  # int is 32 bits in OpenDP
    distance = dp.l1_distance(T=float if kind is float else "i64")
    scale = sensitivity / budget
    for _ in range(TRIES):
        made = dp.m.make_laplace(dp.vector_domain(atom), distance, scale=scale)
        certified = float(made.map(kind(sensitivity)))
        if certified <= budget:
            return made, certified
        scale = math.nextafter(scale, math.inf)
    raise InputError("The budget must be one that OpenDP certifies", value=budget, remedy="Take a rounder one")

"""What several differentially private releases guarantee together.

Sequential: for the same data, the epsilons add up. Parallel: for disjoint data, the largest counts. Discounted: a sum
in which old releases count less, which is a measure of concern, not a guarantee. Group: one release, and several
people's records. Anything computed from releases alone costs nothing more (post-processing).

All of this holds for mechanisms with independent noise, and for data in which one person's record says nothing about
another's. If records or timestamps are correlated, neither the sum over time nor the maximum over people bounds what is
learned (`lmdk_widgets.leakage`, `lmdk_widgets.pufferfish`). Two data sets are neighbours if one record is added or
removed; if a record is replaced instead, each epsilon must have been computed for that.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import either, fraction, not_negative, positive, refused, series, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

__all__ = ["discounted", "group", "parallel", "sequential"]

WEIGHTS = ("exponential", "hyperbolic")


def sequential(epsilons: ArrayLike) -> float:
    """``sum epsilon_i``: what releases from the same data guarantee together.

    Parameters
    ----------
    epsilons : (n,) the epsilon of each release, 0 or more, n at least 1.

    Returns
    -------
    The sum, 0 or more.

    Raises
    ------
    InputError : no releases, an epsilon that is negative, infinite or not a number.

    Notes
    -----
    Guarantee: pure differential privacy with the sum. Paper: McSherry, "Privacy integrated queries", SIGMOD 2009.

    Examples
    --------
    >>> sequential([0.1] * 10)
    1.0
    """
    return fsum(_epsilons(epsilons))


def parallel(epsilons: ArrayLike) -> float:
    """``max epsilon_i``: what releases from disjoint sets of people guarantee together.

    Parameters and errors as for `sequential`.

    Returns
    -------
    The largest epsilon, 0 or more.

    Notes
    -----
    The parts must be disjoint: a person's record is in at most one part, chosen without looking at other records. If
    neighbours replace a record, which can move it from one part to another, two parts change and the two largest
    epsilons add up. Paper: McSherry, SIGMOD 2009, for adding or removing a record.

    Examples
    --------
    >>> parallel([0.1, 0.5, 0.2])
    0.5
    """
    return float(_epsilons(epsilons).max())


def discounted(
    epsilons: ArrayLike,
    *,
    weight: str | Callable[[Floats], ArrayLike] | ArrayLike = "exponential",
    gamma: float | None = None,
    k: float | None = None,
) -> float:
    """``sum g(age_i) epsilon_i``: a sum in which old releases count less. The newest is last and has age 0.

    Parameters
    ----------
    epsilons : (n,) the epsilon of each release, 0 or more, the newest last.
    weight : "exponential": ``gamma ** age``. "hyperbolic": ``1 / (1 + k age)``. Or g itself: a function of the ages, an
        array (n,) of whole numbers as floats; or at least n weights by age, the newest first; each weight 0 or more.
    gamma : for "exponential", in [0, 1]; 1 gives the plain sum, 0 counts only the newest release.
    k : for "hyperbolic", 0 or more; 0 gives the plain sum.

    Returns
    -------
    The discounted sum. This is not a differential privacy guarantee for the whole stream, whose epsilon is
    `sequential`.

    Raises
    ------
    InputError : as for `sequential`; gamma or k missing, out of range or not needed; weights that are negative, too few
        or not numbers.

    Notes
    -----
    The weight depends on age: weighting by the order of the releases instead would count the oldest most.
    Paper: Farokhi, "Temporally discounted differential privacy for evolving datasets on an infinite horizon", ICCPS
    2020.

    Examples
    --------
    >>> round(discounted([0.1] * 10, gamma=0.9), 10), round(discounted([0.1] * 10, weight="hyperbolic", k=1), 10)
    (0.6513215599, 0.2928968254)
    >>> round(discounted([0.25, 0.5], weight=[1, 0.5]), 10)  # 1 x 0.5 + 0.5 x 0.25
    0.625
    """
    budgets = _epsilons(epsilons)
    age = np.arange(len(budgets) - 1, -1, -1.0)
    return fsum(_weights(weight, gamma, k, age) * budgets)


def group(epsilon: float, size: int) -> float:
    """``size epsilon``: what an epsilon-differentially private release guarantees to `size` people together.

    Parameters
    ----------
    epsilon : the epsilon of the release for one record, 0 or more.
    size : how many records may differ at once, 1 or more; also how many records one person has, if a person has
        several.

    Returns
    -------
    The epsilon of the group, 0 or more.

    Raises
    ------
    InputError : an epsilon below 0 or not finite, a size that is not a whole number or below 1.

    Notes
    -----
    Paper: Dwork, Roth, "The algorithmic foundations of differential privacy", 2014, theorem 2.2.

    Examples
    --------
    >>> group(0.5, 3)
    1.5
    """
    return positive(epsilon, "epsilon", zero=True) * whole(size, "size")


def _weights(weight: Any, gamma: float | None, k: float | None, age: Floats) -> Floats:
    """g(age), one for each age."""
    named = isinstance(weight, str)
    if named and weight not in WEIGHTS:
        raise refused("weight", f"{either(WEIGHTS)}, a function of age or weights by age", weight)
    for name, given, fits in (("gamma", gamma, "exponential"), ("k", k, "hyperbolic")):
        if given is not None and not (named and weight == fits):
            raise refused(name, f'None, as only weight="{fits}" has one', given)
    if named and weight == "exponential":
        return np.power(fraction(gamma, 'gamma of weight="exponential"'), age)
    if named:
        return 1 / (1 + positive(k, 'k of weight="hyperbolic"', zero=True) * age)
    if not callable(weight):
        by_age = not_negative(series(weight, "weight"), "weight")
        if len(by_age) < len(age):
            raise InputError(f"weight must contain a number for each age, {len(age):,} or more", value=len(by_age))
        return by_age[age.astype(int)]
    found = not_negative(series(weight(age), "weight"), "weight")
    if found.shape != age.shape:
        raise refused("weight", f"a function that returns one number for each age, shape {age.shape}", str(found.shape))
    return found


def _epsilons(epsilons: ArrayLike) -> Floats:
    return not_negative(series(epsilons, "epsilons"), "epsilons")

"""Budgets in whole quanta, so that their sums are exact and never exceed epsilon, not even by a rounding error.

A quantum is the unit in the last place of epsilon, about 1e-16 of it. Every budget in this package is a whole number of
quanta, rounded down. Sums of such budgets up to epsilon are exact in floating point, in any order, so
``landmark_totals(budgets, landmarks) <= epsilon`` holds without a tolerance. The cost is at most one quantum per
division: Uniform with k shares falls short of epsilon / k by at most k * 2.3e-16 of it.
"""

from __future__ import annotations

import math


def quantum(epsilon: float) -> float:
    """The unit in which budgets of this epsilon are counted, a power of two."""
    return math.ulp(epsilon)


def quanta(epsilon: float) -> int:
    """Epsilon as a number of quanta: at least 2^52 and below 2^53, so exact as an int and as a float."""
    return int(epsilon / math.ulp(epsilon))


def share(epsilon: float, parts: int) -> float:
    """``epsilon / parts`` rounded down to whole quanta: `parts` of them add up to at most epsilon.

    Examples
    --------
    >>> share(1.0, 5) * 5 <= 1.0 and abs(share(1.0, 5) - 0.2) < 1e-15
    True
    """
    return quanta(epsilon) // parts * quantum(epsilon)

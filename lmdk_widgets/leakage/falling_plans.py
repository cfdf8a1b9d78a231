"""Plans whose budgets fall from both ends towards the middle: a good starting point, and the result for long series.

If a single timestamp m loses all of alpha and every other one less, the mean of 1 / eps_t is smallest where moving budget
between neighbours changes nothing. The share L_B'(BPL_{t-1}) of a change at t - 1 is felt at t, so before m

    1 / eps_{t-1}^2 = L_B'(BPL_{t-1}) / eps_t^2        eps_t = eps_{t-1} sqrt(L_B'(BPL_{t-1}))

and after m the same from the last timestamp backwards, with L_F. The slope of L is at most 1, so the budgets fall. In a long
series they fall to Cao's constant budget, which keeps a loss of alpha for any length: falling budgets at both ends,
and the constant in between. Only the budget at each end is still free; bisection finds the largest that keeps alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.recursion import Carriers, run

CLOSE = 1e-5
"""Relative tolerance of the search for the budget at an end: a factor on all budgets makes up the rest."""

Keeps = Callable[[Floats], bool]
"""Whether budgets lose at most alpha at every timestamp."""


def falling_plans(
    before: Carriers, after: Carriers, alpha: float, n: int, cao: Floats | None, keeps: Keeps
) -> Iterator[Floats]:
    """Plans for n timestamps, each (n,), that fall from both ends: to nothing, and to Cao's constant if there is one.

    Parameters
    ----------
    before, after : what carries the loss, as returned by `carriers`. alpha : the loss to keep, above 0.
    cao : (n,) Cao's plan, None if there is none. keeps : whether a plan loses at most alpha.
    """
    levels, weights = [0.0], [1.0]
    if cao is not None and n > 2 and not isinstance(before, list) and not isinstance(after, list):
        constant = float(cao[1])
        if constant > 0:
            levels.append(constant)
            first = _end(before, n, constant, float(cao[0]))
            last = first if after is before else _end(after, n, constant, float(cao[-1]))
            weights += [last / first] if last != first else []
    for level in levels:
        for weight in weights:
            yield _meeting(before, after, alpha, n, level, weight, keeps)


def _meeting(
    before: Carriers, after: Carriers, alpha: float, n: int, level: float, weight: float, keeps: Keeps
) -> Floats:
    """Both sides, as large as alpha allows; the last timestamp's budget is `weight` times the first one's."""

    def plan(first: float) -> Floats:
        left = _fall(before, first, n, level)
        if after is before and weight == 1:
            return np.maximum(left, left[::-1])
        right = _fall(after[::-1] if isinstance(after, list) else after, first * weight, n, level)
        return np.maximum(left, right[::-1])

    least = max(level, alpha / n) / max(1.0, weight)
    return plan(_most(lambda first: keeps(plan(first)), least, alpha))


def _end(carried: Carriers, n: int, level: float, held: float) -> float:
    """The largest budget at an end from which one side falls to the level, and whose loss never exceeds `held`."""
    return _most(lambda first: bool(run(_fall(carried, first, n, level), carried).max() <= held), level, held)


def _most(safe: Callable[[float], bool], low: float, high: float) -> float:
    """The largest safe number between `low`, which is safe, and `high`."""
    while high - low > CLOSE * low:
        middle = (low + high) / 2
        low, high = (middle, high) if safe(middle) else (low, middle)
    return low


def _fall(carried: Carriers, first: float, n: int, level: float) -> Floats:
    """(n,) budgets from `first` on, each the previous one times the square root of the slope, down to the level."""
    sides = carried if isinstance(carried, list) else [carried] * (n - 1)
    budgets = np.full(n, level)
    budgets[0] = budget = loss = first
    for t, side in enumerate(sides, start=1):
        budget *= sqrt(side.slope(loss))
        if budget <= level:
            break
        budgets[t], loss = budget, side(loss) + budget
    return budgets

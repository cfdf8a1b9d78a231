"""The plan with the least mean error: budgets for a finite series whose total loss never exceeds alpha.

    minimise sum_t 1 / eps_t    such that    TPL_t <= alpha for every t

The error of planar Laplace, and of Laplace on a series, is proportional to 1 / eps_t. The problem is not convex. The search
starts with Cao's plan, equal budgets, and budgets that fall from both ends (`falling`), each multiplied by the largest factor
that keeps alpha. The best of them is improved by sequential linear programming (`plan_steps`): each step is scaled until it
keeps alpha, recomputed by the recursion, and accepted only if its mean error is smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.falling_plans import falling_plans
from lmdk_widgets.leakage.plan import largest_factor, plan_budgets
from lmdk_widgets.leakage.plan_steps import stepped
from lmdk_widgets.leakage.recursion import Carriers, carriers, run
from lmdk_widgets.leakage.temporal import run_back

WHOLE = 400
"""The longest series that is improved as a whole by linear programmes; a longer one gets falling budgets at both ends."""

SEVERAL = 50
"""The longest series, for a chain that changes over time, for which every starting plan is improved and not only the best
one: there, they can lead to different plans."""

HOPELESS = 100.0
"""A starting plan is not improved if its mean of 1 / eps is this many times that of the best one."""

RADIUS = 0.25
"""How far the first step may go, in the units of `plan_steps`."""

SMALLEST_RADIUS = 1e-5
"""The radius below which nothing more is gained."""

ENOUGH = 1e-5
"""The share of the mean error that a step must promise to save; the search stops at less."""

MOST_STEPS = 60


@dataclass(frozen=True, eq=False)
class Plan:
    """Budgets that keep to a total loss.

    Attributes
    ----------
    budgets : (n,) epsilon of every timestamp.
    largest_total : a timestamp's largest total loss under these budgets, computed by `temporal_loss`: at most alpha.
    """

    budgets: Floats
    largest_total: float

    @property
    def mean_inverse(self) -> float:
        """The mean of 1 / eps_t, to which the mean error is proportional; infinite if a budget is 0."""
        return _mean_inverse(self.budgets)


def best_plan(
    p_backward: Any, p_forward: Any, alpha: float, n: int, *, initial_budgets: ArrayLike | None = None
) -> Plan:
    """The budgets with the smallest mean of 1 / eps_t found, under which no timestamp loses more than alpha in total.

    Parameters
    ----------
    p_backward, p_forward : None (no propagation), a matrix (m, m), its `LossFunction`, `AnyStart` for the past, or a
        sequence of n - 1 of them.
    alpha : the total loss to keep, unitless, 0 or more, finite.
    n : number of timestamps, 1 or more.
    initial_budgets : (n,) above 0: another starting plan, scaled until it keeps alpha.

    Returns
    -------
    Plan
        `.budgets` (n,) epsilon, `.largest_total` at most alpha, and `.mean_inverse`.

    Raises
    ------
    InputError : alpha, n or budgets out of range, an invalid matrix; or HiGHS is needed but not installed (the message
        contains the command that installs it).

    Notes
    -----
    Guarantee: each TPL_t of the budgets was computed by the recursion of `temporal_loss` and is at most alpha. Except for
    rounding, the mean of 1 / eps_t is never above that of Cao's plan (`plan_budgets`) or of user level, alpha / n. It is not
    proven to be the smallest, as the problem is not convex: for 300 random chains of up to 8 timestamps, 1 in 5 of which
    changed over time, sequential quadratic programming from 6 starting points found none that was smaller by 1 in 1,000.

    Series of more than 400 timestamps are not improved by HiGHS: their budgets fall at both ends, with Cao's constant in
    between; if the correlation is so strong that the series is too short for this, the budgets fall to the middle. For
    series of 60 to 300 timestamps under 60 random chains, the result was at most 0.5 % above what HiGHS found.

    The loss is that of Cao, Yoshikawa, Xiao, Xiong, "Quantifying differential privacy under temporal correlations",
    ICDE 2017.

    Examples
    --------
    >>> from lmdk_widgets.leakage.markov import smoothed_identity
    >>> moderate = smoothed_identity(5, 0.1)
    >>> plan = best_plan(moderate, moderate, 1.0, 8)
    >>> plan.budgets[:4].round(3).tolist(), round(plan.mean_inverse, 4), plan.largest_total <= 1
    ([0.322, 0.27, 0.228, 0.193], 4.0899, True)
    >>> round(float((1 / plan_budgets(moderate, moderate, 1.0, 8)).mean()), 4)  # Cao's plan; user level has 8
    4.6253
    """
    *_, best = better_plans(p_backward, p_forward, alpha, n, initial_budgets=initial_budgets)
    return best


def better_plans(
    p_backward: Any, p_forward: Any, alpha: float, n: int, *, initial_budgets: ArrayLike | None = None
) -> Iterator[Plan]:
    """Increasingly better plans: first the better of Cao's plan and user level, last that of `best_plan`; same arguments.

    Raises
    ------
    InputError : as for `best_plan`.
    """
    alpha, n = positive(alpha, "alpha", zero=True), whole(n, "n")
    before, after = carriers(p_backward, p_forward, n)
    search = _Search(before, after, alpha, n)
    given = None if initial_budgets is None else _given(initial_budgets, n)
    return search.plans(given)


def starting_plan(p_backward: Any, p_forward: Any, alpha: float, n: int) -> Plan:
    """The better of Cao's plan and user level, with the same arguments as `best_plan`: it takes almost no time."""
    return next(better_plans(p_backward, p_forward, alpha, n))


def _given(budgets: ArrayLike, n: int) -> Floats:
    found = checked_budgets(budgets, "initial_budgets")
    if len(found) != n or not (found > 0).all():
        raise refused("initial_budgets", f"{n:,} budgets above 0", f"{len(found):,} of {found.min():g} or more")
    return found


def _mean_inverse(budgets: Floats) -> float:
    with np.errstate(divide="ignore", over="ignore"):
        return float((1 / budgets).mean())


class _Search:
    """The search for a plan: what carries the loss, and the loss to keep."""

    def __init__(self, before: Carriers, after: Carriers, alpha: float, n: int) -> None:
        self.before, self.after, self.alpha, self.n = before, after, alpha, n

    def plans(self, given: Floats | None) -> Iterator[Plan]:
        """Increasingly better plans."""
        n, cao = self.n, self._cao()
        user = np.full(n, self.alpha / n)
        # Cao's plan first: if the two tie, it wins
        best = min((b if self.keeps(b) else self.scaled(b) for b in (cao, user) if b is not None), key=_mean_inverse)
        yield self.plan(best)
        if n == 1 or self.alpha == 0 or self._unlinked():
            return
        falling = falling_plans(self.before, self.after, self.alpha, n, cao, self.keeps)
        begun = [self.scaled(b) for b in (*falling, user, cao, given) if b is not None and b.all()]
        best = min(best, *begun, key=_mean_inverse)
        yield self.plan(best)
        if n > WHOLE:
            return
        changing = isinstance(self.before, list) or isinstance(self.after, list)
        hopeful = [b for b in begun if _mean_inverse(b) < HOPELESS * _mean_inverse(best)]
        for beginning in [best, *(hopeful if changing and n <= SEVERAL else [])]:
            for better in self._improved(beginning):
                if _mean_inverse(better) < _mean_inverse(best):
                    best = better
                    yield self.plan(best)

    def _cao(self) -> Floats | None:
        try:
            return np.asarray(plan_budgets(self.before, self.after, self.alpha, self.n))
        except InputError:  # a chain that changes so much over time that there is no such plan
            return None

    def _unlinked(self) -> bool:
        """Whether nothing is carried: each timestamp can have all of alpha."""
        return all(not isinstance(side, list) and side.is_zero for side in (self.before, self.after))

    def _improved(self, best: Floats) -> Iterator[Floats]:
        """Improve a plan by steps of linear programming, from wide to narrow ones."""
        radius, least = RADIUS, _mean_inverse(best)
        for _ in range(MOST_STEPS):
            losses = run(best, self.before), run_back(best, self.after)
            found = stepped(self.before, self.after, self.alpha, best, losses, radius)
            promised = 0.0
            if found is not None:
                budgets, promised = found
                if promised < ENOUGH:
                    return
                budgets = self.scaled(budgets)
                mean = _mean_inverse(budgets)
                saved = 1 - mean / least
            if found is None or saved <= 0:
                radius /= 4
            else:
                best, least = budgets, mean
                radius = min(2 * radius, 1.0) if saved > promised / 4 else radius / 2
                yield best
            if radius < SMALLEST_RADIUS:
                return

    def totals(self, budgets: Floats) -> Floats:
        """(n,) TPL_t, as `temporal_loss` computes it."""
        return run(budgets, self.before) + run_back(budgets, self.after) - budgets

    def keeps(self, budgets: Floats) -> bool:
        """Whether no timestamp loses more than alpha."""
        return bool(self.totals(budgets).max() <= self.alpha)

    def scaled(self, budgets: Floats) -> Floats:
        """The budgets times the largest factor that keeps alpha."""
        largest = float(budgets.max())
        if largest == 0:
            return budgets
        return budgets * largest_factor(lambda factor: self.keeps(factor * budgets), self.alpha / largest)

    def plan(self, budgets: Floats) -> Plan:
        """The budgets with their largest loss."""
        return Plan(budgets, float(self.totals(budgets).max()))

"""Budgets by hand: which they are, and how they are made to fit epsilon."""

from __future__ import annotations

from lmdk_widgets.budgets import allocate, landmark_totals, largest_factor
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import bound, outward
from lmdk_widgets.page.index_runs import expanded, runs_of
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

ROUNDING = 1e-9
"""Share by which a sum may exceed epsilon: ten budgets of 0.1 make 1 for the person who types them, but not in
binary."""


def given_budgets(scenario: Scenario, n: int) -> Floats:
    """(n,) the budgets by hand of a scenario; those of Uniform until one is set.

    Raises
    ------
    InputError : budgets for a different number of timestamps.

    Examples
    --------
    >>> given_budgets(Scenario(scheme="given", budgets=[[0.5, 2], [0.125, 1]]), 3).tolist()
    [0.5, 0.5, 0.125]
    """
    if not scenario.budgets:
        return allocate("uniform", n, protected(scenario, n), scenario.epsilon)
    given = expanded(scenario.budgets)
    if len(given) != n:
        remedy = "Choose another scheme, and then By hand again"
        raise InputError(f"There must be one budget for each timestamp, {n:,}", value=f"{len(given):,}", remedy=remedy)
    return given


def settled(scenario: Scenario, n: int) -> Scenario:
    """The scenario with as many budgets as timestamps under "given", Uniform's where the number differs; otherwise
    without any."""
    if not scenario.spread.by_hand:
        return scenario.with_changes(budgets=()) if scenario.budgets else scenario
    if sum(length for _, length in scenario.budgets) == n:
        return scenario
    return scenario.with_changes(budgets=runs_of(given_budgets(scenario.with_changes(budgets=()), n)))


def factor_of(outcome: Outcome) -> float:
    """The largest factor with which the budgets of an outcome fit; 1 where they do except for rounding."""
    scenario = outcome.scenario
    factor = largest_factor(outcome.budgets, outcome.protected, scenario.epsilon)
    return 1.0 if abs(factor - 1) <= ROUNDING else factor


def times(factor: float) -> Written:
    """A factor with which budgets fit, in four digits and never rounded up.

    Examples
    --------
    >>> times(5 / 6), times(2.0), times(123456.7)
    ('0.8333', '2', '123,400')
    """
    if not 1e-4 <= factor < 1e4:
        return bound(factor, up=False)
    return Written(f"{outward(factor, up=False):.4g}", factor, -1)


def check_fit(scenario: Scenario, n: int) -> None:
    """Refuses budgets by hand that exceed epsilon by the Theorem, with the largest factor that fits.

    Raises
    ------
    InputError : a sum over the landmarks and some timestamp above epsilon, by more than a billionth of it.

    Examples
    --------
    >>> bob = Scenario(scheme="given", landmarks=(0, 2), budgets=[0.25, 0.2, 0.25, 0.2], epsilon=0.5)
    >>> check_fit(bob, 4)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: The budgets ... must add up to at most 0.5; got 0.7. Times 0.7142 they fit.
    """
    if not scenario.spread.by_hand:
        return
    budgets = given_budgets(scenario, n)
    kept = protected(scenario, n)
    factor = largest_factor(budgets, kept, scenario.epsilon)
    if factor * (1 + ROUNDING) < 1:
        what = "The budgets of the landmarks and one other timestamp must add up to at most"
        most = float(landmark_totals(budgets, kept).max())
        remedy = sentence("Times {fitting_factor} they fit", fitting_factor=times(factor))
        raise InputError(f"{what} {scenario.epsilon:.6g}", value=f"{most:.6g}", remedy=remedy)

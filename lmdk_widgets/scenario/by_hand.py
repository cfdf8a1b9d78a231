"""Budgets by hand: where they begin, how they are changed, and how they are brought to fit epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.budgets import SCHEMES as SPREADS
from lmdk_widgets.budgets import allocate, landmark_totals, largest_factor, scaled_to_fit
from lmdk_widgets.checks import one_of, real, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import bound, outward
from lmdk_widgets.page.fields import Number
from lmdk_widgets.page.runs import expanded, runs_of
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.scenario.outcome import Outcome

OPERATIONS = ("budget", "fit", "scale")
"""What the page asks for that changes budgets by hand."""

ROUNDING = 1e-9
"""Share by which a sum may pass epsilon: ten budgets of 0.1 make 1 for whoever types them, and not in binary digits."""


def given_budgets(scenario: Scenario, n: int) -> Floats:
    """(n,) the budgets by hand of a scenario; those of Uniform until one is set.

    Raises
    ------
    InputError : budgets of another number of timestamps.

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
        raise InputError(
            f"The budgets must be as many as the timestamps, {n:,}", value=f"{len(given):,}", remedy=remedy
        )
    return given


def settled(scenario: Scenario, n: int) -> Scenario:
    """The scenario with as many budgets as timestamps under "given", Uniform's where there are others; else without any."""
    if not scenario.spread.by_hand:
        return scenario.with_changes(budgets=()) if scenario.budgets else scenario
    if sum(length for _, length in scenario.budgets) == n:
        return scenario
    return scenario.with_changes(budgets=runs_of(given_budgets(scenario.with_changes(budgets=()), n)))


def begun(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """By hand, with the budgets that the scenario's scheme gives; of one that depends on releases, with Uniform's.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> begun(Scenario(scheme="skip", landmarks=(0, 2, 4, 7)), sample("bob")).budgets
    ((0.0, 1), (1.0, 1), (0.0, 1), (1.0, 1), (0.0, 1), (1.0, 2), (0.0, 1))
    """
    from lmdk_widgets.scenario.evaluation import evaluate_one_draw

    if scenario.spread.online:
        n = len(trajectory)
        budgets = allocate("uniform", n, protected(scenario, n), scenario.epsilon)
    else:
        budgets = evaluate_one_draw(scenario.with_changes(mechanism="planar", pinned=""), trajectory).budgets
    return scenario.with_changes(scheme="given", budgets=runs_of(budgets))


def with_scheme(scenario: Scenario, trajectory: Trajectory, scheme: Any) -> Scenario:
    """Another scheme; budgets by hand begin with those of the scheme before, and end with their scheme."""
    if scheme in SPREADS and SPREADS[scheme].by_hand:
        return begun(scenario, trajectory)
    return scenario.with_changes(scheme=scheme, budgets=())


def changed(scenario: Scenario, n: int, operation: Mapping[str, Any]) -> Scenario:
    """A scenario after an operation of the page on its budgets.

    "budget" sets that of the timestamp "index", or of all "of" the "landmarks" or the "others", to a "value"; "scale"
    multiplies all by a "factor"; "fit" by the largest one with which the sums stay within epsilon.

    Examples
    --------
    >>> bob = Scenario(scheme="given", landmarks=(0, 2, 4, 7))
    >>> bob = changed(bob, 8, {"op": "budget", "of": "landmarks", "value": 0.125})
    >>> changed(bob, 8, {"op": "budget", "of": "others", "value": 0.5}).budgets[:3]
    ((0.125, 1), (0.5, 1), (0.125, 1))
    """
    now = given_budgets(scenario, n)
    if operation["op"] == "fit":
        now = scaled_to_fit(now, protected(scenario, n), scenario.epsilon)
    elif operation["op"] == "scale":
        now = _scaled(now, operation["factor"])
    else:
        now = now.copy()
        now[_meant(scenario, n, operation)] = Scenario.kinds()["budgets"].one(operation["value"])  # type: ignore[attr-defined]
    return scenario.with_changes(scheme="given", budgets=runs_of(now))


def _scaled(budgets: Floats, factor: Any) -> Floats:
    by = real(factor)
    if not 0 < by < np.inf:
        raise refused("The factor of the budgets", "a finite number above 0", factor)
    return budgets * by


def _meant(scenario: Scenario, n: int, operation: Mapping[str, Any]) -> Any:
    """The timestamps whose budget an operation sets."""
    if "of" not in operation:
        return Number(label="The timestamp", low=0, high=n - 1, whole=True, origin=1).check(operation["index"])
    landmarks = np.isin(np.arange(n), protected(scenario, n))
    who = one_of(operation["of"], "the timestamps", ("landmarks", "others"))
    return landmarks if who == "landmarks" else ~landmarks


def factor_of(outcome: Outcome) -> float:
    """The largest factor with which the budgets of an outcome fit; 1 where they do but for rounding."""
    scenario = outcome.scenario
    factor = largest_factor(outcome.budgets, outcome.protected, scenario.epsilon)
    return 1.0 if abs(factor - 1) <= ROUNDING else factor


def times(factor: float) -> str:
    """A factor with which budgets fit, in four digits and never above it.

    Examples
    --------
    >>> times(5 / 6), times(2.0), times(123456.7)
    ('0.8333', '2', '123,400')
    """
    return f"{outward(factor, up=False):.4g}" if 1e-4 <= factor < 1e4 else bound(factor, up=False)


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
        remedy = f"Times {times(factor)} they fit"
        raise InputError(f"{what} {scenario.epsilon:.6g}", value=f"{most:.6g}", remedy=remedy)

"""The plans that scenarios need: searched for once and kept, with a replacement until one is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.cache import RecentResults
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import plan_budgets
from lmdk_widgets.leakage.least_error import better_plans, starting_plan
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.model import Scenario

NOTHING = 1e-9
"""Share of the target below which a planned budget counts as none."""

Key = tuple[Any, Any, float, int]


KEPT: RecentResults[Key, Floats] = RecentResults(
    "scenario.plans", "plans that were searched for", "visitor", entries=256
)
"""Their loss functions are compared by identity and kept with them."""


def planned(scenario: Scenario, known: Correlation, n: int, *, wait: bool = True) -> Floats:
    """(n,) budgets of a scheme that plans.

    Parameters
    ----------
    wait : search for a plan that is not known yet; False: what replaces it until then.

    Raises
    ------
    InputError : the chain forgets so little that Cao's plan has no budgets; HiGHS is needed and not installed.
    """
    if not scenario.spread.searched:
        return _checked(scenario, np.asarray(plan_budgets(known.backward, known.forward, scenario.target, n)))
    found = KEPT.get(_key(scenario, known, n))
    if found is None and not wait:
        return _checked(scenario, starting_plan(*_key(scenario, known, n)).budgets)
    if found is None:
        for _ in search(scenario, known, n):
            pass
        found = KEPT.get(_key(scenario, known, n))
    assert found is not None
    return _checked(scenario, found)


def search(scenario: Scenario, known: Correlation, n: int) -> Iterator[None]:
    """Searches for a plan, step by step, and stores it at the end.

    Raises
    ------
    InputError : HiGHS is needed and not installed.
    """
    key, budgets = _key(scenario, known, n), None
    for plan in better_plans(*key):
        budgets = plan.budgets
        yield
    assert budgets is not None
    budgets.flags.writeable = False
    KEPT.put(key, budgets)


def in_its_place(scenario: Scenario, known: Correlation, n: int) -> str:
    """The title of the scheme whose budgets replace a plan until that is found; "": it has been found."""
    if not scenario.spread.searched or KEPT.get(_key(scenario, known, n)) is not None:
        return ""
    cao = cao_budgets(scenario, known, n)
    with np.errstate(divide="ignore"):
        user = cao is None or n / scenario.target < float((1 / cao).mean())
    return SCHEMES["user" if user else "planned"].title


def lower(title: str) -> str:
    """A title inside a sentence: "user level", but "Cao's plan"."""
    return title if title == SCHEMES["planned"].title else title[:1].lower() + title[1:]


def cao_budgets(scenario: Scenario, known: Correlation, n: int) -> Floats | None:
    """(n,) Cao's plan for the same target; None where it has none."""
    try:
        return np.asarray(plan_budgets(known.backward, known.forward, scenario.target, n))
    except InputError:
        return None


def _key(scenario: Scenario, known: Correlation, n: int) -> Key:
    return known.backward, known.forward, scenario.target, n


def _checked(scenario: Scenario, budgets: Floats) -> Floats:
    if float(budgets.min()) < NOTHING * scenario.target:
        what = f"planned budgets must be at least {NOTHING:g} times the target at every timestamp"
        remedy = "The chain forgets too little: choose a weaker correlation, another adversary or another scheme"
        raise InputError(what, value=f"{budgets.min():.1e}", remedy=remedy)
    return budgets

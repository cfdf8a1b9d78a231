"""What each timestamp spends on its own report: exactly, or in draws where budgets depend on releases."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.budgets import release
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.evaluation import Fresh, how_released
from lmdk_widgets.scenario.ground import ground_of
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

DRAWN = "averaging"
"""The name under which a page stores what was spent in the draws, which take longer than its text may."""

DRAWS = 20
"""Draws behind the budgets that depend on releases."""


def spent_of(outcome: Outcome) -> Floats | None:
    """(k, n) what each timestamp spent on its own report: one row, or `DRAWS` where budgets depend on releases; None while
    a page still draws these."""
    if not outcome.scenario.spread.online:
        return noise_budgets(outcome)[None]
    if DRAWN in outcome.results:
        found: Floats | None = outcome.found(DRAWN)
        return found
    return drawn_budgets(of_budgets(outcome.scenario), outcome.trajectory)


def noise_budgets(outcome: Outcome, drawn: Outcome | Fresh | None = None) -> Floats:
    """(n,) what each timestamp spent on its own report: nothing where it repeats one, and without what it spent on
    comparing with the last one. drawn : another release of the outcome."""
    scenario, made = outcome.scenario, outcome if drawn is None else drawn
    compared = scenario.spread.compared(scenario.epsilon, scenario.window)
    return np.where(made.published, np.maximum(made.budgets - compared, 0.0), 0.0)


def of_budgets(scenario: Scenario) -> Scenario:
    """A scenario with only what its budgets depend on, so that draws are reused."""
    plain: dict[str, Any] = {"correlation": "none", "adversary": "both", "landmark_loss": False, "average": False}
    return scenario.released.with_changes(**plain)


@cached("visitor", entries=4, what="the budgets of many releases of a scheme that decides as it goes")
def drawn_budgets(scenario: Scenario, data: Trajectory) -> Floats:
    """(`DRAWS`, n) the same for so many releases, the first with the scenario's seed."""
    _, how = how_released(scenario, data)
    values, rng, found = ground_of(scenario, data).values, np.random.default_rng(scenario.seed), []
    for _ in range(DRAWS):
        made = release(values, rng=rng, **how)
        found.append(np.where(made.published, np.maximum(made.budgets - made.comparison_budget, 0.0), 0.0))
    return np.array(found)


def draws_asked(outcome: Outcome) -> Hashable | None:
    """What draws of the budgets depend on; None where none are needed."""
    if not outcome.scenario.spread.online or outcome.trajectory.name == RELEASE_NAME or outcome.reports is not None:
        return None
    return of_budgets(outcome.scenario), outcome.trajectory

"""Levels of privacy with a name: an epsilon with a radius, and what they do under the present scheme.

The values are this page's own and no standard: usual is what the page begins with, strict and loose lie around it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets import release
from lmdk_widgets.checks import one_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import Laplace, RandomizedResponse, planar_laplace_radius
from lmdk_widgets.scenario.base.amounts import bound, bound_metres, bound_percent
from lmdk_widgets.scenario.landmarks.curve import MOST_DRAWN, asked
from lmdk_widgets.scenario.landmarks.data_kinds import ground_of
from lmdk_widgets.scenario.landmarks.evaluate import how_released
from lmdk_widgets.scenario.landmarks.model import ONLINE_SCHEMES, Scenario
from lmdk_widgets.scenario.landmarks.outcome import HALF_EARTH_M, Outcome
from lmdk_widgets.scenario.landmarks.settings_model import gone
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series


class Level(NamedTuple):
    """An epsilon, which is the target of a plan, counted at a protection radius, metres."""

    epsilon: float
    radius_m: float


LEVELS = {"strict": Level(0.5, 500.0), "usual": Level(1.0, 200.0), "loose": Level(2.0, 100.0)}


def at_level(scenario: Scenario, name: str, *, placed: bool = True) -> Scenario:
    """The scenario at a level; a series has no places and keeps its radius, which says nothing there.

    Raises
    ------
    InputError : another name.

    Examples
    --------
    >>> at_level(Scenario(), "strict").epsilon, at_level(Scenario(scheme="planned"), "strict").target
    (0.5, 0.5)
    """
    level = LEVELS[one_of(name, "the level", LEVELS)]
    radius = {"radius_m": level.radius_m} if placed else {}
    return gone(scenario, {"scheme": scenario.scheme, "epsilon": level.epsilon, **radius})


def level_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """Each level: its name, what it does in a sentence, and whether the present settings have it."""
    scenario = outcome.scenario
    if outcome.series is not None:
        return _rows_of_series(outcome)
    planned = scenario.scheme == "planned"
    here = scenario.target if planned else scenario.epsilon, scenario.radius_m
    reach = _reach(_plain(scenario), outcome.trajectory)
    rows = []
    for (name, level), (where, within_m) in zip(LEVELS.items(), reach, strict=True):
        text = f"{name.capitalize()}: {'target' if planned else 'epsilon'} {level.epsilon:g} at {level.radius_m:g} m."
        if math.isfinite(within_m):
            by = "" if scenario.mechanism == "planar" else " by planar Laplace"
            text += f" 95 % of releases{by} at a {where} lie within {bound_metres(within_m)} of the truth."
        rows.append({"name": name, "text": text, "on": here == tuple(level)})
    return rows


def _rows_of_series(outcome: Outcome) -> list[dict[str, Any]]:
    """The same of a series: levels of epsilon alone, and what they do in its unit."""
    scenario, series = outcome.scenario, outcome.series
    assert series is not None
    planned = scenario.scheme == "planned"
    here, rows = scenario.target if planned else scenario.epsilon, []
    for (name, level), (where, within) in zip(LEVELS.items(), _reach(_plain(scenario), series), strict=True):
        text = f"{name.capitalize()}: {'target' if planned else 'epsilon'} {level.epsilon:g}."
        if math.isfinite(within) and series.is_answers:
            text += f" A released answer at a {where} is wrong with a chance of at most {bound_percent(within)}."
        elif math.isfinite(within):
            unit = f" {series.unit}".rstrip()
            text += f" 95 % of releases at a {where} lie within {bound(within)}{unit} of the value."
        rows.append({"name": name, "text": text, "on": here == level.epsilon})
    return rows


def _plain(scenario: Scenario) -> Scenario:
    """The scenario without what makes no difference to the levels."""
    return asked(scenario, scenario.scheme).with_changes(radius_m=Scenario.radius_m)


@lru_cache(maxsize=16)
def _reach(scenario: Scenario, trajectory: Trajectory) -> tuple[tuple[str, float], ...]:
    """At each level, where one looks, and within how many metres 95 % of planar Laplace lies there; of numbers in their unit,
    of answers the chance of a wrong one; NaN: unknown."""
    placed = not isinstance(trajectory, Series)
    return tuple(_reach_of(at_level(scenario, name, placed=placed), trajectory) for name in LEVELS)


def _reach_of(scenario: Scenario, trajectory: Trajectory) -> tuple[str, float]:
    if scenario.scheme in ONLINE_SCHEMES and len(trajectory) > MOST_DRAWN:
        return "", math.nan
    try:
        _, how = how_released(scenario, trajectory)
    except InputError:  # a chain that hardly forgets leaves no plan
        return "", math.nan
    ground = ground_of(scenario, trajectory)
    made = release(ground.values, rng=np.random.default_rng(scenario.seed), **how)
    marked = np.isin(np.arange(len(trajectory)), how["landmarks"]) & made.published
    seen = marked if marked.any() else made.published
    if not seen.any():
        return "", math.nan
    least = float((made.budgets - made.comparison_budget)[seen].min())
    where = "landmark" if marked.any() else "measured timestamp"
    if isinstance(ground.mechanism, RandomizedResponse):
        return where, float(ground.mechanism.wrong(least))
    if isinstance(ground.mechanism, Laplace):
        return where, float(ground.mechanism.radius(0.95, 1.0)) / least
    within_m = scenario.radius_m * float(planar_laplace_radius(0.95, 1.0)) / least
    return where, min(within_m, HALF_EARTH_M)

"""A scheme at many epsilons and radii: the rows of the curves and of the table of settings.

Under planar Laplace a grid computes once what is shared: the budgets of a scheme that does not depend on the data
depend on epsilon but not on the radius, and so do the losses of Cao et al.; errors are proportional to radius /
epsilon, so the releases of many settings are drawn from the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from typing import NamedTuple

import numpy as np

from lmdk_widgets.answers.found_places import FoundPlace
from lmdk_widgets.answers.from_track import from_track
from lmdk_widgets.answers.odds import most_told
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import drawn_budgets, of_budgets
from lmdk_widgets.budgets import Release, landmark_totals, release, rescaled_errors
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import found_within
from lmdk_widgets.leakage import landmark_loss, temporal_loss
from lmdk_widgets.noise import PlanarLaplace, planar_laplace_radius
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.evaluation import evaluate, how_released
from lmdk_widgets.scenario.ground import HALF_EARTH_M, ground_errors, ground_of, mean_known, planar_errors_m
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import (
    DRAWS,
    EXPECTED,
    MOST_DRAWN,
    Row,
    averaged,
    expected_error_m,
    refused,
    row_of,
)
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

_UNIT95 = float(planar_laplace_radius(0.95, 1.0))

_VALUES_AT_ONCE = 200_000
"""Settings are computed in blocks of about this many drawn values."""

Pairs = Sequence[tuple[float, float]]


def grid(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """The scenario's scheme at each epsilon and radius, some at a time, with the measures of `EXPECTED`.

    Every number is that of `evaluate`, up to rounding. There is no row, or no further one, where releases must be drawn and
    the track is longer than `MOST_DRAWN`. An impossible setting is a row of NaN with the reason.
    """
    if scenario.mechanism == "planar" and not isinstance(trajectory, Series):
        yield from _planar(scenario, trajectory, pairs)
    elif len(trajectory) <= MOST_DRAWN or not _must_draw(scenario, trajectory):
        yield from _one_by_one(scenario, trajectory, pairs)


def _must_draw(scenario: Scenario, trajectory: Trajectory) -> bool:
    """Whether no formula gives the error."""
    if scenario.spread.online or not scenario.spread.skips:
        return scenario.spread.online
    try:
        return expected_error_m(evaluate(scenario, trajectory)) is None
    except InputError:
        return False


def _setting(scenario: Scenario, epsilon: float, radius_m: float) -> Scenario:
    return scenario.with_changes(epsilon=epsilon, target=epsilon, radius_m=radius_m)


def _one_by_one(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """Releases as cells, whose channels depend on epsilon / radius, or of a series: each is computed separately."""
    known = dict[tuple[float, ...], Row]()
    for pair in pairs:
        key = pair[:1] if scenario.mechanism == "randomised" else pair  # which ignores distance
        if key not in known:
            known[key] = row_of(_setting(scenario, *pair), trajectory, EXPECTED)
        yield [replace(known[key], radius_m=pair[1])]


def _planar(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Iterator[list[Row]]:
    """Under planar Laplace; what was spent is looked up by epsilon where a scheme does not depend on what it
    releases."""
    online, known = scenario.spread.online, dict[tuple[float, ...], _Spent | str]()
    units = dict[float, float]()
    plain = evaluate(scenario.with_changes(scheme="event"), trajectory)
    at_once = max(1, _VALUES_AT_ONCE // (DRAWS * len(trajectory)))
    for first in range(0, len(pairs), at_once):
        block, spent = pairs[first : first + at_once], []
        for pair in block:
            key = pair if online else pair[:1]
            if key not in known:
                known[key] = _spent(_setting(scenario, *pair), trajectory)
            spent.append(known[key])
        drawn = any(isinstance(one, _Spent) and (online or not one.release.published.all()) for one in spent)
        if drawn and len(trajectory) > MOST_DRAWN:
            return
        errors = _rescaled(scenario, trajectory, block) if drawn else np.full((len(block), 3), nan)
        found = [_found_within(scenario, trajectory, *of, units) for of in zip(block, spent, strict=True)]
        told = [_told(plain, scenario, *of) for of in zip(block, spent, strict=True)]
        aside = [(within, *of) for within, of in zip(found, told, strict=True)]
        yield [_planar_row(scenario, *of) for of in zip(block, spent, errors.tolist(), aside, strict=True)]


class _Spent(NamedTuple):
    """A release with the largest total loss, landmark loss and sum of the Theorem."""

    release: Release
    losses: tuple[float, float, float]


def _spent(scenario: Scenario, trajectory: Trajectory) -> _Spent | str:
    """What was spent, or why there is none."""
    try:
        known, how = how_released(scenario, trajectory)
    except InputError as error:  # a chain that hardly forgets allows no plan
        return error.sentence
    made = release(trajectory.points_m, rng=np.random.default_rng(scenario.seed), **how)
    return _Spent(made, _losses(known, made.budgets, how["landmarks"]))


def _losses(known: Correlation, budgets: Floats, landmarks: Iterable[int]) -> tuple[float, float, float]:
    total = temporal_loss(known.backward, known.forward, budgets).total
    together = landmark_loss(known.backward, known.forward, budgets, landmarks)
    return float(total.max()), float(together.max()), float(landmark_totals(budgets, landmarks).max())


def _found_within(
    scenario: Scenario,
    trajectory: Trajectory,
    pair: tuple[float, float],
    spent: _Spent | str,
    units: dict[float, float],
) -> float:
    """`found_within_m` of a setting, metres. Budgets that depend on releases are proportional to epsilon where the
    radius is too, so those of one radius / epsilon are drawn once: `units` stores what they give at an epsilon of 1."""
    epsilon, radius_m = pair
    if isinstance(spent, str) or trajectory.name == RELEASE_NAME:
        return nan
    unit = round(radius_m / epsilon, 9)
    if not scenario.spread.online:
        own = np.where(spent.release.published, spent.release.budgets, 0.0)[None]
    elif unit not in units:
        own = drawn_budgets(of_budgets(_setting(scenario, *pair)), trajectory)
    else:
        return found_within([units[unit] * epsilon], radius_m)
    setting = _setting(scenario, *pair)
    found = FoundPlace(setting, trajectory, ground_of(setting, trajectory), own)
    units[unit] = found.together / epsilon
    return found.within()


def _told(
    plain: Outcome, scenario: Scenario, pair: tuple[float, float], spent: _Spent | str
) -> tuple[float, float, float]:
    """`pair_loss`, `promised_one` and `promised_landmarks` of a setting: from its budgets, and what the plain outcome has in
    common with it."""
    if isinstance(spent, str):
        return nan, nan, nan
    budgets = spent.release.budgets
    totals = landmark_totals(budgets, plain.protected)
    outcome = replace(plain, scenario=_setting(scenario, *pair), budgets=budgets, totals=totals)
    promised = Promised(outcome)
    return most_told(outcome), promised.one, promised.together


def _planar_row(
    scenario: Scenario,
    pair: tuple[float, float],
    spent: _Spent | str,
    drawn_m: list[float],
    aside: tuple[float, ...],
) -> Row:
    if isinstance(spent, str):
        return replace(refused(scenario, EXPECTED, spent), epsilon=pair[0], radius_m=pair[1])
    made, radius_m = spent.release, pair[1]
    budgets = made.budgets[made.published] - made.comparison_budget
    exact = not scenario.spread.online and len(budgets) == len(made.budgets)
    error_m = [float(planar_errors_m(budgets, radius_m).mean())] * 3 if exact else drawn_m
    radius95_m = mean_known(np.minimum(radius_m * _UNIT95 / budgets, HALF_EARTH_M))
    numbers = dict(zip(EXPECTED.names, (*error_m, float(exact), radius95_m, *aside, *spent.losses), strict=True))
    return Row(scenario.scheme, scenario.mechanism, *pair, numbers, from_track=from_track(scenario))


def _rescaled(scenario: Scenario, trajectory: Trajectory, pairs: Pairs) -> Floats:
    """(len(pairs), 3) what `drawn_error` gives at each epsilon and radius, metres."""
    _, how = how_released(scenario.with_changes(epsilon=1.0), trajectory)
    ratios = np.array([radius_m / epsilon for epsilon, radius_m in pairs])
    errors = rescaled_errors(
        trajectory.points_m,
        rng=np.random.default_rng(scenario.seed),
        draws=DRAWS,
        factors=ratios,
        error=partial(ground_errors, trajectory=trajectory),
        **how | {"mechanism": PlanarLaplace(radius_m=1.0)},
    )
    return averaged(errors)

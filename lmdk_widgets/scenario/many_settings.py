"""Many settings at once: what each scheme gives at each epsilon and radius, every number that of `evaluate`.

What is shared is computed once. The budgets of a scheme that looks at no data depend on epsilon and not on the radius,
and so do the losses. Errors go with radius / epsilon: releases of many settings are drawn from the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import nan
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets import Release, landmark_totals, release, rescaled_errors
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import landmark_loss, temporal_loss
from lmdk_widgets.noise import PlanarLaplace, planar_laplace_radius
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.curve import DRAWS, MOST_DRAWN, asked, averaged, expected_error_m, mean_known
from lmdk_widgets.scenario.evaluation import drawn_errors, evaluate, how_released
from lmdk_widgets.scenario.from_track import from_track
from lmdk_widgets.scenario.ground import HALF_EARTH_M, ground_errors
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.settings_model import Asked
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from pandas import DataFrame

SLACK = 1e-9
"""Rounding by which a sum may pass epsilon, and a number its limit."""

_UNIT95 = float(planar_laplace_radius(0.95, 1.0))

BETWEEN_S = 0.25
"""A growing table is told so often."""

_VALUES_AT_ONCE = 200_000
"""Settings are computed in blocks of about so many drawn values."""


class Setting(NamedTuple):
    """What one setting gives.

    Attributes
    ----------
    scheme : key of `SCHEMES`. mechanism : key of `MECHANISMS`; "planar" where the scenario's cannot serve the scheme.
    epsilon : or the target. radius_m : metres. exact : `error_m` is the expected one, or the mean of `DRAWS` releases.
    error_m : mean error over the timestamps that have a release, metres; NaN where the scheme cannot serve.
    radius95_m : metres within which 95 % of the noise of a measured timestamp lies, mean over those timestamps.
    loss : the largest total loss of a timestamp. landmark_loss : the largest landmark loss, the authors' count.
    landmark_sum : the largest of the Theorem's sums. from_track : its cells, grid or plan come from what they protect.
    """

    scheme: str
    mechanism: str
    epsilon: float
    radius_m: float
    exact: bool
    error_m: float
    radius95_m: float
    loss: float
    landmark_loss: float
    landmark_sum: float
    from_track: bool = False

    @property
    def kept(self) -> bool:
        """Whether the landmarks and any one other timestamp spend at most epsilon together."""
        return self.landmark_sum <= self.epsilon * (1 + SLACK)


@dataclass(frozen=True, eq=False)
class Settings:
    """The rows of a table as far as they are computed, and whether all are."""

    rows: tuple[Setting, ...]
    done: bool


def growing(scenario: Scenario, trajectory: Trajectory, asked_for: Asked) -> Iterator[Settings]:
    """The table with ever more of its rows, a few times a second, and at last with all of them."""
    rows, told = list[Setting](), perf_counter()
    for some in settings(scenario, trajectory, *asked_for.rows):
        rows += some
        if perf_counter() - told > BETWEEN_S:
            yield Settings(tuple(rows), False)
            told = perf_counter()
    yield Settings(tuple(rows), True)


def settings(
    scenario: Scenario,
    trajectory: Trajectory,
    schemes: Sequence[str],
    epsilons: Sequence[float],
    radii_m: Sequence[float],
) -> Iterator[list[Setting]]:
    """Every setting under the scenario's other choices, some at a time: by scheme, then epsilon, then radius.

    A scheme whose releases must be drawn has none where the track is longer than `MOST_DRAWN`.

    Raises
    ------
    InputError : a scenario that does not fit the track. A plan or a channel that cannot be had gives NaN instead.
    """
    pairs = list(product(epsilons, radii_m))
    for scheme in schemes:
        each = asked(scenario, scheme)
        if isinstance(trajectory, Series):
            yield from _of_series(each, trajectory, epsilons)
        elif each.mechanism == "planar":
            yield from _planar(each, trajectory, pairs)
        elif each.mechanism == "randomised":  # the radius plays no part
            for epsilon in epsilons:
                one = _evaluated(each, trajectory, epsilon, radii_m[0])
                yield [one._replace(radius_m=radius_m) for radius_m in radii_m]
        else:
            yield from ([_evaluated(each, trajectory, *pair)] for pair in pairs)


def _of_series(scenario: Scenario, series: Series, epsilons: Sequence[float]) -> Iterator[list[Setting]]:
    """A scheme at each epsilon, under the one radius that says nothing; none where too long a series would be drawn."""
    if len(series) <= MOST_DRAWN or not (scenario.spread.online or scenario.spread.skips):
        yield from ([_evaluated(scenario, series, epsilon, scenario.radius_m)] for epsilon in epsilons)


def of_scheme(scenario: Scenario, epsilon: float, radius_m: float) -> Scenario:
    """The scenario of one setting of its scheme."""
    return scenario.with_changes(epsilon=epsilon, target=epsilon, radius_m=radius_m)


def _nothing(scheme: str, mechanism: str, epsilon: float, radius_m: float) -> Setting:
    """A setting that cannot be had."""
    return Setting(scheme, mechanism, epsilon, radius_m, True, nan, nan, nan, nan, nan)


def _evaluated(scenario: Scenario, trajectory: Trajectory, epsilon: float, radius_m: float) -> Setting:
    """A release as cells, whose channels depend on epsilon / radius, or of a series: each is computed by itself."""
    each, which = of_scheme(scenario, epsilon, radius_m), (scenario.scheme, scenario.mechanism, epsilon, radius_m)
    try:
        one = evaluate(each, trajectory)
        expected = expected_error_m(one)
        error_m = averaged(drawn_errors(each, trajectory, DRAWS))[0] if expected is None else expected
    except InputError:
        return _nothing(*which)
    losses = float(one.total.max()), float(one.landmark.max()), float(one.totals.max())
    return Setting(*which, expected is not None, error_m, mean_known(one.radius95_m), *losses, from_track(each))


def _planar(scenario: Scenario, trajectory: Trajectory, pairs: list[tuple[float, float]]) -> Iterator[list[Setting]]:
    """By planar Laplace; what was spent is found again by epsilon where a scheme does not look at what it releases."""
    how_released(scenario.with_changes(scheme="event"), trajectory)  # refuses what does not fit, whatever the scheme
    online, known = scenario.spread.online, dict[tuple[float, ...], _Spent | None]()
    at_once = max(1, _VALUES_AT_ONCE // (DRAWS * len(trajectory)))
    for first in range(0, len(pairs), at_once):
        some, spent = pairs[first : first + at_once], []
        for pair in some:
            key = pair if online else pair[:1]
            if key not in known:
                known[key] = _spent(of_scheme(scenario, *pair), trajectory)
            spent.append(known[key])
        drawn = online or any(one is not None and not one.release.published.all() for one in spent)
        if drawn and len(trajectory) > MOST_DRAWN:
            return
        errors = _drawn(scenario, trajectory, some) if drawn else np.full(len(some), np.nan)
        yield [_row(scenario, *of) for of in zip(some, spent, errors.tolist(), strict=True)]


class _Spent(NamedTuple):
    """A release with the largest total loss, landmark loss and sum of the Theorem."""

    release: Release
    losses: tuple[float, float, float]


def _spent(scenario: Scenario, trajectory: Trajectory) -> _Spent | None:
    """None where there is no plan."""
    try:
        known, how = how_released(scenario, trajectory)
    except InputError:
        if not scenario.spread.plans:  # a chain that hardly forgets leaves no plan
            raise
        return None
    made = release(trajectory.points_m, rng=np.random.default_rng(scenario.seed), **how)
    return _Spent(made, _losses(known, made.budgets, how["landmarks"]))


def _losses(known: Correlation, budgets: Floats, landmarks: Iterable[int]) -> tuple[float, float, float]:
    total = temporal_loss(known.backward, known.forward, budgets).total
    together = landmark_loss(known.backward, known.forward, budgets, landmarks)
    return float(total.max()), float(together.max()), float(landmark_totals(budgets, landmarks).max())


def _row(scenario: Scenario, pair: tuple[float, float], spent: _Spent | None, drawn_m: float) -> Setting:
    which, radius_m = (scenario.scheme, scenario.mechanism, *pair), pair[1]
    if spent is None:
        return _nothing(*which)
    made = spent.release
    budgets = made.budgets[made.published] - made.comparison_budget
    exact = not scenario.spread.online and len(budgets) == len(made.budgets)
    error_m = float(np.minimum(2 * radius_m / budgets, HALF_EARTH_M).mean()) if exact else drawn_m
    radius95_m = mean_known(np.minimum(radius_m * _UNIT95 / budgets, HALF_EARTH_M))
    return Setting(*which, exact, error_m, radius95_m, *spent.losses, from_track(scenario))


def _drawn(scenario: Scenario, trajectory: Trajectory, pairs: Sequence[tuple[float, float]]) -> Floats:
    """Mean errors of `DRAWS` releases at each epsilon and radius, metres."""
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
    return np.array([averaged(one)[0] for one in errors])


def settings_table(
    scenario: Scenario,
    trajectory: Trajectory,
    *,
    schemes: Sequence[str] | None = None,
    epsilons: Sequence[float] | None = None,
    radii_m: Sequence[float] | None = None,
) -> DataFrame:
    """Many settings on one track as a table to choose from: one row a scheme, epsilon and radius.

    Every number is the one that `evaluate` gives for the same scenario with this scheme, epsilon (the target of a plan) and
    radius; the table takes a fraction of the time of a loop. The errors of some schemes are computed from releases of the
    true track: the table is for its owner.

    Parameters
    ----------
    scenario : all other choices: landmarks, window, correlation, adversary, mechanism, seed.
    trajectory : the track.
    schemes : keys of `SCHEMES`; all when left out.
    epsilons : in [1e-9, 1e6]; 0.1 to 10 when left out. radii_m : in [1, 100,000] metres; 50 to 5,000 when left out.

    Returns
    -------
    DataFrame
        `scheme`; `mechanism`; `epsilon`; `radius_m`; `mean_error_m`, over the timestamps that have a release, with
        `expected` (bool): a formula, or else the mean of 20 releases; `radius95_m`, within which 95 % of the noise of a
        measured timestamp lies, mean over those timestamps; `largest_total_loss`; `landmark_loss`, the authors' count, no
        bound; `theorem_sum` and `theorem_kept` (bool), whether the landmarks and any other timestamp spend at most epsilon.
        NaN where a scheme cannot serve. No row for a scheme that must be drawn on more than 10,000 timestamps.

    Raises
    ------
    InputError : names or numbers that are not allowed, more than 20,000 settings, a scenario that does not fit the track.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), correlation="none")
    >>> table = settings_table(bob, sample("bob"), schemes=["event", "uniform"], epsilons=[1, 4], radii_m=[200])
    >>> table.mean_error_m.round(6).tolist(), table.theorem_kept.tolist()
    ([400.0, 100.0, 2000.0, 500.0], [False, False, True, True])
    >>> table[(table.mean_error_m < 501) & table.theorem_kept].scheme.tolist()
    ['uniform']
    """
    pandas = library("pandas", "A data frame")

    given = {"schemes": schemes, "epsilons": epsilons, "radii_m": radii_m}
    chosen = Asked().with_changes(**{name: value for name, value in given.items() if value is not None})
    rows = [row for some in settings(scenario, trajectory, *chosen.rows) for row in some]
    return pandas.DataFrame([named(row) for row in rows], columns=list(NAMES))


NAMES = {
    "scheme": "scheme",
    "mechanism": "mechanism",
    "epsilon": "epsilon",
    "radius_m": "radius_m",
    "mean_error_m": "error_m",
    "expected": "exact",
    "radius95_m": "radius95_m",
    "largest_total_loss": "loss",
    "landmark_loss": "landmark_loss",
    "theorem_sum": "landmark_sum",
    "theorem_kept": "kept",
}
"""The columns of the table outside the page, and where each comes from."""


def named(row: Setting) -> dict[str, Any]:
    """A setting under the names that files and data frames have."""
    return {name: getattr(row, attribute) for name, attribute in NAMES.items()}

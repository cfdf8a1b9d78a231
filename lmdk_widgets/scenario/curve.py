"""The trade-off of a track: how far off each scheme is, and what it loses, at every epsilon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.evaluation import drawn_errors, evaluate
from lmdk_widgets.scenario.model import SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

EPSILONS = tuple(float(f"{epsilon:.6g}") for epsilon in np.geomspace(0.01, 10, 19))
"""Where the curves have their points; a plan has its target there."""

DRAWS = 20
"""Releases behind each point that has no formula."""

MOST_DRAWN = 10_000
"""Longest track whose releases are drawn for a curve."""


@dataclass(frozen=True, eq=False)
class Line:
    """One scheme at all `EPSILONS`, under the scenario's other choices.

    Attributes
    ----------
    scheme : key of `SCHEMES`. mechanism : key of `MECHANISMS`; "planar" where the scenario's cannot serve the scheme.
    exact : whether `error_m` is the expected error; else it is the mean of `DRAWS` releases, with a band.
    error_m : (k,) mean error over the timestamps that have a release, metres; NaN where the scheme cannot serve.
    low_m, high_m : (k,) 5 % and 95 % points of the mean errors of `DRAWS` releases; equal to `error_m` where it is exact.
    radius95_m : (k,) metres within which 95 % of the noise of a measured timestamp lies, mean over those timestamps.
    loss : (k,) the largest total loss of a timestamp. landmark_loss : (k,) the largest landmark loss, the authors' count.
    """

    scheme: str
    mechanism: str
    exact: bool
    error_m: Floats
    low_m: Floats
    high_m: Floats
    radius95_m: Floats
    loss: Floats
    landmark_loss: Floats


def trade_off(scenario: Scenario, trajectory: Trajectory) -> Iterator[Line]:
    """The line of every scheme in the order of `SCHEMES`; none for a scheme that the track is too long to draw.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> lines = {line.scheme: line for line in trade_off(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))}
    >>> at_one = EPSILONS.index(1.0)
    >>> [round(float(lines[scheme].error_m[at_one])) for scheme in ("event", "window", "uniform", "user")]
    [400, 1200, 2000, 3200]
    """
    for scheme in SCHEMES:
        line = _line(asked(scenario, scheme), trajectory)
        if line is not None:
            yield line


def asked(scenario: Scenario, scheme: str) -> Scenario:
    """The scenario with all that makes no difference to a line as it is at first, so that its line is found again."""
    mechanism = "planar" if SPREADS[scheme].online else scenario.mechanism
    same = {"scheme": scheme, "mechanism": mechanism, "epsilon": 1.0, "target": 1.0}
    budgets = scenario.budgets if SPREADS[scheme].by_hand else ()
    return scenario.released.with_changes(**same, budgets=budgets, average=False)


@lru_cache(maxsize=64)
def _line(scenario: Scenario, trajectory: Trajectory) -> Line | None:
    points, exact = [], True
    for epsilon in EPSILONS:
        each = scenario.with_changes(epsilon=epsilon, target=epsilon)
        try:
            one = evaluate(each, trajectory)
        except InputError:  # a chain that hardly forgets leaves no plan, and many budgets no channels
            points.append((np.nan,) * 6)
            continue
        error_m = expected_error_m(one)
        exact = error_m is not None
        if error_m is not None:
            low, high = error_m, error_m
        elif len(trajectory) > MOST_DRAWN:
            return None
        else:
            error_m, low, high = averaged(drawn_errors(each, trajectory, DRAWS))
        points.append(
            (error_m, low, high, mean_known(one.radius95_m), float(one.total.max()), float(one.landmark.max()))
        )
    return Line(scenario.scheme, scenario.mechanism, exact, *np.array(points).T)


def averaged(errors: Floats) -> tuple[float, float, float]:
    """Mean of the releases' mean errors with its 5 % and 95 % points; NaN where nothing is released."""
    if not np.isfinite(errors).any():
        return np.nan, np.nan, np.nan
    means = np.nanmean(errors, axis=1)
    low, high = np.quantile(means, (0.05, 0.95))
    return float(means.mean()), float(low), float(high)


def expected_error_m(outcome: Outcome) -> float | None:
    """The expected mean error of an outcome's scheme, metres; None where a release is repeated, for which none is known.

    Planar Laplace at budget b is 2 r / b from the truth on average; for cells the channel's rows give the distance, and a
    series has the sensitivity / b, or the chance of a wrong answer.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> round(expected_error_m(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))), 6)
    2000.0
    """
    if outcome.scenario.spread.online or not outcome.published.all():
        return None
    if outcome.reports is not None:
        return outcome.reports.mean_expected_m
    return float(outcome.ground.expected(outcome.budgets).mean())


def mean_known(values: Floats) -> float:
    """The mean of what is finite; NaN where nothing is."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")

"""From a scenario and a track to its outcome: the one path that every number on a page comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release, landmark_totals, release, release_many
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import refused, whole, within
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.scenario.by_hand import given_budgets
from lmdk_widgets.scenario.correlation import Correlation, correlation_of
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.ground import HALF_EARTH_M, ground_of
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Middle, Outcome
from lmdk_widgets.scenario.plans import cao_budgets, in_its_place, planned
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.scenario.cells import Reporter
    from lmdk_widgets.scenario.response import Responder

DRAWS = 100
"""Releases behind the average and its band."""

DRAWS_AT_ONCE = 20
"""Draws in one step of an average: fewer would take as long where a scheme decides at each timestamp for all of
them."""

MAX_AVERAGED = 20_000
"""The longest track that is averaged: a hundred releases of it take about 100 MB while they are made."""


def evaluate(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    """Everything a view shows, computed from a scenario and a track or a series; pure, and the same seed gives the same
    release.

    The release is planar Laplace in the track's local frame at budget / radius per metre, a channel over the region's
    cells that is private at the same epsilon per metre, or randomised response over these cells; for a series of
    numbers Laplace, whose sensitivity is the distance between public bounds; for answers randomised response. Anyone
    who has the seed can recompute the noise and remove it: an outcome is for its owner's eyes only, and `draw_afresh`
    for what leaves the page. The losses read each budget at the protection radius, as if any two states were within it;
    under randomised response they hold for any two cells (temporal privacy loss: Cao et al., "Quantifying differential
    privacy under temporal correlations", ICDE 2017).

    Parameters
    ----------
    scenario : every setting.
    trajectory : a track, or a `Series`, of n timestamps.

    Returns
    -------
    `Outcome` : budgets and losses (n,), the release in degrees, errors in metres or in the unit of the series.

    Raises
    ------
    InputError : when the scenario does not fit the track (a landmark or a window beyond its end, too many cells).

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    >>> outcome.budgets.round(12).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
    >>> round(outcome.landmark_share, 12), round(outcome.overrun, 12)
    (0.8, 1.0)
    """
    outcome = evaluate_one_draw(scenario, trajectory)
    if outcome.averages:
        *_, outcome = average(outcome)
    return outcome


def evaluate_one_draw(scenario: Scenario, trajectory: Trajectory, *, wait: bool = True) -> Outcome:
    """The same, except that an average is left to `average`: its errors are those of one draw.

    Parameters
    ----------
    wait : search for a plan that is not known yet; False: the outcome of what replaces it, named in `in_place`.

    Raises
    ------
    InputError : as `evaluate`.
    """
    wait = wait or scenario.mechanism != "planar"  # otherwise channels would be solved for budgets that nobody wants
    known, how = how_released(scenario, trajectory, wait=wait)
    in_place = "" if wait else in_its_place(scenario, known, len(trajectory))
    ground = ground_of(scenario, trajectory)
    released = release(ground.values, rng=np.random.default_rng(scenario.seed), **how)
    reporter = reporter_of(scenario, trajectory, released)
    reports = None if reporter is None else reporter.reports(np.random.default_rng(scenario.seed))
    outputs = released.outputs if reports is None else reports.outputs
    loss = temporal_loss(known.backward, known.forward, released.budgets)
    shown, error = ground.shown(outputs), ground.errors(outputs)
    return Outcome(
        scenario=scenario,
        trajectory=trajectory,
        budgets=released.budgets,
        totals=landmark_totals(released.budgets, how["landmarks"]),
        backward=loss.backward,
        forward=loss.forward,
        total=loss.total,
        # planned budgets keep the target at any length, though their first and last would not if all were as large
        supremum=scenario.target if scenario.spread.plans else known.supremum(_most(scenario, released.budgets)),
        correlation=known,
        latitude=shown.latitude,
        longitude=shown.longitude,
        values=shown.values,
        published=released.published,
        released=released if reports is None else replace(released, outputs=reports.outputs),
        radius95_m=ground.radius95(released) if reports is None else reports.radius95_m,
        rate=released.rate,
        threshold_m=ground.threshold(released),
        error_m=error,
        error_low_m=None,
        error_high_m=None,
        **_middle(error),
        **_levels(scenario, trajectory, known, ground.expected_at if reporter is None else reporter.mean_displacement),
        in_place=in_place,
        stretch=trajectory.stretch if reports is None else reports.stretch,
        reports=reports,
        planar_error_m=ground.errors(released.outputs) if reports is not None and reports.beside_planar else None,
    )


def _levels(
    scenario: Scenario, trajectory: Trajectory, known: Correlation, expected: Callable[[float], float]
) -> dict[str, Any]:
    """The expected errors of event and user level, and at the target of user level and, for a plan that is searched
    for, of Cao's plan, metres or in the unit of a series."""
    most_m, n = HALF_EARTH_M if kind_of(trajectory).placed else np.inf, len(trajectory)
    budgets = {
        "event_error_m": scenario.epsilon,
        "user_error_m": scenario.epsilon / n,
        "user_at_target_m": scenario.target / n,
    }
    levels = {name: min(expected(budget), most_m) for name, budget in budgets.items()}
    # under randomised response an error depends on the timestamp too, so single budgets say too little about the mean
    beside = scenario.spread.searched and scenario.mechanism != "randomised"
    cao = cao_budgets(scenario, known, n) if beside else None
    if cao is None or not cao.all():
        return levels
    each, times = np.unique(cao, return_counts=True)
    return levels | {
        "cao_error_m": sum(min(expected(b), most_m) * k for b, k in zip(each.tolist(), times, strict=True)) / n
    }


def draw_afresh(scenario: Scenario, trajectory: Trajectory) -> tuple[Floats, Floats]:
    """Degrees of another release under the same scenario, with noise from the operating system's entropy.

    The scenario's seed plays no part, and the generator is neither kept nor returned: the settings do not reveal the
    noise. It remains a simulation, as the sampler computes in floating point with an ordinary generator.

    Returns
    -------
    latitude, longitude : (n,) degrees, NaN where there is no release.

    Raises
    ------
    InputError : as `evaluate`.
    """
    fresh = release_afresh(scenario, trajectory)
    return fresh.latitude, fresh.longitude


@dataclass(frozen=True, eq=False)
class Fresh:
    """A release with its own noise.

    Attributes
    ----------
    latitude, longitude : (n,) degrees, NaN where there is no release.
    published : (n,) whether the timestamp was measured. budgets, total : (n,) what it spent, and its total loss.
    error_m : (n,) metres to the truth. It is computed from the true track: part of a simulation, not of a release.
    values : (n,) the release of a series, whose error is in its unit; None for a track.
    """

    latitude: Floats
    longitude: Floats
    published: NDArray[np.bool_]
    budgets: Floats
    total: Floats
    error_m: Floats
    values: Floats | None = None


def release_afresh(scenario: Scenario, trajectory: Trajectory) -> Fresh:
    """What `draw_afresh` draws, with what each timestamp spends and loses in this very draw, and how far it is off.

    Raises
    ------
    InputError : as `evaluate`.
    """
    known, how = how_released(scenario, trajectory)
    ground = ground_of(scenario, trajectory)
    released = release(ground.values, rng=np.random.default_rng(), **how)
    reporter = reporter_of(scenario, trajectory, released)
    outputs = released.outputs if reporter is None else reporter.outputs(np.random.default_rng())
    loss, shown = temporal_loss(known.backward, known.forward, released.budgets), ground.shown(outputs)
    spent = released.published, released.budgets, loss.total, ground.errors(outputs)
    return Fresh(shown.latitude, shown.longitude, *spent, shown.values)


@cached("visitor", entries=4)
def release_for_files(scenario: Scenario, trajectory: Trajectory) -> Fresh:
    """One release for all files of a setting, however often they are written."""
    return release_afresh(scenario, trajectory)


def reporter_of(scenario: Scenario, trajectory: Trajectory, released: Release) -> Reporter | Responder | None:
    """What reports cells instead of planar Laplace; loaded only then, as it brings the solver."""
    if scenario.mechanism == "planar" or not kind_of(trajectory).placed:
        return None
    if scenario.mechanism == "randomised":
        from lmdk_widgets.scenario.response import Responder

        return Responder(scenario, trajectory, released)
    from lmdk_widgets.scenario.cells import Reporter

    return Reporter(scenario, trajectory, released)


def _check_fit(scenario: Scenario, n: int) -> None:
    if scenario.landmarks and scenario.landmarks[-1] >= n:
        raise refused("landmarks", f"indices{within(0, n - 1)}", scenario.landmarks[-1])
    if scenario.average and n > MAX_AVERAGED:
        what = f"The track must have at most {MAX_AVERAGED:,} timestamps for the average of {DRAWS} draws"
        raise InputError(what, value=n, remedy="Look at single draws instead")
    if scenario.spread.windowed:
        whole(scenario.window, "window", most=n)


def how_released(
    scenario: Scenario, trajectory: Trajectory, *, wait: bool = True
) -> tuple[Correlation, dict[str, Any]]:
    """The chain that the scenario names, and the arguments of `release` that its scheme needs.

    Parameters
    ----------
    wait : search for a plan that is not known yet; False: use the budgets that replace it until then.
    """
    _check_fit(scenario, len(trajectory))
    known = correlation_of(scenario, trajectory)
    how = {name: getattr(scenario, name) for name in ("scheme", "epsilon", "window")}
    how |= {"landmarks": protected(scenario, len(trajectory)), "mechanism": ground_of(scenario, trajectory).mechanism}
    how |= {name: getattr(scenario, name) for name in scenario.spread.choices}
    if scenario.spread.plans:
        how |= {"scheme": "given", "budgets": planned(scenario, known, len(trajectory), wait=wait)}
    elif scenario.spread.by_hand:
        how["budgets"] = given_budgets(scenario, len(trajectory))
    return known, how


def _most(scenario: Scenario, budgets: Floats) -> float:
    """The largest budget that a timestamp can get under the scheme, in this draw or another one, on a track of any length."""
    return scenario.spread.largest(scenario.epsilon, scenario.window, float(budgets.max()))


def _middle(error_m: Floats) -> Middle:
    """Mean and median of the errors of all timestamps, those without a release left out; NaN when there is none."""
    seen = error_m[np.isfinite(error_m)]
    mean, median = (float(seen.mean()), float(np.median(seen))) if len(seen) else (float("nan"), float("nan"))
    return {"mean_error_m": mean, "median_error_m": median}


def average(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with more and more of the `DRAWS` draws made, and finally with their mean and its band as its
    errors."""
    draw, found = _drawer(outcome.scenario, outcome.trajectory), []
    for made in range(DRAWS_AT_ONCE, DRAWS + 1, DRAWS_AT_ONCE):
        found.append(draw(DRAWS_AT_ONCE))
        yield outcome.improved(drawn=made)
    errors = np.concatenate(found)
    missing = np.isnan(errors).sum(axis=0)
    mean, low, high = (np.full(len(outcome), np.nan) for _ in range(3))
    # NumPy takes timestamps one by one where a draw may be missing, so only those where one is
    for some, quantile in ((missing == 0, np.quantile), ((missing > 0) & (missing < DRAWS), np.nanquantile)):
        if some.any():
            mean[some] = np.nanmean(errors[:, some], axis=0)
            low[some], high[some] = quantile(errors[:, some], (0.05, 0.95), axis=0)
    yield outcome.improved(drawn=DRAWS, error_m=mean, error_low_m=low, error_high_m=high, **_middle(mean))


def drawn_errors(scenario: Scenario, trajectory: Trajectory, draws: int) -> Floats:
    """Errors of `draws` releases, (draws, n) metres; NaN where there is no release. Refuses what `evaluate` refuses."""
    return _drawer(scenario, trajectory)(draws)


def _drawer(scenario: Scenario, trajectory: Trajectory) -> Callable[[int], Floats]:
    """Returns the errors (k, n) of the next k draws, starting at the seed."""
    how, rng = how_released(scenario, trajectory)[1], np.random.default_rng(scenario.seed)
    ground = ground_of(scenario, trajectory)
    if scenario.mechanism != "planar":
        released = release(ground.values, rng=np.random.default_rng(scenario.seed), **how)
        if reporter := reporter_of(scenario, trajectory, released):
            return lambda k: np.stack([ground.errors(reporter.outputs(rng)) for _ in range(k)])
    return lambda k: release_many(ground.values, rng=rng, draws=k, error=ground.many_errors, **how)


AT_ONCE_S = 0.1
"""An average that takes less, in seconds, is computed with the outcome."""


def evaluate_soon(
    scenario: Scenario, trajectory: Trajectory, streets: Basemap | None = None, *, wait: bool = True
) -> Outcome:
    """The outcome with its average if that takes next to no time, and otherwise with the errors of one draw; `wait` as in
    `evaluate_one_draw`, and with the streets that an attacker may know.

    Raises
    ------
    InputError : as `evaluate`.
    """
    outcome = evaluate_one_draw(scenario, trajectory, wait=wait).improved(streets=streets)
    if outcome.in_place or not outcome.averages:
        return outcome
    began = perf_counter()
    for better in average(outcome):
        if not better.averages:
            return better
        if perf_counter() - began > AT_ONCE_S:
            break
    return outcome

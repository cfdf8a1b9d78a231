"""From a scenario and a track to its outcome: the one path that every number on a page comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release, landmark_totals, release, release_many
from lmdk_widgets.checks import refused, whole, within
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.leakage import plan_budgets, temporal_loss
from lmdk_widgets.noise import PlanarLaplace, planar_laplace_radius
from lmdk_widgets.scenario.landmarks.correlation import Correlation, correlation_of
from lmdk_widgets.scenario.landmarks.model import WINDOW_SCHEMES, Scenario
from lmdk_widgets.scenario.landmarks.outcome import HALF_EARTH_M, Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.stays import StayPoint, stay_points

if TYPE_CHECKING:
    from lmdk_widgets.scenario.landmarks.cells import Reporter

DRAWS = 100
"""Releases behind the average and its band."""

NOTHING = 1e-9
"""Share of the target below which a planned budget is none."""

FLAT_M, FLAT_STRETCH = 100_000.0, 1.0001
"""Up to here a distance in the frame is one on the ground, to less than a ten-thousandth."""

MAX_AVERAGED = 20_000
"""Longest track that is averaged: a hundred releases of it take about 100 MB while they are made."""

_radius = cache(planar_laplace_radius)


def evaluate(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    """Everything a view shows, computed from a scenario and a track; pure, and the same seed gives the same release.

    The release is planar Laplace in the track's local frame at budget / radius per metre, or a channel over the track's
    cells that is private at the same epsilon per metre. Its noise can be made again by whoever has the seed, and taken
    off: an outcome is for the eyes of its owner, and `draw_afresh` for what leaves the page. The losses read each budget
    at the protection radius, as if every two states were within it (`spec` of the temporal privacy loss: Cao et al.,
    "Quantifying differential privacy under temporal correlations", ICDE 2017).

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
    known, how = _how(scenario, trajectory)
    mechanism: PlanarLaplace = how["mechanism"]
    released = release(trajectory.points_m, rng=np.random.default_rng(scenario.seed), **how)
    reporter = _reporter(scenario, trajectory, released)
    reports = None if reporter is None else reporter.reports(np.random.default_rng(scenario.seed))
    outputs = released.outputs if reports is None else reports.outputs
    loss = temporal_loss(known.backward, known.forward, released.budgets)
    latitude, longitude = trajectory.frame.to_degrees(outputs)
    error, low, high = _errors(scenario, trajectory, outputs, how, reporter)
    seen = error[np.isfinite(error)]
    return Outcome(
        scenario=scenario,
        trajectory=trajectory,
        budgets=released.budgets,
        totals=landmark_totals(released.budgets, scenario.landmarks),
        backward=loss.backward,
        forward=loss.forward,
        total=loss.total,
        # planned budgets keep the target at any length, though their first and last would not if all were as large
        supremum=scenario.target if scenario.scheme == "planned" else known.supremum(_most(scenario, released.budgets)),
        correlation=known,
        latitude=latitude,
        longitude=longitude,
        published=released.published,
        radius95_m=_radius95_m(released, mechanism) if reports is None else reports.radius95_m,
        rate=released.rate,
        threshold_m=None if released.reserved is None else mechanism.scale(1.0) / released.reserved,
        error_m=error,
        error_low_m=low,
        error_high_m=high,
        mean_error_m=float(seen.mean()) if len(seen) else float("nan"),
        median_error_m=float(np.median(seen)) if len(seen) else float("nan"),
        event_error_m=min(mechanism.mean_displacement(scenario.epsilon), HALF_EARTH_M),
        user_error_m=min(mechanism.mean_displacement(scenario.epsilon / len(trajectory)), HALF_EARTH_M),
        stretch=trajectory.stretch,
        reports=reports,
        planar_error_m=None if reports is None else _distances(released.outputs, trajectory),
        stays=_stays(trajectory, scenario.stay_m, scenario.stay_minutes * 60) if scenario.propose else None,
    )


@lru_cache(maxsize=4)
def _stays(trajectory: Trajectory, distance_m: float, duration_s: float) -> tuple[StayPoint, ...]:
    return tuple(stay_points(trajectory, distance_m=distance_m, duration_s=duration_s))


def draw_afresh(scenario: Scenario, trajectory: Trajectory) -> tuple[Floats, Floats]:
    """Degrees of another release under the same scenario, with noise from the operating system's entropy.

    The scenario's seed plays no part, and what is drawn from is neither kept nor returned: the settings do not tell the
    noise. It remains a simulation, as the sampler computes in floating point and its generator is an ordinary one.

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
    """A release with noise of its own.

    Attributes
    ----------
    latitude, longitude : (n,) degrees, NaN where there is no release.
    published : (n,) whether the timestamp was measured. budgets, total : (n,) what it spent, and its total loss.
    error_m : (n,) metres to the truth. It is computed from the true track: part of a simulation, not of a release.
    """

    latitude: Floats
    longitude: Floats
    published: NDArray[np.bool_]
    budgets: Floats
    total: Floats
    error_m: Floats


def release_afresh(scenario: Scenario, trajectory: Trajectory) -> Fresh:
    """What `draw_afresh` draws, with what each timestamp spends and loses in this very draw, and how far it is off.

    Raises
    ------
    InputError : as `evaluate`.
    """
    known, how = _how(scenario, trajectory)
    released = release(trajectory.points_m, rng=np.random.default_rng(), **how)
    reporter = _reporter(scenario, trajectory, released)
    outputs = released.outputs if reporter is None else reporter.outputs(np.random.default_rng())
    loss = temporal_loss(known.backward, known.forward, released.budgets)
    places = trajectory.frame.to_degrees(outputs)
    return Fresh(*places, released.published, released.budgets, loss.total, _distances(outputs, trajectory))


def _reporter(scenario: Scenario, trajectory: Trajectory, released: Release) -> Reporter | None:
    """What reports cells in the place of planar Laplace; loaded only then, as it brings the solver."""
    if scenario.mechanism == "planar":
        return None
    from lmdk_widgets.scenario.landmarks.cells import Reporter

    return Reporter(scenario, trajectory, released)


def _check_fit(scenario: Scenario, n: int) -> None:
    if scenario.landmarks and scenario.landmarks[-1] >= n:
        raise refused("landmarks", f"indices{within(0, n - 1)}", scenario.landmarks[-1])
    if scenario.average and n > MAX_AVERAGED:
        what = f"The track must have at most {MAX_AVERAGED:,} timestamps for the average of {DRAWS} draws"
        raise InputError(what, value=n, remedy="Look at single draws instead")
    if scenario.scheme in WINDOW_SCHEMES:
        whole(scenario.window, "window", most=n)


def _how(scenario: Scenario, trajectory: Trajectory) -> tuple[Correlation, dict[str, Any]]:
    """The chain that the scenario names, and the arguments of `release` that its scheme asks for."""
    _check_fit(scenario, len(trajectory))
    known = correlation_of(scenario, trajectory)
    how: dict[str, Any] = {"scheme": scenario.scheme, "landmarks": scenario.landmarks, "epsilon": scenario.epsilon}
    how["mechanism"] = PlanarLaplace(radius_m=scenario.radius_m)
    if scenario.scheme in WINDOW_SCHEMES:
        how["window"] = scenario.window
    if scenario.scheme == "adaptive":
        how |= {"increase": scenario.increase, "decrease": scenario.decrease}
    if scenario.scheme == "planned":
        how |= {"scheme": "given", "budgets": _planned(scenario, known, len(trajectory))}
    return known, how


def _planned(scenario: Scenario, known: Correlation, n: int) -> Floats:
    budgets = np.asarray(plan_budgets(known.backward, known.forward, scenario.target, n))
    if float(budgets.min()) < NOTHING * scenario.target:
        what = f"planned budgets must be {NOTHING:g} times the target or more at every timestamp"
        remedy = "The chain forgets too little: choose a weaker correlation, another adversary or another scheme"
        raise InputError(what, value=f"{budgets.min():.1e}", remedy=remedy)
    return budgets


def _most(scenario: Scenario, budgets: Floats) -> float:
    """The largest budget that a timestamp can get under the scheme, in this draw or another one, on a track of any length."""
    epsilon, comparing = scenario.epsilon, scenario.epsilon / (2 * scenario.window)
    shared = {"budget-distribution": epsilon / 4 + comparing, "budget-absorption": epsilon / 2 + comparing}
    can = shared | {"adaptive": epsilon, "weighted": epsilon, "skip": epsilon}
    return can.get(scenario.scheme, float(budgets.max()))


def _radius95_m(released: Release, mechanism: PlanarLaplace) -> Floats:
    """Radius of 95 % of the noise of each measured timestamp: what was spent on comparing made no noise smaller."""
    budgets = np.where(released.published, released.budgets - released.comparison_budget, np.nan)
    return np.minimum(mechanism.scale(1.0) * _radius(0.95, 1.0) / budgets, HALF_EARTH_M)


def _distances(outputs: Floats, trajectory: Trajectory) -> Floats:
    """Metres on the ground between outputs (n, 2) in the track's frame and the true places."""
    flat = np.asarray(np.hypot(*(outputs - trajectory.points_m).T))
    return _on_the_ground(flat, outputs, np.arange(len(trajectory)), trajectory)


def _on_the_ground(flat: Floats, outputs: Floats, at: NDArray[np.intp], trajectory: Trajectory) -> Floats:
    """Distances of the frame, replaced by those on the sphere where they are long or the track is wide."""
    curved = np.isfinite(flat) & ((flat > FLAT_M) | (trajectory.stretch > FLAT_STRETCH))
    if curved.any():
        there = trajectory.frame.to_degrees(outputs[curved])
        flat[curved] = distance_m(*there, trajectory.latitude[at[curved]], trajectory.longitude[at[curved]])
    return flat


def _errors(
    scenario: Scenario, trajectory: Trajectory, outputs: Floats, how: dict[str, Any], reporter: Reporter | None
) -> tuple[Floats, Floats | None, Floats | None]:
    if not scenario.average:
        return _distances(outputs, trajectory), None, None
    rng = np.random.default_rng(scenario.seed)
    if reporter is None:

        def measured(outputs: NDArray) -> Floats:
            at = np.broadcast_to(np.arange(len(trajectory))[:, None], outputs.shape)
            flat = np.abs(outputs - (trajectory.points_m @ [1, 1j])[:, None])
            return _on_the_ground(flat, np.stack((outputs.real, outputs.imag), axis=-1), at, trajectory)

        errors = release_many(trajectory.points_m, rng=rng, draws=DRAWS, error=measured, **how)
    else:
        errors = np.stack([_distances(reporter.outputs(rng), trajectory) for _ in range(DRAWS)])
    some = np.isfinite(errors).any(axis=0)
    mean, low, high = (np.full(len(trajectory), np.nan) for _ in range(3))
    if some.any():
        mean[some] = np.nanmean(errors[:, some], axis=0)
        low[some], high[some] = np.nanquantile(errors[:, some], (0.05, 0.95), axis=0)
    return mean, low, high

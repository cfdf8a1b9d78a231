"""From a scenario and a track to its outcome: the one path that every number on a page comes from."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release, landmark_totals, release, release_many
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import LossFunction, temporal_loss
from lmdk_widgets.markov import estimate_transitions, grid_states, reverse, smoothed_identity
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.scenario.model import WINDOW_SCHEMES, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

DRAWS = 100
"""Releases behind the average and its band."""

MAX_AVERAGED = 20_000
"""Longest track that is averaged: a hundred releases of it take about 100 MB while they are made."""

MODEL_STATES = 5
MODEL_SMOOTHING = {"weak": 1.0, "moderate": 0.1, "strong": 0.01}
"""Smoothing s of the near-identity matrix (1[i=j] + s) / (1 + 5 s) behind each named correlation."""

MAX_STATES = 200
ESTIMATE_SMOOTHING = 0.01
"""Added to every count before the rows are normalised: a move that was not seen is unlikely, not impossible."""


def evaluate(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    """Everything a view shows, computed from a scenario and a track; pure, and the same seed gives the same release.

    The release is planar Laplace in the track's local frame at budget / radius per metre. The losses read each budget
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
    _check_fit(scenario, len(trajectory))
    mechanism = PlanarLaplace(radius_m=scenario.radius_m)
    how = _release_options(scenario)
    released = release(
        trajectory.points_m, mechanism=mechanism, rng=np.random.default_rng(scenario.seed), **how
    )
    p_backward, p_forward = correlation_matrices(scenario, trajectory)
    loss = temporal_loss(p_backward, p_forward, released.budgets)
    latitude, longitude = trajectory.frame.to_degrees(released.outputs)
    error, low, high = _errors(scenario, trajectory, released.outputs, mechanism, how)
    has_release = np.isfinite(error)
    return Outcome(
        scenario=scenario,
        budgets=released.budgets,
        totals=landmark_totals(released.budgets, scenario.landmarks),
        backward=loss.backward,
        forward=loss.forward,
        total=loss.total,
        supremum=_supremum(p_backward, p_forward, float(released.budgets.max())),
        latitude=latitude,
        longitude=longitude,
        published=released.published,
        radius95_m=_radius95_m(released, mechanism),
        error_m=error,
        error_low_m=low,
        error_high_m=high,
        mean_error_m=float(error[has_release].mean()) if has_release.any() else float("nan"),
        median_error_m=float(np.median(error[has_release])) if has_release.any() else float("nan"),
        event_error_m=mechanism.mean_displacement(scenario.epsilon),
        user_error_m=mechanism.mean_displacement(scenario.epsilon / len(trajectory)),
        stretch=trajectory.stretch,
    )


def correlation_matrices(
    scenario: Scenario, trajectory: Trajectory
) -> tuple[LossFunction | None, LossFunction | None]:
    """What the adversary knows of the past given the present, and of the future: the backward and the forward chain."""
    if scenario.correlation == "none":
        return None, None
    if scenario.correlation == "estimated":
        return estimated_losses(trajectory, scenario.cell_m)
    # The matrix is symmetric, so with its uniform stationary distribution the reversed chain is the same.
    model = _model_loss(MODEL_SMOOTHING[scenario.correlation])
    return model, model


@lru_cache(maxsize=8)
def _model_loss(smoothing: float) -> LossFunction:
    return LossFunction(smoothed_identity(MODEL_STATES, smoothing))


@lru_cache(maxsize=8)
def estimated_losses(trajectory: Trajectory, cell_m: float) -> tuple[LossFunction, LossFunction]:
    """The backward and forward loss functions of the chain estimated from the track's moves between cells.

    Raises
    ------
    InputError : when the cells are so small that the track visits more than 200 of them.
    """
    states, centres = _cells(trajectory, cell_m)
    if len(centres) > MAX_STATES:
        raise InputError(
            "the track visits too many cells to learn how they follow each other",
            where="cell size",
            value=f"{cell_m:g} m, {len(centres):,} cells",
            allowed=f"at most {MAX_STATES} cells",
            remedy="Choose larger cells",
        )
    p_forward = estimate_transitions(states, len(centres), smoothing=ESTIMATE_SMOOTHING)
    return LossFunction(reverse(p_forward)), LossFunction(p_forward)


@lru_cache(maxsize=8)
def _cells(trajectory: Trajectory, cell_m: float) -> tuple[NDArray[np.intp], Floats]:
    return grid_states(trajectory.points_m, cell_m)


def cells_visited(trajectory: Trajectory, cell_m: float) -> int:
    """How many cells of a grid a track visits; at most `MAX_STATES` of them can be states of an estimated chain."""
    return len(_cells(trajectory, cell_m)[1])


def _check_fit(scenario: Scenario, n: int) -> None:
    if scenario.landmarks and scenario.landmarks[-1] >= n:
        raise InputError(
            "a landmark lies beyond the track",
            where="landmarks",
            value=scenario.landmarks[-1],
            allowed=f"indices from 0 to {n - 1}",
        )
    if scenario.average and n > MAX_AVERAGED:
        raise InputError(
            f"the average of {DRAWS} draws would need too much memory",
            where="average",
            value=f"{n:,} timestamps",
            allowed=f"tracks of at most {MAX_AVERAGED:,} timestamps",
            remedy="Look at single draws instead",
        )
    if scenario.scheme in WINDOW_SCHEMES and scenario.window > n:
        raise InputError(
            "the window is longer than the track", where="window", value=scenario.window, allowed=f"1 to {n}"
        )


def _release_options(scenario: Scenario) -> dict:
    options: dict = {"scheme": scenario.scheme, "landmarks": scenario.landmarks, "epsilon": scenario.epsilon}
    if scenario.scheme in WINDOW_SCHEMES:
        options["window"] = scenario.window
    if scenario.scheme == "adaptive":
        options |= {"increase": scenario.increase, "decrease": scenario.decrease}
    return options


def _radius95_m(released: Release, mechanism: PlanarLaplace) -> Floats:
    """Radius of 95 % of the noise of each measured timestamp: what was spent on comparing made no noise smaller."""
    budgets = np.where(released.published, released.budgets - released.comparison_budget, np.nan)
    return mechanism.radius(0.95, 1.0) / budgets


def _errors(
    scenario: Scenario, trajectory: Trajectory, outputs: Floats, mechanism: PlanarLaplace, how: dict
) -> tuple[Floats, Floats | None, Floats | None]:
    if not scenario.average:
        return np.hypot(*(outputs - trajectory.points_m).T), None, None
    rng = np.random.default_rng(scenario.seed)
    errors = release_many(trajectory.points_m, mechanism=mechanism, rng=rng, draws=DRAWS, **how)
    some = np.isfinite(errors).any(axis=0)
    mean, low, high = (np.full(len(trajectory), np.nan) for _ in range(3))
    if some.any():
        mean[some] = np.nanmean(errors[:, some], axis=0)
        low[some], high[some] = np.nanquantile(errors[:, some], (0.05, 0.95), axis=0)
    return mean, low, high


def _supremum(p_backward: LossFunction | None, p_forward: LossFunction | None, epsilon: float) -> float:
    """The bound of the total loss, backward + forward - epsilon, when every timestamp spends `epsilon`."""
    backward = epsilon if p_backward is None else p_backward.supremum(epsilon)
    forward = epsilon if p_forward is None else p_forward.supremum(epsilon)
    return backward + forward - epsilon

"""What a scenario's data are released on: a track on the map, or a series on an axis of values.

Whatever a release needs to know about its data is here, once for each kind: the values, the mechanism, how far an
output is off, what error is expected and how errors are written. Everything else is computed in the same way for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.cache import cached
from lmdk_widgets.composition import laplace_epsilon, planar_laplace_epsilon, response_epsilon
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.noise import Laplace, PlanarLaplace, RandomizedResponse, planar_laplace_radius
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.written_values import written_in
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series, check_bounds

HALF_EARTH_M = 20_015_000.0
"""No two places are farther apart."""

FLAT_M, FLAT_STRETCH = 100_000.0, 1.0001
"""Up to here a distance in the frame equals one on the ground, to less than a ten-thousandth."""


@cached("everybody", entries=1)
def _radius95() -> float:
    """The radius that contains 95 % of planar Laplace noise with an epsilon of 1."""
    return float(planar_laplace_radius(0.95, 1.0))


@dataclass(frozen=True, eq=False)
class Shown:
    """A release as it is shown, (n,) each, NaN where there is none: `latitude` and `longitude` in degrees of a track,
    `values` of a series."""

    latitude: Floats
    longitude: Floats
    values: Floats | None = None


class Ground(Protocol):
    """What a release needs from its data."""

    @property
    def values(self) -> Floats:
        """What `release` perturbs."""

    @property
    def mechanism(self) -> Laplace | PlanarLaplace | RandomizedResponse:
        """What perturbs it."""

    @property
    def together(self) -> Callable[[Floats, float], float]:
        """Epsilon of releases with these budgets at a delta, by the privacy loss of the mechanism."""

    def shown(self, outputs: Floats) -> Shown:
        """Outputs of `release` as they are shown."""

    def errors(self, outputs: Floats) -> Floats:
        """(n,) how far outputs are from the truth."""

    def many_errors(self, outputs: NDArray) -> Floats:
        """(n, k) the same of k releases, as `release_many` gives them."""

    def expected(self, budgets: Floats) -> Floats:
        """(n,) the expected error where each timestamp spends its budget, infinite at 0."""

    def expected_at(self, budget: float) -> float:
        """The mean expected error where every timestamp spends the same budget."""

    def radius95(self, released: Release) -> Floats:
        """(n,) the distance within which 95 % of the releases of a measured timestamp fall; NaN elsewhere."""

    def threshold(self, released: Release) -> Floats | None:
        """(n,) by which two releases must differ for Adaptive to sample more; None where it is not a length."""

    def write(self, error: float) -> str:
        """An error as people say it."""


def ground_of(scenario: Scenario, trajectory: Trajectory) -> Ground:
    """The ground of a scenario's data.

    Raises
    ------
    InputError : bounds of a series that are in the wrong order.
    """
    if not isinstance(trajectory, Series):
        return _places(trajectory, scenario.radius_m)
    if trajectory.is_answers:
        return _answers(trajectory)
    stated = {"known": (trajectory.lower, trajectory.upper), "stated": (scenario.lower, scenario.upper)}
    return _numbers(trajectory, *stated.get(scenario.bounds, (None, None)))


@cached("visitor", entries=8, what="what perturbs a track, and its distances")
def _places(track: Trajectory, radius_m: float) -> Places:
    return Places(track, radius_m)


@cached("visitor", entries=8, what="what perturbs answers")
def _answers(series: Series) -> Answers:
    return Answers(series)


@cached("visitor", entries=8, what="what perturbs numbers")
def _numbers(series: Series, lower: float | None, upper: float | None) -> Numbers:
    if lower is None or upper is None:
        return Numbers(series, *bounds_in(series), from_data=True)
    return Numbers(series, *check_bounds(lower, upper))


def bounds_in(series: Series) -> tuple[float, float]:
    """The smallest and the largest value; one apart where all are the same."""
    low, high = float(series.values.min()), float(series.values.max())
    return (low, high) if high > low else (low, low + 1)


@dataclass(frozen=True, eq=False)
class Places:
    """A track: points in its local frame, planar Laplace, errors in metres on the ground."""

    trajectory: Trajectory
    radius_m: float

    @property
    def values(self) -> Floats:
        return self.trajectory.points_m

    @cached_property
    def mechanism(self) -> PlanarLaplace:
        return PlanarLaplace(radius_m=self.radius_m)

    @property
    def together(self) -> Callable[[Floats, float], float]:
        return planar_laplace_epsilon

    def shown(self, outputs: Floats) -> Shown:
        return Shown(*self.trajectory.frame.to_degrees(outputs))

    def errors(self, outputs: Floats) -> Floats:
        return distances(outputs, self.trajectory)

    def many_errors(self, outputs: NDArray) -> Floats:
        return ground_errors(outputs, self.trajectory)

    def expected(self, budgets: Floats) -> Floats:
        return planar_errors_m(budgets, self.radius_m)

    def expected_at(self, budget: float) -> float:
        return min(self.mechanism.mean_displacement(budget), HALF_EARTH_M)

    def radius95(self, released: Release) -> Floats:
        return np.minimum(self.mechanism.scale(1.0) * _radius95() / _of_noise(released), HALF_EARTH_M)

    def threshold(self, released: Release) -> Floats | None:
        return _threshold(self.mechanism, released)

    def write(self, error: float) -> str:
        return metres(error)


def planar_errors_m(budgets: Floats, radius_m: float) -> Floats:
    """(n,) ``2 r / b`` metres, the expected error of planar Laplace, and at most half the Earth; that far where b is 0.

    Examples
    --------
    >>> planar_errors_m(np.array([0.5, 1.0, 0.0]), 100.0).tolist()
    [400.0, 200.0, 20015000.0]
    """
    with np.errstate(divide="ignore"):
        return np.minimum(2 * radius_m / budgets, HALF_EARTH_M)


def _of_noise(released: Release) -> Floats:
    """(n,) what was spent on noise; NaN where none was drawn. What was spent on comparing reduced no noise."""
    return np.where(released.published, released.budgets - released.comparison_budget, np.nan)


def _threshold(mechanism: Laplace | PlanarLaplace, released: Release) -> Floats | None:
    return None if released.reserved is None else mechanism.scale(1.0) / released.reserved


class OnAnAxis:
    """What numbers and answers have in common."""

    series: Series

    def shown(self, outputs: Floats) -> Shown:
        nowhere = np.full(len(outputs), np.nan)
        return Shown(nowhere, nowhere, outputs)

    def errors(self, outputs: Floats) -> Floats:
        return np.abs(outputs - self.series.values)

    def many_errors(self, outputs: NDArray) -> Floats:
        return np.abs(outputs - self.series.values[:, None])

    def expected(self, budgets: Floats) -> Floats:
        raise NotImplementedError

    def expected_at(self, budget: float) -> float:
        return float(self.expected(np.full(len(self.series), budget)).mean())

    def write(self, error: float) -> str:
        return written_in(self.series)(error)


@dataclass(frozen=True, eq=False)
class Numbers(OnAnAxis):
    """A series of numbers: each moved to the public bounds, then Laplace, whose sensitivity is the distance between
    them."""

    series: Series
    lower: float
    upper: float
    from_data: bool = False

    @cached_property
    def values(self) -> Floats:
        return np.clip(self.series.values, self.lower, self.upper)

    @cached_property
    def mechanism(self) -> Laplace:
        return Laplace(sensitivity=self.upper - self.lower)

    @property
    def together(self) -> Callable[[Floats, float], float]:
        return laplace_epsilon

    @cached_property
    def moved(self) -> Floats:
        """(n,) by how much each value lies outside the bounds."""
        return np.abs(self.series.values - self.values)

    def expected(self, budgets: Floats) -> Floats:
        """The mean of |noise + moved|: ``s e^(-m / s) + m`` at scale s, which is s for a value within the bounds."""
        with np.errstate(divide="ignore"):
            scale = self.mechanism.sensitivity / budgets
            found: Floats = scale * np.exp(-self.moved / scale) + self.moved
        return found

    def radius95(self, released: Release) -> Floats:
        return np.asarray(float(self.mechanism.radius(0.95, 1.0)) / _of_noise(released))

    def threshold(self, released: Release) -> Floats | None:
        return _threshold(self.mechanism, released)


@dataclass(frozen=True, eq=False)
class Answers(OnAnAxis):
    """A series of answers: randomised response, an error is 1 for a wrong answer and 0 for a right one."""

    series: Series

    @property
    def mechanism(self) -> RandomizedResponse:
        return RandomizedResponse()

    @property
    def together(self) -> Callable[[Floats, float], float]:
        return response_epsilon

    @property
    def values(self) -> Floats:
        return self.series.values

    def expected(self, budgets: Floats) -> Floats:
        return self.mechanism.wrong(budgets)

    def radius95(self, released: Release) -> Floats:
        return np.full(len(released.budgets), np.nan)

    def threshold(self, released: Release) -> Floats | None:
        return None


def mean_known(values: Floats) -> float:
    """The mean of what is finite; NaN where nothing is."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def distances(outputs: Floats, trajectory: Trajectory) -> Floats:
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


def ground_errors(outputs: NDArray, trajectory: Trajectory) -> Floats:
    """Metres on the ground between outputs (n, k), complex in the track's frame, and the true places."""
    at, true = np.broadcast_to(np.arange(len(trajectory))[:, None], outputs.shape), trajectory.points_m @ [1, 1j]
    return _on_the_ground(np.abs(outputs - true[:, None]), np.stack((outputs.real, outputs.imag), -1), at, trajectory)

"""How far a release is from the truth on the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.trajectory.model import Trajectory

FLAT_M, FLAT_STRETCH = 100_000.0, 1.0001
"""Up to here a distance in the frame is one on the ground, to less than a ten-thousandth."""


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

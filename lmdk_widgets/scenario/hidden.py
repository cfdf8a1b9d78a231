"""Hidden landmarks: which timestamps the scheme protects in place of the landmarks, so that these are some among others."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import protect_landmarks
from lmdk_widgets.budgets.hidden import can_list
from lmdk_widgets.scenario.model import Scenario


def protected(scenario: Scenario, n: int) -> tuple[int, ...]:
    """The timestamps that the scheme protects together: the landmarks, and their dummies where they are hidden.

    The seed decides which ones, by random numbers of their own: the noise stays as it is. Files keep the set on the
    screen, as the landmarks are in every set that is chosen, and two sets would show them.

    Raises
    ------
    InputError : a landmark that is no timestamp of n, or too many sets for the method "optimal".

    Examples
    --------
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), hide=True)
    >>> protected(bob, 8), protected(bob.with_changes(hide=False), 8)
    ((0, 1, 2, 4, 7), (0, 2, 4, 7))
    """
    if not (scenario.hide and scenario.landmarks):
        return scenario.landmarks
    how = (scenario.hide_epsilon, scenario.hide_method, scenario.hide_most, scenario.seed)
    return _chosen(n, scenario.landmarks, *how)


@lru_cache(maxsize=64)
def _chosen(n: int, landmarks: tuple[int, ...], epsilon: float, method: str, most: int, seed: int) -> tuple[int, ...]:
    rng = np.random.default_rng((seed, 1))
    return tuple(protect_landmarks(n, landmarks, epsilon, rng=rng, method=method, most=most).tolist())


def dummies(scenario: Scenario, n: int) -> tuple[int, ...]:
    """The protected timestamps that are no landmarks."""
    return tuple(sorted(set(protected(scenario, n)) - set(scenario.landmarks)))


def settled(scenario: Scenario, n: int) -> Scenario:
    """The scenario with the method "greedy" where the track has too many sets to list."""
    most, marks = scenario.hide_most, len(scenario.landmarks)
    if scenario.hide and scenario.hide_method == "optimal" and marks <= n and not can_list(n, marks, most):
        return scenario.with_changes(hide_method="greedy")
    return scenario


def marked_columns(scenario: Scenario, n: int) -> dict[str, NDArray[np.bool_]]:
    """For a table with a row for each timestamp: whether it is a landmark, and whether it is protected as one."""
    found: dict[str, Any] = {"landmark": np.isin(np.arange(n), scenario.landmarks)}
    if scenario.hide:
        found["protected"] = np.isin(np.arange(n), protected(scenario, n))
    return found

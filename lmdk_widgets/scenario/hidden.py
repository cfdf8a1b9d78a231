"""Hidden landmarks: which timestamps the scheme protects instead of the landmarks alone, to hide them among others."""

from __future__ import annotations

import secrets
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import proposed_chance, protect_landmarks
from lmdk_widgets.budgets.hidden import can_list
from lmdk_widgets.cache import cached
from lmdk_widgets.scenario.model import SEEDS, Scenario

_FIRST = Scenario.defaults()["hide_seed"]

UNDRAWN: dict[str, Any] = {"hide_draw": 1, "hide_seed": _FIRST}
"""The choices of dummies before any are drawn, as for other data."""


def protected(scenario: Scenario, n: int) -> tuple[int, ...]:
    """The timestamps that the scheme protects together: the landmarks, and their dummies where they are hidden.

    The seed of the dummies decides which ones, not that of the noise: the set stays the same while the data, the
    landmarks and the draw do. All files use it, as the landmarks are in every set that is chosen, and two sets would
    reveal them.

    Raises
    ------
    InputError : a landmark that is not one of the n timestamps, or too many sets for the method "optimal".

    Examples
    --------
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), hide=True)
    >>> protected(bob, 8), protected(bob.with_changes(hide=False), 8)
    ((0, 2, 3, 4, 5, 7), (0, 2, 4, 7))
    >>> protected(bob.with_changes(epsilon=0.1, scheme="skip", seed=7), 8)
    (0, 2, 3, 4, 5, 7)
    """
    if not (scenario.hide and scenario.landmarks):
        return scenario.landmarks
    return _drawn(scenario, n, scenario.hide_draw)


def seen_together(scenario: Scenario, n: int) -> tuple[int, ...]:
    """The timestamps that are protected in every draw so far: anyone who saw all of them looks for the landmarks
    there."""
    sets = [set(_drawn(scenario, n, draw)) for draw in range(1, scenario.hide_draw + 1)]
    return tuple(sorted(set.intersection(*sets)))


def _drawn(scenario: Scenario, n: int, draw: int) -> tuple[int, ...]:
    if scenario.joins_at_random:
        # a draw for other data must reveal nothing about these: no two have the same numbers
        state: tuple[int, ...] = (scenario.hide_seed, 2, draw, n, crc32(scenario.track.encode()))
        return _joined(n, scenario.landmarks, chance_of(scenario, n), state)
    how = (scenario.hide_epsilon, scenario.hide_method, scenario.hide_most)
    return _chosen(n, scenario.landmarks, *how, (scenario.hide_seed, 1, *(draw,)[: draw > 1]))


def chance_of(scenario: Scenario, n: int) -> float:
    """The chance with which each regular timestamp of n joins, where dummies are random."""
    if scenario.hide_joining == "stated":
        return scenario.hide_chance
    return proposed_chance(n, min(len(scenario.landmarks), n))


@cached("settings", entries=64, what="landmarks with random dummies")
def _joined(n: int, landmarks: tuple[int, ...], chance: float, state: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(protect_landmarks(n, landmarks, chance=chance, rng=np.random.default_rng(state)).tolist())


@cached("settings", entries=64, what="landmarks with dummies chosen by distance")
def _chosen(
    n: int, landmarks: tuple[int, ...], epsilon: float, method: str, most: int, state: tuple[int, ...]
) -> tuple[int, ...]:
    rng = np.random.default_rng(state)
    return tuple(protect_landmarks(n, landmarks, epsilon, rng=rng, method=method, most=most).tolist())


def dummies(scenario: Scenario, n: int) -> tuple[int, ...]:
    """The protected timestamps that are not landmarks."""
    return tuple(sorted(set(protected(scenario, n)) - set(scenario.landmarks)))


def settled(scenario: Scenario, n: int) -> Scenario:
    """The scenario with the method "greedy" where the track has too many sets to list."""
    most, marks = scenario.hide_most, len(scenario.landmarks)
    if scenario.hide and scenario.hide_method == "optimal" and marks <= n and not can_list(n, marks, most):
        return scenario.with_changes(hide_method="greedy")
    return scenario


def secret_seed() -> int:
    """A seed of dummies that nobody can guess, from the operating system."""
    return _FIRST + 1 + secrets.randbelow(SEEDS[1] - _FIRST)


def is_secret(seed: int) -> bool:
    """Whether a seed of dummies is not the public one."""
    return seed != _FIRST


def marked_columns(scenario: Scenario, n: int) -> dict[str, NDArray[np.bool_]]:
    """For a table with a row for each timestamp: whether it is a landmark, and whether it is protected as one."""
    found: dict[str, Any] = {"landmark": np.isin(np.arange(n), scenario.landmarks)}
    if scenario.hide:
        found["protected"] = np.isin(np.arange(n), protected(scenario, n))
    return found

"""What a study notes of each outcome: one number each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import distance_m
from lmdk_widgets.inference import averaging_attack, main_place
from lmdk_widgets.leakage.layouts import mean_distance, own_losses
from lmdk_widgets.scenario import sweep
from lmdk_widgets.scenario.dummies import landmark_chances
from lmdk_widgets.scenario.exposure import noise_budgets
from lmdk_widgets.scenario.found import FEW
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.odds import epsilon_at_delta
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.promised import Promised
from lmdk_widgets.scenario.sweep import Measure, mean_known
from lmdk_widgets.scenario.useful import reader_errors
from lmdk_widgets.trajectory.model import Trajectory


def _landmark_distance(outcome: Outcome) -> float:
    landmarks, n = outcome.scenario.landmarks, len(outcome)
    return mean_distance(n, landmarks) if 0 < len(landmarks) < n else nan


def _own_loss(outcome: Outcome) -> float:
    known = outcome.correlation
    return mean_known(own_losses(known.backward, known.forward, outcome.budgets, outcome.scenario.landmarks))


def _landmark_chance(outcome: Outcome) -> float:
    landmarks = outcome.scenario.landmarks
    return float(np.mean(landmark_chances(outcome)[list(landmarks)])) if landmarks else nan


def _landmark_odds(outcome: Outcome) -> float:
    k, n, after = len(outcome.scenario.landmarks), len(outcome), _landmark_chance(outcome)
    if not 0 < k < n:
        return nan
    return inf if after == 1 else after / (1 - after) * (n - k) / k


class Attacked(NamedTuple):
    """What an attacker who follows the data is off by, expected, mean over the timestamps, and her chance of the truth."""

    error_m: float
    right: float


class Released(NamedTuple):
    """An outcome, and what an attacker on it knows beforehand: at first no more than the correlation says, from anywhere."""

    outcome: Outcome
    knowledge: Knowledge = Knowledge()


def _attacked(released: Iterable[Released]) -> list[Attacked]:
    return _attacked_in(tuple(released))


@lru_cache(maxsize=1)
def _attacked_in(released: tuple[Released, ...]) -> list[Attacked]:
    """What she believes in each release, kept for the next measure of it."""
    from lmdk_widgets.scenario.adversary import attacks  # late: the first page loads none of it

    return [Attacked(float(worth.error_m.mean()), float(worth.right.mean())) for worth in attacks(released)]


@lru_cache(maxsize=4)
def _main_place(track: Trajectory) -> tuple[float, float, NDArray[np.bool_]]:
    return main_place(track.latitude, track.longitude)


@lru_cache(maxsize=1)
def _home_off(outcome: Outcome) -> float:
    """Metres from where averaging takes the main place to be in this release to where it is."""
    track = outcome.trajectory
    if not outcome.kind.placed or outcome.reports is not None:
        return nan
    *place, members = _main_place(track)
    if members.sum() < FEW:
        return nan
    spent, there = noise_budgets(outcome), members & outcome.published
    if not (there & (spent > 0)).any():
        return inf
    return float(distance_m(*averaging_attack(outcome.latitude, outcome.longitude, there, budgets=spent), *place))


def _home_found(outcome: Outcome) -> float:
    off_m = _home_off(outcome)
    return off_m if off_m != off_m else float(off_m <= outcome.scenario.radius_m)


def _spent_at_delta(outcome: Outcome) -> float:
    if outcome.scenario.spread.online:
        return Promised(outcome).all_loss
    return epsilon_at_delta(outcome, outcome.budgets)


_OWN = {
    "attacker_error_m": Measure(
        "metres, or in the unit of a series, by which an attacker is off who follows the data as the correlation says, from "
        "anywhere, over at most 225 cells, or the levels, or as `attacker_` axes say: the expected "
        "distance of her belief, mean over all timestamps; of answers the chance of the wrong one",
        lambda o: _attacked([Released(o)])[0].error_m,
    ),
    "attacker_right": Measure(
        "the chance that this attacker gives the true cell, level or answer, mean over all timestamps",
        lambda o: _attacked([Released(o)])[0].right,
    ),
    "home_off_m": Measure(
        "metres from the main place to where averaging takes it to be in this release, by an attacker who knows when one is "
        "there; missing of series, of cells and where no place has five timestamps; inf: no report of it",
        _home_off,
    ),
    "home_found": Measure(
        "1 where that is at most the protection radius, else 0: the mean is the share of releases in which it is found",
        _home_found,
    ),
    "spent_at_delta": Measure(
        "epsilon of all timestamps together at the delta; of schemes that choose budgets as they go their sum at most",
        _spent_at_delta,
    ),
    "protected": Measure(
        "the number of timestamps that are protected: the landmarks and their dummies",
        lambda o: float(len(o.protected)),
    ),
    "landmark_chance": Measure(
        "the mean chance of a landmark to be one, for someone who knows the protected timestamps, the method and the number "
        "of landmarks; missing where too many sets of landmarks would have to be tried",
        _landmark_chance,
    ),
    "landmark_odds": Measure(
        "by how much the odds of that chance are above those of a random timestamp; inf: all landmarks show",
        _landmark_odds,
    ),
    "own_loss": Measure(
        "the mean of what each regular timestamp loses by itself between the landmarks beside it", _own_loss
    ),
    "landmark_distance": Measure(
        "the mean distance of a regular timestamp to its nearest landmark, timestamps", _landmark_distance
    ),
}

MEASURES: dict[str, Measure] = {
    name: (sweep.MEASURES | _OWN)[name]
    for name in (
        *("mean_error_m", "median_error_m", "radius95_m", "pair_loss", "largest_total_loss", "mean_total_loss"),
        *("landmark_loss", "mean_landmark_loss", "landmark_bound", "own_loss", "theorem_sum", "published", "landmarks"),
        *("reader_error_m", "spread_m", "nothing_m", "attacker_error_m", "attacker_right", "spent_at_delta"),
        *("found_within_m", "guesses_right", "home_off_m", "home_found", "promised_one", "promised_landmarks"),
        *("landmark_distance", "protected", "landmark_chance", "landmark_odds"),
    )
}
"""Every measure by its name, which is also the name of its column."""

SLOW: dict[str, Callable[[Sequence[Released]], Iterable[float]]] = {
    "reader_error_m": lambda released: reader_errors([each.outcome for each in released]),
    "attacker_error_m": lambda released: (found.error_m for found in _attacked(released)),
    "attacker_right": lambda released: (found.right for found in _attacked(released)),
}
"""Measures that take longer than an evaluation, computed of several outcomes together, which takes less; `Study.read` says in
how many repetitions."""

DEFAULT_MEASURES = ("mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum")

"""The measures a study records for each outcome, one number each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.averaging_attack import FEW
from lmdk_widgets.answers.best_possible import best_possible
from lmdk_widgets.answers.dummies import landmark_chances
from lmdk_widgets.answers.odds import all_at_delta, chain_at_delta
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.report_budgets import noise_budgets
from lmdk_widgets.answers.usefulness import reader_errors
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import distance_m
from lmdk_widgets.inference import averaging_attack, main_place
from lmdk_widgets.leakage.layouts import mean_distance, own_losses
from lmdk_widgets.practice.chosen_practice import NOISY, Practice
from lmdk_widgets.practice.practised import practised
from lmdk_widgets.scenario.ground import mean_known
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep import rows
from lmdk_widgets.sweep.rows import Measure
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
    """Means over all timestamps: the error of an attacker who follows the data, and the chance of the truth; by_reader : 1
    where the error is by the reader's model, otherwise 0."""

    error_m: float
    right: float
    by_reader: float


class Compared(NamedTuple):
    """A practice of today, and whether its attacker knows which silences are the place's."""

    practice: Practice
    knows: bool


class Released(NamedTuple):
    """An outcome, what its attacker knows beforehand, by default only the correlation, starting anywhere, and what is done
    today beside it."""

    outcome: Outcome
    knowledge: Knowledge = Knowledge()
    practice: Compared | None = None


def _attacked(released: Iterable[Released]) -> list[Attacked]:
    return _attacked_in(tuple(released))


@cached("visitor", entries=1)
def _attacked_in(released: tuple[Released, ...]) -> list[Attacked]:
    """What the attacker finds out from each release, cached for the next measure of it."""
    from lmdk_widgets.answers.adversary import attacks  # late: the first page loads none of it

    return [
        Attacked(float(found.error_m.mean()), float(found.right.mean()), float(found.model == "reader"))
        for found in attacks([(each.outcome, each.knowledge) for each in released])
    ]


@cached("visitor", entries=4, what="the main place of a track")
def _main_place(track: Trajectory) -> tuple[float, float, NDArray[np.bool_]]:
    return main_place(track.latitude, track.longitude)


@cached("visitor", entries=1)
def _home_off(outcome: Outcome) -> float:
    """Metres between the main place and the estimate of it that averaging this release gives."""
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


class _Today(NamedTuple):
    """What a practice comes to: how near the place is found, the area looked at, a reader's error, metres and square metres,
    and the share of timestamps published."""

    found_m: float = nan
    area_m2: float = nan
    reader_m: float = nan
    published: float = nan


def _today(released: Iterable[Released]) -> Iterable[_Today]:
    for outcome, _, compared in released:
        if compared is None or not outcome.kind.placed:
            yield _Today()
            continue
        drawn = any(step.moved_m or step.name in NOISY for step in compared.practice.steps)
        yield _practised(*compared, outcome.trajectory, outcome.scenario.seed if drawn else 0)


@cached("visitor", entries=256, what="what the practices of a study come to")
def _practised(practice: Practice, knows: bool, track: Trajectory, seed: int) -> _Today:
    found = practised(practice, track, knows=knows, seed=seed)
    if found.published is None:
        return _Today()
    area = nan if found.looked is None else found.looked.area_m2
    return _Today(found.found_m, area, found.reader_m, len(found.published) / len(track))


def _spent_at_delta(outcome: Outcome) -> float:
    return min(all_at_delta(outcome), Promised(outcome).all_loss)


def _chain_at_delta(outcome: Outcome) -> float:
    found = chain_at_delta(outcome)
    return nan if found is None else min(found)


def _least_error(outcome: Outcome) -> float:
    best = best_possible(outcome)
    return nan if best is None else best.least_m


_OWN = {
    "attacker_error_m": Measure(
        "the attacker's error: metres, or in the unit of a series, from the best guess of an attacker who follows the data "
        "to the true place, mean over all timestamps; for answers, the share of wrong guesses. By the better of two "
        "models: the reader’s, and the chain chosen, from an even start over at most 225 cells, or the levels, unless "
        "the `attacker_` axes say otherwise",
        lambda o: _attacked([Released(o)])[0].error_m,
    ),
    "attacker_by_reader": Measure(
        "1 if that error is by the reader’s model, 0 if by the chain chosen: the mean is the share of releases",
        lambda o: _attacked([Released(o)])[0].by_reader,
    ),
    "attacker_right": Measure(
        "the probability that this attacker, by the chain chosen, assigns to the true cell, level or answer, mean over all "
        "timestamps",
        lambda o: _attacked([Released(o)])[0].right,
    ),
    "home_off_m": Measure(
        "metres between the main place and the estimate of an attacker who averages this release and knows when the person "
        "is there; missing for series, for cells and if no place has five timestamps; inf: the place is never reported",
        _home_off,
    ),
    "home_found": Measure(
        "1 if that is at most the protection radius, otherwise 0: the mean is the share of releases in which it is found",
        _home_found,
    ),
    "spent_at_delta": Measure(
        "epsilon of all timestamps together at delta; schemes that choose as they go count at the most they can spend",
        _spent_at_delta,
    ),
    "chain_at_delta": Measure(
        "the largest loss of a timestamp at delta if someone assumes the chain, an upper bound for this chain; missing where "
        "no such bound is known or it would take too long",
        _chain_at_delta,
    ),
    "least_error_m": Measure(
        "the limit of any mechanism with these budgets, whatever it reports: no reader of one comes nearer than so many "
        "metres on average; missing where nothing is proven",
        _least_error,
    ),
    "protected": Measure(
        "the number of protected timestamps: the landmarks and their dummies",
        lambda o: float(len(o.protected)),
    ),
    "landmark_chance": Measure(
        "the mean chance that a landmark is recognised as one, for someone who knows the protected timestamps, the method "
        "and the number of landmarks; missing if too many sets of landmarks would have to be tried",
        _landmark_chance,
    ),
    "landmark_odds": Measure(
        "how many times higher the odds of that chance are than a random timestamp’s; inf: all landmarks are exposed",
        _landmark_odds,
    ),
    "own_loss": Measure(
        "the mean loss of each regular timestamp by itself, between the landmarks next to it", _own_loss
    ),
    "landmark_distance": Measure(
        "the mean distance from a regular timestamp to its nearest landmark, in timestamps", _landmark_distance
    ),
}

_OF_PRACTICE = {
    "practice_found_m": "metres from the place that a practice of today hides to where its attack guesses; inf: nothing",
    "practice_area_m2": "square metres in which that attacker looks; missing for a guess without an area",
    "practice_reader_m": "metres by which a reader of what the practice publishes is off, mean over all timestamps",
    "practice_published": "the share of the timestamps that the practice publishes",
}
_OWN |= {name: Measure(meaning, lambda o: nan) for name, meaning in _OF_PRACTICE.items()}

MEASURES: dict[str, Measure] = {
    name: (rows.MEASURES | _OWN)[name]
    for name in (
        *("mean_error_m", "median_error_m", "radius95_m", "pair_loss", "largest_total_loss", "mean_total_loss"),
        *("landmark_loss", "mean_landmark_loss", "landmark_bound", "own_loss", "theorem_sum", "published", "landmarks"),
        *(
            "reader_error_m",
            "least_error_m",
            "spread_m",
            "nothing_m",
            "attacker_error_m",
            "attacker_by_reader",
            "attacker_right",
        ),
        *("spent_at_delta", "chain_at_delta"),
        *("found_within_m", "guesses_right", "home_off_m", "home_found", "promised_one", "promised_landmarks"),
        *("landmark_distance", "protected", "landmark_chance", "landmark_odds"),
        *_OF_PRACTICE,
    )
}
"""Every measure by name, which is also its column's name."""

SLOW: dict[str, Callable[[Sequence[Released]], Iterable[float]]] = {
    "reader_error_m": lambda released: reader_errors([each.outcome for each in released]),
    "attacker_error_m": lambda released: (found.error_m for found in _attacked(released)),
    "attacker_by_reader": lambda released: (found.by_reader for found in _attacked(released)),
    "attacker_right": lambda released: (found.right for found in _attacked(released)),
    "practice_found_m": lambda released: (found.found_m for found in _today(released)),
    "practice_area_m2": lambda released: (found.area_m2 for found in _today(released)),
    "practice_reader_m": lambda released: (found.reader_m for found in _today(released)),
    "practice_published": lambda released: (found.published for found in _today(released)),
}
"""Measures that take longer than an evaluation. Computing them for several outcomes together takes less time;
`Study.read` is the number of repetitions that have them."""

DEFAULT_MEASURES = ("mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum")

"""Useful, found and promised: the answers about an outcome as numbers, for programs.

The pages show the same numbers, from the same objects. Everything is computed from the true data, for their owner's eyes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.exposure import found_of
from lmdk_widgets.scenario.found_places import FoundPlace, Place
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.promised import Promised
from lmdk_widgets.scenario.silence import Silence
from lmdk_widgets.scenario.silence import silence as silence_at
from lmdk_widgets.scenario.spent import noise_budgets
from lmdk_widgets.scenario.stand_in import NAME
from lmdk_widgets.scenario.useful import Useful, useful

__all__ = [
    "Place",
    "Promised",
    "Silence",
    "Useful",
    "epsilon_for_found",
    "lasting_places",
    "promised",
    "silence",
    "useful",
]

_MOST_STEPS = 60
"""Steps of the search for an epsilon, each halving the interval."""


def promised(outcome: Outcome) -> Promised:
    """What an outcome promises, and about which secret.

    Parameters
    ----------
    outcome : of `evaluate`.

    Returns
    -------
    Promised
        `moment`, the most by which the log odds of one moment change, if moments are independent; `landmarks`, the same of
        the landmarks and any one other moment, None without landmarks; `stay` and `home`, a `KnownHours` each, or None;
        `chain`, the log odds of two cells under the chosen chain, or None; `guesses`, of 100 about one moment.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> found = promised(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    >>> round(found.moment, 3), round(found.guesses, 1), round(math.exp(found.home.half)), round(found.home.most)
    (0.111, 52.8, 25, 116)
    """
    return Promised(outcome)


def lasting_places(outcome: Outcome) -> tuple[Place, ...]:
    """Up to ten lasting places of a track with how near an attacker comes to each, the nearest first.

    Parameters
    ----------
    outcome : of `evaluate`, under planar Laplace.

    Returns
    -------
    tuple of Place
        Empty for a series, for cells, and for a track that lasts nowhere.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> places = lasting_places(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    >>> [(place.name, round(place.found_m), place.reports) for place in places[:2]]
    [('home', 93, 1044), ('work', 129, 539)]
    """
    found = found_of(outcome)
    return found.places if isinstance(found, FoundPlace) else ()


def silence(outcome: Outcome, timestamps: Sequence[int] | ArrayLike) -> Silence:
    """What the silences about a place give away if these timestamps are left out of the release.

    Parameters
    ----------
    outcome : of `evaluate`, for a track under planar Laplace; the budgets of its other timestamps are used.
    timestamps : indices from 0, or a boolean mask (n,).

    Returns
    -------
    Silence

    Raises
    ------
    InputError : no timestamp of the track; a series, or cells.

    Notes
    -----
    Guarantee: none, this is an attack by someone who knows which silences belong to the place.

    Examples
    --------
    >>> from lmdk_widgets.inference import main_place
    >>> from lmdk_widgets.scenario import Scenario
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> home = main_place(commuter.latitude, commuter.longitude)[2]
    >>> skip = Scenario(track="commuter", scheme="skip", landmarks=home.nonzero()[0])
    >>> found = silence(evaluate(skip, commuter), home)
    >>> found.ends, round(found.limit_m)
    (20, 364)
    """
    if not outcome.kind.placed or outcome.reports is not None or outcome.trajectory.name == NAME:
        raise InputError("Silences are computed for a track under planar Laplace, from the true track")
    n, members = len(outcome), np.asarray(timestamps)
    if members.dtype != bool:
        members = np.isin(np.arange(n), members)
    if members.shape != (n,) or not members.any():
        raise InputError("timestamps must contain at least one timestamp of the track", value=f"{int(members.sum())}")
    scenario = outcome.scenario
    return silence_at(outcome.trajectory, members, noise_budgets(outcome), scenario.radius_m, scenario.seed)


def epsilon_for_found(outcome: Outcome, distance_m: float) -> float:
    """The largest epsilon at which no lasting place is found nearer than this in half of all releases.

    ``eps X(eps) / D`` for the nearest place found by its reports; a search where X is not proportional to 1 / epsilon
    (Adaptive, and plans, whose target it is).

    Parameters
    ----------
    outcome : of `evaluate`, under planar Laplace. distance_m : D, metres, above 0.

    Returns
    -------
    epsilon, or the target of a plan; infinite where nothing is released at a lasting place; 0 where the silences about a
    place give it away nearer than that, which no epsilon changes.

    Raises
    ------
    InputError : a series, cells, budgets by hand; a distance that is not above 0.

    Notes
    -----
    This epsilon is chosen by looking at the data: whoever learns it learns a little about them.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> round(epsilon_for_found(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter), 200.0), 3)
    0.464
    """
    distance_m = positive(distance_m, "distance_m")
    scenario = outcome.scenario
    if not outcome.kind.placed or outcome.reports is not None or scenario.spread.by_hand:
        raise InputError("An epsilon for a distance needs a track under planar Laplace and a scheme with an epsilon")
    places = lasting_places(outcome)
    if any(place.silence is not None and place.silence.limit_m < distance_m for place in places):
        return 0.0
    released = [place for place in places if place.reports]
    if not released:
        return math.inf
    found_m, spent = min(place.reports_m for place in released), scenario[scenario.spread.spent]
    guess = float(spent * found_m / distance_m)
    if scenario.spread.fixed or scenario.spread.windowed:
        return guess
    return _searched(outcome, distance_m, guess)


def _searched(outcome: Outcome, distance_m: float, guess: float) -> float:
    """The same by bisection, where X falls with epsilon but not in proportion."""
    name = outcome.scenario.spread.spent

    def near(value: float) -> bool:
        there = lasting_places(evaluate(outcome.scenario.with_changes(**{name: value}), outcome.trajectory))
        return min((place.found_m for place in there), default=math.inf) < distance_m

    low, high = guess, guess
    while near(low) and low > guess / 1e6:
        low /= 2
    while not near(high) and high < guess * 1e6:
        high *= 2
    for _ in range(_MOST_STEPS):
        if high <= low * (1 + 1e-4):
            break
        middle = math.sqrt(low * high)
        low, high = (low, middle) if near(middle) else (middle, high)
    return low

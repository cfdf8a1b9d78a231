"""Useful, found and promised: the answers about an outcome as numbers, for programs.

The pages show the same numbers, from the same objects. Everything is computed from the true data, for their owner's eyes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.answers.answer_changes import Shift, nothing_worse, shifts
from lmdk_widgets.answers.exposure import found_places_of
from lmdk_widgets.answers.found_places import Place
from lmdk_widgets.answers.found_target import epsilon_for_found
from lmdk_widgets.answers.leaving_out import leave_out, leaving_out_sentence
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import noise_budgets
from lmdk_widgets.answers.silences import Silence
from lmdk_widgets.answers.silences import silence as silence_at
from lmdk_widgets.answers.usefulness import Useful, useful
from lmdk_widgets.checks import indices
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.outcome import Outcome

__all__ = [
    "Place",
    "Promised",
    "Shift",
    "Silence",
    "Useful",
    "epsilon_for_found",
    "lasting_places",
    "leave_out",
    "leaving_out_sentence",
    "nothing_worse",
    "promised",
    "shifts",
    "silence",
    "useful",
]


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
    >>> import math
    >>> from lmdk_widgets.scenario import Scenario, evaluate
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
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> places = lasting_places(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter))
    >>> [(place.name, round(place.found_m), place.reports) for place in places[:2]]
    [('home', 93, 1044), ('work', 129, 539)]
    """
    return found_places_of(outcome)


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
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> home = main_place(commuter.latitude, commuter.longitude)[2]
    >>> skip = Scenario(track="commuter", scheme="skip", landmarks=home.nonzero()[0])
    >>> found = silence(evaluate(skip, commuter), home)
    >>> found.ends, round(found.limit_m)
    (20, 364)
    """
    if not outcome.kind.placed or outcome.reports is not None or outcome.trajectory.name == RELEASE_NAME:
        raise InputError("Silences are computed for a track under planar Laplace, from the true track")
    n, members = len(outcome), np.asarray(timestamps)
    if members.dtype != bool:
        members = np.isin(np.arange(n), indices(members.tolist(), "timestamps", n))
    if members.shape != (n,) or not members.any():
        raise InputError("timestamps must contain at least one timestamp of the track", value=f"{int(members.sum())}")
    scenario = outcome.scenario
    return silence_at(outcome.trajectory, members, noise_budgets(outcome), scenario.radius_m, scenario.seed)

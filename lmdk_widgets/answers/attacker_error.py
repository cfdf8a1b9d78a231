"""How far off an attacker who follows the data is: from the best guess to the true place, by the better of two models.

An attacker can believe what the chain chosen under Attacker says, or follow the data as a careful reader does, whose model
is public. The model with the smaller mean error counts, so no attacker is weaker than the reader of the same release.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import errors_of_reader, reading_of, releases
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.inference import best_guesses
from lmdk_widgets.scenario.attacker_levels import Levels
from lmdk_widgets.scenario.grid import points_in
from lmdk_widgets.scenario.outcome import Outcome

CHAIN, READER = "chain", "reader"
"""The two models."""

MODELS = {CHAIN: "the chain chosen under Attacker", READER: "the reader’s model"}
"""What they are called."""

MOST_READ = 6_000_000
"""The most timestamps times states of a reader who sees only a part of the release: 50 MB."""


def true_places(outcome: Outcome, area: Area | Levels) -> Floats:
    """The true places, (n, 2) metres in the frame of an attacker's cells, or the true values (n,) of a series."""
    series = outcome.series
    if series is not None:
        return np.asarray(series.values, float)
    assert isinstance(area, Area)
    return points_in(area.frame, outcome.trajectory)


def distances_to(place: Floats, area: Area | Levels, states: np.ndarray) -> Floats:
    """(..., n) from the middle of a state at each of n timestamps to the true place or value, in the unit of the area."""
    off = area.points_m[states] - place
    return np.asarray(np.abs(off) if isinstance(area, Levels) else np.hypot(off[..., 0], off[..., 1]))


def errors_of_guesses(belief: Floats, area: Area | Levels, place: Floats) -> Floats:
    """(..., n) the same from the best guess of a belief (..., n, m)."""
    flat = belief.reshape(-1, belief.shape[-1])
    return distances_to(place, area, best_guesses(flat, area.distances_m).reshape(belief.shape[:-1]))


def errors_by_reader(outcomes: Sequence[Outcome], look: str = "smoothed") -> list[Floats | None]:
    """(n,) how far off an attacker is with the reader's model, for the release of each outcome; with the whole release
    these are the reader's own errors.

    None where a release replaces the true data, and where only a part of a long release is seen, which takes too much
    memory.

    Parameters
    ----------
    look : what the attacker sees: "smoothed", everything; "filtered", nothing later; "predicted", nothing earlier.
    """
    if not outcomes or outcomes[0].trajectory.name == RELEASE_NAME:
        return [None] * len(outcomes)
    if look == "smoothed":
        return list(errors_of_reader(tuple(outcomes)))
    return [_partly(outcome, look) for outcome in outcomes]


def _partly(outcome: Outcome, look: str) -> Floats | None:
    reading = reading_of(outcome)
    if len(outcome) * len(reading.points) > MOST_READ:
        return None
    (read,) = reading.follow([next(releases(outcome))], look)
    return reading.errors(read.estimates)


def counting(by_chain: Floats, by_reader: Floats | None) -> str:
    """The model with the smaller mean error; the chain where both are equal.

    Examples
    --------
    >>> counting(np.array([3.0, 1.0]), np.array([1.0, 2.0])), counting(np.array([3.0]), None)
    ('reader', 'chain')
    """
    return READER if by_reader is not None and by_reader.mean() < by_chain.mean() else CHAIN

"""What a study notes of each outcome: one number each."""

from __future__ import annotations

from math import inf, nan

import numpy as np

from lmdk_widgets.course.layouts import mean_distance, own_losses
from lmdk_widgets.scenario import sweep
from lmdk_widgets.scenario.dummies import landmark_chances
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import Measure, mean_known


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


_OWN = {
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
        *("reader_error_m", "spread_m", "nothing_m"),
        *("found_within_m", "guesses_right", "promised_one", "promised_landmarks"),
        *("landmark_distance", "protected", "landmark_chance", "landmark_odds"),
    )
}
"""Every measure by its name, which is also the name of its column."""

DEFAULT_MEASURES = ("mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum")

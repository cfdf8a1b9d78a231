"""What a study notes of each outcome: one number each."""

from __future__ import annotations

from math import nan

from lmdk_widgets.course.layouts import mean_distance, own_losses
from lmdk_widgets.scenario import sweep
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import Measure, mean_known


def _landmark_distance(outcome: Outcome) -> float:
    landmarks, n = outcome.scenario.landmarks, len(outcome)
    return mean_distance(n, landmarks) if 0 < len(landmarks) < n else nan


def _own_loss(outcome: Outcome) -> float:
    known = outcome.correlation
    return mean_known(own_losses(known.backward, known.forward, outcome.budgets, outcome.scenario.landmarks))


_OWN = {
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
        *("mean_error_m", "median_error_m", "radius95_m", "largest_total_loss", "mean_total_loss", "landmark_loss"),
        *("mean_landmark_loss", "landmark_bound", "own_loss", "theorem_sum", "published", "landmarks"),
        "landmark_distance",
    )
}
"""Every measure by its name, which is also the name of its column."""

DEFAULT_MEASURES = ("mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum")

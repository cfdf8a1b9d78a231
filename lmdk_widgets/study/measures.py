"""What a study notes of each outcome: one number each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import nan

import numpy as np

from lmdk_widgets.course.layouts import mean_distance, own_losses
from lmdk_widgets.scenario.curve import mean_known
from lmdk_widgets.scenario.outcome import Outcome


@dataclass(frozen=True)
class Measure:
    """A number of an outcome.

    Attributes
    ----------
    meaning : what it is, with its unit: metres of a track, of a series its own, though the name says `_m`; of answers errors
        are shares of wrong ones.
    of : computes it from an outcome.
    """

    meaning: str
    of: Callable[[Outcome], float]


def _landmark_distance(outcome: Outcome) -> float:
    landmarks, n = outcome.scenario.landmarks, len(outcome)
    return mean_distance(n, landmarks) if 0 < len(landmarks) < n else nan


def _own_loss(outcome: Outcome) -> float:
    known = outcome.correlation
    return mean_known(own_losses(known.backward, known.forward, outcome.budgets, outcome.scenario.landmarks))


MEASURES: dict[str, Measure] = {
    "mean_error_m": Measure(
        "metres, or in the unit of a series, between release and truth, mean over the timestamps that have a release",
        lambda o: o.mean_error_m,
    ),
    "median_error_m": Measure(
        "metres, or in the unit of a series, between release and truth, median over the timestamps that have a release",
        lambda o: o.median_error_m,
    ),
    "radius95_m": Measure(
        "metres, or in the unit of a series, within which 95 % of the noise of a measured timestamp lies, mean over "
        "those timestamps",
        lambda o: mean_known(o.radius95_m),
    ),
    "largest_total_loss": Measure("the largest total loss of a timestamp", lambda o: float(o.total.max())),
    "mean_total_loss": Measure("the mean total loss of a timestamp", lambda o: float(o.total.mean())),
    "landmark_loss": Measure(
        "the largest landmark loss, by the authors' count, no bound", lambda o: float(o.landmark.max())
    ),
    "mean_landmark_loss": Measure(
        "the mean landmark loss, by the authors' count, no bound", lambda o: float(o.landmark.mean())
    ),
    "landmark_bound": Measure(
        "the largest bound on the landmark loss; missing where it would take too long",
        lambda o: float(o.landmark_bound.max()),
    ),
    "own_loss": Measure(
        "the mean of what each regular timestamp loses by itself between the landmarks beside it", _own_loss
    ),
    "theorem_sum": Measure(
        "the largest of the Theorem's sums: what the landmarks and one other timestamp spend",
        lambda o: float(o.totals.max()),
    ),
    "published": Measure(
        "the share of the timestamps that were measured, 0 to 1", lambda o: float(np.mean(o.published))
    ),
    "landmarks": Measure("the number of landmarks", lambda o: float(len(o.scenario.landmarks))),
    "landmark_distance": Measure(
        "the mean distance of a regular timestamp to its nearest landmark, timestamps", _landmark_distance
    ),
}
"""Every measure by its name, which is also the name of its column."""

DEFAULT_MEASURES = ("mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum")

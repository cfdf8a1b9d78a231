"""What is measured of each defence, and the side of the cells that it reports."""

from __future__ import annotations

from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.trajectory.model import Trajectory

OWN_ERROR, READER_ERROR, REGULAR_ERROR = "mean_error_m", "reader_error_m", "reader_regular_m"
"""Measures of a defence, metres: between release and truth, NaN where nothing is released; the reader's error over all
timestamps, and over the regular ones (all, where all are landmarks)."""

ATTACKER_ERROR, BY_READER, ATTACKER_CHANCE = "attacker_error_m", "attacker_by_reader", "attacker_chance"
"""The attacker's error, metres; 1 where it is by the reader's model, 0 by the chosen chain; this chain's chance of the true
cell."""

AT_LANDMARKS, NEAREST = "attacker_landmarks_m", "nearest_found_m"
"""The attacker's error over the landmarks, metres; within how many metres someone who knows when you are there finds the
nearest lasting place."""

PROMISES = "promised_one", "promised_landmarks", "promised_all", "promised_window", "promised_total"
"""What is promised, as losses: about one moment, about the landmarks and any one other, about all moments, about any window,
and the total loss; the last two are NaN unless the present scheme promises them."""


def place_of(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> float:
    """The side of the cells that are reported, metres: the chosen one; under planar Laplace the smallest that a channel
    over the region allows, and for cells of the track that of the attacker's cells.

    Raises
    ------
    InputError : a series, which has no places.
    """
    from lmdk_widgets.answers.prior_moves import attacker_grid
    from lmdk_widgets.scenario.reportable_cells import place_size_m

    if scenario.mechanism != "planar":
        return scenario.place_m
    if scenario.cells == "track":
        return attacker_grid(knowledge, trajectory).cell_m
    return place_size_m(region_of(scenario, trajectory)) or scenario.place_m

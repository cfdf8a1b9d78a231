"""What of the places page is saved as data: the channel matrix with its certificate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import smallest_epsilon
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.plain_table import table_csv
from lmdk_widgets.scenario.places.mechanisms import LEAST, Assessment
from lmdk_widgets.scenario.places.model import MECHANISMS
from lmdk_widgets.scenario.places.outcome import Outcome

OWN_NOTE = f"{NOTE}; made from a file of your own, whose places the prior and the cells tell of"
"""What a channel says whose cells or prior come from the user's own track or check-ins."""


def channel_csv(outcome: Outcome, *, own: bool) -> str:
    """The channel on the map as CSV: a row for each true cell, a column for each report, and its certificate beside them.

    Columns are `cell` (as the page names it); its corners in degrees, or for cells of one's `own` in metres from the corner
    of them all, so that no coordinate leaves the page; `prior`; `p_reported_A1` and so on, the probability of each report,
    which sum to 1 in a row; then the same in each row: `epsilon_checked_per_m`, computed anew from the very matrix over all
    pairs of cells and all reports; `epsilon_certified_per_m` and `epsilon_asked_per_m`; `quality_loss_m`,
    `least_loss_proven_m` and `gap`, where the mechanism is one of the least loss; `adversary_error_m`; `dilation`;
    `mechanism`.

    Raises
    ------
    InputError : while the mechanism is not there yet.
    """
    present = outcome.present
    if present is None:
        raise InputError("The mechanism must be solved before it is saved", value="not there yet", remedy="Wait for it")
    n = len(outcome.instance)
    matrix = present.channel.matrix
    columns: dict[str, Any] = {"cell": outcome.area.names, **_corners(outcome, own), "prior": outcome.instance.prior}
    columns |= {f"p_reported_{name}": matrix[:, k] for k, name in enumerate(outcome.area.names)}
    columns |= {name: [value] * n for name, value in _certified(outcome, present).items()}
    return table_csv(columns, note=OWN_NOTE if own else NOTE)


def _corners(outcome: Outcome, own: bool) -> dict[str, np.ndarray]:
    """Where each cell lies: its outermost degrees, or metres from the south-west corner of all cells."""
    area = outcome.area
    if own:
        low = (area.squares - area.squares.min(axis=0)) * area.cell_m
        ends = np.concatenate((low, low + area.cell_m), axis=1)
        return dict(zip(("west_m", "south_m", "east_m", "north_m"), ends.T, strict=True))
    latitude, longitude = area.corners
    # a square of the frame is not quite one of degrees: all four corners are told
    sides = ("south_west", "south_east", "north_east", "north_west")
    found = {f"{side}_latitude_deg": latitude[:, k] for k, side in enumerate(sides)}
    return found | {f"{side}_longitude_deg": longitude[:, k] for k, side in enumerate(sides)}


def _certified(outcome: Outcome, present: Assessment) -> dict[str, Any]:
    channel = present.channel
    least = outcome.places.mechanism in LEAST
    return {
        "epsilon_checked_per_m": smallest_epsilon(channel.matrix, outcome.instance.distances_m),
        "epsilon_certified_per_m": channel.epsilon,
        "epsilon_asked_per_m": channel.requested_epsilon,
        "quality_loss_m": present.loss_m,
        "least_loss_proven_m": channel.bound if least else math.nan,
        "gap": channel.gap if least else math.nan,
        "adversary_error_m": present.error_m,
        "dilation": channel.dilation,
        "mechanism": MECHANISMS[outcome.places.mechanism].split(":")[0],
    }

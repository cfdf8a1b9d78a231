"""What an adversary who follows the track is assumed to know beforehand, and what can be followed with it.

What follows from it, the cells and how people are believed to move, is computed in `prior_moves`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.names import MovesName, StartName
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import Slider, choice, number, whole
from lmdk_widgets.scenario.attacker_levels import check_levels, how_many
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.model import LENGTHS, MOST_CELLS, Scenario
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

STARTS: dict[str, str] = {
    "uniform": "Anywhere: every cell, or level of values, is as likely as any other.",
    "days": "Habits of other days: how often the data were in each cell or level on the days that are not attacked.",
    "people": "Where people are: how often anyone is in each cell, from your check-ins or a made-up city.",
    "track": "These very data: how often they are in each cell or level, the worst case.",
}
"""Where an adversary who follows a track or a series believes it to start."""

MOVES: dict[str, str] = {
    "page": "As the correlation says: it gives the chance of staying; all other moves are equally likely.",
    "near": "To nearby states: the farther a cell or a level of values, the less likely a move to it.",
    "days": "Habits of other days: how the data moved on the days that are not attacked.",
    "track": "These very data: how they move, the worst case.",
}
"""How an adversary who follows a track or a series believes it to move."""

_CELLS = Slider(25, MOST_CELLS, step=25, ends=("coarse", "fine"))


@dataclass(frozen=True)
class Knowledge(Choices):
    """What an adversary who follows a track or a series knows beforehand.

    Attributes
    ----------
    cells : the most cells of a grid over the track that are distinguished. start : where the attacker starts, a key of
        `STARTS`. moves : what the attacker believes about moves, a key of `MOVES`. step_m : the length by which a nearby
        move is e times less likely, metres, or in the unit of a series.
    """

    cells: int = whole(225, (9, MOST_CELLS), "Cells at most", subject="The number of cells", slider=_CELLS)
    start: StartName = choice("uniform", STARTS, "Where the attacker starts")
    moves: MovesName = choice("page", MOVES, "What the attacker believes about moves")
    step_m: float = number(1000.0, LENGTHS, "A move nearby", subject="The length of a move", unit="m")


MAX_FOLLOWED = 20_000
"""The longest track that is followed on a page: some seconds."""


def check_followed(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> None:
    """Refuses what takes too long to follow, levels that are too narrow, and check-ins where there are no places."""
    n = len(trajectory)
    if n > MAX_FOLLOWED:
        what = f"at most {MAX_FOLLOWED:,} timestamps for an adversary who follows it"
        raise refused(f"the {kind_of(trajectory).data}", what, f"{n:,}", remedy="Cut it to the days that matter")
    if knowledge.start == "people" and not kind_of(trajectory).placed:
        what = "An adversary who starts where people are must follow a track of places"
        raise InputError(what, value="a series of values", remedy="Choose another start")
    if isinstance(trajectory, Series):
        check_levels(scenario, trajectory)


def states_at_most(scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> int:
    """The most cells or levels that are distinguished."""
    return how_many(scenario, trajectory) if isinstance(trajectory, Series) else knowledge.cells

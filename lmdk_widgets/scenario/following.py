"""When the page computes what an adversary infers: at once where it takes next to no time, else beside the page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.model import HERS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from lmdk_widgets.scenario.adversary import Inferred

MAX_FOLLOWED = 20_000
"""Longest track that she follows on a page: some seconds."""

AT_ONCE = 70_000
"""Timestamps times cells whose beliefs are there with the outcome: 288 times 225, and a little more."""

VIEWS = ("infer_at", "infer_cell", "defences")
"""Choices of what is looked at of her beliefs."""


def at_hand(outcome: Outcome) -> Inferred | None:
    """What she infers, as far as it is known or takes next to no time; None: not wanted, or not known yet."""
    scenario = outcome.scenario
    known: Inferred | None = outcome.__dict__.get("inferred")
    if known is None and scenario.infer and len(outcome) * states_at_most(scenario, outcome.trajectory) <= AT_ONCE:
        known = outcome.inferred
    return known


def playable(outcome: Outcome) -> NDArray[np.uint8] | None:
    """(n, m) what the map shows at every timestamp; None where it was not made yet."""
    found = at_hand(outcome)
    marks: NDArray[np.uint8] | None = None if found is None else found.__dict__.get("marks")
    return marks


def followed(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with what she infers, and then with what the map shows at every timestamp."""
    if outcome.inferred is not None:
        yield outcome
        outcome.inferred.marks  # noqa: B018  made once, here beside the page
        yield outcome.improved()


def states_at_most(scenario: Scenario, trajectory: Trajectory) -> int:
    """How many cells or levels she tells apart at most."""
    if not isinstance(trajectory, Series):
        return scenario.infer_cells
    from lmdk_widgets.scenario.her_levels import how_many

    return how_many(scenario, trajectory)


def check_length(scenario: Scenario, trajectory: Trajectory) -> None:
    """Refuses what takes too long to follow, levels that are too narrow, and check-ins where there are no places."""
    if not scenario.infer:
        return
    n = len(trajectory)
    if n > MAX_FOLLOWED:
        what = f"at most {MAX_FOLLOWED:,} timestamps for an adversary who follows it"
        raise refused(f"the {kind_of(trajectory).data}", what, f"{n:,}", remedy="Cut it to the days that matter")
    if scenario.infer_start == "people" and not kind_of(trajectory).placed:
        what = "An adversary who starts where people are must follow a track of places"
        raise InputError(what, value="a series of values", remedy="Choose another start")
    if isinstance(trajectory, Series):
        from lmdk_widgets.scenario.her_levels import check_levels

        check_levels(scenario, trajectory)


@lru_cache(maxsize=16)
def asked(scenario: Scenario, aside: tuple[str, ...]) -> Scenario | None:
    """What her beliefs depend on, where they are wanted; `aside`: choices that change no release."""
    if not scenario.infer:
        return None
    start = scenario.defaults()
    others = [name for name in aside if name not in HERS]
    return scenario.with_changes(**{name: start[name] for name in (*VIEWS, *others, "average")})


def progress(outcome: Outcome) -> Progress | None:
    """What is under way where she follows the track; None: nothing."""
    if outcome.scenario.infer and at_hand(outcome) is None:
        return Progress(f"Following the {outcome.kind.data}: what an adversary infers.")
    return None

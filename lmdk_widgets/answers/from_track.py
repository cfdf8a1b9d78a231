"""What a mechanism or a plan takes from the very data that it protects: its warnings, and what files say about it.

Cells, grids, priors and chains that a mechanism uses are part of its description, and its guarantee takes them as
known. Where they come from the data, they reveal something about the data, whatever the budget.
"""

from __future__ import annotations

from collections.abc import Iterable

from lmdk_widgets.scenario.model import MECHANISMS, Scenario
from lmdk_widgets.scenario.people import without
from lmdk_widgets.scenario.region import is_proposed
from lmdk_widgets.trajectory.model import Trajectory

_FROM_CELLS = (
    "{name} is made from the cells that the track visits and from how often it is in each: what a mechanism uses must "
    "not depend on the data that it protects. With hardly any budget it reports, at every timestamp, the cell that is "
    "nearest to the track on average, and the promise does not count that. Before you rely on it, choose cells of the "
    "region, or planar Laplace, which needs no cells."
)
_FROM_GRID = (
    "The grid of {name} is laid over the track and what lies around it: what a mechanism uses must not depend on the "
    "data that it protects. Which cells can be reported reveals where the track is, and the promise does not count "
    "that. Before you rely on it, choose cells of the region, or planar Laplace, which needs no grid."
)
_FROM_PEOPLE = (
    "{name} is made for your check-ins: they are secrets of the people who made them, and its reports reveal "
    "something about them, which no promise here counts."
)
_FROM_CHAIN = (
    "The plan is made for a chain that is estimated from the very data that it protects, so its budgets depend on "
    "them: the promise does not count what they reveal. Before you rely on it, assume a chain, or give one that was "
    "estimated from other data."
)
_CELLS, _GRID, _CHAIN = "cells and their prior", "grid", "budgets, by an estimated chain,"
_REGION = "region, which nobody has confirmed,"
_SHORT = "its {what} come{s} from the data that it protects, which no guarantee covers"


def from_track(scenario: Scenario, trajectory: Trajectory | None = None) -> bool:
    """Whether the release takes something from the data that it protects: from this track, or from the scenario's.

    Examples
    --------
    >>> from_track(Scenario(mechanism="optimal")), from_track(Scenario(mechanism="optimal", cells="track"))
    (False, True)
    >>> from_track(Scenario(correlation="estimated")), from_track(Scenario(scheme="planned", correlation="estimated"))
    (False, True)
    >>> from_track(Scenario(track="", mechanism="optimal"))  # its region is a proposal
    True
    """
    return bool(_taken(scenario, trajectory))


def track_warnings(scenario: Scenario, trajectory: Trajectory) -> list[str]:
    """A sentence or more on each thing that is taken from the data, except for the region, which has its own
    warning."""
    name = MECHANISMS[scenario.mechanism].partition(":")[0]
    told = {_CELLS: _FROM_CELLS, _GRID: _FROM_GRID, _CHAIN: _FROM_CHAIN}
    found = [told[what].format(name=name) for what in _taken(scenario, trajectory) if what in told]
    made_for = scenario.cells == "people" and scenario.mechanism not in ("planar", "randomised")
    return found + ([_FROM_PEOPLE.format(name=name)] if made_for and without(trajectory) is not trajectory else [])


def noted(note: str, scenario: Scenario, trajectory: Trajectory | None = None) -> str:
    """The note of a file with what its release took from the data.

    Examples
    --------
    >>> noted("simulation", Scenario()), noted("simulation", Scenario(mechanism="randomised", cells="track"))
    ('simulation', 'simulation; its grid comes from the data that it protects, which no guarantee covers')
    """
    return "; ".join((note, *_short(_taken(scenario, trajectory))))


def _short(taken: Iterable[str]) -> list[str]:
    return [_SHORT.format(what=what, s="s" if what in (_GRID, _REGION) else "") for what in taken]


def _taken(scenario: Scenario, trajectory: Trajectory | None) -> list[str]:
    plan = [_CHAIN] if scenario.spread.plans and scenario.correlation == "estimated" else []
    if scenario.mechanism == "planar":
        return plan
    if scenario.cells == "track":
        return [_GRID if scenario.mechanism == "randomised" else _CELLS, *plan]
    unknown = not (scenario.region or scenario.track)
    return [_REGION, *plan] if (unknown if trajectory is None else is_proposed(scenario, trajectory)) else plan

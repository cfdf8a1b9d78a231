"""What a mechanism or a plan takes from the very data that it protects: its warnings, and what files say of it.

Cells, grids, priors and chains that a mechanism uses are a part of its description, and its guarantee takes them as known.
Where they come from the data, they tell of the data, whatever the budget is.
"""

from __future__ import annotations

from collections.abc import Iterable

from lmdk_widgets.scenario.model import MECHANISMS, Scenario

_FROM_CELLS = (
    "{name} is made from the cells that the track visits and from how often it is in each: what a mechanism uses must not "
    "depend on the data that it protects. With hardly any budget it reports, at every timestamp, the cell that is least far "
    "from the track on average, and the promise does not count that. Before you rely on it choose planar Laplace, which "
    "needs no cells."
)
_FROM_GRID = (
    "The grid of {name} is laid over the track and what lies around it: what a mechanism uses must not depend on the data "
    "that it protects. Which cells can be reported tells where the track is, and the promise does not count that. Before you "
    "rely on it choose planar Laplace, which needs no grid."
)
_FROM_CHAIN = (
    "The plan is made for a chain that is estimated from the very data that it protects, so that its budgets depend on them: "
    "the promise does not count what they tell. Before you rely on it assume a chain, or give one that was estimated from "
    "other data."
)
_CELLS, _GRID, _CHAIN = "cells and their prior", "grid", "budgets, by an estimated chain,"
_SHORT = "its {what} come{s} from the data that it protects, which no guarantee covers"


def from_track(scenario: Scenario) -> bool:
    """Whether what releases takes something from the data that it protects.

    Examples
    --------
    >>> from_track(Scenario(mechanism="optimal")), from_track(Scenario(correlation="estimated"))
    (True, False)
    >>> from_track(Scenario(scheme="planned", correlation="estimated"))
    True
    """
    return bool(_taken(scenario))


def track_warnings(scenario: Scenario) -> list[str]:
    """A sentence or more on each thing that is taken from the data."""
    name = MECHANISMS[scenario.mechanism].partition(":")[0]
    told = {_CELLS: _FROM_CELLS, _GRID: _FROM_GRID, _CHAIN: _FROM_CHAIN}
    return [told[what].format(name=name) for what in _taken(scenario)]


def noted(note: str, scenario: Scenario) -> str:
    """The note of a file with what its release took from the data.

    Examples
    --------
    >>> noted("simulation", Scenario()), noted("simulation", Scenario(mechanism="randomised"))
    ('simulation', 'simulation; its grid comes from the data that it protects, which no guarantee covers')
    """
    return "; ".join((note, *_short(_taken(scenario))))


def _short(taken: Iterable[str]) -> list[str]:
    return [_SHORT.format(what=what, s="s" if what == _GRID else "") for what in taken]


def _taken(scenario: Scenario) -> list[str]:
    mechanism = {"planar": [], "randomised": [_GRID]}.get(scenario.mechanism, [_CELLS])
    plan = [_CHAIN] if scenario.spread.plans and scenario.correlation == "estimated" else []
    return [*mechanism, *plan]

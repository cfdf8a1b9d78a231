"""What an adversary who follows a series distinguishes: levels of equal width between the bounds, or the two answers.

They correspond to the cells of a map. Which levels there are depends on the bounds and the width, not on the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import written
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.ground import Numbers, ground_of
from lmdk_widgets.scenario.model import MOST_CELLS, Scenario
from lmdk_widgets.trajectory.series import Series

MOST_NUMBERS = 4_000_000
"""Timestamps times states: beliefs take about 80 bytes for each."""

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Levels:
    """m levels of values, the lowest first, or the answers no and yes; lengths are in the unit of the series, though
    they are called `_m` like those of cells.

    Attributes
    ----------
    edges : (m + 1,) where levels begin and end, the first and the last at the bounds. For answers: -0.5, 0.5 and 1.5.
    cell_m : width of a level; one at a bound may be narrower.
    names : what each contains. answers : whether they are the two answers.
    """

    edges: Floats
    cell_m: float
    names: tuple[str, ...]
    answers: bool = False

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def points_m(self) -> Floats:
        """(m,) the middle of each level, which the attacker takes for every value in it. It lies within the bounds."""
        return (self.edges[1:] + self.edges[:-1]) / 2

    @cached_property
    def distances_m(self) -> Floats:
        """(m, m) distances between the middles."""
        return np.asarray(np.abs(np.subtract.outer(self.points_m, self.points_m)), float)

    def cell_of(self, values: Floats) -> NDArray[np.int64]:
        """The level that contains each value; for a value beyond the bounds, the nearest one."""
        return np.searchsorted(self.edges[1:-1], values, side="right").astype(np.int64)


def levels_of(scenario: Scenario, series: Series) -> Levels:
    """What the attacker distinguishes in a series.

    Raises
    ------
    InputError : levels so narrow that there are too many between the bounds.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample_series
    >>> levels = levels_of(Scenario(level_width=1.5), sample_series("household"))
    >>> levels.names, levels.points_m.tolist(), levels.cell_of(np.array([0.2, 1.5, 6.0])).tolist()
    (('0 to 1.5 kWh', '1.5 to 3 kWh', '3 to 4.5 kWh', '4.5 to 6 kWh'), [0.75, 2.25, 3.75, 5.25], [0, 1, 3])
    >>> levels_of(Scenario(), sample_series("contacts")).names
    ('alone', 'near')
    """
    if series.is_answers:
        return _answers(series.answers)
    check_levels(scenario, series)
    return _numbers(*_span(scenario, series), scenario.level_width, series.unit)


def how_many(scenario: Scenario, series: Series) -> int:
    """How many levels the attacker would distinguish."""
    if series.is_answers:
        return 2
    (lower, upper), width = _span(scenario, series), scenario.level_width
    return int(max(1.0, np.ceil(upper / width - _ROUNDING) - np.floor(lower / width + _ROUNDING)))


def most_levels(n: int) -> int:
    """The most levels that the attacker may distinguish in a series of n timestamps."""
    return min(MOST_CELLS, MOST_NUMBERS // n)


def check_levels(scenario: Scenario, series: Series) -> None:
    """Refuses levels that are too narrow."""
    count, most = how_many(scenario, series), most_levels(len(series))
    if count > most:
        what = f"An adversary who follows the series must distinguish at most {most:,} levels"
        width = written(scenario.level_width)
        value = sentence("{levels} of width {level_width}", levels=f"{count:,}", level_width=width)
        raise InputError(what, value=value, remedy="Choose wider levels")


def _span(scenario: Scenario, series: Series) -> tuple[float, float]:
    ground = ground_of(scenario, series)
    assert isinstance(ground, Numbers)
    return ground.lower, ground.upper


@cached("settings", entries=8, what="the answers that an attacker distinguishes")
def _answers(answers: tuple[str, str]) -> Levels:
    return Levels(np.array([-0.5, 0.5, 1.5]), 1.0, answers, True)


@cached("settings", entries=8, what="the levels that an attacker distinguishes")
def _numbers(lower: float, upper: float, width: float, unit: str) -> Levels:
    first, last = np.floor(lower / width + _ROUNDING), np.ceil(upper / width - _ROUNDING)
    edges = np.concatenate(([lower], np.arange(first + 1, last) * width, [upper]))
    ends = [f"{edge:,.6g}" for edge in edges.tolist()]
    names = (f"{a} to {b} {unit}".rstrip() for a, b in pairwise(ends))
    return Levels(edges, width, tuple(names))

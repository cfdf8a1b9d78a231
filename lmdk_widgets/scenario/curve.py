"""The trade-off of a track: how far off each scheme is, and what it loses, at every epsilon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.model import HERS, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.sweep import Row, grid, served
from lmdk_widgets.trajectory.model import Trajectory

EPSILONS = tuple(float(f"{epsilon:.6g}") for epsilon in np.geomspace(0.01, 10, 19))
"""Where the curves have their points; a plan has its target there."""


@dataclass(frozen=True, eq=False)
class Line:
    """One scheme at all `EPSILONS`, under the scenario's other choices.

    Attributes
    ----------
    rows : (k,) a row for each of `EPSILONS`, with the measures of `EXPECTED`; ``line[name]`` is (k,) one of them.
    """

    rows: tuple[Row, ...]

    def __getitem__(self, name: str) -> Floats:
        return np.array([row[name] for row in self.rows])

    @property
    def scheme(self) -> str:
        """A key of `SCHEMES`."""
        return self.rows[0].scheme

    @property
    def mechanism(self) -> str:
        """A key of `MECHANISMS`; "planar" where the scenario's cannot serve the scheme."""
        return self.rows[0].mechanism

    @property
    def exact(self) -> bool:
        """Whether the errors are the expected ones; else they are means of `DRAWS` releases, with a band."""
        return all(row.exact for row in self.rows)


def trade_off(scenario: Scenario, trajectory: Trajectory) -> Iterator[Line]:
    """The line of every scheme in the order of `SCHEMES`; none for a scheme that the track is too long to draw.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> lines = {line.scheme: line for line in trade_off(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))}
    >>> at_one = EPSILONS.index(1.0)
    >>> [round(float(lines[scheme]["error_m"][at_one])) for scheme in ("event", "window", "uniform", "user")]
    [400, 1200, 2000, 3200]
    """
    for scheme in SCHEMES:
        line = _line(asked(scenario, scheme), trajectory)
        if line is not None:
            yield line


def asked(scenario: Scenario, scheme: str) -> Scenario:
    """The scenario with all that makes no difference to a line as it is at first, so that its line is found again."""
    start = scenario.defaults()
    shown = {
        "compare": False,
        "curve": False,
        "turned": False,
        "landmark_loss": False,
        "propose": False,
        "utc": False,
        "average": False,
        **{name: start[name] for name in HERS},
        "table": False,
    }
    same: dict[str, Any] = {**served(scenario, scheme), "epsilon": 1.0, "target": 1.0}
    same["budgets"] = scenario.budgets if SPREADS[scheme].by_hand else ()
    seen = {
        "against": "epsilon",
        "curve_error": "mean",
        "wanted_error_m": 500.0,
        "wanted_loss": 1.0,
        "pinned": "",
        "table_of": "",
    }
    return scenario.with_changes(**shown, **same, **seen)


@lru_cache(maxsize=64)
def _line(scenario: Scenario, trajectory: Trajectory) -> Line | None:
    pairs = [(epsilon, scenario.radius_m) for epsilon in EPSILONS]
    rows = tuple(row for some in grid(scenario, trajectory, pairs) for row in some)
    return Line(rows) if rows else None

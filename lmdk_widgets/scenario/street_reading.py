"""How somebody who knows the streets reads a release: the reader's model of movement, on points of the streets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.inference.forward_backward import passes
from lmdk_widgets.inference.reader import (
    PublicWay,
    Step,
    blocks,
    carries,
    chance_of_leaving,
    length_of_moves,
    rounded_gaps,
)
from lmdk_widgets.inference.streets import StreetPoints, with_detours
from lmdk_widgets.scenario.ground import Places
from lmdk_widgets.scenario.reading import PlaceReading, Read

DETOUR = 2.0
"""How many times a detour counts."""

AT_A_TIME = 40_000_000
"""Products of states that are computed before others have a turn: about 30 ms."""


class StreetReading(PlaceReading):
    """For a track under planar Laplace, by somebody who believes that it follows streets.

    States are points on streets instead of cells, and a move is as far as its route, with its detour twice more. All else
    is the reader's: how long a stay lasts, how far a move goes in its time, one move in a thousand to anywhere, so that no
    report is impossible, and the exact likelihood of every report.
    """

    def __init__(self, ground: Places, region: Region, points: StreetPoints, routes: Floats) -> None:
        """points : metres in the frame of the region. routes : (m, m) metres, as from `route_steps`."""
        super().__init__(ground, region)
        self.points = self.seen_at = points.places
        east, north = (np.subtract.outer(points.places[:, axis], points.places[:, axis]) for axis in (0, 1))
        self.distances = np.hypot(east, north)
        self.own_cell = points.every_m / 4
        self._far = with_detours(routes, self.distances, DETOUR)
        self._ways: dict[float, PublicWay] = {}

    def steps(self, starts: NDArray[np.int64]) -> list[Step]:
        cell_m = self.area.cell_m  # a stay is as long as for the reader without streets
        gaps = rounded_gaps(self.time[starts]).tolist()
        return [(self._way_of(length_of_moves(gap, cell_m)), chance_of_leaving(gap, cell_m)) for gap in gaps]

    def _way_of(self, length_m: float) -> PublicWay:
        if length_m not in self._ways:
            self._ways[length_m] = PublicWay.nearby(self._far, length_m)
        return self._ways[length_m]

    def read_steps(self, released: Release) -> Iterator[Read | None]:
        """What is read from one release: `follow`, with None after each piece of the work."""
        n, m = len(self.truth), len(self.points)
        starts = blocks(n, self.most_blocks)
        weights, moves = self.weights([released], starts), carries(self.moves)
        posterior, pause = np.array(weights), max(1, AT_A_TIME // m**2)
        for i, (before, after) in enumerate(passes(moves, moves, weights), start=1):
            posterior[i] *= before
            posterior[-1 - i] *= after
            if not i % pause:
                yield None
        posterior /= posterior.sum(axis=2, keepdims=True)
        yield self._read(released, posterior[:, 0], np.repeat(np.arange(len(starts)), np.diff(starts, append=n)))

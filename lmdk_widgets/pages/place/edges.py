"""The spanner as the map draws it: its edges, and which of their constraints the mechanism meets with equality."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind import Channel, spanner
from lmdk_widgets.pages.place.outcome import NEVER, Outcome

TIGHT = 1e-6
"""A constraint whose two sides differ by less than this share of its ε d binds."""


class Edges(NamedTuple):
    """Edges of the spanner: (k, 2) cells, whether each binds (k,), and whether that refers to one report only."""

    cells: NDArray[np.intp]
    binding: NDArray[np.bool_]
    of_report: bool


def edges_of(outcome: Outcome) -> Edges | None:
    """The spanner's edges if the map shows its mechanism, else None.

    An edge binds if the chances of a report from its two cells differ as much as the constraint allows: for the clicked
    report, or for any report if a true place was clicked. Nothing binds while there is no mechanism.
    """
    places, instance, present = outcome.places, outcome.instance, outcome.present
    if places.mechanism != "spanner":
        return None
    cells = _spanner_edges(instance.distances_m.tobytes(), len(instance), places.dilation)
    of_report = places.click == "report"
    if present is None:
        return Edges(cells, np.zeros(len(cells), bool), of_report)
    tight = binding(present.channel, cells, instance.distances_m)
    if of_report:
        tight = tight[:, [outcome.shown.selected]]
    return Edges(cells, np.asarray(tight.any(axis=1)), of_report)


def binding(channel: Channel, cells: NDArray[np.intp], distances_m: Floats) -> NDArray[np.bool_]:
    """Which constraints hold with equality, (k, n) over edges and reports; a report that is never made binds nothing.

    The constraint of an edge (x, x') and a report z: ``|ln K_xz - ln K_x'z| <= (epsilon / dilation reached) d(x, x')``.

    Examples
    --------
    >>> half = Channel(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]), 1 / 3, np.log(2), 0.0, np.log(2))
    >>> binding(half, np.array([[0, 1]]), np.array([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [[True, True]]
    """
    first, second = channel.matrix[cells[:, 0]], channel.matrix[cells[:, 1]]
    allowed = channel.requested_epsilon / channel.dilation * distances_m[cells[:, 0], cells[:, 1]]
    made = (first > NEVER) & (second > NEVER)
    ratio = np.abs(np.log(np.where(made, first, 1.0)) - np.log(np.where(made, second, 1.0)))
    return made & (ratio >= allowed[:, None] * (1 - TIGHT))


@cached("visitor", entries=8, what="the edges of the spanner of some cells")
def _spanner_edges(distances: bytes, n: int, dilation: float) -> NDArray[np.intp]:
    return spanner(np.frombuffer(distances).reshape(n, n), dilation).edges

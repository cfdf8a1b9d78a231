"""The invented streets: they hang together, and cross the river only at bridges."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.population import paris, streets


@pytest.mark.long
def test_the_streets_hang_together_and_cross_the_river_only_at_bridges() -> None:
    network = streets.build(20260302)
    seen, todo = {0}, [0]
    while todo:
        fresh = {there for there, _ in network.roads[todo.pop()]} - seen
        seen |= fresh
        todo += fresh
    assert len(seen) == len(network.nodes)
    assert min(len(leaving) for leaving in network.roads) > 1, "a dead end"
    assert 60 < np.median(network.length) < 150
    roads = np.array([(a, b) for a, leaving in enumerate(network.roads) for b, _ in leaving if a < b])
    middle = np.array([streets.to_metres(latitude, longitude) for latitude, longitude, *_ in paris.SEINE])
    middle[[0, -1]] += 0.1 * (middle[[0, -1]] - middle[[1, -2]])  # past the bridges of the ring road, at its two ends
    c, d = middle[:-1, None], middle[1:, None]
    a, b = network.nodes[roads[:, 0]], network.nodes[roads[:, 1]]
    over = (side(a, c, d) != side(b, c, d)) & (side(c, a, b) != side(d, a, b))
    bridges = sum(bool(bridge) for *_, bridge in paris.SEINE)
    assert over.any(axis=0).sum() == bridges
    assert (network.length[over.any(axis=0)] < 400).all()


def side(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Whether points lie to the left of lines; a point on the line counts as left."""
    along, to = end - start, point - start
    return along[..., 0] * to[..., 1] >= along[..., 1] * to[..., 0]

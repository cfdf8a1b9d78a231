"""Cutting the Earth in the right place, and lines of latitude and longitude with true labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.io.graticule import Box, frame, in_one_piece, lines

longitudes = st.lists(st.integers(-180_000_000, 180_000_000).map(lambda micro: micro / 1e6), min_size=1, max_size=12)


def shortest_arc(longitude: np.ndarray) -> float:
    """Width of the shortest arc that holds all, by trying every point as its western end."""
    micro = np.rint(longitude * 1e6).astype(np.int64)
    return min(int(((micro - west) % 360_000_000).max()) for west in micro) / 1e6


@given(longitudes)
def test_one_piece_is_the_shortest_arc(values: list[float]) -> None:
    longitude = np.array(values)
    moved = in_one_piece(longitude)
    assert np.ptp(moved) == pytest.approx(shortest_arc(longitude), abs=1e-6)
    turns = (moved - longitude) / 360
    assert turns == pytest.approx(np.round(turns), abs=1e-8)
    assert -180 <= (moved.min() + moved.max()) / 2 < 180 + 1e-6


def test_a_release_across_the_antimeridian() -> None:
    assert in_one_piece(np.array([179.5, -179.6, 179.9])).tolist() == [179.5, 180.4, 179.9]
    assert in_one_piece(np.array([-179.5, 179.0, -179.9])).tolist() == [180.5, 179.0, 180.1]
    assert in_one_piece(np.array([2.0])).tolist() == [2.0]
    assert in_one_piece(np.array([])).tolist() == []
    assert in_one_piece(np.array([180.0, -180.0])).tolist() == [-180.0, -180.0]


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=1, max_size=5))
def test_the_frame_holds_the_points_and_is_never_flat(points: list[tuple[float, float]]) -> None:
    latitude, longitude = np.array(points).T
    box = frame(latitude, longitude)
    assert box.west <= longitude.min() and longitude.max() <= box.east
    assert box.south <= np.clip(latitude, -85, 85).min() and np.clip(latitude, -85, 85).max() <= box.north
    assert box.north - box.south > 0.001 and box.east - box.west > 0.001


boxes = st.builds(
    lambda south, west, height, width: Box(south, west, min(south + height, 85.0), west + width),
    st.floats(-85, 80),
    st.floats(-270, 180),
    st.floats(0.005, 170),
    st.floats(0.005, 360),
)


@given(boxes)
def test_lines_are_few_and_their_labels_true(box: Box) -> None:
    found = lines(box)
    assert len(found) < 150
    labelled = [line for line in found if line.label_at]
    assert labelled
    for line in labelled:
        (west, south), (east, _) = line.ends
        upright = west == east
        size = float(line.label.split("°")[0])
        side = -1 if line.label.endswith(("W", "S")) else 1
        true = (west + 180) % 360 - 180 if upright else south
        assert (side * size - true) % 360 == pytest.approx(0, abs=1e-6) or (
            (side * size - true) % 360 == pytest.approx(360, abs=1e-6)
        )
        assert line.label.endswith(("E", "W", "°") if upright else ("N", "S", "°"))
    assert len({line.label for line in labelled}) >= len(labelled) - 2 or box.east - box.west > 350


def test_labels_as_on_a_map() -> None:
    labels = {line.label for line in lines(Box(-0.11, 179.79, 0.11, 180.21)) if line.label_at}
    assert labels == {"0.0°", "0.1° N", "179.8° E", "179.9° E", "180.0°", "179.9° W", "179.8° W"}


def test_the_world_when_there_is_nothing() -> None:
    assert frame(np.array([]), np.array([])) == Box(-60.0, -180.0, 75.0, 180.0)

"""The local frame: where it lies, and that metres lead back to degrees."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, Region, distance_m


@pytest.mark.parametrize(("latitude", "longitude"), [(48.8566, 2.3522), (-33.8688, 151.2093), (64.1466, -21.9426)])
def test_a_frame_lies_around_its_points_and_tells_none_of_them(latitude: float, longitude: float) -> None:
    rng = np.random.default_rng(1)
    north, east = latitude + rng.normal(0, 0.003, 50), longitude + rng.normal(0, 0.003, 50)
    frame = LocalFrame.around(north, east)
    centre = (frame.latitude, frame.longitude)
    assert centre == tuple(round(value, 1) for value in centre)
    assert distance_m(*centre, latitude, longitude) < 9_000
    there = frame.to_metres(north, east)
    assert np.hypot(*there.T) == pytest.approx(distance_m(*centre, north, east), rel=1e-9)
    back = frame.to_degrees(there)
    assert np.abs(back[0] - north).max() < 1e-9 and np.abs(back[1] - east).max() < 1e-9
    assert (there[:, 0] > 0).tolist() == (east > frame.longitude).tolist()


PARIS = Region(48.75, 2.25, 49.0, 2.5)
NORTH = Region(60.0, 10.0, 61.5, 12.0)


@pytest.mark.parametrize("region", [PARIS, NORTH, Region(-34.0, 150.75, -33.5, 151.5)])
def test_moving_points_into_a_region_makes_no_distance_larger(region: Region) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(0, 100_000, (200, 2))
    moved = region.clip(points)
    apart, after = (np.hypot(*np.moveaxis(each[:, None] - each, -1, 0)) for each in (points, moved))
    assert (after <= apart + 1e-9).all() and region.contains(*region.frame.to_degrees(moved)).all()
    inside = rng.uniform((region.south, region.west), (region.north, region.east), (200, 2)).T
    held = region.frame.to_metres(*inside)
    assert (region.clip(held) == held).all()  # no point of the box is moved


@pytest.mark.parametrize("region", [PARIS, NORTH])
def test_cells_lie_on_one_grid_whatever_the_region(region: Region) -> None:
    area = region.grid(5_000.0)
    latitude, longitude = region.frame.to_degrees(area.points_m)
    row = latitude * 111_195 / 5_000
    column = longitude * np.cos(np.radians(region.frame.latitude)) * 111_195 / 5_000
    assert (
        np.abs(row - np.floor(row) - 0.5).max() < 0.2
    )  # at its middle longitude exactly: the frame is flat, the Earth is not
    middle = np.abs(longitude - region.frame.longitude) < 0.05
    assert np.abs((row - np.floor(row) - 0.5)[middle]).max() < 1e-3
    assert np.abs((column - np.floor(column) - 0.5)[np.abs(latitude - region.frame.latitude) < 0.03]).max() < 0.01
    assert len(area) == region.cell_count(5_000.0) and region.contains(latitude, longitude).all()
    smaller = Region(region.south, region.west, region.north - 0.05, region.east - 0.05)
    assert len(smaller.grid(5_000.0)) < len(area)


def test_a_region_is_the_smallest_box_of_the_lattice() -> None:
    assert Region.around([48.8, 48.9], [2.3, 2.4]) == PARIS
    assert Region.around([48.75], [2.25]) == PARIS  # on a corner: one whole box
    assert Region.around([90.0], [180.0]) == Region(89.75, 179.75, 90.0, 180.0)
    assert Region.around([-0.1, 0.1], [0, 0.1]) == Region(-0.25, 0.0, 0.25, 0.25)


@pytest.mark.parametrize("limits", [(49, 2, 48, 3), (48, 179, 49, -179), (48, 2, 91, 3), (48, float("nan"), 49, 3)])
def test_limits_that_are_no_region_are_refused(limits: tuple[float, float, float, float]) -> None:
    with pytest.raises(InputError, match="of the region must increase"):
        Region(*limits)


def test_a_region_of_too_many_or_no_cells_says_what_fits() -> None:
    with pytest.raises(InputError, match=r"at most 2,500 cells; got 50,596 of 100 m.*at least 500 m"):
        PARIS.grid(100.0)
    with pytest.raises(InputError, match="larger than a cell"):
        PARIS.grid(200_000.0)
    assert PARIS.reading_cell_m() == 1_000 and len(PARIS.grid(500.0)) == 37 * 55

"""The local frame: where it lies, and that metres lead back to degrees."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, LocalFrame, Region, distance_m, wrapped


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
    assert Region.around([-17, -17], [179.9, -179.6]) == Region(-17.0, 179.75, -16.75, -179.5)
    assert Region.around([-17, -17], [170, 180.0]) == Region(-17.0, 170.0, -16.75, 180.0)
    assert Region.around([45.8, 45.8], [-150.07052438, -56.76335501]) == Region(45.75, -150.25, 46.0, -56.75)
    assert Region.around([-17, -17], [-180, -170]) == Region(-17.0, -180.0, -16.75, -170.0)
    assert Region.around([0.1, 0.1, 0.1], [-179, 0.1, 179]) == Region(0.0, -179.0, 0.25, 179.0), "around the world"


def test_a_region_across_the_date_line_is_the_same_region_elsewhere() -> None:
    """Everything but the phase of the global grid: 179 to -179 degrees against 9 to 11."""
    here, there = Region(-17.0, 179.0, -16.0, -179.0), Region(-17.0, 9.0, -16.0, 11.0)
    assert here.limits == (-17.0, 179.0, -16.0, -179.0) == Region(*here.limits).limits
    assert here.size_m == there.size_m and np.allclose(here.bounds_m, there.bounds_m, rtol=0, atol=1e-6)
    assert (here.frame.latitude, here.frame.longitude) == (-16.5, 180.0)
    assert here.reading_cell_m() == there.reading_cell_m()
    assert (here.reading_area().points_m == there.reading_area().points_m).all()
    rng = np.random.default_rng(4)
    latitude, longitude = rng.uniform((-17.6, 178.6), (-15.4, 181.4), (500, 2)).T
    inside = here.contains(latitude, wrapped(longitude))
    assert inside.any() and not inside.all() and (inside == there.contains(latitude, longitude - 170)).all()
    moved = here.clip_degrees(latitude, wrapped(longitude))
    assert (np.abs(moved[:, 1]) <= 180).all()
    assert moved.T[1] % 360 == pytest.approx(there.clip_degrees(latitude, longitude - 170).T[1] + 170)
    for (north, east), (same, beside) in zip(here.reading_rows()[0], there.reading_rows()[0], strict=True):
        assert north == same and abs(east) <= 180 and east % 360 == pytest.approx(beside + 170)


def test_the_cells_of_a_region_across_the_date_line_tile_it() -> None:
    region = Region(-17.0, 179.0, -16.0, -179.0)
    area = region.grid(10_000.0)
    assert len(area) == region.cell_count(10_000.0)
    assert len(area) == pytest.approx(np.prod(region.size_m) / 10_000.0**2, rel=0.1)
    assert region.contains(*region.frame.to_degrees(area.points_m)).all()
    rng = np.random.default_rng(5)
    latitude, longitude = rng.uniform((-16.9, 179.1), (-16.1, 180.9), (400, 2)).T
    assert (area.cell_of(region.frame.to_metres(latitude, wrapped(longitude))) >= 0).all()
    latitude, longitude = area.corners
    assert (np.ptp(longitude, axis=1) < 0.2).all() and np.ptp(longitude) < 2.2, "no cell goes around the world"
    column = longitude.mean(axis=1) * region._narrow * 111_195 / 10_000
    middle = np.abs(latitude.mean(axis=1) + 16.5) < 0.05
    assert np.abs(column[middle] - np.floor(column[middle]) - 0.5).max() < 0.02, "columns are counted from longitude 0"


@pytest.mark.parametrize(
    "limits",
    [
        (49, 2, 48, 3),
        (48, 3, 49, 2),
        (48, 2, 49, 2),
        (48, 170, 49, -181),
        (48, 0, 49, -180),
        (48, 2, 91, 3),
        (48, float("nan"), 49, 3),
    ],
)
def test_limits_that_are_no_region_are_refused(limits: tuple[float, float, float, float]) -> None:
    with pytest.raises(InputError, match="of the region must increase"):
        Region(*limits)


def test_a_region_of_too_many_or_no_cells_says_what_fits() -> None:
    with pytest.raises(InputError, match=r"at most 2,500 cells; got 50,596 of 100 m.*at least 500 m"):
        PARIS.grid(100.0)
    with pytest.raises(InputError, match="larger than a cell"):
        PARIS.grid(200_000.0)
    assert PARIS.reading_cell_m() == 1_000 and len(PARIS.grid(500.0)) == 37 * 55


def test_a_region_west_of_greenwich_does_not_cross_the_date_line() -> None:
    """All longitudes below 0 are as wide counted on beyond 180 degrees, but for rounding, which decides nothing."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        longitude = np.sort(rng.uniform(-179, -0.5, 5))
        region = Region.around(rng.uniform(-50, 50, 5), longitude)
        assert region.west <= longitude[0] and longitude[-1] <= region.east <= longitude[-1] + 0.25
        assert longitude[0] - 0.25 <= region.west


def test_the_antipode_of_a_frame_is_half_the_earth_away() -> None:
    points = LocalFrame(-10.0, -160.0).to_metres([10.0, 10.0001, -10.0], [20.0, 20.0, -160.0])
    half = np.pi * EARTH_RADIUS_M
    assert np.hypot(*points.T).round(-2).tolist() == pytest.approx([half, half, 0.0], abs=100.0)

"""Tracks that are too wide for one plane, or across the date line: no reader is worse than the reports."""

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import reading_of, releases, useful
from lmdk_widgets.budgets import Release
from lmdk_widgets.geo import LocalFrame, Region, distance_m, wrapped
from lmdk_widgets.pages.track.chart_texts import summarise
from lmdk_widgets.pages.track.words import describe
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.reading import PlaceReading, WidePlaceReading, is_wide, mean_from_middle
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.trajectory import Trajectory, sample

N = 120


def track_of(latitude, longitude):
    time = np.datetime64("2024-01-01T00:00") + np.arange(len(latitude)) * np.timedelta64(10, "m")
    return Trajectory(np.asarray(latitude), np.asarray(longitude), time)


def near(rng, latitude, longitude, n, degrees=0.02):
    return latitude + degrees * rng.standard_normal(n), longitude + degrees * rng.standard_normal(n)


def wide_track():
    """5,000 km across an ocean."""
    return track_of(np.linspace(40, 45, N), np.linspace(-74, -13, N))


def two_cities():
    """Half the time on one continent, half on another."""
    rng = np.random.default_rng(0)
    ends = [near(rng, 48.85, 2.35, N // 2), near(rng, 40.7, -74.0, N // 2)]
    return track_of(*(np.concatenate(axis) for axis in zip(*ends, strict=True)))


def date_line():
    """Within 60 km of 180 degrees, on both sides."""
    latitude, longitude = near(np.random.default_rng(1), -17.0, 180.0, N, 0.2)
    return track_of(latitude, (longitude + 180) % 360 - 180)


TRACKS = {"5,000 km": wide_track, "two cities": two_cities, "date line": date_line}


@pytest.mark.parametrize("name", TRACKS)
def test_a_reader_of_good_reports_is_as_near_as_the_reports(name):
    """400 m are expected at a budget of 1 for 200 m; the reader was 2.8, 42 and 95 km off."""
    track = TRACKS[name]()
    found = useful(evaluate(Scenario(scheme="event", epsilon=1), track), 4)
    assert found.noise == pytest.approx(400, rel=0.15) and found.reader <= found.noise * 1.01
    assert found.words == "shows the route in detail"


@pytest.mark.parametrize("name", TRACKS)
@pytest.mark.parametrize("epsilon", [0.1, 0.001, 0.0001])
def test_nor_is_it_worse_where_reports_are_far_off(name, epsilon):
    """Cells of 100 km cost a little where the noise is about as large (0.01), and so do those of 5 km for someone who jumps
    by 30 km in ten minutes; beyond, the reader is far better."""
    found = useful(evaluate(Scenario(scheme="event", epsilon=epsilon), TRACKS[name]()), 3)
    most = 1.06 if name == "date line" else 1.01
    assert found.reader <= found.noise * (most if epsilon == 0.1 else 0.6)


def test_the_likelihood_is_that_of_the_mechanism_and_errors_are_on_the_ground():
    track = wide_track()
    outcome = evaluate(Scenario(scheme="event", epsilon=0.001), track)
    reading, released = reading_of(outcome), next(releases(outcome))
    assert isinstance(reading, WidePlaceReading) and isinstance(released, Release)
    cells = track.frame.to_metres(*reading.points.T)
    rate = released.budgets[7] / 200
    slow = [-rate * np.hypot(*(released.outputs[7] - cell)) for cell in cells]
    assert reading.likelihoods(released)[7] == pytest.approx(np.array(slow))
    estimates = reading.points[np.arange(N) % len(reading.points)]
    assert reading.errors(estimates)[5] == pytest.approx(
        float(distance_m(*estimates[5], track.latitude[5], track.longitude[5]))
    )
    assert reading.distances[0, -1] == pytest.approx(float(distance_m(*reading.points[0], *reading.points[-1])))
    assert reading.errors(np.stack([track.latitude, track.longitude], axis=1)).max() < 1e-3


def test_what_fits_into_a_plane_is_read_in_a_plane():
    for name in ("bob", "commuter", "taxi"):
        track = sample(name)
        assert not is_wide(track, region_of(Scenario(), track))
        assert type(reading_of(evaluate(Scenario(), track))) is PlaceReading
    corner = track_of(*near(np.random.default_rng(2), 43.7, 7.2, 50))  # far from the middle of a country
    country = Scenario(scheme="event", epsilon=1, region=(41.0, -5.0, 51.0, 10.0))
    assert is_wide(corner, region_of(country, corner))
    found = useful(evaluate(country, corner), 4)
    assert found.reader <= found.noise * 1.01


def test_rows_of_cells_cover_a_box_evenly():
    for region in (Region(40, -74, 45, -13), Region(-17.25, -180, -16.75, 180), Region(-90, -180, 90, 180)):
        middles, wide_m, high_m = region.reading_rows()
        assert len(middles) <= 900 and (region.clip_degrees(*middles.T) == middles).all()
        rng = np.random.default_rng(3)
        points = rng.uniform((region.south, region.west), (region.north, region.east), (300, 2))
        apart = distance_m(points[:, None, 0], points[:, None, 1], *middles.T)
        assert apart.min(axis=1).max() <= 1.02 * np.hypot(wide_m, high_m) / 2
    rows = Region(48.75, 2.25, 49.0, 2.5).reading_rows()[0]
    frame = LocalFrame(48.875, 2.375)
    assert np.hypot(*frame.to_metres(*rows.T).T).mean() == pytest.approx(mean_from_middle(18_300, 27_800), rel=0.01)


def test_points_in_degrees_are_moved_into_the_box():
    region = Region(-18, 170, -16, 180)
    assert region.clip_degrees([-17, -17, -20], [-179, 160, 175]).tolist() == [[-17, 180], [-17, 170], [-18, 175]]
    whole = Region(-10, -180, 10, 180)
    assert whole.clip_degrees([0, 0], [-180, 179.5]).tolist() == [[0, -180], [0, 179.5]]


@pytest.mark.parametrize(
    "changes",
    [{"epsilon": 1.0}, {"epsilon": 0.05, "mechanism": "optimal", "place_m": 4000.0}, {"scheme": "adaptive"}],
    ids=["planar", "cells", "adaptive"],
)
def test_across_the_date_line_everything_is_as_elsewhere(changes):
    """Bob's day in a region moved by 177.7 degrees, whose middle lies at 180."""
    bob = sample("bob")
    longitude = bob.longitude - 0.03
    east = wrapped(longitude + 177.7)
    assert (east < 0).any() and (east > 0).any()
    there = Trajectory(bob.latitude, east, bob.time)
    here = Scenario(track="", landmarks=(0, 2, 4, 7), region=(48.75, 2.25, 49.0, 2.5), **changes)
    moved = here.with_changes(region=(48.75, 179.95, 49.0, -179.8))
    same = evaluate(here, Trajectory(bob.latitude, longitude, bob.time))
    found = evaluate(moved, there)
    assert found.budgets == pytest.approx(same.budgets) and found.total.max() == pytest.approx(same.total.max())
    read, alike = useful(found, 5), useful(same, 5)
    assert (read.nothing, read.spread) == pytest.approx((alike.nothing, alike.spread), rel=1e-6)
    if found.reports is None:
        assert found.error_m == pytest.approx(same.error_m, abs=1e-3, nan_ok=True)
        assert read.reader == pytest.approx(alike.reader, rel=1e-6) and read.noise == pytest.approx(alike.noise)
    else:  # the phase of the global grid is another one
        cells = found.reports.area
        assert abs(len(cells) - len(same.reports.area)) <= 6 and read.reader < 1.5 * alike.reader
    assert region_of(moved, there).contains(there.latitude, there.longitude).all()
    assert "outside" not in " ".join(describe(found).warnings)


def test_what_is_proposed_for_a_track_across_the_date_line_is_not_the_whole_world():
    track = date_line()
    region = region_of(Scenario(), track)
    assert region.west > 179 and region.east < -179 and region.size_m[0] < 160_000
    assert region.contains(track.latitude, track.longitude).all()


def test_an_error_beyond_the_region_is_said_as_such():
    """806 km for a region of 28 km tell a reader nothing."""
    track = sample("commuter")
    outcome = evaluate(Scenario(landmarks=track.landmarks), track)
    assert outcome.user_error_m == pytest.approx(806_400)
    for text in (describe(outcome).paragraph, summarise(outcome)):
        assert "806 km" not in text and "beyond the region of 18 by 28 km" in text and "400 m" in text
    far = evaluate(Scenario(scheme="user"), track)
    assert "Noise goes beyond the region; a reader moves the reports into it." in describe(far).paragraph
    bob = evaluate(Scenario(), sample("bob"))
    assert "expected: event level 400 m, user level 3.2 km)" in describe(bob).paragraph and "beyond" not in summarise(
        bob
    )

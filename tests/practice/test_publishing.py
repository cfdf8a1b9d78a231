"""What practices publish: by hand, by simulation, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.practice import approximate, cut_ends, rounded, thinned, zone
from lmdk_widgets.practice.publishing import GRID_M, OFFSET_M, cell_degrees, offsets_m, renewals
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.model import Trajectory

EVERY = 300


def line(metres: list[float], every_s: int = 5) -> Trajectory:
    """A track to the east along the equator, at these metres from its start."""
    latitude, longitude = LocalFrame(0.0, 0.0).to_degrees(np.stack([metres, np.zeros(len(metres))], axis=1))
    since = np.datetime64("2026-03-01T06:00:00", "s")
    return Trajectory(latitude, longitude, since + every_s * np.arange(len(metres)), landmarks=(1, 3))


def test_a_zone_leaves_out_what_is_within_its_radius() -> None:
    made = line([0, 100, 200, 300, 400])
    published = zone(made, [(0.0, 0.0)], 250.0)
    assert published.time.tolist() == made.time[3:].tolist() and published.landmarks == (0,)
    taxi = sample("taxi")
    where = [(taxi.latitude[0], taxi.longitude[0]), (taxi.latitude[5000], taxi.longitude[5000])]
    far = [distance_m(taxi.latitude, taxi.longitude, *centre) > 800 for centre in where]
    assert zone(taxi, where, 800.0).time.tolist() == taxi.time[far[0] & far[1]].tolist()


def test_the_centre_moves_uniformly_within_the_disc() -> None:
    made = line(np.arange(0.0, 4_000.0, 2.0).tolist())
    rng = np.random.default_rng(4)
    middles = []
    for _ in range(400):
        left_out = ~np.isin(made.time, zone(made, [(0.0, 0.018)], 900.0, offset_m=300.0, rng=rng).time)
        at = made.points_m[left_out, 0]
        middles.append((at.max() + at.min()) / 2)
    # the x of a point in a disc of radius R has a standard deviation of R / 2
    assert abs(np.std(middles) - 150) < 15 and np.ptp(middles) <= 604


def test_ends_are_cut_along_the_way_and_in_time() -> None:
    made = line([0, 100, 200, 300, 400, 500, 600])
    assert cut_ends(made, 150.0).time.tolist() == made.time[2:5].tolist()
    assert cut_ends(made, 199.9).time.tolist() == made.time[2:5].tolist()
    assert cut_ends(made, minutes=15 / 60).time.tolist() == made.time[3:4].tolist()
    time = made.time.copy()
    time[4:] += np.timedelta64(1, "h")  # two pieces, of 300 and of 200 m
    two = Trajectory(made.latitude, made.longitude, time)
    assert cut_ends(two, 99.9).time.tolist() == time[[1, 2, 5]].tolist()
    with pytest.raises(InputError, match="Nothing is left to publish: the ends"):
        cut_ends(two, 160.0)


@pytest.mark.parametrize("decimals", [1, 2, 3, 4])
def test_rounding_to_decimals(decimals: int) -> None:
    taxi = sample("taxi")
    published = rounded(taxi, decimals=decimals)
    assert np.allclose(published.latitude, np.round(taxi.latitude, decimals), atol=1e-9)
    assert np.allclose(published.longitude, np.round(taxi.longitude, decimals), atol=1e-9)
    assert published.time.tolist() == taxi.time.tolist() and published.landmarks == taxi.landmarks


def test_a_place_is_a_mean_of_0_38_sides_from_the_middle_of_its_square() -> None:
    """.3826 of the side, and of the long side of three decimals at 49 degrees .3212."""
    rng = np.random.default_rng(1)
    n = 200_000
    made = Trajectory(rng.uniform(48.9, 49.1, n), rng.uniform(2, 2.3, n), np.arange(n).astype("datetime64[s]"))
    for sizes, side, share in (({"cell_m": 1_000.0}, 1_000.0, 0.3826), ({"decimals": 3}, 111.195, 0.3212)):
        published = rounded(made, **sizes)  # type: ignore[arg-type]
        off = distance_m(made.latitude, made.longitude, published.latitude, published.longitude)
        assert abs(off.mean() / side - share) < 0.002
        high, wide = cell_degrees(published.latitude, **sizes)  # type: ignore[arg-type]
        assert (np.abs(published.latitude - made.latitude) <= high / 2 + 1e-12).all()
        assert (np.abs(published.longitude - made.longitude) <= wide / 2 + 1e-12).all()


def test_the_date_line_and_the_pole_stay_in_degrees() -> None:
    made = Trajectory([10.0, 89.99, -10.0], [179.9999, 10.0, -179.9999], np.arange(3).astype("datetime64[h]"))
    for published in (rounded(made, cell_m=5_000.0), approximate(made, rng=np.random.default_rng(3))):
        assert (np.abs(published.latitude) <= 90).all() and (np.abs(published.longitude) <= 180).all()


@pytest.mark.long
def test_the_offset_of_approximate_location_is_stationary_and_forgets_in_93_days() -> None:
    time = np.datetime64("2026-01-01", "s") + 3_600 * np.arange(24 * 93)
    ends = np.array([offsets_m(time, np.random.default_rng(k))[[0, 1, -1]] for k in range(250)])
    first, second, last = ends.transpose(1, 0, 2).reshape(3, -1)
    assert abs(first.std() / OFFSET_M - 1) < 0.08 and abs(last.std() / OFFSET_M - 1) < 0.08
    assert abs((second - first).std() / 15.0 - 1) < 0.08  # .03 of 500 m an hour
    kept = float(np.corrcoef(first, last)[0, 1])
    assert abs(kept - math.exp(-1)) < 0.1
    sparse = time[::24]
    assert renewals(sparse).tolist() == (24 * np.arange(93)).tolist()
    some = np.array([offsets_m(sparse, np.random.default_rng(k))[[0, -1]] for k in range(250)])
    assert abs(float(np.corrcoef(some[:, 0].ravel(), some[:, 1].ravel())[0, 1]) - 0.3695) < 0.1


def test_approximate_reports_are_middles_of_the_grid_near_the_place() -> None:
    commuter = sample("commuter")
    published = approximate(commuter, rng=np.random.default_rng(2))
    rows = published.latitude / cell_degrees(published.latitude, cell_m=GRID_M)[0]
    assert np.allclose(rows, np.round(rows))
    off = distance_m(commuter.latitude, commuter.longitude, published.latitude, published.longitude)
    assert 500 < off.mean() < 1_300 and off.max() < 4_500


@pytest.mark.long
def test_thinning_keeps_one_point_in_so_many_minutes() -> None:
    made = line([0, 10, 20, 30, 40, 50, 60], every_s=40)
    assert thinned(made, 1.0).time.tolist() == made.time[[0, 2, 4, 6]].tolist()
    taxi = sample("taxi")
    gaps = np.diff(thinned(taxi, 5.0).time)
    assert (gaps >= np.timedelta64(EVERY, "s")).all() and len(thinned(taxi, 0.001)) == len(taxi)


def test_what_is_refused() -> None:
    bob = sample("bob")
    home = [(bob.latitude[0], bob.longitude[0])]
    for call, match in [
        (lambda: zone(bob, [], 400.0), "centres must be pairs"),
        (lambda: zone(bob, [(91.0, 0.0)], 400.0), "(?i)centres must be pairs"),
        (lambda: zone(bob, home, 0.0), "Radius_m must be a finite number above 0"),
        (lambda: zone(bob, home, 400.0, offset_m=100.0), "Rng must be given"),
        (lambda: zone(bob, home, 1e6), "Nothing is left to publish: the zones"),
        (lambda: cut_ends(bob), "Give either metres or minutes"),
        (lambda: cut_ends(bob, 1.0, minutes=1.0), "Give either metres or minutes"),
        (lambda: rounded(bob), "Give either decimals or cell_m"),
        (lambda: rounded(bob, decimals=7), "Decimals must be"),
        (lambda: rounded(bob, cell_m=-1.0), "Cell_m must be"),
        (lambda: approximate(bob, rng=1), "Rng must be"),  # type: ignore[arg-type]
        (lambda: thinned(bob, 0.0), "Minutes must be"),
    ]:
        with pytest.raises(InputError, match=f"(?i){match}"):
            call()

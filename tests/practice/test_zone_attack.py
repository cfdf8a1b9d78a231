"""What ends vote for: against a dense grid, on made runs, random lives, and real tracks."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.inference import main_place
from lmdk_widgets.practice import (
    ZoneFound,
    cut_ends,
    find_cut_ends,
    find_zone,
    find_zones,
    thinned,
    zone,
    zone_silences,
)
from lmdk_widgets.practice.pieces import ends_of, pieces
from lmdk_widgets.practice.zone_attack import MOST_VOTES, _near, _struck_out
from lmdk_widgets.trajectory import load_trajectory, sample
from lmdk_widgets.trajectory.model import Trajectory
from tests.practice.made_outings import HOME, life, off_m, straight

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"


def ends_by_hand(track: Trajectory) -> tuple[list[int], list[float]]:
    """Ends and steps as they are described, a loop over timestamps."""
    seconds = [float((at - track.time[0]) / np.timedelta64(1, "s")) for at in track.time]
    gaps = [b - a for a, b in itertools.pairwise(seconds)]
    silence = max(60.0, 5 * float(np.median(gaps)))
    ends, steps = [], []
    runs, now = [], [0]
    for i, gap in enumerate(gaps, start=1):
        if gap > silence:
            runs.append(now)
            now = []
        now.append(i)
    for run in [*runs, now]:
        if len(run) < 2:
            continue
        for end, near in ((run[0], run[:11]), (run[-1], run[-11:])):
            far = [float(np.hypot(*(track.points_m[b] - track.points_m[a]))) for a, b in itertools.pairwise(near)]
            long = [seconds[b] - seconds[a] for a, b in itertools.pairwise(near)]
            speed = np.quantile([m / s for m, s in zip(far, long, strict=True)], 0.9)
            ends.append(end)
            steps.append(float(speed * np.quantile(long, 0.9)) + 15)
    return ends, steps


def side(radius: float, steps: list[float]) -> float:
    """Of a cell."""
    return max(10.0, radius / 40, (radius + float(np.quantile(steps, 0.75))) / 100)


def by_grid(track: Trajectory, radius: float, known: set[int] | None = None) -> tuple[int, int, int, Floats]:
    """Most votes, how many cells have nearly as many, in how many places, and the best cells (k, 2): on a dense grid."""
    ends, steps = ends_by_hand(track)
    voting = [(e, s) for e, s in zip(ends, steps, strict=True) if known is None or e in known]
    cell = side(radius, [s for _, s in voting])
    low = radius - max(15.0, cell / 2**0.5)
    points = track.points_m[[e for e, _ in voting]]
    reach = radius + max(s for _, s in voting)
    axes = [
        np.arange(np.floor((points[:, k].min() - reach) / cell), np.ceil((points[:, k].max() + reach) / cell) + 1)
        * cell
        for k in (0, 1)
    ]
    x, y = np.meshgrid(*axes, indexing="ij")
    votes = np.zeros(x.shape, int)
    for (_, step), (a, b) in zip(voting, points, strict=True):
        away = np.hypot(x - a, y - b)
        votes += (away > low) & (away <= radius + step)
    for a, b in track.points_m:
        votes[np.hypot(x - a, y - b) < low] = 0
    most = int(votes.max())
    best = votes == most
    enough = (votes >= min(np.ceil(0.85 * most - 1e-9), max(most - 1, 1))) & (votes > 0)
    equal = ndimage.label(best, structure=np.ones((3, 3)))[1]
    return most, int(enough.sum()), equal, np.stack([x[best], y[best]], axis=1)


@pytest.mark.parametrize("case", range(6))
def test_votes_are_those_of_a_dense_grid(case: int) -> None:
    rng = np.random.default_rng([7, case])
    true = life(rng, outings=int(rng.integers(1, 5)))
    radius = (200.0, 400.0, 800.0)[case % 3]
    published = zone(true, [HOME], radius)
    ends, steps = ends_of(published)
    assert (ends.tolist(), steps.tolist()) == (
        pytest.approx(ends_by_hand(published)[0]),
        pytest.approx(ends_by_hand(published)[1]),
    )
    known = set(zone_silences(true, published)) if case % 2 else None
    found = find_zone(published, radius, silences=known)
    most, enough, equal, best = by_grid(published, radius, known)
    voting = [end for end in ends.tolist() if known is None or end in known]
    assert found.ends == len(voting) and set(found.voters) <= set(voting)
    assert (found.votes, len(found.cells), found.equal_places) == (most, enough, equal)
    assert found.area_m2 == pytest.approx(enough * found.cell_m**2)
    guess = published.frame.to_metres(found.latitude, found.longitude)
    nearest = best[np.hypot(*(best - best.mean(axis=0)).T).argmin()]
    assert np.hypot(*(guess - nearest)) < 0.01


def test_pieces_end_at_silences() -> None:
    time = np.cumsum([0, 5, 5, 60, 61, 5, 5]).astype("datetime64[s]")
    assert pieces(time) == [(0, 3), (4, 6)]
    assert pieces(np.cumsum([0, 300, 300, 300, 300, 1500, 1501]).astype("datetime64[s]")) == [(0, 5), (6, 6)]
    assert pieces(time[:1]) == [(0, 0)]


def test_made_runs() -> None:
    """Three runs at 120 degrees: off under 30 m; twelve: under 20 m; one: an arc; two at 90 degrees: two places."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        found = {n: on(straight(angles, rng), 400.0) for n, angles in
                 ((1, [20.0]), (2, [20.0, 110.0]), (3, [0.0, 120.0, 240.0]), (12, list(np.arange(12) * 30.0)))}  # fmt: skip
        assert off(found[3]) < 30 and off(found[12]) < 20
        assert found[1].area_m2 > 20_000 and found[2].equal_places == 2 and found[3].equal_places == 1


def on(true: Trajectory, radius: float, **more: float) -> ZoneFound:
    """What someone finds who knows the silences."""
    published = zone(true, [HOME], radius)
    return find_zone(published, radius, silences=zone_silences(true, published), **more)


def off(found: ZoneFound) -> float:
    return off_m(found.latitude, found.longitude)


def in_area(found: ZoneFound, home: tuple[float, float] = HOME) -> bool:
    """Whether home is in one of the cells."""
    away = distance_m(*home, found.cells[:, 0], found.cells[:, 1])
    return bool((away <= found.cell_m / 2**0.5 + 0.1).any())


@pytest.mark.long
def test_a_hundred_homes() -> None:
    """Ten outings with pauses, lost signals and one-way trips, zones of 200 to 1,600 m."""
    known, blind = [], []
    for seed in range(100):
        true = life(np.random.default_rng([11, seed]))
        radius = (200.0, 400.0, 600.0, 800.0)[seed % 4]
        published = zone(true, [HOME], radius)
        for found, silences in ((known, zone_silences(true, published)), (blind, None)):
            one = find_zone(published, radius, silences=silences)
            found.append((off(one), in_area(one), one.equal_places))
    assert np.median([m for m, *_ in known]) < 10 and np.quantile([m for m, *_ in known], 0.9) < 20
    assert np.mean([there for _, there, _ in known]) >= 0.97
    assert np.median([m for m, *_ in blind]) < 10 and np.quantile([m for m, *_ in blind], 0.9) < 30
    assert np.mean([there for _, there, _ in blind]) >= 0.95


@pytest.mark.long
def test_the_radius_is_found_among_those_offered() -> None:
    for seed, radius in enumerate((200.0, 400.0, 600.0, 800.0)):
        published = zone(life(np.random.default_rng([3, seed]), outings=12), [HOME], radius)
        found = find_zone(published)
        assert found.radius_m == radius and off(found) < 30


def test_a_moved_centre_is_found_and_home_is_within_the_offset() -> None:
    true = life(np.random.default_rng(5))
    plain, published = (
        zone(true, [HOME], 400.0),
        zone(true, [HOME], 400.0, offset_m=150.0, rng=np.random.default_rng(2)),
    )
    without, found = find_zone(published, 400.0), find_zone(published, 400.0, offset_m=150.0)
    assert (found.latitude, found.longitude) == (without.latitude, without.longitude) and find_zone(
        plain, 400.0
    ).offset_m == 0
    assert 15 < off(found) <= 150 + 20
    cells = (np.asarray(published.frame.to_metres(*without.cells.T)) / found.cell_m).round().astype(int)
    within = {(a, b) for x, y in cells for a in range(x - 15, x + 16) for b in range(y - 15, y + 16)
              if (a - x) ** 2 + (b - y) ** 2 <= 225}  # fmt: skip
    assert found.area_m2 == pytest.approx(len(within) * found.cell_m**2)


def test_other_zones_follow() -> None:
    true = life(np.random.default_rng(9), outings=12)
    work = true.frame.to_degrees(true.frame.to_metres(*HOME) + (1_300.0, 400.0))
    work = float(work[0]), float(work[1])
    found = find_zones(zone(true, [HOME, work], 400.0), 400.0, most=2)
    assert off(found[0]) < 30 and len(found) == 2 and not set(found[0].voters) & set(found[1].voters)
    assert found[0].votes >= found[1].votes >= 2


def test_points_hours_apart_need_few_cells() -> None:
    bob = sample("bob")
    found = find_zone(zone(bob, [(bob.latitude[0], bob.longitude[0])], 400.0), 400.0)
    assert found.too_far_apart and found.cell_m > 50 and len(found.cells) < 100_000


@pytest.mark.parametrize("wide_m", [3_000.0, 60_000.0])
def test_places_are_struck_out_by_any_point_near_them(wide_m: float) -> None:
    rng = np.random.default_rng(4)
    points, places = rng.uniform(0, wide_m, (500, 2)), rng.uniform(0, wide_m, (2_000, 2))
    points = points[np.argsort(points[:, 0])]
    near = np.hypot(*(places[:, None] - points[None]).T).T.min(axis=1) < 150
    assert 0 < near.mean() < 1 and (_struck_out(places, points, 150.0) == near).all()


def test_an_end_that_may_be_anywhere_does_not_vote() -> None:
    """A route across a continent with a few flights is attacked with as many cells as any other."""
    near, cell = _near(np.array([430.0] * 9 + [4_000.0, 4_001.0, 2e6]), 10.0)
    assert near.tolist() == [True] * 10 + [False] * 2 and cell == 10.0
    near, cell = _near(np.full(2_000, 3_000.0), 10.0)
    assert near.all() and 2_000 * (2 * 3_000.0 / cell) ** 2 == pytest.approx(MOST_VOTES)
    true = life(np.random.default_rng(6))
    published = zone(true, [HOME], 400.0)
    ends, _ = ends_of(published)
    days = published.time + np.where(np.arange(len(published)) >= ends[-1], np.timedelta64(40, "D"), np.timedelta64(0))
    far = Trajectory(
        np.append(published.latitude, published.latitude[-1] - 9.0),
        np.append(published.longitude, published.longitude[-1] + 9.0),
        np.append(days, days[-1] + np.timedelta64(59, "s")),
    )
    found = find_zone(far, 400.0)
    assert off(found) < 30 and found.cell_m == 10.0 and len(found.cells) < 100


def test_sparse_points_are_said_to_be_too_far_apart() -> None:
    true = life(np.random.default_rng(1))
    published = zone(true, [HOME], 400.0)
    assert not find_zone(published, 400.0).too_far_apart
    assert find_zone(zone(true[::20], [HOME], 400.0), 400.0).too_far_apart
    found = find_zone(published, 400.0)
    assert found.too_far_apart == (found.step_m > 200)


def test_what_a_zone_leaves_of_the_samples() -> None:
    """In the ballpark of the values known: all ends vote."""
    for name, most in (("taxi", (20, 25, 150, 80)), ("commuter", (600, 900, 300, 500))):
        track = sample(name)
        latitude, longitude, _ = main_place(track.latitude, track.longitude)
        for radius, limit in zip((200.0, 400.0, 800.0, 1_600.0), most, strict=True):
            found = find_zone(zone(track, [(latitude, longitude)], radius), radius)
            assert distance_m(latitude, longitude, found.latitude, found.longitude) < limit, (name, radius)


def test_ends_cut_off_straight_runs_are_found() -> None:
    true = straight([10.0, 100.0, 190.0, 250.0, 330.0], np.random.default_rng(3))
    found = find_cut_ends(cut_ends(true, 400.0), 400.0)
    assert off(found) < 40 and found.radius_m == 400.0
    by_time = find_cut_ends(cut_ends(true, minutes=2.0), minutes=2.0)
    assert off(by_time) < 80


def test_ends_cut_off_lives() -> None:
    away = []
    for seed in range(20):
        true = life(np.random.default_rng([21, seed]))
        away.append(off(find_cut_ends(cut_ends(true, 300.0), 300.0)))
    assert np.median(away) < 60


REAL = {
    "geolife/20081023025304.plt": (30, None),
    "geolife/20081023234104.plt": (50, 120),
    "gpx/limerick-bus-304.gpx": (40, 30),
    "gpx/cerknicko-jezero.gpx": (25, 20),
    "gpx/around-visnjan-with-car.gpx": (170, 170),
}
"""How far off the guess is at most under zones of 200 and 400 m, metres; None: a single end is left, which says little."""


@pytest.mark.parametrize("name", REAL)
def test_real_tracks(name: str) -> None:
    """A zone round the main place of a real track: where three ends agree, it lies where the attacker looks."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"the shared data are absent: {name}")
    track = load_trajectory(path, on_several="join")
    latitude, longitude, _ = main_place(track.latitude, track.longitude)
    for radius, most in zip((200.0, 400.0), REAL[name], strict=True):
        published = zone(track, [(latitude, longitude)], radius)
        found = find_zone(published, radius, silences=zone_silences(track, published))
        assert found.ends >= 1 and found.votes >= 1
        assert found.votes < 3 or in_area(found, (latitude, longitude))
        assert most is None or distance_m(latitude, longitude, found.latitude, found.longitude) < most


@pytest.mark.long
def test_sparser_points_hide_more() -> None:
    """Half of all made homes are found to within 16 m with a point a minute, 63 m with one in three minutes."""
    medians = []
    for minutes in (1.0, 3.0):
        away = []
        for seed in range(40):
            true = thinned(life(np.random.default_rng([11, seed])), minutes)
            radius = (200.0, 400.0, 600.0, 800.0)[seed % 4]
            away.append(off(find_zone(zone(true, [HOME], radius), radius)))
        medians.append(float(np.median(away)))
    assert 10 < medians[0] < 31 and 40 < medians[1] < 120


def test_what_is_refused() -> None:
    true = straight([0.0, 120.0], np.random.default_rng(1))
    published = zone(true, [HOME], 400.0)
    for call, match in [
        (lambda: find_zone(published, 0.0), "radius_m must be a finite number above 0"),
        (lambda: find_zone(published, 400.0, silences=[]), "nothing to vote with"),
        (lambda: find_zone(published, 400.0, silences=[len(published)]), "silences must be"),
        (lambda: find_zone(published[:1], 400.0), "nothing to vote with"),
        (lambda: find_zone(published, 400.0, offset_m=-1.0), "offset_m must be"),
        (lambda: find_zones(published, 400.0, most=0), "most must be"),
        (lambda: find_cut_ends(published), "Give either metres or minutes"),
    ]:
        with pytest.raises(InputError, match=f"(?i){match}"):
            call()


def test_no_coordinate_is_printed() -> None:
    assert "48" not in repr(on(straight([0.0, 120.0, 240.0], np.random.default_rng(1)), 400.0)).replace("of", "")

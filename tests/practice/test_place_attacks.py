"""What rounded and approximate reports give away: against sums over all places, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import METRES_PER_DEGREE, Floats, distance_m
from lmdk_widgets.practice import approximate, find_approximate, find_rounded, rounded
from lmdk_widgets.practice.place_attacks import _followed
from lmdk_widgets.practice.publishing import GRID_M, OFFSET_M, cell_degrees, offsets_m
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.model import Trajectory


def at_home(n: int, rng: np.random.Generator, noise_m: float, every: str = "h") -> tuple[float, float, Trajectory]:
    """A home anywhere near 49 degrees, and n reports of it with noise."""
    latitude, longitude = rng.uniform(48.9, 49.1), rng.uniform(2.0, 2.3)
    noise = rng.normal(0, noise_m, (n, 2)) / METRES_PER_DEGREE if noise_m else np.zeros((n, 2))
    time = np.arange(n).astype(f"datetime64[{every}]")
    return (
        latitude,
        longitude,
        Trajectory(latitude + noise[:, 1], longitude + noise[:, 0] / np.cos(np.radians(latitude)), time),
    )


def rounding_errors(n: int, cell_m: float, draws: int, seed: int) -> list[tuple[float, float]]:
    """Of each draw how far the guess is from home, and what the attacker expects."""
    found, rng = [], np.random.default_rng(seed)
    for _ in range(draws):
        latitude, longitude, true = at_home(n, rng, 10.0)
        guess = find_rounded(rounded(true, cell_m=cell_m), cell_m=cell_m, timestamps=range(n))
        found.append((float(distance_m(latitude, longitude, guess.latitude, guess.longitude)), guess.expected_m))
    return found


@pytest.mark.parametrize(("cell_m", "n", "share"), [(100.0, 10, 0.22), (100.0, 100, 0.12), (1_000.0, 10, 0.36)])
def test_reports_near_a_border_give_more_away(cell_m: float, n: int, share: float) -> None:
    """Noise 10 m: with 10 and 100 reports .22 and .12 of a cell of 100 m, .36 of one of 1,000 m; without .3826."""
    errors = np.array(rounding_errors(n, cell_m, 200, 1))
    assert abs(errors[:, 0].mean() / cell_m - share) < 0.035
    assert abs(errors[:, 1].mean() / errors[:, 0].mean() - 1) < 0.12  # what the attacker expects is true


@pytest.mark.nightly
@pytest.mark.parametrize(("cell_m", "n", "share"), [(100.0, 1_000, 0.06), (1_000.0, 100, 0.34), (1_000.0, 1_000, 0.33)])
def test_many_reports_near_a_border(cell_m: float, n: int, share: float) -> None:
    errors = np.array(rounding_errors(n, cell_m, 300, 2))
    assert abs(errors[:, 0].mean() / cell_m - share) < 0.03


@pytest.mark.long
def test_the_posterior_of_rounding_is_that_of_a_dense_sum() -> None:
    rng = np.random.default_rng(8)
    for _ in range(5):
        n, cell_m = 40, 60.0
        latitude, _longitude, true = at_home(n, rng, 10.0)
        published = rounded(true, cell_m=cell_m)
        found = find_rounded(published, cell_m=cell_m, timestamps=range(n))
        high, wide = cell_degrees(published.latitude, cell_m=cell_m)
        for reports, sizes, guess, scale in (
            (published.latitude, high, found.latitude, METRES_PER_DEGREE),
            (published.longitude, wide, found.longitude, METRES_PER_DEGREE * np.cos(np.radians(latitude))),
        ):
            x = np.linspace(reports.min() - 0.002, reports.max() + 0.002, 20_001)
            sd = 10.0 / scale
            logs = sum(
                np.log(np.maximum(stats.norm.cdf((y + s / 2 - x) / sd) - stats.norm.cdf((y - s / 2 - x) / sd), 1e-300))
                for y, s in zip(reports, sizes, strict=True)
            )
            chance = np.exp(logs - logs.max())
            assert abs(float(x @ chance / chance.sum()) - guess) * scale < 0.5


def test_one_report_without_noise_is_its_cell() -> None:
    bob = sample("bob")
    found = find_rounded(rounded(bob, cell_m=1_000.0), cell_m=1_000.0, noise_m=0.0, timestamps=[0])
    assert found.expected_m == pytest.approx(382.6, rel=0.01) and found.area_m2 == pytest.approx(0.9e6, rel=0.02)
    assert found.reports == 1 and len(found.cells) > 100


def test_by_default_the_fullest_cell_is_used() -> None:
    commuter = sample("commuter")
    published = rounded(commuter, cell_m=500.0)
    found = find_rounded(published, cell_m=500.0)
    places, many = np.unique(np.stack([published.latitude, published.longitude], axis=1), axis=0, return_counts=True)
    assert found.reports == many.max()
    assert distance_m(*places[many.argmax()], found.latitude, found.longitude) < 250


def filtered_by_hand(low: Floats, high: Floats, hours: list[int]) -> tuple[float, float, float]:
    """The mean of the posterior on one axis, its standard error, and the posterior's spread, by particles."""
    rng = np.random.default_rng(1)
    n = 400_000
    place = rng.uniform(low.min() - 2_500, high.max() + 2_500, n)
    offset, weight = rng.normal(0, OFFSET_M, n), np.ones(n)
    before = hours[0]
    for a, b, hour in zip(low, high, hours, strict=True):
        kept = (1 - 0.03**2) ** ((hour - before) / 2)
        offset = kept * offset + np.sqrt(1 - kept**2) * rng.normal(0, OFFSET_M, n)
        weight *= (place + offset > a) & (place + offset < b)
        before = hour
    left = place[weight > 0]
    return float(left.mean()), float(left.std() / len(left) ** 0.5), float(left.std())


def test_the_filter_is_that_of_particles() -> None:
    for seed in range(3):
        rng = np.random.default_rng([4, seed])
        _latitude, _longitude, true = at_home(200, rng, 0.0)
        used = [0, 60, 140, 199]
        published = approximate(true, rng=rng)
        found = find_approximate(published, timestamps=used)
        high, wide = cell_degrees(published.latitude, cell_m=GRID_M)
        scale = METRES_PER_DEGREE, METRES_PER_DEGREE * np.cos(np.radians(published.latitude[0]))
        for reports, sizes, guess, metres in (
            (published.latitude, high, found.latitude, scale[0]),
            (published.longitude, wide, found.longitude, scale[1]),
        ):
            middle = (reports[used] - reports[0]) * metres
            half = sizes[used] * metres / 2
            mean, error, _ = filtered_by_hand(middle - half, middle + half, used)
            assert error < 25 and abs(mean - (guess - reports[0]) * metres) < 4 * error + 2
        assert found.reports == len(used)


def test_the_filter_is_that_of_particles_where_a_border_is_reached() -> None:
    low, hours = np.array([-1_000.0, -1_000.0, 1_000.0, 1_000.0]), [0, 60, 140, 199]
    mean, error, _ = filtered_by_hand(low, low + GRID_M, hours)
    assert abs(_followed(low, low + GRID_M, np.array(hours)).mean - mean) < 4 * error + 2


def test_the_filter_learns_as_the_offset_forgets() -> None:
    """Reports of one cell, months apart: the place is nearer to its middle than one report says."""
    low, hours = np.full(4, -1_000.0), [0, 2_000, 4_000, 6_000]
    found = _followed(low, low + GRID_M, np.array(hours))
    spread = float(np.sqrt(found.points**2 @ found.chance - found.mean**2))
    assert spread == pytest.approx(filtered_by_hand(low, low + GRID_M, hours)[2], rel=0.03)
    assert spread < 0.9 * (GRID_M**2 / 12 + OFFSET_M**2) ** 0.5


@pytest.mark.long
def test_one_approximate_report_is_off_by_937_m_in_half_of_all_cases() -> None:
    """Uniform in a cell of 2 km and normal with 500 m on each axis: 937 m. (The cell alone: 798 m.)"""
    rng = np.random.default_rng(6)
    n = 400_000
    off = np.hypot(*(rng.uniform(-1_000, 1_000, (2, n)) + rng.normal(0, OFFSET_M, (2, n))))
    assert abs(np.median(off) - 937) < 5
    away = []
    for seed in range(400):
        draw = np.random.default_rng([12, seed])
        latitude, longitude, true = at_home(1, draw, 0.0)
        found = find_approximate(approximate(true, rng=draw))
        away.append(float(distance_m(latitude, longitude, found.latitude, found.longitude)))
    assert abs(np.median(away) - 937) < 60
    assert abs(found.expected_m - off.mean()) < 15


NIGHTS_M = {1: 579.0, 4: 550.0, 13: 483.0, 26: 418.0, 52: 342.0}
"""The median by which the best attacker is off who sees place plus offset exactly in eight hours of each night, by weeks."""


def test_what_no_attacker_of_approximate_location_can_beat() -> None:
    """Who sees the place plus the offset without any grid: the error is normal with ``1 / (1' C^-1 1)``, C the covariance of
    the offset at the hours of the nights; nobody who sees less is nearer in half of all homes."""
    for weeks, median in NIGHTS_M.items():
        hours = np.arange(weeks * 168)
        hours = hours[hours % 24 < 8][:: max(weeks // 4, 1)]
        together = OFFSET_M**2 * (1 - 0.03**2) ** (np.abs(hours[:, None] - hours) / 2)
        variance = 1 / np.linalg.solve(together, np.ones(len(hours))).sum()
        assert (2 * np.log(2) * variance) ** 0.5 == pytest.approx(median, abs=2)


def nights_off(weeks: int, axes: int, hours_of_night: tuple[int, ...]) -> Floats:
    """(axes, axes) how far the guess is off at homes whose two axes were simulated by themselves, all pairs of them."""
    hours = np.arange(weeks * 168)
    hours = hours[np.isin(hours % 24, hours_of_night)]
    off = []
    for seed in range(axes):
        rng = np.random.default_rng([13, weeks, seed])
        place, offset, low = rng.uniform(-1_000, 1_000), rng.normal(0, OFFSET_M), []
        for gap in np.diff(hours, prepend=hours[0]):
            kept = (1 - 0.03**2) ** (gap / 2)
            offset = kept * offset + np.sqrt(1 - kept**2) * rng.normal(0, OFFSET_M)
            low.append(np.round((place + offset) / GRID_M) * GRID_M - GRID_M / 2)
        off.append(_followed(np.array(low), np.array(low) + GRID_M, hours).mean - place)
    return np.hypot(np.array(off)[:, None], np.array(off)[None])[np.triu_indices(axes, 1)]


def test_a_month_of_nights_gives_more_away_than_one_report() -> None:
    off = nights_off(4, 24, (4,))
    assert 937 * 0.55 < np.median(off) < 937 * 0.95 and np.median(off) > NIGHTS_M[4] * 0.9


@pytest.mark.nightly
@pytest.mark.parametrize(("weeks", "median"), [(1, 786), (4, 677), (13, 577), (26, 490), (52, 385)])
def test_nights_of_approximate_location(weeks: int, median: float) -> None:
    """Two reports of each night, 40 homes' axes: the medians of 276 homes within three standard errors, and never nearer
    than the best attacker who sees place plus offset exactly. A median over pairs of 40 axes has a standard error of 13 to
    14 % (drawn again from 140 axes)."""
    off = nights_off(weeks, 40, (0, 4))
    assert abs(np.median(off) - median) < 0.4 * median and np.median(off) > 0.9 * NIGHTS_M[weeks]


def test_offsets_are_shared_within_an_hour() -> None:
    time = np.arange(0, 7_200, 600).astype("datetime64[s]")
    offsets = offsets_m(time, np.random.default_rng(1))
    assert (offsets[:6] == offsets[0]).all() and (offsets[6:] == offsets[6]).all() and (offsets[0] != offsets[6]).all()


def test_what_is_refused() -> None:
    published = rounded(sample("bob"), cell_m=500.0)
    for call, match in [
        (lambda: find_rounded(published), "Give either decimals or cell_m"),
        (lambda: find_rounded(published, cell_m=500.0, noise_m=-1.0), "noise_m must be"),
        (lambda: find_rounded(published, cell_m=500.0, timestamps=[]), "timestamps must contain at least one"),
        (lambda: find_rounded(published, cell_m=500.0, timestamps=[8]), "timestamps must be indices"),
        (lambda: find_approximate(published, timestamps=[]), "timestamps must contain at least one"),
    ]:
        with pytest.raises(InputError, match=f"(?i){match}"):
            call()


def test_no_coordinate_is_printed() -> None:
    found = find_rounded(rounded(sample("bob"), cell_m=500.0), cell_m=500.0)
    assert f"{found.latitude:.1f}" not in repr(found) and f"{found.longitude:.2f}" not in repr(found)

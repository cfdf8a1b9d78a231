"""Laplace and planar Laplace noise: laws against scipy's, shapes, refusals. Seeds are fixed: nothing here is chance."""

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import laplace, planar_laplace
from lmdk_widgets.noise.samplers import standard_planar_laplace

N = 40_000


def rng(seed=1):
    return np.random.default_rng(seed)


def law_of_planar_laplace(noise, epsilon_per_m):
    """p-values that the displacements have the right length, the right direction, and no favourite projection."""
    radius, angle = np.hypot(*noise.T), np.arctan2(noise[:, 1], noise[:, 0])
    diagonal = (noise[:, 0] + noise[:, 1]) / np.sqrt(2)
    return (
        stats.kstest(radius, stats.gamma(2, scale=1 / epsilon_per_m).cdf).pvalue,
        stats.kstest(angle, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue,
        stats.ks_2samp(noise[: N // 2, 0], diagonal[N // 2 :]).pvalue,
        stats.spearmanr(radius, np.abs(angle)).pvalue,
    )


@pytest.mark.parametrize("scale", [1e-6, 0.3, 4e5])
def test_laplace_has_the_laplace_law(scale):
    noise = laplace(np.zeros(N), scale, rng())
    assert stats.kstest(noise, stats.laplace(scale=scale).cdf).pvalue > 0.01
    assert np.abs(noise).mean() == pytest.approx(scale, rel=0.02)


@pytest.mark.parametrize("epsilon_per_m", [1e-3, np.log(4) / 200, 50.0])
def test_planar_laplace_has_its_law(epsilon_per_m):
    centre = np.full((N, 2), [3.0, -4.0])
    noise = planar_laplace(centre, epsilon_per_m, rng(2)) - centre
    assert min(law_of_planar_laplace(noise, epsilon_per_m)) > 0.01
    assert np.hypot(*noise.T).mean() == pytest.approx(2 / epsilon_per_m, rel=0.02)


def test_planar_density_decays_with_the_euclidean_distance_in_every_direction():
    """ln density = -eps |z| + const: counted in rings cut into eight sectors."""
    noise = standard_planar_laplace(400_000, rng(3))
    radius, sector = (
        np.hypot(*noise.T),
        np.floor((np.arctan2(noise[:, 1], noise[:, 0]) / np.pi + 1) * 4).astype(int) % 8,
    )
    edges = np.array([0.5, 1.0, 1.5, 2.0, 2.5, 3.0])
    expected = len(noise) * np.diff(stats.gamma(2).cdf(edges)) / 8
    for s in range(8):
        counts = np.histogram(radius[sector == s], edges)[0]
        assert (np.abs(counts - expected) < 4.5 * np.sqrt(expected)).all()


def test_one_scale_for_each_value():
    scales = np.array([1e-9, 1.0, 1e9])
    assert np.allclose(laplace([5.0, 6.0, 7.0], scales, rng(4)), [5, 6, 7] + scales * rng(4).laplace(size=3))
    epsilons = np.array([1e-2, 1.0, 1e2])
    moved = planar_laplace(np.zeros((3, 2)), epsilons, rng(4))
    assert np.allclose(moved * epsilons[:, None], standard_planar_laplace(3, rng(4)))


def test_scalars_nothing_and_unchanged_inputs():
    assert np.ndim(laplace(1.0, 1.0, rng())) == 0
    assert laplace([], 1.0, rng()).shape == (0,) and planar_laplace(np.empty((0, 2)), 1.0, rng()).shape == (0, 2)
    points = np.ones((5, 2))
    planar_laplace(points, 1.0, rng())
    assert (points == 1).all()


def test_noise_is_finite_for_many_seeds():
    noise = standard_planar_laplace(1_000_000, rng(5))
    assert np.isfinite(noise).all() and np.hypot(*noise.T).max() < 40


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: laplace([1.0, np.nan], 1.0, rng()), "index 1"),
        (lambda: laplace([1.0], 0.0, rng()), "scale"),
        (lambda: laplace([1.0], -2.0, rng()), "scale"),
        (lambda: laplace([1.0], np.inf, rng()), "scale"),
        (lambda: laplace([1.0, 2.0], [1.0, 2.0, 3.0], rng()), "shape"),
        (lambda: laplace(1.0, [1.0, 2.0], rng()), "shape"),
        (lambda: laplace(["a"], 1.0, rng()), "numbers"),
        (lambda: laplace([1.0], 1.0, 7), "default_rng"),
        (lambda: planar_laplace([48.85, 2.35], 1.0, rng()), "points"),
        (lambda: planar_laplace([[1.0, 2.0, 3.0]], 1.0, rng()), "points"),
        (lambda: planar_laplace([[1.0, np.inf]], 1.0, rng()), "index"),
        (lambda: planar_laplace([[1.0, 2.0]], 0.0, rng()), "epsilon_per_m"),
        (lambda: planar_laplace([[1.0, 2.0]], [1.0, 2.0], rng()), "shape"),
        (lambda: planar_laplace([[1.0, 2.0]], 1.0, None), "rng"),
    ],
)
def test_refusals_say_what_is_wrong(call, word):
    with pytest.raises(InputError, match=f"(?i){word}"):
        call()


def test_no_true_coordinate_in_a_message():
    with pytest.raises(InputError) as error:
        planar_laplace([[48.8530, 2.3499], [48.8606, np.nan]], 1.0, rng())
    assert "48.8" not in str(error.value) and "2.34" not in str(error.value)

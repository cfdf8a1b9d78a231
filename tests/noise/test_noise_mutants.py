"""Deliberate bugs in the noise, each of which the checks of this folder must reject."""

import numpy as np
import pytest
from scipy import stats

from tests.noise.test_noise_samplers import N, law_of_planar_laplace

EPSILON_PER_M = 0.02


def right(rng):
    angle = rng.uniform(0, 2 * np.pi, N)
    return rng.gamma(2, 1 / EPSILON_PER_M, N)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def two_laplaces(rng):
    return rng.laplace(scale=1 / EPSILON_PER_M, size=(N, 2))


def two_laplaces_of_the_right_mean_length(rng):
    noise = two_laplaces(rng)
    return noise * (2 / EPSILON_PER_M) / np.hypot(*noise.T).mean()


def right_length_along_two_laplaces(rng):
    noise = two_laplaces(rng)
    return noise / np.hypot(*noise.T)[:, None] * rng.gamma(2, 1 / EPSILON_PER_M, N)[:, None]


def epsilon_times_1_25(rng):
    return right(rng) / 1.25


def exponential_radius(rng):
    noise = right(rng)
    return noise / np.hypot(*noise.T)[:, None] * rng.exponential(2 / EPSILON_PER_M, N)[:, None]


def half_turn_only(rng):
    noise = right(rng)
    noise[:, 1] = np.abs(noise[:, 1])
    return noise


def longitude_not_scaled(rng):
    return right(rng) * [1 / np.cos(np.radians(48.9)), 1.0]


def test_the_checker_accepts_planar_laplace():
    assert min(law_of_planar_laplace(right(np.random.default_rng(1)), EPSILON_PER_M)) > 0.01


@pytest.mark.parametrize(
    "mutant",
    [
        two_laplaces,
        two_laplaces_of_the_right_mean_length,
        right_length_along_two_laplaces,
        epsilon_times_1_25,
        exponential_radius,
        half_turn_only,
        longitude_not_scaled,
    ],
)
def test_the_checker_rejects(mutant):
    assert min(law_of_planar_laplace(mutant(np.random.default_rng(1)), EPSILON_PER_M)) < 1e-6


def test_the_laplace_checker_rejects_a_wrong_scale():
    noise = np.random.default_rng(1).laplace(scale=1 / 1.25, size=N)
    assert stats.kstest(noise, stats.laplace.cdf).pvalue < 1e-6

"""Mechanism objects agree with the functions, with the specification and with each other."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import Laplace, PlanarLaplace, planar_laplace_radius


def test_expected_noise_of_the_schemes_in_bobs_example():
    assert [Laplace().mean_displacement(b) for b in (1, 0.2, 1 / 8)] == pytest.approx([1, 5, 8])


def test_planar_values_of_the_specification():
    mechanism = PlanarLaplace(200.0)
    assert mechanism.mean_displacement(math.log(4)) == pytest.approx(288.539, abs=5e-4)
    assert mechanism.radius([0.5, 0.95], math.log(4)) == pytest.approx([242.134, 684.395], abs=5e-4)
    assert mechanism.radius(0.3, 0.7) == pytest.approx(planar_laplace_radius(0.3, 0.7 / 200))


@pytest.mark.parametrize("mechanism", [Laplace(3.0), PlanarLaplace(150.0)], ids=["series", "points"])
def test_noise_scale_mean_and_radius_are_of_one_law(mechanism):
    noise = mechanism.standard_noise(60_000, np.random.default_rng(1))
    assert noise.shape == ((60_000,) if mechanism.dimension == 1 else (60_000, 2))
    length = np.linalg.norm(noise.reshape(60_000, -1), axis=1) * mechanism.scale(0.4)
    assert length.mean() == pytest.approx(mechanism.mean_displacement(0.4), rel=0.02)
    law = stats.expon if mechanism.dimension == 1 else stats.gamma(2)
    assert stats.kstest(length / mechanism.scale(0.4), law.cdf).pvalue > 0.01
    for p in (0.05, 0.5, 0.95):
        assert (length <= mechanism.radius(p, 0.4)).mean() == pytest.approx(p, abs=0.01)


@pytest.mark.parametrize("mechanism", [Laplace(3.0), PlanarLaplace(150.0)], ids=["series", "points"])
def test_no_budget_is_infinite_noise(mechanism):
    assert mechanism.scale(0) == mechanism.mean_displacement(0) == mechanism.radius(0.5, 0) == math.inf
    assert mechanism.radius(1, 2.0) == math.inf and mechanism.radius(0, 2.0) == 0
    assert mechanism.scale(0.5) == 2 * mechanism.scale(1.0)


def test_frozen_equal_and_hashable():
    assert Laplace(2.0) == Laplace(2.0) and len({PlanarLaplace(), PlanarLaplace(200.0)}) == 1
    with pytest.raises(FrozenInstanceError):
        Laplace().sensitivity = 2.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: Laplace(0),
        lambda: Laplace(-1),
        lambda: Laplace(math.nan),
        lambda: PlanarLaplace(math.inf),
        lambda: PlanarLaplace("200"),
        lambda: Laplace().scale(-0.1),
        lambda: Laplace().scale(math.nan),
        lambda: PlanarLaplace().radius(1.1, 1.0),
        lambda: PlanarLaplace().radius(-0.1, 0),
    ],
)
def test_refusals(call):
    with pytest.raises(InputError):
        call()

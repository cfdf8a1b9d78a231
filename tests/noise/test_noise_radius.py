"""The quantile of the planar displacement against published values, scipy and 60-digit arithmetic."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import planar_laplace, planar_laplace_radius


def exact(p: float) -> mpmath.mpf:
    """The quantile at eps = 1 by bisection on the cumulative probability, in 400 digits; no formula in common."""
    with mpmath.workdps(400):
        low, high = mpmath.mpf(0), mpmath.mpf(50)
        if p < 1e-3:  # 1 - (1 + x) e^-x lies between x^2 / 2 - x^3 / 3 and x^2 / 2
            low, high = mpmath.sqrt(2 * mpmath.mpf(p)), 2 * mpmath.sqrt(2 * mpmath.mpf(p))
        for _ in range(90):
            middle = (low + high) / 2
            low, high = (middle, high) if 1 - (1 + middle) * mpmath.exp(-middle) < p else (low, middle)
        return (low + high) / 2


def test_values_of_the_paper_and_the_specification():
    eps = np.log(4) / 200
    assert planar_laplace_radius(0.5, eps) == pytest.approx(242.134, abs=5e-4)
    assert planar_laplace_radius(0.95, eps) == pytest.approx(684.395, abs=5e-4)
    assert planar_laplace_radius([0.5, 0.95], 1) == pytest.approx([1.6783469900, 4.7438645184], abs=5e-11)


@pytest.mark.parametrize(
    "p",
    [
        *(10.0 ** -np.arange(1, 301, 23)),
        *(1e-300, 4.9e-9, 5e-9, 5.1e-9, 1e-8, 0.1, 0.264, 0.265, 0.39, 0.632, 0.633, 0.9),
        *(1 - 10.0 ** -np.arange(2, 16.0)),
        1 - 1.2e-16,
    ],
)
def test_fifteen_digits_from_1e_300_to_the_last_number_below_1(p):
    expected = exact(float(p))
    assert abs(mpmath.mpf(float(planar_laplace_radius(p, 1.0))) / expected - 1) < 1e-15


def test_agrees_with_scipy():
    p = np.concatenate([np.linspace(0.001, 0.999, 500), 10.0 ** -np.arange(3, 200.0, 7)])
    assert planar_laplace_radius(p, 0.02) == pytest.approx(stats.gamma.ppf(p, 2) / 0.02, rel=1e-12)


@given(st.floats(1e-300, 1 - 2**-53), st.floats(1e-6, 1e6))
def test_cumulative_probability_leads_back(p, eps):
    x = planar_laplace_radius(p, eps) * eps
    back = stats.gamma.cdf(x, 2) if p < 0.5 else 1 - stats.gamma.sf(x, 2)
    assert back == pytest.approx(p, rel=1e-12)


def test_increases_and_covers_the_share_of_the_noise_that_it_says():
    radii = planar_laplace_radius(np.linspace(0, 1, 2001), 3.0)
    assert (np.diff(radii) > 0).all()
    noise = planar_laplace(np.zeros((50_000, 2)), 0.01, np.random.default_rng(1))
    inside = np.hypot(*noise.T)[:, None] <= planar_laplace_radius([0.1, 0.5, 0.95], 0.01)
    assert inside.mean(axis=0) == pytest.approx([0.1, 0.5, 0.95], abs=0.01)


def test_ends_shapes_and_types():
    assert planar_laplace_radius(0, 1) == 0 and not np.signbit(planar_laplace_radius(0.0, 1))
    assert planar_laplace_radius(1, 1) == np.inf
    assert isinstance(planar_laplace_radius(0.5, 1), float)
    assert planar_laplace_radius([[0.1], [0.2]], [1.0, 2.0, 4.0]).shape == (2, 3)
    assert planar_laplace_radius([], 1.0).shape == (0,)


@pytest.mark.parametrize(("p", "eps"), [(-1e-9, 1), (1.0000001, 1), (np.nan, 1), (0.5, 0), (0.5, -1), (0.5, np.inf)])
def test_refusals(p, eps):
    with pytest.raises(InputError, match=r"Probability|Epsilon_per_m"):
        planar_laplace_radius(p, eps)

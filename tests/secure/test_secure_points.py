"""A private release of points: on the lattice, within its guarantee, from the operating system's entropy."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.secure import release_points
from lmdk_widgets.secure.points import snapped

SQUARE = [[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]]


def test_points_lie_on_the_lattice_and_are_off_as_planar_laplace() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(0, 3000, (20_000, 2))
    release = release_points(true, 0.01, step_m=5)
    assert (release.points_m == release.lattice * 5.0).all()
    off = np.hypot(*(release.points_m - true).T)
    assert off.mean() == pytest.approx(200, rel=0.03), "2 / epsilon"
    assert np.quantile(off, 0.95) == pytest.approx(474.386, rel=0.04)


def test_no_two_releases_are_alike() -> None:
    state = np.random.get_state()[1].tolist()
    first, second = (release_points(np.zeros((40, 2)), 0.01, step_m=5).lattice.tolist() for _ in range(2))
    assert first != second
    assert np.random.get_state()[1].tolist() == state


def test_snapping_is_exact_and_moves_no_farther_than_is_said() -> None:
    rng = np.random.default_rng(2)
    step = Fraction(0.1)
    true = rng.uniform(-50, 50, (500, 2))
    found = snapped(true, step)
    for point, (a, b) in zip(true.tolist(), found.tolist(), strict=True):
        assert all(abs(Fraction(x) - k * step) <= step / 2 for x, k in zip(point, (a, b), strict=True))
    assert snapped(np.array([[2.5, -2.5], [7.5, 0.0]]), Fraction(5)).tolist() == [[1, 0], [2, 0]]
    most = release_points(SQUARE, 1.0, step_m=0.1).guarantee.snapped_m
    assert Fraction(most) ** 2 >= step * step / 2


def test_each_point_has_its_own_epsilon_and_the_sum_is_spent() -> None:
    true = np.zeros((4000, 2))
    each = np.where(np.arange(4000) % 2, 0.1, 0.01)
    release = release_points(true, each, step_m=1)
    off = np.hypot(*release.points_m.T)
    assert off[::2].mean() == pytest.approx(200, rel=0.1) and off[1::2].mean() == pytest.approx(20, rel=0.1)
    assert release.spent >= sum(map(Fraction, each.tolist())) and release.spent == pytest.approx(220)
    guarantee = release.guarantee.to_dict()
    assert guarantee["epsilon_per_m_of_a_point"] == [0.01, 0.1] and guarantee["points"] == 4000
    said = " ".join(release.guarantee.words())
    assert "between 0.01 and 0.1 per metre" in said and "at most 0.707107 m" in said and "e^(220 d)" in said


def test_the_guarantee_of_the_lattice_by_enumeration() -> None:
    """Of two true points the weights e^(-rate |z - x|), over one constant, are within e^(rate |x - x'|) of each other."""
    rate, span = 0.7, range(-6, 7)
    for x, other in itertools.product(itertools.product(range(3), repeat=2), repeat=2):
        for z in itertools.product(span, repeat=2):
            ratio = -rate * (math.dist(z, x) - math.dist(z, other))
            assert ratio <= rate * math.dist(x, other) + 1e-12


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"points_m": [[0.0, math.nan]]}, "Points_m"),
        ({"points_m": []}, "Points_m"),
        ({"epsilon_per_m": 0}, "Epsilon_per_m must be a finite number above 0; got 0."),
        ({"epsilon_per_m": [0.1, 0.1]}, "Epsilon_per_m must be one number or 3 numbers; got an array of shape (2,)."),
        ({"epsilon_per_m": [0.1, -1, 0.1]}, "Epsilon_per_m"),
        ({"step_m": 0}, "Step_m must be a finite number above 0; got 0."),
        ({"step_m": 1e-12}, "Epsilon per lattice step must be at least 2^-40; got 1e-14. Choose a longer step."),
        ({"points_m": [[1e300, 0.0]]}, "at most 2^53 lattice steps from the origin."),
    ],
)
def test_what_cannot_be_released_is_refused(change: dict, said: str) -> None:
    given = {"points_m": SQUARE, "epsilon_per_m": 0.01, "step_m": 1.0} | change
    with pytest.raises(InputError, match=re.escape(said)) as error:
        release_points(given.pop("points_m"), given.pop("epsilon_per_m"), **given)
    assert "1e+300" not in str(error.value), "no coordinate in a message"

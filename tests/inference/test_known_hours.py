"""What reports reveal at known hours, against spec values, numerical integration and draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import found_within, guesses_right, known_hours
from lmdk_widgets.inference.known_hours import _MOMENTS, planar_moments

KINDS = ("planar", "numbers", "answers")


def drawn(u: Floats, kind: str, rng: np.random.Generator, draws: int) -> Floats:
    """(draws,) log odds of the true value against one u budgets away, by the noise itself."""
    shape = (draws, len(u))
    if kind == "planar":
        radius, angle = rng.gamma(2.0, 1.0, shape), rng.uniform(0, 2 * math.pi, shape)
        return (np.hypot(radius * np.cos(angle) - u, radius * np.sin(angle)) - radius).sum(axis=1)
    if kind == "numbers":
        z = rng.laplace(size=shape)
        return (np.abs(z - u) - np.abs(z)).sum(axis=1)
    return np.where(rng.random(shape) < 1 / (1 + np.exp(-u)), u, -u).sum(axis=1)


@pytest.mark.parametrize(
    ("u", "mean", "variance"),
    [
        (0.5, 0.06052, 0.11925),
        (1.0, 0.22834, 0.43219),
        (2.0, 0.79465, 1.32200),
        (5.0, 3.31933, 3.36412),
        (10.0, 8.15216, 4.31497),
    ],
)
def test_moments_of_a_planar_report_are_those_stated(u: float, mean: float, variance: float) -> None:
    found = planar_moments(np.array([u]))
    assert (round(float(found[0][0]), 5), round(float(found[1][0]), 5)) == (mean, variance)


@pytest.mark.parametrize("u", [1e-4, 0.03, 0.7, 3.0, 40.0, 600.0, 9_000.0])
def test_moments_of_a_planar_report_agree_with_integrals_over_the_plane(u: float) -> None:
    def over_angles(radius: float) -> float:
        """The mean distance from a circle to a point u away from its middle, by an elliptic integral."""
        return 2 / math.pi * (radius + u) * special.ellipe(4 * radius * u / (radius + u) ** 2)

    points = [p for p in (u,) if p < 60]
    inner = integrate.quad(
        lambda r: (over_angles(r) - r) * r * math.exp(-r), 0, 60, points=points, limit=400, epsabs=1e-13
    )[0]
    mean, variance = (float(each[0]) for each in planar_moments(np.array([u])))
    assert mean == pytest.approx(inner, rel=1e-6, abs=1e-10)
    square = (
        u**2
        + 12
        - 2
        * integrate.quad(lambda r: over_angles(r) * r**2 * math.exp(-r), 0, 60, points=points, limit=400, epsabs=1e-13)[
            0
        ]
    )
    assert variance == pytest.approx(square - inner**2, rel=1e-5, abs=max(1e-8, 1e-8 * u**2))


@pytest.mark.parametrize("u", [0.001, 0.005, 0.0199, 0.0201, 0.5, 3.0])
def test_moments_of_a_report_on_a_line_agree_with_integrals(u: float) -> None:
    def moment(power: int) -> float:
        """Of the log odds: -u and u outside, u - 2 z between, under Laplace noise z."""
        outside = (u**power + (-u) ** power * math.exp(-u)) / 2
        return outside + integrate.quad(lambda z: (u - 2 * z) ** power * math.exp(-z) / 2, 0, u, epsabs=1e-16)[0]

    mean, variance = (float(each[0]) for each in _MOMENTS["numbers"](np.array([u])))
    assert mean == pytest.approx(moment(1), rel=1e-8)
    assert variance == pytest.approx(moment(2) - moment(1) ** 2, rel=1e-8)


def test_small_budgets_are_those_of_averaging() -> None:
    """Found and promised are one picture: A = B^2 / 4, V = B^2 / 2, right = Phi(B / (2 sqrt 2))."""
    budgets = np.full(400, 0.02)
    found, together = known_hours(budgets, 200, 200), float(np.linalg.norm(budgets))
    assert found.half == pytest.approx(together**2 / 4, rel=1e-3)
    assert found.right == pytest.approx(guesses_right(budgets), abs=1e-4)
    assert found_within(budgets, 200) == pytest.approx(1.6651 * 200 / together, rel=1e-4)


@pytest.mark.parametrize(
    ("budgets", "distance", "kind", "half", "tenth", "most"),
    [
        ([1 / 9] * 152, 1, "planar", 1.59, 5.5, 16.8889),  # the commuter's longest stay
        ([1 / 9] * 1044, 1, "planar", 25, 640, 116),  # and home
        ([1 / 13] * 1587, 1, "planar", 10.4, 165, 122.0769),  # the taxi's longest stay
        ([1 / 13] * 2172, 1, "planar", 25, 635, 167.0769),
        ([1 / 7] * 57, 0.1, "numbers", 1.006, 1.15, 0.8143),  # the household, a level a tenth of the range away
        ([1 / 7] * 114, 1, "answers", 3.2, 22, 16.2857),  # equal answers of the contacts
        ([0.1 / 9] * 1044, 1, "planar", 1.03, 1.43, 11.6),
        ([0.3 / 9] * 1044, 1, "planar", 1.34, 3.5, 34.8),
    ],
)
def test_the_samples_have_the_stated_odds(
    budgets: list[float], distance: float, kind: str, half: float, tenth: float, most: float
) -> None:
    found = known_hours(budgets, distance, kind=kind)
    assert math.exp(found.half) == pytest.approx(half, rel=0.02)
    assert math.exp(found.tenth) == pytest.approx(tenth, rel=0.025)
    assert found.most == pytest.approx(most, abs=1e-3)


def test_powers_of_ten_of_the_commuters_home() -> None:
    three, event = known_hours([3 / 9] * 1044, 1), known_hours([1.0] * 1044, 1)
    assert [round(x / math.log(10)) for x in (three.half, three.tenth)] == [12, 17]
    assert [round(x / math.log(10)) for x in (event.half, event.tenth)] == [104, 115]
    user = known_hours([1 / 2016] * 1044, 1)
    assert [round(math.exp(x), 5) for x in (user.half, user.tenth)] == [1.00006, pytest.approx(1.015, abs=5e-4)]
    assert math.exp(user.most) == pytest.approx(1.68, abs=0.005)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "u", [[0.2], [1.0] * 3, [0.1, 0.2, 0.3, 2.0], [0.3] * 30, [1.0] * 8, [3.0] * 7, [0.05] * 200, [2.0, *[0.01] * 50]]
)
def test_shares_agree_with_draws_of_the_noise(u: list[float], kind: str) -> None:
    found = known_hours(u, 1.0, kind=kind)
    odds = drawn(np.array(u), kind, np.random.default_rng(3), 60_000)
    assert (odds <= found.most + 1e-9).all()
    right = float((odds > 1e-9).mean() + (np.abs(odds) <= 1e-9).mean() / 2)
    assert found.right == pytest.approx(right, abs=0.02)
    if kind == "planar":  # the others have whole masses at single values, where a quantile may jump
        slack = 0.1 * max(found.half, 0.1 * found.tenth) + 0.005 * max(u)
        assert found.half == pytest.approx(float(np.quantile(odds, 0.5)), abs=slack)
        assert found.tenth == pytest.approx(float(np.quantile(odds, 0.9)), rel=0.05)
        assert float((odds >= found.half).mean()) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("kind", KINDS)
def test_known_hours_grow_with_every_report_and_every_distance(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        budgets = rng.uniform(0.01, 2, rng.integers(1, 30))
        less, more = known_hours(budgets, 1.0, kind=kind), known_hours([*budgets, 0.5], 1.0, kind=kind)
        assert 0.5 <= less.right <= more.right + 0.02 and less.most < more.most
        assert less.half <= less.tenth <= less.most + 1e-12
        if kind != "answers":
            assert known_hours(budgets, 2.0, kind=kind).most == pytest.approx(2 * less.most)
            assert known_hours(budgets, 2.0, 2.0, kind=kind) == less


def test_nothing_published_changes_nothing_and_bad_values_are_refused() -> None:
    assert known_hours([], 1.0) == known_hours([0.0, 0.0], 1.0)
    assert known_hours([], 1.0).right == 0.5
    for wrong in ({"distance": 0.0}, {"radius": -1.0}, {"kind": "cells"}):
        with pytest.raises(InputError):
            known_hours([1.0], **{"distance": 1.0, **wrong})
    with pytest.raises(InputError):
        known_hours([-1.0], 1.0)

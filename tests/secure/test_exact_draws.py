"""The exact sampler: its bounds, its law by enumeration, a million draws, and that a sampler off by 2 % is caught."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import chi2

from lmdk_widgets.secure.exact import (
    SPARE,
    WORD,
    Uniform,
    exponential,
    limits,
    of_exponential,
    of_fraction,
    of_odds,
    root,
    system_entropy,
)
from lmdk_widgets.secure.lattice import (
    LOWER,
    Geometric,
    acceptance,
    accepted,
    decide,
    lattice_laplace,
)

RATES = [Fraction(1, 1000), Fraction(3, 17), Fraction(0.05), Fraction(1), Fraction(7, 3)]


@pytest.fixture(autouse=True)
def _digits() -> object:
    with mpmath.workdps(120):
        yield


def scripted(*words: int) -> Callable[[int], np.ndarray]:
    """A source that gives these words in turn."""
    left = list(words)
    return lambda count: np.array([left.pop(0) for _ in range(count)], np.uint64)


def exact_x(a: int, b: int, rate: Fraction) -> mpmath.mpf:
    most = mpmath.mpf(rate.numerator) / rate.denominator
    return most * (mpmath.sqrt(a * a + b * b) - mpmath.mpf(70) / 99 * (abs(a) + abs(b)))


def test_the_exponential_is_bounded_and_narrowly_so() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        bits = int(rng.choice([8, 20, 64, 96, 160]))
        x = int(mpmath.mpf(float(10 ** rng.uniform(-6, 2.5))) * 2**bits)
        low, high = exponential(x, bits)
        true = mpmath.exp(-mpmath.mpf(x) / mpmath.mpf(2) ** bits) * mpmath.mpf(2) ** bits
        assert low <= true <= high and high - low <= 3, (x, bits)
    assert exponential(0, 64) == (2**64, 2**64)


def test_bounds_of_chances_hold_the_chance() -> None:
    for rate, bits in itertools.product(RATES, (64, 96, 200)):
        t = mpmath.exp(-mpmath.mpf(rate.numerator) / rate.denominator)
        scale = mpmath.mpf(2) ** bits
        for bounds, true in (
            (of_exponential(of_fraction(rate)), t),
            (of_odds(of_exponential(of_fraction(rate))), t / (1 + t)),
        ):
            low, high = bounds(bits)
            assert low <= true * scale <= high and high - low <= 6
        for a, b in ((0, 0), (1, 0), (1, 1), (3, 4), (120, 7), (5000, 4999)):
            low, high = acceptance(a, b, rate)(bits)
            assert low <= mpmath.exp(-exact_x(a, b, rate)) * scale <= high
            assert high - low <= 4 + rate


def test_whole_roots_are_whole_roots() -> None:
    assert root(2, 10) == math.isqrt(2 * 4**10)


def test_more_digits_are_drawn_where_the_first_ones_do_not_decide() -> None:
    third = of_fraction(Fraction(1, 3))
    digits = int("55" * 8, 16)  # a third begins with these and goes on with them
    assert limits(third) == (digits, digits + 1)
    assert Uniform(digits, scripted(digits, digits, 0)).below(third)
    assert not Uniform(digits, scripted(digits, digits + 1)).below(third)
    assert Uniform(digits - 1, scripted()).below(third) and not Uniform(digits + 1, scripted()).below(third)
    last = 2**64 - 1
    assert Uniform(last, scripted()).below(of_fraction(Fraction(1)))
    assert not Uniform(last, scripted(last, 5)).below(of_fraction(1 - Fraction(1, 2**128)))
    words = np.array([0, digits, digits + 1], np.uint64)
    low, high = (np.full(3, limit, np.uint64) for limit in limits(third))
    assert decide(words, low, high, lambda _: third, scripted(0)).tolist() == [1, 1, 0]


def test_a_geometric_number_beyond_its_table_is_found_exactly() -> None:
    size = Geometric(Fraction(1))
    found = size._rest(np.array([0, 2**63, 2**64 - 1], np.uint64), scripted(2**63))
    scale = mpmath.mpf(2) ** -65  # word 0, then a half
    assert found.tolist() == [int(-mpmath.log(scale)), int(mpmath.log(2)), 0]


def chances_of_geometric(rate: Fraction, most: int) -> list[float]:
    """The law of a number by the very limits that decide it, each within 2^-60."""
    size = Geometric(rate)
    ones = [limits(bounds)[0] / 2**64 for bounds in size.digits]
    tail = [1.0, *(low / 2**64 for low, _ in size.table), 0.0]
    found = []
    for k in range(most):
        rest = k >> len(ones)
        chance = tail[rest] - tail[rest + 1]
        for i, one in enumerate(ones):
            chance *= one if k >> i & 1 else 1 - one
        found.append(chance)
    return found


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 3), Fraction(0.11), Fraction(9, 4)])
def test_the_law_by_enumeration(rate: Fraction) -> None:
    """Every way to propose and keep a point of a small lattice, by the limits: in proportion it is e^-rate |z|."""
    sizes = chances_of_geometric(rate * LOWER, 13)
    q = math.exp(-rate * LOWER)
    assert sizes == pytest.approx([(1 - q) * q**k for k in range(13)], rel=1e-12)
    relative = []
    for a, b in itertools.product(range(-12, 13), repeat=2):
        proposed = (
            sizes[abs(a)] / 2 * (sizes[abs(b)] / 2)
        )  # 0 keeps one of its two signs, as every other number has one
        kept = limits(acceptance(a, b, rate))[0] / 2**64
        relative.append(proposed * kept / math.exp(-rate * math.hypot(a, b)))
    assert relative == pytest.approx([relative[0]] * len(relative), rel=1e-11)


def surprise(points: np.ndarray, rate: float) -> tuple[float, int]:
    """Chi-square of points against e^(-rate |z|), each point where 20 or more are expected by itself; and its freedom."""
    reach = int(40 / rate) + 1
    side = np.arange(-reach, reach + 1)
    weight = np.exp(-rate * np.hypot(side[:, None], side))
    expected = len(points) * weight / weight.sum()
    counts = np.zeros_like(expected)
    inside = (np.abs(points) <= reach).all(axis=1)
    np.add.at(counts, tuple((points[inside] + reach).T), 1)
    alone = expected >= 20
    some = np.append(expected[alone], expected[~alone].sum())
    seen = np.append(counts[alone], len(points) - counts[alone].sum())
    return float(((seen - some) ** 2 / some).sum()), len(some) - 1


@pytest.mark.long
@pytest.mark.parametrize("rate", [Fraction(1), Fraction(0.3)])
def test_a_million_draws_follow_the_law_and_one_off_by_two_percent_is_caught(rate: Fraction) -> None:
    points = lattice_laplace(1_000_000, rate, system_entropy)
    assert points.shape == (1_000_000, 2)
    found, freedom = surprise(points, float(rate))
    assert found < chi2.isf(1e-6, freedom)
    wrong, freedom = surprise(lattice_laplace(1_000_000, rate * Fraction(51, 50), system_entropy), float(rate))
    assert wrong > chi2.isf(1e-6, freedom)


def test_points_together_are_decided_as_each_by_itself() -> None:
    rate, rng = Fraction(0.05), np.random.default_rng(3)
    points = rng.normal(0, 30, (400, 2)).astype(np.int64)
    points[200:] = points[:200, ::-1]
    words = rng.integers(0, 2**64, 400, dtype=np.uint64)
    together = accepted(points, rate, scripted(*words.tolist()))
    pairs = zip(words.tolist(), points.tolist(), strict=True)
    assert together.tolist() == [Uniform(word, scripted()).below(acceptance(a, b, rate)) for word, (a, b) in pairs]
    assert WORD + SPARE == 96

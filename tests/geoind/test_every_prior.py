"""Bayes capacity and Bayes security beside searches over priors, exact values, and attackers who guess."""

from __future__ import annotations

import math
from itertools import combinations, product

import mpmath
import numpy as np
import pytest

from lmdk_widgets.composition import gaussian_delta, laplace_delta, planar_laplace_delta, response_delta
from lmdk_widgets.geoind import (
    Channel,
    bayes_capacity,
    bayes_security,
    bayes_vulnerability,
    planar_laplace_capacity,
    planar_laplace_channel,
)
from lmdk_widgets.geoind.mechanisms import Instance, assess
from lmdk_widgets.noise import randomized_response_channel
from tests.geoind.places import distances, grid
from tests.sweeps import generators


def a_channel(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    matrix = rng.random((n, m)) ** float(rng.choice([1.0, 6.0])) * (rng.random((n, m)) < 0.8)
    matrix[:, 0] += 1e-3
    return matrix / matrix.sum(axis=1, keepdims=True)


def right(matrix: np.ndarray, prior: list[float]) -> float:
    """How often the best guess is right, guess by guess."""
    return math.fsum(
        max(p * row[z] for p, row in zip(prior, matrix.tolist(), strict=True)) for z in range(matrix.shape[1])
    )


def steps(n: int, parts: int) -> list[list[float]]:
    """Every prior whose chances are whole parts."""
    return [[k / parts for k in ks] for ks in product(range(parts + 1), repeat=n) if sum(ks) == parts]


def test_capacity_is_the_most_that_any_prior_gives() -> None:
    """What a report gains over the likeliest secret is convex in the prior over its largest chance, so it is the most for
    secrets that are all equally likely or impossible: all sets of them are tried, and a grid of priors beside them."""
    for rng in generators(31, 24):
        n, m = int(rng.integers(2, 5)), int(rng.integers(2, 6))
        matrix = a_channel(rng, n, m)
        found = bayes_capacity(matrix)
        sets = [set_ for size in range(1, n + 1) for set_ in combinations(range(n), size)]
        most = max(right(matrix, [1 / len(s) if x in s else 0.0 for x in range(n)]) * len(s) for s in sets)
        assert found == pytest.approx(most, rel=1e-12)
        for prior in steps(n, 8):
            assert right(matrix, prior) <= found * max(prior) * (1 + 1e-12)


def test_security_is_the_least_that_any_prior_leaves() -> None:
    """The grid contains each pair of secrets that are equally likely, and priors close to them."""
    for rng in generators(32, 24):
        n, m = int(rng.integers(2, 5)), int(rng.integers(2, 6))
        matrix = a_channel(rng, n, m)
        priors = [*steps(n, 12), *rng.dirichlet(np.full(n, 0.4), 60).tolist()]
        left = [(1 - right(matrix, p)) / (1 - max(p)) for p in priors if max(p) < 1 - 1e-3]
        assert bayes_security(matrix) == pytest.approx(min(left), abs=1e-12)


@pytest.mark.parametrize("m", [2, 3, 7])
@pytest.mark.parametrize("epsilon", [0.1, math.log(3), 4.0])
def test_randomised_response_in_closed_form(m: int, epsilon: float) -> None:
    channel = randomized_response_channel(m, epsilon)
    below = math.exp(epsilon) + m - 1
    assert bayes_capacity(channel) == pytest.approx(m * math.exp(epsilon) / below, rel=1e-12)
    assert bayes_security(channel) == pytest.approx(m / below, rel=1e-12)


def test_the_ends() -> None:
    assert (bayes_capacity(np.eye(4)), bayes_security(np.eye(4))) == (4, 0)
    same = np.tile([0.25, 0.25, 0.5], (3, 1))
    assert (bayes_capacity(same), bayes_security(same)) == (1, 1)
    assert (bayes_capacity([[0.5, 0.5]]), bayes_security([[0.5, 0.5]])) == (1, 1)  # one secret is known anyway


def test_what_is_computed_from_a_report_tells_no_more() -> None:
    for rng in generators(33, 20):
        matrix, more = a_channel(rng, 4, 5), a_channel(rng, 5, 3)
        assert bayes_capacity(matrix @ more) <= bayes_capacity(matrix) * (1 + 1e-12)
        assert bayes_security(matrix @ more) >= bayes_security(matrix) - 1e-12


def test_two_reports_multiply_at_most() -> None:
    for rng in generators(34, 20):
        one, two = a_channel(rng, 3, 4), a_channel(rng, 3, 3)
        both = np.array([np.outer(a, b).ravel() for a, b in zip(one, two, strict=True)])
        assert bayes_capacity(both) <= bayes_capacity(one) * bayes_capacity(two) * (1 + 1e-12)
        assert bayes_security(both) >= bayes_security(one) * bayes_security(two) - 1e-12


def test_an_attacker_who_guesses() -> None:
    """Guesses by the largest posterior, drawn 40,000 times: never more than the bounds but for chance."""
    for rng in generators(35, 4):
        matrix, prior = a_channel(rng, 4, 4), rng.dirichlet(np.ones(4))
        true = rng.choice(4, size=40_000, p=prior)
        reported = Channel(matrix, 0.0, math.inf, 0.0).report(true, rng)
        hits = float(((prior[:, None] * matrix).argmax(axis=0)[reported] == true).mean())
        assert hits == pytest.approx(bayes_vulnerability(matrix, prior), abs=0.015)
        assert hits <= bayes_capacity(matrix) * max(prior) + 0.015
        assert 1 - hits >= bayes_security(matrix) * (1 - max(prior)) - 0.015


def test_planar_laplace_anywhere_in_a_rectangle_by_integration() -> None:
    """The largest density of each report over the rectangle is that of the nearest point of it, summed on a fine lattice."""
    wide, high, epsilon, step = 2.0, 1.0, 1.5, 0.02
    x, y = np.arange(-12, 14, step) + step / 2, np.arange(-12, 13, step) + step / 2
    off = np.hypot(*np.meshgrid(np.maximum(np.maximum(-x, x - wide), 0), np.maximum(np.maximum(-y, y - high), 0)))
    total = float((epsilon**2 / (2 * math.pi) * np.exp(-epsilon * off)).sum() * step**2)
    assert planar_laplace_capacity(wide * high, 2 * (wide + high), epsilon) == pytest.approx(total, rel=1e-3)
    assert planar_laplace_capacity(0, 0, 1) == 1  # one point


def test_cells_in_a_region_tell_less_than_the_noise_itself() -> None:
    for n, epsilon in ((2, 0.3), (4, 1.0), (5, 2.0)):
        channel = planar_laplace_channel(grid(n), epsilon)
        side = n - 1.0
        most = planar_laplace_capacity(side**2, 4 * side, epsilon)
        assert bayes_capacity(channel.matrix) <= most + n * n * channel.error
        least = 1 - planar_laplace_delta([epsilon * side * math.sqrt(2)], 0)
        assert bayes_security(channel.matrix) >= least - n * n * channel.error


@pytest.mark.parametrize("level", [0.05, 0.7, 3.0])
def test_total_variation_of_noise_is_its_delta_at_epsilon_0(level: float) -> None:
    """From the densities: planar Laplace beyond the line halfway, by the angle; the others in closed form."""
    half = mpmath.mpf(level) / 2
    left = mpmath.quad(
        lambda a: (1 + half / mpmath.cos(a)) * mpmath.exp(-half / mpmath.cos(a)), [0, 1, 1.5, mpmath.pi / 2]
    )
    truth = {
        planar_laplace_delta([level], 0): float(1 - 2 / mpmath.pi * left),
        laplace_delta([level], 0): 1 - math.exp(-level / 2),
        response_delta([level], 0): math.tanh(level / 2),
        gaussian_delta(0, level): math.erf(level / math.sqrt(8)),
    }
    for found, exact in truth.items():
        assert exact * (1 - 1e-9) <= found <= exact * (1 + 1e-3)


def test_two_counts_with_laplace_noise_by_integration() -> None:
    """Half the distance of two products of Laplace densities, on a lattice."""
    b, step = 1.0, 0.02
    x = np.arange(-16, 17, step) + step / 2
    one, two = (np.exp(-np.abs(x - mean) / b) / (2 * b) * step for mean in (0.0, 1.0))
    exact = float(np.abs(np.outer(one, two) - np.outer(two, one)).sum() / 2)
    assert exact - 1e-4 <= laplace_delta([1.0, 1.0], 0) <= exact + 1e-3


def test_an_assessment_counts_the_error_of_an_entry_against_itself() -> None:
    points = grid(3)
    apart = distances(points)
    instance = Instance(points, apart, np.full(9, 1 / 9), np.full(9, 1 / 9))
    channel = planar_laplace_channel(points, 1.0)
    found = assess(channel, instance)
    assert found.capacity == pytest.approx(bayes_capacity(channel.matrix) + 9 * channel.error, rel=1e-15)
    assert found.security == pytest.approx(bayes_security(channel.matrix) - 9 * channel.error, rel=1e-15)
    rough = Channel(channel.matrix, 0.0, 1.0, 0.0, error=1e-3)
    assert assess(rough, instance).capacity >= bayes_capacity(channel.matrix) + 8.9e-3
    assert assess(rough, instance).security <= bayes_security(channel.matrix) - 8.9e-3

"""Lower bounds on any mechanism's error: linear programmes with more reports, integrals and draws never go below them."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from lmdk_widgets.geoind import Solver, least_error, of_any_report, optimal_mechanism, two_place_error
from lmdk_widgets.geoind.any_mechanism import OFF_CELLS
from lmdk_widgets.geoind.reference import lower_bound
from lmdk_widgets.linear.trees import shrunk
from tests.geoind.places import distances, grid, uniform


def loss_of_reports(truths: np.ndarray, reports: np.ndarray, prior: np.ndarray, epsilon: float) -> float:
    """The least loss of a mechanism with these reports, by a linear programme of another library, with all constraints."""
    apart, off = distances(truths), np.hypot(*(truths[:, None] - reports).transpose(2, 0, 1))
    (n, m), pairs = off.shape, [(x, y) for x in range(len(truths)) for y in range(len(truths)) if x != y]
    private = np.zeros((len(pairs) * m, n * m))
    for k, (x, y) in enumerate(pairs):
        rows = k * m + np.arange(m)
        private[rows, x * m + np.arange(m)], private[rows, y * m + np.arange(m)] = 1, -math.exp(epsilon * apart[x, y])
    sums = np.kron(np.eye(n), np.ones(m))
    found = linprog((prior[:, None] * off).ravel(), private, np.zeros(len(private)), sums, np.ones(n), method="highs")
    assert found.status == 0
    return float(found.fun)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("apart", [0.5, 1.2784645, 6.0])
def test_two_places_attain_their_bound_and_no_report_elsewhere_does_better(epsilon: float, apart: float) -> None:
    truths, reports = np.array([[0, 0], [apart, 0]]), apart * np.random.default_rng(1).normal(0.5, 0.4, (30, 2))
    bound = two_place_error(epsilon, apart)
    best = loss_of_reports(truths, np.concatenate([truths, reports]), uniform(2), epsilon)
    assert bound <= best + 1e-9 and best == pytest.approx(bound, rel=1e-6)
    assert bound <= two_place_error(1.0, 1.2784645) / epsilon * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_reports_between_the_cells_are_never_below_the_bound(seed: int) -> None:
    """Programmes with 9 cells and 49 reports, or some of the cells: the best of them lies between the bound and the cells."""
    rng, points = np.random.default_rng([73, seed]), grid(3)
    whole = seed % 3 < 2
    cells = points if whole else points[np.sort(rng.permutation(9)[:6])]
    prior = uniform(len(cells)) if seed == 0 else rng.dirichlet(np.full(len(cells), 0.5))
    epsilon = float(np.exp(rng.uniform(-1, 1.5)))
    between = np.array([(x / 3, y / 3) for x in range(7) for y in range(7)])
    on_cells = loss_of_reports(cells, points if whole else cells, prior, epsilon)
    more = loss_of_reports(cells, np.concatenate([between, cells]), prior, epsilon)
    bound = of_any_report(on_cells, 1.0, whole=whole)
    assert bound <= more + 1e-9 and more <= on_cells + 1e-9
    assert bound == pytest.approx(
        max(on_cells - OFF_CELLS, on_cells / math.sqrt(2)) if whole else on_cells / 2, abs=1e-6
    )


def test_a_corner_instead_of_a_place_costs_what_the_proof_says() -> None:
    """Corners of the square around z, drawn with mean z: at most .177 sides, and at most a factor of the root of 2, more."""
    rng = np.random.default_rng(5)
    lattice = np.array([(x, y) for x in range(-4, 6) for y in range(-4, 6)], float)
    worst, most = 0.0, 0.0
    for u, v in [(0.5, 0.5), (1e-6, 1e-6), *rng.random((3000, 2)).tolist()]:
        chance = {(0, 0): (1 - u) * (1 - v), (1, 0): u * (1 - v), (0, 1): (1 - u) * v, (1, 1): u * v}
        drawn = sum(p * np.hypot(*(lattice - corner).T) for corner, p in chance.items())
        there = np.hypot(*(lattice - (u, v)).T)
        worst, most = max(worst, float((drawn - there).max())), max(most, float((drawn / there).max()))
    assert 0.14 < worst <= OFF_CELLS and 1.4 < most <= math.sqrt(2)


@pytest.mark.parametrize("seed", range(5))
def test_no_density_that_falls_so_slowly_is_nearer(seed: int) -> None:
    """The lemma for a plane: mixtures of planar Laplace around other places, and products, integrated on a grid."""
    rng = np.random.default_rng([74, seed])
    x = np.linspace(-40, 40, 1601)
    at = np.stack(np.meshgrid(x, x), axis=-1)
    far = np.hypot(*at.transpose(2, 0, 1))
    density = np.zeros(far.shape)
    for weight, centre, rate in zip(rng.dirichlet(np.ones(4)), rng.normal(0, 2, (4, 2)), (1, 0.7, 1, 0.9), strict=True):
        density += weight * rate**2 * np.exp(-rate * np.hypot(*(at - (seed > 0) * centre).transpose(2, 0, 1)))
    assert (density * far).sum() / density.sum() >= least_error(1.0)
    alone = np.exp(-far)
    assert (alone * far).sum() / alone.sum() == pytest.approx(least_error(1.0), rel=1e-3)


@pytest.mark.parametrize(("epsilon", "spread"), [(1.0, 2.0), (0.3, 4.0), (3.0, 1.0)])
def test_no_reader_of_planar_laplace_who_knows_the_spread_is_nearer(epsilon: float, spread: float) -> None:
    """The best guess after each of many reports, by the belief on a grid; and planar Laplace is above the bound for all."""
    rng, eta = np.random.default_rng(75), 2 / spread
    x = np.linspace(-12, 12, 61) * spread / 2
    places = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    far, off = np.exp(-eta * np.hypot(*places.T)), distances(places)

    def drawn(rate: float, many: int) -> np.ndarray:
        angle, radius = rng.uniform(0, 2 * math.pi, many), rng.gamma(2, 1 / rate, many)
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

    true = drawn(eta, 600)
    reports = true + drawn(epsilon, 600)
    belief = far * np.exp(-epsilon * np.hypot(*(reports[:, None] - places).transpose(2, 0, 1)))
    guess = places[(belief @ off).argmin(axis=1)]
    error = np.hypot(*(guess - true).T)
    assert error.mean() + 3 * error.std() / math.sqrt(600) > least_error(epsilon, spread)
    assert least_error(epsilon, spread) < min(2 / epsilon, spread)


def test_bounds_of_the_programme_hold_to_the_last_digit() -> None:
    """Against closed forms with 50 digits, two places and three in a line, from flows that are all but the best."""
    getcontext().prec = 50
    for epsilon in np.random.default_rng(76).uniform(0.7, 3, 40).tolist():
        a = (-Decimal(epsilon)).exp()
        line = Fraction((2 * a / 3) * (2 + a) / (1 + a))
        for n, exact in ((2, Fraction(a / (1 + a))), (3, line * Fraction(uniform(3)[0]) * 3)):
            found = optimal_mechanism(distances(grid(1, n)), uniform(n), epsilon, method="highs")
            assert Fraction(found.bound) <= exact and found.bound == pytest.approx(float(exact), abs=1e-7)


def test_a_length_never_shrinks_too_little() -> None:
    getcontext().prec = 50
    lengths = np.random.default_rng(77).uniform(0, 199, 500)
    for length, less in zip(lengths.tolist(), shrunk(lengths).tolist(), strict=True):
        exact = (-Decimal(length)).exp()
        assert Decimal(less) <= exact and Decimal(less) >= exact * (1 - Decimal("1e-13"))
    assert shrunk(np.array([200.0, np.inf])).tolist() == [0.0, 0.0]


def test_flows_without_an_error_are_rounded_down() -> None:
    """With the best flows of two places the bound is exact but for rounding, which goes down."""
    program = Solver(distances(grid(1, 2))).program(uniform(2), 1.0)
    a = math.exp(-1)
    flows = np.zeros((2, 2))
    for k, (x, _) in enumerate(program.pairs.tolist()):
        flows[k, 1 - x] = 0.5 / (1 + a)
    exact = Fraction((-Decimal(1)).exp()) / (1 + Fraction((-Decimal(1)).exp()))
    found = max(lower_bound(program, flows), lower_bound(program, flows[:, ::-1]))
    assert Fraction(found) < exact and found == pytest.approx(float(exact), rel=1e-12)

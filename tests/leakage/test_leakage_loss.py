"""The loss function against brute force, the linear programme, Algorithm 1 and long arithmetic."""

import itertools
import math
import pickle

import mpmath
import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import LossFunction, largest_bounded_epsilon
from lmdk_widgets.leakage.envelope import vertices
from lmdk_widgets.leakage.markov import smoothed_identity, transition_matrix

from .oracles import (
    CYCLE,
    EQUAL_ROWS,
    A,
    C,
    M,
    algorithm_1,
    all_prefixes,
    brute_force,
    brute_force_exact,
    linear_programme,
    normalised,
    random_matrix,
)


def test_values_of_the_specification():
    loss = LossFunction(M)
    assert [loss(1.0), loss(2.0)] == pytest.approx([0.4943335145, 0.9397521224], abs=1e-9)
    best = loss.vertices[np.searchsorted(loss.breakpoints, [1.0, 2.0])]
    assert best.tolist() == [pytest.approx([0.7, 0.2]), pytest.approx([0.5, 0.1])]


@pytest.mark.long
def test_brute_force_on_thousands_of_matrices():
    rng = np.random.default_rng(0)
    alphas = np.array([1e-3, 0.1, 0.7, 2, 6, 20])
    for _ in range(2500):
        p = random_matrix(rng, int(rng.integers(2, 9 if rng.random() < 0.1 else 6)))
        assert LossFunction(p)(alphas) == pytest.approx(brute_force(p, alphas), rel=1e-9, abs=2e-14)


@pytest.mark.long
def test_linear_programme():
    rng = np.random.default_rng(1)
    for _ in range(200):
        p, alpha = random_matrix(rng, int(rng.integers(2, 5))), float(rng.uniform(0.05, 4))
        assert LossFunction(p)(alpha) == pytest.approx(linear_programme(p, alpha), rel=1e-5, abs=1e-6)


def test_algorithm_1():
    rng = np.random.default_rng(2)
    for _ in range(1000):
        p, alpha = random_matrix(rng, int(rng.integers(2, 9))), float(10 ** rng.uniform(-2, 1.3))
        assert LossFunction(p)(alpha) == pytest.approx(algorithm_1(p, alpha), rel=1e-11, abs=2e-14)


def test_no_digit_is_lost_from_tiny_to_huge_alpha():
    rng = np.random.default_rng(3)
    alphas = [1e-12, 3e-7, 1e-3, 0.5, 3.0, 40.0, 699.0, 711.0, 1e4]
    for _ in range(60):
        p = transition_matrix(random_matrix(rng, int(rng.integers(2, 5))))
        loss = LossFunction(p)
        exact = np.array([float(brute_force_exact(p, a)) for a in alphas])
        assert loss(np.array(alphas)) == pytest.approx(exact, rel=4e-15, abs=0)
        assert [loss(a) for a in alphas] == pytest.approx(exact, rel=4e-15, abs=0)


@pytest.mark.parametrize("m", [24, 27, 45])
def test_pruning_drops_nothing(m):
    rng = np.random.default_rng(m)
    x = np.arange(m)
    row, cells = rng.dirichlet(np.ones(m)), np.array([divmod(i, 7) for i in range(m)])
    sparse = rng.random((m, m)) * (rng.random((m, m)) < 0.5)
    sparse[:, 0] += 0.1
    families = [
        rng.dirichlet(np.ones(m), m),
        rng.dirichlet(np.full(m, 0.05), m) + 1e-7,
        rng.random((m, m)) ** 6,
        sparse,
        np.eye(m) + 0.01,
        np.stack([np.roll(row, i) for i in range(m)]),
        np.exp(-np.abs(x[:, None] - x) / 3.0),
        np.exp(-np.linalg.norm(cells[:, None] - cells, axis=2) * 1.5),
        1 + 1e-7 * rng.standard_normal((m, m)),
        10.0 ** rng.uniform(-12, 0, (m, m)),
    ]
    alphas = np.geomspace(1e-6, 60, 50)
    for weights in families:
        p = transition_matrix(normalised(weights))
        assert LossFunction(p)(alphas) == pytest.approx(all_prefixes(p, alphas), rel=1e-11, abs=0)


def test_pruning_drops_nothing_of_a_large_matrix():
    rng = np.random.default_rng(9)
    m, alphas = 110, np.geomspace(1e-3, 50, 12)
    x = np.arange(m)
    families = [
        rng.dirichlet(np.ones(m), m),
        rng.random((m, m)) ** 8,
        10.0 ** rng.uniform(-9, 0, (m, m)),
        np.exp(-np.abs(x[:, None] - x) / 4.0),
        rng.random((m, m)) * (rng.random((m, m)) < 0.5) + 0.1 * (x == 0),
    ]
    for weights in families:
        p = transition_matrix(normalised(weights))
        assert LossFunction(p)(alphas) == pytest.approx(all_prefixes(p, alphas), rel=1e-11, abs=0)


def test_equal_rows_of_a_large_matrix_change_nothing():
    """The rows are fewer than the states then."""
    rng = np.random.default_rng(0)
    m, alphas = 110, np.geomspace(1e-3, 50, 12)
    for equal in (2, 5):
        weights = rng.random((m, m)) ** 8
        weights[-equal:] = weights[3]
        p = transition_matrix(normalised(weights))
        loss = LossFunction(p)
        assert loss(alphas) == pytest.approx(all_prefixes(p, alphas), rel=1e-11, abs=0)
        assert len({row.tobytes() for row in p}) == m - equal


def test_one_number_on_the_diagonal_and_one_beside_it():
    for m in (2, 3, 7, 40):
        for weights in (np.eye(m) + 0.01, 1.01 - np.eye(m), np.eye(m) + 1e-9):
            p = transition_matrix(normalised(weights))
            alphas = np.array([1e-9, 0.1, 2.0, 30.0])
            assert LossFunction(p)(alphas) == pytest.approx(all_prefixes(p, alphas), rel=1e-12, abs=0)


def test_every_vertex_is_a_subset_and_best_somewhere():
    rng = np.random.default_rng(4)
    for _ in range(100):
        p = transition_matrix(random_matrix(rng, int(rng.integers(2, 7))))
        loss = LossFunction(p)
        assert (np.diff(loss.breakpoints) > 0).all()
        middles = np.concatenate(([0.0], loss.breakpoints, [50.0]))
        for (x, y), (q, d), low, high in zip(loss.rows, loss.vertices, middles[:-1], middles[1:], strict=True):
            inside = p[x] * d >= p[y] * q * (1 - 1e-12)  # at least the ratios above the prefix's mean belong to it
            assert loss.is_zero or d < q <= 1 + 1e-15
            assert p[x][inside & (p[x] > p[y])].sum() <= q + 1e-12
            if high - low > 1e-3:
                theta = math.expm1((low + high) / 2)
                assert loss((low + high) / 2) == pytest.approx(math.log((1 + q * theta) / (1 + d * theta)), abs=1e-13)


@pytest.mark.long
def test_the_loss_lies_between_nothing_and_everything():
    rng = np.random.default_rng(5)
    alphas = np.geomspace(1e-9, 1e4, 300)
    for _ in range(100):
        loss = LossFunction(random_matrix(rng, int(rng.integers(2, 7))))
        values, kept = loss(alphas), np.array([loss.headroom(a) for a in alphas])
        assert (values >= 0).all() and (values <= alphas).all()
        assert (np.diff(values) >= -1e-15 * values[1:]).all() and (np.diff(kept) >= -4e-15 * kept[1:]).all()
        assert kept == pytest.approx(alphas - values, rel=1e-6, abs=1e-13 * 1e4)
        assert loss(0.0) == 0 and loss(np.zeros(2)).tolist() == [0, 0]


def test_headroom_keeps_its_digits_under_strong_correlation():
    p = smoothed_identity(3, 1e-12)
    for alpha in (1e-9, 1e-3, 1.0, 20.0):
        theta, q, d = math.expm1(alpha), p[0, 0], p[0, 1]
        exact = math.log1p(theta * ((p[0, 1] + p[0, 2]) + d + d * theta) / (1 + q * theta))
        assert LossFunction(p).headroom(alpha) == pytest.approx(exact, rel=1e-9)


def test_slope_is_the_derivative():
    rng = np.random.default_rng(6)
    for _ in range(50):
        loss, a, h = LossFunction(random_matrix(rng, 4)), float(rng.uniform(0.1, 8)), 1e-5
        if not len(loss.breakpoints) or np.abs(loss.breakpoints - a).min() > 2 * h:
            assert loss.slope(a) == pytest.approx((loss(a + h) - loss(a - h)) / (2 * h), abs=1e-8)
        many = np.array([0.0, a, 50.0, 1e3])
        assert loss.slope(many) == pytest.approx([loss.slope(float(one)) for one in many], rel=1e-12)


def test_degenerate_matrices_are_answers():
    alphas = np.array([0.0, 1e-9, 1.0, 1e4])
    for one in (np.eye(3), CYCLE, [[0, 1], [1, 0]], [[0.5, 0.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0.2, 0.8, 0, 0]]):
        loss = LossFunction(one)
        assert loss.is_identity and loss(alphas).tolist() == alphas.tolist() and loss.headroom(3.0) == 0
        assert loss.supremum(0.1) == math.inf and loss.supremum(0.0) == 0 and largest_bounded_epsilon(loss) == 0
    for none in (EQUAL_ROWS, [[1.0]], [[0, 1], [0, 1]]):
        loss = LossFunction(none)
        assert loss.is_zero and not loss(alphas).any() and loss.supremum(0.3) == 0.3 and loss.headroom(3.0) == 3
        assert largest_bounded_epsilon(loss) == math.inf


def test_arrays_numbers_and_copies():
    loss = LossFunction(M)
    again = pickle.loads(pickle.dumps(loss))
    grid = np.linspace(0, 3, 12).reshape(3, 4)
    assert (loss(grid) == again(grid)).all() and loss(grid).shape == (3, 4)
    assert isinstance(loss(1), float) and isinstance(loss(np.float64(1)), float)
    assert loss(math.inf) == pytest.approx(math.log(5)) and LossFunction(A)(math.inf) == math.inf
    assert len(pickle.dumps(LossFunction(np.random.default_rng(0).dirichlet(np.ones(60), 60)))) < 45_000
    with pytest.raises(ValueError):
        loss.vertices[0, 0] = 1


def test_what_is_no_loss_or_matrix_is_refused_by_name():
    for bad in (-1.0, math.nan, np.array([1.0, -1e-9])):
        with pytest.raises(InputError, match="Alpha must be a number, 0 or more; got"):
            LossFunction(M)(bad)
    with pytest.raises(InputError, match=r"Row 1 of the transition matrix must sum to 1; got 0\.9"):
        LossFunction([[1, 0], [0.4, 0.5]])
    assert LossFunction([[8, 2], [0, 3]], normalize=True).vertices.tolist() == [[0.8, 0.0]]


def test_supremum_values_of_the_specification():
    a, c = LossFunction(A), LossFunction(C)
    assert a.supremum(0.1) == pytest.approx(0.6459066161, abs=1e-9)
    assert c.supremum(0.1) == pytest.approx(0.2487718350, abs=1e-9)
    limit = math.log(1.25)
    assert a.supremum(limit) == a.supremum(0.3) == a.supremum(1e4) == math.inf and a.supremum(limit - 1e-9) < 30
    assert largest_bounded_epsilon(a) == pytest.approx(limit, rel=1e-15) and largest_bounded_epsilon(c) == math.inf
    assert largest_bounded_epsilon(None) == math.inf


def _literal_supremum(p, epsilon):
    """The closed form as the paper prints it, in long arithmetic, over all pairs and all prefixes."""
    with mpmath.workdps(50):
        best, e = mpmath.mpf(epsilon), mpmath.exp(epsilon)
        for after, before in itertools.permutations(p.tolist(), 2):
            order = sorted(range(len(p)), key=lambda j: before[j] / after[j] if after[j] > 0 else math.inf)
            for k in range(1, len(p)):
                q, d = (sum(mpmath.mpf(row[j]) for j in order[:k]) for row in (after, before))
                if d > 0:
                    b = d + q * e - 1
                    root = mpmath.sqrt(max(4 * d * e * (1 - q) + b * b, 0))
                    best = max(best, mpmath.log((root + b) / (2 * d)))
                elif q > 0:
                    best = max(best, mpmath.log((1 - q) * e / (1 - q * e)) if q * e < 1 else mpmath.inf)
        return float(best)


@pytest.mark.long
def test_the_vertices_are_enough_for_the_supremum():
    rng = np.random.default_rng(7)
    for _ in range(150):
        p = transition_matrix(random_matrix(rng, int(rng.integers(2, 6))))
        epsilon = float(10 ** rng.uniform(-1.5, 0.7))
        loss, expected = LossFunction(p), _literal_supremum(p, epsilon)
        assert loss.supremum(epsilon) == pytest.approx(expected, rel=1e-9)
        if math.isfinite(expected):
            a = loss.supremum(epsilon)
            assert loss(a) + epsilon == pytest.approx(a, rel=1e-12)


def _supremum_of_small_alpha(loss, epsilon):
    """What one gets from the pair that is best at small alpha alone."""
    q, d = loss.vertices[0]
    b = d + q * math.exp(epsilon) - 1
    return math.log((math.sqrt(4 * d * math.exp(epsilon) * (1 - q) + b * b) + b) / (2 * d))


def test_the_best_pair_at_small_alpha_is_not_the_best_for_ever():
    loss = LossFunction(M)
    assert loss.supremum(1.0) > _supremum_of_small_alpha(loss, 1.0) + 0.1
    a = 0.0
    for _ in range(500):
        a = loss(a) + 1.0
    assert loss.supremum(1.0) == pytest.approx(a, rel=1e-12)
    unbounded = LossFunction([[0.5, 0.5, 0.0], [0.1, 0.9, 0.0], [0.5, 0.44, 0.06]])
    assert unbounded.supremum(3.0) == math.inf > _supremum_of_small_alpha(unbounded, 3.0)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-3, 1.0, 50.0, 340.0, 720.0, 1e4])
def test_supremum_from_tiny_to_huge_budgets(epsilon):
    loss = LossFunction(M)
    a = loss.supremum(epsilon)
    assert loss(a) + epsilon == pytest.approx(a, rel=1e-14)
    assert LossFunction(smoothed_identity(4, 1e-9)).supremum(epsilon) >= a


def test_vertices_of_the_example_come_with_their_rows():
    found = vertices(M)
    assert found.rows.tolist() == [[2, 0], [0, 2], [2, 0]]
    assert (found.d + found.g + found.rest).tolist() == pytest.approx([1] * len(found.d))

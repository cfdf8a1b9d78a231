"""The plan of least mean error: the published values, slow searches that share no code with it, and what it promises."""

import sys
import warnings

import numpy as np
import pytest
from scipy.optimize import minimize

import lmdk_widgets.leakage.least_error as least_error
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import AnyStart, LossFunction, best_plan, plan_budgets, reverse, temporal_loss
from lmdk_widgets.leakage.least_error import WHOLE, better_plans, starting_plan
from lmdk_widgets.leakage.markov import smoothed_identity

from .oracles import CYCLE, EQUAL_ROWS, A, C, M, brute_force, normalised, random_matrix

WEAK, MODERATE, STRONG = (smoothed_identity(5, s) for s in (1.0, 0.1, 0.01))


def slow_totals(p_backward, p_forward, budgets):
    """TPL_t (..., n) of budgets (..., n) by every pair of rows and every subset of the states."""
    eps = np.moveaxis(np.asarray(budgets, float), -1, 0)

    def losses(p, spent):
        found = [spent[0]]
        for e in spent[1:]:
            before = found[-1]
            found.append(e + (0 if p is None else brute_force(p, before.ravel()).reshape(before.shape)))
        return np.stack(found)

    return np.moveaxis(losses(p_backward, eps) + losses(p_forward, eps[::-1])[::-1] - eps, 0, -1)


def slow_plan(p_backward, p_forward, alpha, n, rng, beginnings=4):
    """The least mean of 1 / eps that sequential quadratic programming finds from several beginnings, in log eps."""
    best = np.inf
    starts = [np.zeros(n), *rng.normal(0, 0.7, (beginnings, n))]

    def room(z):
        return 1 - slow_totals(p_backward, p_forward, alpha * np.exp(np.clip(z, -30, 5))) / alpha

    for start in starts:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a step that leads nowhere
            found = minimize(
                lambda z: np.exp(-z).mean(),
                start - np.log(n),
                jac=lambda z: -np.exp(-z) / n,
                method="SLSQP",
                constraints={"type": "ineq", "fun": room},
                options={"maxiter": 200, "ftol": 1e-9},
            )
        z = np.clip(found.x, -30, 5)
        low, high = 0.0, 2.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if room(z + np.log(middle)).min() >= 0 else (low, middle)
        if low:
            best = min(best, float(np.exp(-z).mean() / (alpha * low)))
    return best


@pytest.mark.parametrize(
    ("chain", "n", "wanted", "cao"),
    [
        (WEAK, 8, None, None),
        (WEAK, 48, None, None),
        (MODERATE, 8, 4.0899, 4.6253),
        (MODERATE, 24, 5.0975, 5.2760),
        (MODERATE, 48, 5.3495, 5.4387),
        (STRONG, 8, 7.3227, 35.0752),
        (STRONG, 24, 18.490, 42.435),
        (STRONG, 48, 28.942, 44.275),
    ],
)
def test_values_of_the_specification(chain, n, wanted, cao):
    plan, caos = best_plan(chain, chain, 1.0, n), plan_budgets(chain, chain, 1.0, n)
    if wanted is None:  # Cao's plan is best
        assert plan.mean_inverse == pytest.approx((1 / caos).mean(), rel=1e-9)
    else:
        assert plan.mean_inverse == pytest.approx(wanted, rel=1e-4)
        assert (1 / caos).mean() == pytest.approx(cao, rel=1e-4)


def test_the_budgets_of_the_specification():
    budgets = best_plan(MODERATE, MODERATE, 1.0, 8).budgets
    assert budgets[:4] == pytest.approx([0.3225, 0.2702, 0.2282, 0.1933], abs=1e-4)
    assert budgets == pytest.approx(budgets[::-1], rel=1e-12)


def sides(rng):
    """A chain, its past, and alpha: alike on both sides, of two different chains, over all starts, or one side alone."""
    m = int(rng.integers(2, 4))
    p = random_matrix(rng, m)
    past = [p, random_matrix(rng, m), None][int(rng.integers(3))]
    both = (past, p) if rng.random() < 0.7 else (p, past)
    return both, float(10 ** rng.uniform(-2, 1.5))


@pytest.mark.long
def test_a_slow_search_finds_no_better_plan():
    rng = np.random.default_rng(11)
    for _ in range(12):
        (past, future), alpha = sides(rng)
        n = int(rng.integers(2, 6))
        found = best_plan(past, future, alpha, n).mean_inverse
        assert found <= slow_plan(past, future, alpha, n, rng) * (1 + 1e-3)


@pytest.mark.long
def test_brute_force_over_three_timestamps_finds_no_better_plan():
    rng = np.random.default_rng(12)
    shares = np.linspace(0.02, 1, 50)
    grid = np.stack(np.meshgrid(shares, shares, shares, indexing="ij"), axis=-1).reshape(-1, 3)
    for past, future in ((C, C), (A, A), (M, None), (normalised(np.eye(2) + 0.05), A)):
        alpha = float(10 ** rng.uniform(-1, 1))
        kept = grid[slow_totals(past, future, alpha * grid).max(axis=-1) <= alpha]
        least = (1 / (alpha * kept)).mean(axis=-1).min()
        found = best_plan(past, future, alpha, 3).mean_inverse
        assert least * 0.9 < found <= least * (1 + 1e-9)


@pytest.mark.long
def test_every_plan_keeps_alpha_and_is_never_worse_than_both_beginnings():
    rng = np.random.default_rng(13)
    for _ in range(60):
        (past, future), alpha = sides(rng)
        n = int(rng.choice([1, 2, 3, 10, 60]))
        if rng.random() < 0.2 and future is not None:
            past = AnyStart(future)
        plans = list(better_plans(past, future, alpha, n))
        user, cao = n / alpha, plan_budgets(past, future, alpha, n)
        with np.errstate(divide="ignore"):
            assert plans[0].mean_inverse == pytest.approx(min(user, (1 / cao).mean()), rel=1e-11)
        for plan in plans:
            total = temporal_loss(past, future, plan.budgets).total
            assert plan.budgets.shape == (n,) and (plan.budgets > 0).all()
            assert plan.largest_total == total.max() <= alpha
        means = [plan.mean_inverse for plan in plans]
        assert means == sorted(means, reverse=True)
        assert means[0] == starting_plan(past, future, alpha, n).mean_inverse


def test_one_timestamp_two_and_chains_at_the_edge():
    assert best_plan(A, C, 2.0, 1).budgets.tolist() == [2.0]
    assert best_plan(EQUAL_ROWS, EQUAL_ROWS, 0.7, 5).budgets.tolist() == [0.7] * 5
    assert best_plan(None, None, 0.7, 3).budgets.tolist() == [0.7] * 3
    for nothing_forgotten in (np.eye(3), CYCLE):  # the sum counts: user level is best
        for past, future in ((nothing_forgotten,) * 2, (nothing_forgotten, None), (None, nothing_forgotten)):
            assert best_plan(past, future, 1.0, 6).budgets == pytest.approx(np.full(6, 1 / 6), rel=1e-9)
    assert best_plan(A, A, 0.0, 3).budgets.tolist() == [0, 0, 0]
    two = best_plan(C, C, 1.0, 2).budgets
    assert two[0] == two[1] == pytest.approx(plan_budgets(C, C, 1.0, 2)[0], rel=1e-9)


@pytest.mark.parametrize("alpha", [1e-6, 0.1, 1.0, 30.0, 1e4])
def test_small_and_large_targets_zeros_and_a_supremum_without_bound(alpha):
    for past, future in ((A, A), (A, None), (np.eye(2), A), (M, A), (AnyStart(C), C)):
        plan = best_plan(past, future, alpha, 12)
        assert temporal_loss(past, future, plan.budgets).total.max() <= alpha
        assert plan.mean_inverse <= 12 / alpha * (1 + 1e-12)


def test_a_chain_that_changes_with_time():
    forward = [[[0.9, 0.1], [0.2, 0.8]], [[0.8, 0.2], [0.3, 0.7]], [[0.99, 0.01], [0.02, 0.98]]]
    backward = reverse(forward, [0.5, 0.5])
    plan = best_plan(backward, forward, 1.0, 4)
    assert temporal_loss(backward, forward, plan.budgets).total.max() <= 1
    assert plan.mean_inverse < (1 / plan_budgets(backward, forward, 1.0, 4)).mean()
    same = best_plan([MODERATE] * 7, [MODERATE] * 7, 1.0, 8)
    assert same.mean_inverse == pytest.approx(4.0899, rel=1e-4)
    no_plan_of_cao = best_plan([np.eye(2), None], [None, np.eye(2)], 1.0, 3)
    assert no_plan_of_cao.mean_inverse <= 3


@pytest.mark.long
def test_from_all_beginnings_where_they_lead_to_different_plans():
    rng = np.random.default_rng(14)
    for _ in range(15):
        past, future = [[LossFunction(random_matrix(rng, 3)) for _ in range(2)] for _ in range(2)]
        alpha = float(10 ** rng.uniform(-1, 1.5))
        found = best_plan(past, future, alpha, 3).mean_inverse
        for _ in range(40):
            budgets = alpha * 10 ** rng.uniform(-1.5, 0, 3)
            budgets *= alpha / temporal_loss(past, future, budgets).total.max()
            if temporal_loss(past, future, budgets).total.max() <= alpha:
                assert found <= (1 / budgets).mean() * (1 + 1e-3)


def test_a_long_series_has_a_boundary_at_both_ends_and_cao_s_constant_between():
    n = 2 * WHOLE
    for chain in (MODERATE, STRONG):
        plan, cao = best_plan(chain, chain, 1.0, n), plan_budgets(chain, chain, 1.0, n)
        assert temporal_loss(chain, chain, plan.budgets).total.max() == plan.largest_total <= 1
        assert plan.budgets[200:-200] == pytest.approx(cao[1], rel=1e-3)
        assert (np.diff(plan.budgets[: n // 2]) <= 0).all() and (np.diff(plan.budgets[n // 2 :]) >= 0).all()
        assert plan.mean_inverse < (1 / cao).mean()


@pytest.mark.long
@pytest.mark.parametrize("smoothing", [0.1, 0.01, 0.001, 0.0001])
def test_a_long_series_is_within_a_hundredth_of_what_programmes_find(monkeypatch, smoothing):
    chain, n = LossFunction(smoothed_identity(5, smoothing)), 150
    past = AnyStart(smoothed_identity(5, smoothing))
    for before in (chain, past, None):
        whole = best_plan(before, chain, 1.0, n).mean_inverse
        with monkeypatch.context() as short:
            short.setattr(least_error, "WHOLE", 100)
            assert whole <= best_plan(before, chain, 1.0, n).mean_inverse <= whole * 1.01


def test_what_the_solver_says_is_not_believed(monkeypatch):
    rng = np.random.default_rng(15)
    honest = best_plan(STRONG, STRONG, 1.0, 8)

    def wild(before, after, alpha, budgets, losses, radius):
        return budgets * rng.exponential(5, len(budgets)), 0.5

    for answers in (wild, lambda *_: None):
        monkeypatch.setattr(least_error, "stepped", answers)
        plan = best_plan(STRONG, STRONG, 1.0, 8)
        assert temporal_loss(STRONG, STRONG, plan.budgets).total.max() <= 1
        assert honest.mean_inverse * (1 - 1e-6) <= plan.mean_inverse <= 8


def test_programmes_improve_a_plan_that_is_not_best(monkeypatch):
    monkeypatch.setattr(least_error, "falling_plans", lambda *_: iter(()))
    assert best_plan(MODERATE, MODERATE, 1.0, 8).mean_inverse == pytest.approx(4.0899, rel=1e-4)
    assert best_plan(STRONG, STRONG, 1.0, 24).mean_inverse == pytest.approx(18.490, rel=1e-4)
    past = AnyStart(STRONG)
    assert best_plan(past, STRONG, 1.0, 8).mean_inverse < 0.99 * starting_plan(past, STRONG, 1.0, 8).mean_inverse


def test_without_highs_the_message_has_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(InputError, match=r'needs the library highspy.*pip install "lmdk-widgets\[places\]"'):
        best_plan(MODERATE, MODERATE, 1.0, 8)
    assert starting_plan(MODERATE, MODERATE, 1.0, 8).mean_inverse == pytest.approx(4.6253, rel=1e-4)
    assert best_plan(MODERATE, MODERATE, 1.0, 1000).mean_inverse < 5.6  # a long series needs no programme


def test_another_beginning():
    begun = best_plan(MODERATE, MODERATE, 1.0, 8, initial_budgets=[5.0, 4, 3, 3, 3, 3, 4, 5])
    assert begun.mean_inverse == pytest.approx(4.0899, rel=1e-4)
    for wrong in ([1.0, 2.0], [0.0] * 8, [-1.0] * 8, [np.nan] * 8):
        with pytest.raises(InputError, match="Initial_budgets must"):
            best_plan(MODERATE, MODERATE, 1.0, 8, initial_budgets=wrong)


@pytest.mark.parametrize("alpha", [-1, np.nan, np.inf, "1"])
def test_what_is_no_loss_is_refused(alpha):
    with pytest.raises(InputError, match="Alpha must be a finite number, 0 or more; got"):
        best_plan(A, A, alpha, 3)


@pytest.mark.parametrize("n", [0, -2, 1.5, None])
def test_what_is_no_length_is_refused(n):
    with pytest.raises(InputError, match="N must be a whole number, 1 or more; got"):
        best_plan(A, A, 1.0, n)

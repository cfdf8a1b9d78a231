"""Deliberate bugs in the schemes, each of which a check used in these tests must reject."""

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.budgets import adaptive_budgets, allocate, release
from lmdk_widgets.budgets.schemes import adaptive
from lmdk_widgets.budgets.schemes import uniform as even
from lmdk_widgets.budgets.schemes.absorption import absorb
from lmdk_widgets.budgets.schemes.comparing import halves
from lmdk_widgets.budgets.schemes.distribution import distribute
from lmdk_widgets.noise import Laplace, PlanarLaplace
from tests.budgets.budget_oracles import distance, literal_adaptive_budgets, theorem_holds, window_holds
from tests.budgets.test_budget_spies import ignores_the_truth


def uniform(n, landmarks, epsilon, rng):
    return allocate("uniform", n, landmarks, epsilon)


def any_skips(n, landmarks, epsilon, rng):
    return adaptive_budgets(n, landmarks, epsilon, np.flatnonzero(rng.random(n) < 0.5))


def epsilon_times_1_25(n, landmarks, epsilon, rng):
    return allocate("uniform", n, landmarks, 1.25 * epsilon)


def landmarks_get_a_larger_share(n, landmarks, epsilon, rng):
    budgets = np.full(n, epsilon / (len(landmarks) + 1))
    budgets[landmarks] = epsilon / max(len(landmarks), 1)
    return budgets


def rounded_to_nearest(n, landmarks, epsilon, rng):
    return np.full(n, epsilon / min(len(landmarks) + 1, n))


def too_careful(n, landmarks, epsilon, rng):
    return allocate("user", n + 1, [], epsilon)[:n]


def double_spend(n, landmarks, epsilon, rng):
    """A skipped landmark hands its budget on and spends it all the same."""
    budgets = any_skips(n, landmarks, epsilon, rng)
    return np.where(budgets == 0, allocate("uniform", n, landmarks, epsilon), budgets)


def one_share_too_few(n, landmarks, epsilon, rng):
    """b / r in place of b / (r + 1)."""
    marks, budgets = set(landmarks), [epsilon / min(len(landmarks) + 1, n)] * n
    for t in np.flatnonzero(rng.random(n) < 0.5).tolist():
        to_come = sum(1 for other in marks if other > t)
        if t in marks and to_come:
            budgets[t + 1 :] = [b + budgets[t] / to_come for b in budgets[t + 1 :]]
        budgets[t] = 0.0
    return budgets


def regular_timestamps_hand_on_too(n, landmarks, epsilon, rng):
    skipped = set(np.flatnonzero(rng.random(n) < 0.5).tolist())
    return [float(b) for b in literal_adaptive_budgets(n, sorted(set(landmarks) | skipped), epsilon, skipped)]


def test_the_theorem_check_accepts():
    assert theorem_holds(uniform) and theorem_holds(any_skips)


@pytest.mark.parametrize(
    "mutant",
    [
        epsilon_times_1_25,
        landmarks_get_a_larger_share,
        rounded_to_nearest,
        too_careful,
        double_spend,
        one_share_too_few,
    ],
)
def test_the_theorem_check_rejects(mutant):
    assert not theorem_holds(mutant)


def test_bugs_inside_the_package_are_noticed(monkeypatch):
    with monkeypatch.context() as patch:
        right = even.share
        patch.setattr(even, "share", lambda epsilon, parts: 1.25 * right(epsilon, parts))
        assert not theorem_holds(uniform)
    with monkeypatch.context() as patch:
        spent = adaptive.spent
        patch.setattr(adaptive, "spent", lambda start, skipped: spent(start, skipped[:0]) + spent(start, skipped))
        assert not theorem_holds(any_skips)
    assert theorem_holds(uniform) and theorem_holds(any_skips)


def raw_comparison(values):
    """Adaptive that compares the true values in place of the outputs."""

    def loop(start, uniforms, perturb, distance, size, increase, decrease):
        rate, last, rates = 1.0, None, []
        for t, uniform in enumerate(uniforms):
            rates.append(rate)
            if uniform < rate:
                perturb(t, 1.0)
                if last is not None:
                    small = abs(values[t] - values[last]) < size
                    rate = rate * (1 - decrease) if small else rate + (1 - rate) * increase
                last = t
        return rates

    return loop


def output_against_truth(values):
    """Adaptive that compares an output with a true value."""
    return lambda start, uniforms, perturb, distance, *rest: adaptive.decide(
        start, uniforms, lambda t, b: (perturb(t, b), t), lambda a, b: distance(a[0], values[b[1]]), *rest
    )


@pytest.mark.parametrize("mutant", [raw_comparison, output_against_truth])
def test_the_spy_rejects_raw_comparisons(mutant):
    assert ignores_the_truth(lambda values: adaptive.decide)
    assert not ignores_the_truth(mutant)


def publications(loop):
    """Total budgets of a window scheme whose comparisons come out at random."""

    def budgets(n, window, epsilon, rng):
        split, share = halves(epsilon, window), rng.random()
        spent = loop(
            n, split, lambda t, b: 0.0, lambda t, o: np.inf if rng.random() < share else -np.inf, lambda b: 1 / b, 0.0
        )
        return np.array(spent, float) * split.quantum + split.comparison

    return budgets


def absorb_blocking_one_too_few(n, split, perturb, compare, displacement, initial):
    spent, blocked = [0] * n, -1
    for t in range(n):
        if t > blocked and compare(t, 0.0) > 0:
            shares = min(t - blocked, split.window)
            spent[t], blocked = shares * split.share, t + max(shares - 2, 0)
    return spent


def absorb_without_blocking(n, split, perturb, compare, displacement, initial):
    spent, last = [0] * n, -1
    for t in range(n):
        if compare(t, 0.0) > 0:
            spent[t], last = min(t - last, split.window) * split.share, t
    return spent


def distribute_one_too_early(n, split, perturb, compare, displacement, initial):
    """Budget returns while its publication is still in the window."""
    shorter = split._replace(window=max(1, split.window - 1))
    return distribute(n, shorter, perturb, compare, displacement, initial)


def distribute_all_of_epsilon(n, split, perturb, compare, displacement, initial):
    """Publications from all of epsilon, as if comparing were free."""
    return distribute(n, split._replace(publishing=2 * split.publishing), perturb, compare, displacement, initial)


def test_the_window_check_accepts():
    assert window_holds(publications(distribute)) and window_holds(publications(absorb))


@pytest.mark.parametrize(
    "mutant",
    [absorb_blocking_one_too_few, absorb_without_blocking, distribute_one_too_early, distribute_all_of_epsilon],
)
def test_the_window_check_rejects(mutant):
    assert not window_holds(publications(mutant))


@pytest.mark.parametrize("kind", [Laplace, PlanarLaplace])
def test_a_release_with_too_little_noise_is_noticed(monkeypatch, kind):
    mechanism, law = kind(2.0), stats.expon if kind is Laplace else stats.gamma(2)
    values = np.zeros((8000, 2) if kind is PlanarLaplace else 8000)

    def p_value():
        out = release(values, "uniform", [0, 1], 0.6, mechanism, rng=np.random.default_rng(1))
        return stats.kstest(distance(out.outputs, values) * 0.2 / 2.0, law.cdf).pvalue

    assert p_value() > 0.01
    right = kind.scale
    monkeypatch.setattr(kind, "scale", lambda self, epsilon: right(self, 1.25 * epsilon))
    assert p_value() < 1e-6

"""What a release may look at: spies on the true values, and outputs that do not depend on them."""

import numpy as np
import pytest

from lmdk_widgets.budgets import release
from lmdk_widgets.budgets.schemes.adaptive import decide, reservation
from lmdk_widgets.noise import Laplace
from tests.budgets.budget_oracles import length, random_landmarks


def rng(seed=1):
    return np.random.default_rng(seed)


class Spied:
    """A sequence that remembers which of its values were read."""

    def __init__(self, values):
        self.values, self.read = values, []

    def __len__(self):
        return len(self.values)

    def __getitem__(self, t):
        self.read.append(t)
        return self.values[t]


class Recorded:
    """A mechanism whose outputs were written down beforehand, whatever the truth; it remembers the budgets."""

    def __init__(self, outputs):
        self.outputs, self.budgets = iter(outputs), []

    def __call__(self, value, epsilon, rng):
        self.budgets.append(epsilon)
        return next(self.outputs)


def adaptive_rates(decide_for, values, outputs, landmarks, seed):
    """Rates of a run whose outputs are recorded; ``decide_for(values)`` makes the loop under test."""
    start = reservation(len(values), np.array(landmarks, np.intp), 1.0)
    recorded = iter(outputs)
    loop = decide_for(values)
    return loop(start, rng(seed).random(len(values)).tolist(), lambda t, b: next(recorded), length, 0.2, 0.4, 0.4)


def ignores_the_truth(decide_for, cases=30):
    """Whether decisions are the same for very different true values when the outputs are the same."""
    for seed in range(cases):
        n = 60
        outputs = rng(seed).normal(0, 3, n).cumsum()
        landmarks = random_landmarks(rng(seed), n)
        truths = [np.zeros(n), rng(seed + 1).normal(0, 100, n), outputs, np.full(n, np.nan)]
        runs = [adaptive_rates(decide_for, truth, outputs, landmarks, seed) for truth in truths]
        if any(run != runs[0] for run in runs):
            return False
    return True


def test_adaptive_decides_from_releases_only():
    assert ignores_the_truth(lambda values: decide)


@pytest.mark.parametrize("seed", range(10))
def test_adaptive_with_recorded_outputs_is_the_same_for_any_truth(seed):
    n, landmarks = 80, random_landmarks(rng(seed), 80)
    outputs = rng(seed).normal(0, 300, n).cumsum()
    runs = []
    for truth in (np.zeros(n), rng(seed + 50).normal(0, 1e6, n), np.arange(n) % 2 * 1e9):
        mechanism = Recorded(outputs)
        out = release(truth, "adaptive", landmarks, 0.5, mechanism, rng=rng(seed), sensitivity=1.0)
        assert mechanism.budgets == out.budgets[out.published].tolist()
        runs.append((out.published.tolist(), out.rate.tolist(), out.outputs.tolist(), out.budgets.tolist()))
    assert runs[0] == runs[1] == runs[2]


class NoiseTo:
    """A mechanism that adds exactly the noise that leads to given outputs, as long as the budget is epsilon."""

    dimension = 1

    def __init__(self, truth, outputs, epsilon):
        self.noise = (np.asarray(outputs) - truth) * epsilon

    def scale(self, epsilon):
        return 1 / epsilon

    def mean_displacement(self, epsilon):
        return 1 / epsilon

    def standard_noise(self, n, rng):
        return self.noise


def test_adaptive_with_noise_is_the_same_for_any_truth():
    """Without landmarks every sample costs epsilon, so that outputs can be arranged beforehand here too."""
    n, epsilon = 400, 0.25
    outputs = np.round(rng(3).normal(0, 4, n).cumsum())
    runs = []
    for truth in (np.zeros(n), np.round(rng(4).normal(0, 1e4, n)), outputs):
        out = release(truth, "adaptive", [], epsilon, NoiseTo(truth, outputs, epsilon), rng=rng(5))
        runs.append((out.published.tolist(), out.rate.tolist(), out.outputs.tolist()))
    assert runs[0] == runs[1] == runs[2] and 20 < sum(runs[0][0]) < n


@pytest.mark.parametrize("seed", range(10))
def test_values_that_are_not_sampled_are_never_read(seed):
    values = Spied(rng(seed).normal(0, 0.1, 120).cumsum())
    landmarks = random_landmarks(rng(seed), 120)
    out = release(values, "adaptive", landmarks, 1.0, lambda x, e, r: x + r.laplace() / e, rng=rng(seed))
    assert values.read == np.flatnonzero(out.published).tolist() and not out.published.all()


def test_skip_never_reads_a_landmark():
    values = Spied(np.arange(10.0))
    out = release(values, "skip", [0, 3, 9], 1.0, lambda x, e, r: x + r.laplace() / e, rng=rng())
    assert values.read == [1, 2, 4, 5, 6, 7, 8] and np.isnan(out.outputs[0])


@pytest.mark.parametrize("scheme", ["budget-distribution", "budget-absorption", "predictive"])
def test_budget_schemes_see_the_truth_through_noise_only(scheme):
    """Truths a little apart make the same decisions with noise, though compared exactly they would not."""
    runs = set()
    for shift in (0.0, 1e-7):
        values = np.arange(100) % 2 * shift
        out = release(values, scheme, [], 1.0, Laplace(1.0), rng=rng(2), window=5)
        runs.add(tuple(out.published.tolist()))
    assert len(runs) == 1


def test_functions_may_return_points_and_use_their_own_distance():
    values = rng().normal(0, 1, (40, 2))
    seen = []

    def distance(a, b):
        seen.append((a, b))
        return float(np.abs(np.subtract(a, b)).max())

    def mechanism(value, epsilon, source):
        return tuple(value + source.laplace(size=2) / epsilon)

    for scheme in ("adaptive", "budget-absorption"):
        out = release(values, scheme, [3], 2.0, mechanism, rng=rng(), window=4, distance=distance, sensitivity=2.0)
        assert out.outputs.shape == (40, 2) and np.isfinite(out.outputs).all()
    assert seen

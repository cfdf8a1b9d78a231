"""Releases under every scheme: what stands published, what it cost, and on which numbers it depends."""

import numpy as np
import pytest
from scipy import stats

from lmdk_widgets.budgets import (
    RELEASE_SCHEMES,
    allocate,
    landmark_totals,
    release,
    release_many,
    rescaled_errors,
    window_totals,
)
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import Laplace, PlanarLaplace
from tests.budgets.budget_oracles import (
    distance,
    exact_landmark_overrun,
    exact_window_overrun,
    literal_absorption,
    literal_adaptive,
    literal_distribution,
    literal_predictive,
    random_case,
    random_landmarks,
)

BOB = [0, 2, 4, 7]
WINDOWED = ("budget-distribution", "budget-absorption", "predictive")
SERIES, POINTS = Laplace(0.5), PlanarLaplace(100.0)
both = pytest.mark.parametrize("mechanism", [SERIES, POINTS], ids=["series", "points"])


def rng(seed=1):
    return np.random.default_rng(seed)


def walk(mechanism, n, seed=9, step=150.0):
    return np.cumsum(rng(seed).normal(0, step, (n, 2) if mechanism.dimension == 2 else n), axis=0)


def draws_of(mechanism, n, seed, decisions):
    """The random numbers that a release takes, in their order."""
    source = rng(seed)
    return mechanism.standard_noise(n, source), getattr(source, decisions)(size=n)


@both
@pytest.mark.parametrize("scheme", ["event", "user", "window", "uniform"])
def test_fixed_schemes_add_noise_of_their_budget(mechanism, scheme):
    values = walk(mechanism, 30)
    out = release(values, scheme, [3, 7], 0.7, mechanism, rng=rng(5), window=4)
    budgets = allocate(scheme, 30, [3, 7], 0.7, window=4)
    noise = mechanism.standard_noise(30, rng(5))
    assert out.outputs == pytest.approx(values + noise * mechanism.scale(budgets[0]), rel=1e-12)
    assert (out.budgets == budgets).all() and out.published.all() and out.landmarks.tolist() == [3, 7]
    assert out.rate is None and out.comparison_budget == 0


@both
def test_skip_repeats_the_last_regular_release_and_has_none_before_it(mechanism):
    values = walk(mechanism, 8)
    out = release(values, "skip", [0, 1, 3, 4, 7], 2.0, mechanism, rng=rng(5))
    noisy = values + mechanism.standard_noise(8, rng(5)) * mechanism.scale(2.0)
    assert np.isnan(out.outputs[:2]).all()
    assert out.outputs[2:] == pytest.approx(noisy[[2, 2, 2, 5, 6, 6]], rel=1e-12)
    assert out.budgets.tolist() == [0, 0, 2, 0, 0, 2, 2, 0]
    assert out.published.tolist() == [False, False, True, False, False, True, True, False]


@both
def test_skip_with_landmarks_only_publishes_nothing(mechanism):
    out = release(walk(mechanism, 4), "skip", range(4), 1.0, mechanism, rng=rng())
    assert np.isnan(out.outputs).all() and out.outputs.shape == walk(mechanism, 4).shape
    assert not out.published.any() and not out.budgets.any()


@both
@pytest.mark.parametrize("seed", range(25))
def test_adaptive_against_the_literal_transcription(mechanism, seed):
    n, landmarks, epsilon = random_case(rng(seed), 120)
    values = walk(mechanism, n, seed, step=float(10 ** rng(seed).uniform(-2, 4)) / epsilon)
    size, (up, down) = mechanism.scale(1.0), rng(seed + 100).uniform(0.05, 0.95, 2)
    noise, uniforms = draws_of(mechanism, n, seed, "random")
    outputs, budgets, published, rates = literal_adaptive(values, landmarks, epsilon, size, noise, uniforms, up, down)
    out = release(values, "adaptive", landmarks, epsilon, mechanism, rng=rng(seed), increase=up, decrease=down)
    assert (out.published == published).all()
    assert out.outputs == pytest.approx(outputs, rel=1e-9)
    assert out.budgets == pytest.approx(budgets, rel=1e-11)
    assert out.rate == pytest.approx(rates, rel=1e-12)
    assert (landmark_totals(out.budgets, landmarks) <= epsilon).all()
    assert exact_landmark_overrun(out.budgets, landmarks, epsilon) <= 0


def test_adaptive_does_skip_landmarks_in_these_tests():
    skipped = 0
    for seed in range(25):
        n, landmarks, epsilon = random_case(rng(seed), 120)
        out = release(walk(SERIES, n, seed, 1e-3), "adaptive", landmarks, epsilon, SERIES, rng=rng(seed))
        skipped += int((~out.published[out.landmarks]).sum())
    assert skipped > 100


@both
@pytest.mark.parametrize("scheme", WINDOWED)
@pytest.mark.parametrize("seed", range(20))
def test_budget_schemes_against_the_literal_transcription(mechanism, scheme, seed):
    source = rng(seed)
    n = int(source.integers(1, 90))
    window, epsilon = int(source.integers(1, n + 1)), float(10 ** source.uniform(-6, 4))
    values = walk(mechanism, n, seed, step=float(10 ** source.uniform(-1, 4)) / epsilon)
    noise, jitter = draws_of(mechanism, n, seed, "laplace")
    literal = dict(zip(WINDOWED, (literal_distribution, literal_absorption, literal_predictive), strict=True))[scheme]
    outputs, budgets = literal(values, window, epsilon, mechanism.scale(1.0), mechanism.dimension, noise, jitter)
    out = release(values, scheme, [], epsilon, mechanism, rng=rng(seed), window=window)
    assert out.comparison_budget == pytest.approx(epsilon / (2 * window), rel=1e-11)
    assert out.budgets - out.comparison_budget == pytest.approx(budgets, rel=1e-9, abs=1e-15 * epsilon)
    assert (out.published == (budgets > 0)).all()
    assert out.outputs == pytest.approx(outputs, rel=1e-8)


@both
@pytest.mark.parametrize("scheme", ["window", *WINDOWED])
def test_w_event_property_for_every_window(mechanism, scheme):
    for window in range(1, 41):
        epsilon = float(10 ** rng(window).uniform(-9, 6))
        values = walk(mechanism, 40, window, step=1e3 / epsilon)
        out = release(values, scheme, [], epsilon, mechanism, rng=rng(window), window=window)
        assert (window_totals(out.budgets, window) <= epsilon).all()
        assert exact_window_overrun(out.budgets, window, epsilon) <= 0


def test_bd_and_ba_publish_the_sequences_of_the_specification():
    far = 1e12 * np.arange(1, 9)
    out = release(far, "budget-distribution", [], 1.0, Laplace(), rng=rng(), window=3)
    assert (out.budgets - out.comparison_budget)[:5].tolist() == [0.25, 0.125, 0.0625, 0.15625, 0.140625]
    assert out.comparison_budget == pytest.approx(1 / 6) and out.published.all()
    # with a public start, nothing to see for two timestamps: a series that stays where it began
    still = np.array([0, 0, 1e12, 1e12, 1e12, -1e12])
    for seed in range(40):
        out = release(still, "budget-absorption", [], 1.0, Laplace(), rng=rng(seed), window=3, initial=0.0)
        if not out.published[:2].any():
            break
    assert out.budgets - out.comparison_budget == pytest.approx([0, 0, 0.5, 0, 0, 1 / 6])
    assert out.outputs[:2].tolist() == [0, 0] and (out.outputs[3:5] == out.outputs[2]).all()


@both
@pytest.mark.parametrize("scheme", WINDOWED)
def test_without_a_public_start_the_first_timestamp_publishes(mechanism, scheme):
    for seed in range(20):
        out = release(walk(mechanism, 6, step=1e-9), scheme, [], 1.0, mechanism, rng=rng(seed), window=6)
        assert out.published[0] and np.isfinite(out.outputs).all()


def test_a_public_start_for_points():
    out = release(np.ones((5, 2)), WINDOWED[0], [], 1e3, POINTS, rng=rng(), window=1, initial=[1.0, 1.0])
    assert out.outputs[~np.maximum.accumulate(out.published)].tolist() == [[1.0, 1.0]] * int(
        (~np.maximum.accumulate(out.published)).sum()
    )


@both
@pytest.mark.parametrize("scheme", RELEASE_SCHEMES)
def test_repeats_are_exact_and_only_where_nothing_is_published(mechanism, scheme):
    out = release(walk(mechanism, 60), scheme, [0, 5, 6, 30], 5.0, mechanism, rng=rng(3), window=5)
    rows = out.outputs.reshape(60, -1)
    for t in range(1, 60):
        same = np.array_equal(rows[t], rows[t - 1], equal_nan=True)
        assert same != bool(out.published[t])
    assert ((out.budgets > out.comparison_budget) == out.published).all()


@both
@pytest.mark.parametrize("scheme", ["event", "user", "window", "uniform", "skip"])
def test_epsilon_scales_the_same_noise(mechanism, scheme):
    values = walk(mechanism, 20)
    one, ten = (release(values, scheme, [4], epsilon, mechanism, rng=rng(2), window=3) for epsilon in (1.0, 10.0))
    new = one.published
    assert (one.outputs - values)[new] == pytest.approx(10 * (ten.outputs - values)[new], rel=1e-6)


@both
def test_noise_of_a_timestamp_does_not_depend_on_the_scheme(mechanism):
    values = walk(mechanism, 40)
    expected = mechanism.standard_noise(40, rng(6))
    for scheme in RELEASE_SCHEMES:
        out = release(values, scheme, [4, 9], 1.0, mechanism, rng=rng(6), window=5)
        noise = (out.outputs - values).T * (out.budgets - out.comparison_budget)
        assert (noise.T / mechanism.scale(1.0))[out.published] == pytest.approx(expected[out.published], rel=1e-6)


@both
@pytest.mark.parametrize("scheme", RELEASE_SCHEMES)
def test_inputs_stay_and_results_cannot_be_written_to(mechanism, scheme):
    values = walk(mechanism, 12)
    kept, marks = values.copy(), np.array([2, 3])
    out = release(values, scheme, marks, 1.0, mechanism, rng=rng(), window=3)
    assert (values == kept).all() and values.flags.writeable and marks.flags.writeable
    for array in (out.outputs, out.budgets, out.published, out.landmarks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    again = release(values, scheme, marks, 1.0, mechanism, rng=rng(), window=3)
    assert np.array_equal(again.outputs, out.outputs, equal_nan=True)


def test_names_of_mechanisms_mean_the_objects():
    values = walk(POINTS, 10)
    a = release(values, "adaptive", [1], 1.0, "planar-laplace", rng=rng(), radius_m=100.0)
    assert (a.outputs == release(values, "adaptive", [1], 1.0, POINTS, rng=rng()).outputs).all()
    b = release(values[:, 0], "uniform", [1], 1.0, "laplace", rng=rng(), sensitivity=0.5)
    assert (b.outputs == release(values[:, 0], "uniform", [1], 1.0, SERIES, rng=rng()).outputs).all()
    c = release(values, "event", [], 1.0, "planar-laplace", rng=rng())
    assert (c.outputs == release(values, "event", [], 1.0, PlanarLaplace(), rng=rng()).outputs).all()


@both
@pytest.mark.parametrize("scheme", RELEASE_SCHEMES)
@pytest.mark.parametrize("n", [1, 2, 37])
def test_many_draws_are_successive_releases(mechanism, scheme, n):
    values, marks = walk(mechanism, n, step=100.0), random_landmarks(rng(n), n)
    how = {"window": min(5, n)} | ({"increase": 0.6, "decrease": 0.7} if scheme == "adaptive" else {})
    errors = release_many(values, scheme, marks, 3.0, mechanism, rng=rng(4), draws=9, **how)
    source = rng(4)
    for row in errors:
        out = release(values, scheme, marks, 3.0, mechanism, rng=source, **how)
        assert row == pytest.approx(distance(out.outputs, values), rel=1e-9, nan_ok=True)


def test_many_draws_in_blocks(monkeypatch):
    values = walk(POINTS, 30)
    whole = release_many(values, "adaptive", [3], 1.0, POINTS, rng=rng(), draws=20)
    monkeypatch.setattr("lmdk_widgets.budgets.draws._VALUES_AT_ONCE", 90)
    assert (release_many(values, "adaptive", [3], 1.0, POINTS, rng=rng(), draws=20) == whole).all()


def test_many_draws_with_a_function_and_a_public_start():
    values = walk(SERIES, 15)
    errors = release_many(
        values, WINDOWED[0], [], 1.0, lambda x, e, r: x + r.laplace() / e, rng=rng(), draws=3, window=4, initial=0.0
    )
    assert errors.shape == (3, 15) and np.isfinite(errors).all()
    planar = release_many(walk(POINTS, 15), WINDOWED[1], [], 1.0, POINTS, rng=rng(), draws=3, window=4, initial=[0, 0])
    assert planar.shape == (3, 15)


def test_expected_errors_in_bobs_example():
    zeros = np.zeros(8)
    mean = {s: release_many(zeros, s, BOB, 1.0, Laplace(), rng=rng(), draws=4000) for s in ("event", "uniform", "user")}
    assert [errors.mean() for errors in mean.values()] == pytest.approx([1, 5, 8], rel=0.02)


@both
def test_released_noise_has_the_law_of_the_mechanism(mechanism):
    values = walk(mechanism, 20_000)
    out = release(values, "uniform", [1, 2, 3], 0.8, mechanism, rng=rng(8))
    size = distance(out.outputs, values) / mechanism.scale(0.2)
    law = stats.expon if mechanism.dimension == 1 else stats.gamma(2)
    assert stats.kstest(size, law.cdf).pvalue > 0.01


@pytest.mark.parametrize(
    ("arguments", "options", "word"),
    [
        (([], "event", [], 1.0, SERIES), {}, "at least one"),
        (([1.0, np.nan], "event", [], 1.0, SERIES), {}, "index 1"),
        (([[1.0, 2.0]], "event", [], 1.0, SERIES), {}, "PlanarLaplace"),
        (([1.0, 2.0], "event", [], 1.0, POINTS), {}, "LocalFrame"),
        ((["a"], "event", [], 1.0, SERIES), {}, "numbers"),
        (([1.0], "events", [], 1.0, SERIES), {}, '"budget-absorption"'),
        (([1.0], "event", [1], 1.0, SERIES), {}, "landmarks"),
        (([1.0], "event", [], 0.0, SERIES), {}, "epsilon"),
        (([1.0], "event", [], 1.0, "gauss"), {}, '"planar-laplace"'),
        (([1.0], "event", [], 1.0, 5), {}, "mechanism"),
        (([1.0], "budget-distribution", [], 1.0, SERIES), {}, 'window of the scheme "'),
        (([1.0], "budget-absorption", [], 1.0, SERIES), {"window": 2}, "window"),
        (([1.0], "adaptive", [], 1.0, SERIES), {"increase": 0}, "strictly between"),
        (([1.0], "adaptive", [], 1.0, SERIES), {"decrease": 1.0}, "strictly between"),
        (([1.0], "adaptive", [], 1.0, SERIES), {"increases": 0.5}, '"decrease" or "increase"'),
        (([1.0], "event", [], 1.0, SERIES), {"increase": 0.5}, "must have no options"),
        (([1.0], "event", [], 1.0, SERIES), {"sensitivity": 0.5}, "mechanism object"),
        (([1.0], "event", [], 1.0, "laplace"), {"radius_m": 0.5}, "sensitivity"),
        (([1.0], "event", [], 1.0, "laplace"), {"sensitivity": 0}, "sensitivity"),
        (([1.0], "budget-absorption", [], 1.0, SERIES), {"window": 1, "initial": [1, 2]}, "initial"),
    ],
)
def test_refusals(arguments, options, word):
    with pytest.raises(InputError, match=f"(?i){word}"):
        release(*arguments, rng=rng(), **options)


def test_a_seed_is_not_a_generator_and_draws_are_counted():
    with pytest.raises(InputError, match="default_rng"):
        release([1.0], "event", [], 1.0, SERIES, rng=1)
    for draws in (0, 2.5):
        with pytest.raises(InputError, match="Draws"):
            release_many([1.0], "event", [], 1.0, SERIES, rng=rng(), draws=draws)


def test_no_true_place_in_a_message():
    with pytest.raises(InputError) as error:
        release([[4885.31, 235.02], [np.nan, 235.02]], "event", [], 1.0, POINTS, rng=rng())
    assert "4885" not in str(error.value) and "235" not in str(error.value)


@both
@pytest.mark.parametrize("scheme", RELEASE_SCHEMES)
@pytest.mark.parametrize("epsilon", [1e-200, 1e-9, 1e6, 1e200])
@pytest.mark.filterwarnings("error")
def test_extreme_epsilons(mechanism, scheme, epsilon):
    values = walk(mechanism, 50)
    out = release(values, scheme, [3, 9], epsilon, mechanism, rng=rng(), window=7)
    assert np.isfinite(out.outputs).all() and (out.budgets <= epsilon).all()
    errors = release_many(values, scheme, [3, 9], epsilon, mechanism, rng=rng(), draws=3, window=7)
    assert errors[0] == pytest.approx(distance(out.outputs, values), rel=1e-9)


@both
@pytest.mark.parametrize("scheme", RELEASE_SCHEMES)
def test_noise_of_many_sizes_is_that_of_mechanisms_of_these_sizes(mechanism, scheme, monkeypatch):
    values, marks, factors = walk(mechanism, 37, step=100.0), [3, 9, 10, 30], [0.02, 1.0, 7.5]
    how = {"window": 5} | ({"increase": 0.6, "decrease": 0.7} if scheme == "adaptive" else {})
    wide = type(mechanism)
    for at_once in (200_000, 1):
        monkeypatch.setattr("lmdk_widgets.budgets.draws._LANES_AT_ONCE", at_once)
        found = rescaled_errors(values, scheme, marks, 3.0, mechanism, rng=rng(4), draws=9, factors=factors, **how)
        for factor, errors in zip(factors, found, strict=True):
            larger = wide(mechanism.scale(1.0) * factor)
            alone = release_many(values, scheme, marks, 3.0, larger, rng=rng(4), draws=9, **how)
            assert errors == pytest.approx(alone, rel=1e-9, nan_ok=True)


def test_noise_of_many_sizes_needs_a_mechanism_with_a_size():
    for factors, mechanism in ((0.0, SERIES), (1.0, lambda x, e, r: x)):
        with pytest.raises(InputError):
            rescaled_errors([1.0], "event", [], 1.0, mechanism, rng=rng(), draws=2, factors=[factors])

"""Budgets that are known beforehand, and the sums that the guarantees speak of."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.budgets import FIXED_SCHEMES, adaptive_budgets, allocate, landmark_totals, window_totals
from lmdk_widgets.budgets.quanta import quanta, quantum, share
from lmdk_widgets.errors import InputError
from tests.budgets.budget_oracles import (
    exact_landmark_overrun,
    exact_window_overrun,
    literal_adaptive_budgets,
    random_case,
    theorem_holds,
)

BOB = [0, 2, 4, 7]
epsilons = st.floats(1e-9, 1e6)


@st.composite
def masks(draw, most=300):
    n = draw(st.integers(1, most))
    picked = st.one_of(
        st.just([]), st.just(list(range(n))), st.just([0]), st.just([n - 1]), st.lists(st.integers(0, n - 1))
    )
    return n, sorted(set(draw(picked)))


def test_bob():
    uniform = allocate("uniform", 8, BOB, 1.0)
    assert uniform == pytest.approx([0.2] * 8, abs=1e-15)
    totals = landmark_totals(uniform, BOB)
    assert totals[BOB] == pytest.approx(0.8) and totals[[1, 3, 5, 6]] == pytest.approx(1.0)
    user = landmark_totals(allocate("user", 8, BOB, 1.0), BOB)
    assert user[[1, 3, 5, 6]] == pytest.approx(5 / 8)
    assert (
        1 / allocate("event", 8, BOB, 1.0)[0],
        1 / uniform[0],
        1 / allocate("user", 8, BOB, 1.0)[0],
    ) == pytest.approx((1, 5, 8))


def test_bob_weighted():
    budgets = allocate("weighted", 8, BOB, 1.0)
    assert budgets[BOB] == pytest.approx([1 / 6] * 4, abs=1e-15) and budgets[1] == pytest.approx(1 / 3, abs=1e-15)
    assert landmark_totals(budgets, BOB).max() == 1.0
    assert np.mean(1 / budgets) == pytest.approx(4.5)
    assert 1 / budgets[0] == pytest.approx(6) and 1 / allocate("uniform", 8, BOB, 1.0)[0] == pytest.approx(5)


@given(masks(60), epsilons)
def test_weighted_keeps_the_theorem_with_the_least_mean_noise(case, epsilon):
    n, marks = case
    budgets = allocate("weighted", n, marks, epsilon)
    assert exact_landmark_overrun(budgets, marks, epsilon) <= 0
    k, r = len(marks), n - len(marks)
    assert np.mean(1 / budgets) == pytest.approx((k + np.sqrt(r)) ** 2 / (n * epsilon), rel=1e-9)
    if k and r:  # moving a little of the budget either way makes the mean noise larger
        for factor in (0.99, 1.01):
            a = factor * budgets[marks[0]]
            assert k / a + r / (epsilon - k * a) >= (1 / budgets).sum() * (1 - 1e-12)


@pytest.mark.parametrize(
    ("skipped", "expected"),
    [
        ([2], [0.2, 0.2, 0] + [4 / 15] * 5),
        ([2, 4], [0.2, 0.2, 0, 4 / 15, 0, 0.4, 0.4, 0.4]),
        ([0], [0] + [0.25] * 7),
        ([7], [0.2] * 7 + [0]),
        ([], [0.2] * 8),
        ([1, 5], [0.2, 0, 0.2, 0.2, 0.2, 0, 0.2, 0.2]),
        (BOB, [0, 0.25, 0, 1 / 3, 0, 0.5, 0.5, 0]),
    ],
)
def test_bob_adaptive_with_forced_skips(skipped, expected):
    assert adaptive_budgets(8, BOB, 1.0, skipped) == pytest.approx(expected, abs=1e-15)


def test_the_five_formulas():
    assert allocate("event", 5, [1], 0.3).tolist() == [0.3] * 5
    assert allocate("user", 5, [1], 0.3) == pytest.approx([0.06] * 5, rel=1e-14)
    assert allocate("window", 5, [1], 0.3, window=3) == pytest.approx([0.1] * 5, rel=1e-14)
    assert allocate("uniform", 5, [1], 0.3) == pytest.approx([0.15] * 5, rel=1e-14)
    assert allocate("skip", 5, [1], 0.3).tolist() == [0.3, 0, 0.3, 0.3, 0.3]


def test_no_landmark_is_event_level_and_all_are_user_level():
    for epsilon in (0.1, 1 / 3, 7e5):
        assert (allocate("uniform", 9, [], epsilon) == allocate("event", 9, [], epsilon)).all()
        assert (allocate("uniform", 9, range(9), epsilon) == allocate("user", 9, [], epsilon)).all()
        assert (allocate("window", 9, [], epsilon, window=9) == allocate("user", 9, [], epsilon)).all()
        assert (allocate("window", 9, [], epsilon, window=1) == allocate("event", 9, [], epsilon)).all()


@settings(deadline=None, max_examples=150)
@given(masks(), epsilons, st.sampled_from(["user", "uniform", "skip"]))
def test_theorem_for_fixed_schemes_without_tolerance(mask, epsilon, scheme):
    n, landmarks = mask
    budgets = allocate(scheme, n, landmarks, epsilon)
    assert (landmark_totals(budgets, landmarks) <= epsilon).all()
    assert exact_landmark_overrun(budgets, landmarks, epsilon) <= 0
    if scheme == "uniform":
        assert landmark_totals(budgets, landmarks).max() >= epsilon * (1 - 1e-12)


@settings(deadline=None, max_examples=150)
@given(masks(), epsilons, st.data())
def test_theorem_for_adaptive_and_any_skips(mask, epsilon, data):
    n, landmarks = mask
    skipped = data.draw(st.one_of(st.just(list(range(n))), st.just(landmarks), st.lists(st.integers(0, n - 1))))
    budgets = adaptive_budgets(n, landmarks, epsilon, skipped)
    assert (landmark_totals(budgets, landmarks) <= epsilon).all()
    assert exact_landmark_overrun(budgets, landmarks, epsilon) <= 0
    assert (budgets[skipped] == 0).all()


def test_adaptive_reaches_equality_whenever_a_regular_timestamp_follows_the_last_skip():
    rng = np.random.default_rng(2)
    for _ in range(100):
        n, landmarks, epsilon = random_case(rng)
        if len(landmarks) == n or (landmarks and landmarks[-1] == n - 1):
            continue  # the last timestamp is regular and sampled
        skipped = [t for t in range(n - 1) if rng.random() < 0.5]
        totals = landmark_totals(adaptive_budgets(n, landmarks, epsilon, skipped), landmarks)
        assert epsilon * (1 - 1e-11) <= totals[-1] <= epsilon


def test_adaptive_against_tails_updated_one_by_one_in_fractions():
    rng = np.random.default_rng(3)
    for _ in range(80):
        n, landmarks, epsilon = random_case(rng, 60)
        skipped = np.flatnonzero(rng.random(n) < rng.random()).tolist()
        exact = literal_adaptive_budgets(n, landmarks, epsilon, skipped)
        found = adaptive_budgets(n, landmarks, epsilon, skipped)
        for a, b in zip(found, exact, strict=True):
            assert Fraction(float(a)) <= b  # rounded down, always
            assert float(a) == pytest.approx(float(b), rel=1e-12)


def test_event_level_overruns_by_the_number_of_landmarks():
    totals = landmark_totals(allocate("event", 8, BOB, 0.5), BOB)
    assert totals[BOB].tolist() == [2.0] * 4 and totals[1] == 2.5


@settings(deadline=None)
@given(st.integers(1, 60), epsilons, st.data())
def test_w_event_property_of_the_uniform_scheme(n, epsilon, data):
    window = data.draw(st.integers(1, n))
    budgets = allocate("window", n, [], epsilon, window=window)
    assert window_totals(budgets, window).max() <= epsilon
    assert exact_window_overrun(budgets, window, epsilon) <= 0


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=80), st.data())
def test_totals_against_sums_written_out(budgets, data):
    window = data.draw(st.integers(1, len(budgets)))
    marks = set(data.draw(st.lists(st.integers(0, len(budgets) - 1))))
    sums = [sum(budgets[max(0, t - window + 1) : t + 1]) for t in range(len(budgets))]
    assert window_totals(budgets, window) == pytest.approx(sums, rel=1e-12)
    sums = [sum(budgets[i] for i in marks | {t}) for t in range(len(budgets))]
    assert landmark_totals(budgets, marks) == pytest.approx(sums, rel=1e-12)


def test_a_large_budget_leaves_no_trace_in_later_windows():
    """A difference of running sums would give 0 after the 1e20."""
    assert window_totals([1e20, 1e-3, 1e-3, 1e-3, 1e-3], 2)[2:].tolist() == [2e-3] * 3


@given(st.floats(2.3e-308, 1.7e308), st.integers(1, 10_000))
def test_shares_are_whole_quanta_below_the_formula(epsilon, parts):
    part = share(epsilon, parts)
    assert Fraction(part) * parts <= Fraction(epsilon) < Fraction(part + quantum(epsilon)) * parts
    assert 2**52 <= quanta(epsilon) < 2**53 and quanta(epsilon) * quantum(epsilon) == epsilon


def test_landmarks_in_any_order_kind_and_number():
    expected = allocate("uniform", 8, BOB, 1.0)
    for landmarks in (tuple(BOB), BOB[::-1], BOB + BOB, set(BOB), np.array(BOB), np.array(BOB, np.int32), iter(BOB)):
        assert (allocate("uniform", 8, landmarks, 1.0) == expected).all()
    assert (allocate("uniform", 4, range(1), 1.0) == allocate("uniform", 4, [0], 1)).all()


def test_the_theorem_check_accepts_the_schemes():
    assert theorem_holds(lambda n, marks, epsilon, rng: allocate("uniform", n, marks, epsilon))
    assert theorem_holds(
        lambda n, marks, epsilon, rng: adaptive_budgets(n, marks, epsilon, np.flatnonzero(rng.random(n) < 0.5))
    )


@pytest.mark.parametrize(
    ("arguments", "options", "word"),
    [
        (("unfiorm", 8, BOB, 1.0), {}, '"uniform"'),
        (("adaptive", 8, BOB, 1.0), {}, "call release"),
        (("uniform", 0, [], 1.0), {}, "^n must"),
        (("uniform", 8.0, [], 1.0), {}, "whole number"),
        (("uniform", True, [], 1.0), {}, "whole number"),
        (("uniform", 8, [8], 1.0), {}, "between 0 and 7"),
        (("uniform", 8, [-1], 1.0), {}, "got -1"),
        (("uniform", 8, [1.5], 1.0), {}, "indices"),
        (("uniform", 8, np.zeros(7, bool), 1.0), {}, "a mask must have 8 values"),
        (("uniform", 8, [[1, 2]], 1.0), {}, "indices"),
        (("uniform", 8, None, 1.0), {}, "indices"),
        (("uniform", 8, "0", 1.0), {}, "indices"),
        (("uniform", 8, [], 0.0), {}, "epsilon"),
        (("uniform", 8, [], -1.0), {}, "epsilon"),
        (("uniform", 8, [], float("nan")), {}, "epsilon"),
        (("uniform", 8, [], float("inf")), {}, "epsilon"),
        (("uniform", 8, [], "1"), {}, "epsilon"),
        (("uniform", 8, [], [1.0]), {}, "epsilon"),
        (("window", 8, [], 1.0), {}, 'window of the scheme "window"'),
        (("window", 8, [], 1.0), {"window": 0}, "window"),
        (("window", 8, [], 1.0), {"window": 9}, "between 1 and 8; got 9"),
        (("window", 8, [], 1.0), {"window": 2.5}, "whole number"),
    ],
)
def test_refusals(arguments, options, word):
    with pytest.raises(InputError, match=f"(?i){word}"):
        allocate(*arguments, **options)


def test_refusals_of_the_others():
    with pytest.raises(InputError, match="Skipped"):
        adaptive_budgets(8, BOB, 1.0, [8])
    for budgets in ([], [0.1, -0.1], [0.1, np.nan], [[0.1]]):
        with pytest.raises(InputError, match="Budgets"):
            landmark_totals(budgets, [])
    with pytest.raises(InputError, match="Landmarks"):
        landmark_totals([0.1], [1])
    with pytest.raises(InputError, match="Window"):
        window_totals([0.1], 2)


def test_every_scheme_has_a_budget_for_one_timestamp():
    for scheme in FIXED_SCHEMES:
        assert allocate(scheme, 1, [], 2.0, window=1).tolist() == [2.0]
        assert allocate(scheme, 1, [0], 2.0, window=1).tolist() == [0.0 if scheme == "skip" else 2.0]

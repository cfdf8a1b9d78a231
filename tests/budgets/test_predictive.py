"""The predictive mechanism: fresh reports that cost the same, a test that costs its own, and a window that is never passed.

Its literal transcription is compared with it in `test_budget_releases.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.budgets import release, release_many, window_totals
from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.budgets.schemes.predictive import fresh_reports
from lmdk_widgets.noise import Laplace


def made(values, window, epsilon=1.0, seed=1, **options):
    return release(
        values, "predictive", [], epsilon, Laplace(), rng=np.random.default_rng(seed), window=window, **options
    )


def test_a_fresh_report_costs_half_of_epsilon_over_their_number_and_a_test_its_own() -> None:
    """By hand: w = 8 has two fresh reports; whoever jumps has them at once, and waits until the first leaves the window."""
    out = made(1e12 * np.arange(1, 18), 8)
    assert fresh_reports(8) == 2 and out.comparison_budget == 1 / 16
    assert np.flatnonzero(out.published).tolist() == [0, 1, 8, 9, 16]
    assert (out.budgets - out.comparison_budget)[out.published].tolist() == [0.25] * 5
    assert (out.outputs[2:8] == out.outputs[1]).all()


def test_whoever_stays_is_reported_once_where_noise_is_small() -> None:
    far = made(np.zeros(40), 4, epsilon=1e9)
    assert far.published[0] and far.published.mean() < 0.3  # the noise of the test is of the size of its threshold


@pytest.mark.parametrize("seed", range(8))
def test_no_window_is_ever_passed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    window, epsilon = int(rng.integers(1, n + 1)), float(10 ** rng.uniform(-3, 3))
    out = made(np.cumsum(rng.normal(0, 10 ** rng.uniform(-1, 2), n)) / epsilon, window, epsilon, seed)
    assert window_totals(out.budgets, window).max() <= epsilon
    most = SCHEMES["predictive"].largest(epsilon, window, 0.0)
    assert out.budgets.max() <= most * (1 + 1e-9) and out.published.sum() > 0


def test_many_releases_are_those_of_one_after_another() -> None:
    values, rng = np.cumsum(np.random.default_rng(5).normal(0, 3, 50)), np.random.default_rng(7)
    many = release_many(values, "predictive", [], 2.0, Laplace(), rng=np.random.default_rng(7), draws=20, window=9)
    for row in many:
        one = release(values, "predictive", [], 2.0, Laplace(), rng=rng, window=9)
        assert row == pytest.approx(np.abs(one.outputs - values), rel=1e-9, abs=1e-9)

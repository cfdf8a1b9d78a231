"""The attack that follows a release without knowing when someone is where: against loops, and on releases that are drawn."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import following_attack, track_posterior
from lmdk_widgets.noise import PlanarLaplace


def by_hand(belief, squares, cells, reports, budgets):
    """The cell, the share and the reports that count, one by one."""
    n, m = len(belief), len(squares)
    shares = [math.fsum(belief[t][c] for t in range(n)) / n for c in range(m)]
    cell = shares.index(max(shares))
    column, row = squares[cell]
    counts = []
    for t in range(n):
        near = math.fsum(
            belief[t][c] for c in range(m) if abs(squares[c][0] - column) <= 1 and abs(squares[c][1] - row) <= 1
        )
        counts.append(near > 0.5 and budgets[t] > 0 and not math.isnan(reports[t][0]))
    return cell, shares[cell], counts


@pytest.mark.parametrize("seed", range(15))
def test_the_attack_is_the_one_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, wide, high = int(rng.integers(1, 30)), int(rng.integers(1, 6)), int(rng.integers(1, 5))
    squares = np.array([(c, r) for r in range(high) for c in range(wide)])
    cells, m = squares * 500.0, wide * high
    belief = rng.dirichlet(np.full(m, 0.2), n)
    reports = rng.normal(0, 1500, (n, 2))
    reports[rng.random(n) < 0.2] = np.nan
    budgets = np.where(rng.random(n) < 0.2, 0.0, rng.uniform(0.1, 2, n))
    found = following_attack(belief, squares, cells, reports, budgets)
    cell, share, counts = by_hand(belief.tolist(), squares.tolist(), cells, reports.tolist(), budgets.tolist())
    assert (found.cell, found.reports.tolist()) == (cell, counts) and found.share == pytest.approx(share)
    if not any(counts):
        np.testing.assert_array_equal(found.place_m, cells[cell])
        return

    def total(x):
        return float(budgets[counts] @ np.hypot(*(reports[counts] - x).T))

    best = min(
        minimize(total, start, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10}).fun
        for start in reports[counts]
    )
    assert total(found.place_m) <= best * (1 + 1e-9) + 1e-6


def test_without_a_report_that_is_believed_the_middle_of_the_cell_is_left():
    belief, squares, cells = [[0.4, 0.3, 0.3]], [[0, 0], [5, 0], [9, 0]], [[7.0, 8.0], [1.0, 1.0], [2.0, 2.0]]
    found = following_attack(belief, squares, cells, [[0.0, 0.0]], [1.0])
    assert found.cell == 0 and not found.reports.any() and found.place_m.tolist() == [7.0, 8.0]


def test_a_place_that_is_visited_most_is_found_on_a_track_that_is_drawn():
    """Three quarters of the time at one place of a grid of 500 m, and no hour of it known."""
    rng, side, n = np.random.default_rng(4), 500.0, 400
    squares = np.array([(c, r) for r in range(9) for c in range(9)])
    cells = squares * side
    distances = np.hypot(*(cells[:, None] - cells[None]).transpose(2, 0, 1))
    home, off = np.array([1910.0, 2105.0]), []
    truth = np.where((np.arange(n) % 100 < 75)[:, None], home, [500.0, 3500.0])
    stay = np.full((81, 81), 0.03 / 81) + np.eye(81) * 0.97
    for _ in range(20):
        reports = truth + 200 / 0.2 * PlanarLaplace(1.0).standard_noise(n, rng)
        seen = -0.2 / 200 * np.hypot(*(reports[:, None] - cells[None]).transpose(2, 0, 1))
        belief = track_posterior(np.full(81, 1 / 81), stay, seen).smoothed
        found = following_attack(belief, squares, cells, reports, np.full(n, 0.2))
        assert distances[found.cell, (4 * 9) + 4] <= side
        off.append(float(np.hypot(*(found.place_m - home))))
    assert np.median(off) < 1.6 * 1.6651 * 200 / (0.2 * math.sqrt(300))


def test_what_does_not_belong_together_is_refused():
    good = [[[0.5, 0.5]], [[0, 0], [1, 0]], [[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0]], [1.0]]
    for k in range(5):
        wrong = list(good)
        wrong[k] = [*good[k], good[k][0]]
        with pytest.raises(InputError, match="must have matching shapes"):
            following_attack(*wrong)
    with pytest.raises(InputError, match="Budgets"):
        following_attack(*good[:4], [-1.0])

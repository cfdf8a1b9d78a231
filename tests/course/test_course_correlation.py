"""The lesson on correlation: losses of its questions by the recursion written out, and the numbers of its sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.course import correlation, question
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.leakage import (
    LossFunction,
    best_plan,
    landmark_loss,
    pairwise_loss,
    plan_budgets,
    temporal_loss,
    temporal_loss_at_delta,
)
from lmdk_widgets.leakage.markov import estimate_transitions, grid_states, reverse, smoothed_identity, stationary
from lmdk_widgets.trajectory import sample
from tests.course.test_lesson_texts import says


def loss_of_two_rows(matrix: np.ndarray, alpha: float) -> float:
    """Every set of states, for every ordered pair of rows."""
    m, grown = len(matrix), math.expm1(alpha)
    sets = [[k for k in range(m) if mask >> k & 1] for mask in range(1, 2**m)]
    return max(
        math.log((1 + a[chosen].sum() * grown) / (1 + b[chosen].sum() * grown))
        for a in matrix
        for b in matrix
        for chosen in sets
    )


@pytest.mark.parametrize("name", correlation.MATRICES)
def test_backward_losses_by_the_recursion(name: str) -> None:
    losses = [0.1]
    for _ in range(9):
        losses.append(loss_of_two_rows(correlation.MATRICES[name], losses[-1]) + 0.1)
    assert correlation.backward(name) == pytest.approx(losses, abs=1e-12)


def test_numbers_of_the_questions() -> None:
    ask = {name: question(f"correlation/{name}") for name in ("step", "total", "bounded", "forever", "memory")}
    assert ask["step"].right() == pytest.approx(0.1807840339, abs=1e-9) == math.log(1 + 0.8 * math.expm1(0.1)) + 0.1
    assert ask["total"].right() == pytest.approx(0.4964, abs=5e-5), "the forward loss in its text"
    assert ask["bounded"].right() == pytest.approx(math.log(1 / 0.9))
    for epsilon, bound in zip(correlation.EPSILONS, ask["forever"].right(), strict=True):
        loss, before = 0.0, -1.0
        while loss - before > 1e-12:
            loss, before = loss_of_two_rows(correlation.ONE_WAY, loss) + epsilon, loss
        assert loss == pytest.approx(bound, abs=1e-6)
    assert list(correlation.MATRICES)[ask["memory"].right()] == "E, equal rows"


def test_the_commuter_by_interval() -> None:
    cells, largest, safe = correlation.by_interval()
    states, centres = grid_states(sample("commuter").points_m, cell_m=2000)
    forward = estimate_transitions(states, len(centres), smoothing=0.01)
    long_run = stationary(forward)
    past = forward.T * long_run / long_run[:, None]
    assert cells == len(centres) and list(largest) == list(safe) == list(correlation.MINUTES)
    assert past.sum(axis=1) == pytest.approx(1)
    twelve = [np.linalg.matrix_power(side, 144) for side in (past, forward)]
    n, sides = len(states[::144]), []
    for matrix in twelve:
        losses = [0.1]
        for _ in range(n - 1):
            losses.append(_by_greedy(matrix, losses[-1]) + 0.1)
        sides.append(losses)
    total = np.array(sides[0]) + np.array(sides[1])[::-1] - 0.1
    assert largest["12 h"] == pytest.approx(total.max(), rel=1e-6)
    assert list(largest.values()) == sorted(largest.values(), reverse=True) and list(safe.values()) == sorted(
        safe.values()
    )


def test_the_numbers_of_the_text_on_the_commuter_and_on_plans() -> None:
    """What is added to each count decides the loss; and Cao's plan, user level and the best plan for eight releases."""
    states, centres = grid_states(sample("commuter").points_m, cell_m=2000)
    added = []
    for smoothing in (0.01, 0.1, 1):
        forward = estimate_transitions(states, len(centres), smoothing=smoothing)
        sides = [LossFunction(side, normalize=True) for side in (reverse(forward), forward)]
        added.append(temporal_loss(*sides, np.full(len(states), 0.1)).total.max())
    one, tenth, whole = (f"{loss:.1f}" for loss in added)
    says("correlation", f"has a total loss of {one}, with 0.1 of {tenth}, with 1 of {whole}.")
    strong = smoothed_identity(5, 0.01)
    cao = float(np.mean(1 / plan_budgets(strong, strong, 1.0, n=8)))
    best = best_plan(strong, strong, 1.0, 8).mean_inverse
    says(
        "correlation",
        f"is {cao:.1f} with Cao's plan and 8 at user level: {cao / 8:.1f} times less.",
        f"here {best:.1f};",
    )
    says("correlation", f"one number for all pairs gives {correlation.at_distance(200.0):.2f}.")


def _by_greedy(matrix: np.ndarray, alpha: float) -> float:
    """Keep the states where a row is larger, and drop those that lower the ratio, until none does."""
    grown, best = math.expm1(alpha), 0.0
    for a in matrix:
        for b in matrix:
            chosen = a > b
            while chosen.any():
                ratio = (1 + a[chosen].sum() * grown) / (1 + b[chosen].sum() * grown)
                left = chosen & (a > ratio * b)
                if (left == chosen).all():
                    best = max(best, math.log(ratio))
                    break
                chosen = left
    return best


def test_bunches_of_landmarks() -> None:
    sums = {layout: correlation.together(layout) for layout in correlation.LAYOUTS}
    assert list(sums.values()) == sorted(sums.values(), reverse=True)
    chain = smoothed_identity(5, 0.01)
    budgets = [1 / 21] * 100
    assert sums["skewed"] == pytest.approx(landmark_loss(chain, chain, budgets, range(20)).mean())
    assert min(sums.values()) > 1, "without correlation it would be 1"


def test_the_pair_is_chosen_among_answers_that_a_head_can_tell_apart() -> None:
    """By the recursion pair by pair: more than one release, less than the sum of eight that nobody's moves blur."""
    ask = question("correlation/pairs")
    assert isinstance(ask, Choose) and "Guess" not in str(ask.asked()["text"])
    day = pairwise_loss(correlation.MODERATE, correlation.MODERATE, [0.2] * 8, correlation.DAY_M, 200.0)
    assert 0.84 < 1 < day.total[3, 0, 1] < 8
    titles = [choice.text for choice in ask.choices]
    assert titles[ask.right()] == "More than 1, less than 8" and titles[0] == "At most 0.84"
    whys = [choice.why() for choice in ask.choices]
    assert all(f"It is {day.total[3, 0, 1]:.1f}" in why for why in whys)
    never = pairwise_loss(np.eye(5), np.eye(5), [0.2] * 8, correlation.DAY_M, 200.0)
    assert never.total[3, 0, 1] == pytest.approx(8), "if nobody ever moved"


def test_at_a_delta_the_loss_stops_where_the_text_says() -> None:
    a, budgets = correlation.ONE_WAY, [0.5] * 400
    says("correlation", "at δ = 10⁻⁵ it does not exceed 5.4")
    assert 5.3 < temporal_loss_at_delta(a, a, budgets, 1e-5).backward.max() < 5.4
    assert temporal_loss(a, None, budgets).backward[-1] > 100 and math.log(1.25) < 0.5

"""The lesson on states: influence and quilts by joint probabilities, and the numbers of its sentences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lmdk_widgets.course import question, states
from lmdk_widgets.pufferfish import quilt_scale

P = np.array([[0.9, 0.1], [0.4, 0.6]])


def at(t: int) -> np.ndarray:
    return np.array([0.8, 0.2]) @ np.linalg.matrix_power(P, t)


def influence_by_hand(width: int) -> float:
    """The logarithm of the largest ratio of what two states of the middle give to a pair of states of the quilt."""
    step = np.linalg.matrix_power(P, width)
    past = (at(50 - width)[:, None] * step / at(50)).T  # row: the state in the middle
    found = [
        math.log(past[x, a] * step[x, b] / (past[y, a] * step[y, b]))
        for x in (0, 1)
        for y in (0, 1)
        for a in (0, 1)
        for b in (0, 1)
    ]
    return max(found)


@pytest.mark.parametrize("width", states.WIDTHS)
def test_a_quilt_by_its_joint_probabilities(width: int) -> None:
    assert states.influence(width) == pytest.approx(influence_by_hand(width), abs=1e-9)
    assert states.score(width) == pytest.approx((2 * width - 1) / (1 - influence_by_hand(width)), rel=1e-9)


def test_the_best_quilt_is_the_mechanism_s() -> None:
    found = quilt_scale(states.CHAIN, states.T, states.EPSILON)
    assert min(states.score(width) for width in states.WIDTHS) == pytest.approx(found.scale, rel=1e-9)
    assert found.scale == pytest.approx(12.8399642312, abs=1e-9)
    assert question("states/score").right() == pytest.approx(13 / (1 - influence_by_hand(7)), rel=1e-9)


def test_the_past_by_hand() -> None:
    long_run = np.array([0.8, 0.2])
    for away, told in enumerate(states.past_influence(), start=1):
        past = (long_run[:, None] * np.linalg.matrix_power(P, away) / long_run).T
        assert told == pytest.approx(np.abs(np.log(past[0] / past[1])).max(), abs=1e-9)
    assert np.linalg.eigvals(P).min() == pytest.approx(0.5), "about half of it is forgotten"


def test_numbers_of_the_questions() -> None:
    assert question("states/stuck").right() == 200
    scales = states.scales(0.4)
    order = [scales[name] for name in ("EntryDP*", "MQMExact", "MQMApprox", "GroupDP")]
    assert order == sorted(order) and order == pytest.approx([1, 3.57, 12.11, 100], abs=0.01)
    before, after = states.household(states.MINUTES), states.household(states.MANY)
    assert len(states.household_watts()) == states.MINUTES
    assert after[1] == before[1] == pytest.approx(2) and after[0] < before[0] / 100


def test_alphas_are_hardest_where_the_correlation_is_strong() -> None:
    found = question("states/alphas").right()
    assert (np.diff(found) < 0).all()
    assert found[0] == pytest.approx(31.74, abs=0.01)

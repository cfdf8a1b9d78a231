"""The most that Adaptive can spend at a timestamp: by every way to skip, and what it then tells, by every outcome."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from lmdk_widgets.answers.largest_spent import caps, most_of_one
from lmdk_widgets.answers.odds import moment_losses
from lmdk_widgets.budgets import adaptive_budgets
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample

STICKY = np.array([[0.8, 0.2], [0.2, 0.8]])


def some(n: int) -> Iterator[tuple[int, ...]]:
    for count in range(n + 1):
        yield from combinations(range(n), count)


@pytest.mark.long
def test_no_way_to_skip_spends_more_and_one_spends_as_much() -> None:
    bob = sample("bob")
    for marks in some(len(bob)):
        outcome = evaluate(Scenario(scheme="adaptive", landmarks=marks), bob)
        marked, most = outcome.protected, np.zeros(len(bob))
        for skipped in (set(each) for each in some(len(bob)) if set(each) <= set(marks)):
            most = np.maximum(most, adaptive_budgets(len(bob), marked, 1.0, skipped))
        assert caps(outcome) == pytest.approx(most, rel=1e-12) and most_of_one(outcome) == caps(outcome).max()


def test_where_a_landmark_is_last_one_moment_spends_half() -> None:
    bob = sample("bob")
    for marks, most in (((0, 2, 4, 7), 0.5), ((0, 2, 4), 1.0), ((7,), 0.5), ((), 1.0), (tuple(range(8)), 9 / 16)):
        outcome = evaluate(Scenario(scheme="adaptive", landmarks=marks), bob)
        assert most_of_one(outcome) == pytest.approx(most) and max(moment_losses(outcome)) == pytest.approx(most)


@dataclass(frozen=True)
class Node:
    """What happens at a timestamp: nothing, then `next`; or an answer, then one of the two in `next`."""

    measured: bool
    next: tuple[Node | None, ...]


def policies(n: int) -> list[Node | None]:
    """Every way to decide from the answers so far whether to measure."""
    if n == 0:
        return [None]
    later = policies(n - 1)
    return [Node(False, (each,)) for each in later] + [Node(True, both) for both in product(later, repeat=2)]


def paths(node: Node | None) -> Iterator[tuple[int | None, ...]]:
    """What can be published."""
    if node is None:
        yield ()
        return
    for answer, later in enumerate(node.next):
        for rest in paths(later):
            yield (answer if node.measured else None, *rest)


def told(node: Node | None, n: int, marks: tuple[int, ...]) -> np.ndarray:
    """(n,) by what factor, as a logarithm, an outcome changes the odds of the two states at a timestamp, at most."""
    most = np.zeros(n)
    tracks = list(product((0, 1), repeat=n))
    start = [0.5 * math.prod(STICKY[a, b] for a, b in pairwise(track)) for track in tracks]
    for seen in paths(node):
        budgets = adaptive_budgets(n, marks, 1.0, [t for t in range(n) if seen[t] is None])
        right = np.exp(budgets) / (1 + np.exp(budgets))
        chances = [
            weight * math.prod(right[t] if seen[t] == track[t] else 1 - right[t] for t in range(n) if budgets[t] > 0)
            for track, weight in zip(tracks, start, strict=True)
        ]
        for t in range(n):
            sums = [sum(c for c, track in zip(chances, tracks, strict=True) if track[t] == a) for a in (0, 1)]
            most[t] = max(most[t], abs(math.log(sums[0] / sums[1])))
    return most


@pytest.mark.long
@pytest.mark.parametrize("marks", [(1, 3), (2,)])
def test_no_way_to_decide_tells_more_than_the_largest_budget_at_every_timestamp(marks: tuple[int, ...]) -> None:
    n, left = 4, len(marks) - np.cumsum(np.isin(np.arange(4), marks)) + np.isin(np.arange(4), marks)
    each = 1 / (left + 1)
    bound = temporal_loss(STICKY, STICKY, [each.max()] * n).total
    most = np.max([told(node, n, marks) for node in policies(n)], axis=0)
    assert (most <= temporal_loss(STICKY, STICKY, each).total * (1 + 1e-9)).all()
    assert (most <= bound * (1 + 1e-9)).all() and most.max() > 0.5 * each.max()

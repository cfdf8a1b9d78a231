"""Temporal loss at a delta beside every path and output of short series, closed compositions, and the loss at delta 0."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest

from lmdk_widgets.composition import response_epsilon
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import AnyStart, LossFunction, reverse, temporal_loss, temporal_loss_at_delta
from lmdk_widgets.leakage.at_delta import Lattice
from lmdk_widgets.noise import randomized_response_channel
from tests.leakage.oracles import A, C, random_matrix
from tests.sweeps import generators

SIDES = ("backward", "forward", "total")


def laws(start, moves, channels, t: int, side: str) -> np.ndarray:
    """(m, outputs) how likely each series of outputs is for each state at t: over all paths, one after the other."""
    n, m = len(channels), len(start)
    seen = {"backward": range(t + 1), "forward": range(t, n), "total": range(n)}[side]
    paths = []
    for path in product(range(m), repeat=n):
        chance = start[path[0]] * math.prod(moves[a][b] for a, b in pairwise(path))
        if chance > 0:
            paths.append((chance, path))
    outputs = list(product(*(range(channels[k].shape[1]) for k in seen)))
    found, there = np.zeros((m, len(outputs))), np.zeros(m)
    for chance, path in paths:
        there[path[t]] += chance
        for o, output in enumerate(outputs):
            found[path[t], o] += chance * math.prod(channels[k][path[k], z] for k, z in zip(seen, output, strict=True))
    return found[there > 0] / there[there > 0, None]


def delta_of(rows: np.ndarray, epsilon: float) -> float:
    """The largest of all pairs of states and all sets of outputs."""
    return max(np.maximum(p - math.exp(epsilon) * q, 0).sum() for p in rows for q in rows)


def epsilon_of(rows: np.ndarray, delta: float) -> float:
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(rows, middle) > delta else (low, middle)
    return high if delta_of(rows, 0) > delta else 0.0


def a_channel(rng: np.random.Generator, m: int, epsilon: float) -> np.ndarray:
    """A channel that is private with epsilon: randomised response, or that with its answers confused."""
    answers = randomized_response_channel(m, epsilon) if epsilon else np.full((m, m), 1 / m)
    return answers if rng.random() < 0.5 else answers @ rng.dirichlet(np.full(3, 0.4), m)


@pytest.mark.long
def test_no_series_of_outputs_passes_the_bound() -> None:
    """Random chains of two and three states, starts, budgets (some of them 0) and channels."""
    tried = below = 0
    for rng in generators(61, 160):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        moves, start = random_matrix(rng, m), rng.dirichlet(np.ones(m))
        budgets = rng.choice([0.0, 0.3, 0.8, 1.5], n)
        budgets[int(rng.integers(n))] = 1.0
        channels = [a_channel(rng, m, epsilon) for epsilon in budgets]
        delta = float(10 ** rng.uniform(-3, -0.7))
        past = reverse([moves] * (n - 1), start)
        found = temporal_loss_at_delta(past, moves, budgets, delta)
        sure = temporal_loss(past, moves, budgets)
        for side in SIDES:
            for t in range(n):
                loss = getattr(found, side)[t]
                assert delta_of(laws(start, moves, channels, t, side), loss) <= delta, (side, t)
                assert loss <= getattr(sure, side)[t]
                tried, below = tried + 1, below + (loss < 0.98 * getattr(sure, side)[t])
    assert below > tried / 6


@pytest.mark.parametrize("stay", [0.6, 0.9, 1.0])
@pytest.mark.parametrize("delta", [0.003, 0.05])
def test_it_is_exact_for_two_states_and_randomised_response(stay: float, delta: float) -> None:
    moves = np.array([[stay, 1 - stay], [1 - stay, stay]])
    budgets = [0.5, 0.5, 1.0, 0.5, 0.25]
    channels = [randomized_response_channel(2, epsilon) for epsilon in budgets]
    found = temporal_loss_at_delta(moves, moves, budgets, delta)
    for side in SIDES:
        for t in range(5):
            exact = epsilon_of(laws([0.5, 0.5], moves, channels, t, side), delta)
            assert exact - 1e-9 <= getattr(found, side)[t] <= exact + 2e-3, (side, t)


def test_somebody_who_never_moves_loses_what_is_composed() -> None:
    """Computed apart, from the transform of the losses."""
    for epsilon, n, delta in ((0.2, 100, 1e-6), (1.0, 40, 1e-3), (0.05, 300, 1e-5)):
        found = temporal_loss_at_delta(np.eye(3), np.eye(3), [epsilon] * n, delta)
        whole = response_epsilon([epsilon] * n, delta)
        assert found.total == pytest.approx(np.full(n, whole), rel=1e-3)
        assert found.backward[-1] == pytest.approx(whole, rel=1e-3) and found.forward[0] == found.backward[-1]
        assert found.backward[9] == pytest.approx(response_epsilon([epsilon] * 10, delta), rel=1e-3)


def test_where_the_loss_at_delta_0_has_no_limit() -> None:
    """From place 2 nobody comes back: the loss grows by a quarter at each timestamp, for ever, but is rarely seen."""
    budgets = [0.5] * 400
    sure, found = temporal_loss(A, A, budgets), temporal_loss_at_delta(A, A, budgets, 1e-5)
    assert sure.backward[-1] > 100 and sure.total.max() > 110
    assert found.backward[-1] < 6 and found.total.max() < 8
    assert found.backward[399] - found.backward[200] < 1e-6


def test_delta_0_is_the_recursion_and_more_delta_is_less_loss() -> None:
    budgets = np.array([0.1, 0.4, 0.0, 0.0, 0.2, 0.7])
    sure, last = temporal_loss(C, C, budgets), None
    for delta in (0.0, 1e-12, 1e-8, 1e-4, 1e-2, 0.3, 1.0):
        found = temporal_loss_at_delta(C, C, budgets, delta)
        for side in SIDES:
            now = getattr(found, side)
            assert (now <= getattr(sure, side)).all()
            if delta <= 1e-12:
                assert now.tolist() == getattr(sure, side).tolist()
            if last is not None:
                assert (now <= getattr(last, side) + 1e-9).all()
        last = found
    assert last is not None and last.total.max() < 1e-9
    alone = temporal_loss_at_delta(None, None, [0.5, 0.0], 0.01)
    assert alone.total == pytest.approx([response_epsilon([0.5], 0.01), 0.0], abs=1e-3)


def test_a_move_contracts_as_all_pairs_of_rows_allow() -> None:
    """The coefficient from every pair of rows, and the loss that is left of a report: L of Cao et al."""
    for rng in generators(62, 20):
        p = random_matrix(rng, int(rng.integers(2, 6)))
        steps = Lattice(0.01, 3.0)
        loss, report = LossFunction(p), steps.reported(steps.nothing(), 1.0)
        carried = steps.moved(report, loss)
        for k in (0, 10, 50, 150):
            eta = max(np.maximum(a - steps.gamma[k] * b, 0).sum() for a in p for b in p)
            inside = 1 + (steps.gamma[k] - 1) / eta if eta else math.inf
            exact = max(0.0, (math.e - inside) / (1 + math.e))  # the profile of one answer
            assert eta * exact - 1e-12 <= carried[k] <= eta * exact + 1e-4
        assert steps.loss_at(carried, 1e-13) == pytest.approx(loss(1.0), abs=0.011)


def test_what_lies_beyond_the_lattice_counts() -> None:
    """Two answers of 1.5 on a lattice that ends at 1: no less than what they lose together."""
    steps = Lattice(0.01, 1.0)
    one = steps.reported(steps.nothing(), 1.5)
    for delta in (0.3, 0.45, 0.55, 0.62):
        exact = response_epsilon([1.5, 1.5], delta)
        assert steps.together_at(one, one, delta) >= exact > 0
        assert steps.loss_at(one, delta) >= response_epsilon([1.5], delta) - 1e-7


def test_a_long_series_is_one_computation_once_it_no_longer_changes() -> None:
    found = temporal_loss_at_delta(C, C, [0.3] * 4000, 1e-6)
    assert len(set(found.total[200:3800].tolist())) == 1
    short = temporal_loss_at_delta(C, C, [0.3] * 400, 1e-6)
    assert found.total[2000] == pytest.approx(short.total[200], rel=1e-3)


def test_what_is_refused() -> None:
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(InputError, match="[Dd]elta"):
            temporal_loss_at_delta(C, C, [0.1], wrong)
    with pytest.raises(InputError, match="known start"):
        temporal_loss_at_delta(AnyStart(C), C, [0.1, 0.2], 0.1)
    with pytest.raises(InputError, match="at most 5,000 timestamps"):
        temporal_loss_at_delta(C, C, [0.1] * 5001, 0.1)

"""Secrets over time against a sum over every path, the bound against every draw, and products of more than numbers allow."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.days_there import DaysThere, log_chances, most_changed, most_forgotten
from tests.sweeps import generators

NOWHERE = np.zeros(3, bool)


def chain(rng: np.random.Generator, m: int) -> Floats:
    """A symmetric chain, whose uniform distribution is stationary, as the reader's own is."""
    p = rng.uniform(0.05, 1, (m, m))
    p = p + p.T
    p /= 1.2 * p.sum(axis=1).max()
    return np.asarray(p + np.diag(1 - p.sum(axis=1)))


def moves_of(chains: list[Floats]) -> list:
    return [lambda belief, p=p: belief @ p for p in chains]


def holds(path: tuple[int, ...], event: DaysThere) -> tuple[bool, bool]:
    """Whether a path is allowed, and whether the event is true of it: day by day, one after the other."""
    asked = [t for t in range(len(path)) if event.asked[t]]
    if any(event.never[path[t]] for t in asked):
        return False, False
    return True, len({int(event.day[t]) for t in asked if event.there[path[t]]}) >= event.least


def enumerated(weights: Floats, chains: list[Floats], event: DaysThere) -> tuple[float, float]:
    """The two sums over every path of one release."""
    k, m = weights.shape
    found = [0.0, 0.0]
    for path in itertools.product(range(m), repeat=k):
        allowed, true = holds(path, event)
        chance = math.prod(weights[t, path[t]] for t in range(k)) * math.prod(
            chains[t][path[t], path[t + 1]] for t in range(k - 1)
        )
        if allowed:
            found[0 if true else 1] += chance
    return found[0], found[1]


def drawn_event(rng: np.random.Generator, k: int, m: int) -> DaysThere:
    day = np.cumsum((rng.random(k) < 0.5).astype(np.int64))
    asked = rng.random(k) < 0.7
    asked[rng.integers(k)] = True
    there = np.zeros(m, bool)
    there[rng.integers(m)] = True
    never = (rng.random(m) < 0.3) & ~there
    days = len(set(day[asked].tolist()))
    return DaysThere(there, never, asked, day, int(rng.integers(1, days + 1)))


def test_products_are_the_sums_over_every_path() -> None:
    for rng in generators(7, 40):
        k, m, d = int(rng.integers(1, 7)), int(rng.integers(2, 5)), 2
        chains, event = [chain(rng, m) for _ in range(k - 1)], drawn_event(rng, k, m)
        weights = rng.uniform(0.01, 1, (k, d, m))
        found = np.exp(log_chances(weights, moves_of(chains), event))
        for one in range(d):
            truth = enumerated(weights[:, one], chains, event)
            assert found[:, one].tolist() == pytest.approx(truth, rel=1e-12)


def test_two_days_by_hand() -> None:
    """Two days of one row each, two cells, moves of 0.1: there on both 0.45, on one 0.1, on none 0.45."""
    stay = np.array([[0.9, 0.1], [0.1, 0.9]])
    there = np.array([True, False])

    def shares(least: int, day: tuple[int, int], never: tuple[bool, bool] = (False, False)) -> list[float]:
        event = DaysThere(there, np.array(never), np.array([True, True]), np.array(day), least)
        found = np.exp(log_chances(np.ones((2, 1, 2)), moves_of([stay]), event))[:, 0] / 2
        return [round(value, 12) for value in found.tolist()]

    assert shares(1, (0, 1)) == [0.55, 0.45]
    assert shares(2, (0, 1)) == [0.45, 0.55]
    assert shares(1, (0, 0)) == [0.55, 0.45]  # one day, however often
    assert shares(1, (0, 1), (False, True)) == [0.45, 0.0]  # never at the other one
    with pytest.raises(InputError, match="Least"):
        shares(2, (0, 0))
    with pytest.raises(InputError, match="Moves"):
        log_chances(np.ones((2, 1, 2)), [], DaysThere(there, ~there, np.ones(2, bool), np.zeros(2, int)))


def test_chances_far_apart_keep_their_ratio() -> None:
    """Rows that differ by more than e^700 do not lose each other: independent rows, whose chances are products."""
    anew = np.full((2, 2), 0.5)
    there, k = np.array([True, False]), 8
    weights = np.tile([[1e-200, 1.0]], (k, 1))
    event = DaysThere(there, ~there & False, np.ones(k, bool), np.arange(k), 3)
    seen, unseen = log_chances(weights[:, None], moves_of([anew] * (k - 1)), event)
    logs = [math.log(math.comb(k, c)) + c * math.log(1e-200) for c in range(k + 1)]
    both = k * math.log(0.5) + math.log(2)
    assert seen[0] - both == pytest.approx(logs[3], rel=1e-12)
    assert unseen[0] - both == pytest.approx(logs[0], abs=1e-12)
    tight = np.tile([[1e-200, 1.0]], (k, 1))
    tight[4:] = [1.0, 1e-200]  # there first for certain never, then always
    seen, unseen = log_chances(tight[:, None], moves_of([anew] * (k - 1)), event)
    assert seen[0] - both == pytest.approx(0.0, abs=1e-9) and unseen[0] - both < math.log(1e-199)


def changes(weights: Floats, chains: list[Floats], first: DaysThere, second: DaysThere | None) -> float:
    """By how much a release changes the log odds of an event against its opposite, or against another event."""
    both = np.concatenate((weights[:, None], np.ones((len(weights), 1, weights.shape[1]))), axis=1)
    one, opposite = log_chances(both, moves_of(chains), first)
    other = opposite if second is None else log_chances(both, moves_of(chains), second)[0]
    after, before = one - other
    return float(after - before)


def world(rng: np.random.Generator) -> tuple[Floats, list[Floats], Floats, DaysThere, DaysThere | None]:
    """Cells on a line 200 m apart, budgets at a radius of 200 m, and a secret that is possible either way."""
    k, m = 5, 3
    chains, budgets = [chain(rng, m) for _ in range(k - 1)], rng.uniform(0, 1.5, k)
    day, asked = np.array([0, 0, 1, 1, 1]), np.array([False, True, True, False, False])
    there, other = np.eye(m, dtype=bool)[[0, 2]]
    cells: Floats = np.asarray(np.arange(m) * 200.0, float)
    if rng.random() < 0.5:
        return cells, chains, budgets, DaysThere(there, NOWHERE, asked, day), None
    home = [DaysThere(*pair, asked, day, 2) for pair in ((there, other), (other, there))]
    return cells, chains, budgets, home[0], home[1]


def test_the_bound_is_never_passed() -> None:
    """By reports of planar Laplace around a path, and by the worst ones, all at one of the ends."""
    nearest = 0.0
    for rng in generators(11, 60):
        cells, chains, budgets, first, second = world(rng)
        most = most_changed(budgets * 2.0, [most_forgotten(p) for p in chains], first.asked)
        for draw in range(20):
            x = rng.choice(cells, 5)
            angle, off = rng.uniform(0, 2 * math.pi, 5), rng.gamma(2, 200 / np.maximum(budgets, 1e-9))
            at = np.stack((x + off * np.cos(angle), off * np.sin(angle)), axis=1)
            if draw < 4:
                at = np.stack((rng.choice([-1e4, 0.0, 400.0, 1e4], 5), np.zeros(5)), axis=1)
            apart = np.hypot(at[:, :1] - cells, at[:, 1:])
            changed = changes(
                np.exp(-budgets[:, None] / 200 * (apart - apart.min(axis=1)[:, None])), chains, first, second
            )
            assert abs(changed) <= most + 1e-9
            nearest = max(nearest, abs(changed) / most)
    assert nearest > 0.5  # it is no idle bound


def test_the_bound_is_reached_by_certain_places() -> None:
    """One row, two cells: the odds change by exactly the budget, and nothing comes before or after."""
    there, one = np.array([True, False]), np.ones(1, bool)
    event = DaysThere(there, ~there & False, one, np.zeros(1, int))
    weights = np.array([[1.0, math.exp(-1.25)]])
    assert changes(weights, [], event, None) == pytest.approx(1.25) == most_changed(np.array([1.25]), [], one)


def test_what_comes_before_and_after_is_forgotten() -> None:
    told, asked = np.array([5.0, 0.3, 1.0, 0.2, 7.0]), np.array([False, False, True, False, False])
    assert most_changed(told, [9.0] * 4, asked) == pytest.approx(5.3 + 1.0 + 7.2)
    assert most_changed(told, [0.5, 9.0, 9.0, 0.6], asked) == pytest.approx(0.5 + 0.3 + 1.0 + 0.2 + 0.6)
    assert most_changed(told, [9.0, 0.1, 0.4, 9.0], asked) == pytest.approx(0.1 + 1.0 + 0.4)
    assert most_changed(told, [9.0, 0.1, 0.4, 9.0], asked, within=0.7) == pytest.approx(0.1 + 0.7 + 0.4)
    asked[3] = True
    assert most_changed(told, [0.1] * 4, asked) == pytest.approx(0.1 + 1.2 + 0.1)


@pytest.mark.long
def test_half_of_all_releases_reach_what_half_of_them_do() -> None:
    """By simulation: the typical release of one set of draws is exceeded in half, and in a tenth, of another."""
    rng = np.random.default_rng(5)
    cells, chains, _, first, _ = world(np.random.default_rng(1))
    first = DaysThere(first.there, NOWHERE, first.asked, first.day)
    budgets, x = np.full(5, 0.8), cells[[0, 0, 0, 1, 2]]

    def draws(many: int) -> Floats:
        angle, off = rng.uniform(0, 2 * math.pi, (many, 5)), rng.gamma(2, 200 / budgets, (many, 5))
        apart = np.hypot((x + off * np.cos(angle))[..., None] - cells, (off * np.sin(angle))[..., None])
        return np.array([changes(np.exp(-0.8 / 200 * one), chains, first, None) for one in apart])

    some, others = draws(400), draws(400)
    half, tenth = np.quantile(some, (0.5, 0.9))
    assert float((others >= half).mean()) == pytest.approx(0.5, abs=0.1)
    assert float((others >= tenth).mean()) == pytest.approx(0.1, abs=0.06)
    assert half > 0  # the person is there, and that shows

"""The lesson on places: its small cells by a plain linear program, its best guess by trying all, its sentences' numbers."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from lmdk_widgets.course import places, question, tracking


def test_the_optimal_mechanism_by_a_plain_linear_program() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    instance, epsilon, n = places.cells(places.SMALL), places.SMALL.epsilon_per_m, 16
    rows = []
    for (x, other), z in product(permutations(range(n), 2), range(n)):
        row = np.zeros((n, n))
        row[x, z], row[other, z] = 1, -math.exp(epsilon * instance.distances_m[x, other])
        rows.append(row.ravel())
    sums = np.repeat(np.eye(n), n, axis=1)
    cost = (instance.prior[:, None] * instance.distances_m).ravel()
    best = optimize.linprog(cost, np.array(rows), np.zeros(len(rows)), sums, np.ones(n))
    assert places.loss("optimal") == pytest.approx(best.fun, rel=2e-3)
    assert len(rows) == n * n * (n - 1)


def test_losses_fall_and_nothing_beats_the_optimal_one() -> None:
    losses = {name: places.losses(name) for name in ("optimal", "remapped", "planar")}
    for values in losses.values():
        assert (np.diff(values) < 0).all()
    assert (losses["optimal"] <= losses["remapped"] * 1.002).all() and (
        losses["remapped"] <= losses["planar"] + 1e-6
    ).all()
    assert losses["optimal"].max() <= places.cells(places.SMALL).blind_m < losses["planar"][0] / 2


def test_the_best_guess_of_the_week() -> None:
    states, centres, _ = tracking.hours()
    costs = [sum(math.dist(centres[k], guess) for k in states.ravel()) / states.size for guess in centres]
    guess, off = places.blind()
    assert off == pytest.approx(min(costs)) and guess == pytest.approx(centres[int(np.argmin(costs))])
    shares = np.bincount(states.ravel()) / states.size
    assert shares.max() >= 0.5 and guess == pytest.approx(centres[shares.argmax()]), "half of all hours are spent there"


def test_numbers_of_the_questions() -> None:
    assert question("places/promise").right() == pytest.approx(math.e**2)
    assert places.on_edges_alone(1.0) > 1 >= places.on_edges_alone(1 / 1.1)
    assert 0 < places.kept_by_spanner() <= 1 + 1e-9
    found = places.solved()
    assert math.isinf(found["private"].channel.epsilon)
    assert found["private"].error_m == pytest.approx(found["optimal"].loss_m, rel=1e-3)

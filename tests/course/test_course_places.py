"""The lesson on places: its small cells by a plain linear program, its best guess by trying all, its sentences' numbers."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from lmdk_widgets.course import places, question, tracking
from lmdk_widgets.course.figures import REPORT_LEVELS, report_figure
from lmdk_widgets.page.amounts import metres, percent


def least_loss(choices: places.PlaceChoices, level: float) -> float:
    """The least quality loss over all mechanisms, by a program with every constraint."""
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    instance, epsilon = places.cells(choices), level / choices.radius_m
    n = len(instance)
    pairs = [(x * n + z, other * n + z, x, other) for (x, other), z in product(permutations(range(n), 2), range(n))]
    ones, others, xs, ys = np.array(pairs).T
    factors = -np.exp(epsilon * instance.distances_m[xs, ys])
    at = np.arange(len(pairs))
    rows = sparse.csr_array(
        (np.concatenate([np.ones(len(at)), factors]), (np.tile(at, 2), np.concatenate([ones, others]))),
        (len(at), n * n),
    )
    assert len(at) == n * n * (n - 1)
    cost = (instance.prior[:, None] * instance.distances_m).ravel()
    return float(optimize.linprog(cost, rows, np.zeros(len(at)), np.repeat(np.eye(n), n, axis=1), np.ones(n)).fun)


def test_the_optimal_mechanism_by_a_plain_linear_program() -> None:
    assert places.loss("optimal") == pytest.approx(least_loss(places.SMALL, 1.0), rel=2e-3)


def test_the_figure_of_reports_has_the_optimal_mechanism_and_what_bayes_makes_of_its_report() -> None:
    charts = {level: report_figure().draw(level) for level in REPORT_LEVELS}
    assert places.report_from_truth(4.0)[0].loss_m == pytest.approx(least_loss(places.CITY, 4.0), rel=2e-3)
    prior = places.cells(places.CITY).prior
    for level, (reported, believed) in charts.items():
        found, report, _ = places.report_from_truth(level)
        chances = found.channel.matrix
        discs, truth = reported.figure["data"]
        assert discs["marker"]["size"] == pytest.approx(chances[places.TRUTH].tolist())
        assert (truth["x"], truth["y"]) == ([-1], [-1]) and max(chances[places.TRUTH]) == chances[places.TRUTH, report]
        assert f"reported with {percent(chances[places.TRUTH, places.TRUTH])}; all" in reported.summary
        assert f"reports are {metres(found.loss_m)} off" in reported.summary
        whole = sum(prior[x] * chances[x, report] for x in range(25))
        after = [prior[x] * chances[x, report] / whole for x in range(25)]
        assert believed.figure["data"][0]["marker"]["size"] == pytest.approx(after)
        most = math.exp(level * 3 * 2**0.5)  # the farthest place is 3 cells of 1 km east and north of the truth
        assert prior[places.TRUTH] / most <= after[places.TRUTH] <= prior[places.TRUTH] * most
        assert f"in the truth is {percent(after[places.TRUTH])} after" in believed.summary


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

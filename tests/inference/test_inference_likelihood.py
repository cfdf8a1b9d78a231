"""Likelihoods of every mechanism by their formulas, timestamps that repeat, and how often beliefs are right."""

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pytest

from lmdk_widgets.budgets import release
from lmdk_widgets.budgets.releases import Release
from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import Channel, planar_laplace_channel
from lmdk_widgets.inference import log_likelihoods, track_posterior
from lmdk_widgets.noise import Laplace, PlanarLaplace

from .inference_oracles import draw_states

CENTRES = np.array([[0.0, 0.0], [300.0, 400.0], [600.0, 0.0]])
NONE = np.array([], np.intp)


def _released(outputs, budgets, published=None, comparison_budget=0.0):
    """A release; without `published` every timestamp is."""
    when = np.ones(len(budgets), bool) if published is None else np.array(published)
    return Release(np.array(outputs, float), np.array(budgets, float), when, NONE, None, None, comparison_budget)


def test_planar_laplace_is_its_density():
    outputs, budgets = [[0, 0], [30, 40]], [1.0, 0.5]
    found = log_likelihoods(_released(outputs, budgets), CENTRES, PlanarLaplace(200.0))
    for t, (output, budget) in enumerate(zip(outputs, budgets, strict=True)):
        for x, centre in enumerate(CENTRES):
            e = budget / 200
            density = e**2 / (2 * math.pi) * math.exp(-e * math.dist(output, centre))
            assert found[t, x] == pytest.approx(math.log(density), rel=1e-13)


def test_laplace_is_its_density():
    found = log_likelihoods(_released([1.5, -2.0], [1.0, 0.25]), [0.0, 1.0, 5.0], Laplace(2.0))
    for t, (output, budget) in enumerate([(1.5, 1.0), (-2.0, 0.25)]):
        for x, value in enumerate([0.0, 1.0, 5.0]):
            e = budget / 2
            assert found[t, x] == pytest.approx(math.log(e / 2 * math.exp(-e * abs(output - value))), rel=1e-13)


def test_randomised_response_is_its_channel():
    budgets = [1e-6, 0.5, math.log(3), 40.0, 800.0]
    found = log_likelihoods(_released([0, 1, 2, 3, 4], budgets), np.arange(5.0), "randomized-response")
    for t, budget in enumerate(budgets[:4]):
        keep = math.exp(budget) / (math.exp(budget) + 4)
        expected = [
            math.log(keep if x == t else (1 - keep) / 4 if budget < 30 else math.exp(-budget)) for x in range(5)
        ]
        assert found[t] == pytest.approx(expected, rel=1e-9)
    assert math.exp(found[2, 2]) == pytest.approx(3 / 7)  # five answers at ln 3
    assert found[4] == pytest.approx([-800.0] * 4 + [0.0])
    assert np.exp(found).max(axis=1) == pytest.approx(np.exp(found[np.arange(5), np.arange(5)]))


def test_channels_by_matrix_mapping_and_function():
    budgets, radius = np.array([0.5, 1.0, 0.5, 1.0]), 200.0
    channels = {budget: planar_laplace_channel(CENTRES, budget / radius) for budget in (0.5, 1.0)}
    symbols = np.array([0, 2, 1, 1])
    expected = np.log(np.array([channels[b].matrix[:, z] for b, z in zip(budgets.tolist(), symbols, strict=True)]))
    as_symbols, as_places = _released(symbols, budgets), _released(CENTRES[symbols], budgets)
    rounded = _released(CENTRES[symbols], budgets * (1 + 1e-12))
    for given in (as_symbols, as_places, rounded):
        for mechanism in (channels, {b: c.matrix for b, c in channels.items()}):
            assert log_likelihoods(given, CENTRES, mechanism) == pytest.approx(expected)
    made = log_likelihoods(as_places, CENTRES, lambda budget: planar_laplace_channel(CENTRES, budget / radius))
    assert made == pytest.approx(expected)
    one = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.25, 0.75, 0.0], [0.1, 0.2, 0.3, 0.4]])
    found = log_likelihoods(_released([3, 0, 1], [1, 2, 3]), CENTRES, one)
    with np.errstate(divide="ignore"):
        assert (found == np.log(one.T[[3, 0, 1]])).all()
    square = Channel(one[:, :3] / one[:, :3].sum(axis=1, keepdims=True), 0.0, 1.0, 0.0)
    assert np.exp(log_likelihoods(as_places, CENTRES, square)[1]) == pytest.approx(square.matrix[:, 2])


def test_a_function_is_asked_once_for_each_budget():
    asked = []
    given = _released([0, 1, 2, 0, 1], [0.5, 1.0, 0.5, 1.0, 0.5])
    log_likelihoods(given, CENTRES, lambda budget: asked.append(budget) or np.full((3, 3), 1 / 3))
    assert asked == [0.5, 1.0]


def test_what_repeats_tells_nothing():
    outputs = [[np.nan, np.nan], [9, 9], [9, 9], [100, 0]]
    given = _released(outputs, [0, 0.5, 0, 0.7], [False, True, False, True])
    found = log_likelihoods(given, CENTRES, PlanarLaplace())
    assert (found[[0, 2]] == 0).all() and (found[[1, 3]] < 0).all()
    nothing = _released(np.full((2, 2), np.nan), [0, 0], [False, False])
    assert (log_likelihoods(nothing, CENTRES, PlanarLaplace()) == 0).all()


def test_what_was_spent_on_comparing_made_no_noise_smaller():
    paid = _released([[0, 0]], [0.7], comparison_budget=0.2)
    plain = _released([[0, 0]], [0.5])
    assert log_likelihoods(paid, CENTRES, PlanarLaplace()) == pytest.approx(
        log_likelihoods(plain, CENTRES, PlanarLaplace())
    )


@pytest.mark.parametrize("scheme", ["skip", "adaptive", "uniform", "budget-distribution"])
def test_releases_as_they_are_made(scheme):
    options = {"window": 3} if scheme == "budget-distribution" else {}
    out = release(
        CENTRES[[0, 0, 1, 2, 2, 1]], scheme, [0, 3], 2.0, PlanarLaplace(), rng=np.random.default_rng(2), **options
    )
    found = log_likelihoods(out, CENTRES, PlanarLaplace())
    assert ((found == 0).all(axis=1) == ~out.published).all() and np.isfinite(found).all()


ONE_IN_A_MILLION = 4.892
"""Two-sided normal quantile."""


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["event", "skip", "adaptive"])
def test_what_is_believed_at_a_tenth_is_true_in_a_tenth(scheme):
    """2,000 tracks and releases from the model itself: the cells that are believed at 8 to 12 %."""
    rng, n, m, mechanism = np.random.default_rng(6), 8, 6, PlanarLaplace(500.0)
    prior, p = rng.dirichlet(np.full(m, 0.5)), rng.dirichlet(np.ones(m), m)
    centres = rng.random((m, 2)) * 2000
    claimed, true = np.zeros((2000, 4)), np.zeros((2000, 4))
    for draw in range(2000):
        states = draw_states(rng, prior, p, n)
        out = release(centres[states], scheme, [2, 5], 1.5, mechanism, rng=rng)
        found = track_posterior(prior, p, log_likelihoods(out, centres, mechanism))
        for k, belief in enumerate((found.smoothed, found.filtered, found.predicted, found.alone)):
            near = (belief > 0.08) & (belief < 0.12)
            claimed[draw, k] = belief[near].sum()
            true[draw, k] = near[np.arange(n), states].sum()
    surplus = true - claimed  # independent from draw to draw, and 0 on average
    assert (claimed.sum(axis=0) > 300).all()  # of some 3,000 cells or more: enough to see a tenth that is a fifteenth
    assert (np.abs(surplus.sum(axis=0)) < ONE_IN_A_MILLION * np.sqrt((surplus**2).sum(axis=0))).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"mechanism": "laplace"}, 'Mechanism must be "randomized-response"; got laplace.'),
        ({"mechanism": 3}, "Mechanism must be PlanarLaplace, Laplace,"),
        ({"mechanism": Laplace()}, "Outputs must be numbers, shape (n,), for Laplace; got shape (2, 2)."),
        ({"cells": [1.0, 2.0]}, "Cells must be points in metres, shape (n, 2), for PlanarLaplace; got shape (2,)."),
        ({"cells": []}, "Cells must be centres in metres, shape (m, 2), or numbers, shape (m,); got shape (0,)."),
        ({"cells": [[0, np.nan]]}, "Cells must contain finite numbers; got nan at index (0, 1)."),
        ({"budgets": [0.5, 0]}, "Budgets must be above 0 where an output was published; got 0 at index 1."),
        ({"budgets": [0.5]}, "Outputs must be one for each of 1 timestamps; got shape (2, 2)."),
        ({"published": [True]}, "Published must be one for each of 2 timestamps; got shape (1,)."),
        ({"outputs": [[0, 0], [np.nan, 1]]}, "Outputs must be present where published; got none at index 1."),
        ({"mechanism": np.eye(3)}, "Outputs must be centres of the cells; got another place at index 1."),
        ({"mechanism": np.eye(3), "outputs": [0, 3]}, "Published outputs must be whole numbers between 0 and 2; got"),
        ({"mechanism": np.eye(2)}, "Channel must be a matrix with a row for each of the 3 cells; got shape (2, 2)."),
        ({"mechanism": np.ones((3, 3))}, "Row 0 of channel must sum to 1; got 3."),
        (
            {"mechanism": {1.0: np.eye(3)}},
            "Mechanism must have a channel for every budget spent; got none for",
        ),
        ({"mechanism": {}}, "Mechanism must have a channel for every budget spent; got none for 0.5."),
        (
            {"mechanism": np.full((3, 2), 0.5)},
            "Outputs must be symbols from 0 to 1, shape (n,), or centres of the cells;",
        ),
    ],
)
def test_bad_input_is_one_sentence(change, sentence):
    given = {"outputs": [[0, 0], [1, 1]], "budgets": [0.5, 0.5], "published": [True, True], "comparison_budget": 0.0}
    rest = {"cells": CENTRES, "mechanism": PlanarLaplace()} | {k: v for k, v in change.items() if k not in given}
    made = SimpleNamespace(**(given | {k: v for k, v in change.items() if k in given}))
    with pytest.raises(InputError) as error:
        log_likelihoods(made, **rest)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("scheme", ["uniform", "skip"])
def test_cells_that_the_explorer_reports(scheme):
    """The channels of a page's release, found by its budgets, and its outputs, which are centres of cells."""
    from lmdk_widgets.scenario import Scenario, evaluate
    from lmdk_widgets.scenario.cells import Reporter
    from lmdk_widgets.trajectory import sample

    bob, scenario = sample("bob"), Scenario(scheme=scheme, mechanism="remapped", landmarks=(0, 2, 4, 7), epsilon=2.0)
    outcome = evaluate(scenario, bob)
    released = release(
        bob.points_m, scheme, scenario.landmarks, scenario.epsilon, PlanarLaplace(), rng=np.random.default_rng(0)
    )
    reporter = Reporter(scenario, bob, released)
    centres = reporter.known.centres_m
    made = dataclasses.replace(released, outputs=outcome.reports.outputs)
    found = log_likelihoods(made, centres, outcome.reports.channels)
    for t in range(len(bob)):
        if not released.published[t]:
            assert (found[t] == 0).all()
            continue
        channels = outcome.reports.channels
        channel = channels[min(channels, key=lambda known, t=t: abs(known - released.budgets[t]))].matrix
        column = int(np.hypot(*(centres - outcome.reports.outputs[t]).T).argmin())
        assert found[t] == pytest.approx(np.log(channel[:, column]))

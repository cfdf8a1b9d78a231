"""Outcomes: the numbers that views show, against the values worked out by hand and independent computations."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.markov import smoothed_identity
from lmdk_widgets.scenario import CORRELATIONS, SCHEMES, Scenario, describe, evaluate, summarise
from lmdk_widgets.scenario.model import LANDMARK_SCHEMES, WINDOW_SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample

BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7))


def test_uniform_on_bob() -> None:
    outcome = evaluate(BOB, sample("bob"))
    assert outcome.budgets == pytest.approx(np.full(8, 0.2))
    assert outcome.landmark_share == pytest.approx(0.8)
    assert outcome.totals == pytest.approx([0.8, 1, 0.8, 1, 0.8, 1, 1, 0.8])
    assert outcome.event_error_m == pytest.approx(400)
    assert outcome.user_error_m == pytest.approx(3200)
    assert outcome.radius95_m == pytest.approx(np.full(8, 4.7438645184 * 200 / 0.2))


def test_the_error_is_the_distance_on_the_ground() -> None:
    bob = sample("bob")
    outcome = evaluate(BOB, bob)
    ground = distance_m(bob.latitude, bob.longitude, outcome.latitude, outcome.longitude)
    assert outcome.error_m == pytest.approx(ground, rel=1e-4)


def test_the_losses_are_those_of_the_named_matrix() -> None:
    outcome = evaluate(BOB.with_changes(correlation="strong"), sample("bob"))
    matrix = smoothed_identity(5, 0.01)
    loss = temporal_loss(matrix, matrix, outcome.budgets)
    assert outcome.total == pytest.approx(loss.total)
    assert outcome.total.max() <= outcome.supremum


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_every_combination_holds_together(scheme: str, correlation: str) -> None:
    bob = sample("bob")
    outcome = evaluate(BOB.with_changes(scheme=scheme, correlation=correlation), bob)
    assert (outcome.total >= outcome.budgets - 1e-12).all()
    assert np.isnan(outcome.latitude).sum() == np.isnan(outcome.error_m).sum()
    if scheme in LANDMARK_SCHEMES:
        assert outcome.overrun <= 1
    words = describe(outcome)
    for text in (words.paragraph, words.assumption, summarise(outcome), *words.warnings):
        assert "nan" not in text and "None" not in text
        assert text.endswith(".")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("landmarks", [(), (0,), (0, 2, 4, 7), tuple(range(8))])
def test_average_of_draws_has_a_band_around_it(scheme: str, landmarks: tuple[int, ...]) -> None:
    scenario = BOB.with_changes(scheme=scheme, landmarks=landmarks, average=True)
    outcome = evaluate(scenario, sample("bob"))
    some = np.isfinite(outcome.error_m)
    assert (outcome.error_low_m[some] <= outcome.error_high_m[some]).all()
    assert describe(outcome).paragraph


def test_the_mean_of_many_draws_is_the_expected_error() -> None:
    outcome = evaluate(BOB.with_changes(scheme="event", average=True), sample("commuter"))
    assert outcome.mean_error_m == pytest.approx(outcome.event_error_m, rel=0.01)


def test_the_same_seed_scales_the_same_noise() -> None:
    bob = sample("bob")
    one, two = (evaluate(BOB.with_changes(epsilon=e), bob) for e in (1.0, 0.5))
    assert two.error_m == pytest.approx(2 * one.error_m)
    other = evaluate(BOB.with_changes(seed=99), bob)
    assert not np.allclose(one.error_m, other.error_m)


def test_it_is_pure() -> None:
    bob = sample("bob")
    before = bob.points_m.copy()
    one, two = evaluate(BOB, bob), evaluate(BOB, bob)
    assert np.array_equal(one.latitude, two.latitude)
    assert np.array_equal(bob.points_m, before)


@pytest.mark.parametrize(
    "change", [{"landmarks": (8,)}, {"scheme": "window", "window": 9}, {"scheme": "budget-absorption", "window": 9}]
)
def test_what_does_not_fit_the_track_gets_a_sentence(change: dict) -> None:
    with pytest.raises(InputError, match="Allowed"):
        evaluate(BOB.with_changes(**change), sample("bob"))


def test_too_many_cells_get_a_sentence() -> None:
    with pytest.raises(InputError, match="larger cells"):
        evaluate(Scenario(correlation="estimated", cell_m=50), sample("taxi"))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_point(scheme: str) -> None:
    one = Trajectory(np.array([48.9]), np.array([2.3]), np.array(["2026-01-01T08:00"], "datetime64[ns]"))
    for correlation in CORRELATIONS:
        for landmarks in ((), (0,)):
            scenario = Scenario(scheme=scheme, window=1, correlation=correlation, landmarks=landmarks)
            outcome = evaluate(scenario, one)
            assert len(outcome) == 1
            assert describe(outcome).paragraph


@pytest.mark.parametrize(
    ("latitude", "longitude"), [((10.0, 10.1), (179.9, -179.9)), ((89.95, 89.95), (0.0, 180.0)), ((-90.0, -89.9), (5.0, 9.0))]
)
def test_antimeridian_and_poles(latitude: tuple, longitude: tuple) -> None:
    times = np.array(["2026-01-01T08:00", "2026-01-01T09:00"], "datetime64[ns]")
    track = Trajectory(np.array(latitude), np.array(longitude), times)
    outcome = evaluate(Scenario(scheme="event"), track)
    ground = distance_m(track.latitude, track.longitude, outcome.latitude, outcome.longitude)
    assert outcome.error_m == pytest.approx(ground, rel=1e-3)


def test_words_say_what_overruns_and_by_how_much() -> None:
    event = describe(evaluate(BOB.with_changes(scheme="event"), sample("bob")))
    assert any("5.00 times the budget" in w for w in event.warnings)
    uniform = describe(evaluate(BOB, sample("bob")))
    assert "four landmarks share 0.80 of the budget of 1.00" in uniform.paragraph
    assert not any("times the budget" in w for w in uniform.warnings)


def test_words_name_unbounded_growth_and_skips() -> None:
    bound = describe(evaluate(BOB.with_changes(correlation="moderate"), sample("bob")))
    assert "stays below" in bound.paragraph
    skip = describe(evaluate(BOB.with_changes(scheme="skip"), sample("bob")))
    assert any("show where the landmarks are" in w for w in skip.warnings)
    assert any("first one timestamp has no release" in w for w in skip.warnings)
    nothing = evaluate(BOB.with_changes(scheme="skip", landmarks=tuple(range(8))), sample("bob"))
    assert "Nothing is released" in describe(nothing).paragraph


def test_every_scheme_has_a_meaning() -> None:
    assert WINDOW_SCHEMES | LANDMARK_SCHEMES | {"event"} == set(SCHEMES)
    assert all(": " in text and text.endswith(".") for text in (*SCHEMES.values(), *CORRELATIONS.values()))

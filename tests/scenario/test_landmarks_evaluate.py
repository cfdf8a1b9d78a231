"""Outcomes: the numbers that views show, against the values worked out by hand and independent computations."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.budgets import release
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import reverse, smoothed_identity
from lmdk_widgets.noise import PlanarLaplace
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
    outcome = evaluate(BOB.with_changes(scheme=scheme, correlation=correlation, matrix=[[0.8, 0.2], [0, 1]]), bob)
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
    ("change", "said"),
    [
        ({"landmarks": (8,)}, "Landmarks must be indices between 0 and 7; got 8."),
        ({"scheme": "window", "window": 9}, "Window must be a whole number between 1 and 8; got 9."),
        ({"scheme": "budget-absorption", "window": 9}, "Window must be a whole number between 1 and 8; got 9."),
    ],
)
def test_what_does_not_fit_the_track_gets_a_sentence(change: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(BOB.with_changes(**change), sample("bob"))


def test_too_many_cells_get_a_sentence() -> None:
    with pytest.raises(InputError, match="larger cells"):
        evaluate(Scenario(correlation="estimated", cell_m=50), sample("taxi"))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_one_point(scheme: str) -> None:
    one = Trajectory(np.array([48.9]), np.array([2.3]), np.array(["2026-01-01T08:00"], "datetime64[ns]"))
    for correlation in CORRELATIONS:
        for landmarks in ((), (0,)):
            matrix = ((0.8, 0.2), (0.0, 1.0))
            scenario = Scenario(scheme=scheme, window=1, correlation=correlation, landmarks=landmarks, matrix=matrix)
            outcome = evaluate(scenario, one)
            assert len(outcome) == 1
            assert describe(outcome).paragraph


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [((10.0, 10.1), (179.9, -179.9)), ((89.95, 89.95), (0.0, 180.0)), ((-90, -89.9), (5, 9))],
)
def test_antimeridian_and_poles(latitude: tuple, longitude: tuple) -> None:
    times = np.array(["2026-01-01T08:00", "2026-01-01T09:00"], "datetime64[ns]")
    track = Trajectory(np.array(latitude), np.array(longitude), times)
    outcome = evaluate(Scenario(scheme="event"), track)
    ground = distance_m(track.latitude, track.longitude, outcome.latitude, outcome.longitude)
    assert outcome.error_m == pytest.approx(ground, rel=1e-3)


def test_words_say_what_overruns_and_by_how_much() -> None:
    event = describe(evaluate(BOB.with_changes(scheme="event"), sample("bob")))
    assert any("5 times the budget" in w for w in event.warnings)
    uniform = describe(evaluate(BOB, sample("bob")))
    assert "four landmarks share 0.80 of the budget of 1" in uniform.paragraph
    assert not any("times the budget" in w for w in uniform.warnings)


def test_words_name_unbounded_growth_and_skips() -> None:
    bound = describe(evaluate(BOB.with_changes(correlation="moderate"), sample("bob")))
    assert "never more than" in bound.paragraph
    skip = describe(evaluate(BOB.with_changes(scheme="skip"), sample("bob")))
    assert any("empty area points to the very place" in w for w in skip.warnings)
    assert any(w == "The first timestamp has no release." for w in skip.warnings)
    nothing = evaluate(BOB.with_changes(scheme="skip", landmarks=tuple(range(8))), sample("bob"))
    assert "Nothing is released" in describe(nothing).paragraph


def test_every_scheme_has_a_meaning() -> None:
    assert WINDOW_SCHEMES | LANDMARK_SCHEMES | {"event", "best-plan", "planned"} <= set(SCHEMES)
    assert all(": " in text and text.endswith(".") for text in (*SCHEMES.values(), *CORRELATIONS.values()))


def test_planned_budgets_keep_the_target_at_every_timestamp() -> None:
    for correlation in ("moderate", "strong", "estimated"):
        outcome = evaluate(BOB.with_changes(scheme="planned", target=0.7, correlation=correlation), sample("bob"))
        assert outcome.total == pytest.approx(np.full(8, 0.7))
    assert "every timestamp loses 0.70" in describe(outcome).paragraph


def test_the_landmark_loss_on_bob() -> None:
    outcome = evaluate(BOB.with_changes(correlation="matrix", matrix=[[0.8, 0.2], [0.2, 0.8]]), sample("bob"))
    assert outcome.landmark[[0, 1, 5]] == pytest.approx([1.6605889385, 1.6210999970, 1.7184668244], abs=1e-9)


def test_the_adversary_who_looks_one_way_learns_less() -> None:
    both, past, future = (evaluate(BOB.with_changes(adversary=a), sample("bob")) for a in ("both", "past", "future"))
    assert np.allclose(past.total, both.backward)
    assert np.allclose(future.total, both.forward)
    assert past.supremum < both.supremum


def test_the_largest_bounded_epsilon_is_named_where_the_loss_grows() -> None:
    grows = BOB.with_changes(scheme="event", correlation="matrix", matrix=[[0.8, 0.2], [0, 1]])
    outcome = evaluate(grows, sample("bob"))
    assert outcome.supremum == float("inf")
    assert outcome.correlation.bounded_epsilon() == pytest.approx(np.log(1.25))
    assert "less than 0.223 each" in describe(outcome).paragraph


def test_release_with_given_budgets_checks_them() -> None:
    bob = sample("bob")
    rng = np.random.default_rng(1)
    how = {"mechanism": PlanarLaplace(), "rng": rng, "landmarks": [], "epsilon": 1.0}
    out = release(bob.points_m, "given", budgets=[0, 1, 0, 1, 1, 1, 1, 1], **how)
    assert np.isnan(out.outputs[0]).all() and not out.published[2]
    for bad in ([1.0] * 7, [-1.0] * 8, [np.nan] * 8, None, "ab"):
        with pytest.raises(InputError, match="Budgets"):
            release(bob.points_m, "given", budgets=bad, **how)


def test_a_chain_that_is_not_reversible_is_reversed_for_the_past() -> None:
    matrix = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]]
    outcome = evaluate(BOB.with_changes(correlation="matrix", matrix=matrix), sample("bob"))
    loss = temporal_loss(reverse(matrix), matrix, outcome.budgets)
    assert np.array_equal(outcome.backward, loss.backward)
    assert np.array_equal(outcome.forward, loss.forward)
    assert not np.allclose(outcome.backward, temporal_loss(matrix, matrix, outcome.budgets).backward)


def test_a_chain_of_many_cells_of_which_two_have_equal_rows() -> None:
    """As of a taxi: cells from which the track went once, and to the same next one, have equal rows."""
    rng, side, rare = np.random.default_rng(1), 12, 5
    cells = np.stack(np.divmod(np.arange(side**2), side), axis=1)
    apart = np.hypot(*(cells[:, None] - cells).transpose(2, 0, 1))
    moves = np.exp(-apart / 1.5) * rng.exponential(size=len(cells)) ** 2
    moves[:, -rare:] = 0
    visited = [0]
    for _ in range(4000):
        visited.append(rng.choice(len(cells), p=moves[visited[-1]] / moves[visited[-1]].sum()))
    for k in range(rare):
        visited += [len(cells) - 1 - k, 0]
    north, east = (cells[visited] + 0.5).T * 1000 / 111_195
    time = np.datetime64("2026-01-01T00:00", "ns") + np.arange(len(visited)) * np.timedelta64(60, "s")
    outcome = evaluate(
        Scenario(correlation="estimated", cell_m=1000), Trajectory(latitude=north, longitude=10 + east, time=time)
    )
    chain = outcome.correlation.matrix
    assert chain is not None and len({row.tobytes() for row in chain}) < len(chain)
    assert np.isfinite(outcome.total).all() and (outcome.total >= outcome.budgets).all()

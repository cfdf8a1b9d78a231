"""How near any mechanism could bring a reader of a track: by hand, by draws, and where nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.answers.best_possible import best_possible, best_possible_sentence
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.geo import LocalFrame
from lmdk_widgets.geoind import least_error
from lmdk_widgets.page.panel import Result
from lmdk_widgets.scenario import Outcome, Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, sample, sample_series


def two_stays() -> Trajectory:
    """An hour at one place, a quarter of an hour of way, and an hour 5 km east of it, a point every five minutes."""
    east = np.concatenate([np.zeros(12), [1500.0, 3000.0], np.full(12, 5000.0)])
    latitude, longitude = LocalFrame(48.85, 2.35).to_degrees(np.stack([east, 0 * east], axis=1))
    return Trajectory(latitude, longitude, np.datetime64("2026-02-02T08:00") + 300 * np.arange(26).astype("m8[s]"))


def read(outcome: Outcome) -> Outcome:
    """With what a reader makes of it, as on the page a moment later."""
    return outcome.improved(results={"useful": Result("", useful(outcome, 3), done=True)})


def test_two_stays_by_hand() -> None:
    track = two_stays()
    out = evaluate(Scenario(scheme="event", epsilon=0.5, radius_m=1000.0, region=(48.7, 2.2, 49.0, 2.6)), track)
    found = best_possible(out)
    assert found is not None and found.stays == 2
    spread = found.spread_m
    assert spread == pytest.approx(np.abs(track.points_m[:, 0] - np.median(track.points_m[:, 0])).mean(), rel=0.05)
    first, second = (2 / (0.5 * n / 1000 + 2 / spread) for n in (14, 12))
    assert found.least_m == pytest.approx((14 * first + 12 * second) / 26, rel=1e-6)


def test_a_whole_track_is_one_piece_and_all_of_its_budgets_count_together() -> None:
    bob = sample("bob")
    out = evaluate(Scenario(landmarks=bob.landmarks, epsilon=2.0), bob)
    found = best_possible(out)
    assert found is not None and found.stays == 0
    assert found.least_m == pytest.approx(
        2 / (out.budgets.sum() / out.scenario.radius_m + 2 / found.spread_m), rel=1e-6
    )


def test_a_scheme_that_chooses_counts_what_it_can_spend() -> None:
    bob = sample("bob")
    chosen = evaluate(Scenario(scheme="adaptive", landmarks=bob.landmarks), bob)
    found = best_possible(chosen)
    assert found is not None
    assert found.least_m < 2 / (chosen.budgets.sum() / chosen.scenario.radius_m + 2 / found.spread_m)


def test_no_reader_of_a_moved_track_is_nearer() -> None:
    """Bob's whole track moved by a vector that is drawn; the reader knows its shape and how vectors are drawn."""
    bob, rng, many = sample("bob"), np.random.default_rng(78), 300
    out = evaluate(Scenario(scheme="event", epsilon=0.3), bob)
    found = best_possible(out)
    assert found is not None
    eta, rates = 2 / found.spread_m, out.budgets / out.scenario.radius_m

    def drawn(rate: float) -> np.ndarray:
        angle, radius = rng.uniform(0, 2 * np.pi, many), rng.gamma(2, 1 / rate, many)
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)

    moved = drawn(eta)
    reports = [moved + drawn(float(rate)) for rate in rates]  # less the shape, which the reader knows
    x = np.linspace(-5, 5, 61) * found.spread_m
    places = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    logs = -eta * np.hypot(*places.T) - sum(
        float(rate) * np.hypot(*(each[:, None] - places).transpose(2, 0, 1))
        for rate, each in zip(rates, reports, strict=True)
    )
    belief = np.exp(logs - logs.max(axis=1, keepdims=True))
    off = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    error = np.hypot(*(places[(belief @ off).argmin(axis=1)] - moved).T)
    assert error.mean() + 3 * error.std() / np.sqrt(many) > found.least_m
    assert found.least_m == pytest.approx(least_error(float(rates.sum()), found.spread_m))


def test_where_nothing_is_proven_nothing_is_said() -> None:
    bob, household = sample("bob"), sample_series("household")
    cells = Scenario(mechanism="randomised", cell_m=2000.0)
    assert best_possible(evaluate(cells, bob)) is None
    numbers = evaluate(Scenario(track="household", landmarks=household.landmarks), household)
    assert best_possible(numbers) is None and best_possible_sentence(read(numbers)) == ""
    still = Trajectory([48.85] * 5, [2.35] * 5, np.datetime64("2026-02-02T08:00") + np.arange(5).astype("m8[m]"))
    assert best_possible(evaluate(Scenario(region=(48.7, 2.2, 49.0, 2.6)), still)) is None


def test_the_sentence_says_what_it_assumes() -> None:
    bob = sample("bob")
    out = evaluate(Scenario(landmarks=bob.landmarks), bob)
    assert best_possible_sentence(out) == ""
    said = best_possible_sentence(read(out))
    assert said.startswith("No mechanism with these budgets lets any reader come nearer than 208 m on average")
    assert "may know the shape of your track, but not where it lies: it may have been moved as a whole in any" in said
    assert "by 1.3 km on average, as far as your places lie from their middle." in said
    track = two_stays()
    out = evaluate(Scenario(epsilon=0.5, landmarks=(3,), region=(48.7, 2.2, 49.0, 2.6)), track)
    assert (
        "shape of each of the two parts of your track (a new part begins with every stay after the first),"
        in best_possible_sentence(read(out))
    )

"""Each number in the sentences of the track page, computed again from budgets, places and releases."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import digits, useful
from lmdk_widgets.budgets import release
from lmdk_widgets.geo import distance_m
from lmdk_widgets.geoind import smallest_epsilon
from lmdk_widgets.leakage import landmark_loss_bound, temporal_loss
from lmdk_widgets.leakage.markov import reverse
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.pages.track.chart_texts import describe_chain
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import CompareChoices, compare_schemes, comparison_table, describe_moves
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.stays import StayChoices, proposed
from lmdk_widgets.scenario import Outcome, Scenario, describe, evaluate, summarise
from lmdk_widgets.scenario.model import CORRELATIONS, SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished

BOB = Scenario(landmarks=(0, 2, 4, 7))
NUMBER = r"([\d,]+(?:\.\d+)?(?:e-?\d+)?)"
LENGTH = r"([\d,]+(?:\.\d+)? k?m)"


@cache
def bob(**changes: Any) -> Outcome:
    return evaluate(BOB.with_changes(**changes), sample("bob"))


def said(pattern: str, text: str) -> tuple[float, ...]:
    """The numbers and lengths in a sentence, lengths in metres."""
    found = re.search(pattern, text)
    assert found, (pattern, text)
    values = []
    for group in found.groups():
        number, _, unit = group.replace(",", "").partition(" ")
        values.append(float(number) * {"": 1.0, "m": 1.0, "km": 1000.0}[unit])
    return tuple(values)


def lengths(*values: float) -> Any:
    """As lengths are written: to the metre, or from a kilometre on to a tenth of one."""
    return tuple(pytest.approx(v, abs=0.51 if v < 999.5 else 51) for v in values)


def amounts(*values: float) -> Any:
    return tuple(pytest.approx(v, abs=0.0051) for v in values)


# -- errors ------------------------------------------------------------------------------------------------------------


def errors_of(outcome: Outcome, draws: int) -> np.ndarray:
    """(draws, n) errors of successive releases of Bob's track with the seed, one by one."""
    scenario, track, rng = outcome.scenario, outcome.trajectory, np.random.default_rng(outcome.scenario.seed)
    found = []
    for _ in range(draws):
        out = release(track.points_m, scenario.scheme, scenario.landmarks, scenario.epsilon, PlanarLaplace(), rng=rng)
        found.append(distance_m(*track.frame.to_degrees(out.outputs), track.latitude, track.longitude))
    return np.array(found)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("scheme", ["event", "uniform", "weighted", "adaptive"])
def test_the_errors_that_are_said(scheme: str, average: bool) -> None:
    outcome = bob(scheme=scheme, average=average, seed=7)
    errors = errors_of(outcome, 100 if average else 1)
    shown = errors.mean(axis=0)
    assert outcome.error_m == pytest.approx(shown, rel=1e-3)
    if average:
        band = np.sort(errors, axis=0)
        assert outcome.error_low_m == pytest.approx(band[4] + 0.95 * (band[5] - band[4]), rel=1e-3)
        assert outcome.error_high_m == pytest.approx(band[94] + 0.05 * (band[95] - band[94]), rel=1e-3)
    event, user = 2 * 200.0 / 1.0, 2 * 200.0 * 8 / 1.0
    ordered = np.sort(shown)
    half, mean = (ordered[3] + ordered[4]) / 2, shown.sum() / 8
    text = describe(outcome).paragraph
    pattern = rf"{LENGTH} or more from the truth \(mean {LENGTH}; expected: event level {LENGTH}, user level {LENGTH}\)"
    assert said(pattern, text) == lengths(half, mean, event, user)
    assert ("Over 100 draws" in text, "At least half of your reported points are" in text) == (average, not average)
    pattern = (
        rf"mean {LENGTH}, at least half within {LENGTH}; expected {LENGTH} at event level and {LENGTH} at user level"
    )
    assert said(pattern, summarise(outcome)) == lengths(mean, half, event, user)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_what_is_said_of_half_of_the_points_is_true_of_odd_numbers_too(n: int) -> None:
    track = sample("bob")
    some = Trajectory(track.latitude[:n], track.longitude[:n], track.time[:n])
    for seed in range(6):
        out = evaluate(Scenario(track="", scheme="event", seed=seed), some)
        text = describe(out).paragraph
        (half,) = said(rf"{LENGTH} or more from the truth", text)
        assert half == pytest.approx(out.median_error_m, rel=0.05)
        assert 2 * int((out.error_m >= out.median_error_m * (1 - 1e-12)).sum()) >= n
        assert ("At least half of your reported points are" in text) == (n > 1)
        assert ("Your one reported point is" in text) == (n == 1)


@pytest.mark.parametrize(("name", "times"), [("weak", "twice"), ("moderate", "11 times"), ("strong", "101 times")])
@pytest.mark.parametrize("states", [2, 5, 40, 200])
def test_a_named_correlation_is_as_strong_as_it_says_over_any_number_of_places(
    name: str, times: str, states: int
) -> None:
    matrix = bob(correlation=name, states=states).correlation.matrix
    assert matrix is not None
    ratio = matrix[0, 0] / matrix[0, 1]
    assert ratio == pytest.approx({"weak": 2, "moderate": 11, "strong": 101}[name])
    assert CORRELATIONS[name].endswith(f"staying is {times} as likely as any one move.")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_budgets_that_follow_the_track_are_said_to_count_as_if_they_were_fixed(scheme: str) -> None:
    assert ("as if they had been fixed beforehand" in describe(bob(scheme=scheme)).assumption) == (
        scheme in ("adaptive", "budget-distribution", "budget-absorption", "predictive")
    )


def test_noise_larger_than_the_earth_is_said_to_be() -> None:
    warned = [any("larger than the Earth" in w for w in describe(bob(epsilon=e)).warnings) for e in (1e-5, 1e-3, 1.0)]
    assert warned == [True, False, False]  # Uniform: 2 r 5 / epsilon metres on average, half of the way around is 2e7


def test_a_wide_track_is_stretched_by_as_much_as_is_said() -> None:
    degrees = np.array([-60.0, 0.0, 60.0, -55.0])
    time = np.datetime64("2026-01-01T00:00", "ns") + np.arange(4) * np.timedelta64(600, "s")
    track = Trajectory(np.zeros(4), degrees, time)
    outcome = evaluate(Scenario(track="", scheme="event"), track)
    away = np.radians(np.abs(degrees - track.frame.longitude).max())
    (percent,) = said(rf"stretches distances by up to {NUMBER} %", " ".join(describe(outcome).warnings))
    assert 0 <= percent - 100 * (away / np.sin(away) - 1) < 1 + 1e-6


# -- budgets -----------------------------------------------------------------------------------------------------------


def test_what_landmarks_share_and_another_timestamp_adds() -> None:
    uniform = rf"share {NUMBER} of the budget of {NUMBER}, {NUMBER} each; any one other timestamp adds {NUMBER}\."
    assert said(uniform, describe(bob()).paragraph) == amounts(4 / 5, 1, 1 / 5, 1 / 5)
    regular = 2.0  # the square root of four regular timestamps
    text = describe(bob(scheme="weighted")).paragraph
    assert said(uniform, text) == amounts(4 / (4 + regular), 1, 1 / (4 + regular), regular / (4 + regular))
    assert said(rf"landmarks get {NUMBER} times the noise of Uniform", text) == amounts((1 / 5) * (4 + regular))


@pytest.mark.parametrize("scheme", ["event", "planned"])
def test_what_landmarks_spend_together(scheme: str) -> None:
    outcome = bob(scheme=scheme, epsilon=2.0, target=1.5, correlation="none")
    each = 2.0 if scheme == "event" else 1.5
    words = describe(outcome)
    assert said(rf"Your four landmarks spend {NUMBER} together", words.paragraph) == amounts(4 * each)
    assert said(rf"they spend up to {NUMBER}, {NUMBER} times", " ".join(words.warnings)) == amounts(5 * each, 5)


def test_a_plan_says_its_first_its_last_and_its_other_budgets() -> None:
    one_way = {"correlation": "matrix", "matrix": ((0.8, 0.2), (0.3, 0.7)), "adversary": "past"}
    for adversary in ("past", "future"):
        outcome = bob(scheme="planned", **one_way | {"adversary": adversary})
        text = describe(outcome).paragraph
        first, last, between = said(rf": {NUMBER} at the first, {NUMBER} at the last, {NUMBER} between\.", text)
        # all of the loss for whom there is no other side; in between what is carried over is taken off
        whole, part = (first, last) if adversary == "past" else (last, first)
        assert whole == pytest.approx(1, abs=0.006) and part == between < 0.9
        assert outcome.total == pytest.approx(np.ones(8))
        assert f"reasons from the {adversary}, if all places were within 200 m, between two cells, " in text
        other = {"past": "future", "future": "past"}[adversary]
        assert f"does not cover someone who also reasons from the {other}." in text


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
def test_how_many_timestamps_were_measured(scheme: str) -> None:
    for seed in range(8):
        outcome = bob(scheme=scheme, seed=seed, window=3)
        new = 1 + sum(
            outcome.latitude[t] != outcome.latitude[t - 1] or outcome.longitude[t] != outcome.longitude[t - 1]
            for t in range(1, 8)
        )
        assert said(rf"{NUMBER} of {NUMBER} timestamps were measured", describe(outcome).paragraph) == (new, 8)


@pytest.mark.parametrize("scheme", ["budget-distribution", "budget-absorption"])
def test_comparing_makes_no_noise_smaller(scheme: str) -> None:
    outcome = bob(scheme=scheme, window=3, seed=2)
    noise = outcome.budgets - 1 / (2 * 3)  # what is spent on comparing, at each timestamp
    new = outcome.published
    assert outcome.radius95_m[new] == pytest.approx(4.7438645184 * 200 / noise[new])
    assert np.isnan(outcome.radius95_m[~new]).all()


# -- correlation -------------------------------------------------------------------------------------------------------


def test_no_limit_in_the_paragraph_is_below_what_it_limits() -> None:
    for epsilon in np.linspace(0.2, 2.0, 37):
        outcome = bob(epsilon=float(epsilon))
        learned, never = said(rf"learns up to {NUMBER} .* never more than {NUMBER}", describe(outcome).paragraph)
        for limit, truth in ((learned, outcome.total.max()), (never, outcome.supremum)):
            assert truth * (1 - 1e-9) <= limit <= truth + 0.0101


LARGEST = {"event": 1, "user": 1 / 8, "window": 1 / 3, "uniform": 1 / 5, "weighted": 1, "skip": 1, "adaptive": 1}
LARGEST |= {"budget-distribution": 1 / 4 + 1 / 6, "budget-absorption": 1 / 2 + 1 / 6}


@pytest.mark.parametrize("scheme", list(LARGEST))
def test_the_supremum_is_where_the_largest_budget_leads_at_every_timestamp(scheme: str) -> None:
    matrix = ((0.8, 0.15, 0.05), (0.1, 0.7, 0.2), (0.3, 0.1, 0.6))
    outcome = bob(scheme=scheme, window=3, correlation="matrix", matrix=matrix)
    long = temporal_loss(reverse(matrix), matrix, np.full(2000, LARGEST[scheme])).total.max()
    assert outcome.supremum == pytest.approx(long, rel=1e-9)
    if scheme != "user":  # which spends less on a longer track
        learned, never = said(rf"learns up to {NUMBER} .* never more than {NUMBER}", describe(outcome).paragraph)
        assert outcome.total.max() * (1 - 1e-9) <= learned <= outcome.total.max() + 0.0101
        assert long * (1 - 1e-9) <= never <= long + 0.0101


def test_the_loss_of_a_window_and_of_landmarks_against_any_start() -> None:
    matrix = ((0.8, 0.15, 0.05), (0.1, 0.7, 0.2), (0.3, 0.1, 0.6))
    outcome = bob(scheme="window", window=3, correlation="matrix", matrix=matrix)
    spent, both = outcome.budgets, temporal_loss(reverse(matrix), matrix, outcome.budgets)
    three = [both.backward[t - 2] + spent[t - 1] + both.forward[t] for t in range(2, 8)]
    assert outcome.window_loss[2:] == pytest.approx(three)
    (lost,) = said(rf"in a row lose at most {NUMBER} together", describe(outcome).paragraph)
    assert max(three) * (1 - 1e-9) <= lost <= max(three) + 0.0101
    for adversary, start in (("any", "any"), ("both", "stationary")):
        outcome = bob(correlation="matrix", matrix=matrix, adversary=adversary, landmarks=(3, 5), landmark_loss=True)
        bound = landmark_loss_bound(matrix, outcome.budgets, (3, 5), start=start)
        assert outcome.landmark_bound == pytest.approx(bound)
        (lost,) = said(rf"lose at most {NUMBER} \(a proven bound\)", describe(outcome).paragraph)
        assert bound.max() * (1 - 1e-9) <= lost <= bound.max() + 0.0101
    any_start = landmark_loss_bound(matrix, outcome.budgets, (3, 5), start="any")
    assert (outcome.landmark_bound[4:] < any_start[4:] - 0.01).all()


def test_what_windows_spend_and_the_two_sides_of_the_loss() -> None:
    matrix = ((0.8, 0.15, 0.05), (0.1, 0.7, 0.2), (0.3, 0.1, 0.6))
    differences = []
    for seed in range(4):
        outcome = bob(scheme="budget-distribution", window=3, correlation="matrix", matrix=matrix, seed=seed)
        spent = max(outcome.budgets[max(t - 2, 0) : t + 1].sum() for t in range(8))
        here = rf"three timestamps in a row spend up to {NUMBER} in this draw, and at most {NUMBER} in any draw\."
        most, ever = said(here, describe(outcome).paragraph)
        assert spent * (1 - 1e-9) <= most <= spent + 0.0101 and ever == 1
        both = temporal_loss(reverse(matrix), matrix, outcome.budgets)
        sides = said(rf"backward up to {NUMBER}, forward up to {NUMBER}, total", summarise(outcome))
        for side, truth in zip(sides, (both.backward.max(), both.forward.max()), strict=True):
            assert truth * (1 - 1e-9) <= side <= truth + 0.0101
        differences.append(abs(both.backward.max() - both.forward.max()))
    assert max(differences) > 0.0202  # more than rounding hides


@pytest.mark.parametrize("adversary", ["both", "past", "future", "any"])
def test_a_correlation_that_tells_more_than_the_budgets_is_warned_of(adversary: str) -> None:
    """Anyone who reasons one way learns of one timestamp no more than its budget; the others lose more."""
    warned = "holds if moments are independent. Someone who assumes this chain may learn more"
    assert any(warned in w for w in describe(bob(adversary=adversary)).warnings)
    equal = {"correlation": "matrix", "matrix": ((0.5, 0.5), (0.5, 0.5))}
    assert not any(warned in w for w in describe(bob(adversary=adversary, **equal)).warnings)
    assert not any(warned in w for w in describe(bob(correlation="none", adversary=adversary)).warnings)


def test_the_adversary_is_named_who_reasons_so() -> None:
    for adversary, text in (
        ("past", "reasons from the past, the place"),
        ("future", "reasons from the future, the place"),
    ):
        assert text in describe(bob(adversary=adversary)).paragraph


def test_the_chain_is_where_it_is_said_to_be() -> None:
    outcome = bob(correlation="matrix", matrix=((0.9, 0.1), (0.4, 0.6)))  # long run 0.8 and 0.2
    text = describe_chain(outcome)
    assert said(
        rf"stays with probability {NUMBER} to {NUMBER}; in the long run it spends {NUMBER} % of the time", text
    ) == (
        0.6,
        0.9,
        80,
    )


# -- side by side ------------------------------------------------------------------------------------------------------


@cache
def compared(mechanism: str = "planar") -> Outcome:
    scenario = bob(mechanism=mechanism, cells="track", place_m=2000.0).scenario
    return finished(TrackChoices(scenario, compare=CompareChoices(open=True)), sample("bob"))


@pytest.mark.usefixtures("few_draws")
def test_the_table_of_schemes_holds_the_numbers_of_each_scheme() -> None:
    rows = comparison_table(compared()).texts()
    for scheme, row in zip(SCHEMES, rows, strict=True):
        outcome = bob(scheme=scheme)
        assert row[0] == SCHEMES[scheme].split(":")[0] and float(row[1]) >= outcome.total.max()  # pair by pair
        total, ever = said(rf"^{NUMBER}, never above {NUMBER}$", row[2])
        assert total == amounts(outcome.total.max())[0]
        assert outcome.supremum * (1 - 1e-9) <= ever <= outcome.supremum + 0.0101
        most, count = said(rf"≤ {NUMBER} \(count {NUMBER}\)", row[3])
        limit = landmark_loss_bound(outcome.correlation.matrix, outcome.budgets, BOB.landmarks).max()
        assert limit * (1 - 1e-9) <= most <= limit + 0.0101 and count == amounts(outcome.landmark.max())[0]
        known = outcome.error_m[np.isfinite(outcome.error_m)]
        assert said(f"^{LENGTH}$", row[6]) == lengths(digits(known.sum() / len(known), 2)), "one draw has two digits"
        assert said(f"^{LENGTH}, shows ", row[4]) == lengths(useful(outcome).worth.shown)


@pytest.mark.long
def test_a_scheme_that_cannot_report_cells_says_by_what_it_was_computed() -> None:
    rows = {scheme: row[6] for scheme, row in zip(SCHEMES, comparison_table(compared("optimal")).texts(), strict=True)}
    assert "(" not in rows["uniform"] + rows["event"]
    assert all(rows[name].endswith(" (Planar Laplace)") for name in ("adaptive", "budget-distribution"))
    found = {row.scheme: row.mechanism for row in compare_schemes(bob(mechanism="optimal").scenario, sample("bob"))}
    assert {name for name, by in found.items() if by == "planar"} == {n for n, text in rows.items() if "(" in text}


def test_the_moves_of_a_landmark_are_the_best_and_the_worst() -> None:
    outcome = compared()
    moved = outcome.found("compare").moved
    losses = sorted(move.landmark_loss for move in moved)
    now, best, worst = said(
        rf"lose {NUMBER} together .* Moving a landmark from .*? it(?: at)? {NUMBER}; moving one .* it(?: at)? {NUMBER}",
        describe_moves(outcome, moved, sample("bob").labels),
    )
    assert (now, best, worst) == amounts(outcome.landmark.max(), losses[0], losses[-1])


# -- cells -------------------------------------------------------------------------------------------------------------


def test_reports_of_cells_tell_and_save_what_is_said() -> None:
    outcome = bob(scheme="weighted", mechanism="remapped", cells="track", place_m=2000.0)
    reports, words = outcome.reports, describe(outcome)
    assert reports is not None and len(reports.channels) == 2  # two budgets, with a channel each
    points, track = reports.outputs, sample("bob").points_m
    assert np.hypot(*(points - track).T) == pytest.approx(outcome.error_m, rel=1e-3)
    expected, planar = reports.expected_m.sum() / 8, (400.0 / outcome.budgets).sum() / 8
    mean, saving = said(
        rf"expected {LENGTH} from the truth where it measures: {LENGTH} less than planar", words.paragraph
    )
    assert (mean, saving) == lengths(expected, planar - expected)
    centres = np.unique(np.floor(track / 2000.0), axis=0)
    apart = 2000.0 * np.hypot(*np.moveaxis(centres[:, None] - centres, -1, 0))
    shares = [smallest_epsilon(c.matrix, apart) * 200.0 / budget for budget, c in reports.channels.items()]
    (most,) = said(rf"no report reveals more than {NUMBER} % of its budget", words.assumption)
    assert 100 * max(shares) * (1 - 1e-6) <= most <= 100 * max(shares) + 1
    assert min(shares) < max(shares) - 0.03
    assert said(rf"between two neighbouring cells, .* at most e\^\({NUMBER} b\)", words.assumption) == (2000 / 200,)


@pytest.mark.parametrize("epsilon", [0.3, 0.6, 1.0, 2.0])
def test_the_radius_of_a_report_holds_95_percent_and_no_shorter_one_does(epsilon: float) -> None:
    outcome = bob(mechanism="remapped", cells="track", place_m=2000.0, epsilon=epsilon)
    reports, track = outcome.reports, sample("bob")
    assert reports is not None
    ((_, channel),) = reports.channels.items()
    squares = np.unique(np.floor(track.points_m / 2000.0), axis=0)
    for t, place in enumerate(track.points_m):
        row = channel.matrix[(squares == np.floor(place / 2000.0)).all(axis=1).argmax()]
        away = np.hypot(*((squares + 0.5) * 2000.0 - place).T)
        assert row[away <= reports.radius95_m[t] + 1e-6].sum() >= 0.95 * (1 - 1e-9)
        assert row[away < reports.radius95_m[t] - 1e-6].sum() < 0.95


def test_how_near_to_the_best_is_said_of_the_worst_channel() -> None:
    outcome = bob(scheme="weighted", mechanism="spanner", cells="track", place_m=2000.0)
    reports = outcome.reports
    assert reports is not None and len(reports.channels) == 2
    for gaps in ((0.0004, 0.023), (0.023, 0.0004)):
        channels = {b: replace(c, gap=gap) for (b, c), gap in zip(reports.channels.items(), gaps, strict=True)}
        words = describe(replace(outcome, reports=replace(reports, channels=channels)))
        assert said(rf"lower the expected error by more than {NUMBER} % of", words.assumption) == (2.3,)


# -- stays -------------------------------------------------------------------------------------------------------------


def test_stays_last_for_as_long_as_was_chosen_and_are_marked_whole() -> None:
    track = sample("commuter")
    session = TrackSession(track, TrackChoices(Scenario(track="commuter"), stays=StayChoices(True, 150.0, 45.0)))
    stays = session.outcome.found("stays")
    assert stays
    for stay in stays:
        assert (track.time[stay.last] - track.time[stay.first]) / np.timedelta64(1, "m") >= 45
        whole = proposed(session.choices, session.outcome).whole
        assert {stay.first, stay.timestamp, stay.last} <= set(whole)
    session.apply([{"op": "set", "name": "stays.at_least_minutes", "value": 5.0}], commit=True)
    assert len(session.outcome.found("stays")) > len(stays)

"""Budgets by hand on the track page: what they begin with, how they are set, whether they fit, and where they travel."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.index_runs import expanded
from lmdk_widgets.page.link import MAX_CHARACTERS
from lmdk_widgets.pages.track.by_hand import describe_by_hand
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import compare_schemes
from lmdk_widgets.pages.track.files import choices_from_json, choices_json
from lmdk_widgets.pages.track.inverse import InverseChoices, inverse_rows
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.side_by_side import what_differs
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.pages.track.trade_off import TradeOffChoices, now, trade_off
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished

BOB = Scenario(landmarks=(0, 2, 4, 7), scheme="given")


def by_hand(landmarks: float, others: float, **more: Any) -> Scenario:
    return BOB.with_changes(budgets=[landmarks if i in BOB.landmarks else others for i in range(8)], **more)


def session(track: str = "bob") -> TrackSession:
    return TrackSession(sample(track))


def do(page: TrackSession, *operations: dict[str, Any], commit: bool = True) -> None:
    page.apply(operations, commit=commit)


def choose(scheme: str) -> dict[str, Any]:
    return {"op": "set", "name": "scheme", "value": scheme}


def test_the_remark_of_an_eighth_and_four_eighths() -> None:
    outcome = evaluate(by_hand(1 / 8, 4 / 8), sample("bob"))
    assert outcome.landmark_share == 0.5 and outcome.totals.max() == 1 and outcome.overrun == 1
    told = describe_by_hand(outcome)
    assert (told["over"], told["fit"], told["raise"]) == (False, "", None)
    assert (told["landmarks"], told["others"]) == ({"any": True, "budget": 0.125}, {"any": True, "budget": 0.5})


def test_a_quarter_and_a_fifth_are_told_apart_from_what_fits() -> None:
    outcome = evaluate(by_hand(1 / 4, 1 / 5), sample("bob"))
    told, words = describe_by_hand(outcome), describe(outcome)
    assert outcome.totals.max() == 1.2 and told["over"]
    assert (told["fit"], told["raise"]) == ("Fit: times 0.8333", 1.2)
    assert told["text"] in words.paragraph and "not landmark private" in told["text"]
    assert "up to 1.20, above the budget of 1; times 0.8333 they fit" in told["text"]
    assert any("does not protect your landmarks together" in warning for warning in words.warnings)


def test_fit_uses_all_of_epsilon_whether_the_budgets_are_too_large_or_too_small() -> None:
    for scenario in (by_hand(1 / 4, 1 / 5), by_hand(0.01, 0.03), by_hand(0, 3)):
        page = TrackSession(sample("bob"), scenario)
        before = page.outcome.budgets
        do(page, {"op": "fit"})
        after = page.outcome.budgets
        assert 1 - 1e-12 <= page.outcome.totals.max() <= 1
        measured = before > 0
        assert np.ptp(after[measured] / before[measured]) < 1e-12 and not after[~measured].any()
        assert "leave nothing" in describe_by_hand(page.outcome)["text"]
        do(page, {"op": "undo"})
        assert page.scenario == scenario


@pytest.mark.parametrize("landmarks, others", [(1 / 4, 1 / 5), (1 / 3, 1 / 7), (2 / 3, 0)])
def test_raised_epsilon_fits(landmarks: float, others: float) -> None:
    page = TrackSession(sample("bob"), by_hand(landmarks, others))
    do(page, {"op": "set", "name": "epsilon", "value": describe_by_hand(page.outcome)["raise"]})
    assert not describe_by_hand(page.outcome)["over"] and page.outcome.budgets[0] == landmarks
    assert page.choices.scenario.epsilon <= page.outcome.totals.max() * 1.001


@pytest.mark.parametrize("scheme", SCHEMES)
def test_they_begin_with_those_of_the_scheme_before(scheme: str) -> None:
    page = session()
    do(page, choose(scheme))
    known = scheme not in ("adaptive", "budget-distribution", "budget-absorption", "predictive")
    expected = page.outcome.budgets if known else evaluate(BOB.with_changes(scheme="uniform"), sample("bob")).budgets
    do(page, choose("given"))
    np.testing.assert_array_equal(page.outcome.budgets, expected)
    before = page.outcome.budgets
    do(page, {"op": "toggle", "index": 1})
    np.testing.assert_array_equal(page.outcome.budgets, before)  # a landmark more changes sums, no budget
    do(page, choose("uniform"))
    assert page.choices.scenario.budgets == ()


def test_one_all_landmarks_all_others() -> None:
    page = session()
    do(page, choose("given"))
    do(page, {"op": "budget", "of": "landmarks", "value": 0.125}, {"op": "budget", "of": "others", "value": 0.5})
    assert page.scenario == by_hand(0.125, 0.5)
    do(page, {"op": "budget", "index": 3, "value": 0})
    assert page.outcome.budgets[3] == 0 and not page.outcome.published[3]
    assert page.outcome.latitude[3] == page.outcome.latitude[2]
    assert describe_by_hand(page.outcome)["others"] == {"any": True, "budget": None}


def test_a_drag_is_one_step() -> None:
    page = session()
    do(page, choose("given"))
    first = page.choices
    for value in (0.21, 0.3, 0.35):
        do(page, {"op": "budget", "index": 1, "value": value}, commit=False)
    do(page, {"op": "budget", "index": 1, "value": 0.4})
    assert page.outcome.budgets[1] == 0.4
    do(page, {"op": "undo"})
    assert page.choices == first


@pytest.mark.parametrize(
    "operation, said",
    [
        ({"op": "budget", "index": 8, "value": 1}, "The timestamp must be a whole number between 1 and 8; got 9"),
        ({"op": "budget", "index": 0, "value": -3}, "must be between 0 and 1,000,000; got -3"),
        ({"op": "budget", "index": 0, "value": "1,000"}, "must be a number such as 1000"),
        ({"op": "budget", "index": 0, "value": None}, "must be between 0 and 1,000,000"),
        ({"op": "budget", "of": "both", "value": 1}, 'must be "landmarks" or "others"'),
        ({"op": "scale", "factor": -1}, "must be a finite number above 0; got -1"),
        ({"op": "scale", "factor": 1e9}, "Each of the budgets must be between 0 and 1,000,000"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(operation: dict[str, Any], said: str) -> None:
    page = TrackSession(sample("bob"), by_hand(0.125, 0.5))
    with pytest.raises(InputError, match=said):
        do(page, operation)
    assert page.scenario == by_hand(0.125, 0.5)


def test_nothing_to_scale() -> None:
    page = TrackSession(sample("bob"), by_hand(0, 0))
    told, words = describe_by_hand(page.outcome), describe(page.outcome)
    assert (told["text"], told["fit"], told["raise"]) == ("Every budget is 0.", "", None)
    assert "no timestamp has a budget" in words.paragraph
    with pytest.raises(InputError, match="must not all be 0"):
        do(page, {"op": "fit"})


def test_budgets_that_do_not_fit_leave_the_page_as_settings_and_not_as_a_release() -> None:
    page = TrackSession(sample("bob"), by_hand(1 / 4, 1 / 5))
    for what in ("csv", "table", "geojson", "html"):
        with pytest.raises(InputError, match=r"must add up to at most 1; got 1\.2\. Times 0\.8333 they fit"):
            page.save(what)
    assert choices_from_json(page.save("scenario").data.decode()) == page.choices
    do(page, {"op": "fit"})
    assert page.save("csv").name.endswith("_bob_by-hand_epsilon-1.csv")


# -- where they travel ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def taxi() -> TrackSession:
    page = session("taxi")
    do(page, choose("given"))
    do(page, {"op": "budget", "of": "landmarks", "value": 0.01}, {"op": "budget", "of": "others", "value": 0.4})
    do(page, {"op": "budget", "index": 4_999, "value": 0.3}, {"op": "fit"})
    return page


def test_a_link_of_ten_thousand_holds_runs(taxi: TrackSession) -> None:
    assert len(taxi.data) == 10_000 and len(taxi.choices.scenario.budgets) < 40
    assert not taxi.link.too_long and len(taxi.link.query) < 500
    other = TrackSession()
    other.open_link(taxi.link.query)
    assert other.choices == taxi.choices
    np.testing.assert_array_equal(other.outcome.budgets, taxi.outcome.budgets)


def test_a_file_of_ten_thousand_holds_runs(taxi: TrackSession) -> None:
    text = choices_json(taxi.choices)
    assert len(text) < 5_000 and choices_from_json(text) == taxi.choices


def test_undo_of_ten_thousand(taxi: TrackSession) -> None:
    before = taxi.choices
    do(taxi, {"op": "budget", "index": 0, "value": 0.123})
    assert taxi.outcome.budgets[0] == 0.123
    do(taxi, {"op": "undo"})
    assert taxi.choices == before
    do(taxi, {"op": "redo"}, {"op": "undo"})
    assert taxi.choices == before


def test_as_many_kinds_as_timestamps_are_too_long_for_a_link_and_the_page_says_so() -> None:
    page = session("taxi")
    budgets = np.linspace(0.001, 0.01, 10_000)
    page.show_choices(page.choices.with_changes(scheme="given", budgets=budgets))
    assert page.link.too_long == ("your budgets",) and len(page.link.query) < MAX_CHARACTERS
    other = TrackSession()
    other.open_link(page.link.query)
    assert other.choices.scenario.scheme == "uniform"


def test_the_copied_program_makes_the_same_budgets(taxi: TrackSession) -> None:
    for page in (taxi, TrackSession(sample("bob"), by_hand(0.1, 0.3, epsilon=0.7))):
        program = python_snippet(page.scenario)
        assert max(map(len, program.splitlines())) <= 120
        names: dict[str, Any] = {}
        exec(compile(ast.parse(program), "program", "exec"), names)
        np.testing.assert_array_equal(names["outcome"].budgets, page.outcome.budgets)
        np.testing.assert_array_equal(names["outcome"].latitude, page.outcome.latitude)


def own_track() -> Trajectory:
    bob = sample("bob")
    return Trajectory(bob.latitude, bob.longitude, bob.time, landmarks=bob.landmarks, name="mine")


def test_a_link_of_ones_own_track_tells_no_budget() -> None:
    page = TrackSession(own_track())
    do(page, choose("given"), {"op": "budget", "of": "landmarks", "value": 0.05}, {"op": "pin"})
    assert "your budgets" in page.left_out() or "your track and its landmarks" in page.left_out()
    page.keep()
    assert page.left_out() == ("your budgets",)
    assert "budgets" not in page.link.query and "given" in page.link.query
    assert expanded(page.outcome.found("side_by_side").scenario.budgets)[0] == 0.05
    other = TrackSession()
    other.open_link(page.link.query)
    uniform = evaluate(BOB.with_changes(scheme="uniform"), sample("bob")).budgets
    np.testing.assert_array_equal(other.outcome.budgets, uniform)


def test_another_track_begins_anew() -> None:
    page = TrackSession(sample("bob"), by_hand(0.125, 0.5))
    do(page, {"op": "set", "name": "track", "value": "commuter"})
    assert len(page.outcome.budgets) == len(sample("commuter")) and page.outcome.overrun == pytest.approx(1)
    with pytest.raises(InputError, match=r"must be one budget for each timestamp, 8; got 3"):
        evaluate(BOB.with_changes(budgets=[1, 1, 1]), sample("bob"))


def test_a_pinned_option_by_hand_is_kept() -> None:
    page = TrackSession(sample("bob"), by_hand(0.125, 0.5))
    do(page, {"op": "pin"}, {"op": "budget", "index": 1, "value": 0.25})
    assert page.outcome.found("side_by_side").budgets[1] == 0.5
    told = what_differs(page.outcome)
    assert "Budgets 0.125 to 0.5, 0.3125 on average → 0.125 to 0.5, 0.28125 on average" in told
    other = TrackSession()
    other.open_link(page.link.query)
    assert other.choices == page.choices


# -- beside the schemes --------------------------------------------------------------------------------------------------


def test_they_are_compared_with_every_scheme() -> None:
    rows = list(compare_schemes(by_hand(1 / 8, 4 / 8), sample("bob")))
    assert [row.scheme for row in rows] == [*SCHEMES, "given"]
    outcome = evaluate(by_hand(1 / 8, 4 / 8), sample("bob"))
    assert (rows[-1]["largest_total_loss"], rows[-1]["mean_error_m"]) == (outcome.total.max(), outcome.mean_error_m)


@pytest.mark.long
@pytest.mark.usefixtures("no_reader")
def test_the_curves_are_those_of_the_schemes_and_do_not_wait_for_a_bar() -> None:
    scenario = by_hand(1 / 8, 4 / 8)
    lines = list(trade_off(scenario, sample("bob")))
    assert [line.scheme for line in lines] == list(SCHEMES)
    asked = TradeOffChoices(open=True, error="mean")
    pages = [TrackSession(sample("bob"), TrackChoices(x, trade_off=asked)) for x in (scenario, by_hand(1 / 8, 0.3))]
    one, other = (page.outcome for page in pages)
    assert pages[0].task(one) == pages[1].task(other)
    assert now(asked, one) == pytest.approx((1.0, (8 * 400 + 2 * 400) / 2))  # 3.2 km at landmarks, 800 m elsewhere
    assert now(asked, other)[0] == pytest.approx(0.8)


@pytest.mark.parametrize("correlation", ["none", "moderate"])
def test_the_inverse_question_is_answered_by_a_factor(correlation: str) -> None:
    scenario, asked = by_hand(0.2, 0.2, correlation=correlation), InverseChoices(open=True, error_m=500.0)
    last = finished(TrackChoices(scenario, inverse=asked), sample("bob"))
    error, _, loss = inverse_rows(asked, last)
    assert (
        error["set"] == ["factor", 4.4] and "a mean error of at most 500 m needs 4 times these budgets" in error["text"]
    )
    assert "off by at most 500 m with 4.4 times these budgets under By hand, and by more with 4.3" in error["text"]
    page = TrackSession(sample("bob"), scenario)
    do(page, {"op": "scale", "factor": loss["set"][1]})
    assert 0.999 <= page.outcome.landmark_bound.max() <= 1
    if correlation == "none":
        assert loss["set"] == ["factor", 1.0]


@pytest.mark.long
def test_a_factor_is_searched_where_a_budget_is_0() -> None:
    asked = InverseChoices(open=True, error_m=400.0)
    last = finished(TrackChoices(by_hand(0, 0.5), inverse=asked), sample("bob"))
    error = inverse_rows(asked, last)[0]
    assert "found by search, as the mean of 20 releases" in error["text"] and error["set"] is None
    assert error["text"].startswith("A careful reader is off by more than 400 m under By hand with every factor tried")
    scaled = by_hand(0, 0.5 * last.found("inverse").error_epsilon)
    assert 399 < float(np.nanmean(drawn_errors(scaled, sample("bob"), 20))) <= 400
    last = finished(TrackChoices(by_hand(0, 0), inverse=asked), sample("bob"))
    assert [row["set"] for row in inverse_rows(asked, last)] == [None] * 3


def test_the_supremum_is_that_of_the_largest_budget() -> None:
    outcome = evaluate(by_hand(1 / 8, 4 / 8), sample("bob"))
    event = evaluate(BOB.with_changes(scheme="event", epsilon=0.5), sample("bob"))
    assert outcome.supremum == event.supremum and math.isfinite(outcome.supremum)


def test_weighted_says_that_landmarks_get_more_noise() -> None:
    outcome = evaluate(BOB.with_changes(scheme="weighted"), sample("bob"))
    assert "landmarks get 1.20 times the noise of Uniform" in describe(outcome).paragraph
    assert "the least expected error" in describe(outcome).paragraph

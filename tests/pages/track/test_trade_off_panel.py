"""The trade-off curves and the inverse questions, against formulas, many draws and trying every answer."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import landmark_loss, landmark_loss_bound
from lmdk_widgets.page.amounts import outward
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.inverse import (
    InverseChoices,
    ReadEpsilon,
    affordable_landmarks,
    epsilon_read,
    inverse_answers,
    inverse_rows,
)
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.trade_off import EPSILONS, TradeOffChoices, read_lines, trade_off, trade_off_figure
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.sweep.rows import DRAWS, expected_error_m
from lmdk_widgets.trajectory import sample

BOB = Scenario(landmarks=(0, 2, 4, 7), correlation="none")
C = ((0.8, 0.2), (0.2, 0.8))


def answered(outcome: Any, found: Any) -> Any:
    return outcome.improved(results={"inverse": Result("asked", found, done=True)})


@pytest.fixture(scope="module")
def lines():
    return {line.scheme: line for line in trade_off(BOB, sample("bob"))}


@pytest.mark.long
def test_bobs_errors_follow_the_formulas(lines) -> None:
    for k, epsilon in enumerate(EPSILONS):
        found = {scheme: lines[scheme]["error_m"][k] * epsilon for scheme in ("event", "window", "uniform", "user")}
        assert found == pytest.approx({"event": 400, "window": 1200, "uniform": 2000, "user": 3200})
        assert lines["weighted"]["error_m"][k] * epsilon == pytest.approx(1800)
        assert lines["uniform"]["radius95_m"][k] * epsilon == pytest.approx(4.7438645184 * 200 * 5)


def test_every_scheme_has_a_line_and_says_whether_it_is_exact(lines) -> None:
    assert list(lines) == list(SCHEMES)
    drawn = {scheme for scheme, line in lines.items() if not line.exact}
    assert drawn == {"skip", "adaptive", "budget-distribution", "budget-absorption", "predictive"}
    for line in lines.values():
        assert (line["error_low_m"] <= line["error_m"]).all() and (line["error_m"] <= line["error_high_m"]).all()
        if line.exact:
            assert (line["error_low_m"] == line["error_high_m"]).all()


@pytest.mark.parametrize("scheme", ["event", "uniform", "weighted", "planned"])
def test_an_expected_error_is_the_mean_of_many_draws(scheme: str) -> None:
    scenario = BOB.with_changes(scheme=scheme, epsilon=2.0, correlation="moderate")
    expected = expected_error_m(evaluate(scenario, sample("bob")))
    means = drawn_errors(scenario, sample("bob"), 4000).mean(axis=1)
    assert expected == pytest.approx(means.mean(), abs=5 * means.std() / math.sqrt(len(means)))


def test_an_average_is_that_of_its_draws_and_the_losses_are_those_of_the_page(lines) -> None:
    at = EPSILONS.index(1.0)
    skip = BOB.with_changes(scheme="skip")
    means = np.nanmean(drawn_errors(skip, sample("bob"), DRAWS), axis=1)
    assert lines["skip"]["error_m"][at] == pytest.approx(means.mean())
    assert (lines["skip"]["error_low_m"][at], lines["skip"]["error_high_m"][at]) == pytest.approx(
        tuple(np.quantile(means, (0.05, 0.95)))
    )
    linked = skip.with_changes(correlation="moderate")
    outcome, line = (
        evaluate(linked, sample("bob")),
        next(x for x in trade_off(linked, sample("bob")) if x.scheme == "skip"),
    )
    assert outcome.landmark.max() > 1.5 * outcome.total.max()
    assert line["largest_total_loss"][at] == outcome.total.max() and line["landmark_loss"][at] == outcome.landmark.max()


@pytest.mark.long
def test_cells_are_drawn_with_what_their_channels_promise() -> None:
    cells = BOB.with_changes(mechanism="remapped", scheme="uniform", epsilon=EPSILONS[9])
    found = next(line for line in trade_off(cells, sample("bob")) if line.scheme == "uniform")
    assert found.exact and found.mechanism == "remapped"
    assert found["error_m"][9] == evaluate(cells, sample("bob")).reports.mean_expected_m


@pytest.mark.long
def test_a_chain_that_hardly_forgets_leaves_no_plan_to_draw() -> None:
    stays = 1 - 1e-12
    stuck = BOB.with_changes(correlation="matrix", matrix=((stays, 1e-12), (1e-12, stays)))
    planned = next(line for line in trade_off(stuck, sample("bob")) if line.scheme == "planned")
    assert np.isnan(planned["error_m"][5:]).all()
    found = inverse_answers(stuck.with_changes(scheme="planned"), sample("bob"))
    assert "forgets too little" in found.no_error and math.isnan(found.error_epsilon)


@pytest.mark.parametrize(("scheme", "epsilon"), [("event", 0.8), ("window", 2.4), ("uniform", 4.0), ("user", 6.4)])
def test_five_hundred_metres_take_these_epsilons(scheme: str, epsilon: float) -> None:
    found = inverse_answers(BOB.with_changes(scheme=scheme), sample("bob"))
    assert found.how == "formula" and found.error_epsilon == pytest.approx(epsilon)


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme != "predictive"])
def test_the_epsilon_found_keeps_the_error_and_a_little_less_does_not(scheme: str) -> None:
    scenario = BOB.with_changes(scheme=scheme, correlation="moderate")
    found = inverse_answers(scenario, sample("bob"), error_m=700.0)

    def error(epsilon: float) -> float:
        each = scenario.with_changes(epsilon=epsilon, target=epsilon)
        expected = expected_error_m(evaluate(each, sample("bob")))
        return float(np.nanmean(drawn_errors(each, sample("bob"), DRAWS))) if expected is None else expected

    assert error(found.error_epsilon * (1 + 1e-12)) <= 700 * (1 + 1e-9) < error(found.error_epsilon * 0.998) * 1.001


def test_reports_that_stay_are_as_far_off_as_somebody_goes_whatever_epsilon() -> None:
    """Bob goes far each time, and of three timestamps one has a fresh report."""
    found = inverse_answers(BOB.with_changes(scheme="predictive"), sample("bob"), error_m=700.0)
    assert math.isnan(found.error_epsilon)
    said = inverse_answers(BOB.with_changes(scheme="predictive"), sample("bob"), error_m=9_000.0)
    assert said.error_epsilon > 0


@pytest.mark.parametrize("scheme", ["uniform", "user", "skip", "budget-absorption", "planned"])
def test_the_epsilon_for_a_reader_was_tried_and_so_was_the_one_below(scheme: str) -> None:
    scenario = BOB.with_changes(scheme=scheme, correlation="moderate")
    *steps, found = epsilon_read(scenario, sample("bob"), 700.0)
    assert all(step is None for step in steps) and found.worth.draws == DRAWS

    def reader(epsilon: float) -> float:
        return useful(evaluate(scenario.with_changes(epsilon=epsilon, target=epsilon), sample("bob")), DRAWS).reader

    assert reader(found.epsilon) == found.worth.reader <= 700 < reader(found.below)
    assert f"{found.epsilon:.2g}" == f"{found.epsilon:g}" and found.below < found.epsilon <= 1.12 * found.below


def test_a_reader_needs_no_release_for_what_a_guess_gives_and_may_never_have_enough() -> None:
    *_, guess = epsilon_read(BOB, sample("bob"), 3000.0)
    assert guess.needless and math.isnan(guess.epsilon) and guess.worth.nothing == pytest.approx(2837, abs=1)
    *_, never = epsilon_read(BOB, sample("bob"), 1e-4)
    assert not never.needless and math.isnan(never.epsilon)
    outcome = evaluate(BOB, sample("bob"))

    def said(found: ReadEpsilon, wanted: float) -> tuple[str, Any]:
        whole = replace(inverse_answers(BOB, sample("bob"), error_m=wanted), read=found)
        row = inverse_rows(InverseChoices(open=True, error_m=wanted), answered(outcome, whole))[0]
        return row["text"], row["set"]

    text, value = said(guess, 3000.0)
    assert text.startswith(
        "No release is needed for that: someone who knows only the point nearest to all is 1.3 km off, "
    )
    assert value is None and "As released, a mean error of at most 3,000 m needs epsilon 0.6667: the" in text
    assert said(never, 1e-4)[0].startswith(
        "A careful reader is off by more than 0.0001 m under Uniform with every epsilon"
    )
    *_, found = epsilon_read(BOB, sample("bob"), 500.0)
    text, value = said(found, 500.0)
    assert text.startswith(
        "A careful reader is off by at most 500 m at epsilon 4.4 under Uniform, and by more at epsilon 4.3: found by search, "
        "as the median of 20 draws with the same random numbers at each epsilon. The release then shows the route well; "
    )
    assert value == ["epsilon", 4.4]


def test_the_landmarks_loss_is_kept_as_in_the_published_case() -> None:
    scenario = BOB.with_changes(correlation="matrix", matrix=C)
    found = inverse_answers(scenario, sample("bob"))
    assert found.counted_epsilon == pytest.approx(0.5815708987, abs=1e-10)
    most = landmark_loss(C, C, np.full(8, found.counted_epsilon / 5), scenario.landmarks).max()
    assert most == pytest.approx(1, abs=1e-9)
    for scheme in ("adaptive", "budget-distribution", "budget-absorption", "planned"):
        assert math.isnan(inverse_answers(scenario.with_changes(scheme=scheme), sample("bob")).loss_epsilon)


@pytest.mark.parametrize("adversary", ["both", "past", "any"])
def test_which_epsilon_is_answered_by_the_bound_and_the_count_is_named_beside_it(adversary: str) -> None:
    """The count misses what a stretch with both ends known tells: an answer by it may lose more than was wanted."""
    sticky = ((0.999, 0.001), (0.985, 0.015))
    start = "any" if adversary == "any" else "stationary"
    for matrix, wanted, marks in ((C, 1.0, (0, 2, 4, 7)), (sticky, 0.3, (0, 7))):
        scenario = BOB.with_changes(correlation="matrix", matrix=matrix, landmarks=marks)
        scenario = scenario.with_changes(adversary=adversary)
        asked = InverseChoices(open=True, loss=wanted)
        found = inverse_answers(scenario, sample("bob"), loss=wanted)
        outcome = answered(evaluate(scenario, sample("bob")), found)
        spent = evaluate(scenario.with_changes(epsilon=found.loss_epsilon), sample("bob")).budgets
        assert landmark_loss_bound(matrix, spent, marks, start=start).max() == pytest.approx(wanted, rel=1e-8)
        text, value = inverse_rows(asked, outcome)[-1]["text"], inverse_rows(asked, outcome)[-1]["set"][1]
        assert value <= found.loss_epsilon and "this is proven against someone who assumes this chain" in text
        assert ("with any start" in text) == (adversary == "any")
        assert f"count gives {outward(found.counted_epsilon, up=False):,.4g} instead; it is not a bound." in text
    alone = answered(evaluate(BOB, sample("bob")), inverse_answers(BOB, sample("bob")))
    assert (
        "count" not in inverse_rows(InverseChoices(open=True), alone)[-1]["text"]
    )  # without correlation both are the sums


def test_a_bound_that_would_take_minutes_is_refused_in_words() -> None:
    taxi = sample("taxi")
    found = inverse_answers(Scenario(track="taxi", landmarks=taxi.landmarks, states=200, correlation="moderate"), taxi)
    assert math.isnan(found.loss_epsilon) and found.no_loss.startswith("The proven bound takes too long")


@pytest.mark.parametrize("scheme", ["uniform", "weighted"])
def test_affordable_landmarks_are_those_that_trying_finds(scheme: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        epsilon, wanted = float(rng.uniform(0.3, 8)), float(rng.uniform(200, 6000))
        scenario = BOB.with_changes(scheme=scheme, epsilon=epsilon)
        fits = [
            k
            for k in range(9)
            if (expected_error_m(evaluate(scenario.with_changes(landmarks=tuple(range(k))), sample("bob"))) or 0)
            <= wanted
        ]
        assert affordable_landmarks(scenario, 8, wanted) == (fits[-1] if fits else None)
    assert affordable_landmarks(BOB.with_changes(scheme="skip"), 8, 500.0) is None


def test_numbers_are_rounded_to_the_safe_side() -> None:
    rng = np.random.default_rng(0)
    for value in 10 ** rng.uniform(-8, 6, 500):
        up, down = outward(float(value), up=True), outward(float(value), up=False)
        assert down <= value * (1 + 1e-12) and value <= up * (1 + 1e-12) and up <= 1.0011 * down


@pytest.mark.long
def test_a_curve_of_readers_has_what_a_reader_is_off_by_and_nothing_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.answers.usefulness.MOST_DRAWS", 2)
    scenario = BOB.with_changes(correlation="moderate", seed=77)
    raw = tuple(line for line in trade_off(scenario, sample("bob")) if line.scheme in ("event", "user"))
    *before, last = read_lines(raw, scenario, sample("bob"))
    assert all(not one.worths for one in before[0]) and [bool(one.worths) for one in before[20]] == [True, False]
    for one in last:
        for k in (4, 12):
            alone = evaluate(scenario.with_changes(scheme=one.scheme, epsilon=EPSILONS[k]), sample("bob"))
            assert one.reader[k] == useful(alone, 2).reader
    outcome = evaluate(scenario, sample("bob"))
    asked = TradeOffChoices(open=True)
    assert asked.error == "reader"

    def drawn(lines: Any) -> list[str]:
        found = outcome.improved(results={"trade_off": Result("asked", lines, done=True)})
        return [trace["name"] for trace in trade_off_figure(asked, found)["data"]]

    assert drawn(raw) == []
    assert drawn(before[20]) == ["Event level", "nothing", "the point nearest to all", "now"]
    assert drawn(last) == ["Event level", "User level", "nothing", "the point nearest to all", "now"]


@pytest.mark.nightly
@pytest.mark.usefixtures("no_reader")
def test_what_does_not_depend_on_epsilon_is_not_computed_again() -> None:
    session = TrackSession()
    session.apply(
        [{"op": "set", "name": name, "value": True} for name in ("trade_off.open", "inverse.open")], commit=True
    )
    assert inverse_rows(session.choices.inverse, session.outcome)[0]["text"] == "Not computed yet."
    for better in session.improve(session.outcome):
        session.take(better, session.state)
    before = session.task(session.outcome)
    session.apply([{"op": "set", "name": "epsilon", "value": 3.0}], commit=False)
    assert session.task(session.outcome) == before and all(one.done for one in session.outcome.results.values())
    session.apply([{"op": "set", "name": "radius_m", "value": 300.0}], commit=True)
    assert session.task(session.outcome) != before and not any(one.found for one in session.outcome.results.values())
    assert session.continued(session.outcome, session.outcome).found("inverse") is None


def test_a_mark_is_gone_to_in_one_step() -> None:
    session = TrackSession()
    session.apply([{"op": "go", "scheme": "planned", "epsilon": 0.1}], commit=True)
    assert (session.choices.scenario.scheme, session.choices.scenario.target, session.choices.scenario.epsilon) == (
        "planned",
        0.1,
        1.0,
    )
    session.apply([{"op": "set", "name": "mechanism", "value": "planar"}], commit=True)
    session.apply([{"op": "go", "scheme": "adaptive", "epsilon": 0.2}], commit=True)
    assert (session.choices.scenario.scheme, session.choices.scenario.epsilon) == ("adaptive", 0.2)
    session.apply([{"op": "undo"}], commit=True)
    assert session.choices.scenario.scheme == "planned"
    with pytest.raises(InputError):
        session.apply([{"op": "go", "scheme": "nosuch", "epsilon": 0.2}], commit=True)

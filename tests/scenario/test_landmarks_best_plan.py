"""The scheme "Planned" on the track page: found in the background, Cao's plan or user level meanwhile, and in panels."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.from_track import track_warnings
from lmdk_widgets.cache import RecentResults
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import plan_budgets, temporal_loss
from lmdk_widgets.page.link import from_query, link_of
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import compare_schemes
from lmdk_widgets.pages.track.release_command import release_command
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.pages.track.trade_off import trade_off
from lmdk_widgets.scenario import SCHEMES, Outcome, Scenario, defences, describe, evaluate, plans
from lmdk_widgets.sweep.many_settings import settings
from lmdk_widgets.trajectory import sample

BOB = Scenario(landmarks=(0, 2, 4, 7), scheme="best-plan")
STRONG = BOB.with_changes(correlation="strong")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every plan is searched for."""
    monkeypatch.setattr(plans, "KEPT", RecentResults("test.plans", "plans", "visitor", entries=256))


def put(name: str, value: object) -> dict[str, object]:
    return {"op": "set", "name": name, "value": value}


def improve(session: TrackSession) -> list[Outcome]:
    seen = []
    for better in session.improve(session.outcome):
        session.take(better, session.state)
        seen.append(session.outcome)
    return seen


def test_names_of_both_plans() -> None:
    assert SCHEMES["best-plan"].startswith("Planned: no timestamp loses more than the target")
    assert SCHEMES["planned"].startswith("Cao's plan: every timestamp loses the target in total, if the chain")
    assert not any("argest" in SCHEMES[name] for name in ("best-plan", "planned"))


@pytest.mark.parametrize(
    ("scenario", "mean", "cao"), [(BOB, 4.0899, 4.6253), (STRONG, 7.3227, 35.0752), (BOB.with_changes(target=2), 0, 0)]
)
def test_the_outcome_keeps_the_target_and_errs_least(scenario: Scenario, mean: float, cao: float) -> None:
    outcome = evaluate(scenario, sample("bob"))
    known = outcome.correlation
    largest = temporal_loss(known.backward, known.forward, outcome.budgets).total.max()
    assert scenario.target * (1 - 1e-9) <= largest <= scenario.target
    assert outcome.supremum == scenario.target and outcome.in_place == ""
    if mean:
        assert (1 / outcome.budgets).mean() == pytest.approx(mean, rel=1e-4)
        assert outcome.cao_error_m == pytest.approx(2 * 200 * cao, rel=1e-4)
    text = describe(outcome).paragraph
    assert f"Under this plan every timestamp loses at most {scenario.target:g} in total" in text
    write = outcome.ground.write
    mine = write(float(outcome.ground.expected(outcome.budgets).mean()))
    cao = write(outcome.cao_error_m)
    beside = "" if cao == mine else f"under Cao's plan {cao}, "
    beside += f"under user level {write(outcome.user_at_target_m)}"
    assert f"Its expected mean error is {mine}; {beside} at the same target." in text


@pytest.mark.parametrize(("scenario", "title"), [(BOB, "Cao's plan"), (STRONG, "user level")])
@pytest.mark.usefixtures("no_reader")
def test_what_errs_less_stands_in_its_place_until_it_is_found(scenario: Scenario, title: str) -> None:
    session = TrackSession(sample("bob"), scenario)
    began = session.outcome
    assert began.in_place.casefold() == title.casefold()
    known = began.correlation
    alone = plan_budgets(known.backward, known.forward, 1.0, 8) if title == "Cao's plan" else np.full(8, 0.125)
    np.testing.assert_allclose(began.budgets, alone, rtol=1e-9)
    assert f"Until a better plan is found, this is {title}: every timestamp loses" in describe(began).paragraph
    assert title in session.progress(began, busy=True).text
    assert session.task(began) is not None
    better = improve(session)
    places = [one.in_place for one in better]
    meanwhile = places.count(began.in_place)
    assert meanwhile > 1 and places == [began.in_place] * meanwhile + [""] * (len(places) - meanwhile)
    assert session.outcome.in_place == ""
    assert (1 / session.outcome.budgets).mean() < (1 / began.budgets).mean()
    np.testing.assert_array_equal(session.outcome.budgets, evaluate(scenario, sample("bob")).budgets)
    session.apply([put("epsilon", 2.0)], commit=True)  # no plan looks at it
    assert session.outcome.in_place == "", "a plan that was found is kept"


def test_a_search_is_left_where_the_target_changes_and_goes_on_where_it_does_not() -> None:
    session = TrackSession(sample("bob"), BOB)
    first, state = session.outcome, session.state
    work = session.improve(first)
    next(work)
    session.apply([put("utc", True)], commit=True)
    assert session.task(session.outcome) == session.task(first), "the same plan is searched for"
    for better in work:
        session.take(better, state)
    assert session.outcome.in_place == "" and session.outcome.scenario.utc
    before = session.task(first)
    session.apply([put("target", 0.4)], commit=True)
    assert session.outcome.in_place and session.task(session.outcome) != before


def test_cancelled_it_says_what_is_shown() -> None:
    session = TrackSession(sample("bob"), BOB)
    cancelled = session.interrupted(session.outcome)
    assert cancelled.stopped == "Cancelled before the plan was found: this is Cao's plan."


@pytest.mark.long
def test_the_average_and_the_panels_are_those_of_the_plan() -> None:
    choices = TrackChoices(BOB.with_changes(average=True)).with_changes(**{"compare.open": True})
    session = TrackSession(sample("bob"), choices)
    improve(session)
    whole = evaluate(BOB.with_changes(average=True), sample("bob"))
    assert session.outcome.mean_error_m == whole.mean_error_m and session.outcome.in_place == ""
    (row,) = (row for row in session.outcome.found("compare").rows if row.scheme == "best-plan")
    assert row["largest_total_loss"] == pytest.approx(1.0)


def test_without_highs_the_page_keeps_what_it_has_and_says_how_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    session = TrackSession(sample("bob"), BOB)
    with pytest.raises(InputError, match="highspy.*pip install") as refused:
        improve(session)
    assert session.outcome.in_place == "Cao's plan"
    said = session.interrupted(session.outcome, refused.value.sentence).stopped
    assert said.startswith(
        "Ended before the plan was found: this is Cao's plan. The plan with the least mean error needs"
    )
    rows = {row.scheme: row for row in compare_schemes(BOB, sample("bob"))}
    assert "pip install" in rows["best-plan"].refused and not rows["planned"].refused


@pytest.mark.long
def test_it_is_in_the_comparison_the_curves_the_table_and_the_defences() -> None:
    track = sample("bob")
    rows = {row.scheme: row for row in compare_schemes(STRONG, track)}
    assert list(rows)[-2:] == ["best-plan", "planned"]
    lines = {line.scheme: line for line in trade_off(STRONG, track)}
    for other in ("planned", "user"):
        assert (lines["best-plan"]["error_m"] <= lines[other]["error_m"] * (1 + 1e-9)).all()
    assert (lines["best-plan"]["largest_total_loss"] <= [row.epsilon for row in lines["best-plan"].rows]).all()
    (row,) = next(settings(STRONG, track, ("best-plan",), [0.5], [100.0]))
    alone = evaluate(STRONG.with_changes(target=0.5, radius_m=100.0), track)
    assert row["error_m"] == pytest.approx(2 * 100 * (1 / alone.budgets).mean(), rel=1e-9)
    assert "best-plan" in set(defences(STRONG, track, draws=2).scheme)


@pytest.mark.long
def test_which_epsilon_asks_for_the_target() -> None:
    choices = TrackChoices(BOB).with_changes(**{"inverse.open": True, "inverse.error_m": 1500.0})
    session = TrackSession(sample("bob"), choices)
    improve(session)
    found = session.outcome.found("inverse")
    assert found.how == "search" and "its target is that bound" in found.no_loss
    at = evaluate(BOB.with_changes(target=found.error_epsilon), sample("bob"))
    assert 400 * (1 / at.budgets).mean() == pytest.approx(1500.0, rel=1e-3)


def test_links_of_both_plans() -> None:
    old = from_query("scheme=planned&target=0.5", TrackChoices)  # without a version: of 0.2
    assert old["scheme"] == "planned" and old["target"] == 0.5
    now = TrackChoices(BOB.with_changes(target=0.5))
    assert TrackChoices().with_changes(**from_query(link_of(now).query, TrackChoices)).scenario == now.scenario


def test_a_chain_that_is_estimated_from_the_track_warns() -> None:
    outcome = evaluate(BOB.with_changes(correlation="estimated", cell_m=2000.0), sample("bob"))
    (warning,) = track_warnings(outcome.scenario, sample("bob"))
    assert "The plan is made for a chain that is estimated" in warning and warning in describe(outcome).warnings


def test_hidden_landmarks_and_budgets_by_hand() -> None:
    hidden = evaluate(BOB.with_changes(hide=True, hide_joining="stated", hide_chance=0.9), sample("bob"))
    plain = evaluate(BOB, sample("bob"))
    np.testing.assert_array_equal(hidden.budgets, plain.budgets)
    session = TrackSession(sample("bob"), BOB)
    session.apply([put("scheme", "given")], commit=True)
    np.testing.assert_allclose(session.outcome.budgets, plain.budgets, rtol=1e-12)


def test_the_program_gives_the_same_numbers() -> None:
    scope: dict[str, Any] = {"print": lambda *_: None}
    exec(python_snippet(STRONG), scope)
    np.testing.assert_array_equal(scope["outcome"].budgets, evaluate(STRONG, sample("bob")).budgets)


def test_what_cannot_be_had_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="must have one of the schemes .*depend on a chain"):
        release_command(BOB, sample("bob"))
    cells = Scenario(track="commuter", scheme="best-plan", mechanism="remapped", correlation="strong")
    with pytest.raises(InputError, match="at most .* different budgets"):
        evaluate(cells, sample("commuter"))


def test_what_panels_found_of_other_budgets_does_not_stay() -> None:
    session = TrackSession(sample("bob"), TrackChoices(BOB).with_changes(**{"attacker.open": True}))
    before = session.outcome
    evaluate(BOB, sample("bob"))  # the plan was found elsewhere
    session.apply([put("utc", True)], commit=True)
    assert before.in_place and not session.outcome.in_place
    assert all(one is not before.results.get(name) for name, one in session.outcome.results.items())

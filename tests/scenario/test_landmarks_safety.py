"""Safety on the page: which epsilon, leaving out as one step, what may be proposed, and the condition of the table."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.answers import lasting_places, leave_out
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.found_epsilon import NONE_NEEDED, NOTHING_LASTS, found_epsilon, found_text
from lmdk_widgets.pages.track.inverse import LOOKED, inverse_rows
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.table import table_block, table_texts
from lmdk_widgets.pages.track.table_choices import SettingsTableChoices, applied
from lmdk_widgets.scenario import Scenario, evaluate, settings_table
from lmdk_widgets.trajectory import sample
from tests.landmark_choices import page_of

WEEK = sample("commuter")
COMMUTER = Scenario(track="commuter", landmarks=WEEK.landmarks, correlation="none")


def whole(**changes: Any) -> Any:
    return page_of(TrackChoices(COMMUTER).with_changes(**changes), WEEK)


@pytest.mark.long
def test_which_epsilon_keeps_lasting_places_far_is_said_and_can_be_chosen() -> None:
    page = whole(**{"inverse.open": True, "inverse.error_m": 3000.0})
    row = inverse_rows(page.session.choices.inverse, page.outcome)[1]
    assert row["name"] == "inverse.found_m" and row["set"] == ["epsilon", 0.4638]
    assert row["text"] == (
        "Up to epsilon 0.4638 no lasting place is found nearer than 200 m in half of all releases under Uniform: "
        "the distance is proportional to 1 / ε."
    )
    assert page._text(page.outcome)["folds"]["inverse"][-1]["shown"] == LOOKED
    page.session.apply([{"op": "set", "name": "epsilon", "value": row["set"][1]}], commit=True)
    assert min(place.found_m for place in lasting_places(page.session.outcome)) >= 200


def text_of(scenario: Scenario, track: Any) -> str:
    *_, found = found_epsilon(scenario, track, 200.0)
    return found_text(found, evaluate(scenario, track), 200.0, f"Up to epsilon {found.epsilon:,.4g}")


def test_where_nothing_is_released_or_nothing_lasts_no_epsilon_is_needed() -> None:
    assert text_of(COMMUTER.with_changes(scheme="skip", landmarks=range(len(WEEK))), WEEK) == NONE_NEEDED
    assert text_of(Scenario(landmarks=(0, 2)), sample("bob")) == NOTHING_LASTS
    assert "planar Laplace" in text_of(Scenario(mechanism="optimal"), sample("bob"))
    left = evaluate(leave_out(evaluate(COMMUTER, WEEK), 200.0), WEEK).scenario
    assert "over more days, the silences of your work come to within 322 m of it" in text_of(left, WEEK)


def test_leaving_out_is_one_step_that_undo_takes_back() -> None:
    session = TrackSession(WEEK, COMMUTER)
    wanted = leave_out(session.outcome, 200.0)
    session.apply([{"op": "leave_out"}], commit=True)
    assert session.scenario == wanted and session.scenario.scheme == "skip"
    session.apply([{"op": "undo"}], commit=True)
    assert session.scenario == COMMUTER


@pytest.mark.long
def test_what_can_be_left_out_is_named_and_what_it_costs_is_computed_once_it_is_opened() -> None:
    shut, opened = whole(), whole(**{"leave_out.open": True})
    first, told = (page._text(page.outcome)["leave_out"] for page in (shut, opened))
    assert first["title"] == told["title"] == "Leave out your home and your work"
    assert shut.outcome.found("leave_out") is None and not first["use"] and told["use"]
    assert told["text"].startswith("This chooses Skip at epsilon 0.1609. Then found: 93 m becomes 200 m.")
    far = whole(scheme="user")
    assert far._text(far.outcome)["leave_out"]["title"] == ""


def test_no_scheme_is_proposed_that_lets_more_be_found() -> None:
    """Skip is more useful than Uniform, and finds home to within 10 m instead of 93 m."""
    page = whole(**{"cards.open": True})
    assert page.outcome.found("cards").outcome is None
    cards = {card["name"]: card for card in page._text(page.outcome)["cards"]["cards"]}
    assert not cards["Proposed"]["answers"] and "lets no more be found" in cards["Proposed"]["said"]


def test_a_star_needs_that_nothing_is_worse_and_the_condition_is_on_by_default() -> None:
    asked = SettingsTableChoices(open=True, schemes="uniform skip", epsilons="0.3 1", radii_m="200")
    page = page_of(TrackChoices(COMMUTER, table=asked), WEEK)
    now = applied(asked, page.outcome)
    assert now.least_found_m == 200 and asked.least_found_m == "radius"
    drawn = table_block(asked, page.outcome)
    opened = {"op": "go", "scheme": "uniform", "epsilon": 0.3, "radius_m": 200.0}
    assert drawn.signs == ("✓ ", "", "", "") and drawn.acts[0] == opened
    texts = table_texts(asked, page.outcome)
    assert "useful: " in texts[2] and texts[2].startswith("Compared with the present setting")
    none = asked.with_changes(least_found_m=None)
    drawn = table_block(none, page.outcome)
    assert drawn.acts[0] == opened | {"scheme": "skip", "epsilon": 1.0} and not any("★" in sign for sign in drawn.signs)
    assert "found: 93 m becomes 20 m or less; one moment: 53 becomes 74 of 100" in table_texts(none, page.outcome)[2]
    strict = asked.with_changes(least_found_m=5000.0)
    assert any("nearer than 5,000 m" in text for text in table_texts(strict, page.outcome))
    same = asked.with_changes(schemes="uniform", epsilons="1", least_found_m=None)
    page = page_of(TrackChoices(COMMUTER, table=same), WEEK)
    assert table_block(same, page.outcome).signs == ("★ ",)


def test_a_table_for_programs_says_which_settings_keep_lasting_places_far() -> None:
    table = settings_table(COMMUTER, WEEK, schemes=["uniform", "skip"], epsilons=[0.3, 1], radii_m=[200])
    assert table.found_kept.tolist() == [True, False, False, False]
    near = settings_table(COMMUTER, WEEK, schemes=["uniform"], epsilons=[0.3, 1], radii_m=[200], found_no_nearer_m=50.0)
    assert near.found_kept.tolist() == [True, True]
    bob = settings_table(Scenario(landmarks=(0, 2)), sample("bob"), schemes=["event"], epsilons=[10], radii_m=[200])
    assert bob.found_kept.all()  # nothing lasts

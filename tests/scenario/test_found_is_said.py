"""The trade-off curve and the proposed landmarks say what is found, with the number of the tile."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.stays import proposed
from lmdk_widgets.pages.track.trade_off import EPSILONS, describe_trade_off, trade_off_figure

SAID = {
    "bob": "Averaging now finds each report to within {}.",
    "commuter": "Averaging now finds your home to within {}.",
    "taxi": "Averaging now finds your main place to within {}.",
    "household": "Averaging now finds a level to within {}.",
    "contacts": "Averaging now guesses the main answer right in {}.",
}


NO_LIMITS = {"limits.found_m": None, "limits.useful_share": None}


def page_of(name: str, **changes: Any) -> TrackPage:
    page = TrackPage()
    page.session.apply([{"op": "set", "name": "track", "value": name}], commit=True)
    page.show(page.session.choices.with_changes(**changes))
    return page


@pytest.mark.parametrize("name", SAID)
def test_the_proposed_landmarks_say_what_is_found_now(name: str) -> None:
    page = page_of(name, **{"stays.open": True})
    told = proposed(page.session.choices, page.outcome)
    found = page._text(page.outcome)["answers"][0]
    assert found["name"] == "Found" and told.found == SAID[name].format(found["value"])
    closed = page_of(name)
    assert proposed(closed.session.choices, closed.outcome).found == ""


@pytest.mark.long
@pytest.mark.parametrize("name", ["bob", pytest.param("contacts", marks=pytest.mark.nightly)])
def test_the_curve_says_what_is_found_now_and_at_each_mark(name: str) -> None:
    page = page_of(name, **{"trade_off.open": True, "trade_off.error": "mean"}, **NO_LIMITS)
    page.finish()
    asked, outcome = page.session.choices.trade_off, page.outcome
    value = page._text(outcome)["answers"][0]["value"]
    assert SAID[name].format(value) in describe_trade_off(asked, outcome)
    marks = {
        trace["meta"][0]["scheme"]: trace["text"]
        for trace in trade_off_figure(asked, outcome)["data"]
        if "meta" in trace
    }
    here = marks[outcome.scenario.scheme][EPSILONS.index(1.0)]
    assert here.endswith(f"; found: {value}") is (name != "contacts"), "guesses of answers are not in the rows"


def test_what_is_not_found_is_said() -> None:
    page = page_of("commuter", **{"scheme": "user", "stays.open": True})
    told = proposed(page.session.choices, page.outcome)
    assert told.found == "Averaging does not find your home now."
    assert page._text(page.outcome)["answers"][0]["value"] == "not found"

"""Every number on the cards of settings: each is that of a page that shows the setting alone, where an oracle holds it, and
what is proposed is found again from budgets and readers, scheme by scheme."""

from __future__ import annotations

import csv
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.exposure import found_of
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.cards import NOTICED, cards_csv, costs
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample
from tests.every_number.claims import agrees, near
from tests.every_number.test_landmark_numbers import hold, log_uniform
from tests.every_number.track_names import track_names
from tests.landmark_choices import page_of
from tests.sweeps import FULL, generators

KEEPS_EPSILON = "uniform", "weighted", "skip", "adaptive"
"""Schemes under which the landmarks and any one other timestamp spend epsilon at most."""


def bobs(rng: np.random.Generator) -> TrackChoices:
    """A setting on Bob's day with another one pinned beside it, planar Laplace and no chain."""
    scheme, kept = (str(rng.choice(["event", "user", "uniform", "weighted", "skip", "adaptive"])) for _ in "ab")
    marks = np.flatnonzero(rng.random(8) < 0.4).tolist()
    plain = {"track": "bob", "landmarks": marks, "correlation": "none", "radius_m": log_uniform(rng, 100, 2000)}
    now, pinned = (Scenario(scheme=name, epsilon=log_uniform(rng, 0.1, 8), **plain) for name in (scheme, kept))
    return TrackChoices(now, pinned=pinned).with_changes(**{"cards.open": True})


def of_page(scenario: Scenario, track: Trajectory) -> list[tuple[str, str]]:
    page = page_of(TrackChoices(scenario), track)
    text = page._text(page.outcome)
    return [(each["name"], each["value"]) for each in (text["useful"], *text["answers"])]


def best_by_hand(now: Scenario, track: Trajectory) -> str | None:
    """The scheme that is proposed, from budgets, the Theorem and a reader of each release."""

    def together(scenario: Scenario) -> float:
        spent = evaluate(scenario, track).budgets
        marks = list(scenario.landmarks)
        most = float(spent[marks].sum() + max(np.delete(spent, marks), default=0.0))
        return scenario.epsilon if scenario.scheme == "adaptive" else most

    def far(scenario: Scenario) -> float:
        found = found_of(evaluate(scenario, track))
        return max(found.within(), 20.0) if found.is_found else math.inf

    def most(scenario: Scenario) -> float:
        return scenario.epsilon if scenario.scheme == "adaptive" else float(evaluate(scenario, track).budgets.max())

    mine, error = together(now), useful(evaluate(now, track), 12).reader
    found = []
    for scheme in SCHEMES:
        if scheme == now.scheme or (scheme not in KEEPS_EPSILON and scheme not in ("event", "user")):
            continue
        other = now.with_changes(scheme=scheme)
        spends, off = together(other), useful(evaluate(other, track), 12).reader
        if far(other) < far(now) * (1 - 1e-9):
            continue
        if spends <= mine * (1 + 1e-9) and off <= error * (1 if spends <= NOTICED * mine else NOTICED):
            found.append((most(other) > most(now) * (1 + 1e-9), off, spends, scheme))
    return min(found)[3] if found else None


def promise(text: str) -> float:
    return 1.0 if text == "nothing" else int(text.split()[0]) / 100


def test_a_proposal_says_what_it_makes_worse() -> None:
    home = sample("commuter").landmarks
    now = Scenario(track="commuter", scheme="planned", target=0.69, landmarks=home)
    plan, skip, more = (evaluate(one, sample("commuter")) for one in (now, now.with_changes(scheme="skip"), now))
    worse = " But found: 81 m becomes 20 m or less; one moment: 61 becomes 74 of 100."
    assert costs(plan, skip) == worse
    back = " But useful: 320 m becomes 710 m; the landmarks and any one other: 74 becomes 81 of 100."
    assert (costs(skip, plan), costs(plan, more)) == (back, "")


@pytest.mark.long
def test_every_number_of_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("answers.usefulness", "pages.track.cards"):
        monkeypatch.setattr(f"lmdk_widgets.{module}.MOST_DRAWS", 12)
    claims = track_names()
    track, names = sample("bob"), set()
    for rng in generators(40, 10 if FULL else 32):
        choices = bobs(rng)
        page = page_of(choices, track)
        cards = {card["name"]: card for card in page._text(page.outcome)["cards"]["cards"]}
        result = page.outcome.found("cards").outcome
        scenarios: dict[str, Any] = {"Now": choices.scenario, "Pinned": choices.pinned}
        scenarios |= {} if result is None else {"Proposed": result.scenario}
        rows = {row["setting"]: row for row in csv.DictReader(cards_csv(page.outcome).splitlines())}
        assert rows.keys() == scenarios.keys() == {name for name, card in cards.items() if card["answers"]}
        for name, scenario in scenarios.items():
            shown = [(each["name"], each["value"]) for each in cards[name]["answers"]]
            assert shown == of_page(scenario, track), (name, choices)
            assert hold(claims, TrackChoices(scenario), track)
            assert rows[name]["scheme"] == scenario.scheme and float(rows[name]["epsilon"]) == pytest.approx(
                scenario.epsilon
            )
            assert promise(shown[2][1]) == pytest.approx(float(rows[name]["promised_one"]), abs=0.0101)
            assert float(rows[name]["promised_one"]) <= promise(shown[2][1]) + 1e-6
            short, most = cards[name]["answers"][2]["short"], float(rows[name]["promised_landmarks"])
            if scenario.landmarks and most < 0.99:
                assert agrees(near(lambda _: None), short.split("; ")[1].split()[0], np.ceil(100 * most - 1e-5)), short
            names.add(name)
        proposed = None if result is None else result.scenario.scheme
        others = {"budget-distribution", "budget-absorption", "predictive", "window", "planned", "best-plan"}
        assert proposed in others or proposed == best_by_hand(choices.scenario, track), choices
    assert not FULL or names == {"Now", "Pinned", "Proposed"}


@pytest.mark.nightly
def test_cards_are_used_undone_and_left_empty() -> None:
    now = Scenario(track="commuter", scheme="event", landmarks=sample("commuter").landmarks)
    page = page_of(TrackChoices(now).with_changes(**{"cards.open": True}), sample("commuter"))
    session = page.session

    def card(name: str) -> dict[str, Any]:
        page.finish()
        return next(one for one in page._text(page.outcome)["cards"]["cards"] if one["name"] == name)

    def do(operation: Any) -> None:
        session.apply([operation], commit=True)
        page._shown({})

    assert not card("Pinned")["answers"] and card("Proposed")["about"] == "Skip, epsilon 1"
    do(card("Pinned")["act"]["operation"])
    do({"op": "set", "name": "epsilon", "value": 2.0})
    assert (card("Pinned")["about"], card("Now")["about"]) == ("Event level, epsilon 1", "Event level, epsilon 2")
    do(card("Pinned")["act"]["operation"])
    assert session.scenario.epsilon == 1 and session.choices.pinned.epsilon == 2
    do({"op": "undo"})
    assert session.scenario.epsilon == 2
    do({"op": "set", "name": "epsilon", "value": 1.0})
    do(card("Proposed")["act"]["operation"])
    assert session.scenario.scheme == "skip"


@pytest.mark.long
def test_nothing_half_ready_stands_on_a_card() -> None:
    """Until it is computed an answer is an ellipsis, and nothing is proposed."""
    from lmdk_widgets.pages.track.session import TrackSession

    choices = TrackChoices(Scenario(), pinned=Scenario(epsilon=0.5)).with_changes(**{"cards.open": True})
    session = TrackSession(sample("bob"), choices)
    from lmdk_widgets.pages.track.cards import setting_cards

    cards = {card.name: card for card in setting_cards(session.outcome).cards}
    assert cards["Now"].answers[0].value == cards["Pinned"].answers[0].value == "…"
    assert not cards["Proposed"].answers
    for outcome in session.improve(session.outcome):
        proposed = outcome.found("cards")
        shown = {card.name: card for card in setting_cards(outcome).cards}["Proposed"]
        assert bool(shown.answers) == (proposed is not None and proposed.outcome is not None)
        assert all(answer.value != "…" for answer in shown.answers)


def test_a_card_of_what_cannot_be_had_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="Landmarks"):
        page_of(TrackChoices(Scenario(), pinned=Scenario(landmarks=(50,))), sample("bob"))

"""The panel of secrets over time: its numbers by hand, what a click on the map chooses, and what stays closed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers import secrets_over_time
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.trajectory import sample
from tests.every_number.secrets_truth import SecretsTruth
from tests.landmark_choices import chosen, page_of

BOB, WEEK = sample("bob"), sample("commuter")


def shown(page: TrackPage) -> tuple[list[str], dict[str, Any]]:
    """The texts of the panel, and its table."""
    blocks = page._text(page.outcome)["folds"]["secrets"]
    tables = [block["shown"] for block in blocks if block["kind"] == "table"]
    return [block["shown"] for block in blocks if block["kind"] == "text"], tables[0] if tables else {}


def of_bob(**changes: Any) -> TrackPage:
    return page_of(chosen(landmarks=(0, 2, 4, 7), secrets__open=True, average=False, **changes), BOB)


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"epsilon": 8.0},
        {"secrets__place": 3, "secrets__when": "part", "secrets__first": 4, "secrets__last": 7},
        {"secrets__when": "landmarks"},
        {"secrets__kind": "home", "secrets__east_m": -2500.0},
        {"secrets__kind": "home", "secrets__other": 3, "scheme": "adaptive"},
    ],
)
def test_each_number_is_that_of_a_second_program(changes: dict[str, Any]) -> None:
    page = of_bob(**changes)
    table = shown(page)[1]
    SecretsTruth(page).table(table["rows"])
    assert len(table["rows"]) == len(table["notes"]) >= 1
    assert all(note.startswith("Assumption: the adversary knows") for note in table["notes"])


@pytest.mark.long
def test_the_commuters_home_for_someone_who_knows_the_hours() -> None:
    page = page_of(chosen(track="commuter", landmarks=WEEK.landmarks, secrets__open=True, average=False), WEEK)
    texts, table = shown(page)
    assert texts[0] == "The secret: you were at home on at least one of the seven days asked about."
    known, unknown = table["rows"]
    assert (known[0], known[1], known[3:]) == ("knows the hours", "1 : 1", ["×25", "×640", "no promise"])
    assert unknown[0] == "does not know the hours" and unknown[1] == "1 : 2.4" and unknown[5] == "no promise"
    assert "(1,044 reports)" in table["notes"][0] and "532 cells of 1.0 km" in table["notes"][1]


@pytest.mark.long
def test_the_secret_says_which_statement_is_meant() -> None:
    assert shown(of_bob())[0][0] == "The secret: you were at your main place on the day asked about."
    away = of_bob(secrets__place=3, secrets__when="part", secrets__first=0, secrets__last=0)
    texts, table = shown(away)
    if "not" in texts[0]:
        assert texts[0] == "The secret: you were not at place 4 on the day asked about."
        assert [row[0] for row in table["rows"]] == ["does not know the hours"] and "no hours to know" in texts[-1]
    home = shown(of_bob(secrets__kind="home", secrets__east_m=1.0))
    assert "farther from each other" in home[0][-1] and len(home[1]["rows"]) == 1
    both = shown(of_bob(secrets__kind="home", secrets__other=2))
    assert "Your track does neither" in both[0][-1] and both[1]["title"] == "Odds of the place against the other one"


def test_what_cannot_be_asked_is_said_in_the_panel() -> None:
    assert shown(of_bob(secrets__place=9))[0] == ["The place must be one of the 8 of this track; got 10."]
    cells = of_bob(mechanism="randomised")
    assert shown(cells)[0] == ["Such secrets are asked about a track under planar Laplace."]


def test_a_click_on_the_map_chooses_the_other_place_and_no_coordinate_is_kept() -> None:
    session = TrackSession(BOB, chosen(secrets__open=True, secrets__pick=True, secrets__other=2))
    secret = secrets_over_time.secret_of(session.outcome, secrets_over_time.Asked())
    latitude, longitude = BOB.frame.to_degrees(secret.here_m[None] + np.array([[804.0, -396.0]]))
    session.apply(
        [{"op": "secret_place", "latitude": float(latitude[0]), "longitude": float(longitude[0])}], commit=True
    )
    made: TrackChoices = session.choices
    asked = made.secrets
    assert (asked.other, asked.east_m, asked.north_m, asked.pick) == (0, 800.0, -400.0, False)
    assert str(round(float(latitude[0]), 3)) not in str(made.to_dict())


def test_a_part_of_the_time_is_chosen_in_one_step() -> None:
    session = TrackSession(BOB, chosen(secrets__open=True))
    session.apply([{"op": "secret_part", "first": 4, "last": 6}], commit=True)
    assert (session.choices.secrets.when, session.choices.secrets.first, session.choices.secrets.last) == ("part", 4, 6)
    session.apply([{"op": "undo"}], commit=True)
    assert session.choices.secrets.when == "always"


def test_what_a_page_sends_is_checked() -> None:
    session = TrackSession(BOB, chosen(secrets__open=True))
    for wrong in (
        {"op": "secret_part", "first": "x", "last": 6},
        {"op": "secret_place", "latitude": "x", "longitude": 2.0},
        {"op": "secret_place", "latitude": float("nan"), "longitude": 2.0},
        {"op": "secret_place"},
    ):
        with pytest.raises(InputError):
            session.apply([wrong], commit=True)


def test_both_places_are_drawn_while_it_is_open() -> None:
    page = of_bob(secrets__east_m=300.0)
    (drawn,) = [one for one in page._drawings(page.outcome) if one.name == "secret"]
    (south, west, _), (north, east, name) = drawn.message()[0]["marks"]
    here, there = BOB.frame.to_metres(np.array([south, north]), np.array([west, east]))
    assert math.dist(here, there) == pytest.approx(300.0) and name == "other place"


def test_a_closed_panel_computes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise AssertionError("a closed panel was asked")

    monkeypatch.setattr("lmdk_widgets.pages.track.secrets.secret_of", fail)
    page = page_of(chosen(average=False), BOB)
    assert "secrets" not in page._text(page.outcome)["folds"]
    assert "secret" not in {one.name for one in page._drawings(page.outcome)}

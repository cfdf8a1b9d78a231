"""Guess where: the adversary against plain arithmetic, what a phone is not told, and how guesses are scored."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course.classroom import Guess, activity, stored
from lmdk_widgets.course.classroom.guess import SCENES, scene
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import planar_laplace_radius

GAME = Guess("city", 1.0, 500.0, 40, (180.0, -420.0))


def belief(game: Guess) -> list[float]:
    """Bayes' rule, written out: prior times exp(-epsilon distance), divided by its sum."""
    place, rate = scene(game.scene), game.level / game.radius_m
    weights = []
    for prior, (x, y) in zip(place.prior.tolist(), place.area.points_m.tolist(), strict=True):
        weights.append(prior * math.exp(-rate * math.dist((x, y), game.released_m)))
    return [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize("name", SCENES)
def test_the_adversary_against_bayes_rule_written_out(name: str) -> None:
    game = Guess(name, 0.7, 400.0, 3, (350.0, 125.0))
    expected, centres = belief(game), scene(name).area.points_m.tolist()
    assert game.belief == pytest.approx(np.array(expected), rel=1e-9)
    errors = [sum(p * math.dist(x, g) for p, x in zip(expected, centres, strict=True)) for g in centres]
    best, error = game.adversary
    assert best == errors.index(min(errors)) and error == pytest.approx(min(errors))
    scored = game.scored(range(len(centres)))
    assert scored.expected == pytest.approx(np.array(errors))
    assert scored.errors == pytest.approx(np.array([math.dist(centres[3], g) for g in centres]))


def test_nobody_beats_the_adversary_on_average() -> None:
    for seed in range(20):
        game = Guess.put({"level": 0.5 + seed / 10}, np.random.default_rng(seed))
        _, error = game.adversary
        assert game.scored(range(len(game.place.prior))).expected.min() == pytest.approx(error)


def test_the_point_is_released_by_planar_laplace_from_a_place_of_the_prior() -> None:
    rng = np.random.default_rng(3)
    games = [Guess.put({"level": 2.0, "radius_m": 300.0}, rng) for _ in range(3_000)]
    centres = scene("city").area.points_m
    far = np.array([math.dist(game.released_m, centres[game.truth]) for game in games])
    for share in (0.25, 0.5, 0.95):
        assert (far <= planar_laplace_radius(share, 2 / 300)).mean() == pytest.approx(share, abs=0.03)
    places = np.bincount([game.truth for game in games], minlength=len(centres)) / len(games)
    assert places == pytest.approx(scene("city").prior, abs=0.02)


def test_a_place_can_be_chosen() -> None:
    game = Guess.put({"scene": "week", "place": "Bastille"})
    found = scene("week")
    assert game.truth == found.cells[found.names.index("Bastille")]


def test_phones_and_an_open_board_do_not_know_the_truth() -> None:
    other = Guess(GAME.scene, GAME.level, GAME.radius_m, 12, GAME.released_m)
    assert GAME.asked(1) == other.asked(1) and GAME.board([3, 3], False) == other.board([3, 3], False)
    assert "guesses" not in GAME.board([3, 3], False), "a class would follow the first ones"
    assert "latitude" not in json.dumps(GAME.asked(1))


def test_the_outcome_on_board_and_phone() -> None:
    view = GAME.board([40, 41, 41], True)
    assert view["truth"] == 40 and view["guesses"] == [[40, 1], [41, 2]]
    assert "333 m off on average" in view["summary"] and "one of 3 hit the cell" in view["summary"]
    assert [row[0] for row in view["table"]["rows"]][-1] == "exact adversary"
    assert "Your guess was right" in GAME.told(40)["words"] and "500 m off" in GAME.told(41)["words"]
    assert "Your guess" not in GAME.told(None)["words"]
    assert "Nobody guessed" in GAME.board([], True)["summary"]


@pytest.mark.parametrize("name", SCENES)
def test_what_is_drawn_lies_on_the_map(name: str) -> None:
    game = Guess.put({"scene": name, "level": 0.1, "radius_m": 5_000.0}, np.random.default_rng(1))
    drawn = game.asked(1)["map"]
    left, low, right, high = drawn["extent"]
    for x, y in [*drawn["cells"], drawn["released"], *(place[1:] for place in drawn["places"])]:
        assert left <= x <= right and low <= y <= high
    assert max(drawn["shades"]) == 1 and len(drawn["said"]) == len(drawn["cells"]) == len(drawn["shades"])


def test_the_colours_are_said_to_be_what_they_are() -> None:
    """Blue are the chances before, on phones always and on the board until the outcome; purple those after."""
    before, after = GAME.board([40], False), GAME.board([40], True)
    shades = (GAME.place.prior / GAME.place.prior.max()).round(3).tolist()
    assert before["map"]["shades"] == shades == GAME.asked(1)["map"]["shades"] and "belief" not in before
    assert after["belief"] == (GAME.belief / GAME.belief.max()).round(3).tolist() != shades
    blue, purple = "blue of a cell, the likelier the person was there before", "purple of a cell, the likelier"
    for notes, said, other in ((GAME.asked(1)["before"], blue, purple), (before["notes"], blue, purple)):
        assert said in " ".join(notes) and other not in " ".join(notes)
    assert purple in " ".join(after["notes"]) and "blue" not in " ".join(after["notes"])
    assert "to an attacker who has seen the point" in " ".join(after["notes"])


@pytest.mark.parametrize("name", SCENES)
def test_each_cell_is_called_by_what_stands_at_the_edges_of_the_map(name: str) -> None:
    game = Guess.put({"scene": name}, np.random.default_rng(2))
    drawn = game.asked(1)["map"]
    columns, rows = ({place: mark for mark, place in drawn[side]} for side in ("columns", "rows"))
    called = [f"{columns[x]}{rows[y]}" for x, y in drawn["cells"]]
    assert called == drawn["names"] == list(game.place.area.names)
    left, low = drawn["extent"][:2]
    west, south = drawn["corner"]
    room = 0.6 * drawn["cell_m"]
    assert west - left >= room and south - low >= room, "the marks stand outside the cells"
    assert west == min(x for x, _ in drawn["cells"]) - drawn["cell_m"] / 2


def test_a_phone_is_shown_the_true_place_and_the_adversarys_with_the_outcome() -> None:
    told = GAME.told(41)
    assert told["truth"] == 40 and told["adversary"] == GAME.adversary[0]
    assert "truth" not in GAME.asked(1) and "truth" not in GAME.board([3], False)


def test_it_survives_its_file() -> None:
    assert stored("guess", json.loads(json.dumps(GAME.to_dict()))) == GAME


@pytest.mark.parametrize(
    "settings",
    [
        {"scene": "moon"},
        {"scene": None},
        {"level": 0},
        {"level": "1"},
        {"radius_m": 1},
        {"radius_m": math.inf},
        {"place": "Atlantis"},
        {"place": 3},
        {"truth": 3},
    ],
)
def test_settings_that_cannot_be_used_get_a_sentence(settings: dict) -> None:
    with pytest.raises(InputError):
        activity("guess", settings)


@pytest.mark.parametrize("given", [None, True, -1, 81, 1.0, "A1", [1], {}])
def test_guesses_that_are_none_get_a_sentence(given: Any) -> None:
    with pytest.raises(InputError):
        GAME.read(given)

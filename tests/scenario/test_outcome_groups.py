"""An outcome's names in groups: few are listed, all stay, and a group means the same as the outcome."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import fields

import numpy as np
import pytest

from lmdk_widgets.answers import lasting_places, promised, useful
from lmdk_widgets.scenario import Outcome, Scenario, describe, evaluate
from lmdk_widgets.trajectory import sample, sample_series

BOB = sample("bob")
OUTCOME = evaluate(Scenario(landmarks=(0, 2, 4, 7), scheme="skip", correlation="strong"), BOB)


def test_dir_lists_the_groups_and_every_name_stays() -> None:
    listed = [name for name in dir(OUTCOME) if not name.startswith("_")]
    assert listed == sorted(
        ["scenario", "trajectory", "release", "losses", "answers", "words", "to_dict", "to_frame", "figure"]
    )
    assert all(hasattr(OUTCOME, name) for name in listed) and "__len__" in dir(OUTCOME)
    for each in fields(Outcome):
        assert hasattr(OUTCOME, each.name)


@pytest.mark.parametrize("group", ["release", "losses"])
def test_a_name_in_a_group_is_the_one_of_the_outcome(group: str) -> None:
    view = getattr(OUTCOME, group)
    assert [name for name in dir(view) if not name.startswith("_")] == sorted([*view.names(), "names", "to_dict"])
    assert len(view.names()) > 8 and repr(view).startswith(f"Outcome{group.capitalize()}({view.names()[0]}, ")
    for name in view.names():
        found, same = getattr(view, name), getattr(OUTCOME, name)
        assert found is same or np.array_equal(found, same), name
    assert not hasattr(view, "totl")
    with pytest.raises(AttributeError):
        setattr(view, view.names()[0], 3)


def test_no_name_is_in_two_groups() -> None:
    names = [name for view in (OUTCOME.release, OUTCOME.losses, OUTCOME.answers) for name in view.names()]
    assert len(names) == len(set(names))


@pytest.mark.long
def test_answers_are_those_of_the_functions() -> None:
    commuter = sample("commuter")
    outcome = evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter)
    answers, worth, promise = outcome.answers, useful(outcome), promised(outcome)
    assert (answers.reader_m, answers.nothing_m) == (worth.reader, worth.nothing)
    assert (answers.moment, answers.landmarks, answers.guesses) == (promise.moment, promise.landmarks, promise.guesses)
    assert answers.found_within_m == pytest.approx(min(place.found_m for place in lasting_places(outcome)))


def test_words_are_the_description() -> None:
    assert OUTCOME.words == describe(OUTCOME)


@pytest.mark.parametrize(
    "made",
    [
        lambda: OUTCOME,
        lambda: evaluate(Scenario(track="household", bounds="known"), sample_series("household")),
        lambda: evaluate(Scenario(landmarks=(0,), mechanism="randomised"), BOB),
    ],
)
def test_a_dict_is_plain_and_has_no_seed(made: object) -> None:
    outcome: Outcome = made()  # type: ignore[operator]
    found = outcome.to_dict()
    again = json.loads(json.dumps(found))
    assert list(again) == ["scenario", "release", "losses", "answers", "words"]
    assert "seed" not in again["scenario"] and "hide_seed" not in again["scenario"]
    assert Scenario.from_dict(again["scenario"]).with_changes(seed=outcome.scenario.seed) == outcome.scenario
    assert again["release"]["budgets"] == outcome.budgets.tolist()
    assert again["losses"]["total"] == outcome.total.tolist()
    assert [value is None for value in again["release"]["error_m"]] == np.isnan(outcome.error_m).tolist()
    assert again["words"]["paragraph"] == outcome.words.paragraph
    assert not [value for value in again["answers"].values() if isinstance(value, float) and math.isnan(value)]
    for degrees in (*outcome.trajectory.latitude, *outcome.trajectory.longitude) if outcome.kind.placed else ():
        assert f"{degrees!r}" not in json.dumps(found)


def test_it_can_be_pickled_with_its_groups() -> None:
    again = pickle.loads(pickle.dumps(OUTCOME))
    assert (again.release.budgets == OUTCOME.release.budgets).all() and "release" not in vars(again)
    assert pickle.loads(pickle.dumps(OUTCOME.losses)).supremum == OUTCOME.supremum

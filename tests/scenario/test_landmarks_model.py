"""Scenarios: validated, frozen, the same after JSON, after a link and after undo."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import CORRELATIONS, SCHEMES, Scenario

scenarios = st.builds(
    Scenario,
    track=st.sampled_from(["bob", "commuter", ""]),
    scheme=st.sampled_from(sorted(SCHEMES)),
    epsilon=st.floats(1e-9, 1e6),
    landmarks=st.sets(st.integers(0, 3000), max_size=40).map(tuple),
    window=st.integers(1, 5000),
    radius_m=st.floats(1, 1e5),
    correlation=st.sampled_from(sorted(CORRELATIONS)),
    cell_m=st.floats(50, 1e6),
    states=st.integers(2, 200),
    smoothing=st.floats(1e-6, 1e3),
    matrix=st.sampled_from([(), ((0.8, 0.2), (0.0, 1.0)), ((1.0,),), ((1 / 3, 2 / 3), (0.1, 0.9))]),
    adversary=st.sampled_from(["both", "past", "future"]),
    target=st.floats(1e-9, 1e6),
    increase=st.floats(0.01, 0.99),
    decrease=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**53 - 1),
    average=st.booleans(),
    landmark_loss=st.booleans(),
    delta=st.floats(1e-12, 0.5),
)


@given(scenarios)
def test_json_gives_the_equal_scenario(scenario: Scenario) -> None:
    assert Scenario.from_dict(json.loads(json.dumps(scenario.to_dict()))) == scenario


@given(scenarios)
def test_a_link_gives_the_equal_scenario_but_for_landmarks_of_ones_own_track(scenario: Scenario) -> None:
    again = Scenario(**from_query(to_query(scenario), Scenario))
    assert again == (scenario if scenario.track else dataclasses.replace(scenario, landmarks=()))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": 10**400}, "epsilon"),
        ({"seed": float("inf")}, "seed"),
        ({"epsilon": "1"}, "epsilon"),
        ({"epsilon": True}, "epsilon"),
        ({"epsilon": 2e6}, "1e-9 and 1,000,000"),
        ({"scheme": "fair"}, "uniform"),
        ({"correlation": None}, "moderate"),
        ({"window": 0}, "window"),
        ({"window": 2.5}, "whole number"),
        ({"radius_m": -1}, "protection radius"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**60}, "seed"),
        ({"increase": 1}, "the rise of adaptive's rate"),
        ({"average": 1}, "average"),
        ({"landmarks": 3}, "landmarks"),
        ({"landmarks": [-1]}, "landmarks"),
        ({"landmarks": ["a"]}, "landmarks"),
        ({"track": 7}, "track"),
        ({"compare": "yes"}, "compare"),
        ({"speed": 1}, "speed"),
        ({"matrix": [[0.5, 0.4], [0, 1]]}, "row 0"),
        ({"matrix": [[0.5, 0.5]]}, "transition matrix"),
        ({"matrix": "1 0"}, "matrix"),
        ({"states": 1}, "number of states"),
        ({"adversary": "all"}, "adversary"),
    ],
)
def test_bad_choices_get_a_sentence(change: dict, named: str) -> None:
    with pytest.raises(InputError) as caught:
        Scenario().with_changes(**change)
    said = str(caught.value)
    assert named in said.lower() and " must " in said


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"stays.within_m": 0}, "the size of a stay"),
        ({"stays.at_least_minutes": 1e6}, "the duration of a stay"),
        ({"compare.open": "yes"}, "compare"),
        ({"compare": True}, "compare"),
        ({"scenario": None}, "scenario"),
        ({"pinned": 3}, "pinned option"),
        ({"table.speed": 1}, "table.speed"),
    ],
)
def test_bad_choices_of_the_page_get_a_sentence(change: dict, named: str) -> None:
    with pytest.raises(InputError) as caught:
        TrackChoices().with_changes(**change)
    said = str(caught.value)
    assert named in said.lower() and " must " in said


def test_the_sentence_of_the_issue() -> None:
    with pytest.raises(InputError) as caught:
        Scenario(epsilon=-3)
    assert str(caught.value) == "Epsilon must be between 1e-9 and 1,000,000; got -3."
    with pytest.raises(InputError) as caught:
        Scenario(window=0)
    assert str(caught.value) == "Window must be a whole number between 1 and 1,000,000; got 0."


def test_it_is_frozen_and_in_order() -> None:
    scenario = Scenario(landmarks=(7, 0, 0, 4))
    assert scenario.landmarks == (0, 4, 7)
    assert scenario.toggled(4).landmarks == (0, 7)
    assert scenario.toggled(5).landmarks == (0, 4, 5, 7)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scenario.epsilon = 2.0


@pytest.mark.parametrize("query", ["epsilon=abc", "landmarks=1-x", "landmarks=0-9999999", "landmarks=--", "seed="])
def test_a_broken_link_gets_a_sentence(query: str) -> None:
    with pytest.raises(InputError):
        from_query(query, Scenario)


def test_a_link_passes_over_what_belongs_to_others() -> None:
    assert from_query("?utm_source=mail&epsilon=2", Scenario) == {"epsilon": 2.0}


def test_a_link_holds_no_landmark_of_ones_own_track() -> None:
    assert "&landmarks=" not in to_query(Scenario(track="", landmarks=(1, 2)))

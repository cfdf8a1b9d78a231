"""Scenario files: they load back exactly, say what they are, and refuse in a sentence what is no scenario."""

from __future__ import annotations

import contextlib
import json
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.files import FORMAT, MOST_CHARACTERS, choices_from_json, choices_json
from lmdk_widgets.scenario import CORRELATIONS, SCHEMES, Scenario

scenarios = st.builds(
    Scenario,
    track=st.text(max_size=60),
    scheme=st.sampled_from(sorted(SCHEMES)),
    epsilon=st.floats(1e-9, 1e6),
    landmarks=st.lists(st.integers(0, 999_999), max_size=30),
    window=st.integers(1, 1_000_000),
    radius_m=st.floats(1, 100_000),
    correlation=st.sampled_from(sorted(CORRELATIONS)),
    cell_m=st.floats(50, 1_000_000),
    increase=st.floats(0.01, 0.99),
    decrease=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**53 - 1),
    average=st.booleans(),
)


@given(scenarios)
def test_it_loads_back_exactly(scenario: Scenario) -> None:
    changes = {"stays.open": True, "table.most_loss": 2.0, "attacker.cells": 40}
    choices = TrackChoices(scenario, pinned=scenario).with_changes(**changes)
    text = choices_json(choices)
    assert choices_from_json(text) == choices
    assert choices_from_json("\ufeff" + text.replace("\n", "\r\n")) == choices  # saved again by a Windows editor


def test_what_stands_in_it() -> None:
    text = choices_json(TrackChoices(Scenario(landmarks=(0, 2, 4, 7))))
    content = json.loads(text)
    assert content["note"] == "simulation, not a private release"
    assert (content["format"], content["version"]) == (FORMAT, 2)
    assert set(content["scenario"]) == set(TrackChoices.kinds()) > {field.name for field in fields(Scenario)}
    assert '\n    "landmarks": [0, 2, 4, 7],\n' in text


def test_left_out_choices_take_their_defaults() -> None:
    assert choices_from_json(changed({"epsilon": 0.5})) == TrackChoices(Scenario(epsilon=0.5))
    assert choices_from_json(changed({})) == TrackChoices()


def test_room_for_a_million_landmarks() -> None:
    scenario = Scenario(landmarks=tuple(range(900_000, 1_000_000)))
    text = choices_json(TrackChoices(scenario))
    assert 10 * len(text) < MOST_CHARACTERS
    assert choices_from_json(text).scenario == scenario


def changed(choices: object, **head: object) -> str:
    return json.dumps({"format": FORMAT, "version": 2, "scenario": choices} | head)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "A scenario file must be JSON; got a damaged file or one of another kind"),
        ("PK\x03\x04", "damaged"),
        ('{"format": ', "damaged"),
        ("[" * 100_000, "damaged"),
        ('{"a":' * 100_000, "damaged"),
        ("[]", "got other JSON"),
        ("7", "got other JSON"),
        ('{"type": "FeatureCollection", "features": []}', "got other JSON"),
        (changed({}, version=3), "the version of a scenario file must be 2; got"),
        (changed({}, version=True), "the version of a scenario file must be 2; got"),
        (changed({}, version=[1]), "the version of a scenario file must be 2; got"),
        (changed({}, version=None), "the version of a scenario file must be 2; got"),
        (changed(None), "Choices must be a JSON object"),
        (changed([1]), "Choices must be a JSON object"),
        (changed({"nosuch": 1}), "nosuch"),
        (changed({"epsilon": float("nan")}), "NaN"),
        (changed({"epsilon": float("-inf")}), "-Infinity"),
        (changed({"epsilon": 1}).replace(": 1}", ": 1e999}"), "Epsilon must be between 1e-9 and 1,000,000; got inf"),
        (changed({"epsilon": 10**400}), "at most 20 digits"),
        (changed({"epsilon": 1}).replace(": 1}", ": " + "9" * 1_000_000 + "}"), "at most 20 digits"),
        (changed({"epsilon": "0.5"}), "epsilon"),
        (changed({"epsilon": True}), "epsilon"),
        (changed({"seed": -1}), "seed"),
        (changed({"scheme": ["uniform"]}), "scheme"),
        (changed({"landmarks": [[1]]}), "landmarks"),
        (changed({"landmarks": "012"}), "landmarks"),
        (changed({"landmarks": 3}), "landmarks"),
        (changed({"track": 5}), "track"),
        (changed({"average": 1}), "average"),
        (" " * (MOST_CHARACTERS + 1), "at most 10,000,000 characters; got 10,000,001"),
    ],
)
def test_what_is_no_scenario(text: str, said: str) -> None:
    with pytest.raises(InputError) as refusal:
        choices_from_json(text)
    assert said.lower() in str(refusal.value).lower()
    assert len(str(refusal.value)) < 2500


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_json_is_refused_or_read(content: object) -> None:
    for text in (json.dumps(content), changed(content), changed({"landmarks": content}), changed({"epsilon": content})):
        with contextlib.suppress(InputError):
            assert isinstance(choices_from_json(text), TrackChoices)


@given(st.text(max_size=200))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        choices_from_json(text)

"""Choices: frozen, the same after JSON, changed one by one, refused by name; for every page alike."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from copy import copy
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import Scenario
from tests.page.tiny import Tiny, any_tiny

PAGES: list[type[Choices]] = [Tiny, Scenario, PlaceChoices, SeriesChoices, TableChoices, PeopleChoices]


@given(any_tiny)
def test_json_gives_the_equal_choices(tiny: Tiny) -> None:
    assert Tiny.from_dict(json.loads(json.dumps(tiny.to_dict()))) == tiny
    assert tiny.with_changes() == tiny


@pytest.mark.parametrize("kind", PAGES)
def test_what_every_page_declares_holds_together(kind: type[Choices]) -> None:
    start = kind()
    assert list(kind.kinds()) == [f.name for f in fields(kind)] == list(start.to_dict())
    assert {name: getattr(start, name) for name in kind.kinds()} == kind.defaults()
    controls = kind.controls()
    json.dumps(controls, allow_nan=False)
    assert set(controls["fields"]) == set(kind.kinds())
    grouped = [name for group in controls["groups"] for name in group["names"]]
    assert len(grouped) == len(set(grouped)) and set(grouped) <= set(kind.kinds())
    assert set(start.visible()) <= set(kind.kinds()) and set(kind.ALWAYS_TOLD) <= set(kind.kinds())
    assert all(field.label for field in kind.kinds().values())


@pytest.mark.parametrize("kind", PAGES)
def test_every_slider_lies_within_what_is_allowed_and_reaches_the_default(kind: type[Choices]) -> None:
    for name, field in kind.kinds().items():
        slider = getattr(field, "slider", None)
        if slider is not None:
            assert field.low <= slider.low < slider.high <= field.high  # type: ignore[attr-defined]
            assert slider.low <= kind.defaults()[name] <= slider.high
            assert slider.low > 0 or not slider.log


def test_groups_are_in_the_order_of_the_declaration() -> None:
    assert Tiny.controls()["groups"] == [
        {"title": "Privacy", "names": ["epsilon", "window"]},
        {"title": "Shape", "names": ["size_m", "shape"]},
    ]


@pytest.mark.parametrize("kind", PAGES)
def test_a_name_that_does_not_exist_is_refused_by_name(kind: type[Choices]) -> None:
    for make in (lambda: kind().with_changes(colour="red"), lambda: kind.from_dict({"colour": "red"})):
        with pytest.raises(InputError, match="The name of a choice must be .*; got colour") as caught:
            make()
        assert next(iter(kind.kinds())) in str(caught.value)


@pytest.mark.parametrize("values", [None, [1], "x", 3, iter([])])
def test_only_a_mapping_is_a_set_of_choices(values: Any) -> None:
    with pytest.raises(InputError, match="Choices must be a JSON object"):
        Tiny.from_dict(values)


def test_names_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="The name of a choice must be .*; got 3"):
        Tiny.from_dict({3: 1})  # type: ignore[dict-item]


def test_they_are_frozen_and_left_out_ones_take_their_defaults() -> None:
    assert Tiny.from_dict({"epsilon": 2}) == Tiny(epsilon=2.0)
    with pytest.raises(FrozenInstanceError):
        Tiny().epsilon = 3.0  # type: ignore[misc]


def test_a_refused_change_leaves_the_value_before() -> None:
    tiny = Tiny(epsilon=2.0)
    with pytest.raises(InputError):
        tiny.with_changes(window=5, epsilon=-1)
    assert tiny == Tiny(epsilon=2.0)


def test_a_generator_of_values_is_read_once() -> None:
    def some() -> Iterator[int]:
        yield from (3, 1)

    assert Tiny(marked=some()).marked == (1, 3)  # type: ignore[arg-type]


def test_an_unknown_name_is_refused_where_choices_are_made() -> None:
    for make in (Scenario, TrackChoices, PlaceChoices):
        with pytest.raises(InputError, match=r"The name of a choice must be .*; got eps\."):
            make(eps=1)
    assert pickle.loads(pickle.dumps(Scenario(epsilon=2))) == Scenario(epsilon=2) == copy(Scenario(epsilon=2))

"""The choices of the place page: validated, frozen, the same after JSON."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import PlaceChoices

choices = st.builds(
    PlaceChoices,
    area=st.sampled_from(["grid", "track"]),
    rows=st.integers(2, 15),
    cell_m=st.floats(20, 50_000),
    prior=st.sampled_from(["city", "uniform", "time", "painted"]),
    painted=st.lists(st.floats(0, 1e6), max_size=30),
    level=st.floats(0.01, 20),
    radius_m=st.floats(10, 100_000),
    dilation=st.floats(1, 3),
    place=st.integers(-1, 224),
)


@given(choices)
@settings(max_examples=60, deadline=None)
def test_choices_survive_json(places: PlaceChoices) -> None:
    assert PlaceChoices.from_dict(json.loads(json.dumps(places.to_dict()))) == places
    assert places.with_changes() == places


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rows": 1}, "The number of rows must be a whole number between 2 and 15; got 1."),
        ({"columns": 16}, "between 2 and 15"),
        ({"rows": 2.5}, "whole number"),
        ({"cell_m": float("nan")}, "Cell size"),
        ({"level": 0}, "Privacy level"),
        ({"radius_m": -5}, "The radius must be between 10 and 100,000 m; got -5."),
        ({"dilation": 0.9}, "Dilation"),
        ({"latitude": 89}, "between -80 and 80 degrees"),
        ({"mechanism": "magic"}, '"optimal", "spanner"'),
        ({"prior": None}, "Prior"),
        ({"painted": [1, -1]}, "Each of the painted weights must be between 0 and 1,000,000; got -1."),
        ({"painted": "11"}, "Painted weights must be a list"),
        ({"painted": [1] * 226}, "225"),
        ({"rows": True}, "whole number"),
        ({"colour": "red"}, "The name of a choice must be"),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(changes: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        PlaceChoices().with_changes(**changes)


def test_choices_are_frozen_and_epsilon_is_level_over_radius() -> None:
    places = PlaceChoices(level=np.log(4), radius_m=200)
    assert places.epsilon_per_m == pytest.approx(0.0069314718)
    with pytest.raises(FrozenInstanceError):
        places.level = 2.0  # type: ignore[misc]
    with pytest.raises(InputError, match="JSON object"):
        PlaceChoices.from_dict([1])  # type: ignore[arg-type]

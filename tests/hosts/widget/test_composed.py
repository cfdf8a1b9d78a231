"""Widgets among others: choices as traits that are observed, linked and set, from Python and from a browser."""

from __future__ import annotations

from typing import Any

import ipywidgets
import pytest
import traitlets

from lmdk_widgets import Explorer, PlacesLab, QuiltLab
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import PlaceChoices
from tests.hosts.widget.messages import listening

SMALL = PlaceChoices(rows=2, columns=2, prior="uniform")


@pytest.mark.parametrize(
    ("made", "changes"), [(lambda: PlacesLab(SMALL), {"level": 2.0}), (QuiltLab, {"epsilon": 3.0})]
)
def test_choices_travel_as_a_dict_and_can_be_set_as_one(made: Any, changes: dict[str, Any]) -> None:
    lab = listening(made())
    assert lab.get_state("choices")["choices"] == lab.session.choices.to_dict()
    seen: list[Any] = []
    lab.observe(lambda change: seen.append(change["new"]), "choices")
    lab.choices = changes
    ((name, value),) = changes.items()
    assert lab.session.choices[name] == value and seen[-1] == lab.choices == lab.session.choices
    assert lab.outcome is lab.page.outcome and lab.get_state("choices")["choices"][name] == value
    before = lab.choices
    for bad in ({name: -1.0}, {"nothing": 1}):
        with pytest.raises(InputError):
            lab.choices = bad
        assert lab.choices == before == lab.session.choices
        lab.set_state({"choices": bad})
        assert lab.sent[-1][0]["type"] == "refused" and lab.choices == before
    lab.set_state({"choices": {name: 1.5}})
    assert lab.session.choices[name] == 1.5


def test_epsilon_scheme_and_landmarks_are_traits_of_the_explorer() -> None:
    explorer = listening(Explorer("bob"))
    slider = ipywidgets.FloatSlider(value=1.0, min=0.1, max=10)
    traitlets.link((slider, "value"), (explorer, "epsilon"))
    slider.value = 0.5
    assert explorer.scenario.epsilon == 0.5 == explorer.choices["epsilon"]
    explorer.scenario = explorer.scenario.with_changes(epsilon=2.0, scheme="event")
    assert (slider.value, explorer.scheme) == (2.0, "event")
    explorer.landmarks = [0, 3]
    assert explorer.scenario.landmarks == (0, 3)
    explorer.choices = {"landmarks": [1], "scheme": "uniform"}
    assert (explorer.landmarks, explorer.scheme) == ([1], "uniform")
    for name, bad in (("epsilon", -1), ("scheme", "none"), ("landmarks", [99])):
        before = getattr(explorer, name)
        with pytest.raises(InputError):
            setattr(explorer, name, bad)
        assert getattr(explorer, name) == before == explorer.get_state(name)[name]
        explorer.set_state({name: bad})
        assert explorer.sent[-1][0]["type"] == "refused" and getattr(explorer, name) == before
    explorer.set_state({"epsilon": 3})
    assert explorer.scenario.epsilon == 3 == slider.value
    box = ipywidgets.VBox([slider, ipywidgets.HBox([explorer, QuiltLab()])])
    assert explorer in box.children[1].children

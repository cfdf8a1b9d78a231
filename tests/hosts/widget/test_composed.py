"""Widgets among others: choices as traits that are observed, linked and set, from Python and from a browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets
import pytest
import traitlets

from lmdk_widgets import Explorer, FoundationsLab, PeopleLab, PlacesLab, QuiltLab, sample
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import in_field
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
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


@pytest.mark.parametrize("made", [Explorer, lambda: PlacesLab(SMALL), QuiltLab, FoundationsLab, PeopleLab])
def test_choices_are_a_mapping_from_names_to_values(made: Callable[[], Any]) -> None:
    choices = made().choices
    assert isinstance(choices, Mapping) and not isinstance(choices, dict)
    names = list(choices.kinds())
    assert list(choices) == list(choices.keys()) == names and len(choices) == len(names)
    assert dict(choices) == dict(choices.items()) == {name: choices[name] for name in names}
    assert names[0] in choices and "epsilom" not in choices and choices.get("epsilom", 7) == 7
    with pytest.raises(KeyError):
        choices["epsilom"]
    assert type(choices).from_dict(choices) == choices and made().choices == choices
    assert repr(type(choices)()) == f"{type(choices).__name__}()"


def test_choices_say_briefly_what_differs_and_keep_their_attributes() -> None:
    choices = Explorer("bob", epsilon=0.5, choices={"table.open": True, "pinned": {"epsilon": 3}}).choices
    assert choices.scenario.epsilon == 0.5 and choices.table.open and choices["table.open"]
    assert repr(choices).startswith("TrackChoices(landmarks=(0, 2, 4, 7), epsilon=0.5, ") and "table.open=True" in repr(
        choices
    )
    assert (
        len(repr(Explorer("bob", landmarks=range(8), choices={"budgets": [0.1 * k for k in range(8)]}).choices)) < 250
    )
    other = QuiltLab(SeriesChoices(epsilon=1.5, pinned={"epsilon": 3.0})).choices
    assert other.pinned["epsilon"] == 3.0 and SeriesChoices(pinned=other).pinned is other
    explorer = Explorer("bob", choices=choices)
    assert explorer.choices == choices


def test_a_page_says_its_data_its_scheme_and_its_epsilon() -> None:
    explorer = Explorer("bob", epsilon=0.5)
    assert repr(explorer) == "Explorer(bob, Uniform, epsilon 0.5)"
    explorer.scheme = "skip"
    assert repr(explorer) == "Explorer(bob, Skip, epsilon 0.5)"
    mine = repr(Explorer(sample("bob")[0:4]))
    assert mine == "Explorer(your own track, Uniform, epsilon 1)", "a notebook keeps it"
    assert repr(Explorer("household")) == "Explorer(household, Uniform, epsilon 1)"


def test_epsilon_is_written_as_its_field_shows_it() -> None:
    explorer, slider = Explorer("bob"), ipywidgets.FloatSlider(value=2.0, min=0.1, max=10, step=1e-9)
    traitlets.link((explorer, "epsilon"), (slider, "value"))
    for given in (1.0000000000000002, 0.1 + 0.2, 1 / 3, 10**0.1):
        explorer.epsilon = given
        assert explorer.epsilon == explorer.scenario.epsilon == explorer.choices["epsilon"] == in_field(given)
        assert slider.value == in_field(given) and len(str(explorer.epsilon)) <= 8
    explorer.scenario = explorer.scenario.with_changes(epsilon=2 / 3)
    assert explorer.epsilon == 0.666667 and explorer.scenario.epsilon == 2 / 3, "a scenario is not rounded"
    explorer.epsilon = 0.666667
    assert explorer.scenario.epsilon == 2 / 3


def test_what_a_browser_tells_of_its_page_undoes_no_later_change() -> None:
    """It sets the choices that it has from here, perhaps after newer ones were made."""
    explorer = listening(Explorer("bob"))
    shown = {name: explorer.get_state(name)[name] for name in explorer.SYNCED}
    seen: list[Any] = []
    explorer.observe(seen.append, list(explorer.SYNCED))
    explorer.epsilon = 4.0
    told = len(seen)
    explorer.set_state({**shown, "_shown": "view 1"})
    assert explorer.epsilon == 4.0 == explorer.scenario.epsilon and len(seen) == told
    explorer.set_state({"epsilon": 2.0})
    assert explorer.epsilon == 2.0 and len(seen) > told

"""A panel that names its choices as its fold: what the page is told of it, its blocks, its part of a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from lmdk_widgets.page.blocks import Act, Block, Buttons, Chart, Column, Table, Text, block_messages
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag, whole
from lmdk_widgets.page.history import State
from lmdk_widgets.page.panel import Panel, Panels


@dataclass(frozen=True)
class Asked(Choices):
    open: bool = flag(False, "How many?")
    most: int = whole(3, (1, 9), "Most")
    least: int = whole(1, (1, 9), "Least")


class Counted(Panel):
    NAME = "counted"
    FOLD = Asked
    FILES: ClassVar = {"numbers": lambda choices, outcome: "n\n3\n"}

    def blocks(self, choices: Any, outcome: Any) -> Iterator[Block]:
        if outcome:
            yield Text(f"There are {outcome}.")
            yield Table.of_texts("Numbers", ("n",), [(str(outcome),)])
            trace = {"type": "scatter", "y": {"$": "at"}}
            yield Chart("n", "Drawn", {"data": [trace], "layout": {}}, "One.", {"at": np.array([3.0])})


class Drawn(Panel):
    NAME = "drawn"


class Always(Panel):
    NAME = "always"
    OPERATIONS: ClassVar = {
        "add": lambda state, operation, outcome: state.choices + operation["value"] + outcome(),
        "set start": lambda state, operation, outcome: operation["value"],
    }

    def text(self, choices: Any, outcome: Any) -> dict[str, Any]:
        return {"said": outcome}


class Never(Panel):
    """It is asked nothing: each of its methods would fail."""

    NAME = "never"
    OPEN: ClassVar = {"kind": "b", "beside": True}

    def asked(self, choices: Any, outcome: Any) -> Any:
        raise AssertionError

    text = drawings = pictures = parts = asked  # type: ignore[assignment]


PANELS = Panels((Drawn(), Counted(), Always(), Never()))
OPEN = {"counted.open": True, "kind": "b", "beside": None}


def test_a_fold_has_the_label_of_open_the_other_controls_and_the_files() -> None:
    assert PANELS.folds() == [
        {
            "name": "counted",
            "title": "How many?",
            "bare": False,
            "place": "compare",
            "about": "",
            "fields": ["counted.most", "counted.least"],
            "files": [["numbers", "Numbers as CSV"]],
            "closed": [],
        }
    ]


class Bare(Panel):
    """It has no fold: another choice opens it."""

    NAME = "bare"
    BARE = "Two of them"
    PLACE = "side"
    ABOUT = "What is shown."
    OPEN: ClassVar = {"kind": True}
    CLOSED: ClassVar = (Buttons((Act("Open", {"op": "open"}, where="file"),)),)
    REPORTED = False

    def blocks(self, choices: Any, outcome: Any) -> Iterator[Block]:
        yield Text("Said.", "quiet", below="kind")
        yield Buttons((Act("Close", {"op": "close"}, "Close it"), Act("Other", {"op": "other"})))


def test_a_bare_panel_stands_in_its_place_with_buttons_below_a_control() -> None:
    panels = Panels((Counted(), Bare()))
    bare, fold = panels.folds(["bare"])
    assert (bare["title"], bare["bare"], bare["place"], bare["about"]) == (
        "Two of them",
        True,
        "side",
        "What is shown.",
    )
    assert fold["name"] == "counted" and bare["fields"] == bare["files"] == []
    opened = {"label": "Open", "operation": {"op": "open"}, "where": "file"}
    assert bare["closed"] == [{"kind": "buttons", "shown": [opened]}]
    choices = {"counted.open": False, "kind": "a"}
    said, buttons = panels.blocks(choices, 3)["bare"]
    assert said == {"kind": "text", "shown": "Said.", "look": "quiet", "below": "kind"}
    assert [act.get("title", "") for act in buttons["shown"]] == ["Close it", ""] and "below" not in buttons
    assert panels.blocks({"counted.open": False, "kind": None}, 3) == {}
    assert list(Bare().parts(choices, 3, None)) == [] and Buttons(()).html() == ""


def test_its_blocks_travel_by_name_with_arrays_in_their_places() -> None:
    assert PANELS.blocks(OPEN, 0) == {"counted": []}
    text, table, chart = PANELS.blocks(OPEN, 3)["counted"]
    assert text == {"kind": "text", "shown": "There are 3."}
    assert (table["kind"], table["shown"]["title"], table["shown"]["rows"]) == ("table", "Numbers", [["3"]])
    assert chart["kind"] == "chart" and chart["shown"]["figure"]["data"][0]["y"] == [3.0]
    assert (chart["shown"]["title"], chart["shown"]["summary"]) == ("Drawn", "One.")


def test_the_report_has_the_same_blocks_and_nothing_of_what_is_closed() -> None:
    ((heading, pieces, _),) = Counted().parts(None, 3, None)
    assert heading == "How many?" and [type(piece) for piece in pieces] == [Text, Table, Chart]
    assert list(Counted().parts(None, 0, None)) == list(Drawn().parts(None, 3, None)) == []


@pytest.mark.parametrize(
    "closed", [{"kind": "a", "beside": 1}, {"kind": "b", "beside": None}, {"kind": "b", "beside": False}]
)
def test_a_closed_panel_is_asked_nothing(closed: dict[str, Any]) -> None:
    choices = {"counted.open": False, **closed}
    assert [panel.NAME for panel in PANELS.opened(choices)] == ["drawn", "always"]
    assert PANELS.text(choices, 3) == {"said": 3} and PANELS.blocks(choices, 3) == {}
    assert list(PANELS.drawings(choices, 3)) == [] and PANELS.begun(choices, 3) == 3


def test_it_is_open_while_every_choice_is_as_declared() -> None:
    assert [panel.NAME for panel in PANELS.opened({**OPEN, "beside": 0})] == ["drawn", "counted", "always", "never"]


def test_an_operation_is_done_by_the_panel_that_declares_it() -> None:
    state = State(3, None)
    assert PANELS.changed(state, {"op": "add", "value": 4}, lambda: 5) == 12
    assert PANELS.changed(state, {"op": "set", "name": "start", "value": 7}, lambda: 5) == 7
    for other in ({"op": "set", "name": "other", "value": 7}, {"op": "start"}, {}):
        assert PANELS.changed(state, other, lambda: 5) is None


def test_rows_and_marks_say_what_a_click_asks_for() -> None:
    go = {"op": "go", "scheme": "skip"}
    table = Table("Schemes", (Column("scheme", "scheme"),), (("Skip",),), acts=(go,), signs=("★ ",), waits=True)
    told = block_messages([table])[0]["shown"]
    assert (told["acts"], told["signs"], told["waits"]) == ([go], ["★ "], True)
    assert "acts" not in block_messages([Table.of_texts("Numbers", ("n",), [("3",)])])[0]["shown"]
    chart = Chart("n", "Drawn", {"data": [{"type": "scatter", "y": [1.0], "meta": [go]}], "layout": {}}, "One.")
    assert block_messages([chart])[0]["shown"]["figure"]["data"][0]["meta"] == [go]

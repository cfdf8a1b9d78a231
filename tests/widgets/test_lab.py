"""The base of the labs: choices in, messages out; what is refused changes nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.widgets.lab import Lab


@dataclass(frozen=True)
class Squares:
    side: float = 2.0
    name: str = "a"

    def with_changes(self, **changes: Any) -> Self:
        if changes.get("side", 1) <= 0:
            raise InputError("it is not positive", where="side", value=changes["side"])
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class SquareLab(Lab):
    MODULE = "figure_view.js"
    PAGE = "squares"

    def _evaluate(self, choices: Squares) -> float:
        if choices.side > 100:
            raise InputError("it does not fit", where="side", value=choices.side)
        return choices.side**2

    def _options(self) -> dict[str, Any]:
        return {"names": ["a", "b"]}

    def _numbers(self, outcome: float) -> dict[str, Any]:
        return {"words": {"paragraph": f"area {outcome:g}", "assumption": "", "warnings": []}}

    def _drawing(self, outcome: float) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"figures": {}}, {"corners": np.array([0.0, outcome]), "counts": np.arange(3)}

    def _read_file(self, data: bytes, message: dict[str, Any]) -> float:
        return float(data)

    def _loaded(self, found: float, message: dict[str, Any]) -> Squares:
        return self.choices.with_changes(side=found)


@pytest.fixture
def lab() -> Any:
    made = SquareLab(Squares())
    made.sent = []
    made.send = lambda content, buffers=None: made.sent.append((content, buffers or []))
    return made


def ask(lab: Any, *operations: dict[str, Any], commit: bool = True) -> list[str]:
    lab.sent.clear()
    lab._on_message(lab, {"type": "change", "id": 7, "view": "v", "operations": operations, "commit": commit}, [])
    return [content["type"] for content, _ in lab.sent]


def side(value: float) -> dict[str, Any]:
    return {"op": "set", "name": "side", "value": value}


def test_a_new_page_gets_options_text_and_arrays(lab: Any) -> None:
    lab._on_message(lab, {"type": "ready", "view": "v"}, [])
    options, numbers, draw = (content for content, _ in lab.sent)
    assert options == {"type": "options", "names": ["a", "b"], "view": "v"}
    assert numbers["words"]["paragraph"] == "area 4" and numbers["choices"] == {"side": 2.0, "name": "a"}
    assert draw["arrays"] == [["corners", "f4"], ["counts", "i4"]]
    assert np.frombuffer(lab.sent[2][1][0], "f4").tolist() == [0, 4]


def test_a_change_is_answered_with_its_number_and_can_be_undone(lab: Any) -> None:
    assert ask(lab, side(3)) == ["numbers", "draw"]
    assert all(content["id"] == 7 and content["asked"] == "v" for content, _ in lab.sent)
    assert lab.choices.side == 3 and lab.outcome == 9
    ask(lab, {"op": "undo"})
    assert lab.choices.side == 2 and lab.outcome == 4 and lab.sent[0][0]["can_redo"]
    ask(lab, {"op": "redo"})
    assert lab.outcome == 9
    ask(lab, {"op": "reset"})
    assert lab.outcome == 4


def test_a_drag_is_one_step(lab: Any) -> None:
    for k in range(3, 8):
        ask(lab, side(k), commit=False)
    ask(lab, side(8))
    ask(lab, {"op": "undo"})
    assert lab.choices.side == 2


@pytest.mark.parametrize("value", [-1, 101])
def test_what_is_refused_changes_nothing(lab: Any, value: float) -> None:
    ask(lab, side(3))
    assert ask(lab, {"op": "undo"}, side(value)) == ["refused"]
    assert lab.choices.side == 3 and lab.outcome == 9
    ask(lab, {"op": "undo"})
    assert lab.choices.side == 2


def test_choices_can_be_set_and_observed_from_python(lab: Any) -> None:
    seen = []
    lab.observe(lambda change: seen.append(change["new"].side), "choices")
    lab.choices = Squares(5)
    ask(lab, side(6))
    with pytest.raises(InputError, match="does not fit"):
        lab.choices = Squares(101)
    assert lab.choices.side == 6 and lab.outcome == 36
    assert seen[:2] == [5, 6]


def test_an_uploaded_file_and_a_bad_one(lab: Any) -> None:
    for data in (b"7", b"-7"):
        lab._on_message(lab, {"type": "upload", "id": data, "view": "v", "name": "f", "piece": 0, "pieces": 1}, [data])
    assert lab.choices.side == 7
    assert lab.sent[-1][0]["type"] == "refused" and "got -7" in lab.sent[-1][0]["text"]


def test_a_link_opens_the_same_choices() -> None:
    first = SquareLab(Squares())
    first.choices = Squares(3, "b c")
    sent: list[Any] = []
    first.send = lambda content, buffers=None: sent.append(content)  # type: ignore[method-assign]
    first._announce({})
    assert sent[0]["link"] == "page=squares&side=3&name=b+c"
    second = SquareLab(Squares(), query=sent[0]["link"])
    assert second.choices == first.choices and not second._history.can_undo


def test_a_bad_link_is_said_on_the_page() -> None:
    lab = SquareLab(Squares(), query="page=squares&side=x")
    assert lab.choices == Squares() and "side in the link" in lab._greeting[0]["text"]

"""The smallest page that has a choice of every kind: for tests of what a declaration gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import Slider, choice, flag, indices, matrix, number, numbers, text, whole
from lmdk_widgets.page.history import State
from lmdk_widgets.page.session import Operation, Session

SHAPES = {"square": "Square: four equal sides.", "circle": "Circle: every point as far from the middle."}
MOST_INDICES = 1_000_000


def names() -> list[dict[str, str]]:
    return [{"name": "a", "title": "A", "meaning": "The first."}]


@dataclass(frozen=True)
class Tiny(Choices):
    """One field of each kind."""

    PAGE: ClassVar[str] = "tiny"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("name",)
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {"your marks": ("marked",)}

    epsilon: float = number(
        1.0, (0.01, 50.0), label="Epsilon", group="Privacy", help="The budget.", slider=Slider(0.05, 10, log=True)
    )
    size_m: float = number(200.0, (1.0, 100_000.0), label="Size", unit="m", group="Shape")
    window: int = whole(3, (1, 1_000), label="Window", group="Privacy")
    shape: str = choice("square", SHAPES, label="Shape", group="Shape")
    name: str = text("a", label="Name", known=names)
    note: str = text("", label="Note")
    average: bool = flag(False, label="Average")
    weights: tuple[float, ...] = numbers((1.0,), (0.0, 5.0), label="Weights", least=1, most=8)
    marked: tuple[int, ...] = indices(label="Marks", most=MOST_INDICES)
    moves: tuple[tuple[float, ...], ...] = matrix(label="Moves", most=20)


ROWS = ((), ((1.0,),), ((0.8, 0.2), (0.0, 1.0)), ((1 / 3, 2 / 3), (0.1, 0.9)))
any_tiny = st.builds(
    Tiny,
    epsilon=st.floats(0.01, 50),
    size_m=st.floats(1, 1e5),
    window=st.integers(1, 1000),
    shape=st.sampled_from(sorted(SHAPES)),
    name=st.text(max_size=60),
    note=st.text(max_size=60),
    average=st.booleans(),
    weights=st.lists(st.floats(0, 5), min_size=1, max_size=8),
    marked=st.sets(st.integers(0, MOST_INDICES - 1), max_size=40),
    moves=st.sampled_from(ROWS),
)


@dataclass(frozen=True, eq=False)
class Area:
    """What follows from the choices and the data, a number: `solved` counts how far `improve` has come."""

    choices: Tiny
    area: float
    solved: int = 0
    state: str = ""


class TinySession(Session):
    """A page whose data is a factor, whose outcome is an area, and whose better outcomes count to three."""

    def __init__(self, choices: Tiny | None = None, data: float = 1.0) -> None:
        super().__init__(State(choices or Tiny(), data))

    def evaluate(self, choices: Tiny, data: float) -> Area:
        if choices.size_m > 10_000:
            raise InputError("Size must be at most 10,000 m on this page", value=choices.size_m)
        return Area(choices, data * choices.size_m**2)

    def improve(self, outcome: Area) -> Iterator[Area]:
        for k in (1, 2, 3):
            yield replace(outcome, solved=k)

    def task(self, outcome: Area) -> Any:
        return outcome.choices.size_m if outcome.choices.average else None

    def continued(self, before: Area, outcome: Area) -> Area:
        same = before.choices.size_m == outcome.choices.size_m
        return replace(outcome, solved=before.solved, state=before.state) if same else outcome

    def interrupted(self, outcome: Area, reason: str = "") -> Area:
        return replace(outcome, state=reason or "cancelled")

    def fitted(self, state: State) -> State:
        return State(state.choices.with_changes(window=min(state.choices.window, 100)), state.data)

    def changed(self, state: State, operation: Operation) -> State:
        if operation.get("op") == "double":
            return State(state.choices.with_changes(size_m=2 * state.choices.size_m), state.data)
        return super().changed(state, operation)

    def read(self, data: bytes, name: str, **options: Any) -> tuple[str, float]:
        if not data.isdigit() and options.get("on_problem") != "drop":
            raise InputError("The file must be a number", value=data.decode(), kind="rows", rows=[(1, "no number")])
        return name, float(data) if data.isdigit() else float(options.get("instead", 9))

    def with_file(self, found: tuple[str, float]) -> tuple[State, str]:
        name, factor = found
        return State(self.choices.with_changes(note=name), factor), f"Read {name}."

    def left_out(self) -> tuple[str, ...]:
        return ("your factor",) if self.data != 1 else ()

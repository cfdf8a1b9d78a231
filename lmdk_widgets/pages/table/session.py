"""The session of the table page: its operations, the user's own table, links."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.session import File, Operation, Session
from lmdk_widgets.page.snippet import choices_call, counted_from_0, widget_snippet
from lmdk_widgets.pages.table.evaluate import TableOutcome, evaluate
from lmdk_widgets.pages.table.model import HOURS, OF_TABLE, TableChoices
from lmdk_widgets.pages.table.published import TABLE, attack_csv, publishing_of, table_of
from lmdk_widgets.pages.table.table import Table, read_table

OTHERS_LINK = (
    "The settings in this page's address are for an uploaded table, which neither a link nor a reload keeps: upload yours "
    "to use them with it."
)


class TableSession(Session):
    """The present choices, the uploaded table if there is one, and the outcome."""

    outcome: TableOutcome

    def __init__(self, choices: TableChoices | None = None, own: Table | None = None) -> None:
        super().__init__(State(choices or TableChoices(), own))

    evaluate = staticmethod(evaluate)

    def changed(self, state: State, operation: Operation) -> State:
        match operation.get("op"):
            case "set" if operation["name"] == "table":
                return State(state.choices.with_table(operation["value"]), state.data)
            case "known":
                return _known(state, operation["column"], bool(operation["on"]))
            case "add" | "remove" | "spend" | "source":
                return _stacked(state, operation)
            case "toggle":
                return _toggled(state, operation["index"])
            case "level":
                return _level(state, operation["column"], operation["value"])
        return super().changed(state, operation)

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        said = OTHERS_LINK if changes.get("table") == "own" else ""
        if said:
            changes = {name: value for name, value in changes.items() if name not in ("table", *OF_TABLE)}
        return super().linked(changes)[0], said

    def read(self, data: bytes, name: str, **options: Any) -> Table:
        return read_table(data, PurePath(name).name[:60])

    def with_file(self, table: Table) -> tuple[State, str]:
        return State(self.choices.with_table("own").with_changes(part="table"), table), ""

    def named(self) -> tuple[str, ...]:
        """The part, and the table, the mechanism or the level that it shows."""
        c = self.choices
        shown = {"table": c.table, "noise": c.mechanism, "stream": c.level}.get(c.part, "")
        if shown == "own" and self.data is not None:
            shown = PurePath(self.data.name).stem
        return c.part, shown

    def save(self, what: str) -> File:
        if what == "attack":
            return self.csv(what, attack_csv(self.outcome.shown))
        if what != "part":
            return super().save(what)
        outcome = self.outcome
        return self.csv(
            "", outcome.part.csv(outcome.choices, outcome.shown), TABLE if self.choices.part == "table" else NOTE
        )

    def left_out(self) -> tuple[str, ...]:
        return ("your table",) if self.choices.table == "own" else ()

    def what_if(self, *, truth: bool = False) -> Source:
        source = super().what_if(truth=truth)
        # an uploaded table that is not shown stays out, with its name
        return source if source.true else source._replace(state=State(self.choices, None))

    def python(self) -> str:
        arguments = [choices_call(self.choices)]
        if self.choices.table == "own" and self.data is not None:
            arguments.append(f"table={self.data.name or 'my-table.csv'!r}")
        imports = ["from lmdk_widgets.pages.table import TableChoices"]
        note = counted_from_0(self.choices, ("landmarks", "intrusions"))
        return widget_snippet("FoundationsLab", arguments, imports, note)


def _known(state: State, column: Any, on: bool) -> State:
    """Makes a column a quasi-identifier, or no longer one."""
    most = len(table_of(*state).heads)
    number = whole(column, "column", least=0, most=most - 1)
    left = [k for k in publishing_of(*state).quasi if k != number]
    if not on and not left:
        remedy = "With none of them nobody can be looked up: add another one first"
        raise InputError("At least one column must be a quasi-identifier", value="none", remedy=remedy)
    return State(state.choices.with_changes(quasi=[*left, number] if on else left), state.data)


def _stacked(state: State, operation: Operation) -> State:
    """Adds, removes or changes a release."""
    choices = state.choices
    releases, sources = list(choices.releases), list(choices.sources)
    if operation["op"] == "add":
        releases.append(operation["value"])
        sources.append(0)
    else:
        at = whole(operation["index"], "release", least=0, most=len(releases) - 1)
        if operation["op"] == "remove":
            del releases[at], sources[at]
        else:
            {"spend": releases, "source": sources}[operation["op"]][at] = operation["value"]
    return State(choices.with_changes(releases=releases, sources=sources), state.data)


def _toggled(state: State, index: Any) -> State:
    """Adds a landmark or an intrusion to an hour, or removes it."""
    name = state.choices.clicks
    hours = set(getattr(state.choices, name)) ^ {whole(index, "hour", least=0, most=HOURS - 1)}
    return State(state.choices.with_changes(**{name: hours}), state.data)


def _level(state: State, column: Any, level: Any) -> State:
    """Makes a column coarser or finer."""
    table = table_of(*state)
    number = whole(column, "column", least=0, most=len(table.heads) - 1)
    levels = [publishing_of(*state).level(k) for k in range(len(table.heads))]
    levels[number] = level
    return State(state.choices.with_changes(levels=levels), state.data)

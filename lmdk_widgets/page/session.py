"""What happens on a page, without the page: operations on the present state, links and files that come in and go out.

A session knows no widget and sends no messages, so every path of a page can be tested without a browser. Whatever is
refused raises `InputError` and leaves the state as it was.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakSet

from lmdk_widgets.cache import RecentResults
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.history import History, State, restored
from lmdk_widgets.page.link import Link, from_query, link_of
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.settings_file import SettingsFile
from lmdk_widgets.page.snippet import numbers_program

Operation = Mapping[str, Any]

MADE_UP = "The data are made up: they are a sample that comes with the program, about no real person."
TRUE = "This file contains the true data: whoever has the file has the data."


@dataclass
class Finished:
    """An outcome that nothing can improve, with what a page has sent of it: its text, and by name its drawings."""

    outcome: Any
    text: Message | None = None
    drawn: dict[str, tuple[tuple[Any, ...], tuple[Message, list[bytes]]]] = field(default_factory=dict)


FINISHED: RecentResults[tuple[type, State], Finished] = RecentResults(
    "page.session.FINISHED",
    "Outcomes of a sample, or of the track that a room was opened with, which a class asks for again and again.",
    "visitor",
    entries=128,
)


_ALIVE: defaultdict[type, WeakSet[Session]] = defaultdict(WeakSet)
"""The sessions of this process by their class: somebody who is alone with a page has nobody to share with."""


@dataclass(frozen=True)
class File:
    """A file for the browser to save, and a sentence to show then, or ""."""

    name: str
    mime: str
    data: bytes
    said: str = ""

    def write(self, folder: str | os.PathLike = ".") -> Path:
        """Writes the file to a folder under its own name; returns its path."""
        path = Path(folder) / self.name
        path.write_bytes(self.data)
        return path


class Session:
    """The present choices, data and outcome of a page, and the ways to change them.

    Parameters
    ----------
    state : initial choices and data; `fitted` before they are shown.

    Attributes
    ----------
    outcome : what follows from the present state. history : the states before and after it.
    """

    CHOOSES_COLUMNS: ClassVar[bool] = False
    """Whether the columns of a waiting table can be chosen."""

    apart: Callable[..., Any] | None = None
    """Reads files instead of `read`, for a host that reads them in another process: takes the class and the arguments of
    `read`."""

    READS_SERIES: ClassVar[bool] = False
    """Whether such a table may contain values instead of places."""

    COPIED: ClassVar[str] = "Python copied: it computes the numbers of this page again."
    """The sentence shown when `program` has been copied."""

    def __init__(self, state: State) -> None:
        _ALIVE[type(self)].add(self)
        state = self.fitted(state)
        self._finished: Finished | None = None
        self._evaluated = state
        self.outcome: Any = self.evaluate(*state)
        self.history = History(state)
        self._start = state
        self._waiting: tuple[bytes, str, dict[str, Any]] | None = None
        self._given: tuple[bytes, str, dict[str, Any]] | None = None

    # -- what a page says ---------------------------------------------------------------------------------------------

    def evaluate(self, choices: Any, data: Any, /) -> Any:
        """Everything that follows from choices and data; pure. Raises `InputError` if they do not fit together."""
        raise NotImplementedError

    def improve(self, outcome: Any, /) -> Iterator[Any]:
        """Better outcomes of the same state, one after another, if the best one takes longer."""
        return iter(())

    def is_common(self, state: State) -> bool:
        """Whether other people may look at the same state: one that finds it finished takes it from them."""
        return False

    def task(self, outcome: Any) -> Any:
        """What `improve` depends on: while it stays equal, its work goes on; None: there is nothing to improve."""
        return None

    def continued(self, before: Any, outcome: Any) -> Any:
        """An outcome with what still applies from another one, until there is something better."""
        return outcome

    def interrupted(self, outcome: Any, reason: str = "") -> Any:
        """The outcome after the user has cancelled its improvement, or after that ended for a `reason`, a sentence."""
        return outcome

    def progress(self, outcome: Any, *, busy: bool) -> Progress:
        """How far `improve` has got, while it is `busy`, or why it ended early."""
        return Progress()

    def urgent(self, outcome: Any) -> bool:
        """Whether someone is waiting for the next result of `improve`: if so, the work of other pages lets it go first."""
        return True

    def fitted(self, state: State) -> State:
        """A state whose choices suit its data: choices that the user did not make are adapted instead of refused."""
        return state

    def changed(self, state: State, operation: Operation) -> State:
        """The state after an operation of the page; a subclass adds its own and leaves the others to this method."""
        if operation.get("op") == "set":
            return State(state.choices.with_changes(**{operation["name"]: operation["value"]}), state.data)
        raise InputError("The page asked for an operation that does not exist", value=operation.get("op"))

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        """The initial state with the changes of a link, and a sentence for the user, or ""."""
        return State(self._start.choices.with_changes(**changes), self._start.data), ""

    def restored(self, choices: Any) -> State:
        """The state of choices from an earlier session, with the data available now; `InputError` without them."""
        return State(choices, self.data)

    def read(self, data: bytes, name: str, **options: Any) -> Any:
        """The content of the user's own file; reading may take long and changes nothing, so it may run in a thread."""
        raise InputError("This page takes no file", value=name)

    def with_file(self, found: Any) -> tuple[State, str]:
        """The state after a file was read, and a sentence for the user, or ""."""
        raise NotImplementedError

    def visible(self) -> list[str]:
        """The choices that have an effect now: the page hides the controls of the others."""
        return self.choices.visible()

    def left_out(self) -> tuple[str, ...]:
        """What of the user's own data a link never contains, in words."""
        return ()

    def python(self) -> str:
        """A cell of a notebook that shows the page with the present settings."""
        raise NotImplementedError

    def program(self) -> str:
        """A Python program that computes the numbers of the page again."""
        return numbers_program(self.python())

    def named(self) -> tuple[str, ...]:
        """The settings that file names mention."""
        return (self.choices.PAGE,)

    def save(self, what: str) -> File:
        """The file for a button of the Save menu; one that reveals true places or values says so. Released places have noise
        that the seed does not reveal; other noise from the seed is saved next to the true values."""
        raise InputError("The page asked for a file that does not exist", value=what)

    def what_if(self, *, truth: bool = False) -> Source:
        """What a file that shows many settings is computed from: no truth about anyone, unless `truth` says so.
        Raises `InputError` for the user's own data if nothing can stand in for them."""
        own = self.left_out()
        if own and not truth:
            what = f"A what-if file cannot be made from {' and '.join(own)} without the true data in it"
            raise InputError(what, remedy="Ask for a file with the true data, or begin with a sample")
        return Source(self.state, TRUE if own else MADE_UP, true=bool(own))

    def settings(self) -> str:
        """The choices as JSON, one per line."""
        return SettingsFile("settings", "A settings file", type(self.choices)).write(self.choices)

    # -- the same for every page --------------------------------------------------------------------------------------

    def csv(self, what: str, text: str, note: str = NOTE) -> File:
        """A table as a file named after what it is, the settings and what it contains."""
        return File(export_name("csv", *self.named(), what, note=note), "text/csv", text.encode("utf-8"))

    @property
    def state(self) -> State:
        """The state that `outcome` follows from."""
        return self._evaluated

    @property
    def choices(self) -> Any:
        """The present choices."""
        return self.history.present.choices

    @property
    def data(self) -> Any:
        """What the present choices are about."""
        return self.history.present.data

    @property
    def link(self) -> Link:
        """The link of the present choices, and what it leaves out of the user's own data."""
        return link_of(self.choices, self.left_out())

    def show(self, state: State, *, commit: bool = True) -> None:
        """Makes a state the present one, once it is evaluated; `commit` makes it a step that can be undone."""
        if state != self._evaluated:  # an undo has moved the history already
            known = FINISHED.get((type(self), state)) if self._is_shared(state) else None
            outcome = self.continued(self.outcome, self.evaluate(*state)) if known is None else known.outcome
            self.outcome, self._evaluated, self._finished = outcome, state, known
            self._share()
        self.history.show(state, commit=commit)

    def take(self, better: Any, began: State) -> None:
        """Takes an outcome that `improve` yielded; `began` is the state for which it was asked."""
        self.outcome = better if began == self._evaluated else self.continued(better, self.outcome)
        self._share()

    @property
    def finished(self) -> Finished | None:
        """What people with the same state share, if it is what this page shows."""
        known = self._finished
        return known if known is not None and known.outcome is self.outcome else None

    def _is_shared(self, state: State) -> bool:
        return len(_ALIVE[type(self)]) > 1 and self.is_common(state)

    def _share(self) -> None:
        """Lets others take the present outcome, if they may look at the same state and nothing is left to improve."""
        if self.finished is None and self._is_shared(self._evaluated) and self.task(self.outcome) is None:
            self._finished = Finished(self.outcome)
            FINISHED.put((type(self), self._evaluated), self._finished)

    def show_choices(self, choices: Any) -> None:
        """Shows choices that were set in Python, with the present data."""
        self.show(State(choices, self.data))

    def apply(self, operations: Sequence[Operation], *, commit: bool) -> None:
        """Applies operations in order, all or none: undo, redo, reset, and those of `changed`."""
        before = self.history.copy()
        try:
            state = self.history.present
            past = {"undo": self.history.undo, "redo": self.history.redo, "reset": lambda: self._start}
            for operation in operations:
                moved = past.get(str(operation.get("op")))
                state = moved() if moved is not None else self.changed(state, operation)
            self.show(state, commit=commit)
        except Exception:
            self.history = before  # a refused undo does not count
            raise

    def open_link(self, query: str) -> str:
        """Shows the settings in a link's query; returns a sentence for the user, or "". Reset returns to them."""
        changes = from_query(query, type(self.choices))
        if not changes:
            return ""
        state, said = self.linked(changes)
        self.begin(state)
        return said

    def begin(self, state: State) -> None:
        """Shows a state as the page's first one: nothing comes before it, and Reset returns to it."""
        self.show(state)
        self._start = self.history.present
        self.history = History(self._start)

    def restore(self, steps: Sequence[Mapping[str, Any]], at: int) -> None:
        """Shows the choices `steps[at]` of an earlier session, whose files are here again; the other steps lie around it."""
        kind = type(self.choices)
        history = restored(steps, at, lambda step: self.restored(kind.from_dict(step)))
        self.show(history.present)
        self.history = history

    def load(self, data: bytes, name: str = "", **options: Any) -> str:
        """Reads and shows a file of the user's own; a sentence for the user, or ""."""
        return self.take_file(self.read_file(data, name, **options))

    def read_file(self, data: bytes, name: str = "", **options: Any) -> Any:
        """What is in a file, for `take_file`. A file that a choice could mend waits for `read_again`."""
        self._waiting = None
        self._given = data, name, options

        def read(part: bytes, **more: Any) -> Any:
            given = {**options, **more}
            return self.read(part, name, **given) if self.apart is None else self.apart(type(self), part, name, **given)

        try:
            return read(data)
        except InputError as error:
            if error.kind:
                self._waiting = self._given
                from lmdk_widgets.trajectory.preview import collect, ends_of

                part = ends_of(data)
                if part is not None:
                    error.form = collect(partial(read, part), error, is_part=part is not data)
            raise

    def read_again(self, **choice: Any) -> Any:
        """Reads the refused file again with what the user chose; earlier choices for it stay."""
        if self._waiting is None:
            raise InputError("No file is waiting", remedy="Upload it again")
        data, name, options = self._waiting
        return self.read_file(data, name, **{**options, **choice})

    def take_file(self, found: Any) -> str:
        """Shows what was read; returns a sentence for the user, or "". Reset returns to it."""
        state, said = self.with_file(found)
        self.show(self.fitted(state))
        self._start = self.history.present
        self._waiting = self._given if self.has_parts(found) else None
        self._given = None
        return said

    def has_parts(self, found: Any) -> bool:
        """Whether a file that was read is kept, so that part of it can be chosen."""
        return False

    def can_choose_columns(self) -> bool:
        """Whether a table is waiting whose columns can be chosen."""
        return self.CHOOSES_COLUMNS and self._preview() is not None

    def preview(self) -> dict[str, Any]:
        """The first rows of the waiting table, and what its columns seem to contain; for its owner's page only."""
        found = self._preview()
        if found is None:
            raise InputError("No table is waiting", remedy="Upload it again")
        return found

    def drawn_rows(self, columns: Any, headings: Any) -> dict[str, Any] | None:
        """The first rows of the waiting table, drawn with other columns."""
        from lmdk_widgets.trajectory.preview import drawn_again

        return drawn_again(self.preview(), columns, headings)

    def _preview(self) -> dict[str, Any] | None:
        if self._waiting is None or self._waiting[2].get("purpose", "track") != "track":
            return None
        from lmdk_widgets.trajectory.preview import preview

        return preview(self._waiting[0], asks="columns" not in self._waiting[2], series=self.READS_SERIES)

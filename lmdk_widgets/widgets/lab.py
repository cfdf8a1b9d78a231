"""The base of the labs: choices in, a picture out, on one page of the dashboard or alone in a notebook.

A lab's choices are one frozen value, as a scenario is; its evaluation is pure. This class keeps the choices with undo and
redo, answers the page and lets Python set and observe them; a subclass says how to evaluate, tell and draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import traitlets

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.history import History
from lmdk_widgets.scenario.link import choices_from_query, choices_to_query
from lmdk_widgets.widgets.page import Handler, Message, Page

KINDS = {"f": "f4", "i": "i4", "u": "i4", "b": "i4"}
"""How arrays travel, by the kind of their numbers: what only becomes pixels needs no more."""


class Choices(Protocol):
    """Everything that a user of a lab can choose: frozen, validated, comparable."""

    def with_changes(self, **changes: Any) -> Self:
        """A copy with other values; raises `InputError` for what is not allowed."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The choices as values that JSON knows; data of the user's own is left out."""
        ...


class Lab(Page):
    """A page over one frozen value of choices.

    Parameters
    ----------
    choices : to begin with.
    query : the query string of a link made by "Copy link"; a refusal is shown on the page.

    Attributes
    ----------
    choices : the present ones; set them to change the page, observe them to follow the user.
    outcome : what follows from them.
    """

    MODULE: ClassVar[str]
    """The bundle that draws the page, such as "places.js"."""
    PAGE: ClassVar[str]
    """The name of the page in links, such as "places"."""

    choices = traitlets.Any()

    def __init__(self, choices: Any, *, query: str = "", **traits: Any) -> None:
        self._start = choices
        self._history: History[Any] = History(choices)
        self._following = False
        self._evaluated = choices
        self.outcome: Any = self._evaluate(choices)
        super().__init__(_module=self.MODULE, **traits)
        if query:
            self._greet(lambda: self._open_link(query))
        self._follow()

    # -- what a subclass says -----------------------------------------------------------------------------------------

    def _evaluate(self, choices: Any) -> Any:
        """Everything that follows from the choices; pure. Raises `InputError` for choices that do not go together."""
        raise NotImplementedError

    def _options(self) -> Message:
        """What can be chosen: names, ranges, meanings; sent once to each page."""
        raise NotImplementedError

    def _numbers(self, outcome: Any) -> Message:
        """The text of the page: at least "words" with "paragraph", "assumption" and "warnings"."""
        raise NotImplementedError

    def _drawing(self, outcome: Any) -> tuple[Message, Mapping[str, np.ndarray]]:
        """The figures as plain descriptions, and the arrays that they name."""
        raise NotImplementedError

    def _loaded(self, data: bytes, message: Message) -> Any:
        """The choices after a file was uploaded; `message` has its "name". Raises `InputError`."""
        raise InputError("this page takes no file", where="upload")

    def _changed(self, choices: Any, operation: Message) -> Any:
        """The choices after an operation of the page; a subclass adds operations of its own."""
        match operation.get("op"):
            case "set":
                return choices.with_changes(**{operation["name"]: operation["value"]})
            case "undo":
                return self._history.undo()
            case "redo":
                return self._history.redo()
            case "reset":
                return self._start
        raise InputError("there is no such operation", where="page", value=operation.get("op"))

    # -- from Python and from links -----------------------------------------------------------------------------------

    @traitlets.observe("choices")
    def _choices_set(self, change: Any) -> None:
        if self._following or change["new"] is self._history.present:
            return
        try:
            self._show(change["new"])
        except InputError:
            self._follow()  # nothing is lost: the previous state stays
            raise
        self._announce({})

    def _follow(self) -> None:
        self._following = True
        try:
            self.choices = self._history.present
        finally:
            self._following = False

    def _open_link(self, query: str) -> None:
        changes = choices_from_query(query, self._start.to_dict())
        if changes:
            self._show(self._start.with_changes(**changes))
            self._start = self._history.present  # what Reset leads back to
            self._history = History(self._start)

    # -- from the page ------------------------------------------------------------------------------------------------

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {"ready": self._ready, "change": self._change}

    def _ready(self, message: Message, _buffers: list[Any]) -> None:
        view = {"view": message.get("view")}
        self.send({"type": "options", **self._options(), **view})
        self._announce(view)
        self._send_greeting(view)

    def _change(self, message: Message, _buffers: list[Any]) -> None:
        operations, commit = message["operations"], bool(message.get("commit", True))
        before = self._history.copy()
        try:
            choices = self._history.present
            for operation in operations:
                choices = self._changed(choices, operation)
            self._show(choices, commit=commit)
        except Exception:
            self._history = before  # a refused undo is no undo
            raise
        self._announce({"id": message.get("id"), "asked": message.get("view")})
        self._follow()

    def _take_file(self, data: bytes, message: Message) -> None:
        self._show(self._loaded(data, message))
        self._announce({})
        self._follow()

    def _show(self, choices: Any, *, commit: bool = True) -> None:
        """Makes choices the present ones, once they are evaluated."""
        if choices != self._evaluated:  # an undo has moved the history already
            self.outcome, self._evaluated = self._evaluate(choices), choices
        self._history.show(choices, commit=commit)

    # -- to the page --------------------------------------------------------------------------------------------------

    def _announce(self, extra: Message) -> None:
        """The text first, which the eye follows while a slider moves, then the picture."""
        choices = self._history.present
        state = {
            "choices": choices.to_dict(),
            "can_undo": self._history.can_undo,
            "can_redo": self._history.can_redo,
            "link": choices_to_query(self.PAGE, choices.to_dict(), type(choices)().to_dict()),
        }
        self.send({"type": "numbers", **state, **self._numbers(self.outcome), **extra})
        described, arrays = self._drawing(self.outcome)
        self._send_arrays({"type": "draw", **described, **extra}, arrays)

    def _send_arrays(self, message: Message, arrays: Mapping[str, np.ndarray]) -> None:
        """A message with named arrays as binary buffers."""
        kinds = [(name, KINDS[array.dtype.kind]) for name, array in arrays.items()]
        buffers = [np.ascontiguousarray(arrays[name], dtype=kind).tobytes() for name, kind in kinds]
        self.send({**message, "arrays": [list(kind) for kind in kinds]}, buffers)

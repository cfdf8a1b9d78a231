"""The what-if as one file, from the page: which controls stay open, how large it will be, and then the file.

Both are made beside the page, which goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.messages import Handler, attempt, reraise
from lmdk_widgets.page.open_controls import MOST_PROPOSED, Source, opened
from lmdk_widgets.page.runner import END
from lmdk_widgets.page.session import File, Session
from lmdk_widgets.page.takeaway import REPORTS, TakeAway

if TYPE_CHECKING:
    from lmdk_widgets.page.what_if import WhatIf

BETWEEN_S = 0.2
"""How far a recording is, is told at most so often."""


class WhatIfOffer(TakeAway):
    """The part of a `Page` that records it."""

    def __init__(self, session: Session, **host: Any) -> None:
        super().__init__(session, **host)
        self._recording = self._runner()

    @classmethod
    def showing(cls, state: State, **host: Any) -> Self:
        """A page that begins with a state; without a host unless one is given, as for a `Page`."""
        kind: Any = cls
        page = kind(**host)
        page.session.begin(state)
        page._shown({})
        return page

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {"record": self._record}

    def close(self) -> None:
        """Stops recording, reading and the work."""
        self._recording.cancel()
        super().close()

    def _record(self, message: Message, _buffers: list[Any]) -> None:
        """The step "offer" says what can stay open, and the size; "make" makes the file; "stop" stops that."""
        self._recording.cancel()
        if message["step"] == "stop":
            return
        view, truth = {"view": message.get("view")}, message.get("truth") is True
        source = self.session.what_if(truth=truth)
        if message["step"] == "make":
            whole = self._whole(truth) if message.get("report") is True else None  # of what the page shows now
            self._beside(_file(self._made(source, message["open"]), whole), lambda found: self._sent_file(found, view))
            return
        names = self._can_open(source)
        asked = message.get("open") or names[: self.OPEN]
        kinds = self.session.choices.kinds()
        offered: Message = {
            "type": "offer",
            "controls": [{"name": n, "label": kinds[n].label, "on": n in asked} for n in names],
            "own": bool(self.session.left_out()),
            "truth": truth,
            **view,
        }
        self.send({**offered, "text": "", "possible": False})
        self._beside(self._size(source, asked), lambda found: self._sent_size(found, offered))

    def _whole(self, truth: bool) -> Callable[[File | None], File]:
        """The report around a file: neither tells more than the other."""
        return self._reported() if truth or not self.TWO_REPORTS else self._handed_on()

    def _save(self, message: Message, buffers: list[Any]) -> None:
        if message["what"] != REPORTS[-1]:
            return super()._save(message, buffers)
        self._recording.cancel()
        view, made = {"view": message.get("view")}, self._handed_on()
        self._beside((make(None) for make in [made]), lambda found: self._sent_file(found, view))

    def _can_open(self, source: Source) -> list[str]:
        """What can stay open now: the pinned option where there is one, landmarks where they are few."""
        choices = source.state.choices
        kinds = choices.kinds()
        few = {"landmarks": "landmarks" in kinds and 1 <= len(choices["landmarks"]) <= MOST_PROPOSED}
        few["pinned"] = "pinned" in kinds and choices["pinned"] is not None
        if not self.CAN_OPEN:
            raise InputError("This page cannot be written as one file yet")
        return [name for name in self.CAN_OPEN if few.get(name, True)]

    def _made(self, source: Source, names: list[str]) -> WhatIf:
        from lmdk_widgets.page.what_if import WhatIf

        known, choices = self._can_open(source), source.state.choices
        proposed = choices["landmarks"] if "landmarks" in names else ()
        controls = opened(choices, names, proposed=proposed, known=known, left_out=self.NOT_OPEN, ranges=self.ranges())
        return WhatIf(type(self), source, controls)  # type: ignore[arg-type]

    def _size(self, source: Source, names: list[str]) -> Iterator[Message]:
        """What is said of the file: its settings and its size, or why there is none."""
        from lmdk_widgets.page.what_if import megabytes

        try:
            made = self._made(source, names)
            size = megabytes(made.estimate())
        except InputError as error:
            yield {"text": error.sentence, "possible": False}
        else:
            yield {"text": f"{source.said} It holds {made.count:,} settings, at most about {size}.", "possible": True}

    def _beside(self, steps: Iterator[Any], each: Any) -> None:
        self._recording.submit(steps, each)
        if not self._recording.beside:
            self._recording.finish()

    def _sent_size(self, found: Any, offered: Message) -> None:
        if found is END:
            return
        refusal = attempt(lambda: reraise(found)) if isinstance(found, Exception) else None
        self.send({**offered, **(found if refusal is None else {"text": refusal["text"], "possible": False})})

    def _sent_file(self, found: Any, view: Message) -> None:
        if isinstance(found, Exception):
            refusal = attempt(lambda: reraise(found)) or {}
            self.send({**refusal, "id": "save", **view})
        elif isinstance(found, File):
            self.send(
                {"type": "file", "name": found.name, "mime": found.mime, "said": found.said, **view}, [found.data]
            )
        elif found is not END:
            self.send({"type": "recording", "share": found, **view})


def _file(made: WhatIf, whole: Callable[[File | None], File] | None) -> Iterator[float | File]:
    """The share that is recorded, from time to time, and at last the file, or the report that it is in."""
    told = monotonic()
    for count in made.record():
        if monotonic() - told >= BETWEEN_S:
            told = monotonic()
            yield count / made.count
    file = made.file()
    yield whole(file) if whole else file

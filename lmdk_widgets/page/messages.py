"""How every page handles messages: requests one at a time, refusals in sentences, uploads in pieces.

Files are read in the background: a large one takes many seconds, during which the page keeps working and can cancel it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Any, ClassVar

from lmdk_widgets.errors import InputError
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.runner import END, Inline, Runner
from lmdk_widgets.page.session import File, Session
from lmdk_widgets.trajectory import MAX_TIMESTAMPS
from lmdk_widgets.trajectory.load import READ_AGAIN

SHOWN_ROWS = 20
"""Lines of a refused file that are listed; the rest are counted."""

FORM = "Is this right? Only you can know {count} things about this file; the likeliest answer to each is filled in."
"""What stands above a form with all questions about a file."""

MAX_UPLOAD_BYTES = 128 << 20
"""A million points take 40 to 100 MB; reading a file takes up to ten times its size."""

Handler = Callable[[Message, list[Any]], None]
Send = Callable[[Message, list[bytes]], None]
Runners = Callable[..., Runner]
"""Makes a runner; its argument, if any, says whether someone is waiting for the next result: such a runner computes."""


PROGRAM_FILE = "simulation-not-a-private-release.py"
"""The name of a program's file, for when the browser refuses to copy it."""


def copied(text: str, said: str, file: str = PROGRAM_FILE, mend: str = "") -> Message:
    """The message for a text to copy, the sentence shown then, and the file that is saved if it cannot be copied.

    `mend` says what has to be changed in the text before it is used; the page shows this until the user closes it.
    """
    return {"type": "copy", "text": text, "said": said, "file": file, "mend": mend}


class Messenger:
    """A plain page: it takes messages from a browser, and answers each or says in a sentence why not. It knows no host.

    Parameters
    ----------
    send : sends the browser a message and its buffers; None: nobody listens.
    """

    MODULE: ClassVar[str]
    """The bundle that draws the page, such as "place.js"."""

    def __init__(self, *, send: Send | None = None) -> None:
        self._tell = send

    def about(self) -> Message:
        """What the browser needs once."""
        return {}

    @property
    def busy(self) -> bool:
        """Whether something is being computed in the background."""
        return False

    def static_copy(self) -> reading.StaticCopy:
        """What it says and shows without a kernel."""
        return reading.StaticCopy([])

    def reading(self) -> str:
        """The same as HTML."""
        return self.static_copy().html()

    def settle(self, seconds: float) -> None:
        """Finishes what takes no more than so many seconds and cancels the rest, for a copy that nothing changes later."""

    def send(self, message: Message, buffers: Sequence[bytes] = ()) -> None:
        """Sends a message to the browser, if there is one."""
        if self._tell is not None:
            self._tell(message, list(buffers))

    def receive(self, message: Any, buffers: Sequence[Any] = ()) -> None:
        """Does what a message from the browser asks for; messages that are not for a page are left to others."""
        kind = message.get("type") if isinstance(message, dict) else None
        handler = self._by_type.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            self._guarded(lambda: handler(message, list(buffers)), message)

    @cached_property
    def _by_type(self) -> dict[Any, Handler]:
        return self._handlers()

    def _handlers(self) -> dict[Any, Handler]:
        """What answers each type of message."""
        return {"ready": self._ready}

    def _ready(self, message: Message, _buffers: list[Any]) -> None:
        self.send({"type": "options", **self.about(), "view": message.get("view")})

    def _guarded(self, act: Callable[[], None], message: Message) -> bool:
        """Runs what the page asked for; returns whether it did. A refusal is shown on the page, and the state stays."""
        refusal = self._attempted(act)
        if refusal:
            self._follow()
            self.send({**refusal, "id": message.get("id"), "view": message.get("view")})
        return not refusal

    def _attempted(self, act: Callable[[], None]) -> Message | None:
        """Runs something; returns None or the refusal."""
        return attempt(act)

    def _follow(self) -> None:
        """Tells the host that what it follows may have changed."""

    @property
    def arriving(self) -> int:
        """The bytes of a file of which only a part has arrived."""
        return 0

    def let_go(self, why: str) -> None:
        """Drops the file that is arriving, and says why."""

    def read_by(self, reader: Callable[..., Any] | None) -> None:
        """Has files read elsewhere: `reader` takes a class whose `read` reads them, the content, the name and options. None:
        they are read here."""

    def close(self) -> None:
        """Stops the work under way."""


class Correspondent(Messenger):
    """The part of a `Page` that takes its messages: a `Messenger` over a session, with files that come in pieces.

    Parameters
    ----------
    session : choices and data. send : sends the browser a message and its buffers; None: nobody listens.
    follow : called with the choices whenever they may have changed. runner : makes the runner of long work.
    """

    def __init__(
        self,
        session: Session,
        *,
        send: Send | None = None,
        follow: Callable[[Any], None] | None = None,
        runner: Runners = Inline,
    ) -> None:
        super().__init__(send=send)
        self.session = session
        self._followed, self._runner = follow, runner
        self._greeting: list[Message] = []
        self._upload: tuple[Any, bytearray] = (None, bytearray())
        self._reading = runner()
        self._background = runner(lambda: self.session.urgent(self.session.outcome))

    @property
    def outcome(self) -> Any:
        """Everything computed so far from the present choices."""
        return self.session.outcome

    @property
    def busy(self) -> bool:
        return self._background.busy

    def finish(self, seconds: float = inf) -> None:
        """Computes here and now what is otherwise computed in the background, as long as it takes no more than so many
        seconds; for scripts and tests."""
        self._background.finish(seconds)

    def _handlers(self) -> dict[Any, Handler]:
        own = {"upload": self._receive, "cancel-upload": self._cancel_upload, "python": self._send_python}
        return super()._handlers() | own | {"preview": self._send_preview}

    def _attempted(self, act: Callable[[], None]) -> Message | None:
        """Runs something; returns None, or the refusal and whether it is about a table whose columns can be chosen. If all
        columns were guessed, it asks instead whether they are right."""
        refusal = super()._attempted(act)
        if refusal and "kind" in refusal:
            refusal["table"] = refusal["kind"] in ("columns", "rows") and self.session.can_choose_columns()
            question = self.session.preview()["question"] if refusal["table"] and refusal["kind"] == "columns" else ""
            refusal |= {"asks": bool(question), "text": question or refusal["text"]}
            if refusal.get("form"):
                refusal |= {"asks": True, "text": FORM.format(count=len(refusal["form"]["questions"]))}
        return refusal

    def _follow(self) -> None:
        """Tells the host that the choices may have changed."""
        if self._followed is not None:
            self._followed(self.session.choices)

    def _greet(self, act: Callable[[], None]) -> None:
        """Runs something before there is a page; a refusal waits for the page."""
        refusal = self._attempted(act)
        if refusal:
            self._greeting.append(refusal)

    def _send_greeting(self, view: Message) -> None:
        for greeting in self._greeting:
            self.send({**greeting, **view})
        self._greeting.clear()

    def _receive(self, message: Message, buffers: list[Any]) -> None:
        key = (message.get("view"), message["id"])
        if message["piece"] and self._upload[0] != key:
            return  # of a file that was dropped
        collected = self._upload[1] if message["piece"] else bytearray()
        collected += buffers[0]
        self._upload = (key, collected)
        self.send({"type": "received", "view": message.get("view")})
        if len(collected) > MAX_UPLOAD_BYTES:
            self._upload = (None, bytearray())
            raise InputError(
                f"A file must have at most {MAX_TIMESTAMPS:,} points in {MAX_UPLOAD_BYTES >> 20} MB", remedy="Cut it"
            )
        if message["piece"] == message["pieces"] - 1:
            self._upload = (None, bytearray())
            options = {"purpose": message["purpose"]} if "purpose" in message else {}
            options |= chosen_for_file(message.get("chosen"))
            name = str(message["name"])
            self._read(lambda: self.session.read_file(bytes(collected), name, **options), message)

    @property
    def arriving(self) -> int:
        return len(self._upload[1])

    def let_go(self, why: str) -> None:
        self._upload = (None, bytearray())
        self.send({"type": "refused", "text": why})
        self.send({"type": "read", "taken": False})

    def _cancel_upload(self, _message: Message, _buffers: list[Any]) -> None:
        self._upload = (None, bytearray())
        self._reading.cancel()

    def _read(self, read: Callable[[], Any], message: Message) -> None:
        """Runs `read` in the background and takes its result; immediately if nothing runs in the background."""
        view = {"view": message.get("view")}

        def act(found: Any) -> None:
            if isinstance(found, Exception):
                raise found
            self._take_file(found)

        def take(found: Any) -> None:
            if found is not END:
                taken = self._guarded(lambda: act(found), view)
                # last, as evaluating a long file takes a while too
                self.send({"type": "read", "taken": taken, **view})

        self._reading.submit((part() for part in [read]), take)
        if not self._reading.beside:
            self._reading.finish()

    def _take_file(self, found: Any) -> None:
        """Does something with what was in a file."""
        raise NotImplementedError

    def _send_python(self, message: Message, _buffers: list[Any]) -> None:
        said = "Python copied: in a notebook cell, it shows this page with these settings."
        self.send(copied(self.session.python(), said) | {"view": message.get("view")})

    def _send_preview(self, message: Message, _buffers: list[Any]) -> None:
        """Sends the first rows of a table, or these drawn again with the columns that a person has chosen."""
        view = {"view": message.get("view")}
        if "columns" in message:
            drawn = self.session.drawn_rows(message["columns"], message.get("headings"))
            self.send({"type": "rows", "drawn": drawn, **view})
        else:
            self.send({"type": "preview", **self.session.preview(), **view})

    def read_by(self, reader: Callable[..., Any] | None) -> None:
        self.session.apart = reader

    def close(self) -> None:
        """Stops the work and reading."""
        self._background.cancel()
        self._reading.cancel()


def chosen_for_file(given: Any) -> dict[str, Any]:
    """What was chosen for a file, by the names of the known choices."""
    return {name: given[name] for name in READ_AGAIN if name in given} if isinstance(given, dict) else {}


def attempt(act: Callable[[], None]) -> Message | None:
    """Runs something; returns None, or the refusal as a message."""
    try:
        act()
    except Exception as error:
        return refusal_of(error)
    return None


def refusal_of(error: Exception) -> Message:
    """An error as the message of a refusal. No traceback and no coordinate is part of it."""
    if isinstance(error, InputError):
        said = {"type": "refused", "text": error.sentence, "kind": error.kind, "row_name": error.row_name}
        rows = [list(row) for row in error.rows[:SHOWN_ROWS]]
        offers = [list(offer) for offer in error.offers]
        form = {"form": error.form} if error.form else {}
        return {**said, "rows": rows, "more": len(error.rows) - len(rows), "offers": offers, **form}
    if isinstance(error, MemoryError):
        text = "There is not enough memory for that; nothing has changed. Use less: a shorter track or fewer cells."
    elif isinstance(error, OSError):
        text = f"The file cannot be read: {error.strerror or 'unknown reason'}."
    else:
        text = f"That did not work because of a fault in the program ({type(error).__name__}); nothing has changed."
    return {"type": "refused", "text": text}


def saved(file: File, view: Message) -> tuple[Message, list[bytes]]:
    """The message that brings a file to be saved, and its buffers."""
    return {"type": "file", "name": file.name, "mime": file.mime, "said": file.said, **view}, [file.data]

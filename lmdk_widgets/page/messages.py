"""What every page does with messages: asked one at a time, refused in sentences, uploads in pieces.

Files are read beside the page: a large one takes many seconds, in which the page goes on and can take the file back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.runner import END, Inline, Runner
from lmdk_widgets.page.session import Session
from lmdk_widgets.page.turns import turn
from lmdk_widgets.trajectory import MAX_TIMESTAMPS
from lmdk_widgets.trajectory.load import READ_AGAIN

SHOWN_ROWS = 20
"""Lines of a refused file that are listed; the rest are counted."""

MAX_UPLOAD_BYTES = 128 << 20
"""A million points take 40 to 100 MB; reading a file takes up to ten times its size."""

Handler = Callable[[Message, list[Any]], None]
Send = Callable[[Message, list[bytes]], None]
Runners = Callable[..., Runner]
"""Makes a runner; its argument, where there is one, is what each slice waits for."""


PROGRAM_FILE = "simulation-not-a-private-release.py"
"""Name of the file of a program, where the browser refuses to copy it."""


def copied(text: str, said: str, file: str = PROGRAM_FILE, mend: str = "") -> Message:
    """The message of a text that is copied, what is said then, and the file that it goes to where it cannot be.

    `mend` is what has to be changed in the text before it is used: a sentence that stays until it is closed.
    """
    return {"type": "copy", "text": text, "said": said, "file": file, "mend": mend}


class Correspondent:
    """The part of a `Page` that takes messages, and answers each or says in a sentence why not.

    Parameters
    ----------
    session : choices and data. send : tells the browser a message and its buffers; None: nobody listens.
    follow : told the choices whenever they may have changed. runner : makes what runs long work.
    """

    def __init__(
        self,
        session: Session,
        *,
        send: Send | None = None,
        follow: Callable[[Any], None] | None = None,
        runner: Runners = Inline,
    ) -> None:
        self.session = session
        self._tell, self._followed, self._runner = send, follow, runner
        self._greeting: list[Message] = []
        self._upload: tuple[Any, bytearray] = (None, bytearray())
        self._reading = runner()
        self._background = runner(lambda: turn(self.session.urgent(self.session.outcome)))

    @property
    def outcome(self) -> Any:
        """Everything computed so far from the present choices."""
        return self.session.outcome

    def finish(self) -> None:
        """Computes here and now what is otherwise computed beside the page; for scripts and tests."""
        self._background.finish()

    def send(self, message: Message, buffers: Sequence[bytes] = ()) -> None:
        """Tells the browser something, where there is one."""
        if self._tell is not None:
            self._tell(message, list(buffers))

    def _handlers(self) -> dict[Any, Handler]:
        """What answers each type of message."""
        own = {"upload": self._receive, "cancel-upload": self._cancel_upload, "python": self._send_python}
        return own | {"preview": self._send_preview}

    def receive(self, message: Any, buffers: Sequence[Any] = ()) -> None:
        """Does what a message of the browser asks for; what is none of a page is left to others."""
        handler = self._handlers().get(message.get("type")) if isinstance(message, dict) else None
        if handler is not None:
            self._guarded(lambda: handler(message, list(buffers)), message)

    def _guarded(self, act: Callable[[], None], message: Message) -> bool:
        """Runs what the page asked for: whether it did; a refusal becomes a sentence on the page, and the state stays."""
        refusal = self._attempted(act)
        if refusal:
            self._follow()
            self.send({**refusal, "id": message.get("id"), "view": message.get("view")})
        return not refusal

    def _attempted(self, act: Callable[[], None]) -> Message | None:
        """Runs something; None, or the refusal, and whether it is of a table whose columns can be chosen; where all were
        guessed, whether they are right is asked instead."""
        refusal = attempt(act)
        if refusal and "kind" in refusal:
            refusal["table"] = refusal["kind"] in ("columns", "rows") and self.session.can_choose_columns()
            question = self.session.preview()["question"] if refusal["table"] and refusal["kind"] == "columns" else ""
            refusal |= {"asks": bool(question), "text": question or refusal["text"]}
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
        collected = self._upload[1] if self._upload[0] == key and message["piece"] else bytearray()
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

    def _cancel_upload(self, _message: Message, _buffers: list[Any]) -> None:
        self._upload = (None, bytearray())
        self._reading.cancel()

    def _read(self, read: Callable[[], Any], message: Message) -> None:
        """Runs `read` beside the page and takes what it gives; at once where nothing runs beside it."""
        view = {"view": message.get("view")}

        def take(found: Any) -> None:
            if found is not END:
                act = (lambda: reraise(found)) if isinstance(found, Exception) else (lambda: self._take_file(found))
                taken = self._guarded(act, view)
                # last: what follows from a long file takes a while as well
                self.send({"type": "read", "taken": taken, **view})

        self._reading.submit((part() for part in [read]), take)
        if not self._reading.beside:
            self._reading.finish()

    def _take_file(self, found: Any) -> None:
        """Does something with what was in a file."""
        raise NotImplementedError

    def _send_python(self, message: Message, _buffers: list[Any]) -> None:
        said = "Python copied: a cell with it shows this page with these settings."
        self.send(copied(self.session.python(), said) | {"view": message.get("view")})

    def _send_preview(self, message: Message, _buffers: list[Any]) -> None:
        self.send({"type": "preview", **self.session.preview(), "view": message.get("view")})

    def close(self) -> None:
        """Stops the work and reading."""
        self._background.cancel()
        self._reading.cancel()


def chosen_for_file(given: Any) -> dict[str, Any]:
    """What was chosen for a file, by the names of choices that there are."""
    return {name: given[name] for name in READ_AGAIN if name in given} if isinstance(given, dict) else {}


def reraise(error: Exception) -> None:
    """Raises an error that work beside the page has met."""
    raise error


def attempt(act: Callable[[], None]) -> Message | None:
    """Runs something; None, or the refusal as a message. No traceback and no coordinate is part of it."""
    try:
        act()
    except InputError as error:
        said = {"type": "refused", "text": error.sentence, "kind": error.kind, "row_name": error.row_name}
        rows = [list(row) for row in error.rows[:SHOWN_ROWS]]
        offers = [list(offer) for offer in error.offers]
        return {**said, "rows": rows, "more": len(error.rows) - len(rows), "offers": offers}
    except MemoryError:
        text = "There is not enough memory for that; nothing has changed. Take less: a shorter track, fewer cells."
    except OSError as error:
        text = f"The file cannot be read: {error.strerror or 'unknown reason'}."
    except Exception as error:
        text = f"That did not work because of a fault in the program ({type(error).__name__}); nothing has changed."
    else:
        return None
    return {"type": "refused", "text": text}

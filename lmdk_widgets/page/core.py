"""A page as a plain object: messages in, messages out. Subclasses say what is evaluated, written and drawn.

    page asks --> Session.apply --> evaluate --> Outcome --> text, then drawings --> page
                                       improve --> better Outcomes, in the background, until the next change

The browser asks for one change at a time, and never for a second before the first is painted. The text comes first, as the
eye follows it while a slider moves; a drawing is sent again only when something that it depends on has changed. The host,
such as a widget in a notebook, decides who carries the messages and where long work runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import tables
from lmdk_widgets.page import glossary, reading
from lmdk_widgets.page.drawing import Drawing, Later, Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.messages import MAX_UPLOAD_BYTES, Handler, Runners, Send, chosen_for_file, refusal_of
from lmdk_widgets.page.runner import END, Inline
from lmdk_widgets.page.session import Session
from lmdk_widgets.page.takeaway import CHARTS_IN_WORDS, FOR_YOU, TakeAway
from lmdk_widgets.trajectory.formats import NAMES
from lmdk_widgets.trajectory.opened import UPLOADED
from lmdk_widgets.version import __version__

BETWEEN_S = 0.1
"""At least this many seconds lie between two reports of progress."""


class Page(TakeAway):
    """A page over a `Session`: choices in, an outcome out.

    Parameters
    ----------
    session : initial choices and data; those of a new page if left out.
    send : sends the browser a message and its buffers; None: nobody listens, and nothing is drawn.
    follow : called with the choices whenever they may have changed.
    runner : makes the runner of long work; by default, work waits for `finish`.
    source : path of the user's own file to begin with; a refusal is shown on the page with its choices.
    timezone : IANA name of the time zone for naive times in `source`.
    query : the query string of a link made by "Copy link"; a refusal is shown on the page.

    Attributes
    ----------
    session : the present choices and data.
    outcome : what follows from them.
    """

    SESSION: ClassVar[Callable[[], Session]]
    """Makes the session of a new page."""

    def __init__(
        self,
        session: Session | None = None,
        *,
        send: Send | None = None,
        follow: Callable[[Any], None] | None = None,
        runner: Runners = Inline,
        source: Any = None,
        timezone: str | None = None,
        query: str = "",
    ) -> None:
        super().__init__(session or type(self).SESSION(), send=send, follow=follow, runner=runner)
        self._task: Any = None
        self._told_at = 0.0
        self._seen = self._finishing = False
        self._sent: dict[str, tuple[Any, ...]] = {}
        if source is not None:
            self._greet(lambda: self._load_source(Path(source), timezone))
        if query:
            self._greet(lambda: self._say(self.session.open_link(query)))
        self._follow()
        self._improve()

    # -- what a subclass says -----------------------------------------------------------------------------------------

    def _options(self) -> Message:
        """What the page needs once, besides the controls that the choices declare."""
        return {}

    def _drawings(self, outcome: Any) -> Iterable[Drawing | Later]:
        """What is drawn; the one named "draw" comes last, but for what is only written."""
        raise NotImplementedError

    # -- from Python --------------------------------------------------------------------------------------------------

    def static_copy(self) -> reading.StaticCopy:
        """Its answers and main settings, then the first page of its report and the other parts, then its sentences."""
        words = self._text(self.outcome)["words"]
        said = [words["paragraph"], *words["warnings"], words["assumption"]]
        said_above = {*self.IN_SHORT, CHARTS_IN_WORDS}
        first, others = ([part for part in parts if part.heading not in said_above] for parts in self._parted())
        drawn = [reading.first(first), *(reading.part(part.heading, part.pieces) for part in others)]
        own = self._personal()
        return reading.StaticCopy(self._in_short(), drawn, said, reading.owners(*own) if own else reading.NOBODYS)

    def reading(self) -> str:
        """The page as HTML for readers without a kernel, once everything is computed."""
        self.finish()
        return super().reading()

    def show(self, choices: Any) -> None:
        """Makes choices the present ones; if they are refused, raises `InputError` and keeps the previous state."""
        if choices == self.session.choices:
            return
        try:
            self.session.show_choices(choices)
        except InputError:
            self._follow()  # nothing is lost: the previous state stays
            raise
        self._shown({})

    # -- from the page ------------------------------------------------------------------------------------------------

    def _handlers(self) -> dict[Any, Handler]:
        own = {"change": self._change, "reload": self._reload, "save": self._save}
        more = {"cancel": self._cancel, "resume": self._resume, "restore": self._restore}
        return super()._handlers() | own | more

    def _ready(self, message: Message, buffers: list[Any]) -> None:
        super()._ready(message, buffers)
        self._announce(view := {"view": message.get("view")})
        self._send_greeting(view)
        self._seen = True
        self._background.wake()

    def about(self) -> Message:
        """What a page needs once: its controls, the glossary, what may be uploaded."""
        about = {
            "title": self.TITLE,
            "version": __version__,
            "suffixes": UPLOADED,
            "formats": NAMES,
            "most_bytes": MAX_UPLOAD_BYTES,
            "glossary": glossary.message(),
            "parquet": tables.can_write_parquet(),
        }
        return {**type(self.session.choices).controls(), **about, **self._options()}

    def _change(self, message: Message, _buffers: list[Any]) -> None:
        self.session.apply(message["operations"], commit=bool(message.get("commit", True)))
        self._shown({"id": message.get("id"), "asked": message.get("view")})

    def _restore(self, message: Message, _buffers: list[Any]) -> None:
        """Continues where the page's previous session, which was lost, ended. A page that is not ready yet gets its first
        text then."""
        view = {"view": message.get("view")}
        done = self._guarded(lambda: self.session.restore(message["steps"], message["at"]), view)
        if done:
            self._shown({}, tell=self._seen)
        self.send({"type": "restored", "done": done, **view})

    def _take_file(self, found: Any) -> None:
        self._say(self.session.take_file(found))
        self._shown({})

    def _load_source(self, path: Path, timezone: str | None) -> None:
        self._say(self.session.load(path.read_bytes(), path.name, timezone=timezone))

    def _reload(self, message: Message, _buffers: list[Any]) -> None:
        chosen = chosen_for_file(message)
        self._read(lambda: self.session.read_again(**chosen), message)

    # -- better outcomes, in the background ---------------------------------------------------------------------------

    def finish(self, seconds: float = inf) -> None:
        self._finishing = True
        try:
            super().finish(seconds)
        finally:
            self._finishing = False

    def settle(self, seconds: float) -> None:
        self.finish(seconds)
        self.ended_early = self.busy
        if self.busy:
            self._cancel({}, [])

    def _improve(self, *, anew: bool = False) -> None:
        """Looks for better outcomes, unless the work under way is already for the present one."""
        task = self.session.task(self.outcome)
        if task == self._task and not anew:
            return
        self._task = task
        if task is None:
            self._background.cancel()
            return
        began = self.session.state
        self._background.submit(self.session.improve(self.outcome), lambda found: self._improved(found, began))

    def _improved(self, found: Any, began: State) -> None:
        if isinstance(found, Exception):
            refusal = refusal_of(found)
            self.session.outcome = self.session.interrupted(self.outcome, refusal["text"])
            self.send(refusal)
            self._announce({})
        elif found is END:
            self._announce({})
        elif found is not self.outcome:  # the same one again: a slice without news
            self.session.take(found, began)
            if monotonic() - self._told_at >= BETWEEN_S * (10 if self._finishing else 1) or self._has_new():
                self._announce({})

    def _has_new(self) -> bool:
        """Whether there is a new drawing to show immediately; during `finish`, drawings are sent together."""
        return not self._finishing and any(map(self._is_new, self._drawings(self.outcome)))

    def _cancel(self, _message: Message, _buffers: list[Any]) -> None:
        self._background.cancel()
        self.session.outcome = self.session.interrupted(self.outcome)
        self._announce({})

    def _resume(self, _message: Message, _buffers: list[Any]) -> None:
        self._improve(anew=True)
        self._announce({})

    # -- to the page --------------------------------------------------------------------------------------------------

    def _shown(self, extra: Message, *, tell: bool = True) -> None:
        """After a change: tells the browser and the host, and looks for better outcomes."""
        self._improve()
        if tell:
            self._announce(extra)
        self._follow()

    def _say(self, text: str) -> None:
        """A sentence for the user, now or once there is a page."""
        if text:
            (self.send if self._seen else self._greeting.append)({"type": "say", "text": text})

    def _announce(self, extra: Message) -> None:
        """Sends the text, then the drawings that have changed. A request by the page is always answered by the main one."""
        if self._tell is None:
            return
        self._told_at = monotonic()
        self.send({**self._numbers(), **extra})
        for drawing in self._drawings(self.outcome):
            if "view" in extra or (extra and drawing.name == "draw") or self._is_new(drawing):
                message, buffers = self._drawn(drawing)
                self.send({**message, **extra}, buffers)
            self._sent[drawing.name] = drawing.made_of

    def _numbers(self) -> Message:
        """The message with the text, and the state that it describes."""
        session = self.session
        state = {
            "choices": session.choices.to_dict(),
            "visible": session.visible(),
            "can_undo": session.history.can_undo,
            "can_redo": session.history.can_redo,
            "step": session.history.place,
            **session.link.message(),
            "pictured": self._pictured(),
            "busy": (busy := self._background.busy),
            "work": asdict(session.progress(session.outcome, busy=busy)),
        }
        return {"type": "numbers", **state, **self._written()}

    def _pictured(self) -> Message:
        own = " and ".join(self._personal())
        note = f"{self.PICTURED}<br>{FOR_YOU.format(own=own)}" if own else self.PICTURED
        return {"note": note, "named": self.session.named()}

    def _written(self) -> Message:
        """The text about the outcome: what somebody else's page has written about the same one, if there is one."""
        shared = self.session.finished
        if shared is None:
            return self._at_once(self.session.outcome)
        if shared.text is None:
            shared.text = self._at_once(shared.outcome)
        return shared.text

    def _drawn(self, drawing: Drawing | Later) -> tuple[Message, list[bytes]]:
        """The message of a drawing, with its buffers: likewise."""
        shared = self.session.finished
        if shared is None:
            return drawing.message()
        of, message = shared.drawn.get(drawing.name, ((), None))
        if message is None or not _all_same(of, drawing.made_of):
            message = drawing.message()
            shared.drawn[drawing.name] = drawing.made_of, message
        return message

    def _is_new(self, drawing: Drawing | Later) -> bool:
        return not _all_same(self._sent.get(drawing.name, ()), drawing.made_of)


def _all_same(sent: tuple[Any, ...], made_of: tuple[Any, ...]) -> bool:
    return len(sent) == len(made_of) and all(map(_same, sent, made_of))


def _same(a: Any, b: Any) -> bool:
    return a is b or (isinstance(a, (str, int, float)) and a == b)

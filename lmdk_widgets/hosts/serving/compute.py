"""A process that computes the pages of many visitors; the server has one per core, and passes on what browsers say.

    server --length, what, visitor, content--> this process --length, what, visitor, content--> server

Some threads handle what visitors ask, one request from each in turn. One more thread does the long work of all pages, slice
by slice, starting with what a visitor is waiting for. So a visitor whose file takes seconds to evaluate, or who asks without
end, keeps nobody from moving a slider. Nothing of a visitor outlasts the connection: a browser repeats what was chosen.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from lmdk_widgets.errors import LOG, InputError, log_to_stderr
from lmdk_widgets.hosts.page_list import LESSONS, OPENED, PAGES, page_class
from lmdk_widgets.hosts.serving.frames import (
    ANSWERED,
    CLOSE,
    DROP,
    HEAD,
    MESSAGE,
    OPEN,
    READY,
    STATE,
    STATED,
    packed,
    unpacked,
)
from lmdk_widgets.hosts.serving.memory_limit import give_back, limit_memory
from lmdk_widgets.hosts.serving.reader import Reader
from lmdk_widgets.hosts.site.pages import described_pages, first_state
from lmdk_widgets.hosts.site.worker import Pages, as_json
from lmdk_widgets.linear import compiling
from lmdk_widgets.page.runner import SWITCH_S, Inline, Urgent, Work

GIVE_BACK_S = 5.0
"""Seconds after somebody left in which the memory is given back, with that of others who leave meanwhile."""
THREADS = 3
"""The number of visitors served at the same time, where what some of them ask takes long."""
LONG_S = 0.05
"""The seconds after which what a visitor asked no longer keeps the next one waiting: threads that compute in Python at the
same time only slow each other down."""
YIELDS = 10
"""How far the thread of long work yields to those of all processes that answer sliders, as for `nice`."""
PATIENCE_S = 0.25
"""The seconds for which a slice of long work lets sliders go first."""
STACK_BYTES = 16 << 20
FIRST = "track"
"""The page that shows a file given on the command line."""

Act = Callable[[], None]


class Fair:
    """Threads that do what visitors ask: those of a tab in order, and all visitors in turn."""

    def __init__(self, threads: int = THREADS) -> None:
        lock = threading.Lock()
        self._calm, self._some = threading.Condition(lock), threading.Condition(lock)
        self._ready: dict[Hashable, deque[Line]] = {}  # by visitor; the first one is next
        self._began: dict[int, float] = {}  # by thread: when it began with what it does now
        self._standing = 0
        for _ in range(threads):
            threading.Thread(target=self._work, daemon=True).start()

    def stand(self, line: Line, again: bool = False) -> None:
        """Queue a line with something to do."""
        with self._calm:
            self._standing += not again
            self._ready.setdefault(line.person, deque()).append(line)
            self._some.notify()

    def wait_for_calm(self) -> None:
        """Wait until nobody has anything to do, but not for long."""
        with self._calm:
            self._calm.wait_for(lambda: not self._standing, PATIENCE_S)

    def _work(self) -> None:
        while True:
            with self._some:
                while not self._ready or (wait_s := self._wait_s()) > 0:
                    self._some.wait(wait_s if self._ready else None)
                person = next(iter(self._ready))
                lines = self._ready.pop(person)
                line = lines.popleft()
                if lines:
                    self._ready[person] = lines
                self._began[threading.get_ident()] = time.monotonic()
                self._some.notify()  # another thread waits whether this takes long
            more = line.do_next()
            with self._some:
                del self._began[threading.get_ident()]
            if more:
                self.stand(line, again=True)
                continue
            with self._calm:
                self._standing -= 1
                if not self._standing:
                    self._calm.notify()

    def _wait_s(self) -> float:
        """Seconds until everything that is being done has taken long; 0 or less: the next may begin."""
        return max(self._began.values(), default=-LONG_S) + LONG_S - (time.monotonic() if self._began else 0.0)


class Line:
    """What one tab has asked, in order. person : whose it is; None for a person without another."""

    def __init__(self, fair: Fair, person: Hashable = None) -> None:
        self.person = person or id(self)
        self._fair, self._acts, self._lock = fair, deque[Act](), threading.Lock()

    def add(self, act: Act) -> None:
        """Queue something after everything that was asked before."""
        with self._lock:
            self._acts.append(act)
            alone = len(self._acts) == 1
        if alone:
            self._fair.stand(self)

    def do_next(self) -> bool:
        """Do the first thing; return whether there is another."""
        try:
            self._acts[0]()
        except Exception:
            LOG.exception("A message from a page failed")
        with self._lock:
            self._acts.popleft()
            return bool(self._acts)


class Lane:
    """One thread for the long work of all pages, while nobody moves a slider; what a visitor is waiting for comes first."""

    def __init__(self, fair: Fair) -> None:
        self._fair = fair
        self._waiting: list[tuple[Urgent, Act]] = []
        self._some = threading.Condition()
        threading.Thread(target=self._work, daemon=True).start()

    def add(self, urgent: Urgent, act: Act) -> None:
        """Queue a slice."""
        with self._some:
            self._waiting.append((urgent, act))
            self._some.notify()

    def _work(self) -> None:
        if sys.platform == "linux":  # where a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), YIELDS)
        while True:
            with self._some:
                self._some.wait_for(lambda: self._waiting)
            self._fair.wait_for_calm()
            with self._some:
                first = next((k for k, (urgent, _) in enumerate(self._waiting) if _is(urgent)), 0)
                _, act = self._waiting.pop(first)
            act()


def _is(urgent: Urgent) -> bool:
    try:
        return urgent()
    except Exception:  # the page changes meanwhile
        return False


class Beside(Inline):
    """A `Runner` whose slices run in the process's lane, or in their own thread if they read a file.

    Parameters
    ----------
    line : the visitor's, where each result is handled. lane : for slices that compute. urgent : as for `Inline`.
    """

    def __init__(self, line: Line, lane: Lane, urgent: Urgent | None = None) -> None:
        super().__init__(urgent)
        self._line, self._lane, self._one = line, lane, threading.Lock()
        self._stands = False

    @property
    def beside(self) -> bool:
        return True

    def submit(self, steps: Iterator[Any], each: Callable[[Any], None]) -> None:
        super().submit(steps, each)
        if self._work is not None:
            self._next(self._work)

    def _next(self, work: Work) -> None:
        if self._urgent is None:
            threading.Thread(target=self._done, args=(work,), daemon=True).start()
        elif not self._stands:  # one place in the lane, whatever is to be done by then: what was replaced is let go of
            self._stands = True
            self._lane.add(self._urgent, self._turn)

    def _turn(self) -> None:
        self._stands = False
        if (work := self._work) is not None:
            self._done(work)

    def _done(self, work: Work) -> None:
        with self._one:  # one file of a page at a time
            found = self._slice(work)
        self._line.add(lambda: self._taken(work, found))

    def _taken(self, work: Work, found: Any) -> None:
        self._take(work, found)
        if self._work is work:
            self._next(work)


@dataclass(eq=False)
class Tab:
    """What the process has for one visitor's socket: requests, pages, the readers of its files, and what the server knows."""

    line: Line
    pages: Pages
    names: bytes
    readers: list[Reader] = field(default_factory=list)
    stated: tuple[bool, bool, int] = (False, False, 0)


class Process:
    """The visitors of this process, by the numbers that the server gives them.

    Parameters
    ----------
    out : receives what is said. reader : where files are read; "" reads them here. track : a file with which the first page
    starts. timezone : of its times.
    """

    def __init__(self, out: BinaryIO, reader: str, track: str = "", timezone: str = "") -> None:
        self._out, self._writing, self._reader = out, threading.Lock(), reader
        self._first: dict[str, Any] = {"source": track, "timezone": timezone or None} if track else {}
        self._begun: tuple[Any, dict[str, Any]] | None = None
        self._fair = Fair()
        self._lane = Lane(self._fair)
        self._open: dict[int, Tab] = {}
        self._giving_back: threading.Timer | None = None

    def tell(self, what: int, visitor: int, content: bytes = b"") -> None:
        """Tell the server something; waits while it does not read."""
        try:
            with self._writing:
                self._out.write(HEAD.pack(len(content), what, visitor) + content)
                self._out.flush()
        except BrokenPipeError:  # the server has gone, so there is nothing left to compute for
            os._exit(0)

    def hear(self, what: int, visitor: int, content: bytes) -> None:
        """Handle what the server says about a visitor."""
        if what == OPEN:  # the content is the names of the person and of the network, 4 bytes each
            line = Line(self._fair, content[:4])
            tell = lambda name, text, buffers: self._tell(visitor, {"said": "message", "name": name}, text, buffers)  # noqa: E731
            pages = Pages(tell, lambda urgent=None: Beside(line, self._lane, urgent))
            self._open[visitor] = Tab(line, pages, content)
        elif (tab := self._open.get(visitor)) is None:
            return
        elif what == CLOSE:
            del self._open[visitor]
            tab.line.add(lambda: self._closed(tab))
        elif what == MESSAGE:
            tab.line.add(lambda: self._answer(visitor, tab, content))
        elif what == DROP:
            tab.line.add(lambda: self._drop(visitor, tab, content))

    def _closed(self, tab: Tab) -> None:
        tab.pages.close()
        for reader in tab.readers:
            reader.close()
        if self._giving_back is None:  # together with what others leave meanwhile
            self._giving_back = threading.Timer(GIVE_BACK_S, self._give_back)
            self._giving_back.daemon = True
            self._giving_back.start()

    def _give_back(self) -> None:
        self._giving_back = None
        self._lane.add(lambda: False, give_back)

    def _drop(self, visitor: int, tab: Tab, content: bytes) -> None:
        """Drop the files that are arriving, and with them the message that the server has not passed on, if there is one."""
        why, passed = unpacked(content)
        with suppress(ValueError, KeyError, TypeError):
            tab.pages.let_go(why.decode(), str(json.loads(passed[0])["name"]) if passed else "")
        self._state(visitor)
        if passed:
            self.tell(ANSWERED, visitor)

    def _state(self, visitor: int) -> None:
        """Tell the server whether a page is open, and how much of files is kept, if that has changed."""
        if (tab := self._open.get(visitor)) is not None:
            arriving = tab.pages.arriving
            now = bool(tab.pages), arriving > 0, arriving + sum(reader.kept for reader in tab.readers)
            if now != tab.stated:
                tab.stated = now
                self.tell(STATE, visitor, STATED.pack(*now))

    def _beginning(self) -> dict[str, Any]:
        """How the first page begins for everyone: with the file of the command line. It is read and evaluated once, and what
        is found out about it for one visitor is available to all."""
        if self._begun is None:
            session, again = page_class(FIRST).SESSION(), {}
            if self._first:
                path = Path(self._first["source"])
                try:
                    session.load(path.read_bytes(), path.name, timezone=self._first["timezone"])
                    session.keep()
                except InputError:
                    again = self._first  # each page reads it again, and says why it cannot be used
            self._begun = session, again
        session, again = self._begun
        return {"session": session.another(), **again}

    def _tell(self, visitor: int, about: dict[str, Any], text: str = "null", buffers: Sequence[bytes] = ()) -> None:
        if visitor in self._open:
            whole = f'{json.dumps(about)[:-1]}, "message": {text}}}'
            self.tell(MESSAGE, visitor, packed(whole.encode(), [bytes(buffer) for buffer in buffers]))

    def _reads(self, visitor: int, tab: Tab, name: str) -> Reader | None:
        """The reader of a page's files, which says in the page how many are read before."""
        if not self._reader:
            return None

        def said(text: str) -> None:
            self._tell(visitor, {"said": "message", "name": name}, as_json({"type": "say", "text": text}))

        tab.readers.append(Reader(self._reader, tab.names, said, lambda: self._state(visitor)))
        return tab.readers[-1]

    def _answer(self, visitor: int, tab: Tab, content: bytes) -> None:
        """Do what a browser asks; drop anything that is not one of our messages."""
        pages = tab.pages
        try:
            text, buffers = unpacked(content)
            asked = json.loads(text)
            name, what = str(asked["name"]), asked["do"]
            if what == "open" and name in OPENED:
                page = page_class(name)
                more = self._beginning() if name == FIRST else {}
                opened = pages.open(
                    name, page.__module__, page.__qualname__, str(asked.get("query", ""))[:8192], **more
                )
                opened.read_by(self._reads(visitor, tab, name))
                self._tell(visitor, {"said": "opened", "name": name})
            elif what == "ask":
                pages.ask(name)
                self._tell(visitor, {"said": "opened", "name": name})
            elif what == "message":
                pages.receive(name, asked["text"], buffers)
        except (ValueError, KeyError, TypeError, RecursionError):  # InputError among them
            pass
        finally:
            self._state(visitor)
            self.tell(ANSWERED, visitor)


def main() -> None:
    """Compute pages until the server has gone, if nothing is forked. The command line has the settings as JSON."""
    prepare()
    freeze()
    given, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is not a message
    serve(given, out, json.loads(sys.argv[1]))


def serve(given: BinaryIO, out: BinaryIO, about: dict[str, Any]) -> None:
    """Compute pages until the server has gone, then end. about : as for `Pool`."""
    log_to_stderr()
    limit_memory(int(about["memory_mb"]) << 20)
    threading.stack_size(STACK_BYTES)
    sys.setswitchinterval(SWITCH_S)
    process = Process(out, about["reader"], about["track"], about["timezone"])
    process.tell(READY, os.getpid(), as_json(pages()).encode())
    with suppress(KeyboardInterrupt):
        while len(head := given.read(HEAD.size)) == HEAD.size:
            length, what, visitor = HEAD.unpack(head)
            process.hear(what, visitor, given.read(length))
    os._exit(0)  # threads may compute


def pages() -> dict[str, Any]:
    """What the pages' program must know about them."""
    found = described_pages(list(PAGES))
    for name, page in found["pages"].items():
        page["first"] = first_state(name) if name == LESSONS else {"traits": {}, "messages": []}
    return found


def prepare() -> None:
    """Make every page once, so that everything they import and compute at first is ready."""
    with compiling.not_yet():
        for name in OPENED:
            page = page_class(name)(send=lambda *_: None)
            page.receive({"type": "ready", "view": "first"})


def freeze() -> None:
    """Exclude everything that exists now from garbage collection, which would copy it after a fork."""
    gc.collect()
    gc.freeze()

"""The socket of a page: one for each tab of a browser, from its visitor to a process that computes.

Only the lengths of messages are read here. What a browser may send, and what is held for it, is the accountant's to say: a
browser that sends more than its share waits, and one that does not read is disconnected.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import deque
from contextlib import suppress
from typing import Any

from tornado.iostream import StreamBufferFullError, StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketHandler, WebSocketProtocol13

from lmdk_widgets.errors import LOG
from lmdk_widgets.hosts.serving.accountant import Accountant, Claim, network
from lmdk_widgets.hosts.serving.frames import DROP, MESSAGE, BadFrame, check_frame, packed
from lmdk_widgets.hosts.serving.handlers import Quiet
from lmdk_widgets.hosts.serving.pool import Pool, Worker

MOST = 1000
"""The most pages that may be open at the same time."""
TO_OPEN = 2
"""The messages with which a browser opens a page: its name, and that it is ready to be drawn."""
AT_ONCE = 8
"""The most messages of a page that are accepted before the first of them is answered."""
NOTHING_S, FILE_S = 10.0, 120.0
"""Seconds in which a browser has to open a page in its socket, and in which a file has to arrive."""
SHORT_BYTES = 4096
"""A frame with fewer bytes counts as one; browsers cut longer messages into several frames."""
OVERHEAD_BYTES = 2048
"""What a message that waits for a browser takes besides its content."""
FULL, MANY, FORGOTTEN, NOTHING, AGAIN = 4503, 4429, 4410, 4408, 1012
"""Codes with which the server closes a socket; `live/socket.js` says each in words."""
READY = packed(json.dumps({"said": "ready"}).encode())
WAITING = packed(json.dumps({"said": "cut", "reason": "full"}).encode())
MOST_WAITING = 200
"""The most sockets that wait until a page is closed; more are closed, and their browsers try again."""
IN_ALL = "The server is receiving and reading as many files as it can. Send this one again in a minute."
TOO_MANY = (
    "You are sending several files at once, which is more than the server takes from one browser. Send one at a time."
)
TOO_SLOW = f"A file must arrive within {FILE_S / 60:.0f} minutes. Cut it down to what matters."


class Room:
    """Everyone who has a page open.

    Parameters
    ----------
    pool : the processes that compute. accounts : of everything that is limited.
    """

    def __init__(self, pool: Pool, accounts: Accountant) -> None:
        self.pool, self.accounts = pool, accounts

    @property
    def sockets(self) -> list[Socket]:
        """Those with a page, or for one."""
        return [claim.owner for claim in self.accounts.pages.claims]

    @property
    def pages(self) -> int:
        """The number of open pages."""
        return len(self.accounts.pages)

    @property
    def people(self) -> int:
        """The number of visitors who have a page."""
        return self.accounts.pages.people

    def enter(self, socket: Socket) -> int:
        """Give a socket its place, or let it wait for one; returns the code with which it is refused, or 0."""
        pages, person, here = self.accounts.pages, socket.current_user, network(socket.request.remote_ip or "")
        if pages.room(person) < 1:
            return MANY
        if not self.pool.scarce:
            socket.claim = pages.claim(socket, person, here)
            for gone in pages.surplus(socket.claim):
                if gone is not socket.claim:
                    gone.owner.turn_away(FULL)
            if socket.claim in pages.claims:
                return 0
        socket.claim = pages.wait(socket, person, here)
        if len(pages.waiting) > MOST_WAITING:
            pages.in_turn()[-1].owner.turn_away(FULL)
        return 0

    def admit(self) -> None:
        """Give free places to those who wait, in turn."""
        if not self.pool.scarce:
            for claim in self.accounts.pages.admitted():
                claim.owner.begin()

    def look(self) -> None:
        """Close the sockets in which no page was opened, and drop the files that do not end."""
        for claim in self.accounts.pages.overdue(NOTHING_S, idle=True):
            claim.owner.turn_away(NOTHING)
        for claim in self.accounts.unfinished.overdue(FILE_S):
            claim.owner.let_go(TOO_SLOW)
        self.admit()

    def forget(self, visitor: str) -> None:
        """End every page of a visitor, with everything in it."""
        for claim in [*self.accounts.pages.claims, *self.accounts.pages.waiting]:
            if claim.person == visitor:
                claim.owner.turn_away(FORGOTTEN)


class Paced(WebSocketProtocol13):
    """Reads the next short frame, or the content of a long one, when its visitor's share allows it."""

    async def _receive_frame(self) -> None:
        before = self._wire_bytes_in
        await super()._receive_frame()
        if (size := self._wire_bytes_in - before) < SHORT_BYTES:
            await self.handler.paced(size)  # type: ignore[attr-defined]

    async def _read_bytes(self, n: int) -> bytes:
        if n >= SHORT_BYTES:
            await self.handler.paced(n)  # type: ignore[attr-defined]
        return await super()._read_bytes(n)


class Socket(Quiet, WebSocketHandler):
    """A page that is open."""

    claim: Claim
    _answers = 0
    _place: tuple[Worker, int] | None = None

    async def get(self, *args: Any, **kwargs: Any) -> None:
        if self.request.headers.get("Origin") is None:
            raise HTTPError(403)
        await super().get(*args, **kwargs)

    def initialize(self) -> None:
        self.room: Room = self.settings["lmdk_room"]
        self._free, self._over = asyncio.Event(), asyncio.Event()
        self._asked = deque[int]()  # the bytes of files in each message without an answer
        self._held, self._opened = 0, False

    def check_origin(self, origin: str) -> bool:
        public = self.house.public
        return bool(public and origin == public.origin) or super().check_origin(origin)

    def get_websocket_protocol(self) -> Any:
        made = super().get_websocket_protocol()
        return made and Paced(self, False, made.params)  # type: ignore[attr-defined]

    async def open(self, *_: str, **__: str) -> None:
        accounts, person = self.room.accounts, self.current_user
        self.unread, self.files = Claim(self, person), Claim(self, person)
        self.claim, here = Claim(self, person), network(self.request.remote_ip or "")
        self.names = b"".join((hash(name) & 0xFFFFFFFF).to_bytes(4, "little") for name in (person, here))
        if refusal := self.room.enter(self):
            self.turn_away(refusal)
        elif self.claim in accounts.pages.claims:
            await self._begin()
        elif not self._over.is_set():
            self.told(WAITING)

    def begin(self) -> None:
        """There is a place for its page now."""
        self._beginning = asyncio.ensure_future(self._begin())

    async def _begin(self) -> None:
        place = await self.room.pool.enter(self)
        if self._over.is_set():  # while it waited for a process
            self.room.pool.leave(*place)
        else:
            self._place = place
            self.room.accounts.pages.mark(self.claim, idle=True)
            self.told(READY)

    async def on_message(self, message: bytes | str) -> None:
        if message == b"":  # a browser asks whether the server is still there
            self.told(b"")
            return
        try:
            (start, stop), *_ = check_frame(message)
        except BadFrame as bad:
            LOG.error("A page sent an invalid message (%s): its connection is closed.", bad)
            self.close(bad.code, str(bad))
            return
        await self._wait(self.room.accounts.text.take(self.current_user, stop - start))
        while len(self._asked) >= AT_ONCE and not self._over.is_set():
            self._free.clear()
            await self._free.wait()
        if self._place and not self._over.is_set():
            assert isinstance(message, bytes)
            worker, number = self._place
            refused = self._refused(len(message) - stop)
            if refused:
                worker.say(DROP, number, packed(refused.encode(), [message[start:stop]]))
            else:
                worker.say(MESSAGE, number, message)
            self._asked.append(0 if refused else len(message) - stop)
            self.claim.idle = False
            self._count_files()
            await worker.drained()

    def _refused(self, size: int) -> str:
        """Why this much of a file is not accepted; "" if it is. If there is too much of all, whoever has most gives way."""
        files = self.room.accounts.unfinished
        if size > max(0, files.room(self.current_user)):
            return TOO_MANY
        if size:
            files.change(self.files, self.files.amount + size)
            for gone in files.surplus(self.files):
                if gone is self.files:
                    return IN_ALL
                gone.owner.let_go(IN_ALL)
        return ""

    def _count_files(self) -> None:
        self.room.accounts.unfinished.change(self.files, 0 if self._over.is_set() else self._held + sum(self._asked))

    def let_go(self, why: str) -> None:
        """Drop the files that have not been read yet, and say so."""
        if self._place:
            self._place[0].say(DROP, self._place[1], packed(why.encode()))

    async def paced(self, size: int) -> None:
        """Wait as long as this visitor has sent more frames or more bytes than one may, and all together more long ones."""
        accounts, person = self.room.accounts, self.current_user
        if size < SHORT_BYTES:
            await self._wait(accounts.frames.take(person))
        else:
            await self._wait(accounts.bytes.take(person, size))
            await self._wait(accounts.bytes_of_all.take("", size))

    def on_ping(self, data: bytes) -> None:
        self.room.accounts.frames.take(self.current_user, 2)  # with the frame itself, three

    on_pong = on_ping

    async def _wait(self, seconds: float) -> None:
        if seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), seconds)

    def told(self, content: bytes) -> None:
        try:
            sending = asyncio.ensure_future(self.write_message(content, binary=True))
        except StreamBufferFullError:
            self.drop()
        except WebSocketClosedError:  # the page was lost, but we have not been told yet
            pass
        else:
            unread, size = self.room.accounts.unread, len(content) + OVERHEAD_BYTES
            unread.change(self.unread, self.unread.amount + size)
            sending.add_done_callback(lambda done: self._sent(done, size))
            if unread.room(self.current_user) < 0:
                self.drop()
            for gone in unread.surplus(self.unread):
                gone.owner.drop()

    def _sent(self, sending: asyncio.Future[None], size: int) -> None:
        """A page may leave before it has received everything, which is not a failure; anything else is."""
        self.room.accounts.unread.change(self.unread, max(0, self.unread.amount - size))
        error = None if sending.cancelled() else sending.exception()
        if error is not None and not isinstance(error, WebSocketClosedError | StreamClosedError):
            LOG.error("A message to a page could not be sent (%s).", type(error).__name__)

    def drop(self) -> None:
        """Disconnect a page that reads nothing, without a closing message, which would wait as well."""
        LOG.error("A page reads nothing while too much waits for it, or for all pages: its connection is closed.")
        self.leave()
        if (stream := getattr(self.ws_connection, "stream", None)) is not None:
            stream.close()

    @property
    def arriving(self) -> bool:
        return self._answers < TO_OPEN

    @property
    def waits(self) -> bool:
        """Whether it has asked something that is not answered yet."""
        return bool(self._asked)

    def answered(self) -> None:
        self._asked.popleft()
        self._answers += 1
        self.claim.idle = not (self._opened or self._asked)
        self._count_files()
        self._free.set()

    def stated(self, opened: bool, arriving: bool, kept: int) -> None:
        """Whether it has a page now, whether a file is arriving, and how many bytes of files its process keeps."""
        self._opened, self._held = opened, kept
        self._count_files()
        if not arriving:
            self.files.since = math.inf  # it may take as long as it waits to be read
        elif self.files.since == math.inf:
            self.room.accounts.unfinished.mark(self.files, idle=False)

    def lost(self) -> None:
        """The page's process has ended: the browser connects again, and tells another process what was chosen."""
        self._place = None
        self.turn_away(AGAIN)

    def turn_away(self, code: int) -> None:
        """Release everything that is held for the page, and say why."""
        self.leave()
        self.close(code)

    def leave(self) -> None:
        """Release everything that is held for the page."""
        self._over.set()
        self._free.set()
        if not hasattr(self, "files"):  # it never opened
            return
        self._count_files()
        self.room.accounts.pages.leave(self.claim)
        if self._place:
            place, self._place = self._place, None
            self.room.pool.leave(*place)
        self.room.admit()

    def on_close(self) -> None:
        self.leave()

"""The socket of a page: one for each tab of a browser, from its visitor to a process that computes, within limits.

Only the lengths of messages are read here. A browser that asks faster than it is answered waits; one that does not read is
disconnected.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from tornado.iostream import StreamBufferFullError, StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from lmdk_widgets.hosts.serving.frames import MESSAGE, BadFrame, check_frame, packed
from lmdk_widgets.hosts.serving.handlers import Quiet
from lmdk_widgets.hosts.serving.pool import Pool, Worker
from lmdk_widgets.hosts.serving.settings import MOST_UNREAD_ALL_BYTES, MOST_UNREAD_BYTES

LOG = logging.getLogger("lmdk")
MOST, MOST_EACH = 1000, 10
"""The most pages that may be open at the same time, in total and for one visitor."""
TO_OPEN = 2
"""The messages with which a browser opens a page: its name, and that it is ready to be drawn."""
AT_ONCE = 8
"""The most messages of a page that are accepted before the first of them is answered."""
JSON_BYTES, JSON_BYTES_PER_S = 4 << 20, 256 << 10
"""How much text one page may send immediately, and how much a second after that: reading it takes time from others."""
FULL, MANY, FORGOTTEN, AGAIN = 4503, 4429, 4410, 1012
"""Codes with which the server closes a socket; `live/socket.js` says each in words."""
READY = packed(json.dumps({"said": "ready"}).encode())


class Room:
    """Everyone who has a page open.

    Parameters
    ----------
    pool : the processes that compute. most : the most pages at the same time; None for 1,000.
    """

    def __init__(self, pool: Pool, most: int | None = None) -> None:
        self.pool, self.most = pool, most or MOST
        self.sockets: set[Socket] = set()
        self.turned_away = 0

    @property
    def pages(self) -> int:
        """The number of open pages."""
        return len(self.sockets)

    @property
    def people(self) -> int:
        """The number of visitors who have a page."""
        return len({one.current_user for one in self.sockets})

    @property
    def unread(self) -> int:
        """The number of bytes that wait for browsers."""
        return sum(one.unread for one in self.sockets)

    def refusal(self, visitor: str) -> int:
        """The code with which one more page of a visitor is refused; 0 if there is room."""
        if Counter(one.current_user for one in self.sockets)[visitor] >= MOST_EACH:
            return MANY
        return FULL if self.pages >= self.most or self.pool.scarce else 0

    def relieve(self) -> None:
        """If too much waits for all browsers together, disconnect the one for which most is waiting."""
        if self.unread > MOST_UNREAD_ALL_BYTES:
            max(self.sockets, key=lambda one: one.unread).drop("the pages together")

    def forget(self, visitor: str) -> None:
        """End every page of a visitor, with everything in it."""
        for one in [one for one in self.sockets if one.current_user == visitor]:
            one.leave()
            one.close(FORGOTTEN)


class Socket(Quiet, WebSocketHandler):
    """A page that is open."""

    unread = 0
    _answers = 0
    _place: tuple[Worker, int] | None = None

    async def get(self, *args: Any, **kwargs: Any) -> None:
        if self.request.headers.get("Origin") is None:
            raise HTTPError(403)
        await super().get(*args, **kwargs)

    def initialize(self) -> None:
        self.room: Room = self.settings["lmdk_room"]
        self._asked, self._free, self._over = 0, asyncio.Event(), asyncio.Event()
        self._text, self._text_at = 0.0, time.monotonic()
        self._gone = False

    def check_origin(self, origin: str) -> bool:
        public = self.house.public
        return bool(public and origin == public.origin) or super().check_origin(origin)

    async def open(self, *_: str, **__: str) -> None:
        if refusal := self.room.refusal(self.current_user):
            self.close(refusal)
            return
        self.room.sockets.add(self)
        self._place = await self.room.pool.enter(self)
        if self._gone:  # while it waited for a process
            self.leave()
        else:
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
        await self._wait_for(stop - start)
        while self._asked >= AT_ONCE and not self._gone:
            self._free.clear()
            await self._free.wait()
        if self._place and not self._gone:
            assert isinstance(message, bytes)
            self._asked += 1
            worker, number = self._place
            worker.say(MESSAGE, number, message)
            await worker.drained()

    async def _wait_for(self, text: int) -> None:
        """Wait while this page has sent more text than its share."""
        now = time.monotonic()
        self._text = max(0.0, self._text - (now - self._text_at) * JSON_BYTES_PER_S) + text
        self._text_at = now
        if self._text > JSON_BYTES:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), (self._text - JSON_BYTES) / JSON_BYTES_PER_S)

    def told(self, content: bytes) -> None:
        try:
            sending = asyncio.ensure_future(self.write_message(content, binary=True))
        except StreamBufferFullError:
            self.drop("it")
        except WebSocketClosedError:  # the page was lost, but we have not been told yet
            pass
        else:
            self.unread += len(content)
            sending.add_done_callback(lambda done: self._sent(done, len(content)))
            if self.unread > MOST_UNREAD_BYTES:
                self.drop("it")
            self.room.relieve()

    def _sent(self, sending: asyncio.Future[None], size: int) -> None:
        """A page may leave before it has received everything, which is not a failure; anything else is."""
        self.unread -= size
        error = None if sending.cancelled() else sending.exception()
        if error is not None and not isinstance(error, WebSocketClosedError | StreamClosedError):
            LOG.error("A message to a page could not be sent (%s).", type(error).__name__)

    def drop(self, whom: str) -> None:
        """Disconnect a page that reads nothing, without a closing message, which would wait as well."""
        most = MOST_UNREAD_BYTES if whom == "it" else MOST_UNREAD_ALL_BYTES
        LOG.error("A page reads nothing while %d MB wait for %s: its connection is closed.", most >> 20, whom)
        self.leave()
        if (stream := getattr(self.ws_connection, "stream", None)) is not None:
            stream.close()

    @property
    def arriving(self) -> bool:
        return self._answers < TO_OPEN

    def answered(self) -> None:
        self._asked -= 1
        self._answers += 1
        self._free.set()

    def lost(self) -> None:
        """The page's process has ended: the browser connects again, and tells another process what was chosen."""
        self._place = None
        self.leave()
        self.close(AGAIN)

    def leave(self) -> None:
        """Release everything that is held for the page."""
        self._gone = True
        self._free.set()
        self._over.set()
        self.room.sockets.discard(self)
        if self._place:
            place, self._place = self._place, None
            self.room.pool.leave(*place)

    def on_close(self) -> None:
        self.leave()

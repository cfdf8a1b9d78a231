"""The socket between a page and its kernel: for the visitor who started the kernel, and for sound messages only."""

from __future__ import annotations

import re
from asyncio import Future
from typing import Any

from tornado.iostream import StreamBufferFullError, StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from lmdk_widgets.hosts.serving.frames import BadFrame, check_frame
from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES, MOST_UNREAD_BYTES
from lmdk_widgets.hosts.serving.visitors import Owned

PROTOCOL = "v1.kernel.websocket.jupyter.org"
GOING_AWAY = 1001
MOST_SOCKETS = 8
"""Open sockets of one kernel, each of which holds some ten files of the server; a page needs one."""


class Channels(Owned, VoilaKernelWebsocketHandler):
    """The socket between a page and its kernel.

    Only the binary protocol is spoken: with a client of the older one the server's memory grew without bound.
    """

    async def get(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            raise HTTPError(400, f"this socket speaks {PROTOCOL} only")
        # it becomes the name of a ZeroMQ socket, which is short and holds no null byte
        if not re.fullmatch(r"[\w-]{1,100}", self.get_query_argument("session_id", ""), re.ASCII):
            raise HTTPError(400, "a socket needs a session_id")
        if self.kernel_manager.sockets(kernel_id) >= MOST_SOCKETS:
            raise HTTPError(429)
        try:
            await super().get(kernel_id)  # type: ignore[misc]
        except (KeyError, OSError, RuntimeError):  # TimeoutError among them; the kernel ended meanwhile
            raise HTTPError(404) from None

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.clear_header("Server")

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        if self.connection is None:  # the page went while its kernel got ready
            raise HTTPError(404)
        return super().select_subprotocol(subprotocols)  # type: ignore[no-any-return]

    async def open(self, kernel_id: str) -> None:
        try:
            await super().open(kernel_id)
        except Exception as error:
            self._give_up(error)

    def on_message(self, message: bytes | str) -> None:
        try:
            check_frame(message)
        except BadFrame as bad:
            self.log.error("A message of a page is not one (%s): its connection is closed.", bad)
            self.close(bad.code, str(bad))
            return
        try:
            super().on_message(message)
        except Exception as error:
            self._give_up(error)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        try:
            sent = super().write_message(message, binary)
        except StreamBufferFullError:
            self.log.error(
                "A page reads nothing while %d MB wait for it: its connection is closed.", MOST_UNREAD_BYTES >> 20
            )
            self.ws_connection.stream.close()  # a word of goodbye would wait as well
            return None
        except WebSocketClosedError:  # between the loss of a page and the word of it
            return None
        if sent is not None:
            sent.add_done_callback(self._sent)
        return sent

    def _sent(self, sending: Future[None]) -> None:
        """A page may leave before it has everything, which is no failure; anything else is."""
        error = None if sending.cancelled() else sending.exception()
        if error is not None and not isinstance(error, WebSocketClosedError | StreamClosedError):
            self.log.error("A message to a page could not be sent (%s).", type(error).__name__)

    def on_close(self) -> None:
        try:
            super().on_close()
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        """End a socket whose kernel ended under it. The page asks for its kernel and says that it is gone."""
        if self.connection is not None and self.connection.kernel_id in self.kernel_manager:
            self.log.error("A connection to a session broke (%s).", type(error).__name__)
        self.close(GOING_AWAY)

    @property
    def max_message_size(self) -> int:
        return MESSAGE_LIMIT_BYTES

    def write_error(self, status_code: int, **_: Any) -> None:
        self.finish()

"""Connections: how many there may be, how long and slow a request's head may be, whom it comes from, and what is logged.

The size and time of a head, and how much may wait for a slow reader, are settings of Tornado. This module adds the number of
connections, so that files are left for the sessions, a sentence for a link that is too long, and which headers about the
sender are believed: only those of a named proxy. Where there are too many connections, those without a request end first.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPMessageDelegate, RequestStartLine, ResponseStartLine
from tornado.iostream import IOStream, UnsatisfiableReadError

from lmdk_widgets.hosts.serving.accountant import Claim, Held, network
from lmdk_widgets.hosts.serving.public import Public
from lmdk_widgets.hosts.serving.settings import MOST_UNREAD_BYTES, QUERY_LIMIT_BYTES

TOO_LONG = "/lmdk/too-long"
LONGEST_PATH = QUERY_LIMIT_BYTES + 300
"""The most bytes of an address without its host: the query of a link, and a token."""
LONGEST_HEAD = 16 * 2**10
"""The most bytes of a request before its body. While it is unfinished, it is searched again with each packet."""
LONGEST_BODY = 64 * 2**10
"""The most bytes that are read of a request's body; pages upload through their sockets."""
HEAD_S = 10.0
"""Seconds for the head of a request, and for the next request on an open connection."""
BODY_S = 30.0
"""Seconds for the body of a request."""
USUAL_FILES = 8_192
"""The files that a process may have open if the system does not say."""
DROPPED_BYTES, DROPPED_S, MOST_DROPPED = 3 * 2**20, 2.0, 50
"""How much of a request that is too long is read and dropped, for how many seconds, and on how many connections."""

FROM_PROXY = ("X-Real-Ip", "X-Forwarded-For", "X-Scheme", "X-Forwarded-Proto")
"""The headers in which a proxy says from whom, and how, a request came to it."""

_dropping: set[asyncio.Task[None]] = set()


def most_connections() -> int:
    """How many connections may be open at the same time: half of the files; sessions and their sockets need the rest."""
    try:
        import resource
    except ImportError:
        return USUAL_FILES // 2
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (USUAL_FILES if soft == resource.RLIM_INFINITY else min(soft, USUAL_FILES)) // 2


class Server(HTTPServer):
    """Refuses connections beyond the limits, and answers requests whose address is too long with a sentence."""

    too_long = b""
    """The whole answer to a request whose head is too long to be read."""
    open: Held
    public: Public | None = None
    """The address behind a proxy, and which connections are the proxy's."""

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        speaking = _Speaking(stream.socket, max_write_buffer_size=MOST_UNREAD_BYTES)
        speaking.too_long = self.too_long
        claim = speaking.claim = self.open.claim(speaking, "", network(address[0]), idle=True)
        for gone in self.open.surplus(claim):
            gone.owner.close()
        if not speaking.closed():
            super().handle_stream(speaking, address)

    def on_close(self, server_conn: Any) -> None:
        self.open.leave(server_conn.stream.claim)
        super().on_close(server_conn)

    def start_request(self, server_conn: Any, request_conn: Any) -> HTTPMessageDelegate:
        self.open.mark(server_conn.stream.claim, idle=True)
        from_proxy = self.public is not None and self.public.is_proxy(server_conn.context.address[0])
        return _Cut(super().start_request(server_conn, request_conn), from_proxy, server_conn.stream.claim)


def _answer(page: str) -> bytes:
    body = page.encode()
    lines = [
        "HTTP/1.1 414 URI Too Long",
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def server(application: Any, accounts: Held, *, public: Public | None, too_long: str) -> Server:
    """The server of an application, with its limits.

    Parameters
    ----------
    accounts : of its connections. public : its address behind a proxy. too_long : the page that answers a request whose head
    is too long to be read.
    """
    sizes: dict[str, Any] = {"max_header_size": LONGEST_HEAD, "max_body_size": LONGEST_BODY}
    times: dict[str, Any] = {"idle_connection_timeout": HEAD_S, "body_timeout": BODY_S}
    made = Server(application, xheaders=public is not None, **sizes, **times)
    made.too_long, made.open, made.public = _answer(too_long), accounts, public
    return made


class _Speaking(IOStream):
    """A connection that says why it closes if the head of a request is too long."""

    too_long = b""
    claim: Claim

    def close(self, exc_info: Any = False) -> None:
        if isinstance(exc_info, UnsatisfiableReadError) and not self.closed() and len(_dropping) < MOST_DROPPED:
            task = asyncio.ensure_future(_say(self.socket.dup(), self.too_long))
            _dropping.add(task)
            task.add_done_callback(_dropping.discard)
        super().close(exc_info)


async def _say(connection: socket.socket, answer: bytes) -> None:
    """Send an answer; anything still arriving is read, as unread data would make the answer be lost."""

    async def drop() -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(connection, answer)
        connection.shutdown(socket.SHUT_WR)
        left = DROPPED_BYTES
        while left > 0 and (part := await loop.sock_recv(connection, 2**16)):
            left -= len(part)

    with closing(connection), suppress(OSError, TimeoutError):
        await asyncio.wait_for(drop(), DROPPED_S)


class _Cut(HTTPMessageDelegate):
    """Sends a request whose address is too long to the page that says so, and drops what nobody may say of its sender."""

    def __init__(self, inner: HTTPMessageDelegate, from_proxy: bool, claim: Claim) -> None:
        self._inner, self._from_proxy, self._claim = inner, from_proxy, claim

    def headers_received(self, start_line: RequestStartLine | ResponseStartLine, headers: Any) -> Any:
        self._claim.idle = False
        for name in unbelieved(headers, self._from_proxy):
            del headers[name]
        if isinstance(start_line, RequestStartLine) and len(start_line.path) > LONGEST_PATH:
            start_line = start_line._replace(method="GET", path=TOO_LONG)
        return self._inner.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Any:
        return self._inner.data_received(chunk)

    def finish(self) -> None:
        self._inner.finish()

    def on_connection_close(self) -> None:
        self._inner.on_connection_close()


def unbelieved(headers: Mapping[str, str], from_proxy: bool) -> list[str]:
    """The headers about the sender that do not count.

    Only a proxy is believed. Most proxies pass on what the visitor wrote in a header that they do not set themselves, so
    two different addresses cannot both be theirs: such a request counts as the proxy's own.

    Examples
    --------
    >>> unbelieved({"X-Real-Ip": "192.0.2.7"}, from_proxy=False)
    ['X-Real-Ip']
    >>> unbelieved({"X-Real-Ip": "192.0.2.7", "X-Forwarded-For": "10.1.1.1, 192.0.2.7"}, from_proxy=True)
    []
    >>> unbelieved({"X-Real-Ip": "10.9.9.9", "X-Forwarded-For": "192.0.2.7"}, from_proxy=True)
    ['X-Real-Ip', 'X-Forwarded-For']
    """
    if not from_proxy:
        return [name for name in FROM_PROXY if name in headers]
    real, forwarded = (headers.get(name) for name in FROM_PROXY[:2])
    if real is None or forwarded is None or real.strip() == forwarded.rpartition(",")[2].strip():
        return []
    return list(FROM_PROXY[:2])


class Brief(logging.Filter):
    """Lets the same message pass a few times a minute, and says in one line what the system refuses, such as a full disk.

    Where in the program the system refused something helps nobody; at the limit of open files, a traceback for each
    connection would fill the disk.

    Examples
    --------
    >>> clock = iter([0.0, 1.0, 2.0, 70.0])
    >>> brief = Brief(most=2, clock=lambda: next(clock))
    >>> [brief.filter(logging.makeLogRecord({"msg": "again"})) for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, most: int = 60, every_s: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.most, self.every_s, self._clock = most, every_s, clock
        self._since, self._said = float("-inf"), dict[str, int]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written; it loses the traceback of an error of the system."""
        if record.exc_info and isinstance(record.exc_info[1], OSError):
            record.msg, record.args = f"{record.getMessage()} ({record.exc_info[1].strerror})", ()
            record.exc_info = None
        now = self._clock()
        if now - self._since > self.every_s:
            self._since, self._said = now, {}
        what = f"{record.name} {str(record.msg)[:80]}"
        self._said[what] = self._said.get(what, 0) + 1
        return self._said[what] <= self.most and len(self._said) <= 100 * self.most


LOGGERS = ("asyncio", "tornado.application", "tornado.general")
"""The loggers in which libraries say what went wrong in a connection."""

"""What all addresses of a class have in common: who asks, how often, the size of requests, and the headers sent."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, NoReturn

from tornado.iostream import StreamClosedError

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.accountant import Accountant, network
from lmdk_widgets.hosts.serving.classroom.room import Bell, Refusal, Room
from lmdk_widgets.hosts.serving.handlers import REFUSED, Quiet

MOST_BYTES = 16 * 2**10
"""The largest answer from a phone or request from the board."""

BEAT_S = 15.0
"""Seconds after which a stream with no news says so, so that a lost connection is noticed."""

PAUSE_S = 0.2
"""Minimum seconds between two states that a stream sends; changes in between are sent together."""

PATIENCE_S = 20.0
"""The most seconds that a request waits for others from the same network."""

TOO_MANY = "Too many requests are coming from your network. Try again in a few seconds."
NOT_READ = "The request could not be read."


class ClassHandler(Quiet):
    """An address of a class: strict headers, requests of one network in turn, errors as one sentence."""

    own_visitors = True  # a student is not a visitor of the pages
    error_as_json = False

    def initialize(self, room: Room, token: str = "", join: str = "") -> None:
        self.room, self.own_token, self.join = room, token, join

    async def prepare(self) -> None:
        if not await self.in_turn():
            self.set_status(429)
            self.finish(json.dumps({"sentence": TOO_MANY}))
            return
        await super().prepare()

    async def in_turn(self) -> bool:
        """Wait for the turn of this sender; False if there are too many before."""
        return await self.accounts.requests.turn(self.address, PATIENCE_S)

    @property
    def accounts(self) -> Accountant:
        """Of everything that is limited."""
        return self.house.accounts

    @property
    def port(self) -> int:
        """The server's port: part of cookies' names, as cookies are shared between ports."""
        return self.house.visitors.port

    @property
    def address(self) -> str:
        """The network that the request comes from; never written anywhere."""
        return network(self.request.remote_ip or "")

    @cached_property
    def nonce(self) -> str:
        """The nonce that identifies this page's style sheets."""
        return secrets.token_urlsafe(16)

    @property
    def content_security_policy(self) -> str:
        """Only scripts, styles, pictures and requests of this server, and styles added by its scripts; nothing inline."""
        style = f"style-src 'self' 'nonce-{self.nonce}'"
        allowed = f"script-src 'self'; {style}; img-src 'self' data:; connect-src 'self'; form-action 'self'"
        return f"default-src 'none'; {allowed}; base-uri 'none'; frame-ancestors 'none'"

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        if self.error_as_json:
            self.set_header("Content-Type", "application/json")
            self.finish(json.dumps({"sentence": REFUSED}))
        else:
            self.allow_own_style()
            super().write_error(status_code, **kwargs)

    def allow_own_style(self) -> None:
        """Allow the inline style of the pages that say what went wrong."""
        self.set_header("Content-Security-Policy", super().content_security_policy)

    def read_json(self) -> dict[str, Any]:
        """The request as a JSON object.

        Raises
        ------
        InputError : it is too long, or not a JSON object.
        """
        if len(self.request.body) > MOST_BYTES:
            raise InputError("A request must be shorter", value=f"{len(self.request.body):,} bytes")
        try:
            found = json.loads(self.request.body, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise InputError(NOT_READ.rstrip(".")) from None
        if not isinstance(found, dict):
            raise InputError("A request must be a JSON object")
        return found

    async def replied(self, work: Callable[[], Awaitable[Any]]) -> None:
        """Reply with what `work` returns as JSON, or with a sentence and a suitable status."""
        self.set_header("Content-Type", "application/json")
        try:
            found = await work()
        except InputError as error:
            self.set_status(400)
            found = {"sentence": error.sentence}
        except Refusal as error:
            self.set_status(409)
            found = {"sentence": str(error)}
        except OSError as error:
            self.log.error("An answer could not be written to the class's file: %s", error)
            self.set_status(507)
            found = {"sentence": "The server could not save this: its disk may be full. Nothing was changed."}
        self.finish(json.dumps(found))

    def page_of(self, name: str, **more: Any) -> None:
        """Send one of the two pages of a class."""
        shared = {
            "nonce": self.nonce,
            "xsrf": self.xsrf_token.decode(),
            **self.house.about(),
        }
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(self.house.page(name).render(**shared, **more))

    def set_own_cookie(self, name: str, value: str, *, days: float | None, path: str) -> None:
        """A cookie that no script can read, and that is not sent from other sites' pages."""
        self.set_cookie(name, value, expires_days=days, httponly=True, samesite="Lax", path=path)


class Stream(ClassHandler):
    """Sends a page the state, and again whenever it changes (server-sent events), until the page closes."""

    gone = False
    _idle: asyncio.Future[None] | None = None

    async def stream(self, bell: Bell, state: Callable[[], str]) -> None:
        """Send states while the page is open. A page that reads slowly misses some in between, never the last."""
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Content-Encoding", "identity")  # compressed, each stream would need a quarter of a megabyte
        self.set_header("X-Accel-Buffering", "no")
        heard = -1
        try:
            while not self.gone:
                rung = bell.rung
                self.write(":\n\n" if rung == heard else f"data: {state()}\n\n")
                heard = rung
                await self.flush()
                self._idle = asyncio.ensure_future(_idle(bell, heard))
                await asyncio.wait([self._idle])
        except StreamClosedError:
            pass

    def on_connection_close(self) -> None:
        """The page was closed."""
        self.gone = True
        if self._idle is not None:
            self._idle.cancel()  # its place is free now, not at the next beat


async def _idle(bell: Bell, heard: int) -> None:
    await asyncio.sleep(PAUSE_S)
    await bell.after(heard, BEAT_S)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")

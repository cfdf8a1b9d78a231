"""What all addresses of a class have in common: who asks, how often, how short requests are, and what is sent along."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, NoReturn

from tornado.iostream import StreamClosedError

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.limits import Limit, Open, network
from lmdk_widgets.hosts.serving.classroom.room import Bell, Refusal, Room
from lmdk_widgets.hosts.serving.handlers import REFUSED, Quiet
from lmdk_widgets.hosts.serving.tokens import Guesses

MOST_BYTES = 16 * 2**10
"""Longest answer of a phone or request of the board."""

BEAT_S = 15.0
"""Seconds after which a stream that has nothing to say says so, so that a connection that is gone is noticed."""

PAUSE_S = 0.2
"""Least seconds between two states that a stream sends: what happens meanwhile comes together."""

TOO_MANY = "Too many requests come from your network just now. Try again in a few seconds."
NOT_READ = "The request could not be read."


class Limits:
    """Who may ask how often. Addresses are kept in memory only, and a class behind one address passes together."""

    def __init__(self) -> None:
        self.address = Limit(at_once=1_500, per_second=150)
        self.phone = Limit(at_once=60, per_second=5)  # requests of a phone that is there, whatever its address sends
        self.student = Limit(at_once=20, per_second=2)  # answers
        self.newcomer = Limit(at_once=1_000, per_second=10)  # cookies of new students, by network
        self.guesses = Guesses()  # of the token of a board or an overview
        self.streams = Open(most_each=6, most=3_000, of_names=True)  # phones that are here
        self.networks = Open(most_each=1_500, most=6_000)  # streams of phones, by network
        self.boards = Open(most_each=20, most=20)


class ClassHandler(Quiet):
    """An address of a class: strict headers, a limit for each network address, errors as one sentence."""

    own_visitors = True  # a student is no visitor of the pages
    error_as_json = False

    def initialize(self, room: Room, limits: Limits, token: str = "", join: str = "") -> None:
        self.room, self.limits, self.own_token, self.join = room, limits, token, join

    def prepare(self) -> None:
        if not self.may_ask():
            self.set_status(429)
            self.finish(json.dumps({"sentence": TOO_MANY}))
            return
        super().prepare()

    def may_ask(self) -> bool:
        """Whether one more request is allowed from where it comes from."""
        return self.limits.address.allows(self.address)

    @property
    def port(self) -> int:
        """Where the server listens: part of the names of cookies, which do not tell ports apart."""
        return self.house.visitors.port

    @property
    def address(self) -> str:
        """The network that the request comes from; never written anywhere."""
        return network(self.request.remote_ip or "")

    @cached_property
    def nonce(self) -> str:
        """What style sheets of this one page are known by."""
        return secrets.token_urlsafe(16)

    @property
    def content_security_policy(self) -> str:
        """Nothing but scripts, styles, pictures and requests of this server, and styles that its scripts add; none inline."""
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
        """The pages that say what went wrong hold their style."""
        self.set_header("Content-Security-Policy", super().content_security_policy)

    def read_json(self) -> dict[str, Any]:
        """The request as a JSON object.

        Raises
        ------
        InputError : it is too long, or none.
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
        """Reply with what `work` returns as JSON, or with a sentence and the status that fits."""
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
            self.log.error("An answer could not be written into the file of the class: %s", error)
            self.set_status(507)
            found = {"sentence": "The server could not keep this: its disk may be full. Nothing was changed."}
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
        """A cookie that no script reads and no other site's page makes a browser send."""
        self.set_cookie(name, value, expires_days=days, httponly=True, samesite="Lax", path=path)


class Stream(ClassHandler):
    """Tells a page what is, and again whenever it changes (server-sent events), until the page goes."""

    gone = False
    _idle: asyncio.Future[None] | None = None

    async def stream(self, bell: Bell, state: Callable[[], str]) -> None:
        """Send states while the page is there. A page that reads slowly misses those in between, never the last."""
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Content-Encoding", "identity")  # packed, each stream would hold a quarter of a megabyte
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
        """The page went."""
        self.gone = True
        if self._idle is not None:
            self._idle.cancel()  # its place is free now, not at the next beat


async def _idle(bell: Bell, heard: int) -> None:
    await asyncio.sleep(PAUSE_S)
    await bell.after(heard, BEAT_S)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")

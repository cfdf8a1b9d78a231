"""The overview for whoever runs the server: the address to hand out, its QR code, who is connected, and the memory left."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import segno
from tornado.web import HTTPError

from lmdk_widgets.hosts.serving.classroom.base import Stream
from lmdk_widgets.hosts.serving.classroom.token_pages import Keyed, KeyedPage
from lmdk_widgets.hosts.serving.sockets import Room
from lmdk_widgets.hosts.serving.tokens import chosen_token
from lmdk_widgets.hosts.serving.watch import Terminal, Watch

BLACK_ON_WHITE = "\x1b[38;5;231;48;5;16m"
"""A code in a terminal is drawn by its light parts; the colours are explicit, so they are right in any theme."""


@dataclass
class Overview:
    """The page for whoever runs the server.

    Attributes
    ----------
    token : opens it. address : the address to hand out, with the token of the pages. own : the address of the overview.
    shows_code : whether the terminal shows the address's QR code.
    """

    token: str
    address: str
    own: str
    shows_code: bool
    terminal: Terminal = field(default_factory=Terminal)
    watch: Watch | None = None

    def handlers(self, base: str) -> list[Any]:
        """Its addresses, for the server's list."""
        shared = {"overview": self}
        found = {"overview": Page, "overview/stream": PageStream, "overview/code.svg": Code}
        return [(f"{base}{path}", handler, shared) for path, handler in found.items()]

    def lines(self) -> list[str]:
        """What is printed with the address of the pages."""
        code = [terminal_code(self.address)] if self.shows_code and self.terminal.out.isatty() else []
        return [*code, f"Overview, for you alone, at {self.own}"]

    def start(self, room: Room) -> None:
        """Start watching who is connected."""
        self.watch = Watch(room, self.terminal)
        self.watch.start()

    def stop(self) -> None:
        """Stop watching."""
        if self.watch:
            self.watch.stop()


def open_overview(address: str, base: str, *, token: str | None = None, shows_code: bool = False) -> Overview:
    """The overview of a server whose pages are at `base` and reached at `address`.

    Raises
    ------
    InputError : the token cannot be part of an address.
    """
    chosen = chosen_token(token, "LMDK_OVERVIEW_TOKEN")
    return Overview(chosen, address, f"{base}overview?token={quote(chosen)}", shows_code)


def terminal_code(address: str) -> str:
    """An address as a QR code made of characters, in colours that cameras can read."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True, border=2)
    return "\n".join(f"{BLACK_ON_WHITE}{line}\x1b[0m" for line in drawn.getvalue().splitlines())


class OverviewHandler(Keyed):
    """An address of the overview."""

    role = "overview"

    def initialize(self, overview: Overview) -> None:  # type: ignore[override]
        self.overview, self.own_token = overview, overview.token


class Page(OverviewHandler, KeyedPage):
    """The page itself."""

    error_as_json = False

    def show(self) -> None:
        self.page_of("overview.html", address=self.overview.address)


class PageStream(OverviewHandler, Stream):
    """Who is connected, whenever that changes."""

    async def get(self) -> None:
        self.refuse_strangers()
        if self.overview.watch is None:
            raise HTTPError(429)
        watch = self.overview.watch
        await self.watch("overview", watch.bell, lambda: json.dumps(watch.now.to_dict()))


class Code(OverviewHandler):
    """The address of the pages as a QR code."""

    def get(self) -> None:
        self.send_code(self.overview.address)

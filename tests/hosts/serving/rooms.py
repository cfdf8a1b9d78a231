"""A room on a real server, and its visitors as plain clients of the socket.

with room() as address:                      # `lmdk serve` for this machine alone; `room(processes=1, people=2)` with less
    visitor = Visitor(address)               # a browser of its own; `Visitor(address, cookie)` is another tab of it
    visitor.open("place").move("level", 1.2)["choices"]
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import psutil
import websocket

from tests.server import PATIENCE_S, Address, started, until

PROGRAM = "import json, sys; from lmdk_widgets.hosts.serving.launch import serve; serve(**json.loads(sys.argv[1]))"


@contextmanager
def room(
    tracebacks: str = "",
    *,
    people: int | None = None,
    token: str | None = None,
    port: int = 0,
    env: Mapping[str, str] | None = None,
    basemap: str | None = None,
    **limits: Any,
) -> Iterator[Address]:
    """A room; `limits` are arguments of `RoomServer`."""
    told = {"host": "127.0.0.1", "port": port, "browser": False, "people": people, "token": token, "basemap": basemap}
    told |= {"overview": {"shows_code": False}, "overrides": {"RoomServer": limits}}
    with started([sys.executable, "-c", PROGRAM, json.dumps(told)], env, tracebacks) as address:
        yield address


def frame(message: Any, *buffers: bytes) -> bytes:
    """A message of the socket."""
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"".join(struct.pack("<I", len(part)) + part for part in (text, *buffers))


def computing(address: Address) -> list[psutil.Process]:
    """The processes that compute pages: forked by one, or started by the server."""
    found = []
    for each in psutil.Process(address.process.pid).children():
        with suppress(psutil.Error):  # it has just ended
            command = " ".join(each.cmdline())
            found += (
                each.children()
                if "serving.forking_process" in command
                else [each]
                if "serving.compute" in command
                else []
            )
    return found


def connect(address: Address, cookie: str = "", **options: Any) -> websocket.WebSocket:
    """The socket of a page."""
    parts = urlsplit(address)
    given = {
        "cookie": cookie or "=".join(address.admitted()),
        "origin": f"http://{parts.netloc}",
        "timeout": PATIENCE_S,
    }
    return websocket.create_connection(f"ws://{parts.netloc}{parts.path}pages", **{**given, **options})


class Visitor:
    """One tab with one page."""

    def __init__(self, address: Address, cookie: str = "", **options: Any) -> None:
        self.cookie = cookie or "=".join(address.admitted())
        self.socket = connect(address, self.cookie, **options)
        self.page, self.number = "", 0

    def said(self) -> dict[str, Any]:
        """What the server says next."""
        found = self.socket.recv()
        (length,) = struct.unpack_from("<I", found)
        return json.loads(found[4 : 4 + length])

    def send(self, do: str, *buffers: bytes, **more: Any) -> None:
        self.socket.send_binary(frame({"do": do, "name": self.page, **more}, *buffers))

    def say(self, message: Any, *buffers: bytes) -> None:
        """A message of the page."""
        self.send("message", *buffers, text=json.dumps(message))

    def told(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """The next message of a kind that the page tells its browser."""
        while True:
            message = self.said().get("message") or {}
            if message.get("type") == kind and all(message.get(key) == value for key, value in wanted.items()):
                return message

    def open(self, page: str = "track", query: str = "") -> Visitor:
        """Opens a page, once a process is ready."""
        self.page = page
        while self.said()["said"] != "ready":
            pass
        self.send("open", query=query)
        self.say({"type": "ready", "view": "v"})
        self.told("draw", view="v")
        return self

    def move(self, name: str, value: Any, commit: bool = False) -> dict[str, Any]:
        """Sets a choice; the numbers then."""
        self.number += 1
        operation = {"op": "set", "name": name, "value": value}
        self.say({"type": "change", "id": self.number, "operations": [operation], "commit": commit, "view": "v"})
        return self.told("numbers", id=self.number)

    def code(self) -> int:
        """The code with which the server closes the socket."""
        while True:
            kind, data = self.socket.recv_data()
            if kind == websocket.ABNF.OPCODE_CLOSE:
                return int.from_bytes(data[:2], "big")


def gone(address: Address, pages: int, patience_s: float = 30) -> None:
    """Waits until so many pages are open, as the line of the overview says."""
    from tests.hosts.serving.test_serve import Host

    until(lambda: (found := Host(address).state()["pages"], found == pages), f"{pages} pages", patience_s)

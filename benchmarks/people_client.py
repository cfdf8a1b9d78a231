"""A person on the dashboard as a protocol client, who loads the page, keeps its socket, and moves a slider once a second."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from contextlib import suppress
from typing import Any

from class_client import Browser
from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClosedError, websocket_connect


class Person:
    """One visitor with one page.

    Parameters
    ----------
    page : name of the page to open. slider : the choice to move.
    """

    def __init__(self, port: int, page: str, slider: str) -> None:
        self.browser, self.port, self.page, self.slider = Browser(port), port, page, slider
        self.moved_ms: list[float] = []
        self.best_ms: list[float] = []
        self.lost = 0
        self.back_s: list[float] = []  # after each lost connection, until the page is drawn again
        self._said: dict[str, Any] | None = None  # the move that has not been answered yet
        self._chosen: dict[str, Any] | None = None  # as the page said last
        self._closed = False
        self._moved = (0.0, 0.0)  # when the slider was set, and to what, until its optimum has arrived
        self._answers: dict[int, asyncio.Future[float]] = {}
        self._drawn: asyncio.Future[float] | None = None

    async def open(self, token: str) -> float:
        """Seconds until the page's text and first drawing arrived."""
        began = time.monotonic()
        await self.browser.request("GET", f"/?token={token}")
        await self.browser.open(f"/?page={self.page}")
        await self.connect()
        return time.monotonic() - began

    async def connect(self) -> None:
        """Connect the socket, and have the page drawn."""
        self._drawn = asyncio.get_running_loop().create_future()
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{self.port}"}
        request = HTTPRequest(f"ws://127.0.0.1:{self.port}/pages", headers=headers)
        self.socket = await websocket_connect(request, max_message_size=2**27)
        self.listening = asyncio.create_task(self._listen())
        await asyncio.wait_for(self._drawn, 180)

    def _send(self, content: dict[str, Any]) -> None:
        text = json.dumps({**content, "name": self.page}).encode()
        frame = struct.pack("<I", len(text)) + text
        with suppress(WebSocketClosedError):  # the process was killed: the page connects again
            self._writing = asyncio.ensure_future(self.socket.write_message(frame, binary=True))

    def _say(self, content: dict[str, Any]) -> None:
        self._send({"do": "message", "text": json.dumps(content)})

    async def _listen(self) -> None:
        while (frame := await self.socket.read_message()) is not None:
            (length,) = struct.unpack_from("<I", frame)
            self._take(json.loads(frame[4 : 4 + length]))
        if not self._closed:
            self._coming = asyncio.ensure_future(self._again())

    async def _again(self) -> None:
        """Reconnect as a browser does: immediately, with all that was chosen and the unanswered message."""
        began = time.monotonic()
        await self.connect()
        self.back_s.append(time.monotonic() - began)
        if self._said is not None:
            self._say(self._said)

    def _take(self, said: dict[str, Any]) -> None:
        if said["said"] == "ready":
            self._send({"do": "open", "query": f"page={self.page}"})
        elif said["said"] == "opened":
            if self._chosen is not None:  # as a browser does, before its first text
                self._say({"type": "restore", "steps": [self._chosen], "at": 0})
            self._say({"type": "ready", "view": "one"})
        elif said["said"] == "message":
            self._told(said["message"])

    def _told(self, content: dict[str, Any]) -> None:
        # a drawing that answers this page, which then has its model, not one that the kernel sends earlier
        answers = content["type"] == "draw" and "view" in content
        if answers and self._drawn is not None and not self._drawn.done():
            self._drawn.set_result(time.monotonic())
        if content["type"] == "restored" and not content["done"]:
            self.lost += 1
        if content["type"] != "numbers":
            return
        self._chosen = content["choices"]
        if (waiting := self._answers.pop(content.get("id", -1), None)) is not None:
            waiting.set_result(time.monotonic())
        began, value = self._moved
        if began and content["choices"][self.slider] == value and "optimal" in content.get("known", ()):
            self.best_ms.append(1e3 * (time.monotonic() - began))
            self._moved = (0.0, 0.0)

    async def move(self, number: int, value: float) -> None:
        """Set the slider, and record how long its text takes."""
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        operation = {"op": "set", "name": self.slider, "value": value}
        began = time.monotonic()
        self._moved = (began, value)
        self._said = {"type": "change", "id": number, "operations": [operation], "commit": False, "view": "one"}
        if self._drawn is not None and self._drawn.done():  # otherwise it is said once the page is there again
            self._say(self._said)
        try:
            self.moved_ms.append(1e3 * (await asyncio.wait_for(answer, 30) - began))
        except TimeoutError:
            self.lost += 1
        self._said = None

    def close(self) -> None:
        """Leave as a tab that is closed."""
        self._closed = True
        self.listening.cancel()
        self.socket.close()
        self.browser.close()

"""A person on the dashboard as a protocol client: loads the page, holds its socket, and moves a slider once a second."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import uuid4

from class_client import Browser
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

PROTOCOL = "v1.kernel.websocket.jupyter.org"
MODULES = {"landmarks": "landmarks.js", "places": "places.js", "quilts": "quilts.js"}


class Person:
    """One visitor with one page.

    Parameters
    ----------
    page : name of the page that is opened. slider : the choice that is moved.
    """

    def __init__(self, port: int, page: str, slider: str) -> None:
        self.browser, self.port, self.page, self.slider = Browser(port), port, page, slider
        self.session = Session(key=b"")
        self.moved_ms: list[float] = []
        self.best_ms: list[float] = []
        self.lost = 0
        self._moved = (0.0, 0.0)  # when the slider was set, and to what, while its optimum has not come
        self._answers: dict[int, asyncio.Future[float]] = {}
        self._model = ""
        self._drawn: asyncio.Future[float] | None = None

    async def open(self, token: str) -> float:
        """Seconds until the page's text and first drawing came."""
        began = time.monotonic()
        await self.browser.request("GET", f"/?token={token}")
        self.kernel = kernel = await self.browser.open_page(f"/?page={self.page}")
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        headers = {"Cookie": cookies, "Origin": f"http://127.0.0.1:{self.port}"}
        address = f"ws://127.0.0.1:{self.port}/api/kernels/{kernel}/channels?session_id={uuid4().hex}"
        request = HTTPRequest(address, headers=headers)
        self.socket = await websocket_connect(request, subprotocols=[PROTOCOL], max_message_size=2**27)
        self._drawn = asyncio.get_running_loop().create_future()
        self.listening = asyncio.create_task(self._listen())
        comm = uuid4().hex
        opening = {"comm_id": comm, "target_name": "jupyter.widget.control", "data": {}}
        self._send("comm_open", opening, metadata={"version": "1.0.0"})
        self._send("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
        await asyncio.wait_for(self._drawn, 180)
        return time.monotonic() - began

    def _send(self, kind: str, content: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
        message = self.session.msg(kind, content=content, metadata=metadata)
        parts = [self.session.pack(message[name]) for name in ("header", "parent_header", "metadata", "content")]
        frame = serialize_msg_to_ws_v1(parts, "shell")
        self._writing = asyncio.ensure_future(self.socket.write_message(frame, binary=True))

    def _say(self, content: dict[str, Any]) -> None:
        self._send("comm_msg", {"comm_id": self._model, "data": {"method": "custom", "content": content}})

    async def _listen(self) -> None:
        while (frame := await self.socket.read_message()) is not None:
            if isinstance(frame, bytes):
                self._take(frame)

    def _take(self, frame: bytes) -> None:
        _, parts = deserialize_msg_from_ws_v1(frame)
        header = self.session.unpack(parts[0])
        if header["msg_type"] != "comm_msg":
            return
        data = self.session.unpack(parts[3])["data"]
        if data.get("method") == "update_states":
            module = MODULES[self.page]
            found = [name for name, model in data["states"].items() if model["state"].get("_module") == module]
            self._model = found[0]
            self._say({"type": "ready", "view": "one"})
        elif data.get("method") == "custom":
            self._told(data["content"])

    def _told(self, content: dict[str, Any]) -> None:
        # a drawing that answers this page, which has its model then, not what the kernel sends before
        answers = content["type"] == "draw" and "view" in content
        if answers and self._drawn is not None and not self._drawn.done():
            self._drawn.set_result(time.monotonic())
        if content["type"] != "numbers":
            return
        if (waiting := self._answers.pop(content.get("id", -1), None)) is not None:
            waiting.set_result(time.monotonic())
        began, value = self._moved
        if began and content["choices"][self.slider] == value and "optimal" in content.get("known", ()):
            self.best_ms.append(1e3 * (time.monotonic() - began))
            self._moved = (0.0, 0.0)

    async def move(self, number: int, value: float) -> None:
        """Set the slider; how long its text takes is kept."""
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        operation = {"op": "set", "name": self.slider, "value": value}
        began = time.monotonic()
        self._moved = (began, value)
        self._say({"type": "change", "id": number, "operations": [operation], "commit": False, "view": "one"})
        try:
            self.moved_ms.append(1e3 * (await asyncio.wait_for(answer, 30) - began))
        except TimeoutError:
            self.lost += 1

    def close(self) -> None:
        """Leave as a tab that is closed."""
        self.listening.cancel()
        self.socket.close()
        self.browser.close()

"""Several people on Places of one server: each move is answered, and what one page has solved the next one has at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from jupyter_client.session import Session
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1

from lmdk_widgets.hosts.serving.sockets import PROTOCOL
from lmdk_widgets.pages.places import MECHANISMS
from tests.hosts.serving.test_settings import connect
from tests.hosts.serving.visits import fetch
from tests.server import PATIENCE_S, Address, serve

pytestmark = pytest.mark.slow
LEVELS = (1.0, 1.26, 0.794, 1.58, 1.0, 2.0)
"""Stops of the slider."""


class Visitor:
    """One page of Places as its socket shows it."""

    def __init__(self, address: Address) -> None:
        self.session = Session(key=b"")
        self.socket = connect(address, fetch(f"{address}?page=places").kernel, subprotocols=[PROTOCOL])
        self.socket.settimeout(2 * PATIENCE_S)
        self.model, comm = "", uuid4().hex
        opening = {"comm_id": comm, "target_name": "jupyter.widget.control", "data": {}}
        self._send("comm_open", opening, {"version": "1.0.0"})
        self._send("comm_msg", {"comm_id": comm, "data": {"method": "request_states"}})
        while not self.model:
            states = self._data().get("states", {})
            self.model = next(
                (name for name, each in states.items() if each["state"].get("_module") == "places.js"), ""
            )
        self.say({"type": "ready", "view": "v"})

    def _send(self, kind: str, content: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
        message = self.session.msg(kind, content=content, metadata=metadata)
        parts = [self.session.pack(message[name]) for name in ("header", "parent_header", "metadata", "content")]
        self.socket.send_binary(serialize_msg_to_ws_v1(parts, "shell"))

    def _data(self) -> dict[str, Any]:
        while True:
            _, parts = deserialize_msg_from_ws_v1(self.socket.recv())
            if self.session.unpack(parts[0])["msg_type"] == "comm_msg":
                return self.session.unpack(parts[3])["data"]

    def say(self, content: dict[str, Any]) -> None:
        self._send("comm_msg", {"comm_id": self.model, "data": {"method": "custom", "content": content}})

    def move(self, number: int, level: float) -> None:
        operation = {"op": "set", "name": "level", "value": level}
        self.say({"type": "change", "id": number, "operations": [operation], "commit": False, "view": "v"})

    def numbers(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next numbers of the page that are wanted."""
        while True:
            content = self._data().get("content", {})
            if content.get("type") == "numbers" and wanted(content):
                return content


@pytest.mark.nightly
def test_each_move_is_answered_and_what_one_page_has_solved_the_next_has_at_once() -> None:
    with serve() as address:
        people = [Visitor(address) for _ in range(2)]
        for number, level in enumerate(LEVELS, 1):  # nobody waits for an answer before the next move
            for person in people:
                person.move(number, level)
        for person in people:
            for number in range(1, len(LEVELS) + 1):
                assert person.numbers(lambda found: "id" in found)["id"] == number
            person.numbers(lambda found: set(found["known"]) == set(MECHANISMS))
        solved = list((address.folder / "solved").iterdir())
        assert len(solved) >= len(MECHANISMS) and {file.stat().st_mode & 0o777 for file in solved} == {0o600}
        people.append(Visitor(address))
        people[-1].numbers(lambda found: found.get("view") == "v")
        people[-1].move(1, LEVELS[-1])
        answer = people[-1].numbers(lambda found: found.get("id") == 1)
        assert set(answer["known"]) == set(MECHANISMS) and not answer["stale"]
        for person in people:
            person.socket.close()

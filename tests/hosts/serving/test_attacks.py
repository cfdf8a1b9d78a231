"""Attacks on a class from the network, each against the address of a running server and bounded in time and memory.

Anyone who attacks has another address than the class, or the same one where that is said: any of 127.0.0.0/8 will do.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from lmdk_widgets.hosts.serving.classroom.room import FULL
from tests.hosts.serving.classes import TOKEN, Client, Student, Teacher, class_server
from tests.server import Address, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems have no 127.0.0.2 of their own"),
]

CROWD = 1_000
"""Students that one network can invent at once."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with class_server(tmp_path_factory.mktemp("attacked") / "class.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def teacher(address: Address) -> Teacher:
    return Teacher(address)


def opened(address: Address, source: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=30, source_address=(source, 0))


def is_closed(connection: socket.socket, patience_s: float) -> bool:
    """Whether the server ends a connection; what it says before is read."""
    connection.settimeout(patience_s)
    try:
        while connection.recv(2**16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_a_head_beyond_16_kb_ends_its_connection(address: Address) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(opened(address, "127.0.0.2")) for _ in range(20)]
        for connection in held:
            with suppress(OSError):  # closed meanwhile
                connection.sendall(b"GET /join HTTP/1.1\r\n" + b"a: b\r\n" * 3_000)
        assert all(is_closed(connection, 15) for connection in held)
    assert Client(address).get("join")[0] == 200


@pytest.mark.nightly
def test_a_head_that_does_not_end_ends_its_connection(address: Address) -> None:
    began = time.monotonic()
    with opened(address, "127.0.0.2") as connection:
        connection.settimeout(1)
        connection.sendall(b"GET /join HTTP/1.1\r\n")
        ended = False
        while not ended and time.monotonic() - began < 40:
            try:
                connection.sendall(b"a: b\r\n")
                ended = not connection.recv(100)
            except TimeoutError:
                continue
            except OSError:
                ended = True
        assert ended


def test_nobody_invents_students(address: Address, teacher: Teacher) -> None:
    teacher.put("guess", {})
    number, student = teacher.state()["round"], Student(address)
    name = f"lmdk-class-{urlsplit(address).port}"
    before = teacher.state()["phones"]
    for k in range(100):
        student.cookies[name] = f"{k:032x}"
        status, _ = student.post("join/answer", {"round": number, "answer": 1})
        assert status in {403, 409}
    with ExitStack() as stack:
        for k in range(100):
            student.cookies[name] = f"{k:032x}"
            stream = student.request("GET", "join/stream")
            stack.callback(stream.close)
            assert stream.status == 403
        assert teacher.state()["answers"] == 0 and teacher.state()["phones"] == before
    assert Student(address).answer(3, number)[0] == 200


def join(address: Address, source: str, most: int) -> list[dict[str, str]]:
    """The cookies of as many new students as one network gets, out of so many attempts."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30, source_address=(source, 0))
    found = []
    for _ in range(most):
        connection.request("GET", "/join")
        answer = connection.getresponse()
        text = answer.read().decode()
        lines = answer.headers.get_all("Set-Cookie") or []
        pairs = dict(line.partition(";")[0].split("=", 1) for line in lines)
        if any(name.startswith("lmdk-class-") for name in pairs):
            found.append(pairs | {"xsrf": re.search(r'name="xsrf" content="([^"]+)"', text)[1]})
    connection.close()
    return found


def send(address: Address, source: str, students: list[dict[str, str]], content: Any) -> list[int]:
    """What each of these students is answered, one after the other on one connection."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30, source_address=(source, 0))
    statuses = []
    for student in students:
        cookies = "; ".join(f"{name}={value}" for name, value in student.items() if name != "xsrf")
        head = {"Cookie": cookies, "X-XSRFToken": student["xsrf"]}
        connection.request("POST", "/join/answer", json.dumps(content), head)
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
    connection.close()
    return statuses


@pytest.mark.nightly
def test_a_crowd_of_one_machine_ends_somewhere_and_takes_no_place_of_phones(address: Address, teacher: Teacher) -> None:
    began = time.monotonic()
    crowd = join(address, "127.0.0.3", CROWD + 300)
    assert len(crowd) <= CROWD + 10 * (time.monotonic() - began) + 1, "students cannot be had without end"
    teacher.put("guess", {})
    number = teacher.state()["round"]
    answered = send(address, "127.0.0.4", crowd[:CROWD], {"round": number, "answer": 0})
    assert answered.count(200) == CROWD
    late, honest = Student(address), Student(address)
    assert late.post("join/answer", {"round": number, "answer": 1}) == (409, {"sentence": FULL})
    stream = honest.request("GET", "join/stream")
    assert honest.post("join/answer", {"round": number, "answer": 5}) == (200, {"answer": 5}), "a phone that is here"
    until(lambda: (now := teacher.state()["absent"], now == CROWD), "the board to know who is here", 30)
    assert teacher.act("aside")[0] == 200
    assert teacher.state()["answers"] == 1 and teacher.state()["absent"] == 0
    assert honest.state()["mine"]["answer"] == 5
    assert teacher.state()["aside"] == CROWD
    assert late.answer(1, number)[0] == 200, "there is room again"
    stream.close()
    assert late.post("board/do", {"do": "aside", "round": number})[0] == 403, "the teacher's alone"


def test_500_phones_behind_one_address_all_answer(address: Address, teacher: Teacher) -> None:
    with ThreadPoolExecutor(8) as pool:
        rooms = list(pool.map(lambda _: join(address, "127.0.0.5", 63), range(8)))
        phones = [one for room in rooms for one in room][:500]
        assert len(phones) == 500
        teacher.put("response", {"text": "Did you ever?"})
        content = {"round": teacher.state()["round"], "answer": 1}
        parts = [phones[k::8] for k in range(8)]
        statuses = pool.map(lambda part: send(address, "127.0.0.5", part, content), parts)
        answered = [status for part in statuses for status in part]
    assert answered == [200] * 500 and teacher.state()["answers"] == 500


@pytest.mark.parametrize("path", ["board", "overview", ""])
def test_guesses_of_a_token_are_limited(address: Address, path: str) -> None:
    source = f"127.0.1.{len(path) + 1}"
    right = {"board": TOKEN, "overview": address.output().partition("overview?token=")[2].split()[0]}
    token = right.get(path) or address.opened.partition("token=")[2]

    def guess(given: str, source: str = source) -> tuple[int, str]:
        return Client(address, source=source).get(f"{path}?token={given}")

    with ThreadPoolExecutor(60) as pool:
        guesses = [pool.submit(guess, f"spring-term-{k:04}") for k in range(60)]
        assert guess(token, "127.0.1.99")[0] == 302, "others come in"
        found = [each.result() for each in guesses]
    refused = [text for status, text in found if status == 429]
    assert len(refused) >= 10 and {status for status, _ in found} == {403, 429}
    assert all("Too many wrong tokens came from your network" in text for text in refused)
    assert guess(token)[0] == 302, "the right one is compared in its turn"


def test_a_room_comes_in_together_with_the_right_token(address: Address) -> None:
    token = address.opened.partition("token=")[2]
    room = Client(address, source="127.0.1.50")
    assert {room.get(f"?token={token}")[0] for _ in range(100)} == {302}


def test_the_cookie_of_the_board_does_not_follow_from_its_token(address: Address) -> None:
    known = Client(address)
    known.cookies[f"lmdk-board-{urlsplit(address).port}"] = hashlib.sha256(f"lmdk board {TOKEN}".encode()).hexdigest()
    assert known.get("board")[0] == 403


@pytest.mark.parametrize("path", ["", "join", "join/stream", "board", "board/stream", "overview", "place", "nowhere"])
def test_no_cookie_is_an_error_of_the_server(address: Address, path: str) -> None:
    port = urlsplit(address).port
    names = ["_xsrf", f"lmdk-{port}", f"lmdk-class-{port}", f"lmdk-board-{port}", f"lmdk-overview-{port}", "x", "é"]
    for name in names:
        for value in ("é", "\xff", '"\\303\\251"', "2|1:0|10:1763800000|3:é|4:YQ==|é", '"', "\x01", "=", "2|é"):
            head = (
                f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nCookie: {name}={value}\r\n\r\n"
            )
            with opened(address, "127.0.2.1") as connection:
                connection.sendall(head.encode("latin-1"))
                assert re.match(rb"HTTP/1.1 (2|3|4)\d\d ", connection.recv(100)), (name, value)
    assert "Traceback" not in address.output()

"""The server of a room: pages for many in a few processes. What it promises, and attacks on it, each bounded in time."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
import websocket
from tornado.web import create_signed_value

from lmdk_widgets.hosts.page_list import PAGES
from lmdk_widgets.hosts.serving.accountant import MOST_EACH
from lmdk_widgets.hosts.serving.frames import BadFrame, check_frame, packed, unpacked
from lmdk_widgets.hosts.serving.sockets import FORGOTTEN, MANY
from lmdk_widgets.hosts.serving.visitors import derived
from tests.hosts.serving.rooms import Visitor, computing, connect, frame, room
from tests.hosts.serving.visits import fetch
from tests.server import Address, until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="what Linux counts is looked at")]
CSV = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,{48.85 + m / 1000},2.3\n" for m in range(12))


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with room() as running:
        yield running


# -- what it promises -------------------------------------------------------------------------------------------------


def test_a_page_is_opened_moved_and_undone(address: Address) -> None:
    visitor = Visitor(address).open("track", "epsilon=0.5")
    told = visitor.move("epsilon", 0.7, commit=True)
    assert told["choices"]["epsilon"] == 0.7 and told["can_undo"] and told["words"]["paragraph"]
    visitor.say({"type": "change", "id": 99, "operations": [{"op": "undo"}], "commit": True, "view": "v"})
    assert visitor.told("numbers", id=99)["choices"]["epsilon"] == 0.5
    visitor.socket.close()


@pytest.mark.parametrize("page", ["place", "series", "table"])
def test_every_page_is_there(address: Address, page: str) -> None:
    Visitor(address).open(page).socket.close()


def test_visitors_have_pages_of_their_own(address: Address) -> None:
    one, other = Visitor(address).open(), Visitor(address).open()
    one.move("epsilon", 0.3, commit=True)
    assert other.move("seed", 5)["choices"]["epsilon"] == 1.0
    for each in (one, other):
        each.socket.close()


def test_a_question_of_a_lesson_is_judged(address: Address) -> None:
    visitor = Visitor(address)
    visitor.page = "moments/share"
    while visitor.said()["said"] != "ready":
        pass
    visitor.send("ask")
    visitor.say({"type": "judge", "given": 0.2, "id": 1, "view": "v"})
    assert visitor.told("verdict")["verdict"]["right"] is True
    visitor.socket.close()


def test_a_file_is_read_in_a_process_of_its_own_and_a_bad_one_gets_a_sentence(address: Address) -> None:
    visitor = Visitor(address).open()
    for text, taken in ((CSV.replace("48.85", "98.85"), False), (CSV, True), ("\0" * 1000, False)):
        visitor.say({"type": "upload", "id": 1, "name": "a.csv", "piece": 0, "pieces": 1, "view": "v"}, text.encode())
        assert visitor.told("read")["taken"] is taken
    assert visitor.move("epsilon", 0.4)["choices"]["track"] != "bob"
    visitor.socket.close()


def test_a_table_of_people_is_read_there_too(address: Address) -> None:
    visitor = Visitor(address).open("people")
    rows = "person,time,latitude,longitude\n" + "".join(
        f"{who},2026-03-02T08:{minute:02d}:00Z,48.85,2.35\n" for who in ("Ada", "Bob") for minute in range(0, 60, 10)
    )
    visitor.say({"type": "upload", "id": 1, "name": "a.csv", "piece": 0, "pieces": 1, "view": "v"}, rows.encode())
    assert visitor.told("read")["taken"] is True
    moved = visitor.move("epsilon", 0.4)
    assert moved["choices"]["table"] == "own" and "2 people" in moved["words"]["paragraph"]
    visitor.socket.close()


def test_a_process_that_is_killed_costs_nobody_anything_but_a_moment() -> None:
    with room() as address:
        visitor = Visitor(address).open()
        steps = [visitor.move("epsilon", value, commit=True)["choices"] for value in (0.5, 0.6, 0.7)]
        for each in computing(address):
            if each.memory_info().rss:
                began = time.monotonic()
                each.kill()
                break
        again = visitor
        with suppress(Exception):
            visitor.socket.settimeout(0.3)
            visitor.code()
            again = Visitor(address, visitor.cookie)
        if again is not visitor:
            again.page = "track"
            while again.said()["said"] != "ready":
                pass
            again.send("open", query="")
            again.say({"type": "restore", "steps": steps, "at": 2, "view": "v"})
            assert again.told("restored")["done"] and time.monotonic() - began < 10
        again.socket.settimeout(60)
        again.say({"type": "change", "id": 50, "operations": [{"op": "undo"}], "commit": True, "view": "v"})
        assert again.told("numbers", id=50)["choices"]["epsilon"] == 0.6
        until(lambda: (found := len(computing(address)), found == 2), "another process")
        Visitor(address).open().socket.close()


def test_one_visitor_at_work_keeps_nobody_from_a_slider(address: Address) -> None:
    busy, calm = Visitor(address).open("place"), Visitor(address).open("place")
    for number in range(40):  # more than is taken at once
        operation = {"op": "set", "name": "level", "value": 0.7 + number / 50}
        busy.say({"type": "change", "id": number, "operations": [operation], "commit": False, "view": "v"})
    began = time.monotonic()
    calm.move("level", 1.3)
    took = time.monotonic() - began
    busy.told("numbers", id=39)
    assert took < time.monotonic() - began, "it did not wait for all that the other one asked"
    for each in (busy, calm):
        each.socket.close()


def test_who_asks_to_be_forgotten_has_no_page_left_and_another_cookie(address: Address) -> None:
    visitor, other = Visitor(address).open(), Visitor(address).open()
    shown = fetch(address, Cookie=visitor.cookie)
    xsrf = next(line for line in shown.headers.get_all("Set-Cookie") if line.startswith("_xsrf=")).partition(";")[0]
    cookies = f"{visitor.cookie}; {xsrf}"
    assert fetch(f"{address}forget", "POST", Cookie=cookies).status == 403, "a form of another page"
    done = fetch(f"{address}forget", "POST", Cookie=cookies, X_XSRFToken=xsrf.partition("=")[2])
    given = " ".join(done.headers.get_all("Set-Cookie"))
    assert done.status == 204 and visitor.cookie.partition("=")[0] in given and visitor.cookie not in given
    assert visitor.code() == FORGOTTEN and other.move("epsilon", 0.4)["choices"]["epsilon"] == 0.4
    other.socket.close()


def test_a_page_that_was_closed_leaves_nothing(address: Address) -> None:
    from tests.hosts.serving.test_serve import Host

    host = Host(address)
    until(lambda: (n := host.state()["pages"], n == 0), "the end of all pages of other tests")
    visitors = [Visitor(address).open() for _ in range(3)]
    until(lambda: (n := host.state()["pages"], n == 3), "their pages")
    for each in visitors:
        each.socket.sock.close()  # without a word
    until(lambda: (n := host.state()["pages"], n == 0), "their end")


# -- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "lesson/moments", "pages", "forget", "join", "board"])
def test_strangers_get_nothing(address: Address, path: str) -> None:
    answer = fetch(address + path, Cookie="")
    assert answer.status in (403, 404) and "lmdk-site" not in answer.text and "Traceback" not in answer.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"cookie": "a=b"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"suppress_origin": True, "origin": None},
        {"host": "evil.example"},
    ],
)
def test_no_socket_for_strangers_and_pages_of_others(address: Address, wrong: dict[str, object]) -> None:
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        connect(address, **wrong)
    assert refused.value.status_code in (403, 400)


def test_a_cookie_made_from_a_guess_of_the_token_opens_nothing(address: Address) -> None:
    token = address.opened.partition("token=")[2]
    name = f"lmdk-{urlsplit(address).port}"
    guesses = (sha256(b"lmdk cookie " + token.encode()).digest(), derived(bytes(32), "pages", token), token.encode())
    for secret in guesses:
        made = create_signed_value(secret, name, "a" * 32).decode()
        assert fetch(address, Cookie=f"{name}={made}").status == 403


def test_a_visitor_stays_signed_in_over_a_restart_with_the_same_token_and_no_other(tmp_path: Path) -> None:
    env, token, secret = {"XDG_DATA_HOME": str(tmp_path)}, "autumn-class-2026", tmp_path / "lmdk" / "visitors.secret"
    with room(env=env) as address:
        assert not secret.exists(), "a token that ends with the server needs no secret that lasts"
    with room(env=env, token=token) as address:
        cookie, port = "=".join(address.admitted()), address.port
        assert secret.stat().st_mode & 0o777 == 0o600 and len(secret.read_bytes()) == 32
    with room(env=env, token=token, port=port) as address:
        assert fetch(address, Cookie=cookie).status == 200
    with room(env=env, token="another-class-2026", port=port) as address:
        assert fetch(address, Cookie=cookie).status == 403
    before = secret.read_bytes()
    secret.chmod(0o644)
    with room(env=env, token=token, port=port) as address:
        assert fetch(address, Cookie=cookie).status == 403
        assert secret.read_bytes() != before and secret.stat().st_mode & 0o777 == 0o600


HOSTILE = {
    "short": b"\1",
    "a huge length": b"\xff\xff\xff\xff" + b"x" * 10,
    "lengths that do not fit": frame({}) + b"\5\0\0\0ab",
    "many parts": frame({}, *[b""] * 200),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_message_closes_its_socket_alone(address: Address, name: str) -> None:
    bad = Visitor(address)
    bad.socket.send_binary(HOSTILE[name])
    assert bad.code() in (1008, 1009)
    with pytest.raises(BadFrame):
        check_frame(HOSTILE[name])


def test_text_and_what_is_too_long_close_their_sockets(address: Address) -> None:
    for message, code in (("{}", 1003), (frame({"x": "a" * 600_000}), 1009), (frame({}, bytes(9 << 20)), 1009)):
        bad = Visitor(address)
        with suppress(OSError):
            (bad.socket.send if isinstance(message, str) else bad.socket.send_binary)(message)
            assert bad.code() == code


STRANGE = [
    b"[]",
    b"{",
    b"null",
    b"[" * 100_000,
    b'{"do": "open", "name": "os"}',
    b'{"do": "open", "name": "lessons"}',
    b'{"do": "open", "name": "track", "python": ["os", "system"], "query": 5}',
    b'{"do": "message", "name": "track", "text": "{\\"type\\": \\"__init__\\"}"}',
    b'{"do": "message", "name": "track", "text": 7}',
    b'{"do": "message", "name": "nobody", "text": "{}"}',
    b'{"do": "ask", "name": "moments/none"}',
    b'{"do": "ask", "name": "../etc/passwd"}',
    b'{"do": "eval", "name": "1+1"}',
    b'{"do": "execute_request", "name": "track", "code": "open(\'/tmp/x\',\'w\')"}',
    b'{"do": "open", "name": ["track"]}',
    b"\xff\xfe",
    b'{"do": "message", "name": "track", "text": "{\\"type\\": \\"upload\\"}"}',
    b'{"do": "message", "name": "track", "text": "{\\"type\\": \\"restore\\", \\"steps\\": 5, \\"at\\": {}}"}',
]


def test_strange_messages_run_nothing_and_the_page_goes_on(address: Address) -> None:
    before = {each.pid for each in computing(address)}
    visitor = Visitor(address).open()
    for text in STRANGE:
        visitor.socket.send_binary(frame(text))
    assert visitor.move("epsilon", 0.45)["choices"]["epsilon"] == 0.45
    assert {each.pid for each in computing(address)} == before and "Traceback" not in address.output()
    visitor.socket.close()


def test_one_visitor_has_so_many_pages_and_others_come_in(address: Address) -> None:
    first = Visitor(address)
    tabs = [first, *(Visitor(address, first.cookie) for _ in range(MOST_EACH - 1))]
    for each in tabs:
        each.said()
    assert Visitor(address, first.cookie).code() == MANY
    Visitor(address).open().socket.close()
    for each in tabs:
        each.socket.close()


def test_a_full_room_says_so_and_lets_in_who_comes_after_somebody_left() -> None:
    with room(people=1, processes=1) as address:
        one = Visitor(address).open()
        waiting = Visitor(address)
        assert waiting.said() == {"said": "cut", "reason": "full"}, "which the browser says in words"
        one.socket.close()
        assert waiting.open().move("epsilon", 0.7)["choices"]["epsilon"] == 0.7


def test_who_asks_and_does_not_read_is_disconnected(address: Address) -> None:
    here, before = psutil.Process(address.process.pid), psutil.Process(address.process.pid).memory_info().rss
    deaf = Visitor(address, sockopt=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**16)]).open()
    deaf.socket.settimeout(20)
    calm = Visitor(address).open()
    with suppress(OSError, websocket.WebSocketException):
        for _ in range(3000):  # some 60 KB each are answered
            deaf.say({"type": "ready", "view": "v"})
    assert calm.move("epsilon", 0.6)["choices"]["epsilon"] == 0.6
    assert here.memory_info().rss - before < 150e6
    deaf.socket.sock.close()
    calm.socket.close()


def test_long_texts_in_a_row_are_slowed_down_and_others_go_on(address: Address) -> None:
    flood, calm = Visitor(address).open(), Visitor(address).open()
    flood.socket.settimeout(0.5)
    with suppress(OSError, websocket.WebSocketException):
        for _ in range(60):
            flood.say({"type": "nothing", "x": "a" * 400_000})
    began = time.monotonic()
    calm.move("epsilon", 0.8)
    assert time.monotonic() - began < 5
    for each in (flood, calm):
        each.socket.sock.close()


@pytest.mark.nightly
def test_the_process_that_uses_most_ends_where_all_use_too_much() -> None:
    with room(all_mb=20, processes=1) as address:
        until(lambda: (text := address.output(), "MB allowed" in text), "the word of it", 60)
        assert fetch(f"{address}nowhere").status == 404


def test_a_folder_of_a_server_that_was_killed_goes_and_so_do_its_processes() -> None:
    with room() as address:
        Visitor(address).open()
        folder, below = address.folder, psutil.Process(address.process.pid).children(recursive=True)
        os.kill(address.process.pid, signal.SIGKILL)
        address.process.wait(20)
        _, alive = psutil.wait_procs(below, timeout=10)
        assert not alive
    assert folder.is_dir()
    for path in folder.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)
    with room() as address:
        assert not folder.exists() and address.folder.is_dir()


@pytest.mark.nightly
def test_a_thousand_sockets_of_one_visitor_leave_room_for_others(address: Address) -> None:
    cookie = "=".join(address.admitted())
    with ExitStack() as stack:
        for _ in range(300):
            with suppress(OSError, websocket.WebSocketException):
                stack.callback(connect(address, cookie, timeout=5).close)
        Visitor(address).open().socket.close()


def test_no_other_address_answers_and_the_headers_are_strict(address: Address) -> None:
    for path in (
        "api/kernels",
        "voila/api/shutdown/1",
        "api/contents",
        "static/../x",
        "nbextensions",
        "terminals",
        "metrics",
    ):
        assert fetch(address + path).status == 404
    answer = fetch(address)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';") and "frame-ancestors 'none'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff" and "Server" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert fetch(address, Host="evil.example").status == 403
    site = json.loads(answer.text.partition('id="lmdk-site">')[2].partition("</script>")[0])
    assert [name for name, _ in site["titles"]] == [*PAGES]


@pytest.mark.nightly
def test_a_true_place_is_in_no_log_and_no_file_of_the_server(tmp_path: Path) -> None:
    with room() as address:
        visitor = Visitor(address).open()
        canary = CSV.replace("48.85", "47.31416")
        visitor.say({"type": "upload", "id": 1, "name": "c.csv", "piece": 0, "pieces": 1, "view": "v"}, canary.encode())
        assert visitor.told("read")["taken"]
        held = b"".join(path.read_bytes() for path in address.folder.rglob("*") if path.is_file())
        assert b"47.314" not in held and "47.314" not in address.output()


def test_messages_are_packed_as_they_are_read() -> None:
    assert unpacked(packed(b"a", [b"", b"bc"])) == (b"a", [b"", b"bc"])

"""Many arrive at once: places are counted before anything starts, starts stand in a line, who leaves makes room."""

from __future__ import annotations

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import zmq
from lmdk_widgets.hosts.serving.line import Left, Line
from tornado.web import HTTPError

from lmdk_widgets.hosts.serving.sessions import Sessions
from tests.browser import page
from tests.hosts.serving.conftest import MakeNotebook
from tests.hosts.serving.test_sessions import asyncio_run
from tests.hosts.serving.visits import cookie, fetch
from tests.server import Address, serve, until

NO_PAGE = 4
"""Mailboxes of ZeroMQ, at most, while there is no kernel."""
SLOW = "import time; time.sleep(3); print('slow')"


def test_two_at_a_time_in_order_of_arrival_and_everybody_hears_how_many_are_before() -> None:
    heard: dict[str, list[int]] = {name: [] for name in "abcde"}
    order: list[str] = []

    async def visit(line: Line, name: str) -> None:
        async for before in line.turn(name):
            heard[name].append(before)
        order.append(name)
        await asyncio.sleep(0)
        assert len(line._names[: line.at_once]) <= 2
        line.leave(name)

    async def everybody() -> None:
        line = Line(2)
        await asyncio.gather(*(visit(line, name) for name in "abcde"))

    asyncio_run(everybody())
    assert order == list("abcde")
    assert heard["a"] == heard["b"] == [], "who need not wait is told nothing"
    for name, most in (("c", 1), ("d", 2), ("e", 3)):
        assert heard[name][0] == most and heard[name][-1] == 0 and heard[name] == sorted(heard[name], reverse=True)


def test_who_leaves_the_line_makes_room() -> None:
    async def scene() -> list[str]:
        line, done = Line(1), []

        async def visit(name: str) -> None:
            try:
                async for _ in line.turn(name):
                    pass
                done.append(name)
            except Left:
                done.append(f"{name} left")

        tasks = [asyncio.create_task(visit(name)) for name in "abc"]
        await asyncio.sleep(0.01)
        line.leave("b")
        line.leave("nobody")
        await asyncio.sleep(0.01)
        line.leave("a")
        await asyncio.gather(*tasks)
        return done

    assert asyncio_run(scene()) == ["a", "b left", "c"]


def test_places_are_taken_before_the_start_and_free_after_any_end() -> None:
    manager = Sessions(most=2)
    first, second = manager.reserve("v"), manager.reserve("w")
    with pytest.raises(HTTPError) as full:
        manager.reserve("x")
    assert full.value.status_code == 503
    assert not manager.belongs(first, "v"), "there is no kernel yet"
    asyncio_run(manager.end(first))
    third = manager.reserve("x")
    manager.remove_kernel(second)
    manager.reserve("y")
    assert manager.pages == 2 and third != first
    with pytest.raises(HTTPError):
        asyncio_run(manager.start_kernel(kernel_name="python3"))


def at_once(address: Address, count: int) -> list[Any]:
    cookie(address)
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(lambda _: fetch(address), range(count)))


@pytest.mark.slow
def test_the_limit_holds_for_arrivals_at_once_and_the_others_get_a_sentence(widgets_notebook: Path) -> None:
    with serve(widgets_notebook, settings={"Sessions": {"most": 3, "at_once": 2}}) as address:
        answers = at_once(address, 8)
        assert sorted(answer.status for answer in answers) == [200] * 3 + [503] * 5
        assert all("as soon as there is room" in answer.text for answer in answers if answer.status == 503)
        assert all("lmdk.prepared()" in answer.text for answer in answers if answer.status == 200)
        assert any("lmdk.waiting(1)" in answer.text for answer in answers)
        assert len({answer.kernel for answer in answers if answer.status == 200}) == len(address.kernels()) == 3


@pytest.mark.slow
def test_a_start_that_fails_frees_its_place_at_once(widgets_notebook: Path) -> None:
    broken = {"VoilaExecutor": {"startup_timeout": 0}, "Sessions": {"most": 1}}
    with serve(widgets_notebook, settings=broken, tracebacks=".") as address:
        for _ in range(3):
            assert "could not start a Python session" in fetch(address).text
        address.wait_for_kernels(0, 10)


@pytest.mark.nightly
@pytest.mark.slow
def test_visitors_who_leave_the_line_or_a_start_free_their_places(notebook: MakeNotebook) -> None:
    settings = {"Sessions": {"most": 3, "at_once": 1}}
    with serve(notebook(SLOW), settings=settings) as address:
        first, second, third = (ask(address) for _ in range(3))
        until(lambda: (code := fetch(address).status, code == 503), "all places to be taken", 2)
        second.close()  # from the line
        until(lambda: waits(address), "the place of the second", 2)
        first.close()  # from its start
        third.close()
        address.wait_for_kernels(0, 20)
        until(lambda: (found := mailboxes(address), found <= NO_PAGE), "the sockets of who left to be closed", 10)
        assert fetch(address).status == 200
        address.kernels()[0].kill()
        address.wait_for_kernels(0, 20)
        until(lambda: (found := mailboxes(address), found <= NO_PAGE), "the sockets of a dead kernel to be closed", 10)


def test_there_are_sockets_for_a_large_class() -> None:
    assert Sessions().context.get(zmq.MAX_SOCKETS) >= 10 * 1_000


def mailboxes(address: Address) -> int:
    """ZeroMQ has one for each of its sockets, and some of its own; 0 where the system does not say."""
    folder = Path(f"/proc/{address.process.pid}/fd")
    return sum("eventfd" in str(each.readlink()) for each in folder.iterdir()) if folder.is_dir() else 0


def ask(address: Address) -> socket.socket:
    """A request for the page whose answer is not read to its end."""
    parts = urlsplit(address)
    asked = socket.create_connection((parts.hostname, parts.port), timeout=30)
    asked.sendall(
        f"GET / HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {cookie(address)}\r\nSec-Fetch-Site: none\r\n\r\n".encode()
    )
    asked.recv(1000)
    return asked


def waits(address: Address) -> tuple[str, bool]:
    """Whether a new visitor gets a place; it leaves again."""
    with ask(address) as asked, suppress(TimeoutError):
        asked.settimeout(0.3)
        text = asked.recv(100_000).decode("utf-8", "replace")
        return text[:200], "as soon as there is room" not in text
    return "", True


@pytest.mark.nightly
@pytest.mark.slow
def test_a_start_that_lasts_does_not_hold_up_the_line_for_ever(notebook: MakeNotebook) -> None:
    quick = {"Sessions": {"at_once": 1, "start_seconds": 0.5}}
    with serve(notebook("import time; time.sleep(8)"), settings=quick) as address:
        started = time.monotonic()
        answers = at_once(address, 3)
        assert {answer.status for answer in answers} == {200}
        assert time.monotonic() - started < 20, "three in a row would take 24 s"


@pytest.mark.slow
def test_a_server_that_stops_while_a_page_is_made_prints_no_traceback(notebook: MakeNotebook) -> None:
    with serve(notebook("import time; print('begun', flush=True); time.sleep(60)")) as address, ask(address):
        until(lambda: (None, "begun" in address.output()), "the page being made", 60)


@pytest.mark.nightly
@pytest.mark.browser
def test_the_page_says_how_many_are_before_it(notebook: MakeNotebook, chromium: Any) -> None:
    with serve(notebook(SLOW), settings={"Sessions": {"at_once": 1}}) as address, page(chromium, check=False) as tab:
        others = [ask(address) for _ in range(3)]
        tab.goto(address, wait_until="commit")
        for text in ("3 are before yours", "2 are before yours", "1 is before yours"):
            tab.get_by_role("status").get_by_text(text).wait_for(timeout=60_000)
        for asked in others:
            asked.close()

"""`lmdk serve`: what it prints, its overview behind a key of its own, who is on, and the line in the terminal."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.accountant import Accountant
from lmdk_widgets.hosts.serving.classroom.overview import open_overview, terminal_code
from lmdk_widgets.hosts.serving.pool import Pool
from lmdk_widgets.hosts.serving.sockets import Room
from lmdk_widgets.hosts.serving.tokens import TYPED, chosen_token
from lmdk_widgets.hosts.serving.watch import Count, Memory, Terminal, Watch, measured
from tests.browser import page
from tests.hosts.serving.classes import Client
from tests.hosts.serving.rooms import Visitor
from tests.hosts.serving.visits import fetch
from tests.server import ROOT, Address, end, started, until

COMMAND = [sys.executable, "-m", "lmdk_widgets.cli", "serve", "--host", "127.0.0.1", "--port", "0", "--people", "2"]
GB = 10**9


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def asyncio_run(awaitable: Any) -> Any:
    """Run to the end in a loop of its own, whatever loop a browser fixture keeps running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, awaitable).result()


def test_who_is_on_in_words() -> None:
    assert Count(1, 1, 1).line() == "1 person connected, 1 of 1 pages open."
    full = Count(30, 40, 1000, Memory(1_234_567_890, 2 * GB, 24 * GB))
    assert full.line() == "30 people connected, 40 of 1,000 pages open. Memory: 1.23 GB used; 2.0 of 24.0 GB free."
    assert full.to_dict()["scarce"] and not Count(0, 0, 1, Memory(0, 3 * GB, 24 * GB)).to_dict()["scarce"]


def test_a_terminal_has_one_line_that_changes_and_a_log_few() -> None:
    screen, log, now = Screen(), io.StringIO(), [0.0]
    for out in (screen, log):
        shown = Terminal(out, clock=lambda: now[0])
        for second, people in enumerate((0, 1, 2, 2, 3)):
            now[0] = 20.0 * second
            shown.say(Count(people, people, 9, Memory(second * GB, GB, GB)))
        shown.end()
    assert screen.getvalue().count("\r\x1b[K") == 5 and screen.getvalue().count("\n") == 1
    assert [line[:8] for line in log.getvalue().splitlines()] == ["1 person", "3 people"]


def test_the_watch_counts_people_once_pages_each_and_rings_when_that_changes() -> None:
    async def scene() -> list[Any]:
        room = Room(Pool({}), Accountant(3, 9))
        watch = Watch(room, Terminal(io.StringIO()))
        for visitor in "aab":
            room.accounts.pages.claim(None, visitor)
        watch.look()
        rung = watch.bell.rung
        watch.look()
        now = watch.now
        watch.stop()
        return [now.people, now.pages, now.most, rung, watch.bell.rung - rung, now.memory]

    *counted, memory = asyncio_run(scene())
    assert counted[:4] == [2, 3, 3, 1] and counted[4] <= 1
    assert 0 < memory.used < memory.whole and memory.free < memory.whole


def test_memory_is_that_of_this_process_and_those_below_it() -> None:
    before = measured().used
    take = "import sys; a = bytearray(200_000_000); a[::4096] = b'x' * len(a[::4096]); print(1, flush=True); sys.stdin.read()"
    below = subprocess.Popen([sys.executable, "-c", take], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert below.stdout.readline()
        assert 180e6 < measured().used - before < 300e6
    finally:
        below.communicate()


def test_a_token_to_be_typed_is_short_and_has_no_letters_that_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LMDK_TOKEN", raising=False)
    found = {chosen_token(None, typed=True) for _ in range(50)}
    assert len(found) == 50 and all(
        re.fullmatch(f"[{TYPED}]{{4}}-[{TYPED}]{{4}}-[{TYPED}]{{4}}", each) for each in found
    )
    assert not set("01ilo") & set(TYPED) and chosen_token("mine-and-long", typed=True) == "mine-and-long"


def test_the_overview_has_a_token_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMDK_OVERVIEW_TOKEN", "mine+1-and-long")
    found = open_overview("http://a/?token=t", "http://a/", token=None)
    assert found.own == "http://a/overview?token=mine%2B1-and-long" and "LMDK_OVERVIEW_TOKEN" not in os.environ
    assert len(open_overview("http://a/", "http://a/").token) == 48
    with pytest.raises(InputError, match="Token must have at most"):
        open_overview("http://a/", "http://a/", token="two words")


def test_the_code_in_the_terminal_has_the_colours_that_cameras_read() -> None:
    lines = terminal_code("http://192.168.1.5:8866/?token=abcd-efgh-jkmn").splitlines()
    assert len(lines) < 20 and all(line.startswith("\x1b[") and line.endswith("\x1b[0m") for line in lines)
    assert "█" * 20 in lines[0], "a light margin"


def test_serve_is_for_everybody_in_the_network_and_opens_no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, Any]] = []
    monkeypatch.setattr("lmdk_widgets.hosts.serving.launch.serve", lambda *a, **k: given.append(k | {"track": a}))
    assert cli.main(["serve", "my.gpx", "--people", "30", "--overview-token", "x"]) == 0
    (found,) = given
    assert found["host"] == "0.0.0.0" and not found["browser"] and found["people"] == 30
    assert found["overview"] == {"token": "x", "shows_code": True} and found["track"] == ("my.gpx",)


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with started(COMMAND) as running:
        yield running


def overview(address: Address) -> str:
    """The address of the overview as it was printed."""
    found = re.search(r"^Overview, for you alone, at (\S+)$", address.output(), re.M)
    assert found, address.output()
    return found[1]


class Host(Client):
    """The one who serves."""

    def __init__(self, address: Address) -> None:
        self.page = overview(address).removeprefix(address)

        def look() -> tuple[AssertionError | None, bool]:
            try:
                super(Host, self).__init__(address)
            except AssertionError as refused:
                return refused, False
            return None, True

        until(look, "the overview: after ten tries of a token the next is let through two seconds later")

    def state(self) -> Any:
        return self.first("overview/stream")


@pytest.mark.slow
def test_the_addresses_are_printed_and_the_token_can_be_typed(address: Address) -> None:
    assert re.fullmatch(rf"{re.escape(address)}\?token=[{TYPED}]{{4}}-[{TYPED}]{{4}}-[{TYPED}]{{4}}", address.opened)
    assert overview(address).startswith(f"{address}overview?token=") and "█" not in address.output()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["overview", "overview/stream", "overview/code.svg", "overview?token=wrong"])
def test_the_overview_is_for_the_one_who_serves_alone(address: Address, path: str) -> None:
    for query in ("", "&" if "?" in path else "?"):
        status, text = Client(address).get(path + (query and f"{query}token={address.opened.partition('token=')[2]}"))
        assert status == 403 and "data-address" not in text and "Traceback" not in text
    known = Client(address)
    known.cookies[f"lmdk-overview-{urlsplit(address).port}"] = "0" * 64
    assert known.get(path)[0] == 403
    assert fetch(address + path).status == 403, "a visitor of the pages is not the one who serves"
    assert Host(address).get("")[0] != 200, "nor the other way round"


@pytest.mark.slow
def test_the_overview_has_strict_headers_and_a_code(address: Address) -> None:
    host = Host(address)
    headers = host.request("GET", "overview").headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';") and "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
    answer = host.request("GET", "overview/code.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml" and b"<svg" in answer.read()


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.slow
def test_the_overview_says_who_comes_and_leaves(address: Address, chromium: Any, tmp_path: Path) -> None:
    with page(chromium, width=400, dark=True) as view:
        view.goto(overview(address))
        view.get_by_text(address.opened, exact=True).wait_for()
        texts = "() => [...document.querySelectorAll('dd')].map((each) => each.textContent)"
        reads = f"(wanted) => ({texts})().slice(0, 2).join() === wanted"
        view.wait_for_function(reads, arg="0,0 of 2")
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        one = Visitor(address).open()
        view.wait_for_function(reads, arg="1,1 of 2")
        other = Visitor(address, one.cookie).open()
        view.wait_for_function(reads, arg="1,2 of 2")
        view.get_by_text("All pages are taken.").wait_for()
        waiting = Visitor(address, one.cookie)
        assert waiting.said() == {"said": "cut", "reason": "full"}
        waiting.socket.close()
        view.wait_for_function(f"() => ({texts})().slice(2).every((each) => / GB$/.test(each))")
        for width, scheme in ((400, "dark"), (1280, "light")):
            view.set_viewport_size({"width": width, "height": 800})
            view.emulate_media(color_scheme=scheme)
            view.screenshot(path=tmp_path / f"overview{width}.png")
        said = Host(address).state()
        assert (said["people"], said["pages"]) == (1, 2) and said["memory"]["used"].endswith(" GB")
        other.socket.close()
        view.wait_for_function(reads, arg="1,1 of 2")
        one.socket.close()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_shows_the_code_and_a_line_that_changes() -> None:
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "--no-token"], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL, cwd=ROOT, close_fds=True
    )
    os.close(slave)
    seen = b""
    try:
        while "pages open. Memory:" not in seen.decode("utf-8", "replace"):
            seen += os.read(master, 65_536)
        text = seen.decode("utf-8", "replace")
        assert "█" * 20 in text and "\r\x1b[K0 people connected, 0 of 2 pages open" in text
    finally:
        end(process)
        os.close(master)

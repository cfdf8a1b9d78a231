"""The way in: a page of another site starts no session, and who finds no room is let in as soon as there is."""

from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from lmdk_widgets.hosts.serving.waiting import Shown, Waiting
from tornado.web import HTTPError

from lmdk_widgets.hosts.serving.classroom.opening import own_address
from lmdk_widgets.hosts.serving.sessions import Sessions
from tests.browser import page
from tests.hosts.serving.test_sessions import asyncio_run
from tests.hosts.serving.visits import cookie, fetch
from tests.server import Address, serve, started, until

UNSAID = {"Sec_Fetch_Site": "", "Sec_Fetch_Mode": "", "Sec_Fetch_Dest": ""}
"""What browsers say over a connection that is not encrypted: not what they load a page for."""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_who_was_not_heard_of_is_passed_over_but_keeps_the_place() -> None:
    clock = Clock()
    waiting = Waiting(here_s=15, kept_s=600, clock=clock)
    waiting.come("a")
    waiting.come("b")
    clock.now = 20
    waiting.come("b")
    assert waiting.before("b") == 0 and len(waiting) == 1, "a is asleep"
    clock.now = 60
    waiting.come("a")
    waiting.come("b")
    assert waiting.before("a") == 0 and waiting.before("b") == 1, "a came first and is back"
    clock.now = 700
    waiting.come("b")
    waiting.come("a")
    assert waiting.before("b") == 0 and waiting.before("a") == 1, "both were forgotten meanwhile"
    waiting.leave("nobody")
    waiting.leave("b")
    assert waiting.before("a") == 0


def test_who_does_not_take_the_room_is_passed_over_and_begins_at_the_end() -> None:
    clock = Clock()
    waiting = Waiting(offered_s=20, clock=clock)
    for name in ("idle", "real"):
        waiting.come(name)
    waiting.ask("who never came")
    waiting.offer("who never came")
    assert len(waiting) == 2
    for _ in range(10):
        clock.now += 3
        waiting.ask("idle")
        waiting.ask("real")
        waiting.offer("idle")
    assert waiting.before("real") == 0 and len(waiting) == 1
    waiting.come("idle")
    assert waiting.before("idle") == 1 and waiting.before("real") == 0


def test_no_more_wait_than_can_be_remembered() -> None:
    waiting = Waiting(most=2)
    for name in "abc":
        waiting.come(name)
    assert len(waiting) == 2 and waiting.before("c") == 2


def test_what_a_browser_has_shown_counts_once_and_not_for_long() -> None:
    clock = Clock()
    shown = Shown(lasts_s=30, clock=clock)
    shown.note("a")
    clock.now = 31
    assert not shown.take("a")
    shown.note("a")
    assert shown.take("a") and not shown.take("a")


def test_a_free_place_is_for_who_waited_longest() -> None:
    manager = Sessions(most=1)
    first = manager.reserve("v")
    for visitor in ("w", "x"):
        with pytest.raises(HTTPError):
            manager.reserve(visitor)
    asyncio_run(manager.end(first))
    assert manager.has_room_for("w") and not manager.has_room_for("x") and not manager.has_room_for("new")
    with pytest.raises(HTTPError):
        manager.reserve("x")
    manager.reserve("w")
    assert manager.people == 1 and len(manager.waiting) == 1


@pytest.fixture(scope="module")
def everywhere() -> Iterator[Address]:
    """A server in the whole network, without a token and without encryption."""
    program = (
        "import json, sys; from lmdk_widgets.hosts.serving.launch import explore; explore(**json.loads(sys.argv[1]))"
    )
    arguments = {"host": "0.0.0.0", "port": 0, "token": "", "browser": False, "people": 2}
    with started([sys.executable, "-c", program, json.dumps(arguments)]) as address:
        yield address


def _xsrf(text: str) -> str:
    return re.search(r'data-xsrf="([^"]+)"', text)[1]


@pytest.mark.slow
def test_pictures_and_frames_of_other_sites_start_nothing_where_browsers_do_not_say_what_they_load(
    everywhere: Address,
) -> None:
    base, before = f"http://127.0.0.1:{everywhere.port}/", set(everywhere.kernels())
    for _ in range(5):
        answer = fetch(base, Accept="image/avif,*/*", **UNSAID)
        assert answer.status == 200 and "Opening the page" in answer.text and "lmdk.session" not in answer.text
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert set(everywhere.kernels()) <= before


@pytest.mark.slow
def test_only_a_request_that_no_other_page_can_send_says_that_a_window_is_open(everywhere: Address) -> None:
    base, before = f"http://127.0.0.1:{everywhere.port}/", set(everywhere.kernels())
    first = fetch(base, **UNSAID)
    given = [line.partition(";")[0] for line in first.headers.get_all("Set-Cookie")]
    (visitor,) = [one for one in given if one.startswith("lmdk-")]
    own = {"Cookie": "; ".join(given), **UNSAID}
    token = {"X_XSRFToken": _xsrf(first.text)}
    refused = [
        fetch(f"{base}opens", "POST", **own),
        fetch(f"{base}opens?_xsrf={token['X_XSRFToken']}", "POST", **own),
        fetch(f"{base}opens", "POST", Cookie=given[0] if given[0] != visitor else given[1], **UNSAID, **token),
        fetch(f"{base}opens", "POST", X_XSRFToken="2|0|0|0", **own),
    ]
    assert [each.status for each in refused] == [403] * 4
    assert "lmdk.session" not in fetch(base, **own).text and set(everywhere.kernels()) <= before
    assert fetch(f"{base}opens", "POST", **own, **token).status == 204
    assert "lmdk.prepared()" in fetch(base, **own).text
    assert "Opening the page" in fetch(base, **own).text, "once for each page"


@pytest.mark.browser
def test_in_a_browser_without_encryption_the_page_opens_and_a_frame_or_picture_does_not(
    everywhere: Address, chromium: Any
) -> None:
    named = own_address()
    if named == socket.gethostname() or named.startswith("127."):
        pytest.skip("this machine has no address but its own")
    base = f"http://{named}:{everywhere.port}/"
    before = len(everywhere.kernels())
    with page(chromium, check=False, width=390) as tab:
        tab.set_content(
            f"<img src='{base}?a' onerror='this.alt=1'><iframe src='{base}?b'></iframe><iframe src='{base}?c'></iframe>"
        )
        tab.locator("img[alt='1']").wait_for(state="attached")
        tab.wait_for_load_state("networkidle")
        assert len(everywhere.kernels()) == before
    with page(chromium, anew=True) as tab:
        tab.goto(f"{base}?epsilon=0.5#x")
        tab.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        assert "epsilon=0.5" in tab.url
        tab.guard.check()
        first = tab.evaluate("document.body.dataset.kernelId")
        everywhere.kernel(first).kill()
        tab.evaluate("window.dispatchEvent(new Event('online'))")  # look now, and not at the next beat
        another = "before => document.body.dataset.kernelId !== before"
        tab.wait_for_function(another, arg=first, timeout=60_000)
        tab.get_by_label("Scheme", exact=True).select_option("user")
        tab.locator("[data-lmdk=numbers]", has_text="user").first.wait_for()
        assert tab.get_by_label("Epsilon value").input_value() == "0.5"
        tab.guard.forget()


@pytest.mark.nightly
@pytest.mark.browser
def test_who_finds_no_room_is_let_in_by_itself_with_the_settings_of_the_link(chromium: Any, tmp_path: Any) -> None:
    few = {"Sessions": {"most": 1, "absent_after": 4.0}}
    with serve(settings=few) as address, page(chromium, check=False, width=400, dark=True) as tab:
        kept = fetch(address)
        other = "=".join(address.admitted())
        assert fetch(address, Cookie=other).status == 503
        answer = tab.goto(f"{address}?epsilon=0.5")
        assert answer.status == 503
        said = tab.get_by_role("status")

        def waits() -> tuple[str, bool]:
            fetch(f"{address}place", Cookie=other)  # is still there
            return (text := said.inner_text()), text == "1 person is before you."

        until(waits, "the one who came before")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400
        tab.screenshot(path=tmp_path / "full.png")
        xsrf = "a" * 32
        done = fetch(
            f"{address}voila/api/shutdown/{kept.kernel}",
            "POST",
            Cookie=f"{cookie(address)}; _xsrf={xsrf}",
            X_XSRFToken=xsrf,
        )
        assert done.status == 204
        # the other one does not ask any more, and is passed over
        tab.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=90_000)
        assert "epsilon=0.5" in tab.url and not tab.guard.errors

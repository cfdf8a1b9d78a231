"""The pages of a room in a real Chromium: they work, go on when what computes them ends, and are forgotten when asked."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from threading import Thread
from typing import Any

import pytest

from tests.browser import from_help, page
from tests.hosts.serving.rooms import Visitor, computing, room
from tests.server import Address, until

pytestmark = pytest.mark.browser
TRACK = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,{48.85837 + m / 1000},2.3\n" for m in range(12))


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with room() as running:
        yield running


def ready(view: Any) -> Any:
    view.wait_for_selector(".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    return view


def epsilon(view: Any) -> str:
    return view.get_by_label("Epsilon value").input_value()


def test_a_page_that_waits_says_so_and_opens_when_there_is_room(chromium: Any) -> None:
    with room(people=1, processes=1) as full, page(chromium) as view:
        one = Visitor(full).open()
        view.goto(full.opened)
        view.get_by_text("this page opens as soon as there is room").wait_for()
        one.socket.close()
        ready(view).get_by_label("Scheme", exact=True).select_option("user")
        view.locator("[data-lmdk=numbers]", has_text="user").first.wait_for()


def test_all_goes_on_when_what_computes_it_is_killed(address: Address, chromium: Any) -> None:
    with page(chromium, check=False) as view:
        view.goto(f"{address}?epsilon=0.5")
        ready(view)
        view.get_by_label("Upload a track or a series", exact=True).set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": TRACK.encode()}
        )
        view.get_by_text("mine: CSV, 12 points").first.wait_for()
        view.get_by_label("Scheme", exact=True).select_option("user")
        view.locator("[data-lmdk=numbers]", has_text="user").first.wait_for()
        until(lambda: (n := len(computing(address)), n == 2), "two processes")
        one, other = computing(address)
        view.evaluate("document.querySelector('.lmdk-lab').marked = true")
        one.kill()
        until(lambda: (n := len(computing(address)), n == 2), "another process")
        other.kill()  # one of both had the page
        view.wait_for_function("() => document.querySelector('.lmdk-live').dataset.state === 'ready'")
        view.get_by_text("mine: CSV, 12 points").first.wait_for()
        view.locator("[data-lmdk=numbers]", has_text="user").first.wait_for()
        view.wait_for_function("() => document.querySelector('.lmdk-lab').inert === false")
        assert view.evaluate("document.querySelector('.lmdk-lab').marked"), "the same page, not another one"
        view.get_by_role("button", name="Undo").first.click()
        view.get_by_role("button", name="Undo").first.click()
        assert not view.guard.errors and not view.guard.foreign


GOES = "goes to the server, whose operator could read it, and is forgotten when you close or reload the page"


@pytest.mark.parametrize(("name", "bullets"), [("track", 1), ("place", 2), ("series", 1), ("table", 1)])
def test_a_page_says_that_a_file_goes_to_the_server(address: Address, chromium: Any, name: str, bullets: int) -> None:
    with page(chromium) as view:
        view.goto(f"{address}?page={name}")
        said = ready(view).locator(".lmdk-stage > div:not([hidden])")
        assert GOES in said.locator(".lmdk-foot").text_content()
        uploads = said.locator(".lmdk-upload + .lmdk-goes")
        assert set(uploads.all_text_contents()) == {"to the server"}
        assert uploads.first.get_attribute("title") == f"The file {GOES}."
        assert (
            said.locator("details:not(.lmdk-menu)", has_text=GOES).filter(has_text="No link contains").count()
            >= bullets
        )
        assert "this computer" not in said.text_content()
        if name == "track":
            from_help(view, "Tour").click()
            assert f"Your file {GOES}." in view.locator(".lmdk-tour").inner_text()


class Relay:
    """A network between a browser and a server on this machine, which can be cut, and can say nothing to either end."""

    def __init__(self, port: int) -> None:
        self._server, self.is_on, self._carried = port, True, []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # until it is closed
            while True:
                ends = self._listening.accept()[0], socket.create_connection(("127.0.0.1", self._server))
                pair = {"ends": ends, "silent": not self.is_on}
                self._carried.append(pair)
                for one, other in (ends, ends[::-1]):
                    Thread(target=self._carry, args=(one, other, pair), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, pair: Any) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if not pair["silent"]:
                    other.sendall(data)
        if not pair["silent"]:
            self._end(pair)

    def _end(self, pair: Any) -> None:
        for end in pair["ends"]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def off(self, *, silent: bool) -> None:
        self.is_on = False
        for pair in self._carried:
            pair["silent"] |= silent
            if not silent:
                self._end(pair)

    def close(self) -> None:
        self._listening.close()
        for pair in self._carried:
            self._end(pair)


@pytest.mark.nightly
@pytest.mark.parametrize("silent", [True, False])
def test_a_network_that_was_away_for_ten_seconds_loses_nothing(silent: bool, address: Address, chromium: Any) -> None:
    relay = Relay(address.port)
    with closing(relay), page(chromium, check=False, anew=True) as view:
        view.goto(f"http://127.0.0.1:{relay.port}/?{address.opened.partition('?')[2]}")
        ready(view)
        view.get_by_label("Scheme", exact=True).select_option("user")
        view.wait_for_url("**scheme=user**")
        line = view.locator(".lmdk-live").first
        relay.off(silent=silent)
        slider = view.get_by_role("slider", name="Epsilon", exact=True)
        slider.focus()
        slider.press("Home")  # asked of a network that is away
        line.get_by_text("This page keeps everything you chose").wait_for(timeout=20_000)
        relay.is_on = True
        view.wait_for_function("() => document.querySelector('.lmdk-live').dataset.state === 'ready'", timeout=20_000)
        view.wait_for_function("() => document.querySelector('.lmdk-lab').inert === false")
        view.wait_for_url("**epsilon=0.01**")  # which is what was moved meanwhile
        assert "scheme=user" in view.url and not view.guard.errors


def test_a_slider_goes_on_where_it_was_though_its_process_is_killed_in_the_middle(
    address: Address, chromium: Any
) -> None:
    with page(chromium, check=False) as view:
        view.goto(str(address))
        ready(view)
        slider = view.get_by_role("slider").first
        slider.focus()
        for _ in range(3):
            slider.press("ArrowRight")
        until(lambda: (n := len(computing(address)), n == 2), "two processes")
        for each in computing(address)[:1]:
            each.kill()
        slider.press("ArrowRight")
        time.sleep(0.2)
        slider.press("ArrowRight")
        view.wait_for_function("() => location.search.includes('epsilon=1.12')")  # five steps from 1
        assert epsilon(view) == "1.12" and not view.guard.errors


def test_every_page_opens_and_a_lesson_judges(address: Address, chromium: Any) -> None:
    with page(chromium, width=400, dark=True) as view:
        view.goto(f"{address}?page=table")
        ready(view)
        for name in ("place", "series"):
            view.goto(f"{address}?page={name}")
            ready(view)
        view.goto(f"{address}?page=lessons")
        view.goto(f"{address}lesson/start")
        question = view.locator("[data-question='start/noise']")
        question.locator("input").fill("2")
        question.get_by_role("button", name="Check").click()
        question.get_by_text("Right: it is 2").wait_for()
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        view.get_by_role("link", name="← All lessons").click()
        view.get_by_text(re.compile(r"1 of \d+ questions answered, 1 right")).wait_for()


def test_what_a_lesson_says_of_an_answer_waits_for_it(address: Address, chromium: Any) -> None:
    with page(chromium) as view:
        view.goto(f"{address}lesson/start")
        question = view.locator("[data-question='start/neighbours']")
        said = view.get_by_text("A promise is always about neighbours.")
        question.get_by_role("radio").first.wait_for()
        assert said.count() == 1 and not said.is_visible()
        question.get_by_role("radio").first.check()
        question.get_by_role("button", name="Check").click()
        question.get_by_role("button", name="Show the answer").wait_for()
        assert not said.is_visible(), "it would give the answer away"
        question.get_by_role("button", name="Show the answer").click()
        said.wait_for()
        view.reload()
        said.wait_for()


def test_one_button_forgets_a_visitor(address: Address, chromium: Any) -> None:
    with page(chromium, anew=True) as view:
        view.goto(f"{address}?epsilon=0.5")
        ready(view)
        view.evaluate("localStorage.setItem('lmdk-test', '1')")
        view.get_by_role("button", name="Forget my data").click()
        view.get_by_text("Forgotten: the server has ended your pages").wait_for()
        assert view.evaluate("localStorage.length") == 0 and "epsilon" not in view.url
        view.reload()
        ready(view)
        assert epsilon(view) == "1"

"""The page in a real Chromium: it shows, it works, it says what went wrong, and it notices when Python is gone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser import kernel_of, page
from tests.server import Address, serve, until

pytestmark = pytest.mark.browser

DARK = "rgb(18, 24, 31)"
ENDED = "The Python session has ended"


def ready(tab: Any, address: str, text: str = "ready 3") -> None:
    """Open the page and wait for a text that Python wrote."""
    tab.goto(address, wait_until="commit")
    tab.get_by_text(text, exact=True).wait_for(timeout=60_000)


def beat(tab: Any) -> None:
    """Ask for a heartbeat now instead of within five seconds."""
    tab.evaluate("window.dispatchEvent(new Event('online'))")


def end_kernel(address: Address, kernel: str) -> None:
    address.kernel(kernel).kill()


@pytest.mark.nightly
def test_page_says_what_happens_then_shows_and_works(server: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        tab.goto(f"{server}?epsilon=0.5", wait_until="commit")
        tab.get_by_role("status").get_by_text("Preparing the page").wait_for()
        tab.get_by_text("ready 3", exact=True).wait_for()
        tab.get_by_text("echo epsilon=0.5", exact=True).wait_for()
        assert tab.get_by_role("status").count() == 0
        assert tab.title() == "lmdk: explorer"
        assert tab.locator("#lmdk-errors").is_hidden() and tab.locator("#lmdk-ended").is_hidden()
        tab.get_by_role("slider").press("ArrowRight")
        tab.get_by_text("ready 4", exact=True).wait_for()
        assert not any("mathjax" in url.lower() and "no_mathjax" not in url for url in tab.guard.requests)


@pytest.mark.nightly
def test_narrow_and_dark(server: Address, chromium: Any) -> None:
    with page(chromium, width=400, dark=True) as tab:
        tab.goto(server, wait_until="commit")
        tab.locator("body").wait_for()
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == DARK, "before anything is loaded"
        tab.get_by_text("ready 3", exact=True).wait_for()
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == DARK
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400
        assert tab.locator("#rendered_cells").bounding_box()["width"] == 400
        tab.emulate_media(color_scheme="light")
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_closing_a_page_ends_its_kernel(server: Address, chromium: Any) -> None:
    with page(chromium, anew=True) as tab:
        ready(tab, server)
        kernel = kernel_of(tab)
        tab.close(run_before_unload=True)
        until(lambda: _running(server, kernel), "the end of the kernel", 20)


def _running(server: Address, kernel: str) -> tuple[list, bool]:
    found = [process.pid for process in server.kernels_named(kernel)]
    return found, not found


def test_reported_errors_are_shown_until_they_are_hidden(server: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        ready(tab, server)
        panel = tab.locator("#lmdk-errors")
        for sentence in ("Line 3 has no time.", "Line 3 has no time.", "<b>Two</b>"):
            tab.evaluate("s => window.dispatchEvent(new CustomEvent('lmdk-error', { detail: s }))", sentence)
        assert panel.is_visible() and panel.get_attribute("role") == "alert"
        assert panel.get_by_role("listitem").all_text_contents() == ["Line 3 has no time.", "<b>Two</b>"]
        panel.get_by_role("button", name="Hide").click()
        assert panel.is_hidden() and panel.get_by_role("listitem").count() == 0


@pytest.mark.nightly
def test_dead_kernel_is_noticed_and_reload_helps(server: Address, chromium: Any) -> None:
    with page(chromium, check=False) as tab:
        ready(tab, f"{server}?epsilon=0.5")
        first = kernel_of(tab)
        end_kernel(server, first)
        panel = tab.locator("#lmdk-ended")
        panel.get_by_text(ENDED).wait_for(timeout=60_000)
        assert "The controls below are switched off. A reload starts this page again." in panel.inner_text()
        assert tab.locator(".lmdk-output").evaluate("part => part.inert")
        panel.get_by_role("button", name="Reload").click()
        tab.get_by_text("echo epsilon=0.5", exact=True).wait_for()
        tab.get_by_role("slider").press("ArrowRight")
        tab.get_by_text("ready 4", exact=True).wait_for()
        assert kernel_of(tab) != first and panel.is_hidden()
        assert not tab.guard.errors and not tab.guard.foreign


@pytest.mark.nightly
def test_server_that_stops_is_noticed(widgets_notebook: Path, chromium: Any) -> None:
    with page(chromium, check=False) as tab, serve(widgets_notebook) as address:
        ready(tab, address)
        address.process.terminate()
        address.process.wait(60)
        beat(tab)
        tab.wait_for_timeout(200)
        beat(tab)
        tab.locator("#lmdk-ended").get_by_text("The server does not answer").wait_for(timeout=60_000)


def test_error_in_a_callback_sends_no_traceback_to_the_browser(server: Address, chromium: Any) -> None:
    frames: list[bytes] = []

    def listen(socket: Any) -> None:
        socket.on("framereceived", lambda data: frames.append(data if isinstance(data, bytes) else data.encode()))

    with page(chromium) as tab:
        tab.on("websocket", listen)
        ready(tab, server)
        tab.get_by_role("button", name="Bad").click()
        until(
            lambda: (server.output()[-500:], "RuntimeError: secret" in server.output()), "the terminal's traceback", 20
        )
        tab.get_by_role("slider").press("ArrowRight")
        tab.get_by_text("ready 4", exact=True).wait_for()
        received = b"".join(frames)
        assert b"ready 4" in received
        assert b"Traceback" not in received and b"secret" not in received


def test_cell_that_fails_shows_a_sentence_only(server: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        tab.goto(f"{server}?fail")
        tab.get_by_role("alert").get_by_text("its Python program stopped").wait_for()
        assert not re.search("Traceback|RuntimeError|secret|Starting", tab.locator("body").inner_text())


def test_sentence_of_the_notebook_is_shown(server: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        tab.goto(f"{server}?sentence")
        tab.get_by_role("alert").get_by_text("Line 3 </script> has no time.").wait_for()
        assert tab.get_by_role("alert").get_by_role("listitem").count() == 1

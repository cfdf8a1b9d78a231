"""What goes wrong between a page of one person and its session, in a real Chromium: a sentence each time."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import kernel_of, open_tab, page
from tests.hosts.serving.wire import wire
from tests.server import Address, serve, started, until

pytestmark = pytest.mark.browser

TRACK = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,{48.85837 + m / 1000},2.3\n" for m in range(12))
NAIVE = TRACK.replace("Z,", ",")
RESTORED = (
    "document.querySelector('.lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]')?.inert === false"
)
RECORD = """
window.told = new Set();
const panels = "#lmdk-ended:not([hidden]) p, #lmdk-note:not([hidden]) p, .lmdk-error p, .lmdk-progress span";
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  for (const each of document.querySelectorAll(panels)) window.told.add(each.textContent);
}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }));
"""
"""Keeps every sentence about a session or a file that the page has shown."""


@pytest.fixture(scope="module")
def running() -> Iterator[Address]:
    with serve() as address:
        yield address


@pytest.fixture
def view(chromium: Any) -> Iterator[Any]:
    """A page that must have no error of its own, whatever fails around it."""
    with page(chromium, check=False) as tab:
        tab.add_init_script(RECORD)
        yield tab
        assert not tab.guard.errors and not tab.guard.foreign


def opened(view: Any, address: str) -> Any:
    view.goto(address)
    view.wait_for_function(RESTORED, timeout=60_000)
    return view


def told(view: Any, text: str, patience_s: float = 60) -> None:
    """Waits until the page has said something, also if it was there for a moment only."""
    until(lambda: (all_ := view.evaluate("[...window.told]"), any(text in each for each in all_)), text, patience_s)


def beat(view: Any) -> None:
    view.evaluate("window.dispatchEvent(new Event('online'))")


def ended(address: Address, kernel: str) -> None:
    """Waits for the end of a session."""

    def look() -> tuple[str, bool]:
        return kernel, not address.kernels_named(kernel)

    until(look, "the end of a session", 30)


def upload(view: Any, label: str, text: str, name: str = "walk.csv") -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    view.locator(".lmdk-stage > div:not([hidden])").get_by_label(label, exact=True).set_input_files(file)


def length(view: Any, n: int) -> None:
    view.wait_for_function(
        f"document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === '{n}'", timeout=60_000
    )


def words(view: Any) -> str:
    return view.locator(".lmdk-stage > div:not([hidden]) [data-lmdk=numbers]").inner_text()


def wait_for(view: Any, text: str) -> None:
    view.locator(".lmdk-stage > div:not([hidden]) [data-lmdk=numbers]").get_by_text(text).wait_for(
        state="attached", timeout=60_000
    )


def epsilon(view: Any, value: str) -> None:
    field = view.locator(".lmdk-stage > div:not([hidden])").get_by_label("Epsilon value")
    field.fill(value)
    field.press("Enter")


def shown(view: Any) -> list[Any]:
    """What the user sees of the settings: words, scheme, epsilon, landmarks in the list."""
    open_tab(view, "timestamps")  # a page that is made again begins with its words
    marks = "[...document.querySelectorAll('.lmdk-row')].map((row) => row.getAttribute('aria-selected'))"
    scheme = view.get_by_label("Scheme", exact=True).input_value()
    return [words(view), scheme, view.get_by_label("Epsilon value").input_value(), view.evaluate(marks)]


def own_track(view: Any) -> list[Any]:
    """A track of one's own, three landmarks, other settings, one of them taken back; what is shown then."""
    upload(view, "Upload a track or a series", NAIVE)
    view.get_by_role("button", name="Use UTC").click()
    length(view, 12)
    open_tab(view, "timestamps")
    for index in (2, 4, 7):
        view.locator(".lmdk-row").nth(index).click()
    wait_for(view, "three landmarks")
    view.get_by_label("Scheme", exact=True).select_option("adaptive")
    epsilon(view, "0.5")
    wait_for(view, "budget of 0.50")
    epsilon(view, "0.25")
    wait_for(view, "budget of 0.25")
    view.get_by_role("button", name="Undo").click()
    wait_for(view, "budget of 0.50")
    wait_for(view, "No mechanism with these budgets")  # takes draws: from then on nothing changes by itself
    return shown(view)


@pytest.mark.nightly
def test_a_killed_kernel_is_said_and_a_reload_brings_the_settings_back(view: Any, running: Address) -> None:
    opened(view, running)
    own_track(view)
    first = kernel_of(view)
    view.evaluate("Date.now = () => 4e12")  # a clock that jumps
    running.kernel(first).kill()
    told(view, "The Python session has ended")
    said = view.locator("#lmdk-ended").inner_text()
    assert "but not your track and its landmarks: a reload brings back only the settings." in said
    assert view.locator(".lmdk-output").evaluate("part => part.inert")
    stored = "JSON.stringify([localStorage, sessionStorage, history.state, name, location.href, document.cookie])"
    assert "48.8" not in view.evaluate(stored) and view.evaluate("indexedDB.databases()") == []
    assert "48.8" not in running.output()
    view.locator("#lmdk-ended").get_by_role("button", name="Reload").click()
    view.wait_for_function(f"window.told?.size === 0 && {RESTORED}", timeout=60_000)
    assert view.get_by_label("Scheme", exact=True).input_value() == "adaptive"
    assert kernel_of(view) != first and view.locator("#lmdk-ended").is_hidden()


@pytest.mark.nightly
def test_a_socket_that_is_cut_goes_on(view: Any, running: Address) -> None:
    with wire(running) as between:
        opened(view, between.address)
        before, first = own_track(view), kernel_of(view)
        between.cut()
        between.mend()
        beat(view)
        epsilon(view, "0.25")
        wait_for(view, "budget of 0.25")
        view.get_by_role("button", name="Undo").click()
        until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)
        assert kernel_of(view) == first
        between.cut()
        for _ in range(2):
            beat(view)
        told(view, "The server does not answer")
        assert view.locator(".lmdk-output").evaluate("part => part.inert")
        between.mend()
        beat(view)
        view.wait_for_function("document.querySelector('#lmdk-ended').hidden")


@pytest.mark.nightly
def test_a_telephone_with_loss_moves_a_slider_and_sends_a_file(view: Any, running: Address) -> None:
    with wire(running) as between:
        opened(view, between.address)
        first = kernel_of(view)
        between.delay_s = 0.15
        slider = view.get_by_role("slider", name="Epsilon", exact=True)
        slider.focus()
        for _ in range(60):
            slider.press("ArrowLeft")
        value = view.get_by_label("Epsilon value").input_value()
        wait_for(view, f"budget of {float(value):.2f}")
        upload(view, "Upload a track or a series", TRACK)
        length(view, 12)
        between.delay_s = 0.0
        assert kernel_of(view) == first


@pytest.mark.nightly
def test_a_reload_in_mid_drag_and_two_tabs(view: Any, running: Address, chromium: Any) -> None:
    opened(view, running)
    first = kernel_of(view)
    box = view.get_by_role("slider", name="Epsilon", exact=True).bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    view.mouse.move(*at)
    view.mouse.down()
    for k in range(1, 30):
        view.mouse.move(at[0] - 2 * k, at[1])
    view.wait_for_function("location.search.includes('epsilon=')")
    asked = float(view.evaluate("new URLSearchParams(location.search).get('epsilon')"))
    view.reload()
    view.mouse.up()
    view.wait_for_function(RESTORED, timeout=60_000)
    assert 0 < float(view.get_by_label("Epsilon value").input_value()) <= 1 and asked < 1
    ended(running, first)
    with page(chromium, check=False) as other:
        opened(other, f"{running}?scheme=user")
        mine, theirs = kernel_of(view), kernel_of(other)
        assert len({first, mine, theirs}) == 3
        running.kernel(mine).kill()
        told(view, "The Python session has ended")
        epsilon(other, "0.5")
        wait_for(other, "budget of 0.50")
        assert other.get_by_label("Scheme", exact=True).input_value() == "user"
        assert other.locator("#lmdk-ended").is_hidden() and kernel_of(other) == theirs


@pytest.mark.nightly
def test_a_server_asleep_is_said_and_answers_what_was_asked_meanwhile(view: Any, running: Address) -> None:
    opened(view, running)
    first = kernel_of(view)
    running.process.send_signal(signal.SIGSTOP)
    try:
        epsilon(view, "0.5")
        view.evaluate("(wait => { AbortSignal.timeout = () => wait.call(AbortSignal, 300); })(AbortSignal.timeout)")
        for _ in range(2):
            beat(view)
            view.wait_for_timeout(400)
        told(view, "The server does not answer")
    finally:
        running.process.send_signal(signal.SIGCONT)
    beat(view)
    view.wait_for_function("document.querySelector('#lmdk-ended').hidden")
    wait_for(view, "budget of 0.50")
    assert kernel_of(view) == first


@pytest.mark.nightly
def test_a_server_that_starts_again_with_another_token_is_said(view: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", port]
    with started(command) as address:
        opened(view, address)
        epsilon(view, "0.5")
        view.wait_for_function("location.search.includes('epsilon=0.5')")
    for _ in range(2):
        beat(view)
    told(view, "The server does not answer")
    with started(command) as address:
        beat(view)
        told(view, "does not know this page. Open the address that it printed")
        other = view.context.new_page()
        other.goto(address.opened)
        other.close()
        view.reload()
        view.wait_for_function(RESTORED, timeout=60_000)
        assert view.get_by_label("Epsilon value").input_value() == "0.5"

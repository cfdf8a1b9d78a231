"""What goes wrong between a page and its session, in a real Chromium: a sentence each time, and nothing is lost."""

from __future__ import annotations

import re
import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lmdk_widgets.study import Study
from tests.browser import open_tab, page
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

SHORT = {"MappingKernelManager": {"cull_interval": 1}, "Sessions": {"lost_after": 3}}


@pytest.fixture(scope="module")
def hasty() -> Iterator[Address]:
    """A server that waits three seconds for a page that was lost."""
    with serve(settings=SHORT) as running:
        yield running


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


def kernel_of(view: Any) -> str:
    return view.evaluate("document.body.dataset.kernelId")


def another_kernel(view: Any, before: str) -> str:
    """Waits until the page has another session and is what it was; its kernel."""
    view.wait_for_function(
        f"before => document.body.dataset.kernelId !== before && {RESTORED}", arg=before, timeout=60_000
    )
    return kernel_of(view)


def ended(address: Address, kernel: str) -> None:
    """Waits for the end of a session."""
    until(lambda: (kernel, not list(address.folder.glob(f"*/{kernel}.pid"))), "the end of a session", 30)


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
    return shown(view)


@pytest.mark.nightly
def test_a_killed_kernel_is_replaced_with_the_file_the_landmarks_and_every_step(view: Any, hasty: Address) -> None:
    opened(view, hasty)
    before, first = own_track(view), kernel_of(view)
    view.evaluate("window.sameDocument = true; scrollTo(0, 300); Date.now = () => 4e12")  # a clock that jumps
    hasty.kernel(first).kill()
    beat(view)
    second = another_kernel(view, first)
    until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)
    told(view, "another one is starting. This page keeps everything you chose, including your files")
    told(view, "Another one was started, with everything you chose.")
    assert view.evaluate("window.sameDocument && scrollY") > 0, "it was not loaded again"
    view.get_by_role("button", name="Redo").click()
    wait_for(view, "budget of 0.25")
    for text in ("budget of 0.50,", "budget of 1,"):
        view.get_by_role("button", name="Undo").click()
        wait_for(view, text)
    stored = "JSON.stringify([localStorage, sessionStorage, history.state, name, location.href, document.cookie])"
    assert "48.8" not in view.evaluate(stored) and view.evaluate("indexedDB.databases()") == []
    assert "48.8" not in hasty.output() and "UTC" not in view.evaluate(stored)
    assert hasty.kernel(second).is_running()


@pytest.mark.nightly
def test_every_page_of_the_dashboard_comes_back_and_what_was_asked_last(view: Any, hasty: Address) -> None:
    opened(view, f"{hasty}?page=series")
    upload(view, "Upload a series", "state\n" + "".join(f"{k // 3 % 2}\n" for k in range(60)), "days.csv")
    view.wait_for_function("location.search.includes('source=own')", timeout=60_000)
    series = words(view)
    view.locator(".lmdk-nav [data-page=track]").click()
    view.wait_for_function(RESTORED, timeout=60_000)
    first = kernel_of(view)
    hasty.kernel(first).suspend()
    epsilon(view, "0.5")  # asked, and never answered
    hasty.kernel(first).kill()
    beat(view)
    another_kernel(view, first)
    wait_for(view, "budget of 0.50")
    view.locator(".lmdk-nav [data-page=series]").click()
    until(lambda: (words(view), words(view) == series), "the series of one's own", 60)


@pytest.mark.nightly
def test_the_results_of_a_study_come_back_and_what_was_chosen_of_them(view: Any, hasty: Address) -> None:
    view.goto(f"{hasty}?page=studies")
    studies = view.locator(".lmdk-studies[data-lmdk-ready]")
    results = Study("bob", {"scheme": ["uniform", "user"], "epsilon": [0.5, 1]}).run(None, jobs=1).to_csv(index=False)
    for text in ("a,b\n1,2\n", results, "a,b\n1,2\n"):
        file = {"name": "week.csv", "mimeType": "text/csv", "buffer": text.encode()}
        studies.locator("input[type=file]").set_input_files(file)
        if text == results:
            studies.get_by_text("week.csv: four evaluations").wait_for()
        else:
            studies.get_by_role("alert").get_by_text("The results must be those of a study").wait_for()
    studies.get_by_label("Against").select_option("scheme")
    studies.get_by_text("mean error in m against scheme").wait_for()
    first = kernel_of(view)
    hasty.kernel(first).suspend()
    studies.get_by_label("Scale").select_option("log")  # asked, and never answered
    hasty.kernel(first).kill()
    beat(view)
    view.wait_for_function("before => document.body.dataset.kernelId !== before", arg=first, timeout=60_000)
    studies.get_by_text("week.csv: four evaluations").wait_for()
    studies.get_by_text("mean error in m against scheme").wait_for()
    until(lambda: (found := studies.get_by_label("Scale").input_value(), found == "log"), "the scale that was chosen")
    assert studies.get_by_role("alert").is_hidden()
    view.get_by_role("button", name="Lessons", exact=True).click()
    view.locator(".lmdk-tile").first.wait_for()


@pytest.mark.nightly
def test_the_tiles_of_the_lessons_need_no_session_that_lasts(view: Any, hasty: Address) -> None:
    view.goto(f"{hasty}?page=lessons")
    view.locator(".lmdk-tile").first.wait_for()
    first = kernel_of(view)
    hasty.kernel(first).kill()
    beat(view)
    view.wait_for_function("before => document.body.dataset.kernelId !== before", arg=first, timeout=60_000)
    told(view, "Another one was started")
    view.get_by_role("link", name=re.compile(r"^\d+ Tables")).first.click()
    view.locator(".lmdk-answers").wait_for(timeout=60_000)


@pytest.mark.nightly
def test_a_socket_that_is_cut_goes_on_and_a_laptop_that_slept_finds_everything_again(view: Any, hasty: Address) -> None:
    with wire(hasty) as between:
        opened(view, between.address)
        before, first = own_track(view), kernel_of(view)
        between.cut()
        between.mend()
        epsilon(view, "0.25")
        beat(view)
        wait_for(view, "budget of 0.25")
        view.get_by_role("button", name="Undo").click()
        until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)
        assert kernel_of(view) == first
        between.cut()
        ended(hasty, first)
        for _ in range(2):
            beat(view)
        told(view, "The server does not answer")
        assert view.locator(".lmdk-output").evaluate("part => part.inert")
        between.mend()
        beat(view)
        another_kernel(view, first)
        until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)
        told(view, "Another one was started, with everything you chose.")


@pytest.mark.nightly
def test_a_telephone_with_loss_moves_a_slider_and_sends_a_file(view: Any, hasty: Address) -> None:
    with wire(hasty) as between:
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
def test_a_reload_in_mid_drag_and_two_tabs(view: Any, hasty: Address, chromium: Any) -> None:
    opened(view, hasty)
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
    ended(hasty, first)
    with page(chromium, check=False) as other:
        opened(other, f"{hasty}?scheme=user")
        mine, theirs = kernel_of(view), kernel_of(other)
        assert len({first, mine, theirs}) == 3
        hasty.kernel(mine).kill()
        beat(view)
        another_kernel(view, mine)
        assert kernel_of(other) == theirs and other.locator("#lmdk-ended").is_hidden()
        epsilon(other, "0.5")
        wait_for(other, "budget of 0.50")
        assert other.get_by_label("Scheme", exact=True).input_value() == "user"
        assert view.get_by_label("Scheme", exact=True).input_value() == "uniform"


@pytest.mark.nightly
def test_a_server_asleep_is_said_and_answers_what_was_asked_meanwhile(view: Any, hasty: Address) -> None:
    opened(view, hasty)
    first = kernel_of(view)
    hasty.process.send_signal(signal.SIGSTOP)
    try:
        epsilon(view, "0.5")
        view.evaluate("(wait => { AbortSignal.timeout = () => wait.call(AbortSignal, 300); })(AbortSignal.timeout)")
        for _ in range(2):
            beat(view)
            view.wait_for_timeout(400)
        told(view, "The server does not answer")
    finally:
        hasty.process.send_signal(signal.SIGCONT)
    beat(view)
    view.wait_for_function("document.querySelector('#lmdk-ended').hidden")
    wait_for(view, "budget of 0.50")
    assert kernel_of(view) == first


@pytest.mark.nightly
def test_a_server_that_starts_again_with_another_token_is_shown_it_in_another_tab(view: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", port]
    with started(command) as address:
        opened(view, address)
        before, first = own_track(view), kernel_of(view)
    for _ in range(2):
        beat(view)
    told(view, "The server does not answer")
    with started(command) as address:
        beat(view)
        told(view, "does not know this page. Open the address that it printed in another tab")
        other = view.context.new_page()
        other.goto(address.opened)
        other.close()
        another_kernel(view, first)
        until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)


@pytest.mark.nightly
def test_an_unused_session_is_told_of_its_end_stays_on_request_and_comes_back_when_used(view: Any) -> None:
    idle = {"MappingKernelManager": {"cull_interval": 1}, "Sessions": {"forgotten_after": 12, "said_before": 10}}
    with serve(settings=idle) as address:
        opened(view, address)
        before, first = own_track(view), kernel_of(view)
        said = view.locator("#lmdk-note")
        beats(view, lambda: said.is_visible())
        assert "Nobody has used this page for a long time: its Python session ends in less" in said.inner_text()
        said.get_by_role("button", name="Stay").click()
        said.wait_for(state="hidden")
        assert address.kernels() and kernel_of(view) == first
        beats(view, lambda: view.get_by_text("as nobody used it for a long time").is_visible())
        assert not address.kernels(), "a page that nobody uses holds no session"
        view.keyboard.press("ArrowDown")
        another_kernel(view, first)
        until(lambda: (shown(view), shown(view) == before), "the page as it was", 30)


def beats(view: Any, over: Any) -> None:
    """Asks for heartbeats until something has happened."""
    until(lambda: (beat(view), over()), "what follows from heartbeats", 60)

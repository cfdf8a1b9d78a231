"""While a page loads: what is loading is said in the first HTML and followed, and a lesson can be read meanwhile."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from lmdk_widgets.course import LESSONS
from lmdk_widgets.hosts.serving.server import PAGE_BYTES
from tests.browser import page
from tests.hosts.serving.visits import fetch
from tests.server import Address, serve, until

pytestmark = pytest.mark.browser

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
"""A slow telephone: 1.6 Mbit/s, and 150 ms to the server."""

RECORD = """
window.told = [];
const look = () => {
  const text = document.querySelector("#lmdk-loading")?.textContent.trim() ?? "";
  const words = [...document.querySelectorAll(".lmdk-text p")].some((p) => p.checkVisibility({ visibilityProperty: true }));
  const seen = [text, words, document.querySelectorAll(".lmdk-drawing").length > 0];
  if (JSON.stringify(seen) !== JSON.stringify(window.told.at(-1))) window.told.push(seen);
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
"""Keeps what the line that says what is loading has said, and whether text and figures were to be seen then."""

PARTS = """
window.parts = new Set();
new MutationObserver(() => {
  for (const part of document.querySelectorAll(".lmdk-pending:not([hidden])")) window.parts.add(part.textContent.trim());
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
"""Keeps whatever the parts of a lesson have said in place of their figures."""

READ = """(() => {
  const place = (each) => each.getBoundingClientRect();
  window.read = [...document.querySelectorAll(".lmdk-text > *")].find((each) => place(each).bottom > 0);
  return place(window.read).top;
})()"""
"""Where the first words on the screen are; remembers them."""


@pytest.mark.nightly
def test_a_slow_page_says_how_much_is_loaded_and_the_line_goes_away(chromium: Any) -> None:
    with serve() as address, page(chromium, anew=True) as tab:
        tab.add_init_script(RECORD)
        session = tab.context.new_cdp_session(tab)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        addresses: dict[str, str] = {}
        session.on(
            "Network.requestWillBeSent", lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]})
        )
        loads: list[tuple[str, float]] = []
        session.on("Network.loadingFinished", lambda done: loads.append((done["requestId"], done["encodedDataLength"])))
        tab.goto(address, wait_until="commit")
        tab.wait_for_selector(".lmdk-explorer[data-lmdk-ready] .lmdk-drawing", timeout=120_000)
        lines = [text for text, *_ in tab.evaluate("window.told") if text]
        loaded = [
            float(found[1]) for text in lines if (found := re.match(r"Loading the page: ([\d.]+) of 1\.2 MB\.", text))
        ]
        assert len(set(loaded)) >= 5 and loaded == sorted(loaded), "it follows what arrives"
        assert any(text.endswith("Preparing the page …") for text in lines), "and what the kernel does"
        assert tab.locator("#lmdk-loading").count() == 0
        tab.wait_for_timeout(500)
        size = sum(size for each, size in loads if "/api/kernels/" not in addresses[each])  # without the heartbeat
        assert size == pytest.approx(PAGE_BYTES, rel=0.02)
        assert size < 8 * SLOW["downloadThroughput"], "all of it in eight seconds"


def test_the_line_is_part_of_the_first_html(server: Address) -> None:
    text = fetch(server).text
    assert "<p>Loading the page: 1.2 MB. Starting a private Python session …</p>" in text
    assert text.index("Loading the page:") < text.index("lmdk.session(")


@pytest.mark.nightly
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_can_be_read_before_anything_is_computed(chromium: Any, name: str) -> None:
    with serve() as address, page(chromium, anew=True) as tab:
        tab.add_init_script(RECORD)
        tab.goto(f"{address}lesson/{name}", wait_until="commit")
        tab.locator(".lmdk-text p").first.wait_for()
        tab.wait_for_function("document.body.scrollHeight > innerHeight + 1000")  # its words come one after the other
        until(lambda: turned(tab), "the page scrolled")
        before = tab.evaluate(READ)
        tab.wait_for_function("!document.querySelector('#lmdk-loading')", timeout=120_000)
        told = tab.evaluate("window.told")
        first = next(text for text, words, _ in told if words)
        assert first.endswith("Starting a private Python session …"), "the text waits for nothing"
        assert any(re.match(r"Computing part \d+ of \d+; you can read on\.", text) for text, *_ in told)
        assert tab.locator("#lmdk-loading").count() == 0 and tab.locator(".lmdk-pending").count() == 0
        tab.wait_for_timeout(2000)  # in which the last figures are drawn
        now = tab.evaluate("window.read.getBoundingClientRect().top")
        assert now == pytest.approx(before, abs=2), "it stays in sight"


def turned(tab: Any) -> tuple[float, bool]:
    """Turn the wheel, and see how far down that has brought; a page that is not painted yet may lose the turn."""
    if tab.evaluate("scrollY") < 900:
        tab.mouse.wheel(0, 900)
        tab.wait_for_timeout(1000)
    top = tab.evaluate("scrollY")
    return top, top >= 900  # more, where a figure above has come meanwhile


@pytest.mark.nightly
def test_each_part_of_a_lesson_says_how_far_it_is(chromium: Any) -> None:
    with serve() as address, page(chromium, anew=True) as tab:
        tab.add_init_script(PARTS)
        tab.goto(f"{address}lesson/states", wait_until="commit")
        tab.wait_for_selector(".lmdk-figure .lmdk-drawing", timeout=120_000)
        told = tab.evaluate("[...window.parts]")
        assert "Computed after the parts above." in told
        assert any(text.startswith("Computing") for text in told), (
            "a part may be done within a blink: what was said counts"
        )


@pytest.mark.nightly
def test_a_lesson_that_fails_says_so_and_keeps_its_text(chromium: Any, notebook: Any, tmp_path: Any) -> None:
    path = notebook("1 / 0")
    content = json.loads(path.read_text("utf-8"))
    content["cells"].insert(0, {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "Some words."})
    path.write_text(json.dumps(content), "utf-8")
    with (
        serve(path, tracebacks="ZeroDivisionError|CellExecutionError") as address,
        page(chromium, check=False, anew=True) as tab,
    ):
        tab.goto(address, wait_until="commit")
        tab.get_by_role("alert").get_by_text("The page could not be made").wait_for(timeout=60_000)
        assert tab.get_by_text("Some words.").is_visible() and tab.locator(".lmdk-pending").count() == 0

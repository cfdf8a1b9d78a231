"""While a page loads: what goes on is said, and a lesson can be read meanwhile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.course import LESSONS
from tests.browser import page
from tests.server import serve

pytestmark = pytest.mark.browser

RECORD = """
window.told = [];
const look = () => {
  const text = document.querySelector("#lmdk-loading")?.textContent.trim() ?? "";
  const words = [...document.querySelectorAll(".lmdk-text p")].some((p) => p.checkVisibility({ visibilityProperty: true }));
  const seen = [text, words];
  if (JSON.stringify(seen) !== JSON.stringify(window.told.at(-1))) window.told.push(seen);
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""
"""Keeps what the line that says what is going on has said, and whether text was to be seen then."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_can_be_read_before_anything_is_computed(chromium: Any, name: str) -> None:
    with serve() as address, page(chromium, anew=True) as tab:
        tab.add_init_script(RECORD)
        tab.goto(f"{address}lesson/{name}", wait_until="commit")
        tab.wait_for_function(
            "document.readyState === 'complete' && !document.querySelector('#lmdk-loading')", timeout=120_000
        )
        told = tab.evaluate("window.told")
        first = next(text for text, words in told if words)
        assert first == "Preparing the page …" or first.startswith("Computing part 1 of"), "the text waits for nothing"
        assert told[-1][0] == "" and tab.locator("#lmdk-errors").is_hidden()


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
        assert tab.get_by_text("Some words.").is_visible()

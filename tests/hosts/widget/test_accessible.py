"""Each page by keys alone, enlarged to 200 %, without motion, and on paper."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import page
from tests.server import Address

pytestmark = pytest.mark.browser

MOVES = """() => [...document.querySelectorAll("*")].filter((element) => {
    const style = getComputedStyle(element);
    return style.animationName !== "none" || style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
}).map((element) => element.className)"""
FOCUS = """() => {
    const at = document.activeElement, { width, height } = at.getBoundingClientRect();
    const lined = [null, "::after"].some((part) => getComputedStyle(at, part).outlineStyle !== "none");
    return at === document.body ? null : [at.ariaLabel || at.textContent.trim(), lined && width > 0 && height > 0];
}"""
"""What has the focus, and whether one sees it; None after the last."""
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
USED = ".lmdk-controls, .lmdk-topbar, .lmdk-header, .lmdk-mapbar, .lmdk-forget"


@pytest.mark.parametrize("name", ["series", "track", "place", "table", "people", "lessons"])
def test_a_page_by_keys_enlarged_without_motion_and_on_paper(chromium: Any, address: Address, name: str) -> None:
    with page(chromium, width=640, height=400, reduced_motion="reduce") as view:  # 1280 x 800 at 200 %
        view.goto(f"{address}?page={name}")
        kind = "lessons" if name == "lessons" else "explorer"
        view.wait_for_selector(f".lmdk-{kind}[data-lmdk-ready]", timeout=60_000)
        assert view.evaluate(OVER) <= 0 and not view.evaluate(MOVES)
        reached = []
        for _ in range(150):
            view.keyboard.press("Tab")
            focus = view.evaluate(FOCUS)
            if focus is None:
                break
            reached.append(focus)
        assert focus is None and len(reached) > 10 and all(seen for _, seen in reached), reached
        if kind == "explorer":
            assert {"Copy link", "Help", "In words"} <= {what for what, _ in reached}
            view.emulate_media(media="print")
            assert not [one for one in view.locator(USED).all() if one.is_visible()]
            assert (
                view.locator(".lmdk-threeanswers").evaluate("answers => getComputedStyle(answers).position") == "static"
            )
            heights = view.locator(".lmdk-headlinevalue").evaluate_all(
                "all => all.map((one) => one.getClientRects().length)"
            )
            assert heights == [1, 1, 1]

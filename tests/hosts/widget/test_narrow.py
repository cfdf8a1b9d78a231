"""Narrow windows and columns: menus stay inside the window, and no table is cut."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser
READY = ".lmdk-explorer[data-lmdk-ready]"


@pytest.mark.nightly
@pytest.mark.each_case
@pytest.mark.parametrize("width", [400, 620])
def test_menus_stay_inside_the_window(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, height=900) as view:
        view.goto(f"{address}?page=track")
        view.wait_for_selector(READY, timeout=60_000)
        for name in ("save", "help"):
            view.locator(f"[data-menu={name}] > summary").click()
            box = view.locator(".lmdk-menu[open] > .lmdk-menuitems").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            view.keyboard.press("Escape")


@pytest.mark.nightly
def test_the_comparison_is_whole_in_a_narrow_column(chromium: Any, address: Address) -> None:
    with page(chromium, width=500, height=900) as view:
        view.goto(f"{address}?page=track")
        view.wait_for_selector(READY, timeout=60_000)
        open_tab(view, "compare")
        view.click("[data-panel=compare] > summary")
        view.wait_for_selector("[data-panel=compare] tbody tr")
        frame = view.locator("[data-panel=compare] .lmdk-tableframe")
        room, table = frame.evaluate("one => [one.clientWidth, one.scrollWidth]")
        assert room < 480 and table <= room

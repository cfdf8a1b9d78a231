"""What is done today as a user meets it: a zone of 500 m is tried on Track."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

READY = ".lmdk-explorer[data-lmdk-ready]"


def test_whether_a_zone_of_500_m_is_enough(chromium: Any, address: Address) -> None:
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=track&track=runner")
        view.wait_for_selector(READY, timeout=60_000)
        open_tab(view, "compare")
        fold = view.locator("[data-panel=practices]")
        fold.locator("summary", has_text="privacy zones").first.click()
        fold.get_by_text("A zone of 400 m does not hide your main place: found to within 20 m or less.").wait_for()
        radius = fold.get_by_label("Radius of the zone").first
        radius.fill("500")
        radius.press("Enter")
        fold.get_by_text("A zone of 500 m does not hide your main place: found to within 20 m or less.").wait_for()
        fold.get_by_text("The points are dense").wait_for()
        assert "24 ends agree" in fold.inner_text() and "no promise" in fold.inner_text()
        assert view.locator(".lmdk-explorer.lmdk-haspractice").count() == 1  # on the map too
        fold.get_by_label("The attacker").select_option("nothing")
        fold.get_by_text("every end of every piece counts").wait_for()
        fold.get_by_role("checkbox", name="Rounding").check()
        fold.get_by_text("made where trips start or end and in long stays").wait_for()
        fold.get_by_text("One day in three").wait_for()
        view.set_viewport_size({"width": 400, "height": 800})
        view.wait_for_function("document.documentElement.scrollWidth <= 400")

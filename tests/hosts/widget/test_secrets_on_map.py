"""A secret over time is chosen on the map and on the time axis: a click for the other place, a brush for the part."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import page
from tests.hosts.widget.explorer_shown import open_page
from tests.hosts.widget.test_time_span import drag
from tests.server import Address

pytestmark = pytest.mark.browser

FOLD = "[data-panel=secrets]"


def field(view: Any, name: str) -> Any:
    return view.locator(FOLD).get_by_label(name, exact=True)


def test_a_click_and_a_brush_choose_the_secret(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000) as view:
        open_page(view, f"{address}?track=bob&secrets.open=1")
        view.wait_for_function(f"document.querySelectorAll('{FOLD} table tbody tr').length >= 2")
        field(view, "Choose the other place by a click on the map").check()
        view.wait_for_selector(".lmdk-explorer.lmdk-placing")
        plan = view.locator(".lmdk-mappart .leaflet-container")
        plan.scroll_into_view_if_needed()
        box = plan.bounding_box()
        marked = view.locator(".lmdk-marked").inner_text()
        before = field(view, "To the east by").input_value()
        view.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"])
        view.wait_for_selector(".lmdk-explorer:not(.lmdk-placing)")
        assert field(view, "To the east by").input_value() != before
        assert view.locator(".lmdk-marked").inner_text() == marked  # the click marked no landmark
        drag(view, 0.5, 0.9)
        view.get_by_role("button", name="Ask the secret about this part").click()
        view.wait_for_function(
            "[...document.querySelectorAll('[data-panel=secrets] select')].some((one) => one.value === 'part')"
        )
        assert int(field(view, "From timestamp").input_value()) > 1

"""A phone, held upright: what is opened, scrolled or toured stays where it can be read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import page
from tests.hosts.widget.explorer_shown import open_page
from tests.server import Address

pytestmark = pytest.mark.browser
HEIGHT = 844


@pytest.mark.parametrize("width", [390, 620, 800, 1280])
def test_the_notes_open_inside_the_window(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, height=HEIGHT) as view:
        open_page(view, address)
        view.locator(".lmdk-warned > summary").click()
        box = view.locator(".lmdk-warnings").bounding_box()
        chip = view.locator(".lmdk-warned > summary").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert 0 <= box["y"] - chip["y"] - chip["height"] <= 12, "just below its chip"

"""Texts that once lay over others, or were broken into letters, on pages that are narrow."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.hosts.page_list import PAGES
from tests.browser import open_tab, page
from tests.hosts.widget.test_tabs import OVERLAPS, SHOWN
from tests.server import Address

pytestmark = pytest.mark.browser


BREAKABLE = r"""root => {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("svg, code, pre, select, textarea, style, .lmdk-map")) continue;
    found.push(...(node.data.match(/[^ ]*\d (%|km|m)(?![\p{L}\d])/gu) ?? []));
  }
  return found;
}"""
"""Numbers of a page that a line may end behind, before their unit."""


@pytest.mark.nightly
def test_no_line_ends_between_a_number_and_its_unit(chromium: Any, address: Address) -> None:
    units = 0
    with page(chromium) as view:
        view.goto(f"{address}?correlation=strong")
        for name in PAGES:
            view.locator(f".lmdk-nav [data-page={name}]").click()
            root = view.locator(SHOWN)
            root.wait_for()
            assert root.evaluate(BREAKABLE) == [], name
            units += root.inner_text().count("\N{NO-BREAK SPACE}m")
    assert units > 5


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1440, 390])
def test_the_legend_of_the_spanner_keeps_its_words_whole(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, dark=width == 390) as view:
        view.goto(f"{address}?page=place&mechanism=spanner&rows=3&columns=3")
        view.wait_for_selector(".lmdk-edge .lmdk-term:visible")
        keys = view.locator(".lmdk-edge:visible")
        assert [key.inner_text().strip() for key in keys.all()] == ["spanner edge", "binding"]
        for key in keys.all():
            line = float(key.evaluate("k => parseFloat(getComputedStyle(k).lineHeight)"))
            assert key.bounding_box()["height"] < 1.5 * line
        assert all(term.bounding_box()["width"] > 40 for term in view.locator(".lmdk-edge .lmdk-term").all())
        assert view.locator(SHOWN).evaluate(OVERLAPS) == []


@pytest.mark.parametrize("room", [200, 260, 500])
def test_the_head_of_the_list_lies_over_no_row(chromium: Any, address: Address, room: int) -> None:
    with page(chromium) as view:
        view.goto(address)
        view.wait_for_selector(SHOWN)
        open_tab(view, "timestamps")
        view.wait_for_selector(f"{SHOWN} .lmdk-listhead .lmdk-term")
        head = view.locator(".lmdk-listhead")
        head.evaluate("(head, room) => { head.parentElement.style.width = `${room}px`; }", room)
        bottom = head.evaluate(
            "head => Math.max(...[...head.children].map((part) => part.getBoundingClientRect().bottom))"
        )
        assert bottom <= view.locator(".lmdk-list").bounding_box()["y"] + 1

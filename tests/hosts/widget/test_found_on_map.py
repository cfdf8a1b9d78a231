"""The names of the circles on the map of Track: the words of the tile "Found", and whose they are beside a practice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.hosts.widget.explorer_shown import open_page
from tests.server import Address

pytestmark = pytest.mark.browser

LISTEN = """
window.named = [];
const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
const isTop = (context) => context.canvas.laidOn === [...document.querySelectorAll(".lmdk-canvas")].at(-1);
Object.assign(CanvasRenderingContext2D.prototype, {
  fillText(text, ...more) {
    if (isTop(this)) window.named.push(text);
    return fillText.call(this, text, ...more);
  },
  clearRect(...given) {
    if (isTop(this)) window.named = [];
    return clearRect.apply(this, given);
  },
});
"""
"""Keeps what is written over the map."""
SAID = """() => {
const tile = [...document.querySelectorAll(".lmdk-headlines > li")].find((each) => each.textContent.startsWith("Found"));
const told = tile.querySelector(".lmdk-headlinevalue").textContent.normalize("NFKC");
return window.named.filter((text) => text.normalize("NFKC").endsWith(`, ${told}`));
}"""
"""The names on the map with the distance of the tile."""


def test_the_circle_has_the_words_of_the_tile_and_says_whose_it_is_when_a_practice_comes(
    chromium: Any, address: Address
) -> None:
    with page(chromium, height=1000) as view:
        view.add_init_script(LISTEN)
        open_page(view, f"{address}?track=commuter&epsilon=3")
        view.wait_for_function(f"({SAID})().length === 1")
        (name,) = view.evaluate(SAID)
        assert "(release)" not in name
        open_tab(view, "compare")
        view.locator("[data-panel=practices] summary", has_text="privacy zones").first.click()
        view.wait_for_selector(".lmdk-explorer.lmdk-haspractice")
        view.wait_for_function(f"({SAID})().length === 1 && ({SAID})()[0].includes(' (release), ')")

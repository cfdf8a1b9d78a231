"""A phone, held upright: what is opened, scrolled or toured stays where it can be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lmdk_widgets.pages.track.page import TOUR
from tests.browser import from_help, page
from tests.hosts.widget.explorer_shown import open_page
from tests.server import Address

pytestmark = pytest.mark.browser
WIDTH, HEIGHT = 390, 844
STARTED = "the computer where lmdk was started"


@pytest.fixture
def phone(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, width=WIDTH, height=HEIGHT, has_touch=True, reduced_motion="reduce") as view:
        open_page(view, address)
        yield view


def top_of(view: Any, selector: str) -> float:
    top: float = view.evaluate("s => document.querySelector(s).getBoundingClientRect().top + window.scrollY", selector)
    return top


@pytest.mark.parametrize("width", [390, 620, 800, 1280])
def test_the_notes_open_inside_the_window(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, height=HEIGHT) as view:
        open_page(view, address)
        view.locator(".lmdk-warned > summary").click()
        box = view.locator(".lmdk-warnings").bounding_box()
        chip = view.locator(".lmdk-warned > summary").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert 0 <= box["y"] - chip["y"] - chip["height"] <= 12, "just below its chip"


def test_nothing_of_the_map_covers_the_numbers_that_stay(phone: Any) -> None:
    covered = """() => [...document.querySelectorAll('.lmdk-headlines > li')].some((card) => {
      const { left, top, width, height } = card.getBoundingClientRect();
      return !card.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    })"""
    bar = top_of(phone, ".lmdk-mapbar")
    for y in range(round(bar) - 120, round(bar) + 20, 10):
        phone.evaluate("y => window.scrollTo(0, y)", y)
        assert not phone.evaluate(covered), y


def test_the_foot_and_the_tour_agree_where_a_file_goes(phone: Any) -> None:
    served = phone.evaluate("document.body.dataset.runs === 'server'")
    goes = "goes to the server, whose operator could read it" if served else f"goes only to {STARTED}."
    runs = f"A file that you upload {goes}" if served else f"Runs on {STARTED}; nothing is sent elsewhere."
    assert runs in phone.locator(".lmdk-foot").text_content()
    assert (phone.locator(".lmdk-goes").count() > 0) == served
    from_help(phone, "Tour").click()
    assert f"Your file {goes}" in phone.locator(".lmdk-tour").inner_text()


def test_the_tour_leaves_the_charts_where_they_are(phone: Any) -> None:
    before = top_of(phone, ".lmdk-timelinepart")
    from_help(phone, "Tour").click()
    at = [step.part for step in TOUR].index("timelinepart")
    for _ in range(at):
        phone.locator(".lmdk-tour button").get_by_text("Next", exact=True).click()
    assert TOUR[at].title in phone.locator(".lmdk-tour").inner_text()
    assert top_of(phone, ".lmdk-timelinepart") == pytest.approx(before, abs=60)
    assert top_of(phone, ".lmdk-timelinepart") > top_of(phone, ".lmdk-map")


def test_a_tap_on_a_cell_shows_its_numbers(chromium: Any, address: Address) -> None:
    with page(chromium, width=WIDTH, height=HEIGHT, has_touch=True, reduced_motion="reduce") as view:
        view.goto(f"{address}{'&' if '?' in address else '?'}page=place")
        view.wait_for_selector(".lmdk-place[data-lmdk-ready]", timeout=60_000)
        readout = view.locator(".lmdk-place .lmdk-readout")
        pointing = view.evaluate("window.matchMedia('(pointer: coarse)').matches")
        first = "Tap a cell to choose it and see" if pointing else "Point at a cell for"
        readout.get_by_text(f"{first} its numbers").wait_for()
        box = view.get_by_label("Map of cells").bounding_box()
        view.touchscreen.tap(box["x"] + 0.45 * box["width"], box["y"] + 0.45 * box["height"])
        readout.get_by_text(": prior").wait_for()
        name = readout.inner_text().split(":")[0]
        view.locator(".lmdk-place [data-lmdk=drawing]", has_text=f"From the true place {name}").wait_for(
            state="attached"
        )
        readout.get_by_text(f"{name}: prior").wait_for()

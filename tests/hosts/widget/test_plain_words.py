"""The pages for people in a hurry: everyday words first, times in the track's zone, terms explained where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, height=1000, accept_downloads=True) as view:
        open_page(view, address)
        yield view


DRAWN = "No mechanism with these budgets"
"""How a sentence begins that takes draws, and comes when they are made."""


def open_page(view: Any, address: str) -> None:
    view.goto(address)
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    unfold(view)


def wait_for(view: Any, text: str, selector: str = "[data-lmdk=numbers]") -> None:
    view.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=[selector, text],
        timeout=60_000,
    )


def test_times_are_those_of_the_tracks_zone_and_of_utc_on_request(opened: Any) -> None:
    first = opened.locator(".lmdk-row").first
    open_tab(opened, "timestamps")
    assert "07:52" in first.inner_text() and "(Europe/Paris)" in opened.inner_text(".lmdk-listhead")
    assert "07:52" in opened.inner_text(".lmdk-ticks")
    first.hover()
    assert "07:52 (Europe/Paris)" in opened.inner_text(".lmdk-readout")
    opened.get_by_label("Times in UTC").check()
    wait_for(opened, "06:52", ".lmdk-ticks")
    assert "06:52" in first.inner_text() and "(UTC)" in opened.inner_text(".lmdk-listhead")
    opened.wait_for_function("location.search.includes('utc=1')", timeout=60_000)
    track = b"time,lat,lon\n2026-07-01T08:00:00Z,48,2\n2026-07-01T08:10:00Z,48.01,2\n"
    opened.set_input_files("input[type=file] >> nth=1", {"name": "t.csv", "mimeType": "text/csv", "buffer": track})
    opened.get_by_label("Times in UTC").wait_for(state="hidden")  # no other zone is known


def terms(view: Any, within: str) -> list[str]:
    return [text.lower() for text in view.locator(f"{within} .lmdk-term").all_inner_texts()]


def test_terms_are_marked_once_in_the_paragraph_and_explained(opened: Any) -> None:
    wait_for(opened, DRAWN)
    marked = terms(opened, "[data-lmdk=numbers]")
    assert {"odds", "release", "landmarks", "budgets", "timestamp", "usual start"} <= set(marked)
    assert len(marked) == len(set(marked)), "the first of each"
    term = opened.locator("[data-lmdk=numbers] .lmdk-term", has_text="usual start")
    tip = opened.locator(".lmdk-tip:popover-open")
    term.hover()
    assert "as often as it is there in the long run" in tip.inner_text()
    described = opened.evaluate(
        "term => document.getElementById(term.getAttribute('aria-describedby')).textContent", term.element_handle()
    )
    assert described == tip.inner_text()
    opened.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    opened.locator("[data-lmdk=numbers] .lmdk-term").first.focus()
    tip.wait_for()
    opened.keyboard.press("Tab")
    assert tip.count() == 1, "one at a time"
    opened.keyboard.press("Escape")
    assert tip.count() == 0


def test_terms_stay_marked_while_a_slider_moves(opened: Any) -> None:
    wait_for(opened, DRAWN)
    before = terms(opened, "[data-lmdk=numbers]")
    slider = opened.get_by_role("slider", name="Epsilon")
    slider.focus()
    opened.keyboard.press("ArrowLeft")
    wait_for(opened, "budget of 0.9")
    wait_for(opened, DRAWN)
    assert terms(opened, "[data-lmdk=numbers]") == before
    for where in (".lmdk-controls", ".lmdk-assumption", ".lmdk-legend", ".lmdk-warnings"):
        opened.wait_for_selector(f"{where} .lmdk-term", state="attached")  # the list of warnings is closed at first
    opened.get_by_text("Show what the landmarks lose together").click()  # a label still does what it did
    wait_for(opened, "a proven bound")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["track", "place", "series"])
def test_a_tap_opens_a_tip_inside_a_narrow_page(chromium: Any, address: Address, name: str) -> None:
    with page(chromium, width=400, dark=True, has_touch=True) as view:
        open_page(view, f"{address}?page={name}")
        root = f".lmdk-{name}"
        view.wait_for_selector(f"{root}[data-lmdk-ready]", timeout=60_000)
        view.wait_for_selector(f"{root} .lmdk-controls .lmdk-term", state="attached")
        if name == "place":  # whose text changes as long as something is solved
            view.wait_for_selector(f"{root}[data-lmdk-busy='']", timeout=60_000)
        tip = view.locator(f"{root} .lmdk-tip:popover-open")
        for term in view.locator(f"{root} .lmdk-words .lmdk-term:visible").all():
            term.tap()
            box = tip.bounding_box()
            assert (
                box["x"] >= 0 and box["x"] + box["width"] <= 400 and box["y"] >= 0 and box["y"] + box["height"] <= 800
            )
            tip.tap()  # it may lie over what is wanted next
            assert tip.count() == 0
        assert view.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_line_says_what_was_loaded(opened: Any) -> None:
    rows = "".join(f"2026-07-01T08:{m:02d}:00Z,{48 + m / 1000},2\n" for m in range(0, 50, 10))
    track = f"time,lat,lon\n{rows}2026-07-01T09:00:00Z,abc,2\n".encode()
    upload = opened.get_by_label("Upload a track or a series", exact=True)
    upload.set_input_files({"name": "walk.csv", "mimeType": "text/csv", "buffer": track})
    opened.get_by_role("button", name="Drop these rows and load").click()
    wait_for(opened, "walk: CSV, 5 points, 2026-07-01 08:00 to 08:40 (UTC), every 10 min. 1 row that", ".lmdk-about")


def test_charts_without_curves_show_a_sentence_and_no_axes(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000) as view:
        view.goto(f"{address}{'&' if '?' in address else '?'}page=place&rows=14&columns=14")
        root = ".lmdk-place"
        view.wait_for_selector(f"{root}[data-lmdk-ready]", timeout=60_000)
        chart = view.locator(f"{root} section[aria-label='Quality loss against privacy']")
        chart.get_by_text("Drawn once solved").wait_for()
        assert chart.locator(".lmdk-figureplot").is_hidden() and not chart.locator("svg:visible").count()

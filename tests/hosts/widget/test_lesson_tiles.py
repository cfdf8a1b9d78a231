"""The page of lessons: a tile for each lesson opens it on the same server, and tells what is answered in this browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets import Lessons
from lmdk_widgets.course import LESSONS, questions
from tests.browser import kernel_of, page
from tests.server import Address, until

FIRST = next(name for name in LESSONS if questions(name))


def test_a_tile_tells_of_a_lesson_and_of_no_answer() -> None:
    told = Lessons()._lessons
    assert [lesson["name"] for lesson in told] == list(LESSONS)
    for lesson in told:
        known = LESSONS[lesson["name"]]
        assert (lesson["title"], tuple(lesson["minutes"])) == (known.title, known.minutes)
        assert lesson["goals"] == list(known.goals) and len(lesson["questions"]) == len(questions(lesson["name"]))
        assert all(set(question) == {"name", "stamp"} for question in lesson["questions"])


def open_lessons(view: Any, address: str) -> None:
    view.goto(f"{address}?page=lessons")
    view.wait_for_selector(".lmdk-lessons[data-lmdk-ready]", timeout=60_000)


def keep(view: Any, answered: int, right: int) -> None:
    """Answers as a lesson leaves them in the browser's store."""
    for k, question in enumerate(questions(FIRST)[:answered]):
        entry = {"stamp": question.asked()["stamp"], "given": 0, "said": "", "right": k < right, "words": ""}
        put = "([name, entry]) => localStorage.setItem('lmdk-answer:' + name, entry)"
        view.evaluate(put, [question.name, json.dumps(entry)])


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("address", ["kernel"], indirect=True)
def test_a_tile_opens_its_lesson_and_a_link_leads_back(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_lessons(view, address)
        pages = kernel_of(view)
        tiles = view.locator(".lmdk-tile")
        assert tiles.count() == len(LESSONS)
        tile = view.locator(f"[data-lesson={FIRST}]")
        assert all(tile.get_by_text(goal).count() for goal in LESSONS[FIRST].goals)
        assert tiles.get_by_text("k, l and t, and the attacks").count() == 1, (
            "k is no word that begins with a large letter"
        )
        assert view.locator("[data-lesson=noise]").get_by_text("From a coin to epsilon").count() == 1
        box = tile.locator(".lmdk-tilepicture").bounding_box()
        view.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # anywhere on the tile
        view.wait_for_url(address.placed(f"{address}lesson/{FIRST}"))
        view.wait_for_selector("#rendered_cells h1:visible", timeout=60_000)
        until(lambda: (found := address.kernels_named(pages), not found), "no kernel of pages that are left")
        lesson = kernel_of(view)
        view.get_by_role("navigation", name="Course").get_by_role("link").click()
        view.wait_for_url(address.placed(f"{address}?page=lessons"))
        view.wait_for_selector(".lmdk-lessons[data-lmdk-ready]", timeout=60_000)
        until(lambda: (found := address.kernels_named(lesson), not found), "no kernel of a lesson that is left")


@pytest.mark.browser
def test_progress_is_what_this_browser_keeps(chromium: Any, address: Address) -> None:
    every = len(questions(FIRST))
    with page(chromium) as view:
        open_lessons(view, address)
        tile = view.locator(f"[data-lesson={FIRST}]")
        assert f"{every} questions." in tile.inner_text()
        keep(view, 3, 2)
        view.evaluate("localStorage.setItem('lmdk-answer:' + 'other/question', '{')")  # someone else's
        open_lessons(view, address)
        tile.get_by_text(f"3 of {every} questions answered, 2 right.").wait_for()
        assert tile.get_by_role("progressbar").evaluate("bar => [bar.value, bar.max]") == [3, every]
        keep(view, every, every)
        view.evaluate("window.dispatchEvent(new CustomEvent('lmdk-answers', { detail: [] }))")
        tile.get_by_text(f"{every} of {every} questions answered, {every} right: done.").wait_for()
        view.evaluate("localStorage.clear()")


@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_it_fits_and_every_tile_is_reached_by_keys(chromium: Any, address: Address, width: int, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with page(chromium, width=width, dark=dark) as view:
        open_lessons(view, address)
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        assert not axe.Axe().run(view).response["violations"]
        for name in LESSONS:
            link = view.locator(f"[data-lesson={name}] h2 a")
            link.focus()
            assert address + link.get_attribute("href").lstrip("/") == address.placed(f"{address}lesson/{name}")
            assert link.evaluate("link => getComputedStyle(link, '::after').outlineStyle") == "solid"
        term = view.locator(".lmdk-tile .lmdk-term").first
        term.hover()
        assert view.locator(".lmdk-tip:popover-open").count() == 1

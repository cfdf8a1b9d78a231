"""The tour of the track page: ten steps, each beside a part that can be tried, by mouse, finger and keys."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.pages.track.page import TOUR
from lmdk_widgets.scenario import Scenario
from tests.browser import from_help, page
from tests.hosts.widget.explorer_shown import numbers, open_page, wait_for
from tests.server import Address

CARD = ".lmdk-tour"


def test_there_are_ten_steps_of_few_words() -> None:
    assert len(TOUR) == len({step.part for step in TOUR}) == 10
    assert {step.part for step in TOUR} >= {"track", "scheme", "epsilon", "correlation"} <= set(Scenario.kinds())
    assert [step.part for step in TOUR[1:3]] == ["judged", "threeanswers"], "the verdict and the answers come early"
    assert all(len(step.text.split()) <= 45 and step.text.endswith(".") for step in TOUR)


def box(view: Any, selector: str) -> dict[str, float]:
    return view.evaluate(
        "s => { const { left, top, right, bottom } = document.querySelector(s).getBoundingClientRect();"
        "return { left, top, right, bottom }; }",
        selector,
    )


def apart(a: dict[str, float], b: dict[str, float]) -> bool:
    return a["right"] <= b["left"] or b["right"] <= a["left"] or a["bottom"] <= b["top"] or b["bottom"] <= a["top"]


def opener(view: Any) -> Any:
    return from_help(view, "Tour")


def press(view: Any, name: str) -> None:
    view.locator(f"{CARD} button").get_by_text(name, exact=True).click()


def tab_to(view: Any, name: str) -> None:
    """Presses Tab until a button of the card has the focus; words that explain themselves may stand before it."""
    for _ in range(8):
        view.keyboard.press("Tab")
        if view.evaluate("document.activeElement.textContent") == name:
            return
    raise AssertionError(f"no {name} within reach of the keys")


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize(("width", "height", "dark"), [(1280, 800, False), (1024, 768, False), (390, 844, True)])
def test_each_step_stands_beside_its_part(chromium: Any, address: Address, width: int, height: int, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with page(chromium, width=width, height=height, dark=dark, reduced_motion="reduce") as view:
        open_page(view, address)
        opener(view).click()
        for k, step in enumerate(TOUR, 1):
            card = view.get_by_role("dialog", name=step.title)
            assert f"{k} of 10" in card.inner_text() and step.text in card.inner_text()
            assert card.evaluate("card => card === document.activeElement")
            shown, part = box(view, CARD), box(view, ".lmdk-toured")
            assert shown["left"] >= 0 and shown["right"] <= width and shown["top"] >= 0 and shown["bottom"] <= height
            assert apart(shown, {**part, "bottom": min(part["bottom"], part["top"] + 200)}), (step.part, shown, part)
            assert 0 <= part["top"] < height - 100, step.part
            if k == 2:
                assert not axe.Axe().run(view).response["violations"]
            press(view, "Next" if k < len(TOUR) else "Done")
        assert view.locator(CARD).count() == view.locator(".lmdk-toured").count() == 0
        assert view.evaluate("document.activeElement.ariaLabel") == "Help"
        assert view.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.nightly
@pytest.mark.browser
def test_what_a_step_speaks_of_can_be_tried_meanwhile(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, address)
        opener(view).click()
        for k in range(5):
            tab_to(view, "Next")
            view.keyboard.press("Enter")
            view.locator(CARD).get_by_text(f"{k + 2} of 10").wait_for()
        assert "6 of 10" in view.inner_text(CARD)
        press(view, "Go there")
        assert view.evaluate("document.activeElement.getAttribute('aria-label')") == "Epsilon"
        view.keyboard.press("ArrowLeft")
        wait_for(view, "budget of 0.9")
        assert view.evaluate("document.activeElement.getAttribute('aria-label')") == "Epsilon", "the focus stays"
        assert "6 of 10" in view.inner_text(CARD)
        view.keyboard.press("Escape")
        assert view.locator(CARD).count() == 0
        assert view.evaluate("document.activeElement.getAttribute('aria-label')") == "Epsilon", "and stays at the end"
        assert "budget of 0.9" in numbers(view)


@pytest.mark.nightly
@pytest.mark.browser
def test_escape_closes_what_is_smaller_first(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, address)
        opener(view).click()
        view.locator("[data-lmdk=numbers] .lmdk-term").first.focus()
        view.locator(".lmdk-tip:popover-open").wait_for()
        view.keyboard.press("Escape")
        assert view.locator(".lmdk-tip:popover-open").count() == 0 and view.locator(CARD).count() == 1
        view.get_by_label("Save", exact=True).click()
        view.keyboard.press("Escape")
        assert view.locator(".lmdk-menu[open]").count() == 0 and view.locator(CARD).count() == 1
        view.locator(CARD).focus()
        view.keyboard.press("Escape")
        assert view.locator(CARD).count() == 0 and view.evaluate("document.activeElement.ariaLabel") == "Help"


@pytest.mark.browser
def test_it_is_offered_once_and_opens_nothing_by_itself(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, address)
        assert view.locator(CARD).count() == 0
        assert view.locator(".lmdk-header").get_by_text("New here?").is_visible()
        open_page(view, address)
        assert view.locator(".lmdk-header").get_by_text("New here?").count() == 0
        opener(view).click()
        assert view.locator(CARD).count() == 1 and opener(view).get_attribute("aria-pressed") == "true"
        opener(view).click()
        assert view.locator(CARD).count() == 0 and opener(view).get_attribute("aria-pressed") == "false"


@pytest.mark.browser
def test_a_part_that_is_not_there_now_is_passed_without_harm(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, f"{address}?scheme=planned")
        opener(view).click()
        for _ in range(5):
            press(view, "Next")
        assert "6 of 10" in view.inner_text(CARD)
        assert view.locator(".lmdk-controls.lmdk-toured").count() == 1
        assert not view.locator(CARD).get_by_text("Go there").is_visible()
        press(view, "Next")
        assert "7 of 10" in view.inner_text(CARD)

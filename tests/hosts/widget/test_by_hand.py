"""Budgets by hand as a user sets them: bars that are dragged, numbers that are typed, a sum that is too large and mended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

READY = ".lmdk-explorer[data-lmdk-ready]"
BUDGETS = "() => document.querySelector('.lmdk-plot').drawn.traces[0].y.map((each) => Number(each.toPrecision(5)))"

FOLLOWS = "([k, y]) => Math.abs(document.querySelectorAll('.lmdk-handle')[k].getBoundingClientRect().y - y) <= 2"
"""The bar ends where the pointer is."""


@pytest.fixture(params=[1280, 390])
def opened(chromium: Any, address: Address, request: Any) -> Iterator[Any]:
    with page(chromium, width=request.param, height=900, has_touch=request.param == 390) as view:
        view.goto(address)
        view.wait_for_selector(READY, timeout=60_000)
        view.get_by_label("Scheme", exact=True).select_option("given")
        view.get_by_label("Each landmark").wait_for()
        open_tab(view, "timestamps")
        view.wait_for_function("document.querySelectorAll('.lmdk-handle').length === 8")
        open_tab(view, "timestamps")
        yield view


def drawn(view: Any) -> list[float]:
    return view.evaluate(BUDGETS)


def wait_for_budget(view: Any, index: int, holds: str) -> None:
    view.wait_for_function(f"() => {{ const b = ({BUDGETS})()[{index}]; return {holds}; }}")


def entered(view: Any, label: str, value: str) -> None:
    field = view.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")


@pytest.mark.nightly
def test_a_bar_is_dragged_and_one_undo_takes_it_back(opened: Any) -> None:
    handle = opened.locator(".lmdk-handle").nth(3)
    handle.evaluate("handle => handle.scrollIntoView({ block: 'center' })")  # below the sentence that stays at the top
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.mouse.move(x, y)
    opened.mouse.down()
    for up in (6, 12, 18, 24):
        opened.mouse.move(x, y - up)
    opened.wait_for_function(FOLLOWS, arg=[3, box["y"] - 24])
    opened.mouse.up()
    wait_for_budget(opened, 3, "b > 0.3")
    assert opened.get_by_label("Budget of p4 (regular)").input_value() == str(drawn(opened)[3])
    assert opened.get_by_label("Each other timestamp").input_value() == ""
    opened.locator(".lmdk-byhand").get_by_text("not landmark private").wait_for()
    assert opened.evaluate("document.querySelectorAll('[role=option][aria-selected=true]').length") == 4, "no click"
    opened.get_by_role("button", name="Undo").click()
    wait_for_budget(opened, 3, "b === 0.2")
    assert opened.get_by_label("Each other timestamp").input_value() == "0.2"


@pytest.mark.nightly
def test_typed_budgets_that_exceed_epsilon_are_told_and_mended(opened: Any) -> None:
    panel = opened.locator(".lmdk-byhand")
    entered(opened, "Each landmark", "0,25")
    panel.get_by_text("up to 1.20, above the budget of 1; times 0.8333 they fit").wait_for()
    assert opened.locator("[data-lmdk=numbers]").get_by_text("not landmark private").count()
    panel.get_by_role("button", name="Fit: times 0.8333").click()
    panel.get_by_text("These budgets fit, and leave nothing").wait_for()
    assert opened.get_by_label("Each landmark").input_value() == "0.208333"
    opened.get_by_role("button", name="Undo").click()
    panel.get_by_role("button", name="Raise epsilon to 1.2").click()
    panel.get_by_text("These budgets fit, and leave nothing").wait_for()
    assert opened.get_by_label("Epsilon value").input_value() == "1.2"
    entered(opened, "Timestamp", "3")
    entered(opened, "Budget of p3 (landmark)", "0")
    wait_for_budget(opened, 2, "b === 0")
    entered(opened, "Budget of p3 (landmark)", "-1")
    opened.get_by_text("Each of the budgets must be between 0 and 1,000,000; got -1").wait_for()
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.nightly
def test_a_reload_brings_the_budgets_back(opened: Any) -> None:
    entered(opened, "Each landmark", "0.125")
    entered(opened, "Each other timestamp", "0.5")
    opened.wait_for_function("location.search.includes('budgets=0.125,0.5;0.1.0.1.0.1x2.0')")
    opened.reload()
    opened.wait_for_selector(READY, timeout=60_000)
    opened.get_by_label("Each landmark").wait_for()
    assert opened.get_by_label("Each landmark").input_value() == "0.125"
    assert drawn(opened) == [0.125, 0.5, 0.125, 0.5, 0.125, 0.5, 0.5, 0.125]
    opened.get_by_label("Scheme", exact=True).select_option("uniform")
    opened.wait_for_function("document.querySelectorAll('.lmdk-handle').length === 0")
    assert opened.get_by_label("Each landmark").count() == 0 or not opened.get_by_label("Each landmark").is_visible()


@pytest.mark.nightly
def test_many_timestamps_are_set_by_kind(chromium: Any, address: Address) -> None:
    with page(chromium, width=390, height=900) as view:
        view.goto(f"{address}?page=track&track=taxi&scheme=given")
        view.wait_for_selector(READY, timeout=60_000)
        entered(view, "Each landmark", "0.05")
        entered(view, "Each other timestamp", "0.4")
        view.locator(".lmdk-byhand").get_by_text("up to 1 of the budget of 1").wait_for()
        assert view.locator(".lmdk-handle").count() == 0, "bars that nobody could hit"
        view.wait_for_function("location.search.includes('budgets=')")
        assert len(view.evaluate("location.search")) < 600

"""The trade-off, the inverse questions and two options side by side, as a user meets them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

WHERE = """([trace, index]) => {
  const plot = document.querySelector('[data-panel=trade_off] .lmdk-figureplot'), { traces, axes } = plot.drawn;
  const { x, y } = traces.find((one) => one.name === trace), box = plot.getBoundingClientRect();
  return [box.left + axes.xaxis.at(x[index]), box.top + axes.yaxis.at(y[index])];
}"""


@pytest.fixture(params=[1280, 390])
def opened(chromium: Any, address: Address, request: Any) -> Iterator[Any]:
    with page(chromium, width=request.param, height=900) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        yield view


@pytest.mark.nightly
def test_a_click_on_the_curve_sets_its_scheme_and_epsilon(opened: Any) -> None:
    open_tab(opened, "compare")
    opened.get_by_text("Error against epsilon, for every scheme").click()
    opened.get_by_text("Each line is a scheme").wait_for(timeout=60_000)
    plot = opened.locator("[data-panel=trade_off] .lmdk-figureplot")
    assert plot.evaluate("plot => plot.drawn.traces.filter((one) => one.meta).length") == 12
    plot.scroll_into_view_if_needed()
    opened.mouse.move(*opened.evaluate(WHERE, ["User level", 2]))
    opened.locator("[data-panel=trade_off] .lmdk-charttip").wait_for()
    opened.mouse.down()
    opened.mouse.up()
    opened.wait_for_function("document.querySelector('select[aria-label=Scheme]').value === 'user'")
    assert opened.get_by_label("Epsilon value").input_value() == "0.0215443"
    opened.get_by_label("Against", exact=True).select_option("loss")
    plot = "document.querySelector('[data-panel=trade_off] .lmdk-figureplot')"
    opened.wait_for_function(f"{plot}.drawn.layout.xaxis.title.text === 'largest what-if loss'")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.nightly
def test_a_link_with_the_curves_draws_one_chart(opened: Any, address: Address) -> None:
    opened.goto(f"{address}?page=track&trade_off.open=1")
    open_tab(opened, "compare")
    opened.get_by_text("Each line is a scheme").wait_for(timeout=60_000)
    assert opened.locator("[data-panel=trade_off] .lmdk-figure").count() == 1


@pytest.mark.nightly
def test_the_epsilon_that_is_needed_is_said_and_taken(opened: Any) -> None:
    opened.locator("[data-tab=inverse]").focus()
    opened.keyboard.press("Enter")
    opened.get_by_text("at most 500 m needs epsilon 4:").wait_for()
    wanted = opened.get_by_label("A reader is off by at most")
    wanted.fill("250")
    wanted.press("Enter")
    opened.get_by_text("at most 250 m needs epsilon 8:").wait_for()
    take = opened.get_by_role("button", name=re.compile("^Use epsilon 8"))
    needed = take.inner_text().split()[-1]
    take.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_function(f"document.querySelector('input[aria-label=\"Epsilon value\"]').value === '{needed}'")
    wanted.fill("-3")
    wanted.press("Enter")
    opened.get_by_text("The wanted mean error must be between").wait_for()
    assert opened.get_by_label("Epsilon value").input_value() == needed


@pytest.mark.nightly
def test_two_options_stand_side_by_side_and_in_one_link(opened: Any, address: Address) -> None:
    open_tab(opened, "compare")
    opened.get_by_role("button", name="Pin these settings").click()
    opened.get_by_text("Nothing differs from the pinned option yet").wait_for()
    opened.get_by_label("Scheme", exact=True).select_option("skip")
    opened.get_by_text("Scheme Uniform → Skip").wait_for()
    table = opened.locator("[role=region][aria-label='Two options side by side']")
    assert table.locator("tbody tr").count() == 7 and "4.13" in table.inner_text() and "\t5\n" in table.inner_text()
    assert "pinned" in opened.locator(".lmdk-plotframe").inner_text()
    assert opened.locator(".lmdk-keyof-pinned:visible").count() == 1
    opened.wait_for_url("**scheme=skip*")
    link = opened.url
    opened.get_by_role("button", name="Swap").focus()
    opened.keyboard.press("Enter")
    opened.get_by_text("Scheme Skip → Uniform").wait_for()
    opened.get_by_role("button", name="Undo").click()
    opened.get_by_text("Scheme Uniform → Skip").wait_for()
    opened.get_by_role("button", name="Unpin").click()
    opened.get_by_text("Pin the present settings").wait_for()
    assert opened.locator(".lmdk-keyof-pinned:visible").count() == 0
    opened.goto(link)
    open_tab(opened, "compare")
    opened.get_by_text("Scheme Uniform → Skip").wait_for(timeout=60_000)

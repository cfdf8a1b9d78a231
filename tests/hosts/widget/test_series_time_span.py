"""A part of the time that all views of the series page show, what is pointed at in each of them, and its picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import open_tab, page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser

NODES = (
    "[...document.querySelectorAll('.lmdk-figureplot')].find((plot) => plot.drawn?.traces[0].name === 'each timestamp')"
)
RANGE = f"{NODES}.drawn.axes.xaxis.range"


@pytest.fixture
def lab(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, height=1000, accept_downloads=True) as view:
        view.goto(f"{address}?page=series")
        view.wait_for_selector(".lmdk-series[data-lmdk-ready]", timeout=60_000)
        unfold(view)
        open_tab(view, "influence")
        view.wait_for_function(f"() => Boolean({NODES})")
        yield view


def states(view: Any) -> dict[str, Any]:
    """Where the states are drawn: left and width in the page, a height, and which timestamps, counted from 0."""
    found = view.locator(".lmdk-states").first
    found.scroll_into_view_if_needed()
    box, at = found.bounding_box(), found.evaluate("(box) => ({ ...box.dataset })")
    first, last = map(int, at["range"].split())
    return {
        "left": box["x"] + 1 + float(at["left"]),
        "width": float(at["width"]),
        "y": box["y"] + box["height"] / 2,
        "range": (first, last),
    }


def drag(view: Any, left: float, width: float, y: float, start: float, stop: float) -> None:
    view.mouse.move(left + start * width, y)
    view.mouse.down()
    view.mouse.move(left + stop * width, y, steps=4)
    view.mouse.up()


def chosen(view: Any) -> str:
    return view.locator(".lmdk-states[role=slider]").get_attribute("aria-valuenow")


def test_a_drag_over_the_series_shows_a_part_of_the_time_in_every_view(lab: Any) -> None:
    at, before = states(lab), chosen(lab)
    first, last = at["range"]
    drag(lab, at["left"], at["width"], at["y"], 0.25, 0.5)
    bar = lab.locator(".lmdk-spanbar", has_text="Shown: ")
    bar.wait_for()
    low, high = states(lab)["range"]
    length = last - first + 1
    assert abs(low - (first + length / 4)) <= 1 and abs(high - (first + length / 2)) <= 1
    assert f"Shown: {high - low + 1} of " in bar.inner_text()
    lab.wait_for_function(f"([low, high]) => String({RANGE}) === String([low + 0.5, high + 1.5])", arg=[low, high])
    assert chosen(lab) == before, "a drag chooses nothing"
    lab.mouse.dblclick(at["left"] + at["width"] / 2, at["y"])
    bar.wait_for(state="hidden")
    assert states(lab)["range"][1] - states(lab)["range"][0] >= high - low
    lab.wait_for_function(f"{RANGE}[0] < 1")


def test_a_drag_over_the_chart_of_its_noise_does_the_same(lab: Any) -> None:
    plot = lab.locator(".lmdk-timed.lmdk-figureplot")
    plot.scroll_into_view_if_needed()
    box, axis = plot.bounding_box(), lab.evaluate(f"{NODES}.drawn.axes.xaxis")
    drag(lab, box["x"] + axis["offset"], axis["length"], box["y"] + 120, 0.2, 0.6)
    lab.locator(".lmdk-spanbar", has_text="Shown: ").wait_for()
    low, high = lab.evaluate(RANGE)
    assert states(lab)["range"] == (low - 0.5, high - 1.5)
    lab.get_by_role("button", name="Show all").click()
    lab.locator(".lmdk-spanbar").wait_for(state="hidden")


def test_what_is_pointed_at_is_read_in_every_view(lab: Any) -> None:
    plot = lab.locator(".lmdk-timed.lmdk-figureplot")
    lab.mouse.move(1, 1)
    plot.scroll_into_view_if_needed()
    box, axis = plot.bounding_box(), lab.evaluate(f"{NODES}.drawn.axes.xaxis")
    lab.mouse.move(box["x"] + axis["offset"] + axis["length"] / 2, box["y"] + 60)
    tip = plot.locator(".lmdk-charttip:visible")
    tip.wait_for()
    number = tip.inner_text().removeprefix("timestamp ").split(":")[0].replace(",", "")
    assert lab.inner_text("[data-lmdk=timeline]").startswith(f"Timestamp {number}")
    assert lab.locator(".lmdk-states .lmdk-hoverline:visible").count(), "its line among the states"
    at = states(lab)
    lab.mouse.move(at["left"] + at["width"] / 2, at["y"])
    lab.wait_for_function(
        "() => document.querySelector('.lmdk-timed.lmdk-figureplot .lmdk-hoverline').hidden === false"
    )
    said = lab.inner_text("[data-lmdk=timeline]").split(",")[0].lower()
    assert tip.inner_text().startswith(f"{said}:")
    lab.mouse.move(1, 1)
    tip.wait_for(state="hidden")


def test_the_keyboard_zooms_and_goes_on_beyond_what_is_shown(lab: Any) -> None:
    slider = lab.get_by_role("slider", name="Chosen timestamp")
    slider.focus()
    lab.keyboard.press("+")
    bar = lab.locator(".lmdk-spanbar")
    bar.wait_for()
    lab.keyboard.press("End")
    lab.wait_for_function(
        "() => document.querySelector('.lmdk-states').dataset.range.endsWith(' ' + (Number("
        "document.querySelector('.lmdk-states').getAttribute('aria-valuemax')) - 1))"
    )
    lab.keyboard.press("Escape")
    bar.wait_for(state="hidden")


def test_another_series_is_shown_whole(lab: Any) -> None:
    at = states(lab)
    drag(lab, at["left"], at["width"], at["y"], 0.25, 0.5)
    lab.locator(".lmdk-spanbar").wait_for()
    lab.get_by_label("Data", exact=True).select_option("chains")
    lab.locator(".lmdk-spanbar").wait_for(state="hidden")


def test_one_click_saves_the_series_as_a_picture(lab: Any, tmp_path: Path) -> None:
    with lab.expect_download() as given:
        lab.get_by_role("button", name="Save the series").click(modifiers=["Shift"])
    given.value.save_as(tmp_path / "series.svg")
    text = (tmp_path / "series.svg").read_text("utf-8")
    for part in ("The series, and the quilt of one timestamp", "◆ the moment", "simulation", "data:image/png;base64,"):
        assert part in text, part
    with lab.expect_download() as given:
        lab.get_by_role("button", name="Save the series").click()
    given.value.save_as(tmp_path / "series.png")
    assert (tmp_path / "series.png").read_bytes().startswith(b"\x89PNG")

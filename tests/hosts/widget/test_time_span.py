"""A part of the time that all views of the track page show, the readouts in every panel, and a picture of one chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import palette
from tests.browser import open_tab, page
from tests.hosts.widget.explorer_shown import numbers, numbers_with_draws, open_page, shown
from tests.server import Address, until

pytestmark = pytest.mark.browser

RANGE = "document.querySelector('.lmdk-plot').drawn.axes.xaxis.range"
POINTS = """() => {
window.points = new Set();
const { arc } = CanvasRenderingContext2D.prototype;
const isBase = (context) => context.canvas.laidOn === document.querySelectorAll(".lmdk-canvas")[1];
CanvasRenderingContext2D.prototype.arc = function (x, y, r, ...more) {
  if (isBase(this)) window.points.add(`${x} ${y}`);
  return arc.call(this, x, y, r, ...more);
};
}"""
"""Keeps the points of the track that the map draws."""
POWER = "time,energy_kWh\n" + "".join(f"2026-03-01T{k:02d}:00Z,{(k * 7) % 5}.5\n" for k in range(24))

Stopped = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").Error


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with shown(chromium, address) as view:
        yield view


def panel(view: Any, k: int = 1) -> dict[str, float]:
    found = view.locator(".lmdk-plot .lmdk-panel").nth(k)
    for _ in range(20):
        with suppress(Stopped):  # what is computed meanwhile draws it anew
            found.scroll_into_view_if_needed(timeout=10_000)
            if box := found.bounding_box():
                return box
    raise AssertionError("the panel is drawn again and again")


def drag(view: Any, start: float, stop: float, k: int = 1) -> None:
    """Along a panel, from a share of its width to another."""
    box = panel(view, k)
    y = box["y"] + box["height"] / 2
    view.mouse.move(box["x"] + start * box["width"], y)
    view.mouse.down()
    view.mouse.move(box["x"] + stop * box["width"], y, steps=4)
    view.mouse.up()


def rows(view: Any) -> list[str]:
    return view.locator(".lmdk-row .lmdk-cell-name").all_inner_texts()


def test_a_drag_shows_a_part_of_the_time_in_every_view(opened: Any) -> None:
    open_tab(opened, "timestamps")
    before, whole = numbers_with_draws(opened), opened.evaluate(RANGE)
    opened.evaluate(POINTS)
    drag(opened, 0.3, 0.7)  # from p3 to p6
    bar = opened.locator(".lmdk-spanbar", has_text="Shown: 4 of 8 timestamps, 08:47 Tue 3 Mar to 18:26.")
    bar.wait_for()
    low, high = opened.evaluate(RANGE)
    assert 1 < low < 2 and 5 < high < 6
    assert [row.split()[0] for row in rows(opened)] == ["p3", "p4", "p5", "p6"]
    assert opened.evaluate("window.points.size") == 4, "the points on the map"
    opened.mouse.move(1, 1)  # or what moves under it is looked at instead
    opened.get_by_role("listbox", name="Timestamps").focus()
    opened.keyboard.press("Home")
    assert opened.inner_text(".lmdk-readout").startswith("p3")
    opened.get_by_label("Map", exact=True).focus()
    opened.keyboard.press("End")
    assert opened.inner_text(".lmdk-readout").startswith("p6")
    box = panel(opened, 0)
    opened.mouse.dblclick(box["x"] + 0.4 * box["width"], box["y"] + box["height"] - 5)
    bar.wait_for(state="hidden")
    assert opened.evaluate(RANGE) == whole and len(rows(opened)) == 8
    opened.wait_for_timeout(500)
    assert numbers(opened) == before, "a double click marks nothing"


def test_a_click_still_marks_where_a_part_is_shown(opened: Any) -> None:
    drag(opened, 0.02, 0.4)
    opened.get_by_role("button", name="Show all").wait_for()
    box = panel(opened, 0)
    opened.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + box["height"] - 5)
    opened.wait_for_function("document.querySelector('[data-lmdk=numbers]').innerText.includes('five landmarks')")
    opened.get_by_role("button", name="Show all").click()
    assert opened.evaluate(RANGE)[0] < 0


def test_the_keyboard_zooms_and_reads_every_panel(opened: Any) -> None:
    opened.get_by_role("application", name="Budgets, losses and errors over time").focus()
    opened.keyboard.press("Home")
    readouts = opened.locator(".lmdk-plotframe .lmdk-panelreadout:visible")
    assert readouts.count() == 3 and "0.20" in readouts.first.inner_text()
    error = re.search(r"error ([\d.]+\sk?m)", opened.inner_text(".lmdk-readout"))
    assert error and error[1] in readouts.last.inner_text(), "as below the map"
    for key in ("ArrowRight", "+"):
        opened.keyboard.press(key)
    bar = opened.locator(".lmdk-spanbar")
    assert "5 of 8" in bar.inner_text()
    opened.keyboard.press("End")
    assert "19:45" in bar.inner_text() and opened.inner_text(".lmdk-readout").startswith("p8")
    opened.keyboard.press("Escape")
    assert not bar.is_visible()


def test_a_finger_shows_a_part_of_the_time(chromium: Any, address: Address) -> None:
    with page(chromium, width=390, height=844, has_touch=True) as view:
        open_page(view, address)
        numbers_with_draws(view)  # its sentence moves the charts down on a phone
        box = panel(view)
        session = view.context.new_cdp_session(view)
        y = box["y"] + box["height"] / 2
        touches = [
            ("touchStart", 0.3),
            ("touchMove", 0.5),
            ("touchMove", 0.7),
            ("touchMove", 0.701),
            ("touchEnd", None),
        ]
        for kind, share in touches:
            view.wait_for_timeout(150)  # after a fling Chromium takes the next tap for a halt
            points = [] if share is None else [{"x": box["x"] + share * box["width"], "y": y}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        view.get_by_text("Shown: 4 of 8 timestamps").wait_for()
        view.get_by_role("button", name="Show all").tap()
        view.locator(".lmdk-spanbar").wait_for(state="hidden")


def test_one_click_saves_a_chart_with_its_title_its_unit_and_what_it_is(opened: Any, tmp_path: Path) -> None:
    drag(opened, 0.3, 0.7)
    with opened.expect_download() as given:
        opened.get_by_role("button", name="Save “Temporal privacy loss”").click(modifiers=["Shift"])
    assert given.value.suggested_filename == (
        "simulation-not-a-private-release_bob_uniform_epsilon-1_temporal-privacy-loss.svg"
    )
    given.value.save_as(tmp_path / "loss.svg")
    text = (tmp_path / "loss.svg").read_text("utf-8")
    for part in ("Temporal privacy loss", "loss, ε", "time (Europe/Paris)", "simulation, not a private release"):
        assert part in text, part
    assert "08:47" in text and "07:52" not in text, "the part that is shown"
    with opened.expect_download() as given:
        opened.get_by_role("button", name="Save “Budgets”").click()
    given.value.save_as(tmp_path / "budgets.png")
    assert (tmp_path / "budgets.png").read_bytes().startswith(b"\x89PNG")
    assert "four landmarks" in numbers(opened), "the button marks nothing"


def test_the_chart_of_ones_own_series_takes_part_and_its_picture_is_for_the_owner(opened: Any, tmp_path: Path) -> None:
    file = {"name": "meter.csv", "mimeType": "text/csv", "buffer": POWER.encode()}
    opened.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
    chart = opened.locator(".lmdk-linechart")
    chart.wait_for(timeout=60_000)
    opened.wait_for_function("document.querySelector('.lmdk-plot').drawn.axes.xaxis.range[1] > 20")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    opened.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 150)
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 160, steps=4)
    opened.mouse.up()
    bar = opened.locator(".lmdk-spanbar")
    assert until(lambda: (found := bar.inner_text(), "of 24 timestamps" in found), "a part of the series")
    low, high = opened.evaluate(RANGE)
    assert 5 < low < high < 19
    with opened.expect_download() as given:
        opened.locator(".lmdk-plotframe .lmdk-savechart").last.click(modifiers=["Shift"])
    given.value.save_as(tmp_path / "error.svg")
    assert "For you only, do not share: it reveals information about your true series" in (
        tmp_path / "error.svg"
    ).read_text("utf-8")
    with opened.expect_download() as given:
        opened.get_by_role("button", name="Save the chart of the series").click(modifiers=["Shift"])
    given.value.save_as(tmp_path / "series.svg")
    text = (tmp_path / "series.svg").read_text("utf-8")
    for part in (
        "Chart of the series",
        "◆ landmark",
        "it reveals information about your true series",
        "data:image/png",
    ):
        assert part in text, part
    chart.focus()
    opened.keyboard.press("Escape")
    assert bar.is_hidden()


COLOURS = """async (bytes) => {
const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
const canvas = new OffscreenCanvas(image.width, image.height);
const context = canvas.getContext("2d");
context.drawImage(image, 0, 0);
const { data } = context.getImageData(0, 0, image.width, image.height);
const found = new Map();
for (let k = 0; k < data.length; k += 4) {
  const name = `#${[0, 1, 2].map((j) => data[k + j].toString(16).padStart(2, "0")).join("")}`;
  found.set(name, (found.get(name) ?? 0) + 1);
}
return Object.fromEntries(found);
}"""
"""How many pixels of each colour a picture has."""


def test_one_click_saves_the_map_in_light_colours_with_its_key(chromium: Any, address: Address, tmp_path: Path) -> None:
    with page(chromium, height=1000, dark=True, accept_downloads=True) as view:
        open_page(view, address)
        view.wait_for_selector("[data-lmdk-painted]")
        with view.expect_download() as given:
            view.get_by_role("button", name="Save the map").click()
        assert given.value.suggested_filename.endswith("_bob_uniform_epsilon-1_map-of-the-track.png")
        given.value.save_as(tmp_path / "map.png")
        found = view.evaluate(COLOURS, list((tmp_path / "map.png").read_bytes()))
        colours = (palette.PANEL, palette.LANDMARK, palette.REGULAR, palette.RELEASE)
        for colour in colours:
            assert found.get(colour.light, 0) > 50, colour
        assert not [colour for colour in colours if found.get(colour.dark, 0) > 50]
        assert max(found, key=lambda name: found[name]) == palette.PANEL.light
        with view.expect_download() as given:
            view.get_by_role("button", name="Save the map").click(modifiers=["Shift"])
        given.value.save_as(tmp_path / "map.svg")
        text = (tmp_path / "map.svg").read_text("utf-8")
        for part in (
            "Map of the track",
            "◆ landmark, ● regular timestamp, ✕ release",
            "simulation, not a private release",
        ):
            assert part in text, part
        assert "four landmarks" in numbers(view), "the button marks nothing"
        view.goto(f"{address}?page=place")
        view.wait_for_selector(".lmdk-place[data-lmdk-ready]")
        view.locator("[data-lmdk=status]", has_text="Solved").wait_for()
        with view.expect_download() as given:
            view.get_by_role("button", name="Save the map").click()
        given.value.save_as(tmp_path / "cells.png")
        found = view.evaluate(COLOURS, list((tmp_path / "cells.png").read_bytes()))
        assert found.get(palette.BLUES[1].light, 0) > 1000 and not found.get(palette.BLUES[1].dark)

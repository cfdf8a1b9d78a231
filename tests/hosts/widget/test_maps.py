"""Both maps at the sizes and at the moments at which a map breaks: no size yet, hardly any, and a fault of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.server import Address, serve

pytestmark = pytest.mark.browser

CELL = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
SOURCE = """
from lmdk_widgets import Explorer, PlacesLab, TrajectoryMap
from lmdk_widgets.hosts.serving.page import query_string
from lmdk_widgets.scenario import infer, Scenario, evaluate
from lmdk_widgets.trajectory import sample

def followed():
    return TrajectoryMap("bob").show_adversary(infer(evaluate(Scenario(), sample("bob"))), at=2)

query = query_string()
Explorer() if "explorer" in query else followed() if "alone" in query else PlacesLab(query="page=place&rows=3&columns=3")
"""
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LATE = """
window.ResizeObserver = class extends ResizeObserver {
  constructor(act) { super((...given) => setTimeout(() => act(...given), 3000)); }
};
addEventListener("resize", (event) => event.stopImmediatePropagation(), true);
const hidden = new CSSStyleSheet();
hidden.replaceSync(".lmdk-mapframe { display: none }");
document.adoptedStyleSheets = [hidden];
new MutationObserver(() => document.querySelector(".lmdk-canvas") && hidden.replaceSync("")).observe(document, {
  childList: true,
  subtree: true,
});
"""
"""A map that is made before it has a size, in a browser that is too busy to tell of sizes before the data come."""
BROKEN = """
const before = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (...given) {
  if (this.classList.contains("lmdk-canvas")) throw new Error("no canvas today");
  return before.apply(this, given);
};
"""
PAINTED = """() => {
  const canvas = document.querySelectorAll(".lmdk-canvas")[1];
  if (!canvas?.width || !canvas.height) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let k = 3; k < data.length; k += 4) painted += data[k] > 250;
  return (4 * painted) / data.length;
}"""
"""The share of the map's middle canvas that holds colour."""
LEAST = {"places": 0.2, "explorer": 0.001}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    path = tmp_path_factory.mktemp("maps") / "maps.ipynb"
    notebook = {"cells": [CELL | {"source": SOURCE}], "metadata": {"kernelspec": KERNEL}}
    path.write_text(json.dumps(notebook | {"nbformat": 4, "nbformat_minor": 5}))
    with serve(Path(path), {"OPENBLAS_NUM_THREADS": "1"}) as running:
        yield running


def open_page(view: Any, address: str, which: str) -> None:
    view.goto(f"{address}?{which}")
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)


@pytest.mark.parametrize("which", ["explorer", "alone", "places"])
def test_the_wheel_scrolls_the_page_and_zooms_only_with_ctrl(chromium: Any, address: Address, which: str) -> None:
    with page(chromium, height=700) as view:
        view.goto(f"{address}?{which}")
        fitted = "!/^$|000 km/.test(document.querySelector('.leaflet-control-scale-line')?.textContent ?? '')"
        view.wait_for_function(fitted, timeout=60_000)  # from the whole Earth to the data
        view.add_style_tag(content="body { min-height: 3000px }")
        scale, hint = view.locator(".leaflet-control-scale-line"), view.locator(".lmdk-wheelhint")
        before = scale.inner_text()
        box = view.locator(".lmdk-map").bounding_box()
        view.mouse.move(box["x"] + box["width"] / 2, box["y"] + 200)
        assert hint.is_hidden()
        view.mouse.wheel(0, 60)
        hint.wait_for(state="visible")
        assert hint.inner_text() == "Ctrl + wheel zooms the map."
        view.wait_for_function("window.scrollY > 0")
        hint.wait_for(state="hidden")  # by itself
        assert scale.inner_text() == before
        scrolled = view.evaluate("window.scrollY")
        view.keyboard.down("Control")
        view.mouse.wheel(0, -240)
        view.wait_for_function(
            "before => document.querySelector('.leaflet-control-scale-line').textContent !== before", arg=before
        )
        view.keyboard.up("Control")
        assert hint.is_hidden() and view.evaluate("window.scrollY") == scrolled


@pytest.mark.nightly
@pytest.mark.parametrize("which", ["places", "explorer"])
def test_data_that_come_before_the_size_are_drawn(chromium: Any, address: Address, which: str) -> None:
    with page(chromium) as view:
        view.add_init_script(LATE)
        open_page(view, address, which)
        view.wait_for_function(f"least => ({PAINTED})() > least", arg=LEAST[which])


@pytest.mark.nightly
@pytest.mark.parametrize("which", ["places", "explorer"])
def test_a_window_of_60_pixels_and_back(chromium: Any, address: Address, which: str) -> None:
    with page(chromium) as view:
        open_page(view, address, which)
        view.wait_for_function(f"least => ({PAINTED})() > least", arg=LEAST[which])
        view.wait_for_timeout(300)
        before = view.evaluate(PAINTED)
        view.set_viewport_size({"width": 60, "height": 800})
        view.wait_for_timeout(300)
        view.get_by_role("button", name="Fit").evaluate("button => button.click()")
        view.get_by_role("button", name="Undo").evaluate("button => button.click()")
        view.set_viewport_size({"width": 1280, "height": 800})
        assert before > LEAST[which]
        view.wait_for_function(f"before => Math.abs(({PAINTED})() / before - 1) < 0.1", arg=before)


@pytest.mark.parametrize("which", ["places", "explorer"])
def test_a_map_that_throws_leaves_words_and_charts(chromium: Any, address: Address, which: str) -> None:
    with page(chromium, check=False) as view:
        view.add_init_script(BROKEN)
        open_page(view, address, which)
        chart = ".lmdk-place-beside .lmdk-drawing" if which == "places" else ".lmdk-plot .lmdk-drawing"
        view.wait_for_selector(chart, timeout=60_000)
        alert = view.locator(".lmdk-error:visible")
        assert alert.count() == 1 and "The map could not be drawn." in alert.inner_text()
        before = view.inner_text("[data-lmdk=numbers]")
        slider = view.get_by_role("slider", name="Privacy level" if which == "places" else "Epsilon", exact=True)
        slider.press("ArrowRight")
        view.wait_for_function("b => document.querySelector('[data-lmdk=numbers]').textContent !== b", arg=before)
        assert not view.guard.errors


@pytest.mark.parametrize("width", [1280, 390])
def test_an_adversary_on_the_map_alone(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width) as view:
        view.goto(f"{address}?alone")
        view.wait_for_selector(".lmdk-adversarymap[data-lmdk-at='2']", timeout=60_000)
        heat = """() => {
          const canvas = document.querySelector(".lmdk-below");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((value, k) => k % 4 === 3 && value > 0).length;
        }"""
        view.wait_for_function(f"({heat})() > 500")
        readout = view.locator(".lmdk-believed")
        assert readout.inner_text().startswith("p3 ◆: the attacker gives your true cell")
        slider = view.get_by_label("Timestamp on the map")
        slider.focus()
        view.keyboard.press("End")
        view.wait_for_selector(".lmdk-adversarymap[data-lmdk-at='7']")
        assert readout.inner_text().startswith("p8 ◆: ") and "95\N{NO-BREAK SPACE}% in" in readout.inner_text()
        assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")

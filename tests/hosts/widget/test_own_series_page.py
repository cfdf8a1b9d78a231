"""A series of one's own on the track page, from its upload to its release, and one of ten thousand on a phone."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.browser import open_tab, page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser

POWER = "time,energy_kWh\n" + "".join(f"2026-03-01T{k:02d}:00Z,{(k * 7) % 5}.5\n" for k in range(24))
CHART = ".lmdk-linechart"


def numbers(view: Any) -> str:
    return str(view.inner_text("[data-lmdk=numbers]"))


def wait_for(view: Any, text: str) -> None:
    """Waits for words that Python wrote."""
    program = (
        "text => document.querySelector('[data-lmdk=numbers]').textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))"
    )
    view.wait_for_function(program, arg=text, timeout=60_000)


def upload(view: Any, text: str, name: str = "meter.csv") -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    view.get_by_label("Upload a track or a series", exact=True).set_input_files(file)


DRAWN = """() => {
  const c = document.querySelector(".lmdk-linechart canvas");
  return c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, k) => k % 4 === 3 && v).length;
}"""
"""Pixels of the chart that have a colour."""


HUES = """() => {
  const c = document.querySelector(".lmdk-linechart canvas");
  const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
  let warm = 0;
  for (let k = 0; k < data.length; k += 4) warm += data[k + 3] > 0 && data[k] > data[k + 2] + 40;
  return warm;
}"""
"""Pixels of the chart in the colours of what is believed, or of a landmark."""


def believed(view: Any, text: str) -> None:
    """Waits for the sentence on the timestamp that is looked at."""
    program = (
        "text => document.querySelector('.lmdk-believed').textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))"
    )
    view.wait_for_function(program, arg=text, timeout=60_000)


@pytest.mark.nightly
def test_from_a_file_of_numbers_to_its_release(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000, accept_downloads=True) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        unfold(view)
        assert view.locator(CHART).is_hidden()
        upload(view, POWER)
        wait_for(view, "No landmark is marked yet")
        chart = view.locator(CHART)
        chart.wait_for()
        view.wait_for_function(f"() => ({DRAWN})() > 1000")
        assert view.locator(".lmdk-map").is_hidden()
        assert "The bounds are taken from the data" in view.locator(".lmdk-warnings").text_content()
        assert "moments that matter in the chart" in numbers(view)
        for hidden in ("Protection radius", "Mechanism", "Cell size"):
            assert view.get_by_label(hidden, exact=True).is_hidden(), hidden
        assert "meter: 24 values" in view.locator(".lmdk-about").inner_text()

        view.get_by_label("Bounds", exact=True).select_option("stated")
        view.get_by_label("Upper bound", exact=True).fill("6")
        view.get_by_label("Upper bound", exact=True).press("Enter")
        wait_for(view, "event level 6 kWh")
        assert "taken from the data" not in view.locator(".lmdk-warnings").text_content()
        bound = view.locator(".lmdk-field", has=view.get_by_label("Upper bound", exact=True))
        assert "kWh" in bound.inner_text()

        before = view.evaluate(HUES)
        open_tab(view, "attacker")
        view.get_by_text("kWh away from the true value").wait_for(timeout=60_000)
        believed(view, "#1: the attacker gives the true level")
        view.wait_for_function(f"n => ({HUES})() > n + 500", arg=before)
        assert "kWh" in view.locator(".lmdk-field", has=view.get_by_label("Width of a level")).inner_text()
        assert view.locator(".lmdk-adversary option[value=people]").first.is_disabled()
        view.get_by_label("Timestamp on the map").press("End")
        believed(view, "#24: the attacker gives the true level")
        view.get_by_role("button", name="the true one").click()
        view.wait_for_function("location.search.includes('attacker.cell=')")

        open_tab(view, "inverse")
        view.get_by_text("needs epsilon").wait_for(timeout=60_000)
        open_tab(view, "compare")
        view.locator("[data-panel=table] > summary").click()
        view.locator("[data-panel=table]").get_by_text(re.compile(r"of 84 settings|84 settings\b")).first.wait_for(
            timeout=60_000
        )
        heads = view.locator("[data-panel=table] thead th")
        assert (
            heads.all_inner_texts()[2] == "Mean error"
            and "kWh" in view.locator("[data-panel=table] tbody tr").first.inner_text()
        )
        view.locator("[data-panel=table] > summary").click()
        view.wait_for_function("!/(table|inverse).open=1/.test(location.search)")

        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        chart.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
        wait_for(view, "one landmark")
        box = chart.bounding_box()  # words above may have come meanwhile
        view.mouse.move(box["x"] + 60, box["y"] + 52)
        view.keyboard.down("Shift")
        view.mouse.down()
        view.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] - 20, steps=4)
        view.mouse.up()
        view.keyboard.up("Shift")
        wait_for(view, "landmarks share")
        open_tab(view, "timestamps")
        marked = view.get_by_role("option", selected=True).count()
        chart.focus()
        view.keyboard.press("Home")
        for _ in range(3):
            view.keyboard.press("ArrowRight")
        assert "#4, " in view.locator(".lmdk-readout").first.inner_text()
        assert re.search(
            r"true \d\.50 kWh, released -?[\d.,]+ kWh; ε 0\.1", view.locator(".lmdk-readout").first.inner_text()
        )
        before = numbers(view)
        view.keyboard.press("Enter")
        view.wait_for_function("text => document.querySelector('[data-lmdk=numbers]').textContent !== text", arg=before)
        program = "marked => document.querySelectorAll('.lmdk-row[aria-selected=true]').length !== marked"
        view.wait_for_function(program, arg=marked)
        view.get_by_role("button", name="Undo").click()
        wait_for(view, before)

        with view.expect_download() as saved:
            view.get_by_text("Save", exact=False).first.click()
            view.get_by_role("button", name="Release as CSV").click()
        head, first, *_ = saved.value.path().read_text().splitlines()
        assert head == "time,value_kWh,note" and "noise drawn for this file alone" in first

        view.get_by_label("Track", exact=True).select_option("contacts")
        wait_for(view, "of the released answers are wrong")
        assert view.get_by_label("Bounds", exact=True).is_hidden()
        open_tab(view, "attacker")
        view.get_by_text("of the answers wrong, by the chain").wait_for(timeout=60_000)
        believed(view, "the attacker gives the true answer")
        assert view.locator(".lmdk-ofanswers").is_visible() and view.locator("option[value=near]").first.is_disabled()
        view.get_by_label("Track", exact=True).select_option("bob")
        wait_for(view, "reported points")
        view.locator(".lmdk-map").wait_for()
        assert view.locator(CHART).is_hidden()

        view.set_viewport_size({"width": 400, "height": 850})
        rng, start = np.random.default_rng(1), np.datetime64("2026-03-01T00:00")
        values = np.cumsum(rng.normal(size=10_000)).round(2)
        rows = (f"{start + np.timedelta64(k, 'm')}Z,{value}" for k, value in enumerate(values))
        upload(view, "time,bpm\n" + "\n".join(rows) + "\n", "heart.csv")
        wait_for(view, "bpm or more")
        view.wait_for_function(f"() => ({DRAWN})() > 1000")
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        for _ in range(11):
            view.get_by_role("button", name="Zoom in").click()
        chart.click(position={"x": 200, "y": 150})
        wait_for(view, "Your one landmark")

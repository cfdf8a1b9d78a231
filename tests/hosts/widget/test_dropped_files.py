"""A file is dropped on the map, and the page draws it and says in one line what it understood."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.hosts.widget.test_columns_page import wait_for_length
from tests.server import Address
from tests.trajectory.example_files import FILES, Example
from tests.trajectory.test_opened import CSV

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

pytestmark = pytest.mark.browser

DROP = """([target, files]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  const at = document.querySelector(target);
  for (const kind of ["dragover", "drop"])
    at.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
INK = """() => [...document.querySelectorAll(".lmdk-canvas, .lmdk-linechart canvas")].some((canvas) => {
  if (!canvas.checkVisibility() || !canvas.width || !canvas.height) return false;
  return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
})"""
"""Whether the visible map, or the visible line of a series, has something drawn on it."""


def drop(view: Any, *files: tuple[str, bytes], on: str = ".lmdk-map") -> None:
    view.evaluate(DROP, [on, [[name, base64.b64encode(data).decode()] for name, data in files]])


@pytest.fixture(scope="module")
def track_page(chromium: Any, address: Address) -> Iterator[Any]:
    """One page on which all files are dropped, one after the other."""
    with page(chromium, height=1000, timezone_id="Europe/Berlin") as view:
        view.goto(address)
        wait_for_length(view, 8)
        yield view


BY_DAY = {"animals.csv", "bare.csv", "places.geojson", "walk.gpx", "layer.gpkg", "Timeline.json", "phone.rec"}
BY_DAY |= {"heart_rate.json", "meter.csv", "walk.kmz", "walk.csv.gz"}


def test_files_of_some_formats_are_dropped_accepted_and_drawn(track_page: Any) -> None:
    for example in FILES:
        if example.name in BY_DAY:
            dropped_and_drawn(track_page, example)


@pytest.mark.nightly
@pytest.mark.parametrize("example", FILES, ids=lambda example: example.name)
def test_a_file_of_each_format_is_dropped_accepted_and_drawn(track_page: Any, example: Example) -> None:
    if example.library:
        pytest.importorskip(example.library)
    dropped_and_drawn(track_page, example)


def dropped_and_drawn(track_page: Any, example: Example) -> None:
    """Drop a file on a page of any host, answer what is asked, and see what the page says and draws of it."""
    drop(track_page, (example.name, example.made()), on=".lmdk-explorer")
    if example.click:
        track_page.get_by_role("button", name=example.click).first.click(timeout=60_000)
    what = f"{example.said}, " if example.said else ""
    said = re.compile(rf": {re.escape(what)}{example.count} (point|value)s?\b")
    expect(track_page.locator(".lmdk-about")).to_contain_text(said, timeout=60_000)
    wait_for_length(track_page, example.count)
    track_page.wait_for_function(INK, timeout=60_000)
    expect(track_page.locator(".lmdk-error")).to_be_hidden()


PULSE = "".join(["time,heart rate (bpm)\n", *(f"2024-05-04T06:{k:02d}:00Z,{60 + 7 * k % 30}\n" for k in range(40))])


def unit_is_kept(view: Any) -> None:
    """A series that is dropped on a page keeps its unit: in what the page says of it, and where schemes are compared."""
    drop(view, ("pulse.csv", PULSE.encode()), on=".lmdk-explorer")
    expect(view.locator(".lmdk-about")).to_contain_text("40 values in bpm", timeout=60_000)
    open_tab(view, "compare")
    expect(view.locator(".lmdk-settingcards")).to_contain_text(" bpm", timeout=60_000)


def test_a_series_keeps_its_unit(track_page: Any) -> None:
    unit_is_kept(track_page)


def test_several_files_at_once_are_refused(track_page: Any) -> None:
    drop(track_page, ("a.csv", CSV), ("b.csv", CSV), on=".lmdk-explorer")
    expect(track_page.locator(".lmdk-error")).to_contain_text("Drop one file at a time; these are 2.")

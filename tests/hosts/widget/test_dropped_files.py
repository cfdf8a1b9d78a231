"""A file is dropped on the map, and the page draws it and says in one line what it understood."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.browser import page
from tests.hosts.widget.test_columns_page import wait_for_length
from tests.server import Address
from tests.trajectory.test_json_tree import SHAPES, as_bytes, visit
from tests.trajectory.test_opened import APPLE, CSV, FITBIT, IGC, KML, green, nem12, zipped

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

pytestmark = pytest.mark.browser

DROP = """([target, files]) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  const at = document.querySelector(target);
  for (const kind of ["dragover", "drop"])
    at.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
TIMELINE = json.dumps({"semanticSegments": [visit(0, 10, "48.1°, 11.1°"), visit(10, 30, "48.2°, 11.2°")]}).encode()

TREES = ("Overland", "Traccar", "Polarsteps", "MF-JSON", "kepler.gl")
FILES: list[tuple[str, bytes, int, str]] = [
    (
        "phone.rec",
        as_bytes(SHAPES["OwnTracks .rec"]),
        12,
        "phone: OwnTracks, 12 points, 2024-05-04 06:00 to 06:55 (UTC)",
    ),
    ("Timeline.json", TIMELINE, 3, "Timeline: Google's Timeline, 3 points"),
    ("walk.zip", zipped(("a/track.csv", CSV), ("readme.txt", b"")), 2, "walk: CSV, 2 points"),
    ("walk.kmz", zipped(("doc.kml", KML)), 1, "walk: KML, 1 point"),
    ("flight.igc", IGC, 2, "flight: IGC, 2 points"),
    ("export.xml", APPLE, 3, "export: Apple Health, 3 values"),
    ("meter.csv", nem12("E1", days=1), 48, "meter: NEM12, 48 values"),
    ("usage.xml", green(), 8, "usage: Green Button, 8 values"),
    *((f"{name}.json", as_bytes(SHAPES[name]), 12, "12 points") for name in TREES),
]


def drop(view: Any, *files: tuple[str, bytes], on: str = ".lmdk-map") -> None:
    view.evaluate(DROP, [on, [[name, base64.b64encode(data).decode()] for name, data in files]])


def test_files_that_are_dropped_on_the_map_are_drawn(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000) as view:
        view.goto(address)
        wait_for_length(view, 8)
        for name, data, count, said in FILES:
            drop(view, (name, data))
            expect(view.locator(".lmdk-about")).to_contain_text(said, timeout=60_000)
            wait_for_length(view, count)
        drop(view, ("a.csv", CSV), ("b.csv", CSV))
        expect(view.locator(".lmdk-error")).to_contain_text("Drop one file at a time; these are 2.")
        drop(view, ("heart.json", FITBIT))
        expect(view.locator(".lmdk-error")).to_contain_text("time zone", timeout=60_000)
        wait_for_length(view, 12)

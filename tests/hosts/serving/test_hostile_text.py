"""Text that came from outside stays text on every page: names of files, columns, cells, tracks and states, and links.

Reports, maps and tables that are saved: tests/io; a class: test_class_pages.py; what is computed: test_link.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser import page
from tests.server import Address

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLOW = 30_000
BAD = "<img src=x onerror=window.__x=1>"
WORSE = "</script><svg onload=window.__x=1>`${window.__x=1}`<a href=javascript:window.__x=1>a</a>"
LIVE = "[onerror*=__x], [onload*=__x], img[src='x'], a[href^='javascript' i]"

TRACK = f'lat,"{BAD}{WORSE}",when\n' + "".join(f"48.8{k},2.3{k},2026-03-01T{8 + k:02d}:00:00Z\n" for k in range(7))
BROKEN = f'time,latitude,longitude\n2026-03-01,"{BAD}",2.3\n'
SERIES = f'time,"{BAD} ({BAD})"\n' + "".join(f"2026-03-01T{k:02d}:00:00Z,{k % 7}\n" for k in range(20))
STATES = "\n".join(["quiet", BAD, "</script>"] * 20)
PEOPLE = f'"{BAD}","{WORSE}"\n' + "".join(f"{20 + k % 7},{BAD if k % 2 else WORSE}\n" for k in range(40))
GPX = f"""<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>{{name}}</name>
</metadata><wpt lat="48.86" lon="2.35"><name>{{name}}</name></wpt><trk><name>{{name}}</name><desc>{{name}}</desc><trkseg>{
    "".join(
        f'<trkpt lat="48.8{k}" lon="2.3{k}"><time>2026-03-01T{8 + k:02d}:00:00Z</time><name>{{name}}</name></trkpt>'
        for k in range(7)
    )
}</trkseg></trk></gpx>""".replace("{name}", BAD.replace("<", "&lt;"))


def unharmed(view: Any) -> None:
    """Nothing of it has become a part of the page, or run."""
    assert view.evaluate("window.__x") is None
    assert view.evaluate(f'() => [...document.querySelectorAll("{LIVE}")].map((each) => each.outerHTML)') == []
    assert not view.guard.errors and not view.guard.failed and not view.guard.foreign


def upload(view: Any, label: str, text: str, kind: str = "csv") -> None:
    file = {"name": f"{BAD}.{kind}", "mimeType": "text/plain", "buffer": text.encode()}
    view.locator(".lmdk-explorer:visible").get_by_label(label, exact=True).set_input_files(file)


def go(view: Any, address: str) -> None:
    view.goto(address)
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)


def shows(view: Any, text: str) -> None:
    """Wait until the page says a text, as a text."""
    expect(view.locator("body")).to_contain_text(text, timeout=SLOW)


def test_hostile_names_never_run_on_any_page_nor_in_what_is_saved(
    chromium: Any, address: Address, tmp_path: Path
) -> None:
    track = "Upload a track or a series"
    with page(chromium, accept_downloads=True) as view:
        fields = ["person", "epsilon", "scheme", "landmarks", "place", "matrix", "days", "zone", "mechanism"]
        go(view, f"{address}?{'&'.join(f'{name}={quote(BAD + WORSE)}' for name in fields)}")
        unharmed(view)
        upload(view, track, BROKEN)
        expect(view.locator(".lmdk-error:visible").first).to_be_visible(timeout=SLOW)
        unharmed(view)
        upload(view, track, TRACK)
        expect(view.locator(".lmdk-columns")).to_contain_text(BAD, timeout=SLOW)
        unharmed(view)
        for k, meaning in enumerate(("latitude", "longitude", "time"), 1):
            view.get_by_label(f"Column {k} contains").select_option(meaning)
        view.get_by_role("button", name="Load with these columns").click()
        expect(view.locator(".lmdk-columns")).to_have_count(0, timeout=SLOW)
        shows(view, BAD)
        unharmed(view)
        upload(view, track, GPX, "gpx")
        view.wait_for_function("() => document.body.innerText.includes('0 of 1 waypoint')", timeout=SLOW)
        view.get_by_label("Map", exact=True).hover()
        unharmed(view)
        upload(view, track, SERIES)
        view.locator(".lmdk-linechart:visible").wait_for(timeout=SLOW)
        view.locator(".lmdk-linechart").hover()
        unharmed(view)
        with view.expect_download() as saved:
            view.get_by_label("Save", exact=True).click()
            view.get_by_role("button", name="Report: a page to read and print", exact=True).click()
            view.get_by_role("button", name="For you: with the true data", exact=True).click()
        report = tmp_path / "report.html"
        saved.value.save_as(report)
        assert not set("<>\"'/\\:") & set(saved.value.suggested_filename)
        go(view, f"{address}?page=series&data={quote(BAD)}")
        upload(view, "Upload a series", STATES)
        shows(view, "and 60 timestamps,")
        unharmed(view)
        go(view, f"{address}?page=table&step={quote(WORSE)}")
        upload(view, "Upload a table", PEOPLE)
        shows(view, "40 rows, 2 columns")
        unharmed(view)
    with page(chromium, offline=True) as reader:
        reader.goto(report.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        unharmed(reader)
        assert BAD in reader.inner_text("body")

"""The people page as its users meet it: the slider, an epsilon that meets the limit, an own table, one person on Track."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import pytest

from tests.browser import page
from tests.server import Address

pytestmark = pytest.mark.browser
expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

SIX = "person,time,latitude,longitude\n" + "".join(
    f"{who},2026-03-02T{8 + minute // 60:02d}:{minute % 60:02d}:00Z,{48.85 + k / 50},2.35\n"
    for k, who in enumerate(["Ada", "Bob", "Cy", "Di", "Ed", "Flo"])
    for minute in range(0, 120, 5)
)
"""Six people, each for two hours at a place of their own."""


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, width=1280, height=800) as view:
        view.goto(f"{address}?page=people")
        view.wait_for_selector(".lmdk-people[data-lmdk-ready]", timeout=60_000)
        yield view
        view.guard.check()


def test_epsilon_is_dragged_until_the_limit_is_met(opened: Any) -> None:
    verdict = opened.locator(".lmdk-peopleverdict")
    expect(verdict).to_contain_text("Does not meet your limit")
    before = opened.locator(".lmdk-headlinevalue").nth(1).inner_text()
    slider = opened.get_by_role("slider", name="Epsilon", exact=True)
    box = slider.bounding_box()
    opened.mouse.move(box["x"] + box["width"] * 0.66, box["y"] + box["height"] / 2)
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2, steps=6)
    opened.mouse.up()
    expect(verdict).to_contain_text("Meets your limit")
    assert opened.locator(".lmdk-headlinevalue").nth(1).inner_text() != before
    opened.get_by_role("button", name="Undo").click()
    opened.get_by_role("button", name="Use this").click()
    expect(verdict).to_contain_text("Meets your limit")
    expect(opened.locator(".lmdk-headlinevalue").first).to_contain_text("of 100")


def test_one_person_of_an_uploaded_table_opens_on_track(opened: Any) -> None:
    upload = opened.locator("input[type=file][accept*='.parquet']").first
    upload.set_input_files({"name": "six.csv", "mimeType": "text/csv", "buffer": SIX.encode()})
    expect(opened.locator(".lmdk-headlinevalue").nth(1)).to_contain_text("of 6")
    expect(opened.locator("[data-lmdk=numbers]")).to_contain_text("six.csv: 144 reports of 6 people.")
    opened.locator("[data-tab=exposed]").click()
    row = opened.get_by_role("row", name="Cy").get_by_role("button")
    expect(row.first).to_have_attribute("title", "Choose this person, to open on Track")
    opened.get_by_role("row", name="Cy").get_by_role("button").or_(opened.get_by_role("row", name="Cy")).first.click()
    expect(opened.locator(".lmdk-peoplewho")).to_contain_text("Cy: found to within")
    opened.get_by_role("button", name="Open on Track").click()
    track = opened.locator(".lmdk-track:visible, .lmdk-explorer:visible").first
    expect(track).to_contain_text("Cy")
    expect(track).to_contain_text("24 points")


def test_counts_are_useless_until_another_setting_is_chosen(opened: Any) -> None:
    opened.locator("[data-tab=counts]").click()
    counts = opened.locator(".lmdk-peoplecounts")
    expect(counts).to_contain_text("they are useless", timeout=90_000)
    on_map = counts.get_by_role("application", name="Map of cells")
    expect(on_map).to_be_visible()
    expect(counts).to_contain_text("mostly noise")
    opened.get_by_label("Time slots", exact=True).select_option("168")
    expect(counts).to_contain_text("Not if these counts are enough", timeout=90_000)
    opened.get_by_label("Count", exact=True).select_option("trips")
    expect(on_map).to_be_hidden(timeout=90_000)
    expect(counts).to_contain_text("Trips between the busiest cells")
    opened.get_by_label("Count", exact=True).select_option("presence")
    expect(on_map).to_be_visible(timeout=90_000)
    row = counts.get_by_role("row", name="protect: one contribution")
    row.get_by_role("button").first.click(timeout=90_000)
    expect(opened.get_by_label("Protect", exact=True)).to_have_value("event")
    expect(counts).to_contain_text("--scheme event", timeout=90_000)


def plain(texts: list[str]) -> list[str]:
    """Texts with one kind of space: pages keep numbers and units together."""
    return [" ".join(text.split()) for text in texts]


def test_the_tab_assessment_is_opened_and_its_three_files_are_saved_and_read(opened: Any) -> None:
    upload = opened.locator("input[type=file][accept*='.parquet']").first
    upload.set_input_files({"name": "six.csv", "mimeType": "text/csv", "buffer": SIX.encode()})
    expect(opened.locator(".lmdk-headlinevalue").nth(1)).to_contain_text("of 6")
    opened.get_by_role("tab", name="Assessment").click()
    table = opened.get_by_role("tabpanel").locator("table:visible").first
    expect(table).to_contain_text("5. Nothing", timeout=90_000)
    rows = [plain(row.locator("th, td").all_inner_texts()) for row in table.locator("tbody tr").all()]
    assert len(rows) == 5
    contents = {}
    for label, suffix in (("as a page that prints", "html"), ("as Markdown", "md"), ("for Word", "docx")):
        if suffix == "docx" and find_spec("docx") is None:
            continue
        with opened.expect_download(timeout=90_000) as saved:
            opened.get_by_label("Save", exact=True).click()
            opened.get_by_role("button", name=f"The assessment {label}").click()
        assert saved.value.suggested_filename.startswith("for-the-owner-of-the-table-only-do-not-share")
        assert saved.value.suggested_filename.endswith(f"assessment.{suffix}")
        contents[suffix] = saved.value.path().read_bytes()
    (markdown,) = plain([contents["md"].decode().replace("\\", "")])
    for row in rows:
        for cell in row:
            assert cell in markdown, "the file says what the tab says"
    read = opened.context.new_page()
    read.set_content(contents["html"].decode())
    assert read.locator("h1").inner_text() == "May these people's tracks be published?"
    assert read.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    (text,) = plain([read.locator("body").inner_text()])
    for cell in rows[2]:
        assert cell in text
    read.close()
    if "docx" in contents:
        document = import_module("docx").Document(BytesIO(contents["docx"]))
        cells = [plain([cell.text for cell in row.cells]) for row in document.tables[0].rows]
        assert cells[1:] == rows

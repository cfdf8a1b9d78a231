"""The quilt lab as its users meet it: a real Chromium against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.pages.series import household_text
from tests.browser import open_tab, page, unfold

pytestmark = pytest.mark.browser
expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
SLOW = 20_000
"""Milliseconds to wait for the page of a machine that has other things to do."""


@pytest.fixture
def lab(chromium: Any, address: str) -> Iterator[Any]:
    with page(chromium, height=1000, accept_downloads=True) as view:
        open_page(view, address)
        yield view


def open_page(view: Any, address: str) -> None:
    view.goto(f"{address}?page=series")
    view.wait_for_selector(".lmdk-series[data-lmdk-ready]", timeout=60_000)
    unfold(view)


def wait_for(view: Any, text: str, part: str = "numbers") -> None:
    """Waits for words that Python wrote."""
    view.wait_for_function(
        "([part, text]) => document.querySelector(`[data-lmdk=${part}]`).textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=[part, text],
        timeout=SLOW,
    )


def test_a_click_and_the_arrow_keys_choose_a_timestamp(lab: Any) -> None:
    strip = lab.get_by_role("slider", name="Chosen timestamp")
    box = strip.bounding_box()
    left, width = (float(strip.get_attribute(f"data-{name}")) for name in ("left", "width"))
    lab.mouse.click(box["x"] + 1 + left + width * 50.95 / 288, box["y"] + 80)
    wait_for(lab, "For timestamp 51 ")
    strip.press("ArrowRight")
    wait_for(lab, "For timestamp 52 ")
    strip.press("Home")
    wait_for(lab, "For timestamp 1 ")
    expect(strip).to_have_attribute("aria-valuenow", "1", timeout=SLOW)
    lab.get_by_role("button", name="Undo").click()
    wait_for(lab, "For timestamp 52 ")


def test_keys_faster_than_the_answers_go_on_from_the_last_one(lab: Any) -> None:
    """Also between the words of an answer and its drawing, and while an earlier answer is on its way."""
    strip = lab.get_by_role("slider", name="Chosen timestamp")
    strip.press("Home")
    for _ in range(12):
        strip.press("ArrowRight")
    wait_for(lab, "For timestamp 13 ")
    strip.press("PageUp")
    wait_for(lab, "For timestamp 23 ")
    strip.press("ArrowLeft")  # at once: the drawing of 23 need not be there
    wait_for(lab, "For timestamp 22 ")
    expect(strip).to_have_attribute("aria-valuenow", "22", timeout=SLOW)


def test_the_epsilon_slider_widens_the_quilt(lab: Any) -> None:
    slider = lab.get_by_role("slider", name="Epsilon", exact=True)
    summary = lab.locator(".lmdk-headlines > li", has_text="Hidden")
    before = summary.inner_text()
    slider.fill("0")
    wait_for(lab, "With ε = 1")
    expect(summary).not_to_have_text(before, timeout=SLOW)


def test_the_segments_move_apart_and_the_story_is_told(lab: Any) -> None:
    wait_for(lab, "the full sum", "segments")
    open_tab(lab, "releases")
    gap = lab.get_by_label("Gap from A to B value")
    gap.fill("100")
    gap.press("Enter")
    wait_for(lab, "as good as the larger", "segments")
    gap.fill("5000")
    gap.press("Enter")
    wait_for(lab, "the gap is 169 instead of 5,000", "segments")
    expect(gap).to_have_value("169", timeout=SLOW)
    for _ in range(3):
        lab.get_by_role("button", name="Next step").click()
    expect(lab.locator("[data-lmdk=story]")).to_contain_text("26722/1909")
    lab.get_by_role("button", name="Add a release").click()
    wait_for(lab, "4 releases by Markov quilts", "stack")


def test_an_upload_and_a_bad_file(lab: Any) -> None:
    upload = lab.get_by_label("Upload a series")
    power = {"name": "power.txt", "mimeType": "text/plain", "buffer": household_text().encode()}
    upload.set_input_files(power)
    lab.get_by_text("power.txt: ").wait_for()
    wait_for(lab, "and 288 timestamps,")
    upload.set_input_files({"name": "bad.txt", "mimeType": "text/plain", "buffer": b"1\n2\nabc\n1\n2\n"})
    expect(lab.locator(".lmdk-error")).to_contain_text("line 3", timeout=SLOW)
    wait_for(lab, "and 288 timestamps,")
    upload.set_input_files({"name": "mood.csv", "mimeType": "text/csv", "buffer": b"good\ngood\nbad\n" * 20})
    wait_for(lab, "and 60 timestamps,")
    lab.get_by_role("button", name="Undo").click()
    wait_for(lab, "and 288 timestamps,")


def test_a_table_of_time_and_power_and_one_with_a_bad_row(lab: Any) -> None:
    rows = "".join(f"2020-01-01 {8 + k // 60:02d}:{k % 60:02d},{100 + 37 * k % 900}\n" for k in range(600))
    upload = lab.get_by_label("Upload a series")
    bad = ("time,power\n" + rows).replace("08:01,137", "08:01,abc").encode()
    upload.set_input_files({"name": "bad.csv", "mimeType": "text/csv", "buffer": bad})
    wait_for(lab, "and 599 timestamps,")
    expect(lab.locator(".lmdk-warnings")).to_contain_text('was left out (line 3: "abc" is not a number)', timeout=SLOW)
    upload.set_input_files({"name": "good.csv", "mimeType": "text/csv", "buffer": ("time,power\n" + rows).encode()})
    wait_for(lab, "and 600 timestamps,")
    wait_for(lab, "Timestamp ", "timeline")
    expect(lab.locator(".lmdk-error")).to_be_hidden(timeout=SLOW)


def test_the_chain_of_the_moment_is_shown(lab: Any, tmp_path: Path) -> None:
    wait_for(lab, "estimated from this very series", "chain")
    open_tab(lab, "chain")
    assert lab.get_by_role("img", name="Heat map of the transition matrix").bounding_box()["height"] > 150
    with lab.expect_download() as given:
        lab.get_by_role("button", name="Save the heat map").click(modifiers=["Shift"])
    given.value.save_as(tmp_path / "matrix.svg")
    text = (tmp_path / "matrix.svg").read_text("utf-8")
    for part in ("Transition matrix", "Row: a state", "below: the long run", "data:image/png"):
        assert part in text, part
    lab.get_by_label("Belief Θ", exact=True).select_option("bootstrap")
    wait_for(lab, "any of 10 Markov chains", "chain")
    expect(lab.get_by_text("Now: any of 10 Markov chains")).to_be_visible(timeout=SLOW)


def keyboard(lab: Any, *keys: str) -> None:
    for key in keys:
        lab.keyboard.press(key)


def type_chain(lab: Any, number: int, start: str, matrix: str) -> None:
    """Types a start, goes on to the matrix and to its button, and presses it, with the keyboard alone."""
    lab.get_by_label(f"Start of chain {number}").focus()
    keyboard(lab, "ControlOrMeta+a")
    lab.keyboard.type(start)
    keyboard(lab, "Tab", "ControlOrMeta+a")
    lab.keyboard.type(matrix)
    keyboard(lab, "Tab", "Enter")


@pytest.mark.nightly
def test_two_chains_typed_with_the_keyboard(lab: Any) -> None:
    lab.get_by_label("Data", exact=True).focus()
    lab.keyboard.type("Chains of")
    wait_for(lab, "the chain that you typed", "chain")
    epsilon = lab.get_by_label("Epsilon value", exact=True)
    epsilon.fill("1")
    keyboard(lab, "Enter")
    type_chain(lab, 1, "1 0", "0.9 0.1\n0.4 0.6")
    wait_for(lab, "chain 1 by itself needs σ = 12.9341 (timestamp 8)", "chain")
    wait_for(lab, "it gives σ = 13.0219", "chain")
    lab.get_by_role("button", name="Add a chain").focus()
    keyboard(lab, "Enter")
    expect(lab.get_by_label("Matrix of chain 2", exact=True)).to_have_value("0.9 0.1\n0.4 0.6", timeout=SLOW)
    type_chain(lab, 2, ".9, .1", "[[.8, .2], [.3, .7]]")
    wait_for(
        lab, "chain 2 by itself needs σ = 10.6402 (timestamp 6). Against all of them σ is the largest, 12.9341", "chain"
    )
    wait_for(lab, "Of the chains, chain 1 needs it.")
    expect(lab.get_by_label("Matrix of chain 2", exact=True)).to_have_value("0.8 0.2\n0.3 0.7", timeout=SLOW)
    lab.get_by_label("Past states counted", exact=True).select_option("all")
    wait_for(lab, "the largest, 13.0219: chain 1 needs it", "chain")
    lab.get_by_role("button", name="Remove chain 1").click()
    wait_for(lab, "chain 1 by itself needs σ = 10.6402", "chain")
    expect(lab.get_by_label("Start of chain 1")).to_have_value("0.9 0.1", timeout=SLOW)
    lab.get_by_role("button", name="Undo").click()
    wait_for(lab, "the largest, 13.0219: chain 1 needs it", "chain")
    lab.get_by_label("Past states counted", exact=True).select_option("definition")
    wait_for(lab, "12.93", "chain")


@pytest.mark.nightly
def test_a_bad_chain_is_said_in_a_sentence_and_what_was_typed_stays(lab: Any) -> None:
    lab.get_by_label("Data", exact=True).select_option("chains")
    lab.get_by_role("button", name="Load two published chains").click()
    wait_for(lab, "the largest, 12.9341", "chain")
    type_chain(lab, 2, "0.9 0.1", "8 2\n3 6")
    error = lab.locator(".lmdk-error")
    expect(error).to_contain_text("Row 1 of the matrix of chain 2 must sum to 1; got 10.", timeout=SLOW)
    wait_for(lab, "the largest, 12.9341", "chain")
    expect(lab.get_by_label("Matrix of chain 2", exact=True)).to_have_value("8 2\n3 6")
    error.get_by_role("button", name="Divide every row by its sum").click()
    wait_for(lab, "chain 2 by itself needs σ = 9.", "chain")
    type_chain(lab, 2, "1 0 0", "0.8 0.2\n0.3 0.7")
    expect(error).to_contain_text("must have 2 probabilities, one for each state, or none; got 3.", timeout=SLOW)
    upload = lab.get_by_label("Upload the matrix of chain 1")
    upload.set_input_files({"name": "m.csv", "mimeType": "text/csv", "buffer": b"0.5,0.5\n0.5,0.5\n"})
    wait_for(lab, "chain 1 by itself needs σ = 1 ", "chain")
    expect(lab.get_by_label("Matrix of chain 2", exact=True)).to_have_value("0.8 0.2\n0.3 0.7")


@pytest.mark.nightly
def test_settings_are_saved_and_opened(lab: Any) -> None:
    lab.get_by_label("Data", exact=True).select_option("chains")
    lab.get_by_role("button", name="Load two published chains").click()
    wait_for(lab, "the largest, 12.9341", "chain")
    lab.get_by_label("Save", exact=True).click()
    with lab.expect_download() as saved:
        lab.get_by_role("button", name="Settings as JSON").click()
    text = Path(saved.value.path()).read_text("utf-8")
    lab.get_by_label("Data", exact=True).select_option("power")
    wait_for(lab, "288 timestamps")
    settings = {"name": "settings.json", "mimeType": "application/json", "buffer": text.encode()}
    lab.get_by_label("Open settings").set_input_files(settings)
    wait_for(lab, "the largest, 12.9341", "chain")


def test_every_source_paints(lab: Any) -> None:
    for source, text in {
        "binary": "100 timestamps",
        "chains": "the chain that you typed",
        "activities": "the activity",
        "track": "the cell",
    }.items():
        lab.get_by_label("Data", exact=True).select_option(source)
        wait_for(lab, text, "chain" if source == "chains" else "numbers")
    assert lab.locator(".lmdk-error:visible").count() == 0


OVERLAPPING = """() => {
  const labels = [...document.querySelectorAll(".lmdk-drawing text")].filter((one) => one.textContent.startsWith("not"));
  const boxes = labels.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return [boxes.length, boxes.some((a, j) => boxes.some((b, k) => k > j && meet(a, b)))];
}"""


@pytest.mark.parametrize("width", [1280, 400])
def test_mechanisms_that_are_not_applicable_have_labels_apart(chromium: Any, address: str, width: int) -> None:
    with page(chromium, width=width, height=900) as view:
        open_page(view, address)
        open_tab(view, "compare")
        view.get_by_text("not applicable", exact=True).first.wait_for(timeout=SLOW)
        assert view.evaluate(OVERLAPPING) == [2, False]


def test_chains_of_ones_own_say_how_long_a_series_may_be_before_it_is_refused(lab: Any) -> None:
    lab.get_by_label("Data", exact=True).select_option("chains")
    wait_for(lab, "the chain that you typed", "chain")
    said = lab.locator(".lmdk-ownchains").inner_text()
    assert "The length T is at most 1,000 with one chain that starts outside its long-run distribution" in said


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_axe_finds_nothing_serious_and_nothing_runs_over(chromium: Any, address: str, width: int, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with page(chromium, width=width, height=900, dark=dark) as view:
        open_page(view, address)
        assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        found = axe.Axe().run(view).response["violations"]
        serious = {v["id"]: str(v["nodes"])[:400] for v in found if v["impact"] in ("serious", "critical")}
        assert not serious

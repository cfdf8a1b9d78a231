"""A table with headings that nobody knows, from upload to release by keyboard; then other choices for a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.trajectory import load_trajectory
from tests.browser import page
from tests.server import Address

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

pytestmark = pytest.mark.browser

TABLE = "wann;Rechts;Hoch;wer\n" + "".join(
    f"2026-03-01T08:{m:02d}:00Z;2,3{m:02d};48,8{m:02d};x\n" for m in range(10, 40)
)
DAYS = "lat,lon,time\n" + "".join(f"48.8{k},2.3{k},2026-03-0{1 + k // 3}T08:{k:02d}:00Z\n" for k in range(9))
TWICE = DAYS + "48.9,2.4,2026-03-01T08:00:00Z\n"


def upload(view: Any, text: str, *, by_keyboard: bool = False) -> None:
    field = view.get_by_label("Upload a track or a series", exact=True)
    file = {"name": "walk.csv", "mimeType": "text/csv", "buffer": text.encode()}
    if not by_keyboard:
        field.set_input_files(file)
        return
    with view.expect_file_chooser() as chooser:
        field.press("Enter")
    chooser.value.set_files(file)


def wait_for_length(view: Any, n: int) -> None:
    expect(view.locator(".lmdk-row").first).to_have_attribute("aria-setsize", str(n), timeout=60_000)


def choose(view: Any, title: str) -> None:
    """Chooses in the list that has the focus, by typing."""
    view.keyboard.type(title, delay=5)


@pytest.mark.nightly
def test_from_a_table_without_known_headings_to_its_release_by_keyboard(
    chromium: Any, address: Address, tmp_path: Path
) -> None:
    with page(chromium, height=1000, accept_downloads=True) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        upload(view, TABLE, by_keyboard=True)
        first = view.get_by_label("Column 1 contains")
        expect(first).to_be_focused(timeout=60_000)
        asked = view.get_by_role("alert").filter(has_text="Is this right?")
        expect(asked).to_have_class("lmdk-error lmdk-note")  # a question, and no refusal in red
        expect(asked).to_contain_text('"Rechts" is longitude, "Hoch" is latitude')
        held = [view.get_by_label(f"Column {k} contains") for k in range(1, 5)]
        assert [one.input_value() for one in held] == ["time", "longitude", "latitude", ""]  # by their words
        expect(view.get_by_label("The first line names the columns")).to_be_checked()
        assert view.locator(".lmdk-columns tbody tr").count() == 20
        view.keyboard.press("Tab")
        choose(view, "latitude")
        assert [one.input_value() for one in held] == ["time", "latitude", "", ""]  # each meaning once
        view.wait_for_timeout(1_500)  # a list begins a new word
        choose(view, "longitude")
        view.keyboard.press("Tab")
        choose(view, "latitude")
        expect(view.get_by_label("EPSG number")).to_be_hidden()
        for _ in range(3):  # past the last list and the frame that scrolls
            view.keyboard.press("Tab")
            if view.evaluate("document.activeElement.textContent") == "Load with these columns":
                break
        expect(view.get_by_role("button", name="Load with these columns")).to_be_focused()
        view.keyboard.press("Enter")
        wait_for_length(view, 30)
        expect(view.locator(".lmdk-columns")).to_have_count(0)
        view.get_by_label("Save", exact=True).focus()
        view.keyboard.press("Enter")
        with view.expect_download() as saved:
            view.get_by_role("button", name="Release as CSV").press("Enter")
        saved.value.save_as(tmp_path / "release.csv")
        released = load_trajectory(tmp_path / "release.csv")
        assert len(released) == 30 and abs(released.latitude.mean() - 48.825) < 0.2  # and no longitude

        # the next table of its kind, in this browser
        upload(view, TABLE.replace("48,8", "48,7"))
        expect(view.get_by_text("as you chose last time")).to_be_visible(timeout=60_000)
        assert [one.input_value() for one in held] == ["time", "longitude", "latitude", ""]
        kept = view.evaluate("JSON.stringify(Object.entries(localStorage))")
        assert "lmdk-columns" in kept
        assert not [told for told in ("Hoch", "wann", "48", "2,3", "walk") if told in kept]
        view.locator(".lmdk-columns").get_by_role("button", name="Close").click()

        upload(view, TWICE)
        average = view.get_by_role("button", name="Average: 1 row fewer")
        average.wait_for(timeout=60_000)
        assert view.get_by_role("button", name="Choose the columns").count() == 1
        average.press("Enter")
        wait_for_length(view, 9)
        view.get_by_text("Choose days").click()
        for label in ("First day", "Last day"):
            view.get_by_label(label).fill("2026-03-02")
        view.get_by_role("button", name="Use these days").press("Enter")
        wait_for_length(view, 3)
        view.get_by_role("button", name="All days").click()
        wait_for_length(view, 9)


@pytest.mark.nightly
def test_the_columns_fit_a_phone(chromium: Any, address: Address) -> None:
    with page(chromium, width=400, height=900, dark=True) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        upload(view, TABLE.replace("wann", "1"))
        view.get_by_label("Column 1 contains").wait_for(timeout=60_000)
        view.get_by_label("Column 2 contains").select_option("x")
        expect(view.get_by_label("EPSG number")).to_be_visible()
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        view.get_by_role("button", name="Load with these columns").click()
        expect(view.get_by_role("alert").first).to_contain_text(
            "must include columns with latitude and longitude, or with x and y", timeout=60_000
        )


COUNTER = "Meter 17\n\ntime;register;meter reading kWh\n" + "".join(
    f"{k % 28 + 1:02d}/{k // 28 + 1:02d}/2024 00:00;{5000 + 3 * k}\n".replace(";", ";main;", 1) for k in range(40)
)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_all_questions_about_a_file_are_one_form_and_one_click(
    chromium: Any, address: Address, width: int, dark: bool
) -> None:
    with page(chromium, width=width, height=900, dark=dark, timezone_id="Europe/Paris") as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        upload(view, COUNTER)
        yes = view.get_by_role("button", name="Yes, read it so")
        expect(yes).to_be_focused(timeout=60_000)
        expect(view.get_by_role("alert").filter(has_text="Is this right?")).to_contain_text("2 things")
        expect(view.get_by_label("Time zone of the times")).to_have_value("Europe/Paris")
        expect(view.get_by_label("Read as").locator("option")).to_have_count(2)
        expect(view.locator(".lmdk-columns th.lmdk-used")).to_have_text(["time", "meter reading kWh"])
        assert view.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert view.get_by_role("button", name="Close").count() == 1
        whole = view.locator(".lmdk-wholeanswer")
        expect(whole).to_be_visible(visible=width == 400)  # where its list cuts an answer off
        expect(whole).to_have_text('"meter reading kWh" in kWh, differences of a counter')
        yes.press("Enter")
        wait_for_length(view, 38)  # the step over the gap is left out
        expect(view.locator(".lmdk-columns")).to_have_count(0)


SWAPPED = "".join(f"2024-05-04T06:{5 * k:02d}:00Z;{11.5 + 0.003 * k:.4f};{48.2 + 0.002 * k:.4f}\n" for k in range(12))


@pytest.mark.parametrize(("width", "dark"), [(400, True), (1280, False)])
def test_the_rows_are_drawn_beside_the_question_and_follow_each_choice(
    chromium: Any, address: Address, width: int, dark: bool
) -> None:
    with page(chromium, width=width, height=900, dark=dark) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        upload(view, SWAPPED)
        lists = [view.get_by_label(f"Column {k} contains") for k in (1, 2, 3)]
        expect(lists[0]).to_be_focused(timeout=60_000)
        drawn = view.locator(".lmdk-rowsdrawn")
        expect(drawn).to_contain_text("km from Zurich.")
        expect(view.get_by_role("img", name="The first rows as a path, north above")).to_be_visible()
        expect(view.get_by_role("img", name="Where on the earth the first row is")).to_be_visible()
        for one in lists:  # none is out of sight
            box = one.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        tops = "all => all.map((one) => one.getBoundingClientRect().top)"
        sides = view.locator(".lmdk-columns :is(.lmdk-ask, .lmdk-check)").evaluate_all(tops)
        assert max(sides) - min(sides) < 24, "the question mark stands beside the words"
        assert view.get_by_role("button", name="Close").count() == 1
        lists[1].select_option("latitude")
        lists[2].select_option("longitude")
        expect(drawn).to_contain_text("km from Riyadh.")
        lists[1].select_option("value")
        lists[2].select_option("")
        expect(drawn).to_contain_text("The values of these rows go from 11.5 to")
        lists[1].select_option("longitude")
        lists[2].select_option("latitude")
        expect(drawn).to_contain_text("km from Zurich.")
        view.get_by_role("button", name="Load with these columns").click()
        wait_for_length(view, 12)
        expect(drawn).to_have_count(0)

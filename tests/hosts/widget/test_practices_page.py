"""What is done today as a user meets it: a zone of 500 m is tried on Track."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.study import Study
from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

READY = ".lmdk-explorer[data-lmdk-ready]"


def test_whether_a_zone_of_500_m_is_enough(chromium: Any, address: Address) -> None:
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=track&track=runner")
        view.wait_for_selector(READY, timeout=60_000)
        open_tab(view, "compare")
        fold = view.locator("[data-panel=practices]")
        fold.locator("summary", has_text="privacy zones").first.click()
        fold.get_by_text("A zone of 400 m does not hide your main place: found to within 20 m or less.").wait_for()
        radius = fold.get_by_label("Radius of the zone").first
        radius.fill("500")
        radius.press("Enter")
        fold.get_by_text("A zone of 500 m does not hide your main place: found to within 20 m or less.").wait_for()
        fold.get_by_text("The points are dense").wait_for()
        assert "24 ends agree" in fold.inner_text() and "no promise" in fold.inner_text()
        assert view.locator(".lmdk-explorer.lmdk-haspractice").count() == 1  # on the map too
        fold.get_by_label("The attacker").select_option("nothing")
        fold.get_by_text("every end of every piece counts").wait_for()
        fold.get_by_role("checkbox", name="Rounding").check()
        fold.get_by_text("made where trips start or end and in long stays").wait_for()
        fold.get_by_text("One day in three").wait_for()
        view.set_viewport_size({"width": 400, "height": 800})
        view.wait_for_function("document.documentElement.scrollWidth <= 400")


@pytest.mark.slow
def test_a_study_of_practices_is_opened_and_a_mark_leads_to_its_fold(
    chromium: Any, address: Address, tmp_path: Path
) -> None:
    file = tmp_path / "today.csv"
    study = Study(["bob"], {"practice": ["none", "zone 400", "rounding 2"]}, measures=["practice_found_m"])
    study.run(None, jobs=1).to_csv(file, index=False)
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=studies")
        view.wait_for_selector(".lmdk-studies[data-lmdk-ready]", timeout=60_000)
        studies = view.locator(".lmdk-studies")
        studies.locator("input[type=file]").set_input_files(file)
        studies.get_by_text("today.csv: three evaluations").wait_for()
        studies.get_by_text("The marks in numbers").click()
        studies.locator("tbody tr", has_text="rounding 2").locator("button").first.click()
        studies.get_by_text("practice of today rounding 2:").first.wait_for()
        with view.expect_popup() as opening:
            studies.get_by_role("link", name="Open this setting").click()
        explorer = opening.value
        explorer.wait_for_selector(READY, timeout=60_000)
        open_tab(explorer, "compare")
        fold = explorer.locator("[data-panel=practices]")
        fold.get_by_text("Rounding to 2 decimals").first.wait_for()
        assert "practices.rounding" in explorer.url
        explorer.close()


@pytest.mark.slow
def test_while_a_file_waits_the_page_says_whose_answers_it_shows(
    chromium: Any, address: Address, tmp_path: Path
) -> None:
    points = "".join(f'<trkpt lat="48.1{n}" lon="2.3"><time>2026-03-01T08:0{n}:00Z</time></trkpt>' for n in range(3))
    tracks = "".join(
        f"<trk><name>Lake {k}</name><trkseg>{points.replace('2026-03-01', f'2026-03-0{k}')}</trkseg></trk>"
        for k in range(1, 9)
    )
    file = tmp_path / "runs.gpx"
    file.write_text(f'<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">{tracks}</gpx>', "utf-8")
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=track")
        view.wait_for_selector(READY, timeout=60_000)
        old = view.locator(".lmdk-stillold")
        assert not old.is_visible()
        view.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
        names = view.get_by_label("Person, device or track")
        names.wait_for()
        assert "about the data shown before, not about your file" in old.inner_text()
        options = names.locator("option").all_inner_texts()
        assert [text.partition(" (")[0] for text in options] == [f"Lake {k}" for k in range(1, 9)]
        assert view.evaluate("getComputedStyle(document.querySelector('.lmdk-judged')).filter") == "grayscale(1)"
        view.get_by_role("button", name="All as one track").click()
        old.wait_for(state="hidden")

"""What is done today as a user meets it: a zone of 500 m is tried on Track, and a study's mark opens a practice there."""

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
        fold.get_by_text("A zone of 400 m does not hide your main place: found to within 20 m.").wait_for()
        radius = fold.get_by_label("Radius of the zone").first
        radius.fill("500")
        radius.press("Enter")
        fold.get_by_text("A zone of 500 m does not hide your main place: found to within 20 m.").wait_for()
        fold.get_by_text("The points are dense").wait_for()
        assert "24 ends agree" in fold.inner_text() and "no promise" in fold.inner_text()
        assert view.locator(".lmdk-explorer.lmdk-haspractice").count() == 1  # on the map too
        fold.get_by_label("The attacker").select_option("nothing")
        fold.get_by_text("every end of every piece of the track counts").wait_for()
        fold.get_by_role("checkbox", name="Rounding").check()
        fold.get_by_text("made where trips start or end and in long stays").wait_for()
        fold.get_by_text("One day in three").wait_for()
        view.set_viewport_size({"width": 400, "height": 800})
        view.wait_for_function("document.documentElement.scrollWidth <= 400")


@pytest.mark.nightly
def test_a_mark_of_a_study_opens_its_practice_on_track(chromium: Any, address: Address, tmp_path: Path) -> None:
    grid = {"practice": ["none", "zone 400", "zone 800", "zone 400, rounding 3"], "practice_knows": "nothing"}
    file = tmp_path / "today.csv"
    measures = ["practice_found_m", "practice_reader_m"]
    Study(["runner"], grid, measures=measures).run(None, jobs=1).to_csv(file, index=False)
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=studies")
        view.wait_for_selector(".lmdk-studies[data-lmdk-ready]", timeout=60_000)
        studies = view.locator(".lmdk-studies")
        studies.locator("input[type=file]").set_input_files(file)
        studies.get_by_text("today.csv: 4 evaluations").wait_for()
        studies.get_by_text("The marks in numbers").click()
        studies.locator("tbody tr", has_text="zone 800").get_by_role("button").first.click()
        studies.get_by_text("practice zone 800").first.wait_for()
        with view.expect_popup() as opening:
            studies.get_by_role("link", name="Open this setting").click()
        track = opening.value
        track.wait_for_selector(READY, timeout=60_000)
        track.get_by_text("A zone of 800 m").locator("visible=true").first.wait_for(timeout=60_000)
        track.close()

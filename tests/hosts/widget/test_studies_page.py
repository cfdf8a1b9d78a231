"""The page Studies in a browser: results are opened, drawn and chosen from, and a mark leads to its setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.study import Study
from tests.browser import browser, page
from tests.server import serve

pytestmark = pytest.mark.browser

MARK = ".lmdk-studies .lmdk-marks[data-trace='1'] path"


@pytest.mark.nightly
def test_a_result_is_opened_and_a_mark_leads_to_its_setting(tmp_path: Path) -> None:
    grid = {"scheme": ["uniform", "user"], "epsilon": [0.5, 1, 2], "correlation": ["none", "strong"]}
    study = Study(["commuter"], grid, repetitions=2, measures=["mean_error_m", "largest_total_loss"])
    file = tmp_path / "week.csv"
    study.run(None, jobs=1).to_csv(file, index=False)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with serve() as address, browser() as chromium, page(chromium) as view:
        view.goto(f"{address}?page=studies")
        view.wait_for_selector(".lmdk-studies[data-lmdk-ready]", timeout=60_000)
        studies = view.locator(".lmdk-studies")
        assert "An example, Bob's day: 300 evaluations" in studies.inner_text()
        assert "What you open goes only to the computer where lmdk was started." in studies.inner_text()
        studies.locator("input[type=file]").set_input_files(tmp_path / "other.csv")
        studies.get_by_role("alert").get_by_text("The results must be those of a study").wait_for()
        studies.locator("input[type=file]").set_input_files(file)
        studies.get_by_text("week.csv: 24 evaluations").wait_for()
        studies.get_by_role("alert").wait_for(state="hidden")
        studies.get_by_label("Show").select_option("largest_total_loss")
        studies.get_by_text("largest total loss against epsilon").wait_for()
        studies.get_by_label("Show").select_option("mean_error_m")
        studies.get_by_text("mean error in m against epsilon").wait_for()
        view.wait_for_timeout(300)
        studies.get_by_text("The marks in numbers").click()
        assert studies.locator("tbody tr").count() == 12
        view.locator(MARK).first.click(force=True)  # the second curve of the first panel
        told = studies.get_by_text("track commuter, scheme user, epsilon 0.5, correlation none:")
        told.wait_for()
        with view.expect_popup() as opening:
            studies.get_by_role("link", name="Open this setting").click()
        explorer = opening.value
        explorer.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        assert "scheme=user" in explorer.url and f"seed={study.scenario(12)[0].seed}" in explorer.url
        explorer.close()
        view.set_viewport_size({"width": 400, "height": 800})
        view.wait_for_function("document.documentElement.scrollWidth <= 400")
        studies.locator("tbody button").first.focus()  # a mark by the keyboard
        view.keyboard.press("Enter")
        studies.get_by_text("scheme uniform, epsilon 0.5, correlation none:").wait_for()


@pytest.mark.nightly
def test_axe_finds_nothing_and_nothing_runs_over() -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with serve() as address, browser() as chromium:
        for width, dark in ((1280, False), (400, True)):
            with page(chromium, width=width, dark=dark, reduced_motion="reduce") as view:
                view.goto(f"{address}?page=studies")
                view.wait_for_selector(".lmdk-studies[data-lmdk-ready] .lmdk-marks", timeout=60_000)
                assert view.evaluate("document.documentElement.scrollWidth") <= width
                assert not axe.Axe().run(view).response["violations"]

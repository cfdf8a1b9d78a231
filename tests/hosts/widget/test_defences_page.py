"""Defences compared as a user meets them: a table that fills, a row that opens its setting, and a file."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser

DONE = "[data-panel=defences] tbody:not(.lmdk-waits) tr"


@pytest.mark.nightly
def test_the_defences_fill_a_table_and_a_row_opens_its_setting(chromium: Any, address: Address) -> None:
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=track&attacker.open=1&attacker.cells=40")
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        unfold(view)
        fold = view.locator("[data-panel=defences]")
        fold.locator("summary").click()
        view.wait_for_selector(DONE, timeout=90_000)
        fold.get_by_text("Now, with Uniform by planar Laplace, a careful reader is").wait_for()
        view.wait_for_selector("[data-panel=defences] .lmdk-figure[data-lmdk-painted]", timeout=60_000)
        rows = fold.locator("tbody tr")
        assert rows.count() == 44 and fold.locator("tbody tr[aria-current]").count() == 1
        row = rows.filter(has_text="Skip").filter(has_text="Randomised response")
        row.get_by_role("button").click()
        fold.get_by_text("Now, with Skip by randomised response on cells, a careful reader is").wait_for(timeout=60_000)
        assert view.get_by_label("Mechanism", exact=True).input_value() == "randomised"
        assert not view.get_by_label("Protection radius", exact=True).is_visible()
        view.get_by_text("is a proven bound: whatever is reported").wait_for()
        assert rows.count() == 44 and "Skip" in fold.locator("tbody tr[aria-current]").inner_text()
        with view.expect_download() as download:
            fold.get_by_role("button", name="Defences as CSV").click()
        assert download.value.suggested_filename == "simulation-not-a-private-release_bob_defences.csv"

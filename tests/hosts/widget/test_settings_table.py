"""The table to choose from, as a user meets it: choose, set conditions, sort, open a row, take it back, cancel a long one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

ROWS = "document.querySelectorAll('[data-panel=table] tbody tr').length"
SPENT = "document.querySelector('input[aria-label=\"Epsilon value\"]').value"
OTHERS = (
    "User level",
    "w-event uniform",
    "Weighted",
    "Planned",
    "Skip",
    "Adaptive",
    "Budget Distribution",
    "Budget Absorption",
    "Predictive",
)


@pytest.fixture(params=[1280, 390])
def opened(chromium: Any, address: Address, request: Any) -> Iterator[Any]:
    with page(chromium, width=request.param, height=900) as view:
        view.goto(f"{address}?page=track&correlation=none")
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        open_tab(view, "compare")
        view.get_by_text("A table to choose from").click()
        view.wait_for_function(
            f"{ROWS} === 200 && !document.querySelector('[data-panel=table] .lmdk-waits')", timeout=60_000
        )
        yield view


def put(view: Any, label: str, value: str) -> None:
    field = view.locator("[data-panel=table]").get_by_label(label)
    field.fill(value)
    field.press("Enter")


def asks_for_eighteen(view: Any) -> None:
    schemes = view.get_by_role("group", name="Schemes")
    for title in OTHERS:
        schemes.get_by_label(title, exact=True).uncheck()
    put(view, "Epsilons", "0.5 1 5")
    put(view, "Radii", "100, 200")
    view.wait_for_function(f"{ROWS} === 18", timeout=60_000)


def heading(view: Any, text: str) -> Any:
    return view.locator("[data-panel=table] thead th", has_text=text)


@pytest.mark.nightly
def test_choose_conditions_sort_open_and_undo(opened: Any) -> None:
    asks_for_eighteen(opened)
    for label, value in (("Mean error up to", "500"), ("Largest loss up to", "1")):
        put(opened, label, value)
    settings = opened.locator("[data-panel=table]")
    settings.get_by_label("Keep the Theorem's sum within epsilon").check()
    settings.get_by_text("Two settings meet every condition.").wait_for()
    assert (
        "The least error among them: Uniform, epsilon 5 at 100\N{NO-BREAK SPACE}m. Mean error 200\N{NO-BREAK SPACE}m"
        in settings.inner_text()
    )
    first = settings.locator("tbody tr").first
    assert first.inner_text().startswith("✓ Uniform") and settings.locator("tr.lmdk-meets").count() == 2
    assert heading(opened, "Mean error").get_attribute("aria-sort") == "ascending"
    sort = heading(opened, "Epsilon").get_by_role("button")
    sort.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_function("document.querySelectorAll('[data-panel=table] th')[1].ariaSort === 'ascending'")
    opened.keyboard.press("Enter")
    opened.wait_for_function("document.querySelectorAll('[data-panel=table] th')[1].ariaSort === 'descending'")
    row = settings.locator("tbody tr button").first
    row.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_function(f"{SPENT} === '5'")
    opened.wait_for_function(
        "document.querySelector('[data-panel=table] tr[aria-current]')?.innerText.includes('Uniform')"
    )
    assert opened.evaluate("document.activeElement.closest('[data-panel=table] tr') !== null"), (
        "the focus stays in the table"
    )
    opened.keyboard.press("ArrowDown")
    where = "[...document.querySelectorAll('[data-panel=table] tbody button')].indexOf(document.activeElement)"
    assert opened.evaluate(where) == 1
    opened.get_by_role("button", name="Undo").click()
    opened.wait_for_function(f"{SPENT} === '1'")
    assert settings.locator("tr.lmdk-meets").count() == 2 and settings.locator("tbody tr").count() == 18
    settings.locator("tbody tr").nth(3).locator("td").first.click()
    opened.wait_for_function("document.querySelector('[data-panel=table] tr[aria-current]')")
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = settings.locator(".lmdk-tableframe")
    assert frame.evaluate("f => f.scrollWidth <= f.clientWidth + 1")


@pytest.mark.nightly
def test_what_is_refused_is_said_and_goes_and_none_that_meets_all_says_why(opened: Any) -> None:
    put(opened, "Epsilons", "many")
    opened.get_by_text("Epsilons must be numbers with spaces between them").wait_for()
    assert opened.get_by_label("Epsilons").input_value() == "0.1 0.2 0.5 1 2 5 10"
    put(opened, "95 % radius up to", "3")
    opened.get_by_text("No settings meet every condition.").wait_for()
    assert "above 3\N{NO-BREAK SPACE}m" in opened.inner_text("[data-panel=table]")
    put(opened, "95 % radius up to", "")
    opened.get_by_text("settings break the landmark Theorem: the landmarks and one other timestamp spend").wait_for()
    opened.get_by_text("The least error among them: Weighted, epsilon 10 at 50 m.").wait_for()
    assert "Event level" not in opened.locator("[data-panel=table] tbody tr").first.inner_text()
    opened.get_by_label("Keep the Theorem's sum within epsilon").uncheck()
    opened.get_by_text("The least error: Event level, epsilon 10 at 50 m.").wait_for()


@pytest.mark.nightly
def test_the_table_and_the_comparison_are_saved_as_files(opened: Any) -> None:
    with opened.expect_download() as download:
        opened.get_by_role("button", name="Table as CSV").click()
    assert download.value.suggested_filename == "simulation-not-a-private-release_bob_settings.csv"
    assert len(download.value.path().read_text().splitlines()) == 589
    assert opened.locator(".lmdk-toast").inner_text() == "Saved simulation-not-a-private-release_bob_settings.csv."
    opened.get_by_text("Compare all schemes on these data").click()
    opened.wait_for_function("document.querySelectorAll('[data-panel=compare] tbody tr').length === 12", timeout=60_000)
    with opened.expect_download() as download:
        opened.get_by_role("button", name="Comparison as CSV").click()
    assert download.value.suggested_filename == "simulation-not-a-private-release_bob_comparison.csv"
    name = opened.locator("[data-panel=compare] tbody").get_by_role("button", name="Weighted")
    name.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_function("document.querySelector('select[aria-label=Scheme]').value === 'weighted'")
    opened.locator("[data-panel=compare] tbody tr").first.locator("td").first.click()
    opened.wait_for_function("document.querySelector('select[aria-label=Scheme]').value === 'event'")
    opened.get_by_role("button", name="Undo").click()
    opened.wait_for_function("document.querySelector('select[aria-label=Scheme]').value === 'weighted'")


@pytest.mark.nightly
def test_a_long_table_says_how_far_it_is_and_is_cancelled(chromium: Any, address: Address) -> None:
    with page(chromium, height=900) as view:
        epsilons, radii = (
            "+".join(f"{x:.4g}" for x in np.geomspace(*ends)) for ends in ((0.01, 10, 200), (10, 5000, 8))
        )
        view.goto(f"{address}?page=track&track=commuter&table.open=1&table.epsilons={epsilons}&table.radii_m={radii}")
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        row = view.locator(".lmdk-progress", has_text="of 19,200 settings are done.")
        row.wait_for(timeout=60_000)
        view.wait_for_function(f"{ROWS} === 200", timeout=60_000)
        row.get_by_role("button", name="Cancel").click()
        view.locator(".lmdk-progress", has_text="settings of the table.").wait_for()
        assert "so far" in view.inner_text("[data-panel=table]")
        view.get_by_role("slider", name="Epsilon", exact=True).press("ArrowRight")
        view.wait_for_timeout(500)
        assert view.locator("[data-panel=table] tbody tr").count() == 200

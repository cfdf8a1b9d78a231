"""Hidden landmarks as a user meets them: the switch, hollow dummies, what it costs, what draws others, and a reload."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import open_tab, page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser

READY = ".lmdk-explorer[data-lmdk-ready]"
EDGES = "() => document.querySelector('.lmdk-plot').drawn.traces[0].marker.line?.width ?? []"


def hollow(view: Any) -> list[int]:
    """The timestamps whose bars are hollow, once some are."""
    view.wait_for_function(f"() => ({EDGES})().some((edge) => edge > 0)")
    return [k for k, edge in enumerate(view.evaluate(EDGES)) if edge]


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_landmarks_are_hidden_among_dummies(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, height=900, dark=width == 390) as view:
        view.goto(f"{address}?page=track&seed=1")
        view.wait_for_selector(READY, timeout=60_000)
        unfold(view)
        open_tab(view, "timestamps")
        told = view.locator(".lmdk-belowfield[data-panel=dummies]")
        assert not told.is_visible() and not view.locator(".lmdk-keyof-dummy").is_visible()
        view.get_by_label("Add dummies to landmarks").check()
        told.get_by_text("are protected as landmarks").wait_for()
        assert (
            "instead of 2.0\N{NO-BREAK SPACE}km" in told.inner_text() and "the odds of each grow" in told.inner_text()
        )
        edged = hollow(view)
        rows = view.locator("[role=option]").evaluate_all("rows => rows.map((row) => row.ariaLabel)")
        assert [k for k, row in enumerate(rows) if ", dummy, " in row] == edged
        assert sum(", landmark, " in row for row in rows) == 4
        assert view.locator(".lmdk-keyof-dummy").is_visible()
        assert view.locator(".lmdk-warned").get_by_text("is certainly not a landmark").count()
        view.wait_for_function("location.search.includes('hide=1')")
        view.reload()
        view.wait_for_selector(READY, timeout=60_000)
        unfold(view)
        assert hollow(view) == edged
        view.get_by_role("button", name="Draw again").click()
        view.wait_for_function("location.search.includes('seed=2')")
        assert hollow(view) == edged, "another noise is no other draw of dummies"
        view.get_by_role("button", name="Draw other dummies").click()
        view.wait_for_function("location.search.includes('hide_draw=2')")
        view.locator(".lmdk-warned").get_by_text("These dummies are draw 2").first.wait_for(state="attached")
        view.wait_for_function(
            f"(before) => {{ const now = ({EDGES})(); return !before.every((k) => now[k] > 0); }}", arg=edged
        )
        view.get_by_label("Chance to join").select_option("stated")
        chance = view.get_by_label("Stated chance value")
        chance.fill("2")
        chance.press("Enter")
        view.get_by_text("The chance to join must be between 1e-6 and 1; got 2").wait_for()
        chance.fill("1")
        chance.press("Enter")
        told.get_by_text("Eight timestamps are protected as landmarks; four of them are dummies.").wait_for()
        assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")
        view.get_by_label("Add dummies to landmarks").uncheck()
        view.wait_for_function(f"() => !({EDGES})().some((edge) => edge > 0)")


@pytest.mark.nightly
def test_the_papers_methods_are_there_with_the_attack_on_them(chromium: Any, address: Address) -> None:
    with page(chromium, width=1280, height=900) as view:
        view.goto(f"{address}?page=track&hide=1&hide_method=greedy&seed=1")
        view.wait_for_selector(READY, timeout=60_000)
        unfold(view)
        open_tab(view, "timestamps")
        told = view.locator(".lmdk-belowfield[data-panel=dummies]")
        told.get_by_text("knows the method").wait_for()
        assert view.get_by_label("Dummies by").input_value() == "greedy"
        most = view.get_by_label("Dummies at most", exact=True)
        most.fill("0")
        most.press("Enter")
        view.get_by_text("The number of dummies must be a whole number between 1 and 500; got 0").wait_for()
        most.fill("1")
        most.press("Enter")
        view.wait_for_function("location.search.includes('hide_most=1')")
        assert not view.get_by_label("Chance to join").is_visible()

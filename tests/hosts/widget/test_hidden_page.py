"""Hidden landmarks as a user meets them: the switch, hollow dummies, what it costs, another draw, undo and a reload."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import page
from tests.server import Address

pytestmark = pytest.mark.browser

READY = ".lmdk-explorer[data-lmdk-ready]"
EDGES = "() => document.querySelector('.lmdk-plot').data[0].marker.line?.width ?? []"


@pytest.mark.parametrize("width", [1280, 390])
def test_landmarks_are_hidden_among_dummies(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, height=900, dark=width == 390) as view:
        view.goto(f"{address}?page=landmarks&seed=1")
        view.wait_for_selector(READY, timeout=60_000)
        told = view.locator(".lmdk-hiding")
        assert not told.is_visible() and not view.locator(".lmdk-keyof-dummy").is_visible()
        view.get_by_label("Add dummies to landmarks").check()
        told.get_by_text("are protected as landmarks").wait_for()
        assert "instead of 2.0\N{NO-BREAK SPACE}km" in told.inner_text() and "knows the method" in told.inner_text()
        view.wait_for_function(f"() => ({EDGES})().some((edge) => edge > 0)")
        edged = [k for k, edge in enumerate(view.evaluate(EDGES)) if edge]
        rows = view.locator("[role=option]").evaluate_all("rows => rows.map((row) => row.ariaLabel)")
        assert [k for k, row in enumerate(rows) if ", dummy, " in row] == edged
        assert sum(", landmark, " in row for row in rows) == 4
        assert view.locator(".lmdk-keyof-dummy").is_visible()
        assert view.locator(".lmdk-warned").get_by_text("is certainly no landmark").count()
        view.wait_for_function("location.search.includes('hide=1')")
        view.reload()
        view.wait_for_selector(READY, timeout=60_000)
        view.wait_for_function(f"() => ({EDGES})().some((edge) => edge > 0)")
        assert [k for k, edge in enumerate(view.evaluate(EDGES)) if edge] == edged
        before = told.inner_text()
        for _ in range(20):
            view.get_by_role("button", name="Draw again").click()
            view.wait_for_timeout(250)
            if told.inner_text() != before:
                break
        assert told.inner_text() != before, "another draw chooses others"
        most = view.get_by_label("Dummies at most", exact=True)
        most.fill("0")
        most.press("Enter")
        view.get_by_text("The number of dummies must be a whole number between 1 and 500; got 0").wait_for()
        most.fill("1")
        most.press("Enter")
        view.wait_for_function("location.search.includes('hide_most=1')")
        assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")
        view.get_by_label("Add dummies to landmarks").uncheck()
        view.wait_for_function(f"() => !({EDGES})().some((edge) => edge > 0)")

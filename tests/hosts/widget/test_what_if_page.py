"""A what-if file opened from the disk, without a network: it is the page, and it answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer
from lmdk_widgets.page.open_controls import opened
from lmdk_widgets.page.what_if import WhatIf
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory import sample
from tests.browser import from_help, open_tab, page

pytestmark = pytest.mark.browser

WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def source() -> Any:
    scenario = Scenario(track="bob", landmarks=(0, 2, 4, 7), epsilon=0.5)
    return TrackSession(sample("bob"), scenario).what_if()


@pytest.fixture(scope="module")
def file(source: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    controls = opened(
        source.state.choices,
        ["scheme", "epsilon", "landmarks"],
        stops=4,
        proposed=(2,),
        left_out=Explorer.PAGE.NOT_OPEN,
    )
    made = WhatIf(Explorer.PAGE, source, controls)
    for _ in made.record():
        pass
    yield made.file().write(tmp_path_factory.mktemp("what-if"))


def ready(opened_page: Any, file: Path) -> Any:
    opened_page.goto(file.as_uri())
    opened_page.wait_for_selector(".lmdk-explorer[data-lmdk-ready]")
    return opened_page


def said(opened_page: Any, text: str) -> None:
    opened_page.wait_for_function(
        "text => document.querySelector('[data-lmdk=numbers]').textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=text,
    )


@pytest.mark.nightly
@pytest.mark.parametrize("width", WIDTHS)
def test_a_file_from_the_disk_is_the_page_without_a_network(chromium: Any, file: Path, source: Any, width: int) -> None:
    kernel = Explorer.PAGE.showing(source.state)
    with page(chromium, width=width, offline=True) as seen:
        ready(seen, file)
        assert seen.locator("[role=note]").inner_text().startswith("Simulation, not a private release. ")
        _drives(seen, kernel)
        _says_what_is_fixed(seen)
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        urls = seen.guard.requests
        assert [url for url in urls if not url.startswith(("file:", "blob:", "data:"))] == []
    kernel.close()


def _drives(seen: Any, kernel: TrackPage) -> None:
    """Scheme, slider, landmark, undo and redo: each time the words and lines of a page with a kernel."""
    epsilon = seen.get_by_label("Epsilon", exact=True)
    assert (epsilon.get_attribute("min"), epsilon.get_attribute("max"), epsilon.get_attribute("step")) == (
        "0",
        "3",
        "1",
    )
    steps = (
        (lambda: seen.get_by_label("Scheme", exact=True).select_option("skip"), {"scheme": "skip"}),
        (lambda: epsilon.press("ArrowRight"), {"scheme": "skip", "epsilon": 10.0}),
        (lambda: seen.get_by_role("button", name="Undo").click(), {"scheme": "skip"}),
        (lambda: seen.get_by_role("button", name="Redo").click(), {"scheme": "skip", "epsilon": 10.0}),
        (lambda: from_help(seen, "Reset").click(), {}),
    )
    first = kernel.session.choices
    for act, changes in steps:
        act()
        kernel.show(first.with_changes(**changes))
        said(seen, kernel.text()["words"]["paragraph"])
        # the text comes first: the chart follows
        budgets = kernel.outcome.budgets
        seen.wait_for_function(
            "([most, n]) => { const y = document.querySelector('.lmdk-plot').drawn?.traces[0].y;"
            " return y?.length === n && Math.abs(Math.max(...y) - most) <= 1e-6 * most; }",
            arg=[float(budgets.max()), len(budgets)],
        )


def _says_what_is_fixed(seen: Any) -> None:
    radius = seen.get_by_label("Protection radius", exact=True)
    assert radius.is_disabled() and radius.get_attribute("title") == "Fixed in this file"
    seen.get_by_text("About this file and its initial settings").click()
    assert seen.get_by_text("In this file Scheme, Epsilon and Landmarks can be changed").first.is_visible()
    seen.get_by_text("About this file and its initial settings").click()
    for absent in ("Share", "Save", "Tour", "Streets", "Upload a track"):
        assert not seen.get_by_text(absent, exact=True).is_visible(), absent
    seen.locator(".lmdk-map").focus()
    field = seen.get_by_label("Epsilon value")
    field.fill("0.02")
    field.press("Enter")
    seen.get_by_text("This file has Epsilon at 4 stops; the nearest is 0.01.").wait_for()
    assert field.input_value() == "0.01"


@pytest.mark.nightly
def test_the_page_saves_itself_as_one_file(chromium: Any, address: Any, tmp_path: Path) -> None:
    """The size before the file, which opens from the disk."""
    with page(chromium, accept_downloads=True) as seen:
        seen.goto(address)
        seen.wait_for_selector(".lmdk-explorer[data-lmdk-ready]")
        seen.get_by_label("Save", exact=True).click()
        seen.get_by_role("button", name="What-if as one file").click()
        panel = seen.get_by_role("group", name="What-if as one file")
        panel.get_by_text("It contains 300 settings, at most about").wait_for()
        panel.get_by_label("Scheme").uncheck()
        panel.get_by_text("It contains 25 settings, at most about").wait_for()
        with seen.expect_download() as waiting:
            panel.get_by_role("button", name="Save the file").click()
        waiting.value.save_as(tmp_path / "what-if.html")
        assert waiting.value.suggested_filename == "simulation-not-a-private-release_bob_uniform_epsilon-1_what-if.html"
        assert not panel.is_visible()
        seen.get_by_label("Save", exact=True).click()
        seen.get_by_role("button", name="What-if as one file").click()
        panel.get_by_label("Inside a report of the page as it is now").check()
        panel.get_by_label("Scheme").uncheck()
        panel.get_by_text("It contains 25 settings, at most about").wait_for()
        with seen.expect_download() as waiting:
            panel.get_by_role("button", name="Save the file").click()
        waiting.value.save_as(tmp_path / "report.html")
        assert waiting.value.suggested_filename.endswith("_bob_uniform_epsilon-1_report_what-if.html")
    with page(chromium, offline=True) as seen:
        seen.goto((tmp_path / "report.html").as_uri())
        seen.wait_for_selector("html[data-drawn]")
        assert not seen.locator("iframe").count(), "nothing of it runs before it is asked for"
        seen.get_by_role("button", name="Open the page here").click()
        inside = seen.frame_locator("iframe")
        inside.locator(".lmdk-explorer[data-lmdk-ready]").wait_for()
        assert inside.get_by_label("Scheme", exact=True).is_disabled()
        inside.get_by_label("Epsilon", exact=True).press("ArrowRight")
        inside.get_by_text("ε = 1.33").first.wait_for()
        assert inside.get_by_label("Epsilon value").input_value() == "1.33"
        assert "leaflet" in seen.locator("footer .licences pre").text_content()
    with page(chromium, offline=True) as seen:
        ready(seen, tmp_path / "what-if.html")
        assert seen.get_by_label("Scheme", exact=True).is_disabled()
        assert not seen.locator(".lmdk-clicks").is_visible(), "its landmarks stay"
        seen.get_by_label("Epsilon", exact=True).press("ArrowRight")
        seen.wait_for_function("() => document.querySelector('[aria-label=\"Epsilon value\"]').value === '1.33'")


@pytest.mark.nightly
@pytest.mark.parametrize("width", WIDTHS)
def test_the_pinned_option_is_shown_and_hidden_where_it_stays_open(chromium: Any, tmp_path: Path, width: int) -> None:
    scenario = Scenario(track="bob", landmarks=(0, 2, 4, 7), average=False)
    choices = TrackChoices(scenario.with_changes(epsilon=0.5), pinned=scenario)
    source = TrackSession(sample("bob"), choices).what_if()
    made = WhatIf(Explorer.PAGE, source, opened(source.state.choices, ["epsilon", "pinned"], stops=3))
    for _ in made.record():
        pass
    with page(chromium, width=width, offline=True) as seen:
        ready(seen, made.file().write(tmp_path))
        open_tab(seen, "compare")
        panel = seen.locator("[data-panel=side_by_side]")
        panel.get_by_text("Epsilon 1 → 0.5").wait_for()
        assert [each.inner_text() for each in panel.get_by_role("button").all()] == ["Hide the pinned option"]
        panel.get_by_role("button").click()
        panel.get_by_role("button", name="Show the pinned option").click()
        panel.get_by_text("Epsilon 1 → 0.5").wait_for()
        assert not seen.locator("[data-panel=stays]").is_visible()

"""The verdict in a browser: it stands first, says what would help, and its limits are changed where they are read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.page.open_controls import opened as controls
from lmdk_widgets.page.what_if import WhatIf
from lmdk_widgets.pages.track.page import TrackPage
from tests.browser import page
from tests.hosts.conftest import address as address
from tests.hosts.widget.conftest import chromium as chromium
from tests.hosts.widget.test_looks import CUT
from tests.hosts.widget.test_tabs import SHOWN, settled
from tests.server import Address

pytestmark = pytest.mark.browser

LINE = f"{SHOWN} .lmdk-judgedline:not(.lmdk-judgedtoday)"
HELPED = f"/meets them|comes nearer/.test(document.querySelector({LINE!r})?.textContent ?? '')"


def opened(view: Any, address: Address, query: str) -> Any:
    view.goto(f"{address}?{query}")
    view.wait_for_selector(f"{SHOWN} .lmdk-judged[data-look=misses]", timeout=60_000)
    view.wait_for_function(HELPED)
    return view.locator(SHOWN)


def said(element: Any) -> str:
    """Its text, without the spaces that hold a number and its unit together."""
    return " ".join(element.inner_text().split())


def test_it_stands_first_and_a_proposal_is_taken_and_undone(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        root = opened(view, address, "track=commuter")
        top = [root.locator(part).bounding_box()["y"] for part in (".lmdk-judged", ".lmdk-headlines", ".lmdk-map")]
        assert top == sorted(top)
        assert "This release does not meet your limits. Your home is found to within 93 m" in said(
            root.locator(".lmdk-judgedline:not(.lmdk-judgedtoday)")
        )
        use, cost = (
            root.get_by_role("button", name="Use this: Use epsilon 0.463"),
            root.get_by_text(re.compile("^Worse: ")),
        )
        assert said(cost) == "Worse: a careful reader is off by 1.5 km, not 810 m.", "in view beside the button"
        assert (
            abs(cost.bounding_box()["y"] - use.bounding_box()["y"]) < 40
            and not root.locator(".lmdk-judgedlimits").is_visible()
        )
        use.click()
        view.wait_for_selector(f"{SHOWN} .lmdk-judged[data-look=meets]")
        assert root.get_by_label("Epsilon value").input_value() == "0.463"
        root.get_by_role("button", name="Undo").click()
        view.wait_for_selector(f"{SHOWN} .lmdk-judged[data-look=misses]")
        assert root.get_by_label("Epsilon value").input_value() == "1"


def test_limits_are_changed_where_they_are_read(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        root = opened(view, address, "track=commuter")
        field = root.get_by_label("Found, no nearer than", exact=True)
        assert not field.is_visible()
        root.get_by_role("button", name="limits", exact=True).click()
        assert field.input_value() == "200", "the protection radius"
        assert "Leaving out ten lasting places meets them" in said(root.locator(".lmdk-judgedlimits"))
        field.fill("90")
        field.press("Enter")
        view.wait_for_selector(f"{SHOWN} .lmdk-judged[data-look=meets]")
        field.fill("")
        field.press("Enter")
        guesses = root.get_by_label("Right guesses about one moment, at most", exact=True)
        guesses.fill("40")
        guesses.press("Enter")
        view.get_by_text("The limit of guesses must be between 50 and 100").wait_for()
        assert root.locator(".lmdk-judged").get_attribute("data-look") == "meets", "what is refused changes nothing"
        view.guard.forget()


@pytest.mark.parametrize(("width", "height", "dark"), [(1440, 900, False), (1280, 800, True), (400, 850, False)])
@pytest.mark.parametrize("query", ["track=commuter", "track=household", "track=contacts"])
@pytest.mark.nightly
def test_no_text_is_cut_or_lies_over_another(
    chromium: Any, address: Address, query: str, width: int, height: int, dark: bool
) -> None:
    with page(chromium, width=width, height=height, dark=dark) as view:
        root = opened(view, address, query)
        root.get_by_role("button", name="limits", exact=True).click()
        _, over = settled(view)
        assert not over and not root.evaluate(CUT)
        assert view.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_file_without_a_kernel_says_that_it_is_not_there(chromium: Any, tmp_path: Path) -> None:
    source = TrackPage().session.what_if()
    made = WhatIf(TrackPage, source, controls(source.state.choices, ["epsilon"], stops=2))
    list(made.record())
    path = made.file().write(tmp_path)
    with page(chromium) as view:
        view.goto(Path(path).as_uri())
        line = view.locator(".lmdk-judgedline:not(.lmdk-judgedtoday)")
        line.wait_for()
        assert "The verdict is computed from the true data and is not in this file." in line.inner_text()
        assert not view.get_by_role("button", name="limits", exact=True).is_visible()

"""Nothing waits in silence: whatever takes longer says what it is, how far it is, and how to stop it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page, unfold
from tests.server import Address

pytestmark = pytest.mark.browser

RECORD = """
window.told = [];
const look = () => {
  for (const row of document.querySelectorAll(".lmdk-progress, .lmdk-menu > summary[aria-busy=true]")) {
    const text = row.textContent;
    if (!window.told.includes(text)) window.told.push(text);
  }
  const cancel = [...document.querySelectorAll(".lmdk-progress button")].find((button) => button.textContent === "Cancel");
  if (!cancel || !window.cancels || !cancel.closest(".lmdk-progress").textContent.includes(window.cancels)) return;
  window.cancels = "";
  cancel.click();
};
addEventListener("DOMContentLoaded", () => {
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.body, all);
});
"""
"""Keeps every text that a row of what is waited for, or a busy button, has shown; clicks the first Cancel, if told to."""

LONG = "time,lat,lon\n" + "".join(
    f"2026-03-{1 + k // 86_400:02d}T{k // 3600 % 24:02d}:{k // 60 % 60:02d}:{k % 60:02d}Z,48.8{k % 10_000:04d},2.35\n"
    for k in range(50_001)
)
"""One point more than a map as a web page may have."""


@pytest.fixture
def taxi(chromium: Any, address: Address) -> Iterator[Any]:
    """The longest sample under a scheme that decides at every timestamp."""
    with page(chromium, height=1000, accept_downloads=True) as view:
        view.add_init_script(RECORD)
        view.goto(f"{address}?track=taxi&scheme=adaptive")
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        unfold(view)
        yield view


def told(view: Any) -> list[str]:
    """What was told since the last time."""
    return view.evaluate("() => { const all = window.told; window.told = []; return all; }")


def cancels_next(view: Any, of: str) -> None:
    """Clicks the next Cancel of such work as soon as it is there: on a fast machine it is not there for long."""
    view.evaluate("of => { window.cancels = of; }", of)


def rows(view: Any) -> Any:
    return view.locator(".lmdk-progress")


def wait_for(view: Any, text: str) -> None:
    """Waits for words that Python wrote."""
    said = (
        "text => document.querySelector('[data-lmdk=numbers]').textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))"
    )
    view.wait_for_function(said, arg=text, timeout=60_000)


def is_quiet(view: Any) -> None:
    view.wait_for_function("!document.querySelector('.lmdk-progress')", timeout=60_000)


def numbers(view: Any) -> str:
    return view.inner_text("[data-lmdk=numbers]")


@pytest.mark.nightly
def test_the_average_says_how_many_draws_are_made_and_ends(taxi: Any) -> None:
    taxi.get_by_label("Average of 100 draws").check()
    wait_for(taxi, "Over 100 draws")
    is_quiet(taxi)
    assert any(text.startswith("Average of 100 draws: ") and "Cancel" in text for text in told(taxi))


def test_the_average_is_cancelled_says_what_is_shown_and_goes_on(taxi: Any) -> None:
    cancels_next(taxi, "Average of")
    taxi.get_by_label("Average of 100 draws").check()
    rows(taxi).get_by_text("Cancelled after").wait_for()
    assert "those of one draw" in rows(taxi).inner_text() and "Over 100 draws" not in numbers(taxi)
    rows(taxi).get_by_role("button", name="Go on").click()
    wait_for(taxi, "Over 100 draws")
    is_quiet(taxi)


@pytest.mark.nightly
def test_the_next_change_cancels_the_average(taxi: Any) -> None:
    taxi.get_by_label("Average of 100 draws").check()
    taxi.get_by_label("Epsilon value").fill("0.5")
    taxi.get_by_label("Epsilon value").press("Enter")
    wait_for(taxi, "budget of 0.50")
    wait_for(taxi, "Over 100 draws")
    is_quiet(taxi)
    taxi.get_by_label("Seed", exact=True).fill("5")
    taxi.get_by_label("Seed", exact=True).press("Enter")
    taxi.get_by_label("Average of 100 draws").uncheck()
    taxi.wait_for_function("!location.search.includes('average')", timeout=60_000)  # the kernel has heard of it
    is_quiet(taxi)
    taxi.wait_for_timeout(1500)  # longer than the rest of it would have taken
    assert "Over 100 draws" not in numbers(taxi)
    assert not rows(taxi).filter(has_text="Average of").count(), "the verdict may still look for what meets the limits"


@pytest.mark.nightly
def test_the_comparison_says_how_many_schemes_are_done_and_can_be_cancelled(taxi: Any) -> None:
    open_tab(taxi, "compare")
    is_quiet(taxi)
    cancels_next(taxi, "Comparing schemes")
    taxi.get_by_text("Compare all schemes on these data").click()
    rows(taxi).get_by_text("Cancelled after").wait_for()
    assert any(text.startswith("Comparing schemes: ") for text in told(taxi))
    assert taxi.locator("[data-panel=compare] p[aria-live]").first.inner_text().startswith("Cancelled after")
    rows(taxi).get_by_role("button", name="Go on").click()
    taxi.get_by_text("Moving a landmark").wait_for(timeout=60_000)
    is_quiet(taxi)


@pytest.mark.parametrize("item", ["Map as a web page", "Release as GeoJSON"])
def test_a_file_that_is_made_says_so_at_once_and_ends_with_the_file(taxi: Any, item: str) -> None:
    button = taxi.get_by_label("Save", exact=True)
    button.click()
    told(taxi)
    with taxi.expect_download() as download:
        taxi.get_by_role("button", name=item).click()
    assert download.value.suggested_filename
    said = [text for text in told(taxi) if text.startswith(("Saving", "Making"))]  # the verdict tells of its own work
    assert said[0] == "Saving …", "before anything comes back"
    if item == "Map as a web page":
        assert f"Making the file “{item}” …" in said
    is_quiet(taxi)
    assert button.is_visible() and button.inner_text() == "Save"


@pytest.mark.nightly
def test_a_refusal_ends_it_as_well(taxi: Any) -> None:
    file = {"name": "long.csv", "mimeType": "text/csv", "buffer": LONG.encode()}
    taxi.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
    taxi.wait_for_function(
        "document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === '50001'", timeout=60_000
    )
    taxi.get_by_label("Save", exact=True).click()
    taxi.get_by_role("button", name="Map as a web page").click()
    taxi.locator(".lmdk-error").get_by_text("at most 50,000 points").wait_for()
    is_quiet(taxi)
    assert taxi.get_by_label("Save", exact=True).inner_text() == "Save"
    taxi.get_by_label("Save", exact=True).click()
    assert taxi.get_by_role("button", name="Release as CSV").is_enabled()


@pytest.mark.nightly
@pytest.mark.parametrize("address", ["kernel"], indirect=True)  # a room answers before there is anything to say
def test_a_change_that_takes_longer_says_that_it_is_computed(taxi: Any) -> None:
    taxi.get_by_label("Scheme", exact=True).select_option("uniform")
    is_quiet(taxi)
    told(taxi)
    taxi.get_by_label("Mechanism", exact=True).select_option("optimal")
    wait_for(taxi, "Optimal on cells")
    is_quiet(taxi)
    assert "Computing …" in told(taxi)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_what_is_told_can_be_seen_wherever_one_is(chromium: Any, address: Address, width: int, dark: bool) -> None:
    with page(chromium, width=width, dark=dark) as view:
        view.add_init_script(RECORD)
        view.goto(f"{address}?track=taxi&scheme=adaptive")
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        unfold(view)
        cancels_next(view, "Average of")
        view.get_by_label("Average of 100 draws").check()
        rows(view).get_by_text("Cancelled after").wait_for()
        box = rows(view).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 800
        assert view.evaluate("document.documentElement.scrollWidth") <= width

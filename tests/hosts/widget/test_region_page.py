"""Which area can be public, asked in a real Chromium: the fold opens for a file of one's own, with its time zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import page
from tests.server import Address

pytestmark = pytest.mark.browser

TRACK = "time,lat,lon\n" + "".join(
    f"2026-03-01T08:{m:02d}:00Z,{37.95 + m / 500},{23.70 + m / 400}\n" for m in range(40)
)


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        yield view


def test_the_region_is_asked_for_confirmed_with_a_zone_and_drawn(opened: Any) -> None:
    fold = opened.locator(".lmdk-region")
    fold.locator("summary").get_by_text("Paris").wait_for()
    assert fold.evaluate("fold => fold.open") is False
    file = {"name": "walk.csv", "mimeType": "text/csv", "buffer": TRACK.encode()}
    opened.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
    fold.get_by_text("Which area can be public?").wait_for()
    assert fold.evaluate("fold => fold.open") is True
    warned = opened.get_by_text("The region, 44 by 56 km, is a proposal").first
    warned.wait_for(state="attached")
    fold.get_by_label("Time zone of the data").fill("Europe/Athens")
    fold.get_by_label("East of the region, degrees").fill("24.25")
    fold.get_by_role("button", name="This area can be public").click()
    fold.get_by_text("66 by 56 km").first.wait_for(state="attached")
    opened.get_by_text("(Europe/Athens), every 60 s").first.wait_for()
    opened.get_by_text("is a proposal").first.wait_for(state="detached")
    opened.wait_for_function("location.href.includes('region=37.75,23.5,38.25,24.25')")
    assert fold.evaluate("fold => fold.open") is False
    fold.locator("summary").click()
    fold.get_by_role("button", name="Back to the proposal").click()
    fold.get_by_text("44 by 56 km").first.wait_for(state="attached")


def test_a_region_that_is_none_is_refused_and_the_present_one_stays(opened: Any) -> None:
    fold = opened.locator(".lmdk-region")
    fold.locator("summary").click()
    fold.get_by_label("South of the region, degrees").fill("50")
    fold.get_by_role("button", name="This one can be public").click()
    opened.get_by_text("South and north of the region must increase").first.wait_for()
    assert "Paris" in fold.locator("summary").inner_text()

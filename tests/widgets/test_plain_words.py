"""The pages for people in a hurry: everyday words first, times in the track's zone, terms explained where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import page
from tests.server import Address, serve

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with serve() as running:
        yield running


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, height=1000, accept_downloads=True) as view:
        open_page(view, address)
        yield view


def open_page(view: Any, address: str) -> None:
    view.goto(address)
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)


def wait_for(view: Any, text: str, selector: str = "[data-lmdk=numbers]") -> None:
    view.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)",
        arg=[selector, text],
        timeout=30_000,
    )


def test_times_are_those_of_the_tracks_zone_and_of_utc_on_request(opened: Any) -> None:
    first = opened.locator(".lmdk-row").first
    assert "07:52" in first.inner_text() and "(Europe/Paris)" in opened.inner_text(".lmdk-listhead")
    assert "where you were at 12:34," in opened.inner_text("[data-lmdk=numbers]")
    assert "07:52" in opened.inner_text(".lmdk-ticks")
    first.hover()
    assert "07:52 (Europe/Paris)" in opened.inner_text(".lmdk-readout")
    opened.get_by_label("Times in UTC").check()
    wait_for(opened, "where you were at 11:34 UTC,")
    wait_for(opened, "06:52", ".lmdk-ticks")
    assert "06:52" in first.inner_text() and "(UTC)" in opened.inner_text(".lmdk-listhead")
    opened.wait_for_function("location.search.includes('utc=1')", timeout=20_000)
    track = b"time,lat,lon\n2026-07-01T08:00:00Z,48,2\n2026-07-01T08:10:00Z,48.01,2\n"
    opened.set_input_files("input[type=file] >> nth=1", {"name": "t.csv", "mimeType": "text/csv", "buffer": track})
    opened.get_by_label("Times in UTC").wait_for(state="hidden")  # no other zone is known

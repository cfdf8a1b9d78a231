"""What the address bar holds, in a real Chromium: settings come back after a reload, and what does not is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest

from lmdk_widgets.page.link import MAX_CHARACTERS
from tests.browser import kernel_of, open_tab, page, unfold
from tests.server import Address, serve, until

pytestmark = pytest.mark.browser

TRACK = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,{48.8 + m / 1000},2.3\n" for m in range(12))
COUNT = """
for (const name of ["replaceState", "pushState"]) {
  const call = history[name].bind(history);
  history[name] = (...given) => { (window.calls ??= []).push(name); return call(...given); };
}
"""

RESTORED = "document.querySelector('.lmdk-explorer[data-lmdk-ready]')?.inert === false"


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, permissions=["clipboard-read", "clipboard-write"], check=False) as view:
        view.add_init_script(COUNT)
        open_page(view, address)
        yield view
        assert not view.guard.errors and not view.guard.foreign


def open_page(view: Any, address: str) -> None:
    view.goto(address)
    ready(view)


def ready(view: Any) -> None:
    view.wait_for_selector(".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]", timeout=60_000)


def tab(view: Any, title: str) -> None:
    view.locator(".lmdk-nav").get_by_role("button", name=title, exact=True).click()
    ready(view)


def href(view: Any) -> str:
    return view.evaluate("location.href")


def asked(view: Any) -> dict[str, str]:
    """The settings in the address bar."""
    return {name: texts[-1] for name, texts in parse_qs(urlparse(href(view)).query, keep_blank_values=True).items()}


def wait_for_setting(view: Any, name: str, text: str) -> None:
    until(lambda: (asked(view), asked(view).get(name) == text), f"{name}={text} in the address")


def seen(view: Any) -> Any:
    """The page of the dashboard that is open."""
    return view.locator(".lmdk-stage > div:not([hidden])")


def choose(view: Any, label: str, value: str) -> None:
    seen(view).get_by_label(label, exact=True).select_option(value)


def chosen(view: Any, label: str) -> str:
    return seen(view).get_by_label(label, exact=True).input_value()


def upload(view: Any, text: str) -> None:
    seen(view).get_by_label("Upload a track or a series", exact=True).set_input_files(
        {"name": "walk.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )


def wait_for(view: Any, text: str) -> None:
    """Waits for words that Python wrote."""
    seen(view).locator("[data-lmdk=numbers]").get_by_text(text).wait_for()


OF_A_KERNEL = pytest.mark.parametrize("address", ["kernel"], indirect=True)
"""A room has no kernel that could be killed."""


def end_kernel(view: Any, address: Address) -> str:
    """Kills the kernel of a page; what the page says then."""
    address.kernel(kernel_of(view)).kill()
    panel = view.locator("#lmdk-ended")
    panel.get_by_text("The Python session has ended").wait_for(timeout=60_000)
    return panel.inner_text()


@pytest.mark.nightly
@OF_A_KERNEL
def test_settings_come_back_after_the_death_of_a_kernel(opened: Any, address: Address) -> None:
    assert "?" not in href(opened), "nothing was changed yet"
    choose(opened, "Scheme", "adaptive")
    open_tab(opened, "timestamps")
    seen(opened).get_by_role("option", name="p4").click()
    wait_for_setting(opened, "scheme", "adaptive")
    wait_for_setting(opened, "landmarks", "0.2-4.7")
    said = end_kernel(opened, address)
    assert "The controls below are switched off. The address of this page contains your settings: a reload" in said
    output = opened.locator(".lmdk-output")
    assert output.evaluate("part => part.inert") and float(output.evaluate("e => getComputedStyle(e).opacity")) < 0.6
    opened.locator("#lmdk-ended").get_by_role("button", name="Reload").click()
    opened.wait_for_url(f"{address.page}?*")
    ready(opened)
    opened.wait_for_function(RESTORED)
    assert chosen(opened, "Scheme") == "adaptive" and "five landmarks" in opened.inner_text("[data-lmdk=numbers]")
    assert not output.evaluate("part => part.inert") and opened.locator("#lmdk-ended").is_hidden()


@pytest.mark.nightly
def test_a_change_just_before_a_reload_is_not_lost(opened: Any) -> None:
    for scheme in ("skip", "user", "event", "adaptive"):
        choose(opened, "Scheme", scheme)
    wait_for(opened, "7 of 8 timestamps were measured")
    opened.wait_for_timeout(150)
    opened.reload()
    ready(opened)
    assert chosen(opened, "Scheme") == "adaptive"


@pytest.mark.nightly
def test_a_server_that_starts_again_gets_the_settings(chromium: Any) -> None:
    with page(chromium, check=False) as view:
        with serve() as first:
            open_page(view, first)
            choose(view, "Scheme", "user")
            wait_for_setting(view, "scheme", "user")
        for _ in range(2):
            view.evaluate("window.dispatchEvent(new Event('online'))")
            view.wait_for_timeout(300)
        panel = view.locator("#lmdk-ended")
        panel.get_by_text("The server does not answer").wait_for(timeout=30_000)
        assert "The address of this page contains your settings" in panel.inner_text()
        assert view.locator(".lmdk-output").evaluate("part => part.inert")
        with serve() as second:
            view.goto(f"{second}?{urlparse(view.url).query}")
            ready(view)
            assert chosen(view, "Scheme") == "user"


@pytest.mark.nightly
def test_pages_keep_their_settings_through_back_and_forward_and_a_reload(opened: Any) -> None:
    choose(opened, "Scheme", "skip")
    wait_for_setting(opened, "scheme", "skip")
    tab(opened, "Place")
    unfold(opened)
    choose(opened, "Area", "track")
    wait_for_setting(opened, "area", "track")
    assert asked(opened)["page"] == "place" and "scheme=skip" in asked(opened)["other.track"]
    tab(opened, "Series")
    assert asked(opened)["page"] == "series" and "area=track" in asked(opened)["other.place"]
    opened.go_back()
    ready(opened)
    assert asked(opened)["page"] == "place" and chosen(opened, "Area") == "track"
    opened.go_back()
    ready(opened)
    assert asked(opened)["scheme"] == "skip" and chosen(opened, "Scheme") == "skip"
    choose(opened, "Scheme", "user")
    opened.go_forward()
    ready(opened)
    until(lambda: (asked(opened), "scheme=user" in asked(opened)["other.track"]), "the other page's change")
    assert asked(opened)["area"] == "track"
    opened.reload()
    ready(opened)
    assert chosen(opened, "Area") == "track"
    tab(opened, "Track")
    assert chosen(opened, "Scheme") == "user"


@pytest.mark.nightly
def test_an_opened_link_outlives_a_change_of_page(opened: Any, address: Address) -> None:
    open_page(opened, f"{address}?page=series&epsilon=0.5")
    tab(opened, "Track")
    assert "epsilon=0.5" in asked(opened)["other.series"]
    opened.reload()
    ready(opened)
    tab(opened, "Series")
    assert asked(opened)["epsilon"] == "0.5" and "0.5" in seen(opened).locator("[data-lmdk=numbers]").inner_text()


@pytest.mark.nightly
@OF_A_KERNEL
def test_leaving_asks_while_data_of_ones_own_would_be_lost(opened: Any, address: Address) -> None:
    questions: list[str] = []
    opened.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    choose(opened, "Scheme", "skip")
    opened.reload()
    ready(opened)
    assert questions == [], "the settings are in the address"
    upload(opened, TRACK)
    opened.wait_for_function("document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === '12'")
    wait_for_setting(opened, "track", "")
    assert "landmarks" not in asked(opened) and "48." not in href(opened)
    said = end_kernel(opened, address)
    assert "but not your track and its landmarks" in said
    opened.get_by_role("button", name="Reload").click()
    ready(opened)
    assert questions == [], "there was nothing left to lose"
    upload(opened, TRACK)
    opened.wait_for_function("document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === '12'")
    opened.reload()
    ready(opened)
    assert questions == ["beforeunload"]


def test_who_stays_has_a_page_that_works(opened: Any) -> None:
    opened.on("dialog", lambda dialog: dialog.dismiss())
    upload(opened, TRACK)
    opened.wait_for_function("document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === '12'")
    opened.evaluate("setTimeout(() => location.reload(), 0)")
    opened.wait_for_timeout(1500)
    choose(opened, "Scheme", "user")
    wait_for(opened, "timestamps share the budget of 1")


@pytest.mark.nightly
def test_a_large_matrix_is_not_put_into_a_link(opened: Any) -> None:
    rows = np.random.default_rng(1).dirichlet(np.ones(60), 60)
    text = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
    unfold(opened)
    choose(opened, "Correlation", "matrix")
    box = seen(opened).get_by_label("Transition matrix", exact=True)
    box.fill(text)
    seen(opened).get_by_role("button", name="Use this matrix").click()
    opened.wait_for_timeout(1500)
    seen(opened).get_by_role("button", name="Copy link").click()
    seen(opened).get_by_text("No link was copied: with your matrix it would be too long").wait_for()
    assert len(urlparse(href(opened)).query) <= MAX_CHARACTERS
    choose(opened, "Scheme", "user")
    wait_for_setting(opened, "scheme", "user")
    opened.on("dialog", lambda dialog: dialog.accept())
    opened.reload()
    ready(opened)
    assert chosen(opened, "Scheme") == "user"


@pytest.mark.nightly
@OF_A_KERNEL
def test_what_is_drawn_on_the_map_of_places_is_said_to_be_missing(opened: Any, address: Address) -> None:
    open_page(
        opened,
        f"{address}?page=place&rows=3&columns=3&latitude=52.52&longitude=13.405&prior=painted&other=uniform&painted=[1,2,3,4,5,6,7,8,9]",
    )
    wait_for_setting(opened, "columns", "3")
    until(lambda: (href(opened), "latitude" not in href(opened)), "the address without a place")
    assert not {"latitude", "longitude", "painted"} & set(asked(opened)) and "52.5" not in href(opened)
    seen(opened).get_by_role("button", name="Copy link").click()
    said = "Link copied: it contains your settings, but not where the grid lies and the painted weights."
    seen(opened).get_by_text(said).wait_for()
    assert "13.4" not in opened.evaluate("navigator.clipboard.readText()")
    assert "but not where the grid lies and the painted weights" in end_kernel(opened, address)


@pytest.mark.nightly
def test_a_drag_writes_the_address_rarely(opened: Any) -> None:
    opened.evaluate("window.calls = []")
    slider = seen(opened).get_by_role("slider").first
    for _ in range(60):
        slider.press("ArrowLeft")
        opened.wait_for_timeout(120)
    opened.wait_for_timeout(1500)
    assert 5 <= len(opened.evaluate("window.calls")) <= 35  # 7 s: twenty at once, then one a second
    last = asked(opened)["epsilon"]
    opened.reload()
    ready(opened)
    assert asked(opened)["epsilon"] == last
    assert "epsilon" in asked(opened)


def test_a_token_is_never_kept(opened: Any, address: Address) -> None:
    open_page(opened, f"{address}?token=secret&epsilon=0.5")
    choose(opened, "Scheme", "user")
    wait_for_setting(opened, "scheme", "user")
    assert "token" not in href(opened) and asked(opened)["epsilon"] == "0.5"


@pytest.mark.nightly
def test_a_lesson_says_that_nothing_is_kept_and_copies_python(chromium: Any, tmp_path: Path) -> None:
    source = "from lmdk_widgets import QuiltLab\nQuiltLab()"
    cell = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": source}
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    grants = ["clipboard-read", "clipboard-write"]
    with serve(path) as lesson, page(chromium, permissions=grants, check=False) as view:
        view.goto(lesson)
        view.wait_for_selector(".lmdk-series[data-lmdk-ready]", timeout=60_000)
        view.get_by_label("Data", exact=True).select_option("binary")
        view.wait_for_function("document.querySelector('[data-lmdk=numbers]').textContent.includes('100')")
        view.get_by_role("button", name="Copy widget as Python").click()
        view.get_by_text("Python copied").wait_for()
        space: dict[str, Any] = {}
        program = view.evaluate("navigator.clipboard.readText()")
        exec(program.replace("\nQuiltLab(", "\nmade = QuiltLab("), space)
        assert space["made"].choices.source == "binary" and "?" not in href(view)
        assert "A reload starts this page again" in end_kernel(view, lesson)

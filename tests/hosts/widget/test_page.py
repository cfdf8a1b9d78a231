"""The explorer as its users meet it: a real Chromium against the real server, Bob's day on map, timeline and controls."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.budgets import SCHEMES
from tests.browser import open_tab, page
from tests.hosts.widget.explorer_shown import (
    choose_streets,
    numbers,
    numbers_with_draws,
    open_page,
    ring,
    shown,
    wait_for,
    wait_for_length,
)
from tests.server import Address

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

pytestmark = pytest.mark.browser

READ_P2 = "document.querySelector('.lmdk-readout').innerText.startsWith('p2')"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with shown(chromium, address) as view:
        yield view


def test_bobs_day_is_there_with_its_words(opened: Any) -> None:
    assert "four landmarks share 0.80 of the budget of 1" in numbers(opened)
    assert opened.title() and opened.evaluate("document.documentElement.lang") == "en"
    for role, name in [
        ("application", "Map"),
        ("combobox", "Track"),
        ("combobox", "Scheme"),
        ("slider", "Epsilon"),
        ("slider", "Protection radius"),
        ("combobox", "Correlation"),
        ("spinbutton", "Seed"),
        ("button", "Draw again"),
        ("button", "Undo"),
        ("button", "Redo"),
        ("button", "Copy link"),
    ]:
        assert opened.get_by_role(role, name=name, exact=True).count() == 1, name
    open_tab(opened, "timestamps")
    assert opened.get_by_role("listbox", name="Timestamps", exact=True).count() == 1
    assert opened.get_by_label("Upload a track or a series", exact=True).count() == 1
    assert opened.get_by_label("Save", exact=True).count() == 1


def test_a_click_on_the_map_marks_a_landmark(opened: Any) -> None:
    open_tab(opened, "timestamps")
    shot = opened.get_by_label("Map", exact=True)
    box = shot.bounding_box()
    # p2 by keyboard first, which rings it, tells where it is on the canvas
    shot.focus()
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    x, y = ring(opened)
    opened.mouse.move(box["x"] + x, box["y"] + y)
    opened.wait_for_function(READ_P2)
    opened.mouse.down()
    opened.mouse.up()
    wait_for(opened, "five landmarks share 0.83")
    opened.locator("[role=option][aria-selected=true]", has_text="p2").wait_for()


def test_the_keyboard_alone_marks_and_undoes(opened: Any) -> None:
    open_tab(opened, "timestamps")
    opened.get_by_role("listbox", name="Timestamps").focus()
    for key in ("Home", "ArrowDown", " "):
        opened.keyboard.press(key)
    wait_for(opened, "five landmarks")
    opened.keyboard.press("Control+z")
    wait_for(opened, "four landmarks")
    opened.keyboard.press("Control+Shift+z")
    wait_for(opened, "five landmarks")


def test_a_box_marks_many(opened: Any) -> None:
    open_tab(opened, "timestamps")
    box = opened.get_by_label("Map", exact=True).bounding_box()
    opened.keyboard.down("Shift")
    opened.mouse.move(box["x"] + 6, box["y"] + 90)
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5, steps=4)
    opened.mouse.up()
    opened.keyboard.up("Shift")
    opened.wait_for_function("document.querySelectorAll('[role=option][aria-selected=true]').length > 5")


def test_a_bar_toggles_and_hover_is_linked(opened: Any) -> None:
    open_tab(opened, "timestamps")
    plot = opened.locator(".lmdk-plot .lmdk-panel").first.bounding_box()
    x, y = plot["x"] + plot["width"] * 1.5 / 8, plot["y"] + plot["height"] - 6
    opened.mouse.move(x, y)
    opened.wait_for_function(READ_P2)
    assert "lmdk-hovered" in opened.get_by_role("option", name="p2").get_attribute("class")
    opened.mouse.down()
    opened.mouse.up()
    wait_for(opened, "five landmarks")


def test_dragging_epsilon_never_queues_and_the_last_value_wins(opened: Any) -> None:
    log = opened.evaluate(
        """async () => {
            const slider = document.querySelector('input[aria-label=Epsilon]');
            const root = document.querySelector('.lmdk-explorer');
            let painted = 0;
            new MutationObserver(() => painted++).observe(root, {attributeFilter: ['data-lmdk-painted']});
            for (let i = 0; i <= 600; i++) {
                slider.value = String(-2 + i / 200);
                slider.dispatchEvent(new Event('input', {bubbles: true}));
                if (i % 5 === 0) await new Promise((r) => setTimeout(r, 1));
            }
            slider.dispatchEvent(new Event('change', {bubbles: true}));
            const words = () => document.querySelector('[data-lmdk=numbers]').textContent;
            const deadline = performance.now() + 60000;
            while (!words().includes('of the budget of 10') && performance.now() < deadline) {
                await new Promise((r) => setTimeout(r, 20));
            }
            let before;
            do {
                before = painted;
                await new Promise((r) => setTimeout(r, 1000));
            } while (painted > before && performance.now() < deadline);
            return {painted, words: words()};
        }"""
    )
    assert "of the budget of 10" in log["words"], "the last value did not win"
    assert 1 <= log["painted"] < 300, "updates were queued one by one"
    opened.get_by_role("button", name="Undo").click()
    wait_for(opened, "of the budget of 1,")


@pytest.mark.nightly
def test_every_scheme_and_correlation_paints(opened: Any) -> None:
    seen = set()
    paintings = "document.querySelector('.lmdk-explorer').dataset.lmdkPainted"
    for name in ("Scheme", "Correlation"):
        select = opened.get_by_label(name, exact=True)
        chosen = select.input_value()
        for value in select.locator("option").evaluate_all("options => options.map((o) => o.value)"):
            before = opened.evaluate(paintings)
            select.select_option(value)
            if value != chosen:
                opened.wait_for_function(f"before => {paintings} !== before", arg=before)
            chosen = value
            seen.add(numbers(opened))
    assert len(seen) >= 11
    assert opened.locator(".lmdk-error:visible").count() == 0


def test_a_bad_number_gets_a_sentence_and_the_old_value_back(opened: Any) -> None:
    before = numbers_with_draws(opened)
    value = opened.get_by_label("Epsilon value")
    value.fill("-3")
    value.press("Enter")
    alert = opened.locator(".lmdk-error")
    alert.wait_for(state="visible")
    assert "Epsilon must be between 1e-9 and 1,000,000; got -3." in alert.inner_text()
    assert numbers(opened) == before
    value.blur()
    expect(value).to_have_value("1")


def test_without_a_connection_streets_say_so(opened: Any) -> None:
    opened.guard.allowed_hosts.add("tile.openstreetmap.org")
    opened.route("**/tile.openstreetmap.org/**", lambda route: route.abort())
    online = choose_streets(opened, "OpenStreetMap")
    opened.wait_for_selector("text=The street map cannot be reached")
    assert online.get_attribute("aria-pressed") == "false"
    opened.guard.forget()


@pytest.mark.nightly
def test_stay_points_are_proposed_and_marked_on_request(opened: Any) -> None:
    opened.get_by_label("Track", exact=True).select_option("commuter")
    wait_for(opened, "eight landmarks")
    opened.get_by_text("Propose landmarks").click()
    opened.locator("[data-panel=stays]").get_by_text(" found: ").wait_for()
    assert "eight landmarks" in numbers(opened)
    opened.get_by_role("button", name="Mark one timestamp of each").click()
    opened.wait_for_function("!document.querySelector('[data-lmdk=numbers]').textContent.includes('eight landmarks')")
    before = numbers_with_draws(opened)
    whole = opened.get_by_role("button", name="Mark all of their timestamps")
    whole.click()
    opened.wait_for_function("b => document.querySelector('[data-lmdk=numbers]').textContent !== b", arg=before)
    opened.locator("[data-panel=stays]").get_by_text("is a landmark already").wait_for()
    assert not whole.is_visible()
    opened.wait_for_function("location.search.includes('landmarks=0-92.')")
    opened.reload()
    opened.locator("[data-panel=stays]").get_by_text("is a landmark already").wait_for(timeout=60_000)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_and_nothing_runs_over(
    chromium: Any, address: Address, width: int, dark: bool, tmp_path: Path
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with page(chromium, width=width, height=900, dark=dark) as view:
        open_page(view, address)
        over = view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0
        found = Axe().run(view).response["violations"]
        serious = {v["id"]: str(v["nodes"])[:400] for v in found if v["impact"] in ("serious", "critical")}
        assert not serious


@pytest.mark.nightly
def test_two_pages_do_not_meet(chromium: Any, address: Address) -> None:
    with page(chromium) as one, page(chromium) as two:
        open_page(one, address)
        open_page(two, address)
        open_tab(one, "timestamps")
        one.get_by_role("option", name="p2").click()
        wait_for(one, "five landmarks")
        assert "four landmarks" in numbers(two)


@pytest.mark.nightly
def test_streets_are_fetched_only_when_asked_for(chromium: Any, address: Address) -> None:
    with page(chromium, allowed_hosts={"tile.openstreetmap.org"}, check=False) as view:
        view.route("**/tile.openstreetmap.org/**", lambda route: route.fulfill(body=PIXEL, content_type="image/png"))
        open_page(view, address)
        tiles: list[str] = []
        view.on("request", lambda request: "openstreetmap" in request.url and tiles.append(request.url))
        view.wait_for_timeout(300)
        assert not tiles
        with view.expect_request(lambda request: "openstreetmap" in request.url):
            choose_streets(view, "OpenStreetMap")
        view.locator(".leaflet-control-attribution", has_text="OpenStreetMap").wait_for()
        assert "OpenStreetMap" in view.inner_text(".leaflet-control-attribution")


def test_the_correlation_panel(opened: Any) -> None:
    correlation = opened.get_by_label("Correlation", exact=True)
    correlation.select_option("strength")
    opened.wait_for_function("document.querySelector('.lmdk-assumption').textContent.includes('strength s = 0.1')")
    slider = opened.get_by_label("Strength s", exact=True)
    slider.evaluate("s => { s.value = '2'; s.dispatchEvent(new Event('change', {bubbles: true})); }")
    opened.wait_for_function("document.querySelector('.lmdk-assumption').textContent.includes('strength s = 0.01')")
    opened.get_by_label("Adversary", exact=True).select_option("past")
    wait_for(opened, "reasons from the past")
    opened.get_by_text("The chain as a heat map").click()
    assert opened.get_by_role("img", name=re.compile("Heat map of the transition matrix. Five states")).is_visible()


def test_a_matrix_of_ones_own_and_a_bad_one(opened: Any) -> None:
    opened.get_by_label("Correlation", exact=True).select_option("matrix")
    field = opened.get_by_label("Transition matrix", exact=True)
    field.wait_for(state="visible")
    field.fill("0.8 0.1\n0 1")
    opened.get_by_role("button", name="Use this matrix").click()
    alert = opened.locator(".lmdk-error")
    alert.wait_for(state="visible")
    assert "Row 1" in alert.inner_text() and "0.9" in alert.inner_text()
    alert.get_by_role("button", name="Divide every row by its sum").click()
    opened.wait_for_function("document.querySelector('.lmdk-controls').textContent.includes('probability 0.89 to 1')")
    opened.get_by_label("Upload a matrix").set_input_files(
        {"name": "m.csv", "mimeType": "text/csv", "buffer": b"0.8,0.2\n0,1\n"}
    )
    opened.wait_for_function("document.querySelector('.lmdk-controls').textContent.includes('less than 0.22')")
    opened.get_by_label("Scheme", exact=True).select_option("event")
    wait_for(opened, "grows without bound")


@pytest.mark.nightly
def test_the_planner_and_the_comparison(opened: Any) -> None:
    opened.get_by_label("Scheme", exact=True).select_option("planned")
    wait_for(opened, "every timestamp loses 1")
    target = opened.get_by_label("Keep the loss at", exact=True)
    target.evaluate("s => { s.value = '-0.3'; s.dispatchEvent(new Event('change', {bubbles: true})); }")
    wait_for(opened, "every timestamp loses 0.50")
    opened.get_by_label("Show what the landmarks lose together").check()
    opened.wait_for_function("document.querySelector('.lmdk-plotframe').textContent.includes('landmarks ≤')")
    open_tab(opened, "compare")
    opened.get_by_text("Compare all schemes on these data").click()
    expect(opened.locator(".lmdk-tabular tbody tr")).to_have_count(len(SCHEMES) - 1)  # all but budgets by hand
    assert "Cao's plan" in opened.locator(".lmdk-tabular tr[aria-current]").inner_text()
    expect(opened.locator("[data-panel=compare]")).to_contain_text("Moving a landmark")  # is computed after the rows


@pytest.mark.nightly
def test_a_track_reported_as_cells_beside_planar_laplace(opened: Any) -> None:
    opened.get_by_label("Mechanism", exact=True).select_option("optimal")
    opened.wait_for_function("document.querySelector('[data-lmdk=numbers]').innerText.includes('Optimal on cells')")
    assert "than planar Laplace with the same budgets" in numbers(opened)
    before = numbers(opened)
    opened.get_by_label("Size of places", exact=True).first.focus()
    opened.keyboard.press("ArrowLeft")
    opened.wait_for_function("old => document.querySelector('[data-lmdk=numbers]').innerText !== old", arg=before)
    opened.get_by_label("Scheme", exact=True).select_option("adaptive")
    opened.wait_for_selector(".lmdk-error:visible")
    assert "sets its budgets as it releases" in opened.inner_text(".lmdk-error")
    assert opened.get_by_label("Scheme", exact=True).input_value() == "uniform"


@pytest.mark.nightly
def test_more_timestamps_than_pixels_are_drawn_as_pixels(opened: Any) -> None:
    opened.get_by_label("Track", exact=True).select_option("taxi")
    wait_for_length(opened, 10_000)
    opened.wait_for_function(
        """() => {
            const canvas = document.querySelector('.lmdk-dense');
            if (canvas.hidden) return false;
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const blue = data.filter((v, k) => k % 4 === 3 && data[k - 3] === 0x2b && data[k - 2] === 0x8c && v === 255);
            return blue.length > 2000;
        }""",
        timeout=60_000,
    )
    top = "() => document.querySelector('.lmdk-plot').drawn.axes.yaxis.range[1]"
    # epsilon is the highest line of the budgets, with a little room
    assert opened.evaluate(top) == pytest.approx(1.055)
    opened.get_by_label("Epsilon", exact=True).first.evaluate(
        "s => { s.value = '1'; s.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    opened.wait_for_function(f"Math.abs(({top})() - 10.55) < 1e-6")
    (low, high), ticks = opened.evaluate(
        """() => {
            const { yaxis3 } = document.querySelector('.lmdk-plot').drawn.axes;
            return [yaxis3.range.map((v) => 10 ** v), yaxis3.ticks.list.map(({ text }) => text)];
        }"""
    )
    assert low < 40 < high  # the error of event level
    assert 2 <= len(ticks) <= 6

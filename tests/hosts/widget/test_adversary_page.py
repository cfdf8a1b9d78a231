"""What an adversary infers, as a user meets it: on the map, over time, and with other knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import open_tab, page
from tests.server import Address, until

pytestmark = pytest.mark.browser

HEAT = """() => {
  const canvas = document.querySelector(".lmdk-below");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, k) => k % 4 === 3 && value > 0).length;
}"""


@pytest.fixture(params=[1280, 390])
def opened(chromium: Any, address: Address, request: Any) -> Iterator[Any]:
    with page(chromium, width=request.param, height=900) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        assert view.evaluate(HEAT) == 0
        summary = view.locator("[data-tab=attacker]")
        summary.focus()
        view.keyboard.press("Enter")
        view.get_by_text("is on average").wait_for(timeout=60_000)
        at(view, 0)
        yield view


def at(view: Any, index: int) -> None:
    view.wait_for_selector(f".lmdk-adversarymap[data-lmdk-at='{index}']", timeout=60_000)


def readout(view: Any) -> str:
    return view.locator(".lmdk-believed").inner_text()


@pytest.mark.nightly
def test_her_beliefs_follow_the_slider_by_keyboard(opened: Any) -> None:
    opened.wait_for_function(f"({HEAT})() > 500")
    assert readout(opened).startswith("p1 ◆: the attacker gives your true cell")
    slider = opened.get_by_label("Timestamp on the map")
    slider.focus()
    opened.keyboard.press("ArrowRight")
    at(opened, 1)
    assert readout(opened).startswith("p2: ") and "50\N{NO-BREAK SPACE}% of the belief lies in" in readout(opened)
    opened.wait_for_function("location.search.includes('attacker.at=1')", timeout=60_000)
    assert slider.get_attribute("aria-valuetext") == "p2"
    opened.keyboard.press("End")
    at(opened, 7)
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
    open_tab(opened, "words")
    opened.wait_for_function(f"({HEAT})() === 0")
    assert not opened.locator(".lmdk-adversarymap").is_visible()


@pytest.mark.nightly
def test_play_runs_to_the_end_and_pause_stops_it(opened: Any) -> None:
    play = opened.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    play.click()
    at(opened, 2)
    opened.get_by_role("button", name="Pause", exact=True).click()
    stopped = opened.locator(".lmdk-adversarymap").get_attribute("data-lmdk-at")
    opened.wait_for_timeout(1200)
    assert opened.locator(".lmdk-adversarymap").get_attribute("data-lmdk-at") == stopped
    play.click()
    at(opened, 7)
    play.wait_for()
    play.click()
    at(opened, 0)  # once more from the beginning


@pytest.mark.nightly
def test_who_wants_less_motion_goes_on_one_by_one(chromium: Any, address: Address) -> None:
    with page(chromium, height=900, reduced_motion="reduce") as view:
        view.goto(f"{address}?page=track&attacker.open=1&attacker.at=4")
        at(view, 4)
        go_on = view.get_by_role("button", name="Next", exact=True)
        go_on.click()
        at(view, 5)
        view.wait_for_timeout(1200)
        at(view, 5)


@pytest.mark.nightly
def test_a_cell_is_followed_over_time(opened: Any) -> None:
    legends = opened.locator(".lmdk-adversary .lmdk-panellegend")
    legends.first.get_by_text("from all").wait_for()
    opened.get_by_role("button", name="the true one").click()
    legends.first.get_by_text("cell ").wait_for()
    opened.get_by_role("button", name="none", exact=True).click()
    legends.first.get_by_text("cell ").wait_for(state="detached")
    box = opened.locator(".lmdk-map").bounding_box()
    opened.locator(".lmdk-map").scroll_into_view_if_needed()
    box = opened.locator(".lmdk-map").bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 3, box["y"] + 0.6 * box["height"])
    opened.wait_for_timeout(300)
    opened.mouse.down()
    opened.mouse.up()
    legends.first.get_by_text("cell ").wait_for()
    opened.wait_for_function("/attacker.cell=\\d/.test(location.search)", timeout=60_000)


@pytest.mark.nightly
def test_other_knowledge_gives_other_beliefs(opened: Any) -> None:
    found = opened.locator(".lmdk-found")
    before = found.inner_text()
    opened.get_by_label("What the attacker believes about moves").select_option("near")
    opened.get_by_text("expects moves to places nearby").wait_for()
    opened.get_by_label("A move nearby").fill("3000")
    opened.keyboard.press("Enter")
    opened.get_by_text("e times less likely for each further 3.0 km").wait_for()
    assert not opened.get_by_text("Upload check-ins").is_visible()
    opened.get_by_label("Where the attacker starts").select_option("people")
    opened.get_by_text("starts from a made-up city").wait_for()
    table = b"lat,lon,count\n48.8606,2.3376,30\n43.2965,5.3698,2\n"
    opened.get_by_label("Upload check-ins").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": table}
    )
    opened.get_by_text("from the 30 of your 32 check-ins").wait_for()
    opened.get_by_text("people.csv: 30 of 32 check-ins lie in the cells around the track.").wait_for()
    opened.get_by_label("Where the attacker starts").select_option("track")
    opened.get_by_text("how often they are in each cell or level, the worst case").wait_for()
    assert found.inner_text() != before
    opened.get_by_label("Track", exact=True).select_option("commuter")
    found.get_by_text("of 2,016 timestamps").wait_for(timeout=60_000)
    at(opened, 0)
    until(lambda: (said := readout(opened), said.startswith("home: ")), "her beliefs about the commuter")

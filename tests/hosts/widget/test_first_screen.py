"""The track page as a newcomer meets it: what the first screen shows, and what a finger does there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser import from_help, open_tab, page
from tests.hosts.widget.explorer_shown import numbers, numbers_with_draws, open_page, ring
from tests.server import Address, until

pytestmark = pytest.mark.browser

PAINTED = """k => {
  const canvas = document.querySelectorAll(".lmdk-canvas")[k];
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let i = 3; i < data.length; i += 4) painted += data[i] > 0;
  return (4 * painted) / data.length;
}"""
"""The share of a canvas of the map that holds colour: 0 has the release, 1 the track, 2 the hovered timestamp."""
LISTEN = """
window.drawn = { names: [], points: [] };
const { fillText, arc, clearRect } = CanvasRenderingContext2D.prototype;
const isBase = (context) => context.canvas.laidOn === document.querySelectorAll(".lmdk-canvas")[1];
Object.assign(CanvasRenderingContext2D.prototype, {
  fillText(text, x, y, ...more) {
    if (isBase(this) && /italic/.test(this.font)) window.drawn.names.push([text, x, y, this.measureText(text).width]);
    return fillText.call(this, text, x, y, ...more);
  },
  arc(x, y, r, ...more) {
    if (isBase(this)) window.drawn.points.push([x, y, r]);
    return arc.call(this, x, y, r, ...more);
  },
  clearRect(...given) {
    if (isBase(this)) window.drawn = { names: [], points: [] };
    return clearRect.apply(this, given);
  },
});
"""
"""Keeps where names of places and points of the track are drawn."""


def arrows(view: Any) -> list[dict[str, Any]]:
    """The arrows at the rim of the map: their words and their boxes."""
    return view.evaluate(
        """() => [...document.querySelectorAll(".lmdk-rimarrow")].map((arrow) => {
            const { left, top, right, bottom } = arrow.getBoundingClientRect();
            return { text: arrow.querySelector("span").innerText, left, top, right, bottom };
        })"""
    )


def meet(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]


@pytest.mark.parametrize("query", ["epsilon=0.01", "epsilon=0.1", "track=commuter&epsilon=0.05"])
@pytest.mark.parametrize("width", [390, 1280])
def test_releases_off_the_map_have_arrows_that_lie_apart(
    chromium: Any, address: Address, query: str, width: int
) -> None:
    with page(chromium, width=width, dark=width == 390) as view:
        open_page(view, f"{address}?{query}")
        found = arrows(view)
        assert found
        for arrow in found:
            number = r"[\d.,]+(\sk?m)?"
            assert re.fullmatch(rf"{number}|\d+ points(\n(up to )?{number}( to {number})?)?", arrow["text"]), arrow
        box = view.locator(".lmdk-map").bounding_box()
        frame = {
            "left": box["x"],
            "top": box["y"],
            "right": box["x"] + box["width"],
            "bottom": box["y"] + box["height"],
        }
        for k, arrow in enumerate(found):
            assert frame["left"] <= arrow["left"] and arrow["right"] <= frame["right"], arrow
            assert frame["top"] <= arrow["top"] and arrow["bottom"] <= frame["bottom"], arrow
            assert not any(meet(arrow, other) for other in found[:k]), arrow
        if query == "epsilon=0.01":
            counts = [re.match(r"(\d+) points", arrow["text"]) for arrow in found]
            assert sum(int(count[1]) if count else 1 for count in counts) == 8


def test_a_release_that_leaves_the_map_is_no_hairball(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, f"{address}?track=commuter&epsilon=0.05")
        assert view.evaluate(PAINTED, 0) < 0.05


def test_fit_shows_the_track_and_then_the_release_too(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, f"{address}?epsilon=0.01")
        scale = view.inner_text(".leaflet-control-scale-line")
        fit = view.get_by_role("button", name="Fit")
        view.locator(".leaflet-control-zoom-in").click()
        fit.click()
        assert view.inner_text(".leaflet-control-scale-line") == scale and arrows(view)
        fit.click()
        assert view.inner_text(".leaflet-control-scale-line") != scale and not arrows(view)
        fit.click()
        assert view.inner_text(".leaflet-control-scale-line") == scale and fit.inner_text() == "Fit all"


@pytest.mark.parametrize("track", ["bob", "commuter"])
def test_names_of_places_cover_no_point(chromium: Any, address: Address, track: str) -> None:
    with page(chromium) as view:
        view.add_init_script(LISTEN)
        open_page(view, f"{address}?track={track}")
        drawn = view.evaluate("window.drawn")
        assert drawn["names"] and drawn["points"]
        for text, x, y, width in drawn["names"]:
            for a, b, r in drawn["points"]:
                nearest = (max(x, min(x + width, a)), max(y - 10, min(y + 2, b)))
                assert (nearest[0] - a) ** 2 + (nearest[1] - b) ** 2 > r * r, text


def test_a_circle_wider_than_the_map_is_said_and_tints_nothing(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        open_page(view, f"{address}?epsilon=0.05")
        view.get_by_label("Map", exact=True).focus()
        view.keyboard.press("Home")
        assert "a circle wider than the map" in view.inner_text(".lmdk-readout")
        assert view.evaluate(PAINTED, 2) < 0.1
        view.get_by_label("Epsilon value").fill("9")
        view.get_by_label("Epsilon value").press("Enter")
        view.wait_for_function("document.querySelector('[data-lmdk=numbers]').innerText.includes('budget of 9,')")
        view.get_by_label("Map", exact=True).focus()
        view.keyboard.press("Home")
        assert "95\N{NO-BREAK SPACE}% within" in view.inner_text(".lmdk-readout")
        assert "wider than the map" not in view.inner_text(".lmdk-readout")


def test_a_finger_reads_a_timestamp_before_it_marks_it(chromium: Any, address: Address) -> None:
    with page(chromium, width=390, height=844, has_touch=True) as view:
        open_page(view, address)
        board = view.get_by_label("Map", exact=True)
        board.scroll_into_view_if_needed()
        board.focus()
        for key in ("Home", "ArrowRight"):
            view.keyboard.press(key)
        x, y = ring(view)
        box = board.bounding_box()
        before = numbers_with_draws(view)
        view.touchscreen.tap(box["x"] + x, box["y"] + y)
        view.wait_for_function("document.querySelector('.lmdk-readout').innerText.endsWith('Tap it again to mark it.')")
        assert view.inner_text(".lmdk-readout").startswith("p2") and numbers(view) == before
        view.touchscreen.tap(box["x"] + x, box["y"] + y)
        view.wait_for_function("document.querySelector('[data-lmdk=numbers]').innerText.includes('five landmarks')")
        view.wait_for_function("document.querySelector('.lmdk-readout').innerText.includes('unmark it')")
        view.touchscreen.tap(box["x"] + 60, box["y"] + box["height"] - 90)
        assert "Tap it again" not in view.inner_text(".lmdk-readout")


@pytest.mark.parametrize("query", ["landmark_loss=1", "landmark_loss=1&scheme=adaptive&average=1"])
@pytest.mark.parametrize("width", [390, 600, 1024, 1280])
def test_no_legend_of_the_timeline_is_cut(chromium: Any, address: Address, width: int, query: str) -> None:
    with page(chromium, width=width) as view:
        open_page(view, f"{address}?{query}")
        found = view.evaluate(
            """() => {
                const frame = document.querySelector(".lmdk-plotframe").getBoundingClientRect();
                const plot = document.querySelector(".lmdk-plot").drawn.axes;
                const axes = Object.keys(plot).filter((name) => /^yaxis\\d*$/.test(name)).sort();
                return [...document.querySelectorAll(".lmdk-panellegend")].map((legend, k) => {
                    const boxes = [...legend.children].map((part) => part.getBoundingClientRect());
                    const right = Math.max(...boxes.map((box) => box.right));
                    const [top, bottom] = [Math.min(...boxes.map((b) => b.top)), Math.max(...boxes.map((b) => b.bottom))];
                    const before = k ? plot[axes[k - 1]].offset + plot[axes[k - 1]].length : 0;
                    const panel = plot[axes[k]].offset;
                    return [legend.innerText, right - frame.right, bottom - frame.top - panel, before - (top - frame.top)];
                });
            }"""
        )
        assert len(found) == (4 if "adaptive" in query else 3)
        assert "landmarks ≤" in found[1][0] and "count" in found[1][0]
        for text, beyond, into_panel, into_panel_before in found:
            assert beyond <= 0 and into_panel <= 1 and into_panel_before <= 1, text


@pytest.mark.parametrize("track", ["bob", "commuter"])
def test_the_rate_and_the_threshold_of_adaptive_are_seen(chromium: Any, address: Address, track: str) -> None:
    with page(chromium) as view:
        open_page(view, f"{address}?track={track}")
        view.get_by_label("Scheme", exact=True).select_option("adaptive")
        view.wait_for_selector(".lmdk-panellegend:has-text('sampling rate')", timeout=60_000)
        assert "threshold" in view.locator(".lmdk-panellegend", has_text="error:").inner_text()
        low, high = view.evaluate("document.querySelector('.lmdk-plot').drawn.axes.yaxis4.range")
        assert (low, high) == (0, 1.05)
        view.get_by_label("Map", exact=True).focus()
        view.keyboard.press("Home")
        pattern = r"sampling rate 1, threshold [\d.]+\skm\. Click to (un)?mark it\.$"
        assert re.search(pattern, view.inner_text(".lmdk-readout"))
        assert "Sampling rate: " in view.inner_text(".lmdk-notes")
        view.get_by_label("Scheme", exact=True).select_option("uniform")
        view.wait_for_function("document.querySelectorAll('.lmdk-panellegend').length === 3", timeout=60_000)


def choose(view: Any, label: str, value: str) -> None:
    """Chooses from a list, and waits until the page has the answer."""
    before = numbers(view)
    view.get_by_label(label, exact=True).select_option(value)
    view.wait_for_function("b => document.querySelector('[data-lmdk=numbers]').innerText !== b", arg=before)


@pytest.mark.parametrize("width", [1024, 1280])
def test_warnings_come_and_go_without_moving_the_map(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width) as view:
        open_page(view, address)
        top = view.locator(".lmdk-map").bounding_box()
        chip = view.locator(".lmdk-warned > summary")
        items = view.locator(".lmdk-warnings li")
        counts = set()
        for label, value in [
            ("Correlation", "none"),
            ("Scheme", "event"),
            ("Correlation", "strong"),
            ("Scheme", "skip"),
        ]:
            choose(view, label, value)
            more = re.fullmatch(r"⚠ Simulation(?: \+(\d+))?", chip.inner_text())
            counts.add(1 + int(more[1] or 0))
            assert items.count() == 1 + int(more[1] or 0)
            assert view.locator(".lmdk-map").bounding_box() == top, value
            if value == "event":
                assert "Event level does not protect" in items.first.text_content(), "what has come stands first"
        assert len(counts) >= 3
        assert not items.first.is_visible()
        chip.click()
        items.first.wait_for()
        assert items.count() == max(counts) and "simulation, not a private release" in items.last.inner_text()
        assert view.locator(".lmdk-map").bounding_box() == top
        view.keyboard.press("Escape")
        items.first.wait_for(state="hidden")


@pytest.mark.parametrize("width", [1024, 1280])
def test_reading_a_timestamp_leaves_the_map_as_it_is(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width) as view:
        open_page(view, f"{address}?scheme=adaptive&epsilon=0.05")
        view.wait_for_function("document.querySelector('.lmdk-headlinevalue').textContent !== '\\u2026'")
        view.wait_for_timeout(1500)  # the text keeps the height of its longest state, which is measured once
        box = view.locator(".lmdk-map").bounding_box()
        view.get_by_label("Map", exact=True).focus()
        view.keyboard.press("End")
        assert "sampling rate" in view.inner_text(".lmdk-readout")
        assert view.locator(".lmdk-map").bounding_box() == box


@pytest.mark.parametrize("query", ["", "scheme=adaptive&epsilon=0.5", "track=commuter&landmark_loss=1"])
def test_answers_epsilon_and_map_are_on_the_first_screen(chromium: Any, address: Address, query: str) -> None:
    with page(chromium, width=1024, height=768) as view:
        open_page(view, f"{address}?{query}")
        view.wait_for_selector(".lmdk-plot .lmdk-drawing", timeout=60_000)
        slider = view.get_by_role("slider", name="Epsilon", exact=True)
        for part in (slider, view.locator(".lmdk-map"), view.locator(".lmdk-headlines")):
            box = part.bounding_box()
            assert box["y"] >= 0 and box["y"] + min(box["height"], 240) <= 768, box
            assert box["x"] >= 0 and box["x"] + box["width"] <= 1024, box


@pytest.mark.parametrize("width", [968, 848, 760])
def test_slider_and_charts_are_seen_together(chromium: Any, address: Address, width: int) -> None:
    """At the widths of a cell in JupyterLab with its list of files, and of a tablet."""
    with page(chromium, width=width, height=900) as view:
        open_page(view, f"{address}?track=commuter")
        view.wait_for_selector(".lmdk-plot .lmdk-drawing", timeout=60_000)
        slider, charts, map_, zoom, bar = (
            view.locator(part).first.bounding_box()
            for part in (
                "input[type=range]",
                ".lmdk-timelinepart",
                ".lmdk-map",
                ".leaflet-control-zoom",
                ".lmdk-mapbar",
            )
        )
        top, bottom = min(slider["y"], charts["y"]), max(slider["y"] + slider["height"], charts["y"] + charts["height"])
        assert bottom - top < 720, "one screen of JupyterLab in a window of 900 pixels"
        assert abs(charts["y"] - map_["y"]) < 12 and map_["x"] + map_["width"] <= charts["x"], "beside the map"
        assert zoom["x"] + zoom["width"] <= bar["x"], "nothing on the map covers its buttons"


@pytest.mark.parametrize("width", [320, 390, 600])
def test_the_comparison_is_not_cut(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width, dark=True) as view:
        open_page(view, f"{address}?mechanism=optimal&epsilon=0.02")
        open_tab(view, "compare")
        view.get_by_text("Compare all schemes on these data").click()
        view.wait_for_function(
            "document.querySelectorAll('[data-panel=compare] tbody tr').length === 12", timeout=90_000
        )
        frame = view.locator("[data-panel=compare] .lmdk-tableframe")
        assert frame.evaluate("f => f.scrollWidth <= f.clientWidth")
        right = frame.evaluate(
            "f => Math.max(...[...f.querySelectorAll('td')].map((d) => d.getBoundingClientRect().right))"
        )
        assert right <= width


@pytest.mark.nightly
@pytest.mark.parametrize("track", ["bob", "commuter"])
def test_on_a_phone_the_answers_stay_in_view_while_a_control_moves(chromium: Any, address: Address, track: str) -> None:
    with page(chromium, width=390, height=844) as view:
        open_page(view, f"{address}?track={track}")
        slider = view.get_by_role("slider", name="Epsilon", exact=True)
        answers = view.locator(".lmdk-headlines")
        for part in (answers, view.locator(".lmdk-map"), slider):
            box = part.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= 844, box
        radius = view.get_by_role("slider", name="Protection radius", exact=True)
        radius.scroll_into_view_if_needed()
        view.mouse.wheel(0, 200)
        view.wait_for_timeout(300)
        seen = {answers.inner_text()}
        for _ in range(2):
            box, control = answers.bounding_box(), radius.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= control["y"] <= 844 - control["height"]
            for _ in range(10):
                radius.press("ArrowLeft")
            seen.add(until(lambda: (found := answers.inner_text(), found not in seen), "other answers"))
        assert len(seen) == 3


SHOWN = ".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]"
SIZES = """() => {
  const shown = [...document.querySelectorAll(".lmdk-explorer")].find((page) => page.offsetParent);
  const letters = (name) => parseFloat(getComputedStyle(shown.querySelector(name)).fontSize);
  const plots = [...shown.querySelectorAll(".lmdk-plot, .lmdk-figureplot")].map((plot) => plot.drawn?.letters);
  return [letters(".lmdk-paragraph"), letters(".lmdk-controls select"), shown.querySelector("button").offsetHeight, plots[0]];
}"""
"""Pixels of the letters of the text, of a control, of a button's height and of the letters of the first chart."""


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["track", "place", "series"])
def test_present_enlarges_all_pages_and_is_remembered(chromium: Any, address: Address, name: str) -> None:
    def sizes() -> list[float]:
        view.wait_for_function(f"({SIZES})()[3]", timeout=60_000)
        view.wait_for_timeout(800)
        return view.evaluate(SIZES)

    def again(expected: list[float]) -> bool:
        return any(sizes() == expected for _ in range(20))

    with page(chromium) as view:
        open_page(view, f"{address}?page={name}")
        before = sizes()
        present = from_help(view, "Present")
        present.click()
        grown = lambda: all(now > 1.25 * then for now, then in zip(sizes(), before, strict=True))  # noqa: E731
        assert any(grown() for _ in range(20)), (before, sizes())
        larger = sizes()
        assert from_help(view, "Present").get_attribute("aria-pressed") == "true"  # the menu was closed
        over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert view.evaluate(over) <= 0
        view.reload()
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=90_000)
        assert again(larger), (larger, sizes())
        view.locator(f".lmdk-nav [data-page={'place' if name == 'track' else 'track'}]").click()
        view.wait_for_selector(f"{SHOWN}", timeout=90_000)
        elsewhere = from_help(view, "Present")
        assert elsewhere.get_attribute("aria-pressed") == "true"
        elsewhere.click()
        view.locator(f".lmdk-nav [data-page={name}]").click()
        assert again(before), (before, sizes())


def test_a_tap_on_a_card_shows_its_line_on_a_phone(chromium: Any, address: Address) -> None:
    with page(chromium, width=400, has_touch=True) as view:
        open_page(view, address)
        card = view.locator(".lmdk-headlines > li", has_text="Promised")
        line = card.get_by_text("right guesses about one moment, at most; 74 about")
        assert not line.is_visible()
        card.tap()
        line.wait_for()
        assert card.bounding_box()["width"] > 300 and not card.locator(".lmdk-headlineshort").is_visible()
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        card.tap()
        line.wait_for(state="hidden")

"""The exported map in a real Chromium, from a file, offline: it draws, it asks for nothing, it runs no text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest

from lmdk_widgets.io import NOTE, programs, release_map_html
from tests.browser import browser, page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (programs.STATIC / "leaflet.js").exists(), reason="the package is not built"),
]

HOSTILE = (
    "</script><script>hacked=1</script><img src=x onerror=hacked=1>",
    "{{ hacked }}{% raw %} ${hacked=1} `+(hacked=1)+` '-(hacked=1)-' \"-(hacked=1)-\"",
    "<!-- <script> ]]> &lt;b&gt; \\u003cimg src=x onerror=hacked=1\\u003e \u2028",
)

# How many pixels of the canvas are coloured, and of which the release's pink is told by its red above its green.
PINK = """() => { const canvas = document.querySelector("canvas");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 60 && data[i] - data[i + 1] > 60) count++;
  return count; }"""
LAYERS = "Object.values(window).filter((value) => value instanceof L.GeoJSON).map((layer) => layer.getLayers().length)"

WHERE = """(place) => { const map = Object.values(window).find((value) => value instanceof L.Map);
  const inside = map.latLngToContainerPoint(place), box = map.getContainer().getBoundingClientRect();
  return [box.x + inside.x, box.y + inside.y]; }"""


@pytest.fixture(scope="module")
def chromium() -> Iterator:
    with browser() as started:
        yield started


@pytest.fixture
def show(chromium, tmp_path) -> Iterator:
    """Opens the map of a release from a file, offline; whatever the page asks for or complains about fails the test."""
    path = tmp_path / "map.html"

    def show(latitude, longitude, *, dark=False, width=1000, check=True, title="Release", note=NOTE, places=()):
        time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(len(latitude)) * np.timedelta64(60, "s")
        path.write_text(release_map_html(time, latitude, longitude, title=title, note=note, places=places), "utf-8")
        opened = pages.enter_context(page(chromium, width=width, height=700, dark=dark, check=check, offline=True))
        opened.goto(path.as_uri())
        opened.wait_for_selector("canvas")
        asked.append((opened.guard, path.as_uri()))
        return opened

    asked: list = []
    with ExitStack() as pages:
        yield show
        for guard, url in asked:
            assert guard.requests == [url]
            assert guard.warnings == []


@pytest.mark.nightly
def test_ten_thousand_points(show) -> None:
    rng = np.random.default_rng(1)
    steps = rng.normal(0, 0.001, (2, 10_000)).cumsum(axis=1)
    opened = show(48.85 + steps[0], 2.35 + steps[1])
    assert 10_000 in opened.evaluate(LAYERS)
    assert opened.evaluate(PINK) > 5_000
    assert opened.evaluate("document.querySelectorAll('canvas').length") == 1


def test_what_a_reader_sees(show) -> None:
    opened = show([48.85, 48.86], [2.35, 2.36], title="Bob's day", places=[(48.8566, 2.3522, "Île de la Cité")])
    assert opened.title() == opened.inner_text("h1") == "Bob's day"
    banner = opened.locator(".note")
    assert banner.is_visible() and NOTE in banner.inner_text()
    assert opened.locator(".leaflet-tooltip.place").all_inner_texts() == ["Île de la Cité"]
    assert opened.locator(".leaflet-tooltip.degrees").count() >= 4
    assert opened.get_by_role("region", name="Map of the released points").is_visible()
    x, y = opened.evaluate(WHERE, [48.86, 2.36])
    opened.mouse.move(x - 20, y)
    opened.wait_for_timeout(100)  # Leaflet looks where the mouse is every 32 ms
    opened.mouse.move(x, y)
    opened.get_by_text("2026-01-26T08:01:00Z", exact=True).wait_for()


def test_labels_do_not_lie_on_each_other(show) -> None:
    places = [(48.8566, 2.3522, "Hôtel de Ville"), (48.8567, 2.3523, "Châtelet"), (48.90, 2.40, "Pantin")]
    labels = show([48.85, 48.92], [2.35, 2.42], places=places).locator(".leaflet-tooltip.place")
    assert [label.is_visible() for label in labels.all()] == [True, False, True]


@pytest.mark.each_case
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_program(show, text: str) -> None:
    opened = show(
        [48.85, 48.86], [2.35, 2.36], title=text, note="n" + text.replace("\u2028", ""), places=[(48.85, 2.35, text)]
    )
    assert opened.evaluate("typeof hacked") == "undefined"
    assert opened.evaluate("document.querySelectorAll('img').length") == 0
    assert opened.evaluate("document.querySelector('.place span').textContent") == text
    assert opened.evaluate("document.querySelector('h1').textContent") == " ".join(text.split())
    assert opened.evaluate("document.querySelector('.note').textContent") == "n" + " ".join(text.split())


def test_the_page_could_not_ask_for_anything(show) -> None:
    opened = show([48.85], [2.35], check=False)
    fetched = "fetch('data:text/plain,x').then(() => true, () => false)"
    assert opened.evaluate(fetched) is False


def test_across_the_antimeridian_in_one_piece(show) -> None:
    rng = np.random.default_rng(3)
    longitude = (180 + np.linspace(-0.3, 0.3, 60) + rng.normal(0, 0.02, 60) + 180) % 360 - 180
    assert longitude.min() < -179 and longitude.max() > 179
    opened = show(-16.8 + rng.normal(0, 0.05, 60), longitude, places=[(-16.8, -179.95, "East")])
    spans = opened.evaluate(
        "Object.values(window).filter((v) => v instanceof L.Polyline && !Array.isArray(v.getLatLngs()[0]))"
        ".map((v) => v.getBounds()).map((b) => b.getEast() - b.getWest())"
    )
    assert spans and max(spans) < 1
    assert opened.evaluate(PINK) > 500
    place = opened.locator(".leaflet-tooltip.place").bounding_box()
    assert place is not None and 0 < place["x"] < 1000 and 0 < place["y"] < 700


@pytest.mark.parametrize(
    ("latitude", "longitude"), [([], []), ([np.nan], [np.nan]), ([90.0], [-180.0]), ([0.0] * 3, [0.0] * 3)]
)
def test_releases_of_nothing_and_at_the_ends_of_the_earth(show, latitude, longitude) -> None:
    opened = show(latitude, longitude)
    assert opened.locator(".leaflet-tooltip.degrees").count() >= 2


def test_a_release_as_wide_as_the_earth(show) -> None:
    rng = np.random.default_rng(5)
    opened = show(np.degrees(np.arcsin(rng.uniform(-1, 1, 300))), rng.uniform(-180, 180, 300))
    assert opened.evaluate(PINK) > 1_000


def test_dark_and_narrow(show) -> None:
    papers = set()
    for dark in (False, True):
        opened = show([48.85, 48.86], [2.35, 2.36], dark=dark, width=400, title="A" * 300)
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
        papers.add(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert opened.locator(".folium-map").bounding_box()["height"] >= 240
        assert opened.evaluate(PINK) > 20
    assert papers == {"rgb(255, 255, 255)", "rgb(18, 24, 31)"}

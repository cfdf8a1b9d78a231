"""What users take away, in a real browser: a question, two options, and a report that is read on another computer without
a network; charts as pictures and data on every page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer, PlacesLab
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.scenario import Scenario
from tests.browser import open_tab, page
from tests.hosts.widget.test_reports import drawings_of
from tests.server import Address

pytestmark = pytest.mark.browser

SIMULATION = "simulation, not a private release"


def open_page(view: Any, address: str, query: str) -> None:
    view.goto(f"{address}?page={query}")
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)


def saved(view: Any, item: str, folder: Path, count: int = 1) -> list[Path]:
    """The files that an entry of the Save menu gives."""
    files: list[Any] = []

    def keep(file: Any) -> None:
        files.append(file)

    view.on("download", keep)
    root = view.locator(".lmdk-explorer:visible")
    root.get_by_label("Save", exact=True).click()
    root.get_by_role("button", name=item, exact=True).click()
    for _ in range(300):
        if len(files) == count:
            break
        view.wait_for_timeout(100)
    assert len(files) == count, view.locator(".lmdk-notice").all_inner_texts()
    view.remove_listener("download", keep)
    paths = []
    for file in files:
        file.save_as(folder / file.suggested_filename)
        paths.append(folder / file.suggested_filename)
    return paths


def read_report(chromium: Any, path: Path, width: int) -> tuple[str, int, dict[str, Any]]:
    """A report opened from disk on a machine without a network: its text, its visible charts, and its widths."""
    with page(chromium, width=width, height=900, offline=True) as reader:
        reader.goto(path.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        assert reader.guard.requests == [path.as_uri()] and reader.guard.warnings == []
        charts = reader.locator("figure.chart svg:visible").count()
        sizes = reader.evaluate(
            """() => ({ wide: document.documentElement.scrollWidth, seen: innerWidth, letters: Math.min(
              ...[...document.querySelectorAll("figure.chart svg")].filter((one) => one.checkVisibility()).map((one) =>
                one.getBoundingClientRect().width / one.viewBox.baseVal.width * 12)) })"""
        )
        return reader.inner_text("body"), charts, sizes


@pytest.mark.nightly
def test_a_question_two_options_and_a_report_read_elsewhere(chromium: Any, address: Address, tmp_path: Path) -> None:
    with page(chromium, accept_downloads=True) as view:
        open_page(view, address, "track")
        open_tab(view, "compare")
        view.get_by_role("button", name="Pin these settings").click()
        view.wait_for_selector(".lmdk-haspinned")
        view.get_by_label("Scheme", exact=True).select_option("adaptive")
        view.get_by_text("Scheme Uniform → Adaptive").wait_for()
        view.locator("[data-lmdk=numbers]", has_text="No mechanism with these").wait_for(state="attached")  # draws
        told = view.inner_text("[data-lmdk=numbers]").replace("\N{NO-BREAK SPACE}", " ")
        (path,) = saved(view, "Report: a page to read and print", tmp_path)
    assert path.name == "simulation-not-a-private-release_bob_adaptive_epsilon-1_report.html"
    assert path.stat().st_size < 2_000_000
    for width in (1280, 390):
        text, charts, sizes = read_report(chromium, path, width)
        assert text.startswith("How private is this track?") and text.count(SIMULATION) >= 3
        assert told in text.replace("\n", " ") or told in text
        assert "Two options" in text and "Scheme Uniform → Adaptive" in text and "What this rests on" in text
        assert charts == 4, "budgets, losses, errors, and the rate of Adaptive"
        assert sizes["wide"] <= sizes["seen"] and sizes["letters"] > 10


def test_the_map_of_a_report_is_that_of_the_page(chromium: Any, tmp_path: Path) -> None:
    """Drawn by the same program, once for each width, in light colours: the likeliest cell has the class of its value."""
    path = tmp_path / "places.html"
    lab = PlacesLab(PlaceChoices(rows=2, columns=3, prior="uniform", mechanism="planar", level=7.0))
    lab.finish()
    path.write_bytes(lab.report().data)
    likeliest = int(lab.outcome.shown.values.argmax())
    assert lab.outcome.shown.values[likeliest] > 0.3
    column, row = (lab.outcome.area.squares - lab.outcome.area.squares.min(axis=0))[likeliest].tolist()
    for width, name in ((1280, "wide"), (390, "narrow")):
        with page(chromium, width=width, dark=True, offline=True) as reader:
            reader.goto(path.as_uri())
            reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
            assert (
                reader.guard.requests == [path.as_uri()]
                and reader.locator("figure.map:not(.card *) canvas:visible").count() == 1
            )
            drawn = reader.locator(f"figure.map:not(.card *) canvas.{name}")
            assert drawn.get_attribute("aria-label") == "Map of the cells"
            at = [(column + 0.5) / 3, (1 - row + 0.12) / 2]  # beside the marks, which stand in the middle
            side = "Math.min(one.width / 3, one.height / 2)"
            pixel = drawn.evaluate(
                f"""(one, [x, y]) => {{
                  const side = {side}, left = (one.width - 3 * side) / 2;
                  return [...one.getContext("2d").getImageData(left + 3 * x * side, 2 * y * side, 1, 1).data].slice(0, 3);
                }}""",
                at,
            )
            assert pixel == [0x0B, 0x38, 0x66]


# the pixels of a canvas in a colour, each as its column and row in pixels of the page
COLOURED = """(canvas, [red, green, blue]) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), found = [];
  for (let k = 0; k < data.length; k += 4)
    if (data[k] === red && data[k + 1] === green && data[k + 2] === blue && data[k + 3] === 255)
      found.push([((k / 4) % canvas.width) / 3, Math.floor(k / 4 / canvas.width) / 3]);
  return found;
}"""


def test_a_report_draws_each_point_where_a_mercator_map_has_it(chromium: Any, tmp_path: Path) -> None:
    """By hand: equal steps of longitude are equal steps to the right, north is up, and larger the farther north it is."""
    lab = Explorer("bob", scenario=Scenario(epsilon=0.001))
    path = tmp_path / "bob.html"
    path.write_bytes(lab.report().data)
    released = lab.session.afresh()
    points = np.array([released.longitude, np.degrees(np.arctanh(np.sin(np.radians(released.latitude))))]).T
    for width, name, seen in ((1280, "wide", 680), (390, "narrow", 350)):
        with page(chromium, width=width, dark=True, offline=True) as reader:
            reader.goto(path.as_uri())
            reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
            assert (
                reader.guard.requests == [path.as_uri()]
                and reader.locator("figure.map:not(.card *) canvas:visible").count() == 1
            )
            canvas = reader.locator(f"figure.map:not(.card *) canvas.{name}")
            assert canvas.get_attribute("aria-label") == "Map of the released points"
            height = canvas.evaluate("(canvas) => canvas.height") / 3
            drawn = np.array(canvas.evaluate(COLOURED, [0x8A, 0x2F, 0x73]))  # of the crosses, in the light
        middle, span = (points.max(axis=0) + points.min(axis=0)) / 2, np.ptp(points, axis=0)
        scale = min((seen - 72) / span[0], (560 - 72) / span[1])
        expected = np.array([seen, height]) / 2 + (points - middle) * scale * [1, -1]
        far = np.hypot(*(drawn[:, None] - expected[None]).T)
        assert far.min(axis=1).max() < 2, "a cross at every point"
        assert far.min(axis=0).max() < 8, "and nowhere else"


@pytest.mark.nightly
def test_a_report_draws_a_series_and_a_belief_as_the_page_does(chromium: Any, tmp_path: Path) -> None:
    """The greatest value is the highest; the cells of a class have its colour, north is up, and the star is on the guess."""
    path = tmp_path / "report.html"
    household = Explorer("household")
    path.write_bytes(household.report().data)
    values = household.session.afresh().values
    with page(chromium, width=1280, dark=True, offline=True) as reader:
        reader.goto(path.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        canvas = reader.locator("figure.map canvas.wide")
        assert canvas.get_attribute("aria-label") == "Chart of the released values"
        drawn = np.array(canvas.evaluate(COLOURED, [0x8A, 0x2F, 0x73]))
    for index, at in ((int(values.argmax()), drawn[:, 1].argmin()), (int(values.argmin()), drawn[:, 1].argmax())):
        assert drawn[at, 0] == pytest.approx(58 + index / (len(values) - 1) * (680 - 12 - 52 - 12), abs=3)
    bob = Explorer("bob", choices={"attacker.open": True, "attacker.at": 4})
    path.write_bytes(bob.report().data)
    belief = drawings_of(path.read_text("utf-8"))["belief"]
    squares, classes = np.array(belief["squares"]), np.array(belief["marks"]) & 7
    columns, rows = squares.max(axis=0) + 1
    side = min(676 / columns, 560 / rows, 40)
    with page(chromium, width=1280, dark=True, offline=True) as reader:
        reader.goto(path.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        canvas = reader.locator("figure.map canvas.wide").nth(1)
        assert canvas.get_attribute("aria-label") == "Map of what an attacker believes"
        # a corner of each cell that the star and the lines leave free, and the middle of the star
        at = np.array([680 / 2 - side * columns / 2, 2]) + side * (squares * [1, -1] + [0.2, rows - 0.2])
        guess = np.array([680 / 2 - side * columns / 2, 2]) + side * (
            squares[belief["guess"]] * [1, -1] + [0.5, rows - 0.5]
        )
        pixels = canvas.evaluate(
            "(canvas, places) => places.map(([x, y]) => "
            "[...canvas.getContext('2d').getImageData(Math.round(3 * x), Math.round(3 * y), 1, 1).data].slice(0, 3))",
            [*at.tolist(), guess.tolist()],
        )
    assert pixels[-1] == [255, 255, 255], "a star in white"
    seen = {int(level): {tuple(pixels[k]) for k in np.flatnonzero(classes == level)} for level in np.unique(classes)}
    assert len(seen) >= 3 and all(len(colours) == 1 for colours in seen.values())
    assert len({colour for colours in seen.values() for colour in colours}) == len(seen)
    shades = [sum(next(iter(seen[level]))) for level in sorted(seen)]
    assert shades == sorted(shades, reverse=True), "the darker, the likelier"


@pytest.mark.nightly
def test_a_report_prints_on_a4(chromium: Any, address: Address, tmp_path: Path) -> None:
    with page(chromium, accept_downloads=True) as view:
        open_page(view, address, "track&trade_off.open=1")
        (path,) = saved(view, "Report: a page to read and print", tmp_path)
    with page(chromium, width=390, dark=True, offline=True) as reader:
        reader.goto(path.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        printed = reader.pdf(prefer_css_page_size=True, print_background=True)
        reader.emulate_media(media="print")
        assert reader.locator("figure.chart svg:visible").count() == reader.locator("figure.chart").count()
        assert reader.locator("svg.narrow:visible").count() == reader.locator(".first figure.chart").count() == 3
        assert reader.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        breaks = reader.evaluate(
            "[...document.querySelectorAll('figure, tr')].map((one) => getComputedStyle(one).breakInside)"
        )
        assert set(breaks) == {"avoid"}
    boxes = re.findall(rb"/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+)", printed)
    assert 2 <= len(boxes) <= 12
    assert {(round(float(w)), round(float(h))) for w, h in boxes} == {(595, 842)}


@pytest.mark.parametrize(("query", "count"), [("track", 3), ("series&source=binary", 7), ("table&part=noise", 5)])
def test_charts_are_saved_as_pictures(chromium: Any, address: Address, tmp_path: Path, query: str, count: int) -> None:
    with page(chromium, dark=True, accept_downloads=True) as view:
        open_page(view, address, query)
        drawings = saved(view, "Charts as SVG", tmp_path, count)
        images = saved(view, "Charts as PNG", tmp_path, count)
    assert [path.stem for path in drawings] == [path.stem for path in images]
    assert all(path.name.startswith("simulation-not-a-private-release_") for path in drawings)
    for path in drawings:
        text = path.read_text("utf-8")
        assert text.startswith("<svg") and SIMULATION in text
        assert "#eef2f6" not in text and "rgb(238, 242, 246)" not in text, "light, whatever the page is"
    for path in images:
        assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000


@pytest.mark.nightly
def test_every_page_has_a_report_and_its_data(chromium: Any, address: Address, tmp_path: Path) -> None:
    with page(chromium, accept_downloads=True) as view:
        open_page(view, address, "place&rows=3&columns=3")
        view.wait_for_selector(".lmdk-place[data-lmdk-busy='']", timeout=120_000)
        (report,) = saved(view, "Report: a page to read and print", tmp_path)
        (channel,) = saved(view, "Channel as CSV, with its certificate", tmp_path)
        assert len(channel.read_text("utf-8").splitlines()) == 10
        open_page(view, address, "series&source=binary")
        for item in (
            "Quilt of every timestamp as CSV",
            "Mechanisms in numbers as CSV",
            "Histogram as CSV, true and released",
        ):
            (file,) = saved(view, item, tmp_path)
            assert SIMULATION in file.read_text("utf-8")
        open_page(view, address, "table")
        (table,) = saved(view, "This part as CSV", tmp_path)
        assert table.name == "anonymised-table_table_t1.csv"
    text, charts, sizes = read_report(chromium, report, 390)
    assert text.startswith("How private is a reported place?") and "ε certified" in text
    assert charts == 3 and sizes["wide"] <= sizes["seen"]

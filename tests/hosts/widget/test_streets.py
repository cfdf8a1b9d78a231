"""Streets without a network: of a file that the server has, of one that is opened on the page, of a notebook's kernel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer, PlacesLab, TrajectoryMap
from lmdk_widgets.errors import InputError
from lmdk_widgets.io.basemap import MOST_BYTES
from tests.basemaps import around, picture, streets, write
from tests.browser import page
from tests.hosts.serving.rooms import room
from tests.hosts.widget.explorer_shown import choose_streets, open_page
from tests.server import Address, serve

BOB = around(2.335, 48.866, range(15))
FAR = around(-70.0, -30.0, range(5, 15))
SEEN = """() => {
  const map = document.querySelector(".lmdk-map").getBoundingClientRect();
  const colours = new Set();
  let drawn = 0;
  for (const tile of document.querySelectorAll(".leaflet-tile-pane canvas, .leaflet-tile-pane img")) {
    const box = tile.getBoundingClientRect();
    if (box.right < map.left || box.left > map.right || box.bottom < map.top || box.top > map.bottom) continue;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const context = canvas.getContext("2d");
    if (tile.width) context.drawImage(tile, 0, 0, 64, 64);
    const { data } = context.getImageData(0, 0, 64, 64);
    for (let k = 0; k < data.length; k += 4) data[k + 3] > 200 && ++drawn && colours.add(data.slice(k, k + 3).join());
  }
  return { drawn, colours: [...colours] };
}"""
"""How many points of the tiles that are seen have a colour, and which."""
CREDIT = ".leaflet-control-attribution"
NOTE = ".lmdk-mapnote"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps")
    write(folder / "city.pmtiles", BOB, streets())
    write(folder / "far.pmtiles", FAR, streets())
    write(folder / "red.pmtiles", BOB, picture(200, 30, 30), kind=2, packing=1, metadata={})
    return folder


@pytest.fixture(scope="module", params=["room", "kernel"])
def served(files: Path, request: pytest.FixtureRequest) -> Iterator[Address]:
    """A room's server gives the file to its pages, a page of one person gets it from its kernel."""
    file = files / "city.pmtiles"
    with room(basemap=str(file)) if request.param == "room" else serve(basemap=file) as running:
        yield running


def drawn(view: Any) -> list[list[int]]:
    """The colours of the streets, as soon as they are drawn."""
    view.wait_for_function(f"() => ({SEEN})().drawn > 4000", timeout=60_000)
    view.wait_for_timeout(500)
    return [list(map(int, colour.split(","))) for colour in view.evaluate(SEEN)["colours"]]


def opens(view: Any, path: Path) -> None:
    view.locator(".lmdk-streets:visible > summary").click()
    view.locator(".lmdk-streets:visible input[type=file]").set_input_files(path)


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_servers_file_is_drawn_under_the_track_and_nobody_else_is_asked(
    chromium: Any, served: Address, width: int, dark: bool
) -> None:
    with page(chromium, width=width, dark=dark) as view:
        open_page(view, served)
        colours = drawn(view)
        assert len(colours) > 5  # land, water, streets, and what lies between
        assert (sum(map(sum, colours)) / len(colours) / 3 < 110) == dark
        assert view.inner_text(CREDIT) == "city.pmtiles: The city of Test"
        assert view.locator(f"{CREDIT} b").count() == 0
        asked = [url for url in view.guard.requests if "/lmdk/basemap/" in url]
        assert (2 if served.page == served else 0) <= len(asked) < 30 and view.evaluate("window.__x") is None
        before = view.locator(".lmdk-map").screenshot()
        choose_streets(view, "city.pmtiles")
        view.locator(CREDIT).wait_for(state="hidden")
        assert view.evaluate(SEEN)["drawn"] == 0
        assert view.locator(".lmdk-map").screenshot() != before
        view.locator(".lmdk-streets > summary").click()
        box = view.locator(".lmdk-streets .lmdk-menuitems").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width  # the fold has room on a telephone


@pytest.mark.nightly
@pytest.mark.browser
def test_places_has_them_too(chromium: Any, served: Address) -> None:
    with page(chromium) as view:
        view.goto(f"{served}?page=place")
        view.wait_for_selector(".lmdk-place[data-lmdk-ready]", timeout=60_000)
        view.locator(CREDIT, has_text="city.pmtiles").wait_for()


@pytest.mark.nightly
@pytest.mark.browser
def test_light_streets_become_dark_with_the_page(chromium: Any, served: Address) -> None:
    with page(chromium) as view:
        open_page(view, served)
        light = drawn(view)
        view.emulate_media(color_scheme="dark")
        view.wait_for_function(f"() => ({SEEN})().colours.some((one) => one.split(',').every((v) => v < 60))")
        dark = drawn(view)
        assert sum(map(sum, dark)) / len(dark) < sum(map(sum, light)) / len(light) - 200


@pytest.mark.browser
def test_a_file_of_ones_own_is_drawn_and_sent_nowhere(
    chromium: Any, address: Address, files: Path, tmp_path: Path
) -> None:
    sent: list[int] = []
    with page(chromium, accept_downloads=True) as view:
        listens = lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame)))  # noqa: E731
        view.on("websocket", listens)
        open_page(view, address)
        assert not any("streets.js" in url for url in view.guard.requests)  # loaded when it is needed
        view.wait_for_timeout(1000)
        view.guard.requests.clear()
        sent.clear()
        opens(view, files / "city.pmtiles")
        assert len(drawn(view)) > 5
        assert view.inner_text(CREDIT) == "city.pmtiles: The city of Test"
        asked = [url for url in view.guard.requests if not url.startswith("blob:") and "/api/kernels/" not in url]
        assert [url.rpartition("/")[2] for url in asked] == ["streets.js"]
        assert sum(sent) < 2000  # heartbeats of the kernel at most
        opens(view, files / "red.pmtiles")  # another takes its place
        view.locator(CREDIT, has_text="red.pmtiles: its maker is not stated").wait_for()
        assert [200, 30, 30] in drawn(view)
        with view.expect_download() as given:
            view.get_by_role("button", name="Save the map").click(modifiers=["Shift"])
        given.value.save_as(tmp_path / "map.svg")
        assert "Drawn without the streets" in (tmp_path / "map.svg").read_text("utf-8")


def refused(folder: Path) -> list[tuple[Path, str]]:
    """Files that cannot be drawn, and what is said of each."""
    whole = (folder / "city.pmtiles").read_bytes()
    root = slice(127, 127 + int.from_bytes(whole[16:24], "little"))
    made = {
        "archive.zip": (b"PK\x03\x04" * 99, "archive.zip is not a PMTiles file: those begin with the word PMTiles."),
        "empty.pmtiles": (b"", "empty.pmtiles is not a PMTiles file"),
        "old.pmtiles": (
            whole[:7] + b"\2" + whole[8:],
            "old.pmtiles has version 2 of PMTiles; version 3 can be read.",
        ),
        "short.pmtiles": (
            whole[:-5],
            f"it says that it has {len(whole):,} bytes, but only {len(whole) - 5:,} are there.",
        ),
        "head.pmtiles": (whole[:90], "head.pmtiles ends too early"),
        "brotli.pmtiles": (
            whole[:98] + b"\3" + whole[99:],
            "is compressed by Brotli; gzip or no compression can be read.",
        ),
        "kind.pmtiles": (whole[:99] + b"\0" + whole[100:], "kind.pmtiles contains tiles of an unknown kind"),
        "zoom.pmtiles": (
            whole[:101] + b"\xff" + whole[102:],
            "zoom.pmtiles is damaged: its header contradicts itself.",
        ),
        "table.pmtiles": (
            whole[: root.start] + bytes(root.stop - root.start) + whole[root.stop :],
            "table.pmtiles is damaged: its table of contents cannot be read.",
        ),
    }
    found = []
    for name, (content, sentence) in made.items():
        (folder / name).write_bytes(content)
        found.append((folder / name, sentence))
    other = {"vector_layers": [{"id": "transportation"}, {"id": "waterway"}]}
    path = write(folder / "other.pmtiles", BOB, streets(), metadata=other)
    found.append((path, "not a Protomaps map: its layers are called transportation, waterway, not roads and water."))
    bomb = write(folder / "bomb.pmtiles", BOB, streets(), packing=1)
    content = bytearray(bomb.read_bytes())
    content[127:133] = b"\xff\xff\xff\xff\xff\x7f"  # a table of four thousand billion entries
    bomb.write_bytes(content)
    found.append((bomb, "bomb.pmtiles is damaged: its table of contents cannot be read."))
    return found


@pytest.mark.nightly
@pytest.mark.browser
def test_a_file_that_cannot_be_drawn_says_why_and_the_streets_before_stay(
    chromium: Any, served: Address, files: Path
) -> None:
    with page(chromium) as view:
        open_page(view, served)
        before = drawn(view)
        for path, sentence in refused(files):
            opens(view, path)
            view.locator(NOTE, has_text=sentence).wait_for()
            assert view.locator(NOTE).count() == 1
        assert view.inner_text(CREDIT) == "city.pmtiles: The city of Test"
        assert drawn(view) == before


@pytest.mark.nightly
@pytest.mark.browser
def test_tiles_that_cannot_be_read_and_streets_of_elsewhere_say_so(
    chromium: Any, address: Address, files: Path
) -> None:
    broken = write(files / "broken.pmtiles", BOB, b"\x1a\xff\xff\xff\xff" * 9)
    torn = write(files / "torn.pmtiles", BOB, b"no picture", kind=2, packing=1, metadata={})
    large = write(files / "large.pmtiles", BOB, bytes(40 << 20))
    with page(chromium) as view:
        open_page(view, address)
        for path in (broken, torn, large):
            opens(view, path)
            view.locator(NOTE, has_text=f"A part of {path.name} cannot be read: streets are missing there.").wait_for()
        opens(view, files / "far.pmtiles")
        view.locator(NOTE, has_text="far.pmtiles has no streets of this place.").wait_for()


CELL = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": []}
SOURCE = """
from lmdk_widgets import Explorer, TrajectoryMap
from lmdk_widgets.hosts.serving.page import query_string
TrajectoryMap("bob", basemap={0!r}) if "alone" in query_string() else Explorer(basemap={0!r})
"""


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("query", ["", "?alone"])
def test_a_notebooks_kernel_gives_them(chromium: Any, files: Path, tmp_path: Path, query: str) -> None:
    cell = CELL | {"source": SOURCE.format(str(files / "city.pmtiles"))}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    told = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "maps.ipynb").write_text(json.dumps(told))
    with serve(tmp_path / "maps.ipynb") as running, page(chromium) as view:
        view.goto(f"{running}{query}")
        view.wait_for_selector(".lmdk-map")
        assert len(drawn(view)) > 5
        assert view.inner_text(CREDIT) == "city.pmtiles: The city of Test"
        assert not any("/basemap/" in url for url in view.guard.requests)


def answers(widget: Any, *messages: Any) -> list[tuple[dict, list[bytes]]]:
    told: list[tuple[dict, list[bytes]]] = []
    widget.send = lambda message, buffers=None: told.append((message, list(buffers or [])))
    for message in messages:
        widget._handle_custom_msg(message, [])
    return [(message, buffers) for message, buffers in told if message.get("type") == "basemap"]


@pytest.mark.parametrize(
    "make",
    [
        lambda path: Explorer(basemap=path),
        lambda path: PlacesLab(basemap=path),
        lambda path: TrajectoryMap("bob", basemap=path),
    ],
)
def test_a_widget_answers_with_parts_of_its_file_alone(files: Path, make: Any) -> None:
    whole = (files / "city.pmtiles").read_bytes()
    widget = make(files / "city.pmtiles")
    assert widget._basemap == "city.pmtiles" and str(files) not in json.dumps(widget.get_state(), default=str)
    ask = {"type": "basemap", "key": "k", "ask": 3}
    ((message, buffers),) = answers(widget, ask | {"offset": 5, "length": 200})
    assert message == {"type": "basemap", "key": "k", "ask": 3} and buffers == [whole[5:205]]
    bad = [{"offset": -1, "length": 9}, {"offset": 0, "length": MOST_BYTES + 1}, {"offset": 0}, {"length": 9}]
    bad += [{"offset": "0", "length": 9}, {"offset": 0.5, "length": 9}, {"offset": 2**90, "length": 9}, {}]
    said = answers(widget, *(ask | each for each in bad))
    assert len(said) == len(bad) and all(message["refused"] and not buffers for message, buffers in said)
    with pytest.raises(InputError, match="Basemap must be an existing PMTiles file"):
        make(files / "none.pmtiles")


def test_a_widget_without_a_file_has_none() -> None:
    widget = TrajectoryMap("bob")
    assert widget._basemap == "" and answers(widget, {"type": "basemap", "offset": 0, "length": 9}) == []

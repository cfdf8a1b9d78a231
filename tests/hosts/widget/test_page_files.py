"""Files and links of the explorer as its users meet them: uploads, downloads, a link, a program, the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.pages.track.files import choices_from_json
from lmdk_widgets.trajectory import load_trajectory, sample
from tests.browser import copied, from_help, open_tab, page
from tests.hosts.widget.explorer_shown import numbers, numbers_with_draws, open_page, shown, wait_for, wait_for_length
from tests.server import Address, serve

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

GPX = (
    '<?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
    + "".join(
        f'<trkpt lat="{48.85 + k / 2000:.5f}" lon="{2.3 + k / 900:.5f}"><time>2026-03-01T08:{k:02d}:00Z</time></trkpt>'
        for k in range(40)
    )
    + "</trkseg></trk></gpx>"
)
BROKEN = (
    "time,lat,lon\n2026-03-01T08:00:00Z,48.85,2.35\n2026-03-01T08:01:00Z,abc,2.36\n2026-03-01T08:02:00Z,48.86,2.36\n"
)

SLOW_DISK = """
const read = Blob.prototype.arrayBuffer;
Blob.prototype.arrayBuffer = function () {
  return new Promise((resolve) => setTimeout(() => resolve(read.apply(this)), this.size > 500_000 ? 100 : 0));
};
"""


@pytest.fixture
def opened(chromium: Any, address: Address) -> Iterator[Any]:
    with shown(chromium, address) as view:
        yield view


def test_an_uploaded_gpx_and_a_broken_csv(opened: Any) -> None:
    upload = opened.get_by_label("Upload a track or a series", exact=True)
    upload.set_input_files({"name": "walk.gpx", "mimeType": "application/gpx+xml", "buffer": GPX.encode()})
    wait_for(opened, "No landmark is marked yet")
    wait_for_length(opened, 40)
    upload.set_input_files({"name": "broken.csv", "mimeType": "text/csv", "buffer": BROKEN.encode()})
    alert = opened.locator(".lmdk-error")
    alert.wait_for(state="visible")
    assert "line 3" in alert.inner_text()
    wait_for_length(opened, 40)
    alert.get_by_role("button", name="Drop these rows and load").click()
    wait_for_length(opened, 2)
    opened.get_by_role("button", name="Undo").click()
    wait_for_length(opened, 40)


@pytest.mark.nightly
def test_a_long_upload_says_how_far_it_is_and_can_be_cancelled(chromium: Any, address: Address) -> None:
    point = '<trkpt lat="48.85{0:04d}" lon="2.3{0:04d}"><time>2026-03-{1:02d}T{2:02d}:{3:02d}:{4:02d}Z</time></trkpt>'
    times = ((k % 10_000, 1 + k // 86_400, k // 3600 % 24, k // 60 % 60, k % 60) for k in range(150_000))
    text = GPX[: GPX.index("<trkpt")] + "".join(point.format(*time) for time in times) + "</trkseg></trk></gpx>"
    file = {"name": "long.gpx", "mimeType": "application/gpx+xml", "buffer": text.encode()}
    with page(chromium) as view:
        view.add_init_script(SLOW_DISK)
        open_page(view, address)
        before = numbers(view)
        progress = view.locator(".lmdk-progress")
        view.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
        progress.get_by_text(re.compile(r"Sending long\.gpx: \d.* of 1\d\sMB\.")).wait_for()
        progress.get_by_text(re.compile(r"Reading long\.gpx, 1\d\sMB: \d\ss so far\.")).wait_for()
        view.get_by_label("Epsilon value").fill("0.5")
        view.get_by_label("Epsilon value").press("Enter")
        wait_for(view, "budget of 0.50")
        progress.get_by_role("button", name="Cancel").click()
        progress.wait_for(state="hidden")
        view.get_by_role("button", name="Undo").click()
        wait_for(view, before)
        view.get_by_label("Upload a track or a series", exact=True).set_input_files({**file, "buffer": GPX.encode()})
        wait_for_length(view, 40)
        assert not progress.is_visible()


def test_naive_times_ask_for_a_zone(opened: Any) -> None:
    naive = BROKEN.replace("Z,", ",").replace("abc", "48.855")
    upload = opened.get_by_label("Upload a track or a series", exact=True)
    upload.set_input_files({"name": "naive.csv", "mimeType": "text/csv", "buffer": naive.encode()})
    alert = opened.locator(".lmdk-error")
    alert.wait_for(state="visible")
    assert "time zone" in alert.inner_text()
    alert.get_by_label("Time zone").fill("Europe/Paris")
    alert.get_by_role("button", name="Use it").click()
    wait_for_length(opened, 3)
    assert "08:00" in opened.locator(".lmdk-row").first.text_content()  # in the zone that was chosen


def test_a_link_brings_everything_back(opened: Any, address: Address) -> None:
    opened.get_by_label("Scheme", exact=True).select_option("adaptive")
    open_tab(opened, "timestamps")
    opened.get_by_role("option", name="p4").click()
    wait_for(opened, "five landmarks")
    before = numbers_with_draws(opened)
    opened.get_by_role("button", name="Draw again").click()
    opened.wait_for_function("b => document.querySelector('[data-lmdk=numbers]').innerText !== b", arg=before)
    before = numbers_with_draws(opened)
    link = copied(opened, "Copy link")
    assert not re.search(r"48\.\d|2\.3\d", link)
    open_page(opened, link)
    assert numbers_with_draws(opened) == before


@pytest.mark.nightly
def test_exports_say_what_they_are_and_the_scenario_loads_back(opened: Any, tmp_path: Path) -> None:
    open_tab(opened, "timestamps")
    opened.get_by_role("option", name="p2").click()
    wait_for(opened, "five landmarks")
    before = numbers_with_draws(opened)
    files = {}
    for item, kind in [
        ("Release as CSV", "csv"),
        ("Release as GeoJSON", "geojson"),
        ("Map as a web page", "html"),
        ("Scenario as JSON", "json"),
    ]:
        opened.get_by_label("Save", exact=True).click()
        with opened.expect_download() as download:
            opened.get_by_role("button", name=item).click()
        assert "simulation-not-a-private-release" in download.value.suggested_filename
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
        assert "simulation, not a private release" in files[kind].read_text("utf-8")
    assert len(load_trajectory(files["csv"])) == 8
    assert len(json.loads(files["geojson"].read_text())["features"]) == 8
    assert choices_from_json(files["json"].read_text()).scenario.landmarks == (0, 1, 2, 4, 7)
    from_help(opened, "Reset").click()
    wait_for(opened, "four landmarks")
    opened.get_by_label("Open a scenario").set_input_files(files["json"])
    wait_for(opened, "five landmarks")
    assert numbers_with_draws(opened) == before


def test_copy_as_python_runs(opened: Any) -> None:
    opened.get_by_label("Save", exact=True).click()
    space: dict = {}
    exec(copied(opened, "Copy as Python"), space)
    assert len(space["outcome"].latitude) == len(sample("bob"))


def test_a_refusal_goes_when_the_next_thing_works_unless_a_file_waits(opened: Any) -> None:
    value = opened.get_by_role("spinbutton", name="Epsilon")
    alert = opened.locator(".lmdk-error")

    def put(text: str) -> None:
        value.fill(text)
        value.press("Enter")

    def upload(name: str, text: str) -> None:
        opened.get_by_label("Upload a track or a series", exact=True).set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        )

    put("1e9")
    alert.wait_for(state="visible")
    put("0.5")
    alert.wait_for(state="hidden")
    upload("broken.csv", BROKEN)
    alert.wait_for(state="visible")
    put("0.7")
    wait_for(opened, "budget of 0.70")
    assert alert.is_visible()
    upload("good.gpx", GPX)
    wait_for_length(opened, 40)
    assert not alert.is_visible()


@pytest.mark.nightly
def test_a_track_from_the_command_line(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "walk.gpx"
    path.write_text(GPX)
    with serve(track=path) as address, page(chromium) as view:
        open_page(view, address)
        wait_for_length(view, 40)

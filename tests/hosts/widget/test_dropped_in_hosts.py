"""Files are dropped on the page in the hosts that carry it beside the room: a notebook, and Voila as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.hosts.widget.test_composed_hosts import notebook, running, shown
from tests.hosts.widget.test_dropped_files import dropped_and_drawn, unit_is_kept
from tests.jupyter import jupyterlab, runs_cell
from tests.server import until
from tests.trajectory.example_files import FILES

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SOURCE = "from lmdk_widgets import Explorer\nExplorer()"
SOME = ("table.csv", "walk.gpx", "animals.csv", "bare.csv", "meter.csv", "Timeline.json", "walk.kmz", "places.geojson")
"""A track and a series, with and without questions, in text, XML, JSON and an archive."""


def drop_some(view: Any) -> None:
    for example in FILES:
        if example.name in SOME:
            dropped_and_drawn(view, example)
    unit_is_kept(view)


def test_files_are_dropped_on_a_widget_in_jupyterlab(chromium: Any, tmp_path: Path) -> None:
    notebook(tmp_path / "story.ipynb", SOURCE)
    with (
        jupyterlab(tmp_path) as address,
        page(chromium, width=1400, height=1000, check=False, timezone_id="Europe/Berlin") as view,
    ):
        view.goto(address("story.ipynb"))
        first = view.locator(".jp-Notebook .jp-Cell .cm-content").first
        first.wait_for(timeout=60_000)
        view.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000)
        first.click()
        until(lambda: (None, runs_cell(view, ".lmdk-explorer[data-lmdk-ready]")), "the widget of the cell", 180)
        before = sorted(path.name for path in tmp_path.iterdir())
        drop_some(view)
        assert sorted(path.name for path in tmp_path.iterdir()) == before, "the notebook copies no file into its folder"
        assert not view.guard.errors and not view.guard.foreign


def test_files_are_dropped_on_a_page_of_voila_as_it_is(chromium: Any, tmp_path: Path) -> None:
    pytest.importorskip("voila")
    notebook(tmp_path / "page.ipynb", SOURCE)
    command = ("-m", "voila", "page.ipynb", "--no-browser", "--port=PORT", "--Voila.ip=127.0.0.1")
    with running(tmp_path, *command) as port, shown(chromium, f"http://127.0.0.1:{port}") as view:
        drop_some(view)

"""Widgets beside others: a row gives each of them room, in JupyterLab and in Voila, and no head of a table covers a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.jupyter import jupyterlab
from tests.server import serve, until

pytestmark = pytest.mark.browser

SOURCE = """import ipywidgets as w
from lmdk_widgets import Explorer, TrajectoryMap
track = "bob"
w.VBox([
    w.HBox([TrajectoryMap(track), w.HTML("Beside it")]).add_class("row-map"),
    w.HBox([TrajectoryMap(track), TrajectoryMap(track)]).add_class("row-maps"),
    w.HBox([TrajectoryMap(track), w.HTML("A long text " * 60)]).add_class("row-text"),
    w.HBox([w.IntSlider(), Explorer()]).add_class("row-page"),
    w.GridBox([TrajectoryMap(track), w.HTML("Beside")], layout={"grid_template_columns": "auto auto"}).add_class("row-grid"),
    w.VBox([TrajectoryMap(track)]).add_class("row-column"),
])"""
LEAST = {"map": [600], "maps": [330, 330], "text": [310], "page": [310], "grid": [310], "column": [700]}
"""The widths in pixels that the widgets of each row have at least, where there are 700 or more for the row."""
ROWS = """names => Object.fromEntries(names.map((name) => {
  const row = document.querySelector(`.row-${name}`);
  const widths = [...row.querySelectorAll(".lmdk-explorer")].map((one) => one.getBoundingClientRect().width);
  return [name, [row.clientWidth, row.scrollWidth, ...widths]];
}))"""


def notebook(folder: Path) -> Path:
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "id": "cell", "source": SOURCE}
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    content = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path = folder / "rows.ipynb"
    path.write_text(json.dumps(content))
    return path


def run(view: Any) -> bool:
    """Whether the cell of a notebook in JupyterLab has shown its widgets; it may drop what is run too early."""
    view.keyboard.press("Control+Enter")
    try:
        view.wait_for_selector(".row-page .lmdk-explorer", timeout=20_000, state="attached")
    except pytest.importorskip("playwright.sync_api").TimeoutError:
        return False
    return True


@contextmanager
def in_jupyterlab(chromium: Any, folder: Path) -> Iterator[Any]:
    with jupyterlab(folder) as address, page(chromium, width=1500, height=1000, check=False) as view:
        view.goto(address(notebook(folder).name))
        cell = view.locator(".jp-Notebook .jp-Cell .cm-content").first
        cell.wait_for(timeout=60_000)
        view.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000)
        cell.click()
        until(lambda: (None, run(view)), "the widgets of the cell", 180)
        yield view


@contextmanager
def in_voila(chromium: Any, folder: Path) -> Iterator[Any]:
    with serve(notebook(folder)) as address, page(chromium, width=1100, height=900) as view:
        view.goto(address)
        view.wait_for_selector(".row-page .lmdk-explorer", timeout=60_000, state="attached")
        yield view


@pytest.fixture(scope="module", params=[in_jupyterlab, in_voila])
def view(chromium: Any, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Any]:
    with request.param(chromium, tmp_path_factory.mktemp("rows")) as opened:
        yield opened


@pytest.mark.nightly
def test_a_row_gives_each_widget_room(view: Any) -> None:
    def look() -> tuple[dict[str, list[float]], bool]:
        found = view.evaluate(ROWS, list(LEAST))
        return found, all(len(found[name]) == 2 + len(least) for name, least in LEAST.items())

    found = until(look, "all widgets")
    for name, (room, needed, *widths) in found.items():
        assert room >= 700, name
        assert needed <= room, f"{name} is cut: {needed} in {room} pixels"
        assert all(width >= least for width, least in zip(widths, LEAST[name], strict=True)), (name, widths)

"""The cells of docs/composing.md, each in the program that it is written for: a change there is heard on both sides.

Tests of programs that are not installed are skipped: `pip install marimo notebook panel ipywidgets_bokeh shiny
shinywidgets` brings them all.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from tests.browser import page
from tests.jupyter import jupyterlab, runs_cell
from tests.server import ROOT, end, until

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

PARTS = re.split(r"^## ", (ROOT / "docs" / "composing.md").read_text("utf-8"), flags=re.M)
CELLS = {part.partition("\n")[0]: re.findall(r"```python\n(.*?)```", part, re.S) for part in PARTS}
READY = ".lmdk-explorer[data-lmdk-ready]"


@contextmanager
def running(folder: Path, *command: str) -> Iterator[int]:
    """A program that serves on a free port, which stands for PORT in its command; its port once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = [part.replace("PORT", str(port)) for part in command]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, *given], cwd=folder, env={**os.environ, "PYTHONPATH": path}, stdout=log, stderr=log
        )
    try:
        until(lambda: ((folder / "log").read_text(), _answers(port)), f"{command[1]} to answer", 60)
        yield port
    finally:
        end(process)


def _answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def shown(chromium: Any, url: str, **routes: Any) -> Iterator[Any]:
    """The page of Track at an address, ready."""
    with page(chromium, width=1400, height=1000, check=False, anew=True) as view:
        for pattern, answer in routes.items():
            view.route(re.compile(pattern), answer)
        view.goto(url)
        view.wait_for_selector(READY, timeout=90_000)
        yield view
        assert not view.guard.errors


def to_the_end(view: Any) -> None:
    """Epsilon of the page becomes 10."""
    slider = view.get_by_role("slider", name="Epsilon", exact=True)
    slider.focus()
    slider.press("End")


def says(view: Any, text: str) -> None:
    view.get_by_text(text).first.wait_for(timeout=30_000)


def notebook(path: Path, source: str) -> None:
    """A notebook of one cell."""
    cell = {"cell_type": "code", "execution_count": None, "id": "one", "metadata": {}, "outputs": [], "source": source}
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    path.write_text(
        json.dumps({"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})
    )


def test_a_cell_of_marimo_runs_again_whoever_changes_the_page(chromium: Any, tmp_path: Path) -> None:
    pytest.importorskip("marimo", reason="marimo is not installed")
    cells = "".join(f"\n\n@app.cell\ndef _():\n{indent(cell, '    ')}" for cell in CELLS["marimo"])
    (tmp_path / "app.py").write_text(f"import marimo\n\napp = marimo.App(width='medium'){cells}")
    options = ("--headless", "--no-token", "--port", "PORT")
    with (
        running(tmp_path, "-m", "marimo", "run", "app.py", *options) as port,
        shown(chromium, f"http://127.0.0.1:{port}") as view,
    ):
        says(view, "ε is 1.0, with the scheme uniform: a mean error of 1869 m.")
        to_the_end(view)
        says(view, "ε is 10.0, with the scheme uniform: a mean error of 187 m.")
        mine = view.get_by_role("slider").last
        mine.focus()
        mine.press("ArrowRight")
        says(view, "ε is 1.5, with the scheme uniform: a mean error of 1246 m.")
        assert not view.guard.foreign


def installed_program(route: Any) -> None:
    """The installed program of anywidget, in the place of one that comes from another host."""
    (program,) = [
        path
        for root in {sys.prefix, Path(str(find_spec("anywidget").origin)).parents[4]}
        for path in Path(root).glob("share/jupyter/nbextensions/anywidget/index.js")
    ][:1]
    route.fulfill(path=program, content_type="text/javascript", headers={"Access-Control-Allow-Origin": "*"})


def test_a_widget_of_panel_follows_the_page(chromium: Any, tmp_path: Path) -> None:
    pytest.importorskip("panel", reason="Panel is not installed")
    pytest.importorskip("ipywidgets_bokeh", reason="ipywidgets_bokeh is not installed")
    (tmp_path / "app.py").write_text(CELLS["Panel"][0])
    with (
        running(tmp_path, "-m", "panel", "serve", "app.py", "--port", "PORT") as port,
        shown(chromium, f"http://localhost:{port}/app", **{r"//unpkg\.com/anywidget@": installed_program}) as view,
    ):
        to_the_end(view)
        says(view, "Budget in all: 16.00")
        assert all("unpkg.com/anywidget" in url or "font-awesome" in url for url in view.guard.foreign)


def test_a_text_of_shiny_follows_the_page(chromium: Any, tmp_path: Path) -> None:
    pytest.importorskip("shinywidgets", reason="shinywidgets is not installed")
    (tmp_path / "app.py").write_text(CELLS["Shiny"][0])
    with (
        running(tmp_path, "-m", "shiny", "run", "app.py", "--port", "PORT") as port,
        shown(
            chromium, f"http://127.0.0.1:{port}", **{r"//cdn\.jsdelivr\.net/npm/anywidget@": installed_program}
        ) as view,
    ):
        says(view, "ε is 1.0: a mean error of 1869 m.")
        to_the_end(view)
        says(view, "ε is 10.0: a mean error of 187 m.")
        assert all("jsdelivr.net/npm/anywidget" in url for url in view.guard.foreign)


@pytest.mark.parametrize("program", ["jupyterlab", "notebook"])
def test_a_slider_of_a_notebook_moves_the_page_and_hears_of_it(program: str, chromium: Any, tmp_path: Path) -> None:
    notebook(tmp_path / "story.ipynb", CELLS["JupyterLab and Notebook"][0])
    with jupyterlab(tmp_path, program) as address, page(chromium, width=1400, height=1000, check=False) as view:
        view.goto(address("story.ipynb"))
        view.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
        view.wait_for_selector(".jp-Notebook.jp-mod-editMode")
        until(lambda: (None, runs_cell(view, READY)), "the widgets of the cell", 180)
        assert (
            "Runs on the computer where your notebook runs; nothing" in view.locator(".lmdk-foot").first.text_content()
        )
        assert view.locator(".lmdk-goes").first.text_content() == "to your notebook"
        moves_both(view)


def test_the_same_notebook_served_by_voila_alone(chromium: Any, tmp_path: Path) -> None:
    notebook(tmp_path / "story.ipynb", CELLS["JupyterLab and Notebook"][0])
    with (
        running(tmp_path, "-m", "voila", "story.ipynb", "--no-browser", "--port=PORT") as port,
        shown(chromium, f"http://localhost:{port}") as view,
    ):
        moves_both(view)


def moves_both(view: Any) -> None:
    to_the_end(view)
    says(view, "16.00 in all")
    mine = view.locator(".widget-slider .noUi-handle")
    mine.focus()
    mine.press("Home")
    says(view, "0.16 in all")
    epsilon = view.get_by_role("slider", name="Epsilon", exact=True)
    until(lambda: (text := epsilon.get_attribute("aria-valuetext"), "0.1" in str(text)), "epsilon of the page", 20)

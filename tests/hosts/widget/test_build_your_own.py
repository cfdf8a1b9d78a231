"""`notebooks/build_your_own.ipynb`: ipywidgets, plotly and the library alone, by cells and served by Voila as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from ipywidgets import Widget

from tests.browser import page
from tests.hosts.widget.test_composed_hosts import running, says
from tests.server import ROOT, until

pytest.importorskip("plotly")

NOTEBOOK = ROOT / "notebooks" / "build_your_own.ipynb"
OWN = re.compile(r"^(https?|wss?)://(localhost|127\.0\.0\.1):")
Y = "() => document.querySelector('.js-plotly-plot').data.map((line) => Array.from(line.y._inputArray ?? line.y))"
"""The values of the lines that plotly draws."""


def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


@pytest.fixture
def none_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


@pytest.mark.slow
def test_slider_scheme_and_map_change_the_figure_and_the_words(none_is_left: None) -> None:
    names: dict[str, Any] = {}
    for cell in cells():
        exec(cell, names)
    budgets = names["chart"].data[0]
    assert np.allclose(budgets.y, 0.2) and "at most 1.00 together" in names["said"].value
    names["epsilon"].value = 2
    assert np.allclose(budgets.y, 0.4) and "at most 2.00 together" in names["said"].value
    names["places"].landmarks = [0]
    assert np.allclose(budgets.y, 1.0)
    names["scheme"].value = "event"
    assert np.allclose(budgets.y, 2.0) and "at most 4.00 together" in names["said"].value


def test_it_takes_about_thirty_lines() -> None:
    written = [line for cell in cells() for line in cell.splitlines() if line.strip() and not line.startswith("#")]
    assert len(written) <= 32


@pytest.mark.browser
@pytest.mark.nightly
def test_voila_alone_serves_it_without_a_network(chromium: Any, tmp_path: Any) -> None:
    (tmp_path / NOTEBOOK.name).write_bytes(NOTEBOOK.read_bytes())
    with (
        running(tmp_path, "-m", "voila", NOTEBOOK.name, "--no-browser", "--port=PORT") as port,
        page(chromium, width=1280, height=1000, check=False, anew=True) as view,
    ):
        view.route(lambda url: not OWN.match(url) and url.startswith("http"), lambda route: route.abort())
        view.goto(f"http://localhost:{port}")
        says(view, "at most 1.00 together")
        view.wait_for_selector(".js-plotly-plot .scatterlayer path.js-line", state="attached", timeout=90_000)
        assert np.allclose(view.evaluate(Y)[0], 0.2)
        mine = view.locator(".widget-slider .noUi-handle")
        mine.focus()
        mine.press("End")
        says(view, "at most 10.00 together")
        until(lambda: (found := view.evaluate(Y)[0], np.allclose(found, 2.0)), "the budgets in the figure")
        board = view.get_by_label("Map", exact=True)
        board.focus()
        for key in ("Home", "ArrowRight", " "):
            view.keyboard.press(key)
        until(lambda: (found := view.evaluate(Y)[0], np.allclose(found, 10 / 6)), "the budgets of five landmarks")
        assert not view.guard.errors
        assert all("fontawesome" in url for url in view.guard.foreign), "those that Voila's own template asks for"

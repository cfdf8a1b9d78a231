"""What goes to plotly: the figure of the explorer, and traces that the charts do not draw."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ipywidgets import Widget

from lmdk_widgets import Explorer, FigureView
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.figure_view import NOT_IN_A_COPY
from tests.browser import page
from tests.hosts.widget.test_composed_hosts import notebook, running

HEAT = {"data": [{"type": "heatmap", "z": np.array([[1, 2], [3, np.nan]])}], "layout": {"height": 300}}
CELL = """
from ipywidgets import Button, VBox
from lmdk_widgets import FigureView

view = FigureView({"data": [{"type": "heatmap", "z": [[1, 2], [3, 4]]}], "layout": {"height": 300}}, summary="Four squares.")
again, mine = Button(description="A pie"), Button(description="A line")
again.on_click(lambda _: setattr(view, "figure", {"data": [{"type": "pie", "values": [1, 2]}]}))
mine.on_click(lambda _: setattr(view, "figure", {"data": [{"y": [1, 2]}]}))
VBox([view, again, mine])
"""


@pytest.fixture(autouse=True)
def no_comm_is_left() -> Iterator[None]:
    yield
    Widget.close_all()


def test_the_explorer_gives_its_charts_as_a_figure() -> None:
    pytest.importorskip("plotly")
    explorer = Explorer("bob", epsilon=2)
    lines = {line.name: line.y for line in explorer.figure().data}
    assert np.allclose(lines["total"], explorer.outcome.total) and "pinned" not in lines
    explorer.page.receive({"type": "change", "operations": [{"op": "pin"}], "commit": True, "id": 1, "view": "a"}, [])
    explorer.epsilon = 1
    explorer.finish()
    pinned = [line.y for line in explorer.figure().data if line.name == "pinned"]
    assert len(pinned) == 3 and np.allclose(pinned[0], 0.4), "the budgets before epsilon was halved"


def test_a_foreign_trace_goes_to_plotly_as_plain_values() -> None:
    pytest.importorskip("plotly")
    view = FigureView(HEAT, summary="Squares.")
    assert view.figure["data"] == [{"type": "heatmap", "z": [[1.0, 2.0], [3.0, None]]}]
    json.dumps(view.figure, allow_nan=False)
    assert NOT_IN_A_COPY in view.reading() and "Squares." in view.reading()


def test_plotly_is_sent_only_to_a_figure_that_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("plotly")
    sent: list[int] = []
    monkeypatch.setattr(FigureView, "send", lambda _self, _message, buffers: sent.append(len(buffers[0])))
    for figure in ({"data": [{"y": [1]}]}, HEAT):
        FigureView(figure, summary="Something.")._serve_plotly(None, {"type": "plotly"}, [])
    assert len(sent) == 1 and sent[0] > 1_000_000


def test_without_plotly_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(
        InputError, match=r"^A trace of the type heatmap needs the library plotly, which is not installed"
    ):
        FigureView(HEAT, summary="Squares.")
    with pytest.raises(InputError, match="A figure of plotly needs the library plotly"):
        Explorer("bob").figure()


@pytest.mark.browser
@pytest.mark.nightly
def test_it_is_drawn_in_a_frame_and_gives_way_to_our_own(chromium: Any, tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    notebook(tmp_path / "story.ipynb", CELL)
    with (
        running(tmp_path, "-m", "voila", "story.ipynb", "--no-browser", "--port=PORT") as port,
        page(chromium, check=False, anew=True) as view,
    ):
        view.goto(f"http://localhost:{port}")
        frame = view.frame_locator("iframe[title='Four squares.']")
        frame.locator(".heatmaplayer image").wait_for(state="attached", timeout=90_000)
        assert frame.locator("[data-title*=hare]").count() == 0, "nothing uploads it"
        view.get_by_text("A pie", exact=True).click()
        frame.locator("g.slice").first.wait_for(timeout=60_000)
        view.get_by_text("A line", exact=True).click()
        view.locator(".lmdk-figureplot svg").wait_for(timeout=60_000)
        assert not view.locator("iframe.lmdk-plotly").is_visible()
        assert not view.guard.errors and all("fontawesome" in url for url in view.guard.foreign)

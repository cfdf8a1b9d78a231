"""A widget in a real JupyterLab: its keys are its own, and the notebook around it stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import page, unfold
from tests.jupyter import jupyterlab
from tests.server import until

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SOURCES = ["from lmdk_widgets import Explorer\nExplorer()", "after = 1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jupyter")
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [cell | {"id": f"cell-{k}", "source": source} for k, source in enumerate(SOURCES)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (path / "story.ipynb").write_text(json.dumps(notebook))
    return path


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[Callable[[str], str]]:
    with jupyterlab(folder) as found:
        yield found


@pytest.fixture(scope="module")
def lab(chromium: Any, address: Callable[[str], str]) -> Iterator[Any]:
    """JupyterLab with the notebook open and its first cell run."""
    with page(chromium, width=1400, height=1000, check=False) as view:
        view.goto(address("story.ipynb"))
        first = view.locator(".jp-Notebook .jp-Cell .cm-content").first
        first.wait_for(timeout=60_000)
        view.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000)
        first.click()
        view.wait_for_selector(".jp-Notebook.jp-mod-editMode")
        until(lambda: (None, _run(view)), "the widget of the first cell", 180)
        yield view
        assert not view.guard.foreign and not view.guard.errors


def _run(view: Any) -> bool:
    """Whether the cell has shown its widget; JupyterLab may drop what is run before its kernel is connected."""
    view.keyboard.press("Control+Enter")
    try:
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=20_000)
    except pytest.importorskip("playwright.sync_api").TimeoutError:
        return False
    return True


def cells(view: Any) -> list[str]:
    return view.locator(".jp-Notebook .jp-Cell .cm-content").evaluate_all("all => all.map((one) => one.innerText)")


def untouched(view: Any) -> bool:
    """Whether the cells are those of the notebook; one that is out of sight has no text."""
    now = cells(view)
    return now[0] == SOURCES[0] and now[1:] in ([SOURCES[1]], [""])


@pytest.mark.nightly
def test_keys_on_the_map_are_the_maps(lab: Any) -> None:
    unfold(lab)
    seed = lab.get_by_role("spinbutton", name="Seed").input_value()
    lab.get_by_label("Map", exact=True).focus()
    for key in ("d", "d", "b", "a", "x", "m"):
        lab.keyboard.press(key)
    drawn = lab.get_by_role("spinbutton", name="Seed")
    until(lambda: (now := drawn.input_value(), int(now) > int(seed)), "another seed: D draws again")
    lab.wait_for_timeout(800)
    assert untouched(lab)


def test_keys_on_a_slider_are_the_sliders(lab: Any) -> None:
    slider = lab.get_by_role("slider", name="Epsilon", exact=True)
    assert slider.locator("xpath=..").get_by_text("more accurate").is_visible()
    slider.focus()
    for key in ("b", "a", "x", "ArrowRight", "ArrowDown", "Shift+Enter"):
        lab.keyboard.press(key)
    lab.wait_for_timeout(800)
    assert untouched(lab)
    assert slider.is_visible(), "the cell was not run again"


def test_slider_and_charts_are_seen_together(lab: Any) -> None:
    """With the list of files, a window of 1400 pixels has 968 for the widget."""
    widget, slider, charts = (
        lab.locator(f".lmdk-explorer{part}").first for part in ("", " input[type=range]", " .lmdk-timelinepart")
    )
    widget.evaluate("part => part.scrollIntoView()")
    assert abs(widget.bounding_box()["width"] - 968) < 10
    foot = lab.locator("#jp-bottom-panel, #jp-main-statusbar").first.bounding_box()["y"]
    for part in (slider, charts):
        box = part.bounding_box()
        assert box["y"] > 80 and box["y"] + box["height"] < foot + 1, box


def test_the_notebook_is_saved_from_a_widget_too(lab: Any, folder: Path) -> None:
    lab.get_by_role("slider", name="Epsilon", exact=True).focus()
    lab.keyboard.press("Control+s")
    until(lambda: (text := (folder / "story.ipynb").read_text(), "widget-view" in text), "the notebook saved")


@pytest.mark.nightly
def test_a_saved_notebook_keeps_the_page_as_it_stands(
    lab: Any, folder: Path, chromium: Any, address: Callable[[str], str]
) -> None:
    kept = lab.locator("[data-lmdk-still]")
    assert kept.count() == 1 and not kept.is_visible(), "the widget itself is there"
    slider = lab.get_by_role("slider", name="Epsilon", exact=True)
    slider.focus()
    slider.press("End")

    def saved() -> tuple[str, bool]:
        slider.press("Control+s")
        lab.wait_for_timeout(500)
        outputs = json.loads((folder / "story.ipynb").read_text())["cells"][0]["outputs"]
        text = "".join(outputs[-1]["data"].get("text/html", ""))
        return text, len(outputs) == 2 and "the budget being 10." in text

    until(saved, "the page in its new state in the file", 60)
    assert not kept.is_visible()
    (folder / "later.ipynb").write_bytes((folder / "story.ipynb").read_bytes())
    with page(chromium, width=1400, height=1000, check=False) as later:  # its kernel knows nothing of the widget
        later.goto(address("later.ipynb"))
        frame = later.frame_locator("[data-lmdk-still] iframe")
        frame.get_by_role("heading", name="Temporal privacy loss").wait_for()
        frame.locator("[data-lmdk-painted] svg.lmdk-drawing").first.wait_for()
        assert not later.guard.foreign and not later.guard.errors


def test_typing_in_a_cell_and_its_shortcuts_still_work(lab: Any) -> None:
    last = lab.locator(".jp-Notebook .jp-Cell .cm-content").last
    last.click()
    lab.keyboard.press("End")
    lab.keyboard.type(" # d b")
    assert cells(lab) == [SOURCES[0], f"{SOURCES[1]} # d b"]
    lab.keyboard.press("Escape")
    lab.keyboard.press("b")
    lab.wait_for_function("document.querySelectorAll('.jp-Notebook .jp-Cell').length === 3")
    lab.keyboard.press("d")
    lab.keyboard.press("d")
    lab.wait_for_function("document.querySelectorAll('.jp-Notebook .jp-Cell').length === 2")


@pytest.mark.nightly
def test_enter_in_a_number_field_is_the_fields(lab: Any) -> None:
    """JupyterLab prevents what Enter does in fields of a cell."""
    before = cells(lab)
    said = lab.locator("[data-lmdk=numbers]")
    shown = said.text_content()
    epsilon = lab.get_by_label("Epsilon value")
    epsilon.fill("0.25")
    epsilon.press("Enter")
    until(lambda: (None, said.text_content() != shown), "the numbers for another epsilon")
    assert epsilon.evaluate("field => field === document.activeElement") and cells(lab) == before


@pytest.mark.nightly
def test_after_a_restart_of_the_kernel_the_page_says_that_nobody_answers(lab: Any) -> None:
    lab.locator(".jp-Notebook .jp-Cell .cm-content").last.click()
    lab.keyboard.press("Escape")
    lab.keyboard.press("0")
    lab.keyboard.press("0")
    lab.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
    slider = lab.get_by_role("slider", name="Epsilon", exact=True)

    def told() -> tuple[None, bool]:
        slider.press("ArrowRight")
        return None, bool(lab.get_by_text("Python does not answer").count())

    until(told, "the sentence", 60)
    assert lab.locator(".lmdk-stale .lmdk-view").evaluate("part => getComputedStyle(part).opacity") == "0.4"
    lab.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
    until(lambda: (None, _run(lab)), "the widget of the first cell", 180)
    assert not lab.get_by_text("Python does not answer").count()
    lab.guard.errors.clear()  # JupyterLab's own, about the comm that is gone

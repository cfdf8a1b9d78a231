"""A saved notebook that JupyterLab does not trust: the answers, the map and the charts can be read without any script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer
from tests.browser import page
from tests.jupyter import jupyterlab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEEN = """() => [...document.querySelectorAll(".lmdk-untrusted img")].map((image) => image.complete && image.naturalWidth)"""


def test_map_charts_and_tables_are_seen_in_a_notebook_that_is_not_trusted(chromium: Any, tmp_path: Path) -> None:
    widget = Explorer("bob")
    widget.finish()
    shown = {"text/html": widget.static_copy().kept(widget.model_id), "text/plain": "the page"}
    widget.close()
    output = {"output_type": "display_data", "metadata": {}, "data": shown}
    cell = {
        "cell_type": "code",
        "id": "a",
        "execution_count": 1,
        "metadata": {},
        "source": "explorer",
        "outputs": [output],
    }
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": [cell]}
    (tmp_path / "story.ipynb").write_text(json.dumps(notebook), "utf-8")
    with jupyterlab(tmp_path) as lab, page(chromium, width=1280, height=1000, check=False) as view:
        view.goto(lab("story.ipynb"))
        view.get_by_text("Map and charts are drawn more simply here until this notebook is trusted.").wait_for()
        view.wait_for_function(f"() => ({SEEN})().length === 4 && ({SEEN})().every((wide) => wide === 640)")
        said = view.locator(".jp-OutputArea").first.inner_text()
        for part in ("Useful: 1.3 km.", "The map", "Temporal privacy loss", "Why, and what would help"):
            assert part in said, part
        assert view.locator(".jp-OutputArea iframe").count() == 0 and not view.guard.foreign

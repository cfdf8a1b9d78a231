"""One server with the shipped settings and a small notebook, and one browser, for all tests of this folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import browser
from tests.hosts.serving.rooms import room
from tests.server import Address, serve

WIDGETS = """
import json, os, warnings
import anywidget, ipykernel, traitlets, ipywidgets
from IPython.display import display
from lmdk_widgets.hosts.serving.page import SENTENCE, query_string

query = query_string()
with open(f"{os.getpid()}.json", "w") as file:  # for `Address.told`
    json.dump({"environment": dict(os.environ), "connection": ipykernel.get_connection_info()}, file)
print("a secret line")
if query == "fail":
    raise RuntimeError("secret 48.85837")

class Echo(anywidget.AnyWidget):
    _esm = '''
    export default { render({ model, el }) {
      const text = document.createElement("p");
      const show = () => { text.textContent = `echo ${model.get("value")}`; };
      model.on("change:value", show); show(); el.append(text);
      const bad = document.createElement("button"); bad.textContent = "Bad"; el.append(bad);
      bad.onclick = () => model.send({ kind: "bad" });
    } };
    '''
    value = traitlets.Unicode("").tag(sync=True)

def fail(*_):
    raise RuntimeError("secret 48.85837")

echo = Echo(value=query)
echo.on_msg(fail)
slider = ipywidgets.IntSlider(description="x", value=3)
label = ipywidgets.Label("ready 3")
slider.observe(lambda change: setattr(label, "value", f"ready {change['new']}"), "value")
track = ipywidgets.Label("track " + os.environ["LMDK_TRACK"] + " " + os.environ["LMDK_TIMEZONE"])
warnings.warn("a secret warning")
if query == "sentence":
    display({SENTENCE: {"sentence": "Line 3 </script> has no time."}, "text/plain": ""}, raw=True)
else:
    display(ipywidgets.VBox([slider, label, echo, track]))
"""

MakeNotebook = Callable[[str], Path]


def write_notebook(folder: Path, source: str) -> Path:
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    path = folder / "page.ipynb"
    path.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "utf-8")
    return path


@pytest.fixture
def notebook(tmp_path: Path) -> MakeNotebook:
    """Writes a notebook of one cell."""
    return lambda source: write_notebook(tmp_path, source)


@pytest.fixture(scope="session")
def widgets_notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_notebook(tmp_path_factory.mktemp("widgets"), WIDGETS)


@pytest.fixture(scope="session")
def server(widgets_notebook: Path) -> Iterator[Address]:
    """The shipped settings but for one, with a page of a slider, a label and a small anywidget."""
    soon = {"MappingKernelManager": {"cull_interval": 5, "cull_idle_timeout": 120}}  # these tests open many pages
    with serve(widgets_notebook, settings=soon, tracebacks="secret 48|CellExecutionError|^AssertionError$") as address:
        yield address


@pytest.fixture(scope="session")
def open_room() -> Iterator[Address]:
    """A room, with the shipped settings."""
    with room() as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """For one file: while it is open, another file on the same worker could not open its own."""
    with browser() as found:
        yield found

"""Runs every notebook of the installed package with the Jupyter that came with it; a script for that environment."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import nbclient
import nbformat

import lmdk_widgets
from lmdk_widgets.course import LESSONS, STORIES

IN_PLACE = "import sys, lmdk_widgets\nassert lmdk_widgets.__file__.startswith(sys.prefix), lmdk_widgets.__file__"


def run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(IN_PLACE))
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert outputs, f"{path.name} shows nothing"
    kinds = {output.output_type for output in outputs}
    assert kinds <= {"display_data", "execute_result"}, f"{path.name} prints, or shows an error: {kinds}"
    refused = [o for o in outputs if "application/vnd.lmdk.sentence+json" in o.get("data", ())]
    assert not refused, f"{path.name} shows an error"


if __name__ == "__main__":
    installed = Path(lmdk_widgets.__file__).parent
    assert installed.is_relative_to(sys.prefix)
    notebooks = sorted((installed / "hosts" / "serving" / "notebooks").glob("*.ipynb"))
    named = {"explorer", "build_your_own", *LESSONS, *STORIES}
    assert {path.stem for path in notebooks} == named
    for path in notebooks:
        if path.stem == "build_your_own" and find_spec("plotly") is None:
            continue  # for those who have plotly
        run(path)
        print(path.stem)

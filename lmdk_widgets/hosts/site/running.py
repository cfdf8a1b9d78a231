"""Runs the notebook of a lesson, as a reader without a kernel sees it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lmdk_widgets.page.reading import SWITCH

LESSON_S = 600
"""The most seconds that a cell of a lesson may take."""


def run(path: Path) -> Any:
    """The notebook with its outputs."""
    import nbformat
    from nbclient import NotebookClient

    found = nbformat.read(path, as_version=4)
    client = NotebookClient(found, timeout=LESSON_S, resources={"metadata": {"path": str(path.parent)}})
    client.extra_arguments = ["--IPKernelApp.log_level=40"]  # nothing but errors
    return client.execute(env={**os.environ, SWITCH: "1"})

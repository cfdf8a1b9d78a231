"""A real JupyterLab or Notebook for a test: settings of its own, a token, and nothing fetched from anywhere.

with jupyterlab(folder) as lab:
    view.goto(lab("story.ipynb"))                     # a notebook in `folder`, opened in JupyterLab
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server import ROOT, end, until

TOKEN = "token-of-the-test"
OPENS = {"jupyterlab": "lab/tree", "notebook": "notebooks"}
"""The programs that open notebooks, and where in their addresses these are."""
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
"""No news and no look for a newer version."""


@contextmanager
def jupyterlab(folder: Path, program: str = "jupyterlab") -> Iterator[Callable[[str], str]]:
    """A running JupyterLab, or one of OPENS, on a free port over the notebooks of a folder; what gives the address of one."""
    pytest.importorskip(program, reason=f"{program} is not installed")
    home = folder / ".jupyter"
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_SETTINGS_DIR")
    places += ("JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR")
    environment = {**os.environ, **{name: str(home / name.lower()) for name in places}, "PYTHONPATH": str(ROOT)}
    settings = home / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(QUIET))
    command = [sys.executable, "-m", program, "--no-browser", "--allow-root", "--port=0", "--ip=127.0.0.1"]
    command += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.extension_manager=readonly", "--LabApp.news_url=None"]
    with open(home / "log", "wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        runtime = home / "jupyter_runtime_dir"
        (info,) = until(lambda: (found := list(runtime.glob("jpserver-*.json")), bool(found)), "JupyterLab's address")
        url = until(lambda: (text := info.read_text(), bool(text)), "JupyterLab's address")
        base = json.loads(url)["url"]
        yield lambda name: f"{base}{OPENS[program]}/{name}?token={TOKEN}"
    finally:
        end(process)


def runs_cell(view: Any, shown: str) -> bool:
    """Whether the chosen cell, once it is run, shows a selector; what is run before the kernel is there may be dropped."""
    view.keyboard.press("Control+Enter")
    try:
        view.wait_for_selector(shown, timeout=20_000)
    except pytest.importorskip("playwright.sync_api").TimeoutError:
        return False
    return True

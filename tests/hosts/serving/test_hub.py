"""On a real JupyterHub: two users, each with the dashboard in JupyterLab and as a page by Voila, neither with the other's.

Needs jupyterhub and configurable-http-proxy, which no extra of ours installs: see docs/deploy.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.hosts.serving.hub import PASSWORD, jupyterhub
from tests.jupyter import runs_cell
from tests.server import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOURCE = "from lmdk_widgets import Dashboard\nDashboard()"
USERS = ("ada", "bob")
READY = ".lmdk-explorer[data-lmdk-ready]"


def write_notebook(folder: Path) -> None:
    folder.mkdir()
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": SOURCE}
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "page.ipynb").write_text(json.dumps(notebook), "utf-8")


def log_in(view: Any, hub: Any, user: str, path: str) -> None:
    """Log in, have the user's own server started, and wait for an address on it."""
    view.goto(hub(f"hub/spawn/{user}?next=/user/{user}/{path}"))
    view.get_by_label("Username").fill(user)
    view.get_by_label("Password").fill(PASSWORD)
    view.get_by_role("button", name="Sign in").click()
    view.wait_for_url(lambda url: url.startswith(hub(f"user/{user}/")), timeout=120_000)


def runs_in_jupyterlab(view: Any) -> bool:
    """Whether the cell has shown its dashboard."""
    view.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
    return runs_cell(view, READY)


@pytest.mark.nightly
def test_two_users_in_jupyterlab_and_by_voila(chromium: Any, tmp_path: Path) -> None:
    for user in USERS:
        write_notebook(tmp_path / user)
    size = {"width": 1400, "height": 1000, "check": False, "anew": True}
    with jupyterhub(tmp_path) as hub, page(chromium, **size) as first, page(chromium, **size) as second:
        log_in(first, hub, "ada", "lab/tree/page.ipynb")
        first.locator(".jp-Notebook .jp-Cell .cm-content").first.wait_for(timeout=120_000)
        first.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=120_000)
        until(lambda: (None, runs_in_jupyterlab(first)), "the dashboard in JupyterLab", 90)
        log_in(second, hub, "bob", "voila/render/page.ipynb")
        second.wait_for_selector(READY, timeout=120_000)
        for view in (first, second):
            said = view.inner_text("[data-lmdk=numbers]")
            view.get_by_label("Scheme", exact=True).select_option("user")
            changed = "(said) => document.querySelector('[data-lmdk=numbers]').innerText !== said"
            view.wait_for_function(changed, arg=said)
            view.screenshot(path=tmp_path / f"{USERS[view is second]}.png")
            assert not view.guard.errors
        for path in ("api/kernels", "lab/tree/page.ipynb", "voila/render/page.ipynb"):
            assert first.request.get(hub(f"user/bob/{path}")).status in {403, 404}, "nobody is another user"
            assert second.request.get(hub(f"user/ada/{path}")).status in {403, 404}

"""Where the path of a table can be typed: in the notebook of somebody who may run code there, and nowhere else by itself."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from lmdk_widgets import PeopleLab
from lmdk_widgets.hosts.page_list import page_class
from lmdk_widgets.hosts.serving import launch, page
from lmdk_widgets.hosts.widget.dashboard import Dashboard
from lmdk_widgets.hosts.widget.people import in_own_notebook

KERNEL = SimpleNamespace(IPKernelApp=SimpleNamespace(initialized=lambda: True))


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of a notebook that a Jupyter server has opened."""
    monkeypatch.setitem(sys.modules, "ipykernel.kernelapp", KERNEL)
    monkeypatch.setenv("JPY_SESSION_NAME", "mine.ipynb")


def test_a_room_and_a_site_read_no_path() -> None:
    assert not page_class("people")().session.paths


def test_a_script_reads_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert not in_own_notebook() and not PeopleLab().session.paths
    assert PeopleLab(paths=True).session.paths


@pytest.mark.usefixtures("notebook")
def test_a_notebook_of_its_user_reads_paths_unless_it_is_shown_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PeopleLab().session.paths and not PeopleLab(paths=False).session.paths
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5.13")
    assert not PeopleLab().session.paths
    monkeypatch.setenv("SERVER_SOFTWARE", "")
    monkeypatch.setenv("VOILA_PREHEAT", "True")
    assert not PeopleLab().session.paths


@pytest.mark.parametrize("paths", [True, False])
def test_the_explorer_of_one_person_says_whether(monkeypatch: pytest.MonkeyPatch, paths: bool) -> None:
    assert launch.PATHS == page.PATHS
    monkeypatch.setenv(page.PATHS, "1" if paths else "")
    made = page._made("page=people")
    assert isinstance(made, Dashboard) and made.widgets["people"].session.paths is paths

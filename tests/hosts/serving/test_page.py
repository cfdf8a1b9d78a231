"""What the notebook calls, and the notebook itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import page
from lmdk_widgets.hosts.site.notebooks import notebook as notebook_of
from tests.server import ROOT

shown: list[tuple[tuple, dict]] = []


@pytest.fixture(autouse=True)
def _display(monkeypatch: pytest.MonkeyPatch) -> None:
    shown.clear()
    monkeypatch.setattr("IPython.display.display", lambda *args, **options: shown.append((args, options)))
    for name in ("LMDK_TRACK", "LMDK_TIMEZONE", "QUERY_STRING", "VOILA_PREHEAT"):
        monkeypatch.delenv(name, raising=False)


def stand_in(monkeypatch: pytest.MonkeyPatch, explorer: Any) -> None:
    monkeypatch.setattr("lmdk_widgets.hosts.widget.dashboard.Dashboard", explorer)


def test_settings_in_the_address_are_passed_on_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda **options: options)
    monkeypatch.setenv("QUERY_STRING", "epsilon=0.5&x=%20")
    page.explore_page()
    assert shown == [(({"query": "epsilon=0.5&x=%20", "paths": False},), {})]


def test_track_of_the_command_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda **options: options)
    monkeypatch.setenv("LMDK_TRACK", "/a/b.gpx")
    page.explore_page()
    monkeypatch.setenv("LMDK_TIMEZONE", "Asia/Tokyo")
    page.explore_page()
    assert [args[0] for args, _ in shown] == [
        {"source": "/a/b.gpx", "timezone": None, "query": "", "paths": False},
        {"source": "/a/b.gpx", "timezone": "Asia/Tokyo", "query": "", "paths": False},
    ]


def test_input_that_cannot_be_used_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise InputError("a track must have a point")

    stand_in(monkeypatch, refuse)
    page.explore_page()
    ((data,), options) = shown[0]
    assert data[page.SENTENCE]["sentence"] == "A track must have a point." and options == {"raw": True}


def test_other_errors_are_raised_for_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda **_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        page.explore_page()
    assert not shown


def test_notebook_is_one_small_cell_without_output() -> None:
    notebook = json.loads(notebook_of("explorer").read_text("utf-8"))
    (cell,) = notebook["cells"]
    assert cell["cell_type"] == "code" and len(cell["source"]) <= 15
    assert cell["outputs"] == [] and cell["execution_count"] is None


def test_a_page_made_in_advance_is_shown_as_it_is_and_made_anew_for_a_link_or_a_changed_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[dict[str, Any]] = []
    stand_in(monkeypatch, lambda **options: (made.append(options), options)[1])
    track = tmp_path / "my.csv"
    track.write_text("a")
    monkeypatch.setenv("LMDK_TRACK", str(track))
    monkeypatch.setenv("VOILA_PREHEAT", "True")
    for asked, count in (("", 1), ("epsilon=2", 2), ("changed", 2)):
        made.clear()

        async def told(asked: str = asked) -> dict[str, str]:
            assert len(made) == 1, "before it waits"
            if asked == "changed":
                track.write_text("other")
            return {"QUERY_STRING": "" if asked == "changed" else asked}

        monkeypatch.setattr(page, "_request", told)
        monkeypatch.delenv("QUERY_STRING", raising=False)
        page.explore_page()
        assert len(made) == count and shown[-1][0][0] == made[-1], asked


@pytest.mark.parametrize("module", ["serving.page", "serving.launch", "site.notebooks", "serving.settings"])
def test_modules_are_light(module: str) -> None:
    program = f"import sys, lmdk_widgets.hosts.{module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    heavy = {"voila", "tornado", "numpy", "ipywidgets", "plotly", "pandas", "IPython", "traitlets"}
    assert not heavy & set(loaded.stdout.split())

"""Refusals where they are read in a notebook: the sentence, and no traceback around it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from traitlets.config import Config

PLAIN = "Times must have a time zone"


def test_a_notebook_shows_the_sentence_of_a_refusal_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shells = pytest.importorskip("IPython.core.interactiveshell")
    own = tmp_path / "my.csv"
    own.write_text("time,lat,lon\n2026-03-01 08:00:00,48.8,2.3\n2026-03-01 08:01:00,48.9,2.3\n")
    alone = Config(HistoryManager={"enabled": False})
    shell = shells.InteractiveShell(config=alone, user_module=ModuleType("a_notebook"))  # not instead of __main__
    done = shell.run_cell(f"from lmdk_widgets.trajectory import load_trajectory\nload_trajectory({str(own)!r})")
    shown = capsys.readouterr().out.strip()
    assert shown == str(done.error_in_exec) and shown.startswith(PLAIN) and "\n" not in shown
    assert shown.endswith('In Python: timezone="Europe/Paris".')
    shell.run_cell("1 / 0")
    assert "Traceback" in capsys.readouterr().out, "other errors keep theirs"

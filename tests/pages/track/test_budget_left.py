"""What is left for a subject, on the page: the sentences of the command, on the owner's machine alone, in no report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import cli
from lmdk_widgets.hosts.serving import launch
from lmdk_widgets.page.blocks import Text
from lmdk_widgets.pages.track.budget_left import LEDGER, SUBJECT
from lmdk_widgets.pages.track.choices import PANELS
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import sample
from tests.landmark_choices import chosen, page_of

REGION = (48.75, 2.25, 49.0, 2.5)


def folds() -> list[str]:
    return [fold["name"] for fold in PANELS.folds()]


def test_the_page_says_what_the_command_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    path = tmp_path / "spent.json"
    monkeypatch.delenv(LEDGER, raising=False)
    assert "left" not in folds() and not list(page_of(chosen(left__open=True)).outcome.found("left") or ())
    monkeypatch.setenv(LEDGER, str(path))
    monkeypatch.setenv(SUBJECT, "bob")
    assert "left" in folds()
    page = page_of(chosen(left__open=True))
    assert "0 releases of the subject" in page.outcome.found("left")[0] and not path.exists(), "nothing is made"
    asked = Settings(landmarks=(0, 2), region=REGION)
    release_track(sample("bob"), asked, tmp_path / "out", Ledger(path), subject="bob", limit=3.0)
    choices = chosen(left__open=True)
    page = page_of(choices)
    assert cli.main(["release", "--left", "--subject", "bob", "--ledger", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    (panel,) = [each for each in PANELS if each.NAME == "left"]
    assert list(panel.blocks(choices, page.outcome)) == [Text(line) for line in said] and "limit of 3" in said[-1]
    assert not list(panel.parts(choices, page.outcome, None)), "in no report"
    key = path.with_name("spent.json.key")
    told = json.loads(key.read_text())
    first = json.loads(path.read_text())["key"]
    key.write_text(json.dumps({**told, "entries": 0, "link": first}))
    assert "was interrupted while it was being recorded" in page_of(choices).outcome.found("left")[-1]
    key.unlink()
    assert "The ledger must have its key next to it" in page_of(choices).outcome.found("left")[0]


def test_the_command_names_ledger_and_subject_for_this_machine_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    seen: dict[str, Any] = {}
    monkeypatch.setattr(launch, "explore", lambda *_, **named: seen.update(named))
    assert cli.main(["explore", "--subject", "anna", "--ledger", str(tmp_path / "a.json")]) == 0
    assert seen["ledger"] == (tmp_path / "a.json", "anna")
    assert cli.main(["explore"]) == 0 and seen["ledger"] is None
    assert launch._left(None) == {LEDGER: "", SUBJECT: ""}
    assert launch._left(seen["ledger"] or ("x.json", "anna"))[SUBJECT] == "anna"
    monkeypatch.undo()
    with pytest.raises(SystemExit):
        cli.main(["explore", "--subject", "anna", "--host", "0.0.0.0"])
    assert "unrecognized arguments: --host" in capsys.readouterr().err

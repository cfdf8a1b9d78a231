"""The command of a private release, as the track page gives it: for its settings, and run as it was given."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer, cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.release_command import COUNTED, copied_command, release_command, to_mend
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import SCHEMES, Scenario
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.secure.command import budgets_by_hand, timestamps
from lmdk_widgets.trajectory import Trajectory, load_series, load_trajectory, sample, sample_names
from lmdk_widgets.trajectory.samples import region_of

BOB = Scenario(landmarks=(0, 2, 4, 7))
COMPARING = ("budget-distribution", "budget-absorption", "predictive")


def test_the_command_runs_and_keeps_the_settings(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    sample("bob").to_frame().to_csv("bob.csv", index=False)
    line = release_command(BOB.with_changes(scheme="window", window=2, epsilon=0.75, radius_m=150), sample("bob"))
    program, *arguments = shlex.split(line)
    assert program == "lmdk" and cli.main(arguments) == 0
    said = capsys.readouterr().out
    assert "b / ((150 m + 1.41421 x 3.75 m) x 1.006)" in said and "the whole track 3." in said, (
        "8 timestamps with 0.375 each"
    )
    assert (tmp_path / "data" / "lmdk" / "releases.json").exists()


def test_schemes_that_cannot_be_meant_are_refused() -> None:
    given = {}
    for scheme in SCHEMES:
        try:
            given[scheme] = release_command(BOB.with_changes(scheme=scheme), sample("bob"))
        except InputError as error:
            assert f"got {scheme}" in str(error)
    assert set(given) == {"event", "user", "window", "uniform", "weighted", "skip", "adaptive", *COMPARING}
    with pytest.raises(InputError, match="must use the mechanism Planar Laplace; got Optimal on cells"):
        release_command(BOB.with_changes(mechanism="optimal"), sample("bob"))


def test_budgets_by_hand_are_released_as_they_are(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    sample("bob").to_frame().to_csv("bob.csv", index=False)
    given = BOB.with_changes(scheme="given", budgets=((0.25, 3), (0.0, 1), (0.125, 4)))
    line = release_command(given, sample("bob"))
    assert "--budgets 0.25x3,0.0,0.125x4 " in line and "--epsilon" not in line and "--scheme" not in line
    assert cli.main([*shlex.split(line)[1:], "--ledger", "spent.json"]) == 0
    told = json.loads(Path("release/guarantee.json").read_text("utf-8"))
    assert told["sum_over_all_timestamps"] == 1.25 and told["points"] == 7
    first = release_command(BOB.with_changes(scheme="given"), sample("bob")).split("--budgets ")[1].split()[0]
    assert budgets_by_hand(first) == pytest.approx([0.2] * 8), "Uniform's at first"


@pytest.mark.parametrize("marks", [(0, 2, 4, 7), (0, 1, 2, 3), (), (5,), tuple(range(8))])
def test_landmarks_are_read_as_they_were_meant(marks: tuple[int, ...]) -> None:
    line = release_command(BOB.with_changes(landmarks=marks), sample("bob")).split()
    assert ("--landmarks" in line) == bool(marks)
    assert timestamps(line[line.index("--landmarks") + 1] if marks else "", 8) == [*marks]


def test_hidden_landmarks_go_with_their_dummies() -> None:
    hidden = BOB.with_changes(hide=True, seed=6)
    line = release_command(hidden, sample("bob"))
    listed = line.split("--landmarks ")[1].split()[0]
    assert len(protected(hidden, 8)) > 4
    assert tuple(timestamps(listed, 8)) == protected(hidden, 8)


def test_a_file_of_ones_own_is_quoted_and_keeps_its_zone() -> None:
    own = BOB.with_changes(track="")
    line = release_command(own, sample("bob"), {"path": "my $HOME day.csv", "timezone": "Europe/Paris"})
    assert shlex.split(line)[2] == "my $HOME day.csv" and line.endswith("--timezone Europe/Paris --out release")
    assert shlex.split(release_command(own, sample("bob")))[2] == "my-track.csv"


def test_the_region_is_public_for_a_sample_and_a_proposal_for_a_track_of_ones_own() -> None:
    for name in sample_names():
        line = release_command(Scenario(track=name), sample(name))
        assert f"--region {','.join(f'{limit:g}' for limit in region_of(name).limits)} " in line
        assert to_mend(Scenario(track=name), sample(name)) == ""
    there = Trajectory([-33.92, -33.95], [18.42, 18.46], ["2026-03-03T08:00", "2026-03-03T09:00"])
    own = Scenario(track="", landmarks=())
    line = release_command(own, there)
    assert "--region=-34,18.25,-33.75,18.5 " in line
    said = to_mend(own, there)
    assert "replace the region -34,18.25,-33.75,18.5: it is a box around your own track" in said
    assert "Use an area that can be public" in said
    chosen = own.with_changes(region=(-34.5, 18.0, -33.5, 19.0))
    assert "--region=-34.5,18,-33.5,19 " in release_command(chosen, there) and to_mend(chosen, there) == ""
    explorer, sent = Explorer(there), []
    explorer.send = lambda content, buffers=None: sent.append(content)  # type: ignore[method-assign]
    explorer.page._save({"what": "command"}, [])
    assert sent[0]["mend"] == said and "--region=-34,18.25" in sent[0]["text"]
    explorer.close()


def test_a_part_of_a_file_is_refused() -> None:
    source = {"path": "a.csv", "timezone": None, "days": ["2026-01-26", "2026-01-27"], "day_first": None}
    with pytest.raises(InputError, match="must be made from a whole file, read as it is; got days"):
        release_command(BOB.with_changes(track=""), sample("bob"), source)


def test_of_a_series_numbers_with_bounds_can_be_released_and_answers_not() -> None:
    page = TrackSession()
    page.apply([{"op": "set", "name": "track", "value": "household"}], commit=True)
    line = release_command(page.scenario, page.data)
    marks = ",".join(str(i + 1) for i in page.data.landmarks)
    assert (
        line
        == f"lmdk release household.csv --epsilon 1 --low 0 --high 6 --scheme uniform --landmarks {marks} --out release"
    )
    stated = page.scenario.with_changes(bounds="stated", lower=-2.5, upper=4.0)
    assert "--low=-2.5 --high 4 " in release_command(stated, page.data)
    with pytest.raises(InputError, match="known without looking at the values; got those of the data"):
        release_command(page.scenario.with_changes(bounds="data"), page.data)
    page.apply([{"op": "set", "name": "track", "value": "contacts"}], commit=True)
    with pytest.raises(InputError, match="must be for a track or numbers; got answers"):
        release_command(page.scenario, page.data)


def test_the_page_copies_it() -> None:
    explorer, sent = Explorer(), []
    explorer.send = lambda content, buffers=None: sent.append(content)  # type: ignore[method-assign]
    explorer.page._save({"what": "command"}, [])
    assert sent[0]["type"] == "copy" and sent[0]["file"] == "command-of-a-release.txt"
    assert sent[0]["text"].startswith(f'{COUNTED}\npython -c "from lmdk_widgets.trajectory import sample; ')
    assert (
        sent[0]["text"]
        .splitlines()[-1]
        .startswith("lmdk release bob.csv --epsilon 1 --radius 200 --region 48.75,2.25,49,2.5 --scheme")
    )
    assert "only makes simulations" in sent[0]["said"] and sent[0]["mend"] == ""
    explorer.page._save({"what": "python"}, [])
    assert sent[1]["file"].endswith(".py") and "import" in sent[1]["text"]
    explorer.close()


@pytest.mark.long
@pytest.mark.parametrize(("name", "read"), [("bob", load_trajectory), ("household", load_series)])
def test_what_is_copied_of_a_sample_runs_in_an_empty_folder(name: str, read: Any, tmp_path: Path) -> None:
    page = TrackSession()
    page.apply([{"op": "set", "name": "track", "value": name}], commit=True)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for program, arguments in {"python": "", "lmdk": " -m lmdk_widgets.cli"}.items():
        (bin_folder / program).write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        (bin_folder / program).chmod(0o755)
    ways = {"PATH": f"{bin_folder}:{os.environ['PATH']}", "XDG_DATA_HOME": str(tmp_path / "data")}
    ways["PYTHONPATH"] = str(Path(cli.__file__).parents[2])
    folder = tmp_path / "empty"
    folder.mkdir()
    text = copied_command(page.scenario, page.data)
    done = subprocess.run(["sh", "-e"], input=text, cwd=folder, env=os.environ | ways, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (folder / "release" / "guarantee.json").exists()
    written = read(str(folder / f"{name}.csv"))
    assert (written.time == page.data.time).all() and (written.latitude == page.data.latitude).all()
    if name == "household":
        assert (written.values == page.data.values).all()


def test_what_is_copied_says_from_which_number_landmarks_are_counted() -> None:
    assert copied_command(BOB, sample("bob")).startswith(f"{COUNTED}\n")
    assert COUNTED not in copied_command(BOB.with_changes(landmarks=()), sample("bob"))
    own = BOB.with_changes(track="")
    assert copied_command(own, sample("bob")) == f"{COUNTED}\n{release_command(own, sample('bob'))}"

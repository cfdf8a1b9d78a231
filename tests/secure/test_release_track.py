"""`lmdk release`: the files, the guarantee, a ledger that spends no budget twice, and what an interruption leaves."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.budgets import allocate
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.secure import files
from lmdk_widgets.secure.command import command, place, timestamps
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample

BOB = Settings(landmarks=(0, 2, 4, 7), origin=(48.9, 2.3))


@pytest.fixture
def place_of(tmp_path: Path) -> tuple[Path, Ledger]:
    return tmp_path / "out", Ledger(tmp_path / "spent.json")


def test_a_release_is_two_files_that_say_what_they_promise(place_of: Any) -> None:
    folder, ledger = place_of
    told = release_track(sample("bob"), BOB, folder, ledger)
    assert sorted(p.name for p in folder.iterdir()) == ["guarantee.json", "release.csv"]
    assert json.loads((folder / "guarantee.json").read_text("utf-8")) == told
    assert "simulation" not in (folder / "release.csv").read_text("utf-8")
    found = load_trajectory(folder / "release.csv")
    assert (found.time == sample("bob").time.astype("datetime64[ms]")).all() and len(found) == 8
    assert (distance_m(found.latitude, found.longitude, 48.86, 2.34) < 40_000).all()
    assert told["largest_sum_over_landmarks_and_one_other"] <= 1 and told["landmarks"] == 4
    assert told["epsilon_per_m_of_a_point"] == pytest.approx([0.001, 0.001])
    assert told["epsilon_per_m_of_a_point"][1] * 200 <= 0.2 + 1e-15
    assert told["lattice_step_m"] == 5.0 and told["release_of_these_data"] == 1
    assert told["frame"]["origin"] == [48.9, 2.3]
    said = " ".join(told["words"])
    assert "spend at most 1 together" in said and "the whole track 1.6" in said and "mean of the track" not in said


@pytest.mark.parametrize("scheme", ["event", "user", "window", "weighted", "skip"])
def test_budgets_are_those_of_the_scheme(scheme: str, tmp_path: Path) -> None:
    settings = Settings(scheme=scheme, landmarks=(0, 2, 4, 7), window=3 if scheme == "window" else None)
    told = release_track(sample("bob"), settings, tmp_path / "out", Ledger(tmp_path / "spent"))
    budgets = allocate(scheme, 8, BOB.landmarks, 1.0, window=3)
    spent = budgets[budgets > 0]
    assert told["epsilon_per_m_of_a_point"] == pytest.approx([spent.min() / 200, spent.max() / 200])
    assert told["points"] == len(spent), "a timestamp without a budget is not published"
    assert told["sum_over_all_timestamps"] == pytest.approx(budgets.sum())
    assert "mean of the track to a whole degree" in " ".join(told["words"])
    assert told["frame"]["origin"] == [49.0, 2.0]


def test_points_of_the_file_lie_on_the_lattice_around_the_truth(tmp_path: Path) -> None:
    track = sample("commuter")
    told = release_track(track, Settings(scheme="event", epsilon=2.0), tmp_path / "out", Ledger(tmp_path / "spent"))
    with open(tmp_path / "out" / "release.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    at = np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows]).T
    off = distance_m(*at, track.latitude, track.longitude)
    assert off.mean() == pytest.approx(200, rel=0.1), "2 r / epsilon"
    assert told["points"] == len(track)


def test_a_budget_is_spent_once_unless_one_says_so(place_of: Any, tmp_path: Path) -> None:
    folder, ledger = place_of
    release_track(sample("bob"), BOB, folder, ledger)
    for other in (BOB, Settings(scheme="user")):
        with pytest.raises(InputError, match=r"Data must be released once; got data that were released on 20.*--again"):
            release_track(sample("bob"), other, tmp_path / "second", ledger)
        assert not (tmp_path / "second").exists()
    told = release_track(sample("bob"), BOB, tmp_path / "second", ledger, again=True)
    assert told["release_of_these_data"] == 2 and len(ledger.entries()) == 2
    first, second = ((tmp_path / name / "release.csv").read_text("utf-8") for name in ("out", "second"))
    assert first != second
    release_track(sample("commuter"), Settings(), tmp_path / "third", ledger)


def test_the_ledger_knows_data_by_a_keyed_digest_alone(place_of: Any, tmp_path: Path) -> None:
    folder, ledger = place_of
    release_track(sample("bob"), BOB, folder, ledger)
    text = ledger.path.read_text("utf-8")
    assert set(ledger.entries()[0]) == {"data", "when", "scheme", "epsilon", "radius_m"}
    assert str(sample("bob").latitude[0])[:6] not in text
    for path in (ledger.path, ledger.key_path):
        assert path.stat().st_mode & 0o77 == 0, "for its owner alone"
    assert Ledger(tmp_path / "another").digest(b"x") != ledger.digest(b"x") == ledger.digest(b"x")
    ledger.key_path.unlink()
    with pytest.raises(InputError, match="must have its key beside it"):
        ledger.digest(b"x")
    ledger.path.write_text("{}")
    with pytest.raises(InputError, match="must be a file that was made here; got spent.json"):
        ledger.entries()


@pytest.mark.parametrize("name", ["guarantee.json", "release.csv"])
def test_an_interrupted_release_leaves_nothing_to_read(name: str, place_of: Any, monkeypatch: Any) -> None:
    folder, ledger = place_of
    seen: list[int] = []
    real = Path.rename

    def stop(self: Path, target: Path) -> Path:
        seen.append(self.stat().st_mode & 0o777)
        if Path(target).name == name:
            raise KeyboardInterrupt
        return real(self, target)

    monkeypatch.setattr(Path, "rename", stop)
    with pytest.raises(KeyboardInterrupt):
        release_track(sample("bob"), BOB, folder, ledger)
    assert set(seen) == {0}, "nobody may read a file before it is whole"
    assert "release.csv" not in {p.name for p in folder.iterdir()} and not list(folder.glob(".*"))
    assert len(ledger.entries()) == 1, "the safe side"


def test_a_killed_release_leaves_nothing_that_may_be_read(tmp_path: Path) -> None:
    program = (
        "import os, signal, pathlib\n"
        "from lmdk_widgets.secure import files\n"
        "pathlib.Path.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"files.publish(pathlib.Path({str(tmp_path / 'out')!r}), {{'release.csv': 'true places' * 9999}})\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    left = list((tmp_path / "out").iterdir())
    assert left and all(path.stat().st_mode & 0o777 == 0 and path.name.startswith(".") for path in left)


def test_the_command_releases_and_refuses(tmp_path: Path, capsys: Any) -> None:
    track = tmp_path / "track.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    call = ["release", str(track), "--epsilon", "1", "--radius", "200", "--scheme", "uniform", "--landmarks", "1,3,5,8"]
    call += ["--ledger", str(tmp_path / "spent.json"), "--origin", "48.9,2.3", "--out"]
    assert cli.main([*call, str(tmp_path / "a")]) == 0
    assert "spend at most 1 together" in capsys.readouterr().out
    assert cli.main([*call, str(tmp_path / "b")]) == 2
    assert "Data must be released once" in capsys.readouterr().err
    assert cli.main([*call, str(tmp_path / "a"), "--again"]) == 2
    assert "must hold no release yet; got guarantee.json" in capsys.readouterr().err
    assert cli.main([*call, str(tmp_path / "b"), "--again"]) == 0
    assert "--landmarks must be timestamps from 1 to 8" in _refused(call, tmp_path, capsys, "--landmarks", "0")
    assert "--origin must be a latitude and a longitude" in _refused(call, tmp_path, capsys, "--origin", "Paris")
    assert "must lie within 200 km of the origin" in _refused(call, tmp_path, capsys, "--origin", "0,0")


def _refused(call: list[str], tmp_path: Path, capsys: Any, *more: str) -> str:
    assert cli.main([*call, str(tmp_path / "c"), "--again", *more]) == 2
    assert not (tmp_path / "c").exists()
    return capsys.readouterr().err


def test_what_is_typed_is_read_as_it_was_meant() -> None:
    for text, marks in (("1,3,5,8", [0, 2, 4, 7]), ("1-4", [0, 1, 2, 3]), ("", []), ("6", [5]), ("1-8", [*range(8)])):
        assert timestamps(text, 8) == marks
    for wrong in ("0", "9", "3-2", "1-", "-3", "a", "1;2", "1" * 30):
        with pytest.raises(InputError):
            timestamps(wrong, 8)
    assert place("-33.9, 18.4") == (-33.9, 18.4)
    with pytest.raises(
        InputError, match="one of the schemes event, user, window, uniform, skip, weighted; got adaptive"
    ):
        command("a.csv", scheme="adaptive", epsilon=1.0, radius_m=200.0, landmarks="")


def test_nothing_to_release_is_refused(tmp_path: Path) -> None:
    track = Trajectory([48.9], [2.3], ["2026-03-03T08:00"])
    with pytest.raises(InputError, match="must measure a timestamp at least"):
        release_track(track, Settings(scheme="skip", landmarks=(0,)), tmp_path / "out", Ledger(tmp_path / "spent"))
    with pytest.raises(InputError, match="must be a folder"):
        files.check_free(Path(__file__), [])

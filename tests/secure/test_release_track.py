"""`lmdk release`: the files, the guarantee, a ledger that spends no budget twice, and what an interruption leaves."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.budgets import allocate
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.secure import files
from lmdk_widgets.secure.command import command, place, timestamps
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.points import snapped
from lmdk_widgets.secure.track import FARTHEST_KM, GROUND, ROOT_2, Settings, release_track
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample

CENTRE = (48.9, 2.3)
BOB = Settings(landmarks=(0, 2, 4, 7), origin=CENTRE)


@pytest.fixture
def place_of(tmp_path: Path) -> tuple[Path, Ledger]:
    return tmp_path / "out", Ledger(tmp_path / "spent.json")


def test_a_release_is_two_files_that_say_what_they_promise(place_of: Any) -> None:
    folder, ledger = place_of
    told = release_track(sample("bob"), BOB, folder, ledger)
    assert sorted(p.name for p in folder.iterdir()) == ["guarantee.html", "guarantee.json", "release.csv"]
    assert json.loads((folder / "guarantee.json").read_text("utf-8")) == told
    assert "simulation" not in (folder / "release.csv").read_text("utf-8")
    found = load_trajectory(folder / "release.csv")
    assert (found.time == sample("bob").time.astype("datetime64[ms]")).all() and len(found) == 8
    assert (distance_m(found.latitude, found.longitude, 48.86, 2.34) < 40_000).all()
    assert told["largest_sum_over_landmarks_and_one_other"] <= 1 and told["landmarks"] == 4
    assert told["epsilon_per_m_of_a_point"] == pytest.approx([0.2 / ((200 + 5 * 2**0.5) * 1.006)] * 2, rel=1e-4)
    assert told["lattice_step_m"] == 5.0 and told["release_of_these_data"] == 1
    assert told["frame"]["origin"] == [48.9, 2.3]
    said = " ".join(told["words"])
    assert "spend at most 1 together" in said and "the whole track 1.6" in said and "mean of the track" not in said
    assert "A length in it is at most 1.006 times the length on the ground" in said
    assert (
        "epsilon b / ((200 m + 1.41421 x 5 m) x 1.006) per metre" in said
        and "at most 200 m apart on the ground" in said
    )


@pytest.mark.parametrize("scheme", ["event", "user", "window", "weighted", "skip"])
def test_budgets_are_those_of_the_scheme(scheme: str, tmp_path: Path) -> None:
    settings = replace(BOB, scheme=scheme, window=3 if scheme == "window" else None)
    told = release_track(sample("bob"), settings, tmp_path / "out", Ledger(tmp_path / "spent"))
    budgets = allocate(scheme, 8, BOB.landmarks, 1.0, window=3)
    spent = budgets[budgets > 0]
    apart = (200 + 2**0.5 * 5) * 1.006
    assert told["epsilon_per_m_of_a_point"] == pytest.approx([spent.min() / apart, spent.max() / apart], rel=1e-4)
    assert told["points"] == len(spent), "a timestamp without a budget is not published"
    assert told["sum_over_all_timestamps"] == pytest.approx(budgets.sum())


def test_points_of_the_file_lie_on_the_lattice_around_the_truth(tmp_path: Path) -> None:
    track = sample("commuter")
    told = release_track(
        track, Settings(scheme="event", epsilon=2.0, origin=CENTRE), tmp_path / "out", Ledger(tmp_path / "spent")
    )
    with open(tmp_path / "out" / "release.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    at = np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows]).T
    off = distance_m(*at, track.latitude, track.longitude)
    assert off.mean() == pytest.approx((200 + 2**0.5 * 5) * 1.006, rel=0.1), "2 / (epsilon per metre)"
    assert told["points"] == len(track)


def test_a_budget_is_spent_once_unless_one_says_so(place_of: Any, tmp_path: Path) -> None:
    folder, ledger = place_of
    release_track(sample("bob"), BOB, folder, ledger)
    for other in (BOB, replace(BOB, scheme="user")):
        with pytest.raises(
            InputError, match=r"Data must be released only once; got data already released on 20.*--again"
        ):
            release_track(sample("bob"), other, tmp_path / "second", ledger)
        assert not (tmp_path / "second").exists()
    told = release_track(sample("bob"), BOB, tmp_path / "second", ledger, again=True)
    assert told["release_of_these_data"] == 2 and len(ledger.entries()) == 2
    first, second = ((tmp_path / name / "release.csv").read_text("utf-8") for name in ("out", "second"))
    assert first != second
    with pytest.raises(
        InputError, match=r"Each minute of a subject must be released only once; got 2 minutes .*--subject"
    ):
        release_track(sample("commuter"), Settings(origin=CENTRE), tmp_path / "third", ledger)
    release_track(sample("commuter"), Settings(origin=CENTRE), tmp_path / "third", ledger, subject="another")


def test_the_ledger_knows_data_by_a_keyed_digest_alone(place_of: Any, tmp_path: Path) -> None:
    folder, ledger = place_of
    release_track(sample("bob"), BOB, folder, ledger)
    text = ledger.path.read_text("utf-8")
    assert set(ledger.entries()[0]) == {
        *("data", "when", "scheme", "epsilon", "radius_m", "near", "subject", "minutes", "link", "places", "files")
    }
    assert str(sample("bob").latitude[0])[:6] not in text
    for path in (ledger.path, ledger.key_path):
        assert path.stat().st_mode & 0o77 == 0, "for its owner alone"
    assert Ledger(tmp_path / "another").digest(b"x") != ledger.digest(b"x") == ledger.digest(b"x")
    ledger.key_path.unlink()
    with pytest.raises(InputError, match="must have its key next to it"):
        ledger.digest(b"x")
    ledger.path.write_text("{}")
    with pytest.raises(InputError, match="must be a file made by this program; got spent.json"):
        ledger.entries()


@pytest.mark.parametrize("name", ["guarantee.json", "guarantee.html", "release.csv"])
def test_an_interrupted_release_leaves_nothing_to_read(name: str, place_of: Any, monkeypatch: Any) -> None:
    folder, ledger = place_of
    seen: list[int] = []
    real = os.link

    def stop(path: Path, target: Path) -> None:
        seen.append(path.stat().st_mode & 0o777)
        if Path(target).name == name:
            raise KeyboardInterrupt
        real(path, target)

    monkeypatch.setattr(os, "link", stop)
    with pytest.raises(KeyboardInterrupt):
        release_track(sample("bob"), BOB, folder, ledger)
    assert set(seen) == {0}, "nobody may read a file before it is whole"
    left = {p.name for p in folder.iterdir()} if folder.exists() else set()
    assert "release.csv" not in left and not any(each.startswith(".") for each in left)
    assert len(ledger.entries()) == 1, "the safe side"


def test_a_killed_release_leaves_nothing_that_may_be_read(tmp_path: Path) -> None:
    program = (
        "import os, signal, pathlib\n"
        "from lmdk_widgets.secure import files\n"
        "os.link = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from lmdk_widgets.secure.ledger import Ledger\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "with files.reserved(here / 'out', {'release.csv': 1}, Ledger(here / 'spent').unfinished) as publish:\n"
        "    publish({'release.csv': 'true places' * 9999})\n"
    )
    killed = subprocess.run([sys.executable, "-c", program], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    left = list((tmp_path / "out").iterdir())
    assert left and all(path.stat().st_mode & 0o777 == 0 and path.name.startswith(".") for path in left)
    release_track(sample("bob"), BOB, tmp_path / "other", ledger := Ledger(tmp_path / "spent"))
    assert not (tmp_path / "out").exists(), "the next release removes them"
    assert ledger.notices == ["1 hidden file of releases that were killed removed."]


def test_the_command_releases_and_refuses(tmp_path: Path, capsys: Any) -> None:
    track = tmp_path / "track.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    call = ["release", str(track), "--epsilon", "1", "--radius", "200", "--scheme", "uniform", "--landmarks", "1,3,5,8"]
    call += ["--ledger", str(tmp_path / "spent.json"), "--origin", "48.9,2.3", "--out"]
    assert cli.main([*call, str(tmp_path / "a")]) == 0
    assert "spend at most 1 together" in capsys.readouterr().out
    assert cli.main([*call, str(tmp_path / "b")]) == 2
    assert "Data must be released only once" in capsys.readouterr().err
    assert cli.main([*call, str(tmp_path / "a"), "--again"]) == 2
    assert "must not contain a release yet; got guarantee.json" in capsys.readouterr().err
    assert cli.main([*call, str(tmp_path / "b"), "--again"]) == 0
    assert "--landmarks must be timestamps from 1 to 8" in _refused(call, tmp_path, capsys, "--landmarks", "0")
    assert "--origin must be a latitude and a longitude" in _refused(call, tmp_path, capsys, "--origin", "Paris")
    assert "must be within 200 km of the origin" in _refused(call, tmp_path, capsys, "--origin", "0,0")
    assert "Step must be a finite number above 0; got nan" in _refused(call, tmp_path, capsys, "--step", "nan")


def test_a_track_is_not_released_without_a_public_origin(tmp_path: Path, capsys: Any) -> None:
    track = tmp_path / "track.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    call = [
        "release",
        str(track),
        "--epsilon",
        "1",
        "--radius",
        "200",
        "--ledger",
        str(tmp_path / "spent.json"),
        "--out",
    ]
    said = _refused(call, tmp_path, capsys)
    assert "must have a public origin or region; got none. Name --region" in said
    assert "It is published, and one computed from the track reveals something about it" in said
    assert not (tmp_path / "spent.json").exists()
    with pytest.raises(SystemExit):
        cli.main(["release", "--help"])
    assert "never compute it from the track" in " ".join(capsys.readouterr().out.split())


def test_series_that_differ_at_one_timestamp_publish_the_same_but_noise(tmp_path: Path) -> None:
    bob = sample("bob")
    other = Trajectory(np.append(bob.latitude[:-1], 49.3), np.append(bob.longitude[:-1], 2.9), bob.time)
    told = [
        release_track(track, BOB, tmp_path / str(k), Ledger(tmp_path / "spent"), subject=str(k))
        for k, track in enumerate((bob, other))
    ]
    digests = [each.pop("release_sha256") for each in told]
    assert told[0] == told[1] and digests[0] != digests[1], "the digest is that of the noise too"


def test_lengths_in_the_frame_are_at_most_1_006_times_those_on_the_ground() -> None:
    """By the metric of the WGS84 ellipsoid, all over the frame and at all latitudes of its origin."""
    a, flat = 6_378_137.0, 1 / 298.257223563
    square, worst = flat * (2 - flat), 0.0
    for origin in np.arange(-90.0, 91.0, 5.0):
        frame = LocalFrame(origin, 12.0)
        bearing, far = np.meshgrid(np.radians(np.arange(0, 360, 15)), 1000 * np.array([1.0, 80.0, 200.0, FARTHEST_KM]))
        there = np.stack([far * np.sin(bearing), far * np.cos(bearing)], axis=-1).reshape(-1, 2)
        latitude, longitude = frame.to_degrees(there)
        phi = np.radians(latitude)
        keep = np.abs(latitude) < 89.9  # at the pole itself a degree of longitude has no length
        under = 1 - square * np.sin(phi) ** 2
        north = np.degrees(under**1.5 / (a * (1 - square)))  # of one metre
        with np.errstate(divide="ignore"):
            east = np.degrees(np.sqrt(under) / (a * np.cos(phi)))
        up = (frame.to_metres(latitude + north, longitude) - frame.to_metres(latitude - north, longitude)) / 2
        right = (frame.to_metres(latitude, longitude + east) - frame.to_metres(latitude, longitude - east)) / 2
        stretched = np.linalg.norm(np.stack([up, right], axis=-1)[keep], ord=2, axis=(1, 2))
        worst = max(worst, float(stretched.max()))
    assert 1.0059 < worst < float(GROUND), "1.006 holds, and 1.0059 would not"
    assert ROOT_2**2 > 2


def test_true_places_a_radius_apart_differ_by_their_budget_at_most(tmp_path: Path) -> None:
    """Geodesics on WGS84 at all latitudes, in all directions and at all places of the lattice's cell."""
    geod = pytest.importorskip("pyproj").Geod(ellps="WGS84")
    rng, n = np.random.default_rng(5), 4000
    for origin in (-89.0, -60.0, 0.0, 1.5, 45.0, 80.0):
        frame = LocalFrame(origin, 20.0)
        angle, far = rng.uniform(0, 2 * np.pi, n), rng.uniform(0, 199_000, n)
        latitude, longitude = frame.to_degrees(np.stack([far * np.sin(angle), far * np.cos(angle)], axis=-1))
        for settings in (
            Settings(radius_m=200.0, step_m=5.0),
            Settings(radius_m=1.0, step_m=40.0),
            Settings(radius_m=9e4),
        ):
            radius = np.full(n, settings.radius_m)
            east, north, _ = geod.fwd(longitude, latitude, rng.choice([0.0, 180.0, *range(17, 360, 17)], n), radius)
            moved = [
                snapped(frame.to_metres(*at), Fraction(settings.step)) * settings.step
                for at in ((latitude, longitude), (np.array(north), np.array(east)))
            ]
            apart = np.hypot(*(moved[0] - moved[1]).T)
            assert apart.max() * settings.rate(0.7) <= 0.7
    assert Settings(radius_m=200.0, step_m=5.0).rate(0.7) > 0.7 / 209, "no more noise than that needs"


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
        InputError,
        match="one of the schemes event, user, window, uniform, weighted, skip, adaptive, budget-d.* got planned",
    ):
        command("a.csv", scheme="planned", epsilon=1.0, radius_m=200.0, landmarks="")


def test_nothing_to_release_is_refused(tmp_path: Path) -> None:
    track = Trajectory([48.9], [2.3], ["2026-03-03T08:00"])
    with pytest.raises(InputError, match="must measure at least one timestamp"):
        release_track(track, replace(BOB, scheme="skip", landmarks=(0,)), tmp_path / "out", Ledger(tmp_path / "spent"))
    with pytest.raises(InputError, match="must be written to a folder"):
        files.check_free(Path(__file__), [])

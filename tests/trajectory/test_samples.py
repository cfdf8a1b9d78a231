"""The bundled tracks: what they hold, that they look like movement, and that their generator makes them again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.trajectory import samples
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.samples import find_track, sample, sample_choices, sample_names, sample_series

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
NAMES = ("bob", "commuter", "runner", "taxi")


def test_sample_and_sample_series_say_which_takes_which() -> None:
    with pytest.raises(InputError, match=r'"household" is a series: use sample_series\("household"\)'):
        sample("household")
    with pytest.raises(InputError, match=r'"bob" is a track: use sample\("bob"\)'):
        sample_series("bob")
    for wrong in ("bobby", 3, np.zeros(2)):
        for function in (sample, sample_series):
            with pytest.raises(InputError, match="name of a sample"):
                function(wrong)  # type: ignore[operator]


def speeds_mps(track: Trajectory) -> np.ndarray:
    metres = distance_m(track.latitude[:-1], track.longitude[:-1], track.latitude[1:], track.longitude[1:])
    return metres / (np.diff(track.time) / np.timedelta64(1, "s"))


def runs(track: Trajectory) -> list[tuple[str, np.ndarray]]:
    """Stretches of timestamps with one label."""
    grouped = groupby(range(len(track)), key=lambda i: track.labels[i])
    return [(label, np.array(list(indices))) for label, indices in grouped]


def spread_m(track: Trajectory, indices: np.ndarray) -> np.ndarray:
    """Distances of some timestamps from their median place."""
    latitude, longitude = track.latitude[indices], track.longitude[indices]
    return distance_m(latitude, longitude, np.median(latitude), np.median(longitude))


@pytest.mark.parametrize(
    ("name", "n", "landmarks"), [("bob", 8, 4), ("commuter", 2016, 8), ("runner", 5019, 12), ("taxi", 10_000, 12)]
)
def test_sizes_and_landmarks(name: str, n: int, landmarks: int) -> None:
    track = sample(name)
    assert (len(track), len(track.landmarks), len(track.labels)) == (n, landmarks, n)
    assert all(track.labels) and track.name and not track.notices
    assert (np.diff(track.time) > np.timedelta64(0, "ns")).all()
    assert sample(name) is track


def test_names_and_descriptions() -> None:
    assert sample_names() == NAMES
    assert tuple(choice["name"] for choice in sample_choices()) == NAMES
    assert all(0 < len(choice["meaning"]) < 120 and "\n" not in choice["meaning"] for choice in sample_choices())


@pytest.mark.parametrize("name", ["Bob", "", "../bob", None, ["bob"]])
def test_an_unknown_name_is_refused_and_the_known_ones_are_said(name) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match='"bob", "commuter", "runner" or "taxi"; got'):
        sample(name)


def test_bob_is_the_running_example() -> None:
    bob = sample("bob")
    assert bob.landmarks == (0, 2, 4, 7)
    assert bob.labels == tuple(f"p{i}" for i in range(1, 9))
    assert bob.name == "Bob's day in Paris"
    for index, latitude, longitude in [(0, 48.8698, 2.3078), (2, 48.8606, 2.3376), (7, 48.8712, 2.3655)]:
        assert distance_m(bob.latitude[index], bob.longitude[index], latitude, longitude) < 350
    local = bob.time + np.timedelta64(1, "h")  # winter time in Paris
    assert np.unique(local.astype("datetime64[D]")).tolist() == [np.datetime64("2026-03-03").item()]
    assert {"Champs-Élysées", "Louvre", "Canal Saint-Martin"} <= {text for *_, text in bob.places}
    assert speeds_mps(bob).max() < 2.0


def test_times_are_utc_and_evenly_spaced() -> None:
    # Midnight and half past five in Paris, written in UTC.
    for name, start, step_s in [("commuter", "2026-03-01T23:00", 300), ("taxi", "2026-03-02T04:30", 15)]:
        time = sample(name).time
        assert time[0] == np.datetime64(start)
        assert (np.diff(time) == np.timedelta64(step_s, "s")).all()


def test_nobody_is_too_fast() -> None:
    for name, usual_kmh, most_kmh in [("commuter", 30, 60), ("taxi", 50, 65)]:
        kmh = 3.6 * speeds_mps(sample(name))
        assert np.percentile(kmh, 99) < usual_kmh and kmh.max() < most_kmh
    kmh = 3.6 * speeds_mps(sample("taxi"))
    driving = np.array([label == "fare" for label in sample("taxi").labels[1:]])
    assert 12 < kmh[driving].mean() < 30, "a fare in Paris"
    assert (kmh[driving] < 3).mean() > 0.03, "no red lights?"


def test_stays_are_stays_with_wandering_errors_and_reflections() -> None:
    for name, places in [("commuter", {"home", "work", "clinic"}), ("taxi", {"home", "canteen"})]:
        track = sample(name)
        long = [(label, indices) for label, indices in runs(track) if label in places and len(indices) > 10]
        assert {label for label, _ in long} == places
        away = np.concatenate([spread_m(track, indices[1:]) for _, indices in long])
        assert 3 < np.median(away) < 12 and np.percentile(away, 95) < 20
        assert 25 < away.max() < 100, "no reflection, or one too far"
    for name in ("commuter", "taxi"):
        track = sample(name)
        _, night = max(runs(track), key=lambda run: len(run[1]))
        north = track.latitude[night] - np.median(track.latitude[night])
        assert np.corrcoef(north[:-1], north[1:])[0, 1] > 0.3, "errors of positioning do not jump about"


def test_the_taxi_keeps_to_few_streets_and_turns_at_corners() -> None:
    # On streets most successive legs go straight on or turn by about a right angle; a random walk turns by anything.
    track = sample("taxi")
    legs = np.diff(track.points_m, axis=0)
    driven = np.hypot(*legs.T) > 40
    both = driven[1:] & driven[:-1]
    heading = np.arctan2(legs[:, 1], legs[:, 0])
    turn = np.abs((np.diff(heading)[both] + np.pi) % (2 * np.pi) - np.pi)
    assert (turn < np.radians(20)).mean() > 0.6
    cells = {tuple(cell) for cell in (track.points_m // 50).astype(int)}
    assert len(cells) < 4000, "the same avenues again and again"


def test_the_week_tells_its_story() -> None:
    track = sample("commuter")
    told = [track.labels[i] for i in track.landmarks]
    assert told == ["work", "home", "gym", "clinic", "union meeting", "friends", "park", "place of worship"]
    local = track.time + np.timedelta64(1, "h")
    day, hour = (local.astype("datetime64[D]") - local[0].astype("datetime64[D]")).astype(int), local.astype("M8[h]")
    at_work = {int(d) for d, label in zip(day, track.labels, strict=True) if label == "work"}
    assert at_work == {0, 1, 2, 3, 4}
    small_hours = (hour.astype(int) % 24 >= 2) & (hour.astype(int) % 24 < 6)
    assert {track.labels[i] for i in np.flatnonzero(small_hours)} == {"home"}


def test_the_taxi_has_breaks_at_home_and_rides_that_are_nobodys_business() -> None:
    track = sample("taxi")
    told = [track.labels[i] for i in track.landmarks]
    assert told.count("home") == 3 and told.count("place of worship") == 2
    assert len({label for label in told if label.startswith("drop-off ")}) == 7
    for i in track.landmarks:  # an arrival: the label is new there
        assert track.labels[i] != track.labels[i - 1]
    assert {"rank", "cruise", "pick-up", "fare", "drop-off"} <= set(track.labels)


@pytest.mark.parametrize("name", NAMES)
def test_places_lie_on_the_map_and_are_not_the_persons(name: str) -> None:
    track = sample(name)
    assert 5 <= len(track.places) <= 15
    margin = 0.006  # degrees, about half a kilometre
    for latitude, longitude, text in track.places:
        assert track.latitude.min() - margin < latitude < track.latitude.max() + margin, text
        assert track.longitude.min() - margin < longitude < track.longitude.max() + margin, text
    if name != "bob":  # whose story is set at famous places
        homes = [i for i in track.landmarks if track.labels[i] != "park"]
        for latitude, longitude, text in track.places:
            assert distance_m(track.latitude[homes], track.longitude[homes], latitude, longitude).min() > 150, text


@pytest.mark.parametrize("name", NAMES)
def test_load_trajectory_reads_the_same_from_the_file(name: str) -> None:
    load = pytest.importorskip("lmdk_widgets.trajectory.load", reason="the loader is not there yet")
    track, loaded = sample(name), load.load_trajectory(DATA / f"{name}.csv")
    for part in ("latitude", "longitude", "time"):
        np.testing.assert_array_equal(getattr(loaded, part), getattr(track, part))
    assert (loaded.landmarks, loaded.labels) == (track.landmarks, track.labels)


def test_files_say_what_they_are_and_are_small() -> None:
    about = json.loads((DATA / "samples.json").read_text("utf-8"))
    assert tuple(about) == NAMES
    for name, entry in about.items():
        assert entry["licence"] == "CC0-1.0" and (ROOT / entry["generator"]).is_file()
        text = (DATA / entry["file"]).read_text("utf-8")
        assert text.startswith("time,latitude,longitude,landmark,label\n") and text.endswith("\n")
        assert '"' not in text and "\r" not in text and len(text) < 550_000, name
        assert text.count(",") == 4 * text.count("\n")


@pytest.mark.slow
def test_the_generator_makes_the_same_files_byte_for_byte(tmp_path: Path) -> None:
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "1"}
    subprocess.run([sys.executable, "-B", str(DATA / "generate.py"), str(tmp_path)], check=True, env=environment)
    made = sorted(path.name for path in tmp_path.iterdir())
    series = ["contacts.csv", "heart.csv", "household.csv", "series.json"]
    assert made == sorted(["adults.csv", "bob.csv", "commuter.csv", "runner.csv", "samples.json", "taxi.csv", *series])
    for name in made:
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes(), name


def test_reading_needs_no_heavy_library() -> None:
    code = (
        "import sys; from lmdk_widgets.trajectory.samples import sample; sample('taxi');"
        "print([m for m in ('pandas', 'scipy', 'ipywidgets', 'plotly', 'folium') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_an_installed_package_reads_the_files_it_brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "__file__", str(tmp_path / "lmdk_widgets" / "trajectory" / "samples.py"))
    assert samples.data_folder() == tmp_path.resolve() / "data"
    (tmp_path / "lmdk_widgets" / "_data").mkdir(parents=True)
    assert samples.data_folder() == tmp_path.resolve() / "lmdk_widgets" / "_data"


def test_a_file_that_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(InputError, match=r"got my\.csv\. There is no such file in this folder"):
        find_track("my.csv")
    with pytest.raises(InputError, match=r"got bobby\.$"):
        find_track("bobby")

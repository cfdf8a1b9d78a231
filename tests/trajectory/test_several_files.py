"""Several files of one person: joined in time order, in an archive or as a list, and what lies between and over them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets import cli, load
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import launch
from lmdk_widgets.trajectory import load_series, load_trajectory
from lmdk_widgets.trajectory.opened import MOST_FILES
from lmdk_widgets.trajectory.several_files import FAR_M, joins_said, lasting
from tests.sweeps import generators

HEAD = "time,latitude,longitude,landmark\n"
GPX = '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}</trkseg></trk></gpx>'


def rows(day: int, hours: range, north: float = 48.85, mark: int = 0) -> str:
    return HEAD + "".join(f"2026-03-{day:02}T{hour:02}:00:00Z,{north},2.35,{mark}\n" for hour in hours)


def gpx(day: int, hours: range) -> str:
    points = (f'<trkpt lat="48.85" lon="2.35"><time>2026-03-{day:02}T{hour:02}:00:00Z</time></trkpt>' for hour in hours)
    return GPX.format("".join(points))


def archive(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return made.getvalue()


def listed(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text)
    return [folder / name for name in files]


def test_a_list_of_files_is_one_track_in_time_order(tmp_path: Path) -> None:
    paths = listed(tmp_path, {"second.csv": rows(2, range(8, 12)), "first.csv": rows(1, range(8, 11), mark=1)})
    for track in (load_trajectory(paths), load(paths)):
        assert len(track) == 7 and (np.diff(track.time) > np.timedelta64(0)).all()
        assert track.landmarks == (0, 1, 2) and track.name == ""
        assert "2 files were read as one track, in time order." in track.notices
        assert "Between “first” and “second”, nothing is known for 22 h." in track.notices
    assert len(load_trajectory(paths[:1])) == 4 and load_trajectory(paths[:1]).name == "second"


def test_an_archive_of_tracks_asks_which_one_or_all() -> None:
    packed = archive({"a.gpx": gpx(1, range(8, 12)), "b.gpx": gpx(3, range(8, 10)), "readme.md": "x"})
    with pytest.raises(InputError, match="the archive has 2 tracks") as asked:
        load(packed)
    assert asked.value.kind == "people"
    assert [offer[1] for offer in asked.value.offers] == [{"on_several": "join"}, {"person": "a"}, {"person": "b"}]
    joined = load(packed, on_several="join")
    assert len(joined) == 6 and "1 other file of the archive was left out." in joined.notices
    assert "Between “a” and “b”, nothing is known for 1 days" not in " ".join(joined.notices)
    assert "Between “a” and “b”, nothing is known for 45 h." in joined.notices
    alone = load(packed, person="b")
    assert len(alone) == 2 and not any("nothing is known" in said for said in alone.notices)


def test_files_that_overlap_are_said_to_and_that_they_may_be_of_two_people(tmp_path: Path) -> None:
    near = {"a.csv": rows(1, range(8, 14)), "b.csv": rows(1, range(12, 18)).replace(":00:00Z", ":01:00Z")}
    track = load_trajectory(listed(tmp_path, near))
    said = " ".join(track.notices)
    assert len(track) == 12 and "“a” and “b” overlap for 59 min" in said and "km apart" not in said
    far = {"a.csv": rows(1, range(8, 14)), "b.csv": rows(1, range(12, 18), north=48.95).replace(":00:00Z", ":04:00Z")}
    said = " ".join(load_trajectory(listed(tmp_path, far)).notices)
    assert "they are up to 11.1 km apart within ten minutes" in said


def test_a_copy_of_a_file_changes_nothing(tmp_path: Path) -> None:
    paths = listed(tmp_path, {"a.csv": rows(1, range(8, 14)), "copy.csv": rows(1, range(8, 14))})
    track = load_trajectory(paths)
    assert len(track) == 6 and any("6 points that repeat another one were left out" in said for said in track.notices)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a.csv": rows(1, range(8, 10)), "b.csv": "time,kwh\n2026-01-01T08:00Z,3\n2026-01-01T09:00Z,4\n"}, "b"),
        ({"a.csv": rows(1, range(8, 10)), "b.gpx": "<gpx>"}, "b"),
        ({"a.csv": rows(1, range(8, 10)), "b.gpx": gpx(2, range(8, 10))}, "Join files of one format"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_its_name(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_trajectory(listed(tmp_path, files))


def test_limits_are_sentences(tmp_path: Path) -> None:
    paths = listed(tmp_path, {"a.csv": rows(1, range(8, 10))})
    for wrong in ([], paths * (MOST_FILES + 1)):
        with pytest.raises(InputError, match="files can be joined"):
            load_trajectory(wrong)
    with pytest.raises(InputError, match="A series must come from one file"):
        load_series(archive({"a.csv": rows(1, range(8, 10)), "b.csv": rows(2, range(8, 10))}))
    inner = archive({"a.csv": rows(1, range(8, 10)), "b.csv": rows(2, range(8, 10))})
    (tmp_path / "two.zip").write_bytes(inner)
    with pytest.raises(InputError, match="must not be joined with others"):
        load_trajectory([tmp_path / "two.zip", *paths])


def by_hand(files: list[list[int]]) -> tuple[list[int], list[int]]:
    """The lengths of gaps and of overlaps between files of minutes, file by file in the order of their starts."""
    gaps, overlaps, known = [], [], None
    for minutes in sorted(files, key=min):
        if known is not None and min(minutes) > known:
            gaps.append(min(minutes) - known)
        elif known is not None:
            overlaps.append(min(known, max(minutes)) - min(minutes))
        known = max(minutes) if known is None else max(known, max(minutes))
    return gaps, overlaps


def test_gaps_and_overlaps_are_those_of_a_loop() -> None:
    for rng in generators(585, 200):
        starts = rng.choice(6_000, int(rng.integers(1, 7)), replace=False)
        files = [(start + np.unique(rng.integers(0, 900, rng.integers(1, 9)))).tolist() for start in starts]
        names = [f"f{k}" for k, minutes in enumerate(files) for _ in minutes]
        utc = np.datetime64("2026-03-01", "ns") + np.concatenate(files) * np.timedelta64(1, "m")
        order = rng.permutation(len(utc))
        place = np.where(np.array(names) == "f0", 0.0, float(rng.choice([0.0, 0.1])))
        said = joins_said([names[k] for k in order], utc[order], place[order], np.zeros(len(utc)))
        gaps, overlaps = by_hand(files)
        text = " ".join(said)
        assert ("nothing is known" in text) == bool(gaps) and ("overlap" in text) == bool(overlaps)
        if gaps:
            assert f"nothing is known for {lasting(np.timedelta64(max(gaps), 'm'))}." in text
            assert (f"{len(gaps)} such gaps" in text) == (len(gaps) > 1)
        if overlaps:
            assert f"for {lasting(np.timedelta64(max(overlaps), 'm'))}: there" in text
            assert (f"{len(overlaps)} pairs of files overlap" in text) == (len(overlaps) > 1)
        if not place.any():
            assert "km apart" not in text and FAR_M == 1_000


def test_the_command_opens_several_files_as_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = listed(tmp_path, {"a.csv": rows(1, range(8, 10)), "b.csv": rows(2, range(8, 10))})
    asked: list[list[str]] = []
    monkeypatch.setattr(launch, "explore", lambda files, **_: asked.append(files))
    assert cli.main(["explore", *map(str, paths)]) == cli.main(["explore"]) == 0
    assert asked == [[*map(str, paths)], []]
    assert launch._as_one([], tmp_path) is None and launch._as_one(paths[:1], tmp_path) == paths[0]
    made = launch._as_one(paths, tmp_path)
    assert made is not None and len(load(made, on_several="join")) == 4

"""Study files and the command `lmdk study`: what a file says is what runs, and each error names its line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas
import pytest

from docs.findings import error_findings
from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.studies.page import StudiesPage
from lmdk_widgets.population import People
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.study import Study
from lmdk_widgets.study.study_file import bundled_study, line_of, read_study
from tests.server import ROOT
from tests.study.walks import hear_ctrl_c

GOOD = """\
title = "A small one"   # words
tracks = ["bob",
          "own.csv"]
timezone = "Europe/Paris"
repetitions = 3
measures = ["mean_error_m",
  "theorem_sum"]

[grid]
scheme = "uniform"
epsilon = [
  0.5,  # strict, [usual], and "loose"
  1,
  2.0]
'share' = [0.25, 0.5]
layout = '''skewed'''
"""

needs_parquet = pytest.mark.skipif(
    find_spec("pyarrow") is None, reason='results are kept by pyarrow: pip install "lmdk-widgets[study]"'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "".join(f"2026-03-01 08:{m:02d}:00,{48.8 + m / 1000},2.3\n" for m in range(12))
    (tmp_path / "own.csv").write_text("time,lat,lon\n" + rows)
    (tmp_path / "good.toml").write_text(GOOD)
    return tmp_path


def test_a_file_is_the_study_it_says(folder: Path) -> None:
    study, title = read_study(folder / "good.toml")
    assert title == "A small one" and [*study.tracks] == ["bob", "own"] and study.repetitions == 3
    assert study.measures == ("mean_error_m", "theorem_sum")
    assert study.axes == {
        "scheme": ("uniform",),
        "epsilon": (0.5, 1.0, 2.0),
        "share": (0.25, 0.5),
        "layout": ("skewed",),
    }
    more = read_study(folder / "good.toml", ["commuter"]).study
    assert [*more.tracks] == ["bob", "own", "commuter"] and len(more) == 1.5 * len(study)


WRONG = [
    ("0.5,", "-3,", 12, "Epsilon must be between 1e-9 and 1,000,000; got -3."),
    ("1,\n", "0.5,\n", 13, "“epsilon” must have each value only once; got 0.5 twice."),
    ("2.0]", '"two"]', 14, "Epsilon must be a number such as"),
    ("scheme =", "schema =", 10, "The name of a choice in the grid must be"),
    ("skewed", "wild", 16, 'Layout must be "uniform", "skewed", "symmetric" or "bimodal"; got wild.'),
    ("0.25, 0.5", "0.25, 1.5", 15, "The share of landmarks must be between 0 and 1; got 1.5."),
    ("'share'", "increase", 16, "“layout” must come with “share”"),
    ("own.csv", "gone.csv", 3, "A track must be the name of a sample"),
    ('"theorem_sum"', "7", 7, "A measure must be"),
    ("repetitions = 3", "repetitions = 0", 5, "Repetitions must be a whole number"),
    ("title =", "titel =", 1, "A key of the study file must be"),
    ("[grid]", "[grid", 9, "The file must be TOML"),
    ("Europe/Paris", "Europe/Nowhere", 3, ""),
    ('title = "A small one"', "title = 7", 1, "Title must be text; got 7."),
    ('measures = ["mean_error_m",\n  "theorem_sum"]', 'measures = "landmarks"', 6, "Measures must be a list of names"),
]


@pytest.mark.parametrize(("old", "new", "line", "said"), WRONG)
def test_an_error_names_its_line(folder: Path, old: str, new: str, line: int, said: str) -> None:
    assert GOOD.count(old) >= 1
    (folder / "wrong.toml").write_text(GOOD.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        read_study(folder / "wrong.toml")
    assert str(caught.value).startswith(f"Line {line} of wrong.toml: {said}"), str(caught.value)


def test_a_file_that_is_none(folder: Path) -> None:
    (folder / "bytes.toml").write_bytes(b"title = '\xff'")
    (folder / "empty.toml").write_text("")
    for name, said in (("gone.toml", "one that can be read"), ("bytes.toml", "UTF-8"), ("empty.toml", "one track")):
        with pytest.raises(InputError, match=said):
            read_study(folder / name)


def test_lines_of_keys() -> None:
    text = '[a."b"]\nx = 1\n[[list]]\nx = 2\n[ c ]\nx = { y = [1,\n 2] } # x = 3\nz = [[1, 2],\n [3, "]"],\n'
    text += ' """\n["""]\n"x" = 5\n'
    assert [line_of(text, "c", "z", k) for k in range(3)] == [8, 9, 10]
    assert line_of(text, "c", "x") == 6 and line_of(text, "c", "x", 4) == 6
    assert line_of(text, "a.b", "x") == 2 and line_of(text, "", "x") is None


@needs_parquet
def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = str(folder / "good.toml"), folder / "good-result"
    assert cli.main(["study", file, "--jobs", "1", "--track", "taxi"]) == 0
    said = capsys.readouterr()
    assert (
        said.out.startswith(f"Saved 54 evaluations in {out} after ") and "A small one: 54 evaluations, 0 of" in said.err
    )
    frame = pandas.read_parquet(out)
    assert len(frame) == 54 and set(frame.track) == {"bob", "own", "taxi"} and frame.mean_error_m.notna().all()
    assert cli.main(["study", file, "--jobs", "1", "--track", "taxi"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert cli.main(["study", file, "--jobs", "1", "--track", "taxi", "--resume"]) == 0
    assert "54 of them already done" in capsys.readouterr().err
    assert cli.main(["study", file, "--jobs", "1", "--resume"]) == 2
    assert "the same study" in capsys.readouterr().err
    assert cli.main(["study", str(folder / "gone.toml")]) == 2
    with pytest.raises(SystemExit):
        cli.main(["study", file, "--jobs", "0"])


@pytest.mark.nightly
@needs_parquet
@pytest.mark.slow
def test_ctrl_c_and_resume(folder: Path) -> None:
    (folder / "long.toml").write_text('tracks = "taxi"\nrepetitions = 150\n[grid]\nscheme = ["uniform", "adaptive"]\n')
    command = [sys.executable, "-m", "lmdk_widgets.cli", "study", str(folder / "long.toml"), "--jobs", "2"]
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": hear_ctrl_c}
    run = subprocess.Popen(command, text=True, start_new_session=True, **more)
    end = time.monotonic() + 120
    while len(list((folder / "long-result").glob("part-*"))) < 2:
        assert run.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: every process of the command gets it
    said, told = run.communicate(timeout=60)
    assert run.returncode == 130 and said == "" and "Run the same command with --resume to continue." in told, told
    assert "Traceback" not in told, told
    there = len(list((folder / "long-result").glob("part-*")))
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and f"{15 * there} of them already done" in done.stderr, done.stderr
    assert len(pandas.read_parquet(folder / "long-result")) == 300


def test_a_series_is_data_of_a_study(folder: Path) -> None:
    rows = "".join(f"{1 + k // 24}/2/2007;{k % 24:02d}:00:00;{k % 5}.5\n" for k in range(48))
    (folder / "power.txt").write_text(f"Date;Time;power (kW)\n{rows}")
    text = 'tracks = ["household", "power.txt"]\nday_first = true\ntimezone = "UTC"\n[grid]\nepsilon = [1, 2]\n'
    text += 'lower = -1\nupper = 9\nbounds = "stated"\n'
    (folder / "series.toml").write_text(text)
    study, _ = read_study(folder / "series.toml")
    assert study.tracks["power"].unit == "kW" and str(study.tracks["power"].time[-1])[:10] == "2007-02-02"
    frame = study.run(None, jobs=1)
    scenario, track = study.scenario(2)
    assert track is study.tracks["power"] and scenario.upper == 9.0 and scenario.track == ""
    assert frame.mean_error_m[2] == evaluate(scenario, track).mean_error_m and study.scenario(0)[0].track == "household"
    (folder / "series.toml").write_text(text.replace("true", '"yes"'))
    with pytest.raises(InputError, match=r"Line 2 of series\.toml: Day_first must be true or false; got yes"):
        read_study(folder / "series.toml")


def test_several_tracks_of_one_person_are_joined_where_that_is_said(folder: Path) -> None:
    point = '<trkpt lat="48.{0}" lon="2"><time>2026-01-26T10:0{0}:00Z</time></trkpt>'
    tracks = "".join(f"<trk><trkseg>{point.format(k)}</trkseg></trk>" for k in range(3))
    (folder / "hikes.gpx").write_text(f"<gpx>{tracks}</gpx>")
    text = 'tracks = ["bob", "hikes.gpx"]\n[grid]\nepsilon = [1]\n'
    (folder / "hikes.toml").write_text(text)
    with pytest.raises(
        InputError, match=r"Line 1 of hikes\.toml: Several tracks must be read one at a time, or as one track; the file"
    ):
        read_study(folder / "hikes.toml")
    (folder / "hikes.toml").write_text(f'on_several = "join"\n{text}')
    assert len(read_study(folder / "hikes.toml").study.tracks["hikes"]) == 3
    (folder / "hikes.toml").write_text(f'on_several = "ask"\n{text}')
    with pytest.raises(InputError, match=r"Line 1 of hikes\.toml: On_several must be"):
        read_study(folder / "hikes.toml")


def test_the_household_of_the_paper_is_hues(tmp_path: Path) -> None:
    """HUE's files have a date, an hour and kWh; the paper took the first 1,000 hours of residence 1."""
    start = datetime(2015, 1, 1)
    hours = [start + timedelta(hours=k) for k in range(1000)]
    rows = "".join(f"{hour:%Y-%m-%d},{hour.hour},{0.5 + hour.hour % 7 / 10}\n" for hour in hours)
    (tmp_path / "Residence_1.csv").write_text(f"date,hour,energy_kWh\n{rows}")
    study = read_study(bundled_study("household_error"), [str(tmp_path / "Residence_1.csv")]).study
    track = study.tracks["Residence_1"]
    assert (len(track), track.unit, track.zone) == (1000, "kWh", "America/Vancouver")
    for path in (ROOT / "docs" / "papers.ipynb", ROOT / "data" / "studies" / "household_error.toml"):
        text = path.read_text("utf-8")
        assert "HUE" in text and "UCI" not in text, path


UCI = sorted((Path(__file__).parents[2] / ".." / "shared" / "data" / "power").glob("*.txt"))


@pytest.mark.skipif(not UCI, reason="the power of a household from the UCI repository is not here")
def test_the_power_of_a_household_from_the_uci_repository() -> None:
    study = read_study(bundled_study("household_error"), [str(UCI[0])]).study
    name = list(study.tracks)[1]
    assert len(study.tracks[name]) == 2880
    small = Study(
        {name: study.tracks[name]}, {**study.axes, "epsilon": [1.0], "layout": ["uniform"]}, measures=study.measures
    )
    growth, *_ = error_findings(small, small.run(None, jobs=1))
    assert growth.holds, growth.said


def test_a_deeply_nested_file_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(f"tracks = {'[' * 50_000}{']' * 50_000}")
    with pytest.raises(InputError, match="must be one with fewer brackets in one another"):
        read_study(tmp_path / "deep.toml")


def test_people_of_a_table_are_tracks_with_their_own_landmarks(tmp_path: Path) -> None:
    rows = [
        f"{who},2026-03-02T{minute // 60:02d}:{minute % 60:02d}:00Z,{48.85 + k / 50 + (minute > 300) / 100},2.35"
        for k, who in enumerate(["Ada", "Bob", "Cy"])
        for minute in range(0, 600, 20)
    ]
    (tmp_path / "rides.csv").write_text("\n".join(["person,time,latitude,longitude", *rows]))
    said = 'people = "rides.csv"\nsample = 2\nmeasures = ["found_within_m"]\n[grid]\nscheme = ["event", "uniform"]\n'
    (tmp_path / "people.toml").write_text(said + 'epsilon = [0.5, 2]\ncorrelation = "none"\n')
    study, people = read_study(tmp_path / "people.toml").study, People(tmp_path / "rides.csv")
    assert set(study.tracks) < {"Ada", "Bob", "Cy"} and len(study.tracks) == 2
    more = [row.replace("Cy", name) for name in ("Di", "Ed") for row in rows if row.startswith("Cy")]
    (tmp_path / "five.csv").write_text("\n".join(["person,time,latitude,longitude", *rows, *more]))
    (tmp_path / "five.toml").write_text(said.replace("rides", "five").replace("sample = 2", "sample = 1"))
    drawn = People(tmp_path / "five.csv").drawn(1, rng=np.random.default_rng(1))
    assert [*read_study(tmp_path / "five.toml").study.tracks] == drawn == ["Ed"], "at random, not the first"
    assert {name: track.landmarks for name, track in study.tracks.items()} == {
        name: people.track(name).landmarks for name in study.tracks
    }
    found = study.run(None, jobs=1)
    for row in found.itertuples():
        known = dict(zip(people.names.tolist(), people.found(row.scheme, row.epsilon).tolist(), strict=True))
        assert row.found_within_m == pytest.approx(known[row.track], rel=1e-9)
    assert len(Study(people, {"scheme": "event"}).tracks) == 3
    (tmp_path / "people.toml").write_text(said.replace("rides", "no"))
    with pytest.raises(InputError, match="Line 1 of people.toml"):
        read_study(tmp_path / "people.toml")
    (tmp_path / "people.toml").write_text(said.replace("sample = 2", "sample = 0"))
    with pytest.raises(InputError, match="Line 2 of people.toml"):
        read_study(tmp_path / "people.toml")


def test_results_of_many_people_are_shown_as_means_over_all_of_them() -> None:
    names = [f"p{k:02d}" for k in range(14)]
    rows = [(name, scheme, epsilon) for name in names for scheme in ("event", "user") for epsilon in (0.5, 1.0)]
    frame = pandas.DataFrame(rows, columns=["track", "scheme", "epsilon"]).assign(repetition=0)
    frame["found_within_m"] = [10.0 * names.index(name) for name in frame.track]
    page = StudiesPage(frame)
    chosen = {field["name"]: field["value"] for field in page.form}
    assert (chosen["x"], chosen["colour"], chosen["facet"], chosen["track"]) == ("epsilon", "scheme", "", "")
    assert page.table.rows[0][3:] == ["65", "11.2", "14"], "the mean of 0 to 130, and its standard error"
    assert next(field for field in page.form if field["name"] == "track")["options"][0] == ["", "all 14"]
    page.pick(0, 0)
    assert page.picked["said"].startswith("scheme event, epsilon 0.5:") and "sample" in page.picked["why"]
    page.choose("track", "p03")
    assert page.table.rows[0][3:] == ["30", "", "1"]
    page.pick(0, 0)
    assert page.picked["said"].startswith("track p03")

"""`lmdk release` of a series: the files, the guarantee, one ledger with tracks, and what cannot be released."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure import numbers
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.numbers import number_words
from lmdk_widgets.secure.series import LAPLACE, SeriesSettings, release_series
from lmdk_widgets.trajectory import Series, load_series, sample_series

HOURS = np.datetime64("2026-03-01T00:00") + np.arange(6) * np.timedelta64(1, "h")
POWER = Series(HOURS, values=[0.5, 1.0, 9.0, -1.0, 2.0, 3.0], unit="kWh")
BOUNDED = SeriesSettings(landmarks=(1, 4), low=0.0, high=6.0)


@pytest.fixture
def noise(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Takes the place of OpenDP: noise of one unit, and what was asked for."""
    asked: list[Any] = []

    def mechanism(budget: float, sensitivity: float, kind: type) -> Any:
        asked.append((budget, sensitivity, kind))
        return lambda values: [value + 1 for value in values], budget * (1 - 1e-12)

    monkeypatch.setattr(numbers, "_mechanism", mechanism)
    return asked


def test_a_release_of_numbers_is_two_files_that_say_what_they_promise(tmp_path: Path, noise: list[Any]) -> None:
    folder, ledger = tmp_path / "out", Ledger(tmp_path / "spent.json")
    told = release_series(POWER, BOUNDED, folder, ledger)
    assert noise == [(pytest.approx(1 / 3), 6.0, float)]
    assert json.loads((folder / "guarantee.json").read_text("utf-8")) == told
    found = load_series(folder / "release.csv")
    assert found.unit == "kWh" and found.values.tolist() == [1.5, 2.0, 7.0, 1.0, 3.0, 4.0]  # moved to the bounds first
    assert (found.time == HOURS).all()
    assert told["largest_sum_over_landmarks_and_one_other"] == pytest.approx(1) and told["bounds"] == [0.0, 6.0]
    assert told["sum_over_all_timestamps"] == pytest.approx(2) and told["release_of_these_data"] == 1
    said = " ".join(told["words"])
    assert "differed by at most 6" in said and "spend at most 1 together, the whole series 2" in said
    with pytest.raises(InputError, match="released"):
        release_series(POWER, BOUNDED, tmp_path / "other", ledger)
    assert not (tmp_path / "other").exists()
    assert release_series(POWER, BOUNDED, tmp_path / "other", ledger, again=True)["release_of_these_data"] == 2


def test_a_mechanism_says_its_own_noise(tmp_path: Path, noise: list[Any]) -> None:
    own = replace(LAPLACE, words=partial(number_words, noise="steps of a test"))
    told = release_series(POWER, BOUNDED, tmp_path / "out", Ledger(tmp_path / "spent.json"), mechanism=own)
    assert told["words"][0].startswith("Each number has steps of a test: if ") and "OpenDP" not in str(told["words"])
    assert own.restated(told)["words"] == told["words"][: len(own.restated(told)["words"])]


def test_counts_stay_whole_and_skip_leaves_landmarks_out(tmp_path: Path, noise: list[Any]) -> None:
    counts = Series(HOURS, values=[3, 0, 5, 1, 1, 2])
    settings = SeriesSettings(scheme="skip", landmarks=(1, 4), sensitivity=2)
    told = release_series(counts, settings, tmp_path / "out", Ledger(tmp_path / "spent.json"))
    assert {kind for *_, kind in noise} == {int} and {width for _, width, _ in noise} == {2}
    rows = list(csv.DictReader((tmp_path / "out" / "release.csv").read_text().splitlines()))
    assert [row["value"] for row in rows] == ["4", "6", "2", "3"] and told["values"] == 4 and told["bounds"] is None


def test_what_cannot_be_released_spends_nothing(tmp_path: Path, noise: list[Any]) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    for series, settings, said in (
        (sample_series("contacts"), BOUNDED, "A series of answers cannot be released privately yet"),
        (POWER, SeriesSettings(), r"released with public bounds; got none\. Name --low and --high"),
        (POWER, SeriesSettings(low=2.0, high=1.0), "High must be a finite number above low"),
        (
            POWER,
            SeriesSettings(scheme="planned", low=0.0, high=1.0),
            "The budgets of other schemes depend on a chain",
        ),
        (POWER, SeriesSettings(sensitivity=1), "Counts must be whole numbers"),
    ):
        with pytest.raises(InputError, match=said):
            release_series(series, settings, tmp_path / "out", ledger)
    assert not (tmp_path / "out").exists() and not ledger.path.exists()


def test_the_command_takes_series_and_tracks_and_knows_which_options_are_whose(
    tmp_path: Path, noise: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meter.csv").write_text("time,kWh\n" + "".join(f"2026-03-01T{k:02d}:00Z,{k % 4}.5\n" for k in range(8)))
    line = [
        "release",
        str(tmp_path / "meter.csv"),
        "--epsilon",
        "1",
        "--landmarks",
        "2,5",
        "--out",
        str(tmp_path / "out"),
    ]
    line += ["--ledger", str(tmp_path / "spent.json")]
    for more, said in (
        (["--low", "0", "--high", "6", "--radius", "200"], "The file contains a series, which has no --radius"),
        ([], "must be released with public bounds"),
    ):
        assert cli.main([*line, *more])
        assert said in capsys.readouterr().err
    assert not cli.main([*line, "--low", "0", "--high", "6"])
    assert "spend at most 1 together" in capsys.readouterr().out and (tmp_path / "out" / "release.csv").is_file()
    assert cli.main(["release", "bob.csv", "--epsilon", "1", "--out", str(tmp_path / "more")])
    monkeypatch.undo()
    for name in ("opendp", "opendp.prelude"):
        monkeypatch.setitem(sys.modules, name, None)
    line[line.index("--out") + 1] = str(tmp_path / "new")
    assert cli.main([*line, "--low", "0", "--high", "6", "--again"])
    assert 'needs the library opendp, which is not installed. Install it with: pip install "lmdk-widgets[secure]"' in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "new").exists()


def test_large_counts_and_huge_bounds_get_a_release_or_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("opendp")
    rows = "".join(f"2026-03-01T{k:02d}:00Z,{{}}\n" for k in range(4))
    line = ["release", str(tmp_path / "in.csv"), "--epsilon", "1", "--ledger", str(tmp_path / "spent.json"), "--again"]
    for value, more, said in (
        (3_141_592_653, ["--counts", "1"], ""),
        (31_415_926_535_897_932, ["--counts", "1"], "Counts must be whole numbers of at most 2^53"),
        (3_141_592_653, ["--counts", str(2**70)], "Sensitivity must be a whole number between 1 and"),
        (3_141_592_653, ["--low", "0", "--high", "1e308"], "High must be a number between -1e+100 and 1e+100"),
        (3_141_592_653, ["--low=-1e100", "--high", "1e100"], "The scale of the noise must be at most 1e+100"),
    ):
        (tmp_path / "in.csv").write_text("time,visitors\n" + rows.format(*[value] * 4))
        code = cli.main([*line, *more, "--out", str(tmp_path / f"out{len(said)}")])
        told = capsys.readouterr().err
        assert code == (2 if said else 0) and said in told and "Traceback" not in told
        assert "31415926" not in told.replace(",", ""), "no value"


def test_a_series_of_several_people_is_that_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"2026-01-26T08:{k:02d}Z,0.{k},{'ab'[k % 2]}\n" for k in range(6))
    (tmp_path / "two.csv").write_text(f"time,kwh,household\n{rows}")
    line = ["release", str(tmp_path / "two.csv"), "--epsilon", "1", "--low", "0", "--high", "6"]
    line += ["--ledger", str(tmp_path / "spent"), "--out", str(tmp_path / "out")]
    assert cli.main(line) == 2
    assert (
        "Several people or devices must be read one at a time; " in capsys.readouterr().err
        and not (tmp_path / "out").exists()
    )
    assert cli.main([*line, "--person", "b"]) == 0
    assert len((tmp_path / "out" / "release.csv").read_text().splitlines()) == 1 + 3


def test_tracks_of_one_person_are_joined_where_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    point = '<trkpt lat="48.{0}" lon="2"><time>2026-01-26T10:0{0}:00Z</time></trkpt>'
    tracks = "".join(f"<trk><name>{k}</name><trkseg>{point.format(k)}</trkseg></trk>" for k in range(3))
    (tmp_path / "a.gpx").write_text(f"<gpx>{tracks}</gpx>")
    line = ["release", str(tmp_path / "a.gpx"), "--epsilon", "1", "--radius", "200", "--origin", "48,2"]
    line += ["--ledger", str(tmp_path / "spent"), "--out", str(tmp_path / "out")]
    assert cli.main(line) == 2 and "the file has 3 tracks" in capsys.readouterr().err
    assert cli.main([*line, "--join"]) == 0

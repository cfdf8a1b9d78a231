"""Releases that decide as they go, and dummies of the ledger's key: what they spend, keep, refuse and say."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.budgets import adaptive_budgets, landmark_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure import ledger as ledger_module
from lmdk_widgets.secure.ledger import LIMIT, Ledger
from lmdk_widgets.secure.points import Reporter
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.spending import Reported, Spending, spend_as_it_goes
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory, sample

REGION = (48.75, 2.25, 49.0, 2.5)
MARKS = (0, 2, 4, 7)
BOB = Settings(scheme="adaptive", landmarks=MARKS, region=REGION)


def measured(folder: Path, track: Trajectory) -> list[int]:
    """The timestamps of a release."""
    with open(folder / "release.csv", encoding="utf-8") as file:
        times = [row["time"].removesuffix("Z") for row in csv.DictReader(file)]
    return np.flatnonzero(np.isin(track.time.astype("datetime64[ms]"), np.array(times, "datetime64[ms]"))).tolist()


@pytest.mark.long
def test_it_spends_what_the_scheme_spends_for_what_was_skipped(tmp_path: Path) -> None:
    track, lengths = sample("bob"), set()
    for k in range(40):
        told = release_track(track, BOB, tmp_path / str(k), Ledger(tmp_path / f"{k}.json"))
        new = measured(tmp_path / str(k), track)
        budgets = adaptive_budgets(8, MARKS, 1.0, [t for t in range(8) if t not in new])
        apart = (200 + 5 * 99 / 70) * 1.006
        assert told["points"] == len(new) and new[:2] == [0, 1]
        assert told["sum_over_all_timestamps"] == pytest.approx(budgets.sum())
        assert told["largest_sum_over_landmarks_and_one_other"] == landmark_totals(budgets, MARKS).max() <= 1
        spent = budgets[budgets > 0]
        assert told["epsilon_per_m_of_a_point"] == pytest.approx([spent.min() / apart, spent.max() / apart])
        lengths.add(len(new))
    assert len(lengths) > 1, "some are skipped"
    said = " ".join(told["words"])
    assert (
        "Adaptive decided which timestamps are measured, from earlier outputs" in said
        and "the decisions cost no budget" in said
    )
    assert "spend at most 1 together" in said and "is taken as known" in said


def test_it_decides_by_outputs_and_coins_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the paper's words, one timestamp at a time."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        n = int(rng.integers(1, 12))
        marks = np.flatnonzero(rng.random(n) < 0.4)
        outputs, words = rng.normal(0, 3, n), rng.integers(0, 2**63, n).astype(np.uint64) * np.uint64(2)
        monkeypatch.setattr("lmdk_widgets.secure.spending.system_entropy", lambda _, words=words: words)
        asked = Spending("adaptive", 1.0, tuple(marks.tolist()), increase=0.2, decrease=0.4)
        found, _ = spend_as_it_goes(asked, Reported(n, 1.0, lambda t, _, outputs=outputs: float(outputs[t])))
        own, rate, last, each = [], 1.0, None, np.full(n, 1 / min(len(marks) + 1, n))
        for t in range(n):
            if words[t] / 2**64 < rate:
                own.append(each[t])
                if last is not None:
                    still = 1 / each[t] > abs(outputs[t] - last)
                    rate = rate - rate * 0.4 if still else rate + (1 - rate) * 0.2
                last = outputs[t]
                continue
            own.append(0.0)
            if t in marks:
                each[t + 1 :] += each[t] / (1 + int((marks > t).sum()))
        assert found == pytest.approx(own, rel=1e-6)


@pytest.mark.long
def test_points_that_are_reported_one_after_the_other_follow_the_same_law() -> None:
    reporter = Reporter(1.0)
    found = np.array([reporter.report(np.array([7.3, -2.0]), 0.25) for _ in range(20_000)])
    assert (found == np.round(found)).all()
    off = np.linalg.norm(found - [7.0, -2.0], axis=1)
    assert off.mean() == pytest.approx(2 / 0.25, rel=0.02) and np.median(off) == pytest.approx(1.678 / 0.25, rel=0.06)
    assert np.abs(found.mean(axis=0) - [7.0, -2.0]).max() < 0.25
    with pytest.raises(InputError, match="at least 2"):
        reporter.report(np.zeros(2), 1e-13)


def test_numbers_and_counts_go_as_they_go_too(tmp_path: Path) -> None:
    pytest.importorskip("opendp")
    time = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(30)
    counts = Series(time, values=np.arange(30) % 3)
    asked = SeriesSettings("adaptive", 1.0, (3, 9), sensitivity=1, decrease=0.6)
    told = release_series(counts, asked, tmp_path / "out", Ledger(tmp_path / "spent"))
    rows = (tmp_path / "out" / "release.csv").read_text().split()[1:]
    assert 0 < told["values"] == len(rows) < 30 and all("." not in row.split(",")[1] for row in rows)
    assert told["largest_sum_over_landmarks_and_one_other"] <= 1
    with pytest.raises(InputError, match="Counts must be whole numbers"):
        wrong = Series(time, values=np.append(np.zeros(29), 0.5))
        release_series(wrong, asked, tmp_path / "no", Ledger(tmp_path / "spent"), again=True)


def test_a_limit_is_held_against_what_could_be_spent(tmp_path: Path) -> None:
    """A refusal that follows from what happened to be released would tell of it: with the same settings it comes always or
    never."""
    track = sample("bob")
    for k in range(12):
        ledger = Ledger(tmp_path / f"{k}.json")
        with pytest.raises(InputError, match="within the limit of 0.99 together; got 1. Nothing was spent"):
            release_track(track, BOB, tmp_path / f"a{k}", ledger, limit=0.99)
        release_track(track, BOB, tmp_path / f"b{k}", ledger, limit=1.0)
        with pytest.raises(InputError, match=r"the most that it could spend counts: a refusal tells nothing"):
            release_track(track, BOB, tmp_path / f"c{k}", ledger, again=True, limit=1.1, confirmed={LIMIT})
        release_track(track, BOB, tmp_path / f"c{k}", ledger, again=True, limit=9.0, confirmed={LIMIT})
        assert ledger.left("").largest <= 9
    twice = Trajectory(track.latitude, track.longitude, track.time[0] + np.arange(8))
    with pytest.raises(InputError, match="within the limit of 1 together; got 8"):
        release_track(twice, BOB, tmp_path / "d", Ledger(tmp_path / "d.json"), limit=1.0)


@pytest.mark.long
def test_a_limit_holds_until_another_one_is_named(tmp_path: Path) -> None:
    ledger, asked = Ledger(tmp_path / "spent"), replace(BOB, scheme="uniform")
    release_track(sample("bob"), asked, tmp_path / "a", ledger, subject="bob", limit=1.5)
    with pytest.raises(InputError, match="within the limit of 1.5 together"):
        release_track(sample("bob"), asked, tmp_path / "b", ledger, subject="bob", again=True)
    release_track(sample("bob"), asked, tmp_path / "b", ledger, subject="bob", again=True, limit=2.0, confirmed={LIMIT})
    assert [entry["limit"] for entry in ledger.entries()] == [1.5, 2.0]
    for wrong in (float("nan"), -1.0):
        with pytest.raises(InputError, match="Limit must be a number between 0"):
            release_track(sample("bob"), asked, tmp_path / "c", ledger, subject="bob", again=True, limit=wrong)
        with pytest.raises(InputError, match="Limit must be a number between 0"):
            ledger.left("bob", wrong)
    release_track(sample("commuter"), Settings(region=REGION), tmp_path / "c", ledger, subject="other")


def test_dummies_are_drawn_once_for_each_moment_of_a_subject(tmp_path: Path) -> None:
    time = np.datetime64("2026-03-01T00:00:00") + np.arange(20_000)
    ledger, other = Ledger(tmp_path / "spent"), Ledger(tmp_path / "other")
    some, more = (ledger.joins(time, "anna", chance) for chance in (0.2, 0.6))
    assert (some <= more).all() and abs(some.mean() - 0.2) < 0.015 and abs(more.mean() - 0.6) < 0.02
    assert (ledger.joins(time[5:9], "anna", 0.6) == more[5:9]).all() and ledger.joins(time, "anna", 1.0).all()
    for alone in (ledger.joins(time, "bert", 0.6), other.joins(time, "anna", 0.6)):
        assert abs((alone & more).mean() - 0.36) < 0.02, "independent"
    for wrong in (0.0, -1.0, 1.1, float("nan")):
        with pytest.raises(InputError, match="The chance of dummies must be a number between"):
            ledger.joins(time, "anna", wrong)


def test_a_chance_is_never_smaller_than_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1/p bounds the odds, so that what joins is rounded up: the largest digest below p 2^256 joins, the next does not."""
    time, ledger = np.array(["2026-03-01"], "datetime64[ns]"), Ledger(tmp_path / "spent")
    ledger.digest(b"")
    for digest, joins in ((2**255 - 1, True), (2**255, False)):
        monkeypatch.setattr(ledger_module, "keyed", lambda *_, digest=digest: f"{digest:064x}")
        monkeypatch.setattr(Ledger, "_opened", lambda _: ledger_module._Opened(ledger_module.Key(b"", 0, ""), []))
        assert ledger.joins(time, "", 0.5).tolist() == [joins]


def test_landmarks_are_released_among_their_dummies(tmp_path: Path, capsys: Any) -> None:
    track = tmp_path / "track.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    line = ["release", str(track), "--epsilon", "1", "--radius", "200", "--region", "48.75,2.25,49,2.5"]
    line += ["--landmarks", "1,3"]
    line += ["--ledger", str(tmp_path / "spent"), "--dummies", "0.4", "--out"]
    assert cli.main([*line, str(tmp_path / "a")]) == 0
    assert "grow by a factor of at most 2.5, for someone" in capsys.readouterr().out
    assert cli.main([*line, str(tmp_path / "b"), "--again", "--scheme", "adaptive"]) == 0
    told = [json.loads((tmp_path / name / "guarantee.json").read_text("utf-8")) for name in "ab"]
    joins = Ledger(tmp_path / "spent").joins(sample("bob").time, "", 0.4)
    joins[[0, 2]] = True
    assert [each["landmarks"] for each in told] == [joins.sum()] * 2 and told[0]["chance_of_a_dummy"] == 0.4
    share = 1 / min(joins.sum() + 1, 8)
    assert told[0]["sum_over_all_timestamps"] == pytest.approx(8 * share)
    marks = [bool(mark) for _, *mark in Ledger(tmp_path / "spent").entries()[0]["minutes"].values()]
    assert sum(marks) == joins.sum(), "in the ledger dummies count as landmarks"
    assert cli.main([*line, str(tmp_path / "c"), "--again", "--budgets", "1x8"]) == 2
    assert "Budgets by hand must come without dummies" in capsys.readouterr().err

"""What the releases of one subject spend together, the public area, budgets by hand, and `--check`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from shutil import copy2
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region, wrapped
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.secure.check import check_release
from lmdk_widgets.secure.command import command
from lmdk_widgets.secure.ledger import LIMIT, Ledger
from lmdk_widgets.secure.together import Minutes, add_up, scale
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Trajectory, sample
from tests.sweeps import generators

REGION = (48.75, 2.25, 49.0, 2.5)
BOB = Settings(landmarks=(0, 2, 4, 7), region=REGION)


def test_sums_are_those_of_each_minute_one_by_one() -> None:
    for rng in generators(56, 60):
        entries: list[dict[str, Any]] = []
        spent: dict[int, float] = {}
        marked: set[int] = set()
        radius = 100.0 * float(rng.integers(1, 4))
        for _ in range(int(rng.integers(1, 5))):
            minutes = rng.choice(12, int(rng.integers(1, 8)), replace=False).tolist()
            budgets = {minute: float(rng.uniform(0.01, 1)) for minute in minutes}
            marks = {minute for minute in minutes if rng.random() < 0.3}
            then, near = 100.0 * float(rng.integers(1, 4)), float(rng.uniform(0, 0.2))
            entries.append(Minutes(budgets, frozenset(marks), then, near).written(b"key", "anna"))
            entries.append(Minutes({3: 5.0}, frozenset([3]), then).written(b"key", "bert"))
            for minute, budget in budgets.items():
                part = budget * radius / then
                spent[minute] = spent.get(minute, 0.0) + (part if radius > then else near * budget + (1 - near) * part)
            marked |= marks
        new = {minute: float(rng.uniform(0.01, 1)) for minute in rng.choice(12, 4, replace=False).tolist()}
        found = add_up(b"key", "anna", entries, Minutes(new, frozenset([min(new)]), radius))
        assert found.overlapping == len(new.keys() & spent.keys())
        for minute, budget in new.items():
            spent[minute] = spent.get(minute, 0.0) + budget
        marked |= {min(new)}
        sums = [sum(spent[m] for m in marked | {one}) for one in spent]
        assert found.largest == pytest.approx(max(sums)) and found.whole == pytest.approx(sum(spent.values()))
        assert found.of_the_subject == 1 + len(entries) // 2


@pytest.mark.parametrize("step", [None, 1.0, 90.0])
def test_at_a_smaller_radius_no_odds_change_by_more_than_is_summed(step: float | None) -> None:
    """Reports and comparisons with all that moving to the lattice and to a grid can do, one by one for two places."""
    settings = Settings(radius_m=200.0, step_m=step, scheme="budget-distribution", window=2, landmarks=(0,))
    plain = Settings(radius_m=200.0, step_m=step)
    rng, u, b = np.random.default_rng(5), settings.step, 0.7
    for radius in (0.001, 0.5, 7.0, 60.0, 199.0, 200.0, 450.0):
        entry = Minutes({1: b}, frozenset(), 200.0, plain.near).written(b"k", "")
        allowed = b * scale(entry, radius) + 1e-12
        worst = 0.0
        for _ in range(300):
            at, turn = rng.uniform(-u, u, 2), rng.uniform(0, 2 * np.pi)
            if rng.random() < 0.5:  # on both sides of the middle between lattice points, along a diagonal
                at, turn = np.full(2, u / 2) - radius * 1.006 * 0.5 * np.sqrt(0.5), np.pi / 4
            near = at + 1.006 * radius * np.array([np.cos(turn), np.sin(turn)])  # flat, and never longer
            apart = np.linalg.norm(np.round(at / u) - np.round(near / u)) * u
            worst = max(worst, plain.rate(b) * float(apart))
        assert worst <= allowed
        if radius < 1:
            assert worst > 2 * b * radius / 200, "the lattice counts: in proportion it would be too little"
        # a comparison: the steps of two true places 1.006 times the radius apart differ by this many at most
        steps = np.floor(20 * 1.006 * radius / float(settings.apart)) + 1
        entry = Minutes({1: b}, frozenset(), 200.0, settings.near).written(b"k", "")
        assert b / 22 * steps <= b * scale(entry, radius) + 1e-12


def test_a_release_without_its_step_is_never_scaled_down(tmp_path: Path) -> None:
    old = {"radius_m": 200.0}
    assert [scale(old, radius) for radius in (1.0, 200.0, 400.0)] == [1.0, 1.0, 2.0]
    release_track(sample("bob"), BOB, tmp_path / "a", ledger := Ledger(tmp_path / "spent.json"))
    assert ledger.entries()[0]["near"] == pytest.approx(5 * 99 / 70 / (200 + 5 * 99 / 70))


def other_half(track: Trajectory, of: slice) -> Trajectory:
    return Trajectory(track.latitude[of], track.longitude[of], track.time[of])


def test_overlapping_and_reformatted_files_add_up(tmp_path: Path) -> None:
    ledger, bob = Ledger(tmp_path / "spent.json"), sample("bob")
    first = release_track(bob, BOB, tmp_path / "a", ledger, subject="bob")
    assert first["all_releases_of_the_subject"]["releases"] == 1
    moved = Trajectory(bob.latitude[:4] + 1e-9, bob.longitude[:4], bob.time[:4] + np.timedelta64(5, "s"))
    part = Settings(landmarks=(0,), region=REGION, epsilon=0.4, radius_m=100.0)
    with pytest.raises(InputError, match="got 4 minutes of the subject released before"):
        release_track(moved, part, tmp_path / "b", ledger, subject="bob")
    told = release_track(moved, part, tmp_path / "b", ledger, subject="bob", again=True)
    every = told["all_releases_of_the_subject"]
    # bob's .2 at 200 m, on a lattice of 5 m, are a little more than .1 at 100 m; and .2 more at each of the first 4
    root = 99 / 70
    half = 0.2 * (100 + 5 * root) / (200 + 5 * root)
    assert half > 0.1 and every["releases"] == 2
    assert every["sum_over_all_minutes"] == pytest.approx(8 * half + 4 * 0.2)
    assert every["largest_sum_over_landmarks_and_one_other_minute"] == pytest.approx(5 * half + 0.2 * 3)
    assert "All 2 releases of the subject in the ledger together" in " ".join(told["words"])
    assert told["release_of_these_data"] == 1


def test_a_limit_refuses_what_would_pass_it_and_spends_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    release_track(sample("bob"), BOB, tmp_path / "a", ledger, limit=1.0)
    before = ledger.entries()
    with pytest.raises(InputError, match="must stay within the limit of 1.5 together; got 2.*Nothing was spent"):
        release_track(sample("bob"), BOB, tmp_path / "b", ledger, limit=1.5, again=True, confirmed={LIMIT})
    assert ledger.entries() == before and not (tmp_path / "b").exists()
    release_track(sample("bob"), BOB, tmp_path / "b", ledger, limit=2.0, again=True, confirmed={LIMIT})


def test_the_ledger_holds_no_minute_and_no_name(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    release_track(sample("bob"), BOB, tmp_path / "a", ledger, subject="Robert")
    text = ledger.path.read_text("utf-8")
    minutes = sample("bob").time.astype("datetime64[m]").astype(int).tolist()
    assert "Robert" not in text and not any(str(minute) in text for minute in minutes)


def test_points_outside_the_region_are_moved_in_and_so_are_reports(tmp_path: Path) -> None:
    bob, region = sample("bob"), Region(48.85, 2.34, 48.87, 2.36)
    settings = Settings(landmarks=(), region=region.limits, epsilon=0.02, scheme="event")
    track = Trajectory(np.append(bob.latitude[:-1], 48.95), bob.longitude, bob.time)
    told = release_track(track, settings, tmp_path / "a", Ledger(tmp_path / "spent.json"))
    with open(tmp_path / "a" / "release.csv", encoding="utf-8") as file:
        rows = [(float(row["latitude"]), float(row["longitude"])) for row in csv.DictReader(file)]
    points = region.frame.to_metres(*np.array(rows).T)
    assert len(rows) == 8 and ((points > region.bounds_m[0] - 0.02) & (points < region.bounds_m[1] + 0.02)).all()
    assert told["region"] == list(region.limits) and "first moved to the nearest place in it" in " ".join(told["words"])
    assert not any(line.holds is False for line in check_release(tmp_path / "a"))
    with pytest.raises(InputError, match="not have another origin"):
        release_track(bob, Settings(region=REGION, origin=(48.9, 2.3)), tmp_path / "b", Ledger(tmp_path / "spent.json"))
    with pytest.raises(InputError, match="within 200 km of its middle"):
        release_track(bob, Settings(region=(40.0, -5.0, 52.0, 9.0)), tmp_path / "b", Ledger(tmp_path / "spent.json"))


def test_a_region_across_the_date_line_is_released_and_checked(tmp_path: Path) -> None:
    """Every report lies in the box of two degrees, on either side of 180."""
    bob, region = sample("bob"), Region(48.0, 179.0, 49.0, -179.0)
    track = Trajectory(bob.latitude, wrapped(bob.longitude + 177.67), bob.time)
    settings = Settings(region=region.limits, epsilon=0.02, scheme="event")
    sides = set[float]()
    for name in "abcdef":  # all reports of one release lie on one side once in 128 times
        told = release_track(track, settings, tmp_path / name, Ledger(tmp_path / f"{name}.json"))
        with open(tmp_path / name / "release.csv", encoding="utf-8") as file:
            rows = np.array([(float(row["latitude"]), float(row["longitude"])) for row in csv.DictReader(file)])
        points = region.frame.to_metres(*rows.T)
        assert ((points > region.bounds_m[0] - 0.02) & (points < region.bounds_m[1] + 0.02)).all()
        assert (np.abs(rows[:, 1]) > 178.9).all()
        sides |= set(np.sign(rows[:, 1]))
    assert len(sides) == 2
    assert told["frame"]["origin"] == [48.5, 180.0] and told["region"] == list(region.limits)
    assert not any(line.holds is False for line in check_release(tmp_path / "a"))
    assert "--region 48,179,49,-179" in command(
        "a.csv", scheme="event", epsilon=1.0, region=region.limits, landmarks=""
    )


def test_no_true_place_changes_anything_but_the_noise(tmp_path: Path) -> None:
    bob = sample("bob")
    far = Trajectory(np.full(8, 48.99), np.full(8, 2.49), bob.time)
    told = [
        release_track(track, BOB, tmp_path / str(k), Ledger(tmp_path / "spent"), subject=str(k))
        for k, track in enumerate((bob, far))
    ]
    digests = [each.pop("release_sha256") for each in told]
    assert told[0] == told[1] and digests[0] != digests[1], "the digest is that of the noise too"


def test_a_folder_is_checked_from_what_was_published_and_the_ledger(tmp_path: Path, capsys: Any) -> None:
    track, ledger = tmp_path / "bob.csv", tmp_path / "spent.json"
    sample("bob").to_frame().to_csv(track, index=False)
    common = ["--ledger", str(ledger), "--subject", "bob"]
    made = ["release", str(track), "--epsilon", "1", "--radius", "200", "--region", "48.75,2.25,49,2.5"]
    cli.main([*made, "--landmarks", "1,3,5,8", *common, "--out", str(tmp_path / "a")])
    assert "first release of its subject" in capsys.readouterr().out
    cli.main(["release", "--check", str(tmp_path / "a"), "--chain", "moderate", *common])
    said = capsys.readouterr().out
    assert "DOES NOT" not in said and "In the ledger, all timestamps spend 1.6" in said
    matrix = smoothed_identity(5, 0.1)
    most = temporal_loss(matrix, matrix, [0.2] * 8).total.max()
    assert f"a factor of at most e^{most:.6g}"[:-1] in said
    guarantee = tmp_path / "a" / "guarantee.json"
    whole = json.loads(guarantee.read_text("utf-8"))
    for name, value, words in (
        ("sum_over_all_timestamps", 0.8, "all timestamps spend"),
        ("points", 9, "the guarantee says 9"),
        ("lattice_step_m", 7.0, "off the lattice of 7 m"),
        ("epsilon_per_m_of_a_point", [1e-4, 1e-4], "The noise of each place"),
        ("largest_sum_over_landmarks_and_one_other", 3.0, "the guarantee says 3 for timestamps"),
    ):
        guarantee.write_text(json.dumps(whole | {name: value}))
        lines = check_release(tmp_path / "a", Ledger(ledger), subject="bob")
        assert any(words in line.text for line in lines if line.holds is False), name
    assert cli.main(["release", "--check", str(tmp_path / "a"), *common])
    assert "DOES NOT HOLD" in (told := capsys.readouterr()).out and "Do not rely on its guarantee" in told.err
    guarantee.write_text(json.dumps(whole))
    with pytest.raises(InputError, match="must be in the ledger"):
        check_release(tmp_path / "a", Ledger(ledger), subject="someone else")
    cli.main(["release", "--check", str(tmp_path / "a"), "--received"])
    assert "Only the owner’s ledger" in capsys.readouterr().out
    for content in ("[]", "{}", '{"what": "a private release", "points": 8', "x"):
        guarantee.write_text(content)
        with pytest.raises(InputError, match="must contain a release"):
            check_release(tmp_path / "a")
    guarantee.unlink()
    with pytest.raises(InputError, match=r"got no guarantee\.json"):
        check_release(tmp_path / "a")


def test_budgets_by_hand(tmp_path: Path, capsys: Any) -> None:
    track = tmp_path / "bob.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    call = ["release", str(track), "--radius", "200", "--region", "48.75,2.25,49,2.5", "--ledger", str(tmp_path / "l")]
    cli.main([*call, "--budgets", ".2x3,0,.1x4", "--landmarks", "1", "--out", str(tmp_path / "a")])
    told = json.loads((tmp_path / "a" / "guarantee.json").read_text("utf-8"))
    assert told["sum_over_all_timestamps"] == pytest.approx(1.0) and told["points"] == 7
    assert told["largest_sum_over_landmarks_and_one_other"] == pytest.approx(0.4)
    for given, words in (
        (".2x3", "must be 8, one for each timestamp; got 3"),
        ("a", "must be numbers such as"),
        ("-1x8", "a budget"),
    ):
        assert cli.main([*call, f"--budgets={given}", "--out", str(tmp_path / "b")])
        assert words.lower() in capsys.readouterr().err.lower()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["--out", "x"], "must have a file"),
        (["a.csv", "--out", "x"], "must have a budget"),
        (["a.csv", "--epsilon", "1"], "must have a folder"),
    ],
)
def test_what_is_missing_is_named(call: list[str], words: str, capsys: Any) -> None:
    assert cli.main(["release", *call])
    assert words in capsys.readouterr().err


def test_a_landmark_that_was_skipped_counts_as_one_where_it_is_released_later(tmp_path: Path) -> None:
    """Skip spends nothing on it; another file measures it as a regular timestamp, and it stays a landmark of the subject."""
    bob, ledger = sample("bob"), Ledger(tmp_path / "spent.json")
    release_track(bob, Settings(scheme="skip", landmarks=(2, 4), region=REGION), tmp_path / "a", ledger)
    only = other_half(bob, slice(2, 5, 2))
    told = release_track(only, Settings(scheme="event", epsilon=0.25, region=REGION), tmp_path / "b", ledger)
    every = told["all_releases_of_the_subject"]
    assert every["largest_sum_over_landmarks_and_one_other_minute"] == pytest.approx(1.5), "two of .25, and one of 1"
    lines = check_release(tmp_path / "a", ledger)
    assert not any(line.holds is False for line in lines) and "spend at most 1.5, all minutes 6.5" in lines[-1].text


def test_what_is_left_is_what_a_release_may_still_spend(tmp_path: Path, capsys: Any) -> None:
    """By trying: what is left is accepted, and a little more is refused, for landmarks and for others."""
    bob, path = sample("bob"), tmp_path / "spent.json"
    asked = Settings(landmarks=(0, 2), epsilon=0.9, region=REGION)
    release_track(other_half(bob, slice(0, 4)), asked, tmp_path / "a", Ledger(path), subject="bob", limit=1.25)
    left = Ledger(path).left("bob")
    assert (left.landmarks, left.other) == pytest.approx((0.6, 0.3)) and left.minutes == 0, "a week long ago"
    assert (left.for_landmarks, left.for_another) == pytest.approx((0.35, 0.65))
    for k, (marks, budget) in enumerate((((0,), left.for_landmarks), ((), left.for_another))):
        one = Settings(scheme="given", budgets=(0.0,) * 3 + (budget * 1.001,), landmarks=marks and (3,), region=REGION)
        with pytest.raises(InputError, match=r"within the limit of 1\.25 together"):
            release_track(other_half(bob, slice(4, 8)), one, tmp_path / f"b{k}", Ledger(path), subject="bob")
        other = tmp_path / f"{k}.json"
        for suffix in ("", ".key"):
            copy2(tmp_path / f"spent.json{suffix}", tmp_path / f"{other.name}{suffix}")
        fits = Settings(scheme="given", budgets=(0.0,) * 3 + (budget * 0.999,), landmarks=marks and (3,), region=REGION)
        release_track(other_half(bob, slice(4, 8)), fits, tmp_path / f"c{k}", Ledger(other), subject="bob")
    assert cli.main(["release", "--left", "--subject", "bob", "--ledger", str(path)]) == 0
    said = capsys.readouterr().out
    assert "1 release of the subject in the ledger: the landmarks spend 0.6, any other minute at most 0.3, at" in said
    assert "new landmarks may spend 0.35 together; or, without a new landmark, each minute" in said and "0.65." in said
    assert cli.main(["release", "--left", "--ledger", str(path)]) == 0
    assert "0 releases of the subject" in (none := capsys.readouterr().out) and "There is no limit" in none

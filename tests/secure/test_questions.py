"""What a release is asked before it spends: the same places at other times, a higher limit; and who may read the key."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.check import check_release
from lmdk_widgets.secure.ledger import LIMIT, PLACES, Ledger
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory, sample

REGION = (48.75, 2.25, 49.0, 2.5)
OLD = Path(__file__).parent / "version_10"


def later(track: Trajectory, hours: int) -> Trajectory:
    return Trajectory(track.latitude, track.longitude, track.time + np.timedelta64(hours, "h"))


def test_the_same_places_in_another_time_zone_are_asked_about(tmp_path: Path) -> None:
    ledger, asked, bob = Ledger(tmp_path / "spent.json"), Settings(region=REGION), sample("bob")
    release_track(bob, asked, tmp_path / "a", ledger)
    before = ledger.entries()
    for hours in (1, -1, 24):
        for subject in ("", "another"):
            for again in (False, True):
                with pytest.raises(
                    InputError, match=r"at other times without.*released on 20.*--timezone.*--yes"
                ) as error:
                    release_track(later(bob, hours), asked, tmp_path / "b", ledger, subject=subject, again=again)
                assert error.value.kind == PLACES
    assert ledger.entries() == before and not (tmp_path / "b").exists(), "nothing is spent"
    release_track(later(bob, 1), asked, tmp_path / "b", ledger, confirmed={PLACES})
    release_track(sample("commuter"), asked, tmp_path / "c", ledger, subject="another")
    with pytest.raises(InputError, match="must be released only once"):
        release_track(bob, asked, tmp_path / "d", ledger)
    assert not ledger.notices


def test_the_same_values_at_other_times_are_asked_about(tmp_path: Path) -> None:
    pytest.importorskip("opendp")
    ledger, hours = Ledger(tmp_path / "spent.json"), np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(9)
    asked = SeriesSettings(sensitivity=1)
    release_series(Series(hours, values=np.arange(9) % 4), asked, tmp_path / "a", ledger)
    with pytest.raises(InputError, match="The same places or values must not be released again at other times"):
        release_series(Series(hours + 7200, values=np.arange(9) % 4), asked, tmp_path / "b", ledger)
    release_series(Series(hours + 10**6, values=np.arange(9) % 3), asked, tmp_path / "b", ledger)


def test_a_higher_limit_is_asked_about_and_a_lower_one_is_not(tmp_path: Path) -> None:
    ledger, asked, bob = Ledger(tmp_path / "spent.json"), Settings(region=REGION, epsilon=0.1), sample("bob")
    release_track(bob, asked, tmp_path / "a", ledger, subject="bob", limit=2.0)
    release_track(bob, asked, tmp_path / "b", ledger, subject="bob", limit=1.0, again=True)
    with pytest.raises(
        InputError, match=r"must not be raised without a confirmation; got 1.5 after 1\. .*--yes"
    ) as error:
        release_track(bob, asked, tmp_path / "c", ledger, subject="bob", limit=1.5, again=True)
    assert error.value.kind == LIMIT and len(ledger.entries()) == 2 and not (tmp_path / "c").exists()
    release_track(bob, asked, tmp_path / "c", ledger, subject="bob", limit=1.5, again=True, confirmed={LIMIT})
    assert ledger.left("bob").limit == 1.5
    release_track(bob, asked, tmp_path / "d", ledger, subject="another", limit=9.0, again=True)


@pytest.mark.parametrize("answer", ["yes", "no", "--yes", "not asked"])
def test_the_command_asks(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = [np.datetime64("2026-03-01T08:00") + 10 * k for k in range(4)]
    call = ["release", "--epsilon", "0.1", "--radius", "200", "--origin", "48.86,2.35", "--ledger", str(tmp_path / "l")]
    for name, shift in (("a", 0), ("b", 60)):
        rows = [f"{time + shift}Z,48.8{k},2.3{k}" for k, time in enumerate(times)]
        (tmp_path / f"{name}.csv").write_text("time,latitude,longitude\n" + "\n".join(rows) + "\n")
    assert cli.main([*call, str(tmp_path / "a.csv"), "--limit", "1", "--out", str(tmp_path / "a")]) == 0
    asked: list[str] = []

    def say(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr("builtins.input", say)
    monkeypatch.setattr("sys.stdin.isatty", lambda: answer in ("yes", "no"), raising=False)
    more = ["--yes"] if answer == "--yes" else []
    code = cli.main([*call, str(tmp_path / "b.csv"), "--limit", "2", "--out", str(tmp_path / "b"), *more])
    assert (code == 0) == (tmp_path / "b").exists() == (answer in ("yes", "--yes"))
    assert len(asked) == {"yes": 2, "no": 1}.get(answer, 0)
    assert ("without a confirmation" in capsys.readouterr().err) == (answer != "--yes")


@pytest.mark.parametrize("rights", [0o640, 0o604, 0o660, 0o644, 0o602, 0o610])
def test_a_key_that_others_may_open_is_refused(rights: int, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    ledger.spend(b"a", {})
    ledger.key_path.chmod(rights)
    for work in (ledger.entries, lambda: ledger.spend(b"b", {}), lambda: ledger.left(""), lambda: ledger.digest(b"")):
        with pytest.raises(InputError, match=r"only you can read and write; got a key that others can open\. Enter"):
            work()
    ledger.key_path.chmod(0o600)
    assert len(ledger.entries()) == 1


def test_a_ledger_one_entry_ahead_is_accepted_and_said(tmp_path: Path) -> None:
    """What a kill between the two writes leaves; the entry counts, and the next release counts it in the key."""
    ledger = Ledger(tmp_path / "spent.json")
    ledger.spend(b"a", {})
    key = ledger.key_path.read_bytes()
    ledger.spend(b"b", {})
    ledger.key_path.write_bytes(key)
    with pytest.raises(InputError, match="must be released only once"):
        ledger.spend(b"b", {})
    assert ["was interrupted" in notice and "counts as spent" in notice for notice in ledger.notices] == [True]
    ledger.spend(b"c", {})
    ledger.notices.clear()
    assert len(ledger.entries()) == 3 and not ledger.notices
    two_ahead = json.loads(ledger.path.read_text())
    ledger.key_path.write_bytes(key)
    with pytest.raises(InputError, match="must have the 1 entry that its key counts; got 3"):
        ledger.entries()
    bare = [{name: value for name, value in entry.items() if name != "link"} for entry in two_ahead["entries"]]
    ledger.path.write_text(json.dumps({"format": 1, "entries": bare[:2]}))
    with pytest.raises(InputError, match="must have the 1 entry that its key counts; got 2"):
        ledger.entries()


def test_two_kills_in_a_row_shut_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each between the ledger and its key: the second starts from a ledger that is one entry ahead."""
    ledger, real = Ledger(tmp_path / "spent.json"), os.replace
    ledger.spend(b"a", {})

    def killed(one: Path, other: Path) -> None:
        if Path(other) == ledger.key_path and len(json.loads(ledger.path.read_text())["entries"]) > len(before):
            raise KeyboardInterrupt
        real(one, other)

    for data in (b"b", b"c", b"d"):
        before = ledger.entries()
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(os, "replace", killed)
            ledger.spend(data, {})
        with pytest.raises(InputError, match="must be released only once"):
            ledger.spend(data, {})
    assert len(ledger.entries()) == 4


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger and releases by version 1.0."""
    here = Path(shutil.copytree(OLD, tmp_path / "old"))
    (here / "spent.json.key").chmod(0o600)
    return here


@pytest.mark.parametrize(
    ("kind", "subject"), [("uniform", "bob"), ("comparing", "carla"), ("counts", "meter"), ("numbers", "meter2")]
)
def test_releases_by_version_1_are_checked_and_what_is_not_known_is_said(kind: str, subject: str, old: Path) -> None:
    ledger = Ledger(old / "spent.json")
    for book in (ledger, None):
        lines = check_release(old / kind, book, subject=subject)
        assert not [line for line in lines if line.holds is False]
        unknown = " ".join(line.text for line in lines if line.holds is None)
        assert "states no digest of release.csv" in unknown
        assert ("without digests of the files" in unknown) == (book is not None)
    assert "did not count the entries: whether one is missing at the end is not known" in ledger.notices[0]
    told = json.loads((old / kind / "guarantee.json").read_text())
    for name in ("sum_over_all_timestamps", "largest_sum_over_landmarks_and_one_other", "epsilon"):
        changed = {**told, name: told[name] * 0.1}
        (old / kind / "guarantee.json").write_text(json.dumps(changed, indent=1, ensure_ascii=False) + "\n")
        if kind == "comparing" and name == "epsilon":  # no window has such comparisons
            with pytest.raises(InputError, match="got a damaged guarantee"):
                check_release(old / kind, ledger, subject=subject)
            continue
        assert any(line.holds is False for line in check_release(old / kind, ledger, subject=subject)), name
    words = [sentence.replace("spend at most ", "spend at most 0.") for sentence in told["words"]]
    (old / kind / "guarantee.json").write_text(
        json.dumps({**told, "words": words}, indent=1, ensure_ascii=False) + "\n"
    )
    assert any(line.holds is False for line in check_release(old / kind, subject=subject))


def test_a_ledger_by_version_1_goes_on_and_is_counted_from_then_on(old: Path, tmp_path: Path) -> None:
    ledger, bob = Ledger(old / "spent.json"), sample("bob")
    assert len(ledger.entries()) == 4 and ledger.left("bob").limit == 2.0
    with pytest.raises(InputError, match="must be released only once; got data already released on 2026-11-28"):
        release_track(bob, Settings(region=REGION), tmp_path / "a", ledger, subject="bob")
    told = release_track(bob, Settings(region=REGION, epsilon=0.1), tmp_path / "a", ledger, subject="bob", again=True)
    assert told["all_releases_of_the_subject"]["releases"] == 2
    text, key = ledger.path.read_text(), ledger.key_path.read_bytes()
    assert json.loads(text)["format"] == 3 and json.loads(key)["entries"] == 5
    release_track(sample("commuter"), Settings(region=REGION), tmp_path / "b", ledger, subject="new")
    assert any(
        "made by version 1.0 or before: whether these data were among them" in notice for notice in ledger.notices
    )
    ledger.path.write_text(text)
    with pytest.raises(InputError, match="must have the 6 entries that its key counts; got 5"):
        ledger.entries()


def test_a_kill_while_a_ledger_of_version_1_is_upgraded_loses_nothing(old: Path) -> None:
    """The key is counted first: with the old ledger it is accepted, and a removed entry no longer is."""
    ledger = Ledger(old / "spent.json")
    text = ledger.path.read_text()
    ledger.spend(b"new", {})
    key = json.loads(ledger.key_path.read_text())
    linked = json.loads(text)["entries"]
    ledger.path.write_text(text)
    ledger.key_path.write_text(json.dumps({**key, "entries": 4, "link": linked[-1]["link"]}))
    assert len(Ledger(ledger.path).entries()) == 4
    for changed in (linked[:3], [], linked[:1]):
        ledger.path.write_text(json.dumps({**json.loads(text), "entries": changed}))
        with pytest.raises(InputError, match="must have the 4 entries that its key counts"):
            Ledger(ledger.path).entries()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--epsilon", "1e308"], "Epsilon must be a number between 1e-9 and 1,000,000"),
        (["--epsilon", "nan"], "Epsilon must be"),
        (["--epsilon", "1", "--step", "1e300"], "Step must be a number, 1,000,000 or less"),
        (["--epsilon", "1", "--limit", "inf"], "Limit must be"),
        (["--epsilon", "1", "--radius", "1e308"], "Radius must be"),
    ],
)
def test_extreme_numbers_get_a_sentence(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample("bob").to_frame().to_csv(tmp_path / "bob.csv", index=False)
    call = ["release", str(tmp_path / "bob.csv"), "--radius", "200", "--origin", "48.86,2.35"]
    call += ["--ledger", str(tmp_path / "l")]
    assert cli.main([*call, *options, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "entry",
    [
        {"data": 5},
        {"subject": "a", "minutes": []},
        {"subject": "a", "minutes": {"b": 1}, "radius_m": None},
        {"subject": "a", "minutes": {"b": [float("nan")]}, "radius_m": None},
        {"subject": "a", "minutes": {"b": [-1.0]}, "radius_m": None},
        {"subject": "a", "minutes": {"b": [1.0, "x"]}, "radius_m": None},
        {"subject": "a", "minutes": {"b": [1.0]}},
        {"minutes": {"b": [1.0]}, "radius_m": None},
        {"limit": "2"},
        {"files": 3},
        7,
    ],
)
def test_an_entry_that_no_release_wrote_gets_a_sentence(entry: object, old: Path) -> None:
    """Where links cannot be verified, as in the oldest format, an entry may contain anything."""
    (old / "spent.json").write_text(json.dumps({"format": 1, "entries": [entry]}))
    for work in (Ledger(old / "spent.json").entries, lambda: Ledger(old / "spent.json").left("a")):
        with pytest.raises(InputError, match="must be a file made by this program"):
            work()

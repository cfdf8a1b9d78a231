"""The ledger, its key and the files of a release: kept by each other, by kills at any moment, and by a full disk."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure import files
from lmdk_widgets.secure.check import check_release
from lmdk_widgets.secure.key_file import read_key
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import sample
from tests.sweeps import FULL

BOB = Settings(landmarks=(0, 2, 4, 7), origin=(48.86, 2.35))

RELEASES = """
import os, resource, signal, sys
from pathlib import Path
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.files import reserved
from lmdk_widgets.secure.ledger import Ledger

def release(data, folder, ledger):
    try:
        sizes = {"guarantee.json": 99, "guarantee.html": 199, "release.csv": 999}
        with reserved(folder, sizes, ledger.unfinished) as publish:
            ledger.spend(data, {"epsilon": 1.0})
            publish({"guarantee.json": "{}", "guarantee.html": "<p>" * 60, "release.csv": "time\\n" + "9" * 900})
    except InputError as error:
        sys.stderr.write(f"{error}\\n")
        return 2
    return 0

def forked(work):
    child = os.fork()
    if not child:
        os._exit(work())
    return child
"""
"""The order of a release of a track or a series, without their arithmetic, so that a kill lands among the files."""


def run(tmp_path: Path, program: str) -> str:
    """What a program says that begins with `RELEASES`; it has two minutes."""
    text = RELEASES + f"HERE = Path({str(tmp_path)!r})\n" + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def look(ledger: Ledger, folders: list[Path]) -> tuple[int, int]:
    """How many releases of one series there are, and how many the ledger knows; what is left is whole or unreadable."""
    if ledger.key_path.exists():
        key = read_key(ledger.key_path, "")
        there = len(json.loads(ledger.path.read_text())["entries"])
        assert key is not None and key.entries is not None and key.entries <= there <= key.entries + 1
    made = 0
    for folder in folders:
        for path in folder.iterdir() if folder.exists() else ():
            assert not path.name.startswith(".") or path.stat().st_mode & 0o777 == 0, (
                "what is not whole nobody may read"
            )
            if path.name == "release.csv":
                made += 1
                assert path.stat().st_size == 905
                assert (folder / "guarantee.html").stat().st_size == 180, "what was released comes last"
    return made, len(ledger.entries())


EVERY = 1 if FULL else 2
"""By day, a process is killed before every second call."""


@pytest.mark.long
def test_a_kill_at_any_call_of_the_system_spends_nothing_twice(tmp_path: Path) -> None:
    """Killed before each call in turn that opens, writes, forces, renames or removes; then the same data are tried twice."""
    run(
        tmp_path,
        """
        CALLS = ("open", "write", "ftruncate", "fsync", "replace", "link", "unlink", "mkdir", "rmdir", "chmod")
        def killed_before(k):
            seen = 0
            def counting(real):
                def call(*given, **named):
                    nonlocal seen
                    seen += 1
                    if seen == k:
                        os.kill(os.getpid(), signal.SIGKILL)
                    return real(*given, **named)
                return call
            for name in CALLS:
                setattr(os, name, counting(getattr(os, name)))
        for k in range(1, 200, EVERY):
            here, ledger = HERE / str(k), Ledger(HERE / str(k) / "spent.json")
            def work():
                killed_before(k)
                return release(b"data", here / "a", ledger)
            _, status = os.waitpid(forked(work), 0)
            for name in "bc":
                os.waitpid(forked(lambda: release(b"data", here / name, ledger)), 0)
            if os.WIFEXITED(status):
                break
        else:
            raise SystemExit("it never came to an end")
        (HERE / "last").write_text(str(k))
        """.replace("EVERY", str(EVERY)),
    )
    last = int((tmp_path / "last").read_text())
    assert last > 20
    for k in range(1, last + 1, EVERY):
        made, known = look(Ledger(tmp_path / str(k) / "spent.json"), [tmp_path / str(k) / name for name in "abc"])
        assert made <= known == 1, f"killed before call {k}"
        hidden = [path.name for path in (tmp_path / str(k)).rglob(".*")] + list(
            (tmp_path / str(k)).glob("*.unfinished")
        )
        assert not hidden, f"left by the kill before call {k}"


@pytest.mark.nightly
@pytest.mark.long
def test_kills_at_random_moments_spend_nothing_twice(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    run(
        tmp_path,
        f"""
        import random, time
        rng = random.Random({seed})
        start = time.perf_counter()
        os.waitpid(forked(lambda: release(b"data", HERE / "timed", Ledger(HERE / "timed.json"))), 0)
        long = time.perf_counter() - start
        for k in range(40):
            ledger = Ledger(HERE / f"spent{{k // 5}}.json")
            child = forked(lambda: release(b"data", HERE / str(k), ledger))
            time.sleep(rng.uniform(0, 1.2 * long))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for k in range(40):
            child = forked(lambda: release(b"data", HERE / f"again{{k}}", Ledger(HERE / f"spent{{k // 5}}.json")))
            os.waitpid(child, 0)
        """,
    )
    for of in range(8):
        names = [f"{again}{k}" for k in range(5 * of, 5 * of + 5) for again in ("", "again")]
        made, known = look(Ledger(tmp_path / f"spent{of}.json"), [tmp_path / name for name in names])
        assert made <= known == 1, f"seed {seed}"
    assert not list(tmp_path.rglob(".*")) and not list(tmp_path.glob("*.unfinished")), f"seed {seed}"


@pytest.mark.long
def test_forty_kills_of_whole_releases_spend_nothing_twice(tmp_path: Path) -> None:
    """Halves of a day that overlap, by two schemes that decide, with dummies and a limit, killed at random; then again.

    No minute is written down twice, the sums of the ledger are those of what could be read, and more, and never above the
    limit; a folder has all of its files or nothing that may be read.
    """
    seed = random.randrange(10**6)
    run(
        tmp_path,
        f"""
        import random, time
        import numpy as np
        from lmdk_widgets.secure.track import Settings, release_track
        from lmdk_widgets.trajectory import Trajectory, sample
        rng, bob = random.Random({seed}), sample("bob")
        def part(first, folder):
            scheme = ("adaptive", "budget-distribution")[first % 2]
            asked = Settings(scheme=scheme, landmarks=(1,), region=(48.75, 2.25, 49.0, 2.5), chance=0.3, window=2)
            some = Trajectory(*(getattr(bob, name)[first:first + 4] for name in ("latitude", "longitude", "time")))
            def work():
                try:
                    release_track(some, asked, folder, Ledger(HERE / "spent.json"), subject="bob", limit=2.5)
                except InputError as error:
                    sys.stderr.write(f"{{error}}\\n")
                    return 2
                return 0
            return forked(work)
        start = time.perf_counter()
        os.waitpid(part(0, HERE / "timed"), 0)
        long = time.perf_counter() - start
        (HERE / "spent.json").unlink()
        (HERE / "spent.json.key").unlink()
        for k in range(40):
            child = part(k % 5, HERE / str(k))
            time.sleep(rng.uniform(0, 1.2 * long))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for k in range(5):
            os.waitpid(part(k, HERE / f"again{{k}}"), 0)
        """,
    )
    ledger, names = Ledger(tmp_path / "spent.json"), [*map(str, range(40)), *(f"again{k}" for k in range(5))]
    entries, spent = ledger.entries(), set()
    for entry in entries:
        measured = {name for name, (budget, *_) in entry["minutes"].items() if budget}
        assert not measured & spent, f"a minute is spent twice, seed {seed}"
        spent |= measured
    made = 0
    for folder in (tmp_path / name for name in names):
        there = {path.name for path in (folder.iterdir() if folder.exists() else ()) if path.stat().st_mode & 0o777}
        if "release.csv" in there:
            made += 1
            assert there == {"guarantee.json", "guarantee.html", "release.csv"}
            lines = check_release(folder, ledger, subject="bob")
            assert not any(line.holds is False for line in lines), f"seed {seed}"
    assert made <= len(entries), f"seed {seed}"
    assert ledger.left("bob").largest <= 2.5, f"seed {seed}"
    assert not list(tmp_path.rglob(".*")) and not list(tmp_path.glob("*.unfinished")), f"seed {seed}"


def test_of_many_releases_of_the_same_data_at_once_one_is_made(tmp_path: Path) -> None:
    run(
        tmp_path,
        """
        children = [forked(lambda: release(b"data", HERE / str(k), Ledger(HERE / "spent.json"))) for k in range(8)]
        ends = sorted(os.WEXITSTATUS(os.waitpid(child, 0)[1]) for child in children)
        assert ends == [0] + [2] * 7, ends
        """,
    )
    assert look(Ledger(tmp_path / "spent.json"), [tmp_path / str(k) for k in range(8)]) == (1, 1)


@pytest.mark.long
def test_a_disk_that_takes_no_more_gets_a_sentence_and_leaves_nothing_half(tmp_path: Path) -> None:
    said = run(
        tmp_path,
        """
        for size in (0, 1, 31, 32, 40, 98, 120, 200, 400, 998, 999):
            def work():
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                return release(b"data", HERE / f"a{size}", Ledger(HERE / f"{size}.json"))
            _, status = os.waitpid(forked(work), 0)
            assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == (0 if size == 999 else 2), (size, status)
            os.waitpid(forked(lambda: release(b"data", HERE / f"b{size}", Ledger(HERE / f"{size}.json"))), 0)
        """,
    )
    for size in (0, 1, 31, 32, 40, 98, 120, 200, 400, 998, 999):
        first, second = tmp_path / f"a{size}", tmp_path / f"b{size}"
        assert first.exists() == (size == 999), "a folder that was made for nothing is removed"
        assert look(Ledger(tmp_path / f"{size}.json"), [first, second]) == (1, 1), size
    assert "must have room for its files; got file too large. Nothing was released and no budget was spent" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("at", ["the folder", "the ledger", "the key", "the files"])
def test_a_full_disk_is_said_wherever_it_is_met(
    at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/home/someone/secret")

    track, ledger = tmp_path / "track.csv", Ledger(tmp_path / "spent.json")
    sample("bob").to_frame().to_csv(track, index=False)
    call = ["release", str(track), "--epsilon", "1", "--radius", "200", "--origin", "48.86,2.35"]
    call += ["--ledger", str(ledger.path), "--out", str(tmp_path / "out")]
    real_open, real_fill, opened = os.open, files.fill, dict[int, str]()

    def see(path: Any, *given: Any, **named: Any) -> int:
        found = real_open(path, *given, **named)
        opened[found] = Path(path).name
        return found

    def fill(to: int, content: bytes) -> None:
        if opened[to] == {"the ledger": ".spent.json.new", "the key": ".spent.json.key.new"}[at]:
            full()
        real_fill(to, content)

    with monkeypatch.context() as patch:
        if at in ("the ledger", "the key"):
            patch.setattr(os, "open", see)
            patch.setattr(files, "fill", fill)
        else:
            patch.setattr(files, "fill" if at == "the folder" else "_name", full)
        assert cli.main(call) == 2
    said = capsys.readouterr().err
    assert "got no space left on device" in said and "someone" not in said and "Traceback" not in said
    assert ("counts this release as spent" in said) == (at == "the files")
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob("*.unfinished"))
    assert cli.main(call if at != "the files" else [*call, "--again"]) == 0, "with room it is made"
    assert len(ledger.entries()) == 1 + (at == "the files") and not list(tmp_path.glob(".*"))


def test_what_was_lost_or_changed_is_refused_with_what_to_do(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    for data in (b"a", b"b", b"c"):
        ledger.spend(data, {"epsilon": 1.0})
    key, text = ledger.key_path.read_bytes(), ledger.path.read_text()
    held = json.loads(text)

    def refused(said: str, *, key_file: bytes | None = key, held_file: str | None = text) -> None:
        for path, content in ((ledger.key_path, key_file), (ledger.path, held_file)):
            path.unlink(missing_ok=True)
            if content is not None:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
                path.chmod(0o600)
        for work in (ledger.entries, lambda: ledger.spend(b"new", {}), lambda: ledger.digest(b"new")):
            with pytest.raises(InputError, match=said) as error:
                work()
            assert "--ledger" in str(error.value) and "back" in str(error.value), "what to do"

    secret = json.loads(key)["key"]
    refused("key must be a complete key file; got 0 bytes", key_file=b"")
    refused("key must be a complete key file; got 31 bytes", key_file=key[:31])
    refused("key must be a complete key file", key_file=key.replace(secret.encode(), secret[2:].encode()))
    refused("key must be this ledger's key; got another key", key_file=bytes(32))
    refused("key file must be as new as its ledger; got an older copy", key_file=bytes.fromhex(secret))
    refused("The ledger must have its key next to it; got none", key_file=None)
    refused("The key must have its ledger next to it; got none", held_file=None)
    refused("The ledger must be a file made by this program", held_file="")
    entries = held["entries"]
    for changed, place in (
        (entries[1:], 1),
        ([entries[0], entries[2]], 2),
        ([entries[1], entries[0], entries[2]], 1),
        ([entries[0], {**entries[1], "epsilon": 0.1}, entries[2]], 2),
        ([*entries[:2], {"data": entries[2]["data"], "when": entries[2]["when"]}], 3),
    ):
        for told in (held, {**held, "format": 1}, {**held, "format": 2}):
            said = f"must link to the previous one; got entry {place}"
            refused(said, held_file=json.dumps({**told, "entries": changed}))
    for kept in (entries[:2], entries[:1], []):
        for told in (held, {**held, "format": 1}, {"format": 1}):
            bare = [{name: value for name, value in entry.items() if name != "link"} for entry in kept]
            changed = kept if "key" in told else bare
            said = f"must have the 3 entries that its key counts; got {len(kept)}"
            refused(said, held_file=json.dumps({**told, "entries": changed}))
    refused("made by this program", held_file="[" * 100_000)
    refused("made by this program", held_file=json.dumps({**held, "entries": "three"}))
    for path, content in ((ledger.path, text.encode()), (ledger.key_path, key)):
        path.write_bytes(content)
    assert ledger.spend(b"d", {}).of_these_data == 1 and len(ledger.entries()) == 4


def test_a_ledger_of_before_is_taken_over_unless_its_key_is_empty(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "spent.json")
    ledger.spend(b"a", {"epsilon": 1.0})
    old = [{name: value for name, value in entry.items() if name != "link"} for entry in ledger.entries()]
    ledger.path.write_text(json.dumps({"format": 1, "entries": old}))
    ledger.key_path.write_bytes(bytes.fromhex(json.loads(ledger.key_path.read_text())["key"]))
    with pytest.raises(InputError, match="Data must be released only once"):
        ledger.spend(b"a", {})
    ledger.spend(b"b", {})
    assert [set(entry) for entry in ledger.entries()] == [{"data", "when", "epsilon", "link"}, {"data", "when", "link"}]
    assert "not known" in ledger.notices[0]
    ledger.key_path.write_bytes(b"")
    with pytest.raises(InputError, match="must be a complete key file; got 0 bytes"):
        ledger.spend(b"c", {})


def test_a_ledger_without_entries_and_key_is_begun_again(tmp_path: Path) -> None:
    """That is what a kill between the two leaves; nothing was spent yet."""
    ledger = Ledger(tmp_path / "spent.json")
    ledger.digest(b"x")
    ledger.key_path.unlink()
    assert ledger.spend(b"x", {}).of_these_data == 1 and len(ledger.entries()) == 1


def test_two_releases_into_one_folder_at_once_make_one(tmp_path: Path) -> None:
    """Anyone who comes second is refused before a budget is spent, and nothing is replaced."""
    ledger, folder, inside = Ledger(tmp_path / "spent.json"), tmp_path / "out", threading.Event()
    done = threading.Event()
    real = ledger.spend

    def slow(*given: Any, **named: Any) -> int:
        inside.set()
        assert done.wait(60)
        return real(*given, **named)

    ledger.spend = slow  # type: ignore[method-assign]
    first = threading.Thread(target=release_track, args=(sample("bob"), BOB, folder, ledger))
    first.start()
    try:
        assert inside.wait(60)
        with pytest.raises(
            InputError, match="must be used by one release at a time; got a folder that another release"
        ):
            release_track(sample("commuter"), BOB, folder, Ledger(tmp_path / "other.json"))
    finally:
        done.set()
        first.join()
    assert sorted(path.name for path in folder.iterdir()) == ["guarantee.html", "guarantee.json", "release.csv"]
    assert json.loads((folder / "guarantee.json").read_text())["timestamps"] == 8
    assert not (tmp_path / "other.json").exists(), "nothing was spent on the second"


def test_a_name_that_is_taken_meanwhile_is_not_taken_over(tmp_path: Path) -> None:
    said = r"must not contain a release yet; got release\.csv.*counts this release as spent"
    unfinished = Ledger(tmp_path / "spent.json").unfinished
    with files.reserved(tmp_path / "out", {"guarantee.json": 9, "release.csv": 9}, unfinished) as publish:
        (tmp_path / "out" / "release.csv").write_text("another")
        with pytest.raises(InputError, match=said):
            publish({"release.csv": "mine"})
    assert (tmp_path / "out" / "release.csv").read_text() == "another"


def test_a_disk_without_hard_links_gets_its_files_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    release_track(sample("bob"), BOB, tmp_path / "out", Ledger(tmp_path / "spent.json"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "guarantee.html",
        "guarantee.json",
        "release.csv",
    ]
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in (tmp_path / "out").iterdir())

"""Runs of a study: bits do not depend on workers, a killed run loses no finished part, memory stays flat."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas
import psutil
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.study import Study
from lmdk_widgets.study.parts import MANIFEST, Directory, Memory, Part
from lmdk_widgets.study.run import complete
from tests.study.walks import ROOT, hear_ctrl_c, same_bits, short, study

pytest.importorskip("pyarrow", reason='results are kept by pyarrow: pip install "lmdk-widgets[study]"')
pytest.importorskip("joblib", reason='several processes are run by joblib: pip install "lmdk-widgets[study]"')


@pytest.fixture(scope="module")
def expected() -> pandas.DataFrame:
    """The results of one process, kept in memory."""
    return study().run(None, jobs=1)


@pytest.mark.nightly
@pytest.mark.slow
def test_one_process_and_two_give_the_same_bits(expected: pandas.DataFrame, tmp_path: Path) -> None:
    assert study().parts == 5 and expected.mean_error_m.notna().all()
    two = study().run(tmp_path / "two", jobs=2)
    assert same_bits(two, expected)
    assert same_bits(two, pandas.read_parquet(tmp_path / "two").sort_values("evaluation", ignore_index=True))
    assert isinstance(two.scheme.dtype, pandas.CategoricalDtype)


RUN = """
    import sys
    sys.path[:0] = {path!r}
    from tests.study.walks import study
    study().run({directory!r}, jobs={jobs})
"""


def started(directory: Path, jobs: int) -> subprocess.Popen:
    """A run in a process of its own, with children that die with its group."""
    program = textwrap.dedent(RUN.format(path=[str(ROOT)], directory=str(directory), jobs=jobs))
    more = {"start_new_session": True, "stderr": subprocess.PIPE, "text": True, "preexec_fn": hear_ctrl_c}
    return subprocess.Popen([sys.executable, "-c", program], **more)


def wait_for_parts(directory: Path, count: int, process: subprocess.Popen) -> None:
    end = time.monotonic() + 120
    while len(list(directory.glob("part-*.parquet"))) < count:
        assert time.monotonic() < end and process.poll() is None, process.communicate()[1]
        time.sleep(0.01)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("how", "jobs"), [(signal.SIGKILL, 2), (signal.SIGINT, 1)], ids=["killed", "Ctrl+C"])
def test_a_run_that_was_stopped_goes_on(how: int, jobs: int, expected: pandas.DataFrame, tmp_path: Path) -> None:
    process = started(tmp_path, jobs)
    wait_for_parts(tmp_path, 2, process)
    os.kill(process.pid, how)
    process.wait(60)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # workers whose parent was killed
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("part-*.parquet")}
    assert 2 <= len(before) < study().parts
    (tmp_path / ".part-00000004.parquet.1.tmp").write_bytes(b"PAR1 cut off")
    assert same_bits(study().run(tmp_path, jobs=1), expected)
    after = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("part-*.parquet")}
    assert len(after) == study().parts and before.items() <= after.items(), "a finished part was computed again"
    assert not list(tmp_path.glob(".*.tmp"))


def _is_worker(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):  # one that ended is a zombie, and has no command
        return "LokyProcess" in " ".join(process.cmdline())
    return False


@pytest.mark.nightly
@pytest.mark.slow
def test_a_killed_worker_is_told_and_costs_no_finished_part(expected: pandas.DataFrame, tmp_path: Path) -> None:
    class Watched(Directory):
        def put(self, part: int, found: Part) -> None:
            super().put(part, found)
            workers = [one for one in psutil.Process().children() if _is_worker(one)]
            workers[0].kill()

    with pytest.raises(InputError, match=r"one was killed\. Perhaps memory ran out"):
        complete(study(), Watched(tmp_path, study()), jobs=2)
    assert 1 <= len(list(tmp_path.glob("part-*.parquet"))) < study().parts
    assert same_bits(study().run(tmp_path, jobs=2), expected)


def small(**changes: object) -> Study:
    return Study({"walk": short(9)}, {"epsilon": [1, 2], **changes})


def test_a_directory_holds_one_study(tmp_path: Path) -> None:
    first = small().run(tmp_path, jobs=1)
    assert same_bits(small().run(tmp_path, jobs=1), first)
    with pytest.raises(InputError, match="must contain the same study; got a study that differs in its grid"):
        small(radius_m=100).run(tmp_path, jobs=1)
    with pytest.raises(InputError, match="differs in its tracks"):
        Study({"walk": short(8)}, {"epsilon": [1, 2]}).run(tmp_path, jobs=1)
    other = small(radius_m=100).run(tmp_path, jobs=1, resume=False)
    assert len(other) == 2 and same_bits(pandas.read_parquet(tmp_path), other)
    for damaged in ("[", "[" * 100_000, "5", "null"):
        (tmp_path / MANIFEST).write_text(damaged)
        with pytest.raises(InputError, match="the same study"):
            small(radius_m=100).run(tmp_path, jobs=1)
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(InputError, match="must be empty or contain a study"):
        small().run(tmp_path, jobs=1)
    with pytest.raises(InputError, match="one that can be written to"):
        small().run(tmp_path / "part-00000000.parquet", jobs=1)


def test_missing_numbers_are_kept_as_such(tmp_path: Path) -> None:
    some = Study({"walk": short(5)}, {"scheme": ["window", "skip"], "window": [3, 9], "share": 1.0})
    frame = some.run(tmp_path, jobs=1)
    assert frame.mean_error_m.isna().tolist() == [False, True, True, True]
    assert same_bits(frame, some.run(None, jobs=1)) and pandas.read_parquet(tmp_path).refused.iloc[1].startswith(
        "Window"
    )


def test_a_directory_tells_no_coordinate(tmp_path: Path) -> None:
    small().run(tmp_path, jobs=1)
    text = (tmp_path / MANIFEST).read_text()
    assert "48.8" not in text and json.loads(text)["tracks"]["walk"]["timestamps"] == 9


def parted() -> Study:
    """A small study of three parts: of four, four and two evaluations."""
    found = Study({"walk": short(5)}, {"epsilon": [1, 2]}, repetitions=5)
    found.__dict__["rows_a_part"] = 4
    return found


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """One bit in the middle of the numbers; Parquet readers do not notice."""
    at = len(content) // 3
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def shortened(content: bytes) -> bytes:
    """A valid file with a row less."""
    frame = pandas.read_parquet(io.BytesIO(content))
    return frame.iloc[:-1].to_parquet(engine="pyarrow", index=False)


def another(content: bytes) -> bytes:
    """A valid file with other numbers."""
    frame = pandas.read_parquet(io.BytesIO(content))
    return frame.assign(mean_error_m=0.0).to_parquet(engine="pyarrow", index=False)


@pytest.mark.parametrize("damage", [cut, flipped, shortened, another, lambda _: b"", lambda _: b"PAR1"])
def test_damaged_parts_are_computed_again_and_named(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    first = parted().run(tmp_path, jobs=1)
    assert parted().parts == 3
    part = tmp_path / "part-00000001.parquet"
    whole = part.read_bytes()
    part.write_bytes(damage(whole))
    with pytest.warns(
        UserWarning, match=r"^1 part was not as it was written, and is computed again: part-00000001.parquet \("
    ):
        second = parted().run(tmp_path, jobs=1)
    assert same_bits(first, second) and part.read_bytes() == whole
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same_bits(parted().run(tmp_path, jobs=1), first)


def test_parts_that_are_damaged_during_the_run_are_computed_again(tmp_path: Path) -> None:
    """All are verified at the end; a disk that loses each of them ends in a sentence."""
    times = 1

    class Losing(Directory):
        def put(self, part: int, found: Part) -> None:
            nonlocal times
            super().put(part, found)
            if part == 1 and times:
                times -= 1
                (self.path / self._name(part)).write_bytes(b"")

    keeper = Losing(tmp_path, parted())
    complete(parted(), keeper, jobs=1)
    assert keeper.damaged == {"part-00000001.parquet": "empty"} and keeper.done() == {0, 1, 2}
    times = 99
    with pytest.raises(InputError, match="must keep what is written to it; got 1 damaged part"):
        complete(parted(), Losing(tmp_path, parted(), resume=False), jobs=1)


def test_the_command_names_damaged_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lmdk_widgets.study.plan.ROWS", 4)
    file = tmp_path / "walk.toml"
    file.write_text('tracks = ["bob"]\nrepetitions = 5\n[grid]\nepsilon = [1, 2]\n')
    call = ["study", str(file), "--jobs", "1", "--output", str(tmp_path / "out")]
    assert cli.main(call) == 0
    for name, content in (("0", b""), ("2", b"PAR1")):
        (tmp_path / "out" / f"part-0000000{name}.parquet").write_bytes(content)
    capsys.readouterr()
    assert cli.main([*call, "--resume"]) == 0
    found = capsys.readouterr()
    said = "2 parts were not as they were written, and are computed again: part-00000000.parquet (empty), "
    assert f"{said}part-00000002.parquet (changed)." in found.err and "4 of them already done" in found.err
    assert "Saved 10 evaluations" in found.out
    for stray in ("part-x.parquet", "part-00000009.parquet", "part-00000001 (copy).parquet", "results.parquet"):
        (tmp_path / "out" / stray).write_bytes(b"PAR1")
        assert cli.main([*call, "--resume"]) == 2
        assert (
            f"must contain no Parquet files but the parts of this study; got {stray}. Move" in capsys.readouterr().err
        )
        (tmp_path / "out" / stray).unlink()
    assert cli.main([*call, "--resume"]) == 0


def test_a_digest_that_was_cut_off_costs_one_part(tmp_path: Path) -> None:
    first = parted().run(tmp_path, jobs=1)
    digests = tmp_path / "_parts.txt"
    digests.write_bytes(digests.read_bytes()[:-9])
    with pytest.warns(UserWarning, match=r"part-00000002.parquet \(without a digest\)"):
        assert same_bits(parted().run(tmp_path, jobs=1), first)
    assert same_bits(parted().run(tmp_path, jobs=1), first)
    digests.unlink()
    with pytest.warns(UserWarning, match=r"^3 parts were not"):
        assert same_bits(parted().run(tmp_path, jobs=1), first)


@pytest.mark.long
def test_a_run_that_is_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    """Killed before each call in turn that writes, forces or renames; every part is then whole or computed again."""
    program = f"""
        import os, signal, sys
        sys.path[:0] = [{str(ROOT)!r}]
        from pathlib import Path
        from tests.study.test_study_run import parted
        parted().run(None, jobs=1)
        for k in range(1, 60):
            child = os.fork()
            if not child:
                seen = 0
                def counting(real):
                    def call(*given, **named):
                        global seen
                        seen += 1
                        if seen == k:
                            os.kill(os.getpid(), signal.SIGKILL)
                        return real(*given, **named)
                    return call
                os.fsync, os.replace = counting(os.fsync), counting(os.replace)
                Path.replace = counting(Path.replace)
                parted().run(Path({str(tmp_path)!r}) / str(k), jobs=1)
                os._exit(0)
            if os.WIFEXITED(os.waitpid(child, 0)[1]):
                break
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected, killed = parted().run(None, jobs=1), sorted(tmp_path.iterdir())
    assert len(killed) > 10
    for directory in killed:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert same_bits(parted().run(directory, jobs=1), expected)
        assert not list(directory.glob(".*"))


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="must have room for the results; got No space left on device"):
        small().run(tmp_path, jobs=1)


@pytest.mark.nightly
def test_memory_does_not_grow_with_the_number_of_evaluations(tmp_path: Path) -> None:
    many = Study("bob", {"scheme": ["uniform", "adaptive"], "epsilon": [0.5, 1]}, repetitions=750)
    process, sizes = psutil.Process(), []

    class Watched(Directory):
        def put(self, part: int, found) -> None:
            super().put(part, found)
            sizes.append(process.memory_info().rss)

    complete(many, Watched(tmp_path, many), jobs=1)
    assert len(sizes) == 6 and max(sizes) - sizes[1] < 8e6


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in ("study.parts", "population.spread"):
        monkeypatch.setattr(f"lmdk_widgets.{module}.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"need pyarrow\. Install .*lmdk-widgets\[study\]"):
        small().run(tmp_path, jobs=1)
    with pytest.raises(InputError, match=r"joblib.*lmdk-widgets\[study\]"):
        Study({"walk": short(9)}, {}, repetitions=501).run(None, jobs=2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"distributed.*lmdk-widgets\[dask\]"):
        small().run(None, dask="tcp://127.0.0.1:1")
    assert len(small().run(None, jobs=1)) == 2  # neither is needed for one process in memory


def test_processor_time_is_counted() -> None:
    keeper = Memory()
    busy_s = complete(small(), keeper, jobs=1)
    assert 0 < busy_s < 60 and np.isfinite(keeper.get(0).values).all()

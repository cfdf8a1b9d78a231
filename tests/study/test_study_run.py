"""Runs of a study: bits do not depend on workers, a killed run loses no finished part, memory stays flat."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas
import psutil
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.study import Study
from lmdk_widgets.study.run import MANIFEST, Directory, Memory, Part, complete
from tests.study.walks import ROOT, same_bits, short, study

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
    return subprocess.Popen([sys.executable, "-c", program], start_new_session=True, stderr=subprocess.PIPE, text=True)


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
    (tmp_path / MANIFEST).write_text("[")
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


def test_a_part_that_was_spoilt_is_named(tmp_path: Path) -> None:
    small().run(tmp_path, jobs=1)
    (tmp_path / "part-00000000.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"must not be changed; got part-00000000.parquet\. Remove it"):
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
    monkeypatch.setattr("lmdk_widgets.study.run.find_spec", lambda name: None)
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

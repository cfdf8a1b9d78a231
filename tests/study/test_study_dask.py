"""A study on a Dask cluster: a real scheduler and two workers, one of them killed in the middle; nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.study.parts import Directory, Part
from lmdk_widgets.study.run import complete
from tests.study.walks import ROOT, same_bits, study

pytest.importorskip("distributed", reason='clusters need distributed: pip install "lmdk-widgets[dask]"')
pytestmark = pytest.mark.slow


class Cluster:
    """A scheduler with two workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.variables = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "0"}
        self.folder = folder
        self.processes: list[subprocess.Popen] = []
        self.scheduler = self.start("scheduler", "--port", "0", "--no-dashboard", "--no-show", "--host", "127.0.0.1")
        self.workers = [self.start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]

    def start(self, what: str, *options: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(self.file), *options]
        log = (self.folder / f"{what}{len(self.processes)}.log").open("w")
        made = subprocess.Popen(command, env=self.variables, cwd=self.folder, stdout=log, stderr=log)
        self.processes.append(made)
        return made

    def address(self) -> str:
        from distributed import Client

        end = time.monotonic() + 60
        while not self.file.is_file():
            assert time.monotonic() < end
            time.sleep(0.05)
        with Client(scheduler_file=str(self.file), timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            return client.scheduler.address

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait(10)


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()


@pytest.mark.nightly
def test_a_killed_worker_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    address, wanted = cluster.address(), study()
    killed: list[int] = []

    class Watched(Directory):
        def put(self, part: int, found: Part) -> None:
            super().put(part, found)
            if not killed:
                killed.append(part)
                cluster.workers[0].kill()

    keeper = Watched(tmp_path, wanted)
    assert wanted.parts == 5
    complete(wanted, keeper, dask=address)
    assert killed and cluster.workers[0].wait(10) and cluster.workers[1].poll() is None
    assert keeper.done() == set(range(wanted.parts))
    assert same_bits(wanted.run(tmp_path, jobs=1), wanted.run(None, jobs=1))


def test_an_address_without_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.population.spread.CONNECT_S", 0.5)
    with pytest.raises(InputError, match="must be that of a running scheduler.*got tcp://127.0.0.1:9"):
        study().run(None, dask="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="running scheduler"):
        study().run(None, dask="nonsense://x")

"""Kernels are forked from a process that has imported what they need; where it ends, another one is started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from lmdk_widgets.hosts.serving.forked import HERE, Forked, Nursery
from lmdk_widgets.hosts.serving.nursery import CLASS

from lmdk_widgets.geoind.simplex import compiling
from tests.hosts.serving.conftest import MakeNotebook
from tests.hosts.serving.test_sessions import asyncio_run
from tests.hosts.serving.visits import fetch
from tests.server import PATIENCE_S, serve, until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not HERE, reason="kernels are forked on Linux only")]

DRAWN = """
import json, os, random, tempfile, uuid
import numpy
drawn = [random.random(), numpy.random.default_rng().random(), str(uuid.uuid4()), next(tempfile._get_candidate_names())]
with open(f"{os.getpid()}.json", "w") as file:
    json.dump({"drawn": drawn}, file)
"""


def test_kernels_are_forked_share_memory_and_draw_nothing_alike(notebook: MakeNotebook) -> None:
    with serve(notebook(DRAWN)) as address:
        found = [fetch(address).kernel for _ in range(3)]
        kernels = [address.kernel(each) for each in found]
        (nursery,) = {kernel.ppid() for kernel in kernels}
        assert psutil.Process(nursery).ppid() == address.process.pid
        assert len({os.getpgid(kernel.pid) for kernel in kernels} | {os.getpgid(nursery), os.getpgid(0)}) == 5
        drawn = [address.told(each)["drawn"] for each in found]
        assert all(len(set(values)) == 3 for values in zip(*drawn, strict=True))
        memory = kernels[0].memory_full_info()
        assert memory.pss < 0.8 * memory.rss


LOADED = """
import json, os, sys, threading
from lmdk_widgets.geoind.simplex import compiling
told = {"before": "numba" in sys.modules, "ready": compiling.ready(wait=True)}
from lmdk_widgets.geoind.simplex.engine import run_all
run_all()
with open(f"{os.getpid()}.json", "w") as file:
    json.dump(told, file)
"""


@pytest.mark.nightly
def test_many_open_pages_are_a_class_whose_kernels_have_machine_code(notebook: MakeNotebook) -> None:
    compiling.load()  # compiled, where it was not
    with serve(notebook(LOADED)) as address:
        first = fetch(address).kernel
        assert address.told(first) == {"before": False, "ready": True}
        nursery = Path(f"/proc/{address.kernel(first).ppid()}")
        for _ in range(CLASS - 1):
            fetch(address)
        until(lambda: (None, "llvmlite" in (nursery / "maps").read_text()), "the nursery to load it", PATIENCE_S)
        assert address.told(fetch(address).kernel)["before"]
        assert len(list((nursery / "task").iterdir())) == 1, "a fork takes no threads along"


@pytest.mark.nightly
def test_a_nursery_that_ended_is_told_and_another_one_is_started(widgets_notebook: Path) -> None:
    with serve(widgets_notebook) as address:
        for count in (1, 2, 3):
            first = address.kernel(fetch(address).kernel)
            nursery = first.ppid()
            os.kill(nursery, signal.SIGKILL)
            until(lambda: (None, not first.is_running()), "the kernel to miss its parent", PATIENCE_S)  # noqa: B023
            other = address.kernel(fetch(address).kernel)
            assert other.ppid() not in {nursery, address.process.pid}
            assert address.output().count("has ended: another one is started") == count
        os.kill(other.ppid(), signal.SIGKILL)
        for _ in range(2):
            answer = fetch(address)
            assert answer.status == 200 and address.kernel(answer.kernel).ppid() == address.process.pid
        assert address.output().count("has ended: each starts by itself") == 1


def test_the_nursery_ends_with_its_channel() -> None:
    nursery = Nursery()
    nursery._channel.close()
    assert nursery.process.wait(PATIENCE_S) == 0


def test_a_nursery_that_is_gone_is_an_error_of_the_connection() -> None:
    nursery = Nursery()
    nursery.process.kill()
    nursery.process.wait()
    with pytest.raises(ConnectionError):
        asyncio_run(nursery.kernel(["x"], {}, "/"))
    nursery._channel.close()


def test_a_process_of_somebody_else_is_looked_after_like_ones_own() -> None:
    own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    watched = Forked(own.pid)
    assert watched.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        watched.wait(0.01)
    watched.terminate()
    assert watched.wait(PATIENCE_S) == 0 == watched.poll() and own.wait() == -signal.SIGTERM
    watched.kill()  # nobody is hit

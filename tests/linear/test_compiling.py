"""Who compiles the simplex and when, where it is kept, and what is said where it cannot be."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver
from lmdk_widgets.linear import compiling, jit
from tests.geoind.places import distances, grid, uniform
from tests.server import until


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a kernel that has not solved yet."""
    monkeypatch.setattr(compiling, "_begun", [])
    monkeypatch.setattr(compiling, "_compiling", Event())


@pytest.mark.usefixtures("fresh")
def test_highs_answers_while_it_is_being_compiled_and_then_the_simplex(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Event()

    def load() -> None:
        compiling._compiling.set()
        compiled.wait(60)

    monkeypatch.setattr(compiling, "load", load)
    apart, prior = distances(grid(5)), np.random.default_rng(1).dirichlet(np.ones(25))
    first, *_ = states = list(Solver(apart).improve(prior, 1.0))
    assert states[-1].channel.method == "highs" and states[-1].gap <= 1e-6
    assert first.notice == "Compiling the fast solver; a slower one is used until it is ready."
    solving = Solver(apart).improve(prior, 1.0)
    next(solving)
    compiled.set()
    assert compiling.ready(wait=True) and not compiling.notice()
    *_, last = solving
    assert last.channel.method == "simplex" and last.channel.quality_loss == pytest.approx(
        states[-1].channel.quality_loss, abs=1e-6
    )


@pytest.mark.machine_code
@pytest.mark.usefixtures("fresh")
def test_where_it_cannot_be_had_the_page_says_why_and_highs_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "folder", lambda: None)
    assert not compiling.ready(wait=True)
    assert "cannot be stored, either in the package folder or in the user's cache folder" in compiling.notice()
    *_, last = Solver(distances(grid(3))).improve(uniform(9), 1.0)
    assert last.channel.method == "highs" and last.channel.quality_loss == pytest.approx(0.8839396463, abs=1e-6)


@pytest.mark.machine_code
@pytest.mark.usefixtures("fresh")
def test_many_kernels_compile_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = []

    def compile_it(_: int) -> None:
        time.sleep(0.2)
        made.append(1)
        (tmp_path / jit.READY).touch()

    monkeypatch.setattr(jit, "folder", lambda: tmp_path)
    monkeypatch.setattr(compiling, "_compile", compile_it)
    kernels = [Thread(target=compiling.load) for _ in range(8)]
    for each in kernels:
        each.start()
    for each in kernels:
        each.join()
    assert made == [1]


HELD = """
import sys
from pathlib import Path
from lmdk_widgets.linear import compiling
sys.executable, file = sys.argv[1:]
with compiling._locked(Path(file)) as held:
    compiling._compile(held)
"""


@pytest.mark.skipif(compiling._LOCKS is None, reason="this system has no such locks")
def test_who_is_killed_leaves_no_second_compiler_beside_the_first(tmp_path: Path) -> None:
    """Compiling goes on without who began it, and nobody else begins meanwhile."""
    compiler, lock, begun = tmp_path / "slow", tmp_path / "lock", tmp_path / "begun"
    compiler.write_text(f"#!/bin/sh\ntouch {begun}\nsleep 5\n")
    compiler.chmod(0o755)
    with subprocess.Popen([sys.executable, "-c", HELD, compiler, lock]) as kernel:
        until(lambda: ("", begun.exists()), "the compiler")
        kernel.kill()
    with lock.open("w") as file, pytest.raises(BlockingIOError):
        compiling._LOCKS.flock(file, compiling._LOCKS.LOCK_EX | compiling._LOCKS.LOCK_NB)


@pytest.mark.usefixtures("fresh")
def test_a_compiler_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(jit, "folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "executable", "/bin/false" if Path("/bin/false").exists() else "no such program")
    assert not compiling.ready(wait=True)
    assert "a slower one is used" in compiling.notice() and not (tmp_path / jit.READY).exists()


def test_the_folder_is_named_by_the_sources_and_one_that_cannot_be_written_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in jit.COMPILED:
        (tmp_path / f"{name}.py").write_text("one")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))
    monkeypatch.setattr(jit, "_user_cache", lambda: tmp_path / "user")
    found = jit.folder.__wrapped__()
    assert found is not None and found.parent == tmp_path / "__pycache__"
    (tmp_path / "pricing.py").write_text("two")
    other = jit.folder.__wrapped__()
    assert other is not None and other != found and other.parent == found.parent
    for folder in ("__pycache__", "user"):
        if (tmp_path / folder).exists():
            (tmp_path / folder).rename(tmp_path / f"moved {folder}")
        (tmp_path / folder).write_text("no folder")
        found = jit.folder.__wrapped__()
        assert (found is None) == (folder == "user")


def test_a_solve_waits_for_what_is_on_disk_but_not_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    loading: Future[None] = Future()
    monkeypatch.setattr(compiling, "_begun", [loading])
    Thread(target=lambda: (time.sleep(0.1), loading.set_result(None))).start()
    assert compiling.ready()
    monkeypatch.setattr(compiling, "_begun", [Future()])
    compiling._compiling.set()
    try:
        assert not compiling.ready()
    finally:
        compiling._compiling.clear()


@pytest.mark.slow
def test_a_process_that_ends_while_it_loads_ends_well() -> None:
    code = "from lmdk_widgets.linear import compiling; import time; compiling.start(); time.sleep({})"
    for pause in (0.0, 0.1, 0.3):
        done = subprocess.run([sys.executable, "-c", code.format(pause)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr


def test_the_digest_covers_every_module_that_is_compiled() -> None:
    here = Path(jit.__file__).parent
    marks = re.compile(r"^@(compiled|entry)$|^def solve\(", re.M)  # a module of plain functions is compiled as a whole
    compiled = {path.stem for path in here.glob("*.py") if marks.search(path.read_text())}
    imported = {
        name for each in compiled for name in re.findall(r"linear\.(\w+) import", (here / f"{each}.py").read_text())
    }
    assert compiled | imported == set(jit.COMPILED)

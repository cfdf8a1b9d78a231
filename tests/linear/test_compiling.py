"""Who compiles the simplex and when, where it is kept, and what is said where it cannot be."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver
from lmdk_widgets.linear import compiling, jit, stored
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


TURN = """
import sys, time
from pathlib import Path
from lmdk_widgets.linear import compiling, engine, jit
folder = Path(sys.argv[1])
def compile_all():
    with (folder / "compiled").open("a") as told:
        told.write("once ")
    time.sleep(0.3)
    (folder / jit.READY).touch()
engine.compile_all, jit.folder = compile_all, lambda: folder
(folder / sys.argv[2]).touch()
while not all((folder / name).exists() for name in ("first", "second")):
    time.sleep(0.01)
compiling.main([])
"""


@pytest.mark.long
@pytest.mark.machine_code
@pytest.mark.skipif(compiling._LOCKS is None, reason="this system has no such locks")
def test_two_servers_that_start_together_compile_once(tmp_path: Path) -> None:
    servers = [subprocess.Popen([sys.executable, "-c", TURN, tmp_path, name]) for name in ("first", "second")]
    assert [server.wait(60) for server in servers] == [0, 0]
    assert (tmp_path / "compiled").read_text() == "once "


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Instead of Python, a program that writes its arguments into a file; and no machine code is stored."""
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/told\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(stored, "parents", lambda: iter([tmp_path / "stored"]))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    return tmp_path / "told"


@pytest.mark.skipif(sys.platform == "win32", reason="a script of a shell")
def test_a_server_has_it_compiled_beside_itself_unless_it_is_there(
    python: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numba")
    from lmdk_widgets.hosts.serving import launch

    launch._announced("", False, python.parent, "")
    assert capsys.readouterr().out == f"{launch.COMPILING}\n" and launch.COMPILING.startswith("The fast solver")
    assert compiling._background.pop().wait(60) == 0
    assert python.read_text().split() == ["-P", "-m", "lmdk_widgets.linear.compiling", compiling.BACKGROUND]
    python.unlink()
    (python.parent / "stored" / "simplex-1").mkdir(parents=True)
    (python.parent / "stored" / "simplex-1" / jit.READY).touch()
    launch._announced("", False, python.parent, "")
    monkeypatch.setattr(stored, "parents", lambda: iter([]))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    launch._announced("", False, python.parent, "")
    assert capsys.readouterr().out == "" and not compiling._background and not python.exists()


def test_machine_code_older_than_its_source_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "parents", lambda: iter([tmp_path]))
    assert not stored.seems_ready()
    (tmp_path / "simplex-1").mkdir()
    ready = tmp_path / "simplex-1" / jit.READY
    ready.touch()
    assert stored.seems_ready()
    os.utime(ready, (0, 0))
    assert not stored.seems_ready()


def test_it_compiles_at_a_low_priority_while_somebody_else_holds_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    monkeypatch.setattr(os, "nice", done.append, raising=False)
    monkeypatch.setattr("lmdk_widgets.linear.engine.compile_all", lambda: done.append("compiled"))
    compiling.main(compiling._program(compiling.BACKGROUND, compiling.HELD))
    assert done == [10, "compiled"]


def test_a_first_start_waits_for_no_compiler() -> None:
    """`make explore` installs; tests, documents and benchmarks wait until what users run later is there."""
    text = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    rules = dict(re.findall(r"^\$\(VENV\)/\.(\w+):.*\n((?:\t.*\n)+)", text, re.M))
    assert {name for name, rule in rules.items() if "call compiled" in rule} == {"test", "check", "docs", "bench"}
    assert "simplex.engine" not in rules["explore"] and rules.keys() == {"explore", "test", "check", "docs", "bench"}
    said = [line.split()[0] for line in re.findall(r'^\t?@echo "(.*)"$', text, re.M)]
    assert said == ["The", "Creating", "$(INSTALLING)", "Translating", "$(INSTALLING)"], "one line a step"


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
    monkeypatch.setattr(stored, "HERE", tmp_path)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _: tmp_path / "user")
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

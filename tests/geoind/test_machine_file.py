"""Where machine code is kept, and who makes it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from time import sleep

import platformdirs
import pytest

from lmdk_widgets.geoind.machine import background, compiled, kept

posix = pytest.mark.skipif(os.name != "posix", reason="needs owners of folders, and a shell")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The files that were made; folders for them, of which the first is beside the compiled Python."""
    files: list[Path] = []

    def build(file: Path, _: Path) -> None:
        files.append(file)
        kept.write(file, b"code")

    monkeypatch.setattr(kept, "_build", build)
    monkeypatch.setattr(kept, "version", lambda _: "1")
    monkeypatch.setattr(kept, "cache_from_source", lambda _: str(tmp_path / "beside" / "kept.pyc"))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "user")
    monkeypatch.setattr(kept, "_WAIT_S", 0.01)
    return files


def test_it_is_made_once_for_a_machine_and_kept_beside_the_compiled_python(made: list[Path], tmp_path: Path) -> None:
    assert kept.kept("here") == kept.kept("here") == b"code"
    assert [file.parent for file in made] == [tmp_path / "beside"]
    kept.kept("on another machine")
    assert len(set(made)) == 2
    assert not list(tmp_path.rglob("*.making"))


def test_where_that_cannot_be_written_it_is_kept_for_the_user(made: list[Path], tmp_path: Path) -> None:
    (tmp_path / "beside").write_text("no folder")
    kept.kept("here")
    assert [file.parent for file in made] == [tmp_path / "user"]
    made.clear()
    (tmp_path / "user").rename(tmp_path / "moved")
    (tmp_path / "user").write_text("no folder")
    assert kept.kept("here") == kept.kept("here") == b"code"
    assert len(made) == 2 and not made[0].exists(), "kept nowhere: made again each time"


def test_a_file_that_is_not_whole_is_made_again(made: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "machine.o"
    for rest in (b"", b"short", bytes(32) + b"not what the digest says"):
        file.write_bytes(rest)
        assert kept._made(file) == b"code"
    assert made == [file] * 3


@posix
def test_code_is_not_taken_from_a_folder_that_others_may_write(made: list[Path], tmp_path: Path) -> None:
    (tmp_path / "beside").write_text("no folder")
    (tmp_path / "user").mkdir()
    (tmp_path / "user").chmod(0o777)
    kept.kept("here")
    assert not made[0].is_relative_to(tmp_path) and not list((tmp_path / "user").iterdir())


@posix
def test_who_makes_it_says_so_and_why_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    making = tmp_path / "machine.making"
    making.mkdir()
    os.utime(making, (0, 0))
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nsleep 1.2\necho the reason >&2\nexit 3\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    with pytest.raises(subprocess.CalledProcessError) as raised:
        kept._build(tmp_path / "machine.o", making)
    assert raised.value.__notes__ == ["the reason"]
    assert making.stat().st_mtime > 0


def test_a_kernel_waits_for_another_that_is_making_it(made: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "machine.o"
    making = file.with_suffix(".making")
    making.mkdir()
    read: list[bytes] = []
    waiting = Thread(target=lambda: read.append(kept._made(file)))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive() and not made
    kept.write(file, b"of the other")
    waiting.join(10)
    assert read == [b"of the other"] and not made


def test_one_that_was_stopped_while_making_it_is_not_waited_for(
    made: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_SILENT_S", -1.0)
    file = tmp_path / "machine.o"
    file.with_suffix(".making").mkdir()
    assert kept._made(file) == b"code" and made == [file]
    assert not file.with_suffix(".making").exists()


def test_where_it_cannot_be_made_numpy_goes_on(
    made: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise subprocess.CalledProcessError(1, "build")

    monkeypatch.setattr(kept, "_build", fails)
    with pytest.raises(subprocess.CalledProcessError):
        kept._made(tmp_path / "machine.o")
    assert not list(tmp_path.rglob("*.making"))
    monkeypatch.setattr(compiled, "code", fails)
    monkeypatch.setattr(background, "_begun", [])
    monkeypatch.setattr(background, "find_spec", lambda _: True)
    monkeypatch.delenv("LMDK_MACHINE_CODE")
    assert not background.ready(wait=True)


def test_the_first_solve_waits_for_code_that_is_kept_and_for_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LMDK_MACHINE_CODE")
    monkeypatch.setattr(background, "find_spec", lambda _: True)
    monkeypatch.setattr(background, "_begun", [])
    monkeypatch.setattr(compiled, "code", lambda: sleep(0.05))
    assert background.ready()
    made = Event()
    monkeypatch.setattr(background, "_begun", [])
    monkeypatch.setattr(compiled, "code", made.wait)
    assert not background.ready() and not background.ready()
    made.set()
    assert background.ready(wait=True)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="needs the extra `fast` (Numba)")
def test_a_kernel_that_solves_in_machine_code_never_imports_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LMDK_MACHINE_CODE")
    code = (
        "import sys\nimport numpy as np\nfrom lmdk_widgets.geoind import Solver\n"
        "from lmdk_widgets.geoind.machine.background import ready\n"
        "if ready(wait=True):\n"
        "    line = np.arange(50.0)\n"
        "    Solver(abs(line - line[:, None])).solve(np.full(50, 0.02), 1.0)\n"
        "    print('llvmlite' in sys.modules, 'numba' in sys.modules)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["True", "False"]

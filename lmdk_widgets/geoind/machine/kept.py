"""The object file with the machine code: made once in an installation, in a process of its own, and kept on disk.

It is kept beside the compiled Python of this room or, where that cannot be written, in the user's cache folder; where
neither can be, each kernel has its own made.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory

_SILENT_S = 10.0
"""After which one who makes the file, and says so every second, is taken to have been stopped."""
_WAIT_S = 0.2
_DIGEST = hashlib.sha256


def kept(host: str) -> bytes:
    """The object file for this installation and host, which is made if need be.

    Raises
    ------
    ImportError : Numba is not installed. subprocess.CalledProcessError : the file cannot be made; a note says why.
    """
    asked = _DIGEST(f"{host} {sys.version} {version('numba')} {version('llvmlite')}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        asked.update(source.read_bytes())
    name = f"machine-{asked.hexdigest()[:16]}.o"
    for folder in _folders():
        with suppress(OSError):  # not a folder to write into
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _trusted(folder):
                return _made(folder / name)
    with TemporaryDirectory() as own:
        return _made(Path(own) / name)


def write(file: Path, code: bytes) -> None:
    """Writes the file, whole and at once: others may be waiting for it."""
    beside = file.with_suffix(f".{os.getpid()}")
    beside.write_bytes(_DIGEST(code).digest() + code)
    beside.replace(file)


def _read(file: Path) -> bytes | None:
    """What `write` wrote; None if there is no file, or not the whole of it."""
    try:
        found = file.read_bytes()
    except FileNotFoundError:
        return None
    size = _DIGEST().digest_size
    return found[size:] if _DIGEST(found[size:]).digest() == found[:size] else None


def _folders() -> Iterator[Path]:
    yield Path(cache_from_source(__file__)).parent
    from platformdirs import user_cache_path

    yield user_cache_path("lmdk_widgets")


def _trusted(folder: Path) -> bool:
    """Whether only this user, or the system's, may put code there; a package's own folder is as safe as the package."""
    if folder.name == "__pycache__" or not hasattr(os, "getuid"):
        return True
    there = folder.stat()
    return there.st_uid in (0, os.getuid()) and not there.st_mode & 0o022


def _made(file: Path) -> bytes:
    """Has the file made, unless it is there; where another kernel is making it, waits for that."""
    making = file.with_suffix(".making")
    while (code := _read(file)) is None:
        try:
            making.mkdir()
        except FileExistsError:
            with suppress(FileNotFoundError):  # it was finished just now
                if time.time() - making.stat().st_mtime > _SILENT_S:
                    making.rmdir()
            time.sleep(_WAIT_S)
            continue
        try:
            _build(file, making)
        finally:
            with suppress(FileNotFoundError):
                making.rmdir()
    return code


def _build(file: Path, making: Path) -> None:
    """Runs `build` in a process of its own, and touches `making` as long as it runs."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = (str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", ""))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-P", "-m", "lmdk_widgets.geoind.machine.build", str(file)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE) as child:
        while True:
            with suppress(subprocess.TimeoutExpired):
                _, said = child.communicate(timeout=1)
                break
            with suppress(FileNotFoundError):
                os.utime(making)
    if child.returncode:
        error = subprocess.CalledProcessError(child.returncode, "machine.build", stderr=said)
        error.add_note(said.decode(errors="replace").strip()[-500:])
        raise error

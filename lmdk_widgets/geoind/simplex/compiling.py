"""Machine code is compiled once in an installation, and loaded by each kernel, in the background.

Compiling takes half a minute: `make explore` does it, else a process of its own at the first solve, while HiGHS solves.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

LOAD_S = 5.0
"""Seconds for which a solve waits for machine code that is on disk: it is there in one."""
_begun: list[Future[None]] = []
_compiling = Event()
_elsewhere: list[bool] = []
_not_yet: list[bool] = []
_LOCKS: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None
"""Locks of the system, which end with their process; Windows has others."""


def start() -> None:
    """Begins to load machine code, in a thread; to compile it if need be."""
    if not _begun and not _not_yet:
        _begun.append(Future())
        if importlib.util.find_spec("numba") is None:  # nor are there threads everywhere
            _begun[0].set_exception(ImportError("Numba is not installed"))
        else:
            Thread(target=_prepare, args=(_begun[0],), daemon=True).start()


def on_disk() -> bool:
    """Whether machine code was compiled in this installation, and can be loaded at once. Imports Numba, where it is."""
    if importlib.util.find_spec("numba") is None:
        return False
    from lmdk_widgets.geoind.simplex import jit

    folder = None if jit.CONFIG is None or jit.CONFIG.DISABLE_JIT else jit.folder()
    return folder is not None and (folder / jit.READY).exists()


@contextmanager
def not_yet() -> Iterator[None]:
    """Meanwhile nothing is begun: pages are made that nobody opens."""
    _not_yet.append(True)
    try:
        yield
    finally:
        _not_yet.pop()


@contextmanager
def plain_elsewhere() -> Iterator[None]:
    """Meanwhile it is as if there were plain Python alone: what is computed is recorded for a place where that is so."""
    _elsewhere.append(True)
    try:
        yield
    finally:
        _elsewhere.pop()


def is_plain() -> bool:
    """Whether nothing but plain Python can solve here: neither machine code nor HiGHS is installed, as in a browser."""
    return bool(_elsewhere) or all(importlib.util.find_spec(name) is None for name in ("numba", "highspy"))


def ready(*, wait: bool = False) -> bool:
    """Whether machine code is loaded. Waits while it is being loaded; while it is being compiled only when told to."""
    start()
    waited = 0.0
    while not _begun[0].done() and (wait or (waited < LOAD_S and not _compiling.is_set())):
        wait_for(_begun, timeout=0.02)
        waited += 0.02
    return loaded()


def loaded() -> bool:
    """Whether machine code is loaded, without a wait, and without a start."""
    return bool(_begun) and _begun[0].done() and _begun[0].exception() is None


def notice() -> str:
    """Which solver answers and why, where it is not machine code; else ""."""
    if _begun and _begun[0].done():
        reason = _begun[0].exception()
        return f"The fast solver is not available, a slower one answers: {reason}" if reason else ""
    return "Compiling the fast solver; until then a slower one answers." if _compiling.is_set() else ""


def _prepare(done: Future[None]) -> None:
    try:
        load()
        done.set_result(None)
    except BaseException as reason:  # whatever it is, HiGHS or plain Python goes on; the page says why
        logging.getLogger(__name__).warning("Without the compiled simplex, slower code answers: %s", reason)
        done.set_exception(reason)
    finally:
        _compiling.clear()


def load() -> None:
    """Imports Numba, has machine code compiled where there is none, and loads it.

    Raises
    ------
    ImportError : Numba does not run here. OSError : there is no folder to keep machine code in.
    subprocess.CalledProcessError : it cannot be compiled here.
    """
    from lmdk_widgets.geoind.simplex import jit

    if jit.CONFIG.DISABLE_JIT:
        raise ImportError("NUMBA_DISABLE_JIT is set")
    folder = jit.folder()
    if folder is None:
        raise OSError("machine code cannot be kept, neither beside the package nor in the user's cache folder")
    if not (folder / jit.READY).exists():
        _compiling.set()
        with _locked(folder / "lock") as held:
            if not (folder / jit.READY).exists():  # another kernel may have compiled it while this one waited
                _compile(held)
    from lmdk_widgets.geoind.simplex.engine import run_all

    run_all()


@contextmanager
def _locked(file: Path) -> Iterator[int]:
    """One process at a time, where the system can lock files: 30 kernels must not compile at once."""
    with file.open("w") as held:
        if _LOCKS is not None:
            with suppress(OSError):  # a file system without locks: some compile twice, with the same result
                _LOCKS.flock(held, _LOCKS.LOCK_EX)
        yield held.fileno()


def _compile(held: int) -> None:
    """Runs `engine` in a process of its own: it takes 200 MB that this one would never get back. It holds the
    lock as well, as it may outlive this one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = (str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", ""))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = [sys.executable, "-P", "-m", "lmdk_widgets.geoind.simplex.engine"]
    more: Any = {} if _LOCKS is None else {"pass_fds": (held,)}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        raise OSError(f"it could not be compiled ({done.stderr.strip()[-300:]})")

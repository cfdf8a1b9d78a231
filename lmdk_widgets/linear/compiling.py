"""Machine code is compiled once per installation, and loaded by each kernel in the background.

Compiling takes half a minute of a processor. A separate process of low priority does it, which a server starts with its
first page and a kernel with its first solve; until it ends, HiGHS solves. A lock keeps two of them from compiling at the
same time. `python -m lmdk_widgets.linear.compiling` compiles, and waits for the end.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from lmdk_widgets.errors import LOG, has_highs
from lmdk_widgets.linear import stored

NOWHERE = "machine code cannot be stored, either in the package folder or in the user's cache folder"
LOWER = 10
"""By how much the priority is lowered: beside a busy process it has a tenth of a processor, and ends some time."""
BACKGROUND, HELD = "--background", "--held"
"""Arguments of a process that compiles: at low priority; and while the process that started it holds the lock."""
LOAD_S = 5.0
"""Seconds that a solve waits for machine code on disk, which usually loads in one."""
_begun: list[Future[None]] = []
_compiling = Event()
_elsewhere: list[bool] = []
_not_yet: list[bool] = []
_background: list[subprocess.Popen] = []
_LOW = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)
"""What lowers the priority on Windows; elsewhere the new process does it."""
_LOCKS: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None
"""The system's file locks, which end with their process; Windows does not have them."""


def start() -> None:
    """Start to load machine code in a thread, and to compile it if necessary."""
    if not _begun and not _not_yet:
        _begun.append(Future())
        if importlib.util.find_spec("numba") is None:  # no thread here, as some platforms have none
            _begun[0].set_exception(ImportError("Numba is not installed"))
        else:
            Thread(target=_prepare, args=(_begun[0],), daemon=True).start()


def on_disk() -> bool:
    """Whether machine code is compiled in this installation and can be loaded immediately. Imports Numba if installed."""
    if importlib.util.find_spec("numba") is None:
        return False
    from lmdk_widgets.linear import jit

    folder = None if jit.CONFIG is None or jit.CONFIG.DISABLE_JIT else jit.folder()
    return folder is not None and (folder / jit.READY).exists()


def not_yet() -> AbstractContextManager[None]:
    """Start nothing within this context: pages are made that nobody opens."""
    return _within(_not_yet)


def plain_elsewhere() -> AbstractContextManager[None]:
    """Pretend that only plain Python is available: results are recorded for a place where that is so."""
    return _within(_elsewhere)


@contextmanager
def _within(contexts: list[bool]) -> Iterator[None]:
    contexts.append(True)
    try:
        yield
    finally:
        contexts.pop()


def is_plain() -> bool:
    """Whether only plain Python can solve here: neither Numba nor HiGHS is available."""
    return bool(_elsewhere) or not (importlib.util.find_spec("numba") or has_highs())


def ready(*, wait: bool = False) -> bool:
    """Whether machine code is loaded. Waits while it is loading; while it is compiling, only if `wait` is true."""
    start()
    waited = 0.0
    while not _begun[0].done() and (wait or (waited < LOAD_S and not _compiling.is_set())):
        wait_for(_begun, timeout=0.02)
        waited += 0.02
    return loaded()


def loaded() -> bool:
    """Whether machine code is loaded, without waiting or starting to load it."""
    return bool(_begun) and _begun[0].done() and _begun[0].exception() is None


def notice() -> str:
    """Which solver is used and why, if it is not machine code; otherwise ""."""
    if _begun and _begun[0].done():
        reason = _begun[0].exception()
        return f"The fast solver is not available, so a slower one is used: {reason}" if reason else ""
    return "Compiling the fast solver; a slower one is used until it is ready." if _compiling.is_set() else ""


def _prepare(done: Future[None]) -> None:
    try:
        load()
        done.set_result(None)
    except BaseException as reason:  # whatever it is, HiGHS or plain Python takes over; the page says why
        LOG.warning("The compiled simplex is not available, so slower code is used: %s", reason)
        done.set_exception(reason)
    finally:
        _compiling.clear()


def load() -> None:
    """Import Numba, have machine code compiled if there is none, and load it.

    Raises
    ------
    ImportError : Numba does not run here. OSError : there is no folder to store machine code in, or it cannot be
    compiled here.
    """
    from lmdk_widgets.linear import jit

    if jit.CONFIG.DISABLE_JIT:
        raise ImportError("NUMBA_DISABLE_JIT is set")
    folder = jit.folder()
    if folder is None:
        raise OSError(NOWHERE)
    if not (folder / jit.READY).exists():
        _compiling.set()
        with _locked(folder / "lock") as held:
            if not (folder / jit.READY).exists():  # another kernel may have compiled it while this one waited
                _compile(held)
    from lmdk_widgets.linear.engine import run_all

    run_all()


@contextmanager
def _locked(file: Path) -> Iterator[int]:
    """One process at a time, if the system can lock files: 30 kernels must not compile at the same time."""
    with file.open("w") as held:
        if _LOCKS is not None:
            with suppress(OSError):  # a file system without locks: several may compile, with the same result
                _LOCKS.flock(held, _LOCKS.LOCK_EX)
        yield held.fileno()


def _compile(held: int) -> None:
    """Compile in a separate process, as it needs 200 MB that this one would never release. The new process also holds the
    lock, as it may outlive this one."""
    more: Any = {} if _LOCKS is None else {"pass_fds": (held,)}
    more |= {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run(_program(BACKGROUND, HELD), env=_environment(), creationflags=_LOW, **more)
    if done.returncode:
        raise OSError(f"it could not be compiled ({done.stderr.strip()[-300:]})")


def _program(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "lmdk_widgets.linear.compiling", *arguments]


def _environment() -> dict[str, str]:
    """This process's environment without Numba's settings, and with this package on the path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))
    return environment | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def begin() -> bool:
    """Have machine code compiled by a process of low priority, which goes on when this one ends.

    Returns
    -------
    Whether a process was started: not if machine code is there already, as far as the times of files show it, and not if
    Numba is missing or switched off.
    """
    off = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" or importlib.util.find_spec("numba") is None
    if off or stored.seems_ready():
        return False
    more: Any = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
    more |= {"creationflags": _LOW, "start_new_session": True}  # Ctrl+C is not for it
    _background.append(subprocess.Popen(_program(BACKGROUND), env=_environment(), **more))
    return True


def compile_in_turn() -> None:
    """Compile in this process, unless another one has done so or is doing so: then only wait for its end.

    Raises
    ------
    OSError : there is no folder to store machine code in. ImportError : Numba is not installed.
    """
    from lmdk_widgets.linear import jit

    if jit.CONFIG is None:
        raise ImportError("Numba is not installed")
    folder = jit.folder()
    if folder is None:
        raise OSError(NOWHERE)
    with _locked(folder / "lock"):
        if not (folder / jit.READY).exists():
            from lmdk_widgets.linear.engine import compile_all

            compile_all()


def main(arguments: Sequence[str]) -> None:
    """Compile machine code, as the arguments say."""
    if BACKGROUND in arguments and hasattr(os, "nice"):
        os.nice(LOWER)
    if HELD in arguments:
        from lmdk_widgets.linear.engine import compile_all

        compile_all()
    else:
        compile_in_turn()


if __name__ == "__main__":
    main(sys.argv)

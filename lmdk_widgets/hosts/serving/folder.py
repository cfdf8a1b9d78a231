"""The private folder of a server, which goes when it ends; that of a server that was killed goes when the next one starts."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOCK = "server.lock"
"""File in the private folder of a server that it locks while it runs."""
JUST_MADE_S = 10.0
"""Seconds in which a server that starts may not have locked its folder yet."""


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder that only this user can read, to work in and to be removed in the end."""
    # The name of a Unix socket has 104 bytes at most (macOS) and the temporary folder there takes 50 of them.
    short = tempfile.gettempdir() if len(tempfile.gettempdir()) < 24 or sys.platform == "win32" else "/tmp"
    _remove_left(Path(short))
    folder = Path(tempfile.mkdtemp(prefix="lmdk-", dir=short))
    here = Path.cwd()
    try:
        with (folder / LOCK).open("w") as lock:
            _held(lock)
            yield folder
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left(place: Path) -> None:
    """Remove the folders of servers that were killed: their lock is there, and nobody holds it any more."""
    if sys.platform == "win32":
        return
    for lock in place.glob(f"lmdk-*/{LOCK}"):
        with suppress(OSError):
            folder, age_s = lock.parent, time.time() - lock.lstat().st_mtime
            if lock.is_symlink() or folder.is_symlink() or folder.stat().st_uid != os.getuid() or age_s < JUST_MADE_S:
                continue
            with lock.open() as opened:
                if _held(opened):
                    shutil.rmtree(folder, ignore_errors=True)


def _held(lock: IO[str]) -> bool:
    """Whether this process holds the lock of a folder now; the system gives it back when the process ends, killed or not."""
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):  # Windows, or another process holds it
        return False
    return True

"""A server's private folder, which is removed when it ends; if the server was killed, the next one that starts removes it."""

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
"""The file in its private folder that a server locks while it runs."""
JUST_MADE_S = 10.0
"""Seconds in which a starting server may not have locked its folder yet."""


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new working folder that only this user can read, removed at the end."""
    # The name of a Unix socket has at most 104 bytes (macOS), and the temporary folder there takes 50 of them.
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
    """Remove the folders of servers that were killed: their lock file is there, but nobody holds the lock any more."""
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
    """Whether this process now holds a folder's lock; the system releases it when the process ends, killed or not."""
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):  # Windows, or another process holds it
        return False
    return True

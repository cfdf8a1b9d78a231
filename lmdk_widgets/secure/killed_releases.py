"""What killed releases left: a record next to the ledger names their hidden files, and the next release removes them.

A record exists while a release is being made, and its process holds a lock on it. A kill ends the lock and leaves the record.
"""

from __future__ import annotations

import fcntl
import glob
import json
import os
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lmdk_widgets.secure.files import fill

SUFFIX = ".unfinished"

_HIDDEN = re.compile(r"\.[0-9a-f]{16}")
"""Only files with such names are removed."""


class Record:
    """Says which hidden files a release writes to a folder, until it is closed. It is created while the ledger is locked."""

    def __init__(self, ledger: Path, folder: Path, names: Collection[str]) -> None:
        self.path = ledger.with_name(f"{ledger.name}.{secrets.token_hex(8)}{SUFFIX}")
        told = {"folder": str(folder.absolute()), "new": not folder.exists(), "files": sorted(names)}
        self._opened = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            _lock(self._opened)
            fill(self._opened, json.dumps(told).encode())
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Remove the record: nothing hidden is left."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        os.close(self._opened)


def remove_killed(ledger: Path) -> int:
    """Remove the hidden files of killed releases, and folders that they created and left empty; returns how many files.

    Call it while the ledger is locked.
    """
    removed = 0
    for path in ledger.parent.glob(f"{glob.escape(ledger.name)}.*{SUFFIX}"):
        with suppress(OSError), _claimed(path) as free:
            if free:
                removed += _remove(path.read_bytes())
                path.unlink(missing_ok=True)
    return removed


@contextmanager
def _claimed(path: Path) -> Iterator[bool]:
    """Whether no running process holds a record."""
    opened = os.open(path, os.O_RDONLY)
    try:
        yield _lock(opened)
    finally:
        os.close(opened)


def _lock(opened: int) -> bool:
    """Lock a record; False if it is locked, or if this disk has no locks."""
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(content: bytes) -> int:
    """Remove what a record names; a record that was cut off by the kill names nothing, as no file existed yet."""
    try:
        told = json.loads(content)
        folder, new, names = Path(told["folder"]), told["new"] is True, [str(name) for name in told["files"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    there = [folder / name for name in names if _HIDDEN.fullmatch(name) and (folder / name).exists()]
    for path in there:
        path.unlink(missing_ok=True)
    if new and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return len(there)

"""Writing that is whole and lasts: what a full disk or a kill leaves is the old file or the new one, never a part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lmdk_widgets.errors import InputError


@contextmanager
def disk_errors(what: str, remedy: str) -> Iterator[None]:
    """Say as a sentence what a disk refuses: full, read-only, not allowed; no path and no content is repeated."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else "an error of the disk"
        raise InputError(what, value=reason, remedy=remedy) from None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file, for its owner's eyes: written beside it, forced to the disk, then renamed. One writer at a time."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)  # left by a writer that was killed
        opened = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            fill(opened, content)
        finally:
            os.close(opened)
        os.replace(beside, path)
        keep_names(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def fill(opened: int, content: bytes) -> None:
    """Make an open file hold this and nothing else, and force it to the disk."""
    os.lseek(opened, 0, os.SEEK_SET)
    left = memoryview(content)
    while left:
        left = left[os.write(opened, left) :]
    os.ftruncate(opened, len(content))
    os.fsync(opened)


def keep_names(folder: Path) -> None:
    """Force the names in a folder to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

"""Files that are whole and last: what a full disk or a kill leaves is the old file or the new one, never a part.

The files of a release appear as a whole or not at all: while one is written nobody may read it.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from lmdk_widgets.errors import InputError

Publish = Callable[[Mapping[str, str]], None]

BEFORE = "Nothing was released and no budget was spent. Make room or name another folder, and try again"
AFTER = "The ledger counts this release as spent, though nobody has it. Make room, and release with --again"
TAKEN = "The ledger counts this release as spent, though nobody has it. Name another folder, and release with --again"


def check_free(folder: Path, names: list[str]) -> None:
    """Refuses a folder that has one of these files already.

    Raises
    ------
    InputError : such a file, or a path that is no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("The place of a release must be a folder", value=folder.name)
    for name in names:
        if (folder / name).exists():
            raise InputError("The folder must not contain a release yet", value=name, remedy="Name another folder")


@contextmanager
def reserved(folder: Path, sizes: Mapping[str, int]) -> Iterator[Publish]:
    """A folder for one release alone, with room on its disk; gives the function that publishes the files, once.

    The room is taken before a budget is spent, by files of zeros that nobody has a right to read. Another release into the
    same folder is refused meanwhile, and no file is ever replaced.

    Parameters
    ----------
    folder : made if there is none, and removed again if nothing is published. sizes : bytes that each file takes at most.

    Raises
    ------
    InputError : a folder that holds such a file, that another release is using, or whose disk does not take the files.
    """
    new = not folder.exists()
    made: dict[str, Unnamed] = {}
    with ExitStack() as left:
        with disk_errors("The folder of a release must take its files", BEFORE):
            folder.mkdir(parents=True, exist_ok=True)
            left.callback(_tidy, folder, new)
            claim = os.open(folder, os.O_RDONLY)
            left.callback(os.close, claim)
            _claim(claim)
            check_free(folder, list(sizes))
            for name, size in sizes.items():
                path = folder / f".{secrets.token_hex(8)}"
                made[name] = Unnamed(path, os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0))
                left.callback(path.unlink, missing_ok=True)
                left.callback(os.close, made[name].opened)
                fill(made[name].opened, b"\0" * size)
        yield lambda files: _publish(folder, made, files)


def keyed(key: bytes, data: bytes) -> str:
    """The keyed digest (HMAC, SHA-256) of data."""
    return hmac.new(key, data, hashlib.sha256).hexdigest()


class Unnamed(NamedTuple):
    """A file that nobody may read and that has no name yet, but one by chance."""

    path: Path
    opened: int


def _publish(folder: Path, made: Mapping[str, Unnamed], files: Mapping[str, str]) -> None:
    """Fills the files and names them, the last one last: each has its name when it is whole.

    Whatever interrupts this, a file that has its name is whole, and none without a name can be read.
    """
    with disk_errors("The files of the release must be written whole", AFTER):
        for name, text in files.items():
            fill(made[name].opened, text.encode())
        for name in files:
            _name(made[name].path, folder / name)
            (folder / name).chmod(0o644)
        keep_names(folder)


def _name(path: Path, name: Path) -> None:
    """Name a file; a name that is taken is not taken over."""
    try:
        os.link(path, name)
    except FileExistsError:
        raise InputError("The folder must not contain a release yet", value=name.name, remedy=TAKEN) from None
    except OSError:  # a disk without hard links, such as a memory stick: the claim on the folder has to do
        check_free(name.parent, [name.name])
        path.rename(name)
    path.unlink(missing_ok=True)


def _claim(folder: int) -> None:
    """Keep other releases out of a folder while this one is made; a kill ends the claim."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        what, remedy = "The folder must be used by one release at a time", "Wait until it is made, or name another one"
        raise InputError(what, value="a folder that another release is using", remedy=remedy) from None
    except OSError:
        return  # some network disks lock no folder; there too `_name` replaces no file


def _tidy(folder: Path, new: bool) -> None:
    """Remove a folder that was made for nothing."""
    if new and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


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

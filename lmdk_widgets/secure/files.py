"""Files that are written completely: a full disk or a kill leaves the old file or the new one, never a part.

The files of a release appear complete or not at all: while one is written, nobody has permission to read it.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from lmdk_widgets.errors import InputError

Publish = Callable[[Mapping[str, str]], None]

Recorded = Callable[[Path, Collection[str]], AbstractContextManager[None]]
"""Records, while it is entered, that a folder contains files with these hidden names: a kill leaves the record."""

BEFORE = "Nothing was released and no budget was spent. Free some space or name another folder, and try again"
AFTER = "The ledger counts this release as spent, though nobody has it. Free some space, and release with --again"
TAKEN = "The ledger counts this release as spent, though nobody has it. Name another folder, and release with --again"


def check_free(folder: Path, names: list[str]) -> None:
    """Refuse a folder that already contains one of these files.

    Raises
    ------
    InputError : such a file, or a path that is not a folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("A release must be written to a folder", value=folder.name)
    for name in names:
        if (folder / name).exists():
            raise InputError("The folder must not contain a release yet", value=name, remedy="Name another folder")


@contextmanager
def reserved(folder: Path, sizes: Mapping[str, int], recorded: Recorded) -> Iterator[Publish]:
    """Reserve a folder for one release, with space on its disk; yields the function that publishes the files, once.

    Before a budget is spent, files of zeros that nobody has permission to read take up the space. Meanwhile another
    release into the same folder is refused, and no file is ever replaced.

    Parameters
    ----------
    folder : created if it does not exist, and removed again if nothing is published. sizes : maximum size of each file,
        bytes. recorded : records what a kill would leave, see `Ledger.unfinished`.

    Raises
    ------
    InputError : a folder that contains such a file, that another release is using, or whose disk has no room for the
        files.
    """
    new = not folder.exists()
    made: dict[str, Unnamed] = {}
    hidden = {name: f".{secrets.token_hex(8)}" for name in sizes}
    with ExitStack() as left:
        left.enter_context(recorded(folder, hidden.values()))
        with disk_errors("The folder of a release must have room for its files", BEFORE):
            folder.mkdir(parents=True, exist_ok=True)
            left.callback(_tidy, folder, new)
            claim = os.open(folder, os.O_RDONLY)
            left.callback(os.close, claim)
            _claim(claim)
            check_free(folder, list(sizes))
            for name, size in sizes.items():
                path = folder / hidden[name]
                made[name] = Unnamed(path, os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0))
                left.callback(path.unlink, missing_ok=True)
                left.callback(os.close, made[name].opened)
                fill(made[name].opened, b"\0" * size)
        yield lambda files: _publish(folder, made, files)


def keyed(key: bytes, data: bytes) -> str:
    """The keyed digest (HMAC, SHA-256) of data."""
    return hmac.new(key, data, hashlib.sha256).hexdigest()


class Unnamed(NamedTuple):
    """A file that nobody has permission to read, and that so far has only a random name."""

    path: Path
    opened: int


def _publish(folder: Path, made: Mapping[str, Unnamed], files: Mapping[str, str]) -> None:
    """Fill the files and name them in order: each gets its name once it is complete.

    Whatever interrupts this, a file that has its name is complete, and none without a name can be read.
    """
    with disk_errors("The files of the release must be written completely", AFTER):
        for name, text in files.items():
            fill(made[name].opened, text.encode())
        for name in files:
            _name(made[name].path, folder / name)
            (folder / name).chmod(0o644)
        keep_names(folder)


def _name(path: Path, name: Path) -> None:
    """Name a file, without replacing one that has this name."""
    try:
        os.link(path, name)
    except FileExistsError:
        raise InputError("The folder must not contain a release yet", value=name.name, remedy=TAKEN) from None
    except OSError:  # a disk without hard links, such as a memory stick: the claim on the folder has to suffice
        check_free(name.parent, [name.name])
        path.rename(name)
    path.unlink(missing_ok=True)


def _claim(folder: int) -> None:
    """Keep other releases out of the folder while this one is made; a kill releases the claim."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        what, remedy = (
            "The folder must be used by one release at a time",
            "Wait until that is done, or name another folder",
        )
        raise InputError(what, value="a folder that another release is using", remedy=remedy) from None
    except OSError:
        return  # some network disks cannot lock a folder; even there, `_name` replaces no file


def _tidy(folder: Path, new: bool) -> None:
    """Remove a folder that was created but not used."""
    if new and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


@contextmanager
def disk_errors(what: str, remedy: str) -> Iterator[None]:
    """Report a disk's error as a sentence: full, read-only, not allowed; it repeats no path and no content."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else "a disk error"
        raise InputError(what, value=reason, remedy=remedy) from None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file that only its owner can read. One writer at a time."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Replace files that only their owner can read, in order: write new ones next to them, sync them, rename them.

    A full disk changes none, as all new ones are written before the first is renamed. A kill leaves either all old ones,
    or the new ones up to some place in the order.
    """
    new = {path: beside(path) for path in contents}
    try:
        for path, unfinished in new.items():
            unfinished.unlink(missing_ok=True)  # left by a writer that was killed
            opened = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            try:
                fill(opened, contents[path])
            finally:
                os.close(opened)
        for path, unfinished in new.items():
            os.replace(unfinished, path)
            keep_names(path.parent)
    finally:
        for unfinished in new.values():
            unfinished.unlink(missing_ok=True)


def beside(path: Path) -> Path:
    """The file that will replace another one."""
    return path.with_name(f".{path.name}.new")


def fill(opened: int, content: bytes) -> None:
    """Replace the contents of an open file, and sync it to the disk."""
    os.lseek(opened, 0, os.SEEK_SET)
    left = memoryview(content)
    while left:
        left = left[os.write(opened, left) :]
    os.ftruncate(opened, len(content))
    os.fsync(opened)


def keep_names(folder: Path) -> None:
    """Sync the names in a folder to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

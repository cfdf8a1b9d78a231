"""Files that appear as a whole or not at all: while one is written nobody may read it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from lmdk_widgets.errors import InputError


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
            raise InputError("The folder must hold no release yet", value=name, remedy="Name another folder")


def publish(folder: Path, files: Mapping[str, str]) -> None:
    """Puts files into a folder, the last one last: each is written without any right to read it, and named when it is whole.

    Whatever interrupts this, a file that has its name is whole, and none without a name can be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, Path] = {}
    try:
        for name, text in files.items():
            made[name] = folder / f".{secrets.token_hex(8)}"
            with open(os.open(made[name], os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        for name, path in made.items():
            path.rename(folder / name)
            (folder / name).chmod(0o644)
    finally:
        for path in made.values():
            path.unlink(missing_ok=True)

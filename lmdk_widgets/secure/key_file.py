"""The key of a ledger, in a file of its own, with the number of entries and the last link of the ledger.

A ledger from which the last entries were removed still links correctly, and one without entries has nothing to link. The
key file therefore counts the entries and contains the last link. The ledger is written first, so after a kill between the two
it has one entry more than the key counts; it never has fewer.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from lmdk_widgets.errors import InputError

KEY_BYTES = 32

_OPEN = 0o077
"""Rights of the group and of others."""


class Key(NamedTuple):
    """A key and the state of its ledger.

    Attributes
    ----------
    secret : the key. entries : the number of entries; None in a key file by version 1.0, which did not count them.
    link : the last link.
    """

    secret: bytes
    entries: int | None
    link: str

    def content(self) -> bytes:
        """The content of the key file."""
        told = {"key": self.secret.hex(), "entries": self.entries, "link": self.link}
        return (json.dumps(told, indent=1) + "\n").encode()


def read_key(path: Path, remedy: str) -> Key | None:
    """The key in a file; None if there is no file.

    Parameters
    ----------
    remedy : what to do about a file that is damaged.

    Raises
    ------
    InputError : a file that others may read or write, or that is not a complete key file.
    """
    try:
        with path.open("rb") as file:
            rights = os.fstat(file.fileno()).st_mode & _OPEN
            content = file.read(1000)
    except FileNotFoundError:
        return None
    if rights:
        what = "The ledger's key must be a file that only you can read and write"
        mend = f"Enter: chmod 600 {path.name}. Whoever read it can test data against the ledger"
        raise InputError(what, value="a key that others can open", remedy=mend)
    if len(content) == KEY_BYTES:
        return Key(content, None, "")
    try:
        told = json.loads(content)
        secret, entries, link = bytes.fromhex(told["key"]), told["entries"], told["link"]
        if len(secret) != KEY_BYTES or type(entries) is not int or entries < 0 or not isinstance(link, str):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        what = "The ledger's key must be a complete key file"
        raise InputError(what, value=f"{len(content):,} bytes", remedy=remedy) from None
    return Key(secret, entries, link)

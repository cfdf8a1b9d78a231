"""What was spent on which data: a file that refuses to spend a budget twice.

Data are known by a keyed digest alone. The key lies in a file of its own beside the ledger, for its owner's eyes; without it
nobody can try tracks against the ledger, and with another key no data are known.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError

FORMAT = 1


class Ledger:
    """The ledger in a file; file and key are made when they are first needed, readable for their owner alone.

    Parameters
    ----------
    path : of the file. The key is in a file of the same name with ".key" behind it.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.key_path = self.path.with_name(f"{self.path.name}.key")

    def digest(self, data: bytes) -> str:
        """The keyed digest (HMAC, SHA-256) of data."""
        return hmac.new(self._key(), data, hashlib.sha256).hexdigest()

    def spend(self, data: bytes, spent: dict[str, Any], *, again: bool = False) -> int:
        """Writes down what is about to be spent on data, before anything of it is published.

        Parameters
        ----------
        data : what is released, as bytes that are the same whenever the data are. spent : what is written down beside the
        digest. again : whether it may be spent on data that are known.

        Returns
        -------
        How many releases of these data there are with this one.

        Raises
        ------
        InputError : data that are known, unless `again`; a file that is no ledger.
        """
        name = self.digest(data)
        with self._alone():
            entries = self.entries()
            before = [entry for entry in entries if entry.get("data") == name]
            if before and not again:
                remedy = "With --again it is spent once more, and what all releases tell adds up"
                when = before[-1].get("when", "an unknown time")
                raise InputError(
                    "Data must be released once", value=f"data that were released on {when}", remedy=remedy
                )
            when = datetime.now(UTC).isoformat(timespec="seconds")
            self._write([*entries, {"data": name, "when": when, **spent}])
        return len(before) + 1

    def entries(self) -> list[dict[str, Any]]:
        """What was written down, the oldest first."""
        if not self.path.exists():
            return []
        try:
            found = json.loads(self.path.read_text("utf-8"))
            entries = found["entries"]
            if found["format"] != FORMAT or not all(isinstance(entry, dict) for entry in entries):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            remedy = "Name another file, or mend this one: it says what was spent already"
            raise InputError(
                "The ledger must be a file that was made here", value=self.path.name, remedy=remedy
            ) from None
        return entries

    def _write(self, entries: list[dict[str, Any]]) -> None:
        beside = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            with open(_owned(beside), "w", encoding="utf-8") as file:
                json.dump({"format": FORMAT, "entries": entries}, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)

    def _key(self) -> bytes:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._alone():
            if not self.key_path.exists():
                if self.entries():
                    remedy = f"Put it back as {self.key_path.name}: without it nobody knows what was released"
                    raise InputError("The ledger must have its key beside it", value="none", remedy=remedy)
                with open(_owned(self.key_path), "wb") as file:
                    file.write(secrets.token_bytes(32))
            return self.key_path.read_bytes()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other process reads or writes the ledger."""
        lock = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _owned(path: Path) -> int:
    """A new file that its owner alone may read."""
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)

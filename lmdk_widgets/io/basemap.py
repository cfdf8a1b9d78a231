"""A PMTiles file with the streets under a map: opened once, checked, and read piece by piece.

PMTiles version 3 (the public specification by Protomaps): a header of 127 bytes, a table of contents in the first 16 KB,
metadata, further tables, tiles. Browsers read the tables; here only the header is read, to refuse with a sentence what
browsers could not draw.
"""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from lmdk_widgets.errors import InputError

__all__ = ["MOST_BYTES", "Basemap"]

HEADER = 127
ROOT_ENDS = 16_384
"""The first table of contents ends before this byte."""
MOST_BYTES = 4 * 2**20
"""The most bytes read at a time: a tile or a table of contents has a few hundred KB."""
DEEPEST = 26
KINDS = {1: "vector tiles", 2: "PNG", 3: "JPEG", 4: "WebP", 5: "AVIF"}
PACKED = {0: "an unknown method", 3: "Brotli", 4: "Zstandard"}
REMEDY = "Copy or download it again"


class Basemap:
    """A PMTiles file that stays open, so the file that is read is always the one that was checked.

    Parameters
    ----------
    path : the file; `argument` is what error messages call it.

    Attributes
    ----------
    name : of the file, without its folder. size : bytes. key : 16 hexadecimal digits that depend on the content.

    Raises
    ------
    InputError : no such file, not PMTiles 3, a truncated or damaged file, tiles or a compression that browsers cannot
        draw.
    """

    def __init__(self, path: str | os.PathLike[str], argument: str = "basemap") -> None:
        self.argument = argument
        found = Path(path).expanduser()
        self.name = found.name
        self._file, self.size = self._opened(found)
        self._lock = Lock()
        try:
            head = self.read(0, HEADER)
            self._check(head)
        except InputError:
            self._file.close()
            raise
        changed = os.fstat(self._file.fileno()).st_mtime_ns
        self.key = hashlib.sha256(head + f"{self.size} {changed}".encode()).hexdigest()[:16]

    def _opened(self, path: Path) -> tuple[BinaryIO, int]:
        if not path.is_file():
            raise InputError(
                f"{self.argument} must be an existing PMTiles file", value=str(path), remedy="Check its name"
            )
        try:
            file = path.open("rb")
        except OSError:
            remedy = "Check its permissions"
            raise InputError(
                f"{self.argument} must be a file that you may read", value=str(path), remedy=remedy
            ) from None
        return file, os.fstat(file.fileno()).st_size

    def read(self, offset: int, length: int) -> bytes:
        """Read `length` bytes from byte `offset`, counted from 0; fewer at the end of the file.

        Raises
        ------
        InputError : more than `MOST_BYTES`, or an offset outside the file.
        """
        if not 0 <= offset < max(self.size, 1) or not 0 < length <= MOST_BYTES:
            what = f"A part of a basemap must be within the file and have at most {MOST_BYTES // 2**20} MB"
            raise InputError(what, value=f"{length} bytes from byte {offset}")
        with self._lock:
            self._file.seek(offset)
            return self._file.read(length)

    def _check(self, head: bytes) -> None:
        if head[:7] != b"PMTiles" or len(head) < 8:
            raise self._refused("must be a PMTiles file, which starts with the word PMTiles", "")
        if head[7] != 3:
            raise self._refused("must be PMTiles version 3", "Convert it", f"version {head[7]}")
        if len(head) < HEADER:
            raise self._short(HEADER)
        numbers = struct.unpack_from("<8Q", head, 8)
        sections = list(zip(numbers[::2], numbers[1::2], strict=True))
        end = max(start + length for start, length in sections)
        if end > self.size:
            raise self._short(end)
        (root, length), tiles = sections[0], sections[3]
        inside, packed, kind, least, most = head[97:102]
        if root < HEADER or not length or root + length > ROOT_ENDS or not tiles[1] or not least <= most <= DEEPEST:
            raise self._refused("must be a complete PMTiles file; its header contradicts itself", REMEDY)
        if kind not in KINDS:
            raise self._refused(f"must contain {', '.join(KINDS.values())}", "", f"tiles of kind {kind}")
        unread = [way for way in (inside, packed) if way not in (1, 2)]
        if unread:
            method = PACKED.get(unread[0], PACKED[0])
            raise self._refused("must be compressed with gzip or not at all", "Convert it", method)

    def _short(self, end: int) -> InputError:
        what = f"must be a complete PMTiles file: its header says that it has {end:,} bytes"
        return self._refused(what, REMEDY, f"{self.size:,} bytes")

    def _refused(self, what: str, remedy: str, seen: str = "") -> InputError:
        value = f"{self.name}, {seen}" if seen else self.name
        return InputError(f"{self.argument} {what}", value=value, remedy=remedy)

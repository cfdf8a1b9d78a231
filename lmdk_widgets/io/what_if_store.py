"""The messages of a recording, packed: whatever occurs again, an array or a part of a message, is stored once.

A recording is one block of bytes: the length of its index (4 bytes, little endian), the index as JSON, and the arrays, each
beginning at a multiple of 8 bytes. In the index {"=": k} stands for the k-th text of `parts`, which is JSON itself.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

PART = "="
"""The key of what stands for a part that is stored once."""

LONG = 120
"""Letters from which on a part of a message is stored once."""

_ALIGNED = 8


class Store:
    """Messages with their arrays, numbered in the order in which they came.

    Examples
    --------
    >>> store = Store()
    >>> [store.add({"type": "draw", "n": n}, [b"abc"]) for n in (1, 2, 1)]
    [0, 1, 0]
    >>> len(store.arrays)
    1
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.arrays: list[bytes] = []
        self._messages: list[list[Any]] = []
        self._known: dict[tuple[str, bytes], int] = {}

    def add(self, message: Mapping[str, Any], buffers: Sequence[bytes] = ()) -> int:
        """The number of a message: that of an equal one where there was one."""
        held = [self._once("array", bytes(buffer), self.arrays) for buffer in buffers]
        key = _key("message", json.dumps([message, held]).encode())
        if key not in self._known:
            self._known[key] = len(self._messages)
            self._messages.append([self._packed(message), held])
        return self._known[key]

    def block(self, index: Mapping[str, Any]) -> bytes:
        """The recording: its messages, and what else is told of them."""
        places, at = [], 0
        for array in self.arrays:
            places.append([at, len(array)])
            at += _padded(len(array))
        whole = {**index, "messages": self._messages, "parts": self.parts, "arrays": places}
        text = json.dumps(whole, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (_padded(len(text) + 4) - len(text) - 4)
        arrays = b"".join(array + bytes(_padded(len(array)) - len(array)) for array in self.arrays)
        return len(text).to_bytes(4, "little") + text + arrays

    def _packed(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            value = {name: self._packed(part) for name, part in value.items()}
        elif isinstance(value, (list, tuple)):
            value = [self._packed(part) for part in value]
        elif not isinstance(value, str) or len(value) < LONG:
            return value
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
        return {PART: self._once("part", text, self.parts)} if len(text) >= LONG else value

    def _once(self, kind: str, found: Any, into: list[Any]) -> int:
        number = self._known.setdefault(_key(kind, found if isinstance(found, bytes) else found.encode()), len(into))
        if number == len(into):
            into.append(found)
        return number


def compressed(block: bytes) -> bytes:
    """A block as gzip, the same for the same bytes."""
    return gzip.compress(block, 9, mtime=0)


def compressed_size(block: bytes) -> int:
    """About as many bytes, found sooner."""
    return len(zlib.compress(block, 6))


def _key(kind: str, found: bytes) -> tuple[str, bytes]:
    return kind, blake2b(found, digest_size=16).digest()


def _padded(length: int) -> int:
    return -(-length // _ALIGNED) * _ALIGNED

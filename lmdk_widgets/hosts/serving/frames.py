"""What travels between a browser, the server and a process that computes: messages with buffers, with their sizes checked.

A message is the length of its text, the text (JSON), then each buffer's length and bytes; lengths are 4 bytes, the lowest
first. The server looks only at the lengths, whatever the text says: only the process that computes reads it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from lmdk_widgets.hosts.serving.settings import JSON_LIMIT_BYTES

HEAD = struct.Struct("<IBI")
"""The head of what the server and a process say to each other: length of the content, what it is, and whose."""
MESSAGE, OPEN, CLOSE, ANSWERED, READY, STATE, DROP = range(7)
STATED = struct.Struct("<??Q")
"""What a process says of a visitor with `STATE`: whether a page is open, whether a file is arriving, and how many bytes of
files it keeps that are not read yet."""

LENGTH = struct.Struct("<I")
MOST_BUFFERS = 100
"""The most buffers of a message; a page sends only a few."""
POLICY, NOT_BINARY, TOO_BIG = 1008, 1003, 1009
"""Codes with which a socket is closed (RFC 6455, section 7.4.1)."""


class BadFrame(ValueError):
    """A message that none of our pages sends; `code` is the one with which the socket is closed."""

    def __init__(self, sentence: str, code: int = POLICY) -> None:
        super().__init__(sentence)
        self.code = code


def packed(text: bytes, buffers: Sequence[bytes] = ()) -> bytes:
    """A message.

    Examples
    --------
    >>> unpacked(packed(b"{}", [b"a", b""]))
    (b'{}', [b'a', b''])
    """
    parts = [text, *buffers]
    return b"".join(part for each in parts for part in (LENGTH.pack(len(each)), each))


def unpacked(frame: bytes) -> tuple[bytes, list[bytes]]:
    """The text and the buffers of a message that `check_frame` accepts."""
    text, *buffers = (frame[start:stop] for start, stop in check_frame(frame))
    return text, buffers


def check_frame(frame: bytes | str) -> list[tuple[int, int]]:
    """Where the parts of a message begin and end; takes time proportional to their number.

    Raises
    ------
    BadFrame : it is not a message.

    Examples
    --------
    >>> check_frame((5).to_bytes(4, "little"))
    Traceback (most recent call last):
        ...
    lmdk_widgets.hosts.serving.frames.BadFrame: its lengths do not fit
    """
    if not isinstance(frame, bytes):
        raise BadFrame("it is text", NOT_BINARY)
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(frame):
        if len(frame) < at + LENGTH.size or len(found) > MOST_BUFFERS:
            raise BadFrame("its lengths do not fit")
        (length,) = LENGTH.unpack_from(frame, at)
        at += LENGTH.size
        if not found and length > JSON_LIMIT_BYTES:
            raise BadFrame(f"it has more than {JSON_LIMIT_BYTES >> 10} KB apart from its buffers", TOO_BIG)
        if at + length > len(frame):
            raise BadFrame("its lengths do not fit")
        found.append((at, at + length))
        at += length
    if not found:
        raise BadFrame("it is empty")
    return found

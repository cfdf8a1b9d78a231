"""Checks a message of a page before it is parsed: the parser behind it believes every number that it reads.

A message of the protocol v1.kernel.websocket.jupyter.org is a count of offsets, the offsets, and the parts that they
bound: channel, header, parent header, metadata, content, then buffers. Numbers are 8 bytes, the lowest first. A count
of 2^60 in a message of 8 bytes would keep the parser, and with it the server, busy for ever.
"""

from __future__ import annotations

import json
import struct
from itertools import pairwise

from lmdk_widgets.hosts.serving.settings import JSON_LIMIT_BYTES

CHANNELS = (b"shell", b"control", b"stdin")
JSON_PARTS = ("header", "parent header", "metadata", "content")
FEWEST_OFFSETS = len(JSON_PARTS) + 2
MOST_OFFSETS = 1_000
"""A widget sends a few buffers at most."""

POLICY, NOT_BINARY, NOT_JSON, TOO_BIG = 1008, 1003, 1007, 1009
"""Codes with which a socket is closed (RFC 6455, section 7.4.1)."""


class BadFrame(ValueError):
    """A message that no page of ours sends; `code` is what the socket is closed with."""

    def __init__(self, sentence: str, code: int = POLICY) -> None:
        super().__init__(sentence)
        self.code = code


def check_frame(frame: bytes | str) -> None:
    """Raise BadFrame for what is no message; takes time and memory in proportion to the frame's own length.

    Examples
    --------
    >>> check_frame((2**60).to_bytes(8, "little"))
    Traceback (most recent call last):
        ...
    lmdk_widgets.hosts.serving.frames.BadFrame: its count of offsets is wrong
    """
    if not isinstance(frame, bytes):
        raise BadFrame("it is text", NOT_BINARY)
    offsets = _offsets(frame)
    if offsets[5] - offsets[0] > JSON_LIMIT_BYTES:
        raise BadFrame(f"it has more than {JSON_LIMIT_BYTES >> 10} KB beside its buffers", TOO_BIG)
    parts = [frame[start:stop] for start, stop in pairwise(offsets[:6])]
    if parts[0] not in CHANNELS:
        raise BadFrame("it names no channel")
    read = [_read(name, part) for name, part in zip(JSON_PARTS, parts[1:], strict=True)]
    if not isinstance(read[0].get("msg_type"), str):
        raise BadFrame("its header has no type", NOT_JSON)


def _offsets(frame: bytes) -> tuple[int, ...]:
    count = int.from_bytes(frame[:8], "little")
    if len(frame) < 8 or not FEWEST_OFFSETS <= count <= MOST_OFFSETS or 8 * (count + 1) > len(frame):
        raise BadFrame("its count of offsets is wrong")
    offsets = struct.unpack_from(f"<{count}Q", frame, 8)
    rising = all(a <= b for a, b in pairwise(offsets))
    if not rising or offsets[0] < 8 * (count + 1) or offsets[-1] > len(frame):
        raise BadFrame("its offsets do not fit")
    return offsets


def _read(name: str, part: bytes) -> dict:
    try:
        value = json.loads(part)
    except (ValueError, RecursionError):
        raise BadFrame(f"its {name} is not JSON", NOT_JSON) from None
    if not isinstance(value, dict):
        raise BadFrame(f"its {name} is not a JSON object", NOT_JSON)
    return value

"""The animation of the README: a moment is clicked on the map, epsilon is dragged, and the answers change.

`make pictures ONLY=story` takes it anew: one PNG file with a frame for each step, which programs that know no animation show
as its first frame.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

MARKED = (0.33, 0.533)
"""Where the second timestamp of Bob's day lies, in shares of the map's width and height."""
REST_MS = 3000
"""Time for everything that one change brings to be drawn."""
POINTER = """([x, y]) => {
  const seen = document.querySelector("#pointer") ?? document.body.appendChild(document.createElement("div"));
  seen.id = "pointer";
  seen.style = `position: fixed; left: ${x}px; top: ${y}px; z-index: 9999; pointer-events: none; width: 22px; height: 30px;
    background: #111; outline: none; clip-path: polygon(0 0, 0 82%, 26% 62%, 44% 100%, 60% 93%, 43% 57%, 78% 57%)`;
}"""
"""Draws a pointer, which a screenshot does not show."""

Frame = tuple[bytes, float]
"""A picture as a PNG file, and the seconds for which it is shown."""


def frames(tab: Any) -> Iterator[Frame]:
    """The steps, each once everything is drawn."""

    def taken(x: float, y: float, seconds: float, rest_ms: int = REST_MS) -> Frame:
        tab.mouse.move(x, y)
        tab.evaluate(POINTER, [x, y])
        tab.wait_for_timeout(rest_ms)
        return tab.screenshot(), seconds

    chart = tab.locator(".lmdk-map").bounding_box()
    yield taken(chart["x"] + chart["width"] * 0.5, chart["y"] + chart["height"] * 0.85, 1.8)
    x, y = (
        chart[one] + chart[size] * share for one, size, share in zip("xy", ("width", "height"), MARKED, strict=True)
    )
    yield taken(x, y, 0.9, 500)
    tab.mouse.click(x, y)
    yield taken(x, y, 1.8)
    slider = tab.get_by_role("slider", name="Epsilon", exact=True)
    for value, seconds in ((1.5, 0.4), (2.5, 0.4), (4.0, 2.6)):
        tab.get_by_label("Epsilon value").fill(str(value))
        tab.get_by_label("Epsilon value").press("Enter")
        tab.wait_for_timeout(300)
        yield taken(*knob(slider), seconds)


def knob(slider: Any) -> tuple[float, float]:
    """The middle of a slider's knob."""
    box = slider.bounding_box()
    low, high, value = (float(slider.evaluate(f"one => one.{name}")) for name in ("min", "max", "value"))
    inside = box["width"] - 16
    return box["x"] + 8 + inside * (value - low) / (high - low), box["y"] + box["height"] / 2


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG file, with their names."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def animated(pictures: list[Frame]) -> bytes:
    """One PNG file of several of the same size."""
    head = next(data for kind, data in chunks(pictures[0][0]) if kind == b"IHDR")
    parts, number = (
        [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), chunk(b"acTL", struct.pack(">II", len(pictures), 0))],
        0,
    )
    for k, (png, seconds) in enumerate(pictures):
        shown = struct.pack(
            ">IIIIIHHBB", number, *struct.unpack(">II", head[:8]), 0, 0, round(1000 * seconds), 1000, 0, 0
        )
        parts.append(chunk(b"fcTL", shown))
        number += 1
        data = b"".join(data for kind, data in chunks(png) if kind == b"IDAT")
        if k:
            parts.append(chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
        else:
            parts.append(chunk(b"IDAT", data))
    return b"".join([*parts, chunk(b"IEND", b"")])

"""PMTiles files of version 3 for tests, written by hand from the public specification: vector tiles or pictures.

write(path, around(2.35, 48.85, zooms=range(15)), streets())    # one tile, wherever a place is looked at
"""

from __future__ import annotations

import gzip
import json
import math
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Tile = tuple[int, int, int]
EXTENT = 4096
PROTOMAPS = {
    "vector_layers": [{"id": "earth"}, {"id": "roads"}, {"id": "water"}],
    "attribution": "<b>The city</b> of Test",
}


def varint(value: int) -> bytes:
    """A whole number as bytes of seven bits."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def number_of(z: int, x: int, y: int) -> int:
    """The number of a tile: those of lower zooms first, then along Hilbert's curve, square by square from the outside."""
    along, side = 0, 1 << z
    while side > 1:
        half = side // 2
        right, down = x >= half, y >= half
        quarter = {(0, 0): 0, (0, 1): 1, (1, 1): 2, (1, 0): 3}[int(right), int(down)]
        along = 4 * along + quarter
        x, y = x % half, y % half
        if quarter == 0:
            x, y = y, x
        elif quarter == 3:
            x, y = half - 1 - y, half - 1 - x
        side = half
    return (4**z - 1) // 3 + along


def around(longitude: float, latitude: float, zooms: Iterable[int], reach: int = 3) -> list[Tile]:
    """The tiles around a place, up to `reach` tiles away, at each zoom."""
    found = []
    for z in zooms:
        side = 1 << z
        x = int((longitude + 180) / 360 * side)
        y = int((1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * side)
        near = [range(max(0, at - reach), min(side, at + reach + 1)) for at in (x, y)]
        found += [(z, column, row) for column in near[0] for row in near[1]]
    return found


def write(
    path: Path,
    tiles: Sequence[Tile],
    content: bytes,
    *,
    kind: int = 1,
    packing: int = 2,
    metadata: Mapping[str, Any] = PROTOMAPS,
    changes: Mapping[int, bytes] | None = None,
) -> Path:
    """A file in which all tiles have the same content; `changes` are bytes over those of the header, by their place."""
    packed = gzip.compress if packing == 2 else bytes
    tile = packed(content)
    numbers = sorted(number_of(*each) for each in tiles)
    steps = [b - a for a, b in zip([0, *numbers], numbers, strict=False)]
    # numbers as steps, run lengths, lengths, places plus one
    columns = [steps, [1] * len(numbers), [len(tile)] * len(numbers), [1] * len(numbers)]
    root = packed(b"".join([varint(len(numbers)), *(varint(each) for column in columns for each in column)]))
    about = packed(json.dumps(metadata).encode())
    starts = [127, 127 + len(root), 127 + len(root) + len(about)]
    sections = [(starts[0], len(root)), (starts[1], len(about)), (starts[2], 0), (starts[2], len(tile))]
    head = b"PMTiles\x03" + struct.pack("<8Q", *(number for section in sections for number in section))
    head += struct.pack("<3Q", len(numbers), len(numbers), 1)
    zooms = [z for z, *_ in tiles]
    head += bytes([1, packing, packing, kind, min(zooms), max(zooms)])
    west, east = (side(x + k) for k, side, x in ends(tiles, 1))
    north, south = (level(y + k) for k, level, y in ends(tiles, 2))
    box = [round(degrees * 1e7) for degrees in (west, south, east, north)]
    head += struct.pack("<4i", *box) + bytes([max(zooms)]) + struct.pack("<2i", *box[:2])
    assert len(head) == 127
    for place, values in (changes or {}).items():
        head = head[:place] + values + head[place + len(values) :]
    path.write_bytes(head + root + about + tile)
    return path


def ends(tiles: Sequence[Tile], axis: int) -> list[tuple[int, Any, int]]:
    """The first and the last column or row at the deepest zoom, as (0 or 1, its degrees, its number)."""
    z = max(tile[0] for tile in tiles)
    places = [tile[axis] for tile in tiles if tile[0] == z]

    def degrees(at: int) -> float:
        if axis == 1:
            return at / (1 << z) * 360 - 180
        return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * at / (1 << z)))))

    return [(0, degrees, min(places)), (1, degrees, max(places))]


def streets() -> bytes:
    """A vector tile: land, a grid of streets whose names are hostile, and a square of water."""
    land = [(0, 0), (EXTENT, 0), (EXTENT, EXTENT), (0, EXTENT)]
    water = [(2600, 2600), (3600, 2600), (3600, 3600), (2600, 3600)]
    ways = [[(0, at), (EXTENT, at)] for at in range(256, EXTENT, 512)]
    ways += [[(at, 0), (at, EXTENT)] for at in range(256, EXTENT, 512)]
    road = {"kind": "major_road", "name": "<img src=x onerror=window.__x=1>"}
    layers = [
        layer("earth", [(3, land, {"kind": "earth"})]),
        layer("water", [(3, water, {"kind": "water"})]),
        layer("roads", [(2, way, road) for way in ways]),
    ]
    return b"".join(layers)


def layer(name: str, features: Sequence[tuple[int, Sequence[tuple[int, int]], Mapping[str, str]]]) -> bytes:
    """A layer of a vector tile: features as (2 for a line or 3 for an area, points, properties)."""
    words = sorted({word for *_, properties in features for pair in properties.items() for word in pair})
    parts = [field(1, name.encode())]
    for shape, points, properties in features:
        tags = b"".join(varint(words.index(word)) for pair in properties.items() for word in pair)
        parts.append(field(2, field(2, tags) + b"\x18" + varint(shape) + field(4, geometry(shape, points))))
    parts += [field(3, word.encode()) for word in words]
    parts += [field(4, field(1, word.encode())) for word in words]
    return field(3, b"".join([*parts, b"\x28", varint(EXTENT), b"\x78\x02"]))


def field(number: int, content: bytes) -> bytes:
    """A field of protobuf that has bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def geometry(shape: int, points: Sequence[tuple[int, int]]) -> bytes:
    """Go to the first point, draw to the others, close an area."""
    found, here = [1 << 3 | 1], (0, 0)
    for k, (x, y) in enumerate(points):
        if k == 1:
            found.append(len(points) - 1 << 3 | 2)
        found += [zigzag(x - here[0]), zigzag(y - here[1])]
        here = (x, y)
    return b"".join(map(varint, found + ([1 << 3 | 7] if shape == 3 else [])))


def zigzag(step: int) -> int:
    """Whole numbers of either sign as whole numbers from 0."""
    return step << 1 if step >= 0 else (-step << 1) - 1


def picture(red: int, green: int, blue: int, side: int = 256) -> bytes:
    """A PNG of one colour."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = (b"\0" + bytes([red, green, blue]) * side) * side
    head = struct.pack(">2I5B", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")

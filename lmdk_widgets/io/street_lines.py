"""The lines of streets in a PMTiles file of vector tiles, for the program: what a browser draws, as places in degrees.

Read as far as the streets need it, from the public specifications: PMTiles version 3, and Mapbox Vector Tile version 2 with
the layers of Protomaps, in which streets are the lines of the layer "roads".
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.io.basemap import HEADER, MOST_BYTES, Basemap

LAYER = "roads"
NOT_STREETS = {"rail", "ferry", "aeroway", "aerialway", "pier"}
"""Kinds of lines in that layer along which nobody walks or drives."""

MOST_TILES = 256
"""The most tiles that are read at a zoom."""

MOST_UNPACKED = 16 << 20
"""Bytes of one part; a small file can be made that unpacks into more than there is memory."""

GZIP, VECTOR = 2, 1
DEEPEST_TABLE = 4
"""Tables of contents inside tables of contents."""


@dataclass(frozen=True, eq=False)
class StreetLines:
    """The streets of a region at one zoom.

    Attributes
    ----------
    lines : arrays (k, 2) of latitude and longitude, degrees. zoom : of the tiles. deepest : the file's most detailed zoom.
    unit : degrees of longitude between two coordinates that a tile can tell apart.
    """

    lines: list[Floats]
    zoom: int
    deepest: int
    unit: float


def lines_steps(file: Basemap, region: Region, zoom: int) -> Iterator[StreetLines | None]:
    """The streets in the tiles that cover a region, cut where tiles meet; None after each tile.

    Parameters
    ----------
    file : of vector tiles. zoom : as deep as the file goes, or less.

    Raises
    ------
    InputError : a part of the file that cannot be read.
    """
    tiles, lines, unit = _Tiles(file), [], math.inf
    for x, y in tiles_of(region, zoom):
        try:
            content = tiles.tile(zoom, x, y)
            for extent, line in roads(content) if content else ():
                unit = min(unit, 360 / (1 << zoom) / extent)
                lines += [_degrees(piece, extent, zoom, x, y) for piece in inside(line, extent)]
        except (ValueError, IndexError, KeyError, OverflowError, struct.error, zlib.error):
            raise InputError(
                f"Streets of {file.name} must be readable", value="a damaged part", remedy="Copy or download it again"
            ) from None
        yield None
    yield StreetLines(lines, zoom, tiles.deepest, 0.0 if math.isinf(unit) else unit)


def zooms_for(file: Basemap, region: Region) -> list[int]:
    """The zooms of a file at which few enough tiles cover a region, the most detailed first; none for a file of
    pictures."""
    tiles = _Tiles(file)
    if tiles.kind != VECTOR:
        return []
    return [z for z in range(tiles.deepest, tiles.least - 1, -1) if _count(region, z) <= MOST_TILES]


def _spans(region: Region, zoom: int) -> tuple[range, range]:
    """The columns and rows of the tiles that cover a region."""
    side = 1 << zoom
    west, east = (math.floor((longitude + 180) / 360 * side) for longitude in (region.west, region.east))
    north, south = (
        math.floor((1 - math.asinh(math.tan(math.radians(max(-85.05, min(85.05, at))))) / math.pi) / 2 * side)
        for at in (region.north, region.south)
    )
    return range(max(0, west), min(side - 1, east) + 1), range(max(0, north), min(side - 1, south) + 1)


def tiles_of(region: Region, zoom: int) -> list[tuple[int, int]]:
    """The columns and rows of the tiles that cover a region that does not cross the date line.

    Examples
    --------
    >>> tiles_of(Region(48.84, 2.33, 48.86, 2.36), 12)
    [(2074, 1409)]
    """
    columns, rows = _spans(region, zoom)
    return [(x, y) for x in columns for y in rows]


def _count(region: Region, zoom: int) -> int:
    columns, rows = _spans(region, zoom)
    return len(columns) * len(rows)


def tile_number(zoom: int, x: int, y: int) -> int:
    """The number of a tile: those of lower zooms come first, then it is its place on Hilbert's curve.

    Examples
    --------
    >>> [tile_number(1, *at) for at in ((0, 0), (0, 1), (1, 1), (1, 0))], tile_number(2, 3, 0)
    ([1, 2, 3, 4], 20)
    """
    along, half = 0, (1 << zoom) >> 1
    while half:
        right, down = int((x & half) > 0), int((y & half) > 0)
        along += half * half * ((3 * right) ^ down)
        if not down:
            if right:
                x, y = half - 1 - (x & (half - 1)), half - 1 - (y & (half - 1))
            x, y = y, x
        half >>= 1
    return (4**zoom - 1) // 3 + along


class _Tiles:
    """The parts of a PMTiles file."""

    def __init__(self, file: Basemap) -> None:
        self._file = file
        head = file.read(0, HEADER)
        self._numbers = struct.unpack_from("<8Q", head, 8)
        self._inside, self._packed, self.kind, self.least, self.deepest = head[97:102]

    @cached_property
    def _root(self) -> list[tuple[int, int, int, int]]:
        return self._table(*self._numbers[:2])

    def _table(self, at: int, length: int) -> list[tuple[int, int, int, int]]:
        """Rows of a table of contents: number, run, length and place of each part."""
        content, here, columns = self._part(at, length, self._inside), 0, []
        count, here = _varint(content, here)
        if not 0 < 4 * count <= len(content):
            raise ValueError("no table of contents")
        for _ in range(4):
            column = []
            for _ in range(count):
                value, here = _varint(content, here)
                column.append(value)
            columns.append(column)
        number, place, rows = 0, 0, []
        for step, run, size, at_ in zip(*columns, strict=True):
            number, place = number + step, at_ - 1 if at_ else place
            rows.append((number, run, size, place))
            place += size
        return rows

    def tile(self, zoom: int, x: int, y: int) -> bytes | None:
        """The content of a tile; None where the file has none."""
        number, table = tile_number(zoom, x, y), self._root
        for _ in range(DEEPEST_TABLE):
            first, run, size, place = max((row for row in table if row[0] <= number), default=(0, -1, 0, 0))
            if run == -1:
                return None
            if run:
                return self._part(self._numbers[6] + place, size, self._packed) if number < first + run else None
            table = self._table(self._numbers[4] + place, size)
        raise ValueError("too many tables of contents")

    def _part(self, at: int, length: int, packed: int) -> bytes:
        if not 0 < length <= MOST_BYTES:
            raise ValueError("too long")
        part = self._file.read(at, length)
        if packed != GZIP:
            return part
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        found = unpack.decompress(part, MOST_UNPACKED)
        if not unpack.eof:
            raise ValueError("too long")
        return found


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A whole number in bytes of seven bits, and where the next one begins."""
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise ValueError("too large a number")


def _fields(content: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message of protocol buffers: the number of each, with a number or bytes."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(content, at)
            yield key >> 3, value
            continue
        length = {1: 8, 5: 4}.get(kind, 0)
        if kind == 2:
            length, at = _varint(content, at)
        elif not length:
            raise ValueError("no such kind of field")
        if at + length > len(content):
            raise ValueError("ends too early")
        yield key >> 3, content[at : at + length]
        at += length


def _varints(content: bytes) -> list[int]:
    found, at = [], 0
    while at < len(content):
        value, at = _varint(content, at)
        found.append(value)
    return found


def roads(content: bytes) -> Iterator[tuple[int, Floats]]:
    """The streets of a vector tile: the extent of its coordinates, and each line, (k, 2), to the right and down."""
    for number, layer in _fields(content):
        if number != 3:
            continue
        parts = list(_fields(layer))
        if next((part for field, part in parts if field == 1), b"") != LAYER.encode():
            continue
        extent = next((part for field, part in parts if field == 5), 4096)
        if not 0 < extent <= 1 << 20:
            raise ValueError("no extent")
        keys = [bytes(part) for field, part in parts if field == 3]
        values = [dict(_fields(part)).get(1) for field, part in parts if field == 4]
        for field, part in parts:
            if field != 2:
                continue
            feature = dict(_fields(part))
            tags = _varints(feature.get(2, b""))
            about = {keys[key]: values[value] for key, value in zip(tags[::2], tags[1::2], strict=False)}
            kind = (about.get(b"kind") or b"").decode("utf-8", "replace")
            if feature.get(3) == 2 and kind not in NOT_STREETS:
                yield from ((extent, line) for line in _lines(_varints(feature.get(4, b""))))


def _lines(commands: list[int]) -> Iterator[Floats]:
    """The lines of a geometry: go to a point, draw to others."""
    line: list[tuple[int, int]] = []
    at, here = 0, [0, 0]
    while at < len(commands):
        what, count = commands[at] & 7, commands[at] >> 3
        at += 1
        if what == 7:
            continue
        if what not in (1, 2) or at + 2 * count > len(commands):
            raise ValueError("no such command")
        for _ in range(count):
            if what == 1 and line:
                yield np.array(line, np.float64)
                line = []
            for axis in (0, 1):
                step = commands[at + axis]
                here[axis] += (step >> 1) ^ -(step & 1)
            line.append((here[0], here[1]))
            at += 2
    if line:
        yield np.array(line, np.float64)


def inside(line: Floats, extent: ArrayLike) -> list[Floats]:
    """The pieces of a line within the rectangle from 0 to its extent, for both axes or for each: tiles overlap, and each
    street is wanted once.

    Examples
    --------
    >>> [piece.tolist() for piece in inside(np.array([[-5.0, 2], [5, 2], [5, 15]]), 10)]
    [[[0.0, 2.0], [5.0, 2.0], [5.0, 10.0]]]
    """
    found: list[list[Floats]] = []
    most = np.broadcast_to(extent, 2).tolist()
    for start, end in pairwise(line):
        low, high, step = 0.0, 1.0, end - start
        for at, by, end_at in zip(start.tolist(), step.tolist(), most, strict=True):
            if by == 0:
                low, high = (low, high) if 0 <= at <= end_at else (1.0, 0.0)
                continue
            near, far = sorted((-at / by, (end_at - at) / by))
            low, high = max(low, near), min(high, far)
        if low >= high:
            continue
        first, last = start if low == 0 else start + low * step, end if high == 1 else start + high * step
        if low == 0 and found and (found[-1][-1] == first).all():
            found[-1].append(last)
        else:
            found.append([first, last])
    return [np.array(piece) for piece in found]


def _degrees(line: Floats, extent: float, zoom: int, x: int, y: int) -> Floats:
    """Latitude and longitude of the points of a tile."""
    across, down = (line / extent + (x, y)).T / (1 << zoom)
    return np.stack([np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * down)))), across * 360 - 180], axis=1)

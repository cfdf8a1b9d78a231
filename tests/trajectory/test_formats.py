"""The list of formats: every module keeps its promise, and nothing else repeats the list."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from lmdk_widgets.trajectory.formats import FORMATS, NAMES, READABLE, SUFFIXES
from lmdk_widgets.trajectory.source import Contents

ROOT = Path(__file__).parents[2]


def readers() -> list:
    return [import_module(f"lmdk_widgets.trajectory.{format.module}") for format in FORMATS]


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_every_format_is_named_where_users_look(format) -> None:
    assert format.name in NAMES and format.name in READABLE and format.hint in READABLE
    assert all(suffix in SUFFIXES.split(",") and suffix.startswith(".") for suffix in format.suffixes)


def test_every_reader_of_a_file_is_in_the_list() -> None:
    modules = {path.stem for path in (ROOT / "lmdk_widgets" / "trajectory").glob("*_file.py")}
    assert modules == {format.module for format in FORMATS}
    suffixes = SUFFIXES.split(",")
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("data", [b"", b"x", b"<", b"<a/>", b"{", b"[", b"\xff\xfe", b"<!--" + b"-" * 200_000])
def test_the_last_takes_what_no_other_recognises(data: bytes) -> None:
    assert readers()[-1].recognises(Contents(data))


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
    assert set(repeated) == {"formats.py"}

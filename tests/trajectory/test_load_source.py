"""Where tracks are read from, and the files of other kinds that are refused by name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory
from lmdk_widgets.trajectory import source as source_module

CSV = "lat,lon,time,label\n48.5,2.5,2026-01-26T10:00:00Z,é\n"
GPX = (
    '<?xml version="1.0" encoding="iso-8859-1"?><gpx><trk><name>é</name><trkseg>'
    '<trkpt lat="48.5" lon="2.5"><time>2026-01-26T10:00:00Z</time></trkpt></trkseg></trk></gpx>'
)
GEOJSON = (
    '{"type":"Feature","properties":{"name":"é","time":"2026-01-26T10:00:00Z"},'
    '"geometry":{"type":"Point","coordinates":[2.5,48.5]}}'
)
GEOLIFE = (
    "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n"
    "48.5,2.5,0,492,39744.1201851852,2026-01-26,10:00:00\r\n"
)
FORMATS = {"csv": CSV, "gpx": GPX, "geojson": GEOJSON, "plt": GEOLIFE}


def refused(source: object, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        load_trajectory(source, **options)  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
def test_every_kind_of_source(name: str, tmp_path: Path) -> None:
    """The content tells the format: every file has the suffix of another one here."""
    text = FORMATS[name]
    data = text.encode("iso-8859-1" if name == "gpx" else "utf-8")
    path = tmp_path / ("My way" + (".csv" if name == "gpx" else ".gpx"))
    path.write_bytes(data)
    with open(path, "rb") as binary, open(path, encoding="iso-8859-1" if name == "gpx" else "utf-8") as as_text:
        sources = [data, bytearray(data), memoryview(data), path, str(path), binary, as_text]
        sources += [io.BytesIO(data), io.StringIO(text)]
        for source in sources:
            track = load_trajectory(source)
            assert (track.latitude[0], track.longitude[0], str(track.time[0])[:19]) == (
                48.5,
                2.5,
                "2026-01-26T10:00:00",
            )
            if name == "gpx":
                assert track.name == "é"
            elif source in (path, str(path), binary, as_text):
                assert track.name == "My way"
            if name == "csv":
                assert track.labels == ("é",)


def test_no_such_file(tmp_path: Path) -> None:
    assert "must be a file that exists; got missing.gpx" in refused(tmp_path / "missing.gpx")
    assert str(tmp_path) not in refused(tmp_path / "missing.gpx")
    assert "must be a file, not a folder" in refused(tmp_path)
    assert "must be a file that can be opened" in refused("a\0b")
    assert "as bytes" in refused(CSV)  # the text of a file in place of its path
    assert "InputError" not in refused(CSV * 1000)


@pytest.mark.parametrize("source", [None, 5, 5.5, [5], object(), {}])
def test_no_source_at_all(source: object) -> None:
    assert "a path, bytes or a file object" in refused(source)


def test_file_objects_that_fail(tmp_path: Path) -> None:
    closed = io.BytesIO(b"x")
    closed.close()
    assert "must be a file object that can be read" in refused(closed)

    class Odd:
        name = 5

        def read(self, size: int = -1) -> object:
            return 5

    assert "returns bytes or text; got an int" in refused(Odd())
    path = tmp_path / "latin.csv"
    path.write_bytes(CSV.encode("latin-1"))
    with open(path, encoding="utf-8") as file:
        assert "must be text in UTF-8" in refused(file)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"7z\xbc\xaf'\x1c", "a 7-Zip archive"),
        (b"\x00\x00\x27\x0a" + b"\x00" * 100, "a shapefile"),
        (b"\x89PNG\r\n\x1a\n\x00", "a picture"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"\x03\x5f\x07\x1a" + b"\x00" * 60, "not text"),
        (b"lat,lon,time\n1,2,\x00\n", "not text"),
        (b"\xff\xfel\x00a\x00t", "UTF-16"),
        (b"", "an empty file"),
        (b"\xef\xbb\xbf", "an empty file"),
    ],
)
def test_other_formats_are_named(data: bytes, kind: str) -> None:
    sentence = refused(data)
    assert kind in sentence
    assert "GPX" in sentence  # what is read
    assert "4807" not in sentence


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text(CSV)
    monkeypatch.setattr(source_module, "MAX_BYTES", len(CSV.encode()))
    assert len(load_trajectory(path)) == len(load_trajectory(CSV.encode())) == 1
    monkeypatch.setattr(source_module, "MAX_BYTES", len(CSV.encode()) - 1)
    for source in (path, CSV.encode(), io.BytesIO(CSV.encode()), io.StringIO(CSV)):
        assert "The file must have at most 0 MB; got more" in refused(source)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"timezone": "Paris"}, "timezone"),
        ({"timezone": 1}, "timezone"),
        ({"timezone": ""}, "timezone"),
        ({"on_problem": "ignore"}, "on_problem"),
        ({"on_problem": True}, "on_problem"),
        ({"day_first": "yes"}, "day_first"),
    ],
)
def test_wrong_choices_are_said_even_where_they_do_not_matter(options: dict[str, object], name: str) -> None:
    assert refused(CSV.encode(), **options).startswith(f"{name.capitalize()} must be ")

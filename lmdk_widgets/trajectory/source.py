"""Getting hold of a file's bytes, and telling from them, never from its name, which format they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

from lmdk_widgets.checks import kind_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import no_track
from lmdk_widgets.trajectory.words import printable

MAX_BYTES = 300_000_000
"""Largest file that is read; a million points take about half of it."""

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | IO[str]

_GPX = "Export the track as GPX"
_UNREADABLE = (  # how other formats begin, what they are, what to do
    (b"\x1f\x8b", "a gzip archive", "Unpack it first"),
    (b"BZh", "a bzip2 archive", "Unpack it first"),
    (b"\xfd7zXZ", "an xz archive", "Unpack it first"),
    (b"(\xb5/\xfd", "a Zstandard archive", "Unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it first"),
    (b"PK\x03\x04", "a ZIP archive, or a workbook, or KMZ", "Unpack it first; save a workbook as CSV"),
    (b"\x00\x00\x27\x0a", "a shapefile", "Export the track as GPX or GeoJSON"),
    (b"SQLite format 3", "a database (perhaps a GeoPackage)", "Export the track as GPX or GeoJSON"),
    (b"PAR1", "a Parquet file", "Save it as CSV"),
    (b"%PDF", "a PDF", _GPX),
    (b"\x89PNG", "a picture", _GPX),
    (b"\xff\xd8\xff", "a picture", _GPX),
    (b"$GP", "an NMEA log of a receiver", "Convert it to GPX, for example with GPSBabel"),
    (b"$GN", "an NMEA log of a receiver", "Convert it to GPX, for example with GPSBabel"),
    (b"\xff\xfe", "text in UTF-16 or UTF-32", "Save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "Save it as UTF-8"),
    (b"\x00\x00\xfe\xff", "text in UTF-32", "Save it as UTF-8"),
)


def read_source(source: Source) -> tuple[bytes, str, bool]:
    """The bytes of a path, bytes or file object; its name without suffix, or ""; whether it came as text.

    Raises
    ------
    InputError where there is no such file, it cannot be read, or it is larger than `MAX_BYTES`.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _limited(bytes(source)), "", False
    if isinstance(source, (str, os.PathLike)):
        return _limited(_from_path(source)), _stem(source), False
    if not callable(getattr(source, "read", None)):
        raise refused("source", "a path, bytes or a file object", kind_of(source))
    data = _from_file(source)
    name = getattr(source, "name", "")
    if isinstance(data, str):
        return _limited(data.encode("utf-8", "replace")), _stem(name), True
    return _limited(data), _stem(name), False


def _from_path(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        what, remedy = "a file that exists", "Check the path; the text of a file is passed as bytes"
    except IsADirectoryError:
        what, remedy = "a file, not a folder", "Choose one file in it"
    except (OSError, ValueError):  # ValueError: a null character in the path
        what, remedy = "a file that can be opened", "Check its name and that you may read it"
    name = printable(os.path.basename(os.fspath(path)), 60) if len(os.fspath(path)) < 4096 else None
    raise InputError(f"source must be {what}", value=name, remedy=remedy)


def _from_file(file: Any) -> bytes | str:
    try:
        data = file.read(MAX_BYTES + 1)
    except UnicodeDecodeError:
        raise _not_utf8("the file object") from None
    except (OSError, ValueError):  # ValueError: the file is closed
        raise InputError("source must be a file object that can be read", remedy="Open it again") from None
    if isinstance(data, (bytes, bytearray, str)):
        return data if isinstance(data, str) else bytes(data)
    raise InputError("source must be a file object that gives bytes or text", value=kind_of(data))


def _limited(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise InputError(
            f"the file must have at most {MAX_BYTES // 1_000_000:,} MB",
            value="more",
            remedy="Cut it to the days that matter",
        )
    return data


def _stem(path: object) -> str:
    return printable(Path(path).stem) if isinstance(path, (str, os.PathLike)) else ""


def refuse_other_formats(data: bytes) -> None:
    """Raise InputError, naming what it is, for a file of a known kind that is not read, or for one that is no text."""
    if data[8:12] == b".FIT":
        raise no_track("FIT, which sports watches write", _GPX)
    for beginning, kind, remedy in _UNREADABLE:
        if data.startswith(beginning):
            raise no_track(kind, remedy)
    if b"\x00" in data:
        raise no_track("a file that is not text", _GPX)
    if not data.strip():
        raise no_track("an empty file")


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; InputError with the line for others."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _not_utf8(f"line {line:,}") from None


def _not_utf8(what: str) -> InputError:
    return InputError(f"{what} must be text in UTF-8", remedy='Save the file as "CSV UTF-8" or as UTF-8')

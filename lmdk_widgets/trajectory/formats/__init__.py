"""The track formats that can be read, and the kinds of files that are recognised but cannot be read.

A format is a module in this folder with an object `FORMAT`. To add one, write its module: all lists of formats include it.
A file's format is determined by its content, never by its name.
"""

from importlib import import_module
from pkgutil import iter_modules

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Format, OtherKind


def _found() -> list[Format]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    return sorted((m.FORMAT for m in modules if hasattr(m, "FORMAT")), key=lambda each: (each.turn, each.name.lower()))


FORMATS = tuple(_found())
"""In the order in which they are tried: the last is for whatever no other recognises."""

NAMES = joined((format.name for format in FORMATS), "or")
READABLE = joined((f"{format.name} {format.hint}".strip() for format in FORMATS), "or")
SUFFIXES = ",".join(suffix for format in FORMATS for suffix in format.suffixes)

_GPX = "Export the track as GPX"
_OTHER_BEGINNINGS = (  # how other formats start, what they are, what to do
    (b"BZh", "a bzip2 archive", "Unpack it first"),
    (b"\xfd7zXZ", "an xz archive", "Unpack it first"),
    (b"(\xb5/\xfd", "a Zstandard archive", "Unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it first"),
    (b"PK\x03\x04", "a workbook", "Save its sheet as CSV"),
    (b"\x00\x00\x27\x0a", "a shapefile", "Export the track as GPX or GeoJSON"),
    (b"%PDF", "a PDF", _GPX),
    (b"\x89PNG", "a picture", _GPX),
    (b"\xff\xd8\xff", "a picture", _GPX),
    (b"\xff\xfe", "text in UTF-16 or UTF-32", "Save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "Save it as UTF-8"),
    (b"\x00\x00\xfe\xff", "text in UTF-32", "Save it as UTF-8"),
)
_OTHER_ROOTS = {
    "html": "a web page",
    "osm": "an OpenStreetMap extract",
    "svg": "a drawing",
}


def read(file: Contents) -> RawPoints:
    """The points in a file, read by the first format that recognises it.

    Raises
    ------
    InputError for a file of no known format, and as its reader does.
    """
    format = next(format for format in FORMATS if format.recognises(file))
    try:
        _refuse_others(file, is_binary=format.is_binary)
        raw = format.read(file)
    except OtherKind as other:
        raise InputError(f"the file must be {READABLE}", value=other.seen, remedy=other.remedy) from None
    raw.format = raw.format or file.container or format.name
    return raw


def _refuse_others(file: Contents, *, is_binary: bool) -> None:
    """Raise `OtherKind` with the kind of file, for kinds that are recognised but cannot be read."""
    for beginning, kind, remedy in _OTHER_BEGINNINGS:
        if file.data.startswith(beginning):
            raise OtherKind(kind, remedy)
    if b"\x00" in file.data and not is_binary:
        raise OtherKind("a file that is not text", _GPX)
    if not file.data.strip():
        raise OtherKind("an empty file")
    if file.root in _OTHER_ROOTS:
        raise OtherKind(_OTHER_ROOTS[file.root], _GPX)

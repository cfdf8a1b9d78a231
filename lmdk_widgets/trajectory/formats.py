"""The formats of tracks: the one list of what is read, and the kinds of files that are known and not read.

A format is a module of this folder with two functions: `recognises` tells from the content, never from the name, whether
a file is of the format, and `read` gives its points. To add a format, write its module and name it in `FORMATS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents


class Format(NamedTuple):
    """A format.

    Attributes
    ----------
    name : in lists. suffixes : offered by the page's upload buttons.
    module : in this folder. hint : what a file of the format must have, where its name does not say it.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    hint: str = ""


FORMATS = (
    Format("KML", (".kml",), "kml_file"),
    Format("GPX", (".gpx",), "gpx_file"),
    Format("GeoJSON", (".geojson", ".json"), "geojson_file"),
    Format("Geolife .plt", (".plt",), "geolife_file"),
    Format("CSV", (".csv", ".txt", ".tsv"), "csv_file", "with headings for latitude, longitude and time"),
)
"""In the order in which they are tried: the last takes what no other recognises."""

NAMES = joined((format.name for format in FORMATS), "or")
READABLE = joined((f"{format.name} {format.hint}".strip() for format in FORMATS), "or")
SUFFIXES = ",".join(suffix for format in FORMATS for suffix in format.suffixes)

_GPX = "Export the track as GPX"
_OTHER_BEGINNINGS = (  # how other formats begin, what they are, what to do
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
_OTHER_ROOTS = {
    "trainingcenterdatabase": "TCX, which Garmin writes",
    "html": "a web page",
    "osm": "an OpenStreetMap extract",
    "svg": "a drawing",
}


def read_points(file: Contents) -> RawPoints:
    """The points of a file, by the reader of its format; InputError, naming the kind, for known kinds that have none."""
    _refuse_others(file)
    readers = (import_module(f"lmdk_widgets.trajectory.{format.module}") for format in FORMATS)
    return next(reader for reader in readers if reader.recognises(file)).read(file)


def no_track(seen: str, remedy: str = "") -> InputError:
    """The refusal of a file that is something else."""
    return InputError(f"the file must be {READABLE}", value=seen, remedy=remedy)


def _refuse_others(file: Contents) -> None:
    if file.data[8:12] == b".FIT":
        raise no_track("FIT, which sports watches write", _GPX)
    for beginning, kind, remedy in _OTHER_BEGINNINGS:
        if file.data.startswith(beginning):
            raise no_track(kind, remedy)
    if b"\x00" in file.data:
        raise no_track("a file that is not text", _GPX)
    if not file.data.strip():
        raise no_track("an empty file")
    if file.root in _OTHER_ROOTS:
        raise no_track(_OTHER_ROOTS[file.root], _GPX)

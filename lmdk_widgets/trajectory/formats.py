"""Reading tracks: the one list of the formats that are read, and the kinds of files that are known and not read.

A format is a module of this folder with two functions: `recognises` tells from the content, never from the name, whether
a file is of the format, and `read` gives its points. To add a format, write its module and name it in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple

from lmdk_widgets.checks import joined, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import parts, repeats
from lmdk_widgets.trajectory.chosen import Chosen
from lmdk_widgets.trajectory.clean import clean
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Source, read_source
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.zones import find_zone


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
    Format("TCX", (".tcx",), "tcx_file"),
    Format("GPX", (".gpx",), "gpx_file"),
    Format("Google's location history", (".json",), "google_file"),
    Format("GeoJSON", (".geojson",), "geojson_file"),
    Format("FIT", (".fit",), "fit_file"),
    Format("NMEA", (".nmea", ".nma", ".log"), "nmea_file"),
    Format("Parquet", (".parquet", ".geoparquet"), "parquet_file"),
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


READ_AGAIN = (
    "timezone",
    "day_first",
    "on_problem",
    "on_repeat",
    "on_several",
    "person",
    "days",
    "columns",
    "headings",
    "epsg",
)
"""Options of `load_trajectory`: what may be chosen for a file, on a page as well."""


def load_trajectory(
    source: Source,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str = "stop",
    on_repeat: str | None = None,
    on_several: str = "join",
    person: str | None = None,
    days: Sequence[str] | None = None,
    columns: Mapping[str, int | str] | None = None,
    headings: bool = True,
    epsg: int | None = None,
) -> Trajectory:
    """Read a track from a file; points in order of time, what was done to them in `notices`.

    Each of the `FORMATS` is described by its module, such as CSV (headings in any order; comma, semicolon, tab or bar;
    decimal point or comma), GPX (tracks, else routes), GeoJSON (Points with times, or lines with `coordTimes`) and
    Geolife .plt. Which it is the content tells, not the name. A column or property `landmark`, and the waypoints of a GPX
    file, propose landmarks.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object.
    timezone : IANA name of the zone of times that carry none ("Europe/Paris"); GPX and Geolife are UTC by definition. Pages
        show the track's times in it.
    day_first : whether 1/2/2026 is the first of February.
    on_problem : "stop" raises for points that cannot be used (no place, no time, a repeated time), "drop" leaves them
        out; of points with one time the first in the file stays.
    on_repeat : of points with one time "first" and "last" keep that one in the file, "average" the mean of their places;
        "stop" raises, whatever `on_problem` says; None does what `on_problem` says.
    on_several : where a column such as user_id has several values, or a file several tracks, "join" reads them as one and
        says so, "stop" raises.
    person : the value of that column, or the name of the track, that is read alone.
    days : first and last day that are read, such as ("2026-01-26", "2026-01-28"), by the clock of `timezone`, else UTC.
    columns : for a table whose headings do not say it, from "time" (or "date" and perhaps "clock"), "latitude" and
        "longitude" (or "x" and "y"), "person", "landmark" and "label" to a heading or a number from 0.
    headings : whether the first line of such a table names its columns.
    epsg : number of the coordinate reference system of x and y; needs pyproj.

    Returns
    -------
    Trajectory
        At least one and at most `MAX_TIMESTAMPS` points, times UTC and strictly increasing.

    Raises
    ------
    InputError
        With `kind` "timezone" (pass `timezone`), "day-order" (pass `day_first`), "columns" (pass `columns`), "people" (pass
        `person`) or "rows" (`rows` holds a line or point number and a reason for each; pass on_problem="drop" or
        `on_repeat`) where there is something to choose. No message holds a coordinate of the track.

    Examples
    --------
    >>> rows = b"48.86,2.34,2026-01-26T08:00Z,0\\n48.87,2.35,2026-01-26T07:00Z,1"
    >>> track = load_trajectory(b"lat,lon,time,landmark\\n" + rows)
    >>> len(track), track.landmarks, track.notices
    (2, (0,), ('2 of 2 rows came newest first; sorted.',))
    >>> rows = b"26/1/2026;48,86;2,34\\n26/1/2026;48,88;2,34\\n"
    >>> columns = {"date": 0, "latitude": 1, "longitude": 2}
    >>> track = load_trajectory(rows, timezone="UTC", columns=columns, headings=False, on_repeat="average")
    >>> track.latitude.round(2).tolist()
    [48.87]
    """
    if timezone is not None:
        find_zone(timezone)  # a misspelt zone is said even where none is needed
    one_of(on_problem, "on_problem", ("stop", "drop"))
    one_of(on_several, "on_several", ("join", "stop"))
    if on_repeat is not None:
        one_of(on_repeat, "on_repeat", ("stop", *repeats.CHOICES))
    for name, flag in (("day_first", day_first), ("headings", headings)):
        if not (isinstance(flag, bool) or (flag is None and name == "day_first")):
            raise refused(name, "True, False or None" if name == "day_first" else "True or False", flag)
    wanted = parts.span_of(days)
    file = read_source(source)
    if columns is not None:
        file = replace(file, chosen=Chosen(columns, headings, epsg))
    raw = parts.of_person(_read(file), person, ask=on_several == "stop")
    times = parse_times(raw.times, timezone="UTC" if raw.fixed_zone else timezone, day_first=day_first)
    if wanted:
        raw, times = parts.of_days(raw, times, wanted, timezone or "UTC")
    return clean(raw, times, drop=on_problem == "drop", name=file.name, zone=timezone or "", on_repeat=on_repeat)


def _read(file: Contents) -> RawPoints:
    """The points of a file, by the first of the formats that recognises it."""
    _refuse_others(file)
    for format in FORMATS:
        reader = import_module(f"lmdk_widgets.trajectory.{format.module}")
        if reader.recognises(file):
            return reader.read(file)
    raise AssertionError("the last format takes any file")


def no_track(seen: str, remedy: str = "") -> InputError:
    """The refusal of a file that is something else."""
    return InputError(f"the file must be {READABLE}", value=seen, remedy=remedy)


def _refuse_others(file: Contents) -> None:
    """InputError, naming the kind, for kinds of files that are known and not read."""
    for beginning, kind, remedy in _OTHER_BEGINNINGS:
        if file.data.startswith(beginning):
            raise no_track(kind, remedy)
    if b"\x00" in file.data and not file.is_binary:
        raise no_track("a file that is not text", _GPX)
    if not file.data.strip():
        raise no_track("an empty file")
    if file.root in _OTHER_ROOTS:
        raise no_track(_OTHER_ROOTS[file.root], _GPX)

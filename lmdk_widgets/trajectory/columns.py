"""What each column, or GeoJSON property, contains: by its usual names, or as the user says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import joined, refused, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.crowd import MOST_COLUMNS, may_name_people
from lmdk_widgets.trajectory.raw import RawPoints, read_flags
from lmdk_widgets.trajectory.times import DATE as DATE_SHAPE
from lmdk_widgets.trajectory.times import NUMBER, shape_of
from lmdk_widgets.trajectory.words import printable

# In each list, the first name found in a file is used. Names are compared without case, spaces and punctuation, and
# without a unit at the end: "Latitude (deg)" is "latitude".
LATITUDE = (
    *("latitude", "lat", "gpslatitude", "gpslat", "locationlatitude", "locationlat", "positionlatitude"),
    *("positionlat", "latitud", "breitengrad", "breite", "latitudine", "latitudee7", "late7", "latitudens", "y"),
)
LONGITUDE = (
    *("longitude", "lon", "lng", "long", "gpslongitude", "gpslon", "gpslng", "gpslong", "locationlongitude"),
    *("locationlon", "locationlng", "locationlong", "positionlongitude", "positionlon", "positionlong"),
    *("longitud", "laengengrad", "längengrad", "länge", "laenge", "longitudine", "longitudee7", "lone7", "lnge7"),
    *("longitudeew", "x"),
)
TIME = (
    *("timestamp", "datetime", "dateandtime", "trackedat", "recordedat", "loggedat", "measuredat", "observedat"),
    *("locatedat", "capturedat", "gpstimestamp", "gpsdatetime", "eventtime", "eventtimestamp", "fixtime", "devicetime"),
    *("unixtime", "unixtimestamp", "epoch", "epochtime", "unix", "time", "times", "gpstime", "localtime", "utc"),
    *("createdat", "timestampms", "timems", "epochms", "when", "ts", "dt", "horodatage", "horodate", "dateheure"),
    *("zeitstempel", "zeitpunkt", "datumzeit", "datumuhrzeit", "fechahora", "fechayhora", "dataora", "tijdstip", "t"),
)
DATE = ("date", "gpsdate", "localdate", "day", "datum", "fecha", "data")
EITHER = ("zeit", "uhrzeit", "heure", "hora", "ora", "tijd")
"""Headings of a clock time, next to a date, or of both in one column."""
CLOCK = ("time", "timeofday", "clocktime", "clock", "gpstime", "localtime", "hour", *EITHER)
LANDMARK = ("landmark", "islandmark", "lmdk", "islmdk", "landmarks")
LABEL = ("label", "labels")
IDENTITY = (
    *("userid", "user", "uid", "personid", "person", "individualid", "individuallocalidentifier", "vehicleid"),
    *("vehicle", "taxiid", "deviceid", "device", "taglocalidentifier", "mmsi", "icao24", "trackid", "trkid"),
    *("trajectoryid", "trajid", "tripid", "trip", "caid", "maid", "imei", "agentid", "agent", "driverid", "driver"),
)
WHOSE = (
    *IDENTITY,
    "household",
    "householdid",
    "home",
    "homeid",
    "meter",
    "meterid",
    "lclid",
    "customer",
    "customerid",
    "participant",
)
"""Headings, in the form of `plain`, of a column that distinguishes several series in one file."""
PREVIEWED, WIDEST = 20, 60
"""How many rows of a table are examined, and shown where its columns are chosen; and the most columns of a table of
places."""

_UNIT = re.compile(r"(deg|degree|degrees|decimaldegrees|dd|wgs84|utc|gmt)$")


def plain(heading: str) -> str:
    """A heading reduced to its letters and digits, without a unit at its end.

    Examples
    --------
    >>> plain("Latitude (deg)"), plain("#date_time"), plain("Timestamp [UTC]"), plain("utc")
    ('latitude', 'datetime', 'timestamp', 'utc')
    """
    letters = re.sub(r"[\W_]+", "", heading.lower())
    return _UNIT.sub("", letters) or letters


def says_utc(heading: str) -> bool:
    """Whether a heading itself names UTC as the zone of its times."""
    return bool(re.search(r"(utc|gmt)[\W_]*$", heading.lower()))


def find(keys: Mapping[str, int], names: Sequence[str], *, endings: bool = False) -> list[int]:
    """The plain headings with one of the names, best first; with `endings`, otherwise the only one that ends in one.

    Examples
    --------
    >>> find({"lat": 0, "x": 1, "longitude": 2}, LONGITUDE), find({"vehiclelatitude": 0}, LATITUDE, endings=True)
    ([2, 1], [0])
    """
    found = [keys[name] for name in names if name in keys]
    if not found and endings:
        long = tuple(name for name in names if len(name) >= 8)
        ending = [column for key, column in keys.items() if key.endswith(long)]
        found = ending if len(ending) == 1 else []
    return found


@dataclass(frozen=True)
class Columns:
    """The columns of a table, by index; -1 if there is none."""

    latitude: int
    longitude: int
    time: int
    date: int = -1
    landmark: int = -1
    label: int = -1
    identities: tuple[int, ...] = ()

    @property
    def needed(self) -> list[int]:
        """The columns to read, without those that name people."""
        optional = (self.date, self.landmark, self.label)
        return [self.latitude, self.longitude, self.time, *(column for column in optional if column >= 0)]

    def others(self, headings: Sequence[str]) -> list[int]:
        """The columns whose headings are unknown, and that may name people."""
        known = {*self.needed, *self.identities}
        named = [k for k, heading in enumerate(headings) if k not in known and may_name_people(heading)]
        return named[:MOST_COLUMNS]

    @property
    def score(self) -> int:
        """How many of the three needed columns were found, 0 to 3."""
        return (self.latitude >= 0) + (self.longitude >= 0) + (self.time >= 0)


def find_columns(headings: Sequence[str]) -> Columns:
    """Find the columns of a table by their headings; a date and a clock time may be in two columns."""
    keys = {
        plain(heading): column for column, heading in reversed(list(enumerate(headings)))
    }  # the first of duplicates

    def first(names: Sequence[str], *, endings: bool = False) -> int:
        return next(iter(find(keys, names, endings=endings)), -1)

    time, date = first(TIME, endings=True), first(DATE)
    if time < 0:
        time = first(CLOCK if date >= 0 else EITHER)
    elif plain(headings[time]) not in CLOCK:
        date = -1  # a timestamp needs no separate date
    if time < 0:
        time, date = date, -1
    latitude, longitude = first(LATITUDE, endings=True), first(LONGITUDE, endings=True)
    identities = tuple(find(keys, IDENTITY))
    return Columns(latitude, longitude, time, date, first(LANDMARK), first(LABEL), identities)


def times_in(columns: Columns, texts: Callable[[int], Sequence[str]]) -> Sequence[str]:
    """The time of each row, from one column or two; `texts` returns a column's texts."""
    times = texts(columns.time)
    return join_dates(texts(columns.date), times) if columns.date >= 0 else times


def in_degrees(latitude: Floats, longitude: Floats, headings: Sequence[str], columns: Columns) -> tuple[Floats, Floats]:
    """Latitude and longitude in degrees: whole numbers of 1e-7 degrees, which both headings name, are converted, and
    semicircles under the names of the FIT format, of which 2^31 are 180 degrees.

    Examples
    --------
    >>> columns = Columns(0, 1, 2)
    >>> north, east = in_degrees(np.array([482e6]), np.array([115e6]), ("latitudeE7", "longitudeE7"), columns)
    >>> north.tolist(), east.tolist()
    ([48.2], [11.5])
    """
    named = [headings[k] for k in (columns.latitude, columns.longitude)]
    e7 = all(heading.lower().rstrip().endswith("e7") for heading in named)
    fit = [plain(heading) for heading in named] == ["positionlat", "positionlong"]
    if not (e7 or fit) or np.nanmax(np.abs(latitude), initial=0.0) <= (90 if e7 else 1e6):
        return latitude, longitude
    degree = 1e7 if e7 else 2**31 / 180
    return latitude / degree, longitude / degree


def add_columns(
    raw: RawPoints,
    columns: Columns,
    headings: Sequence[str],
    texts: Callable[[int], Sequence[str]],
    what: str,
    others: Mapping[int, Sequence[str]] | None = None,
) -> None:
    """Add what the other columns say to the points: landmarks, labels, the zone, and whether there are several tracks.

    Parameters
    ----------
    others : the values of columns with unknown headings, which may name people too.
    """
    if columns.landmark >= 0:
        raw.is_landmark, unclear = read_flags(texts(columns.landmark))
        raw.add_problems(unclear)
    if columns.label >= 0 and any(labels := texts(columns.label)):
        raw.labels = [printable(label) for label in labels]
    if says_utc(headings[columns.time]):
        raw.fixed_zone = f'the {what} "{printable(headings[columns.time])}" says'
    raw.note_identities((headings[column], texts(column)) for column in columns.identities)
    called = [printable(heading) or str(column + 1) for column, heading in enumerate(headings)]
    raw.others = [(f'the {what} "{called[column]}"', values) for column, values in (others or {}).items()]


def join_dates(dates: Sequence[str], times: Sequence[str]) -> list[str]:
    """Date and clock time as one text for each row; a "time" that already has a date is used alone, and 7 means 7:00.

    Examples
    --------
    >>> join_dates(["26/1/2026"], ["15:57"]), join_dates(["26/1/2026"], ["2026-01-26T15:57Z"])
    (['26/1/2026 15:57'], ['2026-01-26T15:57Z'])
    >>> join_dates(["2026-01-26"], ["7"])
    ['2026-01-26 7:00']
    """
    sample = next((shape_of(time) for time in times if time.strip()), "")
    if DATE_SHAPE.match(sample) or (len(sample) > 8 and NUMBER.match(sample)):
        return list(times)
    end = ":00" if re.fullmatch("00?", sample) else ""
    pairs = ((date.strip(), time.strip()) for date, time in zip(dates, times, strict=True))
    return [f"{date} {time}{end if time else ''}".strip() for date, time in pairs]


class Meaning(NamedTuple):
    """What a column can contain: its name in Python, and its title on the page."""

    name: str
    title: str


MEANINGS = (
    Meaning("time", "date and time"),
    Meaning("date", "date"),
    Meaning("clock", "time of day"),
    Meaning("latitude", "latitude"),
    Meaning("longitude", "longitude"),
    Meaning("x", "x, to the east"),
    Meaning("y", "y, to the north"),
    Meaning("value", "value, or answer, of a series"),
    Meaning("person", "person or device"),
    Meaning("landmark", "landmark, yes or no"),
    Meaning("label", "label"),
)
NAMES = tuple(meaning.name for meaning in MEANINGS)
HIGHEST_EPSG = 999_999
_BACK = 1.0
"""The largest error of converting to degrees and back, in the unit of the system, usually metres."""


@dataclass(frozen=True)
class Chosen:
    """The columns chosen by the user.

    Attributes
    ----------
    columns : the column for each meaning in `MEANINGS`, by its heading or its number from 0.
    headings : whether the first line names the columns.
    epsg : EPSG number of the coordinate reference system of x and y, None if latitude and longitude are given.
    """

    columns: Mapping[str, int | str] = field(default_factory=dict)
    headings: bool = True
    epsg: int | None = None

    def __post_init__(self) -> None:
        given = self.columns
        if not isinstance(given, Mapping) or not given or not all(name in NAMES for name in given):
            raise refused("columns", f"a dict from {joined(NAMES, 'or')} to a heading or a number from 0", given)
        has = given.keys().__contains__
        if self.is_series:
            self._check_series()
            return
        if not (has("time") or has("date")) or (has("clock") and not has("date")) or (has("time") and has("date")):
            raise _missing("a column with date and time, or one with the date and perhaps one with the time of day")
        if not (has("latitude") and has("longitude") and not has("x") and not has("y")) and not (
            has("x") and has("y") and not has("latitude") and not has("longitude")
        ):
            raise _missing("columns with latitude and longitude, or with x and y")
        if has("x"):
            if self.epsg is None:
                raise InputError(
                    "x and y must come with the EPSG number of their coordinate reference system",
                    remedy="The source of the data should state it: 25832, for example, in Germany, 2154 in France",
                    argument="epsg=25832",
                    kind="columns",
                )
            whole(self.epsg, "EPSG", least=1, most=HIGHEST_EPSG)
        if len(set(given.values())) < len(given):
            raise _missing("each column at most once")

    @property
    def is_series(self) -> bool:
        """Whether these are columns of a series of values, without places."""
        return "value" in self.columns

    def _check_series(self) -> None:
        """Check the columns of a series: a value needs no place, and no time, as readings without one are a minute apart."""
        given = self.columns.keys()
        if given & {"latitude", "longitude", "x", "y"}:
            raise _missing("a value, or a place, not both")
        if ("clock" in given and "date" not in given) or {"time", "date"} <= given:
            raise _missing("a column with date and time, or one with the date and perhaps one with the time of day")
        if len(set(self.columns.values())) < len(self.columns):
            raise _missing("each column at most once")

    def number_of(self, name: str, headings: Sequence[str]) -> int:
        """The number of the column with the meaning `name`."""
        return _number(self.columns[name], headings)

    def found_in(self, headings: Sequence[str]) -> Columns:
        """The columns by number.

        Examples
        --------
        >>> columns = Chosen({"time": "when", "latitude": 1, "longitude": 2}).found_in(["When", "n", "e"])
        >>> columns.time, columns.latitude, columns.longitude, columns.date
        (0, 1, 2, -1)
        """
        if self.is_series:
            raise _missing("columns with latitude and longitude, or with x and y")
        at = {name: _number(value, headings) for name, value in self.columns.items()}
        time = at.get("time", at.get("clock", at.get("date", -1)))
        date = at["date"] if "clock" in at else -1
        north, east = at.get("latitude", at.get("y", -1)), at.get("longitude", at.get("x", -1))
        people = (at["person"],) if "person" in at else ()
        return Columns(north, east, time, date, at.get("landmark", -1), at.get("label", -1), people)


def project(raw: RawPoints, epsg: int) -> None:
    """Convert x and y, which are stored as longitude and latitude, to degrees of WGS84.

    Raises
    ------
    InputError if there is no such system, or pyproj is not installed.
    """
    pyproj = library("pyproj", "A table with projected coordinates")
    try:
        system = pyproj.CRS.from_epsg(epsg)
        across = pyproj.Transformer.from_crs(system, "EPSG:4326", always_xy=True)
        east, north = across.transform(raw.longitude, raw.latitude)
        back = across.transform(east, north, direction="INVERSE")
    except pyproj.exceptions.ProjError:
        remedy = "Look it up at the source of the data"
        known = "the EPSG number of a projected coordinate reference system"
        raise InputError(f"EPSG must be {known}", value=str(epsg), remedy=remedy, kind="columns") from None
    # Written so that non-finite points count as nowhere; points that do not convert back are outside the system's area.
    nowhere = ~(np.hypot(back[0] - raw.longitude, back[1] - raw.latitude) < _BACK)
    raw.add_problems(dict.fromkeys(np.flatnonzero(nowhere).tolist(), f"x and y are not a place in EPSG:{epsg}"))
    raw.longitude, raw.latitude = np.where(nowhere, np.nan, east), np.where(nowhere, np.nan, north)
    raw.notices.append(f"Coordinates were converted from EPSG:{epsg} ({printable(str(system.name), 60)}) to degrees.")


def _number(value: Any, headings: Sequence[str]) -> int:
    """The number of a column given by its heading, or by its number from 0."""
    if isinstance(value, str):
        wanted = plain(value)
        same = [column for column, heading in enumerate(headings) if heading == value or plain(heading) == wanted]
        if not same:
            raise InputError(f'the table must have a column named "{printable(value, 40)}"', kind="columns")
        return same[0]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(headings):
        raise refused("columns", f"headings, or numbers from 0 to {len(headings) - 1}", value, kind="columns")
    return value


def _missing(what: str) -> InputError:
    return InputError(f"the columns of a table must include {what}", kind="columns")

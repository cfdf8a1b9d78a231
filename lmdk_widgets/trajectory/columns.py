"""Which column, or which GeoJSON property, holds what: the names that programs and people give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lmdk_widgets.trajectory import shapes
from lmdk_widgets.trajectory.raw import RawPoints, read_flags
from lmdk_widgets.trajectory.words import printable

# In each list the first name that a file has wins. Names are compared without case, spaces and punctuation, and
# without a unit behind them: "Latitude (deg)" is "latitude".
LATITUDE = (
    *("latitude", "lat", "gpslatitude", "gpslat", "locationlatitude", "locationlat", "positionlatitude"),
    *("positionlat", "latitud", "breitengrad", "y"),
)
LONGITUDE = (
    *("longitude", "lon", "lng", "long", "gpslongitude", "gpslon", "gpslng", "gpslong", "locationlongitude"),
    *("locationlon", "locationlng", "locationlong", "positionlongitude", "positionlon", "positionlong"),
    *("longitud", "laengengrad", "längengrad", "x"),
)
TIME = (
    *("timestamp", "datetime", "dateandtime", "trackedat", "recordedat", "loggedat", "measuredat", "observedat"),
    *("locatedat", "capturedat", "gpstimestamp", "gpsdatetime", "eventtime", "eventtimestamp", "fixtime", "devicetime"),
    *("unixtime", "unixtimestamp", "epoch", "epochtime", "unix", "time", "times", "gpstime", "localtime", "utc"),
    *("createdat", "timestampms", "timems", "epochms", "when", "ts", "dt", "t"),
)
DATE = ("date", "gpsdate", "localdate", "day")
CLOCK = ("time", "timeofday", "clocktime", "clock", "gpstime", "localtime", "hour")
LANDMARK = ("landmark", "islandmark", "lmdk", "islmdk", "landmarks")
LABEL = ("label", "labels")
IDENTITY = (
    *("userid", "user", "uid", "personid", "person", "individualid", "individuallocalidentifier", "vehicleid"),
    *("vehicle", "taxiid", "deviceid", "device", "taglocalidentifier", "mmsi", "icao24", "trackid", "trkid"),
    *("trajectoryid", "trajid", "tripid", "trip"),
)
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
    """Which plain headings have one of the names, the best first; with `endings`, else the only one that ends so.

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
    """The columns of a table, by index; -1 where there is none."""

    latitude: int
    longitude: int
    time: int
    date: int = -1
    landmark: int = -1
    label: int = -1
    identities: tuple[int, ...] = ()

    @property
    def needed(self) -> list[int]:
        """The columns to be read, without those that name people."""
        optional = (self.date, self.landmark, self.label)
        return [self.latitude, self.longitude, self.time, *(column for column in optional if column >= 0)]

    @property
    def score(self) -> int:
        """How much of what is needed was found, 0 to 3."""
        return (self.latitude >= 0) + (self.longitude >= 0) + (self.time >= 0)


def find_columns(headings: Sequence[str]) -> Columns:
    """Find the columns of a table by their headings; a date and a clock time may stand in two columns."""
    keys = {plain(heading): column for column, heading in reversed(list(enumerate(headings)))}  # of two the first

    def first(names: Sequence[str], *, endings: bool = False) -> int:
        return next(iter(find(keys, names, endings=endings)), -1)

    time, date = first(TIME, endings=True), first(DATE)
    if time < 0:
        time = first(CLOCK) if date >= 0 else -1
    elif plain(headings[time]) not in CLOCK:
        date = -1  # a timestamp needs no date beside it
    if time < 0:
        time, date = date, -1
    latitude, longitude = first(LATITUDE, endings=True), first(LONGITUDE, endings=True)
    identities = tuple(find(keys, IDENTITY))
    return Columns(latitude, longitude, time, date, first(LANDMARK), first(LABEL), identities)


def times_in(columns: Columns, texts: Callable[[int], Sequence[str]]) -> Sequence[str]:
    """The time of each row, from one column or two; `texts` gives those of a column."""
    times = texts(columns.time)
    return join_dates(texts(columns.date), times) if columns.date >= 0 else times


def add_columns(
    raw: RawPoints, columns: Columns, headings: Sequence[str], texts: Callable[[int], Sequence[str]], what: str
) -> None:
    """Give the points what the other columns say: landmarks, labels, the zone, and whether they are of several tracks."""
    if columns.landmark >= 0:
        raw.is_landmark, unclear = read_flags(texts(columns.landmark))
        raw.add_problems(unclear)
    if columns.label >= 0 and any(labels := texts(columns.label)):
        raw.labels = [printable(label) for label in labels]
    if says_utc(headings[columns.time]):
        raw.fixed_zone = f'the {what} "{printable(headings[columns.time])}" says'
    raw.note_identities((headings[column], texts(column)) for column in columns.identities)


def join_dates(dates: Sequence[str], times: Sequence[str]) -> list[str]:
    """Date and clock time as one text for each row; a "time" that already has its date stands alone.

    Examples
    --------
    >>> join_dates(["26/1/2026"], ["15:57"]), join_dates(["26/1/2026"], ["2026-01-26T15:57Z"])
    (['26/1/2026 15:57'], ['2026-01-26T15:57Z'])
    """
    sample = next((shapes.shape_of(time) for time in times if time.strip()), "")
    if shapes.DATE.match(sample) or (len(sample) > 8 and shapes.NUMBER.match(sample)):
        return list(times)
    return [f"{date.strip()} {time.strip()}".strip() for date, time in zip(dates, times, strict=True)]

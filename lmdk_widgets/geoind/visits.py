"""Check-ins of many people: a table with one line per check-in, or one line per place with its count."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame
from lmdk_widgets.trajectory.columns import find, find_columns, join_dates, plain
from lmdk_widgets.trajectory.times import parse_times

COUNT = ("count", "counts", "checkins", "visits")
"""Headings of a column that says how many check-ins a line represents; the first one found in a file is used."""

MOST_COUNTED = 10**9
MOST_VISITS = 1_000_000
SHOWN_PROBLEMS = 50
FARTHEST = 80.0
"""Degrees of latitude up to which a grid may have its centre."""
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True, eq=False)
class Visits:
    """Check-ins at places.

    Attributes
    ----------
    latitude, longitude : (k,) degrees; never part of a message, a link or the repr.
    counts : (k,) how many check-ins each place represents, whole numbers from 1; None: one each.
    hours : (k,) since midnight, solar time, in [0, 24), nan where a time cannot be read; None if the file has no times.
    """

    latitude: Floats = field(repr=False)
    longitude: Floats = field(repr=False)
    counts: Floats | None = field(default=None, repr=False)
    hours: Floats | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return int(self.weights.sum())

    @property
    def weights(self) -> Floats:
        """How many check-ins each place represents, (k,)."""
        return np.ones(len(self.latitude)) if self.counts is None else self.counts

    def __repr__(self) -> str:
        return f"Visits({len(self)} check-ins)"

    def half(self, name: str) -> Floats:
        """How many check-ins each place represents in the "morning", before noon, or in the "evening", (k,).

        Raises
        ------
        InputError : no times in the file.
        """
        if self.hours is None:
            remedy = "Upload a file with a column of times, or choose another prior"
            raise InputError("Check-ins must have times for mornings and evenings", value="none", remedy=remedy)
        return np.where((self.hours < 12) if name == "morning" else (self.hours >= 12), self.weights, 0.0)

    def located(self, frame: LocalFrame) -> tuple[Floats, Floats]:
        """Their positions in a frame, (k, 2) metres, and how much each place counts, (k,)."""
        return frame.to_metres(self.latitude, self.longitude), self.weights


@cached("visitor", entries=8)
def crowded(visits: Visits, wide_m: float, tall_m: float) -> tuple[float, float]:
    """The centre of a rectangle that contains many of the check-ins: latitude and longitude, degrees; never shown.

    The check-ins are counted in adjacent rectangles of that size; the fullest one is centred on the median of its check-ins
    if it then contains as many or more. So it contains at least one, up to a latitude of 80 degrees. O(k log k).

    Examples
    --------
    >>> [round(d, 6) for d in crowded(Visits(np.array([10.0, 10.01, 48.0]), np.array([20.0, 20.01, 2.0])), 5000, 5000)]
    [10.005, 20.005]
    """
    tall = np.degrees(tall_m / EARTH_RADIUS_M)
    band = np.floor(visits.latitude / tall)
    wide = np.degrees(wide_m / EARTH_RADIUS_M) / np.cos(np.radians(np.minimum(np.abs(band + 0.5) * tall, 89)))
    column = np.floor(visits.longitude / wide)
    _, first, which = np.unique(band * 2.0**26 + column, return_index=True, return_inverse=True)
    fullest = int(np.bincount(which, visits.weights).argmax())
    here, one = which == fullest, first[fullest]
    centres = [
        (float(np.median(visits.latitude[here])), float(np.median(visits.longitude[here]))),
        (float((band[one] + 0.5) * tall), float((column[one] + 0.5) * wide[one])),
        (float(visits.latitude[one]), float(visits.longitude[one])),  # which lies in its own rectangle, however curved
    ]
    centres = [(max(-FARTHEST, min(FARTHEST, latitude)), longitude) for latitude, longitude in centres]

    def inside(centre: tuple[float, float]) -> int:
        points, weights = visits.located(LocalFrame(*centre))
        return int(weights[(np.abs(points) <= (wide_m / 2, tall_m / 2)).all(axis=1)].sum())

    return max(centres, key=inside)


@dataclass(frozen=True)
class Heading:
    """How to read a table: the separator of its columns, and which of them are the coordinates, counts and times; -1 for
    none."""

    separator: str
    latitude: int
    longitude: int
    count: int = -1
    time: int = -1
    date: int = -1


def refuse(problems: Sequence[tuple[int, str]], allowed: str) -> None:
    """Refuses a check-in file with wrong lines, if there are any, giving the number of each and a reason."""
    if problems:
        line, reason = problems[0]
        raise InputError(f"Line {line:,} of the check-in file must {allowed}", value=reason, rows=problems)


def find_heading(line: str) -> Heading | None:
    """The heading of a table of check-ins, if the line is one.

    Examples
    --------
    >>> find_heading("user;time;Latitude (deg);lng")
    Heading(separator=';', latitude=2, longitude=3, count=-1, time=1, date=-1)
    >>> find_heading("48.86,2.33") is None
    True
    """
    for separator in _SEPARATORS:
        names = [name.strip().strip('"') for name in line.split(separator)]
        columns = find_columns(names)
        if columns.latitude >= 0 and columns.longitude >= 0:
            counts = find({plain(name): k for k, name in reversed(list(enumerate(names)))}, COUNT)
            found = columns.latitude, columns.longitude, next(iter(counts), -1)
            return Heading(separator, *found, columns.time, columns.date)
    return None


def read_visits(lines: Sequence[str], heading: Heading, begin: int) -> Visits:
    """The check-ins on the lines after a heading.

    Parameters
    ----------
    lines : of the whole file. heading : as `find_heading` returned it. begin : index of the first line after the heading.

    Raises
    ------
    InputError : with the numbers of the lines in which a value is missing, not a number, or out of range.

    Examples
    --------
    >>> len(read_visits(["lat;lon;id", "48,86;2,33;a", "", "48.87;2.34;b"], Heading(";", 0, 1), 1))
    2
    """
    read: list[tuple[float, float, float]] = []
    times: list[str] = []
    problems: list[tuple[int, str]] = []
    rows = csv.reader(lines[begin:], delimiter=heading.separator, skipinitialspace=True)
    try:
        for row in rows:
            if not any(text.strip() for text in row):
                continue
            *numbers, problem = _numbers(row, heading)
            if problem:
                problems.append((begin + rows.line_num, problem))
            elif numbers[2]:
                read.append((numbers[0], numbers[1], numbers[2]))
                times.append(_time(row, heading))
            if len(problems) > SHOWN_PROBLEMS or len(read) > MOST_VISITS:
                break
    except csv.Error:
        problems.append((begin + rows.line_num, "an open quotation mark"))
    limits = "between -90 and 90 degrees, and a longitude between -180 and 180"
    if heading.count >= 0:
        limits = f"{limits.replace(', and', ',')}, and a count that is a whole number between 0 and {MOST_COUNTED:,}"
    refuse(problems, f"have a latitude {limits}")
    if not 0 < len(read) <= MOST_VISITS:
        what = f"between 1 and {MOST_VISITS:,} check-ins under its heading"
        raise InputError(f"A check-in file must have {what}", value="more" if read else "none")
    latitude, longitude, counts = np.array(read).T
    hours = solar_hours(times, longitude) if heading.time >= 0 else None
    return Visits(latitude, longitude, counts if heading.count >= 0 else None, hours)


def _time(row: Sequence[str], heading: Heading) -> str:
    cells = [row[k].strip() if 0 <= k < len(row) else "" for k in (heading.date, heading.time)]
    return join_dates([cells[0]], [cells[1]])[0] if heading.date >= 0 else cells[1]


def solar_hours(times: Sequence[str], longitude: Floats) -> Floats | None:
    """Hours since midnight in solar time, (k,), or clock time if no time has a zone; None if no time can be read.

    Examples
    --------
    >>> solar_hours(["2026-03-01T11:00Z", "2026-03-01T12:30Z", "soon"], np.array([0.0, -15.0, 0.0])).tolist()
    [11.0, 11.5, nan]
    >>> solar_hours(["2026-03-01 09:00"], np.array([120.0])).tolist()
    [9.0]
    """
    read = parse_times(times, timezone="UTC", day_first=True)
    there = ~np.isnat(read.utc)
    if not there.any():
        return None
    seconds = (read.utc - read.utc.astype("datetime64[D]")) / np.timedelta64(1, "s")
    by_clock = read.without_zone == there.sum()
    hours = (seconds / 3600 + (0.0 if by_clock else longitude / 15)) % 24
    return np.where(there, hours, np.nan)


def _numbers(row: Sequence[str], heading: Heading) -> tuple[float, float, float, str]:
    """Latitude, longitude and count of a line, and what is wrong with it."""
    latitude, one = _degrees(row, heading, "latitude", 90)
    longitude, two = _degrees(row, heading, "longitude", 180)
    count, three = (1.0, "") if heading.count < 0 else _count(row, heading)
    return latitude, longitude, count, one or two or three


def _count(row: Sequence[str], heading: Heading) -> tuple[float, str]:
    text = row[heading.count].strip() if heading.count < len(row) else ""
    if not text:
        return math.nan, "no count"
    try:
        value = float(text)
    except ValueError:
        return math.nan, "a count that is not a number"
    if 0 <= value <= MOST_COUNTED and value == int(value):
        return value, ""
    return math.nan, f"a count that is not a whole number between 0 and {MOST_COUNTED:,}"


def _degrees(row: Sequence[str], heading: Heading, name: str, most: float) -> tuple[float, str]:
    """A coordinate, and what is wrong with it; the message omits the value, as it may be where someone lives."""
    column = heading.latitude if name == "latitude" else heading.longitude
    text = row[column].strip() if column < len(row) else ""
    if not text:
        return math.nan, f"no {name}"
    try:
        value = float(text.replace(",", ".") if heading.separator != "," else text)
    except ValueError:
        return math.nan, f"a {name} that is not a number"
    return value, "" if abs(value) <= most else f"a {name} that is not between -{most:g} and {most:g} degrees"

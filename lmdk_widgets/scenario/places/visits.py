"""Check-in files with a line for each check-in: where it was, beside columns that are passed over."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.trajectory.columns import find_columns

MOST_VISITS = 1_000_000
SHOWN_PROBLEMS = 50
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True, eq=False)
class Visits:
    """Check-ins, each at a place.

    Attributes
    ----------
    latitude, longitude : (k,) degrees; never part of a message, of a link or of the repr.
    """

    latitude: Floats = field(repr=False)
    longitude: Floats = field(repr=False)

    def __len__(self) -> int:
        return len(self.latitude)

    def __repr__(self) -> str:
        return f"Visits({len(self)} check-ins)"

    def located(self, frame: LocalFrame) -> tuple[Floats, Floats]:
        """Where they are in a frame, (k, 2) metres, and how much each of them counts, (k,)."""
        return frame.to_metres(self.latitude, self.longitude), np.ones(len(self))


@dataclass(frozen=True)
class Heading:
    """How a table is to be read: what stands between its columns, and which of them are the coordinates."""

    separator: str
    latitude: int
    longitude: int


def find_heading(line: str) -> Heading | None:
    """The heading of a table of check-ins, if a line is one.

    Examples
    --------
    >>> find_heading("user;time;Latitude (deg);lng")
    Heading(separator=';', latitude=2, longitude=3)
    >>> find_heading("48.86,2.33") is None
    True
    """
    for separator in _SEPARATORS:
        columns = find_columns([name.strip().strip('"') for name in line.split(separator)])
        if columns.latitude >= 0 and columns.longitude >= 0:
            return Heading(separator, columns.latitude, columns.longitude)
    return None


def read_visits(lines: Sequence[str], heading: Heading, begin: int) -> Visits:
    """The check-ins on the lines after a heading.

    Parameters
    ----------
    lines : of the whole file. heading : as `find_heading` gave it. begin : index of the first line after the heading.

    Raises
    ------
    InputError : with the numbers of the lines whose latitude or longitude is missing, no number, or out of range.

    Examples
    --------
    >>> len(read_visits(["lat;lon;id", "48,86;2,33;a", "", "48.87;2.34;b"], Heading(";", 0, 1), 1))
    2
    """
    latitudes: list[float] = []
    longitudes: list[float] = []
    problems: list[tuple[int, str]] = []
    reader = csv.reader(lines[begin:], delimiter=heading.separator, skipinitialspace=True)
    try:
        for row in reader:
            if not any(text.strip() for text in row):
                continue
            latitude, one = _degrees(row, heading, "latitude", 90)
            longitude, other = _degrees(row, heading, "longitude", 180)
            latitudes.append(latitude)
            longitudes.append(longitude)
            if one or other:
                problems.append((begin + reader.line_num, one or other))
            if len(problems) > SHOWN_PROBLEMS or len(latitudes) > MOST_VISITS:
                break
    except csv.Error:
        problems.append((begin + reader.line_num, "an open quotation mark"))
    if problems:
        line, reason = problems[0]
        what = "a latitude between -90 and 90 degrees, and a longitude between -180 and 180"
        raise InputError(f"Line {line:,} of the check-in file must have {what}", value=reason, rows=problems)
    if not 0 < len(latitudes) <= MOST_VISITS:
        what = f"between 1 and {MOST_VISITS:,} check-ins under its heading"
        raise InputError(f"A check-in file must have {what}", value="more" if latitudes else "none")
    return Visits(np.array(latitudes), np.array(longitudes))


def _degrees(row: Sequence[str], heading: Heading, name: str, most: float) -> tuple[float, str]:
    """A coordinate, and what is wrong with it; the value is not said, as it may be where somebody lives."""
    column = heading.latitude if name == "latitude" else heading.longitude
    text = row[column].strip() if column < len(row) else ""
    if not text:
        return math.nan, f"no {name}"
    try:
        value = float(text.replace(",", ".") if heading.separator != "," else text)
    except ValueError:
        return math.nan, f"a {name} that is not a number"
    return value, "" if abs(value) <= most else f"a {name} that is not between -{most:g} and {most:g} degrees"

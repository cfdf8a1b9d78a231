"""The columns of a table whose meaning somebody has said, instead of its headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import joined, refused, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.columns import Columns, plain
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.words import printable


class Meaning(NamedTuple):
    """What a column can hold: its name in Python, and its title where one chooses."""

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
    Meaning("person", "person or device"),
    Meaning("landmark", "landmark, yes or no"),
    Meaning("label", "label"),
)
NAMES = tuple(meaning.name for meaning in MEANINGS)
HIGHEST_EPSG = 999_999
_BACK = 1.0
"""How far from a place the way to degrees and back may lead, in the unit of the system, mostly metres."""


@dataclass(frozen=True)
class Chosen:
    """The columns as somebody has chosen them.

    Attributes
    ----------
    columns : the column of each meaning in `MEANINGS`, by its heading or its number from 0.
    headings : whether the first line names the columns.
    epsg : number of the coordinate reference system of x and y, None where latitude and longitude are given.
    """

    columns: Mapping[str, int | str] = field(default_factory=dict)
    headings: bool = True
    epsg: int | None = None

    def __post_init__(self) -> None:
        given = self.columns
        if not isinstance(given, Mapping) or not given or not all(name in NAMES for name in given):
            raise refused("columns", f"a dict from {joined(NAMES, 'or')} to a heading or a number from 0", given)
        has = given.keys().__contains__
        if not (has("time") or has("date")) or (has("clock") and not has("date")) or (has("time") and has("date")):
            raise _missing("a column of date and time, or one of the date and perhaps one of the time of day")
        if not (has("latitude") and has("longitude") and not has("x") and not has("y")) and not (
            has("x") and has("y") and not has("latitude") and not has("longitude")
        ):
            raise _missing("columns of latitude and longitude, or of x and y")
        if has("x"):
            if self.epsg is None:
                raise InputError(
                    "x and y must come with the EPSG number of their coordinate reference system",
                    remedy="It stands where the data come from: 25832, for example, in Germany, 2154 in France",
                    argument="epsg=25832",
                    kind="columns",
                )
            whole(self.epsg, "EPSG", least=1, most=HIGHEST_EPSG)
        if len(set(given.values())) < len(given):
            raise _missing("each column at most once")

    def found_in(self, headings: Sequence[str]) -> Columns:
        """The columns by number.

        Examples
        --------
        >>> columns = Chosen({"time": "when", "latitude": 1, "longitude": 2}).found_in(["When", "n", "e"])
        >>> columns.time, columns.latitude, columns.longitude, columns.date
        (0, 1, 2, -1)
        """
        at = {name: _number(value, headings) for name, value in self.columns.items()}
        time = at.get("time", at.get("clock", at.get("date", -1)))
        date = at["date"] if "clock" in at else -1
        north, east = at.get("latitude", at.get("y", -1)), at.get("longitude", at.get("x", -1))
        people = (at["person"],) if "person" in at else ()
        return Columns(north, east, time, date, at.get("landmark", -1), at.get("label", -1), people)


def project(raw: RawPoints, epsg: int) -> None:
    """Turn x and y, which stand in longitude and latitude, into degrees of WGS84.

    Raises
    ------
    InputError where there is no such system, and where pyproj is not installed.
    """
    pyproj = library("pyproj", "A table with projected coordinates")
    try:
        system = pyproj.CRS.from_epsg(epsg)
        across = pyproj.Transformer.from_crs(system, "EPSG:4326", always_xy=True)
        east, north = across.transform(raw.longitude, raw.latitude)
        back = across.transform(east, north, direction="INVERSE")
    except pyproj.exceptions.ProjError:
        remedy = "Look it up where the data come from"
        known = "the EPSG number of a coordinate reference system in the plane"
        raise InputError(f"EPSG must be {known}", value=str(epsg), remedy=remedy, kind="columns") from None
    # Written so that what is not finite is nowhere; what does not lead back lies outside of what the system can show.
    nowhere = ~(np.hypot(back[0] - raw.longitude, back[1] - raw.latitude) < _BACK)
    raw.add_problems(dict.fromkeys(np.flatnonzero(nowhere).tolist(), f"x and y are no place of EPSG:{epsg}"))
    raw.longitude, raw.latitude = np.where(nowhere, np.nan, east), np.where(nowhere, np.nan, north)
    raw.notices.append(f"Coordinates were turned from EPSG:{epsg} ({printable(str(system.name), 60)}) into degrees.")


def _number(value: Any, headings: Sequence[str]) -> int:
    """The number of a column that was named, or numbered from 0."""
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
    return InputError(f"the columns of a table must hold {what}", kind="columns")

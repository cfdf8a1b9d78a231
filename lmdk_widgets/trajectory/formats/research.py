"""Reading three published data sets, tables without a heading: T-Drive, Cabspotting and Gowalla's check-ins.

Sources: Yuan et al., "T-Drive: driving directions based on taxi trajectories", 2010; Piorkowski et al., "CRAWDAD data set
epfl/mobility", 2009; Cho et al., "Friendship and mobility", 2011. Each is recognised by the shape of its lines.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lmdk_widgets.trajectory.columns import Columns, add_columns
from lmdk_widgets.trajectory.formats.csv import lines_of, read_rows, table_points
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Format

_DEGREES, _ISO = r"[+-]?\d{1,3}\.\d+", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
_JUDGED = 5
"""How many lines are checked to recognise a file; all must have the shape."""


class Shape(NamedTuple):
    """A line of a data set: its pattern, its separator, and the headings of its cells."""

    line: str
    separator: str
    headings: tuple[str, ...]

    @property
    def columns(self) -> Columns:
        place = {heading: k for k, heading in enumerate(self.headings)}
        people = (place["user"],) if "user" in place else ()
        return Columns(place["latitude"], place["longitude"], place["time"], identities=people)


_SHAPES = (
    Shape(
        rf"\d+,\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d,{_DEGREES},{_DEGREES}", ",", ("user", "time", "longitude", "latitude")
    ),
    Shape(
        rf"{_DEGREES} {_DEGREES} [01] \d{{9,10}}",
        " ",
        ("latitude", "longitude", "occupied", "time"),
    ),
    Shape(rf"\d+\t{_ISO}\t{_DEGREES}\t{_DEGREES}\t\w+", "\t", ("user", "time", "latitude", "longitude", "location")),
)


def shape_of(beginning: bytes) -> Shape | None:
    """The shape of a file's first lines, of which the last one read may be incomplete; None if it is no such file.

    Examples
    --------
    >>> shape_of(b"1,2008-02-02 15:36:08,116.51172,39.92123").headings[0], shape_of(b"user,time")
    ('user', None)
    """
    text = beginning[:4096].decode("latin-1")
    lines = [line.rstrip("\r") for line in text.split("\n")[: _JUDGED + 1]]
    whole = [line for line in (lines if len(text) < 4096 else lines[:_JUDGED]) if line]
    return next((s for s in _SHAPES if whole and all(re.fullmatch(s.line, line) for line in whole)), None)


def _read(file: Contents) -> RawPoints:
    shape = shape_of(file.beginning)
    assert shape is not None
    columns, everything = shape.columns, range(len(shape.headings))
    cells, numbers, problems = read_rows(lines_of(file), shape.separator, len(everything), everything, 1)
    points = table_points(cells[columns.latitude], cells[columns.longitude], cells[columns.time], numbers, problems)
    add_columns(points, columns, shape.headings, cells.__getitem__, "column")
    return points


FORMAT = Format(
    "T-Drive, Cabspotting, Gowalla",
    (),
    lambda file: file.chosen is None and shape_of(file.beginning) is not None,
    _read,
    written_by="the data sets of these names: lines without a heading, recognised by their shape",
)

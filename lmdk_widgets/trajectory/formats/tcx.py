"""Reading TCX, the Training Center XML by Garmin and others: the Trackpoints of all activities and courses."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.formats.markup import parse_xml, text_at
from lmdk_widgets.trajectory.raw import RawPoints, limit, read_places
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted, printable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = "trainingcenterdatabase"


def read(file: Contents) -> RawPoints:
    """The points in a TCX file, numbered from 1 in the order of its Trackpoints.

    Trackpoints without a Position, which watches write while they look for satellites, are left out and counted.

    Raises
    ------
    InputError for damaged XML, and for a file in which no Trackpoint has a place.
    """
    root = parse_xml(file, "TCX", _ROOT)
    points, names, of_point = _points(root)
    limit(len(points), len(points))
    placed = [(number, point) for number, point in enumerate(points, 1) if "Position" in point]
    if not placed:
        raise InputError(
            "TCX must have Trackpoints with a Position",
            value=f"{counted(len(points), 'Trackpoint')} without one" if points else "no Trackpoint",
            remedy="Choose an activity recorded outdoors, with satellite positioning",
        )
    fields = ("LatitudeDegrees", "LongitudeDegrees", "Time")
    north, east, times = ([point.get(name, "") for _, point in placed] for name in fields)
    latitude, longitude, problems = read_places(north, east)
    numbers = np.array([number for number, _ in placed], np.int64)
    raw = RawPoints(latitude, longitude, times, numbers, problems=problems)
    raw.name = printable(text_at(root, ".//{*}Course/{*}Name"))
    counts = Counter(of_point[number - 1] for number, _ in placed)
    raw.note_tracks([(name, counts[place]) for place, name in enumerate(names)], "activities")
    raw.note_left_out(len(points) - len(placed), "point without a place was", "points without a place were")
    return raw


def _points(root: Element) -> tuple[list[dict[str, str]], list[str | None], list[int]]:
    """The fields of all Trackpoints, the names of the activities and courses, and which of them each point belongs to."""
    points: list[dict[str, str]] = []
    names: list[str | None] = [None]  # for points outside
    of_point: list[int] = []
    for element in root.iter():
        kind = element.tag.rpartition("}")[2]
        if kind in ("Activity", "Course"):
            names.append(text_at(element, "{*}Id") or text_at(element, "{*}Name"))
        elif kind == "Trackpoint":
            points.append(_fields(element))
            of_point.append(len(names) - 1)
    return points, names, of_point


def _fields(point: Element) -> dict[str, str]:
    """The texts of a Trackpoint and of its Position, by name; the first of duplicates."""
    fields: dict[str, str] = {}
    for child in point:
        name = child.tag.rpartition("}")[2]
        fields.setdefault(name, (child.text or "").strip())
        if name == "Position":
            for degrees in child:
                fields.setdefault(degrees.tag.rpartition("}")[2], (degrees.text or "").strip())
    return fields


FORMAT = Format("TCX", (".tcx",), lambda file: file.root == _ROOT, read, written_by="Garmin and other sports watches")

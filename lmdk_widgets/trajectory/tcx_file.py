"""Reading TCX, the Training Center XML of Garmin and others: the Trackpoints of all activities and courses."""

from __future__ import annotations

from collections import Counter
from xml.etree.ElementTree import Element, fromstring

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, RawPoints, read_degrees, too_many
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.words import counted, printable
from lmdk_widgets.trajectory.xml_text import decode_xml, guard

_ROOT = "trainingcenterdatabase"


def recognises(file: Contents) -> bool:
    """Whether it is XML with the root <TrainingCenterDatabase>."""
    return file.root == _ROOT


def read(file: Contents) -> RawPoints:
    """The points of a TCX file, numbered from 1 as its Trackpoints follow.

    A Trackpoint without a Position, as watches write one while they look for satellites, is left out and counted.

    Raises
    ------
    InputError for XML that is damaged, and for a file none of whose Trackpoints has a place.
    """
    text = decode_xml(file)
    guard(text, "TCX", _ROOT)
    root = fromstring(text)
    points, names, of_point = _points(root)
    if len(points) > MAX_TIMESTAMPS:
        raise too_many(len(points))
    placed = [(number, point) for number, point in enumerate(points, 1) if "Position" in point]
    if not placed:
        raise InputError(
            "TCX must have Trackpoints with a Position",
            value=f"{counted(len(points), 'Trackpoint')} without one" if points else "no Trackpoint",
            remedy="Choose an activity that was recorded with satellites, outdoors",
        )
    latitude, unread = read_degrees([point.get("LatitudeDegrees", "") for _, point in placed], "latitude")
    longitude, more = read_degrees([point.get("LongitudeDegrees", "") for _, point in placed], "longitude")
    times = [point.get("Time", "") for _, point in placed]
    numbers = np.array([number for number, _ in placed], np.int64)
    raw = RawPoints("TCX", latitude, longitude, times, numbers, "point", more | unread)
    raw.name = printable(_text(root, ".//{*}Course/{*}Name"))
    counts = Counter(of_point[number - 1] for number, _ in placed)
    raw.note_tracks([(name, counts[place]) for place, name in enumerate(names)], "activities")
    if without_place := len(points) - len(placed):
        said = counted(without_place, "point without a place was", "points without a place were")
        raw.notices.append(f"{said} left out.")
    return raw


def _points(root: Element) -> tuple[list[dict[str, str]], list[str | None], list[int]]:
    """The fields of all Trackpoints, the names of the activities and courses, and in which of them each point lies."""
    points: list[dict[str, str]] = []
    names: list[str | None] = [None]  # of points outside
    of_point: list[int] = []
    for element in root.iter():
        kind = element.tag.rpartition("}")[2]
        if kind in ("Activity", "Course"):
            names.append(_text(element, "{*}Id") or _text(element, "{*}Name"))
        elif kind == "Trackpoint":
            points.append(_fields(element))
            of_point.append(len(names) - 1)
    return points, names, of_point


def _fields(point: Element) -> dict[str, str]:
    """The texts of a Trackpoint and of its Position, by their names; of two the first."""
    fields: dict[str, str] = {}
    for child in point:
        name = child.tag.rpartition("}")[2]
        fields.setdefault(name, (child.text or "").strip())
        if name == "Position":
            for degrees in child:
                fields.setdefault(degrees.tag.rpartition("}")[2], (degrees.text or "").strip())
    return fields


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()

"""Reading TCX, the Training Center XML of Garmin and others: the Trackpoints of all activities and courses."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.model import MAX_TIMESTAMPS, too_many
from lmdk_widgets.trajectory.raw import RawPoints, read_degrees
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
    points = [_fields(point) for point in root.iter() if point.tag.rpartition("}")[2] == "Trackpoint"]
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
    raw.notices += _notices(root, len(points) - len(placed))
    return raw


def _notices(root: Element, without_place: int) -> list[str]:
    tracks = sum(len(root.findall(f".//{{*}}{kind}")) for kind in ("Activity", "Course"))
    said = [f"The file holds {tracks:,} activities; they were joined in order of time."] if tracks > 1 else []
    if without_place:
        said.append(f"{counted(without_place, 'point without a place was', 'points without a place were')} left out.")
    return said


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

"""Reading Google's location history: Records.json from Takeout, Timeline.json from a phone, and the older monthly files.

Records are measured places. A timeline contains what Google inferred from them: paths with a time for each position,
visits, whose start and end are read, and journeys, which are only read at times not covered otherwise. Phones
write places as "52.1°, 4.3°" (Android) or "geo:52.1,4.3" (iOS), Takeout as integers of 1e-7 degrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.formats.markup import parse_json
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted

Place = tuple[float, float]

_BEGINNING = re.compile(
    rb'\{\s*"(?:locations|semanticSegments|rawSignals|userLocationProfile|timelineObjects)"\s*:'
    rb'|\[\s*\{\s*"(?:startTime|endTime|visit|activity|timelinePath|timelineMemory)"\s*:'
)
_DEGREES = re.compile(r"\s*(?:geo:)?\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*,\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*$")
_WRAPPED = 2**32  # some old records store a negative number as if it were unsigned


def recognises(file: Contents) -> bool:
    """Whether it is JSON that starts like one of Google's files.

    Examples
    --------
    >>> recognises(Contents(b'{"locations": [')), recognises(Contents(b'{"type": "Feature"'))
    (True, False)
    """
    return _BEGINNING.match(file.beginning) is not None


def read(file: Contents) -> RawPoints:
    """The points in a location history, numbered from 1 in the order in which they are read.

    Raises
    ------
    InputError for JSON that is damaged, and for a history without places.
    """
    document = parse_json(file.text())
    found = _Found()
    if isinstance(document, dict) and isinstance(document.get("locations"), list):
        found.add_records(document["locations"])
    else:
        found.add_timeline(document)
    if not found.rows:
        raise InputError(
            "a Google location history must contain places with times",
            value=f"{counted(found.without, 'entry', 'entries')} without" if found.without else "none",
            remedy="Export it again",
        )
    times, latitude, longitude = zip(*found.rows, strict=True)
    raw = RawPoints(np.array(latitude, float), np.array(longitude, float), times)
    raw.note_left_out(found.without, "entry without a place was", "entries without a place were")
    if found.devices:
        raw.note_identities([("deviceTag", found.devices)])
    return raw


class _Found:
    """The points collected so far: a time as text, latitude and longitude."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float]] = []
        self.devices: list[str] = []
        self.without = 0

    def add(self, time: Any, place: Place | None) -> None:
        """Add a point, or count it if it has no place."""
        if place is None:
            self.without += 1
        else:
            self.rows.append((_text(time), *place))

    def add_records(self, records: Iterable[Any]) -> None:
        """Add the entries of Records.json, or of Location History.json from before 2022."""
        for record in records:
            record = _mapping(record)
            before = len(self.rows)
            self.add(record.get("timestamp", record.get("timestampMs")), _tenmillionths(record))
            if len(self.rows) > before:
                self.devices.append(_text(record.get("deviceTag")))

    def add_timeline(self, document: Any) -> None:
        """Add the entries of a timeline; raw signals only if it has nothing else."""
        held = _mapping(document)
        entries = document if isinstance(document, list) else _list(held.get("semanticSegments"))
        entries = entries or _list(held.get("timelineObjects"))
        journeys: list[tuple[Any, Place | None]] = []
        for entry in map(_mapping, entries):
            for points, is_journey in _points(entry):
                if is_journey:
                    journeys.extend(points)
                else:
                    for point in points:
                        self.add(*point)
        taken = {_moment(time) for time, _, _ in self.rows}
        for time, place in journeys:
            if (moment := _moment(_text(time))) not in taken:
                self.add(time, place)
                taken.add(moment)
        if not self.rows:
            for signal in map(_mapping, _list(held.get("rawSignals"))):
                if position := _mapping(signal.get("position")):
                    self.add(position.get("timestamp"), _degrees(position.get("LatLng", position.get("latLng"))))


def _points(entry: dict[str, Any]) -> Iterator[tuple[list[tuple[Any, Place | None]], bool]]:
    """The points of a timeline entry, and whether they belong to a journey."""
    begin, end = entry.get("startTime"), entry.get("endTime")
    path = _list(entry.get("timelinePath"))
    if path:
        yield [(_along(begin, step), _degrees(step.get("point"))) for step in map(_mapping, path)], False
    visit = _mapping(entry.get("visit"))
    if visit and _text(visit.get("hierarchyLevel")) in ("", "0"):  # 1 is, for example, a shop within a place of level 0
        place = _degrees(_mapping(visit.get("topCandidate")).get("placeLocation"))
        yield [(begin, place), (end, place)], False
    if journey := _mapping(entry.get("activity")):
        yield [(begin, _degrees(journey.get("start"))), (end, _degrees(journey.get("end")))], True
    if visit := _mapping(entry.get("placeVisit")):
        place = _tenmillionths(_mapping(visit.get("location")))
        yield [(time, place) for time in _ends(visit)], False
    if journey := _mapping(entry.get("activitySegment")):
        steps = map(_mapping, _list(_mapping(journey.get("simplifiedRawPath")).get("points")))
        yield [(step.get("timestamp", step.get("timestampMs")), _tenmillionths(step)) for step in steps], False
        places = [_tenmillionths(_mapping(journey.get(name))) for name in ("startLocation", "endLocation")]
        yield list(zip(_ends(journey), places, strict=True)), True


def _ends(entry: dict[str, Any]) -> Sequence[Any]:
    """Start and end of an entry in an older monthly file."""
    duration = _mapping(entry.get("duration"))
    return [duration.get(f"{end}Timestamp", duration.get(f"{end}TimestampMs")) for end in ("start", "end")]


def _along(begin: Any, step: dict[str, Any]) -> str:
    """The time of a position on a path: its own, or minutes after the start."""
    if "time" in step:
        return _text(step["time"])
    try:
        minutes = float(step.get("durationMinutesOffsetFromStartTime", 0))
        return (datetime.fromisoformat(begin) + timedelta(minutes=minutes)).isoformat()
    except (TypeError, ValueError, OverflowError):
        return ""


def _moment(time: str) -> float | str:
    """Seconds since 1970, for comparing times; the text itself if it is not a time with a zone."""
    try:
        return int(time) / 1_000 if time.isdecimal() else datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError, OSError):
        return time


def _degrees(value: Any) -> Place | None:
    """A place from a phone, which may be in its own object."""
    if isinstance(value, dict):
        value = value.get("latLng", value.get("LatLng"))
    match = _DEGREES.match(value) if isinstance(value, str) else None
    return (float(match[1]), float(match[2])) if match else None


def _tenmillionths(holder: dict[str, Any]) -> Place | None:
    """A place from Takeout."""
    north, east = holder.get("latitudeE7", holder.get("latE7")), holder.get("longitudeE7", holder.get("lngE7"))
    if type(north) is not int or type(east) is not int:
        return None
    return _signed(north) / 1e7, _signed(east) / 1e7


def _signed(value: int) -> int:
    return value - _WRAPPED if 1_800_000_000 < value < _WRAPPED else max(-_WRAPPED, min(value, _WRAPPED))


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if type(value) is int else ""


FORMAT = Format(
    "Google's location history",
    (".json",),
    recognises,
    read,
    written_by="`Records.json` from Takeout, `Timeline.json` from an Android phone, `location-history.json` from an iPhone",
)

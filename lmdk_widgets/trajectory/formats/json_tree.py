"""Reading JSON of any structure: each place takes the time that is nearest to it in the tree.

So one reader serves Google's Timeline (of Android, of iPhones, the older monthly files, its edits) and Records, OwnTracks,
Overland, Traccar, Polarsteps, moving points (MF-JSON), and lists of places with times. An object's time is its own, or that
of a part of it without places ("duration", "properties"). A place without one takes that of the object around it, but not
across a list, whose items need times of their own. A start and an end give a place two times, and "start" and "end" places
only theirs. If entries of several kinds say where someone was at one instant, measured places count more than visits, and
visits more than journeys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import IDENTITY, LATITUDE, LONGITUDE, TIME, plain
from lmdk_widgets.trajectory.formats.markup import parse_json, place_of
from lmdk_widgets.trajectory.raw import RawPoints, check_line, written
from lmdk_widgets.trajectory.source import Contents, Format, OtherKind
from lmdk_widgets.trajectory.words import counted

Place = tuple[float, float]

_DEEPEST, _START = 100, 100_000
_LINE = re.compile(r"^(?:\S+\t[^\t\n]*\t)?(\{.*\})[ \r]*$", re.MULTILINE)
"""A line of a recorder of OwnTracks, or of JSON Lines."""
_DEGREES = re.compile(r"\s*(?:geo:)?\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*,\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*$")
_DIGIT = re.compile(r"\d")
_WRAPPED = 2**32  # some old records store a negative number as if it were unsigned
_E7 = ({"latitudee7", "late7"}, {"longitudee7", "lnge7", "lone7"})
_NORTH = tuple(name for name in LATITUDE if name != "y" and name not in _E7[0])  # x and y draw charts
_EAST = tuple(name for name in LONGITUDE if name != "x" and name not in _E7[1])
_TIMES = ("tst", *TIME)
_ENDINGS = ("time", "timestamp", "timestampms", "timems", "date", "ts")
_WHOSE = (*IDENTITY, "devicetag", "tid")
_EARLIEST = 1e8  # a smaller number is a duration, not seconds since 1970
_KNOWN = {
    "MF-JSON": re.compile(rb'"MovingPoint"'),
    "OwnTracks": re.compile(rb'"_type"\s*:'),
    "Google's Timeline": re.compile(rb'"(?:semanticSegments|timelinePath|timelineObjects|timelineEdits|topCandidate)"'),
    "Google's Records": re.compile(rb'"latitudeE7"'),
    "Overland": re.compile(rb'"locations"\s*:\s*\[\s*\{\s*"type"\s*:\s*"Feature"'),
}
_MEASURED, _VISIT, _JOURNEY = range(3)


class _Keys(NamedTuple):
    """The keys of an object, by what they mean; "" or empty without one."""

    north: str
    east: str
    scale: float
    times: tuple[str, ...]
    start: str
    end: str
    whose: str


@cached("visitor", entries=256, what="which of the names in a file hold a place and a time")
def _keys(names: tuple[str, ...]) -> _Keys:
    plains = {plain(name): name for name in reversed(names)}

    def first(wanted: Any) -> str:
        return next((plains[name] for name in wanted if name in plains), "")

    north, east, scale = first(_NORTH), first(_EAST), 1.0
    if not (north and east):
        north, east, scale = first(_E7[0]), first(_E7[1]), 1e-7
    times = tuple(plains[name] for name in _TIMES if name in plains)
    start, end = (
        next((name for key, name in plains.items() if key.startswith(word) and key.endswith(_ENDINGS)), "")
        for word in ("start", "end")
    )
    place = (north, east, scale) if north and east else ("", "", 1.0)
    return _Keys(*place, times, start, end, first(_WHOSE))


class _Around(NamedTuple):
    """The times of an object, what is around it, whether it is an item of a list, and whose it is."""

    time: str
    start: str
    end: str
    outer: _Around | None
    is_item: bool
    whose: tuple[str, str] | None


class _Found:
    """The points so far: a time as text, latitude, longitude, a kind, and whose they are."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float, int, tuple[str, str] | None]] = []
        self.untimed = self.without = self.inner = 0

    def walk(
        self, node: Any, outer: _Around | None = None, role: str = "", depth: int = 0, *, item: bool = False
    ) -> bool:
        """Add the places in an object or a list; returns whether there were any, with a time or without."""
        if depth > _DEEPEST:
            raise InputError("the file's brackets must not be nested this deeply")
        if isinstance(node, list):
            return bool(node) and not isinstance(node[0], (int, float, str)) and self._walk_list(node, outer, depth)
        if not isinstance(node, dict) or node.get("_type", "location") != "location":
            return False
        if written(node.get("hierarchyLevel")) not in ("", "0"):  # such as a shop within a place of level 0
            self.inner += 1
            return True
        keys = _keys(tuple(node))
        here = _times_of(node, keys)
        if keys.north and here[0] and (place := _place(node, keys)):  # nearly all: nothing in it is looked at
            self.rows.append((here[0], *place, _MEASURED, here[3] or (outer.whose if outer else None)))
            return True
        if not (here[0] or here[1] or here[2]):
            parts = [part for part in node.values() if type(part) is dict and _is_bare(part)]
            times = (_times_of(part, _keys(tuple(part))) for part in parts)
            here = next((found for found in times if found[0] or found[1] or found[2]), here)
        whose = (keys.whose, written(node[keys.whose])) if keys.whose else here[3] or (outer.whose if outer else None)
        around = _Around(*here[:3], outer, item, whose)
        found = self._add_own(node, keys, around, role)
        for key, part in node.items():
            kind = type(part)
            if kind is dict or kind is list:
                inner = key[:5] if key.startswith("start") else "end" if key.startswith("end") else role
                found |= self.walk(part, around, inner, depth + 1)
            elif kind is str and ("°" in part or part.startswith("geo:")) and (place := _degrees(part)):
                found |= self._add(place, around, key if key in ("start", "end") else role, node)
        return found

    def _walk_list(self, items: Sequence[Any], outer: _Around | None, depth: int) -> bool:
        found = [self.walk(item, outer, "", depth + 1, item=True) for item in items]
        if any(found):
            self.without += len(found) - sum(found)
        return any(found)

    def _add_own(self, node: Mapping[str, Any], keys: _Keys, around: _Around, role: str) -> bool:
        """Add the places that an object itself is."""
        kind, coordinates = node.get("type"), node.get("coordinates")
        if kind == "MovingPoint" and isinstance(coordinates, list):
            times = node.get("datetimes", node.get("dates"))
            times = times if isinstance(times, list) else []
            check_line("MovingPoint", coordinates, times)
            for time, position in zip(times, coordinates, strict=True):
                self._take(written(time), place_of(position) or (np.nan, np.nan), _MEASURED, around)
            return bool(times)
        if kind == "Point" and (place := place_of(coordinates)):
            return self._add(place, around, role, node)
        place = _place(node, keys) if keys.north else None
        return place is not None and self._add(place, around, role, node)

    def _add(self, place: Place, around: _Around, role: str, node: Mapping[str, Any]) -> bool:
        offset = node.get("durationMinutesOffsetFromStartTime")
        at: _Around | None = around
        while at is not None:
            if at.time:
                return self._take(at.time, place, _MEASURED, around)
            if offset is not None and at.start:
                return self._take(_later(at.start, offset), place, _MEASURED, around)
            if at.start or at.end:
                kind = _JOURNEY if role else _VISIT
                for name, time in (("start", at.start), ("end", at.end)):
                    if time and role in ("", name):
                        self._take(time, place, kind, around)
                return True
            at = None if at.is_item and offset is None else at.outer
        self.untimed += 1
        return True

    def _take(self, time: str, place: Place, kind: int, around: _Around) -> bool:
        self.rows.append((time, *place, kind, around.whose))
        return True

    def points(self) -> RawPoints:
        """The points, one for each instant that entries of several kinds have."""
        rows = self.rows
        beside = [row for row in rows if row[3]]
        left_out = 0
        if beside:
            rows = [row for row in rows if not row[3]]
            taken = {_moment(row[0]) for row in rows}
            for row in sorted(beside, key=lambda row: row[3]):
                if (moment := _moment(row[0])) in taken:
                    left_out += 1
                else:
                    taken.add(moment)
                    rows.append(row)
        times, latitude, longitude, _, whose = zip(*rows, strict=True)
        raw = RawPoints(np.array(latitude, float), np.array(longitude, float), times)
        nowhere = np.flatnonzero(np.isnan(raw.latitude)).tolist()
        raw.add_problems(dict.fromkeys(nowhere, "it has no longitude and latitude"))
        raw.note_left_out(
            left_out, "entry for an instant that another has was", "entries for instants that others have were"
        )
        raw.note_left_out(self.inner, "visit within another was", "visits within others were")
        raw.note_left_out(self.without, "entry without a place was", "entries without a place were")
        raw.note_left_out(self.untimed, "place without a time was", "places without a time were")
        if names := sorted({name for name, _ in filter(None, whose)}):
            raw.note_identities((name, [one[1] if one and one[0] == name else "" for one in whose]) for name in names)
        return raw


def _place(node: Mapping[str, Any], keys: _Keys) -> Place | None:
    north, east = _number(node[keys.north], keys.scale), _number(node[keys.east], keys.scale)
    return None if north is None or east is None else (north, east)


def _is_bare(part: Mapping[str, Any]) -> bool:
    return not _keys(tuple(part)).north and "coordinates" not in part


def _times_of(node: Mapping[str, Any], keys: _Keys) -> tuple[str, str, str, tuple[str, str] | None]:
    whose = (keys.whose, written(node[keys.whose])) if keys.whose else None
    time = start = end = ""
    for key in keys.times:
        if time := _time(node[key]):
            break
    if keys.start or keys.end:
        start, end = _time(node.get(keys.start)), _time(node.get(keys.end))
    return time, start, end, whose


def _time(value: Any) -> str:
    if isinstance(value, str):
        return value if _DIGIT.search(value) else ""
    return written(value) if type(value) in (int, float) and abs(value) > _EARLIEST else ""


def _later(start: str, minutes: Any) -> str:
    try:
        return (datetime.fromisoformat(start) + timedelta(minutes=float(minutes))).isoformat()
    except (TypeError, ValueError, OverflowError):
        return ""


def _moment(time: str) -> float | str:
    """Seconds since 1970, for comparing times; the text itself if it is not a time with a zone."""
    try:
        return int(time) / 1_000 if time.isdecimal() else datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError, OSError):
        return time


def _degrees(text: str) -> Place | None:
    match = _DEGREES.match(text)
    return (float(match[1]), float(match[2])) if match else None


def _number(value: Any, scale: float) -> float | None:
    if scale != 1.0 and type(value) is int:
        signed = value - _WRAPPED if 1_800_000_000 < value < _WRAPPED else max(-_WRAPPED, min(value, _WRAPPED))
        return signed / 1e7
    if scale != 1.0 or isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return np.nan


def _document(file: Contents) -> Any:
    """The contents of JSON, or of a text with an object on each line."""
    text = file.text()
    if len(re.findall(_LINE, "\n".join(text[:_START].splitlines()[:2]))) == 2:
        try:
            return [json.loads(found[1]) for found in _LINE.finditer(text)]
        except (ValueError, RecursionError):
            pass
    return parse_json(text)


def read(file: Contents) -> RawPoints:
    """The points in a JSON file, numbered from 1 in the order in which they are read.

    Raises
    ------
    InputError for JSON that is damaged or has places without times; `OtherKind` for JSON without places.
    """
    document, found = _document(file), _Found()
    signals = document.pop("rawSignals", None) if isinstance(document, dict) else None
    found.walk(document)
    if not found.rows:
        found.walk(signals)  # what a phone's timeline was made from
    kind = next((name for name, sign in _KNOWN.items() if sign.search(file.beginning)), "")
    if not found.rows:
        if not (found.untimed or kind):
            raise OtherKind("JSON without places and times")
        seen = f"{counted(found.untimed, 'place')} without" if found.untimed else "none"
        raise InputError(
            f"{kind or 'JSON'} must contain places with times", value=seen, remedy="Export it again with times"
        )
    raw = found.points()
    raw.format = kind
    return raw


def recognises(file: Contents) -> bool:
    """Whether it starts like JSON, or like a line of OwnTracks' recorder.

    Examples
    --------
    >>> recognises(Contents(b'{"locations": [')), recognises(Contents(b"lat,lon"))
    (True, False)
    """
    return file.beginning[:1] in (b"{", b"[") or re.match(rb"\S+\t[^\t\n]*\t\{", file.beginning) is not None


FORMAT = Format(
    "JSON",
    (".json", ".rec"),
    recognises,
    read,
    "with places and times",
    turn=1,
    written_by="Google's Timeline (Android, iPhone, older monthly files) and `Records.json`; OwnTracks (`.rec` too), "
    "Overland, Traccar, Polarsteps, MF-JSON; any list of places with times",
)

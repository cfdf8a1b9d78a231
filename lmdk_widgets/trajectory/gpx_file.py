"""Reading GPX 1.0 and 1.1: the tracks, else the routes; waypoints mark landmarks.

The file is read as a stream with the standard library's expat, so that every problem has its line number, one damaged
coordinate does not lose the file, and the limits on points, nesting and entities hold while it is read.
"""

from __future__ import annotations

from xml.parsers import expat

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.model import MAX_TIMESTAMPS
from lmdk_widgets.trajectory.raw import FORMATS, RawPoints, Waypoint, read_degrees, too_many
from lmdk_widgets.trajectory.words import printable

_DEEPEST = 200  # elements within elements; GPX needs nine
_PIECE, _LONGEST_TAG = 1 << 20, 1 << 22  # bytes
_POINTS = frozenset(("trkpt", "rtept", "wpt"))
_OTHER_ROOTS = {
    "kml": "KML, which Google Earth writes",
    "trainingcenterdatabase": "TCX, which Garmin writes",
    "html": "a web page",
    "osm": "an OpenStreetMap extract",
    "svg": "a drawing",
}


class _Points:
    """Points of one sort (track, route or waypoint), as texts."""

    def __init__(self) -> None:
        self.latitude: list[str] = []
        self.longitude: list[str] = []
        self.times: list[str] = []
        self.lines: list[int] = []
        self.parts = 0  # tracks or routes that have points

    def __len__(self) -> int:
        return len(self.lines)


class _Reader:
    """Collects the points while expat calls it."""

    def __init__(self, encoding: str | None, lines_above: int) -> None:
        self.lines_above = lines_above  # that the parser does not see
        self.of = {name: _Points() for name in _POINTS}
        self.name = ""
        self._path: list[str] = []
        self._text: list[str] = []
        self._capturing = 0  # depth of the element whose text is being collected
        self._new_part = False
        self.parser = expat.ParserCreate(encoding)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        # Prefixes are cut off rather than resolved: many programs write some they never declare.
        name = tag.rpartition(":")[2]
        if not self._path and name.lower() != "gpx":
            raise _not_gpx(name)
        if len(self._path) >= _DEEPEST:
            raise InputError("elements are nested too deeply", where="GPX", allowed=f"at most {_DEEPEST} levels")
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if name in _POINTS:
            self._point(self.of[name], attributes)
        elif name in ("trk", "rte"):
            self._new_part = True
        elif (name == "time" and parent in _POINTS) or (name == "name" and parent in ("trk", "rte")):
            self._text.clear()
            self._capturing = len(self._path)
            self.parser.CharacterDataHandler = self._text.append

    def _point(self, points: _Points, attributes: dict[str, str]) -> None:
        if len(points) == MAX_TIMESTAMPS:
            raise too_many("GPX")
        points.latitude.append(attributes.get("lat", ""))
        points.longitude.append(attributes.get("lon", ""))
        points.times.append("")
        points.lines.append(self.parser.CurrentLineNumber + self.lines_above)
        points.parts += self._new_part
        self._new_part = False

    def _end(self, tag: str) -> None:
        name = self._path.pop()
        if len(self._path) + 1 != self._capturing:
            return
        self._capturing, self.parser.CharacterDataHandler = 0, None
        text = "".join(self._text).strip()
        if name == "time":
            self.of[self._path[-1]].times[-1] = text
        else:
            self.name = self.name or text

    def _entity(self, *_: object) -> None:
        # The seed of an "entity bomb"; no device writes entities into GPX.
        raise InputError("the file declares XML entities", where="GPX", allowed="GPX as devices and programs write it")


def read_gpx(data: bytes, encoding: str | None = None) -> RawPoints:
    """The points of a GPX file; its times are UTC where they carry no zone.

    Parameters
    ----------
    data : the file; `encoding` overrides what it declares.

    Raises
    ------
    InputError for XML that is damaged or is not GPX, for a file without track, and for a track without times.
    """
    xml = data.removeprefix(b"\xef\xbb\xbf").lstrip()  # XML must begin with its declaration; some files do not
    reader = _Reader(encoding, data.count(b"\n", 0, len(data) - len(xml)))
    try:
        _feed(reader.parser, xml)
    except InputError:
        raise
    except (expat.ExpatError, ValueError, LookupError):  # ValueError: an encoding that expat does not know
        raise InputError(
            "the XML is damaged or breaks off",
            where=f"line {reader.parser.ErrorLineNumber + reader.lines_above}",
            allowed=FORMATS,
            remedy="Export or copy the file again",
        ) from None
    track, route, marks = (reader.of[name] for name in ("trkpt", "rtept", "wpt"))
    chosen = track if len(track) else route
    if not len(chosen):
        what = "has waypoints but no track" if len(marks) else "has no track"
        raise InputError(f"this GPX {what}", where="GPX", remedy="Export the recorded track, with its times")
    if not any(chosen.times):
        raise InputError(
            "this GPX has no times",
            where="GPX",
            allowed="a recorded track, with a <time> in each point",
            remedy="Export it again with times; a planned route has none",
        )
    return _raw(chosen, marks, reader.name)


def _feed(parser: expat.XMLParserType, xml: bytes) -> None:
    """Parse piece by piece; a tag that does not end expat reads again with every piece, so its length is limited."""
    for start in range(0, len(xml), _PIECE):
        parser.Parse(xml[start : start + _PIECE], False)
        if start - parser.CurrentByteIndex > _LONGEST_TAG:
            raise InputError("a tag does not end", where="GPX", allowed=f"tags of at most {_LONGEST_TAG:,} bytes")
    parser.Parse(b"", True)


def _raw(chosen: _Points, marks: _Points, name: str) -> RawPoints:
    latitude, problems = read_degrees(chosen.latitude, "latitude")
    longitude, more = read_degrees(chosen.longitude, "longitude")
    # A file written as one long line has no useful line numbers.
    by_line = len(set(chosen.lines)) == len(chosen)
    numbers = np.array(chosen.lines if by_line else range(1, len(chosen) + 1), np.int64)
    points = RawPoints("GPX", latitude, longitude, chosen.times, numbers, "line" if by_line else "point")
    points.problems = more | problems
    points.name, points.fixed_zone = printable(name), "GPX defines"
    if chosen.parts > 1:
        points.notices.append(f"The file holds {chosen.parts:,} tracks; they were joined in order of time.")
    wpt_latitude, _ = read_degrees(marks.latitude, "latitude")
    wpt_longitude, _ = read_degrees(marks.longitude, "longitude")
    points.waypoints = [
        Waypoint(*place) for place in zip(wpt_latitude.tolist(), wpt_longitude.tolist(), marks.times, strict=True)
    ]
    return points


def _not_gpx(root: str) -> InputError:
    kind = _OTHER_ROOTS.get(root.lower())
    return InputError(
        f"the file is {kind}" if kind else "the file is XML, but not GPX",
        where="file",
        allowed=FORMATS,
        remedy="Export the track as GPX",
    )

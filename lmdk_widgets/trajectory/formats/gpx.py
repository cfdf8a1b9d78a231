"""Reading GPX 1.0 and 1.1 with gpxpy: the tracks, otherwise the routes; waypoints mark landmarks.

If only the routes have times, they are read even if there are tracks.

gpxpy reads a complete file or refuses it. A check first refuses what is not GPX or would take forever; afterwards,
gpxpy's errors are worded so that a person can act on them, and points that it ignored are reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.formats.markup import decode_xml, guard
from lmdk_widgets.trajectory.raw import RawPoints, Waypoint, limit
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted, printable, quoted

_Part = tuple[str | None, Sequence[Any]]
_MOST_PREFIXES = 100  # gpxpy takes longer for each the more there are
_NO_TIME = "the time is missing, or not written like 2026-01-26T15:57:02Z"  # gpxpy does not say which
_ROUTE = (  # planning programs write into a route when each of its points was created
    "This is a route, not a recorded track: its times may say when its points were created, not when anyone was there."
)


def read(file: Contents) -> RawPoints:
    """The points in a GPX file, numbered from 1 in file order; their times are UTC if they have no zone.

    Raises
    ------
    InputError for XML that is damaged or not GPX, for a value that gpxpy refuses, for a file without a track, and for
    a track without times.
    """
    gpxpy = library("gpxpy", "GPX")

    text = decode_xml(file)
    _guard(text)
    try:
        # Whatever its version: nothing else is needed here, and with 1.1 every point's extensions would be copied.
        gpx = gpxpy.parse(text, version="1.0")
    except (gpxpy.gpx.GPXException, ValueError) as error:
        raise _refusal(str(error), text) from None
    found = [(track.name, [point for segment in track.segments for point in segment.points]) for track in gpx.tracks]
    parts: list[_Part] = [track for track in found if track[1]]
    routes: list[_Part] = [(route.name, route.points) for route in gpx.routes if route.points]
    tag = "trkpt" if parts and (_has_times(parts) or not _has_times(routes)) else "rtept"
    parts = parts if tag == "trkpt" else routes
    points = [point for _, part in parts for point in part]
    times = [_written(point.time) for point in points]
    if not any(times):
        raise _nothing(bool(points), bool(gpx.waypoints))
    places = np.array([(point.latitude, point.longitude) for point in points], float)
    raw = RawPoints(places[:, 0], places[:, 1], times)
    raw.problems = {row: _NO_TIME for row, time in enumerate(times) if not time}
    raw.name, raw.fixed_zone = printable(next((name for name, _ in parts if name), "")), "GPX defines"
    raw.waypoints = [Waypoint(mark.latitude, mark.longitude, _written(mark.time)) for mark in gpx.waypoints]
    raw.note_tracks([(name or "", len(part)) for name, part in parts], "tracks" if tag == "trkpt" else "routes")
    if tag == "rtept":
        raw.notices.append(_ROUTE)
    if beside := text.count(f"<{tag}") - len(points):
        raw.notices.append(f"{counted(beside, f'<{tag}>')} outside a track, or in a comment, not read.")
    return raw


def _has_times(parts: Sequence[_Part]) -> bool:
    return any(point.time for _, part in parts for point in part)


def _guard(text: str) -> None:
    """Refuse, before gpxpy reads it, a file that is not GPX or too large."""
    limit(sum(text.count(f"<{tag}") for tag in ("trkpt", "rtept", "wpt")))
    # gpxpy searches the raw text for namespaces, in quadratic time if "xmlns" is not followed by "=".
    namespaces = re.findall(r"\sxmlns(?::([\w.-]*))?\s*(=?)", text)
    if len(set(namespaces)) > _MOST_PREFIXES or not all(equals for _, equals in namespaces):
        raise InputError(f"GPX must declare at most {_MOST_PREFIXES} XML namespaces, each with its address")
    guard(text, "GPX")


def _refusal(said: str, text: str) -> InputError:
    """gpxpy's error about a value, with its line if it can be found; the value only if it cannot be a place."""
    missing = re.match("((lat|lon)g?itude) is mandatory", said)
    refused = re.match(r'Invalid value (?:for <(\w+)>\.\.\. (.*) \(|"(.*)", possible)', said, re.DOTALL)
    what, value = "GPX{} must be readable by gpxpy", ""
    if missing:
        what = f"the point{{}} must have a {missing[1]}"
        pattern = rf"<(?:trkpt|rtept|wpt)\b(?![^>]*\s{missing[2]}\s*=)"
    elif refused and refused[1] == "None":  # gpxpy names the element of a value, but not the attribute
        what, value = "the latitude or longitude{} must be a number", refused[2]
        pattern = rf"\s(?:min|max)?l(?:at|on)\s*=\s*[\"']{re.escape(refused[2])}[\"']"
    elif refused:
        tag, value = refused[1] or "fix", refused[2] or refused[3] or ""
        number = f"a {'whole ' if 'literal for int' in said else ''}number"
        what = f"the <{tag}>{{}} must be {number if refused[1] else 'none, 2d, 3d, dgps or pps'}"
        pattern = rf"<{tag}\b[^>]*>{re.escape(value)}<"
    else:
        pattern = "(?!)"
    at = re.search(pattern, text)
    place = f" on line {text.count(chr(10), 0, at.end()) + 1:,}" if at else ""
    seen = quoted(value).strip() or None
    return InputError(what.format(place), value=seen, remedy="Repair it, or export the file again")


def _written(time: datetime | None) -> str:
    """A time as text, or "" if gpxpy found none, or an invalid zone (+99:99)."""
    try:
        return time.isoformat() if time else ""
    except ValueError:
        return ""


def _nothing(has_points: bool, has_waypoints: bool) -> InputError:
    if has_points:
        return InputError(
            "each point of GPX must have a time such as <time>2026-01-26T15:57:02Z</time>",
            value="none that can be read",
            remedy="Export it again with times; a planned route has none",
        )
    return InputError(
        "GPX must have a track, with points in <trk><trkseg> without a prefix",
        value="only waypoints" if has_waypoints else "none",
        remedy="Export the recorded track, with its times",
    )


FORMAT = Format(
    "GPX",
    (".gpx",),
    lambda file: file.beginning.startswith(b"<"),
    read,
    turn=1,
    written_by="nearly every program with maps; routes too, if they have times",
    library="gpxpy",
)
"""It refuses XML that no earlier format recognised, as it is not GPX."""

"""Reading KML 2.0 to 2.3: the Placemarks that have times, in any folder, with or without a namespace.

A gx:Track has a <when> for each <gx:coord>. The TimeStamp or TimeSpan of a Placemark is the time of its Point; a TimeSpan
is spread evenly along its LineString, with a notice. Zones are not guessed: KML does not define one for times without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.formats.markup import parse_xml, text_at
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, RawPoints, check_line, limit, read_degrees
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted, printable, quoted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DATED = re.compile(r"\d{4}-\d\d-\d\d")


def read(file: Contents) -> RawPoints:
    """The points in a KML file, numbered from 1 in file order.

    Raises
    ------
    InputError for damaged XML, for a track without one time for each position, and for a file without times.
    """
    root = parse_xml(file, "KML")
    found = _Found()
    for placemark in root.iterfind(".//{*}Placemark"):
        found.add(placemark)
    if not found.times:
        raise InputError(
            "KML must have a gx:Track, or Placemarks with a TimeStamp or a TimeSpan",
            value="places or lines without times" if found.untimed else "neither",
            remedy="Export the recorded track with its times; a drawn line has none",
        )
    raw = found.points()
    raw.name = printable(text_at(root, "{*}Document/{*}name")) or raw.name
    return raw


class _Found:
    """The contents of the Placemarks so far: a time and a pair of texts for each position."""

    def __init__(self) -> None:
        self.times: list[str] = []
        self.places: list[Sequence[str]] = []
        self.problems: dict[int, str] = {}
        self.name = ""
        self.tracks: list[tuple[str | None, int]] = []
        self.lines, self.untimed, self.spread = 0, 0, 0

    def add(self, placemark: Element) -> None:
        """Add a Placemark's positions that have times."""
        before, lines, name = len(self.times), self.lines, text_at(placemark, "{*}name")
        for track in placemark.iterfind(".//{*}Track"):
            self._add_track(track)
        times = _times_of(placemark)
        for shape in (*placemark.iterfind(".//{*}LineString"), *placemark.iterfind(".//{*}Point")):
            if any(times):
                self._add_shape(shape, times)
            else:
                self.untimed += 1
        if len(self.times) > before:
            self.name = self.name or name
            self.tracks.append((name if self.lines > lines else None, len(self.times) - before))

    def _add_track(self, track: Element) -> None:
        times = [(element.text or "").strip() for element in track.iterfind("{*}when")]
        places = [(element.text or "").split(None, 2)[:2] for element in track.iterfind("{*}coord")]
        if places and not times:
            self.untimed += 1
            return
        check_line("gx:Track", places, times)
        self._take(times, places)

    def _add_shape(self, shape: Element, times: Sequence[str]) -> None:
        """Add the positions of a LineString or Point: a single one gets the first time, several are spread over both."""
        tuples = text_at(shape, "{*}coordinates").split(None, MAX_TIMESTAMPS + 1)
        limit(len(tuples))
        places = [position.split(",", 2)[:2] for position in tuples]
        moments = _moments(times)
        if moments and moments[0] > moments[1]:
            rows = range(len(self.times), len(self.times) + len(places))
            self.problems |= dict.fromkeys(rows, "its TimeSpan ends before it starts")
        if len(places) > 1:
            along = [times[0], *_between(moments, len(places) - 2), times[-1] if len(times) > 1 else ""]
            self.spread += sum(map(bool, along[1:-1]))
        else:
            along = [next(filter(None, times))] * len(places)
        self._take(along, places)

    def _take(self, times: Sequence[str], places: Sequence[Sequence[str]]) -> None:
        self.times += times
        self.places += places
        self.lines += len(places) > 1
        limit(n := len(self.times), n)

    def points(self) -> RawPoints:
        """The points, with those that cannot be used, and what was done."""
        bare = {row: "it has no longitude and latitude" for row, place in enumerate(self.places) if len(place) < 2}
        pairs = [place if len(place) == 2 else ("nan", "nan") for place in self.places]
        longitude, unread = read_degrees([pair[0] for pair in pairs], "longitude")
        latitude, more = read_degrees([pair[1] for pair in pairs], "latitude")
        # "2007" and "2007-05" are times in KML, but not exact ones; elsewhere the first would be a number of seconds.
        undated = [row for row, time in enumerate(self.times) if time and not _DATED.match(time)]
        vague = {row: f"the time{quoted(self.times[row])} is not a date with a time of day" for row in undated}
        for row in undated:
            self.times[row] = ""
        problems = vague | more | unread | bare | self.problems
        raw = RawPoints(latitude, longitude, self.times, problems=problems)
        raw.name = printable(self.name)
        raw.note_tracks(self.tracks, "tracks and lines")
        if self.spread:
            spread = counted(self.spread, "time was", "times were")
            raw.notices.append(f"{spread} spread evenly between the start and the end of a TimeSpan.")
        raw.note_left_out(self.untimed, "place or line without a time was", "places or lines without times were")
        return raw


def _times_of(placemark: Element) -> list[str]:
    """A Placemark's own time, or its start and end, not those of its view."""
    if (moment := text_at(placemark, "{*}TimeStamp/{*}when")) != "":
        return [moment]
    return [text_at(placemark, f"{{*}}TimeSpan/{{*}}{end}") for end in ("begin", "end")]


def _moments(times: Sequence[str]) -> tuple[datetime, datetime] | None:
    """Start and end, if both are exact times and both or neither have a zone."""
    try:
        begin, end = map(datetime.fromisoformat, times)
    except ValueError:
        return None
    return (begin, end) if (begin.tzinfo is None) == (end.tzinfo is None) else None


def _between(moments: tuple[datetime, datetime] | None, count: int) -> list[str]:
    """Times spread evenly between two times; empty if there are none."""
    if moments is None:
        return [""] * count
    begin, end = moments
    return [(begin + (end - begin) * i / (count + 1)).isoformat() for i in range(1, count + 1)]


FORMAT = Format("KML", (".kml",), lambda file: file.root == "kml", read, written_by="nearly every program with maps")

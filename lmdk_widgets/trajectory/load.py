"""Reading tracks from files: CSV, GPX, GeoJSON and Geolife .plt, told apart by their content."""

from __future__ import annotations

from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.trajectory.clean import clean
from lmdk_widgets.trajectory.csv_file import read_csv
from lmdk_widgets.trajectory.geojson_file import read_geojson
from lmdk_widgets.trajectory.geolife_file import is_geolife, read_geolife
from lmdk_widgets.trajectory.gpx_file import read_gpx
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Source, decode, read_source, refuse_other_formats
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.zones import find_zone


def load_trajectory(
    source: Source,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str = "stop",
) -> Trajectory:
    """Read a track from a file; points in order of time, what was done to them in `notices`.

    Read are CSV (headings in any order; comma, semicolon, tab or bar; decimal point or comma), GPX (tracks, else
    routes), GeoJSON (Points with times, or lines with `coordTimes`) and Geolife .plt. Which it is the content tells,
    not the name. A column or property `landmark`, and the waypoints of a GPX file, propose landmarks.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object.
    timezone : IANA name of the zone of times that carry none ("Europe/Paris"); GPX and Geolife are UTC by definition.
    day_first : whether 1/2/2026 is the first of February.
    on_problem : "stop" raises for points that cannot be used (no place, no time, a repeated time), "drop" leaves them
        out; of points with one time the first in the file stays.

    Returns
    -------
    Trajectory
        At least one and at most `MAX_TIMESTAMPS` points, times UTC and strictly increasing.

    Raises
    ------
    InputError
        With `kind` "timezone" (pass `timezone`), "day-order" (pass `day_first`) or "rows" (`rows` holds a line or point
        number and a reason for each; pass on_problem="drop") where there is something to choose. No message holds a
        coordinate of the track.

    Examples
    --------
    >>> rows = b"48.86,2.34,2026-01-26T08:00Z,0\\n48.87,2.35,2026-01-26T07:00Z,1"
    >>> track = load_trajectory(b"lat,lon,time,landmark\\n" + rows)
    >>> len(track), track.landmarks, track.notices
    (2, (0,), ('2 of 2 rows came newest first; sorted.',))
    """
    if timezone is not None:
        find_zone(timezone)  # a misspelt zone is said even where none is needed
    one_of(on_problem, "on_problem", ("stop", "drop"))
    if not (day_first is None or isinstance(day_first, bool)):
        raise refused("day_first", "True, False or None", day_first)
    data, name, is_text = read_source(source)
    raw = _read(data, is_text)
    times = parse_times(raw.times, timezone="UTC" if raw.fixed_zone else timezone, day_first=day_first)
    return clean(raw, times, drop=on_problem == "drop", name=name)


def _read(data: bytes, is_text: bool) -> RawPoints:
    """The points of a file, by the reader for its format."""
    refuse_other_formats(data)
    beginning = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"<"):
        # XML says its own encoding, and only text that was decoded before it came here is UTF-8 whatever it says.
        return read_gpx(data, "utf-8" if is_text else None)
    text = decode(data)
    if beginning.startswith((b"{", b"[")):
        return read_geojson(text)
    return read_geolife(text) if is_geolife(text) else read_csv(text)

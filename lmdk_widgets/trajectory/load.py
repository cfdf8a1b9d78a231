"""Reading tracks from files of the formats in `formats.py`, told apart by their content."""

from __future__ import annotations

from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.trajectory.clean import clean
from lmdk_widgets.trajectory.formats import read_points
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.source import Source, read_source
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

    The formats are those of `lmdk_widgets.trajectory.formats`, each described by its module, such as CSV (headings in any
    order; comma, semicolon, tab or bar; decimal point or comma), GPX (tracks, else routes), GeoJSON (Points with times,
    or lines with `coordTimes`) and Geolife .plt. Which it is the content tells, not the name. A column or property
    `landmark`, and the waypoints of a GPX file, propose landmarks.

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
    file = read_source(source)
    raw = read_points(file)
    times = parse_times(raw.times, timezone="UTC" if raw.fixed_zone else timezone, day_first=day_first)
    return clean(raw, times, drop=on_problem == "drop", name=file.name)

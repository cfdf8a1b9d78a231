"""Reading a track from a file, or part of it: one person, one of its tracks, some days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TypedDict

import numpy as np

from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.clean import CHOICES, clean, drop_of
from lmdk_widgets.trajectory.columns import Chosen
from lmdk_widgets.trajectory.formats import read
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.opened import open_source
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.several_files import join_files, joins_said
from lmdk_widgets.trajectory.source import Contents, Source
from lmdk_widgets.trajectory.times import Times, parse_times
from lmdk_widgets.trajectory.whose import one_track
from lmdk_widgets.trajectory.words import counted
from lmdk_widgets.trajectory.zones import find_zone, to_local


class HowRead(TypedDict, total=False):
    """The options of `load_trajectory`, except for the time zone."""

    day_first: bool | None
    on_problem: str | None
    on_repeat: str | None
    on_several: str
    person: str | None
    days: Sequence[str] | None
    columns: Mapping[str, int | str] | None
    headings: bool
    epsg: int | None
    accept: bool
    reading: str | None


class FileOptions(HowRead, total=False):
    """All options of `load_trajectory`."""

    timezone: str | None


def load_trajectory(
    source: Source | Contents,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str | None = None,
    on_repeat: str | None = None,
    on_several: str = "stop",
    person: str | None = None,
    days: Sequence[str] | None = None,
    columns: Mapping[str, int | str] | None = None,
    headings: bool = True,
    epsg: int | None = None,
    accept: bool = False,
    reading: str | None = None,
) -> Trajectory:
    """Read a track from a file, with points in time order; `notices` says what was done to them.

    Each of the `FORMATS` is described in its module, such as CSV (headings in any order; comma, semicolon, tab or bar;
    decimal point or comma), GPX (tracks, otherwise routes), GeoJSON (Points with times, or lines with `coordTimes`) and
    Geolife .plt. The content determines the format, not the name. A column or property `landmark`, and the waypoints of a
    GPX file, propose landmarks.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object; a list of paths, for several files of one person.
    timezone : IANA name of the zone for times without one ("Europe/Paris"); GPX and Geolife are UTC by definition. Pages
        show the track's times in this zone.
    day_first : whether 1/2/2026 is the first of February.
    on_problem : "stop" raises for points that cannot be used (no place, no time, a repeated time), "drop" leaves them
        out; of points with the same time, the first in the file is kept. None leaves them out if they are under 2 % of the
        points, or at most 3 and under 10 %, and otherwise raises; points that only repeat another one do not count.
    on_repeat : for points with the same time, "first" and "last" keep that one in the file, "average" the mean of their
        places; "stop" raises, whatever `on_problem` is; None follows `on_problem`.
    on_several : if a file has several tracks or people, or an archive several files, "stop" raises, "join" reads them as one
        and says so. A column names people if its heading says so (user_id) and its values repeat, or if their paths are
        together shorter than 0.3 of the path of all rows in time order.
    person : the value in that column, or the name of the track, to read alone.
    days : first and last day to read, such as ("2026-01-26", "2026-01-28"), by the clock of `timezone`, otherwise UTC.
    columns : for a table whose headings do not say it, maps "time" (or "date" and perhaps "clock"), "latitude" and
        "longitude" (or "x" and "y"), "person", "landmark" and "label" to a heading or a number from 0.
    headings : whether the first line of such a table names its columns.
    epsg : EPSG number of the coordinate reference system of x and y; needs pyproj.
    accept : whether to take the proposed answer to every question but the time zone and the person.
    reading : for a series, one of the ways to read its table that the error of kind "which" offers.

    Returns
    -------
    Trajectory
        At least one and at most `MAX_TIMESTAMPS` points, times UTC and strictly increasing.

    Raises
    ------
    InputError
        With `kind` "timezone" (pass `timezone`), "day-order" (pass `day_first`), "columns" (pass `columns`), "people" (pass
        `person` or `on_several`) or "rows" (`rows` contains a line or point number and a reason for each; pass
        on_problem="drop" or `on_repeat`) if there is something to choose. No message contains a coordinate of the track.

    Examples
    --------
    >>> rows = b"48.86,2.34,2026-01-26T08:00Z,0\\n48.87,2.35,2026-01-26T07:00Z,1"
    >>> track = load_trajectory(b"lat,lon,time,landmark\\n" + rows)
    >>> len(track), track.landmarks, track.notices
    (2, (0,), ('2 of 2 rows came newest first; sorted.',))
    >>> rows = b"26/1/2026;48,86;2,34\\n26/1/2026;48,88;2,34\\n"
    >>> columns = {"date": 0, "latitude": 1, "longitude": 2}
    >>> track = load_trajectory(rows, timezone="UTC", columns=columns, headings=False, on_repeat="average")
    >>> track.latitude.round(2).tolist()
    [48.87]
    """
    if timezone is not None:
        find_zone(timezone)  # a misspelt zone is reported even if none is needed
    if on_problem is not None:
        one_of(on_problem, "on_problem", ("stop", "drop"))
    one_of(on_several, "on_several", ("join", "stop"))
    if on_repeat is not None:
        one_of(on_repeat, "on_repeat", ("stop", *CHOICES))
    if reading is not None:
        raise refused("reading", "left out for a track: it is for series", reading)
    for name, flag in (("day_first", day_first), ("headings", headings), ("accept", accept)):
        if not (isinstance(flag, bool) or (flag is None and name == "day_first")):
            raise refused(name, "True, False or None" if name == "day_first" else "True or False", flag)
    wanted = _span_of(days)
    file = replace(open_source(source), accepts=accept)
    if columns is not None:
        file = replace(file, chosen=Chosen(columns, headings, epsg))
    whole = _read_all(file)
    whole.notices += file.notices
    whole.name = whole.name or ("" if file.more else file.name)
    zone = "UTC" if whole.fixed_zone else timezone

    def times_of(raw: RawPoints) -> Times:
        return parse_times(raw.times, timezone=zone, day_first=day_first, accept=accept)

    raw, times = one_track(whole, times_of, person, ask=on_several == "stop" and not file.joins)
    if file.more and raw is whole:
        raw.notices += joins_said(whole.identities[0][1], times.utc, whole.latitude, whole.longitude)
    if wanted:
        raw, times = _of_days(raw, times, wanted, timezone or "UTC")
    drop = drop_of({"on_problem": on_problem, "accept": accept})
    return Trajectory(**clean(raw, times, drop=drop, zone=timezone or "", on_repeat=on_repeat))


def _read_all(file: Contents) -> RawPoints:
    """The points of a file, or of several."""
    if not file.more:
        return read(file)
    return join_files([replace(each, chosen=file.chosen, accepts=file.accepts) for each in (file, *file.more)], read)


READ_AGAIN = tuple(load_trajectory.__kwdefaults__ or ())
"""The options of `load_trajectory`: what can be chosen for a file, including on a page."""


def _span_of(days: Sequence[str] | None) -> tuple[date, date] | None:
    """The first and last day from texts.

    Examples
    --------
    >>> _span_of(["2026-01-26", "2026-01-26"])
    (datetime.date(2026, 1, 26), datetime.date(2026, 1, 26))
    """
    if days is None:
        return None
    try:
        first, last = (date.fromisoformat(day) for day in days)
    except (TypeError, ValueError):
        first, last = date.max, date.min
    if first > last:
        raise InputError('days must be the first and the last day, such as ("2026-01-26", "2026-01-28")')
    return first, last


def _of_days(raw: RawPoints, times: Times, days: tuple[date, date], zone: str) -> tuple[RawPoints, Times]:
    """The rows of some days, by the clock of a zone, and their times. Rows without a time are kept, to be reported.

    Raises
    ------
    InputError if no row is from these days.
    """
    first, last = (np.datetime64(day, "D") for day in days)
    known = ~np.isnat(times.utc)
    day = np.full(len(times.utc), first)
    day[known] = to_local(times.utc[known], find_zone(zone)).astype("datetime64[D]")
    within = (day >= first) & (day <= last)
    if not (within & known).any():
        raise InputError(
            "the days must contain at least one point with a time", value=f"{days[0]} to {days[1]}", kind="days"
        )
    rows = np.flatnonzero(within)
    part = raw.only(rows)
    part.notices = [*raw.notices, _said(raw, len(rows), len(within), days)]
    part.several, part.hint = raw.several, raw.hint
    return part, times.only(rows)


def _said(raw: RawPoints, kept: int, total: int, days: tuple[date, date]) -> str:
    span = str(days[0]) if days[0] == days[1] else f"{days[0]} to {days[1]}"
    return f"Only {kept:,} of {counted(total, raw.noun)} read, those from {span}."

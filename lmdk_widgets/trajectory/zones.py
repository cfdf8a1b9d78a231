"""Time zones: finding one by name, and converting local clock times to UTC."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import refused

HOW_TO_WRITE = 'an IANA name such as "Europe/Paris", "America/New_York" or "UTC"'


def find_zone(name: str) -> ZoneInfo:
    """The time zone with this IANA name.

    Raises
    ------
    InputError (kind "timezone") for a name that does not exist, with the closest names that do.

    Examples
    --------
    >>> find_zone("Europe/Paris").key
    'Europe/Paris'
    >>> find_zone("paris")
    Traceback (most recent call last):
    ...
    lmdk_widgets.errors.InputError: Timezone must be an IANA name such as "Europe/Paris", "America/New_York" or "UTC"; \
got paris. Perhaps it is Europe/Paris.
    """
    if not isinstance(name, str):
        raise refused("timezone", HOW_TO_WRITE, name, kind="timezone")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # OSError: "Europe" is a folder of the database, not a zone
        near = _nearest_names(name)
        remedy = f"Perhaps it is {' or '.join(near)}" if near else ""
        raise refused("timezone", HOW_TO_WRITE, name, remedy=remedy, kind="timezone") from None


def _nearest_names(name: str, most: int = 3) -> list[str]:
    wanted = name.strip().lower().replace(" ", "_")
    names = {zone.lower(): zone for zone in sorted(available_timezones())}
    if not 1 <= len(wanted) <= 40:
        return []
    inside = [names[zone] for zone in names if wanted == zone or wanted in zone.split("/")]
    return inside[:most] or [names[zone] for zone in difflib.get_close_matches(wanted, names, most)]


def to_utc(
    local: NDArray[np.datetime64], zone: ZoneInfo, *, several: bool = False
) -> tuple[NDArray[np.datetime64], int, int, int]:
    """A zone's clock times as UTC: utc = local - offset(local), with the offset for PEP 495's fold = 0.

    A clock time that exists twice (clocks go back) is the first of the two, or the second if the rows before it show
    that the hour has started again; one that never exists (clocks go forward) is moved forward by the length of the gap,
    as if the clock had not been changed yet.

    Parameters
    ----------
    local : (n,) datetime64[ns], no NaT, in file order: oldest first or newest first.
    several : whether the rows are those of several people, whose order shows nothing: the first of the two is meant.

    Returns
    -------
    utc (n,) datetime64[ns], and the numbers of times that exist twice, of those that are the second, and of those that
    never exist.

    Examples
    --------
    >>> clock = np.array(["2026-10-25T02:30", "2026-10-25T02:30", "2027-03-28T02:30"], "datetime64[ns]")
    >>> utc, twice, second, never = to_utc(clock, ZoneInfo("Europe/Paris"))
    >>> utc.astype("datetime64[m]").astype(str).tolist(), twice, second, never
    (['2026-10-25T00:30', '2026-10-25T01:30', '2027-03-28T01:30'], 2, 1, 1)
    """
    # The offset of each minute in the file once: it is the same for all seconds of a minute, except at
    # changes in the days of local mean time, so seconds are kept if the year is before 1973.
    step = "m" if not len(local) or local.min() >= np.datetime64("1973-01-01") else "s"
    minutes, inverse = np.unique(local.astype(f"datetime64[{step}]"), return_inverse=True)
    clocks = [clock.replace(tzinfo=zone) for clock in minutes.tolist()]
    first, second = (
        np.array([clock.replace(fold=fold).utcoffset() for clock in clocks], "timedelta64[us]") for fold in (0, 1)
    )
    twice, never = (first > second)[inverse], (first < second)[inverse]
    again = np.zeros(len(local), bool) if several else _come_again(local, twice)
    offset = np.where(again, second[inverse], first[inverse]).astype("timedelta64[ns]")
    return local - offset, int(twice.sum()), int(again.sum()), int(never.sum())


def _come_again(local: NDArray[np.datetime64], twice: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the clock times that exist twice are the second, judging by the order of the rows: (n,) bool.

    An hour starts again where the clock steps back once in rows that are otherwise in order; a row with the same time as
    the previous row is a step back only in a file that repeats no other time.
    """
    again = np.zeros(len(local), bool)
    if not twice.any():
        return again
    step = np.diff(local).astype(np.int64)
    outside = ~(twice[1:] & twice[:-1])
    down, up = (step[outside] < 0).sum(), (step[outside] > 0).sum()
    ways = (1, -1) if down == up else (-1,) if down > up else (1,)
    repeats = bool((step[outside] == 0).any())
    rows = np.flatnonzero(twice)
    days = local[rows].astype("datetime64[D]")
    for day in np.unique(days):
        for of_day in (rows[days == day][::way] for way in ways):
            forward = np.diff(local[of_day]).astype(np.int64)
            back = np.flatnonzero(forward < 0 if repeats or (forward < 0).any() else forward <= 0)
            if len(back) == 1:
                again[of_day[back[0] + 1 :]] = True
                break
    return again


def to_local(utc: NDArray[np.datetime64], zone: ZoneInfo) -> NDArray[np.datetime64]:
    """UTC times as a zone's clock times: local = utc + offset(utc).

    Parameters
    ----------
    utc : (n,) datetime64[ns], no NaT.

    Returns
    -------
    (n,) datetime64[ns]; an hour that exists twice occurs twice.

    Examples
    --------
    >>> utc = np.array(["2026-10-25T00:30", "2026-10-25T01:30"], "datetime64[ns]")
    >>> to_local(utc, ZoneInfo("Europe/Paris")).astype("datetime64[m]").astype(str).tolist()
    ['2026-10-25T02:30', '2026-10-25T02:30']
    """
    # Since 1973 every zone has changed its clocks at a full quarter of an hour: one offset applies to all its seconds.
    recent = not len(utc) or utc.min() >= np.datetime64("1973-01-01")
    whole = utc.astype("datetime64[s]").astype(np.int64)
    quarters, inverse = np.unique(whole // 900 * 900 if recent else whole, return_inverse=True)
    start = datetime(1970, 1, 1, tzinfo=UTC)
    moments = ((start + timedelta(seconds=second)).astimezone(zone) for second in quarters.tolist())
    offset = np.array([moment.utcoffset() for moment in moments], "timedelta64[us]")
    return utc + offset.astype("timedelta64[ns]")[inverse]

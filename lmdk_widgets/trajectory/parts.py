"""Part of a track, or some of its timestamps: by indices, by a mask, by times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import indices, kind_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.times import parse_times
from lmdk_widgets.trajectory.words import counted

_DAY = re.compile(r"\d{4}-\d\d-\d\d$")
_WANTED = 'times such as "2026-01-26 15:57"'


def moments(values: Any, zone: str) -> NDArray[np.datetime64]:
    """Times as UTC: numpy's are UTC already; datetimes and texts without a zone are read in `zone`.

    Examples
    --------
    >>> moments(["2026-01-26 09:00"], "Europe/Paris").astype("datetime64[m]").tolist()
    [datetime.datetime(2026, 1, 26, 8, 0)]
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        return values.astype("datetime64[ns]")
    if wrong := [value for value in values if not _is_time(value)]:
        raise refused("a time", _WANTED, kind_of(wrong[0]))
    texts = [
        f"{value}Z"
        if isinstance(value, np.datetime64)
        else value.isoformat()
        if isinstance(value, date)
        else str(value)
        for value in values
    ]
    times = parse_times([f"{text} 00:00" if _DAY.match(text) else text for text in texts], timezone=zone or "UTC")
    if times.problems:
        raise refused("a time", _WANTED, f"{next(iter(times.problems.values()))} at index {min(times.problems)}")
    return times.utc


def timestamps(chosen: Any, time: NDArray[np.datetime64], zone: str) -> tuple[int, ...]:
    """The timestamps that are meant by indices, a mask or times, as increasing indices.

    Raises
    ------
    InputError : an index out of range, a mask of another length, a time at which the track has no timestamp.
    """
    if isinstance(chosen, Iterable) and not isinstance(chosen, (str, bytes)):
        chosen = chosen if isinstance(chosen, np.ndarray) else list(chosen)
        if len(chosen) and _is_time(chosen[0]):
            utc = moments(chosen, zone)
            at = np.minimum(np.searchsorted(time, utc), len(time) - 1)
            missing = np.flatnonzero(time[at] != utc)
            if len(missing):
                nowhere = counted(len(missing), "time")
                raise InputError(
                    "each landmark given as a time must be the time of a timestamp",
                    value=f"{nowhere} of {len(utc):,} that no timestamp has, the first at index {missing[0]:,}",
                    remedy="Take them from the track, as in track.time[[0, 2]]",
                )
            chosen = at
    return tuple(indices(chosen, "landmarks", len(time)).tolist())


def _is_time(value: Any) -> bool:
    return isinstance(value, (str, np.datetime64, date))


def rows_of(key: Any, n: int) -> NDArray[np.intp]:
    """The rows that are meant by a slice or a mask, in time order and at least one."""
    if not isinstance(key, slice) and not isinstance(key, (Sequence, np.ndarray)):
        raise refused("part of a track", "a slice such as track[:100], indices or a mask", kind_of(key))
    rows = np.arange(n)[key] if isinstance(key, slice) else indices(key, "timestamps", n)
    if isinstance(key, slice) and (key.step or 1) < 0:
        raise InputError("part of a track must keep the order of time", value=f"steps of {key.step}")
    if not len(rows):
        raise InputError("part of a track must have at least one timestamp", value="none")
    return rows


def within(time: NDArray[np.datetime64], start: Any, end: Any, zone: str) -> NDArray[np.intp]:
    """The rows from `start` to `end`, both included; a day without a time of day is meant as a whole; None: no limit."""
    first = time[0] if start is None else moments([start], zone)[0]
    last = time[-1] if end is None else moments([end], zone)[0]
    if (isinstance(end, date) and not isinstance(end, datetime)) or (isinstance(end, str) and _DAY.match(end)):
        # to the next midnight by the clock, as a day may have 25 hours
        day = np.datetime64(str(end)) + np.timedelta64(1, "D")
        last = moments([str(day)], zone)[0] - np.timedelta64(1, "ns")
    return np.flatnonzero((time >= first) & (time <= last))

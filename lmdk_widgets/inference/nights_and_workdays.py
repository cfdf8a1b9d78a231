"""Where a person spends nights and working days: what a belief about a track says about home and work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import number, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.beliefs import checked_belief

HOUR = np.timedelta64(1, "h")


@dataclass(frozen=True, eq=False)
class HomeAndWork:
    """Expected shares of nights and of working days.

    Attributes
    ----------
    night, day : (m,) the expected share of this time spent in each state, summing to 1; None without such timestamps.
    nights, days : how many nights and working days have a timestamp.
    home, work : the state with the largest share of the nights, and of the working days; None without such timestamps.
    """

    night: Floats | None
    day: Floats | None
    nights: int
    days: int

    @property
    def home(self) -> int | None:
        return None if self.night is None else int(self.night.argmax())

    @property
    def work(self) -> int | None:
        return None if self.day is None else int(self.day.argmax())


def home_and_work(
    posterior: Any,
    local_time: ArrayLike,
    *,
    night: tuple[float, float] = (22.0, 6.0),
    day: tuple[float, float] = (9.0, 17.0),
) -> HomeAndWork:
    """The states in which nights, and working hours from Monday to Friday, are expected to be spent.

    The mean of the belief over the timestamps of a night, then over the nights, each counted once: as an expectation, it only
    needs the belief at each timestamp, not how the timestamps depend on one another.

    Parameters
    ----------
    posterior : (n, m) belief, or a `TrackPosterior`, which stands for its `smoothed`.
    local_time : (n,) datetime64, the clock times of the place (not UTC).
    night, day : start and end in hours from 0 to 24, the end not included; a window whose end is before its start crosses
        midnight and belongs to the day on which it starts.

    Returns
    -------
    HomeAndWork

    Raises
    ------
    InputError : an invalid belief, times that are missing or do not match, hours out of range, an empty window.

    Notes
    -----
    Guarantee: none, this is a measurement. The names are conventional: for people who work at night they do not fit. Golle,
    Partridge, "On the anonymity of home/work location pairs", Pervasive 2009.

    Examples
    --------
    >>> time = np.datetime64("2026-01-26T00:00") + np.arange(0, 48 * 60, 60)  # two days, starting on a Monday
    >>> hour = np.arange(48) % 24
    >>> belief = np.where((hour > 8) & (hour < 18), 0.2, 0.9)
    >>> found = home_and_work(np.stack([belief, 1 - belief], axis=1), time)
    >>> found.home, found.work, found.nights, found.days
    (0, 1, 3, 2)
    """
    belief = checked_belief(posterior)
    clock = _clock(local_time, len(belief))
    at_night, nights = _mean_of_days(belief, clock, night, "night")
    at_day, days = _mean_of_days(belief, clock, day, "day", weekdays=True)
    return HomeAndWork(at_night, at_day, nights, days)


def _clock(local_time: ArrayLike, n: int) -> NDArray[np.datetime64]:
    clock = np.asarray(local_time)
    if clock.dtype.kind != "M" or clock.shape != (n,):
        raise refused("local_time", f"datetime64 values, shape ({n},)", f"{clock.dtype} of shape {clock.shape}")
    if np.isnat(clock).any():
        raise InputError("local_time must be known everywhere", value=f"none at index {int(np.isnat(clock).argmax())}")
    return clock.astype("datetime64[s]")


def _mean_of_days(
    belief: Floats, clock: NDArray[np.datetime64], window: tuple[float, float], name: str, *, weekdays: bool = False
) -> tuple[Floats | None, int]:
    """The mean belief in a window of hours, each day counted once, and the number of days."""
    if len(window) != 2:
        raise refused(name, "two hours, the start and the end", f"{len(window)} values")
    begin, end = (number(hour, f"the hours of {name}", 0, 24) for hour in window)
    length = (end - begin) % 24 or 24 * (abs(end - begin) == 24)
    if not length:
        raise refused(name, "two different hours", f"{begin:g} twice")
    since = clock - np.timedelta64(round(begin * 3600), "s")
    date = since.astype("datetime64[D]")
    chosen = (since - date) / HOUR < length
    if weekdays:
        chosen &= (date.astype(np.int64) + 3) % 7 < 5  # day 0 was a Thursday
    if not chosen.any():
        return None, 0
    dates, which = np.unique(date[chosen], return_inverse=True)
    counts = np.bincount(which)
    weights = 1 / (counts[which] * len(dates))
    return weights @ belief[chosen], len(dates)

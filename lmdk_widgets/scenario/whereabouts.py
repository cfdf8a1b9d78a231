"""Where a track mostly is, whatever the settings: its main place, the next ones, and whether the first may be called
home."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import distance_m
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.page.amounts import count
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.trajectory.model import Trajectory

EVEN = 0.01
"""The share by which the time between timestamps may differ for time still to be counted in hours."""

NIGHT_H = (22, 8)
"""The hour at which nights begin, and how many hours they have."""

NIGHTS, AT_HOME = 3, 0.6
"""A home needs this many nights with an hour or more, and this share of their timestamps."""

A_DAY = np.timedelta64(24, "h")
"""A shorter track is not asked for its nights."""

MOST_PLACES = 10
"""The most places of a track that are considered."""

APART_M = 400.0
"""Timestamps farther than this from a place may belong to another one, metres."""


class MainPlace(NamedTuple):
    """Where a track has most timestamps: (n,) which they are; how many nights are spent there, 0 where most are not or the
    zone is unknown; whether it is unknown for a day or more; hours there and in all, NaN where timestamps are not evenly
    spaced."""

    members: NDArray[np.bool_]
    nights: int
    unzoned: bool
    hours: float
    hours_in_all: float

    @property
    def home(self) -> bool:
        """Whether it may be called home."""
        return self.nights >= NIGHTS

    @property
    def not_home(self) -> str:
        """Why it is not called home although no night speaks against it; else ""."""
        if self.unzoned:
            return "Without a time zone it cannot be called your home."
        if self.home or not self.nights:
            return ""
        nights = count(self.nights, "night")
        return f"{nights[0].upper()}{nights[1:]} {'is' if self.nights == 1 else 'are'} too few to call it your home."

    @property
    def in_hours(self) -> bool:
        """Whether it is described in hours rather than timestamps."""
        return self.hours >= 1

    @property
    def called(self) -> str:
        """What it may be called: "your home"."""
        if self.home:
            return "your home"
        return f"the place where {'you spend the most time' if self.in_hours else 'most of your timestamps are'}"

    @property
    def when(self) -> str:
        """When you are there: "at home"."""
        return "at home" if self.home else f"at {self.called}"

    @property
    def often(self) -> str:
        """How much of the track is there: "87 h of 168"."""
        if self.in_hours:
            return f"{self.hours:,.0f} h of {self.hours_in_all:,.0f}"
        return f"{int(self.members.sum()):,} of {len(self.members):,}"


@lru_cache(maxsize=4)
def main_place_of(trajectory: Trajectory) -> MainPlace:
    """The main place of a track.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = main_place_of(sample("commuter"))
    >>> int(found.members.sum()), found.home, found.called, found.often
    (1044, True, 'your home', '87 h of 168')
    """
    *_, members = main_place(trajectory.latitude, trajectory.longitude)
    gaps = np.diff(trajectory.time) / np.timedelta64(1, "h")
    usual = float(np.median(gaps)) if len(gaps) else math.nan
    even = len(gaps) > 0 and bool((np.abs(gaps - usual) <= EVEN * usual).all())
    each = usual if even else math.nan
    unzoned = not trajectory.zone and bool(trajectory.time[-1] - trajectory.time[0] >= A_DAY)
    return MainPlace(
        members, _nights_at(trajectory, members), unzoned, each * float(members.sum()), each * len(members)
    )


@lru_cache(maxsize=4)
def places_of(trajectory: Trajectory) -> NDArray[np.bool_]:
    """(k, n) the timestamps at each of up to `MOST_PLACES` places: the main one, then the main place of the timestamps
    farther than `APART_M` from those before, and so on.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> places_of(sample("commuter")).sum(axis=1)[:2].tolist(), len(places_of(sample("bob")))
    ([1044, 539], 8)
    """
    latitude, longitude = trajectory.latitude, trajectory.longitude
    left = np.arange(len(trajectory))
    found: list[NDArray[np.bool_]] = []
    while len(left) and len(found) < MOST_PLACES:
        at_latitude, at_longitude, members = main_place(latitude[left], longitude[left])
        found.append(np.isin(np.arange(len(trajectory)), left[members]))
        left = left[distance_m(at_latitude, at_longitude, latitude[left], longitude[left]) > APART_M]
    return np.array(found)


def _nights_at(trajectory: Trajectory, members: NDArray[np.bool_]) -> int:
    """How many nights with an hour or more there are, where they are mostly spent there; else 0. A wrong zone would
    silently swap home and work, so it has to be known."""
    if not trajectory.zone:
        return 0
    since = clock_times(trajectory, trajectory.zone) - np.timedelta64(NIGHT_H[0], "h")
    day = since.astype("datetime64[D]")
    at_night = since - day < np.timedelta64(NIGHT_H[1], "h")
    nights, which = np.unique(day[at_night], return_inverse=True)
    first, last = np.full(len(nights), np.inf), np.full(len(nights), -np.inf)
    hour = (trajectory.time - trajectory.time[0])[at_night] / np.timedelta64(1, "h")
    np.minimum.at(first, which, hour)
    np.maximum.at(last, which, hour)
    long = last - first >= 1
    counted = long[which]
    if not counted.any() or float(members[at_night][counted].mean()) < AT_HOME:
        return 0
    return int(long.sum())
